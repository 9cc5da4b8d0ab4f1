// SPDX-License-Identifier: MIT
//
// The places where a bar comes to rest: ranges of progress, each with the position that a release within it snaps to. The original keeps
// ranges in whole percents, and so do we, because the truncation is visible: 40/85…1 becomes 47…99, and a progress of 0.995 does not
// snap.
//
//     add 0 for 0…0.4     ├───────────────┤              both ends belong to the range
//     add 1 for 0.4…1                     ├──────────┤   touching is no conflict
//     add 1 for 0.3…0.6             ╳─────────╳          a conflict: 10 whole percents are shared
//
// After BLKFlexibleHeightBar 6110292 (addSnappingPositionProgress:forProgressRangeStart:end: and its neighbors).

internal import HeaderPluginKit

/// Snapping positions in the order in which they were added.
struct SnappingPositions: Equatable {
  /// A range of whole percents.
  struct Range: Equatable {
    var location: Int
    var length: Int

    /// The range between two progresses, each cut to 0…1. The arithmetic is the original's to the last bit (0.57 · 100 is
    /// 56.99999999999999): start first, then the difference of the products.
    init(start: Double, end: Double) {
      let first = Self.percent(start)
      let last = Self.percent(end)
      location = Int(first)
      length = Int(last - first)
    }

    private static func percent(_ progress: Double) -> Double { max(0, min(1, progress)) * 100 }

    /// Whether both hold the same whole percent; each reaches up to its end, which is not part of it here.
    func shares(_ other: Range) -> Bool {
      min(location + length, other.location + other.length) > max(location, other.location)
    }

    /// Whether it holds a percent; both ends are part of it here.
    func holds(_ percent: Double) -> Bool { Double(location) <= percent && percent <= Double(location + length) }
  }

  /// A range and where a release within it goes.
  struct Entry: Equatable {
    var range: Range
    var progress: Double
    /// The range's ends as they were given.
    var start: Double
    var end: Double
  }

  private(set) var entries: [Entry] = []

  /// Adds a position for a range of progress.
  /// - Throws: when the range shares a whole percent with one that is there, or ends before it starts; nothing is added.
  mutating func add(_ progress: Double, start: Double, end: Double) throws(Refusal) {
    guard start <= end else {
      throw Refusal("a snapping range ends at \(end), before it starts at \(start)")
    }
    let range = Range(start: start, end: end)
    if let other = entries.first(where: { $0.range.shares(range) }) {
      throw Refusal(
        "the snapping range from \(start) to \(end) conflicts with the one from \(other.start) to \(other.end)")
    }
    // Equal ranges are left only where both are empty: the new one replaces the old.
    entries.removeAll { $0.range == range }
    entries.append(Entry(range: range, progress: progress, start: start, end: end))
  }

  /// Removes the range that is the same in whole percents; nothing when there is none.
  mutating func remove(start: Double, end: Double) {
    let range = Range(start: start, end: end)
    entries.removeAll { $0.range == range }
  }

  /// The place that a release at a progress goes to; nil: it stays. Of two touching ranges the one added later has the percent on which
  /// they touch.
  func position(for progress: Double) -> Double? {
    entries.last { $0.range.holds(progress * 100) }?.progress
  }

  /// The positions as an option or a saved state has them.
  var value: Value {
    .list(
      entries.map { entry in
        .record([
          ("progress", .number(entry.progress)), ("start", .number(entry.start)), ("end", .number(entry.end)),
        ])
      })
  }

  init() {}

  /// Reads the form that `value` gives.
  /// - Throws: mistakes, with their place.
  init(_ value: Value, at place: String) throws(Refusal) {
    for var fields in try Fields.list(value, at: place) {
      let progress = try fields.number("progress")
      let start = try fields.number("start")
      let end = try fields.number("end")
      try fields.finish()
      do throws(Refusal) {
        try add(progress, start: start, end: end)
      } catch {
        throw Refusal("\(fields.place): \(error.reason)")
      }
    }
  }
}
