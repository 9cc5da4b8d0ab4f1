// SPDX-License-Identifier: MIT
//
// The rules of CollapsingHeader's README.md, one by one, on the behavior as built.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct CollapsingHeaderTests {
  private static let drawers: Value = [
    ["name": "title", "height": 100, "minimumHeight": 40, "maximumHeight": 100, "elements": [["name": "label"]]],
    ["name": "tabs", "height": 50],
  ]

  private func header(_ laws: [Value], _ options: Value.Record = Value.Record()) throws -> Header {
    let options: Value.Record = options.with(["drawers": .list(laws), "invariants": "strict"])
    let header = try ComposedHeader(
      title: "", drawers: Self.drawers,
      delegates: [.init(behavior: "CollapsingHeader", options: .record(options))], contentInset: 150
    ).open()
    #expect(header.failure == nil)
    return header
  }

  /// What each drawer has lost, of its height or by its edge.
  private func gone(_ header: Header) -> [Double] {
    let title = header.drawers[0].frame
    let tabs = header.drawers[1].frame
    return [100 - title.maxY, title.maxY + 50 - tabs.maxY]
  }

  private func drag(_ header: Header, by distance: Double) throws {
    try header.drag(to: header.scrollViews[0].contentOffset.y + distance, at: header.now.seconds + 0.01)
  }

  private func lift(_ header: Header) throws {
    _ = try header.receive(
      ScrollEvent(.didEndDragging(willDecelerate: false)), at: header.now.advanced(bySeconds: 0.01))
  }

  // MARK: Who takes what

  @Test func `hiding goes outwards from the content, showing back`() throws {
    let header = try header([["drawer": "title", "collapse": true], ["drawer": "tabs", "shift": true]])
    try drag(header, by: 70)
    #expect(gone(header) == [20, 50])
    try drag(header, by: -30)
    #expect(gone(header) == [0, 40])
  }

  @Test func `order says otherwise`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "order": ["hide": 0]], ["drawer": "tabs", "order": ["show": 0]],
    ])
    try drag(header, by: 70)
    #expect(gone(header) == [60, 10])
    try drag(header, by: 40)
    try drag(header, by: -20)
    #expect(gone(header) == [60, 30])
  }

  @Test func `drawers of one place share by weight and arrive together by default`() throws {
    let place: Value = ["hide": 1, "show": 1]
    let even = try header([["drawer": "title", "collapse": true, "order": place], ["drawer": "tabs", "order": place]])
    try drag(even, by: 55)
    #expect(gone(even) == [30, 25])
    let weighed = try header([
      ["drawer": "title", "collapse": true, "order": place, "weight": 1],
      ["drawer": "tabs", "order": place, "weight": 3],
    ])
    try drag(weighed, by: 40)
    #expect(gone(weighed) == [10, 30])
    // What the tabs have no room for is the title's.
    try drag(weighed, by: 40)
    #expect(gone(weighed) == [30, 50])
  }

  @Test func `what returns at the top only, returns with the top`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "returns": "atTop"], ["drawer": "tabs", "pin": true],
    ])
    try drag(header, by: 500)
    try drag(header, by: -400)
    #expect(gone(header) == [60, 0])
    try drag(header, by: -60)
    #expect(gone(header) == [40, 0])
    try drag(header, by: -40)
    #expect(gone(header) == [0, 0])
  }

  @Test func `its minimum anywhere, the rest at the top`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "shift": true, "returns": "collapsedAnywhere"],
      ["drawer": "tabs", "pin": true],
    ])
    try drag(header, by: 500)
    #expect(gone(header) == [100, 0])
    try drag(header, by: -300)
    #expect(gone(header) == [60, 0])
  }

  @Test func `resistance counts the whole movement, and is there again after a turn`() throws {
    let header = try header([
      ["drawer": "title", "pin": true], ["drawer": "tabs", "resistance": ["hide": 20, "show": 10]],
    ])
    for _ in 0..<8 { try drag(header, by: 5) }
    #expect(gone(header) == [0, 20])
    try drag(header, by: -15)
    #expect(gone(header) == [0, 15])
    try drag(header, by: 20)
    #expect(gone(header) == [0, 15])
  }

  @Test func `resistance holds back what a finger on the header hides, not what it shows`() throws {
    let header = try header([
      ["drawer": "title", "pin": true], ["drawer": "tabs", "resistance": ["hide": 20, "show": 10]],
    ])
    func drag(by delta: Double) throws -> Value? {
      try header.receive(
        ScrollEvent(.call(name: "drag", arguments: ["delta": .number(delta)], delegate: "collapsingHeader"))
      ).result
    }
    #expect(try drag(by: 15) == 0)
    #expect(try drag(by: 45) == 40)
    #expect(try drag(by: -15) == -15)
    #expect(gone(header) == [0, 25])
  }

  @Test func `slop is no turn`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "slop": 4]])
    try drag(header, by: 500)
    try drag(header, by: -40)
    #expect(gone(header) == [0, 14])
    try drag(header, by: 3)
    try drag(header, by: -3)
    // To and fro within it is no movement.
    #expect(gone(header) == [0, 14])
    try drag(header, by: 9)
    #expect(gone(header) == [0, 19])
  }

  /// A fast finger and a slow one end at the same place, also where drawers share theirs.
  @Test(arguments: ["slop", "resistance"]) func `gates of a shared place do not count events`(_ gate: String) throws {
    let place: Value = ["hide": 0, "show": 0]
    var ends: [[Double]] = []
    for step in [60.0, 30, 10, 3, 1, 0.25] {
      let header = try header([
        .record((["drawer": "title", "collapse": true, "order": place, "weight": 2] as Value.Record).with([gate: 30])),
        ["drawer": "tabs", "order": place, "weight": 1],
      ])
      for _ in 0..<Int(60 / step) { try drag(header, by: step) }
      ends.append(gone(header))
    }
    // The title's share of 45 points is 30; of the 15 after them it has 10.
    for end in ends { #expect(abs(end[0] - 10) < 1e-5 && abs(end[1] - 50) < 1e-5, "\(ends)") }
  }

  @Test func `to and fro within the slop ends where it began`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "slop": 30]])
    for (distance, end) in [(31.0, 1.0), (-15, 1), (15, 1), (-15, 1), (15, 1), (5, 6)] {
      try drag(header, by: distance)
      #expect(gone(header) == [0, end])
    }
  }

  @Test func `an offer before the content takes what may move anywhere, one after it the rest`() throws {
    let header = try header([["drawer": "title", "collapse": true, "returns": "atTop"], ["drawer": "tabs"]])
    func offer(_ kind: (Point) -> ScrollEvent.Kind, _ distance: Double) throws -> Double? {
      try header.receive(
        ScrollEvent(kind(Point(x: 0, y: distance))), at: header.now.advanced(bySeconds: 0.01)
      ).consumed?.y
    }
    let (before, after) = (
      { ScrollEvent.Kind.willScroll(delta: $0, source: .drag) },
      { ScrollEvent.Kind.didOverscroll(delta: $0, source: .drag) }
    )
    #expect(try offer(before, 130) == 110)
    #expect(try offer(before, -80) == -50)
    #expect(try offer(after, -80) == -60)
    #expect(gone(header) == [0, 0])
  }

  /// The content's end is 15 points away, and the first ten are held back by the resistance while the content has not moved yet.
  @Test func `offers go no further than the content, however many come before it moves`() throws {
    let header = try header([
      ["drawer": "title", "pin": true], ["drawer": "tabs", "resistance": ["hide": 10]],
    ])
    var change = LayoutChange()
    change.given = ["contentSize": ["height": 532]]
    _ = try header.receive(ScrollEvent(.layout(change)))
    var taken: [Double?] = []
    for time in [1.0, 2] {
      let offer = ScrollEvent(.willScroll(delta: Point(x: 0, y: 10), source: .drag))
      taken.append(try header.receive(offer, at: Instant(seconds: time)).consumed?.y)
    }
    #expect(taken == [0, 5] && gone(header) == [0, 5])
  }

  @Test func `offers that are finer than its grid add up`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs"]])
    for step in 1...1024 {
      let offer = ScrollEvent(.willScroll(delta: Point(x: 0, y: 0x1p-28), source: .drag))
      let answer = try header.receive(offer, at: Instant(seconds: Double(step)))
      #expect(answer.consumed?.y == 0x1p-28)
    }
    #expect(gone(header) == [0, 0x1p-18])
  }

  @Test func `what the content does beyond its end is no movement`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs"]])
    try header.drag(to: 2400, at: 1)
    header.observe { $0.explanations = 1 }
    try header.drag(to: 2420, at: 2)
    #expect(header.explanations.last?.turns.flatMap(\.moves).isEmpty == true)
  }

  @Test func `content that fits may move the header, but not beyond its own end`() throws {
    let header = try header(
      [["drawer": "title", "pin": true], ["drawer": "tabs", "shift": true]],
      ["content": "below", "shortContent": "moves"])
    var change = LayoutChange()
    change.given = ["contentSize": ["height": 500]]
    _ = try header.receive(ScrollEvent(.layout(change)))
    try drag(header, by: 10)
    #expect(gone(header) == [0, 0])
  }

  @Test func `a slack comes back before more is seen`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "slack": "minimum"], ["drawer": "tabs", "pin": true],
    ])
    try drag(header, by: 75)
    #expect(gone(header) == [60, 0] && header.positionReport?.report.position.traveled == 75)
    try drag(header, by: -25)
    #expect(gone(header) == [50, 0])
    try drag(header, by: 500)
    try drag(header, by: -40)
    #expect(gone(header) == [60, 0])
    try drag(header, by: -5)
    #expect(gone(header) == [55, 0])
  }

  // MARK: Whose movement it is

  @Test func `a program brings nothing back, but after a scroll that began downwards`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs"]], ["returnsBy": "finger"])
    func program(to y: Double) throws {
      _ = try header.receive(
        ScrollEvent(
          .didScroll, offset: PartialPoint(y: y), isTracking: false, isDragging: false, isDecelerating: false),
        at: header.now.advanced(bySeconds: 0.01))
    }
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 0))
    try drag(header, by: 400)
    try lift(header)
    try program(to: 200)
    #expect(gone(header) == [0, 50])
    // A finger that comes down while a fling goes down, catches it.
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: header.now.advanced(bySeconds: 0.01))
    try drag(header, by: -20)
    _ = try header.receive(
      ScrollEvent(.didEndDragging(willDecelerate: true)), at: header.now.advanced(bySeconds: 0.01))
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: header.now.advanced(bySeconds: 0.01))
    #expect(gone(header) == [0, 30])
    let reborn = try header.reborn()
    for one in [header, reborn] {
      _ = try one.receive(
        ScrollEvent(
          .didScroll, offset: PartialPoint(y: 170), isTracking: false, isDragging: false, isDecelerating: false),
        at: one.now.advanced(bySeconds: 0.01))
      #expect(gone(one) == [0, 20])
    }
    try lift(header)
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: header.now.advanced(bySeconds: 0.01))
    try program(to: 160)
    #expect(gone(header) == [0, 20])
  }

  @Test func `the publisher may know the direction better`() throws {
    let laws: [Value] = [["drawer": "title", "pin": true], ["drawer": "tabs", "rest": ["by": "direction"]]]
    for (word, end) in [("hide", 50.0), ("show", 0)] {
      let header = try header(laws)
      try drag(header, by: 200)
      try drag(header, by: -20)
      let told = ScrollEvent.Kind.call(name: "setDirection", arguments: ["direction": .text(word)], delegate: nil)
      _ = try header.receive(ScrollEvent(told), at: header.now)
      try lift(header)
      try header.advance(to: header.now.seconds + 1)
      #expect(gone(header) == [0, end])
    }
  }

  // MARK: Places

  @Test func `who is not enabled takes nothing that the content left over`() throws {
    let laws: [Value] = [
      ["drawer": "title", "collapse": true, "returns": "atTop"], ["drawer": "tabs", "pin": true],
    ]
    for (follows, isEnabled) in [("place", true), ("place", false), ("movement", true), ("movement", false)] {
      let header = try header(laws, ["follows": .text(follows)])
      try drag(header, by: 40)
      _ = try header.receive(
        ScrollEvent(.setOptions(["enabled": .bool(isEnabled)], delegate: header.delegates[0].name)), at: header.now)
      let before = gone(header)
      let left = ScrollEvent(.didOverscroll(delta: Point(x: 0, y: -20), source: .drag))
      let answer = try header.receive(left, at: header.now.advanced(bySeconds: 0.01))
      #expect((answer.consumed?.y ?? 0) == (isEnabled ? -20 : 0))
      #expect((gone(header) == before) == !isEnabled)
    }
  }

  /// What the content has moved by itself decides how far it lies under the header. It counts anew from where the content can go
  /// no further down, but only while the header is all there or all gone: so Compose has it.
  @Test(arguments: [(0.0, 0.0), (30, 80), (110, 0)])
  func `content that can go no further counts anew at an end of the header's way`(
    _ traveled: Double, _ moved: Double
  ) throws {
    let header = try header(
      [["drawer": "title", "collapse": true], ["drawer": "tabs", "shift": true]],
      ["follows": "movement", "initially": ["traveled": .number(traveled), "contentMoved": 80]])
    func contentMoved() throws -> Value? {
      let facts = try header.receive(ScrollEvent(.call(name: "facts", arguments: [:], delegate: "collapsingHeader")))
      return facts.result?.field("contentMoved")
    }
    #expect(try contentMoved() == 80)
    let pull = ScrollEvent(.didOverscroll(delta: Point(x: 0, y: -10), source: .drag))
    _ = try header.receive(pull)
    #expect(try contentMoved() == .number(moved))
    #expect(gone(header).reduce(0, +) == traveled)
    // The pull goes on, and meanwhile the header has come to an end of its way.
    try header.move(to: .stop("expanded"))
    _ = try header.receive(pull)
    #expect(try contentMoved() == 0)
  }

  @Test func `a pair may be of one bar`() throws {
    let header = try ComposedHeader(
      title: "", drawers: [["name": "bar", "height": 56]],
      delegates: [.init(behavior: "CollapsingHeader", options: ["follows": "ratio"])], contentInset: 56
    ).open()
    try drag(header, by: 20)
    try lift(header)
    #expect(header.failure == nil && !header.isBypassed(0))
  }

  @Test(arguments: [
    ("looks", "lookTolerance", "shows"), ("looks", "topZone", "hides"), ("movement", "initially", "travelled"),
    ("block", "block", "padingTop"),
  ]) func `a field that an option's record does not have is refused`(
    _ follows: String, _ option: String, _ field: String
  ) throws {
    let refusal = #expect(throws: HeaderError.self) {
      try header([], ["follows": .text(follows), option: .record([field: 1])])
    }
    #expect(refusal?.message.contains("\(option).\(field): there is no such field, did you mean") == true)
  }

  @Test func `a block takes up other surroundings, and drawers that come later`() throws {
    func block(_ drawers: Value) -> ComposedHeader {
      ComposedHeader(
        title: "", drawers: drawers,
        delegates: [
          .init(
            behavior: "CollapsingHeader",
            options: ["follows": "block", "blocks": [["drawer": "bar", "flags": ["scroll"]]]])
        ], contentInset: 56)
    }
    let bar: Value = ["name": "bar", "height": 56]
    let header = try block([bar]).open()
    func set(_ padding: Value) throws {
      let options: Value.Record = ["block": ["paddingTop": padding]]
      _ = try header.receive(ScrollEvent(.setOptions(options, delegate: "collapsingHeader")))
    }
    try set(10)
    #expect(header.drawers[0].frame.origin.y == 10)
    try set(0)
    try header.move(to: .progress(1))
    var next = header.description
    next.drawers = try block([bar, ["name": "tabs", "height": 48]]).description().drawers
    try header.reconfigure(to: next)
    #expect(header.drawers[0].frame.maxY == 0 && header.drawers[1].frame.origin.y == 0)
  }

  @Test func `a pair that is born again while it is dormant goes on`() throws {
    let header = try ComposedHeader(
      title: "", drawers: Movers.bars,
      delegates: [.init(behavior: "CollapsingHeader", options: ["follows": "ratio", "yields": true])]
    ).open()
    try header.addDelegate(DelegateDescription(behavior: "StretchyHeader"), provider: BuiltPlugins.registry())
    let reborn = try header.reborn()
    for one in [header, reborn] {
      try one.removeDelegate(at: 1)
      try one.move(to: .progress(1))
      #expect(one.place.progress == 1 && one.drawers[0].frame.maxY == 0)
    }
  }

  @Test func `content below the header is held still while it moves`() throws {
    let header = try header(
      [["drawer": "title", "collapse": true], ["drawer": "tabs"]], ["content": "below", "insets": "application"])
    let start = header.scrollViews[0].contentOffset.y
    try drag(header, by: 30)
    #expect(gone(header) == [0, 30])
    #expect(header.scrollViews[0].contentOffset.y == start)
  }

  @Test func `the inset follows where that is asked for`() throws {
    let header = try header([["drawer": "title", "collapse": true], ["drawer": "tabs"]], ["insets": "follow"])
    try drag(header, by: 30)
    #expect(header.scrollViews[0].contentInset.top == 120)
  }

  @Test func `a block moves from the edge as far as its drawers go together`() throws {
    let header = try header(
      [["drawer": "title", "shift": true, "returns": "atTop"], ["drawer": "tabs", "shift": true]], ["asOne": true])
    try drag(header, by: 400)
    #expect(gone(header) == [100, 50])
    try drag(header, by: -200)
    #expect(gone(header) == [100, 0])
    // What lies behind a drawer that stays, stays.
    let held = try self.header(
      [["drawer": "title", "pin": true], ["drawer": "tabs", "shift": true]], ["asOne": true])
    try drag(held, by: 400)
    #expect(gone(held) == [0, 0])
  }

  @Test func `a pull stretches up to the limit, and says when it passes the trigger`() throws {
    let header = try header([["drawer": "title", "stretch": ["factor": 0.5, "limit": 30, "trigger": 20]]])
    var notices: [String] = []
    func pull(to y: Double) throws {
      try header.drag(to: y, at: header.now.seconds + 0.01) { notices += words($0) }
    }
    try pull(to: -180)
    #expect(header.drawers[0].size.height == 115 && notices.isEmpty)
    try pull(to: -200)
    #expect(header.drawers[0].size.height == 125)
    #expect(notices.filter { $0.contains("didStretch") }.count == 1)
    try pull(to: -400)
    #expect(header.drawers[0].size.height == 130)
    try pull(to: -150)
    #expect(header.drawers[0].size.height == 100 && notices.count == 1)
  }

  @Test(arguments: [false, true]) func `on the trigger it may tell again`(_ repeats: Bool) throws {
    let header = try header([["drawer": "title", "stretch": ["trigger": 20, "repeats": .bool(repeats)]]])
    var notices: [String] = []
    for y in [-160.0, -170, -170, -180] {
      try header.drag(to: y, at: header.now.seconds + 0.01) { notices += words($0) }
    }
    #expect(notices.count == (repeats ? 3 : 1), "\(notices)")
  }

  @Test func `looks follow the progress`() throws {
    let header = try header([
      [
        "drawer": "title", "shift": true, "collapse": false, "fade": ["from": 0, "to": 0.5], "parallax": 0.5,
        "scale": 0.5,
      ],
      ["drawer": "tabs", "pin": true],
    ])
    try drag(header, by: 25)
    #expect(header.drawers[0].alpha == 0.5)
    #expect(header.drawers[0].translation.y == 12.5)
    #expect(try header.element("label").transform.row1.m1 == 0.875)
  }

  @Test func `elements are scaled alike or by axis`() throws {
    for (scale, expected): (Value, [Double]) in [(["x": 0.5, "y": 2], [0.875, 1.25]), (["y": 2], [1, 1.25])] {
      let header = try header([
        ["drawer": "title", "shift": true, "collapse": false, "scale": scale], ["drawer": "tabs", "pin": true],
      ])
      try drag(header, by: 25)
      let numbers = try header.element("label").transform.numbers
      #expect([numbers[0], numbers[5]] == expected)
    }
    let refusal = #expect(throws: HeaderError.self) { try header([["scale": [1, 2]]]) }
    #expect(refusal?.message.hasSuffix("drawers[0].scale: expected a number or a record {x, y}, got a list") == true)
  }

  @Test func `a drawer lies over another one at the end of its way`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "zIndex": 2], ["drawer": "tabs", "pin": true],
    ])
    var orders: [Int8] = []
    for distance in [30.0, 40, -20] {
      try drag(header, by: distance)
      orders.append(header.state.drawers[0].zIndex)
    }
    #expect(orders == [0, 2, 0])
    #expect(try header.reborn().state.drawers[0].zIndex == 0)
  }

  // MARK: Rest

  @Test func `a rest may take the content along as it shows a drawer`() throws {
    for takes: Value in [true, "both"] {
      let rest: Value = ["by": "nearest", "duration": 0.1, "curve": "linear", "takesContent": takes]
      let header = try header([
        ["drawer": "title", "pin": true], ["drawer": "tabs", "returns": "atTop", "rest": rest],
      ])
      // Gone by less than half; the content's first row touches the header, and no row lies under it.
      try drag(header, by: 20)
      #expect(gone(header) == [0, 20])
      let before = header.scrollViews[0].contentOffset.y
      try lift(header)
      try header.advance(to: header.now.seconds + 1)
      #expect(gone(header) == [0, 0])
      #expect(header.scrollViews[0].contentOffset.y == (takes == true ? before : before - 20))
      #expect(header.scrollViews[0].correction.y == (takes == true ? 0 : -20))
    }
  }

  @Test func `a rest over content leaves that where it is`() throws {
    let rest: Value = ["by": "nearest", "duration": 0.1, "takesContent": "both"]
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "rest": rest]])
    try drag(header, by: 300)
    try drag(header, by: -30)
    let before = header.scrollViews[0].contentOffset.y
    try lift(header)
    try header.advance(to: header.now.seconds + 1)
    #expect(gone(header) == [0, 0] && header.scrollViews[0].contentOffset.y == before)
  }

  @Test func `it rests at the nearer stop, by frames, and a finger catches it`() throws {
    let laws: [Value] = [
      ["drawer": "title", "pin": true], ["drawer": "tabs", "rest": ["duration": 0.4, "curve": "linear"]],
    ]
    let header = try header(laws)
    try drag(header, by: 200)
    try drag(header, by: -20)
    try lift(header)
    let start = header.now.seconds
    try header.advance(to: start + 0.2)
    let caught = gone(header)[1]
    #expect(caught > 30 && caught < 50)
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: start + 0.2))
    try header.advance(to: start + 2)
    #expect(gone(header)[1] == caught)
    try lift(header)
    try header.advance(to: start + 4)
    #expect(gone(header) == [0, 50])
    #expect(!header.state.framesActive)
  }

  @Test func `a rest may begin with a frame, and end where the content does`() throws {
    func lifted(_ rest: Value.Record) throws -> Header {
      let rest = rest.with(["by": "direction", "duration": 0.1, "curve": "linear"])
      let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "rest": .record(rest)]])
      try drag(header, by: 30)
      try lift(header)
      return header
    }
    var seen: [[Double]] = []
    for rest: Value.Record in [[:], ["beginsWithFrame": true]] {
      let header = try lifted(rest)
      let start = header.now.seconds
      try header.advance(to: start + 1.1 / 60)
      seen.append(gone(header))
      try header.advance(to: start + 1)
      #expect(gone(header) == [0, 50] && header.scrollViews[0].contentOffset.y == -100)
    }
    #expect(seen[0][1] > 30 && seen[1] == [0, 30])
    let held = try lifted(["takesContent": false])
    try held.advance(to: held.now.seconds + 1)
    #expect(gone(held) == [0, 30] && held.scrollViews[0].contentOffset.y == -120)
  }

  @Test func `a renderer may draw the way to rest`() throws {
    for (always, distance) in [(false, 50.0), (false, 20), (true, 50)] {
      let rest: Value = ["drawnBy": "renderer", "always": .bool(always), "duration": 0.4, "scaled": true]
      let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "rest": rest]])
      try drag(header, by: 200)
      try drag(header, by: distance - 50)
      var (lengths, notices) = ([Double](), Set<String>())
      let lifts = ScrollEvent(.didEndDragging(willDecelerate: false))
      _ = try header.receive(lifts, at: header.now.advanced(bySeconds: 0.01)) { state in
        lengths += state.happened.animations.map(\.duration)
        notices.formUnion(state.happened.notices.map { $0.word(in: state.names) })
      }
      let (left, drawn): (Double, [Double]) = distance == 20 ? (0, [0.4 * 20 / 50]) : (50, always ? [0] : [])
      #expect(gone(header) == [0, left] && !header.state.framesActive)
      #expect(lengths == drawn)
      #expect(!notices.contains("willChangePhase"), "nobody has asked for it")
    }
  }

  @Test func `who gives way on the way to rest stops`() throws {
    let header = try header(
      [["drawer": "title", "pin": true], ["drawer": "tabs", "rest": ["duration": 0.4]]], ["yields": true])
    try drag(header, by: 200)
    try drag(header, by: -20)
    try lift(header)
    #expect(header.state.framesActive)
    try header.addDelegate(DelegateDescription(behavior: "ShyNavBar"), provider: BuiltPlugins.registry())
    #expect(!header.state.framesActive && !header.isBypassed(0))
    #expect(header.value(named: "isResting") == .bool(false))
  }

  @Test func `the stops of the only drawer that moves are places of the header`() throws {
    let rest: Value = ["stops": ["half": 0.5]]
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "rest": rest]])
    _ = try header.receive(ScrollEvent(.move(HeaderMove(to: .stop("half")))))
    #expect(gone(header) == [0, 25])
  }

  @Test func `other laws end a rest under way`() throws {
    let header = try header([["drawer": "title", "pin": true], ["drawer": "tabs", "rest": ["duration": 0.4]]])
    try drag(header, by: 200)
    try drag(header, by: -20)
    try lift(header)
    #expect(header.state.framesActive && header.value(named: "isResting") == .bool(true))
    let laws: Value = [["drawer": "title", "pin": true], ["drawer": "tabs"]]
    _ = try header.receive(ScrollEvent(.setOptions(["drawers": laws], delegate: nil)), at: header.now)
    #expect(!header.state.framesActive && header.value(named: "isResting") == .bool(false))
  }

  @Test func `another scroll view ends a rest under way`() throws {
    let laws: Value = [["drawer": "title", "pin": true], ["drawer": "tabs", "rest": ["duration": 0.4]]]
    var description = try ComposedHeader(
      title: "", drawers: Self.drawers,
      delegates: [.init(behavior: "CollapsingHeader", options: ["drawers": laws, "invariants": "strict"])],
      contentInset: 150
    ).description()
    description.scrollViews.append(description.scrollViews[0])
    description.scrollViews[1].name = "other"
    description.scrollViews[1].record.contentOffset.y = 500
    description.trackingScrollView = "content"
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    try drag(header, by: 200)
    try drag(header, by: -20)
    try lift(header)
    try header.advance(to: header.now.seconds + 0.1)
    let before = gone(header)
    #expect(header.state.framesActive)
    _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: "other")))
    try header.advance(to: header.now.seconds + 1)
    #expect(gone(header) == before)
    #expect(!header.state.framesActive && !header.isBypassed(0))
  }

  @Test func `a spring arrives as well`() throws {
    let header = try header([
      ["drawer": "title", "pin": true],
      ["drawer": "tabs", "rest": ["by": "direction", "spring": ["stiffness": 300, "damping": 20]]],
    ])
    try drag(header, by: 5)
    try lift(header)
    try header.advance(to: header.now.seconds + 5)
    #expect(gone(header) == [0, 50])
    // The content went along, so that no gap opened.
    #expect(header.scrollViews[0].contentOffset.y >= -100)
  }

  @Test func `a fling ends where the drawer rests`() throws {
    let header = try header([["drawer": "title", "collapse": true, "returns": "atTop", "rest": ["by": "nearest"]]])
    try drag(header, by: 20)
    let event = ScrollEvent(
      .willEndDragging(velocity: Point(x: 0, y: 0.5), targetOffset: PartialPoint(y: -60)))
    let answer = try header.receive(event, at: header.now.advanced(bySeconds: 0.01))
    let target = try #require(answer.targetOffset)
    _ = try header.receive(
      ScrollEvent(.didScroll, offset: PartialPoint(y: target.y)), at: header.now.advanced(bySeconds: 0.3))
    _ = try header.receive(ScrollEvent(.didEndDecelerating), at: header.now.advanced(bySeconds: 0.01))
    #expect([0, 60].contains(gone(header)[0]))
    #expect(!header.state.framesActive)
  }

  @Test func `the last half point of a fling may decide where it ends`() throws {
    let laws: [Value] = [
      ["drawer": "title", "collapse": true, "returns": "atTop", "rest": ["by": "nearest"]],
      ["drawer": "tabs", "pin": true],
    ]
    let header = try header(laws, ["returnsBy": "finger"])
    try drag(header, by: 29.75)
    #expect(gone(header) == [29.75, 0])
    var event = ScrollEvent(.willEndDragging(velocity: Point(), targetOffset: PartialPoint(y: -119.75)))
    (event.isTracking, event.isDragging) = (false, false)
    let target = try header.receive(event, at: header.now.advanced(bySeconds: 0.01)).targetOffset
    #expect(target == Point(x: 0, y: -90))
  }

  /// A header that is saved on its way to rest goes on to where it would have gone.
  @Test(arguments: [0.0, 0.1, 0.25]) func `on its way to rest it is born again`(_ after: Double) throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "rest": ["by": "direction", "duration": 0.3]],
      ["drawer": "tabs", "rest": ["by": "direction", "duration": 0.3]],
    ])
    try drag(header, by: 60)
    try lift(header)
    let start = header.now.seconds
    try header.advance(to: start + after)
    let reborn = try header.reborn()
    for one in [header, reborn] { try one.advance(to: start + 2) }
    #expect(gone(header) == [60, 50])
    #expect(reborn.sight == header.sight)
  }

  /// What a call has moved further than the content, the content uses up as it follows.
  @Test func `a pair on its way is born again`() throws {
    let pair = ComposedHeader(
      title: "pair", drawers: Movers.bars,
      delegates: [.init(behavior: "CollapsingHeader", options: ["follows": "ratio"])])
    let header = try pair.open()
    var other = try pair.open()
    let hides = ScrollEvent(
      .call(name: "hold", arguments: ["current": "hidden", "animate": true], delegate: "collapsingHeader"))
    for one in [header, other] { _ = try one.receive(hides, at: Instant(seconds: 1)) }
    var places: Set<Double> = []
    for step in 1...30 {
      other = try other.reborn()
      for one in [header, other] { try one.advance(to: 1 + Double(step) / 50) }
      #expect(other.state.text == header.state.text)
      places.insert(header.drawers[0].frame.maxY)
    }
    #expect(places.count > 5, "\(places)")
  }

  @Test func `a call at the top stays until the content has caught up`() throws {
    let header = try header([
      ["drawer": "title", "collapse": true, "returns": "atTop"], ["drawer": "tabs", "pin": true],
    ])
    try header.move(to: .progress(1))
    #expect(gone(header) == [60, 0])
    try drag(header, by: 40)
    #expect(gone(header) == [60, 0])
    try drag(header, by: -40)
    #expect(gone(header) == [20, 0])
    try drag(header, by: 60)
    try drag(header, by: -60)
    #expect(gone(header) == [0, 0])
  }

  // MARK: What is refused

  @Test(
    arguments: [
      (["drawer": "nobody"], "drawer: there is no drawer \"nobody\"; there are title, tabs"),
      (["coll": true], "coll: there is no such field, did you mean \"collapse\"?"),
      (["retrns": "atTop"], "retrns: there is no such field, did you mean \"returns\"?"),
      (
        ["returns": "attop"],
        "returns: expected one of \"anywhere\", \"atTop\", \"collapsedAnywhere\", got \"attop\", did you mean \"atTop\"?"
      ),
      (["returns": 1], "returns: expected one of \"anywhere\", \"atTop\", \"collapsedAnywhere\", got 1"),
      (["pin": true, "shift": true], "pin: a pinned drawer neither collapses nor shifts"),
      (["pin": "yes"], "pin: expected true or false, got \"yes\""),
      (["speed": 0], "speed: expected a number from 0.001 to 1000, got 0"),
      (["keeps": "all"], "keeps: expected a number from 0 to 100000000 or \"minimum\", got \"all\""),
      (["slop": "30"], "slop: expected a number from 0 to 100000000 or a record {hide, show}, got \"30\""),
      (["slop": ["down": 1]], "slop.down: there is no such field, expected hide, show"),
      (["fade": [0, 1]], "fade: expected true or a record {from, to}, got a list"),
      (["fade": false], "fade: expected true or a record {from, to}, got false"),
      (["fade": ["from": 0.5, "to": 0.5]], "fade.to: expected more than from, which is 0.5, got 0.5"),
      (["stretch": true], "stretch: expected a record {factor, limit, trigger, repeats}, got true"),
      (["order": 1], "order: expected a record {hide, show}, got 1"),
      (["rest": ["stops": ["half": 2]]], "rest.stops.half: expected a number from 0 to 1, got 2"),
      (["rest": ["spring": 1]], "rest.spring: expected a record {mass, stiffness, damping}, got 1"),
      (["curve": "eas"], "curve: expected one of "),
      (
        ["sticky": true],
        "sticky: there is no such field, expected drawer, collapse, shift, pin, keeps, beyond, slack, returns, "
      ),
    ] as [(Value.Record, String)])
  func `a law that cannot be is refused with its place`(_ law: Value.Record, _ sentence: String) throws {
    var law = law
    if law["drawer"] == nil { law["drawer"] = "tabs" }
    let composed = ComposedHeader(
      title: "", drawers: Self.drawers,
      delegates: [
        .init(behavior: "CollapsingHeader", options: ["drawers": .list([["drawer": "title"], .record(law)])])
      ])
    let error = try #require(throws: HeaderError.self) { try composed.open() }
    let place = "delegates[0].options.drawers[1]."
    #expect(error.name == .invalidOption && error.message.hasPrefix(place + sentence), "\(error.message)")
    // The path is where a config file has the mistake; the sentence is told once.
    #expect(error.field == error.message.split(separator: ": ")[0].description)
    #expect(error.message.ranges(of: "drawers[1]").count == 1)
  }
}
