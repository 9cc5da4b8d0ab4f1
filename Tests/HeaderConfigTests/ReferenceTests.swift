// SPDX-License-Identifier: MIT
//
// config/headerd.toml is the reference: it has every key, says the defaults, and its example is a header.

import Foundation
import HeaderConfig
import HeaderModel
import Testing

private func reference() throws -> String {
  let file = URL(filePath: #filePath).appending(path: "../../../config/headerd.toml").standardized
  return try String(contentsOf: file, encoding: .utf8)
}

@Test func theReferenceSaysTheDefaults() throws {
  #expect(try config(reference()) == Config())
}

@Test func theReferenceHasEveryKeyInItsOrder() throws {
  var section = ""
  var keys: [String] = []
  for line in try reference().split(separator: "\n") where !line.hasPrefix("#") {
    if line.hasPrefix("[") {
      section = String(line.dropFirst().prefix { $0 != "]" })
    } else {
      keys.append((section.isEmpty ? "" : section + ".") + line.prefix { $0 != " " })
    }
  }
  #expect(keys == Config.keyPaths)
}

@Test func theReferencesExampleIsAHeader() throws {
  let lines = try reference().split(separator: "\n", omittingEmptySubsequences: false)
  let example = lines.drop { $0 != "# [[header]]" }.map { $0.dropFirst(2) }.joined(separator: "\n")
  let config = try config(example)
  #expect(config.headers.count == 1)
  guard case .record(let record)? = config.headers.first?.value else { return }
  #expect(
    record.fields.map(\.name)
      == ["header", "frames", "frameRate", "environment", "scrollViews", "drawers", "delegates"])
  #expect(
    record["delegates"] == [["behavior": "ShyNavBar", "options": ["expansionResistance": 100]]])
}

/// What headerd(8) and headerd.toml(5) print as a config is one.
@Test(arguments: [("headerd.8", 1), ("headerd.toml.5", 3)]) func thePagesPrintConfigs(_ page: String, _ count: Int)
  throws
{
  let file = URL(filePath: #filePath).appending(path: "../../../config/man/\(page)").standardized
  let text = try String(contentsOf: file, encoding: .utf8)
  let blocks = text.components(separatedBy: "\n.Bd -literal").dropFirst().compactMap { block in
    block.components(separatedBy: "\n.Ed").first?.drop { $0 != "\n" }.dropFirst()
  }
  let configs = blocks.filter { $0.hasPrefix("[") }
  #expect(configs.count == count)
  for block in configs { _ = try config(String(block)) }
}
