// SPDX-License-Identifier: MIT
//
// The laws of the scroll view model, as UIKit has them: a write of the content offset is told to the delegates at once,
// inside the write (a nested didScroll); a silent move is not; an inset or a size may push the offset out of range, and
// while nothing moves the content it is then brought back by a write. Every move that did not come from the publisher
// is added to `correction`, so that the publisher can follow without losing or doubling one.

extension Header {
  /// Moves the content silently: nobody is told.
  func moveContent(of view: Int, to offset: Point) {
    let delta = offset - scrollViews[view].contentOffset
    guard delta != Point() else { return }
    scrollViews[view].contentOffset = offset
    scrollViews[view].correction = scrollViews[view].correction + delta
    changed()
  }

  /// Writes the content offset; when it differs, the delegates are told before this returns.
  func writeContentOffset(_ offset: Point, _ view: Int) {
    guard offset != scrollViews[view].contentOffset else { return }
    moveContent(of: view, to: offset)
    nestedDidScroll(view)
  }

  /// Tells the delegates of a scroll that did not come from outside.
  func nestedDidScroll(_ view: Int) {
    guard view == trackingScrollView, scrollViews[view].forwardsEvents, depth < limits.nestedDepth else { return }
    _ = forward(DelegateEvent(.didScroll, scrollView: Int32(view)))
  }

  /// Writes the content inset; an offset that is then out of range is brought back.
  func writeContentInset(_ inset: Insets, _ view: Int) {
    guard inset != scrollViews[view].contentInset else { return }
    scrollViews[view].contentInset = inset
    updateAdjustedInset(view)
    changed()
    if scrollViews[view].clamping != .none { clampOffset(view) }
  }

  func writeIndicatorInsets(_ inset: Insets, _ view: Int) {
    guard inset != scrollViews[view].scrollIndicatorInsets else { return }
    scrollViews[view].scrollIndicatorInsets = inset
    changed()
  }

  func writeFrame(_ frame: Rect, _ view: Int) {
    guard frame != scrollViews[view].frame else { return }
    let resized = frame.size != scrollViews[view].frame.size
    scrollViews[view].frame = frame
    changed()
    if resized, scrollViews[view].clamping == .all { clampOffset(view) }
  }

  func writeContentSize(_ size: Size, _ view: Int) {
    guard size != scrollViews[view].contentSize else { return }
    scrollViews[view].contentSize = size
    if scrollViews[view].clamping == .all { clampOffset(view) }
  }

  /// Brings an offset back that is out of range by more than 1e-6, unless something moves the content.
  func clampOffset(_ view: Int) {
    guard scrollViews[view].isAtRest else { return }
    let offset = scrollViews[view].contentOffset
    let clamped = scrollViews[view].clampedOffset
    let isOutside = abs(clamped.x - offset.x) > 1e-6 || abs(clamped.y - offset.y) > 1e-6
    guard isOutside else { return }
    writeContentOffset(
      Point(
        x: abs(clamped.x - offset.x) > 1e-6 ? clamped.x : offset.x,
        y: abs(clamped.y - offset.y) > 1e-6 ? clamped.y : offset.y), view)
  }

  /// The safe area inside the content controller's view.
  var contentSafeArea: Insets {
    var area = environment.safeAreaInset
    if environment.statusBarHidden && !environment.deviceHasHardwareSafeArea { area.top = 0 }
    return area + (wants.additionalSafeAreaInset ?? Insets())
  }

  /// Recomputes the adjusted inset; nothing is clamped by it.
  func updateAdjustedInset(_ view: Int) {
    var adjusted = scrollViews[view].contentInset
    if scrollViews[view].contentInsetAdjustment == .automatic {
      let area = contentSafeArea
      adjusted.top += area.top
      adjusted.bottom += area.bottom
    }
    scrollViews[view].adjustedContentInset = adjusted
  }

  func updateAdjustedInsets() {
    for view in scrollViews.indices { updateAdjustedInset(view) }
  }
}
