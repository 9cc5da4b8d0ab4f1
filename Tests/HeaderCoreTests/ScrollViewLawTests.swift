// SPDX-License-Identifier: MIT
//
// The laws of the scroll view model: which writes are told, which bring an offset back, and that every move that did not
// come from the publisher is in `correction`.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ScrollViewLawTests {
  @Test func `a write is told inside the write, a silent move is not, both are corrections`() throws {
    let bench = try Bench(["A", "B"])
    var told: [Double] = []
    bench[1].receiving = { _, event, _, header in
      told.append(header.scrollViews[0].contentOffset.y)
      #expect(event.kind == .didScroll && event.depth == 1)
    }
    try bench.act(at: 0) { probe, header in
      try header.setContentOffset(Point(x: 0, y: 30), of: 0, by: probe)
      #expect(told == [30])
      try header.moveSilently(to: Point(x: 3, y: 40), 0, by: probe)
      try header.setContentOffset(Point(x: 3, y: 40), of: 0, by: probe)
      #expect(told == [30])
    }
    #expect(bench.view.correction == Point(x: 3, y: 40))
    #expect(bench.states.count == 1)
    #expect(bench.state.scrollViews[0].correction == Point(x: 3, y: 40))
  }

  @Test func `corrections that a report did not have yet are added to it`() throws {
    let bench = try Bench()
    try bench.act(at: 0) { probe, header in try header.moveSilently(to: Point(x: 0, y: -20), 0, by: probe) }
    try bench.act { probe, header in try header.moveSilently(to: Point(x: 0, y: -30), 0, by: probe) }
    #expect(bench.view.correction.y == -30)
    let layout = ScrollEvent.Kind.layout(try LayoutChange(["contentSize": ["height": 3000]]))
    // Sent before either was known, after the first, and after both.
    for kind in [.didScroll, layout] {
      for (applied, expected) in [(0.0, 70.0), (-20, 90), (-30, 100)] {
        try bench.send(ScrollEvent(kind, offset: PartialPoint(y: 100), correction: PartialPoint(y: applied)))
        #expect(bench.view.contentOffset.y == expected)
      }
    }
    try bench.send(.didScroll, y: 100)
    #expect(bench.view.contentOffset.y == 100)
    try bench.send(ScrollEvent(.didScroll, offset: PartialPoint(x: 4), correction: PartialPoint(y: 0)))
    #expect(bench.view.contentOffset == Point(x: 4, y: 100))
  }

  @Test func `a viewport that grows takes the drawers' widths along`() throws {
    let bench = try Bench()
    for (width, height) in [(321.0, 480.0), (300, 480), (300, 500)] {
      try bench.send(
        .layout(LayoutChange(["viewport": ["width": .number(width), "height": .number(height)]])), at: 0)
      #expect(bench.header.drawers.indices.map { bench.header.drawers[$0].frame.size.width } == [width, width])
      #expect(bench.header.drawers.indices.map { bench.header.drawers[$0].frame.size.height } == [44, 40])
    }
  }

  @Test func `a viewport that shrinks by more than a drawer is wide leaves it no width`() throws {
    let bench = try Bench(describe: { $0.drawers[0].width = 100 })
    try bench.send(.layout(LayoutChange(["viewport": ["width": 120, "height": 480]])), at: 0)
    #expect(bench.header.drawers[0].frame.size.width == 0 && bench.state.drawers[0].frame.size.width == 0)
  }

  @Test func `a content size that is the same brings nothing back, another one does`() throws {
    let bench = try Bench(describe: { $0.scrollViews[0].clamping = .all })
    try bench.send(.didScroll, y: -50, at: 0)
    for (height, expected) in [(2000.0, -50.0), (1999, 0)] {
      try bench.send(.layout(LayoutChange(["contentSize": ["height": .number(height)]])))
      #expect(bench.view.contentOffset.y == expected)
    }
  }

  @Test func `an inset that is the same brings nothing back, another one does`() throws {
    let bench = try Bench(describe: { $0.scrollViews[0].clamping = .inset })
    try bench.send(.didScroll, y: -50, at: 0)
    for (top, expected) in [(0.0, -50.0), (10, -10)] {
      try bench.send(.layout(LayoutChange(["contentInset": ["top": .number(top)]])))
      #expect(bench.view.contentOffset.y == expected)
    }
  }

  @Test func `the safe area counts from the event on that asks for it`() throws {
    let bench = try Bench(describe: {
      $0.environment.safeAreaInset = Insets(top: 44, bottom: 34)
      $0.scrollViews[0].contentInset.top = 10
    })
    #expect(bench.view.adjustedContentInset == Insets(top: 10))
    try bench.send(.layout(LayoutChange(["contentInsetAdjustment": "automatic"])), at: 0)
    #expect(bench.view.adjustedContentInset == Insets(top: 54, bottom: 34))
  }

  @Test func `a scroll that is no scroll view's moves nothing`() throws {
    let bench = try Bench(describe: {
      $0.scrollViews = ["one", "other"].map { ScrollViewDescription(name: $0) }
      $0.trackingScrollView = nil
    })
    let input = HeaderInput.scroll(to: PartialPoint(y: 5), correction: nil)
    _ = try bench.header.apply(input, at: Instant(seconds: 1), provider: bench.provider)
    #expect(bench.header.scrollViews.indices.map { bench.header.scrollViews[$0].contentOffset.y } == [0, 0])
  }

  @Test func `the corrections add up to every move of the header's own`() throws {
    var random = SplitMix64(seed: 11)
    let bench = try Bench(["A"], describe: { $0.scrollViews[0].clamping = .all })
    var reported = 0.0
    for step in 0..<300 {
      let before = bench.view
      switch step % 5 {
      case 0:
        let y = random.quarters(0...1500)
        try bench.send(.didScroll, y: y)
        reported += y - before.contentOffset.y
        #expect(bench.view.correction == before.correction)
      case 1:
        let y = random.quarters(-50...1600)
        try bench.act { probe, header in try header.setContentOffset(Point(x: 0, y: y), of: 0, by: probe) }
      case 2:
        let y = random.quarters(-50...1600)
        try bench.act { probe, header in try header.moveSilently(to: Point(x: 0, y: y), 0, by: probe) }
      case 3:
        let inset = Insets(top: random.quarters(0...100), bottom: random.quarters(0...100))
        try bench.act { probe, header in try header.setContentInset(inset, of: 0, by: probe) }
      default:
        let size = Size(width: 320, height: random.quarters(480...2200))
        try bench.act { probe, header in try header.setContentSize(size, of: 0, by: probe) }
      }
      #expect(bench.view.contentOffset.y == reported + bench.view.correction.y, "step \(step)")
    }
  }

  /// One law: which change brings an offset that it put out of range back.
  struct Law: CustomTestStringConvertible {
    var clamping: Clamping
    var change: String
    var comesBack: Bool
    var testDescription: String { "\(clamping) \(change)" }
  }

  static let laws: [Law] = ["inset", "size", "frame"].flatMap { change in
    Clamping.allCases.map { law in
      Law(clamping: law, change: change, comesBack: law == .all || (law == .inset && change == "inset"))
    }
  }

  static func push(_ change: String, _ bench: Bench) throws {
    try bench.act { probe, header in
      switch change {
      case "inset": try header.setContentInset(Insets(bottom: -100), of: 0, by: probe)
      case "size": try header.setContentSize(Size(width: 320, height: 1900), of: 0, by: probe)
      default: try header.setFrame(Rect(x: 0, y: 0, width: 320, height: 580), ofScrollView: 0, by: probe)
      }
    }
  }

  @Test(arguments: laws) func `clamping, by law and by change`(_ law: Law) throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews[0].clamping = law.clamping })
    try bench.send(.didScroll, y: 1520, at: 0)
    var told = 0
    bench[0].receiving = { _, event, _, _ in told += event.kind == .didScroll ? 1 : 0 }
    try Self.push(law.change, bench)
    #expect(bench.view.contentOffset.y == (law.comesBack ? 1420 : 1520))
    #expect(bench.view.correction.y == (law.comesBack ? -100 : 0))
    #expect(told == (law.comesBack ? 1 : 0))
  }

  @Test(arguments: ["inset", "size", "frame"])
  func `nothing is brought back while something moves the content`(_ change: String) throws {
    let movers: [(ScrollEvent.Kind, [ScrollEvent.Kind])] = [
      (.willBeginDragging, [.didEndDragging(willDecelerate: false)]),
      (.willBeginDecelerating, [.didEndDecelerating]),
      (.setContentOffset(animated: true), [.didEndScrollingAnimation]),
      (.shouldScrollToTop, [.didScrollToTop]),
    ]
    for (begins, ends) in movers {
      let bench = try Bench()
      try bench.send(.didScroll, y: 1520, at: 0)
      try bench.send(begins, y: 1520)
      try Self.push(change, bench)
      #expect(bench.view.contentOffset.y == 1520, "\(begins)")
      for kind in ends { try bench.send(kind) }
      #expect(bench.view.contentOffset.y == 1520, "the end of a movement clamps nothing by itself")
      try bench.act { probe, header in try header.setContentInset(Insets(top: 1, bottom: -100), of: 0, by: probe) }
      #expect(bench.view.contentOffset.y <= 1520)
      try bench.act { probe, header in try header.setContentSize(Size(width: 320, height: 1000), of: 0, by: probe) }
      #expect(bench.view.contentOffset.y < 1000, "\(begins)")
    }
  }

  @Test func `flags change in UIKit's order`() throws {
    let bench = try Bench()
    var log: [String] = []
    bench[0].receiving = { _, event, _, header in
      let view = header.scrollViews[0]
      log.append("\(event.kind) \(view.isTracking) \(view.isDragging) \(view.isDecelerating)")
    }
    for kind: ScrollEvent.Kind in [
      .willBeginDragging, .willEndDragging(velocity: Point(), targetOffset: nil), .didEndDragging(willDecelerate: true),
    ] { try bench.send(kind, at: 0) }
    #expect(bench.view.isDecelerating)
    for kind: ScrollEvent.Kind in [.willBeginDecelerating, .didEndDecelerating, .didEndDragging(willDecelerate: false)]
    {
      try bench.send(kind)
    }
    #expect(
      log == [
        "willBeginDragging true true false", "willEndDragging true true false", "didEndDragging false false false",
        "willBeginDecelerating false false true", "didEndDecelerating false false false",
        "didEndDragging false false false",
      ])
  }

  @Test func `flags that a toolkit gives win over those of the order of events`() throws {
    let bench = try Bench()
    var log: [String] = []
    bench[0].receiving = { _, event, _, header in
      let view = header.scrollViews[0]
      log.append("\(event.kind) \(view.isTracking) \(view.isDragging) \(view.isDecelerating)")
    }
    try bench.send(ScrollEvent(.willBeginDragging, isDragging: false), at: 0)
    try bench.send(ScrollEvent(.didScroll, offset: PartialPoint(y: 1), isTracking: false, isDragging: true))
    try bench.send(ScrollEvent(.didEndDragging(willDecelerate: true), isDecelerating: false))
    #expect(
      log == ["willBeginDragging true false false", "didScroll false true false", "didEndDragging false false false"])
    #expect(!bench.view.isDecelerating)
  }

  @Test func `short content rests at its top`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews[0].contentSize.height = 100 })
    try bench.send(.didScroll, y: 30, at: 0)
    try bench.act { probe, header in try header.setContentInset(Insets(top: 64), of: 0, by: probe) }
    #expect(bench.view.contentOffset.y == -64)
  }

  @Test func `the safe area is added to the inset where the view wants it`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews[0].contentInsetAdjustment = .automatic })
    let insets = try LayoutChange(["safeAreaInset": ["top": 44, "bottom": 34], "contentInset": ["top": 10]])
    try bench.send(.layout(insets), at: 0)
    #expect(bench.view.adjustedContentInset == Insets(top: 54, bottom: 34))
    try bench.send(.layout(LayoutChange(["statusBarHidden": true])))
    #expect(bench.view.adjustedContentInset == Insets(top: 10, bottom: 34))
    try bench.send(.layout(LayoutChange(["statusBarHidden": true, "deviceHasHardwareSafeArea": true])))
    #expect(bench.view.adjustedContentInset == Insets(top: 54, bottom: 34))
    try bench.act { probe, header in
      var wants = header.wants
      wants.additionalSafeAreaInset = Insets(top: 6)
      try header.setWants(wants, by: probe)
    }
    #expect(bench.view.adjustedContentInset == Insets(top: 60, bottom: 34))
  }

  @Test func `a wish about the status bar that is followed is told before the call returns`() throws {
    let bench = try Bench(["A", "B"], describe: { $0.environment.statusBarFollowsHeader = true })
    var told: [String] = []
    bench[1].receiving = { _, event, _, header in
      told.append(
        "\(event.kind) \(event.depth) \(header.environment.statusBarHidden) \(event.changed == .statusBarHidden)")
    }
    try bench.act(at: 0) { probe, header in
      var wants = header.wants
      wants.prefersStatusBarHidden = true
      try header.setWants(wants, by: probe)
      #expect(told == ["layout 1 true true"])
    }
    #expect(bench.state.wants.prefersStatusBarHidden)
  }

  @Test func `a view that forwards no events hears no nested ones`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews[0].forwardsEvents = false })
    var told = 0
    bench[0].receiving = { _, _, _, _ in told += 1 }
    try bench.act(at: 0) { probe, header in try header.setContentOffset(Point(x: 0, y: 30), of: 0, by: probe) }
    #expect(told == 0 && bench.view.correction.y == 30)
  }

  /// A number that no host function takes.
  static let wrongNumbers: [Double] = [.nan, .infinity, -.infinity, 1e300, -1.0000001e9]

  @Test(arguments: wrongNumbers) func `numbers that are none are refused and nothing moves`(_ wrong: Double) throws {
    let acts: [(String, (Probe, Header) throws -> Void)] = [
      ("y of the content offset", { try $1.setContentOffset(Point(x: 0, y: wrong), of: 0, by: $0) }),
      ("x of the content offset", { try $1.moveSilently(to: Point(x: wrong, y: 0), 0, by: $0) }),
      ("bottom of the content inset", { try $1.setContentInset(Insets(bottom: wrong), of: 0, by: $0) }),
      ("left of the scroll indicator insets", { try $1.setScrollIndicatorInsets(Insets(left: wrong), of: 0, by: $0) }),
      (
        "y of the scroll view's frame",
        { try $1.setFrame(Rect(x: 0, y: wrong, width: 1, height: 1), ofScrollView: 0, by: $0) }
      ),
      ("height of the content size", { try $1.setContentSize(Size(width: 0, height: wrong), of: 0, by: $0) }),
      (
        "the chain's origin",
        {
          var chain = ChainPolicy()
          chain.origin = wrong
          try $1.setChain(chain, by: $0)
        }
      ),
      ("x of the drawer's frame", { try $1.setFrame(Rect(x: wrong, y: 0, width: 1, height: 1), ofDrawer: 0, by: $0) }),
      ("y of the drawer's center", { try $1.moveDrawer(0, to: Point(x: 0, y: wrong), by: $0) }),
      ("the movement", { _ = try $1.moveChain(from: 0, by: wrong, by: $0) }),
      ("the drawer's alpha", { try $1.setAlpha(wrong, ofDrawer: 0, by: $0) }),
      ("x of the drawer's translation", { try $1.setTranslation(Point(x: wrong, y: 0), ofDrawer: 0, by: $0) }),
      ("the maximum height", { try $1.setHeights(minimum: 0, maximum: wrong, ofDrawer: 0, by: $0) }),
      (
        "top of the additional safe area inset",
        {
          var wants = $1.wants
          wants.additionalSafeAreaInset = Insets(top: wrong)
          try $1.setWants(wants, by: $0)
        }
      ),
    ]
    for (what, act) in acts {
      let bench = try Bench(
        ["A"],
        prepare: { probe in
          probe.attaching = { probe, header in for drawer in 0..<2 { try header.claimDrawer(drawer, by: probe) } }
        })
      let before = (bench.header.drawers.elements, "\(bench.header.scrollViews.elements)", bench.header.wants)
      let error = #expect(throws: HeaderError.self) { try bench.act(at: 0, act) }
      #expect(error?.name == .behaviorFailed)
      #expect(error?.hint?.hasPrefix("\(what) is ") == true, "\(error?.hint ?? "")")
      #expect(error?.hint?.hasSuffix("expected a finite number within ±1e9") == true)
      #expect(bench.header.drawers.elements == before.0)
      #expect("\(bench.header.scrollViews.elements)".contains("nan") == false)
      #expect(bench.header.wants == before.2)
      #expect(bench.header.isBypassed(0))
    }
  }
}
