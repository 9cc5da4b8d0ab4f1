// SPDX-License-Identifier: MIT
//
// Clients that listen to something and are gone: it is noticed when they close their socket, also when nothing is sent to them,
// and not only by the next ping. One that has ended its half alone stays.

import DaemonTestKit
import Testing

@Suite struct GoneClientTests {
  /// Nobody is noticed to be gone by a ping here.
  private static let quiet = "[limits]\nidlePing = 86400\ndeadline = 3600\nconnections = 40\n"

  private static let opening = #"{"header":"main","frames":"events"}"#

  private static func connections(_ onlooker: WireClient) throws -> Int? {
    try onlooker.result("stats")["connections"].int
  }

  @Test(arguments: [1, 2]) func whatWasASubscribersIsClearedAway(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let onlooker = try daemon.client()
    _ = try onlooker.result("header.open", Self.opening)
    _ = try onlooker.result("subscribe", #"{"headers":"mine.**"}"#)
    let watcher = #"{"header":"main","client":"observe","name":"watcher"}"#
    try {
      let client = try daemon.client()
      _ = try client.result("subscribe", #"{"headers":"**"}"#)
      for name in ["mine.a", "mine.b", "mine.c"] {
        _ = try client.result("header.open", #"{"header":"\#(name)","lifetime":"connection"}"#)
      }
      _ = try client.result("delegate.add", watcher)
      _ = try onlooker.refusal("delegate.add", watcher)
      // What has come is read, so that the socket is closed in order and no error tells of it.
      _ = try client.settle()
    }()
    for _ in 0..<3 { _ = try onlooker.notification("closed") }
    try eventually("its delegate's name is free") { try !onlooker.request("delegate.add", watcher)["result"].isAbsent }
  }

  @Test(arguments: [1, 2]) func theirPlacesAreFree(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let onlooker = try daemon.client()
    _ = try onlooker.result("header.open", Self.opening)
    for _ in 0..<5 {
      try eventually("all are gone") { try Self.connections(onlooker) == 1 }
      let clients = try (0..<39).map { _ in try daemon.client() }
      for client in clients {
        _ = try client.result("subscribe", #"{"headers":"main"}"#)
        _ = try client.settle()
      }
      #expect(try Self.connections(onlooker) == 40)
    }
  }

  @Test(arguments: [1, 2]) func aHalfClosedOneStaysUntilItCloses(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let onlooker = try daemon.client()
    _ = try onlooker.result("header.open", LifeTests.opening)
    try {
      let client = try daemon.client()
      _ = try client.result("subscribe", #"{"headers":"main","mode":"every"}"#)
      client.closeWriting()
      var last: Int?
      for step in 1...20 {
        last = try onlooker.result("event", LifeTests.scroll(Double(step), Double(step * 7)))["seq"].int
      }
      #expect(last ?? 0 > 2)
      _ = try client.notification("state") { $0["seq"].int == last }
      #expect(try Self.connections(onlooker) == 2)
    }()
    try eventually("it is gone") { try Self.connections(onlooker) == 1 }
  }

  /// What was sent before the end is done, in order, although nobody reads what comes of it.
  @Test(arguments: [1, 2]) func whatTheySentIsDone(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let onlooker = try daemon.client()
    _ = try onlooker.result("header.open", Self.opening)
    for step in 1...20 {
      try {
        let client = try daemon.client()
        _ = try client.result("subscribe", #"{"headers":"nothing"}"#)
        let event = LifeTests.scroll(Double(step), Double(step))
        try client.write(#"{"method":"event","params":\#(event)}"# + "\n")
      }()
      try eventually("it is done") {
        let state = try onlooker.result("header.get", #"{"header":"main"}"#)["state"]
        return state["scrollViews"]["content"]["contentOffset"]["y"].int == step
      }
    }
  }
}
