// SPDX-License-Identifier: MIT
//
// The picture in README.md is what `headerctl demo --picture` prints.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PictureTests {
  private let picture: String

  init() throws {
    let prompt = try Prompt(daemon: false)
    picture = try prompt.done("demo --picture")
    #expect(try prompt.done("demo --picture --fast \(Repository.scroll)") == picture)
  }

  @Test func readmeShowsIt() throws {
    #expect(try Repository.text("README.md").contains("\n```text\n\(picture)```\n"), "README.md needs:\n\(picture)")
  }

  @Test func itShowsTwoStatesSideBySide() throws {
    let rows = lines(picture)
    #expect(rows.count == 15 && rows.allSatisfy { $0.count <= 80 && $0.last != " " })
    #expect(rows[0].split(separator: " ") == ["expanded", "collapsed"])
    let halves = rows.dropFirst().map { (String($0.prefix(26)), String($0.suffix(26))) }
    // The drawers stand on the left and are gone on the right, where the content has moved up.
    #expect(halves.contains { $0.0.contains("navBar 44") } && halves.contains { $0.0.contains("extension 40") })
    #expect(!halves.contains { $0.1.contains("navBar") || $0.1.contains("extension") })
    let left = try #require(halves.firstIndex { $0.0.contains("row 1 ") })
    #expect(try #require(halves.firstIndex { $0.1.contains("row 1 ") }) < left)
  }

  @Test func aRecordingWithoutADescriptionHasNone() throws {
    let prompt = try Prompt(daemon: false)
    let file = try prompt.folder.write(drag(2), to: "events.jsonl")
    #expect(try prompt("demo --picture \(file)").status == 1)
  }
}
