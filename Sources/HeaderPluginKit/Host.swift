// SPDX-License-Identifier: MIT
//
// What a behavior may ask of its header, and the header's records as they are at this moment. The record types are views:
// each property reads the header's own memory, so after a call that may have changed something you simply read again.
// Do not keep a view beyond the event at hand.
//
// Functions marked "re-enters" may call the behavior again before they return. A call that breaks a rule (a number that
// is not finite, a drawer of another delegate) gets the behavior bypassed by the host once its present event ends.

internal import CHeaderPlugin

/// A place or movement in points.
public struct Point: Equatable, Sendable {
  /// Points to the right.
  public var x: Double
  /// Points downward.
  public var y: Double
  /// A place by its axes; an axis left out is 0.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  init(_ point: header_point) { self.init(x: point.x, y: point.y) }
  var c: header_point { header_point(x: x, y: y) }
}

/// Width and height in points.
public struct Size: Equatable, Sendable {
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double
  /// A size by its sides; a side left out is 0.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }

  init(_ size: header_size) { self.init(width: size.width, height: size.height) }
  var c: header_size { header_size(width: width, height: height) }
}

/// A rectangle in points.
public struct Rect: Equatable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double
  /// A rectangle by its top left corner and its sides; what is left out is 0.
  public init(x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  init(_ rect: header_rect) {
    self.init(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height)
  }
  var c: header_rect { header_rect(origin: header_point(x: x, y: y), size: header_size(width: width, height: height)) }
  /// The bottom edge.
  public var maxY: Double { y + height }
}

/// Distances from the edges inward, in points.
public struct Insets: Equatable, Sendable {
  /// From the top edge downward.
  public var top: Double
  /// From the left edge to the right.
  public var left: Double
  /// From the bottom edge upward.
  public var bottom: Double
  /// From the right edge to the left.
  public var right: Double
  /// Insets by their edges; an edge left out is 0.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  init(_ insets: header_insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
  var c: header_insets { header_insets(top: top, left: left, bottom: bottom, right: right) }
}

/// What a scroll view shows.
public enum ScrollViewKind: UInt8, Sendable {
  case scroll = 0
  case table, collection, web
}

/// Whether the safe area is added to the content inset.
public enum ContentInsetAdjustment: UInt8, Sendable {
  case never = 0
  case automatic
}

/// What fades as a drawer contracts.
public enum Fade: UInt8, Sendable {
  case none = 0
  case elements, drawer
}

/// A scroll view of the header, read in place.
@safe public struct ScrollView {
  let record: UnsafePointer<header_scroll_view>

  /// Points; grows when content moves up.
  public var contentOffset: Point { unsafe Point(record.pointee.content_offset) }
  /// The size of what scrolls, in points.
  public var contentSize: Size { unsafe Size(record.pointee.content_size) }
  /// Room around the content, in points, without the safe area.
  public var contentInset: Insets { unsafe Insets(record.pointee.content_inset) }
  /// Room around the scroll indicators, in points.
  public var scrollIndicatorInsets: Insets { unsafe Insets(record.pointee.scroll_indicator_insets) }
  /// The content inset and, with automatic adjustment, the safe area at top and bottom.
  public var adjustedContentInset: Insets { unsafe Insets(record.pointee.adjusted_content_inset) }
  /// The scroll view in header space, in points.
  public var frame: Rect { unsafe Rect(record.pointee.frame) }
  /// What it shows.
  public var kind: ScrollViewKind { ScrollViewKind(rawValue: unsafe record.pointee.kind) ?? .scroll }
  /// Whether the safe area is added to the content inset.
  public var contentInsetAdjustment: ContentInsetAdjustment {
    ContentInsetAdjustment(rawValue: unsafe record.pointee.content_inset_adjustment) ?? .never
  }
  /// Whether a nested didScroll reaches the delegates.
  public var forwardsEvents: Bool { unsafe record.pointee.forwards_events }
  /// A finger is on it.
  public var isTracking: Bool { unsafe record.pointee.is_tracking }
  /// The finger has moved it.
  public var isDragging: Bool { unsafe record.pointee.is_dragging }
  /// It moves on after the finger left.
  public var isDecelerating: Bool { unsafe record.pointee.is_decelerating }
  /// It comes to rest at whole pages only.
  public var isPaging: Bool { unsafe record.pointee.paging_enabled }
  /// The refresh control's height while it refreshes, else 0.
  public var refreshingHeight: Double {
    unsafe record.pointee.is_refreshing ? record.pointee.refresh_control_height : 0
  }
  /// Seconds that an animation of the bounds under way still takes; 0 without one.
  public var boundsAnimationDuration: Double { unsafe record.pointee.bounds_animation_duration }
}

