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
        let descriptor = try #require(try near.stream?.detach())
        far.write("two")
        far.happened = { if $0.drains == 2 { loop.stop() } }
        loop.run()
        let moved = End(try UnixStream(adopting: descriptor, on: second))
        moved.happened = { _ in second.stop() }
        second.run()
        #expect(moved.text == "two" && near.text == "one" && near.closings.isEmpty)
        moved.write("three")
        moved.happened = { _ in second.stop() }
        second.run()
        far.happened = { if $0.text == "three" { loop.stop() } }
        loop.run()
        #expect(far.text == "three" && far.closings.isEmpty)
        for end in [near, far, moved] { end.stream?.close() }
      }
      try second.close()
    }
  }

  /// Mail may be delivered without waiting for the loop, and is then not delivered again.
  @Test func mailIsDeliveredByHand() throws {
    try withLoop { loop in
      let mailbox = try Mailbox<Int>(on: loop)
      var got: [Int] = []
      mailbox.received = { got.append($0) }
      let isEmpty = !mailbox.deliver()
      #expect(isEmpty)
      mailbox.door.post(1)
      mailbox.door.post(2)
      let hadMail = mailbox.deliver()
      #expect(hadMail)
      #expect(got == [1, 2])
      mailbox.door.post(3)
      mailbox.received = { number in
        got.append(number)
        loop.stop()
      }
      loop.run()
      #expect(got == [1, 2, 3])
    }
  }
}
