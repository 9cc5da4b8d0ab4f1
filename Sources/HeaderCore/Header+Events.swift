// SPDX-License-Identifier: MIT
//
// What one event does (protocol.md §4.3). Everything that can be refused is refused before anything changes; then the
// clock, the flags and the record, the chain, the layout passes, one state.

/// What was decided about one event.
public struct EventAnswer: Sendable {
  /// The header's latest state.
  public var seq: Int64 = 0
  /// willEndDragging: where the content shall come to rest.
  public var targetOffset: Point?
  /// willEndDragging, shouldScrollToTop.
  public var returned: Bool?
  /// Nested scrolling: what the header took; with `residual` the sum is the offer.
  public var consumed: Point?
  /// Nested scrolling: what nobody took; `consumed` and this make up what was offered.
  public var residual: Point?
  /// What hardly any answer has stands apart: an answer is handed on many times a microsecond.
  private var rare: Rare?

  private final class Rare: Sendable {
    let rewrittenBy: String?
    let result: Value?
    let failure: HeaderError?
    /// The same, told without a look at the error, which is large.
    let hasFailure: Bool

    init?(_ rewrittenBy: String?, _ result: Value?, _ failure: HeaderError?) {
      if rewrittenBy == nil, result == nil, failure == nil { return nil }
      self.rewrittenBy = rewrittenBy
      self.result = result
      self.failure = failure
      hasFailure = failure != nil
    }
  }

  /// The delegate that rewrote the target.
  public var rewrittenBy: String? {
    get { rare?.rewrittenBy }
    set { rare = Rare(newValue, result, failure) }
  }

  /// What a call returned.
  public var result: Value? {
    get { rare?.result }
    set { rare = Rare(rewrittenBy, newValue, failure) }
  }

  /// A delegate failed on the way and is bypassed from now on; the event itself was handled.
  public var failure: HeaderError? {
    get { rare?.failure }
    set { rare = Rare(rewrittenBy, result, newValue) }
  }

  /// Whether one did.
  public var hasFailure: Bool { rare?.hasFailure ?? false }
}

extension Header {
  /// Handles one event.
  ///
  /// - Parameters:
  ///   - time: header time; nil: the present one. A time before the present one is taken as the present, one after the end
  ///     of time (`begin`) as that.
  ///   - emit: gets each state that came of it, in order: one for each frame that was due before, then the event's own.
  /// - Returns: what was decided; nothing yet when the header waits for a client (`isWaiting`): `resume` then returns it.
  /// - Throws: `scrollViewNotFound`, `drawerNotFound`, `delegateNotFound`, `invalidOption`, `callFailed`,
  ///   `invalidParams`; the event then had no effect but that time went on.
  public func receive(_ event: ScrollEvent, at time: Instant? = nil, emit: (borrowing HeaderState) -> Void = { _ in })
    throws(HeaderError) -> EventAnswer
  {
    let view = try resolve(event)
    assert(!isWaiting, "the event before this one still waits for a client")
    if hasFailure { failure = nil }
    let arrival = arrive(time)
    var isAdvance = false
    if case .advance = event.kind { isAdvance = true }
    if !schedule.frames.isEmpty { runFrames(until: arrival, including: isAdvance, emit) }
    moveClock(to: arrival)
    var answer = EventAnswer()
    if case .didScroll = event.kind {
      report(event.offset, event.correction, view)
      setFlags(view, tracking: event.isTracking, dragging: event.isDragging, decelerating: event.isDecelerating)
      tellScroll(of: view)
    } else {
      do {
        try handle(event, view, &answer)
      } catch {
        finishEvent()
        settle(emit)
        throw error
      }
    }
    if isWaiting {
      park(event, view, answer)
    } else {
      finishEvent()
      settle(emit)
    }
    answer.seq = state.seq
    if hasFailure { answer.failure = failure }
    return consume answer
  }

  /// A didScroll of the tracking scroll view, or of the only one, with an offset and no flags: what `receive` does with it,
  /// without a value being made of what comes by the thousand. Not for a header with `hasInterceptors`.
  /// - Returns: whether a delegate failed (`failure`).
  public func didScroll(
    to offset: PartialPoint, correction: PartialPoint?, at time: Instant?, emit: (borrowing HeaderState) -> Void
  ) -> Bool {
    assert(!hasInterceptors, "the event may have to wait for a client")
    if hasFailure { failure = nil }
    let arrival = arrive(time)
    if !schedule.frames.isEmpty { runFrames(until: arrival, including: false, emit) }
    moveClock(to: arrival)
    let tracking = trackingScrollView
    report(offset, correction, tracking < 0 && scrollViews.count == 1 ? 0 : tracking)
    tellScroll(of: tracking)
    finishEvent()
    settle(emit)
    return hasFailure
  }

