// SPDX-License-Identifier: MIT
//
// The publisher's seconds, the header's time, the daemon's clock (headerd-events(7), TIME AND FRAMES).
//
//     publisher A   10.0 ── 10.5 ────────── 11.0          passes unchanged: it was the first
//     publisher B           773.0 ── 773.2                shifted once by −762.4, onto the header's present time
//     header        10.0 ── 10.5 ─ 10.6 ─ 10.8 ── 11.0
//     daemon        81.0 ── 81.5 ─ 81.6 ─ 81.8 ── 82.0    between events it carries header time on from the last one
//
// A publisher that gives no times has the daemon's clock, read when the event arrived. Nothing here reads a clock. A publisher's times
// may be anything: sums of them stop at what 64 bits hold.

public import Clocks
public import HeaderModel

/// How one publisher's times become one header's.
public struct PublisherClock: Equatable, Sendable {
  /// The publisher gives times with all its events, or with none.
  public let givesTime: Bool
  /// Nanoseconds from its time to the header's.
  private let shift: Int64
  /// The latest time that it gave.
  private var latest: Instant

  /// The clock of a connection that sends a header its first event.
  /// - Parameters:
  ///   - given: the event's time by the publisher; nil when it gives none.
  ///   - steady: the daemon's clock when the event was read.
  ///   - present: the header's present time; nil before its first event.
  public init(first given: Instant?, readAt steady: MonotonicTime, present: Instant?) {
    givesTime = given != nil
    let first = given ?? Instant(nanoseconds: steady.nanoseconds)
    latest = first
    shift = present.map { $0.nanoseconds(since: first) } ?? 0
  }

  /// The header time of an event; nil, and nothing changes, where `headerTime` throws.
  @inline(__always)
  public mutating func regularTime(of given: Instant?, readAt steady: MonotonicTime) -> Instant? {
    if let given {
      guard givesTime, given >= latest else { return nil }
      latest = given
    } else {
      guard !givesTime else { return nil }
      latest = max(latest, Instant(nanoseconds: steady.nanoseconds))
    }
    return latest.advanced(by: shift)
  }

  /// The header time of an event.
  /// - Throws: `timeBackwards`, or `invalidParams` when times are given for some events and not for others.
  public mutating func headerTime(
    of given: Instant?, readAt steady: MonotonicTime, at path: Path
  ) throws(HeaderError) -> Instant {
    if let time = regularTime(of: given, readAt: steady) { return time }
    guard givesTime else {
      throw .mixedTimes(at: path, needed: "no time: this connection's events for the header had none so far")
    }
    guard let given else {
      throw .mixedTimes(at: path, needed: "a time: this connection's events for the header had one so far")
    }
    throw .timeBackwards(given, latest, at: path)
  }
}

/// Where header time stands by the daemon's clock.
public struct HeaderClock: Sendable {
  private var anchor: (time: Instant, steady: MonotonicTime)?

  /// The clock of a header without an event.
  public init() {}

  /// An event was handled.
  /// - Parameter steady: the daemon's clock when it was read.
  public mutating func happened(at time: Instant, steady: MonotonicTime) { anchor = (time, steady) }

  /// The header's time as the daemon's clock carries it on from the last event; nil before the first.
  public func time(at steady: MonotonicTime) -> Instant? {
    anchor.map { $0.time.advanced(by: max(0, steady - $0.steady)) }
  }

  /// The daemon's clock at a header time; nil before the first event.
  public func steady(at time: Instant) -> MonotonicTime? {
    anchor.map { $0.steady + max(0, time.nanoseconds(since: $0.time)) }
  }
}

extension HeaderError {
  fileprivate static func mixedTimes(at path: Path, needed: String) -> HeaderError {
    let field = (path + "time").text
    return HeaderError(
      .invalidParams, "\(field): expected \(needed); give times for all events of a header or for none", field: field,
      expected: "all or none")
  }

  fileprivate static func timeBackwards(_ given: Instant, _ latest: Instant, at path: Path) -> HeaderError {
    let field = (path + "time").text
    let least = Value.number(latest.seconds).brief
    return HeaderError(
      .timeBackwards,
      "\(field): time goes backwards: expected at least \(least), got \(Value.number(given.seconds).brief)",
      field: field, got: .number(given.seconds), expected: "at least \(least)")
  }
}
