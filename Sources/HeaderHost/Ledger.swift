// SPDX-License-Identifier: MIT
//
// What is counted for all threads together, because its limit holds for all of them: connections, headers, recordings. The
// headers' names are here as well, because an error names the one that was probably meant, wherever it is. Locked at
// opening and closing alone.

internal import Locks

/// The counts whose limits hold for all shards together. Sendable, because everything is touched under the lock alone.
@safe public final class Ledger: Sendable {
  private let lock = Lock()
  /// Connections by the shard of their home.
  private nonisolated(unsafe) var homes: [Int]
  private nonisolated(unsafe) var traceCount = 0
  private nonisolated(unsafe) var names: Set<String> = []

  /// An empty ledger.
  public init(shards: Int = 1) { unsafe homes = [Int](repeating: 0, count: shards) }

  /// Counts a connection.
  /// - Returns: how many there were before it.
  public func connect(at shard: Int) -> Int {
    lock.withLock {
      let before = unsafe homes.reduce(0, +)
      unsafe homes[shard] += 1
      return before
    }
  }

  /// A connection is gone.
  public func disconnect(at shard: Int) { lock.withLock { unsafe homes[shard] -= 1 } }

  /// Finds a connection its place, and counts it there from now on.
  /// - Parameter wanted: where its first header is; nil: anywhere.
  /// - Returns: the wanted shard, unless it has its part of the connections and a quarter more; else where the fewest are,
  ///   which is the present one if that has no more.
  public func place(from present: Int, to wanted: Int?) -> Int {
    lock.withLock {
      let part = unsafe homes.reduce(0, +) / homes.count
      var chosen = wanted ?? present
      if unsafe wanted == nil || (chosen != present && homes[chosen] >= part + max(part / 4, 4)) {
        chosen = present
        for shard in unsafe homes.indices where unsafe homes[shard] + 1 < homes[chosen] { chosen = shard }
      }
      unsafe homes[present] -= 1
      unsafe homes[chosen] += 1
      return chosen
    }
  }

  /// Counts a connection elsewhere from now on.
  public func move(from old: Int, to new: Int) {
    lock.withLock {
      unsafe homes[old] -= 1
      unsafe homes[new] += 1
    }
  }

  /// Connections of all shards.
  public var connections: Int { lock.withLock { unsafe homes.reduce(0, +) } }

  var headers: Int { lock.withLock { unsafe names.count } }

  /// Counts a header.
  /// - Returns: false if there are as many as there may be; it is not counted then.
  func open(_ name: String, atMost limit: Int) -> Bool {
    lock.withLock {
      guard unsafe names.count < limit else { return false }
      unsafe names.insert(name)
      return true
    }
  }

  func close(_ name: String) { lock.withLock { _ = unsafe names.remove(name) } }

  /// The names of all headers, sorted; none when there are more than `limit`: among very many a hint is not worth the
  /// search, which bad requests could ask for without end.
  func namesForHints(atMost limit: Int = 256) -> [String] {
    lock.withLock { unsafe names.count > limit ? [] : names.sorted() }
  }

  var traces: Int { lock.withLock { unsafe traceCount } }

  /// Counts a recording.
  /// - Returns: false if there are as many as there may be; it is not counted then.
  func beginTrace(atMost limit: Int) -> Bool {
    lock.withLock {
      guard unsafe traceCount < limit else { return false }
      unsafe traceCount += 1
      return true
    }
  }

  func endTrace() { lock.withLock { unsafe traceCount -= 1 } }
}
