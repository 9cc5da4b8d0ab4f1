// SPDX-License-Identifier: MIT
//
// "The refresh control and the header push each other": while it refreshes the content stays where it is, and afterwards the insets
// are what they were.

import ConformanceKit
import HeaderCore
import HeaderModel
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

  /// Headers that grow with a pull.
  static let stretchy = [
    Movers.stretchyHeader,
    Movers.header(
      "FlexibleHeader", [["name": "header", "height": 160]], ["minimumHeight": 72, "maximumHeight": 160]),
    Movers.header(
      "CollapsingHeader that stretches", Movers.bar, ["drawers": [["drawer": "bar", "stretch": [:]]]], inset: 120),
  ]

  /// How tall all drawers are together while the content is pulled down by so many points.
  private func height(_ mover: ComposedHeader, _ order: HeaderDescription.RefreshOrder, pulled: Double) throws -> Double
  {
    var description = try mover.description()
    description.refreshOrder = order
    description.stretchTrigger = 30
    for index in description.scrollViews.indices {
      description.scrollViews[index].record.hasRefreshControl = true
      description.scrollViews[index].record.refreshControlHeight = 60
    }
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    let top = header.scrollViews[0].contentInset.top
    try header.drag(to: 0 - top, at: 1)
    var published = 0.0
    try header.drag(to: 0 - top - pulled, at: 2) { published = $0.scrollViews[0].contentOffset.y }
    #expect(!header.isBypassed(0))
    let heights = header.drawers.indices.map { header.drawers[$0].size.height }
    if heights.max() ?? 0 > 0, published != 0 { #expect(published == 0 - top - pulled) }
    return heights.reduce(0, +)
  }

  @Test(arguments: stretchy) func `one option says who takes a pull first`(_ mover: ComposedHeader) throws {
    let atRest = try height(mover, .together, pulled: 0)
    #expect(try height(mover, .together, pulled: 100) > atRest, "\(mover.title) grows")
    // The refresh control's 60 points first, then the header's.
    #expect(try height(mover, .refreshControlFirst, pulled: 50) == atRest)
    #expect(
      try height(mover, .refreshControlFirst, pulled: 100) == height(mover, .together, pulled: 40), "what is beyond")
    // The header's 30 points first, then the refresh control's.
    #expect(try height(mover, .headerFirst, pulled: 20) == height(mover, .together, pulled: 20))
    #expect(try height(mover, .headerFirst, pulled: 100) == height(mover, .together, pulled: 30))
  }

  @Test func `an offset that a behavior writes lies behind the refresh control's part of a pull`() throws {
    var description = try Movers.stretchyHeader.description()
    description.refreshOrder = .refreshControlFirst
    description.scrollViews[0].record.hasRefreshControl = true
    description.scrollViews[0].record.refreshControlHeight = 60
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    let lens = try #require(header.delegates[0].side?.lens)
    let view = header.scrollViews[0]
    for (written, real) in [(40.0, 40.0), (0.5, 0.5), (0, 0), (-0.5, -60.5), (-20, -80)] {
      let offset = lens.realOffset(ofSeen: Point(x: 0, y: written - view.contentInset.top), view)
      #expect(offset == Point(x: 0, y: real - view.contentInset.top))
    }
  }

  @Test func `the header's part of a pull must have an end`() throws {
    let value: Value = ["header": "main", "refreshOrder": "headerFirst"]
    var unknown: [UnknownField] = []
    #expect {
      _ = try HeaderDescription(value, at: Path("params"), unknown: &unknown)
    } throws: {
      "\($0)".contains("stretchTrigger") && "\($0)".contains("refreshOrder headerFirst")
    }
  }
}
