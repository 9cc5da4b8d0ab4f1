// SPDX-License-Identifier: MIT
//
// What an ended connection leaves behind: feeds to be taken out of headers, headers that end with it. A connection may have
// a feed of every header there is, and many may leave at once, so this is done piece by piece, in bounded time a turn
// (`Service.clearDepartures`). Meanwhile nothing goes to the connection any more: its feeds look whether it has ended.

/// The rest of an ended connection.
final class Departure {
  /// Keeps what its feeds refer to.
  private let session: Session
  private var feeds: [Feed]
  private var publishers: [HeaderEntry] = []
  /// The headers that end with it, the newest first.
  private var owned: [HeaderEntry] = []

  /// - Parameters:
  ///   - closesHeaders: headers that end with the connection are closed.
  ///   - endsPublishing: it is no publisher any more; nothing that it sent still waits.
  init(of session: Session, closesHeaders: Bool, endsPublishing: Bool) {
    self.session = session
    feeds = Array(session.feeds.values)
    if endsPublishing {
      publishers = session.bindings.all.map(\.entry)
      session.bindings = PublisherBindings()
    }
    if closesHeaders { owned = session.owned.values.sorted { $0.handle > $1.handle } }
  }

  var isCleared: Bool { feeds.isEmpty && publishers.isEmpty && owned.isEmpty }

  /// Clears away as much as there are steps for, and at least one header.
  func clear(by service: Service, _ steps: inout Int) {
    while steps > 0, let feed = feeds.popLast() {
      if !feed.isGone { service.end(feed) }
      steps -= 1
    }
    while steps > 0, let entry = publishers.popLast() {
      entry.publishers.remove(session.id)
      steps -= 1
    }
    while steps > 0, let entry = owned.popLast() {
      steps -= 1 + entry.feeds.count
      service.close(entry, reason: "connection")
    }
  }
}
