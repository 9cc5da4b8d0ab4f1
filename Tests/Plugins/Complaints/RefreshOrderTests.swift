// SPDX-License-Identifier: MIT
//
// "The refresh control and the header push each other": while it refreshes the content stays where it is, and afterwards the insets
// are what they were.

import ConformanceKit
import HeaderCore
import HeaderTestKit
import Testing

@Suite struct RefreshOrderTests {
  @Test(arguments: Movers.all) func `a refresh leaves nothing behind`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    header.settleContent()
    let (before, place) = (header.scrollViews[0], header.place)
    for _ in 0..<20 {
      for (refreshing, height) in [(true, 60.0), (false, 0)] {
        var change = LayoutChange()
        change.given = [
          "refreshControl": ["hidden": .bool(!refreshing), "refreshing": .bool(refreshing), "height": .number(height)]
        ]
        _ = try header.receive(ScrollEvent(.layout(change)))
        #expect(!header.isBypassed(0))
      }
    }
    #expect(header.scrollViews[0].contentInset == before.contentInset)
    #expect(header.scrollViews[0].contentOffset == before.contentOffset)
    #expect(header.place == place)
  }
}
