// SPDX-License-Identifier: MIT
//
// Where a connection's commands go (headerd-connection(7), LINES, says in which order they are answered):
//
//     hello                                       answered here
//     for a header, a recording, a question       to the shard that has it
//     subscribe, unsubscribe, plugin.*            to all shards that it concerns, at once; the answer is gathered
//     ping, header.list, stats, trace.stop        the same, when nothing before it is open

internal import Clocks
internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import HeaderWire
internal import Installation
internal import Shards

extension Session {
  /// Handles a message that has been read.
  func handle(_ command: Command) {
    if case .refused(let error) = command.body { return writer.refuse(command.address, error) }
    guard let method = command.method else { return send(command, to: gateway.router.shard(of: command)) }
    var command = command
    do throws(HeaderError) {
      try peer.permit(.method(method))
    } catch {
      // The command is performed all the same, so that its refusal keeps its place among the answers.
      command.body = .refused(error)
    }
    switch method {
    case .hello, .discover, .subscribe, .unsubscribe, .pluginList, .pluginLoad, .pluginUnload, .pluginReload:
      perform(command, slot: open.open(command.byteCount))
    case .ping, .headerList, .stats, .traceStop:
      guard open.isEmpty else { return open.wait(.command(command), command.byteCount) }
      perform(command, slot: open.open(command.byteCount))
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .headerMove, .headerConstrain,
      .headerRelease, .headerReveal, .headerExplain, .event, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .delegateShadow, .delegatePromote, .traceStart:
      route(command)
    }
  }

  /// Resumes commands that have waited for earlier ones, then the input.
  func resumeWaiting() {
    while !isEnded, let (slot, waiting) = open.takeDue() {
      switch waiting {
      case .command(let command): perform(command, slot: slot)
      case .endOfInput: finishInput(slot)
      }
    }
    resumeInput()
  }

  // MARK: - One shard

  /// Sends a command for a header to the header's shard.
  private func route(_ command: Command) {
    guard let shards else { return send(command, to: nil) }
    switch command.header {
    case .only: return routeToOnlyHeader(command, shards)
    case .none: return send(command, to: nil)
    case .name, .handle:
      let shard = gateway.router.shard(of: command)
      if moves(command, to: shard) { return }
      if command.method == .headerOpen { shards.opened.insert(ShardSet(shard ?? gateway.router.shard.index)) }
      send(command, to: shard)
    }
  }

  /// - Parameters:
  ///   - shard: nil: this one.
  ///   - slot: the one that it has, which keeps its place; nil: it has none.
  private func send(_ command: Command, to shard: Int?, slot taken: Int? = nil) {
    guard let shard, shard != gateway.router.shard.index, let shards else {
      switch (gateway.host.handle(command, from: localClient(), slot: taken ?? open.next), taken) {
      case (.open, nil): open.open(command.byteCount)
      case (.done, let taken?): open.close(taken)
      case (.open, _), (.done, nil): break
      }
      return
    }
    shards.contacted.insert(ShardSet(shard))
    // An answer to one of the daemon's questions is no request, so it takes no slot.
    let slot = taken ?? (command.method == nil ? nil : open.open(command.byteCount))
    gateway.router.send(.command(command, of: ClientReference(writer), slot: slot), to: shard)
  }

  /// An event without a header is for the only one that the connection opened. Where it asked to open some in several shards,
  /// they say which are open; nothing behind the event is looked at until then.
  private func routeToOnlyHeader(_ command: Command, _ shards: SessionShards) {
    guard shards.opened.count > 1 else { return send(command, to: shards.opened.first) }
    isHeld = true
    let slot = open.open(command.byteCount)
    gateway.router.ask(
      shards.opened, client: ClientReference(writer), local: localClient(), { _ in .openedHeaders }
    ) { parts in
      var (name, count) = (String?.none, 0)
      for case .opened(let opened, let more) in parts { (name, count) = (opened ?? name, count + more) }
      self.isHeld = false
      self.gateway.note(self)
      if !self.isEnded {
        if count == 1, let name {
          var named = command
          named.header = .name(name)
          self.send(named, to: self.gateway.router.shard(of: named))
        } else {
          self.writer.refuse(command.address, .noOnlyHeader(count))
        }
      }
      self.commandIsDone(slot: slot)
    }
  }

  /// A connection is placed once: its first command that names a header takes it to that header's thread, unless that has
  /// more than its part of the connections.
  /// - Returns: whether it goes; the command goes with it.
  private func moves(_ command: Command, to shard: Int?) -> Bool {
    guard let shards, !shards.isPlaced else { return false }
    shards.isPlaced = true
    guard open.isEmpty, client == nil, shards.contacted.isEmpty, !gateway.isDraining else { return false }
    let home = writer.connection.home
    let chosen = gateway.globalCounters.place(from: home, to: shard)
    guard chosen != home else { return false }
    isHeld = true
    gateway.moves.append((self, chosen, command))
    return true
  }

