// SPDX-License-Identifier: MIT
//
// For delegates that work after others: who hears of every change, who reads another's values, who gives way.
//
// A *follower* (Keyframes) moves nothing; it makes elements follow drawers and values. It has to run when everybody else
// is done, whatever it was that moved a drawer: an event, a call, a frame, a timer. So it is not told events but gets a
// layout pass of its own, after the last pass of the others, whenever something has changed:
//
//     event ─▶ chain ─▶ layout passes ─▶ work put off ─▶ one more pass ─▶ followers ─▶ state
//
// A delegate that *yields* attaches after those that do not, and so claims only what nobody else wants. Whoever is asked
// to yield in the description (`options.yields`) is known to the header before anybody attaches.

extension Header {
  /// From now on `layout` is also called after everything else is done, in each event in which something changed.
  public func followChanges(by delegate: ScrollDelegate) {
    followers.insert(Int(delegate.index))
    changesToFollow = true
  }

  /// The followers' pass. What they change is not followed again; a pass that they ask for is run.
  func runFollowers() {
    for index in proxy.slots.indices where followers.contains(index) {
      guarded(index) { (member: ScrollDelegate) throws(DelegateFailure) in try member.layout(in: self) }
    }
    changesToFollow = false
  }

  /// A named value of whichever delegate has it; nil when there is none of that name.
  public func value(named name: String) -> NamedValue.Content? { value { $0 == name } }

  /// The same for whoever has the name in another form than a `String`, which making one might cost an allocation.
  public func value(whoseName isWanted: (String) -> Bool) -> NamedValue.Content? {
    for slot in proxy.slots {
      guard let place = slot.delegate.behavior.values.firstIndex(where: { isWanted($0.name) }) else { continue }
      return values[Int(slot.firstValue) + place].content
    }
    return nil
  }

  /// The places of the chain in the order of attaching: from the last to the first, so that whoever observes is there
  /// when a behavior first moves something; those that yield after those that do not.
  var attachingOrder: [Int] {
    let order = Array(proxy.slots.indices.reversed())
    return order.filter { !yields($0) } + order.filter(yields)
  }

  /// Tells of new drawers: those that yield after all others, so that here too they claim only what is left.
  func forwardStructure(_ event: DelegateEvent) {
    let yielding = yieldingMembers
    _ = forward(event, to: .all.subtracting(yielding))
    if !yielding.isEmpty { _ = forward(event, to: yielding) }
    // One that rested may have begun, and hear of more than before.
    for index in proxy.slots.indices where !proxy.slots[index].isBypassed { updateResponds(of: index) }
  }

  /// Everybody who yields.
  var yieldingMembers: DelegateSet { DelegateSet(of: proxy.slots.indices, where: yields) }

  func yields(_ index: Int) -> Bool { description.delegates[index].options["yields"] == .bool(true) }

  /// Whether nobody but this delegate owns a drawer.
  public func isFree(_ drawer: Int, for delegate: ScrollDelegate) -> Bool {
    drawers.indices.contains(drawer) && isFree(drawerOwners[drawer], for: delegate)
  }

  /// Whether nobody but this delegate owns an element's look.
  public func isElementFree(_ element: Int, for delegate: ScrollDelegate) -> Bool {
    elements.indices.contains(element) && isFree(elementOwners[element], for: delegate)
  }

  /// What was nobody's when a header was saved is nobody's when it is restored: who yields has taken what there was for it.
  private func isFree(_ owner: Int32, for delegate: ScrollDelegate) -> Bool {
    owner == delegate.index || (owner < 0 && !isRestoring)
  }

  /// Makes a delegate the owner of an element's look; only during `attach`, `restore`, a change of structure, a change of
  /// the delegate's own options and a call of its own.
  public func claimElement(_ element: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard elements.indices.contains(element) else { throw .failed("it claimed element \(element), there is none") }
    guard isElementFree(element, for: delegate) else {
      throw .conflict(owner: elementOwner(element), what: "the element \"\(elementName(element))\"")
    }
    elementOwners[element] = delegate.index
  }

  /// Refuses the look of an element that another delegate has claimed.
  func requireElement(_ element: Int, of delegate: ScrollDelegate) throws(DelegateFailure) {
    guard !isElementFree(element, for: delegate) else { return }
    throw .failed(
      "it changed element \"\(elementName(element))\", which belongs to \"\(elementOwner(element))\"")
  }

  /// Nobody, where a header is being restored in which the element was nobody's.
  private func elementOwner(_ element: Int) -> String {
    let owner = Int(elementOwners[element])
    return proxy.slots.indices.contains(owner) ? proxy.slots[owner].delegate.name : "nobody"
  }

  private func elementName(_ element: Int) -> String { description.drawers.flatMap(\.elements)[element].name }

  /// What a delegate claimed and asked for beyond its drawers is forgotten; its successor says it again.
  func forgetFollowing(_ index: Int) {
    followers.remove(index)
    for element in elementOwners.indices where elementOwners[element] == Int32(index) { elementOwners[element] = -1 }
  }
}
