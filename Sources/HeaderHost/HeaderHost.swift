// SPDX-License-Identifier: MIT
//
// One shard's headers. Commands and times in, states and answers out; the caller has the sockets and the clock.
//
//     handle(scroll) ─────────────▶ PublisherBinding ─▶ Header.apply ─▶ publish ─▶ Fanout
//     handle(command) ─▶ busy? ─no─▶ RequestHandler ──▶ Header.apply ─▶ publish ─▶ Fanout
//                          ╰──yes─▶ the header's queue (HeaderHost+Log.swift)
//
// Not Sendable: one thread drives it. None of its methods blocks, and none calls back except through writers, origins and closures that
// it was given.

public import Clocks
public import Fanout
internal import HeaderCore
public import HeaderJournal
public import HeaderModel
public import HeaderWire

/// How far a command has come.
public enum Progress {
  /// The command is done and answered.
  case done
  /// The command waits, for a client or behind a command that does; `CommandOrigin.commandIsDone` follows.
  case open
}

/// The headers of one shard.
public final class HeaderHost {
  /// Clock, limits, log and counters of the shard.
  public let context: ShardContext
  /// Sends states to subscribers.
  public let fanout: Fanout
  /// Which headers are this host's.
  public let shard: Shard
  let globalCounters: GlobalCounters
  /// The plugins as this shard sees them.
  var plugins: any ShardPlugins
  /// Microseconds since 1970.
  let wallClock: () -> WallTime
  var table: HeaderTable
  /// What outlives the daemon; nil: nothing does.
  public private(set) var journal: HostJournal?
  /// The processes that headers with isolated plugins are in.
  private(set) lazy var workers = HostWorkers(self)
  var clients: [ConnectionID: Client] = [:]
  var followers = Followers()
  /// The way to the shards of other headers that are followed; nil: there are no others.
  public weak var link: (any FollowLink)?
  private var wakes = WakeQueue()
  var trials = Trials()
  /// What ended connections have left behind, in the order of their ending; bounded work is done on it in each turn.
  var cleanups = Queue<DisconnectCleanup>()
  /// The largest epoch so far: the next one is larger.
  public internal(set) var lastEpoch: Int64 = 0
  /// Headers are often opened one after the other with the same description.
  var lastOpened: HeaderHandle?
  var lastTrace = 0
  var lastQuestion = 0

  /// A host without headers.
  /// - Parameter wallClock: asked at opening a header and never for header time.
  public init(
    _ fanout: Fanout, shard: Shard, globalCounters: GlobalCounters, plugins: any ShardPlugins,
    wallClock: @escaping () -> WallTime
  ) {
    context = fanout.context
    self.fanout = fanout
    self.shard = shard
    self.globalCounters = globalCounters
    self.plugins = plugins
    self.wallClock = wallClock
    table = HeaderTable(shard)
  }

  /// Breaks cycles: headers refer to the connections of clients in their chains, and waiting commands to both.
  deinit {
    for entry in table.entries(where: { _ in true }) { entry.forgetClients() }
  }

  /// Begins behind an epoch that an earlier daemon has used. Before the first header is opened.
  public func begin(after epoch: Int64) { lastEpoch = max(lastEpoch, epoch) }

  /// Records the headers that belong to the daemon from now on. Before the first of them is opened.
  /// - Parameter epoch: the largest that the journal has.
  public func keep(_ journal: ShardJournal, after epoch: Int64) {
    self.journal = HostJournal(journal, of: self)
    let present = wallClock().microseconds
    // Epochs of headers that were not recorded lie before the present, also if the wall clock is set back from here on.
    lastEpoch = max(lastEpoch, epoch, present)
    // The wall clock has been set back, and before a crash there may have been epochs behind this one of which the journal has
    // nothing. They followed one after the other; from a place that the clock gives none of them is met again.
    if present <= epoch { lastEpoch += present & Self.epochSpread }
  }

  private static let epochSpread: Int64 = (1 << 30) - 1

  /// Ends a turn: resumes headers whose workers have completed orders, updates followers, hands records to the disk and orders to the
  /// workers.
  public func endTurn() {
    takeWorkersEnds()
    if !followers.isIdle { updateFollowers() }
    journal?.endTurn()
    workers.flush()
  }

  /// Ends the processes that headers are in: the daemon ends.
  public func endWorkers() { workers.end() }

