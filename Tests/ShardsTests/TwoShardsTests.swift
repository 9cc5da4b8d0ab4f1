// SPDX-License-Identifier: MIT
//
// Two services that share the headers, without threads: what one sends the other arrives when the test lets it, so that what
// happens in between can be seen.

import Clocks
import Fanout
import Gateway
import HeaderHost
import HeaderModel
import HeaderService
import ServiceTestKit
import Shards
import Testing

/// What one shard sends to others, held until it is delivered.
private final class HeldMail: ShardTransport {
  var held: [(message: ShardMessage, to: Int)] = []

  func post(_ message: ShardMessage, to shard: Int) { held.append((message, shard)) }
}

/// Two services; all connections have their home at the first.
private final class TwoShards {
  let plugins = TestPlugins()
  private let output = MemoryOutput()
  private let log = MemoryLog()
  private let mail = [HeldMail(), HeldMail()]
  private let services: [Service]
  private var lastConnection = 0
  /// How often a connection wanted to go to the other shard.
  private(set) var moves = 0
  private static let time: MonotonicTime = 81_250_000_000

  init(queueBytes: Int = Limits().queueBytes) {
    let globalCounters = GlobalCounters(shards: 2)
    var settings = ServiceSettings { 1_763_690_400_000_000 }
    settings.limits.queueBytes = queueBytes
    let (plugins, output, log, mail) = (plugins, output, log, mail)
    services = (0..<2).map { index in
      Service(
        settings: settings, plugins: plugins, control: index == 0 ? plugins : nil,
        output: output, log: log, shard: Shard(index: index, of: 2), globalCounters: globalCounters,
        transport: mail[index])
    }
  }

  func connect(_ peer: Peer = Peer(name: "test")) -> ConnectionID {
    lastConnection += 1
    let id = ConnectionID(number: lastConnection)
    services[0].connected(peer, as: id, at: Self.time)
    return id
  }

  func disconnect(_ id: ConnectionID) {
    services[0].disconnected(id)
    services[0].endTurn()
  }

  /// A connection sends lines; what they bring about at the other shard waits.
  func send(_ id: ConnectionID, _ lines: String...) {
    for line in lines {
      services[0].received(unsafe Array((line + "\n").utf8).span.bytes, from: id, at: Self.time)
      // Nobody can take its socket away, so that it stays.
      services[0].gateway.takeMoves({ _ in
        moves += 1
        return Int?.none
      }) { _, _, _ in }
      services[0].endTurn()
    }
  }

  /// A connection sends a line and is gone before the turn ends.
  func sendAndVanish(_ id: ConnectionID, _ line: String) {
    services[0].received(unsafe Array((line + "\n").utf8).span.bytes, from: id, at: Self.time)
    services[0].disconnected(id)
    services[0].gateway.takeMoves({ _ in Int?.none }) { _, _, _ in }
    services[0].endTurn()
  }

  /// The peer of a connection does not read any more.
  func stopReading(_ id: ConnectionID) { output.pipe(id).reads = false }

  /// The most that ever waited for it.
  func maxQueued(_ id: ConnectionID) -> Int { output.pipe(id).maxQueued }

  /// It takes what waits for it.
  func readAll(_ id: ConnectionID) {
    output.pipe(id).taken += output.pipe(id).queued
    output.pipe(id).queued = []
  }

  /// Delivers all that is held, and what comes of it.
  func deliver() { while deliverOne() {} }

  /// Delivers the first message that is held.
  /// - Returns: false if there is none.
  func deliverOne() -> Bool {
    if let from = mail.firstIndex(where: { !$0.held.isEmpty }) {
      let (message, to) = mail[from].held.removeFirst()
      services[to].receive(message, at: Self.time)
      services[to].endReceiving()
      services[to].endTurn()
      return true
    }
    return false
  }

  /// The lines that a connection got since the last look.
  func received(_ id: ConnectionID) -> [String] {
    defer { output.pipe(id).taken = [] }
    return output.pipe(id).taken.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A header's name that belongs to a shard.
  static func name(at shard: Int) -> String {
    (0...).lazy.map { "h\($0)" }.first { Shard(index: 0, of: 2).holder(of: $0) == shard } ?? ""
  }
}

@Suite struct TwoShardsTests {
  private let shards = TwoShards()
  private let here = TwoShards.name(at: 0)
  private let there = TwoShards.name(at: 1)

