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
//
// An order that was told may be what the next workers die of: a delegate that has spoiled the memory did not die of that at
// once. Then it is bypassed before that order, and since the header comes to other states than were told, it has a new epoch.
//
// All of this happens to a header alone in its worker only: one among others has another worker by itself first (`Suspicion`), since
// they share their memory, and with it what the worker says of itself.

public import HeaderCore

/// What a worker was doing when it died.
public struct WorkerFault: Equatable, Sendable {
  /// The header.
  public var header: UInt32
  /// Which of its orders: 0 is its opening.
  public var order: Int
  /// The place of the delegate that was running; nil: which one is not known.
  public var delegate: Int?

  /// What it was doing.
  public init(header: UInt32, order: Int, delegate: Int?) {
    self.header = header
    self.order = order
    self.delegate = delegate
  }
}

/// Gets what comes of orders to workers that may die.
public protocol SupervisedHeaderOwner: RemoteHeaderOwner {
  /// A delegate is bypassed from here on, since processes have died of it.
  func bypassed(_ delegate: String, of header: UInt32, reason: String)
  /// A delegate is bypassed before an order that was told, since processes have died of doing it again.
  /// - Returns: the epoch that the header goes on with.
  func epochToGoOn(without delegate: String, in header: UInt32, reason: String) -> Int64
  /// A new worker has refused to open one of several headers again: it is to be tried in another one by itself.
  func refusedAgain(_ header: UInt32, _ error: HeaderError)
}

/// The headers of a worker, and of those that come after it.
public final class SupervisedHeaders: RemoteHeaderOwner {
  /// Gets what comes of orders.
  public weak var owner: (any SupervisedHeaderOwner)?
  private let remote: RemoteHeaders
  private var journals: [UInt32: Journal] = [:]

  /// How many inputs there are between two saves: what a new worker has to do again.
  private static let saveInterval = 64
  /// A header is given up after this many workers that do not survive opening it; when it was open before, this many in a row.
  private static let mostOpenings = (first: 2, again: 3)
  /// A delegate that has killed this many workers within this time, in nanoseconds, is bypassed.
  private static let mostDeaths = (count: 3, within: Int64(60_000_000_000))

  fileprivate struct LoggedOrder {
    var order: HeaderOrder
    /// Nobody waits for its end: a save that makes the log shorter, a bypass, what is only to be known.
    var isOwn = false
  }

  fileprivate final class Journal {
    /// What a new worker begins with.
    var description: HeaderDescription
    var saved: RemoteSave?
    /// The opening was told.
    var isOpen = false
    /// Orders since, and how many of them were told.
    var orders: [LoggedOrder] = []
    var told = 0
    /// Orders that the worker has had, and that are not kept here any more since a save came behind them.
    var dropped = 0
    /// Inputs since the last save was ordered.
    var unsaved = 0
    /// How often a worker died of the first order that was not told, and how many in a row of those before it.
    var deathsOfOrder = 0
    var deathsOfReopening = 0
    /// What was told is not what the next worker comes to: the epoch that begins then.
    var nextEpoch: Int64?
    /// When workers died of a delegate, by its name.
    var deaths: [String: [Int64]] = [:]
    /// The worker has a shadow of it.
    var hasShadow = false

    /// The next worker gets none.
    func dropShadow() {
      guard hasShadow else { return }
      hasShadow = false
      for index in orders.indices {
        if case .shadow(let delegate, _) = orders[index].order { orders[index].order = .shadow(of: delegate, []) }
      }
    }

    func insertBypass(of delegate: String, _ reason: String, at place: Int) {
      let input = HeaderInput.bypassDelegate(delegate, reason: reason)
      orders.insert(LoggedOrder(order: .input(input, at: nil), isOwn: true), at: place)
    }

    init(_ description: HeaderDescription, _ saved: RemoteSave?) {
      (self.description, self.saved) = (description, saved)
    }
  }

  /// No headers.
  public init(provider: MirrorProvider) {
    remote = RemoteHeaders(provider: provider)
    remote.owner = self
  }

  /// A header's mirror.
  public subscript(header: UInt32) -> Header? { remote[header] }

  /// Orders whose ends have not come, with those that are carried out once more.
  public var openOrders: Int { remote.openOrders }

  /// The headers that it has.
  public var count: Int { journals.count }

  /// Their numbers, ascending.
  public var numbers: [UInt32] { journals.keys.sorted() }

  /// Orders that the present worker was given.
  public var givenOrders: Int { remote.givenOrders }

  /// What a worker was doing, in recordings' words.
  public func name(of fault: WorkerFault) -> String? {
    guard let journal = journals[fault.header] else { return nil }
    let place = fault.order - journal.dropped - 1
    guard journal.orders.indices.contains(place) else { return "open" }
    switch journal.orders[place].order {
    case .input(.scroll, _): return "didScroll"
    case .input(.event(let event), _): return event.kind.name.rawValue
    case .input(.answer, _): return "answer"
    case .input(.bypassDelegate, _): return "bypass"
    case .input(let input, let time):
      guard case .text(let name)? = input.recorded(at: time ?? Instant(nanoseconds: 0))["event"] else { return nil }
      return name
    case .save: return "save"
    case .shadow: return "shadow"
    case .observe, .explanations, .forgetCorrections: return nil
    }
  }

