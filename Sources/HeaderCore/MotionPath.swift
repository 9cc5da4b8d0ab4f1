// SPDX-License-Identifier: MIT
//
// The progress of a motion at a time after its start, in closed form, so that the path does not depend on when it is asked for.
//
//     curve     duration d      share = bezier(t / d), with the control points that Core Animation and CSS give the words
//     spring    m ẍ + c ẋ + k x = 0, x(0) = −1, ẋ(0) = the initial velocity      share = 1 + x(t)
//
// A spring never comes to rest by itself; it is over when its envelope is below 10⁻⁴ of the way.

import HeaderModel
import HeaderMotion

/// A path from 0 to 1 in time.
struct MotionPath: Equatable, Sendable {
  let curve: AnimationCurve
  /// The duration in seconds; 0: at once.
  let duration: Double

  /// The share of the way below which the spring's envelope ends it.
  private static let rest = 1e-4

  /// A curve over a duration in seconds; of a spring the duration follows from its parameters.
  init(_ curve: AnimationCurve, duration: Double) {
    self.curve = curve
    if case .spring(let mass, let stiffness, let damping, let velocity) = curve {
      self.duration = Spring(mass, stiffness, damping, velocity).settlingTime(Self.rest, most: MotionStyle.longest)
    } else {
      self.duration = duration
    }
  }

  /// The share of the way that is gone some seconds after the start; a spring's may exceed 1 on its way.
  func share(at time: Double) -> Double {
    guard time < duration else { return 1 }
    guard time > 0 else { return 0 }
    switch curve {
    case .linear: return time / duration
    case .easeIn: return Bezier.y(at: time / duration, 0.42, 0, 1, 1)
    case .easeOut: return Bezier.y(at: time / duration, 0, 0, 0.58, 1)
    case .easeInOut: return Bezier.y(at: time / duration, 0.42, 0, 0.58, 1)
    case .spring(let mass, let stiffness, let damping, let velocity):
      return 1 + Spring(mass, stiffness, damping, velocity).displacement(at: time)
    }
  }
}
