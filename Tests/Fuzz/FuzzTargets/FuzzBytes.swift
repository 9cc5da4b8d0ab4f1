// SPDX-License-Identifier: MIT
//
// Bytes as a row of choices, so that a mutation of the bytes is a mutation of what is built from them.

internal import HeaderTestKit

/// Choices that bytes make; behind their end all of them are 0.
struct FuzzBytes {
  private let bytes: [UInt8]
  private var next: Int

  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    next = start
  }

  var isEmpty: Bool { next >= bytes.count }

  mutating func byte() -> Int {
    guard next < bytes.count else { return 0 }
    next += 1
    return Int(bytes[next - 1])
  }

  /// A whole number from 0 to below a bound of at most 65,536.
  mutating func below(_ bound: Int) -> Int { (bound <= 256 ? byte() : byte() << 8 | byte()) % max(1, bound) }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  mutating func pick<Thing>(_ things: [Thing]) -> Thing { things[below(things.count)] }

  /// Any 64 bits.
  mutating func bits() -> UInt64 {
    var result: UInt64 = 0
    for _ in 0..<8 { result = result << 8 | UInt64(byte()) }
    return result
  }

  /// A number that readers find hard, or any.
  mutating func number() -> Double {
    switch below(4) {
    case 0: pick(Wild.infinite)
    case 1: Double(bitPattern: bits())
    default: pick(Wild.numbers)
    }
  }

  /// Up to so many of the bytes that are left.
  mutating func some(_ most: Int) -> [UInt8] {
    let end = min(bytes.count, next + below(most + 1))
    guard next < end else { return [] }
    defer { next = end }
    return Array(bytes[next..<end])
  }
}