  /// When something happens by itself next: a timer, a completion, and in `live` a frame. nil before the first event.
  public var nextDue: Instant? {
    guard hasTime else { return nil }
    let frame = frames == .live ? schedule.nextFrame(rate: plan.description.frameRate) : nil
    let due: Instant
    switch (schedule.nextEntry, frame) {
    case (let entry?, let frame?): due = min(entry, frame)
    case (let one?, nil), (nil, let one?): due = one
    case (nil, nil): return nil
    }
    return due <= timeEnd ? due : nil
  }

  /// The index of an event's scroll view, −1 when there is none; names are checked.
  private func resolve(_ event: ScrollEvent) throws(HeaderError) -> Int {
    switch event.kind {
    case .willChangeTrackingScrollView(let name), .setTrackingScrollView(let name):
      return try name.map { (name) throws(HeaderError) in try scrollViewIndex(name) } ?? -1
    case .layout(let change):
      for drawer in change.drawers ?? [] { try checkNames(of: drawer) }
    default: break
    }
    if let name = event.scrollView { return try scrollViewIndex(name) }
    if trackingScrollView >= 0 { return trackingScrollView }
    return scrollViews.count == 1 ? 0 : -1
  }

  func scrollViewIndex(_ name: String) throws(HeaderError) -> Int {
    guard let index = plan.description.scrollViews.firstIndex(where: { $0.name == name }) else {
      throw .notFound(
        .scrollViewNotFound, "scroll view", name, in: self.name, known: description.scrollViews.map(\.name))
    }
    return index
  }

  private func checkNames(of change: DrawerChange) throws(HeaderError) {
    guard let drawer = description.drawers.first(where: { $0.name == change.name }) else {
      throw .notFound(.drawerNotFound, "drawer", change.name, in: name, known: description.drawers.map(\.name))
    }
    for element in change.elements ?? [] where !drawer.elements.contains(where: { $0.name == element.name }) {
      throw .notFound(
        .drawerNotFound, "element", element.name, in: "\(name).\(drawer.name)", known: drawer.elements.map(\.name))
    }
  }

  /// The time that an event is handled at: never before the present one. The first event begins the header's time, and
  /// what was started at opening is moved onto it.
  private func arrive(_ time: Instant?) -> Instant {
    guard let time else {
      hasTime = true
      return now
    }
    if !hasTime { begin(at: time) }
    return max(min(time, timeEnd), now)
  }

  /// Time ends 285 years from its origin, and before two times of a header are so far apart that 64 bits do not hold the
  /// nanoseconds between them: behaviors subtract them.
  private func begin(at time: Instant) {
    let most = Instant.nanosecondsMost
    let first = Instant(nanoseconds: max(-most, min(most, time.nanoseconds)))
    timeEnd = min(timeEnd, first.advanced(by: .max))
    hasTime = true
    schedule.shift(by: first.nanoseconds(since: now))
    now = first
  }

  /// The clock goes on; timers and completions that are due run, in the order of their due times.
  @inline(__always)
  private func moveClock(to time: Instant) {
    now = time
    if !schedule.entries.isEmpty { runEntries() }
  }

