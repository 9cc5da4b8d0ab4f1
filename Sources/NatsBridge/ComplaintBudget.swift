// SPDX-License-Identifier: MIT

internal import Clocks

/// The share of the log that senders of messages may fill: ten lines a second for each event, so that many of one do not hide another,
/// and how many lines were left out.
struct ComplaintBudget {
  private struct Count {
    var second: Int64
    var lines = 0
    var unwritten = 0
  }

  /// The counts by kind of event, of which there are few.
  private var counts: [String: Count] = [:]

  private static let maxLines = 10

  /// Takes a line of an event.
  /// - Returns: whether it is written.
  mutating func take(_ event: String, at now: MonotonicTime) -> Bool {
    let present = now.nanoseconds / 1_000_000_000
    var count = counts[event] ?? Count(second: present)
    if count.second != present { (count.second, count.lines) = (present, 0) }
    let isWritten = count.lines < Self.maxLines
    if isWritten { count.lines += 1 } else { count.unwritten += 1 }
    counts[event] = count
    return isWritten
  }

  /// How many lines of which events were not written in seconds that are over.
  mutating func takeUnwritten(at now: MonotonicTime) -> [(event: String, lines: Int)] {
    guard !counts.isEmpty else { return [] }
    let over = counts.filter { $0.value.second < now.nanoseconds / 1_000_000_000 }
    for event in over.keys { counts[event] = nil }
    return over.filter { $0.value.unwritten > 0 }.map { ($0.key, $0.value.unwritten) }.sorted { $0.event < $1.event }
  }
}