  /// A publisher with a header in each shard, and a subscriber to both who has their snapshots.
  private func open() -> (publisher: ConnectionID, subscriber: ConnectionID) {
    let (publisher, subscriber) = (shards.connect(), shards.connect())
    shards.send(publisher, TestDaemon.open(here), TestDaemon.open(there))
    shards.send(subscriber, #"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    shards.deliver()
    #expect(shards.received(publisher).results.count == 2)
    #expect(shards.received(subscriber).states.count == 2)
    return (publisher, subscriber)
  }

  /// Connections that have ended before they could go to another shard are not counted there: later ones still go.
  @Test func endedConnectionsAreCountedNowhere() {
    for _ in 0..<10 { shards.sendAndVanish(shards.connect(), TestDaemon.open(there)) }
    shards.send(shards.connect(), TestDaemon.open(there))
    #expect(shards.moves == 1)
  }

  /// The answer to a subscription counts the headers of all shards, and comes before all states.
  @Test func statesStayBehindTheAnswer() {
    _ = open()
    let late = shards.connect()
    shards.send(late, #"{"id":1,"method":"subscribe","params":{"headers":"*","mode":"every"}}"#)
    #expect(shards.received(late).isEmpty)
    shards.deliver()
    let lines = shards.received(late)
    #expect(lines.count == 3 && tree(lines[0]).at("result.matched") == 2)
    #expect(Set(lines.states.map { $0.at("header").text }) == [here, there])
  }

  /// A state that is held behind the answer to a later subscription leaves before the answer to `unsubscribe`, which another shard
  /// has nothing to do with.
  @Test func noStateComesAfterUnsubscribing() {
    let (publisher, _) = open()
    let client = shards.connect()
    shards.send(client, #"{"id":1,"method":"subscribe","params":{"headers":"\#(here)","mode":"every"}}"#)
    _ = shards.received(client)
    shards.send(client, #"{"id":2,"method":"subscribe","params":{"headers":"other.*"}}"#)
    shards.send(publisher, TestDaemon.scroll(here, 1, 3))
    shards.send(client, #"{"id":3,"method":"unsubscribe","params":{"subscription":1}}"#)
    shards.deliver()
    let lines = shards.received(client).map(tree)
    #expect(lines.map { $0.at("method") == "state" ? $0.at("method") : $0.at("id") } == [2, "state", 3])
  }

  /// A connection that ends before its subscription is answered gets no state of it.
  @Test func noStateComesWithoutItsSubscription() {
    _ = open()
    let client = shards.connect()
    shards.send(client, #"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#)
    let endless = String(repeating: "x", count: Limits().lineBytes)
    shards.send(client, "{\"id\":2,\"method\":\"\(endless)")
    shards.deliver()
    let lines = shards.received(client).map(tree)
    #expect(lines.map { $0.at("error.data.limit.name") } == ["lineBytes"])
  }

  /// The other shard ends a connection while its home goes on sending: `bye` is the last line all the same.
  @Test func nothingComesAfterGoodbye() {
    let shards = TwoShards(queueBytes: 4000)
    let (publisher, subscriber) = (shards.connect(), shards.connect())
    shards.send(publisher, TestDaemon.open(here), TestDaemon.open(there))
    shards.send(
      subscriber, #"{"method":"subscribe","params":{"headers":"**","mode":"every","onOverflow":"disconnect"}}"#)
    shards.deliver()
    shards.stopReading(subscriber)
    for step in 1...60 {
      // The home has half a kilobyte of its own for each of the other's.
      shards.send(publisher, TestDaemon.scroll(there, Double(step), Double(step % 40)))
      repeat {
        if step > 8 { shards.send(publisher, TestDaemon.scroll(here, Double(step), Double(step % 40))) }
      } while shards.deliverOne()
      shards.deliver()
    }
    shards.readAll(subscriber)
    #expect(shards.received(subscriber).last == #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"overflow"}}"#)
  }

  /// What a user takes in all shards is one account, and is refused by the shard that has the header.
  @Test func quotasHoldForAllShards() {
    var peer = Peer(name: "test", user: 1000, access: Access([.publish, .subscribe]))
    peer.quotas[.headers] = 1
    let admin = shards.connect()
    let (one, other) = (shards.connect(peer), shards.connect(peer))
    shards.send(one, TestDaemon.open(there), TestDaemon.open(here))
    shards.deliver()
    // They are opened in the order in which messages arrive: the own shard is first.
    let answers = shards.received(one)
    #expect(answers.results.count == 1 && answers.errors.count == 1)
    #expect(answers.errors[0].at("data.limit.used") == 1 && answers.errors[0].at("data.limit.user") == 1000)
    shards.send(other, #"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    shards.send(one, TestDaemon.scroll(here, 1, 3), TestDaemon.scroll(there, 1, 3))
    shards.deliver()
    func row() -> Value {
      shards.send(admin, #"{"id":1,"method":"stats"}"#)
      shards.deliver()
      let users = shards.received(admin).results.first?.at("users").list ?? []
      return users.first { $0.at("user") == 1000 } ?? .null
    }
    #expect(row().at("used.connections") == 2 && row().at("used.headers") == 1 && row().at("used.subscriptions") == 1)
    #expect(row().at("used.events") == 1)
    shards.disconnect(one)
    shards.disconnect(other)
    shards.deliver()
    #expect(row().at("used.connections") == 0 && row().at("used.subscriptions") == 0)
    shards.send(admin, #"{"id":2,"method":"header.close","params":{"header":"\#(here)"}}"#)
    shards.send(admin, #"{"id":2,"method":"header.close","params":{"header":"\#(there)"}}"#)
    shards.deliver()
    _ = shards.received(admin)
    #expect(row() == .null)
  }

  /// A first subscription takes its connection to the header's shard; it is counted once all the same.
  @Test func aSubscriptionThatMovesIsCountedOnce() {
    var peer = Peer(name: "test", user: 1000)
    peer.quotas[.subscriptions] = 1
    let client = shards.connect(peer)
    let subscribe = #"{"id":1,"method":"subscribe","params":{"headers":"\#(there)"}}"#
    shards.send(client, subscribe)
    shards.deliver()
    #expect(shards.moves == 1 && shards.received(client).results.count == 1)
    shards.send(client, subscribe)
    shards.deliver()
    #expect(shards.received(client).errors.first?.at("data.limit.used") == 1)
  }

  /// Roles for some headers hold in every shard.
  @Test func rolesHoldForAllShards() {
    _ = open()
    var access = Access([])
    access.grant(.publish, headers: [here])
    access.grant(.subscribe, headers: [there])
    let guest = shards.connect(Peer(name: "test", user: 1000, access: access))
    shards.send(
      guest, #"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#,
      #"{"id":2,"method":"event","params":{"header":"\#(there)","event":"didScroll","time":1,"offset":{"y":1}}}"#,
      #"{"id":3,"method":"event","params":{"header":"\#(here)","event":"didScroll","time":1,"offset":{"y":1}}}"#)
    shards.deliver()
    let lines = shards.received(guest)
    #expect(lines.states.map { $0.at("header").text } == [there])
    #expect(lines.map(tree).filter { $0.at("error") != .null }.map { $0.at("id") } == [2])
    #expect(lines.results.contains { $0.at("matched") == 1 })
  }

  /// `ping` and `header.list` come after what was sent before them, and hold up nothing behind them.
  @Test func pingWaitsAndHoldsUpNothing() {
    let (publisher, _) = open()
    shards.send(
      publisher,
      "{\"id\":1,\"method\":\"header.call\",\"params\":{\"header\":\"\(there)\",\"name\":\"none\"}}",
      #"{"id":2,"method":"ping"}"#, #"{"id":3,"method":"header.list"}"#,
      "{\"id\":4,\"method\":\"header.get\",\"params\":{\"header\":\"\(here)\"}}",
      "{\"id\":5,\"method\":\"header.get\",\"params\":{\"header\":\"\(there)\"}}")
    #expect(shards.received(publisher).map { tree($0).at("id") } == [4])
    shards.deliver()
    let ids = shards.received(publisher).map { tree($0).at("id") }
    #expect(ids.filter { $0 == 1 || $0 == 5 } == [1, 5] && ids.filter { $0 != 5 } == [1, 2, 3], "\(ids)")
  }

  /// A plugin that headers use is missed by nobody while it is found out that it cannot be unloaded.
  @Test func aRefusedUnloadTakesNothingAway() {
    _ = open()
    let (admin, other) = (shards.connect(), shards.connect())
    shards.send(admin, #"{"id":1,"method":"plugin.unload","params":{"plugin":"ShyNavBar"}}"#)
    var opened = 0
    for _ in 0..<12 {
      for _ in 0..<2 {
        opened += 1
        shards.send(other, TestDaemon.open("later\(opened)"))
      }
      _ = shards.deliverOne()
    }
    shards.deliver()
    #expect(shards.received(admin).contains { tree($0).at("error.data.name") == "inUse" })
    #expect(shards.received(other).results.count == opened)
  }

  /// While a plugin is reloaded its headers wait: events are handled once all shards have agreed, by the new code.
  @Test func eventsWaitForAReload() {
    let (publisher, subscriber) = open()
    let admin = shards.connect()
    var made = 0
    shards.plugins.fresh = shifters { name, behavior in
      made += 1
      return Shifter(name: name, behavior: behavior)
    }
    shards.send(admin, #"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    shards.send(publisher, TestDaemon.scroll(here, 2, 31))
    #expect(made == 1)
    #expect(shards.received(subscriber).isEmpty && shards.received(admin).isEmpty)
    shards.deliver()
    #expect(made == 2)
    let answer = shards.received(admin).results[0]
    #expect(Set(answer.at("headers").list.map { $0.at("header").text }) == [here, there])
    let states = shards.received(subscriber).states.filter { $0.at("header") == .text(here) }
    #expect(states.last?.at("drawers.0.frame.y") == -11)
  }

  /// Plugins change one request at a time, whoever asks: the second one finds what the first has made.
  @Test func aPluginIsAskedAboutWhenItHasChanged() {
    _ = open()
    let (admin, other) = (shards.connect(), shards.connect())
    shards.plugins.fresh = shifters { name, behavior in Shifter(name: name, behavior: behavior) }
    shards.send(admin, #"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    shards.send(other, #"{"id":2,"method":"plugin.list"}"#)
    #expect(shards.received(admin).isEmpty && shards.received(other).isEmpty)
    shards.deliver()
    #expect(shards.received(admin).results.count == 1)
    #expect(shards.received(other).results.map { $0.at("plugins").list.count } == [shards.plugins.loadedPlugins.count])
  }

  /// What a shard sends to its own connections is bound as well, also while others send to them.
  @Test func whoDoesNotReadHasABoundedQueue() {
    let (publisher, subscriber) = open()
    shards.stopReading(subscriber)
    for step in 1...5_000 { shards.send(publisher, TestDaemon.scroll(here, Double(step), Double(step % 40))) }
    shards.deliver()
    #expect(shards.maxQueued(subscriber) <= 1_048_576 + 16_384)
  }

  /// An event that names no header is for the only one that its connection has, in whichever shard.
  @Test func anEventForTheOnlyHeader() {
    let (publisher, _) = open()
    let event = #"{"id":7,"method":"event","params":{"event":"didScroll","time":1,"offset":{"y":31}}}"#
    shards.send(publisher, event)
    shards.deliver()
    #expect(shards.received(publisher).errors.count == 1)
    shards.send(publisher, #"{"id":8,"method":"header.close","params":{"header":"\#(here)"}}"#)
    shards.deliver()
    _ = shards.received(publisher)
    shards.send(publisher, event)
    shards.deliver()
    #expect(shards.received(publisher).results.map { $0.at("seq") } == [2])
  }

  /// Also the only one that is left of many.
  @Test func anEventForTheOnlyHeaderThatOthersHaveLeft() {
    let (publisher, other) = (shards.connect(), shards.connect())
    for index in 0..<20 { shards.send(publisher, TestDaemon.open("h\(index)")) }
    shards.deliver()
    for index in 1..<20 {
      shards.send(other, #"{"id":8,"method":"header.close","params":{"header":"h\#(index)"}}"#)
    }
    shards.deliver()
    _ = shards.received(publisher)
    shards.send(publisher, #"{"id":7,"method":"event","params":{"event":"didScroll","time":1,"offset":{"y":31}}}"#)
    shards.deliver()
    #expect(shards.received(publisher).results.map { $0.at("seq") } == [2])
  }

  /// A header that was opened in between takes part, whatever its client is asked just then.
  @Test func aReloadDoesNotWaitForAClient() {
    _ = open()
    let (admin, late) = (shards.connect(), shards.connect())
    let name = (0...).lazy.map { "late\($0)" }.first { Shard(index: 0, of: 2).holder(of: $0) == 0 } ?? ""
    shards.send(admin, #"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    shards.send(
      late, TestDaemon.open(name),
      #"{"method":"delegate.add","params":{"header":"\#(name)","client":"intercept","name":"guard"}}"#,
      Chains.scroll(7, 1, 11, name))
    let asked = shards.received(late)
    #expect(asked.asked.count == 1 && !asked.ids.contains(7))
    shards.deliver()
    #expect(shards.received(late).ids.contains(7))
    let answer = shards.received(admin)
    #expect(answer.errors.isEmpty && !answer.joined().contains("refus"), "\(answer)")
    #expect(answer.results[0].at("headers").list.contains { $0.at("header") == .text(name) })
  }

  /// One header that refuses keeps the old code everywhere, and nothing is seen of the new one.
  @Test func oneRefusalRollsAllBack() {
    let (publisher, subscriber) = open()
    let admin = shards.connect()
    var made = 0
    shards.plugins.fresh = shifters { name, behavior in
      made += 1
      return made == 2 ? StubbornShifter(name: name, behavior: behavior) : Shifter(name: name, behavior: behavior)
    }
    shards.send(admin, #"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    shards.send(publisher, TestDaemon.scroll(here, 2, 31))
    #expect(shards.received(subscriber).isEmpty)
    shards.deliver()
    let error = shards.received(admin).errors[0]
    #expect(error.at("data.name") == "pluginRefused" && error.at("data.header") == .text(there))
    let lines = shards.received(subscriber)
    #expect(lines.states.map { $0.at("header").text } == [here] && lines.count == 1)
    #expect(lines.states[0].at("drawers.0.frame.y") == -11 && lines.states[0].at("seq") == 2)
    #expect(shards.plugins.kinds.count == TestPlugins().kinds.count)
  }

  /// A follower in another shard is told by a message behind its leader's state; and a circle that closes through messages that
  /// are under way ends in a refusal that it is told of.
  @Test func followersAreInAnotherShard() {
    func follower(_ name: String, of leader: String, _ drawer: String, _ more: String = "") -> String {
      """
      {"id":1,"method":"header.open","params":{"header":"\(name)","frames":"events",\
      "drawers":[{"name":"tabs","height":88,"follow":{"header":"\(leader)","drawer":"\(drawer)"}}\(more)]}}
      """
    }
    let client = shards.connect()
    shards.send(client, TestDaemon.open(here), follower(there, of: here, "navBar"))
    shards.send(client, #"{"method":"subscribe","params":{"headers":"*","mode":"every"}}"#)
    shards.deliver()
    _ = shards.received(client)
    shards.send(client, TestDaemon.scroll(here, 1, 64))
    #expect(shards.received(client).states.map { $0.at("header").text } == [here])
    shards.deliver()
    let told = shards.received(client).states
    #expect(told.map { $0.at("header").text } == [there])
    let place = told.first?.at("drawers.0.frame.y")
    #expect((place?.number ?? 0) < 0)
    shards.send(client, "{\"method\":\"header.close\",\"params\":{\"header\":\"\(here)\"}}")
    shards.deliver()
    let gone = shards.received(client).states.filter { $0.at("header").text == there }
    #expect(gone.first?.at("notices.0.name").text == "didLoseLeader" && gone.first?.at("drawers.0.frame.y") == place)

    // Both are opened before either knows of the other.
    shards.send(client, "{\"method\":\"header.close\",\"params\":{\"header\":\"\(there)\"}}")
    shards.deliver()
    _ = shards.received(client)
    shards.send(client, follower(here, of: there, "tabs"), follower(there, of: here, "tabs"))
    shards.deliver()
    let last = shards.received(client)
    let refused = last.filter { $0.contains("nobody leads") || $0.contains("leads nobody") }
    #expect(!refused.isEmpty, "\(last)")
  }
}
