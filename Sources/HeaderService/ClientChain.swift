// SPDX-License-Identifier: MIT
//
// Clients in the chains of headers: what they are told and asked, and what they answer (headerd-protocol(7),
// DELEGATES).
//
//     {"method":"delegate.event","params":{"header":"main","delegate":"logger","event":{…}}}           told, nothing owed
//     {"id":"d9","method":"delegate.ask","params":{"header":"main","delegate":"guard","deadline":0.008,"event":{…}}}
//     {"id":"d9","result":{"verdict":"pass"}}                                                  the client's answer
//
// A client that answers late costs its header one deadline, not one for each event that has queued meanwhile: as long as it
// owes an answer, events that had to wait go on without it. Nor do events wait for clients that keep their deadlines when
// so many of them queue that they would be late altogether. Who misses three deadlines in a row is not asked any more.

internal import HeaderCore
internal import HeaderWire

/// A question under way.
struct AskedClient {
  let id: Int
  let name: String
  let session: Session
  /// When it is late, by the daemon's clock.
  let due: Int64
}

extension Service {
  /// Tells clients of what has been through the chain.
  func tellClients(of entry: HeaderEntry) {
    guard entry.header.hasListeners else { return }
    for told in entry.header.takeTold() {
      let name = entry.header.delegates[told.delegate].name
      guard let session = entry.clients[name], !session.isEnded else { continue }
      guard session.hasRoom else {
        entry.lost[name, default: 0] += 1
        continue
      }
      let lost = entry.lost.removeValue(forKey: name)
      session.write { writer in
        writer.notification("delegate.event") { writer in
          writer.beginObject()
          writer.key("header")
          writer.string(entry.name)
          writer.key("delegate")
          writer.string(name)
          if let lost {
            writer.key("lost")
            writer.integer(lost)
          }
          writer.key("event")
          writer.value(.record(told.event))
          writer.endObject()
        }
      }
    }
  }

  /// Asks the client that an event waits for.
  /// - Returns: why it is not asked and the event goes on without it; nil: it is asked.
  func ask(_ work: EventWork) -> String? {
    let entry = work.entry
    guard let question = entry.header.question else { preconditionFailure("nothing waits") }
    if let reason = entry.hurry { return reason }
    guard let session = entry.clients[question.name], session.mayAnswer else { return "its connection has ended" }
    guard session.hasRoomForOutput else { return "it does not take what it is sent" }
    if work.wasQueued || work.next > 0 {
      if entry.owing[question.name] != nil { return "it still owes the answer to an earlier event" }
      let most = 10 * limits.deadline
      if now - work.arrivedAt >= Instant.nanoseconds(most) {
        return "the event has waited for \(Value.number(most).brief) s already"
      }
    }
    lastQuestion += 1
    let id = shard.number(lastQuestion)
    entry.work = work
    entry.question = AskedClient(
      id: id, name: question.name, session: session, due: now + Instant.nanoseconds(question.deadline))
    session.write { writer in
      writer.request("d\(id)", "delegate.ask") { writer in
        writer.value([
          "header": .text(entry.name), "delegate": .text(question.name), "deadline": .number(question.deadline),
          "event": .record(question.event),
        ])
      }
    }
    session.asked.append((id, entry))
    schedule(entry)
    countBusy(entry)
    return nil
  }

  /// A client has not answered in time.
  func late(_ entry: HeaderEntry) {
    guard let question = entry.question else { return }
    entry.owing[question.name] = question.id
    let deadline = entry.header.question?.deadline ?? 0
    settle(entry, .late("it did not answer within \(Value.number(deadline).brief) s"))
  }

  /// A client's connection is gone, or will say nothing any more.
  func leave(_ name: String, of entry: HeaderEntry, _ session: Session) {
    guard entry.isOpen, entry.clients[name] === session else { return }
    let message = LaterMessage(session, .leaving(name), ticket: 0, arrivedAt: now)
    // Nobody after this shall find it in the chain.
    entry.queue.insert(message, at: 0)
    if entry.question?.name == name {
      settle(entry, .passedOver("its connection has ended"))
    } else {
      serveQueue(of: entry)
    }
    countBusy(entry)
  }

  /// Takes a client whose connection is gone out of the chain.
  func removeClient(_ name: String, of entry: HeaderEntry) {
    guard entry.isOpen, entry.clients[name] != nil, let index = try? entry.header.delegateIndex(named: name) else {
      return
    }
    do {
      try removeDelegate(at: index, of: entry)
    } catch {
      log.log(.error, "delegateNotRemoved", [("header", entry.name), ("reason", error.message)])
    }
  }
}

extension Session {
  /// It can still be asked something.
  var mayAnswer: Bool { !isEnded && !inputIsOver }

  /// Takes an answer to what this connection was asked.
  /// - Returns: whether it was asked.
  func isAnswered(_ number: Int, _ reply: DelegateReply) -> Bool {
    guard let place = asked.firstIndex(where: { $0.id == number }) else { return false }
    let entry = asked.remove(at: place).entry
    guard let question = entry.question, question.id == number else {
      answeredLate(number, "d\(number)", entry)
      return true
    }
    service.settle(entry, reply)
    return true
  }

  private func answeredLate(_ number: Int, _ id: String, _ entry: HeaderEntry) {
    if let name = entry.owing.first(where: { $0.value == number })?.key { entry.owing[name] = nil }
    let error = HeaderError(
      .deadlineExceeded, "id: the answer to \"\(id)\" came after its deadline; the event went on without it",
      field: "id", got: .text(id), facts: Value.Record(fields: [.init(name: "header", value: .text(entry.name))]))
    service.counters.errors += 1
    tell(error, about: .notification)
  }

  /// Tells a client what was wrong with its answer.
  func tell(wrongAnswer error: HeaderError, of delegate: String) {
    var error = error
    if error.facts["delegate"] == nil { error.facts["delegate"] = .text(delegate) }
    service.counters.errors += 1
    logOnce(error)
    tell(error, about: .notification)
  }

  /// Questions whose answers nobody waits for any more are forgotten, the oldest first.
  func forgetOldQuestions() {
    if asked.count > 64 { asked.removeFirst(asked.count - 64) }
  }

  /// Takes this connection's delegates out of all chains; who can still listen keeps those that only observe.
  func leaveChains(observersToo: Bool) {
    for (key, entry) in delegates.sorted(by: { $0.key < $1.key }) {
      let index = try? entry.header.delegateIndex(named: key.name)
      let way = index.flatMap { entry.header.description.delegates[$0].client?.way }
      if observersToo || way == .intercept { service.leave(key.name, of: entry, self) }
    }
    if observersToo { delegates = [:] }
  }
}
