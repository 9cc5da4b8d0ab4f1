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
// What delegates may change is in Header+Actions.swift; the laws of drawers and scroll views in DrawerChain.swift and
// Header+ScrollViews.swift; events in Header+Events.swift. Not Sendable: one thread at a time drives a header.

/// The bounds of the engine's own loops; the service sets them from its limits.
public struct EngineLimits: Equatable, Sendable {
  /// How deep events may nest: a delegate that answers a scroll by a scroll must end.
  public var nestedDepth: Int32 = 8
  /// Layout passes after one event.
  public var layoutPasses = 8
  /// Frames that one leap in time may run; the rest of the leap is skipped.
  public var framesPerEvent = 1000
  /// Bytes of one delegate's saved state, written as JSON.
  public var savedBytes = 65_536
  /// Scroll views, drawers, elements, values and delegates of one header.
  public var scrollViews = 16
  /// Drawers of one header.
  public var drawers = 64
  /// Elements of one header, in all its drawers.
  public var elements = 256
  /// Values of one header, of all its delegates.
  public var values = 64
  /// Delegates of one header; never more than the engine's sets of them hold.
  public var delegates = 16 { didSet { delegates = min(delegates, DelegateSet.capacity) } }

  /// The defaults of headerd-protocol(7), LIMITS.
  public init() {}
}

/// One header and everything that belongs to it.
public final class Header {
  /// Its name: dot-separated tokens, unique in a daemon.
  public var name: String { stateRecord.state.header }
  /// How it is described now, and how it was at opening; headers that are described alike share it.
  private(set) var plan: HeaderPlan
  private let openingPlan: HeaderPlan
  /// The part of the description that the clock decides, so that it cannot be shared.
  private var clockSecondOfMinute: Double
  /// The chain of drawers. Delegates read it in place; only the header writes.
  public internal(set) var drawers: FixedBuffer<Drawer>
  /// In the order of the description. Delegates read them in place; only the header writes.
  public internal(set) var scrollViews: FixedBuffer<ScrollView>
  /// In the order of their drawers, back to front within each.
  public internal(set) var elements: FixedBuffer<Element>
  /// How the application holds the header.
  public var hosting: Value.Record { openingPlan.description.hosting }
  /// Where all these lie, and what surrounds the header: in a buffer of one so that their addresses do not change.
  let places: FixedBuffer<HeaderPlaces>

  var proxy = DelegateProxy()
  /// How the drawers hang together.
  public internal(set) var chain = ChainPolicy()
  /// The delegate that owns each drawer, −1 for none.
  var drawerOwners: [Int32]
  /// The delegate that decides the look of each element, −1 for none. As long as `elements`.
  var elementOwners: [Int32]
  var schedule = Schedule()
  var values: [NamedValue] = [] { didSet { looksAtValues = true } }
  /// What the header asks of its surroundings.
  public internal(set) var wants: Wants {
    get { wantsPlace.wants }
    set {
      wantsPlace.wants = newValue
      looksAtWants = true
    }
  }
  private var wantsPlace = WantsPlace()
  var pending = HeaderState.Happened()

  /// Delegates that asked for a layout pass.
  var layoutMarks = DelegateSet()
  /// Delegates that get a pass after everybody else; `changesToFollow` says whether something has changed for them.
  var followers = DelegateSet()
  var afterEventWork: ContiguousArray<(delegate: Int32, token: UInt64)> = []
  /// Grows with every change worth a state: tells a repeated notice from a new one.
  var changeCount: UInt64 = 0
  /// Fields that events rarely touch; see HeaderRareState.swift.
  var rareState: HeaderRareState?

  // Small things stand together, so that no room is lost between them.

  /// How deep in nested events we are: 0 outside of any.
  var depth: Int32 = 0
  /// Whether an event has set the time yet.
  public internal(set) var hasTime = false
  var changesToFollow = false
  /// The delegates take over what they saved; who owned what is known.
  var isRestoring = false
  /// Whether a client in the chain is told of events: `takeTold` then has something from time to time.
  public internal(set) var hasListeners = false
  /// Whether a client in the chain is asked: events then may have to wait.
  public internal(set) var hasInterceptors = false
  /// The event that is on its way may wait for a client: it is the one that came from outside, not one that it brought about.
  var mayAsk = false
  /// An event waits for a client's answer: `question` says what is asked, and only `resume` goes on.
  public internal(set) var isWaiting = false
  /// Values or wishes were written since `settle` compared them last.
  var looksAtValues = true
  var looksAtWants = true
  /// Drawers, scroll views or values were replaced since the last state.
  var structureChanged = false
  /// Whether `state.happened.calls` is filled in.
  public var recordsCalls = false

  /// The latest state; its `happened` belongs to the latest event, whether it made a state or not.
  public internal(set) var state: HeaderState {
    // Not `_read`: unoptimized, Swift 6.3 reads what it yields after the coroutine's frame is freed.
    @inlinable get { stateRecord.state }
    @inlinable _modify { yield &stateRecord.state }
  }
  @usableFromInline var stateRecord: StateRecord

