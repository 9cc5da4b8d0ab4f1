// SPDX-License-Identifier: MIT
//
// Headers in processes, as their clients see them: what was ordered is waited for, and a process that hangs is replaced. Processes
// that die at any byte are in Tests/HeaderWorkerTests and Tests/Simulation.

import HeaderCore
import HeaderService
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

  /// What is under way arrives where it goes, and what comes of it is told.
  private func turn() {
    daemon.service.endTurn()
    workers.work()
    daemon.service.endTurn()
  }

  @Test func statsTellOfThemFromTheFirstOn() {
    let client = daemon.connect()
    #expect(statistics(client) == .null)
    client.send(TestDaemon.open("main"))
    #expect(statistics(client) == ["processes": 1, "headers": 1, "deaths": 0])
  }

  @Test func anOrderLeavesBeforeItIsWaitedFor() {
    let client = daemon.publisher()
    client.send(TestDaemon.scroll("main", 1, 11))
    turn()
    #expect(client.send(get).results.first?.at("saved.scrollViews.0.contentOffset.y") == 11)
    #expect(workers.started.count == 1 && workers.vainWaits == 0)
  }

  @Test func whatComesBehindAScrollWaitsForIt() {
    let client = daemon.publisher()
    _ = client.received()
    client.send(TestDaemon.scroll("main", 1, 11))
    client.send(get)
    daemon.service.endTurn()
    #expect(client.received().isEmpty)
    turn()
    #expect(client.received().results.first?.at(place) == 11)
  }

  @Test func oneThatHangsAfterItsFirstOrdersIsReplaced() {
    let client = daemon.publisher()
    for step in 1...3 {
      client.send(TestDaemon.scroll("main", Double(step), Double(step)))
      turn()
    }
    workers.started[0].hangs = true
    client.send(TestDaemon.scroll("main", 4, 4))
    turn()
    daemon.pass(2.5)
    turn()
    #expect(!workers.started[0].isAlive && workers.started.count == 2)
    #expect(client.send(get).results.last?.at(place) == 4)
    #expect(statistics(client).at("deaths") == 1)
  }
}
