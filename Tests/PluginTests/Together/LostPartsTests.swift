// SPDX-License-Identifier: MIT
//
// A header that loses its drawers or its tracking scroll view while behaviors are in it: they lose their part in it and
// nothing else. They can be saved and born again, and what comes back they take up.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct LostPartsTests {
  static let behaviors = [
    "ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar", "Keyframes", "CollapsingHeader",
  ]

  /// An option of each that would change a drawer.
  static let told: [(String, String, Value)] = [
    ("ShyNavBar", "stickyNavigationBar", false), ("FlexibleHeader", "maximumHeight", 200),
    ("FlexibleHeightBar", "maximumBarHeight", 90), ("CollapsingHeader", "blocks", [["flags": ["scroll"]]]),
  ]

  private func header(_ behavior: String, _ options: Value.Record = Value.Record()) throws -> ComposedHeader {
    ComposedHeader(
      title: "", drawers: [["name": "bar", "height": 44], ["name": "below", "height": 40]],
      delegates: [.init(behavior: behavior, options: .record(options))])
  }

  private func scroll(_ header: Header, _ seed: UInt64) throws {
    for (time, event) in RandomScroll(seed: seed).events {
      _ = try? header.receive(event, at: Instant(nanoseconds: header.now.nanoseconds + time.nanoseconds))
    }
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)), at: header.now.advanced(bySeconds: 10))
  }

  @Test(arguments: behaviors, [false, true]) func losesItsDrawers(_ behavior: String, _ yields: Bool) throws {
    let composed = try header(behavior, yields ? ["yields": true] : [:])
    let header = try composed.open()
    try scroll(header, 1)
    var next = header.description
    next.drawers = []
    // Some cannot do without, and are bypassed.
    do { try header.reconfigure(to: next) } catch { #expect(error.name == .behaviorFailed) }
    try scroll(header, 2)
    #expect(header.drawers.count == 0)
    try header.reconfigure(to: composed.description())
    try scroll(header, 3)
    #expect(header.drawers.count == 2)
  }

  @Test(arguments: behaviors) func losesItsTrackingScrollView(_ behavior: String) throws {
    let header = try header(behavior).open()
    try scroll(header, 1)
    var next = header.description
    next.trackingScrollView = nil
    try header.reconfigure(to: next)
    try scroll(header, 2)
    // As a recording begins, and as code is reloaded.
    _ = try header.reborn()
    try header.reloadDelegate(at: 0)
    try scroll(header, 3)
    #expect(header.failure == nil)
  }

  /// One that has rested goes on when it gets a drawer, also where it was born again meanwhile: it does not begin once more, which
  /// it could not do without a tracking scroll view.
  @Test(arguments: behaviors) func goesOnAfterRestingAndBeingBornAgain(_ behavior: String) throws {
    let composed = try header(behavior, ["yields": true])
    let header = try composed.open()
    try scroll(header, 1)
    var bare = header.description
    (bare.drawers, bare.trackingScrollView) = ([], nil)
    try? header.reconfigure(to: bare)
    let reborn = try header.reborn()
    for header in [header, reborn] {
      var next = header.description
      next.drawers = try composed.description().drawers
      try? header.reconfigure(to: next)
      next.trackingScrollView = "content"
      try? header.reconfigure(to: next)
    }
    #expect(reborn.sight == header.sight && reborn.drawers.count == 2)
  }

  /// A behavior that yields its drawers to one that joins later has no part in them, whatever was under way and is told meanwhile, and
  /// takes them up again when that one leaves.
  @Test(arguments: told) func restsWhileAnotherHasItsDrawers(
    _ behavior: String, _ option: String, _ value: Value
  ) throws {
    let follows: Value.Record = behavior == "CollapsingHeader" ? ["follows": "block"] : [:]
    let header = try header(behavior, follows.with(["yields": true])).open()
    try scroll(header, 1)
    try header.addDelegate(DelegateDescription(behavior: "StretchyHeader"), provider: BuiltPlugins.registry())
    #expect(header.owns(0, header.delegates[1]))
    let options = Value.Record(fields: [.init(name: option, value: value)])
    _ = try header.receive(ScrollEvent(.setOptions(options, delegate: header.delegates[0].name)))
    try scroll(header, 2)
    #expect(!header.isBypassed(0))
    try header.removeDelegate(at: 1)
    try scroll(header, 3)
    #expect(!header.isBypassed(0) && header.owns(0, header.delegates[0]))
  }

  /// Two bars at one edge, both of them collapsed: whichever fails or leaves, what is drawn stays where it is and hangs together.
  @Test(arguments: [0, 1], [false, true]) func staysWhereItIsWhenAMemberOfAStackGoes(
    _ member: Int, _ fails: Bool
  ) throws {
    let bars: Value = [
      ["name": "bar", "height": 100, "minimumHeight": 44, "maximumHeight": 100],
      ["name": "two", "height": 60, "minimumHeight": 20, "maximumHeight": 60],
    ]
    let members = ["bar", "two"].map { drawer in
      ComposedHeader.Member(
        behavior: "FlexibleHeightBar", name: "\(drawer)Mover",
        options: ["definer": "squareCash", "drawer": .text(drawer)])
    }
    let header = try ComposedHeader(title: "", drawers: bars, delegates: members, contentInset: 0).open()
    for y in stride(from: 0.0, through: 300, by: 20) { try header.drag(to: y, at: header.now.seconds + 1) }
    let before = header.state.drawers.map(\.frame)
    #expect(before[0].size.height == 44 && before[1].origin.y == before[0].maxY)
    if fails {
      let input = HeaderInput.bypassDelegate(header.delegates[member].name, reason: "its process crashed")
      _ = try header.apply(input, provider: BuiltPlugins.registry())
    } else {
      try header.removeDelegate(at: member)
    }
    #expect(header.state.drawers.map(\.frame) == before)
    for header in [header, try header.reborn()] {
      try header.drag(to: 310, at: header.now.seconds + 1)
      #expect(header.state.drawers.map(\.frame) == before)
      for y in stride(from: 300.0, through: 0, by: -20) { try header.drag(to: y, at: header.now.seconds + 1) }
      #expect(header.state.drawers.map(\.frame) != before)
      #expect(header.state.drawers[1].frame.origin.y == header.state.drawers[0].frame.maxY)
    }
  }

  @Test func movesDrawersThatComeAfterItWasBornAgainWithoutAny() throws {
    let composed = try header("CollapsingHeader", ["yields": true])
    let header = try composed.open()
    var bare = header.description
    bare.drawers = []
    try header.reconfigure(to: bare)
    let reborn = try header.reborn()
    try reborn.reconfigure(to: composed.description())
    for y in stride(from: 0.0, through: 300, by: 30) { try reborn.drag(to: y, at: 1 + y / 1000) }
    #expect(reborn.place.progress == 1 && reborn.drawers[0].frame.origin.y < 0)
  }
}
