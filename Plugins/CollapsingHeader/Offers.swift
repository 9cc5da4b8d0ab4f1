// SPDX-License-Identifier: MIT
//
// Nested scrolling: a movement is offered before the content makes it, and the part that the content could not make is offered again.
//
//     willScroll      what hides, and of what shows the part that returns anywhere; the rest is left to the content
//     didOverscroll   down, at the content's top: everything comes back, then what stretches grows
//     under           the content goes along with what was taken, as a move of the header's own: where a didScroll of the whole
//                     movement would have brought both
//     below           the content's view hangs on the header's edge: nothing is written

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// The part that the header takes of an offer, points in the offset's sign.
  func take(_ offer: Double, _ phase: Phase) -> Double {
    guard enabled, offer != 0, let index = host.trackingScrollView else { return 0 }
    let view = host.scrollView(index)
    giveUp(nested.begin(offer, at: view.contentOffset.y))
    let from = position(of: view)
    // Drawers that a call has hidden over content that fits come back with a pull.
    let end = end(of: index, at: from - nested.ahead) ?? (phase == .atTop ? 0 : nil)
    guard let end, abs(from + offer) <= NestedScroll.bound else { return 0 }
    let way = offer > 0 && content == .under ? min(offer, max(0, end - from)) : offer
    let before = chain.total
    let consumed = offer < 0 && phase == .before && !mayReturn(view) ? 0 : consume(way, from: from, phase)
    // A displacement by a call is used up as the header comes back.
    let over = phase == .atTop ? max(0, min(displacement, before - chain.total)) : 0
    displacement -= over
    if content == .under { carry(index, by: consumed + over, phase) }
    nested.advance(by: way)
    nested.took(consumed, at: host.scrollView(index).contentOffset.y)
    if phase == .atTop { _ = nested.drop(way - consumed) }
    settle()
    guard consumed != 0, consumes == .whole, phase == .before else { return consumed }
    _ = nested.drop(nested.ahead)
    return offer
  }

  /// Carries the content along by the taken part, but not beyond its top unless a drawer stretches there.
  private func carry(_ index: Int, by consumed: Double, _ phase: Phase) {
    let room = phase == .atTop && isStretchy ? Double.infinity : max(0, position(of: host.scrollView(index)))
    host.carry(index, by: max(consumed, -room))
  }

  /// The part that is taken of a way: by drawers that are stretched, by the drawers' laws, by drawers that stretch.
  private func consume(_ way: Double, from: Double, _ phase: Phase) -> Double {
    guard content == .under else { return consume(way, phase) }
    if way > 0 {
      // Beyond the content's top nothing hides.
      let beyond = min(way, max(0, -from))
      return (isStretchy ? beyond : 0) + consume(way - beyond, phase)
    }
    let taken = consume(way, phase)
    guard phase == .atTop, isStretchy else { return taken }
    return taken + max(way - taken, min(0, -from) - chain.pullRoom)
  }

  private var isStretchy: Bool { stretches && !host.environment.limitsMotion }

  /// The drawers' part of a movement, as a part of the way; the rest by the grid is remembered.
  private func consume(_ way: Double, _ phase: Phase) -> Double {
    let movement = Grid.nearest(way + dust)
    let taken = takeAlong(movement, phase)
    guard taken == movement else { return NestedScroll.part(taken, of: way) }
    dust = way + dust - movement
    return way
  }

  /// The part that the header takes of a movement that the content could not make.
  func takeLeft(_ left: Double) -> Double {
    guard left < 0, let view = scrollView else { return 0 }
    giveUp(nested.leave(left, at: view.contentOffset.y).given)
    return take(left, .atTop)
  }
}
