// SPDX-License-Identifier: MIT
//
// More than the daemon can take at once: those who come while it is busy wait and are served; those for whom there is
// nothing left are told so; and of those who send rubbish the log has some.

import DaemonTestKit
import Foundation
import Testing

@Suite struct OverloadTests {
  @Test func whoComesWhileItIsBusyWaitsAndIsServed() throws {
    let system = Int(TestFiles.text("/proc/sys/net/core/somaxconn").split(separator: "\n").first ?? "") ?? 128
    let daemon = try RunningDaemon()
    try daemon.process.halt()
    defer { daemon.process.signal(SIGCONT) }
    let clients = try (0..<min(500, system)).map { _ in try WireClient(daemon.socket, waits: false) }
    daemon.process.signal(SIGCONT)
    for client in clients { _ = try client.result("ping") }
    #expect(try clients[0].result("stats")["connections"].int == clients.count)
  }

  /// The key still says how many may wait.
  @Test func theBacklogIsAsConfigured() throws {
    let daemon = try RunningDaemon(config: "[socket]\nbacklog = 3\n")
    try daemon.process.halt()
    defer { daemon.process.signal(SIGCONT) }
    var waiting: [WireClient] = []
    #expect(throws: TestFailure.self) {
      while waiting.count < 10 { waiting.append(try WireClient(daemon.socket, waits: false)) }
    }
    #expect(waiting.count < 10)
  }

  @Test func badConnectionsByTheThousandDoNotFillTheLog() throws {
    let daemon = try RunningDaemon()
    let count = 3_000
    for _ in 0..<count {
      let client = try daemon.client()
      try client.write("GET / HTTP/1.1\r\n\r\n")
      client.closeWriting()
      _ = try client.linesToTheEnd()
    }
    // What was left out is told without another line that would bring it.
    let leftOut = /event=linesLeftOut of=(\w+) lines=(\d+)/
    func told() -> Int { daemon.errors.matches(of: leftOut).reduce(0) { $0 + (Int($1.2) ?? 0) } }
    func written() -> Int { daemon.errors.components(separatedBy: "event=unknownOpening").count - 1 }
    #expect(try daemon.process.waitForErrors(containing: "event=linesLeftOut"))
    try eventually("all lines are there, or counted") { written() + told() >= count }
    #expect(written() + told() == count)
    #expect(written() < count / 2, "\(written()) of \(count)")
  }

  @Test func whoGetsNoDescriptorIsToldSoAndTheLogSaysIt() throws {
    let daemon = try RunningDaemon(openFiles: 40)
    var clients = try (0..<80).map { _ in try daemon.client() }
    var served: [WireClient] = []
    var refused = 0
    while let client = clients.popLast() {
      let (lines, ended) = try client.settle()
      guard ended else {
        served.append(client)
        continue
      }
      refused += 1
      try #require(lines.count == 1)
      let error = try JSON(lines[0])
      #expect(error["method"].string == "error" && error["params"]["data"]["name"].string == "limitExceeded")
      #expect(error["params"]["message"].string?.contains("file descriptor") == true)
    }
    try #require(served.count > 2)
    #expect(refused > 40)
    #expect(try daemon.process.waitForErrors(containing: "level=error event=acceptFailed"))
    #expect(daemon.errors.contains("too many open files (EMFILE)"))
    // Those who are there are not touched, its own files can still be opened, and who comes when others have gone is served.
    #expect(try served[0].result("stats")["memory"].int ?? 0 > 0)
    #expect(try served[0].result("plugin.load", #"{"plugin":"ShyNavBar"}"#)["plugin"].string == "ShyNavBar")
    served.removeLast(2)
    try eventually("somebody new is served") { try !daemon.client().settle().ended }
  }
}
