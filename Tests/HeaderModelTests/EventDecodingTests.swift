// SPDX-License-Identifier: MIT
//
// Events from plain data and back: examples of the protocol, every kind with its fields, every refusal with its exact
// words, and the law that what is written reads back equal, on events drawn from a seed.

import HeaderModel
import HeaderTestKit
import Testing

/// Reads an event that must fit and its unknown fields.
private func decode(_ value: Value, alsoKnown: [String] = []) throws -> (TimedEvent, [UnknownField]) {
  var unknown: [UnknownField] = []
  let event = try TimedEvent(value, unknown: &unknown, alsoKnown: alsoKnown)
  return (event, unknown)
}

/// The fields of an event of a kind.
private func event(_ kind: String, _ fields: [(String, Value)] = []) -> Value {
  var record = Value.Record()
  record["event"] = .text(kind)
  for (name, value) in fields { record[name] = value }
  return .record(record)
}

@Suite struct EventDecodingTests {
  @Test(
    arguments: [
      ["event": "didScroll", "time": 1.25, "offset": ["y": 12.5]],
      ["event": "didScroll", "time": 1.2667, "offset": ["y": 19]],
      ["event": "didScroll", "time": 1.2833, "offset": ["y": 26]],
      ["event": "willScroll", "time": 1.4, "delta": ["x": 0, "y": 30], "source": "drag"],
      ["event": "didScroll", "time": 1.25, "scrollView": "content", "offset": ["x": 0, "y": 12.5]],
      [
        "event": "willEndDragging", "time": 1.3, "velocity": ["x": 0, "y": 0.8], "targetOffset": ["x": 0, "y": 210],
      ],
    ] as [Value])
  func `the protocol's examples read and write`(_ value: Value) throws {
    var request = value
    if case .record(var record) = value {
      record["header"] = "main"
      request = .record(record)
    }
    let (event, unknown) = try decode(request, alsoKnown: ["header"])
    #expect(unknown.isEmpty)
    #expect(.record(event.value) == value)
  }

  @Test func `axes left out stay left out, those of movements are 0`() throws {
    let (drag, _) = try decode([
      "event": "willEndDragging", "time": 1.3, "velocity": ["y": 0.8], "targetOffset": ["y": 210],
    ])
    guard case .willEndDragging(let velocity, let target) = drag.event.kind else {
      Issue.record("another kind")
      return
    }
    #expect(velocity == Point(x: 0, y: 0.8))
    #expect(target == PartialPoint(y: 210))
    #expect(drag.time == Instant(nanoseconds: 1_300_000_000))
    let (scroll, _) = try decode(["event": "willScroll", "time": 1.4, "delta": ["y": 30], "source": "drag"])
    guard case .willScroll(let delta, let source) = scroll.event.kind else {
      Issue.record("another kind")
      return
    }
    #expect(delta == Point(x: 0, y: 30))
    #expect(source == .drag)
  }

  @Test func `a delegate's and a plugin's event reads too`() throws {
    let (asked, unknown) = try decode(["event": "willEndDragging", "time": 1.3, "targetOffset": ["x": 0, "y": 210]])
    #expect(unknown.isEmpty)
    guard case .willEndDragging(let velocity, _) = asked.event.kind else {
      Issue.record("another kind")
      return
    }
    #expect(velocity == Point())
  }

  /// The least that each kind needs.
  static let least: [EventName: [(String, Value)]] = [
    .didScroll: [("offset", ["y": 1])],
    .didEndDragging: [("willDecelerate", true)],
    .setContentOffset: [("offset", ["x": 1])],
    .willScroll: [("delta", [:]), ("source", "fling")],
    .didOverscroll: [("delta", ["x": 1]), ("source", "program")],
    .willFling: [("velocity", ["y": -1])],
    .willTransition: [("size", ["width": 1])],
    .willChangeTrackingScrollView: [("scrollView", nil)],
    .setTrackingScrollView: [("scrollView", "list")],
    .setOptions: [("options", ["a": 1])],
    .call: [("name", "expand")],
    .move: [("to", "collapsed")],
    .constrain: [("name", "dialog"), ("permitted", [0, 0])],
    .release: [("name", "dialog")],
    .reveal: [("rect", ["y": 10])],
  ]

