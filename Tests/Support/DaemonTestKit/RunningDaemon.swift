// SPDX-License-Identifier: MIT
//
// The real headerd in a folder of its own: socket, config and plugins lie there, and it ends with the test. The plugins
// are links to those of this build, so that a test may put another file in their place.

internal import Foundation
import Testing

/// A daemon that a test has started.
public final class RunningDaemon {
  /// Where everything of it lies.
  public let folder: TemporaryFolder
  /// The path of its socket.
  public let socket: String
  /// The folder in which it finds plugins.
  public let plugins: String
  /// The program.
  public let process: ChildProcess
  private var isKilled = false

  /// Starts headerd and waits until its socket answers.
  /// - Parameters:
  ///   - config: the config file's text; nil: no file.
  ///   - plugins: plugins of this build that it finds.
  ///   - copied: they are copies instead of links.
  ///   - threads: how many it has; nil: as many as `HEADERD_TEST_THREADS` in the environment says, else one.
  ///   - openFiles: how many descriptors it may have; nil: as many as the test.
  ///   - arguments: further ones.
  public convenience init(
    config: String? = nil, plugins: [String] = ["ShyNavBar", "OriginalDelegate"], copied: Bool = false,
    threads: Int? = nil, openFiles: Int? = nil, arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    try Self.providePlugins(plugins, in: folder, copied: copied)
    let config = Self.config(config, threads: threads)
    if let config { try folder.write(config, to: "headerd.toml") }
    try self.init(
      in: folder, socket: folder("headerd.sock"),
      arguments: ["--config", folder("headerd.toml")].filter { _ in config != nil }
        + ["--socket", folder("headerd.sock")] + arguments,
      environment: environment, openFiles: openFiles)
  }

  /// Starts headerd with these arguments alone in a folder that is ready.
  /// - Parameter program: where it lies, if not where all tests have it.
  public init(
    in folder: TemporaryFolder, socket: String, arguments: [String], environment: [String: String] = [:],
    openFiles: Int? = nil, program: String = "\(TestFiles.prefix)/bin/headerd"
  ) throws {
    self.folder = folder
    self.socket = socket
    plugins = folder("plugins")
    // The shell sets the limit and becomes the daemon.
    let shell = openFiles.map { ["-c", "ulimit -n \($0) && exec \"$0\" \"$@\"", program] }
    process = try ChildProcess(
      shell == nil ? program : "/bin/sh", (shell ?? []) + arguments,
      environment: inherited.merging(["HEADERD_PLUGIN_PATH": folder("plugins"), "XDG_CONFIG_HOME": folder("none")]) {
        $1
      }
      .merging(environment) { $1 })
    try waitUntilItAnswers()
  }

  /// Ends it the hard way, without a chance to clean up.
  public func kill() throws {
    isKilled = true
    process.signal(SIGKILL)
    try process.waitForExit()
  }

  /// Ends it by a signal and leaves it to the test what it thinks of the way it ended.
  /// - Returns: the exit status, or −N when signal N ended it.
  public func end(by signal: Int32) throws -> Int32 {
    isKilled = true
    process.signal(signal)
    return try process.waitForExit()
  }

  deinit {
    if isKilled { return }
    process.signal(SIGTERM)
    do {
      let status = try process.waitForExit()
      if status != 0 { Issue.record("headerd ended with \(status):\n\(process.errors)") }
    } catch {
      Issue.record("headerd did not end: \(error)")
    }
  }

  /// A config with a number of threads, if that is not the default.
  public static func config(_ config: String?, threads: Int? = nil) -> String? {
    let wanted = threads ?? usualThreads
    return wanted > 1 ? "threads = \(wanted)\n" + (config ?? "") : config
  }

  /// How many threads daemons have whose tests do not say.
  public static let usualThreads = ProcessInfo.processInfo.environment["HEADERD_TEST_THREADS"].flatMap(Int.init) ?? 1

  /// Makes the folder `plugins`.
  public static func providePlugins(_ names: [String], in folder: TemporaryFolder, copied: Bool = false) throws {
    let path = try folder.folder("plugins")
    for name in names {
      let (file, original) = ("\(path)/lib\(name).so", "\(TestFiles.build)/lib\(name).so")
      if copied {
        try TestFiles.install(original, over: file)
      } else {
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: original)
      }
    }
  }

  /// Puts another build of a plugin in its place: the same code and another content.
  /// - Parameter number: which one; builds of the same number are alike.
  public func rebuild(_ plugin: String, _ number: Int = 1) throws {
    let built = try Data(contentsOf: URL(fileURLWithPath: "\(TestFiles.build)/lib\(plugin).so"))
    try (built + Array(repeating: 0, count: number)).write(to: URL(fileURLWithPath: folder("rebuilt.so")))
    try TestFiles.install(folder("rebuilt.so"), over: "\(plugins)/lib\(plugin).so")
  }

  /// What it has logged so far.
  public var errors: String { process.errors }

  /// A connection to it.
  public func client() throws -> WireClient { try WireClient(socket) }

  /// Connects again and again until somebody answers: the socket exists a moment before it listens.
  private func waitUntilItAnswers() throws {
    let deadline = monotonic() + watchdogSeconds
    while monotonic() < deadline, !process.hasEnded {
      if let client = try? WireClient(socket) {
        _ = try client.request("ping")
        return
      }
      process.waitBriefly(milliseconds: 2)
    }
    throw TestFailure("headerd does not answer on \(socket); stderr:\n\(process.errors)")
  }
}
