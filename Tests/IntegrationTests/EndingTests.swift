// SPDX-License-Identifier: MIT
//
// Connections that end while something that they sent still waits for a client in a header's chain: it is done all the
// same, and the daemon goes on. With several threads the header, the connection and what waits may each be elsewhere.

import DaemonTestKit
import Foundation
import Testing

@Suite struct EndingTests {
  /// Nobody is passed over here because a machine is slow.
  private static let patient = "[limits]\nidlePing = 86400\ndeadline = 3600\n"

  private static func opening(_ header: String) -> String { "{\"header\":\"\(header)\",\"frames\":\"events\"}" }

  /// One daemon with headers at each thread, which ask a client about every event.
  private final class Place {
    let daemon: RunningDaemon
    /// Publishes beside the connection under test.
    let publisher: WireClient
    /// Looks, and never waits for the client.
    let onlooker: WireClient
    private let guardian: WireClient
    /// Names by the thread that has them.
    let names: [[String]]

    init(threads: Int) throws {
      daemon = try RunningDaemon(config: EndingTests.patient, threads: threads)
      (publisher, onlooker) = (try daemon.client(), try daemon.client())
      guardian = try daemon.client()
      for index in 0..<12 * threads { _ = try publisher.result("header.open", EndingTests.opening("h\(index)")) }
      names = try ThreadsTests.shards(publisher, of: threads)
      for name in names.joined() { try watch(name) }
    }

    /// Opens a header that is closed.
    func open(_ name: String) throws {
      _ = try publisher.result("header.open", EndingTests.opening(name))
      try watch(name)
    }

    private func watch(_ name: String) throws {
      _ = try guardian.result(
        "delegate.add", "{\"header\":\"\(name)\",\"client\":\"intercept\",\"name\":\"guard\",\"deadline\":3600}")
    }

    /// A connection whose home is the thread of a header, if there is room.
    func client(at home: String) throws -> WireClient {
      let client = try daemon.client()
      _ = try client.result("header.open", EndingTests.opening(home))
      return client
    }

    /// The next question to the client in the chain, which has to be about a header.
    func question(about header: String) throws -> String {
      let question = try guardian.message()
      #expect(question["method"].string == "delegate.ask" && question["params"]["header"].string == header)
      return question["id"].string ?? ""
    }

    func answer(_ question: String) throws {
      try guardian.write("{\"id\":\"\(question)\",\"result\":{\"verdict\":\"pass\"}}\n")
    }

    /// A connection sends some lines and breaks; all of them have come when this returns.
    func breaks(at home: String, after lines: String) throws {
      let before = try onlooker.result("stats")["connections"].int
      try comesAndGoes(home, lines)
      try eventually("the connection is gone") { try onlooker.result("stats")["connections"].int == before }
    }

    private func comesAndGoes(_ home: String, _ lines: String) throws {
      // What it was sent and did not read breaks it for the other side, too.
      try client(at: home).write(lines + "{\"id\":0,\"method\":\"hello\"}\n")
    }

    /// The offset of a header's content.
    func offset(of header: String) throws -> Int? {
      let state = try onlooker.result("header.get", "{\"header\":\"\(header)\"}")["state"]
      return state["scrollViews"]["content"]["contentOffset"]["y"].int
    }
  }

  private static func scroll(_ header: String, _ y: Int) -> String {
    "{\"id\":\(y),\"method\":\"event\",\"params\":{\"header\":\"\(header)\",\"event\":\"didScroll\",\"offset\":{\"y\":\(y)}}}\n"
  }

  /// The places of a connection's home and of the headers that it deals with.
  private static func everywhere(_ threads: Int) -> [(home: Int, header: Int)] {
    (0..<threads).flatMap { home in (0..<threads).map { (home, $0) } }
  }

  static let threads = Array(Set([1, 2, 3, RunningDaemon.usualThreads])).sorted()

