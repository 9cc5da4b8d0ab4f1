// SPDX-License-Identifier: MIT
//
// Explanations as the engine keeps them: nothing without a question, bounded with one, and never with an effect on the states.
// The stories are in Tests/HeaderctlTests/StoryTests.swift.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ExplanationTests {
  /// A header of which a delegate moves the drawers by what the content moved.
  private func bench(_ more: @escaping (Probe, Header) throws -> Void = { _, _ in }) throws -> Bench {
    let bench = try Bench(["A"])
    bench[0].attaching = { probe, header in try header.claimDrawer(0, by: probe) }
    bench[0].receiving = { probe, event, _, header in
      guard event.kind == .didScroll else { return }
      try more(probe, header)
    }
    return bench
  }

  @Test func `nothing is kept until somebody asks, and nothing after`() throws {
    let bench = try bench { probe, header in
      try header.setContentInset(Insets(top: Double.random(in: 1...9)), of: 0, by: probe)
    }
    #expect(bench.header.observation == Header.Observation())
    try bench.send(.didScroll, y: 1, at: 0)
    #expect(bench.header.explanations.isEmpty && bench.state.happened.explanation == nil)
    bench.header.observe { $0.explainsStates = true }
    try bench.send(.didScroll, y: 2, at: 0.1)
    let explanation = try #require(bench.state.happened.explanation)
    #expect(explanation.record["seq"] == .number(Double(bench.state.seq)))
    #expect(explanation.record["silent"] == nil && explanation.record["silentLost"] == nil)
    #expect(bench.header.explanations.isEmpty, "only states say it")
    bench.header.observe { $0.explainsStates = false }
    try bench.send(.didScroll, y: 3, at: 0.2)
    #expect(bench.state.happened.explanation == nil)
    #expect(bench.header.observation == Header.Observation())
  }

  @Test func `what a delegate posts as it joins, or its new code as it takes over, is told`() throws {
    let bench = try Bench(["A"])
    bench.provider.behaviors.append(.probe("B"))
    bench.provider.prepare = { probe in probe.attaching = { try $1.post(1, nil, isRoutine: false, by: $0) } }
    bench.header.explain(last: 1)
    try bench.header.addDelegate(DelegateDescription(behavior: "B"), at: 0, provider: bench.provider)
    var turn = bench.header.explanations.last?.turns.first { $0.delegate == "b" }
    #expect(turn?.told == ["second"])
    var wider = BehaviorDescription.probe("B")
    wider.notices.append("fourth")
    let fresh = Probe(name: "b", behavior: wider)
    fresh.restoring = { try $2.post(3, nil, isRoutine: false, by: $0) }
    try bench.header.replaceDelegate(at: 0, with: fresh)
    turn = bench.header.explanations.last?.turns.first { $0.delegate == "b" }
    #expect(turn?.told == ["fourth"])
  }

  @Test func `a state tells of the events before it that made none, of the last ones`() throws {
    var moves = false
    let bench = try bench { probe, header in
      if moves { try header.setContentInset(Insets(top: 7), of: 0, by: probe) }
    }
    bench.header.observe { $0.explainsStates = true }
    for step in 1...11 { try bench.send(.didScroll, y: Double(step), at: Double(step)) }
    moves = true
    try bench.send(.didScroll, y: 50, at: 50)
    let record = try #require(bench.state.happened.explanation).record
    guard case .list(let silent)? = record["silent"] else { return #expect(Bool(false), "\(record)") }
    #expect(silent.count == 8 && record["silentLost"] == 3)
    guard case .record(let last)? = silent.last, case .record(let reason)? = last["silence"] else { return }
    #expect(reason["name"] == "nothingAsked")
    moves = false
    try bench.send(.didScroll, y: 51, at: 51)
    bench.header.observe { $0.explainsStates = false }
  }

  @Test func `an explanation is bounded, however much an event does`() throws {
    var events = 0
    let bench = try bench { probe, header in
      events += 1
      for step in 0..<2_000 + events {
        try header.setContentInset(Insets(top: Double(step)), of: 0, by: probe)
        header.noteResistance(2, left: 1, drawer: 0)
      }
    }
    bench.header.observe { ($0.explainsStates, $0.explanations) = (true, 4) }
    for step in 1...3 { try bench.send(.didScroll, y: Double(step), at: Double(step)) }
    for explanation in bench.header.explanations {
      let entries = explanation.turns.reduce(0) { $0 + 1 + $1.moves.count + $1.changes.count + $1.cuts.count }
      #expect(entries <= 256 && explanation.lost > 1_700)
    }
    #expect(bench.header.explanations.count == 3)
    guard case .number(let lost)? = bench.state.happened.explanation?.record["lost"] else {
      return #expect(Bool(false), "what is left out is counted")
    }
    #expect(lost > 1_700)
  }

  @Test func `calls count among what an explanation has, and those beyond its bound are counted`() throws {
    let bench = try Bench(["A", "B"])
    bench[0].receiving = { probe, event, _, header in
      guard event.kind == .didScroll, event.depth == 0 else { return }
      for step in 1...300 { try header.setContentOffset(Point(x: 0, y: Double(step * 2)), of: 0, by: probe) }
    }
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.didScroll, y: 1, at: 0)
    let explanation = try #require(bench.header.explanations.first)
    // Both hear the event and each of the writes.
    #expect(explanation.turns.count <= 256 && explanation.turns.count + explanation.lost >= 602)
  }

  @Test func `what each delegate answered stands with its call`() throws {
    let bench = try Bench(["A", "B"])
    for (index, target) in [(0, 10.0), (1, 20.0)] {
      bench[index].receiving = { _, _, answer, _ in
        answer.targetOffset = Point(x: 0, y: target)
        answer.hasTargetOffset = true
      }
    }
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.willEndDragging(velocity: Point(), targetOffset: PartialPoint(y: 300)), y: 5, at: 0)
    let turns = try #require(bench.header.explanations.first).turns
    #expect(turns.map(\.delegate) == ["a", "b"])
    #expect(turns.map { $0.answer["targetOffset"] } == [["x": 0, "y": 10], ["x": 0, "y": 20]])
  }

  @Test func `more left than was wanted is no resistance`() throws {
    let bench = try bench { _, header in
      for (wanted, left) in [(4.0, 5.0), (4, -1), (-4, 1), (-4, -5), (0, 0), (3, 3)] {
        header.noteResistance(wanted, left: left, drawer: nil)
      }
      header.noteResistance(-4, left: -1, drawer: nil)
    }
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.didScroll, y: 1, at: 0)
    let explanation = try #require(bench.header.explanations.first)
    #expect(explanation.turns.flatMap(\.cuts).map(\.left) == [-1])
  }

  @Test func `frames are told together, with their times`() throws {
    let bench = try Bench(["A"])
    var top = 0.0
    bench[0].receiving = { probe, event, _, header in
      if event.kind == .didScroll { header.startFrames(by: probe) }
    }
    bench[0].framing = { probe, _, header in
      top += 1
      try header.setContentInset(Insets(top: top), of: 0, by: probe)
    }
    try bench.send(.didScroll, y: 1, at: 0)
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.didScroll, y: 2, at: 0.5)
    let story = try #require(bench.header.explanations.first).story
    let frames = story.filter { $0.contains("frame") }
    #expect(
      frames == [
        "a, in \(Int(top)) frames from 0.02 s to 0.48 s, changed the top inset of content from 0 to \(Int(top))."
      ])
  }

  @Test func `frames that change nothing take no room`() throws {
    let bench = try Bench(["A"])
    bench[0].receiving = { probe, event, _, header in
      if event.kind == .didScroll { header.startFrames(by: probe) }
    }
    var frames = 0
    bench[0].framing = { _, _, _ in frames += 1 }
    try bench.send(.didScroll, y: 1, at: 0)
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.didScroll, y: 2, at: 10)
    let explanation = try #require(bench.header.explanations.first)
    #expect(frames > 500 && explanation.lost == 0)
    #expect(explanation.turns.map(\.event) == ["didScroll"])
  }

  @Test func `a movement that ends at another delegate's drawer says so`() throws {
    let bench = try Bench(
      ["A", "B"],
      describe: {
        $0.drawers = [
          DrawerDescription(name: "bar", height: 44, y: 0, width: 320),
          DrawerDescription(name: "tabs", height: 40, y: 44, width: 320),
        ]
      },
      prepare: { probe in
        probe.attaching = { probe, header in try header.claimDrawer(probe.name == "a" ? 0 : 1, by: probe) }
      })
    bench.header.observe { $0.explanations = 1 }
    try bench.act { probe, header in _ = try header.moveChain(from: 0, by: -60, by: probe) }
    let parts = try #require(bench.header.explanations.first).turns.flatMap(\.moves).flatMap(\.parts)
    #expect(parts.map(\.drawer) == ["bar", "tabs"] && parts.last?.rule == .owner)
  }

  @Test func `a state that says that a delegate failed says something`() throws {
    let bench = try Bench(["A"])
    bench[0].receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") }
    bench.header.observe { $0.explanations = 1 }
    try bench.send(.didScroll, y: 1, at: 0)
    let story = try #require(bench.header.explanations.first).story
    #expect(story.contains("a failed and is bypassed: broken."))
    #expect(story.last == "One state was sent, number 2.")
  }

  @Test func `what is wrong with a note has no effect`() throws {
    for isExplained in [false, true] {
      let bench = try bench { _, header in
        for number in [Double.nan, .infinity, 1e300] { header.noteResistance(number, left: number, drawer: 4_000) }
        header.noteResistance(3, left: 1, drawer: 4_000)
        header.notePart(of: 0, 9, taken: 9, rule: nil)
        for number in [Double.nan, .infinity, 1e300] { header.noteMovement(number, taken: number) }
        header.noteMovement(-30, taken: -12)
        for number in [Double.nan, .infinity, 1e300] { header.notePart(of: 4_000, number, taken: 1, rule: .sticky) }
        header.notePart(of: 4_000, -30, taken: -12, rule: .top)
      }
      bench.header.observe { $0.explanations = isExplained ? 2 : 0 }
      try bench.send(.didScroll, y: 1, at: 0)
      #expect(!bench.header.hasFailure)
      let cuts = bench.header.explanations.flatMap(\.turns).flatMap(\.cuts)
      #expect(cuts.map(\.drawer) == (isExplained ? ["drawer 4000"] : []))
      let moves = bench.header.explanations.flatMap(\.turns).flatMap(\.moves)
      #expect(moves.map(\.residual) == (isExplained ? [-18] : []))
      #expect(moves.flatMap(\.parts).map(\.residual) == (isExplained ? [-18] : []))
    }
  }
}
