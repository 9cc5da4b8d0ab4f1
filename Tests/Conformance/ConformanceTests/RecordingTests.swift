// SPDX-License-Identifier: MIT
//
// Every recording of an original, against our plugins as built; and the runs that must not depend on how they are made.

import ConformanceKit
import HeaderCore
import HeaderModel
import PluginHost
import Testing

@Suite struct RecordingTests {
  @Test func thereAreRecordings() { #expect(Copies.paths.count >= 83) }

  @Test(arguments: Copies.paths) func showsWhatTheOriginalShowed(_ path: String) {
    let difference = Difference.first(in: path, plugins: Copies.plugins())
    #expect(difference == nil, "\(path): \(difference?.description ?? "")")
  }

  @Test(arguments: Copies.all) func twiceGivesTheSameStates(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    #expect(try Story(recording, Copies.plugins()) == Story(recording, Copies.plugins()))
  }

  /// Whole, or event by event with another header's events between, each event written out and read back.
  @Test(arguments: Copies.all) func wholeIsTheSameAsEventByEvent(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    let plugins = Copies.plugins()
    let whole = try Story(recording, plugins)
    var pieces = Story()
    var other = Story()
    let run = try RecordingRun(recording, plugins: plugins)
    let neighbor = try RecordingRun(recording, plugins: plugins)
    pieces.shown.append(run.header.state.text)
    other.shown.append(neighbor.header.state.text)
    for step in recording.steps {
      for event in step.events {
        let again = try Adapting.event(event.value)
        try pieces.add(again, to: run.header, mayBeRefused: step.mayBeRefused)
        try other.add(event, to: neighbor.header, mayBeRefused: step.mayBeRefused)
      }
    }
    #expect(pieces == whole)
    #expect(other == whole)
  }
}
