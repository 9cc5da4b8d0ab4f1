// SPDX-License-Identifier: MIT
//
// A behavior's requests to its header.
//
// Functions marked "re-enters" may call the behavior again before they return. A call that breaks a rule (a number that is not finite,
// another delegate's drawer, an index out of range) gets the behavior bypassed when its event ends.

internal import CHeaderPlugin

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
      origin: origin, tail: Int32(clamping: tail ?? -1),
      contracts_first: UInt8(contractsLastFirst ? HEADER_END_LAST : HEADER_END_FIRST),
      expands_first: UInt8(expandsFirstFirst ? HEADER_END_FIRST : HEADER_END_LAST),
      writes_tail_insets: writesTailInsets, hides_passed_drawers: hidesPassedDrawers)
  }
}

/// Timing curves of animations.
public enum Curve: UInt8, Sendable {
  case linear = 0
  case easeIn, easeOut, easeInOut
}

/// The header that a behavior serves.
@safe public struct Host {
  let table: UnsafePointer<header_host>
  let context: OpaquePointer?
  /// Where the header's records lie; zeros before `attach`.
  var records = unsafe Nothing.shared.records

  /// - Parameter table: a `header_host`. Untyped, since a `package import` of the C types would keep everything that uses them out of
  ///   cross-module optimization: 460 instructions of each event that ShyNavBar receives.
  package init(table: UnsafeRawPointer, context: OpaquePointer?) {
    unsafe self.table = table.assumingMemoryBound(to: header_host.self)
    unsafe self.context = context
  }

  /// The header can be read from now on.
  package mutating func lookUpRecords() {
    if let found = unsafe table.pointee.records(context) { unsafe records = found }
  }

  // MARK: Reading

  /// How many drawers the header has; it changes only with a `layout` event that has ``LayoutKeys/structure``.
  public var drawerCount: Int { unsafe Int(records.pointee.drawer_count) }
  /// How many scroll views the header has; it changes only with a `layout` event that has ``LayoutKeys/structure``.
  public var scrollViewCount: Int { unsafe Int(records.pointee.scroll_view_count) }

  /// A drawer. The index must be below `drawerCount`; else a rule is broken, and zeros are returned.
  public func drawer(_ index: Int) -> Drawer {
    guard index >= 0, index < drawerCount, let drawers = unsafe records.pointee.drawers else {
      return unsafe Drawer(record: missingDrawer(index))
    }
    return unsafe Drawer(record: drawers + index)
  }

  /// All drawers, in the order of the chain.
  public var drawers: Drawers { drawers(atMost: .max) }

  /// The first `count` drawers, or all if there are fewer.
  public func drawers(atMost count: Int) -> Drawers {
    unsafe Drawers(next: records.pointee.drawers, count: min(count, drawerCount))
  }

  /// A scroll view. The index must be below `scrollViewCount`; else a rule is broken, and zeros are returned.
  public func scrollView(_ index: Int) -> ScrollView {
    guard index >= 0, index < scrollViewCount, let views = unsafe records.pointee.scroll_views else {
      return unsafe ScrollView(record: missingScrollView(index))
    }
    return unsafe ScrollView(record: views + index)
  }

  /// Screen, safe area, status bar and other surroundings of the header.
  public var environment: Environment {
    unsafe Environment(record: records.pointee.environment)
  }

  /// The tracking scroll view; nil: none.
  public var trackingScrollView: Int? {
    let index = unsafe records.pointee.tracking_scroll_view
    return index < 0 ? nil : Int(index)
  }

  /// Whether a client has asked for explanations, so that `noteResistance` and its like are kept.
  public var isExplained: Bool { unsafe records.pointee.is_explained }

  /// Header time in nanoseconds.
  public var time: Int64 { unsafe records.pointee.time }

  // MARK: Scroll views

  /// Writes a content offset. If it differs, a nested didScroll comes before this returns. Re-enters.
  public func setContentOffset(_ offset: Point, of view: Int) {
    _ = unsafe table.pointee.set_content_offset(context, Self.number(view), offset.c)
  }

  /// Makes another scroll view the tracking one, nil: none. The delegates receive the change before this returns.
  public func setTrackingScrollView(_ view: Int?) {
    _ = unsafe table.pointee.set_tracking_scroll_view(context, view.map { Int32(clamping: $0) } ?? -1)
  }

  /// Moves the content without a didScroll.
  public func moveSilently(to offset: Point, _ view: Int) {
    _ = unsafe table.pointee.move_silently(context, Self.number(view), offset.c)
  }

  /// Writes a content inset; an offset then out of range is brought back. Re-enters.
  public func setContentInset(_ inset: Insets, of view: Int) {
    _ = unsafe table.pointee.set_content_inset(context, Self.number(view), inset.c)
  }

  /// Writes the scroll indicators' insets.
  public func setScrollIndicatorInsets(_ insets: Insets, of view: Int) {
    _ = unsafe table.pointee.set_scroll_indicator_insets(context, Self.number(view), insets.c)
  }

  /// Writes the content size; an offset then out of range is brought back. Re-enters.
  public func setContentSize(_ size: Size, of view: Int) {
    _ = unsafe table.pointee.set_content_size(context, Self.number(view), size.c)
  }

  // MARK: Drawers

