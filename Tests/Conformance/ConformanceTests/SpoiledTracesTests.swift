// SPDX-License-Identifier: MIT
//
// Recordings of the originals (header-trace/1) that somebody has changed: the words of each system are read with extremes in
// their numbers, and what is not refused runs through the plugins.

import ConformanceKit
import HeaderModel
import HeaderTestKit
import HeaderTrace
import PluginHost
import Testing

@Suite struct SpoiledTracesTests {
  @Test(arguments: AdaptedRecording.systems) func areRefusedOrRun(_ system: String) throws {
    var random = SplitMix64(seed: 1)
    var (ran, refused) = (0, 0)
    let documents = try Copies.all.lazy.map { try Value(json: try #require(Files.read($0))) }
      .filter { $0["system"] == .text(system) }
    let originals = Array(documents.prefix(20))
    for document in originals {
      // Of a system with fewer recordings each is changed more often.
      for _ in 0..<(160 / max(1, originals.count)) {
        var spoiled = document
        for _ in 0..<random.pick([1, 1, 3]) {
          let numbers = spoiled.numberLeaves
          let leaf = random.oneIn(5) ? random.below(spoiled.leafCount) : random.pick(numbers)
          spoiled =
            random.oneIn(6)
            ? spoiled.replacing(leaf: leaf, with: random.pick(Wild.others))
            : spoiled.replacing(leaf: leaf, with: .number(random.pick(Wild.numbers)))
        }
        guard let recording = try? AdaptedRecording(try OriginalRecording(spoiled)),
          let run = try? RecordingRun(recording, plugins: Copies.plugins())
        else {
          refused += 1
          continue
        }
        ran += 1
        for step in recording.steps { _ = try? run.perform(step) }
      }
    }
    #expect(ran > 20 && refused > 2, "\(ran) ran, \(refused) were refused")
  }
}
