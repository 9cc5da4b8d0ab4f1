// SPDX-License-Identifier: MIT
//
// A header that cannot be saved any more, beside one that fills the journal.

import DaemonTestKit
import Foundation
import Testing

@Suite struct JournalSpaceTests {
  /// Inputs of a fifth of a megabyte each: calls that no behavior knows are written down before they are refused.
  private func fill(_ client: WireClient, _ header: String, times: Int) throws {
    let text = String(repeating: "x", count: 200_000)
    for _ in 0..<times {
      _ = try client.refusal(
        "event", "{\"header\":\"\(header)\",\"event\":\"call\",\"name\":\"none\",\"arguments\":{\"text\":\"\(text)\"}}")
    }
  }

  private func bytes(in place: JournalPlace) throws -> Int {
    try place.segments.reduce(0) { sum, name in
      let size = try FileManager.default.attributesOfItem(atPath: "\(place.state)/\(name)")[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  @Test func aHeaderThatCannotBeSavedDoesNotKeepTheFiles() throws {
    let place = try JournalPlace()
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DREFUSES_SAVE"],
      to: place.folder("plugins/libMover.so"))
    var client = try place.start(threads: 1)
    _ = try client.result("header.open", PluginTests.opening("stuck"))
    _ = try client.result("header.open", JournalPlace.opening("busy"))
    for y in 1...50 { _ = try client.result("event", PluginTests.scroll("stuck", y, y * 3)) }
    let seq = try client.result("header.get", #"{"header":"stuck"}"#)["state"]["seq"].int
    try fill(client, "busy", times: 200)
    #expect(try place.daemon?.process.waitForErrors(containing: "event=snapshotRefused header=stuck") == true)
    // 40 MB were written, and the files take what they take without that header.
    try eventually("its records are copied") { try client.result("stats")["journal"]["copiedBytes"].int ?? 0 > 0 }
    #expect(try bytes(in: place) < 28_000_000)
    #expect(try client.result("stats")["journal"]["notRecorded"].int == 0)
    try place.kill()
    client = try place.start(threads: 1)
    #expect(try client.result("header.get", #"{"header":"stuck"}"#)["state"]["seq"].int == seq)
    // More than a megabyte of its own.
    try fill(client, "stuck", times: 8)
    try fill(client, "busy", times: 200)
    let told = try client.notification("durability")
    #expect(told["header"].string == "stuck" && told["durable"].bool == false)
    #expect(told["reason"].string?.contains("takes more than 1048576 bytes") == true)
    #expect(try place.daemon?.process.waitForErrors(containing: "level=warning event=notRecorded header=stuck") == true)
    #expect(try client.result("stats")["journal"]["notRecorded"].int == 1)
    #expect(try client.result("stats")["journal"]["copiedBytes"].int == 0)
    try fill(client, "busy", times: 40)
    #expect(try bytes(in: place) < 28_000_000)
    _ = try client.result("event", #"{"header":"stuck","event":"didScroll","offset":{"y":200}}"#)
    try place.kill()
    client = try place.start(threads: 1)
    #expect(try client.result("header.list")["headers"].list.map { $0["header"].string } == ["busy"])
  }

  /// One cannot be saved while a client in its chain is asked. Though it is asked whenever the journal wants it written down anew, its
  /// first snapshot does not keep the files.
  @Test func aHeaderThatAlwaysWaitsForAClientDoesNotKeepTheFiles() throws {
    let place = try JournalPlace()
    var client = try place.start(threads: 1, more: "[limits]\ndeadline = 10\n")
    let guardian = try WireClient(place.folder("headerd.sock"))
    _ = try client.result("header.open", PluginTests.opening("asked", "ShyNavBar"))
    _ = try client.result("header.open", JournalPlace.opening("busy"))
    _ = try guardian.result(
      "delegate.add", #"{"header":"asked","client":"intercept","name":"guard","deadline":10}"#)
    let publisher = try WireClient(place.folder("headerd.sock"))
    func ask(_ time: Int) throws {
      try publisher.write(
        "{\"id\":\(time),\"method\":\"event\",\"params\":\(PluginTests.scroll("asked", time, time * 3))}\n")
    }
    func nextQuestion() throws -> String {
      while true {
        let message = try guardian.message()
        if message["method"].string == "delegate.ask" { return message["id"].string ?? "" }
      }
    }
    // Of two events one is always asked about: the second one's question comes with the first one's answer.
    try ask(1)
    func answer(_ question: String) throws {
      try guardian.write("{\"id\":\"\(question)\",\"result\":{\"verdict\":\"pass\"}}\n")
    }
    for time in 2...41 {
      try ask(time)
      let question = try nextQuestion()
      try fill(client, "busy", times: 5)
      try answer(question)
    }
    try answer(try nextQuestion())
    while try publisher.message()["id"].int != 41 {}
    // 40 MB were written.
    #expect(try bytes(in: place) < 28_000_000)
    let state = try client.result("header.get", #"{"header":"asked"}"#)["state"]
    let (seq, y) = (state["seq"].int, state["scrollViews"]["content"]["contentOffset"]["y"].int)
    #expect(y == 123)
    #expect(place.daemon?.errors.contains("snapshotRefused") == false)
    try place.kill()
    client = try place.start(threads: 1)
    #expect(try client.result("header.get", #"{"header":"asked"}"#)["state"]["seq"].int == seq)
  }
}
