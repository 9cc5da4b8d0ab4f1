// SPDX-License-Identifier: MIT
//
// What headerctl says about itself, and about command lines that it does not understand. None of it needs a daemon.

import DaemonTestKit
import Foundation
import Testing

@Suite struct HelpTests {
  @Test func everyCommandHasItsHelp() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    try prompt.done("--help")
    for command in try commands() { try prompt.done("\(command) --help") }
    for group in ["header", "delegate", "plugin", "journal"] { try prompt.done("\(group) --help") }
    try prompt.expectGolden("help.txt")
  }

  @Test func helpHasManyNames() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let help = try prompt.done("stream --help")
    #expect(try prompt.done("stream -h") == help)
    #expect(try prompt.done("help").contains("\nEveryday:\n  demo "))
    for line in ["-h", "header -h", "header open -h", "stream main --speed 2 -h"] {
      let long = line.replacingOccurrences(of: "-h", with: "--help", options: .backwards)
      #expect(try prompt.done(line) == prompt.done(long), "\(line)")
    }
    #expect(try prompt("stream --speed -h").errors == prompt("stream --speed --help").errors)
    #expect(try prompt.done("--version") == "headerctl 0.2.0\n")
    #expect(try prompt.done("stream --version") == "headerctl 0.2.0\n")
  }

  /// Every command ends its help with an example, and the examples are command lines that it understands.
  @Test func everyCommandHasAnExample() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    for command in try commands() {
      let help = try prompt.done("\(command) --help")
      let last = try #require(help.components(separatedBy: "\n\n").last)
      #expect(last.hasPrefix("Example"), "\(command)")
      let examples = lines(last).dropFirst()
      #expect(!examples.isEmpty, "\(command)")
      for example in examples {
        #expect(example.hasPrefix("  headerctl \(command)"), "\(example)")
        #expect(try prompt.done("\(example.dropFirst("  headerctl ".count)) --help") == help, "\(example)")
      }
    }
  }

  /// What an option may be, and what it is without it, stand in its help.
  @Test func choicesAndDefaultsAreShown() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    for (command, shown) in [
      ("ping", "(default: 5)"), ("header open", "One of: live, events, manual. (default: live)"),
      ("header open", "(default: 375x667)"), ("header open", "(default: 4000)"), ("doctor", "(default: 1)"),
      ("plugin new", "One of: swift, c, rust. (default: swift)"), ("stream", "(default: 1)"),
    ] {
      let help = try prompt.done("\(command) --help").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(help.contains(shown), "\(command) \(shown)")
    }
  }

  @Test func wrongCommandLinesAreToldWithWhatWouldDo() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let wrong = [
      "", "straem", "header", "header opne", "header list a b", "stream", "stream main file extra", "--sokcet x status",
      "status --count 3", "--count 3 ping", "ping --count", "ping --count 0", "ping --count many",
      "stream main --sped 2",
      "stream main --speed 0", "stream main --speed fast", "stream main --fast=1", "stream main --speed 2 --speed 3",
      "stream main --speed 2 --fast", "demo --speed 2 --fast", "subscribe", "subscribe main --mode evry",
      "subscribe main --resume-from main", "watch",
      "--completions tcsh", "plugin new", "plugin new slideAway", "plugin new SlideAway --language go",
      "--socket", "header open main --option a=1", "header open main --behavior B --option a",
      "header open main --drawer navBar", "header open main --drawer navBar:tall", "header open main --viewport 375",
      "header open ./main.json --drawer navBar:44", "header configure main nonsense", "header configure main []",
      "header call main expand '{'", "open main.json", "list", "get main",
      #"header open main --behavior B --option 'drawers=[{drawer:"a"}]'"#,
      "delegate configure main b --option 'drawers=[1,'", "header open main --header a",
      "header open x.toml --viewport 1x1",
    ]
    for line in wrong {
      let end = try prompt(line)
      #expect(end.status == 2, "headerctl \(line)")
      #expect(end.output.isEmpty, "headerctl \(line)")
    }
    try prompt.expectGolden("usage.txt")
  }

  @Test func programsGetTheErrorObject() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    for line in [
      "--json straem", "stream main --fast --speed 2 --json", "--json status", "--json replay nowhere.jsonl",
    ] {
      let end = try prompt(line)
      let error = try JSON(end.output)
      let message = try #require(error["message"].string)
      #expect(error["code"].int == -32000 && end.errors.contains(message), "\(line)")
    }
    try prompt.expectGolden("error-objects.txt")
  }

  /// The commands as the program's own help lists them.
  private func commands() throws -> [String] {
    let help = try runProgram("headerctl", ["--help"]).output
    let start = try #require(help.range(of: "\nEveryday:\n")).upperBound
    let end = try #require(help.range(of: "\nOptions:\n")).lowerBound
    let rows = help[start..<end]
    return lines(String(rows)).filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
  }
}
