// SPDX-License-Identifier: MIT
//
// The program headerd-web: parse, check, run. Exit status as headerd's: 0 after SIGTERM or SIGINT, 1 when it could not start, 2
// for a command line that it does not understand.

internal import CommandLineKit
internal import BridgeProgram
internal import HeaderConfig
internal import HeaderModel
internal import Installation
internal import Posix

enum HeaderdWeb {
  private static let config = Option(
    "config", "FILE", .file, "Read this config file.",
    absent: "$XDG_CONFIG_HOME/headerd/headerd-web.toml, else /etc/headerd/headerd-web.toml")
  private static let socket = Option(
    "socket", "PATH", .file, "Connect to the daemon at this socket.",
    absent: "HEADERD_SOCKET, else daemon.socket of the config, else this user's socket")
  private static let address = Option(
    "address", "ADDRESS", .text, "Listen on this numeric address.", absent: "listen.address of the config")
  private static let port = Option(
    "port", "PORT", .integer(in: 0...65_535), "Listen on this port; 0 is any that is free.",
    absent: "listen.port of the config")
  private static let pages = Option(
    "pages", "FOLDER", .file, "Serve the files of this folder.",
    absent: "pages.folder of the config, else the playground")
  private static let check = Flag("check-config", "Check the config, and stop.")

  private static var program: Program {
    Program(
      Command(
        "headerd-web", "Lets web pages reach headerd.",
        discussion: """
          Serves pages, and connects each of their WebSockets to the daemon. It listens on this machine's loopback address
          unless it is told otherwise. Without tokens in the config it makes one, and prints the address that has it.
          SIGTERM and SIGINT end the connections and stop with status 0. Status 1: it could not start, the reason is on
          stderr. Status 2: wrong usage.
          """,
        example: "headerd-web --port 8470",
        options: [config, socket, address, port, pages, check]), version: headerdVersion,
      suggest: { nearest(to: $0, in: $1) })
  }

  static func run() -> Int32 {
    program.run(
      Array(CommandLine.arguments.dropFirst()), write: { try? writeAll(Array($0.utf8), to: standardError) }
    ) { invocation in
      var (config, file) = try loadConfig(
        invocation[config], name: "headerd-web.toml", defaults: WebConfig(), WebConfig.init(bytes:file:))
      if let address = invocation[address] { config.listen.address = address }
      if let port = invocation[port] { config.listen.port = port }
      if let pages = invocation[pages] { (config.pages.serve, config.pages.folder) = (true, pages) }
      let setup = try Setup(config, socket: invocation[socket])
      if invocation.has(check) {
        print("\(file ?? "the defaults"): fine; listens on \(setup.address.inURL):\(config.listen.port)")
        return 0
      }
      return try WebBridgeProcess(setup).run()
    }
  }
}
