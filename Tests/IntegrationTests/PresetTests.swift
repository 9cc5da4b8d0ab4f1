// SPDX-License-Identifier: MIT
//
// Presets on the real daemon: in its config, over the wire, listed by headerctl; and what a header keeps of one.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PresetTests {
  private static let presets = URL(filePath: #filePath).appending(path: "../../../config/presets").standardized.path
  private static let plugins = ["CollapsingHeader"]

  private static func opening(_ preset: String, options: String = "{}") -> String {
    """
    {"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},\
    "drawers":[{"name":"bar","height":64,"minimumHeight":20}],\
    "delegates":[{"behavior":"CollapsingHeader","preset":"\(preset)","options":\(options)}]}
    """
  }

  private func daemon(_ config: String? = nil, threads: Int? = nil) throws -> RunningDaemon {
    try RunningDaemon(
      config: config, plugins: Self.plugins, threads: threads, environment: ["HEADERD_PRESET_PATH": Self.presets])
  }

  @Test(arguments: [1, 3]) func overTheWire(threads: Int) throws {
    let daemon = try daemon(threads: threads)
    let client = try daemon.client()
    let opening = Self.opening("compose-enter-always", options: #"{"consumes":"part"}"#)
    let first = try client.result("header.open", opening)
    // The header has the options alone: the preset's, and its own on top.
    let options = try client.result("header.get", #"{"header":"main","include":["description"]}"#)["description"][
      "delegates"][0]
    #expect(options["preset"].string == nil)
    #expect(options["options"]["follows"].string == "movement")
    #expect(options["options"]["consumes"].string == "part")
    // The same description again attaches.
    let again = try client.result("header.open", opening)
    #expect(again["epoch"].int == first["epoch"].int)
    let taken = try client.result(
      "event", #"{"header":"main","event":"willScroll","delta":{"x":0,"y":30},"source":"drag"}"#)
    #expect(taken["consumed"]["y"].double == 30)
  }

  @Test func oneThatIsNotThereIsRefused() throws {
    let daemon = try daemon()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.client()
    let error = try client.request("header.open", Self.opening("compose-enter-allways"))["error"]
    #expect(error["data"]["field"].string == "params.delegates[0].preset")
    #expect(error["message"].string?.contains(#"has no preset "compose-enter-allways""#) == true)
    #expect(error["data"]["hint"].string == #"did you mean "compose-enter-always"?"#)
  }

  @Test func aDelegateThatJoinsMayHaveOne() throws {
    let daemon = try daemon()
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.client()
    _ = try client.result(
      "header.open", #"{"header":"main","scrollViews":{"content":{}},"drawers":[{"name":"bar","height":64}]}"#)
    let added = try client.result(
      "delegate.add", #"{"header":"main","behavior":"CollapsingHeader","preset":"headroom"}"#)
    #expect(added["index"].int == 0)
    let options = try client.result("header.get", #"{"header":"main","include":["description"]}"#)["description"][
      "delegates"][0]["options"]
    #expect(options["follows"].string == "looks")
  }

  @Test func inTheConfig() throws {
    let folder = try TemporaryFolder()
    let path = try folder.folder("own")
    try folder.write("behavior = \"CollapsingHeader\"\n[options]\nfollows = \"looks\"\n", to: "own/mine.toml")
    try folder.write("behaviour = 1\n", to: "own/bad.toml")
    let header = """
      [presets]
      folders = ["\(path)"]
      [[header]]
      header = "main"
      scrollViews.content = { viewport = { width = 375, height = 667 }, contentSize = { height = 4000 } }
      drawers = [ { name = "bar", height = 64 } ]
      [[header.delegates]]
      behavior = "CollapsingHeader"
      preset = "mine"

      """
    let daemon = try daemon(header)
    defer { withExtendedLifetime(daemon) {} }
    let client = try daemon.client()
    let options = try client.result("header.get", #"{"header":"main","include":["description"]}"#)["description"][
      "delegates"][0]["options"]
    #expect(options["follows"].string == "looks")
  }

  /// An option of headers that follow something else is in the log; those of a preset fit what it follows.
  @Test func optionsWithoutEffectAreLogged() throws {
    let daemon = try daemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Self.opening("am-scrolling-navbar", options: #"{"delay":30}"#))
    _ = try client.result("header.close", #"{"header":"main"}"#)
    let opening = Self.opening("am-scrolling-navbar", options: #"{"follows":"place"}"#)
    _ = try client.result("header.open", opening)
    _ = try client.result(
      "event", #"{"header":"main","event":"setOptions","delegate":"collapsingHeader","options":{"holds":true}}"#)
    #expect(try daemon.process.waitForErrors(containing: "the option holds does nothing"))
    let warnings = daemon.errors.split(separator: "\n").filter { $0.contains("does nothing") }
    let options = warnings.compactMap { $0.components(separatedBy: "the option ").last?.split(separator: " ").first }
    // None of the first header, whose delay counts.
    #expect(options.map(String.init) == ["contentMoves", "bounce", "holds"])
    #expect(warnings.allSatisfy { $0.contains("level=warning") && $0.contains("CollapsingHeader") }, "\(warnings)")
    #expect(warnings.last?.contains("follows = \\\"looks\\\"") == true, "\(warnings)")
  }

  @Test func areListed() throws {
    let environment = ["HEADERD_PRESET_PATH": Self.presets]
    let text = try runProgram("headerctl", ["preset", "list"], environment: environment)
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.output.contains("compose-enter-always"))
    let rows = try runProgram("headerctl", ["preset", "list", "--json"], environment: environment)
    let values = try rows.output.split(separator: "\n").map { try JSON(String($0)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.presets)
    #expect(values.compactMap { $0["preset"].string } == files.map { String($0.dropLast(".toml".count)) }.sorted())
    #expect(values.allSatisfy { $0["behavior"].string == "CollapsingHeader" && $0["summary"].string != nil })
    // A folder of one's own comes first, and what is wrong with a file is told.
    let folder = try TemporaryFolder()
    try folder.write("behavior = 1\n", to: "headroom.toml")
    // Opening it for reading would wait for a writer.
    #expect(unsafe mkfifo(folder("pipe.toml"), 0o600) == 0)
    let none = try runProgram("headerctl", ["preset", "list", "--presets", "/no/such/a", "--presets", "/no/such/b"])
    #expect(
      none.errors.hasPrefix("headerctl: no presets in /no/such/a, /no/such/b, ") || none.output.contains("PRESET"),
      "\(none.errors)\(none.output)")
    let bad = try runProgram("headerctl", ["preset", "list", "--presets", folder("")], environment: [:])
    #expect(bad.errors.contains("headroom.toml:1:12: behavior: expected a plugin's name"))
    #expect(bad.errors.contains("pipe.toml:1:1: the file is no regular file, cannot be read, or is larger than"))
  }
}
