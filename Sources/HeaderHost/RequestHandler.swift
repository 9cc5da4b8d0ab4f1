// SPDX-License-Identifier: MIT
//
// One command performed: method, answer, work behind the answer. Methods return their decision; the answer is written here, once, so that
// no method can answer twice or not at all.

internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire
internal import HeaderWorker

/// Performs one command of a client.
struct RequestHandler {
  let host: HeaderHost
  let command: Command
  let ticket: Ticket
  /// Fields that the protocol does not know, found so far.
  var unknown: [UnknownField]
  /// How many records the journal had before it.
  let recordsBefore: Int

  init(_ host: HeaderHost, _ command: Command, _ ticket: Ticket) {
    self.host = host
    self.command = command
    self.ticket = ticket
    unknown = command.unknown
    recordsBefore = host.recordCount
  }

  var client: Client { ticket.client }
  var limits: Limits { host.limits }

  mutating func handle() -> Progress {
    let result: Result<Reply, HeaderError>
    do throws(HeaderError) {
      guard let reply = try perform() else { return .open }
      result = .success(reply)
    } catch {
      result = .failure(error)
    }
    return host.answer(PerformedCommand(self), result)
  }

  /// Answers a command with the outcome of an action that ends in the call or later.
  func later(
    _ begin: (_ then: @escaping (Result<Reply, HeaderError>) -> Void) throws(HeaderError) -> Void
  ) throws(HeaderError) -> Reply? {
    var (isInCall, inCall) = (true, Result<Reply, HeaderError>?.none)
    try begin { [command = PerformedCommand(self), host] result in
      if isInCall { inCall = result } else { host.end(command, result) }
    }
    isInCall = false
    return try inCall?.get()
  }

  /// - Returns: nil when the command waits for a client or a process.
  private mutating func perform() throws(HeaderError) -> Reply? {
    switch command.body {
    case .event(let timed): return try event(timed)
    case .events(let events): return try self.events(events)
    case .params(let params): return try perform(params)
    case .refused(let error): throw error
    case .answer: preconditionFailure("headerd bug: it is no request")
    }
  }

  private mutating func perform(_ params: Value) throws(HeaderError) -> Reply? {
    guard let method = command.method else { preconditionFailure("headerd bug: a request has a method") }
    if case .handle(let handle) = command.header, method == .headerClose { return close(try header(at: handle)) }
    var fields = try FieldReader(params, at: Path("params"))
    if method == .event { return try event(fields) }
    let request = try HeaderRequest(method, &fields)
    unknown += fields.unknown
    return try perform(request)
  }

  private mutating func perform(_ request: HeaderRequest) throws(HeaderError) -> Reply? {
    switch request {
    case .open(let description, let replaces, let state): return try open(description, replacing: replaces, state)
    case .stopTrace(let id): return try stopTrace(id)
    case .header(let name, let action): return try perform(action, on: try header(named: name))
    }
  }

  private mutating func perform(_ action: HeaderRequest.Action, on entry: HeaderEntry) throws(HeaderError) -> Reply? {
    switch action {
    case .close: return close(entry)
    case .get(let include): return try get(entry, include)
    case .configure(let given): return try configure(entry, given)
    case .event(let event): return try handle(event, of: entry)
    case .explain(let keep, let last): return try explain(entry, keep: keep, last: last)
    case .startTrace: return try startTrace(of: entry)
    case .addDelegate(let wanted): return try addDelegate(wanted, to: entry)
    case .removeDelegate(let name): return try removeDelegate(name, of: entry)
    case .moveDelegate(let name, let place): return try moveDelegate(name, of: entry, to: place)
    case .shadow(let given): return try shadow(given, of: entry)
    case .promote(let name): return try promote(name, of: entry)
    case .configureDelegate(let name, let options): return try configureDelegate(name, of: entry, options)
    }
  }

  // MARK: - Headers

  /// The client that asks, and its rights.
  var peer: Peer { client.writer.connection.peer }

  /// An open header that the command may be for.
  func header(named name: String) throws(HeaderError) -> HeaderEntry {
    // The permission comes before the lookup: a client that may not know of a header does not learn whether it exists.
    if let method = command.method { try peer.permit(.method(method), header: name) }
    return try host.header(named: name, for: peer.access)
  }

  func header(at handle: UInt64) throws(HeaderError) -> HeaderEntry {
    let entry = try anyHeader(at: handle)
    if let method = command.method { try peer.permit(.method(method), header: entry.name) }
    return entry
  }

  private func anyHeader(at handle: UInt64) throws(HeaderError) -> HeaderEntry {
    if let last = client.bindings.latest?.entry, last.isOpen, UInt64(last.handle.number) == handle { return last }
    if let number = Int(exactly: handle), let entry = host.table[HeaderHandle(number: number)] { return entry }
    throw .noHeader(with: handle)
  }

  private func open(
    _ description: HeaderDescription, replacing: Bool, _ state: OpeningState
  ) throws(HeaderError) -> Reply? {
    try peer.permit(.method(.headerOpen), header: description.header)
    try requireLeaders(of: description)
    return try later { [client] then throws(HeaderError) in
      try host.open(description, from: state, replacing: replacing, owner: client.id) { result in
        if result.refusal != nil, host.table.known(description.header) == nil {
          client.opened.remove(description.header)
        }
        then(result.map { .opened($0.entry, isNew: $0.isNew) })
      }
      // The client's next events may leave out the header's name if it has opened only one.
      client.opened.insert(description.header)
    }
  }

