// SPDX-License-Identifier: MIT
//
// What a worker shows on its page stays within it, and calls are counted as the page and `stats` tell them.

import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Posix
import Testing

@Suite struct WorkerPageTests {
  @Test func whatThePageHasNoRoomForIsLeftOut() throws {
    let page = try SharedPage()
    page.show((1...400).map { UInt($0) })
    let plugin = try PluginRegistry(folders: [TestFiles.build]).load("ShyNavBar")
    let usage = plugin.usages[0]
    for index in 0..<400 { #expect(page.usage(index)?.calls ?? 0 == 0, "no delegate stands there") }
    page.showCalls(Array(repeating: usage, count: 400))
    #expect((0..<400).filter { page.usage($0) != nil } == Array(0..<16))
  }

  /// Also one that has shown its delegates, and an order that calls none of them.
  @Test func aWorkerInNoPluginRunsNone() throws {
    let page = try SharedPage()
    page.show([7, 8])
    page.begin(3, 5)
    let runsNone = page.running == nil
    #expect(runsNone)
    // The mark of a call into the second: what is called stands above the address.
    page[0] = 1 << 48 | 8
    #expect(page.running?.header == 3 && page.running?.order == 5 && page.running?.delegate == 1)
  }

  /// One call in 64 is timed, beginning with the first.
  @Test func theFirstCallIsTimed() throws {
    let registry = PluginRegistry(folders: [TestFiles.build])
    let usage = try registry.load("ShyNavBar").usages[0]
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    let header = try Header(description, epoch: 1, provider: registry)
    let page = try SharedPage()
    usage.reset()
    for step in 1...130 {
      _ = try header.receive(ScrollEvent(.didEndDecelerating), at: Instant(seconds: Double(step)))
      #expect(usage.calls >= step)
      #expect(usage.samples.count == (usage.calls + 63) / 64)
      page.showCalls([usage])
      #expect(page.usage(0)?.calls == usage.calls)
      #expect(page.usage(0)?.samples.count == usage.samples.count)
    }
  }
}
