// SPDX-License-Identifier: MIT
//
// The daemon's model of a publisher's scroll view: what UIScrollView would hold. The header writes to it and sees the consequences at
// once (Header+ScrollViews.swift has the laws); the publisher learns of them through the state.
//
// The fields lie in memory as `header_scroll_view` of header_plugin.h does: a plugin reads them in place. An enumeration is stored as the
// index of its case.

/// Kinds of scroll views; a table or collection view without content does not make room for a header.
public enum ScrollViewKind: String, Sendable, CaseIterable {
  case scroll, table, collection, web
}

/// Whether the safe area is added to the content inset.
public enum ContentInsetAdjustment: String, Sendable, CaseIterable {
  case never, automatic
}

/// Which changes bring an offset that is out of range back while nothing moves it.
public enum Clamping: String, Sendable, CaseIterable {
  /// Content size, viewport and inset (UIKit, as TLYShyNavBar's recordings assume it).
  case all
  /// The inset alone (as the flexible header's recordings assume it).
  case inset
  case none
}

/// One scroll view as the header knows it. Lengths in points.
public struct ScrollView: Equatable, Sendable {
  /// The content offset: grows when content moves up.
  public var contentOffset = Point()
  /// The size of the content.
  public var contentSize = Size()
  /// Room around the content, without the safe area.
  public var contentInset = Insets()
  /// Room around the scroll indicators; the content inset unless they are written.
  public var scrollIndicatorInsets = Insets()
  /// The scroll view in header space. A behavior may let it grow; its size starts as the viewport.
  public var frame = Rect()
  /// The size that the publisher gave, before a behavior changed `frame`.
  public var viewport = Size()
  /// The content inset plus, with `automatic` adjustment, the safe area at top and bottom.
  public var adjustedContentInset = Insets()
  /// The sum of all moves that the header itself has made to the offset in this epoch.
  public var correction = Point()
  /// Points by which the refresh control pushes the content while it refreshes.
  public var refreshControlHeight: Double = 0
  /// Seconds that an animation of the bounds under way still takes; 0 without one.
  public var boundsAnimationDuration: Double = 0
  /// The kind of view, such as a table.
  public var kind: ScrollViewKind = .scroll
  /// Whether the safe area is added to the content inset.
  public var contentInsetAdjustment: ContentInsetAdjustment = .never
  /// Which changes bring an offset that is out of range back.
  public var clamping: Clamping = .all
  /// A finger is on it.
  public var isTracking = false
  /// The finger has moved it.
  public var isDragging = false
  /// Whether the content keeps moving after the finger left.
  public var isDecelerating = false
  /// Whether an animated scroll of the program is under way (scroll to top, scrollRectToVisible).
  public var isAnimating = false
  /// Whether the content comes to rest at whole pages only.
  public var pagingEnabled = false
  /// There is a refresh control, shown or not.
  public var hasRefreshControl = false
  /// The refresh control is not shown.
  public var refreshControlHidden = false
  /// The refresh control is at work, and pushes the content down by `refreshControlHeight`.
  public var isRefreshing = false
  /// Whether a nested didScroll reaches the delegates.
  public var forwardsEvents = true
  /// Parts that a behavior decided: they are then part of every state.
  public var decidesIndicatorInsets = false
  /// A behavior has written `frame`.
  public var decidesFrame = false
  /// A behavior has written `contentSize`.
  public var decidesContentSize = false
  /// The axis of the content, and the end at which it begins.
  public var flow: ScrollFlow = .vertical

  /// A scroll view at rest with UIKit's defaults.
  public init() {}

  /// Nothing moves the content: an offset out of range may be brought back.
  @inlinable package var isAtRest: Bool { !isTracking && !isDragging && !isDecelerating && !isAnimating }

  /// The offset within the range that insets and content allow; the lower bound wins for short content.
  package var clampedOffset: Point {
    let (minimum, maximum) = range(within: countedInset)
    return Point(
      x: max(minimum.x, min(maximum.x, contentOffset.x)), y: max(minimum.y, min(maximum.y, contentOffset.y)))
  }

  /// The offsets at which content rests.
  package var restingRange: (minimum: Point, maximum: Point) { range(within: countedInset) }

  /// The inset, where the offset of reversed content is counted from the other end.
  private var countedInset: Insets {
    let inset = adjustedContentInset
    guard isReversed else { return inset }
    return axis == .vertical
      ? Insets(top: inset.bottom, left: inset.left, bottom: inset.top, right: inset.right)
      : Insets(top: inset.top, left: inset.right, bottom: inset.bottom, right: inset.left)
  }

