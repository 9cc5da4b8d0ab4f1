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
    catchRest()
    giveUp(nested.forget())
    // One call after the other is one way: where it leads does not depend on how often it was looked at, though a spring may go
    // to and fro and drawers hide in another order than they show.
    let (from, before) = (calledFrom, chain.total)
    chain = from
    chain.place(traveled)
    placed = (from, chain)
    if isFresh { takeContentAlong() }
    if follows == .looks { decision?.stand(hidden: chain.total > 0) }
    displace(from: before)
    settle()
  }

  /// A finger on the header itself.
  /// - Returns: by how much it moved, in the offset's sign.
  func drag(by delta: Double) -> Double {
    catchRest()
    let before = chain.total
    let movement = Grid.nearest(delta)
    _ = chain.take(movement, .atTop)
    displace(from: before)
    settle()
    return chain.total - before
  }

  func bind(to range: ClosedRange<Double>) {
    permitted = range
    catchRest()
    let before = chain.total
    chain.permit(range)
    displace(from: before)
    settle()
  }

  /// The header is where it is, and the content follows from where that is.
  /// - Parameter before: what it had gone. One that nobody has moved is not displaced by it.
  func displace(from before: Double) {
    guard chain.total != before, let view = scrollView else { return }
    displacement = max(0, chain.total - position(of: view))
  }

  /// The header is over content that it has not followed.
  func meetContent(_ place: NewContent) {
    fits = contentFits
    last = nil
    displacement = 0
    guard follows == .place, let view = scrollView else { return settle() }
    switch place {
    case .automatic: chain.meet(fits ? 0 : max(0, position(of: view)))
    case .expanded: chain.place(0)
    case .collapsed: chain.place(chain.way)
    case .keep: break
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
    // Where the content hangs on the header, as far as that is gone it is no way of the content's.
    let gone = content == .below ? chain.total : insets == .follow ? drawn.seen : 0
    return end(of: index, at: place - gone) == nil
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

  /// Where a drawer is, as it is seen.
  func placeInChain(of drawer: Int) -> DrawerPlace {
    let link = chain.links[drawer]
    return DrawerPlace(gone: link.seen, collapse: link.reach.collapse, shift: link.reach.shift)
  }

  /// The drawers' stops, where there is but one drawer that moves: else a stop is no place of the whole header.
  var namedStops: [(name: String, progress: Double)] {
    let moving = chain.links.indices.filter { chain.links[$0].reach.way > 0 }
    guard moving.count == 1, let rest = chain.laws[moving[0]].rest else { return [] }
    return rest.stops.filter { $0.progress > 0 && $0.progress < 1 }.map { ($0.name, $0.progress) }
  }
}
