// SPDX-License-Identifier: MIT
//
// More than the daemon can take at once: those who come while it is busy wait, and are served.

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
}
