// SPDX-License-Identifier: MIT
//
// An event that waits for a client (ClientTurn.swift), and the chain as it changes (ChainEditor.swift), by the
// engine alone: no service, no clock.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct WaitingTests {
  private func client(
    _ way: ClientDescription.Way, _ name: String = "guard", options: Value.Record = Value.Record()
  ) -> DelegateDescription {
    DelegateDescription(client: ClientDescription(way), name: name, options: options)
  }

  private func resume(
    _ bench: Bench, _ reply: DelegateReply
  ) -> (answer: EventAnswer, refusal: HeaderError?, states: [HeaderState]) {
    var unknown: [UnknownField] = []
    var refusal: HeaderError?
    var states: [HeaderState] = []
    let answer = bench.header.resume(reply, unknown: &unknown, refusal: &refusal) { (state: borrowing HeaderState) in
      states.append(copy state)
    }
    #expect(unknown.isEmpty)
    return (answer, refusal, states)
  }

  @Test func `an event is parked in its place in the chain and goes on from there`() throws {
    let bench = try Bench(["A", "B"])
    var log: [String] = []
    for index in 0..<2 { bench[index].receiving = { probe, _, _, _ in log.append(probe.name) } }
    let place = try bench.header.addDelegate(client(.intercept), at: 1, provider: bench.provider)
    #expect(place == 1 && !bench.header.isWaiting)
    try bench.send(.willEndDragging(velocity: Point(), targetOffset: PartialPoint(y: 100)), y: 5, at: 1)
    #expect(log == ["a"])
    #expect(bench.header.isWaiting)
    let question = try #require(bench.header.question)
    #expect(question.name == "guard" && question.delegate == 1 && question.deadline == 0.008)
    #expect(question.event["targetOffset"] == ["x": 0, "y": 100])
    #expect(bench.takeStates().isEmpty)
    let (answer, refusal, states) = resume(
      bench,
      .answer(["verdict": "rewrite", "targetOffset": ["y": 30], "actions": [["action": "notice", "name": "held"]]]))
    #expect(refusal == nil && !bench.header.isWaiting && bench.header.question == nil)
    #expect(log == ["a", "b"])
    #expect(answer.targetOffset == Point(x: 0, y: 30) && answer.rewrittenBy == "guard" && answer.returned == true)
    #expect(states.map(\.notices) == [["held"]])
  }

  @Test func `who is asked about an event is told of those that it brings about`() throws {
    let bench = try Bench(["A"])
    bench[0].receiving = { probe, event, _, header in
      guard event.kind == .didScroll, event.depth == 0 else { return }
      try header.setContentOffset(Point(x: 0, y: 7), of: 0, by: probe)
    }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    try bench.send(.didScroll, y: 5, at: 1)
    _ = resume(bench, .answer(["verdict": "pass"]))
    let told = bench.header.takeClientEvents().map { $0.event["offset"] }
    #expect(told == [["x": 0, "y": 7]])
  }

  @Test func `what follows the chain waits with the event`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    try bench.send(.didEndDragging(willDecelerate: true), at: 1)
    #expect(!bench.view.isDecelerating)
    _ = resume(bench, .passedOver("late"))
    #expect(bench.view.isDecelerating)
    try bench.send(.willAppear)
    _ = resume(bench, .answer(["verdict": "end"]))
    #expect(bench.header.environment.visible)
    try bench.send(.shouldScrollToTop)
    #expect(!bench.view.isAnimating)
    #expect(resume(bench, .answer(["verdict": "end", "returned": false])).answer.returned == false)
    #expect(!bench.view.isAnimating)
  }

  @Test func `a client that misses three deadlines in a row only observes`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    for time in 1...2 {
      try bench.send(.didScroll, y: Double(time), at: Double(time))
      #expect(resume(bench, .late("late")).states.last?.notices == ["delegatePassedOver"])
    }
    // An answer, and nobody counts what was before it; a client that is passed over for another reason was not late.
    try bench.send(.didScroll, y: 3, at: 3)
    _ = resume(bench, .answer(["verdict": "pass"]))
    for time in 4...5 {
      try bench.send(.didScroll, y: Double(time), at: Double(time))
      _ = resume(bench, .late("late"))
      try bench.send(.didScroll, y: Double(time) + 0.5, at: Double(time) + 0.5)
      _ = resume(bench, .passedOver("it does not take what it is sent"))
    }
    #expect(bench.header.hasInterceptors)
    try bench.send(.didScroll, y: 6, at: 6)
    let last = resume(bench, .late("late")).states.last
    #expect(last?.notices == ["delegatePassedOver", "delegateOnlyObserves"])
    #expect(last?.happened.notices.last?.arguments?["missedDeadlines"] == 3)
    #expect(!bench.header.hasInterceptors)
    #expect(bench.header.description.delegates[1].client?.way == .observe)
    _ = bench.header.takeClientEvents()
    try bench.send(.didScroll, y: 7, at: 7)
    #expect(!bench.header.isWaiting)
    #expect(bench.header.takeClientEvents().map(\.delegate) == [1])
  }

  @Test func `a saved client has missed no more deadlines than one may`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    try bench.send(.didScroll, y: 1, at: 1)
    _ = resume(bench, .late("late"))
    guard case .record(var saved) = try bench.header.save(), case .list(var members)? = saved["delegates"],
      case .record(var member) = members[1]
    else { preconditionFailure("no delegates are saved") }
    #expect(member["missedDeadlines"] == 1)
    member["missedDeadlines"] = 255
    members[1] = .record(member)
    saved["delegates"] = .list(members)
    let error = #expect(throws: HeaderError.self) {
      _ = try Header(bench.header.description, epoch: 2, provider: bench.provider, saved: .record(saved))
    }
    #expect(error?.field == "saved.delegates[1].missedDeadlines")
  }

  @Test func `of two clients only the one that hangs is not asked any more`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept, "one"), provider: bench.provider)
    try bench.header.addDelegate(client(.intercept, "two"), provider: bench.provider)
    for time in 1...3 {
      try bench.send(.didScroll, y: Double(time), at: Double(time))
      _ = resume(bench, .late("late"))
      _ = resume(bench, .answer(["verdict": "pass"]))
    }
    try bench.send(.didScroll, y: 4, at: 4)
    #expect(bench.header.question?.name == "two")
    _ = resume(bench, .answer(["verdict": "pass"]))
    #expect(!bench.header.isWaiting)
  }

  @Test func `two clients are asked one after the other`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept, "one"), at: 0, provider: bench.provider)
    try bench.header.addDelegate(client(.intercept, "two"), provider: bench.provider)
    try bench.send(.didScroll, y: 10, at: 1)
    #expect(bench.header.question?.name == "one")
    #expect(resume(bench, .passedOver("late")).states.isEmpty)
    #expect(bench.header.question?.name == "two")
    let states = resume(bench, .answer(["verdict": "pass"])).states
    #expect(states.map(\.notices) == [["delegatePassedOver"]])
    #expect(!bench.header.isBypassed(0), "it is asked again the next time")
  }

  @Test func `those behind a client that rewrites an offer are offered less, and the sum is the offer`() throws {
    let bench = try Bench(["A", "B"])
    var offers: [Double] = []
    for index in 0..<2 {
      bench[index].receiving = { _, event, answer, _ in
        offers.append(event.delta.y)
        answer.consumed = Point(x: 0, y: 4)
        answer.hasConsumed = true
      }
    }
    try bench.header.addDelegate(client(.intercept), at: 1, provider: bench.provider)
    try bench.send(.willScroll(delta: Point(x: 0, y: 30), source: .drag), at: 1)
    #expect(bench.header.question?.event["delta"] == ["x": 0, "y": 26])
    let answer = resume(bench, .answer(["verdict": "rewrite", "delta": ["y": 10]])).answer
    #expect(offers == [30, 10])
    #expect(answer.consumed == Point(x: 0, y: 8))
    #expect(answer.residual == Point(x: 0, y: 22))
    // More than is offered, or the other way, is wrong.
    for y in [27.0, -1] {
      try bench.send(.willScroll(delta: Point(x: 0, y: 30), source: .drag))
      let refused = resume(bench, .answer(["verdict": "rewrite", "delta": ["y": .number(y)]]))
      #expect(refused.refusal?.field == "result.delta")
      #expect(refused.answer.residual == Point(x: 0, y: 22))
    }
  }

  @Test func `a client's own write comes back to the others as a nested event`() throws {
    let bench = try Bench(["A"])
    var seen: [Int32] = []
    bench[0].receiving = { _, event, _, _ in if event.kind == .didScroll { seen.append(event.depth) } }
    try bench.header.addDelegate(client(.intercept), at: 0, provider: bench.provider)
    try bench.send(.didScroll, y: 10, at: 1)
    _ = resume(
      bench, .answer(["verdict": "pass", "actions": [["action": "setContentOffset", "offset": ["y": 40]]]]))
    #expect(seen == [1, 0])
    #expect(bench.view.contentOffset.y == 40)
    #expect(bench.header.takeClientEvents().map { $0.event["depth"] } == [1])
  }

  @Test func `a header that is saved with clients goes on as it would have`() throws {
    let bench = try Bench(["A"]) { $0.delegates[0].options = ["speed": 2] }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    try bench.send(.didScroll, y: 10, at: 1)
    let answer: Value = [
      "verdict": "pass",
      "actions": [
        ["action": "setValue", "name": "mood", "value": 3], ["action": "notice", "name": "seen"],
        ["action": "move", "drawer": "navBar", "by": -5],
      ],
    ]
    _ = resume(bench, .answer(answer))
    let saved = try bench.header.save()
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(bench.header.description.recorded, unknown: &unknown, isRecorded: true)
    #expect(description == bench.header.description && unknown.isEmpty)
    let other = try Bench(["A"], saved: saved) { $0 = description }
    #expect(other.state.line == bench.state.line.replacing(" \(bench.state.happened.notices) ", with: " [] "))
    for each in [bench, other] {
      try each.send(.didScroll, y: 20, at: 2)
      _ = resume(each, .answer(answer))
    }
    #expect(other.state.line == bench.state.line)
    // Opened again it has no clients: they join for themselves.
    #expect(try HeaderDescription(bench.header.description.value, unknown: &unknown).delegates.map(\.name) == ["a"])
  }
}

