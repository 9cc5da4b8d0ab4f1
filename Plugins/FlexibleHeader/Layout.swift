// SPDX-License-Identifier: MIT
//
// Heights and shift: what is derived from scroll view, options and safe area, the injection into the scroll view's top
// inset, and the layout that turns an offset into a frame. Every quantity is asked for live, because each write to the
// scroll view may come back as a nested didScroll.
//
//     relayout ─▶ default heights ─▶ enforce (inject) ─▶ accumulate the shift ─▶ height ─▶ commit
//     commit ─▶ position ─▶ shadow, hidden, indicators ─▶ phase ─▶ views to hide ─▶ status bar ─▶ frameDidChange
//
// E, A, U, D and S are the names that the library's behavior is described with; they stand beside the words here.

internal import HeaderPluginKit

/// Equal but for three units in the last place, as the library compares lengths.
func isNear(_ left: Double, _ right: Double) -> Bool {
  let distance = abs(left - right)
  return distance < 3 * Double.ulpOfOne * abs(left + right) || distance < Double.leastNormalMagnitude
}

func isNear(_ left: Insets, _ right: Insets) -> Bool {
  isNear(left.top, right.top) && isNear(left.left, right.left) && isNear(left.bottom, right.bottom)
    && isNear(left.right, right.right)
}

func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { max(low, min(high, value)) }

extension FlexibleHeader {
  /// The height without the safe area that a header has by default.
  static let defaultHeight = 56.0
  /// The length over which the shadow grows.
  static let shadowLength = 8.0
  /// Points that a finger moves before its direction counts.
  private static let slop = 5.0
  /// How fast the display link approaches its destination: a share a second.
  static let attachment = 12.0

  // MARK: Derived quantities

  var view: ScrollView? { tracking.map(host.scrollView) }

  var effectiveMinimum: Double { includesSafeArea ? minimumHeight : minimumHeight + topInset }
  var effectiveMaximum: Double { includesSafeArea ? maximumHeight : maximumHeight + topInset }
  var maximumWithoutSafeArea: Double { includesSafeArea ? maximumHeight - topInset : maximumHeight }

  private var isPaging: Bool { view?.isPaging ?? false }

  var hidesStatusBar: Bool {
    (shiftBehavior == .enabledWithStatusBar || shiftBehavior == .hideable) && !isPaging
  }
  var collapsesToStatusBar: Bool { !hidesStatusBar && hintCanOverlap }
  var canShift: Bool {
    switch shiftBehavior {
    case .hideable: true
    case .enabled, .enabledWithStatusBar: !isPaging
    case .disabled: false
    }
  }

  /// A: all of the header that may leave the screen, with the status bar as high as it is now.
  var shiftMaximum: Double {
    let all = collapsesToStatusBar ? max(0, effectiveMinimum - statusBarHeight) : effectiveMinimum
    return all - minimumHeaderViewHeight
  }

  /// The top inset without the header's own part.
  var rawInset: Double {
    guard let view else { return 0 }
    return view.contentInset.top + view.refreshingHeight - (tracking.map { records[$0].injected } ?? 0)
  }

  /// Where the header takes the content to be, which nested scrolling may not have brought there yet (Offers.swift).
  var contentPosition: Double? { view.map { $0.contentOffset.y + nested.ahead } }

  /// o: 0 with the content right below the header's raw inset.
  var rawOffset: Double { contentPosition.map { $0 + rawInset } ?? 0 }

  /// The offset without rubber banding beyond the bottom of the content.
  var boundedOffset: Point {
    guard let view, let contentPosition else { return Point() }
    return Point(x: view.contentOffset.x, y: min(contentPosition, view.contentSize.height - view.frame.height))
  }

  /// How much of the content the header overlaps; negative: the content is below.
  var overlap: Double {
    guard tracking != nil else { return drawnFrame.maxY }
    let inHolder = holder.map { host.scrollView($0).contentOffset.y } ?? 0
    return drawnFrame.maxY - inHolder + rawOffset
  }

  private var isDetached: Bool { overlap > 0.5 }
  var isPartlyShifted: Bool { isDetached && accumulator > 0 && accumulator < shiftMaximum }
  var isFullyShifted: Bool { isDetached && accumulator > 0 && accumulator >= shiftMaximum }

