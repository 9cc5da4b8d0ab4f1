// SPDX-License-Identifier: MIT
//
// Several services that share the headers, each on a thread of its own (Shard.swift). A connection has its home at one of
// them: there its bytes are read, cut into messages and written. What it asks of a header elsewhere is handed on, and
// handled there by its *guest*, a session of the same connection whose bytes come back through the home.
//
//                       home's thread                              the header's thread
//     bytes ─▶ Session ─▶ header is not here ──Errand.message──▶ guest Session ─▶ HeaderEntry ─▶ Header
//     bytes ◀── socket ◀────────────────────────bytes, Errand.done────┘
//
// What concerns more than one shard (`subscribe`, `header.list`, `stats`, `plugin.*`; `ping` behind what is under way) is
// rare. Such a message is held until the shell has brought all other threads to a stand (`performHeld`), and is then done
// by one thread in all services at once. So a service never meets another thread: either it is its own thread that works
// on it, or its thread stands still.
//
// A service alone has no neighbors, and nothing of this costs it anything.

internal import HeaderWire

/// What services on different threads send each other; in order from one to another.
public enum Errand: Sendable {
  /// To a guest: a message of its connection.
  case message(ForwardedMessage)
  /// To a guest: all that it sent has gone to the kernel.
  case drained(ConnectionID)
  /// To a guest: its connection is over.
  case ended(ConnectionID)
  /// To a home: so many messages that were handed on, of so many bytes, are done.
  case done(ConnectionID, messages: Int, bytes: Int)
  /// To a home: what a ticket there stands for is done here.
  case ticketDone(ConnectionID, ticket: Int)
}

/// A message on its way to its header.
public struct ForwardedMessage: Sendable {
  let connection: ConnectionID
  let peer: Peer
  let link: HomeLink
  let encoding: Encoding
  let clientName: String?
  let content: LaterMessage.Content
}

/// The shell around a service that has neighbors.
public protocol Switchboard: AnyObject {
  /// Takes an errand to another service, behind those before it and behind the bytes of guests that were sent before.
  func send(_ errand: Errand, to shard: Int)
  /// Where a guest's bytes go: to its connection's home.
  func guestOutput(of connection: ConnectionID, _ link: HomeLink) -> any ConnectionOutput
  /// A guest is gone.
  func guestLeft(_ connection: ConnectionID)
}

/// What a service knows of those it shares the headers with.
public final class Neighbors {
  let shard: Shard
  let counts: CommonCounts
  unowned let switchboard: any Switchboard
  private let all: () -> [Service]
  /// Messages that concern all services.
  var held: [LaterMessage] = []
  /// Connections that leave for other services with a message.
  var moves: [(session: Session, shard: Int, message: LaterMessage.Content)] = []
  /// All other threads stand still.
  fileprivate(set) var areStill = false

  /// - Parameters:
  ///   - all: the services by shard, asked for only while all but one thread stand still.
  public init(
    _ shard: Shard, counts: CommonCounts, switchboard: any Switchboard, all: @escaping () -> [Service]
  ) {
    self.shard = shard
    self.counts = counts
    self.switchboard = switchboard
    self.all = all
  }

  /// All services, this one too; only while their threads stand still.
  var services: [Service] {
    precondition(areStill, "headerd bug: the neighbors are looked at while they work")
    return all()
  }
}

extension Service {
  /// All services that share the headers; alone, it itself. Not while other threads work.
  var everyone: [Service] { neighbors?.services ?? [self] }

  /// Does something with all services, whose threads stand still.
  public func withNeighborsStill<Result, Failure: Error>(
    at time: Int64, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let neighbors else { return try body() }
    neighbors.areStill = true
    let all = everyone
    for service in all { service.advance(to: time) }
    defer {
      // Input that goes on now is handled as ever: what it hands on is not done before somebody else works.
      neighbors.areStill = false
      for service in all { service.clearEnded() }
    }
    return try body()
  }

