// SPDX-License-Identifier: MIT
//
// A header's position between expanded and collapsed. The behavior that moves the drawers reports it, or leaves it to the engine:
//
//     0 ─────────────── traveled ──▶                travel        progress = traveled ÷ travel
//     expanded                                     collapsed
//
//     positioning   who moves it                                    where it is
//     chain         the engine, by the chain's own functions        what the drawers have contracted, sticky ones left out
//     own           the behavior (`header.position/1`)              as the behavior says
//     none          no one: `move` and `constrain` are refused

/// Where a header is, in points from fully expanded.
public struct Position: Equatable, Sendable {
  /// How far it has gone, 0…`travel`. Beyond its expanded place (over-extended) it is at 0.
  public var traveled: Double
  /// How far it can go; 0: it cannot move now.
  public var travel: Double

  /// Creates a position, cut to the way.
  public init(traveled: Double, travel: Double) {
    self.travel = max(0, travel)
    self.traveled = max(0, min(self.travel, traveled))
  }

  /// The share of the way, 0…1; 0 where there is no way.
  public var progress: Double { travel > 0 ? traveled / travel : 0 }
}

/// How a delegate's drawers can be brought to a position.
public enum Positioning: Sendable {
  /// The behavior cannot be positioned.
  case none
  /// It moves them by the chain's functions, which the engine may use as well.
  case chain
  /// The behavior moves them itself.
  case own
}

/// How much of one drawer is visibly gone, in points.
public struct DrawerPlace: Equatable, Sendable {
  /// Points of its height and of its shift that are gone.
  public var gone: Double
  /// Points of its height that it can lose.
  public var collapse: Double
  /// Points that it can then be moved off.
  public var shift: Double

  /// Creates a place; `gone` is cut to the possible range.
  public init(gone: Double, collapse: Double, shift: Double) {
    (self.collapse, self.shift) = (max(0, collapse), max(0, shift))
    self.gone = max(0, min(self.collapse + self.shift, gone))
  }
}

/// A named place on the way.
public struct NamedStop: Equatable, Sendable {
  /// The name, unique within its behavior.
  public var name: String
  /// Where it is, 0…1.
  public var progress: Double

  /// Creates a stop; `progress` is 0…1.
  public init(name: String, progress: Double) {
    self.name = name
    self.progress = progress
  }
}

/// The position of a header that is constrained or moved by call, for its states.
public struct PositionReport: Equatable, Sendable {
  /// The header's position.
  public var position: Position
  /// The range that all constraints together permit, in progress.
  public var permitted: ClosedRange<Double>
  /// The motion under way; nil: none.
  public var motion: Int?
  /// The constraints that hold the header, the strongest first.
  public var constraints: [Constraint]
  /// What of the tracking scroll view is covered at each edge, points; section headers pin at its top. nil: it is not asked for.
  public var obstruction: Insets?

  /// Creates a report.
  public init(
    position: Position, permitted: ClosedRange<Double>, motion: Int?, constraints: [Constraint],
    obstruction: Insets? = nil
  ) {
    self.position = position
    self.permitted = permitted
    self.motion = motion
    self.constraints = constraints
    self.obstruction = obstruction
  }
}
