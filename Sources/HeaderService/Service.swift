// SPDX-License-Identifier: MIT
//
// One thread's part of the daemon's decisions, without their effects: bytes and times in, bytes and timer requests out. The caller has
// the sockets, the clock and the files; a simulation or a test can take its place.
//
//     received ─▶ Gateway ─▶ Router ─┬─▶ HeaderHost ─▶ Header.apply ─▶ Fanout ─▶ Outbox
//                                    ╰─▶ ShardTransport ─▶ another thread's Service
//
// Not Sendable: one thread drives it. No method blocks, and none calls back except through the outboxes and the transport.

public import Clocks
public import Fanout
public import Gateway
public import HeaderHost
public import HeaderJournal
public import HeaderModel
internal import HeaderWire
public import Shards

/// The settings of a service.
public struct ServiceSettings {
  /// The limits that clients meet; `hello` lists them.
  public var limits = Limits()
  /// Microseconds since 1970: epochs begin with it, and the second within the minute that a header begins with. Asked at opening
  /// a header and never for header time.
  public var wallClock: () -> WallTime
  /// What `stats` says of the process, such as `memory`. The first shard is asked.
  public var processStatistics: () -> Value.Record = { Value.Record() }
  /// Globs of the headers whose events are counted apart in metrics; nil: there are no metrics.
  public var metricsGroups: [String]?

  /// Settings with every default.
  public init(wallClock: @escaping () -> WallTime) {
    self.wallClock = wallClock
  }
}

/// Gateway, router, host and fan-out of one thread.
public final class Service {
  /// Clock, limits, log and counters of this shard.
  public let context: ShardContext
  /// The connections whose sockets this thread has.
  public let gateway: Gateway
  /// The headers of this thread.
  public let host: HeaderHost
  /// Which shard of the headers this is.
  public let shard: Shard
  private let fanout: Fanout
  private let router: Router
  private let server: ShardServer
  private let settings: ServiceSettings
  private var lastConnection = 0

  /// A service without headers and connections.
  /// - Parameters:
  ///   - plugins: the plugins as this shard sees them at first.
  ///   - control: the owner of the plugins, on the first shard; nil on all others.
  ///   - globalCounters: what all shards count together.
  ///   - transport: the way to the other shards; nil: there are none.
  public init(
    settings: ServiceSettings, plugins: any ShardPlugins, control: (any PluginControl)?, output: any ServiceOutput,
    log: any ServiceLog, shard: Shard = .whole, globalCounters: GlobalCounters = GlobalCounters(),
    transport: (any ShardTransport)? = nil
  ) {
    self.settings = settings
    self.shard = shard
    context = ShardContext(limits: settings.limits, log: log)
    context.eventAges = settings.metricsGroups.map { EventAges(groups: $0) }
    fanout = Fanout(context, shardCount: shard.count)
    host = HeaderHost(
      fanout, shard: shard, globalCounters: globalCounters, plugins: plugins, wallClock: settings.wallClock)
    router = Router(shard, transport: transport)
    server = ShardServer(host, router)
    gateway = Gateway(host, router, globalCounters: globalCounters, output: output)
    server.pluginChanges = control.map { PluginChanges($0, router) }
    server.addStatistics = { [unowned self] statistics, rows, only in
      self.gateway.addStatistics(to: &statistics, rows, only: only)
      if self.shard.index == 0 { statistics.process = self.settings.processStatistics() }
    }
    host.link = router
  }

  /// Breaks the cycles: sessions refer to their gateway, and open questions to their senders.
  deinit {
    gateway.removeAll()
    router.removeAll()
  }

  /// A service that is alone.
  public convenience init(
    settings: ServiceSettings, plugins: any PluginControl & ShardPlugins, output: any ServiceOutput,
    log: any ServiceLog
  ) {
    self.init(settings: settings, plugins: plugins, control: plugins, output: output, log: log)
  }

  // MARK: - Connections

  /// Accepts a connection. Over the limit, or while draining, it gets an error and is closed.
  /// - Parameter given: its number, where the caller counts; nil: one behind all others.
  @discardableResult
  public func connected(_ peer: Peer, as given: ConnectionID? = nil, at time: MonotonicTime) -> ConnectionID {
    context.advance(to: time)
    let id = given ?? ConnectionID(number: lastConnection + 1)
    lastConnection = max(lastConnection, id.number)
    gateway.connected(id, peer)
    gateway.settle()
    return id
  }

  /// The schema of the protocol, as its file has it (`rpc.discover` answers the same).
  public static var schema: String { Discovery.text }

  /// The line for a client that cannot be accepted, for want of descriptors.
  public static var refusalWithoutDescriptors: [UInt8] {
    let error = HeaderError(
      .limitExceeded, "this daemon has no file descriptor left for another connection",
      hint: "close connections, or give the daemon more open files (ulimit -n; LimitNOFILE= in a systemd unit)")
    var writer = JSONWriter()
    writer.errorNotification(error)
    return writer.copy()
  }

  /// The input of a connection; nil when it has ended.
  public func input(of id: ConnectionID) -> (any ConnectionInput)? { gateway.input(of: id) }

  /// Handles bytes that a connection has read.
  public func received(_ bytes: RawSpan, from id: ConnectionID, at time: MonotonicTime) {
    gateway.input(of: id)?.received(bytes, at: time)
  }

  /// Whether to read on. Ask after `received` and `drained`.
  public func wantsInput(_ id: ConnectionID) -> Bool { gateway.input(of: id)?.wantsInput ?? false }

  /// The peer closed its writing half: its commands are answered, and the connection ends unless it has subscriptions or delegates.
  public func endOfInput(_ id: ConnectionID) {
    gateway.endOfInput(id)
    gateway.settle()
  }

