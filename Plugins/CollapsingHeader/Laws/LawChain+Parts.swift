// SPDX-License-Identifier: MIT
//
// Each drawer's part of a movement, and the reason if it is less than the offer, for explanations. It is found by comparing the chain
// before and after, so that a movement that is not explained costs nothing.

extension LawChain {
  /// A drawer's part of a movement; points with the offset's sign.
  public struct Part: Equatable, Sendable {
    /// The drawer's index in the chain.
    public let link: Int
    /// Points that the drawer was offered.
    public let offered: Double
    /// Points that it took.
    public let taken: Double
    /// Why it did not take all; nil: it did.
    public let rule: Rule?
  }

  /// Why a drawer does not take all of what it is offered.
  public enum Rule: Equatable, Sendable {
    /// The drawer is at the end of its way.
    case end
    /// The drawer has no way to go.
    case pinned
    /// The header is bound to a part of its way.
    case bounds
    /// Slop, resistance or threshold.
    case gate
    /// The drawer comes back further only at the content's top.
    case top
  }

  /// Moves as a closure says, and reports each drawer's part in the order in which the drawers were offered the movement.
  /// - Parameter move: returns what the drawers took of the movement.
  public mutating func explained(
    _ movement: Double, _ phase: Phase, _ move: (inout LawChain) -> Double
  ) -> (taken: Double, parts: [Part]) {
    let before = links.map(\.gone)
    held = []
    let taken = move(&self)
    let gates = Set((held ?? []).map(\.link))
    held = nil
    let hides = movement > 0
    var (left, parts) = (movement, [Part]())
    for place in places(hides: hides) {
      let shares = place.map { links[$0].gone - before[$0] }
      let together = shares.reduce(0, +)
      for (link, share) in zip(place, shares) where left != 0 {
        // Drawers of one place are each offered the part that the others leave.
        let offered = left - together + share
        let isCut = together != left
        let rule = isCut ? rule(of: link, hides: hides, phase, isGated: gates.contains(link)) : nil
        parts.append(Part(link: link, offered: isCut ? offered : share, taken: share, rule: rule))
      }
      left -= together
    }
    return (taken, parts)
  }

  private func rule(of link: Int, hides: Bool, _ phase: Phase, isGated: Bool) -> Rule {
    if links[link].reach.way == 0 { return .pinned }
    if isGated { return .gate }
    if links[link].room(hides: hides, .atTop) == 0 { return .end }
    let bound = hides ? bounds.upperBound : bounds.lowerBound
    if total == bound { return .bounds }
    return hides ? .end : phase == .before ? .top : .end
  }
}
