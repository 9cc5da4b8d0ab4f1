// SPDX-License-Identifier: MIT
//
// MDCFlexibleHeader's recordings in our words (spec/flexible-header.md). The header is the drawer `header`; views that a
// run adds to it are elements that are hidden until then. The scroll view A is the first; the original's recorder counts
// as its window what `visible` says here.
//
//     didScrollToTop                          a didScroll: the recorder wrote the offset
//     didAppear, willBeginDecelerating, …     nothing: such steps show the state, only the clock moves
//     layout                                  one event, but VoiceOver, which the header hears of last, is another
//     call                                    a call of the header's, or the event that it stands for
//
// `internal` is not compared. Numbers inside callbacks ("shadowIntensity=0.25") are compared as numbers.

import HeaderCore

/// Reads recordings of MDCFlexibleHeader.
enum FlexibleHeaderAdapter {
  static let system = "MDCFlexibleHeader"
  static let delegate = "flexibleHeader"
  static let drawer = "header"

  static func adapt(_ recording: Recording) throws(HeaderError) -> AdaptedRecording {
    let description = try describe(recording)
    var steps: [AdaptedStep] = []
    for (index, value) in recording.steps.enumerated() {
      steps.append(try step(try FieldReader(value, at: Path("steps")[index]), of: value))
    }
    return AdaptedRecording(
      title: recording.title, plugins: ["FlexibleHeader"], description: description, steps: steps)
  }

  /// A record of the fields that have a value.
  static func record(_ fields: [(String, Value?)]) -> Value.Record {
    Value.Record(
      fields: fields.compactMap { field in field.1.map { Value.Record.Field(name: field.0, value: $0) } })
  }
}

// MARK: - The scene

extension FlexibleHeaderAdapter {
  private static func describe(_ recording: Recording) throws(HeaderError) -> HeaderDescription {
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
          record([
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
    var unknown: [UnknownField] = []
    let result = try HeaderDescription(.record(description), at: Path("description"), unknown: &unknown)
    try FieldReader.refuse(unknown)
    return result
  }

  private static func scrollView(_ fields: inout FieldReader, _ forwards: Value?) throws(HeaderError) -> Value.Record {
    let refreshing = fields.value("refreshing")
    let refreshHeight = fields.value("refreshControlHeight")
    let control =
      refreshing == nil && refreshHeight == nil
      ? nil : Value.record(record([("refreshing", refreshing), ("height", refreshHeight)]))
    return record([
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
    return record(fields)
  }

  /// The header with every view that the run adds to it, in their order.
  private static func drawer(_ scene: inout FieldReader, _ recording: Recording) throws(HeaderError) -> Value {
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
    var fields = reader
    let name = try fields.required(text: "event")
    let time = try fields.required(number: "time", of: "seconds")
    guard let expect = fields.value("expect"), case .record(var event) = value else {
      throw fields.unexpected("expect", needed: "an object", expected: "record")
    }
    event["expect"] = nil
    var events: [TimedEvent] = []
    for part in try parts(name, event, &fields) {
      events.append(try timedEvent(part, time, at: reader.path))
    }
    return AdaptedStep(
      title: "\(name) at \(time) s", events: events, expect: withNumbers(expect), isOpening: false
    ) { show($0, $1, after: name) }
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
    case "willBeginDragging", "willEndDragging", "didEndDragging", "didEndDecelerating", "didChangeAdjustedContentInset":
      event["offset"] = nil
      return [event]
    case "advance": return [record([("event", "advance"), ("frameDuration", event["frameDuration"])])]
    case "layout": return layout(event)
    case "setOptions":
      return [record([("event", "setOptions"), ("options", event["options"]), ("delegate", .text(delegate))])]
    case "call": return [try call(event, &fields)]
    case "willBeginDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "willAppear", "didAppear",
      "willDisappear", "didDisappear", "didBecomeActive":
      return [record([("event", "advance")])]
    default: throw fields.unexpected("event", needed: "a step of a flexible header's recording", expected: "case")
    }
  }

  /// What is given at once, and VoiceOver after it.
  private static func layout(_ event: Value.Record) -> [Value.Record] {
    var event = event
    var parts: [Value.Record] = []
    if event["refreshing"] != nil || event["refreshControlHeight"] != nil {
      event["refreshControl"] = .record(
        record([("refreshing", event["refreshing"]), ("height", event["refreshControlHeight"])]))
      event["refreshing"] = nil
      event["refreshControlHeight"] = nil
    }
    if let voiceOver = event["voiceOverRunning"] {
      event["voiceOverRunning"] = nil
      parts.append(record([("event", "layout"), ("voiceOverRunning", voiceOver)]))
    }
    parts.insert(event, at: 0)
    return parts
  }

  private static func call(_ event: Value.Record, _ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    let name = try fields.required(text: "name")
    let given = try fields.record(of: "arguments") ?? Value.Record()
    func call(_ name: String, _ arguments: Value.Record) -> Value.Record {
      record([
        ("event", "call"), ("name", .text(name)), ("arguments", .record(arguments)), ("delegate", .text(delegate)),
      ])
    }
    switch name {
    case "viewWillTransitionToSize":
      return record([("event", "willTransition"), ("size", .record(given))])
    case "transitionAnimateAlongside": return record([("event", "transition")])
    case "transitionComplete": return record([("event", "didTransition")])
    case "setTrackingScrollView":
      return record([("event", "setTrackingScrollView"), ("scrollView", given["scrollView"] ?? .null)])
    case "trackingScrollWillChangeToScrollView":
      return record([("event", "willChangeTrackingScrollView"), ("scrollView", given["scrollView"] ?? .null)])
    case "setContentOffset":
      return record([("event", "setContentOffset"), ("scrollView", event["scrollView"]), ("offset", .record(given))])
    case "addSubview":
      let view = record([("name", given["view"]), ("frame", given["frame"]), ("hidden", false)])
      let drawer: Value = ["name": .text(drawer), "elements": [.record(view)]]
      return record([("event", "layout"), ("drawers", [drawer])])
    case "animateWithAnimations":
      guard case .text(let property)? = given["property"], let value = given["value"] else {
        throw fields.unexpected("arguments", needed: "a property and its value", expected: "record")
      }
      return call(name, record([("options", .record(record([(property, value)])))]))
    case "headerSafeAreaInsetsDidChange": return call("topSafeAreaInsetDidChange", given)
    default: return call(name, given)
    }
  }

  /// An event of the header's. The wire refuses negative sizes, which the original's scroll views take; they are put in
  /// after reading.
  private static func timedEvent(_ part: Value.Record, _ time: Double, at path: Path) throws(HeaderError) -> TimedEvent {
    var part = part
    part["time"] = .number(time)
    var negative: PartialSize?
    if case .record(let size)? = part["contentSize"] {
      let width = number(size["width"])
      let height = number(size["height"])
      if width ?? 0 < 0 || height ?? 0 < 0 {
        negative = PartialSize(width: width, height: height)
        part["contentSize"] = .record(Value.Record())
      }
    }
    var unknown: [UnknownField] = []
    var event = try TimedEvent(.record(part), at: path, unknown: &unknown)
    try FieldReader.refuse(unknown)
    if let negative, case .layout(var change) = event.event.kind {
      change.contentSize = negative
      event.event.kind = .layout(change)
    }
    return event
  }

  private static func number(_ value: Value?) -> Double? { if case .number(let number)? = value { number } else { nil } }

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
