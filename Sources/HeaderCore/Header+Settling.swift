// SPDX-License-Identifier: MIT
//
// What follows every event: layout passes until nothing asks for another, what was put off, and then one state, if there is
// something new to tell.

extension Header {
  /// Layout passes until nothing asks for another, then the work put off to after the event, then once more.
  func finishEvent() {
    runLayoutPasses()
    if !afterEventWork.isEmpty { runWorkPutOff() }
    if !followers.isEmpty, changesToFollow { runFollowers() }
    runLayoutPasses()
  }

  private func runWorkPutOff() {
    var next = 0
    // Work that asks for work is done in the same turn; `afterEvent` sees to it that this ends.
    while next < afterEventWork.count {
      let (delegate, token) = afterEventWork[next]
      next += 1
      guarded(Int(delegate)) { (member: ScrollDelegate) throws(DelegateFailure) in
        try member.afterEvent(token, in: self)
      }
    }
    afterEventWork.removeAll(keepingCapacity: true)
    runLayoutPasses()
  }

  @inline(__always)
  private func runLayoutPasses() {
    if !layoutMarks.isEmpty { runMarkedLayoutPasses() }
  }

  @inline(never)
  private func runMarkedLayoutPasses() {
    var passes = 0
    // Who asked for the next pass in its own one, not because of what another did in its.
    var askedAgain = DelegateSet()
    while !layoutMarks.isEmpty {
      guard passes < limits.layoutPasses else { return endLayoutPasses(of: askedAgain) }
      let marks = layoutMarks
      layoutMarks = DelegateSet()
      passes += 1
      askedAgain = DelegateSet()
      for index in proxy.slots.indices where marks.contains(index) {
        let before = layoutMarks
        guarded(index) { (member: ScrollDelegate) throws(DelegateFailure) in try member.layout(in: self) }
        if layoutMarks.contains(index), !before.contains(index) { askedAgain.insert(index) }
      }
    }
  }

  /// Layout passes that bring about each other do not end by themselves.
  private func endLayoutPasses(of askedAgain: DelegateSet) {
    let guilty = askedAgain.isEmpty ? layoutMarks : askedAgain
    layoutMarks = DelegateSet()
    for index in proxy.slots.indices where guilty.contains(index) {
      bypass(index, "it asks for more than \(limits.layoutPasses) layout passes after one event")
    }
  }

  /// Calls into a delegate; one that fails is bypassed.
  func guarded(_ index: Int, _ body: (ScrollDelegate) throws(DelegateFailure) -> Void) {
    guard proxy.slots[index].isActive, !proxy.slots[index].isBypassed else { return }
    depth += 1
    defer { depth -= 1 }
    do {
      try body(proxy.slots[index].delegate)
    } catch {
      bypass(index, error.reason)
    }
  }

  /// Compares everything with the state told last, brings the state up to date in place, and tells it if something
  /// besides time and the reported offset changed.
  func settle(_ emit: (borrowing HeaderState) -> Void) {
    var differs = structureChanged
    structureChanged = false
    drawers.update(&state.drawers, &differs)
    elements.update(&state.elements, &differs)
    scrollViews.update(&state.scrollViews, &differs) { $0.tellsMore(than: $1) }
    if looksAtValues {
      looksAtValues = false
      for index in values.indices where values[index] != state.values[index] {
        state.values[index] = values[index]
        differs = true
      }
    }
    if looksAtWants {
      looksAtWants = false
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
    if !pending.isEmpty || !state.happened.isEmpty {
      swap(&pending, &state.happened)
      pending.clear()
      if state.happened.isMeaningful { differs = true }
    }
    guard differs else { return }
    state.seq += 1
    state.time = now
    stateRecord.lend(to: emit)
  }

  /// Makes the state anew after the structure changed.
  func rebuildState(keepingPositions: Bool = false) {
    let members = proxy.slots.map(\.delegate)
    let told = state.names
    state.names = HeaderNames(
      drawers: description.drawers.map(\.name), scrollViews: description.scrollViews.map(\.name),
      elements: description.drawers.flatMap { $0.elements.map(\.name) }, delegates: members.map(\.name),
      values: members.flatMap { $0.behavior.values.map(\.name) }, notices: members.map(\.behavior.notices), after: told)
    // Other names are worth a state, even for the same positions.
    structureChanged =
      keepingPositions
      && (told.drawers != state.names.drawers || told.scrollViews != state.names.scrollViews
        || told.elements != state.names.elements || told.values != state.names.values)
    // Told positions that still have their place stay, so that the next `settle` sees what is new.
    let sameShape =
      keepingPositions && state.drawers.count == drawers.count && state.elements.count == elements.count
      && state.scrollViews.count == scrollViews.count && state.values.count == values.count
    guard !sameShape else { return }
    state.drawers = drawers.elements
    state.elements = elements.elements
    state.scrollViews = scrollViews.elements
    state.values = values
    structureChanged = keepingPositions
  }
}

extension ScrollView {
  /// Whether a state with this record says more than one with another: all that is told, but for the offset itself,
  /// which the publisher reports.
  func tellsMore(than told: ScrollView) -> Bool {
    contentInset != told.contentInset || scrollIndicatorInsets != told.scrollIndicatorInsets || frame != told.frame
      || adjustedContentInset != told.adjustedContentInset || correction != told.correction
      || (decidesContentSize && contentSize != told.contentSize)
      || decidesFrame != told.decidesFrame || decidesContentSize != told.decidesContentSize
  }
}
