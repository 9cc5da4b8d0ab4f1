// SPDX-License-Identifier: MIT
//
// A client of another bridge, or any client of NATS, as this node's daemon sees it: a connection of its own.

internal import HeaderModel
internal import HeaderWire
internal import Realm

final class RemoteClient {
  /// NODE/NUMBER; empty for a client that is not behind a bridge.
  let key: String
  /// The node of the client's bridge; nil: an answer goes to its request's reply subject.
  let node: NodeName?
  private unowned let bridge: RealmBridge
  private(set) lazy var tunnel = Tunnel(bridge, owner: self, isLocal: false)
  /// The reply subject of the message under way.
  var reply: String?
  private var replies: [[UInt8]: (subject: String, id: [UInt8])] = [:]
  private var lastRequest = 0

  private static let maxReplies = 65_536

  init(_ key: String, _ node: NodeName?, _ bridge: RealmBridge) {
    (self.key, self.node, self.bridge) = (key, node, bridge)
    // It connects at once.
    _ = tunnel
  }

  func send(_ line: [UInt8], _ command: Command, _ header: String) {
    guard case .request(let id) = command.address else { return tunnel.send(line) }
    let sent = node == nil ? numbered(line, id.bytes) : (line: line, id: id.bytes)
    guard !command.isReading else { return tunnel.send(sent.line) }
    tunnel.send(sent.line, request: (sent.id, header, command.method == .headerClose))
  }

  /// Requests of several senders may have the same id: each gets one of its own here.
  private func numbered(_ line: [UInt8], _ id: [UInt8]) -> (line: [UInt8], id: [UInt8]) {
    guard let reply, replies.count < Self.maxReplies, case .record(var message)? = json(line) else {
      return (line, id)
    }
    lastRequest += 1
    let number = Array(String(lastRequest).utf8)
    replies[number] = (reply, id)
    message["id"] = .number(Double(lastRequest))
    return (Value.record(message).jsonBytes, number)
  }

  /// Where an answer goes, and the answer with the sender's own id.
  func takeReply(for line: [UInt8]) -> (subject: String, line: [UInt8])? {
    guard case .answer(let number) = DaemonLine(line), let reply = replies.removeValue(forKey: number) else {
      return nil
    }
    let start = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    return (reply.subject, start + reply.id + line.dropFirst(start.count + number.count))
  }

  func end() {
    bridge.remoteClientIsGone(self)
    tunnel.close()
  }
}

extension RemoteClient: TunnelOwner {
  func tunnel(said line: [UInt8]) { bridge.sayRemotely(line, to: self) }
  func tunnelIsGone() { bridge.remoteClientIsGone(self) }
}
