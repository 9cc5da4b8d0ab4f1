// SPDX-License-Identifier: MIT
//
// The elementary functions that springs need. The engine links no C library, and a state has the same bytes on every machine:
// so they are computed here, by series, with the operations that IEEE 754 rounds correctly.

/// e to a power, sine, cosine and natural logarithm, each to about one unit in the last place of a double.
enum Elementary {
  private static let ln2High = 0.6931471803691238
  private static let ln2Low = 1.9082149292705877e-10
  private static let halfPiHigh = 1.5707963267948966
  private static let halfPiLow = 6.123233995736766e-17

  /// e to the power of a number; 0 below −700 and e⁷⁰⁰ above 700.
  static func exp(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    let x = min(x, 700)
    let power = (x / (ln2High + ln2Low)).rounded()
    let rest = (x - power * ln2High) - power * ln2Low
    // |rest| ≤ 0.35: the 14th term is below 2⁻⁵³.
    var sum = 1.0
    for divisor in stride(from: 14.0, through: 1, by: -1) { sum = 1 + sum * rest / divisor }
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// Sine and cosine of an angle in radians, within ±10⁶.
  static func sinCos(_ x: Double) -> (sin: Double, cos: Double) {
    let x = max(-1e6, min(1e6, x))
    let turns = (x / halfPiHigh).rounded()
    let rest = (x - turns * halfPiHigh) - turns * halfPiLow
    let square = rest * rest
    var (sin, cos) = (1.0, 1.0)
    for n in stride(from: 18.0, through: 2, by: -2) {
      sin = 1 - sin * square / (n * (n + 1))
      cos = 1 - cos * square / ((n - 1) * n)
    }
    sin *= rest
    switch Int(turns) & 3 {
    case 0: return (sin, cos)
    case 1: return (cos, -sin)
    case 2: return (-sin, -cos)
    default: return (-cos, sin)
    }
  }

  /// The natural logarithm of a number above 0.
  static func log(_ x: Double) -> Double {
    var (exponent, significand) = (Double(x.exponent), x.significand)
    if significand > 1.4142135623730951 { (exponent, significand) = (exponent + 1, significand / 2) }
    // ln m = 2 artanh((m − 1) / (m + 1)), of at most 0.18.
    let quotient = (significand - 1) / (significand + 1)
    let square = quotient * quotient
    var sum = 0.0
    for n in stride(from: 21.0, through: 1, by: -2) { sum = sum * square + 1 / n }
    return 2 * quotient * sum + exponent * ln2Low + exponent * ln2High
  }
}
