// SPDX-License-Identifier: MIT
//
// The members of a daemon's line that the bridge needs, found without reading all of it: the daemon always writes its messages' first
// members in the same order (headerd-protocol(7)).

internal import HeaderWire

enum DaemonLine {
  case state(header: String, epoch: Int64, seq: Int64)
  case closed(header: String)
  /// A recording's next message; `content` is the part behind its number.
  case trace(Int, TraceKind, content: Range<Int>)
  /// An answer, with the bytes of its id.
  case answer(id: [UInt8])
  case other

  enum TraceKind {
    case beginning, step, end
  }

  init(_ line: [UInt8]) {
    var cursor = Cursor(line)
    self = .other
    if cursor.skip(#"{"jsonrpc":"2.0","id":"#) {
      self = .answer(id: Array(line[cursor.place..<cursor.endOfValue()]))
    } else if cursor.skip(#"{"jsonrpc":"2.0","method":""#) {
      if cursor.skip(#"state","params":{"header":""#) {
        let header = cursor.text()
        guard cursor.skip(#"","epoch":"#), let epoch = cursor.number(), cursor.skip(#","seq":"#),
          let seq = cursor.number()
        else { return }
        self = .state(header: header, epoch: epoch, seq: seq)
      } else if cursor.skip(#"closed","params":{"header":""#) {
        self = .closed(header: cursor.text())
      } else if cursor.skip(#"trace","params":{"trace":"#), let number = cursor.number() {
        self = Self.trace(Int(clamping: number), &cursor, line.count)
      }
    }
  }

  private static func trace(_ number: Int, _ cursor: inout Cursor, _ count: Int) -> DaemonLine {
    if cursor.skip(#","step":"#) { return .trace(number, .step, content: cursor.place..<max(cursor.place, count - 2)) }
    if cursor.skip(#","ended":"#) { return .trace(number, .end, content: count..<count) }
    guard cursor.skip(",") else { return .other }
    return .trace(number, .beginning, content: cursor.place..<max(cursor.place, count - 2))
  }
}

/// Reads expected text, byte by byte.
struct Cursor {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    let isEqual = (0..<count).allSatisfy { unsafe bytes[place + $0] == text.utf8Start[$0] }
    if isEqual { place += count }
    return isEqual
  }

  /// Up to a quotation mark; names have none that are escaped.
  mutating func text() -> String {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  mutating func number() -> Int64? {
    let start = place
    var number: Int64 = 0
    while place < bytes.count, place - start < 16, case let digit = bytes[place] &- 0x30, digit <= 9 {
      number = number * 10 + Int64(digit)
      place += 1
    }
    return place == start ? nil : number
  }

  /// Where a number or a text ends that begins here.
  func endOfValue() -> Int {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
      return bytes[place...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? bytes.count
    }
    var end = place + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(end + 1, bytes.count)
  }
}

extension RequestID {
  var bytes: [UInt8] {
    switch self {
    case .integer(let number): Array(String(number).utf8)
    case .raw(let bytes): bytes
    }
  }
}
