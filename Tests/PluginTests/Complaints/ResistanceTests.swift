// SPDX-License-Identifier: MIT
//
// "A small wobble of the finger moves the header": what an option asks to be scrolled first is scrolled first, in each direction, and
// a wobble below it moves nothing.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ResistanceTests {
  private func expectStill(_ header: Header, around y: Double) throws {
    let place = header.place.traveled
    for (index, wobble) in [6.0, 0, 8, 2, 9, 0].enumerated() {
      try header.drag(to: y - wobble, at: 100 + Double(index) / 60)
      #expect(header.place.traveled == place)
    }
  }

  @Test func `ShyNavBar comes back after its points`() throws {
    let header = try Movers.header("ShyNavBar", Movers.bars, ["expansionResistance": 10], inset: 104).open()
    for y in stride(from: 0.0, through: 900, by: 30) { try header.drag(to: y, at: 1 + y / 1000) }
    try expectStill(header, around: 900)
  }

  @Test func `FlexibleHeightBar comes back after its threshold`() throws {
    let header = try Movers.header(
      "FlexibleHeightBar", Movers.bar, ["definer": "facebook", "thresholdNegativeDirection": 10], inset: 120
    ).open()
    try header.drag(to: 0, at: 1)
    for y in stride(from: 0.0, through: 900, by: 30) { try header.drag(to: y, at: 1 + y / 1000) }
    try header.move(to: .stop("collapsed"))
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 99))
    try expectStill(header, around: 900)
  }

  @Test func `CollapsingHeader's points are there again at an end of its way, not at a turn`() throws {
    let law: Value = ["shift": true, "resistance": ["show": 10], "resistanceReturns": "ends"]
    let header = try Movers.header("CollapsingHeader", Movers.bar, ["drawers": [law]], inset: 120).open()
    var (y, time) = (-120.0, 1.0)
    func drag(by distance: Double) throws -> Double {
      let before = header.place.traveled
      (y, time) = (y + distance, time + 0.1)
      try header.drag(to: y, at: time)
      return header.place.traveled - before
    }
    while y < 900 { _ = try drag(by: 30) }
    let way = header.place.traveled
    for _ in 0..<2 {
      #expect(try drag(by: -6) == 0)
      #expect(try drag(by: -10) == -6)
      #expect(try drag(by: 3) == 3)
      #expect(try drag(by: -4) == -4)
      #expect(try drag(by: 60) == 7 && header.place.traveled == way)
    }
  }

  @Test func `FlexibleHeader comes back after its anchor`() throws {
    let header = try Movers.flexibleHeader.open()
    for y in stride(from: -160.0, through: 900, by: 20) { try header.drag(to: y, at: 10 + y / 1000) }
    try expectStill(header, around: 900)
  }

  @Test func `StretchyHeader has left with its content`() throws {
    let header = try Movers.stretchyHeader.open()
    for y in stride(from: 0.0, through: 900, by: 30) { try header.drag(to: y, at: 1 + y / 1000) }
    try expectStill(header, around: 900)
  }
}
