// SPDX-License-Identifier: MIT
//
// Decides when a loop pauses before it waits for events, so that several of them are handled in one turn. A thousand
// publishers at 60 Hz wake a loop 60,000 times a second, and waking is a third of the work. Ten events a turn save most of
// that; more of them save little and wait longer. So the pause is short, and depends on the share of a core that the loop's
// thread takes:
//
//     pause = ⅔ ms × (share − ¼) × (1 − share)        0 up to a quarter of a core, at most 0.09 ms
//
// The second factor is for latency: the more of the time is work, the longer the turn is that follows the pause, and a loop
// that is always busy finds several events in each turn without pauses.
//
// A pause is wasted if the senders wait for what the loop writes, as clients do that send a request when the one before is
// answered: less comes then. So pauses are tried, and continued while bytes come at three quarters of the rate before.
//
//     no pauses ──64 turns in quick succession──▶ pauses ──less comes──▶ no pauses, for 20 ms … 1 s at least
//                           ▲                       │
//                           └──1 ms without input───┘
//
// A fixed pause follows each turn that read something instead; one of 0 turns this off. The type does no I/O: turns and
// times go in, pauses come out. Without pauses the clocks are read once every 64 turns.

package import Clocks

/// Decides how long a loop pauses, in nanoseconds.
package struct WakeCoalescer {
  /// The pause after each turn that read something; nil: decided as above.
  package var fixedPause: Int64?

  /// No pause is longer; the kernel adds its slack of 50 µs.
  package static let longestPause: Int64 = 93_750
  /// Turns without pauses are longer than this: there are several events in each of them as it is, or few come.
  private static let longTurn: Int64 = 66_667
  /// Turns over which rate and share are taken: without pauses, and with them.
  private static let (freeTurns, pausedTurns) = (64, 32)
  /// Pauses end when no input came for so long.
  private static let quiet: Int64 = 1_000_000
  private static let firstRest: Int64 = 20_000_000
  private static let longestRest: Int64 = 1_000_000_000

  private var pause: Int64 = 0
  /// Bytes a nanosecond that came without pauses.
  private var promised = 0.0
  /// When the sample began, and what the thread had used of its core by then.
  private var began: MonotonicTime = 0
  private var usedBefore: Int64 = 0
  private var bytes = 0
  private var turns = 0
  /// When the last turn with a pause ended.
  private var last: MonotonicTime = 0
  /// Pauses are not tried again before this; after each try that failed the rest is twice as long.
  private var restsUntil: MonotonicTime = 0
  private var rest = WakeCoalescer.firstRest

  package init() {}

  /// How long the pause is that a share of a core calls for.
  package static func pause(atShare share: Double) -> Int64 {
    max(0, Int64(2_000_000 / 3 * (min(share, 1) - 0.25) * (1 - min(share, 1))))
  }

  /// A turn has ended.
  /// - Parameters:
  ///   - bytes: how many it brought.
  ///   - now: reads the clock.
  ///   - used: reads how long the thread has run, in nanoseconds.
  /// - Returns: how long to pause before the next one; 0: not at all.
  package mutating func turnEnded(bytes new: Int, now: () -> MonotonicTime, used: () -> Int64) -> Int64 {
    if let fixedPause { return new > 0 ? fixedPause : 0 }
    guard new > 0 else { return pause }
    bytes += new
    turns += 1
    if pause == 0, turns < Self.freeTurns { return 0 }
    let time = now()
    let isQuiet = pause > 0 && time - last > Self.quiet
    last = time
    if isQuiet {
      pause = 0
      begin(at: time, used())
    } else if pause == 0 || turns >= Self.pausedTurns {
      sampled(time, used())
    }
    return pause
  }

  /// Decides anew, by the turns of a sample.
  private mutating func sampled(_ time: MonotonicTime, _ used: Int64) {
    let passed = max(time - began, 1)
    let rate = Double(bytes) / Double(passed)
    let isShort = passed < Int64(turns) * Self.longTurn
    let called = Self.pause(atShare: Double(used - usedBefore) / Double(passed))
    begin(at: time, used)
    if pause == 0 {
      guard isShort, time >= restsUntil else { return }
      promised = rate
      pause = called
    } else if rate >= promised * 0.75 {
      // Half of the way, since a longer pause makes the share smaller, and that the pause.
      pause = (pause + called) / 2
      rest = Self.firstRest
    } else {
      pause = 0
      restsUntil = time + rest
      rest = min(rest * 2, Self.longestRest)
    }
  }

  private mutating func begin(at time: MonotonicTime, _ used: Int64) {
    began = time
    usedBefore = used
    bytes = 0
    turns = 0
  }
}
