// SPDX-License-Identifier: MIT
//
// The constraints that override a header's behaviors, and the motion under way. Hardly a header has any; the others pay for one look at a
// flag.

import HeaderModel

/// A motion that a client asked for, or that leads where a constraint permits.
struct Motion: Equatable, Sendable {
  /// Counts the header's motions; the notice of its end has it. 0: it has not begun.
  var id = 0
  var path: MotionPath
  /// Header time at its beginning.
  var start: Instant
  /// Seconds that frames without a clock (`frames` is `manual`) have taken.
  var framed = 0.0
  var drawnBy: MotionStyle.Drawer
  /// It leads to the permitted range: other movements do not count meanwhile.
  var isImposed = false
  /// It leads to where the behaviors' own laws place them.
  var isLawful = false
  /// A behavior's own call began it, and the behavior sees to it: it is only followed to its end.
  var followed: Followed?
  var parts: [Part]

  /// What ends a motion that a behavior sees to.
  enum Followed: String, CaseIterable, Sendable {
    /// The animation that it announced; its drawers are where that leads.
    case animation
    /// The last of its frames.
    case frames
  }

  /// One delegate's part of a motion.
  struct Part: Equatable, Sendable {
    var delegate: Int32
    /// The range of the motion in points.
    var from: Double
    var to: Double
    /// Of a chain: the vertical centers of its drawers at the beginning.
    var centers: [Double] = []
    /// Of a chain: their centers at the end; empty: where the movement leads.
    var ends: [Double] = []
    /// Of a chain: the drawer that the movement is given to.
    var drawer = 0
    /// Where the delegate said that it is, once it was put where the motion is.
    var expected = 0.0
  }
}

/// Constraints and motion of one header.
struct PositionControl: Equatable, Sendable {
  /// The constraints, in the order in which they came.
  var constraints: [Constraint] = []
  var motion: Motion?
  /// The number of the latest motion.
  var lastMotion = 0
  /// The range that all constraints together permit, in progress.
  private(set) var permitted: ClosedRange<Double> = 0...1

  /// A header has at most as many.
  static let maxConstraints = 64

  /// Whether neither a constraint nor a motion holds the header.
  var isIdle: Bool { constraints.isEmpty && motion == nil }

  /// Movements of behaviors are bounded.
  var isBounded: Bool { permitted != 0...1 || motion?.isImposed == true }

  /// The constraints, the strongest first.
  var ranked: [Constraint] {
    constraints.enumerated().sorted { left, right in
      (right.element.priority, left.offset) < (left.element.priority, right.offset)
    }.map(\.element)
  }

  /// Computes the range that all constraints permit. Where two contradict each other, the stronger one holds, and the header comes as
  /// near to the other as it may.
  mutating func updatePermitted() {
    var range = 0.0...1.0
    for constraint in ranked {
      let wanted = constraint.permitted
      if wanted.lowerBound > range.upperBound {
        range = range.upperBound...range.upperBound
      } else if wanted.upperBound < range.lowerBound {
        range = range.lowerBound...range.lowerBound
      } else {
        range = max(range.lowerBound, wanted.lowerBound)...min(range.upperBound, wanted.upperBound)
      }
    }
    permitted = range
  }

  /// The bounds of a behavior's own movements, in points.
  func bounds(of position: Position) -> ClosedRange<Double> {
    if motion?.isImposed == true { return position.traveled...position.traveled }
    return permitted.lowerBound * position.travel...permitted.upperBound * position.travel
  }

  /// The constraint of that name.
  func index(of name: String) -> Int? { constraints.firstIndex { $0.name == name } }

  /// Renumbers the motion's parts for the delegates' new places; parts of removed delegates end.
  mutating func renumber(_ place: (Int32) -> Int32) {
    guard motion != nil else { return }
    for index in motion?.parts.indices ?? 0..<0 {
      guard let old = motion?.parts[index].delegate else { continue }
      motion?.parts[index].delegate = place(old)
    }
    motion?.parts.removeAll { $0.delegate < 0 }
  }
}
