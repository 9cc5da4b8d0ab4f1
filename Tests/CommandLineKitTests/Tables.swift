// SPDX-License-Identifier: MIT
//
// Two tables like those of the programs, for all tests here; and a stand-in for the edit distance, which is not ours.

import CommandLineKit

enum Mode: String, CaseIterable { case latest, every }

let socket = Option("socket", "PATH", .file, "The daemon's socket.")
let config = Option("config", "FILE", .file, "The config file, instead of those that are looked for.")
let json = Flag("json", "Print JSON, one object a line.")
let checkConfig = Flag("check-config", "Tell what is wrong with the config and end.")
let mode = Option("mode", "MODE", ValueType<Mode>.choice, "What a slow reader gets.", default: .every)
let rate = Option("rate", "N", .number(in: 1...1000), "Events a second.", absent: "as they come")
let count = Option("count", "N", .integer(in: 1 ... .max), "End after so many.")
let set = Option("set", "NAME=VALUE", .text, "An option of the behavior.", repeats: true)
let header = Positional("HEADER", .name(of: "header"), "The header's name.")
let headers = Positional("HEADER", .name(of: "header"), "Names or globs.", .rest(atLeast: 1))
let file = Positional("FILE", .file, "A recording; stdin if absent or \"-\".", .optional)
let shift = Positional("Y", .number(), "How far, in points; negative expands.", .rest(atLeast: 0))
let kind = Positional("KIND", ValueType<Mode>.choice, "What to take.")

/// Knows the few misspellings of the tests.
let suggest: Program.Suggest = { name, candidates in
  let meant = ["--sokcet": "--socket", "strem": "stream", "lst": "list", "evry": "every"][name]
  return meant.flatMap { candidates.contains($0) ? $0 : nil }
}

let daemon = Program(
  Command(
    "headerd", "Owns the truth about every collapsing header.", discussion: "Signals: SIGHUP reads the config again.",
    options: [config, socket, checkConfig]), version: "0.1.0", suggest: suggest)

/// The headers that there are.
let names: Program.FindNames = { kind, line, word in
  kind == "header" ? [Candidate("main", "shy"), Candidate("side=")] + line.all(set).map { Candidate($0) } : []
}

let client = Program(
  Command(
    "headerctl", "Talks to headerd.", options: [socket, json],
    commands: [
      Command(
        "header", "Works with headers.", section: "Headers",
        commands: [
          Command("list", "List open headers."),
          Command("open", "Open a header from a description.", options: [set], positionals: [header, file]),
        ]),
      Command(
        "stream", "Send scroll events to a header.",
        discussion: """
          Events are read one JSON object a line, in the protocol's words, and sent as they come. Without a rate they go
          out as fast as the daemon takes them.

          A second paragraph.
          """,
        example: "headerctl stream main --rate 60", section: "Everyday", options: [rate, count],
        positionals: [header, file]),
      Command("subscribe", "Print states.", section: "Everyday", options: [mode, count], positionals: [headers]),
      Command("shift", "Move content.", positionals: [header, shift]),
      Command("kind", "Take a choice.", positionals: [kind]),
      Command("ping", "Ask whether the daemon lives."),
    ]), version: "0.1.0", suggest: suggest, names: names)

/// What a command line runs; nil (and a failed test where it is used) if it prints or is wrong.
func run(_ line: String..., in program: Program = client) throws -> Invocation? {
  if case .run(let invocation) = try program.parse(line) { invocation } else { nil }
}

/// What a wrong command line is told.
func complaint(_ words: [String], in program: Program = client) -> String {
  do {
    return "\(try program.parse(words))"
  } catch {
    return "\(error)"
  }
}
