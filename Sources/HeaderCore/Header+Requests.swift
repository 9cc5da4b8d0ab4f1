// SPDX-License-Identifier: MIT
//
// A delegate's requests to its header beside drawers (DrawerChain.swift) and scroll views (Header+ScrollViews.swift): values, wishes,
// notices, commands to the publisher, animations, timers, frames, layout passes, work after the event. These are the functions behind
// `header_host` of header_plugin.h. Each checks its numbers and its owner first; a delegate that breaks a rule gets `failed` and is
// bypassed by its caller. Writes are synchronous: when a function returns, all their effects have happened, nested events included. All
// of it is bounded, so that no delegate can ask without end.
//
// A *follower* (Keyframes) moves nothing; it makes elements follow drawers and values. It has to run when all other delegates are done.
// So it gets a layout pass of its own, after the last pass of the others, whenever something has changed:
//
//     event ─▶ chain ─▶ layout passes ─▶ work put off ─▶ one more pass ─▶ followers ─▶ state

import HeaderModel

extension Header {
  /// How the description has an element, whatever it looks like now.
  public func describedElement(_ index: Int) throws(DelegateFailure) -> Element {
    guard elements.indices.contains(index) else { throw .failed("it named element \(index), there is none") }
    return plans.plan.description.makeRecords().elements[index]
  }

  // MARK: What happened

  /// Posts a notice, by its number in the behavior's list. A repeat with nothing changed since the last one is routine.
  public func post(_ number: Int, _ arguments: Value.Record?, isRoutine: Bool, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    let slot = Int(delegate.index)
    guard delegate.behavior.notices.indices.contains(number) else {
      throw .failed("it posted notice \(number), its behavior has \(delegate.behavior.notices.count)")
    }
    try requireRoom(in: work.happened.notices.lazy.map(\.delegate), for: delegate, "notices")
    let isRepeat = arguments == nil && proxy.slots[slot].noticePostedAt[number] == work.changeCount
    proxy.slots[slot].noticePostedAt[number] = work.changeCount
    work.happened.notices.append(
      HeaderState.Notice(
        delegate: delegate.index, name: .behavior(Int32(number)), arguments: arguments,
        isRoutine: isRoutine || isRepeat))
  }

  /// Asks something of the publisher. An animated `scrollRectToVisible` that has somewhere to go sets the scroll view
  /// animating until its didEndScrollingAnimation.
  public func command(_ name: String, _ arguments: Value.Record, for view: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireView(view)
    guard Names.isName(name) else { throw .failed("it gave a command without a proper name") }
    try requireRoom(in: work.commandOwners, for: delegate, "commands")
    work.commandOwners.append(delegate.index)
    work.happened.commands.append(HeaderState.Command(scrollView: Int32(view), name: name, arguments: arguments))
    if name == "scrollRectToVisible", arguments["animated"] == .bool(true), scrolls(arguments["rect"], view) {
      scrollViews[view].isAnimating = true
    }
  }

  /// Notices, animations or commands that one delegate may give with one event.
  static var maxHappenings: Int { 1024 }

  private func requireRoom(in owners: some Collection<Int32>, for delegate: ScrollDelegate, _ what: String)
    throws(DelegateFailure)
  {
    guard owners.count >= Self.maxHappenings else { return }
    guard owners.count(where: { $0 == delegate.index }) < Self.maxHappenings else {
      throw .failed("it gave more than \(Self.maxHappenings) \(what) with one event")
    }
  }

  /// Whether a rect in content coordinates is not wholly in sight.
  private func scrolls(_ rect: Value?, _ view: Int) -> Bool {
    guard case .record(let fields)? = rect, case .number(let y)? = fields["y"],
      case .number(let height)? = fields["height"]
    else { return false }
    let record = scrollViews[view]
    let top = record.contentOffset.y + record.contentInset.top
    let bottom = record.contentOffset.y + record.frame.size.height - record.contentInset.bottom
    return y < top || y + height > bottom
  }

  /// Announces an animation: the values are final at once, the renderer draws towards them. With a token the delegate's
  /// `completion` is called when the clock has passed start + delay + duration. Seconds.
  public func animate(
    duration: Double, delay: Double, curve: AnimationCurve, token: UInt64?, by delegate: ScrollDelegate
  ) throws(DelegateFailure) {
    try requireDuration(duration, "the animation's duration")
    try requireDuration(delay, "the animation's delay")
    if case .spring(let mass, let stiffness, let damping, let initialVelocity) = curve {
      try requireSane(mass, "the spring's mass")
      try requireSane(stiffness, "the spring's stiffness")
      try requireSane(damping, "the spring's damping")
      try requireSane(initialVelocity, "the spring's initial velocity")
    }
    guard !environment.limitsMotion else {
      // The target is reached already.
      if let token { try start(.completion, after: 0, token, delegate) }
      return
    }
    try requireRoom(in: work.happened.animations.lazy.map(\.delegate), for: delegate, "animations")
    work.happened.animations.append(
      HeaderState.Animation(delegate: delegate.index, duration: duration, delay: delay, curve: curve))
    guard let token else { return }
    try start(.completion, after: delay + duration, token, delegate)
  }

