// SPDX-License-Identifier: MIT
//
// Help as it appears, and what completes a line.

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
        --completions SHELL  Print a completion script for a shell. One of: bash, zsh, fish.
        --version            Print the version.
        --help, -h           Print this help.

      """)
}

@Test func helpOfAProgramWithCommands() {
  #expect(
    client.help() == """
      Usage: headerctl [--socket PATH] [--json] [--version] [--help] COMMAND

      Talks to headerd.

      Headers:
        header list  List open headers.
        header open  Open a header from a description.

      Everyday:
        stream       Send scroll events to a header.
        subscribe    Print states.

      Commands:
        shift        Move content.
        kind         Take a choice.
        ping         Ask whether the daemon lives.

      Options:
        --socket PATH        The daemon's socket.
        --json               Print JSON, one object a line.
        --completions SHELL  Print a completion script for a shell. One of: bash, zsh, fish.
        --version            Print the version.
        --help, -h           Print this help.

      'headerctl COMMAND --help' shows more about a command.

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
        --rate N   Events a second. (default: as they come)
        --count N  End after so many.

      Options of every command:
        --socket PATH  The daemon's socket.
        --json         Print JSON, one object a line.
        --version      Print the version.
        --help, -h     Print this help.

      Example:
        headerctl stream main --rate 60

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
        --help, -h     Print this help.

      'headerctl header COMMAND --help' shows more about a command.

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

@Test func choicesAndDefaultsStandInHelp() {
  #expect(
    client.help(for: ["subscribe"]).contains(
      "  --mode MODE  What a slow reader gets. One of: latest, every. (default: every)\n"))
  #expect(client.help(for: ["kind"]).contains("  KIND  What to take. One of: latest, every.\n"))
}

/// The words that may stand in the place of the last one.
private func completions(_ words: String...) throws -> [String] {
  guard case .print(let text) = try client.parse(["--complete"] + words) else { return ["nothing printed"] }
  return text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
}

@Test func wordsThatMayCome() throws {
  #expect(try completions("s") == ["stream", "subscribe", "shift"])
  #expect(try completions("header", "") == ["list", "open"])
  #expect(try completions("header", "--") == ["--socket", "--json", "--version", "--help"])
  // Where nothing else may come, they are what may.
  #expect(try completions("kind", "every", "").contains("--help"))
  #expect(try completions("--socket", "stream", "header", "o") == ["open"])
  #expect(try completions("header", "open", "--s") == ["--socket", "--set"])
  #expect(try completions("--socket=x", "subscribe", "--mode", "") == ["latest", "every"])
  #expect(try completions("subscribe", "--mode=e") == ["--mode=every"])
  #expect(try completions("subscribe", "--mode=") == ["--mode=latest", "--mode=every"])
  #expect(try completions("stream", "--rate", "") == [])
  #expect(try completions("kind", "e") == ["every"])
  #expect(try completions("kind", "every", "e") == [])
  #expect(try completions("--completions", "") == ["bash", "zsh", "fish"])
  #expect(try completions("stream", "--comp") == [])
  #expect(try completions("strem", "x", "s") == ["stream", "subscribe", "shift"])
  #expect(try completions() == completions(""))
}

@Test func whatComesWithWords() throws {
  func answer(_ words: String...) throws -> Parsed { try client.parse(["--complete"] + words) }
  #expect(try answer("str") == .print("stream\tSend scroll events to a header.\n"))
  // An empty name says that file names would do.
  #expect(try answer("--socket", "/et") == .print("\tfile\n"))
  #expect(try answer("--socket=/et") == .print("\tfile\n"))
  #expect(try answer("stream", "main", "-") == answer("stream", "main", "--"))
  #expect(try answer("stream", "main", "ev") == .print("\tfile\n"))
  // A negative number is an argument, as the parser has it.
  #expect(try answer("stream", "-1", "ev") == .print("\tfile\n"))
  #expect(try answer("kind", "latest", "") == answer("ping", ""))
}

@Test func namesComeFromTheProgram() throws {
  #expect(try completions("stream", "m") == ["main"])
  #expect(try completions("subscribe", "main", "s") == ["side="])
  #expect(try completions("header", "open", "--set", "more=1", "m") == ["main", "more=1"])
  // Options have ended.
  #expect(try completions("stream", "--", "") == ["main", "side="])
}

@Test(arguments: ["bash", "zsh", "fish"]) func everyShellHasAScript(_ shell: String) throws {
  guard case .print(let script) = try client.parse(["--completions", shell]) else { return }
  #expect(script.contains("headerctl --completions \(shell)") && script.hasSuffix("\n") && !script.hasSuffix("\n\n"))
}
