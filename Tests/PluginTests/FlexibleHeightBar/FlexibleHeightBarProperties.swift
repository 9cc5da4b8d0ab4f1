// SPDX-License-Identifier: MIT
//
// What holds for a bar of flexible height whatever one does with the content.

import ConformanceKit
import HeaderCore
import HeaderModel
import Testing

@Suite struct FlexibleHeightBarProperties {
  /// The height is the mixture of maximum and minimum by progress; only an elastic bar is taller, at progress 0.
  @Test(arguments: BarRun.all) func heightIsProgress(_ run: BarRun) throws {
    let header = try run.open()
    let isElastic = run.options["elasticMaximumHeightAtTop"] == true
    var heights: Set<Double> = []
    for step in run.scroll {
      _ = try header.take(step)
      let height = header.drawers[0].size.height
      heights.insert(height)
      #expect((0...1).contains(header.progress))
      #expect(abs(header.drawers[0].frame.origin.y - 20) < 1e-9)
      if isElastic, header.progress == 0 {
        #expect(height >= 320 - 1e-9)
      } else {
        #expect(abs(height - (320 - 300 * header.progress)) < 1e-9)
        #expect(height >= 20 - 1e-9 && height <= 320 + 1e-9)
      }
    }
    // A bar that never moves would keep all of this.
    #expect(run.definer == "base" || heights.count > 5)
  }

  /// With positions for every progress a release ends at one of them, and the content goes along with the bar.
  @Test(arguments: BarRun.all.filter { $0.options["snapping"] != nil }) func aReleaseEndsAtAPosition(_ run: BarRun)
    throws
  {
    let header = try run.open()
    var releases = 0
    for step in run.scroll {
      let before = (header.progress, header.scrollViews[0].contentOffset.y)
      _ = try header.take(step)
      switch step.event.kind {
      case .didEndDragging(false), .didEndDecelerating: break
      default: continue
      }
      releases += 1
      #expect([0, 1].contains(header.progress))
      let moved = header.scrollViews[0].contentOffset.y - before.1
      #expect(abs(moved - 300 * (header.progress - before.0)) < 1e-9)
      #expect(header.value(named: "currentlySnapping")?.value == false)
    }
    #expect(releases > 3)
  }

  @Test(arguments: BarRun.all) func replayIsIdentical(_ run: BarRun) throws {
    let (first, second) = (try run.open(), try run.open())
    for step in run.scrollWithChanges {
      #expect(try first.take(step) == second.take(step))
      #expect(first.state.text == second.state.text)
    }
  }

  /// Saved and restored in another process after every single event, it goes on as if nothing had been.
  @Test(arguments: BarRun.all) func goesOnAfterEveryRestore(_ run: BarRun) throws {
    let whole = try run.open()
    var reborn = try run.open()
    for step in run.scrollWithChanges {
      #expect(try whole.take(step) == reborn.take(step))
      #expect(whole.sight == reborn.sight)
      reborn = try reborn.reborn()
      #expect(whole.sight == reborn.sight)
    }
  }

  /// The same with the plugin's code replaced after every event.
  @Test(arguments: BarRun.all) func goesOnAfterEveryReload(_ run: BarRun) throws {
    let whole = try run.open()
    let reloaded = try run.open()
    for step in run.scrollWithChanges {
      #expect(try whole.take(step) == reloaded.take(step))
      #expect(whole.sight == reloaded.sight)
      try reloaded.reloadDelegate(at: 0)
      #expect(whole.sight == reloaded.sight)
    }
  }

  /// Scrolling down never shows more of Safari's bar, scrolling up never less; a hidden one under a finger stays hidden but at
  /// the very top; and there it is shown in full.
  @Test(arguments: BarRun.all.filter { $0.definer == "safari" }) func safariKeepsItsWord(_ run: BarRun) throws {
    let header = try run.open(with: ["snappingEnabled": false])
    var dragging = false
    for step in run.scroll {
      let (progress, offset) = (header.progress, header.scrollViews[0].contentOffset.y)
      _ = try header.take(step)
      switch step.event.kind {
      case .willBeginDragging: dragging = true
      case .didEndDragging: dragging = false
      case .didScroll:
        let now = header.scrollViews[0].contentOffset.y
        let top = -header.scrollViews[0].contentInset.top
        if now > offset { #expect(header.progress >= progress) }
        if now < offset { #expect(header.progress <= progress) }
        if now <= top { #expect(header.progress == 0) }
        if dragging, progress == 1, now - top >= 300 { #expect(header.progress == 1) }
      default: break
      }
    }
  }
}
