// SPDX-License-Identifier: MIT
//
// What adapters of neighbors (`neighbor-trace/1`) share. Their clocks run in milliseconds, and some have none; each step
// carries its inputs; what the neighbor showed before the first step is compared as the header opens.

internal import HeaderCore
internal import HeaderModel

/// One step of a neighbor's recording, on its way to be adapted.
struct NeighborStep {
  /// The neighbor's word for the event.
  var name: String
  /// Seconds.
  var time: Double
  /// Its inputs. What nobody asks for is refused at the end.
  var fields: FieldReader
  /// What the neighbor showed before it: what a publisher would see of the header.
  var shown: Value.Record
}

/// Helpers of adapters of neighbors.
enum Neighbors {
  /// Adapts a recording step by step.
  /// - Parameters:
  ///   - leftOut: what is not compared, each with its reason.
  ///   - events: our events for a step.
  ///   - show: what the header shows, in the neighbor's words.
  static func adapt(
    _ recording: OriginalRecording, to description: HeaderDescription, leftOut: [LeftOut] = [],
    ratios: Set<String> = [], counts: Set<String> = [],
    events: (inout NeighborStep) throws(HeaderError) -> [Value.Record],
    show: @escaping @Sendable (NeighborView) -> Value
  ) throws(HeaderError) -> AdaptedRecording {
    var steps: [AdaptedStep] = []
    let facts = call("facts")
    let opening = Adapting.Head(name: "initial", time: 0, expect: .null)
    var shown = Value.Record()
    if let initial = recording.initial {
      if case .record(let record) = initial { shown = record }
      steps.append(
        AdaptedStep(
          title: "initial", events: try Adapting.events([facts], opening, at: Path("initial")), expect: initial,
          isOpening: true
        ) { show(NeighborView($0, $1, of: nil, with: Value.Record())) })
    }
    for (index, value) in recording.steps.enumerated() {
      let path = Path("steps")[index]
      var fields = try FieldReader(value, at: path)
      let name = try fields.required(text: "event")
      let time = (try fields.number("time") ?? 0) / 1000
      guard let expect = fields.value("expect") else {
        throw fields.unexpected("expect", needed: "an object", expected: "record")
      }
      var step = NeighborStep(name: name, time: time, fields: fields, shown: shown)
      let records = try events(&step)
      try step.fields.finish()
      let head = Adapting.Head(name: name, time: step.time, expect: expect)
      if case .record(let record) = expect { shown = record }
      guard case .record(let inputs) = value else { continue }
      steps.append(
        AdaptedStep(
          title: head.title, events: try Adapting.events(records + [facts], head, at: path), expect: expect,
          isOpening: false
        ) { show(NeighborView($0, $1, of: name, with: inputs)) })
    }
    var tolerance = recording.tolerance
    tolerance.ratios = ratios
    tolerance.counts = counts
    return AdaptedRecording(
      title: recording.title, plugins: description.delegates.map(\.behavior), description: description, steps: steps,
      tolerance: tolerance, leftOut: leftOut)
  }

  /// A header with the behavior and one scroll view `content`.
  static func description(
    preset: String? = nil, options: Value.Record, drawers: [Value], content: Value.Record,
    environment: Value.Record = Value.Record()
  ) throws(HeaderError) -> HeaderDescription {
    var content = content
    if content["viewport"] == nil { content["viewport"] = ["width": 400, "height": 800] }
    if content["clamping"] == nil { content["clamping"] = "none" }
    // A law of the chain that does not hold fails the recording.
    var options = options
    options["invariants"] = "strict"
    let delegate = Adapting.record([
      ("behavior", "CollapsingHeader"), ("preset", preset.map { .text($0) }), ("options", .record(options)),
    ])
    return try Adapting.description([
      "header": "trace",
      "scrollViews": ["content": .record(content)],
      "trackingScrollView": "content",
      "drawers": .list(drawers),
      "environment": .record(environment),
      "delegates": [.record(delegate)],
      "frames": "manual",
    ])
  }

  /// A point with nothing but a vertical part.
  static func vertical(_ y: Double) -> Value { ["x": 0, "y": .number(y)] }

  /// The event with its fields.
  static func event(_ name: String, _ fields: [(String, Value?)] = []) -> Value.Record {
    Adapting.record([("event", .text(name))] + fields)
  }

  /// A call of the behavior's.
  static func call(_ name: String, _ arguments: [(String, Value?)] = []) -> Value.Record {
    event("call", [("name", .text(name)), ("arguments", .record(Adapting.record(arguments)))])
  }
}

/// What there is to see of a header after a step.
struct NeighborView {
  let header: Header
  /// What happened in the step.
  let outcome: StepOutcome
  /// What the behavior says of itself beyond its values: what its call `facts` returned.
  let facts: Value.Record
  /// The neighbor's word for the step; nil: the header has just opened.
  let step: String?
  /// The step's inputs.
  let inputs: Value.Record
  /// The step brought the content somewhere, or onto the screen.
  var hasLooked: Bool { outcome.calls.contains { $0.kind == .didScroll || $0.kind == .didAppear } }

  init(_ header: Header, _ outcome: StepOutcome, of step: String?, with inputs: Value.Record) {
    var outcome = outcome
    self.inputs = inputs
    self.header = header
    self.step = step
    if case .record(let record)? = outcome.answers.popLast()?.result { facts = record } else { facts = Value.Record() }
    self.outcome = outcome
  }

  /// The first drawer.
  var drawer: Drawer { header.drawers[0] }

  /// One of the facts; null when there is none of that name.
  func fact(_ name: String) -> Value { facts[name] ?? .null }

  /// One of the behavior's values; null when it has none of that name.
  func value(_ name: String) -> Value { header.value(named: name)?.value ?? .null }

  /// The notices' words, in order.
  var notices: [String] { outcome.notices.map { $0.word(in: header.state.names) } }
}
