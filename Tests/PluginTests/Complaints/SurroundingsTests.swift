// SPDX-License-Identifier: MIT
//
// What an application does around a header: it switches tabs, opens over content that is scrolled, refreshes, changes heights and
// content, scrolls by keyboard. Wherever that leads, no gap opens, nothing jumps, and what is hidden can be brought back.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SurroundingsTests {
  /// A header over 600 points of content views of 4,000, all at their tops.
  private func open(
    _ drawers: Value, _ options: Value = [:], behavior: String = "CollapsingHeader", views: [String] = ["a", "b"],
    changing change: (inout HeaderDescription) -> Void = { _ in }
  ) throws -> Header {
    var unknown: [UnknownField] = []
    let fields = views.map { name in
      Value.Record.Field(
        name: name, value: ["viewport": ["width": 400, "height": 600], "contentSize": ["width": 400, "height": 4000]])
    }
    var description = try HeaderDescription(
      [
        "header": "main", "frames": "events", "drawers": drawers, "trackingScrollView": .text(views[0]),
        "scrollViews": .record(Value.Record(fields: fields)),
        "delegates": [["behavior": .text(behavior), "options": options]],
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    change(&description)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private func track(_ name: String, _ header: Header) throws {
    for kind in [ScrollEvent.Kind.willChangeTrackingScrollView(to: name), .setTrackingScrollView(to: name)] {
      _ = try header.receive(ScrollEvent(kind), at: header.now.advanced(bySeconds: 0.1))
    }
  }

  private func view(_ name: String, _ header: Header) throws -> ScrollView {
    header.scrollViews[try #require(header.description.scrollViews.firstIndex { $0.name == name })]
  }

  private func layOut(_ keys: Value.Record, _ header: Header, offset: Double? = nil) throws {
    _ = try header.receive(
      ScrollEvent(.layout(LayoutChange(keys)), offset: offset.map { PartialPoint(y: $0) }),
      at: header.now.advanced(bySeconds: 0.1))
  }

  private func drag(_ header: Header, by distance: Double) throws {
    let y = header.scrollViews[header.trackingScrollView].contentOffset.y
    try header.drag(to: y + distance, at: header.now.seconds + 0.01)
  }

  private func lift(_ header: Header) throws {
    _ = try header.receive(
      ScrollEvent(.didEndDragging(willDecelerate: false)), at: header.now.advanced(bySeconds: 0.01))
  }

  private func edge(_ header: Header) -> Double { header.drawers[header.drawers.count - 1].frame.maxY }

  // MARK: Refresh and status bar

  @Test func `a refresh that a pull has armed is armed in a header that is born again`() throws {
    let header = try open(Self.bar, ["refreshDistance": 80, "refreshReleaseDistance": 60])
    try drag(header, by: -85)
    let reborn = try header.reborn()
    for one in [header, reborn] {
      try drag(one, by: 20)
      #expect(one.value(named: "isRefreshArmed")?.value == true)
      try drag(one, by: 10)
      #expect(one.value(named: "isRefreshArmed")?.value == false)
    }
  }

  @Test(arguments: ["place", "movement", "ratio", "block"])
  func `the status bar stays while the first drawer does`(_ follows: String) throws {
    let header = try open(
      Self.bar,
      [
        "follows": .text(follows), "hidesStatusBar": true, "blocks": [["flags": ["scroll"]]],
        "drawers": [["shift": true]],
      ]
    ) {
      $0.environment.statusBarHeight = 20
      $0.environment.safeAreaInset.top = 20
    }
    _ = try header.receive(ScrollEvent(.layout(LayoutChange(["viewport": ["width": 400, "height": 600]]))))
    #expect(!header.wants.prefersStatusBarHidden)
    try header.move(to: .progress(1))
    #expect(header.wants.prefersStatusBarHidden)
    try header.move(to: .progress(0))
    #expect(!header.wants.prefersStatusBarHidden)
  }

  // MARK: Tabs

  private static let bar: Value = [["name": "bar", "height": 100]]

  @Test func `a tab that is left and come back to is where it was`() throws {
    let header = try open(Self.bar) { $0.onLeave = .restore }
    try drag(header, by: 500)
    try lift(header)
    for _ in 0..<3 {
      try track("b", header)
      #expect(try view("a", header).contentOffset.y == 400 && view("a", header).contentInset.top == 0)
      try track("a", header)
      #expect(try view("a", header).contentOffset.y == 400 && view("a", header).contentInset.top == 100)
    }
  }

  @Test func `so is one that is at its top, or near it`() throws {
    for distance in [0.0, 30, 70] {
      let header = try open(Self.bar) { $0.onLeave = .restore }
      try drag(header, by: distance)
      try lift(header)
      let (before, bar) = (try view("a", header), header.drawers[0].frame)
      for _ in 0..<3 {
        try track("b", header)
        #expect(try view("a", header).contentOffset.y == 0 && view("a", header).contentInset.top == 0)
        try track("a", header)
        #expect(try view("a", header).contentOffset == before.contentOffset, "\(distance)")
        #expect(header.drawers[0].frame == bar || distance > 0)
      }
    }
  }

  @Test func `a tab that was scrolled meanwhile stays there, at its top under the header`() throws {
    let header = try open(Self.bar) { $0.onLeave = .restore }
    try drag(header, by: 500)
    try lift(header)
    for (there, here) in [(300.0, 300.0), (0, -100)] {
      try track("b", header)
      _ = try header.receive(ScrollEvent(.didScroll, scrollView: "a", offset: PartialPoint(y: there)))
      try track("a", header)
      #expect(try view("a", header).contentOffset.y == here && view("a", header).contentInset.top == 100)
    }
  }

  @Test func `FlexibleHeader has its inset on a view that it comes back to`() throws {
    let header = try open(
      [["name": "header", "height": 160]],
      ["minimumHeight": 72, "maximumHeight": 160, "sharedWithManyScrollViews": true], behavior: "FlexibleHeader"
    ) { $0.onLeave = .restore }
    let inset = try view("a", header).contentInset
    #expect(inset.top > 0)
    for _ in 0..<3 {
      try track("b", header)
      try track("a", header)
      #expect(try view("a", header).contentInset == inset)
    }
  }

  private static let bars: Value = [["name": "bar", "height": 44], ["name": "tabs", "height": 40]]

  @Test func `over another tab at its top there is no gap`() throws {
    let header = try open(Self.bars, ["drawers": [["shift": true]]])
    try drag(header, by: 1000)
    try lift(header)
    #expect(edge(header) == 0)
    try track("b", header)
    #expect(try edge(header) == 84 && view("b", header).contentOffset.y == -84)
    try drag(header, by: 30)
    try lift(header)
    #expect(edge(header) == 54)
    // What comes back anywhere is as it was over content that has room for it.
    try track("a", header)
    #expect(try edge(header) == 54 && view("a", header).contentOffset.y == 916)
  }

  @Test func `over one too short to scroll neither`() throws {
    let header = try open(Self.bars) { $0.scrollViews[1].record.contentSize.height = 300 }
    try drag(header, by: 1000)
    try lift(header)
    try track("b", header)
    #expect(edge(header) == 84)
  }

  @Test func `a header that is to keep its place takes the content along`() throws {
    for options: Value in [["onNewContent": "keep"], [:]] {
      let header = try open(Self.bars, options) { if options == [:] { $0.handOver = .keep } }
      try drag(header, by: 1000)
      try lift(header)
      try track("b", header)
      #expect(try edge(header) == 0 && view("b", header).contentOffset.y == 0)
      #expect(try view("b", header).correction.y - 0 == 0 - -84.0 + -84)
    }
  }

  @Test func `other places over new content`() throws {
    for (place, expected) in [("expanded", 84.0), ("collapsed", 0.0)] {
      let header = try open(Self.bars, ["onNewContent": .text(place)]) {
        $0.scrollViews[1].record.contentOffset.y = 500
      }
      try track("b", header)
      #expect(edge(header) == expected)
      // At the top of another the content goes along.
      try track("a", header)
      #expect(try edge(header) == expected && view("a", header).contentOffset.y == -expected)
    }
  }

  // MARK: Opening

  @Test func `over content that is scrolled it stands where its law brings it`() throws {
    func opened(_ law: Value, at offset: Double) throws -> Double {
      let header = try open(
        [["name": "hero", "height": 100, "minimumHeight": 44, "maximumHeight": 100]], ["drawers": [law]]
      ) {
        $0.scrollViews[0].record.contentOffset.y = offset
      }
      let edge = edge(header)
      try drag(header, by: 1)
      try drag(header, by: -1)
      #expect(self.edge(header) == edge)
      return edge
    }
    #expect(try opened(["collapse": true, "returns": "atTop"], at: 500) == 44)
    #expect(try opened(["collapse": true, "returns": "atTop"], at: -70) == 70)
    #expect(try opened(["collapse": true, "shift": true, "returns": "collapsedAnywhere"], at: 500) == 44)
    #expect(try opened(["collapse": true, "returns": "anywhere"], at: 500) == 100)
  }

  @Test func `squareCash begins where its content is`() throws {
    let header = try open(
      [["name": "bar", "height": 100, "minimumHeight": 44, "maximumHeight": 100]], ["definer": "squareCash"],
      behavior: "FlexibleHeightBar"
    ) {
      $0.scrollViews[0].record.contentInset.top = 100
      $0.scrollViews[0].record.contentOffset.y = 500
    }
    #expect(edge(header) == 44)
  }

  // MARK: Refresh

  @Test func `the inset that a refresh control adds stays while it refreshes`() throws {
    let header = try open(Self.bar)
    try layOut(["refreshControl": ["refreshing": true, "height": 60], "contentInset": ["top": 160]], header)
    #expect(try view("a", header).contentInset.top == 160)
    try header.drag(to: -160, at: header.now.seconds + 1)
    #expect(edge(header) == 100)
    // The control goes off first, then the header.
    try header.drag(to: -100, at: header.now.seconds + 1)
    #expect(edge(header) == 100)
    try header.drag(to: -70, at: header.now.seconds + 1)
    #expect(try edge(header) == 70 && view("a", header).contentInset.top == 160)
    try layOut(["refreshControl": ["refreshing": false, "height": 0], "contentInset": ["top": 100]], header)
    #expect(try edge(header) == 70 && view("a", header).contentInset.top == 100)
  }

  @Test func `a refresh far down moves nothing`() throws {
    let header = try open(Self.bar)
    try drag(header, by: 500)
    try drag(header, by: -30)
    try lift(header)
    try layOut(["refreshControl": ["refreshing": true, "height": 60], "contentInset": ["top": 160]], header)
    #expect(try edge(header) == 30 && view("a", header).contentOffset.y == 370)
    try layOut(["refreshControl": ["refreshing": false, "height": 0], "contentInset": ["top": 100]], header)
    #expect(try edge(header) == 30 && view("a", header).contentOffset.y == 370)
  }

  // MARK: Heights and content

  private static let hero: Value = [["name": "hero", "height": 100, "minimumHeight": 44, "maximumHeight": 100]]

  @Test func `a drawer that is collapsed stays collapsed as it gets taller`() throws {
    let header = try open(Self.hero)
    try drag(header, by: 500)
    try lift(header)
    #expect(edge(header) == 44)
    for height in [180.0, 60, 100] {
      try layOut(["drawers": [["name": "hero", "height": .number(height), "maximumHeight": .number(height)]]], header)
      #expect(edge(header) == 44, "\(height)")
    }
    try drag(header, by: -28)
    try layOut(["drawers": [["name": "hero", "height": 156, "maximumHeight": 156]]], header)
    #expect(edge(header) == 100)
  }

  @Test(arguments: ["under", "below"]) func `content that shrinks until it fits brings the header back`(_ place: String)
    throws
  {
    let header = try open(Self.bars, ["content": .text(place)])
    try drag(header, by: 1000)
    try lift(header)
    #expect(edge(header) == 0)
    try layOut(["contentSize": ["height": 300]], header)
    #expect(edge(header) == 84)
  }

  /// Rows that come or go before what is read, told in one event or in two.
  private func change(by rows: Double, _ header: Header, atOnce: Bool) throws {
    let view = header.scrollViews[header.trackingScrollView]
    let (size, offset) = (view.contentSize.height + rows, PartialPoint(y: view.contentOffset.y + rows))
    let keys: Value.Record = ["contentSize": ["height": .number(size)]]
    let time = header.now.advanced(bySeconds: 0.1)
    if atOnce {
      let event = ScrollEvent(.layout(try LayoutChange(keys)), offset: offset, reason: .content)
      _ = try header.receive(event, at: time)
    } else {
      let scroll = ScrollEvent(.didScroll, offset: offset, reason: .content)
      if rows < 0 { _ = try header.receive(scroll, at: time) }
      try layOut(keys, header)
      if rows > 0 { _ = try header.receive(scroll, at: time) }
    }
  }

  private static let movers: [(behavior: String, drawers: Value, options: Value, inset: Double)] = [
    ("CollapsingHeader", bars, [:], 84), ("CollapsingHeader", hero, ["drawers": [["returns": "atTop"]]], 100),
    ("CollapsingHeader", bars, ["follows": "movement", "insets": "expanded"], 84),
    ("CollapsingHeader", bars, ["insets": "follow"], 84), ("ShyNavBar", bars, ["expansionResistance": 0], 84),
    ("FlexibleHeader", hero, ["minimumHeight": 44, "maximumHeight": 100, "shiftBehavior": "enabled"], 0),
    ("FlexibleHeader", hero, ["minimumHeight": 44, "maximumHeight": 100], 0),
    ("FlexibleHeightBar", hero, ["definer": "squareCash"], 100),
    ("FlexibleHeightBar", hero, ["definer": "facebook"], 100), ("FlexibleHeightBar", hero, ["definer": "safari"], 100),
  ]

  @Test(arguments: movers.indices, [true, false])
  func `rows that come or go above what is read move nothing`(_ index: Int, _ atOnce: Bool) throws {
    let mover = Self.movers[index]
    for distance in [30.0, 400] {
      let header = try open(mover.drawers, mover.options, behavior: mover.behavior) {
        $0.scrollViews[0].record.contentInset.top = mover.inset
        $0.scrollViews[0].record.contentOffset.y = -mover.inset
      }
      for _ in 0..<10 { try drag(header, by: distance / 10) }
      let before = header.drawers.elements
      let offset = header.scrollViews[0].contentOffset.y
      for rows in [500.0, 200, -600] {
        try change(by: rows, header, atOnce: atOnce)
        #expect(header.drawers.elements == before, "\(mover.behavior) at \(distance), \(rows)")
      }
      #expect(header.scrollViews[0].contentOffset.y == offset + 100 && header.scrollViews[0].correction.y == 0)
      // The next movement is a movement.
      try drag(header, by: 4)
      for (one, two) in zip(before, header.drawers.elements) { #expect(abs(one.frame.maxY - two.frame.maxY) <= 8) }
    }
  }

  @Test func `a scroll of the keyboard's brings nothing back that a finger must bring`() throws {
    for (reason, expected) in [(ScrollReason.user, 30.0), (.keyboard, 0), (.program, 0), (.layout, 0)] {
      let header = try open(Self.bar, ["returnsBy": "finger"])
      try drag(header, by: 500)
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(y: 370), reason: reason), at: header.now.advanced(bySeconds: 1))
      #expect(edge(header) == expected, "\(reason)")
    }
  }

  /// It goes with its content, also beyond the edge: what of it is seen is as it was.
  @Test func `rows that come move nothing of a StretchyHeader`() throws {
    let header = try open(Self.bars, ["headerHeight": 100], behavior: "StretchyHeader")
    try drag(header, by: 30)
    let before = header.drawers.elements
    for rows in [500.0, 200, -600] {
      try change(by: rows, header, atOnce: rows > 300)
      #expect(header.drawers.elements == before)
    }
  }

  // MARK: Rest

  @Test func `after a program's scroll it comes to rest`() throws {
    for event in [ScrollEvent.Kind.didEndScrollingAnimation, .didScrollToTop] {
      let header = try open(Self.bar, ["drawers": [["rest": ["by": "nearest", "duration": 0]]]])
      for offset in [-90.0, -60, -30] { try header.scroll(to: offset) }
      #expect(edge(header) == 30)
      _ = try header.receive(ScrollEvent(event))
      #expect(edge(header) == 0)
    }
  }
}
