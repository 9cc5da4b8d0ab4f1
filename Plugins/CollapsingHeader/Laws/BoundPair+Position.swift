// SPDX-License-Identifier: MIT
//
// A pair's position by call (header.position/1), which Chromium does not know: the share that both have gone of their ways, the
// same for both. A ratio has single precision, as in the original.

extension BoundPair {
  /// The drawer by which scrolls are counted.
  private var lead: PairSide { top.heights.height != 0 ? top : bottom }

  /// How far the leading drawer can go, points.
  package var way: Double { max(0, Double(lead.heights.height) - Double(lead.heights.minimum)) }

  /// The share of its way that the pair has gone, 0…1; where it is bound, within that also in the last bit.
  package var gone: Double {
    let minimum = Double(lead.minimumRatio)
    guard minimum < 1 else { return 0 }
    let share = (1 - Double(lead.ratio)) / (1 - minimum)
    return max(permitted.lowerBound, min(permitted.upperBound, share))
  }

  /// Goes to a share of its way at once. What was under way ends.
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

  func permitted(_ ratio: Float, of side: PairSide) -> Float {
    guard permitted != 0...1 else { return ratio }
    return max(side.ratio(gone: permitted.upperBound), min(side.ratio(gone: permitted.lowerBound), ratio))
  }
}

extension PairSide {
  /// The ratio at a share of the way that is gone.
  fileprivate func ratio(gone share: Double) -> Float { Float(1 - share * (1 - Double(minimumRatio))) }
}
