// SPDX-License-Identifier: MIT
//
// MDCFlexibleHeader, the header of Material Components for iOS: it hangs at the top of a scroll view, collapses from its
// maximum to its minimum height as the content moves up, then shifts out of the screen, and grows beyond its maximum when
// the content is pulled down.
//
//     height ─ a pure function of the content offset ──────┐
//     shift ── accumulated from changes of the offset ─────┴─▶ commit ─▶ frame, shadow, phase, status bar, layout guide
//
//     o = contentOffset.y + the top inset without what the header added       H = −o, the height that it would like
//     H ≥ minimum   attached: height max(minimum, H), no shift
//     H < minimum   offset deltas are added to the shift accumulator, at most A while H ≥ 0 and A + anchor below; what
//                   it has above A must be scrolled back before the header reappears
//
// The header makes room for itself by adding its maximum height to the scroll view's top content inset ("injection") and
// remembers for each scroll view how much it added.
//
// The one drawer of the header is the header; its elements are the views in it. What UIKit does with a written offset or
// inset (clamping, nested didScroll) the host does; layout passes, announcements of the safe area and the status bar's
// answers come as events. The source of every rule is the library at ac77ff743d; its quirks are kept. README.md beside this
// file has both, with sources.
//
//     FlexibleHeader.swift   what it is made of, its life, the display link
//     Definition.swift       its description, its calls
//     Options.swift          the setters of its properties, and how the application holds it
//     Events.swift           its events, nested scrolling, positions by call
//     Layout.swift           heights, shift, injection, several scroll views
//     Surroundings.swift     the safe area and the layout guide, who hides the status bar
//     Looks.swift            shadow, hairline, touches, the values it publishes
//     Saved.swift            saving and restoring

private import Glibc
internal import HeaderPluginKit

/// How the header leaves the screen.
enum ShiftBehavior: String, CaseIterable {
  case disabled, enabled, enabledWithStatusBar, hideable
}

/// How much must be scrolled back before a hidden header reappears.
enum ContentImportance: String, CaseIterable {
  case `default`, high

  /// The anchor, in points.
  var anchorLength: Double { self == .high ? 25 : 175 }
}

/// A shadow layer of the application's own.
enum ShadowLayer: String, CaseIterable {
  case custom, customWithBlock
}

/// The controller whose layout guide and additional inset the header moves.
enum LayoutGuideController: String, CaseIterable {
  case content
}

/// The controller from whose top inset the header's is inferred, where the application says so.
enum SafeAreaController: String, CaseIterable {
  case root, content
}

/// The header's phase at an offset.
enum ScrollPhase: String, CaseIterable {
  case shifting, collapsing, overExtending
}

/// How the application holds the header.
enum Holding: String, CaseIterable {
  /// A header controller in a content controller in a window.
  case viewController
  /// The bare view.
  case viewOnly
  /// A header controller without a window.
  case unattached
  /// A header controller that wraps the content controller.
  case wrapped
}

/// The header's record of a scroll view. Lengths are in points.
struct ScrollRecord {
  var name: String
  /// There is a record: something was injected once.
  var exists = false
  var injected = 0.0
  var hasInjected = false
  var injectedIndicator = 0.0
  var stashedHeight = 0.0
  var stashIsValid = false
  var ignoresNextSafeAreaJump = false

  init(_ name: String) { self.name = name }
}

/// A view in the header for which the application has set something.
struct NamedView: Equatable {
  var name: String
  var element: Int
}

/// The behavior of MDCFlexibleHeaderView and its controller.
final class FlexibleHeader: Behavior {
  /// The drawer that is the header.
  static let drawer = 0

  // MARK: Options

  var includesSafeArea = true
  var maximumHeight = 0.0
  var minimumHeight = 0.0
  var maximumIsExplicit = false
  var minimumIsExplicit = false
  var canOverExtend = true
  /// In single precision, as in the library.
  var visibleShadowOpacity = Double(Float(0.4))
  var inFrontOfInfiniteContent = false
  var isShared = false
  var resetsShadow = false
  var skipsNeverAdjusting = false
  var laysOutTwice = false
  var contentImportance = ContentImportance.default
  var minimumHeaderViewHeight = 0.0
  var hintCanOverlap = true
  var contentIsTranslucent = false
  var shiftBehavior = ShiftBehavior.disabled
  var observes = false
  var isScrubbed = false
  /// Whether the way on and off the screen is the exponential that the library's steps approach.
  var frameRateIndependent = false
  var background = Color(red: 2.0 / 3, green: 2.0 / 3, blue: 2.0 / 3, alpha: 1)
  var shadowColor = Color.black
  var hairlineColor = Color.black
  var elevation = 0.0
  /// The elevation of the header's parent; below 0: not known, which counts as 0.
  var baseElevation = -1.0
  var tellsElevation = false
  var infersStyle = true
  var givenStyle = StatusBarStyle.default
  var permitsGuideController = false
  var infersSafeArea = false
  var adjustsLayoutGuide = false
  var hasGuideController = false
  var usesAdditionalInsetsForWeb = false
  var showsHairline = false

