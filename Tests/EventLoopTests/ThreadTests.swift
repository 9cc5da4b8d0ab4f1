// SPDX-License-Identifier: MIT
//
// More than one loop: one on a thread of its own, a connection that goes from one to the other, mail that is delivered by
// hand.

import EventLoop
import Testing

@Suite struct ThreadTests {
  /// A loop that another thread runs gets mail, answers it, and ends when it is told to.
  @Test func aLoopRunsOnAThreadOfItsOwn() throws {
    try withLoop { loop in
      let answers = try Mailbox<Int>(on: loop)
      let other = try Loop()
      do {
        let questions = try Mailbox<Int>(on: other)
        let back = answers.door
        questions.received = { number in
          if number == 0 { other.stop() } else { back.post(number * number) }
        }
        let door = questions.door
        var got: [Int] = []
        answers.received = { number in
          got.append(number)
          if got.count == 100 { loop.stop() }
        }
        let runner = try LoopRunner(other)
        for number in 1...100 { door.post(number) }
        loop.run()
        door.post(0)
        runner.wait()
        #expect(got == (1...100).map { $0 * $0 })
      }
      try other.close()
    }
  }

  /// A connection that is detached goes on at another loop as if nothing had happened, with what was not read yet.
  @Test func aConnectionMoves() throws {
    try withLoop { loop in
      let second = try Loop()
      do {
        let (near, far) = try End.pair(on: loop)
        near.happened = { if $0.text == "one" { loop.stop() } }
        far.write("one")
        loop.run()
        near.stream?.pauseReading()
        near.write("unsent ")
        let socket = try #require(try near.stream?.detach())
        #expect(String(decoding: socket.unsent, as: UTF8.self) == "unsent ")
        far.write("two")
        far.happened = { if $0.drains == 2 { loop.stop() } }
        loop.run()
        let moved = End(try UnixStream(adopting: socket.descriptor, on: second))
        moved.happened = { _ in second.stop() }
        second.run()
        #expect(moved.text == "two" && near.text == "one" && near.closings.isEmpty)
        moved.stream?.write(socket.unsent)
        moved.write("three")
        moved.happened = { _ in second.stop() }
        second.run()
        far.happened = { if $0.text == "unsent three" { loop.stop() } }
        loop.run()
        #expect(far.text == "unsent three" && far.closings.isEmpty)
        for end in [near, far, moved] { end.stream?.close() }
      }
      try second.close()
    }
  }
}