/// A drawer of the header, read in place.
@safe public struct Drawer {
  let record: UnsafePointer<header_drawer>

  /// The middle in header space, in points, without the translation.
  public var center: Point { unsafe Point(record.pointee.center) }
  /// Points, never negative.
  public var size: Size { unsafe Size(record.pointee.size) }
  /// Center and size as a rectangle, in UIKit's arithmetic: top = center.y − height · 0.5.
  public var frame: Rect {
    let (center, size) = (center, size)
    return Rect(
      x: center.x - size.width * 0.5, y: center.y - size.height * 0.5, width: size.width, height: size.height)
  }
  /// Drawn on top of center and size.
  public var translation: Point { unsafe Point(record.pointee.translation) }
  /// 0…1, single precision.
  public var alpha: Float { unsafe record.pointee.alpha }
  /// It is not drawn; it keeps its place in the chain.
  public var isHidden: Bool { unsafe record.pointee.is_hidden }
  /// Its elements stand from here on in the header's elements.
  public var firstElement: Int { unsafe Int(record.pointee.first_element) }
  /// How many of the header's elements, from `firstElement` on, are drawn in it.
  public var elementCount: Int { unsafe Int(record.pointee.element_count) }
  /// It takes no movement.
  public var isSticky: Bool { unsafe record.pointee.is_sticky }
  /// The least height that it should be given, in points.
  public var minimumHeight: Double { unsafe record.pointee.minimum_height }
  /// The height of the fully expanded drawer, in points.
  public var maximumHeight: Double { unsafe record.pointee.maximum_height }
}

/// What surrounds the header, read in place.
@safe public struct Environment {
  let record: UnsafePointer<header_environment>

  /// What the window keeps free at its edges, in points.
  public var safeAreaInset: Insets { unsafe Insets(record.pointee.safe_area_inset) }
  /// The top left of header space in the window, in points.
  public var viewOrigin: Point { unsafe Point(record.pointee.view_origin) }
  /// The status bar's own height in points, also while it is hidden.
  public var statusBarHeight: Double { unsafe record.pointee.status_bar_height }
  /// Pixels a point.
  public var screenScale: Double { unsafe record.pointee.screen_scale }
  /// The second within the minute at header time 0; negative: not known.
  public var clockSecondOfMinute: Double { unsafe record.pointee.clock_second_of_minute }
  /// Whether the application hides the status bar now.
  public var statusBarHidden: Bool { unsafe record.pointee.status_bar_hidden }
  /// The device has a notch or the like, so that the top inset stays when the status bar is hidden.
  public var deviceHasHardwareSafeArea: Bool { unsafe record.pointee.device_has_hardware_safe_area }
  /// The header is in a window.
  public var visible: Bool { unsafe record.pointee.visible }
  /// The controller is presented modally.
  public var presented: Bool { unsafe record.pointee.presented }
  /// There is a key window that can be asked for its safe area.
  public var keyWindow: Bool { unsafe record.pointee.key_window }
  /// VoiceOver reads the screen to its user.
  public var voiceOverRunning: Bool { unsafe record.pointee.voice_over_running }
  /// The user asked for fewer animations.
  public var reduceMotion: Bool { unsafe record.pointee.reduce_motion }
  /// The application is an extension, which cannot ask the shared application for its status bar.
  public var appExtension: Bool { unsafe record.pointee.app_extension }
}

/// What a `layout` event was given.
public struct LayoutKeys: OptionSet, Sendable {
  /// One bit a key, as in `header_layout_key`.
  public var rawValue: UInt64
  /// A set of the keys whose bits are set; bits of a newer host's are kept.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  init(_ key: header_layout_key) { rawValue = UInt64(key.rawValue) }

