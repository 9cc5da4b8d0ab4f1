// SPDX-License-Identifier: MIT
//
// The daemon's decisions without its effects: bytes and times in, bytes and timer wishes out. The shell around it owns the
// sockets, the clock and the files; a simulation or a test can drive it as well.
//
//     connected ─▶ received ─▶ … ─▶ endOfInput ─▶ … ─▶ disconnected      one connection's life, told by the shell
//         │            │
//         │            ▼
//         │        Session ─▶ HeaderEntry ─▶ Header.receive ─▶ publish ─▶ Feed ─▶ ServiceOutput.send
//         ▼
//     nextWake ◀─ tick          what is due by itself: frames, timers, greetings that do not come, pings
//
// Connections that end while something is under way are only marked; they are cleared away when the call from outside
// is done (`clearEnded`), so that nothing is taken out of a row that is being walked.
//
// Not Sendable: one thread drives it. No method blocks, and none calls back into the shell except through the output.

internal import HeaderCore
internal import HeaderWire

/// Sessions, headers, subscriptions, recordings.
public final class Service {
  /// Changing the limits holds for what comes later.
  public var settings: ServiceSettings {
    didSet { recentStore.bound(by: settings.limits, shard) }
  }
  var limits: Limits { settings.limits }
  let plugins: any PluginControl
  let output: any ServiceOutput
  let log: any ServiceLog

  /// Which headers are this service's.
  public let shard: Shard
  /// Those that have the others.
  public private(set) var neighbors: Neighbors?
  var table: HeaderTable
  var router = StateRouter()
  var counters = Counters()
  let lines = StateLines()
  /// What answers and notifications are written with.
  var writer = JSONWriter()
  var frameWriter = FrameWriter()
  /// The daemon's clock, in nanoseconds, as of the latest call from outside.
  private(set) var now: Int64 = 0
  /// When the message at hand was read: now, but of one that had to wait.
  var readTime: Int64 = 0
  var sessions: [ConnectionID: Session] = [:]
  /// Those whose connection is gone while something that they sent waits, maybe for a neighbor, which says when it is done.
  var departed: [ConnectionID: Session] = [:]
  private var endedSessions: [Session] = []
  /// What ended connections have left behind, in the order of their ending; bounded work is done on it in each turn.
  private var departures: [Departure] = []
  private var headerWakes = WakeQueue()
  private var sessionWakes = WakeQueue()
  private var feedWakes = WakeQueue()
  private var lastConnection = 0
  var lastEpoch: Int64 = 0
  private var lastFeed = 0
  /// Headers are often opened one after the other with the same description.
  var lastOpened: HeaderHandle?
  let recentStore: RecentStore
  var lastTrace = 0
  var lastQuestion = 0
  let traffic = Traffic()
  var freedSessions: [Session] = []
  var unblocked: [ConnectionID] = []
  /// Guests that have something to tell their homes.
  var reporting: [Session] = []
  /// Why everybody is being sent away; nil as long as the daemon serves.
  private(set) var drainReason: String?

  /// A service without headers and connections.
  public init(
    settings: ServiceSettings, plugins: any PluginControl, output: any ServiceOutput, log: any ServiceLog,
    shard: Shard = .whole
  ) {
    self.settings = settings
    self.shard = shard
    table = HeaderTable(shard)
    recentStore = RecentStore(settings.limits, shard)
    self.plugins = plugins
    self.output = output
    self.log = log
  }

  /// Headers know the connections of clients in their chains, and what waits knows both; somebody has to let go.
  deinit {
    for entry in table.entries(where: { _ in true }) {
      entry.forgetClients()
    }
    for session in sessions.values { session.later = [] }
    for session in departed.values { session.later = [] }
  }

  /// From now on it shares the headers with others. To be called before anybody connects and before headers are opened.
  public func join(_ neighbors: Neighbors) { self.neighbors = neighbors }

  // MARK: - Connections

