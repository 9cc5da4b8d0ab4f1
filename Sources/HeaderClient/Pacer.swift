// SPDX-License-Identifier: MIT
//
// Paces events with times: the first one is sent at once, every later one after the time that passed between the two, or a fraction of
// that. Each delay is computed from the start, so that a slow moment is caught up and nothing drifts.

/// Turns the times of events into times of a clock.
public struct Pacer: Sendable {
  /// How many times faster than it happened; infinity: no waiting.
  public let speed: Double
  private var origin: (time: Double, clock: Double)?

  /// A pacer that has not begun.
  public init(speed: Double = 1) {
    precondition(speed > 0, "a speed is positive")
    self.speed = speed
  }

  /// How long to wait before an event is sent, in seconds.
  /// - Parameters:
  ///   - time: when it happened, in its publisher's seconds; nil: unknown, so it is sent at once.
  ///   - now: the clock, in seconds.
  public mutating func delay(for time: Double?, now: Double) -> Double {
    guard let time, speed.isFinite else { return 0 }
    guard let origin else {
      origin = (time, now)
      return 0
    }
    return max(0, origin.clock + (time - origin.time) / speed - now)
  }
}
