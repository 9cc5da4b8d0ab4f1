// SPDX-License-Identifier: MIT
//
// A recording run again, offline. The engine is pure, so the states are the same byte for byte, except for the epoch.
//
//     description (+ saved) ─▶ Header ─▶ step 1 ─▶ states, result
//                                     ─▶ step 2 ─▶ states, result …

public import HeaderCore
public import HeaderModel
internal import HeaderWire

/// A recording being run again. Not Sendable: it holds a header.
public struct Replay {
  /// The recording that is replayed.
  public let recording: Recording
  /// The description that the header was opened with.
  public let description: HeaderDescription
  /// The state after opening, as a snapshot.
  public let opening: Value
  let header: Header
  let provider: any BehaviorProvider
  private let template = StateTemplate()
  private var next = 0

  /// The outcome of one step.
  public struct Outcome: Sendable {
    /// The step's place in the recording, from 0.
    public var index: Int
    /// The step as recorded.
    public var step: Recording.Step
    /// The states that it made, in order, as an `every` subscriber gets them.
    public var states: [Value]
    /// The answer to the event; nil if it was refused.
    public var result: Value?
    /// The error of a step that was refused.
    public var refusal: HeaderError?
  }

  /// Opens the header of a recording.
  ///
  /// - Parameter provider: offers the behaviors that the description names.
  /// - Throws: if the description is wrong or names an unknown behavior.
  public init(
    _ recording: Recording, provider: any BehaviorProvider, limits: Limits = Limits()
  ) throws(RecordingError) {
    guard let tree = recording.description else {
      throw RecordingError(
        line: 0,
        "it has events but no description: the first line of a recording is "
          + "{\"format\":\"header-recording/1\",\"description\":{…}}")
    }
    self.recording = recording
    self.provider = provider
    do {
      var unknown: [UnknownField] = []
      description = try HeaderDescription(
        tree, at: Path("description"), unknown: &unknown, alsoKnown: ["ifExists"], isRecorded: true)
      header = try Header(description, epoch: 1, provider: provider, limits: limits, saved: recording.saved)
    } catch {
      throw RecordingError(line: 1, error)
    }
    let state = header.state
    opening = Value(written: { StateEncoder.object(state, .snapshot, into: &$0) })
  }

  /// Keeps the explanations of the last steps from now on.
  public func explain(last count: Int) { header.explain(last: count) }

  /// Explanations of the last steps, the oldest first.
  public var explanations: [Explanation] { header.explanations }

  /// Runs the next step; nil when there is none.
  /// - Throws: a step that is no event at all. An event that the header refuses is an outcome.
  public mutating func step() throws(RecordingError) -> Outcome? {
    guard next < recording.steps.count else { return nil }
    let step = recording.steps[next]
    var outcome = Outcome(index: next, step: step, states: [])
    next += 1
    var states: [Value] = []
    let template = template
    func emit(_ state: borrowing HeaderState) {
      states.append(Value(written: { StateEncoder.object(state, [], template, into: &$0) }))
    }
    do {
      var (given, unknown) = (Instant?.none, [UnknownField]())
      let input = try HeaderInput(recorded: step.event, time: &given, unknown: &unknown, alsoKnown: ["header"])
      let answered = try header.apply(input, at: step.exactTime ?? given, provider: provider, emit: emit)
      outcome.result = .record(try answer(answered, to: input, step, emit))
    } catch {
      // What no header could take is a fault of the file, unless it was refused when it was recorded too.
      let isFault = error.name == .invalidParams || (step.change != nil && error.name == .delegateNotFound)
      guard !isFault || step.error != nil else { throw RecordingError(line: step.line, error) }
      outcome.refusal = error
    }
    _ = header.takeClientEvents()
    outcome.states = states
    return outcome
  }

  /// Gives the clients' answers that the recording has, and returns the final answer to the input.
  private func answer(
    _ outcome: HeaderOutcome, to input: HeaderInput, _ step: Recording.Step,
    _ emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) -> Value.Record {
    var outcome = outcome
    var asked = (step.asked ?? [])[...]
    while let delegate = header.waitsFor {
      // A delegate was bypassed while the event waited.
      if let next = asked.first, let bypassed = next["delegate"]?.asText, let reason = next["bypassed"]?.asText {
        asked = asked.dropFirst()
        _ = try header.apply(.bypassDelegate(bypassed, reason: reason), provider: provider, emit: emit)
        continue
      }
      let reply = step.reply(to: delegate, &asked)
      outcome = try header.apply(.answer(reply), provider: provider, emit: emit)
      // A replay has no client to report remarks to.
      _ = header.takeRemarks()
    }
    guard case .decided(let answer) = outcome, case .event(let event) = input else { return Value.Record() }
    return answer.recorded(of: event.kind.name)
  }
}