  /// Options that were given while there was no header to apply them to, in their order.
  private var given: GivenOptions = []
  var isAttached = false

  // MARK: State

  var holding = Holding.viewController
  /// The content controller is the root of its window.
  var contentIsRoot = false
  var hasParent = false
  /// The scroll view that the header is a subview of.
  var holder: Int?
  var tracking: Int?
  var records: [ScrollRecord] = []

  var accumulator = 0.0
  /// Where a call or a constraint keeps the header, away from where the content would have it.
  var displacement = Displacement()
  var wantsToBeHidden = false
  var lastOffset = Point()
  var lastOffsetIsValid = false
  /// Offers that the header has followed and the content has not yet.
  var nested = NestedScroll()
  var directionDelta = 0.0
  var didDecelerate = false
  var orientationIsChanging = false
  var insetsAreChanging = false
  var statusBarIsChanging = false
  /// Whether the status bar was hidden before; nil: not known.
  var statusBarWasHidden: Bool?
  /// Offset notifications are held back while the tracking scroll view is being replaced.
  var observationIsSuspended = false

  var phase = ScrollPhase.shifting
  var phaseValue = 0.0
  var phasePercentage = 0.0
  var shadow = Shadow()
  var viewsToHide: [NamedView] = []
  var forwardedViews: [NamedView] = []
  var hairlineExists = false

  var shifter = StatusBarShifter()
  var safeArea = SafeArea()
  var guide = LayoutGuide()
  /// Whether the device has hardware safe areas; nil: not known yet.
  var deviceHasHardwareInsets: Bool?
  /// The header's size has changed since it was laid out.
  var needsLayout = false
  /// The frame as the behavior left it: another one is the application's.
  var knownFrame = Rect()

  /// The host is receiving a wish, which it may fulfill before the call returns.
  var isWishing = false
  var published = LastPublished()

  // MARK: Life

  /// Receives offset writes where they are observed, and where no didScroll follows them (the scroll view does not forward its events, or
  /// it holds the header and is not the tracking one). Values that derive from the offset are published either way. Before the set-up
  /// this is not known.
  override func responds(to kind: EventKind) -> Bool {
    guard kind == .didWriteContentOffset, isAttached else { return true }
    return observes || holder != nil || (0..<host.scrollViewCount).contains { !host.scrollView($0).forwardsEvents }
  }

  /// Applies an option, or keeps it until there is a header.
  func set(_ key: OptionKey, _ value: Value) throws(Refusal) {
    guard isAttached, !rests else {
      given.removeAll { $0.key == key }
      return given.append((key, value))
    }
    apply(key, value)
    publish()
  }

