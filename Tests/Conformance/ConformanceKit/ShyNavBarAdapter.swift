// SPDX-License-Identifier: MIT
//
// TLYShyNavBar's recordings in our words (Plugins/ShyNavBar/README.md). The bar is the drawer `navBar`, the container
// of the extension view the drawer `extension`; both are always there, as in the original. The manager is the behavior
// ShyNavBar; a delegate that the scroll view had before is the test plugin OriginalDelegate behind it.
//
//     attach              the opening of the header
//     didScroll           the event with its offset; every other event leaves the offset alone
//     layout              an event for each thing that the original was told separately, at the same time, in its order
//     setOptions          an event an option, by name
//     setExtensionView    the call, with the view's size
//
// What is split and what is not: new window and view frames, and the bar put back into its place, are set by UIKit
// before the manager hears of anything, so they are one event.

internal import HeaderCore
internal import HeaderModel

/// Reads recordings of TLYShyNavBar.
enum ShyNavBarAdapter {
  static let system = "TLYShyNavBar"
  private static let manager = "shyNavBar"
  private static let original = "originalDelegate"

  /// What the adapter must remember from step to step.
  private struct Stage {
    /// Where a new viewport puts the bar back to.
    var barY: Double
    var viewport: Size
    var barSubviews: Int
    var showsExtensionView: Bool
  }

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var stage = Stage(barY: 20, viewport: Size(), barSubviews: 0, showsExtensionView: false)
    let description = try describe(recording, &stage)
    var steps: [AdaptedStep] = []
    for (index, value) in recording.steps.enumerated() {
      let fields = try FieldReader(value, at: Path("steps")[index])
      steps.append(try step(fields, of: value, isFirst: index == 0, &stage))
    }
    let plugins = description.delegates.map(\.behavior)
    return AdaptedRecording(title: recording.title, plugins: plugins, description: description, steps: steps)
  }
}

// MARK: - The scene

extension ShyNavBarAdapter {
  private static func describe(_ recording: OriginalRecording, _ stage: inout Stage) throws(HeaderError)
    -> HeaderDescription
  {
    var scene = FieldReader(recording.scene, at: Path("scene"))
    let statusBarHidden = try scene.bool("statusBarHidden") ?? false
    stage.barY = try scene.number("navBarY") ?? (statusBarHidden ? 0 : 20)
    let content = try scrollView(&scene, &stage)
    let drawers = try drawers(&scene, &stage)
    let environment: Value.Record = Adapting.record([
      ("safeAreaInset", scene.value("safeAreaInset")),
      ("statusBarHeight", scene.value("statusBarHeight") ?? 20),
      ("statusBarHidden", .bool(statusBarHidden)),
      ("viewOrigin", ["x": 0, "y": scene.value("navigationViewY") ?? 0]),
      ("presented", scene.value("presented")),
    ])
    var delegates: [Value] = [["behavior": "ShyNavBar", "name": .text(manager), "options": .record(recording.options)]]
    if var fields = try scene.reader("originalDelegate") {
      delegates.append(try Adapting.originalDelegate(&fields, named: original))
    }
    try scene.finish()
    let description: Value = [
      "header": "trace",
      "scrollViews": ["content": .record(content)],
      "trackingScrollView": "content",
      "drawers": .list(drawers),
      "environment": .record(environment),
      "delegates": .list(delegates),
      "frames": "manual",
    ]
    var unknown: [UnknownField] = []
    var result = try HeaderDescription(description, at: Path("description"), unknown: &unknown)
    try FieldReader.refuse(unknown)
    result.accessibility = .original
    return result
  }

  private static func scrollView(_ scene: inout FieldReader, _ stage: inout Stage) throws(HeaderError) -> Value.Record {
    guard let viewport = try scene.shape("viewport", from: Size()) else {
      throw scene.unexpected("viewport", needed: "a size", expected: "size")
    }
    stage.viewport = viewport
    let kinds = [("UIScrollView", "scroll"), ("UITableView", "table"), ("UICollectionView", "collection")]
    return Adapting.record([
      ("viewport", viewport.value),
      ("contentSize", scene.value("contentSize")),
      ("contentInset", scene.value("contentInset")),
      ("offset", scene.value("offset")),
      ("kind", .text(try scene.choice("scrollViewClass", kinds) ?? "scroll")),
      ("refreshControl", scene.value("refreshControl")),
      ("frame", scene.value("scrollFrame")),
      ("clamping", "all"),
    ])
  }