@Suite struct ChainTests {
  /// Claims all drawers and elements, or with `yields` those that are free, at first and when drawers come and go.
  private func owners(
    _ names: [String], _ options: [String: Value.Record] = [:], elements: [String] = []
  ) throws -> Bench {
    var behaviors: [BehaviorDescription] = []
    for name in ["A", "B", "C"] {
      var behavior = BehaviorDescription.probe(name)
      behavior.options.append(OptionSchema(name: "yields", type: .bool, defaultValue: false, meaning: "Gives way"))
      behaviors.append(behavior)
    }
    let bench = try Bench(names) { description in
      description.drawers[0].elements = elements.map { ElementDescription(name: $0) }
      for index in description.delegates.indices {
        description.delegates[index].options = options[description.delegates[index].name] ?? Value.Record()
      }
    } prepare: { probe in
      var yields = false
      func claim(_ probe: Probe, _ header: Header) throws {
        for drawer in header.drawers.indices where !yields || header.isFree(drawer, for: probe) {
          try header.claimDrawer(drawer, by: probe)
        }
        for element in header.elements.indices where !yields || header.isElementFree(element, for: probe) {
          try header.claimElement(element, by: probe)
        }
      }
      probe.setting = { probe, option, value, _ in
        if probe.behavior.options[option].name == "yields" { yields = value == .bool(true) }
      }
      probe.attaching = { probe, header in try claim(probe, header) }
      probe.receiving = { probe, event, _, header in
        if event.given.contains(.structure) { try claim(probe, header) }
      }
    }
    bench.provider.behaviors = behaviors
    return bench
  }

