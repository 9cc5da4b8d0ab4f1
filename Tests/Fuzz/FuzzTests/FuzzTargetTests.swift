// SPDX-License-Identifier: MIT
//
// The readers of strangers' bytes, each with what it begins with and some hundred mutations of that: the short form of
// `make fuzz`, without libFuzzer and its build.

import DaemonTestKit
import FuzzTargets
import HeaderTestKit
import Testing

@Suite struct FuzzTargetTests {
  /// Mutations of each target: a second each in a debug build.
  static let mutations = 300

  @Test(arguments: FuzzTargets.all.indices)
  func nothingThatIsReadHurts(index: Int) throws {
    let type = FuzzTargets.all[index]
    let target = try type.init(FuzzTargets.plugins(inFolder: TestFiles.build))
    let seeds = try target.seeds()
    #expect(seeds.count >= 3)
    var random = SplitMix64(seed: UInt64(index))
    var read = 0
    for number in 0..<seeds.count + Self.mutations {
      let bytes = number < seeds.count ? seeds[number] : mutated(random.pick(seeds), target.words, &random)
      do {
        read += try target.run(bytes)
      } catch {
        Issue.record("\(type.name), input \(number): \(error)\n\(bytes)")
        return
      }
    }
    #expect(read > Self.mutations / 2)
  }

  /// Some of it overwritten, removed, inserted or doubled.
  private func mutated(_ seed: [UInt8], _ words: [String], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = seed
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(7) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: bytes[place] = UInt8(random.below(256))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
      case 3: bytes.insert(UInt8(random.below(256)), at: place)
      case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
      case 5 where !words.isEmpty: bytes.insert(contentsOf: Array(random.pick(words).utf8), at: place)
      default: bytes.removeLast(random.below(bytes.count))
      }
    }
    return bytes
  }
}
