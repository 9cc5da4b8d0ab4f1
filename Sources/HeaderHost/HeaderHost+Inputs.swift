// SPDX-License-Identifier: MIT
//
// How inputs reach headers: events at their publisher's time, calls, changes of structure, chain and code.
//
//     handle(event) ─▶ PublisherBinding ─▶ apply(event) ──╮
//     call · configure · change · an answer ──────────────┴─▶ apply(input) ─▶ Header.apply ─▶ publish

internal import Fanout
internal import HeaderCore
internal import HeaderJournal
internal import HeaderWire

extension HeaderHost {
  /// Hands one event to its header, at the header's time.
  /// - Parameter work: the command that it belongs to, if that can wait for a worker; it then goes on in `workerEnded`.
  func handle(
    _ timed: TimedEvent, of entry: HeaderEntry, from client: Client, at path: Path, for work: EventWork? = nil
  ) throws(HeaderError) -> EventAnswer {
    guard case .setOptions(let options, _) = timed.event.kind else {
      return try handleChecked(timed, of: entry, from: client, at: path, for: work)
    }
    try client.writer.connection.peer.permit(.setOptions, header: entry.name)
    try checkSize(of: options, at: (path + "options").text)
    try entry.account?.requireMemory(for: "setOptions")
    defer { entry.chargeMemory() }
    return try handleChecked(timed, of: entry, from: client, at: path, for: work)
  }

  private func handleChecked(
    _ timed: TimedEvent, of entry: HeaderEntry, from client: Client, at path: Path, for work: EventWork?
  ) throws(HeaderError) -> EventAnswer {
    context.counters.events += 1
    noteLease(timed.event, of: entry, client)
    entry.eventCount += 1
    do {
      guard let known = client.bindings.binding(to: entry) else {
        return try handleFirst(timed, of: entry, from: client, at: path, for: work)
      }
      if context.eventAges != nil { noteAge(of: timed.time, known) }
      let time = try known.clock.headerTime(of: timed.time, readAt: context.readTime, at: path)
      return try apply(timed.event, at: time, to: entry, readAt: context.readTime, for: work)
    } catch {
      throw error.ofEvent(at: path).of(header: entry.name)
    }
  }

  /// The first event of a connection for a header. It is a publisher once one has got through to it.
  private func handleFirst(
    _ timed: TimedEvent, of entry: HeaderEntry, from client: Client, at path: Path, for work: EventWork?
  ) throws(HeaderError) -> EventAnswer {
    let readAt = context.readTime
    var clock = PublisherClock(first: timed.time, readAt: readAt, present: entry.presentTime(at: readAt))
    let time = try clock.headerTime(of: timed.time, readAt: readAt, at: path)
    if entry.seat != nil, let work {
      work.firstClock = clock
      return try apply(timed.event, at: time, to: entry, readAt: context.readTime, for: work)
    }
    defer { bind(client, to: entry, clock) }
    return try apply(timed.event, at: time, to: entry, readAt: context.readTime)
  }

  func bind(_ client: Client, to entry: HeaderEntry, _ clock: PublisherClock) {
    guard entry.header.hasTime else { return }
    client.bindings.insert(PublisherBinding(entry, clock))
    entry.publishers.insert(client.id)
  }

  /// Hands an input to a header; its states go out from within, and what clients in its chain are to be sent afterwards. All
  /// inputs but the plain scrolls of `tryHandle` come through here.
  /// - Parameter prepared: the delegate that takes over in a reload; nil: it is made now.
  func apply(
    _ input: HeaderInput, to entry: HeaderEntry, at time: Instant?, prepared: PreparedDelegate? = nil
  ) throws(HeaderError) -> HeaderOutcome {
    if entry.isRecorded { record(input, of: entry, at: time) }
    let result = Result { () throws(HeaderError) in
      try entry.engine.apply(input, at: time, prepared: prepared, provider: plugins) { publish($0, of: entry) }
    }
    settled(input, of: entry, result)
    if let shadow = entry.log?.shadow?.here { shadow.follow(input, at: time, entry.header, plugins) }
    return try result.get()
  }

