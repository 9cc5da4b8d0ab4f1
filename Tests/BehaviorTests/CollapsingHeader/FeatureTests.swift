// SPDX-License-Identifier: MIT
//
// Each feature of the list holds in one header with CollapsingHeader and Keyframes, and FEATURES.md is the page of them.

import Foundation
import HeaderCore
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

  @Test func thePageIsThatOfTheTests() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FEATURES.md")
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try Self.page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.page, "run with SNAP_UPDATE=1")
  }

  private static var page: String {
    var lines = [
      "# What a header can do with CollapsingHeader and Keyframes", "",
      "Made from `Tests/BehaviorTests/CollapsingHeader/Features.swift`, in which each row is a header that does it; do not edit.",
      "",
      "|  | feature | who else has it | options |", "| ---: | --- | --- | --- |",
    ]
    for (index, feature) in Feature.all.enumerated() {
      lines.append("| \(index + 1) | \(feature.name) | \(feature.systems) | \(feature.names) |")
    }
    return lines.joined(separator: "\n") + "\n"
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