  private func names(_ bench: Bench) -> [String?] {
    bench.header.drawers.indices.map { drawer in
      bench.header.delegates.first { bench.header.owns(drawer, $0) }?.name
    }
  }

  @Test func `who does not yield takes over from who does`() throws {
    let bench = try owners([])
    try bench.header.addDelegate(
      DelegateDescription(behavior: "A", options: ["yields": true]), provider: bench.provider)
    #expect(names(bench) == ["a", "a"])
    try bench.header.addDelegate(DelegateDescription(behavior: "B"), at: 0, provider: bench.provider)
    #expect(names(bench) == ["b", "b"])
    let error = #expect(throws: HeaderError.self) {
      try bench.header.addDelegate(DelegateDescription(behavior: "C"), at: 0, provider: bench.provider)
    }
    #expect(error?.name == .conflict)
    #expect(error?.facts["delegates"] == ["b", "c"])
    #expect(names(bench) == ["b", "b"])
    #expect(bench.header.delegates.map(\.name) == ["b", "a"])
    #expect(bench.header.delegates.map(\.index) == [0, 1])
    try bench.header.removeDelegate(at: 0)
    #expect(names(bench) == ["a", "a"])
  }

  @Test func `so it does of the looks of elements`() throws {
    let bench = try owners([], elements: ["title", "line"])
    try bench.header.addDelegate(
      DelegateDescription(behavior: "A", options: ["yields": true]), provider: bench.provider)
    try bench.header.addDelegate(DelegateDescription(behavior: "B"), provider: bench.provider)
    for element in 0..<2 { #expect(bench.header.isElementFree(element, for: bench[1])) }
    try bench.header.removeDelegate(at: 1)
    for element in 0..<2 { #expect(bench.header.isElementFree(element, for: bench[0])) }
  }

  @Test func `yielding is settled when a delegate joins`() throws {
    let bench = try owners([])
    try bench.header.addDelegate(DelegateDescription(behavior: "A"), provider: bench.provider)
    let error = #expect(throws: HeaderError.self) {
      try bench.send(.setOptions(["yields": true], delegate: "a"), at: 1)
    }
    #expect(error?.name == .invalidOption && error?.field == "options.yields")
    try bench.send(.setOptions(["yields": false], delegate: "a"))
  }

  @Test func `values keep their owner wherever it goes`() throws {
    let bench = try Bench(["A", "B", "C"])
    for (index, name) in ["A", "B", "C"].enumerated() {
      try bench.act(index) { probe, header in try header.setValue(0, .text(name), by: probe) }
    }
    _ = bench.takeStates()
    try bench.header.moveDelegate(from: 2, to: 0)
    #expect(bench.state.names.values == ["valueC", "valueA", "valueB"])
    #expect(bench.state.values.map(\.content) == [.text("C"), .text("A"), .text("B")])
    try bench.act(0) { probe, header in try header.setValue(0, .text("c"), by: probe) }
    #expect(bench.state.values.map(\.content) == [.text("c"), .text("A"), .text("B")])
    try bench.header.removeDelegate(at: 1)
    #expect(bench.state.names.values == ["valueC", "valueB"])
    #expect(bench.state.values.map(\.content) == [.text("c"), .text("B")])
  }

  @Test func `a delegate that refuses to join leaves everything as it was`() throws {
    let bench = try Bench(["A", "B"]) { $0.delegates.removeLast() }
    bench.provider.prepare = { probe in
      probe.attaching = { probe, header in
        try header.claimDrawer(0, by: probe)
        try header.setFrame(Rect(x: 0, y: 9, width: 1, height: 1), ofDrawer: 0, by: probe)
        throw DelegateFailure.refused("not here")
      }
    }
    let before = bench.state
    let error = #expect(throws: HeaderError.self) {
      try bench.header.addDelegate(DelegateDescription(behavior: "B"), at: 0, provider: bench.provider)
    }
    #expect(error?.hint == "not here")
    #expect(bench.header.delegates.map(\.name) == ["a"] && bench.header.delegates[0].index == 0)
    #expect(bench.header.description.delegates.map(\.name) == ["a"])
    try bench.send(.didScroll, y: 1, at: 1)
    #expect(bench.state.drawers == before.drawers && bench.state.names.values == before.names.values)
  }
}

