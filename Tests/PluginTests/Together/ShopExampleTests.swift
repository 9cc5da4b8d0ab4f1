// SPDX-License-Identifier: MIT
//
// config/examples/shop.toml: the hero stretches and leaves, the search field comes back first, the tabs stay.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ShopExampleTests {
  /// Where the drawers lie: each one's upper edge and height.
  private func places(_ header: Header) throws -> [[Double]] {
    try ["search", "hero", "tabs"].map { name in
      let frame = try header.drawer(name).frame
      return [frame.origin.y, frame.size.height]
    }
  }

  @Test func atTheTopAllOfItIsShown() throws {
    let header = try ExampleFile.open("shop")
    #expect(try places(header) == [[47, 52], [99, 240], [339, 44]])
    #expect(header.scrollViews[0].contentInset.top == 383)
    #expect(header.scrollViews[0].contentOffset.y == -383)
  }

  @Test func aPullMakesTheHeroGrow() throws {
    let header = try ExampleFile.open("shop")
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: -383 - 60)
    #expect(try places(header) == [[47, 52], [99, 300], [399, 44]])
  }

  @Test func theHeroLeavesThenTheSearchFieldAndTheTabsStay() throws {
    let header = try ExampleFile.open("shop")
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: -383 + 120)
    #expect(try places(header)[2] == [219, 44])
    #expect(try places(header)[0] == [47, 52])
    #expect(try header.element("title").alpha < 1)
    try header.scroll(to: 400)
    #expect(try places(header)[2] == [47, 44])
    #expect(try places(header)[0] == [-5, 52])
    #expect(try header.drawer("hero").alpha == 0)
  }

  @Test func theSearchFieldComesBackFirst() throws {
    let header = try ExampleFile.open("shop")
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: 800)
    try header.scroll(to: 770)
    #expect(try places(header)[0] == [25, 52])
    #expect(try places(header)[2] == [77, 44])
    try header.scroll(to: 600)
    // The hero waits for the content's top.
    #expect(try places(header)[0] == [47, 52])
    #expect(try places(header)[2] == [99, 44])
    try header.scroll(to: -383)
    #expect(try places(header) == [[47, 52], [99, 240], [339, 44]])
  }
}
