// SPDX-License-Identifier: MIT
//
// "With short content the header is stuck half way": wherever a drag leaves it, the way back to the content's top brings all of it.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ShortContentTests {
  @Test(arguments: Movers.all) func `the way back shows all of it`(_ mover: ComposedHeader) throws {
    for height in [0.0, 50, 300, 560, 620, 680, 800] {
      var description = try mover.description()
      description.scrollViews[0].record.contentSize.height = height
      let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      header.settleContent()
      _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 1))
      var time = 1.0
      for y in [10.0, 40, 90, 150, 150, 60, 0, -60, -160, -300, -310, -320] {
        time += 1.0 / 60
        try header.drag(to: y, at: time)
      }
      #expect(header.place.traveled < 1e-6, "content of \(height): \(header.place)")
    }
  }
}