  /// The number that the next connection will have: the shell must know where its bytes go before it is connected,
  /// because the service may answer at once.
  public var nextConnection: ConnectionID { ConnectionID(number: lastConnection + 1) }

  /// Somebody connected. Over the limit, or while draining, it is told so and sent away again.
  /// - Parameters:
  ///   - given: its number, where somebody else counts; nil: `nextConnection`.
  ///   - link: what its guests know of it, where there are neighbors.
  @discardableResult
  public func connected(
    _ peer: Peer, as given: ConnectionID? = nil, _ link: HomeLink? = nil, at time: Int64
  ) -> ConnectionID {
    advance(to: time)
    let id = given ?? nextConnection
    lastConnection = max(lastConnection, id.number)
    let session = Session(id: id, peer: peer, service: self)
    session.abroad = link.map { Abroad($0, isGuest: false) }
    let isFull = (neighbors.map { $0.counts.connected(at: $0.shard.index) } ?? sessions.count) >= limits.connections
    sessions[id] = session
    log.log(.debug, "connected", [("connection", String(id.number)), ("peer", peer.name)])
    if let drainReason {
      session.end(reason: drainReason)
    } else if isFull {
      let error = HeaderError.limit(
        "connections", limits.connections, "this daemon takes \(limits.connections) connections at once and has them")
      session.tell(error, about: .notification)
      session.misbehaved("connectionRefused", [("limit", "connections")])
      session.end(reason: nil)
    } else {
      sessionWakes.set(session, session.dueWake)
    }
    clearEnded()
    return id
  }

  /// The line for somebody who cannot be connected, for want of descriptors.
  public static var refusalWithoutDescriptors: [UInt8] {
    let error = HeaderError(
      .limitExceeded, "this daemon has no file descriptor left for another connection",
      hint: "close connections, or give the daemon more open files (ulimit -n; LimitNOFILE= in a systemd unit)")
    var writer = JSONWriter()
    writer.errorNotification(error)
    return writer.copy()
  }

  /// A connection's way in, nil when it is gone.
  public func input(of id: ConnectionID) -> (any ConnectionInput)? { sessions[id] }

  /// Bytes came.
  public func received(_ bytes: RawSpan, from id: ConnectionID, at time: Int64) {
    sessions[id]?.received(bytes, at: time)
  }

  func received(_ bytes: RawSpan, by session: Session, at time: Int64) {
    advance(to: time)
    let wasSilent = !session.hasSpoken
    unsafe bytes.withUnsafeBytes { unsafe session.received($0) }
    if wasSilent { sessionWakes.set(session, session.isEnded ? nil : session.dueWake) }
    clearEnded()
  }

  /// Whether to read on: false while a connection that does not take its answers has too many of them waiting. Ask after
  /// `received` and `drained`.
  public func wantsInput(_ id: ConnectionID) -> Bool { sessions[id]?.wantsInput ?? false }

  /// The peer closed its writing half: what it sent is answered, and the connection ends unless it listens to something.
  public func endOfInput(_ id: ConnectionID) {
    sessions[id]?.endOfInput()
    clearEnded()
  }

  /// All bytes of a connection went to the kernel: what waits goes out.
  public func drained(_ id: ConnectionID, at time: Int64) { sessions[id]?.drained(at: time) }

  func drained(_ session: Session, at time: Int64) {
    advance(to: time)
    session.drained()
    clearEnded()
  }

  /// A connection is gone, for whatever reason.
  public func disconnected(_ id: ConnectionID) {
    guard let session = sessions[id] else { return }
    session.vanished()
    sessions[id] = nil
    if !session.openTickets.isEmpty { departed[id] = session }
    if let neighbors { neighbors.counts.disconnected(at: neighbors.shard.index) }
    log.log(.debug, "disconnected", [("connection", String(id.number))])
    clearEnded()
  }

