// SPDX-License-Identifier: MIT
//
// The delegate proxy: forwards each event to the delegates that respond to it, in the order of the chain. It generalizes
// TLYDelegateProxy, which asks a middle man first and the original delegate after him, to any number of delegates.
//
//        didScroll ──▶ [ shyNavBar ]──▶[ keyframes ]──▶[ original ]
//                        responds        does not        responds
//                        asked 1st       passed by       asked 2nd
//
// Worked order, with a delegate A that writes the offset during didScroll (N is the nested event):
//   1 A.didScroll begins · 2 A writes · 3 A.didScroll N · 4 B.didScroll N · 5 A's first call ends · 6 B.didScroll
//
// Of several answers the last one counts, a rewritten `targetOffset` is what the next delegate sees, and an answer that `ends` keeps the
// event from those after it. A delegate that fails is bypassed and the others are asked as if it were not there.

import HeaderModel

/// The ordered chain, and the forwarding of events along it.
final class DelegateProxy {
  /// One member, and facts about it that would otherwise cost a call.
  @safe struct Slot {
    let delegate: ScrollDelegate
    /// The same, for calling it without counting a reference: it stays in its slot as long as it is being called.
    let member: Unmanaged<ScrollDelegate>
    var responds: EventSet { didSet { updateHearing() } }
    /// The events that are forwarded to it: all that it responds to, as long as it is active and has not failed.
    private(set) var hearing: EventSet = []
    /// Whether a notice of that number has anything changed since it was last posted; see Header.notice.
    var noticePostedAt: [UInt64]
    /// The index of its first name among the header's values.
    var firstValue: Int32 = 0
    /// Timers and completions that ran while the clock advanced to the current event.
    var entriesRun: Int32 = 0
    /// Deadlines that a client has missed since it last answered.
    var missedDeadlines: UInt8 = 0
    /// Why it failed; nothing is forwarded to it any more then.
    var bypassed: String? { didSet { updateHearing() } }
    var isBypassed: Bool { bypassed != nil }
    /// It has been made, its options are set and it is being attached or is attached.
    var isActive = false { didSet { updateHearing() } }

    init(_ delegate: ScrollDelegate) {
      self.delegate = delegate
      unsafe member = Unmanaged.passUnretained(delegate)
      responds = []
      noticePostedAt = Array(repeating: .max, count: delegate.behavior.notices.count)
    }

    private mutating func updateHearing() { hearing = isActive && !isBypassed ? responds : [] }
  }

  var slots: ContiguousArray<Slot> = []
  /// What some member has responded to since the header was made: nothing else needs to be sent down the chain.
  var heard: EventSet = []
  /// How deep in nested events we are: 0 outside of any.
  var depth: Int32 = 0
  /// Whether a client in the chain is sent events: `takeClientEvents` then has something from time to time.
  private(set) var hasListeners = false
  /// Whether a client in the chain is asked: events then may have to wait.
  private(set) var hasInterceptors = false
  /// The current event may wait for a client: it is the one that came from outside, not one that it brought about.
  var mayAsk = false
  /// An event waits for a client's answer: `question` has the question, and only `resume` continues it.
  var isWaiting = false
  /// Whether each delegate that is asked is recorded.
  var recordsCalls = false { didSet { isObserved = recordsCalls || ledger != nil } }
  /// Explains the last inputs; nil: no client has asked for explanations.
  var ledger: ExplanationLedger? { didSet { isObserved = recordsCalls || ledger != nil } }
  /// Whether calls are recorded or explained.
  private var isObserved = false
  /// The delegates take over their saved state; the owners of drawers and elements are known.
  var isRestoring = false

  /// The place of a delegate by name.
  func index(named name: String) -> Int? { slots.firstIndex { $0.delegate.name == name } }

  /// Updates which delegates receive events and which are asked, after the chain has changed.
  func updateListeners() {
    hasListeners = slots.contains { !$0.delegate.listens.isEmpty }
    hasInterceptors = slots.contains { ($0.delegate as? ClientDelegate)?.description.way == .intercept }
  }

  /// Asks a delegate for the events that it responds to: before it is called for the first time, and after everything that may change
  /// them (attaching, restoring, options, calls).
  func updateResponds(of index: Int) {
    let delegate = slots[index].delegate
    let responds = delegate.responds.intersection(delegate.behavior.events)
    slots[index].responds = responds
    heard.formUnion(responds)
  }

