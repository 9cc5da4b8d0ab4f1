// SPDX-License-Identifier: MIT
//
// Every sentence that a wrong config file can earn, word for word and to the column.

import HeaderConfig
import HeaderModel
import Testing

/// What is wrong with a file named `f`, one line a diagnostic; empty if nothing is.
func complaints(about text: String) -> String {
  do {
    _ = try Config.load(bytes: Array(text.utf8).span, file: "f")
    return ""
  } catch {
    return error.description
  }
}

let seconds = "expected a number of seconds greater than 0 and at most 86400"
let mode = "expected permission bits as octal text, such as \"0600\""
let member = "expected \"uid:N\", \"gid:N\", \"self\", \"any\" or a user or group name"
let plugin = "expected a plugin's name such as \"ShyNavBar\", or [\"*\"] alone for all"

struct Mistake: CustomTestStringConvertible {
  var title: String
  var file: String
  var message: String
  var testDescription: String { title }

  init(_ title: String, _ file: String, _ message: String) {
    self.title = title
    self.file = file
    self.message = message
  }
}

@Test(arguments: [
  Mistake("unknown key", "[limits]\nlineByte = 1", "f:2:1: limits.lineByte: unknown key. Did you mean \"lineBytes\"?"),
  Mistake(
    "unknown key in other case", "[limits]\n  linebytes = 1",
    "f:2:3: limits.linebytes: unknown key. Did you mean \"lineBytes\"?"),
  Mistake("unknown key, nothing near", "[log]\ncolor = true", "f:2:1: log.color: unknown key"),
  Mistake("unknown table", "\n[limit]\nlineBytes = 1", "f:2:2: limit: unknown table. Did you mean \"limits\"?"),
  Mistake("headers for header", "[[headers]]", "f:1:3: headers: unknown table. Did you mean \"header\"?"),
  Mistake("key outside of tables", "level = \"info\"", "f:1:1: level: unknown table"),
  Mistake("dotted key", "limits.lineByte = 1", "f:1:8: limits.lineByte: unknown key. Did you mean \"lineBytes\"?"),
  Mistake("table is no table", "socket = 3", "f:1:10: socket: expected a table, got 3"),
  Mistake("list of tables", "[[socket]]", "f:1:1: socket: expected a table, got a list"),
])
func unknownKeys(_ mistake: Mistake) { #expect(complaints(about: mistake.file) == mistake.message) }

@Test(arguments: [
  Mistake(
    "text for a count", "[limits]\nlineBytes = \"12k\"",
    "f:2:13: limits.lineBytes: expected a positive integer, got \"12k\""),
  Mistake("zero", "[limits]\nlineBytes = 0", "f:2:13: limits.lineBytes: expected a positive integer, got 0"),
  Mistake(
    "number for a count", "[limits]\ntraces = 1.5",
    "f:2:10: limits.traces: expected a positive integer, got 1.5"),
  Mistake(
    "too large", "[limits]\ntraces = 2147483648",
    "f:2:10: limits.traces: expected an integer of at most 2147483647, got 2147483648"),
  Mistake(
    "beyond its range", "[limits]\nnestedDepth = 65",
    "f:2:15: limits.nestedDepth: expected an integer from 1 to 64, got 65"),
  Mistake(
    "zero allowed, less not", "[limits]\neventsPerSecond = -1",
    "f:2:19: limits.eventsPerSecond: expected an integer from 0 to 1000000000, got -1"),
  Mistake(
    "more than the engine has sets for", "[limits]\ndelegates = 65",
    "f:2:13: limits.delegates: expected an integer from 1 to 64, got 65"),
  Mistake(
    "more than the wire has indexes for", "[limits]\ndrawers = 32768",
    "f:2:11: limits.drawers: expected an integer from 1 to 32767, got 32768"),
  Mistake(
    "more than is read of a plugin", "[limits]\nsavedBytes = 1048577",
    "f:2:14: limits.savedBytes: expected an integer from 1 to 1048576, got 1048577"),
  Mistake(
    "date for a count", "[limits]\ntraces = 2026-11-21",
    "f:2:10: limits.traces: expected a positive integer, got a date"),
  Mistake("no seconds", "[limits]\nidlePing = 0", "f:2:12: limits.idlePing: \(seconds), got 0"),
  Mistake("infinity", "[limits]\nidlePing = inf", "f:2:12: limits.idlePing: \(seconds), got inf"),
  Mistake("not a number", "[limits]\ndeadline = nan", "f:2:12: limits.deadline: \(seconds), got nan"),
  Mistake("text for seconds", "[limits]\ndeadline = \"8ms\"", "f:2:12: limits.deadline: \(seconds), got \"8ms\""),
  Mistake("time for seconds", "[limits]\ndeadline = 00:00:08", "f:2:12: limits.deadline: \(seconds), got a date"),
  Mistake("mode not octal", "[socket]\nmode = \"0680\"", "f:2:8: socket.mode: \(mode), got \"0680\""),
  Mistake("mode too large", "[socket]\nmode = \"1777\"", "f:2:8: socket.mode: \(mode), got \"1777\""),
  Mistake("mode empty", "[socket]\nmode = \"\"", "f:2:8: socket.mode: \(mode), got \"\""),
  Mistake("mode as integer", "[socket]\nmode = 600", "f:2:8: socket.mode: \(mode), got 600"),
  Mistake(
    "relative socket", "[socket]\npath = \"h.sock\"",
    "f:2:8: socket.path: expected an absolute path, got \"h.sock\""),
  Mistake(
    "socket too long", "[socket]\npath = \"/\(String(repeating: "a", count: 107))\"",
    "f:2:8: socket.path: expected a path of at most 107 bytes, got 108 bytes"),
  Mistake(
    "backlog", "[socket]\nbacklog = 65536",
    "f:2:11: socket.backlog: expected an integer from 1 to 65535, got 65536"),
  Mistake("no list", "[roles]\nadmin = \"any\"", "f:2:9: roles.admin: expected a list, got \"any\""),
  Mistake("bare number", "[roles]\nadmin = [\"any\", \"1000\"]", "f:2:17: roles.admin[1]: \(member), got \"1000\""),
  Mistake(
    "uid too large", "[roles]\nadmin = [\"uid:4294967296\"]",
    "f:2:10: roles.admin[0]: \(member), got \"uid:4294967296\""),
  Mistake(
    "integer as member", "[roles]\nadmin = [1000]",
    "f:2:10: roles.admin[0]: expected text: \"uid:N\", \"gid:N\", \"self\", \"any\" or a name; or a table, got 1000"),
  Mistake(
    "member without a user", "[roles]\nadmin = [{ headers = [\"a\"] }]",
    "f:2:10: roles.admin[0]: expected a table with one of user and group, got a table"),
  Mistake(
    "group as user", "[roles]\nadmin = [{ user = \"gid:4\" }]",
    "f:2:19: roles.admin[0].user: expected \"uid:N\", \"self\", \"any\" or a user's name, got \"gid:4\""),
  Mistake(
    "user as group", "[roles]\nadmin = [{ group = \"any\" }]",
    "f:2:20: roles.admin[0].group: expected \"gid:N\" or a group's name, got \"any\""),
  Mistake(
    "no glob", "[roles]\npublish = [{ user = \"any\", headers = [\"a.*\", \"a b\"] }]",
    "f:2:46: roles.publish[0].headers[1]: expected a header's name or glob, such as \"app.*\" or \"user%U.**\", "
      + "got \"a b\""),
  Mistake(
    "unknown key of a member", "[roles]\npublish = [{ user = \"any\", header = [] }]",
    "f:2:28: roles.publish[0].header: unknown key. Did you mean \"headers\"?"),
  Mistake(
    "tune as text", "[roles]\ntune = \"any\"", "f:2:8: roles.tune: expected a list, or \"publish\", got \"any\""),
  Mistake(
    "share of what has no limit", "[quotas]\nsubscriptions = \"50%\"",
    "f:2:17: quotas.subscriptions: expected an integer from 0 (any number) to 140737488355327, got \"50%\""),
  Mistake(
    "share of nothing", "[quotas]\nheaders = \"0%\"",
    "f:2:11: quotas.headers: expected an integer from 0 (any number) to 140737488355327, or a share of the limit such "
      + "as \"50%\", got \"0%\""),
  Mistake(
    "quota of a group", "[quotas.users]\n\"gid:4\" = {}",
    "f:2:1: quotas.users.gid:4: expected \"uid:N\", \"self\" or a user's name, got \"gid:4\""),
  Mistake(
    "unknown quota of a user", "[quotas.users]\nalice = { header = 3 }",
    "f:2:11: quotas.users.alice.header: unknown key. Did you mean \"headers\"?"),
  Mistake("no bool", "[plugins]\nwatch = \"yes\"", "f:2:9: plugins.watch: expected true or false, got \"yes\""),
  Mistake(
    "relative folder", "[plugins]\nfolders = [\"p\"]",
    "f:2:12: plugins.folders[0]: expected an absolute path, got \"p\""),
  Mistake("path as plugin", "[plugins]\nload = [\"../Evil\"]", "f:2:9: plugins.load[0]: \(plugin), got \"../Evil\""),
  Mistake(
    "star beside a name", "[plugins]\nload = [\"ShyNavBar\", \"*\"]",
    "f:2:22: plugins.load[1]: \(plugin), got \"*\""),
  Mistake(
    "path as key", "[plugins]\nisolation = { \"a/b\" = \"none\" }",
    "f:2:15: plugins.isolation.a/b: expected a plugin's name such as \"ShyNavBar\", got \"a/b\""),
  Mistake(
    "level", "[log]\nlevel = \"infos\"",
    "f:2:9: log.level: expected one of \"error\", \"warning\", \"info\", \"debug\", "
      + "got \"infos\". Did you mean \"info\"?"),
  Mistake(
    "level no text", "[log]\nlevel = []",
    "f:2:9: log.level: expected one of \"error\", \"warning\", \"info\", \"debug\", got a list"),
  Mistake(
    "odd text", "[socket]\npath = \"a\\n\\u0001\\\"\"",
    "f:2:8: socket.path: expected an absolute path, got \"a\\n\\u{01}\\\"\""),
])
func wrongValues(_ mistake: Mistake) { #expect(complaints(about: mistake.file) == mistake.message) }

@Test(arguments: [
  Mistake(
    "table instead of list", "[header]\nheader = \"a\"",
    "f:1:1: header: expected a list of tables, each begun by [[header]], got a table"),
  Mistake("list of no tables", "header = [\"a\"]", "f:1:11: header[0]: expected a table, got \"a\""),
  Mistake(
    "date", "[[header]]\n[header.environment]\nsafeAreaInset = {top = 2026-11-21}",
    "f:3:24: header[0].environment.safeAreaInset.top: expected a number, text, bool, list or table, got a date"),
  Mistake(
    "infinity", "[[header]]\ndrawers = [{height = inf}]",
    "f:2:22: header[0].drawers[0].height: expected a finite number, got inf"),
  Mistake(
    "integer that no double has", "[[header]]\nframeRate = 9007199254740993",
    "f:2:13: header[0].frameRate: expected an integer between -2^53 and 2^53, got 9007199254740993"),
  Mistake(
    "name twice", "[[header]]\nheader = \"a\"\n[[header]]\nheader = \"a\"",
    "f:4:10: header[1].header: \"a\" is described twice, first on line 2"),
])
func wrongHeaders(_ mistake: Mistake) { #expect(complaints(about: mistake.file) == mistake.message) }

@Test(arguments: [
  Mistake("no value", "[limits]\nlineBytes =\n", "f:2:12: expected value, saw '\\n', while reading a key-value pair"),
  Mistake(
    "duplicate key", "[limits]\ntraces = 1\ntraces = 2",
    "f:3:10: cannot redefine existing integer 'traces', while reading a key-value pair"),
  Mistake(
    "duplicate table", "[log]\n[socket]\n[log]",
    "f:3:1: cannot redefine existing table 'log', while reading a table header"),
  Mistake(
    "no key in a table's head", "threads = 2\n[\u{B}\nlevel = 1",
    "f:2:1: a key, a value or the end of a table was expected in this line"),
  Mistake("open text", "[log]\nlevel = \"info", "f:2:14: encountered end-of-file, while reading a string"),
  Mistake(
    "control character", "a = \"\u{0}\"",
    "f:1:6: unescaped control characters other than TAB (U+0009) are explicitly prohibited, while reading a string"),
])
func syntaxErrors(_ mistake: Mistake) { #expect(complaints(about: mistake.file) == mistake.message) }

/// A token that cannot be read is no other one's again.
@Test func tokensThatCannotBeRead() {
  let text = "[[token]]\nroles = []\n[[token]]\ntoken = \"short\"\nroles = []\n"
  let error = #expect(throws: ConfigErrors.self) { try WebConfig(bytes: Array(text.utf8).span, file: "f") }
  #expect(
    error?.diagnostics.map(\.message) == [
      "token[0].token: is required",
      "token[1].token: expected 16 to 256 letters, digits, \"-\", \"_\" or \".\", got \"short\"",
    ])
}

@Test func severalMistakesInTheOrderOfTheFile() {
  let file = """
    [socket]
    mode = "9"
    [roles]
    publish = ["", "any", "@"]
    [limits]
    nope = 1
    handshakeTimeout = false
    [socker]
    """
  #expect(
    complaints(about: file) == """
      f:2:8: socket.mode: \(mode), got "9"
      f:4:12: roles.publish[0]: \(member), got ""
      f:4:23: roles.publish[2]: \(member), got "@"
      f:6:1: limits.nope: unknown key
      f:7:20: limits.handshakeTimeout: \(seconds), got false
      f:8:2: socker: unknown table. Did you mean "socket"?
      """)
}

/// With mistakes in it a file still says the rest, so that users, plugins and headers can be checked as well.
@Test func aFileWithMistakesSaysTheRest() {
  let text = """
    [limits]
    traces = "many"
    lineBytes = 500
    [roles]
    admin = ["self", "nobody-of-that-name"]
    publisher = ["any"]
    [plugins]
    load = ["ShyNavBar", "Nothing"]
    [[header]]
    header = "a"
    frameRate = inf
    """
  let file = ConfigFile(bytes: Array(text.utf8).span, file: "f")
  #expect(file.isReadable)
  #expect(
    file.errors.map(\.description) == [
      "f:2:10: limits.traces: expected a positive integer, got \"many\"",
      "f:6:1: roles.publisher: unknown key. Did you mean \"publish\"?",
      "f:11:13: header[0].frameRate: expected a finite number, got inf",
    ])
  #expect(file.config.limits.lineBytes == 500 && file.config.limits.traces == Config().limits.traces)
  #expect(file.config.headers.map(\.name) == ["a"])
  #expect(file.diagnostic(at: "roles.admin[1]", "who is that").description == "f:5:18: roles.admin[1]: who is that")
  #expect(file.diagnostic(at: "plugins.load[1]", "where").description == "f:8:22: plugins.load[1]: where")
  // What is not there stands where it would be.
  #expect(file.diagnostic(at: "plugins.folders[0]", "no").description == "f:7:1: plugins.folders[0]: no")
}

@Test func aFileThatIsNoTOMLSaysNothingElse() {
  let file = ConfigFile(bytes: Array("[log\nlevel = 7".utf8).span, file: "f")
  #expect(!file.isReadable && file.config == Config() && file.errors.count == 1)
}

@Test func bytesThatAreNoText() {
  for bytes: [UInt8] in [[0xFF], [0x61, 0x3D, 0x22, 0xC3, 0x22], [0x00], Array("a = ".utf8) + [0xED, 0xA0, 0x80]] {
    #expect(throws: ConfigErrors.self) { try Config.load(bytes: bytes.span, file: "f") }
  }
}

/// Found by fuzzing: toml++ asserts what files can contradict, and looks letters up in a table that has white space alone.
@Test func signsThatBeginNothingAreRefusedWhereTheyStand() {
  for opening in ["[", "[[", "[log.", "log.", "a = ", "a = [", "a = {", "a = 1 ", "[log] "] {
    for sign in [
      "\u{B}", "\u{C}", "\u{1}", "\u{7F}", "\u{A1}", "ä", "\u{2010}", "\u{3001}", "\u{FFFD}", "\u{1F600}", "=", "\\",
    ] {
      let complaint = complaints(about: "threads = 2\n\(opening)\(sign)\nb = 2\n")
      #expect(complaint.hasPrefix("f:2:") || complaint.hasPrefix("f:3:"), "\(opening)\(sign): \(complaint)")
    }
  }
}

@Test func everyPrefixOfAFileIsReadOrRefusedWithAPlaceInsideIt() {
  let file = Array("[limits]\ntraces = 3\n[[header]]\nheader = \"a\"\ndrawers = [{name = \"b\"}]\n".utf8)
  for count in 0...file.count {
    do {
      _ = try Config.load(bytes: Array(file[..<count]).span, file: "f")
    } catch {
      #expect(error.diagnostics.count == 1)
      #expect((1...6).contains(error.diagnostics[0].position.line))
    }
  }
}
