// SPDX-License-Identifier: MIT
//
// Lines come out the same however the stream was cut into pieces.

import HeaderWire
import Testing

@Suite struct LineSplitterTests {
  static let stream = "{\"id\":1}\n\n{\"id\":2}\r\n \t\r\n\r\n x \r\r\nlonger line, 29 bytes of text\nend\n"
  static let lines = ["{\"id\":1}", "{\"id\":2}", " x \r", "longer line, 29 bytes of text", "end"]

  /// Feeds pieces, each in memory of exactly its size, and gathers the lines.
  private func split(_ pieces: [[UInt8]], limit: Int = 64) throws(StreamError) -> (lines: [String], unfinished: Int) {
    var splitter = MessageSplitter(limit: limit, encoding: .lines)
    var lines: [String] = []
    for bytes in pieces {
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      defer { unsafe piece.deallocate() }
      unsafe piece.copyBytes(from: bytes)
      var cursor = 0
      while let line = try unsafe splitter.nextLine(in: UnsafeRawBufferPointer(piece), from: &cursor) {
        lines.append(unsafe String(decoding: line, as: UTF8.self))
      }
    }
    return (lines, splitter.unfinishedCount)
  }

  @Test func wholeStreamAtOnce() throws {
    let result = try split([Array(Self.stream.utf8)])
    #expect(result.lines == Self.lines)
    #expect(result.unfinished == 0)
  }

  @Test func cutAtEveryByte() throws {
    let bytes = Array(Self.stream.utf8)
    for cut in 0...bytes.count {
      #expect(try split([Array(bytes[..<cut]), Array(bytes[cut...])]).lines == Self.lines)
      for second in cut...bytes.count {
        let pieces = [Array(bytes[..<cut]), Array(bytes[cut..<second]), Array(bytes[second...])]
        #expect(try split(pieces).lines == Self.lines)
      }
    }
  }

  @Test func oneByteAtATime() throws {
    #expect(try split(Self.stream.utf8.map { [$0] }).lines == Self.lines)
  }

  @Test func anUnfinishedLineIsKept() throws {
    let result = try split([Array("a\nbc".utf8), [], Array("de".utf8)])
    #expect(result.lines == ["a"])
    #expect(result.unfinished == 4)
  }

  @Test func wholeLinesAreNotCopied() throws {
    var splitter = MessageSplitter(limit: 64, encoding: .lines)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
    defer { unsafe piece.deallocate() }
    unsafe piece.copyBytes(from: Array("ab\r\ncd\n\n".utf8))
    let bytes = UnsafeRawBufferPointer(piece)
    var cursor = 0
    let first = try unsafe splitter.nextLine(in: bytes, from: &cursor)
    let firstIsInPlace = unsafe first?.baseAddress == bytes.baseAddress
    #expect(firstIsInPlace)
    #expect(cursor == 4)
    let second = try unsafe splitter.nextLine(in: bytes, from: &cursor)
    let secondIsInPlace = unsafe second?.baseAddress == bytes.baseAddress.map { unsafe $0 + 4 }
    #expect(secondIsInPlace)
  }

  @Test(arguments: ["\n", "\r\n"]) func theLimitHoldsHoweverALineIsCut(end: String) throws {
    let fits = Array((String(repeating: "x", count: 10) + end).utf8)
    let exceeds = Array((String(repeating: "x", count: 11) + end).utf8)
    for cut in 0...fits.count {
      #expect(try split([Array(fits[..<cut]), Array(fits[cut...])], limit: 10).lines.count == 1)
    }
    for cut in 0...exceeds.count {
      let error = #expect(throws: StreamError.self) {
        try split([Array(exceeds[..<cut]), Array(exceeds[cut...])], limit: 10)
      }
      #expect(error == .lineTooLong(limit: 10))
    }
  }

  @Test func anEndlessLineIsRefusedEarly() throws {
    for byte in [UInt8(ascii: "x"), UInt8(ascii: " "), UInt8(ascii: "\r")] {
      #expect(throws: StreamError.self) { try split([[byte]] + Array(repeating: [byte], count: 11), limit: 10) }
    }
  }

  @Test func largeTailsAreGivenBackAndSmallOnesReused() throws {
    let large = Array(String(repeating: "y", count: 50_000).utf8)
    let result = try split([large, large, Array("\nz\nab".utf8), Array("c\n".utf8)], limit: 100_000)
    #expect(result.lines.map(\.utf8.count) == [100_000, 1, 3])
  }
}

extension MessageSplitter {
  /// The next line of a stream of lines.
  fileprivate mutating func nextLine(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> UnsafeRawBufferPointer? {
    guard case .line(let line)? = try unsafe next(in: piece, from: &cursor) else { return nil }
    return unsafe line
  }
}
