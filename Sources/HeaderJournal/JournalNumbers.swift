// SPDX-License-Identifier: MIT
//
// The numbers of segments and headers, over all shards.

internal import Locks

/// Numbers that all shards draw from.
public final class JournalNumbers: Sendable {
  private struct Numbers {
    var segment: Int
    var header: Int
    /// How many shards have headers, or may have, in each segment.
    var users: [Int: Int]
    /// Files of an earlier journal, which belong to all shards.
    var shared: Set<Int>
  }

  /// This life of the daemon, for the heads of segments.
  let run: Int

  private let last: Locked<Numbers>
  /// How many shards draw from it.
  public let shards: Int

  /// Continues behind the last numbers of a journal. All shards share its segments, since it may be from another number of shards.
  public init(after stored: StoredJournal = StoredJournal(), shards: Int = 1) {
    self.shards = shards
    run = stored.lastSegment + 1
    let users = stored.segments.map { ($0.head.number, shards) }
    last = Locked(
      Numbers(
        segment: stored.lastSegment, header: stored.lastNumber, users: Dictionary(users, uniquingKeysWith: { $1 }),
        shared: Set(users.map(\.0))))
  }

  func nextSegment() -> Int {
    last.withLock {
      $0.segment += 1
      $0.users[$0.segment] = 1
      return $0.segment
    }
  }

  /// Releases a shard's use of a segment.
  /// - Returns: whether no shard uses it any more.
  func free(_ segment: Int) -> Bool {
    last.withLock {
      let users = ($0.users[segment] ?? 1) - 1
      $0.users[segment] = users > 0 ? users : nil
      return users <= 0
    }
  }

  /// Whether there is a file of an earlier journal that other shards may need longer than one of them.
  var sharesSegments: Bool { shards > 1 && last.withLock { !$0.shared.isEmpty } }

  func removed(_ segments: [Int]) { if !segments.isEmpty { last.withLock { $0.shared.subtract(segments) } } }

  func nextHeader() -> Int {
    last.withLock {
      $0.header += 1
      return $0.header
    }
  }

  /// The number of the segment that was begun last, over all shards.
  public var lastSegment: Int { last.withLock { $0.segment } }
}
