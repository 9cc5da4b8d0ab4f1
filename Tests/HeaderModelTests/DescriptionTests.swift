// SPDX-License-Identifier: MIT
//
// Descriptions from plain data and back: an example of the protocol, every default and what it leans on, every refusal
// with its exact words, and the law that what is written reads back equal, on descriptions drawn from a seed.

import HeaderModel
import HeaderTestKit
import Testing

/// Reads a description that must fit and its unknown fields.
private func decode(_ value: Value, alsoKnown: [String] = []) throws -> (HeaderDescription, [UnknownField]) {
  var unknown: [UnknownField] = []
  let description = try HeaderDescription(value, unknown: &unknown, alsoKnown: alsoKnown)
  return (description, unknown)
}

/// A description's fields beside its header's name.
private func described(_ fields: (String, Value)...) -> Value {
  var record = Value.Record()
  record["header"] = "main"
  for (name, value) in fields { record[name] = value }
  return .record(record)
}

/// What is written under `initialPosition`.
private func initialPosition(_ description: HeaderDescription) -> Value? {
  guard case .record(let record) = description.value else { return nil }
  return record["initialPosition"]
}

@Suite struct DescriptionTests {
  @Test func `a digest is equal where descriptions mean the same header`() throws {
    func digest(_ fields: (String, Value)...) throws -> UInt32 {
      var record: Value.Record = ["header": "main", "drawers": [["name": "bar", "height": 44]]]
      for (name, value) in fields { record[name] = value }
      return try decode(.record(record)).0.digest
    }
    let plain = try digest()
    // Defaults, the order of members and the sign of 0 make no difference, nor do sizes and surroundings.
    #expect(try digest(("frameRate", 60), ("stretchTrigger", -0.0)) == plain)
    #expect(try digest(("environment", ["statusBarHeight": 47, "screenScale": 3])) == plain)
    #expect(
      try digest(("scrollViews", ["content": ["viewport": ["width": 9, "height": 8], "offset": ["y": 7]]])) == plain)
    #expect(
      try digest(("hosting", ["a": 1, "b": ["c": true]])) == digest(("hosting", ["b": ["c": true], "a": 1])))
    var all: Set<UInt32> = [plain]
    let others: [(String, Value)] = [
      ("header", "other"), ("frames", "manual"), ("trackingScrollView", .null), ("hosting", ["a": 1]),
      ("hosting", ["a": "1"]), ("hosting", ["a": [1]]), ("hosting", ["a": ["b": 1]]), ("hosting", ["a": .null]),
      ("hosting", ["a": true]), ("drawers", []), ("drawers", [["name": "bar", "height": 44.5]]),
      ("drawers", [["name": "bar", "height": 44, "minimumHeight": 20]]),
      ("drawers", [["name": "bar", "height": 44], ["name": "tabs", "height": 40]]),
      ("scrollViews", ["list": [:]]), ("scrollViews", ["content": ["contentInset": ["top": 44]]]),
      ("scrollViews", ["content": ["axis": "horizontal"]]), ("delegates", [["behavior": "ShyNavBar"]]),
      ("delegates", [["behavior": "ShyNavBar", "options": ["fade": true]]]), ("initialPosition", "collapsed"),
    ]
    for (name, value) in others { #expect(all.insert(try digest((name, value))).inserted, "\(name) \(value)") }
  }

  @Test func `drawers have an order of drawing`() throws {
    func drawer(_ zIndex: Value) -> Value { described(("drawers", [["name": "bar", "height": 44, "zIndex": zIndex]])) }
    let (description, unknown) = try decode(drawer(-100))
    #expect(unknown.isEmpty && description.drawers[0].zIndex == -100)
    #expect(description.makeRecords().drawers[0].zIndex == -100)
    #expect(try decode(description.value).0 == description)
    let error = #expect(throws: HeaderError.self) { try decode(drawer(101)) }
    #expect(error?.message == "params.drawers[0].zIndex: expected a whole number from -100 to 100, got 101")
  }

  @Test func `an initial position is a stop or a place in numbers`() throws {
    let drawers: Value = [["name": "bar", "height": 44]]
    for value: Value in [
      "collapsed", "half", ["progress": 0.25], ["drawer": "bar", "shift": 4], ["drawer": "bar", "height": 30],
    ] {
      let (description, unknown) = try decode(
        described(
          ("drawers", drawers), ("stops", [["name": "half", "progress": 0.5]]), ("initialPosition", value)))
      #expect(unknown.isEmpty)
      #expect(initialPosition(description) == value)
      #expect(try decode(description.value).0 == description)
    }
    #expect(try initialPosition(decode(described()).0) == nil)
    let error = #expect(throws: HeaderError.self) { try decode(described(("initialPosition", true))) }
    #expect(
      error?.message
        == "params.initialPosition: expected \"expanded\", \"collapsed\", a stop's name, {progress} or {drawer, height | shift}, got true"
    )
  }

  @Test func `the protocol's example decodes with its defaults`() throws {
    let (description, unknown) = try decode([
      "header": "main",
      "scrollViews": [
        "content": [
          "viewport": ["width": 375, "height": 667], "contentSize": ["height": 4000], "contentInset": ["top": 64],
        ]
      ],
      "environment": ["statusBarHeight": 20],
      "drawers": [["name": "navBar", "height": 44], ["name": "extension", "height": 40]],
      "delegates": [["behavior": "ShyNavBar", "options": ["expansionResistance": 100]]],
    ])
    #expect(unknown.isEmpty)
    #expect(
      description.value == [
        "header": "main",
        "scrollViews": [
          "content": [
            "viewport": ["width": 375, "height": 667], "contentSize": ["width": 375, "height": 4000],
            "contentInset": ["top": 64, "left": 0, "bottom": 0, "right": 0],
            "scrollIndicatorInsets": ["top": 64, "left": 0, "bottom": 0, "right": 0],
            "offset": ["x": 0, "y": -64], "contentInsetAdjustment": "never", "kind": "scroll", "pagingEnabled": false,
            "refreshControl": nil, "frame": ["x": 0, "y": 0, "width": 375, "height": 667], "forwardsEvents": true,
            "clamping": "all",
          ]
        ],
        "trackingScrollView": "content",
        "drawers": [
          [
            "name": "navBar", "height": 44, "minimumHeight": 0, "maximumHeight": 44, "y": 20, "width": 375,
            "sticky": false, "alpha": 1, "hidden": false, "elements": [],
          ],
          [
            "name": "extension", "height": 40, "minimumHeight": 0, "maximumHeight": 40, "y": 64, "width": 375,
            "sticky": false, "alpha": 1, "hidden": false, "elements": [],
          ],
        ],
        "environment": [
          "safeAreaInset": ["top": 0, "left": 0, "bottom": 0, "right": 0], "deviceHasHardwareSafeArea": false,
          "statusBarHeight": 20, "statusBarHidden": false, "statusBarFollowsHeader": false, "screenScale": 1,
          "viewOrigin": ["x": 0, "y": 0], "visible": true, "presented": false, "keyWindow": true,
          "voiceOverRunning": false, "reduceMotion": false, "appExtension": false, "fullKeyboardAccess": false,
          "alwaysShown": false, "keyboardHeight": 0, "clockSecondOfMinute": nil,
        ],
        "hosting": [:],
        "delegates": [["behavior": "ShyNavBar", "name": "shyNavBar", "options": ["expansionResistance": 100]]],
        "frames": "live", "frameRate": 60, "lifetime": "daemon", "accessibility": "shown",
        "handOver": "behavior", "onLeave": "keep", "stretchTrigger": 0, "tellsObstruction": false,
        "stops": [],
      ])
  }

  @Test func `a name alone is a whole description`() throws {
    let (description, unknown) = try decode(described())
    #expect(unknown.isEmpty)
    #expect(description == HeaderDescription(header: "main"))
  }

  @Test func `fields are written in the protocol's order`() throws {
    let drawers: Value = [["name": "bar", "height": 1, "elements": [["name": "e"]]]]
    let (description, _) = try decode(described(("drawers", drawers)))
    #expect(
      names(in: description.value) == [
        "header", "scrollViews", "trackingScrollView", "drawers", "environment", "hosting", "delegates", "frames",
        "frameRate", "lifetime", "accessibility", "handOver", "onLeave", "stretchTrigger", "tellsObstruction",
        "stops",
      ])
    #expect(names(in: description.environment.value).first == "safeAreaInset")
    #expect(
      names(in: description.drawers[0].value) == [
        "name", "height", "minimumHeight", "maximumHeight", "y", "width", "sticky", "alpha", "hidden", "elements",
      ])
    #expect(
      names(in: description.drawers[0].elements[0].value) == [
        "name", "frame", "alpha", "hidden", "zIndex", "transform",
      ])
  }

  private func names(in value: Value) -> [String] {
    guard case .record(let record) = value else { return [] }
    return record.fields.map(\.name)
  }

  /// Where the first drawer begins.
  struct FirstEdge: CustomTestStringConvertible {
    var testDescription: String
    var environment: Value
    var y: Double
  }

  @Test(arguments: [
    FirstEdge(testDescription: "no status bar", environment: [:], y: 0),
    FirstEdge(testDescription: "a status bar", environment: ["statusBarHeight": 20], y: 20),
    FirstEdge(testDescription: "hidden", environment: ["statusBarHeight": 20, "statusBarHidden": true], y: 0),
    FirstEdge(testDescription: "presented", environment: ["statusBarHeight": 20, "presented": true], y: 0),
    FirstEdge(
      testDescription: "partly above", environment: ["statusBarHeight": 20, "viewOrigin": ["y": 15]], y: 5),
    FirstEdge(
      testDescription: "wholly above", environment: ["statusBarHeight": 20, "viewOrigin": ["y": 64]], y: 0),
    FirstEdge(
      testDescription: "header space above the window",
      environment: ["statusBarHeight": 20, "viewOrigin": ["y": -10]], y: 30),
  ])
  func `the first drawer begins below the status bar`(_ row: FirstEdge) throws {
    let (description, _) = try decode(
      described(("environment", row.environment), ("drawers", [["name": "bar", "height": 44]])))
    #expect(description.drawers[0].y == row.y)
  }

  @Test func `a drawer begins at the edge before it`() throws {
    let (description, _) = try decode(
      described(
        (
          "drawers",
          [
            ["name": "a", "height": 44], ["name": "b", "height": 10, "y": 100], ["name": "c", "height": 1],
            ["name": "d", "height": 0],
          ]
        )))
    #expect(description.drawers.map(\.y) == [0, 100, 110, 111])
  }

  @Test func `a drawer is as wide as the tracking scroll view, else the first`() throws {
    let views: Value = ["left": ["viewport": ["width": 100]], "right": ["viewport": ["width": 200]]]
    let drawers: Value = [["name": "a", "height": 1], ["name": "b", "height": 1, "width": 7]]
    for (tracking, width) in [("right", 200.0), ("left", 100), (nil, 100)] as [(Value, Double)] {
      let (description, _) = try decode(
        described(("scrollViews", views), ("trackingScrollView", tracking), ("drawers", drawers)))
      #expect(description.drawers.map(\.width) == [width, 7])
    }
  }

  @Test func `the only scroll view is the tracking one, of several none is`() throws {
    #expect(try decode(described(("scrollViews", ["list": [:]]))).0.trackingScrollView == "list")
    #expect(try decode(described(("scrollViews", ["a": [:], "b": [:]]))).0.trackingScrollView == nil)
    #expect(try decode(described(("trackingScrollView", nil))).0.trackingScrollView == nil)
  }

  @Test func `insets and viewport give a scroll view its other shapes`() throws {
    let (description, _) = try decode(
      described(
        (
          "scrollViews",
          [
            "a": ["viewport": ["width": 30], "contentInset": ["top": 9, "left": 3], "frame": ["y": 5]],
            "b": ["contentInset": ["top": 9], "offset": ["x": 1], "scrollIndicatorInsets": ["left": 2]],
          ]
        )))
    let (a, b) = (description.scrollViews[0], description.scrollViews[1])
    #expect(a.contentOffset == Point(x: -3, y: -9))
    #expect(a.contentSize == Size(width: 30, height: 0))
    #expect(a.frame == Rect(x: 0, y: 5, width: 30, height: 0))
    #expect(a.scrollIndicatorInsets == Insets(top: 9, left: 3))
    #expect(b.contentOffset == Point(x: 1, y: 0))
    #expect(b.scrollIndicatorInsets == Insets(left: 2))
    #expect(b.contentOffset.y.sign == .plus)
    // No minus before a zero goes out: JSON would show it.
    let plain = try decode(described()).0.scrollViews[0].contentOffset
    #expect(plain.x.sign == .plus && plain.y.sign == .plus)
  }

  @Test func `a refresh control may be left out, null or given`() throws {
    for (given, isThere, refreshes, height) in [
      (nil, false, false, 0), ([:], true, false, 0), (["refreshing": true, "height": 60], true, true, 60),
    ] as [(Value, Bool, Bool, Double)] {
      let (description, _) = try decode(described(("scrollViews", ["content": ["refreshControl": given]])))
      let view = description.scrollViews[0].record
      #expect(view.hasRefreshControl == isThere && !view.refreshControlHidden)
      #expect(view.isRefreshing == refreshes && view.refreshControlHeight == height)
    }
  }

  @Test func `unknown keys are named at any depth`() throws {
    let (_, unknown) = try decode(
      described(
        ("ifExists", "replace"), ("framerate", 30), ("hosting", ["anything": ["goes": 1]]),
        ("scrollViews", ["content": ["viewPort": [:], "viewport": ["widht": 1], "refreshControl": ["zzzzzz": 1]]]),
        ("environment", ["statusBarHight": 1, "safeAreaInset": ["botom": 1]]),
        ("drawers", [["name": "a", "height": 1, "elements": [["name": "e", "colour": 1, "frame": ["z": 1]]]]]),
        ("delegates", [["behavior": "ShyNavBar", "option": [:], "options": ["anything": 1]]])),
      alsoKnown: ["ifExists"])
    #expect(
      Set(unknown.map { "\($0.field) → \($0.hint ?? "?")" }) == [
        "params.framerate → frameRate",
        "params.scrollViews.content.viewPort → viewport",
        "params.scrollViews.content.viewport.widht → width",
        "params.scrollViews.content.refreshControl.zzzzzz → ?",
        "params.environment.statusBarHight → statusBarHeight",
        "params.environment.safeAreaInset.botom → bottom",
        "params.drawers[0].elements[0].colour → ?",
        "params.drawers[0].elements[0].frame.z → ?",
        "params.delegates[0].option → options",
      ])
    #expect(try decode(described(("ifExists", "attach"))).1.map(\.field) == ["params.ifExists"])
  }

  /// A description that is refused.
  struct Refusal: CustomTestStringConvertible {
    var value: Value
    var message: String
    var name = ErrorName.invalidParams
    var hint: String?
    var testDescription: String { message }

    init(_ value: Value, _ message: String, name: ErrorName = .invalidParams, hint: String? = nil) {
      self.value = value
      self.message = message
      self.name = name
      self.hint = hint
    }

    init(_ key: String, _ value: Value, _ message: String, name: ErrorName = .invalidParams, hint: String? = nil) {
      self.init(described((key, value)), "params.\(message)", name: name, hint: hint)
    }

    static func scrollView(_ key: String, _ value: Value, _ message: String, hint: String? = nil) -> Refusal {
      Refusal(
        "scrollViews", ["content": .record(.init(fields: [.init(name: key, value: value)]))],
        "scrollViews.content.\(message)", hint: hint)
    }

    static func drawer(_ key: String, _ value: Value, _ message: String, hint: String? = nil) -> Refusal {
      var record = Value.Record()
      record["name"] = "bar"
      record["height"] = 44
      record[key] = value
      return Refusal("drawers", [.record(record)], "drawers[0].\(message)", hint: hint)
    }

    static func element(_ key: String, _ value: Value, _ message: String) -> Refusal {
      var record = Value.Record()
      record["name"] = "title"
      record[key] = value
      return drawer("elements", [.record(record)], "elements[0].\(message)")
    }

    static func environment(_ key: String, _ value: Value, _ message: String) -> Refusal {
      Refusal("environment", .record(.init(fields: [.init(name: key, value: value)])), "environment.\(message)")
    }
  }

  static let grammar = "(a letter, then letters, digits, \"_\", \"-\", at most 64 in all)"
  static let headerGrammar =
    "a header's name (1 to 128 letters, digits, \"_\", \"-\", in parts joined by \".\")"

  static let refusals: [Refusal] = [
    Refusal(nil, "params: expected an object, got null"),
    Refusal([:], "params.header: expected \(headerGrammar), it is missing"),
    Refusal("header", 5, "header: expected \(headerGrammar), got 5"),
    Refusal("header", "a..b", "header: expected \(headerGrammar), got \"a..b\""),
    Refusal("scrollViews", [], "scrollViews: expected an object, got an empty list"),
    Refusal("scrollViews", [:], "scrollViews: expected at least one scroll view by name, got an empty record"),
    Refusal("scrollViews", ["2": [:]], "scrollViews: expected names of scroll views \(grammar), got \"2\""),
    Refusal("scrollViews", ["a": 1], "scrollViews.a: expected an object, got 1"),
    .scrollView("viewport", 5, "viewport: expected an object, got 5"),
    .scrollView("viewport", ["width": -1], "viewport.width: expected a number of at least 0, got -1"),
    .scrollView("contentSize", ["height": "1"], "contentSize.height: expected a finite number of points, got \"1\""),
    .scrollView(
      "contentInset", ["top": 2e9],
      "contentInset.top: expected a number from -1000000000 to 1000000000, got 2000000000"),
    .scrollView("offset", ["y": .number(.nan)], "offset.y: expected a finite number of points, got nan"),
    .scrollView("offset", ["y": .number(.infinity)], "offset.y: expected a finite number of points, got inf"),
    .scrollView(
      "contentInsetAdjustment", "always",
      "contentInsetAdjustment: expected one of \"never\", \"automatic\", got \"always\""),
    .scrollView(
      "kind", "tabel", "kind: expected one of \"scroll\", \"table\", \"collection\", \"web\", got \"tabel\"",
      hint: "did you mean \"table\"?"),
    .scrollView("clamping", 1, "clamping: expected one of \"all\", \"inset\", \"none\", got 1"),
    .scrollView("clamping", "both", "clamping: expected one of \"all\", \"inset\", \"none\", got \"both\""),
    .scrollView("pagingEnabled", 1, "pagingEnabled: expected true or false, got 1"),
    .scrollView("forwardsEvents", nil, "forwardsEvents: expected true or false, got null"),
    .scrollView("refreshControl", true, "refreshControl: expected an object, got true"),
    .scrollView("refreshControl", ["height": -1], "refreshControl.height: expected a number of at least 0, got -1"),
    .scrollView("frame", ["height": -2], "frame.height: expected a number of at least 0, got -2"),
    Refusal("trackingScrollView", 5, "trackingScrollView: expected a name or null, got 5"),
    Refusal(
      "trackingScrollView", "contnt",
      "trackingScrollView: there is no scroll view \"contnt\", expected one of \"content\" or null",
      name: .scrollViewNotFound, hint: "did you mean \"content\"?"),
    Refusal("environment", [], "environment: expected an object, got an empty list"),
    .environment("statusBarHeight", -1, "statusBarHeight: expected a number of at least 0, got -1"),
    .environment("screenScale", 0, "screenScale: expected a number above 0, got 0"),
    .environment("screenScale", "2x", "screenScale: expected a finite number of pixels a point, got \"2x\""),
    .environment("clockSecondOfMinute", 61, "clockSecondOfMinute: expected a number from 0 to 60, got 61"),
    .environment("clockSecondOfMinute", -1, "clockSecondOfMinute: expected a number of at least 0, got -1"),
    .environment("visible", "yes", "visible: expected true or false, got \"yes\""),
    Refusal("drawers", [:], "drawers: expected a list, got a record"),
    Refusal("drawers", ["bar"], "drawers[0]: expected an object, got \"bar\""),
    Refusal("drawers", [["height": 1]], "drawers[0].name: expected a drawer's name \(grammar), it is missing"),
    Refusal("drawers", [["name": "a"]], "drawers[0].height: expected a finite number of points, it is missing"),
    Refusal(
      "drawers", [["name": "a", "height": 1], ["name": "a", "height": 2]],
      "drawers[1].name: there are two drawers named \"a\", expected each name once"),
    .drawer("name", "1st", "name: expected a drawer's name \(grammar), got \"1st\""),
    .drawer("height", -44, "height: expected a number of at least 0, got -44"),
    .drawer("minimumHeight", 60, "minimumHeight: expected at most the maximumHeight, 44, got 60"),
    .drawer("maximumHeight", -1, "maximumHeight: expected a number of at least 0, got -1"),
    .drawer("alpha", 1.5, "alpha: expected a number from 0 to 1, got 1.5"),
    .drawer("width", -1, "width: expected a number of at least 0, got -1"),
    Refusal(
      "drawers", [["name": "a", "height": 1e9, "y": 1e9], ["name": "b", "height": 1]],
      "drawers[1].y: expected a number from -1000000000 to 1000000000, got 2000000000"),
    Refusal(
      "drawers",
      [
        ["name": "a", "height": 1, "elements": [["name": "title"]]],
        ["name": "b", "height": 1, "elements": [["name": "icon"], ["name": "title"]]],
      ],
      "drawers[1].elements[1].name: there are two elements named \"title\", expected each name once"),
    .element("name", "-", "name: expected an element's name \(grammar), got \"-\""),
    .element("zIndex", "top", "zIndex: expected a finite number, got \"top\""),
    .element("alpha", -0.5, "alpha: expected a number of at least 0, got -0.5"),
    .element("transform", [1, 2], "transform: expected 16 numbers, m11…m44 by rows, got [1, 2]"),
    .element("transform", [1, "2"], "transform[1]: expected a finite number, got \"2\""),
    Refusal("hosting", "x", "hosting: expected an object, got \"x\""),
    Refusal("delegates", [[:]], "delegates[0].behavior: expected a behavior's name \(grammar), it is missing"),
    Refusal("delegates", [["behavior": ""]], "delegates[0].behavior: expected a behavior's name \(grammar), got \"\""),
    Refusal(
      "delegates", [["behavior": "Fade", "name": "a b"]],
      "delegates[0].name: expected a delegate's name \(grammar), got \"a b\""),
    Refusal(
      "delegates", [["behavior": "Fade"], ["behavior": "Fade"]],
      "delegates[1].name: there are two delegates named \"fade\", expected each name once",
      hint: "give one of them a \"name\" of its own"),
    Refusal(
      "delegates", [["behavior": "Fade", "options": []]], "delegates[0].options: expected an object, got an empty list"),
    Refusal(
      "frames", "lives", "frames: expected one of \"live\", \"events\", \"manual\", got \"lives\"",
      hint: "did you mean \"live\"?"),
    Refusal("frameRate", 0.5, "frameRate: expected a number from 1 to 1000, got 0.5"),
    Refusal("frameRate", 1001, "frameRate: expected a number from 1 to 1000, got 1001"),
    Refusal("lifetime", "forever", "lifetime: expected one of \"daemon\", \"connection\", got \"forever\""),
  ]

  @Test(arguments: refusals) func `what is wrong is refused by name`(_ row: Refusal) throws {
    let error = try #require(throws: HeaderError.self) { try decode(row.value) }
    #expect(error.message == row.message)
    #expect(error.name == row.name)
    #expect(error.hint == row.hint)
    // The message begins with the path that programs read.
    #expect(error.field.map { row.message.hasPrefix("\($0): ") } == true)
  }

  @Test func `a maximum below the minimum is named where it was given`() throws {
    let error = try #require(throws: HeaderError.self) {
      try decode(described(("drawers", [["name": "a", "height": 9, "minimumHeight": 5, "maximumHeight": 4]])))
    }
    #expect(error.message == "params.drawers[0].minimumHeight: expected at most the maximumHeight, 4, got 5")
  }

  @Test func `the path is the caller's`() throws {
    var unknown: [UnknownField] = []
    let error = try #require(throws: HeaderError.self) {
      try HeaderDescription(["header": ""], at: Path("header")[2], unknown: &unknown)
    }
    #expect(error.field == "header[2].header")
  }

  // MARK: - Properties

  @Test(arguments: 0..<300) func `what is written reads back equal`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (description, _) = try decode(random.description())
    let (again, unknown) = try decode(description.value)
    #expect(unknown.isEmpty, "seed \(seed)")
    #expect(again == description, "seed \(seed)")
    #expect(again.value == description.value, "seed \(seed)")
    #expect(description.firstDifference(from: again) == nil, "seed \(seed)")
  }

  // MARK: - Differences

  /// A change of the description and the field that differs by it.
  struct Difference: CustomTestStringConvertible {
    var key: String
    var value: Value
    var field: String?
    var testDescription: String { "\(key): \(field ?? "none")" }
  }

  @Test(arguments: [
    Difference(key: "header", value: "other", field: "params.header"),
    Difference(key: "scrollViews", value: ["content": [:], "b": [:]], field: "params.scrollViews.b"),
    Difference(key: "scrollViews", value: ["a": [:]], field: "params.scrollViews.content"),
    Difference(key: "trackingScrollView", value: nil, field: "params.trackingScrollView"),
    Difference(key: "drawers", value: [], field: "params.drawers[0]"),
    Difference(key: "drawers", value: [["name": "bar", "height": 40]], field: "params.drawers[0].height"),
    Difference(
      key: "drawers", value: [["name": "bar", "height": 44], ["name": "b", "height": 1]], field: "params.drawers[1]"),
    Difference(
      key: "environment", value: ["safeAreaInset": ["left": 1]], field: "params.environment.safeAreaInset.left"),
    Difference(key: "environment", value: ["clockSecondOfMinute": 30], field: nil),
    Difference(key: "hosting", value: ["controller": "x"], field: "params.hosting.controller"),
    Difference(key: "delegates", value: [["behavior": "Fade"]], field: "params.delegates[0]"),
    Difference(key: "frames", value: "manual", field: "params.frames"),
    Difference(key: "frameRate", value: 60, field: nil),
    Difference(key: "lifetime", value: "connection", field: "params.lifetime"),
    Difference(key: "accessibility", value: "original", field: "params.accessibility"),
  ])
  func `the first field that differs is named`(_ row: Difference) throws {
    let drawers: Value = [["name": "bar", "height": 44]]
    let (present, _) = try decode(described(("drawers", drawers)))
    let (other, _) = try decode(described(("drawers", drawers), (row.key, row.value)))
    #expect(present.firstDifference(from: other) == row.field)
    #expect((other.firstDifference(from: present) == nil) == (row.field == nil))
  }

  /// In the time of their size: a client may send a record as large as a message, and send it again.
  @Test func `large records are compared`() throws {
    let members = (0..<100_000).map { Value.Record.Field(name: "m\($0)", value: 0) }
    let (present, _) = try decode(described(("hosting", .record(Value.Record(fields: members)))))
    let (reversed, _) = try decode(described(("hosting", .record(Value.Record(fields: members.reversed())))))
    let (shorter, _) = try decode(described(("hosting", .record(Value.Record(fields: Array(members.dropLast()))))))
    #expect(present == reversed && present.firstDifference(from: reversed) == nil)
    #expect(present.firstDifference(from: shorter) == "params.hosting.m99999")
    #expect(shorter.firstDifference(from: present) == "params.hosting.m99999")
  }

  @Test func `two known clocks that differ are a difference`() throws {
    let (a, _) = try decode(described(("environment", ["clockSecondOfMinute": 1])))
    let (b, _) = try decode(described(("environment", ["clockSecondOfMinute": 2])))
    #expect(a.firstDifference(from: b, at: Path("")) == "environment.clockSecondOfMinute")
  }
}

