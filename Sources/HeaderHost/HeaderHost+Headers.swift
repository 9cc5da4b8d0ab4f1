// SPDX-License-Identifier: MIT
//
// How headers begin and end: opened from the config file or by a connection, attached to, replaced, closed; and how their
// chains change.

internal import Fanout
public import HeaderCore
internal import HeaderWire

extension HeaderHost {
  /// Opens a header that no connection asked for: from the config file. The same description again changes nothing.
  /// - Throws: what `header.open` answers.
  public func open(_ description: HeaderDescription) throws(HeaderError) {
    let (entry, isNew) = try open(description, from: OpeningState(), replacing: false, owner: nil)
    if isNew { fanout.announce(entry) }
  }

  /// Opens a header of the config in place of one that was restored and is described otherwise.
  public func replace(by description: HeaderDescription) throws(HeaderError) {
    fanout.announce(try open(description, from: OpeningState(), replacing: true, owner: nil).entry)
  }

  /// Opens a header or attaches to it. A new one is not announced to subscribers yet.
  /// - Parameter state: what a new one begins in.
  func open(
    _ given: HeaderDescription, from state: OpeningState, replacing: Bool, owner: ConnectionID?
  ) throws(HeaderError) -> (entry: HeaderEntry, isNew: Bool) {
    let description = try given.taking(plugins.presets, at: Path("params"))
    let present = table[description.header]
    if let present, !replacing {
      guard let field = description.firstDifference(from: present.opened) else { return (present, false) }
      if description.firstDifference(from: present.header.description) == nil { return (present, false) }
      throw HeaderError(
        .headerExists, "header \"\(description.header)\" is open with another description: \(field) differs",
        field: field, hint: "close it first, or open it with \"ifExists\":\"replace\"",
        facts: ["header": .text(description.header)])
    }
    try checkFollowing(description)
    let account = owner.flatMap { clients[$0] }?.account
    try count(description.header, replacing: present, on: account)
    let handle = table.nextHandle()
    let engine: HeaderEngine
    do {
      engine = try make(description, from: state)
    } catch {
      if present == nil { ledger.close(description.header) }
      account?[.headers].add(-1)
      throw error
    }
    lastOpened = handle
    if let present {
      close(present, reason: "replaced")
      _ = ledger.open(description.header, atMost: .max)
    }
    let entry = HeaderEntry(
      handle: handle, header: engine.header, opened: description,
      owner: description.lifetime == .connection ? owner : nil, account: account)
    try take(engine.seat, for: entry)
    entry.chargeMemory()
    entry.metricsGroup = context.eventAges?.group(of: entry.name) ?? 0
    // Its time goes on from where it was saved, so that a publisher is shifted onto it.
    if entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: now) }
    table.add(entry)
    let opener = owner.map { String($0.number) } ?? "config"
    context.log.log(
      .debug, "headerOpened", [("header", entry.name), ("epoch", String(entry.epoch)), ("connection", opener)])
    if let owner = entry.owner { clients[owner]?.owned[handle] = entry }
    journal?.add(entry)
    schedule(entry)
    beginFollowing(entry)
    return (entry, true)
  }

  /// Counts a header that is to be opened, for all and for its user.
  private func count(
    _ name: String, replacing present: HeaderEntry?, on account: UserAccount?
  ) throws(HeaderError) {
    try account?.requireMemory(for: "header.open")
    if let account, account === present?.account {
      // It takes the place of one of the user's own, which is still counted.
      account[.headers].add(1)
    } else {
      try account?.charge(.headers, for: "header.open")
    }
    guard present == nil, !ledger.open(name, atMost: limits.headers) else { return }
    account?[.headers].add(-1)
    throw .limit("headers", limits.headers, "there are \(ledger.headers) headers open")
  }

  private func make(
    _ description: HeaderDescription, from state: OpeningState
  ) throws(HeaderError) -> HeaderEngine {
    var description = description
    try checkOptions(of: description)
    if let saved = state.saved { try checkSize(ofSaved: saved) }
    let wallClock = wallClock()
    if description.environment.clockSecondOfMinute < 0 {
      description.environment.clockSecondOfMinute = Double(wallClock % 60_000_000) / 1e6
    }
    do {
      let epoch = nextEpoch(after: state.epoch)
      let engine = try makeEngine(description, epoch: epoch, from: state.saved)
      state.replay(into: engine, provider: plugins)
      return engine
    } catch {
      throw error.under("params")
    }
  }

  /// A header here, or in a worker.
  func makeEngine(
    _ description: HeaderDescription, epoch: Int64, from saved: Value?
  ) throws(HeaderError) -> HeaderEngine {
    if let needed = plugins.isolating(description) {
      return .process(try workers.worker(for: needed, plugins).open(description, epoch: epoch, from: saved))
    }
    return .here(
      try Header(
        description, epoch: epoch, provider: plugins, limits: limits, saved: saved,
        like: lastOpened.flatMap { table[$0]?.header }))
  }

  /// Gives a header its place in a worker; the one that it had is free.
  func take(_ seat: WorkerSeat?, for entry: HeaderEntry) throws(HeaderError) {
    guard let seat else { return }
    try seat.serve(entry)
    let log = entry.makeLog()
    log.seat?.leave()
    log.seat = seat
    workers.clear()
  }

  /// Has a header go on in another worker, or in a first one, before a behavior joins its chain that its engine cannot have where
  /// it is.
  func move(_ entry: HeaderEntry, for behavior: String) throws(HeaderError) {
    let description = entry.header.description
    guard let needed = plugins.isolating(description, and: behavior),
      entry.seat.map({ !Set($0.worker.plugins).isSuperset(of: needed) }) ?? true
    else { return }
    let seat = try workers.worker(for: needed, plugins).open(
      description, epoch: entry.epoch, from: try entry.save())
    try take(seat, for: entry)
  }

  /// An epoch that was never used, larger than a given one. Each shard has its own.
  func nextEpoch(after other: Int64 = 0) -> Int64 {
    let count = Int64(shard.count)
    let earliest = max(wallClock(), lastEpoch + 1, other + 1)
    let epoch = earliest + ((Int64(shard.index) - earliest) % count + count) % count
    lastEpoch = min(epoch, 9_007_199_254_740_991)
    return lastEpoch
  }

  private func checkOptions(of description: HeaderDescription) throws(HeaderError) {
    for (index, delegate) in description.delegates.enumerated() {
      try checkSize(of: delegate.options, at: "params.delegates[\(index)].options")
    }
  }

  /// A delegate's state is bound as when it is saved.
  private func checkSize(ofSaved saved: Value) throws(HeaderError) {
    guard case .record(let fields) = saved, case .list(let delegates)? = fields["delegates"] else { return }
    for (index, delegate) in delegates.enumerated() {
      guard case .record(let row) = delegate, let state = row["state"] else { continue }
      var writer = JSONWriter()
      writer.value(state)
      guard writer.count <= limits.savedBytes else {
        let field = "params.saved.delegates[\(index)].state"
        throw .limit(
          "savedBytes", limits.savedBytes,
          "\(field): it takes \(writer.count) bytes, at most \(limits.savedBytes) are allowed", field: field)
      }
    }
  }

  func checkSize(of options: Value.Record, at field: String) throws(HeaderError) {
    var writer = JSONWriter()
    writer.value(.record(options))
    guard writer.count <= limits.optionBytes else {
      throw .limit(
        "optionBytes", limits.optionBytes,
        "\(field): options take \(writer.count) bytes, at most \(limits.optionBytes) are allowed",
        field: field)
    }
  }

  /// Closes a header: its subscribers get what waits for them and `closed`.
  func close(_ entry: HeaderEntry, reason: String) {
    guard entry.isOpen else { return }
    hurry(entry, "the header closes")
    guard entry.isOpen else { return }
    entry.isOpen = false
    for (name, member) in entry.log?.clients ?? [:] { member.client.delegates[DelegateKey(entry.handle, name)] = nil }
    entry.log?.clients = [:]
    table.remove(entry)
    endFollowing(entry, reason: reason)
    entry.seat?.leave()
    workers.clear()
    journal?.remove(entry)
    ledger.close(entry.name)
    entry.account?[.headers].add(-1)
    entry.releaseMemory()
    schedule(entry)
    fanout.close(entry, reason: reason)
    entry.endRecordings(reason: reason)
    if let owner = entry.owner { clients[owner]?.owned[entry.handle] = nil }
    for publisher in entry.publishers.all { clients[publisher]?.bindings.remove(entry) }
    entry.publishers = Publishers()
    context.log.log(
      .debug, "headerClosed", [("header", entry.name), ("epoch", String(entry.epoch)), ("reason", reason)])
  }

  // MARK: - Chains

  func addDelegate(
    _ wanted: DelegateDescription, at place: Int?, to entry: HeaderEntry, client: Client?
  ) throws(HeaderError) -> Int {
    if wanted.client == nil { try move(entry, for: wanted.behavior) }
    let index = try change(entry, .addDelegate(wanted, at: place))
    if let client {
      entry.makeLog().clients[wanted.name] = ChainClient(client: client)
      client.delegates[DelegateKey(entry.handle, wanted.name)] = entry
    }
    context.log.log(.debug, "delegateAdded", [("header", entry.name), ("delegate", wanted.name)])
    return index
  }

  func removeDelegate(at index: Int, of entry: HeaderEntry) throws(HeaderError) {
    let name = entry.header.description.delegates[index].name
    try change(entry, .removeDelegate(name))
    delegateRemoved(name, of: entry)
  }

  func delegateRemoved(_ name: String, of entry: HeaderEntry) {
    entry.log?.clients.removeValue(forKey: name)?.client.delegates[DelegateKey(entry.handle, name)] = nil
    context.log.log(.debug, "delegateRemoved", [("header", entry.name), ("delegate", name)])
  }

  func moveDelegate(from index: Int, to place: Int, of entry: HeaderEntry) throws(HeaderError) {
    try change(entry, .moveDelegate(entry.header.description.delegates[index].name, to: place))
  }
}
