// SPDX-License-Identifier: MIT
//
// Recordings of the originals as `headerctl replay` runs them: as a file in our words, with the shipped plugins alone.

import ConformanceKit
import HeaderCore
import HeaderOriginals
import HeaderTrace
import PluginHost
import Testing

@Suite struct ReplayTests {
  /// Every step runs; refused is what the original refused. Without a delegate of the original's own the states are those
  /// of the conformance run.
  @Test(arguments: Copies.paths) func aRecordingOfAnOriginalIsReplayed(_ path: String) throws {
    let recording = try Recording(try #require(Files.read(path)))
    var replay = try Replay(recording, provider: Copies.plugins())
    var states = 0
    while let outcome = try replay.step() {
      states += outcome.states.count
      let isExpected = (outcome.refusal == nil) == (outcome.step.error == nil)
      #expect(isExpected, "\(path), step \(outcome.step.line): \(outcome.refusal?.message ?? "nothing was refused")")
    }
    let adapted = try AdaptedRecording(path: path)
    #expect(replay.description.delegates.allSatisfy { $0.behavior != "OriginalDelegate" })
    if adapted.description == replay.description {
      #expect(states == (try Story(adapted, Copies.plugins())).told.count)
    }
  }

  /// A script of an original's words without what it expects.
  @Test func aScriptNeedNotSayWhatIsExpected() throws {
    let text = """
      {"format":"header-trace/1","system":"StretchyHeader","title":"t","options":{"headerHeight":200},
      "scene":{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"height":1000},"contentInset":{"top":0},
      "offset":{"x":0,"y":0},"header":{"imageHeight":100},"title":{"height":30},"contentBelowTitle":770,
      "statusBarHeight":20},"steps":[{"event":"didScroll","time":1,"offset":{"x":0,"y":-40}}]}
      """
    var replay = try Replay(Recording(Array(text.utf8)), provider: Copies.plugins())
    let outcome = try #require(try replay.step())
    #expect(outcome.states.first?["drawers"]?.elements.first?["frame"]?["height"] == 220)
    let broken = text.replacing("headerHeight", with: "headerHight")
    let error = #expect(throws: RecordingError.self) {
      _ = try Replay(Recording(Array(broken.utf8)), provider: Copies.plugins())
    }
    #expect(error?.description.contains("headerHight") == true)
  }
}
