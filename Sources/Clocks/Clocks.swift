// SPDX-License-Identifier: MIT
//
// The clocks. Header time is `Instant` in HeaderModel: its origin is a publisher's.

/// A moment of the machine's monotonic clock (`CLOCK_MONOTONIC`). Durations between two of them are whole nanoseconds, `Int64`.
@frozen public struct MonotonicTime: Comparable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// Nanoseconds since some moment before the start.
  public var nanoseconds: Int64

  /// A moment by its nanoseconds.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  /// The moment in seconds, as messages have it.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }
  /// A moment by its nanoseconds, for constants.
  @inlinable public init(integerLiteral nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Later than all others, for what never happens.
  @inlinable public static var max: Self { Self(nanoseconds: .max) }
  /// Earlier than all others.
  @inlinable public static var min: Self { Self(nanoseconds: .min) }

  /// The moment that lies a duration later, `max` if there is none: sums of given durations never overflow.
  @inlinable public static func + (time: Self, duration: Int64) -> Self {
    let (sum, overflows) = time.nanoseconds.addingReportingOverflow(duration)
    return Self(nanoseconds: overflows ? (duration < 0 ? .min : .max) : sum)
  }
  /// Moves a moment by a duration.
  @inlinable public static func += (time: inout Self, duration: Int64) { time = time + duration }
  /// The moment that lies a duration earlier.
  @inlinable public static func - (time: Self, duration: Int64) -> Self { time + (0 &- duration) }

  /// The nanoseconds from the right one to the left one.
  @inlinable public static func - (later: Self, earlier: Self) -> Int64 {
    let (difference, overflows) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflows ? (later.nanoseconds < 0 ? .min : .max) : difference
  }

  /// The left one is earlier.
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// A moment of the machine's wall clock, which may be set back. Epochs come from it; header time never does.
@frozen public struct WallTime: Sendable, ExpressibleByIntegerLiteral {
  /// Microseconds since 1970.
  public let microseconds: Int64
  /// A moment by its microseconds.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }
  /// A moment by its microseconds, for constants.
  @inlinable public init(integerLiteral microseconds: Int64) { self.microseconds = microseconds }
}
