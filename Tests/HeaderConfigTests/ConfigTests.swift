// SPDX-License-Identifier: MIT
//
// What a good file says, the reference file, headers and their places, and what a reload can apply.

import HeaderConfig
import HeaderModel
import Testing

extension Config {
  /// Reads a file, or throws all that is wrong with it.
  static func load(bytes: Span<UInt8>, file: String) throws(ConfigErrors) -> Config {
    let file = ConfigFile(bytes: bytes, file: file)
    guard file.errors.isEmpty else { throw ConfigErrors(file.errors) }
    return file.config
  }
}

/// Reads a file that has no mistakes.
func config(_ text: String) throws -> Config { try Config.load(bytes: Array(text.utf8).span, file: "headerd.toml") }

/// A limit's range is stated once, in HeaderCore; the file is read by it.
@Test(arguments: Limits.entries.map(\.name)) func aLimitIsAcceptedUpToItsBounds(_ name: String) throws {
  let entry = try #require(Limits.entries.first { $0.name == name })
  guard case .count(let property, let range) = entry.kind else { return }
  for bound in [range.lowerBound, range.upperBound] {
    #expect(try config("[limits]\n\(name) = \(bound)").limits[keyPath: property] == bound)
  }
  for beyond in [range.lowerBound - 1, range.upperBound + 1] {
    #expect(complaints(about: "[limits]\n\(name) = \(beyond)").contains("limits.\(name): expected "))
  }
}

@Test func anEmptyFileIsTheDefaults() throws {
  #expect(try config("") == Config())
  #expect(Config().socket.mode == 0o600)
  #expect(Config().limits.lineBytes == 262_144)
  #expect(Config().limits.deadline == 0.1)
  #expect(Config().roles.admin.map(\.member) == [.ownUser, .uid(0)] && Config().roles.tune == nil)
}

@Test func gatheringIsAWordOrMicroseconds() throws {
  #expect(try config("gathering = \"auto\"").gathering == nil)
  #expect(try config("gathering = \"off\"").gathering == 0)
  for bound in [1, 10_000] { #expect(try config("gathering = \(bound)").gathering == bound) }
  for wrong in ["0", "10001", "-1", "1.5", "true", "\"on\"", "\"100\""] {
    #expect(
      complaints(about: "gathering = \(wrong)").contains(
        "gathering: expected \"auto\", \"off\" or an integer from 1 to 10000"))
  }
}

@Test func everyKindOfValue() throws {
  let config = try config(
    """
    log.level = "debug"
    [socket]
    path = "/tmp/h.sock"
    mode = "0660"
    backlog = 1
    [limits]
    eventsPerSecond = 240
    deadline = 2
    idlePing = 0.25
    [roles]
    publish = ["uid:7", "gid:44", "any", "self", "video", "host$"]
    subscribe = []
    [plugins]
    folders = ["/a", "/b"]
    watch = true
    load = ["ShyNavBar", "Headroom"]
    """)
  #expect(config.socket.path == "/tmp/h.sock")
  #expect(config.socket.mode == 0o660)
  #expect(config.socket.backlog == 1)
  #expect(config.limits.eventsPerSecond == 240)
  #expect(config.limits.deadline == 2)
  #expect(config.limits.idlePing == 0.25)
  let publishers = config.roles.publish
  #expect(publishers.map(\.member) == [.uid(7), .gid(44), .anyone, .ownUser, .named("video"), .named("host$")])
  #expect(publishers.map(\.member.description) == ["uid:7", "gid:44", "any", "self", "video", "host$"])
  #expect(publishers.allSatisfy { $0.headers == nil })
  #expect(config.roles.subscribe == [])
  #expect(config.plugins.folders == ["/a", "/b"])
  #expect(config.plugins.watch)
  #expect(config.plugins.load == .named(["ShyNavBar", "Headroom"]))
  #expect(config.log.level == .debug)
  #expect(config.headers.isEmpty)
}

@Test func rolesForSomeHeaders() throws {
  let roles = try config(
    """
    [roles]
    publish = ["self", { user = "alice", headers = ["alice.*"] }, { group = "video", headers = ["tv.**", "cam"] }]
    subscribe = [{ user = "any", headers = ["user%U.**"] }, { user = "uid:7" }, { group = "gid:9" }]
    tune = []
    """
  ).roles
  #expect(
    roles.publish == [
      Grant(.ownUser), Grant(.userNamed("alice"), headers: ["alice.*"]),
      Grant(.groupNamed("video"), headers: ["tv.**", "cam"]),
    ])
  #expect(roles.subscribe == [Grant(.anyone, headers: ["user%U.**"]), Grant(.uid(7)), Grant(.gid(9))])
  #expect(roles.tune == [])
  #expect(try config("[roles]\ntune = \"publish\"").roles.tune == nil)
}

