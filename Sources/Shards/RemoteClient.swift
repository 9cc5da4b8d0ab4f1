// SPDX-License-Identifier: MIT
//
// A connection whose socket another thread has. Its bytes are gathered here and go to its home once a turn, and before any other message
// that concerns it.

internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import HeaderWire

/// A connection of another shard, in this one.
final class RemoteClient: Outbox, CommandOrigin, ClientWriterOwner {
  let connection: SharedConnection
  private unowned let server: ShardServer
  private(set) var client: Client!
  private var bytes: [UInt8] = []
  private var isDue = false
  private var awaitsDrained = false

  init(_ reference: ClientReference, in server: ShardServer) {
    connection = reference.connection
    self.server = server
    let writer = ClientWriter(connection, WeakOutbox(self), encoding: reference.encoding, context: server.context)
    writer.clientName = reference.name
    writer.owner = self
    client = server.host.connect(writer, origin: self)
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
    server.noteOutput(of: self)
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

/// The writer's way to a client that has the writer.
private final class WeakOutbox: Outbox {
  private weak var remote: RemoteClient?

  init(_ remote: RemoteClient) { self.remote = remote }

  func send(_ bytes: RawSpan) { remote?.send(bytes) }
  var queuedBytes: Int { remote?.queuedBytes ?? 0 }
  func notifyWhenDrained() { remote?.notifyWhenDrained() }
}
