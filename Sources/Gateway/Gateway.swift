// SPDX-License-Identifier: MIT
//
// The connections whose sockets one thread has: their bytes become commands for the shards of headers, and the shards' answers become
// bytes. Knows no header.

public import Clocks
public import Fanout
public import HeaderHost
internal import HeaderModel
internal import HeaderWire
public import Shards

/// Ends connections for the gateway, and provides their byte streams.
public protocol ServiceOutput: AnyObject {
  /// Where a connection's bytes go; asked for once, when it is connected.
  func output(of connection: ConnectionID) -> any Outbox
  /// Closes a connection once its output is written; `Gateway.disconnected` follows.
  func close(_ connection: ConnectionID)
}

/// A connection on its way to another thread.
public struct MovingConnection: Sendable {
  let client: ClientReference
  /// The command that belongs there, and the bytes behind it.
  let command: Command
  let input: [UInt8]

  /// The connection's number, which it keeps.
  public var id: ConnectionID { client.connection.id }
}

/// The connections of one thread.
public final class Gateway {
  /// Clock, limits, log and counters of the thread.
  public let context: ShardContext
  let host: HeaderHost
  let router: Router
  let output: any ServiceOutput
  let globalCounters: GlobalCounters
  private var sessions: [ConnectionID: Session] = [:]
  private var wakes = WakeQueue()
  /// Sessions that have ended and are to be removed, and sessions that can resume.
  private var ended: [Session] = []
  private var noted = Queue<Session>()
  /// Connections to read from again, if their sessions want input.
  private var unblocked: [ConnectionID] = []
  /// Connections that leave for other threads, each with the command that takes it there.
  var moves: [(session: Session, shard: Int, command: Command)] = []
  /// Why the daemon drains; nil as long as it serves.
  private var drainReason: String?

  /// A gateway without connections.
  public init(_ host: HeaderHost, _ router: Router, globalCounters: GlobalCounters, output: any ServiceOutput) {
    context = host.context
    self.host = host
    self.router = router
    self.globalCounters = globalCounters
    self.output = output
  }

  // MARK: - Connections

  /// Accepts a connection. Over the limit, or while draining, it gets an error and is closed.
  public func connected(_ id: ConnectionID, _ peer: Peer) {
    let (account, refusal) = globalCounters.connect(peer, at: router.shard.index, atMost: context.limits.connections)
    let connection = SharedConnection(
      id, peer: peer, account: account, isAdmitted: refusal == nil, home: router.shard.index)
    let session = Session(connection, output.output(of: id), in: self)
    sessions[id] = session
    context.log.log(.debug, "connected", [("connection", String(id.number)), ("peer", peer.name)])
    if let drainReason {
      session.writer.end(reason: drainReason)
    } else if let refusal {
      session.writer.logWarning("connectionRefused", [("message", refusal.message)])
      session.writer.end(because: refusal, about: .notification)
    } else {
      wakes.set(session, session.dueWake)
    }
  }

  /// The input of a connection; nil when it has ended.
  public func input(of id: ConnectionID) -> (any ConnectionInput)? { sessions[id] }

  /// The peer closed its writing half: its commands are answered, and the connection ends unless it has subscriptions or delegates.
  public func endOfInput(_ id: ConnectionID) { sessions[id]?.endOfInput() }

  /// The peer has closed the other half, too: it listens to nothing any more.
  public func hungUp(_ id: ConnectionID) { sessions[id]?.hungUp() }

  /// Handles the end of a connection, for whatever reason.
  public func disconnected(_ id: ConnectionID) {
    guard let session = sessions[id] else { return }
    session.vanish()
    sessions[id] = nil
    session.releaseCharges()
    globalCounters.disconnect(session.writer.connection, at: router.shard.index)
    context.log.log(.debug, "disconnected", [("connection", String(id.number))])
  }

  /// Lets go of all connections, without a word: the service goes.
  public func removeAll() {
    (sessions, ended, moves) = ([:], [], [])
    noted.removeAll()
    wakes = WakeQueue()
  }

  /// Connections that are not gone yet.
  public var connectionCount: Int { sessions.count }

  func received(_ bytes: RawSpan, by session: Session, at time: MonotonicTime) {
    context.advance(to: time)
    let wasSilent = !session.hasSpoken
    unsafe bytes.withUnsafeBytes { unsafe session.received($0, host, context) }
    if wasSilent { wakes.set(session, session.isEnded ? nil : session.dueWake) }
    settle()
  }

  func drained(_ session: Session, at time: MonotonicTime) {
    context.advance(to: time)
    session.outputIsEmpty()
    settle()
  }

  // MARK: - Resuming

  /// Queues a session that can resume what waits in it.
  func note(_ session: Session) {
    guard !session.isNoted else { return }
    session.isNoted = true
    noted.append(session)
  }

  func noteEnded(_ session: Session) { ended.append(session) }

  /// Completes a call from outside: sessions resume what waited, and ended ones are removed. Every call from outside ends with it.
  @inline(__always)
  public func settle() {
    if noted.isEmpty, ended.isEmpty, !host.hasCleanups { return }
    settleAll()
  }

  private func settleAll() {
    // While the daemon drains no later turn comes.
    var steps = drainReason == nil ? Self.departureSteps : .max
    repeat {
      while let session = noted.popFirst() {
        session.isNoted = false
        session.resumeWaiting()
        unblocked.append(session.id)
      }
      while let session = ended.popLast() { clear(session) }
      host.runCleanups(&steps)
    } while !noted.isEmpty || !ended.isEmpty
  }

