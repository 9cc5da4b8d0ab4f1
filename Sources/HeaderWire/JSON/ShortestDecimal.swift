// SPDX-License-Identifier: MIT
//
// The shortest decimal that reads back as a double, as Schubfach finds it (Raffaello Giulietti, "The Schubfach way to render
// doubles", 2020), for doubles v = c · 2^q with a fraction, from 2^-31 up to 2^53. For these all of it is done in whole numbers, so
// that nothing has to be estimated: a table of 26 powers of five (208 bytes) in place of one of 617 powers of ten.
//
//     10^-p ≤ 2^q < 10^(1-p)         so what reads back as v, half a step of the doubles to either side, holds a multiple of
//                                    10^-p, and at most one of 10^(1-p): that one if it does, else the nearest
//     4 · v · 10^p = 4c · 5^p · 2^(q+p)   4c · 5^p has at most 55 + 59 bits; q + p is negative: digits before, a rest behind the point
//
// Beside a power of two the doubles below lie closer together; it is left to others.

/// Digits, and how many of them are behind the point.
struct ShortestDecimal {
  var digits: UInt64
  var places: Int

  /// - Parameter size: between 2^-31 and 2^53, with a fraction. nil: it is a power of two.
  @inline(__always)
  init?(_ size: Double) {
    let fraction = size.significandBitPattern
    guard fraction != 0 else { return nil }
    let significand = fraction | 1 << 52
    let exponent = Int(size.exponentBitPattern) &- 1075
    // log10(2) is 315,653 / 2^20 up to 2^-23: no multiple of it by less than 93 lies so close to a whole number.
    places = 0 &- (exponent &* 315_653) >> 20
    let power = powersOfFive[places]
    // In parts, `one` of which are 10^-places: how far v lies behind the digits, and how far what reads back as v reaches.
    // An odd significand does not win the halves.
    let shift = UInt64(truncatingIfNeeded: 2 &- exponent &- places)
    let (high, low) = (significand &<< 2).multipliedFullWidth(by: power)
    let one = 1 as UInt64 &<< shift
    let reach = 2 &* power &- (significand & 1)
    let rest = low & (one &- 1)
    digits = high &<< (64 &- shift) | low &>> shift
    let (tens, ones) = digits.quotientAndRemainder(dividingBy: 10)
    let below = ones &* one &+ rest
    let above = 10 &* one &- below
    if below <= reach || above <= reach {
      digits = below <= reach ? tens : tens &+ 1
      places &-= 1
    } else if 2 &* rest > one || (2 &* rest == one && digits & 1 == 1) {
      digits &+= 1
    }
  }

  /// The digits behind the point. v is not whole, and no whole number reads back as v, so they are neither all 0 nor as much as 1.
  @inline(__always)
  func fraction(behind whole: UInt64) -> UInt64 {
    // Below 1 there may be more places than powers of ten; from 1 on there are at most 16.
    whole == 0 ? digits : digits &- whole &* wholePowersOfTen[places]
  }
}

/// 5^0 … 5^25.
private let powersOfFive: InlineArray<26, UInt64> = [
  1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125,
  9_765_625, 48_828_125, 244_140_625, 1_220_703_125, 6_103_515_625, 30_517_578_125,
  152_587_890_625, 762_939_453_125, 3_814_697_265_625, 19_073_486_328_125, 95_367_431_640_625,
  476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625, 298_023_223_876_953_125,
]
