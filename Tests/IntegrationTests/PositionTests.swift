// SPDX-License-Identifier: MIT
//
// Constraints and moves on the real daemon: leases that end with their connection or their time, across threads, through a
// crash, and in recordings; ends of motions that are told of to whoever subscribes.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PositionTests {
  private static func opening(_ frames: String) -> String {
    """
    {"header":"main","frames":"\(frames)","scrollViews":{"content":{"viewport":{"width":375,"height":667},\
    "contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44}],\
    "delegates":[{"behavior":"ShyNavBar","options":{"expansionResistance":0}}]}
    """
  }

  private func names(_ state: JSON) -> [String] {
    state["position"]["constraints"].list.compactMap { $0["name"].string }
  }

  @Test(arguments: ["live", "events", "manual"], [1, 3])
  func aLeaseEndsWithItsConnection(frames: String, threads: Int) throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"], threads: threads)
    let publisher = try daemon.client()
    _ = try publisher.result("header.open", Self.opening(frames))
    _ = try publisher.result("header.move", #"{"header":"main","to":"collapsed"}"#)
    let subscriber = try daemon.client()
    _ = try subscriber.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    #expect(names(try subscriber.notification("state")).isEmpty)

    try holdBriefly(daemon, frames)
    let held = try subscriber.notification("state")
    #expect(names(held) == ["dialog"] && held["position"]["permitted"].list.map(\.double) == [0, 0])
    // Nobody released it.
    let free = try subscriber.notification("state") { names($0).isEmpty }
    #expect(free["drawers"][0]["frame"]["y"].double == 0)
    // It may leave again.
    let left = try publisher.result("header.move", #"{"header":"main","to":"collapsed"}"#)
    #expect(left["progress"].double == 1)
  }

  /// A client that is gone when it returns.
  private func holdBriefly(_ daemon: RunningDaemon, _ frames: String) throws {
    let holder = try daemon.client()
    let held = try holder.result(
      "header.constrain", #"{"header":"main","name":"dialog","permitted":"shown","lease":"connection"}"#)
    #expect(held["permitted"].list.map(\.double) == [0, 0])
    #expect(names(try holder.result("header.get", #"{"header":"main"}"#)["state"]) == ["dialog"])
  }

  @Test(arguments: ["live", "events", "manual"], ["none", "process"])
  func aLeaseEndsWithItsTime(frames: String, isolation: String) throws {
    let daemon = try RunningDaemon(
      config: "[plugins]\nisolation = { default = \"\(isolation)\" }\n\(TestFiles.processMemory)\n",
      plugins: ["ShyNavBar"])
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening(frames))
    let trace = try client.result("trace.start", #"{"header":"main"}"#)["trace"].int ?? 0
    _ = try client.result(
      "header.constrain", #"{"header":"main","name":"tour","permitted":"hidden","lease":0.05}"#)
    // It stays open, and no event comes.
    let step = try client.notification("trace") { $0["step"]["event"].string == "release" }
    #expect(step["step"]["name"].string == "tour" && step["trace"].int == trace)
    let after = try client.result("header.get", #"{"header":"main","include":["position"]}"#)
    #expect(after["position"]["constraints"].list.isEmpty)
    #expect(try client.refusal("header.release", #"{"header":"main","name":"tour"}"#)["data"]["got"].string == "tour")
  }

  @Test func constraintsOutliveTheDaemonAndConnectionsDoNot() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    try folder.write(
      "[state]\ndirectory = \"\(folder("state"))\"\ndurability = \"acknowledged\"\n", to: "headerd.toml")
    func start() throws -> RunningDaemon {
      try RunningDaemon(
        in: folder, socket: folder("headerd.sock"),
        arguments: ["--config", folder("headerd.toml"), "--socket", folder("headerd.sock")])
    }
    let daemon = try start()
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("live"))
    _ = try client.result("header.move", #"{"header":"main","to":"collapsed"}"#)
    for (name, lease) in [("dialog", "\"connection\""), ("kiosk", "null"), ("tour", "3600")] {
      _ = try client.result(
        "header.constrain", #"{"header":"main","name":"\#(name)","permitted":"shown","lease":\#(lease)}"#)
    }
    let before = try client.result("header.get", #"{"header":"main"}"#)["state"]
    try daemon.kill()
    let second = try start()
    defer { withExtendedLifetime(second) {} }
    let next = try second.client()
    let state = try next.result("header.get", #"{"header":"main"}"#)["state"]
    #expect(names(state) == ["kiosk", "tour"])
    // Its time goes on where it was, and not by all that the machine's clock has counted.
    _ = try next.result("header.release", #"{"header":"main","name":"kiosk"}"#)
    let after = try next.result("header.get", #"{"header":"main"}"#)["state"]
    #expect(names(after) == ["tour"])
    #expect(try #require(after["time"].double) - #require(before["time"].double) < watchdogSeconds)
  }

  @Test func theEndOfAMotionIsToldOf() throws {
    let daemon = try RunningDaemon(plugins: ["ShyNavBar"])
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("live"))
    _ = try client.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    func end(of id: Int?) throws -> String? {
      var found: String?
      _ = try client.notification("state") { message in
        let notice = message["notices"].list.first { $0["arguments"]["id"].int == id }
        found = notice?["name"].string
        return found != nil
      }
      return found
    }
    let move = try client.result(
      "header.move", #"{"header":"main","to":"collapsed","animated":{"duration":0.05}}"#)
    #expect(try end(of: move["id"].int) == "didArrive")
    let call = try client.result("header.call", #"{"header":"main","name":"expand"}"#)
    #expect(call["id"].int == (move["id"].int ?? 0) + 1)
    #expect(try end(of: call["id"].int) == "didArrive")
    let still = try client.result("header.call", #"{"header":"main","name":"expand","arguments":{"animated":false}}"#)
    #expect(still["id"].isAbsent)
  }
}
