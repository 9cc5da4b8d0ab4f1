// SPDX-License-Identifier: MIT
//
// What comes in: one UIScrollViewDelegate call without its `scrollView` prefix, or one change of geometry, life or
// options. Names of scroll views, drawers and delegates are still names here; Header resolves them when it receives
// the event, because the same event may be sent to any header.

/// One event for a header.
public struct ScrollEvent: Sendable {
  public var kind: Kind
  /// Whose event it is; nil: the tracking scroll view's, else the only one's.
  public var scrollView: String?
  /// The content offset when the event happened. An axis left out stays as it was.
  public var offset: PartialPoint?
  /// The total of the header's own moves that were in `offset`; nil: all of them.
  public var correction: PartialPoint?
  /// Flags that a toolkit says otherwise than the order of events does.
  public var isTracking: Bool?
  public var isDragging: Bool?
  public var isDecelerating: Bool?

  @inlinable
  public init(
    _ kind: Kind, scrollView: String? = nil, offset: PartialPoint? = nil, correction: PartialPoint? = nil,
    isTracking: Bool? = nil, isDragging: Bool? = nil, isDecelerating: Bool? = nil
  ) {
    self.kind = kind
    self.scrollView = scrollView
    self.offset = offset
    self.correction = correction
    self.isTracking = isTracking
    self.isDragging = isDragging
    self.isDecelerating = isDecelerating
  }

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

/// What moves the content in nested scrolling.
public enum ScrollSource: Int32, Sendable, CaseIterable {
  case drag, fling, program
}

/// A change of geometry or surroundings. Absent fields stay as they are; given ones are told to the delegates even when
/// their value is the same.
public struct LayoutChange: Sendable {
  public var safeAreaInset: PartialInsets?
  public var viewOrigin: PartialPoint?
  public var statusBarHeight: Double?
  public var screenScale: Double?
  public var clockSecondOfMinute: Double?
  public var statusBarHidden: Bool?
  public var statusBarFollowsHeader: Bool?
  public var deviceHasHardwareSafeArea: Bool?
  public var visible: Bool?
  public var presented: Bool?
  public var keyWindow: Bool?
  public var voiceOverRunning: Bool?
  public var reduceMotion: Bool?
  public var appExtension: Bool?

  public var viewport: PartialSize?
  public var drawers: [DrawerChange]?
  public var contentSize: PartialSize?
  public var frame: PartialRect?
  public var scrollIndicatorInsets: PartialInsets?
  public var contentInsetAdjustment: ContentInsetAdjustment?
  public var kind: ScrollViewKind?
  public var pagingEnabled: Bool?
  public var refreshControl: RefreshControlChange?
  public var forwardsEvents: Bool?
  public var clamping: Clamping?
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
  public var name: String
  public var height: Double?
  public var minimumHeight: Double?
  public var maximumHeight: Double?
  public var y: Double?
  public var width: Double?
  public var sticky: Bool?
  public var alpha: Double?
  public var hidden: Bool?
  public var elements: [ElementChange]?

  public init(name: String) { self.name = name }
}

/// A change of one element, by name.
public struct ElementChange: Sendable {
  public var name: String
  public var frame: PartialRect?
  public var alpha: Double?
  public var hidden: Bool?
  public var zIndex: Double?
  public var transform: Transform?

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
