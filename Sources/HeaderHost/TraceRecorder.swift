// SPDX-License-Identifier: MIT
//
// Recording a header (headerd-recordings(7)): its description and saved state, then every input with the states that it made, sent to the
// client that asked.
//
//     {"method":"trace","params":{"trace":1,"description":{…},"saved":{…}}}
//     {"method":"trace","params":{"trace":1,"step":{"event":"didScroll","time":1.25,…,"state":{…}}}}
//     {"method":"trace","params":{"trace":1,"step":{"event":"advance","time":1.5,"frames":[{…}],"state":{…}}}}
//     {"method":"trace","params":{"trace":1,"ended":"closed","steps":2}}       or "overflow": its reader was too slow
//
// A step's `time` is header time, the time at which the input was handled. If a number of seconds does not hold it to the nanosecond,
// `nanoseconds` has it in text, so that a replay runs the same frames. Inputs before the header's first event have no time. `state` is
// the last state that the step made, absent when it made none; `frames` are those of frames that were due before it. `result` is the
// answer of a request without `seq`; a step that was refused has `error` instead.

internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// A recording under way.
final class TraceRecorder {
  let id: Int
  unowned let client: Client
  unowned let entry: HeaderEntry
  private(set) var steps = 0
  private var isStopped = false
  /// The answer to its command has left; before, notifications wait.
  private var isAnswered = false
  private var waiting: [(inout JSONWriter) -> Void] = []
  /// The states of the step under way, each an object.
  private var states: [[UInt8]] = []
  private let template = StateTemplate()
  /// Where it is counted until it goes.
  private let globalCounters: GlobalCounters

  /// Steps that may wait for the answer to leave.
  private static let maxWaiting = 1_000

  deinit { globalCounters.endTrace() }

  init(id: Int, client: Client, entry: HeaderEntry, counted globalCounters: GlobalCounters) {
    self.id = id
    self.client = client
    self.entry = entry
    self.globalCounters = globalCounters
  }

  /// Begins to record, between two inputs, while the command is performed. The messages wait for `begin`.
  /// - Parameter saved: the header's saved state; when a delegate cannot save there is none, and the log says why.
  func listen(_ saved: Result<Value, HeaderError>) {
    guard !client.writer.isEnded else {
      // The header does not know this recording, so no client may stop it when the header is gone.
      client.recorders.removeAll { $0 === self }
      return
    }
    let description = entry.header.description.recorded
    if let refusal = saved.refusal { client.writer.context.warn(of: refusal, in: entry) }
    entry.recorders.append(self)
    notify { writer in
      writer.key("description")
      writer.value(description)
      if case .success(let saved) = saved {
        writer.key("saved")
        writer.value(saved)
      }
    }
    if !entry.isOpen { entry.endRecordings(reason: "failed") }
  }

  /// Sends the messages that have waited, once the command is answered; the header may be closed by now.
  func begin() {
    isAnswered = true
    let bodies = waiting
    waiting = []
    for body in bodies { notify(body) }
  }

  /// A state of the step under way.
  func add(_ state: borrowing HeaderState) {
    var writer = JSONWriter()
    StateEncoder.object(state, [], template, into: &writer)
    states.append(writer.copy())
  }

  /// An input has come to its end.
  func settled(_ input: HeaderInput, _ result: Result<HeaderOutcome, HeaderError>) {
    switch (input, result) {
    // The step of an event that waits follows with the last answer.
    case (_, .success(.waiting)), (.answer, _): break
    case (_, .success(.decided(let answer))): step(input, answer)
    case (.addDelegate(let wanted, _), .success(.added(let place))): step(.addDelegate(wanted, at: place))
    case (_, .success): step(input)
    case (.event, .failure(let error)): step(input, error: error)
    // A behavior that cannot live with the change is bypassed, and the change is made.
    case (.configure, .failure(let error)) where error.name == .behaviorFailed: step(input, error: error)
    case (.configure, .failure), (.lead, .failure): break
    // The input changed nothing, but time may have passed, and timers and frames that were due have run.
    case (_, .failure):
      if entry.header.hasTime { step(.event(ScrollEvent(.advance(frameDuration: nil)))) }
    }
  }

  /// Records an input that was handled, or refused: then only time has passed.
  /// - Parameter asked: what clients answered on the way, or why they were skipped.
  func step(
    _ input: HeaderInput, _ answer: EventAnswer? = nil, error: HeaderError? = nil, asked: [Value] = []
  ) {
    guard !isStopped else { return }
    var fields = input.recorded(at: entry.header.hasTime ? entry.header.now : nil)
    if !asked.isEmpty { fields["asked"] = .list(asked) }
    var result = Value.Record()
    if let answer, case .event(let event) = input { result = answer.recorded(of: event.kind.name) }
    guard client.writer.hasRoom, waiting.count < Self.maxWaiting else { return giveUp() }
    steps += 1
    notify { [fields, result, states] writer in
      writer.key("step")
      writer.beginObject()
      for field in fields.fields {
        writer.key(named: field.name)
        writer.value(field.value)
      }
      if !result.fields.isEmpty {
        writer.key("result")
        writer.value(.record(result))
      }
      if let error {
        writer.key("error")
        writer.error(error)
      }
      writer.states(states)
      writer.endObject()
    }
    states.removeAll()
  }

  /// Ends the recording because the header is gone.
  func finish(reason: String) {
    guard !isStopped else { return }
    isStopped = true
    client.recorders.removeAll { $0 === self }
    sendEnd(reason)
  }

  private func sendEnd(_ reason: String) {
    notify { [steps] writer in
      writer.key("ended")
      writer.string(reason)
      writer.key("steps")
      writer.integer(steps)
    }
  }

  /// Nothing more is recorded, without a word.
  func stop() {
    isStopped = true
    entry.recorders.removeAll { $0 === self }
  }

  /// A recorder that does not read its recording would fill the daemon's memory: a recording with holes is none.
  private func giveUp() {
    stop()
    client.recorders.removeAll { $0 === self }
    sendEnd("overflow")
    let limit = client.writer.context.limits.queueBytes
    let error = HeaderError.limit(
      "queueBytes", limit,
      "recording \(id) of header \"\(entry.name)\" ends: its reader is more than \(limit) bytes behind")
    client.writer.sendError(error, about: .notification)
    client.writer.logWarning("traceOverflow", [("trace", String(id)), ("header", entry.name)])
  }

  private func notify(_ body: @escaping (inout JSONWriter) -> Void) {
    guard isAnswered else { return waiting.append(body) }
    client.writer.write { writer in
      writer.notification("trace") { writer in
        writer.beginObject()
        writer.key("trace")
        writer.integer(id)
        body(&writer)
        writer.endObject()
      }
    }
  }
}

extension JSONWriter {
  /// The states of a step: the last one, and those before it.
  fileprivate mutating func states(_ states: [[UInt8]]) {
    guard let last = states.last else { return }
    if states.count > 1 {
      key("frames")
      beginArray()
      for state in states.dropLast() { unsafe state.withUnsafeBytes { unsafe raw($0) } }
      endArray()
    }
    key("state")
    unsafe last.withUnsafeBytes { unsafe raw($0) }
  }
}
