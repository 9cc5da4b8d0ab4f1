// SPDX-License-Identifier: MIT
//
// Subscriptions on a real socket: a client that is cut off a hundred times in the middle of the stream, rates by the real
// clock as far as they can be told without waiting for it, and what each role may do.

import DaemonTestKit
import Foundation
import HeaderTestKit
import Testing

@Suite struct ResumingTests {
  @Test func aHundredLivesSeeEverythingOnce() throws {
    let daemon = try RunningDaemon(config: "[limits]\nresumeStates = 60\nidlePing = 86400\n")
    var random = SplitMix64(seed: 20_261_121)
    let publisher = try daemon.client()
    let epoch = try publisher.result("header.open", LifeTests.opening)["epoch"].int ?? 0
    var (point, present, step) = (1, 1, 0)
    var seen: [Int: Int] = [:]
    var lost: Set<Int> = []
    for life in 0..<100 {
      // Twice more is missed than is kept.
      let missed = life == 40 || life == 80 ? 80 : Int.random(in: 0...12, using: &random)
      for _ in 0..<missed {
        step += 1
        let event = LifeTests.scroll(Double(step), Double(step % 2 * 300))
        try publisher.write("{\"method\":\"event\",\"params\":\(event)}\n")
      }
      #expect(try publisher.settle().lines == [])
      present = try publisher.result("header.get", #"{"header":"main"}"#)["state"]["seq"].int ?? 0
      let client = try daemon.client()
      try client.write(
        #"{"id":1,"method":"subscribe","params":{"headers":"main","mode":"every","#
          + #""resumeFrom":{"main":{"epoch":\#(epoch),"seq":\#(point)}}}}"# + "\n")
      #expect(try client.message()["result"]["matched"].int == 1)
      // It takes some of what there is for it, and vanishes.
      var taken = Int.random(in: 0...16, using: &random)
      while taken > 0, point < present {
        let message = try client.message()
        let params = message["params"]
        switch message["method"].string {
        case "gap":
          lost.formUnion((params["from"].int ?? 0)...(params["to"].int ?? 0))
          #expect(params["reason"].string == "tooOld")
        default:
          let seq = params["seq"].int ?? 0
          if params["snapshot"].isAbsent { seen[seq, default: 0] += 1 }
          point = seq
        }
        taken -= 1
      }
    }
    #expect(!lost.isEmpty)
    #expect(present > step / 2)
    for seq in 2...point { #expect(seen[seq, default: 0] == (lost.contains(seq) ? 0 : 1), "\(seq)") }
    let stats = try publisher.result("stats")
    #expect(stats["resumeStates"].int == 60)
    #expect(stats["gaps"].int ?? 0 > 0)
  }

  @Test func theLastStateComesByItself() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    _ = try client.result("header.open", LifeTests.opening)
    _ = try client.result("subscribe", #"{"headers":"main","maxRate":20,"fields":["drawers.navBar"]}"#)
    #expect(try client.notification("state")["snapshot"].bool == true)
    var seq = 1
    for step in 1...50 {
      seq = try client.result("event", LifeTests.scroll(Double(step), Double(step % 2 * 300)))["seq"].int ?? 0
    }
    #expect(seq > 10)
    let last = try client.notification("state") { $0["seq"].int == seq }
    #expect(last["drawers"].list.count == 1)
    #expect(last["values"].isAbsent && last["scrollViews"].isAbsent)
  }
}

@Suite struct RolesTests {
  private func roles(_ config: String) throws -> String {
    let daemon = try RunningDaemon(config: "[roles]\n" + config)
    return try daemon.client().result("hello")["roles"].list.compactMap(\.string).joined(separator: " ")
  }

  @Test func byUserAndGroup() throws {
    let (user, group) = (geteuid(), getegid())
    #expect(try roles("") == "publish subscribe tune admin")
    #expect(try roles("publish = []\nsubscribe = [\"uid:\(user)\"]\nadmin = [\"uid:\(user + 1)\"]\n") == "subscribe")
    #expect(try roles("publish = [\"gid:\(group)\"]\nsubscribe = [\"any\"]\nadmin = []\n") == "publish subscribe tune")
    #expect(try roles("publish = []\ntune = [\"self\"]\nsubscribe = []\nadmin = []\n") == "tune")
    #expect(try roles("publish = []\nsubscribe = []\nadmin = []\n") == "")
  }

  @Test func whoHasNoneIsToldWhatItLacks() throws {
    let daemon = try RunningDaemon(config: "[roles]\npublish = []\nsubscribe = []\nadmin = []\n")
    let client = try daemon.client()
    let calls = [
      ("header.open", "publish"), ("event", "publish"), ("header.close", "publish"), ("delegate.add", "tune"),
      ("subscribe", "subscribe"), ("plugin.list", "admin"), ("trace.start", "admin"),
    ]
    for (method, role) in calls {
      let error = try client.refusal(method)
      #expect(error["data"]["name"].string == "notPermitted")
      #expect(error["data"]["role"].string == role)
      #expect(error["data"]["hint"].string == "roles.\(role) in the daemon's config gives it")
    }
  }

  /// A reload gives other roles to those who come after it.
  @Test func afterSIGHUP() throws {
    let daemon = try RunningDaemon(config: "[roles]\nadmin = []\n")
    let before = try daemon.client()
    try daemon.folder.write("[roles]\nsubscribe = []\n", to: "headerd.toml")
    daemon.process.signal(SIGHUP)
    #expect(try daemon.process.waitForErrors(containing: "configRead"))
    let after = try daemon.client()
    #expect(try before.result("hello")["roles"].list.compactMap(\.string) == ["publish", "subscribe", "tune"])
    #expect(try after.result("hello")["roles"].list.compactMap(\.string) == ["publish", "tune", "admin"])
  }
}
