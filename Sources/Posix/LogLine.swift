// SPDX-License-Identifier: MIT
//
// A line of the log as headerd(8) describes it, for the daemon and the bridges: the wall-clock time in UTC, the level, the event, then
// key=value. Values with spaces or quotes are quoted, so that a line always stays one line, and characters that would mislead a terminal
// are escaped.

/// Scalars of a value that are written.
private let maxValue = 1_024

/// A line with its end.
public func logLine(_ level: String, _ event: String, _ facts: [(key: String, value: String)]) -> String {
  let now = wallClock()
  var line = "time=\(timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds)) level=\(level) event=\(event)"
  for (key, value) in facts { line += " \(key)=\(quotedForLog(value))" }
  return line + "\n"
}

/// A value as it stands in a line.
public func quotedForLog(_ value: String) -> String {
  let isPlain =
    !value.isEmpty && value.utf8.count <= maxValue
    && value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && !misleads($0) }
  if isPlain { return value }
  var text = "\""
  for scalar in value.unicodeScalars.prefix(maxValue) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where misleads(scalar):
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + (value.unicodeScalars.count > maxValue ? "…\"" : "\"")
}

/// Whether a terminal or an editor obeys the character instead of showing it: controls, other line ends, and marks that change the
/// direction of text.
private func misleads(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7f...0x9f: true
  case 0x2028, 0x2029: true
  case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
  default: false
  }
}
