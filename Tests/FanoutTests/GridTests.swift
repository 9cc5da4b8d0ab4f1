// SPDX-License-Identifier: MIT
//
// Subscriptions on a grid: each state that is sent is an exact state with its lengths rounded and says something new, and what is not
// sent is known from the state before.

import Clocks
import HeaderModel
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct GridTests {
  private let daemon = TestDaemon()

  private func params(_ unit: Double, _ more: String = ",\"mode\":\"every\"") -> String {
    "{\"headers\":\"main\",\"grid\":\(unit)\(more)}"
  }

  private func subscribe(_ unit: Double, _ more: String = ",\"mode\":\"every\"") -> TestClient {
    let client = daemon.connect()
    client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":\(params(unit, more))}")
    return client
  }

  private func scroll(_ publisher: TestClient, _ time: Double, to offset: Double) {
    publisher.send(TestDaemon.scroll("main", time, offset))
  }

  // MARK: - By headerd-states(7), SUBSCRIPTIONS, alone

  private static func rounded(_ length: Value, _ unit: Double) -> Double {
    // What the arithmetic of doubles makes of a half is one.
    let multiple = (length.number / unit * (1 + 1e-13)).rounded(.toNearestOrAwayFromZero) * unit
    return (multiple * 10_000).rounded(.toNearestOrEven) / 10_000 + 0
  }

  /// A part of a state with its lengths on a grid; members with their default are left out.
  private static func rounded(_ part: Value, _ unit: Double) -> Value {
    guard case .record(var record) = part else {
      if case .list(let list) = part { return .list(list.map { rounded($0, unit) }) }
      return part
    }
    for (start, size) in [("x", "width"), ("y", "height")] where record[start] != nil && record[size] != nil {
      let end = Value.number(part.at(start).number + part.at(size).number)
      let length = rounded(end, unit) - rounded(part.at(start), unit)
      record[size] = .number((length * 10_000).rounded() / 10_000)
    }
    for name in ["x", "y", "top", "left", "bottom", "right"] where record[name] != nil {
      record[name] = .number(rounded(part.at(name), unit))
    }
    for field in record.fields { record[field.name] = rounded(field.value, unit) }
    for name in ["translation", "correction"] where record[name] == ["x": 0, "y": 0] { record[name] = nil }
    return .record(record)
  }

  private static func has(_ value: Value, _ part: Value) -> Bool {
    switch (value, part) {
    case (.record(let all), .record(let some)): some.fields.allSatisfy { has(all[$0.name] ?? .null, $0.value) }
    case (.list(let all), .list(let some)): all.count == some.count && zip(all, some).allSatisfy { has($0, $1) }
    default: part == .null || value == part
    }
  }

  private static let places = ["framesActive", "drawers", "scrollViews", "values"]

  private static func places(_ state: Value, _ unit: Double, _ fields: [String]?) -> [Value] {
    let state = SelectionTests.projection(state, fields)
    return places.map { $0 == "values" ? state.at($0) : rounded(state.at($0), unit) }
  }

  private static func tells(_ state: Value) -> Bool {
    !(state.at("notices").list + state.at("commands").list + state.at("animations").list).isEmpty
  }

  // MARK: - From seeds

  /// Walks of the content in steps of every size, with the exact states that they make.
  private func walk(_ seed: UInt64, _ unit: Double, _ look: (_ exact: [Value]) -> Void) {
    var random = SplitMix64(seed: seed)
    let publisher = daemon.publisher()
    let witness = daemon.connect()
    look(witness.send(#"{"id":1,"method":"subscribe","params":{"headers":"main","mode":"every"}}"#).states)
    var (time, offset) = (0.0, 10.0)
    for _ in 0..<300 {
      time += 0.01
      offset += Double.random(in: -1...1, using: &random) * (random.oneIn(8) ? 60 : unit)
      offset = max(-40, min(90, offset))
      scroll(publisher, time, to: random.oneIn(3) ? (offset / unit).rounded() * unit + unit / 2 : offset)
      look(witness.received().states)
    }
    #expect(publisher.received().errors.isEmpty)
  }

  @Test(arguments: [1.0 / 64, 0.0625, 1 / 2.625, 1, 16], Array(1...6) as [UInt64])
  func eachIsNewOnTheGrid(_ unit: Double, _ seed: UInt64) {
    let fields = [nil, ["drawers"], ["drawers.navBar"], ["drawers.navBar", "scrollViews"], [], ["values.phase"]][
      Int(seed - 1)]
    let asked = fields.map { ",\"fields\":[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" } ?? ""
    var full: [Value] = []
    var clients: [(name: String, received: () -> [Value])] = []
    walk(seed, unit) { exact in
      if full.isEmpty {
        let (every, latest) = (subscribe(unit, ",\"mode\":\"every\"" + asked), subscribe(unit, asked))
        let frames = FrameClient(daemon)
        frames.say(FrameBuilder.request(7, 2, params(unit, ",\"mode\":\"every\"" + asked)))
        clients = [
          ("every", { every.allLines.states }), ("latest", { latest.allLines.states }),
          ("frames", { frames.received().filter { $0.at("method") == "state" }.map { $0.at("params") } }),
        ]
      }
      full += exact
    }
    // The states that are to come.
    var expected: [Value] = []
    var known: [Value] = []
    for state in full {
      let places = Self.places(state, unit, fields)
      if known != places || Self.tells(state) { expected.append(state) }
      known = places
    }
    #expect(expected.count > 1)
    for (name, received) in clients {
      let got = received()
      #expect(got.map { $0.at("seq") } == expected.map { $0.at("seq") }, "\(name)")
      for (state, exact) in zip(got, expected) {
        for (part, place) in zip(Self.places, Self.places(exact, unit, fields)) {
          // A frame has also what has its default.
          let isSame = name == "frames" ? Self.has(state.at(part), place) : state.at(part) == place
          #expect(isSame, "\(name): \(part) of \(state.at("seq"))")
        }
        #expect(state.at("notices").list.count == exact.at("notices").list.count)
      }
    }
  }

  /// Who reads slowly, goes and comes back ends with what is there, and no state that was left out is a gap.
  @Test(arguments: Array(1...8) as [UInt64]) func whoComesBackKnowsTheLastState(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (unit, fields) = (1.0, ["drawers.navBar"])
    let mode = seed % 2 == 0 ? ",\"mode\":\"every\"" : ""
    let more = mode + #","fields":["drawers.navBar"],"resumeFrom":"#
    // Another one of the same way of reading, who always reads.
    var steady: TestClient?
    var client: TestClient?
    var (last, states, gaps): (Value, [Value], [Value]) = (.null, [], [])
    walk(seed, unit) { exact in
      if steady == nil { steady = subscribe(unit, mode + #","fields":["drawers.navBar"]"#) }
      last = exact.last ?? last
      if let now = client, random.oneIn(6) {
        now.resumeReading()
        states += now.received().states
        now.hangUp()
        client = nil
      } else if client == nil, random.oneIn(4) {
        let seen = states.last.map {
          "{\"main\":{\"epoch\":\(Int($0.at("epoch").number)),\"seq\":\(Int($0.at("seq").number))}}"
        }
        client = subscribe(unit, more + (seen ?? "{}"))
        states += client?.allLines.states ?? []
      }
      guard let client else { return }
      if random.oneIn(10) { client.stopReading() } else if !client.pipe.reads { client.resumeReading() }
      let lines = client.received()
      states += lines.states
      gaps += lines.notifications("gap")
      guard client.pipe.reads, case let state? = states.last else { return }
      #expect(Self.places(state, unit, nil)[1] == Self.places(last, unit, fields)[1])
    }
    #expect(gaps == [] && states.count > 10)
    let told = steady?.allLines.states ?? []
    #expect(told.last.map { Self.places($0, unit, nil)[1] } == Self.places(last, unit, fields)[1])
    for (one, next) in zip(told, told.dropFirst()) where next.at("notices") == .null {
      #expect(one.at("drawers") != next.at("drawers"))
    }
  }

  // MARK: - One by one

  @Test func aSnapshotIsOnTheGridAndKnown() {
    let publisher = daemon.publisher()
    scroll(publisher, 1, to: 10.26)
    let fields = #","fields":["drawers.navBar"]"#
    let client = subscribe(0.5, fields)
    #expect(client.allLines.states.last?.at("drawers.0.frame.y") == 9.5)
    scroll(publisher, 2, to: 10.3)
    #expect(client.received().isEmpty)
    // Another one does not change what the first one is told.
    let other = subscribe(0.5, fields)
    scroll(publisher, 3, to: 10.9)
    #expect(client.received().states.map { $0.at("drawers.0.frame.y") } == [9])
    #expect(other.received().states.map { $0.at("seq") } == [4])
  }

  /// States that say how they go on all come, since a client draws by that what it was not sent.
  @Test func allStatesThatSayHowTheyGoOnCome() {
    let publisher = daemon.publisher()
    let client = subscribe(1, #","mode":"every","predict":true,"fields":["drawers.navBar"]"#)
    daemon.pass(0.01)
    _ = client.received()
    for step in 1...3 { scroll(publisher, daemon.clock.seconds, to: 10 + Double(step) / 100) }
    let states = client.received().states
    #expect(states.map { $0.at("seq") } == [2, 3, 4])
    #expect(states.allSatisfy { $0.at("drawers.0.frame.y") == 10 })
  }

  /// Those who mirror the content learn where it is when that differs on the grid.
  @Test func offsetsAloneAreOnTheGrid() {
    let publisher = daemon.publisher()
    let client = subscribe(1, #","mode":"every","include":["contentOffset"],"fields":["scrollViews"]"#)
    for (step, offset) in [100, 100.2, 100.4, 100.6, 101.4].enumerated() { scroll(publisher, Double(step), to: offset) }
    #expect(client.received().states.map { $0.at("scrollViews.content.contentOffset.y") } == [100, 101])
  }

  @Test(arguments: ["0", "0.0009", "17", "-1", "\"1\""]) func aUnitThatIsNoneIsRefused(_ unit: String) {
    let error = daemon.connect().send(
      "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"main\",\"grid\":\(unit)}}"
    ).errors.first
    #expect(error?.at("data.field") == "params.grid")
    let needed = unit.contains("\"") ? "a finite number of points" : "a number from 0.001 to 16"
    #expect(error?.at("message").text.contains("expected \(needed)") == true)
  }
}
