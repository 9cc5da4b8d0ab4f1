// SPDX-License-Identifier: MIT
//
// Connections come and go; clients in the chains of headers: what they are sent and asked, and what they answer
// (headerd-delegates(7)).
//
//     {"method":"delegate.event","params":{"header":"main","delegate":"logger","event":{…}}}           sent, nothing owed
//     {"id":"d9","method":"delegate.ask","params":{"header":"main","delegate":"guard","deadline":0.008,"event":{…}}}
//     {"id":"d9","result":{"verdict":"pass"}}                                                  the client's answer
//
// A client that answers late costs its header one deadline, not one for each event that has queued meanwhile: as long as it
// owes an answer, events that had to wait go on without it. Nor do events wait for clients that keep their deadlines when
// enough of them queue to be late altogether. Who misses three deadlines in a row is not asked any more.

public import Fanout
internal import HeaderCore
internal import HeaderWire

/// A question under way.
struct AskedClient {
  let id: Int
  let name: String
  /// When it is late, by the daemon's clock.
  let due: Int64
}

extension HeaderHost {
  // MARK: - Connections

  /// The host's part of a connection, made when its first command comes here.
  public func connect(_ writer: ClientWriter, origin: any CommandOrigin) -> Client {
    let client = Client(writer, origin: origin)
    clients[client.id] = client
    journal?.welcome(client)
    return client
  }

  /// A client sends no more: who cannot answer is not asked.
  public func endInput(of client: Client) {
    guard !client.inputHasEnded else { return }
    client.inputHasEnded = true
    leaveChains(client, observersToo: false)
  }

  /// A connection has ended. What costs little is done now, the rest piece by piece (`clearDepartures`). Commands of it that
  /// still wait are done all the same; after the last of them this is called again.
  /// - Parameter isDraining: the daemon ends: headers stay as they are.
  public func disconnect(_ client: Client, isDraining: Bool) {
    client.inputHasEnded = true
    client.hasLeft = true
    client.origin = nil
    client.returnCredit()
    if !isDraining {
      leaveChains(client, observersToo: true)
      endLeases(of: client)
    }
    for recorder in client.recorders { recorder.stop() }
    client.recorders = []
    let deliveries = client.subscriber.map { fanout.endAll(of: $0) } ?? []
    // Its last commands may still wait: then the rest is done when they are.
    let isDone = client.openCommands == 0 || isDraining
    departures.append(
      Departure(of: client, deliveries, closesHeaders: isDone && !isDraining, endsPublishing: isDone))
    if isDone { forget(client) }
  }

  private func forget(_ client: Client) { if clients[client.id] === client { clients[client.id] = nil } }

  /// Clears away what ended connections have left, within a number of steps.
  public func clearDepartures(_ steps: inout Int) {
    while steps > 0, let departure = departures.first {
      departure.clear(by: self, &steps)
      if departure.isCleared { _ = departures.popFirst() }
    }
  }

  /// Whether ended connections have left something.
  public var hasDepartures: Bool { !departures.isEmpty }

  // MARK: - Listeners

