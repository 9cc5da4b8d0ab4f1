// SPDX-License-Identifier: MIT
//
// What a header has saved comes back from a file that anybody may have written. Every leaf of it is spoiled, one at a time and
// for every behavior that is shipped: the header is refused, or it lives on and its behaviors take what they were given or
// are bypassed. Nothing ends the program.

import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct SpoiledSavesTests {
  /// How many values each leaf gets.
  static let tries = 3

  @Test(arguments: Arrangements.all)
  func areRefusedOrLivedWith(_ composed: ComposedHeader) throws {
    let seed: UInt64 = 1
    var random = SplitMix64(seed: seed)
    let header = try composed.open()
    for (time, event) in RandomScroll(seed: seed, gestures: 5).events { _ = try header.receive(event, at: time) }
    // In the middle of a drag that was offered, with something ahead of the content.
    let now = Instant(seconds: header.now.seconds + 0.1)
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: now)
    _ = try header.receive(ScrollEvent(.willScroll(delta: Point(x: 0, y: 13.5), source: .drag)), at: now)
    let saved = try header.save()
    let description = header.description
    let later = RandomScroll(seed: seed + 100, gestures: 2).events
    var (refused, taken) = (0, 0)
    for leaf in 0..<saved.leafCount {
      for attempt in 0..<Self.tries {
        let spoiled =
          switch attempt {
          case 0: saved.removing(leaf: leaf)
          case 1: saved.replacing(leaf: leaf, with: random.pick(Wild.others))
          default: saved.replacing(leaf: leaf, with: .number(random.pick(Wild.numbers)))
          }
        guard let again = try? Header(description, epoch: 2, provider: BuiltPlugins.registry(), saved: spoiled) else {
          refused += 1
          continue
        }
        taken += 1
        for (time, event) in later { _ = try? again.receive(event, at: time) }
        _ = try? again.receive(ScrollEvent(.willFling(velocity: Point(x: 0, y: 2))))
        _ = try? again.receive(ScrollEvent(.advance(frameDuration: 0.1)), at: Instant(seconds: 9e9))
        _ = try? again.save()
      }
    }
    #expect(refused > 100 && taken > 100, "\(refused) refused, \(taken) taken")
  }
}