  /// Whether the end of a turn concerns it.
  public var hasTurns: Bool { journal != nil || !workers.isEmpty || !followers.isIdle }

  /// What `stats` says of the processes that headers are in; nil: there are none.
  public var workerStatistics: WorkerStatistics? { workers.statistics }

  /// Open headers, and those that processes are opening.
  public var headerCount: Int { table.count + table.opening.count }

  /// Processes are opening headers.
  public var isOpening: Bool { !table.opening.isEmpty }

  var limits: Limits { context.limits }
  var recordCount: Int { journal?.recordCount ?? 0 }
  var now: MonotonicTime { context.now }

  // MARK: - Commands

  /// Handles nearly every event: a didScroll of a header that the connection has sent events to before, if it concerns no other client
  /// and no process. Counts no references on the way.
  /// - Returns: false, and nothing has happened: it has to be handled as any command.
  @inline(__always)
  public func tryHandle(_ scroll: ScrollMessage, from client: Client) -> Bool {
    client.bindings.withBinding(to: scroll.header) { tryHandle(scroll, by: $0, client) } ?? false
  }

  @inline(__always)
  private func tryHandle(_ scroll: ScrollMessage, by binding: PublisherBinding, _ client: Client) -> Bool {
    guard binding.isFastPathEligible, client.credit > 0,
      let time = binding.headerTime(of: scroll.time, context.readTime)
    else { return false }
    client.credit &-= 1
    context.counters.events += 1
    let entry = binding.entry
    entry.eventCount &+= 1
    if context.eventAges != nil { noteAge(of: scroll.time, binding) }
    let header = binding.header
    if entry.isRecorded { record(.scroll(to: scroll.offset, correction: scroll.correction), of: entry, at: time) }
    let isPredicted = entry.isPredicted
    if isPredicted { entry.scroller = client.subscriber }
    // A plain scroll cannot be refused.
    _ = try? header.apply(.scroll(to: scroll.offset, correction: scroll.correction), at: time, provider: plugins) {
      publish($0, of: entry)
    }
    if isPredicted { predict(entry, after: .scroll) }
    entry.clock.happened(at: header.now, steady: context.readTime)
    schedule(entry)
    if header.hasFailure, let failure = header.failure {
      context.warn(of: failure, in: entry)
      client.writer.refuse(.notification, failure.of(header: entry.name))
    }
    return true
  }

  /// Counts how late an event came.
  @inline(never)
  func noteAge(of given: Instant?, _ binding: PublisherBinding) {
    guard let age = binding.age(of: given, context.readTime) else { return }
    context.eventAges?.add(age, group: binding.entry.metricsGroup)
  }

  /// Handles a command: it is performed, or waits behind a header that is busy.
  /// - Parameter slot: the origin's slot for the command, if it is left open.
  public func handle(_ command: Command, from client: Client, slot: Int) -> Progress {
    let progress = submit(command, Ticket(client: client, slot: slot, readAt: context.readTime))
    if case .open = progress { client.openCommands += 1 }
    return progress
  }

  /// The same for a command that is counted, if it is left open.
  func submit(_ command: Command, _ ticket: Ticket) -> Progress {
    guard let entry = entry(of: command.header, ticket.client), let log = entry.log else {
      return perform(command, ticket)
    }
    if log.takesScroll, trySend(command, ticket, to: entry, log) { return .open }
    guard !log.isIdle else { return perform(command, ticket) }
    log.queue.append(.command(command, ticket))
    return .open
  }

  /// Sends a plain scroll to the header's worker, behind those that it has.
  /// - Returns: false, and nothing has happened: it has to be handled as any command.
  private func trySend(_ command: Command, _ ticket: Ticket, to entry: HeaderEntry, _ log: HeaderLog) -> Bool {
    let client = ticket.client
    guard case .event(let timed) = command.body, command.address == .notification, command.unknown.isEmpty,
      timed.event.isPlainScroll,
      let remote = log.remote, entry.recorders.isEmpty, !entry.isMirrored, !entry.header.hasListeners,
      client.credit > 0,
      let binding = client.bindings.binding(to: entry),
      let time = binding.headerTime(of: timed.time, context.readTime)
    else { return false }
    client.credit -= 1
    context.counters.events += 1
    entry.eventCount += 1
    log.append(scroll: ticket)
    let input = HeaderInput.scroll(
      to: timed.event.offset ?? PartialPoint(), correction: timed.event.correction)
    if entry.isRecorded { record(input, of: entry, at: time) }
    remote.send(input, at: time)
    schedule(entry)
    return true
  }

