// SPDX-License-Identifier: MIT
//
// The node for a header: the present one with the highest weight for its name (rendezvous hashing). When a node joins or leaves, only its
// own part of the headers moves, and all nodes agree without asking each other.

public import Clocks
internal import HeaderModel

/// Assigns headers to nodes.
public enum Placement {
  /// The node for a header; nil: there is none.
  public static func node(for header: String, among nodes: some Sequence<NodeName>) -> NodeName? {
    nodes.max { left, right in
      let (a, b) = (weight(of: header, on: left), weight(of: header, on: right))
      return a == b ? left < right : a < b
    }
  }

  static func weight(of header: String, on node: NodeName) -> UInt64 {
    // Mixed, since its high bits alone hardly depend on the last bytes.
    var hash = fnv1a(header.utf8, after: fnv1a(CollectionOfOne(0), after: fnv1a(node.text.utf8)))
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}

/// The live nodes, by this node's own clock: a bucket that lets entries expire sends no message about it.
public struct Leases: Sendable {
  /// Nanoseconds after the last sign of life.
  public let duration: Int64
  private var seen: [NodeName: MonotonicTime] = [:]

  /// Creates leases without nodes.
  public init(duration: Int64) { self.duration = duration }

  /// A node has renewed its lease, or ended it.
  public mutating func saw(_ node: NodeName, isThere: Bool, at now: MonotonicTime) {
    seen[node] = isThere ? max(now, seen[node] ?? now) : nil
  }

  /// Extends all leases by half, after a time without messages from any node: the others reconnect one by one, and a node that was cut
  /// off itself takes nothing over.
  public mutating func startAnew(but own: NodeName, at now: MonotonicTime) {
    for node in seen.keys where node != own { seen[node] = now + duration / 2 }
  }

  /// Whether a node is there.
  public func isThere(_ node: NodeName, at now: MonotonicTime) -> Bool {
    seen[node].map { now - $0 < duration } ?? false
  }

  /// The live nodes, in order.
  public func present(at now: MonotonicTime) -> [NodeName] { seen.keys.filter { isThere($0, at: now) }.sorted() }
}
