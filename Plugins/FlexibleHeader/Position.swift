// SPDX-License-Identifier: MIT
//
// Positions by call and constraints (header.position/1), which the library does not know. The way is what the header collapses, and then
// what it shifts:
//
//     0 ── maximum … minimum height ──▶ collapse ── accumulator 0 … A ──▶ travel
//
// The height follows from the content's offset, so a header that was moved is displaced from there; the shift stays where it was put.

internal import HeaderPluginKit

extension FlexibleHeader {
  /// Points of its height that it can lose.
  private var collapse: Double { max(0, effectiveMaximum - effectiveMinimum) }
  /// How far the header can shift, in points.
  private var shift: Double { canShift ? max(0, shiftMaximum) : 0 }
  /// The way over which its place follows from the content's offset.
  private var lawfulTravel: Double { shiftBehavior == .hideable ? collapse : collapse + shift }

  var headerPosition: Position {
    let collapsed = clamp(effectiveMaximum - header.size.height, 0, collapse)
    return Position(traveled: collapsed + clamp(accumulator, 0, shift), travel: collapse + shift)
  }

  var headerStops: [(name: String, progress: Double)] {
    let travel = collapse + shift
    return travel > 0 ? [("minimumHeight", collapse / travel)] : []
  }

  /// The height that the header would like, or where a call or a constraint keeps it.
  func placed(_ wanted: Double) -> Double {
    guard !displacement.isNone else { return wanted }
    let high = effectiveMaximum
    var kept = Displacement(displacement, permitted: lawfulRange)
    defer { displacement = Displacement(kept, permitted: displacement.permitted) }
    return high - kept.place(high - wanted, travel: lawfulTravel)
  }

  /// The permitted range of the way that follows from the content.
  private var lawfulRange: ClosedRange<Double> {
    let (range, travel) = (displacement.permitted, lawfulTravel)
    guard range != 0...1, travel > 0 else { return 0...1 }
    let whole = collapse + shift
    let low = min(1, range.lowerBound * whole / travel)
    return low...max(low, min(1, range.upperBound * whole / travel))
  }

  /// The permitted part of a shift.
  func permitted(_ accumulator: Double) -> Double {
    let range = displacement.permitted
    guard range != 0...1 else { return accumulator }
    let whole = collapse + shift
    let high = range.upperBound < 1 ? max(0, range.upperBound * whole - collapse) : .infinity
    return min(high, max(accumulator, max(0, range.lowerBound * whole - collapse)))
  }

  /// Where one drawer is: the header collapses, then it shifts.
  var headerPlace: DrawerPlace { DrawerPlace(gone: headerPosition.traveled, collapse: collapse, shift: shift) }

  func moveHeader(to traveled: Double) {
    host.stopFrames()
    _ = nested.forget()
    let collapsed = min(traveled, collapse)
    let shifted = traveled - collapsed
    displace(to: traveled)
    accumulator = shifted
    wantsToBeHidden = shifted > shift / 2
    layOutAnew()
  }

  /// Ends the displacement of the part of the shift that has come back: else the content would have to use it up before anything moves.
  func limitDisplacement() {
    displacement.limit(to: collapse + clamp(accumulator, 0, shift), law: effectiveMaximum + rawOffset)
  }

  /// From now on it is displaced from where the content would have it. One that is all collapsed, as content that is as far away
  /// would have it, is not: its shift is its own.
  func displace(to traveled: Double) {
    let law = effectiveMaximum + rawOffset
    if traveled >= collapse, law >= traveled { return displacement.forget() }
    let place = shiftBehavior == .hideable ? min(traveled, collapse) : traveled
    displacement.move(to: place, law: law, travel: lawfulTravel)
  }

  func permitHeader(_ range: ClosedRange<Double>) {
    let position = headerPosition
    guard displacement.bind(to: range, from: position.travel > 0 ? position.traveled / position.travel : 0) else {
      return
    }
    accumulator = permitted(accumulator)
    layOutAnew()
  }

  /// Lays out where the content is; that it moved since is no movement of the shift.
  private func layOutAnew() {
    guard tracking != nil else { return commit() }
    lastOffsetIsValid = false
    relayout()
  }
}
