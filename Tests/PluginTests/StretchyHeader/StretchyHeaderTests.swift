// SPDX-License-Identifier: MIT
//
// StretchyHeader's laws over random scrolls: the header fills the room between the screen's top and the title, grows by
// exactly what the content is pulled down, and never leaves a gap.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct StretchyHeaderTests {
  /// A header of random measures.
  private struct Measures {
    var height: Double
    var spacing: Double
    var margin: Double
    var titleHeight: Double
    var follows: Bool
    var below: Double?

    init(_ dice: inout SplitMix64, follows: Bool) {
      height = Double(Int.random(in: 0...300, using: &dice))
      spacing = Double(Int.random(in: -40...60, using: &dice))
      margin = Double(Int.random(in: -10...40, using: &dice))
      titleHeight = Double(Int.random(in: 0...80, using: &dice))
      below = Bool.random(using: &dice) ? Double(Int.random(in: 500...3000, using: &dice)) : nil
      self.follows = follows
    }

    var composed: ComposedHeader {
      let options = record([
        "headerHeight": .number(height), "titleSpacing": .number(spacing), "titleMargin": .number(margin),
        "followsScroll": .bool(follows), "contentBelowTitle": below.map { .number($0) } ?? .null,
      ])
      return ComposedHeader(
        title: "",
        drawers: [["name": "header", "height": 10], ["name": "title", "height": .number(titleHeight)]],
        delegates: [.init(behavior: "StretchyHeader", options: .record(options))], contentInset: 0)
    }
  }

  private func value(_ name: String, of header: Header) -> Double {
    guard case .number(let number)? = header.value(named: name) else { return .nan }
    return number
  }

  @Test(arguments: UInt64(1)...20, [true, false])
  func fillsTheRoomBetweenScreenAndTitle(_ seed: UInt64, _ follows: Bool) throws {
    var dice = SplitMix64(seed: seed)
    let measures = Measures(&dice, follows: follows)
    let header = try measures.composed.open()
    for (time, event) in RandomScroll(seed: seed).events {
      _ = try header.receive(event, at: time)
      let (top, size) = (try header.drawer("header").frame, header.scrollViews[0])
      let title = try header.drawer("title").frame
      let constant = value("topConstant", of: header)
      #expect(constant == value("lessThanTopConstant", of: header))
      // No gap: the title stands in the content, the header ends above it.
      #expect(near(title.origin.y, measures.height - size.contentOffset.y))
      #expect(near(top.origin.y + top.size.height + measures.spacing, title.origin.y))
      // The height never goes below its minimum; the top never lies below what the rule allows.
      #expect(top.size.height >= 0)
      #expect(top.origin.y <= constant + 1e-9)
      #expect(top.size.height < 1e-9 || near(top.origin.y, constant))
      // As wide as the viewport; the title within its margins.
      #expect(near(top.size.width, size.viewport.width))
      #expect(near(title.size.width, max(0, size.viewport.width - 2 * measures.margin)))
      if let below = measures.below {
        #expect(size.contentSize.height == measures.height + measures.titleHeight + below)
      }
    }
    #expect(!header.isBypassed(0))
  }

  /// The rule, as the post has it: pulled down it grows by exactly the overscroll, scrolled it keeps its height and leaves.
  @Test(arguments: UInt64(1)...20) func growsByTheOverscroll(_ seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    var measures = Measures(&dice, follows: true)
    measures.height = max(measures.height, measures.spacing)
    let header = try measures.composed.open()
    try header.scroll(to: -37.5)
    #expect(try header.drawer("header").size.height == measures.height - measures.spacing + 37.5)
    for (time, event) in RandomScroll(seed: seed).events where event.offset != nil {
      _ = try header.receive(event, at: time)
      let offset = header.scrollViews[0].contentOffset.y
      let frame = try header.drawer("header").frame
      #expect(near(frame.size.height, measures.height - measures.spacing + max(0, -offset)))
      #expect(near(frame.origin.y, -max(0, offset)))
    }
  }

  @Test(arguments: UInt64(1)...20, [true, false])
  func aSaveAfterAnyEventMakesNoDifference(_ seed: UInt64, _ follows: Bool) throws {
    var dice = SplitMix64(seed: seed)
    try Measures(&dice, follows: follows).composed.expectNoDifferenceByRebirth(seed: seed)
  }

  @Test(arguments: UInt64(1)...20) func aReplayIsIdentical(_ seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    let composed = Measures(&dice, follows: true).composed
    #expect(try composed.story(seed: seed) == composed.story(seed: seed))
  }

  private func near(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-6 }
}
