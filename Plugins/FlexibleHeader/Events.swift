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
    relayout()
    return true
  }
}