  /// Whether messages wait for the neighbors to stand still.
  public var holdsMessages: Bool { neighbors?.held.isEmpty == false }

  /// Handles the messages that concern all services. Their threads must stand still, and nothing may be under way
  /// between them.
  public func performHeld(at time: Int64) {
    withNeighborsStill(at: time) {
      while let message = neighbors?.held.first {
        neighbors?.held.removeFirst()
        performHeld(message)
      }
    }
  }

  private func performHeld(_ message: LaterMessage) {
    let session = message.session
    session.deferredBytes -= Session.heldWeight
    if session.isEnded {
      session.closeTicket(message.ticket)
    } else if message.isCleared || !session.waitsForGuests(before: message) {
      message.isCleared = true
      serve(message)
    }
    freedSessions.append(session)
  }

  /// Takes what a neighbor sent. Call `clearEnded` after the last of several.
  public func take(_ errand: Errand, at time: Int64) {
    advance(to: time)
    switch errand {
    case .message(let message):
      let guest = guest(message.connection, message.peer, message.link, message.encoding, message.clientName)
      guest.handleForwarded(message.content)
    case .drained(let id): sessions[id]?.drained()
    case .ended(let id): guestEnds(id)
    case .done(let id, let messages, let bytes): sender(id)?.guestsDid(messages, bytes)
    case .ticketDone(let id, let ticket): sender(id)?.closeTicket(ticket)
    }
    clearEnded()
  }

  /// Whose messages guests at neighbors still have, though its connection may be gone.
  private func sender(_ id: ConnectionID) -> Session? { sessions[id] ?? departed[id] }

  /// The guest here of a connection whose home is elsewhere.
  func guest(
    _ id: ConnectionID, _ peer: Peer, _ link: HomeLink, _ encoding: Encoding, _ clientName: String?
  ) -> Session {
    if let present = sessions[id] { return present }
    guard let neighbors else { preconditionFailure("headerd bug: a service alone has no guests") }
    let output = neighbors.switchboard.guestOutput(of: id, link)
    let guest = Session(id: id, peer: peer, service: self, output: output, speaking: encoding)
    guest.abroad = Abroad(link, isGuest: true)
    guest.clientName = clientName
    sessions[id] = guest
    return guest
  }

  private func guestEnds(_ id: ConnectionID) {
    guard let guest = sessions[id] else { return }
    guest.vanished()
    clearEnded()
    sessions[id] = nil
    neighbors?.switchboard.guestLeft(id)
  }

  /// All bytes of a connection whose home is here went to the kernel; guests that wait for that are told.
  public func tellDrained(_ id: ConnectionID, _ link: HomeLink) {
    let waiting = link.takeWaiting()
    guard waiting != 0, let neighbors else { return }
    for shard in 0..<neighbors.shard.count where waiting & (1 << UInt64(shard)) != 0 {
      neighbors.switchboard.send(.drained(id), to: shard)
    }
  }

  /// Bytes of a guest went out at its home here.
  public func passedOn(_ id: ConnectionID, at time: Int64) {
    advance(to: time)
    sessions[id]?.passedOn()
  }

  /// A guest ends the connection: it has said why.
  public func endedByGuest(_ id: ConnectionID) {
    sessions[id]?.end(reason: nil)
    clearEnded()
  }

  /// What guests did since the last time, told to their homes; to be called at the end of each turn.
  public func reportToHomes() {
    guard let neighbors, !reporting.isEmpty else { return }
    for guest in reporting {
      guard let abroad = guest.abroad else { continue }
      if abroad.doneMessages > 0 {
        neighbors.switchboard.send(
          .done(guest.id, messages: abroad.doneMessages, bytes: abroad.doneBytes), to: abroad.link.home)
      }
      (abroad.doneMessages, abroad.doneBytes, abroad.isReporting) = (0, 0, false)
    }
    reporting.removeAll(keepingCapacity: true)
  }
}
