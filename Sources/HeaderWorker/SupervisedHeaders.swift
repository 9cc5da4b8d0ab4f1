// SPDX-License-Identifier: MIT
//
// Headers in a worker that may die. For each header the last save and the orders since are kept; a new worker gets them and
// comes to where the old one was. What was told before is not told again, so that nobody sees a jump.
//
//     save 7 · scroll · scroll · event    ✝    open from save 7 · scroll · scroll · event …
//                        told ▲                             dropped ▲      ▲ told
//
// The order that was running when the worker died is tried once more. If the next worker dies of it, too, the delegate that was
// running is bypassed before it; so it is when it has killed three workers within a minute.

public import HeaderCore

/// The headers of a worker, and of those that come after it.
public final class SupervisedHeaders: RemoteHeaderOwner {
  /// Gets what comes of orders.
  public weak var owner: (any RemoteHeaderOwner)?
  private let remote: RemoteHeaders
  private var journals: [UInt32: Journal] = [:]

  /// How many inputs there are between two saves: what a new worker has to do again.
  private static let saveInterval = 64
  /// A delegate that has killed so many workers within this time is bypassed, nanoseconds.
  private static let mostDeaths = (count: 3, within: Int64(60_000_000_000))

  private enum Order {
    case input(HeaderInput, Instant?)
    /// Asked for by the owner, or to make the journal shorter.
    case save(isOwn: Bool)
    /// `bypassDelegate`, which nobody has asked for.
    case bypass(HeaderInput)
  }

  private struct Journal {
    /// What a new worker begins with.
    var description: HeaderDescription
    var saved: Value?
    /// The opening was told.
    var isOpen = false
    /// Orders since, and how many of them were told.
    var orders: [Order] = []
    var told = 0
    /// Inputs since the last save was ordered.
    var unsaved = 0
    /// How often a worker died of the first order that was not told.
    var deathsOfOrder = 0
    /// When workers died of a delegate, by its name.
    var deaths: [String: [Int64]] = [:]
  }

  /// No headers.
  public init(provider: MirrorProvider) {
    remote = RemoteHeaders(provider: provider)
    remote.owner = self
  }

  /// A header's mirror.
  public subscript(header: UInt32) -> Header? { remote[header] }

  // MARK: - Orders

  /// Takes out the orders for the worker.
  public func takeOutput() -> [UInt8] { remote.takeOutput() }

  /// Takes what the worker says; see `RemoteHeaders`.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int { try remote.receive(bytes) }

  /// Has a header opened.
  public func open(_ header: UInt32, _ mirror: Header, from saved: Value?) {
    journals[header] = Journal(description: mirror.description, saved: saved)
    remote.open(header, mirror, from: saved)
  }

  /// Has an input applied.
  public func apply(_ input: HeaderInput, at time: Instant?, to header: UInt32) {
    journals[header]?.orders.append(.input(input, time))
    remote.apply(input, at: time, to: header)
    journals[header]?.unsaved += 1
    if journals[header]?.unsaved == Self.saveInterval { order(header, .save(isOwn: true)) }
  }

  /// Asks for a header's saved state.
  public func save(_ header: UInt32) { order(header, .save(isOwn: false)) }

  private func order(_ header: UInt32, _ order: Order) {
    journals[header]?.orders.append(order)
    carryOut(order, header)
  }

  private func carryOut(_ order: Order, _ header: UInt32) {
    switch order {
    case .input(let input, let time): remote.apply(input, at: time, to: header)
    case .bypass(let input): remote.apply(input, at: nil, to: header)
    case .save: remote.save(header)
    }
  }

  /// Lets go of a header.
  public func close(_ header: UInt32) {
    journals[header] = nil
    remote.close(header)
  }

  // MARK: - What comes back

  /// A state that was not told before.
  public func emitted(_ state: borrowing HeaderState, of header: UInt32) { owner?.emitted(state, of: header) }

  /// An order has come to its end, for the first time.
  public func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {
    guard let journal = journals[header] else { return }
    guard journal.isOpen else {
      journals[header]?.isOpen = true
      owner?.ended(result, of: header)
      return
    }
    // A worker that ends more than it was ordered says nothing.
    guard journal.orders.indices.contains(journal.told) else { return }
    let order = journal.orders[journal.told]
    journals[header]?.told += 1
    journals[header]?.deathsOfOrder = 0
    switch order {
    case .input: owner?.ended(result, of: header)
    case .bypass: break
    case .save(let isOwn):
      if !isOwn { owner?.ended(result, of: header) }
      if isOwn { journals[header]?.unsaved = 0 }
      if case .success(.saved(let value)) = result { beginAnew(header, from: value) }
    }
  }

  /// What came before a save is not needed any more.
  private func beginAnew(_ header: UInt32, from saved: Value) {
    guard let mirror = remote[header], let told = journals[header]?.told else { return }
    journals[header]?.description = mirror.description
    journals[header]?.saved = saved
    journals[header]?.orders.removeFirst(told)
    journals[header]?.told = 0
  }

  // MARK: - Death

  /// The worker has died: what follows is for a new one.
  /// - Parameters:
  ///   - culprit: the delegate that was running, if any was.
  ///   - now: nanoseconds of a steady clock.
  /// - Returns: the delegate that is bypassed from now on, if any.
  public func workerDied(
    _ culprit: (header: UInt32, delegate: Int)?, reason: String, at now: Int64
  ) throws(HeaderError) -> String? {
    remote.dropOutput()
    var bypassed: String?
    if let culprit { bypassed = blame(culprit.header, culprit.delegate, reason, now) }
    // Those with waiting orders go on first.
    let waiting = journals.keys.sorted().partitioned { (journals[$0]?.orders.count ?? 0) > (journals[$0]?.told ?? 0) }
    for header in waiting {
      guard let journal = journals[header] else { continue }
      try remote.reopen(
        header, journal.description, from: journal.saved, told: journal.told + (journal.isOpen ? 1 : 0))
      for order in journal.orders { carryOut(order, header) }
    }
    return bypassed
  }

  /// Notes who was running.
  /// - Returns: its name, if that was once too often: it is bypassed before the order that was running.
  private func blame(_ header: UInt32, _ delegate: Int, _ reason: String, _ now: Int64) -> String? {
    guard var journal = journals[header], let mirror = remote[header], mirror.delegates.indices.contains(delegate)
    else { return nil }
    defer { journals[header] = journal }
    let name = mirror.delegates[delegate].name
    journal.deathsOfOrder += 1
    var deaths = journal.deaths[name, default: []].filter { now - $0 < Self.mostDeaths.within }
    deaths.append(now)
    journal.deaths[name] = deaths
    guard journal.deathsOfOrder > 1 || deaths.count >= Self.mostDeaths.count else { return nil }
    journal.deaths[name] = nil
    journal.deathsOfOrder = 0
    journal.orders.insert(.bypass(.bypassDelegate(name, reason: reason)), at: journal.told)
    return name
  }
}

extension Array {
  /// Those that a test holds for, then the others, each in their order.
  fileprivate func partitioned(by test: (Element) -> Bool) -> [Element] { filter(test) + filter { !test($0) } }
}
