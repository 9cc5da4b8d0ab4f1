// SPDX-License-Identifier: MIT
//
// Constraints (headerd-position(7)), for every behavior that moves drawers.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ConstraintTests {
  /// Whatever the content does, the header stays within what is permitted.
  @Test(arguments: Movers.all) func `bounds hold against every scroll`(_ mover: ComposedHeader) throws {
    for (low, high) in [(0.0, 0.0), (1, 1), (0.25, 0.5), (0, 0.5)] {
      let header = try mover.open()
      try header.constrain("tour", low...high)
      for (time, event) in RandomScroll(seed: UInt64(low * 8 + high * 64)).events {
        _ = try header.receive(event, at: time)
        let progress = header.place.progress
        #expect(
          progress >= low - 1e-9 && progress <= high + 1e-9, "\(low)...\(high): \(progress) after \(event.kind.name)")
      }
      #expect(!header.isBypassed(0))
    }
  }

  @Test(arguments: [
    (Movers.shyNavBar, #"The constraints "dialog" and "tour" held back"#),
    (Movers.collapsingHeader, #"the constraints "dialog" and "tour" permit no more"#),
  ]) func `an explanation names all who hold the header`(_ mover: ComposedHeader, _ words: String) throws {
    let header = try mover.open()
    for name in ["dialog", "tour"] { try header.constrain(name, 0...0) }
    header.observe { $0.explanations = 1 }
    try header.drag(to: -60, at: 1)
    let story = header.explanations.last?.story.joined(separator: " ") ?? ""
    #expect(story.contains(words), "\(story)")
  }

  @Test(arguments: [Movers.shyNavBar, Movers.collapsingHeader])
  func `what a constraint brings somewhere gives no way to a rectangle`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.constrain("tour", 1...1, MotionStyle(curve: .linear, duration: 1), at: 1)
    var notices: [String] = []
    let top = header.scrollViews[0].contentOffset.y
    let reveal = Reveal(rect: Rect(x: 0, y: top, width: 10, height: 10), reason: .search)
    let answer = try header.receive(ScrollEvent(.reveal(reveal)), at: Instant(seconds: 1.5)) { notices += words($0) }
    #expect(answer.result?.field("gaveWay") == 0 && abs(header.place.progress - 0.5) < 1e-9, "\(header.place)")
    try header.advance(to: 2) { notices += words($0) }
    #expect(header.place.progress == 1 && !notices.contains("wasInterrupted"))
  }

  /// Content at rest scrolls along with the chain's edge, which a behavior answers before the movement is through.
  @Test(arguments: Movers.all) func `bounds hold against a scroll within a movement`(_ mover: ComposedHeader) throws {
    for wish in stride(from: 0.05, through: 0.85, by: 0.1) {
      let header = try mover.open()
      try header.scroll(to: 300)
      try header.constrain("tour", 0.04...0.88, wish: wish)
      for y in [2353.0, 700, 690, -40, 900] {
        _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: y)))
        let progress = header.place.progress
        #expect(progress >= 0.04 - 1e-9 && progress <= 0.88 + 1e-9, "\(progress) at \(y) after \(wish)")
      }
    }
  }

  /// A spring swings beyond its end, but not beyond what is permitted, whenever a finger stops it.
  @Test(arguments: Movers.all) func `bounds hold against a spring`(_ mover: ComposedHeader) throws {
    let spring = MotionStyle(curve: .spring(mass: 1, stiffness: 190, damping: 5, initialVelocity: 0), duration: 0)
    for count in 1...20 {
      let header = try mover.open()
      try header.scroll(to: 600)
      try header.move(to: .stop("expanded"), at: 1)
      try header.constrain("tour", 0...0.7, at: 1)
      try header.move(to: .stop("collapsed"), spring, at: 1)
      let time = Instant(seconds: 1 + 0.04 * Double(count))
      _ = try header.receive(ScrollEvent(.didOverscroll(delta: Point(x: 0, y: -2), source: .drag)), at: time)
      #expect(header.place.progress <= 0.7 + 1e-9, "after \(count) steps")
    }
  }

  /// A header that stands at a bound is within it, also where the division that says so is off by a bit.
  @Test(arguments: Movers.all) func `a second constraint holds where the first has it at a bound`(
    _ mover: ComposedHeader
  ) throws {
    var dice = SplitMix64(seed: 7)
    for _ in 0..<40 {
      let low = Double.random(in: 0.1...0.5, using: &dice)
      let header = try mover.open()
      try header.scroll(to: 600)
      try header.constrain("one", low...0.9, wish: low, priority: 1, at: 1)
      try header.constrain("two", 0...low / 2, at: 2)
      _ = try header.receive(
        ScrollEvent(.willScroll(delta: Point(x: 0, y: 80), source: .drag)), at: Instant(seconds: 3))
      #expect(abs(header.place.progress - low) <= 1e-9, "\(low)")
    }
  }

  @Test func `bounds hold when an option lets the header go further`() throws {
    let header = try Movers.all[1].open()
    try header.constrain("tour", 1...1)
    #expect(header.place == Position(traveled: 40, travel: 40))
    _ = try header.receive(ScrollEvent(.setOptions(["stickyNavigationBar": false], delegate: nil)))
    #expect(header.place == Position(traveled: 84, travel: 84))
  }

  @Test(arguments: Movers.all) func `bounds hold against new code`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.constrain("dialog", 0...0)
    try header.reloadDelegate(at: 0)
    for y in stride(from: 0.0, through: 900, by: 30) { try header.drag(to: y, at: 1 + y) }
    #expect(header.place.progress == 0 && !header.isBypassed(0))
  }

  /// What a drag may not move the header by is the content's, to the last bit.
  @Test(arguments: Movers.all) func `a drag against a constraint is the content's`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.constrain("dialog", 0...0)
    for (index, delta) in [12.3, 40.7, 900.1, -3.3, 0.1].enumerated() {
      let answer = try header.receive(
        ScrollEvent(.willScroll(delta: Point(x: 0, y: delta), source: .drag)),
        at: Instant(seconds: 1 + Double(index)))
      #expect(header.place.progress == 0)
      #expect(answer.consumed == Point() && answer.residual == Point(x: 0, y: delta), "\(delta): \(answer)")
    }
  }

  @Test(arguments: Movers.all) func `once released it is where its law has it`(_ mover: ComposedHeader) throws {
    let (held, free) = (try mover.open(), try mover.open())
    try held.constrain("dialog", 0...0)
    for header in [held, free] {
      for y in stride(from: 0.0, through: 900, by: 30) { try header.drag(to: y, at: 1 + y) }
    }
    try held.release("dialog")
    // A chain stays where it is: what it makes of a scroll is a movement, not a place.
    let isChain = mover.title.hasPrefix("ShyNavBar")
    let isMovement =
      mover.title.contains("facebook") || mover.title.contains("safari") || mover.title.contains("hides")
      || mover.title.hasPrefix("CollapsingHeader")
    if !isChain, !isMovement, !mover.title.hasSuffix("FlexibleHeader") {
      #expect(abs(held.place.traveled - free.place.traveled) < 1e-9)
    }
    #expect(held.state.position == nil)
    // No drift of what the header wrote: both go on alike from the top.
    for header in [held, free] {
      for y in stride(from: 900.0, through: -200, by: -30) { try header.drag(to: y, at: 2000 - y) }
    }
    #expect(held.place.traveled == 0 && free.place.traveled == 0)
    #expect(held.scrollViews[0].contentInset == free.scrollViews[0].contentInset)
    #expect(held.scrollViews[0].correction == free.scrollViews[0].correction)
  }

  @Test(arguments: Movers.all) func `it goes to what is permitted, animated`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("collapsed"), at: 1)
    var notices: [String] = []
    try header.constrain("dialog", 0...0, MotionStyle(curve: .linear, duration: 1), at: 2)
    try header.advance(to: 2.5) { notices += words($0) }
    #expect(abs(header.place.progress - 0.5) < 0.02 && !notices.contains("didArrive"))
    // A drag does not catch what is imposed.
    try header.drag(to: header.scrollViews[0].contentOffset.y + 40, at: 2.6)
    #expect(abs(header.place.progress - 0.4) < 0.02)
    try header.advance(to: 3.1) { notices += words($0) }
    #expect(header.place.progress == 0 && notices.contains("didArrive"))
    let report = try #require(header.state.position)
    #expect(report.constraints.map(\.name) == ["dialog"] && report.permitted == 0...0)
  }

  /// A keyboard that comes with the dialog cuts short neither the way into its bounds nor a move within them.
  @Test(arguments: Movers.all) func `a layout that moves no drawer leaves its motion alone`(_ mover: ComposedHeader)
    throws
  {
    for isImposed in [true, false] {
      let header = try mover.open()
      try header.scroll(to: 600)
      try header.move(to: .stop("collapsed"), at: 1)
      let style = MotionStyle(curve: .linear, duration: 1)
      if isImposed {
        try header.constrain("dialog", 0...0, style, at: 2)
      } else {
        try header.constrain("dialog", 0...0.9, at: 2)
        try header.move(to: .stop("expanded"), style, at: 2)
      }
      try header.advance(to: 2.5)
      let place = header.place
      var (change, notices) = (LayoutChange(), [String]())
      change.given = ["keyboardHeight": 260]
      _ = try header.receive(ScrollEvent(.layout(change)), at: Instant(seconds: 2.5)) { notices += words($0) }
      #expect(header.place == place && !notices.contains("didArrive"))
      try header.advance(to: 3.1) { notices += words($0) }
      #expect(header.place.progress == 0 && notices.contains("didArrive") && !notices.contains("wasInterrupted"))
    }
  }

  /// A bar that grows or shrinks on the way is as far on it as before, and the motion goes on from there to its end.
  @Test(arguments: [24.0, 64, 0], [MotionStyle.Drawer.frames, .renderer])
  func `a layout that gives a drawer another height lets a chain's motion go on`(
    _ height: Double, _ drawnBy: MotionStyle.Drawer
  ) throws {
    let header = try Movers.shyNavBar.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("expanded"), at: 1)
    try header.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1, drawnBy: drawnBy), at: 2)
    try header.advance(to: 2.5)
    var notices: [String] = []
    let change = try LayoutChange(["drawers": [["name": "navBar", "height": .number(height)]]])
    _ = try header.receive(ScrollEvent(.layout(change)), at: Instant(seconds: 2.5)) { notices += words($0) }
    for time in stride(from: 2.5, to: 3, by: 0.0625) {
      try header.advance(to: time) { notices += words($0) }
      #expect(abs(header.place.progress - (drawnBy == .frames ? time - 2 : 1)) < 1e-9, "at \(time)")
      #expect(header.place.travel == height + 40)
    }
    try header.advance(to: 9) { notices += words($0) }
    #expect(header.place.progress == 1 && notices.contains("didArrive") && !notices.contains("wasInterrupted"))
  }

  @Test func `a layout that gives a drawer another height lets the way into bounds go on`() throws {
    let header = try Movers.shyNavBar.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("collapsed"), at: 1)
    try header.constrain("dialog", 0...0, MotionStyle(curve: .linear, duration: 1), at: 2)
    try header.advance(to: 2.5)
    var notices: [String] = []
    let change = try LayoutChange(["drawers": [["name": "navBar", "height": 64]]])
    _ = try header.receive(ScrollEvent(.layout(change)), at: Instant(seconds: 2.5)) { notices += words($0) }
    #expect(abs(header.place.progress - 0.5) < 1e-9)
    try header.advance(to: 2.75) { notices += words($0) }
    #expect(abs(header.place.progress - 0.25) < 1e-9 && !notices.contains("didArrive"))
    try header.advance(to: 9) { notices += words($0) }
    #expect(header.place.progress == 0 && notices.contains("didArrive") && !notices.contains("wasInterrupted"))
  }

  /// Nearest to where it was, not where its law would have it.
  @Test(arguments: Movers.all) func `it goes no further than it must`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.move(to: .stop("collapsed"))
    try header.constrain("tour", 0...0.5)
    #expect(abs(header.place.progress - 0.5) < 1e-9)
  }

  @Test func `several hold together, and the stronger where they contradict`() throws {
    let header = try Movers.squareCash.open()
    try header.constrain("a", 0...0.75)
    try header.constrain("b", 0.5...1)
    #expect(header.state.position?.permitted == 0.5...0.75 && header.place.progress == 0.5)
    try header.constrain("c", 0...0, priority: 5)
    #expect(header.state.position?.permitted == 0...0 && header.place.progress == 0)
    #expect(header.state.position?.constraints.map(\.name) == ["c", "a", "b"])
    try header.constrain("c", 1...1, priority: -5)
    #expect(header.state.position?.permitted == 0.75...0.75)
    for name in ["c", "b", "a"] { try header.release(name) }
    #expect(header.state.position == nil && header.place.progress == 0)
    let error = try #require(throws: HeaderError.self) { try header.release("a") }
    #expect(error.message == "name: header \"main\" has no constraint \"a\"" && error.hint == "it has none")
  }

  @Test(arguments: Movers.all) func `whoever needs it keeps it shown`(_ mover: ComposedHeader) throws {
    for key in ["voiceOverRunning", "fullKeyboardAccess", "alwaysShown"] {
      let header = try mover.open()
      try header.scroll(to: 600)
      var change = LayoutChange()
      change.given = Value.Record(fields: [Value.Record.Field(name: key, value: true)])
      _ = try header.receive(ScrollEvent(.layout(change)))
      #expect(header.place.progress == 0, "\(key)")
      try header.scroll(to: 1200)
      #expect(header.place.progress == 0)
      #expect(header.state.position?.constraints.map(\.name) == ["accessibility"])
      #expect(throws: HeaderError.self) { try header.release("accessibility") }
      change.given = Value.Record(fields: [Value.Record.Field(name: key, value: false)])
      _ = try header.receive(ScrollEvent(.layout(change)))
      #expect(header.state.position == nil)
    }
  }

  @Test(arguments: Movers.all) func `who asks for the original gets it`(_ mover: ComposedHeader) throws {
    var description = try mover.description()
    description.accessibility = .original
    let (asked, plain) = (
      try Header(description, epoch: 1, provider: BuiltPlugins.registry()), try mover.open()
    )
    var change = LayoutChange()
    change.given = ["alwaysShown": true, "reduceMotion": true]
    _ = try asked.receive(ScrollEvent(.layout(change)))
    change.given = ["alwaysShown": false, "reduceMotion": false]
    _ = try plain.receive(ScrollEvent(.layout(change)))
    for (time, event) in RandomScroll(seed: 5).events {
      _ = try asked.receive(event, at: time)
      _ = try plain.receive(event, at: time)
      #expect(asked.state.line == plain.state.line)
    }
  }
}
