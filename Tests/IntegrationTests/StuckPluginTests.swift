// SPDX-License-Identifier: MIT
//
// A plugin that does not return: noticed by a thread outside the loops, told by names, and ended if the config wants so.

import DaemonTestKit
import Foundation
import Testing

@Suite struct StuckPluginTests {
  private static func daemon(
    _ flags: [String], _ plugins: String, in folder: TemporaryFolder, threads: Int? = nil
  ) throws -> RunningDaemon {
    try RunningDaemon.providePlugins([], in: folder)
    let mover = "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c"
    try compilePlugin(mover, flags, to: folder("plugins/libMover.so"))
    let config = try #require(RunningDaemon.config("[plugins]\n\(plugins)\n", threads: threads))
    try folder.write(config, to: "headerd.toml")
    return try RunningDaemon(
      in: folder, socket: folder("headerd.sock"),
      arguments: ["--config", folder("headerd.toml"), "--socket", folder("headerd.sock")])
  }

  /// The lines of an event in the log, without time and level.
  private func lines(_ event: String, of daemon: RunningDaemon) -> [Substring] {
    daemon.errors.split(separator: "\n").filter { $0.contains(" event=\(event) ") }.compactMap { line in
      line.range(of: "event=").map { line[$0.lowerBound...] }
    }
  }

  @Test(arguments: [1, 3]) func itIsToldByNamesAndTheProcessEnds(_ threads: Int) throws {
    let daemon = try Self.daemon(
      ["-DHANGS"], "deadline = 0.2\nonStuck = \"exit\"", in: try TemporaryFolder(), threads: threads)
    let client = try daemon.client()
    for name in ["a", "b", "c", "d"] {
      _ = try client.result("header.open", PluginTests.opening(name))
      _ = try client.result("event", PluginTests.scroll(name, 1, 10))
    }
    try client.write("{\"method\":\"event\",\"params\":\(PluginTests.scroll("b", 2, 200))}\n")
    #expect(try daemon.process.waitForErrors(containing: "pluginStuck"))
    #expect(try daemon.process.waitForExit() == 4)
    let line = try #require(lines("pluginStuck", of: daemon).first)
    #expect(
      line.hasPrefix(
        "event=pluginStuck plugin=Mover header=b delegate=mover function=receive event=didScroll seconds=0."))
    try daemon.kill()
  }

  @Test func aSlowOneIsToldAndGoesOn() throws {
    let daemon = try Self.daemon(["-DSLEEPS=600"], "deadline = 0.1", in: try TemporaryFolder())
    let client = try daemon.client()
    _ = try client.result("header.open", PluginTests.opening("a"))
    let answer = try client.result("event", PluginTests.scroll("a", 1, 200))
    #expect(answer["seq"].int == 2)
    #expect(try daemon.process.waitForErrors(containing: "pluginReturned"))
    #expect(lines("pluginStuck", of: daemon).count == 1 && lines("pluginReturned", of: daemon).count == 1)
    #expect(
      lines("pluginReturned", of: daemon)[0].hasPrefix(
        "event=pluginReturned plugin=Mover header=a delegate=mover function=receive event=didScroll seconds=0."))
    // What takes less than the deadline is never told, however often it comes.
    for time in 2...200 { _ = try client.result("event", PluginTests.scroll("a", time, 50)) }
    #expect(lines("pluginStuck", of: daemon).count == 1)
  }

  @Test func nothingIsWatchedWhereTheConfigSaysSo() throws {
    let daemon = try Self.daemon(["-DSLEEPS=400"], "deadline = 0", in: try TemporaryFolder())
    let client = try daemon.client()
    _ = try client.result("header.open", PluginTests.opening("a"))
    _ = try client.result("event", PluginTests.scroll("a", 1, 200))
    #expect(!daemon.errors.contains("pluginStuck"))
    // From SIGHUP on it is.
    try daemon.folder.write("[plugins]\ndeadline = 0.1\n", to: "headerd.toml")
    daemon.process.signal(SIGHUP)
    #expect(try daemon.process.waitForErrors(containing: "configRead"))
    // The watching thread itself may come too late on a busy machine, but not each time.
    for time in 2...20 where !daemon.errors.contains("pluginStuck") {
      _ = try client.result("event", PluginTests.scroll("a", time, 300 + time))
    }
    #expect(try daemon.process.waitForErrors(containing: "pluginReturned"))
  }

  /// Loading, too: constructors and entry run on the first thread.
  @Test func oneThatHangsWhileItIsLoadedIsToldByItsFile() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    let mover = "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c"
    try compilePlugin(mover, ["-DHANGS_AT_LOAD"], to: folder("plugins/libMover.so"))
    let config = try folder.write("[plugins]\ndeadline = 0.2\nonStuck = \"exit\"\n", to: "headerd.toml")
    let process = try ChildProcess(
      "\(TestFiles.prefix)/bin/headerd", ["--config", config, "--socket", folder("headerd.sock")],
      environment: inherited.merging(["HEADERD_PLUGIN_PATH": folder("plugins")]) { $1 })
    #expect(try process.waitForExit() == 4)
    #expect(process.errors.contains("event=pluginStuck plugin=\(folder("plugins/libMover.so")) function=load seconds="))
  }

  @Test func theServiceManagerIsToldWhichOneItIs() throws {
    let manager = try TestManager(plugins: [])
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DHANGS"],
      to: manager.folder("plugins/libMover.so"))
    let config = try manager.folder.write("[plugins]\ndeadline = 0.1\n", to: "headerd.toml")
    let daemon = try manager.start(["--config", config])
    #expect(manager.told()?.first == "READY=1")
    let client = try WireClient(manager.socket)
    _ = try client.result("header.open", PluginTests.opening("a"))
    try client.write("{\"method\":\"event\",\"params\":\(PluginTests.scroll("a", 2, 200))}\n")
    #expect(manager.told() == ["STATUS=plugin Mover in header a does not return from didScroll"])
    daemon.signal(SIGKILL)
    try daemon.waitForExit()
  }
}
