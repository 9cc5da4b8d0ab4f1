// SPDX-License-Identifier: MIT
//
// When a loop pauses: only where many small turns follow each other, and only as long as it gathers something. A loop whose
// clock is turned by hand does the turns.

import Clocks
import HeaderTestKit
import Testing

import EventLoop

@Suite struct WakeCoalescerTests {
  /// A loop in which each turn and each event takes so long.
  private struct SimulatedLoop {
    var coalescer = WakeCoalescer()
    var time: MonotonicTime = 1_000_000_000
    var used: Int64 = 0
    var pauses: [Int64] = []
    var waits: [Int64] = []
    var events = 0
    /// Nanoseconds that a turn takes without events, and an event more.
    var turn: Int64 = 4_000
    var event: Int64 = 7_000
    /// By how much the kernel makes each pause longer.
    let slack: Int64 = 50_000

    /// Does a turn with events that came at such times, and pauses.
    mutating func take(_ arrivals: [MonotonicTime]) {
      let work = turn + event * Int64(arrivals.count)
      time += work
      used += work
      events += arrivals.count
      for arrival in arrivals { waits.append(time - arrival) }
      let (time, used) = (self.time, self.used)
      let pause = coalescer.turnEnded(bytes: arrivals.count * 100, now: { time }, used: { used })
      if pause > 0 {
        pauses.append(pause)
        self.time += pause + slack
      }
    }

    /// Lets events come at a rate for so many seconds, whatever the loop does.
    mutating func receive(perSecond rate: Double, seconds: Double, _ random: inout SplitMix64) {
      let end = time + Int64(seconds * 1e9)
      var next = time
      while time < end {
        if next > time { time = next }
        var arrivals: [MonotonicTime] = []
        while next <= time, arrivals.count < 1_024 {
          arrivals.append(next)
          next += Int64.random(in: 0...Int64(2e9 / rate), using: &random)
        }
        take(arrivals)
      }
    }

    /// Lets clients send, each a moment after it is answered.
    mutating func answer(clients: Int, think: Int64, seconds: Double, _ random: inout SplitMix64) {
      let end = time + Int64(seconds * 1e9)
      var due = [MonotonicTime](repeating: time, count: clients)
      while time < end {
        // Plain loops: millions of turns, in code that is not optimized.
        if let first = due.min(), first > time { time = first }
        var arrivals: [MonotonicTime] = []
        let now = time
        var index = 0
        while index < clients {
          if due[index] <= now { arrivals.append(due[index]) }
          index += 1
        }
        let (before, answered) = (waits.count, now + turn + event * Int64(arrivals.count))
        take(arrivals)
        precondition(waits.count == before + arrivals.count)
        index = 0
        while index < clients {
          if due[index] <= now { due[index] = answered + Int64.random(in: 0...2 * think, using: &random) }
          index += 1
        }
      }
    }

    var medianWait: Int64 { waits.sorted()[waits.count / 2] }
  }

  private func withoutPauses(_ loop: SimulatedLoop = SimulatedLoop()) -> SimulatedLoop {
    var loop = loop
    loop.coalescer.fixedPause = 0
    return loop
  }

