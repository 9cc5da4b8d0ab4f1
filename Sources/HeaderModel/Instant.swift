// SPDX-License-Identifier: MIT
//
// Time is whole nanoseconds inside and seconds outside, so that sums never drift and the same recording gives the
// same instants on every run.

/// A moment of header time in whole nanoseconds; its origin is the publisher's.
public struct Instant: Comparable, Hashable, Sendable {
  /// Nanoseconds since the origin; before it they are negative.
  public var nanoseconds: Int64

  /// An instant by its nanoseconds.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant nearest to a number of seconds, which is cut at ±`maxSeconds`.
  public init(seconds: Double) {
    self.nanoseconds = Self.nanoseconds(seconds)
  }

  /// The range of a publisher's times, in seconds on either side of its origin: 285 years, so that any origin will do, and all of them
  /// are nanoseconds in 64 bits.
  @inlinable public static var maxSeconds: Double { 9e9 }

  /// The same in nanoseconds.
  @inlinable public static var maxNanoseconds: Int64 { 9_000_000_000_000_000_000 }

  /// Seconds, as they stand on the wire: the double nearest to the nanoseconds.
  public var seconds: Double {
    // Below 2^53 the nanoseconds are a double themselves. Beyond it whole seconds and the rest are, which are rounded once.
    guard nanoseconds.magnitude > 1 << 53 else { return Double(nanoseconds) / 1e9 }
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Double(whole) + Double(rest) / 1e9
  }

  /// Whether `seconds` says it to the nanosecond, as it does within 104 days of the origin.
  public var isExactInSeconds: Bool { Instant(seconds: seconds) == self }

  /// Whole nanoseconds nearest to a duration in seconds, cut at ±`maxSeconds`.
  public static func nanoseconds(_ seconds: Double) -> Int64 {
    let seconds = max(-maxSeconds, min(maxSeconds, seconds))
    // Whole seconds apart, so that many of them take no digits from the rest.
    let whole = Int64(seconds)
    return whole * 1_000_000_000 + Int64(((seconds - Double(whole)) * 1e9).rounded())
  }

  /// The instant that lies a duration in seconds later.
  public func advanced(bySeconds seconds: Double) -> Instant { advanced(by: Self.nanoseconds(seconds)) }

  /// The instant that lies a number of nanoseconds later, or the last one that there is. A stranger's times may be anything:
  /// no sum of them overflows.
  @inlinable public func advanced(by duration: Int64) -> Instant {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(duration)
    return Instant(nanoseconds: overflows ? (duration < 0 ? .min : .max) : sum)
  }

  /// How long after another it is in nanoseconds, or as much of that as 64 bits hold.
  @inlinable public func nanoseconds(since other: Instant) -> Int64 {
    let (difference, overflows) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return overflows ? (nanoseconds < 0 ? .min : .max) : difference
  }

  /// The left one is earlier.
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}