  /// An input has come to its end, here or in a process: clients in the chain and recordings hear of it.
  func settled(_ input: HeaderInput, of entry: HeaderEntry, _ result: Result<HeaderOutcome, HeaderError>) {
    if entry.header.hasListeners { notifyListeners(of: entry) }
    for recorder in entry.recorders { recorder.settled(input, result) }
  }

  /// Writes an input down before it happens.
  @inline(__always)
  func record(_ input: HeaderInput, of entry: HeaderEntry, at time: Instant?) {
    journal?.append(input, of: entry, at: time)
  }

  /// Sends an input to the header's worker; what comes of it comes later, to `workerEnded`.
  func send(_ input: HeaderInput, to entry: HeaderEntry, _ seat: WorkerSeat, at time: Instant?, _ sent: SentInput) {
    if entry.isRecorded { record(input, of: entry, at: time) }
    entry.log?.stage = .sent(sent)
    seat.send(input, at: time)
    // What is due by itself waits for its end.
    schedule(entry)
  }

  /// Hands an event to a header; its states go out from within.
  /// - Parameters:
  ///   - readAt: when it was read, if it comes from a publisher, so that header time is carried on from there.
  ///   - work: as in `handle`.
  func apply(
    _ event: ScrollEvent, at time: Instant?, to entry: HeaderEntry, readAt: Int64? = nil,
    for work: EventWork? = nil
  ) throws(HeaderError) -> EventAnswer {
    if let work, let seat = entry.seat {
      send(.event(event), to: entry, seat, at: time, .event(work))
      return EventAnswer()
    }
    let result = Result { () throws(HeaderError) in try apply(.event(event), to: entry, at: time) }
    return try take(result, entry, readAt: readAt)
  }

  /// What came of an event: its failure is told.
  func take(
    _ result: Result<HeaderOutcome, HeaderError>, _ entry: HeaderEntry, readAt: Int64?
  ) throws(HeaderError) -> EventAnswer {
    defer {
      if let readAt, entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: readAt) }
      schedule(entry)
    }
    // Waiting for a client, it is not decided yet: HeaderHost+Log.swift goes on.
    guard case .decided(let answer) = try result.get() else { return EventAnswer() }
    if answer.hasFailure, let failure = answer.failure { warn(of: failure, in: entry) }
    return answer
  }

  /// Hands a call or new options to a header, which no publisher's clock belongs to. In a `live` header it happens now, by the
  /// daemon's clock; elsewhere time stands still between events.
  func call(_ event: ScrollEvent, of entry: HeaderEntry) throws(HeaderError) -> EventAnswer {
    context.counters.events += 1
    entry.eventCount += 1
    guard entry.header.frames == .live else { return try apply(event, at: nil, to: entry) }
    let time = entry.presentTime(at: now) ?? Instant(nanoseconds: now)
    let answer = try apply(event, at: time, to: entry)
    if entry.clock.time(at: now) == nil {
      entry.clock.happened(at: entry.header.now, steady: now)
      schedule(entry)
    }
    return answer
  }

  /// Changes a header's structure; one more input of its ordered stream.
  func configure(_ entry: HeaderEntry, given: Value.Record) throws(HeaderError) {
    let leaders = entry.header.description.leaders
    if given["drawers"] != nil {
      var unknown: [UnknownField] = []
      try checkFollowing(try entry.header.description(changedBy: given, &unknown))
    }
    defer {
      schedule(entry)
      updateFollowing(entry, before: leaders)
    }
    _ = try apply(.configure(given), to: entry, at: changeTime(of: entry))
    // The request was warned of unknown keys already.
    _ = entry.header.takeRemarks()
  }

  /// Applies a change of the chain or of a delegate's code.
  /// - Parameter prepared: the delegate that takes over in a reload; nil: it is made now.
  /// - Returns: the place of a delegate that was added.
  @discardableResult
  func change(
    _ entry: HeaderEntry, _ input: HeaderInput, prepared: PreparedDelegate? = nil
  ) throws(HeaderError) -> Int {
    defer { schedule(entry) }
    let outcome = try apply(input, to: entry, at: changeTime(of: entry), prepared: prepared)
    if case .added(let place) = outcome { return place }
    return 0
  }

  /// Header time for a change that no publisher's clock belongs to.
  func changeTime(of entry: HeaderEntry) -> Instant? {
    entry.header.frames == .live ? entry.presentTime(at: now) : nil
  }
}
