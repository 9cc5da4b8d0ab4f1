// SPDX-License-Identifier: MIT
//
// Sources/README.md names files: they exist, and every room has its row.

import DaemonTestKit
import Foundation
import Testing

@Suite struct ArchitecturePageTests {
  static func page() throws -> String {
    try String(contentsOfFile: "\(Toolchain.sources)/Sources/README.md", encoding: .utf8)
  }

  /// What stands between back quotes and begins with a folder of the repository.
  static func paths(in text: String) -> [String] {
    text.matches(of: /`((Sources|Plugins|Tests|config)\/[^`\s]+)`/).map { String($0.output.1) }
  }

  @Test func theFilesThatItNamesExist() throws {
    let paths = try Self.paths(in: Self.page())
    #expect(paths.count > 30)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: "\(Toolchain.sources)/\(path)"), "\(path)")
    }
  }

  @Test func everyRoomHasItsRow() throws {
    let page = try Self.page()
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(Toolchain.sources)/Sources")
    for folder in folders where folder != "README.md" {
      #expect(page.contains("| `Sources/\(folder)` |"), "\(folder)")
    }
  }
}
