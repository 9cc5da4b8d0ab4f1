// SPDX-License-Identifier: MIT
//
// A line that is like the one before it means the same on the shortest road as on the others.

import HeaderCore
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct LineShapeTests {
  /// What a road made of a line.
  private struct Reading: Equatable {
    var address: ReplyAddress
    var header: String?
    var event: Value.Record

    init(_ address: ReplyAddress, _ plain: PlainEvent) {
      self.address = address
      header = plain.header?.string
      event = plain.timed.value
    }
  }

  private final class Connection {
    private var shape = LineShape()

    /// A line by the road of any plain event; the shape learns it.
    func plainly(_ line: String) -> Reading? {
      var reading: Reading?
      unsafe Array(line.utf8).withUnsafeBytes { bytes in
        try? unsafe Envelope.read(bytes) { envelope in
          guard let params = envelope.params, let plain = PlainEvent(params) else { return }
          reading = Reading(envelope.address, plain)
          unsafe shape.learn(bytes, envelope, plain)
        }
      }
      return reading
    }

    /// A line by the shortest road.
    func shortly(_ line: String) -> Reading? {
      unsafe Array(line.utf8).withUnsafeBytes { bytes in
        unsafe shape.read(bytes).map { Reading($0.address, $0.event) }
      }
    }
  }

  private static let usual =
    #"{"id":7,"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"x":0,"y":12.5},"isDragging":true}}"#

  @Test(arguments: [
    usual,
    usual.replacing("7", with: "8").replacing("1.25", with: "1.2667").replacing("12.5", with: "-19"),
    usual.replacing("1.25", with: "1e3").replacing("\"x\":0", with: "\"x\":-0.0"),
    usual.replacing("7", with: "999999999999999"), usual.replacing("7", with: "0"),
  ])
  func readsWhatIsAlike(_ line: String) throws {
    let connection = Connection()
    #expect(connection.shortly(line) == nil)
    _ = connection.plainly(Self.usual)
    let short = try #require(connection.shortly(line))
    #expect(short == connection.plainly(line))
  }

  @Test(arguments: [
    usual + " ", usual.replacing("main", with: "mane"), usual.replacing("12.5", with: "12."),
    usual.replacing("12.5", with: "012.5"), usual.replacing("12.5", with: "\"12.5\""),
    usual.replacing("12.5", with: "2e9"),
    usual.replacing("12.5", with: "1e999"), usual.replacing("12.5", with: "null"), usual.replacing("7", with: "-7"),
    usual.replacing("7", with: "07"), usual.replacing("7", with: "7.0"), usual.replacing("7", with: "1000000000000000"),
    usual.replacing("7", with: "\"a\""), usual.replacing("true", with: "false"), String(usual.dropLast()), "",
    usual.replacing("didScroll", with: "didScrolL"), usual.replacing("1.25", with: "1.25,\"correction\":{\"y\":1}"),
  ])
  func leavesTheRestToTheOthers(_ line: String) {
    let connection = Connection()
    _ = connection.plainly(Self.usual)
    #expect(connection.shortly(line) == nil)
  }

  @Test(arguments: [
    #"{"method":"event","params":{"event":"willBeginDragging","time":1}}"#,
    #"{"id":"a","method":"event","params":{"event":"didScroll","offset":{"y":1}}}"#,
    #"{"method":"event","extra":1,"params":{"event":"didScroll","offset":{"y":1}}}"#,
    #"{"method":"event","params":{"event":"didScroll","offset":{"y":1},"scrollView":"a"}}"#,
  ])
  func learnsOnlyWhatIsLikelyToComeAgain(_ line: String) {
    let connection = Connection()
    _ = connection.plainly(line)
    #expect(connection.shortly(line) == nil)
  }

  /// Lines of a few shapes with numbers of every kind, right and wrong, one after the other.
  @Test func allRoadsMeanTheSame() {
    let shapes = [
      #"{"method":"event","params":{"header":"a.b","event":"didScroll","time":#,"offset":{"y":#}}}"#,
      #"{"id":#,"method":"event","params":{"event":"didScroll","offset":{"x":#,"y":#}}}"#,
      #" {"params":{"correction":{"y":#,"x":#},"offset":{"y":#},"event":"didScroll"} , "method":"event" , "id":#}"#,
      #"{"method":"event","params":{"offset":{"y":#},"isTracking":false,"header":"ä","time":#,"event":"didScroll"}}"#,
    ]
    let numbers = [
      "0", "-0", "12.5", "1.2667", "-104", "1e3", "1E-2", "3.0000000000000004", "1e9", "1.1e9", "00", "1.", "-", "0x1",
      "1e999", "7",
      "16", "123456789012345", "1234567890123456",
    ]
    var random = SplitMix64(seed: 20_261_121)
    let connection = Connection()
    var short = 0
    var pieces: [Substring] = []
    for _ in 0..<20_000 {
      // A few of a kind, then another kind.
      if pieces.isEmpty || Int.random(in: 0..<8, using: &random) == 0 {
        pieces = (shapes.randomElement(using: &random) ?? "").split(separator: "#")
      }
      let line = pieces.dropFirst().reduce(String(pieces[0])) { line, piece in
        line + (numbers.prefix(Bool.random(using: &random) ? 7 : 99).randomElement(using: &random) ?? "") + piece
      }
      let reading = connection.shortly(line)
      let plain = connection.plainly(line)
      guard let reading else { continue }
      short += 1
      if reading != plain { Issue.record("\(line): \(reading), by the other road \(String(describing: plain))") }
    }
    #expect(short > 4_000)
  }
}