  private var isAtBottom: Bool {
    guard let view, let contentPosition else { return false }
    return view.contentSize.height > view.frame.height
      && contentPosition + view.frame.height >= view.contentSize.height + view.contentInset.bottom
  }

  /// What of the adjusted top inset is not the content inset.
  func existingAdjustment(_ view: ScrollView) -> Double { view.adjustedContentInset.top - view.contentInset.top }

  // MARK: The header's own geometry

  var header: Drawer { host.drawer(Self.drawer) }

  /// The frame in the header's parent, with the vertical part of its transform applied: along x nothing depends on it.
  var drawnFrame: Rect {
    let drawer = header
    var frame = drawer.frame
    frame.y += drawer.translation.y
    return frame
  }

  /// Puts the header somewhere. Only parts that depend on its size are laid out.
  func place(_ frame: Rect) {
    write(
      Point(x: frame.x + frame.width / 2, y: frame.y - header.translation.y + frame.height / 2),
      Size(width: frame.width, height: frame.height))
  }

  /// Changes the height about the center, as UIKit's bounds do.
  func setHeight(_ height: Double) {
    let drawer = header
    write(drawer.center, Size(width: drawer.size.width, height: height))
  }

  func setCenterY(_ y: Double) {
    let drawer = header
    write(Point(x: drawer.center.x, y: y), drawer.size)
  }

  private func write(_ center: Point, _ size: Size) {
    let old = header.size
    let size = Size(width: max(0, size.width), height: max(0, size.height))
    host.setCenter(center, size: size, of: Self.drawer)
    knownFrame = header.frame
    if size != old { markSizeChange() }
  }

  /// The layout guide follows in the layout pass.
  func markSizeChange() {
    needsLayout = true
    host.markLayout()
  }

  /// The transform of a header inside its scroll view, which cancels the offset.
  func translate(to y: Double) { host.setTranslation(Point(y: y), of: Self.drawer) }

  // MARK: Injection

  /// Makes room for the header in a scroll view's top inset and returns the points added now.
  @discardableResult
  func enforce(_ index: Int?) -> Double {
    guard let index else { return 0 }
    if usesAdditionalInsetsForWeb, self.view?.kind == .web { return 0 }
    let view = host.scrollView(index)
    if skipsNeverAdjusting, view.contentInsetAdjustment == .never { return 0 }
    records[index].exists = true
    let desired = max(maximumWithoutSafeArea, effectiveMaximum - existingAdjustment(view))
    let adjustment = desired - (records[index].hasInjected ? records[index].injected : 0)
    // Before the write: it may clamp the offset, and the nested didScroll must know.
    records[index].injected = desired
    records[index].hasInjected = true
    let old = view.contentInset
    var inset = old
    inset.top += adjustment
    if !isNear(old, inset) { host.setContentInset(inset, of: index) }
    noticeStatusBar(index, adjustment)
    return adjustment
  }

  /// Moves the offset along with the inset when the status bar was hidden or shown from outside.
  private func noticeStatusBar(_ index: Int, _ adjustment: Double) {
    let isHidden = host.environment.statusBarHidden
    if let was = statusBarWasHidden, was != isHidden, !statusBarIsChanging, !infersSafeArea {
      var offset = host.scrollView(index).contentOffset
      offset.y -= adjustment
      setOffset(offset)
    }
    statusBarWasHidden = isHidden
  }

  /// Writes the tracking scroll view's offset; the movement does not count as the user's.
  func setOffset(_ offset: Point) {
    if let tracking, host.scrollView(tracking).contentOffset != offset {
      host.setContentOffset(offset, of: tracking)
    }
    lastOffset = boundedOffset
  }

  /// Brings a scroll view's inset up to date and the offset within it, unless the host did that.
  func adjustInsets(_ index: Int?) {
    guard let index else { return }
    let before = host.scrollView(index).contentOffset
    enforce(index)
    guard host.scrollView(index).contentOffset == before else { return }
    let offset = Point(x: before.x, y: max(before.y, -host.scrollView(index).adjustedContentInset.top))
    if offset != before { host.setContentOffset(offset, of: index) }
    lastOffset = boundedOffset
  }

