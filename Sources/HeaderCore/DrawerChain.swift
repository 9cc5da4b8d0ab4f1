// SPDX-License-Identifier: MIT
//
// The chain of drawers and its arithmetic, after TLYShyNavBar's linked controllers. A behavior says "move by −12.5", "expand",
// "contract"; the chain decides how much each drawer takes and which drawers are carried along.
//
//      origin ─┬────────────┐   each drawer hangs on the edge before it (the first on the chain's origin),
//              │  navBar    │   contracts by its own height and carries everything after it along;
//              ├────────────┤   what it cannot use of a movement is the residual, which goes to its neighbor
//              │ extension  │
//              ├────────────┤ ◀─ the tail: a scroll view whose top inset follows this edge
//              │  content   │
//
// Moves have the frame's sign: negative contracts. Contracting starts at the far end, expanding at the near one, as in the original; both
// can be turned round. Comparisons that the original makes with the single-precision epsilon are made with it here.

import HeaderModel

/// Which end of the chain moves first.
public enum ChainEnd: Int32, Sendable, CaseIterable {
  case first, last
}

/// How a header's drawers hang together; the behavior that moves them sets it.
public struct ChainPolicy: Equatable, Sendable {
  /// The edge that the first drawer hangs on, in header space.
  public var origin: Double = 0
  /// The scroll view whose top inset follows the chain's far edge; −1: none.
  public var tail: Int32 = -1
  /// Which drawer a contracting movement reaches first.
  public var contractsFirst: ChainEnd = .last
  /// Which drawer an expanding movement reaches first.
  public var expandsFirst: ChainEnd = .first
  /// Whether the tail's insets are written; without it the tail is only measured.
  public var writesTailInsets = true
  /// A drawer that passes a contracting movement on is hidden until it takes part again (not the first drawer).
  public var hidesPassedDrawers = true

  /// TLYShyNavBar's order, without a tail.
  public init() {}
}

/// The single-precision epsilon, 2⁻²³: the tolerance of the originals.
public let floatEpsilon = 1.1920928955078125e-07

/// A chain of drawers in a header: which they are, how they hang together, and how their edge sees the tail. There are two
/// kinds, so that a header of the top alone pays nothing for the others: the compiler makes the laws for each.
protocol DrawerChain {
  /// The drawers of its edge, with or without an owner.
  func all(in header: Header) -> Range<Int>
  func drawers(in header: Header) -> Range<Int>
  func policy(in header: Header) -> ChainPolicy
  /// Translates edge terms; nil at the top edge, where they are the header's own.
  var lens: EdgeLens? { get }
  /// Whether content at rest goes along with the inset. With drawers that follow others it does not: their leader's chain sees
  /// to it.
  func movesContent(in header: Header) -> Bool
}

/// The drawers of the first one's owner, where all hang on the top.
struct WholeChain: DrawerChain {
  @inline(__always) func all(in header: Header) -> Range<Int> { 0..<header.drawers.count }
  @inline(__always) func drawers(in header: Header) -> Range<Int> { 0..<header.chainEnd }
  @inline(__always) func policy(in header: Header) -> ChainPolicy { header.chain }
  @inline(__always) var lens: EdgeLens? { nil }
  @inline(__always) func movesContent(in header: Header) -> Bool { true }
}

/// The same at one edge of several.
struct SideChain: DrawerChain {
  let side: HeaderSide
  func all(in header: Header) -> Range<Int> { side.drawers }
  func drawers(in header: Header) -> Range<Int> {
    let end = side.chainEnd ?? header.chain(among: side.drawers).upperBound
    side.chainEnd = end
    return side.drawers.lowerBound..<end
  }
  func policy(in header: Header) -> ChainPolicy { side.chain }
  var lens: EdgeLens? { side.lens }
  func movesContent(in header: Header) -> Bool { side.drawers.first.map { !header.follows($0) } ?? true }
}

extension DrawerChain {
  /// The scroll view's edge, in the terms of the chain's.
  @inline(__always)
  fileprivate func top(of view: ScrollView) -> Double { lens?.rect(view.frame).origin.y ?? view.frame.origin.y }

  @inline(__always)
  fileprivate func topInset(of view: ScrollView) -> Double {
    lens?.insets(view.contentInset).top ?? view.contentInset.top
  }

