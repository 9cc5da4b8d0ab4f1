// SPDX-License-Identifier: MIT
//
// More than the daemon can take at once: those who come while it is busy wait and are served; those for whom there is
// nothing left are told so; of those who send rubbish the log has some; and who asks without taking the answers is not
// listened to until he does.

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

  /// The daemon stops reading, so that the client's own sends stop and what it is owed stays bounded. With several threads
  /// the answers of one connection may come from another thread than the one that reads it.
  @Test(arguments: [1, 2]) func whoTakesNoAnswersIsNotReadFrom(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: "[limits]\nqueueBytes = 65536\n", threads: threads)
    let onlooker = try daemon.client()
    // A first one, so that what is allocated once counts for nobody.
    _ = try daemon.client().result("header.open", LifeTests.opening)
    let before = try onlooker.result("stats")
    let asker = try daemon.client()
    let request = Array(#"{"id":1,"method":"header.get","params":{"header":"main"}}"#.utf8) + [0x0A]
    var (sent, refusals) = (0, 0)
    // What the kernel keeps for both directions, and what one read brings, is less than a tenth of this.
    let plenty = 8 << 20
    // It has stopped when nothing more fits although the daemon has had many turns.
    while sent < plenty, refusals < 50 {
      let count = asker.writeWhatFits(Array(request[(sent % request.count)...]))
      sent += count
      if count > 0 {
        refusals = 0
      } else {
        refusals += 1
        // All threads stand still for this one, at the end of a turn.
        _ = try onlooker.result("stats")
      }
    }
    #expect(sent < plenty, "\(sent) bytes were taken from one who takes nothing")
    let after = try onlooker.result("stats")
    let received = (after["bytesReceived"].int ?? 0) - (before["bytesReceived"].int ?? 0)
    #expect(received < 1 << 20, "\(received) bytes were read")
    if !TestFiles.isSanitized {
      let grown = (after["memory"].int ?? 0) - (before["memory"].int ?? 0)
      #expect(grown < 4 << 20, "\(grown) bytes of memory")
    }
    // It takes them: all of what it asked is answered.
    for _ in 0..<(sent / request.count) { #expect(try asker.line()?.contains(#""result":"#) == true) }
    if sent % request.count > 0 {
      try asker.write(Array(request[(sent % request.count)...]))
      #expect(try asker.line()?.contains(#""result":"#) == true)
    }
    #expect(try asker.settle().lines == [])
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

  /// Each of a hundred clients sends a hundred lines that are no messages, all of them at once. Under a sanitizer that takes so
  /// long that nothing needs to be left out.
  @Test(.enabled(if: !TestFiles.isSanitized)) func aHundredBadClientsDoNotFillTheLog() throws {
    let daemon = try RunningDaemon()
    let clients = try (0..<100).map { _ in try daemon.client() }
    let garbage = [
      "{\"id\":1,\"method\":\"nothing\"}\n", "{\"method\":\"event\"}\n", "{\"method\":\n",
      "{\"id\":1,\"method\":\"header.open\",\"params\":7}\n", "{}\n",
    ]
    for round in 0..<100 {
      for (index, client) in clients.enumerated() { try client.write(garbage[(round + index) % garbage.count]) }
    }
    var answers = 0
    for client in clients {
      answers += try client.settle().lines.count
      // Read, so that the daemon never waits for room for a line.
      _ = daemon.errors
    }
    #expect(answers == 10_000)
    #expect(try daemon.process.waitForErrors(containing: "event=linesLeftOut"))
    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    // Of each kind a hundred in each second, however many seconds this machine takes.
    let lines = daemon.errors.split(separator: "\n").count
    #expect(lines < answers / 2, "\(lines) lines")
  }

  /// A second thread has some for itself.
  @Test(arguments: [(threads: 1, openFiles: 40), (threads: 2, openFiles: 56)])
  func whoGetsNoDescriptorIsToldSoAndTheLogSaysIt(_ row: (threads: Int, openFiles: Int)) throws {
    let daemon = try RunningDaemon(threads: row.threads, openFiles: row.openFiles)
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

  /// There is no number left but the spare one, so that accepting itself fails.
  @Test func whoCannotEvenBeAcceptedIsToldSo() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    _ = try client.result("stats")
    func allow(openFiles: Int) throws {
      let prlimit = try Process.run(
        URL(filePath: "/usr/bin/prlimit"), arguments: ["--pid", "\(daemon.process.pid)", "--nofile=\(openFiles):4096"])
      prlimit.waitUntilExit()
      try #require(prlimit.terminationStatus == 0)
    }
    let folder = "/proc/\(daemon.process.pid)/fd"
    let idle = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap(Int.init).filter {
      $0 > 2 && (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == "/dev/null"
    }
    try allow(openFiles: try #require(idle.max()) + 1)
    for _ in 0..<3 {
      let (lines, ended) = try daemon.client().settle()
      #expect(ended && lines.count == 1 && lines.first?.contains("limitExceeded") == true, "\(lines)")
    }
    #expect(daemon.errors.contains("too many open files (EMFILE)"))
    // Listening goes on.
    try allow(openFiles: 1024)
    #expect(try !daemon.client().settle().ended)
  }
}
