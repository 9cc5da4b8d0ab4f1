// SPDX-License-Identifier: MIT
//
// `headerctl demo`: a header opened, scrolled and shown, over one connection that publishes and subscribes. On a
// terminal at the recorded pace, else as fast as possible; it ends by itself with a summary.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import Posix

func runDemo(_ context: Context) throws -> Int32 {
  let speed = try context.speed
  let file = try context.invocation[Words.script] ?? demoScript()
  guard !context.invocation.has(Words.picture) else { return try runDemoPicture(context, file) }
  let opened = try OpenRecording(context, file)
  defer { opened.close() }

  let demo = Demo(context.console, draws: context.draws, description: opened.description)
  defer { demo.drawing.finish() }
  var stream = try opened.stream()
  stream.onAnswer = { line, answer in
    if case .failure(let error) = answer.result { demo.complaints.append("\(file):\(line): \(error)") }
  }
  stream.onComplaint = { line, complaint in
    demo.complaints.append(line.map { "\(file):\($0): \(complaint)" } ?? complaint)
  }
  stream.onNotification = { demo.take($0) }
  var pacer = Pacer(speed: context.draws ? speed : .infinity)
  do {
    try stream.play(opened.recording.steps, &pacer) { step, stream in
      demo.drawing.offset = step.event["offset"]?["y"]?.asNumber ?? demo.drawing.offset
      try stream.send(step)
      demo.draw()
    } until: {
      Double(demo.lastSeq) >= $0
    }
  } catch {
    guard isInterruption(error) else { throw error }
    opened.client.interruptDescriptor = -1
    context.console.complain("interrupted")
  }
  demo.drawing.finish()
  for complaint in demo.complaints { context.console.complain(complaint) }
  let summary = stream.summary
  if context.draws {
    context.console.print(demo.steps.lines(summary).joined(separator: "\n"))
  } else {
    context.console.print(Value.record(["summary": demo.steps.value(summary)]).json)
    context.console.error(demo.steps.lines(summary).joined(separator: "\n") + "\n")
  }
  return summary.refused > 0 || demo.lastSeq == 0 ? ExitStatus.refused : ExitStatus.done
}

/// A header that is open as a recording describes it.
struct OpenRecording {
  let client: Client
  let recording: Recording
  let header: String
  /// As the daemon has it.
  let description: Value
  private let seq: Double

  init(_ context: Context, _ file: String) throws {
    recording = try context.recording(file)
    guard case .record(var description)? = recording.description else {
      throw FileError(file: file, error: RecordingError(line: 1, "a recording with a description is needed"))
    }
    client = try context.connect(Interrupts())
    description["ifExists"] = "replace"
    // However the command ends, its header goes with it.
    description["lifetime"] = description["lifetime"] ?? "connection"
    header = try context.ask(client, "header.open", .record(description))["header"]?.asText ?? "demo"
    let got = try context.ask(client, "header.get", ["header": .text(header), "include": ["description"]])
    self.description = got["description"] ?? .record(description)
    seq = got["state"]?["seq"]?.asNumber ?? 0
  }

  func close() { _ = try? client.send("header.close", ["header": .text(header)]) }

  /// Subscribes to the header.
  func stream(predict: Bool = false) throws -> EventStream {
    try client.subscribe(to: [header], mode: "every", predict: predict)
    return EventStream(client: client, header: header, seq: seq)
  }
}

extension EventStream {
  /// Has steps sent at the pacer's pace and waits until every answer and every state has come.
  /// - Parameters:
  ///   - send: sends a step whose time has come.
  ///   - hasCome: whether the state with this seq has.
  mutating func play(
    _ steps: [Recording.Step], _ pacer: inout Pacer, send: (Recording.Step, inout EventStream) throws -> Void,
    until hasCome: (Double) -> Bool
  ) throws {
    for step in steps {
      // What has come is taken before, also where the time of a step is over already.
      var delay: Double
      repeat { delay = max(0, pacer.delay(for: step.time, now: steadySeconds())) } while try wait(delay) || delay > 0
      try send(step, &self)
    }
    try drain()
    // The answers have come; the states that they name may still be on their way.
    try waitUntil { hasCome($0.lastSeq) }
  }

