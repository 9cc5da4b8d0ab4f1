// SPDX-License-Identifier: MIT
//
// How headers begin and end: opened from the config file or by a connection, attached to, replaced, closed; and how their
// chains change.

internal import Clocks
internal import Fanout
internal import HeaderCore
public import HeaderModel
internal import HeaderWire

extension HeaderHost {
  /// Opens a header that no connection asked for: from the config file. The same description again changes nothing.
  /// - Parameters:
  ///   - replacing: an open one that is described otherwise makes place for it.
  ///   - then: gets what `header.open` answers it with; nil: it is open.
  public func open(_ description: HeaderDescription, replacing: Bool = false, then: @escaping (HeaderError?) -> Void) {
    let begin = { [unowned self] in
      do throws(HeaderError) {
        try open(description, from: OpeningState(), replacing: replacing, owner: nil) { [unowned self] result in
          if case .success(let opened) = result, opened.isNew { fanout.announce(opened.entry) }
          if case .failure(let error) = result { then(error) } else { then(nil) }
        }
      } catch {
        then(error)
      }
    }
    if let present = table.known(description.header) { whenFree(present, begin) } else { begin() }
  }

  /// Opens a header or attaches to it. A new one is not announced to subscribers yet.
  /// - Parameters:
  ///   - state: the state that a new one begins in.
  ///   - then: gets the outcome.
  func open(
    _ given: HeaderDescription, from state: OpeningState, replacing: Bool, owner: ConnectionID?,
    then: @escaping (Result<(entry: HeaderEntry, isNew: Bool), HeaderError>) -> Void
  ) throws(HeaderError) {
    let description = try given.taking(plugins.presets, at: Path("params"))
    let present = table[description.header]
    if let present, !replacing {
      let field = description.firstDifference(from: present.opened)
      guard let field, description.firstDifference(from: present.header.description) != nil else {
        return then(.success((present, false)))
      }
      throw HeaderError(
        .headerExists, "header \"\(description.header)\" is open with another description: \(field) differs",
        field: field, hint: "close it first, or open it with \"ifExists\":\"replace\"",
        facts: [
          "header": .text(description.header), "digest": .number(Double(present.opened.digest)),
          "givenDigest": .number(Double(description.digest)),
        ])
    }
    try checkFollowing(description)
    let account = owner.flatMap { clients[$0] }?.account
    try count(description.header, replacing: present, on: account)
    let uncount = { [unowned self] in
      if present == nil { globalCounters.close(description.header) }
      account?[.headers].add(-1)
    }
    let entry: HeaderEntry
    do { entry = try make(description, from: state, owner, account) } catch {
      uncount()
      throw error
    }
    let isKept = journal != nil && description.lifetime == .daemon
    begin(entry, in: present, from: state.steps(for: entry.header), isKept) { [unowned self] result, saved in
      guard case .success = result else {
        uncount()
        return then(result.mapError { $0.under("params") }.map { (entry, true) })
      }
      if let present {
        close(present, reason: "replaced")
        _ = globalCounters.open(description.header, atMost: .max)
      }
      enter(entry)
      let opener = owner.map { String($0.number) } ?? "config"
      context.log.log(
        .debug, "headerOpened", [("header", entry.name), ("epoch", String(entry.epoch)), ("connection", opener)])
      if let owner = entry.owner { clients[owner]?.owned[entry.handle] = entry }
      if let saved { journal?.add(entry, saved) }
      beginFollowing(entry)
      then(.success((entry, true)))
    }
  }

