// SPDX-License-Identifier: MIT
//
// The bar's options, calls and company: what is refused and in which words, how it begins, and what it does beside others.
// What it does when content scrolls stands in the recordings (Tests/Conformance) and in the properties.

import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct FlexibleHeightBarTests {
  // MARK: Options

  @Test func everyOptionIsDescribed() throws {
    let behavior = try #require(BuiltPlugins.registry().behavior(named: "FlexibleHeightBar"))
    #expect(
      behavior.options.map(\.name) == [
        "definer", "currentlySnapping", "elasticMaximumHeightAtTop", "isScrollViewDelegate", "snapping",
        "snappingEnabled", "drawer", "elements",
        "initialization", "maximumBarHeight", "minimumBarHeight", "revealVelocity", "snapVelocity",
        "thresholdFromTop", "thresholdNegativeDirection", "thresholdPositiveDirection", "yields",
      ])
    for option in behavior.options {
      #expect(!option.meaning.isEmpty, "\(option.name)")
      guard option.type == .number else { continue }
      #expect(option.unit != nil && option.minimum != nil && option.maximum != nil, "\(option.name)")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var options: Value.Record
    var message: String
    var testDescription: String { message }
  }

  private static let refuses = "FlexibleHeightBar refuses it: "
  private static func layouts(_ layout: Value.Record) -> Value.Record {
    ["elements": [["element": "label", "layouts": [.record(layout)]]]]
  }

  static let rows = [
    Row(
      options: ["definer": "firefox"],
      message: "definer: expected one of \"none\", \"base\", \"squareCash\", \"facebook\", \"safari\", got \"firefox\""),
    Row(options: ["snappingEnabled": 1], message: "snappingEnabled: expected true or false, got 1"),
    Row(options: ["snappping": []], message: "snappping: there is no such option, expected one of definer, "),
    Row(
      options: ["maximumBarHeight": 1e9],
      message: "maximumBarHeight: expected a number of points from -100000000 to 100000000, got 1000000000"),
    Row(
      options: ["revealVelocity": -1],
      message: "revealVelocity: expected a number of points per millisecond from 0 to 1000, got -1"),
    Row(
      options: ["snapVelocity": 0],
      message: "snapVelocity: expected a number of points per millisecond from 0.01 to 1000, got 0"),
    Row(options: ["snapping": [3]], message: "snapping[0]: expected a record, got 3"),
    Row(
      options: ["snapping": [["progress": 1, "start": 0]]],
      message: "snapping[0].end: expected a number"),
    Row(
      options: ["snapping": [["progress": 1, "start": 0.5, "end": 0.2]]],
      message: "snapping[0]: a snapping range ends at 0.2, before it starts at 0.5"),
    Row(
      options: [
        "snapping": [["progress": 0, "start": 0, "end": 0.4], ["progress": 1, "start": 0.3, "end": 1]]
      ],
      message:
        "snapping[1]: the snapping range from 0.3 to 1.0 conflicts with the one from 0.0 to 0.4"),
    Row(
      options: ["elements": [["element": "lable"]]],
      message: "delegates[0]: \(refuses)the bar has no element \"lable\"; there are label, icon"),
    Row(
      options: ["elements": [["element": "label"], ["element": "label"]]],
      message: "elements[1].element: \"label\" stands twice"),
    Row(
      options: ["elements": [["element": "label", "keys": [["progress": 0, "layout": "big"]]]]],
      message: "elements[0].keys[0].layout: there is no layout \"big\"; there is none"),
    Row(
      options: layouts(["name": "a", "copyOf": "b"]),
      message: "elements[0].layouts[0].copyOf: there is no layout \"b\"; there is none"),
    Row(
      options: layouts(["name": "a", "color": "red"]),
      message: "elements[0].layouts[0].color: there is no such field"),
    Row(
      options: layouts(["name": "a", "set": [["alpha": 0.5], ["color": "red"]]]),
      message: "elements[0].layouts[0].set[1].color: there is no such field"),
    Row(
      options: layouts(["name": "a", "bounds": ["x": 1, "y": 0, "width": 2, "height": 2]]),
      message: "elements[0].layouts[0].bounds: expected the origin (0, 0)"),
    Row(
      options: layouts(["name": "a", "size": ["width": -1, "height": 2]]),
      message: "elements[0].layouts[0]: its size is negative, expected at least 0"),
    Row(
      options: layouts(["name": "a", "zIndex": 1e12]),
      message: "elements[0].layouts[0]: it holds a number beyond ±1e9"),
  ]

  @Test(arguments: rows) func anOptionThatIsWrongIsNamed(_ row: Row) throws {
    let error = try #require(throws: HeaderError.self) { try ComposedHeader.bar(row.options).open() }
    #expect(["invalidOption", "conflict"].contains(error.name.rawValue))
    let message = row.message.hasPrefix("delegates") ? row.message : "delegates[0].options.\(row.message)"
    #expect(error.message.hasPrefix(message), "\(error.message)")
  }

  /// A refused option leaves everything as it was.
  @Test func aRefusedChangeChangesNothing() throws {
    let header = try ComposedHeader.bar(["definer": "squareCash", "snapping": BarRun.halves]).open()
    let before = header.sight
    #expect(throws: HeaderError.self) {
      try header.configure([
        "definer": "facebook", "maximumBarHeight": 100, "elements": [["element": "nobody"]],
      ])
    }
    #expect(header.sight == before)
    try header.drag(to: -64 + 30)
    #expect(header.progress == 1)
  }

  @Test(arguments: [
    ("drawer", 64.0, 20.0), ("frame", 74, 20), ("nib", 64, 20), ("plain", 44, 20),
  ]) func begins(_ way: String, _ maximum: Double, _ minimum: Double) throws {
    var composed = ComposedHeader.bar(["initialization": .text(way)])
    composed.drawers = [["name": "bar", "y": 10, "height": 64, "minimumHeight": .number(minimum)]]
    let header = try composed.open()
    #expect(header.number("maximumBarHeight") == maximum)
    #expect(header.number("minimumBarHeight") == minimum)
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)))
    #expect(header.drawers[0].frame.origin.y == 10)
    #expect(header.drawers[0].size.height == maximum)
    let refusal = #expect(throws: HeaderError.self) {
      try header.configure(["initialization": way == "nib" ? "plain" : "nib"])
    }
    #expect(refusal?.hint == "it says how the bar begins, and this bar has begun as \"\(way)\"")
  }

  @Test func elementsAreSavedOnceACallHasChangedThem() throws {
    let header = try ComposedHeader.bar(["definer": "base", "elements": BarRun.looks]).open()
    func saves() throws -> Bool { "\(try header.save())".contains("bundles") }
    try header.scroll(to: 0)
    #expect(try !saves())
    try header.call("setLayoutAttribute", ["layout": "small", "set": [["alpha": 0.25]]])
    #expect(try saves())
  }

  /// Heights of the drawer that the application changes are the bar's.
  @Test func theDrawersHeightsAreTheBars() throws {
    let header = try ComposedHeader.bar(["definer": "squareCash"]).open()
    var change = LayoutChange()
    var unknown: [UnknownField] = []
    let drawers: Value = [["name": "bar", "minimumHeight": 30, "maximumHeight": 130]]
    let event = try TimedEvent(["event": "layout", "drawers": drawers], unknown: &unknown)
    if case .layout(let given) = event.event.kind { change = given }
    _ = try header.receive(ScrollEvent(.layout(change)))
    try header.scroll(to: -64 + 50)
    #expect(header.progress == 0.5)
    #expect(header.drawers[0].size.height == 80)
  }

  // MARK: Calls

  @Test func callsSayWhatIsMissingAndWhatIsNotThere() throws {
    let header = try ComposedHeader.bar(["definer": "base", "elements": BarRun.looks]).open()
    func refusal(_ name: String, _ arguments: Value.Record) throws -> String {
      try #require(throws: HeaderError.self) { try header.call(name, arguments) }.message
    }
    let prefix = "FlexibleHeightBar refuses: "
    #expect(
      try refusal("setProgress", [:]) == "setProgress: \(prefix)the argument progress is missing, expected a number")
    #expect(
      try refusal("layoutAttributes", ["layout": "huge"])
        == "layoutAttributes: \(prefix)layout: there is no layout \"huge\"; there are large, small")
    #expect(
      try refusal("progressAtIndex", ["element": "label", "index": 2])
        == "progressAtIndex: \(prefix)there is no key 2, there are 2")
    #expect(
      try refusal("numberOfLayoutAttributes", ["element": "lable"])
        == "numberOfLayoutAttributes: \(prefix)the bar has no element \"lable\"; there are label, icon")
    #expect(try refusal("setProgress", ["progress": "half"]).hasPrefix("arguments.progress: expected a number"))
    try header.call("addSnappingPosition", ["progress": 0, "start": 0, "end": 0.4])
    #expect(
      try refusal("addSnappingPosition", ["progress": 1, "start": 0.3, "end": 0.6])
        == "addSnappingPosition: \(prefix)the snapping range from 0.3 to 0.6 conflicts with the one from 0.0 to 0.4")
    // Touching is none.
    try header.call("addSnappingPosition", ["progress": 1, "start": 0.4, "end": 0.6])
  }

  /// All attributes of one call, or none.
  @Test func aBundleIsSetInOnePiece() throws {
    let header = try ComposedHeader.bar(["elements": BarRun.looks]).open()
    let before = try header.call("layoutAttributes", ["layout": "small"])
    #expect(throws: HeaderError.self) {
      try header.call("setLayoutAttribute", ["layout": "small", "set": [["alpha": 0.1], ["size": 3]]])
    }
    #expect(try header.call("layoutAttributes", ["layout": "small"]) == before)
  }

  @Test func elementsFollowProgressWithTheirCorners() throws {
    let keys: Value = [
      ["progress": 0, "frame": ["x": 0, "y": 0, "width": 40, "height": 40], "cornerRadius": 20],
      ["progress": 1, "frame": ["x": 0, "y": 0, "width": 20, "height": 20], "cornerRadius": 0, "hidden": true],
    ]
    let header = try ComposedHeader.bar([
      "definer": "squareCash", "elements": [["element": "icon", "keys": keys]],
    ]).open()
    try header.scroll(to: -64 + 22)
    let icon = try header.element("icon")
    #expect(icon.frame == Rect(origin: Point(), size: Size(width: 30, height: 30)))
    #expect(icon.cornerRadius == 10)
    #expect(!icon.isHidden)
    try header.scroll(to: 0)
    #expect(try header.element("icon").isHidden)
    #expect(try !header.element("label").isChanged)
  }

  // MARK: Company

  /// Fades the label by the bar's progress.
  private static let keyframes = ComposedHeader.Member(
    behavior: "Keyframes",
    options: [
      "tracks": [
        [
          "element": "label", "value": "progress",
          "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0]],
        ]
      ]
    ])

  @Test func keyframesFollowItsProgress() throws {
    let header = try ComposedHeader.bar(["definer": "squareCash"], then: [Self.keyframes]).open()
    try header.scroll(to: -64 + 11)
    #expect(header.progress == 0.25)
    #expect(try header.element("label").alpha == 0.75)
  }

  /// Two that decide the look of one element are told so at opening, and by a call that comes later.
  @Test func anElementHasOneOwner() throws {
    let both = ComposedHeader.bar(["elements": BarRun.looks], then: [Self.keyframes])
    let error = try #require(throws: HeaderError.self) { try both.open() }
    #expect(error.name == .conflict)
    #expect(error.message.contains("flexibleHeightBar") && error.message.contains("keyframes"))

    let looks: Value = [["element": "icon", "layouts": [["name": "small"]]]]
    let apart = try ComposedHeader.bar(["elements": looks], then: [Self.keyframes]).open()
    let late = try #require(throws: HeaderError.self) {
      try apart.call("addLayoutAttributes", ["element": "label", "layout": "small", "progress": 0])
    }
    #expect(late.name == .callFailed)
    #expect(late.message.contains("\"label\""))
    #expect(!apart.isBypassed(0))
  }

  /// With `yields` the bar leaves to the other what it has claimed.
  @Test func aBarThatYieldsLeavesElements() throws {
    let header = try ComposedHeader.bar(
      ["definer": "squareCash", "elements": BarRun.looks, "yields": true], then: [Self.keyframes]
    ).open()
    try header.scroll(to: 0)
    #expect(header.drawers[0].size.height == 20)
    #expect(try header.element("label").alpha == 0)
    #expect(try header.element("label").center == Point(x: 60, y: 32))
  }

  @Test func twoThatMoveTheBarConflict() throws {
    let both = ComposedHeader.bar(["definer": "squareCash"], then: [.init(behavior: "StretchyHeader")])
    let error = try #require(throws: HeaderError.self) { try both.open() }
    #expect(error.name == .conflict)
    #expect(error.message.contains("flexibleHeightBar") && error.message.contains("stretchyHeader"))
  }

  @Test func aBarThatYieldsTheBarRests() throws {
    let header = try ComposedHeader.bar(
      ["definer": "squareCash", "yields": true],
      then: [.init(behavior: "StretchyHeader", options: ["headerHeight": 84])]
    ).open()
    try header.scroll(to: -100)
    #expect(header.drawers[0].size.height == 164)
    #expect(header.progress == 0)
    #expect(throws: HeaderError.self) { try header.call("setProgress", ["progress": 1]) }
  }

  /// However short its way is, a bar that a bound holds goes on from where it is, and not from where its law would have it.
  @Test(arguments: [44, 1]) func aBarThatABoundHoldsStaysThereAsTheContentFollows(_ range: Int) throws {
    let header = try ComposedHeader.bar(["definer": "squareCash"], from: 20 + range, to: 20).open()
    try header.move(to: .progress(1))
    try header.constrain("tour", 0...0.5)
    #expect(header.progress == 0.5)
    let top = header.scrollViews[0].contentOffset.y
    try header.scroll(to: top + Double(range) / 4)
    #expect(header.progress == 0.5)
  }

  /// A bar that a call has shown over content that is far down stays so until scrolling has hidden it; from then on it is as if
  /// nobody had called.
  @Test func aBarThatScrollingHidesAfterACallFollowsItsLawAgain() throws {
    let header = try ComposedHeader.bar(["definer": "squareCash"], from: 52, to: 20).open()
    try header.scroll(to: -52 + 48)
    try header.move(to: .progress(0.75))
    #expect(header.progress == 0.75)
    try header.scroll(to: -52 + 56)
    #expect(header.progress == 1)
    try header.scroll(to: -52 + 48)
    #expect(header.progress == 1)
  }

  @Test func aHeaderWithoutDrawersIsRefused() throws {
    var composed = ComposedHeader.bar([:])
    composed.drawers = []
    let error = try #require(throws: HeaderError.self) { try composed.open() }
    #expect(error.message == "delegates[0]: FlexibleHeightBar refuses it: it needs a drawer for the bar")
  }
}
