// SPDX-License-Identifier: MIT
//
// The client at the other end of a connection, and its rights. Roles hold for all headers or for those whose names match globs.

public import HeaderModel
public import HeaderWire

/// The roles of a connection.
public struct Roles: OptionSet, Hashable, Sendable {
  /// One bit for each role.
  public var rawValue: UInt8
  /// Creates the set of the roles whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Open headers and send events.
  public static let publish = Roles(rawValue: 1)
  /// Receive states.
  public static let subscribe = Roles(rawValue: 2)
  /// Load plugins and record.
  public static let admin = Roles(rawValue: 4)
  /// Change how headers behave: options, chains, structure.
  public static let tune = Roles(rawValue: 8)
  /// All four roles.
  public static let all: Roles = [.publish, .subscribe, .tune, .admin]
  /// Each role with its word, in the order of the protocol.
  public static let each: [(role: Roles, word: String)] = [
    (.publish, "publish"), (.subscribe, "subscribe"), (.tune, "tune"), (.admin, "admin"),
  ]

  /// The words for them, in the order of the protocol.
  public var words: [String] { Self.each.filter { contains($0.role) }.map(\.word) }

  /// The roles of which a method needs one; none: every client may call it.
  public static func needed(for method: RequestMethod) -> Roles {
    switch method {
    case .hello, .ping, .discover, .stats: []
    case .headerList, .headerGet: .all
    case .headerOpen, .headerClose, .event: .publish
    case .headerCall, .headerMove, .headerConstrain, .headerRelease, .headerReveal: [.publish, .tune]
    case .headerExplain: [.tune, .admin]
    case .headerConfigure, .delegateAdd, .delegateRemove, .delegateMove, .delegateConfigure, .delegateShadow,
      .delegatePromote:
      .tune
    case .subscribe, .unsubscribe: .subscribe
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload, .traceStart, .traceStop: .admin
    }
  }
}

/// A thing that needs a role: a method, or a part of one that needs another role than the method itself. The daemon checks it where it
/// acts; headerd-web, whose pages the daemon does not know, where it reads the message.
public enum Right: Equatable, Sendable {
  case method(RequestMethod)
  /// An event `setOptions`.
  case setOptions
  /// `subscribe` with `explain`.
  case explainStates
  /// `stats` with `reset`: every client may read the counters, but all share them.
  case resetStatistics
  /// A drawer that follows one of another header, and so shows where that is.
  case follow

  /// The roles of which one is needed; none: every client has the right.
  public var roles: Roles {
    switch self {
    case .method(let method): .needed(for: method)
    case .setOptions: .tune
    case .explainStates: .needed(for: .headerExplain)
    case .resetStatistics: .admin
    case .follow: [.publish, .subscribe]
    }
  }

  var name: String {
    switch self {
    case .method(let method): method.rawValue
    case .setOptions: "setOptions"
    case .explainStates: "subscribe with explain"
    case .resetStatistics: "stats with reset"
    case .follow: "to follow"
    }
  }
}

/// The roles of a connection, and the headers that they hold for.
public struct Access: Equatable, Sendable {
  /// A role that does not hold for all headers.
  private struct Bound: Equatable {
    var role: Roles
    var globs: [String]
  }

  /// The roles that it has, for some headers at least.
  public private(set) var roles: Roles
  /// Roles with bounds on headers; nearly always empty.
  private var bounds: [Bound] = []

  /// Creates an access with roles for all headers.
  public init(_ roles: Roles = .all) { self.roles = roles }

  /// Adds a role.
  /// - Parameter headers: globs of names; nil: all headers.
  public mutating func grant(_ role: Roles, headers: [String]?) {
    let index = bounds.firstIndex { $0.role == role }
    defer { roles.insert(role) }
    switch (index, headers) {
    case (let index?, nil): bounds.remove(at: index)
    case (let index?, let globs?): bounds[index].globs += globs.filter { !bounds[index].globs.contains($0) }
    case (nil, let globs?): if !roles.contains(role) { bounds.append(Bound(role: role, globs: globs)) }
    case (nil, nil): break
    }
  }

