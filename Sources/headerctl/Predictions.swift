// SPDX-License-Identifier: MIT
//
// `headerctl watch --predict`: how each state says that the header goes on, what a renderer drew by the state before where this one was
// decided, and how far apart the two are.
//
//     offset    navBar  extension
//     0         20      64             keyframes that are reached as the offset shrinks, those next to the state
//     12        8       52             the state
//     44        -24     20             those that are reached as it grows
//     foreseen  8       52             what the state before said of 12
//     error 0, at most 0.5 points

internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

/// A header's states, and what was foreseen of them.
struct Predictions {
  /// Keyframes that are shown in each direction.
  private static let shownKeyframes = 3

  private let description: Value
  private var view = HeaderView()
  private var state: Value = .null
  /// What the state before the last one said of it; nil: nothing.
  private var foreseen: Value?
  /// Points between that and what was decided.
  private var error: Double?
  private var worst = 0.0

  /// - Parameter description: as `header.get` includes it.
  init(description: Value) { self.description = description }

  /// Takes over the `params` of a `state`. The same state once more, with what follows it, leaves what was foreseen of it.
  mutating func take(_ next: Value) {
    if next["seq"] != state["seq"] || next["epoch"] != state["epoch"] {
      let isForeseen = next["epoch"] == state["epoch"] && state["ahead"] != nil
      foreseen = isForeseen ? offset(of: next).flatMap { view.at($0) } : nil
      error = foreseen.flatMap { Self.distance($0, next) }
      worst = max(worst, error ?? 0)
    }
    view.apply(next)
    state = next
  }

  /// The last state with what was foreseen of it, for programs.
  var record: Value {
    let parts = ["drawers", "elements", "scrollViews", "values", "wants", "position"]
    let predicted = foreseen.map { foreseen in
      Value.record(
        Value.Record(fields: parts.compactMap { part in foreseen[part].map { .init(name: part, value: $0) } }))
    }
    return ["state": state, "predicted": predicted ?? .null, "error": error.map { .number($0) } ?? .null]
  }

  /// The same for people.
  var lines: [String] {
    let drawers = state["drawers"]?.elements ?? []
    func row(_ title: String, _ source: Value?) -> [String] {
      [title]
        + drawers.map { drawer in
          let known = source?["drawers"]?.elements.first { $0["name"] == drawer["name"] }
          return shown(Rect(json: (known ?? drawer)["frame"]).origin.y)
        }
    }
    func keyframes(_ direction: String) -> [[String]] {
      (state["ahead"]?[direction]?.elements ?? []).prefix(Self.shownKeyframes).map {
        row(shown($0["offset"]?.asNumber ?? 0), $0)
      }
    }
    var table = [["offset"] + drawers.map { $0["name"]?.asText ?? "?" }]
    table += keyframes("shrinking").reversed()
    table.append(row(shown(offset(of: state) ?? 0), state))
    table += keyframes("growing")
    table.append(foreseen.map { row("foreseen", $0) } ?? ["foreseen"] + drawers.map { _ in "–" })
    return aligned(table) + ["error \(error.map { shown($0) } ?? "–"), at most \(shown(worst)) points"]
  }

  /// Where the content of the tracking scroll view is, along its axis.
  private func offset(of state: Value) -> Double? {
    guard let (name, axis) = Self.tracked(state, description) else { return nil }
    return state["scrollViews"]?[name]?["contentOffset"]?[axis]?.asNumber
  }

  /// The tracking scroll view of a state, and `x` or `y`, along which it scrolls.
  static func tracked(_ state: Value, _ description: Value) -> (name: String, axis: String)? {
    guard let name = state["trackingScrollView"]?.asText ?? state["scrollViews"]?.fields.first?.name else { return nil }
    return (name, description["scrollViews"]?[name]?["axis"] == "horizontal" ? "x" : "y")
  }

  /// How far apart edges of drawers and insets are at most; nil: something is no state.
  static func distance(_ one: Value, _ other: Value) -> Double? {
    guard let one = StatePicture(one), let other = StatePicture(other) else { return nil }
    let drawers = zip(one.drawers, other.drawers).filter { !$0.isHidden || !$1.isHidden }
    let edges = drawers.flatMap { drawer, decided -> [(Double, Double)] in
      let (frame, wanted) = (drawer.frame, decided.frame)
      let (origin, end) = (frame.origin, wanted.origin)
      return [
        (origin.x, end.x), (origin.y, end.y), (origin.x + frame.size.width, end.x + wanted.size.width),
        (origin.y + frame.size.height, end.y + wanted.size.height),
      ]
    }
    let insets = zip(one.scrollViews, other.scrollViews).flatMap { view, decided -> [(Double, Double)] in
      let (inset, wanted) = (view.inset, decided.inset)
      return [
        (inset.top, wanted.top), (inset.left, wanted.left), (inset.bottom, wanted.bottom), (inset.right, wanted.right),
      ]
    }
    return (edges + insets).map { abs($0 - $1) }.max()
  }
}
