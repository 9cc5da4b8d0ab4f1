// SPDX-License-Identifier: MIT
//
// Offers through the chain: sums to the last bit, velocities that shrink, and who hears that the content was carried along.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct NestedScrollTests {
  private func take(_ share: Double, in bench: Bench, at index: Int, carrying: Bool = false) {
    bench[index].receiving = { probe, event, answer, header in
      guard [.willScroll, .didOverscroll, .willFling].contains(event.kind) else { return }
      answer.consumed = Point(x: 0, y: event.delta.y * share)
      answer.hasConsumed = true
      guard carrying, event.kind != .willFling else { return }
      var offset = header.scrollViews[Int(event.scrollView)].contentOffset
      offset.y += answer.consumed.y
      try header.moveSilently(to: offset, Int(event.scrollView), by: probe)
    }
  }

  /// Shares that no double holds exactly, of offers of every size.
  @Test(arguments: [0.1, 1 / 3.0, 0.7, 0.9999999, 1e-17, 1]) func theSumIsTheOfferToTheLastBit(_ share: Double) throws {
    let bench = try Bench(["A", "B", "C"])
    for index in 0..<3 { take(share, in: bench, at: index) }
    for step in 1...200 {
      for sign in [1.0, -1] {
        let offer = Point(x: sign * 0.3 * Double(step), y: sign * 0.1 * Double(step * step))
        let answer = try bench.send(.willScroll(delta: offer, source: .drag), at: Double(step))
        let (consumed, residual) = (try #require(answer.consumed), try #require(answer.residual))
        #expect(consumed.x + residual.x == offer.x && consumed.x == 0)
        #expect(consumed.y + residual.y == offer.y)
        #expect(consumed.y * sign >= 0 && abs(consumed.y) <= abs(offer.y))
      }
    }
  }

  @Test func whatAFlingLosesTheNextIsNotTold() throws {
    let bench = try Bench(["A", "B"])
    take(0.25, in: bench, at: 0)
    var told: [(velocity: Point, delta: Point)] = []
    bench[1].receiving = { _, event, _, _ in told.append((event.velocity, event.delta)) }
    let answer = try bench.send(.willFling(velocity: Point(x: 1, y: 4)), at: 0)
    #expect(told.count == 1 && told[0] == (Point(x: 1, y: 3), Point(x: 1, y: 3)))
    #expect(answer.consumed == Point(x: 0, y: 1) && answer.residual == Point(x: 1, y: 3))
  }

  /// Whoever took a part knows of it; to the others the content has scrolled.
  @Test func whoTookNothingHearsThatTheContentWasCarried() throws {
    let bench = try Bench(["A", "B", "C"])
    var heard: [String] = []
    func listen(_ index: Int, _ name: String) {
      let taking = bench[index].receiving
      bench[index].receiving = { probe, event, answer, header in
        if event.kind == .didScroll {
          heard.append("\(name) \(event.depth) at \(header.scrollViews[0].contentOffset.y)")
        }
        try taking(probe, event, &answer, header)
      }
    }
    take(0.5, in: bench, at: 1, carrying: true)
    for (index, name) in ["a", "b", "c"].enumerated() { listen(index, name) }
    try bench.send(.didScroll, y: 10, at: 0)
    #expect(heard == ["a 0 at 10.0", "b 0 at 10.0", "c 0 at 10.0"])
    heard = []
    let answer = try bench.send(.willScroll(delta: Point(x: 0, y: 8), source: .drag), at: 1)
    #expect(answer.consumed == Point(x: 0, y: 4))
    #expect(heard == ["a 1 at 14.0", "c 1 at 14.0"])
    #expect(bench.header.scrollViews[0].correction.y == 4)
    // Nothing was carried: nobody is told.
    heard = []
    try bench.send(.willFling(velocity: Point(x: 0, y: 8)), at: 2)
    #expect(heard.isEmpty)
  }

  @Test func anotherScrollViewsOfferIsLeftWhole() throws {
    let bench = try Bench(["A"])
    take(1, in: bench, at: 0)
    _ = try bench.header.receive(ScrollEvent(.setTrackingScrollView(to: nil)))
    let answer = try bench.send(.willScroll(delta: Point(x: 0, y: 8), source: .drag), at: 1)
    #expect(answer.consumed == Point() && answer.residual == Point(x: 0, y: 8))
  }
}
