// SPDX-License-Identifier: MIT
//
// Two drawers that share one progress (`follows = "ratio"`): the first hangs on the top edge, the second stands at the bottom of the
// viewport. `BoundPair` (Laws/) decides, this file applies its decisions.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// Header time in whole microseconds.
  private var microseconds: Double { Double(host.time / 1000) }

  private var contentOffset: Double { scrollView?.contentOffset.y ?? 0 }

  /// The heights of a drawer as the header has them; a pair of one has no second.
  private func heights(_ index: Int) -> PairHeights {
    guard index < host.drawerCount else { return PairHeights(height: 0, minimum: 0) }
    let drawer = host.drawer(index)
    return PairHeights(height: drawer.maximumHeight, minimum: drawer.minimumHeight)
  }

  var freshPair: BoundPair { BoundPair(top: heights(0), bottom: heights(1), rules: pairRules) }

  /// The pair of the drawers that there are.
  func makePair() {
    pair?.setHeights(top: heights(0), bottom: heights(1), animated: animatesHeights)
    showPair()
  }

  /// The pair has changed, and is shown.
  func changesPair(_ change: (inout BoundPair) -> Void) {
    guard var changed = pair else { return }
    change(&changed)
    pair = changed
    showPair()
  }

  /// The part that the pair takes of an offer. A pair that catches up with the finger, or turns, moves further than the offer. The
  /// content, which hangs on its edge, is scrolled by the difference, and stays under the finger.
  func followPairOffer(_ offer: Point) -> Point {
    guard pair != nil else { return Point() }
    var left: Double?
    changesPair { left = $0.scroll(by: offer.y, at: contentOffset, time: microseconds) }
    guard let left else { return offer }
    // Single precision is no movement.
    let whole = Double(Float(offer.y))
    let taken = NestedScroll.part(whole - left, of: whole)
    carryPairContent(by: left - (whole - taken))
    return Point(y: NestedScroll.part(taken, of: offer.y))
  }

  /// Keeps the content where it is visible while the edge that it hangs on moves in an animation.
  func pairFrame() {
    var scrolled = 0.0
    changesPair { scrolled = $0.advance(to: microseconds, at: contentOffset) }
    carryPairContent(by: scrolled)
    // One more frame follows, in which nothing is scrolled back.
    if pair?.isAnimating == false, scrolled == 0 { host.stopFrames() }
  }

  private func carryPairContent(by distance: Double) {
    guard content == .below, distance != 0, let index = host.trackingScrollView else { return }
    host.carry(index, by: distance)
  }

  /// How the extent of the viewport will change by a scroll, as Chromium asks.
  func predict(_ current: Double, distance: Double) -> Double {
    guard let pair else { return current }
    let sides = [pair.top, pair.bottom]
    if distance > 0, current > 0 { return sides.reduce(current) { $0 + ($1.ratio < 1 ? $1.shown : 0) } }
    guard distance < 0, current < 0 else { return current }
    return sides.reduce(current) { $0 - ($1.ratio > 0 ? $1.height - $1.shown : 0) }
  }

  private func showPair() {
    guard let pair else { return }
    place(0, at: pair.top.shown - pair.top.height)
    if host.drawerCount > 1 { place(1, at: (scrollView?.frame.height ?? 0) - pair.bottom.shown) }
    if pair.isAnimating, !host.framesAreActive { host.startFrames() }
    if knowsSurroundings { lookAround(edge: pair.top.shown) }
  }

  private func place(_ index: Int, at top: Double) {
    let record = host.drawer(index)
    let size = Size(width: record.size.width, height: record.maximumHeight)
    host.setCenter(Point(x: record.center.x, y: top + size.height * 0.5), size: size, of: index)
  }
}