  /// Makes a drawer this behavior's own; in `attach` and `restore`.
  public func claim(_ drawer: Int) throws(Refusal) {
    guard unsafe table.pointee.claim_drawer(context, Self.number(drawer)) == HEADER_OK else {
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
    _ = unsafe table.pointee.set_drawer_frame(context, Self.number(drawer), frame.c)
  }

  /// Moves a drawer; those after it and the tail go along. Re-enters.
  public func move(_ drawer: Int, to center: Point) {
    _ = unsafe table.pointee.move_drawer(context, Self.number(drawer), center.c)
  }

  /// Gives a movement to the chain from a drawer on and returns the residual. Negative contracts. Re-enters.
  @discardableResult
  public func move(from drawer: Int = 0, by distance: Double) -> Double {
    var residual = 0.0
    _ = unsafe table.pointee.move_chain(context, Self.number(drawer), distance, &residual)
    return residual
  }

  /// Expands a drawer and all after it. Re-enters.
  public func expand(from drawer: Int = 0) { _ = unsafe table.pointee.expand(context, Self.number(drawer)) }

  /// Contracts a drawer and all after it. Re-enters.
  public func contract(from drawer: Int = 0) { _ = unsafe table.pointee.contract(context, Self.number(drawer)) }

  /// Where a drawer's center is when it is expanded.
  public func expandedCenter(of drawer: Int) -> Point {
    unsafe Point(table.pointee.expanded_center(context, Self.number(drawer)))
  }

  /// Where a drawer's center is when it is contracted.
  public func contractedCenter(of drawer: Int) -> Point {
    unsafe Point(table.pointee.contracted_center(context, Self.number(drawer)))
  }

  /// A sticky drawer takes no movement.
  public func setSticky(_ sticky: Bool, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_sticky(context, Self.number(drawer), sticky)
  }

  /// What fades as a drawer contracts; `none` shows everything at once.
  public func setFade(_ fade: Fade, _ drawer: Int) {
    // A fade that stays the same needs no call, but for `none`, which still restores alpha.
    guard unsafe fade == .none || self.drawer(drawer).record.pointee.fade != fade.rawValue else { return }
    _ = unsafe table.pointee.set_drawer_fade(context, Self.number(drawer), fade.rawValue)
  }

  // MARK: Commands

  /// Asks something of the publisher.
  public func command(_ name: String, _ arguments: Value = .record([]), for view: Int) {
    let arena = Arena()
    var record = unsafe arena.value(arguments)
    _ = unsafe table.pointee.command(context, Self.number(view), arena.text(name), &record)
    withExtendedLifetime(arena) {}
  }

  // MARK: Time

  /// Announces an animation; with a token, `completion` is called when it ends by the clock. Times are in seconds.
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
  /// Stops the frames that `startFrames` began.
  public func stopFrames() { _ = unsafe table.pointee.stop_frames(context) }
  /// Whether frames are running.
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

  // MARK: The log

  /// How much a line of the log matters.
  public enum LogLevel: UInt8, Sendable {
    /// For the behavior's author; headerd writes it with `log.level = "debug"`.
    case debug = 0
    /// What an operator may want to know.
    case info
    /// A problem that an operator should look at.
    case warning
    /// A fault that keeps the behavior from working.
    case error
  }

  /// Writes a line to headerd's log, with plugin, behavior and header. May be called at any time and changes nothing. A replay drops it.
  /// - Parameters:
  ///   - level: the severity. A healthy behavior logs nothing above `debug`.
  ///   - message: for people, of at most 1,024 bytes; what is longer is cut off.
  public func log(_ level: LogLevel, _ message: String) {
    unsafe message.withCString { unsafe table.pointee.log(context, level.rawValue, $0) }
  }

  /// Reports that a resistance of the behavior's own has held back a part of a movement. It changes nothing: explanations of the header
  /// show it (`headerctl explain`).
  /// - Parameters:
  ///   - wanted: points in a frame's sign.
  ///   - left: what was left of them for the drawers.
  ///   - drawer: the drawer that was held back; nil: all together.
  public func noteResistance(_ wanted: Double, left: Double, drawer: Int? = nil) {
    _ = unsafe table.pointee.note_resistance(context, drawer.map { Int32(clamping: $0) } ?? -1, wanted, left)
  }

  /// Reports that the behavior divides a movement among drawers by itself; `notePart` follows for each of them. It changes nothing:
  /// explanations show it. Call it only if `isExplained`.
  /// - Parameters:
  ///   - distance: points in a frame's sign.
  ///   - taken: what the drawers take of it together.
  public func noteMovement(_ distance: Double, taken: Double) {
    _ = unsafe table.pointee.note_movement(context, distance, taken)
  }

  /// Why a drawer does not take all of a movement: HEADER_RULE_….
  public enum Rule: UInt8, Sendable {
    /// The drawer is fully expanded.
    case expanded = 1
    /// The drawer is fully contracted.
    case contracted
    /// The drawer takes part in no movement.
    case sticky
    /// A constraint permits no more.
    case constraint
    /// The drawer's resistance, slop or threshold took the rest.
    case resistance
    /// It comes back, or comes back further, only where the content is at its top.
    case top
  }

  /// Reports what a drawer takes of such a movement.
  /// - Parameters:
  ///   - wanted: what it was offered, points in a frame's sign.
  ///   - taken: what it took of that; the next drawer was offered the rest.
  ///   - rule: why it did not take all; nil: it did.
  public func notePart(of drawer: Int, _ wanted: Double, taken: Double, rule: Rule?) {
    _ = unsafe table.pointee.note_part(context, UInt32(clamping: drawer), wanted, taken, rule?.rawValue ?? 0)
  }

  /// Whether a host's table has a field, all of which are pointers: HEADER_HAS.
  @inline(__always)
  static func reaches(_ table: UnsafePointer<header_host>, past field: PartialKeyPath<header_host>) -> Bool {
    guard let offset = MemoryLayout<header_host>.offset(of: field) else { return false }
    return unsafe Int(table.pointee.struct_size) >= offset + MemoryLayout<UnsafeRawPointer>.size
  }

  func explain(_ reason: String) {
    unsafe reason.withCString { unsafe table.pointee.explain(context, $0) }
  }
}
