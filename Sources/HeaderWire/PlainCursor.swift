// SPDX-License-Identifier: MIT
//
// Reads the parts of a line without white space, eight bytes at a time. It knows plain ASCII names and numbers of a few
// digits, and returns nil for everything else, which JSONReader.swift decides.
//
//     "time":1000000.0083,"offset"…
//            1 0 0 0 0 0 0 .          one word: seven digits and something else
//                            0 0 8 3 , " o f
//     100000000083 ten thousandths  ──▶  seconds, nanoseconds
//
// A line must have more than eight bytes and end with a brace: then a reader that stops at the first unexpected byte
// never passes the end, and no step has to check for it.

private import Glibc
internal import HeaderModel

/// A position in a line. Valid as long as the line's bytes are.
@safe struct PlainCursor {
  private var place: UnsafeRawPointer
  private let end: UnsafeRawPointer

  /// At the beginning of a line; nil when it cannot be one that this cursor knows.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    guard let start = line.baseAddress, line.count > 8, unsafe line[line.count - 1] == UInt8(ascii: "}") else {
      return nil
    }
    unsafe place = start
    unsafe end = start + line.count
  }

  var isAtEnd: Bool { unsafe place == end }

  /// Goes behind these bytes if they come next.
  @inline(__always)
  mutating func tryConsume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard unsafe end - place >= count, unsafe memcmp(place, text.utf8Start, count) == 0 else { return false }
    unsafe place += count
    return true
  }

  /// The next eight bytes, the first one lowest; zeros beyond the end, which must not be reached yet.
  @inline(__always)
  private var word: UInt64 {
    let left = unsafe end - place
    if left >= 8 { return unsafe UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) }
    let last = unsafe UInt64(littleEndian: (end - 8).loadUnaligned(as: UInt64.self))
    return last &>> UInt64(truncatingIfNeeded: 64 &- 8 &* left)
  }

  /// Goes behind a comma, and behind a space after it, if the comma comes next.
  @inline(__always)
  mutating func tryConsumeComma() -> Bool {
    guard tryConsume(",") else { return false }
    skipSpace()
    return true
  }

  /// Goes behind a space, if one comes next. Not at the end.
  @inline(__always)
  private mutating func skipSpace() { unsafe place += byte == UInt8(ascii: " ") ? 1 : 0 }

  /// The next byte. Not at the end.
  @inline(__always)
  private var byte: UInt8 { unsafe place.load(as: UInt8.self) }

  /// Whether a digit comes next. Not at the end.
  @inline(__always)
  private var isAtDigit: Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Goes behind a member's name, its colon and a space after it, if they come next.
  @inline(__always)
  mutating func tryConsume(member text: StaticString) -> Bool {
    guard tryConsume(text) else { return false }
    skipSpace()
    return true
  }

  /// A string, if it is plain ASCII without escapes.
  @inline(__always)
  mutating func readString() -> JSONString? { tryConsume("\"") ? readRestOfName() : nil }

  /// A name up to and with its closing quote, if it is plain ASCII without escapes.
  @inline(__always)
  mutating func readRestOfName() -> JSONString? {
    let start = unsafe place
    var marks = stringMarks(word)
    while marks == 0 {
      unsafe place += 8
      guard unsafe place < end else { return nil }
      marks = stringMarks(word)
    }
    unsafe place += marks.trailingZeroBitCount / 8
    guard unsafe place < end, unsafe place.load(as: UInt8.self) == UInt8(ascii: "\"") else { return nil }
    let count = unsafe place - start
    unsafe place += 1
    return unsafe JSONString(start: start, count: count, hasEscapes: false, isASCII: true)
  }

  /// `true` or `false`.
  @inline(__always)
  mutating func readBool() -> Bool? {
    if tryConsume("true") { return true }
    return tryConsume("false") ? false : nil
  }

  /// A whole number of at most 15 digits.
  @inline(__always)
  mutating func readWhole() -> Int? {
    let isZero = byte == UInt8(ascii: "0")
    var (number, count) = (0, 0)
    while case let digit = byte &- UInt8(ascii: "0"), digit < 10, count < 16 {
      number = number &* 10 &+ Int(digit)
      count += 1
      unsafe place += 1
    }
    return count == 1 || (2...15 ~= count && !isZero) ? number : nil
  }

  /// A point with one axis or both, and the place behind it. A function of its own, to be there once; it returns that place,
  /// because with an `inout` cursor all steps of the caller would go through memory.
  @inline(never)
  func point() -> (value: PartialPoint, rest: PlainCursor)? {
    var (point, cursor) = (PartialPoint(), self)
    guard cursor.tryConsume("{") else { return nil }
    repeat {
      if point.y == nil, cursor.tryConsume(member: #""y":"#) {
        point.y = cursor.readNumber()
        guard point.y != nil else { return nil }
      } else if point.x == nil, cursor.tryConsume(member: #""x":"#) {
        point.x = cursor.readNumber()
        guard point.x != nil else { return nil }
      } else {
        return nil
      }
    } while cursor.tryConsumeComma()
    return cursor.tryConsume("}") ? (point, cursor) : nil
  }

  @inline(__always)
  mutating func readPoint() -> PartialPoint? {
    guard let (point, rest) = point() else { return nil }
    self = rest
    return point
  }

  /// A number within the bounds of the protocol.
  @inline(__always)
  mutating func readNumber() -> Double? {
    let start = unsafe place
    if let decimal = readDecimal() {
      if decimal.places == 8, isAtDigit {
        if let number = readRest(of: decimal), isWithinBound(number) { return number }
      } else if byte | 0x20 != UInt8(ascii: "e") {
        return decimal.number
      }
    }
    unsafe place = start
    guard let number = readLongNumber(), isWithinBound(number) else { return nil }
    return number
  }

  /// A time in seconds, within the bounds of times.
  @inline(__always)
  mutating func readInstant() -> Instant? {
    let start = unsafe place
    if let decimal = readDecimal(), decimal.places < 8 || !isAtDigit {
      return decimal.instant ?? Instant(seconds: decimal.number)
    }
    unsafe place = start
    guard let seconds = readLongNumber(), isTime(seconds) else { return nil }
    return Instant(seconds: seconds)
  }

  /// A number of more digits, whatever its size.
  @inline(never)
  private mutating func readLongNumber() -> Double? {
    let start = unsafe place
    if let number = readManyDigits() { return number }
    unsafe place = start
    var reader = unsafe JSONReader(UnsafeRawBufferPointer(start: place, count: end - place))
    guard reader.offset == 0, let number = try? reader.number() else { return nil }
    unsafe place += reader.offset
    return number
  }

  /// A number of which the digits up to the eighth behind the point are read; up to nine more may follow.
  @inline(never)
  private mutating func readRest(of decimal: PlainDecimal) -> Double? {
    var number = UInt64(decimal.digits)
    let before = number
    let more = takeDigits(into: &number)
    guard more < 10, before < wholePowersOfTen[19 &- more], byte | 0x20 != UInt8(ascii: "e"),
      let size = nearestDouble(number, power: -8 &- more)
    else { return nil }
    return decimal.isNegative ? -size : size
  }

  /// A number of up to 19 digits with a point and no exponent, as programs write doubles that are no short decimal.
  @inline(__always)
  private mutating func readManyDigits() -> Double? {
    let isNegative = tryConsume("-")
    let isZero = byte == UInt8(ascii: "0")
    var number = 0 as UInt64
    let count = takeDigits(into: &number)
    guard count == 1 || (count > 1 && !isZero), tryConsume(".") else { return nil }
    let places = takeDigits(into: &number)
    guard places > 0, count + places <= 19, byte | 0x20 != UInt8(ascii: "e"),
      let size = nearestDouble(number, power: -places)
    else { return nil }
    return isNegative ? -size : size
  }

  /// Appends the digits that come next to a number, which wraps around after 19 of them.
  @inline(__always)
  private mutating func takeDigits(into number: inout UInt64) -> Int {
    let start = unsafe place
    while let more = digits(word) {
      number = number &* UInt64(bitPattern: powersOfTen[more.count]) &+ UInt64(bitPattern: more.value)
      unsafe place += more.count
      if more.count < 8 { break }
    }
    return unsafe place - start
  }

  /// Reads a number of up to seven digits before the point and up to eight behind it. If there is none, the cursor stays. The caller
  /// checks the next byte, which may be another digit behind eight.
  @inline(__always)
  private mutating func readDecimal() -> PlainDecimal? {
    let start = unsafe place
    let isNegative = unsafe place.load(as: UInt8.self) == UInt8(ascii: "-")
    unsafe place += isNegative ? 1 : 0
    let first = word
    guard let whole = digits(first), whole.count < 8,
      whole.count == 1 || UInt8(truncatingIfNeeded: first) != UInt8(ascii: "0")
    else {
      unsafe place = start
      return nil
    }
    unsafe place += whole.count
    guard unsafe place.load(as: UInt8.self) == UInt8(ascii: ".") else {
      return PlainDecimal(digits: whole.value, places: 0, isNegative: isNegative)
    }
    unsafe place += 1
    guard let fraction = digits(word) else {
      unsafe place = start
      return nil
    }
    unsafe place += fraction.count
    return PlainDecimal(
      digits: whole.value &* powersOfTen[fraction.count] &+ fraction.value, places: fraction.count,
      isNegative: isNegative)
  }

  /// The digits that a word begins with; nil when there is none.
  @inline(__always)
  private func digits(_ word: UInt64) -> (value: Int64, count: Int)? {
    let digits = word ^ 0x3030_3030_3030_3030
    // A byte above 9 gets its highest bit; carries reach only those above it.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount / 8
    guard count > 0 else { return nil }
    // Zeros in front of them make them eight; then neighbors are put together: 2, 4, 8 digits.
    let eight = digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = (eight &* (10 << 8 + 1)) >> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* (100 << 16 + 1)) >> 16 & 0x0000_FFFF_0000_FFFF
    return (Int64(truncatingIfNeeded: (fours &* (10_000 << 32 + 1)) >> 32), count)
  }
}

/// A number of at most 15 digits, that many of them behind the point.
private struct PlainDecimal {
  /// The digits without the point.
  var digits: Int64
  var places: Int
  var isNegative: Bool

  /// Two exact doubles, so that it is rounded once.
  @inline(__always)
  var number: Double {
    let size = places == 0 ? Double(digits) : Double(digits) / Double(powersOfTen[places])
    return isNegative ? -size : size
  }

  /// The instant of that many seconds, in whole numbers; nil where `Instant(seconds:)` may come to another.
  ///
  /// That one gets the nearest double and rounds it to a whole number. Below 2^50 the double is at most an eighth beside
  /// these nanoseconds, so the other gets back to them.
  @inline(__always)
  var instant: Instant? {
    let nanoseconds = digits &* powersOfTen[9 &- places]
    guard nanoseconds < 1 << 50 else { return nil }
    return Instant(nanoseconds: isNegative ? 0 &- nanoseconds : nanoseconds)
  }
}

private let powersOfTen: InlineArray<10, Int64> = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
]
