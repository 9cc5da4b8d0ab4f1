// SPDX-License-Identifier: MIT
//
// The byte stream of a connection, and what the rooms above know of a connection.

public import Clocks

/// One connection's number, never used twice; `hello` reports it.
public struct ConnectionID: Hashable, Comparable, Sendable {
  /// 1, 2, 3… in the order of connecting.
  public let number: Int

  /// Creates a number; the gateway counts connections.
  public init(number: Int) { self.number = number }

  /// The left one connected earlier.
  public static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}

/// Where one connection's bytes go. Looked up once, since states are frequent. It never blocks and never calls back
/// from inside a call.
public protocol Outbox: AnyObject {
  /// Takes bytes behind those sent before; they are copied or written before this returns.
  func send(_ bytes: RawSpan)
  /// Sends a message if the queue stays within `bound` bytes with it, or if the queue is empty.
  /// - Parameter owner: keeps the bytes in place as long as it is retained, since they go to others as well; nil: they are valid for this
  ///   call.
  /// - Returns: whether there was room for it.
  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool
  /// Bytes taken and not yet given to the kernel.
  var queuedBytes: Int { get }
  /// The bytes that its peer has not read yet.
  /// - Parameter now: the daemon's clock.
  func backlog(at now: MonotonicTime) -> Backlog
  /// `drained` is to be called once: without this it may be left out while the connection is read from.
  func notifyWhenDrained()
}

/// The bytes that the peer of a connection has not read yet.
public struct Backlog: Equatable, Sendable {
  /// Bytes that the kernel has not taken.
  public var queuedBytes: Int
  /// Nanoseconds that the oldest unread bytes have waited, at least; 0: it has read all.
  public var age: Int64

  /// Creates a backlog.
  public init(queuedBytes: Int, age: Int64) {
    self.queuedBytes = queuedBytes
    self.age = age
  }
}

extension Outbox {
  /// For outboxes that always call back.
  public func notifyWhenDrained() {}
  /// For outboxes that do not know when bytes were sent.
  public func backlog(at now: MonotonicTime) -> Backlog { Backlog(queuedBytes: queuedBytes, age: 0) }
  /// Copies the bytes as any others.
  public func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    guard hasRoom(for: bytes.byteCount, within: bound) else { return false }
    send(bytes)
    return true
  }
  /// Whether the queue stays within a bound with `size` bytes more, or is empty.
  public func hasRoom(for size: Int, within bound: Int) -> Bool {
    let queued = queuedBytes
    return queued == 0 || queued + size <= bound
  }
}