  /// Waits until that is so, at most as long as the client waits for an answer.
  mutating func waitUntil(_ isSo: (EventStream) -> Bool) throws(ClientError) {
    let end = steadySeconds() + client.patience
    while !isSo(self), steadySeconds() < end { try wait(end - steadySeconds()) }
  }
}

/// The recording that comes with headerd: in the sources around a built program, or where it is installed.
func demoScript() throws -> String {
  var places: [String] = []
  if let executable = Context.executable {
    let parts = executable.split(separator: "/").map(String.init)
    for count in stride(from: parts.count - 1, to: 0, by: -1) {
      let folder = "/" + parts[..<count].joined(separator: "/")
      places += ["\(folder)/config/demo/scroll.jsonl", "\(folder)/share/headerd/demo/scroll.jsonl"]
    }
  }
  if let place = places.first(where: isReadable) { return place }
  throw CommandError.refused(
    "the demo's recording (share/headerd/demo/scroll.jsonl) is not installed beside this program; name one: headerctl demo FILE",
    name: "noFile")
}

/// A running demo: the states so far, and their drawing.
final class Demo {
  var drawing: LiveDrawing
  var complaints: [String] = []
  private(set) var lastSeq = 0
  private(set) var steps = DemoSteps()
  private let console: Console
  private let draws: Bool

  init(_ console: Console, draws: Bool, description: Value) {
    self.console = console
    self.draws = draws
    drawing = LiveDrawing(console, description: description, keepsScale: true)
  }

  func take(_ notification: Notification) {
    guard notification.method == "state", let state = StatePicture(notification.params) else { return }
    if !draws { console.print(line: notification.text) }
    lastSeq = state.seq
    steps.take(state)
    // The offset is that of the last event, which is later than the state's.
    let offset = drawing.offset
    drawing.take(state)
    drawing.offset = offset
    draw()
  }

  func draw() {
    if draws { drawing.draw() }
  }
}

extension StatePicture {
  /// Where the header's lower edge is, in points: that of the drawers that are shown, or of all if none is.
  var lowerEdge: Double {
    let visible = drawers.filter { !$0.isHidden }
    return (visible.isEmpty ? drawers : visible).map { $0.frame.origin.y + $0.frame.size.height }.max() ?? 0
  }
}

struct DemoSteps: Equatable {
  private(set) var contracted = 0
  private(set) var expanded = 0
  /// Where the header's lower edge was, in points: at the top, at the bottom, now.
  private(set) var highest: Double?
  private(set) var lowest: Double?
  private(set) var last: Double?
  private(set) var notices = 0
  /// −1 while it goes up, 1 while it goes down.
  private var direction = 0

  /// Takes a state; a subscription's snapshot counts as the beginning.
  mutating func take(_ state: StatePicture) {
    let edge = state.lowerEdge
    notices += state.notices.reduce(0) { $0 + $1.count }
    if let last {
      // A run of movements in one direction is one deed.
      if edge < last, direction >= 0 { (contracted, direction) = (contracted + 1, -1) }
      if edge > last, direction <= 0 { (expanded, direction) = (expanded + 1, 1) }
    }
    last = edge
    highest = min(highest ?? edge, edge)
    lowest = max(lowest ?? edge, edge)
  }

  func lines(_ stream: StreamSummary) -> [String] {
    func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count) times" }
    func points(_ value: Double?) -> String { value.map { shown($0) } ?? "?" }
    return [
      stream.text,
      "the header contracted \(times(contracted)), expanded \(times(expanded)) and posted \(counted(notices, "notice"))",
      "its lower edge moved between \(points(highest)) and \(points(lowest)) points and rests at \(points(last))",
    ]
  }

  func value(_ stream: StreamSummary) -> Value {
    func points(_ value: Double?) -> Value { value.map { .number($0) } ?? .null }
    return [
      "events": .integer(stream.events), "states": .integer(stream.states), "refused": .integer(stream.refused),
      "contracted": .integer(contracted), "expanded": .integer(expanded), "notices": .integer(notices),
      "highest": points(highest), "lowest": points(lowest), "last": points(last),
    ]
  }
}
