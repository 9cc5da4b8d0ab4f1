// SPDX-License-Identifier: MIT
//
// The sums of what all shards count.

internal import Fanout
internal import HeaderHost
internal import HeaderModel

extension ShardStatistics {
  /// The sums of all shards' counters, with their rows: headers by name, subscribers by number.
  public init(summing parts: [ShardReply]) {
    self.init()
    for case .statistics(let part) in parts { add(part) }
    headerRows.sort { $0.name < $1.name }
    var merged: [ConnectionID: SubscriberEntry] = [:]
    for entry in subscribers {
      guard var present = merged[entry.connection] else {
        merged[entry.connection] = entry
        continue
      }
      present.headers += entry.headers
      present.home = present.home ?? entry.home
      merged[entry.connection] = present
    }
    subscribers = merged.values.sorted { $0.connection < $1.connection }
  }

  private mutating func add(_ part: ShardStatistics) {
    counters += part.counters
    connections += part.connections
    subscriptions += part.subscriptions
    headers += part.headers
    kept.states += part.kept.states
    kept.bytes += part.kept.bytes
    process.fields += part.process.fields
    headerRows += part.headerRows
    subscribers += part.subscribers
    if let more = part.workers { workers = workers.map { $0 + more } ?? more }
    if let more = part.journal { journal = journal.map { $0 + more } ?? more }
    if let more = part.eventAges {
      if eventAges == nil { eventAges = more } else { eventAges? += more }
    }
    plugins.add(part.plugins)
  }

  /// The counters by name, in the order of `stats`.
  public var counts: [(String, Int)] {
    [
      ("connections", connections), ("headers", headers), ("subscriptions", subscriptions), ("events", counters.events),
      ("states", counters.states), ("gaps", counters.gaps), ("errors", counters.errors),
      ("bytesReceived", counters.bytesReceived), ("bytesSent", counters.bytesSent), ("resumeStates", kept.states),
      ("resumeBytes", kept.bytes),
    ]
  }
}
