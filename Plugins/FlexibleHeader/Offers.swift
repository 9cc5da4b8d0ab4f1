// SPDX-License-Identifier: MIT
//
// Nested scrolling, which the library does not know: a publisher offers a movement before its content makes it. The
// header's height hangs on the content's offset alone, and its shift on how that changes; so an offer is laid out as the
// didScroll that all of it would have brought, and the header takes what its bottom edge moved by.
//
//     willScroll      δ ─▶ relayout (the library's, with its slop, anchor and bottom) at δ further, cut to where content may
//                     rest: what is beyond the maximum height is given back first, then it collapses, then it shifts
//                     consumed: the movement of the bottom edge, height − shift. The content goes along by it; the residual
//                     is the publisher's, and until its content has done it the header is that much ahead
//     didOverscroll   what was offered before is not looked at again. Pulled beyond the content's top the header over-extends
//                     by all of it, unless it must not (canOverExtend, VoiceOver); a rubber band is the publisher's: it
//                     offers what its band leaves
//     willFling       towards the top while it is over-extended: all of the velocity, for there is no content that it could
//                     move. Otherwise nothing: the library ignores velocity. What a fling does comes as offers of its own
//
// While the insets, the status bar or the size of everything is being changed, nothing is taken, as nothing is laid out.
// Points; velocities in points per millisecond; the offset's sign.

internal import HeaderPluginKit

extension FlexibleHeader {
  /// Gives up a part of an offered way that the content will not go. A part beyond the bottom never counted.
  func giveUp(_ distance: Double) {
    guard distance != 0, let view, let contentPosition else { return }
    let end = view.contentSize.height - view.frame.height
    lastOffset.y -= min(contentPosition + distance, end) - min(contentPosition, end)
  }

  /// The part that the header takes of an offer.
  /// - Parameter isLeft: the content has left the offer over: the rest is lost.
  func take(_ offer: Double, isLeft: Bool = false) -> Double {
    guard offer != 0, let index = tracking, !orientationIsChanging, !insetsAreChanging, !statusBarIsChanging else {
      return 0
    }
    giveUp(nested.begin(offer, at: host.scrollView(index).contentOffset.y))
    if records[index].ignoresNextSafeAreaJump {
      records[index].ignoresNextSafeAreaJump = false
      lastOffsetIsValid = false
    }
    if host.scrollView(index).isTracking { didDecelerate = false }

    let from = host.scrollView(index).contentOffset.y + nested.ahead
    let places = host.restingPlaces(of: index)
    let way = NestedScroll.way(of: offer, from: from, within: places, passesTop: isLeft)
    guard way != 0, abs(from + way) <= NestedScroll.bound else { return 0 }
    let edge = header.frame.maxY
    nested.advance(by: way)
    relayout()
    let consumed = NestedScroll.part(edge - header.frame.maxY, of: way)
    host.carry(index, by: consumed)
    nested.took(consumed, at: host.scrollView(index).contentOffset.y)
    if isLeft { giveUp(nested.drop(way - consumed)) }
    if holder == index { followOffset(of: index, animated: false) }
    return consumed
  }

  /// The part that the header takes of a movement that the content could not make.
  func takeLeft(_ left: Double) -> Double {
    guard left != 0, let view else { return 0 }
    let (known, given) = nested.leave(left, at: view.contentOffset.y)
    giveUp(given)
    return take(left - known, isLeft: true)
  }

  /// The part that the header takes of a fling.
  func takeVelocity(_ velocity: Double) -> Double {
    velocity < 0 && tracking != nil && header.size.height > effectiveMaximum ? velocity : 0
  }
}
