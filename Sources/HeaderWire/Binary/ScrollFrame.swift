// SPDX-License-Identifier: MIT
//
// The fastest decoder of frames: nearly all frames are 64 bytes with one didScroll, its time and its offset.
//
//     size 64 │ EVENT │ id 0 │ handle │ count 1 │  size 32 │ given │ didScroll │ 0 │ time │ offset
//     ╰───────────── 32 bytes ──────────────────╯╰──────────────── 32 bytes ───────────────────────╯
//
// Other frames are left to EventFrame.swift, which also reports what is wrong; a property test checks that both agree.

internal import CHeaderWire
internal import HeaderModel

extension ScrollMessage {
  /// Reads a frame; nil when another decoder has to read it.
  @inline(__always)
  package init?(frame: Frame) {
    guard unsafe frame.bytes.count == Self.size, frame.isEvent, let start = unsafe frame.bytes.baseAddress else {
      return nil
    }
    let head = unsafe start.loadUnaligned(as: header_wire_events.self)
    let event = unsafe start.loadUnaligned(
      fromByteOffset: MemoryLayout<header_wire_events>.size, as: header_wire_event.self)
    let given = Int(event.given)
    guard head.count == 1, head.id == 0, event.size == EventRecord.headSize, event.kind == HEADER_WIRE_DID_SCROLL,
      given & ~Self.usual == 0, event.has(HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y),
      isWithinBound(event.offset.x), isWithinBound(event.offset.y), event.hasSaneTime
    else { return nil }
    self.init(byteCount: Self.size)
    if head.handle != 0 { header = .handle(head.handle) }
    if event.has(HEADER_WIRE_HAS_TIME) { time = Instant(nanoseconds: event.time) }
    if event.has(HEADER_WIRE_HAS_OFFSET_X) { offset.x = event.offset.x }
    if event.has(HEADER_WIRE_HAS_OFFSET_Y) { offset.y = event.offset.y }
  }

  private static let size = MemoryLayout<header_wire_events>.size + EventRecord.headSize
  /// The fields that the fast path reads.
  private static let usual = HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y
}

extension header_wire_event {
  @inline(__always)
  func has(_ bits: Int) -> Bool { Int(given) & bits != 0 }

  @inline(__always)
  func flag(_ given: Int, _ bit: Int) -> Bool? { has(given) ? Int(flags) & bit != 0 : nil }

  /// The answer of the question that some kinds ask.
  @inline(__always)
  var isYes: Bool { Int(flags) & HEADER_WIRE_IS_YES != 0 }

  /// Within the bounds of times, or not given.
  @inline(__always)
  var hasSaneTime: Bool { !has(HEADER_WIRE_HAS_TIME) || time.magnitude <= Instant.maxNanoseconds.magnitude }
}
