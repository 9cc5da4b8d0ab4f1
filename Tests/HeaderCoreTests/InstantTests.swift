// SPDX-License-Identifier: MIT
//
// Times of any origin: what a number of seconds says is kept, and no sum of a stranger's times overflows.

import HeaderCore
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
  private static let most = Instant.nanosecondsMost

  /// Wild moments: the ends of what there is, the ends of what is allowed, round ones, any.
  private static func instant(_ random: inout SplitMix64) -> Instant {
    let edges: [Int64] = [.min, .min + 1, -most - 1, -most, -1, 0, 1, most, most + 1, .max - 1, .max]
    let nanoseconds: Int64 =
      switch random.below(4) {
      case 0: edges[random.below(edges.count)]
      case 1: Int64(random.below(4_000_000_000)) * 1_000_000_000
      case 2: Int64(bitPattern: random.next()) / 4
      default: Int64(bitPattern: random.next())
      }
    return Instant(nanoseconds: nanoseconds)
  }

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
      let instant = Self.instant(&random)
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
      let (one, other) = (Self.instant(&random), Self.instant(&random))
      let (sum, overflows) = one.nanoseconds.addingReportingOverflow(other.nanoseconds)
      let end: Int64 = other.nanoseconds < 0 ? .min : .max
      #expect(one.advanced(by: other.nanoseconds).nanoseconds == (overflows ? end : sum))
      let (difference, isFar) = one.nanoseconds.subtractingReportingOverflow(other.nanoseconds)
      #expect(one.nanoseconds(since: other) == (isFar ? (one < other ? .min : .max) : difference))
      _ = one.advanced(bySeconds: Double(other.nanoseconds))
    }
  }

  /// Publishers with wild clocks take turns: header time never goes back, and no sum overflows on the way.
  @Test(arguments: UInt64(1)...8) func wildClocksNeverTrap(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var clock = HeaderClock()
    var present: Instant?
    var steady: Int64 = 0
    for _ in 0..<300 {
      let given = Self.instant(&random)
      var publisher = PublisherClock(first: given, readAt: steady, present: present)
      for _ in 0..<4 {
        steady += Int64(random.below(5)) * 1_000_000_000
        let later = Self.instant(&random)
        guard let time = publisher.regularTime(of: later, readAt: steady) else { continue }
        present = max(time, present ?? time)
        clock.happened(at: time, steady: steady)
        let carried = try #require(clock.time(at: steady + 7))
        #expect(carried >= time)
        #expect(try #require(clock.steady(at: Self.instant(&random))) >= steady)
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

@Suite struct EndOfTimeTests {
  /// A header with a delegate that starts a timer, an animation and frames at every event.
  private func restless(_ source: FrameSource = .live) throws -> Bench {
    var limits = Limits()
    limits.framesPerEvent = 5
    return try Bench(
      ["A"], limits: limits,
      describe: {
        $0.frameRate = 50
        $0.frames = source
      },
      prepare: { probe in
        probe.attaching = { probe, header in header.startFrames(by: probe) }
        probe.receiving = { probe, _, _, header in
          try header.startTimer(1, after: 0.3, by: probe)
          try header.startTimer(2, after: 86_400, by: probe)
        }
      })
  }

  /// Differences of two times of a header fit, so that a behavior may subtract them.
  @Test(arguments: UInt64(1)...8) func wildTimesNeverTrapAHeader(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for source in FrameSource.allCases {
      let bench = try restless(source)
      var first: Instant?
      var last = Instant(nanoseconds: .min)
      for _ in 0..<200 {
        let nanoseconds =
          random.oneIn(3)
          ? last.advanced(by: Int64(random.below(2_000_000_000))).nanoseconds : Int64(bitPattern: random.next())
        let time = Instant(nanoseconds: random.oneIn(20) ? .max : nanoseconds)
        let kind: ScrollEvent.Kind = random.oneIn(3) ? .advance(frameDuration: nil) : .didScroll
        let answer = try bench.header.receive(ScrollEvent(kind, offset: PartialPoint(y: 1)), at: time)
        #expect(answer.failure == nil)
        let now = bench.header.now
        #expect(now >= last)
        #expect(now.nanoseconds.magnitude <= Instant.nanosecondsMost.magnitude)
        #expect(!now.nanoseconds.subtractingReportingOverflow((first ?? now).nanoseconds).overflow)
        if let due = bench.header.nextDue { #expect(due <= Instant(nanoseconds: Instant.nanosecondsMost)) }
        first = first ?? now
        last = now
      }
    }
  }

  @Test func whatIsDueAfterTheEndNeverHappens() throws {
    let bench = try restless()
    try bench.send(.didScroll, y: 1, at: 8_999_999_999.5)
    #expect(bench.header.nextDue == Instant(nanoseconds: 8_999_999_999_520_000_000))
    try bench.send(.advance(frameDuration: nil), at: 9e9)
    #expect(bench.header.now == Instant(seconds: 9e9))
    // A frame falls on the end itself; there is none behind it.
    #expect(bench.header.nextDue == bench.header.now)
    try bench.send(.advance(frameDuration: nil), at: 9e9)
    #expect(bench.header.nextDue == nil)
  }

  @Test func timeEndsBeforeDifferencesOverflow() throws {
    let bench = try restless(.events)
    try bench.send(.didScroll, y: 1, at: -9e9)
    try bench.send(.didScroll, y: 2, at: 9e9)
    #expect(bench.header.now.nanoseconds == -9_000_000_000_000_000_000 + Int64.max)
    // A saved header knows its end.
    let saved = try bench.header.save()
    let again = try Bench(["A"], saved: saved)
    try again.send(.didScroll, y: 3, at: 9e9)
    #expect(again.header.now == bench.header.now)
    #expect(try again.header.save()["timeEnd"] == saved["timeEnd"])
  }

  @Test func aHeaderAtUnixTimeIsSavedAndRestored() throws {
    let bench = try restless()
    try bench.send(.didScroll, y: 1, at: 1_763_690_400.1234)
    let again = try Bench(["A"], saved: bench.header.save()) {
      $0.frameRate = 50
      $0.frames = .live
    }
    #expect(again.header.now == bench.header.now)
    #expect(again.header.nextDue == bench.header.nextDue)
  }
}
