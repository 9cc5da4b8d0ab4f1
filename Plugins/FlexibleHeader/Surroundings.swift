// SPDX-License-Identifier: MIT
//
// The source of the header's top inset S, and the insets that the header gives to the content in turn.
//
//     no inference   S = D, the device's inset: 20, or the key window's on a device known to have hardware safe areas
//     inference      S = the top inset of a source, an ancestor of the content controller's view
//
// The safe area is a small tree: the window's insets, to which the content controller's view adds its additional inset, which the layout
// guide's procedure writes. A change of that inset is announced in the layout pass: to the source first, then to the header, until
// nothing changes.

internal import HeaderPluginKit

/// The view that the top inset is inferred from.
enum InsetSource: String, CaseIterable {
  case none
  /// The topmost ancestor of the content controller.
  case root
  /// The content controller itself.
  case content
}

/// The header's record of the safe area. Lengths are in points.
struct SafeArea {
  var source = InsetSource.none
  /// The controller that the application wants to be the source; nil: the topmost ancestor is.
  var given: SafeAreaController?
  /// The content controller's additional inset does not count.
  var subtracts = false
  var extracted = 0.0
  var lastNonZero = 0.0
  /// S when it was last announced.
  var guideHeight = 0.0
  /// Insets may have changed; they are announced in the layout pass.
  var isDirty = false
  var announcedToSource = Insets()
  var announcedToHeader = Insets()
}

/// The top layout guide and the additional inset of the content controller. Points.
struct LayoutGuide {
  /// The guide's length; nil: there is no guide.
  var length: Double?
  /// The header has found the guide and moves it.
  var isFound = false
  /// The length that it has without the adjustment.
  var legacyLength = 0.0
  var additionalInset = 0.0
}

extension FlexibleHeader {
  /// The status bar's height on devices without hardware safe areas.
  private static let plainBarHeight = 20.0

  // MARK: Insets of the views

  /// The window's insets; the top one counts as 0 while the status bar is hidden.
  var windowInsets: Insets {
    let environment = host.environment
    var insets = environment.safeAreaInset
    if environment.statusBarHidden, !environment.deviceHasHardwareSafeArea { insets.top = 0 }
    return insets
  }

  private func insets(of source: InsetSource) -> Insets {
    guard source != .none, host.environment.visible else { return Insets() }
    var insets = windowInsets
    if source == .content { insets.top += guide.additionalInset }
    return insets
  }

  /// D: 20, unless the device is known to have hardware safe areas. Known for good once a key window could be asked.
  private var deviceInset: Double {
    let isKey = host.environment.keyWindow
    if deviceHasHardwareInsets == nil, isKey {
      let insets = windowInsets
      deviceHasHardwareInsets =
        insets.top > Self.plainBarHeight || insets.left > 0 || insets.right > 0 || insets.bottom > 0
    }
    guard deviceHasHardwareInsets ?? false else { return Self.plainBarHeight }
    return isKey ? windowInsets.top : 0
  }

  /// S. A 20-point bar that the header itself hides still counts.
  var topInset: Double {
    guard infersSafeArea else { return deviceInset }
    let hidesBar =
      canShift && (shiftBehavior == .enabledWithStatusBar || shiftBehavior == .hideable) && shifter.prefersHidden
    return safeArea.lastNonZero == Self.plainBarHeight && hidesBar ? safeArea.lastNonZero : safeArea.extracted
  }

  // MARK: Announcements

  /// Announces insets that have changed.
  func announceSafeArea() {
    safeArea.isDirty = false
    if safeArea.source != .none {
      let insets = insets(of: safeArea.source)
      if insets != safeArea.announcedToSource {
        safeArea.announcedToSource = insets
        topInsetDidChange()
      }
    }
    guard holding != .viewOnly, hasParent else { return }
    let insets = insets(of: .content)
    if insets != safeArea.announcedToHeader {
      safeArea.announcedToHeader = insets
      topInsetDidChange()
    }
  }

  /// The header's own inset, or the source's, has changed.
  func topInsetDidChange() {
    if infersSafeArea { extract() } else { safeAreaDidChange() }
  }

  private func extract() {
    let top = insets(of: safeArea.source).top
    safeArea.extracted = safeArea.source == .none ? 0 : top - (safeArea.subtracts ? guide.additionalInset : 0)
    if safeArea.extracted > 0 { safeArea.lastNonZero = safeArea.extracted }
    if infersSafeArea { safeAreaDidChange() }
  }

  /// S may be another one.
  private func safeAreaDidChange() {
    recalculateHeights()
    safeArea.guideHeight = topInset
    enforce(tracking)
    lastOffset = boundedOffset
    if shiftBehavior == .hideable, wantsToBeHidden, !host.framesAreActive {
      accumulator = shiftMaximum
      commit()
    } else if tracking == nil {
      setHeight(effectiveMinimum)
      setCenterY(-min(shiftMaximum, accumulator) + header.size.height / 2)
      frameDidChange()
    } else {
      relayout()
    }
  }

