// SPDX-License-Identifier: MIT
//
// Headers that outlive the daemon: killed, ended in order, with another number of threads, with a disk that is full, with a
// plugin that is not there any more, with a damaged file.

import DaemonTestKit
import Foundation
import Testing

@Suite struct JournalTests {
  /// A state without what a new life changes.
  private func shown(_ state: JSON) -> String {
    "\(state["seq"]) \(state["drawers"]) \(state["values"]) \(state["time"])"
  }

  @Test(arguments: [1, 2]) func aKilledDaemonLosesNothingThatItAnswered(threads: Int) throws {
    let place = try JournalPlace()
    var client = try place.start(threads: threads)
    for name in ["a", "b", "c"] { _ = try client.result("header.open", JournalPlace.opening(name)) }
    for name in ["a", "b", "c"] { _ = try JournalPlace.scroll(client, name, 0..<30) }
    let before = try ["a", "b", "c"].map { try client.result("header.get", "{\"header\":\"\($0)\"}")["state"] }
    try place.kill()
    client = try place.start(threads: threads)
    for (index, name) in ["a", "b", "c"].enumerated() {
      let state = try client.result("header.get", "{\"header\":\"\(name)\"}")["state"]
      #expect(shown(state) == shown(before[index]))
      #expect(try #require(state["epoch"].int) > #require(before[index]["epoch"].int))
    }
    // Whoever comes back hears that it is another life.
    let epoch = try #require(before[0]["epoch"].int)
    _ = try client.result(
      "subscribe", "{\"headers\":[\"a\"],\"mode\":\"every\",\"resumeFrom\":{\"a\":{\"epoch\":\(epoch),\"seq\":3}}}")
    let gap = try client.notification("gap")
    #expect(gap["reason"].string == "newEpoch")
    #expect(try client.notification("state")["snapshot"].bool == true)
    // And it goes on, and loses nothing of that either.
    let seq = try JournalPlace.scroll(client, "a", 30..<60)
    let later = try client.result("header.get", "{\"header\":\"a\"}")["state"]
    try place.kill()
    client = try place.start(threads: threads)
    let state = try client.result("header.get", "{\"header\":\"a\"}")["state"]
    #expect(state["seq"].int == seq && shown(state) == shown(later))
  }

  @Test func oneThatEndsInOrderGoesOnInTheSameEpochs() throws {
    let place = try JournalPlace(durability: "interval")
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a", frames: "live"))
    _ = try client.result("header.open", JournalPlace.opening("b"))
    let seq = try JournalPlace.scroll(client, "b", 0..<40)
    let before = try client.result("header.get", "{\"header\":\"b\",\"include\":[\"saved\",\"description\"]}")
    try place.stop()
    client = try place.start(threads: 3)
    let after = try client.result("header.get", "{\"header\":\"b\",\"include\":[\"saved\",\"description\"]}")
    #expect("\(after)" == "\(before)")
    let epoch = try #require(before["state"]["epoch"].int)
    let subscriber = try #require(place.daemon).client()
    _ = try subscriber.result(
      "subscribe", "{\"headers\":[\"b\"],\"mode\":\"every\",\"resumeFrom\":{\"b\":{\"epoch\":\(epoch),\"seq\":\(seq)}}}"
    )
    _ = try client.result("event", JournalPlace.scroll("b", 1, 20))
    // No gap and no snapshot: the next state is the next one.
    let state = try subscriber.notification("state")
    #expect(state["snapshot"].isAbsent)
    #expect(state["seq"].int == seq + 1)
    #expect(state["epoch"].int == epoch)
    // The same description attaches, also after all this.
    #expect(try client.result("header.open", JournalPlace.opening("b"))["created"].bool == false)
  }

