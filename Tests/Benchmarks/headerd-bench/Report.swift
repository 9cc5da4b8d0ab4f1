// SPDX-License-Identifier: MIT
//
// The figures as a Markdown table or as JSON, and against the thresholds.

import HeaderModel
import HeaderWire

/// One workload's figures.
struct Row {
  var workload: Workload
  var cost: Cost

  var value: Value {
    [
      "workload": .text(workload.name), "meaning": .text(workload.meaning),
      "nanoseconds": [
        "least": .number(rounded(cost.nanoseconds.least)), "median": .number(rounded(cost.nanoseconds.median)),
        "most": .number(rounded(cost.nanoseconds.most)),
      ],
      "instructions": cost.instructions.map { .number(rounded($0)) } ?? .null,
      "allocations": cost.allocations.map { .number($0) } ?? .null,
    ]
  }
}

private func rounded(_ figure: Double) -> Double { (figure * 10).rounded() / 10 }

extension [Row] {
  var table: String {
    var lines = [
      "| workload | ns an event (least … most) | instructions | allocations | what it is |", "|---|---:|---:|---:|---|",
    ]
    for row in self {
      let time = row.cost.nanoseconds
      lines.append(
        "| \(row.workload.name) | \(Int(time.median.rounded())) (\(Int(time.least.rounded())) … \(Int(time.most.rounded()))) "
          + "| \(row.cost.instructions.map { String(Int($0.rounded())) } ?? "–") "
          + "| \(row.cost.allocations.map { "\($0)" } ?? "–") | \(row.workload.meaning) |")
    }
    if let one = first(where: { $0.workload.name == "listeners-1" }),
      let nine = first(where: { $0.workload.name == "listeners-9" })
    {
      var line = "\na plugin call: \(rounded((nine.cost.nanoseconds.median - one.cost.nanoseconds.median) / 8)) ns"
      if let few = one.cost.instructions, let many = nine.cost.instructions {
        line += ", \(rounded((many - few) / 8)) instructions"
      }
      lines.append(line + " (the difference of listeners-9 and listeners-1, by eight)")
    }
    return lines.joined(separator: "\n")
  }
}

/// Bounds that a change must not cross without moving them: `thresholds.json`.
struct Thresholds {
  /// A count may be above its threshold by this share; instruction counts differ a little with the environment's size.
  static let tolerance = 0.03
  private let bounds: Value.Record

  /// - Throws: `invalidParams` when it is no such file.
  init(_ value: Value) throws(HeaderError) {
    guard case .record(let bounds) = value else {
      throw HeaderError(.invalidParams, "the thresholds are no object of workloads")
    }
    self.bounds = bounds
  }

  /// What is above its bound, one line each.
  func exceeded(by rows: [Row]) throws(HeaderError) -> [String] {
    var lines: [String] = []
    for row in rows {
      guard let bound = bounds[row.workload.name] else {
        lines.append("\(row.workload.name): it has no threshold")
        continue
      }
      var fields = try FieldReader(bound, at: Path(row.workload.name))
      let instructions = try fields.required(number: "instructions", of: "instructions")
      let allocations = try fields.required(number: "allocations", of: "allocations")
      if let got = row.cost.instructions, got > instructions * (1 + Self.tolerance) {
        lines.append("\(row.workload.name): \(Int(got.rounded())) instructions, the threshold is \(Int(instructions))")
      }
      if let got = row.cost.allocations, got > allocations + 0.01 {
        lines.append("\(row.workload.name): \(got) allocations, the threshold is \(allocations)")
      }
    }
    return lines
  }
}
