// SPDX-License-Identifier: MIT
//
// Lines as clients read them. A reader of its own: the daemon's must not judge what the daemon's writer wrote, and Foundation's
// takes longer than the daemon.

/// A JSON value, looked into by names; what is not there is absent, and so is everything in it.
struct JSON {
  private enum Tree: Equatable {
    case object([Member]), list([Tree]), text(String), number(String), bool(Bool), null
  }

  private struct Member: Equatable {
    let name: String
    let value: Tree
  }

  private let tree: Tree?
  /// The line that it was read from.
  let text: String

  /// A line that is no JSON.
  struct Malformed: Error {}

  /// Reads a text.
  init(_ text: String) throws(Malformed) {
    self.text = text
    var reader = Reader(text)
    guard let tree = reader.whole() else { throw Malformed() }
    self.tree = tree
  }

  private init(_ tree: Tree?, in text: String) { (self.tree, self.text) = (tree, text) }

  private var members: [Member] { if case .object(let members)? = tree { members } else { [] } }

  /// A member of an object.
  subscript(_ name: String) -> JSON { JSON(members.first { $0.name == name }?.value, in: text) }

  /// Whether there is nothing; null is something.
  var isAbsent: Bool { tree == nil }
  /// A number that is an integer.
  var int: Int? { if case .number(let digits)? = tree { Int(digits) } else { nil } }
  /// A bool.
  var bool: Bool? { if case .bool(let bool)? = tree { bool } else { nil } }
  /// A text.
  var string: String? { if case .text(let string)? = tree { string } else { nil } }
  /// The names of an object's members, sorted.
  var keys: [String] { members.map(\.name).sorted() }
  /// The elements of a list; none when it is no list.
  var list: [JSON] { if case .list(let list)? = tree { list.map { JSON($0, in: text) } } else { [] } }
  /// The texts in a list.
  var strings: [String] { list.compactMap(\.string) }

  /// Whether two values are written the same.
  func isSame(as other: JSON) -> Bool { tree == other.tree }
}

// MARK: - Reading

extension JSON {
  /// RFC 8259 to the letter; nil is what is not.
  private struct Reader {
    private let bytes: [UInt8]
    private var place = 0
    private static let maxDepth = 200

    init(_ text: String) { bytes = Array(text.utf8) }

    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    mutating func whole() -> Tree? {
      guard let tree = value(0) else { return nil }
      return place == bytes.count ? tree : nil
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    private mutating func skipSpace() { while [0x20, 0x09, 0x0D].contains(next) { place += 1 } }

    private mutating func value(_ depth: Int) -> Tree? {
      guard depth < Self.maxDepth else { return nil }
      skipSpace()
      defer { skipSpace() }
      switch Unicode.Scalar(next) {
      case "{": return parts(depth, "}") { $0.member(depth) }.map(Tree.object)
      case "[": return parts(depth, "]") { $0.value(depth + 1) }.map(Tree.list)
      case "\"": return string().map(Tree.text)
      case "t": return word("true") ? .bool(true) : nil
      case "f": return word("false") ? .bool(false) : nil
      case "n": return word("null") ? .null : nil
      default: return number()
      }
    }

    /// What stands between brackets, with commas.
    private mutating func parts<Part>(
      _ depth: Int, _ end: Unicode.Scalar, _ read: (inout Reader) -> Part?
    ) -> [Part]? {
      place += 1
      skipSpace()
      var parts: [Part] = []
      if takes(end) { return parts }
      repeat {
        guard let part = read(&self) else { return nil }
        parts.append(part)
      } while takes(",")
      return takes(end) ? parts : nil
    }

    private mutating func member(_ depth: Int) -> Member? {
      skipSpace()
      guard next == UInt8(ascii: "\""), let name = string() else { return nil }
      skipSpace()
      guard takes(":"), let value = value(depth + 1) else { return nil }
      return Member(name: name, value: value)
    }

    private mutating func word(_ word: StaticString) -> Bool {
      let end = place + word.utf8CodeUnitCount
      guard end <= bytes.count, "\(word)".utf8.elementsEqual(bytes[place..<end]) else { return false }
      place = end
      return true
    }

    private mutating func digits() -> Bool {
      let start = place
      while UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { place += 1 }
      return place > start
    }

    private mutating func number() -> Tree? {
      let start = place
      _ = takes("-")
      if !takes("0"), !digits() { return nil }
      if takes("."), !digits() { return nil }
      if takes("e") || takes("E") {
        if !takes("-") { _ = takes("+") }
        guard digits() else { return nil }
      }
      return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func string() -> String? {
      place += 1
      var text = ""
      var start = place
      while place < bytes.count, bytes[place] >= 0x20 {
        switch Unicode.Scalar(bytes[place]) {
        case "\"":
          let piece = String(decoding: bytes[start..<place], as: UTF8.self)
          place += 1
          return text.isEmpty ? piece : text + piece
        case "\\":
          text += String(decoding: bytes[start..<place], as: UTF8.self)
          place += 1
          guard let scalar = escaped() else { return nil }
          text.unicodeScalars.append(scalar)
          start = place
        default: place += 1
        }
      }
      return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
      let letter = next
      place += 1
      switch Unicode.Scalar(letter) {
      case "\"", "\\", "/": return Unicode.Scalar(letter)
      case "b": return "\u{8}"
      case "f": return "\u{C}"
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "u":
        guard let high = hexadecimal() else { return nil }
        guard 0xD800..<0xDC00 ~= high else { return Unicode.Scalar(high) }
        guard takes("\\"), takes("u"), let low = hexadecimal(), 0xDC00..<0xE000 ~= low else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      default: return nil
      }
    }

    private mutating func hexadecimal() -> UInt32? {
      guard place + 4 <= bytes.count else { return nil }
      defer { place += 4 }
      let digits = bytes[place..<place + 4]
      guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
      return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
  }
}
