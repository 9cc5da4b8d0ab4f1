// SPDX-License-Identifier: MIT
//
// Bytes in any pieces in, whole lines out.
//
// A line that lies wholly in the present piece is handed out in place. Only what is left at the end of a piece is kept, and
// the beginning of the next piece is appended:
//
//     piece 1   {"id":1}⏎{"id":2}⏎{"i        out: {"id":1}  {"id":2}    kept: {"i
//     piece 2   d":3}⏎{"id":4}⏎              out: {"id":3}  {"id":4}    (the first from the kept bytes)
//
// `⏎` is `\n` or `\r\n`. Lines of nothing but spaces, tabs and carriage returns are skipped. The limit of a line's bytes, its
// end not counted, also holds for unfinished lines. Kept memory beyond 16 KiB is freed after use.

import Glibc

/// A line had more bytes than allowed; nothing sensible can follow on the same stream.
public struct LineTooLong: Error, Equatable, Sendable {
  /// The bytes a line may have.
  public var limit: Int
}

extension LineTooLong: CustomStringConvertible {
  /// The sentence for people.
  public var description: String { "a line has more than \(limit) bytes" }
}

/// Cuts a stream into lines, keeping only the unfinished one.
@safe public struct LineSplitter: ~Copyable {
  /// Bytes that a line may have, its end not counted.
  public let limit: Int
  private var tail = Bytes()
  private(set) var tailIsSpent = false
  private static let keptBytesMax = 16_384

  /// A splitter at the beginning of a stream.
  public init(limit: Int) {
    precondition(limit > 0, "a line may have at least one byte")
    self.limit = limit
  }

  /// Bytes of a line that has begun and not ended.
  public var unfinishedCount: Int { tailIsSpent ? 0 : tail.count }

  /// The next line, without its end; nil when the piece is used up and the rest of it kept.
  ///
  /// Call it with the same piece, the cursor beginning at 0, until it returns nil; a caller that stops earlier goes on
  /// later with the bytes behind the cursor. The line is good until the next call and as long as the piece is.
  public mutating func next(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(LineTooLong) -> UnsafeRawBufferPointer? {
    // Nearly all lines lie wholly in the piece and begin with a brace.
    if tail.count == 0, cursor < piece.count, let start = piece.baseAddress,
      unsafe piece[cursor] == UInt8(ascii: "{"), let found = unsafe memchr(start + cursor, 0x0A, piece.count &- cursor)
    {
      let count = unsafe UnsafeRawPointer(found) - (start + cursor)
      if count <= limit, unsafe piece[cursor &+ count &- 1] != UInt8(ascii: "\r") {
        let line = unsafe UnsafeRawBufferPointer(start: start + cursor, count: count)
        cursor &+= count &+ 1
        return unsafe line
      }
    }
    return try unsafe nextInParts(in: piece, from: &cursor)
  }

  /// Calls `body` with a copy of each line that a piece ends, and keeps the rest.
  /// - Throws: `LineTooLong`, and what `body` throws; the stream is then at its end.
  public mutating func forEachLine(in piece: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    try unsafe piece.withUnsafeBytes { piece in
      var cursor = 0
      while let line = try unsafe next(in: piece, from: &cursor) { try body(unsafe [UInt8](line)) }
    }
  }

  /// `next` for a line that is incomplete, or that began in an earlier piece, or is unusual.
  @inline(never)
  private mutating func nextInParts(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(LineTooLong) -> UnsafeRawBufferPointer? {
    forgetSpentTail()
    while cursor < piece.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: piece[cursor...])
      guard let length = unsafe newline(in: rest) else {
        try unsafe keep(rest)
        cursor = piece.count
        return nil
      }
      cursor += length + 1
      let line = try unsafe finish(UnsafeRawBufferPointer(rebasing: rest[..<length]))
      if unsafe !isBlank(line) { return unsafe line }
      forgetSpentTail()
    }
    return nil
  }

  private mutating func forgetSpentTail() {
    guard tailIsSpent else { return }
    tail.removeAll(keepingUpTo: Self.keptBytesMax)
    tailIsSpent = false
  }

  /// The whole line that a piece ends, in place if nothing was kept.
  private mutating func finish(_ end: UnsafeRawBufferPointer) throws(LineTooLong) -> UnsafeRawBufferPointer {
    if tail.count == 0 {
      let line = unsafe withoutReturn(end)
      guard line.count <= limit else { throw LineTooLong(limit: limit) }
      return unsafe line
    }
    try unsafe keep(end)
    tailIsSpent = true
    let line = unsafe withoutReturn(tail.contents)
    guard line.count <= limit else { throw LineTooLong(limit: limit) }
    return unsafe line
  }

  /// Keeps bytes of an unfinished line; one byte more than a line may have is taken if it can belong to the line's end.
  private mutating func keep(_ bytes: UnsafeRawBufferPointer) throws(LineTooLong) {
    let count = tail.count + bytes.count
    let allowance = unsafe bytes.last == UInt8(ascii: "\r") ? 1 : 0
    guard bytes.count == 0 || count <= limit + allowance else { throw LineTooLong(limit: limit) }
    tail.reserve(bytes.count)
    unsafe tail.push(bytes)
  }

  private func newline(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, let found = unsafe memchr(start, 0x0A, bytes.count) else { return nil }
    return unsafe UnsafeRawPointer(found) - start
  }

  private func withoutReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard unsafe line.last == UInt8(ascii: "\r") else { return unsafe line }
    return unsafe UnsafeRawBufferPointer(rebasing: line.dropLast())
  }

  private func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    unsafe line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
