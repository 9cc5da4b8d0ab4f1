// SPDX-License-Identifier: MIT
//
// What tests of the engine share: a delegate whose every call is a closure, a provider of such delegates, and a bench
// that holds one header with them, collects its states and writes each as one line, so that two runs can be compared
// byte for byte.

import HeaderCore
import HeaderModel
import HeaderTestKit

/// A delegate written in the test. Its closures may throw `DelegateFailure` and nothing else.
final class Probe: ScrollDelegate {
  var hears: EventSet?
  var setting: (Probe, Int, Value, Header) throws -> Void = { _, _, _, _ in }
  var attaching: (Probe, Header) throws -> Void = { _, _ in }
  var detaching: (Probe) -> Void = { _ in }
  var receiving: (Probe, DelegateEvent, inout DelegateAnswer, Header) throws -> Void = { _, _, _, _ in }
  var calling: (Probe, Int, Value.Record, Header) throws -> Value = { _, _, _, _ in .null }
  var layingOut: (Probe, Header) throws -> Void = { _, _ in }
  var framing: (Probe, Double, Header) throws -> Void = { _, _, _ in }
  var timing: (Probe, UInt64, Header) throws -> Void = { _, _, _ in }
  var completing: (Probe, UInt64, Header) throws -> Void = { _, _, _ in }
  var working: (Probe, UInt64, Header) throws -> Void = { _, _, _ in }
  var saving: (Probe, Header) throws -> Value = { _, _ in .null }
  var restoring: (Probe, SavedState, Header) throws -> Void = { _, _, _ in }
  /// What the next call "act" does.
  var acting: (Probe, Header) throws -> Void = { _, _ in }

  private func typed<Result>(_ body: () throws -> Result) throws(DelegateFailure) -> Result {
    do {
      return try body()
    } catch let failure as DelegateFailure {
      throw failure
    } catch {
      preconditionFailure("a probe threw \(error)")
    }
  }

  override var responds: EventSet { hears ?? super.responds }
  override func setOption(_ index: Int, _ value: Value, in header: Header) throws(DelegateFailure) {
    try typed { try setting(self, index, value, header) }
  }
  override func attach(to header: Header) throws(DelegateFailure) { try typed { try attaching(self, header) } }
  override func detach(from header: Header) { detaching(self) }
  override func receive(_ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header)
    throws(DelegateFailure)
  {
    let told = unsafe event.address.pointee
    try typed { try receiving(self, told, &answer, header) }
  }
  override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value {
    try typed {
      guard behavior.calls[index].name == "act" else { return try calling(self, index, arguments, header) }
      try acting(self, header)
      return .null
    }
  }
  override func layout(in header: Header) throws(DelegateFailure) { try typed { try layingOut(self, header) } }
  override func frame(duration: Double, in header: Header) throws(DelegateFailure) {
    try typed { try framing(self, duration, header) }
  }
  override func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    try typed { try timing(self, token, header) }
  }
  override func completion(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    try typed { try completing(self, token, header) }
  }
  override func afterEvent(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    try typed { try working(self, token, header) }
  }
  override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    SavedState(version: behavior.savedVersion, state: try typed { try saving(self, header) })
  }
  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    try typed { try restoring(self, saved, header) }
  }
}

/// Makes probes: one behavior each, named A, B, C…
final class ProbeProvider: BehaviorProvider {
  var behaviors: [BehaviorDescription]
  /// Fills in the closures of a new probe.
  var prepare: (Probe) -> Void

  init(_ behaviors: [BehaviorDescription], prepare: @escaping (Probe) -> Void = { _ in }) {
    self.behaviors = behaviors
    self.prepare = prepare
  }

  func behavior(named name: String) -> BehaviorDescription? { behaviors.first { $0.name == name } }
  var behaviorNames: [String] { behaviors.map(\.name).sorted() }
  func makeDelegate(behavior name: String, name delegate: String) throws(HeaderError) -> ScrollDelegate {
    guard let description = behavior(named: name) else {
      throw .behaviorNotFound(name, known: behaviorNames, at: Path("behavior"))
    }
    let probe = Probe(name: delegate, behavior: description)
    prepare(probe)
    return probe
  }
}