  /// ``Environment/safeAreaInset``.
  public static let safeAreaInset = LayoutKeys(HEADER_LAYOUT_SAFE_AREA_INSET)
  /// ``Environment/viewOrigin``.
  public static let viewOrigin = LayoutKeys(HEADER_LAYOUT_VIEW_ORIGIN)
  /// ``Environment/statusBarHeight``.
  public static let statusBarHeight = LayoutKeys(HEADER_LAYOUT_STATUS_BAR_HEIGHT)
  /// ``Environment/statusBarHidden``; also when a wish about the status bar was fulfilled at once.
  public static let statusBarHidden = LayoutKeys(HEADER_LAYOUT_STATUS_BAR_HIDDEN)
  /// ``Environment/visible``.
  public static let visible = LayoutKeys(HEADER_LAYOUT_VISIBLE)
  /// ``Environment/presented``.
  public static let presented = LayoutKeys(HEADER_LAYOUT_PRESENTED)
  /// ``Environment/keyWindow``.
  public static let keyWindow = LayoutKeys(HEADER_LAYOUT_KEY_WINDOW)
  /// ``Environment/voiceOverRunning``.
  public static let voiceOverRunning = LayoutKeys(HEADER_LAYOUT_VOICE_OVER_RUNNING)
  /// The size of the event's scroll view, as its publisher gives it.
  public static let viewport = LayoutKeys(HEADER_LAYOUT_VIEWPORT)
  /// Drawers or elements; which of them is not told, the records have it.
  public static let drawers = LayoutKeys(HEADER_LAYOUT_DRAWERS)
  /// ``ScrollView/contentSize`` of the event's scroll view.
  public static let contentSize = LayoutKeys(HEADER_LAYOUT_CONTENT_SIZE)
  /// ``ScrollView/contentInset`` of the event's scroll view.
  public static let contentInset = LayoutKeys(HEADER_LAYOUT_CONTENT_INSET)
  /// ``ScrollView/contentInsetAdjustment`` of the event's scroll view.
  public static let contentInsetAdjustment = LayoutKeys(HEADER_LAYOUT_CONTENT_INSET_ADJUSTMENT)
  /// ``ScrollView/isPaging`` of the event's scroll view.
  public static let pagingEnabled = LayoutKeys(HEADER_LAYOUT_PAGING_ENABLED)
  /// The refresh control of the event's scroll view: whether there is one, its height, whether it is hidden or
  /// refreshing.
  public static let refreshControl = LayoutKeys(HEADER_LAYOUT_REFRESH_CONTROL)
  /// ``ScrollView/contentOffset`` of the event's scroll view.
  public static let offset = LayoutKeys(HEADER_LAYOUT_OFFSET)
  /// A layout pass was asked for.
  public static let pass = LayoutKeys(HEADER_LAYOUT_PASS)
  /// Drawers or scroll views were replaced: views read before are void.
  public static let structure = LayoutKeys(HEADER_LAYOUT_STRUCTURE)
}

/// One event. Valid until the behavior's method returns.
@safe public struct Event {
  let record: UnsafePointer<header_event>

  /// Index of the scroll view; nil when the event is none's.
  public var scrollView: Int? {
    let index = unsafe record.pointee.scroll_view
    return index < 0 ? nil : Int(index)
  }
  /// The new tracking scroll view, in the two events of its change; nil: none.
  public var newScrollView: Int? {
    let index = unsafe record.pointee.new_scroll_view
    return index < 0 ? nil : Int(index)
  }
  /// 0 from outside; 1… brought about by a delegate's own write.
  public var depth: Int { unsafe Int(record.pointee.depth) }
  /// Points per millisecond.
  public var velocity: Point { unsafe Point(record.pointee.velocity) }
  /// willEndDragging: where the content would come to rest, in points, as rewritten by the delegates before.
  public var targetOffset: Point { unsafe Point(record.pointee.target_offset) }
  /// Nested scrolling: what is offered, in points, the offset's sign.
  public var delta: Point { unsafe Point(record.pointee.delta) }
  /// willTransition: the size to come, in points. didResize: the new viewport.
  public var size: Size { unsafe Size(record.pointee.size) }
  /// layout: what was given, also when its value is the same.
  public var given: LayoutKeys { unsafe LayoutKeys(rawValue: record.pointee.given) }
  /// layout: what really differs.
  public var changed: LayoutKeys { unsafe LayoutKeys(rawValue: record.pointee.changed) }
}

/// How a header's drawers hang together.
public struct Chain: Equatable, Sendable {
  /// The edge that the first drawer hangs on.
  public var origin: Double
  /// The scroll view whose top inset follows the far edge.
  public var tail: Int?
  /// A contracting movement reaches the last drawer first; else the first one.
  public var contractsLastFirst: Bool
  /// An expanding movement reaches the first drawer first; else the last one.
  public var expandsFirstFirst: Bool
  /// Whether the tail's insets are written; without it the tail is only measured.
  public var writesTailInsets: Bool
  /// A drawer that passes a contracting movement on is hidden until it takes part again (not the first drawer).
  public var hidesPassedDrawers: Bool

