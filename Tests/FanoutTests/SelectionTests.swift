// SPDX-License-Identifier: MIT
//
// `maxRate` and `fields` over random scrolls: each delivered state is the projection of some full state, never are there
// more a second than asked for, no meaning gets lost, and the last state always arrives.

import Clocks
import HeaderModel
import HeaderService
import HeaderTestKit
import HeaderWire
import ServiceTestKit
import Testing

@Suite struct SelectionTests {
  /// What the selection leaves of a full state, by headerd-states(7), SUBSCRIPTIONS, alone.
  static func projection(_ full: Value, _ fields: [String]?) -> Value {
    guard case .record(var state) = full, let fields else { return full }
    for part in ["drawers", "elements"] {
      guard let all = state[part]?.list else { continue }
      let kept = fields.contains(part) ? all : all.filter { fields.contains("\(part).\($0.at("name").text)") }
      state[part] = kept.isEmpty && !fields.contains(part) ? nil : .list(kept)
    }
    for part in ["scrollViews", "values", "wants"] {
      guard case .record(var all)? = state[part], !fields.contains(part) else { continue }
      all.fields.removeAll { !fields.contains("\(part).\($0.name)") }
      state[part] = all.fields.isEmpty ? nil : .record(all)
    }
    return .record(state)
  }

  private static func positions(_ state: Value) -> Value {
    guard case .record(var record) = state else { return .null }
    for list in ["notices", "commands", "animations", "calls", "noticesLost"] { record[list] = nil }
    return .record(record)
  }

  /// The notices one by one, without those that stand for values.
  private static func notices(_ states: [Value]) -> [String] {
    var names: [String] = []
    for notice in states.flatMap({ $0.at("notices").list }) where notice.at("name") != "didChange" {
      let count = notice.at("count") == .null ? 1 : Int(notice.at("count").number)
      names += [String](repeating: notice.at("name").text, count: count)
    }
    return names
  }

  private static let words = [
    "drawers", "drawers.navBar", "drawers.extension", "drawers.none", "scrollViews", "scrollViews.content", "values",
    "values.progress", "values.phase", "values.mood", "values.p", "elements", "elements.title", "wants",
    "wants.prefersStatusBarHidden",
  ]

