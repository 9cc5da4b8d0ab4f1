// SPDX-License-Identifier: MIT
//
// The law of one drawer, as data: how far it goes, when it goes and when it comes back, where it rests. LAWS.md beside this folder has
// the rules by which laws are combined, and the reason for each.

/// A number for hiding and one for showing.
public struct Pair: Equatable, Sendable {
  /// While the content goes up.
  public var hide: Double
  /// While the content goes down.
  public var show: Double

  /// A number for each direction.
  public init(hide: Double = 0, show: Double = 0) {
    self.hide = hide
    self.show = show
  }

  /// The number of a direction.
  @inlinable
  public subscript(hides: Bool) -> Double { hides ? hide : show }
}

/// How a drawer follows a movement.
public struct Law: Equatable, Sendable {
  /// When the drawer comes back.
  public enum Returns: String, CaseIterable, Sendable {
    /// With any movement down.
    case anywhere
    /// Only with movements that the content leaves over at its top.
    case atTop
    /// To its minimum height with any movement down, the rest at the content's top.
    case collapsedAnywhere
  }

  /// A length of a drawer.
  public enum Length: Equatable, Sendable {
    case points(Double)
    /// The drawer's minimum height.
    case minimum
  }

  /// When a resistance that was used up is there again.
  public enum Renewal: String, CaseIterable, Sendable {
    /// When the movement turns round.
    case turn
    /// When the drawer is at one of its ends.
    case ends
  }

  /// How it grows while the content is pulled beyond its top.
  public struct Stretch: Equatable, Sendable {
    /// Points of height a point of the pull.
    public var factor = 1.0
    /// The most that it grows, points; nil: no end.
    public var limit: Double?
    /// Points of height at which a notice is posted; nil: none.
    public var trigger: Double?
    /// Also again with each pull that is on the trigger still.
    public var repeats = false

    /// A gate that lets every point pass.
    public init() {}
  }

  /// The drawer loses height down to its minimum.
  public var collapses = false
  /// The drawer moves off by the edge.
  public var shifts = false
  /// What of it a shift leaves.
  public var keeps = Length.points(0)
  /// Points that a shift takes it further than off its edge.
  public var beyond = 0.0
  /// How far the drawer's way continues when nothing of it moves any more.
  public var slack = Length.points(0)
  /// When the drawer comes back.
  public var returns = Returns.anywhere
  /// Points of a movement down before it comes back, away from the content's top.
  public var threshold = 0.0
  /// Points against the last direction that do not count yet.
  public var slop = Pair()
  /// The first points in a direction, which move it not.
  public var resistance = Pair()
  /// When its resistance is there again.
  public var resistanceReturns = Renewal.turn
  /// Its place in the order of hiding, the least first; nil: from the content outwards.
  public var hideOrder: Double?
  /// Its place in the order of showing, the least first; nil: the order of hiding, back.
  public var showOrder: Double?
  /// Its share of a movement among drawers of the same place in the order; nil: its way.
  public var weight: Double?
  /// Points that it goes a point of movement.
  public var speed = 1.0
  /// Maps the share of its way that is gone to the share that is visible.
  public var curve = Easing.linear
  /// How it grows while the content is pulled; nil: not.
  public var stretch: Stretch?
  /// Where the drawer comes to rest; nil: where it is left.
  public var rest: Rest?

  /// The law of a drawer that stays.
  public init() {}

  /// Whether it looks at a movement before it takes part in it.
  var isGated: Bool { slop != Pair() || resistance != Pair() || threshold != 0 }
}

/// How far a law leads with given heights. Points on the grid.
public struct Reach: Equatable, Sendable {
  /// The height in points when all of it is shown.
  public let height: Double
  /// What of it the drawer can lose.
  public let collapse: Double
  /// Points that it can then be moved off.
  public let shift: Double
  /// The movement that takes it from one end to the other.
  public let way: Double
  /// The last part of its way, in which nothing of it moves.
  public let slack: Double
  /// The part of its way that it does not come back before the content is at its top.
  let floor: Double

  /// The visible length of its way, in points.
  public var travel: Double { collapse + shift }

  /// The reach of a law.
  /// - Parameters:
  ///   - maximum: the drawer's height fully shown.
  ///   - minimum: the least height that it may be given.
  public init(_ law: Law, maximum: Double, minimum: Double) {
    height = Grid.nearest(max(0, min(maximum, Grid.bound)))
    let least = Grid.nearest(max(0, min(minimum, maximum, Grid.bound)))
    collapse = law.collapses ? height - least : 0
    func points(_ length: Law.Length) -> Double {
      switch length {
      case .points(let points): Grid.nearest(max(0, min(points, Grid.bound)))
      case .minimum: least
      }
    }
    shift = law.shifts ? max(0, height - collapse - points(law.keeps)) + points(.points(law.beyond)) : 0
    slack = points(law.slack)
    let travel = collapse + shift
    let scale = law.speed == 1 ? 1 : 1 / law.speed
    way = (law.speed == 1 ? travel : Grid.nearest(travel * scale)) + slack
    switch law.returns {
    case .anywhere: floor = 0
    case .atTop: floor = way
    case .collapsedAnywhere: floor = min(way, Grid.nearest((height - least) * scale))
    }
  }

  /// The visible part of a part of the way.
  func seen(_ gone: Double, _ curve: Easing) -> Double {
    let way = way - slack
    guard way > 0, gone < way else { return gone > 0 ? travel : 0 }
    return Grid.nearest(travel * curve.share(at: gone / way))
  }
}
