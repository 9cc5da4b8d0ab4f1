// SPDX-License-Identifier: MIT
//
// The header's state beyond its options and records.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// Takes over what `save` gave.
  func take(savedState state: Value) throws(Refusal) {
    // The chain is made with the heights that the saved header still went by.
    let heights = (state["following"]?["movement"]?["heights"]?.list ?? []).compactMap(\.number)
    if heights.count == 2 * host.drawerCount { movement.heights = heights }
    try makeChain()
    var saved = try SavedRecord(reading: state)
    remember(in: &saved)
    try saved.finish()
    drawn.forget(count: chain.links.count)
    drawn.seen = chain.links.indices.reduce(0) { $0 + chain.links[$1].seen }
    drawn.direction = chain.lastHides
    fits = contentFits
  }

  /// Writes or reads all state that a restored header needs.
  func remember(in saved: inout SavedRecord) {
    saved.field("drawers", &chain.memory)
    saved.field("lastHides", &chain.lastHides)
    saved.field("last", &last)
    saved.field("dust", &dust, in: -1...1)
    saved.field("displacement", &displacement, in: 0...Grid.bound)
    saved.field("releaseVelocity", &releaseVelocity)
    saved.field("refreshInset", &refreshInset, in: 0...Grid.bound)
    saved.field("isFresh", &isFresh)
    saved.field("isArmed", &surroundings.isArmed)
    saved.field("isLifted", &finger.isLifted)
    saved.field("beganShowing", &finger.beganShowing)
    saved.field("nested", &nested, { $0.saved ?? .null }, { NestedScroll($0) })
    var from = placed.flatMap { $0.to == chain ? $0.from.memory : nil } ?? []
    saved.field("placedFrom", &from)
    if saved.isReading, !from.isEmpty {
      placed = (chain, chain)
      placed?.from.memory = from
    }
    saved.record("resting", rememberResting)
    if follows != .place { saved.record("following", rememberFollowing) }
  }

  private func rememberResting(in saved: inout SavedRecord) {
    var (elapsed, legs) = (resting.elapsed, resting.legs.map { [Double($0.link), $0.from, $0.to] })
    saved.field("elapsed", &elapsed, in: -1...Double.infinity)
    saved.field("legs", &legs)
    var isSecond = resting.isActive && resting.isSecond
    saved.field("isSecond", &isSecond)
    guard saved.isReading else { return }
    let found = legs.compactMap { leg -> Resting.Leg? in
      guard leg.count == 3, let link = Int(exactly: leg[0]), chain.links.indices.contains(link) else { return nil }
      return Resting.Leg(link: link, from: leg[1], to: leg[2])
    }
    guard let first = found.first else { return }
    resting = Resting(
      legs: found, motion: chain.laws[first.link].rest?.motion ?? Rest().motion, elapsed: elapsed, isSecond: isSecond)
  }

  private func rememberFollowing(in saved: inout SavedRecord) {
    saved.field("isAnimated", &isAnimated)
    if saved.isReading { makeLaw() }
    var law = decision?.memory ?? pair?.memory ?? block?.memory ?? []
    saved.field("law", &law)
    if saved.isReading {
      decision?.take(memory: law)
      pair?.take(memory: law)
      block?.take(memory: law)
    }
    guard follows == .movement else { return }
    saved.record("movement") { saved in
      saved.field("contentMoved", &movement.contentMoved)
      saved.field("delayLeft", &movement.delayLeft)
      saved.field("contentDid", &movement.contentDid)
      saved.field("carries", &movement.carries)
      saved.field("isIgnored", &movement.isIgnored)
      saved.field("phase", &movement.phase)
      saved.field("heights", &movement.heights)
    }
  }
}