  /// The names of all values, in their order. Of several of one name the first in the chain has it, the others are
  /// `delegate.name`.
  var valueNames: [String] {
    var taken: Set<String> = []
    var names: [String] = []
    for slot in slots {
      for value in slot.delegate.behavior.values {
        names.append(taken.insert(value.name).inserted ? value.name : "\(slot.delegate.name).\(value.name)")
      }
    }
    return names
  }

  /// Gives each delegate's names their first place in the header's values.
  func rebuildValuePlaces() {
    var next: Int32 = 0
    for index in slots.indices {
      slots[index].firstValue = next
      next += Int32(slots[index].delegate.behavior.values.count)
    }
  }
}

/// The merged answer of the chain to one event.
struct ChainAnswer {
  var targetOffset: Point?
  /// The rest of an offer.
  var residual = Point()
  /// The delegates that consumed something.
  var consumers = DelegateSet()
  var returned: Bool?
  /// The delegate whose target offset counts.
  var rewrittenBy: Int32 = -1
}

// MARK: - Forwarding

extension DelegateProxy {
  /// Whether sending an event down the chain may bring about anything; true also where it turns out not to.
  @inline(__always)
  func isHeard(_ kind: DelegateEventKind) -> Bool { hasListeners || heard.contains(EventSet(kind)) }

  /// Sends an event down the chain. Delegates may change anything while they are asked, and this is entered again for
  /// each event that their writes bring about.
  /// - Parameter members: the delegates that are meant.
  func forward(_ event: consuming DelegateEvent, to members: DelegateSet, in header: Header) -> ChainAnswer {
    var result = ChainAnswer()
    guard isHeard(event.kind) else {
      result.residual = event.delta
      return result
    }
    // The chain sees this depth; writes during the event are nested in it.
    event.depth = depth
    event.time = header.now.nanoseconds
    depth += 1
    ask(from: 0, members, &event, &result, in: header)
    depth -= 1
    result.residual = event.delta
    if hasListeners, !isWaiting { tellListeners(of: event, in: header) }
    return result
  }

  /// Asks the delegates from a place of the chain on, each what those before it made of the event.
  func ask(
    from start: Int, _ members: DelegateSet, _ event: inout DelegateEvent, _ result: inout ChainAnswer,
    in header: Header
  ) {
    let kind = EventSet(event.kind)
    unsafe withUnsafeMutablePointer(to: &event) { event in
      for index in start..<slots.endIndex where members.contains(index) {
        guard !slots[index].hearing.isDisjoint(with: kind) else { continue }
        if isObserved { unsafe noteCall(of: index, event.pointee, in: header) }
        var answer = DelegateAnswer()
        let passing = unsafe PassingEvent(UnsafePointer(event))
        let failure = unsafe slots[index].member._withUnsafeGuaranteedRef { $0.answer(to: passing, &answer, header) }
        var isEnded = false
        if let failure {
          bypass(index, failure.reason, in: header)
        } else if !answer.isSilent {
          isEnded = unsafe take(answer, of: index, &event.pointee, &result, in: header)
        }
        if isObserved { ledger?.endTurn(answer) }
        if isEnded { break }
      }
    }
  }

  @inline(never)
  private func noteCall(of index: Int, _ event: DelegateEvent, in header: Header) {
    if let ledger {
      let view = Int(event.scrollView)
      ledger.beginTurn(
        of: slots[index].delegate.name, event.kind.word, depth: event.depth,
        header.scrollViews.indices.contains(view) ? header.scrollViews[view].contentOffset : nil)
    }
    guard recordsCalls else { return }
    header.work.happened.calls.append(HeaderState.Call(delegate: Int32(index), kind: event.kind, depth: event.depth))
  }

  /// Takes a delegate's answer over into the event, so that later delegates see it.
  /// - Returns: whether the chain ends here.
  @inline(never)
  private func take(
    _ answer: DelegateAnswer, of index: Int, _ event: inout DelegateEvent, _ result: inout ChainAnswer,
    in header: Header
  ) -> Bool {
    do {
      try check(answer, to: event)
    } catch {
      bypass(index, error.reason, in: header)
      return false
    }
    if answer.hasTargetOffset {
      event.targetOffset = answer.targetOffset
      result.targetOffset = answer.targetOffset
      result.rewrittenBy = Int32(index)
    }
    if answer.hasReturned { result.returned = answer.returned }
    if answer.hasConsumed, answer.consumed != Point() {
      result.consumers.insert(index)
      event.delta = event.delta - answer.consumed
      if event.kind == .willFling { event.velocity = event.delta }
    }
    if answer.ends, isWaiting { header.rare.parked = ParkedEvent(place: index, event: copy event, chain: result) }
    return answer.ends
  }

