// SPDX-License-Identifier: MIT
//
// A hundred headers, two hundred subscribers, ten publishers, from a seed: nobody in `every` misses a state, numbers
// have no holes, everybody sees the same bytes, and what waits is bounded.

import Clocks
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct CrowdTests {
  @Test(arguments: [1, 20_251_121] as [UInt64]) func nothingIsLost(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon()
    let names = (0..<100).map { "app\($0 % 10).h\($0)" }
    let publishers = (0..<10).map { _ in daemon.connect() }
    for (index, name) in names.enumerated() { publishers[index % 10].send(TestDaemon.open(name)) }
    var subscribers: [TestClient] = []
    let patterns = ["**", "app3.*", "app*.h1*", "app7.h7", "app1.h31"]
    func join() {
      let client = daemon.connect()
      let pattern = patterns[Int.random(in: 0..<patterns.count, using: &random)]
      client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"\(pattern)\",\"mode\":\"every\"}}")
      subscribers.append(client)
    }
    for _ in 0..<150 { join() }
    var time = 0.0
    for step in 0..<1500 {
      time += 0.001
      let name = names[Int.random(in: 0..<100, using: &random)]
      let publisher = publishers[Int.random(in: 0..<10, using: &random)]
      publisher.send(TestDaemon.scroll(name, time, Double(Int.random(in: 0...88, using: &random)) / 2))
      daemon.clock += 1_000_000
      if step % 30 == 0 { join() }
      if step % 10 == 3 { subscribers[Int.random(in: 0..<subscribers.count, using: &random)].stopReading() }
      if step % 10 == 7 { subscribers[Int.random(in: 0..<subscribers.count, using: &random)].resumeReading() }
    }
    #expect(subscribers.count == 200)
    for publisher in publishers { #expect(publisher.received().errors.isEmpty) }
    for subscriber in subscribers { subscriber.resumeReading() }
    check(subscribers)
    #expect(daemon.log.lines.isEmpty)
  }

  /// Each subscriber's states of each header are one row without holes, and a state has the same bytes everywhere.
  private func check(_ subscribers: [TestClient]) {
    var known: [String: String] = [:]
    var states = 0
    for subscriber in subscribers {
      var last: [String: Double] = [:]
      for line in subscriber.allLines where line.contains("\"state\"") {
        let state = tree(line).at("params")
        states += 1
        let (header, seq) = (state.at("header").text, state.at("seq").number)
        if let before = last[header] { #expect(seq == before + 1) } else { #expect(state.at("snapshot") == true) }
        last[header] = seq
        guard state.at("snapshot") == .null else { continue }
        let key = "\(header) \(Int(seq))"
        #expect(known[key, default: line] == line)
        known[key] = line
      }
    }
    #expect(states > 10_000)
  }

  @Test func manyHeadersWaitInTurnForOneSlowReader() {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    for index in 0..<500 { publisher.send(TestDaemon.open("h\(index)")) }
    let client = daemon.connect()
    client.stopReading()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#)
    for round in 1...3 {
      for index in 0..<500 { publisher.send(TestDaemon.scroll("h\(index)", Double(round), Double(round))) }
    }
    #expect(client.pipe.maxQueued < 70_000)
    var rounds = 0
    while !client.pipe.queued.isEmpty, rounds < 100 {
      client.takeOnce()
      rounds += 1
    }
    #expect(rounds > 3)
    #expect(client.pipe.maxQueued < 70_000)
    var last: [String: Int] = [:]
    for state in client.allLines.states { last[state.at("header").text] = Int(state.at("seq").number) }
    #expect(last.count == 500)
    #expect(Set(last.values) == [4])
  }
}
