// SPDX-License-Identifier: MIT
//
// What tests of headerctl share: the real program beside a real daemon in a folder of their own, and transcripts of what
// it said, to be compared with the kept ones.

import DaemonTestKit
import Foundation
import Testing

/// headerctl at a prompt. What it is asked and what it says is written down.
final class Prompt {
  /// nil: there is none, and the socket's path leads nowhere.
  let daemon: RunningDaemon?
  let folder: TemporaryFolder
  private(set) var transcript = ""

  init(daemon: Bool = true, plugins: [String] = ["ShyNavBar", "StretchyHeader"], config: String? = nil) throws {
    if daemon {
      let running = try RunningDaemon(config: config, plugins: plugins)
      (self.daemon, folder) = (running, running.folder)
    } else {
      self.daemon = nil
      folder = try TemporaryFolder()
      try RunningDaemon.providePlugins(plugins, in: folder)
    }
  }

  var environment: [String: String] {
    let own = ["HEADERD_SOCKET": folder("headerd.sock"), "HEADERD_PLUGIN_PATH": folder("plugins"), "TERM": "xterm"]
    return own.merging(withoutLeakSearch) { $1 }
  }

  /// Starts headerctl.
  func start(_ arguments: [String], input: ChildInput = .none) throws -> ChildProcess {
    try startProgram("headerctl", arguments, environment: environment, input: input)
  }

  /// Runs headerctl to its end. Words stand between blanks; those in quotes stay together.
  @discardableResult
  func callAsFunction(_ line: String, input: String? = nil) throws -> Finished {
    var source = ChildInput.none
    if let input { source = .file(try folder.write(input, to: "stdin")) }
    let end = try runProgram("headerctl", Self.words(line), environment: environment, input: source)
    transcript += "$ headerctl \(line)\n"
    if let input { transcript += lines(input, after: "< ") }
    transcript += lines(end.output) + lines(end.errors, after: "! ")
    if end.status != 0 { transcript += "[\(end.status)]\n" }
    return end
  }

  /// Runs it; it must have done its work.
  @discardableResult
  func done(_ line: String, input: String? = nil) throws -> String {
    let end = try self(line, input: input)
    #expect(end.status == 0, "headerctl \(line): \(end.errors)")
    return end.output
  }

  /// Compares the transcript with the kept one.
  func expectGolden(_ name: String, beside file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    var text = scrubbed(transcript, folder: folder.path)
    let rules = [
      (#""clockSecondOfMinute":( ?)[0-9.]+"#, "\"clockSecondOfMinute\":$1SECOND"), (#"[0-9.]+ µs"#, "N µs"),
      (#"memory( +)[0-9.]+ .iB"#, "memory$1SIZE"), (#"bytes(Received|Sent)( +)[0-9]+"#, "bytes$1$2N"),
      (#"calls [0-9]+, time [0-9.e-]+"#, "calls N, time SECONDS"), (#"\nusers( +)[^ \n]+"#, "\nusers$1USER"),
    ]
    for (pattern, replacement) in rules {
      text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    let difference = try Golden(name, beside: file).difference(to: text)
    #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
  }

  private func lines(_ text: String, after mark: String = "") -> String {
    guard !text.isEmpty else { return "" }
    let whole = text.hasSuffix("\n") ? String(text.dropLast()) : text + "⌁"
    return whole.split(separator: "\n", omittingEmptySubsequences: false).map { "\(mark)\($0)\n" }.joined()
  }

  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }
}

/// Files of the repository.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    .standardized.path
  static let scroll = "\(root)/config/demo/scroll.jsonl"

  static func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
}

/// A header as most tests open it.
let mainHeader =
  "header open main --behavior ShyNavBar --drawer navBar:44 --drawer extension:40 --inset 64 --status-bar 20 --frames events"

/// A drag upward over so many points, a point a step.
func drag(_ steps: Int, from time: Double = 1) -> String {
  var lines = [#"{"event":"willBeginDragging","time":\#(time)}"#]
  for step in 1...steps {
    lines.append(#"{"event":"didScroll","time":\#(time + Double(step) / 64),"offset":{"y":\#(-104 + 4 * step)}}"#)
  }
  return lines.joined(separator: "\n") + "\n"
}

/// The lines of a text.
func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

/// A text without what differs between two lives of a header.
func withoutEpoch(_ text: String) -> String {
  text.replacingOccurrences(of: #""epoch":\d+"#, with: "\"epoch\":0", options: .regularExpression)
}
