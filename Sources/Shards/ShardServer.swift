// SPDX-License-Identifier: MIT
//
// This shard's answers to other shards: commands for its headers from connections whose sockets other threads have, and its part of
// questions to several shards.

public import Fanout
public import HeaderHost
internal import HeaderModel
public import HeaderWire

/// Serves other shards, and this one.
public final class ShardServer {
  let host: HeaderHost
  let context: ShardContext
  let router: Router
  /// Adds what the rooms above count; the rows of one connection, or, for nil, of all.
  public var addStatistics: (inout ShardStatistics, StatisticsRows, _ only: ConnectionID?) -> Void = { _, _, _ in }
  /// On the shard that keeps the plugins: their changes.
  public var pluginChanges: PluginChanges?
  private var remotes: [ConnectionID: Remote] = [:]
  /// Connections with output to send at the end of the turn.
  private var due: [RemoteHome] = []

  /// A connection of another shard in this one, and the way to its home.
  private typealias Remote = (client: Client, way: RemoteHome)

  /// A server of a shard's host.
  public init(_ host: HeaderHost, _ router: Router) {
    self.host = host
    context = host.context
    self.router = router
    router.server = self
  }

  // MARK: - Commands

  /// Performs a command that another shard has sent.
  /// - Parameter slot: the gateway's slot for the command; nil: the client expects no answer.
  public func perform(_ command: Command, of reference: ClientReference, slot: Int?) {
    let (client, way) = remote(reference)
    if !client.writer.isEnded, case .open = host.handle(command, from: client, slot: slot ?? 0) { return }
    if let slot { way.commandIsDone(slot: slot) }
  }

  private func remote(_ reference: ClientReference) -> Remote {
    if let present = remotes[reference.connection.id] { return present }
    let way = RemoteHome(of: reference.connection, for: self)
    let writer = ClientWriter(reference.connection, way, encoding: reference.encoding, context: context)
    writer.clientName = reference.name
    writer.owner = way
    let remote: Remote = (client: host.connect(writer, origin: way), way: way)
    remotes[reference.connection.id] = remote
    return remote
  }

  /// Notes that a connection's output has gone to the kernel.
  public func drained(_ id: ConnectionID) { remotes[id]?.client.subscriber?.flush() }

  /// Handles the end of a connection whose home is another shard.
  public func disconnected(_ id: ConnectionID, isDraining: Bool) {
    guard let client = remotes.removeValue(forKey: id)?.client else { return }
    client.writer.disconnect()
    host.disconnect(client, isDraining: isDraining)
  }

  // MARK: - Questions

  /// Answers a question of another shard.
  public func answer(_ question: Question, of reference: ClientReference?, gather: Int, from home: Int) {
    let remote = reference.map { self.remote($0) }
    answer(question, client: remote?.client, home: home) { part in
      let message = ShardMessage.part(part, gather: gather, from: self.router.shard.index)
      if let remote { remote.way.notifyHome(message) } else { self.router.send(message, to: home) }
    }
  }

  /// Answers a question.
  /// - Parameters:
  ///   - home: the shard that asks.
  ///   - answer: called once, maybe later; what is sent to the client from then on is behind the answer.
  func answer(_ question: Question, client: Client?, home: Int, _ answer: @escaping (ShardReply) -> Void) {
    let present = client.flatMap { $0.writer.isEnded ? nil : $0 }
    switch question {
    case .ping:
      if let client { host.finishSubscribing(client) }
      answer(.done)
    case .list(let glob):
      answer(.rows(host.list(matching: glob, for: client?.writer.connection.peer.access ?? Access())))
    case .statistics(let reset, let rows): answer(.statistics(statistics(reset: reset, rows, for: client)))
    case .finish:
      host.finishWaiting { [unowned self] in
        for (client, way) in remotes.values.sorted(by: { $0.client.id < $1.client.id })
        where way.connection.home == home {
          client.subscriber?.finish()
          way.flush()
        }
        answer(.done)
      }
    case .configure(let limits, let headers):
      context.limits = limits
      for header in headers where router.shard.holder(of: header.header) == router.shard.index { open(header) }
      answer(.done)
    case .plugins(let request):
      guard let pluginChanges else { preconditionFailure("headerd bug: this shard keeps no plugins") }
      pluginChanges.perform(request) { answer($0) }
    case .pluginStep(let step): perform(step, answer)
    case .openedHeaders:
      let opened = present.map { host.openedHeader(of: $0) }
      answer(.opened(opened?.name, count: opened?.count ?? 0))
    case .subscribe(let request, let id):
      guard let present else { return answer(.done) }
      host.subscribe(present, to: request, id: id) { answer(.matched($0)) }
    case .unsubscribe(let id):
      if let present { host.unsubscribe(present, from: id) }
      answer(.done)
    case .endInput:
      if let present { host.endInput(of: present) }
      answer(.listens(present?.listens ?? false))
    }
  }

  /// Opens a header of the config file.
  private func open(_ description: HeaderDescription) {
    host.open(description) { [context] refusal in
      guard let refusal else { return }
      let reason = refusal.hint.map { "\(refusal.message); \($0)" } ?? refusal.message
      context.log.log(.error, "headerRefused", [("header", description.header), ("reason", reason)])
    }
  }

  /// - Parameter client: the client that asks, which sees no more than it may; nil: the daemon itself.
  private func statistics(reset: Bool, _ rows: StatisticsRows, for client: Client?) -> ShardStatistics {
    host.returnCredits()
    var statistics = ShardStatistics()
    let access = client?.writer.connection.peer.access ?? Access()
    let only = access.hasEverywhere(.admin) ? nil : client?.id
    if rows.contains(.headers) { statistics.headerRows = host.headerRows(for: access) }
    if rows.contains(.subscribers) { statistics.subscribers = host.subscriberEntries(only: only) }
    statistics.counters = context.counters
    statistics.headers = host.headerCount
    statistics.eventAges = context.eventAges
    statistics.kept = host.fanout.kept
    statistics.journal = host.journal?.statistics
    statistics.workers = host.workerStatistics
    statistics.plugins = host.pluginUsage(reset: reset)
    addStatistics(&statistics, rows, only)
    if reset { context.counters = Counters() }
    return statistics
  }

  private func perform(_ step: PluginStep, _ answer: @escaping (ShardReply) -> Void) {
    switch step {
    case .users(let plugin): answer(.users(host.dependents(of: plugin)))
    case .use(let handover):
      host.usePlugins(handover)
      answer(.done)
    case .prepareReload(let plugin, let handover):
      host.prepareReload(of: plugin, with: handover) { answer($0.map { .refused($0) } ?? .done) }
    case .commitReload(let plugin, let handover):
      host.commitReload(of: plugin, with: handover) { answer(.users($0)) }
    case .abortReload:
      host.abortReload()
      answer(.done)
    case .unload(let plugin, let handover, let force):
      host.unload(plugin, with: handover, force: force) { answer(.users($0)) }
    }
  }

  // MARK: - Output

  func noteOutput(for home: RemoteHome) { due.append(home) }

  /// Sends what was gathered for connections of other shards; at the end of each turn.
  public func endTurn() {
    guard !due.isEmpty else { return }
    let homes = due
    due.removeAll(keepingCapacity: true)
    for home in homes where !home.endTurn() {
      router.send(.outputDrained(home.connection.id), to: router.shard.index)
    }
  }
}
