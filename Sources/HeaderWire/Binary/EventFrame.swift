// SPDX-License-Identifier: MIT
//
// The events of a frame. As with lines (PlainEvent.swift) there are two decoders. The fast one reads a usual event into the
// engine's own struct, without a tree or an allocation. Unusual events (a bit that does not belong to the kind, a number out
// of range, fields in JSON) become the tree that their line would be; the decoder of lines reads it and reports what is
// wrong. So both encodings mean the same.
//
//     size given kind flags time offset │ correction amount target source … │ scroll view │ JSON
//     ╰───────── 32 bytes, most ────────╯╰──────────── 56 bytes ────────────╯╰─ by their sizes ─╯

internal import CHeaderWire
public import HeaderModel

/// The events of one frame, taken one by one. Good for as long as the frame is.
@safe package struct EventFrame {
  /// 0: the only header that the connection opened.
  let handle: UInt64
  /// The id for the answer; 0: the client wants none.
  let id: UInt64
  /// Events that the frame says it still has.
  private(set) var remaining: Int
  private let bytes: UnsafeRawBufferPointer
  private var cursor = MemoryLayout<header_wire_events>.size

  @inline(__always)
  init(_ head: header_wire_events, _ bytes: UnsafeRawBufferPointer) {
    handle = head.handle
    id = head.id
    remaining = Int(head.count)
    unsafe self.bytes = bytes
  }

  var address: ReplyAddress { id == 0 ? .notification : .frame(id) }

  /// The next event; nil behind the last.
  /// - Throws: `parseError` when the bytes do not add up to the sizes.
  @inline(__always)
  package mutating func next() throws(HeaderError) -> EventRecord? {
    let left = unsafe bytes.count - cursor
    guard remaining > 0 else {
      if left > 0 { throw .frame("\(left) bytes follow the frame's last event", at: cursor) }
      return nil
    }
    guard left >= EventRecord.headSize else { throw ended(left) }
    let head = unsafe bytes.loadUnaligned(fromByteOffset: cursor, as: header_wire_event.self)
    let size = Int(head.size)
    guard size <= left else { throw ended(left) }
    let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[cursor..<cursor + max(size, EventRecord.headSize)])
    guard unsafe size == EventRecord.headSize || (size >= EventRecord.longSize && EventRecord.fits(record)) else {
      throw .frame(
        "an event has 32 bytes, or 88 and those of its scroll view's name and its JSON; its size says \(size)",
        at: cursor)
    }
    cursor += size
    remaining -= 1
    return unsafe EventRecord(head, record)
  }

  /// The one event, if it is a usual one and nothing follows it.
  var onlyUsualEvent: TimedEvent? {
    var events = self
    do {
      var timed = TimedEvent(ScrollEvent(.didScroll))
      guard let record = try events.next(), record.read(into: &timed) else { return nil }
      return try events.next() == nil ? timed : nil
    } catch {
      return nil
    }
  }

  private func ended(_ left: Int) -> HeaderError {
    .frame("the frame ends inside an event: \(left) bytes are left, and \(remaining) events by its count", at: cursor)
  }
}

/// The events of one EVENT or EVENTS frame, with a copy of its bytes.
public struct FrameEvents: Sendable {
  private let bytes: [UInt8]
  /// Whether the frame was EVENTS, whose answer has a list of results.
  public let isBatch: Bool
  /// How many there are by the frame's count.
  public let count: Int

  init(_ bytes: [UInt8], count: Int, isBatch: Bool) {
    self.bytes = bytes
    self.count = count
    self.isBatch = isBatch
  }

  /// Lends the events one by one.
  /// - Parameter body: called for each event with its index.
  /// - Throws: `parseError` when the bytes do not add up to the sizes, and the errors of `body`.
  public func forEach(_ body: (EventRecord, Int) throws(HeaderError) -> Void) throws(HeaderError) {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(HeaderError) in
      var events = unsafe EventFrame(bytes.loadUnaligned(as: header_wire_events.self), bytes)
      var index = 0
      while let record = try events.next() {
        try body(record, index)
        index += 1
      }
    }
  }
}

/// One event as it lies in its frame. Good for as long as the frame is.
@safe public struct EventRecord {
  static let headSize = MemoryLayout<header_wire_event>.size
  static let longSize = headSize + MemoryLayout<header_wire_event_more>.size
  private let head: header_wire_event
  private let bytes: UnsafeRawBufferPointer

  @inline(__always)
  init(_ head: header_wire_event, _ bytes: UnsafeRawBufferPointer) {
    self.head = head
    unsafe self.bytes = bytes
  }

  /// Whether the sizes inside a long event add up to its own.
  static func fits(_ record: UnsafeRawBufferPointer) -> Bool {
    let more = unsafe record.loadUnaligned(fromByteOffset: headSize, as: header_wire_event_more.self)
    return record.count == longSize + Int(more.scroll_view_size) + Int(more.json_size)
  }

  /// The publisher's time; nil when it is not given, or beyond every clock.
  public var time: Instant? {
    head.has(HEADER_WIRE_HAS_TIME) && head.hasSaneTime ? Instant(nanoseconds: head.time) : nil
  }

