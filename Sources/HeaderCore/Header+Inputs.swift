// SPDX-License-Identifier: MIT
//
// The one entrance of a header: every input is handled here (HeaderInput in HeaderModel).

import HeaderModel

extension Header {
  /// Handles one input.
  ///
  /// - Parameters:
  ///   - time: header time; nil: the present one. A time before the present one is taken as the present, one after the end
  ///     of time as that.
  ///   - provider: makes the delegates that the input asks for; not used by a `scroll`.
  ///   - emit: gets each state in order: one for each frame that was due before, then the input's own.
  /// - Returns: the outcome.
  /// - Throws: `scrollViewNotFound`, `drawerNotFound`, `delegateNotFound`, `behaviorNotFound`, `invalidOption`, `invalidParams`,
  ///   `conflict`, `limitExceeded`, `callFailed`: the input then had no effect but that time has passed. `pluginRefused`: the old code
  ///   stays. `behaviorFailed` of a configuration: it was made, and the delegate bypassed.
  @inline(__always)
  public func apply(
    _ input: HeaderInput, at time: Instant? = nil, provider: @autoclosure () -> any BehaviorProvider,
    emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) -> HeaderOutcome {
    if case .scroll(let offset, let correction) = input {
      applyScroll(to: offset, correction: correction, at: time, emit: emit)
      return .handled
    }
    return try applyOther(input, at: time, provider(), emit)
  }

  @usableFromInline
  func applyOther(
    _ input: HeaderInput, at time: Instant?, _ provider: any BehaviorProvider,
    _ emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) -> HeaderOutcome {
    if isExplained, let ledger = proxy.ledger, !ledger.isUnderWay {
      return try applyExplained(input, at: time, provider, ledger, emit)
    }
    switch input {
    case .answer, .bypassDelegate: break
    default: try requireNotWaiting()
    }
    let editor = ChainEditor(header: self)
    switch input {
    case .scroll(let offset, let correction):
      applyScroll(to: offset, correction: correction, at: time, emit: emit)
    case .event(let event):
      let answer = try applyEvent(event, at: time, emit: emit)
      return isWaiting ? .waiting : .decided(answer)
    case .configure(let keys):
      var remarks = InputRemarks()
      let next = try description(changedBy: keys, &remarks.unknown)
      if !remarks.unknown.isEmpty { rare.remarks = remarks }
      try Reconfiguration(header: self, old: description).apply(next, at: time, emit: emit)
    case .addDelegate(let wanted, let place):
      return .added(at: try editor.add(wanted, at: place, provider: provider, time: time, emit: emit))
    case .removeDelegate(let name):
      editor.remove(at: try delegateIndex(named: name), time: time, emit: emit)
    case .moveDelegate(let name, let place):
      try editor.move(from: try delegateIndex(named: name), to: place, time: time, emit: emit)
    case .reloadDelegate(let name, _):
      let index = try delegateIndex(named: name)
      let fresh = try provider.makeDelegate(behavior: delegates[index].behavior.name, name: name)
      try editor.replace(at: index, with: fresh, emit: emit)
    case .unloadDelegate(let name, _):
      let index = try delegateIndex(named: name)
      keepStack()
      try editor.replace(at: index, with: UnloadedDelegate(delegates[index]), emit: emit)
    case .bypassDelegate(let name, let reason):
      let index = try delegateIndex(named: name)
      rare.failure = nil
      proxy.bypass(index, reason, in: self)
      // The end of an event that waits settles it.
      guard !isWaiting else { return .waiting }
      finishEvent()
      settle(emit)
    case .lead(let news):
      rare.failure = nil
      moveOn(to: time, emit)
      follow(news)
      finishEvent()
      settle(emit)
    case .answer(let reply):
      guard isWaiting else { throw HeaderError(.invalidParams, "header \"\(name)\" waits for no client") }
      let answer = ClientTurn(header: self).resume(reply, emit: emit)
      return isWaiting ? .waiting : .decided(answer)
    }
    return .handled
  }

  func requireNotWaiting() throws(HeaderError) {
    guard isWaiting else { return }
    throw HeaderError(.invalidParams, "header \"\(name)\" waits for a client's answer to the event before this one")
  }

