// SPDX-License-Identifier: MIT
//
// A connection's bytes, cut into messages of the encoding that its first byte opens (headerd-protocol(7), Lines).
//
//     undecided ──`{` or white space──▶ lines
//         ╰── 89 48 44 01 ──▶ frames
//         ╰── anything else ──▶ an error that ends the stream

/// Why a stream cannot go on.
public enum StreamError: Error, Equatable, Sendable {
  /// A line has more bytes than it may.
  case lineTooLong(limit: Int)
  /// A frame's size is beyond what it may be.
  case frameTooLong(size: Int, limit: Int)
  /// A frame's size is less than that of its first eight bytes.
  case frameTooShort(size: Int)
  /// The first byte opens no encoding.
  case unknownOpening(firstByte: UInt8)
  /// The binary encoding's opening, but not the one that is spoken here; `place` of its byte that differs.
  case unknownBinary(place: Int, byte: UInt8)
}

/// How a connection's messages are written.
public enum Encoding: Sendable {
  /// JSON Lines.
  case lines
  /// The binary encoding of header_wire.h.
  case frames
}

/// Cuts a stream into lines or frames, keeping only the unfinished one.
@safe package struct MessageSplitter: ~Copyable {
  /// What was cut off; good until the next call and as long as the piece is.
  @safe package enum Message {
    /// A line without its end.
    case line(UnsafeRawBufferPointer)
    /// The binary opening is whole; frames follow.
    case opening
    case frame(Frame)
  }

  /// What the binary encoding begins with; the last byte is its version.
  static let opening: InlineArray<4, UInt8> = [0x89, 0x48, 0x44, 0x01]

  /// nil until the first byte came; of the binary one until its opening is whole.
  private(set) var encoding: Encoding?
  private var openingCount = 0
  private var lines: LineSplitter
  private var frames: FrameSplitter

  /// A splitter at the beginning of a stream; messages have at most so many bytes, line ends and frame heads not counted.
  /// - Parameter encoding: how they are written, if that is known; nil: the first byte will tell.
  package init(limit: Int, encoding: Encoding? = nil) {
    lines = LineSplitter(limit: limit)
    frames = FrameSplitter(limit: limit)
    self.encoding = encoding
  }

  /// Bytes of a message that has begun and not ended.
  package var unfinishedCount: Int {
    switch encoding {
    case nil: openingCount
    case .lines: lines.unfinishedCount
    case .frames: frames.unfinishedCount
    }
  }

  /// Whether memory of the message that was handed out last is still held: the next call gives it back.
  @inline(__always)
  var holdsSpentBytes: Bool { lines.tailIsSpent || frames.tailIsSpent }

  /// The next message; nil when the piece is used up and the rest of it kept.
  ///
  /// Call it with the same piece, the cursor beginning at 0, until it returns nil; a caller that stops earlier goes on
  /// later with the bytes behind the cursor.
  @inline(__always)
  package mutating func next(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    switch encoding {
    case .lines: return try unsafe nextLine(in: piece, from: &cursor)
    case .frames:
      guard let frame = try unsafe frames.next(in: piece, from: &cursor) else { return nil }
      return .frame(frame)
    case nil: return try unsafe open(piece, from: &cursor)
    }
  }

  private mutating func nextLine(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    do {
      guard let line = try unsafe lines.next(in: piece, from: &cursor) else { return nil }
      return unsafe .line(line)
    } catch {
      throw .lineTooLong(limit: error.limit)
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
}
