// SPDX-License-Identifier: MIT
//
// Writes bytes one behind the other into memory that was reserved before, without checking for room each time.
//
//     bytes.write(atMost: 100) { cursor in       reserves 100 bytes, once
//       cursor.put("{\"x\":")                    a store or two: the compiler knows the literal
//       cursor.put(point.x)                      a number
//     }                                          the bytes that were written now count
//
// Numbers are the shortest decimals that read back as the same double:
//
//   whole, below 2^53          its digits: 12, -0 (the sign survives), 9007199254740991
//   up to 4 decimals           r = v · 10^4, rounded; if r / 10^4 is v again, the digits of r with a point: 12.5, 0.6875
//   others, from 2^-31         their digits with a point, found in whole numbers of 128 bits: 0.3333333333333333
//   anything else              Swift's description, without "+", ".0" and zeros that lead the exponent: 1e16, 5e-324,
//                              9.007199254740994e15 (whole numbers beyond 2^53 have exponents)
//   no number, or infinite     null, as JavaScript writes them: JSON has no word for these. They are refused where they
//                              come in; one that gets here all the same costs a field, not the process
//
// Why r is the shortest: r stays below 10^12, and no two decimals of at most 15 digits lie so close together that they
// are the same double. So once its zeros at the end are off, no other decimal as short or shorter reads back as v.
// r and 10^4 are exact doubles, so r / 10^4 rounds once: to the very double that a reader of the digits gets.

private import Glibc
internal import HeaderModel

/// A position in reserved memory, behind the bytes written so far. Valid until those bytes change in another way.
@safe struct ByteCursor {
  /// Bytes behind the written ones that a cursor may overwrite: it stores whole words.
  static let slack = 32
  /// Bytes that a number takes at most.
  static let maxNumber = 32

  private(set) var place: UnsafeMutableRawPointer

  @inline(__always)
  init(_ place: UnsafeMutableRawPointer) { unsafe self.place = place }

  @inline(__always)
  mutating func put(_ literal: StaticString) {
    unsafe memcpy(place, literal.utf8Start, literal.utf8CodeUnitCount)
    unsafe place += literal.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func put(_ ready: UnsafeRawBufferPointer) {
    guard let source = ready.baseAddress else { return }
    unsafe memcpy(place, source, ready.count)
    unsafe place += ready.count
  }

  /// Writes bytes, `slack` at a time: as many behind them must be readable.
  @inline(__always)
  mutating func put(from start: UnsafeRawPointer, upTo end: UnsafeRawPointer) {
    let count = unsafe end - start
    var offset = 0
    repeat {
      let first = unsafe start.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let second = unsafe start.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD16<UInt8>.self)
      unsafe place.storeBytes(of: first, toByteOffset: offset, as: SIMD16<UInt8>.self)
      unsafe place.storeBytes(of: second, toByteOffset: offset &+ 16, as: SIMD16<UInt8>.self)
      offset &+= Self.slack
    } while offset < count
    unsafe place += count
  }

  /// Writes a plain value as it lies in memory.
  @inline(__always)
  mutating func store<Plain: BitwiseCopyable>(_ value: Plain) {
    unsafe place.storeBytes(of: value, as: Plain.self)
    unsafe place += MemoryLayout<Plain>.size
  }

  /// Writes a number, null when it is not finite; at most `maxNumber` bytes.
  @inline(__always)
  mutating func put(_ number: Double) {
    // Half of a state's numbers.
    if number.bitPattern == 0 { return put(byte: UInt8(ascii: "0")) }
    unsafe place = Self.write(number, at: place)
  }

  /// The same, with the code for most numbers in place of a call: for numbers that nearly every state has.
  @inline(__always)
  mutating func putInline(_ number: Double) { unsafe place = Self.writeInline(number, at: place) }

  /// Writes a whole number with all its digits; at most 20 bytes.
  @inline(__always)
  mutating func put(_ number: Int) {
    if number < 0 { put(byte: UInt8(ascii: "-")) }
    unsafe place = Self.write(UInt64(number.magnitude), at: place)
  }

  /// Writes a time in seconds: the shortest decimal that reads back as `time.seconds`; at most `maxNumber` bytes.
  @inline(__always)
  mutating func put(_ time: Instant) {
    // Below 2^23 s doubles lie less than a nanosecond apart, so no other decimal of nine places reads back as this one;
    // with four places that holds for ten digits before them. Then the digits are there without a double on the way. A time
    // before the origin is beyond both bounds here.
    let nanoseconds = UInt64(bitPattern: time.nanoseconds)
    let (whole, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard whole < 1 << 23 || (whole < 9_000_000_000 && fraction % 100_000 == 0) else { return put(time.seconds) }
    unsafe place = Self.write(whole, at: place)
    if fraction != 0 { unsafe place = Self.writeFraction(ofNine: UInt32(fraction), at: place) }
  }

  @inline(__always)
  mutating func put(byte: UInt8) {
    unsafe place.storeBytes(of: byte, as: UInt8.self)
    unsafe place += 1
  }
}

// MARK: - Numbers

extension ByteCursor {
  @inline(never)
  private static func write(_ number: Double, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe writeInline(number, at: start)
  }