  /// Brings a header to the state that it continues from. Until then clients do not see it, and what they send to it waits.
  /// - Parameters:
  ///   - present: the open header of that name, which waits meanwhile.
  ///   - steps: gives the inputs of the header's earlier life.
  ///   - isKept: the state is saved once the header has come there.
  ///   - then: gets why there is no such header, and the state that was saved.
  func begin(
    _ entry: HeaderEntry, in present: HeaderEntry? = nil, from steps: @escaping () -> Step?, _ isKept: Bool = false,
    then: @escaping (Result<Void, HeaderError>, _ saved: Result<Value, HeaderError>?) -> Void
  ) {
    entry.isOpen = false
    table.opening[entry.name] = entry
    let resumePresent = entry.remote == nil ? nil : present.map { pause($0) }
    let end = { [unowned self] (result: Result<Void, HeaderError>, saved: Result<Value, HeaderError>?) in
      (resumePresent ?? { $0() }) { [unowned self] in
        table.opening[entry.name] = nil
        entry.isOpen = result.refusal == nil
        then(result, saved)
      }
    }
    let goThrough = { [unowned self] in
      replay(steps, into: entry) { [unowned self] result in
        guard isKept, case .success = result else { return end(result, nil) }
        save(entry) { end(result, $0) }
      }
    }
    guard let remote = entry.remote else { return goThrough() }
    opened(remote, for: entry) { result in if case .success = result { goThrough() } else { end(result, nil) } }
  }

  /// Makes a header wait until a process has opened it, or a copy of it.
  func opened(_ remote: RemoteEngine, for entry: HeaderEntry, then: @escaping (Result<Void, HeaderError>) -> Void) {
    let resume = pause(entry)
    remote.whenOpen { result in resume { then(result) } }
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
    guard present == nil, !globalCounters.open(name, atMost: limits.headers) else { return }
    account?[.headers].add(-1)
    throw .limit("headers", limits.headers, "there are \(globalCounters.headers) headers open")
  }

  private func make(
    _ given: HeaderDescription, from state: OpeningState, _ owner: ConnectionID?, _ account: UserAccount?
  ) throws(HeaderError) -> HeaderEntry {
    var description = given
    for (index, delegate) in description.delegates.enumerated() {
      try checkSize(of: delegate.options, at: "params.delegates[\(index)].options")
    }
    if let saved = state.saved { try checkSize(ofSaved: saved) }
    let wallClock = wallClock().microseconds
    if description.environment.clockSecondOfMinute < 0 {
      description.environment.clockSecondOfMinute = Double(wallClock % 60_000_000) / 1e6
    }
    do {
      return try makeEntry(
        description, epoch: nextEpoch(after: state.epoch), from: state.saved, opened: given, owner, account)
    } catch {
      throw error.under("params")
    }
  }

  /// A header here, or in a process, which opens it.
  /// - Parameter opened: its description as it was given.
  func makeEntry(
    _ description: HeaderDescription, epoch: Int64, from saved: Value?, opened: HeaderDescription,
    _ owner: ConnectionID?, _ account: UserAccount?
  ) throws(HeaderError) -> HeaderEntry {
    // A handle is used up also by a header that is refused.
    let handle = table.nextHandle()
    let remote = try plugins.isolating(description).map { (needed) throws(HeaderError) in
      try workers.open(description, epoch: epoch, from: saved, with: needed, plugins)
    }
    let header =
      if let remote { remote.mirror } else {
        try Header(
          description, epoch: epoch, provider: plugins, limits: limits, saved: saved,
          like: lastOpened.flatMap { table[$0]?.header })
      }
    let entry = HeaderEntry(
      handle: handle, header: header, opened: opened,
      owner: opened.lifetime == .connection ? owner : nil, account: account)
    if let remote { try take(remote, for: entry) }
    return entry
  }

