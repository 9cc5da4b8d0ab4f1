// SPDX-License-Identifier: MIT
//
// The steps of one event (headerd-events(7)). Everything that can be refused is refused before anything changes; then the clock, the
// flags and the record, the chain, the layout passes, one state.

import HeaderModel

extension Header {
  /// Handles an event.
  /// - Returns: the answer; empty when the header waits for a client (`isWaiting`): `resume` then returns it.
  func applyEvent(_ event: ScrollEvent, at time: Instant?, emit: (borrowing HeaderState) -> Void)
    throws(HeaderError) -> EventAnswer
  {
    let view = try EventHandling.resolve(event, in: self)
    assert(!proxy.isWaiting, "the event before this one still waits for a client")
    if hasFailure { rare.failure = nil }
    let arrival = arrive(time)
    var isAdvance = false
    if case .advance = event.kind { isAdvance = true }
    if !schedule.frames.isEmpty { runFrames(until: arrival, including: isAdvance, emit) }
    moveClock(to: arrival)
    if isControlled { PositionController(self).beginEvent(catches: catchesHeader(event, view)) }
    var handling = EventHandling(header: self, event: event, view: view)
    if case .didScroll = event.kind {
      report(event.offset, event.correction, view, isWritten: event.reason != .content)
      setFlags(view, tracking: event.isTracking, dragging: event.isDragging, decelerating: event.isDecelerating)
      tellScroll(of: view, event.reason ?? .unsaid)
    } else {
      do {
        try handling.handle()
      } catch {
        finishEvent()
        settle(emit)
        throw error
      }
    }
    if proxy.isWaiting {
      rare.parked?.handling = handling
    } else {
      finishEvent()
      settle(emit)
    }
    return handling.finishedAnswer
  }

  /// Handles `HeaderInput.scroll`: what `applyEvent` does with a didScroll that has nothing but its offset.
  @usableFromInline
  func applyScroll(
    to offset: PartialPoint, correction: PartialPoint?, at time: Instant?, emit: (borrowing HeaderState) -> Void
  ) {
    assert(!proxy.hasInterceptors, "the event may have to wait for a client")
    if isExplained, let ledger = proxy.ledger, !ledger.isUnderWay {
      return explainScroll(to: offset, correction: correction, at: time, ledger, emit)
    }
    if hasFailure { rare.failure = nil }
    let arrival = arrive(time)
    if !schedule.frames.isEmpty { runFrames(until: arrival, including: false, emit) }
    moveClock(to: arrival)
    let tracking = trackingScrollView
    if isControlled { PositionController(self).beginEvent(catches: tracking >= 0 && isFinger(on: tracking)) }
    report(offset, correction, tracking < 0 && scrollViews.count == 1 ? 0 : tracking)
    tellScroll(of: tracking)
    finishEvent()
    settle(emit)
  }

  /// Whether a finger takes hold of the header by an event.
  private func catchesHeader(_ event: ScrollEvent, _ view: Int) -> Bool {
    switch event.kind {
    case .willBeginDragging: true
    case .willScroll(_, let source), .didOverscroll(_, let source): source == .drag
    case .didScroll: event.isTracking ?? event.isDragging ?? (view >= 0 && isFinger(on: view))
    default: false
    }
  }

  private func isFinger(on view: Int) -> Bool { scrollViews[view].isTracking || scrollViews[view].isDragging }

  func scrollViewIndex(_ name: String, at path: Path? = nil) throws(HeaderError) -> Int {
    guard let index = plans.plan.description.scrollViews.firstIndex(where: { $0.name == name }) else {
      throw .notFound(
        .scrollViewNotFound, "scroll view", name, in: self.name, known: description.scrollViews.map(\.name), at: path)
    }
    return index
  }

  /// didScroll, the most frequent event: the same as `handle` and `tell`, without the branches for other kinds.
  @inline(__always)
  func tellScroll(of view: Int, _ reason: ScrollReason = .unsaid) {
    guard view >= 0, view == trackingScrollView, isHeard(.didScroll) else { return }
    var event = DelegateEvent(.didScroll, scrollView: Int32(view))
    event.reason = reason
    _ = forwardAsking(event)
  }

  /// Takes over the publisher's report of its scroll view.
  /// - Parameter isWritten: the event itself says that the content moved.
  @inline(__always)
  func report(_ offset: PartialPoint?, _ correction: PartialPoint?, _ view: Int, isWritten: Bool = true) {
    guard view >= 0, let offset else { return }
    scrollViews[view].contentOffset = reported(offset, correction, view)
    if isWritten { tellWrite(view) }
  }