  /// Sends everybody away: each gets what waits for it, `bye`, and is closed. Later connections get `bye` at once.
  public func drain(_ reason: String = "draining") {
    guard drainReason == nil else { return }
    finishWork()
    drainReason = reason
    for session in sessions.values.sorted(by: { $0.id < $1.id }) where !session.isEnded {
      session.finish()
      // The connection's home says good-bye.
      if session.isGuest { session.vanished() } else { session.end(reason: reason) }
    }
    clearEnded()
  }

  /// The daemon is about to end: nobody is waited for any more, and guests send what waits in them to their homes.
  public func finishWork() {
    for entry in table.entries(where: \.isBusy) { hurry(entry, "the daemon ends") }
    for guest in sessions.values.sorted(by: { $0.id < $1.id }) where guest.isGuest && !guest.isEnded { guest.finish() }
  }

  /// Connections that are not gone yet and have their home here.
  public var connectionCount: Int {
    neighbors == nil ? sessions.count : sessions.values.reduce(0) { $0 + ($1.isGuest ? 0 : 1) }
  }

  /// Open headers.
  public var headerCount: Int { table.count }

  func marked(_ session: Session) { endedSessions.append(session) }

  /// Clears away what ended connections leave behind. Closing their headers may end further ones.
  func clearEnded() {
    if !freedSessions.isEmpty { resumeInput() }
    guard !endedSessions.isEmpty || !departures.isEmpty else { return }
    // While the daemon drains no later turn comes.
    var steps = drainReason == nil ? Self.departureSteps : .max
    repeat {
      takeEnded()
      clearDepartures(&steps)
    } while !endedSessions.isEmpty
  }

  /// Feeds and headers of ended connections that are cleared away in one call from outside. What is left waits for the
  /// next, so that a subscriber to very many headers that leaves holds up nobody.
  private static let departureSteps = 1_000

  /// Ends what costs little of the connections that have ended, and lines up the rest.
  private func takeEnded() {
    while let session = endedSessions.popLast() {
      sessionWakes.set(session, nil)
      if session.abroad != nil { session.dismissGuests() }
      if drainReason == nil { session.leaveChains(observersToo: true) }
      for subscription in session.subscriptions { router.remove(subscription) }
      session.subscriptions = []
      for recorder in session.recorders { recorder.stop() }
      session.recorders = []
      // Its last messages may still wait for a client: then the rest is done when they are.
      let isDone = session.openTickets.isEmpty || drainReason != nil
      if isDone { departed[session.id] = nil }
      departures.append(Departure(of: session, closesHeaders: isDone && drainReason == nil, endsPublishing: isDone))
    }
  }

  private func clearDepartures(_ steps: inout Int) {
    var done = 0
    while done < departures.count, steps > 0 {
      let departure = departures[done]
      departure.clear(by: self, &steps)
      if !departure.isCleared { break }
      done += 1
    }
    departures.removeFirst(done)
  }

  // MARK: - Time

  /// When something happens by itself next, by the daemon's clock; nil: nothing does.
  public var nextWake: Int64? {
    guard drainReason == nil else { return nil }
    if !departures.isEmpty { return now }
    let earliest = min(headerWakes.earliest, feedWakes.earliest, sessionWakes.earliest)
    return earliest == .max ? nil : earliest
  }

  /// Time passed: everything that is due happens.
  public func tick(at time: Int64) {
    advance(to: time)
    guard drainReason == nil else { return }
    // Each round handles the earliest, so that two headers' frames keep the order of their times; a header that is
    // always due again does not keep the others, and the shell, waiting.
    var rounds = 0
    while let entry = headerWakes.first as? HeaderEntry, entry.wake <= now, rounds < 10_000 {
      rounds += 1
      if entry.question == nil { runDue(entry) } else { late(entry) }
    }
    while let feed = feedWakes.first as? Feed, feed.wake <= now {
      feedWakes.set(feed, nil)
      feed.wakeIsDue()
    }
    while let session = sessionWakes.first as? Session, session.wake <= now {
      session.wakeIsDue()
      sessionWakes.set(session, session.isEnded ? nil : session.dueWake)
    }
    clearEnded()
  }

