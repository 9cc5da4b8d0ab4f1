// SPDX-License-Identifier: MIT
//
// What happens around a header that waits for a client (headerd-delegates(7)), or whose plugin is being reloaded.
// Nothing blocks: the event is parked in the header, every other command for that header queues as it came, other headers go
// on.
//
//     event ─▶ header waits ─▶ delegate.ask ─▶ … ─▶ answer, or the deadline ─▶ the rest of the chain ─▶ state, answer
//     later commands for the header ─▶ queue ──────────────────────────────────────────────────────────▶ one by one
//
// The queue is bounded by stopping to read from who fills it (Gateway); its length in time is bounded too: an event that has
// waited for long is not shown to clients any more.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

extension HeaderHost {
  /// Begins with the events of a command for a header with clients that are asked.
  /// - Returns: nil when one of them waits.
  func begin(_ work: EventWork) throws(HeaderError) -> Reply? {
    if let outcome = advance(work) { return try outcome.get() }
    work.command.client.openCommands += 1
    return nil
  }

  /// Goes on with a command's events until all are done or one of them waits.
  /// - Returns: what the command is answered with; nil: it waits.
  private func advance(_ work: EventWork) -> Result<Reply, HeaderError>? {
    let entry = work.entry
    do {
      while true {
        if entry.waiting?.flight != nil {
          return nil
        } else if entry.header.isWaiting {
          guard let reason = ask(work) else { return nil }
          resume(work, .passedOver(reason))
        } else if work.isAtEnd {
          return .success(try work.reply())
        } else {
          try beginNext(of: work)
        }
      }
    } catch {
      return .failure(error)
    }
  }

  private func beginNext(of work: EventWork) throws(HeaderError) {
    do {
      let answer = try handle(
        work.events[work.next], of: work.entry, from: work.command.client, at: work.eventPath, for: work)
      if work.entry.waiting?.flight == nil, !work.entry.header.isWaiting { work.take(answer) }
    } catch {
      throw work.isBatch ? error.at(index: work.next) : error
    }
  }

  /// Gives the event that waits an answer, or none, and takes what comes of it.
  private func resume(_ work: EventWork, _ reply: DelegateReply) {
    let entry = work.entry
    let name = entry.header.waitsFor ?? ""
    work.asked.append(.record(reply.recorded(of: name)))
    if let seat = entry.seat { return send(.answer(reply), to: entry, seat, at: nil, .answer(work, name)) }
    takeAnswered(work, name, try? apply(.answer(reply), to: entry, at: nil))
  }

  /// What came of a client's answer.
  private func takeAnswered(_ work: EventWork, _ name: String, _ outcome: HeaderOutcome?) {
    let entry = work.entry
    if let remarks = entry.header.takeRemarks(), let client = entry.waiting?.clients[name] {
      if let refusal = remarks.refusal { reportWrongAnswer(refusal.of(header: entry.name), of: name, to: client) }
      if !remarks.unknown.isEmpty { client.writer.reportUnknown(remarks.unknown) }
    }
    guard case .decided(let answer)? = outcome else { return }
    for recorder in entry.recorders { recorder.step(.event(work.event), answer, asked: work.asked) }
    if let failure = answer.failure { warn(of: failure, in: entry) }
    work.take(answer)
  }

  /// A question has come to its end.
  func settle(_ entry: HeaderEntry, _ reply: DelegateReply) {
    guard let waiting = entry.waiting, let work = waiting.work, waiting.question != nil else { return }
    waiting.question = nil
    resume(work, reply)
    goOn(work)
  }

  /// Goes on with a command; once it is done, with those behind it.
  private func goOn(_ work: EventWork) {
    if let outcome = advance(work) { end(work, outcome) }
    schedule(work.entry)
  }

  private func end(_ work: EventWork, _ outcome: Result<Reply, HeaderError>) {
    work.entry.waiting?.work = nil
    journal?.workEnded(of: work.entry)
    if case .done = answer(work.command, outcome, isOpen: true) { finish(work.command.slot, of: work.command.client) }
    serveQueue(of: work.entry)
  }

  // MARK: - Workers

  /// Goes on with the headers whose workers have ended an input.
  func takeWorkersEnds() {
    // One after the other: what comes of one may wait for another.
    while true {
      if let input = workers.ended.popFirst() {
        workerEnded(input)
      } else if let entry = workers.restarted.popFirst() {
        guard entry.isOpen else { continue }
        journal?.restartAnew(entry)
        schedule(entry)
      } else if let entry = workers.lost.popFirst() {
        if entry.isOpen { lose(entry) }
      } else {
        break
      }
    }
    workers.flush()
  }

  /// An input that was sent to a worker is done.
  private func workerEnded(_ input: EndedInput) {
    let (entry, result) = (input.entry, input.result)
    guard let waiting = entry.waiting else { return }
    if let scroll = waiting.scrolls.popFirst() {
      scrollEnded(scroll, input)
      if waiting.scrolls.isEmpty { serveQueue(of: entry) }
      return schedule(entry)
    }
    guard let flight = waiting.flight else { return }
    waiting.flight = nil
    if entry.header.hasListeners { notifyListeners(of: entry) }
    switch flight {
    case .due:
      do { _ = try take(result, of: ScrollEvent(.advance(frameDuration: nil)), entry, readAt: nil) } catch {
        context.log.log(.error, "advanceRefused", [("header", entry.name), ("reason", error.message)])
      }
      serveQueue(of: entry)
    case .answer(let work, let name):
      takeAnswered(work, name, try? result.get())
      goOn(work)
    case .event(let work): takeEvent(work, result)
    }
  }

