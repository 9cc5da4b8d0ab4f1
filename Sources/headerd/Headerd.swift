// SPDX-License-Identifier: MIT
//
// The program headerd: parse, check, run. Exit status: 0 after SIGTERM or SIGINT, 1 when it could not start, 2 for a
// command line that it does not understand.

internal import CommandLineKit
internal import HeaderDaemon
internal import HeaderModel
internal import Installation
internal import Posix

enum Headerd {
  private static let config = Option(
    "config", "FILE", .file, "Read this config file.",
    absent: "$XDG_CONFIG_HOME/headerd/headerd.toml, else /etc/headerd/headerd.toml")
  private static let socket = Option(
    "socket", "PATH", .file, "Listen on this socket.",
    absent: "HEADERD_SOCKET, else socket.path of the config, else this user's socket")
  private static let threads = Option(
    "threads", "N", .integer(in: 1...64), "Number of threads.", absent: "threads of the config")
  private static let state = Option(
    "state", "FOLDER", .file, "Keep the journal of headers in this folder, and restore them from it.",
    absent: "state.directory of the config, else headers end with the daemon")
  private static let schema = Flag("schema", "Print the schema of the protocol, an OpenRPC document, and stop.")
  private static let check = Flag("check-config", "Check the config, the plugins and the headers, and stop.")

  private static var program: Program {
    Program(
      Command(
        "headerd", "Computes the state of collapsing headers, for any number of renderers.",
        discussion: """
          Receives scroll events over a Unix socket, lets behavior plugins decide what the headers do, and sends the
          states to subscribers. Without a config file the defaults hold. SIGHUP reads the config again; SIGTERM and
          SIGINT end the connections in good order, remove the socket and stop with status 0. Status 1: it could not
          start, the reason is on stderr. Status 2: wrong usage.
          """,
        example: "headerd --config ./headerd.toml --check-config",
        options: [config, socket, threads, state, check, schema]), version: headerdVersion,
      suggest: { nearest(to: $0, in: $1) })
  }

  static func run() -> Int32 {
    let program = program
    return program.run(Array(CommandLine.arguments.dropFirst()), write: complain) { invocation in
      if invocation.has(schema) {
        print(protocolSchema(), terminator: "")
        return 0
      }
      let options = DaemonOptions(
        config: invocation[config], socket: invocation[socket], threads: invocation[threads],
        state: invocation[state])
      if !invocation.has(check) { return try Daemon(options).run() }
      let report = try checkConfig(options)
      for warning in report.warnings { complain(program.complaint(warning)) }
      print(report.summary)
      return 0
    }
  }

  private static func complain(_ text: String) { try? writeAll(Array(text.utf8), to: standardError) }
}
