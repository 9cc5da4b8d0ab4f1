// SPDX-License-Identifier: MIT
//
// Two drawers that share one progress (`follows = "ratio"`): the first hangs on the top edge, the second stands at the bottom of
// the viewport. `BoundPair` (Laws/) decides, this file puts it to use.

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
    counterScroll = 0
    if pair == nil {
      pair = freshPair
    } else {
      pair?.setHeights(top: heights(0), bottom: heights(1), animated: animatesHeights)
    }
    showPair()
  }

  /// Other rules hold from now on.
  func changePair(_ change: (inout PairRules) -> Void) {
    change(&pairRules)
    pair?.rules = pairRules
  }

  /// The pair has changed, and is shown.
  func changesPair(_ change: (inout BoundPair) -> Void) {
    guard var changed = pair else { return }
    counterScroll = 0
    change(&changed)
    pair = changed
    showPair()
  }

  func followPairOffer(_ offer: Double) -> Double {
    var left = offer
    changesPair { $0.follow(offer, at: contentOffset, time: microseconds, &left) }
    // Single precision is no movement.
    return left == Double(Float(offer)) ? 0 : NestedScroll.part(offer - left, of: offer)
  }

  func pairFrame() {
    var scrolled = 0.0
    changesPair { scrolled = $0.advance(to: microseconds, at: contentOffset) }
    counterScroll = scrolled
    // One frame more, in which nothing is scrolled back any more.
    if pair?.isAnimating == false, scrolled == 0 { host.stopFrames() }
  }

  /// How the extent of the viewport will change by a scroll, as Chromium asks.
  func predict(_ current: Double, distance: Double) -> Double {
    guard let pair else { return current }
    if distance > 0, current > 0 {
      return current + (pair.topRatio < 1 ? pair.topShown : 0) + (pair.bottomRatio < 1 ? pair.bottomShown : 0)
    }
    guard distance < 0, current < 0 else { return current }
    return current - (pair.topRatio > 0 ? Double(heights(0).height) - pair.topShown : 0)
      - (pair.bottomRatio > 0 ? Double(heights(1).height) - pair.bottomShown : 0)
  }

  private func showPair() {
    guard let pair else { return }
    place(0, at: pair.topShown - Double(heights(0).height))
    if host.drawerCount > 1 { place(1, at: (scrollView?.frame.height ?? 0) - pair.bottomShown) }
    if pair.isAnimating, !host.framesAreActive { host.startFrames() }
  }

  private func place(_ index: Int, at top: Double) {
    let record = host.drawer(index)
    let size = Size(width: record.size.width, height: record.maximumHeight)
    host.setCenter(Point(x: record.center.x, y: top + size.height * 0.5), size: size, of: index)
  }
}

extension BoundPair {
  mutating func follow(_ offer: Double, at offset: Double, time: Double, _ left: inout Double) {
    left = scroll(by: offer, at: offset, time: time)
  }
}