extension Value {
  /// A field of a record.
  subscript(name: String) -> Value? {
    guard case .record(let record) = self else { return nil }
    return record[name]
  }
}

// MARK: - Drawing from a seed

/// Parts of descriptions and events.
extension SplitMix64 {
  /// A bool as a value.
  mutating func bool() -> Value { .bool(oneIn(2)) }

  /// A number: mostly plain, at times one with a long fraction.
  mutating func number(from low: Double = -2000, to high: Double = 2000) -> Value {
    let number = Double.random(in: low...high, using: &self)
    return .number(oneIn(3) ? number : max(low, min(high, (number * 4).rounded() / 4)))
  }

  /// One of some words.
  mutating func word(_ words: Value...) -> Value { words[Int.random(in: words.indices, using: &self)] }

  /// Puts a field into a record in half of the draws.
  mutating func maybe(_ record: inout Value.Record, _ name: String, _ make: (inout SplitMix64) -> Value) {
    if oneIn(2) { record[name] = make(&self) }
  }

  /// A record with each part in half of the draws.
  mutating func parts(_ names: [String], from low: Double = -2000) -> Value {
    var record = Value.Record()
    for name in names { maybe(&record, name) { $0.number(from: low) } }
    return .record(record)
  }

  mutating func point() -> Value { parts(["x", "y"]) }
  mutating func size() -> Value { parts(["width", "height"], from: 0) }
  mutating func insets() -> Value { parts(["top", "left", "bottom", "right"]) }

