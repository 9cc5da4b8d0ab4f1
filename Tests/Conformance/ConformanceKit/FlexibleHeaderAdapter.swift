// SPDX-License-Identifier: MIT
//
// MDCFlexibleHeader's recordings in our words (Plugins/FlexibleHeader/README.md). The header is the drawer `header`;
// views that a run adds to it are elements that are hidden until then. The scroll view A is the first; the original's
// recorder counts as its window what `visible` says here.
//
//     didScrollToTop                          a didScroll: the recorder wrote the offset
//     didAppear, willBeginDecelerating, …     nothing: such steps show the state, only the clock moves
//     layout                                  one event, but VoiceOver, which the header hears of last, is another
//     call                                    a call of the header's, or the event that it stands for
//
// `internal` is not compared. Numbers inside callbacks ("shadowIntensity=0.25") are compared as numbers.

internal import HeaderModel

/// Reads recordings of MDCFlexibleHeader.
enum FlexibleHeaderAdapter {
  static let system = "MDCFlexibleHeader"
  static let delegate = "flexibleHeader"
  static let drawer = "header"

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    let description = try describe(recording)
    var steps: [AdaptedStep] = []
    for (index, value) in recording.steps.enumerated() {
      steps.append(try step(try FieldReader(value, at: Path("steps")[index]), of: value))
    }
    return AdaptedRecording(
      title: recording.title, plugins: ["FlexibleHeader"], description: description, steps: steps)
  }
}

// MARK: - The scene

extension FlexibleHeaderAdapter {
  private static func describe(_ recording: OriginalRecording) throws(HeaderError) -> HeaderDescription {
    var scene = FieldReader(recording.scene, at: Path("scene"))
    let controller = try scene.text("controller") ?? "viewController"
    let forwards = scene.value("scrollEventsForwarded")
    var names = ["A"]
    var views: [Value.Record.Field] = [.init(name: "A", value: .record(try scrollView(&scene, forwards)))]
    for (index, value) in (try scene.list("otherScrollViews") ?? []).enumerated() {
      var fields = try FieldReader(value, at: Path("scene.otherScrollViews")[index])
      let name = try fields.required(text: "name")
      views.append(.init(name: name, value: .record(try scrollView(&fields, forwards))))
      names.append(name)
      try fields.finish()
    }
    let description = Value.Record(fields: [
      .init(name: "header", value: "trace"),
      .init(name: "scrollViews", value: .record(Value.Record(fields: views))),
      .init(name: "trackingScrollView", value: scene.value("trackingScrollView") ?? .null),
      .init(name: "drawers", value: .list([try drawer(&scene, recording)])),
      .init(name: "environment", value: .record(environment(&scene, visible: controller == "viewController"))),
      .init(
        name: "hosting",
        value: .record(
          Adapting.record([
            ("controller", .text(controller)), ("headerHost", scene.value("headerHost")),
            ("contentControllerIsRoot", scene.value("contentControllerIsRoot")),
            ("headerFrame", scene.value("headerFrame")),
          ]))),
      .init(
        name: "delegates",
        value: [["behavior": "FlexibleHeader", "name": .text(delegate), "options": .record(recording.options)]]),
      .init(name: "frames", value: "manual"),
    ])
    // What it shows after the set-up, the first step shows too.
    _ = scene.value("initial")
    try scene.finish()
    return try Adapting.description(.record(description))
  }

  private static func scrollView(_ fields: inout FieldReader, _ forwards: Value?) throws(HeaderError) -> Value.Record {
    let refreshing = fields.value("refreshing")
    let refreshHeight = fields.value("refreshControlHeight")
    let control =
      refreshing == nil && refreshHeight == nil
      ? nil : Value.record(Adapting.record([("refreshing", refreshing), ("height", refreshHeight)]))
    return Adapting.record([
      ("viewport", fields.value("viewport")),
      ("contentSize", fields.value("contentSize")),
      ("contentInset", fields.value("contentInset")),
      ("scrollIndicatorInsets", ["top": 0]),
      ("offset", fields.value("offset")),
      ("kind", fields.value("scrollViewKind")),
      ("contentInsetAdjustment", fields.value("contentInsetAdjustment")),
      ("pagingEnabled", fields.value("pagingEnabled")),
      ("refreshControl", control),
      ("forwardsEvents", forwards),
      ("clamping", "inset"),
    ])
  }

  private static func environment(_ scene: inout FieldReader, visible: Bool) -> Value.Record {
    var fields: [(String, Value?)] = [("visible", .bool(visible))]
    for name in [
      "safeAreaInset", "deviceHasHardwareSafeArea", "statusBarHeight", "statusBarHidden", "statusBarFollowsHeader",
      "screenScale", "keyWindow", "voiceOverRunning", "appExtension", "clockSecondOfMinute",
    ] {
      fields.append((name, scene.value(name)))
    }
    return Adapting.record(fields)
  }

