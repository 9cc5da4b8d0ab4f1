// SPDX-License-Identifier: MIT
//
// What one event does (headerd-protocol(7), What one event does). Everything that can be refused is refused before
// anything changes; then the clock, the flags and the record, the chain, the layout passes, one state.

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

  /// Nothing is decided yet.
  public init() {}

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
  /// Handles an event.
  /// - Returns: what was decided; nothing yet when the header waits for a client (`isWaiting`): `resume` then returns it.
  func applyEvent(_ event: ScrollEvent, at time: Instant?, emit: (borrowing HeaderState) -> Void)
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

  /// Handles `HeaderInput.scroll`: what `applyEvent` does with a didScroll that has nothing but its offset.
  @usableFromInline
  func applyScroll(
    to offset: PartialPoint, correction: PartialPoint?, at time: Instant?, emit: (borrowing HeaderState) -> Void
  ) {
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
    func concluded(_ told: DelegateEvent, always: Bool = false) {
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
    if !given.consumers.isEmpty, scrollViews[view].contentOffset != offsetBeforeOffer {
      depth += 1
      defer { depth -= 1 }
      nestedDidScroll(view, to: .all.subtracting(given.consumers))
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
}
