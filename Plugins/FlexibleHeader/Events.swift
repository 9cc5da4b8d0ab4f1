// SPDX-License-Identifier: MIT
//
// The header's events, in the words of UIScrollViewDelegate and of its own: scrolls, the end of a drag, changes of geometry, size
// transitions, frames and timers. Each entry ends by publishing the values that may have changed.

internal import HeaderPluginKit

extension FlexibleHeader {
  /// Work put off to after the event.
  private static let voiceOverWork: UInt64 = 1
  /// Completions.
  static let trackingChange: UInt64 = 1
  static let animatedChange: UInt64 = 2

  // MARK: Scrolling

  /// The tracking scroll view's offset may have changed.
  func offsetDidChange() {
    guard let index = tracking else { return }
    giveUp(nested.follow(host.scrollView(index).contentOffset.y).givenUp)
    if records[index].ignoresNextSafeAreaJump {
      records[index].ignoresNextSafeAreaJump = false
      let distance = abs(lastOffset.y - host.scrollView(index).contentOffset.y)
      if lastOffsetIsValid, abs(distance - topInset) < 0.001 {
        host.setContentOffset(lastOffset, of: index)
        return
      }
      lastOffsetIsValid = false
    }
    if host.scrollView(index).isTracking { didDecelerate = false }
    if holder == index { cancelOffset(of: index) }
    if orientationIsChanging || insetsAreChanging || statusBarIsChanging { return }
    relayout()
  }

  /// A header inside the scroll view stays where it is by a transform.
  private func cancelOffset(of index: Int) {
    let isAnimated = host.scrollView(index).boundsAnimationDuration > 0
    guard host.environment.voiceOverRunning else { return followOffset(of: index, animated: isAnimated) }
    // VoiceOver would pull the header into the middle of the scroll view.
    let view = host.scrollView(index)
    let top = -(max(effectiveMaximum, view.adjustedContentInset.top))
    setOffset(Point(x: view.contentOffset.x, y: max(view.contentOffset.y, top.rounded())))
    if isAnimated {
      followOffset(of: index, animated: true)
    } else {
      host.afterEvent(Self.voiceOverWork)
    }
  }

  func followOffset(of index: Int, animated: Bool) {
    let view = host.scrollView(index)
    if animated { host.animate(duration: view.boundsAnimationDuration, .easeInOut) }
    translate(to: view.contentOffset.y)
  }

  func trackingScrollViewDidScroll() {
    assertNotObserving()
    offsetDidChange()
  }

  func trackingScrollViewDidEndDragging(willDecelerate: Bool) {
    assertNotObserving()
    giveUp(nested.forget())
    if !canShift { wantsToBeHidden = false }
    if !willDecelerate, isPartlyShifted { startApproach() }
    didDecelerate = willDecelerate
  }

  func trackingScrollViewDidEndDecelerating() {
    assertNotObserving()
    giveUp(nested.forget())
    guard didDecelerate, isPartlyShifted else { return }
    wantsToBeHidden = accumulator >= 0.75 * shiftMaximum
    startApproach()
  }

  private func assertNotObserving() {
    if observes { failAssertion("scroll events are forwarded although the offset is observed") }
  }

  /// Where the content comes to rest: not with the header half way.
  func target(_ target: Point) -> Point? {
    assertNotObserving()
    guard canShift else { return nil }
    let raw = rawInset
    let height = -(target.y + raw)
    guard height > 0, height < effectiveMinimum else { return nil }
    return Point(x: target.x, y: wantsToBeHidden ? -raw : -effectiveMinimum - raw)
  }

  // MARK: Showing and hiding

  func shift(offScreen: Bool, animated: Bool) {
    wantsToBeHidden = offScreen
    if animated { return startApproach() }
    accumulator = permitted(offScreen ? shiftMaximum : 0)
    commit()
  }

  // MARK: Geometry

  func setFrame(_ frame: Rect) {
    place(frame)
    if !orientationIsChanging { relayout() }
  }

  /// The minimum height, at the same origin.
  func sizeToFit() {
    let frame = drawnFrame
    setFrame(Rect(x: frame.x, y: frame.y, width: frame.width, height: effectiveMinimum))
  }

  func orientationWillChange() {
    if orientationIsChanging { failAssertion("a size transition begins within another") }
    orientationIsChanging = true
    shifter.orientationIsChanging = true
  }

  func orientationIsAnimating() {
    if !orientationIsChanging { failAssertion("a size transition goes on that never began") }
    topInsetDidChange()
    relayout()
  }

  func orientationDidChange() {
    if !orientationIsChanging { failAssertion("a size transition ends that never began") }
    orientationIsChanging = false
    lastOffset = boundedOffset
    relayout()
    shifter.orientationIsChanging = false
  }

