// SPDX-License-Identifier: MIT
//
// What a header says of how it goes on is what it then decides: random walks over each preset, behavior and edge, from seeds.
//
// HEADERD_AHEAD_STEPS sets the number of steps of all headers together (10,000), HEADERD_SEED the first seed (0), HEADERD_HEADER a part
// of the headers' titles (all), as `make ahead STEPS=1000000 SEED=0 HEADER=flutter` does.

import Foundation
import HeaderCore
import HeaderInsight
import HeaderModel
import HeaderTestKit
import Synchronization
import Testing

@Suite struct AheadTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let given = environment["HEADERD_AHEAD_STEPS"].flatMap { Int($0) }
  private static let subjects = Subject.all.filter { subject in
    environment["HEADERD_HEADER"].map { $0.isEmpty || subject.testDescription.contains($0) } ?? true
  }
  private static let life = 60
  private static let lives = ((given ?? 10_000 * effort) - 1) / (max(1, subjects.count) * life) + 1
  private static let first = environment["HEADERD_SEED"].flatMap { UInt64($0) } ?? 0
  private static let sum = Mutex(Count())

  private struct Count {
    var headers = 0
    /// Scrolls, and those of which the state was known before.
    var (scrolls, foreseen) = (0, 0)
    var trials = 0
    /// Drags of which it was known before they began how the header goes on.
    var drags = 0
  }

  /// A header, and what it said of itself.
  private struct Walk {
    let header: Header
    var ahead: Ahead?
    /// Which way the content has gone as it was said, and whether it has turned back since.
    private var (direction, hasTurned) = (0.0, false)
    var count = Count()
    private var time = 1.0
    private var random: SplitMix64

    init(_ subject: Subject, seed: UInt64) throws {
      header = try Header(try subject.description(restores: false), epoch: 1, provider: Built.registry())
      random = SplitMix64(seed: seed)
    }

    private var view: ScrollView { header.scrollViews[max(0, header.trackingScrollView)] }

    private mutating func send(_ kind: ScrollEvent.Kind, to offset: Double? = nil) throws {
      // Now and then much time passes, or none.
      time += [1.0 / 60, 1.0 / 120, 0, 0.004, 0.3][random.below(5)]
      let place = offset.map { view.axis == .vertical ? PartialPoint(y: $0) : PartialPoint(x: $0) }
      _ = try header.receive(ScrollEvent(kind, offset: place), at: Instant(seconds: time))
    }

    private mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    /// Where to scroll: near, far, back, or to where something changes.
    private mutating func goal() -> Double {
      let present = header.state.trackedOffset ?? 0
      switch random.below(10) {
      case 0...4: return present + number(-12...12)
      case 5: return present + number(-120...120)
      case 6: return number(-200...200)
      case 7: return number(-300...4000)
      case 8: return (present / 10).rounded() * 10 + 10
      default:
        guard let keyframe = ahead.flatMap({ $0.keyframes.randomElement(using: &random) }) else {
          return present + 1
        }
        return keyframe.offset + number(-1...1)
      }
    }

    /// Something other than a scroll.
    private mutating func act() throws {
      switch random.below(6) {
      case 0:
        let ofDrag = Ahead(of: header, isDragged: true, Built.registry())
        try send(.willBeginDragging)
        guard let ofDrag else { break }
        count.drags += 1
        (ahead, direction, hasTurned) = (ofDrag, 0, false)
      case 1:
        try send(.willEndDragging(velocity: Point(y: number(-2...2)), targetOffset: nil))
        try send(.didEndDragging(willDecelerate: false))
      case 2: try send(.didEndDragging(willDecelerate: true))
      case 3: try send(.didEndDecelerating)
      case 4: try send(.willScroll(delta: Point(y: number(-9...9)), source: .drag))
      default:
        time += 2
        try send(.advance(frameDuration: nil))
      }
    }

    /// - Returns: what is wrong; nil: nothing.
    mutating func step() throws -> String? {
      guard random.below(12) > 0 else {
        ahead = nil
        try act()
        if ahead == nil { look() }
        return nil
      }
      let (offset, said) = (goal(), ahead)
      try send(.didScroll, to: offset)
      count.scrolls += 1
      guard var said, let expected = said.keyframe(at: offset) else {
        look()
        return nil
      }
      let decided = header.state
      let way = offset - said.offset
      hasTurned = hasTurned || direction * way < 0
      if said.foresees(decided) {
        count.foreseen += 1
        said.move(to: decided)
        (ahead, direction) = (said, way == 0 ? direction : way)
        return nil
      }
      defer { look() }
      // Values may say which way the content goes.
      var drawn = decided
      drawn.values = expected.state.values
      if hasTurned, said.foresees(drawn) { return nil }
      // Where something jumps, rounding decides on which side an offset is.
      let ends = [said.offset] + said.keyframes.map(\.offset)
      if ends.contains(where: { abs($0 - offset) < 1e-6 }) { return nil }
      return "at \(offset), after \(said.offset): \(Self.differences(decided, expected.state)), "
        + "reversible \(said.isReversible), keyframes at \(said.keyframes.map(\.offset)), growing \(said.growing), shrinking \(said.shrinking)"
    }

    /// The members that differ, as decided and as predicted.
    private static func differences(_ decided: HeaderState, _ expected: HeaderState) -> [String] {
      func members(_ value: Any, _ path: String, _ all: inout [(path: String, text: String)]) {
        let children = Mirror(reflecting: value).children
        if children.isEmpty { all.append((path, "\(value)")) }
        for (index, child) in children.enumerated() {
          members(child.value, "\(path).\(child.label ?? "\(index)")", &all)
        }
      }
      var (mine, others) = ([(path: String, text: String)](), [(path: String, text: String)]())
      members(decided, "", &mine)
      members(expected, "", &others)
      return zip(mine, others).filter { $0 != $1 }.map { "\($0.path) \($0.text), not \($1.text)" }
    }

    mutating func look() {
      (direction, hasTurned) = (0, false)
      count.trials += 1
      ahead = Ahead(of: header, Built.registry())
    }
  }

  /// The insets that follow a header on its way back end the content elsewhere than the present ones.
  @Test func `a header says all of its way back`() throws {
    let bar = try #require(Subject.all.first { $0.testDescription == "ShyNavBar, quick, top" })
    let header = try Header(try bar.description(restores: false), epoch: 1, provider: Built.registry())
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 1))
    for (step, offset) in [-130.0, -60, 20, 10].enumerated() {
      let event = ScrollEvent(.didScroll, offset: PartialPoint(y: offset))
      _ = try header.receive(event, at: Instant(seconds: 2 + Double(step) / 60))
    }
    let ahead = try #require(Ahead(of: header, Built.registry()))
    for (offset, height) in [(-20.0, 40.0), (-109, 129), (-111, 130), (-130, 130)] {
      let state = try #require(ahead.keyframe(at: offset)?.state, "nothing is known at \(offset)")
      #expect(abs(state.scrollViews[0].contentInset.top - height) < 1e-6)
    }
  }

  @Test(arguments: subjects) func `what is said is what is decided`(_ subject: Subject) throws {
    var count = Count()
    for seed in Self.first..<Self.first + UInt64(Self.lives) {
      var walk = try Walk(subject, seed: seed)
      walk.look()
      for number in 0..<Self.life {
        if let flaw = try walk.step() {
          Issue.record("\(subject.testDescription), seed \(seed), step \(number): \(flaw)")
          return
        }
      }
      count.scrolls += walk.count.scrolls
      count.foreseen += walk.count.foreseen
      count.trials += walk.count.trials
      count.drags += walk.count.drags
    }
    // Who says nothing is never wrong.
    #expect(count.foreseen * 8 > count.scrolls, "\(count.foreseen) of \(count.scrolls) scrolls were foreseen")
    let line = Self.sum.withLock { sum in
      sum.headers += 1
      sum.scrolls += count.scrolls
      sum.foreseen += count.foreseen
      sum.trials += count.trials
      sum.drags += count.drags
      return
        "\(sum.headers) of \(Self.subjects.count) headers, \(sum.foreseen) of \(sum.scrolls) scrolls foreseen, \(sum.trials) trials, \(sum.drags) drags foreseen"
    }
    if Self.given != nil {
      print("ahead: \(line); \(subject.testDescription) \(count.foreseen) of \(count.scrolls), \(count.trials) trials")
    }
  }
}
