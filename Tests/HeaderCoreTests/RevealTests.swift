// SPDX-License-Identifier: MIT
//
// What has to scroll for a rectangle of the content to be seen, where no drawer gives way, and what drawers cover.

import HeaderCore
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
}
