// SPDX-License-Identifier: MIT
//
// `header.*` (headerd-protocol(7), HEADERS): opening, closing, listing, looking into one, configuring, calling.

internal import HeaderCore
internal import HeaderWire

extension Session {
  /// An open header by name.
  func header(named name: String, at field: String = "params.header") throws(HeaderError) -> HeaderEntry {
    if let entry = service.table[name] { return entry }
    throw .headerNotFound(name, known: service.namesForHints, at: field)
  }

  /// An open header by its handle.
  func header(at handle: UInt64) throws(HeaderError) -> HeaderEntry {
    if let last = bindings.latest?.entry, last.isOpen, UInt64(last.handle.number) == handle { return last }
    if let number = Int(exactly: handle), let entry = service.table[HeaderHandle(number: number)] { return entry }
    throw HeaderError(
      .headerNotFound, "params.handle: there is no header with the handle \(handle)", field: "params.handle",
      got: .number(Double(handle)), hint: "OPENED, NAMES and header.list tell handles; one ends with its header")
  }

  /// The header that `header` names.
  func header(_ fields: inout FieldReader) throws(HeaderError) -> HeaderEntry {
    try header(named: try fields.required(text: "header"))
  }

  func openHeader(_ params: Value, _ unknown: inout [UnknownField]) throws(HeaderError) -> Reply {
    var fields = try FieldReader(params, at: Path("params"))
    let replaces = try fields.choice("ifExists", [("attach", false), ("replace", true)]) ?? false
    let given = fields.value("saved")
    let saved = given == .null ? Value?.none : given
    let description = try HeaderDescription(params, unknown: &unknown, alsoKnown: ["ifExists", "saved"])
    let (entry, isNew) = try service.open(description, from: saved, replacing: replaces, owner: id)
    opened.insert(entry.name)
    return .opened(entry, isNew: isNew)
  }

  func closeHeader(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    close(try header(&fields))
  }

  func close(_ entry: HeaderEntry) -> Reply {
    opened.remove(entry.name)
    service.close(entry, reason: "closed")
    return .nothing
  }

  func listHeaders(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let glob = try pattern(&fields, "match") ?? "**"
    let matching = service.everyone.flatMap { $0.table.entries { Names.glob(glob, matches: $0.name) } }
    let rows = matching.sorted { $0.name < $1.name }.map { entry -> Value in
      [
        "header": .text(entry.name), "handle": .number(Double(entry.handle.number)),
        "epoch": .number(Double(entry.epoch)), "seq": .number(Double(entry.header.state.seq)),
        "drawers": .list(entry.header.state.names.drawers.map { .text($0) }),
        "delegates": .list(entry.header.state.names.delegates.map { .text($0) }),
        "subscribers": .number(Double(entry.feeds.count)), "publishers": .number(Double(entry.publishers.count)),
      ]
    }
    return .fields(("headers", .list(rows)))
  }

  func getHeader(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let entry = try header(&fields)
    var more = Value.Record()
    let include = try words(&fields, "include", of: ["description", "environment", "saved"])
    if include.contains("description") { more["description"] = entry.header.description.value }
    if include.contains("environment") { more["environment"] = entry.header.environment.value }
    if include.contains("saved") { more["saved"] = try entry.header.save(clients: false) }
    return .state(entry, more)
  }

