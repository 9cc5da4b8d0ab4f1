// SPDX-License-Identifier: MIT
//
// What comes in: one UIScrollViewDelegate call without its `scrollView` prefix, or one change of geometry, life or
// options. Names of scroll views, drawers and delegates are still names here; Header resolves them when it receives
// the event, because the same event may be sent to any header.

/// One event for a header.
public struct ScrollEvent: Sendable {
  /// What happened.
  public var kind: Kind
  /// Whose event it is; nil: the tracking scroll view's, else the only one's.
  public var scrollView: String?
  /// The content offset when the event happened. An axis left out stays as it was.
  public var offset: PartialPoint?
  /// The total of the header's own moves that were in `offset`; nil: all of them.
  public var correction: PartialPoint?
  /// Flags that a toolkit says otherwise than the order of events does.
  public var isTracking: Bool?
  /// Whether the finger has moved the content; nil: as the order of events tells.
  public var isDragging: Bool?
  /// Whether the content moves on by itself; nil: as the order of events tells.
  public var isDecelerating: Bool?

  /// What happened, with what belongs to that kind alone.
  public enum Kind: Sendable {
    case willBeginDragging
    case didScroll
    /// Velocity in points per millisecond. The target is where the content would come to rest; nil: the offset.
    case willEndDragging(velocity: Point, targetOffset: PartialPoint?)
    case didEndDragging(willDecelerate: Bool)
    case willBeginDecelerating
    case didEndDecelerating
    case didEndScrollingAnimation
    case shouldScrollToTop
    case didScrollToTop
    case didChangeAdjustedContentInset
    /// The application moved the content itself.
    case setContentOffset(animated: Bool)
    /// Nested scrolling: what the header takes before the content moves. Points, the offset's sign.
    case willScroll(delta: Point, source: ScrollSource)
    /// Nested scrolling: what the content left over.
    case didOverscroll(delta: Point, source: ScrollSource)
    /// Nested scrolling: points per millisecond.
    case willFling(velocity: Point)
    indirect case layout(LayoutChange)
    case willAppear
    case didAppear
    case willDisappear
    case didDisappear
    case didBecomeActive
    /// The three stages of a size change.
    case willTransition(size: Size)
    case transition
    case didTransition
    /// The tracking scroll view is about to become another one (nil: none).
    case willChangeTrackingScrollView(to: String?)
    /// It is now.
    case setTrackingScrollView(to: String?)
    /// Options of a delegate (nil: the only one), set in the order of its behavior's list, all or nothing.
    indirect case setOptions(Value.Record, delegate: String?)
    /// A call of a behavior's own; nil: the first delegate that knows the name.
    indirect case call(name: String, arguments: Value.Record, delegate: String?)
    /// Time passes; with a duration in seconds one frame is run.
    case advance(frameDuration: Double?)
  }
}

// In an extension, so that it hands all to the memberwise initializer: one that assigns field by field makes a second copy
// of an event as large as this, and counts its references.
extension ScrollEvent {
  /// An event; what is left out is taken from what the header knows.
  public init(
    _ kind: Kind, scrollView: String? = nil, offset: PartialPoint? = nil, correction: PartialPoint? = nil,
    isTracking: Bool? = nil, isDragging: Bool? = nil, isDecelerating: Bool? = nil
  ) {
    self.init(
      kind: kind, scrollView: scrollView, offset: offset, correction: correction, isTracking: isTracking,
      isDragging: isDragging, isDecelerating: isDecelerating)
  }
}

/// What moves the content in nested scrolling.
public enum ScrollSource: Int32, Sendable, CaseIterable {
  case drag, fling, program
}

/// A change of geometry or surroundings. Absent fields stay as they are; given ones are forwarded to the delegates even when
/// their value is the same.
public struct LayoutChange: Sendable {
  /// What the window keeps free at its edges, in points.
  public var safeAreaInset: PartialInsets?
  /// The top left of header space in the window, in points.
  public var viewOrigin: PartialPoint?
  /// The status bar's own height in points, also while it is hidden.
  public var statusBarHeight: Double?
  /// Pixels a point.
  public var screenScale: Double?
  /// The second within the minute at header time 0; negative: not known.
  public var clockSecondOfMinute: Double?
  /// Whether the application hides the status bar now.
  public var statusBarHidden: Bool?
  /// Whether a wish about the status bar is fulfilled at once.
  public var statusBarFollowsHeader: Bool?
  /// Whether the device has a notch or the like.
  public var deviceHasHardwareSafeArea: Bool?
  /// Whether the header is in a window.
  public var visible: Bool?
  /// Whether the controller is presented modally.
  public var presented: Bool?
  /// Whether there is a key window that can be asked for its safe area.
  public var keyWindow: Bool?
  /// Whether VoiceOver reads the screen.
  public var voiceOverRunning: Bool?
  /// Whether the user asked for fewer animations.
  public var reduceMotion: Bool?
  /// Whether the application is an extension.
  public var appExtension: Bool?

