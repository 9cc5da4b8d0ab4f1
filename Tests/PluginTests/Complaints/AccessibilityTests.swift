// SPDX-License-Identifier: MIT
//
// "With a screen reader, or by keyboard alone, the header leaves and cannot be brought back": it stays, and what gets the focus is
// not under it.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct AccessibilityTests {
  @Test(arguments: Movers.all) func `what has the focus is seen`(_ mover: ComposedHeader) throws {
    for y in [0.0, 130, 500, 900, 2900] {
      for offset in [-100.0, 0, 350, 900] {
        let header = try mover.open()
        try header.scroll(to: offset)
        try header.move(to: .stop("expanded"))
        var scrolled = 0.0
        _ = try header.receive(
          ScrollEvent(
            .reveal(Reveal(rect: Rect(origin: Point(x: 0, y: y), size: Size(width: 300, height: 44)), reason: .focus)))
        ) { state in
          for command in state.happened.commands where command.name == "scrollBy" {
            if case .number(let distance)? = command.arguments["y"] { scrolled = distance }
          }
        }
        let view = header.scrollViews[0]
        let (top, obstruction) = (y - view.contentOffset.y - scrolled, header.obstruction(of: 0))
        #expect(top >= obstruction.top - 1e-6, "\(y) at \(offset)")
        #expect(top + 44 <= view.frame.size.height - obstruction.bottom + 1e-6)
        // Nothing is asked for that is not needed.
        if y - view.contentOffset.y >= obstruction.top,
          y + 44 - view.contentOffset.y <= view.frame.size.height - obstruction.bottom
        {
          #expect(scrolled == 0)
        }
      }
    }
  }

  @Test func `the keyboard covers the bottom`() throws {
    let header = try Movers.squareCash.open()
    var change = LayoutChange()
    change.given = ["keyboardHeight": 260]
    _ = try header.receive(ScrollEvent(.layout(change)))
    let answer = try header.receive(
      ScrollEvent(
        .reveal(Reveal(rect: Rect(origin: Point(x: 0, y: 500), size: Size(width: 300, height: 44)), reason: .search))))
    // 500 + 120 of the inset, and its height, less what the keyboard leaves of 667 points.
    let missing = 500.0 + 120 + 44 - (667 - 260)
    #expect(answer.result?.field("scroll") == .number(missing))
  }
}
