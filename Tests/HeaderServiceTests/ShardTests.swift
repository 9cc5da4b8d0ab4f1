// SPDX-License-Identifier: MIT
//
// Which shard a header belongs to, and what numbers tell of it.

import Testing

@testable import HeaderHost

@Suite struct ShardTests {
  /// Alone everything is as if there were no shards.
  @Test func oneHasEverything() {
    #expect((1...100).map { Shard.whole.number($0) } == Array(1...100))
    #expect(["a", "main", "app.b.c"].allSatisfy { Shard.whole.holder(of: $0) == 0 })
  }

  /// Numbers of different shards differ and lead back to their shard.
  @Test(arguments: [2, 3, 64]) func numbersLeadBack(_ count: Int) {
    var seen: Set<Int> = []
    for index in 0..<count {
      let shard = Shard(index: index, of: count)
      for ordinal in 1...20 {
        let number = shard.number(ordinal)
        #expect(number >= 1 && seen.insert(number).inserted)
        #expect(shard.holder(of: number) == index)
      }
    }
    #expect(seen.max() == 20 * count)
    #expect(Shard(index: 0, of: count).holder(of: 0) == nil)
    #expect(Shard(index: 0, of: count).holder(of: -3) == nil)
  }

  /// Names of the usual kinds spread evenly, whoever asks.
  @Test(arguments: [2, 3, 4, 8]) func namesSpread(_ count: Int) {
    for pattern in ["h", "app.user.", "main-"] {
      var load = [Int](repeating: 0, count: count)
      for number in 0..<4000 {
        let name = "\(pattern)\(number)"
        let holder = Shard(index: 0, of: count).holder(of: name)
        #expect(holder == Shard(index: count - 1, of: count).holder(of: name))
        load[holder] += 1
      }
      #expect(load.allSatisfy { abs($0 - 4000 / count) < 4000 / count / 5 }, "\(load)")
    }
  }
}
