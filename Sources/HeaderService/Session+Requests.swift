// SPDX-License-Identifier: MIT
//
// One command's way: whose turn it is, which service, permission, method, answer, what follows the answer. Handlers return
// what they decided; the writing is done here, once, so that no handler can answer twice or not at all.

internal import HeaderCore
internal import HeaderWire

/// What a request is answered with.
enum Reply {
  case record(Value.Record)
  case welcome(Value.Record)
  /// The daemon's clock.
  case time
  case event(EventAnswer, EventName)
  case events(seq: Int64, [(answer: EventAnswer, name: EventName)])
  /// A header's present state and what else was asked for.
  case state(HeaderEntry, Value.Record)
  /// A header that is announced to its subscribers behind the answer.
  case opened(HeaderEntry, isNew: Bool)
  /// A subscription, the headers that match it, and what its client saw of them last.
  case subscribed(MatchedHeaders, elsewhere: [MatchedHeaders], after: [String: ResumePoint])
  case traceBegun(TraceRecorder)
  /// Nothing yet: an event waits for a client (`Session.waitingWork`).
  case waits

  static var nothing: Reply { .record(Value.Record()) }
}

extension Session {
  /// A message that has just been read, or whose turn has come: it is for another service, it waits, or it is performed.
  func handle(_ command: Command) {
    if traffic.mayHaveToWait, waits(command) { return }
    if abroad != nil, isRouted(command) { return }
    perform(command)
  }

  private func perform(_ command: Command) {
    switch command.body {
    case .refused(let error): refuse(command.address, error)
    case .answer(let question, let reply, let otherwise):
      if !isAnswered(question, reply) { refuse(command.address, otherwise) }
    case .event, .events, .params:
      guard let method = command.method else { preconditionFailure("headerd bug: a request has a method") }
      var unknown = command.unknown
      do throws(HeaderError) {
        try permit(method)
        let reply = try perform(method, command, &unknown)
        answer(command.address, reply, unknown)
        follow(reply)
      } catch {
        refuse(command.address, error)
      }
    }
  }

  func permit(_ method: RequestMethod) throws(HeaderError) {
    let needed: Roles
    switch method {
    case .hello, .ping, .stats: return
    case .headerList, .headerGet: needed = .all
    case .headerOpen, .headerClose, .headerConfigure, .headerCall, .event: needed = .publish
    case .delegateAdd, .delegateRemove, .delegateMove, .delegateConfigure: needed = .publish
    case .subscribe, .unsubscribe: needed = .subscribe
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload, .traceStart, .traceStop: needed = .admin
    }
    guard peer.roles.isDisjoint(with: needed) else { return }
    throw .notPermitted(method.rawValue, needs: needed, has: peer.roles)
  }

