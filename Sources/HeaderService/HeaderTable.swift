// SPDX-License-Identifier: MIT
//
// The open headers: names and handles to entries. An entry is a header and what the daemon knows about it that the header
// itself does not: who opened it, who listens, who records, and where its time stands by the daemon's clock.

internal import HeaderCore
internal import HeaderWire

/// One life of a header: never used twice.
struct HeaderHandle: Hashable, Comparable {
  let number: Int

  static func < (left: HeaderHandle, right: HeaderHandle) -> Bool { left.number < right.number }
}

/// An open header.
@safe final class HeaderEntry: Sleeper {
  var isOpen = true
  /// Messages that waited for it are handled, and it is counted among those for which messages wait.
  var isServing = false
  var isCountedBusy = false
  /// Among what is kept are the delegates that were asked.
  var keepsCalls = false
  let header: Header
  /// The second of the minute that its description gave, negative if it gave none.
  private let givenSecondOfMinute: Double
  /// The number of the connection that it ends with, 0 for none.
  private let ownerNumber: Int
  var clock = HeaderClock()
  /// Who gets its states, in the order of their coming.
  private(set) var feeds = FeedRow()
  /// How many of them want to know which delegates were called.
  var feedsWithCalls = 0
  /// The memory for what goes to more than one of them, by way of reading: nearly always one.
  private var shared: [SharedMessages] = []
  var recorders: [TraceRecorder] = []
  /// Connections that have sent it events and are still there.
  var publishers = Publishers()
  /// What comes with clients in its chain; see HeaderEntry+Clients.swift.
  private(set) var clientSide: ClientSide?
  /// Texts and bools of the state told last: what a later one changes of them is a meaning.
  var toldValues: [NamedValue] = []
  /// What somebody who comes back may have missed; nil until somebody says that it may come back.
  var recent: RecentStates?
  /// Its states' lines, by way of reading: nearly always one, and none until one is written.
  private(set) var templates: [(view: StateView, template: StateTemplate)] = []

  init(handle: HeaderHandle, header: Header, opened: HeaderDescription, owner: ConnectionID?) {
    self.header = header
    givenSecondOfMinute = opened.environment.clockSecondOfMinute
    ownerNumber = owner?.number ?? 0
    super.init(order: handle.number)
  }

  var handle: HeaderHandle { HeaderHandle(number: order) }

  /// Whether a handle is its own.
  @inline(__always)
  func isNumbered(_ handle: UInt64) -> Bool { UInt64(order) == handle }

  /// The connection that it ends with.
  var owner: ConnectionID? { ownerNumber == 0 ? nil : ConnectionID(number: ownerNumber) }

  /// Where clients' things stand, made when the first one comes.
  func makeClientSide() -> ClientSide {
    let clientSide = clientSide ?? ClientSide()
    self.clientSide = clientSide
    return clientSide
  }

  /// Lets go of all that knows connections.
  func forgetClients() { clientSide = nil }

  /// The template of its states' lines for a way of reading.
  func template(for view: StateView) -> Unmanaged<StateTemplate> {
    if let index = templates.firstIndex(where: { $0.view === view }) {
      return unsafe Unmanaged.passUnretained(templates[index].template)
    }
    // Ways of reading that nobody has any more are forgotten with the next one that comes.
    templates.removeAll { $0.view.users == 0 }
    let new = StateTemplate(view.key.selection)
    templates.append((view, new))
    return unsafe Unmanaged.passUnretained(new)
  }

  func add(_ feed: Feed) { feeds.append(feed) }

  /// Takes a feed out, in constant time.
  func remove(_ feed: Feed) {
    feeds.remove(feed)
    if !isShared { shared = [] }
  }

  /// Whether its states go to several connections.
  var isShared: Bool { feeds.count > 1 }

  /// Keeps a message for all who are to get it.
  func share(_ message: UnsafeRawBufferPointer, _ view: StateView) -> StateMessage {
    if let index = shared.firstIndex(where: { $0.view === view }) { return unsafe shared[index].append(message) }
    // Ways of reading that nobody has any more are forgotten with the next one that comes.
    shared.removeAll { $0.view.users == 0 }
    shared.append(SharedMessages(view))
    return unsafe shared[shared.count - 1].append(message)
  }

  var name: String { header.name }

  /// As it was opened: the same description attaches.
  var opened: HeaderDescription { header.openingDescription(clockSecondOfMinute: givenSecondOfMinute) }

  /// Whether what comes for it has to wait.
  var isBusy: Bool { clientSide.map { $0.work != nil || (!$0.queue.isEmpty && !isServing) } ?? false }
  var epoch: Int64 { header.state.epoch }

  /// When it has something to do by itself, by the daemon's clock. Only `live` headers have, and those that wait for a client.
  var nextWake: Int64? {
    if let question { return question.due }
    guard isOpen, header.frames == .live, let due = header.nextDue else { return nil }
    return clock.steady(at: due)
  }

  /// Header time as it is now: `live` headers are carried on by the daemon's clock, the others stand still.
  func presentTime(at steady: Int64) -> Instant? {
    guard let carried = clock.time(at: steady) else { return nil }
    return header.frames == .live ? max(carried, header.now) : header.now
  }
}

/// The connections that publish to a header. Nearly always it is one, which needs no set.
struct Publishers {
  /// 0: there is none.
  private var first = 0
  private var others: Set<ConnectionID> = []

  var count: Int { (first == 0 ? 0 : 1) + others.count }
  /// In no particular order.
  var all: [ConnectionID] { first == 0 ? Array(others) : [ConnectionID(number: first)] + others }

  mutating func insert(_ id: ConnectionID) {
    if first == id.number { return }
    if first == 0, others.isEmpty { first = id.number } else { others.insert(id) }
  }

  mutating func remove(_ id: ConnectionID) {
    if first == id.number { first = 0 } else { others.remove(id) }
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

  /// Names to choose a hint from; among very many a hint is not worth the search, which bad requests could ask for
  /// without end.
  var namesForHints: [String] { byName.count > Self.mostForHints ? [] : byName.keys.sorted() }
  static let mostForHints = 256

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
    byName.values.filter(test).sorted { $0.handle < $1.handle }
  }
}