  // MARK: The source

  func setInfersSafeArea(_ infers: Bool) {
    if infers != infersSafeArea {
      infersSafeArea = infers
      if infers { extract() } else { safeAreaDidChange() }
    }
    determineSource()
  }

  /// Finds the view to infer the inset from.
  func determineSource() {
    guard holding != .viewOnly else { return }
    guard hasParent, infersSafeArea else {
      safeArea.source = .none
      if infersSafeArea { extract() }
      return
    }
    var source = safeArea.given == .content ? InsetSource.content : .root
    if holding != .wrapped, contentIsRoot || (safeArea.given == nil && !host.environment.visible) { source = .content }
    if source == .content, adjustsLayoutGuide, hasGuideController, !permitsGuideController {
      source = .none
      failAssertion("there is no view to infer the top safe area inset from")
    }
    guard source != safeArea.source else { return }
    safeArea.source = source
    safeArea.announcedToSource = insets(of: source)
    extract()
    safeArea.subtracts =
      permitsGuideController && adjustsLayoutGuide && hasGuideController && source == .content
    extract()
  }

  // MARK: The layout guide

  /// Does what the original's layout delegate does; the layout guide has moved before.
  func frameDidChange() {
    if holding != .viewOnly {
      if adjustsLayoutGuide {
        updateLayoutGuide()
      } else {
        guide.legacyLength = legacyGuideLength
        moveLegacyGuide()
      }
    }
    Self.outputs.frameDidChange.post(in: host)
  }

  private var legacyGuideLength: Double {
    max(drawnFrame.maxY, shiftBehavior == .enabledWithStatusBar ? 0 : statusBarHeight)
  }

  private func moveLegacyGuide() {
    if guide.isFound { guide.length = guide.legacyLength }
  }

  /// Brings the guide and the additional inset to the header's bottom edge.
  func updateLayoutGuide() {
    guard holding != .viewOnly else { return }
    if usesAdditionalInsetsForWeb, !hasGuideController {
      failAssertion("additional insets for web views need a layout guide controller")
    }
    guard adjustsLayoutGuide else { return moveLegacyGuide() }
    if hasGuideController { guide.isFound = true }
    let edge = drawnFrame.maxY
    if guide.isFound { guide.length = edge }
    guard hasGuideController else { return }
    if let view, !(usesAdditionalInsetsForWeb && view.kind == .web) {
      setAdditionalInset(0)
    } else {
      let most = includesSafeArea ? maximumHeight - deviceInset : maximumHeight
      setAdditionalInset(min(edge - safeArea.guideHeight, most))
    }
  }

  private func setAdditionalInset(_ top: Double) {
    guard top != guide.additionalInset else { return }
    guide.additionalInset = top
    wish { $0.additionalSafeAreaInset = Insets(top: top) }
    safeArea.isDirty = true
    host.markLayout()
  }

  /// The layout guide controller is set or taken away; either way the adjustment is on from then on.
  func setGuideController(_ present: Bool) {
    guard present != hasGuideController else { return }
    hasGuideController = present
    adjustsLayoutGuide = true
    if infersSafeArea { determineSource() }
    guide.isFound = present
    updateLayoutGuide()
  }

  func didMoveToParent() {
    if tracking == nil {
      sizeToFit()
    } else if !observes {
      offsetDidChange()
    }
    if adjustsLayoutGuide { updateLayoutGuide() }
  }

  /// The ancestors are complete now.
  func viewWillAppear() {
    guard holding == .viewController else { return }
    if infersSafeArea { determineSource() }
    if adjustsLayoutGuide {
      updateLayoutGuide()
    } else {
      guide.isFound = true
      guide.legacyLength = legacyGuideLength
    }
  }
}

// MARK: - The status bar
//
// The status bar shifter: when the header slides over the status bar, a picture of the bar slides along with it and the real one is asked
// to be hidden. A picture is only good as long as the minute lasts and the header keeps its width; then it is invalid and the real bar is
// asked for directly, until all of the header is back.
//
//     real ──shift > 0──▶ snapshot ──minute over, width changed──▶ invalid
//       ▲                    │                                        │
//       └────── shift = 0 ───┴────────────────── shift = 0 ───────────┘

/// The picture in the place of the status bar.
enum StatusBarState: String, CaseIterable {
  case real, snapshot, invalidSnapshot
}

