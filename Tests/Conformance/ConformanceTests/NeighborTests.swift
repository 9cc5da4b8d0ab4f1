// SPDX-License-Identifier: MIT
//
// What CollapsingHeader's presets do as their neighbors do it. Tests/Conformance/NEIGHBORS.md is the page of it.

import ConformanceKit
import HeaderModel
import PluginHost
import Testing

@Suite struct NeighborTests {
  private static let page = NeighborPage(folder: Copies.neighborFolder, plugins: Copies.plugins())

  @Test func thereAreEightSystems() {
    #expect(Self.page.systems.count == 8)
    #expect(Self.page.rows.count >= 266)
  }

  @Test(arguments: page.systems) func nineteenOfTwentyRecordingsPassAsAWhole(_ system: String) {
    let (all, passed) = Self.page.count(of: system)
    #expect(Double(passed) >= 0.95 * Double(all), "\(system): \(passed) of \(all)")
  }

  /// Random inputs, also those that no recording has, and what comes of them by the law; see Tests/Conformance/Laws.
  @Test(arguments: Copies.byLaw) func doesWhatTheLawSays(_ path: String) {
    let difference = Difference.first(in: path, plugins: Copies.plugins())
    #expect(difference == nil, "\(path): \(difference?.description ?? "")")
  }

  @Test func thereAreRunsByTheLaw() { #expect(Copies.byLaw.count >= 30) }

  @Test func eachThatDoesNotPassHasAReason() {
    for row in Self.page.rows {
      let isExplained = NeighborPage.reason(row) != nil
      #expect((row.difference != nil) == isExplained, "\(row.system)/\(row.file): \(row.difference ?? "passes")")
    }
  }

  @Test func thePageIsThatOfThisRun() throws {
    let bytes = try #require(Files.read(Copies.neighborPage))
    #expect(String(decoding: bytes, as: UTF8.self) == Self.page.text, "run make manual")
  }

  /// A tolerance is the recording's own, and one that is not met is told.
  @Test func whatIsBeyondTheToleranceIsTold() throws {
    let path = "\(Copies.neighborFolder)/gt-scroll-bar/04-cancelled-acts-as-ended-failed-goes-on-as-a-movement.json"
    let text = String(decoding: try #require(Files.read(path)), as: UTF8.self)
    for (new, message) in [("-23.000002", "barY: expected -23.000002, got -23"), ("-23.0000005", nil)] {
      let pieces = text.split(separator: "\"barY\":-23.0", maxSplits: 1, omittingEmptySubsequences: false)
      let changed = pieces.joined(separator: "\"barY\":\(new)")
      let recording = try AdaptedRecording(try OriginalRecording(Array(changed.utf8)))
      let difference = try RecordingRun(recording, plugins: Copies.plugins()).firstDifference()?.description
      #expect(difference?.hasSuffix(message ?? "?") ?? false == (message != nil), "\(difference ?? "none")")
    }
  }
}
