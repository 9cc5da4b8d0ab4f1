// SPDX-License-Identifier: MIT
//
// What headerd-plugin(7) shows, done: its Swift behavior is compiled against the kit as built, loaded, and moves a header.
// Tests/Readme runs the README's commands.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PluginManualTests {
  /// The code in headerd-plugin(7).
  static func sample() throws -> String {
    let page = try String(contentsOfFile: "\(Toolchain.sources)/config/man/headerd-plugin.7", encoding: .utf8)
    let parts = page.components(separatedBy: ".Bd -literal\n")
    try #require(parts.count == 2, "headerd-plugin(7) has one piece of code")
    return try #require(parts[1].components(separatedBy: ".Ed").first)
  }

  @Test func theKitsOwnPageHasTheSame() throws {
    let page = try String(
      contentsOfFile: "\(Toolchain.sources)/Sources/HeaderPluginKit/HeaderPluginKit.docc/HeaderPluginKit.md",
      encoding: .utf8)
    #expect(page.contains("```swift\n\(try Self.sample())```"))
  }

  @Test func theSwiftBehaviorCompilesLoadsAndMoves() throws {
    let daemon = try RunningDaemon(plugins: [])
    let source = try daemon.folder.write(try Self.sample(), to: "Follow.swift")
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
    // A header that is opened with what another one has saved goes on from there.
    let kept = try client.result("header.get", #"{"header":"main","include":["saved"]}"#)["saved"]
    _ = try client.result("header.close", #"{"header":"main"}"#)
    let opening = Conversation.opening.replacing("ShyNavBar", with: "Follow")
    _ = try client.result("header.open", String(opening.dropLast()) + #","saved":\#(kept)}"#)
    _ = try client.result("event", LifeTests.scroll(5, -54))
    let state = try client.result("header.get", #"{"header":"main"}"#)["state"]
    #expect(state["drawers"][1]["frame"]["y"].double == 34)
  }
}