  @Test func whatWasClosedOrBelongedToAConnectionIsGone() throws {
    let place = try JournalPlace()
    var client = try place.start()
    _ = try client.result("header.open", JournalPlace.opening("kept"))
    _ = try client.result("header.open", JournalPlace.opening("closed"))
    _ = try client.result("header.close", "{\"header\":\"closed\"}")
    _ = try client.result(
      "header.open",
      JournalPlace.opening("mine").replacingOccurrences(
        of: "\"frames\"", with: "\"lifetime\":\"connection\",\"frames\""))
    try place.kill()
    client = try place.start()
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["kept"])
  }

  @Test func clientsLeaveTheChain() throws {
    let place = try JournalPlace()
    var client = try place.start(more: "[limits]\ndeadline = 3600\n")
    let guardian = try #require(place.daemon).client()
    _ = try client.result("header.open", JournalPlace.opening("a"))
    _ = try JournalPlace.scroll(client, "a", 0..<5)
    _ = try guardian.result(
      "delegate.add", "{\"header\":\"a\",\"client\":\"intercept\",\"name\":\"guard\",\"deadline\":3600}")
    // One that it is asked about, and never answers.
    try client.write("{\"id\":99,\"method\":\"event\",\"params\":\(JournalPlace.scroll("a", 1, 50))}\n")
    _ = try guardian.message()
    // What is answered now is on the disk, and all before it.
    _ = try guardian.result("header.open", JournalPlace.opening("b"))
    try place.kill()
    client = try place.start()
    let rows = try client.result("header.list")["headers"].list
    let row = try #require(rows.first)
    #expect(row["delegates"].strings == ["shyNavBar"])
    // Whether it was answered or not, it was written down, and happened.
    func offset(_ name: String) throws -> String {
      let saved = try client.result("header.get", "{\"header\":\"\(name)\",\"include\":[\"saved\"]}")["saved"]
      return "\(saved["scrollViews"][0]["contentOffset"])"
    }
    _ = try JournalPlace.scroll(client, "b", 0..<5)
    _ = try client.result("event", JournalPlace.scroll("b", 1, 50))
    #expect(try offset("a") == offset("b"))
    try place.stop()
    client = try place.start()
    #expect(try client.result("header.list")["headers"].list.count == 2)
  }

  @Test func theConfigReplacesWhatItDescribesOtherwise() throws {
    func header(_ height: Int) -> String {
      "[[header]]\nheader = \"main\"\ndrawers = [{ name = \"navBar\", height = \(height) }]\n"
    }
    func height(_ client: WireClient) throws -> Double? {
      // What is answered is on the disk, and what was before it.
      _ = try client.result("header.open", JournalPlace.opening("other"))
      return try client.result("header.get", "{\"header\":\"main\"}")["state"]["drawers"][0]["frame"]["height"].double
    }
    let place = try JournalPlace()
    #expect(try height(place.start(more: header(44))) == 44)
    try place.kill()
    #expect(try height(place.start(more: header(44))) == 44)
    #expect(place.daemon?.errors.contains("headerReplaced") == false)
    try place.kill()
    #expect(try height(place.start(more: header(60))) == 60)
    #expect(try place.daemon?.process.waitForErrors(containing: "event=headerReplaced header=main") == true)
  }

  @Test func aFullDiskIsTold() throws {
    let place = try JournalPlace()
    var client = try place.start()
    let daemon = try #require(place.daemon)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    _ = try JournalPlace.scroll(client, "a", 0..<5)
    #expect(try client.result("stats")["journal"]["headers"].int == 1)
    // From here on no file may grow.
    try limitFiles(of: daemon, to: 0)
    #expect(try JournalPlace.scroll(client, "a", 5..<10) > 0)
    let told = try client.notification("durability")
    #expect(told["durable"].bool == false)
    #expect(try daemon.process.waitForErrors(containing: "event=journalFailed"))
    #expect(try client.result("stats")["journal"]["failure"].string?.contains("EFBIG") == true)
    #expect(try client.result("header.open", JournalPlace.opening("b"))["created"].bool == true)
    _ = try client.result("header.open", JournalPlace.opening("c"))
    _ = try client.result("header.close", "{\"header\":\"c\"}")
    _ = try JournalPlace.scroll(client, "b", 0..<5)
    // There is room again.
    try limitFiles(of: daemon, to: nil)
    // Each thread tells for itself.
    _ = try client.notification("durability") { $0["durable"].bool == true }
    // One whose write was under way all the time has not failed yet: the answers to what comes behind it say that it has.
    for place in 1...2 {
      try eventually("all threads record again") { try client.result("stats")["journal"]["failure"].isAbsent }
      for name in ["a", "b"] { _ = try JournalPlace.scroll(client, name, 10 * place..<10 * place + 10) }
    }
    try eventually("all threads record still") { try client.result("stats")["journal"]["failure"].isAbsent }
    let before = try ["a", "b"].map { shown(try client.result("header.get", "{\"header\":\"\($0)\"}")["state"]) }
    try place.kill()
    client = try place.start()
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["a", "b"])
    #expect(try ["a", "b"].map { shown(try client.result("header.get", "{\"header\":\"\($0)\"}")["state"]) } == before)
  }

  private func limitFiles(of daemon: RunningDaemon, to bytes: Int?) throws {
    try runTool(
      "/usr/bin/prlimit", ["--pid", String(daemon.process.pid), "--fsize=\(bytes.map { "\($0):" } ?? "unlimited:")"])
  }

  @Test func aHeaderWithoutItsPluginWaitsForIt() throws {
    let place = try JournalPlace()
    var client = try place.start()
    _ = try client.result("header.open", JournalPlace.opening("a"))
    let seq = try JournalPlace.scroll(client, "a", 0..<20)
    try place.kill()
    let (plugin, aside) = (place.folder("plugins/libShyNavBar.so"), place.folder("aside.so"))
    try FileManager.default.moveItem(atPath: plugin, toPath: aside)
    client = try place.start()
    #expect(try client.result("header.list")["headers"].list.isEmpty)
    #expect(place.daemon?.errors.contains("event=headerNotRestored header=a") == true)
    #expect(try client.result("stats")["journal"]["unrestored"].int == 1)
    try place.stop()
    try FileManager.default.moveItem(atPath: aside, toPath: plugin)
    client = try place.start()
    #expect(try client.result("header.get", "{\"header\":\"a\"}")["state"]["seq"].int == seq)
  }

  /// An input that a plugin does not survive ends the daemon that gets it, and the next one, which restores the header; those after
  /// that leave the header alone, until the plugin is another one.
  @Test func aHeaderThatEndsTheDaemonIsLeftAlone() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    for name in ["a", "b"] { _ = try client.result("header.open", JournalPlace.opening(name)) }
    try place.kill()
    let note = "\(place.state)/restoring"
    // As a daemon leaves it that dies in the middle of restoring the header with the number 1.
    try "00000000000000000001\n".write(toFile: note, atomically: true, encoding: .utf8)
    client = try place.start(threads: 1)
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["b"])
    #expect(
      try place.daemon?.process.waitForErrors(
        containing: "event=headerNotRestored header=a reason=\"the daemon has died")
        == true)
    try place.stop()
    client = try place.start(threads: 1)
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["b"])
    try place.stop()
    try place.daemon?.rebuild("ShyNavBar")
    client = try place.start(threads: 1)
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["a", "b"])
    #expect(!FileManager.default.fileExists(atPath: note))
  }

  @Test func oneDaemonHasTheFolder() throws {
    let place = try JournalPlace()
    try place.start()
    let other = try runProgram(
      "headerd", ["--state", place.state, "--socket", place.folder("other.sock")],
      environment: ["XDG_CONFIG_HOME": place.folder("none")])
    #expect(other.status == 1)
    #expect(other.errors == "headerd: another headerd uses the state folder \(place.state)\n")
    let repair = try place.headerctl("journal", "repair", place.state)
    #expect(repair.status == 1)
    #expect(repair.errors.contains("a headerd uses this folder"))
  }

  @Test func aDamagedJournalIsRefusedAndRepaired() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    for name in ["a", "b"] { _ = try client.result("header.open", JournalPlace.opening(name)) }
    _ = try JournalPlace.scroll(client, "a", 0..<10)
    try place.kill()
    client = try place.start(threads: 1)
    let seq = try JournalPlace.scroll(client, "b", 0..<10)
    try place.kill()
    #expect(place.segments.count == 2)
    let path = "\(place.state)/\(place.segments[0])"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 40] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let refused = try runProgram(
      "headerd", ["--state", place.state, "--socket", place.folder("headerd.sock")],
      environment: ["XDG_CONFIG_HOME": place.folder("none"), "HEADERD_PLUGIN_PATH": place.folder("plugins")])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("nothing was changed: 'headerctl journal verify"))
    let verify = try place.headerctl("journal", "verify", place.state)
    #expect(verify.status == 1)
    #expect(verify.output.contains("2 headers: 1 damage"))
    #expect(try place.headerctl("journal", "repair", place.state).status == 0)
    #expect(try place.headerctl("journal", "verify", place.state).output.contains("2 headers: all good"))
    client = try place.start(threads: 1)
    let headers = try client.result("header.list")["headers"].list
    #expect(headers.map { $0["header"].string } == ["a", "b"])
    // What came after the damage was written for a daemon that had all of it.
    #expect(try client.result("header.get", "{\"header\":\"b\"}")["state"]["seq"].int != seq)
  }

  @Test func aTornEndIsCut() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    let seq = try JournalPlace.scroll(client, "a", 0..<10)
    try place.kill()
    let path = "\(place.state)/\(place.segments[0])"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try (bytes + bytes[100..<110]).write(to: URL(fileURLWithPath: path))
    client = try place.start(threads: 1)
    #expect(
      try place.daemon?.process.waitForErrors(containing: "event=journalCut file=\(place.segments[0]) bytes=10") == true
    )
    #expect(try client.result("header.get", "{\"header\":\"a\"}")["state"]["seq"].int == seq)
  }

  @Test func aHeaderIsExportedAsARecording() throws {
    let place = try JournalPlace()
    let client = try place.start()
    _ = try client.result("header.open", JournalPlace.opening("a"))
    _ = try JournalPlace.scroll(client, "a", 0..<30)
    _ = try client.result("header.configure", "{\"header\":\"a\",\"environment\":{\"statusBarHeight\":40}}")
    _ = try client.result(
      "delegate.configure", "{\"header\":\"a\",\"delegate\":\"shyNavBar\",\"options\":{\"expansionResistance\":20}}")
    _ = try JournalPlace.scroll(client, "a", 30..<50)
    try place.kill()
    let listed = try place.headerctl("journal", "list", place.state, "--json")
    #expect(try JSON(listed.output)["header"].string == "a")
    #expect(try JSON(listed.output)["inputs"].int == 52)
    let epoch = try #require(try JSON(listed.output)["epoch"].int)
    #expect(try place.headerctl("journal", "list", place.state).output.contains("  \(epoch)  "))
    let file = place.folder("a.jsonl")
    let export = try place.headerctl("journal", "export", place.state, "a", "-o", file)
    #expect(export.status == 0, "\(export.errors)")
    let verify = try place.headerctl("verify", file)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    #expect(verify.output.contains("52 steps"))
    let wrong = try place.headerctl("journal", "export", place.state, "b")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("the journal has no header \"b\""))
  }
}