  @Test func aFixedPauseFollowsEachTurnThatReadSomething() {
    var coalescer = WakeCoalescer()
    coalescer.fixedPause = 70_000
    #expect(coalescer.turnEnded(bytes: 1, now: { 1 }, used: { 1 }) == 70_000)
    #expect(coalescer.turnEnded(bytes: 0, now: { 2 }, used: { 2 }) == 0)
    coalescer.fixedPause = 0
    for _ in 0..<1_000 { #expect(coalescer.turnEnded(bytes: 1, now: { 3 }, used: { 3 }) == 0) }
  }

  @Test func thePauseFollowsFromTheShare() {
    #expect(WakeCoalescer.pause(atShare: 0) == 0)
    #expect(WakeCoalescer.pause(atShare: 0.25) == 0)
    #expect(WakeCoalescer.pause(atShare: 0.5) == 83_333)
    #expect(WakeCoalescer.pause(atShare: 0.625) == WakeCoalescer.longestPause)
    #expect(WakeCoalescer.pause(atShare: 1) == 0)
    #expect(WakeCoalescer.pause(atShare: 1.1) == 0)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func aLoopBelowAQuarterOfACoreNeverPauses(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var loop = SimulatedLoop()
    loop.turn = Int64.random(in: 1_000...8_000, using: &random)
    loop.event = Int64.random(in: 2_000...12_000, using: &random)
    let share = Double.random(in: 0.001...0.2, using: &random)
    loop.receive(perSecond: share * 1e9 / Double(loop.turn + loop.event), seconds: 1, &random)
    #expect(loop.pauses.isEmpty)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>) func aBusyLoopSavesWorkAndStaysQuick(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var loop = SimulatedLoop()
    // Half to three quarters of a core without pauses, of which waking takes a third or more.
    loop.event = Int64.random(in: 4_000...8_000, using: &random)
    loop.turn = Int64.random(in: loop.event / 2...loop.event, using: &random)
    let rate = Double.random(in: 0.5...0.75, using: &random) * 1e9 / Double(loop.turn + loop.event)
    var free = withoutPauses(loop)
    loop.receive(perSecond: rate, seconds: 0.5, &random)
    free.receive(perSecond: rate, seconds: 0.5, &random)
    let (cost, freeCost) = (Double(loop.used) / Double(loop.events), Double(free.used) / Double(free.events))
    #expect(cost < 0.9 * freeCost, "\(cost), without pauses \(freeCost)")
    // Twice the longest pause with the kernel's slack.
    #expect(loop.medianWait < 380_000, "\(loop.medianWait)")
    #expect(loop.pauses.allSatisfy { $0 <= WakeCoalescer.longestPause })
  }

  @Test(arguments: 1...5 * UInt64(effort)) func whoWaitsForAnswersIsHeldBackForAMomentOnly(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var loop = SimulatedLoop()
    let (clients, think) = (1 + random.below(4), Int64.random(in: 1_000...10_000, using: &random))
    var free = withoutPauses(loop)
    loop.answer(clients: clients, think: think, seconds: 4, &random)
    free.answer(clients: clients, think: think, seconds: 4, &random)
    #expect(loop.events > free.events * 9 / 10, "\(loop.events) answers, without pauses \(free.events)")
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>) func aLoopThatIsAlwaysBusyLosesNothing(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var loop = SimulatedLoop()
    // More than one event a turn can be done; with ten a turn it is 1.2 cores at most.
    let rate = Double.random(in: 150_000...160_000, using: &random)
    var free = withoutPauses(loop)
    loop.receive(perSecond: rate, seconds: 1, &random)
    free.receive(perSecond: rate, seconds: 1, &random)
    #expect(loop.events > free.events * 98 / 100, "\(loop.events) events, without pauses \(free.events)")
  }

  @Test func largeTurnsAreNeverHeldBack() {
    var loop = SimulatedLoop()
    loop.event = 1_000
    for _ in 0..<2_000 {
      loop.time += 30_000
      loop.take(Array(repeating: loop.time, count: 64))
    }
    #expect(loop.pauses.isEmpty)
  }

  @Test func pausesEndWhenItBecomesQuiet() {
    var random = SplitMix64(seed: 1)
    var loop = SimulatedLoop()
    loop.receive(perSecond: 60_000, seconds: 0.2, &random)
    #expect(!loop.pauses.isEmpty)
    loop.pauses = []
    loop.time += 5_000_000
    for _ in 0..<60 {
      loop.take([loop.time])
      loop.time += 100_000
    }
    #expect(loop.pauses.isEmpty)
    // A rate that makes it worth while again is found out again.
    loop.receive(perSecond: 60_000, seconds: 0.2, &random)
    #expect(!loop.pauses.isEmpty)
  }
}
