// SPDX-License-Identifier: MIT
//
// The shared objects of one thread's rooms: the clock as of the latest call from outside, the limits, the counters, the log, and the two
// writers that messages are built with.

public import Clocks
public import HeaderModel
public import HeaderWire

/// Writes log lines.
public protocol ServiceLog: AnyObject {
  /// One line: what happened, in lowerCamelCase, and the facts in order.
  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)])
}

/// What `stats` counts.
public struct Counters: Sendable {
  /// Events that were handed to headers.
  public var events = 0
  /// States that headers made.
  public var states = 0
  /// Gaps that were sent.
  public var gaps = 0
  /// Errors that were sent.
  public var errors = 0
  /// Bytes that were read from connections.
  public var bytesReceived = 0
  /// Bytes that were handed to connections.
  public var bytesSent = 0

  /// Creates counters that are all zero.
  public init() {}

  /// Adds another shard's counts.
  public static func += (left: inout Counters, right: Counters) {
    left.events += right.events
    left.states += right.states
    left.gaps += right.gaps
    left.errors += right.errors
    left.bytesReceived += right.bytesReceived
    left.bytesSent += right.bytesSent
  }
}

/// The shared objects of one thread's rooms. Only that thread uses them.
public final class ShardContext {
  /// The limits that clients meet. A change holds for later requests.
  public var limits: Limits
  /// The daemon's clock as of the latest call from outside.
  public private(set) var now: MonotonicTime = 0
  /// When the command that is handled was read: `now`, but for one that had to wait.
  public var readTime: MonotonicTime = 0
  /// What `stats` counts.
  public var counters = Counters()
  /// Ages of events on arrival; nil: metrics are off.
  public var eventAges: EventAges?
  /// Writes log lines.
  public let log: any ServiceLog
  /// The writer for JSON messages; empty it before use.
  public var writer = JSONWriter()
  /// The writer for frames; empty it before use.
  public var frameWriter = FrameWriter()

  /// A context at time 0.
  public init(limits: Limits, log: any ServiceLog) {
    self.limits = limits
    self.log = log
  }

  /// Sets the clock; it never goes back.
  public func advance(to time: MonotonicTime) {
    now = max(now, time)
    readTime = now
  }
}
