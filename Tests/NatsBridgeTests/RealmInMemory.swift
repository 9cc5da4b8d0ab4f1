// SPDX-License-Identifier: MIT
//
// An in-memory realm: bridges, each with its daemon, connected to one NATS server, driven by a manual clock.

import Clocks
import HeaderModel
import HeaderService
import HeaderWire
import NatsBridge
import Realm
import ServiceTestKit

/// A bridge's connection to its daemon.
final class DaemonStream: LineStream {
  let client: TestClient
  private(set) weak var owner: (any DaemonOwner)?
  private var written: [UInt8] = []

  init(_ client: TestClient, _ owner: any DaemonOwner) { (self.client, self.owner) = (client, owner) }

  func write(_ bytes: [UInt8]) { written += bytes }
  var queuedBytes: Int { 0 }
  func setReading(_ isOn: Bool) {}

  func close() {
    guard owner != nil else { return }
    owner = nil
    client.hangUp()
  }

  /// Passes pending bytes to the daemon and its output to the bridge.
  /// - Returns: false if there was nothing to pass on.
  func exchange() -> Bool {
    guard let owner else { return false }
    let bytes = written
    written = []
    let lines = bytes.isEmpty ? client.received() : client.send(bytes)
    for line in lines { owner.received(Array(line.utf8)) }
    return !bytes.isEmpty || !lines.isEmpty
  }
}

/// A client of a bridge.
final class RealmClient: LineStream {
  private(set) var bytes: [UInt8] = []
  private(set) var isClosed = false
  private var cursor = 0
  fileprivate(set) var session: ClientSession?
  private unowned let realm: RealmInMemory

  init(_ realm: RealmInMemory) { self.realm = realm }

  func write(_ bytes: [UInt8]) { self.bytes += bytes }
  var queuedBytes: Int { 0 }
  func setReading(_ isOn: Bool) {}

  func close() {
    isClosed = true
    session = nil
  }

  /// Sends a line, delivers all pending messages, and returns the lines received since the last call.
  @discardableResult func send(_ line: String) -> [String] {
    send(Array((line + "\n").utf8))
    return received()
  }

  func send(_ bytes: [UInt8]) {
    session?.received(unsafe bytes.span.bytes, at: realm.now)
    realm.settle()
  }

  /// Lines received since the last call.
  func received() -> [String] {
    let lines = bytes[cursor...].split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    cursor = bytes.count
    return lines
  }
}

/// A daemon and its bridge.
final class RealmNode: BridgeHost {
  let name: String
  let daemon: TestDaemon
  let bus: BusInMemory
  let logBus: BusInMemory
  private(set) var bridge: RealmBridge?
  private(set) var log: [String] = []
  private(set) var failure: String?
  private var streams: [DaemonStream] = []

  init(
    _ name: String, process: String, _ server: NatsInMemory, at now: MonotonicTime,
    _ adjust: (inout BridgeSettings) -> Void
  ) {
    self.name = name
    // Each header takes one recording, and two while its recording is restarted.
    daemon = TestDaemon { $0.limits.traces = 64 }
    daemon.clock = now
    (bus, logBus) = (BusInMemory(server), BusInMemory(server))
    guard let node = NodeName(name), let subjects = Subjects(realm: "test") else {
      preconditionFailure("\"\(name)\" is a name")
    }
    var settings = BridgeSettings(node: node, process: process, subjects: subjects)
    adjust(&settings)
    bridge = RealmBridge(settings, bus: bus, logBus: logBus, host: self, at: now)
  }

  func connectDaemon(_ owner: any DaemonOwner) -> any LineStream {
    let stream = DaemonStream(daemon.connect(), owner)
    streams.append(stream)
    return stream
  }

  func log(_ event: String, _ facts: [(key: String, value: String)]) {
    log.append(([event] + facts.map { "\($0.key)=\($0.value)" }).joined(separator: " "))
  }

  func fail(_ reason: String) { failure = reason }

  fileprivate func exchange() -> Bool {
    streams.removeAll { $0.owner == nil }
    return streams.reduce(false) { $1.exchange() || $0 }
  }

  /// Ends the bridge and its daemon without a farewell.
  func crash() {
    bridge = nil
    streams = []
    for connection in [bus, logBus] {
      connection.isCut = true
      connection.server.removeAll(of: connection)
    }
  }

  /// Whether its log has an event.
  func hasLogged(_ event: String) -> Bool { log.contains { $0 == event || $0.hasPrefix(event + " ") } }
}

/// All nodes, the server and the clock.
final class RealmInMemory {
  let server = NatsInMemory()
  private(set) var nodes: [RealmNode] = []
  private(set) var now: MonotonicTime = 81_250_000_000

  /// Starts nodes and waits until they see each other.
  init(_ names: [String] = ["a", "b", "c"], _ adjust: (inout BridgeSettings) -> Void = { _ in }) {
    for name in names { add(name, adjust) }
    pass(4)
  }

  @discardableResult func add(
    _ name: String, process: String = "1", _ adjust: (inout BridgeSettings) -> Void = { _ in }
  ) -> RealmNode {
    let node = RealmNode(name, process: process, server, at: now, adjust)
    nodes.append(node)
    node.bridge?.tick(at: now)
    node.bridge?.busConnected(at: now)
    return node
  }

  /// Delivers messages until none is pending.
  func settle() {
    var isBusy = true
    while isBusy {
      isBusy = false
      for delivery in server.takeQueue() {
        isBusy = true
        let node = nodes.first { $0.bus === delivery.connection || $0.logBus === delivery.connection }
        node?.bridge?.received(delivery.message, subscription: delivery.subscription, at: now)
      }
      for node in nodes where node.bridge != nil && node.exchange() { isBusy = true }
    }
  }

  /// Advances the clock in ticks of 20 ms, as the process does. A halted node does nothing of its own meanwhile.
  func pass(_ seconds: Double, halted: RealmNode? = nil) {
    settle()
    for _ in 0..<Int(seconds * 50) {
      now += 20_000_000
      for node in nodes where node !== halted {
        guard let bridge = node.bridge else { continue }
        node.daemon.pass(0.02)
        bridge.tick(at: now)
      }
      settle()
    }
  }

  /// A client of a node's bridge.
  func client(of node: Int) -> RealmClient {
    let client = RealmClient(self)
    client.session = nodes[node].bridge?.accepted(client, at: now)
    settle()
    return client
  }

  /// Disconnects a node from NATS, or connects it again.
  func cut(_ node: Int, _ isCut: Bool) {
    (nodes[node].bus.isCut, nodes[node].logBus.isCut) = (isCut, isCut)
    if isCut { nodes[node].bridge?.busDisconnected(at: now) } else { nodes[node].bridge?.busConnected(at: now) }
    settle()
  }

  /// Publishes as a NATS client that is not a bridge.
  func publish(_ text: String, to subject: String, reply: String? = nil, headers: [String: String] = [:]) {
    server.publish(BusMessage(subject: subject, reply: reply, headers: headers, bytes: Array(text.utf8)))
    settle()
  }

  /// Opens headers through a client of the first node.
  /// - Returns: the headers of each node, by the node's name.
  func spread(_ count: Int = 12) -> [String: [String]] {
    let client = client(of: 0)
    for index in 0..<count { client.send(TestDaemon.open("shop.h\(index)")) }
    pass(1)
    let rows = client.send(#"{"id":1,"method":"header.list"}"#).results.last?.at("headers").list ?? []
    return Dictionary(grouping: rows.map { ($0.at("owner").text, $0.at("header").text) }) { $0.0 }
      .mapValues { $0.map(\.1).sorted() }
  }
}
