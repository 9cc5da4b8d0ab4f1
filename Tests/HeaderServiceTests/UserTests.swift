// SPDX-License-Identifier: MIT
//
// Accounts of users: what each takes is counted and given back, who takes too much is refused with the numbers, and nobody else
// notices. Roles for some headers: nobody hears of others.

import Fanout
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

extension Peer {
  /// A user with every role but admin.
  fileprivate static func user(_ number: UInt32, _ quotas: [Quota: Int] = [:]) -> Peer {
    var peer = Peer(name: "uid=\(number)", user: number, access: Access([.publish, .subscribe, .tune]))
    for (quota, amount) in quotas { peer.quotas[quota] = amount }
    return peer
  }
}

extension TestDaemon {
  /// What an administrator sees of a user; null when there is nothing.
  fileprivate func row(_ user: UInt32, seenBy admin: TestClient) -> Value {
    let users = admin.send(#"{"id":1,"method":"stats"}"#).results[0].at("users").list
    return users.first { $0.at("user") == .number(Double(user)) } ?? .null
  }
}

@Suite struct QuotaTests {
  private let every = #"{"id":1,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#

  @Test func whatIsTakenIsGivenBack() {
    let daemon = TestDaemon()
    let admin = daemon.connect()
    let quotas: [Quota: Int] = [.connections: 9, .headers: 9, .subscriptions: 9, .queueBytes: 300_000]
    let publisher = daemon.connect(.user(1000, quotas))
    for name in ["a", "b", "c"] { publisher.send(TestDaemon.open(name)) }
    publisher.send(TestDaemon.open("a", #","ifExists":"replace","frameRate":30"#))
    let connection = daemon.connect(.user(1000, quotas))
    connection.send(TestDaemon.open("d", #","lifetime":"connection""#))
    connection.send(every)
    connection.send(#"{"id":2,"method":"subscribe","params":{"headers":["a","x"]}}"#)
    connection.send(#"{"id":3,"method":"unsubscribe","params":{"subscription":2}}"#)
    connection.send(
      Array((#"{"id":4,"method":"header.open","params":{"header":""# + String(repeating: "x", count: 50_000)).utf8))
    connection.stopReading()
    for step in 1...300 { publisher.send(TestDaemon.scroll("b", Double(step), Double(step % 40))) }
    let row = daemon.row(1000, seenBy: admin)
    #expect(row.at("used.connections") == 2 && row.at("used.headers") == 4 && row.at("used.subscriptions") == 1)
    #expect(row.at("used.events") == 300 && row.at("used.queueBytes").number > 32_768)
    #expect(row.at("used.memoryBytes").number > row.at("used.queueBytes").number + 50_000)
    #expect(row.at("allowed.headers") == 9 && row.at("allowed.memoryBytes") == .null)
    connection.hangUp()
    let after = daemon.row(1000, seenBy: admin)
    #expect(after.at("used.connections") == 1 && after.at("used.headers") == 3)
    #expect(after.at("used.subscriptions") == 0 && after.at("used.queueBytes") == 0)
    publisher.hangUp()
    // The headers are still the user's.
    #expect(daemon.row(1000, seenBy: admin).at("used.headers") == 3)
    for name in ["a", "b", "c"] { admin.send(#"{"id":1,"method":"header.close","params":{"header":"\#(name)"}}"#) }
    #expect(daemon.row(1000, seenBy: admin) == .null)
    let own = daemon.row(0, seenBy: admin)
    #expect(own.at("used.connections") == 1 && own.at("used.memoryBytes").number == 1024)
  }

  /// The reader that drains its queue may have a long one again.
  @Test func whoReadsAgainIsCountedNoMore() {
    let daemon = TestDaemon()
    let admin = daemon.publisher()
    let reader = daemon.connect(.user(1000))
    reader.send(every)
    reader.stopReading()
    for step in 1...300 { admin.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    #expect(daemon.row(1000, seenBy: admin).at("used.queueBytes").number > 32_768)
    reader.resumeReading()
    #expect(daemon.row(1000, seenBy: admin).at("used.queueBytes") == 0)
  }

  /// Ten readers of one user stop. Together they keep what the user may have and a short queue each; another user's reader has its
  /// own long queue all the same.
  @Test func slowReadersOfOneUserShareABound() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let stalled = (0..<10).map { _ in daemon.connect(.user(1000, [.queueBytes: 400_000])) }
    let other = daemon.connect(.user(1001, [.queueBytes: 2_000_000]))
    for reader in stalled + [other] {
      reader.send(every)
      reader.stopReading()
    }
    for step in 1...3_000 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step % 40))) }
    let queued = stalled.reduce(0) { $0 + $1.pipe.maxQueued }
    #expect(queued <= 400_000 + 10 * (65_536 + 2 * 16_384), "\(queued)")
    #expect(other.pipe.maxQueued > 900_000)
    let errors = stalled.filter { reader in
      reader.resumeReading()
      return reader.received().notifications("error").contains {
        $0.at("params.data.limit.name") == "queueBytes" && $0.at("params.data.limit.user") == 1000
          && $0.at("params.data.limit.used").number > 400_000
      }
    }
    #expect(!errors.isEmpty)
    #expect(daemon.log.lines.contains { $0.contains("quotaExceeded") && $0.contains("uid=1000") })
    #expect(!daemon.log.lines.contains { $0.contains("uid=1001") })
    publisher.send(TestDaemon.scroll("main", 3_001, 3))
    for reader in stalled { #expect(reader.received().seqs.last == 3_002) }
  }

  /// Bytes of messages that never end are memory too.
  @Test func unfinishedMessagesAreCounted() {
    let daemon = TestDaemon()
    let part = Array((#"{"id":1,"method":""# + String(repeating: "x", count: 60_000)).utf8)
    let clients = (0..<5).map { _ in daemon.connect(.user(1000, [.memoryBytes: 150_000])) }
    for client in clients { client.send(part) }
    #expect(clients.map(\.isClosed) == [false, false, true, true, true])
    #expect(clients[2].allLines.errors.isEmpty == false)
    #expect(clients[2].allLines.errors.first?.at("data.limit.name") == "memoryBytes")
    // Others are served, and so are those of the user whose messages are small.
    #expect(daemon.connect().send(#"{"id":1,"method":"ping"}"#).results.count == 1)
    #expect(daemon.connect(.user(1000)).send(#"{"id":1,"method":"ping"}"#).results.count == 1)
  }

  @Test func optionsAreCountedOnWhoOpenedTheHeader() {
    let daemon = TestDaemon()
    let admin = daemon.connect()
    let owner = daemon.connect(.user(1000, [.memoryBytes: 20_000]))
    owner.send(TestDaemon.open("a"))
    let before = daemon.row(1000, seenBy: admin).at("used.memoryBytes").number
    let drawers = (0..<60).map { #"{"name":"d\#($0)","height":1}"# }.joined(separator: ",")
    let configure = #"{"id":2,"method":"header.configure","params":{"header":"a","drawers":[\#(drawers)]}}"#
    #expect(admin.send(configure).errors.isEmpty)
    #expect(daemon.row(1000, seenBy: admin).at("used.memoryBytes").number > before + 60 * 100)
    for name in ["b", "c", "d"] { owner.send(TestDaemon.open(name)) }
    let refusal = owner.send(TestDaemon.open("e")).errors.first ?? .null
    #expect(refusal.at("data.limit.name") == "memoryBytes" && refusal.at("data.limit.value") == 20_000)
    #expect(admin.send(configure).errors.first?.at("data.limit.user") == 1000)
    owner.send(#"{"id":3,"method":"header.close","params":{"header":"a"}}"#)
    #expect(owner.send(TestDaemon.open("e")).errors.isEmpty)
  }

  @Test func explanationsThatAreKeptAreCountedOnWhoOpenedTheHeader() {
    let daemon = TestDaemon()
    let admin = daemon.connect()
    daemon.connect(.user(1000)).send(TestDaemon.open("a"))
    let before = daemon.row(1000, seenBy: admin).at("used.memoryBytes").number
    for (keep, bytes) in [(8, 32_768.0), (0, 0)] {
      admin.send(#"{"id":1,"method":"header.explain","params":{"header":"a","keep":\#(keep)}}"#)
      #expect(daemon.row(1000, seenBy: admin).at("used.memoryBytes").number == before + bytes)
    }
  }

  @Test func aHeaderThatCannotBeOpenedIsNotCounted() {
    let daemon = TestDaemon { $0.limits.headers = 2 }
    let client = daemon.connect()
    func open(_ name: String, _ behavior: String = "ShyNavBar", _ more: String = "") -> Value {
      client.send(TestDaemon.open(name, more, behavior: behavior)).errors.first?.at("data.name") ?? .null
    }
    #expect(open("a") == .null)
    for name in ["x", "y", "z"] { #expect(open(name, "None") == "behaviorNotFound") }
    #expect(open("b") == .null)
    // And who does not give way stays counted.
    #expect(open("b", "None", #","ifExists":"replace""#) == "behaviorNotFound")
    #expect(open("c") == "limitExceeded")
  }

  @Test func connectionsOfOneUserAndThoseKeptForAdministrators() {
    let daemon = TestDaemon { $0.limits.connections = 4 }
    func isServed(_ client: TestClient) -> Bool { !client.isClosed }
    let mine = (0..<3).map { _ in daemon.connect(.user(1000, [.connections: 2])) }
    #expect(mine.map(isServed) == [true, true, false])
    #expect(mine[2].allLines.notifications("error")[0].at("params.data.limit.key") == "quotas.connections")
    mine[2].hangUp()
    let others = (0..<3).map { daemon.connect(.user(2000 + UInt32($0))) }
    #expect(others.map(isServed) == [true, true, false])
    #expect(others[2].allLines.notifications("error")[0].at("params.data.limit.key") == "limits.connections")
    others[2].hangUp()
    let admins = (0..<9).map { _ in daemon.connect() }
    #expect(admins.map(isServed) == [Bool](repeating: true, count: 8) + [false])
    mine[0].hangUp()
    #expect(!isServed(daemon.connect(.user(1000, [.connections: 2]))), "administrators fill the rest")
  }

  /// A header that another user replaces is that user's from then on.
  @Test func aReplacedHeaderChangesItsOwner() {
    let daemon = TestDaemon()
    let admin = daemon.connect()
    daemon.connect(.user(1)).send(TestDaemon.open("a"))
    let second = daemon.connect(.user(2, [.headers: 1]))
    #expect(second.send(TestDaemon.open("a", #","ifExists":"replace","frameRate":30"#)).errors.isEmpty)
    #expect(
      daemon.row(1, seenBy: admin).at("used.headers") == 0 && daemon.row(2, seenBy: admin).at("used.headers") == 1)
    #expect(second.send(TestDaemon.open("b")).errors.count == 1)
    // One that is refused for another reason is not counted.
    let wrong = #"{"id":1,"method":"header.open","params":{"header":"c","delegates":[{"behavior":"None"}]}}"#
    let third = daemon.connect(.user(3, [.headers: 1]))
    #expect(third.send(wrong).errors.count == 1 && third.send(TestDaemon.open("c")).errors.isEmpty)
  }

  /// Events are taken from the account in thousands, and counted one by one all the same.
  @Test func theRateOfAUserIsThatOfAllItsConnections() {
    let daemon = TestDaemon()
    let admin = daemon.publisher()
    let clients = (0..<4).map { _ in daemon.connect(.user(1000, [.eventsPerSecond: 2_000])) }
    var refused = 0
    for step in 1...4_000 {
      let lines = clients[step % 4].send(TestDaemon.scroll("main", 1 + Double(step) / 1e4, Double(step % 40)))
      refused += lines.notifications("error").count
    }
    // A second's worth at once, and what each connection had taken for later.
    let sent = daemon.row(1000, seenBy: admin).at("used.events").number
    #expect(sent >= 2_000 && sent <= 2_010 && Int(sent) + refused == 4_000, "\(sent), \(refused)")
    daemon.pass(0.5)
    var accepted = 0
    for step in 1...4_000 {
      let lines = clients[step % 4].send(TestDaemon.scroll("main", 2 + Double(step) / 1e4, Double(step % 40)))
      accepted += lines.notifications("error").isEmpty ? 1 : 0
    }
    #expect((990...1_010).contains(accepted), "\(accepted)")
    #expect(admin.send(TestDaemon.scroll("main", 9, 1)).isEmpty)
  }
}

@Suite struct HeaderAccessTests {
  /// Names of random parts, roles for random globs: what a connection gets of others' headers is nothing, by whichever way.
  @Test(arguments: 0..<40) func nobodyHearsOfOthersHeaders(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let daemon = TestDaemon()
    let admin = daemon.connect()
    let parts = ["a", "b", "c", "*", "**"]
    func glob() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in parts[Int.random(in: 0..<5, using: &random)] }.joined(
        separator: ".")
    }
    func name() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in parts[Int.random(in: 0..<3, using: &random)] }.joined(
        separator: ".")
    }
    var peer = Peer(name: "test", user: 1, access: Access([]))
    let mine = [glob(), glob()]
    peer.access.grant(.subscribe, headers: mine)
    let client = daemon.connect(peer)
    func isMine(_ name: String) -> Bool { mine.contains { Names.glob($0, matches: name) } }
    var lines: [String] = []
    for step in 1...60 {
      let name = name()
      switch Int.random(in: 0..<6, using: &random) {
      case 0: admin.send(TestDaemon.open(name))
      case 1: admin.send(#"{"id":1,"method":"header.close","params":{"header":"\#(name)"}}"#)
      case 2:
        let pattern = glob()
        let answer = client.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(pattern)","mode":"every"}}"#)
        let isAllowed = pattern.contains("*") || isMine(pattern)
        #expect(answer.errors.isEmpty == isAllowed, "\(pattern) with \(mine)")
        lines += answer
      case 3:
        for row in client.send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers").list {
          #expect(isMine(row.at("header").text))
        }
      case 4:
        let answer = client.send(#"{"id":1,"method":"header.get","params":{"header":"\#(name)"}}"#)
        if !isMine(name) { #expect(answer.errors.first?.at("data.name") == "notPermitted") }
        let hint = answer.errors.first?.at("data.hint").text ?? ""
        if hint.hasPrefix("did you mean \"") { #expect(isMine(String(hint.dropFirst(14).dropLast(2)))) }
      default: admin.send(TestDaemon.scroll(name, Double(step), Double(step % 30)))
      }
      lines += client.received()
    }
    for method in ["state", "gap", "closed"] {
      for message in lines.notifications(method) {
        #expect(isMine(message.at("params.header").text), "\(method) with \(mine)")
      }
    }
  }
}
