// SPDX-License-Identifier: MIT

internal import HeaderModel
internal import HeaderWire

/// A connection that gets states of one shard: its subscriptions and deliveries.
public final class Subscriber {
  /// The way out to the client.
  public let writer: ClientWriter
  /// How many headers' states it gets.
  public var headerCount: Int { deliveries.count }
  /// Its subscriptions, the oldest first.
  public internal(set) var subscriptions: [Subscription] = []
  var deliveries: [HeaderHandle: Delivery] = [:]
  /// Deliveries that are owed something, in the order of their waiting.
  private var pending: [Delivery] = []

  /// A connection that gets nothing yet.
  public init(_ writer: ClientWriter) { self.writer = writer }

  /// Puts a delivery into the row of those that are owed something.
  func pend(_ delivery: Delivery) {
    guard !delivery.isPending else { return }
    delivery.isPending = true
    pending.append(delivery)
    writer.notifyWhenDrained()
  }

  /// Sends what deliveries are owed, first come first served, until the connection is behind again.
  public func flush() {
    guard !pending.isEmpty, !writer.isEnded else { return }
    var next = 0
    // A delivery that joins again meanwhile waits for the next call.
    let count = pending.count
    while next < count, !writer.isEnded, !writer.isBehind {
      let delivery = pending[next]
      next += 1
      delivery.isPending = false
      if !delivery.isGone { delivery.deliver() }
    }
    if writer.isEnded { return pending = [] }
    pending.removeFirst(next)
    if !pending.isEmpty { writer.notifyWhenDrained() }
  }

  /// Sends all that waits, whatever room there is: the daemon is about to end.
  public func finish() {
    let row = pending
    pending = []
    for delivery in row where !delivery.isGone { delivery.finish() }
    for delivery in deliveries.values.sorted(by: { $0.channel.handle < $1.channel.handle }) { delivery.finish() }
  }

  /// Drops all owed states, because the connection has ended.
  func forgetPending() { pending = [] }
}