  // MARK: - Several shards

  private func perform(_ command: Command, slot: Int) {
    do throws(HeaderError) {
      if case .refused(let error) = command.body { throw error }
      guard case .params(let params) = command.body, let method = command.method else {
        throw HeaderError(.internalError, "headerd bug: a command that several shards perform has parameters")
      }
      var fields = try FieldReader(params, at: Path("params"))
      try perform(method, command, &fields, slot)
    } catch {
      writer.refuse(command.address, error)
      commandIsDone(slot: slot)
    }
  }

  private func perform(
    _ method: RequestMethod, _ command: Command, _ fields: inout FieldReader, _ slot: Int
  ) throws(HeaderError) {
    switch method {
    case .hello:
      let welcome = GatewayReply.welcome(try hello(&fields), peer.access.roles, context.now)
      writer.answer(command.address, welcome, command.unknown + fields.unknown)
      commandIsDone(slot: slot)
    case .discover:
      writer.answer(command.address, .record(Discovery.document), command.unknown + fields.unknown)
      commandIsDone(slot: slot)
    case .ping:
      if let client { gateway.host.finishSubscribing(client) }
      // The answer comes behind earlier output of other shards: a client that learned of a state elsewhere has it before the answer.
      ask(shards?.contacted ?? [], .ping, command, fields, slot) { _ in .time(self.context.now) }
    case .headerList:
      let glob = try ListParameters(&fields).glob
      ask(gateway.router.everyone, .list(glob: glob), command, fields, slot) { .list($0) }
    case .stats:
      let given = try StatisticsParameters(&fields)
      if given.reset { try peer.permitEverywhere(.resetStatistics) }
      ask(gateway.router.everyone, .statistics(reset: given.reset, rows: given.rows), command, fields, slot) {
        .statistics($0, self.userRows(reset: given.reset), given.rows)
      }
    case .traceStop:
      send(command, to: gateway.router.shard(of: command), slot: slot)
    case .subscribe: try subscribe(command, &fields, slot)
    case .unsubscribe: try unsubscribe(command, &fields, slot)
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload:
      try peer.permitEverywhere(.method(method))
      let request = try PluginRequest(method, &fields)
      ask(ShardSet(0), .plugins(request), command, fields, slot) { parts in
        if case .record(let record)? = parts.first { .record(record) } else { .nothing }
      }
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .headerMove, .headerConstrain,
      .headerRelease, .headerReveal, .headerExplain, .event, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .delegateShadow, .delegatePromote, .traceStart:
      throw HeaderError(.internalError, "headerd bug: \(method.rawValue) is for one header")
    }
  }

  /// Puts a question to several shards and sends the answer when all have answered.
  private func ask(
    _ asked: ShardSet, _ question: Question, _ command: Command, _ fields: FieldReader, _ slot: Int,
    _ reply: @escaping ([ShardReply]) -> GatewayReply
  ) {
    let unknown = command.unknown + fields.unknown
    let gather = shards?.gate.begin(isSubscription: command.method == .subscribe)
    let complete = { (parts: [ShardReply]) in
      let answer = {
        for case .refused(let error) in parts { return self.writer.refuse(command.address, error) }
        self.writer.answer(command.address, reply(parts), unknown)
      }
      if let gather, let shards = self.shards { shards.gate.complete(gather, answer) } else { answer() }
      self.commandIsDone(slot: slot)
    }
    guard !asked.isEmpty else { return complete([]) }
    let own = gateway.router.shard.index
    for shard in asked.shards where shard != own { shards?.contacted.insert(ShardSet(shard)) }
    gateway.router.ask(
      asked, client: ClientReference(writer), local: asked.contains(ShardSet(own)) ? localClient() : nil,
      arrived: { if let gather { self.shards?.gate.arrived($0, of: gather) } }, { _ in question }, complete: complete)
  }

  private func subscribe(_ command: Command, _ fields: inout FieldReader, _ slot: Int) throws(HeaderError) {
    let request = try SubscriptionRequest(&fields)
    guard subscriptions.count < context.limits.subscriptions else {
      throw .limit(
        "subscriptions", context.limits.subscriptions, "this connection has \(subscriptions.count) subscriptions")
    }
    if request.explains { try peer.permit(.explainStates) }
    for name in request.exactNames {
      try peer.permit(.method(.subscribe), header: name)
      if request.explains { try peer.permit(.explainStates, header: name) }
    }
    let globs = request.globs.count
    guard subscriptions.globs + globs <= context.limits.globs else {
      throw .limit(
        "globs", context.limits.globs, "this connection has \(subscriptions.globs) globs, and would have \(globs) more")
    }
    try account.requireMemory(for: "subscribe")
    let concerned = gateway.router.shards(of: request.exactNames, hasGlobs: request.hasGlobs)
    try account.charge(.subscriptions, for: "subscribe")
    open.close(slot)
    if moves(command, to: concerned.count == 1 ? concerned.first : nil) {
      // The shard that performs the command counts it.
      return account[.subscriptions].add(-1)
    }
    let bytes = MemoryCost.subscription + request.patternBytes
    account[.memoryBytes].add(bytes)
    let id = subscriptions.add(concerned, bytes: bytes, globs: globs)
    let slot = open.open(command.byteCount)
    ask(concerned, .subscribe(request, id: id), command, fields, slot) { parts in
      var matched = 0
      for case .matched(let count) in parts { matched += count }
      return .subscribed(id: id, matched: matched)
    }
  }

