// SPDX-License-Identifier: MIT
//
// The config file: what `--check-config` says about good and bad ones, and what SIGHUP does with a running daemon.

import DaemonTestKit
import Foundation
import Testing

@Suite struct ConfigTests {
  /// A config with its mistakes; what is said about it is kept in Golden/check-config.txt under its title.
  struct Row: Sendable {
    var title: String
    var text: String
  }

  static let header = """
    [[header]]
    header = "main"
    scrollViews.content = { viewport = { width = 375, height = 667 }, contentSize = { height = 4000 } }
    drawers = [ { name = "navBar", height = 44 } ]

    """

  static let rows = [
    Row(title: "nothing", text: ""),
    Row(title: "a header", text: header + "[[header.delegates]]\nbehavior = \"ShyNavBar\"\n"),
    Row(title: "a broken line", text: "[log\nlevel = \"info\"\n"),
    Row(title: "an unknown key", text: "[limits]\nlinebytes = 1000\n"),
    Row(title: "an unknown table", text: "[limit]\nlineBytes = 1000\n"),
    Row(title: "wrong types, all told", text: "[limits]\nlineBytes = \"12k\"\nidlePing = 0\n[plugins]\nwatch = 1\n"),
    Row(title: "an unknown level", text: "[log]\nlevel = \"loud\"\n"),
    Row(title: "a mode that is none", text: "[socket]\nmode = \"0888\"\n"),
    Row(title: "a relative socket", text: "[socket]\npath = \"headerd.sock\"\n"),
    Row(title: "a group that does not exist", text: "[roles]\npublish = [\"no-such-group-anywhere\"]\n"),
    Row(title: "a plugin that does not exist", text: "[plugins]\nload = [\"ShyNavBar\", \"ShyNavbar\"]\n"),
    Row(title: "an unknown behavior", text: header + "[[header.delegates]]\nbehavior = \"ShyNavbar\"\n"),
    Row(
      title: "an option out of range",
      text: header + "[[header.delegates]]\nbehavior = \"StretchyHeader\"\noptions = { headerHeight = -1 }\n"),
    Row(
      title: "an option of another type",
      text: header + "[[header.delegates]]\nbehavior = \"ShyNavBar\"\noptions = { disable = \"yes\" }\n"),
    Row(
      title: "an unknown option",
      text: header + "[[header.delegates]]\nbehavior = \"ShyNavBar\"\noptions = { expansionResistence = 1 }\n"),
    Row(title: "an unknown key of a header", text: header + "frameRat = 30\n"),
    Row(title: "a wrong type in a header", text: header.replacingOccurrences(of: "44", with: "\"tall\"")),
    Row(title: "a negative size", text: header.replacingOccurrences(of: "44", with: "-44")),
    Row(title: "an infinity", text: header.replacingOccurrences(of: "44", with: "inf")),
    Row(title: "a header twice", text: header + header),
    Row(
      title: "a negative resistance",
      text: header + "[[header.delegates]]\nbehavior = \"ShyNavBar\"\noptions = { expansionResistance = -3 }\n"),
    Row(
      title: "two that want the same drawer",
      text: header
        + "[[header.delegates]]\nbehavior = \"ShyNavBar\"\n[[header.delegates]]\nbehavior = \"StretchyHeader\"\n"),
    Row(
      title: "an unknown role, a role's wrong type",
      text: "[roles]\npublisher = [\"any\"]\nadmin = \"any\"\nsubscribe = [1000]\n"),
    Row(
      title: "a folder of plugins that does not exist", text: "[plugins]\nfolders = [\"/no/such/folder/anywhere\"]\n"),
    Row(
      title: "one mistake of each kind, all told",
      text: """
        [limit]
        [roles]
        admin = ["self", "no-such-user-anywhere"]
        publish = [7]
        [plugins]
        load = ["ShyNavBar", "Nothing", "Nowhere"]
        folders = ["/no/such/folder/anywhere"]
        [[header]]
        header = "first"
        frameRate = inf
        scrollViews.content = { viewport = { width = "wide", height = 667 }, contentSize = { height = -1 } }
        drawers = [ { name = "navBar", height = "tall", heigth = 3 }, { name = "navBar", height = true } ]
        [[header.delegates]]
        behavior = "ShyNavbar"
        [[header.delegates]]
        behavior = "ShyNavBar"
        options = { expansionResistance = -3, disable = 1 }
        [[header]]
        header = "first"
        drawers = [ { height = 44 } ]

        """),
    Row(
      title: "laws of drawers, each mistake at its place",
      text: header + """
        [[header.delegates]]
        behavior = "CollapsingHeader"
        [[header.delegates.options.drawers]]
        drawer = "navBar"
        stretches = true
        slop = "30"
        [[header.delegates.options.drawers]]
        drawer = "navbar"
        fade = [0, 1]
        [[header]]
        header = "second"
        scrollViews.content = { viewport = { width = 375, height = 667 }, contentSize = { height = 4000 } }
        drawers = [ { name = "navBar", height = 44, minHeight = 20 } ]
        [[header.delegates]]
        behavior = "CollapsingHeader"
        options.drawers = [{ drawer = "tabs", pin = true }]

        """),
    Row(title: "a header without a name", text: header.replacingOccurrences(of: "header = \"main\"\n", with: "")),
  ]