  /// The size of the scrolling surface, in points; the tracking one gives the drawers its width.
  public var viewport: PartialSize?
  /// Drawers that change, by name, in the order in which they are taken over.
  public var drawers: [DrawerChange]?
  /// The size of what scrolls, in points.
  public var contentSize: PartialSize?
  /// The scroll view in header space, in points.
  public var frame: PartialRect?
  /// Room around the scroll indicators, in points.
  public var scrollIndicatorInsets: PartialInsets?
  /// Whether the safe area is added to the content inset.
  public var contentInsetAdjustment: ContentInsetAdjustment?
  /// What the scroll view shows.
  public var kind: ScrollViewKind?
  /// Whether it comes to rest at whole pages only.
  public var pagingEnabled: Bool?
  /// The refresh control, or that it is gone.
  public var refreshControl: RefreshControlChange?
  /// Whether a nested didScroll reaches the delegates.
  public var forwardsEvents: Bool?
  /// Which changes bring an offset that is out of range back.
  public var clamping: Clamping?
  /// Room around the content, in points; taken over last but the offset.
  public var contentInset: PartialInsets?
  /// Seconds that an animation of the bounds under way takes.
  public var boundsAnimationDuration: Double?
  /// A layout pass, also without a change.
  public var pass = false

  /// No change.
  public init() {}
}

/// A change of the refresh control.
public enum RefreshControlChange: Sendable {
  /// There is none any more.
  case removed
  /// There is one; what is left out stays as it is.
  case present(hidden: Bool?, refreshing: Bool?, height: Double?)
}

/// A change of one drawer, by name.
public struct DrawerChange: Sendable {
  /// Which drawer of the header it is.
  public var name: String
  /// Points; the top edge stays.
  public var height: Double?
  /// The least height that a behavior gives it, in points.
  public var minimumHeight: Double?
  /// The height of the fully expanded drawer, in points.
  public var maximumHeight: Double?
  /// The top edge in header space, in points.
  public var y: Double?
  /// Points; the left edge stays.
  public var width: Double?
  /// Whether it takes no movement.
  public var sticky: Bool?
  /// 0…1.
  public var alpha: Double?
  /// Whether it is not drawn.
  public var hidden: Bool?
  /// Elements of this drawer that change, by name.
  public var elements: [ElementChange]?

  /// No change yet of a drawer.
  public init(name: String) { self.name = name }
}

/// A change of one element, by name.
public struct ElementChange: Sendable {
  /// Which element of the drawer it is.
  public var name: String
  /// In the drawer's coordinates, in points.
  public var frame: PartialRect?
  /// 0…1.
  public var alpha: Double?
  /// Whether it is not drawn.
  public var hidden: Bool?
  /// Higher ones are drawn in front of lower ones within the drawer.
  public var zIndex: Double?
  /// Applied about the center.
  public var transform: Transform?

  /// No change yet of an element.
  public init(name: String) { self.name = name }
}

/// The word for an event in wire, traces, config and code.
public enum EventName: String, Sendable, CaseIterable {
  case willBeginDragging, didScroll, willEndDragging, didEndDragging, willBeginDecelerating, didEndDecelerating
  case didEndScrollingAnimation, shouldScrollToTop, didScrollToTop, didChangeAdjustedContentInset
  case setContentOffset, willScroll, didOverscroll, willFling, layout
  case willAppear, didAppear, willDisappear, didDisappear, didBecomeActive
  case willTransition, transition, didTransition, willChangeTrackingScrollView, setTrackingScrollView
  case setOptions, call, advance
}

extension ScrollEvent.Kind {
  /// The word for it.
  public var name: EventName {
    switch self {
    case .willBeginDragging: .willBeginDragging
    case .didScroll: .didScroll
    case .willEndDragging: .willEndDragging
    case .didEndDragging: .didEndDragging
    case .willBeginDecelerating: .willBeginDecelerating
    case .didEndDecelerating: .didEndDecelerating
    case .didEndScrollingAnimation: .didEndScrollingAnimation
    case .shouldScrollToTop: .shouldScrollToTop
    case .didScrollToTop: .didScrollToTop
    case .didChangeAdjustedContentInset: .didChangeAdjustedContentInset
    case .setContentOffset: .setContentOffset
    case .willScroll: .willScroll
    case .didOverscroll: .didOverscroll
    case .willFling: .willFling
    case .layout: .layout
    case .willAppear: .willAppear
    case .didAppear: .didAppear
    case .willDisappear: .willDisappear
    case .didDisappear: .didDisappear
    case .didBecomeActive: .didBecomeActive
    case .willTransition: .willTransition
    case .transition: .transition
    case .didTransition: .didTransition
    case .willChangeTrackingScrollView: .willChangeTrackingScrollView
    case .setTrackingScrollView: .setTrackingScrollView
    case .setOptions: .setOptions
    case .call: .call
    case .advance: .advance
    }
  }
}
