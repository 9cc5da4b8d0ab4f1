// SPDX-License-Identifier: MIT
//
// Each feature of the list holds in one header with CollapsingHeader and Keyframes, and the behavior's README.md lists them.

import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct FeatureTests {
  @Test(arguments: Feature.all.map(\.name)) func holds(_ name: String) throws {
    let feature = try #require(Feature.all.first { $0.name == name })
    let stage = try FeatureStage(feature.options, content: feature.content)
    let holds = try feature.holds(stage)
    #expect(holds, "search \(stage.search), hero \(stage.hero), tabs \(stage.tabs), inset \(stage.inset)")
    #expect(!stage.header.isBypassed(0) && !stage.header.isBypassed(1))
  }

  @Test func noneStandsTwice() { #expect(Set(Feature.all.map(\.name)).count == Feature.all.count) }

  @Test func theLawsHaveTheList() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Plugins/CollapsingHeader/LAWS.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "| feature | options | who else has it |")).lowerBound
    let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try text.replacingCharacters(in: start..<end, with: Self.table).write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == Self.table, "run with SNAP_UPDATE=1")
    }
  }

  private static var table: String {
    let rows = Feature.all.map { "| \($0.name) | \($0.names) | \($0.systems) |" }
    return (["| feature | options | who else has it |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
  }
}

extension Feature {
  /// The options' names; of the drawers' laws those that are given.
  fileprivate var names: String {
    var found: [String] = []
    for field in options.fields {
      guard field.name == "drawers", case .list(let laws) = field.value else {
        found.append("`\(field.name)`")
        continue
      }
      for law in laws {
        guard case .record(let law) = law else { continue }
        for part in law.fields where part.name != "drawer" && part.name != "pin" && !found.contains("`\(part.name)`") {
          found.append("`\(part.name)`")
        }
      }
    }
    return found.isEmpty ? "`pin`" : found.joined(separator: " ")
  }
}
