// SPDX-License-Identifier: MIT
//
// BLKFlexibleHeightBar's recordings in our words (Plugins/FlexibleHeightBar/README.md).
//
//     bar                   the drawer `bar`, and the behavior FlexibleHeightBar
//     a definer             options of that behavior; the library's has none without one, ours says `none`
//     subviews              elements of the drawer; their layouts and keys are the option `elements`
//     delegate splitter     the order of the header's delegates
//     setBehaviorDefiner    the definer's options, all of them: a new definer has no settings of the old one
//     an assertion          a call that is refused
//
// A layout step is one event: what it changes is laid out once. Only where it brings both an inset and a content size
// are there two, because the library is given the inset first and our events take sizes before insets.

internal import HeaderCore
internal import HeaderModel

/// Reads recordings of BLKFlexibleHeightBar.
enum FlexibleHeightBarAdapter {
  static let system = "BLKFlexibleHeightBar"
  private static let definer = "flexibleHeightBar"
  private static let original = "originalDelegate"
  private static let kinds = [("SquareCash", "squareCash"), ("Facebook", "facebook"), ("Base", "base")]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    // The library's bar may stand anywhere; our drawers have no left edge of their own.
    var left = 0.0
    let description = try describe(recording, &left)
    var steps: [AdaptedStep] = []
    for (index, value) in recording.steps.enumerated() {
      steps.append(try step(value, at: Path("steps")[index], left: left))
    }
    return AdaptedRecording(
      title: recording.title, plugins: description.delegates.map(\.behavior), description: description, steps: steps)
  }
}

// MARK: - The scene

extension FlexibleHeightBarAdapter {
  private static func describe(_ recording: OriginalRecording, _ left: inout Double) throws(HeaderError)
    -> HeaderDescription
  {
    var scene = FieldReader(given(recording.scene), at: Path("scene"))
    var options = Value.Record()
    let frame = try bar(&scene, &options)
    left = frame.origin.x
    if let definer = try scene.record(of: "definer") {
      let settings = try settings(definer, at: Path("scene.definer"))
      for field in settings.fields { options[field.name] = field.value }
    }
    let elements = try subviews(&scene, &options)
    let content = Adapting.record([
      ("viewport", scene.value("viewport")), ("contentSize", scene.value("contentSize")),
      ("contentInset", scene.value("contentInset")), ("scrollIndicatorInsets", scene.value("scrollIndicatorInsets")),
      ("offset", scene.value("offset")), ("clamping", "all"),
    ])
    let environment = Adapting.record([
      ("safeAreaInset", scene.value("safeAreaInset")), ("statusBarHeight", scene.value("statusBarHeight")),
    ])
    let delegates = try delegates(&scene, options)
    try scene.finish()
    return try Adapting.description([
      "header": "trace",
      "scrollViews": ["content": .record(content)],
      "drawers": [
        [
          "name": "bar", "y": .number(frame.origin.y), "width": .number(frame.size.width),
          "height": .number(frame.size.height), "elements": .list(elements),
        ]
      ],
      "environment": .record(environment),
      "delegates": .list(delegates),
      "frames": "manual",
    ])
  }

  /// A record without the fields that are null, which the library's recordings give for what is not there.
  private static func given(_ record: Value.Record) -> Value.Record {
    Value.Record(fields: record.fields.filter { $0.value != .null })
  }

  private static func bar(_ scene: inout FieldReader, _ options: inout Value.Record) throws(HeaderError) -> Rect {
    guard var bar = try scene.reader("bar") else {
      throw scene.unexpected("bar", needed: "{init, frame}", expected: "record")
    }
    let frame = try bar.shape("frame", from: Rect()) ?? Rect()
    let ways = [("frame", "frame"), ("plain", "plain"), ("nib", "nib")]
    options["initialization"] = .text(try bar.choice("init", ways) ?? "frame")
    options["maximumBarHeight"] = bar.value("maximumBarHeight")
    options["minimumBarHeight"] = bar.value("minimumBarHeight")
    try bar.finish()
    return frame
  }

