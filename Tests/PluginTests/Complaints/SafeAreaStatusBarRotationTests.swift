// SPDX-License-Identifier: MIT
//
// "After a rotation, or a call, it sits in the wrong place": safe area, status bar and size change and come back, and so does the
// header.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SafeAreaStatusBarRotationTests {
  @Test(arguments: Movers.all) func `there and back it is where it was`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    func lay(_ given: Value.Record) throws {
      var change = LayoutChange()
      change.given = given
      change.pass = true
      _ = try header.receive(ScrollEvent(.layout(change)))
    }
    let portrait: Value.Record = [
      "viewport": ["width": 375, "height": 667], "statusBarHeight": 20, "statusBarHidden": false,
      "safeAreaInset": ["top": 20, "left": 0, "bottom": 0, "right": 0],
    ]
    let landscape: Value.Record = [
      "viewport": ["width": 667, "height": 375], "statusBarHeight": 0, "statusBarHidden": true,
      "safeAreaInset": ["top": 0, "left": 44, "bottom": 21, "right": 44],
    ]
    for given in [landscape, portrait] { try lay(given) }
    let (drawers, view) = (header.drawers.elements, header.scrollViews[0])
    for _ in 0..<10 { for given in [landscape, portrait] { try lay(given) } }
    #expect(header.drawers.elements == drawers)
    #expect(header.scrollViews[0].contentInset == view.contentInset)
    #expect(header.scrollViews[0].frame == view.frame)
  }
}
