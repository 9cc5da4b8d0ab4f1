// SPDX-License-Identifier: MIT
//
// Handles events other than a plain didScroll: takes over the scroll view's fields, asks the chain, and applies its answer.

import HeaderModel

/// One event of a header.
struct EventHandling {
  unowned let header: Header
  let event: ScrollEvent
  /// Index of its scroll view, −1 for none.
  let view: Int
  /// The decisions so far.
  var answer = EventAnswer()

  /// The index of an event's scroll view, −1 when there is none; names are checked.
  static func resolve(_ event: ScrollEvent, in header: Header) throws(HeaderError) -> Int {
    switch event.kind {
    case .willChangeTrackingScrollView(let name), .setTrackingScrollView(let name):
      return try name.map { (name) throws(HeaderError) in try header.scrollViewIndex(name) } ?? -1
    case .layout(let change):
      for drawer in change.drawers ?? [] { try checkNames(of: drawer, in: header) }
    default: break
    }
    if let name = event.scrollView { return try header.scrollViewIndex(name) }
    if header.trackingScrollView >= 0 { return header.trackingScrollView }
    return header.scrollViews.count == 1 ? 0 : -1
  }

  private static func checkNames(of change: PartChange, in header: Header) throws(HeaderError) {
    guard let drawer = header.description.drawers.first(where: { $0.name == change.name }) else {
      throw .notFound(
        .drawerNotFound, "drawer", change.name, in: header.name, known: header.description.drawers.map(\.name))
    }
    for element in change.elements ?? [] where !drawer.elements.contains(where: { $0.name == element.name }) {
      throw .notFound(
        .drawerNotFound, "element", element.name, in: "\(header.name).\(drawer.name)",
        known: drawer.elements.map(\.name))
    }
  }

  /// Handles the event up to the end of the chain, or to a client that is asked.
  mutating func handle() throws(HeaderError) {
    switch event.kind {
    case .layout(let change):
      LayoutEvent(header, view).apply(change, offset: event.offset, event.correction, event.reason)
      return
    case .setOptions(let options, let delegate):
      try DelegateRequests(header: header).setOptions(options, of: delegate)
      PositionController(header).enforce()
      return
    case .call(let name, let arguments, let delegate, let report):
      answer.result = try DelegateRequests(header: header).call(name, arguments, of: delegate, report: report)
      PositionController(header).enforce()
      return
    case .advance(let duration):
      if let duration, header.frames == .manual { header.runManualFrame(duration) }
      return
    case .move(let wanted):
      answer.result = try PositionController(header).move(wanted)
      return
    case .constrain(let constraint):
      answer.result = try PositionController(header).constrain(constraint)
      return
    case .release(let name, let style):
      answer.result = try PositionController(header).release(name, style)
      return
    case .reveal(let reveal):
      answer.result = Revealing(header: header, view: view).perform(reveal)
      return
    case .willChangeTrackingScrollView:
      // Behaviors may write to it from here on.
      header.noteInsets(of: view)
      if view != header.trackingScrollView { header.comeBack(to: view) }
      var delegateEvent = DelegateEvent(.willChangeTrackingScrollView, scrollView: Int32(header.trackingScrollView))
      delegateEvent.newScrollView = Int32(view)
      _ = header.forwardAsking(delegateEvent)
      return
    case .setTrackingScrollView:
      header.proxy.mayAsk = true
      header.changeTrackingScrollView(to: view)
      header.proxy.mayAsk = false
      return
    default: break
    }
    let before = view >= 0 ? header.scrollViews[view].contentOffset : Point()
    let isWritten: Bool
    if case .setContentOffset = event.kind { isWritten = true } else { isWritten = false }
    header.report(event.offset, event.correction, view, isWritten: isWritten)
    if case .setContentOffset(let animated) = event.kind {
      if animated { header.setFlags(view, animating: true) }
      if view >= 0, header.scrollViews[view].contentOffset != before {
        header.proxy.mayAsk = true
        header.nestedDidScroll(view)
        header.proxy.mayAsk = false
      }
      return
    }
    tell()
  }

