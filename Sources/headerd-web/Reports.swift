// SPDX-License-Identifier: MIT
//
// The log lines of the process on stderr, in the daemon's form.

internal import Posix

/// Writes log lines, of each kind only some a second, so that refused pages cannot fill a disk.
final class WebLogWriter {
  private var second = 0
  private var lines = 0
  private static let maxLines = 20

  func write(_ event: String, _ facts: [(key: String, value: String)]) {
    let now = wallClock()
    if now.seconds != second { (second, lines) = (now.seconds, 0) }
    lines += 1
    guard lines <= Self.maxLines else { return }
    var line = "time=\(timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds)) level=warning event=\(event)"
    for (key, value) in facts { line += " \(key)=\(Self.quoted(value))" }
    try? writeAll(Array("\(line)\n".utf8), to: standardError)
  }

  /// Quotes a page's own words, so that a line stays a line, and a terminal shows them as they are.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D }
    if isPlain { return value }
    var text = "\""
    for scalar in value.unicodeScalars.prefix(1024) {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F: text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text + "\""
  }
}
