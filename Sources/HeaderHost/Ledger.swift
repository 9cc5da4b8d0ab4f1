// SPDX-License-Identifier: MIT
//
// What is counted for all threads together, because its limit holds for all of them: connections, headers, recordings. The
// headers' names are here as well, because an error names the one that was probably meant, wherever it is. Locked at
// opening and closing alone.

internal import Locks

/// The counts whose limits hold for all shards together.
public final class Ledger: Sendable {
  private struct Counts {
    /// Connections by the shard of their home.
    var homes: [Int]
    var traces = 0
    var names: Set<String> = []

    var connections: Int { homes.reduce(0, +) }
  }

  private let counts: Locked<Counts>

  /// An empty ledger.
  public init(shards: Int = 1) { counts = Locked(Counts(homes: [Int](repeating: 0, count: shards))) }

  /// Counts a connection.
  /// - Returns: how many there were before it.
  public func connect(at shard: Int) -> Int {
    counts.withLock {
      $0.homes[shard] += 1
      return $0.connections - 1
    }
  }

  /// A connection is gone.
  public func disconnect(at shard: Int) { counts.withLock { $0.homes[shard] -= 1 } }

  /// Finds a connection its place, and counts it there from now on.
  /// - Parameter wanted: where its first header is; nil: anywhere.
  /// - Returns: the wanted shard, unless it has its part of the connections and a quarter more; else where the fewest are,
  ///   which is the present one if that has no more.
  public func place(from present: Int, to wanted: Int?) -> Int {
    counts.withLock {
      let homes = $0.homes
      let part = $0.connections / homes.count
      var chosen = wanted ?? present
      if wanted == nil || (chosen != present && homes[chosen] >= part + max(part / 4, 4)) {
        chosen = present
        for shard in homes.indices where homes[shard] + 1 < homes[chosen] { chosen = shard }
      }
      $0.homes[present] -= 1
      $0.homes[chosen] += 1
      return chosen
    }
  }

  /// Counts a connection elsewhere from now on.
  public func move(from old: Int, to new: Int) {
    counts.withLock {
      $0.homes[old] -= 1
      $0.homes[new] += 1
    }
  }

  /// Connections of all shards.
  public var connections: Int { counts.withLock { $0.connections } }

  var headers: Int { counts.withLock { $0.names.count } }

  /// Counts a header.
  /// - Returns: false if there are as many as there may be; it is not counted then.
  func open(_ name: String, atMost limit: Int) -> Bool {
    counts.withLock {
      guard $0.names.count < limit else { return false }
      $0.names.insert(name)
      return true
    }
  }

  func close(_ name: String) { counts.withLock { _ = $0.names.remove(name) } }

  /// The names of all headers, sorted; none when there are more than `limit`: among very many a hint is not worth the
  /// search, which bad requests could ask for without end.
  func namesForHints(atMost limit: Int = 256) -> [String] {
    counts.withLock { $0.names.count > limit ? [] : $0.names.sorted() }
  }

  var traces: Int { counts.withLock { $0.traces } }

  /// Counts a recording.
  /// - Returns: false if there are as many as there may be; it is not counted then.
  func beginTrace(atMost limit: Int) -> Bool {
    counts.withLock {
      guard $0.traces < limit else { return false }
      $0.traces += 1
      return true
    }
  }

  func endTrace() { counts.withLock { $0.traces -= 1 } }
}
