// SPDX-License-Identifier: MIT
//
// Times of any origin: what a number of seconds says is kept, and no sum of a stranger's times overflows.

import HeaderModel
import HeaderTestKit
import Testing

/// Durations that were counted apart are added up, and what was counted before is taken away.
@Test func `histograms add up bucket by bucket`() {
  var (all, some) = (Histogram(first: 100, buckets: 4), Histogram(first: 100, buckets: 4))
  for duration: Int64 in [1, 100, 101, 250, 10_000] { all.add(duration) }
  for duration: Int64 in [50, 300] { some.add(duration) }
  #expect(all.counts == [2, 1, 1, 1] && all.count == 5 && all.sum == 10_452)
  #expect((0..<4).map { all.end(of: $0) } == [1e-7, 2e-7, 4e-7, nil])
  let before = all
  all += some
  #expect(all.counts == [3, 1, 2, 1] && all.sum == 10_802)
  all -= before
  #expect(all.counts == some.counts && all.sum == some.sum)
}

@Suite struct InstantTests {
  private static let most = Instant.maxNanoseconds

  @Test(
    arguments: [
      (0, 0), (1.25, 1_250_000_000), (-0.5, -500_000_000), (1.0000000004, 1_000_000_000), (9e9, most), (-9e9, -most),
      (9.1e9, most), (-1e300, -most), (.infinity, most), (1_763_690_400.5, 1_763_690_400_500_000_000),
      (8_999_999_999.5, 8_999_999_999_500_000_000),
    ] as [(Double, Int64)])
  func secondsAreWholeNanoseconds(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(Instant(seconds: seconds).nanoseconds == nanoseconds)
  }

  /// Whoever sends a time of up to four decimals, of any origin, sees it again.
  @Test(arguments: UInt64(1)...4) func secondsWithFourDecimalsComeBack(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let whole = random.oneIn(2) ? 1_763_690_400 + random.below(100_000_000) : random.below(9_000_000_000)
      let text = "\(random.oneIn(2) ? "-" : "")\(whole).\("\(10_000 + random.below(10_000))".dropFirst())"
      let seconds = try #require(Double(text))
      #expect(Instant(seconds: seconds).seconds.bitPattern == seconds.bitPattern, "\(text)")
    }
  }

  /// From 2^23 s on doubles are coarser than nanoseconds, so that all of them come back; below it nanoseconds are coarser.
  @Test(arguments: UInt64(1)...4) func nothingIsLostOnTheCoarserSide(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let seconds = Double.random(in: 0x1p23...9e9, using: &random) * (random.oneIn(2) ? -1 : 1)
      #expect(Instant(seconds: seconds).seconds == seconds)
      let instant = Instant(
        nanoseconds: Int64.random(in: -0x20_0000_0000_0000...0x20_0000_0000_0000, using: &random) / 2)
      #expect(Instant(seconds: instant.seconds) == instant)
      #expect(instant.isExactInSeconds)
    }
  }

  @Test func secondsAreTheNearestDouble() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<20_000 {
      let instant = random.instant()
      // Swift reads decimals to the nearest double, however many digits they have.
      let size = instant.nanoseconds.magnitude
      let text = "\(size / 1_000_000_000).\("\(1_000_000_000 + size % 1_000_000_000)".dropFirst())"
      #expect(instant.seconds.magnitude == Double(text), "\(instant)")
    }
    #expect(Instant(nanoseconds: 1_763_690_400_123_456_789).isExactInSeconds == false)
  }

  @Test func sumsStopAtTheEnds() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let (one, other) = (random.instant(), random.instant())
      let (sum, overflows) = one.nanoseconds.addingReportingOverflow(other.nanoseconds)
      let end: Int64 = other.nanoseconds < 0 ? .min : .max
      #expect(one.advanced(by: other.nanoseconds).nanoseconds == (overflows ? end : sum))
      let (difference, isFar) = one.nanoseconds.subtractingReportingOverflow(other.nanoseconds)
      #expect(one.nanoseconds(since: other) == (isFar ? (one < other ? .min : .max) : difference))
      _ = one.advanced(bySeconds: Double(other.nanoseconds))
    }
  }
}
