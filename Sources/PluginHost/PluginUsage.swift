// SPDX-License-Identifier: MIT
//
// Counts calls of a plugin. Each thread has its own counters, without a lock: a counter that two threads write would
// cost both more than the call. Readers add them up. They also lead to where the thread marks the call that it is in
// (PluginCall.swift).

internal import Clocks
public import HeaderModel
internal import Posix
internal import Synchronization

/// Counts the calls of a plugin's instances at one thread, and times one in 64, since reading the clock costs more than a call.
public final class PluginUsage: Sendable {
  private let callCount = Atomic<Int>(0)
  private let sampledNanoseconds = Atomic<Int>(0)
  /// The timed calls by their durations: each bucket ends at twice the duration of the one before it.
  private let buckets = InlineArray<16, Atomic<Int>> { _ in Atomic<Int>(0) }
  /// Keeps the next thread's numbers out of the same line of the processor's cache.
  private let distance = InlineArray<16, Int>(repeating: 0)
  /// Where the thread marks its calls.
  let thread: PluginCalls

  init(_ thread: PluginCalls) { self.thread = thread }

  /// Calls since the last reset.
  public var calls: Int { callCount.load(ordering: .relaxed) }

  /// How long the timed calls took, nested calls included, from 1 microsecond to 16 ms.
  public var samples: Histogram {
    Histogram(
      first: Self.firstBucket, counts: buckets.indices.map { buckets[$0].load(ordering: .relaxed) },
      sum: Int64(sampledNanoseconds.load(ordering: .relaxed)))
  }

  /// Its numbers, one after the other: calls, nanoseconds of those that were timed, and these by duration.
  static let numberCount = 2 + bucketCount
  func number(_ place: Int) -> Int {
    switch place {
    case 0: calls
    case 1: sampledNanoseconds.load(ordering: .relaxed)
    default: buckets[place - 2].load(ordering: .relaxed)
    }
  }

  static let firstBucket: Int64 = 1_000
  static let bucketCount = 16

  /// Sets the counters to zero.
  public func reset() {
    callCount.store(0, ordering: .relaxed)
    sampledNanoseconds.store(0, ordering: .relaxed)
    for index in buckets.indices { buckets[index].store(0, ordering: .relaxed) }
  }

  /// A call begins.
  /// - Returns: what `end` is to be given; nil for most: only one in 64 is timed.
  @inline(__always)
  func begin() -> MonotonicTime? { Self.add(1, to: callCount) & 63 == 1 ? monotonicTime() : nil }

  @inline(never)
  func end(_ start: MonotonicTime) {
    let duration = monotonicTime() - start
    _ = Self.add(Int(duration), to: sampledNanoseconds)
    let bucket = Histogram.bucket(of: duration, first: Self.firstBucket, of: buckets.count)
    _ = Self.add(1, to: buckets[bucket])
  }

  /// A load and a store: a locked addition would cost as much as the call that it counts.
  private static func add(_ number: Int, to counter: borrowing Atomic<Int>) -> Int {
    let sum = counter.load(ordering: .relaxed) &+ number
    counter.store(sum, ordering: .relaxed)
    return sum
  }
}
