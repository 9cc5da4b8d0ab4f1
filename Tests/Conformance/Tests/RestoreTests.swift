// SPDX-License-Identifier: MIT
//
// Saved after every event of every recording, written out, read back and restored into a fresh header, a header goes on as
// if nothing had happened: what it tells and shows differs in nothing but the epoch. The restored one is what is saved
// next, so that after n events n restores lie behind it.

import ConformanceKit
import HeaderCore
import HeaderTrace
import Testing

@Suite struct RestoreTests {
  @Test(arguments: Copies.paths) func goesOnAfterEveryRestore(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    let plugins = Copies.plugins()
    let whole = try Story(recording, plugins)
    var reborn = Story()
    var header = try RecordingRun(recording, plugins: plugins).header
    reborn.shown.append(header.state.text)
    var epoch: Int64 = 1
    for step in recording.steps {
      for event in step.events {
        epoch += 1
        header = try Header(
          header.description, epoch: epoch, provider: plugins, saved: try throughText(header.save()),
          recordsCalls: true)
        try reborn.add(event, to: header, mayBeRefused: step.mayBeRefused)
      }
    }
    #expect(reborn.told == whole.told)
    #expect(reborn.shown == whole.shown)
  }

  /// What a recording file does to a saved header.
  private func throughText(_ saved: Value) throws -> Value { try Value(json: saved.jsonBytes) }
}
