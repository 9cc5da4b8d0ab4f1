// SPDX-License-Identifier: MIT
//
// Headers with a plugin in a process of its own (`plugins.isolation`): the process crashes, ends, never returns; another one goes
// on, the daemon and all other headers notice nothing.

import DaemonTestKit
import Foundation
import Testing

@Suite struct WorkerTests {
  private static let memory = TestFiles.isSanitized ? 0 : 100_000_000

  /// A daemon with the plugin of crasher.c in a process, and ShyNavBar in its own.
  /// - Parameters:
  ///   - deadline: seconds after which a process counts as hung, also one that a busy machine does not run. A test that counts deaths,
  ///     and in which nothing hangs, takes more.
  ///   - landlock: the version that its processes take the kernel to have; nil: its own.
  static func daemon(
    _ isolation: String = "{ Crasher = \"process\" }", more: String = "", threads: Int? = nil, deadline: Int = 1,
    landlock: Int? = nil
  ) throws -> RunningDaemon {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar", "CollapsingHeader", "FlexibleHeader"], in: folder)
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/crasher.c", ["-w"], to: folder("plugins/libCrasher.so"))
    let config = """
      [plugins]
      isolation = \(isolation)
      deadline = \(deadline)
      processMemory = \(memory)
      \(more)

      """
    try folder.write(try #require(RunningDaemon.config(config, threads: threads)), to: "headerd.toml")
    return try RunningDaemon(
      in: folder, socket: folder("headerd.sock"),
      arguments: ["--config", folder("headerd.toml"), "--socket", folder("headerd.sock")],
      program: "\(landlock.map { try TestFiles.prefix(landlock: $0) } ?? TestFiles.prefix)/bin/headerd")
  }

  static func opening(_ name: String, _ behavior: String = "Crasher") -> String {
    PluginTests.opening(name, behavior)
  }

  static func scroll(_ name: String, _ time: Int, _ y: Int) -> String { PluginTests.scroll(name, time, y) }

  @Test(arguments: [1, 3]) func aHeaderInAProcessIsLikeAnyOther(_ threads: Int) throws {
    let daemon = try Self.daemon(threads: threads)
    let client = try daemon.client()
    var states: [[String]] = []
    for isolated in [true, false] {
      let name = isolated ? "there" : "here"
      if !isolated {
        try daemon.folder.write("[plugins]\nisolation = { default = \"none\" }\n", to: "headerd.toml")
        daemon.process.signal(SIGHUP)
        #expect(try daemon.process.waitForErrors(containing: "configRead"))
        _ = try client.result("header.close", #"{"header":"there"}"#)
        _ = try client.result("plugin.unload", #"{"plugin":"Crasher"}"#)
        _ = try client.result("plugin.load", #"{"plugin":"Crasher"}"#)
      }
      let rows = try client.result("plugin.list")["plugins"].list
      #expect(rows.first { $0["plugin"].string == "Crasher" }?["state"].string == (isolated ? "isolated" : "loaded"))
      _ = try client.result("header.open", Self.opening(name))
      var seen: [String] = []
      for time in 1...20 {
        let answer = try client.result("event", Self.scroll(name, time, time * 3))
        #expect(answer["seq"].int == time + 1)
        seen.append(try client.result("header.get", #"{"header":"\#(name)"}"#)["state"]["drawers"].description)
      }
      _ = try client.result("header.configure", #"{"header":"\#(name)","environment":{"reduceMotion":true}}"#)
      seen.append(
        try client.result("header.get", #"{"header":"\#(name)","include":["saved"]}"#)["saved"]["delegates"].description
      )
      states.append(seen)
    }
    #expect(states[0] == states[1])
    #expect(try client.result("stats")["workers"]["deaths"].int == 0)
  }

  /// SIGHUP changes what the config says of processes for those that start from then on.
  @Test(arguments: [1, 3]) func aProcessIsStartedAsThePresentConfigSays(_ threads: Int) throws {
    let daemon = try Self.daemon(threads: threads)
    let config = """
      [plugins]
      isolation = { default = "process" }
      deadline = 30
      processMemory = \(Self.memory)
      headersPerProcess = 1

      """
    try daemon.folder.write(try #require(RunningDaemon.config(config, threads: threads)), to: "headerd.toml")
    daemon.process.signal(SIGHUP)
    #expect(try daemon.process.waitForErrors(containing: "configRead"))
    let client = try daemon.client()
    let names = (1...4).map { "there\($0)" }
    for name in names { _ = try client.result("header.open", Self.opening(name)) }
    #expect(try client.result("stats")["workers"]["processes"].int == names.count)
    try daemon.kill()
  }

  /// Why a header in a process did what it did is told as of any other, also after another process has gone on with it.
  @Test func aHeaderInAProcessIsExplained() throws {
    let daemon = try Self.daemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("there"))
    let reader = try daemon.client()
    _ = try reader.result("subscribe", #"{"headers":"there","mode":"every","explain":true}"#)
    _ = try client.result("header.explain", #"{"header":"there","keep":4}"#)
    for time in 1...6 {
      _ = try client.result("event", Self.scroll("there", time, time * 3))
      let state = try reader.notification("state") { $0["seq"].int == time + 1 }
      #expect(state["explanation"]["seq"].int == time + 1)
      #expect(state["explanation"]["event"]["time"].int == time)
      #expect(state["explanation"]["turns"][0]["delegate"].string == "crasher")
    }
    let last = try client.result("header.explain", #"{"header":"there","last":3}"#)
    #expect(last["keep"].int == 4)
    #expect(last["explanations"].list.map { $0["seq"].int } == [5, 6, 7])
    #expect(last["explanations"].list.allSatisfy { $0["story"].strings.count > 2 })
    // The process ends; the next one goes on, and explains as well.
    _ = try client.request("event", Self.scroll("there", 20, 1000))
    _ = try client.result("event", Self.scroll("there", 21, 40))
    #expect(try client.result("stats")["workers"]["deaths"].int == 2)
    let kept = try client.result("header.explain", #"{"header":"there"}"#)["explanations"].list
    #expect(kept.last?["event"]["time"].int == 21 && kept.last?["story"].strings.count ?? 0 > 1)
    #expect(kept.count == 4)
    try daemon.kill()
  }

  /// A shadow of a header in a process is beside it there, is promoted as any other, and takes nothing along when it crashes.
  @Test func aHeaderInAProcessHasAShadow() throws {
    let daemon = try Self.daemon("{ Crasher = \"process\", ShyNavBar = \"process\" }")
    let client = try daemon.client()
    for name in ["shadowed", "alone"] { _ = try client.result("header.open", Self.opening(name, "ShyNavBar")) }
    func shadow(_ more: String = "") throws -> JSON {
      try client.result("delegate.shadow", #"{"header":"shadowed","delegate":"shyNavBar"\#(more)}"#)["shadow"]
    }
    #expect(try shadow()["events"].isAbsent)
    #expect(try shadow(#","options":{"contractionResistance":1000}"#)["events"].int == 0)
    let wrong = try client.request(
      "delegate.shadow", #"{"header":"shadowed","delegate":"shyNavBar","options":{"contractionResistance":"much"}}"#)
    #expect(wrong["error"]["data"]["name"].string == "invalidOption")
    #expect(try shadow(#","options":{"contractionResistance":1000}"#)["events"].int == 0)
    func drawers(_ name: String) throws -> String {
      try client.result("header.get", #"{"header":"\#(name)"}"#)["state"]["drawers"].description
    }
    for time in 1...20 {
      for name in ["shadowed", "alone"] { _ = try client.result("event", Self.scroll(name, time, time * 4)) }
    }
    let seen = try shadow()
    #expect(seen["events"].int == 20 && (seen["differences"].int ?? 0) > 5 && seen["failure"].isAbsent, "\(seen)")
    let rows = try client.result("stats", #"{"include":["headers"]}"#)["headerRows"].list
    #expect(rows.isEmpty || rows.contains { $0["shadow"]["events"].int == 20 })
    #expect(try drawers("shadowed") == drawers("alone"))
    _ = try client.result("delegate.promote", #"{"header":"shadowed","delegate":"shyNavBar"}"#)
    let description = try client.result("header.get", #"{"header":"shadowed","include":["description"]}"#)
    #expect(description["description"]["delegates"][0]["options"]["contractionResistance"].int == 1000)
    #expect(try shadow()["events"].isAbsent)
    if TestFiles.isSanitized { return }
    // Another behavior, which ends the process: the header's own delegate is not to blame.
    #expect(try shadow(#","behavior":"Crasher""#)["events"].int == 0)
    _ = try client.result("event", Self.scroll("shadowed", 30, 40))
    #expect(try shadow()["events"].int == 1)
    for time in 31...34 { _ = try client.result("event", Self.scroll("shadowed", time, time == 31 ? 1000 : time)) }
    #expect(try client.result("stats")["workers"]["deaths"].int == 1)
    #expect(try shadow()["failure"].string?.contains("process") == true)
    #expect(!daemon.errors.contains("delegateBypassed"))
    let state = try client.result("header.get", #"{"header":"shadowed"}"#)["state"]
    #expect(state["scrollViews"].description.contains("\"y\":34"))
    #expect(try shadow(#","end":true"#)["events"].isAbsent)
    try daemon.kill()
  }

  /// What ends its process once is tried once more, then by itself, and then bypassed; others notice nothing.
  @Test(arguments: [
    (0, "it crashed: Segmentation fault"), (1, "it crashed: Aborted"), (2, "it ended with status 0"),
    (3, "it did not return within 1 s"), (4, "it crashed: Segmentation fault"), (7, "it crashed: Aborted"),
    (10, "it crashed: Killed"), (11, "it ended with status 3"), (12, "it crashed: Killed"),
  ])
  func whatEndsItsProcessIsBypassed(_ act: Int, _ reason: String) throws {
    if TestFiles.isSanitized, [0, 1, 4, 7].contains(act) { return }
    let daemon = try Self.daemon()
    let client = try daemon.client()
    for (name, behavior) in [("bad", "Crasher"), ("beside", "Crasher"), ("far", "ShyNavBar")] {
      _ = try client.result("header.open", Self.opening(name, behavior))
      _ = try client.result("event", Self.scroll(name, 1, 10))
    }
    let answer = try client.request("event", Self.scroll("bad", 2, 1000 + act))
    #expect([nil, "behaviorFailed"].contains(answer["error"]["data"]["name"].string))
    _ = try client.result("event", Self.scroll("far", 2, 60))
    for name in ["beside"] {
      #expect(try client.result("event", Self.scroll(name, 2, 20))["seq"].int == 3)
    }
    // It is bypassed: the header goes on without it.
    _ = try client.result("event", Self.scroll("bad", 3, 30))
    let state = try client.result("header.get", #"{"header":"bad"}"#)["state"]
    #expect(state.description.contains("\"y\":30"), "\(state)")
    #expect(try client.result("stats")["workers"]["deaths"].int == 3)
    let died = daemon.errors.split(separator: "\n").filter { $0.contains("event=workerDied") }
    #expect(died.count == 3, "\(daemon.errors)")
    #expect(died.allSatisfy { $0.contains("header=bad delegate=crasher event=didScroll") && $0.contains(reason) })
    #expect(daemon.errors.contains("event=delegateBypassed header=bad delegate=crasher"))
    // A reload gives it another chance.
    _ = try client.result("plugin.reload", #"{"plugin":"Crasher"}"#)
    _ = try client.result("event", Self.scroll("bad", 4, 40))
    #expect(try client.result("event", Self.scroll("beside", 5, 40))["seq"].int ?? 0 > 3)
    try daemon.kill()
  }

  /// Calls of plugins in processes are counted as all others, those in a process that is gone too, and from zero when asked.
  @Test func callsInProcessesAreCounted() throws {
    let daemon = try Self.daemon()
    let client = try daemon.client()
    func calls(_ params: String = "{}") throws -> Int {
      try client.result("stats", params)["plugins"]["Crasher"]["calls"].int ?? -1
    }
    #expect(try calls() == 0)
    _ = try client.result("header.open", Self.opening("a"))
    for time in 1...100 { _ = try client.result("event", Self.scroll("a", time, time)) }
    let before = try calls()
    #expect(before >= 100)
    #expect(try client.result("stats")["plugins"]["Crasher"]["time"].double ?? 0 > 0)
    // It ends two processes; what they had counted before stays.
    _ = try client.request("event", Self.scroll("a", 101, 1000))
    #expect(try client.result("stats")["workers"]["deaths"].int == 2)
    let after = try calls(#"{"reset":true}"#)
    #expect(after >= before)
    #expect(try calls() == 0)
    _ = try client.result("header.open", Self.opening("b"))
    for time in 1...10 { _ = try client.result("event", Self.scroll("b", time, time)) }
    #expect((10..<100).contains(try calls()))
    try daemon.kill()
  }

  /// A header goes into a process when an isolated behavior joins its chain, as it is.
  @Test func aHeaderMovesIntoAProcess() throws {
    let daemon = try Self.daemon()
    let client = try daemon.client()
    let opening =
      #"{"header":"a","scrollViews":{"content":{"viewport":{"width":100,"height":100},"contentSize":{"height":1000}}},"#
      + #""drawers":[{"name":"bar","height":40}],"frames":"events"}"#
    _ = try client.result("header.open", opening)
    for time in 1...5 { _ = try client.result("event", Self.scroll("a", time, time)) }
    let before = try client.result("header.get", #"{"header":"a"}"#)["state"]
    #expect(try client.result("stats")["workers"].isAbsent)
    _ = try client.result("delegate.add", #"{"header":"a","behavior":"Crasher"}"#)
    #expect(try client.result("stats")["workers"]["headers"].int == 1)
    let after = try client.result("header.get", #"{"header":"a"}"#)["state"]
    #expect(after["scrollViews"].description == before["scrollViews"].description)
    _ = try client.result("event", Self.scroll("a", 6, 30))
    #expect(try client.result("header.get", #"{"header":"a"}"#)["state"]["values"]["moves"].int == 1)
    _ = try client.result("delegate.remove", #"{"header":"a","delegate":"crasher"}"#)
    _ = try client.result("event", Self.scroll("a", 7, 35))
    try daemon.kill()
  }

  /// A drawer of another header goes as far with its leader as if both were in the daemon: also where a status bar or a notch shows a
  /// part of the leader, where the leader's behavior has a place of its own, and where it was scrolled before anybody followed.
  @Test(arguments: [
    (#""behavior":"CollapsingHeader""#, [0, 20, 59]),
    (#""behavior":"FlexibleHeader","options":{"minimumHeight":44,"maximumHeight":44,"shiftBehavior":"enabled"}"#, [0]),
  ])
  func aHeaderInAProcessLeads(_ delegate: String, _ statusBars: [Int]) throws {
    var seen: [[String]] = []
    for isolation in ["{ CollapsingHeader = \"process\", FlexibleHeader = \"process\" }", "{}"] {
      let daemon = try Self.daemon(isolation)
      let client = try daemon.client()
      var places: [String] = []
      for bar in statusBars {
        _ = try client.result(
          "header.open",
          #"{"header":"leader","frames":"events","environment":{"safeAreaInset":{"top":\#(bar)}},"#
            + #""scrollViews":{"content":{"viewport":{"width":320,"height":480},"contentSize":{"height":2000}}},"#
            + #""drawers":[{"name":"nav","height":44}],"delegates":[{\#(delegate)}]}"#)
        let follower =
          #""frames":"events","scrollViews":{"content":{"viewport":{"width":320,"height":480}}},"#
          + #""drawers":[{"name":"tabs","edge":"bottom","height":50,"follow":{"header":"leader","drawer":"nav"}}]"#
        _ = try client.result("header.open", #"{"header":"early",\#(follower)}"#)
        func place(_ header: String) throws -> String {
          let state = try client.result("header.get", #"{"header":"\#(header)"}"#)["state"]
          return state["drawers"][0]["frame"]["y"].description
        }
        for time in 1...40 {
          _ = try client.result("event", Self.scroll("leader", time, time * 2 - 44 - bar))
          places.append(try place("early"))
        }
        _ = try client.result("header.open", #"{"header":"late",\#(follower)}"#)
        _ = try client.result("header.get", #"{"header":"leader","include":["saved"]}"#)
        #expect(try place("late") == place("early") && place("late") == "480", "\(isolation), \(bar)")
        for header in ["leader", "early", "late"] { _ = try client.result("header.close", #"{"header":"\#(header)"}"#) }
      }
      seen.append(places)
      try daemon.kill()
    }
    #expect(seen[0] == seen[1])
  }

  /// Another client answers for a header in a process, and late.
  @Test func clientsAreAskedAsAnywhere() throws {
    let daemon = try Self.daemon()
    let (client, guardian) = (try daemon.client(), try daemon.client())
    _ = try client.result("header.open", Self.opening("a"))
    _ = try guardian.result(
      "delegate.add", #"{"header":"a","client":"intercept","name":"guard","deadline":0.1}"#)
    try client.write("{\"id\":90,\"method\":\"event\",\"params\":\(Self.scroll("a", 1, 10))}\n")
    let question = try guardian.message()
    #expect(question["method"].string == "delegate.ask" && question["params"]["event"]["offset"]["y"].int == 10)
    try guardian.write("{\"id\":\"\(question["id"].string ?? "")\",\"result\":{\"verdict\":\"pass\"}}\n")
    #expect(try client.message()["result"]["seq"].int == 2)
    // Nobody answers this one in time.
    #expect(try client.result("event", Self.scroll("a", 2, 20))["seq"].int ?? 0 > 2)
    try daemon.kill()
  }

  /// Scrolls that nobody asks an answer for follow each other, and a ping follows all of them.
  @Test func aPingWaitsForScrollsUnderWay() throws {
    let daemon = try Self.daemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("a"))
    _ = try client.result("subscribe", #"{"headers":"a","mode":"every"}"#)
    _ = try client.result("event", Self.scroll("a", 1, 1))
    let scrolls = (2...150).map { "{\"method\":\"event\",\"params\":\(Self.scroll("a", $0, $0))}\n" }
    try client.write(scrolls.joined() + "{\"id\":77,\"method\":\"ping\"}\n")
    var seen = 0
    while true {
      let message = try client.message()
      if message["id"].int == 77 { break }
      if message["method"].string == "state" { seen = message["params"]["seq"].int ?? 0 }
    }
    #expect(seen == 151)
    try daemon.kill()
  }

  /// The daemon is killed, and the next one has the header in a process again, where it was.
  @Test func aJournalHasHeadersInProcessesToo() throws {
    let folder = try TemporaryFolder()
    let more = "[state]\ndirectory = \"\(folder("state"))\"\ndurability = \"acknowledged\""
    let daemon = try Self.daemon(more: more)
    let client = try daemon.client()
    for name in ["a", "b"] { _ = try client.result("header.open", Self.opening(name)) }
    for time in 1...30 { _ = try client.result("event", Self.scroll(time.isMultiple(of: 3) ? "a" : "b", time, time)) }
    // What kills processes is in the journal as well, and is dealt with as before.
    _ = try client.request("event", Self.scroll("b", 40, 1000))
    let before = try ["a", "b"].map { try client.result("header.get", "{\"header\":\"\($0)\"}")["state"] }
    try daemon.kill()
    let next = try RunningDaemon(
      in: daemon.folder, socket: daemon.folder("headerd.sock"),
      arguments: ["--config", daemon.folder("headerd.toml"), "--socket", daemon.folder("headerd.sock")])
    let again = try next.client()
    for (name, was) in zip(["a", "b"], before) {
      let state = try again.result("header.get", "{\"header\":\"\(name)\"}")["state"]
      #expect(state["drawers"].description == was["drawers"].description, "\(name)")
      #expect(state["values"].description == was["values"].description, "\(name)")
    }
    #expect(try again.result("stats")["workers"]["headers"].int == 2)
    _ = try again.result("event", Self.scroll("a", 41, 60))
    try next.kill()
  }

  /// A scroll that its process lives through, and no later one that does it again: the header goes on without the delegate, in
  /// another epoch, which subscribers are told and the journal has.
  @Test func whatEndsTheNextProcessesIsBypassed() throws {
    if TestFiles.isSanitized { return }
    let folder = try TemporaryFolder()
    let daemon = try Self.daemon(
      more: "[state]\ndirectory = \"\(folder("state"))\"\ndurability = \"acknowledged\"", deadline: 60)
    let client = try daemon.client()
    let opened = try client.result("header.open", Self.opening("bad"))
    let (reader, recorder) = (try daemon.client(), try daemon.client())
    _ = try reader.result("subscribe", #"{"headers":"bad","mode":"every"}"#)
    _ = try client.result("event", Self.scroll("bad", 1, 1013))
    // The header is saved for the recording: the next process begins behind that.
    let trace = try recorder.result("trace.start", #"{"header":"bad"}"#)["trace"].int
    _ = try client.result("event", Self.scroll("bad", 2, 1014))
    _ = try reader.notification("state") { $0["seq"].int == 3 }
    let answer = try client.result("event", Self.scroll("bad", 3, 1000))
    let gap = try reader.notification("gap")
    #expect(gap["reason"].string == "newEpoch" && gap["epoch"].int ?? 0 > opened["epoch"].int ?? 0)
    let snapshot = try reader.notification("state") { $0["epoch"].int == gap["epoch"].int }
    #expect(snapshot["scrollViews"]["content"]["contentOffset"]["y"].int == 1014)
    #expect(snapshot["seq"].int == answer["seq"].int, "it goes on with nobody to move it")
    let end = try recorder.notification("trace") { !$0["ended"].isAbsent }
    #expect(end["trace"].int == trace && end["ended"].string == "restarted" && end["steps"].int == 1)
    #expect(try client.result("stats")["workers"]["deaths"].int == 3)
    #expect(daemon.errors.contains("event=delegateBypassed header=bad delegate=crasher"))
    #expect(daemon.errors.contains("event=headerRestarted header=bad epoch=\(gap["epoch"].int ?? 0)"))
    // The journal begins with the new epoch as well: the process saves the header before it has the next event.
    _ = try client.result("event", Self.scroll("bad", 4, 1001))
    let last = try client.result("header.get", #"{"header":"bad"}"#)["state"]
    try daemon.kill()
    let next = try RunningDaemon(
      in: daemon.folder, socket: daemon.folder("headerd.sock"),
      arguments: ["--config", daemon.folder("headerd.toml"), "--socket", daemon.folder("headerd.sock")])
    let restored = try next.client().result("header.get", #"{"header":"bad"}"#)["state"]
    #expect(restored["seq"].int == last["seq"].int && restored["drawers"].description == last["drawers"].description)
    #expect(!next.errors.contains("workerDied"))
    try next.kill()
  }

  /// New code takes over what the old one saved; code that refuses it does not.
  @Test func aReloadSwapsProcesses() throws {
    let daemon = try Self.daemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("a"))
    for time in 1...3 { _ = try client.result("event", Self.scroll("a", time, time * 2)) }
    let library = "\(daemon.plugins)/libCrasher.so"
    func build(_ flags: [String]) throws {
      let source = "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/crasher.c"
      try compilePlugin(source, ["-w"] + flags, to: daemon.folder("next.so"))
      try TestFiles.install(daemon.folder("next.so"), over: library)
    }
    try build(["-DSTEP=3", "-DLOGS"])
    _ = try client.result("plugin.reload", #"{"plugin":"Crasher"}"#)
    _ = try client.result("event", Self.scroll("a", 4, 10))
    // Copies of the header are tried first; what the header itself says is said once.
    #expect(try daemon.process.waitForErrors(containing: "moved"))
    #expect(daemon.errors.components(separatedBy: "message=restored").count == 2, "\(daemon.errors)")
    let state = try client.result("header.get", #"{"header":"a"}"#)["state"]
    // 6 points at the old pace, 4 at the new one.
    #expect(state["drawers"][0]["frame"]["y"].int == -6 - 3 * 4 && state["values"]["moves"].int == 4)
    try build(["-DSTEP=5", "-DREFUSES_RESTORE"])
    let refusal = try client.refusal("plugin.reload", #"{"plugin":"Crasher"}"#)
    #expect(refusal["data"]["name"].string == "pluginRefused")
    _ = try client.result("event", Self.scroll("a", 5, 20))
    let kept = try client.result("header.get", #"{"header":"a"}"#)["state"]
    #expect(kept["drawers"][0]["frame"]["y"].int == -18 - 3 * 10 && kept["values"]["moves"].int == 5)
    // Also a new header gets the code that is loaded, not the file's.
    _ = try client.result("header.open", Self.opening("b"))
    _ = try client.result("event", Self.scroll("b", 5, 10))
    let other = try client.result("header.get", #"{"header":"b"}"#)["state"]
    #expect(other["drawers"][0]["frame"]["y"].int == -30)
    try daemon.kill()
  }
}
