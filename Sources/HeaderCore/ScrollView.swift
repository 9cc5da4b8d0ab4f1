// SPDX-License-Identifier: MIT
//
// The daemon's model of a publisher's scroll view: what UIScrollView would hold. The header writes to it and sees the
// consequences at once (Header+ScrollViews.swift has the laws); the publisher learns of them through the state.
//
// The fields lie in memory as `header_scroll_view` of header_plugin.h does: a plugin reads them in place.

/// What a scroll view shows; a table or collection view without content does not make room for a header.
public enum ScrollViewKind: Int32, Sendable, CaseIterable {
  case scroll, table, collection, web
}

/// Whether the safe area is added to the content inset.
public enum ContentInsetAdjustment: Int32, Sendable, CaseIterable {
  case never, automatic
}

/// Which changes bring an offset that is out of range back while nothing moves it.
public enum Clamping: Int32, Sendable, CaseIterable {
  /// Content size, viewport and inset (UIKit, as TLYShyNavBar's recordings assume it).
  case all
  /// The inset alone (as the flexible header's recordings assume it).
  case inset
  case none
}

/// One scroll view as the header knows it. Lengths in points.
public struct ScrollView: Equatable, Sendable {
  /// The content offset: grows when content moves up.
  public var contentOffset: Point
  /// The size of what scrolls.
  public var contentSize: Size
  /// Room around the content, without the safe area.
  public var contentInset: Insets
  /// Room around the scroll indicators; the content inset unless somebody writes them.
  public var scrollIndicatorInsets: Insets
  /// The scroll view in header space. A behavior may let it grow; its size starts as the viewport.
  public var frame: Rect
  /// The size that the publisher gave, before a behavior changed `frame`.
  public var viewport: Size
  /// The content inset plus, with `automatic` adjustment, the safe area at top and bottom.
  public var adjustedContentInset: Insets
  /// The sum of all moves that the header itself has made to the offset in this epoch.
  public var correction: Point
  /// Points by which the refresh control pushes the content while it refreshes.
  public var refreshControlHeight: Double
  /// Seconds that an animation of the bounds under way still takes; 0 without one.
  public var boundsAnimationDuration: Double
  /// What it shows.
  public var kind: ScrollViewKind
  /// Whether the safe area is added to the content inset.
  public var contentInsetAdjustment: ContentInsetAdjustment
  /// Which changes bring an offset that is out of range back.
  public var clamping: Clamping
  /// A finger is on it.
  public var isTracking: Bool
  /// The finger has moved it.
  public var isDragging: Bool
  /// It moves on after the finger left.
  public var isDecelerating: Bool
  /// An animated scroll of the program's is under way (scroll to top, scrollRectToVisible).
  public var isAnimating: Bool
  /// It comes to rest at whole pages only.
  public var pagingEnabled: Bool
  /// There is a refresh control, shown or not.
  public var hasRefreshControl: Bool
  /// The refresh control is not shown.
  public var refreshControlHidden: Bool
  /// The refresh control is at work, and pushes the content down by `refreshControlHeight`.
  public var isRefreshing: Bool
  /// Whether a nested didScroll reaches the delegates.
  public var forwardsEvents: Bool
  /// Parts that a behavior decided: they are then part of every state.
  public var decidesIndicatorInsets: Bool
  /// A behavior has written `frame`.
  public var decidesFrame: Bool
  /// A behavior has written `contentSize`.
  public var decidesContentSize: Bool

  /// A scroll view at rest with UIKit's defaults.
  public init() {
    contentOffset = Point()
    contentSize = Size()
    contentInset = Insets()
    scrollIndicatorInsets = Insets()
    frame = Rect()
    viewport = Size()
    adjustedContentInset = Insets()
    correction = Point()
    refreshControlHeight = 0
    boundsAnimationDuration = 0
    kind = .scroll
    contentInsetAdjustment = .never
    clamping = .all
    isTracking = false
    isDragging = false
    isDecelerating = false
    isAnimating = false
    pagingEnabled = false
    hasRefreshControl = false
    refreshControlHidden = false
    isRefreshing = false
    forwardsEvents = true
    decidesIndicatorInsets = false
    decidesFrame = false
    decidesContentSize = false
  }

  /// Nothing moves the content: an offset out of range may be brought back.
  var isAtRest: Bool { !isTracking && !isDragging && !isDecelerating && !isAnimating }

  /// The offset within the range that insets and content allow; the lower bound wins for short content.
  var clampedOffset: Point {
    let inset = adjustedContentInset
    let minimum = Point(x: -inset.left, y: -inset.top)
    let maximum = Point(
      x: max(minimum.x, contentSize.width - frame.size.width + inset.right),
      y: max(minimum.y, contentSize.height - frame.size.height + inset.bottom))
    return Point(
      x: max(minimum.x, min(maximum.x, contentOffset.x)), y: max(minimum.y, min(maximum.y, contentOffset.y)))
  }
}
