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
    for group in ["header", "plugin"] { try prompt.done("\(group) --help") }
    try prompt.expectGolden("help.txt")
  }

  @Test func helpHasManyNames() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let help = try prompt.done("stream --help")
    #expect(try prompt.done("stream -h") == help)
    #expect(try prompt.done("help").contains("Commands:"))
    #expect(try prompt.done("--version") == "headerctl 0.2.0\n")
    #expect(try prompt.done("stream --version") == "headerctl 0.2.0\n")
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
      "header call main expand '{'",
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
    let rows = help.components(separatedBy: "\nCommands:\n").last?.components(separatedBy: "\n\n").first ?? ""
    return lines(rows).filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
  }
}