  @Test(arguments: EventName.allCases) func `each kind reads with the least it needs`(_ name: EventName) throws {
    let (read, unknown) = try decode(event(name.rawValue, Self.least[name] ?? []))
    #expect(unknown.isEmpty)
    #expect(read.event.kind.name == name)
    #expect(read.time == nil)
    #expect(.record(try decode(.record(read.value)).0.value) == Value.record(read.value))
    #expect(read.value.fields.first == .init(name: "event", value: .text(name.rawValue)))
  }

  @Test(arguments: EventName.allCases) func `every kind has the fields of every event`(_ name: EventName) throws {
    var fields = Self.least[name] ?? []
    fields += [
      ("time", 2), ("offset", ["y": 3]), ("correction", ["y": -1]), ("isTracking", true), ("isDragging", false),
      ("isDecelerating", true),
    ]
    if name != .willChangeTrackingScrollView, name != .setTrackingScrollView { fields.append(("scrollView", "list")) }
    let (read, unknown) = try decode(event(name.rawValue, fields))
    #expect(unknown.isEmpty)
    #expect(read.event.offset == PartialPoint(y: 3))
    #expect(read.event.correction == PartialPoint(y: -1))
    #expect(read.event.isTracking == true)
    #expect(read.event.isDragging == false)
    #expect(read.event.isDecelerating == true)
    #expect(read.time == Instant(nanoseconds: 2_000_000_000))
    #expect(try decode(.record(read.value)).0.value == read.value)
  }

  @Test func `the scroll view of a tracking change is the new one`() throws {
    for kind in ["willChangeTrackingScrollView", "setTrackingScrollView"] {
      for given in ["list", nil] as [Value] {
        let (read, _) = try decode(event(kind, [("scrollView", given)]))
        #expect(read.event.scrollView == nil)
        #expect(read.value["scrollView"] == given)
      }
    }
  }

  @Test func `a layout reads every key of scroll view and surroundings`() throws {
    let all: Value = [
      "event": "layout", "offset": ["x": 1, "y": 2], "safeAreaInset": ["top": 44], "deviceHasHardwareSafeArea": true,
      "statusBarHeight": 44, "statusBarHidden": false, "statusBarFollowsHeader": true, "screenScale": 3,
      "viewOrigin": ["y": 1], "visible": true, "presented": true, "keyWindow": false, "voiceOverRunning": true,
      "reduceMotion": true, "appExtension": false, "fullKeyboardAccess": true, "alwaysShown": true,
      "keyboardHeight": 216, "clockSecondOfMinute": nil, "viewport": ["width": 320],
      "drawers": [
        [
          "name": "bar", "height": 50, "minimumHeight": 10, "maximumHeight": 60, "y": -1, "width": 300, "sticky": true,
          "alpha": 0.5, "hidden": true,
          "elements": [
            [
              "name": "title", "frame": ["x": 1], "alpha": 0.25, "hidden": false, "zIndex": -1,
              "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1],
            ]
          ],
        ],
        ["name": "other", "elements": []],
      ],
      "contentSize": ["height": 9], "frame": ["width": 3], "scrollIndicatorInsets": ["right": 1],
      "contentInsetAdjustment": "automatic", "kind": "web", "pagingEnabled": true,
      "refreshControl": ["hidden": true, "refreshing": false, "height": 60], "forwardsEvents": false,
      "clamping": "inset", "contentInset": ["bottom": 3], "boundsAnimationDuration": 0.3, "pass": true,
    ]
    let (read, unknown) = try decode(all)
    #expect(unknown.isEmpty)
    #expect(Value.record(read.value) == all)
    guard case .layout(let change) = read.event.kind else {
      Issue.record("another kind")
      return
    }
    #expect(change.given["clockSecondOfMinute"] == .some(.null))
    #expect(change.given["viewport"] == ["width": 320])
    #expect(change.given["contentInset"] == ["bottom": 3])
    #expect(change.drawers?[0].elements?[0].given["transform"] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1])
    #expect(change.drawers?[1].given["height"] == nil)
  }

  @Test func `a layout that gives nothing changes nothing`() throws {
    let (read, _) = try decode(event("layout", [("pass", false)]))
    #expect(Value.record(read.value) == ["event": "layout"])
    #expect(try decode(event("layout", [("drawers", [])])).0.value["drawers"] == [])
    #expect(try decode(event("layout", [("refreshControl", nil)])).0.value["refreshControl"] == .some(.null))
    #expect(try decode(event("layout", [("refreshControl", [:])])).0.value["refreshControl"] == [:])
  }

