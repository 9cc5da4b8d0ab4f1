// SPDX-License-Identifier: MIT
//
// Headers at the ends of time.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

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
        #expect(now.nanoseconds.magnitude <= Instant.maxNanoseconds.magnitude)
        #expect(!now.nanoseconds.subtractingReportingOverflow((first ?? now).nanoseconds).overflow)
        if let due = bench.header.nextDue { #expect(due <= Instant(nanoseconds: Instant.maxNanoseconds)) }
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
    guard case (.record(let before), .record(let after)) = (saved, try again.header.save()) else {
      Issue.record("no records")
      return
    }
    #expect(before["timeEnd"] != nil && after["timeEnd"] == before["timeEnd"])
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