  @inline(__always)
  private static func writeInline(_ number: Double, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var cursor = unsafe ByteCursor(start)
    if number.sign == .minus { cursor.put(byte: UInt8(ascii: "-")) }
    let size = number.magnitude
    guard size < 10_000 else { return unsafe size.isFinite ? writeLarge(size, at: cursor.place) : writeNull(at: start) }
    // Adding 2^52 rounds to a whole number, which then is the low bits of the sum.
    let scaled = size * 10_000 + 0x1p52
    guard (scaled - 0x1p52) / 10_000 == size else { return unsafe writeLarge(size, at: cursor.place) }
    let (whole, fraction) = scaled.lowBits.quotientAndRemainder(dividingBy: 10_000)
    let end = unsafe writeFour(whole, at: cursor.place)
    return unsafe fraction == 0 ? end : writeFraction(ofFour: fraction, at: end)
  }

  @inline(__always)
  private static func writeFour(_ number: UInt32, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    guard number >= 100 else { return unsafe writeTwo(number, at: place) }
    let (hundreds, rest) = number.quotientAndRemainder(dividingBy: 100)
    let end = unsafe writeTwo(hundreds, at: place)
    unsafe end.storeBytes(of: twoDigits(rest), as: UInt16.self)
    return unsafe end + 2
  }

