// SPDX-License-Identifier: MIT
//
// Log lines on stderr: one line each, key=value, nothing when all is well. They begin with the wall-clock time in UTC,
// the level and what happened; values with spaces or quotes are quoted, so that a line always stays one line.

private import Glibc
internal import HeaderConfig
internal import HeaderService

/// Writes log lines of a level and above.
final class DaemonLog: ServiceLog {
  /// Lines below this level are not written.
  var level: Config.Log.Level

  init(level: Config.Log.Level) { self.level = level }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    guard Self.isWritten(level, at: self.level) else { return }
    var line = "time=\(Self.timestamp()) level=\(level.rawValue) event=\(what)"
    for (key, value) in facts { line += " \(key)=\(Self.quoted(value))" }
    line += "\n"
    Self.write(line)
  }

  /// Writes text to stderr; what cannot be written is lost.
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  private static func isWritten(_ level: LogLevel, at threshold: Config.Log.Level) -> Bool {
    switch level {
    case .error: true
    case .warning: threshold >= .warning
    case .info: threshold >= .info
    case .debug: threshold >= .debug
    }
  }

  /// A value as it stands in a line.
  static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") && $0 != 0x7f }
    if isPlain { return value }
    var text = "\""
    for character in value.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where character.value < 0x20 || character.value == 0x7f: text += "?"
      default: text.unicodeScalars.append(character)
      }
    }
    return text + "\""
  }

  /// `2026-11-21T12:00:00.123Z`.
  private static func timestamp() -> String {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    var parts = unsafe tm()
    unsafe gmtime_r(&now.tv_sec, &parts)
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { padded($0, 2) }
    let time = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { padded($0, 2) }
    let milliseconds = padded(now.tv_nsec / 1_000_000, 3)
    return date.joined(separator: "-") + "T" + time.joined(separator: ":") + "." + milliseconds + "Z"
  }
}