  /// The reported offset plus the moves of ours that it did not have yet.
  func reported(_ given: PartialPoint, _ correction: PartialPoint?, _ view: Int) -> Point {
    let present = scrollViews[view].contentOffset
    let total = scrollViews[view].correction
    let applied = correction?.filled(from: total) ?? total
    return Point(
      x: given.x.map { $0 + (total.x - applied.x) } ?? present.x,
      y: given.y.map { $0 + (total.y - applied.y) } ?? present.y
    ).bounded
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
    var event = DelegateEvent(.setTrackingScrollView, scrollView: Int32(trackingScrollView))
    event.newScrollView = Int32(view)
    let handOver = HandOver(of: self)
    trackingScrollView = view
    changed()
    handOver.begin()
    _ = forward(event)
    handOver.conclude()
  }

  // MARK: Forwarding

  /// Whether sending an event down the chain may bring about anything; true also where it turns out not to.
  @inline(__always)
  func isHeard(_ kind: DelegateEventKind) -> Bool { proxy.isHeard(kind) }

  /// Sends an event down the chain.
  /// - Parameter members: the delegates that are meant.
  @inline(__always)
  func forward(_ event: consuming DelegateEvent, to members: DelegateSet = .all) -> ChainAnswer {
    proxy.forward(event, to: members, in: self)
  }

  /// Forwards the event that came from outside: clients are asked about it.
  @inline(__always)
  func forwardAsking(_ event: consuming DelegateEvent) -> ChainAnswer {
    guard proxy.hasInterceptors else { return forward(event) }
    proxy.mayAsk = true
    defer { proxy.mayAsk = false }
    return forward(event)
  }

  // MARK: Time

  /// When the header has something to do next without an input: a timer, a completion, and in `live` a frame. nil before the first event.
  public var nextDue: Instant? {
    guard hasTime else { return nil }
    if rare.isMirror { return rare.mirror?.nextDue }
    let frame = frames == .live ? schedule.nextFrame(rate: plans.plan.description.frameRate) : nil
    let due: Instant
    switch (schedule.nextEntry, frame) {
    case (let entry?, let frame?): due = min(entry, frame)
    case (let one?, nil), (nil, let one?): due = one
    case (nil, nil): return nil
    }
    return due <= rare.timeEnd ? due : nil
  }

  /// The time that an event is handled at: never before the present one. The first event begins the header's time, and timers and frames
  /// from the opening are moved onto it.
  func arrive(_ time: Instant?) -> Instant {
    guard let time else {
      hasTime = true
      return now
    }
    if !hasTime { begin(at: time) }
    return max(min(time, rare.timeEnd), now)
  }

  /// Time ends 285 years from its origin, and before two times of a header are so far apart that their difference exceeds 64 bits of
  /// nanoseconds: behaviors subtract them.
  private func begin(at time: Instant) {
    let most = Instant.maxNanoseconds
    let first = Instant(nanoseconds: max(-most, min(most, time.nanoseconds)))
    rare.timeEnd = min(rare.timeEnd, first.advanced(by: .max))
    hasTime = true
    schedule.shift(by: first.nanoseconds(since: now))
    now = first
  }

  /// Advances the clock; timers and completions that are due run, in the order of their due times.
  @inline(__always)
  func moveClock(to time: Instant) {
    now = time
    if !schedule.entries.isEmpty { runEntries() }
  }

  private func runEntries() {
    var isFirst = true
    while let entry = schedule.popDue(at: now) {
      guard entry.delegate != PositionController.engine else {
        PositionController(self).completion(entry.token)
        continue
      }
      let index = Int(entry.delegate)
      if isFirst { for slot in proxy.slots.indices { proxy.slots[slot].entriesRun = 0 } }
      isFirst = false
      proxy.slots[index].entriesRun += 1
      guard proxy.slots[index].entriesRun <= Schedule.maxEntries * 2 else {
        proxy.bypass(index, "its timers and animations without delay start each other without end", in: self)
        continue
      }
      proxy.guarded(index, in: self, on: "timer") { (delegate: ScrollDelegate) throws(DelegateFailure) in
        switch entry.kind {
        case .timer: try delegate.timer(entry.token, in: self)
        case .completion: try delegate.completion(entry.token, in: self)
        }
      }
    }
  }

