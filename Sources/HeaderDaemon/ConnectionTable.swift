// SPDX-License-Identifier: MIT
//
// The sockets behind one service's connections; and where several services share the headers, the ways of its guests to
// the sockets that belong to other threads.

internal import EventLoop
internal import HeaderService

/// The sockets behind a service's connections.
final class ConnectionTable: ServiceOutput {
  private var connections: [ConnectionID: Connection] = [:]
  private var retired: [Connection] = []
  private var guests: [ConnectionID: GuestOutput] = [:]
  /// Guests that have sent something in this turn.
  private var dueGuests: [GuestOutput] = []
  /// Guests that want to know when all that was sent is gone.
  private var awaitingGuests: [GuestOutput] = []

  var isEmpty: Bool { connections.isEmpty }

  func add(_ connection: Connection) { connections[connection.id] = connection }

  subscript(id: ConnectionID) -> Connection? { connections[id] }

  func retire(_ id: ConnectionID) {
    if let connection = connections.removeValue(forKey: id) { retired.append(connection) }
  }

  func readAgain(_ id: ConnectionID) { connections[id]?.updateReading() }

  func clearRetired() { if !retired.isEmpty { retired.removeAll() } }

  func closeAll() {
    for connection in connections.values { connection.close() }
    connections = [:]
    retired = []
  }

  // MARK: - Guests

  func addGuest(_ id: ConnectionID, _ link: HomeLink) -> GuestOutput {
    let output = GuestOutput(id, link, self)
    guests[id] = output
    return output
  }

  func removeGuest(_ id: ConnectionID) { guests[id] = nil }

  func isDue(_ guest: GuestOutput) { dueGuests.append(guest) }

  /// What guests have sent since the last time.
  func takeGuestBytes(_ take: (GuestBytes, _ home: Int) -> Void) {
    guard !dueGuests.isEmpty else { return }
    for guest in dueGuests { take(guest.takeBytes(), guest.link.home) }
    dueGuests.removeAll(keepingCapacity: true)
  }

  func awaits(_ guest: GuestOutput) { awaitingGuests.append(guest) }

  /// Has those guests told by their homes; to be called when what they sent is on its way.
  /// - Parameter gone: told of those whose bytes are all gone already.
  func waitForHomes(_ shard: Int, gone: (ConnectionID) -> Void) {
    guard !awaitingGuests.isEmpty else { return }
    for guest in awaitingGuests where !guest.waits(shard) { gone(guest.id) }
    awaitingGuests.removeAll(keepingCapacity: true)
  }

  // MARK: - For the service

  func send(_ bytes: RawSpan, to connection: ConnectionID) { connections[connection]?.send(bytes) }
  func queuedBytes(of connection: ConnectionID) -> Int { connections[connection]?.queuedBytes ?? 0 }
  func close(_ connection: ConnectionID) {
    if let guest = guests[connection] { guest.close() } else { connections[connection]?.closeWhenWritten() }
  }
  func output(of connection: ConnectionID) -> any ConnectionOutput {
    guard let output = connections[connection] else {
      preconditionFailure("headerd bug: the service is told of a connection before the connections are")
    }
    return output.link.map { SharedOutput(output, $0) } ?? output
  }
}

/// The output of a connection that guests at other threads send to as well.
private final class SharedOutput: ConnectionOutput {
  /// Kept as long as the session is, which may outlive the socket while something that it sent waits.
  private let connection: Connection
  private let link: HomeLink

  init(_ connection: Connection, _ link: HomeLink) {
    self.connection = connection
    self.link = link
  }

  func send(_ bytes: RawSpan) { connection.send(bytes) }
  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    hasRoom(for: bytes.byteCount, within: bound) && connection.offer(bytes, lentBy: owner, within: .max)
  }
  func tellWhenDrained() { connection.tellWhenDrained() }
  var queuedBytes: Int { connection.queuedBytes + link.underWay }
}

/// Bytes that a guest sends to its home in one turn.
struct GuestBytes: Sendable {
  let connection: ConnectionID
  let bytes: [UInt8]
  /// The connection ends behind them.
  let closes: Bool
}

/// Gathers what a guest sends, until the end of the turn.
final class GuestOutput: ConnectionOutput {
  let id: ConnectionID
  let link: HomeLink
  private unowned let connections: ConnectionTable
  private var bytes: [UInt8] = []
  private var closes = false
  private var isDue = false
  private var isAwaiting = false

  init(_ id: ConnectionID, _ link: HomeLink, _ connections: ConnectionTable) {
    self.id = id
    self.link = link
    self.connections = connections
  }

  func send(_ span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    becomeDue()
  }

  var queuedBytes: Int { bytes.count + link.queued }

  func tellWhenDrained() {
    guard !isAwaiting else { return }
    isAwaiting = true
    connections.awaits(self)
  }

  /// - Returns: false if nothing is left to wait for.
  func waits(_ shard: Int) -> Bool {
    isAwaiting = false
    return link.waits(shard)
  }

  func close() {
    closes = true
    becomeDue()
  }

  private func becomeDue() {
    if isDue { return }
    isDue = true
    connections.isDue(self)
  }

  /// What it has gathered, on its way from here on.
  func takeBytes() -> GuestBytes {
    isDue = false
    link.addUnderWay(bytes.count)
    let taken = GuestBytes(connection: id, bytes: bytes, closes: closes)
    bytes = []
    return taken
  }
}
