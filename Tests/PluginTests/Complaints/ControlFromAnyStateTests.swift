// SPDX-License-Identifier: MIT
//
// "I cannot tell it where to be": a call works while a finger drags, while the content decelerates, at its ends, and with content
// that is too short to scroll.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ControlFromAnyStateTests {
  @Test(arguments: Movers.all) func `it goes there from any state`(_ mover: ComposedHeader) throws {
    for seed in 0..<12 as Range<UInt64> {
      let header = try mover.open()
      var dice = SplitMix64(seed: seed)
      for (time, event) in RandomScroll(seed: seed).events {
        _ = try header.receive(event, at: time)
        guard dice.oneIn(7), header.place.travel > 0 else { continue }
        let progress = [0, 0.5, 1][Int.random(in: 0..<3, using: &dice)]
        try header.move(to: .progress(progress))
        #expect(abs(header.place.progress - progress) < 1e-9, "seed \(seed), after \(event.kind.name)")
      }
    }
  }

  @Test(arguments: Movers.all) func `also with short content, and with none`(_ mover: ComposedHeader) throws {
    for height in [0.0, 100] {
      var description = try mover.description()
      description.scrollViews[0].record.contentSize.height = height
      let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      for progress in [1, 0, 0.5] {
        try header.move(to: .progress(progress))
        #expect(abs(header.place.progress - progress) < 1e-9)
      }
    }
  }
}
