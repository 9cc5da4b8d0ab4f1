// SPDX-License-Identifier: MIT
//
// How an event that waits for a client goes on (Waiting.swift): asked, answered or passed over, to the end of its message.

internal import HeaderCore
internal import HeaderWire

extension Session {
  /// Begins with the events of a message for a header with clients that are asked.
  func begin(_ work: EventWork) throws(HeaderError) -> Reply {
    if let outcome = service.advance(work) { return try outcome.get() }
    waitingWork = work
    return .waits
  }

  /// The answer to a message comes later.
  func park(_ address: ReplyAddress, _ unknown: [UnknownField]) {
    guard let work = waitingWork else { return }
    waitingWork = nil
    work.address = address
    work.unknown = unknown
    if let serving = service.serving, serving.session === self {
      serving.isParked = true
      work.ticket = serving.ticket
    } else {
      work.ticket = openTicket()
    }
  }
}

extension Service {
  /// Goes on with a message's events until all are done or one of them waits.
  /// - Returns: what the message is answered with; nil: it waits.
  func advance(_ work: EventWork) -> Result<Reply, HeaderError>? {
    let entry = work.entry
    do {
      while true {
        if entry.header.isWaiting {
          guard let reason = ask(work) else { return nil }
          resume(work, .passedOver(reason))
        } else if work.isAtEnd {
          return .success(try work.reply())
        } else {
          try begin(work)
        }
      }
    } catch {
      return .failure(error)
    }
  }

  private func begin(_ work: EventWork) throws(HeaderError) {
    do {
      let answer = try work.session.handle(work.events[work.next], of: work.entry, at: work.eventPath)
      if !work.entry.header.isWaiting { work.take(answer) }
    } catch {
      throw work.isBatch ? error.at(index: work.next) : error
    }
  }

  /// Gives the event that waits an answer, or none, and takes what comes of it.
  private func resume(_ work: EventWork, _ reply: DelegateReply) {
    let entry = work.entry
    let name = entry.header.waitsFor ?? ""
    let outcome = try? entry.header.apply(.answer(reply), provider: plugins) { publish($0, of: entry) }
    work.asked.append(.record(reply.recorded(of: name)))
    tellClients(of: entry)
    if let remarks = entry.header.takeRemarks(), let session = entry.clients[name] {
      if let refusal = remarks.refusal { session.tell(wrongAnswer: refusal.of(header: entry.name), of: name) }
      if !remarks.unknown.isEmpty { session.answer(.notification, .nothing, remarks.unknown) }
    }
    guard case .decided(let answer)? = outcome else { return }
    for recorder in entry.recorders {
      recorder.step(.event(work.event), answer, at: entry.header.now, asked: work.asked)
    }
    if let failure = answer.failure {
      log.log(.warning, "pluginBug", [("header", entry.name), ("reason", failure.message)])
    }
    work.take(answer)
  }

  /// A question has come to its end.
  func settle(_ entry: HeaderEntry, _ reply: DelegateReply) {
    guard let work = entry.work, entry.question != nil else { return }
    entry.question = nil
    resume(work, reply)
    if let outcome = advance(work) {
      entry.work = nil
      let session = work.session
      do {
        let reply = try outcome.get()
        session.answer(work.address, reply, work.unknown)
      } catch {
        session.refuse(work.address, error)
      }
      session.closeTicket(work.ticket)
      serveQueue(of: entry)
    }
    schedule(entry)
    countBusy(entry)
  }

  /// Lets everything that waits for a header happen now, without asking clients.
  func hurry(_ entry: HeaderEntry, _ reason: String) {
    guard entry.isBusy, !entry.isServing else { return }
    entry.hurry = reason
    settle(entry, .passedOver(reason))
    serveQueue(of: entry)
    entry.hurry = nil
  }
}
