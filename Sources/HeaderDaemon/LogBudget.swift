// SPDX-License-Identifier: MIT
//
// Bounds the log when a client misbehaves a thousand times a second: of each kind of line as many as people read, and then the number of
// lines left out. Each kind has its own budget, so that a flood of one does not hide another.
//
//     0 s        ▏100 lines, 21,566 left out▕        1 s: event=linesLeftOut of=unknownOpening lines=21566
//
// A value with times as numbers. Lines left out are reported by the clock and not with the next line, which may never come.

package import Clocks

/// Lines of each kind that have been written in its present second.
package struct LogBudget {
  /// `debug` lines are written only at that log level.
  package enum Share { case usual, debug }

  /// How many lines of a kind are written in a second.
  package static func lines(_ share: Share) -> Int { share == .debug ? 1_000 : 100 }
  /// How long it counts, nanoseconds.
  package static let span: Int64 = 1_000_000_000

  private struct Window {
    var end: MonotonicTime
    var written = 0
    var leftOut = 0
  }

  /// By kind, of which there are as many as there are names in the code.
  private var windows: [String: Window] = [:]

  package init() {}

  /// When `takeReports` has something to report; nil when nothing was left out.
  package var nextReport: MonotonicTime? { windows.values.lazy.filter { $0.leftOut > 0 }.map(\.end).min() }

  /// Whether a line is to be written. One that is not is counted.
  package mutating func admits(_ kind: String, _ share: Share = .usual, at now: MonotonicTime) -> Bool {
    var window = windows[kind] ?? Window(end: now + Self.span)
    // Earlier lines left out are reported first.
    if now >= window.end, window.leftOut == 0 { window = Window(end: now + Self.span) }
    defer { windows[kind] = window }
    guard window.written < Self.lines(share) else {
      window.leftOut += 1
      return false
    }
    window.written += 1
    return true
  }

  /// The kinds whose second is over, by name, and how many lines of each were left out.
  package mutating func takeReports(at now: MonotonicTime) -> [(kind: String, lines: Int)] {
    let due = windows.filter { $0.value.leftOut > 0 && $0.value.end <= now }
    for kind in due.keys { windows[kind] = nil }
    return due.map { ($0.key, $0.value.leftOut) }.sorted { $0.kind < $1.kind }
  }
}