  /// Starts a one-shot timer. Seconds.
  public func startTimer(_ token: UInt64, after delay: Double, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDuration(delay, "the timer's delay")
    try start(.timer, after: delay, token, delegate)
  }

  private func start(_ kind: Schedule.Kind, after delay: Double, _ token: UInt64, _ delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    guard mayStart(delegate) else { return }
    guard schedule.entryCount(of: delegate.index) < Schedule.maxEntries else {
      throw .failed("it has more than \(Schedule.maxEntries) timers and animations under way")
    }
    schedule.add(kind, due: now.advanced(bySeconds: delay), delegate: delegate.index, token: token)
  }

  /// A delegate that failed in a nested call may still be on the stack: a timer or frame that it starts now would never be delivered.
  private func mayStart(_ delegate: ScrollDelegate) -> Bool { !proxy.slots[Int(delegate.index)].isBypassed }

  private func requireDuration(_ seconds: Double, _ what: String) throws(DelegateFailure) {
    guard seconds.isFinite, (0...86_400).contains(seconds) else {
      throw .failed("\(what) is \(Value.brief(seconds)), expected 0 to 86400 seconds")
    }
  }

  /// Cancels the timers of a token.
  public func cancelTimer(_ token: UInt64, by delegate: ScrollDelegate) {
    schedule.cancelTimer(delegate: delegate.index, token: token)
  }

  /// Asks for frames from now on; asked again, it starts over.
  public func startFrames(by delegate: ScrollDelegate) {
    guard mayStart(delegate) else { return }
    schedule.startFrames(delegate: delegate.index, at: now)
  }

  /// Stops the delegate's frames, if it has any.
  public func stopFrames(by delegate: ScrollDelegate) { schedule.stopFrames(delegate: delegate.index) }

  /// Whether a delegate has frames running.
  public func framesAreActive(of delegate: ScrollDelegate) -> Bool {
    schedule.frameIsActive(delegate: delegate.index)
  }

  /// Asks for a layout pass at the end of the event.
  public func markLayout(by delegate: ScrollDelegate) { work.layoutMarks.insert(Int(delegate.index)) }

  /// Puts work off to after the event. Work that such work causes counts too, so that it ends.
  public func afterEvent(_ token: UInt64, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard work.afterEvent.lazy.filter({ $0.delegate == delegate.index }).count < 64 else {
      throw .failed("it put off more than 64 pieces of work to after one event")
    }
    work.afterEvent.append((delegate.index, token))
  }

  /// From now on `layout` is also called after everything else is done, in each event in which something changed.
  public func followChanges(by delegate: ScrollDelegate) {
    work.followers.insert(Int(delegate.index))
    work.changesToFollow = true
  }

  /// A named value of whichever delegate has it; nil when there is none of that name.
  public func value(named name: String) -> NamedValue.Content? { value { $0 == name } }

  /// Finds a value by a name that is no `String`, since making one might cost an allocation.
  public func value(whoseName isWanted: (String) -> Bool) -> NamedValue.Content? {
    guard let place = state.names.values.firstIndex(where: isWanted), values.indices.contains(place) else { return nil }
    return values[place].content
  }

  // MARK: Values and wants

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
    // While new code takes over, the old code detaches from a header that has the new one's values already.
    guard values.indices.contains(index), values[index].delegate == delegate.index else { return nil }
    return values[index].content
  }

  /// Sets the header's wishes to its surroundings. With `statusBarFollowsHeader` a wish about the status bar is fulfilled before this
  /// returns, and forwarded as a nested `layout`.
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
    var event = DelegateEvent(.layout, scrollView: Int32(trackingScrollView))
    event.given = .statusBarHidden
    event.changed = .statusBarHidden
    _ = forward(event)
  }
}

// MARK: - Drawers and looks
//
// What delegates ask of the chain, of drawers they own and of elements' looks: checked, then carried out by DrawerChain.swift.

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

  /// Sets the top edges and heights of drawers from one on; x and width stay. Not a move. It ends at what it refuses.
  public func setExtents(_ extents: Span<DrawerExtent>, from first: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    // One look for all: a chain is of one owner. It comes before an extent is read, of which there may be fewer than a plugin says.
    try requireDrawer(first, of: delegate)
    let end = min(first + extents.count, chainEnd(of: first))
    for drawer in first..<end {
      let extent = extents[drawer - first]
      let (y, size) = (extent.top + extent.height * 0.5, Size(height: extent.height))
      try requireSane(y, "the drawer's center")
      if !(size.height >= 0 && isSane(size.height)) { try requireSane(size, "the drawer's size") }
      if drawers[drawer].place(y: y, height: size.height) { changed() }
    }
    if end < first + extents.count { throw objection(to: end) }
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
    guard isElementFree(index, for: delegate) else {
      throw .failed("it changed element \"\(elementName(index))\", which belongs to \"\(elementOwner(index))\"")
    }
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

// MARK: - Claims (Ownership.swift)

extension Header {
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

  /// The owner's name. An element of a header that is being restored may have none.
  private func elementOwner(_ element: Int) -> String {
    let owner = Int(owners.elements[element])
    return proxy.slots.indices.contains(owner) ? proxy.slots[owner].delegate.name : "nobody"
  }

  private func elementName(_ element: Int) -> String { description.drawers.flatMap(\.elements)[element].name }
}