  /// Goes on with another mirror of a header (`RemoteHeaders.use`).
  public func use(_ mirror: Header, for header: UInt32) throws(HeaderError) { try remote.use(mirror, for: header) }

  // MARK: - Orders

  /// Takes out the orders for the worker.
  public func takeOutput() -> [UInt8] { remote.takeOutput() }

  /// Takes what the worker says; see `RemoteHeaders`.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int { try remote.receive(bytes) }

  /// Has a header opened.
  public func open(_ header: UInt32, _ mirror: Header, from saved: Value?) {
    let saved = saved.map(RemoteSave.init)
    let journal = Journal(mirror.description, saved)
    // Headers that move together are not all saved together, so that a new worker never has the most to do again of all of them.
    journal.unsaved = Int(header) % Self.saveInterval
    journals[header] = journal
    remote.open(header, mirror, from: saved)
  }

  /// Has an input applied.
  public func apply(_ input: HeaderInput, at time: Instant?, to header: UInt32) {
    add(LoggedOrder(order: .input(input, at: time)), to: header)
  }

  /// Orders anything of a header. A worker that dies takes a shadow along: it may be what it died of.
  /// - Parameter isOwn: nobody waits for its end, which is not told.
  public func order(_ order: HeaderOrder, of header: UInt32, isOwn: Bool = false) {
    if case .shadow(_, let change) = order { journals[header]?.hasShadow = !change.isEmpty }
    add(LoggedOrder(order: order, isOwn: isOwn), to: header)
  }

  private func add(_ order: LoggedOrder, to header: UInt32) {
    remote.order(order.order, of: header)
    guard let journal = journals[header] else { return }
    journal.orders.append(order)
    guard case .input = order.order else { return }
    journal.unsaved += 1
    if journal.unsaved == Self.saveInterval { add(LoggedOrder(order: .save(clients: true), isOwn: true), to: header) }
  }

  /// Lets go of a header.
  public func close(_ header: UInt32) {
    journals[header] = nil
    remote.close(header)
  }

  // MARK: - What comes back

  /// A state that was not told before.
  public func emitted(_ state: borrowing HeaderState, of header: UInt32) { owner?.emitted(state, of: header) }

  /// The mirror knows anew where its drawers are.
  public func led(_ header: UInt32) { owner?.led(header) }

  /// An order has come to its end, for the first time.
  public func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {
    guard let journal = journals[header] else { return }
    guard journal.isOpen else {
      journal.isOpen = true
      owner?.ended(result, of: header)
      return
    }
    // A worker that ends more than it was ordered says nothing.
    guard journal.orders.indices.contains(journal.told) else { return }
    let logged = journal.orders[journal.told]
    journal.told += 1
    (journal.deathsOfOrder, journal.deathsOfReopening) = (0, 0)
    if !logged.isOwn {
      owner?.ended(result, of: header)
    } else if case .input(.bypassDelegate(let name, let reason), _) = logged.order {
      owner?.bypassed(name, of: header, reason: reason)
    }
    guard case .save(clients: true) = logged.order else { return }
    if logged.isOwn { journal.unsaved = 0 }
    if case .success(.saved(let save)) = result { beginAnew(header, from: save) }
  }

  /// A new worker has come to its own state of a header.
  public func restarted(_ header: UInt32) {
    journals[header]?.nextEpoch = nil
    owner?.restarted(header)
  }

  /// A behavior has written to the log.
  public func logged(_ line: RemoteLogLine) { owner?.logged(line) }

  /// A header that was open cannot be opened again.
  public func lost(_ header: UInt32, _ error: HeaderError) {
    guard journals.count == 1 else {
      owner?.refusedAgain(header, error)
      return
    }
    remote.forget(header)
    journals[header] = nil
    owner?.lost(header, error)
  }

  /// What came before a save is not needed any more, unless the header waited for a client then: a save does not have the event
  /// that waits.
  private func beginAnew(_ header: UInt32, from saved: RemoteSave) {
    guard let mirror = remote[header], !mirror.isWaiting, let journal = journals[header] else { return }
    (journal.description, journal.saved) = (mirror.description, saved)
    journal.orders.removeFirst(journal.told)
    journal.dropped += journal.told
    journal.told = 0
  }

  // MARK: - Others' headers

  /// A header that leaves a worker for another one.
  public struct Released {
    fileprivate let journal: Journal
    fileprivate let mirror: Header
  }

  /// Lets go of a header for other supervised headers, which open it again in their worker.
  public func release(_ header: UInt32) -> Released? {
    guard let journal = journals.removeValue(forKey: header), let mirror = remote[header] else { return nil }
    remote.forget(header)
    return Released(journal: journal, mirror: mirror)
  }

  /// Takes a header in under a number that it has not used; `reopen` has the worker open it.
  public func take(_ header: Released, as number: UInt32) {
    journals[number] = header.journal
    remote.take(header.mirror, as: number)
  }