  func advance(to time: Int64) {
    now = max(now, time)
    readTime = now
  }

  /// Runs what is due of a header, at the header time at which it is due. After a long halt of the daemon the rest is
  /// one leap, in which the header itself bounds the frames.
  private func runDue(_ entry: HeaderEntry) {
    guard let due = entry.header.nextDue else { return schedule(entry) }
    let isLate = now - entry.wake > 1_000_000_000
    let time = isLate ? entry.presentTime(at: now) ?? due : due
    do {
      _ = try handle(ScrollEvent(.advance(frameDuration: nil)), at: time, of: entry)
    } catch {
      log.log(.error, "advanceRefused", [("header", entry.name), ("reason", error.message)])
    }
  }

  /// Sets when a connection is looked at by itself; it has come from another service, or goes there.
  func wakes(_ session: Session) { sessionWakes.set(session, session.isEnded ? nil : session.dueWake) }
  func sleeps(_ session: Session) { sessionWakes.set(session, nil) }

  /// Everybody is being sent away.
  var isDraining: Bool { drainReason != nil }

  /// Sets when a feed's waiting state goes out; nil: not by itself.
  func wake(_ feed: Feed, at time: Int64?) { feedWakes.set(feed, time) }

  /// Feeds that are due at the same time go in the order of their beginning.
  func nextFeedOrder() -> Int {
    lastFeed += 1
    return lastFeed
  }

  /// Brings a header's wake up to date.
  func schedule(_ entry: HeaderEntry) { headerWakes.set(entry, entry.nextWake) }

  // MARK: - Headers

  /// Hands a didScroll to a header that nobody records and no client is in the chain of; its states go out from within.
  /// - Returns: whether a delegate failed.
  func pass(
    _ offset: PartialPoint, _ correction: PartialPoint?, at time: Instant, to entry: HeaderEntry
  ) -> Bool {
    let header = entry.header
    // A plain scroll cannot be refused.
    _ = try? header.apply(.scroll(to: offset, correction: correction), at: time, provider: plugins) {
      publish($0, of: entry)
    }
    entry.clock.happened(at: header.now, steady: readTime)
    schedule(entry)
    guard header.hasFailure else { return false }
    if let failure = header.failure { warn(of: failure, in: entry) }
    return true
  }

  private func warn(of failure: HeaderError, in entry: HeaderEntry) {
    log.log(.warning, "pluginBug", [("header", entry.name), ("reason", failure.message)])
  }

  /// Hands an event to a header; its states go out from within.
  /// - Parameter isPublished: it comes from a publisher, so that header time is carried on from here.
  func handle(
    _ event: ScrollEvent, at time: Instant?, of entry: HeaderEntry, isPublished: Bool = false
  ) throws(HeaderError) -> EventAnswer {
    defer {
      if isPublished, entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: readTime) }
      schedule(entry)
    }
    do {
      let outcome = try entry.header.apply(.event(event), at: time, provider: plugins) { publish($0, of: entry) }
      if entry.header.hasListeners { tellClients(of: entry) }
      // Waiting for a client, it is not decided yet: Waiting.swift goes on.
      guard case .decided(let answer) = outcome else { return EventAnswer() }
      for recorder in entry.recorders { recorder.step(.event(event), answer, at: entry.header.now) }
      if answer.hasFailure, let failure = answer.failure {
        warn(of: failure, in: entry)
      }
      return answer
    } catch {
      for recorder in entry.recorders { recorder.step(.event(event), error: error, at: entry.header.now) }
      throw error
    }
  }
}

/// What `stats` counts.
struct Counters {
  var events = 0
  var states = 0
  var gaps = 0
  var errors = 0
  var bytesReceived = 0
  var bytesSent = 0
}
