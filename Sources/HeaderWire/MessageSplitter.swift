// SPDX-License-Identifier: MIT
//
// Bytes in any pieces in, whole messages out, of the encoding that the first byte opens (headerd-connection(7), LINES).
//
//     undecided ──`{` or white space──▶ lines
//         ╰── 89 48 44 01 ──▶ frames
//         ╰── anything else ──▶ an error that ends the stream
//
// A message that lies wholly in the present piece is handed out in place. Only what is left at the end of a piece is kept,
// and the beginning of the next piece is appended:
//
//     piece 1   {"id":1}⏎{"id":2}⏎{"i        out: {"id":1}  {"id":2}    kept: {"i
//     piece 2   d":3}⏎{"id":4}⏎              out: {"id":3}  {"id":4}    (the first from the kept bytes)
//
// `⏎` is `\n` or `\r\n`. Lines of nothing but spaces, tabs and carriage returns are skipped. The limit of a message's bytes,
// line ends and frame heads not counted, also holds for unfinished ones: a frame's size comes first, so one that is too long
// is refused before its bytes are kept. Memory grows with the bytes received, not with the size announced; kept memory
// beyond 16 KiB is freed after use.

internal import CHeaderWire
private import Glibc

/// Errors that end a stream.
public enum StreamError: Error, Equatable, Sendable {
  /// A line has more bytes than it may.
  case lineTooLong(limit: Int)
  /// A frame's size exceeds the limit.
  case frameTooLong(size: Int, limit: Int)
  /// A frame's size is less than that of its first eight bytes.
  case frameTooShort(size: Int)
  /// The first byte opens no encoding.
  case unknownOpening(firstByte: UInt8)
  /// The binary encoding's opening, but not the one that is spoken here; `place` of its byte that differs.
  case unknownBinary(place: Int, byte: UInt8)
}

extension StreamError: CustomStringConvertible {
  /// What would do, and what was found.
  public var description: String {
    switch self {
    case .lineTooLong(let limit): "a line has at most \(limit) bytes"
    case .frameTooLong(let size, let limit):
      "a frame has at most \(limit) bytes behind its first eight, its size says \(size)"
    case .frameTooShort(let size): "a frame has at least 8 bytes, its size says \(size)"
    case .unknownOpening(let first):
      "a connection begins with { or white space, or with 89 48 44 01, got byte \(first)"
    case .unknownBinary(let place, let byte): "frames begin with 89 48 44 01, got byte \(byte) at \(place)"
    }
  }
}

/// How a connection's messages are written.
public enum Encoding: Sendable {
  /// One JSON message a line.
  case lines
  /// The binary encoding of header_wire.h.
  case frames
}

/// Cuts a stream into lines or frames, keeping only the unfinished one.
@safe package struct MessageSplitter: ~Copyable {
  /// A message; valid until the next call and as long as the piece is.
  @safe package enum Message {
    /// A line without its end.
    case line(UnsafeRawBufferPointer)
    /// The binary opening is whole; frames follow.
    case opening
    case frame(Frame)
  }

  /// The opening of the binary encoding; the last byte is its version.
  static let opening: InlineArray<4, UInt8> = [0x89, 0x48, 0x44, 0x01]
  /// The same, to be sent on.
  package static var openingBytes: [UInt8] { opening.indices.map { opening[$0] } }
  private static let maxKeptBytes = 16_384
  private static let headSize = MemoryLayout<header_wire_frame>.size

  /// nil until the first byte came; of the binary one until its opening is whole.
  package private(set) var encoding: Encoding?
  private var openingCount = 0
  private let limit: Int
  /// The beginning of the unfinished message, or the message that was handed out last, if it began in an earlier piece.
  private var tail = Bytes()
  private var tailIsSpent = false

  /// A splitter at the beginning of a stream. `limit` bounds a message's bytes, line ends and frame heads not counted.
  /// - Parameter encoding: how they are written, if that is known; nil: the first byte decides.
  package init(limit: Int, encoding: Encoding? = nil) {
    precondition(limit > 0, "a message may have at least one byte")
    self.limit = limit
    self.encoding = encoding
  }

  /// Bytes of a message that has begun and not ended.
  package var unfinishedCount: Int { encoding == nil ? openingCount : tailIsSpent ? 0 : tail.count }

  /// Whether memory of the message that was handed out last is still held: the next call gives it back.
  @inline(__always)
  var holdsSpentBytes: Bool { tailIsSpent }

  /// The next message; nil when the piece is used up and the rest of it kept.
  ///
  /// Call it with the same piece, the cursor beginning at 0, until it returns nil; a caller that stops earlier continues later with the
  /// bytes behind the cursor.
  @inline(__always)
  package mutating func next(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    switch encoding {
    case .lines: return try unsafe nextLine(in: piece, from: &cursor)
    case .frames: return try unsafe nextFrame(in: piece, from: &cursor)
    case nil: return try unsafe open(piece, from: &cursor)
    }
  }

  /// Calls `body` with a copy of each line that a piece of a stream of lines ends, and keeps the rest.
  /// - Throws: `lineTooLong`, and the errors of `body`; the stream is then at its end.
  package mutating func forEachLine(in piece: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    try unsafe piece.withUnsafeBytes { piece in
      var cursor = 0
      while case .line(let line)? = try unsafe next(in: piece, from: &cursor) { try body(unsafe [UInt8](line)) }
    }
  }

  private mutating func open(
    _ piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    while cursor < piece.count, openingCount < Self.opening.count {
      let byte = unsafe piece[cursor]
      if openingCount == 0 {
        switch byte {
        case UInt8(ascii: "{"), 0x20, 0x09, 0x0A, 0x0D:
          encoding = .lines
          return try unsafe nextLine(in: piece, from: &cursor)
        case Self.opening[0]: break
        default: throw .unknownOpening(firstByte: byte)
        }
      } else if byte != Self.opening[openingCount] {
        throw .unknownBinary(place: openingCount, byte: byte)
      }
      openingCount += 1
      cursor += 1
    }
    guard openingCount == Self.opening.count else { return nil }
    encoding = .frames
    return .opening
  }

  private mutating func forgetSpentTail() {
    guard tailIsSpent else { return }
    tail.removeAll(keepingUpTo: Self.maxKeptBytes)
    tailIsSpent = false
  }
}

