// SPDX-License-Identifier: MIT
//
// headerd-simulate: random lives of whole daemons, seed after seed, in processes of its own, so that a life that ends its process is
// a finding like any other. What fails is shrunk and printed as a test. Exit status: 0 nothing failed, 1 something did, 2 usage.

import CommandLineKit
import Foundation
import HeaderModel
import Simulation

/// What the command line says.
enum Usage {
  static let seeds = Option("seeds", "FIRST..<LAST", .text, "Which lives (default: 1..<1000)")
  static let time = Option("time", "SECONDS", .integer(in: 1...10_000_000), "Go on for so long, from the first seed on")
  static let jobs = Option(
    "jobs", "COUNT", .integer(in: 1...256), "Processes at once (default: one for each processor)")
  static let script = Option("script", "FILE", .file, "Live this one life instead")
  static let batch = Option(
    "batch", "FIRST..<LAST", .text, "What a process of its own does: live these and say how it goes")
  static let record = Option(
    "record", "SEED", .text, "What a process of its own does: print the script of a seed as it happens")

  static let program = Program(
    Command(
      "headerd-simulate", "Random lives of whole daemons, from seeds",
      discussion:
        "A life is what clients, threads, disks and clocks do, in any order; what must hold is in Tests/Simulation.",
      options: [seeds, time, jobs, script, batch, record]),
    version: "headerd-simulate", suggest: { nearest(to: $0, in: $1) })

  static func range(_ text: String) -> Range<UInt64>? {
    let ends = text.components(separatedBy: "..<").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
  }
}

func main() throws -> Int32 {
  let invocation: Invocation
  switch try Usage.program.parse(Array(CommandLine.arguments.dropFirst())) {
  case .print(let text):
    print(text)
    return 0
  case .run(let parsed): invocation = parsed
  }
  if let file = invocation[Usage.script] { return try liveScript(file) }
  if let seeds = invocation[Usage.batch].flatMap(Usage.range) { return try liveBatch(seeds) }
  if let seed = invocation[Usage.record].flatMap(UInt64.init) {
    _ = try Lives.live(seed, note: say)
    return 0
  }
  guard let seeds = Usage.range(invocation[Usage.seeds] ?? "1..<1000") else {
    FileHandle.standardError.write(Data("headerd-simulate: --seeds has the form 100..<2000\n".utf8))
    return 2
  }
  let jobs = invocation[Usage.jobs] ?? ProcessInfo.processInfo.activeProcessorCount
  var run = Run(first: seeds.lowerBound, last: invocation[Usage.time] == nil ? seeds.upperBound : .max, jobs: jobs)
  if let time = invocation[Usage.time] { run.deadline = Date(timeIntervalSinceNow: Double(time)) }
  return run.run()
}

/// Each line is out before what it says happens.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func liveScript(_ file: String) throws -> Int32 {
  let complaints = try Simulation.complaints(of: Script(String(contentsOfFile: file, encoding: .utf8)))
  for complaint in complaints { print(complaint) }
  return complaints.isEmpty ? 0 : 1
}

func liveBatch(_ seeds: Range<UInt64>) throws -> Int32 {
  let plugins = MappedPlugins()
  for seed in seeds {
    say("seed \(seed)")
    let outcome = try Lives.live(seed, with: plugins)
    if let first = outcome.complaints.first { say("failed \(seed) \(first)") }
    say("done \(seed) \(outcome.simulated) \(outcome.script.actions.count)")
  }
  return 0
}

do { exit(try main()) } catch {
  FileHandle.standardError.write(Data("headerd-simulate: \(error)\n".utf8))
  exit(2)
}
