// SPDX-License-Identifier: MIT
//
// One header: its scroll views, its drawers, its chain of delegates, its state. A pure state machine: inputs and times
// in, states out. It reads no clock, does no I/O and holds no reference to the daemon, so the same inputs give the same
// states on every machine, and a thousand headers know nothing of each other.
//
//   receive ─▶ frames due before the event, each a state of its own
//           ─▶ clock to the event's time: timers and completions that are due
//           ─▶ flags and the scroll view's record ─▶ the delegate proxy, delegate by delegate
//           ─▶ layout passes until nothing asks for another, work put off, one more pass
//           ─▶ settle: one state, if anything but time and the reported offset changed
//
// Events enter by HeaderInput.swift and are handled in Header+Events.swift; the chain is DelegateProxy.swift; the laws of
// drawers and scroll views, and what delegates may change of them, are in DrawerChain.swift and Header+ScrollViews.swift; what
// else delegates ask for is in Header+Requests.swift. Not Sendable: one thread at a time drives a header.

import HeaderModel

/// One header and everything that belongs to it.
public final class Header {
  /// How it is described now, and how it was at opening; headers that are described alike share it.
  private(set) var plans: HeaderPlans
  /// The chain of drawers. Delegates read it in place; only the header writes.
  public internal(set) var drawers: FixedBuffer<Drawer>
  /// In the order of the description. Delegates read them in place; only the header writes.
  public internal(set) var scrollViews: FixedBuffer<ScrollView>
  /// The elements in the order of their drawers, back to front within each.
  public internal(set) var elements: FixedBuffer<Element>
  /// The addresses of all these, and the environment: in a buffer of one so that they do not move.
  var places: FixedBuffer<HeaderPlaces>
  /// How the drawers hang together.
  public internal(set) var chain = ChainPolicy()
  /// The delegates that own the drawers and elements.
  var owners: Ownership { didSet { forgetChainEnds() } }
  /// Where the chain ends that begins at the first drawer; below 0: it has to be looked for.
  private var foundChainEnd = -1
  /// Whether there is a stack (`hasStack`); nil: it has to be looked for.
  private var foundStack: Bool?
  let proxy = DelegateProxy()
  var schedule = Schedule()
  /// The delegates' values, in the order of the chain.
  var values: [NamedValue] = [] { didSet { work.valuesWritten = true } }
  private var wantsPlace = WantsPlace()
  /// Work that is due before the next state.
  var work = PendingWork()
  /// Whether an event has set the time yet.
  public internal(set) var hasTime = false
  /// The far edge of the last drawer when a movement was last seen, and which way it went.
  var lastEdge = 0.0
  var wasExpanding = false
  /// Constraints bound what behaviors move.
  var isBounded = false
  /// Constraints or a motion hold the header, or have done so until the latest state.
  var isControlled = false
  /// Fields that events rarely touch.
  var rare = HeaderRareState()
  @usableFromInline var stateRecord: StateRecord
  /// Explanations are wanted: there is a `proxy.ledger`.
  var isExplained = false { didSet { places[0].records.isExplained = isExplained } }
  /// Drawers hang on other edges than the top, or content is reversed: see HeaderSide.swift.
  var isEdged = false

  /// The latest state; its `happened` belongs to the latest event, whether it made a state or not.
  public internal(set) var state: HeaderState {
    // Not `_read`: unoptimized, Swift 6.3 reads what it yields after the coroutine's frame is freed.
    @inlinable get { stateRecord.state }
    @inlinable _modify { yield &stateRecord.state }
  }

  /// Opens a header: checks the whole description, makes and attaches its delegates, and arrives at state 1.
  ///
  /// - Parameters:
  ///   - epoch: which life of this name it is; the caller sees to it that it is larger than any before.
  ///   - saved: the state of a whole header to take over, as `save()` gave it.
  ///   - recordsCalls: whether `state.happened.calls` is filled in, from the first call on.
  ///   - model: a header that may be described alike: what is equal is then kept once.
  /// - Throws: `behaviorNotFound`, `invalidOption`, `conflict`, `limitExceeded`, `behaviorFailed`.
  public convenience init(
    _ description: HeaderDescription, epoch: Int64, provider: any BehaviorProvider,
    limits: Limits = Limits(), saved: Value? = nil, recordsCalls: Bool = false, like model: Header? = nil
  ) throws(HeaderError) {
    try self.init(
      description, epoch, provider, limits, saved.map { .saved($0) } ?? .opening, recordsCalls: recordsCalls,
      like: model)
  }