  /// Lays out the parts that depend on the header's size.
  func layOutSize() {
    guard needsLayout else { return }
    needsLayout = false
    if adjustsLayoutGuide { updateLayoutGuide() }
  }

  /// Reports a broken rule that only the library's debug builds check. The header continues.
  func failAssertion(_ reason: String) { Self.outputs.assertionFailed.post([("reason", .text(reason))], in: host) }

  // MARK: Given keys

  func layoutDidChange(_ event: Event) {
    let given = event.given
    // There may be no drawer for the header any more, or another has it.
    if given.contains(.structure) { guard takeUpStructure() else { return } }
    let isStatusBar = given.contains(.statusBarHeight) || given.contains(.statusBarHidden)
    if isStatusBar { statusBarDidChangeFrame() }
    if isWishing {
      safeArea.isDirty = true
      host.markLayout()
      return
    }
    if given.contains(.drawers), header.frame != knownFrame {
      markSizeChange()
      knownFrame = header.frame
      if !orientationIsChanging { relayout() }
    }
    if isStatusBar || given.contains(.safeAreaInset) || given.contains(.viewport) { announceSafeArea() }
    if given.contains(.voiceOverRunning) { relayout() }
  }

  /// Takes in new scroll views or drawers; records of those that stayed are kept.
  /// - Returns: false when the header is not ours: it was yielded, or the host refuses the claim and bypasses this behavior.
  private func takeUpStructure() -> Bool {
    guard (try? takesDrawer()) == true else { return false }
    let old = records
    let (oldTracking, oldHolder) = (tracking.map { old[$0].name }, holder.map { old[$0].name })
    records = (0..<host.scrollViewCount).map { index in
      let name = host.scrollViewName(index)
      return old.first { $0.name == name } ?? ScrollRecord(name)
    }
    tracking = oldTracking.flatMap(host.scrollView(named:))
    holder = oldHolder.flatMap(host.scrollView(named:))
    func found(_ views: [NamedView]) -> [NamedView] {
      views.compactMap { view in host.element(named: view.name).map { NamedView(name: view.name, element: $0) } }
    }
    viewsToHide = found(viewsToHide)
    forwardedViews = found(forwardedViews)
    setTrackingScrollView(host.trackingScrollView)
    applyGiven()
    relayout()
    return true
  }
}

// MARK: - Offers
//
// Nested scrolling, which the library does not know: a publisher offers a movement before its content makes it. The
// header's height hangs on the content's offset alone, and its shift on how that changes; so an offer is laid out as the
// didScroll that all of it would have brought, and the header takes what its bottom edge moved by.
//
//     willScroll      δ ─▶ relayout (the library's, with its slop, anchor and bottom) at δ further, cut to where content may
//                     rest: what is beyond the maximum height is given back first, then it collapses, then it shifts
//                     consumed: the movement of the bottom edge, height − shift. The content goes along by it; the residual
//                     is the publisher's, and until its content has done it the header is that much ahead
//     didOverscroll   what was offered before is not looked at again. Pulled beyond the content's top the header over-extends
//                     by all of it, unless it must not (canOverExtend, VoiceOver); a rubber band is the publisher's: it
//                     offers what its band leaves
//     willFling       towards the top while it is over-extended: all of the velocity, for there is no content that it could
//                     move. Otherwise nothing: the library ignores velocity. What a fling does comes as offers of its own
//
// While the insets, the status bar or the size of everything is being changed, nothing is taken, as nothing is laid out.
// Points; velocities in points per millisecond; the offset's sign.

extension FlexibleHeader {
  /// Gives up a part of an offered way that the content will not go. A part beyond the bottom never counted.
  func giveUp(_ distance: Double) {
    guard distance != 0, let view, let contentPosition else { return }
    let end = view.contentSize.height - view.frame.height
    lastOffset.y -= min(contentPosition + distance, end) - min(contentPosition, end)
  }

  /// The part that the header takes of an offer.
  /// - Parameter isLeft: the content has left the offer over: the rest is lost.
  func take(_ offer: Double, isLeft: Bool = false) -> Double {
    guard offer != 0, let index = tracking, !orientationIsChanging, !insetsAreChanging, !statusBarIsChanging else {
      return 0
    }
    giveUp(nested.begin(offer, at: host.scrollView(index).contentOffset.y))
    if records[index].ignoresNextSafeAreaJump {
      records[index].ignoresNextSafeAreaJump = false
      lastOffsetIsValid = false
    }
    if host.scrollView(index).isTracking { didDecelerate = false }

    let from = host.scrollView(index).contentOffset.y + nested.ahead
    let places = host.restingPlaces(of: index)
    let way = NestedScroll.way(of: offer, from: from, within: places, passesTop: isLeft)
    guard way != 0, abs(from + way) <= NestedScroll.bound else { return 0 }
    let edge = header.frame.maxY
    nested.advance(by: way)
    relayout()
    let consumed = NestedScroll.part(edge - header.frame.maxY, of: way)
    host.carry(index, by: consumed)
    nested.took(consumed, at: host.scrollView(index).contentOffset.y)
    if isLeft { giveUp(nested.drop(way - consumed)) }
    if holder == index { followOffset(of: index, animated: false) }
    return consumed
  }