  private func check(_ answer: DelegateAnswer, to event: borrowing DelegateEvent) throws(DelegateFailure) {
    if answer.hasTargetOffset {
      guard event.kind == .willEndDragging else {
        throw .failed("it rewrote the target offset of \(event.kind.word), which has none")
      }
      try requireSane(answer.targetOffset, "the target offset")
    }
    if answer.hasConsumed {
      guard isPart(answer.consumed.x, of: event.delta.x), isPart(answer.consumed.y, of: event.delta.y) else {
        throw .failed("it consumed more than it was offered")
      }
    }
  }

  private func isPart(_ part: Double, of whole: Double) -> Bool {
    part.isFinite && (whole >= 0 ? part >= 0 && part <= whole : part <= 0 && part >= whole)
  }

  /// Takes a failed delegate out of the way for good (until a reload gives it new code): its timers and frames end, the
  /// state says so, and the request that brought it about is answered with `behaviorFailed`.
  func bypass(_ index: Int, _ reason: String, in header: Header) {
    guard !slots[index].isBypassed else { return }
    header.keepStack()
    slots[index].bypassed = reason
    ledger?.noteFailure(of: slots[index].delegate.name, reason)
    header.schedule.forget(delegate: Int32(index))
    header.work.changeCount += 1
    let name = slots[index].delegate.name
    header.work.note(.delegatePassedOver, of: index, ["reason": .text(reason)])
    header.rare.failure = HeaderError(
      .behaviorFailed, "delegate \"\(name)\" of header \"\(header.name)\" is bypassed: \(reason)",
      hint: "reload its plugin once it is mended",
      facts: ["culprit": .text(name)])
  }

  /// Sends clients an event that has been through the chain: as those after the last delegate would see it.
  @inline(never)
  func tellListeners(of event: borrowing DelegateEvent, in header: Header) {
    let kind = EventSet(event.kind)
    // A delegate that was asked about the event has seen it already.
    let isTopLevel = event.depth == 0
    let wasAsked = mayAsk && isTopLevel
    var fields: Value.Record?
    for (index, slot) in slots.enumerated() {
      guard slot.isActive, slot.delegate.listens.contains(kind), !(wasAsked && slot.responds.contains(kind)) else {
        continue
      }
      if fields == nil { fields = event.fields(in: header) }
      if let fields { header.rare.clientEvents.append(ClientEvent(delegate: index, event: fields)) }
    }
  }
}

// MARK: - Other calls

extension DelegateProxy {
  /// Runs a call into a delegate and turns its failure into an error of the request. Events that the call causes are nested in it.
  func answering<Result>(
    for delegate: ScrollDelegate, at path: Path, _ body: () throws(DelegateFailure) -> Result
  ) throws(HeaderError) -> Result {
    depth += 1
    defer { depth -= 1 }
    ledger?.beginTurn(of: delegate.name, "request", depth: 0, nil)
    defer { ledger?.endWork() }
    do {
      return try body()
    } catch {
      switch error {
      case .conflict(let owner, let what):
        throw .conflict(owner, delegate.name, over: what, at: path)
      case .refused(let reason):
        throw .refusal(by: delegate.behavior, reason, at: path)
      case .failed(let reason):
        throw HeaderError(
          .behaviorFailed, "\(path.text): \(delegate.behavior.name) failed: \(reason)", field: path.text, hint: reason,
          facts: ["culprit": .text(delegate.name)])
      }
    }
  }

  /// Calls into a delegate; one that fails is bypassed.
  /// - Parameter occasion: how explanations call it.
  func guarded(
    _ index: Int, in header: Header, on occasion: String = "afterwards",
    _ body: (ScrollDelegate) throws(DelegateFailure) -> Void
  ) {
    guard slots[index].isActive, !slots[index].isBypassed else { return }
    depth += 1
    defer { depth -= 1 }
    if let ledger { ledger.beginTurn(of: slots[index].delegate.name, occasion, depth: 0, nil) }
    defer { ledger?.endWork() }
    do {
      try body(slots[index].delegate)
    } catch {
      bypass(index, error.reason, in: header)
    }
  }
}
