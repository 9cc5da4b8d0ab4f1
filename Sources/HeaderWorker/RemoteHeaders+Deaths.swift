// SPDX-License-Identifier: MIT
//
// Deaths of workers. A new worker gets each header's last save and the orders since, and reaches the state of the old one. Outcomes that
// were reported before are not reported again, so subscribers see no jump.
//
//     save 7 · scroll · scroll · event    ✝    open from save 7 · scroll · scroll · event …
//                   reported ▲                          suppressed ▲      ▲ reported
//
// The order that was running when the worker died is tried once more. If the next worker dies of it, too, the delegate that was running
// is bypassed before it. So is a delegate that has killed three workers within a minute.
//
// The next workers may also die of an order that was reported: a delegate that has corrupted the memory did not kill its worker at once.
// Then it is bypassed before that order. The header comes to other states than were reported, so it gets a new epoch. It gets one as well
// if the orders come to other states by themselves (`differs`).
//
// All of this happens to a header only while it is alone in its worker. A header among others first gets a worker of its own
// (`Suspicion`), since they share their memory, and a corrupted worker cannot be trusted to name the culprit.

public import Clocks
internal import HeaderCore
public import HeaderModel

/// The call of a worker when it died.
public struct WorkerFault: Equatable, Sendable {
  /// The number of the header.
  public var header: UInt32
  /// Which of its orders: 0 is its opening.
  public var order: Int
  /// The place of the delegate that was running; nil: which one is not known.
  public var delegate: Int?

  /// Creates a fault; `delegate` is nil if no delegate was running.
  public init(header: UInt32, order: Int, delegate: Int?) {
    self.header = header
    self.order = order
    self.delegate = delegate
  }
}

extension RemoteHeaders {
  /// A header is given up after this many workers that do not survive opening it; when it was open before, this many in a row.
  private static let maxOpenings = (first: 2, again: 3)
  /// A delegate that has killed this many workers within this time, in nanoseconds, is bypassed.
  private static let maxDeaths = (count: 3, within: Int64(60_000_000_000))

  /// What may have killed a worker.
  public enum Suspicion: Equatable, Sendable {
    /// No suspect.
    case unknown
    /// A header that was running.
    case header
    /// A header that has been running too often among others: it needs a worker of its own before anything is concluded.
    case mustBeAlone(UInt32)
  }

  /// The event that a worker was handling, in recordings' words.
  public func name(of fault: WorkerFault) -> String? {
    guard let log = headers[fault.header]?.log else { return nil }
    let place = fault.order - log.dropped - 1
    guard log.entries.indices.contains(place) else { return "open" }
    var name: String?
    _ = try? unsafe readMessages(Array(log[place]).span.bytes) { (reader) throws(Malformed) in
      let order = Order(rawValue: try reader.number())
      _ = try reader.number(UInt32.self)
      switch order {
      case .scroll: name = "didScroll"
      case .save: name = "save"
      case .shadow: name = "shadow"
      case .input:
        _ = try reader.optionalInstant()
        let isAnswer = try reader.flag()
        if case .text(let event)? = try reader.record()["event"] { name = event }
        if isAnswer { name = "answer" }
      case .open, .observe, .explanations, .forgetCorrections, .close, nil: break
      }
      reader.skipRest()
    }
    return name
  }

  // MARK: - Others' headers

  /// Lets go of a header for another worker's, which open it again there.
  public func release(_ number: UInt32) -> RemoteHeader? {
    let header = headers[number]
    forget(number)
    return header
  }

  /// Takes over a header whose number it has not used. `reopen` makes the worker open it.
  public func take(_ header: RemoteHeader) {
    header.present = RemoteHeader.Presence()
    add(header)
  }

  // MARK: - Death

  /// Prepares the headers for a new worker, after a worker has died.
  /// - Parameters:
  ///   - fault: its last call; nil: no plugin is involved.
  ///   - now: the daemon's clock.
  public func noteDeath(_ fault: WorkerFault?, reason: String, at now: MonotonicTime) -> Suspicion {
    for header in headers.values where header.hasCaughtUp { header.deathsOfReopening = 0 }
    output = []
    (openOrders, ownerlessOrders, givenOrders) = (0, 0, 0)
    for header in headers.values { (header.present.openOrders, header.present.silentOrders) = (0, 0) }
    let suspicion = fault.map { blame($0, reason, now) } ?? .unknown
    for header in headers.values where header.hasShadow { dropShadow(of: header) }
    return suspicion
  }

  private func dropShadow(of header: RemoteHeader) {
    header.hasShadow = false
    header.log.replace(with: bytes(of: .shadow(of: "", []), header.number)) { order in
      order.dropFirst(4).first == Order.shadow.rawValue
    }
  }

  /// Makes a new worker open all headers again and repeat their orders.
  public func reopen() throws(HeaderError) {
    // Headers with waiting orders come first.
    let all = numbers.compactMap { headers[$0] }
    for header in all.filter(\.log.isAwaited) + all.filter({ !$0.log.isAwaited }) { try reopen(header) }
  }

