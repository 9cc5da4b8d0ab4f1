// SPDX-License-Identifier: MIT
//
// Changes of an open header's chain of delegates: one joins, leaves, takes another place (`delegate.*`). Each is an input of the header's
// one ordered stream, between two events. The header's look does not jump: drawers stay where the leaving delegate has moved them, and
// have no owner.
//
//     chain:  0 shyNavBar   1 keyframes                        add guard at 1
//     chain:  0 shyNavBar   1 guard   2 keyframes              owners, values, timers and frames keep whose they are
//
// A delegate that *yields* attaches after those that do not, and so claims only what no other delegate wants. The description says which
// delegates yield (`options.yields`), so the header knows before any attaches. When a delegate that does not yield joins, those that
// yield first give their drawers and elements back, and then claim what is left. They do the same when a delegate leaves, and when
// drawers come and go (`header.configure`).

import HeaderModel

/// Changes which delegates a header has.
struct ChainEditor {
  let header: Header
  var proxy: DelegateProxy { header.proxy }

  func makeDelegates(_ provider: any BehaviorProvider) throws(HeaderError) {
    for (index, wanted) in header.description.delegates.enumerated() {
      let path = Path("delegates")[index]
      let delegate = try makeDelegate(wanted, provider, at: path)
      delegate.index = Int32(index)
      delegate.side = header.side(for: wanted)
      try setAllOptions(wanted.options, of: delegate, at: path + "options")
      proxy.slots.append(DelegateProxy.Slot(delegate))
      try addValues(of: delegate, at: path)
    }
    proxy.updateListeners()
  }

  /// A delegate as described; its options are good.
  func makeDelegate(
    _ wanted: DelegateDescription, _ provider: any BehaviorProvider, at path: Path
  ) throws(HeaderError) -> ScrollDelegate {
    if let client = wanted.client {
      let delegate = ClientDelegate(client, name: wanted.name)
      _ = try delegate.behavior.options.checked(wanted.options, at: path + "options")
      return delegate
    }
    guard let behavior = provider.behavior(named: wanted.behavior) else {
      throw .behaviorNotFound(wanted.behavior, known: provider.behaviorNames, at: path + "behavior")
    }
    _ = try behavior.options.checked(wanted.options, at: path + "options")
    return try provider.makeDelegate(behavior: wanted.behavior, name: wanted.name)
  }

  /// Sets a new delegate's options in the order of its behavior's list.
  func setAllOptions(_ given: Value.Record, of delegate: ScrollDelegate, at path: Path) throws(HeaderError) {
    let schemas = delegate.behavior.options
    for (option, value) in try schemas.checked(given, at: path) {
      try proxy.answering(for: delegate, at: path + schemas[option].name) { () throws(DelegateFailure) in
        try delegate.setOption(option, value, in: header)
      }
    }
  }

  func addValues(of delegate: ScrollDelegate, at path: Path) throws(HeaderError) {
    let slot = Int(delegate.index)
    proxy.slots[slot].firstValue = Int32(header.values.count)
    for value in delegate.behavior.values {
      header.values.append(NamedValue(delegate: delegate.index, content: value.initial))
    }
    guard header.values.count <= header.limits.values else {
      throw .limitExceeded("values", header.values.count, header.limits.values, field: path.text)
    }
  }

  /// Attaches all delegates. Those that yield come last; see `attachingOrder`.
  func attachDelegates() throws(HeaderError) {
    for index in attachingOrder { try attach(index, at: Path("delegates")[index]) }
  }

  private func attach(_ index: Int, at path: Path) throws(HeaderError) {
    let delegate = proxy.slots[index].delegate
    proxy.slots[index].isActive = true
    proxy.updateResponds(of: index)
    try proxy.answering(for: delegate, at: path) { () throws(DelegateFailure) in try delegate.attach(to: header) }
    proxy.updateResponds(of: index)
  }

  /// Adds a delegate to the chain.
  ///
  /// - Parameters:
  ///   - place: where, from 0; nil: at the end.
  ///   - time: header time; nil: the present one.
  ///   - emit: gets the resulting states.
  /// - Returns: its place.
  /// - Throws: `invalidParams` for an invalid place or name, `behaviorNotFound`, `invalidOption`, `conflict`, `limitExceeded`,
  ///   `behaviorFailed`; the chain is then as before.
  func add(
    _ wanted: DelegateDescription, at place: Int?, provider: any BehaviorProvider, time: Instant?,
    emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) -> Int {
    let count = proxy.slots.count
    let place = place ?? count
    try requirePlace(place, in: 0...count)
    guard count < header.limits.delegates else {
      throw .limitExceeded("delegates", count + 1, header.limits.delegates, field: "delegates")
    }
    guard proxy.index(named: wanted.name) == nil else {
      throw HeaderError(
        .invalidParams, "name: header \"\(header.name)\" has a delegate \"\(wanted.name)\" already", field: "name",
        got: .text(wanted.name), hint: "give it another name")
    }
    try header.requireEdges(wanted.edge == nil || wanted.edge == .top, field: "edge")
    let root = Path("")
    let delegate = try makeDelegate(wanted, provider, at: root)
    header.rare.failure = nil
    arriveBetweenEvents(time, emit)
    let before = HeaderCheckpoint(of: header)
    let descriptionBefore = header.description
    delegate.index = Int32(count)
    proxy.slots.append(DelegateProxy.Slot(delegate))
    header.description.delegates.append(wanted)
    delegate.side = header.side(for: wanted)
    do {
      try addValues(of: delegate, at: root + "behavior")
      var order = Array(0..<count)
      order.insert(count, at: place)
      reorder(order)
      try setAllOptions(wanted.options, of: delegate, at: root + "options")
      if !yields(place) { releaseYielding() }
      try attach(place, at: root + (wanted.client == nil ? "behavior" : "client"))
    } catch {
      before.restore(header)
      header.rare.failure = nil
      header.description = descriptionBefore
      for index in proxy.slots.indices { proxy.slots[index].delegate.index = Int32(index) }
      proxy.updateListeners()
      throw error
    }
    chainChanged(yielding: yields(place) ? DelegateSet() : yieldingMembers, emit)
    return place
  }

