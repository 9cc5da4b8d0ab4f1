// SPDX-License-Identifier: MIT
//
// The table `[quotas]`: the quotas of every user, and exceptions for some. A share refers to the limit of the same name, so that a lower
// limit never leaves one user everything.

public import HeaderModel

/// What users may take, as the config says it.
public struct UserQuotas: Sendable, Equatable {
  /// A quota: a number, or a share of a limit.
  public enum Amount: Sendable, Equatable {
    /// A number; 0: no limit.
    case count(Int)
    /// Per cent of the limit of the same name, at least one.
    case percent(Int)
  }

  /// An exception. Quotas that it does not name are those of everybody.
  public struct Exception: Sendable, Equatable {
    /// As the file names the user.
    public var name: String
    /// The user: a number, `self` or a name.
    public var member: Member
    /// The quotas that differ from everybody's.
    public var amounts: [Quota: Amount]

    /// An exception from its parts.
    public init(name: String, member: Member, amounts: [Quota: Amount]) {
      self.name = name
      self.member = member
      self.amounts = amounts
    }
  }

  /// The quotas of all users but root and the daemon's own.
  public var everybody: [Quota: Amount] = [
    .connections: .percent(50), .headers: .percent(50), .subscriptions: .count(65_536),
    .queueBytes: .count(268_435_456), .memoryBytes: .count(1_073_741_824), .eventsPerSecond: .count(250_000),
  ]
  /// Users with quotas of their own, in the order of the file.
  public var users: [Exception] = []

  /// The default quotas.
  public init() {}

  /// The bounds that amounts come to.
  /// - Parameter limits: what shares are shares of.
  public static func bounds(_ amounts: [Quota: Amount], of limits: Limits) -> Quotas {
    var quotas = Quotas.unbounded
    for (quota, amount) in amounts {
      switch amount {
      case .count(let count): quotas[quota] = count == 0 ? .max : count
      case .percent(let percent):
        let whole = quota == .connections ? limits.connections : limits.headers
        quotas[quota] = max(1, whole * percent / 100)
      }
    }
    return quotas
  }
}
