// SPDX-License-Identifier: MIT
//
// What delegates ask of the chain, of drawers they own and of elements' looks: checked, then carried out by DrawerChain.swift.

import HeaderModel

extension Header {
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