  @Test func `options and arguments are kept as they are`() throws {
    let tree: Value = ["a": [1, nil, ["b": "c"]], "d": false]
    let (options, unknown) = try decode(event("setOptions", [("options", tree), ("delegate", "shyNavBar")]))
    #expect(unknown.isEmpty)
    #expect(options.value["options"] == tree)
    #expect(options.value["delegate"] == "shyNavBar")
    let (call, _) = try decode(event("call", [("name", "expand"), ("arguments", tree)]))
    #expect(call.value["arguments"] == tree)
    #expect(try decode(event("call", [("name", "expand")])).0.value["arguments"] == [:])
  }

  /// An event with a field that it does not have.
  struct Stranger: CustomTestStringConvertible {
    var value: Value
    var unknown: [String]
    var testDescription: String { unknown.joined(separator: ", ") }
  }

  @Test(arguments: [
    Stranger(value: event("didScroll", [("offset", ["y": 1]), ("velocity", [:])]), unknown: ["params.velocity → ?"]),
    Stranger(value: event("didScroll", [("offset", ["y": 1, "z": 2])]), unknown: ["params.offset.z → ?"]),
    Stranger(value: event("willAppear", [("animated", true)]), unknown: ["params.animated → ?"]),
    Stranger(value: event("willAppear", [("ofset", [:])]), unknown: ["params.ofset → offset"]),
    Stranger(value: event("transition", [("size", [:])]), unknown: ["params.size → ?"]),
    Stranger(value: event("advance", [("frameduration", 1)]), unknown: ["params.frameduration → frameDuration"]),
    Stranger(value: event("willAppear", [("header", "main")]), unknown: ["params.header → ?"]),
    Stranger(
      value: event("layout", [("drawers", [["name": "a", "hight": 1, "elements": [["name": "e", "center": [:]]]]])]),
      unknown: ["params.drawers[0].elements[0].center → ?", "params.drawers[0].hight → height"]),
    Stranger(
      value: event("layout", [("viewport", ["w": 1]), ("refreshing", true)]),
      unknown: ["params.viewport.w → ?", "params.refreshing → ?"]),
  ])
  func `a field of another kind is unknown`(_ row: Stranger) throws {
    let (_, unknown) = try decode(row.value)
    #expect(unknown.map { "\($0.field) → \($0.hint ?? "?")" } == row.unknown)
  }

  /// A hint takes a comparison with each known name.
  @Test func `of many unknown fields the first have a hint`() throws {
    let many: [(String, Value)] = (10..<30).map { ("offset\($0)", .null) }
    var unknown: [UnknownField] = []
    for _ in 0..<3 { _ = try TimedEvent(event("willAppear", many), unknown: &unknown) }
    #expect(unknown.count == 60 && unknown.map(\.hint).prefix(32).allSatisfy { $0 == "offset" })
    #expect(unknown.dropFirst(32).allSatisfy { $0.hint == nil })
    let inside: Value = ["y": 1, "y0": 2, "y1": 3]
    let (_, more) = try decode(event("didScroll", [("offset", inside)] + many + [("reasons", .null)]))
    #expect(more.map { $0.hint ?? "?" } == ["y", "y"] + Array(repeating: "offset", count: 20) + ["reason"])
  }

  @Test func `time belongs to the timed event`() throws {
    var unknown: [UnknownField] = []
    let value = event("willAppear", [("time", 1)])
    _ = try ScrollEvent(FieldReader(value, at: Path("params")), unknown: &unknown)
    #expect(unknown.map(\.field) == ["params.time"])
    unknown = []
    _ = try ScrollEvent(FieldReader(value, at: Path("params")), unknown: &unknown, alsoKnown: ["time"])
    #expect(unknown.isEmpty)
    var reader = try FieldReader(event("willAppear", [("header", "main")]), at: Path("params"))
    _ = try reader.text("header")
    _ = try TimedEvent(reader, unknown: &unknown)
    #expect(unknown.isEmpty)
  }

