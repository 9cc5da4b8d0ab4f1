// SPDX-License-Identifier: MIT
//
// How the daemon begins and ends: signals, the socket's place and mode, the command line.

import DaemonTestKit
import Foundation
import Testing

@Suite struct LifeTests {
  static let opening = """
    {"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},\
    "contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},\
    {"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}],"frames":"events"}
    """

  static func scroll(_ time: Double, _ y: Double) -> String {
    #"{"header":"main","event":"didScroll","time":\#(time),"offset":{"y":\#(y)}}"#
  }

  @Test(arguments: [SIGTERM, SIGINT]) func everyoneGetsByeAfterTheLastState(_ signal: Int32) throws {
    let daemon = try RunningDaemon()
    let publisher = try daemon.client()
    let subscriber = try daemon.client()
    _ = try subscriber.result("subscribe", #"{"headers":"**","mode":"every"}"#)
    _ = try publisher.result("header.open", Self.opening)
    var seq = 0
    for step in 0..<40 {
      let event = #"{"header":"main","event":"didScroll","time":\#(step),"offset":{"y":\#(step * 7)}}"#
      seq = try publisher.result("event", event)["seq"].int ?? 0
    }
    daemon.process.signal(signal)
    let lines = try subscriber.linesToTheEnd()
    let bye = #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"draining"}}"#
    #expect(lines.last == bye)
    #expect(!lines.contains { $0.contains("\"closed\"") })
    #expect(try lines.dropLast().map { try JSON($0)["params"]["seq"].int } == Array(1...seq))
    #expect(try publisher.linesToTheEnd() == [bye])
    #expect(try daemon.process.waitForExit() == 0)
    #expect(!TestFiles.exists(daemon.socket))
  }

  /// Nobody's impatience takes the exit status away.
  @Test func moreSignalsWhileItEndsChangeNothing() throws {
    let daemon = try RunningDaemon()
    while !daemon.process.hasEnded { daemon.process.signal(SIGTERM) }
    #expect(try daemon.process.waitForExit() == 0)
  }

  /// A plugin that holds the loop does not keep the daemon from ending. (ThreadSanitizer brings no signal to code that
  /// never calls anything.)
  @Test(.enabled(if: !TestFiles.isSanitized), arguments: [(SIGTERM, 1), (SIGINT, 1), (SIGTERM, 2)])
  func aPluginThatNeverReturnsEndsWithTheDaemon(_ row: (signal: Int32, threads: Int)) throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DHANGS"], to: folder("plugins/libMover.so"))
    let socket = folder("headerd.sock")
    let daemon = try RunningDaemon(
      in: folder, socket: socket, arguments: ["--socket", socket, "--threads", "\(row.threads)"])
    // Headers of all threads: one of them hangs.
    let client = try daemon.client()
    for name in ["a", "b", "c", "d"] {
      _ = try client.result("header.open", PluginTests.opening(name))
      _ = try client.result("event", PluginTests.scroll(name, 1, 10))
    }
    try client.write("{\"method\":\"event\",\"params\":\(PluginTests.scroll("b", 2, 200))}\n")
    #expect(try daemon.process.waitForErrors(containing: "hangs"))
    #expect(try daemon.end(by: row.signal) == 3)
    let last = daemon.errors.split(separator: "\n").last ?? ""
    let line = /time=\d{4}-\d\d-\d\dT[\d:.]{12}Z level=error event=stopTimedOut reason=".*"/
    #expect(last.wholeMatch(of: line) != nil, "\(last)")
  }

  @Test func signalsWithoutAMeaningDoNothing() throws {
    let daemon = try RunningDaemon()
    daemon.process.signal(SIGUSR1)
    daemon.process.signal(SIGUSR2)
    #expect(try daemon.client().request("ping")["error"].isAbsent)
  }

