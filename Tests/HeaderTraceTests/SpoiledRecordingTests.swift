// SPDX-License-Identifier: MIT
//
// Recordings that somebody has changed: every leaf of the description, of the saved state, of every step and every recorded
// state gets an extreme, or is gone. The file is refused with its line, or it runs, is compared and drawn; nothing ends the
// program.

import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderTrace
import Testing

@Suite struct SpoiledRecordingTests {
  /// A recording that began in mid-life, with what it brought about.
  private func lines() throws -> [Value] {
    let source = try recording(script)
    var unknown: [UnknownField] = []
    let header = try Header(
      HeaderDescription(Value(json: Array(description.utf8)), unknown: &unknown), epoch: 1, provider: Shelf())
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 3)), at: Instant(seconds: 0.5))
    let head = RecordingLine.head(description: try #require(source.description), saved: try header.save(), server: nil)
    let text = String(decoding: head, as: UTF8.self) + steps.joined(separator: "\n") + "\n"
    return try recorded(text).split(separator: "\n").map { try Value(json: Array($0.utf8)) }
  }

  private func run(_ lines: [String]) -> Bool {
    guard let recording = try? Recording(Array((lines.joined(separator: "\n") + "\n").utf8)) else { return false }
    guard var replay = try? Replay(recording, provider: Shelf()) else { return false }
    var timeline = Timeline()
    if let opening = StatePicture(replay.opening) { timeline.add(state: opening) }
    while let outcome = try? replay.step() {
      timeline.add(event: outcome.step.event, offsetBefore: 0, refused: outcome.refusal != nil)
      for state in (outcome.step.states ?? []) + outcome.states {
        if let picture = StatePicture(state) { timeline.add(state: picture) }
      }
    }
    _ = timeline.lines(width: 60)
    _ = try? Verification(recording, provider: Shelf())
    return true
  }

  @Test func areRefusedOrRun() throws {
    var random = SplitMix64(seed: 1)
    let lines = try lines()
    let texts = lines.map(\.json)
    var (ran, refused) = (0, 0)
    for (place, line) in lines.enumerated() {
      for leaf in 0..<line.leafCount {
        var spoiled = texts
        switch random.below(6) {
        case 0: spoiled[place] = line.removing(leaf: leaf).json
        case 1: spoiled[place] = line.replacing(leaf: leaf, with: random.pick(Wild.others)).json
        case 2, 3: spoiled[place] = line.replacing(leaf: leaf, with: .number(random.pick(Wild.numbers))).json
        default:
          let marked = line.replacing(leaf: leaf, with: "@number@").json
          let parts = marked.split(separator: "\"@number@\"", omittingEmptySubsequences: false)
          spoiled[place] = parts.joined(separator: random.pick(Wild.texts))
        }
        if run(spoiled) { ran += 1 } else { refused += 1 }
      }
    }
    #expect(ran > 100 && refused > 50, "\(ran) ran, \(refused) were refused")
  }
}