  /// A step of a recording has its states under `frames`, where older ones had the key of the configuration.
  @Test(
    arguments: [
      (["frameRate": 30, "frames": [["seq": 1]]], ["frameRate": 30]),
      (["frames": [["seq": 1]], "frameSource": "manual"], ["frames": "manual"]),
      (["frames": "manual"], ["frames": "manual"]),
    ] as [(Value.Record, Value.Record)])
  func `a configuration is read from a step with states`(_ members: Value.Record, _ keys: Value.Record) throws {
    var step: Value.Record = ["event": "configure", "time": 2]
    step.fields += members.fields
    var (time, unknown) = (Instant?.none, [UnknownField]())
    guard case .configure(let read) = try HeaderInput(recorded: step, time: &time, unknown: &unknown) else {
      Issue.record("it is no configuration")
      return
    }
    #expect(read == keys)
  }

  /// An event that is refused.
  struct Refusal: CustomTestStringConvertible {
    var value: Value
    var message: String
    var hint: String?
    var testDescription: String { message }

    init(_ value: Value, _ message: String, hint: String? = nil) {
      self.value = value
      self.message = message
      self.hint = hint
    }

    init(_ kind: String, _ fields: [(String, Value)], _ message: String, hint: String? = nil) {
      self.init(event(kind, fields), "params.\(message)", hint: hint)
    }
  }

  static let kinds = EventName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  static let offset = "expected a point with \"x\", \"y\" or both"
  static let sources = "expected one of \"drag\", \"fling\", \"program\""
  static let springAlone = "animated: a spring has no duration and no curve of its own; give one or the other"

