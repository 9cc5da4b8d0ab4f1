// SPDX-License-Identifier: MIT
//
// `headerctl stream`: events out, answers in, both at once. Requests are pipelined, at most 256 without an answer, so
// the pace is that of the events and not of round trips.
//
//     stdin or file ─▶ lines ─▶ queue ─▶ pacer ─▶ daemon
//                                                   │ answers, refusals with their lines
//     summary ◀────────────────────────────────────┘

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runStream(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let header = invocation.required(Words.header)
  let speed = try context.speed
  let file = invocation[Words.source] ?? "-"
  let (steps, input) = try context.eventSource(file)
  let client = try context.connect(Interrupts())
  // The question comes first, so that the name of no open header is one error and not one for each event.
  let opening = try context.ask(client, "header.get", ["header": .text(header)])
  var stream = EventStream(client: client, header: header, seq: opening["state"]?["seq"]?.asNumber ?? 0)
  let source = sourceName(file)
  stream.onAnswer = { line, answer in
    for warning in answer.warnings {
      context.console.complain("\(source):\(line): warning: \(withoutRequest(warning))")
    }
    switch answer.result {
    case .success(let result): if context.isJSON { context.console.print(result.json) }
    case .failure(let error): context.complain(source, line: line, withoutRequest("\(error)"), error.object)
    }
  }
  stream.onComplaint = { line, complaint in
    context.console.complain(line.map { "\(source):\($0): \(complaint)" } ?? complaint)
  }
  stream.onBadLine = { context.complain(source, line: $0, $1.message, errorObject($1)) }
  var pacer = Pacer(speed: speed)
  do {
    try stream.run(steps, input: input, &pacer)
  } catch {
    guard isInterruption(error) else { throw error }
    context.console.complain("interrupted")
  }
  let summary = stream.summary
  context.show(["summary": summary.value], summary.text)
  return summary.refused > 0 ? ExitStatus.refused : ExitStatus.done
}

extension Context {
  /// The source of the events: a recording's steps, or lines that are read one by one, so that a mistake in one of them does not keep
  /// back the others.
  fileprivate func eventSource(_ file: String) throws -> ([Recording.Step], LineInput?) {
    if file == "-" { return ([], LineInput()) }
    let bytes = try readWhole(file)
    do {
      return (complete(try Recording(bytes), file).steps, nil)
    } catch {
      let problem = FileError(file: file, error: error)
      // A value over several lines is a recording of another format.
      if let whole = try? Value(json: bytes), whole["event"] == nil { throw problem }
      var lines = LineInput(bytes)
      var hasEvents = false
      while let line = lines.next() {
        guard let value = try? Value(json: line) else { continue }
        // Another format's events are others, too.
        do { try Recording.checkFormat(of: value) } catch { throw problem }
        hasEvents = hasEvents || value["event"] != nil
      }
      guard hasEvents else { throw problem }
      return ([], LineInput(bytes))
    }
  }

  /// How many times faster than they happened events are sent; infinity: as fast as can be.
  var speed: Double {
    get throws {
      guard invocation.has(Words.fast) else { return invocation[Words.speed] ?? 1 }
      guard !invocation.has(Words.speed) else {
        throw CommandError.usage("options \"--fast\" and \"--speed\" exclude each other")
      }
      return .infinity
    }
  }
}

struct StreamSummary: Equatable {
  var events = 0
  var states = 0
  var refused = 0

  var text: String {
    "\(counted(events, "event")), \(counted(states, "state"))" + (refused > 0 ? ", \(refused) refused" : "")
  }

  var value: Value { ["events": .integer(events), "states": .integer(states), "refused": .integer(refused)] }
}

struct EventStream {
  /// A line to be sent or reported, in the order of the input.
  private enum Line {
    case event(Recording.Step)
    case bad(line: Int, HeaderError)
  }

  let client: Client
  let header: String
  /// The header's latest seq before the first event.
  let firstSeq: Double
  private(set) var lastSeq: Double
  private(set) var summary = StreamSummary()
  /// Gets each answer with the line of its event.
  var onAnswer: (Int, Answer) -> Void = { _, _ in }
  /// Gets each line of the input that is no event, behind the answers to those before it.
  var onBadLine: (Int, HeaderError) -> Void = { _, _ in }
  /// Gets mistakes that have no answer, and the line that each concerns.
  var onComplaint: (Int?, String) -> Void = { _, _ in }
  /// Gets everything else that comes.
  var onNotification: (Notification) -> Void = { _ in }
  private var lines: [RequestNumber: Int] = [:]
  /// Lines that are no events, which wait for the answers to those before them.
  private var bad: ArraySlice<(line: Int, error: HeaderError)> = []
  /// Client delegates of the recording, which are not streamed.
  private var clients: Set<String> = []
  private static let window = 256

  init(client: Client, header: String, seq: Double) {
    self.client = client
    self.header = header
    firstSeq = seq
    lastSeq = seq
  }

