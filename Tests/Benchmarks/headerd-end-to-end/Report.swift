// SPDX-License-Identifier: MIT
//
// The results, as Markdown and as JSON.

import DaemonTestKit
import Foundation

/// Everything that a call of the bench found out.
struct Report: Codable {
  var machine: Machine
  var command: String
  /// Brokers that are not installed.
  var missing: [String] = []
  var workloads: [ComparedWorkload] = []
  /// headerd alone, with one thread and with two.
  var threads: [ComparedWorkload] = []
  var journals: [ComparedWorkload] = []
  /// headerd as it is, without pauses, and with one after each read.
  var gathering: [ComparedWorkload] = []
  var memory: [String: Memory] = [:]
  var slow: SlowSubscriber?
  var curves: [Curve] = []

  init(machine: Machine, command: String) {
    self.machine = machine
    self.command = command
  }

  func write(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: "\(folder)/end-to-end.json"))
    try Data((markdown + "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/end-to-end.md"))
    try Data(chart.utf8).write(to: URL(fileURLWithPath: "\(folder)/end-to-end.svg"))
  }
}

/// Where it was measured.
struct Machine: Codable {
  var processor: String
  var cores: Int
  var system: String

  static var present: Machine {
    let release = TestFiles.text("/proc/sys/kernel/osrelease").prefix { "0123456789.".contains($0) }
    let model = TestFiles.text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
    return Machine(
      processor: model.map { String($0.split(separator: ":").last ?? "").trimmingCharacters(in: .whitespaces) }
        ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount, system: "Linux \(release)")
  }
}

/// One workload, all servers.
struct ComparedWorkload: Codable {
  var name: String
  /// Lines, frames.
  var bounds: [Double]
  var series: [Series]
}

struct SlowSubscriber: Codable {
  /// The others' rate as a share of what it is without a stopped one.
  var share: Double
  /// Bytes that the server grew by, beyond what it does without one.
  var grown: Int
  /// It got the newest state at last, each time.
  var newest: Bool
}

/// What an event costs as something grows.
struct Curve: Codable {
  struct Point: Codable {
    var size: Int
    /// Nanoseconds of the server's CPU an event.
    var cost: Double
  }
  var name: String
  var points: [Point] = []
}

// MARK: - Markdown

