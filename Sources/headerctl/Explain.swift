// SPDX-License-Identifier: MIT
//
// `headerctl explain`: why a header moved, or did not, as a short story. For an open header the daemon keeps explanations from the first
// request on; for a recording the engine in this process makes them.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runExplain(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  switch (invocation[Words.someHeader], invocation[Words.explained]) {
  case (let header?, nil): return try explain(header, context)
  case (nil, let file?): return try explain(recording: file, context)
  default: throw CommandError.usage("explain: give a header, or --recording FILE")
  }
}

/// Shows the daemon's explanations; if there are none yet, waits for the first movement of the header, or of the content alone.
private func explain(_ header: String, _ context: Context) throws -> Int32 {
  let client = try context.connect(Interrupts(), needsReader: true)
  if context.invocation.has(Words.off) {
    _ = try context.ask(client, "header.explain", ["header": .text(header), "keep": 0])
    context.show(["keep": 0], "\(header) is not explained any more")
    return ExitStatus.done
  }
  var params: Value.Record = ["header": .text(header)]
  var kept = try context.ask(client, "header.explain", .record(params))
  if kept["keep"]?.asNumber == 0 {
    params["keep"] = 64
    kept = try context.ask(client, "header.explain", .record(params))
    params["keep"] = nil
  }
  let limit = StateLimit(seconds: context.invocation[Words.seconds])
  var hasTold = false
  do {
    while true {
      if show(kept.list("explanations"), context) { return ExitStatus.done }
      if !hasTold {
        context.console.complain("nothing has moved since explanations of \(header) are kept; waiting for it")
      }
      hasTold = true
      guard !limit.isReached else { return ExitStatus.refused }
      _ = try client.next(within: min(0.1, limit.secondsLeft ?? 0.1))
      kept = try context.ask(client, "header.explain", .record(params))
    }
  } catch {
    guard isInterruption(error) else { throw error }
    return ExitStatus.refused
  }
}

private func explain(recording file: String, _ context: Context) throws -> Int32 {
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  let explanations = try about(file) { () throws(RecordingError) -> [Value] in
    var replay = try Replay(recording, provider: registry)
    replay.explain(last: max(1, recording.steps.count))
    while try replay.step() != nil {}
    return replay.explanations.map(\.value)
  }
  if show(explanations, context) { return ExitStatus.done }
  throw CommandError.refused("\(file): nothing moves in it; --all shows its events", name: "badRecording")
}

/// Prints the last movement, or everything. If nothing has moved the header, prints its reaction to the content's last movement.
/// - Returns: whether there was something to print.
private func show(_ explanations: [Value], _ context: Context) -> Bool {
  let isAll = context.invocation.has(Words.all)
  let last = explanations.last(where: movesHeader) ?? explanations.last(where: isAttempt)
  let shown = isAll ? explanations[...] : last.map { [$0] } ?? []
  for (index, explanation) in shown.enumerated() {
    if context.isJSON {
      context.console.print(explanation.json)
    } else {
      if index > 0 { context.console.print("") }
      for line in explanation.texts("story") { context.console.print(line) }
    }
  }
  return !shown.isEmpty
}

/// Whether a drawer or an element is elsewhere after it, or looks otherwise.
private func movesHeader(_ explanation: Value) -> Bool {
  let changes = explanation.list("changes") + explanation.list("turns").flatMap { $0.list("changes") }
  let parts: Set = ["top", "left", "height", "width", "alpha", "hidden", "center", "bounds", "transform"]
  return explanation["states"] != 0
    && changes.contains { change in
      let words = change.text("what").split(separator: " ")
      return words.count == 2 && parts.contains(String(words[1]))
    }
}

/// Whether the event could have been meant to move the header.
private func isAttempt(_ explanation: Value) -> Bool {
  let words: Set = ["didScroll", "willScroll", "didOverscroll", "setContentOffset", "move", "call"]
  return words.contains(explanation["event"]?.text("event") ?? "")
    || explanation.list("turns").contains { !$0.list("moves").isEmpty }
}