  /// Decodes the event fast, overwriting all of `timed`; false when `fields(at:)` has to be used. It is written in place
  /// because an event is large and mostly empty.
  @inline(__always)
  public func read(into timed: inout TimedEvent) -> Bool {
    guard unsafe bytes.count == Self.headSize else { return readLong(into: &timed) }
    timed.event.scrollView = nil
    return read(header_wire_event_more(), into: &timed)
  }

  /// The same for a record with all its fields, none of them JSON.
  private func readLong(into timed: inout TimedEvent) -> Bool {
    let more = more
    guard more.json_size == 0, let name = try? name(more) else { return false }
    timed.event.scrollView = more.scroll_view_size > 0 ? name : nil
    return read(more, into: &timed)
  }

  @inline(__always)
  private func read(_ more: header_wire_event_more, into timed: inout TimedEvent) -> Bool {
    guard head.hasSaneTime, Self.isSane(head.offset), read(more, into: &timed.event.kind) else { return false }
    timed.time = head.has(HEADER_WIRE_HAS_TIME) ? Instant(nanoseconds: head.time) : nil
    timed.event.offset = partial(head.offset, HEADER_WIRE_HAS_OFFSET_X, HEADER_WIRE_HAS_OFFSET_Y)
    timed.event.isTracking = head.flag(HEADER_WIRE_HAS_TRACKING, HEADER_WIRE_IS_TRACKING)
    timed.event.isDragging = head.flag(HEADER_WIRE_HAS_DRAGGING, HEADER_WIRE_IS_DRAGGING)
    timed.event.isDecelerating = head.flag(HEADER_WIRE_HAS_DECELERATING, HEADER_WIRE_IS_DECELERATING)
    guard head.has(HEADER_WIRE_HAS_CORRECTION_X | HEADER_WIRE_HAS_CORRECTION_Y) else {
      timed.event.correction = nil
      return true
    }
    timed.event.correction = partial(more.correction, HEADER_WIRE_HAS_CORRECTION_X, HEADER_WIRE_HAS_CORRECTION_Y)
    return Self.isSane(more.correction)
  }

  @inline(__always)
  private func partial(_ point: header_wire_point, _ x: Int, _ y: Int) -> PartialPoint? {
    guard head.has(x | y) else { return nil }
    return PartialPoint(x: head.has(x) ? point.x : nil, y: head.has(y) ? point.y : nil)
  }

  /// Decodes the kind, if the event has exactly the fields that belong to it.
  @inline(__always)
  private func read(_ more: header_wire_event_more, into kind: inout ScrollEvent.Kind) -> Bool {
    let own = Int(head.given) & ~Self.common
    switch Int(head.kind) {
    case HEADER_WIRE_DID_SCROLL:
      kind = .didScroll
      return own == 0 && head.has(HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y)
    case HEADER_WIRE_WILL_BEGIN_DRAGGING: kind = .willBeginDragging
    case HEADER_WIRE_WILL_END_DRAGGING: return readEnd(more, own, into: &kind)
    case HEADER_WIRE_DID_END_DRAGGING:
      kind = .didEndDragging(willDecelerate: head.isYes)
      return own == HEADER_WIRE_HAS_YES
    case HEADER_WIRE_WILL_BEGIN_DECELERATING: kind = .willBeginDecelerating
    case HEADER_WIRE_DID_END_DECELERATING: kind = .didEndDecelerating
    case HEADER_WIRE_DID_END_SCROLLING_ANIMATION: kind = .didEndScrollingAnimation
    default: return false
    }
    return own == 0
  }

  private func readEnd(_ more: header_wire_event_more, _ own: Int, into kind: inout ScrollEvent.Kind) -> Bool {
    guard own & ~(Self.amount | Self.target) == 0, Self.isSane(more.amount), Self.isSane(more.target) else {
      return false
    }
    let velocity = Point(
      x: head.has(HEADER_WIRE_HAS_AMOUNT_X) ? more.amount.x : 0,
      y: head.has(HEADER_WIRE_HAS_AMOUNT_Y) ? more.amount.y : 0)
    kind = .willEndDragging(
      velocity: velocity, targetOffset: partial(more.target, HEADER_WIRE_HAS_TARGET_X, HEADER_WIRE_HAS_TARGET_Y))
    return true
  }

  // MARK: - Fields

  private static let common =
    HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y | HEADER_WIRE_HAS_TRACKING
    | HEADER_WIRE_HAS_DRAGGING | HEADER_WIRE_HAS_DECELERATING | HEADER_WIRE_HAS_CORRECTION_X
    | HEADER_WIRE_HAS_CORRECTION_Y
  private static let amount = HEADER_WIRE_HAS_AMOUNT_X | HEADER_WIRE_HAS_AMOUNT_Y
  private static let target = HEADER_WIRE_HAS_TARGET_X | HEADER_WIRE_HAS_TARGET_Y

  /// Also checks numbers that are not given; `fields(at:)` ignores those.
  @inline(__always)
  private static func isSane(_ point: header_wire_point) -> Bool {
    isWithinBound(point.x) && isWithinBound(point.y)
  }

