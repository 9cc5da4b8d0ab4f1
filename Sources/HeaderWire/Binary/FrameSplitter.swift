// SPDX-License-Identifier: MIT
//
// Bytes in any pieces in, whole frames out. As in LineSplitter, a frame that lies wholly in the present piece is handed out in
// place; only what is left at the end of a piece is kept.
//
//     size kind 0 ▒▒▒▒▒▒▒▒▒▒ size kind 0 ▒▒▒▒ size ki│nd 0 ▒▒▒▒▒▒
//     ╰────────  frame ────╯ ╰──── frame ───╯ ╰ kept ╯ piece 2
//
// The size comes first, so a frame that is too long is refused before its bytes are kept, and an impossible size ends the
// stream. Memory grows with the bytes received, not with the size announced.

internal import CHeaderWire

/// Cuts a stream into frames, keeping only the unfinished one.
@safe struct FrameSplitter: ~Copyable {
  /// Bytes that a frame may have behind its first eight.
  let limit: Int
  private var tail = Bytes()
  private(set) var tailIsSpent = false
  private static let keptBytesMax = 16_384
  private static let headSize = MemoryLayout<header_wire_frame>.size

  init(limit: Int) {
    precondition(limit > 0, "a frame may have at least one byte")
    self.limit = limit
  }

  /// Bytes of a frame that has begun and not ended.
  var unfinishedCount: Int { tailIsSpent ? 0 : tail.count }

  /// The next frame; nil when the piece is used up and the rest of it kept. Called as `LineSplitter.next` is.
  @inline(__always)
  mutating func next(in piece: UnsafeRawBufferPointer, from cursor: inout Int) throws(StreamError) -> Frame? {
    // Nearly all frames lie wholly in the piece.
    let left = piece.count &- cursor
    if tail.count == 0, left >= Self.headSize, let start = piece.baseAddress {
      let head = unsafe (start + cursor).loadUnaligned(as: header_wire_frame.self)
      let size = Int(head.size)
      if size >= Self.headSize, size &- Self.headSize <= limit, size <= left {
        let bytes = unsafe UnsafeRawBufferPointer(start: start + cursor, count: size)
        cursor &+= size
        return unsafe Frame(kind: head.kind, bytes: bytes)
      }
    }
    return try unsafe nextInParts(in: piece, from: &cursor)
  }

  /// A frame that is not all there, or that began in an earlier piece, or that is none.
  @inline(never)
  private mutating func nextInParts(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Frame? {
    if tailIsSpent {
      tail.removeAll(keepingUpTo: Self.keptBytesMax)
      tailIsSpent = false
    }
    // The first of a piece behind one that was kept is read where it lies.
    guard tail.count > 0 || piece.count > cursor else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: piece[cursor...])
    if tail.count == 0, bytes.count >= Self.headSize, try unsafe size(of: bytes) <= bytes.count {
      return try unsafe next(in: piece, from: &cursor)
    }
    guard unsafe take(upTo: Self.headSize, of: piece, from: &cursor) else { return nil }
    let size = try unsafe size(of: tail.contents)
    guard unsafe take(upTo: size, of: piece, from: &cursor) else { return nil }
    tailIsSpent = true
    return unsafe frame(tail.contents)
  }

  /// Keeps bytes until there are so many; false when the piece ends before.
  private mutating func take(upTo count: Int, of piece: UnsafeRawBufferPointer, from cursor: inout Int) -> Bool {
    let taken = min(max(0, count - tail.count), piece.count - cursor)
    tail.reserve(taken)
    unsafe tail.push(UnsafeRawBufferPointer(rebasing: piece[cursor..<cursor + taken]))
    cursor += taken
    return tail.count >= count
  }

  private func size(of bytes: UnsafeRawBufferPointer) throws(StreamError) -> Int {
    let size = Int(UInt32(littleEndian: unsafe bytes.loadUnaligned(as: UInt32.self)))
    guard size >= Self.headSize else { throw .frameTooShort(size: size) }
    guard size - Self.headSize <= limit else { throw .frameTooLong(size: size, limit: limit) }
    return size
  }

  private func frame(_ bytes: UnsafeRawBufferPointer) -> Frame {
    unsafe Frame(kind: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)), bytes: bytes)
  }
}
