// SPDX-License-Identifier: MIT
//
// Compose's top app bars in our words: one drawer that collapses by the limit, under the preset of its behavior. Compose's deltas
// have the finger's sign, ours the offset's.
//
//     preScroll     willScroll
//     postScroll    the content's own movement (didScroll), then what it left over (didOverscroll)
//     postFling     the velocity that is left (willFling), each step of the curve that the recording brings (didOverscroll), the end
//     dragBar       the call `drag`; setLimit: the drawer's heights; setCanScroll: the option `enabled`

internal import HeaderModel

/// Reads recordings of Compose's top app bars.
enum ComposeAdapter {
  static let system = "compose-top-app-bar"

  /// The height of a bar that is gone; ours have one, Compose's limit has none.
  private static let least = 48.0

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    let presets = [
      ("enterAlways", "compose-enter-always"), ("exitUntilCollapsed", "compose-exit-until-collapsed"),
      ("pinned", "compose-pinned"),
    ]
    guard let preset = try options.choice("behavior", presets) else {
      throw options.unexpected("behavior", needed: "one of Compose's", expected: "case")
    }
    let limit = try options.required(number: "heightOffsetLimit", in: -FieldReader.bound...0)
    let gone = try options.number("heightOffset", in: -FieldReader.bound...0) ?? 0
    let moved = -(try options.number("contentOffset") ?? 0)
    // Compose does not say where its content is, only by how much it moves: somewhere in the middle.
    var offset = 100_000.0
    let fling = options.value("fling")
    let law = Adapting.record([
      ("snaps", options.value("snap")), ("carriesFling", preset == "compose-pinned" ? false : fling),
      ("initially", ["traveled": .number(-gone), "contentMoved": .number(moved)]),
    ])
    try options.finish()
    let drawer: Value = [
      "name": "bar", "height": .number(least - limit), "minimumHeight": .number(least),
      "maximumHeight": .number(least - limit),
    ]
    let content: Value.Record = [
      "offset": Neighbors.vertical(offset), "contentSize": ["width": 400, "height": 1_000_000],
    ]
    let description = try Neighbors.description(preset: preset, options: law, drawers: [drawer], content: content)
    var adapted = try Neighbors.adapt(
      recording, to: description, leftOut: leftOut, ratios: ["collapsedFraction", "overlappedFraction"]
    ) { step throws(HeaderError) in
      try events(&step, &offset)
    } show: { view in
      show(view)
    }
    for index in adapted.steps.indices { adapted.steps[index].expect = withoutReturned(adapted.steps[index].expect) }
    return adapted
  }

  private static let leftOut = [
    LeftOut(
      name: "settle.returnedY",
      reason:
        "the speed that Compose hands back after it has carried a fling itself: our publisher has the curve, and its speed"
    )
  ]

  private static func withoutReturned(_ expect: Value) -> Value {
    guard case .record(var record) = expect, case .record(var settle)? = record["settle"] else { return expect }
    settle["returnedY"] = nil
    record["settle"] = .record(settle)
    return .record(record)
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ offset: inout Double) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "preScroll":
      return [Neighbors.event("willScroll", [("delta", try delta("available", &step)), ("source", "drag")])]
    case "postScroll":
      let moved = try delta("consumed", &step)
      if case .record(let point) = moved, case .number(let y)? = point["y"] { offset += y }
      return [
        Neighbors.event("didScroll", [("offset", Neighbors.vertical(offset))]),
        Neighbors.event("didOverscroll", [("delta", try delta("available", &step)), ("source", "drag")]),
      ]
    case "postFling": return try fling(&step)
    case "dragBar":
      let delta = try step.fields.required(number: "delta", in: -1e6...1e6)
      return [Neighbors.call("drag", [("delta", .number(-delta))])]
    case "setLimit":
      let limit = try step.fields.required(number: "heightOffsetLimit", in: -FieldReader.bound...0)
      return [
        Neighbors.event("layout", [("drawers", [["name": "bar", "maximumHeight": .number(least - limit)]])])
      ]
    case "setCanScroll":
      return [Neighbors.event("setOptions", [("options", ["enabled": step.fields.value("canScroll") ?? true])])]
    default: throw step.fields.unexpected("event", needed: "an event of Compose's bars", expected: "case")
    }
  }

  /// A delta in our sign.
  private static func delta(_ name: String, _ step: inout NeighborStep) throws(HeaderError) -> Value {
    guard var point = try step.fields.reader(name) else {
      throw step.fields.unexpected(name, needed: "a point {x, y}", expected: "point")
    }
    let (x, y) = (try point.number("x") ?? 0, try point.number("y") ?? 0)
    try point.finish()
    return ["x": .number(x == 0 ? 0 : -x), "y": .number(y == 0 ? 0 : -y)]
  }

  private static func fling(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    let velocity = try step.fields.required(number: "velocity", in: -1e6...1e6)
    var records = [Neighbors.event("willFling", [("velocity", ["x": 0, "y": .number(-velocity / 1000)])])]
    var before = 0.0
    for (index, value) in (try step.fields.list("decay") ?? []).enumerated() {
      var frame = try FieldReader(value, at: (step.fields.path + "decay")[index])
      let value = try frame.required(number: "value", in: -1e9...1e9)
      let speed = try frame.required(number: "velocity", in: -1e6...1e6)
      try frame.finish()
      records.append(
        Neighbors.event(
          "didOverscroll", [("delta", Neighbors.vertical(before - value)), ("source", "fling")]))
      _ = speed
      before = value
    }
    records.append(Neighbors.event("didEndDecelerating"))
    return records
  }

  // MARK: Shown

  private static func show(_ view: NeighborView) -> Value {
    return [
      "heightOffset": negated(view.fact("traveled")),
      "heightOffsetLimit": .number(view.drawer.minimumHeight - view.drawer.maximumHeight),
      "contentOffset": negated(view.fact("contentMoved")),
      "collapsedFraction": view.fact("progress"),
      "overlappedFraction": view.fact("overlap"),
      "consumed": consumed(view),
      "settle": settle(view),
    ]
  }

  /// What came of a fling: where the bar was after each frame that it was carried on, and where it snapped to.
  private static func settle(_ view: NeighborView) -> Value {
    guard view.step == "postFling" else { return .null }
    guard case .list(let carried) = view.fact("carried") else { return .null }
    return [
      "decayOffsets": .list(carried.map(negated)), "cancelled": view.fact("carryWasCut"),
      "snapTarget": view.outcome.animations.isEmpty ? .null : negated(view.fact("traveled")),
    ]
  }

  private static func negated(_ value: Value) -> Value {
    if case .number(let number) = value { .number(-number) } else { value }
  }

  private static func consumed(_ view: NeighborView) -> Value {
    guard let step = view.step, ["preScroll", "postScroll"].contains(step) else { return .null }
    let taken = view.outcome.answers.last?.consumed ?? Point()
    return ["x": .number(-taken.x), "y": .number(-taken.y)]
  }
}
