// SPDX-License-Identifier: MIT

import Clocks
import EventLoop
import Testing

@Suite struct LentTests {
  @Test func whatLiesInARowIsOneCallToEachOfThoseWhoGetIt() throws {
    let sent = pattern(300)
    try withLoop { loop in
      let lender = Lender(sent)
      let pairs = try (0..<3).map { _ in try End.pair(on: loop) }
      for start in stride(from: 0, to: 300, by: 100) {
        for (writer, _) in pairs { lender.lend(start..<start + 100, to: writer) }
      }
      for (writer, reader) in pairs {
        #expect(writer.stream?.queuedBytes == 300)
        reader.happened = { _ in if pairs.allSatisfy({ $0.1.bytes.count == 300 }) { loop.stop() } }
      }
      loop.run()
      for (writer, reader) in pairs {
        #expect(reader.bytes == sent)
        #expect(writer.drains == 1)
        // It knows them all.
        reader.happened = { _ in }
      }
      #expect(loop.counters.writes == 3)
    }
  }

  @Test func whatLiesElsewhereKeepsItsPlaceInTheOrder() throws {
    let sent = pattern(400)
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      let (one, other) = (Lender(sent), Lender(sent))
      one.lend(0..<50, to: writer)
      one.lend(50..<100, to: writer)
      // Not behind it, of another lender, the stream's own, and lent again with that before it.
      one.lend(300..<350, to: writer)
      other.lend(0..<10, to: writer)
      writer.stream?.write(Array(sent[10..<20]))
      other.lend(20..<30, to: writer)
      let whole = Array(sent[0..<100] + sent[300..<350] + sent[0..<30])
      reader.happened = { if $0.bytes.count == whole.count { loop.stop() } }
      loop.run()
      #expect(reader.bytes == whole)
    }
  }

  @Test func afterTheTurnTheMemoryIsItsOwnersAgain() throws {
    let sent = pattern(4 << 20)
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      reader.stream?.pauseReading()
      var lender: Lender? = Lender(sent)
      let trace = Weak(try #require(lender))
      // In pieces, so that some go to the kernel early; it cannot take them all.
      for start in stride(from: 0, to: sent.count, by: 40_000) {
        lender?.lend(start..<min(start + 40_000, sent.count), to: writer)
      }
      let timer = Timer(on: loop)
      timer.fired = {
        #expect(writer.drains == 0)
        lender?.spoil()
        lender = nil
        #expect(trace.object == nil)
        reader.stream?.resumeReading()
      }
      timer.arm(at: loop.now + millisecond)
      reader.happened = { if $0.bytes.count == sent.count { loop.stop() } }
      loop.run()
      #expect(reader.bytes == sent)
      timer.fired = nil
    }
  }

  @Test(arguments: [true, false])
  func anOfferIsRefusedOnceTheQueueWouldBeLongerThanItMay(isLent: Bool) throws {
    let sent = pattern(300_000)
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      let lender = Lender(sent)
      func offer(_ range: Range<Int>, within bound: Int) -> Bool {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: lender.memory[range])
        return writer.stream?.offer(unsafe bytes.bytes, lentBy: isLent ? lender : nil, within: bound) ?? false
      }
      // What is larger than the bound finds room in an empty queue alone.
      #expect(offer(0..<100, within: 50))
      #expect(!offer(100..<101, within: 50))
      #expect(offer(100..<200, within: 200))
      #expect(!offer(200..<201, within: 200))
      #expect(writer.stream?.queuedBytes == 200)
      // Not behind it, and so much that it goes out early.
      #expect(offer(250..<300, within: 250))
      #expect(offer(300..<300_000, within: 1 << 20))
      let whole = Array(sent[0..<200] + sent[250...])
      reader.happened = { if $0.bytes.count == whole.count { loop.stop() } }
      loop.run()
      #expect(reader.bytes == whole)
      writer.stream?.close()
      #expect(!(writer.stream?.write(sent) ?? true))
      // Dropped as what is written: nothing was lost for lack of room.
      #expect(offer(0..<100, within: 50))
      reader.happened = { _ in loop.stop() }
      loop.run()
      #expect(reader.bytes == whole)
    }
  }

  @Test func aClosedStreamHoldsNobodysMemory() throws {
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      var lender: Lender? = Lender(pattern(100))
      let trace = Weak(try #require(lender))
      lender?.lend(0..<100, to: writer)
      lender = nil
      #expect(trace.object != nil)
      writer.stream?.close()
      #expect(trace.object == nil)
      reader.happened = { _ in loop.stop() }
      loop.run()
      #expect(reader.bytes.isEmpty && reader.hasEnded)
    }
  }
}
