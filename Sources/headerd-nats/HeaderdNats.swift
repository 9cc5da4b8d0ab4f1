// SPDX-License-Identifier: MIT
//
// The program headerd-nats: parse, check, run. Exit status as headerd's: 0 after SIGTERM or SIGINT, 1 when it could not start or
// continue, 2 for a command line that it does not understand.

internal import CommandLineKit
internal import BridgeProgram
internal import HeaderConfig
internal import HeaderModel
internal import Installation
internal import NatsBridge
internal import Posix
internal import Realm

enum HeaderdNats {
  private static let config = Option(
    "config", "FILE", .file, "Read this config file.",
    absent: "$XDG_CONFIG_HOME/headerd/headerd-nats.toml, else /etc/headerd/headerd-nats.toml")
  private static let socket = Option(
    "socket", "PATH", .file, "Connect to the daemon at this socket.",
    absent: "HEADERD_SOCKET, else daemon.socket of the config, else this user's socket")
  private static let listen = Option(
    "listen", "PATH", .file, "Listen for clients at this socket.",
    absent: "listen.socket of the config, else realm.sock beside the daemon's")
  private static let server = Option(
    "server", "URL", .text, "Connect to NATS there.", absent: "nats.servers of the config")
  private static let realm = Option("realm", "NAME", .text, "The realm.", absent: "nats.realm of the config")
  private static let node = Option(
    "node", "NAME", .text, "This daemon's name in the realm.",
    absent: "nats.node of the config, else the host's name")
  private static let check = Flag("check-config", "Check the config, and stop.")

  private static var program: Program {
    Program(
      Command(
        "headerd-nats", "Connects headerd to a realm of daemons at NATS.",
        discussion: """
          Clients that connect to its socket reach the headers of all daemons of the realm. Each header has one owner; when that
          is gone, another daemon goes on with it. SIGTERM and SIGINT stop it with status 0. Status 1: it could not start or
          go on, the reason is on stderr. Status 2: wrong usage.
          """,
        example: "headerd-nats --server nats://nats.example.org:4222 --realm shops",
        options: [config, socket, listen, server, realm, node, check]), version: headerdVersion,
      suggest: { nearest(to: $0, in: $1) })
  }

  static func run() -> Int32 {
    program.run(
      Array(CommandLine.arguments.dropFirst()), write: { try? writeAll(Array($0.utf8), to: standardError) }
    ) { invocation in
      var (config, file) = try loadConfig(
        invocation[config], name: "headerd-nats.toml", defaults: NatsConfig(), NatsConfig.init(bytes:file:))
      if let server = invocation[server] { config.nats.servers = [server] }
      if let realm = invocation[realm] { config.nats.realm = realm }
      if let node = invocation[node] { config.nats.node = node }
      if let path = invocation[listen] { config.listen.socket = path }
      let setup = try Setup(config, socket: invocation[socket])
      if invocation.has(check) {
        print("\(file ?? "the defaults"): fine; node \(setup.bridge.node.text) of realm \(config.nats.realm)")
        return 0
      }
      return try NatsBridgeProcess(setup).run()
    }
  }
}
