// SPDX-License-Identifier: MIT
//
// A connection as a publisher: the headers that it has sent events to, whose turn it was last, and whose it is next
// (TurnOrder.swift). What becomes of an event is in Session+Events.swift.

internal import HeaderCore

extension Session {
  /// That of its last event.
  var lastPublishing: Publishing? { unsafe knownPublishing?.takeUnretainedValue() }

  /// It is about to be read from: meanwhile comes what its next event is going to need.
  func willBeRead() {
    guard let next = unsafe turns?.expected ?? knownPublishing else { return }
    unsafe next._withUnsafeGuaranteedRef { $0.fetch() }
  }

  /// The first event for a header got through to it.
  func publishes(_ publishing: Publishing) {
    if publishings.updateValue(publishing, forKey: publishing.entry.handle) != nil { turns?.forget() }
    publishing.entry.publishers.insert(id)
    turn(to: publishing)
  }

  /// An event came for one of `publishings` that was not expected.
  func turn(to publishing: Publishing) {
    if publishings.count > 1 {
      let turns = turns ?? TurnOrder()
      self.turns = turns
      turns.turn(to: publishing, of: publishings.count)
    }
    know(publishing)
  }

  private func know(_ publishing: Publishing) {
    unsafe knownPublishing = Unmanaged.passUnretained(publishing)
    knownName.take(publishing.entry.name)
  }

  /// Looks whether an event is for the header whose turn it is.
  @inline(never)
  func turnsToExpected(_ isMeant: (HeaderEntry) -> Bool) -> Bool {
    guard let turns, let expected = unsafe turns.expected else { return false }
    return unsafe expected._withUnsafeGuaranteedRef { expected in
      guard isMeant(expected.entry) else { return false }
      turns.goOn()
      turns.fetchAhead()
      know(expected)
      return true
    }
  }

  /// A header that it published to is gone.
  func forget(_ entry: HeaderEntry) {
    if lastPublishing?.entry === entry { unsafe knownPublishing = nil }
    if publishings.removeValue(forKey: entry.handle) != nil { turns?.forget() }
  }

  /// It publishes no more.
  func forgetPublishings() {
    unsafe knownPublishing = nil
    turns = nil
    publishings = [:]
  }
}

/// A connection as the publisher of one header.
final class Publishing {
  let entry: HeaderEntry
  var clock: PublisherClock
  /// Where to ask for what its next event will need; nil until one is expected.
  var trail: Trail?

  init(_ entry: HeaderEntry, _ clock: PublisherClock) {
    self.entry = entry
    self.clock = clock
  }

  /// A didScroll concerns the header alone: nobody records it, and no client in its chain is told.
  @inline(__always)
  var takesScrolls: Bool { entry.isOpen && entry.recorders.isEmpty && !entry.header.hasListeners }

  /// The header time of an event; nil: what is wrong with its time is to be found out elsewhere.
  @inline(__always)
  func headerTime(of given: Instant?, _ readTime: Int64) -> Instant? {
    clock.regularTime(of: given, readAt: readTime)
  }
}

/// So many events a second, with as many saved up at most.
struct RateBucket {
  private var tokens = 0.0
  /// Full when it was never asked before.
  private var filledAt = Int64.min

  /// Takes one; nil when there was one, else the seconds until there is.
  mutating func take(_ perSecond: Int, at now: Int64) -> Double? {
    guard perSecond > 0 else { return nil }
    let rate = Double(perSecond)
    tokens = filledAt == .min ? rate : min(rate, tokens + Double(now - filledAt) / 1e9 * rate)
    filledAt = now
    guard tokens >= 1 else { return (1 - tokens) / rate }
    tokens -= 1
    return nil
  }
}