  mutating func rect() -> Value {
    var record = Value.Record()
    for name in ["x", "y"] { maybe(&record, name) { $0.number() } }
    for name in ["width", "height"] { maybe(&record, name) { $0.number(from: 0) } }
    return .record(record)
  }

  mutating func refreshControl() -> Value {
    if oneIn(3) { return .null }
    var record = Value.Record()
    maybe(&record, "hidden") { $0.bool() }
    maybe(&record, "refreshing") { $0.bool() }
    maybe(&record, "height") { $0.number(from: 0) }
    return .record(record)
  }

  /// The keys that a scroll view has in a description and, flat, in a layout event.
  mutating func addScrollView(to record: inout Value.Record) {
    for name in ["viewport", "contentSize"] { maybe(&record, name) { $0.size() } }
    for name in ["contentInset", "scrollIndicatorInsets"] { maybe(&record, name) { $0.insets() } }
    maybe(&record, "offset") { $0.point() }
    maybe(&record, "contentInsetAdjustment") { $0.word("never", "automatic") }
    maybe(&record, "kind") { $0.word("scroll", "table", "collection", "web") }
    maybe(&record, "refreshControl") { $0.refreshControl() }
    maybe(&record, "frame") { $0.rect() }
    maybe(&record, "clamping") { $0.word("all", "inset", "none") }
    for name in ["pagingEnabled", "forwardsEvents"] { maybe(&record, name) { $0.bool() } }
  }

