// SPDX-License-Identifier: MIT
//
// What a delegate may change, and nothing else may change it: the functions behind `header_host` of header_plugin.h. What it
// tells of and asks for beside that is in Header+Requests.swift. Each checks its numbers and its owner first; a delegate
// that breaks a rule gets `failed` and is bypassed by whoever called it. Writes are synchronous: when a function returns,
// everything that came of it has happened, nested events included.

extension Header {
  // MARK: Checks

  /// Refuses what is not finite or beyond ±1e9.
  @inline(__always)
  func requireSane(_ number: Double, _ what: @autoclosure () -> String) throws(DelegateFailure) {
    guard !isSane(number) else { return }
    throw .failed("\(what()) is \(Value.brief(number)), expected a finite number within ±1e9")
  }

  /// No comparison holds for a NaN.
  @inline(__always)
  private func isSane(_ number: Double) -> Bool { abs(number) <= FieldReader.bound }

  func requireSane(_ point: Point, _ what: @autoclosure () -> String) throws(DelegateFailure) {
    try requireSane(point.x, "x of \(what())")
    try requireSane(point.y, "y of \(what())")
  }

  private func requireSane(_ size: Size, _ what: @autoclosure () -> String) throws(DelegateFailure) {
    try requireSane(size.width, "width of \(what())")
    try requireSane(size.height, "height of \(what())")
    guard size.width >= 0, size.height >= 0 else { throw .failed("\(what()) has a negative size") }
  }

  /// Row by row: an array of the numbers would be an allocation for each element in each event.
  private func requireSane(_ transform: Transform, _ what: @autoclosure () -> String) throws(DelegateFailure) {
    func check(_ row: Transform.Row) throws(DelegateFailure) {
      if isSane(row.m1), isSane(row.m2), isSane(row.m3), isSane(row.m4) { return }
      try requireSane(row.m1, what())
      try requireSane(row.m2, what())
      try requireSane(row.m3, what())
      try requireSane(row.m4, what())
    }
    try check(transform.row1)
    try check(transform.row2)
    try check(transform.row3)
    try check(transform.row4)
  }

  private func requireSane(_ insets: Insets, _ what: @autoclosure () -> String) throws(DelegateFailure) {
    try requireSane(insets.top, "top of \(what())")
    try requireSane(insets.left, "left of \(what())")
    try requireSane(insets.bottom, "bottom of \(what())")
    try requireSane(insets.right, "right of \(what())")
  }

  func requireView(_ view: Int) throws(DelegateFailure) {
    guard scrollViews.indices.contains(view) else { throw .failed("it named scroll view \(view), there is none") }
  }

  @inline(__always)
  private func requireDrawer(_ drawer: Int, of delegate: ScrollDelegate) throws(DelegateFailure) {
    guard owns(drawer, delegate) else { throw objection(to: drawer) }
  }

  /// Why a delegate may not change a drawer that it does not own.
  @inline(never)
  private func objection(to drawer: Int) -> DelegateFailure {
    guard drawers.indices.contains(drawer) else { return .failed("it named drawer \(drawer), there is none") }
    let owner = drawerOwners[drawer]
    let name = state.names.drawers[drawer]
    return .failed(
      owner < 0
        ? "it changed drawer \"\(name)\" without having claimed it"
        : "it changed drawer \"\(name)\", which belongs to \"\(state.names.delegates[Int(owner)])\"")
  }

  /// A write of the offset tells the delegates; too deep means that two of them answer each other without end.
  func requireDepth() throws(DelegateFailure) {
    guard depth < limits.nestedDepth else {
      throw .failed("its write nests events more than \(limits.nestedDepth) deep")
    }
  }

  // MARK: Owning

  /// Makes a delegate the owner of a drawer; while it is attached or restored, and when the structure changes.
  public func claimDrawer(_ drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard drawers.indices.contains(drawer) else { throw .failed("it claimed drawer \(drawer), there is none") }
    let owner = drawerOwners[drawer]
    guard owner < 0 || owner == delegate.index else {
      throw .conflict(
        owner: proxy.slots[Int(owner)].delegate.name, what: "the drawer \"\(description.drawers[drawer].name)\"")
    }
    drawerOwners[drawer] = delegate.index
  }

