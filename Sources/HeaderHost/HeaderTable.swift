// SPDX-License-Identifier: MIT
//
// The open headers: names and handles to entries. An entry is a header and what the daemon knows about it that the header
// itself does not: who opened it, who listens, who records, and where its time stands by the daemon's clock.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

/// What a header has only while it makes others wait: clients in its chain are asked, or its plugin is reloaded.
final class Waiting {
  /// The connections of the clients in its chain, by delegate.
  var clients: [String: Client] = [:]
  /// Events that such a client was not sent because it does not read.
  var lost: [String: Int] = [:]
  /// The client that is asked, and the events that wait for it.
  var question: AskedClient?
  var work: EventWork?
  /// Questions whose answers are late and not there yet, by delegate.
  var owing: [String: Int] = [:]
  /// Commands that wait until the header does not.
  var queue = Queue<QueuedCommand>()
  /// Clients whose connection is gone, to be taken out of the chain before the queue goes on.
  var leaving: [String] = []
  /// Why clients are not asked just now.
  var hurry: String?
  /// Delegates of a plugin that is being reloaded, made and not yet in place.
  var prepared: [PreparedDelegate] = []
  /// Its plugin is being reloaded: everything waits.
  var isPrepared = false
  /// The worker has an input of it.
  var isSent: Bool { flight != nil || !scrolls.isEmpty }
  /// One more scroll may be sent behind those that the worker has.
  var takesScroll: Bool {
    seat != nil && !isPrepared && work == nil && flight == nil && queue.isEmpty && scrolls.count < Self.mostScrolls
  }
  private static let mostScrolls = 64
  /// Its events need more than to be handed to its engine.
  var standsAside: Bool { isPrepared || seat != nil || shadow != nil }
  /// The same header with something else in its chain, without effect.
  var shadow: HeaderShadow?
  /// Commands that waited for it are handled just now.
  var isServing = false
  /// Its place in a worker; nil: its engine is here.
  var seat: WorkerSeat?
  /// The input that the worker has, if it is not done.
  var flight: Flight?
  /// Scrolls that it has instead, of which nobody waits for an answer.
  var scrolls = Queue<SentScroll>()
  /// Its place in a worker with a plugin that is being reloaded.
  var preparedSeat: PreparedSeat?

  /// A delegate is bypassed while an event waits: before the answer that the worker has, if it has one.
  func noteBypass(of delegate: String, _ reason: String) {
    guard let work else { return }
    var place = work.asked.count
    if case .answer = flight { place -= 1 }
    work.asked.insert(["delegate": .text(delegate), "bypassed": .text(reason)], at: place)
  }
}

/// A plain scroll that a worker has.
struct SentScroll {
  let client: Client
  /// What the client's origin knows it by.
  let slot: Int
  /// When it was read, by the daemon's clock.
  let readAt: Int64
}

/// An input that a worker has and the host does not wait for.
enum Flight {
  /// The present event of a command.
  case event(EventWork)
  /// A client's answer to it, or none; and the client's name.
  case answer(EventWork, String)
  /// What was due.
  case due
}

/// An open header: the header, its way out, and what the host knows about it that the header itself does not: who opened it,
/// who publishes, who records, and where its time is by the daemon's clock.
final class HeaderEntry: HeaderChannel {
  /// The second of the minute that its description gave, negative if it gave none.
  private let givenSecondOfMinute: Double
  /// The number of the connection that it ends with, 0 for none.
  private let ownerNumber: Int
  var clock = HeaderClock()
  /// Its group in metrics.
  var metricsGroup = 0
  /// Events handed to it since it was opened.
  var eventCount = 0
  /// Its number in the journal, 0 for none, and whether its inputs are written down at present.
  var journalNumber = 0
  var isRecorded = false
  /// Drawers of other headers follow some of its, and whether they are to be told of its latest state.
  var isLed = false
  var hasNews = false
  var recorders: [TraceRecorder] = []
  /// Connections that have sent it events and are still there.
  var publishers = Publishers()
  /// Of the user who opened it; nil: it stands in the config file.
  let account: UserAccount?
  /// Its memory, as far as it is counted on the account.
  private var chargedBytes = 0
  /// Constraints that end by themselves.
  var leases = Leases()
  /// Hardly a header ever has any; whoever has none pays for one word.
  private(set) var waiting: Waiting?

  init(
    handle: HeaderHandle, header: Header, opened: HeaderDescription, owner: ConnectionID?, account: UserAccount?
  ) {
    self.account = account
    givenSecondOfMinute = opened.environment.clockSecondOfMinute
    ownerNumber = owner?.number ?? 0
    super.init(handle: handle, header: header)
  }