  init(_ chain: header_chain) {
    origin = chain.origin
    tail = chain.tail < 0 ? nil : Int(chain.tail)
    contractsLastFirst = Int(chain.contracts_first) == HEADER_END_LAST
    expandsFirstFirst = Int(chain.expands_first) == HEADER_END_FIRST
    writesTailInsets = chain.writes_tail_insets
    hidesPassedDrawers = chain.hides_passed_drawers
  }

  var c: header_chain {
    header_chain(
      origin: origin, tail: Int32(tail ?? -1),
      contracts_first: UInt8(contractsLastFirst ? HEADER_END_LAST : HEADER_END_FIRST),
      expands_first: UInt8(expandsFirstFirst ? HEADER_END_FIRST : HEADER_END_LAST),
      writes_tail_insets: writesTailInsets, hides_passed_drawers: hidesPassedDrawers)
  }
}

/// How an animation runs.
public enum Curve: UInt8, Sendable {
  case linear = 0
  case easeIn, easeOut, easeInOut
}

/// The header that a behavior serves.
@safe public struct Host {
  let table: UnsafePointer<header_host>
  let context: OpaquePointer?

  // MARK: Reading

  /// How many drawers the header has; it changes only with a `layout` event that has ``LayoutKeys/structure``.
  public var drawerCount: Int { unsafe Int(table.pointee.drawer_count(context)) }
  /// How many scroll views the header has; it changes only with a `layout` event that has ``LayoutKeys/structure``.
  public var scrollViewCount: Int { unsafe Int(table.pointee.scroll_view_count(context)) }

  /// A drawer. The index must be below `drawerCount`.
  public func drawer(_ index: Int) -> Drawer {
    guard let record = unsafe table.pointee.drawer(context, UInt32(index)) else {
      preconditionFailure("there is no drawer \(index)")
    }
    return unsafe Drawer(record: record)
  }

  /// A scroll view. The index must be below `scrollViewCount`.
  public func scrollView(_ index: Int) -> ScrollView {
    guard let record = unsafe table.pointee.scroll_view(context, UInt32(index)) else {
      preconditionFailure("there is no scroll view \(index)")
    }
    return unsafe ScrollView(record: record)
  }

  /// What surrounds the header.
  public var environment: Environment {
    guard let record = unsafe table.pointee.environment(context) else {
      preconditionFailure("the host is used before attach")
    }
    return unsafe Environment(record: record)
  }

  /// The tracking scroll view; nil: none.
  public var trackingScrollView: Int? {
    let index = unsafe table.pointee.tracking_scroll_view(context)
    return index < 0 ? nil : Int(index)
  }

  /// Header time in nanoseconds.
  public var time: Int64 { unsafe table.pointee.time(context) }

  // MARK: Scroll views

  /// Writes a content offset; when it differs, a nested didScroll is told first. Re-enters.
  public func setContentOffset(_ offset: Point, of view: Int) {
    _ = unsafe table.pointee.set_content_offset(context, UInt32(view), offset.c)
  }

  /// Moves the content without telling anybody.
  public func moveSilently(to offset: Point, _ view: Int) {
    _ = unsafe table.pointee.move_silently(context, UInt32(view), offset.c)
  }

  /// Writes a content inset; an offset then out of range is brought back. Re-enters.
  public func setContentInset(_ inset: Insets, of view: Int) {
    _ = unsafe table.pointee.set_content_inset(context, UInt32(view), inset.c)
  }

  /// Writes the scroll indicators' insets.
  public func setScrollIndicatorInsets(_ insets: Insets, of view: Int) {
    _ = unsafe table.pointee.set_scroll_indicator_insets(context, UInt32(view), insets.c)
  }

  // MARK: Drawers

  /// Makes a drawer this behavior's own; in `attach` and `restore`.
  public func claim(_ drawer: Int) throws(Refusal) {
    guard unsafe table.pointee.claim_drawer(context, UInt32(drawer)) == HEADER_OK else {
      throw Refusal("drawer \(drawer) belongs to another delegate")
    }
  }

  /// How the drawers hang together. Nothing moves when it is set.
  public var chain: Chain {
    get {
      var chain = header_chain()
      _ = unsafe table.pointee.get_chain(context, &chain)
      return Chain(chain)
    }
    nonmutating set {
      var chain = newValue.c
      _ = unsafe table.pointee.set_chain(context, &chain)
    }
  }

  /// Brings the tail's top inset to the chain's far edge and returns the difference. Re-enters.
  @discardableResult
  public func followTail() -> Double {
    var difference = 0.0
    _ = unsafe table.pointee.follow_tail(context, &difference)
    return difference
  }