  /// The content inset with another one at the chain's edge. Where there are several edges each keeps to its own; the top
  /// alone has none at the sides, as in the original.
  @inline(__always)
  fileprivate func inset(of view: ScrollView, top: Double) -> Insets {
    guard let lens else { return Insets(top: top, left: 0, bottom: view.contentInset.bottom, right: 0) }
    var inset = lens.insets(view.contentInset)
    inset.top = top
    return lens.realInsets(inset)
  }
}

extension Header {
  /// The chain that begins with the first of some drawers: as long as they have its owner.
  func chain(among drawers: Range<Int>) -> Range<Int> {
    let known = owners.drawers.indices
    guard let first = drawers.first, known.contains(first), known.contains(drawers.upperBound - 1) else {
      return drawers
    }
    let end = drawers.first { owners.drawers[$0] != owners.drawers[first] }
    return first..<(end ?? drawers.upperBound)
  }

  /// Where the part of a chain ends that a drawer moves: with the chain, or, of a drawer behind it, with those of the same owner.
  @inline(__always)
  func end(of chain: some DrawerChain, from drawer: Int) -> Int {
    let end = chain.drawers(in: self).upperBound
    return drawer < end ? end : self.chain(among: drawer..<max(drawer, chain.all(in: self).upperBound)).upperBound
  }

  /// Where a drawer's center is when it is expanded: below the edge before it, x at half its own width.
  public func expandedCenter(of drawer: Int) -> Point {
    if let side = side(of: drawer) {
      return expandedCenter(of: drawer, sized: drawers[drawer].size, SideChain(side: side))
    }
    return expandedCenter(of: drawer, sized: drawers[drawer].size, WholeChain())
  }

  @inline(__always)
  private func expandedCenter(of drawer: Int, sized size: Size, _ chain: some DrawerChain) -> Point {
    let isFirst = drawer == chain.drawers(in: self).lowerBound
    let edge = isFirst ? chain.policy(in: self).origin : drawers[drawer - 1].farEdge
    return Point(x: size.width / 2, y: size.height / 2 + edge)
  }

  /// Where a drawer's center is when it is contracted: its travel above the expanded place.
  public func contractedCenter(of drawer: Int) -> Point {
    let expanded = expandedCenter(of: drawer)
    return Point(x: expanded.x, y: expanded.y - drawers[drawer].travel)
  }

  /// Moves a drawer to a center; everything after it, down to the tail, goes along by the same distance. Also a move by
  /// nothing is a move: the tail's inset is brought up to date.
  func move(_ drawer: Int, to center: Point) {
    if let side = side(of: drawer) { return move(drawer, to: center, SideChain(side: side)) }
    move(drawer, to: center, WholeChain())
  }

  @inline(__always)
  private func move(_ drawer: Int, to center: Point, _ chain: some DrawerChain) {
    let delta = center - drawers[drawer].center
    // Most drawers of a long chain are not moved by an event: that must not cost a look at all those after each.
    if delta != Point() {
      for index in drawer..<end(of: chain, from: drawer) {
        drawers[index].center = (drawers[index].center + delta).bounded
      }
      changed()
    }
    followTail(of: chain)
  }

  /// Gives a movement to a drawer and its neighbors, within what constraints permit.
  /// - Parameter distance: points in the frame's sign: negative contracts.
  /// - Returns: the residual, what none of them could use.
  @inline(__always)
  func moveChain(from drawer: Int, by distance: Double) -> Double {
    isBounded ? moveChainWithinBounds(from: drawer, by: distance) : moveChainFreely(from: drawer, by: distance)
  }

  /// The same, whatever is permitted.
  @inline(__always)
  func moveChainFreely(from drawer: Int, by distance: Double) -> Double {
    if isEdged, let side = side(of: drawer) {
      return moveChainFreely(from: drawer, by: distance, SideChain(side: side))
    }
    return moveChainFreely(from: drawer, by: distance, WholeChain())
  }

  /// A loop, because a chain may be longer than a stack is deep.
  @inline(__always)
  private func moveChainFreely(from drawer: Int, by distance: Double, _ chain: some DrawerChain) -> Double {
    let lastIsFirst =
      (distance < 0 && chain.policy(in: self).contractsFirst == .last)
      || (distance > 0 && chain.policy(in: self).expandsFirst == .last)
    guard lastIsFirst else { return moveOnwards(from: drawer, by: distance, chain) }
    // The residual of one drawer goes to the one before it. A residual that has changed sign goes to the drawers behind first.
    var residual = distance
    for index in (drawer..<end(of: chain, from: drawer)).reversed() {
      residual = moveOnwards(from: index, by: residual, chain)
    }
    return residual
  }

