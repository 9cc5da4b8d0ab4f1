// SPDX-License-Identifier: MIT
//
// Material's AppBarLayout in our words: its children are drawers, which move as one block (`follows = "block"`).
//
//     startNestedScroll, stopNestedScroll   touch: willBeginDragging, didEndDragging; fling: willBeginDecelerating, didEndDecelerating
//     preScroll, nestedScroll               willScroll, didOverscroll, whose source is the scroll's type
//     setChild                              a drawer's heights, and whether it is hidden; flags: the option `blocks`
//
// How far the content is scrolled comes as a layout before each event.

import HeaderCore
internal import HeaderModel

/// Reads recordings of AppBarLayout.
enum AppBarAdapter {
  static let system = "app-bar-layout"

  /// The children as they are described now.
  private typealias Children = [Value.Record]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    var children: Children = []
    for (index, value) in (try options.list("children") ?? []).enumerated() {
      guard case .record(let child) = value else {
        throw .unexpected(value, at: Path("options.children")[index], needed: "an object", expected: "record")
      }
      children.append(child)
    }
    let height = options.value("parentHeight") ?? 0
    let inset = options.value("topInset") ?? 0
    let names = [
      ("paddingTop", "paddingTop"), ("paddingBottom", "paddingBottom"), ("fitsSystemWindows", "fitsInset"),
      ("expanded", "expanded"), ("liftOnScroll", "liftsOnScroll"), ("overlapTop", "overlap"),
    ]
    let surroundings = Adapting.record(names.map { ($0.1, options.value($0.0)) })
    let law: Value.Record = ["block": .record(surroundings), "blocks": try blocks(children)]
    try options.finish()
    let description = try Neighbors.description(
      preset: "app-bar", options: law, drawers: children.enumerated().map { .record(drawer($0.offset, $0.element)) },
      content: [
        "viewport": ["width": 400, "height": height], "contentSize": ["width": 400, "height": 1_000_000],
        "offset": Neighbors.vertical(0), "clamping": "none",
      ], environment: ["safeAreaInset": ["top": inset]])
    return try Neighbors.adapt(recording, to: description) { step throws(HeaderError) in
      try events(&step, &children)
    } show: { view in
      show(view)
    }
  }

  // MARK: Children

  private static func drawer(_ index: Int, _ child: Value.Record) -> Value.Record {
    Adapting.record([
      ("name", .text("child\(index)")), ("height", child["height"]), ("maximumHeight", child["height"]),
      ("minimumHeight", child["minimumHeight"]), ("hidden", child["gone"]),
    ])
  }

  private static func blocks(_ children: Children) throws(HeaderError) -> Value {
    .list(
      children.map { child in
        let word = child["interpolator"] ?? .null
        let curve = word == .null ? Value?.none : word == "easeOut" ? "decelerate" : word
        let effect = child["effect"] ?? .null
        return .record(
          Adapting.record([
            ("flags", child["flags"]), ("marginTop", child["marginTop"]), ("marginBottom", child["marginBottom"]),
            ("fitsInset", child["fitsSystemWindows"]), ("curve", curve), ("compresses", .bool(effect == "compress")),
          ]))
      })
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ children: inout Children) throws(HeaderError) -> [Value
    .Record]
  {
    let scroll = try step.fields.number("contentScrollY") ?? 0
    return [Neighbors.event("layout", [("offset", Neighbors.vertical(scroll))])] + (try own(&step, &children))
  }

  private static func own(_ step: inout NeighborStep, _ children: inout Children) throws(HeaderError) -> [Value.Record]
  {
    let isFling = step.fields.value("type") == "fling"
    let source: Value = isFling ? "fling" : "drag"
    switch step.name {
    case "startNestedScroll": return [Neighbors.event(isFling ? "willBeginDecelerating" : "willBeginDragging")]
    case "stopNestedScroll":
      return [
        isFling ? Neighbors.event("didEndDecelerating") : Neighbors.event("didEndDragging", [("willDecelerate", false)])
      ]
    case "preScroll":
      let distance = try step.fields.required(number: "dy", in: -1e6...1e6)
      return [Neighbors.event("willScroll", [("delta", Neighbors.vertical(distance)), ("source", source)])]
    case "nestedScroll":
      _ = step.fields.value("dyConsumed")
      let left = try step.fields.required(number: "dyUnconsumed", in: -1e6...1e6)
      return [Neighbors.event("didOverscroll", [("delta", Neighbors.vertical(left)), ("source", source)])]
    case "frame": return [Neighbors.event("advance", [("frameDuration", 0.016)])]
    case "setExpanded":
      return [
        Neighbors.call(
          "expand", [("expanded", step.fields.value("expanded")), ("animated", step.fields.value("animate"))])
      ]
    case "setChild": return [try setChild(&step, &children)]
    case "setInset":
      return [
        Neighbors.event("layout", [("safeAreaInset", ["top": step.fields.value("topInset") ?? 0]), ("pass", true)])
      ]
    case "setParent":
      return [
        Neighbors.event("layout", [("viewport", ["height": step.fields.value("parentHeight") ?? 0]), ("pass", true)])
      ]
    case "touch":
      return [Neighbors.call("touch", [("action", step.fields.value("action")), ("y", step.fields.value("y"))])]
    default: throw step.fields.unexpected("event", needed: "an event of AppBarLayout", expected: "case")
    }
  }

  private static func setChild(_ step: inout NeighborStep, _ children: inout Children) throws(HeaderError)
    -> Value.Record
  {
    guard let index = try step.fields.integer("index", in: 0...(children.count - 1)) else {
      throw step.fields.unexpected("index", needed: "a child's index", expected: "integer")
    }
    if let flags = step.fields.value("flags") {
      children[index]["flags"] = flags
      return Neighbors.event("setOptions", [("options", ["blocks": try blocks(children)])])
    }
    for name in ["height", "minimumHeight", "gone"] {
      if let value = step.fields.value(name) { children[index][name] = value }
    }
    return Neighbors.event("layout", [("drawers", .list([.record(drawer(index, children[index]))]))])
  }

  // MARK: Shown

  private static func show(_ view: NeighborView) -> Value {
    let offsets = view.outcome.notices.filter { $0.word(in: view.header.state.names) == "didMove" }
    let rest = view.outcome.notices.first { $0.word(in: view.header.state.names) == "willRest" }
    return [
      "offset": view.fact("offset"), "logicalOffset": view.fact("logicalOffset"), "barTop": view.fact("offset"),
      "barBottom": view.fact("bottom"), "contentTop": view.fact("contentTop"),
      "contentHeight": view.fact("contentHeight"),
      "ranges": ["total": view.fact("total"), "downPre": view.fact("downPre"), "down": view.fact("down")],
      "lifted": view.fact("isLifted"), "animation": animation(rest?.arguments),
      "animating": view.value("isResting"), "callbacks": .list(offsets.map { $0.arguments?["offset"] ?? .null }),
      "children": view.fact("parts"), "accepted": view.step == "startNestedScroll" ? view.fact("accepted") : .null,
      "consumed": consumed(view),
    ]
  }

  /// The rest that began, with its length in milliseconds.
  private static func animation(_ arguments: Value.Record?) -> Value {
    guard let arguments, case .number(let duration)? = arguments["duration"] else { return .null }
    return .record(
      Adapting.record([
        ("from", arguments["from"]), ("to", arguments["to"]), ("duration", .number((duration * 1000).rounded())),
      ]))
  }

  private static func consumed(_ view: NeighborView) -> Value {
    guard view.step == "preScroll" || view.step == "nestedScroll" else { return .null }
    return .number(view.outcome.answers.last?.consumed?.y ?? 0)
  }
}
