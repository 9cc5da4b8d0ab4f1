// SPDX-License-Identifier: MIT
//
// Help as it appears, and completions as bash takes them.

import CommandLineKit
import Foundation
import Testing

@Test func helpOfAProgramWithoutCommands() {
  #expect(
    daemon.help() == """
      Usage: headerd [--config FILE] [--socket PATH] [--check-config] [--version] [--help]

      Owns the truth about every collapsing header.

      Signals: SIGHUP reads the config again.

      Options:
        --config FILE        The config file, instead of those that are looked for.
        --socket PATH        The daemon's socket.
        --check-config       Tell what is wrong with the config and end.
        --completions SHELL  Print a completion script for a shell: bash.
        --version            Print the version.
        --help               Print this help.

      """)
}

@Test func helpOfAProgramWithCommands() {
  #expect(
    client.help() == """
      Usage: headerctl [--socket PATH] [--json] [--version] [--help] COMMAND

      Talks to headerd.

      Commands:
        header list  List open headers.
        header open  Open a header from a description.
        stream       Send scroll events to a header.
        subscribe    Print states.
        shift        Move content.
        kind         Take a choice.
        ping         Ask whether the daemon lives.

      Options:
        --socket PATH        The daemon's socket.
        --json               Print JSON, one object a line.
        --completions SHELL  Print a completion script for a shell: bash.
        --version            Print the version.
        --help               Print this help.

      'headerctl COMMAND --help' tells more about a command.

      """)
}

@Test func helpOfACommand() {
  #expect(
    client.help(for: ["stream"]) == """
      Usage: headerctl stream [--rate N] [--count N] HEADER [FILE]

      Send scroll events to a header.

      Events are read one JSON object a line, in the protocol's words, and sent as they come. Without a
      rate they go out as fast as the daemon takes them.

      A second paragraph.

      Arguments:
        HEADER  The header's name.
        FILE    A recording; stdin if absent or "-".

      Options:
        --rate N   Events a second.
        --count N  End after so many.

      Options of every command:
        --socket PATH  The daemon's socket.
        --json         Print JSON, one object a line.
        --version      Print the version.
        --help         Print this help.

      """)
}

@Test func helpOfAGroup() {
  #expect(
    client.help(for: ["header"]) == """
      Usage: headerctl header COMMAND

      Works with headers.

      Commands:
        list  List open headers.
        open  Open a header from a description.

      Options of every command:
        --socket PATH  The daemon's socket.
        --json         Print JSON, one object a line.
        --version      Print the version.
        --help         Print this help.

      'headerctl header COMMAND --help' tells more about a command.

      """)
}

@Test func usageOfRepeatsAndRests() {
  #expect(
    client.help(for: ["header", "open"]).hasPrefix("Usage: headerctl header open [--set NAME=VALUE]… HEADER [FILE]\n"))
  #expect(client.help(for: ["subscribe"]).hasPrefix("Usage: headerctl subscribe [--mode MODE] [--count N] HEADER…\n"))
  #expect(client.help(for: ["shift"]).hasPrefix("Usage: headerctl shift HEADER [Y…]\n"))
}

@Test func longLinesWrapAtAHundred() {
  let words = String(repeating: "word ", count: 60)
  let options = (1...9).map { Option("a-long-name-\($0)", "PLACEHOLDER", .text, words, repeats: $0 > 8) }
  let wide = Option("a-name-that-is-wider-than-its-column", "WIDE", .text, words)
  let program = Program(
    Command("p", words, discussion: words, options: options + [wide]), version: "1", suggest: { _, _ in nil })
  let lines = program.help().split(separator: "\n", omittingEmptySubsequences: false)
  #expect(lines.allSatisfy { $0.count <= 100 && $0.last != " " })
  #expect(lines.contains { $0.count > 95 })
}

/// What bash proposes for the last word of a line.
func completions(_ words: String..., script: String = client.bashCompletions()) throws -> [String] {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(filePath: "/bin/bash")
  let list = (["headerctl"] + words).map { "'\($0)'" }.joined(separator: " ")
  process.arguments = [
    "--norc", "-uc",
    "\(script)\nCOMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _headerctl; printf '%s\\n' \"${COMPREPLY[@]}\"",
  ]
  process.standardOutput = output
  try process.run()
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

@Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
func bashCompletes() throws {
  #expect(try completions("s") == ["stream", "subscribe", "shift"])
  #expect(try completions("header", "") == ["list", "open", "--socket", "--json", "--version", "--help"])
  #expect(try completions("--socket", "stream", "header", "o") == ["open"])
  #expect(try completions("header", "open", "--s") == ["--socket", "--set"])
  #expect(try completions("--socket", "=", "x", "subscribe", "--mode", "") == ["latest", "every"])
  #expect(try completions("subscribe", "--mode", "=", "e") == ["every"])
  #expect(try completions("subscribe", "--mode", "=") == ["latest", "every"])
  #expect(try completions("stream", "--rate", "") == [])
  #expect(try completions("kind", "e") == ["every"])
  #expect(try completions("--completions", "") == ["bash"])
  #expect(try completions("stream", "--comp") == [])
  #expect(try completions("--socket", "/et") == ["/etc"])
}
