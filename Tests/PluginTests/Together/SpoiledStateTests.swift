// SPDX-License-Identifier: MIT
//
// A saved state comes back over the wire (`header.open` with `saved`), so it may be anything: every behavior takes it over or
// refuses it with a reason and goes on. One leaf of a real state is spoiled at a time.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct SpoiledStateTests {
  @Test(arguments: SavedVersionTests.all) func `a spoiled state is refused or taken, and never ends the program`(
    _ composed: ComposedHeader
  ) throws {
    let header = try composed.open()
    for (time, event) in RandomScroll(seed: 11, gestures: 3).events { _ = try header.receive(event, at: time) }
    // Something is ahead of the content, so that this is among what is saved.
    _ = try header.receive(ScrollEvent(.willScroll(delta: Point(x: 0, y: 30), source: .drag)))
    guard case .record(let saved) = try header.save(), case .list(let delegates)? = saved["delegates"],
      case .record(let first)? = delegates.first, let state = first["state"]
    else {
      Issue.record("the saved header has no delegates")
      return
    }
    let events = RandomScroll(seed: 12, gestures: 2).events
    var (refused, taken) = (0, 0)
    for wrong in state.spoiled {
      var (changed, row) = (saved, first)
      row["state"] = wrong
      changed["delegates"] = [.record(row)]
      do throws(HeaderError) {
        let again = try Header(
          header.description, epoch: 2, provider: BuiltPlugins.registry(), saved: .record(changed))
        for (time, event) in events { _ = try again.receive(event, at: time.advanced(by: 60_000_000_000)) }
        taken += 1
      } catch {
        #expect(error.message.hasPrefix("saved.delegates[0].state: "), "\(error.message)")
        refused += 1
      }
    }
    if case .record(let fields) = state, fields.fields.count > 1 { #expect(refused > 20 && taken > 0) }
  }
}