  /// Heights that the application has not set follow the safe area.
  func recalculateHeights() {
    guard !minimumIsExplicit, !maximumIsExplicit, includesSafeArea else { return }
    minimumHeight = Self.defaultHeight + topInset
    maximumHeight = minimumHeight
  }

  // MARK: Layout

  /// Lays the header out for the present offset.
  func relayout() {
    guard let index = tracking else { return }
    recalculateHeights()
    enforce(index)
    let wanted = placed(-rawOffset)
    if host.scrollView(index).isTracking { host.stopFrames() }
    if lastOffsetIsValid, shiftBehavior != .hideable {
      accumulate(wanted)
      limitDisplacement()
    }
    let (low, high) = (effectiveMinimum, effectiveMaximum)
    let mayOverExtend = canOverExtend && !host.environment.voiceOverRunning && !host.environment.limitsMotion
    setHeight(mayOverExtend ? max(low, wanted) : max(low, min(high, wanted)))
    commit()
    lastOffset = boundedOffset
    lastOffsetIsValid = true
  }

  /// Adds the movement since the last layout to the shift.
  private func accumulate(_ wanted: Double) {
    var delta = boundedOffset.y - lastOffset.y
    if directionDelta * delta < 0 { directionDelta = 0 }
    directionDelta += delta
    if view?.isTracking ?? false {
      if directionDelta > Self.slop { wantsToBeHidden = true }
      if directionDelta < -Self.slop { wantsToBeHidden = false }
    }
    guard !isAtBottom, !host.framesAreActive else { return }
    if !canShift { delta = min(0, delta) }
    if isScrubbed { delta = max(0, delta) }
    // Jumps across the collapse boundary count only beyond it.
    let low = effectiveMinimum
    let previous = wanted + delta
    if wanted < low, previous > low {
      delta = low - wanted
    } else if wanted > low, previous < low {
      delta = previous - low
    }
    var bound = accumulatorBound(wanted)
    accumulator = min(bound, accumulator)
    // A header that was moved is shifted by no more than that movement.
    if displacement.distance > 0 { bound = min(bound, max(0, low - wanted)) }
    accumulator = permitted(clamp(accumulator + delta, 0, bound))
  }

  /// U: how far the accumulator may go at a height that the header would like.
  private func accumulatorBound(_ wanted: Double) -> Double {
    guard wanted < effectiveMinimum else { return 0 }
    if minimumHeaderViewHeight != 0 { return maximumWithoutSafeArea - minimumHeaderViewHeight }
    return wanted < 0 ? shiftMaximum + contentImportance.anchorLength : shiftMaximum
  }

  /// Takes the accumulator over into the header's position, and into all that depends on it.
  func commit() {
    let shift = min(shiftMaximum, accumulator)
    setCenterY(-shift + header.size.height / 2)
    updateShadow()
    updatePhase()
    hideViews(shift)
    moveStatusBar(to: accumulator)
    frameDidChange()
  }

  /// Where between shifting and over-extending the header is.
  private func updatePhase() {
    let drawer = header
    let top = drawer.center.y - drawer.size.height / 2
    let (low, high) = (effectiveMinimum, effectiveMaximum)
    if top < 0 {
      phase = .shifting
      phaseValue = top + low
      let length = low - (collapsesToStatusBar ? statusBarHeight : 0)
      phasePercentage = length > 0 ? -top / length : 0
      return
    }
    phaseValue = drawer.size.height
    if drawer.size.height < high {
      phase = .collapsing
      phasePercentage = high - low > 0 ? (drawer.size.height - low) / (high - low) : 0
    } else {
      phase = .overExtending
      phasePercentage = high > 0 ? 1 + (drawer.size.height - high) / high : 0
    }
  }

  /// Views that fade over the first half of the shift.
  private func hideViews(_ shift: Double) {
    guard !viewsToHide.isEmpty else { return }
    let share = shift / (shiftMaximum * 0.5)
    let alpha = share.isNaN ? 1 : 1 - clamp(share, 0, 1)
    for view in viewsToHide {
      var look = host.look(view.element)
      look.alpha = alpha
      host.set(look, of: view.element)
    }
  }
}

