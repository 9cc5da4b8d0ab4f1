// SPDX-License-Identifier: MIT
//
// What good command lines mean, and what wrong ones are told, word for word.

import CommandLineKit
import Testing

@Test func aProgramWithoutCommands() throws {
  let empty = try #require(try run(in: daemon))
  #expect(empty.command == [])
  #expect(empty[config] == nil)
  #expect(!empty.has(checkConfig))
  let full = try #require(try run("--config=/a=b", "--check-config", "--socket", "-s", in: daemon))
  #expect(full[config] == "/a=b")
  #expect(full[socket] == "-s")
  #expect(full.has(checkConfig))
}

@Test func optionsBeforeAndAfterTheCommand() throws {
  for line in [
    ["--socket", "/s", "--json", "stream", "--rate", "60", "main", "f"],
    ["stream", "main", "--socket=/s", "f", "--rate=60", "--json"],
    ["--json", "--json", "stream", "--rate", "6e1", "--socket", "/s", "--", "main", "f"],
  ] {
    guard case .run(let invocation) = try client.parse(line) else { continue }
    #expect(invocation.command == ["stream"])
    #expect(invocation[socket] == "/s")
    #expect(invocation.has(json))
    #expect(invocation[rate] == 60)
    #expect(invocation[count] == nil)
    #expect(invocation.required(header) == "main")
    #expect(invocation[file] == "f")
  }
}

@Test func nestedCommandsAndRepeatedOptions() throws {
  let open = try #require(try run("header", "open", "main", "--set", "a=1", "--set=b=--2", "-"))
  #expect(open.command == ["header", "open"])
  #expect(open.all(set) == ["a=1", "b=--2"])
  #expect(open[set] == "b=--2")
  #expect(open[file] == "-")
  #expect(try run("header", "list")?.command == ["header", "list"])
}

@Test func wordsThatLookLikeOptions() throws {
  let shifted = try #require(try run("shift", "main", "-5", "-.5", "3"))
  #expect(shifted.all(shift) == [-5, -0.5, 3])
  let ended = try #require(try run("header", "open", "--", "--json", "--"))
  #expect(ended.required(header) == "--json")
  #expect(ended[file] == "--")
  #expect(!ended.has(json))
}

@Test func choicesAndRests() throws {
  let subscription = try #require(try run("subscribe", "--mode", "every", "a", "b.*", "--count=3"))
  #expect(subscription[mode] == .every)
  #expect(subscription[count] == 3)
  #expect(subscription.all(headers) == ["a", "b.*"])
  #expect(try run("kind", "latest")?.required(kind) == .latest)
  #expect(try run("shift", "main")?.all(shift) == [])
}

@Test func helpAndVersionWinOverWhatIsMissing() throws {
  #expect(try client.parse(["--version"]) == .print("headerctl 0.1.0\n"))
  #expect(try client.parse(["header", "--version"]) == .print("headerctl 0.1.0\n"))
  #expect(try client.parse(["--help"]) == .print(client.help()))
  #expect(try client.parse(["help"]) == .print(client.help()))
  #expect(try client.parse(["stream", "-h"]) == .print(client.help(for: ["stream"])))
  #expect(try client.parse(["help", "header", "open"]) == .print(client.help(for: ["header", "open"])))
  #expect(try client.parse(["--socket", "x", "--completions", "bash"]) == client.parse(["--completions", "bash"]))
}

@Test(arguments: [
  (["--sokcet", "stream"], #"unknown option "--sokcet". Did you mean "--socket"?"#),
  (["stream", "--sokcet=/s"], #"unknown option "--sokcet" for "stream". Did you mean "--socket"?"#),
  (["header", "open", "--nothing"], #"unknown option "--nothing" for "header open""#),
  (["-x"], #"unknown option "-x""#),
  (["stream", "--completions", "bash"], #"unknown option "--completions" for "stream""#),
  (["--rate", "5", "stream"], #"option "--rate" belongs to "stream" and must stand after it"#),
  (["header", "--set", "a"], #"option "--set" belongs to "header open" and must stand after it"#),
  (["strem", "x"], #"unknown command "strem". Did you mean "stream"?"#),
  (["header", "lst"], #"unknown command "lst" for "header". Did you mean "list"?"#),
  (["open"], #"unknown command "open". Did you mean "header open"?"#),
  (["frob\n"], #"unknown command "frob\n""#),
  ([], "expected a command: header, stream, subscribe, shift, kind, ping"),
  (["header"], #"expected a command after "header": list, open"#),
  (["--socket"], #"option "--socket" needs a value: PATH, a path"#),
  (["--socket", "-h"], #"option "--socket" needs a value: PATH, a path"#),
  (["ping", "--socket", "--json"], #"option "--socket" for "ping" needs a value: PATH, a path"#),
  (["stream", "a", "--rate"], #"option "--rate" for "stream" needs a value: N, a number from 1 to 1000"#),
  (["--json=yes", "ping"], #"option "--json" takes no value, got "yes""#),
  (["--socket", "a", "ping", "--socket=b"], #"option "--socket" for "ping" was given twice"#),
  (["--socket=", "ping"], #"option "--socket": expected a path, got """#),
  (["stream", "--rate=fast"], #"option "--rate" for "stream": expected a number from 1 to 1000, got "fast""#),
  (["stream", "--rate", "nan"], #"option "--rate" for "stream": expected a number from 1 to 1000, got "nan""#),
  (["stream", "--rate=0x10"], #"option "--rate" for "stream": expected a number from 1 to 1000, got "0x10""#),
  (["stream", "--count", "-1"], #"option "--count" for "stream": expected an integer of at least 1, got "-1""#),
  (["stream", "--count=1.5"], #"option "--count" for "stream": expected an integer of at least 1, got "1.5""#),
  (
    ["subscribe", "--mode", "evry"],
    #"option "--mode" for "subscribe": expected one of latest, every, got "evry". Did you mean "every"?"#
  ),
  (["kind", "evry"], #"KIND for "kind": expected one of latest, every, got "evry". Did you mean "every"?"#),
  (["shift", "a", "1", "b"], #"Y for "shift": expected a number, got "b""#),
  (["stream"], #""stream" needs HEADER: The header's name."#),
  (["subscribe"], #""subscribe" needs HEADER: Names or globs."#),
  (["stream", "a", "b", "c"], #"unexpected argument "c" for "stream""#),
  (["ping", "now"], #"unexpected argument "now" for "ping""#),
])
func wrongLines(_ words: [String], _ sentence: String) {
  #expect(complaint(words) == "headerctl: \(sentence)")
}

@Test func wrongLinesOfTheDaemon() {
  #expect(complaint(["start"], in: daemon) == #"headerd: unexpected argument "start""#)
  #expect(complaint(["--config"], in: daemon) == #"headerd: option "--config" needs a value: FILE, a path"#)
}

@Test func errorsKnowTheirCommand() throws {
  let error = try #require(throws: UsageError.self) { try client.parse(["header", "open", "--sokcet"]) }
  #expect(error.command == ["header", "open"])
  #expect(error.sentence == #"unknown option "--sokcet" for "header open""#)
  #expect(error.suggestion == "--socket")
  #expect(error.hint == "see 'headerctl header open --help'")
  let outer = try #require(throws: UsageError.self) { try client.parse(["strem"]) }
  #expect(outer.hint == "see 'headerctl --help'")
}
