// SPDX-License-Identifier: MIT
//
// What has to scroll for a rectangle of the content to be seen, where no drawer gives way, and what drawers cover.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct RevealTests {
  /// Drawers cover 84 of the 480 points.
  @Test(
    arguments: [
      (40.0, 20.0, -44.0), (84, 20, nil), (470, 10, nil), (470, 20, 10), (90, 390, nil), (100, 500, 16), (20, 500, -64),
    ] as [(Double, Double, Double?)])
  func `a rectangle is scrolled where it is seen whole, or its top if it does not fit`(
    _ y: Double, _ height: Double, _ scrolled: Double?
  ) throws {
    let bench = try Bench()
    try bench.send(.reveal(Reveal(rect: Rect(x: 0, y: y, width: 320, height: height), reason: .search)), at: 0)
    let asked = bench.state.happened.commands.filter { $0.name == "scrollBy" }.map { $0.arguments["y"] }
    #expect(asked == (scrolled.map { [.number($0)] } ?? []))
  }

  @Test func `a drawer without height, hidden or without alpha covers nothing`() throws {
    for (hide, covered): ((inout DrawerDescription) -> Void, Double) in [
      ({ _ in }, 130), ({ $0.height = 0 }, 0), ({ $0.hidden = true }, 0), ({ $0.alpha = 0 }, 0),
    ] {
      let bench = try Bench(describe: {
        $0.drawers = [DrawerDescription(name: "bar", height: 30, y: 100, width: 320)]
        hide(&$0.drawers[0])
      })
      #expect(bench.header.obstruction(of: 0).top == covered)
    }
  }

  @Test func `the same holds of drawers on other edges, in the axis of the content`() throws {
    for (width, y, x, scrolled): (Double, Double, Double, Double?) in [
      (84, 0, 40, -44), (84, 0, 100, nil), (0, 100, 40, nil),
    ] {
      let bench = try Bench(describe: {
        $0.drawers = [DrawerDescription(name: "side", height: width, y: y, width: 480)]
        $0.drawers[0].edge = .leading
        $0.scrollViews[0].axis = .horizontal
        $0.scrollViews[0].contentSize = Size(width: 2000, height: 480)
      })
      #expect(bench.header.obstruction(of: 0) == Insets(left: width))
      try bench.send(.reveal(Reveal(rect: Rect(x: x, y: 0, width: 20, height: 20), reason: .search)), at: 0)
      let asked = bench.state.happened.commands.filter { $0.name == "scrollBy" }.map { $0.arguments["x"] }
      #expect(asked == (scrolled.map { [.number($0)] } ?? []))
    }
  }
}
