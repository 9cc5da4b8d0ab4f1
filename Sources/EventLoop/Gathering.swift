// SPDX-License-Identifier: MIT
//
// When a loop should let events pile up for a moment before it looks for the next ones.
//
// A thousand publishers at 60 Hz wake a loop 60,000 times a second, and waking costs more than what is then done. Held back
// for less than half a millisecond, a turn finds two dozen of them together. That is worth it only when the rate is high
// and each turn brings little, and it is wrong for a peer that waits for our answer before it sends the next: what it
// sends does not pile up. So holding back is tried, and kept up only as long as it gathers what the rate promised.
//
//     at once ──64 reads: fast, and few a turn──▶ holding ──a turn gathers too little──▶ at once, for 20 ms … 1 s at least
//
// Pure: turns and times in, pauses out. The clock is read once every 64 reads while nothing is held back.

/// Decides how long a loop waits before it may block, in nanoseconds.
struct Gathering {
  /// How long a turn is held back. With the kernel's slack of 50 µs it stays below half a millisecond.
  static let pause: Int64 = 400_000
  /// Reads that a pause must promise.
  private static let worthwhile = 8
  /// Reads over which the rate is taken.
  private static let sample = 64
  private static let firstRest: Int64 = 20_000_000
  private static let longestRest: Int64 = 1_000_000_000

  private var began: Int64 = 0
  private var reads = 0
  private var turns = 0
  /// Reads that a pause promises; nil while nothing is held back.
  private var promised: Int?
  /// Not before this is holding back tried again; after each disappointment it takes twice as long.
  private var restsUntil: Int64 = 0
  private var rest = Gathering.firstRest

  /// A turn has ended.
  /// - Parameters:
  ///   - reads: how many reads it brought.
  ///   - now: reads the steady clock.
  /// - Returns: how long to hold the next one back; 0: not at all.
  mutating func turnEnded(reads new: Int, now: () -> Int64) -> Int64 {
    guard new > 0 else { return promised == nil ? 0 : Self.pause }
    if let promised {
      // A turn with twice as many came late, and so would the next one: it is not held back on top of that.
      if new >= promised * 2 { return 0 }
      if new * 2 >= promised { return Self.pause }
      self.promised = nil
      begin(at: now())
      restsUntil = began + rest
      rest = min(rest * 2, Self.longestRest)
      return 0
    }
    reads += new
    turns += 1
    guard reads >= Self.sample else { return 0 }
    let time = now()
    let expected = Int64(reads) * Self.pause / max(time - began, 1)
    let isWorthwhile = expected >= Self.worthwhile && reads < turns * 4 && time >= restsUntil
    // Long since the last disappointment: it is forgotten.
    if time > restsUntil + Self.longestRest { rest = Self.firstRest }
    begin(at: time)
    guard isWorthwhile else { return 0 }
    promised = Int(min(expected, 1_000_000))
    return Self.pause
  }

  private mutating func begin(at time: Int64) {
    began = time
    reads = 0
    turns = 0
  }
}
