// SPDX-License-Identifier: MIT

internal import HeaderCore
internal import HeaderWire

/// What a connection may do.
public struct Roles: OptionSet, Hashable, Sendable {
  /// One bit a role.
  public var rawValue: UInt8
  /// A set of the roles whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Open headers and send events.
  public static let publish = Roles(rawValue: 1)
  /// Receive states.
  public static let subscribe = Roles(rawValue: 2)
  /// Plugins and recordings.
  public static let admin = Roles(rawValue: 4)
  /// All three.
  public static let all: Roles = [.publish, .subscribe, .admin]

  /// The words for them, in the order of the protocol.
  public var words: [String] {
    [(Roles.publish, "publish"), (.subscribe, "subscribe"), (.admin, "admin")].filter { contains($0.0) }.map(\.1)
  }

  /// Checks whether a method may be used.
  /// - Throws: `notPermitted`.
  func permit(_ method: RequestMethod) throws(HeaderError) {
    let needed = Self.needed(for: method)
    if !needed.isEmpty { try require(needed, for: method.rawValue) }
  }

  /// One of which a method needs; none: anybody may use it.
  static func needed(for method: RequestMethod) -> Roles {
    switch method {
    case .hello, .ping, .discover, .stats: []
    case .headerList, .headerGet: .all
    case .headerOpen, .headerClose, .headerConfigure, .headerCall, .event: .publish
    case .delegateAdd, .delegateRemove, .delegateMove, .delegateConfigure: .publish
    case .subscribe, .unsubscribe: .subscribe
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload, .traceStart, .traceStop: .admin
    }
  }

  /// Checks whether one of some roles is there.
  /// - Parameter what: the method, and what of it if that is not all.
  /// - Throws: `notPermitted`.
  func require(_ needed: Roles, for what: String) throws(HeaderError) {
    guard isDisjoint(with: needed) else { return }
    let wanted = needed.words.joined(separator: " or ")
    let present = words.isEmpty ? "none" : words.joined(separator: ", ")
    throw HeaderError(
      .notPermitted, "\(what) needs the role \(wanted), this connection has \(present)",
      hint: "roles.\(needed.words.first ?? "") in the daemon's config gives it",
      facts: ["role": .text(wanted)])
  }
}

/// Who is at the other end.
public struct Peer: Equatable, Sendable {
  /// For log lines: `uid=1000 pid=4711`.
  public var name: String
  /// What it may do; the daemon decides it from the peer's user and group.
  public var roles: Roles

  /// Whoever it is, with every role unless others are given.
  public init(name: String, roles: Roles = .all) {
    self.name = name
    self.roles = roles
  }
}
