// SPDX-License-Identifier: MIT
//
// Members of a role, as the config file names them. The daemon looks up users and groups, since a name that exists on
// one machine need not exist on another.

/// One entry of a role's list.
public enum Member: Sendable, Hashable {
  /// `any`: every user who may connect to the socket.
  case anyone
  /// `self`: the user that the daemon runs as.
  case ownUser
  /// `uid:N`.
  case uid(UInt32)
  /// `gid:N`: every user whose process has this group.
  case gid(UInt32)
  /// A bare name: the user of this name; if there is none, the group of this name. Where both exist, `gid:N` names the group.
  case named(String)
  /// `user = "NAME"`: the user of this name, and no group.
  case userNamed(String)
  /// `group = "NAME"`: the group of this name.
  case groupNamed(String)

  /// Reads one entry; nil if it is none of the forms above.
  ///
  /// Names are made of letters, digits, `_`, `-` and `.`, begin with a letter or `_`, and may end with `$`
  /// (useradd(8), and Samba's machine accounts).
  public init?(_ text: String) {
    switch text {
    case "any": self = .anyone
    case "self": self = .ownUser
    case _ where text.hasPrefix("uid:") || text.hasPrefix("gid:"):
      guard let number = plainNumber(text.dropFirst(4)) else { return nil }
      self = text.hasPrefix("uid:") ? .uid(number) : .gid(number)
    default:
      guard isAccountName(text) else { return nil }
      self = .named(text)
    }
  }
}

extension Member: CustomStringConvertible {
  /// As the config file writes it.
  public var description: String {
    switch self {
    case .anyone: "any"
    case .ownUser: "self"
    case .uid(let number): "uid:\(number)"
    case .gid(let number): "gid:\(number)"
    case .named(let name), .userNamed(let name), .groupNamed(let name): name
    }
  }
}

/// One entry of a role's list: a member, and the headers for which it has the role.
public struct Grant: Sendable, Hashable {
  /// The users who get the role.
  public var member: Member
  /// Globs of headers' names; nil: all headers. `%U` stands for the user number of the client.
  public var headers: [String]?

  /// - Parameter headers: nil: all headers.
  public init(_ member: Member, headers: [String]? = nil) {
    self.member = member
    self.headers = headers
  }

  /// The daemon's own user and root, for all headers.
  public static let defaults = [Grant(.ownUser), Grant(.uid(0))]

  /// Stands for the user number of the client.
  public static let userSpecifier = "%U"
}

/// Digits alone: `UInt32("+1")` would be taken too. The largest number means "no user" to the kernel.
private func plainNumber(_ text: Substring) -> UInt32? {
  guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text) else { return nil }
  return number == .max ? nil : number
}

private func isAccountName(_ text: String) -> Bool {
  let name = text.hasSuffix("$") ? text.dropLast() : text[...]
  guard let first = name.unicodeScalars.first, isLetter(first) || first == "_" else { return false }
  return name.unicodeScalars.allSatisfy {
    isLetter($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == "."
  }
}

private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
  ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
}