  /// Makes a new instance of a delegate's behavior and lets it take over the old one's saved state, without putting it into the chain.
  /// The header does not change: no state, no remarks, no time; the old instance stays.
  ///
  /// `apply(_:prepared:at:provider:emit:)` puts it into the chain. Until then leave the header alone, or only commit other delegates of
  /// it: the old instance has been asked for its state once, and later changes of it are not handed over.
  ///
  /// One effect is not undone when the result is dropped: if an instance moves something while it takes over, other delegates receive
  /// that, as in a reload that is refused.
  /// - Parameters:
  ///   - name: the delegate's name.
  ///   - plugin: the plugin of the new code.
  ///   - provider: makes the instance.
  /// - Throws: what `apply` throws for a `reloadDelegate`: `delegateNotFound`, `behaviorNotFound`, `behaviorFailed`, `pluginRefused`,
  ///   `invalidParams` while the header waits for a client.
  public func prepareReload(
    of name: String, plugin: String, provider: any BehaviorProvider
  ) throws(HeaderError) -> PreparedDelegate {
    try requireNotWaiting()
    let index = try delegateIndex(named: name)
    let fresh = try provider.makeDelegate(behavior: delegates[index].behavior.name, name: name)
    return try ChainEditor(header: self).prepare(fresh, at: index)
  }

  /// Handles one input; a `reloadDelegate` by putting a prepared instance into the chain. States and errors are those of
  /// `apply` without one.
  /// - Parameter prepared: of this header and of the delegate that the input names; nil: the provider makes an instance. If
  ///   the header has changed since it was prepared, it is dropped, and the provider makes another.
  public func apply(
    _ input: HeaderInput, prepared: PreparedDelegate?, at time: Instant? = nil,
    provider: @autoclosure () -> any BehaviorProvider, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) -> HeaderOutcome {
    guard let prepared, case .reloadDelegate(let name, _) = input, !isWaiting, prepared.isCurrent(for: name, in: self)
    else {
      return try apply(input, at: time, provider: provider(), emit: emit)
    }
    rare.failure = nil
    ChainEditor(header: self).commit(prepared, emit)
    return .handled
  }

  /// Takes out the remarks about the last input that had any; nil: there are none.
  public func takeRemarks() -> InputRemarks? {
    guard let remarks = rare.remarks else { return nil }
    rare.remarks = nil
    return remarks
  }

  /// The keys of a description that `configure` may give; others are left alone.
  public static var configurableKeys: [String] {
    ["drawers", "scrollViews", "trackingScrollView", "environment", "frames", "frameRate"]
  }

  /// The present description with some of its keys replaced (`HeaderInput.configure`).
  /// - Throws: `invalidParams` naming the field below `params`.
  public func description(
    changedBy keys: Value.Record, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> HeaderDescription {
    let present = description
    guard case .record(var whole) = present.value else { return present }
    for field in keys.fields where Self.configurableKeys.contains(field.name) { whole[field.name] = field.value }
    if case .record(let changes)? = keys["environment"], case .record(var record) = environment.value {
      for field in changes.fields { record[field.name] = field.value }
      whole["environment"] = .record(record)
    }
    if keys["trackingScrollView"] == nil, case .record(let views)? = keys["scrollViews"],
      !views.fields.contains(where: { $0.name == present.trackingScrollView })
    {
      whole["trackingScrollView"] = nil
    }
    var next = try HeaderDescription(.record(whole), unknown: &unknown)
    next.delegates = present.delegates
    return next
  }
}

/// Stands in for a delegate whose plugin was unloaded. It asks for a layout pass and fails in it, so that the header bypasses it, says so
/// in its state, and continues with the others.
private final class UnloadedDelegate: ScrollDelegate {
  init(_ old: ScrollDelegate) { super.init(name: old.name, behavior: old.behavior) }

  override func attach(to header: Header) throws(DelegateFailure) { header.markLayout(by: self) }

  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) { header.markLayout(by: self) }

  override func layout(in header: Header) throws(DelegateFailure) {
    throw .failed("its plugin \(behavior.plugin) was unloaded")
  }
}

// MARK: - Brought up to date from another process (HeaderMirror.swift)

extension Header {
  /// How often the description has changed, modulo 2^32.
  public var descriptionRevision: UInt32 { plans.revision }