  /// The header with every view that the run adds to it, in their order.
  private static func drawer(_ scene: inout FieldReader, _ recording: OriginalRecording) throws(HeaderError) -> Value {
    let drawers = try scene.list("drawers") ?? []
    guard drawers.count == 1, case .record(let header) = drawers[0], header["name"] == .text(drawer) else {
      throw scene.unexpected("drawers", needed: "one drawer \"header\"", expected: "list")
    }
    var names: [Value] = []
    for case .record(let step) in recording.steps where step["name"] == "addSubview" {
      guard case .record(let arguments)? = step["arguments"], let name = arguments["view"], !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    return [
      "name": .text(drawer), "height": header["height"] ?? 0, "y": 0,
      "elements": .list(names.map { ["name": $0, "hidden": true] }),
    ]
  }
}

// MARK: - The steps

extension FlexibleHeaderAdapter {
  private static func step(_ reader: FieldReader, of value: Value) throws(HeaderError) -> AdaptedStep {
    let head = try Adapting.head(of: value, at: reader.path)
    var fields = reader
    var event = Adapting.plain(value, head.name)
    if case .record(let given) = value { event["offset"] = given["offset"] }
    let parts = try parts(head.name, event, &fields)
    return AdaptedStep(
      title: head.title, events: try Adapting.events(parts, head, at: reader.path), expect: withNumbers(head.expect),
      isOpening: false
    ) { show($0, $1, after: head.name) }
  }

  /// The events that stand for a step.
  private static func parts(_ name: String, _ event: Value.Record, _ fields: inout FieldReader) throws(HeaderError)
    -> [Value.Record]
  {
    var event = event
    switch name {
    case "didScroll", "didScrollToTop":
      event["event"] = "didScroll"
      return [event]
    case "willBeginDragging", "willEndDragging", "didEndDragging", "didEndDecelerating",
      "didChangeAdjustedContentInset":
      event["offset"] = nil
      return [event]
    case "advance": return [Adapting.record([("event", "advance"), ("frameDuration", event["frameDuration"])])]
    case "layout": return layout(event)
    case "setOptions":
      return [Adapting.record([("event", "setOptions"), ("options", event["options"]), ("delegate", .text(delegate))])]
    case "call": return [try call(event, &fields)]
    case "willBeginDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "willAppear", "didAppear",
      "willDisappear", "didDisappear", "didBecomeActive":
      return [Adapting.record([("event", "advance")])]
    default: throw fields.unexpected("event", needed: "a step of a flexible header's recording", expected: "case")
    }
  }

  /// What is given at once, and VoiceOver after it.
  private static func layout(_ event: Value.Record) -> [Value.Record] {
    var event = event
    var parts: [Value.Record] = []
    if event["refreshing"] != nil || event["refreshControlHeight"] != nil {
      event["refreshControl"] = .record(
        Adapting.record([("refreshing", event["refreshing"]), ("height", event["refreshControlHeight"])]))
      event["refreshing"] = nil
      event["refreshControlHeight"] = nil
    }
    if let voiceOver = event["voiceOverRunning"] {
      event["voiceOverRunning"] = nil
      parts.append(Adapting.record([("event", "layout"), ("voiceOverRunning", voiceOver)]))
    }
    parts.insert(event, at: 0)
    return parts
  }

  private static func call(_ event: Value.Record, _ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    let name = try fields.required(text: "name")
    let given = try fields.record(of: "arguments") ?? Value.Record()
    func call(_ name: String, _ arguments: Value.Record) -> Value.Record {
      Adapting.record([
        ("event", "call"), ("name", .text(name)), ("arguments", .record(arguments)), ("delegate", .text(delegate)),
      ])
    }
    switch name {
    case "viewWillTransitionToSize":
      return Adapting.record([("event", "willTransition"), ("size", .record(given))])
    case "transitionAnimateAlongside": return Adapting.record([("event", "transition")])
    case "transitionComplete": return Adapting.record([("event", "didTransition")])
    case "setTrackingScrollView":
      return Adapting.record([("event", "setTrackingScrollView"), ("scrollView", given["scrollView"] ?? .null)])
    case "trackingScrollWillChangeToScrollView":
      return Adapting.record([("event", "willChangeTrackingScrollView"), ("scrollView", given["scrollView"] ?? .null)])
    case "setContentOffset":
      return Adapting.record([
        ("event", "setContentOffset"), ("scrollView", event["scrollView"]), ("offset", .record(given)),
      ])
    case "addSubview":
      let view = Adapting.record([("name", given["view"]), ("frame", given["frame"]), ("hidden", false)])
      let drawer: Value = ["name": .text(drawer), "elements": [.record(view)]]
      return Adapting.record([("event", "layout"), ("drawers", [drawer])])
    case "animateWithAnimations":
      guard case .text(let property)? = given["property"], let value = given["value"] else {
        throw fields.unexpected("arguments", needed: "a property and its value", expected: "record")
      }
      return call(name, Adapting.record([("options", .record(Adapting.record([(property, value)])))]))
    case "headerSafeAreaInsetsDidChange": return call("topSafeAreaInsetDidChange", given)
    default: return call(name, given)
    }
  }

  /// What is expected, with the numbers inside callbacks as numbers.
  private static func withNumbers(_ expect: Value) -> Value {
    guard case .record(var fields) = expect, case .list(let callbacks)? = fields["callbacks"] else { return expect }
    fields["callbacks"] = .list(
      callbacks.map { callback in
        guard case .text(let text) = callback else { return callback }
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let number = Double(parts[1]) else { return callback }
        return ["name": .text(String(parts[0])), "value": .number(number)]
      })
    return .record(fields)
  }
}
