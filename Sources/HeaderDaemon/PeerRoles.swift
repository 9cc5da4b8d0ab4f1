// SPDX-License-Identifier: MIT
//
// Who may do what: the config's lists of members held against the credentials that the kernel gives for a connection.
// Names are looked up once, when the config is read, not for each connection.

private import Glibc
internal import HeaderConfig
internal import HeaderService
private import Posix

/// The members of the three roles, names resolved.
struct PeerRoles {
  /// Users and groups that have one role.
  private struct Members {
    var anyone = false
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []

    func hold(user: UInt32, groups present: [UInt32]) -> Bool {
      anyone || users.contains(user) || !groups.isDisjoint(with: present)
    }
  }

  private var roles: [(role: Roles, members: Members)] = []
  /// Names that are neither a user nor a group here, each with its path in the config: `roles.publish[1]`.
  private(set) var unknownMembers: [(path: String, name: String)] = []
  /// The names alone.
  var unknownNames: [String] { unknownMembers.map(\.name) }

  init(_ config: Config.Roles) {
    let lists = [
      (Roles.publish, "publish", config.publish), (.subscribe, "subscribe", config.subscribe),
      (.admin, "admin", config.admin),
    ]
    for (role, key, list) in lists {
      var members = Members()
      for (index, member) in list.enumerated() { add(member, to: &members, path: "roles.\(key)[\(index)]") }
      roles.append((role, members))
    }
  }

  /// The roles of a peer.
  /// - Parameters:
  ///   - user: its effective user.
  ///   - groups: its effective group and its further ones.
  func roles(user: UInt32, groups: [UInt32]) -> Roles {
    roles.reduce(into: Roles()) { if $1.members.hold(user: user, groups: groups) { $0.insert($1.role) } }
  }

  private mutating func add(_ member: Member, to members: inout Members, path: String) {
    switch member {
    case .anyone: members.anyone = true
    case .ownUser: members.users.insert(geteuid())
    case .uid(let user): members.users.insert(user)
    case .gid(let group): members.groups.insert(group)
    case .named(let name):
      if let user = userNumber(named: name) {
        members.users.insert(user)
      } else if let group = groupNumber(named: name) {
        members.groups.insert(group)
      } else {
        unknownMembers.append((path, name))
      }
    }
  }
}