  /// The input is over, the event waits: its answer comes, then the connection ends.
  @Test(arguments: threads) func whoSendsNoMoreGetsTheAnswerThatWaits(_ threads: Int) throws {
    let place = try Place(threads: threads)
    for (home, header) in Self.everywhere(threads) {
      let name = place.names[header][1]
      let client = try place.client(at: place.names[home][0])
      try client.write(
        Self.scroll(name, 7 + home)
          + "{\"id\":\"after\",\"method\":\"header.get\",\"params\":{\"header\":\"\(name)\"}}\n")
      client.closeWriting()
      let question = try place.question(about: name)
      // A turn of the daemon in which the end of the input is seen.
      _ = try place.onlooker.result("stats")
      try place.answer(question)
      let lines = try client.linesToTheEnd().map { try JSON($0) }
      #expect(lines.count == 2 && lines[0]["id"].int == 7 + home && lines[1]["id"].string == "after")
      #expect(try place.offset(of: name) == 7 + home)
    }
    #expect(try place.publisher.settle().lines == [])
  }

  /// The connection is gone, and what it sent stands behind another's event that waits: all of it happens, and leaves nothing.
  @Test(arguments: threads) func whatAGoneConnectionSentStillHappens(_ threads: Int) throws {
    let place = try Place(threads: threads)
    for (home, header) in Self.everywhere(threads) {
      let name = place.names[header][2]
      try place.publisher.write(Self.scroll(name, 30 + home))
      let first = try place.question(about: name)
      let rest = [
        ("subscribe", "{\"headers\":\"\(name)\",\"mode\":\"every\"}"), ("subscribe", "{\"headers\":\"**\"}"),
        ("trace.start", "{\"header\":\"\(name)\"}"), ("header.list", "{}"), ("stats", "{}"), ("ping", "{}"),
        ("delegate.add", "{\"header\":\"\(name)\",\"client\":\"observe\",\"name\":\"late\"}"),
      ].map { "{\"id\":1,\"method\":\"\($0.0)\",\"params\":\($0.1)}\n" }
      try place.breaks(at: place.names[home][0], after: Self.scroll(name, 40 + home) + rest.joined())
      try place.answer(first)
      try place.answer(try place.question(about: name))
      #expect(try place.publisher.message()["id"].int == 30 + home)
      #expect(try place.offset(of: name) == 40 + home)
      let row = try place.onlooker.result("header.list", "{\"match\":\"\(name)\"}")["headers"][0]
      #expect(row["delegates"].strings == ["guard"] && row["subscribers"].int == 0, "\(row)")
      #expect(try place.onlooker.result("stats")["subscriptions"].int == 0)
    }
    #expect(try place.publisher.settle().lines == [])
  }

  /// The connection is gone, and had asked for a recording of a header behind an event that waits. That header closes while
  /// something else of the connection still waits.
  @Test(arguments: threads) func aRecordingThatNobodyWantsAnyMoreIsForgotten(_ threads: Int) throws {
    let place = try Place(threads: threads)
    for (home, header) in Self.everywhere(threads) {
      let (recorded, other) = (place.names[header][3], place.names[header][4])
      try place.publisher.write(Self.scroll(recorded, 50 + home))
      let first = try place.question(about: recorded)
      try place.breaks(
        at: place.names[home][0],
        after: Self.scroll(other, 60 + home)
          + "{\"id\":2,\"method\":\"trace.start\",\"params\":{\"header\":\"\(recorded)\"}}\n")
      let second = try place.question(about: other)
      try place.answer(first)
      #expect(try place.publisher.message()["id"].int == 50 + home)
      _ = try place.publisher.result("header.close", "{\"header\":\"\(recorded)\"}")
      try place.answer(second)
      #expect(try place.offset(of: other) == 60 + home)
      try place.open(recorded)
    }
    #expect(try place.publisher.settle().lines == [])
  }
}