  @Test func silentWhenAllIsWell() throws {
    let daemon = try RunningDaemon(threads: 1)
    let client = try daemon.client()
    _ = try client.result("hello", #"{"protocol":1,"client":"test"}"#)
    _ = try client.result("header.open", Self.opening)
    _ = try client.result("subscribe", #"{"headers":"main"}"#)
    _ = try client.result("event", #"{"event":"didScroll","time":1,"offset":{"y":10}}"#)
    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    let lines = scrubbed(daemon.errors, folder: daemon.folder.path).split(separator: "\n")
    #expect(
      lines == [
        "time=TIME level=info event=started version=0.2.0 socket=FOLDER/headerd.sock plugins=2 headers=0 config=defaults",
        "time=TIME level=info event=stopping signal=SIGTERM connections=1",
        "time=TIME level=info event=stopped",
      ])
  }
}

// MARK: - The socket's place

@Suite struct SocketPlaceTests {
  /// Runs headerd until it ends by itself.
  private func refused(_ folder: TemporaryFolder, _ arguments: [String], _ environment: [String: String] = [:]) throws
    -> Finished
  {
    let nothing = ["XDG_CONFIG_HOME": folder("none"), "HEADERD_PLUGIN_PATH": folder("none")]
    return try runProgram("headerd", arguments, environment: nothing.merging(environment) { $1 })
  }

  @Test func aSecondDaemonSaysSoAndLeavesTheFirstAlone() throws {
    let daemon = try RunningDaemon()
    let second = try refused(daemon.folder, ["--socket", daemon.socket])
    #expect(second.status == 1)
    #expect(
      second.errors
        == "headerd: another headerd already listens on \(daemon.socket); stop it, or choose another place with --socket\n"
    )
    #expect(try daemon.client().request("ping")["result"]["time"].double != nil)
  }

  @Test func aStaleSocketIsTakenOver() throws {
    let daemon = try RunningDaemon()
    try daemon.kill()
    #expect(TestFiles.exists(daemon.socket))
    let next = try RunningDaemon(in: daemon.folder, socket: daemon.socket, arguments: ["--socket", daemon.socket])
    #expect(try next.client().request("ping")["error"].isAbsent)
  }

  /// One takes a stale socket over and is slow before it removes it; the other starts meanwhile.
  @Test(.enabled(if: !TestFiles.isSanitized)) func ofTwoThatTakeOverAtOnceOneIsLeft() throws {
    let dead = try RunningDaemon()
    try dead.kill()
    let (folder, socket) = (dead.folder, dead.socket)
    let library = folder("slow.so")
    let compiler = try #require(Toolchain.c)
    try runTool(
      compiler,
      ["-shared", "-fPIC", "-o", library, "\(Toolchain.sources)/Tests/IntegrationTests/Preloaded/slow-unlink.c"])
    let nothing = ["XDG_CONFIG_HOME": folder("none"), "HEADERD_PLUGIN_PATH": folder("none")]
    let gate = folder("gate")
    let slow = try startProgram(
      "headerd", ["--socket", socket],
      environment: nothing.merging(["LD_PRELOAD": library, "UNLINK_WAITS_FOR": gate]) { $1 })
    #expect(try slow.waitForErrors(containing: "unlink waits"))
    let other = try startProgram("headerd", ["--socket", socket], environment: nothing)
    let isOtherLeft = try other.waitForErrors(containing: "event=started")
    #expect(!isOtherLeft)
    try folder.write("", to: "gate")
    #expect(try slow.waitForErrors(containing: "event=started"))
    if !isOtherLeft {
      #expect(try other.waitForExit() == 1)
      #expect(other.errors.contains("another headerd already listens on \(socket)"))
    }
    #expect(try WireClient(socket).request("ping")["error"].isAbsent)
    slow.signal(SIGTERM)
    #expect(try slow.waitForExit() == 0)
    #expect(!TestFiles.exists(socket) && !TestFiles.exists(socket + ".lock"))
  }

  @Test func ofManyThatStartAtOnceOneIsLeft() throws {
    let dead = try RunningDaemon()
    try dead.kill()
    let nothing = ["XDG_CONFIG_HOME": dead.folder("none"), "HEADERD_PLUGIN_PATH": dead.folder("none")]
    let all = try (0..<8).map { _ in try startProgram("headerd", ["--socket", dead.socket], environment: nothing) }
    let left = try all.filter { try $0.waitForErrors(containing: "event=started") }
    #expect(left.count == 1)
    #expect(try WireClient(dead.socket).request("ping")["error"].isAbsent)
    for one in left {
      one.signal(SIGTERM)
      #expect(try one.waitForExit() == 0)
    }
  }

  /// Perhaps by a cleaner of /tmp: with or without the lock, or all of the folder.
  @Test(arguments: ["socket", "lock and socket", "folder"])
  func aSocketWhoseFileIsDeletedIsMadeAgain(_ what: String) throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    let socket = folder("headerd/headerd.sock")
    let daemon = try RunningDaemon(
      in: folder, socket: socket, arguments: [], environment: ["XDG_RUNTIME_DIR": folder.path])
    let before = try daemon.client()
    for time in 1...2 {
      // It must not be back before all is gone.
      try daemon.process.halt()
      defer { daemon.process.signal(SIGCONT) }
      if what == "lock and socket" { try FileManager.default.removeItem(atPath: socket + ".lock") }
      try FileManager.default.removeItem(atPath: what == "folder" ? folder("headerd") : socket)
      daemon.process.signal(SIGCONT)
      #expect(try daemon.process.waitForErrors(containing: "event=socketRemade", times: time))
      #expect(try daemon.client().request("ping")["error"].isAbsent)
      #expect(try before.request("ping")["error"].isAbsent)
      #expect(TestFiles.mode(socket) == 0o600 && TestFiles.exists(socket + ".lock"))
    }
  }

