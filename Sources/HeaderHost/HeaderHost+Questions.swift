// SPDX-License-Identifier: MIT
//
// This shard's part of what concerns headers of several shards.

public import Fanout
public import HeaderCore

extension HeaderHost {
  /// The rows of `header.list` for this shard's headers.
  /// - Parameters:
  ///   - glob: which names are listed.
  ///   - access: what whoever asks may see.
  public func list(matching glob: String, for access: Access) -> [(name: String, row: Value)] {
    table.entries { Names.glob(glob, matches: $0.name) && access.maySee($0.name) }.map { entry in
      (
        entry.name,
        [
          "header": .text(entry.name), "handle": .number(Double(entry.handle.number)),
          "epoch": .number(Double(entry.epoch)), "seq": .number(Double(entry.header.state.seq)),
          "drawers": .list(entry.header.state.names.drawers.map { .text($0) }),
          "delegates": .list(entry.header.state.names.delegates.map { .text($0) }),
          "subscribers": .number(Double(entry.subscriberCount)), "publishers": .number(Double(entry.publishers.count)),
        ]
      )
    }
  }

  /// Begins a subscription: counts the headers that match it, then sends each.
  /// - Parameters:
  ///   - id: its number within the connection.
  ///   - counted: called with the number of headers before anything is sent, so that it can be answered first.
  public func subscribe(
    _ client: Client, to request: SubscriptionRequest, id: Int, counted: (_ matched: Int) -> Void
  ) {
    let subscriber = client.subscriber ?? Subscriber(client.writer)
    client.subscriber = subscriber
    let subscription = fanout.add(request, id: id, of: subscriber)
    let matching =
      subscription.hasGlobs
      ? table.entries { subscription.matches($0.name) }
      : subscription.exactNames.compactMap { table[$0] }.sorted { $0.handle < $1.handle }
    counted(matching.count)
    fanout.begin(subscription, for: matching.map { $0 as HeaderChannel })
  }

  /// Ends a subscription.
  public func unsubscribe(_ client: Client, from id: Int) {
    if let subscriber = client.subscriber { fanout.end(id, of: subscriber) }
  }

  /// Has the accounts of users count the events that were sent, and no more.
  public func returnCredits() { for client in clients.values { client.returnCredit() } }

  /// States kept for those who come back, and their bytes.
  public var kept: (states: Int, bytes: Int) { fanout.kept }
}