  /// Advances the time to a change that is no event.
  func moveOn(to time: Instant?, _ emit: (borrowing HeaderState) -> Void) {
    let arrival = arrive(time)
    runFrames(until: arrival, including: false, emit)
    moveClock(to: arrival)
  }

  /// Runs the frames that lie before a time, each with a state of its own.
  func runFrames(until time: Instant, including: Bool, _ emit: (borrowing HeaderState) -> Void) {
    guard frames != .manual else { return }
    let rate = plans.plan.description.frameRate
    var count = 0
    defer { if isExplained { proxy.ledger?.frame = nil } }
    while let due = schedule.nextFrame(rate: rate), due < time || (including && due == time) {
      guard count < limits.framesPerEvent else {
        schedule.skipFrames(to: time, rate: rate)
        return
      }
      count += 1
      if isExplained { proxy.ledger?.frame = due }
      moveClock(to: due)
      let requests = schedule.frames
      for request in requests where Schedule.due(request, rate: rate) == due {
        guard let index = schedule.frames.firstIndex(of: request) else { continue }
        schedule.frames[index].count += 1
        runFrame(of: request.delegate, 1 / rate, isTimed: true)
      }
      finishEvent()
      settle(emit)
    }
  }

  func runManualFrame(_ duration: Double) {
    let requests = schedule.frames
    for request in requests where schedule.frames.contains(request) {
      runFrame(of: request.delegate, duration, isTimed: false)
    }
  }

  /// - Parameter isTimed: the clock stands where the frame is due.
  private func runFrame(of delegate: Int32, _ duration: Double, isTimed: Bool) {
    guard delegate != PositionController.engine else {
      return PositionController(self).frame(isTimed ? nil : duration)
    }
    proxy.guarded(Int(delegate), in: self, on: "frame") { (delegate: ScrollDelegate) throws(DelegateFailure) in
      try delegate.frame(duration: duration, in: self)
    }
    if isControlled { PositionController(self).frameRan(of: delegate) }
  }

  // MARK: The end of an event

  /// Layout passes until nothing asks for another, then the work put off to after the event, then once more.
  func finishEvent() {
    runLayoutPasses()
    if !work.afterEvent.isEmpty { runWorkPutOff() }
    if isControlled { PositionController(self).endEvent() }
    if isEdged, !rare.leaders.followers.isEmpty { runFollowing() }
    if !work.followers.isEmpty, work.changesToFollow { runFollowers() }
    runLayoutPasses()
  }

  private func runWorkPutOff() {
    var next = 0
    // Work that asks for work is done in the same turn; `afterEvent` sees to it that this ends.
    while next < work.afterEvent.count {
      let (delegate, token) = work.afterEvent[next]
      next += 1
      proxy.guarded(Int(delegate), in: self) { (member: ScrollDelegate) throws(DelegateFailure) in
        try member.afterEvent(token, in: self)
      }
    }
    work.afterEvent.removeAll(keepingCapacity: true)
    runLayoutPasses()
  }

  @inline(__always)
  private func runLayoutPasses() {
    if !work.layoutMarks.isEmpty { runMarkedLayoutPasses() }
  }

  @inline(never)
  private func runMarkedLayoutPasses() {
    var passes = 0
    // Delegates that asked for the next pass in their own pass, not because of another delegate.
    var askedAgain = DelegateSet()
    while !work.layoutMarks.isEmpty {
      guard passes < limits.layoutPasses else { return endLayoutPasses(of: askedAgain) }
      let marks = work.layoutMarks
      work.layoutMarks = DelegateSet()
      passes += 1
      askedAgain = DelegateSet()
      for index in proxy.slots.indices where marks.contains(index) {
        let before = work.layoutMarks
        proxy.guarded(index, in: self) { (member: ScrollDelegate) throws(DelegateFailure) in try member.layout(in: self)
        }
        if work.layoutMarks.contains(index), !before.contains(index) { askedAgain.insert(index) }
      }
    }
  }

  /// Layout passes that bring about each other do not end by themselves.
  private func endLayoutPasses(of askedAgain: DelegateSet) {
    let guilty = askedAgain.isEmpty ? work.layoutMarks : askedAgain
    work.layoutMarks = DelegateSet()
    for index in proxy.slots.indices where guilty.contains(index) {
      proxy.bypass(index, "it asks for more than \(limits.layoutPasses) layout passes after one event", in: self)
    }
  }

