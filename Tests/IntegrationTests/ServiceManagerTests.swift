// SPDX-License-Identifier: MIT
//
// headerd as a service: a parent that hands over a listening socket and is told how it goes, as systemd does.

import DaemonTestKit
import Foundation
import Synchronization
import Testing

@Suite struct ServiceManagerTests {
  @Test(arguments: [false, true]) func aHandedSocketIsServedAndLeftAsItIs(_ isAbstract: Bool) throws {
    let manager = try TestManager(isAbstract: isAbstract)
    let before = try FileManager.default.attributesOfItem(atPath: manager.socket)
    let daemon = try manager.start()
    #expect(manager.told() == ["READY=1", "STATUS=serving on \(manager.socket), 0 headers at start"])
    let client = try WireClient(manager.socket)
    _ = try client.result("header.open", LifeTests.opening)
    #expect(daemon.errors.contains("event=started") && daemon.errors.contains("socket=\(manager.socket)"))
    daemon.signal(SIGTERM)
    #expect(manager.told() == ["STOPPING=1", "STATUS=draining 1 connections"])
    #expect(try daemon.waitForExit() == 0)
    let after = try FileManager.default.attributesOfItem(atPath: manager.socket)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(before[.posixPermissions] as? Int == after[.posixPermissions] as? Int)
    let files = try FileManager.default.contentsOfDirectory(atPath: manager.folder.path).sorted()
    let expected = ["handed.sock", "handed.sock.epoch", "plugins"] + (isAbstract ? [] : ["notify"])
    #expect(files == expected.sorted())
  }