  /// Sets a drawer's frame. Not a move: nothing goes along.
  public func setFrame(_ frame: Rect, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_frame(context, UInt32(drawer), frame.c)
  }

  /// Moves a drawer; those after it and the tail go along. Re-enters.
  public func move(_ drawer: Int, to center: Point) {
    _ = unsafe table.pointee.move_drawer(context, UInt32(drawer), center.c)
  }

  /// Gives a movement to the chain from a drawer on and returns the residual. Negative contracts. Re-enters.
  @discardableResult
  public func move(from drawer: Int = 0, by distance: Double) -> Double {
    var residual = 0.0
    _ = unsafe table.pointee.move_chain(context, UInt32(drawer), distance, &residual)
    return residual
  }

  /// Expands a drawer and all after it. Re-enters.
  public func expand(from drawer: Int = 0) { _ = unsafe table.pointee.expand(context, UInt32(drawer)) }

  /// Contracts a drawer and all after it. Re-enters.
  public func contract(from drawer: Int = 0) { _ = unsafe table.pointee.contract(context, UInt32(drawer)) }

  /// Where a drawer's center is when it is expanded.
  public func expandedCenter(of drawer: Int) -> Point {
    unsafe Point(table.pointee.expanded_center(context, UInt32(drawer)))
  }

  /// Where a drawer's center is when it is contracted.
  public func contractedCenter(of drawer: Int) -> Point {
    unsafe Point(table.pointee.contracted_center(context, UInt32(drawer)))
  }

  /// A sticky drawer takes no movement.
  public func setSticky(_ sticky: Bool, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_sticky(context, UInt32(drawer), sticky)
  }

  /// What fades as a drawer contracts; `none` shows everything at once.
  public func setFade(_ fade: Fade, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_fade(context, UInt32(drawer), fade.rawValue)
  }

  // MARK: Values, notices, commands

  /// Sets one of the behavior's own values, by its place in the definition's list.
  public func set(_ value: Int, _ bool: Bool) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(HEADER_BOOL)
    unsafe record.boolean = bool
    _ = unsafe table.pointee.set_value(context, UInt32(value), &record)
  }

  /// Sets one of the behavior's own values.
  public func set(_ value: Int, _ number: Double) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(HEADER_NUMBER)
    unsafe record.number = number
    _ = unsafe table.pointee.set_value(context, UInt32(value), &record)
  }

  /// Posts a notice, by its place in the definition's list.
  public func post(_ notice: Int) { _ = unsafe table.pointee.post(context, UInt32(notice), nil, false) }

  /// Asks something of the publisher.
  public func command(_ name: String, _ arguments: Value = .record([]), for view: Int) {
    let arena = Arena()
    var record = unsafe arena.value(arguments)
    _ = unsafe table.pointee.command(context, UInt32(view), arena.text(name), &record)
    withExtendedLifetime(arena) {}
  }

  // MARK: Time

  /// Announces an animation; with a token, `completion` is called when it is over by the clock. Seconds.
  public func animate(duration: Double, delay: Double = 0, _ curve: Curve, token: UInt64? = nil) {
    var animation = header_animation()
    animation.struct_size = UInt32(MemoryLayout<header_animation>.size)
    animation.curve = curve.rawValue
    animation.duration = duration
    animation.delay = delay
    animation.has_completion = token != nil
    animation.token = token ?? 0
    _ = unsafe table.pointee.animate(context, &animation)
  }

  /// Asks for frames from now on.
  public func startFrames() { _ = unsafe table.pointee.start_frames(context) }
  /// Ends the frames.
  public func stopFrames() { _ = unsafe table.pointee.stop_frames(context) }
  /// Whether frames go on.
  public var framesAreActive: Bool { unsafe table.pointee.frames_are_active(context) }
  /// Starts a one-shot timer. Seconds.
  public func startTimer(_ token: UInt64, after delay: Double) {
    _ = unsafe table.pointee.start_timer(context, token, delay)
  }
  /// Cancels the timers of a token.
  public func cancelTimer(_ token: UInt64) { _ = unsafe table.pointee.cancel_timer(context, token) }
  /// Asks for a `layoutPass` at the end of the event.
  public func markLayout() { _ = unsafe table.pointee.mark_layout(context) }
  /// Puts work off to after the event.
  public func afterEvent(_ token: UInt64) { _ = unsafe table.pointee.after_event(context, token) }

  func explain(_ reason: String) {
    unsafe reason.withCString { unsafe table.pointee.explain(context, $0) }
  }
}
