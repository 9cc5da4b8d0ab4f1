// SPDX-License-Identifier: MIT
//
// "It does nothing, and nobody says why": options may be given at opening or afterwards, and what cannot work is refused with a
// reason.

import ConformanceKit
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SetUpOrderTests {
  static let cases: [(ComposedHeader, ComposedHeader)] = [
    (
      Movers.header("ShyNavBar", Movers.bars, ["expansionResistance": 30, "stickyNavigationBar": true], inset: 104),
      Movers.header("ShyNavBar", Movers.bars, [:], inset: 104)
    ),
    (
      Movers.header("FlexibleHeightBar", Movers.bar, ["definer": "squareCash"], inset: 120),
      Movers.header("FlexibleHeightBar", Movers.bar, [:], inset: 120)
    ),
    (
      Movers.header("StretchyHeader", Movers.bars, ["headerHeight": 150]),
      Movers.header("StretchyHeader", Movers.bars, [:])
    ),
  ]

  @Test(arguments: cases.indices) func `options may come later`(_ index: Int) throws {
    let (first, later) = (try Self.cases[index].0.open(), try Self.cases[index].1.open())
    if case .record(let options) = Self.cases[index].0.delegates[0].options {
      _ = try later.receive(ScrollEvent(.setOptions(options, delegate: nil)))
    }
    for header in [first, later] { header.settleContent() }
    for y in stride(from: -120.0, through: 400, by: 20) {
      for header in [first, later] { try header.drag(to: y, at: 10 + y / 1000) }
      #expect(first.place == later.place)
    }
  }

  @Test(arguments: ["ShyNavBar", "FlexibleHeightBar", "FlexibleHeader", "StretchyHeader"])
  func `without a drawer it says so`(_ behavior: String) throws {
    let header = ComposedHeader(
      title: behavior, drawers: [], delegates: [ComposedHeader.Member(behavior: behavior)])
    let error = try #require(throws: HeaderError.self) { try header.open() }
    #expect(error.message.contains("drawer"), "\(error.message)")
  }
}
