// SPDX-License-Identifier: MIT
//
// "It breaks when the scroll view changes": tabs and pages. The header keeps its look where it is asked to, nothing is written to
// a scroll view that is not tracked, and going back and forth leaves nothing behind.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SwitchingScrollViewsTests {
  private func open(_ mover: ComposedHeader, onLeave: HeaderDescription.Leaving = .keep) throws -> Header {
    var description = try mover.description()
    description.handOver = .keep
    description.onLeave = onLeave
    var short = description.scrollViews[0]
    short.name = "short"
    short.record.contentSize.height = 300
    var other = description.scrollViews[0]
    other.name = "other"
    description.scrollViews += [other, short]
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private func track(_ name: String?, _ header: Header, at seconds: Double) throws {
    for kind in [ScrollEvent.Kind.willChangeTrackingScrollView(to: name), .setTrackingScrollView(to: name)] {
      _ = try header.receive(ScrollEvent(kind), at: Instant(seconds: seconds))
    }
  }

  @Test(arguments: Movers.all) func `the header keeps its look`(_ mover: ComposedHeader) throws {
    for progress in [0, 0.4, 1] {
      let header = try open(mover)
      try header.scroll(to: 700)
      try header.move(to: .progress(progress))
      for (index, name) in ["other", "short", "content", "other"].enumerated() {
        try track(name, header, at: 10 + Double(index))
        #expect(abs(header.place.progress - progress) < 1e-9, "\(name)")
      }
    }
  }

  @Test(arguments: Movers.all) func `the first movement of the new content is no jump`(_ mover: ComposedHeader) throws {
    let header = try open(mover)
    try header.drag(to: 60, at: 1)
    try track("other", header, at: 2)
    for step in 1...10 {
      let view = header.trackingScrollView
      let (before, offset) = (header.place.traveled, header.scrollViews[view].contentOffset.y)
      try header.drag(to: offset + 3, at: 2 + Double(step) / 60)
      #expect(abs(header.place.traveled - before) <= 3 + 1e-9)
    }
  }

  @Test(arguments: Movers.all) func `ten times a second, in mid-drag, leaves nothing behind`(_ mover: ComposedHeader)
    throws
  {
    let header = try open(mover)
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 1))
    for index in 0..<60 {
      try track(index.isMultiple(of: 2) ? "other" : "content", header, at: 1 + Double(index) / 10)
    }
    let before = header.scrollViews.elements
    for index in 0..<200 {
      try track(index.isMultiple(of: 2) ? "other" : "content", header, at: 10 + Double(index) / 10)
    }
    for (one, two) in zip(before, header.scrollViews.elements) {
      #expect(abs(one.contentOffset.y - two.contentOffset.y) < 1e-6 && one.contentInset == two.contentInset)
    }
    #expect(!header.isBypassed(0))
  }

  @Test(arguments: Movers.all) func `what is not tracked is not written`(_ mover: ComposedHeader) throws {
    let header = try open(mover)
    try track("other", header, at: 1)
    let before = header.scrollViews[0]
    for (time, event) in RandomScroll(seed: 3).events where event.kind.name != .layout {
      _ = try header.receive(event, at: Instant(seconds: 10 + time.seconds))
      #expect(header.scrollViews[0] == before)
    }
  }

  @Test(arguments: Movers.all) func `the old one gets its insets back`(_ mover: ComposedHeader) throws {
    let header = try open(mover, onLeave: .restore)
    let given = try mover.description().scrollViews[0].record.contentInset
    try header.scroll(to: 200)
    try track("other", header, at: 1)
    #expect(header.scrollViews[0].contentInset == given)
    try track(nil, header, at: 2)
    #expect(header.scrollViews[1].contentInset == given)
  }
}