  @Test func aReloadIsToldFromBeginningToEnd() throws {
    let manager = try TestManager()
    let config = try manager.folder.write("[log]\nlevel = \"info\"\n", to: "headerd.toml")
    let daemon = try manager.start(["--config", config])
    _ = manager.told()
    for (text, status) in [
      ("[log]\nlevel = \"debug\"\n", "STATUS=serving on \(manager.socket)"),
      ("[log]\nlevel = 7\n", "STATUS=the config has a mistake, the old one is in force"),
    ] {
      try manager.folder.write(text, to: "headerd.toml")
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      daemon.signal(SIGHUP)
      let first = try #require(manager.told())
      #expect(first.count == 3 && first[0] == "RELOADING=1" && first[2] == "STATUS=reading the config")
      let time = try #require(first[1].split(separator: "=").last.flatMap { Int($0) })
      let began = now.tv_sec * 1_000_000 + now.tv_nsec / 1000
      #expect(first[1].hasPrefix("MONOTONIC_USEC=") && time >= began && time < began + 60_000_000)
      #expect(manager.told() == ["READY=1", status])
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
  }

  /// A watchdog that never barks is the largest number that there is.
  @Test func aWatchdogMayWaitForEver() throws {
    let manager = try TestManager(plugins: [])
    let daemon = try manager.start([], environment: ["WATCHDOG_USEC": "\(Int64.max)"])
    #expect(manager.told()?.first == "READY=1")
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
  }

  @Test(arguments: [1, 3]) func theWatchdogIsFedAsLongAsAllThreadsTurn(_ threads: Int) throws {
    let manager = try TestManager(plugins: [])
    try compilePlugin(
      "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DHANGS"],
      to: manager.folder("plugins/libMover.so"))
    let daemon = try manager.start(
      ["--threads", "\(threads)"], environment: ["WATCHDOG_USEC": "400000", "WATCHDOG_PID": ""])
    // Another process's watchdog is none of ours.
    #expect(manager.told()?.first == "READY=1")
    #expect(manager.told(within: 0.5) == nil)
    daemon.signal(SIGTERM)
    _ = manager.told()
    #expect(try daemon.waitForExit() == 0)

    let next = try manager.start(["--threads", "\(threads)"], environment: ["WATCHDOG_USEC": "400000"])
    #expect(manager.told()?.first == "READY=1")
    for _ in 1...3 { #expect(manager.told() == ["WATCHDOG=1"]) }
    let client = try WireClient(manager.socket)
    for name in ["a", "b", "c", "d"] {
      _ = try client.result("header.open", PluginTests.opening(name))
      _ = try client.result("event", PluginTests.scroll(name, 1, 10))
    }
    // One of the threads hangs, whichever has this header: what was sent before is received, then comes silence.
    try client.write("{\"method\":\"event\",\"params\":\(PluginTests.scroll("b", 2, 200))}\n")
    #expect(try next.waitForErrors(containing: "hangs"))
    var count = 0
    while manager.told(within: 2) != nil, count < 20 { count += 1 }
    #expect(count < 5)
    next.signal(SIGKILL)
    try next.waitForExit()
  }

  /// Who connects while no daemon runs, or one ends, waits for the next one.
  @Test func aRestartWithTheSocketKeptLosesNoConnectionAttempt() throws {
    let manager = try TestManager()
    let socket = manager.socket
    var daemon = try manager.start()
    let counts = Counts()
    let threads = (0..<4).map { _ in
      Thread {
        while !counts.isOver.load(ordering: .relaxed) {
          guard let client = try? WireClient(socket) else {
            counts.refused.add(1, ordering: .relaxed)
            continue
          }
          // A daemon that is told to stop answers with `bye`, and the client comes again.
          if (try? client.request("ping")) != nil {
            counts.served.add(1, ordering: .relaxed)
          } else {
            counts.sentAway.add(1, ordering: .relaxed)
          }
        }
        counts.ended.add(1, ordering: .relaxed)
      }
    }
    threads.forEach { $0.start() }
    for _ in 1...5 {
      try counts.waitForServed(50)
      daemon.signal(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      daemon = try manager.start()
    }
    try counts.waitForServed(50)
    counts.isOver.store(true, ordering: .relaxed)
    while counts.ended.load(ordering: .relaxed) < threads.count { Thread.sleep(forTimeInterval: 0.001) }
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
    #expect(counts.refused.load(ordering: .relaxed) == 0)
    #expect(counts.served.load(ordering: .relaxed) >= 300)
    // At most those that were connected at the moment.
    #expect(counts.sentAway.load(ordering: .relaxed) <= 5 * threads.count)
  }

  private final class Counts: Sendable {
    let refused = Atomic(0)
    let served = Atomic(0)
    let sentAway = Atomic(0)
    let ended = Atomic(0)
    let isOver = Atomic(false)

    func waitForServed(_ more: Int) throws {
      let (goal, deadline) = (served.load(ordering: .relaxed) + more, Date().addingTimeInterval(watchdogSeconds))
      while served.load(ordering: .relaxed) < goal {
        guard Date() < deadline else { throw TestFailure("nobody is served") }
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
  }

  @Test func whatIsMeantForAnotherProcessIsLeftAlone() throws {
    let manager = try TestManager()
    let daemon = try manager.start(process: "1")
    #expect(manager.told()?.first == "READY=1")
    let own = manager.folder("headerd/headerd.sock")
    #expect(try WireClient(own).request("ping")["error"].isAbsent)
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
    #expect(!TestFiles.exists(own))
  }

  @Test(arguments: [
    ("2", "descriptor 4, handed over by LISTEN_FDS, is no listening Unix stream socket"), ("x", "LISTEN_FDS: expected"),
  ])
  func whatIsNoListeningSocketIsRefused(_ row: (count: String, words: String)) throws {
    let manager = try TestManager()
    let daemon = try manager.start(environment: ["LISTEN_FDS": row.count])
    #expect(try daemon.waitForExit() == 1)
    #expect(daemon.errors.contains(row.words), "\(daemon.errors)")
  }

  @Test func aManagerThatIsGoneIsToldOnceInTheLog() throws {
    let manager = try TestManager()
    let daemon = try manager.start(environment: ["NOTIFY_SOCKET": manager.folder("none")])
    #expect(try daemon.waitForErrors(containing: "event=managerNotTold"))
    #expect(try WireClient(manager.socket).request("ping")["error"].isAbsent)
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
    #expect(daemon.errors.components(separatedBy: "managerNotTold").count == 2)
  }
}
