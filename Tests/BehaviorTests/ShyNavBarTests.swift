// SPDX-License-Identifier: MIT
//
// ShyNavBar where the recordings of its original end: a header whose parts are changed while it lives.

import HeaderCore
import HeaderTestKit
import Testing

@Suite struct ShyNavBarTests {
  private static let bar: Value = ["name": "navBar", "height": 44]
  private static let composed = ComposedHeader(
    title: "ShyNavBar", drawers: [bar, ["name": "extension", "height": 40]],
    delegates: [.init(behavior: "ShyNavBar", options: ["expansionResistance": 0])])

  /// A header whose extension and half of whose bar have slid away.
  private func contracted() throws -> Header {
    let header = try Self.composed.open()
    for distance in [0.0, 30, 32] { try header.scroll(by: distance) }
    let bar = try header.drawer("navBar").frame.origin.y
    #expect(bar == -2)
    return header
  }

  @Test func `drawers keep their places when something else of the header changes`() throws {
    let header = try contracted()
    let before = header.drawers.elements
    var next = header.description
    next.scrollViews.append(ScrollViewDescription(name: "side"))
    next.environment.reduceMotion = true
    try header.reconfigure(to: next)
    #expect(header.drawers.elements == before)
    // The first offset after a change is only noted, as after any other new beginning.
    try header.scroll(by: 0)
    try header.scroll(by: 6)
    let bar = try header.drawer("navBar").frame.origin.y
    #expect(bar == -8)
  }

  @Test(arguments: [60.0, 20]) func `they expand when the room that they take changes`(_ height: Double) throws {
    let header = try contracted()
    var changed = Self.composed
    changed.drawers = [Self.bar, ["name": "extension", "height": .number(height)]]
    try header.reconfigure(to: changed.description())
    #expect(try header.drawer("navBar").frame.origin.y == 20)
    #expect(
      try header.drawer("extension").frame
        == Rect(x: 0, y: 64, width: header.drawer("extension").size.width, height: height))
    #expect(header.scrollViews[0].contentInset.top == 64 + height)
  }

  @Test func `a new drawer is taken up by an expanded header`() throws {
    let header = try contracted()
    var changed = Self.composed
    changed.drawers = [Self.bar, ["name": "search", "height": 40]]
    try header.reconfigure(to: changed.description())
    #expect(try header.drawer("navBar").frame.origin.y == 20)
    #expect(try header.drawer("search").frame.origin.y == 64)
  }
}

extension Header {
  fileprivate func scroll(by distance: Double) throws { try scroll(to: scrollViews[0].contentOffset.y + distance) }
}