  static let refusals: [Refusal] = [
    Refusal("didScroll", "params: expected an object, got \"didScroll\""),
    Refusal([:], "params.event: expected the kind of event, it is missing"),
    Refusal(["event": 5], "params.event: expected one of \(kinds), got 5"),
    Refusal(
      "didScrol", [], "event: expected one of \(kinds), got \"didScrol\"", hint: "did you mean \"didScroll\"?"),
    Refusal("resize", [], "event: expected one of \(kinds), got \"resize\""),
    Refusal("willAppear", [("time", "now")], "time: expected a finite number of seconds, got \"now\""),
    Refusal("willAppear", [("time", nil)], "time: expected a finite number of seconds, got null"),
    Refusal("willAppear", [("scrollView", 1)], "scrollView: expected a text, got 1"),
    Refusal("willAppear", [("offset", 12)], "offset: expected an object, got 12"),
    Refusal("didScroll", [], "offset: \(offset), it is missing"),
    Refusal("didScroll", [("offset", [:])], "offset: \(offset), got a record"),
    Refusal("didScroll", [("offset", ["z": 1])], "offset: \(offset), got a record"),
    Refusal("didScroll", [("offset", ["y": "12px"])], "offset.y: expected a finite number of points, got \"12px\""),
    Refusal(
      "didScroll", [("offset", ["y": .number(.nan)])], "offset.y: expected a finite number of points, got nan"),
    Refusal(
      "didScroll", [("offset", ["x": -1.5e9])],
      "offset.x: expected a number from -1000000000 to 1000000000, got -1500000000"),
    Refusal("setContentOffset", [("animated", true)], "offset: \(offset), it is missing"),
    Refusal(
      "setContentOffset", [("offset", ["y": 1]), ("animated", 1)], "animated: expected true or false, got 1"),
    Refusal("willAppear", [("correction", [])], "correction: expected an object, got an empty list"),
    Refusal("willAppear", [("isTracking", "no")], "isTracking: expected true or false, got \"no\""),
    Refusal("willAppear", [("isDragging", nil)], "isDragging: expected true or false, got null"),
    Refusal("willAppear", [("isDecelerating", 0)], "isDecelerating: expected true or false, got 0"),
    Refusal(
      "willEndDragging", [("velocity", ["y": true])],
      "velocity.y: expected a finite number of points per millisecond, got true"),
    Refusal("willEndDragging", [("targetOffset", 5)], "targetOffset: expected an object, got 5"),
    Refusal("didEndDragging", [], "willDecelerate: expected true or false, it is missing"),
    Refusal("didEndDragging", [("willDecelerate", nil)], "willDecelerate: expected true or false, got null"),
    Refusal("willScroll", [("source", "drag")], "delta: expected a point {x, y}, it is missing"),
    Refusal("willScroll", [("delta", [:])], "source: \(sources), it is missing"),
    Refusal(
      "didOverscroll", [("delta", [:]), ("source", "drug")], "source: \(sources), got \"drug\"",
      hint: "did you mean \"drag\"?"),
    Refusal("willFling", [], "velocity: expected a point {x, y} in points per millisecond, it is missing"),
    Refusal("willTransition", [], "size: expected a size {width, height}, it is missing"),
    Refusal("willTransition", [("size", ["width": -1])], "size.width: expected a number of at least 0, got -1"),
    Refusal("willChangeTrackingScrollView", [], "scrollView: expected a name or null, it is missing"),
    Refusal("setTrackingScrollView", [("scrollView", false)], "scrollView: expected a name or null, got false"),
    Refusal("setOptions", [], "options: expected an object, it is missing"),
    Refusal("setOptions", [("options", [])], "options: expected an object, got an empty list"),
    Refusal("setOptions", [("options", [:]), ("delegate", nil)], "delegate: expected a text, got null"),
    Refusal("call", [], "name: expected a text, it is missing"),
    Refusal("call", [("name", "a"), ("arguments", [1])], "arguments: expected an object, got [1]"),
    Refusal("move", [("to", "collapsed"), ("animated", ["spring": [:], "duration": 0.5])], springAlone),
    Refusal("move", [("to", "collapsed"), ("animated", ["spring": [:], "curve": "linear"])], springAlone),
    Refusal("advance", [("frameDuration", 0)], "frameDuration: expected a number above 0 and at most 3600, got 0"),
    Refusal(
      "advance", [("frameDuration", 3601)], "frameDuration: expected a number above 0 and at most 3600, got 3601"),
    Refusal("advance", [("frameDuration", "1")], "frameDuration: expected a finite number of seconds, got \"1\""),
    Refusal("layout", [("viewport", ["height": -1])], "viewport.height: expected a number of at least 0, got -1"),
    Refusal("layout", [("screenScale", -2)], "screenScale: expected a number above 0, got -2"),
    Refusal("layout", [("statusBarHeight", -2)], "statusBarHeight: expected a number of at least 0, got -2"),
    Refusal(
      "layout", [("clamping", "al")], "clamping: expected one of \"all\", \"inset\", \"none\", got \"al\"",
      hint: "did you mean \"all\"?"),
    Refusal(
      "layout", [("boundsAnimationDuration", -0.1)],
      "boundsAnimationDuration: expected a number of at least 0, got -0.1"),
    Refusal("layout", [("pass", "yes")], "pass: expected true or false, got \"yes\""),
    Refusal("layout", [("contentInset", nil)], "contentInset: expected an object, got null"),
    Refusal("layout", [("refreshControl", false)], "refreshControl: expected an object, got false"),
    Refusal("layout", [("drawers", ["bar": [:]])], "drawers: expected a list, got a record"),
    Refusal(
      "layout", [("drawers", [["height": 1]])],
      "drawers[0].name: expected a drawer's name \(DescriptionTests.grammar), it is missing"),
    Refusal(
      "layout", [("drawers", [["name": "a"], ["name": "a"]])],
      "drawers[1].name: there are two drawers named \"a\", expected each name once"),
    Refusal(
      "layout", [("drawers", [["name": "a", "alpha": 2]])],
      "drawers[0].alpha: expected a number from 0 to 1, got 2"),
    Refusal(
      "layout", [("drawers", [["name": "a", "minimumHeight": 2, "maximumHeight": 1]])],
      "drawers[0].minimumHeight: expected at most the maximumHeight, 1, got 2"),
    Refusal(
      "layout", [("drawers", [["name": "a", "elements": [["name": "e", "frame": ["width": -1]]]]])],
      "drawers[0].elements[0].frame.width: expected a number of at least 0, got -1"),
  ]

  @Test(arguments: refusals) func `what is wrong is refused by name`(_ row: Refusal) throws {
    let error = try #require(throws: HeaderError.self) { try decode(row.value) }
    #expect(error.message == row.message)
    #expect(error.name == .invalidParams)
    #expect(error.hint == row.hint)
    #expect(error.field.map { row.message.hasPrefix("\($0): ") } == true)
  }

