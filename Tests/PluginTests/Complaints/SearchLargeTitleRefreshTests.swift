// SPDX-License-Identifier: MIT
//
// "Search, a large title and a refresh together": three drawers, a refresh in the middle, and one that is told to stay.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SearchLargeTitleRefreshTests {
  private static let drawers: Value = [
    ["name": "title", "height": 44], ["name": "largeTitle", "height": 52], ["name": "search", "height": 40],
  ]

  @Test func `each takes its part, in order`() throws {
    let header = try Movers.header("ShyNavBar", Self.drawers, ["expansionResistance": 0], inset: 156).open()
    header.settleContent()
    var refresh = LayoutChange()
    refresh.given = ["refreshControl": ["hidden": false, "refreshing": true, "height": 60]]
    _ = try header.receive(ScrollEvent(.layout(refresh)), at: Instant(seconds: 1))
    refresh.given = ["refreshControl": nil]
    _ = try header.receive(ScrollEvent(.layout(refresh)), at: Instant(seconds: 2))
    var traveled: [[Double]] = []
    for y in stride(from: -156.0, through: 0, by: 4) {
      try header.drag(to: y, at: 10 + y / 1000)
      let edges = header.drawers.indices.map { header.drawers[$0].center.y }
      traveled.append(edges)
    }
    // The search field leaves first, then the large title, then the bar.
    #expect(zip(traveled, traveled.dropFirst()).allSatisfy { $0[2] >= $1[2] - 1e-9 })
    try header.move(to: .shift(drawer: "largeTitle", 0))
    #expect(header.place.traveled <= 136)
  }

  @Test func `a search field in use keeps the header`() throws {
    let header = try Movers.header("ShyNavBar", Self.drawers, ["expansionResistance": 0], inset: 156).open()
    try header.constrain("searching", 0...0)
    for y in stride(from: -156.0, through: 800, by: 20) { try header.drag(to: y, at: 10 + y / 1000) }
    #expect(header.place.progress == 0)
    try header.release("searching")
    for y in stride(from: 800.0, through: 1200, by: 20) { try header.drag(to: y, at: 20 + y / 1000) }
    #expect(header.place.progress == 1)
  }
}
