// SPDX-License-Identifier: MIT
//
// A connection's output where there are several threads. A shard may send messages after its part of a question that others have not
// answered yet. Those stay behind the answer:
//
//     subscribe ─▶ shard 0: 3 match ─▶ its states, held ─┐
//              ╰─▶ shard 1: …                2 match ────┴─▶ answer: 5 match ─▶ what was held

internal import Clocks
internal import Fanout
internal import Shards

/// A question under way, and the output behind its answer.
final class OpenFanIn {
  /// The output behind the answer belongs to a subscription that the client knows only by the answer.
  fileprivate let beginsSubscription: Bool
  fileprivate var answered = ShardSet()
  fileprivate var held: [UInt8] = []

  fileprivate init(beginsSubscription: Bool) { self.beginsSubscription = beginsSubscription }
}

/// The output of a connection that several threads send to. Used at the connection's home.
final class GatedOutbox: Outbox {
  private let socket: any Outbox
  private let connection: SharedConnection
  /// Open questions, in the order of asking.
  private var gathers: [OpenFanIn] = []
  /// The question whose answer comes before further output of the home's own shard.
  private var holding: OpenFanIn?
  private var heldBytes = 0

  init(_ socket: any Outbox, _ connection: SharedConnection) {
    self.socket = socket
    self.connection = connection
  }

  // MARK: - Of the home's own shard

  func send(_ bytes: RawSpan) {
    guard let holding else { return socket.send(bytes) }
    unsafe bytes.withUnsafeBytes { unsafe holding.held.append(contentsOf: $0) }
    heldBytes += bytes.byteCount
  }

  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    guard hasRoom(for: bytes.byteCount, within: bound) else { return false }
    guard holding == nil else {
      send(bytes)
      return true
    }
    return socket.offer(bytes, lentBy: owner, within: .max)
  }

  var queuedBytes: Int { socket.queuedBytes + heldBytes + connection.bytesInTransit }

  func backlog(at now: MonotonicTime) -> Backlog {
    Backlog(queuedBytes: queuedBytes, age: socket.backlog(at: now).age)
  }

  func notifyWhenDrained() { socket.notifyWhenDrained() }

  // MARK: - Of other shards

  /// Sends bytes that another shard has sent.
  func send(_ bytes: [UInt8], from shard: Int) {
    if let gather = gathers.last(where: { $0.answered.contains(ShardSet(shard)) }) {
      gather.held += bytes
      heldBytes += bytes.count
    } else {
      send(bytes)
    }
    noteUnsent()
    connection.addInTransit(-bytes.count)
  }

  /// Lets other shards know how much waits here.
  func noteUnsent() { connection.setUnsent(socket.queuedBytes + heldBytes) }

  // MARK: - Questions

  /// A question is put to several shards.
  func begin(isSubscription: Bool) -> OpenFanIn {
    let gather = OpenFanIn(beginsSubscription: isSubscription)
    gathers.append(gather)
    return gather
  }

  /// Notes a shard's answer and sends the output that waited for it.
  func arrived(_ shard: Int, of gather: OpenFanIn) {
    gather.answered.insert(ShardSet(shard))
    updateHolding()
  }

  /// All shards have answered.
  /// - Parameter answer: sends the answer.
  func complete(_ gather: OpenFanIn, _ answer: () -> Void) {
    guard let index = gathers.firstIndex(where: { $0 === gather }) else { return answer() }
    gathers.remove(at: index)
    // A shard's output between its parts of an earlier question and of this one stays behind the earlier answer. So this answer and the
    // output behind it wait for that one.
    let earlier = gathers[..<index].last { !$0.answered.intersection(gather.answered).isEmpty }
    holding = earlier
    answer()
    if let earlier {
      earlier.held += gather.held
      earlier.answered = earlier.answered.union(gather.answered)
    } else {
      heldBytes -= gather.held.count
      if !gather.held.isEmpty { send(gather.held) }
    }
    updateHolding()
    noteUnsent()
  }

  /// Sends what is held, up to an unanswered subscription, because the connection ends. A shard's output arrives in order, so nothing is
  /// missing before its end.
  func release() {
    for gather in gathers.prefix(while: { !$0.beginsSubscription }) where !gather.held.isEmpty { send(gather.held) }
    gathers = []
    holding = nil
    heldBytes = 0
  }

  private func send(_ bytes: [UInt8]) { socket.send(unsafe bytes.span.bytes) }

  private func updateHolding() {
    let home = ShardSet(connection.home)
    holding = gathers.last { $0.answered.contains(home) }
  }
}
