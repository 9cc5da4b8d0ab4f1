// SPDX-License-Identifier: MIT
//
// Who comes back with `resumeFrom` sees every sequence number once, or is told which it will not see. What is kept for that
// is bounded, told by `stats`, and nobody pays for it who did not ask.

import HeaderModel
import HeaderService
import HeaderTestKit
import HeaderWire
import ServiceTestKit
import Testing

@Suite struct ResumeTests {
  /// `subscribe` to main with the last state seen of it.
  private func line(_ point: (epoch: Double, seq: Double)?, _ more: String = ",\"mode\":\"every\"") -> String {
    let points = point.map { "\"main\":{\"epoch\":\(Int($0.epoch)),\"seq\":\(Int($0.seq))}" } ?? ""
    return "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"main\",\"resumeFrom\":{\(points)}\(more)}}"
  }

  private func epoch(_ publisher: TestClient) -> Double {
    publisher.send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers.0.epoch").number
  }

  /// What a client knows after some lines: which numbers it saw, and which it was told that it would not.
  private struct Diary {
    var point: (epoch: Double, seq: Double)?
    var seen: [Int: Int] = [:]
    var told: Set<Int> = []
    var gaps: [String] = []

    mutating func read(_ lines: [String]) {
      for line in lines.map(tree) {
        let params = line.at("params")
        switch line.at("method").text {
        case "gap":
          gaps.append(params.at("reason").text)
          told.formUnion(Int(params.at("from").number)...Int(params.at("to").number))
        case "state":
          let seq = params.at("seq").number
          if params.at("snapshot") == true { told.insert(Int(seq)) } else { seen[Int(seq), default: 0] += 1 }
          if let point { #expect(seq >= point.seq, "numbers never go back") }
          point = (params.at("epoch").number, seq)
        default: break
        }
      }
    }
  }

