// SPDX-License-Identifier: MIT

import Fanout
import HeaderTestKit
import HeaderWire
import Testing
import WebBridge

@Suite struct RelayTests {
  /// What a filter makes of a text that comes in pieces.
  func filtered(_ text: String, roles: Roles, cutAt cuts: [Int] = []) throws -> (permitted: String, refusals: String) {
    var filter = RoleFilter(roles, name: "test", encoding: .lines, limit: 1000)
    let bytes = Array(text.utf8)
    let ends = cuts + [bytes.count]
    var (permitted, refusals, start): ([UInt8], [UInt8], Int) = ([], [], 0)
    for end in ends {
      let piece = Array(bytes[start..<end])
      let result = try unsafe filter.read(piece.span.bytes)
      permitted += result.permitted
      refusals += result.refusals
      start = end
    }
    return (String(decoding: permitted, as: UTF8.self), String(decoding: refusals, as: UTF8.self))
  }

  static let lines = [
    #"{"id":1,"method":"subscribe","params":{"headers":"a"}}"#,
    #"{"method":"event","params":{"event":"didScroll","offset":{"y":1}}}"#,
    #"{"id":2,"method":"header.close","params":{"header":"a"}}"#,
    #"{"id":3,"method":"ping"}"#,
  ]

  @Test func whereverItIsCut() throws {
    let text = Self.lines.map { "\($0)\n" }.joined()
    let whole = try filtered(text, roles: .subscribe)
    #expect(whole.permitted == "\(Self.lines[0])\n\(Self.lines[3])\n")
    #expect(whole.refusals.split(separator: "\n").count == 2)
    #expect(whole.refusals.contains(#""method":"error""#) && whole.refusals.contains(#""id":2,"error""#))
    for cut in 0...text.utf8.count {
      let cutOnce = try filtered(text, roles: .subscribe, cutAt: [cut])
      #expect(cutOnce.permitted == whole.permitted && cutOnce.refusals == whole.refusals, "cut at \(cut)")
    }
  }

  /// What is no request is the daemon's to refuse, byte for byte as it came.
  @Test func whatIsNoRequestIsPassedOn() throws {
    for line in ["[]", "{", #"{"id":1,"method":"no.such"}"#, #"{"method":7}"#, "\u{FFFD}"] {
      let result = try filtered("\(line)\n", roles: .subscribe)
      #expect(result.permitted == "\(line)\n" && result.refusals.isEmpty, "\(line)")
    }
  }

  @Test func aLineThatIsTooLong() {
    let text = String(repeating: " ", count: 2000)
    let ending = #expect(throws: RoleFilter.Ending.self) { try filtered(text, roles: .subscribe) }
    #expect(ending?.message == "not the protocol: a line has at most 1000 bytes")
  }

  @Test func wholeLines() {
    let text = Array("ab\ncdé\n\nf\nrest".utf8)
    for first in 0...text.count {
      for second in first...text.count {
        var lines = WholeLines()
        var pieces: [[UInt8]] = []
        for range in [0..<first, first..<second, second..<text.count] {
          let piece = Array(text[range])
          unsafe lines.forEachPiece(in: piece.span.bytes) { bytes in
            pieces.append((0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) })
          }
        }
        #expect(pieces.allSatisfy { $0.last == 0x0A }, "\(first) \(second)")
        #expect(pieces.flatMap { $0 } == Array("ab\ncdé\n\nf\n".utf8), "\(first) \(second)")
      }
    }
  }
}
