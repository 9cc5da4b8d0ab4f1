// SPDX-License-Identifier: MIT
//
// Messages as files: what a plugin's author or an administrator is told is an interface, so a changed word shows up in a
// diff. The files in Golden are read case by case and rewritten with SNAP_UPDATE=1; the diff is then the review.
//
//     # a title
//     > what is given            one or several lines
//     < what comes of it         one or several lines

import Foundation
import Testing

/// One case of a golden file.
struct GoldenCase {
  var title: String
  var inputs: [String] = []
  var outputs: [String] = []

  /// The words of the inputs.
  var words: [String] { inputs.flatMap { $0.split(separator: " ").map(String.init) } }
}

/// A golden file.
struct GoldenText {
  let path: String
  /// What stands above the first case.
  var preface = ""
  var cases: [GoldenCase] = []

  /// Reads a file of the folder Golden.
  init(_ name: String) throws {
    path = "\(Project.golden)/\(name)"
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) {
      if line.hasPrefix("# ") {
        cases.append(GoldenCase(title: String(line.dropFirst(2))))
      } else if line.hasPrefix("> ") {
        cases[cases.count - 1].inputs.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("< ") {
        cases[cases.count - 1].outputs.append(String(line.dropFirst(2)))
      } else {
        preface += line + "\n"
      }
    }
  }

  /// Runs every case and compares what comes of it with what is written.
  mutating func check(_ run: (GoldenCase) throws -> [String]) throws {
    for index in cases.indices {
      let told = try run(cases[index])
      #expect(told == cases[index].outputs, "\(cases[index].title)")
      cases[index].outputs = told
    }
    guard ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" else { return }
    var text = preface
    for part in cases {
      text += "\n# \(part.title)\n"
      for line in part.inputs { text += "> \(line)\n" }
      for line in part.outputs { text += "< \(line)\n" }
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
