// SPDX-License-Identifier: MIT
//
// `headerctl bench-frames`: in how many frames a header and its content are apart on this machine. A frame is drawn when its scroll event
// has been sent, as a toolkit does that does not wait, in two ways: by the last state that has come, and by what that state says of the
// frame's offset (`predict`). Both are compared with what was decided.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runBenchFrames(_ context: Context) throws -> Int32 {
  let file = try context.invocation[Words.script] ?? demoScript()
  let opened = try OpenRecording(context, file)
  defer { opened.close() }
  let bench = FrameBench(description: opened.description)
  var stream = try opened.stream(predict: true)
  stream.onAnswer = { line, answer in
    switch answer.result {
    case .success(let result): bench.answered(line, seq: result["seq"]?.asNumber)
    case .failure(let error): context.complain(file, line: line, "\(error)", error.object)
    }
  }
  stream.onComplaint = { line, complaint in
    context.console.complain(line.map { "\(file):\($0): \(complaint)" } ?? complaint)
  }
  stream.onNotification = { if $0.method == "state" { bench.take($0.params) } }
  var pacer = Pacer(speed: context.invocation[Words.speed] ?? 1)
  do {
    // A frame is drawn by a state.
    try stream.waitUntil { _ in bench.hasState }
    try stream.play(opened.recording.steps, &pacer) { step, stream in
      try stream.send(step)
      bench.take(step)
    } until: {
      bench.lastSeq >= $0
    }
  } catch {
    guard isInterruption(error) else { throw error }
    opened.client.interruptDescriptor = -1
    context.console.complain("interrupted")
  }
  guard let result = bench.result else {
    throw CommandError.refused("\(file): it has no didScroll whose state came", name: "badRecording")
  }
  context.show(result.value, result.lines.joined(separator: "\n"))
  return stream.summary.refused > 0 ? ExitStatus.refused : ExitStatus.done
}

/// The frames of a scroll, how each was drawn, and what was decided.
private final class FrameBench {
  private struct Frame {
    /// When its event was sent, in seconds.
    let time: Double
    /// The last state that had come, and what it said of the offset.
    let last, predicted: Value
    /// Of the state that was decided.
    var seq: Double?
  }

  private let description: Value
  private var isDragged = false
  private var frames: [Int: Frame] = [:]
  private var states: [Double: (state: Value, time: Double)] = [:]
  private var view = HeaderView()
  private var state: Value = .null
  private(set) var lastSeq = 0.0
  var hasState: Bool { state != .null }

  /// - Parameter description: as the daemon has it.
  init(description: Value) { self.description = description }

  /// Draws the frame of a didScroll of the tracking scroll view, which has been sent.
  func take(_ step: Recording.Step) {
    switch step.kind {
    case "willBeginDragging": isDragged = true
    case "didEndDragging": isDragged = false
    case "didScroll":
      guard let (name, axis) = Predictions.tracked(state, description),
        step.event["scrollView"] ?? .text(name) == .text(name), let offset = step.event["offset"]?[axis]?.asNumber,
        let predicted = view.at(offset, isDragged: isDragged)
      else { return }
      frames[step.line] = Frame(time: steadySeconds(), last: state, predicted: predicted)
    default: break
    }
  }

  func answered(_ line: Int, seq: Double?) { frames[line]?.seq = seq }

  func take(_ state: Value) {
    guard let seq = state["seq"]?.asNumber else { return }
    view.apply(state)
    self.state = state
    lastSeq = seq
    // The same state may come once more, with what follows it.
    states[seq] = states[seq] ?? (state, steadySeconds())
  }

  /// nil: no frame's state has come.
  var result: FrameBenchResult? {
    var result = FrameBenchResult()
    for frame in frames.values {
      guard let decided = frame.seq.flatMap({ states[$0] }) else { continue }
      result.frames += 1
      result.last.count(Predictions.distance(frame.last, decided.state))
      result.predicted.count(Predictions.distance(frame.predicted, decided.state))
      // An event that changes nothing has the state before.
      if decided.time > frame.time { result.delays.append(decided.time - frame.time) }
    }
    result.delays.sort()
    return result.frames == 0 ? nil : result
  }
}

private struct FrameBenchResult {
  struct Drawing {
    /// Frames in which something was more than a point away from where it was decided to be.
    var apart = 0
    /// Points.
    var worst = 0.0

    mutating func count(_ distance: Double?) {
      guard let distance else { return }
      worst = max(worst, distance)
      if distance > 1 { apart += 1 }
    }

    var value: Value { ["apart": .integer(apart), "worst": .number(worst)] }
  }

  var frames = 0
  var (last, predicted) = (Drawing(), Drawing())
  /// Seconds from an event to its state, sorted.
  var delays: [Double] = []

  /// - Parameter share: 0.5 is the median.
  private func delay(_ share: Double) -> Double {
    delays.isEmpty ? 0 : delays[min(delays.count - 1, Int(Double(delays.count) * share))]
  }

  var value: Value {
    [
      "frames": .integer(frames), "lastState": last.value, "predicted": predicted.value,
      "delay": ["p50": .number(delay(0.5)), "p99": .number(delay(0.99)), "max": .number(delay(1))],
    ]
  }

  var lines: [String] {
    func milliseconds(_ share: Double) -> String { "\(shown((delay(share) * 1e5).rounded() / 100)) ms" }
    func row(_ title: String, _ drawing: Drawing) -> [String] {
      let share = Double(drawing.apart) / Double(frames)
      return [
        title, "\(drawing.apart) of \(frames)", "\(shown((share * 1000).rounded() / 10)) %",
        "\(shown(drawing.worst)) points",
      ]
    }
    return aligned([
      ["drawn by", "frames apart", "", "at most"], row("the last state", last), row("what it says", predicted),
    ]) + [
      "a state comes \(milliseconds(0.5)) after its event, 99 of 100 within \(milliseconds(0.99)), all within \(milliseconds(1))"
    ]
  }
}
