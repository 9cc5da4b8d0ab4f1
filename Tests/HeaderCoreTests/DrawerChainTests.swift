// SPDX-License-Identifier: MIT
//
// The chain's arithmetic against a slow, obvious model. The model knows no centers: it keeps for each drawer how far it
// is contracted, and lays all of them out anew each time. Random movements over one to five drawers must leave both
// the same, to the last bit (all numbers are quarters, whose sums are exact).

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// The chain as its doc comment tells it.
struct NaiveDrawerChain {
  struct Part {
    var height: Double
    /// Points by which it is contracted.
    var contracted = 0.0
    var isSticky = false
    var isHidden = false
    var alpha: Float = 1
    var elementAlpha: Float = 1
    var fade = DrawerFade.none
  }

  var parts: [Part]
  var policy: ChainPolicy

  /// Each drawer hangs on the edge before it and is pulled up by what it is contracted.
  var tops: [Double] {
    var edge = policy.origin
    return parts.map { part in
      let top = edge - part.contracted
      edge = top + part.height
      return top
    }
  }

  var farEdge: Double { (tops.last ?? 0) + (parts.last?.height ?? 0) }

  /// One after the other takes what it can of a movement. A movement that goes from the near end outward ends where it
  /// is used up; one that comes from the far end passes everybody, the last ones with nothing.
  mutating func move(from first: Int, by distance: Double) -> Double {
    let end = distance < 0 ? policy.contractsFirst : policy.expandsFirst
    var left = distance
    if distance == 0 {
      ask(first, 0)
    } else if end == .first {
      for index in first..<parts.count where left != 0 { left = ask(index, left) }
    } else {
      for index in (first..<parts.count).reversed() { left = ask(index, left) }
    }
    return left
  }

  @discardableResult
  private mutating func ask(_ index: Int, _ distance: Double) -> Double {
    guard !parts[index].isSticky else { return distance }
    let wanted = parts[index].contracted - distance
    parts[index].contracted = min(max(0, wanted), parts[index].height)
    let left = parts[index].contracted - wanted
    show(index, parts[index].height == 0 ? 0 : 1 - parts[index].contracted / parts[index].height)
    if policy.hidesPassedDrawers, index > 0 { parts[index].isHidden = left < 0 }
    return left
  }

  mutating func show(_ index: Int, _ shown: Double) {
    let alpha = Float(max(shown, floatEpsilon))
    let fade = parts[index].isSticky ? .none : parts[index].fade
    parts[index].alpha = fade == .drawer ? alpha : 1
    parts[index].elementAlpha = fade == .elements ? alpha : 1
  }

  mutating func expand(from first: Int) {
    for index in first..<parts.count {
      parts[index].contracted = 0
      parts[index].isHidden = false
      show(index, 1)
    }
  }

  mutating func contract(from first: Int) {
    for index in first..<parts.count {
      show(index, 0)
      parts[index].contracted = parts[index].isSticky ? 0 : parts[index].height
    }
  }
}

@Suite struct DrawerChainTests {
  /// A header whose drawers have these heights, with a background, a title, an icon that is hidden and one made clear.
  static func bench(_ heights: [Double], _ policy: ChainPolicy) throws -> Bench {
    let bench = try Bench(
      ["A"],
      describe: { description in
        description.scrollViews[0].clamping = .none
        var y = policy.origin
        description.drawers = heights.enumerated().map { index, height in
          var drawer = DrawerDescription(name: "drawer\(index)", height: height, y: y, width: 320)
          drawer.elements = ["background", "title", "hidden", "clear"].map { ElementDescription(name: $0) }
          drawer.elements[2].hidden = true
          drawer.elements[3].alpha = 0
          y += height
          return drawer
        }
      },
      prepare: { probe in
        probe.attaching = { probe, header in
          for drawer in heights.indices { try header.claimDrawer(drawer, by: probe) }
          try header.setChain(policy, by: probe)
          try header.expand(from: 0, by: probe)
        }
      })
    return bench
  }

