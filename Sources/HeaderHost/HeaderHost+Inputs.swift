// SPDX-License-Identifier: MIT
//
// How inputs reach headers: events at their publisher's time, calls, changes of structure, chain and code.
//
//     handle(event) ─▶ PublisherBinding ─▶ apply(event) ──╮               ╭─▶ Header.apply ─▶ publish
//     call · configure · change · an answer ──────────────┴─▶ apply(input) ┴─▶ RemoteEngine.order

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderInsight
internal import HeaderJournal
internal import HeaderModel
internal import HeaderWire
internal import HeaderWorker

extension HeaderHost {
  /// Hands one event to its header, at the header's time.
  /// - Parameter work: the command that the event belongs to, if that can wait for a process; it then continues in `takeEvent`.
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
      if !entry.leases.isEmpty { endUnusedLeases(of: entry) }
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
    if entry.remote != nil, let work {
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

  /// Applies an input to a header, in the call or in the header's process. All inputs but plain scrolls come through here.
  /// - Parameters:
  ///   - prepared: the delegate that takes over in a reload; nil: it is made now.
  ///   - work: the command whose event the input belongs to.
  ///   - then: gets the outcome, after the header's states were published.
  func apply(
    _ input: HeaderInput, to entry: HeaderEntry, at time: Instant?, prepared: PreparedDelegate? = nil,
    for work: EventWork? = nil, then: @escaping (Result<HeaderOutcome, HeaderError>) -> Void
  ) {
    guard let remote = entry.remote else { return then(applyHere(input, to: entry, at: time, prepared: prepared)) }
    if entry.isRecorded { record(input, of: entry, at: time) }
    order(.input(input, at: time), of: entry, in: remote, for: work) { [unowned self] result in
      let result = result.map(\.outcome)
      settled(input, of: entry, result)
      then(result)
    }
  }

  /// The same for a header whose engine is in this process.
  private func applyHere(
    _ input: HeaderInput, to entry: HeaderEntry, at time: Instant?, prepared: PreparedDelegate? = nil
  ) -> Result<HeaderOutcome, HeaderError> {
    if entry.isRecorded { record(input, of: entry, at: time) }
    let result = Result { () throws(HeaderError) in
      try entry.header.apply(input, prepared: prepared, at: time, provider: plugins) { publish($0, of: entry) }
    }
    settled(input, of: entry, result)
    if let shadow = entry.log?.shadow?.here { shadow.follow(input, at: time, entry.header, plugins) }
    return result
  }

  /// Saves a header's whole state (`Header.save`).
  func save(_ entry: HeaderEntry, clients: Bool = true, then: @escaping (Result<Value, HeaderError>) -> Void) {
    guard let remote = entry.remote else {
      return then(Result { () throws(HeaderError) in try entry.header.save(clients: clients) })
    }
    order(.save(clients: clients), of: entry, in: remote) { result in
      then(result.then { (outcome) throws(HeaderError) in try outcome.value() })
    }
  }

  /// An input of an earlier life, at its time.
  typealias Step = (input: HeaderInput, time: Instant?)

  /// Applies inputs of an earlier life once more and publishes nothing. An input that was refused then is refused again.
  /// - Parameters:
  ///   - steps: gives one input after the other, each when the header is where the one before it has left it.
  ///   - then: gets why no process has the header any more.
  func replay(
    _ steps: @escaping () -> Step?, into entry: HeaderEntry, then: @escaping (Result<Void, HeaderError>) -> Void
  ) {
    let header = entry.header
    inTurn(steps) { [unowned self] step, next in
      let settled = {
        if header.hasListeners { _ = header.takeClientEvents() }
        next()
      }
      guard let remote = entry.remote else {
        _ = try? header.apply(step.input, at: step.time, provider: plugins)
        return settled()
      }
      order(.input(step.input, at: step.time), of: entry, in: remote) { result in
        if remote.isLost, case .failure(let error) = result { then(.failure(error)) } else { settled() }
      }
    } then: {
      then(.success(()))
    }
  }

  /// An input has come to its end, here or in a process: clients in the chain and recordings hear of it.
  func settled(_ input: HeaderInput, of entry: HeaderEntry, _ result: Result<HeaderOutcome, HeaderError>) {
    if entry.header.hasListeners { notifyListeners(of: entry) }
    if !entry.leases.isEmpty, input.mayEndConstraint { endUnusedLeases(of: entry) }
    for recorder in entry.recorders { recorder.settled(input, result) }
    if entry.isMirrored { fanout.sendOffsets(of: entry) }
    if entry.isPredicted { predict(entry, after: PredictedStep(input)) }
  }

  /// Writes an input down before it happens.
  @inline(__always)
  func record(_ input: HeaderInput, of entry: HeaderEntry, at time: Instant?) {
    journal?.append(input, of: entry, at: time)
  }

  /// Hands an event to a header; its states go out from within.
  /// - Parameters:
  ///   - readAt: when it was read, if it comes from a publisher, so that header time is carried on from there.
  ///   - work: as in `handle`.
  func apply(
    _ event: ScrollEvent, at time: Instant?, to entry: HeaderEntry, readAt: MonotonicTime? = nil,
    for work: EventWork? = nil
  ) throws(HeaderError) -> EventAnswer {
    if let work, entry.remote != nil {
      apply(.event(event), to: entry, at: time, for: work) { [unowned self] in takeEvent(work, $0) }
      return EventAnswer()
    }
    return try take(applyHere(.event(event), to: entry, at: time), entry, readAt: readAt)
  }

  /// Takes the outcome of an event and reports its failure.
  func take(
    _ result: Result<HeaderOutcome, HeaderError>, _ entry: HeaderEntry, readAt: MonotonicTime?
  ) throws(HeaderError) -> EventAnswer {
    defer {
      if let readAt, entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: readAt) }
      schedule(entry)
    }
    // The event waits for a client, so nothing is decided yet: HeaderHost+Log.swift resumes it.
    guard case .decided(let answer) = try result.get() else { return EventAnswer() }
    if answer.hasFailure, let failure = answer.failure { context.warn(of: failure, in: entry) }
    return answer
  }

  /// Hands a call or new options to a header, which no publisher's clock belongs to. In a `live` header it happens now, by the
  /// daemon's clock; elsewhere time stands still between events.
  func call(
    _ event: ScrollEvent, of entry: HeaderEntry, then: @escaping (Result<EventAnswer, HeaderError>) -> Void
  ) {
    context.counters.events += 1
    entry.eventCount += 1
    let (isLive, now) = (entry.header.frames == .live, now)
    let time = isLive ? entry.presentTime(at: now) ?? Instant(nanoseconds: now.nanoseconds) : nil
    apply(.event(event), to: entry, at: time) { [unowned self] result in
      let answer = Result { () throws(HeaderError) in try take(result, entry, readAt: nil) }
      if isLive, case .success = answer, entry.clock.time(at: now) == nil {
        entry.clock.happened(at: entry.header.now, steady: now)
        schedule(entry)
      }
      then(answer)
    }
  }

  /// Changes a header's structure; one more input of its ordered stream.
  func configure(
    _ entry: HeaderEntry, given: Value.Record, then: @escaping (Result<Void, HeaderError>) -> Void
  ) throws(HeaderError) {
    let leaders = entry.header.description.leaders
    if given["drawers"] != nil {
      var unknown: [UnknownField] = []
      try checkFollowing(try entry.header.description(changedBy: given, &unknown))
    }
    change(entry, .configure(given)) { [unowned self] result in
      // The request was warned of unknown keys already.
      if case .success = result { _ = entry.header.takeRemarks() }
      if entry.isOpen { updateFollowing(entry, before: leaders) }
      then(result.map { _ in })
    }
  }

  /// Applies a change of the structure, of the chain or of a delegate's code.
  /// - Parameters:
  ///   - prepared: the delegate that takes over in a reload; nil: it is made now.
  ///   - then: gets the place of a delegate that was added.
  func change(
    _ entry: HeaderEntry, _ input: HeaderInput, prepared: PreparedDelegate? = nil,
    then: @escaping (Result<Int, HeaderError>) -> Void
  ) {
    apply(input, to: entry, at: changeTime(of: entry), prepared: prepared) { [unowned self] result in
      schedule(entry)
      then(result.map { if case .added(let place) = $0 { place } else { 0 } })
    }
  }

  /// Header time for a change that no publisher's clock belongs to.
  func changeTime(of entry: HeaderEntry) -> Instant? {
    entry.header.frames == .live ? entry.presentTime(at: now) : nil
  }
}

