// SPDX-License-Identifier: MIT
//
// The program headerd-web: parse, check, run. Exit status as headerd's: 0 after SIGTERM or SIGINT, 1 when it could not start, 2
// for a command line that it does not understand.

internal import CommandLineKit
internal import Glibc
internal import HeaderConfig
internal import HeaderCore
internal import Posix

/// Ends the process.
func exitProcess(_ status: Int32) -> Never { exit(status) }

/// It could not start: sentences for people.
struct StartupError: Error {
  var message: String
}

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
        options: [config, socket, address, port, pages, check], positionals: []), version: headerdVersion,
      suggest: { nearest(to: $0, in: $1) })
  }

  static func run() -> Int32 {
    do {
      switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
      case .print(let text): print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
      case .run(let invocation):
        var (config, file) = try loadConfig(invocation[config])
        if let address = invocation[address] { config.listen.address = address }
        if let port = invocation[port] { config.listen.port = port }
        if let pages = invocation[pages] { (config.pages.serve, config.pages.folder) = (true, pages) }
        let setup = try Setup(config, socket: invocation[socket])
        if invocation.has(check) {
          print("\(file ?? "the defaults"): fine; listens on \(setup.address.inURL):\(config.listen.port)")
          return 0
        }
        return try WebGatewayProcess(setup).run()
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

  private static func loadConfig(_ option: String?) throws(StartupError) -> (config: WebConfig, file: String?) {
    let names = ["XDG_CONFIG_HOME", "HOME"]
    let environment = names.reduce(into: [String: String]()) { $0[$1] = environmentValue($1) }
    let file = Config.path(
      option: option, environment: environment, name: "headerd-web.toml", exists: { exists($0) })
    guard let file else { return (WebConfig(), nil) }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try contents(ofFile: file)
    } catch {
      throw StartupError(message: "\(file): \(error.text)")
    }
    do throws(ConfigErrors) {
      return (try WebConfig(bytes: bytes.span, file: file), file)
    } catch {
      throw StartupError(message: error.description)
    }
  }

  private static func complain(_ text: String) {
    for line in text.split(separator: "\n") {
      let whole = line.hasPrefix("headerd-web: ") || line.hasPrefix("see ") ? "\(line)\n" : "headerd-web: \(line)\n"
      try? writeAll(Array(whole.utf8), to: standardError)
    }
  }
}
