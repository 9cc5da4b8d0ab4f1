// SPDX-License-Identifier: MIT
//
// The sockets behind one thread's connections.

internal import EventLoop
internal import Fanout
internal import Gateway

/// The sockets behind a thread's connections.
final class ConnectionTable: ServiceOutput {
  private var connections: [ConnectionID: Connection] = [:]
  private var retired: [Connection] = []

  var isEmpty: Bool { connections.isEmpty }

  func add(_ connection: Connection) { connections[connection.id] = connection }

  subscript(id: ConnectionID) -> Connection? { connections[id] }

  /// Removes a connection. It is released after this turn, since its stream may be calling just now.
  func retire(_ id: ConnectionID) {
    if let connection = connections.removeValue(forKey: id) { retired.append(connection) }
  }

  func updateReading(of id: ConnectionID) { connections[id]?.updateReading() }

  func clearRetired() { if !retired.isEmpty { retired.removeAll() } }

  func closeAll() {
    for connection in connections.values { connection.close() }
    connections = [:]
    retired = []
  }

  // MARK: - For the service

  func close(_ connection: ConnectionID) { connections[connection]?.closeWhenWritten() }

  func output(of connection: ConnectionID) -> any Outbox {
    guard let output = connections[connection] else {
      preconditionFailure("headerd bug: the service knows a connection that has no socket")
    }
    return output
  }
}
