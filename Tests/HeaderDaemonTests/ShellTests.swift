// SPDX-License-Identifier: MIT
//
// The shell's few decisions, each by itself: how a value stands in a log line, who has which role, and what is done with
// the place where the daemon shall listen.

import Clocks
import HeaderService
import DaemonTestKit
import Glibc
import HeaderConfig
import HeaderModel
import Fanout
import Installation
import Posix
import Testing

import HeaderDaemon

@Suite struct LogLineTests {
  @Test(arguments: [
    ("plain", "plain"), ("/run/headerd.sock", "/run/headerd.sock"), ("", #""""#), ("two words", #""two words""#),
    ("a=b", #""a=b""#), (#"say "no""#, #""say \"no\"""#), ("back\\slash and space", #""back\\slash and space""#),
    ("one\ntwo\r\tthree", #""one\ntwo\r\tthree""#), ("bell\u{7}", #""bell\u0007""#), ("Grüße", "Grüße"),
    ("\u{1b}[2J", #""\u001b[2J""#), ("csi\u{9b}", #""csi\u009b""#), ("\u{85}", #""\u0085""#), ("\u{7f}", #""\u007f""#),
    ("a\u{2028}b\u{2029}", #""a\u2028b\u2029""#), ("\u{202a}\u{202e}", #""\u202a\u202e""#),
    ("\u{2066}\u{2069}", #""\u2066\u2069""#), ("\u{200f}", #""\u200f""#), ("naïve…\u{1f600}", "naïve…\u{1f600}"),
    (String(repeating: "x", count: 1_024), String(repeating: "x", count: 1_024)),
    (String(repeating: "x", count: 1_025), "\"" + String(repeating: "x", count: 1_024) + "…\""),
  ]) func aValueStaysOneWordOnOneLine(_ row: (value: String, written: String)) {
    #expect(quotedForLog(row.value) == row.written)
  }
}

@Suite struct LogBudgetTests {
  private static let second = LogBudget.span
  private static let end = MonotonicTime(nanoseconds: second)

  @Test func aSecondHasRoomForSoManyLinesOfAKind() {
    var budget = LogBudget()
    var written = 0
    for step in 0..<10_000 where budget.admits("noise", at: MonotonicTime(nanoseconds: Int64(step))) { written += 1 }
    #expect(written == LogBudget.lines(.usual))
    #expect(budget.nextReport == Self.end)
    #expect(budget.takeReports(at: Self.end - 1).isEmpty)
    let reports = budget.takeReports(at: Self.end)
    #expect(reports.map(\.kind) == ["noise"] && reports.map(\.lines) == [10_000 - written])
    #expect(budget.nextReport == nil)
  }

  @Test func aKindThatIsQuietIsNotLeftOut() {
    var budget = LogBudget()
    for _ in 0..<1_000 { _ = budget.admits("noise", at: 0) }
    let isQuietWritten = budget.admits("quiet", at: 1)
    let isNoiseWritten = budget.admits("noise", at: 1)
    #expect(isQuietWritten && !isNoiseWritten)
    #expect(budget.takeReports(at: .max).map(\.kind) == ["noise"])
  }

  @Test func theNextSecondHasRoomAgain() {
    var budget = LogBudget()
    for second in 0..<5 {
      for step in 0..<100 {
        let isWritten = budget.admits("even", at: MonotonicTime(nanoseconds: Int64(second) * Self.second + Int64(step)))
        #expect(isWritten)
      }
    }
    #expect(budget.nextReport == nil && budget.takeReports(at: .max).isEmpty)
  }
}

@Suite struct PeerRolesTests {
  private func roles(_ members: [HeaderConfig.Member], user: UInt32, group: UInt32 = 5000, further: [UInt32] = [])
    -> Roles
  {
    var roles = Config().roles
    roles.publish = members.map { Grant($0) }
    roles.subscribe = []
    roles.tune = []
    roles.admin = []
    return PeerRoles(roles).access(user: user, groups: [group] + further).roles
  }

  @Test func theDefaultsAreForRootAndTheDaemonsUser() {
    let roles = PeerRoles(Config().roles)
    #expect(roles.access(user: 0, groups: [5000]) == Access())
    #expect(roles.access(user: geteuid(), groups: [5000]) == Access())
    #expect(roles.access(user: 4_000_000, groups: [0]) == Access([]))
    #expect(roles.unknownNames == [])
  }

  @Test func eachKindOfMember() {
    #expect(roles([.anyone], user: 77) == .publish)
    #expect(roles([.uid(77)], user: 77) == .publish)
    #expect(roles([.uid(77)], user: 78) == [])
    #expect(roles([.gid(9)], user: 77, group: 9) == .publish)
    #expect(roles([.gid(9)], user: 9, group: 10) == [])
    #expect(roles([.gid(9)], user: 77, group: 10, further: [8, 9]) == .publish)
    #expect(roles([.uid(9)], user: 77, further: [9]) == [])
    #expect(roles([.named("root")], user: 0) == .publish)
    #expect(roles([], user: 0) == [])
  }

  @Test func aNameThatIsNobodysIsTold() {
    var roles = Config().roles
    roles.admin = [Grant(.named("nobody-has-this-name")), Grant(.uid(77))]
    let peers = PeerRoles(roles)
    #expect(peers.unknownNames == ["nobody-has-this-name"])
    #expect(peers.access(user: 77, groups: [1]).roles == .admin)
  }

  @Test func rolesForSomeHeaders() {
    var roles = Config().roles
    roles.publish = [Grant(.anyone, headers: ["user%U.**", "shared"]), Grant(.gid(9), headers: ["team.*"])]
    roles.subscribe = [Grant(.anyone, headers: ["a"]), Grant(.uid(77))]
    let peers = PeerRoles(roles)
    let one = peers.access(user: 77, groups: [9])
    #expect(one.roles == [.publish, .subscribe, .tune])
    #expect(one.globs(of: .publish) == ["user77.**", "shared", "team.*"])
    for (name, mayPublish) in [
      ("user77.a", true), ("user77.a.b", true), ("user78.a", false), ("shared", true), ("team.x", true),
      ("else", false),
    ] {
      #expect(one.allows(.publish, header: name) == mayPublish, "\(name)")
      // Nobody is named for it, so it is as for publishers.
      #expect(one.allows(.tune, header: name) == mayPublish, "\(name)")
      #expect(one.allows(.subscribe, header: name) && !one.allows(.admin, header: name))
    }
    let other = peers.access(user: 78, groups: [1])
    #expect(!other.allows(.publish, header: "team.x") && other.allows(.publish, header: "user78.x"))
    #expect(!other.maySee("user77.a") && other.maySee("a") && !other.hasEverywhere(.subscribe))
  }

  @Test func quotasOfUsers() {
    var quotas = UserQuotas()
    quotas.users = [
      .init(name: "uid:77", member: .uid(77), amounts: [.connections: .count(3), .headers: .percent(1)]),
      .init(name: "uid:0", member: .uid(0), amounts: [.connections: .count(10)]),
      .init(name: "nobody-has-this-name", member: .userNamed("nobody-has-this-name"), amounts: [:]),
    ]
    var limits = Limits()
    limits.connections = 7
    limits.headers = 50
    let peers = PeerRoles(Config().roles, quotas, limits: limits)
    #expect(peers.unknownMembers.map(\.path) == ["quotas.users.nobody-has-this-name"])
    let usual = peers.quotas(of: 4_000_000)
    #expect(usual[.connections] == 3 && usual[.headers] == 25 && usual[.eventsPerSecond] == 250_000)
    let special = peers.quotas(of: 77)
    #expect(special[.connections] == 3 && special[.headers] == 1 && special[.subscriptions] == usual[.subscriptions])
    let root = peers.quotas(of: 0)
    #expect(root[.connections] == 10 && root[.headers] == .max && root[.memoryBytes] == .max)
  }
}

@Suite struct PreparedPlaceTests {
  @Test func aFreePlaceIsTakenAsItIs() throws {
    let folder = try TemporaryFolder()
    try prepare(SocketPath(path: folder("s"), origin: .option))
    #expect(!TestFiles.exists(folder("s")))
  }

  @Test func aFileIsNeverTouched() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("precious", to: "s")
    #expect(throws: StartupError.self) { try prepare(SocketPath(path: file, origin: .option)) }
    #expect(TestFiles.exists(file))
  }

  @Test func theRuntimeFolderIsMadeForItsOwnerAlone() throws {
    let folder = try TemporaryFolder()
    let place = SocketPath(path: folder("headerd/headerd.sock"), origin: .runtimeFolder)
    try prepare(place)
    #expect(TestFiles.mode(folder("headerd")) == 0o700)
    // The second time it is there already.
    try prepare(place)
  }

  @Test func aFolderUnderAFileIsTold() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "file")
    #expect(throws: StartupError.self) {
      try prepare(SocketPath(path: "\(file)/headerd/headerd.sock", origin: .runtimeFolder))
    }
  }

  /// Under /tmp somebody else may have been first.
  @Test func aFolderThatOthersMayEnterIsNotUsed() throws {
    let folder = try TemporaryFolder()
    let place = SocketPath(path: folder("shared/headerd.sock"), origin: .temporaryFolder)
    _ = try folder.folder("shared", mode: 0o755)
    let error = #expect(throws: StartupError.self) { try prepare(place) }
    #expect(error?.message.contains("mode 0700") == true, "\(error?.message ?? "")")
  }
}
