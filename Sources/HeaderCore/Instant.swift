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

  /// The instant nearest to a number of seconds. Seconds beyond ±1e9 are cut there, which is beyond what any clock here says.
  public init(seconds: Double) {
    self.nanoseconds = Self.nanoseconds(seconds)
  }

  /// Seconds, as they stand on the wire.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whole nanoseconds nearest to a duration in seconds, cut at ±1e9 s.
  public static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64((max(-1e9, min(1e9, seconds)) * 1e9).rounded())
  }

  /// The instant that lies a duration in seconds later.
  public func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds + Self.nanoseconds(seconds))
  }

  /// The left one is earlier.
  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}
