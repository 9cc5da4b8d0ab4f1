// SPDX-License-Identifier: MIT
//
// The header's records and the event being delivered, as views: their properties read the host's memory, so they are
// current after every call. Do not keep a view beyond the event.

internal import CHeaderPlugin

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
  /// The kind of view, such as a table.
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
  /// Whether the content keeps moving after the finger left.
  public var isDecelerating: Bool { unsafe record.pointee.is_decelerating }
  /// Whether the content comes to rest at whole pages only.
  public var isPaging: Bool { unsafe record.pointee.paging_enabled }
  /// The refresh control is at work.
  public var isRefreshing: Bool { unsafe record.pointee.is_refreshing }
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
  /// Width and height in points, never negative.
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
  /// What fades as it contracts.
  public var fade: Fade { Fade(rawValue: unsafe record.pointee.fade) ?? .none }
  /// Whether the drawer is not drawn; it keeps its place in the chain.
  public var isHidden: Bool { unsafe record.pointee.is_hidden }
  /// The index of its first element among the header's.
  public var firstElement: Int { unsafe Int(record.pointee.first_element) }
  /// How many of the header's elements, from `firstElement` on, are drawn in it.
  public var elementCount: Int { unsafe Int(record.pointee.element_count) }
  /// Whether the drawer takes no movement.
  public var isSticky: Bool { unsafe record.pointee.is_sticky }
  /// Higher ones are drawn over lower ones; of equal ones the earlier is.
  public var zIndex: Int { unsafe Int(record.pointee.z_index) }
  /// The least height that it should be given, in points.
  public var minimumHeight: Double { unsafe record.pointee.minimum_height }
  /// The height of the fully expanded drawer, in points.
  public var maximumHeight: Double { unsafe record.pointee.maximum_height }
}

/// Drawers one after the other.
@safe public struct Drawers: Sequence, IteratorProtocol {
  private var record: UnsafePointer<header_drawer>?
  private var count: Int

  init(next record: UnsafePointer<header_drawer>?, count: Int) {
    unsafe self.record = record
    self.count = count
  }

  /// The next one; nil behind the last.
  public mutating func next() -> Drawer? {
    guard count > 0, let drawer = unsafe record else { return nil }
    count -= 1
    unsafe record = drawer + 1
    return unsafe Drawer(record: drawer)
  }
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
  /// Pixels per point.
  public var screenScale: Double { unsafe record.pointee.screen_scale }
  /// The second within the minute at header time 0; negative: not known.
  public var clockSecondOfMinute: Double { unsafe record.pointee.clock_second_of_minute }
  /// Whether the application hides the status bar now.
  public var statusBarHidden: Bool { unsafe record.pointee.status_bar_hidden }
  /// Whether the device has a notch or the like, so that the top inset stays when the status bar is hidden.
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
  /// Animations and movements beyond what the finger does are to be left out: ``reduceMotion``, unless the header asked for
  /// what its original did.
  public var limitsMotion: Bool { unsafe record.pointee.limits_motion }
}

/// What a `layout` event was given.
public struct LayoutKeys: OptionSet, Sendable {
  /// One bit for each key, as in `header_layout_key`.
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
  /// Drawers or elements; the records say which.
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

/// What moved the content; the numbers are HEADER_REASON_….
public enum ScrollReason: UInt8, Sendable {
  /// The publisher does not say.
  case unsaid = 0
  /// A finger, its fling, a wheel.
  case user
  /// The application itself has scrolled.
  case program
  /// Keys of a keyboard.
  case keyboard
  /// Rows came or went before what is seen; a behavior gets ``Behavior/contentDidChange(_:)`` then.
  case content
  /// The toolkit's layout moved the content.
  case layout
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
  /// Velocity in points per millisecond.
  public var velocity: Point { unsafe Point(record.pointee.velocity) }
  /// willEndDragging: where the content would come to rest, in points, as rewritten by the delegates before.
  public var targetOffset: Point { unsafe Point(record.pointee.target_offset) }
  /// Nested scrolling: what is offered, in points, the offset's sign.
  public var delta: Point { unsafe Point(record.pointee.delta) }
  /// Of nested scrolling: a fling moves the content, not a finger or a program.
  public var isFling: Bool { unsafe Int(record.pointee.source) == HEADER_SOURCE_FLING }
  /// willTransition: the size to come, in points. didResize: the new viewport.
  public var size: Size { unsafe Size(record.pointee.size) }
  /// didScroll: what moved the content; `unsaid` also for a number that this kit does not know.
  public var reason: ScrollReason { unsafe ScrollReason(rawValue: record.pointee.reason) ?? .unsaid }
  /// layout: what was given, also when its value is the same.
  public var given: LayoutKeys { unsafe LayoutKeys(rawValue: record.pointee.given) }
  /// The keys of a `layout` whose values really differ.
  public var changed: LayoutKeys { unsafe LayoutKeys(rawValue: record.pointee.changed) }
}