  /// Offers a movement to a drawer, and the rest to the drawers behind it, in the chain's order.
  private func moveOnwards(from drawer: Int, by distance: Double, _ chain: some DrawerChain) -> Double {
    var distance = distance
    for index in drawer..<end(of: chain, from: drawer) {
      let residual = take(distance, index, chain)
      let goesOn =
        (distance > 0 && residual > 0 && chain.policy(in: self).expandsFirst == .first)
        || (distance < 0 && residual < 0 && chain.policy(in: self).contractsFirst == .first)
      guard goesOn else { return residual }
      distance = residual
    }
    return distance
  }

  /// Moves one drawer by its part of a movement and returns the rest.
  @inline(__always)
  private func take(_ distance: Double, _ drawer: Int, _ chain: some DrawerChain) -> Double {
    let before = drawers[drawer]
    guard !before.isSticky else {
      if isExplained { explainPart(of: drawer, distance, from: nil, distance) }
      return distance
    }
    let expanded = expandedCenter(of: drawer, sized: before.size, chain)
    let wanted = before.center.y + distance
    let y = max(min(expanded.y, wanted), expanded.y - before.travel)
    move(drawer, to: Point(x: expanded.x, y: y), chain)

    // 0/0, an empty drawer, counts as fully contracted; an infinity is cut like any number. Never quite 0, so that a faded element
    // differs from one that the application made clear (TLYShyNavBar).
    let after = drawers[drawer]
    let shown = 1 - (expandedCenter(of: drawer, sized: after.size, chain).y - after.center.y) / after.travel
    fade(drawer, to: shown.isNaN ? floatEpsilon : min(max(floatEpsilon, shown), 1))

    let residual = wanted - y
    if isExplained { explainPart(of: drawer, distance, from: before.center.y, residual) }
    if chain.policy(in: self).hidesPassedDrawers, drawer > chain.drawers(in: self).lowerBound {
      setHidden(drawer, residual < 0)
    }
    return residual
  }

  /// Expands a drawer and all after it, within what constraints permit.
  func expand(from drawer: Int) {
    guard isBounded else { return expandFreely(from: drawer) }
    _ = moveChainWithinBounds(from: drawer, by: chainPosition(from: drawer).traveled)
  }

  /// Contracts a drawer and all after it, within what constraints permit.
  func contract(from drawer: Int) {
    guard isBounded else { return contractFreely(from: drawer) }
    let position = chainPosition(from: drawer)
    _ = moveChainWithinBounds(from: drawer, by: position.traveled - position.travel)
  }

  /// Expands a drawer and all after it: shown, not faded, below the edge before it.
  func expandFreely(from drawer: Int) {
    for index in drawer..<chainEnd(of: drawer) {
      setHidden(index, false)
      fade(index, to: 1)
      move(index, to: expandedCenter(of: index))
    }
  }

  /// Contracts a drawer and all after it.
  func contractFreely(from drawer: Int) {
    for index in drawer..<chainEnd(of: drawer) {
      fade(index, to: floatEpsilon)
      move(index, to: contractedCenter(of: index))
    }
  }

  /// Fades the part that the drawer's fade names: the drawer itself, its elements but the first (the background), or nothing. Elements
  /// that are hidden or that the application made clear are left alone.
  func fade(_ drawer: Int, to alpha: Double) {
    let record = drawers[drawer]
    let kind = record.isSticky ? .none : record.fade
    setAlpha(ofDrawer: drawer, kind == .drawer ? Float(alpha) : 1)
    guard record.elementCount > 1 else { return }
    let elementAlpha: Float = kind == .elements ? Float(alpha) : 1
    let first = Int(record.firstElement) + firstElement(ofSideOf: drawer)
    let end = first + Int(record.elementCount)
    for index in (first + 1)..<end {
      let present = elements[index].alpha
      guard !elements[index].isHidden, Double(present) >= floatEpsilon, present != elementAlpha else { continue }
      elements[index].alpha = elementAlpha
      elements[index].isChanged = true
      changed()
    }
  }

