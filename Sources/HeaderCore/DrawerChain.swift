// SPDX-License-Identifier: MIT
//
// The chain of drawers and its arithmetic, after TLYShyNavBar's linked controllers. A behavior says "move by −12.5",
// "expand", "contract"; who takes how much of it and who is carried along is decided here, once.
//
//      origin ─┬────────────┐   each drawer hangs on the edge before it (the first on the chain's origin),
//              │  navBar    │   contracts by its own height and carries everything after it along;
//              ├────────────┤   what it cannot use of a movement is the residual, which goes to its neighbor
//              │ extension  │
//              ├────────────┤ ◀─ the tail: a scroll view whose top inset follows this edge
//              │  content   │
//
// Moves have the frame's sign: negative contracts. Contracting starts at the far end, expanding at the near one, as in
// the original; both can be turned round. Comparisons that the original makes with the single-precision epsilon are
// made with it here.

/// Which end of the chain moves first.
public enum ChainEnd: Int32, Sendable, CaseIterable {
  case first, last
}

/// How a header's drawers hang together; the behavior that moves them sets it.
public struct ChainPolicy: Equatable, Sendable {
  /// The edge that the first drawer hangs on, in header space.
  public var origin: Double
  /// The scroll view whose top inset follows the chain's far edge; −1: none.
  public var tail: Int32
  /// Which drawer a contracting movement reaches first.
  public var contractsFirst: ChainEnd
  /// Which drawer an expanding movement reaches first.
  public var expandsFirst: ChainEnd
  /// Whether the tail's insets are written; without it the tail is only measured.
  public var writesTailInsets: Bool
  /// A drawer that passes a contracting movement on is hidden until it takes part again (not the first drawer).
  public var hidesPassedDrawers: Bool

  /// TLYShyNavBar's order, without a tail.
  public init() {
    origin = 0
    tail = -1
    contractsFirst = .last
    expandsFirst = .first
    writesTailInsets = true
    hidesPassedDrawers = true
  }
}

/// The single-precision epsilon, 2⁻²³: the tolerance of the originals.
public let floatEpsilon = 1.1920928955078125e-07

extension Header {
  /// Where a drawer's center is when it is expanded: below the edge before it, x at half its own width.
  public func expandedCenter(of drawer: Int) -> Point { expandedCenter(of: drawer, sized: drawers[drawer].size) }

  @inline(__always)
  private func expandedCenter(of drawer: Int, sized size: Size) -> Point {
    let edge = drawer == 0 ? chain.origin : drawers[drawer - 1].farEdge
    return Point(x: size.width / 2, y: size.height / 2 + edge)
  }

  /// Where a drawer's center is when it is contracted: its travel above the expanded place.
  public func contractedCenter(of drawer: Int) -> Point {
    let expanded = expandedCenter(of: drawer)
    return Point(x: expanded.x, y: expanded.y - drawers[drawer].travel)
  }

  /// Moves a drawer to a center; everything after it, down to the tail, goes along by the same distance. Also a move by
  /// nothing is a move: the tail's inset is brought up to date.
  @inline(__always)
  func move(_ drawer: Int, to center: Point) {
    let delta = center - drawers[drawer].center
    // Most drawers of a long chain are not moved by an event: that must not cost a look at all those after each.
    if delta != Point() {
      for index in drawer..<drawers.count { drawers[index].center = drawers[index].center + delta }
      changed()
    }
    followTail()
  }

  /// Gives a movement to a drawer and its neighbors. A loop, because a chain may be longer than a stack is deep.
  /// - Parameter distance: points in the frame's sign: negative contracts.
  /// - Returns: the residual, what none of them could use.
  @inline(__always)
  func moveChain(from drawer: Int, by distance: Double) -> Double {
    let lastIsFirst =
      (distance < 0 && chain.contractsFirst == .last) || (distance > 0 && chain.expandsFirst == .last)
    guard lastIsFirst else { return moveOnwards(from: drawer, by: distance) }
    // What one leaves goes to the one before it; a residual that has turned round goes on to those behind first.
    var residual = distance
    for index in (drawer..<drawers.count).reversed() { residual = moveOnwards(from: index, by: residual) }
    return residual
  }

  /// A drawer takes its part first, those behind it what it leaves, as long as the chain's order has it so.
  private func moveOnwards(from drawer: Int, by distance: Double) -> Double {
    var distance = distance
    for index in drawer..<drawers.count {
      let residual = take(distance, index)
      let goesOn =
        (distance > 0 && residual > 0 && chain.expandsFirst == .first)
        || (distance < 0 && residual < 0 && chain.contractsFirst == .first)
      guard goesOn else { return residual }
      distance = residual
    }
    return distance
  }

