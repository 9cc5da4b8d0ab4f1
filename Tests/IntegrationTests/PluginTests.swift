// SPDX-License-Identifier: MIT
//
// Plugins through the daemon: files that are not trusted or no plugins, a rebuilt plugin that takes over a live header,
// one that does not, and one that fails while another header goes on.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PluginTests {
  /// Compiles Plugins/mover.c into a daemon's folder the way an installer does: beside it, then renamed.
  static func install(_ flags: [String], over name: String = "Mover", in daemon: RunningDaemon, mode: Int = 0o755)
    throws
  {
    let built = daemon.folder("built.so")
    try compilePlugin("\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", flags, to: built)
    try TestFiles.install(built, over: "\(daemon.plugins)/lib\(name).so", mode: mode)
  }

  static func opening(_ header: String, _ behavior: String = "Mover") -> String {
    """
    {"header":"\(header)","scrollViews":{"content":{"viewport":{"width":100,"height":100},"contentSize":{"height":1000}}},\
    "drawers":[{"name":"bar","height":40}],"delegates":[{"behavior":"\(behavior)"}],"frames":"events"}
    """
  }

  static func scroll(_ header: String, _ time: Int, _ y: Int) -> String {
    #"{"header":"\#(header)","event":"didScroll","time":\#(time),"offset":{"y":\#(y)}}"#
  }

  /// What is refused, and the words for it (Golden/refused-plugins.txt).
  @Test func whatIsNoTrustworthyPluginIsRefusedWithTheReason() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    _ = try client.result("header.open", Conversation.opening)
    var told = ""
    func load(_ title: String, _ name: String = "Mover") throws {
      let refusal = try client.refusal("plugin.load", "{\"plugin\":\"\(name)\"}")
      told += "# \(title)\n\(scrubbed(refusal.description, folder: daemon.folder.path))\n\n"
    }
    try load("not there")
    try Self.install(["-DNO_SYMBOL"], in: daemon)
    try load("without the symbol")
    try Self.install(["-DABI=2"], in: daemon)
    try load("of another ABI")
    try Self.install(["-DNAME=\"Shaker\""], in: daemon)
    try load("with another name inside")
    try Self.install(["-DNAME=\"ShyNavBar\""], over: "Other", in: daemon)
    try load("with the name of another", "Other")
    try Self.install([], in: daemon, mode: 0o757)
    try load("writable by everybody")
    try TestFiles.install(try daemon.folder.write("not a library", to: "text"), over: daemon.plugins + "/libMover.so")
    try load("no library at all")
    try FileManager.default.removeItem(atPath: daemon.plugins + "/libMover.so")
    try FileManager.default.createDirectory(atPath: daemon.plugins + "/libMover.so", withIntermediateDirectories: false)
    try load("a folder")
    try FileManager.default.removeItem(atPath: daemon.plugins + "/libMover.so")
    let difference = try Golden("refused-plugins.txt").difference(to: told)
    #expect(difference == nil, "\(difference ?? "")")

    // The daemon goes on, and a good file of the same name is taken.
    try Self.install([], in: daemon)
    #expect(try client.result("plugin.load", #"{"plugin":"Mover"}"#)["version"].string == "1.0")
    #expect(try client.result("event", LifeTests.scroll(1, -80))["seq"].int == 2)
  }

  /// At the start `load = ["*"]` leaves a bad one out and says so; one that is named is a reason not to start.
  @Test func aBadPluginAtTheStart() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder, copied: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder("plugins/libShyNavBar.so"))
    let daemon = try RunningDaemon(in: folder, socket: folder("s"), arguments: ["--socket", folder("s")])
    #expect(try daemon.client().result("plugin.list")["plugins"].list.isEmpty)
    let reason = "FOLDER/plugins/libShyNavBar.so can be written by everybody (mode 0777); chmod o-w it"
    let log = scrubbed(daemon.errors, folder: folder.path)
    #expect(log.contains("level=warning event=pluginRefused reason=\"\(reason)\""), "\(log)")

    let config = try folder.write("[plugins]\nload = [\"ShyNavBar\"]\n", to: "headerd.toml")
    let end = try runProgram(
      "headerd", ["--config", config, "--socket", folder("t")], environment: ["HEADERD_PLUGIN_PATH": folder("plugins")])
    #expect(end.status == 1)
    #expect(
      scrubbed(end.errors, folder: folder.path) == "headerd: FOLDER/headerd.toml:2:9: plugins.load[0]: \(reason)\n")
  }

  /// The kernel bounds the mappings of a process, and none of a plugin's is ever undone.
  @Test func whatHasNotChangedIsNotMappedAgain() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    try Self.install(["-DFAILS"], in: daemon)
    _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    _ = try client.result("header.open", Self.opening("a"))
    _ = try client.result("event", Self.scroll("a", 1, 7))
    let before = try client.result("header.get", #"{"header":"a"}"#).description
    // A library's file in memory has its name in the list, and an inode of its own, however many parts of it are mapped.
    func copies() -> Int {
      let mapped = TestFiles.text("/proc/\(daemon.process.pid)/maps").split(separator: "\n")
      return Set(mapped.filter { $0.contains("libMover.so") }.map { $0.split(separator: " ")[4] }).count
    }
    #expect(copies() == 1)
    for _ in 0..<100 {
      let answer = try client.result("plugin.reload", #"{"plugin":"Mover"}"#)
      #expect(answer["changed"].bool == false && answer["headers"].list.isEmpty)
    }
    #expect(copies() == 1)
    #expect(try client.result("header.get", #"{"header":"a"}"#).description == before)

    // Touched is not changed; neither is it when it was unloaded in between.
    try Self.install(["-DFAILS"], in: daemon)
    #expect(try client.result("plugin.reload", #"{"plugin":"Mover"}"#)["changed"].bool == false)
    _ = try client.refusal("event", Self.scroll("a", 2, 200))
    let anew = try client.result("plugin.reload", #"{"plugin":"Mover"}"#)
    #expect(anew["changed"].bool == false)
    #expect(anew["headers"].list.map { $0["header"].string } == ["a"], "what is passed over begins anew")
    _ = try client.result("header.close", #"{"header":"a"}"#)
    for _ in 0..<20 {
      _ = try client.result("plugin.unload", #"{"plugin":"Mover"}"#)
      _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    }
    #expect(copies() == 1)
    try Self.install(["-DSTEP=2"], in: daemon)
    #expect(try client.result("plugin.reload", #"{"plugin":"Mover"}"#)["changed"].bool == true)
    #expect(copies() == 2)
  }

  /// A rebuilt plugin takes over a live header between two events: nothing jumps, what it saved goes on.
  @Test func aRebuiltPluginTakesOver() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    let subscriber = try daemon.client()
    try Self.install([], in: daemon)
    _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    _ = try client.result("header.open", Self.opening("a"))
    _ = try client.result("header.open", Self.opening("b"))
    _ = try subscriber.result("subscribe", #"{"headers":"**","mode":"every"}"#)
    for header in ["a", "b"] { _ = try client.result("event", Self.scroll(header, 1, 7)) }
    let before = try client.result("header.get", #"{"header":"a"}"#)["state"].description

    try Self.install(["-DSTEP=2"], in: daemon)
    let reloaded = try client.result("plugin.reload", #"{"plugin":"Mover"}"#)
    #expect(reloaded["headers"].list.map { $0["header"].string } == ["a", "b"])
    #expect(try client.result("plugin.list", #"{"plugin":"Mover"}"#)["plugins"][0]["version"].string == "2.0")
    #expect(try client.result("header.get", #"{"header":"a"}"#)["state"].description == before)
    _ = try client.result("event", Self.scroll("a", 2, 10))
    let after = try client.result("header.get", #"{"header":"a"}"#)["state"]
    #expect(after["drawers"][0]["frame"]["y"].double == -13)
    #expect(after["values"]["moves"].double == 2)

    // One that does not take the saved state is sent away again; the old one goes on, in all headers.
    try Self.install(["-DSTEP=3", "-DREFUSES_RESTORE"], in: daemon)
    let refusal = try client.refusal("plugin.reload", #"{"plugin":"Mover"}"#)
    #expect(refusal["data"]["name"].string == "pluginRefused")
    #expect(refusal.description.contains("its moves cannot be taken over"), "\(refusal)")
    _ = try client.result("event", Self.scroll("a", 3, 11))
    _ = try client.result("event", Self.scroll("b", 3, 12))
    // So is one that is not a plugin any more.
    try Self.install(["-DNO_SYMBOL"], in: daemon)
    #expect(try client.refusal("plugin.reload", #"{"plugin":"Mover"}"#)["data"]["name"].string == "pluginRefused")
    _ = try client.result("event", Self.scroll("b", 4, 13))

    let states = try subscriber.settle().lines.map { try JSON($0)["params"] }
    func heights(_ header: String) -> [Double?] {
      states.filter { $0["header"].string == header }.map { $0["drawers"][0]["frame"]["y"].double }
    }
    #expect(heights("a") == [0, -7, -13, -15])
    #expect(heights("b") == [0, -7, -17, -19])
    for header in ["a", "b"] {
      let seqs = states.filter { $0["header"].string == header }.compactMap { $0["seq"].int }
      #expect(seqs == Array(1...4))
    }
  }

  /// A delegate that gives NaN is bypassed with a notice and an error; another header with the same plugin, and one with
  /// another, do not notice.
  @Test func aFailingPluginStopsNobodyElse() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    try Self.install(["-DFAILS"], in: daemon)
    _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    let bystanders = try Bystanders(daemon)
    _ = try client.result("header.open", Self.opening("bad"))
    _ = try client.result("header.open", Self.opening("good"))
    let subscriber = try daemon.client()
    _ = try subscriber.result("subscribe", #"{"headers":["bad","good"],"mode":"every"}"#)
    for step in 1...4 {
      try bystanders.goOn()
      _ = try client.result("event", Self.scroll("good", step, step))
      let answer = try client.request("event", Self.scroll("bad", step, step * 40))
      // At 120 points it gives NaN; from then on it is not asked any more.
      #expect(answer["error"].isAbsent == (step != 3), "\(answer.text)")
      guard step == 3 else { continue }
      #expect(answer["error"]["data"]["name"].string == "behaviorFailed")
      #expect(answer["error"]["data"]["culprit"].string == "mover")
      #expect(answer["error"]["data"]["header"].string == "bad")
    }
    let states = try subscriber.settle().lines.map { try JSON($0)["params"] }
    let bad = states.filter { $0["header"].string == "bad" }
    #expect(bad.map { $0["drawers"][0]["frame"]["y"].double } == [0, -40, -80, -80])
    #expect(bad.last?["notices"][0]["name"].string == "delegatePassedOver")
    let good = states.filter { $0["header"].string == "good" }
    #expect(good.map { $0["drawers"][0]["frame"]["y"].double } == [0, -1, -2, -3, -4])
    let bugs = daemon.errors.split(separator: "\n").filter { $0.contains("event=pluginBug") }
    #expect(bugs.count == 1 && bugs[0].contains("plugin=Mover"), "\(bugs)")

    let quiet = try RunningDaemon(plugins: ["ShyNavBar"])
    let reference = try Bystanders(quiet)
    for _ in 0..<bystanders.steps { try reference.goOn() }
    #expect(try bystanders.story() == reference.story())
  }

  /// What a behavior logs is a line with its plugin, behavior and header; the trial at the start says nothing, and too many lines
  /// are counted.
  @Test func whatABehaviorLogsIsALine() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DLOGS"], to: folder("plugins/libMover.so"))
    let config = try folder.write(
      """
      [log]
      level = "debug"
      [[header]]
      header = "a"
      scrollViews.content = { viewport = { width = 100, height = 100 }, contentSize = { height = 1000 } }
      drawers = [ { name = "bar", height = 40 } ]
      delegates = [ { behavior = "Mover" } ]
      frames = "events"

      """, to: "headerd.toml")
    let daemon = try RunningDaemon(
      in: folder, socket: folder("s"), arguments: ["--config", config, "--socket", folder("s")])
    let client = try daemon.client()
    func lines() -> [String] {
      scrubbed(daemon.errors).split(separator: "\n").map(String.init).filter { $0.contains("event=pluginLog ") }
    }
    let whose = "event=pluginLog plugin=Mover behavior=Mover header=a"
    try eventually("it has attached") { !lines().isEmpty }
    #expect(lines() == ["time=TIME level=debug \(whose) message=attached"])
    _ = try client.result("event", Self.scroll("a", 1, 5))
    try eventually("it has moved") { lines().count == 2 }
    #expect(lines().last == #"time=TIME level=info \#(whose) message="moved\n\"far\"""#)
    _ = try client.result("event", Self.scroll("a", 2, -5))
    try eventually("it has moved back") { lines().count == 3 }
    #expect(lines().last?.hasPrefix("time=TIME level=warning \(whose)") == true)

    for step in 3..<1_000 { _ = try client.result("event", Self.scroll("a", step, step)) }
    #expect(try daemon.process.waitForErrors(containing: "event=linesLeftOut of=pluginLog"))
    #expect(lines().count < 900)
  }

  /// Unloading is refused while headers use it; by force its delegates are passed over and the headers live on.
  @Test func unloadingByForce() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    try Self.install([], in: daemon)
    _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    _ = try client.result("header.open", Self.opening("a"))
    _ = try client.result("event", Self.scroll("a", 1, 5))
    let inUse = try client.refusal("plugin.unload", #"{"plugin":"Mover"}"#)
    #expect(inUse["data"]["headers"].strings == ["a"])
    #expect(try client.result("plugin.unload", #"{"plugin":"Mover","force":true}"#)["headers"].strings == ["a"])
    #expect(try client.refusal("header.open", Self.opening("b"))["data"]["name"].string == "behaviorNotFound")
    _ = try client.result("event", Self.scroll("a", 2, 9))
    let state = try client.result("header.get", #"{"header":"a"}"#)["state"]
    #expect(state["drawers"][0]["frame"]["y"].double == -5)
    #expect(try client.result("plugin.list")["plugins"].list.map { $0["plugin"].string } == ["ShyNavBar"])
  }
}
