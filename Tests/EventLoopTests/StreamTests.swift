// SPDX-License-Identifier: MIT
//
// Streams: bytes arrive whole and in order, halves end one by one, slow readers are waited for, and a stream can be
// let go of in any state. Each test runs until its own last event, and `withLoop` checks that nothing is left.

import Clocks
import DaemonTestKit
import EventLoop
import Glibc
import Testing

@Suite struct StreamTests {
  @Test func echoes() throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      var server: End?
      let listener = try UnixListener(path: directory("echo"), on: loop)
      listener.accepted = { stream in
        let end = End(stream)
        end.happened = { end in
          end.stream?.write(end.bytes)
          end.bytes = []
        }
        server = end
      }
      let client = End(try UnixStream(connectingTo: directory("echo"), on: loop))
      client.write("written before the connection stands")
      client.happened = { if $0.bytes.count == 36 { loop.stop() } }
      loop.run()
      #expect(client.text == "written before the connection stands")
      let removed = listener.removeFile()
      #expect(removed)
      server?.happened = { _ in }
      server = nil
    }
  }

  @Test func theHalvesEndOneByOne() throws {
    try withLoop { loop in
      let (one, other) = try End.pair(on: loop)
      one.write("question")
      one.stream?.finish()
      #expect(one.stream?.write([1]) == false, "a finished stream takes no more")
      other.happened = { end in
        guard end.hasEnded, end.drains == 0 else { return }
        #expect(end.text == "question")
        end.write("answer")
        end.stream?.closeWhenWritten()
      }
      one.happened = { if $0.hasEnded { loop.stop() } }
      loop.run()
      #expect(one.text == "answer")
      #expect(other.closings == [nil])
      #expect(other.stream?.write([1]) == false)
    }
  }

  @Test func aPeerThatClosesIsNotOneThatEndsItsHalf() throws {
    try withLoop { loop in
      let (one, other) = try End.pair(on: loop)
      one.write("all")
      one.stream?.finish()
      other.happened = { end in
        if end.hasHungUp { return loop.stop() }
        if end.hasEnded, end.drains == 0 { end.write("an answer") }
      }
      one.happened = { end in
        if end.bytes.isEmpty { return }
        // Until here it was a half-close, over which an answer came.
        #expect(end.text == "an answer" && !other.hasHungUp)
        end.stream = nil
      }
      loop.run()
      #expect(other.hasHungUp && other.text == "all" && other.closings.isEmpty)
    }
  }

  @Test func aPeerThatClosesAtOnceIsNoticed() throws {
    try withLoop { loop in
      let (one, other) = try End.pair(on: loop)
      one.stream?.close()
      other.happened = { end in if end.hasHungUp { loop.stop() } }
      loop.run()
      #expect(other.hasEnded)
    }
  }

  /// What is watched for the peer's end keeps the loop, and goes with the stream.
  @Test func aHalfClosedStreamKeepsItsLoop() throws {
    try withLoop { loop in
      let (one, other) = try End.pair(on: loop)
      let (third, fourth) = try End.pair(on: loop)
      for end in [one, third] { end.stream?.finish() }
      other.happened = { _ in }
      fourth.happened = { end in
        // Let go of while it is watched: the descriptor is the next one's.
        if end.hasEnded { end.stream = nil }
      }
      let timer = Timer(on: loop)
      timer.fired = { one.stream = nil }
      timer.arm(at: loop.now + 20 * millisecond)
      other.happened = { end in if end.hasHungUp { loop.stop() } }
      loop.run()
      #expect(other.hasHungUp && !fourth.hasHungUp)
    }
  }

  @Test func finishingTwiceThenClosing() throws {
    try withLoop { loop in
      let (one, other) = try End.pair(on: loop)
      one.stream?.finish()
      one.stream?.finish()
      other.happened = { _ in one.stream?.closeWhenWritten() }
      one.happened = { _ in loop.stop() }
      loop.run()
      #expect(one.closings == [nil])
      #expect(other.hasEnded)
    }
  }

  @Test func aSlowReaderLosesNothing() throws {
    let sent = pattern(8 << 20)
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      reader.stream?.pauseReading()
      for start in stride(from: 0, to: sent.count, by: 1000) {
        writer.stream?.write(Array(sent[start..<min(start + 1000, sent.count)]))
      }
      // What the kernel does not take in the first turns is queued; then the reader wakes, and sleeps after each read.
      let queued = writer.stream?.queuedBytes ?? 0
      #expect(queued > 4 << 20)
      #expect(writer.drains == 0)
      let nap = Timer(on: loop)
      nap.fired = { reader.stream?.resumeReading() }
      nap.arm(at: loop.now + millisecond)
      reader.happened = { end in
        end.stream?.pauseReading()
        if end.bytes.count == sent.count { loop.stop() } else { nap.arm(at: loop.now) }
      }
      loop.run()
      #expect(reader.bytes == sent)
      #expect(writer.drains == 1)
      #expect(writer.stream?.queuedBytes == 0)
      // The reader knows the timer and the timer knows the reader.
      nap.fired = nil
    }
  }

  @Test func aDrainedWriterMayGoOnForever() throws {
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      writer.happened = { $0.write("more") }
      writer.write("some")
      reader.happened = { if $0.bytes.count > 100_000 { loop.stop() } }
      loop.run()
      #expect(reader.text.hasPrefix("somemoremore"))
    }
  }

  @Test func manySmallWritesOfATurnAreOneCall() throws {
    let sent = pattern(5000 * 8)
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      for piece in 0..<5000 { writer.stream?.write(Array(sent[piece * 8..<piece * 8 + 8])) }
      #expect(writer.stream?.queuedBytes == sent.count)
      reader.happened = { if $0.bytes.count == sent.count { loop.stop() } }
      loop.run()
      #expect(reader.bytes == sent)
      #expect(loop.counters.writes == 1)
      #expect(writer.drains == 1)
    }
  }

  @Test func bytesAreMadeInPlace() throws {
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      writer.stream?.write([1, 2, 3, 4, 5])
      writer.stream?.write([6])
      reader.happened = { _ in loop.stop() }
      loop.run()
      #expect(reader.bytes == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func workAtTheEndOfATurnGoesOutWithIt() throws {
    try withLoop { loop in
      let (writer, reader) = try End.pair(on: loop)
      loop.atEndOfTurn = { [unowned loop] in
        writer.write("end of turn")
        loop.atEndOfTurn = nil
      }
      reader.happened = { _ in loop.stop() }
      loop.run()
      #expect(reader.text == "end of turn")
      #expect(loop.counters.turns >= 1)
    }
  }

  @Test func outputIsWrittenEvenIfNothingElseKeepsTheLoopRunning() throws {
    let (one, other) = try descriptorPair()
    defer { _ = close(other) }
    try withLoop { loop in
      let stream = try UnixStream(adopting: one, on: loop)
      stream.write([7, 8, 9])
      let stop = Timer(on: loop)
      stop.fired = { loop.stop() }
      stop.arm(at: loop.now)
      loop.run()
      var bytes = [UInt8](repeating: 0, count: 10)
      #expect(unsafe read(other, &bytes, 10) == 3)
      #expect(bytes[..<3] == [7, 8, 9])
    }
  }

  // MARK: - Going away

  @Test func aPeerThatIsGoneIsAnError() throws {
    let (one, other) = try descriptorPair()
    _ = close(other)
    try withLoop { loop in
      let end = End(try UnixStream(adopting: one, on: loop))
      end.stream?.pauseReading()
      end.write("into the void")
      end.happened = { _ in loop.stop() }
      loop.run()
      #expect(end.closings.first??.name == "EPIPE")
      #expect(end.closings.first??.call == "write")
      #expect(end.stream?.write([1]) == false)
    }
  }

  @Test func nobodyListens() throws {
    try withLoop { loop in
      let directory = try TemporaryFolder()
      let end = End(try UnixStream(connectingTo: directory("nobody"), on: loop))
      end.write("hello")
      end.happened = { _ in loop.stop() }
      loop.run()
      #expect(end.closings.map { $0?.name } == ["ENOENT"])
    }
  }

  /// A state in which a stream is let go of.
  enum Moment: CaseIterable {
    case new, connecting, reading, withPendingOutput, withOutputInFlight, finishing, shuttingDown
    case inReceived, inEnded, inDrained, inClosed
  }

  @Test(arguments: Moment.allCases, [true, false])
  func canBeLetGoOf(in moment: Moment, byClosing: Bool) throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      let listener = try UnixListener(path: directory("s"), on: loop)
      var (one, other): (End?, End?) = (nil, nil)
      func drop() {
        if byClosing { one?.stream?.close() } else { one?.stream = nil }
      }
      if moment == .connecting {
        one = End(try UnixStream(connectingTo: directory("s"), on: loop))
      } else {
        let (left, right) = try End.pair(on: loop)
        (one, other) = (left, right)
      }
      var toldAfterwards = false
      func dropNow() {
        drop()
        one?.happened = { _ in toldAfterwards = true }
      }
      let later = Timer(on: loop)
      switch moment {
      case .new, .connecting: dropNow()
      case .reading:
        later.fired = { dropNow() }
      case .withPendingOutput:
        one?.write("never sent")
        dropNow()
      case .withOutputInFlight, .finishing:
        other?.stream?.pauseReading()
        one?.stream?.write([UInt8](repeating: 1, count: 4 << 20))
        if moment == .finishing { one?.stream?.closeWhenWritten() }
        later.fired = { dropNow() }
      case .shuttingDown:
        one?.stream?.finish()
        later.fired = { dropNow() }
      case .inReceived, .inEnded:
        other?.write("x")
        one?.happened = { end in
          if moment == .inReceived || end.hasEnded { dropNow() }
        }
        if moment == .inEnded { other?.stream?.finish() }
      case .inDrained:
        one?.write("x")
        one?.happened = { _ in dropNow() }
      case .inClosed:
        one?.stream?.closeWhenWritten()
        one?.happened = { _ in dropNow() }
      }
      let end = Timer(on: loop)
      end.fired = { loop.stop() }
      later.arm(at: loop.now + millisecond)
      end.arm(at: loop.now + 3 * millisecond)
      loop.run()
      #expect(!toldAfterwards)
      (one, other) = (nil, nil)
      withExtendedLifetime(listener.path) {}
    }
  }

  @Test func theOwnerMayGoInsideACallback() throws {
    try withLoop { loop in
      let (left, right) = try End.pair(on: loop)
      var one: End? = left
      let weakly = Weak(left)
      left.happened = { _ in one = nil }
      right.write("x")
      right.happened = { if $0.hasEnded { loop.stop() } }
      _ = consume left
      loop.run()
      #expect(one == nil)
      #expect(weakly.object == nil)
    }
  }

  @Test func knowsItsPeer() throws {
    try withLoop { loop in
      let (one, _) = try End.pair(on: loop)
      let peer = try one.stream?.peer()
      var groups = [UInt32](repeating: 0, count: 65_536)
      let count = unsafe getgroups(Int32(groups.count), &groups)
      #expect(peer?.pid == getpid() && peer?.uid == getuid() && peer?.gid == getgid())
      #expect(peer?.groups.sorted() == groups.prefix(Int(count)).sorted())
    }
  }

  @Test func aThousandConnectionsLeaveNothing() throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      var (servers, clients, opened): ([End], [End], Int) = ([], [], 0)
      let listener = try UnixListener(path: directory("many"), on: loop)
      func connect() {
        do {
          let client = End(try UnixStream(connectingTo: directory("many"), on: loop))
          client.write("hello")
          clients.append(client)
        } catch {
          Issue.record(error)
        }
      }
      listener.accepted = { stream in
        opened += 1
        let server = End(stream)
        servers.append(server)
        // Every third is dropped at once, the others when they have been heard.
        if opened % 3 == 0 { server.stream = nil }
        server.happened = { if $0.text == "hello" { $0.stream?.closeWhenWritten() } }
        if opened == 1000 { loop.stop() }
        if opened <= 900 { connect() }
      }
      for _ in 0..<100 { connect() }
      loop.run()
      #expect(opened == 1000)
    }
  }
}
