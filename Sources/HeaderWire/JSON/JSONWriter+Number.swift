// SPDX-License-Identifier: MIT
//
// The shortest decimal that reads back as the same double, with few divisions for the numbers that headers are made of.
//
//   whole, below 2^53          its digits: 12, -0 (the sign survives), 9007199254740991
//   up to 4 decimals           r = round(v · 10^4); if r / 10^4 is v again, the digits of r with a point: 12.5, 0.6875
//   up to 9 decimals           the same with 10^9: times in nanoseconds
//   anything else              Swift's description, without "+", ".0" and zeros that lead the exponent: 1e16, 5e-324,
//                              9.007199254740994e15 (whole numbers beyond 2^53 have exponents)
//
// Why r is the shortest: r stays below 10^15, and no two decimals of at most 15 digits lie so close together that they
// are the same double. So once its zeros at the end are off, no other decimal as short or shorter reads back as v.
// r and 10^9 are exact doubles, so r / 10^9 rounds once: to the very double that a reader of the digits gets.

extension Bytes {
  /// Adds a finite number; needs room for 32 bytes.
  mutating func pushNumber(_ number: Double) {
    precondition(number.isFinite, "a JSON number is finite")
    if number.sign == .minus { push(UInt8(ascii: "-")) }
    let size = number.magnitude
    if size < 0x1p53 {
      // Signed, because that is a single instruction.
      let whole = Int64(size)
      if Double(whole) == size { return pushDigits(UInt64(bitPattern: whole)) }
      if pushed(size, decimals: 4, power: 10_000) { return }
      if pushed(size, decimals: 9, power: 1_000_000_000) { return }
    }
    pushDescription(of: size)
  }

  /// Adds a number with a fraction if it has no more decimals than given.
  @inline(__always)
  private mutating func pushed(_ size: Double, decimals: Int, power: UInt64) -> Bool {
    let scaled = (size * Double(power)).rounded()
    guard scaled < 1e15, scaled / Double(power) == size else { return false }
    var (whole, fraction) = UInt64(bitPattern: Int64(scaled)).quotientAndRemainder(dividingBy: power)
    var width = decimals
    while fraction % 10 == 0, width > 1 {
      fraction /= 10
      width -= 1
    }
    pushDigits(whole)
    push(UInt8(ascii: "."))
    pushDigits(fraction, width: width)
    return true
  }

  /// Adds Swift's shortest text for a positive number, in JSON's words: `1e-05` becomes `1e-5`, `1e+16` becomes `1e16`.
  @inline(never)
  private mutating func pushDescription(of size: Double) {
    let text = size.description
    var isExponent = false
    var isLeading = false
    for byte in (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8 {
      if byte == UInt8(ascii: "e") {
        isExponent = true
        isLeading = true
      } else if isExponent, isLeading, byte != UInt8(ascii: "-") {
        if byte == UInt8(ascii: "0") || byte == UInt8(ascii: "+") { continue }
        isLeading = false
      }
      push(byte)
    }
  }
}
