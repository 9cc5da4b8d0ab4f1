// SPDX-License-Identifier: MIT
//
// Log lines on stderr: one line each, key=value, nothing when all is well. They begin with the wall-clock time in UTC,
// the level and what happened; values with spaces or quotes are quoted, so that a line always stays one line, and what
// would have a terminal show something else than what is there is escaped.
//
// Who misbehaves often fills no disk with it: lines of a kind are bounded a second (LogBudget.swift), values in length.
// Any thread may log.

internal import Glibc
internal import HeaderConfig
internal import HeaderService
private import Locks
private import Synchronization

/// Writes log lines of a level and above.
final class DaemonLog: ServiceLog {
  /// Lines below this level are not written.
  var level: Config.Log.Level
  private let lock = Lock()
  /// Under the lock.
  private var budget = LogBudget()
  /// The budget's, to be seen without the lock; `Int64.max` for never.
  private let due = Atomic<Int64>(.max)

  /// Scalars of a value that are written.
  private static let valueMax = 1_024

  init(level: Config.Log.Level) { self.level = level }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    guard Self.isWritten(level, at: self.level) else { return }
    let now = Self.monotonic()
    report(at: now)
    let isAdmitted = lock.withLock {
      defer { noteDue() }
      return budget.admits(what, level == .debug ? .debug : .usual, at: now)
    }
    if isAdmitted { Self.write(level, what, facts) }
  }

  // MARK: - What was left out

  /// When `report` has something to tell, nanoseconds of the monotonic clock; nil for never.
  var nextReport: Int64? {
    let due = due.load(ordering: .relaxed)
    return due == .max ? nil : due
  }

  /// Tells how many lines were left out of the seconds that are over.
  func report(at now: Int64) {
    guard now >= due.load(ordering: .relaxed) else { return }
    let reports = lock.withLock {
      defer { noteDue() }
      return budget.takeReports(at: now)
    }
    for report in reports {
      Self.write(.warning, "linesLeftOut", [("of", report.kind), ("lines", String(report.lines))])
    }
  }

  /// Tells all that were left out so far: the process is about to end.
  func reportAll() { report(at: .max) }

  /// Under the lock.
  private func noteDue() { due.store(budget.nextReport ?? .max, ordering: .relaxed) }

  private static func monotonic() -> Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  // MARK: - Writing

  private static func write(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    var line = "\(timestamp()) level=\(level.rawValue) event=\(what)"
    for (key, value) in facts { line += " \(key)=\(quoted(value))" }
    line += "\n"
    write(line)
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
      !value.isEmpty && value.utf8.count <= valueMax
      && value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && !misleads($0) }
    if isPlain { return value }
    var text = "\""
    for scalar in value.unicodeScalars.prefix(valueMax) {
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
    return text + (value.unicodeScalars.count > valueMax ? "…\"" : "\"")
  }

  /// Whether a terminal or an editor obeys it instead of showing it: controls, other ends of a line, and what turns the
  /// direction of what follows.
  private static func misleads(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f: true
    case 0x2028, 0x2029: true
    case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// `time=2026-11-21T12:00:00.123Z`.
  private static func timestamp() -> String {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: LogTime.length) { bytes in
      unsafe LogTime.write(now, to: bytes)
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// The time with which a log line begins. Made without memory of its own or the C library's calendar, so that also a
/// signal handler may write it (ShutdownTimer.swift).
enum LogTime {
  /// Bytes of it.
  static let length = 29

  /// Writes `time=2026-11-21T12:00:00.123Z` to the beginning of a buffer.
  static func write(_ time: timespec, to bytes: UnsafeMutableBufferPointer<UInt8>) {
    let (days, second) = (time.tv_sec / 86_400, time.tv_sec % 86_400)
    // The calendar in eras of 400 years, with years that begin in March, so that a leap day is the last one
    // (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    var place = 0
    func put(_ text: StaticString) {
      for index in 0..<text.utf8CodeUnitCount {
        unsafe bytes[place] = unsafe text.utf8Start[index]
        place += 1
      }
    }
    func put(_ number: Int, _ width: Int) {
      var rest = number
      for index in stride(from: place + width - 1, through: place, by: -1) {
        unsafe bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      place += width
    }
    put("time=")
    put(year, 4)
    put("-")
    put(month, 2)
    put("-")
    put(day, 2)
    put("T")
    put(second / 3_600, 2)
    put(":")
    put(second / 60 % 60, 2)
    put(":")
    put(second % 60, 2)
    put(".")
    put(time.tv_nsec / 1_000_000, 3)
    put("Z")
  }
}
