// SPDX-License-Identifier: MIT
//
// The example in C++: a header that never comes to rest half way. It is compiled without warnings, or not at all.

import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SnapBarTests {
  /// A bar of 50 points below a status bar of 20, over content that has 50 points of inset, so its top is at −50.
  private func bench(_ options: Value = [:], drawers: [Value] = [["name": "bar", "height": 50]]) throws -> Bench {
    try Bench("SnapBar", in: try Examples.folder(), options: options, drawers: drawers)
  }

  /// Where the content goes that a finger lets go; nil: where it wanted to.
  private func target(_ bench: Bench, velocity: Double, wanted: Double) throws -> Double? {
    try bench.send(
      .willEndDragging(velocity: Point(x: 0, y: velocity), targetOffset: PartialPoint(y: wanted))
    ).targetOffset?.y
  }

  @Test func exportsItsEntryAndNothingElse() throws {
    #expect(try exportedSymbols(try Examples.folder() + "/libSnapBar.so") == ["header_plugin_entry"])
  }

  @Test func goesWithTheContentBothWays() throws {
    let bench = try bench()
    #expect(bench.top == 20)
    #expect(try bench.scroll(-20) == -10)
    #expect(try bench.scroll(300) == -30)
    #expect(try bench.scroll(280) == -10)
    // Beyond its top the content stretches by itself.
    #expect(try bench.scroll(-50) == 20)
    #expect(try bench.scroll(-90) == 20)
    #expect(try bench.scroll(-50) == 20)
  }

  @Test(arguments: [
    // A slow release goes to the nearer end.
    (-20.0, 0.0, -20.0, 0.0), (-35, 0, -35, -50),
    // A fast one goes on, whatever is nearer.
    (-35, 0.5, -30, 0), (-20, -0.5, -25, -50),
  ]) func aReleaseEndsAtAnEnd(_ at: Double, _ velocity: Double, _ wanted: Double, _ found: Double) throws {
    let bench = try bench()
    _ = try bench.scroll(at)
    #expect(try target(bench, velocity: velocity, wanted: wanted) == found)
    let top = try bench.scroll(found)
    #expect(top == 20 || top == -30)
  }

  @Test func whatEndsAtAnEndAnywayIsLeftAlone() throws {
    let bench = try bench()
    _ = try bench.scroll(-20)
    #expect(try [nil, 400].contains(target(bench, velocity: 2, wanted: 400)))
  }

  @Test func theVelocityIsAnOption() throws {
    let bench = try bench(["velocity": 2])
    _ = try bench.scroll(-35)
    #expect(try target(bench, velocity: 1, wanted: -35) == -50)
    #expect(throws: HeaderError.self) { try self.bench(["velocity": -1]) }
  }

  @Test func aReloadKeepsItsPlace() throws {
    let bench = try bench()
    _ = try bench.scroll(-20)
    try bench.reload()
    #expect(bench.top == -10)
    #expect(try bench.scroll(-30) == 0)
  }

  @Test func aRefusalHasItsReason() {
    let error = #expect(throws: HeaderError.self) { try bench(drawers: []) }
    #expect(error?.message.contains("it needs a drawer to hide") == true, "\(error?.message ?? "")")
  }
}
