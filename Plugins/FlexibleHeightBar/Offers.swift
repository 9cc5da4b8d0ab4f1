// SPDX-License-Identifier: MIT
//
// Nested scrolling, which the library does not know: a publisher offers a movement before its content makes it. An offer is
// put to the definer as the didScroll that all of it would have brought, and the bar takes what its height changes by.
//
//     willScroll      δ ─▶ the definer's progress at δ further, cut to where content may rest ─▶ the height
//                     consumed: by how much the bar shrinks, or grows. The content goes along by it; the residual is the
//                     publisher's, and until its content has done it the bar is that much ahead
//                     squareCash: all of δ until the bar is at its minimum, none before the content's top is back
//                     facebook: both ways, once the drag has worked off its threshold, which is left to the content
//                     safari: down all of δ; up only while revealing or partly shown
//     didOverscroll   what was offered before is not looked at again. An elastic bar (elasticMaximumHeightAtTop) grows by all
//                     that the content leaves over at its top; a rubber band is the publisher's: it offers what that leaves
//     willFling       safari: the release's velocity, as willEndDragging gives it; it may begin revealing. Taken is velocity
//                     towards the top while the bar is stretched, all of it, for there is no content that it could move
//
// The base definer and none take nothing, nor does a bar that snaps or has no range. Points; velocities in points per
// millisecond; the offset's sign.

internal import HeaderPluginKit

extension FlexibleHeightBar {
  /// A part of the way that was looked at will not be gone: no movement.
  func giveUp(_ distance: Double) {
    guard distance != 0, definer.kind == .safari, let view = host.trackingScrollView else { return }
    var place = Place(host.scrollView(view), range: range)
    place.offset += nested.ahead
    definer.safari.giveUp(distance, at: place)
  }

  /// The part that the bar takes of an offer.
  /// - Parameter isLeft: the content has left the offer over: the rest is lost.
  func take(_ offer: Double, in view: Int?, isLeft: Bool = false) -> Double {
    guard offer != 0, let view, !definer.currentlySnapping, range > 0 else { return 0 }
    let offset = host.scrollView(view).contentOffset.y
    giveUp(nested.begin(offer, at: offset))
    let from = offset + nested.ahead
    let places = host.restingPlaces(of: view)
    let way = NestedScroll.way(of: offer, from: from, within: places, passesTop: isLeft && definer.isElastic)
    guard way != 0, abs(from + way) <= NestedScroll.bound else { return 0 }
    let before = host.drawer(bar).size.height
    nested.advance(by: way)
    follow(view)
    let consumed = NestedScroll.part(before - height, of: way)
    host.carry(view, by: consumed)
    nested.took(consumed, at: host.scrollView(view).contentOffset.y)
    if isLeft { giveUp(nested.drop(way - consumed)) }
    return consumed
  }

  /// The part that the bar takes of a movement that the content could not make.
  func takeLeft(_ left: Double, in view: Int?) -> Double {
    guard left != 0, let view else { return 0 }
    let (known, given) = nested.leave(left, at: host.scrollView(view).contentOffset.y)
    giveUp(given)
    return take(left - known, in: view, isLeft: true)
  }

  /// The part that the bar takes of a fling.
  func takeVelocity(_ velocity: Double) -> Double {
    if definer.kind == .safari { definer.safari.release(velocity: velocity) }
    return velocity < 0 && host.drawer(bar).size.height > maximum ? velocity : 0
  }
}
