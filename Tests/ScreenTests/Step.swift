// SPDX-License-Identifier: MIT
//
// What applications and people do to a header and its content, one step at a time, drawn from a seed.

import HeaderModel
import HeaderTestKit

/// One thing that happens. Distances in points, as the edge sees them: positive hides.
enum Step: Equatable, Sendable {
  /// A finger moves the content; with an offer before each movement, or told afterwards.
  case drag([Double], offered: Bool)
  /// It lifts, and the content goes on.
  case fling([Double])
  /// It lifts, and all comes to rest.
  case lift
  /// The application, or a key, scrolls to a share of the content.
  case jump(Double, animated: Bool)
  /// Rows come above what is read, and go again.
  case rows(Double)
  /// Another scroll view is followed.
  case tab(String)
  /// Another one, and this one again.
  case tabAndBack(String)
  /// A refresh begins, and ends.
  case refresh(Double)
  /// A keyboard comes, and goes.
  case keyboard(Double)
  /// The phone is turned, and turned back.
  case turn
  /// The header is saved and opened again.
  case reopen
  /// The header is opened anew over the content as it is.
  case openAnew
  /// The first drawer gets another height.
  case height(Double)
  /// The content becomes so long.
  case length(Double)
  /// A call moves the header.
  case move(Double)
  /// Seconds pass.
  case wait(Double)
}

extension Step {
  /// Steps of a walk.
  static func walk(_ count: Int, seed: UInt64) -> [Step] {
    var dice = SplitMix64(seed: seed)
    return (0..<count).map { _ in Step(&dice) }
  }

  private init(_ dice: inout SplitMix64) {
    func number(_ range: ClosedRange<Double>) -> Double {
      (Double.random(in: range, using: &dice) * 4).rounded() / 4
    }
    func way() -> [Double] {
      let speed = number(-60...60)
      return (0..<Int.random(in: 1...6, using: &dice)).map { _ in (speed * number(0.5...1) * 4).rounded() / 4 }
    }
    switch dice.below(40) {
    case 0..<14: self = .drag(way(), offered: Bool.random(using: &dice))
    case 14..<18: self = .lift
    case 18..<21: self = .fling(way())
    case 21, 22: self = .jump(Double.random(in: 0...1, using: &dice), animated: Bool.random(using: &dice))
    case 23, 24: self = .rows(number(1...600))
    case 25: self = .tab(["a", "b", "short"][dice.below(3)])
    case 26, 27: self = .tabAndBack(["a", "b", "short"][dice.below(3)])
    case 28, 29: self = .refresh(number(20...80))
    case 30: self = .keyboard(number(100...300))
    case 31, 32: self = .turn
    case 33, 34: self = .reopen
    case 35: self = .openAnew
    case 36: self = .height(number(60...180))
    case 37: self = .length([300, 600, 640, 720, 4000][dice.below(5)])
    case 38: self = .move([0, 0.5, 1][dice.below(3)])
    default: self = .wait(number(0...0.6))
    }
  }
}
