// SPDX-License-Identifier: MIT
//
// Readers that do not read. `latest`: one state waits, which gathers the meanings of those it replaced. `every`: the queue
// is bounded, then a gap and a snapshot, or the end. In no case does the daemon's memory grow with what was missed, and
// nobody else notices.

import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct SlowReaderTests {
  /// A client that is behind: its queue is over the threshold, and it does not read.
  private func behind(_ daemon: TestDaemon, _ subscription: String) -> TestClient {
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\(subscription)}}")
    client.stopReading()
    // Answers enough to be behind.
    while client.pipe.queued.count <= 66_000 { client.send("{\"id\":1,\"method\":\"hello\"}") }
    _ = client.received()
    return client
  }

  @Test func latestKeepsOneStateAHeader() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = behind(daemon, "\"headers\":\"*\"")
    let queued = client.pipe.queued.count
    for step in 1...10_000 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    #expect(client.pipe.queued.count == queued)
    client.resumeReading()
    let states = client.received().states
    #expect(states.count == 1)
    #expect(states[0].at("seq") == 10_001)
    #expect(states[0].at("scrollViews.content.contentOffset.y") == 0)
    // And goes on as everybody else.
    let other = daemon.connect()
    other.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\"}}")
    _ = other.received()
    publisher.send(TestDaemon.scroll("main", 10_001, 7))
    #expect(client.received() == other.received())
  }

  @Test func aSingleWaitingStateIsTheSameBytes() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = behind(daemon, "\"headers\":\"*\"")
    let reader = daemon.connect()
    reader.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\"}}")
    _ = reader.received()
    publisher.send(TestDaemon.scroll("main", 1, 44))
    client.resumeReading()
    #expect(client.received().filter { $0.contains("\"state\"") } == reader.received())
  }

  /// What a waiting state says after the steps: its notices, counted, and what else it gathered.
  struct Row: Sendable, CustomTestStringConvertible {
    var title: String
    var steps: [String]
    var expected: String
    var include = ""
    var limit = 64
    var testDescription: String { title }
  }

  static let rows = [
    Row(title: "a single one is untouched", steps: ["a b"], expected: "a b"),
    Row(title: "notices keep their order", steps: ["a", "b", "a"], expected: "a b a"),
    Row(title: "equal neighbors are counted", steps: ["a", "a", "a", "b"], expected: "a×3 b"),
    Row(title: "a changed text of a replaced state is a meaning", steps: ["phase=a", "p=1"], expected: "phase:x→a"),
    Row(title: "that of the newest is in its values", steps: ["p=1", "phase=a"], expected: ""),
    Row(
      title: "each change is told", steps: ["phase=a", "phase=b", "phase=x", "p=1"],
      expected: "phase:x→a phase:a→b phase:b→x"),
    Row(title: "bools too, numbers not", steps: ["on=true p=3", "p=4", "p=5"], expected: "on:false→true"),
    Row(
      title: "changes stand before the notices of their state", steps: ["a phase=a", "b"], expected: "phase:x→a a b"),
    Row(
      title: "animations and commands are not merged", steps: ["! >", "! >", "!"],
      expected: "wasInterrupted wasInterrupted !!! >>"),
    Row(title: "routine ones only for those who ask", steps: ["~r a", "b"], expected: "a b"),
    Row(title: "routine ones for those who ask", steps: ["~r a", "b"], expected: "r a b", include: "routine"),
    Row(title: "at most so many", steps: ["a", "b", "a", "b", "a", "c"], expected: "a b a lost:3", limit: 3),
    Row(
      title: "the bound counts entries, not what they count", steps: ["a", "a", "a", "b", "b", "c"],
      expected: "a×3 b×2 lost:1", limit: 2),
    Row(title: "all three kinds share it", steps: ["a !", "> b", "c"], expected: "a b ! lost:2", limit: 3),
    Row(title: "commands take their part of it", steps: [">", "> a"], expected: "a > lost:1", limit: 2),
    Row(title: "calls are those of the newest", steps: ["a", "b"], expected: "a b", include: "calls"),
  ]

  @Test(arguments: rows) func conflation(_ row: Row) {
    let daemon = TestDaemon { $0.limits.notices = row.limit }
    let publisher = daemon.connect()
    publisher.send(#"{"id":0,"method":"header.open","params":{"header":"s","delegates":[{"behavior":"Scripted"}]}}"#)
    let include = row.include.isEmpty ? "" : ",\"include\":[\"\(row.include)\"]"
    let client = behind(daemon, "\"headers\":\"s\"\(include)")
    for step in row.steps {
      let lines = publisher.send(
        "{\"id\":1,\"method\":\"header.call\",\"params\":{\"header\":\"s\",\"name\":\"say\",\"arguments\":{\"words\":\"\(step)\"}}}"
      )
      #expect(lines.errors.isEmpty)
    }
    client.resumeReading()
    let states = client.received().states
    #expect(states.count == 1)
    #expect(states[0].at("seq").number == Double(row.steps.count + 1))
    #expect(Self.told(states[0]) == row.expected)
  }

  /// The lists of a state in the words of the table.
  private static func told(_ state: Value) -> String {
    var words = state.at("notices").list.map { notice -> String in
      if notice.at("name") == "didChange" {
        let (from, to) = (notice.at("arguments.from"), notice.at("arguments.to"))
        return "\(notice.at("arguments.value").text):\(plain(from))→\(plain(to))"
      }
      let count = notice.at("count") == .null ? "" : "×\(Int(notice.at("count").number))"
      return notice.at("name").text + count
    }
    let animations = String(repeating: "!", count: state.at("animations").list.count)
    let commands = String(repeating: ">", count: state.at("commands").list.count)
    words += [animations, commands].filter { !$0.isEmpty }
    if state.at("noticesLost") != .null { words.append("lost:\(Int(state.at("noticesLost").number))") }
    return words.joined(separator: " ")
  }

  private static func plain(_ value: Value) -> String {
    if case .bool(let bool) = value { return String(bool) }
    return value.text
  }

  /// What waits says why its newest state is there, and no more than that.
  @Test func aWaitingStateHasTheNewestExplanation() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = behind(daemon, "\"headers\":\"main\",\"explain\":true")
    for step in 1...9 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step * 3))) }
    client.resumeReading()
    let states = client.received().states
    #expect(states.count == 1)
    let explanation = states[0].at("explanation")
    #expect(explanation.at("seq") == states[0].at("seq") && explanation.at("event.time") == 9)
    #expect(!explanation.at("story").list.isEmpty)
  }

  @Test func everyTellsOfTheGapAndGoesOn() {
    let daemon = TestDaemon { $0.limits.queueBytes = 4000 }
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\",\"mode\":\"every\"}}")
    client.stopReading()
    for step in 1...1000 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    #expect(client.pipe.maxQueued <= 4000)
    client.resumeReading()
    let lines = client.received()
    let gap = lines.notifications("gap")[0].at("params")
    let states = lines.states
    let before = states.filter { $0.at("snapshot") == .null }.map { $0.at("seq").number }
    #expect(before == (2..<(2 + before.count)).map(Double.init))
    #expect(gap.at("from").number == (before.last ?? 1) + 1)
    #expect(gap.at("to") == 1001)
    #expect(states.last?.at("snapshot") == true)
    #expect(states.last?.at("seq") == 1001)
    publisher.send(TestDaemon.scroll("main", 1001, 3))
    #expect(client.received().seqs == [1002])
    #expect(publisher.send("{\"id\":1,\"method\":\"stats\"}").results[0].at("gaps") == 1)
  }

  @Test func everyMayEndInstead() {
    let daemon = TestDaemon { $0.limits.queueBytes = 4000 }
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send(
      "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\",\"mode\":\"every\",\"onOverflow\":\"disconnect\"}}"
    )
    client.stopReading()
    for step in 1...100 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    #expect(client.isClosed)
    client.resumeReading()
    #expect(client.received().last == #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"overflow"}}"#)
    #expect(daemon.log.lines.contains { $0.contains("overflow") })
    let list = publisher.send("{\"id\":1,\"method\":\"header.list\"}").results[0]
    #expect(list.at("headers.0.subscribers") == 0)
  }

  @Test func aHeaderThatEndsWhileItsReaderIsBehind() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = behind(daemon, "\"headers\":\"*\"")
    publisher.send(TestDaemon.scroll("main", 1, 44))
    publisher.send("{\"id\":1,\"method\":\"header.close\",\"params\":{\"header\":\"main\"}}")
    client.resumeReading()
    let lines = client.received()
    #expect(lines.seqs == [2])
    #expect(lines.last?.contains("\"closed\"") == true)
  }

  @Test func whoAsksAndNeverReadsIsNotReadFromEither() {
    let daemon = TestDaemon { $0.limits.queueBytes = 10_000 }
    let client = daemon.publisher()
    client.stopReading()
    let requests = (0..<1000).map { "{\"id\":\($0),\"method\":\"header.get\",\"params\":{\"header\":\"main\"}}\n" }
      .joined()
    client.send(Array(requests.utf8))
    #expect(client.pipe.maxQueued < 11_000)
    #expect(!daemon.service.wantsInput(client.id))
    _ = client.received()
    var rounds = 0
    while !client.pipe.queued.isEmpty, rounds < 1000 {
      client.takeOnce()
      rounds += 1
    }
    #expect(client.pipe.maxQueued < 11_000)
    #expect(client.received().results.count == 1000)
    #expect(daemon.service.wantsInput(client.id))
  }

  @Test func aRecordingThatIsNotReadEnds() {
    let daemon = TestDaemon { $0.limits.queueBytes = 10_000 }
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"trace.start\",\"params\":{\"header\":\"main\"}}")
    client.stopReading()
    for step in 1...200 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    #expect(client.pipe.maxQueued < 12_000)
    client.resumeReading()
    let lines = client.received()
    #expect(lines.last?.contains("recording 1 of header") == true)
    // The recording itself says so too, and how much of it there is.
    let traces = lines.notifications("trace").map { $0.at("params") }
    let steps = traces.count { $0.at("step") != .null }
    #expect(traces.last?.at("ended") == "overflow" && traces.last?.at("steps") == .number(Double(steps)))
    #expect(client.send("{\"id\":1,\"method\":\"trace.stop\",\"params\":{\"trace\":1}}").errors.count == 1)
  }

  /// One stops reading for half a minute, of seventeen.
  @Test(arguments: ["latest", "every"]) func halfAMinute(_ mode: String) {
    let daemon = TestDaemon { $0.limits.queueBytes = 100_000 }
    let publisher = daemon.publisher()
    let line = "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\",\"mode\":\"\(mode)\"}}"
    let readers = (0..<16).map { _ in daemon.connect() }
    for reader in readers { reader.send(line) }
    let client = daemon.connect()
    client.send(line)
    client.stopReading()
    for step in 1...1800 {
      let before = readers[0].transcript.count
      publisher.send(TestDaemon.scroll("main", Double(step) / 60, Double(step % 40)))
      // Each state is with everybody else before anything else happens.
      let size = readers[0].transcript.count
      #expect(size > before)
      for reader in readers where reader.transcript.count != size { Issue.record("\(step) has not come everywhere") }
      daemon.pass(1.0 / 60)
    }
    #expect(client.pipe.maxQueued <= 100_000)
    #expect(readers[0].allLines.seqs == Array(1...1801))
    for reader in readers { #expect(reader.transcript == readers[0].transcript) }
    let taken = 1
    client.resumeReading()
    let lines = client.received()
    #expect(lines.seqs.last == 1801)
    let queued = lines.states.filter { $0.at("snapshot") == .null }.map { Int($0.at("seq").number) }
    if mode == "every" {
      let gap = lines.notifications("gap")[0].at("params")
      let last = taken + queued.count
      #expect(queued == Array(taken + 1...last))
      #expect(gap.at("from").number == Double(last + 1))
      #expect(gap.at("to") == 1801)
      #expect(lines.states.last?.at("snapshot") == true)
    } else {
      #expect(lines.notifications("gap").isEmpty)
      // What was queued when it fell behind, then one for all the rest.
      let taking = taken + queued.count - 1
      #expect(Array(queued.dropLast()) == Array(taken + 1...taking))
    }
    publisher.send(TestDaemon.scroll("main", 31, 3))
    #expect(client.received().seqs == [1802])
  }

  @Test func whoDoesNotReadIsNotPingedEither() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.stopReading()
    client.send("{\"id\":1,\"method\":\"ping\"}")
    let queued = client.pipe.queued.count
    daemon.pass(1000)
    #expect(client.pipe.queued.count == queued)
    client.resumeReading()
    _ = client.received()
    daemon.pass(30)
    #expect(client.received() == [#"{"jsonrpc":"2.0","method":"ping"}"#])
  }
}