  /// Sends steps and then the lines of an input, at the pacer's pace; returns when all are answered.
  mutating func run(_ steps: [Recording.Step], input given: LineInput? = nil, _ pacer: inout Pacer) throws {
    var queue = steps.map(Line.event)[...]
    var input = given
    while true {
      while queue.count < Self.window, let line = input?.next() {
        if let next = self.line(line, input?.number ?? 0) { queue.append(next) }
      }
      guard let next = queue.first else {
        guard let open = input, !open.hasEnded else { break }
        try wait(nil, &input)
        continue
      }
      guard case .event(let step) = next else {
        if case .bad(let line, let error) = next { bad.append((line, error)) }
        queue.removeFirst()
        reportBadLines()
        continue
      }
      let delay = pacer.delay(for: step.time, now: steadySeconds())
      if client.unansweredCount >= Self.window {
        try wait(nil)
      } else if delay > 0 {
        try wait(delay, &input)
      } else {
        queue.removeFirst()
        try send(step)
      }
    }
    try drain()
  }

  /// Sends one event, or the change of structure that stands in an event's place in a recording.
  mutating func send(_ step: Recording.Step) throws(ClientError) {
    var params = step.event
    var method = "event"
    switch step.change {
    case .configure:
      method = "header.configure"
      params = HeaderInput.configuration(recorded: params)
    case .lead:
      onComplaint(step.line, "\(step.kind): left out, the leader's header says it")
      return
    case .reload, .unload, .bypass:
      onComplaint(step.line, "\(step.kind): left out, it concerns the plugin and not this header alone")
      return
    case .addDelegate:
      guard params["client"] == nil else {
        clients.insert(params["name"]?.asText ?? "")
        onComplaint(step.line, "\(step.kind): left out, a client joins for itself")
        return
      }
      change("delegate.add", &method, &params)
    case .removeDelegate, .moveDelegate:
      // A delegate that was left out needs no further steps.
      guard !clients.contains(params["delegate"]?.asText ?? "") else { return }
      change(step.change == .moveDelegate ? "delegate.move" : "delegate.remove", &method, &params)
    case nil: break
    }
    params["header"] = nil
    params.fields.insert(.init(name: "header", value: .text(header)), at: 0)
    lines[try client.send(method, .record(params))] = step.line
    summary.events += 1
  }

  /// A change of structure is a request of its own, without a time.
  private func change(_ request: String, _ method: inout String, _ params: inout Value.Record) {
    method = request
    params["event"] = nil
    params["time"] = nil
  }

  /// Waits until every event has its answer.
  mutating func drain() throws(ClientError) {
    let end = steadySeconds() + client.patience
    while !lines.isEmpty {
      let left = end - steadySeconds()
      guard left > 0 else { throw .timeout(method: "event", seconds: client.patience) }
      if case .message(let message) = try client.next(within: left) { take(message) }
    }
  }

  /// Waits once, for a message or for that many seconds.
  /// - Returns: whether a message came.
  @discardableResult
  mutating func wait(_ seconds: Double?) throws(ClientError) -> Bool {
    guard case .message(let message) = try client.next(within: seconds) else { return false }
    take(message)
    return true
  }

  private mutating func wait(_ seconds: Double?, _ input: inout LineInput?) throws(ClientError) {
    let descriptor = input.flatMap { $0.hasEnded ? nil : $0.descriptor } ?? -1
    switch try client.next(within: seconds, watching: descriptor) {
    case .message(let message): take(message)
    case .readable: input?.fill()
    case .timeout: break
    }
  }

  private mutating func take(_ message: Incoming) {
    switch message {
    case .notification(let notification) where notification.method == "error":
      onComplaint(nil, RemoteError(notification.params).description)
    case .notification(let notification): onNotification(notification)
    case .answer(let answer):
      guard let line = lines.removeValue(forKey: answer.number) else { return }
      switch answer.result {
      case .failure: summary.refused += 1
      case .success(let result):
        lastSeq = max(lastSeq, result["seq"]?.asNumber ?? 0)
        summary.states = Int(cut: lastSeq - firstSeq)
      }
      onAnswer(line, answer)
      reportBadLines()
    }
  }

  private mutating func reportBadLines() {
    while let first = bad.first, !lines.values.contains(where: { $0 < first.line }) {
      onBadLine(first.line, first.error)
      bad.removeFirst()
    }
  }

  /// A line of the input. A line that describes a recording, or says how it ended, is skipped.
  private mutating func line(_ line: [UInt8], _ number: Int) -> Line? {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
    do {
      let value = try Value(json: line)
      if number == 1, value["format"] != nil {
        try Recording.checkFormat(of: value)
        return nil
      }
      if value["ended"] != nil, value["event"] == nil { return nil }
      return .event(try Recording.Step(value, line: number))
    } catch {
      summary.events += 1
      summary.refused += 1
      let reason = (error as? RecordingError).map { HeaderError(.invalidParams, $0.message) }
      return .bad(line: number, reason ?? HeaderError(.parseError, "\(error)"))
    }
  }
}
