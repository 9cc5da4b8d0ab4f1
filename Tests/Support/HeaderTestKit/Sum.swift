// SPDX-License-Identifier: MIT

/// A sum over texts (FNV-1a), in which numbers that differ by the last digits count as the same: processors differ in those of
/// exponentials.
public final class Sum {
  private var sum: UInt32 = 2_166_136_261

  /// The sum of nothing.
  public init() {}

  /// The sum, in eight digits.
  public var text: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Adds a text.
  public func add(_ text: String) {
    var bytes = text.utf8.makeIterator()
    var next = bytes.next()
    while let byte = next {
      guard Self.isDigit(byte) else {
        add(byte)
        next = bytes.next()
        continue
      }
      var (number, share) = (0.0, 0.0)
      while let digit = next, Self.isDigit(digit) || (digit == UInt8(ascii: ".") && share == 0) {
        if digit == UInt8(ascii: ".") {
          share = 1
        } else if share > 0 {
          share /= 10
          number += share * Double(digit - UInt8(ascii: "0"))
        } else {
          number = number * 10 + Double(digit - UInt8(ascii: "0"))
        }
        next = bytes.next()
      }
      // A prime, so that no number that people write lies halfway between two.
      var rest = UInt64((min(number, 1e12) * 9973).rounded())
      repeat {
        add(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      } while rest > 0
    }
  }

  private func add(_ byte: UInt8) { sum = (sum ^ UInt32(byte)) &* 16_777_619 }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
