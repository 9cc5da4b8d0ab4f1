// SPDX-License-Identifier: MIT
//
// Lengths are kept on a grid of 2⁻²⁶ points. Sums and differences of such numbers below 10⁸ are exact in a double. So the points that
// drawers take and leave add up to the movement to the last bit, however many movements there were.

/// The grid that positions are rounded to.
public enum Grid {
  /// Between two numbers of this size and the double of it there lies one step of the grid: to add it rounds to the grid.
  @usableFromInline static let rounder = 0x1.8p26
  @usableFromInline static let reach = 0x1p24

  /// The nearest length of the grid.
  @inlinable @inline(__always)
  public static func nearest(_ points: Double) -> Double {
    abs(points) < reach ? (points + rounder) - rounder : (points * 0x1p26).rounded(.toNearestOrEven) * 0x1p-26
  }

  /// The longest length of the grid that is not longer.
  @inlinable @inline(__always)
  public static func cut(_ points: Double) -> Double {
    let near = nearest(points)
    return abs(near) <= abs(points) ? near : near - (points < 0 ? -0x1p-26 : 0x1p-26)
  }

  /// The distance of two lengths of the grid.
  public static let step = 0x1p-26

  /// Lengths beyond are not exact.
  public static let bound = 100_000_000.0
}
