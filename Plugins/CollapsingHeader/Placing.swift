// SPDX-License-Identifier: MIT
//
// Positions by call and constraints (header.position/1): the way is what all drawers go together.
//
//     call         the drawers go as a finger would take them; what that is further than the content is a displacement, which
//                  the content uses up as it follows
//     constraint   bounds of the way, kept by the chain itself

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  func go(to traveled: Double) {
    giveUp(nested.forget())
    // One call after the other is one way: where it leads does not depend on how often it was looked at, though a spring may go
    // to and fro and drawers hide in another order than they show.
    let from = calledFrom
    displace {
      chain = from
      chain.place(traveled)
      placed = (from, chain)
      if isFresh { takeContentAlong() }
      if follows == .looks {
        host.cancelTimer(Self.flowToken)
        decision?.stand(hidden: chain.total > 0)
      }
    }
  }

  /// A finger on the header itself.
  /// - Returns: by how much it moved, in the offset's sign.
  func drag(by delta: Double) -> Double {
    let before = chain.total
    displace { _ = chain.take(Grid.nearest(delta), .atTop) }
    return chain.total - before
  }

  func bind(to range: ClosedRange<Double>) {
    permitted = range
    displace { chain.permit(range) }
  }

  /// The header is moved by others, and the content follows from where it is then. One that does not move is not displaced by it.
  private func displace(_ move: () -> Void) {
    catchRest()
    let before = chain.total
    move()
    if chain.total != before, let view = scrollView { displacement = max(0, chain.total - position(of: view)) }
    settle()
  }

  /// Places the header over content that it has not followed.
  func meetContent(_ place: NewContent) {
    fits = contentFits
    displacement = 0
    guard follows == .place, let view = scrollView else { return settle() }
    switch place {
    case .automatic: chain.meet(fits ? 0 : max(0, position(of: view)))
    case .expanded: chain.place(0)
    case .collapsed: chain.place(chain.way)
    case .keep: if fits { chain.place(0) }  // Nothing would bring it back.
    }
    takeContentAlong()
    settle()
  }

  /// Where a gap would open between the header and the content, that goes along, as far as its way leads.
  private func takeContentAlong() {
    guard follows == .place, content == .under, let index = host.trackingScrollView else { return }
    let place = position(of: host.scrollView(index))
    guard chain.total > max(0, place), let end = end(of: index, at: place) else { return }
    host.carry(index, by: max(0, min(chain.total, end) - place))
  }

  /// Content that fits cannot bring the header back.
  var contentFits: Bool {
    guard let index = host.trackingScrollView else { return false }
    let place = position(of: host.scrollView(index))
    // Content that hangs on the header has not moved by the part of the header that is gone.
    return end(of: index, at: content == .below ? place - chain.total : place) == nil
  }

  /// The visible header and content; nil: a call, a constraint, an offer or a refresh has put them apart, the content is beyond its ends,
  /// or it hangs on the header, which comes back a turn after it fits.
  var sight: Sight? {
    guard follows == .place, content == .under, insets != .follow, permitted == 0...1, displacement == 0, start == 0,
      nested.ahead == 0, refreshInset == 0, let index = host.trackingScrollView
    else { return nil }
    let place = position(of: host.scrollView(index))
    let end = end(of: index, at: place) ?? 0
    guard place >= 0, place <= end else { return nil }
    return Sight(gone: min(drawn.seen, chain.total), scrolled: place, end: shortContent == .moves ? .infinity : end)
  }

  /// The content may fit from now on, and the header comes back then.
  func noteFit() {
    let fitted = fits
    fits = contentFits
    guard fits, !fitted, chain.total > 0, follows == .place || follows == .movement else { return }
    catchRest()
    chain.place(0)
    displacement = 0
    settle()
  }

  /// A refresh control that is at work adds to the content's inset.
  func noteRefresh() {
    guard insets == .expanded || insets == .follow, let view = scrollView else { return }
    refreshInset = view.isRefreshing ? max(0, Grid.nearest(view.contentInset.top - ownInset(of: view))) : 0
  }

  /// The chain as the first of the calls found it that nothing has come between.
  var calledFrom: LawChain { placed.map { chain == $0.to ? $0.from : chain } ?? chain }
}
