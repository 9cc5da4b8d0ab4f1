// SPDX-License-Identifier: MIT
//
// Several behaviors on one header: who moves, who only reads, who gives way; and that a composed header is as good a header
// as any other: its delegates' order, a save and a reload make no difference to what is to be seen.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

/// The arrangements that every property is checked with.
enum Arrangements {
  typealias Member = ComposedHeader.Member

  static let bars: Value = [
    [
      "name": "navBar", "height": 44,
      "elements": [["name": "background"], ["name": "title"], ["name": "button"]],
    ],
    ["name": "extension", "height": 40, "elements": [["name": "shade"], ["name": "search"]]],
  ]

  static let image: Value = [
    [
      "name": "header", "height": 180,
      "elements": [
        ["name": "image", "frame": ["x": 0, "y": 0, "width": 375, "height": 180]], ["name": "caption"],
      ],
    ],
    ["name": "title", "height": 30],
  ]

  /// The title fades as the bar contracts.
  static let fade: Value = [
    "tracks": [
      [
        "element": "title", "drawer": "navBar", "by": "contraction",
        "keys": [["progress": 0], ["progress": 1, "alpha": 0, "scale": ["x": 0.5, "y": 0.5]]],
      ]
    ]
  ]

  /// The image moves at half the speed of the content, and grows with its drawer.
  static let parallax: Value = [
    "tracks": [
      [
        "element": "image", "value": "topConstant", "to": -180,
        "keys": [["progress": 0], ["progress": 1, "translation": ["x": 0, "y": 90]]],
      ],
      [
        "element": "image", "drawer": "header", "by": "height", "from": 180, "to": 380,
        "keys": [
          ["progress": 0, "frame": ["x": 0, "y": 0, "width": 375, "height": 180]],
          ["progress": 1, "frame": ["x": -50, "y": 0, "width": 475, "height": 380]],
        ],
      ],
    ]
  ]

  static func keyframes(_ options: Value, name: String? = nil) -> Member {
    Member(behavior: "Keyframes", name: name, options: options)
  }

  /// The image fades while the header shifts off the screen, its caption shows as it over-extends.
  static let phases: Value = [
    "tracks": [
      [
        "element": "image", "value": "shiftAccumulator", "to": 72,
        "keys": [["progress": 0], ["progress": 1, "alpha": 0.25]],
      ],
      [
        "element": "caption", "drawer": "header", "by": "height", "from": 160, "to": 240,
        "keys": [["progress": 0, "alpha": 0], ["progress": 1, "alpha": 1]],
      ],
    ]
  ]

  static let shrinking: Value = [
    [
      "name": "bar", "height": 64, "minimumHeight": 20,
      "elements": [
        ["name": "label", "frame": ["x": 10, "y": 20, "width": 100, "height": 24]], ["name": "icon"],
      ],
    ],
    ["name": "title", "height": 30],
  ]

  /// The bar's own look of its label.
  static let looks: Value = [
    [
      "element": "label",
      "layouts": [
        ["name": "large", "size": ["width": 100, "height": 24], "center": ["x": 60, "y": 32]],
        ["name": "small", "copyOf": "large", "center": ["x": 60, "y": 10], "alpha": 0.5],
      ], "keys": [["progress": 0, "layout": "large"], ["progress": 0.7, "layout": "small"]],
    ]
  ]

  /// The icon goes with the bar.
  static let collapse: Value = [
    "tracks": [
      [
        "element": "icon", "drawer": "bar", "by": "collapse",
        "keys": [["progress": 0], ["progress": 1, "alpha": 0, "scale": ["x": 0.5, "y": 0.5]]],
      ]
    ]
  ]

