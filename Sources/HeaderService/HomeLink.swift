// SPDX-License-Identifier: MIT
//
// What a connection's home and its guests at other threads (Neighbors.swift) have in common, without a lock.

internal import Synchronization

/// What a connection's home and its guests know together: where it is, and how many of its bytes wait. Numbers that are a
/// moment old do no harm, since they only say whether to send more; the order matters in `waiting` alone.
public final class HomeLink: Sendable {
  /// The shard of the home.
  public let home: Int
  /// Bytes that guests have sent and the home has not got yet.
  private let underWayCount = Atomic<Int>(0)
  /// Bytes that the home has and the kernel has not taken.
  private let unsentCount = Atomic<Int>(0)
  /// The guests that want to know when all of it is gone, one bit a shard.
  private let waiting = Atomic<UInt64>(0)

  /// A link of a connection whose home is a shard.
  public init(home: Int) { self.home = home }

  /// The link of a connection that has moved.
  init(home: Int, after link: HomeLink) {
    self.home = home
    nextEvent.store(link.nextEvent.load(ordering: .relaxed), ordering: .relaxed)
    hasToldUnknownField.store(link.hasToldUnknownField.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// Bytes that guests have sent and the home has not got yet.
  public var underWay: Int { underWayCount.load(ordering: .sequentiallyConsistent) }

  /// All bytes that wait.
  public var queued: Int { underWay + unsentCount.load(ordering: .sequentiallyConsistent) }

  /// A guest sends bytes (more), or the home got them (less).
  public func addUnderWay(_ count: Int) { underWayCount.wrappingAdd(count, ordering: .sequentiallyConsistent) }

  /// The home's queue is so long now.
  public func setUnsent(_ count: Int) { unsentCount.store(count, ordering: .sequentiallyConsistent) }

  /// A guest wants to know when nothing waits any more.
  /// - Returns: false if nothing waits now: then it knows.
  public func waits(_ shard: Int) -> Bool {
    waiting.bitwiseOr(1 << UInt64(shard), ordering: .sequentiallyConsistent)
    // Who empties the queue looks for those who wait afterwards, so one of the two sees the other.
    guard queued == 0 else { return true }
    waiting.bitwiseAnd(~(1 << UInt64(shard)), ordering: .sequentiallyConsistent)
    return false
  }

  /// Whether the connection was told of a field that nobody knows.
  private let hasToldUnknownField = Atomic<Bool>(false)

  /// Whether it is the first time that the connection is told of a field that nobody knows.
  func isFirstUnknownField() -> Bool { !hasToldUnknownField.exchange(true, ordering: .relaxed) }

  /// When the next event would be due if they came at the limit's rate, nanoseconds.
  private let nextEvent = Atomic<Int64>(0)

  /// Takes one of so many events a second, which the home and its guests share; as many are saved up at most.
  /// - Returns: nil when there was one, else the seconds until there is.
  func takeRate(_ perSecond: Int, at now: Int64) -> Double? {
    let step = Int64((1e9 / Double(perSecond)).rounded())
    var due = nextEvent.load(ordering: .relaxed)
    while true {
      let next = max(due, now) + step
      let excess = next - now - 1_000_000_000
      if excess > 0 { return Double(excess) / 1e9 }
      let (exchanged, present) = nextEvent.compareExchange(expected: due, desired: next, ordering: .relaxed)
      if exchanged { return nil }
      due = present
    }
  }

  /// The guests that wait, which wait no more.
  public func takeWaiting() -> UInt64 {
    waiting.load(ordering: .sequentiallyConsistent) == 0
      ? 0 : waiting.exchange(0, ordering: .sequentiallyConsistent)
  }
}