  @Test func `the path is the caller's`() throws {
    var unknown: [UnknownField] = []
    let error = try #require(throws: HeaderError.self) {
      try TimedEvent(
        ["event": "didScroll", "offset": ["y": "12px"]], at: (Path("params") + "events")[1], unknown: &unknown)
    }
    #expect(
      error
        == HeaderError(
          .invalidParams, "params.events[1].offset.y: expected a finite number of points, got \"12px\"",
          field: "params.events[1].offset.y", got: "12px", expected: "number"))
  }

  @Test(arguments: 0..<500) func `what is written reads back equal`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let given = random.event(EventName.allCases[Int(seed) % EventName.allCases.count])
    let (read, strangers) = try decode(given)
    #expect(strangers.isEmpty, "seed \(seed)")
    let (again, unknown) = try decode(.record(read.value))
    #expect(unknown.isEmpty, "seed \(seed)")
    #expect(again.value == read.value, "seed \(seed)")
    #expect(again.time == read.time, "seed \(seed)")
    // What was given is there as it was given; only movements and defaults are filled in.
    guard case .record(let fields) = given else { return }
    for field in fields.fields where !["time", "velocity", "delta", "size", "pass"].contains(field.name) {
      #expect(read.value[field.name] == field.value, "seed \(seed), \(field.name)")
    }
  }
}

extension SplitMix64 {
  /// An event of a kind that fits.
  mutating func event(_ name: EventName) -> Value {
    var record = Value.Record()
    record["event"] = .text(name.rawValue)
    maybe(&record, "time") { $0.number(from: 0, to: 1e6) }
    maybe(&record, "correction") { $0.point() }
    for flag in ["isTracking", "isDragging", "isDecelerating"] { maybe(&record, flag) { $0.bool() } }
    maybe(&record, "scrollView") { $0.word("content", "list") }
    switch name {
    case .layout:
      addScrollView(to: &record)
      addEnvironment(to: &record)
      maybe(&record, "drawers") { $0.drawerChanges() }
      maybe(&record, "boundsAnimationDuration") { $0.number(from: 0, to: 10) }
      maybe(&record, "pass") { $0.bool() }
    case .didScroll, .setContentOffset:
      record["offset"] = ["y": number()]
      if name == .setContentOffset { maybe(&record, "animated") { $0.bool() } }
    case .willEndDragging:
      maybe(&record, "velocity") { $0.point() }
      maybe(&record, "targetOffset") { $0.point() }
    case .didEndDragging: record["willDecelerate"] = bool()
    case .willScroll, .didOverscroll:
      record["delta"] = point()
      record["source"] = word("drag", "fling", "program")
    case .willFling: record["velocity"] = point()
    case .willTransition: record["size"] = size()
    case .willChangeTrackingScrollView, .setTrackingScrollView: record["scrollView"] = word("list", nil)
    case .setOptions, .call:
      if name == .call { record["name"] = word("expand", "contract") }
      record[name == .call ? "arguments" : "options"] = self.record()
      maybe(&record, "delegate") { $0.word("shyNavBar") }
    case .advance: maybe(&record, "frameDuration") { $0.word(0.016, 1, 3600, 1e-9) }
    case .move:
      record["to"] = word(
        "expanded", "snug", ["progress": 0.25], ["drawer": "bar", "height": 40], ["drawer": "bar", "shift": 4])
      maybe(&record, "animated") { $0.style() }
      maybe(&record, "delegate") { $0.word("shyNavBar") }
    case .constrain:
      record["name"] = word("dialog", "tour")
      record["permitted"] = word([0, 0], [0.25, 0.5], [1, 1])
      maybe(&record, "wish") { $0.word(0, 0.5, 1) }
      maybe(&record, "animated") { $0.style() }
      maybe(&record, "priority") { $0.word(-7, 3) }
      maybe(&record, "lease") { $0.word("connection", 2.5) }
      maybe(&record, "holder") { $0.word("the tour") }
    case .release:
      record["name"] = "dialog"
      maybe(&record, "animated") { $0.style() }
    case .reveal:
      record["rect"] = ["x": number(), "y": number(), "width": 10, "height": 20]
      record["reason"] = word("focus", "anchor", "search")
    default: maybe(&record, "offset") { $0.point() }
    }
    return .record(record)
  }

  /// How a motion runs, with all that belongs to it.
  private mutating func style() -> Value {
    word(
      ["duration": 0.5, "curve": "easeIn"], ["duration": 0, "curve": "linear", "drawnBy": "renderer"],
      ["spring": ["mass": 1, "stiffness": 300, "damping": 20]])
  }

  private mutating func drawerChanges() -> Value {
    .list(
      (0..<below(3)).map { index in
        var drawer = Value.Record()
        drawer["name"] = .text("drawer\(index)")
        maybe(&drawer, "height") { $0.number(from: 0) }
        maybe(&drawer, "maximumHeight") { $0.number(from: 0) }
        addDrawer(index, to: &drawer)
        return .record(drawer)
      })
  }
}
