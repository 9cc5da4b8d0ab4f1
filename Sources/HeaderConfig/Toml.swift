// SPDX-License-Identifier: MIT
//
// TOML to `LocatedValue` by toml++. Copies the whole tree and frees toml++'s. toml++ sorts the keys of a table by name;
// here they are in the order of the file again.

import CToml

struct SyntaxError: Error {
  var position: LocatedValue.Position
  var message: String
}

func parseTOML(_ bytes: Span<UInt8>) throws(SyntaxError) -> LocatedValue {
  var reader = TreeReader(bytes: flatTree(of: bytes))
  return try reader.node()
}

/// The file's tree as bytes, laid out as ctoml.h says.
private func flatTree(of bytes: Span<UInt8>) -> [UInt8] {
  var length = 0
  let tree = unsafe bytes.withUnsafeBytes {
    unsafe ctoml_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &length)
  }
  guard let tree = unsafe tree else { preconditionFailure("no memory left to parse a config file") }
  defer { unsafe ctoml_free(tree) }
  return unsafe Array(UnsafeBufferPointer(start: tree, count: length))
}

/// Reads a tree from its bytes, which are well formed.
private struct TreeReader {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func number(bytes count: Int) -> UInt64 {
    defer { place += count }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func count() -> Int { Int(number(bytes: 4)) }

  private mutating func position() -> LocatedValue.Position {
    let line = count()
    return LocatedValue.Position(line: line, column: count())
  }

  private mutating func text() -> String {
    let count = count()
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  mutating func node() throws(SyntaxError) -> LocatedValue {
    let type = Int(number(bytes: 1))
    let position = position()
    switch type {
    case CTOML_TABLE:
      var entries: [LocatedValue.Entry] = []
      for _ in 0..<count() {
        let (key, keyPosition) = (text(), self.position())
        entries.append(.init(key: key, position: keyPosition, value: try node()))
      }
      return LocatedValue(.table(entries.sorted { $0.position < $1.position }), at: position)
    case CTOML_ARRAY:
      var elements: [LocatedValue] = []
      for _ in 0..<count() { elements.append(try node()) }
      return LocatedValue(.list(elements), at: position)
    case CTOML_TEXT: return LocatedValue(.text(text()), at: position)
    case CTOML_INTEGER: return LocatedValue(.integer(Int64(bitPattern: number(bytes: 8))), at: position)
    case CTOML_NUMBER: return LocatedValue(.number(Double(bitPattern: number(bytes: 8))), at: position)
    case CTOML_BOOL: return LocatedValue(.bool(number(bytes: 1) != 0), at: position)
    case CTOML_ERROR: throw SyntaxError(position: position, message: sentence(text()))
    default: return LocatedValue(.date, at: position)
    }
  }
}

/// toml++'s "Error while parsing WHAT: WHY" as "WHY, while reading a WHAT".
private func sentence(_ message: String) -> String {
  let opening = "Error while parsing "
  guard message.hasPrefix(opening), let colon = message.firstIndex(of: ":") else { return message }
  let what = message[..<colon].dropFirst(opening.count)
  let why = message[colon...].dropFirst(2)
  let article = what.first.map { "aeiou".contains($0) } ?? false ? "an" : "a"
  return "\(why), while reading \(article) \(what)"
}
