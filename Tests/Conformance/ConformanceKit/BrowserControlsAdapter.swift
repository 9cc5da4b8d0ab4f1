// SPDX-License-Identifier: MIT
//
// Chromium's browser controls in our words: two drawers, `top` and `bottom`, bound together (`follows = "ratio"`). The compositor's
// words map one by one:
//
//     scrollBegin, scrollBy, scrollEnd   willBeginDragging, willScroll, didEndDragging, each after the page's offset (a layout)
//     animate                            a frame; pinchBegin, updateState, setParams, setShownRatio: calls

import HeaderCore
internal import HeaderModel

/// Reads recordings of Chromium's browser controls.
enum BrowserControlsAdapter {
  static let system = "browser-controls"

  private static let leftOut = [
    LeftOut(name: "constraintUnsynced", reason: "the compositor's own bookkeeping between its two threads"),
    LeftOut(name: "commits", reason: "how often the compositor asked for a commit"),
    LeftOut(name: "redraws", reason: "how often the compositor asked for a redraw"),
  ]

  private static let sides = ["top", "bottom"]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    var drawers: [Value] = []
    for side in sides {
      drawers.append([
        "name": .text(side), "height": options.value("\(side)ControlsHeight") ?? 0,
        "minimumHeight": options.value("\(side)ControlsMinHeight") ?? 0,
        "maximumHeight": options.value("\(side)ControlsHeight") ?? 0,
      ])
    }
    let law = law(&options)
    try options.finish()
    let content: Value.Record = ["contentSize": ["width": 400, "height": 1_000_000]]
    let description = try Neighbors.description(
      preset: "chromium-browser-controls", options: law, drawers: drawers, content: content)
    return try Neighbors.adapt(
      recording, to: description, leftOut: leftOut,
      ratios: ["topShownRatio", "bottomShownRatio", "topRatioRange", "bottomRatioRange"]
    ) { step throws(HeaderError) in
      try events(&step)
    } show: { view in
      show(view)
    }
  }

  private static func law(_ options: inout FieldReader) -> Value.Record {
    let names = [
      ("showThreshold", "showThreshold"), ("hideThreshold", "hideThreshold"), ("smoothScroll", "smoothsScroll"),
      ("snapAnimation", "playsWhole"), ("heightChangeCancelsAnimations", "heightChangeCancels"),
      ("frameInterval", "frameInterval"), ("onlyExpandTopControlsAtPageTop", "showsAtTopOnly"),
    ]
    var fields = names.map { ($0.1, options.value($0.0)) }
    fields.append(("cutsToRange", options.value("ratioClamp").map { .bool($0 == "managerRange") }))
    return Adapting.record(fields)
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    let offset = Neighbors.vertical(try step.fields.required(number: "viewportOffset", in: -1e9...1e9))
    return [Neighbors.event("layout", [("offset", offset)])] + (try own(&step))
  }

  private static func own(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "scrollBegin": return [Neighbors.event("willBeginDragging")]
    case "scrollBy":
      return [Neighbors.event("willScroll", [("delta", step.fields.value("delta")), ("source", "drag")])]
    case "scrollEnd": return [Neighbors.event("didEndDragging", [("willDecelerate", false)])]
    case "pinchBegin", "pinchEnd": return [Neighbors.call("pinch", [("begins", .bool(step.name == "pinchBegin"))])]
    case "animate": return [Neighbors.event("advance", [("frameDuration", 0.016)])]
    case "updateState":
      return [Neighbors.call("hold", ["constraints", "current", "animate"].map { ($0, step.fields.value($0)) })]
    case "constraintSynced": return []
    case "setParams": return try setParams(&step)
    case "setShownRatio":
      return [
        Neighbors.call("setRatios", [("top", step.fields.value("top")), ("bottom", step.fields.value("bottom"))])
      ]
    case "setOptions":
      var options = FieldReader(
        try step.fields.record(of: "options") ?? Value.Record(), at: step.fields.path + "options")
      let law = law(&options)
      try options.finish()
      return [Neighbors.event("setOptions", [("options", .record(law))])]
    case "predictViewportBoundsDelta":
      return [
        Neighbors.call(
          "predict", [("current", step.fields.value("current")), ("distance", step.fields.value("distance"))])
      ]
    default: throw step.fields.unexpected("event", needed: "an event of the browser controls", expected: "case")
    }
  }

  private static func setParams(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    var law = Value.Record()
    law["animatesHeights"] = step.fields.value("animate")
    law["showsAtTopOnly"] = step.fields.value("onlyExpandTopControlsAtPageTop")
    var drawers: [Value] = []
    for side in sides {
      drawers.append([
        "name": .text(side), "minimumHeight": step.fields.value("\(side)ControlsMinHeight") ?? 0,
        "maximumHeight": step.fields.value("\(side)ControlsHeight") ?? 0,
      ])
    }
    return [
      Neighbors.event("setOptions", [("options", .record(law))]),
      Neighbors.event("layout", [("drawers", .list(drawers))]),
    ]
  }

  // MARK: Shown

  private static func show(_ view: NeighborView) -> Value {
    var result = Value.Record()
    for name in ["topShownRatio", "bottomShownRatio", "contentTopOffset", "contentBottomOffset"] {
      result[name] = view.fact(name)
    }
    result["controlsTopOffset"] = .number(view.drawer.frame.origin.y)
    for side in sides {
      result["\(side)MinHeightOffset"] = view.fact("\(side)MinimumShown")
      result["\(side)RatioRange"] = .list([view.fact("\(side)Lowest"), view.fact("\(side)Highest")])
    }
    result["hasAnimation"] = view.fact("isAnimating")
    result["animatingToShow"] = view.fact("isShowing")
    result["constraint"] = view.fact("held")
    result["returned"] = returned(view)
    if view.step == "predictViewportBoundsDelta" { result["predicted"] = view.outcome.answers.last?.result ?? .null }
    return .record(result)
  }

  /// What is left of a scroll for the page, and by what the header scrolled it beside that.
  private static func returned(_ view: NeighborView) -> Value {
    guard case .number(let before)? = view.inputs["viewportOffset"] else { return .null }
    let carried = view.header.scrollViews[0].contentOffset.y - before
    let left = view.outcome.answers.last?.residual ?? Point()
    switch view.step {
    case "scrollBy": return ["x": .number(left.x), "y": .number(left.y + carried)]
    case "animate": return ["x": 0, "y": .number(carried)]
    default: return .null
    }
  }
}