  /// Compares everything with the last published state, brings it up to date in place, and publishes it if something
  /// besides time and the reported offset changed.
  func settle(_ emit: (borrowing HeaderState) -> Void) {
    var differs = false
    if isEdged || hasStack {
      drawers.update(&state.drawers, to: realDrawers, &differs)
    } else {
      drawers.updateWritten(&state.drawers, &differs)
    }
    if differs { noteDirection() }
    if work.structureChanged {
      work.structureChanged = false
      differs = true
    }
    if isEdged {
      elements.update(&state.elements, to: realElements, &differs)
    } else {
      elements.updateWritten(&state.elements, &differs)
    }
    scrollViews.update(&state.scrollViews, &differs) { $0.saysMore(than: $1) }
    if work.valuesWritten {
      work.valuesWritten = false
      for index in values.indices where values[index] != state.values[index] {
        state.values[index] = values[index]
        differs = true
      }
    }
    if work.wantsWritten {
      work.wantsWritten = false
      if wants != state.wants {
        state.wants = wants
        differs = true
      }
    }
    if state.trackingScrollView != Int32(trackingScrollView) {
      state.trackingScrollView = Int32(trackingScrollView)
      differs = true
    }
    if state.framesActive != !schedule.frames.isEmpty {
      state.framesActive.toggle()
      differs = true
    }
    if isControlled {
      let report = PositionController(self).report
      if report != state.position {
        state.position = report
        differs = true
      }
      isControlled = report != nil
    }
    if !work.happened.isEmpty || !state.happened.isEmpty {
      swap(&work.happened, &state.happened)
      work.clearHappened()
      if state.happened.isMeaningful { differs = true }
    }
    guard differs else { return work.hasUnpublished = true }
    state.seq += 1
    state.time = now
    if isExplained { state.happened.explanation = proxy.ledger?.explanation(of: state.seq) }
    stateRecord.lend(to: emit)
  }

  /// Rebuilds the state after the structure changed.
  func rebuildState(keepingPositions: Bool = false) {
    let published = state.names
    rebuildNames()
    // Other names are worth a state, even for the same positions.
    work.structureChanged =
      keepingPositions
      && (published.drawers != state.names.drawers || published.scrollViews != state.names.scrollViews
        || published.elements != state.names.elements || published.values != state.names.values)
    // Published records that keep their place stay, so that the next `settle` sees what is new. Code that reads the state before that, in
    // the middle of an event, does not see the new ones.
    var isOther = false
    func make<Record>(_ published: inout [Record], _ records: [Record]) {
      guard !keepingPositions || published.count != records.count else { return }
      published = records
      isOther = true
    }
    make(&state.drawers, realDrawers)
    make(&state.elements, realElements)
    make(&state.scrollViews, scrollViews.elements)
    if !keepingPositions {
      state.values = values
    } else if state.values.count != values.count {
      let known = Dictionary(zip(published.values, state.values.map(\.content))) { first, _ in first }
      state.values = zip(values, state.names.values).map { value, name in
        NamedValue(delegate: value.delegate, content: known[name] ?? value.content)
      }
      work.valuesWritten = true
      isOther = true
    }
    if keepingPositions, isOther { work.structureChanged = true }
  }

  func rebuildNames() {
    let members = proxy.slots.map(\.delegate)
    state.names = HeaderNames(
      drawers: description.drawers.map(\.name), scrollViews: description.scrollViews.map(\.name),
      elements: description.drawers.flatMap { $0.elements.map(\.name) }, delegates: members.map(\.name),
      values: proxy.valueNames, lengths: members.flatMap { $0.behavior.values.map { $0.unit == "points" } },
      notices: members.map(\.behavior.notices), after: state.names)
  }

  /// Runs the followers' pass. Their changes are not followed again; a pass that they ask for is run.
  func runFollowers() {
    for index in proxy.slots.indices where work.followers.contains(index) {
      proxy.guarded(index, in: self) { (member: ScrollDelegate) throws(DelegateFailure) in try member.layout(in: self) }
    }
    work.changesToFollow = false
  }
}

extension ScrollView {
  /// Whether a state with this record says more than one with another: all that is published, but for the offset itself,
  /// which the publisher reports.
  func saysMore(than published: ScrollView) -> Bool {
    contentInset != published.contentInset || scrollIndicatorInsets != published.scrollIndicatorInsets
      || frame != published.frame
      || adjustedContentInset != published.adjustedContentInset || correction != published.correction
      || (decidesContentSize && contentSize != published.contentSize)
      || decidesFrame != published.decidesFrame || decidesContentSize != published.decidesContentSize
  }
}
