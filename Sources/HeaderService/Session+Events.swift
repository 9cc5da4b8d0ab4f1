// SPDX-License-Identifier: MIT
//
// `event`: single ones and batches (headerd-protocol(7), EVENTS). A batch is only a shorter way to write: each event
// makes its own state, the first bad one ends it, those before stay done.
//
// A delegate that fails during an event does not make the event bad: it is bypassed, the event was handled, the state went
// out. A batch therefore goes on, and is answered with the first such failure at its end.

internal import HeaderCore
internal import HeaderWire

extension Session {
  /// Handles nearly every event: a didScroll of a header that the connection has sent events to before, if nobody else is
  /// concerned. No reference is counted on the way.
  /// - Returns: false, and nothing has happened: it has to be handled as any command.
  @inline(__always)
  func passes(_ scroll: ScrollMessage, by service: Service) -> Bool {
    bindings.withBinding(to: scroll.header) { passes(scroll, to: $0, by: service) } ?? false
  }

  @inline(__always)
  private func passes(_ scroll: ScrollMessage, to binding: PublisherBinding, by service: Service) -> Bool {
    guard binding.concernsHeaderAlone, service.settings.limits.eventsPerSecond == 0,
      let time = binding.headerTime(of: scroll.time, service.readTime)
    else { return false }
    service.counters.events += 1
    if service.pass(scroll.offset, scroll.correction, at: time, to: binding.entry),
      let failure = binding.entry.header.failure
    {
      refuse(.notification, failure.of(header: binding.entry.name))
    }
    return true
  }

  /// A usual event.
  func event(_ timed: TimedEvent, of target: HeaderTarget) throws(HeaderError) -> Reply {
    let entry = try eventHeader(target)
    try takeRate()
    return try single(timed, of: entry, at: Path("params"))
  }

  /// Any event, or a batch of them.
  func event(_ given: FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) -> Reply {
    var fields = given
    let entry = try eventHeader(&fields)
    guard fields.has("events") else {
      try takeRate()
      return try single(try TimedEvent(fields, unknown: &unknown), of: entry, at: fields.path)
    }
    for name in Self.singleFields where fields.has(name) {
      throw HeaderError(
        .invalidParams,
        "params.\(name): an event's fields stand beside events; put them into the list, or send one event",
        field: "params.\(name)")
    }
    let list = try fields.list("events") ?? []
    unknown += fields.unknown
    return try batch(list, of: entry, at: fields.path + "events", &unknown)
  }

