// SPDX-License-Identifier: MIT
//
// When turns are held back: only where many small ones follow each other, and only as long as it gathers something.

import Clocks
import Testing

import EventLoop

@Suite struct WakeCoalescerTests {
  /// A loop whose turns bring so many events of 100 bytes at such a distance.
  private struct Turns {
    var coalescer = WakeCoalescer()
    var time: MonotonicTime = 1_000_000_000
    var pauses = 0

    mutating func turn(events: Int, after nanoseconds: Int64) -> Int64 {
      time += nanoseconds
      let pause = coalescer.turnEnded(bytes: events * 100) { time }
      if pause > 0 { pauses += 1 }
      return pause
    }

    mutating func turns(_ count: Int, events: Int, after nanoseconds: Int64) {
      for _ in 0..<count { _ = turn(events: events, after: nanoseconds) }
    }
  }

  @Test func aFixedPauseFollowsEachTurnThatReadSomething() {
    var turns = Turns()
    turns.coalescer.fixedPause = 70_000
    #expect(turns.turn(events: 1, after: 1_000_000_000) == 70_000)
    #expect(turns.turn(events: 0, after: 10_000) == 0)
    #expect(turns.turn(events: 1_000, after: 10_000) == 70_000)
    turns.coalescer.fixedPause = 0
    for _ in 0..<1_000 { #expect(turns.turn(events: 1, after: 16_667) == 0) }
  }

  @Test func aLowRateIsNeverHeldBack() {
    var turns = Turns()
    // Eight streams at 120 Hz, and 200 at 60 Hz.
    turns.turns(2_000, events: 1, after: 1_000_000)
    turns.turns(20_000, events: 1, after: 83_000)
    #expect(turns.pauses == 0)
  }

  @Test func largeTurnsAreNeverHeldBack() {
    var turns = Turns()
    turns.turns(2_000, events: 64, after: 100_000)
    #expect(turns.pauses == 0)
  }

  @Test func manySmallTurnsAreHeldBackAsLongAsTheyGather() {
    var turns = Turns()
    // A thousand publishers at 60 Hz.
    var pause: Int64 = 0
    var count = 0
    while pause == 0, count < 200 {
      pause = turns.turn(events: 1, after: 16_667)
      count += 1
    }
    #expect(pause == WakeCoalescer.pause)
    for _ in 0..<1_000 { pause = turns.turn(events: 24, after: 400_000) }
    #expect(pause == WakeCoalescer.pause)
    // The machine had other things to do: what has piled up comes at once, and then all is as before.
    #expect(turns.turn(events: 100, after: 1_700_000) == 0)
    #expect(turns.turn(events: 24, after: 400_000) == WakeCoalescer.pause)
    // A pause that brings little is no reason to give up, several are.
    #expect(turns.turn(events: 6, after: 400_000) == WakeCoalescer.pause)
    for _ in 0..<100 { pause = turns.turn(events: 24, after: 400_000) }
    #expect(pause == WakeCoalescer.pause)
    // They stop; what comes soon after is not held back.
    turns.turns(3, events: 1, after: 5_000_000)
    #expect(turns.turn(events: 1, after: 5_000_000) == 0)
    #expect(turns.turn(events: 1, after: 5_000_000) == 0)
  }

  @Test func itDoesNotMatterOnHowManySocketsTheyCome() {
    var turns = Turns()
    // Before: three events in each read of one socket. Held back: the same socket is read once for all of them.
    turns.turns(128, events: 3, after: 50_000)
    #expect(turns.turn(events: 24, after: 450_000) == WakeCoalescer.pause)
    turns.turns(1_000, events: 24, after: 400_000)
    #expect(turns.pauses == 1_002)
  }

  @Test func whoWaitsForAnswersIsHeldBackForAMomentOnly() {
    var turns = Turns()
    // A request every 20 µs, sent when the one before is answered: nothing piles up during a pause.
    var held = 0
    var pause: Int64 = 0
    let end = turns.time + 10_000_000_000
    while turns.time < end {
      pause = turns.turn(events: 1, after: 20_000 + pause)
      if pause > 0 { held += 1 }
    }
    // 20, 40, 80 … ms and then every second: some 15 tries of three pauses in ten seconds, of the half million turns.
    #expect(held > 0 && held < 60)
  }
}