  /// Copies a header between two events.
  /// - Parameter delegates: what its delegates have saved since its latest event (`savedDelegates`).
  /// - Throws: `behaviorFailed` and `invalidParams` when a delegate does not take over its state.
  public convenience init(
    copying model: Header, _ delegates: [SavedState], provider: any BehaviorProvider
  ) throws(HeaderError) {
    try self.init(
      model.description, model.state.epoch, provider, model.limits, .copy(model, delegates), recordsCalls: false,
      like: model)
  }

  /// What a header comes from.
  private enum Beginning {
    case opening
    case saved(Value)
    case copy(Header, [SavedState])
  }

  private init(
    _ description: HeaderDescription, _ epoch: Int64, _ provider: any BehaviorProvider, _ limits: Limits,
    _ beginning: Beginning, recordsCalls: Bool, like model: Header?
  ) throws(HeaderError) {
    try Self.checkLimits(description, limits)
    plans = HeaderPlans(description, limits, like: model?.plans)
    places = FixedBuffer([HeaderPlaces(environment: description.environment)])
    scrollViews = FixedBuffer(description.scrollViews.map(\.record))
    let parts = description.makeRecords()
    drawers = FixedBuffer(parts.drawers)
    elements = FixedBuffer(parts.elements)
    owners = Ownership(drawers: parts.drawers.count, elements: parts.elements.count)
    stateRecord = StateRecord(state: HeaderState(header: description.header, epoch: epoch))
    proxy.recordsCalls = recordsCalls
    trackingScrollView = description.trackingScrollViewIndex
    pointRecords()
    environment = description.environment
    if description.hasEdges {
      rare.space = description.space
      updateSides()
    }
    updateAdjustedInsets()
    noteInsets(of: trackingScrollView)
    PositionController(self).updateFlags()
    try ChainEditor(header: self).makeDelegates(provider)
    if case .copy(let other, let delegates) = beginning {
      try SavedHeader(header: self).copy(other, delegates)
      return
    }
    rebuildState()
    if let model { shareNames(with: model) }
    if case .saved(let saved) = beginning {
      try SavedHeader(header: self).restore(saved)
    } else {
      try ChainEditor(header: self).attachDelegates()
      PositionController(self).update()
      if let place = description.initialPosition { try begin(at: place) }
      noteEdge()
      finishEvent()
      settle { _ in }
      if state.seq == 0 { state.seq = 1 }
      if let failure = rare.failure { throw failure }
    }
    if let model { share(with: model) }
  }

  deinit {
    let leaving = proxy.slots.filter(\.isActive)
    // Detached delegates receive nothing any more, even if another one acts in its last call.
    for index in proxy.slots.indices { proxy.slots[index].isActive = false }
    for slot in leaving { slot.delegate.detach(from: self) }
  }

  /// Where the chain ends that begins at the first drawer.
  @inline(__always)
  var chainEnd: Int { foundChainEnd >= 0 ? foundChainEnd : findChainEnd() }

  @inline(never)
  private func findChainEnd() -> Int {
    foundChainEnd = chain(among: 0..<drawers.count).upperBound
    return foundChainEnd
  }

  /// Drawers of one mover hang on those of another: see HeaderSide.swift.
  @inline(__always)
  var hasStack: Bool { foundStack ?? findStack() }

  @inline(never)
  private func findStack() -> Bool {
    let found = movesInStack
    foundStack = found
    return found
  }

  /// Drawers have other owners: chains and stacks are looked for when they are needed.
  private func forgetChainEnds() {
    foundChainEnd = -1
    foundStack = nil
    for side in sides { side.chainEnd = nil }
  }

  /// Counts as a change that is worth a state.
  func changed() {
    work.changeCount &+= 1
    work.changesToFollow = true
  }

  /// Drawers, elements or scroll views have another place.
  func pointRecords() {
    var records = places[0].records
    unsafe records.point(
      to: drawers, drawers.indices, elements, elements.indices, scrollViews, places.address(of: 0, \.environment))
    places[0].records = records
    for side in sides { side.point(self) }
  }
}

/// Where a header keeps its state. It cannot be copied, so that lending the state out of a class costs no copy either:
/// one would retain and release everything in it.
@usableFromInline struct StateRecord: ~Copyable {
  @usableFromInline var state: HeaderState

