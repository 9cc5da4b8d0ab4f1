// SPDX-License-Identifier: MIT
//
// `headerctl replay` and `headerctl verify`: recordings run through engine and plugins in this process, without a daemon.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderModel
internal import HeaderTrace

func runReplay(_ context: Context) throws -> Int32 {
  let file = context.invocation.required(Words.recording)
  if context.invocation.has(Words.step) { return try runReplaySteps(context, file) }
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  return try about(file) { try replay(recording, file, registry, context) }
}

private func replay(
  _ recording: Recording, _ file: String, _ provider: any BehaviorProvider, _ context: Context
) throws -> Int32 {
  var replay = try Replay(recording, provider: provider)
  var timeline = Timeline()
  var summary = StreamSummary()
  var isFaithful = true
  var offset = StatePicture(replay.opening)?.scrollViews.first?.offset.y
  if !context.draws { context.console.print(replay.opening.json) }
  while let outcome = try replay.step() {
    summary.events += 1
    summary.states += outcome.states.count
    if let refusal = outcome.refusal {
      summary.refused += 1
      // A step that was refused when it was recorded has to be refused again.
      isFaithful = isFaithful && outcome.step.error != nil
      let message = sentence(refusal.message, hint: refusal.hint)
      context.complain(sourceName(file), line: outcome.step.line, message, errorObject(refusal))
    }
    if context.draws {
      timeline.add(event: outcome.step.event, offsetBefore: offset, refused: outcome.refusal != nil)
      for state in outcome.states { StatePicture(state).map { timeline.add(state: $0) } }
    } else {
      for state in outcome.states { context.console.print(state.json) }
    }
    offset = outcome.step.event["offset"]?["y"]?.asNumber ?? offset
  }
  if context.draws {
    if let title = recording.title { context.console.print("\(title)\n") }
    for line in timeline.lines(width: context.console.size.columns) { context.console.print(line) }
    context.console.print("\n\(Timeline.legend)")
  }
  let line = "\(summary.text)\n"
  if context.draws { context.console.print(line, terminator: "") } else { context.console.error(line) }
  return isFaithful ? ExitStatus.done : ExitStatus.refused
}

func runVerify(_ context: Context) throws -> Int32 {
  let file = context.invocation.required(Words.recording)
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  var nextShown = steadySeconds() + 0.5
  let verification = try about(file) {
    try Verification(recording, provider: registry) { step in
      guard step % 256 == 0, steadySeconds() > nextShown else { return }
      nextShown = steadySeconds() + 0.1
      context.console.progress("step \(step) of \(recording.steps.count)")
    }
  }
  context.console.progress("")
  for difference in verification.differences { context.show(difference.value, difference.description) }
  let count = verification.differences.count
  // A file that does not say whether it is whole is accepted: people write such files, too.
  let isWhole =
    switch recording.completeness {
    case .whole, .unknown: !recording.isTruncated
    case .incomplete: false
    }
  let summary: Value = [
    "steps": .integer(verification.steps), "states": .integer(verification.states), "differences": .integer(count),
    "complete": recording.completeness == .unknown && isWhole ? .null : .bool(isWhole),
  ]
  let found = count == 0 ? "no difference" : counted(count, "difference")
  let sizes = "\(counted(verification.steps, "step")), \(counted(verification.states, "state"))"
  context.show(["summary": summary], "\(sizes): \(found)\(isWhole ? "" : ", but the recording is incomplete")")
  return count == 0 && isWhole ? ExitStatus.done : ExitStatus.refused
}

extension StepDifference {
  fileprivate var value: Value {
    [
      "step": .integer(step), "line": .integer(line), "event": .text(event), "field": .text(difference.field),
      "expected": difference.expected ?? .null, "got": difference.got ?? .null,
    ]
  }
}
