// SPDX-License-Identifier: MIT
//
// A string as it lies in the text that is being read: a place, not a copy.
//
// Nearly every string of the protocol is a known word: a member name, a method, an event. `switch name { case "offset": … }`
// compares it in place, lengths first, without making a `String`. A name with escapes ("off\u0073et") is the same name, and
// is compared more slowly.

import Glibc
internal import HeaderModel

/// A checked JSON string in the reader's bytes, valid for as long as these are.
@safe public struct JSONString {
  let start: UnsafeRawPointer
  let count: Int
  /// Whether a backslash occurs, so that the bytes are not yet the text.
  let hasEscapes: Bool
  /// Whether all its bytes are ASCII.
  let isASCII: Bool

  /// ASCII without escapes: equal bytes are equal texts.
  var isPlain: Bool { isASCII && !hasEscapes }

  /// A copy as a Swift string, escapes resolved; no allocation up to 15 bytes.
  public var string: String {
    unsafe String(unsafeUninitializedCapacity: count) { text in
      if hasEscapes { return unsafe unescape(into: text) }
      if let place = text.baseAddress { unsafe memcpy(place, start, count) }
      return count
    }
  }

  /// Whether the text is this word.
  @inline(__always)
  public static func == (text: JSONString, word: StaticString) -> Bool {
    if text.hasEscapes { return text.slowlyEquals(word) }
    guard text.count == word.utf8CodeUnitCount else { return false }
    return unsafe memcmp(text.start, word.utf8Start, word.utf8CodeUnitCount) == 0
  }

  /// Makes `switch text { case "word": … }` work.
  @inline(__always)
  public static func ~= (word: StaticString, text: JSONString) -> Bool { text == word }

  /// Whether the bytes are those of a text; one written with escapes may be the text all the same.
  public func hasBytes(of text: String) -> Bool {
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hasBytes(UnsafeRawBufferPointer($0)) } ?? false
  }

  /// The same for a text's UTF-8.
  @inline(__always)
  public func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
    guard !hasEscapes, count == other.count else { return false }
    return unsafe other.baseAddress.map { unsafe memcmp(start, $0, count) == 0 } ?? true
  }

  /// A hash of the bytes as they were written; one written with escapes has another than the text.
  public var plainHash: UInt64 { unsafe byteHash(UnsafeRawBufferPointer(start: start, count: count)) }

  @inline(never)
  private func slowlyEquals(_ word: StaticString) -> Bool {
    let bytes = unsafe UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return unsafe string.utf8.elementsEqual(bytes)
  }
}

// MARK: - Resolving escapes

extension JSONString {
  /// Writes the text as UTF-8; never more bytes than between the quotes. The escapes were checked when it was read.
  private func unescape(into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var written = 0
    var at = 0
    while at < count {
      let byte = unsafe start.load(fromByteOffset: at, as: UInt8.self)
      if byte == UInt8(ascii: "\\") {
        for unit in takeEscape(&at).utf8 {
          unsafe target[written] = unit
          written += 1
        }
      } else {
        unsafe target[written] = byte
        written += 1
        at += 1
      }
    }
    return written
  }

  /// The character of the escape at a place, which moves behind it; a surrogate pair counts as one.
  private func takeEscape(_ at: inout Int) -> Unicode.Scalar {
    let letter = unsafe start.load(fromByteOffset: at + 1, as: UInt8.self)
    at += 2
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"):
      var code = takeHexDigits(&at)
      if UTF16.isLeadSurrogate(UInt16(code)) {
        at += 2
        code = 0x10000 + (code - 0xD800) << 10 + (takeHexDigits(&at) - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { preconditionFailure("a surrogate passed the reader") }
      return scalar
    default: return Unicode.Scalar(letter)
    }
  }

  private func takeHexDigits(_ at: inout Int) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      code = code << 4 + UInt32(hexValue(unsafe start.load(fromByteOffset: at, as: UInt8.self)) ?? 0)
      at += 1
    }
    return code
  }
}

/// A hash of bytes, for tables in memory: FNV-1a, then mixed, since tables look at the low bits.
public func byteHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  let hash = unsafe fnv1a(bytes)
  return hash ^ (hash >> 32)
}

func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
