// SPDX-License-Identifier: MIT
//
// Messages from other bridges, and from any client of NATS, for this node's headers, and the answers to them.

internal import HeaderModel
internal import HeaderWire
internal import Realm

extension RealmBridge {
  static let clientName = "Headerd-Client"
  static let status = "Headerd-Status"
  static let addressee = "Headerd-To"
  private static let detail = "Headerd-Detail"

  /// Handles a message for a header of this node, from another bridge's client or from any client of NATS.
  func receivedForHeader(_ message: BusMessage, _ header: String) {
    guard message.bytes.count <= ClientSession.maxLineBytes, !message.bytes.contains(0x0A) else { return }
    if let reply = message.reply, !subjects.mayAnswer(reply, below: settings.replies) {
      return complain(
        "replyRefused",
        [("subject", message.subject), ("reply", reply), ("permitted", settings.replies.joined(separator: " "))])
    }
    let command = unsafe message.bytes.withUnsafeBytes { unsafe Command(line: $0) }
    // Any client of NATS may send here, so a line for another header is refused.
    guard command.headerName == header else {
      return refuse(message, command, HeaderError(.invalidRequest, "the subject and the line name different headers"))
    }
    // A sender that addresses another node has read another version of the owner table.
    if let node = message.headers[Self.addressee], node != settings.node.text { return }
    // Who may send to one header's subject may do nothing else at its daemon.
    if let refusal = command.refusal { return refuse(message, command, refusal) }
    guard command.isForOneHeader else {
      return refuse(message, command, HeaderError(.invalidRequest, "this method is not for one header alone"))
    }
    let client = client(of: message)
    guard ownership.isOwned(header) else { return sayRemotely(message.bytes, to: client, status: "moved") }
    client.send(message.bytes, command, header)
  }

  private func refuse(_ message: BusMessage, _ command: Command, _ error: HeaderError) {
    guard let reply = message.reply else { return }
    let id: RequestID? = if case .request(let id) = command.address { id } else { nil }
    bus.publish(error.line(for: id), to: reply, reply: nil, headers: [])
  }

  /// The connection to the daemon for a message's sender.
  private func client(of message: BusMessage) -> RemoteClient {
    // Where the sender is no bridge's client, an answer goes to the reply subject.
    sender(of: message).map { remoteClient($0.key, $0.node, reply: nil) } ?? remoteClient("", nil, reply: message.reply)
  }

  /// The bridge's client that a message is from, or for.
  private func sender(of message: BusMessage) -> (key: String, node: NodeName, number: Int)? {
    guard let key = message.headers[Self.clientName] else { return nil }
    let parts = key.split(separator: "/").map(String.init)
    guard parts.count == 2, let node = NodeName(parts[0]), let number = Int(parts[1]) else { return nil }
    return (key, node, number)
  }

  private func remoteClient(_ key: String, _ node: NodeName?, reply: String?) -> RemoteClient {
    if let client = remoteClients[key] {
      client.reply = reply
      return client
    }
    let client = RemoteClient(key, node, self)
    client.reply = reply
    remoteClients[key] = client
    return client
  }

  /// Handles a message for this node: answers for its clients, and openings.
  func receivedByNode(_ message: BusMessage) {
    guard let (key, node, number) = sender(of: message) else { return }
    switch message.headers[Self.status] {
    case "open":
      let command = unsafe message.bytes.withUnsafeBytes { unsafe Command(line: $0) }
      guard let header = command.headerName else { return }
      let client = remoteClient(key, node, reply: nil)
      if let refusal = refusalToOpen(header), case .request(let id) = command.address {
        return sayRemotely(refusal.line(for: id), to: client)
      }
      client.send(ClientSession.opening(message.bytes, after: floor(of: header)), command, header)
    case "end":
      remoteClients.removeValue(forKey: key)?.end()
    case "watch", "unwatch", "state": receivedDetail(message, node)
    case "moved": if node == settings.node { sessions[number]?.sentBack(message.bytes) }
    default: if node == settings.node { sessions[number]?.said(remotely: message.bytes) }
    }
  }

  /// Of another node, which wants states of a header here with more, or sends them.
  private func receivedDetail(_ message: BusMessage, _ node: NodeName) {
    guard let detail = message.headers[Self.detail].flatMap({ StateDetail(rawValue: $0) }) else { return }
    let header = { String(decoding: message.bytes, as: UTF8.self) }
    let key = DetailWatch.Key(node: node, detail: detail)
    switch message.headers[Self.status] {
    case "watch": if ownership.isOwned(header()) { watch(key).watch(header(), at: now) }
    case "unwatch": watches[key]?.unwatch(header())
    default: feed.received(message.bytes, detail)
    }
  }

  private func watch(_ key: DetailWatch.Key) -> DetailWatch {
    if let watch = watches[key] { return watch }
    let watch = DetailWatch(key.detail, self) { [unowned self] line in
      tell(key.node, line, client: name(ofClient: 0), "state", key.detail)
    }
    watches[key] = watch
    return watch
  }

  /// Sends a node what concerns a client, of that node or of this one.
  func tell(_ node: NodeName, _ line: [UInt8], client: String, _ status: String?, _ detail: StateDetail? = nil) {
    var headers = [(name: Self.clientName, value: client)]
    if let status { headers.append((Self.status, status)) }
    if let detail { headers.append((Self.detail, detail.rawValue)) }
    bus.publish(line, to: subjects.subject(.node, node: node), reply: nil, headers: headers)
  }

  /// A client of this node, as other nodes know it; 0 is the node itself.
  func name(ofClient number: Int) -> String { "\(settings.node.text)/\(number)" }

  func sayRemotely(_ line: [UInt8], to client: RemoteClient, status: String? = nil) {
    if let node = client.node {
      tell(node, line, client: client.key, status)
    } else if let reply = client.takeReply(for: line) {
      bus.publish(reply.line, to: reply.subject, reply: nil, headers: [])
    }
  }

  func remoteClientIsGone(_ client: RemoteClient) {
    held[ObjectIdentifier(client.tunnel)] = nil
    if remoteClients[client.key] === client { remoteClients[client.key] = nil }
  }
}

// MARK: - States with more

extension RealmBridge {
  /// Asks a header's owner for its states with a detail, for some seconds.
  func watch(_ header: String, _ detail: StateDetail) { ask("watch", header, detail) }
  func unwatch(_ header: String, _ detail: StateDetail) { ask("unwatch", header, detail) }

  private func ask(_ status: String, _ header: String, _ detail: StateDetail) {
    guard let owner = ownership.owner(of: header), owner != settings.node else { return }
    tell(owner, Array(header.utf8), client: name(ofClient: 0), status, detail)
  }
}
