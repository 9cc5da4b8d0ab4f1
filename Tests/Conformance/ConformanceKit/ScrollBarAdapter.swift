// SPDX-License-Identifier: MIT
//
// GTScrollNavigationBar in our words: one drawer at the status bar's lower edge, whose elements are the bar's subviews. A pan is a
// drag: `began` begins it, `ended` and `cancelled` end it, all else is a didScroll. The scroll view's frame and content, which the
// original asks for with each pan, come as a layout before it.

import HeaderCore
internal import HeaderModel

/// Reads recordings of GTScrollNavigationBar.
enum ScrollBarAdapter {
  static let system = "gt-scroll-bar"

  private static let leftOut = [
    LeftOut(
      name: "parentFrame",
      reason: "the application's view, which the original moves itself; ours hangs on the header's edge")
  ]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    let height = try options.required(number: "barHeight", in: 0...FieldReader.bound)
    let edge = try statusBar(&options)
    _ = options.value("parent")
    var elements: [Value] = []
    for (index, subview) in (try options.list("subviews") ?? []).enumerated() {
      var fields = try FieldReader(subview, at: Path("options.subviews")[index])
      elements.append(
        .record(
          Adapting.record([
            ("name", .text("subview\(index)")), ("alpha", fields.value("alpha")), ("hidden", fields.value("hidden")),
          ])))
      try fields.finish()
    }
    try options.finish()
    let drawer: Value = ["name": "bar", "height": .number(height), "y": edge, "elements": .list(elements)]
    let description = try Neighbors.description(
      preset: "gt-scroll-bar", options: Value.Record(), drawers: [drawer], content: Value.Record(),
      environment: ["statusBarHeight": edge, "safeAreaInset": ["top": edge]])
    let count = elements.count
    var isPresent = false
    var adapted = try Neighbors.adapt(recording, to: description, leftOut: leftOut) { step throws(HeaderError) in
      try events(&step, &isPresent)
    } show: { view in
      [
        "barY": .number(view.drawer.frame.origin.y),
        "subviewAlphas": .list((0..<count).map { .number(Double(view.header.elements[$0].alpha)) }),
        "scrollState": scrollState(view.fact("lastMovement")),
        "animated": .bool(!view.outcome.animations.isEmpty),
      ]
    }
    for index in adapted.steps.indices { adapted.steps[index].expect = seen(adapted.steps[index].expect) }
    return adapted
  }

  /// What was expected, as it is seen: an alpha beyond 1, which the original asks for where its bar does not leave the screen, is 1.
  private static func seen(_ expect: Value) -> Value {
    guard case .record(var record) = expect, case .list(let alphas)? = record["subviewAlphas"] else { return expect }
    record["subviewAlphas"] = .list(
      alphas.map { if case .number(let alpha) = $0 { .number(min(1, alpha)) } else { $0 } })
    return .record(record)
  }

  /// The original names the direction of the scroll bar, not of the content.
  private static func scrollState(_ movement: Value) -> Value {
    movement == "hide" ? "scrollingUp" : movement == "show" ? "scrollingDown" : "none"
  }

  /// The status bar's lower edge: the lesser of the frame's two, since it may lie on its side.
  private static func statusBar(_ fields: inout FieldReader) throws(HeaderError) -> Value {
    guard var frame = try fields.reader("statusBar") else {
      throw fields.unexpected("statusBar", needed: "{maxX, maxY}", expected: "record")
    }
    let edge = min(try frame.required(number: "maxX", in: 0...1e6), try frame.required(number: "maxY", in: 0...1e6))
    try frame.finish()
    return .number(edge)
  }

  private static func events(_ step: inout NeighborStep, _ isPresent: inout Bool) throws(HeaderError) -> [Value.Record]
  {
    switch step.name {
    case "setScrollView":
      isPresent = try step.fields.bool("present") ?? true
      return [
        Neighbors.call("reset"),
        Neighbors.event("setTrackingScrollView", [("scrollView", isPresent ? .text("content") : .null)]),
      ]
    case "reset":
      let isAnimated = try step.fields.bool("animated") ?? false
      return [Neighbors.call("reset", [("animated", .bool(isAnimated))])]
    case "orientationDidChange":
      let edge = try statusBar(&step.fields)
      return [
        Neighbors.event("layout", [("statusBarHeight", edge), ("safeAreaInset", ["top": edge])]),
        Neighbors.call("reset"),
      ]
    case "didBecomeActive": return [Neighbors.event("didBecomeActive")]
    case "pan": return try pan(&step, isPresent)
    default: throw step.fields.unexpected("event", needed: "an event of GTScrollNavigationBar", expected: "case")
    }
  }

  private static func pan(_ step: inout NeighborStep, _ isPresent: Bool) throws(HeaderError) -> [Value.Record] {
    let state = try step.fields.required(text: "state")
    let offset = Neighbors.vertical(
      try step.fields.required(number: "contentOffsetY", in: -FieldReader.bound...FieldReader.bound))
    let layout = Neighbors.event(
      "layout",
      [
        ("contentSize", step.fields.value("contentHeight").map { ["height": $0] }),
        ("viewport", step.fields.value("scrollHeight").map { ["height": $0] }),
        ("contentInset", step.fields.value("insetTop").map { ["top": $0] }),
      ])
    guard isPresent else { return [] }
    switch state {
    case "began": return [layout, Neighbors.event("willBeginDragging", [("offset", offset)])]
    case "ended", "cancelled":
      return [
        layout, Neighbors.event("didScroll", [("offset", offset)]),
        Neighbors.event("didEndDragging", [("willDecelerate", false)]),
      ]
    default: return [layout, Neighbors.event("didScroll", [("offset", offset)])]
    }
  }
}
