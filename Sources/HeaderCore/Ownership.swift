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
