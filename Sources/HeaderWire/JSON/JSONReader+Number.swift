// SPDX-License-Identifier: MIT
//
// Numbers, as the double nearest to what is written; never one unit beside it.
//
// The digits are taken as one whole number m with a power of ten: 12.5 is 125 · 10^-1. Three roads, the first that is exact:
//
//   m ≤ 2^53, power within ±22     both are exact doubles, so one multiplication or division rounds once (Clinger 1990)
//   m < 10^19, power -19…-1        m / 10^k as a 128-bit division: 63 bits or more of quotient and "was there a rest?",
//                                  which is all that rounding to 53 bits can ask for
//   anything else                  Swift's own correctly rounded conversion of the text
//
// The second road is for what other programs print for doubles with 16 and 17 digits, such as 0.30000000000000004.

extension JSONReader {
  /// Reads a number, which must be finite.
  public mutating func number() throws(JSONError) -> Double {
    let start = cursor
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    guard isDigit else { throw isNegative ? expected("a digit") : mismatch(.number) }
    var mantissa: UInt64 = 0
    var digits = 0
    var power = 0
    if byte == UInt8(ascii: "0") {
      cursor += 1
      if isDigit { throw JSONError("a number may not begin with 0 and go on with digits", offset: cursor - 1) }
    } else {
      digits = takeDigits(into: &mantissa)
    }
    if byte == UInt8(ascii: ".") {
      cursor += 1
      guard isDigit else { throw expected("a digit") }
      power = -takeDigits(into: &mantissa)
      digits -= power
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      power += try takeExponent()
    }
    // With more than 19 digits the whole number has wrapped around and means nothing.
    let size = digits <= 19 ? nearestDouble(mantissa, power: power) : nil
    if let size { return isNegative ? -size : size }
    return try convertText(from: start)
  }

  @inline(__always)
  private var isDigit: Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  private mutating func takeDigits(into mantissa: inout UInt64) -> Int {
    let start = cursor
    while true {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return cursor - start }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      cursor += 1
    }
  }

  private mutating func takeExponent() throws(JSONError) -> Int {
    cursor += 1
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { cursor += 1 }
    guard isDigit else { throw expected("a digit") }
    var exponent = 0
    while isDigit {
      exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
      cursor += 1
    }
    return isNegative ? -exponent : exponent
  }

  @inline(never)
  private func convertText(from start: Int) throws(JSONError) -> Double {
    let text = unsafe UnsafeRawBufferPointer(start: base + start, count: cursor - start)
    // Swift reads every number of JSON. Should it ever refuse one, the error is about that number.
    guard let number = Double(unsafe String(decoding: text, as: UTF8.self)), number.isFinite else {
      throw JSONError("number out of range", offset: start, isNumberOutOfRange: true)
    }
    return number
  }
}

/// The double nearest to m · 10^power, nil when that takes more than the two quick roads.
@inline(__always)
func nearestDouble(_ mantissa: UInt64, power: Int) -> Double? {
  if mantissa <= 1 << 53 {
    if power == 0 { return Double(mantissa) }
    if -22 <= power, power < 0 { return Double(mantissa) / doublePowersOfTen[-power] }
    if 0 < power, power <= 22 { return Double(mantissa) * doublePowersOfTen[power] }
    if mantissa == 0 { return 0 }
  }
  guard -19 <= power, power < 0 else { return nil }
  return nearestQuotient(mantissa, by: wholePowersOfTen[-power])
}

/// The double nearest to a fraction of two whole numbers above 0, which lies far from the ends of a double's range.
private func nearestQuotient(_ dividend: UInt64, by divisor: UInt64) -> Double {
  let upper = dividend.leadingZeroBitCount
  let lower = divisor.leadingZeroBitCount
  let (top, bottom) = (dividend << upper, divisor << lower)
  // 2^63 · top / bottom lies within 2^62 … 2^64, because both now have their highest bit set.
  let (quotient, rest) = bottom.dividingFullWidth((top >> 1, top << 63))
  // A rest only matters when the quotient seems to lie exactly between two doubles: then any low bit decides.
  let rounded = Double(quotient | (rest == 0 ? 0 : 1))
  return rounded * Double(sign: .plus, exponent: lower - upper - 63, significand: 1)
}

private let doublePowersOfTen: InlineArray<23, Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]

let wholePowersOfTen: InlineArray<20, UInt64> = [
  1, 10, 100, 1000, 10000, 100000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
]
