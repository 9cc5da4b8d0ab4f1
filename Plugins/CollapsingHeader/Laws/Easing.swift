// SPDX-License-Identifier: MIT
//
// Curves from (0, 0) to (1, 1), and springs that go there: of a drawer's look over its way, and of a rest over time.

import Glibc

/// What share of something is done at a share of something else.
public enum Easing: Equatable, Sendable {
  case linear
  /// p².
  case square
  /// 1 − (1 − p)².
  case decelerate
  /// A cubic Bézier curve by its two control points, as in CSS; looked up as exactly as can be, or as near as `within`.
  case bezier(x1: Double, y1: Double, x2: Double, y2: Double, within: Double = 0)

  /// The curves that have a name.
  public static let named: [(name: String, curve: Easing)] = [
    ("linear", .linear), ("square", .square), ("decelerate", .decelerate),
    ("easeIn", .bezier(x1: 0.42, y1: 0, x2: 1, y2: 1)), ("easeOut", .bezier(x1: 0, y1: 0, x2: 0.58, y2: 1)),
    ("easeInOut", .bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1)),
    ("easeOutFlutter", .bezier(x1: 0, y1: 0, x2: 0.58, y2: 1, within: 0.001)),
  ]

  /// The share at a share, 0 at 0 and 1 at 1.
  public func share(at part: Double) -> Double {
    guard part > 0 else { return 0 }
    guard part < 1 else { return 1 }
    switch self {
    case .linear: return part
    case .square: return part * part
    case .decelerate: return 1 - (1 - part) * (1 - part)
    case .bezier(let x1, let y1, let x2, let y2, let within): return Self.bezier(part, x1, y1, x2, y2, within)
    }
  }

  /// y of a Bézier curve at an x, found by halving the parameter.
  private static func bezier(
    _ x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ within: Double
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

/// A damped spring that begins at rest, one way from its goal.
public struct Spring: Equatable, Sendable {
  /// What it moves.
  public let mass: Double
  /// The force that draws it to its goal, a point of distance.
  public let stiffness: Double
  /// The force that brakes it, a point of speed.
  public let damping: Double

  /// A spring; nil when it would never come to rest.
  public init?(mass: Double, stiffness: Double, damping: Double) {
    guard mass > 0, stiffness > 0, damping > 0, mass.isFinite, stiffness.isFinite, damping.isFinite else { return nil }
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
  }

  /// Seconds after which what is left is below 10⁻⁴ of the way, at most 10.
  public var duration: Double { min(10, 9.21 / slowest) }

  /// The rate at which the slower of its two parts decays.
  private var slowest: Double {
    let decay = damping / (2 * mass)
    let square = decay * decay - stiffness / mass
    return square > 0 ? decay - square.squareRoot() : decay
  }

  /// The share of the way at a time in seconds; it may exceed 1.
  public func share(at time: Double) -> Double {
    let decay = damping / (2 * mass)
    let square = decay * decay - stiffness / mass
    if square < 0 {
      let rate = (-square).squareRoot()
      return 1 - exp(-decay * time) * (cos(rate * time) + decay / rate * sin(rate * time))
    }
    guard square > 1e-12 * decay * decay else { return 1 - exp(-decay * time) * (1 + decay * time) }
    let (slow, fast) = (decay - square.squareRoot(), decay + square.squareRoot())
    return 1 - (fast * exp(-slow * time) - slow * exp(-fast * time)) / (fast - slow)
  }
}
