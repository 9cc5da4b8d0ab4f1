// SPDX-License-Identifier: MIT
//
// A header whose drawers each have a law of their own, given as data: how far it goes (collapse, shift, pin, stretch), when it comes
// back, in which order, where it rests, how it looks on the way. The four other behaviors are exact likenesses of one library each. This
// one generalizes them, and combines features that none of them combines.
//
//     scroll or offer ─▶ movement on the grid ─▶ LawChain (Laws/): each drawer takes its part ─▶ frames, looks, values
//                                                     │
//                            the finger lifts ─▶ Rest ┘ frame by frame, until a finger catches it
//
//     x        how far the content is scrolled from its top: 0 … end
//     total    what the drawers have gone together: no gap opens while total ≤ x
//
// README.md beside this file has the laws, LAWS.md the rules by which they are combined, and the reason for each.

internal import CollapsingLaws
internal import HeaderPluginKit

/// The behavior of chains of drawers with laws.
final class CollapsingHeader: Behavior {
  // The words of options; Definition.swift explains them.
  enum ContentPlace: String, CaseIterable { case under, below }
  enum InsetPolicy: String, CaseIterable { case expanded, follow, application, along }
  enum Origin: String, CaseIterable { case safeArea, edge }
  enum Consumption: String, CaseIterable { case part, whole }
  enum ReturnCause: String, CaseIterable { case movement, finger }
  enum ShortContent: String, CaseIterable { case holds, moves }
  enum NewContent: String, CaseIterable { case automatic, expanded, collapsed, keep }
  enum InvariantCheck: String, CaseIterable { case off, log, strict }
  enum Follows: String, CaseIterable { case place, movement, looks, ratio, block }
  enum ActiveAnswer: String, CaseIterable { case stays, expands, resets }

  // MARK: Options

  var laws = DrawerLaws()
  var (content, insets, origin) = (ContentPlace.under, InsetPolicy.expanded, Origin.safeArea)
  var (consumes, returnsBy) = (Consumption.part, ReturnCause.movement)
  var (shortContent, onNewContent) = (ShortContent.holds, NewContent.automatic)
  var (start, topMargin, between) = (0.0, 0.0, 0.0)
  var (asOne, enabled) = (false, true)
  var invariants = InvariantCheck.log { didSet { chain.isChecked = invariants != .off } }
  var (tellsProgress, isScrubbed) = (false, false)
  var surroundings = Surroundings()
  /// An option about the surroundings was given.
  var knowsSurroundings = false

  var follows = Follows.place
  var movementRules = MovementRules()
  var decisionRules = DecisionRules()
  var pairRules = PairRules() { didSet { pair?.rules = pairRules } }
  var blockRules = BlockRules()
  var blocks: [BlockGiven] = []
  var beginsExpanded: Bool?
  var (animatesHeights, discountsCalls) = (false, false)
  var initially: (traveled: Double, contentMoved: Double) = (0, 0)
  var onActive = ActiveAnswer.stays

  // MARK: State

  var movement = MovementState()
  var decision: Decision?
  var isAnimated = false
  /// The header has been shown, hidden or put back into the content.
  var hasMoved = false
  var pair: BoundPair?
  var block: Block?

