// SPDX-License-Identifier: MIT
//
// What holds for a flexible header whatever is scrolled: on random scrolls with fixed seeds, since recordings show only
// the scrolls that somebody thought of.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct FlexibleHeaderProperties {
  static let seeds = Array(UInt64(1)...24)

  // MARK: Scrolling

  @Test(arguments: seeds) func staysWithinItsBounds(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed)
    for _ in 0..<300 {
      try scroll.step()
      let stage = scroll.stage
      let (low, high) = (stage.number("minimumHeightWithSafeArea"), stage.number("maximumHeightWithSafeArea"))
      let frame = stage.frame
      #expect(frame.size.height >= low)
      if !stage.canOverExtend { #expect(frame.size.height <= high) }
      #expect(frame.origin.y <= 0)
      #expect(frame.origin.y >= -stage.shiftMaximum)
      #expect((0...stage.shiftMaximum + 175).contains(stage.number("shiftAccumulator")))
      #expect((0...1).contains(stage.number("shadowIntensity")))
    }
  }

  /// The header's bottom edge goes the way of the content and never farther: what it takes of a movement and what is left
  /// for the content to slide below it are both parts of the movement.
  @Test(arguments: seeds) func takesNoMoreThanTheMovement(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed)
    for _ in 0..<300 {
      let before = (edge: scroll.stage.bottomEdge, offset: scroll.stage.offset)
      try scroll.step()
      let movement = scroll.stage.offset - before.offset
      let taken = before.edge - scroll.stage.bottomEdge
      let residual = movement - taken
      #expect(taken * movement >= -1e-9, "the header went against the content")
      #expect(residual * movement >= -1e-9, "the header went farther than the content")
    }
  }

  /// Attached to the content's top, the bottom edge lies on it.
  @Test(arguments: seeds) func hangsOnTheContentsTop(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed, overExtends: true)
    for _ in 0..<300 {
      try scroll.step()
      let wanted = -scroll.stage.offset
      guard wanted >= scroll.stage.number("minimumHeightWithSafeArea") else { continue }
      #expect(abs(scroll.stage.bottomEdge - wanted) < 1e-9)
      #expect(scroll.stage.frame.origin.y == 0)
    }
  }

  /// Without shifting the frame is a function of the offset: the way there does not matter.
  @Test(arguments: seeds) func withoutShiftingTheWayDoesNotMatter(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed, behavior: "disabled")
    for _ in 0..<60 {
      try scroll.step()
      let stage = scroll.stage
      let direct = try Stage(.record(stage.options))
      try direct.scroll(to: stage.offset)
      #expect(direct.frame == stage.frame)
    }
  }

  // MARK: Showing and hiding

  @Test(arguments: seeds) func hidingTwiceIsHidingOnce(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed)
    for _ in 0..<40 {
      for _ in 0..<10 { try scroll.step() }
      let stage = scroll.stage
      for call in ["shiftHeaderOffScreenAnimated", "shiftHeaderOnScreenAnimated"] {
        try stage.call(call, ["animated": false])
        let once = stage.frame
        try stage.call(call, ["animated": false])
        #expect(stage.frame == once)
      }
      #expect(stage.frame.origin.y == 0)
      #expect(stage.value("isShiftedOffscreen") == .bool(false))
    }
  }

  @Test func framesEndAtTheDestination() throws {
    let stage = try Stage(["shiftBehavior": "enabled", "minimumHeight": 76, "maximumHeight": 176])
    try stage.scroll(to: 300)
    try stage.call("shiftHeaderOffScreenAnimated", ["animated": true])
    var last = stage.frame.origin.y
    var count = 0
    while stage.header.state.framesActive, count < 100 {
      try stage.send(.advance(frameDuration: 1.0 / 60))
      #expect(stage.frame.origin.y <= last)
      last = stage.frame.origin.y
      count += 1
    }
    #expect(last == -stage.shiftMaximum)
    #expect(count < 60)
  }

  // MARK: Several scroll views

  @Test(arguments: seeds) func givesBackTheInsetsThatItAdded(_ seed: UInt64) throws {
    var scroll = try FlexibleHeaderWalk(seed)
    for _ in 0..<50 { try scroll.step() }
    try scroll.stage.send(.setTrackingScrollView(to: nil))
    #expect(scroll.stage.header.scrollViews[0].contentInset == Insets())
    #expect(scroll.stage.header.scrollViews[0].scrollIndicatorInsets == Insets())
  }
}
