// SPDX-License-Identifier: MIT
//
// A config made ready: everything that can be wrong with it is found here, before anything is opened.

internal import GatewayProgram
internal import HeaderConfig
internal import HeaderCore
internal import Nats
internal import NatsGateway
internal import Posix
internal import Realm

/// What the process runs by.
struct Setup {
  let gateway: GatewaySettings
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
    var gateway = GatewaySettings(node: node, process: try Self.number(), subjects: subjects)
    gateway.replicas = config.nats.replicas
    gateway.historyAge = Int64(config.nats.history) * 1_000_000_000
    gateway.logAge = Int64(config.nats.log) * 1_000_000_000
    gateway.ownership.lease = Int64(config.nats.lease) * 1_000_000
    gateway.ownership.settling = 2 * gateway.ownership.lease
    gateway.ownership.refresh = gateway.logAge / 3
    self.gateway = gateway
    nats = try Self.nats(config, node)
    (daemon, listen) = try Self.sockets(config, option: socket)
    mode = UInt32(config.listen.mode)
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
    for path in [daemon, listen] where path.utf8.count > socketPathMax {
      throw StartupError(message: "\(path) has more than \(socketPathMax) bytes")
    }
    return (daemon, listen)
  }

  /// Tells this process from others of the same name.
  private static func number() throws(StartupError) -> String {
    String(try randomBytes().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 36)
  }
}
