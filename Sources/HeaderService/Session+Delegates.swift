// SPDX-License-Identifier: MIT
//
// `delegate.*` (headerd-protocol(7), DELEGATES): behaviors and clients join a header's chain, leave it, change places,
// get other options. Each is an input of the header's one ordered stream, between two events, and a step of its
// recordings.

internal import HeaderCore
internal import HeaderWire

extension Session {
  func addDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let entry = try header(&fields)
    let options = try record(&fields, "options") ?? Value.Record()
    try service.checkSize(of: options, at: "params.options")
    let place = try fields.integer("at", in: 0...Int(Int32.max))
    var wanted = try wantedDelegate(&fields, of: entry)
    wanted.options = options
    do {
      let index = try service.addDelegate(wanted, at: place, to: entry, client: wanted.client == nil ? nil : self)
      return .fields(("delegate", .text(wanted.name)), ("index", .number(Double(index))))
    } catch {
      throw error.ofEvent(at: fields.path).of(header: entry.name)
    }
  }

  /// A behavior or this client, under a name.
  private func wantedDelegate(
    _ fields: inout FieldReader, of entry: HeaderEntry
  ) throws(HeaderError) -> DelegateDescription {
    let behavior = try fields.text("behavior")
    let name = try fields.text("name")
    if let name, !Names.isName(name) {
      throw fields.unexpected(
        "name", needed: "a name: a letter, then letters, digits, _ and -, at most 64 bytes", expected: "name")
    }
    guard var client = try ClientDescription(&fields) else {
      guard let behavior else {
        throw fields.unexpected("behavior", needed: "a behavior's name, or client", expected: "text")
      }
      for field in ["events", "deadline"] where fields.has(field) {
        throw HeaderError(
          .invalidParams, "params.\(field): it belongs to a client, a behavior says itself what it hears",
          field: "params.\(field)", hint: "leave it out, or give client in place of behavior")
      }
      return DelegateDescription(behavior: behavior, name: name)
    }
    guard behavior == nil else {
      throw HeaderError(
        .invalidParams, "params.client: a delegate is a behavior or a client, both are given", field: "params.client")
    }
    if fields.has("deadline") {
      guard client.deadline <= service.limits.deadline else {
        throw .limit(
          "deadline", service.limits.deadline,
          "params.deadline: an event waits for a client at most \(Value.number(service.limits.deadline).brief) seconds, got \(Value.number(client.deadline).brief)",
          field: "params.deadline")
      }
    } else {
      client.deadline = min(client.deadline, service.limits.deadline)
    }
    return DelegateDescription(client: client, name: name ?? freeName(in: entry))
  }

  /// A name for a client that gives none: its connection's number, and a second number when it has that one already.
  private func freeName(in entry: HeaderEntry) -> String {
    let names = entry.header.description.delegates.map(\.name)
    let first = "client\(id.number)"
    guard names.contains(first) else { return first }
    var number = 2
    while names.contains("\(first)-\(number)") { number += 1 }
    return "\(first)-\(number)"
  }

  func removeDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    try service.removeDelegate(at: index, of: entry)
    return .chain(of: entry)
  }

  func moveDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    guard let place = try fields.integer("at", in: 0...Int(Int32.max)) else {
      throw fields.unexpected("at", needed: "a place in the chain, from 0", expected: "integer")
    }
    do {
      try service.moveDelegate(from: index, to: place, of: entry)
    } catch {
      throw error.under("params").of(header: entry.name)
    }
    return .chain(of: entry)
  }

  func configureDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    guard let options = try record(&fields, "options") else {
      throw fields.unexpected("options", needed: "an object", expected: "record")
    }
    try service.checkSize(of: options, at: "params.options")
    let name = entry.header.description.delegates[index].name
    let answer: EventAnswer
    do {
      answer = try service.call(.setOptions(options, delegate: name), of: entry)
    } catch {
      throw error.ofEvent(at: fields.path).of(header: entry.name)
    }
    if let failure = answer.failure { throw failure.of(header: entry.name) }
    return .fields(("seq", .number(Double(answer.seq))))
  }

  /// The delegate that `header` and `delegate` name.
  private func delegate(_ fields: inout FieldReader) throws(HeaderError) -> (HeaderEntry, Int) {
    let entry = try header(&fields)
    let name = try fields.required(text: "delegate")
    do {
      return (entry, try entry.header.delegateIndex(named: name))
    } catch {
      var refusal = error
      refusal.field = "params.delegate"
      refusal.message = "params.delegate: \(error.message)"
      throw refusal
    }
  }
}

extension Reply {
  /// The chain now.
  fileprivate static func chain(of entry: HeaderEntry) -> Reply {
    .fields(("delegates", .list(entry.header.description.delegates.map { .text($0.name) })))
  }
}

extension Service {
  /// Header time for a change that no publisher's clock belongs to.
  func changeTime(of entry: HeaderEntry) -> Instant? {
    entry.header.frames == .live ? entry.presentTime(at: now) : nil
  }

  func addDelegate(
    _ wanted: DelegateDescription, at place: Int?, to entry: HeaderEntry, client: Session?
  ) throws(HeaderError) -> Int {
    defer { schedule(entry) }
    let index = try change(entry, .addDelegate(wanted, at: place))
    if let client {
      entry.clients[wanted.name] = client
      client.delegates[DelegateKey(entry.handle, wanted.name)] = entry
    }
    log.log(.debug, "delegateAdded", [("header", entry.name), ("delegate", wanted.name)])
    return index
  }

  func removeDelegate(at index: Int, of entry: HeaderEntry) throws(HeaderError) {
    defer { schedule(entry) }
    let name = entry.header.description.delegates[index].name
    try change(entry, .removeDelegate(name))
    if let session = entry.clients.removeValue(forKey: name) {
      session.delegates[DelegateKey(entry.handle, name)] = nil
    }
    entry.owing[name] = nil
    entry.lost[name] = nil
    log.log(.debug, "delegateRemoved", [("header", entry.name), ("delegate", name)])
  }

  func moveDelegate(from index: Int, to place: Int, of entry: HeaderEntry) throws(HeaderError) {
    defer { schedule(entry) }
    let name = entry.header.description.delegates[index].name
    try change(entry, .moveDelegate(name, to: place))
  }

  /// Applies a change of the chain or of a delegate's code, and records it once it is made.
  /// - Returns: the place of a delegate that was added.
  @discardableResult
  func change(_ entry: HeaderEntry, _ input: HeaderInput) throws(HeaderError) -> Int {
    defer { schedule(entry) }
    let outcome = try entry.header.apply(input, at: changeTime(of: entry), provider: plugins) { publish($0, of: entry) }
    tellClients(of: entry)
    var recorded = input
    var place = 0
    if case .added(let index) = outcome, case .addDelegate(let wanted, _) = input {
      place = index
      recorded = .addDelegate(wanted, at: index)
    }
    for recorder in entry.recorders { recorder.step(recorded, at: entry.header.now) }
    return place
  }
}
