// SPDX-License-Identifier: MIT
//
// What one node knows of headers and their owners.

public import Clocks

extension Ownership {
  /// Whether this node's lease holds, by its own clock.
  public func isCurrent(at now: MonotonicTime) -> Bool { isConnected && leases.isThere(node, at: now) }

  /// The nodes that are there.
  public var nodes: [NodeName] { present }

  /// The owner of a header; nil: none is known.
  public func owner(of header: String) -> NodeName? {
    guard let row = entries[header]?.row, row.state == .owned else { return nil }
    return row.owner
  }

  /// All epochs of a header's owners before the present one are smaller.
  public func floor(of header: String) -> Int64 { entries[header]?.row?.epoch ?? 0 }

  /// The epoch in which the header was opened; records with a smaller one belong to an earlier header of that name.
  public func life(of header: String) -> Int64 { entries[header]?.row?.life ?? 0 }

  /// The node for a header without an owner.
  public func place(of header: String) -> NodeName? { Placement.node(for: header, among: present) }

  /// Whether it goes from here to another node, so that its end in the daemon is not the header's.
  public func isLeaving(_ header: String) -> Bool {
    guard let entry = entries[header] else { return false }
    if case .owned(let owned) = entry.phase { return owned.ending?.state == .released }
    if case .resigning(_, let state) = entry.phase { return state == .released }
    return entry.row.map { $0.state == .released || $0.state == .owned } ?? false
  }

  /// Headers that have an owner, or are about to have one.
  public var headers: [String] { entries.filter { $0.value.row.map { $0.state != .closed } ?? false }.map(\.key) }

  /// Whether this node owns the header and may publish it.
  public func isOwned(_ header: String) -> Bool {
    if case .owned(let owned)? = entries[header]?.phase { owned.ending == nil && owned.isRecorded } else { false }
  }

  /// The epoch of an owned header, also of one that is about to go.
  public func epoch(of header: String) -> Int64? {
    if case .owned(let owned)? = entries[header]?.phase { owned.epoch } else { nil }
  }

  /// How many steps of an owned header the daemon has sent.
  public func receivedSteps(of header: String) -> Int? {
    if case .owned(let owned)? = entries[header]?.phase { owned.received } else { nil }
  }

  /// Whether a header is here or on its way from here, so that this node handles its daemon's messages.
  public func isBusy(_ header: String) -> Bool {
    if case .elsewhere? = entries[header]?.phase { false } else { entries[header] != nil }
  }
}
