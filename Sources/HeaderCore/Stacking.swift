// SPDX-License-Identifier: MIT
//
// Two movers at one edge: the drawers of the second hang on those of the first. Each of them knows only its own drawers, at their
// described places; the published state has the second's moved by the points that the first's have gone.
//
//     as each sees it    bar 100 → 44 at 0     two at 100
//     as it is drawn     bar 44 at 0           two at 44

import HeaderModel

extension Header {
  /// Whether the drawers of one edge have several owners.
  var movesInStack: Bool {
    let description = plans.plan.description.drawers
    guard owners.drawers.count == description.count else { return false }
    return description.indices.dropFirst().contains { startsInStack($0) }
  }

  /// Whether a drawer is the first of its owner, and hangs on a drawer of another owner.
  private func startsInStack(_ drawer: Int) -> Bool {
    let description = plans.plan.description.drawers
    guard owners.drawers[drawer] >= 0, owners.drawers[drawer - 1] >= 0 else { return false }
    return owners.drawers[drawer] != owners.drawers[drawer - 1]
      && description[drawer].edge == description[drawer - 1].edge
  }

  /// How much further from its edge a drawer is drawn than its owner places it; points, negative where drawers before it have gone.
  func stackShift(of drawer: Int) -> Double {
    var shift = 0.0
    for index in stride(from: drawer, to: 0, by: -1) where startsInStack(index) {
      guard case .own = PositionController(self).positioning(of: Int(owners.drawers[index])) else { continue }
      let described = plans.plan.description.drawers[index - 1]
      shift += drawers[index - 1].farEdge - (described.y + drawers[index - 1].maximumHeight)
    }
    return shift
  }
}