  /// Meanwhile the mirror stays as it is.
  private func reopen(_ header: RemoteHeader) throws(HeaderError) {
    header.log.dropped = 0
    let reported = header.log.acknowledged + (header.wasOpened ? 1 : 0)
    let mirror = header.mirror
    let catchUpMirror = try Header(
      header.log.description, epoch: header.nextEpoch ?? mirror.state.epoch, provider: provider, limits: mirror.limits)
    catchUpMirror.observe { $0 = mirror.observation }
    header.present = RemoteHeader.Presence(
      catchUpMirror: catchUpMirror, isRestarting: header.nextEpoch != nil,
      // Of all that was reported the opening and the last order say where the header is.
      suppressedEnds: min(reported, 2), silentOrders: max(0, reported - 2))
    header.shape = StateShape(of: catchUpMirror.description, provider)
    sendOpening(of: header, catchUpMirror)
    output += header.log.bytes
    count(orders: header.log.entries.count, of: header)
  }

  /// A new worker has refused to open a header again.
  func refused(_ header: RemoteHeader, _ error: HeaderError) {
    guard count == 1 else {
      owner?.refusedAgain(header.number, error)
      return
    }
    forget(header.number)
    owner?.lost(header.number, error)
  }

  /// Counts a death against the header and delegate that were running. If the order has failed too often, the delegate is bypassed before
  /// it; a header that cannot even be opened is given up.
  private func blame(_ fault: WorkerFault, _ reason: String, _ now: MonotonicTime) -> Suspicion {
    guard let header = headers[fault.header] else { return .unknown }
    // The next worker has no shadow, and so shows whether the header's own delegates are at fault.
    guard !header.hasShadow else { return .header }
    let order = fault.order - header.log.dropped
    guard order > header.log.acknowledged else { return blameReopening(of: header, at: order, fault, reason) }
    // The worker's own word, which may be anything.
    guard order <= header.log.entries.count, let delegate = fault.delegate,
      header.mirror.delegates.indices.contains(delegate)
    else { return .unknown }
    let name = header.mirror.delegates[delegate].name
    header.deathsOfOrder += 1
    let deaths = header.deaths[name, default: []].filter { now - $0 < Self.maxDeaths.within } + [now]
    header.deaths[name] = deaths
    guard header.deathsOfOrder > 1 || deaths.count >= Self.maxDeaths.count else { return .header }
    guard count == 1 else { return .mustBeAlone(header.number) }
    (header.deaths[name], header.deathsOfOrder) = (nil, 0)
    insertBypass(of: name, reason, in: header, at: order - 1, isAcknowledged: false)
    return .header
  }

  private func insertBypass(
    of name: String, _ reason: String, in header: RemoteHeader, at place: Int, isAcknowledged: Bool
  ) {
    let order = bytes(of: .input(.bypassDelegate(name, reason: reason), at: nil), header.number)
    header.log.insert(order, .bypass(delegate: name, reason: reason), at: place, isAcknowledged: isAcknowledged)
  }

  /// Counts a death by an order that an earlier worker has survived.
  private func blameReopening(
    of header: RemoteHeader, at order: Int, _ fault: WorkerFault, _ reason: String
  ) -> Suspicion {
    header.deathsOfReopening += 1
    guard header.deathsOfReopening > 1 else { return .header }
    guard count == 1 else { return .mustBeAlone(header.number) }
    if order > 0, bypass(before: order, in: header, fault, reason) { return .header }
    guard header.deathsOfReopening >= (header.wasOpened ? Self.maxOpenings.again : Self.maxOpenings.first) else {
      return .header
    }
    forget(header.number)
    let error = HeaderError(.behaviorFailed, reason)
    if header.wasOpened {
      owner?.lost(header.number, error)
    } else {
      owner?.ended(.failure(error), of: header.number)
    }
    return .header
  }

  /// Bypasses the delegate that was running before an order that was reported.
  /// - Returns: false where that cannot be done: the delegate is unknown, is bypassed there already, or a client is being asked, whose
  ///   question would change.
  private func bypass(before order: Int, in header: RemoteHeader, _ fault: WorkerFault, _ reason: String) -> Bool {
    // As the worker has them, which may still be on its way to where the one before it was.
    let delegates = header.target.delegates
    guard !header.mirror.isWaiting, let place = fault.delegate, delegates.indices.contains(place) else { return false }
    let name = delegates[place].name
    if order > 1, case .bypass(name, _) = header.log.entries[order - 2].ticket { return false }
    insertBypass(of: name, reason, in: header, at: order - 1, isAcknowledged: true)
    header.deathsOfReopening = 0
    header.nextEpoch = owner?.epochToGoOn(without: name, in: header.number, reason: reason)
    return true
  }
}
