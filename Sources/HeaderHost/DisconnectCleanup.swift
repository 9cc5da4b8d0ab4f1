// SPDX-License-Identifier: MIT
//
// The cleanup of an ended connection: its deliveries leave their headers, and headers that end with it are closed. A connection may get
// states of every header, and many may leave at once, so the cleanup runs piece by piece, in bounded time a turn
// (`HeaderHost.runCleanups`). Meanwhile nothing goes to the connection: its deliveries check whether it has ended.

internal import Fanout
internal import HeaderModel

/// The rest of an ended connection.
final class DisconnectCleanup {
  /// Keeps the objects that the deliveries refer to alive.
  private let client: Client
  private var deliveries: [Delivery]
  private var publishers: [HeaderEntry] = []
  /// The headers that end with it, the newest first.
  private var owned: [HeaderEntry] = []

  /// - Parameters:
  ///   - closesHeaders: headers that end with the connection are closed.
  ///   - endsPublishing: it is no publisher any more; nothing that it sent still waits.
  init(of client: Client, _ deliveries: [Delivery], closesHeaders: Bool, endsPublishing: Bool) {
    self.client = client
    self.deliveries = deliveries
    if endsPublishing {
      publishers = client.bindings.all.map(\.entry)
      client.bindings = PublisherBindings()
    }
    if closesHeaders { owned = client.owned.values.sorted { $0.handle > $1.handle } }
  }

  var isCleared: Bool { deliveries.isEmpty && publishers.isEmpty && owned.isEmpty }

  /// Clears away as much as there are steps for, and at least one header.
  func clear(by host: HeaderHost, _ steps: inout Int) {
    while steps > 0, let delivery = deliveries.popLast() {
      host.fanout.end(delivery)
      steps -= 1
    }
    while steps > 0, let entry = publishers.popLast() {
      entry.publishers.remove(client.id)
      steps -= 1
    }
    while steps > 0, let entry = owned.popLast() {
      steps -= 1 + entry.subscriberCount
      host.whenFree(entry, skippingClients: "the header closes") { [unowned host] in
        host.close(entry, reason: "connection")
      }
    }
  }
}