// MARK: - Lines

extension MessageSplitter {
  @inline(__always)
  private mutating func nextLine(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    // Nearly all lines lie wholly in the piece and begin with a brace.
    if tail.count == 0, cursor < piece.count, let start = piece.baseAddress,
      unsafe piece[cursor] == UInt8(ascii: "{"), let found = unsafe memchr(start + cursor, 0x0A, piece.count &- cursor)
    {
      let count = unsafe UnsafeRawPointer(found) - (start + cursor)
      if count <= limit, unsafe piece[cursor &+ count &- 1] != UInt8(ascii: "\r") {
        let line = unsafe UnsafeRawBufferPointer(start: start + cursor, count: count)
        cursor &+= count &+ 1
        return unsafe .line(line)
      }
    }
    return try unsafe nextLineInParts(in: piece, from: &cursor)
  }

  /// A line that is incomplete, or that began in an earlier piece, or is unusual.
  @inline(never)
  private mutating func nextLineInParts(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    forgetSpentTail()
    while cursor < piece.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: piece[cursor...])
      guard let start = rest.baseAddress, let end = unsafe memchr(start, 0x0A, rest.count) else {
        try unsafe keepLine(rest)
        cursor = piece.count
        return nil
      }
      let length = unsafe UnsafeRawPointer(end) - start
      cursor += length + 1
      let line = try unsafe finishLine(UnsafeRawBufferPointer(rebasing: rest[..<length]))
      if unsafe !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return unsafe .line(line) }
      forgetSpentTail()
    }
    return nil
  }

  /// The whole line that a piece ends, in place if nothing was kept.
  private mutating func finishLine(_ end: UnsafeRawBufferPointer) throws(StreamError) -> UnsafeRawBufferPointer {
    var line = unsafe end
    if tail.count > 0 {
      try unsafe keepLine(end)
      tailIsSpent = true
      unsafe line = tail.contents
    }
    if unsafe line.last == UInt8(ascii: "\r") { unsafe line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    guard line.count <= limit else { throw .lineTooLong(limit: limit) }
    return unsafe line
  }

  /// Keeps bytes of an unfinished line; one byte more than a line may have is taken if it can belong to the line's end.
  private mutating func keepLine(_ bytes: UnsafeRawBufferPointer) throws(StreamError) {
    let allowance = unsafe bytes.last == UInt8(ascii: "\r") ? 1 : 0
    guard bytes.count == 0 || tail.count + bytes.count <= limit + allowance else { throw .lineTooLong(limit: limit) }
    unsafe tail.push(bytes)
  }
}

// MARK: - Frames

extension MessageSplitter {
  @inline(__always)
  private mutating func nextFrame(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    // Nearly all frames lie wholly in the piece.
    let left = piece.count &- cursor
    if tail.count == 0, left >= Self.headSize, let start = piece.baseAddress {
      let head = unsafe (start + cursor).loadUnaligned(as: header_wire_frame.self)
      let size = Int(head.size)
      if size >= Self.headSize, size &- Self.headSize <= limit, size <= left {
        let bytes = unsafe UnsafeRawBufferPointer(start: start + cursor, count: size)
        cursor &+= size
        return unsafe .frame(Frame(kind: head.kind, bytes: bytes))
      }
    }
    return try unsafe nextFrameInParts(in: piece, from: &cursor)
  }

  /// A frame that is not all there, or that began in an earlier piece, or that is none.
  @inline(never)
  private mutating func nextFrameInParts(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    forgetSpentTail()
    // The first of a piece behind one that was kept is read where it lies.
    guard tail.count > 0 || piece.count > cursor else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: piece[cursor...])
    if tail.count == 0, bytes.count >= Self.headSize, try unsafe frameSize(of: bytes) <= bytes.count {
      return try unsafe next(in: piece, from: &cursor)
    }
    guard unsafe keepFrame(upTo: Self.headSize, of: piece, from: &cursor) else { return nil }
    let size = try unsafe frameSize(of: tail.contents)
    guard unsafe keepFrame(upTo: size, of: piece, from: &cursor) else { return nil }
    tailIsSpent = true
    let kind = unsafe tail.contents.loadUnaligned(as: header_wire_frame.self).kind
    return unsafe .frame(Frame(kind: kind, bytes: tail.contents))
  }

  /// Keeps bytes until there are that many; false when the piece ends before.
  private mutating func keepFrame(
    upTo count: Int, of piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) -> Bool {
    let taken = min(max(0, count - tail.count), piece.count - cursor)
    unsafe tail.push(UnsafeRawBufferPointer(rebasing: piece[cursor..<cursor + taken]))
    cursor += taken
    return tail.count >= count
  }

  private func frameSize(of bytes: UnsafeRawBufferPointer) throws(StreamError) -> Int {
    let size = Int(unsafe bytes.loadUnaligned(as: header_wire_frame.self).size)
    guard size >= Self.headSize else { throw .frameTooShort(size: size) }
    guard size - Self.headSize <= limit else { throw .frameTooLong(size: size, limit: limit) }
    return size
  }
}
