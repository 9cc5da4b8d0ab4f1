// SPDX-License-Identifier: MIT
//
// What has a limit for all services together (Neighbors.swift): connections, headers, recordings. The headers' names stand
// here as well, because an error names the one that was probably meant, wherever it is.
//
// Only what opens and closes something comes here.

internal import Locks

/// The counts whose limits hold for all services together. Sendable, because everything is touched under the lock alone.
@safe public final class CommonCounts: Sendable {
  private let lock = Lock()
  /// Connections by the shard of their home.
  private nonisolated(unsafe) var homes: [Int]
  private nonisolated(unsafe) var traceCount = 0
  private nonisolated(unsafe) var names: Set<String> = []

  /// Nothing yet, for so many services.
  public init(shards: Int) { unsafe homes = [Int](repeating: 0, count: shards) }

  /// Counts a connection.
  /// - Returns: how many there were before it.
  func connected(at shard: Int) -> Int {
    lock.withLock {
      let before = unsafe homes.reduce(0, +)
      unsafe homes[shard] += 1
      return before
    }
  }

  func disconnected(at shard: Int) { lock.withLock { unsafe homes[shard] -= 1 } }

  /// Counts a connection elsewhere from now on, unless that one has its part of them and a quarter more.
  func moves(from old: Int, to new: Int) -> Bool {
    lock.withLock {
      let part = unsafe homes.reduce(0, +) / homes.count
      guard unsafe homes[new] < part + max(part / 4, 4) else { return false }
      unsafe homes[old] -= 1
      unsafe homes[new] += 1
      return true
    }
  }

  /// The same without a condition.
  func moved(from old: Int, to new: Int) {
    lock.withLock {
      unsafe homes[old] -= 1
      unsafe homes[new] += 1
    }
  }

  var headers: Int { lock.withLock { unsafe names.count } }

  /// Counts a header, unless there are so many; false then.
  func open(_ name: String, atMost limit: Int) -> Bool {
    lock.withLock {
      guard unsafe names.count < limit else { return false }
      unsafe names.insert(name)
      return true
    }
  }

  func close(_ name: String) { lock.withLock { _ = unsafe names.remove(name) } }

  /// The names of all headers, sorted; none when there are too many to look through for a hint.
  func namesForHints(atMost limit: Int) -> [String] {
    lock.withLock { unsafe names.count > limit ? [] : names.sorted() }
  }

  var traces: Int { lock.withLock { unsafe traceCount } }

  /// Counts a recording, unless there are so many; false then.
  func beginTrace(atMost limit: Int) -> Bool {
    lock.withLock {
      guard unsafe traceCount < limit else { return false }
      unsafe traceCount += 1
      return true
    }
  }

  func endTrace() { lock.withLock { unsafe traceCount -= 1 } }
}
