// SPDX-License-Identifier: MIT
//
// The bar of the Facebook app: it follows every drag in both directions, once the drag has worked off a threshold.
//
//     progress = previousProgress + (offset − previousYOffset) / range
//
// Each beginning drag sets the anchor (previousYOffset, previousProgress). A threshold moves the anchor away, so that the
// quotient lies outside 0…1, where the bar cuts it, until the threshold is worked off. A scroll without a drag uses the
// anchor of the drag before, and after a snap the anchor is stale: both are the original's (issue 60 there).
//
// After BLKFlexibleHeightBar 6110292 (FacebookStyleBarBehaviorDefiner).

/// Settings and anchor of the Facebook-style definer.
struct Facebook {
  // MARK: Settings, in points; below 0 counts as 0

  /// How far to scroll down from the very top before the bar follows.
  var thresholdFromTop = 0.0 { didSet { thresholdFromTop = max(thresholdFromTop, 0) } }
  /// How far to scroll up before a contracted bar follows.
  var thresholdNegativeDirection = 0.0 { didSet { thresholdNegativeDirection = max(thresholdNegativeDirection, 0) } }
  /// How far to scroll down before an expanded bar follows.
  var thresholdPositiveDirection = 0.0 { didSet { thresholdPositiveDirection = max(thresholdPositiveDirection, 0) } }

  // MARK: Anchor

  var previousYOffset = 0.0
  var previousProgress = 0.0

  mutating func forget() { (previousYOffset, previousProgress) = (0, 0) }

  /// Sets the anchor where the bar and the content are, without a drag.
  mutating func begin(at place: Place, progress: Double) {
    (previousYOffset, previousProgress) = (place.offset, progress)
  }

  /// Progress by the distance from the anchor.
  func progress(at place: Place) -> Double {
    previousProgress + (place.offset - previousYOffset) / place.range
  }

  /// Sets the anchor of a drag.
  mutating func beginDragging(at place: Place, progress: Double) {
    let bottom = place.contentHeight - place.height
    if place.fromTop >= 0, place.offset <= bottom {
      previousYOffset = place.offset
      previousProgress = progress
      if place.fromTop == 0 {
        previousYOffset += thresholdFromTop
        return
      }
      // Near an end there is no room to work a threshold off.
      if place.fromTop > thresholdNegativeDirection + place.range { applyNegative(progress) }
      if place.offset < bottom - thresholdPositiveDirection { applyPositive(progress) }
    } else if place.fromTop < 0 {
      previousYOffset = -place.insetTop
      previousProgress = 0
      if thresholdFromTop != 0 {
        previousYOffset += thresholdFromTop
      } else {
        applyNegative(progress)
        applyPositive(progress)
      }
    } else if place.offset > bottom, place.contentHeight > place.height {
      previousYOffset = bottom
      previousProgress = 1
      applyNegative(progress)
      applyPositive(progress)
    }
  }

  /// The two look at the bar's progress, not at the anchor's.
  private mutating func applyNegative(_ progress: Double) {
    if progress == 1 { previousYOffset -= thresholdNegativeDirection }
  }

  private mutating func applyPositive(_ progress: Double) {
    if progress == 0 { previousYOffset += thresholdPositiveDirection }
  }
}