  /// A definer's options, and its snapping positions as records.
  private static func settings(_ record: Value.Record, at path: Path) throws(HeaderError) -> Value.Record {
    var fields = FieldReader(given(record), at: path)
    var settings = Value.Record()
    settings["definer"] = .text(try fields.choice("type", kinds) ?? "none")
    for field in try fields.record(of: "options")?.fields ?? [] { settings[field.name] = field.value }
    var positions: [Value] = []
    for (index, position) in (try fields.list("snapping") ?? []).enumerated() {
      guard case .list(let numbers) = position, numbers.count == 3 else {
        throw .unexpected(
          position, at: (fields.path + "snapping")[index], needed: "[progress, start, end]", expected: "list")
      }
      positions.append(["progress": numbers[0], "start": numbers[1], "end": numbers[2]])
    }
    settings["snapping"] = .list(positions)
    try fields.finish()
    return settings
  }

  /// The elements, and the option that says how they look.
  private static func subviews(_ scene: inout FieldReader, _ options: inout Value.Record) throws(HeaderError) -> [Value]
  {
    var elements: [Value] = []
    var looks: [Value] = []
    for (index, subview) in (try scene.list("subviews") ?? []).enumerated() {
      var fields = try FieldReader(subview, at: Path("scene.subviews")[index])
      let name = try fields.required(text: "name")
      elements.append(.record(Adapting.record([("name", .text(name)), ("frame", fields.value("frame"))])))
      var layouts: [Value] = []
      for (place, layout) in (try fields.list("layouts") ?? []).enumerated() {
        var bundle = try FieldReader(layout, at: (fields.path + "layouts")[place])
        layouts.append([
          "name": .text(try bundle.required(text: "id")), "copyOf": bundle.value("copyOf") ?? .null,
          "set": try attributes(&bundle),
        ])
        try bundle.finish()
      }
      looks.append(["element": .text(name), "layouts": .list(layouts), "keys": fields.value("keys") ?? []])
      try fields.finish()
    }
    if !looks.isEmpty { options["elements"] = .list(looks) }
    return elements
  }

  /// `set`, a list of pairs, as records of one field each.
  private static func attributes(_ fields: inout FieldReader) throws(HeaderError) -> Value {
    var records: [Value] = []
    for (index, pair) in (try fields.list("set") ?? []).enumerated() {
      guard case .list(let parts) = pair, parts.count == 2, case .text(let name) = parts[0] else {
        throw .unexpected(pair, at: (fields.path + "set")[index], needed: "[property, value]", expected: "list")
      }
      records.append(.record(Value.Record(fields: [.init(name: name, value: parts[1])])))
    }
    return .list(records)
  }

  /// The scroll view's delegate is one of the two, or the splitter with both.
  private static func delegates(_ scene: inout FieldReader, _ options: Value.Record) throws(HeaderError) -> [Value] {
    let orders = [
      ("definer", "definer"), ("original", "original"), ("splitterDefinerFirst", "definer original"),
      ("splitterOriginalFirst", "original definer"),
    ]
    let order = try scene.choice("delegate", orders) ?? "definer"
    var options = options
    options["isScrollViewDelegate"] = .bool(order != "original")
    let bar: Value = ["behavior": "FlexibleHeightBar", "name": .text(definer), "options": .record(options)]
    guard var fields = try scene.reader("originalDelegate") else { return [bar] }
    let other = try Adapting.originalDelegate(&fields, named: original)
    switch order {
    case "definer": return [bar]
    case "original definer": return [other, bar]
    default: return [bar, other]
    }
  }
}

// MARK: - The steps

extension FlexibleHeightBarAdapter {
  private static func step(_ value: Value, at path: Path, left: Double) throws(HeaderError) -> AdaptedStep {
    let head = try Adapting.head(of: value, at: path)
    var records = [Adapting.plain(value, head.name)]
    switch head.name {
    case "layout": records = try layout(records[0], at: path)
    case "setOptions": records[0]["delegate"] = .text(definer)
    case "call": records = [try call(records[0], at: path)]
    default: break
    }
    return AdaptedStep(
      title: head.title, events: try Adapting.events(records, head, at: path), expect: head.expect, isOpening: false,
      mayBeRefused: head.name == "call"
    ) { show($0, $1, after: head.name, left: left) }
  }

