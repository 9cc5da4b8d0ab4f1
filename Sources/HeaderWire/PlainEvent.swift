// SPDX-License-Identifier: MIT
//
// The fast decoder of events: reads a line with one event in one pass, without a tree in between, an answer wanted or not.
//
//     {"id":7,"method":"event","params":{"event":"willEndDragging","velocity":{"y":0.8},"targetOffset":{"y":210}}}
//
// Members may have any order, and a space behind each colon and comma, as Python writes them. Unusual lines (a field that is
// unknown or of another type, an escape, a number out of range, other white space) are left to the general decoder
// (Envelope.swift, `TimedEvent`), which reports what is wrong. A property test checks that both agree.

internal import HeaderModel

/// A single event as it lies in its line. Valid as long as the line's bytes are.
@safe package struct PlainEvent {
  /// The request's id; nil: a notification.
  private var id: Int?
  /// nil: left out.
  private var header: JSONString?
  private var kind: EventName?
  private var time: Instant?
  private var scrollView: JSONString?
  private var offset: PartialPoint?
  private var correction: PartialPoint?
  private var velocity: PartialPoint?
  private var targetOffset: PartialPoint?
  private var delta: PartialPoint?
  private var source: ScrollSource?
  private var willDecelerate: Bool?
  private var isTracking: Bool?
  private var isDragging: Bool?
  private var isDecelerating: Bool?
  private var byteCount = 0

  /// One that is not read yet.
  package init() {}

  /// Reads a line without its end; false when the general decoder has to read it.
  @inline(__always)
  package mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    guard var cursor = unsafe PlainCursor(line), cursor.tryConsume("{") else { return false }
    byteCount = line.count
    var (isEvent, isVersioned) = (false, false)
    repeat {
      if !isEvent, cursor.tryConsume(member: #""method":"#) {
        isEvent = cursor.tryConsume(#""event""#)
        guard isEvent else { return false }
      } else if kind == nil, cursor.tryConsume(member: #""params":"#) {
        guard let rest = readParams(cursor) else { return false }
        cursor = rest
      } else if id == nil, cursor.tryConsume(member: #""id":"#) {
        id = cursor.readWhole()
        guard id != nil else { return false }
      } else if !isVersioned, cursor.tryConsume(member: #""jsonrpc":"#) {
        isVersioned = cursor.tryConsume(#""2.0""#)
        guard isVersioned else { return false }
      } else {
        return false
      }
    } while cursor.tryConsumeComma()
    return isEvent && kind != nil && cursor.tryConsume("}") && cursor.isAtEnd
  }

  /// Takes the parameters, and returns the place behind them (see `PlainCursor.point`); nil when something is not plain.
  @inline(__always)
  private mutating func readParams(_ place: PlainCursor) -> PlainCursor? {
    var cursor = place
    guard cursor.tryConsume("{") else { return nil }
    repeat {
      guard readMember(&cursor) else { return nil }
    } while cursor.tryConsumeComma()
    return kind != nil && cursor.tryConsume("}") ? cursor : nil
  }

  @inline(__always)
  private mutating func readMember(_ cursor: inout PlainCursor) -> Bool {
    if cursor.tryConsume(member: #""header":"#) { return Self.take(&header, cursor.readString()) }
    if cursor.tryConsume(member: #""event":"#) { return Self.take(&kind, cursor.readString().flatMap(Self.kind)) }
    if cursor.tryConsume(member: #""time":"#) { return Self.take(&time, cursor.readInstant()) }
    if cursor.tryConsume(member: #""offset":"#) { return Self.take(&offset, cursor.readPoint()) }
    if cursor.tryConsume(member: #""velocity":"#) { return Self.take(&velocity, cursor.readPoint()) }
    if cursor.tryConsume(member: #""targetOffset":"#) { return Self.take(&targetOffset, cursor.readPoint()) }
    if cursor.tryConsume(member: #""correction":"#) { return Self.take(&correction, cursor.readPoint()) }
    if cursor.tryConsume(member: #""willDecelerate":"#) { return Self.take(&willDecelerate, cursor.readBool()) }
    if cursor.tryConsume(member: #""scrollView":"#) { return Self.take(&scrollView, cursor.readString()) }
    if cursor.tryConsume(member: #""delta":"#) { return Self.take(&delta, cursor.readPoint()) }
    if cursor.tryConsume(member: #""source":"#) { return Self.take(&source, cursor.readString().flatMap(Self.source)) }
    if cursor.tryConsume(member: #""isTracking":"#) { return Self.take(&isTracking, cursor.readBool()) }
    if cursor.tryConsume(member: #""isDragging":"#) { return Self.take(&isDragging, cursor.readBool()) }
    if cursor.tryConsume(member: #""isDecelerating":"#) { return Self.take(&isDecelerating, cursor.readBool()) }
    return false
  }

  @inline(__always)
  private static func take<Part>(_ member: inout Part?, _ part: Part?) -> Bool {
    guard member == nil, let part else { return false }
    member = part
    return true
  }

  private static func kind(_ word: JSONString) -> EventName? {
    switch word {
    case "didScroll": .didScroll
    case "willBeginDragging": .willBeginDragging
    case "willEndDragging": .willEndDragging
    case "didEndDragging": .didEndDragging
    case "willBeginDecelerating": .willBeginDecelerating
    case "didEndDecelerating": .didEndDecelerating
    case "didEndScrollingAnimation": .didEndScrollingAnimation
    case "shouldScrollToTop": .shouldScrollToTop
    case "didScrollToTop": .didScrollToTop
    case "willScroll": .willScroll
    case "didOverscroll": .didOverscroll
    case "willFling": .willFling
    default: nil
    }
  }

  private static func source(_ word: JSONString) -> ScrollSource? {
    switch word {
    case "drag": .drag
    case "fling": .fling
    case "program": .program
    default: nil
    }
  }
}

extension PlainEvent {
  /// Whether it is a `ScrollMessage`.
  @inline(__always)
  package var isScroll: Bool {
    kind == .didScroll && offset != nil && id == nil && hasNoFields && scrollView == nil && isTracking == nil
      && isDragging == nil && isDecelerating == nil
  }

  /// Whether it has no field of a kind's own.
  @inline(__always)
  private var hasNoFields: Bool {
    velocity == nil && targetOffset == nil && delta == nil && source == nil && willDecelerate == nil
  }

  /// The event as one, if it is one.
  @inline(__always)
  package var scroll: ScrollMessage {
    ScrollMessage(
      header: header.map { .name($0) } ?? .only, time: time, offset: offset ?? PartialPoint(), correction: correction,
      byteCount: byteCount)
  }

  /// The event as a command; nil when the general decoder has to read it.
  package var command: Command? {
    var command: Command?
    return put(into: &command) ? command : nil
  }

  /// The same without a copy of it on the way; false when the general decoder has to read it.
  @inline(__always)
  package func put(into command: inout Command?) -> Bool {
    guard let kind = kindWithFields else { return false }
    // In one expression: with a name for the event the compiler copies it once more.
    command = Command(
      id.map { .request(.integer($0)) } ?? .notification, .event, header: header.map { .name($0.string) } ?? .only,
      body: .event(
        TimedEvent(
          ScrollEvent(
            kind, scrollView: scrollView?.string, offset: offset, correction: correction, isTracking: isTracking,
            isDragging: isDragging, isDecelerating: isDecelerating), time: time)), byteCount: byteCount)
    return true
  }

  /// The kind with its own fields; nil when there is a field of another kind, or none that it must have.
  @inline(__always)
  private var kindWithFields: ScrollEvent.Kind? {
    switch kind {
    case .willEndDragging:
      guard delta == nil, source == nil, willDecelerate == nil else { return nil }
      return .willEndDragging(
        velocity: (velocity ?? PartialPoint()).filled(from: Point()), targetOffset: targetOffset)
    case .didEndDragging:
      guard velocity == nil, targetOffset == nil, delta == nil, source == nil, let willDecelerate else { return nil }
      return .didEndDragging(willDecelerate: willDecelerate)
    case .willFling:
      guard targetOffset == nil, delta == nil, source == nil, willDecelerate == nil, let velocity else { return nil }
      return .willFling(velocity: velocity.filled(from: Point()))
    case .willScroll, .didOverscroll:
      guard velocity == nil, targetOffset == nil, willDecelerate == nil, let source, let delta else { return nil }
      let whole = delta.filled(from: Point())
      return kind == .willScroll
        ? .willScroll(delta: whole, source: source) : .didOverscroll(delta: whole, source: source)
    case let kind where !hasNoFields || kind == .didScroll && offset == nil: return nil
    case .didScroll: return .didScroll
    case .willBeginDragging: return .willBeginDragging
    case .willBeginDecelerating: return .willBeginDecelerating
    case .didEndDecelerating: return .didEndDecelerating
    case .didEndScrollingAnimation: return .didEndScrollingAnimation
    case .shouldScrollToTop: return .shouldScrollToTop
    case .didScrollToTop: return .didScrollToTop
    default: return nil
    }
  }
}

/// Whether headerd-connection(7), UNITS AND SHAPES, allows a number of this size.
@inline(__always)
func isWithinBound(_ number: Double) -> Bool { abs(number) <= FieldReader.bound }

/// Whether it allows a time of that many seconds.
@inline(__always)
func isTime(_ seconds: Double) -> Bool { abs(seconds) <= Instant.maxSeconds }