  static func compare(_ header: Header, _ model: NaiveDrawerChain, _ comment: @autoclosure () -> String) -> Bool {
    for (index, part) in model.parts.enumerated() {
      let drawer = header.drawers[index]
      let elements = (0..<4).map { header.elements[Int(drawer.firstElement) + $0].alpha }
      let isSame =
        drawer.frame == Rect(x: 0, y: model.tops[index], width: 320, height: part.height)
        && drawer.isHidden == part.isHidden && drawer.alpha == part.alpha
        && elements == [1, part.elementAlpha, 1, 0]
      guard isSame else {
        Issue.record(
          "\(comment()): drawer \(index) is \(drawer), elements \(elements), expected \(part) at \(model.tops[index])")
        return false
      }
    }
    return true
  }

  @Test(arguments: 1...5) func `movements leave what the model leaves`(_ count: Int) throws {
    for round in 0..<60 {
      let seed = UInt64(count * 1000 + round)
      var random = SplitMix64(seed: seed)
      var policy = ChainPolicy()
      policy.origin = random.quarters(0...44)
      policy.tail = 0
      policy.contractsFirst = Bool.random(using: &random) ? .first : .last
      policy.expandsFirst = Bool.random(using: &random) ? .first : .last
      policy.hidesPassedDrawers = Bool.random(using: &random)
      let heights = (0..<count).map { _ in Int.random(in: 0...9, using: &random) == 0 ? 0 : random.quarters(1...60) }
      let bench = try Self.bench(heights, policy)
      var model = NaiveDrawerChain(parts: heights.map { .init(height: $0) }, policy: policy)
      let probe = bench[0]
      var done = ["seed \(seed), heights \(heights), \(policy)"]
      for _ in 0..<40 {
        let from = Int.random(in: 0..<count, using: &random)
        let before = model.farEdge
        switch Int.random(in: 0...9, using: &random) {
        case 0...6:
          let distance = random.quarters(-90...90)
          done.append("move \(from) by \(distance)")
          let residual = try bench.header.moveChain(from: from, by: distance, by: probe)
          let expected = model.move(from: from, by: distance)
          #expect(residual == expected, "\(done)")
          #expect(residual + (model.farEdge - before) == distance, "residual + taken = asked: \(done)")
        case 7:
          done.append("expand \(from)")
          try bench.header.expand(from: from, by: probe)
          model.expand(from: from)
        case 8:
          done.append("contract \(from)")
          try bench.header.contract(from: from, by: probe)
          model.contract(from: from)
        default:
          let fade = DrawerFade.allCases.randomElement(using: &random) ?? .none
          done.append("fade \(from) \(fade)")
          try bench.header.setFade(fade, ofDrawer: from, by: probe)
          model.parts[from].fade = fade
          if fade == .none { model.show(from, 1) }
        }
        guard Self.compare(bench.header, model, "\(done)") else { return }
        #expect(bench.view.contentInset.top == model.farEdge, "the tail follows: \(done)")
        #expect(bench.view.contentOffset.y == -model.farEdge, "the content goes along: \(done)")
      }
    }
  }

  @Test(arguments: 2...5) func `sticky drawers take nothing and ride along`(_ count: Int) throws {
    for round in 0..<40 {
      let seed = UInt64(count * 7000 + round)
      var random = SplitMix64(seed: seed)
      let heights = (0..<count).map { _ in random.quarters(1...60) }
      var policy = ChainPolicy()
      policy.contractsFirst = Bool.random(using: &random) ? .first : .last
      policy.expandsFirst = Bool.random(using: &random) ? .first : .last
      let bench = try Self.bench(heights, policy)
      var model = NaiveDrawerChain(parts: heights.map { .init(height: $0) }, policy: policy)
      for drawer in 0..<count where Bool.random(using: &random) {
        try bench.header.setSticky(true, ofDrawer: drawer, by: bench[0])
        model.parts[drawer].isSticky = true
      }
      for step in 0..<30 {
        let distance = random.quarters(-120...120)
        let residual = try bench.header.moveChain(from: 0, by: distance, by: bench[0])
        #expect(residual == model.move(from: 0, by: distance), "seed \(seed), step \(step)")
        guard Self.compare(bench.header, model, "seed \(seed), step \(step), by \(distance)") else { return }
      }
    }
  }