  /// Sends clients what has been through the chain.
  func notifyListeners(of entry: HeaderEntry) {
    guard entry.header.hasListeners else { return }
    for event in entry.header.takeClientEvents() {
      // In a mirror the chain may have changed since.
      guard entry.header.delegates.indices.contains(event.delegate) else { continue }
      let name = entry.header.delegates[event.delegate].name
      guard let waiting = entry.waiting, let client = waiting.clients[name], !client.writer.isEnded else { continue }
      guard client.writer.hasRoom else {
        waiting.lost[name, default: 0] += 1
        continue
      }
      let lost = waiting.lost.removeValue(forKey: name)
      client.writer.write { writer in
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
          writer.value(.record(event.event))
          writer.endObject()
        }
      }
    }
  }

  // MARK: - Questions

  /// Asks the client that an event waits for.
  /// - Returns: why it is not asked and the event goes on without it; nil: it is asked.
  func ask(_ work: EventWork) -> String? {
    let entry = work.entry
    guard let question = entry.header.question else { preconditionFailure("nothing waits") }
    let waiting = entry.makeWaiting()
    if let reason = waiting.hurry { return reason }
    guard let client = waiting.clients[question.name], client.mayAnswer else { return "its connection has ended" }
    guard client.writer.hasRoom else { return "it does not take what it is sent" }
    if work.hasWaited {
      if waiting.owing[question.name] != nil { return "it still owes the answer to an earlier event" }
      let most = 10 * limits.deadline
      if now - work.readAt >= Instant.nanoseconds(most) {
        return "the event has waited for \(Value.number(most).brief) s already"
      }
    }
    lastQuestion += 1
    let id = shard.number(lastQuestion)
    waiting.work = work
    waiting.question = AskedClient(id: id, name: question.name, due: now + Instant.nanoseconds(question.deadline))
    client.writer.write { writer in
      writer.request("d\(id)", "delegate.ask") { writer in
        writer.value([
          "header": .text(entry.name), "delegate": .text(question.name), "deadline": .number(question.deadline),
          "event": .record(question.event),
        ])
      }
    }
    client.note(question: id, for: entry)
    schedule(entry)
    return nil
  }

  /// A client has not answered in time.
  func questionIsLate(of entry: HeaderEntry) {
    guard let waiting = entry.waiting, let question = waiting.question else { return }
    waiting.owing[question.name] = question.id
    let deadline = entry.header.question?.deadline ?? 0
    settle(entry, .late("it did not answer within \(Value.number(deadline).brief) s"))
  }

  /// Takes an answer to what a client was asked.
  /// - Returns: whether it was asked.
  func takeAnswer(_ number: Int, _ reply: DelegateReply, from client: Client) -> Bool {
    guard let place = client.questions.firstIndex(where: { $0.id == number }) else { return false }
    let entry = client.questions.remove(at: place).entry
    if entry.waiting?.question?.id == number {
      settle(entry, reply)
    } else {
      reportLateAnswer(number, of: entry, to: client)
    }
    return true
  }

  private func reportLateAnswer(_ number: Int, of entry: HeaderEntry, to client: Client) {
    if let name = entry.waiting?.owing.first(where: { $0.value == number })?.key { entry.waiting?.owing[name] = nil }
    let error = HeaderError(
      .deadlineExceeded, "id: the answer to \"d\(number)\" came after its deadline; the event went on without it",
      field: "id", got: .text("d\(number)"),
      facts: Value.Record(fields: [.init(name: "header", value: .text(entry.name))]))
    context.counters.errors += 1
    client.writer.sendError(error, about: .notification)
  }

  /// Sends a client what was wrong with its answer.
  func reportWrongAnswer(_ error: HeaderError, of delegate: String, to client: Client) {
    var error = error
    if error.facts["delegate"] == nil { error.facts["delegate"] = .text(delegate) }
    context.counters.errors += 1
    client.writer.logOnce(error)
    client.writer.sendError(error, about: .notification)
  }

  // MARK: - Leaving

  /// Takes a connection's delegates out of all chains; who can still listen keeps those that only observe.
  private func leaveChains(_ client: Client, observersToo: Bool) {
    for (key, entry) in client.delegates.sorted(by: { $0.key < $1.key }) {
      let index = try? entry.header.delegateIndex(named: key.name)
      let way = index.flatMap { entry.header.description.delegates[$0].client?.way }
      if observersToo || way == .intercept { leave(key.name, of: entry, client) }
    }
    if observersToo { client.delegates = [:] }
  }

  private func leave(_ name: String, of entry: HeaderEntry, _ client: Client) {
    guard entry.isOpen, let waiting = entry.waiting, waiting.clients[name] === client else { return }
    // No command after this shall find it in the chain.
    waiting.leaving.append(name)
    if waiting.question?.name == name {
      settle(entry, .passedOver("its connection has ended"))
    } else {
      serveQueue(of: entry)
    }
  }

  /// Takes a client whose connection is gone out of the chain.
  func removeClient(_ name: String, of entry: HeaderEntry) {
    guard entry.isOpen, entry.waiting?.clients[name] != nil,
      let index = try? entry.header.delegateIndex(named: name)
    else { return }
    do {
      try removeDelegate(at: index, of: entry)
    } catch {
      context.log.log(.error, "delegateNotRemoved", [("header", entry.name), ("reason", error.message)])
    }
  }
}
