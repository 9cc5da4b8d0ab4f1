// SPDX-License-Identifier: MIT

import HeaderTestKit
import Testing

import Realm

@Suite struct SubjectTests {
  private func subjects() throws -> Subjects { try #require(Subjects(realm: "shops", prefix: "acme.eu")) }

  @Test func headersStandInSubjectsAsTheyAre() throws {
    let subjects = try subjects()
    #expect(subjects.subject(.state, header: "till.7.bar") == "acme.eu.headerd.shops.state.till.7.bar")
    #expect(subjects.name(in: "acme.eu.headerd.shops.state.till.7.bar", .state) == "till.7.bar")
    #expect(subjects.name(in: "acme.eu.headerd.shops.state.till.7.bar", .event) == nil)
    #expect(subjects.name(in: "other.headerd.shops.state.till", .state) == nil)
    #expect(subjects.name(of: .log) == "acme=eu=headerd=shops=log")
  }

  /// Who asks may have an answer sent where clients of NATS wait for theirs, and nowhere that a bridge alone may send to.
  @Test func whereAnswersGo() throws {
    let subjects = try subjects()
    for reply in ["_INBOX.7", "_INBOX.a.b.c", "_INBOX.headerd"] {
      #expect(subjects.mayAnswer(reply, below: ["_INBOX"]), "\(reply)")
    }
    for reply in [
      "", "_INBOX", "_INBOX.", "_INBOX..a", "_INBOX.>", "_INBOX.*", "_INBOX.a b", "_INBOX.\n", "_INBOXES.a",
      "_INBOX.headerd.a.x.1", "$JS.API.STREAM.PURGE.x", "$SYS.REQ", "acme.eu.headerd.shops.lease.a",
      "acme.eu.headerd.shops.state.till", "elsewhere.a", "_INBOX." + String(repeating: "a", count: 600),
    ] {
      #expect(!subjects.mayAnswer(reply, below: ["_INBOX"]), "\(reply)")
      // Whatever is configured, some never.
      if reply.hasPrefix("$") || reply.hasPrefix("acme") {
        #expect(!subjects.mayAnswer(reply, below: ["$JS", "$SYS", "acme"]), "\(reply)")
      }
    }
    #expect(subjects.mayAnswer("elsewhere.a", below: ["_INBOX", "elsewhere"]))
  }

  @Test(arguments: [
    "", ">", "*", "a.*", "a.>", "a b", "a..b", ".a", "a.", "a\n", "a\u{0}", "ä", String(repeating: "a", count: 129),
  ])
  func whatIsNoNameGetsNoSubject(_ name: String) throws {
    let subjects = try subjects()
    for kind in Subjects.Kind.allCases { #expect(subjects.subject(kind, header: name) == nil) }
  }

  @Test(arguments: [("a.b", ""), ("", ""), ("a>", ""), ("a", "b..c"), ("a", "*"), ("a", "b."), ("a", "$JS")])
  func whatIsNoRealmHasNone(_ realm: String, _ prefix: String) {
    #expect(Subjects(realm: realm, prefix: prefix) == nil)
  }

  /// No bytes make a subject outside the realm's own, or one that is two headers'.
  @Test func noNameEscapes() throws {
    let subjects = try subjects()
    var random = SplitMix64(seed: 3)
    let letters = Array("ab.*>_- $\u{0}\n/")
    var seen: [String: String] = [:]
    for _ in 0..<20_000 {
      let name = String((0..<random.below(7)).map { _ in letters[random.below(letters.count)] })
      guard let subject = subjects.subject(.event, header: name) else { continue }
      #expect(subject.hasPrefix("acme.eu.headerd.shops.event."))
      #expect(!subject.contains { "*> \n\u{0}$".contains($0) })
      #expect(seen.updateValue(name, forKey: subject) ?? name == name)
    }
    #expect(seen.count > 50)
  }
}

@Suite struct PlacementTests {
  private let nodes = ["a", "b", "c", "d"].compactMap(NodeName.init)

  @Test func headersAreSpreadEvenly() {
    var counts: [NodeName: Int] = [:]
    for index in 0..<10_000 { counts[Placement.node(for: "shop.\(index)", among: nodes) ?? nodes[0], default: 0] += 1 }
    for node in nodes { #expect((2_200...2_800).contains(counts[node] ?? 0), "\(node.text): \(counts[node] ?? 0)") }
  }

  @Test func whoLeavesMovesItsOwnHeadersAlone() {
    for index in 0..<2_000 {
      let before = Placement.node(for: "shop.\(index)", among: nodes)
      let after = Placement.node(for: "shop.\(index)", among: nodes.dropLast())
      #expect(before == nodes.last ? after != nodes.last : after == before)
    }
    #expect(Placement.node(for: "x", among: [NodeName]()) == nil)
  }
}

@Suite struct CheckedWriteTests {
  private func write() -> CheckedWrite { CheckedWrite(.log("x"), [1], expecting: 5, ticket: 1) }

  /// A write that was not answered is asked for, and repeated only if nothing came after what it expects.
  @Test func whatIsUnknownIsAskedFor() {
    var write = write()
    guard case .retry(pause: true) = write.take(.unknown), case .last = write.effect else {
      return #expect(Bool(false))
    }
    guard case .retry(pause: false) = write.take(.last(LastMessage(number: 5, bytes: [9]))), case .put = write.effect
    else {
      return #expect(Bool(false))
    }
    // Its first try is carried out late.
    guard case .retry(pause: false) = write.take(.conflict), case .last = write.effect,
      case .done(6) = write.take(.last(LastMessage(number: 6, bytes: [1])))
    else { return #expect(Bool(false)) }
  }

  @Test func anothersIsALoss() {
    var write = write()
    _ = write.take(.conflict)
    guard case .lost(let last) = write.take(.last(LastMessage(number: 7, bytes: [2]))) else {
      return #expect(Bool(false))
    }
    #expect(last.number == 7)
  }
}