  private func unsubscribe(_ command: Command, _ fields: inout FieldReader, _ slot: Int) throws(HeaderError) {
    let id = try UnsubscribeParameters(&fields).subscription
    guard let (concerned, bytes) = subscriptions.remove(id) else {
      throw HeaderError(
        .subscriptionNotFound, "params.subscription: this connection has no subscription \(id)",
        field: "params.subscription", got: .number(Double(id)))
    }
    account[.subscriptions].add(-1)
    account[.memoryBytes].add(-bytes)
    ask(concerned, .unsubscribe(id: id), command, fields, slot) { _ in .nothing }
  }

  private func hello(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    let given = try HelloParameters(&fields)
    let version = given.version
    if let client = given.client { writer.clientName = String(client.prefix(128)) }
    guard version == 1 else {
      throw HeaderError(
        .unsupportedVersion, "params.protocol: this daemon speaks version 1, got \(version)", field: "params.protocol",
        got: .number(Double(version)), expected: "1", facts: ["versions": [1]])
    }
    var welcome: Value.Record = [
      "protocol": 1, "server": .text("headerd \(headerdVersion)"),
      "capabilities": [
        "binary", "clientDelegates", "every", "fields", "latest", "maxRate", "nestedScroll", "resume", "trace",
      ],
      "roles": .list(peer.access.roles.words.map { .text($0) }), "limits": .record(context.limits.record),
      "connection": .number(Double(id.number)), "time": .number(context.now.seconds),
    ]
    let bounds = peer.access.boundsRecord
    if !bounds.fields.isEmpty { welcome["roleHeaders"] = .record(bounds) }
    return welcome
  }

  /// The users' accounts: an administrator sees all of them, other users their own.
  private func userRows(reset: Bool) -> [Value] {
    let isAdmin = peer.access.hasEverywhere(.admin)
    let accounts = gateway.globalCounters.accounts
    defer { if reset { for account in accounts { account.clearEvents() } } }
    return accounts.filter { isAdmin || $0.user == peer.user }.map { .record($0.record) }
  }

  // MARK: - The end of the input

  /// Everything that came before the end of the input is done: the connection ends unless its client is there and listens to something.
  private func finishInput(_ slot: Int) {
    open.close(slot)
    endInputInShards { listens in
      if self.isEnded { return }
      if listens, !self.isHungUp { self.onlyListens = true } else { self.writer.end(reason: nil) }
    }
  }

  /// Notifies all shards that the client sends no more: it cannot answer, so it is not asked.
  /// - Parameter answered: called with whether the client still has subscriptions or delegates.
  func endInputInShards(_ answered: @escaping (_ listens: Bool) -> Void) {
    if let client { gateway.host.endInput(of: client) }
    let contacted = shards?.contacted ?? []
    guard !contacted.isEmpty else { return answered(client?.listens ?? false) }
    gateway.router.ask(contacted, client: ClientReference(writer), { _ in .endInput }) { parts in
      var listens = self.client?.listens ?? false
      for case .listens(true) in parts { listens = true }
      answered(listens)
    }
  }
}

extension UserAccount {
  /// As `stats` shows it.
  fileprivate var record: Value.Record {
    var (used, allowed) = (Value.Record(), Value.Record())
    for quota in Quota.allCases {
      used[quota == .eventsPerSecond ? "events" : quota.rawValue] = .number(Double(self[quota].used))
      if self[quota].allowed < .max { allowed[quota.rawValue] = .number(Double(self[quota].allowed)) }
    }
    return ["user": .number(Double(user)), "used": .record(used), "allowed": .record(allowed)]
  }
}

extension Limits {
  /// All limits, by name.
  fileprivate var record: Value.Record {
    Value.Record(
      fields: Self.entries.map { entry in
        switch entry.kind {
        case .count(let path, _): .init(name: entry.name, value: .number(Double(self[keyPath: path])))
        case .seconds(let path, _): .init(name: entry.name, value: .number(self[keyPath: path]))
        }
      })
  }
}
