// SPDX-License-Identifier: MIT
//
// A header that is saved, written out, read back and born again, or whose delegates are reloaded, between any two events of
// any recording goes on as if nothing had happened: every later state is the same, byte for byte, but for the epoch.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderTrace
import PluginHost
import Testing
import HeaderWire

@Suite struct SaveRestoreTests {
  /// A new header after every event: whatever is not saved is lost again and again. After n events n restores lie behind it.
  @Test(arguments: Copies.all) func bornAgainAfterEachEventItGoesOnAlike(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    let plugins = Copies.plugins()
    let whole = try Story(recording, plugins)
    var header = try RecordingRun(recording, plugins: plugins).header
    var again = Story()
    again.shown.append(header.state.text)
    for (event, mayBeRefused) in Self.events(of: recording) {
      header = try Self.bornAgain(header, plugins)
      try again.add(event, to: header, mayBeRefused: mayBeRefused)
    }
    #expect(again.told == whole.told)
    #expect(again.shown == whole.shown)
  }

  /// Born again once, at a few places: what the new header's first event does not need may be needed later.
  @Test(arguments: Copies.all) func bornAgainOnceItGoesOnAlike(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    let plugins = Copies.plugins()
    let events = Self.events(of: recording)
    let whole = try Story(recording, plugins)
    for place in stride(from: 0, to: events.count, by: max(1, events.count / 3)) {
      var header = try RecordingRun(recording, plugins: plugins).header
      var again = Story()
      again.shown.append(header.state.text)
      for (index, (event, mayBeRefused)) in events.enumerated() {
        if index == place { header = try Self.bornAgain(header, plugins) }
        try again.add(event, to: header, mayBeRefused: mayBeRefused)
      }
      #expect(again == whole, "born again before event \(place)")
    }
  }

  /// New code for every delegate after every event.
  @Test(arguments: Copies.all) func reloadedAfterEachEventItGoesOnAlike(_ path: String) throws {
    let recording = try AdaptedRecording(path: path)
    let plugins = Copies.plugins()
    let whole = try Story(recording, plugins)
    let header = try RecordingRun(recording, plugins: plugins).header
    var again = Story()
    again.shown.append(header.state.text)
    for (event, mayBeRefused) in Self.events(of: recording) {
      for (index, delegate) in header.delegates.enumerated() {
        let before = header.state.seq
        try header.replaceDelegate(
          at: index, with: try plugins.makeDelegate(behavior: delegate.behavior.name, name: delegate.name))
        #expect(header.state.seq == before, "a reload of \(delegate.name) showed something")
      }
      try again.add(event, to: header, mayBeRefused: mayBeRefused)
    }
    #expect(again.told == whole.told)
    #expect(again.shown == whole.shown)
  }

  private static func events(of recording: AdaptedRecording) -> [(event: TimedEvent, mayBeRefused: Bool)] {
    recording.steps.flatMap { step in step.events.map { ($0, step.mayBeRefused) } }
  }

  /// Its next life, from what a recording file keeps of it.
  private static func bornAgain(_ header: Header, _ plugins: PluginRegistry) throws -> Header {
    try Header(
      header.description, epoch: header.state.epoch + 1, provider: plugins,
      saved: try Value(json: header.save().jsonBytes), recordsCalls: header.recordsCalls)
  }
}
