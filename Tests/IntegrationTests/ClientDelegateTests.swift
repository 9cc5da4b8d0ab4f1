// SPDX-License-Identifier: MIT
//
// Clients in a header's chain, on the real daemon with its real clock: told and asked as lines and in frames, late, killed,
// and recorded for a replay without them.

import DaemonTestKit
import Foundation
import Testing

@Suite struct ClientDelegateTests {
  private let opening = PluginTests.opening("main", "ShyNavBar")

  private func drag(_ time: Int) -> String {
    #"{"header":"main","event":"willEndDragging","time":\#(time),"targetOffset":{"y":210}}"#
  }

  private func send(_ client: WireClient, _ id: Int, _ params: String) throws {
    try client.write("{\"id\":\(id),\"method\":\"event\",\"params\":\(params)}\n")
  }

  private func ask(_ client: WireClient) throws -> JSON {
    while true {
      let message = try client.message()
      if message["method"].string == "delegate.ask" { return message }
    }
  }

  @Test func toldAndAsked() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let (publisher, guardian, logger) = (try daemon.client(), try daemon.client(), try daemon.client())
    _ = try publisher.result("header.open", opening)
    _ = try logger.result("delegate.add", #"{"header":"main","client":"observe","name":"logger"}"#)
    let added = try guardian.result(
      "delegate.add", #"{"header":"main","client":"intercept","name":"guard","deadline":0.1,"at":0}"#)
    #expect(added["index"].int == 0)
    // The real clock may pass the deadline on a busy machine; then it is asked again.
    for time in 1...50 {
      try send(publisher, time, drag(time))
      let question = try ask(guardian)
      #expect(question["params"]["event"]["targetOffset"]["y"].int == 210)
      try guardian.write(
        "{\"id\":\"\(question["id"].string ?? "")\",\"result\":{\"verdict\":\"rewrite\",\"targetOffset\":{\"y\":176}}}\n"
      )
      let answer = try publisher.message()
      let told = try logger.notification("delegate.event")
      guard answer["result"]["rewrittenBy"].string == "guard" else { continue }
      #expect(answer["id"].int == time)
      #expect(answer["result"]["targetOffset"]["y"].int == 176)
      #expect(told["event"]["targetOffset"]["y"].int == 176)
      return
    }
    Issue.record("never answered in time")
  }

  @Test func aClientThatSaysNothingIsPassedOverAndOneThatIsKilledIsGone() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let (publisher, subscriber) = (try daemon.client(), try daemon.client())
    _ = try publisher.result("header.open", opening)
    _ = try publisher.result("header.open", PluginTests.opening("other", "ShyNavBar"))
    _ = try subscriber.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    do {
      let guardian = try daemon.client()
      _ = try guardian.result(
        "delegate.add", #"{"header":"main","client":"intercept","name":"guard","deadline":0.1}"#)
      // The other header goes on: its answer overtakes the one that waits.
      try send(publisher, 1, drag(1))
      try send(publisher, 2, PluginTests.scroll("other", 1, 5))
      #expect(try publisher.message()["id"].int == 2)
      #expect(try publisher.message()["id"].int == 1)
      let late = try subscriber.notification("state") { !$0["notices"].isAbsent }
      #expect(late["notices"][0]["name"].string == "delegatePassedOver")
      #expect(late["notices"][0]["arguments"]["reason"].string == "it did not answer within 0.1 s")
      try send(publisher, 3, drag(2))
      _ = try ask(guardian)
      _ = try ask(guardian)
    }
    #expect(try publisher.message()["id"].int == 3)
    let rows = try publisher.result("header.list", #"{"match":"main"}"#)
    #expect(rows["headers"][0]["delegates"].strings == ["shyNavBar"])
  }

  /// A recording has the answers; its replay needs no client.
  @Test func aReplayNeedsNoClient() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let (publisher, guardian, recorder) = (try daemon.client(), try daemon.client(), try daemon.client())
    _ = try publisher.result("header.open", opening)
    _ = try publisher.result("event", PluginTests.scroll("main", 1, 3))
    let add = #"{"header":"main","client":"intercept","name":"guard","deadline":0.1}"#
    _ = try guardian.result("delegate.add", add)
    _ = try recorder.result("trace.start", #"{"header":"main"}"#)
    let answers = [
      #""result":{"verdict":"pass","actions":[{"action":"setValue","name":"mood","value":"calm"},{"action":"notice","name":"seen"}]}"#,
      #""result":{"verdict":"perhaps"}"#,
      #""result":{"verdict":"end","actions":[{"action":"setContentOffset","offset":{"y":9}}]}"#,
    ]
    for (number, answer) in answers.enumerated() {
      try send(publisher, number, PluginTests.scroll("main", number + 2, number * 7))
      try guardian.write("{\"id\":\"\(try ask(guardian)["id"].string ?? "")\",\(answer)}\n")
      _ = try publisher.message()
    }
    try send(publisher, 9, drag(9))
    _ = try publisher.message()
    _ = try guardian.result("delegate.remove", #"{"header":"main","delegate":"guard"}"#)
    _ = try guardian.result("delegate.add", add)
    _ = try publisher.result("header.close", #"{"header":"main"}"#)
    var lines = try recorder.settle().lines.filter { $0.contains(#""method":"trace""#) }
    #expect(lines.count == 8 && lines.removeLast().contains(#""ended":"closed""#))
    let prefix = #"{"jsonrpc":"2.0","method":"trace","params":{"trace":1,"#
    let members = lines.map { String($0.dropFirst(prefix.count).dropLast(2)) }
    let file = try daemon.folder.write(
      (["{\"format\":\"header-recording/1\",\"headerd\":\"0.2.0\",\(members[0])}"]
        + members.dropFirst().map { String($0.dropFirst("\"step\":".count)) }).joined(separator: "\n") + "\n",
      to: "guarded.jsonl")
    let end = try runProgram("headerctl", ["verify", file, "--plugins", daemon.plugins], environment: [:])
    #expect(end.status == 0, "\(end.output) \(end.errors)")
    #expect(end.output.contains("7 steps") || end.output.contains("6 steps"), "\(end.output)")
  }
}
