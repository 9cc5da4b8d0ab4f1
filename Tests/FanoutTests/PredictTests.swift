// SPDX-License-Identifier: MIT
//
// States that say how they go on: what is in them, when they come again, and who gets nothing of it.

import Clocks
import HeaderModel
import ServiceTestKit
import Testing

@Suite struct PredictTests {
  private let daemon = TestDaemon()

  private func subscribe(_ more: String = ",\"mode\":\"every\"") -> TestClient {
    let client = daemon.connect()
    client.send("{\"id\":9,\"method\":\"subscribe\",\"params\":{\"headers\":\"main\",\"predict\":true\(more)}}")
    daemon.pass(0.01)
    return client
  }

  /// Scrolls a sixtieth of a second later.
  private func scroll(_ publisher: TestClient, to offset: Double) {
    daemon.pass(1.0 / 60)
    publisher.send(TestDaemon.scroll("main", daemon.clock.seconds, offset))
    // Trials come after the turn.
    daemon.pass(0)
  }

  private func event(_ publisher: TestClient, _ event: String) {
    let time = daemon.clock.seconds
    publisher.send("{\"method\":\"event\",\"params\":{\"header\":\"main\",\"time\":\(time),\"event\":\(event)}}")
  }

  private func offsets(_ keyframes: Value) -> [Double] {
    guard case .list(let list) = keyframes else { return [] }
    return list.map { ($0.at("offset").number * 1e6).rounded() / 1e6 }
  }

