// SPDX-License-Identifier: MIT
//
// Headers in processes, as their clients see them: what was ordered is waited for, and a process that hangs is replaced. Processes
// that die at any byte are in Tests/HeaderWorkerTests and Tests/Simulation.

import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct WorkerTests {
  private let daemon = TestDaemon()
  private var workers: LocalWorkers { daemon.plugins.workers }

  init() { daemon.plugins.isolated = ["ShyNavBar"] }

  private func statistics(_ client: TestClient) -> Value {
    client.send(#"{"id":"s","method":"stats"}"#).results.last?.at("workers") ?? .null
  }

  private let get = #"{"id":"g","method":"header.get","params":{"header":"main","include":["saved"]}}"#
  private let place = "state.scrollViews.content.contentOffset.y"

  @Test func statsTellOfThemFromTheFirstOn() {
    let client = daemon.connect()
    #expect(statistics(client) == .null)
    client.send(TestDaemon.open("main"))
    #expect(statistics(client) == ["processes": 1, "headers": 1, "deaths": 0])
  }

  @Test func whatComesBehindAScrollWaitsForIt() {
    let client = daemon.publisher()
    _ = client.received()
    workers.areSlow = true
    client.send(TestDaemon.scroll("main", 1, 11))
    #expect(client.send(get).isEmpty)
    workers.areSlow = false
    daemon.endTurn()
    #expect(client.received().results.first?.at(place) == 11)
  }

  @Test func aMirrorOfTheContentSeesWhereItAloneMoves() {
    let client = daemon.publisher()
    let mirror = daemon.connect()
    client.send(TestDaemon.scroll("main", 1, 600))
    mirror.send(
      #"{"id":1,"method":"subscribe","params":{"headers":"main","mode":"every","include":["contentOffset"]}}"#)
    _ = mirror.received()
    for step in 2...4 { client.send(TestDaemon.scroll("main", Double(step), 600 + Double(step))) }
    daemon.endTurn()
    #expect(mirror.received().states.map { $0.at("scrollViews.content.contentOffset.y") } == [602, 603, 604])
  }

  @Test func oneThatHangsAfterItsFirstOrdersIsReplaced() {
    let client = daemon.publisher()
    for step in 1...3 { client.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    workers.started[0].hangs = true
    client.send(TestDaemon.scroll("main", 4, 4))
    daemon.pass(2.5)
    #expect(!workers.started[0].isAlive && workers.started.count == 2)
    #expect(client.send(get).results.last?.at(place) == 4)
    #expect(statistics(client).at("deaths") == 1)
  }

  @Test func oneThatHadNothingToDoDoesNotHang() {
    let client = daemon.publisher()
    client.send(TestDaemon.scroll("main", 1, 11))
    daemon.pass(10)
    workers.areSlow = true
    client.send(TestDaemon.scroll("main", 2, 12))
    daemon.pass(0.5)
    #expect(workers.started.map(\.isAlive) == [true])
    workers.areSlow = false
    daemon.endTurn()
    #expect(client.send(get).results.last?.at(place) == 12)
  }

  /// Two headers, and their processes end without anybody knowing by which of them: each gets a process of its own.
  @Test func twoWhoseProcessesEndAreParted() {
    let client = daemon.publisher()
    daemon.publisher("second")
    workers.areSlow = true
    client.send(TestDaemon.scroll("main", 1, 11))
    daemon.pass(2.5)
    #expect(workers.started.map(\.isAlive) == [false, true], "a single one may have been an accident")
    daemon.pass(5.5)
    #expect(workers.started.map(\.isAlive) == [false, false, true, true])
    #expect(daemon.log.lines.contains { $0.contains("workerSplit") })
    workers.areSlow = false
    daemon.endTurn()
    #expect(client.send(get).results.last?.at(place) == 11)
    #expect(client.send(get.replacing("main", with: "second")).results.count == 1)
    #expect(statistics(client) == ["processes": 2, "headers": 2, "deaths": 2])
  }

  /// A plugin that never returns holds up its own header: others on the thread are answered meanwhile, whatever it was asked. Its
  /// process is replaced when its time is over, and what waited for it goes on.
  @Test(arguments: [
    #"header.open","params":{"header":"late","drawers":[{"name":"bar","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}"#,
    #"header.open","params":{"header":"main","drawers":[{"name":"bar","height":40}],"ifExists":"replace","delegates":[{"behavior":"ShyNavBar"}]}"#,
    #"header.get","params":{"header":"main","include":["saved"]}"#,
    #"header.configure","params":{"header":"main","environment":{"reduceMotion":true}}"#,
    #"header.call","params":{"header":"main","name":"expand"}"#,
    #"header.explain","params":{"header":"main","keep":2}"#,
    #"event","params":{"header":"main","event":"didScroll","offset":{"y":5}}"#,
    #"delegate.add","params":{"header":"main","behavior":"Ticker"}"#,
    #"delegate.shadow","params":{"header":"main","delegate":"shyNavBar","options":{"expansionResistance":5}}"#,
    #"trace.start","params":{"header":"main"}"#,
    #"plugin.reload","params":{"plugin":"ShyNavBar"}"#,
  ])
  func othersGoOnMeanwhile(_ request: String) {
    let (client, other) = (daemon.publisher(), daemon.publisher("other", "", behavior: "Scripted"))
    workers.started[0].hangs = true
    _ = client.received()
    #expect(client.send(#"{"id":7,"method":"\#(request)}"#).isEmpty)
    for step in 1...20 {
      let y = Double(step)
      let answers = other.send(TestDaemon.scroll("other", y, y)) + other.send(get.replacing("main", with: "other"))
      #expect(answers.results.first?.at(place) == .number(y))
    }
    #expect(client.received().isEmpty)
    daemon.pass(6)
    let ids = client.received().ids
    #expect(ids.contains(7))
    #expect(workers.started.count >= 2)
    let name = request.contains("late") ? "late" : "main"
    #expect(client.send(#"{"id":8,"method":"header.get","params":{"header":"\#(name)"}}"#).results.count == 1)
  }

  /// A close waits for what was sent before it.
  @Test func closingWaitsBehindWhatHangs() {
    let client = daemon.publisher()
    workers.started[0].hangs = true
    _ = client.received()
    client.send(TestDaemon.scroll("main", 1, 11))
    #expect(client.send(#"{"id":7,"method":"header.close","params":{"header":"main"}}"#).isEmpty)
    daemon.pass(3)
    #expect(client.received().ids == [7])
    #expect(daemon.service.headerCount == 0)
  }

  /// A header whose chain has no delegate of the plugin any more when its turn comes is not reloaded, and goes on.
  @Test func aChainChangesBeforeItsReload() {
    for name in ["main", "second"] { daemon.publisher(name) }
    let (leaver, administrator) = (daemon.connect(), daemon.connect())
    workers.areSlow = true
    #expect(administrator.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#).isEmpty)
    #expect(
      leaver.send(#"{"id":2,"method":"delegate.remove","params":{"header":"second","delegate":"shyNavBar"}}"#).isEmpty)
    workers.areSlow = false
    daemon.endTurn()
    #expect(leaver.received().results.count == 1)
    #expect(administrator.received().results.first?.at("headers").list.map { $0.at("header").text } == ["main"])
    #expect(leaver.send(get.replacing("main", with: "second")).results.count == 1)
  }

  /// What a header was still to do by itself when no process could have it any more is nothing to complain of.
  @Test func aLostHeaderIsNotChanged() {
    daemon.publisher()
    let guardian = daemon.connect()
    #expect(guardian.send(Chains.add("intercept", "guard")).results.count == 1)
    workers.areSlow = true
    daemon.service.endOfInput(guardian.id)
    daemon.pass(600)
    #expect(daemon.service.headerCount == 0)
    #expect(daemon.log.lines.contains { $0.contains("headerLost") })
    #expect(!daemon.log.lines.contains { $0.contains("delegateNotRemoved") })
  }

  /// To hurry one header may end a connection, and so have another one of the same plugin begin with something: its reload waits for that.
  @Test func aReloadWaitsForWhatItHasBegunItself() {
    for name in ["main", "second"] { daemon.publisher(name) }
    let (guardian, leaver, administrator) = (daemon.connect(), daemon.connect(), daemon.connect())
    guardian.send(Chains.add("intercept", "guard"))
    leaver.send(Chains.add("intercept", "leaver").replacing("main", with: "second"))
    #expect(leaver.received().isEmpty)
    leaver.send(Chains.drag(1, 1))
    daemon.service.endOfInput(leaver.id)
    #expect(guardian.received().asked.count == 1)
    let answers = administrator.send(#"{"id":7,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(answers.results.first?.at("headers").list.map { $0.at("header").text } == ["main", "second"])
    let described = administrator.send(
      #"{"id":8,"method":"header.get","params":{"header":"second","include":["description"]}}"#)
    #expect(described.results.first?.at("description.delegates").list.count == 1)
    #expect(administrator.send(Chains.scroll(9, 2, 11, "second")).results.first?.at("seq") ?? .null != .null)
  }
}
