// SPDX-License-Identifier: MIT

import Testing

import Realm

@Suite struct OwnershipTests {
  @Test(
    "Each header has one owner, no acknowledged step is lost, no epoch has two publishers",
    arguments: Array(0..<8) + [149])
  func lives(_ part: UInt64) {
    var (takeovers, acknowledged) = (0, 0)
    for seed in part * 40..<part * 40 + 40 {
      let world = RealmWorld(seed: seed)
      world.run(untilMilliseconds: 26_000)
      world.calm()
      world.run(untilMilliseconds: 40_000)
      world.checkEnd()
      #expect(world.failures.isEmpty, "seed \(seed): \(world.failures.joined(separator: "\n"))")
      takeovers += world.takeovers
      acknowledged += world.acknowledged.values.reduce(0) { $0 + $1.count }
    }
    // The lives had something to live through.
    #expect(takeovers > 100)
    #expect(acknowledged > 1_000)
  }
}
