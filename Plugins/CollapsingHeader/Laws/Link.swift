// SPDX-License-Identifier: MIT
//
// One drawer in the chain: the parts of its law that every movement needs, and its position. It holds no reference, so that a movement
// costs a few loads and stores.
//
//     offered ─▶ gate: slop, resistance, threshold ─▶ room on its way ─▶ taken; the rest is its neighbors'

/// The part of a drawer's way that a movement down may use.
public enum Phase: Sendable {
  /// Before the content moves: what returns anywhere.
  case before
  /// The content can go no further down: all of it.
  case atTop
}

/// A drawer's place on its way. Points of movement on the grid.
public struct Link: Equatable, Sendable, Remembering {
  /// How far its law leads.
  public internal(set) var reach: Reach
  /// The part of its way that is gone, 0 … `reach.way`.
  public internal(set) var gone = 0.0
  /// Points that the drawer is taller by, because the content is pulled.
  public internal(set) var stretch = 0.0
  /// The visible part follows the way linearly.
  public let isPlain: Bool
  private let curve: Easing
  private let gateLaw: GateLaw
  private var gate = Gate()

  /// The rules that a drawer checks before it moves.
  private struct GateLaw: Equatable, Sendable {
    let slop: Pair
    /// Resistance, and the threshold before it.
    let resistance: Pair
    /// Resistance is there again at the ends, not at a turn.
    let renewsAtEnds: Bool
  }

  /// The gate's state after earlier movements.
  private struct Gate: Equatable, Sendable {
    /// The last direction that counted; nil: none yet.
    var hides: Bool?
    /// Points gone against it, which did not count.
    var against = 0.0
    /// Points of resistance that are used up.
    var used = 0.0
  }

  /// A drawer that is fully shown.
  init(_ law: Law, maximum: Double, minimum: Double) {
    reach = Reach(law, maximum: maximum, minimum: minimum)
    isPlain = law.speed == 1 && law.curve == .linear && reach.slack == 0
    curve = law.curve
    gateLaw = GateLaw(
      slop: law.slop, resistance: Pair(hide: law.resistance.hide, show: law.resistance.show + law.threshold),
      renewsAtEnds: law.resistanceReturns == .ends)
  }

  /// The share of its way that is gone, 0 … 1.
  public var progress: Double { reach.way > 0 ? gone / reach.way : 0 }

  /// The visible points that are gone.
  public var seen: Double { isPlain ? gone : reach.seen(gone, curve) }

  /// Takes the drawer out of a block that ends before it.
  mutating func stop() { reach = Reach(Law(), maximum: reach.height, minimum: reach.height) }

  /// Takes another drawer's place with its own law.
  mutating func resume(from other: Link, keepsPoints: Bool) {
    let isAlike = keepsPoints || other.gone == 0 || reach.way == other.reach.way
    gone = isAlike ? min(reach.way, other.gone) : Grid.nearest(reach.way * other.progress)
    stretch = other.stretch
    gate = other.gate
  }

  // MARK: Movement

  /// Whether its gate lets everything through in a direction.
  @inline(__always)
  func isOpen(hides: Bool) -> Bool {
    gate.hides == hides && gate.against == 0 && gate.used >= gateLaw.resistance[hides]
  }

  /// Points of a direction that the gate still uses up.
  func shut(hides: Bool) -> Double {
    let resistance = gateLaw.resistance[hides]
    if gate.hides == hides { return gate.against + max(0, resistance - gate.used) }
    let slop = max(0, gateLaw.slop[hides] - gate.against)
    return slop + (gateLaw.renewsAtEnds ? max(0, resistance - gate.used) : resistance)
  }

  /// The part of an offer that passes the gate; call it once for each movement.
  mutating func open(_ offered: Double, hides: Bool) -> Double {
    var distance = offered
    if gate.hides == hides {
      // A way back within the slop is no turn: it only takes back what did not count.
      let undone = min(gate.against, distance)
      gate.against -= undone
      distance -= undone
    } else {
      let slop = gateLaw.slop[hides]
      // The first movement counts as a turn.
      if gate.hides == nil { gate.hides = !hides }
      gate.against += distance
      guard gate.against > slop || slop == 0 else { return 0 }
      distance = min(distance, Grid.nearest(gate.against - slop))
      gate.against = 0
      gate.hides = hides
      if !gateLaw.renewsAtEnds { gate.used = 0 }
    }
    let resistance = gateLaw.resistance[hides]
    guard resistance > gate.used else { return distance }
    let left = Grid.nearest(resistance - gate.used)
    gate.used = min(resistance, gate.used + distance)
    return max(0, distance - left)
  }

  /// How far it can go.
  @inline(__always)
  func room(hides: Bool, _ phase: Phase) -> Double {
    if hides { return reach.way - gone }
    return phase == .atTop ? gone : max(0, gone - reach.floor)
  }

  /// Goes a distance for which there is room.
  @inline(__always)
  mutating func go(_ distance: Double, hides: Bool) {
    gone += hides ? distance : -distance
    if gateLaw.renewsAtEnds, gone == 0 || gone == reach.way { gate.used = 0 }
  }

  package mutating func remember(in memory: inout Memory) {
    memory.parts(&self, \.gone, \.stretch, \.gate.hides, \.gate.against, \.gate.used)
    gone = Grid.nearest(max(0, min(reach.way, gone)))
    stretch = Grid.nearest(max(0, min(Grid.bound, stretch)))
    (gate.against, gate.used) = (max(0, gate.against), max(0, gate.used))
  }
}
