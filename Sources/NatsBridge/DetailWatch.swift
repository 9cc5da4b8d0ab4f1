// SPDX-License-Identifier: MIT
//
// States with routine notices, calls and offsets (`include`) or explanations, of this node's headers for clients of another node. The
// parts that all states have go over NATS once for all nodes. These go to the node that asks, as long as it keeps asking, over a
// connection of its own to the daemon.
//
//     StateFeed of another node ──watch, each second──▶ DetailWatch ──subscribe──▶ daemon
//                     ◀──────────────states, to that node alone───────╯

internal import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

/// One detail of this node's headers that another node watches.
final class DetailWatch {
  struct Key: Hashable {
    var node: NodeName
    var detail: StateDetail
  }

  private let detail: StateDetail
  private let tell: ([UInt8]) -> Void
  private var tunnel: Tunnel?
  private var watched: [String: Watched] = [:]
  private var lastRequest = 0
  private var requests: [[UInt8]: String] = [:]

  private struct Watched {
    /// The daemon's number of it; nil: not known yet.
    var subscription: Int64?
    var askedAt: MonotonicTime
  }

  /// Nanoseconds after which a node that does not ask again has lost interest, or is gone.
  private static let patience: Int64 = 10_000_000_000

  /// - Parameter tell: sends a state to the node.
  init(_ detail: StateDetail, _ bridge: RealmBridge, tell: @escaping ([UInt8]) -> Void) {
    (self.detail, self.tell) = (detail, tell)
    tunnel = Tunnel(bridge, owner: self, isLocal: false)
  }

  /// The node wants a header's states, or still wants them.
  func watch(_ header: String, at now: MonotonicTime) {
    guard watched[header] == nil else {
      watched[header]?.askedAt = now
      return
    }
    watched[header] = Watched(askedAt: now)
    ask(
      "subscribe",
      [
        "headers": .text(header), "mode": "every", "include": ["routine", "calls", "contentOffset"],
        "explain": .bool(detail == .explained),
      ], header)
  }

  func unwatch(_ header: String) {
    guard let subscription = watched.removeValue(forKey: header)?.subscription else { return }
    ask("unsubscribe", ["subscription": .number(Double(subscription))], nil)
  }

  /// - Returns: whether a node still watches.
  func tick(at now: MonotonicTime) -> Bool {
    for (header, entry) in watched where now - entry.askedAt >= Self.patience { unwatch(header) }
    return tunnel != nil && !watched.isEmpty
  }

  func end() {
    tunnel?.close()
    tunnel = nil
  }

  private func ask(_ method: String, _ params: Value, _ header: String?) {
    lastRequest += 1
    if let header { requests[Array(String(lastRequest).utf8)] = header }
    let request: Value = ["id": .number(Double(lastRequest)), "method": .text(method), "params": params]
    tunnel?.send(request.jsonBytes)
  }
}

extension DetailWatch: TunnelOwner {
  func tunnel(said line: [UInt8]) {
    switch DaemonLine(line) {
    case .state: tell(line)
    case .answer(let id):
      guard let header = requests.removeValue(forKey: id) else { return }
      let subscription = json(line)?["result"]?["subscription"]?.wholeNumber
      if watched[header] != nil {
        watched[header]?.subscription = subscription
      } else if let subscription {
        ask("unsubscribe", ["subscription": .number(Double(subscription))], nil)
      }
    case .closed, .trace, .other: break
    }
  }

  func tunnelIsGone() { tunnel = nil }
}
