// SPDX-License-Identifier: MIT
//
// Bad input: each gets the error of headerd-protocol(7) or is cut off (Golden/bad-input.txt), and nothing else notices.
// One daemon hears all of it, one connection after the other, while a publisher and a subscriber go on beside; the
// subscriber's lines must be those of a daemon that heard nothing bad.

import DaemonTestKit
import Foundation
import Testing

@Suite struct BadInputTests {
  static let limits = "[limits]\nlineBytes = 4000\nbatchEvents = 4\nheaders = 3\n"

  @Test func isToldOrCutOffAndNobodyElseNotices() throws {
    let daemon = try RunningDaemon(config: Self.limits)
    let bystanders = try Bystanders(daemon)
    try holdConversations("bad-input.txt", with: daemon, atLeast: 25, afterEach: bystanders.goOn)
    let quiet = try RunningDaemon(config: Self.limits)
    let reference = try Bystanders(quiet)
    for _ in 0..<bystanders.steps { try reference.goOn() }
    let (disturbed, undisturbed) = (try bystanders.story(), try reference.story())
    #expect(disturbed == undisturbed)
    #expect(disturbed.count >= bystanders.steps / 2)
    // One line for the first error of each kind that a connection makes: enough to find it, no flood.
    let lines = daemon.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.contains("level=info") || $0.contains("level=warning") }, "\(daemon.errors)")
  }

  /// A client that dies in the middle of a line, or without reading what it was owed.
  @Test func aClientThatDiesIsForgotten() throws {
    let daemon = try RunningDaemon()
    let bystanders = try Bystanders(daemon)
    for round in 0..<20 {
      let client = try daemon.client()
      try client.write("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"**\",\"mode\":\"every\"}}\n")
      try client.write(
        String("{\"id\":2,\"method\":\"ping\"}\n{\"id\":3,\"method\":\"header.list\"}".prefix(10 + round)))
      try bystanders.goOn()
    }
    let client = try daemon.client()
    try eventually("only the bystander subscribes") {
      try client.result("header.list")["headers"][0]["subscribers"].int == 1
    }
    #expect(try bystanders.story().count > 5)
  }

  /// A subscriber that never reads is told of its gap once it does; it costs the others nothing and memory is bounded.
  @Test(arguments: ["gap", "disconnect"]) func aSubscriberThatNeverReadsIsCutOffFromTheStream(_ overflow: String) throws
  {
    let daemon = try RunningDaemon(config: "[limits]\nqueueBytes = 20000\n")
    let bystanders = try Bystanders(daemon)
    let sleeper = try daemon.client()
    _ = try sleeper.result("subscribe", #"{"headers":"control","mode":"every","onOverflow":"\#(overflow)"}"#)
    // A Unix socket takes some hundred kilobytes before anything waits in the daemon.
    for _ in 0..<1000 {
      for _ in 0..<50 { try bystanders.goOn() }
      let isLost = try bystanders.publisher.result("stats")["gaps"].int ?? 0
      if isLost > 0 { break }
    }
    for _ in 0..<10 { try bystanders.goOn() }
    let seqs = try bystanders.lines.compactMap { try JSON($0)["params"]["seq"].int }
    #expect(seqs == Array((seqs.first ?? 0)...(seqs.last ?? 0)))

    if overflow == "disconnect" {
      let end = try #require(try sleeper.linesToTheEnd().last)
      #expect(end == #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"overflow"}}"#)
      return
    }
    // It reads again, and nobody has to do anything for it to be told.
    var messages = [try sleeper.message()]
    while messages.last?["method"].string != "gap" { messages.append(try sleeper.message()) }
    let gap = messages.count - 1
    messages += try sleeper.settle().lines.map { try JSON($0) }
    let before = messages[..<gap].compactMap { $0["params"]["seq"].int }
    #expect(before == Array(1...(before.last ?? 1)))
    #expect(messages[gap]["params"]["from"].int == (before.last ?? 0) + 1)
    let snapshot = messages[gap + 1]["params"]
    #expect(snapshot["snapshot"].bool == true)
    // What came between the snapshot's making and the gap's end is in the snapshot.
    #expect(messages[gap]["params"]["to"].int == snapshot["seq"].int)
    let after = messages[(gap + 1)...].compactMap { $0["params"]["seq"].int }
    #expect(after == Array((after.first ?? 0)...(after.last ?? 0)))
    #expect(after.last == seqs.last)
  }
}

/// A publisher and a subscriber of a header of their own, going on while others misbehave.
final class Bystanders {
  let publisher: WireClient
  let subscriber: WireClient
  private(set) var steps = 0
  private(set) var lines: [String] = []

  init(_ daemon: RunningDaemon) throws {
    publisher = try daemon.client()
    subscriber = try daemon.client()
    _ = try publisher.result("header.open", Conversation.opening.replacing("\"main\"", with: "\"control\""))
    _ = try subscriber.result("subscribe", #"{"headers":"control","mode":"every"}"#)
  }

  /// One more event; the answer is waited for.
  func goOn() throws {
    steps += 1
    let y = Double(steps * 37 % 200) - 104
    let event = #"{"header":"control","event":"didScroll","time":\#(steps),"offset":{"y":\#(y)}}"#
    _ = try publisher.result("event", event)
    lines += try subscriber.settle().lines
  }

  /// All that the subscriber has heard, without the epoch.
  func story() throws -> [String] {
    lines += try subscriber.settle().lines
    return lines.map { scrubbed($0) }
  }
}
