// SPDX-License-Identifier: MIT
//
// An event that waits for a client. Nothing of it is on any stack: the place in the chain, the event as rewritten so far and the merged
// answer are a value, and the header does nothing until it is resumed.
//
//     receive ─▶ A ─▶ B ─▶ client: parked        question  ──▶ the host asks the client, and keeps the time
//                                                resume    ◀── its answer, or that there is none
//              conclude ◀─ D ◀─ C ◀──────────────────┘
//
// Only an event from outside waits, never one that a delegate caused inside its own call.

import HeaderModel

/// An event on its way, at a client that has not answered yet.
struct ParkedEvent {
  /// The event as it came, and the decisions so far.
  var handling: EventHandling?
  /// The index of the client in the chain.
  var place: Int
  /// The event as those before the client have made it.
  var event: DelegateEvent
  /// The merged answer of the delegates so far.
  var chain: ChainAnswer
}

/// Resumes an event that waits for a client.
struct ClientTurn {
  let header: Header
  var proxy: DelegateProxy { header.proxy }

  /// Notes something that was wrong with the present input.
  private func remark(_ note: (inout InputRemarks) -> Void) {
    var remarks = header.rare.remarks ?? InputRemarks()
    note(&remarks)
    header.rare.remarks = remarks
  }

  /// Resumes the event that waits. It may come to wait again, for the next client.
  ///
  /// - Parameters:
  ///   - reply: the client's answer; its actions run before a later delegate is asked.
  /// - Returns: what `applyEvent` would have returned. Faults of the answer are in `remarks`, for the client; the notice
  ///   `delegatePassedOver` reports them to subscribers.
  func resume(_ reply: DelegateReply, emit: (borrowing HeaderState) -> Void) -> EventAnswer {
    guard proxy.isWaiting, var parked = header.rare.parked, var handling = parked.handling else {
      preconditionFailure("nothing waits")
    }
    proxy.isWaiting = false
    header.rare.parked = nil
    var ends = false
    switch reply {
    case .passedOver(let reason): passOver(parked.place, reason)
    case .late(let reason):
      passOver(parked.place, reason)
      missDeadline(parked.place)
    case .answer(let value):
      proxy.slots[parked.place].missedDeadlines = 0
      do {
        var fields = try FieldReader(value, at: Path("result"))
        let answer = try ClientAnswer(&fields, to: parked.event, from: parked.place, in: header)
        if !fields.unknown.isEmpty { remark { $0.unknown += fields.unknown } }
        ends = try take(answer, from: parked.place, &parked.event, &parked.chain)
      } catch {
        remark { $0.refusal = error }
        passOver(parked.place, error.message)
      }
    }
    proxy.mayAsk = true
    proxy.depth += 1
    if !ends { proxy.ask(from: parked.place + 1, .all, &parked.event, &parked.chain, in: header) }
    parked.chain.residual = parked.event.delta
    if !proxy.isWaiting { proxy.tellListeners(of: parked.event, in: header) }
    proxy.depth -= 1
    proxy.mayAsk = false
    guard !proxy.isWaiting else {
      header.rare.parked?.handling = handling
      return handling.answer
    }
    handling.conclude(parked.chain)
    header.finishEvent()
    header.settle(emit)
    return handling.finishedAnswer
  }

  /// Says in the state that a client had no say in this event. Unlike a plugin that fails it is asked again the next time.
  private func passOver(_ index: Int, _ reason: String) {
    header.work.changeCount += 1
    header.work.note(.delegatePassedOver, of: index, ["reason": .text(reason)])
  }

  /// Deadlines in a row that a client may miss. A client that hangs would cost its header the whole deadline on every event; from then on
  /// it only observes, until it is added again.
  static var maxMissedDeadlines: UInt8 { 3 }

  private func missDeadline(_ index: Int) {
    proxy.slots[index].missedDeadlines += 1
    guard proxy.slots[index].missedDeadlines >= Self.maxMissedDeadlines,
      var client = header.description.delegates[index].client
    else { return }
    client.way = .observe
    replaceClient(at: index, by: client)
    proxy.updateListeners()
    header.work.note(
      .delegateOnlyObserves, of: index, ["missedDeadlines": .number(Double(Self.maxMissedDeadlines))])
  }

  /// Puts a client with another description into its place in the chain.
  private func replaceClient(at index: Int, by client: ClientDescription) {
    let old = proxy.slots[index]
    let fresh = ClientDelegate(client, name: old.delegate.name)
    fresh.index = Int32(index)
    var slot = DelegateProxy.Slot(fresh)
    slot.isActive = old.isActive
    slot.firstValue = old.firstValue
    slot.missedDeadlines = old.missedDeadlines
    for (number, posted) in old.noticePostedAt.enumerated() { slot.noticePostedAt[number] = posted }
    proxy.slots[index] = slot
    proxy.updateResponds(of: index)
    header.description.delegates[index].client = client
  }

  /// Carries out a client's answer.
  /// - Returns: whether the chain ends here.
  /// - Throws: what is wrong with the answer. All that can be checked is checked before any of it is done.
  private func take(
    _ answer: ClientAnswer, from index: Int, _ event: inout DelegateEvent, _ chain: inout ChainAnswer
  ) throws(HeaderError) -> Bool {
    try learn(answer.news, at: index)
    // The client's actions are nested in the event, as a plugin's writes in its call are.
    proxy.depth += 1
    defer { proxy.depth -= 1 }
    for (number, action) in answer.actions.enumerated() {
      do throws(DelegateFailure) {
        try action.perform(by: proxy.slots[index].delegate, in: header)
      } catch {
        let path = (Path("result") + "actions")[number].text
        throw HeaderError(.invalidParams, "\(path): \(error.reason)", field: path)
      }
    }
    if let target = answer.targetOffset {
      event.targetOffset = target
      chain.targetOffset = target
      chain.rewrittenBy = Int32(index)
      chain.returned = true
    }
    if let velocity = answer.velocity { event.velocity = velocity }
    if let delta = answer.delta {
      header.rare.withheld += event.delta - delta
      event.delta = delta
    }
    if let returned = answer.returned { chain.returned = returned }
    return answer.verdict == .end
  }

  /// Names that a client uses for the first time: it has not said before which values and notices are its own.
  private func learn(_ news: ClientAnswer.NewNames, at index: Int) throws(HeaderError) {
    guard !news.values.isEmpty || !news.notices.isEmpty, var client = header.description.delegates[index].client else {
      return
    }
    guard header.values.count + news.values.count <= header.limits.values else {
      throw .limitExceeded(
        "values", header.values.count + news.values.count, header.limits.values, field: "result.actions")
    }
    client.values += news.values
    client.notices += news.notices
    guard client.notices.count <= Self.maxClientNotices else {
      throw HeaderError(
        .limitExceeded, "result.actions: a client delegate posts at most \(Self.maxClientNotices) different notices",
        field: "result.actions")
    }
    replaceClient(at: index, by: client)
    let place = header.values.lastIndex { $0.delegate <= Int32(index) }.map { $0 + 1 } ?? 0
    header.values.insert(
      contentsOf: news.values.map { _ in NamedValue(delegate: Int32(index), content: .null) }, at: place)
    proxy.rebuildValuePlaces()
    header.rebuildState(keepingPositions: true)
  }

  private static var maxClientNotices: Int { 64 }
}
