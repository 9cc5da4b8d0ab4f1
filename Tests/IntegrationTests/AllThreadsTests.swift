// SPDX-License-Identifier: MIT
//
// What concerns all threads at once: they stand still for it, and go on. Requests of that kind from many sides, a plugin's
// reload, limits, a new config, the end.

import DaemonTestKit
import Foundation
import Testing

@Suite struct AllThreadsTests {
  /// Many that want all others to stand still at the same time, while events come: all of them get their turn.
  @Test(arguments: [2, 4]) func everybodyGetsItsTurn(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: ThreadsTests.quiet, threads: threads)
    let clients = try (0..<12).map { _ in try daemon.client() }
    for (index, client) in clients.enumerated() {
      _ = try client.result("header.open", ThreadsTests.opening("h\(index)"))
    }
    for step in 1...10 {
      for (index, client) in clients.enumerated() {
        var text = ""
        for round in 0..<6 {
          text += ThreadsTests.event("h\((index + round) % clients.count)", step)
          text +=
            "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\"}}\n{\"id\":2,\"method\":\"header.list\"}\n"
          text += "{\"id\":3,\"method\":\"stats\"}\n{\"id\":4,\"method\":\"ping\"}\n"
          text += "{\"id\":5,\"method\":\"unsubscribe\",\"params\":{\"subscription\":\((step - 1) * 6 + round + 1)}}\n"
        }
        try client.write(text)
      }
      for client in clients {
        let answers = try client.settle().lines.map { try JSON($0) }.filter { !$0["id"].isAbsent }
        // What begins and ends subscriptions is done at once; the others come after all before them, and in their order.
        let ids = answers.compactMap { $0["id"].int }
        #expect(ids.filter { $0 == 1 || $0 == 5 } == Array(repeating: [1, 5], count: 6).flatMap(\.self))
        #expect(ids.filter { (2...4).contains($0) } == Array(repeating: [2, 3, 4], count: 6).flatMap(\.self))
        #expect(answers.allSatisfy { !$0["result"].isAbsent }, "\(answers.first { $0["result"].isAbsent }?.text ?? "")")
        #expect(answers.first { $0["id"].int == 2 }?["result"]["headers"].list.count == clients.count)
      }
    }
    let stats = try clients[0].result("stats")
    #expect(stats["headers"].int == clients.count && stats["connections"].int == clients.count)
    #expect(stats["subscriptions"].int == 0 && stats["events"].int == 12 * 60)
  }

  /// A plugin is reloaded under headers at all threads, each between two of its events.
  @Test(arguments: [2, 4]) func aPluginIsReloadedUnderBusyThreads(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: ThreadsTests.quiet, threads: threads)
    let publishers = try (0..<4).map { _ in try daemon.client() }
    let names = (0..<12).map { "h\($0)" }
    for (index, name) in names.enumerated() {
      _ = try publishers[index % 4].result("header.open", ThreadsTests.opening(name))
    }
    let (admin, subscriber) = (try daemon.client(), try daemon.client())
    _ = try subscriber.result("subscribe", #"{"headers":"*","mode":"every"}"#)
    var step = 0
    for build in 1...6 {
      for _ in 0..<20 {
        step += 1
        for (index, publisher) in publishers.enumerated() {
          try publisher.write(
            names.indices.filter { $0 % 4 == index }.map { ThreadsTests.event(names[$0], step) }.joined())
        }
      }
      try daemon.rebuild("ShyNavBar", build)
      let reloaded = try admin.result("plugin.reload", #"{"plugin":"ShyNavBar"}"#)["headers"].list
      #expect(reloaded.compactMap { $0["header"].string } == names)
    }
    for publisher in publishers { #expect(try publisher.settle().lines == []) }
    var last: [String: Int] = [:]
    for message in try subscriber.notifications + subscriber.settle().lines.map({ try JSON($0) }) {
      try ThreadsTests.follow(message, &last)
    }
    for name in names {
      #expect(try admin.result("header.get", "{\"header\":\"\(name)\"}")["state"]["seq"].int == last[name])
    }
    #expect(try admin.result("plugin.unload", #"{"plugin":"ShyNavBar","force":true}"#)["headers"].list.count == 12)
  }

  /// Limits count what is at all threads.
  @Test func limitsHoldForAllThreadsTogether() throws {
    let daemon = try RunningDaemon(
      config: "[limits]\nheaders = 5\nconnections = 3\ntraces = 2\neventsPerSecond = 10\n", threads: 4)
    let client = try daemon.client()
    for index in 0..<5 { _ = try client.result("header.open", ThreadsTests.opening("h\(index)")) }
    #expect(try client.refusal("header.open", ThreadsTests.opening("h5"))["data"]["limit"]["name"].string == "headers")
    _ = try client.result("header.open", ThreadsTests.opening("h4", #","ifExists":"replace""#))
    _ = try client.result("header.close", #"{"header":"h4"}"#)
    _ = try client.result("header.open", ThreadsTests.opening("h5"))
    let traces = try (0..<2).map { try client.result("trace.start", "{\"header\":\"h\($0)\"}")["trace"].int ?? 0 }
    #expect(try client.refusal("trace.start", #"{"header":"h3"}"#)["data"]["limit"]["name"].string == "traces")
    #expect(Set(traces).count == 2)
    for trace in traces { #expect(try client.result("trace.stop", "{\"trace\":\(trace)}")["steps"].int == 0) }
    var refused = 0
    for step in 0..<40 {
      let params = #"{"header":"h\#(step % 4)","event":"didScroll","offset":{"y":\#(step)}}"#
      if try client.request("event", params)["error"]["data"]["name"].string == "rateExceeded" { refused += 1 }
    }
    #expect(refused > 0)
    #expect(
      try client.refusal("header.get", #"{"header":"h33"}"#)["data"]["hint"].string?.contains("did you mean") == true)
    let (second, third) = (try daemon.client(), try daemon.client())
    _ = try second.result("ping")
    _ = try third.result("ping")
    // Those that are kept for administrators.
    let reserved = try (0..<8).map { _ in try daemon.client() }
    for client in reserved { _ = try client.result("ping") }
    #expect(try daemon.client().linesToTheEnd().contains { $0.contains("limitExceeded") })
  }

  /// At the end everybody gets the last state of every header, then `bye`.
  @Test(arguments: [2, 4]) func everyoneGetsByeAfterTheLastStates(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: ThreadsTests.quiet, threads: threads)
    let publisher = try daemon.client()
    let subscribers = try (0..<6).map { _ in try daemon.client() }
    for client in subscribers { _ = try client.result("subscribe", #"{"headers":"*","mode":"every"}"#) }
    let names = (0..<12).map { "h\($0)" }
    for name in names { _ = try publisher.result("header.open", ThreadsTests.opening(name)) }
    for step in 1...50 { try publisher.write(names.map { ThreadsTests.event($0, step) }.joined()) }
    #expect(try publisher.settle().lines == [])
    let list = try publisher.result("header.list")["headers"].list
    daemon.process.signal(SIGTERM)
    for client in subscribers {
      let lines = try client.linesToTheEnd()
      #expect(lines.last == #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"draining"}}"#)
      var last: [String: Int] = [:]
      for line in lines.dropLast() { try ThreadsTests.follow(try JSON(line), &last) }
      for row in list { #expect(last[row["header"].string ?? ""] == row["seq"].int) }
    }
    #expect(try daemon.process.waitForExit() == 0)
  }

  /// SIGHUP under several threads: a new header goes where it belongs, limits hold for all, another number of threads waits
  /// for the next start.
  @Test func hangUpReachesAllThreads() throws {
    let header = "[[header]]\nheader = \"NAME\"\ndrawers = [ { name = \"bar\", height = 44 } ]\n"
    let daemon = try RunningDaemon(config: ThreadsTests.quiet, threads: 4)
    let clients = try (0..<4).map { _ in try daemon.client() }
    _ = try clients[0].result("subscribe", #"{"headers":"*"}"#)
    let headers = (0..<8).map { header.replacingOccurrences(of: "NAME", with: "h\($0)") }.joined()
    try daemon.folder.write(
      "threads = 2\n[limits]\nlineBytes = 500\nidlePing = 86400\n" + headers, to: "headerd.toml")
    daemon.process.signal(SIGHUP)
    #expect(try daemon.process.waitForErrors(containing: "needsRestart=threads"))
    for client in clients {
      #expect(try client.result("hello")["limits"]["lineBytes"].int == 500)
      #expect(
        try client.result("header.list")["headers"].list.compactMap { $0["header"].string } == (0..<8).map { "h\($0)" })
    }
    #expect(try ThreadsTests.shards(clients[0], of: 4).allSatisfy { !$0.isEmpty })
    #expect(clients[0].notifications.filter { $0["params"]["snapshot"].bool == true }.count == 8)
  }
}