  // MARK: - Death

  /// Who may be to blame for a worker's death.
  public enum Suspicion: Equatable, Sendable {
    /// Nobody that is known.
    case nobody
    /// A header that was running.
    case header
    /// A header that has been running too often, and is among others: before anything happens to it, it has to be in a worker by itself.
    case mustBeAlone(UInt32)
  }

  /// The worker has died: what follows is for a new one.
  /// - Parameters:
  ///   - fault: what it was doing; nil: nothing with a plugin.
  ///   - now: nanoseconds of a steady clock.
  public func noteDeath(_ fault: WorkerFault?, reason: String, at now: Int64) -> Suspicion {
    for (header, journal) in journals where remote.hasCaughtUp(header) { journal.deathsOfReopening = 0 }
    remote.dropOutput()
    let suspicion = fault.map { blame($0, reason, now) } ?? .nobody
    for journal in journals.values { journal.dropShadow() }
    return suspicion
  }

  /// Has a new worker open all headers again and come to where they were.
  public func reopen() throws(HeaderError) {
    // Those with waiting orders go on first.
    let waiting = numbers.partitioned { (journals[$0]?.orders.count ?? 0) > (journals[$0]?.told ?? 0) }
    for header in waiting {
      guard let journal = journals[header] else { continue }
      journal.dropped = 0
      try remote.reopen(
        header, journal.description, from: journal.saved, told: journal.told + (journal.isOpen ? 1 : 0),
        epoch: journal.nextEpoch)
      for logged in journal.orders { remote.order(logged.order, of: header) }
    }
  }

  /// Notes who was running. The delegate is bypassed before the order that was running, if that was once too often; a header that
  /// cannot even be opened is given up.
  private func blame(_ fault: WorkerFault, _ reason: String, _ now: Int64) -> Suspicion {
    let header = fault.header
    guard let journal = journals[header], let mirror = remote[header] else { return .nobody }
    // What the header's own delegates have to do with it, the next worker shows, which has no shadow.
    guard !journal.hasShadow else { return .header }
    let order = fault.order - journal.dropped
    guard order > journal.told else { return blameReopening(journal, at: order, fault, reason) }
    // The worker's own word, which may be anything.
    guard order <= journal.orders.count, let delegate = fault.delegate,
      mirror.delegates.indices.contains(delegate)
    else { return .nobody }
    let name = mirror.delegates[delegate].name
    journal.deathsOfOrder += 1
    var deaths = journal.deaths[name, default: []].filter { now - $0 < Self.mostDeaths.within }
    deaths.append(now)
    journal.deaths[name] = deaths
    guard journal.deathsOfOrder > 1 || deaths.count >= Self.mostDeaths.count else { return .header }
    guard count == 1 else { return .mustBeAlone(header) }
    journal.deaths[name] = nil
    journal.deathsOfOrder = 0
    journal.insertBypass(of: name, reason, at: order - 1)
    return .header
  }

  /// A worker died of what an earlier one has lived through.
  private func blameReopening(
    _ journal: Journal, at order: Int, _ fault: WorkerFault, _ reason: String
  ) -> Suspicion {
    let most = journal.isOpen ? Self.mostOpenings.again : Self.mostOpenings.first
    journal.deathsOfReopening += 1
    guard journal.deathsOfReopening > 1 else { return .header }
    guard count == 1 else { return .mustBeAlone(fault.header) }
    if order > 0, bypass(before: order, fault, reason) { return .header }
    if journal.deathsOfReopening >= most { refuse(fault.header, HeaderError(.behaviorFailed, reason)) }
    return .header
  }

  /// Bypasses the delegate that was running before an order that was told.
  /// - Returns: false where that cannot be done: it is not known, is bypassed there already, or a client is being asked, whose
  ///   question would be another one.
  private func bypass(before order: Int, _ fault: WorkerFault, _ reason: String) -> Bool {
    let (header, delegates) = (fault.header, remote.delegates(of: fault.header))
    guard let journal = journals[header], let mirror = remote[header], !mirror.isWaiting, let place = fault.delegate,
      delegates.indices.contains(place)
    else { return false }
    let name = delegates[place].name
    if order > 1, journal.orders[order - 2].isOwn,
      case .input(.bypassDelegate(name, _), _) = journal.orders[order - 2].order
    {
      return false
    }
    journal.insertBypass(of: name, reason, at: order - 1)
    journal.told += 1
    journal.deathsOfReopening = 0
    journal.nextEpoch = owner?.epochToGoOn(without: name, in: header, reason: reason)
    return true
  }

  private func refuse(_ header: UInt32, _ error: HeaderError) {
    guard let journal = journals.removeValue(forKey: header) else { return }
    remote.forget(header)
    if journal.isOpen { owner?.lost(header, error) } else { owner?.ended(.failure(error), of: header) }
  }
}

extension Array {
  /// Those that a test holds for, then the others, each in their order.
  fileprivate func partitioned(by test: (Element) -> Bool) -> [Element] { filter(test) + filter { !test($0) } }
}
