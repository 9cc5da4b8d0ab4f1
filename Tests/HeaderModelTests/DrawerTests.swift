// SPDX-License-Identifier: MIT

import HeaderModel
import Testing

/// The comparison is written out: a field that it forgets is found here.
@Test func drawersThatDifferInAnyFieldAreNotEqual() {
  let drawer = Drawer(frame: Rect())
  let changes: [(inout Drawer) -> Void] = [
    { $0.center.x = 1 }, { $0.size.height = 1 }, { $0.translation.y = 1 }, { $0.minimumHeight = 1 },
    { $0.maximumHeight = 1 }, { $0.alpha = 0 }, { $0.fade = .drawer }, { $0.firstElement = 1 }, { $0.elementCount = 1 },
    { $0.isHidden = true }, { $0.isSticky = true }, { $0.zIndex = 1 },
  ]
  #expect(changes.count == Mirror(reflecting: drawer).children.count)
  for change in changes {
    var other = drawer
    change(&other)
    #expect(other != drawer)
  }
}
