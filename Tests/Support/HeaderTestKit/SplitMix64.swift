// SPDX-License-Identifier: MIT
//
// Random numbers that come from a seed and are the same everywhere: every test that draws, draws from here.

/// Steele, Lea and Flood's generator.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Numbers that follow from a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A whole number from 0 to below a bound.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True in one of so many draws.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
