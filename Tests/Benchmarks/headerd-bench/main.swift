// SPDX-License-Identifier: MIT
//
// headerd-bench: what an event costs, part by part. Exit status: 0 measured, 1 a threshold is exceeded or something could
// not be measured, 2 usage.

import CommandLineKit
import Glibc
import HeaderModel
import HeaderWire
import PluginHost

enum Bench {
  static let plugins = Option("plugins", "FOLDER", .file, "Where the built plugins are (default: beside this program)")
  static let thresholds = Option(
    "thresholds", "FILE", .file, "Fail when instructions or allocations are above the file's")
  static let only = Option("only", "WORKLOAD", .text, "Measure this one alone, or these", repeats: true)
  static let once = Option("once", "WORKLOAD", .text, "Do nothing but run this workload, COUNT times; for a profiler")
  static let json = Flag("json", "Print one JSON object")
  static let noInstructions = Flag("no-instructions", "Leave out callgrind, which takes most of the time")
  static let growth = Flag("growth", "Count how requests grow with headers and subscribers; needs valgrind")
  static let cell = Option("growth-cell", "HEADERSxSUBSCRIBERS", .text, "Do nothing but run one size, for callgrind")
  static let count = Positional("COUNT", .integer(in: 1...1_000_000_000), "With --once: how many times", .optional)

  static let program = Program(
    Command(
      "headerd-bench", "What an event costs, part by part",
      discussion: """
        Nanoseconds are CPU time of this process, the median of \(Measuring.rounds) rounds; they vary with the machine's
        mood. Allocations and instructions are counts; instructions need valgrind.
        """,
      options: [plugins, thresholds, only, once, json, noInstructions, growth, cell], positionals: [count]),
    version: "headerd-bench",
    suggest: { nearest(to: $0, in: $1) })

  static var ownPath: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func run() throws -> Int32 {
    let invocation: Invocation
    switch try program.parse(Array(CommandLine.arguments.dropFirst())) {
    case .print(let text):
      print(text)
      return 0
    case .run(let parsed): invocation = parsed
    }
    let folder = invocation[plugins] ?? String(ownPath[..<(ownPath.lastIndex(of: "/") ?? ownPath.endIndex)])
    let registry = PluginRegistry(folders: [folder])
    for name in [
      "ShyNavBar", "CollapsingHeader", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "Keyframes",
      "OriginalDelegate",
    ] { _ = try registry.load(name) }
    if let name = invocation[once] { return try profile(name, invocation[count] ?? 100_000, registry) }
    if let size = invocation[cell] { return try Growth.runCell(size, registry) }
    if invocation.has(growth) { return Growth.run(program: ownPath, plugins: folder) }
    var rows: [Row] = []
    let chosen = try invocation.all(only).map(workload(named:))
    for workload in chosen.isEmpty ? Workload.all : chosen {
      var cost = Measuring.cost(of: try workload.make(registry), events: workload.events)
      if !invocation.has(noInstructions) {
        cost.instructions = Measuring.instructions(of: workload.name, program: ownPath, plugins: folder)
      }
      rows.append(Row(workload: workload, cost: cost))
    }
    print(invocation.has(json) ? json(.list(rows.map(\.value))) : rows.table)
    guard let file = invocation[thresholds] else { return 0 }
    let exceeded = try Thresholds(try tree(ofFile: file)).exceeded(by: rows)
    for line in exceeded { complain("above its threshold: \(line)") }
    return exceeded.isEmpty ? 0 : 1
  }

  private static func json(_ value: Value) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.copy(), as: UTF8.self)
  }

  private static func profile(_ name: String, _ count: Int, _ registry: PluginRegistry) throws -> Int32 {
    try workload(named: name).make(registry)(count)
    return 0
  }

  private static func workload(named name: String) throws -> Workload {
    guard let found = Workload.all.first(where: { $0.name == name }) else {
      let names = Workload.all.map(\.name).joined(separator: ", ")
      throw HeaderError(.invalidParams, "there is no workload \(name), there are \(names)")
    }
    return found
  }

  private static func tree(ofFile path: String) throws -> Value {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw HeaderError(.invalidParams, "\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe read(file, &bytes, bytes.count)
    return try unsafe bytes[..<max(0, count)].withUnsafeBytes { try unsafe JSONReader.document($0) }
  }

  static func complain(_ text: String) {
    let line = Array("headerd-bench: \(text)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}

do {
  exit(try Bench.run())
} catch let error as UsageError {
  Bench.complain("\(error)\n\(error.hint)")
  exit(2)
} catch let error as HeaderError {
  Bench.complain(error.message)
  exit(1)
} catch {
  Bench.complain("\(error)")
  exit(1)
}
