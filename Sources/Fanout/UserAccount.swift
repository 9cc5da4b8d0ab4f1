// SPDX-License-Identifier: MIT
//
// One user's use of the daemon, counted over all of the user's connections on all threads. Counting takes no lock: each quota is an
// atomic number beside its bound.
//
//     connections, headers, subscriptions, events    asked for one by one and refused at the bound
//     memory                                          refused when it is used up already, so it may be exceeded by one request
//     bytes queued                                    over the bound the user's slow readers keep short queues
//
// Memory is an estimate: the size of the daemon's records, rounded.

public import Clocks
public import HeaderModel
internal import Synchronization

/// Estimated bytes of the daemon's records. Idle connections and headers were measured (`make bench`).
public enum MemoryCost {
  /// A connection that does nothing.
  public static let connection = 1_024
  /// A subscription without its patterns.
  public static let subscription = 512
  /// A header on its way to a connection.
  static let delivery = 448
  /// Kept explanations of one header: nearly always much less than the limit.
  static let explanations = 16_384
}

/// A count and its bound.
public final class Meter: Sendable {
  private let count = Atomic<Int>(0)
  private let bound = Atomic<Int>(.max)

  /// The present count.
  public var used: Int { count.load(ordering: .relaxed) }
  /// How many there may be; `.max`: any number.
  public internal(set) var allowed: Int {
    get { bound.load(ordering: .relaxed) }
    set { bound.store(newValue, ordering: .relaxed) }
  }

  /// Counts one more if there may be one more.
  public func charge() -> Bool {
    var present = used
    while true {
      guard present < allowed else { return false }
      let (exchanged, found) = count.compareExchange(expected: present, desired: present + 1, ordering: .relaxed)
      if exchanged { return true }
      present = found
    }
  }

  /// Counts more or less, whatever the bound.
  public func add(_ difference: Int) { count.wrappingAdd(difference, ordering: .relaxed) }

  fileprivate func clear() { count.store(0, ordering: .relaxed) }
}

/// One user's use of the daemon.
public final class UserAccount: Sendable {
  /// The user's number.
  public let user: UInt32
  private let meters = Quota.allCases.map { _ in Meter() }
  private let events = EventPace()

  /// Creates an account with nothing charged.
  public init(user: UInt32) { self.user = user }

  /// The meter of a quota. That of `eventsPerSecond` counts all events so far.
  public subscript(quota: Quota) -> Meter { meters[quota.index] }

  /// Sets the user's quotas for later charges; present ones stay.
  public func use(_ quotas: Quotas) { for quota in Quota.allCases { self[quota].allowed = quotas[quota] } }

  /// Whether nothing is counted, so that the account may be forgotten.
  public var isIdle: Bool { Quota.allCases.allSatisfy { $0 == .eventsPerSecond || self[$0].used == 0 } }

  /// Whether more waits for the user's connections than may, or the user's memory is used up.
  public var isBehind: Bool { isOver(.queueBytes) || isOver(.memoryBytes) }

  private func isOver(_ quota: Quota) -> Bool { self[quota].used > self[quota].allowed }

  /// Refuses a request for more memory when the quota is used up.
  /// - Parameter what: the request, for the message: `header.open`.
  public func requireMemory(for what: String) throws(HeaderError) {
    if self[.memoryBytes].used >= self[.memoryBytes].allowed { throw refusal(.memoryBytes, for: what) }
  }

  /// Counts one more of something.
  public func charge(_ quota: Quota, for what: String) throws(HeaderError) {
    if !self[quota].charge() { throw refusal(quota, for: what) }
  }

  /// Takes events for a connection to spend one by one.
  /// - Returns: how many; none: the seconds until there is one.
  public func takeEvents(atMost wanted: Int, at now: MonotonicTime) -> (count: Int, wait: Double) {
    let rate = self[.eventsPerSecond].allowed
    var count = wanted
    if rate < .max {
      // A thousandth of a second's worth at a time, so that what connections keep does not count.
      count = max(1, min(wanted, rate / 1_000))
      if let wait = events.take(count, of: rate, at: now) { return (0, wait) }
    }
    self[.eventsPerSecond].add(count)
    return (count, 0)
  }

  /// Sets the count of events to zero.
  public func clearEvents() { self[.eventsPerSecond].clear() }

  /// The error for a user who has used up a quota.
  public func refusal(_ quota: Quota, for what: String) -> HeaderError {
    let (used, allowed) = (self[quota].used, self[quota].allowed)
    let amount =
      switch quota {
      case .connections: "has \(used) of \(allowed) connections"
      case .headers: "has \(used) of \(allowed) headers"
      case .subscriptions: "has \(used) of \(allowed) subscriptions"
      case .queueBytes: "has \(used) of \(allowed) bytes waiting to be read"
      case .memoryBytes: "takes \(used) of \(allowed) bytes of memory"
      case .eventsPerSecond: "may send \(allowed) events a second"
      }
    var limit: Value.Record = [
      "name": .text(quota.rawValue), "value": .number(Double(allowed)), "key": .text("quotas.\(quota.rawValue)"),
      "user": .number(Double(user)),
    ]
    if quota != .eventsPerSecond { limit["used"] = .number(Double(used)) }
    return HeaderError(
      quota == .eventsPerSecond ? .rateExceeded : .limitExceeded, "\(what): user \(user) \(amount)",
      hint: "quotas.\(quota.rawValue) in the daemon's config sets it", facts: ["limit": .record(limit)])
  }
}

/// A rate of events, from all connections of a user together; at most a second's worth is saved up.
final class EventPace: Sendable {
  /// When the next event would be due if they came at the rate, nanoseconds.
  private let next = Atomic<Int64>(0)

  /// Takes some events.
  /// - Parameter perSecond: at least 1.
  /// - Returns: nil when there were as many, else the seconds until there are.
  func take(_ count: Int, of perSecond: Int, at now: MonotonicTime) -> Double? {
    let step = Int64((1e9 * Double(count) / Double(perSecond)).rounded())
    var due = next.load(ordering: .relaxed)
    while true {
      let then = max(due, now.nanoseconds) + step
      let excess = then - now.nanoseconds - 1_000_000_000
      if excess > 0 { return Double(excess) / 1e9 }
      let (exchanged, present) = next.compareExchange(expected: due, desired: then, ordering: .relaxed)
      if exchanged { return nil }
      due = present
    }
  }
}
