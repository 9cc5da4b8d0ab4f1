// SPDX-License-Identifier: MIT
//
// Who is measured: headerd, its limit, and whichever brokers are installed. Each is started afresh for each run, so that
// its peak of memory is that run's.

import DaemonTestKit
import Foundation

/// A kind of server and the tongue that it is spoken to in.
struct Server: Sendable {
  var name: String
  /// The load generator's word.
  var tongue: String
  /// Its program's path, nil when it is not installed.
  var program: String?
  /// What to start it with, in a folder of its own.
  var arguments: @Sendable (TemporaryFolder) throws -> [String]
  /// TCP instead of a socket in the folder.
  var port: Int?

  /// Where the built programs and plugins are.
  static let build = TestFiles.build

  static let limit = Server(name: "limit", tongue: "lines", program: "\(build)/headerd-limit", arguments: { [$0("s")] })
  static let limitFrames = Server(
    name: "limit, frames", tongue: "frames", program: "\(build)/headerd-limit", arguments: { [$0("s")] })
  static let lines = Server(name: "headerd", tongue: "lines", program: "\(build)/headerd", arguments: headerd)
  static let frames = Server(name: "headerd, frames", tongue: "frames", program: "\(build)/headerd", arguments: headerd)

  /// headerd with one thread and with two, in both encodings.
  static let threaded = [1, 2].flatMap { threads in
    ["lines", "frames"].map { tongue in
      Server(
        name: "\(threads == 1 ? "1 thread" : "\(threads) threads"), \(tongue)", tongue: tongue,
        program: "\(build)/headerd", arguments: { try headerd($0) + ["--threads", "\(threads)"] })
    }
  }

  /// headerd that keeps a journal, by durability.
  static let journals = ["none", "interval", "acknowledged"].map { durability in
    Server(
      name: "journal, \(durability)", tongue: "lines", program: "\(build)/headerd",
      arguments: { folder in
        try headerd(folder, more: "[state]\ndirectory = \"\(folder("state"))\"\ndurability = \"\(durability)\"\n")
      })
  }

  /// headerd that never pauses, and one that pauses after each read, for so many microseconds.
  static let gathering = ["\"off\"", "400"].map { gathering in
    Server(
      name: "headerd, gathering = \(gathering)", tongue: "lines", program: "\(build)/headerd",
      arguments: { folder in
        let config = "gathering = \(gathering)\n[plugins]\nload = [\"ShyNavBar\", \"OriginalDelegate\"]\n"
        return ["--config", try folder.write(config, to: "c.toml"), "--socket", folder("s")]
      })
  }

  /// headerd whose headers are in a process of their own, with the behavior that they all have.
  static let isolated = Server(
    name: "in a process", tongue: "lines", program: "\(build)/headerd",
    arguments: { try headerd($0, more: "isolation = { ShyNavBar = \"process\", OriginalDelegate = \"process\" }\n") })

  /// Bytes that root's slow readers may have waiting in the daemon below; each may have 96 KiB besides.
  static let queueQuota = 64 << 20
  /// Root counts as any user, and others may connect. Nobody reads its log, which warnings would fill.
  static let bounded = Server(
    name: "headerd", tongue: "lines", program: "\(build)/headerd",
    arguments: { folder in
      let config = """
        [socket]
        mode = "0666"
        [limits]
        connections = 4096
        [log]
        level = "error"
        [plugins]
        load = ["ShyNavBar", "OriginalDelegate"]
        [quotas.users]
        "uid:0" = { queueBytes = \(queueQuota) }
        self = { queueBytes = \(queueQuota) }
        """
      return ["--config", try folder.write(config, to: "c.toml"), "--socket", folder("s")]
    })
  /// The same with room for 1,024 connections and no more. Nobody reads its log, which refusals would fill.
  static let full = Server(
    name: "headerd", tongue: "lines", program: "\(build)/headerd",
    arguments: { folder in
      guard unsafe chmod(folder.path, 0o755) == 0 else { throw TestFailure("chmod") }
      let config = """
        [socket]
        mode = "0666"
        [limits]
        connections = 1024
        [roles]
        publish = ["any"]
        admin = []
        [log]
        level = "error"
        [plugins]
        load = ["ShyNavBar", "OriginalDelegate"]
        """
      return ["--config", try folder.write(config, to: "c.toml"), "--socket", folder("s")]
    })

  static let brokers = [
    Server(
      name: "Redis", tongue: "redis", program: installed("redis-server"),
      arguments: { ["--port", "0", "--unixsocket", $0("s"), "--save", "", "--appendonly", "no"] }),
    Server(
      name: "mosquitto", tongue: "mqtt", program: installed("mosquitto"),
      arguments: { folder in
        [
          "-c",
          try folder.write(
            "listener 0 \(folder("s"))\nallow_anonymous true\nuser root\nmax_queued_messages 0\n", to: "c"),
        ]
      }),
    Server(
      name: "NATS", tongue: "nats", program: installed("nats-server"),
      arguments: { _ in ["-a", "127.0.0.1", "-p", "42221"] }, port: 42221),
    Server(
      name: "Node relay", tongue: "lines", program: installed("node"),
      arguments: { [Server.relay, $0("s")] }),
  ]

  private static let relay = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "relay.js"
  )
  .path

  /// Where a program is; servers often lie where users' paths do not lead.
  private static func installed(_ name: String) -> String? {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin", "/usr/local/sbin"]
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func headerd(_ folder: TemporaryFolder) throws -> [String] { try headerd(folder, more: "") }

  private static func headerd(_ folder: TemporaryFolder, more: String) throws -> [String] {
    let config = "[plugins]\nload = [\"ShyNavBar\", \"OriginalDelegate\"]\n\(more)"
    return ["--config", try folder.write(config, to: "c.toml"), "--socket", folder("s")]
  }
}

/// A started server.
final class RunningServer {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let server: Server

  init(_ server: Server) throws {
    self.server = server
    folder = try TemporaryFolder()
    var environment = inherited
    environment["HEADERD_PLUGIN_PATH"] = Server.build
    guard let program = server.program else { throw TestFailure("\(server.name) is not installed") }
    process = try ChildProcess(program, try server.arguments(folder), environment: environment)
    for _ in 0..<500 {
      if isListening { return }
      if process.hasEnded { break }
      usleep(10_000)
    }
    throw TestFailure("\(server.name) does not listen: \(process.errors)")
  }

  /// Whether it takes connections (its socket's file is there a moment before), or says so.
  private var isListening: Bool {
    server.port == nil ? (try? WireClient(folder("s"))) != nil : process.errors.contains("Server is ready")
  }

  /// Runs the load generator against it.
  func load(_ options: [String]) throws -> Data {
    let place = server.port.map { "port=\($0)" } ?? "socket=\(folder("s"))"
    let load = try ChildProcess(
      "\(Server.build)/headerd-load", ["speaks=\(server.tongue)", "server=\(process.pid)", place] + options,
      environment: inherited)
    let status = try load.waitForExit(seconds: 600)
    guard status == 0 else { throw TestFailure("\(server.name), \(options): \(load.errors)") }
    return Data(load.output.utf8)
  }

  func stop() throws {
    process.signal(SIGTERM)
    try process.waitForExit(seconds: 10)
  }
}
