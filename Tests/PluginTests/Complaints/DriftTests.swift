// SPDX-License-Identifier: MIT
//
// "After a while the inset is off by some points": the same cycle a thousand times leaves inset, offset and correction as they were
// after the first.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct DriftTests {
  @Test(arguments: Movers.all) func `a thousand times there and back`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    header.settleContent()
    var time = 1.0
    func cycle() throws {
      for y in [0.0, 33.3, 90.1, 410.7, 411.3, 200.2, 77.7, 0.1, -64, -180, -200] {
        time += 1.0 / 60
        try header.drag(to: y, at: time)
      }
      try header.constrain("a", 0...0.5)
      try header.move(to: .progress(0.3))
      try header.release("a")
      try header.move(to: .stop("expanded"))
      try header.drag(to: -200, at: time)
    }
    for _ in 0..<3 { try cycle() }
    let (drawers, view) = (header.drawers.elements, header.scrollViews[0])
    for _ in 0..<1000 { try cycle() }
    for (one, two) in zip(drawers, header.drawers.elements) { #expect(abs(one.center.y - two.center.y) < 1e-6) }
    #expect(header.scrollViews[0].contentInset == view.contentInset)
    #expect(abs(header.scrollViews[0].correction.y - view.correction.y) < 1e-6)
  }
}