extension WaitingTests {
  /// A client that says a new value in the middle of an event makes nothing known of what the event has done so far.
  @Test func `whoever asks while an event waits gets what was published`() throws {
    let bench = try Bench(["A"])
    for name in ["mover", "namer", "last"] {
      try bench.header.addDelegate(client(.intercept, name), provider: bench.provider)
    }
    _ = bench.takeStates()
    let published = bench.header.state
    try bench.send(.willAppear, at: 1)
    for action: Value in [
      ["action": "move", "drawer": "navBar", "by": -20], ["action": "setValue", "name": "mood", "value": "calm"],
    ] {
      #expect(resume(bench, .answer(["verdict": "pass", "actions": [action]])).states.isEmpty)
    }
    #expect(bench.header.isWaiting)
    #expect(bench.header.state.names.values.contains("mood"))
    #expect(bench.header.state.seq == published.seq && bench.header.state.drawers == published.drawers)
    let (_, refusal, states) = resume(bench, .answer(["verdict": "pass"]))
    #expect(refusal == nil && states.count == 1)
    #expect(states[0].drawers != published.drawers)
    #expect(states[0].seq == published.seq + 1)
  }
}

/// The actions of a client's answer.
extension WaitingTests {
  /// Asks a client, which answers with these actions.
  private func act(
    _ bench: Bench, _ actions: [Value], at seconds: Double = 1
  ) throws -> (refusal: HeaderError?, states: [HeaderState]) {
    try bench.send(.willAppear, at: seconds)
    let (_, refusal, states) = resume(bench, .answer(["verdict": "pass", "actions": .list(actions)]))
    return (refusal, states)
  }

