// SPDX-License-Identifier: MIT
//
// What README.md shows, done: its Python script talks to the real daemon, its Swift behavior is compiled against the kit
// as built, loaded, and moves a header.

import DaemonTestKit
import Foundation
import Testing

@Suite struct ReadmeTests {
  /// The only code block of a language.
  static func block(_ language: String) throws -> String {
    let text = try String(contentsOfFile: "\(Toolchain.sources)/README.md", encoding: .utf8)
    let parts = text.components(separatedBy: "```\(language)\n")
    try #require(parts.count == 2, "README.md has one block of \(language)")
    return try #require(parts[1].components(separatedBy: "```").first)
  }

  @Test func thePythonScriptStreamsAndSubscribes() throws {
    let daemon = try RunningDaemon()
    let script = try Self.block("python")
    #expect(script.split(separator: "\n").count <= 20)
    try daemon.folder.write(script, to: "script.py")
    let python = try ChildProcess(
      "/usr/bin/env", ["python3", daemon.folder("script.py")],
      environment: inherited.merging(["HEADERD_SOCKET": daemon.socket]) { $1 })
    #expect(try python.waitForExit() == 0, "\(python.errors)")
    let lines = try python.output.split(separator: "\n").map { try JSON(String($0)) }
    #expect(lines.first?["result"]["created"].bool == true)
    #expect(!lines.contains { $0["method"].string == "error" || !$0["error"].isAbsent }, "\(python.output)")
    let states = lines.filter { $0["method"].string == "state" }.map { $0["params"] }
    #expect(states.first?["snapshot"].bool == true)
    #expect(states.compactMap { $0["seq"].int } == Array(1...states.count))
    // The bar goes up with the content, point by point, until nothing of it shows but the status bar's height.
    let tops = states.compactMap { $0["drawers"][0]["frame"]["y"].double }
    #expect(tops.first == 20)
    #expect(tops.last == -24)
    #expect(tops == tops.sorted(by: >))
  }

  @Test func theSwiftBehaviorCompilesLoadsAndMoves() throws {
    let daemon = try RunningDaemon(plugins: [])
    let source = try daemon.folder.write(try Self.block("swift"), to: "Follow.swift")
    let kit = try FileManager.default.contentsOfDirectory(atPath: "\(TestFiles.build)/HeaderPluginKit.build")
    let objects = kit.filter { $0.hasSuffix(".o") }.map { "\(TestFiles.build)/HeaderPluginKit.build/\($0)" }
    try Toolchain.run(
      "swiftc",
      [
        "-swift-version", "6", "-Onone", "-parse-as-library", "-emit-library", "-module-name", "Follow", "-I",
        "\(TestFiles.build)/Modules", "-I",
        "\(Toolchain.sources)/Sources/CHeaderPlugin", "-o", daemon.folder("libFollow.so"),
        source,
      ] + objects)
    try TestFiles.install(daemon.folder("libFollow.so"), over: "\(daemon.plugins)/libFollow.so")
    let client = try daemon.client()
    let plugin = try client.result("plugin.load", #"{"plugin":"Follow"}"#)
    #expect(plugin["behaviors"][0]["behavior"].string == "Follow")
    _ = try client.result("header.open", Conversation.opening.replacing("ShyNavBar", with: "Follow"))
    var edges: [Double?] = []
    for (time, y) in [-60.0, -50, -20, -30, -64].enumerated() {
      _ = try client.result("event", LifeTests.scroll(Double(time), y))
      edges.append(try client.result("header.get", #"{"header":"main"}"#)["state"]["drawers"][1]["frame"]["y"].double)
    }
    // Up with the content, point by point, and down again.
    #expect(edges == [44, 34, 4, 14, 44])
  }
}