  private func runEntries() {
    var isFirst = true
    while let entry = schedule.popDue(at: now) {
      let index = Int(entry.delegate)
      if isFirst { for slot in proxy.slots.indices { proxy.slots[slot].entriesRun = 0 } }
      isFirst = false
      proxy.slots[index].entriesRun += 1
      guard proxy.slots[index].entriesRun <= Schedule.mostEntries * 2 else {
        bypass(index, "its timers and animations without delay start each other without end")
        continue
      }
      guarded(index) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        switch entry.kind {
        case .timer: try delegate.timer(entry.token, in: self)
        case .completion: try delegate.completion(entry.token, in: self)
        }
      }
    }
  }

  /// Time goes on to a change that is no event.
  func moveOn(to time: Instant?, _ emit: (borrowing HeaderState) -> Void) {
    let arrival = arrive(time)
    runFrames(until: arrival, including: false, emit)
    moveClock(to: arrival)
  }

  /// Runs the frames that lie before a time, each with a state of its own.
  private func runFrames(until time: Instant, including: Bool, _ emit: (borrowing HeaderState) -> Void) {
    guard frames != .manual else { return }
    let rate = plan.description.frameRate
    var count = 0
    while let due = schedule.nextFrame(rate: rate), due < time || (including && due == time) {
      guard count < limits.framesPerEvent else {
        skipFrames(to: time, rate)
        return
      }
      count += 1
      moveClock(to: due)
      let requests = schedule.frames
      for request in requests where Schedule.due(request, rate: rate) == due {
        guard let index = schedule.frames.firstIndex(of: request) else { continue }
        schedule.frames[index].count += 1
        guarded(Int(request.delegate)) { (delegate: ScrollDelegate) throws(DelegateFailure) in
          try delegate.frame(duration: 1 / rate, in: self)
        }
      }
      finishEvent()
      settle(emit)
    }
  }

  /// A leap in time longer than the limit: the frames in it are not run, the next one keeps its place in the row.
  private func skipFrames(to time: Instant, _ rate: Double) {
    for index in schedule.frames.indices {
      var request = schedule.frames[index]
      let passed = Instant(nanoseconds: time.nanoseconds(since: request.start)).seconds
      // Near enough by division, then exactly: no frame may be left before the time, and one due at it is not skipped.
      request.count = max(request.count, Int64((passed * rate).rounded(.down)) - 2)
      var steps = 0
      while Schedule.due(request, rate: rate) < time, steps < 8 {
        request.count += 1
        steps += 1
      }
      // Longer than an instant can say (285 years): the row begins anew.
      if Schedule.due(request, rate: rate) < time { (request.start, request.count) = (time, 0) }
      schedule.frames[index] = request
    }
  }

  // MARK: The kinds

  /// didScroll, which comes by the thousand: what `handle` and `tell` do for it, without a look at the other kinds.
  @inline(__always)
  private func tellScroll(of view: Int) {
    guard view >= 0, view == trackingScrollView, isHeard(.didScroll) else { return }
    _ = forwardAsking(DelegateEvent(.didScroll, scrollView: Int32(view)))
  }

  private func handle(_ event: ScrollEvent, _ view: Int, _ answer: inout EventAnswer) throws(HeaderError) {
    switch event.kind {
    case .layout(let change):
      applyLayout(change, event, view)
      return
    case .setOptions(let options, let delegate):
      try setOptions(options, of: delegate)
      return
    case .call(let name, let arguments, let delegate):
      answer.result = try call(name, arguments, of: delegate)
      return
    case .advance(let duration):
      if let duration, frames == .manual { runManualFrame(duration) }
      return
    case .willChangeTrackingScrollView:
      var told = DelegateEvent(.willChangeTrackingScrollView, scrollView: Int32(trackingScrollView))
      told.newScrollView = Int32(view)
      _ = forwardAsking(told)
      return
    case .setTrackingScrollView:
      mayAsk = true
      changeTrackingScrollView(to: view)
      mayAsk = false
      return
    default: break
    }
    let before = view >= 0 ? scrollViews[view].contentOffset : Point()
    let isWritten: Bool
    if case .setContentOffset = event.kind { isWritten = true } else { isWritten = false }
    report(event.offset, event.correction, view, isWritten: isWritten)
    if case .setContentOffset(let animated) = event.kind {
      if animated { setFlags(view, animating: true) }
      if view >= 0, scrollViews[view].contentOffset != before {
        mayAsk = true
        nestedDidScroll(view)
        mayAsk = false
      }
      return
    }
    tell(event, view, &answer)
  }

  /// Takes over what the publisher says of its scroll view.
  /// - Parameter isWritten: that its content moved is what the event says.
  @inline(__always)
  private func report(_ offset: PartialPoint?, _ correction: PartialPoint?, _ view: Int, isWritten: Bool = true) {
    guard view >= 0, let offset else { return }
    scrollViews[view].contentOffset = reported(offset, correction, view)
    if isWritten { tellWrite(view) }
  }

  /// The reported offset plus the moves of ours that it did not have yet.
  private func reported(_ given: PartialPoint, _ correction: PartialPoint?, _ view: Int) -> Point {
    let present = scrollViews[view].contentOffset
    let total = scrollViews[view].correction
    let applied = correction?.filled(from: total) ?? total
    return Point(
      x: given.x.map { $0 + (total.x - applied.x) } ?? present.x,
      y: given.y.map { $0 + (total.y - applied.y) } ?? present.y)
  }

  /// Flags, then the chain. Which flags change before the delegates hear of it is UIKit's order; flags that the event
  /// itself gives win over it. What follows the chain's answer is `conclude`'s: the event may wait for a client.
  private func tell(_ event: ScrollEvent, _ view: Int, _ answer: inout EventAnswer) {
    let mine = view >= 0 && view == trackingScrollView
    /// The flags that follow from the order of events, unless the event says otherwise.
    func setFlags(
      _ view: Int, tracking: Bool? = nil, dragging: Bool? = nil, decelerating: Bool? = nil, animating: Bool? = nil
    ) {
      self.setFlags(
        view, tracking: event.isTracking ?? tracking, dragging: event.isDragging ?? dragging,
        decelerating: event.isDecelerating ?? decelerating, animating: animating)
    }
    setFlags(view)
    func pass(_ kind: DelegateEventKind) {
      if mine { _ = forwardAsking(DelegateEvent(kind, scrollView: Int32(view))) }
    }
    func always(_ kind: DelegateEventKind) { _ = forwardAsking(DelegateEvent(kind, scrollView: Int32(view))) }
    /// The same for an event that has something to come.
    func concluded(_ told: borrowing DelegateEvent, always: Bool = false) {
      var given = ChainAnswer()
      given.residual = told.delta
      if mine || always { given = forwardAsking(told) }
      if !isWaiting { conclude(event, view, given, &answer) }
    }

    switch event.kind {
    case .willBeginDragging:
      setFlags(view, tracking: true, dragging: true, decelerating: false, animating: false)
      pass(.willBeginDragging)
    case .willEndDragging(let velocity, let target):
      let offset = view >= 0 ? scrollViews[view].contentOffset : Point()
      var told = DelegateEvent(.willEndDragging, scrollView: Int32(view))
      told.velocity = velocity
      told.targetOffset = target?.filled(from: offset) ?? offset
      answer.targetOffset = told.targetOffset
      concluded(told)
    case .didEndDragging(let willDecelerate):
      setFlags(view, tracking: false, dragging: false)
      var told = DelegateEvent(.didEndDragging, scrollView: Int32(view))
      told.willDecelerate = willDecelerate
      concluded(told)
    case .willBeginDecelerating:
      setFlags(view, decelerating: true)
      pass(.willBeginDecelerating)
    case .didEndDecelerating:
      setFlags(view, decelerating: false)
      pass(.didEndDecelerating)
    case .didEndScrollingAnimation:
      setFlags(view, animating: false)
      pass(.didEndScrollingAnimation)
    case .shouldScrollToTop: concluded(DelegateEvent(.shouldScrollToTop, scrollView: Int32(view)))
    case .didScrollToTop:
      setFlags(view, animating: false)
      pass(.didScrollToTop)
    case .didChangeAdjustedContentInset: pass(.didChangeAdjustedContentInset)
    case .willScroll(let delta, let source): concluded(nested(.willScroll, delta, source, view))
    case .didOverscroll(let delta, let source): concluded(nested(.didOverscroll, delta, source, view))
    case .willFling(let velocity): concluded(nested(.willFling, velocity, .fling, view))
    case .willAppear: concluded(DelegateEvent(.willAppear, scrollView: Int32(view)), always: true)
    case .didAppear: always(.didAppear)
    case .willDisappear: always(.willDisappear)
    case .didDisappear:
      environment.visible = false
      updateAdjustedInsets()
      always(.didDisappear)
    case .didBecomeActive: always(.didBecomeActive)
    case .willTransition(let size):
      var told = DelegateEvent(.willTransition, scrollView: Int32(view))
      told.size = size
      _ = forwardAsking(told)
    case .transition: always(.transition)
    case .didTransition: always(.didTransition)
    case .didScroll, .setContentOffset, .layout, .setOptions, .call, .advance, .willChangeTrackingScrollView,
      .setTrackingScrollView:
      preconditionFailure("handled before the scroll view's own events")
    }
  }

  /// An offer of a movement, or a velocity: each delegate is offered what those before it left.
  private func nested(
    _ kind: DelegateEventKind, _ offer: Point, _ source: ScrollSource, _ view: Int
  ) -> DelegateEvent {
    withheld = Point()
    offsetBeforeOffer = view >= 0 ? scrollViews[view].contentOffset : Point()
    var told = DelegateEvent(kind, scrollView: Int32(view))
    told.delta = offer
    told.velocity = kind == .willFling ? offer : Point()
    told.source = source
    return told
  }

  /// What an event comes to once the whole chain has been asked.
  func conclude(_ event: ScrollEvent, _ view: Int, _ given: ChainAnswer, _ answer: inout EventAnswer) {
    switch event.kind {
    case .willEndDragging:
      if let target = given.targetOffset { answer.targetOffset = target }
      answer.returned = given.returned ?? false
      answer.rewrittenBy = given.rewrittenBy >= 0 ? state.names.delegates[Int(given.rewrittenBy)] : nil
    case .didEndDragging(let willDecelerate):
      setFlags(view, decelerating: event.isDecelerating ?? willDecelerate)
    case .shouldScrollToTop:
      let returned = given.returned ?? true
      answer.returned = returned
      if returned {
        setFlags(
          view, tracking: event.isTracking, dragging: event.isDragging, decelerating: event.isDecelerating,
          animating: true)
      }
    case .willScroll(let offer, _), .didOverscroll(let offer, _), .willFling(let offer):
      concludeOffer(of: offer, view, given, &answer)
    case .willAppear:
      environment.visible = true
      updateAdjustedInsets()
    default: break
    }
  }

  /// What the chain made of an offer. What a delegate takes it may carry the content along by, silently, because the movement
  /// is known to it. The others did not take part, and hear of it as of a scroll.
  private func concludeOffer(of offer: Point, _ view: Int, _ given: ChainAnswer, _ answer: inout EventAnswer) {
    if given.consumers != 0, scrollViews[view].contentOffset != offsetBeforeOffer {
      depth += 1
      defer { depth -= 1 }
      nestedDidScroll(view, to: ~given.consumers)
    }
    // The sum is the offer to the last bit: of two differences that make a whole, the one with the smaller part is exact.
    let consumed = offer - (given.residual + withheld)
    answer.consumed = consumed
    answer.residual = offer - consumed
  }

  func setFlags(
    _ view: Int, tracking: Bool? = nil, dragging: Bool? = nil, decelerating: Bool? = nil, animating: Bool? = nil
  ) {
    guard view >= 0 else { return }
    if let tracking { scrollViews[view].isTracking = tracking }
    if let dragging { scrollViews[view].isDragging = dragging }
    if let decelerating { scrollViews[view].isDecelerating = decelerating }
    if let animating { scrollViews[view].isAnimating = animating }
  }

  func changeTrackingScrollView(to view: Int) {
    guard view != trackingScrollView else { return }
    var told = DelegateEvent(.setTrackingScrollView, scrollView: Int32(trackingScrollView))
    told.newScrollView = Int32(view)
    trackingScrollView = view
    changed()
    _ = forward(told)
  }

  private func runManualFrame(_ duration: Double) {
    let requests = schedule.frames
    for request in requests where schedule.frames.contains(request) {
      guarded(Int(request.delegate)) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        try delegate.frame(duration: duration, in: self)
      }
    }
  }

  // MARK: Options and calls

  private func delegateIndex(_ name: String?) throws(HeaderError) -> Int {
    if let name {
      guard let index = proxy.index(named: name) else {
        throw .notFound(.delegateNotFound, "delegate", name, in: self.name, known: proxy.slots.map(\.delegate.name))
      }
      return index
    }
    guard proxy.slots.count == 1 else {
      let known = proxy.slots.map(\.delegate.name)
      throw HeaderError(
        .delegateNotFound,
        "header \"\(self.name)\" has \(known.isEmpty ? "no delegates" : "several delegates, name one of \(known.joined(separator: ", "))")",
        field: "delegate")
    }
    return 0
  }

  /// Sets options in the order of the behavior's list, all or nothing: when one is refused, those set before it get
  /// their old values back.
  private func setOptions(_ options: Value.Record, of name: String?) throws(HeaderError) {
    let index = try delegateIndex(name)
    let delegate = proxy.slots[index].delegate
    guard !proxy.slots[index].isBypassed else { throw .isBypassed(delegate.name, "takes no options") }
    let schemas = delegate.behavior.options
    let path = Path("options")
    let given = try schemas.checked(options, at: path)
    var present = description.delegates[index].options
    if let yields = options["yields"], yields != present["yields"] ?? false {
      throw HeaderError(
        .invalidOption, "options.yields: who owns a drawer is settled when a delegate joins; it cannot yield later",
        field: "options.yields", got: yields, hint: "delegate.remove it and add it again with the option")
    }
    for (place, (option, value)) in given.enumerated() {
      do {
        try answering(for: delegate, at: path + schemas[option].name) { () throws(DelegateFailure) in
          try delegate.setOption(option, value, in: self)
        }
        // An option may decide what the delegate hears of already while the next one is set.
        updateResponds(of: index)
      } catch {
        if error.name == .behaviorFailed { bypass(index, error.hint ?? error.message) }
        for (done, _) in given[..<place] {
          let old = present[schemas[done].name] ?? schemas[done].defaultValue
          guarded(index) { (delegate: ScrollDelegate) throws(DelegateFailure) in
            try delegate.setOption(done, old, in: self)
          }
        }
        throw error
      }
    }
    for (option, value) in given { present[schemas[option].name] = value }
    description.delegates[index].options = present
    updateResponds(of: index)
  }

  /// Calls a behavior's own function by name; without a delegate the first one that knows the name.
  private func call(_ name: String, _ arguments: Value.Record, of delegate: String?) throws(HeaderError) -> Value {
    let candidates: [Int]
    if let delegate { candidates = [try delegateIndex(delegate)] } else { candidates = Array(proxy.slots.indices) }
    for index in candidates {
      let member = proxy.slots[index].delegate
      guard let number = member.behavior.calls.firstIndex(where: { $0.name == name }) else { continue }
      guard !proxy.slots[index].isBypassed else { throw .isBypassed(member.name, "answers no calls") }
      let checked: Value.Record
      do {
        _ = try member.behavior.calls[number].arguments.checked(arguments, at: Path("arguments"))
        checked = arguments
      } catch {
        var refusal = error
        refusal.name = .invalidParams
        throw refusal
      }
      return try perform(number, checked, by: index)
    }
    // Recordings of the originals begin with it; here a behavior is attached at opening (protocol.md §3.1).
    if name == "attach" { return .null }
    let known = candidates.flatMap { proxy.slots[$0].delegate.behavior.calls.map(\.name) }
    throw HeaderError(
      .callFailed,
      "no delegate of header \"\(self.name)\" knows the call \"\(name)\"\(known.isEmpty ? "" : ", there are \(known.joined(separator: ", "))")",
      field: "name", got: .text(name), hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" })
  }

  private func perform(_ number: Int, _ arguments: Value.Record, by index: Int) throws(HeaderError) -> Value {
    let member = proxy.slots[index].delegate
    depth += 1
    defer { depth -= 1 }
    // A call may change what the delegate responds to, as an option may.
    defer { updateResponds(of: index) }
    do {
      return try member.call(number, arguments, in: self)
    } catch {
      var kind = ErrorName.callFailed
      var verb = "refuses"
      if case .failed(let reason) = error {
        bypass(index, reason)
        kind = .behaviorFailed
        verb = "failed"
      }
      let name = member.behavior.calls[number].name
      throw HeaderError(
        kind, "\(name): \(member.behavior.name) \(verb): \(error.reason)", field: "name",
        hint: error.reason, facts: ["culprit": .text(member.name)])
    }
  }
}

extension HeaderError {
  /// A request to a delegate that failed before.
  fileprivate static func isBypassed(_ delegate: String, _ consequence: String) -> HeaderError {
    HeaderError(
      .behaviorFailed, "delegate \"\(delegate)\" is bypassed since it failed, it \(consequence)",
      facts: ["culprit": .text(delegate)])
  }

  /// A name that is not there, with the nearest one that is.
  public static func notFound(_ error: ErrorName, _ what: String, _ name: String, in owner: String, known: [String])
    -> HeaderError
  {
    let listed = known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"
    return HeaderError(
      error, "header \"\(owner)\" has no \(what) \"\(name)\"; \(listed)", got: .text(name),
      hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" },
      facts: ["header": .text(owner)])
  }
}
