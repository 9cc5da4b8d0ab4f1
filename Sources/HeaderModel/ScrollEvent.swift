// SPDX-License-Identifier: MIT
//
// A publisher's event: one UIScrollViewDelegate call without its `scrollView` prefix, or one change of geometry, life or options. Names
// of scroll views, drawers and delegates are still names here; Header resolves them when it receives the event, because the same event
// may be sent to any header.

/// One event for a header.
public struct ScrollEvent: Sendable {
  /// The kind of event, with its own fields.
  public var kind: Kind
  /// The event's scroll view; nil: the tracking one, else the only one.
  public var scrollView: String?
  /// The content offset when the event happened. An axis left out stays as it was.
  public var offset: PartialPoint?
  /// The total of the header's own moves that were in `offset`; nil: all of them.
  public var correction: PartialPoint?
  /// Flags that a toolkit says otherwise than the order of events does.
  public var isTracking: Bool?
  /// Whether the finger has moved the content; nil: the order of events decides.
  public var isDragging: Bool?
  /// Whether the content keeps moving by itself; nil: the order of events decides.
  public var isDecelerating: Bool?

  /// What moved the content, of a didScroll and of a layout with an offset; nil: the publisher does not say.
  public var reason: ScrollReason?

  /// The kind of event, with the fields of that kind alone.
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
    /// Nested scrolling: an offer before the content moves. Points, the offset's sign.
    case willScroll(delta: Point, source: ScrollSource)
    /// Nested scrolling: the part that the content left over.
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
    /// The scroll view tracks from now on; nil: none does.
    case setTrackingScrollView(to: String?)
    /// Options of a delegate (nil: the only one), set in the order of its behavior's list, all or nothing.
    indirect case setOptions(Value.Record, delegate: String?)
    /// A call of a behavior's own; nil: the first delegate that knows the name. With `report` the end of its animation is reported as
    /// that of a motion.
    indirect case call(name: String, arguments: Value.Record, delegate: String?, report: Bool = false)
    /// Time passes; with a duration in seconds one frame is run.
    case advance(frameDuration: Double?)
    /// Moves the header to a target.
    indirect case move(HeaderMove)
    /// The header stays within bounds from now on.
    indirect case constrain(Constraint)
    /// Ends the bounds of that name. The behaviors' own laws hold again, and the header goes there in that style.
    indirect case release(name: String, style: MotionStyle?)
    /// Something in the content is to be seen.
    indirect case reveal(Reveal)
  }
}

// In an extension, so that it hands all to the memberwise initializer: one that assigns field by field makes a second copy
// of an event as large as this, and counts its references.
extension ScrollEvent {
  /// Creates an event; parts left out keep their present values.
  public init(
    _ kind: Kind, scrollView: String? = nil, offset: PartialPoint? = nil, correction: PartialPoint? = nil,
    isTracking: Bool? = nil, isDragging: Bool? = nil, isDecelerating: Bool? = nil, reason: ScrollReason? = nil
  ) {
    self.init(
      kind: kind, scrollView: scrollView, offset: offset, correction: correction, isTracking: isTracking,
      isDragging: isDragging, isDecelerating: isDecelerating, reason: reason)
  }
}

/// What moves the content in nested scrolling.
public enum ScrollSource: Int32, Sendable, CaseIterable {
  case drag, fling, program
}

/// What moved the content.
public enum ScrollReason: String, Sendable, CaseIterable {
  /// Unknown. The word never comes in an event.
  case unsaid
  /// A finger, its fling, a wheel.
  case user
  /// The application itself.
  case program
  /// Keys of a keyboard.
  case keyboard
  /// Rows came or went before what is seen: on the screen nothing moved.
  case content
  /// The toolkit's layout.
  case layout
}

/// A change of geometry or surroundings. Absent fields stay as they are; given ones are forwarded to the delegates even when
/// their value is the same.
public struct LayoutChange: Sendable {
  /// The given keys of the surroundings and of the event's scroll view, checked, named as in headerd-headers(7), The description, with
  /// `boundsAnimationDuration` in seconds. A shape has the parts that are given.
  public var given = Value.Record()
  /// Drawers that change, by name, in the order in which they are taken over.
  public var drawers: [PartChange]?
  /// A layout pass, also without a change.
  public var pass = false

  /// Creates a layout event without changes.
  public init() {}
}

/// A change of one drawer or element, by name.
public struct PartChange: Sendable {
  /// Which drawer of the header, or element of the drawer, it is.
  public var name: String
  /// The given members, checked, named as in headerd-headers(7). A shape has the parts that are given.
  public var given = Value.Record()
  /// Elements of this drawer that change, by name.
  public var elements: [PartChange]?
}

/// The word for an event in wire, traces, config and code.
public enum EventName: String, Sendable, CaseIterable {
  case willBeginDragging, didScroll, willEndDragging, didEndDragging, willBeginDecelerating, didEndDecelerating
  case didEndScrollingAnimation, shouldScrollToTop, didScrollToTop, didChangeAdjustedContentInset
  case setContentOffset, willScroll, didOverscroll, willFling, layout
  case willAppear, didAppear, willDisappear, didDisappear, didBecomeActive
  case willTransition, transition, didTransition, willChangeTrackingScrollView, setTrackingScrollView
  case setOptions, call, advance, move, constrain, release, reveal
}

extension ScrollEvent.Kind {
  /// The event's name on the wire.
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
    case .move: .move
    case .constrain: .constrain
    case .release: .release
    case .reveal: .reveal
    }
  }
}

extension ScrollEvent {
  /// Whether it is a didScroll with nothing but the offset and its correction, which `HeaderInput.scroll` says as well.
  public var isPlainScroll: Bool {
    guard case .didScroll = kind else { return false }
    return scrollView == nil && offset != nil && isTracking == nil && isDragging == nil && isDecelerating == nil
      && reason == nil
  }
}
