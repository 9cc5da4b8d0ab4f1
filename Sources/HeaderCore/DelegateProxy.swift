// SPDX-License-Identifier: MIT
//
// The delegate proxy: forwards each event to the delegates that respond to it, in the order of the chain. It is
// TLYDelegateProxy made longer: there, the middle man is asked first and the original delegate after him; here any
// number stand in a row.
//
//        didScroll ──▶ [ shyNavBar ]──▶[ keyframes ]──▶[ original ]
//                        responds        does not        responds
//                        asked 1st       passed by       asked 2nd
//
// Worked order, with a delegate A that writes the offset while it is told didScroll (N is the nested event):
//   1 A.didScroll begins · 2 A writes · 3 A.didScroll N · 4 B.didScroll N · 5 A's first call ends · 6 B.didScroll
//
// Of several answers the last one counts, a rewritten `targetOffset` is what the next delegate sees, and an answer
// that `ends` keeps the event from those after it. A delegate that fails is bypassed and the others are asked as if it
// were not there.

/// The ordered chain.
struct DelegateProxy {
  /// One member and what the proxy needs to know of it without asking.
  @safe struct Slot {
    let delegate: ScrollDelegate
    /// The same, for calling it without counting a reference: it stays in its slot as long as it is being called.
    let member: Unmanaged<ScrollDelegate>
    var responds: EventSet { didSet { updateHearing() } }
    /// What it is told of: all that it responds to, as long as it is active and has not failed.
    private(set) var hearing: EventSet = []
    /// Whether a notice of that number has anything changed since it was last posted; see Header.notice.
    var noticePostedAt: [UInt64]
    /// Its names' first place in the header's values.
    var firstValue: Int32 = 0
    /// Timers and completions that ran while the clock went on to the event at hand.
    var entriesRun: Int32 = 0
    /// Deadlines that a client has missed since it last answered.
    var missedDeadlines: UInt8 = 0
    /// It failed; nothing is forwarded to it any more.
    var isBypassed = false { didSet { updateHearing() } }
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

  /// The place of a delegate by name.
  func index(named name: String) -> Int? { slots.firstIndex { $0.delegate.name == name } }
}

/// What the whole chain answered to one event.
struct ChainAnswer {
  var targetOffset: Point?
  /// What is left of an offer.
  var residual = Point()
  /// The delegates that consumed something.
  var consumers = DelegateSet()
  var returned: Bool?
  /// The delegate whose target counts.
  var rewrittenBy: Int32 = -1
}

extension Header {
  /// Whether sending an event down the chain may bring about anything; true also where it turns out not to.
  @inline(__always)
  func isHeard(_ kind: DelegateEventKind) -> Bool { hasListeners || proxy.heard.contains(EventSet(kind)) }

  /// Sends an event down the chain. Delegates may change anything while they are asked, and this is entered again for
  /// each event that their writes bring about.
  /// - Parameter members: the delegates that are meant.
  func forward(_ event: consuming DelegateEvent, to members: DelegateSet = .all) -> ChainAnswer {
    var result = ChainAnswer()
    guard isHeard(event.kind) else {
      result.residual = event.delta
      return result
    }
    // As the chain is told of it; what is done meanwhile is nested in it.
    event.depth = depth
    event.time = now.nanoseconds
    depth += 1
    ask(from: 0, members, &event, &result)
    depth -= 1
    result.residual = event.delta
    if hasListeners, !isWaiting { tellListeners(of: event) }
    return result
  }

  /// Asks the delegates from a place of the chain on, each what those before it made of the event.
  func ask(from start: Int, _ members: DelegateSet, _ event: inout DelegateEvent, _ result: inout ChainAnswer) {
    let kind = EventSet(event.kind)
    unsafe withUnsafeMutablePointer(to: &event) { event in
      for index in start..<proxy.slots.endIndex where members.contains(index) {
        guard !proxy.slots[index].hearing.isDisjoint(with: kind) else { continue }
        if recordsCalls { unsafe recordCall(of: index, event.pointee) }
        var answer = DelegateAnswer()
        let told = unsafe PassingEvent(UnsafePointer(event))
        let failure = unsafe proxy.slots[index].member._withUnsafeGuaranteedRef { $0.answer(to: told, &answer, self) }
        if let failure {
          bypass(index, failure.reason)
        } else if !answer.isSilent, unsafe take(answer, of: index, &event.pointee, &result) {
          break
        }
      }
    }
  }

  @inline(never)
  private func recordCall(of index: Int, _ event: DelegateEvent) {
    pending.calls.append(HeaderState.Call(delegate: Int32(index), kind: event.kind, depth: event.depth))
  }

  /// Takes what a delegate answered over into the event, as those after it are told.
  /// - Returns: whether nobody after it is asked.
  @inline(never)
  private func take(
    _ answer: DelegateAnswer, of index: Int, _ event: inout DelegateEvent, _ result: inout ChainAnswer
  ) -> Bool {
    do {
      try check(answer, to: event)
    } catch {
      bypass(index, error.reason)
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
    if answer.ends, isWaiting { place(event, at: index, result) }
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
  func bypass(_ index: Int, _ reason: String) {
    guard !proxy.slots[index].isBypassed else { return }
    proxy.slots[index].isBypassed = true
    schedule.forget(delegate: Int32(index))
    changeCount += 1
    let name = proxy.slots[index].delegate.name
    pending.notices.append(
      HeaderState.Notice(
        delegate: Int32(index), name: .delegatePassedOver,
        arguments: ["reason": .text(reason)], isRoutine: false))
    failure = HeaderError(
      .behaviorFailed, "delegate \"\(name)\" of header \"\(self.name)\" is bypassed: \(reason)",
      hint: "reload its plugin once it is mended",
      facts: ["culprit": .text(name)])
  }
}
