// SPDX-License-Identifier: MIT
//
// The owners of drawers and of elements' looks. A delegate claims them; no other one may then change them.

import HeaderModel

/// The owners of a header's drawers and elements, as places in the chain; −1 for none.
struct Ownership {
  /// The delegate that owns each drawer.
  var drawers: [Int32]
  /// The delegate that decides the look of each element.
  var elements: [Int32]

  /// Creates the tables without any owner.
  init(drawers: Int, elements: Int) {
    self.drawers = Array(repeating: -1, count: drawers)
    self.elements = Array(repeating: -1, count: elements)
  }

  mutating func releaseDrawers(of delegate: Int) {
    for index in drawers.indices where drawers[index] == Int32(delegate) { drawers[index] = -1 }
  }

  mutating func releaseElements(of delegate: Int) {
    for index in elements.indices where elements[index] == Int32(delegate) { elements[index] = -1 }
  }

  /// Gives everything to the delegates' new places; below 0: it is free.
  mutating func renumber(_ place: (Int32) -> Int32) {
    drawers = drawers.map(place)
    elements = elements.map(place)
  }
}

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
}
