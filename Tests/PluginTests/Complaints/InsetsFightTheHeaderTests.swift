// SPDX-License-Identifier: MIT
//
// "The insets that I set fight the header": an application sets the content inset again and again, and nothing creeps.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct InsetsFightTheHeaderTests {
  @Test(arguments: Movers.all) func `insets set again and again come to rest`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    header.settleContent()
    try header.scroll(to: 40)
    let given = header.scrollViews[0].contentInset
    func set() throws {
      var change = LayoutChange()
      change.given = ["contentInset": given.value]
      _ = try header.receive(ScrollEvent(.layout(change)))
    }
    try set()
    let (view, edge) = (header.scrollViews[0], header.drawers[header.drawers.count - 1].frame)
    for _ in 0..<50 { try set() }
    #expect(header.scrollViews[0].contentInset == view.contentInset)
    #expect(header.scrollViews[0].contentOffset == view.contentOffset)
    #expect(header.scrollViews[0].correction == view.correction)
    #expect(header.drawers[header.drawers.count - 1].frame == edge)
  }
}