  /// One drawer takes its part of a movement and returns the rest.
  @inline(__always)
  private func take(_ distance: Double, _ drawer: Int) -> Double {
    let before = drawers[drawer]
    guard !before.isSticky else { return distance }
    let expanded = expandedCenter(of: drawer, sized: before.size)
    let wanted = before.center.y + distance
    let y = max(min(expanded.y, wanted), expanded.y - before.travel)
    move(drawer, to: Point(x: expanded.x, y: y))

    // 0/0, an empty drawer, counts as fully contracted; an infinity is cut like any number. Never quite 0, so that a
    // faded element can be told from one that the application made clear (TLYShyNavBar).
    let after = drawers[drawer]
    let shown = 1 - (expandedCenter(of: drawer, sized: after.size).y - after.center.y) / after.travel
    fade(drawer, to: shown.isNaN ? floatEpsilon : min(max(floatEpsilon, shown), 1))

    let residual = wanted - y
    if chain.hidesPassedDrawers, drawer > 0 { setHidden(drawer, residual < 0) }
    return residual
  }

  /// Expands a drawer and all after it: shown, not faded, below the edge before it.
  func expand(from drawer: Int) {
    for index in drawer..<drawers.count {
      setHidden(index, false)
      fade(index, to: 1)
      move(index, to: expandedCenter(of: index))
    }
  }

  /// Contracts a drawer and all after it.
  func contract(from drawer: Int) {
    for index in drawer..<drawers.count {
      fade(index, to: floatEpsilon)
      move(index, to: contractedCenter(of: index))
    }
  }

  /// Fades what the drawer's fade says: the drawer itself, its elements but the first (the background), or nothing.
  /// Elements that are hidden or that the application made clear are left alone.
  func fade(_ drawer: Int, to alpha: Double) {
    let record = drawers[drawer]
    let kind = record.isSticky ? .none : record.fade
    setAlpha(ofDrawer: drawer, kind == .drawer ? Float(alpha) : 1)
    guard record.elementCount > 1 else { return }
    let elementAlpha: Float = kind == .elements ? Float(alpha) : 1
    let first = Int(record.firstElement)
    let end = first + Int(record.elementCount)
    for index in (first + 1)..<end {
      let present = elements[index].alpha
      guard !elements[index].isHidden, Double(present) >= floatEpsilon, present != elementAlpha else { continue }
      elements[index].alpha = elementAlpha
      elements[index].isChanged = true
      changed()
    }
  }

  /// Brings the tail's top inset to the chain's far edge (TLYShyNavBar's updateInsets).
  ///
  /// While a finger or a deceleration moves the content, only the inset changes and the content stays under the finger;
  /// at any other time the content moves with the header. When the edge lies above the scroll view, the scroll view
  /// grows upward instead; it never shrinks back.
  /// - Returns: by how much the inset differs from what it was, written or not; 0 when nothing was to be done.
  @discardableResult
  func followTail() -> Double {
    guard chain.tail >= 0, drawers.count > 0 else { return 0 }
    let view = Int(chain.tail)
    let kind = scrollViews[view].kind
    if kind == .table || kind == .collection, scrollViews[view].contentSize.height < floatEpsilon { return 0 }
    let edge = drawers[drawers.count - 1].farEdge
    // Growing makes the edge the new top, so the second round ends it.
    for _ in 0..<2 {
      let top = edge - scrollViews[view].frame.origin.y
      let inset = Insets(top: top, left: 0, bottom: scrollViews[view].contentInset.bottom, right: 0)
      if top > -floatEpsilon, inset != scrollViews[view].contentInset {
        let delta = top - scrollViews[view].contentInset.top
        let refreshControlShows = scrollViews[view].hasRefreshControl && !scrollViews[view].refreshControlHidden
        if chain.writesTailInsets && !refreshControlShows { writeTailInset(inset, view) }
        return delta
      }
      guard top < -floatEpsilon else { return 0 }
      var frame = scrollViews[view].frame
      frame.origin.y += inset.top
      frame.size.height -= inset.top + inset.bottom
      scrollViews[view].decidesFrame = true
      writeFrame(frame, view)
    }
    return 0
  }

  @inline(__always)
  private func writeTailInset(_ inset: Insets, _ view: Int) {
    let delta = inset.top - scrollViews[view].contentInset.top
    let isMoved = scrollViews[view].isDragging || scrollViews[view].isDecelerating
    if !isMoved, delta != 0 {
      var offset = scrollViews[view].contentOffset
      offset.y -= delta
      moveContent(of: view, to: offset)
    }
    writeContentInset(inset, view)
    writeIndicatorInsets(inset, view)
  }
}
