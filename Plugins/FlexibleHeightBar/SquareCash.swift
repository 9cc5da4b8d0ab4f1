// SPDX-License-Identifier: MIT
//
// The bar of the Square Cash app: its bottom edge stays with the content's top until it has its minimum height.
// After BLKFlexibleHeightBar 6110292 (SquareCashStyleBehaviorDefiner).

extension Place {
  /// Progress by the distance from the top. With a range of 0 it is infinite, or no number at the very top, which the bar
  /// takes for 1.
  var squareCashProgress: Double { fromTop / range }
}
