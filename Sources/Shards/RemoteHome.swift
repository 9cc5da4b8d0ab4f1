// SPDX-License-Identifier: MIT
//
// The way to a connection whose socket another thread has. Its bytes are gathered here and go to its home once a turn, and before any other
// message that concerns it.

internal import Fanout
internal import HeaderHost

/// The home of a connection, for this shard. The connection's writer keeps it.
final class RemoteHome: Outbox, CommandOrigin, ClientWriterOwner {
  let connection: SharedConnection
  private unowned let server: ShardServer
  private var bytes: [UInt8] = []
  private var isDue = false
  private var awaitsDrained = false

  init(of connection: SharedConnection, for server: ShardServer) {
    self.connection = connection
    self.server = server
  }

  // MARK: - Output

  func send(_ span: RawSpan) {
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    becomeDue()
  }

  var queuedBytes: Int { bytes.count + connection.queuedBytes }

  func notifyWhenDrained() {
    awaitsDrained = true
    becomeDue()
  }

  private func becomeDue() {
    if isDue { return }
    isDue = true
    server.noteOutput(for: self)
  }

  /// Sends what was gathered to the home.
  func flush() {
    guard !bytes.isEmpty else { return }
    connection.addInTransit(bytes.count)
    server.router.send(.output(connection.id, bytes, from: server.router.shard.index), to: connection.home)
    bytes = []
  }

  /// The turn ends.
  /// - Returns: false if it wants to be notified of an empty queue, which is empty already.
  func endTurn() -> Bool {
    isDue = false
    flush()
    guard awaitsDrained else { return true }
    awaitsDrained = false
    return connection.awaitDrained(server.router.shard.index)
  }

  // MARK: - Its home

  func commandIsDone(slot: Int) { notifyHome(.done(connection.id, slot: slot)) }

  func writerWillEnd() { flush() }

  /// The last bytes, which say why, go with the message, so that nothing of the home comes between.
  func writerEnded() {
    let last = bytes
    bytes = []
    connection.addInTransit(last.count)
    server.router.send(.ended(connection.id, last, from: server.router.shard.index), to: connection.home)
  }

  /// Sends something to the home, behind all bytes before it.
  func notifyHome(_ message: ShardMessage) {
    flush()
    server.router.send(message, to: connection.home)
  }
}
