// SPDX-License-Identifier: MIT
//
// TOML files from which a header is opened by hand, and where their mistakes are.

import HeaderConfig
import HeaderModel
import Testing

private func read(_ text: String) throws -> [ConfiguredHeader] {
  try DescriptionFile(bytes: Array(text.utf8).span, file: "f").headers
}

private func complaints(_ text: String) -> [String] {
  do {
    return try read(text).flatMap(\.mistakes).map(\.description)
  } catch let error as ConfigErrors {
    return error.diagnostics.map(\.description)
  } catch {
    return ["\(error)"]
  }
}

private let view = "scrollViews.content = { viewport = { width = 375, height = 667 } }\n"

@Test func headersOfAFile() throws {
  #expect(try read("[[header]]\nheader = \"a\"\n[[header]]\nheader = \"b\"\n").map(\.name) == ["a", "b"])
  // All that headerd.toml has may stand beside them.
  #expect(try read("threads = 2\n[limits]\nheaders = 5\n[[header]]\nheader = \"a\"\n").map(\.name) == ["a"])
  let alone = try read("header = \"a\"\n\(view)[[drawers]]\nname = \"bar\"\nheight = 44\n")
  #expect(alone.map(\.name) == ["a"] && complaints("header = \"a\"\n\(view)") == [])
  #expect(
    alone[0].value
      == (try read("[[header]]\nheader = \"a\"\n\(view)drawers = [{ name = \"bar\", height = 44 }]\n"))[0].value)
}

@Test(arguments: [
  ("header = ", ["f:1:10: "]),
  ("", ["f:1:1: header: expected a header's name"]),
  ("[header]\nheader = \"a\"\n", ["f:1:1: header: expected a list of tables, each begun by [[header]], got a table"]),
  ("[[header]]\nheader = \"a\"\n[limit]\n", ["f:3:2: limit: unknown table. Did you mean \"limits\"?"]),
  (
    "[[header]]\nheader = \"a\"\n\(view)drawers = [{ name = \"bar\", minHeight = 4, height = 44 }]\n",
    ["f:4:28: header[0].drawers[0].minHeight: unknown key. Did you mean \"minimumHeight\"?"]
  ),
  (
    "header = \"a\"\n\(view)drawers = [{ name = \"bar\", height = \"tall\" }]\n",
    ["f:3:37: drawers[0].height: expected a finite number of points, got \"tall\""]
  ),
  (
    "header = \"a\"\n\(view)born = 1979-05-27\n",
    ["f:3:8: born: expected a number, text, bool, list or table, got a date"]
  ),
])
func mistakesOfAFile(_ text: String, _ expected: [String]) {
  let found = complaints(text)
  #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
}
