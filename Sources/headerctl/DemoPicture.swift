// SPDX-License-Identifier: MIT
//
// `headerctl demo --picture`: the recording replayed in this process, and two of its states drawn side by side: where the
// header is tallest, and where it is shortest. The same recording makes the same picture everywhere.

internal import CommandLineKit
internal import HeaderCore
internal import HeaderModel
internal import HeaderTrace

func runDemoPicture(_ context: Context, _ file: String) throws -> Int32 {
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  let found = try about(file) { try extremes(of: recording, registry) }
  guard let description = recording.description, let extremes = found else {
    throw CommandError.refused("\(file): it has no state that could be drawn", name: "badRecording")
  }
  // One scale for both, so that they can be compared.
  let drawing = PhoneDrawing(description: description, state: extremes.expanded, columns: 24, rows: 12)
  let screens = [extremes.expanded, extremes.collapsed].map { state in
    drawing.screen(state, offset: state.scrollViews.first?.offset.y ?? 0)
  }
  let titles = ["expanded", "collapsed"].map { title in
    let room = drawing.columns + 2 - title.count
    return String(repeating: " ", count: room / 2) + title + String(repeating: " ", count: room - room / 2)
  }
  for row in [titles] + zip(screens[0], screens[1]).map({ [$0, $1] }) {
    var line = row.joined(separator: "      ")
    while line.last == " " { line.removeLast() }
    context.console.print(line)
  }
  return ExitStatus.done
}

/// The first state in which the header reaches farthest down, and the first in which it reaches least far.
private func extremes(
  of recording: Recording, _ provider: any BehaviorProvider
) throws(RecordingError) -> (expanded: StatePicture, collapsed: StatePicture)? {
  var replay = try Replay(recording, provider: provider)
  guard let opening = StatePicture(replay.opening) else { return nil }
  var (expanded, collapsed) = (opening, opening)
  while let outcome = try replay.step() {
    for state in outcome.states.compactMap(StatePicture.init) {
      if state.lowerEdge > expanded.lowerEdge { expanded = state }
      if state.lowerEdge < collapsed.lowerEdge { collapsed = state }
    }
  }
  return (expanded, collapsed)
}