  /// The part that the header takes of a movement that the content could not make.
  func takeLeft(_ left: Double) -> Double {
    guard left != 0, let view else { return 0 }
    let (known, given) = nested.leave(left, at: view.contentOffset.y)
    giveUp(given)
    return take(left - known, isLeft: true)
  }

  /// The part that the header takes of a fling.
  func takeVelocity(_ velocity: Double) -> Double {
    velocity < 0 && tracking != nil && header.size.height > effectiveMaximum ? velocity : 0
  }
}

// MARK: - Positions
//
// Positions by call and constraints (header.position/1), which the library does not know. The way is what the header collapses, and then
// what it shifts:
//
//     0 ── maximum … minimum height ──▶ collapse ── accumulator 0 … A ──▶ travel
//
// The height follows from the content's offset, so a header that was moved is displaced from there; the shift stays where it was put.

extension FlexibleHeader {
  /// Points of its height that it can lose.
  private var collapse: Double { max(0, effectiveMaximum - effectiveMinimum) }
  /// How far the header can shift, in points.
  private var shift: Double { canShift ? max(0, shiftMaximum) : 0 }
  /// The way over which its place follows from the content's offset.
  private var lawfulTravel: Double { shiftBehavior == .hideable ? collapse : collapse + shift }

  var headerPosition: Position {
    let collapsed = clamp(effectiveMaximum - header.size.height, 0, collapse)
    return Position(traveled: collapsed + clamp(accumulator, 0, shift), travel: collapse + shift)
  }

  var headerStops: [(name: String, progress: Double)] {
    let travel = collapse + shift
    return travel > 0 ? [("minimumHeight", collapse / travel)] : []
  }

  /// The height that the header would like, or where a call or a constraint keeps it.
  func placed(_ wanted: Double) -> Double {
    guard !displacement.isNone else { return wanted }
    let high = effectiveMaximum
    var kept = Displacement(displacement, permitted: lawfulRange)
    defer { displacement = Displacement(kept, permitted: displacement.permitted) }
    return high - kept.place(high - wanted, travel: lawfulTravel)
  }

  /// The permitted range of the way that follows from the content.
  private var lawfulRange: ClosedRange<Double> {
    let (range, travel) = (displacement.permitted, lawfulTravel)
    guard range != 0...1, travel > 0 else { return 0...1 }
    let whole = collapse + shift
    let low = min(1, range.lowerBound * whole / travel)
    return low...max(low, min(1, range.upperBound * whole / travel))
  }

  /// The permitted part of a shift.
  func permitted(_ accumulator: Double) -> Double {
    let range = displacement.permitted
    guard range != 0...1 else { return accumulator }
    let whole = collapse + shift
    let high = range.upperBound < 1 ? max(0, range.upperBound * whole - collapse) : .infinity
    return min(high, max(accumulator, max(0, range.lowerBound * whole - collapse)))
  }

  /// Where one drawer is: the header collapses, then it shifts.
  var headerPlace: DrawerPlace { DrawerPlace(gone: headerPosition.traveled, collapse: collapse, shift: shift) }

  func moveHeader(to traveled: Double) {
    host.stopFrames()
    _ = nested.forget()
    let collapsed = min(traveled, collapse)
    let shifted = traveled - collapsed
    displace(to: traveled)
    accumulator = shifted
    wantsToBeHidden = shifted > shift / 2
    layOutAnew()
  }

  /// Ends the displacement of the part of the shift that has come back: else the content would have to use it up before anything moves.
  func limitDisplacement() {
    displacement.limit(to: collapse + clamp(accumulator, 0, shift), law: effectiveMaximum + rawOffset)
  }

  /// From now on it is displaced from where the content would have it. One that is all collapsed, as content that is as far away
  /// would have it, is not: its shift is its own.
  func displace(to traveled: Double) {
    let law = effectiveMaximum + rawOffset
    if traveled >= collapse, law >= traveled { return displacement.forget() }
    let place = shiftBehavior == .hideable ? min(traveled, collapse) : traveled
    displacement.move(to: place, law: law, travel: lawfulTravel)
  }

  func permitHeader(_ range: ClosedRange<Double>) {
    let position = headerPosition
    guard displacement.bind(to: range, from: position.travel > 0 ? position.traveled / position.travel : 0) else {
      return
    }
    accumulator = permitted(accumulator)
    layOutAnew()
  }

  /// Lays out where the content is; that it moved since is no movement of the shift.
  private func layOutAnew() {
    guard tracking != nil else { return commit() }
    lastOffsetIsValid = false
    relayout()
  }
}
