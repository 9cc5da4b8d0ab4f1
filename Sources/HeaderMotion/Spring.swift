// SPDX-License-Identifier: MIT
//
// Bézier curves and springs, for the engine's motions and for plugins' own: both compute the same bytes.

/// A cubic Bézier curve from (0, 0) to (1, 1) by its two control points, as in CSS.
public enum Bezier {
  /// y at an x, found by halving the parameter, as exactly as can be or as near as `within`.
  public static func y(
    at x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, within: Double = 0
  ) -> Double {
    func at(_ t: Double, _ one: Double, _ two: Double) -> Double {
      let u = 1 - t
      return 3 * u * u * t * one + 3 * u * t * t * two + t * t * t
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<54 {
      let middle = (low + high) / 2
      let found = at(middle, x1, x2)
      if abs(found - x) < within { return at(middle, y1, y2) }
      if found < x { low = middle } else { high = middle }
    }
    return at((low + high) / 2, y1, y2)
  }
}

/// A damped harmonic oscillator that begins one unit before its place of rest.
public struct Spring: Equatable, Sendable {
  private let frequency: Double
  private let ratio: Double
  private let velocity: Double

  /// Kilograms, newtons a meter, newton seconds a meter, ways a second; all but the velocity above 0.
  public init(_ mass: Double, _ stiffness: Double, _ damping: Double, _ velocity: Double = 0) {
    frequency = (stiffness / mass).squareRoot()
    ratio = damping / (2 * (stiffness * mass).squareRoot())
    self.velocity = velocity
  }

  /// How far it is from its place of rest at a time in seconds, −1 at first; it may swing beyond.
  public func displacement(at time: Double) -> Double {
    if ratio < 1 {
      let damped = frequency * (1 - ratio * ratio).squareRoot()
      let (sin, cos) = Elementary.sinCos(damped * time)
      return Elementary.exp(-ratio * frequency * time) * ((velocity - ratio * frequency) / damped * sin - cos)
    }
    guard ratio > 1 else { return Elementary.exp(-frequency * time) * ((velocity - frequency) * time - 1) }
    let root = (ratio * ratio - 1).squareRoot()
    let (slow, fast) = (-frequency * (ratio - root), -frequency * (ratio + root))
    let first = (velocity + fast) / (slow - fast)
    return first * Elementary.exp(slow * time) - (1 + first) * Elementary.exp(fast * time)
  }

  /// Seconds until what is left of the envelope is below a share of the way.
  public func settlingTime(_ share: Double, most: Double) -> Double {
    let rate: Double
    let size: Double
    if ratio < 1 {
      let damped = frequency * (1 - ratio * ratio).squareRoot()
      (rate, size) = (ratio * frequency, 1 + abs((velocity - ratio * frequency) / damped))
    } else if ratio > 1 {
      let root = (ratio * ratio - 1).squareRoot()
      let first = abs((velocity - frequency * (ratio + root)) / (2 * frequency * root))
      (rate, size) = (frequency * (ratio - root), 1 + 2 * first)
    } else {
      // (1 + a t) e^(−ω t) < (1 + 2 a / ω) e^(−ω t / 2), as x < 2 e^(x / 2).
      (rate, size) = (frequency / 2, 1 + 2 * abs(velocity - frequency) / frequency)
    }
    let time = Elementary.log(max(1, size / share)) / rate
    return time.isFinite ? min(most, time) : most
  }
}