  func perform(_ command: Command, _ ticket: Ticket) -> Progress {
    switch command.body {
    case .answer(let question, let reply, let otherwise):
      if !takeAnswer(question, reply, from: ticket.client) {
        ticket.client.writer.refuse(command.address, otherwise)
      }
    case .event, .events, .params, .refused:
      var handler = RequestHandler(self, command, ticket)
      return handler.handle()
    }
    return .done
  }

  /// The header that a command is for, if it is open here, or is being opened.
  private func entry(of target: HeaderTarget, _ client: Client) -> HeaderEntry? {
    switch target {
    case .name(let name): return table.known(name)
    case .handle(let handle): return Int(exactly: handle).flatMap { table[HeaderHandle(number: $0)] }
    case .only:
      let opened = openedHeader(of: client)
      return opened.count == 1 ? opened.name.flatMap { table.known($0) } : nil
    case .none: return nil
    }
  }

  /// A header that a client opened here and that is open still, or is being opened, and how many there are: exact if there is none or one.
  public func openedHeader(of client: Client) -> (name: String?, count: Int) {
    var (live, closed): (String?, [String]) = (nil, [])
    // Each name that another connection has closed is met once.
    defer { client.opened.subtract(closed) }
    for name in client.opened {
      if table.known(name) == nil {
        closed.append(name)
      } else if live == nil {
        live = name
      } else {
        return (live, client.opened.count)
      }
    }
    return (live, live == nil ? 0 : 1)
  }

  func onlyHeader(of client: Client) throws(HeaderError) -> HeaderEntry {
    let opened = openedHeader(of: client)
    guard opened.count == 1, let name = opened.name else { throw .noOnlyHeader(opened.count) }
    return try header(named: name, for: client.writer.connection.peer.access)
  }

  /// An open header by name.
  /// - Parameter access: what the client may see; an error names nothing else.
  func header(named name: String, for access: Access) throws(HeaderError) -> HeaderEntry {
    if let entry = table[name] { return entry }
    throw .headerNotFound(name, known: globalCounters.namesForHints(to: access))
  }

  /// Publishes a state to all subscribers of the header, behind its earlier messages.
  func publish(_ state: borrowing HeaderState, of entry: HeaderEntry) {
    context.counters.states += 1
    if entry.header.hasListeners { notifyListeners(of: entry) }
    if !entry.recorders.isEmpty { for recorder in entry.recorders { recorder.add(state) } }
    if entry.isPredicted { follow(state, of: entry) }
    fanout.publish(state, of: entry)
    markLeaderChanged(entry)
  }

  // MARK: - Time

  /// When the host has something to do next without a call, by the daemon's clock; `.max`: never.
  public var nextWake: MonotonicTime {
    cleanups.isEmpty ? min(wakes.earliest, trials.nextWake, lastWake) : now
  }

  /// The same while the daemon ends: only processes and the journal have something to do.
  public var lastWake: MonotonicTime {
    workers.events.isEmpty ? min(workers.nextLook, journal?.nextWake ?? .max) : now
  }

  /// Ends processes that do not get on.
  public func lookAfterWorkers() { workers.look() }

  /// Time passed: everything that is due happens.
  public func tick() {
    // Each round handles the earliest, so that two headers' frames keep the order of their times; a header that is
    // always due again does not keep the others, and the thread, waiting.
    var rounds = 0
    while let entry = wakes.first as? HeaderEntry, entry.wake <= now, rounds < 10_000 {
      rounds += 1
      if case .asking(_, let question) = entry.log?.stage {
        questionIsLate(question, of: entry)
        continue
      }
      endDueLeases(of: entry)
      runDue(entry)
    }
    tryOut()
  }

  /// Runs the due timers and frames of a header, each at its header time. After a long halt of the daemon the rest is one leap, in which
  /// the header itself bounds the frames.
  private func runDue(_ entry: HeaderEntry) {
    guard entry.isOpen, entry.header.frames == .live, let due = entry.header.nextDue,
      let steady = entry.clock.steady(at: due), steady <= now
    else { return schedule(entry) }
    let isLate = now - entry.wake > 1_000_000_000
    let time = isLate ? entry.presentTime(at: now) ?? due : due
    perform(.event(ScrollEvent(.advance(frameDuration: nil))), of: entry, at: time)
  }

