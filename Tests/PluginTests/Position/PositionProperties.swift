// SPDX-License-Identifier: MIT
//
// Everything at once, at random moments from a seed: drags, offers, moves, constraints, other scroll views, other sizes, other
// options of motion. For every behavior that moves drawers:
//
//     what is consumed and what is left are the offer, to the last bit · the header is within what is permitted
//     a scroll view that is not tracked is not written · after all is released nothing drifts
//     the same inputs give the same states, byte for byte · there is no state without a cause
//
// HEADERD_STEPS sets the number of steps for each behavior (2,000); `make properties STEPS=100000` is the long form
// (Results).

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// A walk through everything that may happen to one header.
struct PositionWalk {
  private var dice: SplitMix64
  private var time = 1.0
  private var header: Header
  private(set) var story: [String] = []
  private var latest = ""
  private var recent: [ScrollEvent] = []

  init(_ mover: ComposedHeader, seed: UInt64) throws {
    dice = SplitMix64(seed: seed)
    var description = try mover.description()
    description.handOver = Bool.random(using: &dice) ? .keep : .behavior
    description.onLeave = Bool.random(using: &dice) ? .restore : .keep
    var other = description.scrollViews[0]
    other.name = "other"
    description.scrollViews.append(other)
    header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private func number(_ range: ClosedRange<Double>) -> (inout SplitMix64) -> Double {
    { Double.random(in: range, using: &$0) }
  }

  private mutating func style() -> MotionStyle? {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: nil
    case 1: MotionStyle(curve: .easeInOut, duration: number(0...0.5)(&dice))
    case 2: MotionStyle(curve: .linear, duration: 0.2, drawnBy: .renderer)
    case 3:
      MotionStyle(
        curve: .spring(mass: 1, stiffness: number(50...500)(&dice), damping: number(4...60)(&dice), initialVelocity: 0),
        duration: 0)
    default: MotionStyle(curve: .easeOut, duration: 0.3)
    }
  }

  private mutating func next() -> ScrollEvent {
    let y = number(-200...2400)(&dice)
    switch Int.random(in: 0..<20, using: &dice) {
    case 0: return ScrollEvent(.willBeginDragging)
    case 1: return ScrollEvent(.didEndDragging(willDecelerate: Bool.random(using: &dice)))
    case 2: return ScrollEvent(.didEndDecelerating)
    case 3: return ScrollEvent(.move(HeaderMove(to: .progress(number(0...1)(&dice)), style: style())))
    case 4:
      let stop = Bool.random(using: &dice) ? "expanded" : "collapsed"
      return ScrollEvent(.move(HeaderMove(to: .stop(stop), style: style())))
    case 5, 6:
      let low = number(0...1)(&dice)
      return ScrollEvent(
        .constrain(
          Constraint(
            name: ["a", "b", "c"][Int.random(in: 0..<3, using: &dice)], permitted: low...max(low, number(0...1)(&dice)),
            wish: dice.oneIn(3) ? number(0...1)(&dice) : nil, style: style(),
            priority: Int.random(in: -2...2, using: &dice))))
    case 7, 8: return ScrollEvent(.release(name: ["a", "b", "c"][Int.random(in: 0..<3, using: &dice)], style: style()))
    case 9: return ScrollEvent(.setTrackingScrollView(to: ["content", "other"][Int.random(in: 0..<2, using: &dice)]))
    case 10:
      var change = LayoutChange()
      change.given =
        Bool.random(using: &dice)
        ? ["viewport": ["width": 667, "height": 375], "statusBarHeight": 0]
        : ["viewport": ["width": 375, "height": 667], "statusBarHeight": 20]
      return ScrollEvent(.layout(change))
    case 11:
      var change = LayoutChange()
      change.given = ["alwaysShown": .bool(dice.oneIn(3)), "reduceMotion": .bool(dice.oneIn(4))]
      return ScrollEvent(.layout(change))
    case 12:
      return ScrollEvent(
        .reveal(
          Reveal(
            rect: Rect(origin: Point(x: 0, y: y), size: Size(width: 100, height: number(0...900)(&dice))),
            reason: .focus)))
    case 13, 14, 15:
      let delta = Point(x: 0, y: number(-90...90)(&dice))
      let kind: ScrollEvent.Kind =
        dice.oneIn(4) ? .didOverscroll(delta: delta, source: .drag) : .willScroll(delta: delta, source: .drag)
      return ScrollEvent(kind)
    default:
      return ScrollEvent(
        .didScroll, offset: PartialPoint(y: y), isTracking: Bool.random(using: &dice),
        isDecelerating: Bool.random(using: &dice))
    }
  }

