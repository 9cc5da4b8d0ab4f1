// SPDX-License-Identifier: MIT
//
// Connections that leave with very much behind them: it is cleared away piece by piece, a bounded part in each turn, and
// nothing goes to them meanwhile. That the whole is linear is shown by `headerd-bench --growth`.

import Clocks
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct DisconnectCleanupTests {
  static let headers = 1_200

  /// A daemon with many headers that no plugin moves.
  private static func daemon(_ more: String = "") -> (TestDaemon, publisher: TestClient) {
    let daemon = TestDaemon { $0.limits.headers = 20_000 }
    let publisher = daemon.connect()
    for index in 0..<headers {
      publisher.send("{\"method\":\"header.open\",\"params\":{\"header\":\"h\(index)\"\(more)}}")
    }
    return (daemon, publisher)
  }

  /// How many headers still have a subscriber.
  private static func subscribed(_ client: TestClient) -> Int {
    let answer = client.send(#"{"id":1,"method":"header.list"}"#).first ?? ""
    return answer.components(of: "\"subscribers\":1")
  }

  @Test func aSubscriberToVeryMuchLeavesPieceByPiece() {
    let (daemon, publisher) = Self.daemon()
    let subscriber = daemon.connect()
    subscriber.send(#"{"method":"subscribe","params":{"headers":"**"}}"#)
    daemon.settle()
    #expect(Self.subscribed(publisher) == Self.headers)
    let quiet = daemon.service.nextWake
    #expect(quiet != daemon.clock)
    subscriber.hangUp()
    #expect(daemon.service.nextWake == daemon.clock)
    daemon.service.tick(at: daemon.clock)
    #expect(Self.subscribed(publisher) == 0)
    #expect(daemon.service.nextWake != daemon.clock)
  }

  @Test func nothingGoesToOneThatLeaves() {
    let (daemon, publisher) = Self.daemon()
    let (first, second) = (daemon.connect(), daemon.connect())
    for subscriber in [first, second] {
      subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    }
    daemon.settle()
    _ = (first.received(), second.received())
    for name in ["first", "last"] { publisher.send(TestDaemon.open(name)) }
    _ = (first.received(), second.received())
    first.hangUp()
    for name in ["first", "last"] { publisher.send(TestDaemon.scroll(name, 1, 20)) }
    #expect(first.received().isEmpty)
    #expect(second.received().count == 2)
  }

  @Test func headersThatEndWithTheirConnectionEndPieceByPiece() {
    let (daemon, publisher) = Self.daemon(",\"lifetime\":\"connection\"")
    let other = daemon.connect()
    publisher.hangUp()
    #expect(daemon.service.headerCount > 0)
    #expect(daemon.service.headerCount < Self.headers)
    while daemon.service.nextWake == daemon.clock { daemon.service.tick(at: daemon.clock) }
    #expect(daemon.service.headerCount == 0)
    #expect(other.send(#"{"id":1,"method":"ping"}"#).count == 1)
  }

  @Test func theOthersKeepTheirOrder() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let subscribers = (0..<40).map { _ in daemon.connect() }
    for subscriber in subscribers {
      subscriber.send(#"{"method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    }
    for (index, subscriber) in subscribers.enumerated() where index % 4 != 1 { subscriber.hangUp() }
    publisher.send(TestDaemon.scroll("main", 1.1, 40))
    for (index, subscriber) in subscribers.enumerated() {
      #expect(subscriber.received().isEmpty == (index % 4 != 1))
    }
    // A later one comes behind those that are left.
    let late = daemon.connect()
    late.send(#"{"method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    publisher.send(TestDaemon.scroll("main", 1.2, 41))
    #expect(late.received().count == 1)
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