// MARK: - How states go on

extension HeaderHost {
  /// A state of a header is about to be sent.
  func follow(_ state: borrowing HeaderState, of entry: HeaderEntry) {
    guard entry.ahead != nil, let log = entry.log, log.forecast.move(to: state) else {
      entry.log?.forecast = Forecast()
      entry.ahead = nil
      return
    }
    entry.ahead = log.forecast.member(of: state.seq)
  }

  /// An input of a header has come to its end.
  /// - Parameter step: what is known to have happened, and nothing else.
  func predict(_ entry: HeaderEntry, after step: PredictedStep?) {
    entry.scroller = nil
    guard let step else { return doubt(entry) }
    if entry.ahead != nil, let log = entry.log {
      // A state that was sent has moved it already.
      if step == .scroll, log.forecast.offset == entry.header.state.trackedOffset { return }
      if step == .scroll ? log.forecast.move(to: entry.header.state) : log.forecast.beginDrag(entry.header.state) {
        entry.ahead = log.forecast.member(of: entry.header.state.seq)
        if step == .beginDrag { fanout.sendAhead(of: entry) }
        return
      }
    }
    // The content is moving, so what follows goes out with this turn: a state alone would stand still until a trial.
    if entry.remote == nil, trials.takeTurn(of: entry, at: now) { tryOut(entry) } else { doubt(entry) }
  }

  /// What was said of a header may hold no more: no state says it before the header was tried out.
  private func doubt(_ entry: HeaderEntry) {
    if entry.ahead != nil { entry.ahead = nil }
    trials.add(entry)
  }

  /// Finds out how one of the headers that wait for it goes on, and sends that.
  func tryOut() {
    guard let entry = trials.next(at: now), entry.isOpen, entry.isPredicted else { return }
    tryOut(entry)
  }

  private func tryOut(_ entry: HeaderEntry) {
    let log = entry.makeLog()
    let said = log.forecast
    log.forecast = entry.remote == nil ? Forecast(of: entry.header, plugins) : Forecast()
    entry.ahead = log.forecast.member(of: entry.header.state.seq)
    if !log.forecast.isSame(as: said) || entry.owesAhead && entry.ahead != nil { fanout.sendAhead(of: entry) }
  }
}

/// What a forecast says of.
enum PredictedStep {
  case scroll, beginDrag

  /// - Returns: nil: another one.
  fileprivate init?(_ input: HeaderInput) {
    switch input {
    case .scroll: self = .scroll
    case .event(let event):
      switch event.kind {
      case .didScroll: self = .scroll
      case .willBeginDragging: self = .beginDrag
      default: return nil
      }
    default: return nil
    }
  }
}
