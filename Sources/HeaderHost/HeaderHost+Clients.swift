// SPDX-License-Identifier: MIT
//
// Connections, and clients in the chains of headers: the events and questions that they are sent, and their answers
// (headerd-delegates(7)).
//
//     {"method":"delegate.event","params":{"header":"main","delegate":"logger","event":{…}}}           sent, nothing owed
//     {"id":"d9","method":"delegate.ask","params":{"header":"main","delegate":"guard","deadline":0.008,"event":{…}}}
//     {"id":"d9","result":{"verdict":"pass"}}                                                  the client's answer
//
// A client that answers late costs its header one deadline, not one for each event that has queued meanwhile: as long as the client owes
// an answer, events that had to wait continue without it. Nor do events wait for clients that keep their deadlines when enough of them
// queue to be late altogether. A client that misses three deadlines in a row is not asked any more.

internal import Clocks
public import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

extension HeaderHost {
  // MARK: - Connections

  /// The host's part of a connection, made when its first command comes here.
  public func connect(_ writer: ClientWriter, origin: any CommandOrigin) -> Client {
    let client = Client(writer, origin: origin)
    clients[client.id] = client
    journal?.welcome(client)
    return client
  }

  /// Notes that a client sends no more. It cannot answer, so it is not asked from here on.
  public func endInput(of client: Client) {
    guard !client.inputHasEnded else { return }
    client.inputHasEnded = true
    leaveChains(client, observersToo: false)
  }

  /// A connection has ended. What costs little is done now, the rest piece by piece (`runCleanups`). Commands of it that
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
    cleanups.append(
      DisconnectCleanup(of: client, deliveries, closesHeaders: isDone && !isDraining, endsPublishing: isDone))
    if isDone, clients[client.id] === client { clients[client.id] = nil }
  }

  /// Clears away what ended connections have left, within a number of steps.
  public func runCleanups(_ steps: inout Int) {
    while steps > 0, let cleanup = cleanups.first {
      cleanup.clear(by: self, &steps)
      if cleanup.isCleared { _ = cleanups.popFirst() }
    }
  }

  /// Whether ended connections have left something.
  public var hasCleanups: Bool { !cleanups.isEmpty }

  // MARK: - Listeners

  /// Sends clients the events that have been through the chain.
  func notifyListeners(of entry: HeaderEntry) {
    guard entry.header.hasListeners else { return }
    for event in entry.header.takeClientEvents() {
      // In a mirror the chain may have changed since.
      guard entry.header.delegates.indices.contains(event.delegate) else { continue }
      let name = entry.header.delegates[event.delegate].name
      guard let log = entry.log, let client = log.clients[name]?.client, !client.writer.isEnded else { continue }
      guard client.writer.hasRoom else {
        log.clients[name]?.lost += 1
        continue
      }
      let lost = log.clients[name]?.lost ?? 0
      log.clients[name]?.lost = 0
      client.writer.write { writer in
        writer.notification("delegate.event") { writer in
          writer.beginObject()
          writer.key("header")
          writer.string(entry.name)
          writer.key("delegate")
          writer.string(name)
          if lost > 0 {
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
  /// - Returns: why the client is not asked and the event continues without it; nil: it is asked.
  func ask(_ work: EventWork) -> String? {
    let entry = work.entry
    guard let question = entry.header.question else { preconditionFailure("nothing waits") }
    let log = entry.makeLog()
    if let reason = log.skipReason { return reason }
    guard let asked = log.clients[question.name], asked.client.mayAnswer else { return "its connection has ended" }
    let client = asked.client
    guard client.writer.hasRoom else { return "it does not take what it is sent" }
    if work.hasWaited {
      if asked.owing != nil { return "it still owes the answer to an earlier event" }
      let most = 10 * limits.deadline
      if now - work.readAt >= Instant.nanoseconds(most) {
        return "the event has waited for \(Value.number(most).brief) s already"
      }
    }
    lastQuestion += 1
    let id = shard.number(lastQuestion)
    let due = now + Instant.nanoseconds(question.deadline)
    log.stage = .asking(work, AskedClient(id: id, name: question.name, due: due))
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
  func questionIsLate(_ question: AskedClient, of entry: HeaderEntry) {
    entry.log?.clients[question.name]?.owing = question.id
    let deadline = entry.header.question?.deadline ?? 0
    settle(entry, .late("it did not answer within \(Value.number(deadline).brief) s"))
  }

  /// Takes a client's answer to a question.
  /// - Returns: whether the question is open.
  func takeAnswer(_ number: Int, _ reply: DelegateReply, from client: Client) -> Bool {
    guard let place = client.questions.firstIndex(where: { $0.id == number }) else { return false }
    let entry = client.questions.remove(at: place).entry
    if case .asking(_, let question) = entry.log?.stage, question.id == number {
      settle(entry, reply)
    } else {
      reportLateAnswer(number, of: entry, to: client)
    }
    return true
  }

  private func reportLateAnswer(_ number: Int, of entry: HeaderEntry, to client: Client) {
    if let name = entry.log?.clients.first(where: { $0.value.owing == number })?.key {
      entry.log?.clients[name]?.owing = nil
    }
    let error = HeaderError(
      .deadlineExceeded, "id: the answer to \"d\(number)\" came after its deadline; the event went on without it",
      field: "id", got: .text("d\(number)"), facts: ["header": .text(entry.name)])
    context.counters.errors += 1
    client.writer.sendError(error, about: .notification)
  }

  /// Reports to a client the mistake in its answer.
  func reportWrongAnswer(_ error: HeaderError, of delegate: String, to client: Client) {
    var error = error
    if error.facts["delegate"] == nil { error.facts["delegate"] = .text(delegate) }
    context.counters.errors += 1
    client.writer.logOnce(error)
    client.writer.sendError(error, about: .notification)
  }

  // MARK: - Leaving

  /// Takes a connection's delegates out of all chains. A client that can still read keeps those that only observe.
  func leaveChains(_ client: Client, observersToo: Bool) {
    for (key, entry) in client.delegates.sorted(by: { $0.key < $1.key }) {
      let index = try? entry.header.delegateIndex(named: key.name)
      let way = index.flatMap { entry.header.description.delegates[$0].client?.way }
      if observersToo || way == .intercept { leave(key.name, of: entry, client) }
    }
    if observersToo { client.delegates = [:] }
  }

  private func leave(_ name: String, of entry: HeaderEntry, _ client: Client) {
    guard entry.isOpen, let log = entry.log, log.clients[name]?.client === client else { return }
    if case .asking(_, let question) = log.stage, question.name == name {
      log.own.append(.removeDelegate(name))
      settle(entry, .passedOver("its connection has ended"))
    } else {
      submit(.removeDelegate(name), to: entry)
    }
  }
}