  mutating func step() throws {
    let event = next()
    recent = recent.suffix(5) + [event]
    time += number(0...0.2)(&dice)
    let tracked = header.trackingScrollView
    let untracked = header.scrollViews[1 - tracked]
    var answer = EventAnswer()
    var shown: [HeaderState] = []
    // What cannot be done now is refused by name, and changes nothing.
    do {
      answer = try header.receive(event, at: Instant(seconds: time)) { shown.append($0) }
    } catch {
      #expect([.invalidParams, .unsupported].contains(error.name), "\(error.message)")
    }
    for state in shown {
      story.append(state.text)
      let shownText = state.shownText
      // The sequence number and the time alone are no reason for a state; what happened is one, each time.
      let happened =
        !state.happened.notices.isEmpty || !state.happened.commands.isEmpty || !state.happened.animations.isEmpty
      #expect(happened || shownText != latest, "after \(recent.map(\.value))")
      latest = shownText
    }
    if let consumed = answer.consumed, let residual = answer.residual { expectWhole(event, consumed, residual) }
    if let position = header.state.position, position.motion == nil {
      #expect(
        position.permitted.contains(nearly: position.position.progress), "\(position) after \(recent.map(\.value))")
    }
    if case .setTrackingScrollView = event.kind {} else { expectUntouched(untracked, 1 - tracked, event) }
    #expect(!header.isBypassed(0), "\(event.kind.name)")
  }

  private func expectWhole(_ event: ScrollEvent, _ consumed: Point, _ residual: Point) {
    switch event.kind {
    case .willScroll(let delta, _), .didOverscroll(let delta, _): #expect(consumed + residual == delta)
    default: break
    }
  }

  private func expectUntouched(_ before: ScrollView, _ index: Int, _ event: ScrollEvent) {
    let after = header.scrollViews[index]
    #expect(after.contentOffset == before.contentOffset, "\(event.kind.name)")
    #expect(after.contentInset == before.contentInset, "\(event.kind.name)")
    #expect(after.correction == before.correction, "\(event.kind.name)")
  }

  /// All is released, and the content goes to its top and back: nothing is left.
  mutating func comeHome() throws {
    for constraint in header.constraints {
      _ = try header.receive(ScrollEvent(.release(name: constraint.name, style: nil)))
    }
    var change = LayoutChange()
    change.given = ["alwaysShown": false, "reduceMotion": false]
    _ = try header.receive(ScrollEvent(.layout(change)))
    time += 5
    try header.advance(to: time)
    // What leaves by movements, not by its place, is where it was left.
    try header.move(to: .stop("expanded"))
    #expect(header.state.position == nil)
    var corrections: [Point] = []
    for _ in 0..<3 {
      for y in [300.0, 600, 300, 0, -120, -240, -300] {
        time += 0.1
        try header.drag(to: y, at: time)
      }
      corrections.append(header.scrollViews[header.trackingScrollView].correction)
    }
    #expect(header.place.traveled < 1e-6)
    #expect(abs(corrections[1].y - corrections[2].y) < 1e-6, "\(corrections)")
  }
}

extension ClosedRange<Double> {
  fileprivate func contains(nearly number: Double) -> Bool {
    number >= lowerBound - 1e-9 && number <= upperBound + 1e-9
  }
}

@Suite struct PositionProperties {
  static let steps = ProcessInfo.processInfo.environment["HEADERD_STEPS"].flatMap { Int($0) } ?? 2000

  @Test(arguments: Movers.all) func `everything at once, at random`(_ mover: ComposedHeader) throws {
    for seed in 0..<UInt64(max(1, Self.steps / 200)) {
      var (one, two) = (try PositionWalk(mover, seed: seed), try PositionWalk(mover, seed: seed))
      for _ in 0..<200 {
        try one.step()
        try two.step()
      }
      #expect(one.story == two.story, "seed \(seed)")
      try one.comeHome()
    }
  }
}
