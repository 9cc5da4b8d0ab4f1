// SPDX-License-Identifier: MIT
//
// Log lines on stderr: one line each, key=value, nothing when all is well. They begin with the wall-clock time in UTC, the level and the
// event. Values with spaces or quotes are quoted, so that a line always stays one line, and characters that would mislead a terminal are
// escaped.
//
// A client that misbehaves often cannot fill a disk: lines of a kind are bounded a second (LogBudget.swift), values in length. Any thread
// may log, and none waits for the reader of the log (LogWriter.swift).

internal import Clocks
internal import Fanout
internal import HeaderConfig
internal import HeaderModel
private import Locks
internal import PluginHost
private import Posix
private import Synchronization

/// Writes log lines of a level and above.
package final class DaemonLog: ServiceLog {
  /// Lines below this level are not written.
  var level: LogLevel
  private let budget = Locked(LogBudget())
  /// The budget's, to be seen without the lock; `.max` for never.
  private let due = Atomic<Int64>(.max)
  private let writer = LogWriter(standardError) { DaemonLog.line(.warning, "linesLost", [("lines", String($0))]) }

  /// Scalars of a value that are written.
  private static let maxValue = 1_024
  /// When lines that wait for room are tried again, nanoseconds.
  private static let retryInterval: Int64 = 50_000_000

  init(level: LogLevel) { self.level = level }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    guard isWritten(level) else { return }
    let now = monotonicTime()
    report(at: now)
    let isAdmitted = budget.withLock { budget in
      defer { noteDue(budget) }
      return budget.admits(what, level == .debug ? .debug : .usual, at: now)
    }
    if isAdmitted { writer.write(Self.line(level, what, facts)) }
  }

  // MARK: - Lines left out

  /// When `report` has lines to write; nil for never.
  var nextReport: MonotonicTime? {
    let due = MonotonicTime(nanoseconds: due.load(ordering: .relaxed))
    if writer.hasWaiting { return min(due, monotonicTime() + Self.retryInterval) }
    return due == .max ? nil : due
  }

  /// Reports how many lines were left out in the seconds that are over.
  func report(at now: MonotonicTime) {
    writer.resume()
    guard now.nanoseconds >= due.load(ordering: .relaxed) else { return }
    let reports = budget.withLock { budget in
      defer { noteDue(budget) }
      return budget.takeReports(at: now)
    }
    for report in reports {
      writer.write(Self.line(.warning, "linesLeftOut", [("of", report.kind), ("lines", String(report.lines))]))
    }
  }

  /// Reports all lines left out so far, because the process is about to end.
  func reportAll() {
    report(at: .max)
    writer.resume(seconds: 1)
  }

  /// Call it under the lock.
  private func noteDue(_ budget: LogBudget) { due.store((budget.nextReport ?? .max).nanoseconds, ordering: .relaxed) }

  // MARK: - Writing

  private static func line(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) -> String {
    let now = wallClock()
    var line =
      "time=\(timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds)) level=\(level.rawValue) event=\(what)"
    for (key, value) in facts { line += " \(key)=\(quoted(value))" }
    return line + "\n"
  }

  /// A value as it stands in a line.
  package static func quoted(_ value: String) -> String {
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
  private static func misleads(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f: true
    case 0x2028, 0x2029: true
    case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

// MARK: - What plugins print

extension DaemonLog {
  /// Logs a line that a process with plugins has printed, as a value.
  func printed(_ line: String, by plugins: [String]) {
    log(.warning, "pluginPrinted", [("plugins", plugins.joined(separator: ", ")), ("text", line)])
  }
}

// MARK: - What behaviors log

extension DaemonLog: PluginLog {
  func isWritten(_ level: LogLevel) -> Bool { level >= self.level }

  func write(_ line: PluginLogLine) { log(line.level, "pluginLog", line.facts) }
}