  @Test func statesSayHowTheyGoOn() throws {
    let publisher = daemon.publisher()
    let (plain, wise) = (daemon.connect(), subscribe())
    plain.send(#"{"id":9,"method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    // The snapshot comes again with what follows.
    let first = try #require(wise.received().states.last)
    #expect(first.at("seq") == 1 && first.at("notices") == .null)
    let ahead = first.at("ahead")
    #expect(ahead.at("reversible") == true)
    // The header is between its ends from 0 to 44; a text changes at both.
    #expect(offsets(ahead.at("growing")).prefix(4) == [0, 0, 44, 44])
    #expect(ahead.at("growing.1.values.phase") == "between" && ahead.at("growing.2.values.phase") == "between")
    #expect(ahead.at("growing.3.values.phase") == "contracted")
    #expect(ahead.at("growing.3.drawers.0.frame.y") == -24 && ahead.at("growing.3.drawers.1.alpha") == 0)
    #expect(ahead.at("growing.3.scrollViews") == .null)
    // What was said is sent as a state, with what is left; nothing comes again.
    scroll(publisher, to: 11)
    let state = plain.received().states
    let again = wise.received().states
    #expect(state.count == 1 && again.count == 1)
    #expect(state[0].at("ahead") == .null && state[0].at("drawers") == again[0].at("drawers"))
    #expect(again[0].at("ahead.offset") == 11)
    #expect(offsets(again[0].at("ahead.growing")).prefix(2) == [44, 44])
    #expect(offsets(again[0].at("ahead.shrinking")).prefix(2) == [0, 0])
    scroll(publisher, to: 500)
    #expect(wise.received().states.map { $0.at("seq") } == [3])
    scroll(publisher, to: 900)
    #expect(wise.received().states.isEmpty)
  }

  /// A state that nothing has said comes at once, and once more with what follows; one that nothing follows from does not.
  @Test func whatWasNotForeseenComesTwice() {
    let publisher = daemon.publisher()
    let wise = subscribe()
    scroll(publisher, to: 100)
    _ = wise.received()
    // A call moves the header to where it does not stay when its content is scrolled.
    daemon.pass(1)
    publisher.send(#"{"id":1,"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    daemon.pass(0)
    let moved = wise.received().states
    #expect(moved.map { $0.at("seq") } == [3] && moved.allSatisfy { $0.at("ahead") == .null })
    scroll(publisher, to: 101)
    let states = wise.received().states
    #expect(states.map { $0.at("seq") } == [4, 4])
    #expect(states.map { $0.at("ahead.offset") } == [.null, 101])
    #expect(states.map { $0.at("notices") == .null } == [false, true])
  }

  /// Who scrolls knows what was foreseen, and is sent the rest.
  @Test func whoScrollsIsNotSentWhatItKnows() throws {
    let publisher = daemon.publisher()
    publisher.send(#"{"id":9,"method":"subscribe","params":{"headers":"main","predict":true}}"#)
    let (latest, every) = (subscribe(""), subscribe())
    scroll(publisher, to: -60)
    for client in [publisher, latest, every] { _ = client.received() }
    for offset in [11, 20, 30] { scroll(publisher, to: Double(offset)) }
    #expect(publisher.received().isEmpty)
    #expect(latest.received().states.map { $0.at("ahead.offset") } == [11, 20, 30])
    #expect(every.received().states.count == 3)
    // Other clients' scrolls, requests, and what nothing has said.
    scroll(latest, to: 32)
    #expect(publisher.received().states.map { $0.at("ahead.offset") } == [32])
    #expect(latest.received().states.isEmpty)
    daemon.pass(1.0 / 60)
    let line = TestDaemon.scroll("main", daemon.clock.seconds, 34)
    let answer = publisher.send(line.replacing("{\"method\"", with: "{\"id\":7,\"method\""))
    #expect(answer.states.map { $0.at("ahead.offset") } == [34] && answer.count == 2)
    scroll(publisher, to: 30)
    latest.send(#"{"id":1,"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    #expect(publisher.received().states.map { $0.at("ahead") == .null } == [true])
  }

  /// A header that moves its content unless a finger does says how a drag goes on before one begins, and the drag's states as well.
  @Test func whatADragDoesIsSaidBeforeItBegins() throws {
    daemon.plugins.kinds[0].make = Carrier.init
    let publisher = daemon.publisher()
    publisher.send(#"{"id":9,"method":"subscribe","params":{"headers":"main","predict":true}}"#)
    let wise = subscribe()
    let first = try #require(wise.received().states.last)
    #expect(offsets(first.at("ahead.growing")).allSatisfy { $0 <= 0 })
    #expect(offsets(first.at("ahead.dragged.growing")).prefix(4) == [0, 0, 44, 44])
    #expect(first.at("ahead.dragged.reversible") == true)
    let framed = FrameClient(daemon).send(FrameBuilder.request(7, 2, #"{"headers":"main","predict":true}"#)).states
    #expect(framed.map { $0.at("ahead") } == [first.at("ahead")])
    event(publisher, #""willBeginDragging""#)
    scroll(publisher, to: 11)
    // Also to whom has scrolled: not all clients follow a drag by what was said of it.
    for client in [publisher, wise] {
      let states = client.allLines.states.suffix(2)
      #expect(states.map { $0.at("ahead.offset") } == [-64, 11])
      #expect(states.allSatisfy { $0.at("ahead.dragged") == .null && $0.at("ahead.growing.1") != .null })
    }
    // Without a finger it moves the content, which nothing has said.
    event(publisher, #""didEndDragging","willDecelerate":false"#)
    daemon.pass(1)
    let last = try #require(wise.received().states.last)
    #expect(last.at("ahead.offset") == 11 && last.at("ahead.dragged.growing.0") != .null)
    scroll(publisher, to: 20)
    #expect(try #require(wise.received().states.first).at("ahead") == .null)
  }

  /// What follows goes out in the turn of the scroll: the next one may have come with it.
  @Test func aScrollToWhatWasNotForeseenSaysHowItGoesOn() {
    let publisher = daemon.publisher()
    let wise = subscribe()
    scroll(publisher, to: 100)
    publisher.send(#"{"id":1,"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    daemon.pass(1)
    _ = wise.received()
    publisher.send(TestDaemon.scroll("main", daemon.clock.seconds, 101))
    let states = wise.received().states
    #expect(states.map { $0.at("ahead.offset") } == [.null, 101])
    #expect(states.last?.at("ahead.growing.0") != .null)
  }

  /// The end of a drag and the beginning of the next one come in one turn, so that no trial was between them.
  @Test func aDragThatFollowsAnotherAtOnceSaysHowItGoesOn() {
    let publisher = daemon.publisher()
    let wise = subscribe()
    event(publisher, #""willBeginDragging""#)
    scroll(publisher, to: 11)
    daemon.pass(1)
    _ = wise.received()
    event(publisher, #""didEndDragging","willDecelerate":false"#)
    event(publisher, #""willBeginDragging""#)
    publisher.send(TestDaemon.scroll("main", daemon.clock.seconds, 20))
    let states = wise.received().states
    #expect(states.last?.at("ahead.offset") == 20 && states.allSatisfy { $0.at("ahead.growing.0") != .null })
  }

  /// A drag of which nothing was said is tried out at once: its first scroll may come with it, and says how it goes on.
  @Test func theFirstScrollOfADragSaysHowItGoesOn() {
    let publisher = daemon.publisher()
    let wise = subscribe()
    #expect(wise.received().states.last?.at("ahead.dragged") == .null)
    daemon.pass(1.0 / 60)
    event(publisher, #""willBeginDragging""#)
    for offset in [2.0, 4] { publisher.send(TestDaemon.scroll("main", daemon.clock.seconds, offset)) }
    let states = wise.received().states
    #expect(states.last?.at("ahead.offset") == 4 && states.allSatisfy { $0.at("ahead.growing.1") != .null })
  }

  /// What an event without a state may have changed is not said by what was known before it, until the header was tried out again.
  @Test func whatMayHaveChangedIsNotSaid() throws {
    daemon.plugins.kinds[0].make = Halving.init
    let publisher = daemon.publisher()
    let wise = subscribe()
    scroll(publisher, to: 5)
    _ = wise.received()
    daemon.pass(1.0 / 60)
    event(publisher, #""didAppear""#)
    daemon.pass(0)
    _ = wise.received()
    // The next trial is 8 milliseconds after that of the first event.
    event(publisher, #""didBecomeActive""#)
    daemon.pass(0)
    publisher.send(TestDaemon.scroll("main", daemon.clock.seconds, 11))
    let late = subscribe().allLines.states
    let states = wise.received().states
    #expect(states.map { $0.at("seq") } == [3, 3])
    #expect(states.map { $0.at("ahead.offset") } == [.null, 11])
    #expect(offsets(try #require(states.last).at("ahead.growing")).prefix(1) == [22])
    #expect(late.last?.at("ahead") == states.last?.at("ahead"))
  }

  /// An event that changes nothing brings no state once more, but to who was not sent what follows meanwhile.
  @Test func whatIsTheSameIsNotSaidAgain() {
    let publisher = daemon.publisher()
    let wise = subscribe()
    scroll(publisher, to: 11)
    _ = wise.received()
    for isFirst in [true, false] {
      event(publisher, #""didAppear""#)
      daemon.pass(0.01)
      // Once, as a trial goes farther than what is left of the one before.
      #expect(wise.received().states.count == (isFirst ? 1 : 0))
    }
    event(publisher, #""didAppear""#)
    let late = subscribe().allLines.states
    #expect(late.map { $0.at("ahead.offset") } == [.null, 11])
  }

  /// Of a state, only the wanted parts go on.
  @Test func onlyWantedPartsGoOn() throws {
    let publisher = daemon.publisher()
    let wise = subscribe(",\"mode\":\"every\",\"fields\":[\"values.progress\"]")
    scroll(publisher, to: 11)
    let last = try #require(wise.received().states.last)
    #expect(last.at("ahead.growing.0.values.progress") == 1 && last.at("ahead.growing.0.values.phase") == .null)
    #expect(last.at("ahead.growing.0.drawers") == .null)
  }

  /// A snapshot and the state that a slow reader gets have it, too.
  @Test func snapshotsSayIt() {
    let publisher = daemon.publisher()
    let (wise, slow) = (subscribe(), subscribe(",\"maxRate\":2"))
    scroll(publisher, to: 11)
    _ = slow.received()
    daemon.pass(1)
    #expect(slow.received().states.last?.at("ahead.offset") == 11)
    let third = subscribe()
    #expect(third.allLines.states.first?.at("ahead.offset") == 11)
    // When all have gone, nobody sees to it that it holds.
    for client in [wise, slow, third] { client.send(#"{"id":1,"method":"unsubscribe","params":{"subscription":1}}"#) }
    let fourth = subscribe().allLines.states
    #expect(fourth.first?.at("snapshot") == true && fourth.first?.at("ahead") == .null)
    #expect(fourth.last?.at("ahead.offset") == 11)
  }

  /// Frames say the same as lines, also of all wanted parts, in snapshots, and of a state that waited.
  @Test(arguments: ["", ",\"mode\":\"every\"", ",\"maxRate\":2", ",\"fields\":[\"values\",\"drawers.navBar\"]"])
  func framesSayTheSame(_ more: String) throws {
    let publisher = daemon.publisher()
    let lines = subscribe(more)
    let frames = FrameClient(daemon)
    frames.send(FrameBuilder.request(7, 2, "{\"headers\":\"main\",\"predict\":true\(more)}"))
    daemon.pass(0.01)
    for offset in [-60, 11, 30, 8, 500, 20] {
      scroll(publisher, to: Double(offset))
      if offset == 30 { daemon.pass(1) }
    }
    daemon.pass(1)
    let late = FrameClient(daemon)
    let snapshot = late.send(FrameBuilder.request(7, 2, "{\"headers\":\"main\",\"predict\":true\(more)}")).states.last
    let same = frames.received().states
    let told = lines.allLines.states.suffix(same.count)
    #expect(same.filter { $0.at("ahead.growing") != .null }.count > 1)
    #expect(same.map { $0.at("seq") } == told.map { $0.at("seq") })
    for part in ["ahead", "drawers", "values"] {
      let others = zip(same, told).filter { $0.at(part) != $1.at(part) }.map { $0.0.at("seq") }
      #expect(others == [], "\(part)")
    }
    let isSame = snapshot?.at("ahead") == told.last?.at("ahead")
    #expect(isSame, "a snapshot")
  }
}

extension [Value] {
  fileprivate var states: [Value] { filter { $0.at("method") == "state" }.map { $0.at("params") } }
}