  /// The set-up in the application's order; its values are part of the header's first state.
  override func attach() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer, the header") }
    guard try takesDrawer() else { return }
    records = (0..<host.scrollViewCount).map { ScrollRecord(host.scrollViewName($0)) }
    try readHosting(host.hosting)
    isAttached = true
    let options = given
    given = []
    setUp(options, host.hosting)
    updateStyle()
    publish()
  }

  /// Claims the header's drawer.
  /// - Returns: false: the drawer was yielded, and the behavior is dormant.
  func takesDrawer() throws(Refusal) -> Bool {
    let one = Self.drawer..<Self.drawer + 1
    _ = try claim(one, needing: one)
    return !rests
  }

  /// Applies the options that came while another delegate had the header.
  func applyGiven() {
    let options = given
    given = []
    for (key, value) in options { apply(key, value) }
  }

  /// The options that a dormant header has to apply once it has a drawer, in their order. The others are part of its state.
  var waitingOptions: [String] { isAttached ? given.map { $0.key.rawValue } : [] }

  /// Forgets the options that are part of a saved state.
  /// - Parameter waiting: those that are not.
  func keepGiven(_ waiting: [String]) {
    given = waiting.compactMap { name in given.first { $0.key.rawValue == name } }
  }

  // MARK: Events

  /// A forwarded scroll. A scroll view that is observed and does not forward says all by its offset.
  override func didScroll(_ event: Event) {
    if observes, let view, !view.forwardsEvents { return }
    trackingScrollViewDidScroll()
    publish()
  }

  override func didWriteContentOffset(_ event: Event) {
    guard event.scrollView == tracking else {
      if event.scrollView == holder { publish() }
      return
    }
    guard observes || view?.forwardsEvents == false, !observationIsSuspended else { return }
    if observes { offsetDidChange() }
    publish()
  }

  override func willScroll(_ event: Event) -> Point {
    defer { publish() }
    return Point(y: take(event.delta.y))
  }

  override func didOverscroll(_ event: Event) -> Point {
    defer { publish() }
    return Point(y: takeLeft(event.delta.y))
  }

  override func willFling(_ event: Event) -> Point { Point(y: takeVelocity(event.velocity.y)) }

  override func willEndDragging(_ event: Event) -> Point? { target(event.targetOffset) }

  override func didEndDragging(_ event: Event, willDecelerate: Bool) {
    trackingScrollViewDidEndDragging(willDecelerate: willDecelerate)
    publish()
  }

  override func didEndDecelerating(_ event: Event) {
    trackingScrollViewDidEndDecelerating()
    publish()
  }

  override func didChangeAdjustedContentInset(_ event: Event) {
    adjustInsets(event.scrollView)
    publish()
  }

  override func layout(_ event: Event) {
    layoutDidChange(event)
    if !rests, host.drawerCount > 0 { publish() }
  }

  /// A new viewport brings the header its width, before anything else of the event. All scroll views fill the header's
  /// parent, so any of them gives its width.
  override func didResize(_ event: Event) {
    let frame = drawnFrame
    if event.size.width != knownFrame.width { markSizeChange() }
    setFrame(Rect(x: frame.x, y: frame.y, width: event.size.width, height: frame.height))
    publish()
  }

  override func willAppear(_ event: Event) {
    if !host.environment.visible { changeWindow() }
    viewWillAppear()
    publish()
  }

  override func didDisappear(_ event: Event) { changeWindow() }

  override func willTransition(_ event: Event) {
    orientationWillChange()
    publish()
  }

  override func transition(_ event: Event) {
    orientationIsAnimating()
    publish()
  }

  override func didTransition(_ event: Event) {
    orientationDidChange()
    publish()
  }

  override func willChangeTrackingScrollView(_ event: Event) {
    willChange(to: event.newScrollView)
    publish()
  }

  override func setTrackingScrollView(_ event: Event) {
    setTrackingScrollView(event.newScrollView)
    publish()
  }

  override func frame(duration: Double) {
    approach(duration)
    publish()
  }

  override func timer(_ token: UInt64) {
    invalidateSnapshot()
    publish()
  }

  override func completion(_ token: UInt64) {
    if token == Self.animatedChange {
      Self.outputs.animationCompletion.post([("finished", .bool(true))], in: host)
    } else {
      Self.outputs.changeTrackingScrollViewAnimationDidComplete.post(in: host)
      if tracking == nil { updateShadow() }
    }
    publish()
  }

  /// The layout pass: insets that have changed are announced, then parts that depend on the header's size follow.
  override func layoutPass() {
    guard safeArea.isDirty || adjustsLayoutGuide else {
      needsLayout = false
      return
    }
    if safeArea.isDirty { announceSafeArea() }
    layOutSize()
    publish()
  }

  /// What VoiceOver had to wait for.
  override func afterEvent(_ token: UInt64) {
    guard let holder, holder == tracking else { return }
    translate(to: host.scrollView(holder).contentOffset.y)
    relayout()
    publish()
  }

  // MARK: Position

  override var positioning: Positioning { .own }
  override var position: Position { headerPosition }
  override func move(to traveled: Double) {
    moveHeader(to: traveled)
    publish()
  }
  override func place(of drawer: Int) -> DrawerPlace { drawer == Self.drawer ? headerPlace : super.place(of: drawer) }
  /// The header stays as it is, and follows the content from there.
  override func contentDidChange(_ event: Event) {
    guard event.scrollView == tracking else { return }
    moveHeader(to: headerPosition.traveled)
    publish()
  }
  override func permit(_ range: ClosedRange<Double>) {
    permitHeader(range)
    publish()
  }
  /// The header rests between collapsing and shifting, too.
  override var stops: [(name: String, progress: Double)] { headerStops }

  // MARK: Being born again

  override func save() -> Value { savedState() }

  override func restore(_ state: Value, version: Int) throws(Refusal) { try takeOver(state, version: version) }
}

// MARK: - The display link
//
// The display link, which drives the header on or off the screen. The library goes a share of the way that is left in each frame, so its
// path depends on the frame rate:
//
//     accumulator += attachment · duration · (destination − accumulator)
//
// With `frameRateIndependent` the share is that of the exponential which this approaches as frames get shorter, 1 − e^(−attachment ·
// duration): at a given time the header is at the same place, at any frame rate.

extension FlexibleHeader {
  /// Drives the header on or off the screen, frame by frame.
  func startApproach() {
    guard host.environment.limitsMotion else { return host.startFrames() }
    accumulator = permitted(wantsToBeHidden ? shiftMaximum : 0)
    commit()
  }

  /// One frame of the display link, which drives the header on or off the screen.
  func approach(_ duration: Double) {
    accumulator = min(shiftMaximum, accumulator)
    let destination = wantsToBeHidden ? shiftMaximum : 0
    let present = accumulator
    let rest = destination - accumulator
    accumulator +=
      frameRateIndependent ? (1 - exp(-Self.attachment * duration)) * rest : Self.attachment * rest * duration
    accumulator = permitted(clamp(accumulator, 0, shiftMaximum))
    moveStatusBar(to: accumulator)
    if abs(destination - accumulator) <= Double(Float(0.1)) {
      accumulator = permitted(destination)
      host.stopFrames()
      if displacement.distance != 0 { displace(to: headerPosition.traveled) }
    } else if accumulator == present {
      host.stopFrames()
    }
    commit()
  }
}
