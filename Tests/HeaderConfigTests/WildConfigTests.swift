// SPDX-License-Identifier: MIT
//
// Every key of the config file, and every number of a header in it, with all that TOML can say: it is taken or told with its
// line and column, and nothing ends the program.

import HeaderConfig
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct WildConfigTests {
  /// Values that a key may get; TOML has its own words for what is no number.
  static let values =
    Wild.texts + [
      "nan", "+nan", "-nan", "inf", "+inf", "-inf", "+0", "+1", "-1.5", "0x7FFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF",
      "0o777",
      "0b1", "1_000", "9_223_372_036_854_775_807", "6.02e23", "1e308", "-1e400", "1979-05-27T07:32:00Z", "00:00:00",
      "true", "\"\"", "\"nan\"", "\"1e999\"", "\"\\u0000\"", "[]", "[nan]", "[-inf, 1]", "[[1]]", "{}", "{ a = nan }",
      "\"\"\"\n\"\"\"",
    ]

  @Test func everyKeyTakesOrTellsEveryValue() {
    var (taken, told) = (0, 0)
    for path in Config.keyPaths {
      let parts = path.split(separator: ".", maxSplits: 1)
      let (section, key) = parts.count == 2 ? ("[\(parts[0])]\n", parts[1]) : ("", parts[0])
      for value in Self.values {
        let complaint = complaints(about: "\(section)\(key) = \(value)\n")
        if complaint.isEmpty { taken += 1 } else { told += 1 }
        #expect(complaint.isEmpty || complaint.hasPrefix("f:"), "\(path) = \(value): \(complaint)")
      }
    }
    #expect(taken > 50 && told > 1000, "\(taken) taken, \(told) told")
  }

  /// Paths of a header's numbers, with something that holds each.
  private static let numbers = [
    "frameRate = @", "environment = { statusBarHeight = @ }", "environment = { screenScale = @ }",
    "environment = { clockSecondOfMinute = @ }", "environment = { safeAreaInset = { top = @, bottom = @ } }",
    "environment = { viewOrigin = { x = @, y = @ } }", "drawers = [{ name = \"a\", height = @ }]",
    "drawers = [{ name = \"a\", height = 4, minimumHeight = @, maximumHeight = @ }]",
    "drawers = [{ name = \"a\", height = 4, y = @, width = @, alpha = @ }]",
    "drawers = [{ name = \"a\", height = 4, elements = [{ name = \"e\", frame = { x = @, y = @, width = @, height = @ } }] }]",
    "drawers = [{ name = \"a\", height = 4, elements = [{ name = \"e\", alpha = @, zIndex = @ }] }]",
    "drawers = [{ name = \"a\", height = 4, elements = [{ name = \"e\", transform = [@, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, @] }] }]",
    "scrollViews = { content = { viewport = { width = @, height = @ } } }",
    "scrollViews = { content = { contentSize = { width = @, height = @ } } }",
    "scrollViews = { content = { contentInset = { top = @, left = @ }, offset = { x = @, y = @ } } }",
    "scrollViews = { content = { refreshControl = { height = @ }, frame = { x = @, width = @ } } }",
    "hosting = { level = @ }", "delegates = [{ behavior = \"A\", options = { speed = @, deep = [{ n = @ }] } }]",
  ]

  @Test func everyNumberOfAHeaderIsTakenOrTold() throws {
    var (taken, told) = (0, 0)
    for line in Self.numbers {
      for value in Self.values {
        let text = "[[header]]\nheader = \"main\"\n\(line.split(separator: "@").joined(separator: value))\n"
        let config: Config
        do {
          config = try Config.load(bytes: Array(text.utf8).span, file: "f")
        } catch {
          told += 1
          #expect(error.description.hasPrefix("f:"))
          continue
        }
        let header = try #require(config.headers.first)
        var unknown: [UnknownField] = []
        do {
          let description = try HeaderDescription(header.value, at: Path(""), unknown: &unknown)
          taken += 1
          // What was taken can be said again.
          #expect(throws: Never.self) { try HeaderDescription(description.value, unknown: &unknown) }
        } catch {
          told += 1
          let diagnostic = header.diagnostic(for: error)
          #expect("\(diagnostic)".hasPrefix("f:"), "\(diagnostic)")
        }
      }
    }
    #expect(taken > 100 && told > 500, "\(taken) taken, \(told) told")
  }
}