  private func scrollEnded(_ scroll: SentScroll, _ input: EndedInput) {
    let entry = input.entry
    entry.clock.happened(at: entry.header.now, steady: scroll.readAt)
    if let failure = input.failure {
      warn(of: failure, in: entry)
      scroll.client.writer.refuse(.notification, failure.of(header: entry.name))
    }
    finish(scroll.slot, of: scroll.client)
  }

  private func takeEvent(_ work: EventWork, _ result: Result<HeaderOutcome, HeaderError>) {
    let (entry, event) = (work.entry, work.event)
    if let clock = work.firstClock { bind(work.command.client, to: entry, clock) }
    work.firstClock = nil
    if case .setOptions = event.kind { entry.chargeMemory() }
    do {
      let answer = try take(result, of: event, entry, readAt: work.readAt)
      if !entry.header.isWaiting { work.take(answer) }
    } catch {
      let refusal = error.ofEvent(at: work.eventPath).of(header: entry.name)
      end(work, .failure(work.isBatch ? refusal.at(index: work.next) : refusal))
      return schedule(entry)
    }
    goOn(work)
  }

  /// Waits for the worker of a header that has an input of it.
  private func land(_ entry: HeaderEntry) {
    while entry.waiting?.isSent ?? false, let seat = entry.seat {
      seat.finish()
      takeWorkersEnds()
      if !entry.isOpen { return }
    }
  }

  /// No process has the header any more: it closes, and what waits for it goes on behind that.
  private func lose(_ entry: HeaderEntry) {
    guard let waiting = entry.waiting else { return }
    let wasServing = waiting.isServing
    waiting.isServing = true
    while let scroll = waiting.scrolls.popFirst() { finish(scroll.slot, of: scroll.client) }
    (waiting.flight, waiting.question) = (nil, nil)
    if let work = waiting.work {
      let error = HeaderError(.behaviorFailed, "the process of its plugins does not stay alive")
      end(work, .failure(error.of(header: entry.name)))
    }
    close(entry, reason: "failed")
    waiting.isServing = wasServing
    if !wasServing { serveQueue(of: entry) }
  }

  /// Answers a command, now or when what it did is safe.
  /// - Parameter isOpen: whether it is counted as open already.
  func answer(_ command: PerformedCommand, _ result: Result<Reply, HeaderError>, isOpen: Bool) -> Progress {
    guard let journal, journal.holds(command) else {
      send(result, to: command)
      announce(result)
      return .done
    }
    if !isOpen { command.client.openCommands += 1 }
    journal.hold(command, result)
    // Subscribers do not wait for the disk; and when the answer leaves, the header may be gone.
    announce(result)
    return .open
  }

  private func announce(_ result: Result<Reply, HeaderError>) {
    if case .success(.opened(let entry, true)) = result { fanout.announce(entry) }
  }

  /// Sends the answer to a command, and what follows it.
  func send(_ result: Result<Reply, HeaderError>, to command: PerformedCommand) {
    let reply: Reply
    switch result {
    case .success(let value): reply = value
    case .failure(let error): return command.client.writer.refuse(command.address, error)
    }
    command.client.writer.answer(command.address, reply, command.unknown)
    if case .traceBegun(let recorder) = reply { recorder.begin() }
  }

  /// A command that was left open is done.
  func finish(_ slot: Int, of client: Client) {
    client.openCommands -= 1
    client.origin?.commandIsDone(slot: slot)
    if client.openCommands == 0, client.hasLeft { disconnect(client, isDraining: false) }
  }

  /// Handles what has queued for a header, until it waits again.
  func serveQueue(of entry: HeaderEntry) {
    guard let waiting = entry.waiting, !waiting.isServing, !waiting.isPrepared else { return }
    waiting.isServing = true
    defer {
      waiting.isServing = false
      schedule(entry)
    }
    while waiting.work == nil {
      if !waiting.leaving.isEmpty {
        removeClient(waiting.leaving.removeFirst(), of: entry)
      } else if let queued = waiting.queue.popFirst() {
        serve(queued, of: entry)
      } else {
        return
      }
    }
  }

  private func serve(_ queued: QueuedCommand, of entry: HeaderEntry) {
    let readTime = context.readTime
    context.readTime = queued.readAt
    defer { context.readTime = readTime }
    // Its header may be gone: another one of that name may not be free, and the command waits there.
    let progress =
      entry.isOpen
      ? perform(queued.command, from: queued.client, slot: queued.slot)
      : handle(queued.command, from: queued.client, slot: queued.slot)
    switch progress {
    case .done: finish(queued.slot, of: queued.client)
    // It was counted when it queued, and once more now.
    case .open: queued.client.openCommands -= 1
    }
  }

  /// Lets everything that waits for a header happen now, without asking clients.
  func hurry(_ entry: HeaderEntry, _ reason: String) {
    guard entry.isBusy, let waiting = entry.waiting, !waiting.isServing else { return }
    waiting.hurry = reason
    repeat {
      land(entry)
      settle(entry, .passedOver(reason))
      serveQueue(of: entry)
    } while waiting.isSent && entry.isOpen
    waiting.hurry = nil
  }

  /// The daemon is about to end: nobody is waited for any more.
  public func finishWaiting() {
    for entry in table.entries(where: \.isBusy) { hurry(entry, "the daemon ends") }
  }
}
