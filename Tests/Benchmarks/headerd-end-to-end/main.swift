// SPDX-License-Identifier: MIT
//
// headerd-end-to-end: what a state costs from socket to socket, beside the limit and beside brokers. Prints Markdown; with
// --write also leaves end-to-end.json, .md and .svg in a folder. Exit status: 0 measured, 1 something could not be
// measured, 2 usage.

import CommandLineKit
import DaemonTestKit
import Foundation

enum EndToEnd {
  static let quick = Flag("quick", "Three short rounds, headerd and its limit alone, no curves")
  static let crowds = Flag(
    "crowds", "Only: 1,000 of 2,000 subscribers stop reading, and 65,000 connections are tried at a limit of 1,024")
  static let rounds = Option("rounds", "N", .integer(in: 1...99), "Rounds; the servers take turns in each (default: 5)")
  static let seconds = Option("seconds", "SECONDS", .number(in: 0.1...60), "Length of a run (default: 2)")
  static let only = Option("only", "WORKLOAD", .text, "Only workloads with this in their names")
  static let write = Option("write", "FOLDER", .file, "Leave the results there")

  static let program = Program(
    Command(
      "headerd-end-to-end", "What a state costs from socket to socket",
      discussion: """
        Nanoseconds are CPU time of the server's process a delivered state. The servers take turns in each round; ratios are
        those of one round's pair, given as their median (least … most). Machines are noisy: trust ratios.
        """,
      options: [quick, crowds, rounds, seconds, only, write], positionals: []), version: "headerd-end-to-end",
    suggest: { _, _ in nil })

  static func run() throws -> Int32 {
    let invocation: Invocation
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .print(let text):
      print(text)
      return 0
    case .run(let parsed): invocation = parsed
    }
    raiseFileLimit()
    let isQuick = invocation.has(quick)
    let session = Session(
      rounds: invocation[rounds] ?? (isQuick ? 3 : 5), seconds: invocation[seconds] ?? (isQuick ? 0.7 : 2))
    if invocation.has(crowds) {
      for crowd in try session.crowds() { print(crowd.markdown) }
      return 0
    }
    let installed = isQuick ? [] : Server.brokers.filter { $0.program != nil }
    let workloads = Workload.all.filter { workload in invocation[only].map { workload.name.contains($0) } ?? true }
    var report = Report(
      machine: Machine.present,
      command: (["headerd-end-to-end"] + CommandLine.arguments.dropFirst()).joined(separator: " "))
    if !isQuick { report.missing = Server.brokers.filter { $0.program == nil }.map(\.name) }
    for workload in workloads {
      report.workloads.append(
        try session.compare(workload, [.limit, .lines, .frames, .limitFrames], installed))
    }
    for workload in workloads where !isQuick && workload.isPaced {
      report.gathering.append(try session.compare(workload, [.limit, .lines] + Server.gathering, []))
    }
    for workload in workloads where workload.isSpread {
      report.threads.append(try session.compare(workload, Server.threaded, []))
      report.journals.append(try session.compare(workload, [.lines] + Server.journals + [.isolated], []))
    }
    if invocation[only] == nil {
      report.memory = try session.memory()
      report.slow = try session.slowSubscriber(seconds: isQuick ? 1.5 : 6)
      if !isQuick { report.curves = try session.curves() }
    }
    print(report.markdown)
    if let folder = invocation[write] { try report.write(to: folder) }
    return 0
  }

  /// Thousands of sockets at both ends; the servers inherit it.
  private static func raiseFileLimit() {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

do {
  exit(try EndToEnd.run())
} catch let error as UsageError {
  FileHandle.standardError.write(Data("headerd-end-to-end: \(error)\n\(error.hint)\n".utf8))
  exit(2)
} catch {
  FileHandle.standardError.write(Data("headerd-end-to-end: \(error)\n".utf8))
  exit(1)
}
