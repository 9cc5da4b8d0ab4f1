// SPDX-License-Identifier: MIT
//
// The initial records of a header, from its description.

extension HeaderDescription {
  /// The records of the drawers, and of the elements in all of them.
  package func makeRecords() -> (drawers: [Drawer], elements: [Element]) {
    var drawers: [Drawer] = []
    var elements: [Element] = []
    // Indices count within an edge, as its delegates see them.
    var (index, first) = (0, 0)
    for (place, description) in self.drawers.enumerated() {
      let isFirst = place == 0 || self.drawers[place - 1].edge != description.edge
      (index, first) = isFirst ? (0, elements.count) : (index + 1, first)
      var drawer = Drawer(
        frame: Rect(x: 0, y: description.y, width: description.width, height: description.height))
      drawer.take(description)
      drawer.firstElement = Int32(elements.count - first)
      drawer.elementCount = Int32(description.elements.count)
      for part in description.elements {
        var element = Element(drawer: Int32(index), frame: part.frame)
        element.take(part)
        elements.append(element)
      }
      drawers.append(drawer)
    }
    return (drawers, elements)
  }
}

extension DrawerDescription {
  /// The description of a drawer in its present state.
  package init(_ drawer: Drawer) {
    let frame = drawer.frame
    self.init(name: "", height: frame.size.height, y: frame.origin.y, width: frame.size.width)
    minimumHeight = drawer.minimumHeight
    maximumHeight = drawer.maximumHeight
    sticky = drawer.isSticky
    alpha = Double(drawer.alpha)
    hidden = drawer.isHidden
    zIndex = drawer.zIndex
  }
}

extension Drawer {
  /// Applies a description; the elements are left alone.
  package mutating func take(_ description: DrawerDescription) {
    let present = frame
    let wanted = Rect(
      x: present.origin.x, y: description.y, width: description.width, height: description.height)
    if wanted != present { frame = wanted }
    minimumHeight = description.minimumHeight
    maximumHeight = description.maximumHeight
    alpha = Float(description.alpha)
    isHidden = description.hidden
    isSticky = description.sticky
    zIndex = description.zIndex
  }
}

extension Element {
  /// Applies the given members of a change.
  package mutating func take(given: Value.Record) {
    var description = ElementDescription(name: "", frame: untransformedFrame)
    (description.alpha, description.hidden) = (Double(alpha), isHidden)
    (description.zIndex, description.transform) = (zIndex, transform)
    ElementDescription.members.fill(&description, from: given)
    if given["frame"] != nil {
      let placed = Element(drawer: drawer, frame: description.frame)
      (center, bounds.size) = (placed.center, placed.bounds.size)
    }
    take(description)
  }

  /// Looks as a description says, where it is.
  mutating func take(_ description: ElementDescription) {
    alpha = Float(description.alpha)
    isHidden = description.hidden
    zIndex = description.zIndex
    transform = description.transform
  }
}