  /// Opens a header: checks the whole description, makes and attaches its delegates, and arrives at state 1.
  ///
  /// - Parameters:
  ///   - epoch: which life of this name it is; the caller sees to it that it is larger than any before.
  ///   - saved: the state of a whole header to take over, as `save()` gave it.
  ///   - recordsCalls: whether `state.happened.calls` is filled in, from the first call on.
  ///   - model: a header that may be described alike: what is equal is then kept once.
  /// - Throws: `behaviorNotFound`, `invalidOption`, `conflict`, `limitExceeded`, `behaviorFailed`.
  public init(
    _ description: HeaderDescription, epoch: Int64, provider: any BehaviorProvider,
    limits: EngineLimits = EngineLimits(), saved: Value? = nil, recordsCalls: Bool = false, like model: Header? = nil
  ) throws(HeaderError) {
    try Self.checkLimits(description, limits)
    self.recordsCalls = recordsCalls
    plan = HeaderPlan.of(description, limits, like: model?.openingPlan)
    openingPlan = plan
    clockSecondOfMinute = description.environment.clockSecondOfMinute
    places = FixedBuffer([HeaderPlaces(environment: description.environment)])
    scrollViews = FixedBuffer(description.scrollViews.map(ScrollView.init))
    let parts = Self.makeDrawers(description.drawers)
    drawers = FixedBuffer(parts.drawers)
    elements = FixedBuffer(parts.elements)
    drawerOwners = Array(repeating: -1, count: parts.drawers.count)
    elementOwners = Array(repeating: -1, count: parts.elements.count)
    stateRecord = StateRecord(state: HeaderState(header: description.header, epoch: epoch))
    trackingScrollView = description.trackingScrollViewIndex
    pointRecords()
    updateAdjustedInsets()
    try makeDelegates(provider)
    rebuildState()
    if let model { shareNames(with: model) }
    if let saved {
      try restore(saved)
    } else {
      try attachDelegates()
      finishEvent()
      settle { _ in }
      if state.seq == 0 { state.seq = 1 }
      if let failure { throw failure }
    }
    if let model { share(with: model) }
  }

  deinit {
    let leaving = proxy.slots.filter(\.isActive)
    // Whoever is detached hears nothing any more, whatever the others do in their last call.
    for index in proxy.slots.indices { proxy.slots[index].isActive = false }
    for slot in leaving { slot.delegate.detach(from: self) }
  }

  /// The description as it is now: structure, options and delegates may have changed since opening.
  public internal(set) var description: HeaderDescription {
    get { plan.description(header: name, clockSecondOfMinute) }
    set {
      plan = HeaderPlan.of(newValue, limits, like: plan)
      clockSecondOfMinute = newValue.environment.clockSecondOfMinute
    }
  }

  /// The description as it was at opening, with this second of the minute.
  public func openingDescription(clockSecondOfMinute: Double) -> HeaderDescription {
    openingPlan.description(header: name, clockSecondOfMinute)
  }

  /// Where frames come from.
  public var frames: FrameSource { plan.description.frames }

  /// The bounds that it was opened with.
  public var limits: EngineLimits { plan.limits }

  /// What surrounds the header.
  public internal(set) var environment: Environment {
    get { places[0].environment }
    set { places[0].environment = newValue }
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

  /// Where what delegates read in place lies; valid as long as the header.
  public var recordsAddress: UnsafePointer<HeaderRecords> { unsafe places.address(of: 0, \.records) }

  /// Drawers, elements or scroll views have another place.
  func pointRecords() {
    var records = places[0].records
    unsafe records.point(to: drawers, elements, scrollViews, places.address(of: 0, \.environment))
    places[0].records = records
  }

  /// The delegates, in the order of the chain.
  public var delegates: [ScrollDelegate] { proxy.slots.map(\.delegate) }

  /// Whether a delegate failed and is passed over.
  public func isBypassed(_ delegate: Int) -> Bool { proxy.slots[delegate].isBypassed }

  /// Counts as a change that is worth a state.
  func changed() {
    changeCount &+= 1
    changesToFollow = true
  }
}

// MARK: - Opening

extension Header {
  static func checkLimits(_ description: HeaderDescription, _ limits: EngineLimits) throws(HeaderError) {
    let counts: [(String, Int, Int)] = [
      ("scrollViews", description.scrollViews.count, limits.scrollViews),
      ("drawers", description.drawers.count, limits.drawers),
      ("elements", description.drawers.reduce(0) { $0 + $1.elements.count }, limits.elements),
      ("delegates", description.delegates.count, limits.delegates),
    ]
    for (what, count, limit) in counts where count > limit { throw .limitExceeded(what, count, limit, field: what) }
  }

