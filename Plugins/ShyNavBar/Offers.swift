// SPDX-License-Identifier: MIT
//
// Nested scrolling, which the library does not know: a publisher offers a movement before its content makes it. An offer is handled as
// the didScroll that all of it would have brought, so that stickiness, resistance, the order of the drawers, fades and notices are the
// library's, and offers leave the header where scrolls of the same finger would. NestedScrolling.swift of the kit has the rules that all
// behaviors share.
//
//     willScroll      δ ─▶ didScroll's steps 3 to 9 from where the content is to δ further ─▶ the drawers move by m
//                     consumed −m: contracting first the last drawer, then the bar; expanding the bar first, once the
//                     resistance is used up, and at the content's top without any
//                     the inset follows the drawers, and the content goes with the inset, also under a finger: its distance
//                     from its top stays what it was. It is not carried past its end: there the header slides over it
//     didOverscroll   what was offered before is not looked at again; what was not, is as by willScroll
//     willFling       nothing: the library has no eye for velocity. What a fling does comes as offers of its own, and where it
//                     ends (didEndDecelerating, or didEndDragging without) the header snaps
//
// One difference: the library ignores the first scroll after it begins, because it does not know where the content was. An offer says by
// how much it will move, so that the first one counts.

internal import HeaderPluginKit

extension ShyNavBar {
  /// Where the header takes a scroll view's content to be, points.
  func position(of view: ScrollView) -> Double { view.contentOffset.y + nested.ahead }

  /// A part of the way that was looked at will not be gone: no movement.
  func giveUp(_ distance: Double) {
    if distance != 0 { previousYOffset = previousYOffset.map { $0 - distance } }
  }

  /// The part that the header takes of an offer, points in the offset's sign.
  /// - Parameter isLeft: the content has left the offer over: the rest is lost.
  func take(_ offer: Double, isLeft: Bool = false) -> Double {
    hangOnStatusBar()
    guard offer != 0, let index = host.trackingScrollView else { return 0 }
    let view = host.scrollView(index)
    guard follows(view) else { return 0 }
    let offset = view.contentOffset.y
    giveUp(nested.begin(offer, at: offset))
    let from = offset + nested.ahead
    guard abs(from + offer) <= NestedScroll.bound else { return 0 }
    let room = max(0, host.restingPlaces(of: index).upperBound - offset)
    let moved = follow(from: previousYOffset ?? from, to: from + offer, view)
    let consumed = NestedScroll.part(-moved, of: offer)
    // The chain has carried the content with the inset, unless a finger moves it or the inset is not written.
    host.carry(index, by: offset + min(consumed, room) - host.scrollView(index).contentOffset.y)
    nested.advance(by: offer)
    nested.took(consumed, at: host.scrollView(index).contentOffset.y)
    if isLeft { _ = nested.drop(offer - consumed) }
    previousYOffset = position(of: view)
    return consumed
  }

  /// didOverscroll: the part that the header takes of a movement that the content could not make, points in the offset's sign.
  func takeLeft(_ left: Double) -> Double {
    guard left != 0, let view = scrollView else { return 0 }
    let (known, given) = nested.leave(left, at: view.contentOffset.y)
    giveUp(given)
    return take(left - known, isLeft: true)
  }
}
