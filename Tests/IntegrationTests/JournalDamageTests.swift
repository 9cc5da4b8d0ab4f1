// SPDX-License-Identifier: MIT
//
// State folders that are damaged, somebody else's, or taken away from under the daemon.

import DaemonTestKit
import Foundation
import Testing

@Suite struct JournalDamageTests {
  /// Starts a daemon that is to refuse.
  private func refusal(in place: JournalPlace, state: String? = nil) throws -> String {
    let refused = try runProgram(
      "headerd", ["--state", state ?? place.state, "--socket", place.folder("headerd.sock")],
      environment: ["XDG_CONFIG_HOME": place.folder("none"), "HEADERD_PLUGIN_PATH": place.folder("plugins")])
    #expect(refused.status == 1)
    return refused.errors
  }

  private func change(_ path: String, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// One flipped bit in the only segment, all of whose records were acknowledged.
  @Test func aFlippedBitIsNoTornEnd() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    for name in ["a", "b"] { _ = try client.result("header.open", JournalPlace.opening(name)) }
    let seq = try JournalPlace.scroll(client, "a", 0..<20)
    try place.kill()
    let path = "\(place.state)/\(try #require(place.segments.last))"
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let flipped = before.count - 200
    try change(path) { $0[flipped] ^= 1 }
    let said = try refusal(in: place)
    #expect(
      said.contains("\(path): byte ") && said.contains("whole records of 1 headers behind it cannot be used"), "\(said)"
    )
    #expect(said.contains("nothing was changed: 'headerctl journal verify \(place.state)' says more"), "\(said)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == before.count)
    let verify = try place.headerctl("journal", "verify", place.state)
    #expect(verify.status == 1 && verify.output.contains("2 headers: 1 damage"), "\(verify.output)")
    #expect(
      verify.errors.contains("whole records of 1 header behind that cannot be used without it"), "\(verify.errors)")
    let list = try place.headerctl("journal", "list", place.state)
    #expect(list.status == 0 && list.errors.contains("the record's checksum is wrong"), "\(list.errors)")
    // What is whole of a header can be exported, before the repair and after it.
    let export = try place.headerctl("journal", "export", place.state, "a", "-o", place.folder("before.jsonl"))
    #expect(export.status == 0 && export.errors.contains("the record's checksum is wrong"), "\(export.errors)")
    #expect(try place.headerctl("verify", place.folder("before.jsonl")).status == 0)
    #expect(try place.headerctl("journal", "repair", place.state).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path).bak")).count == before.count)
    #expect(try place.headerctl("journal", "export", place.state, "a", "-o", place.folder("after.jsonl")).status == 0)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: place.folder("after.jsonl")))
        == Data(contentsOf: URL(fileURLWithPath: place.folder("before.jsonl"))))
    client = try place.start(threads: 1)
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["a", "b"])
    let left = try #require(try client.result("header.get", #"{"header":"a"}"#)["state"]["seq"].int)
    #expect(left > 1 && left < seq)
  }

  /// The same with headers in processes of plugins, one each.
  @Test func headersInProcessesAreRepairedToo() throws {
    let place = try JournalPlace()
    let isolated = """
      [plugins]
      isolation = { default = "process" }
      headersPerProcess = 1
      \(TestFiles.processMemory)

      """
    var client = try place.start(threads: 1, more: isolated)
    for name in ["a", "b", "c"] { _ = try client.result("header.open", JournalPlace.opening(name)) }
    for name in ["a", "b", "c"] { _ = try JournalPlace.scroll(client, name, 0..<10) }
    #expect(try client.result("stats")["workers"]["headers"].int == 3)
    let before = try ["a", "b"].map { try client.result("header.get", "{\"header\":\"\($0)\"}")["state"]["seq"].int }
    try place.kill()
    // A record in the middle of those of c, the last ones.
    try change("\(place.state)/\(try #require(place.segments.last))") { $0[$0.count - 150] ^= 1 }
    #expect(try refusal(in: place).contains("whole records of 1 headers"))
    #expect(try place.headerctl("journal", "repair", place.state).status == 0)
    client = try place.start(threads: 1, more: isolated)
    #expect(try client.result("stats")["workers"]["headers"].int == 3)
    #expect(
      try ["a", "b"].map { try client.result("header.get", "{\"header\":\"\($0)\"}")["state"]["seq"].int } == before)
    #expect(try JournalPlace.scroll(client, "c", 20..<30) > 0)
  }

  @Test func whatIsCutIsKeptBeside() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    let seq = try JournalPlace.scroll(client, "a", 0..<10)
    try place.kill()
    let name = try #require(place.segments.last)
    // The last record was acknowledged; nobody can tell it from one that was not, so it is cut, said and kept.
    var tail = Data()
    try change("\(place.state)/\(name)") {
      $0[$0.count - 3] ^= 1
      tail = $0.suffix(32)
    }
    #expect(try place.headerctl("journal", "verify", place.state).status == 0)
    client = try place.start(threads: 1)
    #expect(
      try place.daemon?.process.waitForErrors(
        containing: "event=journalCut file=\(name) bytes=32 reason=\"it ends within a record\" kept=\(name).torn")
        == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(place.state)/\(name).torn")) == tail)
    #expect(try client.result("header.get", #"{"header":"a"}"#)["state"]["seq"].int == seq - 1)
  }

  /// The mark of an end in order, changed or not true any more.
  @Test func aMarkThatIsWrongIsSaid() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    try place.stop()
    try change("\(place.state)/complete") { $0[3] ^= 1 }
    client = try place.start(threads: 1)
    #expect(try place.daemon?.process.waitForErrors(containing: "event=journalIncomplete") == true)
    #expect(try client.result("header.list")["headers"].list.count == 1)
    try place.stop()
    // The last file is gone.
    let last = try #require(place.segments.last)
    try FileManager.default.moveItem(atPath: "\(place.state)/\(last)", toPath: place.folder("aside"))
    #expect(try refusal(in: place).contains("complete: the journal had"))
    #expect(try place.headerctl("journal", "verify", place.state).status == 1)
    try FileManager.default.moveItem(atPath: place.folder("aside"), toPath: "\(place.state)/\(last)")
    #expect(try place.headerctl("journal", "verify", place.state).status == 0)
    try place.start(threads: 1)
    #expect(place.daemon?.errors.contains("epochs=\"the same\"") == true)
  }

  /// What is no file is neither waited for nor read to its end.
  @Test(arguments: ["FIFO", "endless", "link", "folder"]) func onlyFilesAreRead(kind: String) throws {
    let place = try JournalPlace()
    let client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    try place.kill()
    let path = "\(place.state)/00000000000000ff.journal"
    switch kind {
    case "FIFO": try runTool("/usr/bin/mkfifo", [path])
    case "endless": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "\(place.state)/\(place.segments[0])")
    default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let said = try refusal(in: place)
    #expect(said.contains("\(path): it is "), "\(said)")
    let verify = try place.headerctl("journal", "verify", place.state)
    #expect(verify.status == 1 && verify.errors.contains("00000000000000ff.journal: it is "), "\(verify.errors)")
    #expect(try place.headerctl("journal", "repair", place.state).status == 0)
    #expect(try place.start(threads: 1).result("header.list")["headers"].list.count == 1)
  }

  /// A file with another way of writing the number of one that is there is none of the journal's.
  @Test func namesAreStrict() throws {
    let place = try JournalPlace()
    let client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    try place.kill()
    try Data("no journal".utf8).write(to: URL(fileURLWithPath: "\(place.state)/+000000000000001.journal"))
    #expect(try place.start(threads: 1).result("header.list")["headers"].list.count == 1)
  }

  @Test func aFolderOfOthersIsRefused() throws {
    let place = try JournalPlace()
    try FileManager.default.createDirectory(atPath: place.state, withIntermediateDirectories: false)
    try runTool("/bin/chmod", ["777", place.state])
    #expect(try refusal(in: place).contains("which has mode 0777; 'chmod go-w \(place.state)' takes that from them"))
    try runTool("/bin/chmod", ["755", place.state])
    try place.start()
    try place.stop()
    if geteuid() == 0 {
      try runTool("/bin/chown", ["4711", place.state])
      #expect(try refusal(in: place).contains("belongs to user 4711; it must belong to user 0, as whom headerd runs"))
      let repair = try place.headerctl("journal", "repair", place.state)
      #expect(repair.status == 1 && repair.errors.contains("belongs to user 4711: run this as that user"))
    }
    let file = place.folder("file")
    try place.folder.write("", to: "file")
    #expect(try refusal(in: place, state: file).contains("the state folder \(file) is no folder"))
  }

  /// The folder, the lock in it, or the present segment goes away while the daemon runs: nothing more is called safe, and it is recorded
  /// again once there is a place for it.
  @Test(arguments: ["folder", "lock", "segment"]) func whatIsTakenAwayIsNoticed(what: String) throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    _ = try JournalPlace.scroll(client, "a", 0..<5)
    let daemon = try #require(place.daemon)
    switch what {
    case "folder": try FileManager.default.moveItem(atPath: place.state, toPath: place.folder("elsewhere"))
    case "lock": try FileManager.default.removeItem(atPath: "\(place.state)/lock")
    default: try FileManager.default.removeItem(atPath: "\(place.state)/\(place.segments[0])")
    }
    _ = try JournalPlace.scroll(client, "a", 5..<6)
    #expect(try client.notification("durability")["durable"].bool == false)
    #expect(try daemon.process.waitForErrors(containing: "event=journalFailed"))
    if what == "folder" {
      try FileManager.default.createDirectory(atPath: place.state, withIntermediateDirectories: false)
    }
    _ = try client.notification("durability") { $0["durable"].bool == true }
    let seq = try JournalPlace.scroll(client, "a", 6..<20)
    try place.kill()
    client = try place.start(threads: 1)
    #expect(try client.result("header.get", #"{"header":"a"}"#)["state"]["seq"].int == seq)
  }

  /// The lock is removed and another daemon takes the folder: the first one writes nothing more there.
  @Test func aFolderThatAnotherDaemonTookIsLeftToIt() throws {
    let place = try JournalPlace()
    let client = try place.start(threads: 1)
    _ = try client.result("header.open", JournalPlace.opening("a"))
    try FileManager.default.removeItem(atPath: "\(place.state)/lock")
    let other = try RunningDaemon(config: "[state]\ndirectory = \"\(place.state)\"\n", threads: 1)
    // The other one begins a segment of its own once it is ready.
    for _ in 0..<3_000 where place.segments.count < 2 { Thread.sleep(forTimeInterval: 0.01) }
    let segments = place.segments
    #expect(segments.count == 2)
    _ = try client.result("event", JournalPlace.scroll("a", 1, 5))
    #expect(
      try client.notification("durability")["reason"].string?.contains("another headerd may use the folder") == true)
    _ = try client.result("header.open", JournalPlace.opening("b"))
    try place.stop()
    #expect(place.segments == segments)
    #expect(try other.client().result("header.list")["headers"].list.map { $0["header"].string } == ["a"])
  }
}