  @Test func checkConfigTellsEveryMistakeWithItsPlace() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar", "StretchyHeader", "CollapsingHeader"], in: folder)
    var text = ""
    for row in Self.rows {
      let config = try folder.write(row.text, to: "headerd.toml")
      let end = try runProgram(
        "headerd", ["--check-config", "--config", config], environment: ["HEADERD_PLUGIN_PATH": folder("plugins")])
      text += "# \(row.title)\nstatus \(end.status)\n\(end.output)\(end.errors)\n"
    }
    let difference = try Golden("check-config.txt").difference(to: scrubbed(text, folder: folder.path))
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func theShippedConfigIsFineAndSaysTheDefaults() throws {
    let folder = try TemporaryFolder()
    let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../config/headerd.toml")
    let end = try runProgram(
      "headerd", ["--check-config", "--config", shipped.path], environment: ["HEADERD_PLUGIN_PATH": folder("none")])
    #expect(end.status == 0, "\(end.errors)")
  }

  @Test func aBadConfigIsNoStart() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write("[limits]\nlinebytes = 1000\n", to: "headerd.toml")
    let end = try runProgram("headerd", ["--config", config, "--socket", folder("s")])
    #expect(end.status == 1)
    #expect(end.errors == "headerd: \(config):2:1: limits.linebytes: unknown key. Did you mean \"lineBytes\"?\n")
    #expect(!TestFiles.exists(folder("s")))
  }

  /// A start prints what `--check-config` prints, warnings included.
  @Test func aStartTellsTheSameList() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar", "StretchyHeader"], in: folder)
    let row = try #require(Self.rows.first { $0.title == "one mistake of each kind, all told" })
    let config = try folder.write(row.text, to: "headerd.toml")
    let plugins = ["HEADERD_PLUGIN_PATH": folder("plugins") + ":" + folder("gone")]
    let environment = plugins.merging(withoutLeakSearch) { $1 }
    let check = try runProgram("headerd", ["--check-config", "--config", config], environment: environment)
    let start = try runProgram("headerd", ["--config", config, "--socket", folder("s")], environment: environment)
    #expect(check.status == 1 && start.status == 1)
    #expect(start.errors == check.errors)
    #expect(check.errors.hasSuffix("headerd: warning: HEADERD_PLUGIN_PATH: there is no folder \"\(folder("gone"))\"\n"))
  }

  /// Warnings alone are no reason to end with 1, and a daemon starts with them and logs them.
  @Test func warningsAloneAreNoFailure() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    try folder.write("no library", to: "plugins/libBroken.so")
    let config = try folder.write("[plugins]\nfolders = [\"/no/such/folder/anywhere\"]\n", to: "headerd.toml")
    let end = try runProgram(
      "headerd", ["--check-config", "--config", config],
      environment: ["HEADERD_PLUGIN_PATH": folder("plugins")].merging(withoutLeakSearch) { $1 })
    #expect(end.status == 0)
    #expect(end.output == "\(config): fine; 0 headers, behaviors available: ShyNavBar\n")
    let lines = end.errors.split(separator: "\n")
    #expect(
      lines.first
        == "headerd: \(config):2:12: warning: plugins.folders[0]: there is no folder \"/no/such/folder/anywhere\"")
    #expect(lines.count == 2 && lines.last?.contains("libBroken.so") == true, "\(end.errors)")
    let daemon = try RunningDaemon(
      in: folder, socket: folder("s"), arguments: ["--config", config, "--socket", folder("s")])
    #expect(try daemon.process.waitForErrors(containing: "event=pluginFolderMissing folder=/no/such/folder/anywhere"))
    #expect(daemon.errors.contains("event=pluginRefused"))
  }

  @Test func theUsersOwnConfigIsFound() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    _ = try folder.folder("headerd")
    try folder.write(Self.header, to: "headerd/headerd.toml")
    let daemon = try RunningDaemon(
      in: folder, socket: folder("s"), arguments: ["--socket", folder("s")],
      environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(try daemon.client().result("header.list")["headers"][0]["header"].string == "main")
  }

  @Test func hangUpAppliesAGoodConfigAndKeepsTheOldOneOnAMistake() throws {
    let daemon = try RunningDaemon(
      config: Self.header + "[log]\nlevel = \"info\"\n", threads: 1)
    let client = try daemon.client()
    func hangUp(_ text: String, until line: String) throws {
      try daemon.folder.write(text, to: "headerd.toml")
      daemon.process.signal(SIGHUP)
      #expect(try daemon.process.waitForErrors(containing: line))
    }
    let second = Self.header.replacingOccurrences(of: "\"main\"", with: "\"second\"")
    try hangUp(Self.header + second + "[limits]\nlineBytes = 500\n", until: "event=configRead")
    #expect(try client.result("header.list")["headers"].list.compactMap { $0["header"].string } == ["main", "second"])
    #expect(try client.result("hello")["limits"]["lineBytes"].int == 500)

    try hangUp("[limits]\nlinebytes = 1\nnotices = -1\n", until: "limits.notices")
    #expect(try client.result("hello")["limits"]["lineBytes"].int == 500)
    #expect(try client.result("header.list")["headers"].list.count == 2)

    let changed = Self.header.replacingOccurrences(of: "44", with: "50")
    try hangUp(
      changed + "[limits]\nconnections = 7\n[socket]\nbacklog = 9\n[log]\nlevel = \"warning\"\n", until: "needsRestart="
    )
    #expect(try client.result("hello")["limits"]["connections"].int == 4096)
    #expect(try client.result("header.list")["headers"].list.count == 2)

    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    // With the level at warning, nothing is said about the end.
    let difference = try Golden("hang-up.txt").difference(to: scrubbed(daemon.errors, folder: daemon.folder.path))
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// The level `debug` tells of connections, headers and plugins as they come and go.
  @Test func debugTellsWhatComesAndGoes() throws {
    let daemon = try RunningDaemon(config: "[log]\nlevel = \"debug\"\n")
    let client = try daemon.client()
    _ = try client.result("header.open", LifeTests.opening)
    _ = try client.result("header.close", #"{"header":"main"}"#)
    daemon.process.signal(SIGTERM)
    #expect(try daemon.process.waitForExit() == 0)
    for event in ["connected", "headerOpened", "headerClosed", "disconnected"] {
      #expect(daemon.errors.contains("level=debug event=\(event) "), "no \(event) in\n\(daemon.errors)")
    }
  }
}