  private static func drawers(_ scene: inout FieldReader, _ stage: inout Stage) throws(HeaderError) -> [Value] {
    var heights: [String: Double] = [:]
    for (index, drawer) in (try scene.list("drawers") ?? []).enumerated() {
      var fields = try FieldReader(drawer, at: Path("scene.drawers")[index])
      let name = try fields.required(text: "name")
      guard ["navBar", "extension"].contains(name), heights[name] == nil else {
        throw fields.unexpected("name", needed: "\"navBar\" and \"extension\", once each", expected: "case")
      }
      heights[name] = try fields.required(number: "height", in: 0...FieldReader.bound)
      try fields.finish()
    }
    guard let barHeight = heights["navBar"] else {
      throw scene.unexpected("drawers", needed: "a drawer \"navBar\"", expected: "list")
    }
    var subviews: [Value] = []
    for (index, subview) in (try scene.list("navBarSubviews") ?? []).enumerated() {
      subviews.append(try self.subview(subview, index, at: Path("scene.navBarSubviews")[index]))
    }
    stage.barSubviews = subviews.count
    stage.showsExtensionView = heights["extension"] != nil
    let width = Value.number(stage.viewport.width)
    return [
      [
        "name": "navBar", "height": .number(barHeight), "y": .number(stage.barY), "width": width,
        "elements": .list(subviews),
      ],
      [
        "name": "extension", "height": .number(heights["extension"] ?? 0),
        "width": stage.showsExtensionView ? width : 100,
        "elements": stage.showsExtensionView ? [["name": "view"]] : [],
      ],
    ]
  }

  private static func subview(_ value: Value, _ index: Int, at path: Path) throws(HeaderError) -> Value {
    var fields = try FieldReader(value, at: path)
    let element = Adapting.record([
      ("name", .text("subview\(index)")), ("alpha", fields.value("alpha")), ("hidden", fields.value("hidden")),
    ])
    try fields.finish()
    return .record(element)
  }
}

// MARK: - The steps

extension ShyNavBarAdapter {
  private static func step(
    _ reader: FieldReader, of value: Value, isFirst: Bool, _ stage: inout Stage
  ) throws(HeaderError) -> AdaptedStep {
    var fields = reader
    let name = try fields.required(text: "event")
    let time = try fields.required(number: "time", of: "seconds")
    guard let expect = fields.value("expect") else {
      throw fields.unexpected("expect", needed: "an object", expected: "record")
    }
    var isOpening = false
    let records: [Value.Record]
    switch name {
    case "call":
      isOpening = try fields.required(text: "name") == "attach"
      if isOpening {
        guard isFirst else {
          throw fields.unexpected("name", needed: "\"attach\" as the first step only", expected: "case")
        }
        records = []
        try passOffset(&fields)
        _ = fields.value("arguments")
      } else {
        records = [try call(&fields, &stage)]
      }
    case "setOptions": records = try setOptions(&fields)
    case "layout": records = try layout(&fields, &stage)
    default: records = [try plain(name, value, reader)]
    }
    if ["call", "setOptions", "layout"].contains(name) { try fields.finish() }
    var events: [TimedEvent] = []
    for var record in records {
      record["event"] = .text(name)
      record["time"] = .number(time)
      var unknown: [UnknownField] = []
      events.append(try TimedEvent(.record(record), at: reader.path, unknown: &unknown))
      try FieldReader.refuse(unknown)
    }
    let showsExtensionView = stage.showsExtensionView
    return AdaptedStep(
      title: "\(name) at \(time) s", events: events, expect: expect, isOpening: isOpening
    ) { show($0, $1, after: name, showsExtensionView) }
  }

  /// Marks the offset, which only didScroll brings, as read.
  private static func passOffset(_ fields: inout FieldReader) throws(HeaderError) {
    guard var offset = try fields.reader("offset") else { return }
    _ = (try offset.number("x"), try offset.number("y"))
    try offset.finish()
  }

  /// An event that is ours as it stands.
  private static func plain(_ name: String, _ value: Value, _ reader: FieldReader) throws(HeaderError) -> Value.Record {
    var fields = reader
    guard case .record(var event) = value else { preconditionFailure("a reader reads records only") }
    event["expect"] = nil
    try passOffset(&fields)
    if name != "didScroll" { event["offset"] = nil }
    return event
  }

  /// One event an option, by name.
  private static func setOptions(_ fields: inout FieldReader) throws(HeaderError) -> [Value.Record] {
    try passOffset(&fields)
    let options = try fields.record(of: "options") ?? Value.Record()
    return options.fields.sorted { $0.name < $1.name }.map {
      Adapting.record([("options", .record(Value.Record(fields: [$0]))), ("delegate", .text(manager))])
    }
  }

  /// The two calls that are not attach.
  private static func call(_ fields: inout FieldReader, _ stage: inout Stage) throws(HeaderError) -> Value.Record {
    try passOffset(&fields)
    let name = try fields.required(text: "name")
    var arguments = FieldReader(try fields.record(of: "arguments") ?? Value.Record(), at: fields.path + "arguments")
    var ours = Value.Record()
    switch name {
    case "setScrollView": break
    case "setExtensionView":
      if arguments.value("extension") == .null {
        ours["height"] = .null
        stage.showsExtensionView = false
      } else {
        guard var view = try arguments.reader("extension") else {
          throw arguments.unexpected("extension", needed: "{height} or null", expected: "record")
        }
        ours["height"] = .number(try view.required(number: "height", in: 0...FieldReader.bound))
        ours["width"] = .number(stage.viewport.width)
        try view.finish()
        stage.showsExtensionView = true
      }
    default:
      throw fields.unexpected("name", needed: "attach, setScrollView or setExtensionView", expected: "case")
    }
    try arguments.finish()
    return Adapting.record([("name", .text(name)), ("arguments", .record(ours)), ("delegate", .text(manager))])
  }