  private func perform(
    _ method: RequestMethod, _ command: Command, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> Reply {
    let params: Value
    switch command.body {
    case .event(let timed): return try event(timed, of: command.header)
    case .events(let events):
      let keepsAnswers = command.address != .notification
      return try self.events(events, of: command.header, keepsAnswers: keepsAnswers, &unknown)
    case .params(let given): params = given
    case .answer, .refused: preconditionFailure("headerd bug: it is no request")
    }
    if method == .headerOpen { return try openHeader(params, &unknown) }
    if case .handle(let handle) = command.header, method == .headerClose { return close(try header(at: handle)) }
    var fields = try FieldReader(params, at: Path("params"))
    if method == .event { return try event(fields, &unknown) }
    let reply: Reply
    switch method {
    case .hello: reply = try hello(&fields)
    case .ping: reply = .time
    case .stats: reply = try stats(&fields)
    case .headerClose: reply = try closeHeader(&fields)
    case .headerList: reply = try listHeaders(&fields)
    case .headerGet: reply = try getHeader(&fields)
    case .headerConfigure: reply = try configureHeader(&fields, &unknown)
    case .headerCall: reply = try callHeader(&fields)
    case .subscribe: reply = try subscribe(&fields, &unknown)
    case .unsubscribe: reply = try unsubscribe(&fields)
    case .pluginList: reply = try listPlugins(&fields)
    case .pluginLoad: reply = try loadPlugin(&fields)
    case .pluginUnload: reply = try unloadPlugin(&fields)
    case .pluginReload: reply = try reloadPlugin(&fields)
    case .traceStart: reply = try startTrace(&fields)
    case .traceStop: reply = try stopTrace(&fields)
    case .delegateAdd: reply = try addDelegate(&fields)
    case .delegateRemove: reply = try removeDelegate(&fields)
    case .delegateMove: reply = try moveDelegate(&fields)
    case .delegateConfigure: reply = try configureDelegate(&fields)
    case .headerOpen, .event: preconditionFailure("handled before")
    }
    unknown += fields.unknown
    return reply
  }

  /// The daemon's clock.
  var time: Instant { Instant(nanoseconds: service.now) }

  /// The same in seconds.
  var seconds: Double { Double(service.now) / 1e9 }

  // MARK: - Answers

  func answer(_ address: ReplyAddress, _ reply: Reply, _ unknown: [UnknownField]) {
    if waitingWork != nil { return park(address, unknown) }
    switch address {
    case .request(let id):
      write { $0.answer(id, warnings: Array(unknown.prefix(64))) { writer in writer.reply(reply, self) } }
    case .frame(let id): writeFrame { $0.reply(id, reply, self, warnings: Array(unknown.prefix(64))) }
    case .notification, .unreadable:
      guard let first = unknown.first, abroad?.link.isFirstUnknownField() ?? !hasToldUnknownField else { return }
      hasToldUnknownField = true
      let error = HeaderError(
        .unknownField, "\(first.field): there is no such field, it is ignored", field: first.field,
        hint: first.hint.map { "did you mean \"\($0)\"?" })
      tell(error, about: .notification)
      logOnce(error)
    }
  }

  func refuse(_ address: ReplyAddress, _ error: HeaderError) {
    service.counters.errors += 1
    logOnce(error)
    switch address {
    case .request(let id): write { $0.refusal(id, error) }
    case .frame(let id): tell(error, about: .request(id))
    case .unreadable: tell(error, about: .unreadable)
    case .notification: tell(error, about: .notification)
    }
  }

  /// What comes behind an answer.
  func follow(_ reply: Reply) {
    switch reply {
    case .opened(let entry, let isNew):
      if isNew { service.announce(entry) }
    case .subscribed(let matched, let elsewhere, let points):
      for matched in [matched] + elsewhere {
        matched.subscription.session.service.begin(matched.subscription, for: matched.entries, after: points)
      }
    case .traceBegun(let recorder): recorder.begin()
    case .record, .welcome, .time, .event, .events, .state, .waits: break
    }
  }

  // MARK: - The connection's own methods

  /// Anybody may look; the counters belong to everybody, so only an admin sets them to zero.
  private func stats(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let reset = try fields.bool("reset") ?? false
    if reset, peer.roles.isDisjoint(with: .admin) {
      throw .notPermitted("stats with reset", needs: .admin, has: peer.roles)
    }
    return .record(service.statistics(reset: reset))
  }

  func hello(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let version = try fields.integer("protocol", in: 0...Int(Int32.max)) ?? 1
    if let client = try fields.text("client") { clientName = String(client.prefix(128)) }
    guard version == 1 else {
      throw HeaderError(
        .unsupportedVersion, "params.protocol: this daemon speaks version 1, got \(version)", field: "params.protocol",
        got: .number(Double(version)), expected: "1", facts: ["versions": [1]]
      )
    }
    return .welcome(
      .init(fields: [
        .init(name: "protocol", value: 1), .init(name: "server", value: .text("headerd \(headerdVersion)")),
        .init(
          name: "capabilities",
          value: [
            "binary", "clientDelegates", "every", "fields", "latest", "maxRate", "nestedScroll", "resume", "trace",
          ]),
        .init(name: "roles", value: .list(peer.roles.words.map { .text($0) })),
        .init(name: "limits", value: .record(service.limits.record)),
        .init(name: "connection", value: .number(Double(id.number))), .init(name: "time", value: .number(seconds)),
      ]))
  }
}

extension Limits {
  /// All limits by name.
  var record: Value.Record {
    Value.Record(
      fields: Self.entries.map { entry in
        switch entry.kind {
        case .count(let path, _): .init(name: entry.name, value: .number(Double(self[keyPath: path])))
        case .seconds(let path, _): .init(name: entry.name, value: .number(self[keyPath: path]))
        }
      })
  }
}

extension Service {
  /// The counters; asked to reset, the ones after it begin at zero.
  func statistics(reset: Bool) -> Value.Record {
    var record = Value.Record()
    let all = everyone
    func sum(_ count: (Service) -> Int) -> Int { all.reduce(0) { $0 + count($1) } }
    let counts: [(String, Int)] = [
      ("connections", sum(\.connectionCount)), ("headers", sum(\.headerCount)),
      (
        "subscriptions",
        sum { $0.sessions.values.reduce(0) { $0 + ($1.isGuest ? 0 : $1.subscriptions.count) } }
      ),
      ("events", sum(\.counters.events)), ("states", sum(\.counters.states)), ("gaps", sum(\.counters.gaps)),
      ("errors", sum(\.counters.errors)), ("bytesReceived", sum(\.counters.bytesReceived)),
      ("bytesSent", sum(\.counters.bytesSent)), ("resumeStates", sum(\.recentStore.states)),
      ("resumeBytes", sum(\.recentStore.bytes)),
    ]
    for (name, count) in counts { record.fields.append(.init(name: name, value: .number(Double(count)))) }
    record.fields += settings.statistics(reset).fields
    if reset { for service in all { service.counters = Counters() } }
    return record
  }
}

extension Reply {
  /// A record of these fields.
  static func fields(_ fields: (String, Value)...) -> Reply {
    .record(Value.Record(fields: fields.map { Value.Record.Field(name: $0.0, value: $0.1) }))
  }
}

extension JSONWriter {
  /// The result of a request.
  fileprivate mutating func reply(_ reply: Reply, _ session: Session) {
    switch reply {
    case .record(let record), .welcome(let record): value(.record(record))
    case .time: value(["time": .number(session.seconds)])
    case .event(let answer, let name): eventAnswer(answer, name)
    case .events(let seq, let answers):
      beginObject()
      key("seq")
      integer(Int(seq))
      key("results")
      beginArray()
      for (answer, name) in answers { eventAnswer(answer, name) }
      endArray()
      endObject()
    case .state(let entry, let more):
      beginObject()
      key("state")
      StateEncoder.object(entry.header.state, .positionsOnly, into: &self)
      for field in more.fields {
        key(named: field.name)
        value(field.value)
      }
      endObject()
    case .opened(let entry, let isNew):
      value([
        "header": .text(entry.name), "handle": .number(Double(entry.handle.number)),
        "epoch": .number(Double(entry.epoch)), "created": .bool(isNew),
        "seq": .number(Double(entry.header.state.seq)),
      ])
    case .subscribed(let matched, let elsewhere, _):
      value([
        "subscription": .number(Double(matched.subscription.id)),
        "matched": .number(Double(matched.count(with: elsewhere))),
      ])
    case .traceBegun(let recorder): value(["trace": .number(Double(recorder.id))])
    case .waits: preconditionFailure("it is answered later")
    }
  }
}
