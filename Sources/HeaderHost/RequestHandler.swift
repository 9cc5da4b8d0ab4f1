// SPDX-License-Identifier: MIT
//
// One command performed: method, answer, what follows the answer. Methods return what they decided; the answer is written
// here, once, so that no method can answer twice or not at all.

internal import Fanout
internal import HeaderCore
internal import HeaderWire
internal import HeaderWorker

/// Performs one command of a client.
struct RequestHandler {
  let host: HeaderHost
  let command: Command
  let ticket: Ticket
  /// Fields that nobody knows, found so far.
  var unknown: [UnknownField]

  init(_ host: HeaderHost, _ command: Command, _ ticket: Ticket) {
    self.host = host
    self.command = command
    self.ticket = ticket
    unknown = command.unknown
  }

  var client: Client { ticket.client }
  var limits: Limits { host.limits }

  mutating func handle() -> Progress {
    let before = host.recordCount
    let result: Result<Reply, HeaderError>
    do throws(HeaderError) {
      guard let reply = try perform() else { return .open }
      result = .success(reply)
    } catch {
      result = .failure(error)
    }
    return host.answer(PerformedCommand(self, recordsBefore: before), result)
  }

  /// - Returns: nil when the command waits for a client (`EventWork`).
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
    let reply: Reply
    switch try HeaderRequest(method, &fields) {
    case .open(let description, let replaces, let state): reply = try open(description, replacing: replaces, state)
    case .close(let name): reply = close(try header(named: name))
    case .get(let name, let include): reply = try get(try header(named: name), include)
    case .configure(let name, let given): reply = try configure(try header(named: name), given)
    case .call(let header, let name, let arguments, let delegate):
      reply = try callHeader(
        try self.header(named: header), .call(name: name, arguments: arguments, delegate: delegate, report: true))
    case .position(let header, let event): reply = try position(event, of: try self.header(named: header))
    case .explain(let name, let keep, let last): reply = try explain(try header(named: name), keep: keep, last: last)
    case .startTrace(let name): reply = try startTrace(of: try header(named: name))
    case .stopTrace(let id): reply = try stopTrace(id)
    case .addDelegate(let wanted): reply = try addDelegate(wanted)
    case .removeDelegate(let name): reply = try removeDelegate(name)
    case .moveDelegate(let name, let place): reply = try moveDelegate(name, to: place)
    case .shadow(let given): reply = try shadow(given)
    case .promote(let name): reply = try promote(name)
    case .configureDelegate(let name, let options): reply = try configureDelegate(name, options)
    }
    unknown += fields.unknown
    return reply
  }

  // MARK: - Headers

  /// Who asks, and what they may do.
  var peer: Peer { client.writer.connection.peer }

  /// An open header that the command may be for.
  func header(named name: String) throws(HeaderError) -> HeaderEntry {
    // Before it is looked for: who may not know of a header does not learn whether there is one.
    if let method = command.method { try peer.permit(.method(method), header: name) }
    return try host.header(named: name, for: peer.access)
  }

  /// An open header by its handle.
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
  ) throws(HeaderError) -> Reply {
    try peer.permit(.method(.headerOpen), header: description.header)
    try requireLeaders(of: description)
    let (entry, isNew) = try host.open(description, from: state, replacing: replacing, owner: client.id)
    client.opened.insert(entry.name)
    return .opened(entry, isNew: isNew)
  }

  /// Who follows a header sees where its drawers are.
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

  private func get(_ entry: HeaderEntry, _ include: [String]) throws(HeaderError) -> Reply {
    var more = Value.Record()
    more["bypassed"] = entry.header.bypassedValue
    if include.contains("description") { more["description"] = entry.header.description.value }
    if include.contains("environment") { more["environment"] = entry.header.environment.value }
    if include.contains("saved") { more["saved"] = try entry.save(clients: false) }
    if include.contains("position") { more["position"] = entry.header.positionReport.map(Self.value) ?? .null }
    return .state(entry, more)
  }

  private mutating func configure(_ entry: HeaderEntry, _ given: Value.Record) throws(HeaderError) -> Reply {
    try entry.account?.requireMemory(for: "header.configure")
    // Read before, so that what is wrong with the keys is refused with nothing done.
    let next = try entry.header.description(changedBy: given, &unknown)
    try requireLeaders(of: next, beside: entry.header.description)
    do {
      try host.configure(entry, given: given)
    } catch {
      throw error.under("params").of(header: entry.name)
    }
    entry.chargeMemory()
    return .fields(("seq", .number(Double(entry.header.state.seq))))
  }

  /// What is kept so far; how many are kept from now on.
  private func explain(_ entry: HeaderEntry, keep: Int?, last: Int) throws(HeaderError) -> Reply {
    if let keep {
      try entry.account?.requireMemory(for: "header.explain")
      entry.header.explain(last: keep)
      entry.chargeMemory()
    }
    let explanations =
      try entry.seat?.perform(.explanations(last: last)).value()
      ?? .list(entry.header.explanations.suffix(last).map(\.value))
    return .fields(("keep", .number(Double(entry.header.explanationLimit))), ("explanations", explanations))
  }

  private func callHeader(_ entry: HeaderEntry, _ kind: ScrollEvent.Kind) throws(HeaderError) -> Reply {
    let answer = try call(kind, of: entry, at: Path("params"))
    var reply: Value.Record = ["returned": .null, "seq": .number(Double(answer.seq))]
    if case .record(let result)? = answer.result { for field in result.fields { reply[field.name] = field.value } }
    return .record(reply)
  }

  /// A move, a constraint, its release, or something to be revealed. Its answer is what the header says, and `seq`.
  private func position(_ event: ScrollEvent, of entry: HeaderEntry) throws(HeaderError) -> Reply {
    host.noteLease(event, of: entry, client)
    let answer: EventAnswer
    do {
      answer = try call(event, of: entry, at: Path("params"))
    } catch {
      if case .constrain(let constraint) = event.kind { entry.leases.end(constraint.name) }
      throw error
    }
    var reply: Value.Record = ["seq": .number(Double(answer.seq))]
    if case .record(let result)? = answer.result { reply.fields += result.fields }
    return .record(reply)
  }

  private static func value(_ position: (report: PositionReport, stops: [NamedStop])) -> Value {
    let report = position.report
    var record: Value.Record = [
      "progress": .number(report.position.progress), "traveled": .number(report.position.traveled),
      "travel": .number(report.position.travel),
      "permitted": [.number(report.permitted.lowerBound), .number(report.permitted.upperBound)],
      "constraints": report.constraintsValue,
      "stops": .list(position.stops.map { ["name": .text($0.name), "progress": .number($0.progress)] }),
    ]
    record["motion"] = report.motion.map { .number(Double($0)) }
    return .record(record)
  }

  /// Hands a call or new options to a header; a delegate that fails by it is the request's error.
  func call(
    _ kind: ScrollEvent.Kind, of entry: HeaderEntry, at path: Path
  ) throws(HeaderError) -> EventAnswer {
    try call(ScrollEvent(kind), of: entry, at: path)
  }

  private func call(_ event: ScrollEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> EventAnswer {
    let answer: EventAnswer
    do {
      answer = try host.call(event, of: entry)
    } catch {
      throw error.ofEvent(at: path).of(header: entry.name)
    }
    if let failure = answer.failure { throw failure.of(header: entry.name) }
    return answer
  }

  // MARK: - Recordings

  private func startTrace(of entry: HeaderEntry) throws(HeaderError) -> Reply {
    guard host.ledger.beginTrace(atMost: limits.traces) else {
      throw .limit("traces", limits.traces, "there are \(host.ledger.traces) recordings under way")
    }
    host.lastTrace += 1
    let recorder = TraceRecorder(
      id: host.shard.number(host.lastTrace), client: client, entry: entry, counted: host.ledger)
    client.recorders.append(recorder)
    recorder.listen()
    return .traceBegun(recorder)
  }

  private func stopTrace(_ id: Int) throws(HeaderError) -> Reply {
    guard let index = client.recorders.firstIndex(where: { $0.id == id }) else {
      throw HeaderError(
        .traceNotFound, "params.trace: this connection has no recording \(id)", field: "params.trace",
        got: .number(Double(id)))
    }
    let recorder = client.recorders.remove(at: index)
    recorder.stop()
    return .fields(("steps", .number(Double(recorder.steps))))
  }
}
