// SPDX-License-Identifier: MIT
//
// "The bounce is read as a direction": content that springs back from beyond its end does not bring the header, and from beyond its
// top does not hide it.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct BounceTests {
  @Test(arguments: Movers.all) func `springing back from the top hides nothing`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    header.settleContent()
    let top = -header.scrollViews[0].adjustedContentInset.top
    var time = 1.0
    for pull in [0.0, 40, 90, 120, 90, 50, 20, 5, 0] {
      time += 1.0 / 60
      try header.drag(to: top - pull, at: time)
    }
    #expect(header.place.traveled < 1e-6)
  }

  @Test(arguments: Movers.all) func `springing back from the end shows nothing`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    header.settleContent()
    var time = 1.0
    func drag(to y: Double) throws {
      time += 1.0 / 60
      try header.drag(to: y, at: time)
    }
    for y in stride(from: 0.0, through: 2200, by: 40) { try drag(to: y) }
    let view = header.scrollViews[0]
    let end = view.contentSize.height - view.frame.size.height + view.adjustedContentInset.bottom
    for y in [end, end + 60, end + 120] { try drag(to: y) }
    let hidden = header.place.traveled
    for y in [end + 120, end + 80, end + 30, end + 2] { try drag(to: y) }
    #expect(abs(header.place.traveled - hidden) < 1e-6)
  }
}
