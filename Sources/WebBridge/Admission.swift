// SPDX-License-Identifier: MIT
//
// Decides which pages may connect, and with which roles: by origin, token, and the bounds of connections. Nothing here does I/O.
//
// The origin check keeps other sites' pages from using the token or the loopback address of their visitors. The names that a browser may
// have for this machine are listed, because another name may lead here by an attacker's DNS.

public import Clocks
public import Fanout
public import HeaderConfig

/// Decides which pages may connect, and with which roles.
public struct Admission: Sendable {
  /// Why a page is refused, with its status of HTTP.
  public enum Refusal: Error, Equatable, Sendable {
    case foreignOrigin(String)
    case unknownToken
    case tokenNeeded

    /// The HTTP status of the refusal.
    public var status: UInt32 {
      switch self {
      case .foreignOrigin: 403
      case .unknownToken, .tokenNeeded: 401
      }
    }

    /// A sentence for the page and the log.
    public var message: String {
      switch self {
      case .foreignOrigin(let origin): "pages of \(origin) may not connect; access.origins lists those that may"
      case .unknownToken: "the token is not known"
      case .tokenNeeded: "a token is needed: \(Admission.example)"
      }
    }
  }

  private static let example = "/socket?token=..."
  private let origins: Set<String>
  private let tokens: [(bytes: [UInt8], name: String, roles: Roles)]
  private let anonymous: Roles

  /// - Parameters:
  ///   - ports: those that it listens on.
  ///   - isSecure: whether it speaks TLS.
  public init(_ config: WebConfig, ports: [UInt16], isSecure: Bool) {
    let scheme = isSecure ? "https" : "http"
    let usual: UInt16 = isSecure ? 443 : 80
    var origins = Set(config.access.origins.map { $0.lowercased() })
    for host in ["localhost", "127.0.0.1", "[::1]"] {
      for port in ports {
        origins.insert("\(scheme)://\(host):\(port)")
        if port == usual { origins.insert("\(scheme)://\(host)") }
      }
    }
    self.origins = origins
    anonymous = Roles(config.access.anonymous)
    tokens = config.tokens.map { (Array($0.token.utf8), $0.name, Roles($0.roles)) }
  }

  /// The roles of a page.
  /// - Parameters:
  ///   - origin: the browser's statement; nil: it is no browser.
  ///   - token: the token that the page gave.
  /// - Returns: its roles, and the token's name for the log.
  public func roles(origin: String?, token: String?) throws(Refusal) -> (roles: Roles, name: String) {
    if let origin, !origins.contains(origin.lowercased()) { throw .foreignOrigin(String(origin.prefix(200))) }
    guard let token, !token.isEmpty else {
      if anonymous.isEmpty { throw .tokenNeeded }
      return (anonymous, "anonymous")
    }
    let given = Array(token.utf8)
    var found: (Roles, String)?
    // All tokens are compared, each in full, so that the time reveals nothing about them.
    for known in tokens where Self.isSame(given, known.bytes) { found = (known.roles, known.name) }
    guard let found else { throw .unknownToken }
    return found
  }

  private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var difference: UInt8 = left.count == right.count ? 0 : 1
    for (index, byte) in right.enumerated() { difference |= byte ^ (index < left.count ? left[index] : 0) }
    return difference == 0
  }
}

extension Roles {
  /// The roles of a config.
  public init(_ roles: [WebConfig.Role]) {
    self = []
    for (role, word) in Self.each where roles.contains(where: { $0.rawValue == word }) { insert(role) }
  }
}

/// Counts connections, by address and together.
public struct ConnectionCounts: Sendable {
  private let most: Int
  private let maxPerAddress: Int
  private var byAddress: [String: Int] = [:]
  /// Connections of all addresses.
  public private(set) var total = 0

  /// Creates counts with the limits of a config.
  public init(_ limits: WebConfig.Limits) {
    most = limits.connections
    maxPerAddress = limits.connectionsPerAddress
  }

  /// Counts one more.
  /// - Returns: false if there is no room for it; then it is not counted.
  public mutating func add(_ address: String) -> Bool {
    guard total < most, byAddress[address, default: 0] < maxPerAddress else { return false }
    total += 1
    byAddress[address, default: 0] += 1
    return true
  }

  /// Counts the end of a connection.
  public mutating func remove(_ address: String) {
    guard let count = byAddress[address] else { return }
    total -= 1
    byAddress[address] = count > 1 ? count - 1 : nil
  }
}

/// How many messages a page may send: a second's worth at once, and then as many a second.
public struct MessageAllowance: Sendable {
  private let perSecond: Double
  private var left: Double
  private var since: MonotonicTime

  /// - Parameters:
  ///   - perSecond: 0: any number.
  ///   - now: the bridge's clock.
  public init(perSecond: Int, now: MonotonicTime) {
    self.perSecond = Double(perSecond)
    left = self.perSecond
    since = now
  }

  /// Takes one message.
  /// - Returns: how long the page has to wait before its next one, in nanoseconds; 0: not at all.
  public mutating func take(at now: MonotonicTime) -> Int64 {
    guard perSecond > 0 else { return 0 }
    left = min(perSecond, left + Double(now - since) / 1e9 * perSecond) - 1
    since = now
    return left >= 0 ? 0 : Int64(-left / perSecond * 1e9) + 1
  }
}