  /// The connection that it ends with.
  var owner: ConnectionID? { ownerNumber == 0 ? nil : ConnectionID(number: ownerNumber) }

  /// What it has only while others wait, made when it is first needed.
  func makeWaiting() -> Waiting {
    let waiting = waiting ?? Waiting()
    self.waiting = waiting
    return waiting
  }

  /// Counts what it takes on its opener's account: after opening it, and after each change of its structure or options.
  func chargeMemory() { charge(memoryCost) }

  /// Bytes of memory that it takes, about: what a header of two drawers was measured to take, and its parts.
  private var memoryCost: Int {
    let parts =
      header.state.drawers.count + header.state.scrollViews.count + header.state.elements.count
      + header.state.values.count
    let options = header.description.delegates.reduce(0) { $0 + 512 + $1.options.keptBytes }
    let cost = 2_048 + 192 * parts + options + 4_096 * header.explanationLimit
    return waiting?.shadow == nil ? cost : 2 * cost
  }

  /// It is closed.
  func releaseMemory() { charge(0) }

  private func charge(_ bytes: Int) {
    account?[.memoryBytes].add(bytes - chargedBytes)
    chargedBytes = bytes
  }

  /// Its place in a worker; nil: its engine is here.
  var seat: WorkerSeat? { waiting?.seat }

  /// All that it remembers (`Header.save`).
  func save(clients: Bool = true) throws(HeaderError) -> Value {
    if let seat { return try seat.save(clients: clients) }
    return try header.save(clients: clients)
  }

  /// `Header.forgetCorrections`.
  func forgetCorrections() {
    seat?.forgetCorrections()
    header.forgetCorrections()
  }

  /// Ends its recordings.
  func endRecordings(reason: String) {
    for recorder in recorders { recorder.finish(reason: reason) }
    recorders = []
  }

  /// Lets go of all that knows connections.
  func forgetClients() { waiting = nil }

  /// As it was opened: the same description attaches.
  var opened: HeaderDescription { header.openingDescription(clockSecondOfMinute: givenSecondOfMinute) }

  /// Whether an event may not be done at once: clients are asked, or a worker has the engine.
  var mayHaveToWait: Bool { header.hasInterceptors || seat != nil }

  /// Whether commands for it have to wait.
  var isBusy: Bool {
    guard let waiting else { return false }
    return waiting.isPrepared || waiting.work != nil || waiting.isSent
      || (!waiting.queue.isEmpty && !waiting.isServing)
  }

  /// When it has something to do by itself, by the daemon's clock. Only `live` headers have, those that wait for a client, and
  /// those with constraints that end by themselves.
  var nextWake: Int64? {
    if let waiting {
      if let question = waiting.question { return question.due }
      if waiting.isPrepared || waiting.isSent { return nil }
    }
    guard isOpen else { return nil }
    let lease = leases.earliest
    guard header.frames == .live, let due = header.nextDue, let steady = clock.steady(at: due) else { return lease }
    return min(steady, lease ?? .max)
  }

  /// Header time as it is now: `live` headers are carried on by the daemon's clock, the others stand still.
  func presentTime(at steady: Int64) -> Instant? {
    guard let carried = clock.time(at: steady) else { return nil }
    return header.frames == .live ? max(carried, header.now) : header.now
  }
}

/// All open headers.
struct HeaderTable {
  private var byName: [String: HeaderEntry] = [:]
  private var byHandle: [HeaderHandle: HeaderEntry] = [:]
  private var lastHandle = 0
  /// Handles tell their shard.
  private let shard: Shard

  init(_ shard: Shard) { self.shard = shard }

  var count: Int { byName.count }

  subscript(name: String) -> HeaderEntry? { byName[name] }
  subscript(handle: HeaderHandle) -> HeaderEntry? { byHandle[handle] }

  /// A handle for the next header.
  mutating func nextHandle() -> HeaderHandle {
    lastHandle += 1
    return HeaderHandle(number: shard.number(lastHandle))
  }

  mutating func add(_ entry: HeaderEntry) {
    byName[entry.name] = entry
    byHandle[entry.handle] = entry
  }

  mutating func remove(_ entry: HeaderEntry) {
    byHandle[entry.handle] = nil
    guard byName[entry.name] === entry else { return }
    byName[entry.name] = nil
  }

  /// The headers that a test holds for, in the order of opening.
  func entries(where test: (HeaderEntry) -> Bool) -> [HeaderEntry] {
    unorderedEntries(where: test).sorted { $0.handle < $1.handle }
  }

  /// The same in any order, for whoever brings them into one later.
  func unorderedEntries(where test: (HeaderEntry) -> Bool) -> [HeaderEntry] { byName.values.filter(test) }
}
