// SPDX-License-Identifier: MIT
//
// The rights and quotas of clients: the config's roles and quotas, applied to the credentials that the kernel gives for a connection.
// Names are looked up once, when the config is read, not for each connection.

package import Fanout
private import Glibc
package import HeaderConfig
package import HeaderModel
private import Posix

/// The members of the roles and the quotas of users, names resolved.
package struct PeerRoles {
  /// The peers that an entry of a role's list is about.
  private enum Subject {
    case anyone
    case user(UInt32)
    case group(UInt32)

    func isPeer(user present: UInt32, groups: [UInt32]) -> Bool {
      switch self {
      case .anyone: true
      case .user(let user): user == present
      case .group(let group): groups.contains(group)
      }
    }
  }

  private var grants: [(role: Roles, subject: Subject, headers: [String]?)] = []
  private let limits: Limits
  private let everybody: [Quota: UserQuotas.Amount]
  /// Quotas of single users: those that no general quota bounds, or that have others than everybody.
  private var exceptions: [UInt32: [Quota: UserQuotas.Amount]] = [:]
  /// Names that are neither a user nor a group here, each with its path in the config: `roles.publish[1]`.
  package private(set) var unknownMembers: [(path: String, name: String)] = []
  package var unknownNames: [String] { unknownMembers.map(\.name) }

  /// - Parameter limits: those in force, of which quotas may be shares.
  package init(_ roles: Config.Roles, _ quotas: UserQuotas = UserQuotas(), limits: Limits = Limits()) {
    self.limits = limits
    everybody = quotas.everybody
    let tune = roles.tune ?? roles.publish
    let lists = [
      (Roles.publish, "publish", roles.publish), (.subscribe, "subscribe", roles.subscribe), (.tune, "tune", tune),
      (.admin, "admin", roles.admin),
    ]
    for (role, key, list) in lists {
      for (index, grant) in list.enumerated() {
        if let subject = subject(grant.member) {
          grants.append((role, subject, grant.headers))
        } else if key != "tune" || roles.tune != nil {
          let path = "roles.\(key)[\(index)]"
          unknownMembers.append((path, grant.member.description))
        }
      }
    }
    for exception in quotas.users {
      switch subject(exception.member) {
      case .user(let user): exceptions[user] = exception.amounts
      case .anyone, .group: break
      case nil: unknownMembers.append(("quotas.users.\(exception.name)", exception.name))
      }
    }
  }

  /// The roles of a peer.
  /// - Parameters:
  ///   - user: its effective user.
  ///   - groups: its effective group and its further ones.
  package func access(user: UInt32, groups: [UInt32]) -> Access {
    var access = Access([])
    for (role, subject, headers) in grants where subject.isPeer(user: user, groups: groups) {
      access.grant(role, headers: headers?.map { replacing(Grant.userSpecifier, in: $0, with: "\(user)") })
    }
    return access
  }

  /// The quotas of a user. Root and the daemon's own user have none, unless the config names them.
  package func quotas(of user: UInt32) -> Quotas {
    let own = exceptions[user] ?? [:]
    let isUnbounded = user == 0 || user == geteuid()
    return UserQuotas.bounds(isUnbounded ? own : everybody.merging(own) { $1 }, of: limits)
  }

  private func subject(_ member: HeaderConfig.Member) -> Subject? {
    switch member {
    case .anyone: .anyone
    case .ownUser: .user(geteuid())
    case .uid(let user): .user(user)
    case .gid(let group): .group(group)
    case .userNamed(let name): userNumber(named: name).map { .user($0) }
    case .groupNamed(let name): groupNumber(named: name).map { .group($0) }
    case .named(let name):
      userNumber(named: name).map { .user($0) } ?? groupNumber(named: name).map { .group($0) }
    }
  }
}
