// SPDX-License-Identifier: MIT
//
// Subscriptions to very many headers, and very many subscriptions: neither holds up anybody else.

import Clocks
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct ManySubscriptionsTests {
  private static let headers = 1_500

  /// A daemon with many headers that move.
  private static func daemon() -> (TestDaemon, publisher: TestClient) {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    for index in 0..<headers { publisher.send(TestDaemon.open("h\(index)")) }
    return (daemon, publisher)
  }

  private static func snapshots(_ client: TestClient) -> [Value] {
    client.received().map { tree($0).at("params") }.filter { $0.at("snapshot") == .bool(true) }
  }

  /// A turn has a bounded part of the snapshots, whoever asks for how many, and others are answered in between.
  @Test func snapshotsComeInPortions() {
    let (daemon, publisher) = Self.daemon()
    let subscribers = (0..<5).map { _ in daemon.connect() }
    for subscriber in subscribers {
      let lines = subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#)
      #expect(lines.first.map { tree($0).at("result.matched") } == .number(Double(Self.headers)))
    }
    var counts = subscribers.map { Self.snapshots($0).count }
    var turns = 0
    while daemon.service.nextWake == daemon.clock {
      daemon.service.tick(at: daemon.clock)
      let more = subscribers.map { Self.snapshots($0).count }
      #expect(more.reduce(0, +) <= 1_100)
      #expect(publisher.send(#"{"id":2,"method":"ping"}"#).count == 1)
      // Each gets its part.
      for (index, count) in more.enumerated() { counts[index] += count }
      if turns == 0 { #expect(counts.allSatisfy { $0 > 0 }) }
      turns += 1
    }
    #expect(counts == [Int](repeating: Self.headers, count: 5) && turns > 5)
  }

  /// What happens to a header before its turn is in its snapshot, and nowhere else; closed ones are left out, new ones begin at once.
  @Test func eachIsAsItIsWhenItsTurnComes() {
    let (daemon, publisher) = Self.daemon()
    let subscriber = daemon.connect()
    subscriber.send(#"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    _ = subscriber.received()
    publisher.send(TestDaemon.scroll("h1499", 1, 30))
    publisher.send(#"{"method":"header.close","params":{"header":"h1498"}}"#)
    publisher.send(TestDaemon.open("new"))
    let early = subscriber.received().map { tree($0).at("params") }
    #expect(early.map { $0.at("header").text } == ["new"])
    daemon.settle()
    let states = subscriber.received().map { tree($0).at("params") }
    #expect(states.count == Self.headers - 1)
    #expect(states.last?.at("header") == .text("h1499") && states.last?.at("seq") == 2)
    #expect(!states.contains { $0.at("header") == .text("h1498") })
    publisher.send(TestDaemon.scroll("h1499", 2, 40))
    #expect(subscriber.received().map { tree($0).at("params.seq") } == [3])
  }

  /// A ping is answered behind the snapshots of what was subscribed to before it.
  @Test func aPingWaitsForThem() {
    let (daemon, _) = Self.daemon()
    let (first, second) = (daemon.connect(), daemon.connect())
    for client in [first, second] { client.send(#"{"method":"subscribe","params":{"headers":"**"}}"#) }
    let lines = second.send(#"{"id":1,"method":"ping"}"#)
    #expect(lines.count == Self.headers + 1 && lines.last?.contains(#""id":1"#) == true)
    #expect(first.received().isEmpty)
    daemon.settle()
    #expect(first.received().count == Self.headers && second.received().isEmpty)
  }

  /// Whoever unsubscribes or leaves in the middle gets nothing more, and few headers wait for nobody.
  @Test func whoEndsInTheMiddleGetsNoMore() {
    let (daemon, _) = Self.daemon()
    let (first, second, third) = (daemon.connect(), daemon.connect(), daemon.connect())
    for client in [first, second] { client.send(#"{"method":"subscribe","params":{"headers":"**"}}"#) }
    _ = first.send(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"#)
    second.hangUp()
    #expect(third.send(#"{"id":1,"method":"subscribe","params":{"headers":"h77*"}}"#).count > 1)
    daemon.settle()
    #expect(first.received().isEmpty && second.received().isEmpty)
    #expect(daemon.service.nextWake != daemon.clock)
  }

  /// A header finds the subscriptions whose globs match it, as if all were looked at.
  @Test func globsAreFoundByTheirBeginnings() {
    let daemon = TestDaemon()
    var random = SplitMix64(seed: 33)
    let parts = ["a", "b", "ab", "*", "**", "a*", "*b"]
    func text(_ parts: [String]) -> String {
      (0...random.below(4)).map { _ in parts[random.below(parts.count)] }.joined(separator: ".")
    }
    let clients = (0..<200).map { _ in
      let globs = Set((0...random.below(3)).map { _ in text(parts) }.filter(Names.isGlob))
      let client = daemon.connect()
      let list = globs.sorted().map { "\"\($0)\"" }.joined(separator: ",")
      client.send("{\"method\":\"subscribe\",\"params\":{\"headers\":[\(list)]}}")
      _ = client.received()
      return (client, globs)
    }
    let publisher = daemon.connect()
    var (matched, names) = (0, Set<String>())
    while names.count < 40 { names.insert(text(["a", "b", "ab"])) }
    for name in names.sorted() {
      publisher.send("{\"method\":\"header.open\",\"params\":{\"header\":\"\(name)\"}}")
      for (client, globs) in clients {
        let isWanted = globs.contains { Names.glob($0, matches: name) }
        #expect(client.received().count == (isWanted ? 1 : 0), "\(name) \(globs)")
        matched += isWanted ? 1 : 0
      }
    }
    #expect(matched > 1_000)
  }
}