  init(state: HeaderState) { self.state = state }

  /// Lends the state for the length of a call.
  func lend(to body: (borrowing HeaderState) -> Void) { body(state) }
}

// MARK: - Parts

extension Header {
  /// The name: dot-separated tokens, unique in a daemon.
  public var name: String { stateRecord.state.header }

  /// The description as it is now: structure, options and delegates may have changed since opening.
  public internal(set) var description: HeaderDescription {
    get { plans.description(header: name) }
    set { plans.change(to: newValue) }
  }

  /// The description as it was at opening, with this second of the minute.
  public func openingDescription(clockSecondOfMinute: Double) -> HeaderDescription {
    plans.opening.description(header: name, clockSecondOfMinute)
  }

  /// Notes the description at opening, for a header that was made from a later one.
  public func wasOpened(as description: HeaderDescription) { plans.open(description) }

  /// Resets the corrections: the header's own moves of the content count from here, as at the beginning of an epoch.
  public func forgetCorrections() {
    for index in scrollViews.indices {
      scrollViews[index].correction = Point()
      if state.scrollViews.indices.contains(index) { state.scrollViews[index].correction = Point() }
    }
  }

  /// The source of frames.
  public var frames: FrameSource { plans.plan.description.frames }

  /// The bounds that it was opened with.
  public var limits: Limits { plans.plan.limits }

  /// Screen, safe area, status bar and other surroundings.
  public internal(set) var environment: Environment {
    get { places[0].environment }
    set {
      places[0].environment = newValue
      places[0].environment.limitsMotion =
        newValue.reduceMotion && plans.plan.description.accessibility == .shown
    }
  }

  /// Header time; the first event sets it.
  public internal(set) var now: Instant {
    get { Instant(nanoseconds: places[0].records.time) }
    set { places[0].records.time = newValue.nanoseconds }
  }

  /// Index of the tracking scroll view, −1 for none.
  public internal(set) var trackingScrollView: Int {
    get { Int(places[0].records.trackingScrollView) }
    set { places[0].records.trackingScrollView = Int32(newValue) }
  }

  /// How the application holds the header.
  public var hosting: Value.Record { plans.opening.description.hosting }

  /// Where what delegates read in place lies; valid as long as the header.
  public var recordsAddress: UnsafePointer<HeaderRecords> { unsafe places.address(of: 0, \.records) }

  /// The delegates, in the order of the chain.
  public var delegates: [ScrollDelegate] { proxy.slots.map(\.delegate) }

  /// Whether a delegate failed and is bypassed.
  public func isBypassed(_ delegate: Int) -> Bool { proxy.slots[delegate].isBypassed }

  /// The bypassed delegates with the reasons, as `header.get` and `header.list` show them; nil: there are none.
  public var bypassedValue: Value? {
    let rows = proxy.slots.compactMap { slot -> Value? in
      slot.bypassed.map { ["delegate": .text(slot.delegate.name), "reason": .text($0)] }
    }
    return rows.isEmpty ? nil : .list(rows)
  }

  /// A delegate's place in the chain by its name.
  /// - Throws: `delegateNotFound`, with the nearest name.
  public func delegateIndex(named wanted: String) throws(HeaderError) -> Int {
    if let index = proxy.index(named: wanted) { return index }
    throw .notFound(.delegateNotFound, "delegate", wanted, in: name, known: proxy.slots.map(\.delegate.name))
  }

  /// The header's wishes to its surroundings.
  public internal(set) var wants: Wants {
    get { wantsPlace.wants }
    set {
      wantsPlace.wants = newValue
      work.wantsWritten = true
    }
  }
}

// MARK: - How it is doing

extension Header {
  /// The header's whole state, as of the latest event.
  /// - Parameter clients: whether clients in the chain are part of it. Recordings begin with them; a description that is opened again
  ///   (`HeaderDescription.value`) has none.
  /// - Throws: `behaviorFailed` when a delegate cannot save.
  public func save(clients: Bool = true) throws(HeaderError) -> Value {
    try SavedHeader(header: self).save(clients: clients)
  }

  /// What the delegates save, for copies.
  /// - Throws: `behaviorFailed` when a delegate cannot save.
  public func savedDelegates() throws(HeaderError) -> [SavedState] { try SavedHeader(header: self).delegates() }

