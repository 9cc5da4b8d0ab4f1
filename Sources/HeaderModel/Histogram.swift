// SPDX-License-Identifier: MIT
//
// Counts of durations, for metrics: each bucket ends at twice the duration of the one before it.

/// Counts of durations, in buckets that double.
public struct Histogram: Equatable, Sendable {
  /// Where the first bucket ends, in nanoseconds.
  public let first: Int64
  /// How many there are by bucket; the last one has no end.
  public private(set) var counts: [Int]
  /// The sum of all durations in nanoseconds.
  public private(set) var sum: Int64 = 0

  /// Nothing is counted yet.
  /// - Parameter buckets: 2 to 63, the one without an end included.
  public init(first: Int64, buckets: Int) {
    self.first = first
    counts = Array(repeating: 0, count: buckets)
  }

  /// Creates a histogram from counts.
  public init(first: Int64, counts: [Int], sum: Int64) {
    self.first = first
    self.counts = counts
    self.sum = sum
  }

  /// Counts a duration in nanoseconds.
  public mutating func add(_ nanoseconds: Int64) {
    counts[Self.bucket(of: nanoseconds, first: first, of: counts.count)] += 1
    sum = sum &+ nanoseconds
  }

  /// The bucket of a duration.
  @inline(__always)
  public static func bucket(of nanoseconds: Int64, first: Int64, of count: Int) -> Int {
    let rest = max(0, nanoseconds - 1) / first
    return min(count - 1, Int64.bitWidth - rest.leadingZeroBitCount)
  }

  /// Adds another one of the same buckets.
  public static func += (left: inout Histogram, right: Histogram) {
    for (index, count) in right.counts.enumerated() where left.counts.indices.contains(index) {
      left.counts[index] += count
    }
    left.sum = left.sum &+ right.sum
  }

  /// Subtracts earlier counts.
  public static func -= (left: inout Histogram, right: Histogram) {
    for (index, count) in right.counts.enumerated() where left.counts.indices.contains(index) {
      left.counts[index] = max(0, left.counts[index] - count)
    }
    left.sum = max(0, left.sum &- right.sum)
  }

  /// How many durations were counted.
  public var count: Int { counts.reduce(0, +) }

  /// Where a bucket ends, in seconds; nil: the last one has no end.
  public func end(of bucket: Int) -> Double? {
    bucket == counts.count - 1 ? nil : Double(first) * Double(1 << bucket) / 1e9
  }
}

/// How old events are when they come, by group of headers: how much later than the least late of their connection.
public struct EventAges: Sendable {
  /// Globs of names, one a group; headers that none matches are in the group `other`.
  public let groups: [String]
  /// One for each group, `other` behind all.
  public private(set) var histograms: [Histogram]

  /// Creates ages without events, one histogram a group.
  public init(groups: [String]) {
    self.groups = groups
    // 1 ms to 1 s.
    histograms = Array(repeating: Histogram(first: 1_000_000, buckets: 12), count: groups.count + 1)
  }

  /// The group of a header.
  public func group(of name: String) -> Int {
    groups.firstIndex { Names.glob($0, matches: name) } ?? groups.count
  }

  /// The name of a group.
  public func name(of group: Int) -> String { group < groups.count ? groups[group] : "other" }

  /// Counts an event's age in nanoseconds.
  public mutating func add(_ age: Int64, group: Int) {
    if histograms.indices.contains(group) { histograms[group].add(age) }
  }

  /// Adds another shard's counts.
  public static func += (left: inout EventAges, right: EventAges) {
    for (index, histogram) in right.histograms.enumerated() where left.histograms.indices.contains(index) {
      left.histograms[index] += histogram
    }
  }
}