@Test func quotas() throws {
  let quotas = try config(
    """
    [quotas]
    connections = "25%"
    headers = 100
    eventsPerSecond = 0
    [quotas.users]
    "uid:1000" = { connections = 10 }
    self = { memoryBytes = 1000000 }
    alice.headers = "75%"
    """
  ).quotas
  #expect(quotas.everybody[.connections] == .percent(25) && quotas.everybody[.headers] == .count(100))
  #expect(quotas.everybody[.subscriptions] == Config().quotas.everybody[.subscriptions])
  #expect(quotas.users.map(\.member) == [.uid(1000), .ownUser, .userNamed("alice")])
  #expect(
    quotas.users.map(\.amounts) == [
      [.connections: .count(10)], [.memoryBytes: .count(1_000_000)], [.headers: .percent(75)],
    ])
  var limits = Limits()
  limits.connections = 10
  let bounds = UserQuotas.bounds(quotas.everybody, of: limits)
  #expect(bounds[.connections] == 2 && bounds[.headers] == 100 && bounds[.eventsPerSecond] == .max)
}

@Test func partsOfATextAreReplaced() {
  #expect(replacing("%U", in: "user%U.%%U%", with: "7") == "user7.%7%")
  #expect(replacing("%U", in: "", with: "7") == "" && replacing("%U", in: "%", with: "7") == "%")
}

@Test func aHeaderIsPlainDataWithPlaces() throws {
  let config = try config(
    """
    [[header]]
    header = "main"
    frameRate = 60
    scrollViews.content = { viewport = { width = 375, height = 667 } }
    drawers = [
      { name = "navBar", height = 44 },
      { name = "é", height = "tall" },
    ]
    [[header.delegates]]
    behavior = "ShyNavBar"
    options = { fadeBehavior = "subviews", list = [[1, 2], [3]] }
    """)
  let header = config.headers[0]
  #expect(header.name == "main")
  let expected: Value = [
    "header": "main", "frameRate": 60,
    "scrollViews": ["content": ["viewport": ["width": 375, "height": 667]]],
    "drawers": [["name": "navBar", "height": 44], ["name": "é", "height": "tall"]],
    "delegates": [["behavior": "ShyNavBar", "options": ["fadeBehavior": "subviews", "list": [[1, 2], [3]]]]],
  ]
  #expect(header.value == expected)
  guard case .record(let record) = header.value else { return }
  #expect(record.fields.map(\.name) == ["header", "frameRate", "scrollViews", "drawers", "delegates"])

  let places: [(String, Int, Int)] = [
    ("header", 2, 10), ("drawers", 5, 11), ("drawers[1].height", 7, 26), ("drawers[1]", 7, 3),
    ("delegates[0].options.fadeBehavior", 11, 28), ("delegates[0].options.list[1][0]", 11, 57),
    ("scrollViews.content.viewport.height", 4, 60),
    // What is missing is shown at the last thing on the way to it.
    ("drawers[0].minimumHeight", 6, 3), ("drawers[9].height", 5, 11), ("drawers[x]", 5, 11),
    ("nothing", 1, 1), ("", 1, 1),
  ]
  for (path, line, column) in places {
    let position = header.position(of: path)
    #expect(position.line == line && position.column == column, "\(path)")
  }
}

@Test func theCoresErrorsAreShownInTheFile() throws {
  let header = try config(
    """
    [[header]]
    header = "main"
    drawers = [{ name = "navBar", heigth = "tall" }]
    """
  ).headers[0]
  let mistyped = HeaderError.unexpected("tall", at: Path("drawers")[0] + "heigth", needed: "a finite number of points")
  #expect(
    header.diagnostic(for: mistyped).description
      == "headerd.toml:3:40: header[0].drawers[0].heigth: expected a finite number of points, got \"tall\"")
  let unknown = FieldReader(Value.Record(fields: [.init(name: "heigth", value: 1)]), at: Path("drawers")[0])
  #expect(unknown.unknown.count == 1)
  #expect(
    header.diagnostic(for: unknown.unknown[0]).description
      == "headerd.toml:3:31: header[0].drawers[0].heigth: unknown key")
  let missing = HeaderError(.conflict, "two behaviors move \"navBar\"", field: "delegates", hint: "let one yield")
  #expect(
    header.diagnostic(for: missing).description
      == "headerd.toml:1:1: header[0].delegates: two behaviors move \"navBar\". Let one yield")
  let whole = HeaderError(.internalError, "no")
  #expect(header.diagnostic(for: whole).description == "headerd.toml:1:1: header[0]: no")
}

@Test func keysThatContainDotsAreFound() throws {
  let header = try config("[[header]]\na = {}\n\"a.b\" = 1\n").headers[0]
  for (path, line, column) in [("a.b", 3, 9), ("a.c", 2, 5)] {
    let position = header.position(of: path)
    #expect(position.line == line && position.column == column, "\(path)")
  }
}

@Test func changesThatAReloadCannotApply() throws {
  let old = try config(
    "[[header]]\nheader = \"a\"\n[[header]]\nheader = \"b\"\n[[header]]\nheader = \"c\"")
  let new = try config(
    """
    socket.path = "/x"
    limits.connections = 1
    limits.traces = 1
    log.level = "debug"
    roles.admin = []
    [[header]]
    header = "d"
    [[header]]
    header = "b"
    frameRate = 30
    [[header]]

    header = "c"
    """)
  #expect(
    Config.changesNeedingRestart(from: old, to: new) == ["socket.path", "limits.connections", "header.a", "header.b"])
  #expect(Config.changesNeedingRestart(from: new, to: new) == [])
}