extension BehaviorDescription {
  /// A behavior of the tests: hears everything, has a number, three notices and a call `act`.
  static func probe(_ name: String) -> BehaviorDescription {
    BehaviorDescription(
      name: name, plugin: "Test", summary: "A probe", moves: true, events: .all,
      options: [
        OptionSchema(name: "speed", type: .number, defaultValue: 1, minimum: 0, maximum: 10, meaning: "A number"),
        OptionSchema(name: "word", type: .text, defaultValue: "", meaning: "A word"),
        OptionSchema(name: "on", type: .bool, defaultValue: false, meaning: "A switch"),
      ],
      values: [ValueDescription(name: "value\(name)", type: .number, initial: .number(0), meaning: "A number")],
      calls: [
        CallDescription(name: "act", meaning: "Does what the test says"),
        CallDescription(
          name: "echo\(name)",
          arguments: [OptionSchema(name: "what", type: .text, defaultValue: "", meaning: "What to echo")],
          meaning: "Gives its argument back"),
      ],
      notices: ["first", "second", "third"], savedVersion: 3)
  }
}

/// One header with probes named a, b, c…, and its states.
final class Bench {
  let header: Header
  let provider: ProbeProvider
  private(set) var states: [HeaderState] = []
  /// What the delegates wrote down.
  var log: [String] = []

  init(
    _ names: [String] = ["A"], limits: Limits = Limits(), saved: Value? = nil,
    describe: (inout HeaderDescription) -> Void = { _ in }, prepare: @escaping (Probe) -> Void = { _ in }
  ) throws {
    provider = ProbeProvider(names.map(BehaviorDescription.probe), prepare: prepare)
    var description = HeaderDescription.bench
    description.delegates = names.map { DelegateDescription(behavior: $0) }
    describe(&description)
    header = try Header(description, epoch: 7, provider: provider, limits: limits, saved: saved)
  }

  /// A probe by its place in the chain.
  subscript(index: Int) -> Probe {
    guard let probe = header.delegates[index] as? Probe else { preconditionFailure("no probe") }
    return probe
  }

  var state: HeaderState { header.state }
  var view: ScrollView { header.scrollViews[0] }

  @discardableResult
  func send(_ event: ScrollEvent, at seconds: Double? = nil) throws(HeaderError) -> EventAnswer {
    try header.receive(event, at: seconds.map { Instant(seconds: $0) }) { (state: borrowing HeaderState) in
      states.append(copy state)
    }
  }

  @discardableResult
  func send(_ kind: ScrollEvent.Kind, y: Double? = nil, at seconds: Double? = nil) throws(HeaderError) -> EventAnswer {
    try send(ScrollEvent(kind, offset: y.map { PartialPoint(y: $0) }), at: seconds)
  }

  /// Sends an event in which the first delegate does something.
  @discardableResult
  func act(_ index: Int = 0, at seconds: Double? = nil, _ body: @escaping (Probe, Header) throws -> Void)
    throws(HeaderError) -> EventAnswer
  {
    self[index].acting = body
    return try send(
      .call(name: "act", arguments: Value.Record(), delegate: header.delegates[index].name), at: seconds)
  }

  /// The states so far, and forgets them.
  func takeStates() -> [HeaderState] {
    defer { states = [] }
    return states
  }
}

extension HeaderState {
  /// The notices as words, routine ones in brackets.
  var notices: [String] { happened.notices.map { $0.isRoutine ? "(\($0.word(in: names)))" : $0.word(in: names) } }
}

extension SplitMix64 {
  /// A multiple of a quarter, so that sums are exact.
  mutating func quarters(_ range: ClosedRange<Double>) -> Double {
    Double(Int.random(in: Int(range.lowerBound * 4)...Int(range.upperBound * 4), using: &self)) / 4
  }
}
