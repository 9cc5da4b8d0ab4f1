// SPDX-License-Identifier: MIT
//
// The bar's state beyond its options and the header's records.

internal import HeaderPluginKit

extension FlexibleHeightBar {
  /// All state that a restored bar needs.
  var savedState: Value {
    let fields: [(name: String, value: Value)] = [
      ("progress", .number(progress)),
      ("initialMaximum", .number(initialMaximum)),
      ("initialMinimum", .number(initialMinimum)),
      ("size", Value(knownSize)),
      ("generation", .number(Double(definer.generation))),
      ("currentlySnapping", .bool(definer.currentlySnapping)),
      ("previousYOffset", .number(definer.facebook.previousYOffset)),
      ("previousProgress", .number(definer.facebook.previousProgress)),
      ("previousOffset", definer.safari.previousOffset.map(Value.number) ?? .null),
      ("revealing", .bool(definer.safari.revealing)),
      ("releaseVelocity", .number(definer.safari.releaseVelocity)),
      ("snapping", definer.positions.value),
      ("elements", elements.saved),
    ]
    let displaced: [(name: String, value: Value)] =
      displacement.distance == 0 && !isHeld
      ? [] : [("displacement", .number(displacement.distance)), ("isHeld", .bool(isHeld))]
    return .record(fields + displaced + (nested.saved.map { [("nested", $0)] } ?? []))
  }

  /// More definers than any bar will have; a number holds it exactly.
  private static let maxGenerations = 9_007_199_254_740_992

  /// Takes over what `savedState` gave.
  func take(savedState state: Value) throws(Refusal) {
    var fields = try Fields(state, at: "saved")
    progress = try fields.number("progress")
    initialMaximum = try fields.number("initialMaximum")
    initialMinimum = try fields.number("initialMinimum")
    knownSize = try fields.size("size")
    definer.restore(generation: try fields.integer("generation", in: 0...Self.maxGenerations))
    definer.currentlySnapping = try fields.bool("currentlySnapping")
    definer.facebook.previousYOffset = try fields.number("previousYOffset")
    definer.facebook.previousProgress = try fields.number("previousProgress")
    definer.safari.previousOffset = try fields.numberOrNull("previousOffset")
    definer.safari.revealing = try fields.bool("revealing")
    definer.safari.releaseVelocity = try fields.number("releaseVelocity")
    definer.positions = try SnappingPositions(fields.take("snapping") ?? .null, at: "saved.snapping")
    try elements.restore(fields.take("elements") ?? .null)
    nested = NestedScroll(fields.take("nested"))
    displacement = Displacement(distance: fields.take("displacement")?.number ?? 0)
    isHeld = fields.take("isHeld")?.bool ?? false
    try fields.finish()
  }
}
