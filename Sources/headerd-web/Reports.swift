// SPDX-License-Identifier: MIT
//
// The log lines of the process on stderr, in the daemon's form.

internal import Posix

/// Writes log lines, only some a second, so that refused pages cannot fill a disk.
final class WebLogWriter {
  private var second = 0
  private var lines = 0
  private static let maxLines = 20

  func write(_ event: String, _ facts: [(key: String, value: String)]) {
    let now = wallClock().seconds
    if now != second { (second, lines) = (now, 0) }
    lines += 1
    if lines <= Self.maxLines { try? writeAll(Array(logLine("warning", event, facts).utf8), to: standardError) }
  }
}
