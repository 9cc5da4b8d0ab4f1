// SPDX-License-Identifier: MIT
//
// A connection that publishes to many headers: what is expected of it is a guess, never an effect.

import HeaderCore
import HeaderTestKit
import Testing

@testable import HeaderService

@Suite struct TurnOrderTests {
  @Test func whoCameBehindItTheLastTimeIsExpected() {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    for name in ["a", "b", "c"] { publisher.send(TestDaemon.open(name)) }
    let publishings = ["a", "b", "c"].compactMap { daemon.service.table[$0] }.map { Publishing($0, clock) }
    let order = TurnOrder()
    #expect(unsafe order.expected == nil)
    func expected() -> String? { unsafe order.expected?.takeUnretainedValue().entry.name }
    for publishing in publishings { order.turn(to: publishing, of: 3) }
    for name in ["a", "b", "c", "a", "b"] {
      #expect(expected() == name)
      order.goOn()
    }
    // Another one's turn, and from there on as it goes now.
    for index in [0, 2, 1] { order.turn(to: publishings[index], of: 3) }
    for name in ["a", "b", "c"] {
      #expect(expected() == name)
      order.goOn()
    }
    order.forget()
    #expect(unsafe order.expected == nil)
  }

  private var clock: PublisherClock { PublisherClock(first: nil, readAt: 0, present: nil) }

  /// How the same events come.
  enum Way: CaseIterable {
    case aConnectionForEach, lines, frames
  }

  /// Headers in turns, out of turn, closed and opened again: the states are those of events on connections of their own.
  @Test(arguments: UInt64(0)..<12) func inWhateverOrderTheyComeTheStatesAreTheSame(_ seed: UInt64) {
    let (first, second, third) = (
      states(of: .aConnectionForEach, seed), states(of: .lines, seed), states(of: .frames, seed)
    )
    #expect(first.count > 5)
    #expect(first == second)
    #expect(first == third)
  }

  private func states(of way: Way, _ seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon()
    let (opener, reader) = (daemon.connect(), daemon.connect())
    // From some dozens on the daemon looks ahead.
    let names = (0..<1 + random.below(6) + (seed % 3 == 2 ? 40 : 0)).map { "header.\($0)" }
    for name in names { opener.send(TestDaemon.open(name)) }
    reader.send(#"{"id":1,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    let framed = FrameClient(daemon)
    let clients = names.map { _ in daemon.connect() }
    var (turn, offset) = (0, 0.0)
    for step in 1...400 {
      // Mostly one after the other, sometimes another one.
      turn = random.oneIn(9) ? random.below(names.count) : (turn + 1) % names.count
      offset = max(0, offset + Double(random.below(400)) - 195)
      if random.oneIn(40) {
        let name = names[random.below(names.count)]
        opener.send(#"{"id":2,"method":"header.close","params":{"header":"\#(name)"}}"#)
      } else if random.oneIn(8) {
        for name in names where daemon.service.table[name] == nil { opener.send(TestDaemon.open(name)) }
      }
      let line = TestDaemon.scroll(names[turn], Double(step) / 8, offset)
      switch way {
      case .aConnectionForEach: clients[turn].send(line)
      case .lines: clients[0].send(line)
      case .frames:
        guard let handle = daemon.service.table[names[turn]]?.handle.number else { continue }
        framed.send(
          FrameBuilder.event(
            ["event": "didScroll", "time": .number(Double(step) / 8), "offset": ["y": .number(offset)]], id: 0,
            handle: handle))
      }
    }
    return reader.allLines
  }
}