  var isAttached = false
  var chain = LawChain([])
  private var names: [String] = []
  /// Where the content was, or was taken to be, when it was looked at last; nil: not yet.
  var last: Double?
  /// Offers that the header has followed and the content has not yet.
  var nested = NestedScroll()
  /// What of offers was consumed and is less than a step of the grid.
  var dust = 0.0
  /// By how much the latest scroll went further than it hid the header; nil: it did not hide the rest of it.
  var surplus: Double?
  /// How much further than its content a call has moved the header, points.
  var displacement = 0.0
  /// Points of the content's inset that a refresh control has added.
  var refreshInset = 0.0
  /// The content is not longer than its scroll view.
  var fits = false
  /// Nothing has moved the content since the header was handed over to it.
  var isFresh = false
  /// The chain as the last call found it, and as it left it; nil: none.
  var placed: (from: LawChain, to: LawChain)?
  /// The drawers on their way to rest.
  var resting = Resting()
  /// The release's velocity, points per millisecond.
  var releaseVelocity = 0.0
  /// No finger, nor its fling, moves the content; it came when the content was on its way down.
  var finger = (isLifted: true, beganShowing: false)
  /// The behavior itself is writing to the scroll view.
  var isWriting = false
  /// The edge that the header hangs on.
  var hanging = 0.0
  /// What was drawn and published last.
  var drawn = Drawn()
  /// The elements that are scaled with their drawers.
  var claimedElements: [Int] = []

  // MARK: Life

