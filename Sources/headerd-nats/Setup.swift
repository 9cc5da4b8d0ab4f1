// SPDX-License-Identifier: MIT
//
// A config made ready: everything that can be wrong with it is found here, before anything is opened.

internal import BridgeProgram
internal import HeaderConfig
internal import HeaderModel
internal import Nats
internal import NatsBridge
internal import Posix
internal import Realm

/// The checked settings of the process.
struct Setup {
  let bridge: BridgeSettings
  let nats: NatsSettings
  /// The daemon's socket, and the one for clients.
  let daemon: String
  let listen: String
  let mode: UInt32

  init(_ config: NatsConfig, socket: String?) throws(StartupError) {
    let node = try Self.node(config)
    guard let subjects = Subjects(realm: config.nats.realm, prefix: config.nats.prefix) else {
      throw StartupError(
        message:
          "nats.realm is 1 to 64 letters, digits, \"_\" or \"-\", and nats.prefix up to eight such parts joined by "
          + "dots; got \"\(config.nats.realm)\" and \"\(config.nats.prefix)\"")
    }
    let process = String(try Self.number(bytes: 8), radix: 36)
    var bridge = BridgeSettings(node: node, process: process, subjects: subjects)
    bridge.replicas = config.nats.replicas
    bridge.historyAge = Int64(config.nats.history) * 1_000_000_000
    bridge.logAge = Int64(config.nats.log) * 1_000_000_000
    bridge.ownership.lease = Int64(config.nats.lease) * 1_000_000
    bridge.ownership.settling = 2 * bridge.ownership.lease
    bridge.ownership.refresh = bridge.logAge / 3
    bridge.ownership.maxEpoch = Int64(wallClock().seconds) * 1_000_000 + Self.epochLead
    bridge.replies = config.nats.replies
    bridge.firstSession = Int(try Self.number(bytes: 6) << 4)
    self.bridge = bridge
    nats = try Self.nats(config, node)
    (daemon, listen) = try Self.sockets(config, option: socket)
    mode = config.listen.mode
  }

  private static func node(_ config: NatsConfig) throws(StartupError) -> NodeName {
    var name = config.nats.node
    if name == nil { name = hostName().map { String($0.map { $0 == "." ? "-" : $0 }) } }
    guard let name, let node = NodeName(name) else {
      throw StartupError(
        message: "nats.node: expected 1 to 64 letters, digits, \"_\" or \"-\", got \"\(name ?? "")\"")
    }
    return node
  }

  private static func nats(_ config: NatsConfig, _ node: NodeName) throws(StartupError) -> NatsSettings {
    var settings = NatsSettings()
    settings.servers = config.nats.servers
    settings.name = "headerd-nats \(node.text)"
    settings.credentials = config.nats.credentials
    settings.authorities = config.nats.authorities
    settings.certificate = config.nats.certificate
    settings.privateKey = config.nats.privateKey
    for case let file? in [settings.credentials, settings.authorities, settings.certificate, settings.privateKey]
    where !isReadable(file) {
      throw StartupError(message: "\(file): \(SystemError.last.text)")
    }
    return settings
  }

  private static func sockets(
    _ config: NatsConfig, option: String?
  ) throws(StartupError) -> (daemon: String, listen: String) {
    let daemon = daemonSocket(option: option, configured: config.daemon.socket)
    let folder = daemon.lastIndex(of: "/").map { daemon[..<$0] } ?? "."
    let listen = config.listen.socket ?? "\(folder)/realm.sock"
    for path in [daemon, listen] where path.utf8.count > maxSocketPath {
      throw StartupError(message: "\(path) has more than \(maxSocketPath) bytes")
    }
    return (daemon, listen)
  }

  /// Microseconds that an epoch may be ahead of this machine's clock at the start: ten years.
  private static let epochLead: Int64 = 10 * 365 * 86_400 * 1_000_000

  /// A number that cannot be guessed.
  private static func number(bytes: Int) throws(StartupError) -> UInt64 {
    try randomBytes().prefix(bytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
}
