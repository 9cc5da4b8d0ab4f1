// SPDX-License-Identifier: MIT
//
// The records that a header begins with, as its description has them.

extension HeaderDescription {
  /// The records of the drawers, and of the elements in all of them.
  func makeRecords() -> (drawers: [Drawer], elements: [Element]) {
    var drawers: [Drawer] = []
    var elements: [Element] = []
    for (index, description) in self.drawers.enumerated() {
      var drawer = Drawer(
        frame: Rect(x: 0, y: description.y, width: description.width, height: description.height))
      drawer.minimumHeight = description.minimumHeight
      drawer.maximumHeight = description.maximumHeight
      drawer.alpha = Float(description.alpha)
      drawer.isHidden = description.hidden
      drawer.isSticky = description.sticky
      drawer.firstElement = Int32(elements.count)
      drawer.elementCount = Int32(description.elements.count)
      for part in description.elements {
        var element = Element(drawer: Int32(index), frame: part.frame)
        element.alpha = Float(part.alpha)
        element.isHidden = part.hidden
        element.zIndex = part.zIndex
        element.transform = part.transform
        elements.append(element)
      }
      drawers.append(drawer)
    }
    return (drawers, elements)
  }
}

extension ScrollView {
  /// The record of a described scroll view.
  init(_ description: ScrollViewDescription) {
    self.init()
    contentOffset = description.offset
    contentSize = description.contentSize
    contentInset = description.contentInset
    adjustedContentInset = description.contentInset
    scrollIndicatorInsets = description.scrollIndicatorInsets
    frame = description.frame
    viewport = description.viewport
    kind = description.kind
    contentInsetAdjustment = description.contentInsetAdjustment
    clamping = description.clamping
    pagingEnabled = description.pagingEnabled
    forwardsEvents = description.forwardsEvents
    if let control = description.refreshControl {
      hasRefreshControl = true
      refreshControlHidden = control.hidden
      isRefreshing = control.refreshing
      refreshControlHeight = control.height
    }
  }
}