extension Recording.Step {
  /// The client's answer as recorded; no client is asked during a replay.
  fileprivate func reply(to delegate: String, _ asked: inout ArraySlice<Value>) -> DelegateReply {
    guard let next = asked.first, next["delegate"]?.asText == delegate else {
      return .passedOver("the recording has no answer of it")
    }
    asked = asked.dropFirst()
    guard case .record(let recorded) = next else { return .passedOver("the recording does not say why") }
    return DelegateReply(recorded: recorded)
  }
}

// MARK: - Verifying

/// A difference and the step at which it showed.
public struct StepDifference: Equatable, Sendable, CustomStringConvertible {
  /// The step's place in the recording, from 1.
  public var step: Int
  /// The line of the file.
  public var line: Int
  /// The kind of the step's event.
  public var event: String
  /// The first difference of the step.
  public var difference: Difference

  /// `step 12 (didScroll, line 13): state.drawers.navBar.frame.y: expected 7.5, got 8`
  public var description: String { "step \(step) (\(event), line \(line)): \(difference)" }
}

/// How a recording compares with its replay.
public struct Verification: Sendable {
  /// Steps that were replayed.
  public var steps = 0
  /// States that the steps made.
  public var states = 0
  /// All of them, in the order of the steps. A state that is one too many or too few shifts the numbers of all behind it: they
  /// differ only where the distance changes.
  public var differences: [StepDifference] = []

  /// Replays a recording and compares every state, result and refusal.
  ///
  /// - Parameters:
  ///   - diff: how; by default everything but the epoch must be the same, byte for byte.
  ///   - progress: called after each step.
  /// - Throws: what `Replay` throws; a recording without states.
  public init(
    _ recording: Recording, provider: any BehaviorProvider, limits: Limits = Limits(),
    diff: Diff = Diff(ignoring: ["epoch"]), progress: (Int) -> Void = { _ in }
  ) throws(RecordingError) {
    guard recording.hasStates else {
      throw RecordingError(line: 0, "it has no states to compare with: 'headerctl record' writes them down")
    }
    var replay = try Replay(recording, provider: provider, limits: limits)
    var shift = 0.0
    while let outcome = try replay.step() {
      steps += 1
      states += outcome.states.count
      for difference in Self.differences(outcome, diff) {
        if let expected = difference.expected?.asNumber, let got = difference.got?.asNumber,
          difference.field == "seq" || difference.field.hasSuffix(".seq")
        {
          guard got - expected != shift else { continue }
          shift = got - expected
        }
        differences.append(
          StepDifference(
            step: outcome.index + 1, line: outcome.step.line, event: outcome.step.kind, difference: difference))
      }
      progress(steps)
    }
  }

  private static func differences(_ outcome: Replay.Outcome, _ diff: Diff) -> [Difference] {
    var found: [Difference] = []
    func add(_ field: String, _ expected: Value?, _ got: Value?) {
      for var difference in diff.differences(expected: expected, got: got) {
        difference.field = difference.field.isEmpty ? field : "\(field).\(difference.field)"
        found.append(difference)
      }
    }
    let expected = outcome.step.states ?? []
    let isSingle = expected.count <= 1 && outcome.states.count <= 1
    let count = max(expected.count, outcome.states.count)
    // Not `nil`, which would be read as the value null.
    let nothing = Value?.none
    for index in 0..<count {
      add(
        isSingle ? "state" : "state \(index + 1) of \(count)", index < expected.count ? expected[index] : nothing,
        index < outcome.states.count ? outcome.states[index] : nothing)
    }
    // Sentences may be reworded; the name of an error never changes its meaning.
    let refused = outcome.step.error.map { $0["data"]?["name"] ?? .text("?") }
    add("error", refused, outcome.refusal.map { .text($0.name.rawValue) })
    if refused == nil, let got = outcome.result { add("result", outcome.step.result ?? [:], got) }
    return found
  }
}
