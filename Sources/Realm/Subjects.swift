// SPDX-License-Identifier: MIT
//
// The subjects of a realm, and the streams that keep them (headerd-nats(7), SUBJECTS). A header's name is parts joined by dots, of
// characters without a meaning to NATS, so that a subject contains it unchanged; an invalid name gets no subject.
//
//     [PREFIX.]headerd.REALM.state.HEADER

internal import HeaderModel

/// The name of a daemon with its bridge in a realm.
public struct NodeName: Hashable, Comparable, Sendable {
  /// 1 to 64 letters, digits, "_" and "-".
  public let text: String

  /// nil: it is no name.
  public init?(_ text: String) {
    guard Names.isToken(text) else { return nil }
    self.text = text
  }

  /// Compares the names' bytes.
  public static func < (left: NodeName, right: NodeName) -> Bool { left.text < right.text }
}

/// Where a realm's messages go.
public struct Subjects: Sendable {
  /// Kinds of messages about a header or a node.
  public enum Kind: String, CaseIterable, Sendable {
    case event, request, state, log, saved, owner, lease, node
  }

  /// The kinds that JetStream keeps, each in a stream of its own.
  public enum Stream: String, CaseIterable, Sendable {
    /// States, which expire by age.
    case states
    /// Recorded steps, which expire by age.
    case log
    /// A header's saved state, the last one.
    case saved
    /// The owner of each header; the last message holds.
    case owners
    /// Leases of nodes, the last word.
    case leases

    /// What the stream's messages are about.
    public var kind: Kind {
      switch self {
      case .states: .state
      case .log: .log
      case .saved: .saved
      case .owners: .owner
      case .leases: .lease
      }
    }
  }

  /// The beginning of all subjects, with the last dot.
  public let root: String
  private let streamRoot: String

  /// - Parameter prefix: tokens before all others, such as a tenant's; empty: none.
  /// - Returns: nil if realm or prefix cannot be in a subject.
  public init?(realm: String, prefix: String = "") {
    let tokens = prefix.isEmpty ? [] : prefix.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard Names.isToken(realm), tokens.allSatisfy(Names.isToken), tokens.count <= 8 else { return nil }
    root = (tokens + ["headerd", realm]).joined(separator: ".") + "."
    // A stream's name has no dots; no token has an equals sign.
    streamRoot = (tokens + ["headerd", realm]).joined(separator: "=")
  }

  /// The subject of a header; nil: it is no header's name.
  public func subject(_ kind: Kind, header: String) -> String? {
    Names.isHeaderName(header) ? "\(root)\(kind.rawValue).\(header)" : nil
  }

  /// The subject of a node.
  public func subject(_ kind: Kind, node: NodeName) -> String { "\(root)\(kind.rawValue).\(node.text)" }

  /// All subjects of a kind.
  public func all(_ kind: Kind) -> String { "\(root)\(kind.rawValue).>" }

  /// The name behind the kind; nil: a subject of another realm or kind.
  public func name(in subject: String, _ kind: Kind) -> String? {
    let start = root + kind.rawValue + "."
    guard subject.utf8.count > start.utf8.count, subject.hasPrefix(start) else { return nil }
    return String(subject.dropFirst(start.count))
  }

  /// Whether an answer may go to a reply subject: one below the roots at which clients of NATS wait for answers. Other subjects are
  /// refused, since this node may be allowed to send where the client is not: the server's own interface, which executes any message, the
  /// realm, and a bridge's own answers.
  /// - Parameter roots: the beginnings of such subjects, without the dot behind, such as `_INBOX`.
  public func mayAnswer(_ reply: String, below roots: [String]) -> Bool {
    let isPlain = reply.utf8.count <= 512 && reply.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    let tokens = reply.split(separator: ".", omittingEmptySubsequences: false)
    guard isPlain, tokens.allSatisfy({ !$0.isEmpty && $0 != "*" && $0 != ">" }) else { return false }
    guard !reply.hasPrefix("$"), !reply.hasPrefix(root), !reply.hasPrefix(Self.ownAnswers) else { return false }
    return roots.contains { reply.hasPrefix($0 + ".") }
  }

  /// What bridges' own answers are sent to, with the last dot.
  public static let ownAnswers = "_INBOX.headerd."

  /// A stream's name below the realm's root.
  public func name(of stream: Stream) -> String { "\(streamRoot)=\(stream.rawValue)" }
}