  override func attach() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer") }
    guard host.trackingScrollView != nil else { throw Refusal("it needs a tracking scroll view") }
    guard try takesDrawers() else { return }
    isAttached = true
    try makeChain()
    if follows != .place { return attachOtherwise() }
    writeInsets()
    meetContent(onNewContent == .keep ? .automatic : onNewContent)
  }

  /// Claims all drawers: one that moves carries those behind it.
  func takesDrawers() throws(Refusal) -> Bool {
    _ = try claim(0..<host.drawerCount, needing: 0..<host.drawerCount)
    guard !rests else { return false }
    let scaled = (0..<host.drawerCount).filter { laws.look(of: host.drawerName($0))?.isScaled == true }
    claimedElements = try claimElements(
      scaled.flatMap { index in
        let drawer = host.drawer(index)
        return drawer.firstElement..<(drawer.firstElement + drawer.elementCount)
      })
    return true
  }

  /// Drops the drawers' state, since other delegates have them: when they come back, they begin shown.
  private func forget() {
    chain = LawChain([])
    names = []
    last = nil
    _ = nested.forget()
    (dust, displacement, releaseVelocity) = (0, 0, 0)
    catchRest()
    placed = nil
    drawn = Drawn()
  }

  /// The chain of the drawers that there are; those that there were stay as far gone as they were.
  func makeChain() throws(Refusal) {
    let names = (0..<host.drawerCount).map(host.drawerName)
    let held = movement.heights.count == 2 * names.count ? movement.heights : []
    let drawers = names.indices.map { index in
      let drawer = host.drawer(index)
      let (maximum, minimum) =
        held.isEmpty ? (drawer.maximumHeight, drawer.minimumHeight) : (held[2 * index], held[2 * index + 1])
      return (law: laws.law(of: names[index], drawer), maximum: maximum, minimum: minimum)
    }
    try laws.requireKnown(names)
    hang()
    var fresh = LawChain(drawers, isBlock: asOne)
    fresh.resume(from: chain, places: names.map(self.names.firstIndex), keepsPoints: follows == .movement)
    self.names = names
    fresh.permit(permitted)
    fresh.isChecked = invariants != .off
    chain = fresh
    drawn.forget(count: drawers.count)
  }

  var scrollView: ScrollView? { host.trackingScrollView.map(host.scrollView) }

  /// Laws or drawers have changed.
  func remake() {
    guard isAttached, !rests else { return }
    let isHidden = decision?.seen == .hidden && chain.total == chain.way
    do { try makeChain() } catch { host.log(.warning, error.reason) }
    if isHidden { chain.place(chain.way) }
    catchRest()
    host.stopFrames()
    writeInsets()
    settle()
  }

  // MARK: Events

  override func didScroll(_ event: Event) {
    guard !isWriting, let index = event.scrollView, index == host.trackingScrollView else { return }
    switch follows {
    case .place: followPlace(event, index)
    case .movement: followScroll(event)
    case .looks: look()
    case .ratio, .block: break
    }
  }

  private func followPlace(_ event: Event, _ index: Int) {
    (isFresh, surplus, resting.isSecond) = (false, nil, false)
    let view = host.scrollView(index)
    // A layout that begins or ends a refresh moves the content before its event comes.
    if view.isRefreshing != (refreshInset > 0) { noteRefresh() }
    let known = nested.follow(view.contentOffset.y)
    giveUp(known.givenUp)
    let place = position(of: view)
    if !known.isKnown { moved(from: last ?? place, to: place, index, by: event.reason) }
    // Content that hangs on the header was moved by the header.
    settle(view, at: content == .below ? position(of: view) : place)
  }

  override func willScroll(_ event: Event) -> Point {
    switch follows {
    case .place: Point(y: take(event.delta.y, .before))
    case .movement: Point(y: followOffer(event.delta.y))
    case .ratio: followPairOffer(event.delta)
    case .block: Point(y: offerToBlock(event.delta.y, isFling: event.isFling, isLeftover: false))
    case .looks: Point()
    }
  }

  override func didOverscroll(_ event: Event) -> Point {
    switch follows {
    case .place: Point(y: takeLeft(event.delta.y))
    case .movement: Point(y: followLeftover(event.delta.y, isFling: event.isFling))
    case .block: Point(y: offerToBlock(event.delta.y, isFling: event.isFling, isLeftover: true))
    case .looks, .ratio: Point()
    }
  }

  /// A fling towards the top that can do nothing but let the header shrink back is the header's.
  override func willFling(_ event: Event) -> Point {
    if follows == .movement { followFling(event.velocity.y) }
    return Point(y: chain.links.contains { $0.stretch > 0 } ? min(event.velocity.y, 0) : 0)
  }

  override func willBeginDragging(_ event: Event) {
    switch follows {
    case .place: catchHeader()
    case .movement: followBegin()
    case .ratio: changesPair { $0.beginScroll() }
    case .block: changesBlock { $0.start(.touch) }
    case .looks: break
    }
  }

  private func catchHeader() {
    finger = (false, !finger.isLifted && chain.lastHides == false)
    surplus = nil
    releaseVelocity = 0
    guard resting.isActive else { return }
    catchRest()
    // The finger may have found the content elsewhere than the last frame left it.
    settle()
  }

  override func willEndDragging(_ event: Event) -> Point? {
    releaseVelocity = event.velocity.y
    return target(for: event)
  }

  override func didEndDragging(_ event: Event, willDecelerate: Bool) {
    releasePull()
    if !willDecelerate || movementRules.endsWithFinger { lift(.touch) }
  }

  override func didEndDecelerating(_ event: Event) {
    if !movementRules.endsWithFinger { lift(.fling) }
  }

  override func contentDidChange(_ event: Event) {
    giveUp(nested.forget())
    switch follows {
    case .place: settle()
    case .movement: last = scrollView?.contentOffset.y
    case .looks: if let view = scrollView { decision?.last = view.contentOffset.y }
    case .ratio, .block: break
    }
  }

  /// A program's scroll has ended, or that of a keyboard.
  override func didEndScrollingAnimation(_ event: Event) { didEndDecelerating(event) }
  override func didScrollToTop(_ event: Event) { didEndDecelerating(event) }

  private func lift(_ kind: BlockScroll) {
    switch follows {
    case .place:
      giveUp(nested.forget())
      rest()
      surplus = nil
      finger.isLifted = true
    case .movement: followRest()
    case .ratio: changesPair { $0.endScroll() }
    case .block: changesBlock { $0.stop(kind) }
    case .looks: break
    }
  }

  override func layout(_ event: Event) {
    if event.given.contains(.structure) {
      // A claim that is refused gets this behavior bypassed by the host, which says so.
      guard (try? takesDrawers()) == true else { return forget() }
      last = nil
      _ = nested.forget()
      isAttached = true
      // One that was born again while it was dormant has no law yet.
      if decision == nil, pair == nil, block == nil { makeLaw() }
      remake()
      return remakeBlock()
    }
    hang()
    resting.isSecond = false
    if follows == .block { return layOutBlock(event) }
    if event.given.contains(.drawers) {
      if follows == .movement { return holdHeights() }
      remake()
    }
    noteRefresh()
    writeInsets()
    settle()
    noteFit()
  }

  override func setTrackingScrollView(_ event: Event) {
    if follows == .movement, movementRules.bounce == .noted { return reset(animated: false) }
    _ = nested.forget()
    last = nil
    catchRest()
    refreshInset = 0
    noteRefresh()
    writeInsets()
    meetContent(onNewContent)
    isFresh = true
  }

  static let (phaseToken, flowToken, scrollToken): (UInt64, UInt64, UInt64) = (1, 2, 3)

  override func timer(_ token: UInt64) {
    switch token {
    case Self.flowToken: decision?.arriveInFlow()
    case Self.scrollToken: scrollToTop()
    default: phaseIsOver()
    }
  }
  override func willBeginDecelerating(_ event: Event) { if follows == .block { changesBlock { $0.start(.fling) } } }
  override func willAppear(_ event: Event) { decision?.marks.add(.initial) }
  override func didAppear(_ event: Event) { beginLooking() }
  override func didBecomeActive(_ event: Event) { becomeActive() }

  override func frame(duration: Double) {
    switch follows {
    case .ratio: pairFrame()
    case .block: blockFrame()
    case .place, .movement, .looks: goOnResting(for: duration)
    }
  }

  // MARK: Movements

  /// How far the content is scrolled from its top, or is taken to be.
  @inline(__always)
  func position(of view: ScrollView) -> Double {
    var place = view.contentOffset.y + view.adjustedContentInset.top - start - refreshInset
    if insets == .follow { place += drawn.seen }
    if content == .below { place += chain.total }
    return Grid.nearest(place + nested.ahead)
  }

  /// A part of the way that was looked at will not be gone: no movement.
  func giveUp(_ distance: Double) {
    if distance != 0 { last = last.map { Grid.nearest($0 - distance) } }
  }

  /// Follows the content, which has moved by itself. Movement beyond the content's ends does not count, and neither does the way back.
  private func moved(from: Double, to place: Double, _ index: Int, by reason: ScrollReason) {
    guard enabled, from != place, let end = end(of: index, at: place) else { return }
    let movement = max(0, min(end, place)) - max(0, min(end, from))
    guard movement < 0 ? mayReturn(host.scrollView(index), reason) : movement > 0 else { return }
    let isWhole = chain.total == chain.way
    let taken = takeAlong(movement, .before)
    surplus = !isWhole && chain.total == chain.way ? movement - taken : nil
    if content == .below { host.carry(index, by: -taken) }
  }

  /// Where the way of a scroll view's content ends, when it is at a place; nil: it is too short to move the header.
  @inline(__always)
  func end(of index: Int, at place: Double) -> Double? {
    let view = host.scrollView(index)
    let size = view.contentSize.height
    let inset = view.adjustedContentInset
    // Content of unknown size has no end. An inset that follows is longer while all of the header is shown.
    let top = insets == .follow ? inset.top + drawn.seen : inset.top
    let last = size > 0 ? max(-top, size + inset.bottom - view.frame.height) : NestedScroll.bound
    let end = Grid.nearest(place + last - view.contentOffset.y)
    return end > 0 || shortContent == .moves ? max(0, end) : nil
  }

  func mayReturn(_ view: ScrollView, _ reason: ScrollReason = .unsaid) -> Bool {
    if isScrubbed { return false }
    if returnsBy == .movement || reason == .user { return true }
    guard reason == .unsaid else { return false }
    return finger.beganShowing || view.isTracking || view.isDragging || view.isDecelerating
  }

  /// Ends a movement: closes a gap between header and content, stretches for a pull, and draws.
  func settle() {
    if follows != .place { return drawOtherwise() }
    if let view = scrollView { settle(view, at: position(of: view)) } else { layOut() }
  }

  /// The same, with the content at a place, or taken to be there.
  private func settle(_ view: ScrollView, at place: Double) {
    closeGap(at: place - nested.ahead)
    if stretches { pull(-min(0, place - nested.ahead + start + refreshInset + displacement)) }
    last = content == .below ? position(of: view) : place
    layOut()
    // An inset that follows may have brought the content back to its end.
    if insets == .follow, content == .under, position(of: view) != place {
      last = position(of: view)
      closeGap(at: position(of: view) - nested.ahead)
      layOut()
    }
    if chain.isChecked, chain.violation != nil || invariants == .strict { check() }
  }

  @inline(__always)
  private func closeGap(at place: Double) {
    let limit = max(0, place + displacement)
    if chain.total > limit {
      let taken = closeAlong(to: limit)
      if content == .below, let index = host.trackingScrollView { host.carry(index, by: -taken) }
    }
    if displacement > 0, place >= 0 { displacement = min(displacement, max(0, chain.total - place)) }
  }

  /// Something grows with a pull: where other content begins, that is pulled away.
  var stretches: Bool { chain.stretches && start == 0 }

  private func pull(_ distance: Double) {
    let triggered = chain.pull(host.environment.limitsMotion ? 0 : Grid.nearest(min(distance, Grid.bound)))
    for index in triggered {
      Self.outputs.didStretch.post([("drawer", .text(host.drawerName(index)))], in: host)
    }
  }

  // MARK: Position

  override var positioning: Positioning { .own }
  override var position: Position {
    if let pair { return Position(traveled: pair.gone * pair.way, travel: pair.way) }
    if let block { return Position(traveled: block.traveled, travel: Double(block.total)) }
    return Position(traveled: chain.total, travel: chain.way)
  }
  override func move(to traveled: Double) {
    switch follows {
    case .ratio: changesPair { if $0.way > 0 { $0.move(to: max(0, min(1, traveled / $0.way))) } }
    case .block: changesBlock { $0.move(to: traveled) }
    case .movement:
      chain.lastHides = nil
      go(to: traveled)
    case .place, .looks: go(to: traveled)
    }
  }
  override func permit(_ range: ClosedRange<Double>) {
    switch follows {
    case .ratio: changesPair { $0.permit(range) }
    case .block: changesBlock { $0.permit(range) }
    case .place, .movement, .looks: bind(to: range)
    }
  }
  /// The drawers' stops, where there is but one drawer that moves: else a stop is no place of the whole header.
  override var stops: [(name: String, progress: Double)] {
    let moving = chain.links.indices.filter { isInChain($0) && chain.links[$0].reach.way > 0 }
    guard moving.count == 1, let rest = chain.laws[moving[0]].rest else { return [] }
    return rest.stops.filter { $0.progress > 0 && $0.progress < 1 }.map { ($0.name, $0.progress) }
  }
  override func place(of drawer: Int) -> DrawerPlace {
    guard isInChain(drawer) else { return super.place(of: drawer) }
    let link = chain.links[drawer]
    return DrawerPlace(gone: link.seen, collapse: link.reach.collapse, shift: link.reach.shift)
  }
  override func position(where drawer: Int, isGone points: Double) -> Double {
    isInChain(drawer) ? calledFrom.total(where: drawer, isGone: points) : points
  }
  private func isInChain(_ drawer: Int) -> Bool { pair == nil && block == nil && chain.links.indices.contains(drawer) }
  var permitted = 0.0...1.0

  // MARK: Being born again

  override func save() -> Value {
    var saved = SavedRecord()
    remember(in: &saved)
    return saved.value
  }

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1 else {
      throw Refusal("it cannot take over a saved state of version \(version), only of version 1")
    }
    guard try takesDrawers() else { return forget() }
    isAttached = true
    try take(savedState: state)
  }
}
