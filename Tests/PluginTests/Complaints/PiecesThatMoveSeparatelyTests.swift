// SPDX-License-Identifier: MIT
//
// "The pieces move separately": between two drawers of a chain there is never a gap, and no state shows one of them moved and the
// other not yet.

import ConformanceKit
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct PiecesThatMoveSeparatelyTests {
  @Test func `there is no gap in any state`() throws {
    for seed in 0..<20 as Range<UInt64> {
      let header = try Movers.shyNavBar.open()
      header.settleContent()
      func check(_ state: borrowing HeaderState) {
        let (bar, below) = (state.drawers[0], state.drawers[1])
        let gap = (below.center.y - below.size.height / 2) - (bar.center.y + bar.size.height / 2)
        // The extension slides under the bar, and never away from it.
        #expect(gap <= 1e-6 && gap >= -below.size.height - 1e-6, "seed \(seed): \(gap)")
      }
      for (time, event) in RandomScroll(seed: seed).events { _ = try header.receive(event, at: time) { check($0) } }
      try header.move(to: .stop("collapsed"), .usual, at: 500) { check($0) }
      try header.advance(to: 502) { check($0) }
    }
  }
}
