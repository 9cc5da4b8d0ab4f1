// SPDX-License-Identifier: MIT
//
// Timers: they fire in order, never early, within a millisecond, once for each arming.

import Clocks
import EventLoop
import Testing

@Suite struct TimerTests {
  @Test func timersFireByDeadlineThenByArming() throws {
    try withLoop { loop in
      let start = loop.now + 2 * millisecond
      let offsets: [Int64] = [5, 1, 3, 1, 0, 4, 2, 3, -9_000_000, 1]
      var fired: [Int] = []
      let timers = offsets.indices.map { index in
        let holder = Held(on: loop)
        holder.timer.fired = {
          fired.append(index)
          #expect(loop.now >= start + offsets[index])
          if fired.count == offsets.count { loop.stop() }
        }
        holder.timer.arm(at: start + offsets[index])
        return holder
      }
      loop.run()
      #expect(fired == offsets.indices.sorted { (offsets[$0], $0) < (offsets[$1], $1) })
      #expect(timers.allSatisfy { $0.timer.deadline == nil })
    }
  }

  @Test func randomArmingsMatchASortedList() throws {
    var seed: UInt64 = 42
    func random(_ below: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % below)
    }
    try withLoop { loop in
      let base = loop.now - millisecond
      let timers = (0..<60).map { _ in Held(on: loop) }
      var model: [(deadline: MonotonicTime, arming: Int, index: Int)] = []
      for arming in 0..<2000 {
        let index = random(60)
        model.removeAll { $0.index == index }
        if random(3) == 0 {
          timers[index].timer.disarm()
        } else {
          let deadline = base + Int64(random(50))
          timers[index].timer.arm(at: deadline)
          model.append((deadline, arming, index))
        }
      }
      var fired: [Int] = []
      for index in timers.indices {
        timers[index].timer.fired = {
          fired.append(index)
          if fired.count == model.count { loop.stop() }
        }
      }
      // An optimized build lets go of a local object after its last use.
      withExtendedLifetime(timers) { loop.run() }
      model.sort { ($0.deadline, $0.arming) < ($1.deadline, $1.arming) }
      #expect(fired == model.map(\.index))
    }
  }

  @Test func framesAreNeverEarly() throws {
    try withLoop { loop in
      let timer = Timer(on: loop)
      let (start, frame) = (loop.now, Int64(1_000_000_000 / 120))
      var lateness: [Int64] = []
      timer.fired = {
        let due = start + Int64(lateness.count + 1) * frame
        lateness.append(loop.now - due)
        if lateness.count == 30 { loop.stop() } else { timer.arm(at: due + frame) }
      }
      timer.arm(at: start + frame)
      loop.run()
      // The callback holds the timer, and the timer its callback.
      timer.fired = nil
      // How late they are is the machine's affair, and no test's.
      #expect(lateness.allSatisfy { $0 >= 0 })
    }
  }

  @Test func timersAreRearmedAndDisarmed() throws {
    try withLoop { loop in
      let (timer, never, last) = (Held(on: loop), Held(on: loop), Held(on: loop))
      var count = 0
      // One moment for all: the clock goes on between two lines.
      let now = loop.now
      never.timer.fired = { Issue.record("a disarmed timer fired") }
      never.timer.arm(at: now + millisecond)
      timer.timer.fired = {
        never.timer.disarm()
        count += 1
        if count < 5 { timer.timer.arm(at: 0) }
      }
      timer.timer.arm(at: now + 1000 * millisecond)
      timer.timer.arm(at: now)
      last.timer.fired = { loop.stop() }
      last.timer.arm(at: now + 3 * millisecond)
      #expect(last.timer.deadline != nil)
      withExtendedLifetime((never, last)) { loop.run() }
      // The callback holds the timer, and the timer its callback.
      timer.timer.fired = nil
      #expect(count == 5)
    }
  }

  @Test func withoutArmedTimersTheLoopEnds() throws {
    let loop = try Loop()
    do {
      let timer = Timer(on: loop)
      var count = 0
      timer.fired = { count += 1 }
      timer.arm(at: loop.now + millisecond)
      loop.run()
      #expect(count == 1)
    }
    try loop.close()
  }
}

/// A timer in an array.
private final class Held {
  let timer: Timer
  init(on loop: Loop) { timer = Timer(on: loop) }
}
