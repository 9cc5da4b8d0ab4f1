// SPDX-License-Identifier: MIT
//
// Finding the end of a string and checking every byte on the way.
//
// Eight bytes at a time are looked at as one word. For a word w and a byte b repeated in all places, (w ^ b) has a zero
// byte where w has b, and (x - 0x01…01) & ~x & 0x80…80 marks the zero bytes of x. Borrows can mark a wrong byte only above
// a right one, so the lowest mark is always right, and only the lowest is used. Marked are the quote, the backslash,
// control characters (below 0x20) and everything that is not ASCII; each then gets its own check, after which the words
// go on. The last seven bytes of a text are looked at one by one: nothing beyond its end is ever loaded.

extension JSONReader {
  /// Takes the string whose opening quote is at the cursor.
  mutating func scanString() throws(JSONError) -> JSONString {
    let first = cursor + 1
    var at = first
    var hasEscapes = false
    var isASCII = true
    while true {
      at = plainEnd(from: at)
      guard at < end else { throw unterminated }
      let byte = byte(at: at)
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        at = try escapeEnd(from: at)
      } else if byte < 0x20 {
        let name = JSONError.hex(byte)
        throw JSONError("a string holds the control character \(name); write it as an escape", offset: at)
      } else {
        isASCII = false
        at = try sequenceEnd(from: at)
      }
    }
    cursor = at + 1
    return unsafe JSONString(start: base + first, count: at - first, hasEscapes: hasEscapes, isASCII: isASCII)
  }

  /// The first place that is not an ordinary ASCII character of a string, or the end.
  @inline(__always)
  private func plainEnd(from place: Int) -> Int {
    var at = place
    while at + 8 <= end {
      let word = unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let marks = stringMarks(word)
      if marks != 0 { return at + marks.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < end {
      let byte = byte(at: at)
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      at += 1
    }
    return at
  }

  /// The place behind the escape at a place; a surrogate pair is one escape.
  private func escapeEnd(from place: Int) throws(JSONError) -> Int {
    guard place + 1 < end else { throw unterminated }
    switch byte(at: place + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return place + 2
    case UInt8(ascii: "u"): break
    case let letter: throw JSONError("unknown escape: '\\' before \(JSONError.name(of: letter))", offset: place)
    }
    let unit = try hexUnit(at: place + 2)
    if UTF16.isTrailSurrogate(unit) { throw loneSurrogate(unit, at: place) }
    guard UTF16.isLeadSurrogate(unit) else { return place + 6 }
    guard byte(at: place + 6) == UInt8(ascii: "\\"), byte(at: place + 7) == UInt8(ascii: "u"),
      UTF16.isTrailSurrogate(try hexUnit(at: place + 8))
    else { throw loneSurrogate(unit, at: place) }
    return place + 12
  }

  private func hexUnit(at place: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for at in place..<place + 4 {
      guard let value = hexValue(byte(at: at)) else {
        throw JSONError.expected("a hexadecimal digit", found: at < end ? byte(at: at) : nil, offset: at)
      }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }

  /// The place behind the UTF-8 sequence at a place (Unicode, table 3-7: no overlong forms, surrogates or rests).
  private func sequenceEnd(from place: Int) throws(JSONError) -> Int {
    let lead = byte(at: place)
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw invalidUTF8(lead, at: place)
    }
    guard second ~= byte(at: place + 1) else { throw invalidUTF8(lead, at: place) }
    for at in place + 2..<max(place + 2, place + length) where !(0x80...0xBF ~= byte(at: at)) {
      throw invalidUTF8(lead, at: place)
    }
    return place + length
  }

  // MARK: - Errors

  /// The string at the cursor has no end; the offset is that of its opening quote.
  private var unterminated: JSONError { JSONError("the string has no closing '\"'", offset: cursor) }

  private func loneSurrogate(_ unit: UInt16, at place: Int) -> JSONError {
    JSONError("lone surrogate \\u\(String(unit, radix: 16, uppercase: true))", offset: place)
  }

  private func invalidUTF8(_ byte: UInt8, at place: Int) -> JSONError {
    JSONError("invalid UTF-8 at \(JSONError.name(of: byte))", offset: place)
  }
}

/// Marks, by the high bit of each byte, bytes other than ordinary ASCII characters of a string; the lowest mark is right.
@inline(__always)
func stringMarks(_ word: UInt64) -> UInt64 { escapeMarks(word) | (word & 0x8080_8080_8080_8080) }

/// Marks bytes that a string may contain only as an escape: quotes, backslashes, control characters; the lowest mark is right.
@inline(__always)
func escapeMarks(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
  let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
  let isQuote = (quotes &- ones) & ~quotes
  let isBackslash = (backslashes &- ones) & ~backslashes
  let isControl = (word &- ones &* 0x20) & ~word
  return (isQuote | isBackslash | isControl) & (ones << 7)
}
