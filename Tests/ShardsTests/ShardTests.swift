// SPDX-License-Identifier: MIT
//
// Which shard a header belongs to, and what numbers tell of it.

import Clocks
import Fanout
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

import HeaderHost

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

  /// Epochs of different shards differ, whenever their headers are opened.
  @Test func epochsAreOfTheirShard() throws {
    for index in 0..<3 {
      for clock in 1_763_690_400_000_000..<1_763_690_400_000_004 as Range<Int64> {
        let (output, plugins) = (MemoryOutput(), TestPlugins())
        let service = Service(
          settings: ServiceSettings { WallTime(microseconds: clock) }, plugins: plugins, control: plugins,
          output: output, log: MemoryLog(),
          shard: Shard(index: index, of: 3), globalCounters: GlobalCounters(shards: 3))
        let name = try #require((0...).lazy.map { "h\($0)" }.first { service.shard.holder(of: $0) == index })
        let id = ConnectionID(number: 1)
        service.connected(Peer(name: "test"), as: id, at: 1)
        service.received(unsafe Array((TestDaemon.open(name) + "\n").utf8).span.bytes, from: id, at: 1)
        let answer = tree(String(decoding: output.pipe(id).taken.dropLast(), as: UTF8.self))
        let epoch = Int(answer.at("result.epoch").number)
        #expect(epoch % 3 == index && epoch - Int(clock) < 3 && epoch >= Int(clock))
      }
    }
  }

  /// What shards have counted of a plugin's calls adds up; how long the calls took goes by those that were timed.
  @Test func usageAddsUp() {
    var usage = PluginUsageEntry(plugin: "A", calls: 100, samples: Histogram(first: 1_000, counts: [2, 0], sum: 4_000))
    usage += PluginUsageEntry(plugin: "A", calls: 300, samples: Histogram(first: 1_000, counts: [0, 1], sum: 1_000))
    #expect(usage.calls == 400 && usage.samples.count == 3)
    #expect(abs(usage.seconds - 500e-6) < 1e-12)
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
