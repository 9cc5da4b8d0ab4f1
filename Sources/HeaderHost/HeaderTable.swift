// SPDX-License-Identifier: MIT
//
// The open headers: names and handles to entries. An entry is a header and what the daemon knows about it: its opener, its listeners, its
// recorders, and its time by the daemon's clock.

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire
internal import HeaderWorker

/// An open header: the header, its way out, and what the host knows about it: its opener, its publishers, its recorders, and its time by
/// the daemon's clock.
final class HeaderEntry: HeaderChannel {
  /// The second of the minute that its description gave, negative if it gave none.
  private let givenSecondOfMinute: Double
  /// The number of the connection that it ends with, 0 for none.
  private let ownerNumber: Int
  var clock = HeaderClock()
  var metricsGroup = 0
  /// Events handed to it since it was opened.
  var eventCount = 0
  /// Its number in the journal, 0 for none, and whether its inputs are written down at present.
  var journalNumber = 0
  var isRecorded = false
  /// Drawers of other headers follow this one's, and whether they need an update.
  var hasFollowers = false
  var isFollowUpdateDue = false
  var recorders: [TraceRecorder] = []
  /// Connections that have sent it events and are still there.
  var publishers: Set<ConnectionID> = []
  /// The account of the user who opened the header; nil: the config file has it.
  let account: UserAccount?
  /// The header's memory, as far as it is charged to the account.
  private var chargedBytes = 0
  /// Constraints that end by themselves.
  var leases = Leases()
  /// The commands that are not done; most headers never have a log.
  private(set) var log: HeaderLog?

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

  /// The header's log, made when it is first needed.
  func makeLog() -> HeaderLog {
    let log = log ?? HeaderLog()
    self.log = log
    return log
  }

  /// Charges the header's memory to its opener's account: after opening and closing it, and after each change of its structure or
  /// options.
  func chargeMemory() {
    let bytes = isOpen ? memoryCost : 0
    account?[.memoryBytes].add(bytes - chargedBytes)
    chargedBytes = bytes
  }

  /// Bytes of the header's memory, as an estimate: the measured size of a header of two drawers, and its parts.
  private var memoryCost: Int {
    let parts =
      header.state.drawers.count + header.state.scrollViews.count + header.state.elements.count
      + header.state.values.count
    let options = header.description.delegates.reduce(0) { $0 + 512 + $1.options.keptBytes }
    let cost = 2_048 + 192 * parts + options + 4_096 * header.explanationLimit
    return log?.shadow == nil ? cost : 2 * cost
  }

  /// The header's engine in a worker; nil: its engine is in this process.
  var remote: RemoteEngine? { log?.remote }

  func forgetCorrections() {
    remote?.send(.forgetCorrections)
    header.forgetCorrections()
  }

  func endRecordings(reason: String) {
    for recorder in recorders { recorder.finish(reason: reason) }
    recorders = []
  }

  /// Lets go of all that knows connections.
  func forgetClients() { log = nil }

  /// As it was opened: the same description attaches.
  var opened: HeaderDescription { header.openingDescription(clockSecondOfMinute: givenSecondOfMinute) }

  func uses(_ plugin: String) -> Bool { header.delegates.contains { $0.behavior.plugin == plugin } }

  /// Whether an event may not be done at once: clients are asked, or a worker has the engine.
  var mayHaveToWait: Bool { header.hasInterceptors || remote != nil }

  /// Whether commands for it have to wait.
  var isBusy: Bool { !(log?.isIdle ?? true) }

  /// When the header has something to do without an input, by the daemon's clock. That is so for `live` headers, those that wait for a
  /// client, and those whose constraints expire.
  var nextWake: MonotonicTime? {
    switch log?.stage {
    case .asking(_, let question): return question.due
    case .sent, .scrolling, .reloading: return nil
    case .idle, .running, nil: break
    }
    guard isOpen else { return nil }
    let lease = leases.earliest
    guard header.frames == .live, let due = header.nextDue, let steady = clock.steady(at: due) else { return lease }
    return min(steady, lease ?? .max)
  }

  /// Header time as it is now: `live` headers are carried on by the daemon's clock, the others stand still.
  func presentTime(at steady: MonotonicTime) -> Instant? {
    guard let carried = clock.time(at: steady) else { return nil }
    return header.frames == .live ? max(carried, header.now) : header.now
  }
}

/// All open headers.
struct HeaderTable {
  private var byName: [String: HeaderEntry] = [:]
  private var byHandle: [HeaderHandle: HeaderEntry] = [:]
  /// Headers that processes are opening, and that clients do not see yet. Each has a name that no open header has, unless it replaces
  /// that one.
  var opening: [String: HeaderEntry] = [:]
  private var lastHandle = 0
  /// A handle's remainder is its shard.
  private let shard: Shard

  init(_ shard: Shard) { self.shard = shard }

  var count: Int { byName.count }

  subscript(name: String) -> HeaderEntry? { byName[name] }
  /// The header of a name that is open, or is being opened: commands for it wait there.
  func known(_ name: String) -> HeaderEntry? { byName[name] ?? opening[name] }
  subscript(handle: HeaderHandle) -> HeaderEntry? { byHandle[handle] }

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

  /// The same without an order, for callers that sort by themselves.
  func unorderedEntries(where test: (HeaderEntry) -> Bool) -> [HeaderEntry] { byName.values.filter(test) }
}
