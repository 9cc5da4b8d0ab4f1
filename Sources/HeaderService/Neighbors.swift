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
internal import Synchronization

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

/// What a connection's home and its guests know together: where it is, and how many of its bytes wait. Numbers that are a
/// moment old do no harm, since they only say whether to send more; the order matters in `waiting` alone.
public final class HomeLink: Sendable {
  /// The shard of the home.
  public let home: Int
  /// Bytes that guests have sent and the home has not got yet.
  private let underWayCount = Atomic<Int>(0)
  /// Bytes that the home has and the kernel has not taken.
  private let unsentCount = Atomic<Int>(0)
  /// The guests that want to know when all of it is gone, one bit a shard.
  private let waiting = Atomic<UInt64>(0)

  /// A link of a connection whose home is a shard.
  public init(home: Int) { self.home = home }

  /// Bytes that guests have sent and the home has not got yet.
  public var underWay: Int { underWayCount.load(ordering: .sequentiallyConsistent) }

  /// All bytes that wait.
  public var queued: Int { underWay + unsentCount.load(ordering: .sequentiallyConsistent) }

  /// A guest sends bytes (more), or the home got them (less).
  public func addUnderWay(_ count: Int) { underWayCount.wrappingAdd(count, ordering: .sequentiallyConsistent) }

  /// The home's queue is so long now.
  public func setUnsent(_ count: Int) { unsentCount.store(count, ordering: .sequentiallyConsistent) }

  /// A guest wants to know when nothing waits any more.
  /// - Returns: false if nothing waits now: then it knows.
  public func waits(_ shard: Int) -> Bool {
    waiting.bitwiseOr(1 << UInt64(shard), ordering: .sequentiallyConsistent)
    // Who empties the queue looks for those who wait afterwards, so one of the two sees the other.
    guard queued == 0 else { return true }
    waiting.bitwiseAnd(~(1 << UInt64(shard)), ordering: .sequentiallyConsistent)
    return false
  }

  /// When the next event would be due if they came at the limit's rate, nanoseconds.
  private let nextEvent = Atomic<Int64>(0)

  /// Takes one of so many events a second, which the home and its guests share; as many are saved up at most.
  /// - Returns: nil when there was one, else the seconds until there is.
  func takeRate(_ perSecond: Int, at now: Int64) -> Double? {
    let step = Int64((1e9 / Double(perSecond)).rounded())
    var due = nextEvent.load(ordering: .relaxed)
    while true {
      let next = max(due, now) + step
      let excess = next - now - 1_000_000_000
      if excess > 0 { return Double(excess) / 1e9 }
      let (exchanged, present) = nextEvent.compareExchange(expected: due, desired: next, ordering: .relaxed)
      if exchanged { return nil }
      due = present
    }
  }

  /// The guests that wait, which wait no more.
  public func takeWaiting() -> UInt64 {
    waiting.load(ordering: .sequentiallyConsistent) == 0
      ? 0 : waiting.exchange(0, ordering: .sequentiallyConsistent)
  }
}

/// The counts whose limits hold for all services together.
public final class CommonCounts: Sendable {
  private let connectionCount = Atomic<Int>(0)
  private let headerCount = Atomic<Int>(0)
  private let traceCount = Atomic<Int>(0)

  /// Nothing yet.
  public init() {}

  /// Counts a connection.
  /// - Returns: how many there were before it.
  func connected() -> Int { connectionCount.wrappingAdd(1, ordering: .relaxed).oldValue }
  func disconnected() { connectionCount.wrappingSubtract(1, ordering: .relaxed) }

  var headers: Int { headerCount.load(ordering: .relaxed) }
  /// Counts a header, unless there are so many; false then.
  func takeHeader(atMost limit: Int) -> Bool { Self.take(headerCount, limit) }
  func giveHeader() { headerCount.wrappingSubtract(1, ordering: .relaxed) }

  var traces: Int { traceCount.load(ordering: .relaxed) }
  func takeTrace(atMost limit: Int) -> Bool { Self.take(traceCount, limit) }
  func giveTrace() { traceCount.wrappingSubtract(1, ordering: .relaxed) }

  private static func take(_ count: borrowing Atomic<Int>, _ limit: Int) -> Bool {
    guard count.wrappingAdd(1, ordering: .relaxed).oldValue < limit else {
      count.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    return true
  }
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
    case .drained(let id):
      sessions[id]?.drained()
      if let guest = sessions[id], guest.isOwed { behind.append(guest) }
    case .ended(let id): guestEnds(id)
    case .done(let id, let messages, let bytes): sessions[id]?.guestsDid(messages, bytes)
    case .ticketDone(let id, let ticket): sessions[id]?.closeTicket(ticket)
    }
    clearEnded()
  }

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

  /// Lets guests that are behind go on as soon as their connections take more; to be called at the end of each turn, when
  /// what guests sent is on its way.
  public func waitForHomes() {
    guard let neighbors, !behind.isEmpty else { return }
    let guests = behind
    behind.removeAll()
    for guest in guests where !guest.isEnded && guest.abroad?.link.waits(neighbors.shard.index) == false {
      // All of it has gone meanwhile.
      neighbors.switchboard.send(.drained(guest.id), to: neighbors.shard.index)
    }
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
