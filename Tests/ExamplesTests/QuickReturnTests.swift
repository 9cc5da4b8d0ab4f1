// SPDX-License-Identifier: MIT
//
// The example in C: a header that leaves with the content and comes back on a fling.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct QuickReturnTests {
  /// A bar of 50 points below a status bar of 20, over content that has 50 points of inset, so its top is at −50.
  private func bench(_ options: Value = [:], drawers: [Value] = [["name": "bar", "height": 50]]) throws -> Bench {
    try Bench("QuickReturn", in: try Examples.folder(), options: options, drawers: drawers)
  }

  private func fling(_ bench: Bench, velocity: Double) throws {
    try bench.send(.willEndDragging(velocity: Point(x: 0, y: velocity), targetOffset: nil))
  }

  @Test func exportsItsEntryAndNothingElse() throws {
    #expect(try exportedSymbols(try Examples.folder() + "/libQuickReturn.so") == ["header_plugin_entry"])
  }

  @Test func leavesWithTheContentAndStaysAwayWhileItComesBackSlowly() throws {
    let bench = try bench()
    #expect(bench.top == 20)
    #expect(try bench.scroll(-20) == -10)
    #expect(bench.value == 0.6)
    #expect(try bench.scroll(300) == -30)
    #expect(bench.value == 1)
    #expect(try bench.scroll(250) == -30)
    try fling(bench, velocity: -0.49)
    #expect(try bench.scroll(200) == -30)
  }

  @Test func comesBackOnAFlingUntilTheContentGoesUpAgain() throws {
    let bench = try bench()
    _ = try bench.scroll(300)
    try fling(bench, velocity: -0.5)
    #expect(try bench.scroll(270) == 0)
    #expect(bench.notices == [])
    #expect(try bench.scroll(200) == 20)
    #expect(bench.notices == ["didReturn"])
    #expect(try bench.scroll(210) == 10)
    #expect(try bench.scroll(190) == 10)
  }

  @Test func isNeverFurtherAwayThanTheContentIsFromItsTop() throws {
    let bench = try bench()
    _ = try bench.scroll(300)
    #expect(try bench.scroll(-10) == -20)
    #expect(try bench.scroll(-50) == 20)
    #expect(bench.value == 0)
    #expect(try bench.scroll(-90) == 20)
    #expect(try bench.scroll(-50) == 20)
  }

  @Test func theVelocityIsAnOption() throws {
    let bench = try bench(["flingVelocity": 2])
    _ = try bench.scroll(300)
    try fling(bench, velocity: -1.9)
    #expect(try bench.scroll(250) == -30)
    try fling(bench, velocity: -2)
    #expect(try bench.scroll(240) == -20)
    #expect(throws: HeaderError.self) { try self.bench(["flingVelocity": -1]) }
  }

  @Test func hidesAllDrawersAndShowsThemWhenCalled() throws {
    let bench = try bench(drawers: [["name": "bar", "height": 50], ["name": "tabs", "height": 30]])
    _ = try bench.scroll(10)
    #expect(bench.header.state.drawers.map(\.frame.origin.y) == [-10, 10])
    #expect(bench.value == 0.75)
    try bench.send(.call(name: "show", arguments: Value.Record(), delegate: nil))
    #expect(bench.header.state.drawers.map(\.frame.origin.y) == [20, 70])
    #expect(bench.value == 0)
  }

  @Test func hangsBelowTheStatusBar() throws {
    let bench = try bench()
    _ = try bench.scroll(-20)
    try bench.send(.layout(LayoutChange(["statusBarHeight": 40])))
    #expect(bench.top == 10)
  }

  @Test func theWayToAnotherContentIsNoScroll() throws {
    let bench = try bench()
    _ = try bench.scroll(-20)
    #expect(bench.top == -10)
    var next = bench.header.description
    var side = next.scrollViews[0]
    (side.name, side.contentOffset.y) = ("side", 500)
    next.scrollViews.append(side)
    try bench.header.reconfigure(to: next)
    try bench.send(.setTrackingScrollView(to: "side"))
    #expect(try bench.scroll(500) == -10)
    #expect(try bench.scroll(510) == -20)
  }

  @Test func aReloadKeepsItsPlace() throws {
    let bench = try bench()
    _ = try bench.scroll(300)
    try fling(bench, velocity: -1)
    _ = try bench.scroll(280)
    try bench.reload()
    #expect(bench.top == -10)
    #expect(try bench.scroll(270) == 0)
  }

  @Test func needsADrawer() {
    #expect(throws: HeaderError.self) { try bench(drawers: []) }
  }
}