  static let all = [
    ComposedHeader(
      title: "ShyNavBar + Keyframes", drawers: bars,
      delegates: [Member(behavior: "ShyNavBar", options: ["fadeBehavior": "disabled"]), keyframes(fade)]),
    ComposedHeader(
      title: "StretchyHeader + Keyframes", drawers: image,
      delegates: [Member(behavior: "StretchyHeader"), keyframes(parallax)], contentInset: 0),
    ComposedHeader(
      title: "ShyNavBar + StretchyHeader, which yields", drawers: bars,
      delegates: [Member(behavior: "ShyNavBar"), Member(behavior: "StretchyHeader", options: ["yields": true])]),
    ComposedHeader(
      title: "StretchyHeader + ShyNavBar, which yields, + Keyframes", drawers: image,
      delegates: [
        Member(behavior: "StretchyHeader", options: ["contentBelowTitle": 2000]),
        Member(behavior: "ShyNavBar", options: ["yields": true]), keyframes(parallax),
      ], contentInset: 0),
    ComposedHeader(
      title: "ShyNavBar + Keyframes + Keyframes, which yields", drawers: bars,
      delegates: [
        Member(behavior: "ShyNavBar", options: ["fadeBehavior": "navbar"]), keyframes(fade, name: "first"),
        keyframes(
          [
            "yields": true,
            "tracks": [
              [
                "element": "title", "drawer": "navBar", "by": "contraction",
                "keys": [["progress": 0, "alpha": 0.5], ["progress": 1, "alpha": 0.25]],
              ],
              [
                "element": "search", "drawer": "extension", "by": "contraction", "to": 0.5,
                "keys": [["progress": 0.25, "zIndex": 1], ["progress": 0.75, "zIndex": 5, "hidden": true]],
              ],
            ],
          ], name: "second"),
      ]),
    ComposedHeader(
      title: "FlexibleHeader + Keyframes", drawers: image,
      delegates: [
        Member(
          behavior: "FlexibleHeader",
          options: ["minimumHeight": 72, "maximumHeight": 160, "shiftBehavior": "enabledWithStatusBar"]),
        keyframes(phases),
      ], contentInset: 0),
    ComposedHeader(
      title: "FlexibleHeader + StretchyHeader, which yields", drawers: image,
      delegates: [
        Member(
          behavior: "FlexibleHeader", options: ["minimumHeight": 72, "maximumHeight": 160, "shiftBehavior": "enabled"]),
        Member(behavior: "StretchyHeader", options: ["yields": true]),
      ], contentInset: 0),
    ComposedHeader(
      title: "FlexibleHeightBar + Keyframes", drawers: shrinking,
      delegates: [
        Member(
          behavior: "FlexibleHeightBar", options: ["definer": "facebook", "elements": looks, "snapping": BarRun.halves]),
        keyframes(collapse),
      ]),
    ComposedHeader(
      title: "FlexibleHeightBar + StretchyHeader, which yields, + ShyNavBar, which rests", drawers: shrinking,
      delegates: [
        Member(behavior: "FlexibleHeightBar", options: ["definer": "safari", "elasticMaximumHeightAtTop": true]),
        Member(behavior: "StretchyHeader", options: ["yields": true]),
        Member(behavior: "ShyNavBar", options: ["yields": true]),
      ]),
    ComposedHeader(
      title: "CollapsingHeader + Keyframes", drawers: bars,
      delegates: [
        Member(
          behavior: "CollapsingHeader",
          options: [
            "invariants": "strict", "tellsProgress": true,
            "drawers": [["drawer": "extension", "stretch": ["factor": 1]]],
          ]), keyframes(fade),
      ]),
  ]
}

/// All orders of so many things.
private func orders(_ count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return orders(count - 1).flatMap { order in
    (0...order.count).map { place in Array(order[..<place]) + [count - 1] + Array(order[place...]) }
  }
}

@Suite struct CompositionTests {
  // MARK: Any arrangement

