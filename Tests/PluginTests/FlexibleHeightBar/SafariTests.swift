// SPDX-License-Identifier: MIT
//
// Safari's bar: its law as recordings, and the thresholds in it one by one. Each recording is a description and a scroll with
// the states that came of it; `headerctl verify` runs them too. SNAP_UPDATE=1 writes the states anew.

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderTrace
import Testing

@Suite struct SafariTests {
  static let folder = URL(filePath: #filePath).appending(path: "../../../Conformance/Recordings").standardized

  static var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted()
  }

  @Test func thereAreRecordings() { #expect(Self.files.count >= 11) }

  @Test(arguments: files) func showsWhatWasRecorded(_ file: String) throws {
    let url = Self.folder.appendingPathComponent(file)
    let bytes = try [UInt8](Data(contentsOf: url))
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try Data(Self.written(Recording(bytes))).write(to: url)
    }
    let verification = try Verification(Recording(bytes), provider: BuiltPlugins.registry())
    #expect(verification.states > 0)
    for difference in verification.differences { Issue.record("\(file): \(difference)") }
  }

  /// A recording with the states that its steps make now.
  private static func written(_ recording: HeaderTrace.Recording) throws -> [UInt8] {
    var replay = try Replay(recording, provider: BuiltPlugins.registry())
    let description = try #require(recording.description)
    var bytes = RecordingLine.head(description: description, saved: nil, server: nil, title: recording.title)
    while let outcome = try replay.step() {
      var step = outcome.step
      step.states = outcome.states
      step.result = outcome.result == [:] ? nil : outcome.result
      bytes += RecordingLine.step(step)
    }
    return bytes
  }

  /// A bar that was hidden by scrolling down by 1000 points.
  private func hidden(_ options: Value.Record = [:]) throws -> Header {
    let header = try ComposedHeader.bar((["definer": "safari"] as Value.Record).with(options)).open()
    try header.drag(to: 1000)
    #expect(header.progress == 1)
    return header
  }

  @Test(arguments: [(-0.59, 1.0), (-0.6, 0.0), (-3, 0.0), (0.6, 1.0)])
  func aReleaseRevealsFromAVelocityOn(_ velocity: Double, _ progress: Double) throws {
    let header = try hidden()
    try header.drag(to: 900, velocity: velocity, decelerates: true)
    #expect(header.progress == 1)
    try header.scroll(to: 800)
    #expect(header.progress == progress)
  }

  /// A bar that a call has hidden near the content's top comes back as far as the content does, and not at once.
  @Test func aBarThatACallHasHiddenComesBackPointByPoint() throws {
    let header = try ComposedHeader.bar(["definer": "safari"]).open()
    try header.scroll(to: -64 + 40)
    _ = try header.receive(ScrollEvent(.move(HeaderMove(to: .progress(1)))))
    #expect(header.progress == 1)
    for shown in [10.0, 20, 30] {
      try header.scroll(to: header.scrollViews[0].contentOffset.y - 10)
      #expect(abs(header.progress - (1 - shown / 44)) < 1e-9, "\(header.progress)")
    }
  }

  /// The next drag ends it: the bar was promised to the flick, not to the finger that stops it.
  @Test func aNewDragEndsRevealing() throws {
    let header = try hidden()
    try header.drag(to: 900, velocity: -2, decelerates: true)
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: 700)
    #expect(header.progress == 1)
  }

  @Test(arguments: [(0.1, 1.0), (0.09, 0.0), (-0.1, 0.0), (-0.09, 0.0)])
  func theReleaseDecidesWhereAPartlyShownBarGoes(_ velocity: Double, _ progress: Double) throws {
    let header = try ComposedHeader.bar(["definer": "safari"]).open()
    try header.drag(to: -64 + 11, velocity: velocity)
    #expect(header.progress == progress)
    #expect(header.scrollViews[0].contentOffset.y == -64 + 44 * progress)
  }

  /// From one half on a slow release hides.
  @Test func aSlowReleaseGoesToTheNearerEnd() throws {
    let header = try ComposedHeader.bar(["definer": "safari"]).open()
    try header.drag(to: -64 + 22)
    #expect(header.progress == 1)
  }

  @Test func velocitiesAreOptions() throws {
    let header = try hidden(["revealVelocity": 2, "snapVelocity": 0.5])
    try header.drag(to: 900, velocity: -1.9, decelerates: true)
    try header.scroll(to: 800)
    #expect(header.progress == 1)
    try header.configure(["revealVelocity": 1])
    try header.drag(to: 790, velocity: -1.9, decelerates: true)
    try header.scroll(to: 768)
    #expect(header.progress == 0.5)
  }

  /// Where there is nothing between the two heights there is nothing to hide.
  @Test func equalHeightsStayShown() throws {
    let header = try ComposedHeader.bar(["definer": "safari", "minimumBarHeight": 64]).open()
    try header.drag(to: 500, velocity: 1)
    #expect(header.progress == 0)
    #expect(header.drawers[0].size.height == 64)
    try header.move(to: .progress(1))
    #expect(header.progress == 0)
    #expect(header.drawers[0].size.height == 64)
  }

  /// A release decides for the definer that saw it: one that takes its place before the bar comes to rest knows of none.
  @Test func anotherDefinerKnowsNoRelease() throws {
    for replaces in [false, true] {
      let header = try ComposedHeader.bar(["definer": "safari"]).open()
      try header.drag(to: -64 + 11, velocity: 1, decelerates: true)
      #expect(header.progress == 0.25)
      if replaces { for definer in ["base", "safari"] { try header.configure(["definer": .text(definer)]) } }
      _ = try header.receive(ScrollEvent(.didEndDecelerating))
      #expect(header.progress == (replaces ? 0 : 1))
    }
  }
}