  private var more: header_wire_event_more {
    unsafe bytes.count == Self.headSize
      ? header_wire_event_more()
      : bytes.loadUnaligned(fromByteOffset: Self.headSize, as: header_wire_event_more.self)
  }

  private func name(_ more: header_wire_event_more) throws(HeaderError) -> String {
    let bytes = unsafe bytes[Self.longSize..<Self.longSize + Int(more.scroll_view_size)]
    guard let name = unsafe String(validating: bytes, as: UTF8.self) else {
      throw .frame("the scroll view's name is not UTF-8", at: Self.longSize)
    }
    return name
  }

  // MARK: - As a tree

  /// The fields by name, as the event's line would have them.
  /// - Throws: `parseError` when its JSON is none or its name is not UTF-8, `invalidParams` when a field stands twice.
  public func fields(at path: Path) throws(HeaderError) -> Value.Record {
    let more = more
    var record = Value.Record()
    let name = kindName
    record["event"] = name.map { .text($0.rawValue) } ?? .number(Double(head.kind))
    if head.has(HEADER_WIRE_HAS_TIME) { record["time"] = .number(Instant(nanoseconds: head.time).seconds) }
    if more.scroll_view_size > 0 {
      record["scrollView"] = .text(try self.name(more))
    } else if name == .willChangeTrackingScrollView || name == .setTrackingScrollView {
      record["scrollView"] = .null
    }
    record["offset"] = partial(head.offset, HEADER_WIRE_HAS_OFFSET_X, HEADER_WIRE_HAS_OFFSET_Y)?.value
    record["correction"] = partial(more.correction, HEADER_WIRE_HAS_CORRECTION_X, HEADER_WIRE_HAS_CORRECTION_Y)?.value
    record["isTracking"] = head.flag(HEADER_WIRE_HAS_TRACKING, HEADER_WIRE_IS_TRACKING).map { .bool($0) }
    record["isDragging"] = head.flag(HEADER_WIRE_HAS_DRAGGING, HEADER_WIRE_IS_DRAGGING).map { .bool($0) }
    record["isDecelerating"] = head.flag(HEADER_WIRE_HAS_DECELERATING, HEADER_WIRE_IS_DECELERATING).map { .bool($0) }
    if head.has(HEADER_WIRE_HAS_YES) { record[Self.yesName(name)] = .bool(head.isYes) }
    addAmount(more, name, to: &record)
    record["targetOffset"] = partial(more.target, HEADER_WIRE_HAS_TARGET_X, HEADER_WIRE_HAS_TARGET_Y)?.value
    if head.has(HEADER_WIRE_HAS_SOURCE) {
      let source = ScrollSource(rawValue: Int32(more.source))
      record["source"] = source.map { .text($0.word) } ?? .number(Double(more.source))
    }
    try addJSON(more, at: path, to: &record)
    return record
  }

  private var kindName: EventName? {
    switch Int(head.kind) {
    case HEADER_WIRE_SET_CONTENT_OFFSET: .setContentOffset
    case HEADER_WIRE_SET_OPTIONS: .setOptions
    case HEADER_WIRE_CALL: .call
    case HEADER_WIRE_ADVANCE: .advance
    case let kind: DelegateEventKind(rawValue: Int32(kind)).flatMap { EventName(rawValue: $0.word) }
    }
  }

  private static func yesName(_ kind: EventName?) -> String {
    switch kind {
    case .setContentOffset: "animated"
    case .layout: "pass"
    default: "willDecelerate"
    }
  }

  private func addAmount(_ more: header_wire_event_more, _ kind: EventName?, to record: inout Value.Record) {
    let (x, y) = (HEADER_WIRE_HAS_AMOUNT_X, HEADER_WIRE_HAS_AMOUNT_Y)
    switch kind {
    case .willScroll, .didOverscroll: record["delta"] = partial(more.amount, x, y)?.value
    case .willTransition:
      var size = Value.Record()
      if head.has(x) { size["width"] = .number(more.amount.x) }
      if head.has(y) { size["height"] = .number(more.amount.y) }
      if head.has(x | y) { record["size"] = .record(size) }
    case .advance:
      if head.has(x) { record["frameDuration"] = .number(more.amount.x) }
      if head.has(y) { record["velocity"] = ["y": .number(more.amount.y)] }
    default: record["velocity"] = partial(more.amount, x, y)?.value
    }
  }

  private func addJSON(
    _ more: header_wire_event_more, at path: Path, to record: inout Value.Record
  ) throws(HeaderError) {
    guard more.json_size > 0 else { return }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[(Self.longSize + Int(more.scroll_view_size))...])
    let value = try unsafe Envelope.tree(text)
    guard case .record(let fields) = value else {
      throw .unexpected(value, at: path, needed: "an object behind the event", expected: "record")
    }
    // The JSON itself has no name twice.
    let own = record
    for field in fields.fields {
      guard own[field.name] == nil else {
        throw HeaderError(
          .invalidParams, "\((path + field.name).text): it stands in the event and again in its JSON",
          field: (path + field.name).text)
      }
      record.fields.append(field)
    }
  }
}