  @Test(arguments: Array(1...12) as [UInt64]) func eachIsTheProjectionOfAFullState(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon { $0.limits.notices = 10_000 }
    let publisher = daemon.connect()
    publisher.send(
      TestDaemon.open("main").replacing(
        #"[{"behavior":"ShyNavBar"}]"#, with: #"[{"behavior":"ShyNavBar"},{"behavior":"Teller"}]"#))
    let fields = seed % 4 == 0 ? nil : Self.words.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    let rate = [0.0, 0.5, 1, 7, 30, 59.94, 240][Int.random(in: 0..<7, using: &random)]
    let asked = fields.map { ",\"fields\":[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" } ?? ""
    let witness = daemon.connect()
    witness.send(#"{"id":1,"method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"main\",\"maxRate\":\(rate)\(asked)}}")
    var full: [Value] = []
    var got: [(at: MonotonicTime, state: Value)] = []
    func look() {
      full += witness.received().states
      got += client.received().states.map { (daemon.clock, $0) }
    }
    look()
    var time = 0.0
    for _ in 0..<400 {
      time += 0.01
      if Int.random(in: 0..<3, using: &random) > 0 {
        publisher.send(TestDaemon.scroll("main", time, Double(Int.random(in: 0...60, using: &random))))
      } else {
        let said = ["a", "b", "phase=a", "phase=b", "on=true", "on=false", "p=0.5", "p=1", "a b"]
        let word = said[Int.random(in: 0..<said.count, using: &random)]
        publisher.send(
          "{\"method\":\"header.call\",\"params\":{\"header\":\"main\",\"name\":\"say\",\"arguments\":{\"words\":\"\(word)\"}}}"
        )
      }
      look()
      daemon.pass(Double.random(in: 0...0.02, using: &random), look)
    }
    daemon.pass(2.1, look)
    #expect(publisher.received().errors.isEmpty)
    check(got, full, fields, rate)
  }

  private func check(_ got: [(at: MonotonicTime, state: Value)], _ full: [Value], _ fields: [String]?, _ rate: Double) {
    let bySeq = Dictionary(full.map { (Int($0.at("seq").number), $0) }) { first, _ in first }
    for (_, state) in got {
      let whole = bySeq[Int(state.at("seq").number)] ?? .null
      #expect(Self.positions(state) == Self.positions(Self.projection(whole, fields)))
    }
    #expect(got.last?.state.at("seq") == full.last?.at("seq"))
    #expect(got.count > 1)
    for (before, after) in zip(got, got.dropFirst()) {
      #expect(before.state.at("seq").number < after.state.at("seq").number)
      if rate > 0 { #expect(Double(after.at - before.at) * rate >= 1e9) }
    }
    if rate == 0 { #expect(got.count == full.count) }
    #expect(Self.notices(got.map(\.state)) == Self.notices(full))
  }

  @Test func whoAsksForTheSameGetsTheSameBytes() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let one = daemon.connect()
    one.send(
      #"{"id":1,"method":"subscribe","params":{"headers":"main","fields":["values.progress","drawers.navBar"]}}"#)
    let two = daemon.connect()
    two.send(#"{"id":1,"method":"subscribe","params":{"headers":"*","fields":["drawers.navBar","values.progress"]}}"#)
    publisher.send(TestDaemon.scroll("main", 1, 11))
    #expect(one.allLines == two.allLines)
    #expect(
      one.received().last?.hasSuffix(
        #""seq":2,"time":1,"drawers":[{"name":"navBar","frame":{"x":0,"y":9,"width":375,"height":44}}],"values":{"progress":0.25}}}"#
      )
        == true)
    let nothing = daemon.connect()
    nothing.send(#"{"id":1,"method":"subscribe","params":{"headers":"main","fields":[]}}"#)
    publisher.send(TestDaemon.scroll("main", 2, 12))
    // States whose parts did not change are sent all the same.
    #expect(nothing.received().last?.hasSuffix(#""seq":3,"time":2}}"#) == true)
  }

  @Test func changesOfWhatWasNotAskedForAreNotTold() {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    publisher.send(#"{"id":0,"method":"header.open","params":{"header":"s","delegates":[{"behavior":"Scripted"}]}}"#)
    let client = daemon.connect()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"s","maxRate":1,"fields":["values.on"]}}"#)
    for word in ["phase=a on=true", "p=1"] {
      publisher.send(
        "{\"method\":\"header.call\",\"params\":{\"header\":\"s\",\"name\":\"say\",\"arguments\":{\"words\":\"\(word)\"}}}"
      )
    }
    _ = client.received()
    daemon.pass(1)
    let state = client.received().states.last ?? .null
    #expect(state.at("notices").list.map { $0.at("arguments.value") } == ["on"])
    #expect(state.at("values") == ["on": true])
  }

  @Test func aStateThatWaitsForItsTimeComesBeforeTheEnd() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = daemon.connect()
    let line = #"{"id":1,"method":"subscribe","params":{"headers":"main","maxRate":0.1}}"#
    client.send(line)
    publisher.send(TestDaemon.scroll("main", 1, 11))
    #expect(client.received().isEmpty)
    publisher.send(#"{"method":"header.close","params":{"header":"main"}}"#)
    let end = client.received()
    #expect(end.seqs == [2])
    #expect(end.count == 2)
    daemon.publisher().send(TestDaemon.scroll("main", 1, 11))
    #expect(client.received().seqs == [1])
    daemon.service.drain()
    #expect(client.received().seqs == [2])
    daemon.pass(100)
    #expect(client.received().isEmpty)
  }

  @Test func unsubscribingDropsWhatWaitsUnlessAnotherOneGoesOn() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"main","maxRate":1}}"#)
    client.send(#"{"id":2,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    publisher.send(TestDaemon.scroll("main", 1, 11))
    publisher.send(TestDaemon.scroll("main", 2, 12))
    let handover = client.send(#"{"id":3,"method":"unsubscribe","params":{"subscription":1}}"#)
    #expect(handover.seqs == [3])
    #expect(handover.last == #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    publisher.send(TestDaemon.scroll("main", 3, 13))
    #expect(client.received().seqs == [4])
    client.send(#"{"id":4,"method":"subscribe","params":{"headers":"main","maxRate":1}}"#)
    client.send(#"{"id":5,"method":"unsubscribe","params":{"subscription":2}}"#)
    publisher.send(TestDaemon.scroll("main", 4, 14))
    publisher.send(TestDaemon.scroll("main", 5, 15))
    _ = client.received()
    #expect(client.send(#"{"id":6,"method":"unsubscribe","params":{"subscription":3}}"#).count == 1)
    daemon.pass(10)
    #expect(client.received().isEmpty)
  }
}
