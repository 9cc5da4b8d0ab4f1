// SPDX-License-Identifier: MIT
//
// `event`: single ones and batches (headerd-events(7)). A batch is only a shorter way to write: each event makes its own state, the first
// bad one ends it, those before stay done.
//
// A delegate that fails during an event does not make the event bad: it is bypassed, the event was handled, the state was published. So a
// batch continues, and its answer has the first such failure.

internal import Fanout
internal import HeaderModel
internal import HeaderWire

extension RequestHandler {
  /// Handles an event whose fields the decoder has read already.
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

  /// The outcome of one event; nil while a client is asked.
  private func single(_ timed: TimedEvent, of entry: HeaderEntry, at path: Path) throws(HeaderError) -> Reply? {
    if entry.mayHaveToWait {
      return try host.begin(EventWork([timed], for: self, of: entry, at: path, isBatch: false, keepsAnswers: true))
    }
    if entry.isPredicted { entry.scroller = command.address == .notification ? client.subscriber : nil }
    let answer = try host.handle(timed, of: entry, from: client, at: path)
    if answer.hasFailure, let failure = answer.failure { throw failure.of(header: entry.name) }
    return .event(answer, timed.event.kind.name)
  }

  private mutating func batch(
    _ list: [Value], of entry: HeaderEntry, at path: Path
  ) throws(HeaderError) -> Reply? {
    guard !list.isEmpty else {
      throw .unexpected(.list(list), at: path, needed: "at least one event", expected: "list")
    }
    try checkCount(list.count)
    var (events, end) = ([TimedEvent](), HeaderError?.none)
    do throws(HeaderError) {
      for value in list {
        try takeRate()
        events.append(try TimedEvent(value, at: path[events.count], unknown: &unknown))
      }
    } catch {
      end = error
    }
    return try begin(events, end, of: entry, at: path, keepsAnswers: true)
  }

  private func checkCount(_ count: Int) throws(HeaderError) {
    guard count > limits.batchEvents else { return }
    throw .limit(
      "batchEvents", limits.batchEvents,
      "params.events: a batch has at most \(limits.batchEvents) events, got \(count)", field: "params.events")
  }

  /// Begins with a batch.
  /// - Parameter end: why the event behind these is none; those before it come first.
  private func begin(
    _ events: [TimedEvent], _ end: HeaderError?, of entry: HeaderEntry, at path: Path, keepsAnswers: Bool
  ) throws(HeaderError) -> Reply? {
    let work = EventWork(events, for: self, of: entry, at: path, isBatch: true, keepsAnswers: keepsAnswers)
    work.end = end?.of(header: entry.name).at(index: events.count)
    return try host.begin(work)
  }

  mutating func events(_ events: FrameEvents) throws(HeaderError) -> Reply? {
    let entry = try eventHeader(command.header)
    // The reply has an answer for each event, unless the client wants none.
    let keepsAnswers = command.address != .notification
    let (isBatch, path) = (events.isBatch, events.isBatch ? Path("params") + "events" : Path("params"))
    guard events.count > 0 else {
      throw .unexpected(.list([]), at: path, needed: "at least one event", expected: "list")
    }
    try checkCount(events.count)
    let handler = self
    var (all, end, fields) = ([TimedEvent](), HeaderError?.none, unknown)
    var timed = TimedEvent(ScrollEvent(.didScroll))
    do throws(HeaderError) {
      try events.forEach { (record, place) throws(HeaderError) in
        try handler.takeRate()
        if !record.read(into: &timed) {
          timed = try handler.timed(record, at: isBatch ? path[place] : path, &fields)
        }
        all.append(timed)
      }
    } catch {
      guard isBatch else { throw error.of(header: entry.name) }
      end = error
    }
    unknown = fields
    guard !isBatch else { return try begin(all, end, of: entry, at: path, keepsAnswers: keepsAnswers) }
    return try single(all[0], of: entry, at: path)
  }

  /// A frame's event field by field. Its time keeps the nanoseconds that a number of seconds would round.
  private func timed(
    _ record: EventRecord, at path: Path, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> TimedEvent {
    var timed = try TimedEvent(.record(try record.fields(at: path)), at: path, unknown: &unknown)
    if let time = record.time { timed.time = time }
    return timed
  }

  private func takeRate() throws(HeaderError) {
    try client.takeEvent(ofConnection: limits.eventsPerSecond, at: host.now)
  }

  /// The header of an event: named, or the only one that this connection opened.
  private func eventHeader(_ target: HeaderTarget) throws(HeaderError) -> HeaderEntry {
    switch target {
    case .name(let name):
      // A connection that is bound to a header may publish to it.
      if let last = client.bindings.latest?.entry, last.isOpen, last.name == name { return last }
      return try header(named: name)
    case .handle(let handle): return try header(at: handle)
    case .only, .none: return try host.onlyHeader(of: client)
    }
  }
}
