// SPDX-License-Identifier: MIT
//
// Curves from (0, 0) to (1, 1): of a drawer's look over its way, and of a rest over time.

public import HeaderMotion

/// What share of something is done at a share of something else.
public enum Easing: Equatable, Sendable {
  case linear
  /// p².
  case square
  /// 1 − (1 − p)².
  case decelerate
  /// A spring, until it is over after some seconds; it may go beyond 1.
  case spring(Spring, seconds: Double)
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
    case .spring(let spring, let seconds): return 1 + spring.displacement(at: part * seconds)
    case .decelerate: return 1 - (1 - part) * (1 - part)
    case .bezier(let x1, let y1, let x2, let y2, let within): return Bezier.y(at: part, x1, y1, x2, y2, within: within)
    }
  }
}
