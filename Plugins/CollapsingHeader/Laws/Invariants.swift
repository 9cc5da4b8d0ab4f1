// SPDX-License-Identifier: MIT
//
// Invariants of a chain, checked after each movement if that is switched on.

extension LawChain {
  /// The invariant that a movement broke; nil: none.
  /// - Parameters:
  ///   - before: the drawers' total before it.
  ///   - offered: the movement.
  ///   - taken: the part that the drawers took.
  public func violation(from before: Double, offered: Double, taken: Double) -> String? {
    var sum = 0.0
    for link in links {
      guard link.gone >= 0, link.gone <= link.reach.way else {
        return "a drawer has gone \(link.gone) of \(link.reach.way) points"
      }
      sum += link.gone
    }
    guard sum == total else { return "the drawers have gone \(sum) points, counted are \(total)" }
    guard total - before == taken else { return "the drawers went \(total - before) points and took \(taken)" }
    guard taken * offered < 0 || abs(taken) > abs(offered) || taken + (offered - taken) != offered else { return nil }
    return "of \(offered) points the drawers took \(taken) and left \(offered - taken)"
  }
}