  @Test func whatIsNoSocketIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("precious", to: "file")
    let end = try refused(folder, ["--socket", file])
    #expect(end.status == 1)
    #expect(
      end.errors == "headerd: \(file) exists and is no socket; it is left alone, choose another place with --socket\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(!TestFiles.exists(file + ".lock"))
  }

  /// A successor's socket at the same path is not ours to remove, and not ours to take back.
  @Test func anotherOnesSocketIsNotRemoved() throws {
    let daemon = try RunningDaemon()
    try daemon.process.halt()
    defer { daemon.process.signal(SIGCONT) }
    try FileManager.default.removeItem(atPath: daemon.socket)
    try FileManager.default.removeItem(atPath: daemon.socket + ".lock")
    let successor = try RunningDaemon(in: daemon.folder, socket: daemon.socket, arguments: ["--socket", daemon.socket])
    daemon.process.signal(SIGCONT)
    #expect(try daemon.process.waitForErrors(containing: "event=socketLost"))
    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    #expect(TestFiles.exists(daemon.socket + ".lock"))
    #expect(try successor.client().request("ping")["error"].isAbsent)
  }

  @Test(arguments: [(mode: "", bits: 0o600), (mode: "[socket]\nmode = \"0660\"\n", bits: 0o660)])
  func theSocketHasTheModeThatIsConfigured(_ row: (mode: String, bits: Int)) throws {
    let daemon = try RunningDaemon(config: row.mode)
    #expect(TestFiles.mode(daemon.socket) == row.bits)
  }

  @Test func theRuntimeFolderIsMadePrivate() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    let socket = folder("headerd/headerd.sock")
    let daemon = try RunningDaemon(
      in: folder, socket: socket, arguments: [], environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(TestFiles.mode(folder("headerd")) == 0o700)
    #expect(TestFiles.mode(daemon.socket) == 0o600)
  }

  @Test func theEnvironmentStandsAboveTheFileAndTheOptionAboveBoth() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    let config = try folder.write("socket.path = \"\(folder("file.sock"))\"\n", to: "headerd.toml")
    for (arguments, environment, name) in [
      ([], [:], "file.sock"), ([], ["HEADERD_SOCKET": folder("environment.sock")], "environment.sock"),
      (["--socket", folder("option.sock")], ["HEADERD_SOCKET": folder("environment.sock")], "option.sock"),
    ] as [([String], [String: String], String)] {
      let daemon = try RunningDaemon(
        in: folder, socket: folder(name), arguments: ["--config", config] + arguments, environment: environment)
      #expect(try daemon.client().request("ping")["error"].isAbsent)
    }
  }

  @Test func aPathThatIsTooLongIsToldWithItsLength() throws {
    let folder = try TemporaryFolder()
    let path = folder(String(repeating: "x", count: 120))
    let end = try refused(folder, ["--socket", path])
    #expect(end.status == 1)
    let difference = try Golden("long-path.txt").difference(to: scrubbed(end.errors, folder: folder.path))
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func aFolderThatIsNotThereIsTold() throws {
    let folder = try TemporaryFolder()
    let end = try refused(folder, ["--socket", folder("no/where.sock")])
    #expect(end.status == 1)
    let difference = try Golden("no-folder.txt").difference(to: scrubbed(end.errors, folder: folder.path))
    #expect(difference == nil, "\(difference ?? "")")
  }
}