  /// What became of one event; where a client is asked, that may come later (`.waits`).
  private func single(_ timed: TimedEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> Reply {
    if entry.header.hasInterceptors {
      return try begin(EventWork([timed], for: self, of: entry, at: path, isBatch: false, keepsAnswers: true))
    }
    return .event(try decided(timed, of: entry, at: path), timed.event.kind.name)
  }

  /// The same where no client is asked.
  @discardableResult
  private func decided(_ timed: TimedEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> EventAnswer {
    let answer = try handle(timed, of: entry, at: path)
    if answer.hasFailure, let failure = answer.failure { throw failure.of(header: entry.name) }
    return answer
  }

  private static let singleFields = [
    "event", "time", "scrollView", "offset", "correction", "isTracking", "isDragging", "isDecelerating",
  ]

  private func batch(
    _ list: [Value], of entry: HeaderEntry, at path: Path, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> Reply {
    guard !list.isEmpty else {
      throw .unexpected(.list(list), at: path, needed: "at least one event", expected: "list")
    }
    var batch = try Batch(of: entry, count: list.count, for: self, keepsAnswers: true)
    for (index, value) in list.enumerated() {
      do {
        try takeRate()
        try batch.add(try TimedEvent(value, at: path[index], unknown: &unknown), at: path[index], for: self)
      } catch {
        if try batch.ends(with: error.at(index: index)) { break }
      }
    }
    return try batch.reply(to: self, at: path)
  }

  /// The events of a frame.
  /// - Parameter keepsAnswers: what is decided about each event goes into the reply; left out where nobody wants an answer.
  func events(
    _ events: FrameEvents, of target: HeaderTarget, keepsAnswers: Bool, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> Reply {
    let entry = try eventHeader(target)
    guard events.isBatch else {
      try takeRate()
      var timed: TimedEvent?
      var fields = unknown
      try events.forEach { (record, _) throws(HeaderError) in
        timed = try self.timed(record, at: Path("params"), &fields)
        return true
      }
      unknown = fields
      guard let timed else { preconditionFailure("the frame has one event") }
      return try single(timed, of: entry, at: Path("params"))
    }
    let path = Path("params") + "events"
    guard events.count > 0 else {
      throw .unexpected(.list([]), at: path, needed: "at least one event", expected: "list")
    }
    var batch = try Batch(of: entry, count: events.count, for: self, keepsAnswers: keepsAnswers)
    var fields = unknown
    defer { unknown = fields }
    var timed = TimedEvent(ScrollEvent(.didScroll))
    var index = 0
    do throws(HeaderError) {
      try events.forEach { (record, place) throws(HeaderError) in
        index = place
        try takeRate()
        if !record.read(into: &timed) { timed = try self.timed(record, at: path[place], &fields) }
        try batch.add(timed, at: path[place], for: self)
        index = place + 1
        return true
      }
    } catch {
      _ = try batch.ends(with: error.at(index: index))
    }
    return try batch.reply(to: self, at: path)
  }

  /// A frame's event by the long road. Its time keeps the nanoseconds that a number of seconds would round.
  private func timed(
    _ record: EventRecord, at path: Path, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> TimedEvent {
    var timed = try TimedEvent(.record(try record.fields(at: path)), at: path, unknown: &unknown)
    if let time = record.time { timed.time = time }
    return timed
  }

  /// A batch under way: each event makes its own state, and what was decided is told at the end.
  private struct Batch {
    private let entry: HeaderEntry
    private let keepsAnswers: Bool
    private var answers: [(answer: EventAnswer, name: EventName)] = []
    private var count = 0
    private var failure: HeaderError?
    /// Where clients are asked, events may have to wait: they are only gathered here, up to the first bad one.
    private var gathered: [TimedEvent]?
    private var end: HeaderError?

    init(of entry: HeaderEntry, count: Int, for session: Session, keepsAnswers: Bool) throws(HeaderError) {
      let limit = session.service.limits.batchEvents
      guard count <= limit else {
        throw .limit(
          "batchEvents", limit, "params.events: a batch has at most \(limit) events, got \(count)",
          field: "params.events")
      }
      self.entry = entry
      self.keepsAnswers = keepsAnswers
      if entry.header.hasInterceptors { gathered = [] }
    }

    mutating func add(_ timed: TimedEvent, at path: Path, for session: Session) throws(HeaderError) {
      if gathered != nil {
        gathered?.append(timed)
        return
      }
      let answer = try session.handle(timed, of: entry, at: path)
      if keepsAnswers { answers.append((answer, timed.event.kind.name)) }
      if failure == nil, let failed = answer.failure { failure = failed.of(header: entry.name).at(index: count) }
      count += 1
    }

    /// A bad event ends the batch; where events are gathered, those before it come first.
    mutating func ends(with error: HeaderError) throws(HeaderError) -> Bool {
      guard gathered != nil else { throw error }
      end = error
      return true
    }

    func reply(to session: Session, at path: Path) throws(HeaderError) -> Reply {
      if let gathered {
        let work = EventWork(gathered, for: session, of: entry, at: path, isBatch: true, keepsAnswers: keepsAnswers)
        work.end = end
        return try session.begin(work)
      }
      if let failure { throw failure }
      return .events(seq: entry.header.state.seq, answers)
    }
  }

  /// Hands one event to its header, at the header's time.
  func handle(
    _ timed: TimedEvent, of entry: HeaderEntry, at path: Path
  ) throws(HeaderError) -> EventAnswer {
    if case .setOptions(let options, _) = timed.event.kind {
      try service.checkSize(of: options, at: (path + "options").text)
    }
    service.counters.events += 1
    do {
      guard let known = bindings.binding(to: entry) else { return try handleFirst(timed, of: entry, at: path) }
      let time = try known.clock.headerTime(of: timed.time, readAt: service.readTime, at: path)
      return try service.handle(timed.event, at: time, of: entry, isPublished: true)
    } catch {
      throw error.ofEvent(at: path).of(header: entry.name)
    }
  }

  /// The first event of this connection for a header. It is a publisher once one has got through to it.
  private func handleFirst(
    _ timed: TimedEvent, of entry: HeaderEntry, at path: Path
  ) throws(HeaderError) -> EventAnswer {
    let readAt = service.readTime
    var clock = PublisherClock(first: timed.time, readAt: readAt, present: entry.presentTime(at: readAt))
    let time = try clock.headerTime(of: timed.time, readAt: readAt, at: path)
    defer {
      if entry.header.hasTime {
        bindings.insert(PublisherBinding(entry, clock))
        entry.publishers.insert(id)
      }
    }
    return try service.handle(timed.event, at: time, of: entry, isPublished: true)
  }

  private func takeRate() throws(HeaderError) {
    let perSecond = service.limits.eventsPerSecond
    guard perSecond > 0,
      let wait = abroad.map({ $0.link.takeRate(perSecond, at: service.now) }) ?? rate.take(perSecond, at: service.now)
    else { return }
    throw HeaderError(
      .rateExceeded, "a connection may send \(service.limits.eventsPerSecond) events a second",
      hint: "limits.eventsPerSecond in the daemon's config sets it",
      facts: ["retryAfter": .number(wait)])
  }

  /// The header of an event: named, or the only one that this connection opened.
  private func eventHeader(_ fields: inout FieldReader) throws(HeaderError) -> HeaderEntry {
    try eventHeader(try fields.text("header").map { .name($0) } ?? .only)
  }

  private func eventHeader(_ target: HeaderTarget) throws(HeaderError) -> HeaderEntry {
    switch target {
    case .name(let name):
      if let last = bindings.latest?.entry, last.isOpen, last.name == name { return last }
      return try header(named: name)
    case .handle(let handle): return try header(at: handle)
    case .only, .none: return try onlyHeader()
    }
  }

  func onlyHeader() throws(HeaderError) -> HeaderEntry {
    if let name = try onlyNameAnywhere() { return try header(named: name) }
    // Somebody else may have closed some of a few; of many there is more than one in any case.
    let mine = opened.count > 8 ? opened : opened.filter { service.table[$0] != nil }
    guard mine.count == 1, let name = mine.first else { throw .noOnlyHeader(mine.count) }
    return try header(named: name)
  }
}

extension JSONWriter {
  /// What was decided about one event.
  mutating func eventAnswer(_ answer: EventAnswer, _ name: EventName) {
    beginObject()
    key("seq")
    integer(Int(answer.seq))
    if let target = answer.targetOffset {
      key("targetOffset")
      value(target.value)
    }
    if let returned = answer.returned {
      key("returned")
      bool(returned)
    }
    if name == .willEndDragging {
      key("rewrittenBy")
      if let delegate = answer.rewrittenBy { string(delegate) } else { null() }
    }
    if let consumed = answer.consumed, let residual = answer.residual {
      key("consumed")
      value(consumed.value)
      key("residual")
      value(residual.value)
    }
    if name == .call {
      key("returned")
      value(answer.result ?? .null)
    }
    endObject()
  }
}
