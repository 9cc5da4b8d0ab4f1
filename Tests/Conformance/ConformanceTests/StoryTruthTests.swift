// SPDX-License-Identifier: MIT
//
// Stories are true: each sentence about each event of each recording, of the originals and of the neighbors.

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct StoryTruthTests {
  private static let folders = Set(
    (Copies.paths + Files.recordings(under: Copies.neighborFolder)).map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
  ).sorted()

  @Test(arguments: folders) func everySentenceIsTrue(_ folder: String) throws {
    var (events, problems) = (0, [String]())
    for path in Files.recordings(under: folder) {
      guard let recording = try? AdaptedRecording(path: path),
        let run = try? RecordingRun(recording, plugins: Copies.plugins())
      else { continue }
      run.header.explain(last: 1)
      for step in recording.steps {
        for event in step.events {
          problems += hold(event, of: run.header).map { "\(URL(fileURLWithPath: path).lastPathComponent): \($0)" }
          events += 1
        }
      }
    }
    #expect(events > 100)
    #expect(problems.isEmpty, "\(problems.count) of \(events) events: \(problems.prefix(8).joined(separator: "\n"))")
  }

  /// What is untrue in the story of an event.
  private func hold(_ event: TimedEvent, of header: Header) -> [String] {
    let before = Shown(header)
    let (text, seq) = (header.state.text.drop { $0 != "\n" }, header.state.seq)
    let tracking = header.trackingScrollView
    var (states, notices, animations, commands) = (0, [String](), 0, [String]())
    _ = try? header.receive(event.event, at: event.time) { state in
      states += 1
      notices += state.happened.notices.filter { !$0.isRoutine }.map { $0.word(in: state.names) }
      animations += state.happened.animations.count
      commands += state.happened.commands.map(\.name)
    }
    guard let explanation = header.explanations.last else { return ["there is no story"] }
    let witness = Witness(
      event: event.event, before: before, after: Shown(header),
      isNew: header.state.seq != seq && header.state.text.drop { $0 != "\n" } != text, states: states,
      seq: header.state.seq,
      bypassed: header.delegates.indices.filter { header.isBypassed($0) }.map { header.delegates[$0].name },
      notices: notices, animations: animations, commands: commands,
      tracking: tracking >= 0 ? header.state.names.scrollViews[tracking] : nil)
    return StoryOracle(explanation, witness).problems
  }
}