// MARK: - Who may do what

@Suite struct RoleTests {
  /// The kernel says who a client is; the config, what he may.
  @Test func whoLacksARoleIsToldWhichOne() throws {
    let daemon = try RunningDaemon(
      config: "[roles]\npublish = [\"uid:4000000\"]\nsubscribe = [\"any\"]\nadmin = []\n" + ConfigTests.header)
    let client = try daemon.client()
    #expect(try client.result("hello")["roles"].strings == ["subscribe"])
    #expect(try client.result("subscribe", #"{"headers":"main"}"#)["matched"].int == 1)
    #expect(try client.result("header.get", #"{"header":"main"}"#)["state"]["seq"].int == 1)
    for (method, role) in [
      ("header.open", "publish"), ("header.close", "publish"), ("event", "publish"), ("header.call", "publish"),
      ("header.configure", "tune"), ("plugin.list", "admin"), ("plugin.load", "admin"), ("trace.start", "admin"),
    ] {
      let refusal = try client.refusal(method, #"{"header":"main"}"#)
      #expect(refusal["data"]["name"].string == "notPermitted", "\(method)")
      #expect(refusal["message"].string?.contains(role) == true, "\(method): \(refusal)")
    }
  }

  /// Anybody may read the counters, which are everybody's.
  @Test func onlyAnAdminSetsTheCountersToZero() throws {
    let daemon = try RunningDaemon(config: "[roles]\npublish = [\"any\"]\nsubscribe = [\"any\"]\nadmin = []\n")
    let client = try daemon.client()
    _ = try client.result("header.open", LifeTests.opening)
    _ = try client.result("event", LifeTests.scroll(1, 10))
    let refusal = try client.refusal("stats", #"{"reset":true}"#)
    #expect(refusal["data"]["name"].string == "notPermitted")
    #expect(refusal["data"]["role"].string == "admin")
    #expect(
      refusal["message"].string == "stats with reset needs the role admin, this connection has publish, subscribe, tune"
    )
    #expect(try client.result("stats", #"{"reset":false}"#)["events"].int == 1)
    #expect(try client.result("stats")["events"].int == 1)
  }
}

// MARK: - The command line

@Suite struct CommandLineTests {
  @Test(arguments: [
    ["--version"], ["--help"], ["--sokcet", "x"], ["--config"], ["extra"], ["--config", "/nonexistent/headerd.toml"],
  ]) func saysWhatItIsAskedAndWhatIsWrong(_ arguments: [String]) throws {
    let end = try runProgram("headerd", arguments)
    let text = "status \(end.status)\n--- stdout\n\(end.output)--- stderr\n\(end.errors)"
    let name = arguments.joined(separator: "-").replacingOccurrences(of: "/", with: "-")
    let difference = try Golden("command-line\(name.hasPrefix("-") ? name : "-\(name)").txt").difference(to: text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
