// SPDX-License-Identifier: MIT
//
// Who gets which states, and when: snapshots first, everybody the same bytes, one feed a header and connection, nothing
// after an unsubscribe.

import Fanout
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

private func subscribe(_ pattern: String, _ more: String = "") -> String {
  "{\"id\":9,\"method\":\"subscribe\",\"params\":{\"headers\":\"\(pattern)\"\(more)}}"
}

private let every = ",\"mode\":\"every\""

@Suite struct SubscriptionTests {
  @Test func laterOneBeginsWithASnapshotAndSeesTheSameFromThen() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let early = daemon.connect()
    early.send(subscribe("main", every))
    for step in 1...5 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    let late = daemon.connect()
    let beginning = late.send(subscribe("main"))
    #expect(beginning.count == 2)
    #expect(beginning.states.first?.at("snapshot") == true)
    #expect(beginning.seqs == [6])
    let mark = early.received()
    #expect(mark.seqs == [1, 2, 3, 4, 5, 6].suffix(5) || mark.seqs == [2, 3, 4, 5, 6])
    for step in 6...9 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    let (first, second) = (early.received(), late.received())
    #expect(first == second)
    #expect(first.seqs == [7, 8, 9, 10])
    // The snapshot shows what the state of the same number showed.
    #expect(beginning.states[0].at("drawers") == mark.states.last?.at("drawers"))
  }

  @Test func snapshotsShowThePresentOffset() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    publisher.send(TestDaemon.scroll("main", 1, 60))
    publisher.send(TestDaemon.scroll("main", 2, 70))
    let snapshot = daemon.connect().send(subscribe("main")).states[0]
    #expect(snapshot.at("seq") == 2)
    #expect(snapshot.at("scrollViews.content.contentOffset.y") == 70)
    #expect(snapshot.at("notices") == .null)
  }

  /// Who shows the content gets also where that alone moves: the last state once more, with nothing that happened.
  @Test func offsetsAloneComeToThoseWhoAsk() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let (plain, mirror, slow) = (daemon.connect(), daemon.connect(), daemon.connect())
    let include = ",\"include\":[\"contentOffset\"]"
    plain.send(subscribe("main", every))
    publisher.send(TestDaemon.scroll("main", 1, 600))
    mirror.send(subscribe("main", every + include))
    slow.send(subscribe("main", ",\"maxRate\":2" + include))
    for client in [plain, mirror, slow] { _ = client.received() }
    publisher.send(TestDaemon.scroll("main", 2, 700))
    publisher.send(TestDaemon.scroll("main", 3, 700))
    publisher.send(TestDaemon.scroll("main", 4, 710))
    #expect(plain.received().isEmpty)
    let states = mirror.received().states
    #expect(states.map { $0.at("scrollViews.content.contentOffset.y") } == [700, 710])
    #expect(states.map { $0.at("seq") } == [2, 2] && states.map { $0.at("time") } == [2, 4])
    #expect(states.allSatisfy { $0.at("snapshot") == .null && $0.at("notices") == .null })
    // What comes sooner than its rate is merged; the last place is always sent.
    #expect(slow.received().isEmpty)
    daemon.pass(1)
    #expect(slow.received().states.map { $0.at("scrollViews.content.contentOffset.y") } == [710])
    // A movement that makes a state is in that state alone.
    publisher.send(#"{"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    #expect(plain.received().count == mirror.received().count)
    // Nobody is told any more when the last of them has gone; numbers of states are as if there had been none.
    mirror.send("{\"id\":1,\"method\":\"unsubscribe\",\"params\":{\"subscription\":1}}")
    slow.send("{\"id\":1,\"method\":\"unsubscribe\",\"params\":{\"subscription\":1}}")
    publisher.send(TestDaemon.scroll("main", 5, 720))
    #expect(mirror.received().states.isEmpty)
  }

  /// One that comes back finds out where the content is, also if there was no state meanwhile.
  @Test func aMirrorComesBackToWhereTheContentIs() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    publisher.send(TestDaemon.scroll("main", 1, 600))
    let epoch = Int(publisher.send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers.0.epoch").number)
    let resuming = #","include":["contentOffset"],"resumeFrom":{"main":{"epoch":\#(epoch),"seq":2}}"#
    publisher.send(TestDaemon.scroll("main", 2, 700))
    let said = daemon.connect().send(subscribe("main", every + resuming))
    #expect(said.notifications("gap").isEmpty && said.seqs == [2])
    #expect(said.states.map { $0.at("scrollViews.content.contentOffset.y") } == [700])
  }

  /// The same behind the states that it has missed.
  @Test(arguments: ["every", "latest"]) func aMirrorLearnsOfMovesBehindTheLastState(_ mode: String) {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let resuming = ",\"mode\":\"\(mode)\",\"include\":[\"contentOffset\"],\"resumeFrom\":"
    // From here on states are kept.
    let first = daemon.connect().send(subscribe("main", resuming + "{}")).states
    let epoch = Int(first[0].at("epoch").number)
    // The bar is hidden soon; what comes then moves the content alone.
    for step in 1...9 { publisher.send(TestDaemon.scroll("main", Double(step), Double(500 + 100 * step))) }
    let point = #"{"main":{"epoch":\#(epoch),"seq":1}}"#
    let states = daemon.connect().send(subscribe("main", resuming + point)).states
    let (told, last) = (states.dropLast().last, states.last)
    #expect(told?.at("seq") == last?.at("seq") && told?.at("snapshot") == .null)
    #expect(told?.at("scrollViews.content.contentOffset.y") != 1400)
    #expect(last?.at("scrollViews.content.contentOffset.y") == 1400)
  }

  @Test func severalOfOneConnectionAreSentOnce() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher("app.main")
    let client = daemon.connect()
    #expect(client.send(subscribe("app.*")).states.count == 1)
    let second = client.send(subscribe("**", every + ",\"include\":[\"routine\"]"))
    #expect(second.results.first?.at("matched") == 1)
    #expect(second.states.isEmpty)
    let one = publisher.send(TestDaemon.scroll("app.main", 1, 1))
    #expect(one.isEmpty)
    let first = client.received()
    #expect(first.seqs == [2])
    #expect(first.states[0].at("notices") == .null)
    // The oldest ends: the next one goes on as it wants, without a snapshot.
    client.send("{\"method\":\"unsubscribe\",\"params\":{\"subscription\":1}}")
    publisher.send(TestDaemon.scroll("app.main", 2, 2))
    let next = client.received()
    #expect(next.seqs == [3])
    #expect(next.states[0].at("snapshot") == .null)
    #expect(next.states[0].at("notices.0.routine") == true)
    client.send("{\"id\":1,\"method\":\"unsubscribe\",\"params\":{\"subscription\":2}}")
    publisher.send(TestDaemon.scroll("app.main", 3, 3))
    #expect(client.received().isEmpty)
  }

  @Test func headersOpenedLaterBeginWithTheirSnapshot() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    #expect(client.send(subscribe("a.*")).results.first?.at("matched") == 0)
    let publisher = daemon.publisher("a.b")
    daemon.publisher("a.b.c")
    let lines = client.received()
    #expect(lines.states.map { $0.at("header") } == ["a.b"])
    #expect(lines.states.first?.at("snapshot") == true)
    publisher.send("{\"method\":\"header.close\",\"params\":{\"header\":\"a.b\"}}")
    let closed = client.received().notifications("closed")
    #expect(closed.count == 1)
    #expect(closed.first?.at("params.reason") == "closed")
    daemon.publisher("a.b")
    #expect(client.received().states.first?.at("epoch").number ?? 0 > 1_763_690_400_000_001)
  }

  @Test func listsOfPatternsAndExactNames() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":[\"x\",\"y.*\",\"x\"]}}")
    for name in ["x", "y", "y.z", "z"] { daemon.publisher(name) }
    #expect(client.received().states.map { $0.at("header") } == ["x", "y.z"])
  }

  @Test func callsAndRoutineNoticesOnlyForThoseWhoAsk() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let plain = daemon.connect()
    plain.send(subscribe("main"))
    let curious = daemon.connect()
    curious.send(subscribe("main", ",\"include\":[\"calls\",\"routine\"]"))
    publisher.send(TestDaemon.scroll("main", 1, 1))
    let state = curious.received().states.last ?? .null
    #expect(state.at("calls.0") == ["delegate": "shyNavBar", "event": "didScroll", "depth": 0])
    #expect(state.at("notices.0.name") == "frameDidChange")
    #expect(plain.received().states.last?.at("calls") == .null)
  }

  /// Explanations cost those headers that somebody asks about, as long as somebody does.
  @Test func explanationsOnlyForThoseWhoAsk() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let plain = daemon.connect()
    plain.send(subscribe("main"))
    let curious = daemon.connect()
    #expect(curious.send(subscribe("main", ",\"explain\":true")).results.count == 1)
    publisher.send(TestDaemon.scroll("main", 1, 1))
    let state = curious.received().states.last ?? .null
    #expect(state.at("explanation.seq") == state.at("seq"))
    #expect(state.at("explanation.turns.0.delegate") == "shyNavBar")
    #expect(plain.received().states.last?.at("explanation") == .null)
    curious.send("{\"method\":\"unsubscribe\",\"params\":{\"subscription\":1}}")
    publisher.send(TestDaemon.scroll("main", 2, 2))
    #expect(curious.received().isEmpty)
    #expect(plain.received().seqs == [3])
    // Who comes again is not told of what came before.
    let again = curious.send(subscribe("main", ",\"explain\":true")).states
    #expect(again.count == 1 && again[0].at("explanation") == .null)
    #expect(curious.send(subscribe("main", ",\"explain\":1")).errors.count == 1)
  }

  /// They tell how behaviors work: whoever may only subscribe does not get them.
  @Test func explanationsNeedARole() {
    let daemon = TestDaemon()
    for name in ["mine.a", "other.a"] { daemon.publisher(name) }
    let viewer = daemon.connect(Peer(name: "viewer", roles: .subscribe))
    let refusal = viewer.send(subscribe("**", ",\"explain\":true")).errors.first
    #expect(refusal?.at("data.name") == "notPermitted")
    #expect(refusal?.at("message").text.hasPrefix("subscribe with explain needs the role tune or admin") == true)
    var access = Access(.subscribe)
    access.grant(.tune, headers: ["mine.*"])
    let tuner = daemon.connect(Peer(name: "tuner", access: access))
    let lines = tuner.send(subscribe("**", ",\"explain\":true"))
    #expect(lines.results.first?.at("matched") == 1)
    #expect(lines.states.map { $0.at("header") } == ["mine.a"])
    #expect(tuner.send(subscribe("other.a", ",\"explain\":true")).errors.first?.at("data.name") == "notPermitted")
  }

  @Test func aHeaderEndsWithItsConnectionIfItAskedTo() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(subscribe("**"))
    let publisher = daemon.publisher("main", ",\"lifetime\":\"connection\"")
    let other = daemon.publisher("stays")
    publisher.hangUp()
    other.hangUp()
    #expect(client.received().notifications("closed").map { $0.at("params.reason") } == ["connection"])
    #expect(daemon.service.headerCount == 1)
  }
}
