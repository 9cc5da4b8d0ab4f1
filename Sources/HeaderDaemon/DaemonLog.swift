// SPDX-License-Identifier: MIT
//
// Log lines on stderr (Posix/LogLine.swift), nothing when all is well.
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
  private let writer = LogWriter(standardError) { logLine("warning", "linesLost", [("lines", String($0))]) }

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
    if isAdmitted { writer.write(logLine(level.rawValue, what, facts)) }
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
      writer.write(logLine("warning", "linesLeftOut", [("of", report.kind), ("lines", String(report.lines))]))
    }
  }

  /// Reports all lines left out so far, because the process is about to end.
  func reportAll() {
    report(at: .max)
    writer.resume(seconds: 1)
  }

  /// Call it under the lock.
  private func noteDue(_ budget: LogBudget) { due.store((budget.nextReport ?? .max).nanoseconds, ordering: .relaxed) }
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
