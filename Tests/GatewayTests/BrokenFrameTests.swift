// SPDX-License-Identifier: MIT
//
// Frames in pieces and frames that are broken: a conversation says the same however it is cut; whatever bytes come, the
// daemon answers or ends that one connection, and nobody else notices.

import Fanout
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct BrokenFrameTests {
  static var conversation: [UInt8] {
    let open = FrameBuilder.request(6, 1, Transcript.shy)
    let subscribe = FrameBuilder.request(7, 2, #"{"headers":"main","mode":"every"}"#)
    let scroll: Value = ["event": "didScroll", "time": 1, "offset": ["y": 12.5]]
    let layout: Value = ["event": "layout", "time": 2, "scrollView": "content", "contentInset": ["top": 10]]
    return FrameBuilder.opening + open + subscribe + FrameBuilder.event(scroll, id: 3)
      + FrameBuilder.events([scroll, layout], id: 4, handle: 1) + FrameBuilder.json(["id": 5, "method": "header.list"])
      + FrameBuilder.frame(77)
      + FrameBuilder.frame(9) {
        $0.u64(6)
        $0.u64(1)
      }
  }

  @Test func cutAtEveryByte() {
    func told(_ pieces: [[UInt8]]) -> [UInt8] {
      let daemon = TestDaemon()
      let client = daemon.connect()
      for piece in pieces { client.send(piece) }
      return client.transcript
    }
    let whole = Self.conversation
    let wanted = told([whole])
    #expect(!wanted.isEmpty)
    for cut in 1..<whole.count {
      #expect(told([Array(whole[..<cut]), Array(whole[cut...])]) == wanted, "cut at \(cut)")
    }
    #expect(told(whole.map { [$0] }) == wanted)
  }

  @Test(arguments: UInt64(0)..<4) func brokenBytesHurtNobodyElse(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon()
    let bystander = FrameClient(daemon)
    bystander.send(FrameBuilder.request(7, 1, #"{"headers":"quiet","mode":"every"}"#))
    // Far from handles that a broken byte may name: an event for this one would be no mistake.
    for _ in 1..<0x302 {
      daemon.publisher().send(#"{"method":"header.close","params":{"header":"main"}}"#)
    }
    let publisher = daemon.publisher("quiet")
    bystander.send([])
    var (ended, wentOn) = (0, 0)
    for round in 1...400 {
      var bytes = Self.conversation
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 4..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      let client = daemon.connect()
      client.send(bytes)
      if client.isClosed { ended += 1 } else { wentOn += 1 }
      client.hangUp()
      publisher.send(TestDaemon.scroll("quiet", Double(round), round % 2 == 0 ? 10 : 30))
      let states = bystander.received()
      #expect(states.count == 1 && states[0].at("params.seq") == .number(Double(1 + round)))
      publisher.send(#"{"method":"header.close","params":{"header":"main"}}"#)
      _ = publisher.received()
    }
    #expect(ended > 20 && wentOn > 20)
  }

  /// The events before it are done, and the answer says which one it is.
  @Test func anEventThatIsBrokenIsNamedByItsPlace() {
    let client = FrameClient(TestDaemon())
    client.client.send(FrameBuilder.request(6, 1, Transcript.shy))
    let scrolls = (1...3).map { ["event": "didScroll", "time": .number(Double($0)), "offset": ["y": 9]] as Value }
    var frame = FrameBuilder.events(scrolls, id: 2, handle: 1)
    // The second event's size, behind 32 bytes of the frame's own and 32 of the first event.
    frame[64] = 33
    let error = client.send(frame).first { $0.at("id") == 2 }?.at("error") ?? .null
    #expect(error.at("data.index") == 1, "\(error)")
    let state = client.send(FrameBuilder.json(["id": 3, "method": "header.get", "params": ["header": "main"]]))
    #expect(state.last?.at("result.state.time") == 1)
  }

  @Test func aRefusedConnectionIsToldInALine() {
    let daemon = TestDaemon { $0.limits.connections = 1 }
    let first = daemon.connect(.publish)
    let second = daemon.connect(.publish)
    #expect(second.received().first?.hasPrefix(#"{"jsonrpc":"2.0","method":"error""#) == true)
    #expect(second.isClosed && !first.isClosed)
  }

  @Test func halfAnOpeningIsNobodysGreeting() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send([0x89, 0x48])
    daemon.service.endOfInput(client.id)
    #expect(client.isClosed && client.transcript.isEmpty)
    #expect(daemon.log.lines.contains { $0.contains("unfinishedFrame") && $0.contains("bytes=2") })
  }

  /// As with lines: a client that asks and never reads stops itself.
  @Test func whoDoesNotReadIsNotHeard() {
    let daemon = TestDaemon { $0.limits.queueBytes = 1_000 }
    let client = FrameClient(daemon)
    client.client.stopReading()
    for id in 1...200 { client.client.send(FrameBuilder.frame(5) { $0.u64(id) }) }
    #expect(!daemon.service.wantsInput(client.client.id))
    #expect(client.client.pipe.queued.count < 1_100)
    client.client.resumeReading()
    #expect(client.received().map { Int($0.at("id").number) } == Array(1...200))
  }

  @Test func rolesHoldForFramesToo() {
    let daemon = TestDaemon()
    let client = FrameClient(daemon, .subscribe)
    for (kind, id) in [(6, 1), (7, 2)] {
      let answer = client.send(FrameBuilder.request(kind, id, #"{"headers":"**"}"#))
      #expect((answer[0].at("error.data.name") == "notPermitted") == (kind == 6))
    }
    #expect(
      client.send(FrameBuilder.event(["event": "willAppear"], id: 3, handle: 1))[0].at("error.data.name")
        == "notPermitted")
  }
}