  /// The bar gets the viewport's width.
  private static func layout(_ record: Value.Record, at path: Path) throws(HeaderError) -> [Value.Record] {
    var event = record
    if case .record(let viewport)? = event["viewport"], let width = viewport["width"] {
      event["drawers"] = [.record(Adapting.record([("name", "bar"), ("width", width)]))]
    }
    guard event["contentInset"] != nil, let size = event["contentSize"] else { return [event] }
    event["contentSize"] = nil
    return [event, Adapting.record([("event", "layout"), ("contentSize", size)])]
  }

  private static func call(_ record: Value.Record, at path: Path) throws(HeaderError) -> Value.Record {
    var fields = FieldReader(record, at: path)
    let name = try fields.required(text: "name")
    let arguments = try fields.record(of: "arguments") ?? Value.Record()
    if name == "setBehaviorDefiner" {
      // A new definer has the library's defaults where nothing is given.
      var options = Adapting.record([
        ("currentlySnapping", false), ("elasticMaximumHeightAtTop", false), ("snappingEnabled", true),
        ("thresholdFromTop", 0), ("thresholdNegativeDirection", 0), ("thresholdPositiveDirection", 0),
      ])
      for field in try settings(arguments, at: path + "arguments").fields { options[field.name] = field.value }
      return Adapting.record([
        ("event", "setOptions"), ("options", .record(options)), ("delegate", .text(definer)),
      ])
    }
    var ours = Value.Record()
    for field in arguments.fields { ours[field.name == "subview" ? "element" : field.name] = field.value }
    if name == "setLayoutAttribute" {
      var set = FieldReader(arguments, at: path + "arguments")
      ours["set"] = try attributes(&set)
    }
    return Adapting.record([
      ("name", .text(name)), ("arguments", .record(ours)), ("delegate", .text(definer)),
    ])
  }
}

// MARK: - What the header shows

extension FlexibleHeightBarAdapter {
  private static func show(_ header: Header, _ outcome: StepOutcome, after event: String, left: Double) -> Value {
    let content = header.scrollViews[0]
    let answer = outcome.answers.last
    var frame = header.drawers[0].frame
    frame.origin.x += left
    func value(_ name: String) -> Value { header.value(named: name)?.value ?? .null }
    return [
      "progress": value("progress"),
      "barFrame": frame.value,
      "maximumBarHeight": value("maximumBarHeight"),
      "minimumBarHeight": value("minimumBarHeight"),
      "currentlySnapping": value("currentlySnapping"),
      "contentOffset": content.contentOffset.value,
      "contentInset": content.contentInset.value,
      "scrollIndicatorInsets": content.scrollIndicatorInsets.value,
      "subviews": .list(
        header.elements.indices.map { show(header.elements[$0], named: header.state.names.elements[$0]) }),
      "calls": .list(outcome.calls.compactMap { show($0, in: header) }),
      "animation": outcome.animations.first.map(Adapting.show) ?? .null,
      "targetOffset": event == "willEndDragging" ? answer?.targetOffset?.value ?? .null : .null,
      "returned": returned(answer, after: event),
      "error": outcome.refusal == nil ? .null : "NSInternalInconsistencyException",
    ]
  }

  private static func returned(_ answer: EventAnswer?, after event: String) -> Value {
    switch event {
    case "shouldScrollToTop": answer?.returned.map { .bool($0) } ?? .null
    case "call": answer?.result ?? .null
    default: .null
    }
  }

  private static func show(_ element: Element, named name: String) -> Value {
    [
      "name": .text(name),
      "center": element.center.value,
      "bounds": element.bounds.value,
      "frame": element.frame?.value ?? .null,
      "transform": element.transform == .identity
        ? "identity" : .list(element.transform.numbers.map { .number($0) }),
      "alpha": .number(Double(element.alpha)),
      "zIndex": .number(element.zIndex),
      "hidden": .bool(element.isHidden),
    ]
  }

  /// A delegate that was told a scroll delegate's method; nil for events that are none.
  private static func show(_ call: HeaderState.Call, in header: Header) -> Value? {
    guard let selector = Adapting.selectors.first(where: { $0.kind == call.kind })?.selector else { return nil }
    let name = header.state.names.delegates[Int(call.delegate)]
    return .text("\(name == original ? "original" : "definer").\(selector)")
  }
}
