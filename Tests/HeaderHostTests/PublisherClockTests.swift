// SPDX-License-Identifier: MIT
//
// Publishers' clocks of any origin become one header's time.

import Clocks
import HeaderHost
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct PublisherClockTests {
  /// Publishers with wild clocks take turns: header time never goes back, and no sum overflows on the way.
  @Test(arguments: UInt64(1)...8) func wildClocksNeverTrap(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var clock = HeaderClock()
    var present: Instant?
    var steady: MonotonicTime = 0
    for _ in 0..<300 {
      let given = random.instant()
      var publisher = PublisherClock(first: given, readAt: steady, present: present)
      for _ in 0..<4 {
        steady += Int64(random.below(5)) * 1_000_000_000
        let later = random.instant()
        guard let time = publisher.regularTime(of: later, readAt: steady) else { continue }
        present = max(time, present ?? time)
        clock.happened(at: time, steady: steady)
        let carried = try #require(clock.time(at: steady + 7))
        #expect(carried >= time)
        #expect(try #require(clock.steady(at: random.instant())) >= steady)
      }
    }
  }

  /// Whoever is alone keeps his times, whatever their origin.
  @Test(arguments: [-9e9, -1.76e9, 0, 1.76e9, 8.999e9]) func oneClockPassesUnchanged(_ origin: Double) throws {
    var publisher = PublisherClock(first: Instant(seconds: origin), readAt: 5, present: nil)
    for step in 0..<100 {
      let given = Instant(seconds: origin + Double(step) / 60)
      #expect(publisher.regularTime(of: given, readAt: 5) == given)
    }
  }
}