  @Test func `there are no gaps: each drawer begins at or above the edge before it`() throws {
    var random = SplitMix64(seed: 5)
    let bench = try Self.bench([44, 40, 32, 10], ChainPolicy())
    for _ in 0..<200 {
      _ = try bench.header.moveChain(from: 0, by: random.quarters(-80...80), by: bench[0])
      for drawer in 1..<4 {
        #expect(bench.header.drawers[drawer].frame.origin.y <= bench.header.drawers[drawer - 1].frame.maxY)
      }
    }
  }

  @Test func `moving one drawer carries those after it and no other`() throws {
    let bench = try Self.bench([44, 40, 32], ChainPolicy())
    try bench.header.moveDrawer(1, to: Point(x: 160, y: 50), by: bench[0])
    #expect((0..<3).map { bench.header.drawers[$0].center.y } == [22, 50, 86])
  }

  @Test func `setting a frame is not a move`() throws {
    let bench = try Self.bench([44, 40], ChainPolicy())
    try bench.header.setFrame(Rect(x: 0, y: -10, width: 320, height: 30), ofDrawer: 0, by: bench[0])
    #expect(bench.header.drawers[1].frame.origin.y == 44)
    #expect(bench.header.drawers[0].frame == Rect(x: 0, y: -10, width: 320, height: 30))
  }

  @Test func `while a finger moves the content only the inset follows, else the content goes along`() throws {
    var policy = ChainPolicy()
    policy.tail = 0
    let bench = try Self.bench([44, 40], policy)
    try bench.send(.didScroll, y: -84, at: 0)
    _ = try bench.header.moveChain(from: 0, by: -30, by: bench[0])
    #expect(bench.view.contentInset.top == 54 && bench.view.contentOffset.y == -54)
    try bench.send(.willBeginDragging)
    _ = try bench.header.moveChain(from: 0, by: -30, by: bench[0])
    #expect(bench.view.contentInset.top == 24 && bench.view.contentOffset.y == -54)
    try bench.send(.didEndDragging(willDecelerate: true))
    _ = try bench.header.moveChain(from: 0, by: -4, by: bench[0])
    #expect(bench.view.contentInset.top == 20 && bench.view.contentOffset.y == -54)
    try bench.send(.didEndDecelerating)
    _ = try bench.header.moveChain(from: 0, by: 10, by: bench[0])
    #expect(bench.view.contentInset.top == 30 && bench.view.contentOffset.y == -64)
  }

  @Test func `a tail that may not be written is measured only`() throws {
    var policy = ChainPolicy()
    policy.tail = 0
    policy.writesTailInsets = false
    let bench = try Self.bench([44], policy)
    try bench.header.setFrame(Rect(x: 0, y: 0, width: 320, height: 60), ofDrawer: 0, by: bench[0])
    #expect(try bench.header.followTail(by: bench[0]) == 60)
    #expect(bench.view.contentInset == Insets())
  }

  @Test(arguments: [(ScrollViewKind.table, 0.0), (.collection, 0.0), (.scroll, 44.0), (.web, 44.0)])
  func `an empty table does not make room for a header`(_ kind: ScrollViewKind, _ inset: Double) throws {
    var policy = ChainPolicy()
    policy.tail = 0
    let bench = try Bench(
      ["A"],
      describe: {
        $0.scrollViews[0].kind = kind
        $0.scrollViews[0].contentSize.height = 0
        $0.drawers = [DrawerDescription(name: "bar", height: 44, y: 0, width: 320)]
      },
      prepare: { probe in
        probe.attaching = { probe, header in
          try header.claimDrawer(0, by: probe)
          try header.setChain(policy, by: probe)
          _ = try header.followTail(by: probe)
        }
      })
    #expect(bench.view.contentInset.top == inset)
  }
}