  /// Deliveries and headers of ended connections that are removed in one call from outside. The rest waits for the next call, so that the
  /// end of a subscriber to very many headers delays no other client.
  private static let departureSteps = 1_000

  private func clear(_ session: Session) {
    wakes.set(session, nil)
    if let client = session.client { host.disconnect(client, isDraining: isDraining) }
    for shard in session.shards?.contacted.shards ?? [] { router.send(.disconnected(session.id), to: shard) }
  }

  /// Connections that are to be read from again, if they want that. To be asked for after each turn.
  public func takeUnblocked() -> [ConnectionID] {
    guard !unblocked.isEmpty else { return [] }
    defer { unblocked.removeAll(keepingCapacity: true) }
    return unblocked
  }

  // MARK: - The end

  /// Whether the daemon drains.
  public var isDraining: Bool { drainReason != nil }

  /// Disconnects all clients: each gets the messages that wait for it in all shards, `bye`, and is closed. Later connections get `bye` at
  /// once.
  public func drain(_ reason: String) {
    guard drainReason == nil else { return }
    drainReason = reason
    for session in sessions.values { session.isHeld = true }
    router.ask(router.everyone, { _ in .finish }) { _ in
      for session in self.sessions.values.sorted(by: { $0.id < $1.id }) where !session.isEnded {
        session.client?.subscriber?.finish()
        session.shards?.gate.release()
        session.writer.end(reason: reason)
      }
      self.settle()
    }
  }

  // MARK: - Time

  /// When a connection is to be looked at next, by the daemon's clock; `.max`: none is.
  public var nextWake: MonotonicTime { wakes.earliest }

  /// Pings clients that have been silent for long, and disconnects those that have never sent anything.
  public func tick() {
    while let session = wakes.first as? Session, session.wake <= context.now {
      session.wakeIsDue()
      wakes.set(session, session.isEnded ? nil : session.dueWake)
    }
  }

  // MARK: - Other shards

  /// Bytes of another shard for a connection.
  public func output(_ bytes: [UInt8], for id: ConnectionID, from shard: Int) {
    guard let session = sessions[id], !session.isEnded else { return }
    session.shards?.gate.send(bytes, from: shard)
    session.writer.lastTraffic = context.now
  }

  /// A command is done in another shard.
  public func done(_ id: ConnectionID, slot: Int) { sessions[id]?.commandIsDone(slot: slot) }

  /// Ends a connection on behalf of another shard.
  /// - Parameter last: the last messages, with the reason; output that was held back goes before them.
  public func endedByShard(_ id: ConnectionID, _ last: [UInt8], from shard: Int) {
    guard let session = sessions[id], !session.isEnded else { return }
    session.shards?.gate.release()
    session.shards?.gate.send(last, from: shard)
    session.writer.end(reason: nil)
  }

  /// All bytes of a connection went to the kernel: other shards that wait for that are notified.
  public func notifyShards(ofDrained id: ConnectionID) {
    guard let session = sessions[id], let shards = session.shards else { return }
    shards.gate.noteUnsent()
    if shards.gate.queuedBytes == 0 { session.writer.queueIsEmpty() }
    for shard in ShardSet(rawValue: session.writer.connection.takeAwaiting()).shards {
      router.send(.outputDrained(id), to: shard)
    }
  }

  /// Connections that leave for other threads. The shell detaches each one's socket, and the other thread adopts it.
  /// - Parameter detach: detaches the socket; nil when that fails, and the connection stays.
  public func takeMoves<Socket>(
    _ detach: (ConnectionID) -> Socket?, _ send: (Socket, MovingConnection, _ shard: Int) -> Void
  ) {
    guard !moves.isEmpty else { return }
    let moves = self.moves
    self.moves = []
    for (session, shard, command) in moves {
      session.isHeld = false
      guard !session.isEnded, !isDraining, let socket = detach(session.id) else {
        globalCounters.move(from: shard, to: router.shard.index)
        if session.isEnded { continue }
        session.handle(command)
        note(session)
        continue
      }
      session.writer.connection.home = shard
      let client = ClientReference(session.writer)
      send(socket, MovingConnection(client: client, command: command, input: session.takeWaitingInput()), shard)
      session.releaseCharges()
      session.writer.disconnect()
      wakes.set(session, nil)
      sessions[session.id] = nil
    }
    settle()
  }

  /// Takes in a connection that comes from another thread; its socket must be there already.
  public func takeIn(_ moved: MovingConnection) {
    let session = Session(
      moved.client.connection, output.output(of: moved.id), encoding: moved.client.encoding, in: self)
    session.writer.clientName = moved.client.name
    session.shards?.isPlaced = true
    sessions[moved.id] = session
    if let drainReason {
      session.writer.end(reason: drainReason)
    } else {
      session.handle(moved.command)
      session.takeUp(moved.input)
      wakes.set(session, session.dueWake)
    }
  }

  /// The gateway's part of the counters.
  /// - Parameter only: the connection that rows are wanted of; nil: all.
  public func addStatistics(to statistics: inout ShardStatistics, _ rows: StatisticsRows, only: ConnectionID?) {
    statistics.connections = sessions.count
    statistics.subscriptions = sessions.values.reduce(0) { $0 + $1.subscriptions.count }
    guard rows.contains(.subscribers) else { return }
    for session in sessions.values where session.subscriptions.count > 0 && (only == nil || session.id == only) {
      let home = SubscriberEntry.Home(session.writer, subscriptions: session.subscriptions.count)
      statistics.subscribers.append(SubscriberEntry(connection: session.id, headers: 0, home: home))
    }
  }
}
