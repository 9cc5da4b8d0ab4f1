// SPDX-License-Identifier: MIT
//
// AMScrollingNavbar in our words: one drawer below the status bar. A pan's translation, which counts from where the pan began, is
// offered as what it grew by; where the scroll view is then comes as a layout before it. The end, the failure and the cancellation
// of a pan end the drag.
//
//     extendedUnderBar    content under the header, else in a view below it (`content`)
//     hideNavbar …        the calls hide and show; a show of a collapsed bar begins the pan's translation anew

internal import HeaderCore
internal import HeaderModel

/// Reads recordings of AMScrollingNavbar.
enum ScrollingNavbarAdapter {
  static let system = "am-scrolling-navbar"

  private static let leftOut = [
    LeftOut(name: "interactionEnabled", reason: "whether the application's views take touches"),
    LeftOut(name: "gestureEnabled", reason: "the state of UIKit's gesture recognizer"),
    LeftOut(
      name: "topViewFrame",
      reason: "the application's view, which the original sizes itself; ours hangs on the header's edge"),
    LeftOut(name: "followers", reason: "drawers of other headers, which follow by `follow`"),
  ]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    let edge = try options.required(number: "statusBarHeight", in: 0...1e6)
    let height = try options.required(number: "barHeight", in: 0...1e6)
    let isUnder = try options.bool("extendedUnderBar") ?? false
    let content = try content(&options, isUnder: isUnder, below: edge + height)
    let law = try law(&options, isUnder: isUnder)
    try options.finish()
    let drawer: Value = ["name": "bar", "height": .number(height), "y": .number(edge)]
    let description = try Neighbors.description(
      preset: "am-scrolling-navbar", options: law, drawers: [drawer], content: content,
      environment: ["statusBarHeight": .number(edge), "safeAreaInset": ["top": .number(edge)]])
    var translation = 0.0
    // Animations are over in `advance` alone, whatever the time, so our clock goes on there alone, by more than any takes.
    var time = 0.0
    return try Neighbors.adapt(recording, to: description, leftOut: leftOut, ratios: ["percentage", "alpha"]) {
      step throws(HeaderError) in
      if step.name == "advance" { time += 3600 }
      step.time = time
      return try events(&step, &translation, expands: law["onActive"] == "expands")
    } show: { view in
      show(view)
    }
  }

  private static func content(
    _ options: inout FieldReader, isUnder: Bool, below edge: Double
  ) throws(HeaderError) -> Value.Record {
    let view = try options.required(number: "viewHeight", in: 0...1e6)
    let scroll = try options.number("scrollHeight") ?? view
    let bar = try options.number("tabBarOffset") ?? 0
    let top = options.value("contentInsetTop") ?? 0
    return Adapting.record([
      ("viewport", ["width": 375, "height": .number(isUnder ? scroll : view - edge - bar)]),
      ("contentSize", ["width": 375, "height": options.value("contentHeight") ?? 0]),
      ("contentInset", ["top": top, "bottom": options.value("contentInsetBottom") ?? 0]),
      ("scrollIndicatorInsets", ["top": top]),
      ("offset", ["x": 0, "y": options.value("contentOffsetY") ?? 0]), ("clamping", "none"),
    ])
  }

  private static func law(_ options: inout FieldReader, isUnder: Bool) throws(HeaderError) -> Value.Record {
    let divisor = try options.number("scrollSpeedFactor") ?? 1
    let fits = try options.bool("scrollWhenContentFits") ?? false
    let updates = try options.bool("shouldUpdateContentInset") ?? false
    let margin = try options.number("additionalScrollToTopOffset") ?? 0
    let followers = try heightOfFollowers(&options)
    let further = try options.number("additionalOffset", in: 0...1e6) ?? 0
    let expands = try options.bool("expandOnActive") ?? true
    return Adapting.record([
      ("content", isUnder ? "under" : "below"), ("holdsContent", .bool(!isUnder)),
      ("insets", updates ? "along" : "application"), ("delay", options.value("delay")),
      ("movementFactor", .number(1 / divisor)), ("shortContent", fits ? "moves" : "holds"),
      ("onActive", expands ? "expands" : "stays"), ("topMargin", .number(margin)), ("between", .number(followers)),
      ("drawers", further == 0 ? nil : [.record(drawerLaw(beyond: further))]),
    ])
  }

  /// The law of the preset's drawer, which goes further.
  private static func drawerLaw(beyond further: Double) -> Value.Record {
    [
      "shift": true, "beyond": .number(further), "fade": true,
      "rest": [
        "by": "nearest", "drawnBy": "renderer", "always": true, "duration": 0.4, "scaled": true,
      ],
    ]
  }

  /// What lies between the bar and the content: the application's own views that go up with the bar.
  private static func heightOfFollowers(_ options: inout FieldReader) throws(HeaderError) -> Double {
    var sum = 0.0
    for (index, value) in (try options.list("followers") ?? []).enumerated() {
      var follower = try FieldReader(value, at: Path("options.followers")[index])
      if try follower.text("direction") == "scrollUp" { sum += try follower.number("height") ?? 0 }
    }
    return sum
  }

  // MARK: Steps

  private static func events(
    _ step: inout NeighborStep, _ translation: inout Double, expands: Bool
  ) throws(HeaderError) -> [Value.Record] {
    var records: [Value.Record] = []
    if let offset = try step.fields.number("contentOffsetY") {
      records.append(Neighbors.event("layout", [("offset", Neighbors.vertical(offset))]))
    }
    switch step.name {
    case "pan": return records + (try pan(&step, &translation))
    case "hideNavbar", "showNavbar":
      if step.name == "showNavbar", step.shown["state"] == "collapsed" { translation = 0 }
      let arguments = ["animated", "duration", "scrollToTop"].map { ($0, step.fields.value($0)) }
      return records + [Neighbors.call(step.name == "showNavbar" ? "show" : "hide", arguments)]
    case "willResignActive": return records
    case "didBecomeActive":
      if expands, step.shown["state"] == "collapsed" { translation = 0 }
      return records + [Neighbors.event("didBecomeActive")]
    case "advance": return records + [Neighbors.event("advance")]
    default: throw step.fields.unexpected("event", needed: "an event of AMScrollingNavbar", expected: "case")
    }
  }

  private static func pan(_ step: inout NeighborStep, _ translation: inout Double) throws(HeaderError) -> [Value.Record]
  {
    let state = try step.fields.required(text: "state")
    let now = try step.fields.required(number: "translationY", in: -1e6...1e6)
    var records = state == "began" ? [Neighbors.event("willBeginDragging")] : []
    if state != "failed" {
      records.append(
        Neighbors.event("willScroll", [("delta", Neighbors.vertical(translation - now)), ("source", "drag")]))
      translation = now
    }
    if ["ended", "cancelled", "failed"].contains(state) {
      translation = 0
      records.append(Neighbors.event("didEndDragging", [("willDecelerate", false)]))
    }
    return records
  }

  // MARK: Shown

  private static let states = ["expanded": "expanded", "between": "scrolling", "collapsed": "collapsed"]

  private static func show(_ view: NeighborView) -> Value {
    let content = view.header.scrollViews[0]
    let command = view.outcome.commands.first { $0.name == "scrollTo" }
    return [
      "barY": .number(view.drawer.frame.origin.y),
      "state": state(view.fact("phase")),
      "percentage": view.fact("progress"),
      "alpha": .number(Double(view.drawer.alpha)),
      "contentOffsetY": .number(content.contentOffset.y),
      "contentInsetTop": .number(content.contentInset.top),
      "indicatorInsetTop": .number(content.scrollIndicatorInsets.top),
      "callbacks": .list(view.outcome.notices.compactMap { callback($0, view.header) }),
      "animation": view.outcome.animations.last.map { ["duration": .number($0.duration)] } ?? .null,
      "scrollToTop": command?.arguments["y"] ?? .null,
    ]
  }

  private static func state(_ phase: Value?) -> Value {
    guard case .text(let phase)? = phase, let state = states[phase] else { return .null }
    return .text(state)
  }

  private static let callbacks = [
    "willChangePhase": "willChangeState", "didChangePhase": "didChangeState", "didChangeInset": "didUpdateOffset",
  ]

  private static func callback(_ notice: HeaderState.Notice, _ header: Header) -> Value? {
    guard let name = callbacks[notice.word(in: header.state.names)] else { return nil }
    return .record(
      Adapting.record([
        ("name", .text(name)), ("offset", notice.arguments?["top"]), ("state", state(notice.arguments?["phase"])),
      ]))
  }
}
