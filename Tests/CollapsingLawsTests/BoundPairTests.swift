// SPDX-License-Identifier: MIT
//
// A pair that plays whole shows and hides, which it decides on by the velocity of the last scrolls.

import CollapsingLaws
import Testing

@Suite struct BoundPairTests {
  /// Each scroll costs the same, and what is saved stays small, however many there are within the time for which they count.
  @Test func `it keeps a bounded number of scrolls`() {
    var rules = PairRules()
    rules.playsWhole = true
    let heights = PairHeights(height: 50, minimum: 0)
    var pair = BoundPair(top: heights, bottom: heights, rules: rules)
    pair.beginScroll()
    for time in 0..<5000 { _ = pair.scroll(by: 0.001, at: 0, time: Double(time)) }
    #expect(pair.memory.count < 1000)
  }
}