extension Report {
  var markdown: String {
    var lines = [
      "\(machine.processor), \(machine.cores) cores, \(machine.system); "
        + "\(workloads.first?.series.first?.rounds.count ?? 0) rounds; `\(command)`", "",
    ]
    if !missing.isEmpty { lines += ["Not installed: \(missing.joined(separator: ", ")).", ""] }
    lines += overview + [""]
    for workload in workloads { lines += workload.table(against: "limit") + [""] }
    if !gathering.isEmpty {
      lines += ["With `gathering` as it is by default, off, and 0.4 ms after each read:", ""]
      for workload in gathering { lines += workload.table(against: "limit") + [""] }
    }
    if !threads.isEmpty {
      lines += ["With one thread and with two, beside the load generator, which is busy as well:", ""]
      for workload in threads { lines += workload.table(against: "1 thread, lines") + [""] }
    }
    if !journals.isEmpty {
      lines += [
        "With a journal, by its durability; and with all headers in a process of their own, whose time counts as well:",
        "",
      ]
      for workload in journals { lines += workload.table(against: "headerd") + [""] }
    }
    if !memory.isEmpty { lines += memoryTable + [""] }
    if let slow {
      lines += [
        "One of 16 subscribers stops reading states of 1 kB: the others keep \(figure(slow.share, 2)) of their rate, the "
          + "daemon grows by \(slow.grown / 1024) KiB, and on waking the stopped one "
          + (slow.newest ? "gets the newest state." : "does NOT get the newest state."), "",
      ]
    }
    for curve in curves {
      lines += [
        "Nanoseconds an event by \(curve.name): "
          + curve.points.map { "\($0.size): \(figure($0.cost, 0))" }.joined(separator: ", "), "",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// CPU a state as a share of the limit's: all workloads and servers.
  private var overview: [String] {
    let names = servers.filter { $0 != "limit" }
    var lines = [
      "| CPU a delivered state ÷ the limit's | " + names.joined(separator: " | ") + " |",
      "|---|" + names.map { _ in "---:|" }.joined(),
    ]
    for workload in workloads {
      let cells = names.map { name in
        guard let series = workload.series.first(where: { $0.server == name }) else { return "–" }
        let bound = name == "headerd" ? workload.bounds[0] : workload.bounds[1]
        return figure(series.ratios.median, 2) + (name.hasPrefix("headerd") ? " (≤ \(figure(bound, 2)))" : "")
      }
      lines.append("| \(workload.name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines
  }

  /// All servers that got through some workload.
  var servers: [String] {
    var names: [String] = []
    for series in workloads.flatMap(\.series) where !names.contains(series.server) { names.append(series.server) }
    return names
  }

  private var memoryTable: [String] {
    ["| bytes resident | idle connection | header, opened | header that has moved |", "|---|---:|---:|---:|"]
      + memory.keys.sorted().map { name in
        let found = memory[name] ?? Memory(connection: 0, header: 0, moved: 0)
        let cells = [found.connection, found.header, found.moved].map { figure($0, 0) }
        return "| \(name) | " + cells.joined(separator: " | ") + " |"
      }
  }
}

extension ComparedWorkload {
  /// - Parameter base: the first server, which the others are compared with.
  fileprivate func table(against base: String) -> [String] {
    var lines = [
      "**\(name)**", "",
      "| server | ns CPU a state | ÷ \(base), median (least … most) | states a second | p50 | p99 | p99.9 µs | peak MiB |",
      "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in series {
      func median(_ value: (Measurement) -> Double) -> Double { one.rounds.map(value).median }
      let ratio =
        "\(figure(one.ratios.median, 2)) (\(figure(one.ratios.min() ?? 0, 2)) … \(figure(one.ratios.max() ?? 0, 2)))"
      lines.append(
        "| \(one.server) | \(figure(median(\.cpu), 0)) | \(ratio) | \(figure(median(\.rate), 0)) | \(figure(median(\.p50), 0)) "
          + "| \(figure(median(\.p99), 0)) | \(figure(median(\.p999), 0)) | \(figure(median { Double($0.peak) } / 1_048_576, 1)) |"
      )
    }
    return lines
  }
}

func figure(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

extension Crowd {
  /// What those who are served notice, in figures.
  var markdown: String {
    func micros(_ runs: [Measurement], _ quantile: (Measurement) -> Double) -> String {
      "\(Int(runs.map(quantile).median)) µs"
    }
    var text = """
      **\(name)**: the others' p99 age is \(micros(with) { $0.p99 }), without \(micros(without) { $0.p99 }), \
      \(change >= 0 ? "+" : "−")\((abs(change) * 1000).rounded() / 10) % in the median of \(with.count) pairs; \
      p50 \(micros(with) { $0.p50 }), without \(micros(without) { $0.p50 }).
      """
    if let bound {
      let grown = with.map { Double($0.grown) }.max() ?? 0
      let isNewest = with.allSatisfy { $0.newest == true }
      text += """
         The daemon grows by \(Int(grown) >> 20) MiB at most, bound \(bound >> 20) MiB; on waking they \
        \(isNewest ? "get" : "do not get") the newest state.
        """
    }
    let storms = with.compactMap(\.storm)
    if !storms.isEmpty {
      let sum = storms.reduce(into: Storm(refused: 0, accepted: 0, failed: 0, missing: 0)) {
        $0.refused += $1.refused
        $0.accepted += $1.accepted
        $0.failed += $1.failed
        $0.missing += $1.missing
      }
      text += """
         \(sum.refused) were refused with the limit, \(sum.accepted) accepted, \(sum.failed) got no answer; \
        \(sum.missing) states are missing of \(with.reduce(0) { $0 + $1.delivered }).
        """
    }
    return text
  }
}