  /// The header's metadata for a mirror.
  public var rest: MirrorMetadata {
    var rest = MirrorMetadata()
    rest.now = hasTime ? now : nil
    rest.nextDue = nextDue
    for (index, slot) in proxy.slots.enumerated() {
      if let reason = slot.bypassed { rest.bypassed.append((index, reason)) }
    }
    rest.question = question.map { ($0.delegate, $0.event) }
    rest.failure = failure
    rest.places = rare.isMirror ? rare.mirror?.places : rare.hasFollowers ? drawers.indices.map(leaderPlace) : nil
    return rest
  }

  /// Brings a mirror's structure, chain and options up to date. Its records get the new structure with the next state.
  public func mirror(
    _ description: HeaderDescription, provider: any BehaviorProvider
  ) throws(HeaderError) {
    var slots: ContiguousArray<DelegateProxy.Slot> = []
    let editor = ChainEditor(header: self)
    for (index, wanted) in description.delegates.enumerated() {
      let delegate = try editor.makeDelegate(wanted, provider, at: Path("delegates")[index])
      delegate.index = Int32(index)
      var slot = DelegateProxy.Slot(delegate)
      slot.isActive = true
      slots.append(slot)
    }
    proxy.slots = slots
    self.description = description
    proxy.updateListeners()
    // The positions come with the next state: an engine that is elsewhere has none here to make them from.
    rebuildNames()
  }

  /// Whether there is nothing in `rest` but times.
  public var isRestPlain: Bool { !isWaiting && rare.isPlain && proxy.slots.allSatisfy { $0.bypassed == nil } }

  /// Whether the state has other positions than were emitted; asked once.
  public func takeUnpublished() -> Bool {
    defer { work.hasUnpublished = false }
    return work.hasUnpublished
  }

  /// Lends the state for the length of a call, without a copy.
  public func lendState(to body: (borrowing HeaderState) -> Void) { stateRecord.lend(to: body) }

  /// Brings a mirror's state up to date.
  public func mirror(_ state: HeaderState) { stateRecord.state = state }

  /// The same without a copy: the old state is left in `state`.
  public func mirror(swapping state: inout HeaderState) { swap(&stateRecord.state, &state) }

  /// Brings the rest of a mirror up to date, in which there is nothing but times.
  public func mirror(now: Instant?, nextDue: Instant?) {
    if let now, rare.mirror(now: now, nextDue: nextDue) { return (self.now, hasTime) = (now, true) }
    var rest = MirrorMetadata()
    (rest.now, rest.nextDue) = (now, nextDue)
    mirror(rest)
  }

  /// The engine's report of its shadow; nil: there is none.
  public var mirroredShadow: Value? { rare.mirror?.shadow }

  /// How many events clients are to be sent.
  public var clientEventCount: Int { rare.clientEvents.count }

  /// Adds an event that a client is to be sent.
  public func mirror(_ event: ClientEvent) { rare.clientEvents.append(event) }

  /// Brings the rest of a mirror up to date, at the end of an input.
  public func mirror(_ rest: MirrorMetadata) {
    var rest = rest
    rest.places = rest.places ?? rare.mirror?.places
    hasTime = rest.now != nil
    if let time = rest.now { now = time }
    rare.mirror = rest
    proxy.isWaiting = rest.question != nil
    rare.failure = rest.failure
    rare.remarks = rest.remarks
    for index in proxy.slots.indices { proxy.slots[index].bypassed = nil }
    for (index, reason) in rest.bypassed where proxy.slots.indices.contains(index) {
      proxy.slots[index].bypassed = reason
    }
  }
}

// MARK: - Answers of clients (ClientAnswer.swift)

extension Header {
  /// The words of the actions that an answer may have.
  package static var actionWords: [String] { ClientActionReader.words }

  /// Reads a client's answer to an event of a kind, and does nothing of it.
  package func check(answer fields: inout FieldReader, to kind: DelegateEventKind) throws(HeaderError) {
    _ = try ClientAnswer(&fields, to: DelegateEvent(kind, scrollView: 0), from: 0, in: self)
  }

  /// Reads one action of an answer, and does nothing of it.
  package func check(action fields: inout FieldReader) throws(HeaderError) {
    var (reader, room) = (ClientActionReader(header: self, delegate: 0), ClientAnswer.maxActions)
    _ = try reader.action(&fields, &room)
  }
}
