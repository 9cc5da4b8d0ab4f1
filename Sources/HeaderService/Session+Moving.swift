// SPDX-License-Identifier: MIT
//
// A connection moves to the thread of its header. Where a connection has its home is at first a matter of whose turn it
// was; most connections then deal with one header alone, and where that is at another thread, each event and each state
// would go from one thread to another. So the first message that belongs elsewhere takes the whole connection along: the
// socket and the few things that a session knows by then.
//
//     home ──message for a header at another shard, nothing else under way──▶ Move ──▶ the shell hands the socket over
//
// It stays, and gets a guest there, when it already has something here, when what was written to it is not gone yet, or
// when the other thread has more than its part of the connections: a crowd around one header is better served by all.

internal import HeaderCore
internal import HeaderWire

/// A connection on its way to another service.
public struct MovingConnection: Sendable {
  /// Its number, which it keeps.
  public let id: ConnectionID
  let peer: Peer
  let encoding: Encoding
  let clientName: String?
  let loggedErrors: Set<ErrorName>
  /// The message that belongs there, and the bytes behind it.
  let message: LaterMessage.Content
  let input: [UInt8]
  fileprivate let link: HomeLink
}

extension Session {
  /// Whether it may leave for another service.
  private var isFootloose: Bool {
    guard let abroad, !abroad.isGuest, abroad.guests == 0, service.serving == nil, !service.isDraining else {
      return false
    }
    return subscriptions.isEmpty && opened.isEmpty && bindings.isEmpty && delegates.isEmpty && recorders.isEmpty
      && openTickets.isEmpty && asked.isEmpty && queuedBytes == 0
  }

  /// Leaves for another shard, with the message at hand; the shell does it at the end of the turn.
  /// - Returns: false when it stays.
  func moves(to shard: Int, with content: LaterMessage.Content) -> Bool {
    guard isFootloose, let neighbors = service.neighbors,
      neighbors.counts.moves(from: neighbors.shard.index, to: shard)
    else { return false }
    // Nothing behind it is looked at, and the end of its input waits.
    _ = openTicket()
    deferredBytes += Self.heldWeight
    neighbors.moves.append((self, shard, content))
    return true
  }

  /// What goes along.
  fileprivate func packed(_ content: LaterMessage.Content, _ link: HomeLink) -> MovingConnection {
    MovingConnection(
      id: id, peer: peer, encoding: encoding, clientName: clientName, loggedErrors: loggedErrors, message: content,
      input: takeWaitingInput(), link: link)
  }

  /// Stays after all: the message goes to a guest.
  fileprivate func stays(_ content: LaterMessage.Content, _ shard: Int) {
    deferredBytes -= Self.heldWeight
    forward(content, to: shard)
    closeTicket(lastTicket)
    service.freedSessions.append(self)
  }
}

extension Service {
  /// Connections that leave for other services. The shell takes each one's socket away and has it taken in there.
  /// - Parameter detach: takes the socket away; nil when it cannot be.
  public func takeMoves<Socket>(
    _ detach: (ConnectionID) -> Socket?, _ send: (Socket, MovingConnection, _ shard: Int) -> Void
  ) {
    guard let neighbors, !neighbors.moves.isEmpty else { return }
    let moves = neighbors.moves
    neighbors.moves = []
    for (session, shard, content) in moves {
      guard !session.isEnded, let link = session.abroad?.link, let socket = detach(session.id) else {
        neighbors.counts.moved(from: shard, to: neighbors.shard.index)
        if !session.isEnded { session.stays(content, shard) }
        continue
      }
      send(socket, session.packed(content, HomeLink(home: shard, after: link)), shard)
      session.leaves()
      sleeps(session)
      sessions[session.id] = nil
    }
    clearEnded()
  }

  /// What its guests will know of a connection that comes from another service.
  public func link(of connection: MovingConnection) -> HomeLink { connection.link }

  /// Takes in a connection that comes from another service; its socket must be in the connection table already.
  public func takeIn(_ moved: MovingConnection, at time: Int64) {
    advance(to: time)
    let session = Session(id: moved.id, peer: moved.peer, service: self, speaking: moved.encoding)
    session.abroad = Abroad(moved.link, isGuest: false)
    session.clientName = moved.clientName
    sessions[moved.id] = session
    if let drainReason {
      session.end(reason: drainReason)
    } else {
      session.comes(with: moved.loggedErrors)
      session.handle(moved.message)
      session.takeUp(moved.input)
      wakes(session)
    }
    clearEnded()
  }
}
