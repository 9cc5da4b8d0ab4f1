// SPDX-License-Identifier: MIT
//
// What the header remembers beyond its options and records.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// Everything that is to go on.
  var savedState: Value {
    var fields: [(name: String, value: Value)] = [
      ("drawers", .list(chain.memory.map { .list($0.map { .number($0) }) })),
      ("lastHides", chain.lastHides.map { .bool($0) } ?? .null),
      ("last", last.map { .number($0) } ?? .null),
      ("dust", .number(dust)),
      ("displacement", .number(displacement)),
      ("releaseVelocity", .number(releaseVelocity)),
    ]
    if let placed, placed.to == chain {
      fields.append(("placedFrom", .list(placed.from.memory.map { .list($0.map { .number($0) }) })))
    }
    if refreshInset != 0 { fields.append(("refreshInset", .number(refreshInset))) }
    if surroundings.isArmed { fields.append(("isArmed", .bool(true))) }
    if isFresh { fields.append(("isFresh", .bool(true))) }
    if returnsBy == .finger { fields.append(("finger", .list([.bool(isLifted), .bool(beganShowing)]))) }
    if let savedFollowing { fields.append(("following", savedFollowing)) }
    if let nested = nested.saved { fields.append(("nested", nested)) }
    if resting.isActive {
      let legs = resting.legs.map { Value.list([.number(Double($0.link)), .number($0.from), .number($0.to)]) }
      fields.append(("resting", .record([("elapsed", .number(resting.elapsed)), ("legs", .list(legs))])))
    }
    return .record(fields)
  }

  /// Takes over what `savedState` gave.
  func take(savedState state: Value) throws(Refusal) {
    var fields = try Fields(state, at: "saved")
    chain.memory = Self.memory(fields.take("drawers"))
    chain.lastHides = fields.take("lastHides")?.bool
    last = try fields.numberOrNull("last")
    dust = max(-1, min(1, try fields.number("dust")))
    displacement = max(0, min(Grid.bound, try fields.number("displacement")))
    releaseVelocity = try fields.number("releaseVelocity")
    nested = NestedScroll(fields.take("nested"))
    refreshInset = max(0, min(Grid.bound, fields.take("refreshInset")?.number ?? 0))
    isFresh = fields.take("isFresh")?.bool ?? false
    surroundings.isArmed = fields.take("isArmed")?.bool ?? false
    if let saved = fields.take("resting") { try takeResting(saved) }
    if let saved = fields.take("placedFrom") {
      var from = chain
      from.memory = Self.memory(saved)
      placed = (from, chain)
    }
    let finger = (fields.take("finger")?.list ?? []).compactMap(\.bool)
    if finger.count == 2 { (isLifted, beganShowing) = (finger[0], finger[1]) }
    _ = fields.take("following")
    try fields.finish()
    drawn.forget(count: chain.links.count)
    drawn.seen = chain.links.indices.reduce(0) { $0 + chain.links[$1].seen }
    drawn.direction = chain.lastHides
  }

  private static func memory(_ saved: Value?) -> [[Double]] {
    (saved?.list ?? []).map { ($0.list ?? []).compactMap(\.number) }
  }

  private func takeResting(_ saved: Value) throws(Refusal) {
    var fields = try Fields(saved, at: "saved.resting")
    let elapsed = max(-1, try fields.number("elapsed"))
    let legs = (fields.take("legs")?.list ?? []).compactMap { item -> Resting.Leg? in
      let numbers = (item.list ?? []).compactMap(\.number)
      guard numbers.count == 3, let link = Int(exactly: numbers[0]), chain.links.indices.contains(link) else {
        return nil
      }
      return Resting.Leg(link: link, from: numbers[1], to: numbers[2])
    }
    try fields.finish()
    guard let first = legs.first else { return }
    resting = Resting(legs, chain.laws[first.link].rest?.motion ?? Rest().motion, elapsed: elapsed)
  }
}