  /// The keys of the surroundings.
  mutating func addEnvironment(to record: inout Value.Record) {
    maybe(&record, "safeAreaInset") { $0.insets() }
    maybe(&record, "statusBarHeight") { $0.number(from: 0) }
    maybe(&record, "screenScale") { $0.word(1, 2, 3, 2.75) }
    maybe(&record, "viewOrigin") { $0.point() }
    maybe(&record, "clockSecondOfMinute") { $0.oneIn(4) ? .null : $0.number(from: 0, to: 60) }
    for name in [
      "deviceHasHardwareSafeArea", "statusBarHidden", "statusBarFollowsHeader", "visible", "presented", "keyWindow",
      "voiceOverRunning", "reduceMotion", "appExtension",
    ] { maybe(&record, name) { $0.bool() } }
  }

  /// The keys of a drawer beside its name and heights.
  mutating func addDrawer(_ index: Int, to record: inout Value.Record) {
    maybe(&record, "y") { $0.number() }
    maybe(&record, "width") { $0.number(from: 0) }
    maybe(&record, "alpha") { $0.number(from: 0, to: 1) }
    for name in ["sticky", "hidden"] { maybe(&record, name) { $0.bool() } }
    maybe(&record, "elements") { random in
      .list((0..<random.below(3)).map { random.element("element-\(index)-\($0)") })
    }
  }