  /// Brings the tail's top inset to the far edge of a drawer's chain (TLYShyNavBar's updateInsets).
  ///
  /// While a finger or a deceleration moves the content, only the inset changes and the content stays under the finger;
  /// at any other time the content moves with the header. When the edge lies above the scroll view, the scroll view
  /// grows upward instead; it never shrinks back.
  /// - Returns: by how much the inset differs from what it was, written or not; 0 when nothing was to be done.
  @discardableResult
  func followTail(of drawer: Int) -> Double {
    if let side = side(of: drawer) { return followTail(of: SideChain(side: side)) }
    return followTail(of: WholeChain())
  }

  @discardableResult
  private func followTail(of chain: some DrawerChain) -> Double {
    let end = chain.drawers(in: self).upperBound
    guard chain.policy(in: self).tail >= 0, end > 0 else { return 0 }
    let view = Int(chain.policy(in: self).tail)
    let kind = scrollViews[view].kind
    if kind == .table || kind == .collection, contentLength(of: view, chain) < floatEpsilon { return 0 }
    let edge = drawers[end - 1].farEdge
    // Growing makes the edge the new top, so the second round ends it.
    for _ in 0..<2 {
      // The difference of two sane numbers need not be sane, and the inset is saved.
      let top = min(edge - chain.top(of: scrollViews[view]), FieldReader.bound)
      let inset = chain.inset(of: scrollViews[view], top: top)
      let delta = top - chain.topInset(of: scrollViews[view])
      if top > -floatEpsilon, inset != scrollViews[view].contentInset {
        let refreshControlShows = scrollViews[view].hasRefreshControl && !scrollViews[view].refreshControlHidden
        if chain.policy(in: self).writesTailInsets && !refreshControlShows {
          writeTailInset(inset, by: delta, view, chain)
        }
        return delta
      }
      guard top < -floatEpsilon else { return 0 }
      scrollViews[view].decidesFrame = true
      grow(view, to: top, inset, chain)
    }
    return 0
  }

  /// The scroll view begins at the chain's far edge, which lies before it.
  @inline(never)
  private func grow(_ view: Int, to top: Double, _ inset: Insets, _ chain: some DrawerChain) {
    var frame = chain.lens?.rect(scrollViews[view].frame) ?? scrollViews[view].frame
    let bottom = chain.lens?.insets(inset).bottom ?? inset.bottom
    frame.origin.y += top
    frame.size.height = min(frame.size.height - (top + bottom), FieldReader.bound)
    write(frame, view, chain.lens)
  }

  @inline(__always)
  private func contentLength(of view: Int, _ chain: some DrawerChain) -> Double {
    chain.lens?.size(scrollViews[view].contentSize).height ?? scrollViews[view].contentSize.height
  }

  @inline(__always)
  private func writeTailInset(_ inset: Insets, by delta: Double, _ view: Int, _ chain: some DrawerChain) {
    let isMoved = scrollViews[view].isDragging || scrollViews[view].isDecelerating
    if !isMoved, delta != 0, chain.movesContent(in: self) {
      var offset = scrollViews[view].contentOffset
      if let lens = chain.lens {
        offset = offset - lens.realScroll(Point(y: delta), of: scrollViews[view])
      } else {
        offset.y -= delta
      }
      moveContent(of: view, to: offset)
    }
    writeContentInset(inset, view)
    writeIndicatorInsets(inset, view)
  }
}

// MARK: - Positions
//
// The positions of chains, and how drawers are brought to a position.

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

  /// The vertical centers of all drawers, for a chain that has contracted by a distance from fully expanded.
  func centers(ofChainFrom first: Int, contractedBy distance: Double) -> [Double] {
    var left = distance
    let all = first..<chainEnd(of: first)
    let lastIsFirst = policy(of: first).contractsFirst == .last
    var parts = [Double](repeating: 0, count: drawers.count)
    for index in lastIsFirst ? Array(all.reversed()) : Array(all) where !drawers[index].isSticky {
      parts[index] = min(drawers[index].travel, left)
      left -= parts[index]
    }
    return centers(of: all, contractedBy: parts)
  }

  /// The vertical centers of all drawers, for a chain of which each has contracted by its part.
  func centers(of all: Range<Int>, contractedBy parts: [Double]) -> [Double] {
    var centers = drawers.indices.map { drawers[$0].center.y }
    var edge = policy(of: all.lowerBound).origin
    for index in all {
      let half = drawers[index].size.height / 2
      centers[index] = min(edge + half - parts[index], FieldReader.bound)
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
    for index in all { _ = moveChainFreely(from: index, by: 0) }
    if !hasEnds { _ = moveChainFreely(from: start.drawer, by: start.from - traveled) }
  }
}
