// SPDX-License-Identifier: MIT
//
// What always holds of a chain, checked after each movement where that is asked for.

extension LawChain {
  /// What does not hold after a movement; nil: all is well.
  /// - Parameters:
  ///   - before: what all drawers had gone before it.
  ///   - offered: the movement.
  ///   - taken: what the drawers took of it.
  public func violation(from before: Double, offered: Double, taken: Double) -> String? {
    holds(from: before, offered: offered, taken: taken) ? nil : words(from: before, offered: offered, taken: taken)
  }

  @inline(__always)
  func holds(from before: Double, offered: Double, taken: Double) -> Bool {
    var sum = 0.0
    var isOnItsWay = true
    for index in 0..<links.count {
      let gone = links[index].gone
      isOnItsWay = isOnItsWay && gone >= 0 && gone <= links[index].reach.way
      sum += gone
    }
    let isPart = taken * offered >= 0 && abs(taken) <= abs(offered) && taken + (offered - taken) == offered
    return isOnItsWay && isPart && sum == total && total - before == taken
  }

  @inline(never)
  func words(from before: Double, offered: Double, taken: Double) -> String {
    var sum = 0.0
    for link in links {
      guard link.gone >= 0, link.gone <= link.reach.way else {
        return "a drawer has gone \(link.gone) of \(link.reach.way) points"
      }
      sum += link.gone
    }
    if sum != total { return "the drawers have gone \(sum) points, counted are \(total)" }
    if total - before != taken { return "the drawers went \(total - before) points and took \(taken)" }
    return "of \(offered) points the drawers took \(taken) and left \(offered - taken)"
  }
}