  /// Brings a header's wake up to date.
  @inline(__always)
  func schedule(_ entry: HeaderEntry) { wakes.set(entry, entry.nextWake) }

  // MARK: - This shard's part of requests for several shards

  /// The rows of `header.list` for this shard's headers.
  /// - Parameters:
  ///   - glob: which names are listed.
  ///   - access: what the client may see.
  public func list(matching glob: String, for access: Access) -> [(name: String, row: Value)] {
    table.entries { Names.glob(glob, matches: $0.name) && access.maySee($0.name) }.map { entry in
      var row: Value.Record = [
        "header": .text(entry.name), "handle": .number(Double(entry.handle.number)),
        "epoch": .number(Double(entry.epoch)), "seq": .number(Double(entry.header.state.seq)),
        "drawers": .list(entry.header.state.names.drawers.map { .text($0) }),
        "delegates": .list(entry.header.state.names.delegates.map { .text($0) }),
        "subscribers": .number(Double(entry.subscriberCount)), "publishers": .number(Double(entry.publishers.count)),
      ]
      row["bypassed"] = entry.header.bypassedValue
      return (entry.name, .record(row))
    }
  }

  /// Begins a subscription: counts the headers that match it, then sends each.
  /// - Parameters:
  ///   - id: its number within the connection.
  ///   - counted: called with the number of headers before anything is sent, so that it can be answered first.
  public func subscribe(
    _ client: Client, to request: SubscriptionRequest, id: Int, counted: (_ matched: Int) -> Void
  ) {
    let subscriber = client.subscriber ?? Subscriber(client.writer)
    client.subscriber = subscriber
    let subscription = fanout.add(request, id: id, of: subscriber)
    let matching =
      request.hasGlobs
      ? table.unorderedEntries { subscription.matches($0.name) } : request.exactNames.compactMap { table[$0] }
    counted(matching.count)
    fanout.begin(subscription, for: matching.map { $0 as HeaderChannel })
    if request.predicts { for entry in matching where entry.ahead == nil { trials.add(entry) } }
  }

  /// Sends what a client's new subscriptions still owe it, before its later requests are answered.
  public func finishSubscribing(_ client: Client) { client.subscriber.map { fanout.finishBeginning(of: $0) } }

  /// Ends one of a client's subscriptions; does nothing for an id that it does not have.
  public func unsubscribe(_ client: Client, from id: Int) {
    if let subscriber = client.subscriber { fanout.end(id, of: subscriber) }
  }

  /// Returns all unused credit, so that the users' accounts count the events that were sent, and no more.
  public func returnCredits() { for client in clients.values { client.returnCredit() } }
}

extension ShardContext {
  /// Logs that a plugin broke a rule, and which plugin it is.
  func warn(of failure: HeaderError, in entry: HeaderEntry) {
    var facts = [("header", entry.name)]
    if case .text(let culprit)? = failure.facts["culprit"],
      let delegate = entry.header.delegates.first(where: { $0.name == culprit })
    {
      facts += [("delegate", culprit), ("plugin", delegate.behavior.plugin)]
    }
    log.log(.warning, "pluginBug", facts + [("reason", failure.message)])
  }
}

// MARK: - Rows of stats (HostRows.swift)

extension HeaderHost {
  /// A row for each header that a client may see.
  public func headerRows(for access: Access) -> [(name: String, row: Value)] {
    table.entries { access.maySee($0.name) }.map { entry in
      var row: Value.Record = [
        "header": .text(entry.name), "events": .number(Double(entry.eventCount)),
        "states": .number(Double(entry.header.state.seq)), "queue": .number(Double(entry.log?.queue.count ?? 0)),
        "subscribers": .number(Double(entry.subscriberCount)), "publishers": .number(Double(entry.publishers.count)),
      ]
      row["shadow"] = entry.log?.shadow?.value(of: entry.header)
      return (entry.name, .record(row))
    }
  }

  /// The connections that get states of this shard's headers.
  /// - Parameter only: nil: all of them.
  public func subscriberEntries(only: ConnectionID?) -> [SubscriberEntry] {
    clients.values.compactMap { client in
      guard only == nil || client.id == only, let subscriber = client.subscriber, subscriber.headerCount > 0 else {
        return nil
      }
      return SubscriberEntry(connection: client.id, headers: subscriber.headerCount)
    }
  }
}