  @Test(arguments: [1, 2, 20_261_121] as [UInt64]) func aHundredRestarts(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon {
      $0.limits.resumeStates = 40
      $0.limits.queueBytes = 4000
    }
    let publisher = daemon.publisher()
    var diary = Diary()
    var step = 0
    func scroll(_ count: Int) {
      for _ in 0..<count {
        step += 1
        publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40)))
      }
    }
    for life in 0..<100 {
      let client = daemon.connect()
      diary.read(client.send(line(diary.point)))
      // In some lives it stops reading: what it has not taken when it dies, it has not seen.
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        scroll(Int.random(in: 0...12, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 { client.stopReading() }
        if Int.random(in: 0..<3, using: &random) == 0 { client.resumeReading() }
      }
      diary.read(client.received())
      client.hangUp()
      // Most pauses are shorter than what is kept, some are longer.
      scroll(Int.random(in: 0...(life % 10 == 0 ? 90 : 20), using: &random))
    }
    let last = daemon.connect()
    diary.read(last.send(line(diary.point)))
    #expect(diary.gaps.contains("tooOld"))
    #expect(diary.gaps.contains("overflow"))
    for seq in 2...(step + 1) {
      let count = diary.seen[seq, default: 0]
      #expect(count == 1 || (count == 0 && diary.told.contains(seq)), "\(seq) came \(count) times")
    }
    #expect(diary.seen.count > step / 2)
  }

  @Test func whatWasMissedIsTheSameBytes() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let epoch = epoch(publisher)
    let witness = daemon.connect()
    witness.send(line(nil, ",\"mode\":\"every\",\"include\":[\"calls\",\"routine\"]"))
    for step in 1...50 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    let all = witness.received()
    for mode in ["every", "latest"] {
      let late = daemon.connect()
      let more = ",\"mode\":\"\(mode)\",\"include\":[\"calls\",\"routine\"]"
      #expect(Array(late.send(line((epoch, 11), more)).dropFirst()) == Array(all.suffix(late.allLines.count - 1)))
      #expect(late.allLines.seqs == Array(12...51).filter { all.seqs.contains($0) })
    }
  }

  @Test func nothingMissedIsNothingSent() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = daemon.connect()
    #expect(client.send(line((epoch(publisher), 1))).count == 1)
    publisher.send(TestDaemon.scroll("main", 1, 1))
    let next = client.received()
    #expect(next.seqs == [2])
    #expect(next.states[0].at("snapshot") == .null)
  }

  @Test func tooLongAgoOrInAnotherLife() {
    let daemon = TestDaemon { $0.limits.resumeStates = 3 }
    let publisher = daemon.publisher()
    let epoch = epoch(publisher)
    daemon.connect().send(line(nil))
    for step in 1...9 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    #expect(daemon.connect().send(line((epoch, 7))).seqs == [8, 9, 10])
    let old = daemon.connect().send(line((epoch, 6)))
    #expect(old[1].contains(#""from":7,"to":10,"reason":"tooOld""#))
    #expect(old.states.map { $0.at("snapshot") } == [true])
    let other = daemon.connect().send(line((epoch - 1, 6)))
    #expect(
      other[1]
        == "{\"jsonrpc\":\"2.0\",\"method\":\"gap\",\"params\":{\"header\":\"main\",\"epoch\":\(Int(epoch)),\"reason\":\"newEpoch\"}}"
    )
    #expect(other.states.map { $0.at("snapshot") } == [true])
    // A number that was never reached.
    let ahead = daemon.connect().send(line((epoch, 99)))
    #expect(ahead.count == 2)
    #expect(ahead.states.map { $0.at("snapshot") } == [true])
    #expect(publisher.send(#"{"id":1,"method":"stats"}"#).results[0].at("gaps") == 2)
  }

  @Test func aHeaderOpenedLaterBeginsWithItsSnapshot() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(line((1, 41)))
    daemon.publisher()
    let lines = client.received()
    #expect(lines.count == 1)
    #expect(lines.states.first?.at("snapshot") == true)
  }

  @Test func nothingIsKeptBeforeSomebodyAsks() {
    let daemon = TestDaemon { $0.limits.resumeStates = 5 }
    let publisher = daemon.publisher()
    daemon.publisher("other")
    func kept() -> (states: Double, bytes: Double) {
      let stats = publisher.send(#"{"id":1,"method":"stats","params":{"reset":true}}"#).results[0]
      return (stats.at("resumeStates").number, stats.at("resumeBytes").number)
    }
    let plain = daemon.connect()
    plain.send(#"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#)
    publisher.send(TestDaemon.scroll("main", 1, 1))
    #expect(kept() == (0, 0))
    let client = daemon.connect()
    client.send(line(nil))
    client.hangUp()
    for step in 2...4 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    let three = kept()
    #expect(three.states == 3)
    #expect(three.bytes > 3 * 300)
    for step in 5...30 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    #expect(kept().states == 5)
    publisher.send(#"{"id":1,"method":"header.close","params":{"header":"main"}}"#)
    #expect(kept() == (0, 0))
  }

  @Test func allHeadersTogetherAreBounded() {
    let daemon = TestDaemon {
      $0.limits.resumeBytes = 20_000
      $0.limits.resumeStates = 1000
    }
    let publisher = daemon.connect()
    let names = (0..<10).map { "h\($0)" }
    for name in names { publisher.send(TestDaemon.open(name)) }
    daemon.connect().send(#"{"id":1,"method":"subscribe","params":{"headers":"**","resumeFrom":{}}}"#)
    for step in 1...200 {
      publisher.send(TestDaemon.scroll(names[step % 10], Double(step), Double(step % 40)))
      let bytes = publisher.send(#"{"id":1,"method":"stats"}"#).results.last?.at("resumeBytes").number ?? .infinity
      #expect(bytes <= 20_000)
    }
  }

  /// Everything that a kept state holds counts: of two headers that differ in one kind of part the one with more takes more
  /// bytes, by as much as those parts take, state by state, and all of it is given back.
  @Test(arguments: ["elements", "drawers", "scrollViews"]) func eachPartOfAKeptStateCounts(_ part: String) {
    func kept(_ count: Int) -> [Double] {
      let daemon = TestDaemon()
      let client = daemon.connect()
      client.send(Self.open(part, count))
      client.send(line(nil))
      func bytes() -> Double {
        client.send(#"{"id":1,"method":"stats"}"#).results.last?.at("resumeBytes").number ?? .nan
      }
      var row = [bytes()]
      for step in 1...3 {
        client.send(TestDaemon.scroll("main", Double(step), Double(step)))
        row.append(bytes())
      }
      client.send(#"{"id":1,"method":"header.close","params":{"header":"main"}}"#)
      row.append(bytes())
      return row
    }
    let stride: Int
    switch part {
    case "elements": stride = MemoryLayout<Element>.stride
    case "drawers": stride = MemoryLayout<Drawer>.stride
    default: stride = MemoryLayout<ScrollView>.stride
    }
    let (few, many) = (kept(1), kept(6))
    #expect(few[0] == 0 && few[4] == 0 && few[1] > 0)
    #expect(zip(few, many).map { $1 - $0 } == [0, 1, 2, 3, 0].map { $0 * Double(5 * stride) })
  }

  @Test func eachCallOfAKeptStateCounts() {
    func kept(_ more: String) -> Int {
      let daemon = TestDaemon()
      let client = daemon.publisher()
      client.send(line(nil, more))
      client.send(TestDaemon.scroll("main", 1, 1))
      let bytes = client.send(#"{"id":1,"method":"stats"}"#).results.last?.at("resumeBytes").number ?? .nan
      return Int(bytes)
    }
    let calls = kept(#","include":["calls"]"#) - kept("")
    #expect(calls > 0 && calls % MemoryLayout<HeaderState.Call>.stride == 0)
  }

  @Test func eachCommandOfAKeptStateCounts() {
    func kept(_ words: String) -> Double {
      let daemon = TestDaemon()
      let client = daemon.publisher(behavior: "Scripted")
      client.send(line(nil))
      client.send(
        "{\"method\":\"event\",\"params\":{\"header\":\"main\",\"event\":\"call\",\"name\":\"say\",\"arguments\":{\"words\":\"\(words)\"}}}"
      )
      return client.send(#"{"id":1,"method":"stats"}"#).results.last?.at("resumeBytes").number ?? .nan
    }
    let (one, two, three) = (kept(">"), kept("> >"), kept("> > >"))
    #expect(two - one >= Double(MemoryLayout<HeaderState.Command>.stride + "flashScrollIndicators".utf8.count))
    #expect(three - two == two - one)
  }

  /// `header.open` with so many parts of a kind.
  private static func open(_ part: String, _ count: Int) -> String {
    func names(_ prefix: String, _ kind: String) -> [String] {
      (0..<(part == kind ? count : 1)).map { "\(prefix)\($0)" }
    }
    let elements = names("e", "elements").map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
    let drawers = (names("d", "drawers") + ["last"]).enumerated().map { index, name in
      "{\"name\":\"\(name)\",\"height\":44\(index == 0 ? ",\"elements\":[\(elements)]" : "")}"
    }
    let view = #"{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"height":4000}}"#
    let views = names("v", "scrollViews").map { "\"\($0)\":\(view)" }
    return """
      {"id":1,"method":"header.open","params":{"header":"main","frames":"events","scrollViews":{\(views.joined(separator: ","))},\
      "trackingScrollView":"v0","drawers":[\(drawers.joined(separator: ","))],"delegates":[{"behavior":"ShyNavBar"}]}}
      """
  }

  @Test func theRestWaitsWhereItIsKept() {
    let daemon = TestDaemon { $0.limits.queueBytes = 3000 }
    let publisher = daemon.publisher()
    let epoch = epoch(publisher)
    daemon.connect().send(line(nil))
    for step in 1...60 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    let client = daemon.connect()
    client.stopReading()
    client.send(line((epoch, 2)))
    publisher.send(TestDaemon.scroll("main", 61, 7))
    #expect(client.pipe.maxQueued <= 3000)
    var rounds = 0
    while !client.pipe.queued.isEmpty, rounds < 100 {
      client.takeOnce()
      rounds += 1
    }
    let lines = client.received()
    #expect(lines.seqs == Array(3...62))
    #expect(lines.notifications("gap").isEmpty)
    #expect(client.pipe.maxQueued <= 3000)
  }

  @Test func aHeaderThatEndsBeforeAllOfItWentOut() {
    let daemon = TestDaemon { $0.limits.queueBytes = 3000 }
    let publisher = daemon.publisher()
    let epoch = epoch(publisher)
    daemon.connect().send(line(nil))
    for step in 1...60 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    let client = daemon.connect()
    client.stopReading()
    client.send(line((epoch, 2)))
    publisher.send(#"{"id":1,"method":"header.close","params":{"header":"main"}}"#)
    client.resumeReading()
    let lines = client.received()
    let last = lines.states.filter { $0.at("snapshot") == .null }.map { Int($0.at("seq").number) }.last ?? 0
    let gap = lines.notifications("gap")[0].at("params")
    #expect(gap.at("from").number == Double(last + 1))
    #expect(gap.at("to") == 61)
    #expect(lines.last?.contains("\"closed\"") == true)
  }

  @Test func latestGathersWhatItCannotTake() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let epoch = epoch(publisher)
    daemon.connect().send(line(nil))
    for step in 1...60 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 45))) }
    let client = daemon.connect()
    let first = client.send(line((epoch, 2), ",\"maxRate\":10"))
    #expect(first.seqs == [3])
    daemon.pass(0.1)
    let rest = client.received().states
    #expect(rest.map { $0.at("seq") } == [61])
    // Its phase was "contracted" twice meanwhile, and told so.
    #expect(rest[0].at("notices").list.filter { $0.at("name") == "didFinishContracting" }.count == 1)
    #expect(rest[0].at("notices").list.contains { $0.at("arguments.to") == "contracted" })
  }
}
