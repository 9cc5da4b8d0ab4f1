// SPDX-License-Identifier: MIT
//
// Changes of a pair's heights, and its positions by call.

extension BoundPair {
  // MARK: Heights

  /// Sets other heights. The shown part stays, or goes to its place in an animation.
  package mutating func setHeights(top newTop: PairHeights, bottom newBottom: PairHeights, animated: Bool) {
    let isSame = newTop == top.old && newBottom == bottom.old
    (top.heights, bottom.heights) = (newTop, newBottom)
    if isSame { return }
    let (first, second) = (kept(top, animated), kept(bottom, animated))
    let jumps = top.animation?.jumps == true || bottom.animation?.jumps == true
    if !animated, rules.heightChangesCancel, jumps { resetAnimations() }
    let goals = (goal(top, animated), goal(bottom, animated))
    change(&top, from: first, to: goals.0, isBottom: false)
    change(&bottom, from: second, to: goals.1, isBottom: true)
    both { $0.old = $0.heights }
    tell(first, second)
  }

  /// The ratio that shows as much as before.
  private func kept(_ side: PairSide, _ animated: Bool) -> Float {
    let ratio = side.heights.height != 0 ? side.ratio * side.old.height / side.heights.height : side.ratio
    guard !animated else { return ratio }
    if constraint == .hidden { return side.heights.minimumRatio }
    if side.ratio == 1 { return 1 }
    return side.ratio == side.old.minimumRatio ? side.heights.minimumRatio : ratio
  }

  /// Where a drawer has to go in time; nil: nowhere.
  private func goal(_ side: PairSide, _ animated: Bool) -> Float? {
    guard animated, side.heights.height != 0 else { return nil }
    if side.ratio == 1, side.heights.height != side.old.height { return 1 }
    let isAtLeast = side.end == side.old.minimumRatio && side.heights.minimum != side.old.minimum
    return isAtLeast ? side.heights.minimumRatio : nil
  }

  private func change(_ side: inout PairSide, from ratio: Float, to goal: Float?, isBottom: Bool) {
    guard let goal else {
      side.minimumOffset = side.heights.minimum
      return
    }
    side.ratio = ratio
    side.start(
      ratio < goal ? .showing : .hiding, to: goal, within: .init(min(ratio, goal), max(ratio, goal)), for: 200, .linear,
      jumps: true)
    guard side.heights.minimum != side.old.minimum else { return }
    side.minimumOffset = side.old.minimum
    if isBottom {
      let taller = (side.heights.height - side.old.height).rounded(.towardZero)
      let more = (side.heights.minimum - side.old.minimum).rounded(.towardZero)
      if more > taller { side.minimumOffset += more - taller }
    }
    side.minimumChanges = true
    side.span = .init(
      min(side.minimumOffset, side.heights.minimum), max(side.minimumOffset, side.heights.minimum))
  }

  // MARK: Positions by call

  /// How far the leading drawer can go, points.
  package var way: Double { max(0, Double(lead.heights.height) - Double(lead.heights.minimum)) }

  /// The share of its way that the pair has gone, the same for both, 0…1; where it is bound, within that also in the last bit.
  package var gone: Double {
    let minimum = Double(lead.minimumRatio)
    guard minimum < 1 else { return 0 }
    let share = (1 - Double(lead.ratio)) / (1 - minimum)
    return max(permitted.lowerBound, min(permitted.upperBound, share))
  }

  /// Moves to a share of the way at once, which Chromium does not know, and ends animations.
  package mutating func move(to share: Double) {
    resetAnimations()
    tell(top.ratio(gone: share), bottom.ratio(gone: share))
    resetBaseline()
    showsAfterScroll = false
  }

  /// Whatever comes, the pair stays within these shares of its way.
  package mutating func permit(_ range: ClosedRange<Double>) {
    permitted = range
    tell(top.ratio, bottom.ratio)
  }
}
