// SPDX-License-Identifier: MIT
//
// The chain of delegates while the header lives: one joins, leaves, takes another place (`delegate.*`). Each is an input of
// the header's one ordered stream and stands between two events. What the header shows does not jump: drawers stay where
// the one who leaves has moved them, and belong to nobody.
//
//     chain:  0 shyNavBar   1 keyframes                        add guard at 1
//     chain:  0 shyNavBar   1 guard   2 keyframes              owners, values, timers and frames keep whose they are
//
// Who yields gives its drawers and elements back before somebody joins who does not, and then claims what is left, as it
// does when drawers come and go (`header.configure`). So it does when somebody leaves.

extension Header {
  /// Lets a delegate join the chain.
  ///
  /// - Parameters:
  ///   - place: where, from 0; nil: at the end.
  ///   - time: header time; nil: the present one.
  ///   - emit: gets the states that come of it.
  /// - Returns: its place.
  /// - Throws: `invalidParams` for a place or name that does not do, `behaviorNotFound`, `invalidOption`, `conflict`,
  ///   `limitExceeded`, `behaviorFailed`; the chain is then as before.
  func addDelegate(
    _ wanted: DelegateDescription, at place: Int?, provider: any BehaviorProvider, time: Instant?,
    emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) -> Int {
    let count = proxy.slots.count
    let place = place ?? count
    try requirePlace(place, in: 0...count)
    guard count < limits.delegates else {
      throw .limitExceeded("delegates", count + 1, limits.delegates, field: "delegates")
    }
    guard proxy.index(named: wanted.name) == nil else {
      throw HeaderError(
        .invalidParams, "name: header \"\(name)\" has a delegate \"\(wanted.name)\" already", field: "name",
        got: .text(wanted.name), hint: "give it another name")
    }
    let root = Path("")
    let delegate = try makeDelegate(wanted, provider, at: root)
    failure = nil
    arriveBetweenEvents(time, emit)
    let before = Everything(self)
    let descriptionBefore = description
    delegate.index = Int32(count)
    proxy.slots.append(DelegateProxy.Slot(delegate))
    description.delegates.append(wanted)
    do {
      try addValues(of: delegate, at: root + "behavior")
      var order = Array(0..<count)
      order.insert(count, at: place)
      reorder(order)
      try setAllOptions(wanted.options, of: delegate, at: root + "options")
      if !yields(place) { releaseYielding() }
      proxy.slots[place].isActive = true
      updateResponds(of: place)
      try answering(for: delegate, at: root + (wanted.client == nil ? "behavior" : "client")) {
        () throws(DelegateFailure) in try delegate.attach(to: self)
      }
      updateResponds(of: place)
    } catch {
      before.putBack(into: self)
      description = descriptionBefore
      for index in proxy.slots.indices { proxy.slots[index].delegate.index = Int32(index) }
      updateListeners()
      throw error
    }
    chainChanged(yielding: yields(place) ? DelegateSet() : yieldingMembers, emit)
    return place
  }

  /// Lets a delegate leave the chain. What it owned is free, its values are gone.
  func removeDelegate(
    at index: Int, time: Instant?, emit: (borrowing HeaderState) -> Void
  ) {
    failure = nil
    arriveBetweenEvents(time, emit)
    let delegate = proxy.slots[index].delegate
    // It hears nothing any more, whatever the others do about its last call.
    proxy.slots[index].isActive = false
    delegate.detach(from: self)
    var order = Array(proxy.slots.indices)
    order.remove(at: index)
    reorder(order)
    chainChanged(yielding: yieldingMembers, emit)
  }

  /// Gives a delegate another place.
  /// - Parameter place: its place in the chain as it is then, from 0.
  /// - Throws: `invalidParams` for a place that is none.
  func moveDelegate(
    from index: Int, to place: Int, time: Instant?, emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    try requirePlace(place, in: 0...(proxy.slots.count - 1))
    failure = nil
    arriveBetweenEvents(time, emit)
    var order = Array(proxy.slots.indices)
    order.insert(order.remove(at: index), at: place)
    reorder(order)
    chainChanged(yielding: DelegateSet(), emit)
  }

