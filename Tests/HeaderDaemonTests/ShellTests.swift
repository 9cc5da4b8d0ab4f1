// SPDX-License-Identifier: MIT
//
// The shell's few decisions, each by itself: how a value stands in a log line, who has which role, and what is done with
// the place where the daemon shall listen.

import DaemonTestKit
import Glibc
import HeaderConfig
import HeaderCore
import HeaderService
import Testing

@testable import HeaderDaemon

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
    #expect(DaemonLog.quoted(row.value) == row.written)
  }
}

@Suite struct LogBudgetTests {
  private static let second = LogBudget.span

  @Test func aSecondHasRoomForSoManyLinesOfAKind() {
    var budget = LogBudget()
    var written = 0
    for step in 0..<10_000 where budget.admits("noise", at: Int64(step)) { written += 1 }
    #expect(written == LogBudget.lines(.usual))
    #expect(budget.nextReport == Self.second)
    #expect(budget.takeReports(at: Self.second - 1).isEmpty)
    let reports = budget.takeReports(at: Self.second)
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
        let isWritten = budget.admits("even", at: Int64(second) * Self.second + Int64(step))
        #expect(isWritten)
      }
    }
    #expect(budget.nextReport == nil && budget.takeReports(at: .max).isEmpty)
  }
}

@Suite struct PeerRolesTests {
  private func roles(_ members: [Member], user: UInt32, group: UInt32 = 5000, further: [UInt32] = []) -> Roles {
    var roles = Config.defaults.roles
    roles.publish = members
    roles.subscribe = []
    roles.admin = []
    return PeerRoles(roles).roles(user: user, groups: [group] + further)
  }

  @Test func theDefaultsAreForRootAndTheDaemonsUser() {
    let roles = PeerRoles(Config.defaults.roles)
    #expect(roles.roles(user: 0, groups: [5000]) == .all)
    #expect(roles.roles(user: geteuid(), groups: [5000]) == .all)
    #expect(roles.roles(user: 4_000_000, groups: [0]) == [])
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
    var roles = Config.defaults.roles
    roles.admin = [.named("nobody-has-this-name"), .uid(77)]
    let peers = PeerRoles(roles)
    #expect(peers.unknownNames == ["nobody-has-this-name"])
    #expect(peers.roles(user: 77, groups: [1]) == .admin)
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
    #expect(throws: SocketPlaceError.self) { try prepare(SocketPath(path: file, origin: .option)) }
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
    #expect(throws: SocketPlaceError.self) {
      try prepare(SocketPath(path: "\(file)/headerd/headerd.sock", origin: .runtimeFolder))
    }
  }

  /// Under /tmp somebody else may have been first.
  @Test func aFolderThatOthersMayEnterIsNotUsed() throws {
    let folder = try TemporaryFolder()
    let place = SocketPath(path: folder("shared/headerd.sock"), origin: .temporaryFolder)
    _ = try folder.folder("shared", mode: 0o755)
    let error = #expect(throws: SocketPlaceError.self) { try prepare(place) }
    #expect(error?.reason.contains("mode 0700") == true, "\(error?.reason ?? "")")
  }
}
