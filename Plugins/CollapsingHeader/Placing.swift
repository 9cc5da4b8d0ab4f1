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
    let from = placed.map { chain == $0.to ? $0.from : chain } ?? chain
    chain = from
    chain.place(traveled)
    placed = (from, chain)
    displace()
    settle()
  }

  /// A finger on the header itself.
  /// - Returns: by how much it moved, in the offset's sign.
  func drag(by delta: Double) -> Double {
    catchRest()
    let before = chain.total
    let movement = Grid.nearest(delta)
    _ = chain.take(movement, .atTop)
    displace()
    settle()
    return chain.total - before
  }

  func bind(to range: ClosedRange<Double>) {
    permitted = range
    catchRest()
    chain.permit(range)
    displace()
    settle()
  }

  /// The header is where it is, and the content follows from where that is.
  func displace() {
    guard let view = scrollView else { return }
    displacement = max(0, chain.total - position(of: view))
  }

  /// The drawers' stops, where there is but one drawer that moves: else a stop is no place of the whole header.
  var namedStops: [(name: String, progress: Double)] {
    let moving = chain.links.indices.filter { chain.links[$0].reach.way > 0 }
    guard moving.count == 1, let rest = chain.laws[moving[0]].rest else { return [] }
    return rest.stops.filter { $0.progress > 0 && $0.progress < 1 }.map { ($0.name, $0.progress) }
  }
}
