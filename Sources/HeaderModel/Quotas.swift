// SPDX-License-Identifier: MIT
//
// Quotas of one user (the uid of a connection's process). `Limits` bound all users together or one connection; quotas keep one user from
// taking everything that the others need.

/// Things that are counted for each user.
public enum Quota: String, CaseIterable, Sendable, Hashable {
  /// Connections at the same time.
  case connections
  /// Headers that the user opened.
  case headers
  /// Subscriptions of all the user's connections.
  case subscriptions
  /// Bytes that wait for connections that do not read.
  case queueBytes
  /// Bytes of memory that all of that takes together, as an estimate.
  case memoryBytes
  /// Events a second over all the user's connections.
  case eventsPerSecond

  /// The quota's index in tables.
  public var index: Int {
    switch self {
    case .connections: 0
    case .headers: 1
    case .subscriptions: 2
    case .queueBytes: 3
    case .memoryBytes: 4
    case .eventsPerSecond: 5
    }
  }
}

/// The bounds of one user.
public struct Quotas: Sendable, Equatable {
  private var amounts = [Int](repeating: .max, count: Quota.allCases.count)

  /// No bounds: root and the daemon's own user.
  public static let unbounded = Quotas()

  /// The most there may be; `.max`: any number.
  public subscript(quota: Quota) -> Int {
    get { amounts[quota.index] }
    set { amounts[quota.index] = newValue }
  }
}