  /// Removes a delegate from the chain. Its drawers and elements become free, its values are removed.
  func remove(
    at index: Int, time: Instant?, emit: (borrowing HeaderState) -> Void
  ) {
    header.rare.failure = nil
    arriveBetweenEvents(time, emit)
    let delegate = proxy.slots[index].delegate
    header.keepStack()
    // The delegate receives nothing any more, whatever the others do about its last call.
    proxy.slots[index].isActive = false
    delegate.detach(from: header)
    var order = Array(proxy.slots.indices)
    order.remove(at: index)
    reorder(order)
    chainChanged(yielding: yieldingMembers, emit)
  }

  /// Gives a delegate another place.
  /// - Parameter place: its place in the chain as it is then, from 0.
  /// - Throws: `invalidParams` for a place that is none.
  func move(
    from index: Int, to place: Int, time: Instant?, emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    try requirePlace(place, in: 0...(proxy.slots.count - 1))
    header.rare.failure = nil
    arriveBetweenEvents(time, emit)
    var order = Array(proxy.slots.indices)
    order.insert(order.remove(at: index), at: place)
    reorder(order)
    chainChanged(yielding: DelegateSet(), emit)
  }

  private func requirePlace(_ place: Int, in range: ClosedRange<Int>) throws(HeaderError) {
    guard !range.contains(place) else { return }
    throw .unexpected(
      .number(Double(place)), at: Path("at"),
      needed: "a place in the chain, \(range.lowerBound) to \(range.upperBound)", expected: "integer")
  }

  /// Advances the time to a change. States that were due on the way are made with the old chain.
  private func arriveBetweenEvents(_ time: Instant?, _ emit: (borrowing HeaderState) -> Void) {
    header.moveOn(to: time, emit)
    header.finishEvent()
    header.settle(emit)
  }

  /// Ends a change of the chain, after which the delegates that yield claim again.
  private func chainChanged(yielding: DelegateSet, _ emit: (borrowing HeaderState) -> Void) {
    header.rebuildState(keepingPositions: true)
    // Another place of its owner is no change of a value.
    for index in header.values.indices { header.state.values[index].delegate = header.values[index].delegate }
    if !yielding.isEmpty {
      var event = DelegateEvent(.layout, scrollView: Int32(header.trackingScrollView))
      event.given = [.drawers, .structure]
      event.changed = event.given
      _ = header.forward(event, to: yielding)
      for index in proxy.slots.indices where yielding.contains(index) { proxy.updateResponds(of: index) }
    }
    PositionController(header).update()
    header.work.changesToFollow = true
    header.finishEvent()
    header.settle(emit)
  }

  /// Frees the drawers and elements of delegates that yield; `chainChanged` lets them claim again.
  private func releaseYielding() {
    for index in proxy.slots.indices where yields(index) {
      header.owners.releaseDrawers(of: index)
      header.owners.releaseElements(of: index)
    }
  }

  /// Puts the chain into another order.
  /// - Parameter order: for each new place the old one; a delegate that is left out is removed.
  func reorder(_ order: [Int]) {
    var places = Array(repeating: Int32(-1), count: proxy.slots.count)
    for (new, old) in order.enumerated() { places[old] = Int32(new) }
    func place(_ old: Int32) -> Int32 { old < 0 ? -1 : places[Int(old)] }
    let old = proxy.slots
    proxy.slots = ContiguousArray(order.map { old[$0] })
    for index in proxy.slots.indices { proxy.slots[index].delegate.index = Int32(index) }
    header.description.delegates = order.map { header.description.delegates[$0] }
    header.owners.renumber(place)
    header.values = order.enumerated().flatMap { new, old in
      header.values.lazy.filter { $0.delegate == Int32(old) }.map {
        NamedValue(delegate: Int32(new), content: $0.content)
      }
    }
    proxy.rebuildValuePlaces()
    header.schedule.renumber(place)
    if header.rare.control != nil { header.rare.control?.renumber(place) }
    header.work.renumber(order, place)
    proxy.updateListeners()
  }

  // MARK: Yielding

  /// The places of the chain in the order of attaching: from the last to the first, so that observers are there when a behavior first
  /// moves something; those that yield after those that do not.
  var attachingOrder: [Int] {
    let order = Array(proxy.slots.indices.reversed())
    return order.filter { !yields($0) } + order.filter(yields)
  }

  /// Forwards new drawers to the delegates, last to those that yield, so that here too they claim only what is left.
  func forwardStructure(_ event: DelegateEvent) {
    let yielding = yieldingMembers
    _ = header.forward(event, to: .all.subtracting(yielding))
    if !yielding.isEmpty { _ = header.forward(event, to: yielding) }
    // A dormant delegate may have begun, and respond to more events.
    for index in proxy.slots.indices where !proxy.slots[index].isBypassed { proxy.updateResponds(of: index) }
  }

  /// The delegates that yield.
  var yieldingMembers: DelegateSet { DelegateSet(of: proxy.slots.indices, where: yields) }

  func yields(_ index: Int) -> Bool { header.description.delegates[index].options["yields"] == .bool(true) }
}