  /// The peer has closed both halves: the connection ends once its commands are done.
  public func hungUp(_ id: ConnectionID) {
    gateway.hungUp(id)
    gateway.settle()
  }

  /// All bytes of a connection went to the kernel: what waits goes out.
  public func drained(_ id: ConnectionID, at time: MonotonicTime) { gateway.input(of: id)?.drained(at: time) }

  /// Handles the end of a connection, for whatever reason.
  public func disconnected(_ id: ConnectionID) {
    gateway.disconnected(id)
    gateway.settle()
  }

  /// Connections that are not gone yet and have their home here.
  public var connectionCount: Int { gateway.connectionCount }

  /// Open headers of this shard.
  public var headerCount: Int { host.headerCount }

  /// Takes in a connection that comes from another thread; its socket must be there already.
  public func takeIn(_ moved: MovingConnection, at time: MonotonicTime) {
    context.advance(to: time)
    gateway.takeIn(moved)
    gateway.settle()
  }

  /// Disconnects all clients: each gets the messages that wait for it, `bye`, and is closed. Later connections get `bye` at once.
  public func drain(_ reason: String = "draining") {
    gateway.drain(reason)
    gateway.settle()
  }

  // MARK: - Headers and plugins

  /// Opens a header that no connection asked for: from the config file (`HeaderHost.open`).
  public func open(
    _ description: HeaderDescription, replacing: Bool = false, then: @escaping (HeaderError?) -> Void
  ) {
    host.open(description, replacing: replacing, then: then)
    gateway.settle()
  }

  /// Makes all shards take new limits and open headers of the config file; open headers stay as they are.
  /// - Parameter done: called when all shards are done.
  public func configure(
    _ limits: Limits, headers: [HeaderDescription], at time: MonotonicTime, done: @escaping () -> Void
  ) {
    context.advance(to: time)
    router.ask(router.everyone, { _ in .configure(limits, headers) }) { _ in done() }
    gateway.settle()
  }

  /// Loads a plugin's file anew because it changed, as `plugin.reload` does for a client. On the first shard alone.
  /// - Parameter done: called with the number of headers that continue with the new code, or why everything is as before.
  public func reloadPlugin(_ name: String, at time: MonotonicTime, done: @escaping (Result<Int, HeaderError>) -> Void) {
    context.advance(to: time)
    server.pluginChanges?.perform(.reload(name)) { part in
      switch part {
      case .record(let record):
        if case .list(let headers)? = record["headers"] { done(.success(headers.count)) }
      case .refused(let error): done(.failure(error))
      case .done, .rows, .statistics, .opened, .matched, .listens, .users: break
      }
    }
    gateway.settle()
  }

  /// Gathers all shards' counters as OpenMetrics text.
  /// - Parameter done: called with it.
  public func gatherMetrics(at time: MonotonicTime, done: @escaping (String) -> Void) {
    context.advance(to: time)
    router.ask(router.everyone, { _ in .statistics(reset: false, rows: []) }) { done(MetricsText($0).text) }
    gateway.settle()
  }

  // MARK: - Time

  /// When the service has something to do next without a call, by the daemon's clock; nil: never.
  public var nextWake: MonotonicTime? {
    let earliest = gateway.isDraining ? host.lastWake : min(host.nextWake, fanout.nextWake, gateway.nextWake)
    return earliest == .max ? nil : earliest
  }

  /// Time passed: everything that is due happens.
  public func tick(at time: MonotonicTime) {
    context.advance(to: time)
    host.lookAfterWorkers()
    if gateway.isDraining { return }
    host.tick()
    fanout.tick()
    gateway.tick()
    gateway.settle()
  }

  // MARK: - Other shards

  /// Handles a message of another shard, or of this one to itself. `drain` and `drained(shard:)` are the shell's.
  public func receive(_ message: ShardMessage, at time: MonotonicTime) {
    context.advance(to: time)
    switch message {
    case .command(let command, let client, let slot): server.perform(command, of: client, slot: slot)
    case .question(let question, let client, let gather, let home):
      server.answer(question, of: client, gather: gather, from: home)
    case .outputDrained(let id): server.drained(id)
    case .disconnected(let id): server.disconnected(id, isDraining: gateway.isDraining)
    case .output(let id, let bytes, let shard): gateway.output(bytes, for: id, from: shard)
    case .done(let id, let slot): gateway.done(id, slot: slot)
    case .ended(let id, let last, let shard): gateway.endedByShard(id, last, from: shard)
    case .part(let part, let gather, let shard): router.take(part, of: gather, from: shard)
    case .follow(let message): host.receive(message)
    case .drain, .drained: break
    }
  }

  /// Ends the handling of shard messages and resumes sessions; called after the last of several `receive`.
  public func endReceiving() { gateway.settle() }

  /// Sends the gathered messages to other shards; at the end of each turn.
  public func endTurn() {
    if host.hasTurns {
      host.endTurn()
      gateway.settle()
    }
    server.endTurn()
  }

  /// A process that headers are in is about to say something.
  public func workerSpeaks(at time: MonotonicTime) { context.advance(to: time) }

  // MARK: - The journal

  /// Opens a header as the journal has it (`HostJournal.restore`).
  public func restore(
    _ stored: StoredHeader, goesOn: Bool, at time: MonotonicTime, then: @escaping (HeaderError?) -> Void
  ) {
    context.advance(to: time)
    host.journal?.restore(stored, goesOn: goesOn, then: then)
    gateway.settle()
  }

  /// The disk has carried out a step of the journal (`HostJournal.finished`).
  public func journalFinished(_ result: StepResult, at time: MonotonicTime) {
    context.advance(to: time)
    host.journal?.finished(result)
    gateway.settle()
  }
}
