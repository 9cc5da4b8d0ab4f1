// SPDX-License-Identifier: MIT
//
// How a header goes on with its log (HeaderLog.swift): events that wait for a client (headerd-delegates(7)) or for
// the header's process, and the commands behind them. An event that waits is parked in the header; other headers go on.
//
//     event ─▶ header waits ─▶ delegate.ask ─▶ … ─▶ answer, or the deadline ─▶ the rest of the chain ─▶ state, answer
//     later commands for the header ─▶ queue ──────────────────────────────────────────────────────────▶ one by one
//
// What ends a wait sets the stage to running, and `run` does the rest.
//
// The queue is bounded by stopping to read from who fills it (Gateway); its length in time is bounded too: an event that has
// waited for long is not shown to clients any more.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

extension HeaderHost {
  /// Begins with the events of a command for a header with clients that are asked.
  /// - Returns: nil when one of them waits.
  func begin(_ work: EventWork) throws(HeaderError) -> Reply? { try advance(work)?.get() }

  /// Goes on with a command's events until all are done or one of them waits.
  /// - Returns: what the command is answered with; nil: it waits.
  private func advance(_ work: EventWork) -> Result<Reply, HeaderError>? {
    let entry = work.entry
    do {
      while true {
        if entry.log?.isSent ?? false {
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
        work.events[work.next], of: work.entry, from: work.client, at: work.eventPath, for: work)
      if !(work.entry.log?.isSent ?? false), !work.entry.header.isWaiting { work.take(answer) }
    } catch {
      throw work.isBatch ? error.of(header: work.entry.name).at(index: work.next) : error
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
    if let remarks = entry.header.takeRemarks(), let client = entry.log?.clients[name]?.client {
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
    guard let log = entry.log, case .asking(let work, _) = log.stage else { return }
    log.stage = .running
    resume(work, reply)
    run(entry, log, work)
  }

  /// Goes on with a header that runs, until it waits or nothing is queued.
  /// - Parameter work: the command whose event has waited.
  func run(_ entry: HeaderEntry, _ log: HeaderLog, _ work: EventWork? = nil) {
    if let work, let outcome = advance(work) { end(work, outcome) }
    while log.isRunning {
      if !log.own.isEmpty {
        perform(log.own.removeFirst(), of: entry, at: changeTime(of: entry))
      } else if let (command, ticket) = log.queue.popFirst() {
        serve(command, ticket, of: entry)
      } else {
        log.stage = .idle
      }
    }
    schedule(entry)
  }

  /// Has a header handle an input that no command is for; a busy one does so before the commands that wait.
  func submit(_ input: HeaderInput, to entry: HeaderEntry) {
    if let log = entry.log, !log.isIdle { return log.own.append(input) }
    perform(input, of: entry, at: changeTime(of: entry))
  }

  /// Handles an input that no command is for.
  func perform(_ input: HeaderInput, of entry: HeaderEntry, at time: Instant?) {
    guard entry.isOpen else { return }
    // The client may have left before its connection ended, or a leader be none any more.
    switch input {
    case .removeDelegate(let name) where entry.log?.clients[name] == nil: return
    case .lead(let news) where entry.header.description.leaders[news.header] == nil: return
    default: break
    }
    if let seat = entry.seat { return send(input, to: entry, seat, at: time, .own(input)) }
    performed(input, of: entry, Result { () throws(HeaderError) in try apply(input, to: entry, at: time) })
  }

  /// What came of an input that no command is for.
  private func performed(_ input: HeaderInput, of entry: HeaderEntry, _ result: Result<HeaderOutcome, HeaderError>) {
    defer { schedule(entry) }
    do throws(HeaderError) {
      _ = try take(result, entry, readAt: nil)
      if case .removeDelegate(let name) = input { delegateRemoved(name, of: entry) }
    } catch {
      let (level, word) = input.refusal
      context.log.log(level, word, [("header", entry.name), ("reason", error.message)])
    }
  }

  private func serve(_ command: Command, _ ticket: Ticket, of entry: HeaderEntry) {
    let readTime = context.readTime
    context.readTime = ticket.readAt
    defer { context.readTime = readTime }
    // Its header may be gone: another one of that name may not be free, and the command waits there.
    if case .done = entry.isOpen ? perform(command, ticket) : submit(command, ticket) { finish(ticket) }
  }

  private func end(_ work: EventWork, _ outcome: Result<Reply, HeaderError>) {
    journal?.workEnded(of: work.entry)
    if case .done = answer(work.command, outcome) { finish(work.command.ticket) }
  }

  /// Lets everything that waits for a header happen now, without asking clients. A reload of it is dropped.
  func hurry(_ entry: HeaderEntry, _ reason: String) {
    guard let log = entry.log, log.hurry == nil else { return }
    log.hurry = reason
    defer { log.hurry = nil }
    while entry.isOpen {
      switch log.stage {
      case .idle, .running: return
      case .asking: settle(entry, .passedOver(reason))
      case .sent, .scrolling:
        log.seat?.finish()
        takeWorkersEnds()
      case .reloading(let replacement):
        drop(replacement, of: log)
        run(entry, log)
      }
    }
  }

  /// The daemon is about to end: nobody is waited for any more.
  public func finishWaiting() {
    for entry in table.entries(where: \.isBusy) { hurry(entry, "the daemon ends") }
  }

  // MARK: - Workers

  /// Goes on with the headers whose workers have ended an input.
  func takeWorkersEnds() {
    // One after the other: what comes of one may wait for another.
    while let news = workers.news.popFirst() {
      switch news {
      case .ended(let entry, let result, let failure): workerEnded(entry, result, failure)
      case .restarted(let entry) where entry.isOpen:
        journal?.restartAnew(entry)
        schedule(entry)
      case .lost(let entry) where entry.isOpen: lose(entry)
      case .restarted, .lost: break
      }
    }
    workers.flush()
  }

  /// An input that was sent to a worker is done.
  private func workerEnded(
    _ entry: HeaderEntry, _ result: Result<HeaderOutcome, HeaderError>, _ failure: HeaderError?
  ) {
    guard let log = entry.log else { return }
    if let scroll = log.popScroll() {
      entry.clock.happened(at: entry.header.now, steady: scroll.readAt)
      if let failure {
        warn(of: failure, in: entry)
        scroll.client.writer.refuse(.notification, failure.of(header: entry.name))
      }
      finish(scroll)
      return run(entry, log)
    }
    guard case .sent(let sent) = log.stage else { return }
    log.stage = .running
    switch sent {
    case .own(let input):
      settled(input, of: entry, result)
      performed(input, of: entry, result)
      run(entry, log)
    case .answer(let work, let name):
      if entry.header.hasListeners { notifyListeners(of: entry) }
      takeAnswered(work, name, try? result.get())
      run(entry, log, work)
    case .event(let work):
      settled(.event(work.event), of: entry, result)
      run(entry, log, takeEvent(work, result) ? work : nil)
    }
  }

  /// - Returns: whether its command goes on; a refused event ends it.
  private func takeEvent(_ work: EventWork, _ result: Result<HeaderOutcome, HeaderError>) -> Bool {
    let (entry, event) = (work.entry, work.event)
    if let clock = work.firstClock { bind(work.client, to: entry, clock) }
    work.firstClock = nil
    if case .setOptions = event.kind { entry.chargeMemory() }
    do {
      let answer = try take(result, entry, readAt: work.readAt)
      if !entry.header.isWaiting { work.take(answer) }
      return true
    } catch {
      let refusal = error.ofEvent(at: work.eventPath).of(header: entry.name)
      end(work, .failure(work.isBatch ? refusal.at(index: work.next) : refusal))
      return false
    }
  }

  /// No process has the header any more: it closes, and what waits for it goes on behind that.
  private func lose(_ entry: HeaderEntry) {
    guard let log = entry.log else { return }
    let stage = log.stage
    log.stage = .running
    switch stage {
    case .idle, .running, .sent(.own): break
    case .scrolling(var scrolls): while let scroll = scrolls.popFirst() { finish(scroll) }
    case .asking(let work, _), .sent(.event(let work)), .sent(.answer(let work, _)):
      let error = HeaderError(.behaviorFailed, "the process of its plugins does not stay alive")
      end(work, .failure(error.of(header: entry.name)))
    case .reloading(let replacement): drop(replacement, of: log)
    }
    close(entry, reason: "failed")
    run(entry, log)
  }

  // MARK: - Answers

  /// Answers a command, now or when what it did is safe.
  func answer(_ command: PerformedCommand, _ result: Result<Reply, HeaderError>) -> Progress {
    guard let journal, journal.holds(command) else {
      send(result, to: command)
      announce(result)
      return .done
    }
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
    let writer = command.ticket.client.writer
    let reply: Reply
    switch result {
    case .success(let value): reply = value
    case .failure(let error): return writer.refuse(command.address, error)
    }
    writer.answer(command.address, reply, command.unknown)
    if case .traceBegun(let recorder) = reply { recorder.begin() }
  }

  /// A command that was left open is done.
  func finish(_ ticket: Ticket) {
    let client = ticket.client
    client.openCommands -= 1
    client.origin?.commandIsDone(slot: ticket.slot)
    if client.openCommands == 0, client.hasLeft { disconnect(client, isDraining: false) }
  }
}

extension HeaderInput {
  /// The word for the log if it is refused.
  fileprivate var refusal: (LogLevel, String) {
    switch self {
    case .lead: (.error, "leadRefused")
    case .removeDelegate: (.error, "delegateNotRemoved")
    // The constraint never began.
    case .event(let event) where event.kind.name == .release: (.debug, "leaseEnded")
    default: (.error, "advanceRefused")
    }
  }
}