  @inline(__always)
  private func range(within inset: Insets) -> (minimum: Point, maximum: Point) {
    let minimum = Point(x: -inset.left, y: -inset.top)
    let maximum = Point(
      x: max(minimum.x, contentSize.width - frame.size.width + inset.right),
      y: max(minimum.y, contentSize.height - frame.size.height + inset.bottom))
    return (minimum, maximum)
  }

  /// Where the content is when it had other insets: as it was, or at the end that it was at, or as far beyond that.
  package func offset(goingOnFrom before: ScrollView) -> Point {
    let (old, new) = (before.restingRange, restingRange)
    func place(_ offset: Double, _ old: ClosedRange<Double>, _ new: ClosedRange<Double>) -> Double {
      if offset <= old.lowerBound { return offset - old.lowerBound + new.lowerBound }
      return offset >= old.upperBound ? offset - old.upperBound + new.upperBound : offset
    }
    return Point(
      x: place(contentOffset.x, old.minimum.x...old.maximum.x, new.minimum.x...new.maximum.x),
      y: place(contentOffset.y, old.minimum.y...old.maximum.y, new.minimum.y...new.maximum.y))
  }
}

extension ScrollView {
  /// A refresh control as descriptions and events have it.
  struct RefreshControl: Equatable, Sendable {
    var hidden: Bool
    var refreshing: Bool
    var height: Double

    static let members: [Member<RefreshControl>] = [
      Member("hidden", \.hidden, .flag), Member("refreshing", \.refreshing, .flag),
      Member("height", \.height, .length),
    ]
  }

  /// The refresh control; nil: there is none.
  var refreshControl: RefreshControl? {
    get { hasRefreshControl ? lastRefreshControl : nil }
    set {
      hasRefreshControl = newValue != nil
      refreshControlHidden = newValue?.hidden ?? false
      isRefreshing = newValue?.refreshing ?? false
      refreshControlHeight = newValue?.height ?? 0
    }
  }

  /// The one that there is, or was.
  private var lastRefreshControl: RefreshControl {
    RefreshControl(hidden: refreshControlHidden, refreshing: isRefreshing, height: refreshControlHeight)
  }

  /// The keys of a `layout` event, in the order of headerd-headers(7).
  package static let members: [Member<ScrollView>] = [
    Member("viewport", \.viewport, .shape, .viewport), Member("contentSize", \.contentSize, .shape, .contentSize),
    Member("contentInset", \.contentInset, .shape, .contentInset),
    Member("scrollIndicatorInsets", \.scrollIndicatorInsets, .shape, .scrollIndicatorInsets),
    Member("contentInsetAdjustment", \.contentInsetAdjustment, .word, .contentInsetAdjustment),
    Member("kind", \.kind, .word, .kind), Member("pagingEnabled", \.pagingEnabled, .flag, .pagingEnabled),
    refreshControlMember, Member("frame", \.frame, .shape, .frame),
    Member("forwardsEvents", \.forwardsEvents, .flag, .forwardsEvents),
    Member("clamping", \.clamping, .word, .clamping),
    Member(
      "boundsAnimationDuration", \.boundsAnimationDuration, .number(in: 0...FieldReader.bound, of: "seconds"),
      .boundsAnimationDuration),
  ]

  /// The keys of a description that stand there only where they say something.
  static let direction: [Member<ScrollView>] = [
    Member("axis", \.axis, .word), Member("reversed", \.isReversed, .flag),
  ]

  /// The keys of a description.
  package static let described: [Member<ScrollView>] =
    members[..<4] + [Member("offset", \.contentOffset, .shape)] + members[4...].dropLast()

  /// A record, or null for none. One that goes leaves its height and whether it was shown to one that comes.
  private static let refreshControlMember = Member<ScrollView>(
    name: "refreshControl", key: .refreshControl,
    check: { (fields) throws(HeaderError) in
      if fields.value("refreshControl", as: [.null]) == .null { return .null }
      return try fields.nested("refreshControl") { fields throws(HeaderError) in
        .record(try RefreshControl.members.check(&fields))
      }
    },
    fill: { view, value in
      if case .record(let given) = value {
        var control = view.lastRefreshControl
        RefreshControl.members.fill(&control, from: given)
        view.refreshControl = control
      } else {
        view.hasRefreshControl = false
        view.isRefreshing = false
      }
    },
    write: { view in view.refreshControl.map { .record(RefreshControl.members.write($0)) } ?? .null },
    copy: { $0.refreshControl = $1.refreshControl }, differs: { $0.refreshControl != $1.refreshControl }, memory: [])
}