  @Test(
    arguments: [
      (["one"], nil, 0), (["one"], "one", 0), (["one", "two"], "two", 1), (["one", "two"], "one", 0),
      (["one", "two"], nil, nil),
    ] as [([String], String?, Int?)])
  func `who names no scroll view means the tracking one, else the only one`(
    _ views: [String], _ tracking: String?, _ moved: Int?
  ) throws {
    let bench = try Bench(["A"]) { description in
      description.scrollViews = views.map { ScrollViewDescription(name: $0) }
      description.trackingScrollView = tracking
    }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let (refusal, _) = try act(bench, [["action": "setContentOffset", "offset": ["y": 40]]])
    #expect(refusal?.field == (moved == nil ? "result.actions[0].scrollView" : nil))
    let offsets = bench.header.scrollViews.indices.map { bench.header.scrollViews[$0].contentOffset.y }
    #expect(offsets == views.indices.map { $0 == moved ? 40 : 0 })
  }

  @Test func `an offset may have one axis, and the other stays`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let cases: [(Value, Point)] = [
      (["x": 4], Point(x: 4, y: 0)), (["y": 40], Point(x: 4, y: 40)), (["x": 1, "y": 2], Point(x: 1, y: 2)),
    ]
    for (offset, expected) in cases {
      #expect(try act(bench, [["action": "setContentOffset", "offset": offset]]).refusal == nil)
      #expect(bench.view.contentOffset == expected)
    }
    let (refusal, _) = try act(bench, [["action": "setContentOffset", "offset": [:]]])
    #expect(refusal?.field == "result.actions[0].offset")
  }

  @Test(
    arguments: [
      (["action": "move", "drawer": "navBar", "by": -5], ".drawer"), (["action": "expand"], ""),
      (["action": "setValue", "name": "valueA", "value": 3], ".name"),
      (["action": "setElement", "name": "title", "alpha": 0.5], ".name"),
    ] as [(Value, String)])
  func `a client that yields leaves alone what another has and does the rest, any other is refused`(
    _ action: Value, _ field: String
  ) throws {
    for yields in [false, true] {
      let bench = try Bench(
        ["A"], describe: { $0.drawers[0].elements = [ElementDescription(name: "title")] },
        prepare: { probe in
          probe.attaching = { probe, header in
            for drawer in 0..<2 { try header.claimDrawer(drawer, by: probe) }
            try header.claimElement(0, by: probe)
          }
        })
      try bench.header.addDelegate(client(.intercept, options: ["yields": .bool(yields)]), provider: bench.provider)
      let before = bench.state
      let (refusal, states) = try act(bench, [action, ["action": "notice", "name": "seen"]])
      #expect(refusal?.name == (yields ? nil : .conflict))
      #expect(refusal?.field == (yields ? nil : "result.actions[0]" + field))
      #expect(states.map(\.notices) == [[yields ? "seen" : "delegatePassedOver"]])
      #expect(bench.state.drawers == before.drawers && bench.state.elements == before.elements)
      #expect(bench.state.values == before.values)
    }
  }

  @Test func `what a client does not say of a drawer stays`() throws {
    let bench = try Bench(["A"]) {
      $0.drawers[0].minimumHeight = 10
      $0.drawers[0].maximumHeight = 90
    }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let looks: [(Value, [Double])] = [
      (["action": "setDrawer", "name": "navBar", "minimumHeight": 20], [20, 90]),
      (["action": "setDrawer", "name": "navBar", "maximumHeight": 80], [20, 80]),
      (["action": "setDrawer", "name": "navBar", "alpha": 0.5], [20, 80]),
    ]
    for (look, heights) in looks {
      #expect(try act(bench, [look]).refusal == nil)
      let drawer = bench.header.drawers[0]
      #expect([drawer.minimumHeight, drawer.maximumHeight] == heights)
    }
    #expect(bench.header.drawers[0].alpha == 0.5)
    #expect(!bench.header.drawers[0].isSticky && !bench.header.drawers[0].isHidden)
    let rest: Value = [
      "action": "setDrawer", "name": "navBar", "sticky": true, "hidden": true, "translation": ["x": 3],
    ]
    #expect(try act(bench, [rest]).refusal == nil)
    let drawer = bench.header.drawers[0]
    #expect(drawer.isSticky && drawer.isHidden && drawer.translation == Point(x: 3) && drawer.alpha == 0.5)
  }

  @Test func `a drawer that is made higher pushes the one behind it`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    #expect(try act(bench, [["action": "setHeight", "drawer": "navBar", "height": 54]]).refusal == nil)
    #expect(bench.header.drawers.indices.map { bench.header.drawers[$0].frame.origin.y } == [0, 54])
  }

  @Test func `a drawer that is made higher leaves those of other edges alone`() throws {
    let bench = try Bench(["A"]) { $0.drawers[1] = DrawerDescription(name: "tools", height: 40, y: 0, width: 320) }
    let edged = try Bench(["A"]) {
      $0.drawers[1] = DrawerDescription(name: "tools", height: 40, y: 0, width: 320)
      $0.drawers[1].edge = .bottom
    }
    for (bench, y) in [(bench, 10.0), (edged, 440)] {
      try bench.header.addDelegate(client(.intercept), provider: bench.provider)
      #expect(try act(bench, [["action": "setHeight", "drawer": "navBar", "height": 54]]).refusal == nil)
      #expect(bench.state.drawers.map(\.frame.origin.y) == [0, y])
    }
  }

  @Test func `a drawer that follows another one is no client's, and such an answer does nothing`() throws {
    let bench = try Bench(["A"]) {
      $0.drawers[1].edge = .bottom
      $0.drawers[1].follow = Following(drawer: "navBar")
    }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let (refusal, states) = try act(
      bench, [["action": "notice", "name": "seen"], ["action": "move", "drawer": "extension", "by": -10]])
    #expect(refusal?.name == .conflict && refusal?.field == "result.actions[1].drawer")
    #expect(states.map(\.notices) == [["delegatePassedOver"]])
  }

  @Test(arguments: [(256, 0, true), (257, 0, false), (100, 155, true), (100, 156, false)])
  func `an answer has at most 256 actions, those inside animations included`(
    _ outside: Int, _ inside: Int, _ fits: Bool
  ) throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let notice: Value = ["action": "notice", "name": "seen"]
    var actions = Array(repeating: notice, count: outside)
    if inside > 0 {
      let nested = Array(repeating: notice, count: inside)
      actions.append(["action": "animate", "duration": 1, "actions": .list(nested)])
    }
    let (refusal, states) = try act(bench, actions)
    #expect((refusal == nil) == fits)
    // A notice that is repeated with nothing changed is a routine one.
    #expect(states.first?.notices.count(where: { $0 == "seen" || $0 == "(seen)" }) == (fits ? outside + inside : 0))
  }
}

