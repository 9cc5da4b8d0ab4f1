// SPDX-License-Identifier: MIT
//
// The positions of chains, and how drawers are brought to a position.

import HeaderModel

extension Header {
  /// Brings the header to where its description begins it.
  func begin(at place: HeaderMove.Target) throws(HeaderError) {
    do { _ = try PositionController(self).move(HeaderMove(to: place)) } catch {
      var error = error
      // What a request has as `to`; an error of the whole header names no field.
      let rest = error.field?.dropFirst(2)
      let sentence = rest == nil ? error.message[...] : error.message.drop { $0 != ":" }.dropFirst(2)
      error.field = "initialPosition\(rest ?? "")"
      error.message = "initialPosition\(rest ?? ""): \(sentence)"
      throw error
    }
  }

  /// The position of a drawer's chain: the points that its drawers have contracted, and can.
  func chainPosition(of drawer: Int) -> Position { chainPosition(from: chainStart(of: drawer)) }

  /// The same of the drawers from one on.
  func chainPosition(from first: Int) -> Position {
    drawers.count > 0 ? chainPosition(of: first..<chainEnd(of: first)) : Position(traveled: 0, travel: 0)
  }

  /// The same of some drawers.
  func chainPosition(of range: Range<Int>) -> Position {
    var (traveled, travel) = (0.0, 0.0)
    for index in range where !drawers[index].isSticky {
      travel += drawers[index].travel
      traveled += contraction(of: index)
    }
    return Position(traveled: traveled, travel: travel)
  }

  /// How far a drawer is contracted, points.
  func contraction(of drawer: Int) -> Double {
    max(0, min(drawers[drawer].travel, expandedCenter(of: drawer).y - drawers[drawer].center.y))
  }

  /// Moves a drawer and its neighbors, as far as constraints permit.
  /// - Returns: the residual: points that they could not use, or were not permitted to.
  @inline(never)
  func moveChainWithinBounds(from drawer: Int, by distance: Double) -> Double {
    let part = permittedPart(of: distance, drawer)
    // The tail's content may scroll along before the movement is through. A behavior that answers that scroll by another
    // movement gets nothing: both together would be more than is permitted.
    let isWithinAnother = rare.isMovedWithinBounds
    rare.isMovedWithinBounds = true
    defer { rare.isMovedWithinBounds = isWithinAnother }
    return moveChainFreely(from: drawer, by: part) + (distance - part)
  }

  /// How much of a movement of a drawer's chain constraints permit; points in the frame's sign.
  func permittedPart(of distance: Double, _ drawer: Int) -> Double {
    if rare.isMovedWithinBounds { return 0 }
    let position = chainPosition(of: drawer)
    guard isBounded, let bounds = rare.control?.bounds(of: position) else { return distance }
    let part =
      distance < 0
      ? max(distance, min(0, position.traveled - bounds.upperBound))
      : min(distance, max(0, position.traveled - bounds.lowerBound))
    if isExplained { explainBound(distance, part) }
    return part
  }

  /// Expands a drawer and all after it, as far as constraints permit.
  @inline(never)
  func expandWithinBounds(from drawer: Int) {
    _ = moveChainWithinBounds(from: drawer, by: chainPosition(from: drawer).traveled)
  }

  /// Contracts a drawer and all after it, as far as constraints permit.
  @inline(never)
  func contractWithinBounds(from drawer: Int) {
    let position = chainPosition(from: drawer)
    _ = moveChainWithinBounds(from: drawer, by: position.traveled - position.travel)
  }

  /// The vertical centers of all drawers, for a chain that has contracted by a distance from fully expanded.
  func centers(ofChainFrom first: Int, contractedBy distance: Double) -> [Double] {
    var (centers, left) = (drawers.indices.map { drawers[$0].center.y }, distance)
    let (all, policy) = (first..<chainEnd(of: first), policy(of: first))
    var parts = [Double](repeating: 0, count: drawers.count)
    for index in policy.contractsFirst == .last ? Array(all.reversed()) : Array(all) where !drawers[index].isSticky {
      parts[index] = min(drawers[index].travel, left)
      left -= parts[index]
    }
    var edge = policy.origin
    for index in all {
      let half = drawers[index].size.height / 2
      centers[index] = edge + half - parts[index]
      edge = centers[index] + half
    }
    return centers
  }

  /// Brings the chain from where its drawers stood to a position. The way there is one movement, however many frames it
  /// is drawn in: so where each drawer is depends on the position alone.
  func placeChain(at traveled: Double, from start: Motion.Part) {
    let first = chainStart(of: start.drawer)
    let travel = chainPosition(from: first).travel
    if traveled <= 0 { return expandFreely(from: first) }
    if traveled >= travel { return contractFreely(from: first) }
    let all = first..<chainEnd(of: first)
    let hasEnds = start.ends.count == drawers.count
    let share = start.to == start.from ? 1 : (traveled - start.from) / (start.to - start.from)
    for index in all where start.centers.indices.contains(index) {
      let (from, to) = (start.centers[index], hasEnds ? start.ends[index] : 0)
      drawers[index].center.y = !hasEnds ? from : share == 1 ? to : from + (to - from) * share
    }
    changed()
    if hasEnds {
      for index in all { _ = moveChainFreely(from: index, by: 0) }
      return
    }
    for index in all { _ = moveChainFreely(from: index, by: 0) }
    _ = moveChainFreely(from: start.drawer, by: start.from - traveled)
  }
}