  /// One event for each thing that the original is told by itself, in the order of the library's own calls.
  private static func layout(_ fields: inout FieldReader, _ stage: inout Stage) throws(HeaderError) -> [Value.Record] {
    try passOffset(&fields)
    var events = [try frames(&fields, &stage)]
    events.append(Adapting.record([("statusBarHidden", fields.value("statusBarHidden"))]))
    events.append(Adapting.record([("refreshControl", fields.value("refreshControlHidden").map { ["hidden": $0] })]))
    if let subviews = try fields.list("navBarSubviews") {
      guard subviews.count <= stage.barSubviews else {
        throw fields.unexpected("navBarSubviews", needed: "at most \(stage.barSubviews) subviews", expected: "list")
      }
      var elements: [Value] = []
      for (index, value) in subviews.enumerated() {
        elements.append(try subview(value, index, at: (fields.path + "navBarSubviews")[index]))
      }
      events.append(Adapting.record([("drawers", [["name": "navBar", "elements": .list(elements)]])]))
    }
    for name in ["statusBarHeight", "contentInset", "contentSize"] {
      events.append(Adapting.record([(name, fields.value(name))]))
    }
    if try fields.bool("pass") == true { events.append(Adapting.record([("pass", true)])) }
    return events.filter { !$0.fields.isEmpty }
  }

  /// The frames of window and views, and the bar put back: set before anything is told.
  private static func frames(_ fields: inout FieldReader, _ stage: inout Stage) throws(HeaderError) -> Value.Record {
    var event = Adapting.record([
      ("safeAreaInset", fields.value("safeAreaInset")),
      ("viewOrigin", fields.value("navigationViewY").map { ["y": $0] }),
    ])
    let barHeight = try fields.number("navBarHeight", in: 0...FieldReader.bound)
    if let viewport = try fields.shape("viewport", from: stage.viewport) {
      stage.viewport = viewport
      event["viewport"] = stage.viewport.value
      let bar = Adapting.record([
        ("name", "navBar"), ("y", .number(stage.barY)), ("width", .number(stage.viewport.width)),
        ("height", barHeight.map { .number($0) }),
      ])
      event["drawers"] = .list([.record(bar)])
    }
    return event
  }
}

// MARK: - What the header shows

extension ShyNavBarAdapter {
  private static func show(
    _ header: Header, _ outcome: StepOutcome, after event: String, _ showsExtensionView: Bool
  ) -> Value {
    let content = header.scrollViews[0]
    let bar = header.drawers[0]
    let container = header.drawers[1]
    let answer = outcome.answers.last
    return [
      "navBar": show(bar, subviewAlphas: alphas(of: bar, in: header)),
      "extension": show(
        container, subviewAlphas: showsExtensionView ? extensionAlphas(of: container, in: header) : []),
      "contentOffset": content.contentOffset.value,
      "contentInset": content.contentInset.value,
      "scrollIndicatorInsets": content.scrollIndicatorInsets.value,
      "scrollFrame": content.frame.value,
      "callbacks": .list(outcome.notices.map { .text($0.word(in: header.state.names)) }),
      "calls": .list(outcome.calls.compactMap { show($0, in: header) }),
      "scrollCommands": .list(outcome.commands.map(show)),
      "animation": outcome.animations.first.map(Adapting.show) ?? .null,
      "targetOffset": event == "willEndDragging" ? answer?.targetOffset?.value ?? .null : .null,
      "returned": event == "shouldScrollToTop" ? answer?.returned.map { .bool($0) } ?? .null : .null,
    ]
  }

  private static func show(_ drawer: Drawer, subviewAlphas: Value) -> Value {
    [
      "frame": drawer.frame.value, "alpha": .number(Double(drawer.alpha)), "hidden": .bool(drawer.isHidden),
      "subviewAlphas": subviewAlphas,
    ]
  }

  private static func alphas(of drawer: Drawer, in header: Header) -> Value {
    let first = Int(drawer.firstElement)
    return .list((first..<first + Int(drawer.elementCount)).map { .number(Double(header.elements[$0].alpha)) })
  }

  /// The extension view's. One that came after the opening is no element of the header: nobody can change it, it keeps 1.
  private static func extensionAlphas(of container: Drawer, in header: Header) -> Value {
    container.elementCount > 0 ? alphas(of: container, in: header) : [1]
  }

  /// A delegate that was told a scroll delegate's method; nil for events that are none.
  private static func show(_ call: HeaderState.Call, in header: Header) -> Value? {
    guard let selector = Adapting.selectors.first(where: { $0.kind == call.kind })?.selector else { return nil }
    let name = header.state.names.delegates[Int(call.delegate)]
    return .text("\(name == manager ? "manager" : "original").\(selector)")
  }

  private static func show(_ command: HeaderState.Command) -> Value {
    .record(Value.Record(fields: [.init(name: "name", value: .text(command.name))] + command.arguments.fields))
  }
}