extension WaitingTests {
  @Test func `a client may have as many values as the header has room for, and no more`() throws {
    var limits = Limits()
    limits.values = 2
    func value(_ name: String) -> Value { ["action": "setValue", "name": .text(name), "value": 1] }
    let bench = try Bench(["A"], limits: limits)
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    let (refusal, states) = try act(bench, [value("one"), value("two")])
    #expect(refusal?.name == .limitExceeded && refusal?.field == "result.actions" && refusal?.got == 3)
    #expect(states.map(\.notices) == [["delegatePassedOver"]])
    #expect(bench.state.names.values == ["valueA"])
    #expect(try act(bench, [value("one")], at: 2).refusal == nil)
    #expect(bench.state.names.values == ["valueA", "one"])
  }

  @Test func `while an event waits nothing is taken but an answer, and no answer while none does`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    #expect(throws: HeaderError.self) {
      try bench.header.apply(.answer(.answer(["verdict": "pass"])), provider: bench.provider) { _ in }
    }
    try bench.send(.didScroll, y: 1, at: 1)
    let error = #expect(throws: HeaderError.self) { try bench.send(.didScroll, y: 2, at: 2) }
    #expect(error?.message == "header \"main\" waits for a client's answer to the event before this one")
    #expect(bench.view.contentOffset.y == 1)
    _ = resume(bench, .answer(["verdict": "pass"]))
    try bench.send(.didScroll, y: 2, at: 2)
    #expect(bench.view.contentOffset.y == 2)
  }

  @Test func `a delegate that is taken out of the way while an event waits is told of with that event`() throws {
    let bench = try Bench(["A"])
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    try bench.send(.willAppear, at: 1)
    var states = 0
    let input = HeaderInput.bypassDelegate("a", reason: "its process crashed")
    let outcome = try bench.header.apply(input, provider: bench.provider) { (_: borrowing HeaderState) in states += 1 }
    guard case .waiting = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(states == 0 && bench.header.isWaiting)
    #expect(resume(bench, .answer(["verdict": "pass"])).states.map(\.notices) == [["delegatePassedOver"]])
  }

  @Test func `that a client was passed over is a change like any other`() throws {
    let bench = try Bench(["A"])
    func post() throws -> [[String]] {
      try bench.act { probe, header in try header.post(0, nil, isRoutine: false, by: probe) }
      return bench.takeStates().map(\.notices)
    }
    try bench.header.addDelegate(client(.intercept), provider: bench.provider)
    #expect(try post() == [["first"]])
    try bench.send(.willAppear, at: 1)
    _ = resume(bench, .passedOver("gone"))
    try bench.act { probe, header in try header.setValue(0, .number(1), by: probe) }
    _ = bench.takeStates()
    #expect(try post() == [["first"]])
  }

  @Test func `clients hear nothing of what a delegate did that was refused`() throws {
    let bench = try Bench(["A", "B"]) { $0.delegates.removeLast() }
    try bench.header.addDelegate(client(.observe, "eye"), provider: bench.provider)
    bench.provider.prepare = { probe in
      probe.attaching = { probe, header in
        try header.setContentOffset(Point(x: 0, y: 9), of: 0, by: probe)
        throw DelegateFailure.refused("not here")
      }
    }
    #expect(throws: HeaderError.self) {
      try bench.header.addDelegate(DelegateDescription(behavior: "B"), provider: bench.provider)
    }
    #expect(bench.header.takeClientEvents().isEmpty && bench.view.contentOffset.y == 0)
    bench.provider.prepare = { probe in
      probe.attaching = { try $1.setContentOffset(Point(x: 0, y: 9), of: 0, by: $0) }
    }
    try bench.header.addDelegate(DelegateDescription(behavior: "B"), provider: bench.provider)
    #expect(bench.header.takeClientEvents().map { $0.event["event"] } == ["didScroll"])
  }
}
