// SPDX-License-Identifier: MIT
//
// Invariants of a chain, checked after each movement if that is switched on.

extension LawChain {
  /// What does not hold after a movement; nil: all is well.
  /// - Parameters:
  ///   - before: what all drawers had gone before it.
  ///   - offered: the movement.
  ///   - taken: what the drawers took of it.
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
