// SPDX-License-Identifier: MIT
//
// What happens around a header that waits for a client (headerd-protocol(7), DELEGATES), or whose plugin is being reloaded.
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
        if entry.header.isWaiting {
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
      let answer = try handle(work.events[work.next], of: work.entry, from: work.command.client, at: work.eventPath)
      if !work.entry.header.isWaiting { work.take(answer) }
    } catch {
      throw work.isBatch ? error.at(index: work.next) : error
    }
  }

  /// Gives the event that waits an answer, or none, and takes what comes of it.
  private func resume(_ work: EventWork, _ reply: DelegateReply) {
    let entry = work.entry
    let name = entry.header.waitsFor ?? ""
    let outcome = try? apply(.answer(reply), to: entry, at: nil)
    work.asked.append(.record(reply.recorded(of: name)))
    if let remarks = entry.header.takeRemarks(), let client = entry.waiting?.clients[name] {
      if let refusal = remarks.refusal { reportWrongAnswer(refusal.of(header: entry.name), of: name, to: client) }
      if !remarks.unknown.isEmpty { client.writer.reportUnknown(remarks.unknown) }
    }
    guard case .decided(let answer)? = outcome else { return }
    for recorder in entry.recorders {
      recorder.step(.event(work.event), answer, at: entry.header.now, asked: work.asked)
    }
    if let failure = answer.failure { warn(of: failure, in: entry) }
    work.take(answer)
  }

  /// A question has come to its end.
  func settle(_ entry: HeaderEntry, _ reply: DelegateReply) {
    guard let waiting = entry.waiting, let work = waiting.work, waiting.question != nil else { return }
    waiting.question = nil
    resume(work, reply)
    if let outcome = advance(work) {
      waiting.work = nil
      if case .done = answer(work.command, outcome, isOpen: true) { finish(work.command.slot, of: work.command.client) }
      serveQueue(of: entry)
    }
    schedule(entry)
  }

  /// Answers a command, now or when what it did is safe.
  /// - Parameter isOpen: whether it is counted as open already.
  func answer(_ command: PerformedCommand, _ result: Result<Reply, HeaderError>, isOpen: Bool) -> Progress {
    guard let journal, journal.holds(command) else {
      send(result, to: command)
      return .done
    }
    if !isOpen { command.client.openCommands += 1 }
    journal.hold(command, result)
    return .open
  }

  /// Sends the answer to a command, and what follows it.
  func send(_ result: Result<Reply, HeaderError>, to command: PerformedCommand) {
    let reply: Reply
    switch result {
    case .success(let value): reply = value
    case .failure(let error): return command.client.writer.refuse(command.address, error)
    }
    command.client.writer.answer(command.address, reply, command.unknown)
    switch reply {
    case .opened(let entry, let isNew): if isNew { fanout.announce(entry) }
    case .traceBegun(let recorder): recorder.begin()
    case .record, .event, .events, .state: break
    }
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
    settle(entry, .passedOver(reason))
    serveQueue(of: entry)
    waiting.hurry = nil
  }

  /// The daemon is about to end: nobody is waited for any more.
  public func finishWaiting() {
    for entry in table.entries(where: \.isBusy) { hurry(entry, "the daemon ends") }
  }
}