  static func makeDrawers(_ descriptions: [DrawerDescription]) -> (drawers: [Drawer], elements: [Element]) {
    var drawers: [Drawer] = []
    var elements: [Element] = []
    for (index, description) in descriptions.enumerated() {
      var drawer = Drawer(
        frame: Rect(x: 0, y: description.y, width: description.width, height: description.height))
      drawer.minimumHeight = description.minimumHeight
      drawer.maximumHeight = description.maximumHeight
      drawer.alpha = Float(description.alpha)
      drawer.isHidden = description.hidden
      drawer.isSticky = description.sticky
      drawer.firstElement = Int32(elements.count)
      drawer.elementCount = Int32(description.elements.count)
      for part in description.elements {
        var element = Element(drawer: Int32(index), frame: part.frame)
        element.alpha = Float(part.alpha)
        element.isHidden = part.hidden
        element.zIndex = part.zIndex
        element.transform = part.transform
        elements.append(element)
      }
      drawers.append(drawer)
    }
    return (drawers, elements)
  }

  private func makeDelegates(_ provider: any BehaviorProvider) throws(HeaderError) {
    for (index, wanted) in description.delegates.enumerated() {
      let path = Path("delegates")[index]
      let delegate = try makeDelegate(wanted, provider, at: path)
      delegate.index = Int32(index)
      try setAllOptions(wanted.options, of: delegate, at: path + "options")
      proxy.slots.append(DelegateProxy.Slot(delegate))
      try addValues(of: delegate, at: path)
    }
    updateListeners()
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
      try answering(for: delegate, at: path + schemas[option].name) { () throws(DelegateFailure) in
        try delegate.setOption(option, value, in: self)
      }
    }
  }

  func addValues(of delegate: ScrollDelegate, at path: Path) throws(HeaderError) {
    let slot = Int(delegate.index)
    proxy.slots[slot].firstValue = Int32(values.count)
    for value in delegate.behavior.values {
      for other in proxy.slots[..<slot] {
        guard other.delegate.behavior.values.contains(where: { $0.name == value.name }) else { continue }
        throw .conflict(other.delegate.name, delegate.name, over: "the value \"\(value.name)\"", at: path)
      }
      values.append(NamedValue(delegate: delegate.index, content: value.initial))
    }
    guard values.count <= limits.values else {
      throw .limitExceeded("values", values.count, limits.values, field: path.text)
    }
  }

  /// Who yields comes last; see Header+Following.swift.
  private func attachDelegates() throws(HeaderError) {
    for index in attachingOrder {
      let delegate = proxy.slots[index].delegate
      proxy.slots[index].isActive = true
      updateResponds(of: index)
      try answering(for: delegate, at: Path("delegates")[index]) {
        () throws(DelegateFailure) in try delegate.attach(to: self)
      }
      updateResponds(of: index)
    }
  }

  /// Asks a delegate what it responds to: before it is called for the first time, and after everything that may change it
  /// (attaching, restoring, options, calls).
  func updateResponds(of index: Int) {
    let delegate = proxy.slots[index].delegate
    let responds = delegate.responds.intersection(delegate.behavior.events)
    proxy.slots[index].responds = responds
    proxy.heard.formUnion(responds)
  }

  /// Runs a call into a delegate and turns its failure into an error of the request. What the call brings about is
  /// nested in it.
  func answering<Result>(
    for delegate: ScrollDelegate, at path: Path, _ body: () throws(DelegateFailure) -> Result
  ) throws(HeaderError) -> Result {
    depth += 1
    defer { depth -= 1 }
    do {
      return try body()
    } catch {
      switch error {
      case .conflict(let owner, let what):
        throw .conflict(owner, delegate.name, over: what, at: path)
      case .refused(let reason):
        throw HeaderError(
          .invalidOption, "\(path.text): \(delegate.behavior.name) refuses it: \(reason)", field: path.text,
          hint: reason)
      case .failed(let reason):
        throw HeaderError(
          .behaviorFailed, "\(path.text): \(delegate.behavior.name) failed: \(reason)", field: path.text, hint: reason,
          facts: ["culprit": .text(delegate.name)])
      }
    }
  }
}

extension HeaderDescription {
  /// Index of the tracking scroll view, −1 for none.
  var trackingScrollViewIndex: Int {
    trackingScrollView.flatMap { name in scrollViews.firstIndex { $0.name == name } } ?? -1
  }
}

extension ScrollView {
  /// The record of a described scroll view.
  init(_ description: ScrollViewDescription) {
    self.init()
    contentOffset = description.offset
    contentSize = description.contentSize
    contentInset = description.contentInset
    adjustedContentInset = description.contentInset
    scrollIndicatorInsets = description.scrollIndicatorInsets
    frame = description.frame
    viewport = description.viewport
    kind = description.kind
    contentInsetAdjustment = description.contentInsetAdjustment
    clamping = description.clamping
    pagingEnabled = description.pagingEnabled
    forwardsEvents = description.forwardsEvents
    if let control = description.refreshControl {
      hasRefreshControl = true
      refreshControlHidden = control.hidden
      isRefreshing = control.refreshing
      refreshControlHeight = control.height
    }
  }
}
