// SPDX-License-Identifier: MIT
//
// The program headerd-nats: parse, check, run. Exit status as headerd's: 0 after SIGTERM or SIGINT, 1 when it could not start or go
// on, 2 for a command line that it does not understand.

internal import CommandLineKit
internal import Glibc
internal import HeaderConfig
internal import HeaderCore
internal import NatsGateway
internal import Posix
internal import Realm

/// Ends the process.
func exitProcess(_ status: Int32) -> Never { exit(status) }

/// It could not start: sentences for people.
struct StartupError: Error {
  var message: String
}

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
    "node", "NAME", .text, "The name of this daemon in the realm.",
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
        options: [config, socket, listen, server, realm, node, check], positionals: []), version: headerdVersion,
      suggest: { nearest(to: $0, in: $1) })
  }

  static func run() -> Int32 {
    do {
      switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
      case .print(let text): print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
      case .run(let invocation):
        var (config, file) = try loadConfig(invocation[config])
        if let server = invocation[server] { config.nats.servers = [server] }
        if let realm = invocation[realm] { config.nats.realm = realm }
        if let node = invocation[node] { config.nats.node = node }
        if let path = invocation[listen] { config.listen.socket = path }
        let setup = try Setup(config, socket: invocation[socket])
        if invocation.has(check) {
          print("\(file ?? "the defaults"): fine; node \(setup.gateway.node.text) of realm \(config.nats.realm)")
          return 0
        }
        return try NatsGatewayProcess(setup).run()
      }
      return 0
    } catch let error as UsageError {
      complain("\(error)\n\(error.hint)")
      return 2
    } catch let error as StartupError {
      complain(error.message)
    } catch {
      complain("\(error)")
    }
    return 1
  }

  private static func loadConfig(_ option: String?) throws(StartupError) -> (config: NatsConfig, file: String?) {
    let names = ["XDG_CONFIG_HOME", "HOME"]
    let environment = names.reduce(into: [String: String]()) { $0[$1] = environmentValue($1) }
    let file = Config.path(
      option: option, environment: environment, name: "headerd-nats.toml", exists: { exists($0) })
    guard let file else { return (NatsConfig(), nil) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try contents(ofFile: file)
    } catch {
      throw StartupError(message: "\(file): \(error.text)")
    }
    do throws(ConfigErrors) {
      return (try NatsConfig(bytes: bytes.span, file: file), file)
    } catch {
      throw StartupError(message: error.description)
    }
  }

  private static func complain(_ text: String) {
    for line in text.split(separator: "\n") {
      let whole = line.hasPrefix("headerd-nats: ") || line.hasPrefix("see ") ? "\(line)\n" : "headerd-nats: \(line)\n"
      try? writeAll(Array(whole.utf8), to: standardError)
    }
  }
}
