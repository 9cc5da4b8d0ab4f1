// SPDX-License-Identifier: MIT
//
// One connection as all threads see it, without a lock. Numbers that are a moment old do no harm: they only decide whether to send more,
// and whether the client has heard of something before.

public import Clocks
public import HeaderModel
internal import Synchronization

/// One connection as all threads see it.
public final class SharedConnection: Sendable {
  /// The connection's number.
  public let id: ConnectionID
  /// The client at the other end, and its rights.
  public let peer: Peer
  /// The account of the client's user.
  public let account: UserAccount
  /// The connection was admitted, and counts on its user's account.
  public let isAdmitted: Bool
  /// The thread that has its socket.
  private let homeShard: Atomic<Int>
  /// Bytes that other threads have sent to the home and the home has not got yet.
  private let inTransit = Atomic<Int>(0)
  /// Bytes that the home has and the kernel has not taken.
  private let unsent = Atomic<Int>(0)
  /// The threads to be notified when all bytes are gone, one bit each.
  private let awaiting = Atomic<UInt64>(0)
  private let pace = EventPace()
  /// Waiting bytes that are charged to the user's account; −1 when the connection has ended.
  private let charged = Atomic<Int>(0)
  private let hasHeardOfQueue = Atomic<Bool>(false)
  private let hasHeardOfUnknownField = Atomic<Bool>(false)
  /// The kinds of errors that have been logged, one bit each.
  private let loggedErrors = Atomic<UInt64>(0)

  /// Creates a connection whose socket the thread `home` has.
  public init(_ id: ConnectionID, peer: Peer, account: UserAccount, isAdmitted: Bool = true, home: Int = 0) {
    self.id = id
    self.peer = peer
    self.account = account
    self.isAdmitted = isAdmitted
    homeShard = Atomic<Int>(home)
  }

  /// The thread that has its socket. It changes once at most, before any other thread knows the connection.
  public var home: Int {
    get { homeShard.load(ordering: .relaxed) }
    set { homeShard.store(newValue, ordering: .relaxed) }
  }

  /// Bytes that other threads have sent and the home has not got yet.
  public var bytesInTransit: Int { inTransit.load(ordering: .sequentiallyConsistent) }

  /// All bytes that wait, in the thread's mail or in the socket's queue.
  public var queuedBytes: Int { bytesInTransit + unsent.load(ordering: .sequentiallyConsistent) }

  /// Another thread sends bytes (more), or the home got them (less).
  public func addInTransit(_ count: Int) { inTransit.wrappingAdd(count, ordering: .sequentiallyConsistent) }

  /// Sets how much the home has and the kernel has not taken.
  public func setUnsent(_ count: Int) { unsent.store(count, ordering: .sequentiallyConsistent) }

  /// Asks for a thread to be notified when nothing is queued any more.
  /// - Returns: false if nothing is queued now; then there will be no notification.
  public func awaitDrained(_ shard: Int) -> Bool {
    awaiting.bitwiseOr(1 << UInt64(shard), ordering: .sequentiallyConsistent)
    // The thread that empties the queue looks for waiting shards afterwards, so one of the two sees the other.
    guard queuedBytes == 0 else { return true }
    awaiting.bitwiseAnd(~(1 << UInt64(shard)), ordering: .sequentiallyConsistent)
    return false
  }

  /// The threads to be notified, which then no longer wait.
  public func takeAwaiting() -> UInt64 {
    awaiting.load(ordering: .sequentiallyConsistent) == 0
      ? 0 : awaiting.exchange(0, ordering: .sequentiallyConsistent)
  }

  /// Charges waiting bytes to the user's account, unless the connection has ended: other threads may not know that yet.
  public func charge(_ queued: Int) {
    var before = charged.load(ordering: .relaxed)
    while before >= 0, before != queued {
      let (exchanged, present) = charged.compareExchange(expected: before, desired: queued, ordering: .relaxed)
      if exchanged { return count(queued - before) }
      before = present
    }
  }

  /// Charges no bytes any more, because none wait.
  public func chargeNothing() { if charged.load(ordering: .relaxed) > 0 { charge(0) } }

  /// Ends all charges, because the connection has ended.
  public func endCharging() { count(-max(0, charged.exchange(-1, ordering: .relaxed))) }

  private func count(_ difference: Int) {
    account[.queueBytes].add(difference)
    account[.memoryBytes].add(difference)
  }

  /// Takes one event of a rate, which all threads share; a second's worth is saved up at most.
  /// - Parameter perSecond: at least 1.
  /// - Returns: nil when there was one, else the seconds until there is.
  public func takeEvent(of perSecond: Int, at now: MonotonicTime) -> Double? { pace.take(1, of: perSecond, at: now) }

  /// Whether this is the client's first notice that too much waits for its user.
  func isFirstFullQueue() -> Bool { !hasHeardOfQueue.exchange(true, ordering: .relaxed) }

  /// Whether this is the client's first notice of an unknown field.
  public func isFirstUnknownField() -> Bool { !hasHeardOfUnknownField.exchange(true, ordering: .relaxed) }

  /// Whether this is its first error of a kind.
  public func isFirst(_ error: ErrorName) -> Bool {
    let bit: UInt64 = 1 << UInt64(ErrorName.allCases.firstIndex(of: error) ?? 63)
    return loggedErrors.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0
  }
}
