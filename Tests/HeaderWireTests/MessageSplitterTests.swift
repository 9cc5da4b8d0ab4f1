// SPDX-License-Identifier: MIT
//
// Frames come out the same however the stream was cut into pieces, and a stream that makes no sense ends at once.

import HeaderWire
import Testing

@Suite struct MessageSplitterTests {
  static let opening: [UInt8] = [0x89, 0x48, 0x44, 0x01]

  /// A frame of any kind, filled with its kind's number.
  static func frame(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [UInt8(8 + count), 0, 0, 0, kind, 0, 0, 0] + [UInt8](repeating: kind, count: count)
  }

  /// A ping with an id, so that the content can be told too.
  static func ping(_ id: UInt8) -> [UInt8] { [16, 0, 0, 0, 5, 0, 0, 0, id, 0, 0, 0, 0, 0, 0, 0] }

  static let stream = opening + ping(1) + frame(200, 0) + ping(2) + frame(7, 20) + ping(3) + frame(9, 3)
  static let messages = ["opening", "ping 1", "kind 200", "ping 2", "kind 7", "ping 3", "kind 9"]

  /// Feeds pieces, each in memory of exactly its size, and tells what came out.
  private func split(_ pieces: [[UInt8]], limit: Int = 64) throws(StreamError) -> (told: [String], unfinished: Int) {
    var splitter = MessageSplitter(limit: limit)
    var told: [String] = []
    for bytes in pieces {
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      defer { unsafe piece.deallocate() }
      unsafe piece.copyBytes(from: bytes)
      var cursor = 0
      while let message = try unsafe splitter.next(in: UnsafeRawBufferPointer(piece), from: &cursor) {
        told.append(tell(message))
      }
    }
    return (told, splitter.unfinishedCount)
  }

  private func tell(_ message: MessageSplitter.Message) -> String {
    switch message {
    case .opening: return "opening"
    case .line(let line): return unsafe "line \(String(decoding: line, as: UTF8.self))"
    case .frame(let frame):
      let command = Command(frame: frame)
      guard frame.kind == 5, case .frame(let id) = command.address, command.method == .ping else {
        return "kind \(frame.kind)"
      }
      return "ping \(id)"
    }
  }

  /// Each holds its own object, and no sign of the one before it.
  @Test func jsonFramesFollowEachOther() {
    var writer = FrameWriter()
    for isLine in [false, true, false] {
      writer.jsonFrame { json in
        json.beginObject()
        json.endObject()
        if isLine { json.endLine() }
      }
    }
    let frame = [10, 0, 0, 0, 1, 0, 0, 0] + Array("{}".utf8)
    #expect(writer.copy() == frame + frame + frame)
  }

  @Test func wholeStreamAtOnce() throws {
    let result = try split([Self.stream])
    #expect(result.told == Self.messages)
    #expect(result.unfinished == 0)
  }

  @Test func cutAtEveryTwoBytes() throws {
    for cut in 0...Self.stream.count {
      for second in cut...Self.stream.count {
        let pieces = [Array(Self.stream[..<cut]), Array(Self.stream[cut..<second]), Array(Self.stream[second...])]
        #expect(try split(pieces).told == Self.messages, "cut at \(cut) and \(second)")
      }
    }
  }

  @Test func oneByteAtATime() throws { #expect(try split(Self.stream.map { [$0] }).told == Self.messages) }

  @Test func anUnfinishedFrameIsKept() throws {
    #expect(try split([Self.opening + Self.ping(1) + [16, 0]]).unfinished == 2)
    #expect(try split([Self.opening + Self.ping(1) + Array(Self.ping(2)[..<15])]).unfinished == 15)
    #expect(try split([Array(Self.opening[..<3])]).unfinished == 3)
  }

  @Test func sizesThatCannotBe() {
    #expect(throws: StreamError.frameTooShort(size: 7)) { try split([Self.opening + [7, 0, 0, 0, 5, 0, 0, 0]]) }
    #expect(throws: StreamError.frameTooShort(size: 0)) { try split([Self.opening, [0, 0, 0, 0], [5, 0, 0, 0]]) }
    #expect(throws: StreamError.frameTooLong(size: 73, limit: 64)) { try split([Self.opening + Self.frame(5, 65)]) }
    #expect(throws: StreamError.frameTooLong(size: 0xFFFF_FFFF, limit: 64)) {
      try split([Self.opening, [255, 255, 255, 255, 1, 0, 0, 0]])
    }
  }

  @Test func theLargestFrame() throws {
    #expect(try split([Self.opening + Self.frame(9, 64)]).told == ["opening", "kind 9"])
  }

  @Test func openings() throws {
    #expect(try split([Array("{}\n x\n".utf8)]).told == ["line {}", "line  x"])
    #expect(try split([[10, 10] + Array("{}\n".utf8)]).told == ["line {}"])
    #expect(throws: StreamError.unknownOpening(firstByte: 0x47)) { try split([Array("GET / HTTP/1.1\n".utf8)]) }
    #expect(throws: StreamError.unknownBinary(place: 3, byte: 2)) { try split([[0x89, 0x48], [0x44, 0x02]]) }
    #expect(throws: StreamError.unknownBinary(place: 1, byte: 0x50)) { try split([[0x89, 0x50, 0x4E, 0x47]]) }
  }
}
