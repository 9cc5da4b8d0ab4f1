// SPDX-License-Identifier: MIT
//
// What each behavior takes of an offer, by example.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct NestedScrollExamples {
  /// A finger on a header whose content is at its top.
  private func finger(on composed: ComposedHeader, at y: Double? = nil) throws -> Finger {
    var finger = Finger(on: try composed.open())
    try finger.send(.didScroll, at: finger.places.lowerBound)
    try finger.send(.willBeginDragging)
    if let y { try finger.send(.didScroll, at: y) }
    return finger
  }

  private func tops(_ finger: Finger) -> [Double] { finger.header.drawers.elements.map(\.frame.origin.y) }

  // MARK: ShyNavBar

  /// 44 and 40 below a status bar of 20: the extension goes first, the content's distance from its top stays 0.
  @Test func shyNavBarContractsBeforeTheContentMoves() throws {
    var finger = try finger(on: NestedHeaders.shy[0])
    #expect(tops(finger) == [20, 64] && finger.offset == -104)
    #expect(try finger.offer(30) == (30, 0))
    #expect(tops(finger) == [20, 34])
    #expect(finger.header.scrollViews[0].contentInset.top == 74 && finger.offset == -74)
    #expect(try finger.offer(60) == (54, 0))
    #expect(tops(finger) == [-24, -20] && finger.offset == -20 + 6)
    #expect(try finger.offer(60) == (0, 0))
    #expect(finger.offset == 46)
  }

  @Test func shyNavBarsResistanceIsTheContents() throws {
    var finger = try finger(on: NestedHeaders.bars("", ["expansionResistance": 50, "contractionResistance": 20]))
    #expect(try finger.offer(30) == (10, 0))
    #expect(try finger.offer(400) == (74, 0))
    #expect(try finger.offer(-30) == (0, 0))
    #expect(try finger.offer(-30) == (-10, 0))
    #expect(try finger.offer(-30) == (-30, 0))
    // At the content's top nothing resists.
    #expect(try finger.offer(30) == (10, 0))
    #expect(try finger.offer(-1000).before == -54)
    #expect(tops(finger) == [20, 64] && finger.offset == -104)
  }

  @Test func shyNavBarsStickyBarTakesNothing() throws {
    var finger = try finger(on: NestedHeaders.bars("", ["stickyNavigationBar": true]))
    #expect(try finger.offer(100) == (40, 0))
    #expect(tops(finger) == [20, 24])
    var both = try self.finger(on: NestedHeaders.bars("", ["stickyNavigationBar": true, "stickyExtensionView": true]))
    #expect(try both.offer(100) == (0, 0))
    var disabled = try self.finger(on: NestedHeaders.bars("", ["disable": true]))
    #expect(try disabled.offer(100) == (0, 0))
  }

  /// At the content's end the header slides over it; there is no content to carry.
  @Test func shyNavBarDoesNotCarryContentBeyondItsEnd() throws {
    var finger = try finger(on: NestedHeaders.bars("", ["expansionResistance": 0]))
    let end = finger.places.upperBound
    try finger.moveContent(by: end - finger.offset)
    // The library's end is a point short of the content's, and the way back begins there.
    #expect(try finger.offer(-30) == (-29, 0))
    #expect(finger.offset == end - 30)
    #expect(try finger.offer(50) == (29, 0))
    #expect(tops(finger) == [-24, -20] && finger.offset == end)
  }

  /// A header that was offered all along and one that was told snap to the same place.
  @Test func shyNavBarSnapsWhenAFlingOfOffersEnds() throws {
    var finger = try finger(on: NestedHeaders.shy[0])
    try finger.offer(50)
    try finger.send(.didEndDragging(willDecelerate: true))
    #expect(try finger.send(.willFling(velocity: Point(x: 0, y: 2))).residual == Point(x: 0, y: 2))
    try finger.offer(10, source: .fling)
    #expect(tops(finger)[0] == 0)
    try finger.send(.didEndDecelerating)
    #expect(tops(finger) == [-24, -20])
  }

  /// An offer counts from where the content is: the first one too, which the library's first scroll does not.
  @Test func shyNavBarTakesTheFirstOffer() throws {
    var finger = Finger(on: try NestedHeaders.bars("", [:], isSingle: true).open())
    #expect(try finger.offer(30) == (30, 0))
    #expect(tops(finger) == [-10])
  }

  // MARK: FlexibleHeader

  /// From 160 to 72, then up to the status bar of 20.
  @Test func flexibleHeaderCollapsesThenShifts() throws {
    var finger = try finger(on: NestedHeaders.flexible("", ["shiftBehavior": "enabled"]))
    #expect(finger.offset == -160)
    #expect(try finger.offer(60) == (60, 0))
    #expect(finger.header.drawers[0].size.height == 100 && finger.offset == -100)
    #expect(try finger.offer(60) == (60, 0))
    #expect(finger.header.drawers[0].frame == Rect(x: 0, y: -32, width: 375, height: 72))
    #expect(try finger.offer(60) == (20, 0))
    #expect(finger.header.drawers[0].frame.maxY == 20 && finger.offset == 20)
  }

  /// Half a header's length of content is scrolled back before it shifts in: the anchor, 175 points.
  @Test func flexibleHeadersAnchorIsTheContents() throws {
    var finger = try finger(on: NestedHeaders.flexible("", ["shiftBehavior": "enabled"]), at: 1000)
    #expect(finger.header.drawers[0].frame.maxY == 20)
    #expect(try finger.offer(-150) == (0, 0))
    #expect(try finger.offer(-50) == (-25, 0))
    #expect(finger.header.drawers[0].frame.maxY == 45 && finger.offset == 800)
  }

  @Test func flexibleHeaderOverExtendsByWhatTheContentLeaves() throws {
    var finger = try finger(on: NestedHeaders.flexible[0])
    #expect(try finger.offer(-40) == (0, -40))
    #expect(finger.header.drawers[0].size.height == 200 && finger.offset == -200)
    #expect(try finger.send(.willFling(velocity: Point(x: 0.5, y: -1))).consumed == Point(x: 0, y: -1))
    #expect(try finger.send(.willFling(velocity: Point(x: 0, y: 1))).consumed == Point())
    #expect(try finger.offer(60) == (60, 0))
    #expect(finger.header.drawers[0].size.height == 140)
    #expect(try finger.send(.willFling(velocity: Point(x: 0, y: -1))).consumed == Point())
    var stiff = try self.finger(on: NestedHeaders.flexible("", ["canOverExtend": false]))
    #expect(try stiff.offer(-40) == (0, 0))
    #expect(stiff.header.drawers[0].size.height == 160)
  }

  // MARK: FlexibleHeightBar

  @Test func squareCashTakesAllUntilItIsSmall() throws {
    var finger = try finger(on: NestedHeaders.bar("", ["definer": "squareCash"]))
    #expect(try finger.offer(60) == (60, 0))
    #expect(finger.header.drawers[0].size.height == 56 && finger.header.progress == 0.625)
    #expect(try finger.offer(60) == (36, 0))
    #expect(finger.header.drawers[0].size.height == 20 && finger.offset == 4)
    // Scrolled away it comes back at the content's top only.
    #expect(try finger.offer(-14) == (0, 0))
    #expect(try finger.offer(-200) == (-96, 0))
    #expect(finger.header.drawers[0].size.height == 116 && finger.offset == -116)
  }

  @Test func anElasticBarGrowsByWhatTheContentLeaves() throws {
    var finger = try finger(
      on: NestedHeaders.bar("", ["definer": "squareCash", "elasticMaximumHeightAtTop": true]))
    #expect(try finger.offer(-24) == (0, -24))
    #expect(finger.header.drawers[0].size.height == 140)
    var plain = try self.finger(on: NestedHeaders.bar("", ["definer": "squareCash"]))
    #expect(try plain.offer(-24) == (0, 0))
  }

  /// A drag up brings the bar back at once; one down works a threshold of 30 points off first, which is left to the content.
  @Test func facebooksThresholdIsTheContents() throws {
    var finger = try finger(
      on: NestedHeaders.bar("", ["definer": "facebook", "thresholdPositiveDirection": 30]), at: 300)
    func nextDrag() throws {
      try finger.send(.didEndDragging(willDecelerate: false))
      try finger.send(.willBeginDragging)
    }
    #expect(finger.header.progress == 1)
    try nextDrag()
    #expect(try finger.offer(-96) == (-96, 0))
    #expect(finger.header.progress == 0 && finger.offset == 204)
    try nextDrag()
    #expect(try finger.offer(40) == (10, 0))
    #expect(finger.header.drawers[0].size.height == 106)
  }

  /// A slow way back is the content's, one after a flick the bar's.
  @Test func safariComesBackAfterAFlick() throws {
    var finger = try finger(on: NestedHeaders.bar("", ["definer": "safari"]))
    #expect(try finger.offer(300) == (96, 0))
    #expect(try finger.offer(-50) == (0, 0))
    #expect(try finger.send(.willFling(velocity: Point(x: 0, y: -1))).residual == Point(x: 0, y: -1))
    try finger.send(.didEndDragging(willDecelerate: true))
    #expect(try finger.offer(-50, source: .fling) == (-50, 0))
    #expect(finger.header.drawers[0].size.height == 70)
  }

  // MARK: StretchyHeader

  @Test func stretchyHeaderGrowsByWhatTheContentLeaves() throws {
    var finger = try finger(on: NestedHeaders.stretchy)
    let height = finger.header.drawers[0].size.height
    #expect(try finger.offer(-40) == (0, -40))
    #expect(finger.header.drawers[0].size.height == height + 40)
    #expect(try finger.send(.willFling(velocity: Point(x: 1, y: -3))).consumed == Point(x: 0, y: -3))
    // Pulled back it lets go first, then it leaves with the content.
    #expect(try finger.offer(100) == (40, 0))
    #expect(finger.header.drawers[0].frame.origin.y == -60 && finger.header.drawers[0].size.height == height)
    #expect(try finger.offer(-20) == (0, 0))
  }

  // MARK: Together

  /// Keyframes takes nothing, and follows in the same state.
  @Test func keyframesFollowsWhatAnotherTook() throws {
    var finger = try finger(on: NestedHeaders.shy[7])
    #expect(try finger.offer(84) == (84, 0))
    #expect(try finger.header.element("title").alpha == 0)
  }

  /// Who took nothing hears that the content was carried along.
  @Test func aTitleGoesWithTheContent() throws {
    let drawers: Value = [
      ["name": "bar", "height": 116, "minimumHeight": 20], ["name": "title", "height": 30],
    ]
    for order in [[0, 1], [1, 0]] {
      let composed = ComposedHeader(
        title: "", drawers: drawers,
        delegates: [
          .init(behavior: "FlexibleHeightBar", options: ["definer": "squareCash"]),
          .init(behavior: "StretchyHeader", options: ["yields": true]),
        ], contentInset: 116
      ).reordered(order)
      var finger = try finger(on: composed)
      let before = tops(finger)[1]
      #expect(try finger.offer(60) == (60, 0))
      #expect(tops(finger)[1] == before - 60)
    }
  }

  // MARK: What is left out

  /// A publisher that tells nothing but offers: each says where the content is.
  @Test func offersAloneAreEnough() throws {
    for composed in NestedHeaders.shy + NestedHeaders.flexible + NestedHeaders.bar {
      var told = try finger(on: composed, at: 200)
      var asked = try finger(on: composed, at: 200)
      for step in [30.0, 60, -20, -100, 45.5, -60, 12] {
        try told.offer(step)
        let delta = Point(x: 0, y: step)
        let answer = try asked.send(.willScroll(delta: delta, source: .drag))
        let rest = try #require(answer.residual).y
        // The next offer comes with the offset that this one left.
        let target = asked.offset + rest
        try asked.send(.willScroll(delta: Point(), source: .drag), at: target)
        #expect(told.header.drawers.elements == asked.header.drawers.elements, "\(composed.title) after \(step)")
        #expect(told.offset == asked.offset)
      }
    }
  }

  /// A publisher that has not heard yet by how much its content was carried says which total it has applied.
  @Test func whatWasCarriedIsNeverLostNorDoneTwice() throws {
    var finger = try finger(on: NestedHeaders.shy[0])
    let (before, applied) = (finger.offset, finger.header.scrollViews[0].correction)
    let rest = try #require(try finger.send(.willScroll(delta: Point(x: 0, y: 100), source: .drag)).residual).y
    #expect(rest == 16)
    _ = try finger.header.receive(
      ScrollEvent(
        .didScroll, offset: PartialPoint(y: before + rest), correction: PartialPoint(x: applied.x, y: applied.y)))
    #expect(finger.offset == before + 100)
    #expect(tops(finger) == [-24, -20])
  }

  /// The content did not do what was left to it and nobody said so: the next gesture begins where the content is.
  @Test func whatTheContentNeverDidIsForgotten() throws {
    for composed in NestedHeaders.shy + NestedHeaders.flexible + NestedHeaders.bar {
      var finger = try finger(on: composed, at: 300)
      try finger.send(.willScroll(delta: Point(x: 0, y: 500), source: .drag))
      try finger.send(.didEndDragging(willDecelerate: false))
      finger.rest()
      try finger.send(.willBeginDragging)
      let before = finger.header.drawers.elements
      try finger.send(.didScroll, at: finger.offset)
      #expect(finger.header.drawers.elements == before, "\(composed.title)")
    }
  }
}
