// SPDX-License-Identifier: MIT
//
// What clients of a realm observe. Tests/Nats runs the same with real programs; here the test controls each message and the clock.

import Clocks
import HeaderHost
import HeaderModel
import HeaderTestKit
import NatsBridge
import Realm
import ServiceTestKit
import Testing

private func event(_ header: String, _ y: Double, id: Int) -> String {
  #"{"id":\#(id),"method":"event","params":{"header":"\#(header)","event":"didScroll","offset":{"y":\#(y)}}}"#
}

/// The content offset that the header's owner reports.
private func offset(_ header: String, _ client: RealmClient) -> Double {
  let answer = client.send(#"{"id":"where","method":"header.get","params":{"header":"\#(header)"}}"#)
  return answer.results.last?.at("state.scrollViews.content.contentOffset.y").number ?? .nan
}

private func epoch(of header: String, _ client: RealmClient) -> Int {
  let rows = client.send(#"{"id":1,"method":"header.list"}"#).results.last?.at("headers").list ?? []
  return Int(rows.first { $0.at("header").text == header }?.at("epoch").number ?? 0)
}

@Suite struct RealmBridgeTests {
  @Test func headersAreSpreadAndFoundFromEverywhere() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    #expect(Set(owners.keys) == ["a", "b", "c"])
    #expect(owners.values.joined().count == 12)
    for node in 0..<3 {
      let client = realm.client(of: node)
      let rows = client.send(#"{"id":1,"method":"header.list","params":{"match":"shop.*"}}"#).results[0].at("headers")
        .list
      #expect(rows.count == 12)
      for (owner, names) in owners {
        for name in names { #expect(rows.contains { $0.at("header").text == name && $0.at("owner").text == owner }) }
      }
      let again = client.send(TestDaemon.open("shop.h3"))
      #expect(again.results[0].at("created") == false)
    }
  }

  /// A node hears that there is a row, and its question what is in it is lost.
  @Test func aRowThatWasNotReadIsReadAgain() throws {
    let realm = RealmInMemory()
    let bus = realm.nodes[2].bus
    realm.server.loses = { $0.subject == "$JS.API.DIRECT.GET.headerd=test=owners" && $1 === bus }
    let owners = realm.spread()
    realm.server.loses = { _, _ in false }
    realm.pass(1)
    let rows = realm.client(of: 2).send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers").list
    #expect(rows.count == 12)
    // It takes over what it has then read of.
    let name = try #require(
      owners["b"]?.first { Placement.node(for: $0, among: ["a", "c"].compactMap { NodeName($0) })?.text == "c" })
    realm.nodes[1].crash()
    realm.pass(6)
    #expect(realm.nodes[2].log.contains { $0.hasPrefix("restores header=\(name) ") })
  }

  /// Servers may send a message to subscribers before it is stored, and subscribers also get what is refused.
  @Test func aRowThatIsStoredLaterIsReadAgain() throws {
    let realm = RealmInMemory()
    _ = realm.spread()
    let nodes = ["a", "b", "c"].compactMap { NodeName($0) }
    let name = try #require((0..<99).map { "new\($0)" }.first { Placement.node(for: $0, among: nodes)?.text == "b" })
    func owner(_ node: Int) -> String? {
      let rows = realm.client(of: node).send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers").list
      return rows.first { $0.at("header").text == name }?.at("owner").text
    }
    realm.server.delays = { $0.subject == "headerd.test.owner.\(name)" }
    let client = realm.client(of: 0)
    client.send(TestDaemon.open(name))
    realm.server.delays = { _ in false }
    #expect(owner(2) == nil)
    realm.server.storeDelayed()
    realm.pass(1)
    #expect(owner(0) == "b" && owner(2) == "b")
    #expect(client.received().results.map { $0.at("created") } == [true])
    // The row that gives the header back, stored later: nobody else would take it.
    realm.cut(1, true)
    realm.pass(6)
    realm.server.delays = { $0.subject == "headerd.test.owner.\(name)" && OwnerRecord($0.bytes)?.state == .released }
    realm.cut(1, false)
    realm.pass(4)
    realm.server.delays = { _ in false }
    realm.server.storeDelayed()
    realm.pass(1)
    #expect((0..<3).map(owner) == ["b", "b", "b"])
    // One that never comes is not asked for without end.
    let readings = realm.server.published.count
    realm.publish("{}", to: "headerd.test.owner.\(name)", headers: ["Nats-Expected-Last-Subject-Sequence": "99999"])
    realm.pass(20)
    let read = realm.server.published[readings...].count { $0.subject == "$JS.API.DIRECT.GET.headerd=test=owners" }
    #expect(read == 3 * 26)
  }

  /// The answer to an opening elsewhere may come before the row that says who owns the header.
  @Test func aSubscriptionHasWhatItsClientOpenedElsewhere() throws {
    let realm = RealmInMemory()
    _ = realm.spread()
    let nodes = ["a", "b", "c"].compactMap { NodeName($0) }
    let name = try #require((0..<99).map { "new\($0)" }.first { Placement.node(for: $0, among: nodes)?.text == "b" })
    let (client, bus) = (realm.client(of: 0), realm.nodes[0].bus)
    realm.server.loses = { $0.subject == "$JS.API.DIRECT.GET.headerd=test=owners" && $1 === bus }
    #expect(client.send(TestDaemon.open(name)).results[0].at("created") == true)
    #expect(client.send(#"{"id":2,"method":"subscribe","params":{"headers":"\#(name)"}}"#).results.isEmpty)
    realm.server.loses = { _, _ in false }
    realm.pass(1)
    let said = client.received()
    #expect(said.results.map { $0.at("matched") } == [1])
    #expect(said.states.map { $0.at("header").text } == [name])
  }

  @Test func aMirrorElsewhereSeesWhereTheContentAloneMoves() throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let (publisher, mirror, plain) = (realm.client(of: 0), realm.client(of: 2), realm.client(of: 2))
    let (beginning, end) = (#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","mode":"every""#, "}}")
    mirror.send(beginning + #","include":["contentOffset"]"# + end)
    plain.send(beginning + #","include":["calls"]"# + end)
    publisher.send(event(name, 600, id: 1))
    realm.pass(2)
    (_, _) = (mirror.received(), plain.received())
    publisher.send(event(name, 700, id: 2))
    realm.pass(1)
    #expect(mirror.received().states.map { $0.at("scrollViews.content.contentOffset.y") } == [700])
    #expect(plain.received().states.isEmpty)
  }

  /// A subscription that wants no answer has headers elsewhere, too, and ends there.
  @Test func aSubscriptionMayBeANotification() throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let (publisher, subscriber) = (realm.client(of: 0), realm.client(of: 2))
    let subscribe = #"{"method":"subscribe","params":{"headers":"\#(name)","mode":"#
    let said = subscriber.send(subscribe + #""every"}}"#) + subscriber.received()
    #expect(said.results.isEmpty && said.states.map { $0.at("header").text } == [name])
    publisher.send(event(name, 30, id: 1))
    realm.pass(0.3)
    #expect(subscriber.received().states.map { $0.at("header").text } == [name])
    // What is wrong with one comes as a notification.
    let refused = subscriber.send(subscribe + #""evry"}}"#)
    #expect(refused.notifications("error").map { $0.at("params.data.name") } == ["invalidParams"])
    #expect(refused.results.isEmpty && refused.errors.isEmpty)
  }

  /// States come for the oldest subscription that matches, and without it for the next one.
  @Test(arguments: ["", #","include":["calls"]"#])
  func aHeaderElsewhereStaysWithTheNextSubscription(_ include: String) throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let (publisher, subscriber) = (realm.client(of: 0), realm.client(of: 2))
    let first = subscriber.send(
      #"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","mode":"every"\#(include)}}"#)
    subscriber.send(#"{"id":2,"method":"subscribe","params":{"headers":"shop.*","mode":"every"}}"#)
    realm.pass(1)
    let id = Int(try #require(first.results.first).at("subscription").number)
    subscriber.send(#"{"id":3,"method":"unsubscribe","params":{"subscription":\#(id)}}"#)
    _ = subscriber.received()
    publisher.send(event(name, 30, id: 1))
    realm.pass(0.3)
    let states = subscriber.received().states
    #expect(states.map { $0.at("header").text } == [name])
    #expect(states.first?.at("scrollViews.content.contentOffset.y") == 30)
  }

  @Test func aHeaderElsewhereIsAsOneHere() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let name = try #require(owners["b"]?.first)
    let (publisher, subscriber) = (realm.client(of: 0), realm.client(of: 2))
    let subscribed = subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","mode":"every"}}"#)
    #expect(subscribed.results[0].at("matched") == 1)
    let snapshot = try #require((subscribed + subscriber.received()).states.last)
    #expect(snapshot.at("snapshot") == true)
    publisher.send(event(name, 0, id: 1))
    realm.pass(0.2)
    let answers =
      publisher.send(event(name, 30, id: 2))
      + {
        realm.pass(0.2); return publisher.received()
      }()
    let seq = try #require(answers.results.last?.at("seq").number)
    let states = subscriber.received().states
    #expect(states.last?.at("seq").number == seq)
    #expect(states.last?.at("scrollViews.content.contentOffset.y").number == 30)
    #expect(states.map { Int($0.at("seq").number) } == Array(Int(snapshot.at("seq").number) + 1...Int(seq)))
  }

  /// Acknowledged events survive a crash of the owner: another daemon takes the header over, in a later epoch.
  @Test func anotherDaemonTakesOverAfterACrash() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let name = try #require(owners["b"]?.first)
    let client = realm.client(of: 0)
    var states: [Value] = []
    states += client.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","mode":"every"}}"#).states
    for step in 1...20 { client.send(event(name, Double(step), id: step)) }
    realm.pass(0.5)
    let before = client.received()
    #expect(before.errors.isEmpty)
    states += before.states
    let epoch = try #require(states.last?.at("epoch").number)
    realm.nodes[1].crash()
    realm.pass(6)
    states = client.received().states
    #expect(offset(name, client) == 20)
    #expect(try #require(states.last).at("epoch").number > epoch)
    #expect(realm.nodes.contains { $0.hasLogged("restores") })
  }

  /// What waits for a header comes to it in order, and what waits for all answers is done behind it.
  @Test func whatWaitsForItsHeaderKeepsItsOrder() throws {
    let realm = RealmInMemory(["a", "b"])
    let names = try #require(realm.spread()["b"])
    let client = realm.client(of: 0)
    realm.server.loses = { message, _ in message.subject == "$JS.API.DIRECT.GET.headerd=test=saved" }
    realm.nodes[1].crash()
    realm.pass(2)
    for (place, name) in names.enumerated() {
      for step in 1...2 { client.send(event(name, Double(10 * step), id: 10 * place + step)) }
    }
    #expect(client.send(#"{"id":1000,"method":"header.list"}"#).isEmpty)
    realm.server.loses = { _, _ in false }
    realm.pass(3)
    let said = client.received()
    #expect(said.errors.isEmpty)
    let ids = said.map { tree($0).at("id") }.filter { $0 != .null }.map { Int($0.number) }
    for place in names.indices {
      #expect(ids.filter { $0 / 10 == place && $0 < 1000 } == [10 * place + 1, 10 * place + 2])
    }
    #expect(ids.count == 2 * names.count + 1 && ids.last == 1000)
    #expect(names.allSatisfy { offset($0, client) == 20 })
  }

  @Test func aNodeThatShutsDownReleasesItsHeadersAtOnce() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let name = try #require(owners["c"]?.first)
    let client = realm.client(of: 0)
    client.send(event(name, 12, id: 1))
    realm.pass(0.2)
    realm.nodes[2].bridge?.shutDown(at: realm.now)
    realm.settle()
    realm.nodes[2].crash()
    // Less than a lease, which a crash would take.
    realm.pass(0.9)
    #expect(offset(name, client) == 12)
  }

  // MARK: - NATS is not reachable

  @Test func aDaemonServesItsOwnHeadersWithoutNats() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let (own, foreign) = (try #require(owners["a"]?.first), try #require(owners["b"]?.first))
    let client = realm.client(of: 0)
    client.send(#"{"id":0,"method":"ping"}"#)
    realm.cut(0, true)
    realm.pass(2)
    let told = client.received().notifications("durability")
    #expect(told.last?.at("params.durable") == false)
    #expect(client.send(event(own, 5, id: 1)).results.last?.at("seq") != .null)
    let refused = client.send(event(foreign, 5, id: 2)).errors
    #expect(refused.last?.at("data.name") == "deadlineExceeded", "\(refused)")
    realm.cut(0, false)
    realm.pass(6)
    #expect(client.received().notifications("durability").last?.at("params.durable") == true)
    client.send(event(foreign, 7, id: 3))
    realm.pass(0.3)
    #expect(offset(foreign, client) == 7)
  }

  @Test func clientsLearnThatStorageIsFull() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let name = try #require(owners["a"]?.first)
    let client = realm.client(of: 0)
    client.send(#"{"id":0,"method":"ping"}"#)
    realm.server.isFull = true
    var lines = client.send(event(name, 3, id: 1))
    realm.pass(0.3)
    lines += client.received()
    #expect(lines.notifications("durability").last?.at("params.reason").text.contains("insufficient resources") == true)
    #expect(lines.results.contains { $0.at("seq") != .null })
    #expect(realm.nodes[0].hasLogged("storageRefused"))
    realm.server.isFull = false
    realm.pass(2)
    #expect(client.received().notifications("durability").last?.at("params.durable") == true)
    #expect(realm.nodes[0].hasLogged("storageBack"))
  }

  // MARK: - NATS clients that are not bridges

  @Test func aNatsClientGetsItsAnswerAtItsInbox() throws {
    let realm = RealmInMemory()
    let owners = realm.spread()
    let name = try #require(owners["b"]?.first)
    let inbox = BusInMemory(realm.server)
    _ = realm.server.subscribe("_INBOX.me", wantsHeaders: false, inbox)
    realm.publish(event(name, 9, id: 77), to: "headerd.test.request.\(name)", reply: "_INBOX.me")
    realm.pass(0.3)
    let answers = realm.server.published.filter { $0.subject == "_INBOX.me" }.map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    #expect(answers.count == 1)
    #expect(answers.map(tree).first?.at("id") == 77)
    #expect(answers.results.first?.at("seq") != .null)
  }

  @Test(arguments: [
    "$JS.API.STREAM.PURGE.headerd=test=log", "headerd.test.lease.a", "headerd.test.event.shop.h0",
    "_INBOX.headerd.a.1.7",
    "other.inbox", "_INBOX..a", "_INBOX.*",
  ])
  func otherReplySubjectsGetNoAnswer(_ reply: String) throws {
    let realm = RealmInMemory(["a"])
    _ = realm.spread(1)
    let client = realm.client(of: 0)
    let (before, place) = (realm.server.published.count { $0.subject == reply }, offset("shop.h0", client))
    realm.publish(event("shop.h0", 9, id: 1), to: "headerd.test.request.shop.h0", reply: reply)
    let after = realm.server.published.count { $0.subject == reply }
    #expect(after == before)
    #expect(realm.nodes[0].hasLogged("replyRefused"))
    #expect(offset("shop.h0", client) == place)
  }

  @Test func subjectAndLineMustNameTheSameHeader() throws {
    let realm = RealmInMemory(["a"])
    _ = realm.spread(2)
    let client = realm.client(of: 0)
    let place = offset("shop.h1", client)
    realm.publish(event("shop.h1", 9, id: 1), to: "headerd.test.request.shop.h0", reply: "_INBOX.me")
    let answer = realm.server.published.last { $0.subject == "_INBOX.me" }.map {
      tree(String(decoding: $0.bytes, as: UTF8.self))
    }
    #expect(answer?.at("error.message").text.contains("different headers") == true)
    #expect(offset("shop.h1", client) == place)
  }

  /// Who may send to one header may do nothing else at its daemon, whatever the parameters name beside.
  @Test(arguments: [
    "plugin.unload", "trace.start", "header.list", "subscribe", "stats", "hello", "ping", "delegate.add",
  ])
  func aHeadersSubjectIsForThatHeaderAlone(_ method: String) {
    let realm = RealmInMemory(["a"])
    _ = realm.spread(1)
    realm.publish(
      #"{"id":5,"method":"\#(method)","params":{"header":"shop.h0","headers":"**","plugin":"ShyNavBar","client":"observe"}}"#,
      to: "headerd.test.request.shop.h0", reply: "_INBOX.me")
    realm.pass(0.3)
    let answers = realm.server.published.filter { $0.subject == "_INBOX.me" }
      .map { tree(String(decoding: $0.bytes, as: UTF8.self)) }
    #expect(answers.count == 1 && answers[0].at("id") == 5)
    #expect(answers.first?.at("result") == .null)
    #expect(realm.nodes[0].daemon.plugins.loadedPlugins.contains { $0.plugin == "ShyNavBar" })
  }

  /// What waits for a subscriber is gathered, whatever numbers are in it.
  @Test func aForgedStateEndsNoBridge() throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let client = realm.client(of: 0)
    let lines = client.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","maxRate":1}}"#)
    let state = try #require((lines + client.received()).states.last)
    let (epoch, seq) = (Int(state.at("epoch").number), Int(state.at("seq").number))
    let notices = Array(repeating: #"{"name":"n"}"#, count: 40).joined(separator: ",")
    for next in seq + 1...seq + 3 {
      let start = #"{"jsonrpc":"2.0","method":"state","params":{"header":"\#(name)","epoch":\#(epoch),"seq":\#(next)"#
      realm.publish(
        start + #","notices":[\#(notices)],"noticesLost":1.7e308}}"#, to: "headerd.test.state.\(name)")
    }
    realm.pass(1.5)
    let latest = try #require(client.received().states.last)
    #expect(Int(latest.at("seq").number) == seq + 3)
    #expect(latest.at("notices").list.count == 64 && latest.at("noticesLost") == 56)
  }

  /// No state is taken that names another header than its subject, or has an epoch that no daemon can have.
  @Test func aForgedStateHidesNoOther() throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let (publisher, subscriber) = (realm.client(of: 0), realm.client(of: 2))
    subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","mode":"every"}}"#)
    realm.pass(0.3)
    _ = subscriber.received()
    for (header, epoch) in [("other", 1_763_690_400_000_001), (name, 9_007_199_254_740_991)] {
      realm.publish(
        #"{"jsonrpc":"2.0","method":"state","params":{"header":"\#(header)","epoch":\#(epoch),"seq":9}}"#,
        to: "headerd.test.state.\(name)")
    }
    #expect(subscriber.received().states.isEmpty)
    #expect(realm.nodes[2].hasLogged("recordRefused"))
    publisher.send(event(name, 30, id: 1))
    realm.pass(0.3)
    #expect(subscriber.received().states.map { $0.at("header").text } == [name])
  }

  /// What it has missed is being read then.
  @Test func aClientMayLeaveWhileItComesBack() throws {
    let realm = RealmInMemory()
    let name = try #require(realm.spread()["b"]?.first)
    let (publisher, client) = (realm.client(of: 0), realm.client(of: 2))
    publisher.send(event(name, 30, id: 1))
    realm.pass(0.3)
    let point = #"{"\#(name)":{"epoch":\#(epoch(of: name, publisher)),"seq":1}}"#
    realm.server.loses = { message, _ in
      if message.subject == "$JS.API.CONSUMER.CREATE.headerd=test=states" { client.session?.end() }
      return false
    }
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"\#(name)","resumeFrom":\#(point)}}"#)
    #expect(client.isClosed && client.received().states.isEmpty)
    realm.pass(0.3)
    #expect(realm.client(of: 2).send(#"{"id":1,"method":"header.list"}"#).results.count == 1)
  }

  // MARK: - A node's name

  /// Also if the newer one is so slow that the older one takes the name back.
  @Test(arguments: [0, 0.4, 1.5, 3])
  func ofTwoProcessesWithTheSameNameTheOlderOneEnds(_ seconds: Double) {
    let realm = RealmInMemory(["a"])
    let second = realm.add("a", process: "0")
    for _ in 0..<3 { realm.pass(seconds, halted: second); realm.pass(0.1) }
    realm.pass(8)
    #expect(realm.nodes[0].failure == #"another headerd-nats has the name "a" in this realm"#)
    #expect(second.failure == nil)
    #expect(realm.nodes[0].hasLogged("leaseTakenBack") == (seconds > 1))
  }

  @Test(arguments: [
    #"{"node":"a","process":"forged","since":9007199254740991,"serves":true}"#,
    #"{"node":"a","process":"forged","serves":true}"#, "no lease at all", "",
  ])
  func aForgedLeaseIsTakenBack(_ lease: String) {
    let realm = RealmInMemory(["a", "b"])
    let owners = realm.spread(8)
    realm.publish(lease, to: "headerd.test.lease.a")
    realm.pass(4)
    #expect(realm.nodes[0].failure == nil)
    #expect(realm.nodes[0].hasLogged("leaseTakenBack") || realm.nodes[1].hasLogged("recordRefused"))
    // Other nodes still see it.
    let rows = realm.client(of: 1).send(#"{"id":1,"method":"header.list"}"#).results.last?.at("headers").list ?? []
    #expect(rows.count { $0.at("owner") == "a" } == owners["a"]?.count)
  }

  /// Many lines about one thing do not hide those about another, and what was not written is counted.
  @Test func aFloodHidesNoOtherComplaint() {
    let realm = RealmInMemory(["a", "b"])
    realm.publish(#"{"node":"a","process":"forged","serves":true}"#, to: "headerd.test.lease.a")
    for _ in 0..<100 {
      for _ in 0..<5 { realm.publish("no lease", to: "headerd.test.lease.zz") }
      realm.pass(0.02)
    }
    realm.pass(1)
    #expect(realm.nodes[0].hasLogged("leaseTakenBack"))
    let refused = realm.nodes[0].log.filter { $0.hasPrefix("recordRefused ") }
    let unwritten = refused.compactMap { $0.wholeMatch(of: /recordRefused unwritten=(\d+)/) }.compactMap { Int($0.1) }
    #expect(refused.count - unwritten.count + unwritten.reduce(0, +) == 500)
    #expect(refused.count <= 40)
  }

  // MARK: - What is kept

  /// A saved state that no daemon wrote is told once its header is to be restored, and the name can be used again.
  @Test(arguments: ["{}", "", "no JSON", #"{"description":{}}"#, #"{"description":7,"saved":{}}"#])
  func aForgedSavedStateLeavesTheNameFree(_ content: String) throws {
    let realm = RealmInMemory(["a", "b"])
    let owners = realm.spread()
    let name = try #require(owners["b"]?.first)
    let client = realm.client(of: 0)
    realm.publish(
      "{\"epoch\":\(epoch(of: name, client) + 1),\"base\":0,\"nonce\":\"x\"}\n" + content,
      to: "headerd.test.saved.\(name)")
    realm.nodes[1].crash()
    realm.pass(6)
    #expect(realm.nodes[0].log.contains { $0.hasPrefix("recordRefused header=\(name) messages=saved") })
    #expect(client.send(TestDaemon.open(name)).results.last?.at("created") == true)
    realm.pass(1)
    client.send(event(name, 8, id: 1))
    realm.pass(0.3)
    #expect(offset(name, client) == 8)
  }

  // MARK: - Methods of a single daemon

  @Test(arguments: ["plugin.list", "plugin.reload", "trace.start", "delegate.add"])
  func aRealmRefuses(_ method: String) {
    let realm = RealmInMemory(["a"])
    let answer = realm.client(of: 0).send(
      #"{"id":1,"method":"\#(method)","params":{"header":"main","plugin":"x","client":"observe","name":"n","trace":1}}"#
    )
    #expect(answer.errors.first?.at("data.name") == "unsupported")
  }

  @Test func helloOmitsCapabilitiesThatARealmLacks() {
    let realm = RealmInMemory(["a"])
    let hello = realm.client(of: 0).send(#"{"id":1,"method":"hello"}"#).results[0]
    #expect(!hello.at("capabilities").list.contains("clientDelegates"))
    #expect(hello.at("protocol") != .null)
  }

  @Test func malformedInputEndsOnlyItsOwnConnection() {
    let realm = RealmInMemory(["a"])
    let (other, broken) = (realm.client(of: 0), realm.client(of: 0))
    broken.send([UInt8](repeating: 0x61, count: 300_000))
    #expect(broken.isClosed)
    #expect(broken.received().notifications("bye").count == 1)
    #expect(other.send(#"{"id":1,"method":"ping"}"#).results.count == 1)
  }
}
