// SPDX-License-Identifier: MIT
//
// Epochs of a daemon without a journal grow from one start to the next, whatever the wall clock says.

import DaemonTestKit
import Foundation
import Testing

@Suite struct EpochTests {
  private let folder: TemporaryFolder
  private var socket: String { folder("headerd.sock") }
  private var file: String { socket + ".epoch" }

  init() throws {
    folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
  }

  private func start(threads: Int = 1, _ environment: [String: String] = [:]) throws -> RunningDaemon {
    try RunningDaemon(
      in: folder, socket: socket, arguments: ["--socket", socket, "--threads", "\(threads)"],
      environment: environment)
  }

  /// The epochs of headers on all threads.
  private func epochs(of daemon: RunningDaemon) throws -> [Int] {
    let client = try daemon.client()
    return try ["a", "b", "c", "d"].map {
      try #require(try client.result("header.open", PluginTests.opening($0, "ShyNavBar"))["epoch"].int)
    }
  }

  /// With fewer and with more threads than before, after a kill and after an end in order.
  @Test(.enabled(if: !TestFiles.isSanitized)) func theyGrowThoughTheClockIsSetBackAYear() throws {
    let library = folder("wall-clock.so")
    try runTool(
      try #require(Toolchain.c),
      ["-shared", "-fPIC", "-o", library, "\(Toolchain.sources)/Tests/IntegrationTests/Preloaded/wall-clock.c"])
    var last = 0
    for (years, threads, isKilled) in [(0, 2, true), (-1, 1, true), (-2, 4, false), (-3, 1, false), (0, 1, false)] {
      let daemon = try start(
        threads: threads, ["LD_PRELOAD": library, "CLOCK_SHIFT": "\(years * 365 * 86_400)"])
      let epochs = try epochs(of: daemon)
      #expect(epochs.allSatisfy { $0 > last }, "\(years) years: \(epochs) after \(last)")
      last = epochs.max() ?? last
      if isKilled { try daemon.kill() }
    }
    #expect(TestFiles.mode(file) == 0o600)
  }

  /// Without a journal alone: a journal has the epochs itself.
  @Test func withAJournalThereIsNoFile() throws {
    let daemon = try RunningDaemon(
      in: folder, socket: socket, arguments: ["--socket", socket, "--state", folder("state")])
    _ = try epochs(of: daemon)
    #expect(!TestFiles.exists(file))
  }

  private static let most = 1 << 52

  /// What is no epoch is ignored, with a message; the next start finds epochs again.
  @Test(arguments: [
    ("nonsense\n", true), ("\(String(repeating: "9", count: 20))\n", true), ("0000\(most + 1)\n", true),
    ("00009007199254740991\n", true), ("-0000000000000000001\n", true), ("\u{0}\u{ff}\n", true),
    (String(repeating: "7", count: 200), true), ("", false), ("\n\n", false),
  ])
  func damageIsIgnored(_ row: (content: String, isTold: Bool)) throws {
    try folder.write(row.content, to: "headerd.sock.epoch")
    let before = Int(Date().timeIntervalSince1970 * 1e6)
    var daemon: RunningDaemon? = try start()
    let first = try epochs(of: try #require(daemon))
    #expect(first.allSatisfy { $0 >= before && $0 < before + 3_600_000_000 })
    #expect(daemon?.errors.contains("event=epochsDamaged") == row.isTold)
    daemon = nil
    let next = try start()
    #expect(try epochs(of: next)[0] > first[3])
    #expect(!next.errors.contains("event=epochsDamaged"))
  }

  /// One line that can be read is enough, and the largest epoch of a file leaves as many as there were before it.
  @Test func theLargestLineCounts() throws {
    try folder.write("nonsense\n0000\(Self.most)\n00000000000000000007\n", to: "headerd.sock.epoch")
    let epochs = try epochs(of: try start())
    #expect(epochs == [1, 2, 3, 4].map { Self.most + $0 })
  }

  /// Files of others and what is no file are left alone.
  @Test(arguments: ["link", "FIFO", "folder", "large"]) func whatIsNoFileOfItsIsLeftAlone(_ what: String) throws {
    let precious = try folder.write("precious", to: "precious")
    switch what {
    case "link": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: precious)
    case "FIFO": #expect(unsafe mkfifo(file, 0o600) == 0)
    case "folder": _ = try folder.folder("headerd.sock.epoch")
    default: try folder.write(String(repeating: "0", count: 1 << 17), to: "headerd.sock.epoch")
    }
    let daemon = try start()
    #expect(try epochs(of: daemon)[0] > 0)
    #expect(daemon.errors.contains("event=epochsNotKept"))
    #expect(TestFiles.text(precious) == "precious")
  }
}
