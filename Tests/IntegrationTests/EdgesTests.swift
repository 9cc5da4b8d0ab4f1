// SPDX-License-Identifier: MIT
//
// Drawers at several edges, and drawers that follow others, with the real daemon: one thread and several, behaviors in the
// daemon and in a process of their own.

import DaemonTestKit
import Foundation
import Testing

@Suite struct EdgesTests {
  private static func browser(_ name: String) -> String {
    """
    {"header":"\(name)","frames":"events","tellsObstruction":true,"scrollViews":{"content":\
    {"viewport":{"width":320,"height":480},"contentSize":{"height":2000}}},\
    "drawers":[{"name":"address","height":44},\
    {"name":"controls","edge":"bottom","height":60,"follow":{"drawer":"address"}},\
    {"name":"rail","edge":"trailing","height":50}],\
    "delegates":[{"behavior":"ShyNavBar","options":{"expansionResistance":0}},\
    {"behavior":"ShyNavBar","name":"side","edge":"trailing"}]}
    """
  }

  private static func follower(_ name: String, of leader: String) -> String {
    """
    {"header":"\(name)","frames":"events","scrollViews":{"content":{"viewport":{"width":320,"height":480}}},\
    "drawers":[{"name":"tabs","height":22,"follow":{"header":"\(leader)","drawer":"address"}}]}
    """
  }

  private static func scroll(_ name: String, _ y: Int) -> String {
    """
    {"header":"\(name)","event":"didScroll","time":\(Double(y) / 100 + 1),"offset":{"x":0,"y":\(y)},\
    "isTracking":true,"isDragging":true}
    """
  }

  @Test(arguments: [(1, "none"), (3, "none"), (1, "process"), (2, "process")])
  func edgesAndFollowers(_ threads: Int, _ isolation: String) throws {
    let daemon = try RunningDaemon(
      config: "[plugins]\nisolation = { default = \"\(isolation)\" }\n\(TestFiles.processMemory)\n", threads: threads)
    let (publisher, subscriber) = (try daemon.client(), try daemon.client())
    _ = try publisher.result("header.open", Self.browser("browser"))
    let followers = (0..<6).map { "window\($0)" }
    for name in followers { _ = try publisher.result("header.open", Self.follower(name, of: "browser")) }
    let tracing = try publisher.result("trace.start", #"{"header":"browser"}"#)
    #expect(tracing["trace"].description != "null")
    _ = try subscriber.result("subscribe", #"{"headers":"*","mode":"every"}"#)
    for y in stride(from: 0, through: 60, by: 6) { _ = try publisher.result("event", Self.scroll("browser", y)) }
    // States of several threads come in any order; those of one header in theirs.
    var waiting = Set(followers + ["browser"])
    var latest: [String: JSON] = [:]
    while !waiting.isEmpty {
      let state = try subscriber.notification("state")
      let name = state["header"].string ?? ""
      latest[name] = state
      if state["drawers"][0]["frame"]["y"].double == (name == "browser" ? -44 : -22) { waiting.remove(name) }
    }
    let last = try #require(latest["browser"])
    let drawers = last["drawers"]
    #expect(drawers[1]["frame"]["y"].double == 480 && drawers[1]["frame"]["height"].double == 60)
    #expect(drawers[2]["frame"]["x"].double == 270 && drawers[2]["frame"]["height"].double == 480)
    let insets = last["scrollViews"]["content"]["contentInset"]
    #expect(insets["bottom"].double == 0 && insets["right"].double == 50)
    #expect(last["position"]["obstruction"]["right"].double == 50)
    for name in followers {
      #expect(latest[name]?["scrollViews"]["content"]["contentInset"]["top"].double == 0)
    }
    _ = try publisher.result("header.close", #"{"header":"browser"}"#)
    waiting = Set(followers)
    while !waiting.isEmpty {
      let state = try subscriber.notification("state") {
        waiting.contains($0["header"].string ?? "") && $0["notices"][0]["name"].string == "didLoseLeader"
      }
      #expect(state["drawers"][0]["frame"]["y"].double == -22)
      waiting.remove(state["header"].string ?? "")
    }
  }

  @Test func circlesAreRefused() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    func pair(_ name: String, _ leader: String) -> String {
      #"{"header":"\#(name)","drawers":[{"name":"tabs","height":1,"follow":{"header":"\#(leader)","drawer":"tabs"}}]}"#
    }
    _ = try client.result("header.open", pair("a", "b"))
    let refusal = try client.refusal("header.open", pair("b", "a"))
    #expect(refusal["data"]["name"].string == "conflict")
    #expect(refusal["message"].string?.contains("nobody leads") == true)
  }
}
