// SPDX-License-Identifier: MIT
//
// Resumes headers with a log (HeaderLog.swift): events that wait for a client (headerd-delegates(7)) or for the header's process, and the
// commands behind them. A waiting event is parked in the header; other headers are not affected.
//
//     event ─▶ header waits ─▶ delegate.ask ─▶ … ─▶ answer, or the deadline ─▶ the rest of the chain ─▶ state, answer
//     later commands for the header ─▶ queue ──────────────────────────────────────────────────────────▶ one by one
//
// The end of a wait sets the stage to running, and `run` does the rest.
//
// The queue is bounded, because the gateway stops to read from the client that fills it. Its length in time is bounded too: an event that
// has waited for long is not shown to clients any more.

internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire
internal import HeaderWorker

extension HeaderHost {
  /// Begins with the events of a command for a header with clients that are asked.
  /// - Returns: nil when one of them waits.
  func begin(_ work: EventWork) throws(HeaderError) -> Reply? { try advance(work)?.get() }

  /// Continues a command's events until all are done or one of them waits.
  /// - Returns: the answer to the command; nil: it waits.
  private func advance(_ work: EventWork) -> Result<Reply, HeaderError>? {
    let entry = work.entry
    while true {
      if entry.log?.isSent ?? false {
        return nil
      } else if let refusal = work.refusal {
        return .failure(refusal)
      } else if entry.header.isWaiting {
        guard let reason = ask(work) else { return nil }
        resume(work, .passedOver(reason))
      } else if work.isAtEnd {
        return Result { () throws(HeaderError) in try work.reply() }
      } else {
        beginNext(of: work)
      }
    }
  }

  private func beginNext(of work: EventWork) {
    do throws(HeaderError) {
      let answer = try handle(
        work.events[work.next], of: work.entry, from: work.client, at: work.eventPath, for: work)
      if !(work.entry.log?.isSent ?? false), !work.entry.header.isWaiting { work.take(answer) }
    } catch {
      work.refuse(error)
    }
  }

  /// Resumes the waiting event with an answer, or without one, and takes the outcome.
  private func resume(_ work: EventWork, _ reply: DelegateReply) {
    let name = work.entry.header.waitsFor ?? ""
    apply(.answer(reply), to: work.entry, at: nil, for: work) { [unowned self] result in
      work.asked.append(.record(reply.recorded(of: name)))
      do throws(HeaderError) { takeAnswered(work, name, try result.get()) } catch { work.refuse(error) }
    }
  }

  /// Takes the outcome of a client's answer.
  private func takeAnswered(_ work: EventWork, _ name: String, _ outcome: HeaderOutcome) {
    let entry = work.entry
    if let remarks = entry.header.takeRemarks(), let client = entry.log?.clients[name]?.client {
      if let refusal = remarks.refusal { reportWrongAnswer(refusal.of(header: entry.name), of: name, to: client) }
      if !remarks.unknown.isEmpty { client.writer.reportUnknown(remarks.unknown) }
    }
    guard case .decided(let answer) = outcome else { return }
    for recorder in entry.recorders { recorder.step(.event(work.event), answer, asked: work.asked) }
    if let failure = answer.failure { context.warn(of: failure, in: entry) }
    work.take(answer)
  }

  /// A question has come to its end.
  func settle(_ entry: HeaderEntry, _ reply: DelegateReply) {
    guard let log = entry.log, case .asking(let work, _) = log.stage else { return }
    log.stage = .running
    resume(work, reply)
    run(entry, log, work)
  }

  /// Makes a header wait for work elsewhere.
  /// - Parameter work: the command whose event waits for it.
  /// - Returns: a function that resumes the header after a first action. Call it later, not before this call's caller returns.
  func pause(_ entry: HeaderEntry, for work: EventWork? = nil) -> (_ first: () -> Void) -> Void {
    let log = entry.makeLog()
    log.stage = .sent(work)
    // Timers and frames that are due wait as well.
    schedule(entry)
    return { [unowned self] first in
      log.stage = .running
      first()
      run(entry, log, work)
    }
  }

  /// Makes a header's process carry out an order.
  func order(
    _ order: HeaderOrder, of entry: HeaderEntry, in remote: RemoteEngine, for work: EventWork? = nil,
    then: @escaping (Result<RemoteOutcome, HeaderError>) -> Void
  ) {
    let resume = pause(entry, for: work)
    remote.order(order) { result in resume { then(result) } }
  }

  /// Runs an action when the header is free, behind the commands that wait.
  /// - Parameter skippingClients: why clients are not asked until then, and a reload of it is dropped; nil: the action waits for them.
  func whenFree(_ entry: HeaderEntry, skippingClients reason: String? = nil, _ act: @escaping () -> Void) {
    guard let log = entry.log, !log.isIdle, !log.isRunning else { return act() }
    log.queue.append(.act(act))
    guard let reason else { return }
    log.skipReason = log.skipReason ?? reason
    switch log.stage {
    case .asking: settle(entry, .passedOver(reason))
    case .reloading: endReload(of: entry, log)
    case .idle, .running, .sent, .scrolling: break
    }
  }

