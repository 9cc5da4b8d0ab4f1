// SPDX-License-Identifier: MIT
//
// How far a motion has got at a time after its start, in closed form: whoever asks at whatever times gets the same path.
//
//     curve     duration d      share = bezier(t / d), with the control points that Core Animation and CSS give the words
//     spring    m ẍ + c ẋ + k x = 0, x(0) = −1, ẋ(0) = the initial velocity      share = 1 + x(t)
//
// A spring never comes to rest by itself; it is over when its envelope is below 10⁻⁴ of the way.

/// A path from 0 to 1 in time.
struct MotionPath: Equatable, Sendable {
  let curve: AnimationCurve
  /// Seconds until it is over; 0: at once.
  let duration: Double

  /// What of the way a spring's envelope is below when it is over.
  private static let rest = 1e-4
  /// Seconds that a spring takes at most.
  static let longest = 60.0

  /// A curve over a duration in seconds; of a spring the duration follows from its parameters.
  init(_ curve: AnimationCurve, duration: Double) {
    self.curve = curve
    if case .spring(let mass, let stiffness, let damping, let velocity) = curve {
      self.duration = Spring(mass, stiffness, damping, velocity).settlingTime(Self.rest, most: Self.longest)
    } else {
      self.duration = duration
    }
  }

  /// What share of the way is gone, in seconds after the start; a spring's may exceed 1 on its way.
  func share(at time: Double) -> Double {
    guard time < duration else { return 1 }
    guard time > 0 else { return 0 }
    switch curve {
    case .linear: return time / duration
    case .easeIn: return Self.bezier(time / duration, 0.42, 0, 1, 1)
    case .easeOut: return Self.bezier(time / duration, 0, 0, 0.58, 1)
    case .easeInOut: return Self.bezier(time / duration, 0.42, 0, 0.58, 1)
    case .spring(let mass, let stiffness, let damping, let velocity):
      return 1 + Spring(mass, stiffness, damping, velocity).displacement(at: time)
    }
  }

  /// y of the cubic Bézier curve from (0, 0) to (1, 1) at an x, found by halving the parameter.
  private static func bezier(_ x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Double {
    func at(_ t: Double, _ one: Double, _ two: Double) -> Double {
      let u = 1 - t
      return 3 * u * u * t * one + 3 * u * t * t * two + t * t * t
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<54 {
      let middle = (low + high) / 2
      if at(middle, x1, x2) < x { low = middle } else { high = middle }
    }
    return at((low + high) / 2, y1, y2)
  }
}

/// A damped harmonic oscillator that begins one unit before its place of rest.
private struct Spring {
  let frequency: Double
  let ratio: Double
  let velocity: Double

  /// Kilograms, newtons a meter, newton seconds a meter, ways a second; all but the velocity above 0.
  init(_ mass: Double, _ stiffness: Double, _ damping: Double, _ velocity: Double) {
    frequency = (stiffness / mass).squareRoot()
    ratio = damping / (2 * (stiffness * mass).squareRoot())
    self.velocity = velocity
  }

  func displacement(at time: Double) -> Double {
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
  func settlingTime(_ share: Double, most: Double) -> Double {
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
