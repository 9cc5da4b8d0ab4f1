// SPDX-License-Identifier: MIT
//
// Plugins in processes that mean harm: what they share with the daemon, what they say, what they print. The daemon and the headers
// of others notice nothing. Each is tried with the landlock of this kernel, with that of Debian 12's (2) and without any (0).

import DaemonTestKit
import Foundation
import Testing

@Suite struct HostilePluginTests {
  private static let versions: [Int?] = [nil, 2, 0]

  /// A daemon with the headers `bad`, `beside` in the same process, and `far` in the daemon itself.
  private func daemon(landlock: Int? = nil, more: String = "") throws -> (RunningDaemon, WireClient) {
    let daemon = try WorkerTests.daemon(more: more, landlock: landlock)
    let client = try daemon.client()
    for (name, behavior) in [("bad", "Crasher"), ("beside", "Crasher"), ("far", "ShyNavBar")] {
      _ = try client.result("header.open", WorkerTests.opening(name, behavior))
      _ = try client.result("event", WorkerTests.scroll(name, 1, 10))
    }
    return (daemon, client)
  }

  private func drawers(_ client: WireClient, _ header: String) throws -> String {
    try client.result("header.get", #"{"header":"\#(header)"}"#)["state"]["drawers"].description
  }

  /// The page cannot become shorter: the daemon reads it all the time.
  @Test(arguments: [16, 17], versions) func thePageKeepsItsSize(_ act: Int, _ landlock: Int?) throws {
    let (daemon, client) = try daemon(landlock: landlock)
    _ = try client.result("event", WorkerTests.scroll("bad", 2, 1000 + act))
    for time in 3...40 {
      for name in ["bad", "beside", "far"] {
        #expect(try client.result("event", WorkerTests.scroll(name, time, time))["seq"].int != nil)
      }
    }
    #expect(try client.result("stats")["workers"]["deaths"].int == 0)
    try daemon.kill()
  }

  /// The daemon's copy of a plugin's code cannot be written: the next processes and headers have it as it was.
  @Test(arguments: versions) func theCodeStaysAsItIs(_ landlock: Int?) throws {
    let (daemon, client) = try daemon(landlock: landlock, more: "headersPerProcess = 2")
    _ = try client.result("event", WorkerTests.scroll("bad", 2, 1018))
    _ = try client.result("header.open", WorkerTests.opening("next"))
    _ = try client.result("event", WorkerTests.scroll("next", 1, 10))
    #expect(try drawers(client, "next") == drawers(client, "beside"))
    #expect(try client.result("stats")["workers"]["processes"].int == 2)
    #expect(try client.result("stats")["workers"]["deaths"].int == 0)
    try daemon.kill()
  }

  /// A process that says that it begins with one order after the other, and has one, is ended at the deadline.
  @Test func whoPretendsToGoOnIsEnded() throws {
    let (daemon, client) = try daemon()
    let answer = try client.request("event", WorkerTests.scroll("bad", 2, 1019))
    #expect([nil, "behaviorFailed"].contains(answer["error"]["data"]["name"].string))
    #expect(try client.result("event", WorkerTests.scroll("beside", 2, 20))["seq"].int == 3)
    #expect(daemon.errors.contains("it did not return within 1 s"))
    #expect(daemon.errors.contains("event=delegateBypassed header=bad delegate=crasher"))
    // Also while something is waited for.
    _ = try client.result("plugin.reload", #"{"plugin":"Crasher"}"#)
    try client.write("{\"method\":\"event\",\"params\":\(WorkerTests.scroll("bad", 3, 1019))}\n")
    _ = try client.result("header.configure", #"{"header":"bad","environment":{"reduceMotion":true}}"#)
    try daemon.kill()
  }

  /// Processes that end with no plugin running tell nobody's name. All headers but the one that it is are kept.
  @Test(arguments: versions) func oneHeaderAloneIsGivenUp(_ landlock: Int?) throws {
    let (daemon, client) = try daemon(landlock: landlock)
    let others = (1...6).map { "other\($0)" }
    for name in others {
      _ = try client.result("header.open", WorkerTests.opening(name))
      _ = try client.result("event", WorkerTests.scroll(name, 1, 10))
    }
    let before = try drawers(client, "beside")
    _ = try client.result("event", WorkerTests.scroll("bad", 2, 1020))
    #expect(try daemon.process.waitForErrors(containing: "event=headerLost header=bad"))
    #expect(try client.refusal("header.get", #"{"header":"bad"}"#)["data"]["name"].string == "headerNotFound")
    #expect(try drawers(client, "beside") == before)
    for name in others + ["beside"] {
      #expect(try client.result("event", WorkerTests.scroll(name, 2, 20))["seq"].int == 3)
      #expect(try drawers(client, name) != before)
    }
    let lost = daemon.errors.split(separator: "\n").filter { $0.contains("event=headerLost") }
    #expect(lost.count == 1 && lost[0].contains("header=bad"), "\(lost)")
    #expect(!daemon.errors.contains("delegateBypassed"))
    // A new header of that name goes to a process without those that were with it.
    _ = try client.result("header.open", WorkerTests.opening("bad"))
    _ = try client.result("event", WorkerTests.scroll("bad", 1, 10))
    #expect(try drawers(client, "bad") == before)
    try daemon.kill()
  }

  /// What a header's delegate has written beyond its memory ends the process anywhere: others are not blamed for it.
  @Test func whatAnotherHeaderHasSpoiledIsNotTheirs() throws {
    if TestFiles.isSanitized { return }
    let (daemon, client) = try daemon()
    let others = (1...6).map { "other\($0)" }
    for name in others { _ = try client.result("header.open", WorkerTests.opening(name)) }
    for time in 2...12 {
      _ = try client.request("event", WorkerTests.scroll("bad", time, 1005))
      for name in others + ["beside"] {
        #expect(try client.result("event", WorkerTests.scroll(name, time, time * 3))["seq"].int ?? 0 > 1)
      }
    }
    for name in others + ["beside"] {
      #expect(!daemon.errors.contains("event=headerLost header=\(name)"))
      #expect(!daemon.errors.contains("event=delegateBypassed header=\(name)"))
    }
    try daemon.kill()
  }

  /// What a plugin prints stands in the log as such, in lines that are escaped and of which there are not too many.
  @Test func whatItPrintsIsNoLineOfTheLog() throws {
    let (daemon, client) = try daemon()
    _ = try client.result("event", WorkerTests.scroll("bad", 2, 1021))
    _ = try client.result("event", WorkerTests.scroll("beside", 2, 20))
    #expect(try daemon.process.waitForErrors(containing: "event=pluginPrinted"))
    _ = try client.request("event", WorkerTests.scroll("bad", 3, 1022))
    #expect(try daemon.process.waitForErrors(containing: "event=delegateBypassed"))
    let lines = daemon.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("time=") && !$0.contains("\u{1b}") })
    #expect(!lines.contains { $0.contains("level=error event=forged") && !$0.contains("event=pluginPrinted") })
    #expect(lines.contains { $0.contains("event=pluginPrinted plugins=Crasher") && $0.contains("\\u001b[2Jcleared") })
    #expect(daemon.errors.utf8.count < 200_000)
    try daemon.kill()
  }
}
