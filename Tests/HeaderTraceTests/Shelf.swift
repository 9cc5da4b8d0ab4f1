// SPDX-License-Identifier: MIT
//
// A shelf with one behavior on it, for recordings that run without plugins: it moves the first drawer with the content, runs
// frames after a drag, refuses a call, and counts the scrolls that it heard, also beyond being saved.

import HeaderCore
import HeaderModel
import HeaderTrace

/// Offers `Lift`.
final class Shelf: BehaviorProvider {
  /// How many points the drawer moves a point of the content: another behavior of the same name, for differences.
  let gear: Double

  init(gear: Double = 1) { self.gear = gear }

  var behaviorNames: [String] { ["Lift"] }

  func behavior(named name: String) -> BehaviorDescription? { name == "Lift" ? Lift.description : nil }

  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    guard behavior == "Lift" else { throw .behaviorNotFound(behavior, known: behaviorNames, at: Path("behavior")) }
    return Lift(name: name, gear: gear)
  }
}

private final class Lift: ScrollDelegate {
  static let description = BehaviorDescription(
    name: "Lift", plugin: "Lift", summary: "Moves the first drawer with the content", moves: true, events: .all,
    values: [ValueDescription(name: "scrolls", type: .number, initial: .number(0), meaning: "How many it heard")],
    calls: [
      CallDescription(name: "home", meaning: "Brings the drawer back"),
      CallDescription(name: "refuse", meaning: "Never"),
    ], notices: ["gone"])
  private let gear: Double
  private var scrolls = 0.0

  init(name: String, gear: Double) {
    self.gear = gear
    super.init(name: name, behavior: Self.description)
  }

  override func attach(to header: Header) throws(DelegateFailure) { try header.claimDrawer(0, by: self) }

  override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    switch event.kind {
    case .didScroll:
      scrolls += 1
      try header.setValue(0, .number(scrolls), by: self)
      try place(at: -min(44, max(0, header.scrollViews[0].contentOffset.y * gear)), in: header)
    case .willEndDragging:
      (answer.returned, answer.hasReturned) = (true, true)
    case .didEndDragging: header.startFrames(by: self)
    default: break
    }
  }

  override func frame(duration: Double, in header: Header) throws(DelegateFailure) {
    let y = header.drawers[0].frame.origin.y
    if y <= -44 || y >= 0 { header.stopFrames(by: self) } else { try place(at: max(-44, y - 4), in: header) }
  }

  override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value {
    guard index == 0 else { throw .refused("never") }
    try place(at: 0, in: header)
    return "home"
  }

  override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    SavedState(version: 1, state: ["scrolls": .number(scrolls)])
  }

  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    try header.claimDrawer(0, by: self)
    scrolls = saved.state["scrolls"]?.asNumber ?? 0
  }

  private func place(at y: Double, in header: Header) throws(DelegateFailure) {
    var frame = header.drawers[0].frame
    guard frame.origin.y != y else { return }
    frame.origin.y = y
    try header.setFrame(frame, ofDrawer: 0, by: self)
    if y == -44 { try header.post(0, nil, isRoutine: false, by: self) }
  }
}

/// A description of one bar of 44 points with a `Lift`.
let description =
  #"{"header":"main","scrollViews":{"content":{"viewport":{"width":320,"height":480},"contentSize":{"height":2000}}},"#
  + #""drawers":[{"name":"bar","height":44}],"delegates":[{"behavior":"Lift"}],"frames":"events"}"#

/// Steps of every kind: scrolls, a drag with frames after it, calls, one of them refused, changes that are no events.
let steps = [
  #"{"event":"willBeginDragging","time":1}"#,
  #"{"event":"didScroll","time":1.25,"offset":{"y":4}}"#,
  #"{"event":"didScroll","time":1.5,"offset":{"y":12}}"#,
  #"{"event":"willEndDragging","time":1.5}"#,
  #"{"event":"didEndDragging","time":1.5,"willDecelerate":false}"#,
  #"{"event":"advance","time":2}"#,
  #"{"event":"call","time":2,"name":"refuse"}"#,
  #"{"event":"call","time":2,"name":"home"}"#,
  #"{"event":"configure","time":2,"drawers":[{"name":"bar","height":50}]}"#,
  #"{"event":"reload","time":2,"delegate":"lift","plugin":"Lift"}"#,
  #"{"event":"didScroll","time":2.25,"offset":{"y":20}}"#,
  #"{"event":"unload","time":2.5,"delegate":"lift","plugin":"Lift"}"#,
  #"{"event":"didScroll","time":2.75,"offset":{"y":30}}"#,
]

/// The text of a recording without states.
let script =
  ([#"{"format":"header-recording/1","title":"All kinds","description":\#(description)}"#] + steps)
  .joined(separator: "\n") + "\n"

func recording(_ text: String) throws -> Recording { try Recording(Array(text.utf8)) }

/// What a recorder would have written while the steps of a recording happened.
func recorded(_ text: String, on shelf: Shelf = Shelf()) throws -> String {
  let source = try recording(text)
  var replay = try Replay(source, provider: shelf)
  var bytes = RecordingLine.head(description: source.description ?? nil, saved: source.saved, server: "0.2.0")
  while let outcome = try replay.step() {
    var step = outcome.step
    step.states = outcome.states
    step.result = outcome.result.flatMap { $0.fields.isEmpty ? Value?.none : $0 }
    step.error = outcome.refusal.map {
      ["code": -1, "message": .text($0.message), "data": ["name": .text($0.name.rawValue)]]
    }
    bytes += RecordingLine.step(step)
  }
  return String(decoding: bytes, as: UTF8.self)
}