  /// Whether a delegate owns a drawer.
  public func owns(_ drawer: Int, _ delegate: ScrollDelegate) -> Bool {
    drawers.indices.contains(drawer) && drawerOwners[drawer] == delegate.index
  }

  // MARK: Scroll views

  /// Writes a content offset; when it differs, a nested didScroll is told before this returns.
  public func setContentOffset(_ offset: Point, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(offset, "the content offset")
    if offset != scrollViews[view].contentOffset { try requireDepth() }
    writeContentOffset(offset, view)
  }

  /// Moves the content without telling anybody.
  public func moveSilently(to offset: Point, _ view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(offset, "the content offset")
    moveContent(of: view, to: offset)
  }

  /// Writes a content inset; an offset then out of range is brought back, which is told.
  public func setContentInset(_ inset: Insets, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(inset, "the content inset")
    if inset != scrollViews[view].contentInset { try requireDepth() }
    writeContentInset(inset, view)
  }

  /// Writes the scroll indicators' insets, from then on part of every state.
  public func setScrollIndicatorInsets(_ insets: Insets, of view: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireView(view)
    try requireSane(insets, "the scroll indicator insets")
    scrollViews[view].decidesIndicatorInsets = true
    writeIndicatorInsets(insets, view)
  }

  /// Writes the scroll view's frame, from then on part of every state.
  public func setFrame(_ frame: Rect, ofScrollView view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(frame.origin, "the scroll view's frame")
    try requireSane(frame.size, "the scroll view's frame")
    scrollViews[view].decidesFrame = true
    writeFrame(frame, view)
  }

  /// Writes the content size, from then on part of every state.
  public func setContentSize(_ size: Size, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(size, "the content size")
    scrollViews[view].decidesContentSize = true
    guard size != scrollViews[view].contentSize else { return }
    changed()
    writeContentSize(size, view)
  }

  // MARK: Drawers

  /// Sets how the drawers hang together. The delegate must own the first drawer.
  public func setChain(_ policy: ChainPolicy, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(0, of: delegate)
    try requireSane(policy.origin, "the chain's origin")
    guard policy.tail == -1 || scrollViews.indices.contains(Int(policy.tail)) else {
      throw .failed("it named scroll view \(policy.tail) as the chain's tail, there is none")
    }
    chain = policy
  }

  /// Brings the tail's inset to the chain's far edge and returns the difference, in points.
  public func followTail(by delegate: ScrollDelegate) throws(DelegateFailure) -> Double {
    try requireDrawer(0, of: delegate)
    return followTail()
  }

  /// Sets a drawer's frame. This is not a move: nothing goes along.
  public func setFrame(_ frame: Rect, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    try requireSane(frame.origin, "the drawer's frame")
    try requireSane(frame.size, "the drawer's frame")
    var changedDrawer = drawers[drawer]
    changedDrawer.frame = frame
    replace(drawer, changedDrawer)
  }

  /// Sets a drawer's center and size, as UIKit stores them. Not a move.
  public func setCenter(_ center: Point, size: Size, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(center, "the drawer's center")
    try requireSane(size, "the drawer's size")
    var changedDrawer = drawers[drawer]
    changedDrawer.center = center
    changedDrawer.size = size
    replace(drawer, changedDrawer)
  }

  /// Moves a drawer to a center; those after it and the tail go along.
  public func moveDrawer(_ drawer: Int, to center: Point, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    try requireSane(center, "the drawer's center")
    move(drawer, to: center)
  }

