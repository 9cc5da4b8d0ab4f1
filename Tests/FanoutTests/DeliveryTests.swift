// SPDX-License-Identifier: MIT
//
// Bytes in any pieces mean the same; lines that never end are nobody's; a connection's end is its own affair.

import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct DeliveryTests {
  private static var conversation: [UInt8] {
    let lines = [
      #"{"id":1,"method":"hello","params":{"protocol":1}}"#, TestDaemon.open("main"),
      #"{"id":2,"method":"subscribe","params":{"headers":"**","mode":"every","include":["routine","calls"]}}"#,
      #"{"id":"é\n","method":"ping"}"#, "", "   ", TestDaemon.scroll("main", 1, 12.5), TestDaemon.scroll("main", 2, 44),
      #"{"id":3,"method":"event","params":{"event":"willEndDragging","time":3,"velocity":{"y":1}}}"#, "{broken", "[1]",
      #"{"method":"evnt"}"#,
      #"{"id":4,"method":"header.get","params":{"header":"main","include":["description","saved"]}}"#,
      #"{"id":5,"method":"event","params":{"header":"main","event":"didScroll","time":4,"offset":{"y":1e999}}}"#,
      #"{"id":6,"method":"header.call","params":{"header":"main","name":"expand"}}"#,
      #"{"id":7,"method":"unsubscribe","params":{"subscription":1}}"#, TestDaemon.scroll("main", 500, 20),
      #"{"id":8,"method":"header.list"}"#,
    ]
    return Array(lines.joined(separator: "\r\n").utf8) + [10]
  }

  private func play(_ pieces: [[UInt8]]) -> [UInt8] {
    let client = TestDaemon().connect()
    for piece in pieces { client.send(piece) }
    return client.transcript
  }

  @Test func onePieceOrByteByByteOrCutAnywhere() {
    let bytes = Self.conversation
    let whole = play([bytes])
    #expect(whole.count > 3000)
    #expect(play(bytes.map { [$0] }) == whole)
    for cut in stride(from: 1, to: bytes.count, by: 7) {
      #expect(play([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
    }
  }

  @Test func deathInTheMiddleOfALine() {
    let daemon = TestDaemon()
    let other = daemon.publisher()
    let client = daemon.connect()
    client.send(Array(#"{"id":1,"method":"header.close","params":{"header":"main"}}"#.utf8))
    #expect(client.received().isEmpty)
    client.hangUp()
    #expect(daemon.service.connectionCount == 1)
    #expect(daemon.service.headerCount == 1)
    #expect(daemon.log.lines == ["warning unfinishedLine connection=2 peer=test bytes=59"])
    #expect(other.send(#"{"id":1,"method":"ping"}"#).results.count == 1)
  }

  /// Whom the daemon has sent away may leave in the middle of a line: that is no news.
  @Test func deathInTheMiddleOfALineAfterTheEnd() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(Array(#"{"id":1,"method":"#.utf8))
    daemon.service.drain()
    #expect(client.received().notifications("bye").count == 1)
    client.hangUp()
    #expect(daemon.service.connectionCount == 0)
    #expect(daemon.log.lines.isEmpty, "\(daemon.log.lines)")
  }

  @Test func aClosedWritingHalfStillGetsItsAnswers() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let lines = client.send(#"{"id":1,"method":"ping"}"#)
    daemon.service.endOfInput(client.id)
    #expect(lines.results.count == 1)
    #expect(client.isClosed)
  }

  @Test func aClosedWritingHalfWithASubscriptionGoesOn() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"*"}}"#)
    daemon.service.endOfInput(client.id)
    #expect(!client.isClosed)
    publisher.send(TestDaemon.scroll("main", 1, 1))
    #expect(client.received().seqs == [2])
  }

  @Test func aClosedWritingHalfWithInputThatWaits() {
    let daemon = TestDaemon { $0.limits.queueBytes = 100 }
    let client = daemon.connect()
    client.stopReading()
    client.send(Array(String(repeating: "{\"id\":1,\"method\":\"ping\"}\n", count: 20).utf8))
    daemon.service.endOfInput(client.id)
    #expect(!client.isClosed)
    var rounds = 0
    while !client.isClosed, rounds < 100 {
      client.takeOnce()
      rounds += 1
    }
    client.takeOnce()
    #expect(client.received().results.count == 20)
  }

  @Test func badInputTouchesNobodyElse() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let subscriber = daemon.connect()
    subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"*","mode":"every"}}"#)
    var random = SplitMix64(seed: 7)
    for step in 1...200 {
      let bad = daemon.connect()
      bad.send((0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
      var mutated = Array(TestDaemon.scroll("main", 1, 1).utf8) + [10]
      mutated[Int.random(in: 1..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      let line = daemon.connect()
      if step % 2 == 0 {
        mutated = Array(String(decoding: mutated, as: UTF8.self).replacing("main", with: "none").utf8)
      }
      if step % 2 == 0 { line.send(mutated) }
      bad.hangUp()
      line.hangUp()
      publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40) + 0.5))
    }
    #expect(subscriber.received().seqs == Array(2...201))
    #expect(daemon.service.connectionCount == 2)
  }
}
