// SPDX-License-Identifier: MIT

import Clocks
import EventLoop
import Glibc
import Testing

/// Streams that are lent the same bytes, turn by turn.
private final class Broadcast {
  let loop: Loop
  let pairs: [(writer: End, reader: End)]
  /// What each reader must have got.
  private(set) var sent: [[UInt8]]
  private let timer: Timer
  private var turns: [(streams: Int, size: Int)]
  /// Called before a turn, with its number.
  var before: (Int) -> Void = { _ in }
  private var turn = 0
  private var lender: Lender?

  init(_ turns: [(streams: Int, size: Int)], on loop: Loop) throws {
    self.loop = loop
    self.turns = turns
    pairs = try (0..<(turns.map(\.streams).max() ?? 0)).map { _ in try End.pair(on: loop) }
    sent = pairs.map { _ in [] }
    timer = Timer(on: loop)
    timer.fired = { [unowned self] in next() }
    timer.arm(at: loop.now)
  }

  /// What was lent is somebody else's once the turn is over.
  private func next() {
    lender?.spoil()
    if turns.isEmpty { return timer.fired = nil }
    let (streams, size) = turns.removeFirst()
    before(turn)
    turn += 1
    let bytes = pattern(size).map { $0 &+ UInt8(truncatingIfNeeded: turn) }
    let lender = Lender(bytes)
    self.lender = lender
    for index in 0..<streams {
      lender.lend(0..<size, to: pairs[index].writer)
      sent[index] += bytes
    }
    timer.arm(at: loop.now + millisecond)
  }

  /// Runs until everybody has everything.
  func run() {
    for (_, reader) in pairs {
      reader.happened = { [unowned self] _ in
        if turns.isEmpty, pairs.indices.allSatisfy({ pairs[$0].reader.bytes.count == sent[$0].count }) { loop.stop() }
      }
    }
    loop.run()
    for (_, reader) in pairs { reader.happened = { _ in } }
  }
}

@Suite struct SpliceFanoutTests {
  @Test func whatManyWriteIsCopiedOnce() throws {
    try withLoop { loop in
      let broadcast = try Broadcast(
        [(5, 20_000), (5, 20_000), (5, 16_384), (5, 60_001), (5, 65_536)], on: loop)
      broadcast.run()
      #expect(broadcast.pairs.map(\.reader.bytes) == broadcast.sent)
      // All but those of the first turn, of which nothing was known.
      #expect(loop.counters.sharedWrites == 20)
    }
  }

  @Test func littleAndMuchAndForFewIsCopied() throws {
    try withLoop { loop in
      let broadcast = try Broadcast(
        [(5, 16_383), (5, 16_383), (5, 65_537), (5, 65_537), (2, 30_000), (2, 30_000)], on: loop)
      broadcast.run()
      #expect(broadcast.pairs.map(\.reader.bytes) == broadcast.sent)
      #expect(loop.counters.sharedWrites == 2)  // The two that follow the five.
    }
  }

  /// Fewer than were expected, more, and one alone.
  @Test func aWrongGuessLosesNothing() throws {
    try withLoop { loop in
      let broadcast = try Broadcast(
        [(6, 30_000), (3, 30_000), (3, 30_000), (6, 30_000), (1, 30_000), (4, 30_000), (4, 30_000), (6, 30_000)],
        on: loop)
      broadcast.run()
      #expect(broadcast.pairs.map(\.reader.bytes) == broadcast.sent)
    }
  }

  /// It keeps what it does not take for itself; nobody waits for it.
  @Test func oneWhoDoesNotReadGetsItLater() throws {
    try withLoop { loop in
      // So little that a pipe has room for what was left in it and for more.
      let broadcast = try Broadcast(Array(repeating: (4, 20_000), count: 60), on: loop)
      // Of the four the second, and later the last, which takes the original.
      broadcast.before = { turn in
        switch turn {
        case 2: broadcast.pairs[1].reader.stream?.pauseReading()
        case 30:
          #expect(broadcast.pairs[1].writer.stream?.queuedBytes ?? 0 > 20_000)
          // What was lent in the turn before may be on its way: a timer that is due comes before what can be read.
          #expect(broadcast.pairs[0].reader.bytes.count >= 29 * 20_000)
          broadcast.pairs[1].reader.stream?.resumeReading()
          broadcast.pairs[3].reader.stream?.pauseReading()
        case 57: broadcast.pairs[3].reader.stream?.resumeReading()
        default: break
        }
      }
      broadcast.run()
      #expect(broadcast.pairs.map(\.reader.bytes) == broadcast.sent)
      broadcast.before = { _ in }
    }
  }

  @Test func oneWhoIsGoneIsToldOf() throws {
    try withLoop { loop in
      let broadcast = try Broadcast(Array(repeating: (4, 60_000), count: 6), on: loop)
      broadcast.before = { turn in
        if turn == 3 { broadcast.pairs[2].reader.stream?.close() }
        if turn == 5 { loop.stop() }
      }
      loop.run()
      let gone = broadcast.pairs[2].writer
      #expect(gone.closings.map { $0?.code } == [-EPIPE])
      for index in [0, 1, 3] {
        #expect(broadcast.pairs[index].reader.bytes == Array(broadcast.sent[index].dropLast(60_000)))
      }
      broadcast.before = { _ in }
    }
  }
}
