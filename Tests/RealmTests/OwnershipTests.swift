// SPDX-License-Identifier: MIT

import Clocks
import Realm
import Testing

@Suite struct OwnershipTests {
  @Test(
    "Each header has one owner, no acknowledged step is lost, no epoch has two publishers",
    arguments: Array(0..<8) + [149])
  func lives(_ part: UInt64) {
    var (takeovers, acknowledged) = (0, 0)
    for seed in part * 40..<part * 40 + 40 {
      let world = RealmWorld(seed: seed)
      world.run(untilMilliseconds: 26_000)
      world.calm()
      world.run(untilMilliseconds: 40_000)
      world.checkEnd()
      #expect(world.failures.isEmpty, "seed \(seed): \(world.failures.joined(separator: "\n"))")
      takeovers += world.takeovers
      acknowledged += world.acknowledged.values.reduce(0) { $0 + $1.count }
    }
    // The lives had something to live through.
    #expect(takeovers > 100)
    #expect(acknowledged > 1_000)
  }

  /// A header that is lost and taken again before a write of the time before is answered.
  @Test func nothingRemainsOfAWriteThatWasAbandoned() throws {
    let node = try #require(NodeName("a"))
    var ownership = Ownership(node: node, process: "1")
    var stored: [Cell: LastMessage] = [:]
    var late: UInt64?
    func perform(_ effect: Ownership.Effect, at now: MonotonicTime) {
      switch effect {
      case .put(let ticket, .log, let bytes, _) where LogRecord(bytes)?.steps.isEmpty == false: late = ticket
      case .put(let ticket, let cell, let bytes, let number):
        stored[cell] = LastMessage(number: number + 1, bytes: bytes)
        ownership.answered(ticket, .stored(number + 1), at: now)
      case .history(let ticket, let header):
        let (saved, tail) = (stored[.saved(header)] ?? LastMessage(), stored[.log(header)]?.number ?? 0)
        let history = History.reading(saved: saved, log: [], tail: tail, maxEpoch: .max).history
        ownership.answered(ticket, .history(history), at: now)
      case .restore(let header, _, _, let epoch): ownership.restored(header, epoch: epoch + 1, at: now)
      case .record(let header):
        ownership.snapshot(header, Array(#"{"description":{},"saved":{}}"#.utf8), at: now)
      case .last, .close, .owns, .lost, .refused, .acknowledged: break
      }
    }
    func pass(to now: MonotonicTime) {
      ownership.heard(LeaseRecord(node: node, process: "1", isServing: true), at: now)
      ownership.tick(at: now)
      while case let effects = ownership.takeEffects(), !effects.isEmpty {
        for effect in effects { perform(effect, at: now) }
      }
    }
    ownership.connected(at: 0)
    ownership.daemon(isThere: true, at: 0)
    ownership.opened("x", epoch: 7, at: 0)
    pass(to: 0)
    ownership.step("x", Array("{}".utf8), at: 0)
    ownership.flush("x", at: 0)
    pass(to: 0)
    let ticket = try #require(late)
    ownership.daemon(isThere: false, at: 0)
    ownership.daemon(isThere: true, at: 0)
    pass(to: 2_000_000_000)
    #expect(ownership.isOwned("x") && ownership.epoch(of: "x") != 7)
    ownership.answered(ticket, .unknown, at: 2_000_000_000)
    #expect(ownership.tickets.isEmpty)
  }

  /// Steps are dropped while a snapshot from before them is being saved: later steps wait for another snapshot.
  @Test func aSnapshotFromBeforeAHoleDoesNotEndIt() throws {
    let node = try #require(NodeName("a"))
    var settings = Ownership.Settings()
    settings.queueBytes = 1_000
    var ownership = Ownership(node: node, process: "1", settings: settings)
    var number: UInt64 = 0
    var open: [(cell: Cell, ticket: UInt64, steps: Int)] = []
    var recordings = 0
    func pass() {
      ownership.heard(LeaseRecord(node: node, process: "1", isServing: true), at: 0)
      ownership.tick(at: 0)
      while case let effects = ownership.takeEffects(), !effects.isEmpty {
        for effect in effects {
          switch effect {
          case .put(let ticket, .owner, _, _):
            number += 1
            ownership.answered(ticket, .stored(number), at: 0)
          case .put(let ticket, let cell, let bytes, _): open.append((cell, ticket, LogRecord(bytes)?.steps.count ?? 0))
          case .history(let ticket, _): ownership.answered(ticket, .history(History()), at: 0)
          case .record: recordings += 1
          case .last, .restore, .close, .owns, .lost, .refused, .acknowledged: break
          }
        }
      }
    }
    func answer() {
      number += 1
      ownership.answered(open.removeFirst().ticket, .stored(number), at: 0)
      pass()
    }
    let snapshot = Array(#"{"description":{},"saved":{}}"#.utf8)
    ownership.connected(at: 0)
    ownership.daemon(isThere: true, at: 0)
    ownership.opened("x", epoch: 7, at: 0)
    pass()
    answer()
    #expect(ownership.isBusy("x") && recordings == 1)
    ownership.snapshot("x", snapshot, at: 0)
    pass()
    #expect(open.map(\.cell) == [.saved("x")])
    for _ in 0..<11 { ownership.step("x", Array(repeating: 0x20, count: 100), at: 0) }
    pass()
    answer()
    #expect(recordings == 2)
    ownership.step("x", Array("{}".utf8), at: 0)
    ownership.flush("x", at: 0)
    pass()
    #expect(open.isEmpty, "steps behind the hole are in no log")
    ownership.snapshot("x", snapshot, at: 0)
    pass()
    answer()
    ownership.step("x", Array("{}".utf8), at: 0)
    ownership.flush("x", at: 0)
    pass()
    #expect(open.map(\.steps) == [1])
  }
}
