// SPDX-License-Identifier: MIT
//
// `headerctl replay --step`: a recording event by event, forwards and back. All steps run first, since the engine runs one way only; then
// the user chooses the one to show.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderModel
internal import HeaderTrace
internal import Posix

func runReplaySteps(_ context: Context, _ file: String) throws -> Int32 {
  guard file != "-" else { throw CommandError.usage("replay --step: commands are read from stdin, so give a file") }
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  let walk = try about(file) { try RecordingWalk(recording, provider: registry) }
  let interrupts = Interrupts()
  var input = LineInput()
  var place = 0
  show(walk, at: place, context)
  while !interrupts.haveCome {
    guard let line = input.next() else {
      if input.hasEnded { break }
      let ready = waitUntilReady(
        [Wait(input.descriptor, for: .reading), Wait(interrupts.descriptor, for: .reading)], seconds: nil)
      if ready[1].canRead { break }
      input.fill()
      continue
    }
    switch StepCommand(String(decoding: line, as: UTF8.self)) {
    case .move(let count): place = max(0, min(walk.count, place + count))
    case .go(let step): place = max(0, min(walk.count, step))
    case .nextChange: place = walk.nextChange(after: place)
    case .end: return ExitStatus.done
    case nil:
      context.console.complain("expected Enter or n [COUNT], b [COUNT], g STEP, c or q")
      continue
    }
    show(walk, at: place, context)
  }
  return ExitStatus.done
}

/// A command of the interactive mode.
private enum StepCommand {
  case move(Int)
  case go(Int)
  case nextChange
  case end

  init?(_ line: String) {
    let words = line.split(separator: " ")
    let number = words.count > 1 ? Int(words[1]) : 1
    guard words.count <= 2, let number, (0...1_000_000_000).contains(number) else { return nil }
    switch words.first ?? "n" {
    case "n": self = .move(number)
    case "b": self = .move(-number)
    case "g" where words.count == 2: self = .go(number)
    case "c": self = .nextChange
    case "q": self = .end
    default: return nil
    }
  }
}

/// All steps of a recording with their outcomes.
private struct RecordingWalk {
  let description: Value
  private var outcomes: [Replay.Outcome] = []
  /// The latest state before and after each step: one more than steps.
  private var states: [Value]

  init(_ recording: Recording, provider: any BehaviorProvider) throws(RecordingError) {
    var replay = try Replay(recording, provider: provider)
    description = recording.description ?? [:]
    states = [replay.opening]
    while let outcome = try replay.step() {
      outcomes.append(outcome)
      states.append(outcome.states.last ?? states[states.count - 1])
    }
  }

  var count: Int { outcomes.count }

  /// The step that led to a place; nil at the beginning.
  func outcome(at place: Int) -> Replay.Outcome? { place == 0 ? nil : outcomes[place - 1] }
  func state(at place: Int) -> Value { states[place] }

  /// The place behind the next step that made a state, or the end.
  func nextChange(after place: Int) -> Int {
    outcomes[place...].first { !$0.states.isEmpty }.map { $0.index + 1 } ?? count
  }
}

private func show(_ walk: RecordingWalk, at place: Int, _ context: Context) {
  let outcome = walk.outcome(at: place)
  let state = walk.state(at: place)
  if context.isJSON {
    var record: Value.Record = ["step": .integer(place), "of": .integer(walk.count), "state": state]
    record["event"] = outcome.map { .record($0.step.event) }
    record["states"] = outcome.map { .integer($0.states.count) }
    record["result"] = outcome?.result
    return context.console.print(Value.record(record).json)
  }
  var title = "step \(place) of \(walk.count)"
  if let outcome {
    title += ": \(Value.record(outcome.step.event).json)"
    if let refusal = outcome.refusal { title += "\n  refused: \(refusal.message)" }
    if outcome.refusal == nil, outcome.states.isEmpty { title += "\n  no state: nothing changed" }
    if outcome.states.count > 1 { title += "\n  \(outcome.states.count) states, the last one:" }
  } else {
    title += ": as it was opened"
  }
  context.console.print(title)
  guard let picture = StatePicture(state) else { return }
  if context.draws {
    let drawing = PhoneDrawing(description: walk.description, state: picture, terminal: context.console.size)
    for line in drawing.lines(picture, width: context.console.size.columns) { context.console.print(line) }
  } else {
    context.console.print(table: stateRows(picture))
  }
}
