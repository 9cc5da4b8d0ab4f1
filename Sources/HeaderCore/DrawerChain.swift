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
  func expand(from drawer: Int) { isBounded ? expandWithinBounds(from: drawer) : expandFreely(from: drawer) }

  /// Contracts a drawer and all after it, within what constraints permit.
  func contract(from drawer: Int) { isBounded ? contractWithinBounds(from: drawer) : contractFreely(from: drawer) }

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
        if chain.policy(in: self).writesTailInsets && !refreshControlShows { writeTailInset(inset, view, chain) }
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
    if let lens = chain.lens { write(frame, view, lens) } else { writeFrame(frame, view) }
  }

  @inline(__always)
  private func contentLength(of view: Int, _ chain: some DrawerChain) -> Double {
    chain.lens?.size(scrollViews[view].contentSize).height ?? scrollViews[view].contentSize.height
  }

  @inline(__always)
  private func writeTailInset(_ inset: Insets, _ view: Int, _ chain: some DrawerChain) {
    let delta =
      chain.lens.map { $0.insets(inset).top - $0.insets(scrollViews[view].contentInset).top }
      ?? (inset.top - scrollViews[view].contentInset.top)
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

  // MARK: Owning

  /// Makes a delegate the owner of a drawer; while it is attached or restored, and when the structure changes.
  public func claimDrawer(_ drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard drawers.indices.contains(drawer) else { throw .failed("it claimed drawer \(drawer), there is none") }
    guard !follows(drawer) else {
      let name = description.drawers[drawer].name
      throw .conflict(owner: "the drawer that it follows", what: "the drawer \"\(name)\"")
    }
    let owner = owners.drawers[drawer]
    guard owner < 0 || owner == delegate.index else {
      throw .conflict(
        owner: proxy.slots[Int(owner)].delegate.name, what: "the drawer \"\(description.drawers[drawer].name)\"")
    }
    owners.drawers[drawer] = delegate.index
  }

  /// Whether a delegate owns a drawer.
  public func owns(_ drawer: Int, _ delegate: ScrollDelegate) -> Bool {
    drawers.indices.contains(drawer) && owners.drawers[drawer] == delegate.index
  }

  /// Whether no other delegate owns a drawer.
  public func isFree(_ drawer: Int, for delegate: ScrollDelegate) -> Bool {
    drawers.indices.contains(drawer) && isFree(owners.drawers[drawer], for: delegate) && !follows(drawer)
  }

  /// Whether no other delegate owns an element's look.
  public func isElementFree(_ element: Int, for delegate: ScrollDelegate) -> Bool {
    elements.indices.contains(element) && isFree(owners.elements[element], for: delegate)
  }

  /// Whether a delegate may claim a thing with this owner. While a header is restored, a thing that had no owner when it was saved cannot
  /// be claimed: delegates that yield have what was left for them then.
  private func isFree(_ owner: Int32, for delegate: ScrollDelegate) -> Bool {
    owner == delegate.index || (owner < 0 && !proxy.isRestoring)
  }

  /// Makes a delegate the owner of an element's look; only during `attach`, `restore`, a change of structure, a change of
  /// the delegate's own options and a call of its own.
  public func claimElement(_ element: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard elements.indices.contains(element) else { throw .failed("it claimed element \(element), there is none") }
    guard isElementFree(element, for: delegate) else {
      throw .conflict(owner: elementOwner(element), what: "the element \"\(elementName(element))\"")
    }
    owners.elements[element] = delegate.index
  }

  /// Refuses the look of an element that another delegate has claimed.
  func requireElement(_ element: Int, of delegate: ScrollDelegate) throws(DelegateFailure) {
    guard !isElementFree(element, for: delegate) else { return }
    throw .failed(
      "it changed element \"\(elementName(element))\", which belongs to \"\(elementOwner(element))\"")
  }

  /// The owner's name. An element of a header that is being restored may have none.
  private func elementOwner(_ element: Int) -> String {
    let owner = Int(owners.elements[element])
    return proxy.slots.indices.contains(owner) ? proxy.slots[owner].delegate.name : "nobody"
  }

  private func elementName(_ element: Int) -> String { description.drawers.flatMap(\.elements)[element].name }

  // MARK: Asked by delegates

  /// Sets how the drawers hang together. The delegate must own the first drawer.
  public func setChain(_ policy: ChainPolicy, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(firstDrawer(of: delegate), of: delegate)
    try requireSane(policy.origin, "the chain's origin")
    guard policy.tail == -1 || scrollViews.indices.contains(Int(policy.tail)) else {
      throw .failed("it named scroll view \(policy.tail) as the chain's tail, there is none")
    }
    if let side = delegate.side { side.chain = policy } else { chain = policy }
  }

  /// Brings the tail's inset to the chain's far edge and returns the difference, in points.
  public func followTail(by delegate: ScrollDelegate) throws(DelegateFailure) -> Double {
    let first = firstDrawer(of: delegate)
    try requireDrawer(first, of: delegate)
    return followTail(of: first)
  }

  /// Sets a drawer's frame. This is not a move: nothing goes along.
  public func setFrame(_ frame: Rect, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    try requireSane(frame.origin, "the drawer's frame")
    try requireSane(frame.size, "the drawer's frame")
    change(drawer) { $0.frame = frame }
  }

  /// Sets a drawer's center and size, as UIKit stores them. Not a move.
  public func setCenter(_ center: Point, size: Size, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    // With every event of a behavior that lays out its drawers: the words are made where something is wrong.
    let isPlain =
      isSane(center.x) && isSane(center.y) && size.width >= 0 && size.height >= 0 && isSane(size.width)
      && isSane(size.height)
    if !isPlain {
      try requireSane(center, "the drawer's center")
      try requireSane(size, "the drawer's size")
    }
    if drawers[drawer].place(center, size) { changed() }
  }

  /// Moves a drawer to a center; those after it and the tail go along.
  public func moveDrawer(_ drawer: Int, to center: Point, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    try requireSane(center, "the drawer's center")
    let distance = center.y - drawers[drawer].center.y
    let part = isBounded ? permittedPart(of: distance, drawer) : distance
    move(drawer, to: part == distance ? center : Point(x: center.x, y: drawers[drawer].center.y + part))
  }

  /// Gives a movement to a drawer and its neighbors and returns the residual. Points in the frame's sign.
  public func moveChain(from drawer: Int, by distance: Double, by delegate: ScrollDelegate) throws(DelegateFailure)
    -> Double
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(distance, "the movement")
    guard isExplained else { return moveChain(from: drawer, by: distance) }
    proxy.ledger?.beginMove(.by, by: distance)
    let residual = moveChain(from: drawer, by: distance)
    proxy.ledger?.endMove(residual)
    return residual
  }

  /// Expands a drawer and all after it.
  public func expand(from drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    proxy.ledger?.beginMove(.expand, by: 0)
    expand(from: drawer)
  }

  /// Contracts a drawer and all after it.
  public func contract(from drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    proxy.ledger?.beginMove(.contract, by: 0)
    contract(from: drawer)
  }

  /// Sets whether a drawer takes part in movements. Nothing moves by it.
  public func setSticky(_ sticky: Bool, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    change(drawer) { $0.isSticky = sticky }
  }

  /// Sets what fades as a drawer contracts. Setting it to nothing shows everything at once.
  public func setFade(_ kind: DrawerFade, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    change(drawer) { $0.fade = kind }
    if kind == .none { fade(drawer, to: 1) }
  }

  /// Sets a drawer's alpha; cut to 0…1 and kept in single precision.
  public func setAlpha(_ alpha: Double, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    try requireSane(alpha, "the drawer's alpha")
    setAlpha(ofDrawer: drawer, Float(max(0, min(1, alpha))))
  }

  /// Hides or shows a drawer.
  public func setHidden(_ hidden: Bool, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    setHidden(drawer, hidden)
  }

  /// Sets which drawers a drawer is drawn over; cut to −100…100.
  public func setZIndex(_ zIndex: Int8, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    change(drawer) { $0.zIndex = max(-100, min(100, zIndex)) }
  }

  /// Sets a drawer's translation, drawn on top of its frame.
  public func setTranslation(_ translation: Point, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(translation, "the drawer's translation")
    change(drawer) { $0.translation = translation }
  }

  /// Sets the bounds of a drawer's height, which its owner keeps itself.
  public func setHeights(minimum: Double, maximum: Double, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(minimum, "the minimum height")
    try requireSane(maximum, "the maximum height")
    change(drawer) { ($0.minimumHeight, $0.maximumHeight) = (minimum, maximum) }
  }

  private func change(_ drawer: Int, _ change: (inout Drawer) -> Void) {
    var record = drawers[drawer]
    change(&record)
    guard record != drawers[drawer] else { return }
    drawers[drawer] = record
    changed()
  }

  @inline(__always)
  func setAlpha(ofDrawer drawer: Int, _ alpha: Float) {
    guard drawers[drawer].alpha != alpha else { return }
    drawers[drawer].alpha = alpha
    changed()
  }

  @inline(__always)
  func setHidden(_ drawer: Int, _ hidden: Bool) {
    guard drawers[drawer].isHidden != hidden else { return }
    drawers[drawer].isHidden = hidden
    changed()
  }

  /// Sets the look of an element; from then on every state lists it. Alpha is cut to 0…1.
  public func setElement(_ index: Int, _ element: Element, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard elements.indices.contains(index) else { throw .failed("it named element \(index), there is none") }
    try requireElement(index, of: delegate)
    try requireSane(element.center, "the element's center")
    try requireSane(element.bounds.origin, "the element's bounds")
    try requireSane(element.bounds.size, "the element's bounds")
    try requireSane(element.transform, "the element's transform")
    try requireSane(element.zIndex, "the element's zIndex")
    try requireSane(element.cornerRadius, "the element's corner radius")
    try requireSane(Double(element.alpha), "the element's alpha")
    var record = element
    record.drawer = elements[index].drawer
    record.alpha = max(0, min(1, element.alpha))
    record.isChanged = true
    guard record != elements[index] else { return }
    elements[index] = record
    changed()
  }

  @inline(__always)
  private func requireDrawer(_ drawer: Int, of delegate: ScrollDelegate) throws(DelegateFailure) {
    guard owns(drawer, delegate) else { throw objection(to: drawer) }
  }

  /// Why a delegate may not change a drawer that it does not own.
  @inline(never)
  private func objection(to drawer: Int) -> DelegateFailure {
    guard drawers.indices.contains(drawer) else { return .failed("it named drawer \(drawer), there is none") }
    let owner = owners.drawers[drawer]
    let name = presentName(ofDrawer: drawer)
    return .failed(
      owner < 0
        ? "it changed drawer \"\(name)\" without having claimed it"
        : "it changed drawer \"\(name)\", which belongs to \"\(presentName(ofDelegate: Int(owner)))\"")
  }
}