// MARK: - Several scroll views
//
// One header, several scroll views: the switch to another one, and the steps that make it go unnoticed. Without sharing, the old scroll
// view gets back the inset that the header added. With sharing it keeps it, and heights are matched: content that would need a taller
// header is moved so that the header stays as it is, and a header that must shrink does so in an animation. The accumulator and the wish
// to be hidden stay.

extension FlexibleHeader {
  private static let changeDuration = 0.2
  private static let heightEpsilon = 0.001

  /// The content is about to become another one: it is brought to where the header will expect it.
  func willChange(to index: Int?) {
    guard let index else { return }
    if !records[index].exists {
      let adjustment = enforce(index)
      moveOffset(of: index, by: -adjustment)
    }
    guard tracking != nil else { return }
    if accumulator >= shiftMaximum {
      let view = host.scrollView(index)
      let raw = view.contentInset.top - records[index].injected
      if view.contentOffset.y < -raw { host.setContentOffset(Point(x: view.contentOffset.x, y: -raw), of: index) }
    }
    if records[index].stashIsValid {
      let difference = header.size.height - records[index].stashedHeight
      if abs(difference) > Self.heightEpsilon { moveOffset(of: index, by: -difference) }
    }
  }

  private func moveOffset(of index: Int, by distance: Double) {
    let offset = host.scrollView(index).contentOffset
    host.setContentOffset(Point(x: offset.x, y: offset.y + distance), of: index)
  }

  /// The content is another one now.
  func setTrackingScrollView(_ index: Int?) {
    guard index != tracking else { return }
    let height = header.size.height
    let old = tracking
    if let old, records[old].exists {
      records[old].stashedHeight = height
      records[old].stashIsValid = true
    }
    observationIsSuspended = true
    tracking = index
    _ = nested.forget()
    if !isShared, let old { removeInsets(of: old) }
    lastOffsetIsValid = false
    lastOffset = view?.contentOffset ?? Point()
    directionDelta = 0
    if let index {
      records[index].stashIsValid = false
      records[index].stashedHeight = 0
    }
    enforce(index)
    observationIsSuspended = false
    let isAnimated = isShared && old != nil && matchHeight(height)
    if isAnimated { host.animate(duration: Self.changeDuration, .easeInOut, token: Self.trackingChange) }
    Self.outputs.didChangeTrackingScrollView.post([("animated", .bool(isAnimated))], in: host)
    relayout()
    if isAnimated {
      if laysOutTwice { relayout() }
    } else if tracking == nil {
      updateShadow()
    }
  }

  /// Keeps the header's height across a change and returns whether it must shrink.
  private func matchHeight(_ height: Double) -> Bool {
    let wanted = clamp(-rawOffset, effectiveMinimum, effectiveMaximum)
    if wanted > height, let index = tracking { moveOffset(of: index, by: wanted - height) }
    if let index = tracking, records[index].exists, host.scrollView(index).kind == .table {
      records[index].ignoresNextSafeAreaJump = true
    }
    return wanted < height
  }

  /// Removes the header's part of a scroll view's insets.
  private func removeInsets(of index: Int) {
    guard records[index].exists else { return }
    let view = host.scrollView(index)
    var inset = view.contentInset
    inset.top -= records[index].injected
    records[index].injected = 0
    records[index].hasInjected = false
    host.setContentInset(inset, of: index)
    var indicators = host.scrollView(index).scrollIndicatorInsets
    indicators.top -= records[index].injectedIndicator
    records[index].injectedIndicator = 0
    host.setScrollIndicatorInsets(indicators, of: index)
  }

  /// A client's own change of the insets, which keeps the content where it is. The insets include the injected part.
  func changeContentInsets(_ insets: Insets) {
    guard let index = tracking else { return }
    insetsAreChanging = true
    let before = host.scrollView(index).contentInset.top
    host.setContentInset(insets, of: index)
    var offset = host.scrollView(index).contentOffset
    offset.y -= host.scrollView(index).contentInset.top - before
    setOffset(offset)
    insetsAreChanging = false
  }
}