  /// Enters a header that is open into the table. Its time continues from where it was saved, so that a publisher is shifted onto it.
  func enter(_ entry: HeaderEntry) {
    lastOpened = entry.handle
    entry.chargeMemory()
    entry.metricsGroup = context.eventAges?.group(of: entry.name) ?? 0
    table.add(entry)
    if entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: now) }
    schedule(entry)
  }

  /// Gives a header its place in a worker; the one that it had is free.
  func take(_ remote: RemoteEngine, for entry: HeaderEntry) throws(HeaderError) {
    try remote.serve(entry)
    let log = entry.makeLog()
    log.remote?.leave()
    log.remote = remote
    workers.clear()
  }

  /// Moves a header to another worker, or to its first one, before a behavior joins its chain that its present engine cannot have.
  func move(_ entry: HeaderEntry, for behavior: String, then: @escaping (Result<Void, HeaderError>) -> Void) {
    guard let needed = plugins.isolating(entry.header.description, and: behavior),
      entry.remote.map({ !Set($0.worker.plugins).isSuperset(of: needed) }) ?? true
    else { return then(.success(())) }
    move(entry, to: needed, then: then)
  }

  /// Moves a header to a worker that has some plugins as they are now.
  func move(_ entry: HeaderEntry, to needed: [String], then: @escaping (Result<Void, HeaderError>) -> Void) {
    copy(entry, to: needed, plugins) { [unowned self] copy in
      then(copy.then { (remote) throws(HeaderError) in try take(remote, for: entry) })
    }
  }

  /// Opens a copy of a header as it is, in a worker with some plugins as they are in a view.
  func copy(
    _ entry: HeaderEntry, to needed: [String], _ view: any ShardPlugins, isNext: Bool = false,
    then: @escaping (Result<RemoteEngine, HeaderError>) -> Void
  ) {
    let description = entry.header.description
    save(entry) { [unowned self] saved in
      do throws(HeaderError) {
        let remote = try workers.open(
          description, epoch: entry.epoch, from: try saved.get(), with: needed, view, isNext: isNext)
        opened(remote, for: entry) { then($0.map { remote }) }
      } catch {
        then(.failure(error))
      }
    }
  }

  /// An epoch that was never used, larger than a given one. Each shard has its own.
  func nextEpoch(after other: Int64 = 0) -> Int64 {
    let count = Int64(shard.count)
    let earliest = max(wallClock().microseconds, lastEpoch + 1, other + 1)
    let epoch = earliest + ((Int64(shard.index) - earliest) % count + count) % count
    lastEpoch = min(epoch, 9_007_199_254_740_991)
    return lastEpoch
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
    entry.isOpen = false
    for (name, member) in entry.log?.clients ?? [:] { member.client.delegates[DelegateKey(entry.handle, name)] = nil }
    entry.log?.clients = [:]
    table.remove(entry)
    endFollowing(entry, reason: reason)
    entry.remote?.leave()
    workers.clear()
    journal?.remove(entry)
    globalCounters.close(entry.name)
    entry.account?[.headers].add(-1)
    entry.chargeMemory()
    schedule(entry)
    fanout.close(entry, reason: reason)
    entry.endRecordings(reason: reason)
    if let owner = entry.owner { clients[owner]?.owned[entry.handle] = nil }
    for publisher in entry.publishers { clients[publisher]?.bindings.remove(entry) }
    entry.publishers = []
    context.log.log(
      .debug, "headerClosed", [("header", entry.name), ("epoch", String(entry.epoch)), ("reason", reason)])
  }

  // MARK: - Chains

  func addDelegate(
    _ wanted: DelegateDescription, at place: Int?, to entry: HeaderEntry, client: Client?,
    then: @escaping (Result<Int, HeaderError>) -> Void
  ) {
    let add = { [unowned self] in
      change(entry, .addDelegate(wanted, at: place)) { [unowned self] result in
        if case .success = result {
          if let client {
            entry.makeLog().clients[wanted.name] = ChainClient(client: client)
            client.delegates[DelegateKey(entry.handle, wanted.name)] = entry
            // The client may have left meanwhile.
            if client.inputHasEnded { leaveChains(client, observersToo: client.hasLeft) }
          }
          context.log.log(.debug, "delegateAdded", [("header", entry.name), ("delegate", wanted.name)])
        }
        then(result)
      }
    }
    guard wanted.client == nil else { return add() }
    move(entry, for: wanted.behavior) { if case .failure(let error) = $0 { then(.failure(error)) } else { add() } }
  }

  func removeDelegate(_ name: String, of entry: HeaderEntry, then: @escaping (Result<Void, HeaderError>) -> Void) {
    change(entry, .removeDelegate(name)) { [unowned self] result in
      if case .success = result { delegateRemoved(name, of: entry) }
      then(result.map { _ in })
    }
  }

  func delegateRemoved(_ name: String, of entry: HeaderEntry) {
    entry.log?.clients.removeValue(forKey: name)?.client.delegates[DelegateKey(entry.handle, name)] = nil
    context.log.log(.debug, "delegateRemoved", [("header", entry.name), ("delegate", name)])
  }
}
