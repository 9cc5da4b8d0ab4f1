// SPDX-License-Identifier: MIT
//
// FlexibleHeader where the recordings of its original are few.

import HeaderCore
import HeaderTestKit
import Testing

@Suite struct FlexibleHeaderTests {
  private static func scrollView(_ offset: Double) -> Value {
    ["viewport": ["width": 375, "height": 667], "contentSize": ["height": 4000], "offset": ["y": .number(offset)]]
  }

  /// What overlaps the content hangs on both scroll views, and only one of them is tracked.
  @Test func `a header in one scroll view that tracks another hears of both`() throws {
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "frames": "events",
        "scrollViews": ["holder": Self.scrollView(0), "list": Self.scrollView(0)],
        "trackingScrollView": "list", "hosting": ["headerHost": "insideTrackingScrollView"],
        "drawers": [["name": "header", "height": 76]],
        "delegates": [
          [
            "behavior": "FlexibleHeader",
            "options": ["minimumHeight": 76, "maximumHeight": 200, "shiftBehavior": "enabled"],
          ]
        ],
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    func isShiftedOffscreen(_ view: String, at offset: Double) throws -> NamedValue.Content? {
      var event = ScrollEvent(.didScroll, scrollView: view, offset: PartialPoint(y: offset))
      event.isTracking = true
      _ = try header.receive(event)
      return header.value(named: "isShiftedOffscreen")
    }
    for offset in stride(from: 0.0, through: 600, by: 100) { _ = try isShiftedOffscreen("list", at: offset) }
    // On its way back, and not a frame has passed.
    let call = ScrollEvent.Kind.call(name: "shiftHeaderOnScreenAnimated", arguments: ["animated": true], delegate: nil)
    _ = try header.receive(ScrollEvent(call))
    #expect(header.value(named: "isShiftedOffscreen") == .bool(true))
    let seq = header.state.seq
    #expect(try isShiftedOffscreen("holder", at: 3000) == .bool(false))
    #expect(header.state.seq == seq + 1)
    #expect(try isShiftedOffscreen("holder", at: 0) == .bool(true))
  }
}
