// SPDX-License-Identifier: MIT
//
// The delegate proxy: who is asked, in which order, with what, and whose answer counts (the worked example of
// DelegateProxy.swift is the first test). And what becomes of a delegate that breaks a rule.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct DelegateProxyTests {
  @Test func `the worked order of a nested event`() throws {
    let bench = try Bench(["A", "B"])
    var log: [String] = []
    bench[0].receiving = { probe, event, _, header in
      log.append("A \(event.kind) \(event.depth) begins")
      if event.depth == 0 {
        log.append("A writes")
        try header.setContentOffset(Point(x: 0, y: 50), of: 0, by: probe)
      }
      log.append("A \(event.kind) \(event.depth) ends")
    }
    bench[1].receiving = { _, event, _, header in
      log.append("B \(event.kind) \(event.depth) at \(header.scrollViews[0].contentOffset.y)")
    }
    bench.header.recordsCalls = true
    try bench.send(.didScroll, y: 10, at: 0)
    #expect(
      log == [
        "A didScroll 0 begins", "A writes", "A didScroll 1 begins", "A didScroll 1 ends", "B didScroll 1 at 50.0",
        "A didScroll 0 ends", "B didScroll 0 at 50.0",
      ])
    let calls = bench.state.happened.calls.map { "\($0.delegate) \($0.kind) \($0.depth)" }
    #expect(calls == ["0 didScroll 0", "0 didScroll 1", "1 didScroll 1", "1 didScroll 0"])
  }

  @Test func `only those who respond are asked, and never beyond what the behavior declared`() throws {
    let bench = try Bench(["A", "B", "C"]) { _ in
    } prepare: { probe in
      if probe.name == "b" { probe.hears = EventSet(.didEndDragging) }
    }
    var log: [String] = []
    for index in 0..<3 { bench[index].receiving = { probe, event, _, _ in log.append("\(probe.name) \(event.kind)") } }
    try bench.send(.didScroll, y: 10, at: 0)
    try bench.send(.didEndDragging(willDecelerate: false))
    #expect(log == ["a didScroll", "c didScroll", "a didEndDragging", "b didEndDragging", "c didEndDragging"])

    var narrow = BehaviorDescription.probe("A")
    narrow.events = EventSet(.didScroll)
    let header = try Header(
      {
        var it = HeaderDescription.bench; it.delegates = [DelegateDescription(behavior: "A")]; return it
      }(),
      epoch: 1,
      provider: ProbeProvider([narrow]) { probe in
        probe.hears = .all
        probe.receiving = { _, event, _, _ in log.append("narrow \(event.kind)") }
      })
    log = []
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 1)))
    #expect(log == ["narrow didScroll"])
  }

  @Test func `of several answers the last counts, and each delegate sees the target as rewritten before it`() throws {
    let bench = try Bench(["A", "B", "C"])
    var seen: [Double] = []
    for (index, shift) in [(0, 10.0), (1, 20.0)] {
      bench[index].receiving = { _, event, answer, _ in
        seen.append(event.targetOffset.y)
        answer.targetOffset = Point(x: 0, y: event.targetOffset.y + shift)
        answer.hasTargetOffset = true
        answer.returned = index == 0
        answer.hasReturned = true
      }
    }
    bench[2].receiving = { _, event, _, _ in seen.append(event.targetOffset.y) }
    let kind = ScrollEvent.Kind.willEndDragging(velocity: Point(x: 0, y: 1), targetOffset: PartialPoint(y: 100))
    let answer = try bench.send(kind, y: 5, at: 0)
    #expect(seen == [100, 110, 130])
    #expect(answer.targetOffset == Point(x: 0, y: 130))
    #expect(answer.returned == false)
    #expect(answer.rewrittenBy == "b")
  }

  @Test func `without an answer the target is the given one, else the offset`() throws {
    let bench = try Bench(["A"])
    let given = try bench.send(
      .willEndDragging(velocity: Point(), targetOffset: PartialPoint(y: 300)), y: 5, at: 0)
    #expect(given.targetOffset == Point(x: 0, y: 300))
    #expect(given.rewrittenBy == nil && given.returned == false)
    let none = try bench.send(.willEndDragging(velocity: Point(), targetOffset: nil), y: 7)
    #expect(none.targetOffset == Point(x: 0, y: 7))
    #expect(try bench.send(.shouldScrollToTop).returned == true)
  }

  @Test func `a header without scroll views takes every event, and nobody is asked`() throws {
    let bench = try Bench(describe: { $0.scrollViews = [] })
    var heard: [DelegateEventKind] = []
    bench[0].receiving = { _, event, _, _ in heard.append(event.kind) }
    let kinds: [ScrollEvent.Kind] = [
      .willBeginDragging, .didScroll, .willEndDragging(velocity: Point(x: 0, y: 1), targetOffset: PartialPoint(y: 9)),
      .didEndDragging(willDecelerate: true), .willBeginDecelerating, .didEndDecelerating, .shouldScrollToTop,
      .didScrollToTop, .didEndScrollingAnimation, .setContentOffset(animated: true),
      .willScroll(delta: Point(x: 0, y: 3), source: .drag), .willFling(velocity: Point(x: 0, y: 3)),
    ]
    for kind in kinds { try bench.send(kind, y: 5, at: 0) }
    #expect(heard.isEmpty && bench.takeStates().isEmpty)
  }

  @Test func `an answer that ends keeps the event from those after it, that event alone`() throws {
    let bench = try Bench(["A", "B"])
    var log: [String] = []
    bench[0].receiving = { _, event, answer, _ in
      log.append("a")
      answer.ends = event.kind == .didScroll
    }
    bench[1].receiving = { _, _, _, _ in log.append("b") }
    try bench.send(.didScroll, y: 1, at: 0)
    try bench.send(.didEndDecelerating)
    #expect(log == ["a", "a", "b"])
  }

  @Test func `a delegate that fails inside its own failing call is passed over once, for the first reason`() throws {
    let bench = try Bench()
    bench[0].receiving = { probe, event, _, header in
      if event.depth == 0 { try header.setContentOffset(Point(x: 0, y: 50), of: 0, by: probe) }
      throw DelegateFailure.failed(event.depth == 0 ? "the outer call" : "the nested call")
    }
    let answer = try bench.send(.didScroll, y: 1, at: 0)
    #expect(answer.failure?.message == "delegate \"a\" of header \"main\" is bypassed: the nested call")
    #expect(bench.takeStates().map(\.notices) == [["delegatePassedOver"]])
  }

  @Test func `what a delegate starts that has failed in a nested call runs for nobody`() throws {
    let bench = try Bench()
    bench[0].receiving = { probe, event, _, header in
      guard event.depth == 0 else { throw DelegateFailure.failed("the nested call") }
      try header.setContentOffset(Point(x: 0, y: 50), of: 0, by: probe)
      try header.startTimer(1, after: 1, by: probe)
      header.startFrames(by: probe)
    }
    try bench.send(.didScroll, y: 1, at: 0)
    #expect(bench.header.isBypassed(0) && bench.header.nextDue == nil && !bench.state.framesActive)
  }

  @Test func `what one consumes is not offered to the next, and consumed and residual are the offer`() throws {
    let bench = try Bench(["A", "B", "C"])
    var offers: [Double] = []
    for (index, part) in [(0, 10.0), (1, 5.0), (2, 0.0)] {
      bench[index].receiving = { _, event, answer, _ in
        offers.append(event.delta.y)
        answer.consumed = Point(x: 0, y: part)
        answer.hasConsumed = true
      }
    }
    for kind in [
      ScrollEvent.Kind.willScroll(delta: Point(x: 0, y: 30), source: .drag),
      .didOverscroll(delta: Point(x: 0, y: 30), source: .fling), .willFling(velocity: Point(x: 0, y: 30)),
    ] {
      offers = []
      let answer = try bench.send(kind, at: 0)
      #expect(offers == [30, 20, 15])
      #expect(answer.consumed == Point(x: 0, y: 15))
      #expect(answer.residual == Point(x: 0, y: 15))
    }
  }

  /// An answer that breaks a rule, and what is said about it.
  struct Wrong: CustomTestStringConvertible {
    var kind: ScrollEvent.Kind
    var answer: @Sendable (inout DelegateAnswer) -> Void
    var reason: String
    var testDescription: String { reason }
  }

  static let offer = ScrollEvent.Kind.willScroll(delta: Point(x: 0, y: -30), source: .drag)
  static let lift = ScrollEvent.Kind.willEndDragging(velocity: Point(), targetOffset: nil)
  static let tooMuch = "it consumed more than it was offered"

  private static func target(x: Double = 0, y: Double = 0) -> @Sendable (inout DelegateAnswer) -> Void {
    {
      $0.hasTargetOffset = true
      $0.targetOffset = Point(x: x, y: y)
    }
  }

  private static func taking(x: Double = 0, y: Double = 0) -> @Sendable (inout DelegateAnswer) -> Void {
    {
      $0.hasConsumed = true
      $0.consumed = Point(x: x, y: y)
    }
  }

  static let wrongAnswers: [Wrong] = [
    Wrong(
      kind: .didScroll, answer: { $0.hasTargetOffset = true },
      reason: "it rewrote the target offset of didScroll, which has none"),
    Wrong(
      kind: lift, answer: target(y: .nan),
      reason: "y of the target offset is nan, expected a finite number within ±1e9"),
    Wrong(
      kind: lift, answer: target(x: .infinity),
      reason: "x of the target offset is inf, expected a finite number within ±1e9"),
    Wrong(
      kind: lift, answer: target(y: -1e300),
      reason: "y of the target offset is -1e+300, expected a finite number within ±1e9"),
    Wrong(kind: offer, answer: taking(y: -30.5), reason: tooMuch),
    Wrong(kind: offer, answer: taking(y: 1), reason: tooMuch),
    Wrong(kind: offer, answer: taking(x: 0.5), reason: tooMuch),
    Wrong(kind: offer, answer: taking(y: .nan), reason: tooMuch),
  ]

  @Test(arguments: wrongAnswers)
  func `a wrong answer does not count and its giver is bypassed`(_ wrong: Wrong) throws {
    let bench = try Bench(["A", "B"])
    var asked = 0
    bench[0].receiving = { _, _, answer, _ in
      asked += 1
      wrong.answer(&answer)
      answer.returned = true
      answer.hasReturned = true
      answer.ends = true
    }
    var heard: [DelegateEvent] = []
    bench[1].receiving = { _, event, _, _ in heard.append(event) }
    let answer = try bench.send(wrong.kind, y: 3, at: 0)
    #expect(answer.failure?.name == .behaviorFailed)
    #expect(answer.failure?.message == "delegate \"a\" of header \"main\" is bypassed: \(wrong.reason)")
    #expect(answer.failure?.facts["culprit"] == "a")
    #expect(answer.returned != true)
    #expect(answer.rewrittenBy == nil)
    #expect(answer.consumed ?? Point() == Point())
    #expect(heard.count == 1 && heard[0].targetOffset.y.isFinite)
    #expect(bench.state.notices == ["delegatePassedOver"])
    #expect(
      bench.state.happened.notices[0].arguments
        == Value.Record(fields: [.init(name: "reason", value: .text(wrong.reason))]))
    #expect(bench.header.isBypassed(0) && !bench.header.isBypassed(1))

    #expect(try bench.send(.didScroll, y: 4).failure == nil)
    #expect(asked == 1 && heard.count == 2)
  }

  @Test func `a delegate that fails takes its timers and frames with it, and nobody else's`() throws {
    let bench = try Bench(["A", "B"])
    var log: [String] = []
    for index in 0..<2 {
      bench[index].timing = { probe, _, _ in log.append("\(probe.name) timer") }
      bench[index].framing = { probe, _, _ in log.append("\(probe.name) frame") }
    }
    try bench.act(0, at: 0) { probe, header in
      try header.startTimer(1, after: 0.5, by: probe)
      header.startFrames(by: probe)
    }
    try bench.act(1) { probe, header in try header.startTimer(1, after: 0.5, by: probe) }
    bench[0].receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") }
    let answer = try bench.send(.didScroll, y: 1)
    #expect(answer.failure?.message == "delegate \"a\" of header \"main\" is bypassed: broken")
    #expect(bench.state.framesActive == false)
    try bench.send(.advance(frameDuration: nil), at: 1)
    #expect(log == ["b timer"])
  }

  @Test func `a failure is told with its event, not with a later change of the chain`() throws {
    let changes: [(Bench) throws -> Void] = [
      { try $0.header.removeDelegate(at: 1) }, { try $0.header.moveDelegate(from: 0, to: 1) },
      { try $0.header.addDelegate(DelegateDescription(behavior: "B", name: "last"), provider: $0.provider) },
    ]
    for (index, change) in changes.enumerated() {
      // Values have different names.
      let bench = try Bench(["A", "B"])
      if index == 2 { try bench.header.removeDelegate(at: 1) }
      bench[0].receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") }
      #expect(try bench.send(.didScroll, y: 1, at: 0).failure != nil && bench.header.hasFailure)
      try change(bench)
      #expect(bench.header.failure == nil && !bench.header.hasFailure)
    }
  }

  @Test func `a refusal where nothing may be refused counts as a failure`() throws {
    let bench = try Bench(["A"])
    bench[0].receiving = { _, _, _, _ in throw DelegateFailure.refused("not today") }
    #expect(try bench.send(.didScroll, y: 1, at: 0).failure?.message.hasSuffix("is bypassed: not today") == true)
  }

  @Test func `events nest at most eight deep, whoever goes on is bypassed`() throws {
    let bench = try Bench(["A", "B"])
    var depths: [Int32] = []
    bench[0].receiving = { probe, event, _, header in
      depths.append(event.depth)
      var offset = header.scrollViews[0].contentOffset
      offset.y += 1
      try header.setContentOffset(offset, of: 0, by: probe)
    }
    var other = 0
    bench[1].receiving = { _, _, _, _ in other += 1 }
    let answer = try bench.send(.didScroll, y: 1, at: 0)
    #expect(depths == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(other == 8)
    #expect(
      answer.failure?.message
        == "delegate \"a\" of header \"main\" is bypassed: its write nests events more than 8 deep")
    #expect(bench.states.count == 1)
    #expect(try bench.send(.didScroll, y: 2).failure == nil)
    #expect(other == 9)
  }

  @Test func `scroll events of a view that is not the tracking one reach nobody, changes of life do`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews.append(ScrollViewDescription(name: "other")) })
    var log: [String] = []
    bench[0].receiving = { _, event, _, _ in log.append("\(event.kind) \(event.scrollView)") }
    try bench.send(ScrollEvent(.didScroll, scrollView: "other", offset: PartialPoint(y: 4)), at: 0)
    try bench.send(ScrollEvent(.willBeginDragging, scrollView: "other"))
    try bench.send(ScrollEvent(.layout(LayoutChange(["contentSize": ["height": 100]])), scrollView: "other"))
    try bench.send(.didBecomeActive)
    #expect(log == ["layout 1", "didBecomeActive 0"])
    #expect(bench.header.scrollViews[1].contentOffset.y == 4)
    #expect(bench.header.scrollViews[1].isDragging)
  }

  @Test func `a change of the tracking view is two events, and the second makes it so`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews.append(ScrollViewDescription(name: "other")) })
    var log: [String] = []
    bench[0].receiving = { _, event, _, header in
      log.append("\(event.kind) \(event.scrollView) \(event.newScrollView) \(header.trackingScrollView)")
    }
    try bench.send(.willChangeTrackingScrollView(to: "other"), at: 0)
    try bench.send(.setTrackingScrollView(to: "other"))
    try bench.send(.setTrackingScrollView(to: "other"))
    try bench.send(.setTrackingScrollView(to: nil))
    #expect(
      log == [
        "willChangeTrackingScrollView 0 1 0", "setTrackingScrollView 0 1 1", "setTrackingScrollView 1 -1 -1",
      ])
    #expect(bench.states.map(\.trackingScrollView) == [1, -1])
  }

  @Test func `delegates are attached from the last to the first`() throws {
    var log: [String] = []
    let bench = try Bench(
      ["A", "B", "C"],
      prepare: { probe in
        probe.attaching = { probe, _ in log.append(probe.name) }
        probe.detaching = { log.append("-" + $0.name) }
      })
    _ = bench
    #expect(log == ["c", "b", "a"])
  }

  @Test func `two delegates that want one drawer are a conflict that names both`() throws {
    let error = #expect(throws: HeaderError.self) {
      _ = try Bench(["A", "B"], prepare: { probe in probe.attaching = { try $1.claimDrawer(0, by: $0) } })
    }
    #expect(error?.name == .conflict)
    #expect(error?.message == "delegates[0]: \"b\" and \"a\" both want the drawer \"navBar\"")
    #expect(error?.facts["delegates"] == ["b", "a"])
  }

  @Test func `an option that is taken back leaves the delegate what it hears`() throws {
    let bench = try Bench()
    var heard = 0
    bench[0].receiving = { _, event, _, _ in if event.kind == .didScroll { heard += 1 } }
    bench[0].setting = { probe, option, value, _ in
      if option == 0 { probe.hears = value == 4 ? [] : .all }
      if option == 1 { throw DelegateFailure.refused("no such word") }
    }
    let error = #expect(throws: HeaderError.self) {
      try bench.send(.setOptions(["speed": 4, "word": "x"], delegate: "a"))
    }
    #expect(error?.field == "options.word")
    try bench.send(.didScroll, y: 3)
    #expect(heard == 1)
  }

  @Test func `of two values of one name the second has its delegate's before it`() throws {
    var second = BehaviorDescription.probe("B")
    second.values = BehaviorDescription.probe("A").values
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "A"), DelegateDescription(behavior: "B")]
    let header = try Header(description, epoch: 1, provider: ProbeProvider([.probe("A"), second]))
    #expect(header.state.names.values == ["valueA", "b.valueA"])
    #expect(header.value(named: "b.valueA") != nil)
  }
}
