// SPDX-License-Identifier: MIT
//
// Headers that follow others, in one service: order, circles, and leaders that come and go.

import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct FollowerTests {
  private let daemon = TestDaemon()

  private func follower(_ name: String, of leader: String, _ drawer: String = "navBar", as own: String = "tabs")
    -> String
  {
    """
    {"id":1,"method":"header.open","params":{"header":"\(name)","frames":"events",\
    "scrollViews":{"content":{"viewport":{"width":320,"height":480}}},\
    "drawers":[{"name":"\(own)","height":88,"follow":{"header":"\(leader)","drawer":"\(drawer)"}}]}}
    """
  }

  /// All that is told in a turn.
  private func turn(_ client: TestClient) -> [Value] {
    daemon.service.endTurn()
    return client.received().map(tree).filter { $0.at("method").text == "state" }
  }

  @Test func `a follower is told after its leader's state, in the same turn`() {
    let client = daemon.publisher("main")
    #expect(client.send(follower("second", of: "main")).results.count == 1)
    client.send(#"{"method":"subscribe","params":{"headers":"*","mode":"every"}}"#)
    _ = turn(client)
    client.send(TestDaemon.scroll("main", 1, 64))
    let told = client.allLines.map(tree).filter { $0.at("method").text == "state" }
    let later = turn(client)
    #expect(told.last?.at("params.header").text == "main")
    #expect(later.map { $0.at("params.header").text } == ["second"])
    let leader = told.last?.at("params.drawers.0.frame.y").number ?? 0
    #expect(leader < 20 && (later.first?.at("params.drawers.0.frame.y").number ?? 0) < 0)
    // Nothing new: nobody is told anything.
    #expect(turn(client).isEmpty)
  }

  @Test func `a follower in a process is told in the same turn, and not waited for`() {
    daemon.plugins.isolated = ["Scripted"]
    let (client, workers) = (daemon.publisher("main"), daemon.plugins.workers)
    let delegates = #""delegates":[{"behavior":"Scripted"}],"drawers""#
    #expect(client.send(follower("second", of: "main").replacing(#""drawers""#, with: delegates)).results.count == 1)
    client.send(#"{"method":"subscribe","params":{"headers":"second","mode":"every"}}"#)
    workers.areSlow = true
    client.send(TestDaemon.scroll("main", 1, 64))
    #expect(turn(client).isEmpty)
    workers.work()
    #expect(turn(client).map { $0.at("params.header").text } == ["second"])
    #expect(workers.started.count == 1)
  }

  @Test func `who comes to other followers is told where the leader is`() {
    let client = daemon.publisher("main")
    client.send(TestDaemon.scroll("main", 1, 64))
    for name in ["second", "third", "fourth"] {
      client.send(follower(name, of: "main"))
      client.send("{\"method\":\"subscribe\",\"params\":{\"headers\":\"\(name)\",\"mode\":\"every\"}}")
      let told = turn(client)
      #expect(told.map { $0.at("params.header").text } == [name])
      #expect(told.allSatisfy { $0.at("params.drawers.0.frame.y").number < 0 })
    }
  }

  @Test func `of many followers those that remain are told`() {
    let client = daemon.publisher("main")
    let names = (0..<6).map { "follower\($0)" }
    for name in names { client.send(follower(name, of: "main")) }
    client.send(#"{"method":"subscribe","params":{"headers":"follower*","mode":"every"}}"#)
    _ = turn(client)
    // One of them begins in the turn in which it ends.
    client.send(follower("late", of: "main"))
    for name in ["follower1", "late", "follower5", "follower0"] {
      client.send(#"{"method":"header.close","params":{"header":"\#(name)"}}"#)
    }
    client.send(TestDaemon.scroll("main", 1, 64))
    #expect(Set(turn(client).map { $0.at("params.header").text }) == ["follower2", "follower3", "follower4"])
    for name in ["follower2", "follower3"] {
      client.send(#"{"method":"header.close","params":{"header":"\#(name)"}}"#)
    }
    client.send(#"{"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    #expect(turn(client).map { $0.at("params.header").text } == ["follower4"])
  }

  @Test func `a leader may come later, go and come again`() {
    let client = daemon.connect()
    client.send(follower("second", of: "main"))
    client.send(#"{"method":"subscribe","params":{"headers":"second","mode":"every"}}"#)
    _ = turn(client)
    client.send(TestDaemon.open("main"))
    #expect(turn(client).isEmpty)
    client.send(TestDaemon.scroll("main", 1, 64))
    let moved = turn(client)
    #expect(moved.count == 1)
    let place = moved.first?.at("params.drawers.0.frame.y")
    client.send(#"{"method":"header.close","params":{"header":"main"}}"#)
    let gone = client.allLines.map(tree).filter { $0.at("method").text == "state" }.last ?? .null
    #expect(gone.at("params.notices.0.name").text == "didLoseLeader")
    #expect(
      gone.at("params.notices.0.header").text == "main" || gone.at("params.notices.0.arguments.header").text == "main")
    #expect(gone.at("params.drawers.0.frame.y") == place)
    _ = turn(client)
    client.send(TestDaemon.open("main"))
    #expect(turn(client).first?.at("params.drawers.0.frame.y") == 0)
  }

  @Test func `circles and followers of followers are refused, whoever comes first`() {
    let client = daemon.connect()
    client.send(follower("a", of: "b", "tabs"))
    let circle = client.send(follower("b", of: "a", "tabs")).map(tree)
    #expect(circle.first?.at("error.data.name").text == "conflict")
    #expect(circle.first?.at("error.message").text.contains("a follows b.tabs follows a: nobody leads") == true)
    let third = client.send(follower("c", of: "a", "tabs")).map(tree)
    #expect(third.first?.at("error.data.name").text == "conflict")
    // Other drawers of the same two headers may lead each other.
    #expect(client.send(TestDaemon.open("b")).results.count == 1)
    #expect(daemon.service.headerCount == 2)
  }
}