  /// Sets the flags, then asks the chain. UIKit's order decides which flags change before the delegates get the event; flags given by the
  /// event win. `conclude` does the rest, since the event may wait for a client.
  private mutating func tell() {
    guard let kind = DelegateEventKind(event.kind.name) else { preconditionFailure("handled before") }
    setFlags()
    var delegateEvent = DelegateEvent(kind, scrollView: Int32(view))
    switch event.kind {
    case .willBeginDragging: setFlags(tracking: true, dragging: true, decelerating: false, animating: false)
    case .willEndDragging(let velocity, let target):
      let offset = view >= 0 ? header.scrollViews[view].contentOffset : Point()
      delegateEvent.velocity = velocity
      delegateEvent.targetOffset = target?.filled(from: offset) ?? offset
      answer.targetOffset = delegateEvent.targetOffset
    case .didEndDragging(let willDecelerate):
      header.noteStretch()
      setFlags(tracking: false, dragging: false)
      delegateEvent.willDecelerate = willDecelerate
    case .willBeginDecelerating: setFlags(decelerating: true)
    case .didEndDecelerating: setFlags(decelerating: false)
    case .didEndScrollingAnimation, .didScrollToTop: setFlags(animating: false)
    case .willScroll(let delta, let source), .didOverscroll(let delta, let source):
      offer(delta, source, &delegateEvent)
    case .willFling(let velocity):
      offer(velocity, .fling, &delegateEvent)
      delegateEvent.velocity = velocity
    case .didDisappear:
      header.environment.visible = false
      header.updateAdjustedInsets()
    case .willTransition(let size): delegateEvent.size = size
    default: break
    }
    var given = ChainAnswer()
    given.residual = delegateEvent.delta
    if isOfSurroundings || (view >= 0 && view == header.trackingScrollView) {
      given = header.forwardAsking(delegateEvent)
    }
    if !header.proxy.isWaiting { conclude(given) }
  }

  /// Events that are not the tracking scroll view's alone: they go down the chain whichever it is.
  private var isOfSurroundings: Bool {
    switch event.kind {
    case .willAppear, .didAppear, .willDisappear, .didDisappear, .didBecomeActive, .willTransition, .transition,
      .didTransition:
      true
    default: false
    }
  }

  /// The flags that follow from the order of events, unless the event says otherwise.
  private func setFlags(
    tracking: Bool? = nil, dragging: Bool? = nil, decelerating: Bool? = nil, animating: Bool? = nil
  ) {
    header.setFlags(
      view, tracking: event.isTracking ?? tracking, dragging: event.isDragging ?? dragging,
      decelerating: event.isDecelerating ?? decelerating, animating: animating)
  }

  /// An offer of a movement, or a velocity: each delegate is offered what those before it left.
  private func offer(_ offer: Point, _ source: ScrollSource, _ delegateEvent: inout DelegateEvent) {
    header.rare.withheld = Point()
    header.rare.offsetBeforeOffer = view >= 0 ? header.scrollViews[view].contentOffset : Point()
    delegateEvent.delta = offer
    delegateEvent.source = source
  }

  /// Concludes an event once the whole chain has been asked.
  mutating func conclude(_ given: ChainAnswer) {
    switch event.kind {
    case .willEndDragging:
      if let target = given.targetOffset { answer.targetOffset = target }
      answer.returned = given.returned ?? false
      answer.rewrittenBy = given.rewrittenBy >= 0 ? header.state.names.delegates[Int(given.rewrittenBy)] : nil
    case .didEndDragging(let willDecelerate):
      header.setFlags(view, decelerating: event.isDecelerating ?? willDecelerate)
    case .shouldScrollToTop:
      let returned = given.returned ?? true
      answer.returned = returned
      if returned { setFlags(animating: true) }
    case .willScroll(let offer, _), .didOverscroll(let offer, _), .willFling(let offer):
      concludeOffer(of: offer, given)
    case .willAppear:
      header.environment.visible = true
      header.updateAdjustedInsets()
    default: break
    }
  }

  /// Concludes an offer. A delegate may carry the content along silently by the part that it takes, because it knows of the movement. The
  /// other delegates receive it as a scroll.
  private mutating func concludeOffer(of offer: Point, _ given: ChainAnswer) {
    if !given.consumers.isEmpty, header.scrollViews[view].contentOffset != header.rare.offsetBeforeOffer {
      header.proxy.depth += 1
      defer { header.proxy.depth -= 1 }
      header.nestedDidScroll(view, to: .all.subtracting(given.consumers))
    }
    // The sum is the offer to the last bit: of two differences that make a whole, the one with the smaller part is exact.
    let consumed = offer - (given.residual + header.rare.withheld)
    answer.consumed = consumed
    answer.residual = offer - consumed
  }

  /// The answer, once the event is settled.
  var finishedAnswer: EventAnswer {
    var answer = answer
    answer.seq = header.state.seq
    if header.hasFailure { answer.failure = header.failure }
    return answer
  }
}
