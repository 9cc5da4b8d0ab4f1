// SPDX-License-Identifier: MIT
//
// The publisher's clock, the header's, the daemon's: who is shifted, who carries on, who wakes.

import Clocks
import Fanout
import HeaderCore
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

private let every = #"{"id":9,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#

private func event(_ fields: String) -> String { "{\"id\":1,\"method\":\"event\",\"params\":{\(fields)}}" }

@Suite struct TimeTests {
  @Test func onePublishersTimesPassUnchanged() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(every)
    for (time, y) in [(1000.5, 1.0), (1000.516666667, 2), (1001, 3)] { client.send(TestDaemon.scroll("main", time, y)) }
    #expect(client.allLines.states.dropFirst().map { $0.at("time") } == [1000.5, 1000.516666667, 1001])
  }

  @Test func aSecondPublisherIsShiftedOnce() {
    let daemon = TestDaemon()
    let first = daemon.publisher()
    let second = daemon.connect()
    let watcher = daemon.connect()
    watcher.send(every)
    first.send(TestDaemon.scroll("main", 10, 1))
    daemon.pass(0.5)
    second.send(TestDaemon.scroll("main", 773, 2))  // now 10.5 in the header
    daemon.pass(0.25)
    second.send(TestDaemon.scroll("main", 773.2, 3))  // 10.7 by its own clock
    first.send(TestDaemon.scroll("main", 10.6, 4))  // before the present: taken at the present
    first.send(TestDaemon.scroll("main", 11, 5))
    #expect(watcher.allLines.states.dropFirst().map { $0.at("time") } == [10, 10.5, 10.7, 10.7, 11])
  }

  @Test func inEventsModeNothingDependsOnArrival() {
    let daemon = TestDaemon()
    let first = daemon.publisher("main", #","frames":"events""#)
    let second = daemon.connect()
    let watcher = daemon.connect()
    watcher.send(every)
    first.send(TestDaemon.scroll("main", 10, 1))
    daemon.pass(3)
    second.send(TestDaemon.scroll("main", 773, 2))
    #expect(watcher.allLines.states.dropFirst().map { $0.at("time") } == [10, 10])
    #expect(daemon.service.nextWake ?? .max > daemon.clock + 10 * TestDaemon.second)
  }

  /// The daemon's clock stands at 30 seconds after a full minute.
  @Test(arguments: [(",\"clockSecondOfMinute\":0", 0.0), (",\"clockSecondOfMinute\":59.5", 59.5), ("", 30)])
  func theSecondOfTheMinuteIsThePublishersOrTheDaemons(_ given: String, _ second: Double) {
    let daemon = TestDaemon { $0.wallClock = { 1_763_690_430_000_000 } }
    let told = Told()
    daemon.plugins.kinds.append(.init(description: Bystander.description("Clock"), make: { ClockReader($0, $1, told) }))
    let open = TestDaemon.open("main", behavior: "Clock")
    daemon.connect().send(open.replacing("\"statusBarHeight\":20", with: "\"statusBarHeight\":20\(given)"))
    #expect(told.second == second)
  }

  private final class Told { var second: Double? }

  private final class ClockReader: ScrollDelegate {
    private let told: Told

    init(_ name: String, _ behavior: BehaviorDescription, _ told: Told) {
      self.told = told
      super.init(name: name, behavior: behavior)
    }

    override func attach(to header: Header) throws(DelegateFailure) {
      told.second = header.environment.clockSecondOfMinute
    }
  }

  @Test func withoutTimesTheDaemonsClockCounts() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(every)
    client.send(event(#""event":"didScroll","offset":{"y":1}"#))
    daemon.pass(0.125)
    let later = client.send(event(#""event":"didScroll","offset":{"y":2}"#))
    #expect(later.states.first?.at("time") == 81.375)
  }

  @Test func whoComesBackGoesOnAtThePresent() {
    let daemon = TestDaemon()
    daemon.publisher().hangUp()
    let client = daemon.connect()
    client.send(TestDaemon.scroll("main", 10, 1))
    client.hangUp()
    daemon.pass(2)
    let again = daemon.publisher()
    again.send(every)
    #expect(again.send(TestDaemon.scroll("main", 0, 2)).states.last?.at("time") == 12)
  }

  @Test(arguments: ["1763690400.1234", "1763690400", "-8999999999.9999", "9000000000", "1690000000.0625"])
  func anyOriginWillDo(_ time: String) {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(every)
    // The shortest road and a longer one.
    for line in [
      #"{"method":"event","params":{"header":"main","event":"didScroll","time":\#(time),"offset":{"y":1}}}"#,
      #"{"method":"event","params":{"header":"main", "event":"didScroll","time":\#(time),"offset":{"y":2}}}"#,
    ] {
      let lines = client.send(line)
      #expect(lines.count == 1 && lines.first?.contains("\"time\":\(time),") == true, "\(lines)")
    }
  }

  @Test(arguments: ["9000000000.5", "-1e10", "1e300"]) func timesBeyondAllClocksAreRefused(_ time: String) {
    let daemon = TestDaemon()
    let answer = daemon.publisher().send(event("\"event\":\"didScroll\",\"time\":\(time),\"offset\":{\"y\":1}"))[0]
    #expect(answer.contains(#""params.time: expected a number from -9000000000 to 9000000000, got "#))
  }

  /// Publishers come and go with wild clocks, and behaviors wait for frames and timers: the service neither traps nor wakes
  /// without end, and each header's time goes forward.
  @Test(arguments: UInt64(1)...12) func wildTimesNeverTrap(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon()
    let watcher = daemon.connect()
    watcher.send(every)
    for (index, frames) in ["live", "events", "live"].enumerated() {
      watcher.send(
        "{\"method\":\"header.open\",\"params\":{\"header\":\"h\(index)\",\"drawers\":[{\"name\":\"d\",\"height\":10}],\"delegates\":[{\"behavior\":\"Ticker\"}],\"frames\":\"\(frames)\",\"frameRate\":50}}"
      )
    }
    func origin() -> Double {
      switch random.below(5) {
      case 0: 8_999_999_000
      case 1: -9e9
      case 2: 1_763_690_400
      case 3: Double.random(in: -1e10...1e10, using: &random)
      default: 0
      }
    }
    var clients = (0..<4).map { _ in (daemon.connect(), origin()) }
    var wakes = 0
    for _ in 0..<400 {
      let place = random.below(clients.count)
      if random.oneIn(12) {
        clients[place].0.hangUp()
        clients[place] = (daemon.connect(), origin())
      }
      // A clock now and then leaps.
      if random.oneIn(30) { clients[place].1 = origin() }
      let time = clients[place].1 + daemon.clock.seconds
      let kind = ["didScroll", "didEndDragging", "willBeginDragging"][random.below(3)]
      clients[place].0.send(
        event(
          "\"header\":\"h\(random.below(3))\",\"event\":\"\(kind)\",\"time\":\(time)"
            + (kind == "didScroll" ? ",\"offset\":{\"y\":\(random.below(500))}" : "")
            + (kind == "didEndDragging" ? ",\"willDecelerate\":false" : "")))
      daemon.pass(Double(random.below(3)) / 4) { wakes += 1 }
      // A halt of the daemon, after which everything is late.
      if random.oneIn(20) {
        daemon.clock += 5 * TestDaemon.second
        daemon.service.tick(at: daemon.clock)
        #expect(daemon.service.nextWake ?? .max > daemon.clock - TestDaemon.second)
      }
    }
    #expect(wakes < 20_000)
    var times: [String: Double] = [:]
    var states = 0
    // Before the first event a header has no time.
    for state in watcher.allLines.states where state.at("time") != 0 {
      let (name, time) = (state.at("header").text, state.at("time").number)
      #expect(time >= times[name] ?? -.infinity)
      times[name] = time
      states += 1
    }
    #expect(states > 20)
    #expect(daemon.log.lines.filter { $0.contains("pluginBug") || $0.hasPrefix("error") } == [])
  }

  @Test func strangersNumbersDoNotOverflow() {
    let daemon = TestDaemon()
    daemon.publisher()
    for _ in 0..<12 {
      let client = daemon.connect()
      client.send(TestDaemon.scroll("main", -9e9, 1))
      #expect(client.send(event(#""header":"main","event":"didScroll","time":9e9,"offset":{"y":2}"#)).errors.isEmpty)
      client.hangUp()
    }
  }

  private func ticker(_ daemon: TestDaemon, frames: String) -> TestClient {
    let client = daemon.connect()
    client.send(
      "{\"id\":0,\"method\":\"header.open\",\"params\":{\"header\":\"t\",\"drawers\":[{\"name\":\"d\",\"height\":10}],\"delegates\":[{\"behavior\":\"Ticker\"}],\"frames\":\"\(frames)\",\"frameRate\":50}}"
    )
    client.send(every)
    client.send(event(#""header":"t","event":"didEndDragging","time":10,"willDecelerate":false"#))
    return client
  }

  @Test func liveFramesHappenByTheDaemonsClock() {
    let daemon = TestDaemon()
    let client = ticker(daemon, frames: "live")
    _ = client.received()
    #expect(daemon.service.nextWake == daemon.clock + 20_000_000)
    daemon.pass(0.07)
    #expect(client.received().states.map { $0.at("time") } == [10.02, 10.04, 10.06])
    daemon.pass(1)
    let rest = client.received().states
    #expect(rest.map { $0.at("time") } == [10.08, 10.1, 10.5])
    #expect(rest.map { $0.at("framesActive") } == [true, .null, .null])
    #expect(rest.last?.at("notices.0") == ["name": "rang", "delegate": "ticker", "arguments": ["frames": 5]])
    #expect(daemon.service.nextWake ?? .max > daemon.clock + 10 * TestDaemon.second)
  }

  @Test func aCallBeginsTheTimeOfALiveHeader() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      #"{"id":0,"method":"header.open","params":{"header":"s","frames":"live","delegates":[{"behavior":"Scripted"}]}}"#)
    client.send(every)
    client.send(
      #"{"id":1,"method":"header.call","params":{"header":"s","name":"say","arguments":{"words":"@"}}}"#)
    _ = client.received()
    daemon.pass(0.49)
    #expect(client.received().states.isEmpty)
    daemon.pass(0.01)
    #expect(client.received().states.map { $0.at("notices.0.name") } == ["c"])
  }

  @Test func anEventCarriesTimeOnFromItself() {
    let daemon = TestDaemon()
    let client = ticker(daemon, frames: "live")
    daemon.pass(0.01)
    // The event says that only five milliseconds passed: the frame is due fifteen after it.
    client.send(event(#""header":"t","event":"willBeginDragging","time":10.005"#))
    #expect(daemon.service.nextWake == daemon.clock + 15_000_000)
  }

  @Test func inEventsModeFramesComeWithTheNextEvent() {
    let daemon = TestDaemon()
    let client = ticker(daemon, frames: "events")
    daemon.pass(5)
    _ = client.received()
    let lines = client.send(event(#""header":"t","event":"willBeginDragging","time":10.05"#))
    #expect(lines.states.map { $0.at("time") } == [10.02, 10.04])
  }

  @Test func anEventWakesOnlyItsOwnHeader() {
    let daemon = TestDaemon()
    let client = ticker(daemon, frames: "live")
    let wake = daemon.service.nextWake
    daemon.publisher("other").send(TestDaemon.scroll("other", 1, 1))
    #expect(daemon.service.nextWake == wake)
    client.send(#"{"id":1,"method":"header.close","params":{"header":"t"}}"#)
    #expect(daemon.service.nextWake ?? .max > daemon.clock + TestDaemon.second)
  }

  @Test func manyHeadersWakeInTheOrderOfTheirTimes() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    var random = SplitMix64(seed: 3)
    for index in 0..<100 {
      client.send(
        "{\"method\":\"header.open\",\"params\":{\"header\":\"h\(index)\",\"drawers\":[{\"name\":\"d\",\"height\":10}],\"delegates\":[{\"behavior\":\"Ticker\"}],\"frameRate\":\(Int.random(in: 20...90, using: &random))}}"
      )
      client.send(event("\"header\":\"h\(index)\",\"event\":\"didEndDragging\",\"willDecelerate\":true"))
    }
    client.send(every)
    _ = client.received()
    daemon.pass(1)
    let times = client.received().states.map { $0.at("time").number }
    #expect(times.count == 100 * 6)
    #expect(times == times.sorted())
  }

  @Test func aLongHaltIsOneLeap() {
    let daemon = TestDaemon()
    let client = ticker(daemon, frames: "live")
    _ = client.received()
    daemon.clock += 100 * TestDaemon.second
    daemon.service.tick(at: daemon.clock)
    #expect(client.received().states.map { $0.at("values.frames").number }.max() == 5)
  }

  @Test func aCallBeforeTheFirstEvent() {
    let daemon = TestDaemon()
    let client = daemon.publisher("main", #","frames":"events""#)
    client.send(every)
    client.send(#"{"id":1,"method":"header.call","params":{"header":"main","name":"expand"}}"#)
    #expect(client.send(TestDaemon.scroll("main", 1000, 1)).states.last?.at("time") == 1000)
  }
}

@Suite struct LifeTests {
  @Test func whoSendsNothingIsSentAway() {
    let daemon = TestDaemon()
    let silent = daemon.connect()
    let talker = daemon.connect()
    daemon.pass(9)
    talker.send(#"{"id":1,"method":"ping"}"#)
    daemon.pass(1.5)
    #expect(silent.isClosed)
    #expect(!talker.isClosed)
    #expect(daemon.log.lines.contains { $0.contains("handshakeTimeout connection=1") })
  }

  @Test func whoIsSilentIsPinged() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(#"{"id":1,"method":"ping"}"#)
    daemon.pass(29)
    client.send(#"{"id":2,"method":"ping"}"#)
    daemon.pass(29)
    #expect(client.received().isEmpty)
    daemon.pass(1.5)
    #expect(client.received() == [#"{"jsonrpc":"2.0","method":"ping"}"#])
    daemon.pass(60)
    #expect(client.received().count == 2)
  }

  @Test func oneTooMany() {
    let daemon = TestDaemon { $0.limits.connections = 2 }
    let first = daemon.connect(.publish)
    _ = daemon.connect(.publish)
    let third = daemon.connect(.publish)
    #expect(third.isClosed)
    #expect(third.received().notifications("error").first?.at("params.data.limit.name") == "connections")
    third.hangUp()
    first.hangUp()
    #expect(!daemon.connect(.publish).isClosed)
  }

  @Test func drainingSendsWhatWaitsThenBye() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"*"}}"#)
    client.stopReading()
    while client.pipe.queued.count <= 66_000 { client.send(#"{"id":1,"method":"hello"}"#) }
    publisher.send(TestDaemon.scroll("main", 1, 44))
    daemon.service.drain()
    client.takeOnce()
    let lines = client.received()
    #expect(lines.suffix(2).map { tree($0).at("method") } == ["state", "bye"])
    #expect(daemon.service.nextWake == nil)
    daemon.service.received(unsafe Array("{}\n".utf8).span.bytes, from: client.id, at: daemon.clock)
    #expect(client.received().isEmpty)
  }

  @Test func publishersAndSubscribersAreCounted() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"*"}}"#)
    let other = daemon.connect()
    other.send(TestDaemon.scroll("main", 1, 1))
    client.send(TestDaemon.scroll("main", 2, 2))
    func row() -> Value { daemon.connect().send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers.0") }
    #expect(row().at("publishers") == 2)
    #expect(row().at("subscribers") == 1)
    other.hangUp()
    client.hangUp()
    #expect(row().at("publishers") == 0)
    #expect(row().at("subscribers") == 0)
  }

  @Test func bytesAreCounted() {
    let daemon = TestDaemon()
    let (client, reader) = (daemon.publisher(), daemon.connect())
    reader.send(every)
    for step in 1...10 { client.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    let before = client.transcript.count + reader.transcript.count
    #expect(client.send(#"{"id":1,"method":"stats"}"#).results[0].at("bytesSent") == .number(Double(before)))
  }

  /// Who asks for the same nonsense again and again does not fill the log.
  @Test func anErrorOfOneKindIsLoggedOnceAConnection() {
    let daemon = TestDaemon()
    for _ in 1...2 {
      let client = daemon.connect()
      for _ in 1...3 {
        client.send(#"{"id":1,"method":"header.get","params":{"header":"none"}}"#)
        client.send(#"{"id":1,"method":"header.open","params":7}"#)
      }
    }
    let lines = daemon.log.lines.filter { $0.contains("requestRefused") }
    #expect(lines.count == 4 && lines.filter { $0.contains("headerNotFound") }.count == 2, "\(lines)")
  }

  /// Who looks for one connection among many raises the log's level, and finds when it came and from where.
  @Test func aConnectionIsLoggedForWhoDebugs() {
    let daemon = TestDaemon()
    _ = daemon.connect()
    _ = daemon.connect()
    let lines = daemon.log.debugLines.filter { $0.hasPrefix("debug connected ") }
    #expect(lines == ["debug connected connection=1 peer=test", "debug connected connection=2 peer=test"])
    #expect(daemon.log.lines.isEmpty)
  }

  @Test func whoDrainsFirstSaysWhy() {
    let daemon = TestDaemon()
    daemon.service.drain("draining")
    daemon.service.drain("overflow")
    #expect(daemon.connect().received().notifications("bye").map { $0.at("params.reason") } == ["draining"])
  }

  @Test func headersFromTheConfig() {
    let daemon = TestDaemon()
    var description = HeaderDescription(header: "main")
    description.delegates = [DelegateDescription(behavior: "Faulty")]
    var refusals: [ErrorName?] = []
    for frames in [description.frames, description.frames, .manual] {
      description.frames = frames
      daemon.service.open(description) { refusals.append($0?.name) }
      #expect(daemon.service.headerCount == 1)
    }
    #expect(refusals == [nil, nil, .headerExists])
  }
}
