// SPDX-License-Identifier: MIT
//
// What holds for every behavior that is offered movements: sums, signs and bounds; the header that a finger leaves is the
// same whether it was told or asked; saves and replays make no difference.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct NestedScrollTests {
  /// What of a header a renderer draws and a publisher applies.
  private struct Look: Equatable {
    var drawers: [Drawer]
    var elements: [Element]
    var values: [String: NamedValue.Content]
    var offsets: [Point]
    var insets: [Insets]
    var indicators: [Insets]

    init(_ header: Header) {
      let sight = header.sight
      (drawers, elements, values) = (sight.drawers, sight.elements, sight.values)
      offsets = sight.scrollViews.map(\.contentOffset)
      insets = sight.scrollViews.map(\.contentInset)
      indicators = sight.scrollViews.map(\.scrollIndicatorInsets)
    }

    /// What differs from another, in words.
    func differences(from other: Look) -> [String] {
      func differences<Part: Equatable>(_ name: String, _ left: Part, _ right: Part) -> [String] {
        left == right ? [] : ["\(name): \(left), \(right)"]
      }
      return differences("heights", drawers.map(\.size.height), other.drawers.map(\.size.height))
        + differences("tops", drawers.map(\.frame.origin.y), other.drawers.map(\.frame.origin.y))
        + differences("offsets", offsets, other.offsets) + differences("insets", insets, other.insets)
        + differences("indicators", indicators, other.indicators) + differences("values", values, other.values)
        + (drawers == other.drawers ? [] : ["drawers"]) + (elements == other.elements ? [] : ["elements"])
    }
  }

  /// Movements in quarters of points, which add up exactly, and stay within what content can do.
  @Test(arguments: NestedHeaders.all, UInt64(1)...4)
  func aFingerLeavesTheSameHeaderToldOrAsked(_ composed: ComposedHeader, _ seed: UInt64) throws {
    var told = Finger(on: try composed.open())
    var asked = Finger(on: try composed.open())
    var dice = SplitMix64(seed: seed)
    let top = told.places.lowerBound
    var consumed = 0.0
    for _ in 0..<2 {
      try told.send(.didScroll, at: top)
      try asked.send(.didScroll, at: top)
    }
    for gesture in 0..<12 {
      for kind in [ScrollEvent.Kind.didScroll, .willBeginDragging] {
        // The first scroll tells ShyNavBar no more than where the content is.
        try told.send(kind, at: told.offset)
        try asked.send(kind, at: asked.offset)
      }
      let speed = Double(Int.random(in: (gesture == 0 ? 20 : -240)...240, using: &dice)) / 4
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        let wanted = (speed * Double.random(in: 0.5...1, using: &dice) * 4).rounded() / 4
        let distance = min(max(wanted, min(0, top - told.offset)), 1500 - told.offset)
        guard distance != 0 else { continue }
        try told.moveContent(by: distance)
        let taken = try asked.offer(distance)
        consumed += abs(taken.before)
        #expect(taken.after == 0)
        #expect(Look(told.header).differences(from: Look(asked.header)) == [], "after \(distance)")
      }
      let velocity = Point(x: 0, y: Double.random(in: -2...2, using: &dice))
      for finger in 0..<2 {
        let end = ScrollEvent.Kind.willEndDragging(velocity: velocity, targetOffset: nil)
        if finger == 0 { try told.send(end) } else { try asked.send(end) }
      }
      try told.send(.didEndDragging(willDecelerate: false))
      try asked.send(.didEndDragging(willDecelerate: false))
      // Where a header approaches its place by frames, it gets there.
      told.rest()
      asked.rest()
      #expect(Look(told.header).differences(from: Look(asked.header)) == [])
    }
    #expect(!told.header.isBypassed(0) && !asked.header.isBypassed(0))
    let takesNothing = composed.title == "StretchyHeader" || composed.title.hasSuffix("base")
    #expect(takesNothing == (consumed == 0))
  }

  /// Offers of any size, sign and order, between events of any kind.
  @Test(arguments: NestedHeaders.all, UInt64(1)...4)
  func whatIsTakenAndWhatIsLeftAreTheOffer(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let header = try composed.open()
    for (time, event) in RandomOffers(seed: seed).events {
      let answer = try header.receive(event, at: time)
      try #require(answer.failure == nil)
      for drawer in header.drawers.elements { #expect(drawer.size.height >= 0 && drawer.size.height < 1e9) }
      guard let offer = event.offer else { continue }
      let (consumed, residual) = (try #require(answer.consumed), try #require(answer.residual))
      for (part, rest, whole) in [(consumed.x, residual.x, offer.x), (consumed.y, residual.y, offer.y)] {
        #expect(part + rest == whole)
        #expect(part.isFinite && rest.isFinite)
        #expect(abs(part) <= abs(whole) && part * whole >= 0)
      }
      #expect(consumed.x == 0)
    }
    for index in header.delegates.indices { #expect(!header.isBypassed(index)) }
  }

  @Test(arguments: NestedHeaders.all, UInt64(1)...2)
  func aSaveAfterAnyOfferMakesNoDifference(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let header = try composed.open()
    var reborn = try composed.open().reborn()
    for (time, event) in RandomOffers(seed: seed).events {
      let answer = try header.receive(event, at: time)
      #expect(try reborn.receive(event, at: time).consumed == answer.consumed)
      #expect(reborn.state.text == header.state.text)
      reborn = try reborn.reborn()
    }
  }

  @Test(arguments: NestedHeaders.all, UInt64(1)...2)
  func aReplayIsIdentical(_ composed: ComposedHeader, _ seed: UInt64) throws {
    let headers = [try composed.open(), try composed.open()]
    for (time, event) in RandomOffers(seed: seed).events {
      let answers = try headers.map { try $0.receive(event, at: time) }
      #expect(answers[0].consumed == answers[1].consumed && answers[0].residual == answers[1].residual)
      #expect(headers[0].state.text == headers[1].state.text)
    }
  }
}

extension Finger {
  /// Time passes until nothing moves by itself.
  mutating func rest() {
    for _ in 0..<200 where header.nextDue != nil {
      _ = try? send(.advance(frameDuration: nil))
    }
  }
}

extension ScrollEvent {
  /// What a nested scroll offers.
  var offer: Point? {
    switch kind {
    case .willScroll(let delta, _), .didOverscroll(let delta, _): delta
    case .willFling(let velocity): velocity
    default: nil
    }
  }
}

/// Offers between the events of a user who drags, flings, overscrolls and turns the phone.
struct RandomOffers {
  private(set) var events: [(time: Instant, event: ScrollEvent)] = []

  init(seed: UInt64) {
    var dice = SplitMix64(seed: seed &* 7919)
    var time: Int64 = 0
    for step in RandomScroll(seed: seed, gestures: 12).events {
      time = step.time.nanoseconds
      events.append(step)
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        time += 1_000_000
        events.append((Instant(nanoseconds: time), Self.offer(&dice)))
      }
    }
  }

  private static func offer(_ dice: inout SplitMix64) -> ScrollEvent {
    // Now and then a huge one, and often none at all on an axis.
    let sizes: [Double] = [0, 1e-12, 0.3, 17, 17, 90, 90, 400, 1e6, 1e9]
    let size = sizes.randomElement(using: &dice) ?? 0
    let delta = Point(
      x: Bool.random(using: &dice) ? 0 : Double.random(in: -9...9, using: &dice),
      y: size == 0 ? 0 : Double.random(in: -size...size, using: &dice))
    let source = [ScrollSource.drag, .fling, .program].randomElement(using: &dice) ?? .drag
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: return ScrollEvent(.willFling(velocity: Point(x: delta.x, y: delta.y / 100)))
    case 1: return ScrollEvent(.didOverscroll(delta: delta, source: source))
    default: return ScrollEvent(.willScroll(delta: delta, source: source))
    }
  }
}