  /// Whether `state.happened.calls` is filled in.
  public var recordsCalls: Bool {
    get { proxy.recordsCalls }
    set { proxy.recordsCalls = newValue }
  }

  /// The first failure of a delegate during the current event.
  public var failure: HeaderError? { rare.failure }

  /// Whether a delegate has failed during the current event.
  public var hasFailure: Bool { rare.hasFailure }

  /// Whether a client in the chain is sent events: `takeClientEvents` then has something from time to time.
  public var hasListeners: Bool { proxy.hasListeners }

  /// Whether a client in the chain is asked: events then may have to wait.
  public var hasInterceptors: Bool { proxy.hasInterceptors }

  /// An event waits for a client's answer: `question` has the question, and only an `answer` continues it.
  public var isWaiting: Bool { proxy.isWaiting }

  /// The delegate that the header waits for.
  public var waitsFor: String? { question?.name }

  /// The question while the header waits.
  public var question: DelegateQuestion? {
    if let asked = rare.mirror?.question { return question(to: asked.delegate, asked.event) }
    guard let parked = rare.parked else { return nil }
    return question(to: parked.place, parked.event.fields(in: self))
  }

  private func question(to place: Int, _ event: Value.Record) -> DelegateQuestion? {
    // In a mirror the chain may have changed since.
    guard proxy.slots.indices.contains(place), let client = proxy.slots[place].delegate as? ClientDelegate else {
      return nil
    }
    return DelegateQuestion(
      delegate: place, name: client.name, deadline: client.description.deadline, event: event)
  }

  /// Takes out what clients are to be sent; to be called when a state is emitted, before it is sent, and after each input.
  public func takeClientEvents() -> ContiguousArray<ClientEvent> {
    let taken = rare.clientEvents
    rare.clientEvents.removeAll()
    return taken
  }
}

// MARK: - Opening

extension Header {
  static func checkLimits(_ description: HeaderDescription, _ limits: Limits) throws(HeaderError) {
    let counts: [(String, Int, Int)] = [
      ("scrollViews", description.scrollViews.count, limits.scrollViews),
      ("drawers", description.drawers.count, limits.drawers),
      ("elements", description.drawers.reduce(0) { $0 + $1.elements.count }, limits.elements),
      ("delegates", description.delegates.count, limits.delegates),
    ]
    for (what, count, limit) in counts where count > limit { throw .limitExceeded(what, count, limit, field: what) }
    try description.checkEdges()
    try description.checkFollowers()
  }

  /// Shares equal names with another header. Call it before any delegate asks for names.
  func shareNames(with other: Header) {
    if state.names.areEqual(to: other.state.names) { state.names = other.state.names }
  }

  /// Shares equal arrays with another header until one of the two writes.
  func share(with other: Header) {
    func share<Element: Equatable>(_ mine: inout [Element], _ others: [Element]) {
      if mine == others { mine = others }
    }
    share(&owners.drawers, other.owners.drawers)
    share(&owners.elements, other.owners.elements)
    share(&values, other.values)
    share(&state.drawers, other.state.drawers)
    share(&state.elements, other.state.elements)
    share(&state.scrollViews, other.state.scrollViews)
    share(&state.values, other.values)
    for (index, slot) in other.proxy.slots.enumerated() where proxy.slots.indices.contains(index) {
      share(&proxy.slots[index].noticePostedAt, slot.noticePostedAt)
    }
  }
}

extension HeaderDescription {
  /// Index of the tracking scroll view, −1 for none.
  var trackingScrollViewIndex: Int {
    trackingScrollView.flatMap { name in scrollViews.firstIndex { $0.name == name } } ?? -1
  }
}

// MARK: - Where it is

extension Header {
  /// The constraints that hold the header, in the order in which they came.
  public var constraints: [Constraint] {
    let all = rare.control?.constraints ?? state.position?.constraints ?? []
    return all.filter { $0.name != Constraint.accessibility }
  }

  /// Where the header is, what holds it, and the names of its stops; nil: it cannot be positioned. Of a mirror only while
  /// something holds it.
  public var positionReport: (report: PositionReport, stops: [NamedStop])? {
    if rare.isMirror { return state.position.map { ($0, []) } }
    let controller = PositionController(self)
    return controller.movers.isEmpty ? nil : (controller.wholeReport(nil), controller.stops)
  }
}
