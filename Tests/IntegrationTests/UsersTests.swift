// SPDX-License-Identifier: MIT
//
// Several users on one daemon: what each may do and take is decided by what the kernel says of a connection's process.

import DaemonTestKit
import Foundation
import Testing

@Suite(.enabled(if: OtherUser.missing == nil, Comment(rawValue: OtherUser.missing ?? "")))
struct UsersTests {
  private static let (alice, bob) = (4_001, 4_002)

  private func daemon(_ config: String, openFiles: Int? = nil, threads: Int? = nil) throws -> RunningDaemon {
    let daemon = try RunningDaemon(
      config: "[socket]\nmode = \"0666\"\n" + config, threads: threads, openFiles: openFiles)
    // Others may reach the socket.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.folder.path)
    return daemon
  }

  private func opening(_ name: String) -> String { Conversation.opening.replacing("\"main\"", with: "\"\(name)\"") }

  @Test(arguments: [1, 2]) func eachUserHasHeadersOfTheirOwn(_ threads: Int) throws {
    let daemon = try daemon(
      """
      [roles]
      publish = ["self", { user = "any", headers = ["user%U.**"] }]
      subscribe = ["self", { user = "uid:\(Self.alice)", headers = ["user%U.**", "shared"] }, { group = "gid:\(Self.bob)", headers = ["user%U.**"] }]
      [quotas]
      headers = 2
      [quotas.users]
      "uid:\(Self.bob)" = { headers = 1 }
      """, threads: threads)
    let root = try daemon.client()
    let (alice, bob) = (try OtherUser(Self.alice, daemon), try OtherUser(Self.bob, daemon))
    let welcome = try alice.request("hello", #"{"protocol":1}"#)["result"]
    #expect(welcome["roles"].strings == ["publish", "subscribe", "tune"])
    #expect(welcome["roleHeaders"]["subscribe"].strings == ["user\(Self.alice).**", "shared"])
    for user in [alice, bob] { _ = try user.request("subscribe", #"{"headers":"**","mode":"every"}"#) }
    #expect(try alice.request("header.open", opening("user\(Self.alice).a"))["error"].isAbsent)
    #expect(try alice.request("header.open", opening("user\(Self.alice).b"))["error"].isAbsent)
    #expect(try bob.request("header.open", opening("user\(Self.bob).a"))["error"].isAbsent)
    _ = try root.result("header.open", opening("shared"))

    let foreign = try bob.request("header.close", #"{"header":"user\#(Self.alice).a"}"#)["error"]
    #expect(foreign["data"]["name"].string == "notPermitted" && foreign["data"]["user"].int == Self.bob)
    #expect(foreign["data"]["roleHeaders"]["publish"].strings == ["user\(Self.bob).**"])
    let tooMany = try bob.request("header.open", opening("user\(Self.bob).b"))["error"]["data"]["limit"]
    #expect(tooMany["name"].string == "headers" && tooMany["used"].int == 1 && tooMany["value"].int == 1)
    #expect(tooMany["user"].int == Self.bob && tooMany["key"].string == "quotas.headers")
    #expect(
      try alice.request("header.open", opening("user\(Self.alice).c"))["error"]["data"]["limit"]["value"].int == 2)
    for index in 0..<4 { _ = try root.result("header.open", opening("root\(index)")) }

    #expect(try names(alice) == ["shared", "user\(Self.alice).a", "user\(Self.alice).b"])
    #expect(try names(bob) == ["user\(Self.bob).a"])
    // A ping comes behind the states of all threads.
    for user in [alice, bob] { _ = try user.request("ping") }
    #expect(try Set(states(alice)) == Set(names(alice)) && Set(states(bob)) == Set(names(bob)))
    try checkUse(daemon, bob)
  }

  private func names(_ user: OtherUser) throws -> [String] {
    try user.request("header.list")["result"]["headers"].list.compactMap { $0["header"].string }
  }

  private func states(_ user: OtherUser) throws -> [String] {
    try user.notifications().filter { $0["method"].string == "state" }.compactMap { $0["params"]["header"].string }
  }

  /// Root sees everybody, others themselves.
  private func checkUse(_ daemon: RunningDaemon, _ bob: OtherUser) throws {
    let own = try bob.request("stats")["result"]["users"].list
    #expect(own.map { $0["user"].int } == [Self.bob])
    let table = try runProgram("headerctl", ["users", "--json", "--socket", daemon.socket])
    let rows = try table.output.split(separator: "\n").map { try JSON(String($0)) }
    #expect(rows.map { $0["user"].int } == [0, Self.alice, Self.bob])
    #expect(rows.map { $0["used"]["headers"].int } == [5, 2, 1])
    #expect(rows[0]["allowed"].keys == [] && rows[1]["allowed"]["headers"].int == 2)
    let people = try runProgram("headerctl", ["users", "--socket", daemon.socket]).output
    #expect(people.contains("root ") && people.contains("\(Self.bob) ") && people.contains("1 of 1"), "\(people)")
  }

  @Test func anAdministratorGetsInWhenTheLimitIsReached() throws {
    let daemon = try daemon("[limits]\nconnections = 20\n[roles]\npublish = [\"any\"]\n")
    let before = try daemon.client()
    // Half of what there is for one user.
    let alice = try OtherUser(Self.alice, daemon, held: 30)
    #expect(try alice.refusedOfHeld() == 20)
    let bob = try OtherUser(Self.bob, daemon, held: 30)
    #expect(try bob.refusedOfHeld() == 21)
    let admins = try (0..<9).map { _ in try daemon.client() }
    let ended = try admins.map { try $0.settle().ended }
    #expect(ended == [Bool](repeating: false, count: 8) + [true])
    #expect(try before.result("stats")["users"].list.map { $0["used"]["connections"].int } == [9, 10, 9])
  }

  @Test func anAdministratorGetsInWhenDescriptorsAreUsedUp() throws {
    let daemon = try daemon("[roles]\npublish = [\"any\"]\n", openFiles: 60)
    let alice = try OtherUser(Self.alice, daemon, held: 80)
    let refused = try alice.refusedOfHeld()
    #expect(refused > 20 && refused < 80)
    let admins = try (0..<8).map { _ in try daemon.client() }
    let last = try admins.map { try $0.settle() }
    #expect(last.allSatisfy { !$0.ended }, "\(last)")
    #expect(try admins[0].result("plugin.load", #"{"plugin":"ShyNavBar"}"#)["plugin"].string == "ShyNavBar")
    #expect(try daemon.process.waitForErrors(containing: "too many open files (EMFILE)"))
  }

  /// Somebody connects again and again at the limit: those who are connected get every state.
  @Test func aStormOfConnectionsHoldsUpNobody() throws {
    let daemon = try daemon("[limits]\nconnections = 16\n[roles]\npublish = [\"any\"]\n")
    let (publisher, subscriber) = (try daemon.client(), try daemon.client())
    _ = try publisher.result("header.open", Conversation.opening)
    _ = try subscriber.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    let holder = try OtherUser(Self.bob, daemon, held: 7)
    #expect(try holder.refusedOfHeld() == 0)
    let storm = try OtherUser(Self.bob, daemon, storm: 3_000)
    var seq = 0
    for step in 1...600 {
      let y = Double(step * 7 % 90) - 103.5 + (step % 2 == 0 ? 20 : 0)
      try publisher.write(
        #"{"method":"event","params":{"header":"main","event":"didScroll","time":\#(step),"offset":{"y":\#(y)}}}"#
          + "\n")
      let state = try subscriber.notification("state") { $0["seq"].int ?? 0 > seq }
      #expect(seq == 0 || state["seq"].int == seq + 1)
      seq = state["seq"].int ?? 0
    }
    #expect(try storm.refusedOfStorm() >= 2_999)
    let stats = try publisher.result("stats")
    #expect(stats["gaps"].int == 0)
    #expect(
      daemon.errors.contains("connectionRefused") && daemon.errors.contains("user \(Self.bob) has 8 of 8 connections"))
  }
}