  /// Requires access to the leaders: a client that follows a header sees where its drawers are.
  private func requireLeaders(
    of description: HeaderDescription, beside present: HeaderDescription? = nil
  ) throws(HeaderError) {
    for leader in description.leaders.keys.sorted() where present?.leaders[leader] == nil {
      try peer.permit(.follow, header: leader)
    }
  }

  private func close(_ entry: HeaderEntry) -> Reply {
    client.opened.remove(entry.name)
    host.close(entry, reason: "closed")
    return .nothing
  }

  private func get(_ entry: HeaderEntry, _ include: [String]) throws(HeaderError) -> Reply? {
    var more = Value.Record()
    more["bypassed"] = entry.header.bypassedValue
    if include.contains("description") { more["description"] = entry.header.description.value }
    if include.contains("environment") { more["environment"] = entry.header.environment.value }
    let reply = { [more] (saved: Value?) -> Reply in
      var more = more
      more["saved"] = saved
      if include.contains("position") { more["position"] = entry.header.positionReport.map(Self.value) ?? .null }
      return .state(entry, more)
    }
    guard include.contains("saved") else { return reply(nil) }
    return try later { then in host.save(entry, clients: false) { then($0.map(reply)) } }
  }

  private mutating func configure(_ entry: HeaderEntry, _ given: Value.Record) throws(HeaderError) -> Reply? {
    try entry.account?.requireMemory(for: "header.configure")
    // Reading comes first, so that a mistake in the keys is refused with nothing done.
    let next = try entry.header.description(changedBy: given, &unknown)
    try requireLeaders(of: next, beside: entry.header.description)
    let named = { (error: HeaderError) in error.under("params").of(header: entry.name) }
    return try later { then throws(HeaderError) in
      do throws(HeaderError) {
        try host.configure(entry, given: given) { result in
          if result.refusal == nil { entry.chargeMemory() }
          then(result.mapError(named).map { .seq(of: entry) })
        }
      } catch {
        throw named(error)
      }
    }
  }

  /// Answers with the explanations kept, and sets how many are kept from now on.
  private func explain(_ entry: HeaderEntry, keep: Int?, last: Int) throws(HeaderError) -> Reply? {
    if let keep {
      try entry.account?.requireMemory(for: "header.explain")
      entry.header.explain(last: keep)
      entry.chargeMemory()
    }
    let reply = { (explanations: Value) -> Reply in
      .record(["keep": .number(Double(entry.header.explanationLimit)), "explanations": explanations])
    }
    guard let remote = entry.remote else { return reply(.list(entry.header.explanations.suffix(last).map(\.value))) }
    return try later { then in
      host.order(.explanations(last: last), of: entry, in: remote) { result in
        then(result.then { (outcome) throws(HeaderError) in reply(try outcome.value()) })
      }
    }
  }

  /// Handles a call, a move, a constraint, its release, or a reveal. The answer is the delegate's or the header's, and `seq`.
  private func handle(_ event: ScrollEvent, of entry: HeaderEntry) throws(HeaderError) -> Reply? {
    host.noteLease(event, of: entry, client)
    return try later { then in
      call(event, of: entry) { answer in
        then(
          answer.map {
            let seq = Value.number(Double($0.seq))
            return .result(of: $0, event.kind.name == .call ? ["returned": .null, "seq": seq] : ["seq": seq])
          })
      }
    }
  }

  private static func value(_ position: (report: PositionReport, stops: [NamedStop])) -> Value {
    let report = position.report
    var record: Value.Record = [
      "progress": .number(report.position.progress), "traveled": .number(report.position.traveled),
      "travel": .number(report.position.travel),
      "permitted": report.permitted.ends,
      "constraints": report.constraintsValue,
      "stops": .list(position.stops.map { ["name": .text($0.name), "progress": .number($0.progress)] }),
    ]
    record["motion"] = report.motion.map { .number(Double($0)) }
    return .record(record)
  }

  /// Hands a call or new options to a header; a delegate that fails by it is the request's error.
  func call(
    _ event: ScrollEvent, of entry: HeaderEntry, then: @escaping (Result<EventAnswer, HeaderError>) -> Void
  ) {
    host.call(event, of: entry) { result in
      then(
        result.mapError { $0.ofEvent(at: Path("params")).of(header: entry.name) }.then { (answer) throws(HeaderError) in
          if let failure = answer.failure { throw failure.of(header: entry.name) }
          return answer
        })
    }
  }

  // MARK: - Recordings

  private func startTrace(of entry: HeaderEntry) throws(HeaderError) -> Reply? {
    guard host.globalCounters.beginTrace(atMost: limits.traces) else {
      throw .limit("traces", limits.traces, "there are \(host.globalCounters.traces) recordings under way")
    }
    host.lastTrace += 1
    let recorder = TraceRecorder(
      id: host.shard.number(host.lastTrace), client: client, entry: entry, counted: host.globalCounters)
    client.recorders.append(recorder)
    return try later { then in
      host.save(entry) { saved in
        recorder.listen(saved)
        then(.success(.traceBegun(recorder)))
      }
    }
  }

  private func stopTrace(_ id: Int) throws(HeaderError) -> Reply {
    guard let index = client.recorders.firstIndex(where: { $0.id == id }) else {
      throw HeaderError(
        .traceNotFound, "params.trace: this connection has no recording \(id)", field: "params.trace",
        got: .number(Double(id)))
    }
    let recorder = client.recorders.remove(at: index)
    recorder.stop()
    return .record(["steps": .number(Double(recorder.steps))])
  }
}