  func configureHeader(
    _ fields: inout FieldReader, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> Reply {
    let entry = try header(&fields)
    var given = Value.Record()
    for name in Header.configurableKeys {
      given[name] = fields.value(name)
    }
    guard !given.fields.isEmpty else {
      let stray = fields.unknown.first
      throw HeaderError(
        .invalidParams,
        "params: nothing to configure; give drawers, scrollViews, trackingScrollView, environment, frames or frameRate",
        field: stray?.field ?? "params", hint: stray?.hint.map { "did you mean \"\($0)\"?" })
    }
    // Read before, so that what is wrong with the keys is refused with nothing done.
    _ = try entry.header.description(changedBy: given, &unknown)
    do {
      try service.configure(entry, given: given)
    } catch {
      throw error.under("params").of(header: entry.name)
    }
    return .fields(("seq", .number(Double(entry.header.state.seq))))
  }

  func callHeader(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let entry = try header(&fields)
    let name = try fields.required(text: "name")
    let delegate = try fields.text("delegate")
    let arguments = try record(&fields, "arguments") ?? Value.Record()
    let answer: EventAnswer
    do {
      answer = try service.call(.call(name: name, arguments: arguments, delegate: delegate), of: entry)
    } catch {
      throw error.ofEvent(at: fields.path).of(header: entry.name)
    }
    if let failure = answer.failure { throw failure.of(header: entry.name) }
    return .fields(("returned", answer.result ?? .null), ("seq", .number(Double(answer.seq))))
  }

  // MARK: - Reading

  /// A glob, nil when it is not there.
  func pattern(_ fields: inout FieldReader, _ name: String) throws(HeaderError) -> String? {
    guard let glob = try fields.text(name) else { return nil }
    guard Names.isGlob(glob) else {
      throw fields.unexpected(
        name, needed: "a header's name or a glob (* within a part, ** across parts)", expected: "glob")
    }
    return glob
  }

  /// A record inside the parameters.
  func record(_ fields: inout FieldReader, _ name: String) throws(HeaderError) -> Value.Record? {
    switch fields.value(name) {
    case nil: return nil
    case .record(let record): return record
    default: throw fields.unexpected(name, needed: "an object", expected: "record")
    }
  }

  /// A list of words, each one of those that are known.
  func words(_ fields: inout FieldReader, _ name: String, of known: [String]) throws(HeaderError) -> [String] {
    var words: [String] = []
    for (index, value) in (try fields.list(name) ?? []).enumerated() {
      guard case .text(let word) = value, known.contains(word) else {
        let needed = "one of " + known.map { "\"\($0)\"" }.joined(separator: ", ")
        var guess: String?
        if case .text(let word) = value { guess = nearest(to: word, in: known).map { "did you mean \"\($0)\"?" } }
        throw .unexpected(value, at: (fields.path + name)[index], needed: needed, expected: "case", hint: guess)
      }
      words.append(word)
    }
    return words
  }
}

extension Service {
  /// The names of open headers to choose a hint from, here and at the neighbors.
  fileprivate var namesForHints: [String] {
    neighbors?.counts.namesForHints(atMost: HeaderTable.mostForHints) ?? table.namesForHints
  }

  /// A call that no publisher's clock belongs to. In a `live` header it happens now, by the daemon's clock; elsewhere time
  /// stands still between events.
  func call(_ kind: ScrollEvent.Kind, of entry: HeaderEntry) throws(HeaderError) -> EventAnswer {
    counters.events += 1
    guard entry.header.frames == .live else { return try handle(ScrollEvent(kind), at: nil, of: entry) }
    let time = entry.presentTime(at: now) ?? Instant(nanoseconds: now)
    let answer = try handle(ScrollEvent(kind), at: time, of: entry)
    if entry.clock.time(at: now) == nil {
      entry.clock.happened(at: entry.header.now, steady: now)
      schedule(entry)
    }
    return answer
  }

  /// Changes a header's structure; one more input of its ordered stream.
  func configure(_ entry: HeaderEntry, given: Value.Record) throws(HeaderError) {
    let input = HeaderInput.configure(given)
    defer { schedule(entry) }
    var failure: HeaderError?
    do {
      _ = try entry.header.apply(input, at: changeTime(of: entry), provider: plugins) { publish($0, of: entry) }
      // The request was told of them.
      _ = entry.header.takeRemarks()
    } catch {
      // A behavior that cannot live with the change is bypassed, and the change is made; any other refusal changes nothing.
      guard error.name == .behaviorFailed else { throw error }
      failure = error
    }
    tellClients(of: entry)
    for recorder in entry.recorders { recorder.step(input, error: failure, at: entry.header.now) }
    if let failure { throw failure }
  }
}