  @Test(arguments: Arrangements.all, UInt64(1)...3)
  func theOrderOfDelegatesMakesNoDifference(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let headers = try orders(composed.delegates.count).map { try composed.reordered($0).open() }
    try #require(headers.count > 1)
    for (time, event) in RandomScroll(seed: seed).events {
      for header in headers { _ = try header.receive(event, at: time) }
      for header in headers.dropFirst() { #expect(header.sight == headers[0].sight) }
    }
    try requireHealth(of: headers)
  }

  @Test(arguments: Arrangements.all, UInt64(1)...3)
  func aSaveAfterAnyEventMakesNoDifference(_ composed: ComposedHeader, _ seed: UInt64) throws {
    try requireHealth(of: composed.expectNoDifferenceByRebirth(seed: seed))
  }

  /// One header lives on, the other gets new code for one of its delegates after each event.
  @Test(arguments: Arrangements.all, UInt64(1)...3)
  func aReloadAfterAnyEventMakesNoDifference(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let (header, reloaded) = (try composed.open(), try composed.open())
    var dice = SplitMix64(seed: seed)
    for (time, event) in RandomScroll(seed: seed).events {
      _ = try header.receive(event, at: time)
      _ = try reloaded.receive(event, at: time)
      #expect(reloaded.sight == header.sight)
      try reloaded.reloadDelegate(at: Int.random(in: 0..<composed.delegates.count, using: &dice))
      #expect(reloaded.sight == header.sight)
    }
    try requireHealth(of: [header, reloaded])
  }

  @Test(arguments: Arrangements.all, UInt64(1)...3)
  func aReplayIsIdentical(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let story = try composed.story(seed: seed)
    #expect(try composed.story(seed: seed) == story)
    #expect(story.count > 20)
  }

  /// No delegate failed on the way: else the comparisons show nothing.
  private func requireHealth(of headers: [Header]) throws {
    for header in headers {
      for index in header.delegates.indices { try #require(!header.isBypassed(index)) }
    }
  }

  // MARK: Who only reads

  /// With Keyframes and without: the same drawers, offsets and insets.
  @Test(arguments: [0, 1], UInt64(1)...6) func keyframesMoveNothing(_ which: Int, _ seed: UInt64) throws {
    let composed = Arrangements.all[which]
    var alone = composed
    alone.delegates.removeLast()
    let (header, reference) = (try composed.open(), try alone.open())
    for (time, event) in RandomScroll(seed: seed).events {
      let answer = try header.receive(event, at: time)
      let expected = try reference.receive(event, at: time)
      #expect(answer.targetOffset == expected.targetOffset && answer.returned == expected.returned)
      #expect(header.drawers.elements == reference.drawers.elements)
      #expect(header.scrollViews.elements == reference.scrollViews.elements)
    }
  }

  /// Whatever moved the bar, the title's look belongs to where it is, in the same state.
  @Test(arguments: UInt64(1)...8) func theLookBelongsToThePlace(_ seed: UInt64) throws {
    let header = try Arrangements.all[0].open()
    for (time, event) in RandomScroll(seed: seed, gestures: 30).events {
      _ = try header.receive(event, at: time) { state in
        let bar = state.drawers[0]
        let progress = (header.chain.origin + 22 - bar.center.y) / 44
        #expect(abs(Double(state.elements[1].alpha) - (1 - progress)) < 1e-6)
        #expect(abs(state.elements[1].transform.numbers[0] - (1 - progress / 2)) < 1e-9)
      }
    }
  }

  // MARK: Who moves

  @Test(arguments: [["ShyNavBar", "StretchyHeader"], ["StretchyHeader", "ShyNavBar"]])
  func twoMoversAreAConflictThatNamesBoth(_ behaviors: [String]) throws {
    let composed = ComposedHeader(
      title: "", drawers: Arrangements.bars, delegates: behaviors.map { .init(behavior: $0) })
    let error = #expect(throws: HeaderError.self) { try composed.open() }
    #expect(error?.name == .conflict)
    let names = behaviors.map { BehaviorDescription.lowerCamelCase($0) }
    #expect(error?.message == "delegates[0]: \"\(names[1])\" and \"\(names[0])\" both want the drawer \"navBar\"")
  }

  /// Whoever yields and gets nothing leaves the header as if it were not there.
  @Test(arguments: [0, 1], UInt64(1)...3) func whoYieldsAllChangesNothing(_ place: Int, _ seed: UInt64) throws {
    for (mover, other) in [("ShyNavBar", "StretchyHeader"), ("StretchyHeader", "ShyNavBar")] {
      var composed = ComposedHeader(title: "", drawers: Arrangements.bars, delegates: [.init(behavior: mover)])
      let alone = try composed.open()
      composed.delegates.insert(.init(behavior: other, options: ["yields": true]), at: place)
      let both = try composed.open()
      for (time, event) in RandomScroll(seed: seed).events {
        _ = try alone.receive(event, at: time)
        _ = try both.receive(event, at: time)
        #expect(both.drawers.elements == alone.drawers.elements)
        #expect(both.scrollViews.elements == alone.scrollViews.elements)
        #expect(both.elements.elements == alone.elements.elements)
      }
    }
  }

  @Test func whoRestsSaysSoWhenItIsCalled() throws {
    let header = try Arrangements.all[3].open()
    let error = #expect(throws: HeaderError.self) {
      try header.receive(ScrollEvent(.call(name: "contract", arguments: Value.Record(), delegate: "shyNavBar")))
    }
    #expect(error?.name == .callFailed)
    #expect(error?.hint == "it is dormant: it yields, and another delegate has the drawers that it needs")
  }

  // MARK: Elements

  private func fades(_ elements: [String], yields: Bool = false) -> Value {
    [
      "yields": .bool(yields),
      "tracks": .list(
        elements.map { element in
          [
            "element": .text(element), "drawer": "navBar", "by": "contraction",
            "keys": [["progress": 0, "alpha": yields ? 0.5 : 0.75], ["progress": 1, "alpha": 0]],
          ]
        }),
    ]
  }

  private func twoFades(_ first: Value, _ second: Value) -> ComposedHeader {
    ComposedHeader(
      title: "", drawers: Arrangements.bars,
      delegates: [Arrangements.keyframes(first, name: "first"), Arrangements.keyframes(second, name: "second")])
  }

  @Test func twoThatSetAnElementAreAConflictThatNamesBoth() throws {
    let error = #expect(throws: HeaderError.self) { try twoFades(fades(["title"]), fades(["button", "title"])).open() }
    #expect(error?.name == .conflict)
    #expect(error?.message == "delegates[0]: \"second\" and \"first\" both want the element \"title\"")
  }

  @Test(arguments: [[0, 1], [1, 0]]) func whoYieldsAnElementSetsTheOthers(_ order: [Int]) throws {
    let header = try twoFades(fades(["title"]), fades(["title", "button"], yields: true)).reordered(order).open()
    #expect(try header.element("title").alpha == 0.75)
    #expect(try header.element("button").alpha == 0.5)
  }

  /// A track that is set later claims its element then, or is refused with both names.
  @Test func anOptionMayClaimAnElement() throws {
    let header = try twoFades(fades(["title"]), fades(["button"])).open()
    func set(_ options: Value) throws {
      guard case .record(let record) = options else { return }
      let tracks = Value.Record(fields: record.fields.filter { $0.name == "tracks" })
      _ = try header.receive(ScrollEvent(.setOptions(tracks, delegate: "second")))
    }
    let error = #expect(throws: HeaderError.self) { try set(fades(["background", "title"])) }
    #expect(error?.name == .conflict)
    #expect(error?.message == "options.tracks: \"first\" and \"second\" both want the element \"title\"")
    #expect(try !header.element("background").isChanged)
    try set(fades(["background", "button"]))
    #expect(try header.element("background").alpha == 0.75)
    #expect(!header.isBypassed(1))
  }

  // MARK: Other drawers

  /// A header of a bar alone, of which a delegate has all; then there is a title too, and who rested gets that.
  @Test(arguments: [[0, 1], [1, 0]], [true, false]) func whoRestedWakesWithItsDrawers(_ order: [Int], _ isSaved: Bool)
    throws
  {
    let bar: Value = ["name": "bar", "height": 64, "minimumHeight": 20]
    let title: Value = ["name": "title", "height": 30]
    func composed(_ drawers: Value) -> ComposedHeader {
      ComposedHeader(
        title: "", drawers: drawers,
        delegates: [
          .init(behavior: "FlexibleHeightBar", options: ["definer": "squareCash"]),
          .init(behavior: "StretchyHeader", options: ["yields": true, "headerHeight": 120]),
        ]
      ).reordered(order)
    }
    var header = try composed([bar]).open()
    if isSaved { header = try header.reborn() }
    try header.scroll(to: 10)
    // It wakes, goes to rest when its drawer is gone, and wakes again where the content is then.
    for (drawers, y): (Value, Double) in [([bar, title], 30), ([bar], 40), ([bar, title], 55)] {
      try header.reconfigure(to: composed(drawers).description())
      try header.scroll(to: y)
      for index in header.delegates.indices { #expect(!header.isBypassed(index)) }
      guard header.drawers.count == 2 else { continue }
      #expect(try header.drawer("title").frame == Rect(x: 20, y: 120 - y, width: 335, height: 30))
    }
    // As one that was opened with both.
    let fresh = try composed([bar, title]).open()
    try fresh.scroll(to: 55)
    #expect(header.drawers.elements == fresh.drawers.elements)
  }

  /// Drawers and elements come and go while the header lives: tracks find their elements again, owners stay.
  @Test(arguments: [[0, 1], [1, 0]]) func elementsMayMove(_ order: [Int]) throws {
    let composed = twoFades(fades(["title"]), fades(["title", "button"], yields: true)).reordered(order)
    let header = try composed.open()
    func use(_ drawers: Value) throws {
      var changed = composed
      changed.drawers = drawers
      try header.reconfigure(to: changed.description())
      for index in header.delegates.indices { #expect(!header.isBypassed(index)) }
    }
    try use([
      ["name": "extension", "height": 40, "elements": [["name": "button"]]],
      ["name": "navBar", "height": 44, "elements": [["name": "title"], ["name": "background"]]],
    ])
    #expect(try header.element("title").alpha == 0.75)
    #expect(try header.element("button").alpha == 0.5)
    #expect(try !header.element("background").isChanged)
    // Without the bar the tracks rest; with it they go on.
    try use([["name": "extension", "height": 40, "elements": [["name": "button"]]]])
    try use(composed.drawers)
    #expect(try header.element("title").alpha == 0.75)
  }
}
