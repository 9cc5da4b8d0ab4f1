// SPDX-License-Identifier: MIT
//
// The shortest road of a frame: nearly all that ever come are 64 bytes with one didScroll in them and nothing beside its
// time and its offset.
//
//     size 64 │ EVENT │ id │ handle │ count 1 │  size 32 │ given │ didScroll │ 0 │ time │ offset
//     ╰──────────── 32 bytes ─────────────────╯╰──────────────── 32 bytes ───────────────────────╯
//
// Such a frame is read with one look at each of its fields. Any other is read by the other roads (EventFrame.swift),
// which also say what is wrong with it; a property test holds this one to meaning the same.

internal import CHeaderWire
public import HeaderCore

/// A frame's didScroll.
public struct ScrollFrame {
  /// 0: the only header that the connection opened.
  public let handle: UInt64
  /// What its answer goes to; 0: nobody waits for one.
  public let id: UInt64
  /// The publisher's time; nil: when it was read.
  public let time: Instant?
  /// Where the content is; one axis at least is given.
  public let offset: PartialPoint

  /// Reads a frame; nil when another road has to be taken.
  @inline(__always)
  public init?(_ frame: Frame) {
    guard unsafe frame.bytes.count == Self.size, frame.isEvent, let start = unsafe frame.bytes.baseAddress else {
      return nil
    }
    let head = unsafe start.loadUnaligned(as: header_wire_events.self)
    let event = unsafe start.loadUnaligned(
      fromByteOffset: MemoryLayout<header_wire_events>.size, as: header_wire_event.self)
    let given = Int(event.given)
    guard head.count == 1, event.size == EventRecord.headSize, event.kind == HEADER_WIRE_DID_SCROLL,
      given & ~Self.usual == 0, event.has(HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y),
      isWithinBound(event.offset.x), isWithinBound(event.offset.y), event.hasSaneTime
    else { return nil }
    handle = head.handle
    id = head.id
    time = event.has(HEADER_WIRE_HAS_TIME) ? Instant(nanoseconds: event.time) : nil
    offset = PartialPoint(
      x: event.has(HEADER_WIRE_HAS_OFFSET_X) ? event.offset.x : nil,
      y: event.has(HEADER_WIRE_HAS_OFFSET_Y) ? event.offset.y : nil)
  }

  /// The event and its time.
  @inline(__always)
  public var timed: TimedEvent { TimedEvent(ScrollEvent(.didScroll, offset: offset), time: time) }

  private static let size = MemoryLayout<header_wire_events>.size + EventRecord.headSize
  /// What it may have.
  private static let usual = HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y
}

extension header_wire_event {
  /// Whether a field is given.
  @inline(__always)
  func has(_ bits: Int) -> Bool { Int(given) & bits != 0 }

  /// A flag, if it is given.
  @inline(__always)
  func flag(_ given: Int, _ bit: Int) -> Bool? { has(given) ? Int(flags) & bit != 0 : nil }

  /// Within the bounds of times, or not given.
  @inline(__always)
  var hasSaneTime: Bool { !has(HEADER_WIRE_HAS_TIME) || time.magnitude <= Instant.nanosecondsMost.magnitude }
}
