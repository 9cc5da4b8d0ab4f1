// SPDX-License-Identifier: MIT
//
// `event`: single ones and batches (headerd-events(7)). A batch is only a shorter way to write: each event
// makes its own state, the first bad one ends it, those before stay done.
//
// A delegate that fails during an event does not make the event bad: it is bypassed, the event was handled, the state went
// out. A batch therefore goes on, and is answered with the first such failure at its end.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

extension RequestHandler {
  /// A usual event.
  func event(_ timed: TimedEvent) throws(HeaderError) -> Reply? {
    let entry = try eventHeader(command.header)
    try takeRate()
    return try single(timed, of: entry, at: Path("params"))
  }

  /// Any event, or a batch of them.
  mutating func event(_ given: FieldReader) throws(HeaderError) -> Reply? {
    var fields = given
    let params = try EventParameters(&fields)
    let entry = try eventHeader(params.header.map { .name($0) } ?? .only)
    guard let list = params.list else {
      do {
        try takeRate()
        return try single(try TimedEvent(fields, unknown: &unknown), of: entry, at: fields.path)
      } catch {
        throw error.of(header: entry.name)
      }
    }
    unknown += fields.unknown
    return try batch(list, of: entry, at: fields.path + "events")
  }

  /// What became of one event; nil where a client is asked and it comes later.
  private func single(_ timed: TimedEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> Reply? {
    if entry.mayHaveToWait {
      return try host.begin(EventWork([timed], for: self, of: entry, at: path, isBatch: false, keepsAnswers: true))
    }
    return .event(try decided(timed, of: entry, at: path), timed.event.kind.name)
  }

  /// The same where no client is asked.
  @discardableResult
  private func decided(_ timed: TimedEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> EventAnswer {
    let answer = try host.handle(timed, of: entry, from: client, at: path)
    if answer.hasFailure, let failure = answer.failure { throw failure.of(header: entry.name) }
    return answer
  }

  private mutating func batch(
    _ list: [Value], of entry: HeaderEntry, at path: Path
  ) throws(HeaderError) -> Reply? {
    guard !list.isEmpty else {
      throw .unexpected(.list(list), at: path, needed: "at least one event", expected: "list")
    }
    var batch = try Batch(of: entry, count: list.count, keepsAnswers: true, limits)
    for (index, value) in list.enumerated() {
      do {
        try takeRate()
        try batch.add(try TimedEvent(value, at: path[index], unknown: &unknown), at: path[index], by: self)
      } catch {
        try batch.end(with: error.of(header: entry.name).at(index: index))
        break
      }
    }
    return try batch.reply(by: self, at: path)
  }

  /// The events of a frame.
  mutating func events(_ events: FrameEvents) throws(HeaderError) -> Reply? {
    let entry = try eventHeader(command.header)
    // What is decided about each event goes into the reply; left out where nobody wants an answer.
    let keepsAnswers = command.address != .notification
    guard events.isBatch else {
      try takeRate()
      let handler = self
      var timed: TimedEvent?
      var fields = unknown
      do {
        try events.forEach { (record, _) throws(HeaderError) in
          timed = try handler.timed(record, at: Path("params"), &fields)
        }
      } catch {
        throw error.of(header: entry.name)
      }
      unknown = fields
      guard let timed else { preconditionFailure("the frame has one event") }
      return try single(timed, of: entry, at: Path("params"))
    }
    let path = Path("params") + "events"
    guard events.count > 0 else {
      throw .unexpected(.list([]), at: path, needed: "at least one event", expected: "list")
    }
    let handler = self
    var batch = try Batch(of: entry, count: events.count, keepsAnswers: keepsAnswers, limits)
    var fields = unknown
    defer { unknown = fields }
    var timed = TimedEvent(ScrollEvent(.didScroll))
    var index = 0
    do throws(HeaderError) {
      try events.forEach { (record, place) throws(HeaderError) in
        index = place
        try handler.takeRate()
        if !record.read(into: &timed) { timed = try handler.timed(record, at: path[place], &fields) }
        try batch.add(timed, at: path[place], by: handler)
        index = place + 1
      }
    } catch {
      try batch.end(with: error.of(header: entry.name).at(index: index))
    }
    return try batch.reply(by: self, at: path)
  }

  /// A frame's event field by field. Its time keeps the nanoseconds that a number of seconds would round.
  private func timed(
    _ record: EventRecord, at path: Path, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> TimedEvent {
    var timed = try TimedEvent(.record(try record.fields(at: path)), at: path, unknown: &unknown)
    if let time = record.time { timed.time = time }
    return timed
  }

  /// A batch under way: each event makes its own state, and what was decided is answered at the end.
  private struct Batch {
    private let entry: HeaderEntry
    private let keepsAnswers: Bool
    private var answers: [(answer: EventAnswer, name: EventName)] = []
    private var count = 0
    private var failure: HeaderError?
    /// Where clients are asked, events may have to wait: they are only gathered here, up to the first bad one.
    private var gathered: [TimedEvent]?
    private var end: HeaderError?

    init(of entry: HeaderEntry, count: Int, keepsAnswers: Bool, _ limits: Limits) throws(HeaderError) {
      guard count <= limits.batchEvents else {
        throw .limit(
          "batchEvents", limits.batchEvents,
          "params.events: a batch has at most \(limits.batchEvents) events, got \(count)", field: "params.events")
      }
      self.entry = entry
      self.keepsAnswers = keepsAnswers
      if entry.mayHaveToWait { gathered = [] }
    }

    mutating func add(_ timed: TimedEvent, at path: Path, by handler: RequestHandler) throws(HeaderError) {
      if gathered != nil {
        gathered?.append(timed)
        return
      }
      let answer = try handler.host.handle(timed, of: entry, from: handler.client, at: path)
      if keepsAnswers { answers.append((answer, timed.event.kind.name)) }
      if failure == nil, let failed = answer.failure { failure = failed.of(header: entry.name).at(index: count) }
      count += 1
    }

    /// A bad event ends the batch; where events are gathered, those before it come first.
    mutating func end(with error: HeaderError) throws(HeaderError) {
      guard gathered != nil else { throw error }
      end = error
    }

    /// - Returns: nil when an event waits for a client.
    func reply(by handler: RequestHandler, at path: Path) throws(HeaderError) -> Reply? {
      if let gathered {
        let work = EventWork(gathered, for: handler, of: entry, at: path, isBatch: true, keepsAnswers: keepsAnswers)
        work.end = end
        return try handler.host.begin(work)
      }
      if let failure { throw failure }
      return .events(seq: entry.header.state.seq, answers)
    }
  }

  private func takeRate() throws(HeaderError) {
    try client.takeEvent(ofConnection: limits.eventsPerSecond, at: host.now)
  }

  /// The header of an event: named, or the only one that this connection opened.
  private func eventHeader(_ target: HeaderTarget) throws(HeaderError) -> HeaderEntry {
    switch target {
    case .name(let name):
      // Whoever is bound to a header may publish to it.
      if let last = client.bindings.latest?.entry, last.isOpen, last.name == name { return last }
      return try header(named: name)
    case .handle(let handle): return try header(at: handle)
    case .only, .none: return try host.onlyHeader(of: client)
    }
  }
}
