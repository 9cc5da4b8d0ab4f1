// SPDX-License-Identifier: MIT
//
// Frames written straight into bytes that are used again and again: a struct of header_wire.h is copied as it is, texts
// stand behind it, JSON inside a frame is written by the JSON writer into the same bytes.
//
//     writer.begin(header_wire_gap())      size 0, kind 0, zero, handle, …      size and kind are filled in at the end
//     writer.text("overflow")              … o v e r f l o w
//     writer.end(HEADER_WIRE_GAP)          size 48, kind 0x93, …
//
// The structs lie in memory as they lie on the wire, on every machine that Swift for Linux runs on: little-endian.

internal import CHeaderWire
internal import HeaderModel

#if !_endian(little)
  #error("the structs of header_wire.h are copied as they lie in memory, which must be little-endian")
#endif

/// Appends frames to a buffer of its own.
@safe public struct FrameWriter: ~Copyable {
  /// The buffer, and the writer for JSON in frames.
  var json = JSONWriter()
  /// Where the frame begins that was begun last.
  private(set) var start = 0
  /// The record of a line that `record` translates; nil: the members come from the daemon's own record.
  var line: LenientRecord?
  /// The grid of lengths in a state's records; nil: they are exact.
  var grid: Grid?
  /// What follows the struct that `record` writes: a text that comes after the next text, and the members of a JSON object.
  var (later, object) = ("", Value.Record())

  /// A writer with nothing written; memory comes with the first byte.
  public init() {}

  /// Bytes written so far.
  public var count: Int { json.count }

  /// Lends the bytes written so far.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe json.withUnsafeBytes(body)
  }

  /// A copy of the bytes written so far, shared by all receivers.
  public func copy() -> [UInt8] { json.copy() }

  /// Drops the written bytes and keeps the memory, unless it is larger than `maxCapacity`.
  public mutating func removeAll(keepingUpTo maxCapacity: Int = .max) { json.removeAll(keepingUpTo: maxCapacity) }

  /// The daemon's first bytes, before its first frame.
  public mutating func opening() {
    for index in MessageSplitter.opening.indices { put(MessageSplitter.opening[index]) }
  }

  /// A JSON-RPC object: what `body` writes, without the end of its line.
  public mutating func jsonFrame(_ body: (inout JSONWriter) -> Void) {
    begin(header_wire_frame())
    json.beginText()
    body(&json)
    json.withdrawLineEnd()
    end(HEADER_WIRE_JSON)
  }

  // MARK: - Pieces

  /// Begins a frame with its struct, whose size and kind are filled in when it ends.
  @inline(__always)
  mutating func begin<Head: BitwiseCopyable>(_ head: Head) {
    start = count
    put(head)
  }

  @inline(__always)
  mutating func end(_ kind: Int) {
    patch(UInt32(truncatingIfNeeded: count - start), at: start)
    patch(UInt16(truncatingIfNeeded: kind), at: start + 4)
  }

  @inline(__always)
  mutating func put<Plain: BitwiseCopyable>(_ plain: Plain) {
    json.bytes.reserve(MemoryLayout<Plain>.size)
    json.bytes.store(plain)
  }

  /// Appends the bytes that a cursor writes, at most `room` of them.
  @inline(__always)
  mutating func write(atMost room: Int, _ body: (inout ByteCursor) -> Void) { json.bytes.write(atMost: room, body) }

  @inline(__always)
  mutating func patch<Plain: BitwiseCopyable>(_ plain: Plain, at place: Int) { json.bytes.overwrite(plain, at: place) }

  /// Writes bytes that are encoded already.
  mutating func raw(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe json.bytes.push($0) }
  }

  /// A text, at most that many bytes of it; its size stands elsewhere.
  mutating func text(_ text: String, atMost limit: Int = .max) {
    var text = text
    text.withUTF8 { bytes in
      unsafe json.bytes.push(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).prefix(limit)))
    }
  }

  /// JSON of a tree; returns its size.
  mutating func value(_ value: Value) -> UInt32 {
    let before = count
    json.beginText()
    json.value(value)
    return UInt32(count - before)
  }
}
