// SPDX-License-Identifier: MIT
//
// Decides when a loop pauses before it waits for events, so that several of them are handled in one turn. A thousand
// publishers at 60 Hz wake a loop 60,000 times a second, which costs more than the work. After a pause of less than
// half a millisecond one turn finds two dozen events. That pays only when turns follow each other quickly, and not for
// a peer that waits for our answer. So pauses are tried, and continued while they gather at least half of what the rate
// promised, counted in bytes.
//
//     no pauses ──64 turns in quick succession──▶ pauses ──they gather too little──▶ no pauses, for 20 ms … 1 s at least
//
// A fixed pause follows each turn that read something instead; one of 0 turns this off. The type does no I/O: turns and
// times go in, pauses come out. Without pauses the clock is read once every 64 turns.

package import Clocks

/// Decides how long a loop pauses, in nanoseconds.
package struct WakeCoalescer {
  /// The pause after each turn that read something; nil: decided as above.
  package var fixedPause: Int64?

  /// How long a pause is. With the kernel's slack of 50 µs it stays below half a millisecond.
  package static let pause: Int64 = 400_000
  /// Turns that a pause must make one of: 15,000 a second.
  private static let worthwhile = 6
  /// Turns over which the rate is taken.
  private static let sample = 64
  private static let firstRest: Int64 = 20_000_000
  private static let longestRest: Int64 = 1_000_000_000

  private var began: MonotonicTime = 0
  private var bytes = 0
  private var turns = 0
  /// Bytes that a pause promises; nil while there are no pauses.
  private var promised: Int?
  /// Bytes that the last pauses gathered, smoothed: publishers are late at times, too.
  private var gathered = 0
  /// Pauses are not tried again before this; after each failure the rest is twice as long.
  private var restsUntil: MonotonicTime = 0
  private var rest = WakeCoalescer.firstRest

  package init() {}

  /// A turn has ended.
  /// - Parameters:
  ///   - bytes: how many it brought.
  ///   - now: reads the clock.
  /// - Returns: how long to pause before the next one; 0: not at all.
  package mutating func turnEnded(bytes new: Int, now: () -> MonotonicTime) -> Int64 {
    if let fixedPause { return new > 0 ? fixedPause : 0 }
    guard new > 0 else { return promised == nil ? 0 : Self.pause }
    if let promised {
      gathered = (gathered * 3 + new) / 4
      // A turn with twice as much came late; another pause would make the next one late, too.
      if new >= promised * 2 { return 0 }
      if gathered * 2 >= promised { return Self.pause }
      self.promised = nil
      begin(at: now())
      restsUntil = began + rest
      rest = min(rest * 2, Self.longestRest)
      return 0
    }
    bytes += new
    turns += 1
    guard turns >= Self.sample else { return 0 }
    let time = now()
    let passed = max(time - began, 1)
    let isWorthwhile = Int64(turns) * Self.pause / passed >= Self.worthwhile && time >= restsUntil
    let expected = Double(bytes) * Double(Self.pause) / Double(passed)
    // The last failure was long ago: it no longer counts.
    if time > restsUntil + Self.longestRest { rest = Self.firstRest }
    begin(at: time)
    guard isWorthwhile else { return 0 }
    gathered = Int(min(expected, 0x1p40))
    promised = gathered
    return Self.pause
  }

  private mutating func begin(at time: MonotonicTime) {
    began = time
    bytes = 0
    turns = 0
  }
}