  /// The globs that a role holds for; nil: all headers, or the role is not there.
  public func globs(of role: Roles) -> [String]? { bounds.first { $0.role == role }?.globs }

  /// Whether it has a role for all headers.
  public func hasEverywhere(_ role: Roles) -> Bool { roles.contains(role) && globs(of: role) == nil }

  /// Whether it has one of some roles for a header.
  public func allows(_ wanted: Roles, header name: String) -> Bool {
    if bounds.isEmpty { return !roles.isDisjoint(with: wanted) }
    return Roles.each.contains { role, _ in
      guard wanted.contains(role), roles.contains(role) else { return false }
      return globs(of: role)?.contains { Names.glob($0, matches: name) } ?? true
    }
  }

  /// Whether it may know that a header exists: any role for it will do.
  public func maySee(_ name: String) -> Bool { allows(.all, header: name) }

  /// The bounded roles for `hello`: their globs, by role.
  public var boundsRecord: Value.Record {
    var record = Value.Record()
    for (role, word) in Roles.each { record[word] = globs(of: role).map { .list($0.map { .text($0) }) } }
    return record
  }
}

/// The client at the other end.
public struct Peer: Equatable, Sendable {
  /// For log lines: `uid=1000 pid=4711`.
  public var name: String
  /// The user whose account is charged.
  public var user: UInt32
  /// The peer's roles, which the daemon derives from its user and groups.
  public var access: Access
  /// The quotas of the peer's user.
  public var quotas: Quotas

  /// Creates a peer, with every role unless others are given.
  public init(name: String, user: UInt32 = 0, access: Access = Access(), quotas: Quotas = .unbounded) {
    self.name = name
    self.user = user
    self.access = access
    self.quotas = quotas
  }

  /// - Parameter roles: they hold for all headers.
  public init(name: String, roles: Roles) { self.init(name: name, access: Access(roles)) }
}

// MARK: - Refusals

extension Peer {
  /// Checks whether a right is there, for some headers at least.
  /// - Throws: `notPermitted`.
  public func permit(_ right: Right) throws(HeaderError) {
    let needed = right.roles
    guard !needed.isEmpty, access.roles.isDisjoint(with: needed) else { return }
    let present = access.roles.words.isEmpty ? "none" : access.roles.words.joined(separator: ", ")
    throw refusal(needed, "\(right.name) needs the role \(wanted(needed)), this connection has \(present)")
  }

  /// Checks whether a right that needs one role holds for all headers, as what concerns the whole daemon does.
  /// - Throws: `notPermitted`.
  public func permitEverywhere(_ right: Right) throws(HeaderError) {
    try permit(right)
    let role = right.roles
    guard !access.hasEverywhere(role) else { return }
    throw refusal(role, "\(right.name) needs the role \(wanted(role)) for all headers, user \(user) has \(grants)")
  }

  /// Checks whether a right is there for a header.
  /// - Throws: `notPermitted`.
  public func permit(_ right: Right, header: String) throws(HeaderError) {
    try permit(right)
    let needed = right.roles
    guard !needed.isEmpty, !access.allows(needed, header: header) else { return }
    var error = refusal(
      needed,
      "\(right.name) needs the role \(wanted(needed)) for \(Value.text(header).brief), user \(user) has \(grants)")
    error.facts["header"] = .text(String(header.prefix(256)))
    throw error
  }

  private func wanted(_ needed: Roles) -> String { needed.words.joined(separator: " or ") }

  /// The roles in words: `publish for alice.*, subscribe`.
  private var grants: String {
    Roles.each.filter { access.roles.contains($0.role) }.map { role, word in
      access.globs(of: role).map { "\(word) for \($0.joined(separator: " "))" } ?? word
    }.joined(separator: ", ")
  }

  private func refusal(_ needed: Roles, _ message: String) -> HeaderError {
    var facts: Value.Record = ["role": .text(wanted(needed)), "user": .number(Double(user))]
    let bounds = access.boundsRecord
    if !bounds.fields.isEmpty { facts["roleHeaders"] = .record(bounds) }
    return HeaderError(
      .notPermitted, message, hint: "roles.\(needed.words.first ?? "") in the daemon's config gives it", facts: facts)
  }
}