  /// Gives a movement to a drawer and its neighbors and returns the residual. Points in the frame's sign.
  public func moveChain(from drawer: Int, by distance: Double, by delegate: ScrollDelegate) throws(DelegateFailure)
    -> Double
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(distance, "the movement")
    return moveChain(from: drawer, by: distance)
  }

  /// Expands a drawer and all after it.
  public func expand(from drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    expand(from: drawer)
  }

  /// Contracts a drawer and all after it.
  public func contract(from drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    contract(from: drawer)
  }

  /// Sets whether a drawer takes part in movements. Nothing moves by it.
  public func setSticky(_ sticky: Bool, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    guard drawers[drawer].isSticky != sticky else { return }
    drawers[drawer].isSticky = sticky
    changed()
  }

  /// Sets what fades as a drawer contracts. Setting it to nothing shows everything at once.
  public func setFade(_ kind: DrawerFade, ofDrawer drawer: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDrawer(drawer, of: delegate)
    if drawers[drawer].fade != kind {
      drawers[drawer].fade = kind
      changed()
    }
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

  /// Sets a drawer's translation, drawn on top of its frame.
  public func setTranslation(_ translation: Point, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(translation, "the drawer's translation")
    guard drawers[drawer].translation != translation else { return }
    drawers[drawer].translation = translation
    changed()
  }

  /// Sets the bounds of a drawer's height, which its owner keeps itself.
  public func setHeights(minimum: Double, maximum: Double, ofDrawer drawer: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireDrawer(drawer, of: delegate)
    try requireSane(minimum, "the minimum height")
    try requireSane(maximum, "the maximum height")
    var changedDrawer = drawers[drawer]
    changedDrawer.minimumHeight = minimum
    changedDrawer.maximumHeight = maximum
    replace(drawer, changedDrawer)
  }

  private func replace(_ drawer: Int, _ record: Drawer) {
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

  // MARK: Elements, values, wants

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

  /// Sets one of the delegate's own values, by its place in the behavior's list.
  public func setValue(_ number: Int, _ content: NamedValue.Content, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    guard delegate.behavior.values.indices.contains(number) else {
      throw .failed("it set value \(number), its behavior has \(delegate.behavior.values.count)")
    }
    if case .number(let double) = content, !double.isFinite {
      throw .failed(
        "its value \"\(delegate.behavior.values[number].name)\" is \(Value.brief(double)), expected a finite number")
    }
    let index = Int(proxy.slots[Int(delegate.index)].firstValue) + number
    guard values[index].content != content else { return }
    values[index].content = content
    changed()
  }

  /// A value of the delegate's own, by its place in the behavior's list.
  public func value(_ number: Int, of delegate: ScrollDelegate) -> NamedValue.Content? {
    guard delegate.behavior.values.indices.contains(number) else { return nil }
    let index = Int(proxy.slots[Int(delegate.index)].firstValue) + number
    // While new code takes over, the old one says goodbye to a header that has the new one's values.
    guard values.indices.contains(index), values[index].delegate == delegate.index else { return nil }
    return values[index].content
  }

  /// Says what the header wishes of its surroundings. With `statusBarFollowsHeader` a wish about the status bar is
  /// fulfilled before this returns, and told as a nested `layout`.
  public func setWants(_ wishes: Wants, by delegate: ScrollDelegate) throws(DelegateFailure) {
    if let inset = wishes.additionalSafeAreaInset { try requireSane(inset, "the additional safe area inset") }
    if let length = wishes.topLayoutGuideLength { try requireSane(length, "the top layout guide's length") }
    guard wishes != wants else { return }
    let before = wants
    wants = wishes
    changed()
    if before.additionalSafeAreaInset != wishes.additionalSafeAreaInset { updateAdjustedInsets() }
    guard environment.statusBarFollowsHeader, before.prefersStatusBarHidden != wishes.prefersStatusBarHidden else {
      return
    }
    try requireDepth()
    environment.statusBarHidden = wishes.prefersStatusBarHidden
    updateAdjustedInsets()
    var told = DelegateEvent(.layout, scrollView: Int32(trackingScrollView))
    told.given = .statusBarHidden
    told.changed = .statusBarHidden
    _ = forward(told)
  }
}
