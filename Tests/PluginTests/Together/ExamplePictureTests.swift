// SPDX-License-Identifier: MIT
//
// The pictures beside config/examples show what the examples do: each is drawn from the header's states, and compared with the
// file. SNAP_UPDATE=1 writes them anew.

import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ExamplePictureTests {
  private func expect(_ name: String, _ board: Storyboard) throws {
    let file = ExampleFile.folder.appending(path: "\(name).svg")
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try board.svg.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try board.svg == String(contentsOf: file, encoding: .utf8), "SNAP_UPDATE=1 draws it anew")
  }

  /// A finger drags the content from where it is to a place, in steps of 20 points.
  private func drag(_ header: Header, to end: Point, at seconds: Double, release: Bool = true) throws {
    let start = header.state.scrollViews[0].contentOffset
    let steps = max(1, ((end - start).y.magnitude + (end - start).x.magnitude) / 20).rounded(.up)
    for step in 1...Int(steps) {
      let share = Double(step) / steps
      let offset = Point(x: start.x + (end - start).x * share, y: start.y + (end - start).y * share)
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(x: offset.x, y: offset.y), isTracking: true, isDragging: true),
        at: Instant(seconds: seconds + share))
    }
    if release {
      _ = try header.receive(
        ScrollEvent(.didEndDragging(willDecelerate: false)), at: Instant(seconds: seconds + 1))
      try header.advance(to: seconds + 3)
    }
  }

  @Test func theShop() throws {
    let header = try ExampleFile.open("shop")
    var board = Storyboard(header)
    board.add("at rest", header)
    try drag(header, to: Point(x: 0, y: -443), at: 1, release: false)
    board.add("pulled by 60", header)
    try drag(header, to: Point(x: 0, y: -200), at: 10)
    board.add("scrolled by 183", header)
    try drag(header, to: Point(x: 0, y: 900), at: 20)
    board.add("far down", header)
    try drag(header, to: Point(x: 0, y: 840), at: 30)
    board.add("60 back: the search field", header)
    try expect("shop", board)
  }

  @Test func theChat() throws {
    let header = try ExampleFile.open("chat")
    var board = Storyboard(header)
    board.add("the newest message", header)
    try drag(header, to: Point(x: 0, y: 500), at: 1)
    board.add("back in time", header)
    try drag(header, to: Point(x: 0, y: 470), at: 10)
    board.add("30 forward", header)
    var change = LayoutChange()
    change.given = ["keyboardHeight": 300]
    _ = try header.receive(ScrollEvent(.layout(change)))
    board.add("a keyboard", header, keyboard: 300)
    try expect("chat", board)
  }

  @Test func theGallery() throws {
    let header = try ExampleFile.open("gallery")
    var board = Storyboard(header)
    board.add("at rest", header)
    try drag(header, to: Point(x: -188, y: 0), at: 1)
    board.add("scrolled by 100", header)
    try drag(header, to: Point(x: 900, y: 0), at: 10)
    board.add("far along", header)
    try expect("gallery", board)
  }

  @Test func theBrowser() throws {
    let header = try ExampleFile.open("browser")
    var board = Storyboard(header)
    board.add("at rest", header)
    try drag(header, to: Point(x: 0, y: -38), at: 1, release: false)
    board.add("scrolled by 18", header)
    try drag(header, to: Point(x: 0, y: 600), at: 10)
    board.add("further", header)
    try header.constrain("loading", 0...0, at: 20)
    board.add("while a page loads", header)
    try expect("browser", board)
  }
}
