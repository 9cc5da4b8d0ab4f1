// SPDX-License-Identifier: MIT
//
// When a loop should let events pile up for a moment before it looks for the next ones.
//
// A thousand publishers at 60 Hz wake a loop 60,000 times a second, and waking costs more than what is then done. Held back
// for less than half a millisecond, a turn finds two dozen events together: one of each socket, or many of few sockets.
// That is worth it only when turns follow each other quickly, and it is wrong for a peer that waits for our answer before it
// sends the next: what it sends does not pile up. So holding back is tried, and kept up only as long as it gathers what the
// rate promised, at least half of it. What is gathered is counted in bytes: a loop knows of no events.
//
//     at once ──64 turns: fast──▶ holding ──they gather too little──▶ at once, for 20 ms … 1 s at least
//
// Pure: turns and times in, pauses out. The clock is read once every 64 turns while nothing is held back.

/// Decides how long a loop waits before it may block, in nanoseconds.
struct Gathering {
  /// How long a turn is held back. With the kernel's slack of 50 µs it stays below half a millisecond.
  static let pause: Int64 = 400_000
  /// Turns that a pause must make one of: 15,000 a second.
  private static let worthwhile = 6
  /// Turns over which the rate is taken.
  private static let sample = 64
  private static let firstRest: Int64 = 20_000_000
  private static let longestRest: Int64 = 1_000_000_000

  private var began: Int64 = 0
  private var bytes = 0
  private var turns = 0
  /// Bytes that a pause promises; nil while nothing is held back.
  private var promised: Int?
  /// What the last pauses brought, smoothed: publishers are late at times, too.
  private var gathered = 0
  /// Not before this is holding back tried again; after each disappointment it takes twice as long.
  private var restsUntil: Int64 = 0
  private var rest = Gathering.firstRest

  /// A turn has ended.
  /// - Parameters:
  ///   - bytes: how many it brought.
  ///   - now: reads the steady clock.
  /// - Returns: how long to hold the next one back; 0: not at all.
  mutating func turnEnded(bytes new: Int, now: () -> Int64) -> Int64 {
    guard new > 0 else { return promised == nil ? 0 : Self.pause }
    if let promised {
      gathered = (gathered * 3 + new) / 4
      // A turn with twice as much came late, and so would the next one: it is not held back on top of that.
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
    // Long since the last disappointment: it is forgotten.
    if time > restsUntil + Self.longestRest { rest = Self.firstRest }
    begin(at: time)
    guard isWorthwhile else { return 0 }
    gathered = Int(min(expected, 0x1p40))
    promised = gathered
    return Self.pause
  }

  private mutating func begin(at time: Int64) {
    began = time
    bytes = 0
    turns = 0
  }
}