  /// A delegate's place in the chain by its name.
  /// - Throws: `delegateNotFound`, with the nearest name.
  public func delegateIndex(named wanted: String) throws(HeaderError) -> Int {
    if let index = proxy.index(named: wanted) { return index }
    throw .notFound(.delegateNotFound, "delegate", wanted, in: name, known: proxy.slots.map(\.delegate.name))
  }

  private func requirePlace(_ place: Int, in range: ClosedRange<Int>) throws(HeaderError) {
    guard !range.contains(place) else { return }
    throw .unexpected(
      .number(Double(place)), at: Path("at"),
      needed: "a place in the chain, \(range.lowerBound) to \(range.upperBound)", expected: "integer")
  }

  /// Time goes on, and what was due on the way has its state, in which the chain is still the old one.
  private func arriveBetweenEvents(_ time: Instant?, _ emit: (borrowing HeaderState) -> Void) {
    moveOn(to: time, emit)
    finishEvent()
    settle(emit)
  }

  /// Ends a change of the chain; those who yielded are told to claim again.
  private func chainChanged(yielding: DelegateSet, _ emit: (borrowing HeaderState) -> Void) {
    rebuildState(keepingPositions: true)
    // Another place of its owner is no change of a value.
    for index in values.indices { state.values[index].delegate = values[index].delegate }
    if !yielding.isEmpty {
      var told = DelegateEvent(.layout, scrollView: Int32(trackingScrollView))
      told.given = [.drawers, .structure]
      told.changed = told.given
      _ = forward(told, to: yielding)
      for index in proxy.slots.indices where yielding.contains(index) { updateResponds(of: index) }
    }
    changesToFollow = true
    finishEvent()
    settle(emit)
  }

  /// Frees the drawers and elements of those who yield; `chainChanged` lets them claim again.
  private func releaseYielding() {
    for index in proxy.slots.indices where yields(index) {
      for drawer in drawerOwners.indices where drawerOwners[drawer] == Int32(index) { drawerOwners[drawer] = -1 }
      for element in elementOwners.indices where elementOwners[element] == Int32(index) { elementOwners[element] = -1 }
    }
  }

  /// Puts the chain into another order.
  /// - Parameter order: for each new place the old one; who is left out is gone.
  func reorder(_ order: [Int]) {
    var places = Array(repeating: Int32(-1), count: proxy.slots.count)
    for (new, old) in order.enumerated() { places[old] = Int32(new) }
    func place(_ old: Int32) -> Int32 { old < 0 ? -1 : places[Int(old)] }
    let old = proxy.slots
    proxy.slots = ContiguousArray(order.map { old[$0] })
    for index in proxy.slots.indices { proxy.slots[index].delegate.index = Int32(index) }
    description.delegates = order.map { description.delegates[$0] }
    drawerOwners = drawerOwners.map(place)
    elementOwners = elementOwners.map(place)
    values = order.enumerated().flatMap { new, old in
      values.lazy.filter { $0.delegate == Int32(old) }.map { NamedValue(delegate: Int32(new), content: $0.content) }
    }
    rebuildValuePlaces()
    schedule.renumber(place)
    followers = followers.reordered(order)
    layoutMarks = layoutMarks.reordered(order)
    afterEventWork = ContiguousArray(
      afterEventWork.lazy.map { (place($0.delegate), $0.token) }.filter { $0.0 >= 0 })
    pending.renumber(place)
    updateListeners()
  }
}

extension Schedule {
  /// Gives everything to the delegates' new places; below 0: it is forgotten.
  mutating func renumber(_ place: (Int32) -> Int32) {
    for index in entries.indices { entries[index].delegate = place(entries[index].delegate) }
    entries.removeAll { $0.delegate < 0 }
    for index in frames.indices { frames[index].delegate = place(frames[index].delegate) }
    frames.removeAll { $0.delegate < 0 }
    frames.sort { $0.delegate < $1.delegate }
  }
}

extension HeaderState.Happened {
  /// The same for what has happened and is not told yet.
  mutating func renumber(_ place: (Int32) -> Int32) {
    for index in notices.indices { notices[index].delegate = place(notices[index].delegate) }
    notices.removeAll { $0.delegate < 0 }
    for index in animations.indices { animations[index].delegate = place(animations[index].delegate) }
    animations.removeAll { $0.delegate < 0 }
    for index in calls.indices { calls[index].delegate = place(calls[index].delegate) }
    calls.removeAll { $0.delegate < 0 }
  }
}
