// SPDX-License-Identifier: MIT
//
// config/examples: a chat, a gallery and a browser, each opened from its file and scrolled.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct EdgedExamplesTests {
  /// Where the drawers are drawn: each one's upper left corner.
  private func corners(_ header: Header) -> [Point] { header.state.drawers.map(\.frame.origin) }

  private func layout(_ header: Header, _ given: Value.Record) throws {
    var change = LayoutChange()
    change.given = given
    _ = try header.receive(ScrollEvent(.layout(change)))
  }

  @Test func theChatsTitleLeavesWithTheWayBackToNewMessages() throws {
    let header = try ExampleFile.open("chat")
    #expect(corners(header) == [Point(x: 0, y: 47), Point(x: 0, y: 754)])
    // The newest message stands on the bar with the input.
    #expect(header.state.scrollViews[0].contentOffset.y == -90)
    for y in stride(from: -90.0, through: 310, by: 40) { try header.drag(to: y, at: 1 + y / 100) }
    #expect(corners(header)[0].y == 47)
    try header.drag(to: 290, at: 10)
    #expect(corners(header) == [Point(x: 0, y: 27), Point(x: 0, y: 754)])
    try layout(header, ["keyboardHeight": 300])
    #expect(corners(header)[1].y == 844 - 300 - 56)
    #expect(header.state.position?.obstruction?.bottom == 356)
    #expect(!header.isBypassed(0) && !header.isBypassed(1))
  }

  @Test func theGallerysCoverGetsNarrowerAndItsNumberStays() throws {
    let header = try ExampleFile.open("gallery")
    func widths() -> [Double] { header.state.drawers.map(\.frame.size.width) }
    #expect(widths() == [240, 48] && corners(header)[1].x == 240)
    #expect(header.state.scrollViews[0].contentInset.left == 288)
    func scroll(to x: Double, at seconds: Double) throws {
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(x: x), isTracking: true, isDragging: true),
        at: Instant(seconds: seconds))
    }
    try scroll(to: -188, at: 1)
    #expect(widths() == [140, 48] && corners(header)[1].x == 140)
    try scroll(to: 400, at: 2)
    #expect(widths() == [64, 48] && corners(header)[1].x == 64)
    try scroll(to: -288, at: 3)
    #expect(widths() == [240, 48])
    #expect(!header.isBypassed(0))
  }

  @Test func theBrowsersBarsGoTogether() throws {
    let header = try ExampleFile.open("browser")
    #expect(header.state.scrollViews[0].contentOffset.y == -56)
    #expect(header.state.scrollViews[0].contentInset == Insets(top: 56, left: 0, bottom: 82, right: 0))
    func shares() -> [Double] {
      [(56 - header.state.drawers[0].frame.size.height) / 36, (header.state.drawers[1].frame.origin.y - 762) / 48]
    }
    for y in [-56.0, -50, -38, -20, 200, 300, 290, 281, 279, 200] {
      try header.drag(to: y, at: 2 + abs(y) / 100)
      #expect(abs(shares()[0] - shares()[1]) < 1e-9, "\(y): \(shares())")
      // The one at the bottom takes nothing from the content.
      #expect(header.state.scrollViews[0].contentOffset.y == y)
    }
    for y in [300.0, 600] { try header.drag(to: y, at: 20 + y / 100) }
    #expect(shares() == [1, 1])
    // While a page loads both are shown, and the whole movement is the content's.
    try header.constrain("loading", 0...0)
    #expect(shares() == [0, 0])
    try header.drag(to: 900, at: 40)
    #expect(shares() == [0, 0])
    #expect(!header.isBypassed(0))
  }
}