  @inline(__always)
  private static func writeTwo(_ number: UInt32, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    guard number >= 10 else {
      unsafe place.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number), as: UInt8.self)
      return unsafe place + 1
    }
    unsafe place.storeBytes(of: twoDigits(number), as: UInt16.self)
    return unsafe place + 2
  }

  /// A point and four decimals, not all of them 0, without zeros behind them.
  @inline(__always)
  private static func writeFraction(
    ofFour number: UInt32, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let (hundreds, rest) = number.quotientAndRemainder(dividingBy: 100)
    let (first, second) = (twoDigits(hundreds), twoDigits(rest))
    unsafe place.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    unsafe place.storeBytes(of: first, toByteOffset: 1, as: UInt16.self)
    if rest == 0 { return unsafe place + (first >> 8 == UInt16(UInt8(ascii: "0")) ? 2 : 3) }
    unsafe place.storeBytes(of: second, toByteOffset: 3, as: UInt16.self)
    return unsafe place + (second >> 8 == UInt16(UInt8(ascii: "0")) ? 4 : 5)
  }

  /// A point and nine decimals, not all of them 0, without zeros behind them.
  @inline(__always)
  private static func writeFraction(
    ofNine number: UInt32, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let (four, five) = number.quotientAndRemainder(dividingBy: 100_000)
    if five == 0 { return unsafe writeFraction(ofFour: four, at: place) }
    let (first, eight) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let digits = eightDigits(UInt64(eight))
    let zeros = zerosBehind(digits)
    unsafe place.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    unsafe place.storeBytes(of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: first), toByteOffset: 1, as: UInt8.self)
    unsafe place.storeBytes(of: digits, toByteOffset: 2, as: UInt64.self)
    return unsafe place + (10 &- zeros)
  }

  @inline(__always)
  private static func writeEight(_ number: UInt32, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let digits = eightDigits(UInt64(number))
    let zeros = (digits & 0x000F_0F0F_0F0F_0F0F | 0x0100_0000_0000_0000).trailingZeroBitCount / 8
    unsafe place.storeBytes(of: digits &>> UInt64(truncatingIfNeeded: 8 &* zeros), as: UInt64.self)
    return unsafe place + (8 &- zeros)
  }

  /// A positive finite number of 10^4 and more, or with more than four decimals.
  @inline(never)
  private static func writeLarge(_ size: Double, at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // The same as for smaller ones: the offsets of long contents.
    let scaled = size * 10_000 + 0x1p52
    if size >= 10_000, size < 100_000_000, (scaled - 0x1p52) / 10_000 == size {
      let (whole, fraction) = scaled.significandBitPattern.quotientAndRemainder(dividingBy: 10_000)
      let end = unsafe writeEight(UInt32(truncatingIfNeeded: whole), at: place)
      if fraction == 0 { return unsafe end }
      return unsafe writeFraction(ofFour: UInt32(truncatingIfNeeded: fraction), at: end)
    }
    if size < 0x1p53 {
      let whole = UInt64(Int64(size))
      if Double(whole) == size { return unsafe write(whole, at: place) }
      if size > 0x1p-31, let shortest = ShortestDecimal(size) {
        let point = unsafe write(whole, at: place)
        return unsafe writeFraction(shortest.fraction(behind: whole), decimals: shortest.places, at: point)
      }
    }
    return unsafe writeDescription(of: size, at: place)
  }

  /// Writes null for a number that JSON does not have.
  @inline(never)
  private static func writeNull(at place: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var cursor = unsafe ByteCursor(place)
    cursor.put("null")
    return unsafe cursor.place
  }

  /// A point and up to 25 decimals, the fraction being below 10^17, without zeros behind them.
  @inline(__always)
  private static func writeFraction(
    _ fraction: UInt64, decimals: Int, at point: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var place = unsafe point + 1
    var sixteen = fraction
    unsafe point.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    if decimals <= 16 {
      sixteen &*= wholePowersOfTen[16 &- decimals]
    } else {
      let (first, rest) = fraction.quotientAndRemainder(dividingBy: wholePowersOfTen[16])
      unsafe place.storeBytes(of: 0x3030_3030_3030_3030, as: UInt64.self)
      unsafe place += decimals &- 16
      unsafe (place - 1).storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: first), as: UInt8.self)
      sixteen = rest
    }
    let (upper, lower) = sixteen.quotientAndRemainder(dividingBy: 100_000_000)
    let (first, second) = (eightDigits(upper), eightDigits(lower))
    unsafe place.storeBytes(of: first, as: UInt64.self)
    unsafe place.storeBytes(of: second, toByteOffset: 8, as: UInt64.self)
    return unsafe place + (lower == 0 ? 8 &- zerosBehind(first) : 16 &- zerosBehind(second))
  }

  @inline(__always)
  private static func write(_ number: UInt64, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    if number < 10_000 { return unsafe writeFour(UInt32(truncatingIfNeeded: number), at: start) }
    if number < 100_000_000 { return unsafe writeEight(UInt32(truncatingIfNeeded: number), at: start) }
    return unsafe writeMore(number, at: start)
  }

  @inline(never)
  private static func writeMore(_ number: UInt64, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Eight by eight: the first ones without zeros before them.
    let (upper, lower) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let place = unsafe write(upper, at: start)
    unsafe place.storeBytes(of: eightDigits(lower), as: UInt64.self)
    return unsafe place + 8
  }

  /// Swift's shortest text for a positive number, in JSON's words: `1e-05` becomes `1e-5`, `1e+16` becomes `1e16`.
  @inline(never)
  private static func writeDescription(
    of size: Double, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var target = unsafe Description(cursor: ByteCursor(place))
    size.write(to: &target)
    return unsafe target.cursor.place
  }

  /// Takes a description without a String in between, which would be an allocation.
  private struct Description: TextOutputStream {
    var cursor: ByteCursor

    mutating func write(_ text: String) {
      var text = text
      text.withUTF8 { unsafe _writeASCII($0) }
    }

    mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
      guard let start = text.baseAddress else { return }
      let isWhole = unsafe text.count > 2 && text[text.count - 2] == UInt8(ascii: ".") && text.last == UInt8(ascii: "0")
      let count = isWhole ? text.count - 2 : text.count
      guard let exponent = unsafe memchr(start, Int32(UInt8(ascii: "e")), count) else {
        unsafe cursor.put(UnsafeRawBufferPointer(start: start, count: count))
        return
      }
      let digits = unsafe UnsafeRawPointer(exponent) - UnsafeRawPointer(start)
      unsafe cursor.put(UnsafeRawBufferPointer(start: start, count: digits))
      cursor.put("e")
      var isLeading = true
      for index in digits + 1..<count {
        let byte = unsafe text[index]
        if isLeading, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "+") { continue }
        if byte != UInt8(ascii: "-") { isLeading = false }
        cursor.put(byte: byte)
      }
    }
  }
}

/// The two decimal digits of a number below 100 as text, the first one in the lower byte.
@inline(__always)
private func twoDigits(_ number: UInt32) -> UInt16 {
  let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  return unsafe UnsafeRawPointer(pairs.utf8Start).loadUnaligned(fromByteOffset: 2 * Int(number), as: UInt16.self)
}

/// The eight decimal digits of a number below 10^8 as text, the first digit in the lowest byte.
///
/// Divisions are multiplications: n · 5243 / 2^19 is n / 100 below 10^4, p · 103 / 2^10 is p / 10 below 100, for two and
/// for four numbers at once, which do not reach into one another.
@inline(__always)
private func eightDigits(_ number: UInt64) -> UInt64 {
  let (upper, lower) = UInt32(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10_000)
  let numbers = UInt64(upper) | UInt64(lower) << 32
  let hundreds = (numbers &* 5243) >> 19 & 0x0000_007F_0000_007F
  let pairs = hundreds | (numbers &- hundreds &* 100) << 16
  let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
  return 0x3030_3030_3030_3030 | tens | (pairs &- tens &* 10) << 8
}

/// How many zeros such digits end with.
@inline(__always)
private func zerosBehind(_ digits: UInt64) -> Int { (digits & 0x0F0F_0F0F_0F0F_0F0F).leadingZeroBitCount / 8 }

extension Double {
  @inline(__always)
  fileprivate var lowBits: UInt32 { UInt32(truncatingIfNeeded: bitPattern) }
}
