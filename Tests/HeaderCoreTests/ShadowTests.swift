// SPDX-License-Identifier: MIT
//
// What counts as a difference between a header and its shadow.

import HeaderCore
import HeaderInsight
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ShadowTests {
  /// Nothing but an inset or a correction differs.
  @Test(arguments: ["contentInset", "correction"])
  func `scroll views that are not alike are a difference`(_ part: String) throws {
    let bench = try Bench(prepare: { probe in
      var speed = 1.0
      probe.setting = { _, _, value, _ in if case .number(let number) = value { speed = number } }
      probe.receiving = { probe, event, _, header in
        guard event.kind == .didScroll, event.depth == 0 else { return }
        if part == "contentInset" {
          try header.setContentInset(Insets(bottom: speed), of: 0, by: probe)
        } else {
          try header.setContentOffset(Point(x: 0, y: 10 + speed), of: 0, by: probe)
        }
      }
    })
    let name = bench.header.delegates[0].name
    let changes: [(options: Value.Record, differences: Double)] = [(["speed": 2], 1), (["word": "alike"], 0)]
    for (options, differences) in changes {
      let shadow = try Shadow(
        of: bench.header, delegate: name, [.event(ScrollEvent(.setOptions(options, delegate: name)))], bench.provider)
      let scroll = ScrollEvent(.didScroll, offset: PartialPoint(y: 10))
      try bench.send(scroll, at: 1)
      shadow.follow(.event(scroll), at: Instant(seconds: 1), bench.header, bench.provider)
      guard case .record(let told) = shadow.value else { throw HeaderError(.invalidParams, "no record") }
      #expect(told["differences"] == .number(differences), "\(told)")
      if case .record(let latest)? = told["latest"] { #expect(latest["what"] == "scrollViews") }
    }
  }
}
