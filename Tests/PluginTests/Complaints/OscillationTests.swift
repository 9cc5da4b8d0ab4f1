// SPDX-License-Identifier: MIT
//
// "It trembles": no behavior goes back and forth by itself, and a header that does is told of.

import ConformanceKit
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct OscillationTests {
  @Test(arguments: Movers.all) func `no behavior does`(_ mover: ComposedHeader) throws {
    for seed in 0..<10 as Range<UInt64> {
      let header = try mover.open()
      var time = 1.0
      var y = 0.0
      var dice = SplitMix64(seed: seed)
      for _ in 0..<40 {
        let speed = Double.random(in: -40...40, using: &dice)
        // A deceleration: one way, at least a tenth of a second.
        for step in 0..<8 {
          time += 1.0 / 60
          y = max(-200, min(2300, y + speed * (1 - Double(step) / 8)))
          _ = try header.receive(
            ScrollEvent(.didScroll, offset: PartialPoint(y: y), isDecelerating: true), at: Instant(seconds: time)
          ) { #expect(!words($0).contains("didOscillate")) }
        }
        time += 0.2
      }
    }
  }

  @Test func `a header that trembles is told of, as routine`() throws {
    let header = try Movers.squareCash.open()
    var told = 0
    for step in 0..<40 {
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(y: step.isMultiple(of: 2) ? -110 : -90)),
        at: Instant(seconds: 1 + Double(step) / 60)
      ) { state in
        told += words(state).count { $0 == "didOscillate" }
        #expect(state.happened.notices.allSatisfy { $0.isRoutine || $0.name != .didOscillate })
      }
    }
    #expect(told >= 3)
  }
}
