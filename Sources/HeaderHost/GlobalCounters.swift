// SPDX-License-Identifier: MIT
//
// Counters for all threads together, because their limits hold for all of them: connections, headers, recordings, and the accounts of
// users. The headers' names are here as well, because an error names the one that was probably meant, on whatever thread it is. The lock
// is taken at opening and closing alone; charging an account takes no lock.

public import Fanout
public import HeaderModel
internal import Locks

/// The counts whose limits hold for all shards together.
public final class GlobalCounters: Sendable {
  private struct Counts {
    /// Connections by the shard of their home.
    var homes: [Int]
    var traces = 0
    var names: Set<String> = []
    /// Users who hold something.
    var accounts: [UInt32: UserAccount] = [:]

    /// Connections that are being turned away. No limit counts them, so that they take no other client's place.
    var turnedAway = 0

    var connections: Int { homes.reduce(0, +) }
  }

  private let counts: Locked<Counts>

  /// Creates counters that are all zero.
  public init(shards: Int = 1) { counts = Locked(Counts(homes: [Int](repeating: 0, count: shards))) }

  /// Connections beyond the limit that are kept for administrators.
  public static let reservedConnections = 8

  /// Counts a connection until it ends, also one that is to be turned away.
  /// - Parameter limit: connections of all users together; administrators may have a few more.
  /// - Returns: its user's account, and why it is turned away.
  public func connect(
    _ peer: Peer, at shard: Int, atMost limit: Int
  ) -> (account: UserAccount, refusal: HeaderError?) {
    counts.withLock {
      let account = $0.accounts[peer.user] ?? UserAccount(user: peer.user)
      $0.accounts[peer.user] = account
      account.use(peer.quotas)
      let present = $0.connections - $0.turnedAway
      $0.homes[shard] += 1
      $0.turnedAway += 1
      let reserve = peer.access.hasEverywhere(.admin) ? Self.reservedConnections : 0
      if present >= limit + reserve {
        return (
          account, .limit("connections", limit, "this daemon takes \(limit) connections at once and has them")
        )
      }
      do throws(HeaderError) {
        // The memory that the user takes does not count here: a user who cannot connect cannot close anything either.
        try account.charge(.connections, for: "connecting")
      } catch {
        return (account, error)
      }
      account[.memoryBytes].add(MemoryCost.connection)
      $0.turnedAway -= 1
      return (account, nil)
    }
  }

  /// Ends a connection's charge and removes it from its shard's count.
  public func disconnect(_ connection: SharedConnection, at shard: Int) {
    connection.endCharging()
    counts.withLock {
      $0.homes[shard] -= 1
      let account = connection.account
      if connection.isAdmitted {
        account[.connections].add(-1)
        account[.memoryBytes].add(-MemoryCost.connection)
      } else {
        $0.turnedAway -= 1
      }
      if account.isIdle { $0.accounts[account.user] = nil }
    }
  }

  /// A user's account, made if the user has nothing yet.
  func account(ofUser user: UInt32) -> UserAccount {
    counts.withLock {
      let account = $0.accounts[user] ?? UserAccount(user: user)
      $0.accounts[user] = account
      return account
    }
  }

  /// The accounts of all users who hold something, ordered by user number.
  public var accounts: [UserAccount] {
    counts.withLock { counts in
      // The cleanup of a connection runs after its end, so an account may have become idle since.
      counts.accounts = counts.accounts.filter { !$0.value.isIdle }
      return counts.accounts.values.sorted { $0.user < $1.user }
    }
  }

  /// Chooses a connection's home, and counts it there from now on.
  /// - Parameter wanted: the shard of its first header; nil: any.
  /// - Returns: the wanted shard, unless it has its share of the connections and a quarter more; else the one with the fewest, which is
  ///   the present one if that has no more.
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

  /// Open connections of all shards.
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
  func namesForHints(to access: Access, atMost limit: Int = 256) -> [String] {
    counts.withLock { $0.names.count > limit ? [] : $0.names.filter(access.maySee).sorted() }
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