  /// Runs a header's queue until the header waits or the queue is empty.
  /// - Parameter work: the command whose event has waited.
  func run(_ entry: HeaderEntry, _ log: HeaderLog, _ work: EventWork? = nil) {
    if let work, let outcome = advance(work) { end(work.command, outcome) }
    while log.isRunning {
      if !log.own.isEmpty {
        perform(log.own.removeFirst(), of: entry, at: changeTime(of: entry))
        continue
      }
      switch log.queue.popFirst() {
      case .command(let command, let ticket): serve(command, ticket, of: entry)
      case .act(let act): act()
      case nil: (log.stage, log.skipReason) = (.idle, nil)
      }
    }
    schedule(entry)
  }

  /// Applies an input that belongs to no command; a busy header does so before the commands that wait.
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
    apply(input, to: entry, at: time) { [unowned self] result in
      defer { schedule(entry) }
      do throws(HeaderError) {
        _ = try take(result, entry, readAt: nil)
        if case .removeDelegate(let name) = input { delegateRemoved(name, of: entry) }
      } catch {
        // A header that was lost meanwhile is not to be changed any more.
        guard entry.isOpen else { return }
        let (level, word) = input.refusal
        context.log.log(level, word, [("header", entry.name), ("reason", error.message)])
      }
    }
  }

  private func serve(_ command: Command, _ ticket: Ticket, of entry: HeaderEntry) {
    let readTime = context.readTime
    context.readTime = ticket.readAt
    defer { context.readTime = readTime }
    // Its header may be gone: another one of that name may not be free, and the command waits there.
    if case .done = entry.isOpen ? perform(command, ticket) : submit(command, ticket) { finish(ticket) }
  }

  /// Ends all waits for clients, because the daemon is about to end.
  /// - Parameter then: called when all that was sent is done.
  public func finishWaiting(then: @escaping () -> Void) {
    let busy = table.entries(where: \.isBusy) + table.opening.values
    var left = busy.count
    if left == 0 { then() }
    for entry in busy {
      whenFree(entry, skippingClients: "the daemon ends") {
        left -= 1
        if left == 0 { then() }
      }
    }
  }

  // MARK: - Workers

  /// Resumes the headers whose workers have completed an order.
  func takeWorkersEnds() {
    // One after the other: an event may lead to another order.
    while let event = workers.events.popFirst() {
      switch event {
      case .ended(let remote, let result, let failure):
        if let entry = remote.entry, let log = entry.log, let scroll = log.popScroll() {
          scrollEnded(scroll, entry, log, failure)
        } else {
          remote.takeContinuation()?(result)
        }
      case .restarted(let entry) where entry.isOpen:
        journal?.restartAnew(entry)
        schedule(entry)
      case .restarted: break
      case .lost(let remote, let error): lose(remote, error)
      }
    }
    workers.flush()
  }

  private func scrollEnded(_ scroll: Ticket, _ entry: HeaderEntry, _ log: HeaderLog, _ failure: HeaderError?) {
    entry.clock.happened(at: entry.header.now, steady: scroll.readAt)
    if let failure {
      context.warn(of: failure, in: entry)
      scroll.client.writer.refuse(.notification, failure.of(header: entry.name))
    }
    finish(scroll)
    run(entry, log)
  }

  /// Takes a process's outcome of the present event.
  func takeEvent(_ work: EventWork, _ result: Result<HeaderOutcome, HeaderError>) {
    let entry = work.entry
    if let clock = work.firstClock { bind(work.client, to: entry, clock) }
    work.firstClock = nil
    if case .setOptions = work.event.kind { entry.chargeMemory() }
    do throws(HeaderError) {
      let answer = try take(result, entry, readAt: work.readAt)
      if !entry.header.isWaiting { work.take(answer) }
    } catch {
      work.refuse(error.ofEvent(at: work.eventPath).of(header: entry.name))
    }
  }

  /// Closes a header that no process has any more. What waits for it continues behind that.
  private func lose(_ remote: RemoteEngine, _ error: HeaderError) {
    let resume = remote.takeContinuation()
    defer { resume?(.failure(error)) }
    guard let entry = remote.entry, entry.isOpen, entry.remote === remote, let log = entry.log else { return }
    switch log.stage {
    case .sent where resume == nil:
      // The header waits for another process, which may still resume it.
      return whenFree(entry) { [unowned self] in if entry.remote === remote { close(entry, reason: "failed") } }
    case .idle, .running, .sent: return close(entry, reason: "failed")
    case .scrolling(var scrolls):
      log.stage = .running
      while let scroll = scrolls.popFirst() { finish(scroll) }
    case .asking(let work, _):
      log.stage = .running
      end(work.command, .failure(error.of(header: entry.name)))
    case .reloading: log.stage = .running
    }
    close(entry, reason: "failed")
    run(entry, log)
  }

  // MARK: - Answers

  /// Answers a command that was left open.
  func end(_ command: PerformedCommand, _ result: Result<Reply, HeaderError>) {
    if case .done = answer(command, result) { finish(command.ticket) }
  }

  /// Answers a command, now or when its changes are on the disk.
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

  /// Sends the answer to a command, and the states behind it.
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
