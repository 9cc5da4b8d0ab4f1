// SPDX-License-Identifier: MIT
//
// "Nested scrolling loses or doubles movement": what the header takes and what it leaves are the offer, to the last bit, for drags
// and flings, also under constraints and in mid-motion.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct NestedScrollingAndFlingsTests {
  @Test(arguments: Movers.all) func `consumed and residual are the offer`(_ mover: ComposedHeader) throws {
    for seed in 0..<8 as Range<UInt64> {
      let header = try mover.open()
      var dice = SplitMix64(seed: seed)
      for step in 0..<120 {
        let time = Instant(seconds: 1 + Double(step) / 60)
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: try header.constrain("a", 0...Double.random(in: 0...1, using: &dice), at: time.seconds)
        case 1: _ = try? header.release("a", at: time.seconds)
        case 2: try header.move(to: .progress(Double.random(in: 0...1, using: &dice)), .usual, at: time.seconds)
        case 3:
          let velocity = Point(x: 0, y: Double.random(in: -3...3, using: &dice))
          let answer = try header.receive(ScrollEvent(.willFling(velocity: velocity)), at: time)
          #expect((answer.consumed ?? Point()) + (answer.residual ?? Point()) == velocity)
        default:
          let delta = Point(x: 0, y: Double.random(in: -80...80, using: &dice))
          let answer = try header.receive(ScrollEvent(.willScroll(delta: delta, source: .drag)), at: time)
          let (consumed, residual) = (answer.consumed ?? Point(), answer.residual ?? Point())
          #expect(consumed + residual == delta, "seed \(seed), step \(step)")
          #expect(abs(consumed.y) <= abs(delta.y))
        }
      }
      #expect(!header.isBypassed(0))
    }
  }
}
