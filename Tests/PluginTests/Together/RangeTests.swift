// SPDX-License-Identifier: MIT
//
// Behaviors with some of the drawers: ShyNavBar with the first ones, FlexibleHeightBar with any one. Each does with its own what it
// does in a header that has no others, and leaves those to others.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct RangeTests {
  private static func header(_ drawers: Value, _ options: Value) -> ComposedHeader {
    ComposedHeader(
      title: "range", drawers: drawers,
      delegates: [ComposedHeader.Member(behavior: "ShyNavBar", options: options)], contentInset: 104)
  }

  private static let two: [Value] = [
    ["name": "navBar", "height": 44, "elements": [["name": "background"], ["name": "title"]]],
    ["name": "extension", "height": 40],
  ]
  private static let tabs: Value = ["name": "tabs", "height": 30, "y": 200]

  @Test(arguments: UInt64(1)...12) func `it moves its own drawers alone`(_ seed: UInt64) throws {
    let alone = try Self.header(.list(Self.two), ["expansionResistance": 30]).open()
    let among = try Self.header(
      .list(Self.two + [Self.tabs]), ["expansionResistance": 30, "drawers": 2]
    ).open()
    for (time, event) in RandomScroll(seed: seed).events {
      for header in [alone, among] { _ = try header.receive(event, at: time) }
      #expect((0..<2).map { among.drawers[$0] } == (0..<2).map { alone.drawers[$0] })
      #expect(among.drawers[2].frame.origin.y == 200 && among.drawers[2].size.height == 30)
      #expect(among.scrollViews[0].contentInset == alone.scrollViews[0].contentInset)
      #expect(among.scrollViews[0].contentOffset == alone.scrollViews[0].contentOffset)
      #expect(among.state.values.map(\.content) == alone.state.values.map(\.content))
    }
    try among.move(to: .stop("collapsed"))
    #expect(among.place.travel == 84 && among.drawers[2].frame.origin.y == 200)
  }

  @Test func `the rest may be another's`() throws {
    let header = try Self.header(.list(Self.two + [Self.tabs]), ["expansionResistance": 0, "drawers": 2]).open()
    let client = DelegateDescription(client: ClientDescription(.intercept), name: "mover")
    try header.addDelegate(client, provider: BuiltPlugins.registry())
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: -64)), at: Instant(seconds: 1))
    let reply: Value = ["verdict": "pass", "actions": [["action": "move", "drawer": "tabs", "by": -10]]]
    while header.isWaiting { _ = try header.apply(.answer(.answer(reply)), provider: BuiltPlugins.registry()) }
    #expect(header.drawers[2].frame.origin.y != 200)
    #expect(!header.isBypassed(0))
  }

  @Test func `its drawers are decided when it joins`() throws {
    let header = try Self.header(.list(Self.two), ["drawers": 1]).open()
    let change = ScrollEvent(.setOptions(["drawers": 2], delegate: nil))
    let error = try #require(throws: HeaderError.self) { try header.receive(change) }
    #expect(error.message.contains("remove it, and add it anew"))
    #expect(throws: HeaderError.self) { try Self.header(.list(Self.two), ["drawers": 0]).open() }
  }

  private static func bars(_ named: [String], definers: [String]) -> ComposedHeader {
    let drawers = ["first", "second"].map { name -> Value in
      ["name": .text(name), "height": 120, "minimumHeight": 20, "maximumHeight": 120]
    }
    let members = zip(named, definers).map { name, definer in
      ComposedHeader.Member(
        behavior: "FlexibleHeightBar", name: name, options: ["definer": .text(definer), "drawer": .text(name)])
    }
    return ComposedHeader(title: "bars", drawers: .list(drawers), delegates: members, contentInset: 120)
  }

  @Test(arguments: UInt64(1)...8) func `two height bars each have a drawer`(_ seed: UInt64) throws {
    let both = try Self.bars(["second", "first"], definers: ["squareCash", "facebook"]).open()
    let alone = [
      try Self.bars(["second"], definers: ["squareCash"]).open(),
      try Self.bars(["first"], definers: ["facebook"]).open(),
    ]
    for (time, event) in RandomScroll(seed: seed).events {
      for header in [both] + alone { _ = try header.receive(event, at: time) }
      #expect(both.drawers[1] == alone[0].drawers[1] && both.drawers[0] == alone[1].drawers[0])
    }
    #expect(!both.isBypassed(0) && !both.isBypassed(1))
    // The first owner of a value has its plain name.
    #expect(both.state.names.values.filter { $0.hasSuffix("progress") } == ["progress", "first.progress"])
  }

  @Test func `a bar's drawer is one that there is, and stays`() throws {
    let missing = try #require(throws: HeaderError.self) { try Self.bars(["third"], definers: ["facebook"]).open() }
    #expect(missing.message.contains("there is no drawer \"third\"; there are first, second"))
    let header = try Self.bars(["second"], definers: ["facebook"]).open()
    let change = try #require(throws: HeaderError.self) {
      try header.receive(ScrollEvent(.setOptions(["drawer": "first"], delegate: nil)))
    }
    #expect(change.message.contains("remove it, and add it anew"))
  }
}