  mutating func element(_ name: String) -> Value {
    var record = Value.Record()
    record["name"] = .text(name)
    maybe(&record, "frame") { $0.rect() }
    maybe(&record, "alpha") { $0.number(from: 0, to: 1) }
    maybe(&record, "hidden") { $0.bool() }
    maybe(&record, "zIndex") { $0.number() }
    maybe(&record, "transform") { random in .list((0..<16).map { _ in random.number() }) }
    return .record(record)
  }

  /// A tree of plain data.
  mutating func tree(depth: Int = 3) -> Value {
    switch below(depth > 0 ? 6 : 4) {
    case 0: return .null
    case 1: return bool()
    case 2: return number()
    case 3: return word("", "a", "ö ✓", "long enough to be cut by nobody")
    case 4: return .list((0..<below(3)).map { _ in tree(depth: depth - 1) })
    default:
      var record = Value.Record()
      for name in ["a", "b", "c"] { maybe(&record, name) { $0.tree(depth: depth - 1) } }
      return .record(record)
    }
  }

  mutating func record() -> Value {
    var record = Value.Record()
    for name in ["one", "two", "three"] { maybe(&record, name) { $0.tree() } }
    return .record(record)
  }

  /// A description that fits.
  mutating func description() -> Value {
    var record = Value.Record()
    record["header"] = word("main", "app.main", "a.b-c.d_e")
    let names = Array(["content", "list", "web-1"].prefix(1 + below(3)))
    maybe(&record, "scrollViews") { random in
      var views = Value.Record()
      for name in names {
        var view = Value.Record()
        random.addScrollView(to: &view)
        views[name] = .record(view)
      }
      return .record(views)
    }
    maybe(&record, "trackingScrollView") { $0.word("content", nil) }
    maybe(&record, "drawers") { random in
      .list(
        (0..<random.below(4)).map { index in
          var drawer = Value.Record()
          drawer["name"] = .text("drawer\(index)")
          drawer["height"] = random.number(from: 0)
          random.maybe(&drawer, "minimumHeight") { _ in 0 }
          random.maybe(&drawer, "maximumHeight") { $0.number(from: 0) }
          random.addDrawer(index, to: &drawer)
          return .record(drawer)
        })
    }
    maybe(&record, "environment") { random in
      var environment = Value.Record()
      random.addEnvironment(to: &environment)
      return .record(environment)
    }
    maybe(&record, "hosting") { $0.record() }
    maybe(&record, "delegates") { random in
      [["behavior": "ShyNavBar", "options": random.record()], ["behavior": "Fade", "name": "fader"]]
    }
    maybe(&record, "frames") { $0.word("live", "events", "manual") }
    maybe(&record, "frameRate") { $0.number(from: 1, to: 1000) }
    maybe(&record, "lifetime") { $0.word("daemon", "connection") }
    maybe(&record, "accessibility") { $0.word("shown", "original") }
    maybe(&record, "handOver") { $0.word("behavior", "keep") }
    maybe(&record, "onLeave") { $0.word("keep", "restore") }
    maybe(&record, "stretchTrigger") { $0.word(0, 40) }
    maybe(&record, "tellsObstruction") { $0.bool() }
    maybe(&record, "stops") { random in
      [["name": "half", "progress": random.number(from: 0, to: 1)], ["name": "gone", "progress": 1]]
    }
    return .record(record)
  }
}