struct StatusBarShifter {
  var isEnabled = false
  var takesSnapshots = true
  /// The bar's height before anything was done to it. Points.
  var originalHeight = 0.0
  var state = StatusBarState.real
  var hidesWhileInvalid = false
  var prefersHidden = false
  var orientationIsChanging = false
  /// The header's width when the snapshot was taken. Points.
  var snapshotWidth = 0.0
  /// Header time, nanoseconds.
  var snapshotTime: Int64 = 0
  /// The snapshot's lifetime in seconds.
  var snapshotLifetime = 0.0
}

extension FlexibleHeader {
  /// The token of the only timer.
  static let snapshotTimer: UInt64 = 1
  private static let barDuration = 0.2

  /// The height of the status bar as it is now: 0 while it is hidden.
  var statusBarHeight: Double {
    let environment = host.environment
    return environment.statusBarHidden ? 0 : environment.statusBarHeight
  }

  /// The bar is as wide as the screen, which the scroll view fills.
  private var statusBarWidth: Double {
    guard !host.environment.statusBarHidden, host.scrollViewCount > 0 else { return 0 }
    return host.scrollView(tracking ?? 0).frame.width
  }

  /// The header enters or leaves a window.
  func changeWindow() {
    statusBarWasHidden = nil
    shifter.originalHeight = statusBarHeight
  }

  func statusBarDidChangeFrame() {
    if statusBarHeight != 0 { shifter.originalHeight = statusBarHeight }
  }

  /// The header has shifted by that many points.
  func moveStatusBar(to offset: Double) {
    let height = min(statusBarWidth, statusBarHeight)
    guard height == shifter.originalHeight || shifter.state != .real else { return }
    let y = min(shifter.originalHeight, offset)
    guard y > 0 else { return attempt(.real) }
    shifter.hidesWhileInvalid = y >= shifter.originalHeight
    if shifter.state == .invalidSnapshot {
      host.animate(duration: Self.barDuration, .easeInOut)
      setPrefersHidden(shifter.hidesWhileInvalid)
    } else {
      attempt(.snapshot)
    }
  }

  func setShifterEnabled() {
    let isEnabled = hidesStatusBar && hintCanOverlap
    guard isEnabled != shifter.isEnabled else { return }
    shifter.isEnabled = isEnabled
    guard !isEnabled else { return }
    host.animate(duration: Self.barDuration, .easeInOut)
    attempt(.real)
  }

  /// The picture is no good any more.
  func invalidateSnapshot() {
    host.animate(duration: Self.barDuration, .easeInOut)
    attempt(.invalidSnapshot)
  }

  /// Goes to another state where that is allowed.
  private func attempt(_ wanted: StatusBarState) {
    let present = shifter.state
    var next = wanted
    if next == present {
      if present == .snapshot, snapshotIsStale { invalidateSnapshot() }
      return
    }
    if present == .invalidSnapshot, next == .snapshot { return }
    if present == .real, next == .invalidSnapshot { return }
    if present == .real, !shifter.isEnabled { return }
    if present == .real, next == .snapshot, !shifter.takesSnapshots { next = .invalidSnapshot }
    if shifter.orientationIsChanging, next == .snapshot { next = .invalidSnapshot }
    host.cancelTimer(Self.snapshotTimer)
    shifter.state = next
    switch next {
    case .real: setPrefersHidden(false)
    case .invalidSnapshot: setPrefersHidden(shifter.hidesWhileInvalid)
    case .snapshot:
      takeSnapshot()
      setPrefersHidden(true)
    }
  }

  private var snapshotIsStale: Bool {
    if header.size.width != shifter.snapshotWidth { return true }
    let age = host.time.subtractingReportingOverflow(shifter.snapshotTime)
    return age.overflow || Double(age.partialValue) / 1e9 > shifter.snapshotLifetime
  }

  private func takeSnapshot() {
    shifter.snapshotWidth = header.size.width
    shifter.snapshotTime = host.time
    let start = max(0, host.environment.clockSecondOfMinute)
    let second = (start + Double(host.time) / 1e9).truncatingRemainder(dividingBy: 60)
    shifter.snapshotLifetime = max(3, 60 - second.rounded(.down))
    host.startTimer(Self.snapshotTimer, after: shifter.snapshotLifetime)
  }

  /// Asks for the status bar. The host may obey before it returns; whatever that does to the offset is undone.
  private func setPrefersHidden(_ hidden: Bool) {
    guard hidden != shifter.prefersHidden else { return }
    shifter.prefersHidden = hidden
    statusBarIsChanging = true
    let offset = view?.contentOffset ?? Point()
    Self.outputs.needsStatusBarAppearanceUpdate.post(in: host)
    isWishing = true
    wish { $0.prefersStatusBarHidden = hidden }
    isWishing = false
    enforce(tracking)
    setOffset(offset)
    statusBarIsChanging = false
  }
}
