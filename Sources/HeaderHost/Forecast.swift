// SPDX-License-Identifier: MIT
//
// How states go on, for subscribers that want to know (`predict`): the header is tried out (HeaderInsight's Trial.swift) when it has come
// to where nothing that was sent says what follows.
//
//     state ─┬─ as it was said ──▶ goes out with what is left of that, or not at all to whom has scrolled
//            ╰─ another one ─────▶ goes out alone ─▶ trial ─▶ once more, with what follows
//     a drag begins, and that was said of it ─▶ its states go out with what is left of that
//     event without a state ─┬─ as it was said: nothing
//                            ╰─ else ────────────▶ trial ─▶ the last state once more, if something else follows
//
// A trial waits until the turn has ended and everything is sent.

internal import Clocks
internal import Fanout
internal import HeaderInsight
internal import HeaderModel
internal import HeaderWire

/// What was said of how a header goes on.
struct Forecast {
  private(set) var ahead: Ahead
  /// The keyframes as states have them.
  private let keyframes: [Value.Record]

  init(_ ahead: Ahead) {
    self.ahead = ahead
    let selection = ahead.changes
    keyframes = ahead.keyframes.map { StateEncoder.keyframe($0.state, at: $0.offset, selection) }
  }

  /// The header has come to a state that was foreseen.
  mutating func move(to state: borrowing HeaderState) { ahead.move(to: state) }

  /// What a state says of it.
  /// - Parameter dragged: what holds once a drag begins.
  func member(of seq: Int64, dragged: Forecast? = nil) -> StateAhead? {
    guard !ahead.isEmpty else { return dragged?.memberOfDrag(of: seq) }
    return StateAhead(
      seq: seq, offset: ahead.offset, growing: Array(keyframes[ahead.growing]),
      shrinking: keyframes[ahead.shrinking].reversed(), isReversible: ahead.isReversible,
      dragged: dragged?.member(of: seq))
  }

  /// What a state says of it that goes on in a drag alone.
  func memberOfDrag(of seq: Int64) -> StateAhead {
    StateAhead(
      seq: seq, offset: ahead.offset, growing: [], shrinking: [], isReversible: false, dragged: member(of: seq))
  }
}

/// Both foresee the same.
func isSame(_ one: Forecast?, _ other: Forecast?) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  return one.ahead.isSame(as: other.ahead)
}

/// Headers of which it is to be found out how they go on.
struct Trials {
  /// Nanoseconds between two trials at least: one takes up to some milliseconds, in which the thread does nothing else.
  private static let interval: Int64 = 8_000_000

  private var entries = Queue<HeaderEntry>()
  private var lastTrial: MonotonicTime?

  /// When the next trial is due; `.max`: never.
  var nextWake: MonotonicTime {
    entries.isEmpty ? .max : lastTrial.map { $0 + Self.interval } ?? 0
  }

  mutating func add(_ entry: HeaderEntry) {
    let log = entry.makeLog()
    guard !log.waitsForTrial, log.remote == nil else { return }
    log.waitsForTrial = true
    entries.append(entry)
  }

  /// The header whose turn it is; nil: none, or too early.
  mutating func next(at now: MonotonicTime) -> HeaderEntry? {
    guard nextWake <= now, let entry = entries.popFirst() else { return nil }
    entry.log?.waitsForTrial = false
    lastTrial = now
    return entry
  }
}

extension Ahead {
  /// What is not the same in all keyframes.
  fileprivate var changes: StateSelection {
    let states = keyframes.map(\.state)
    guard let origin = states.first else { return .nothing }
    var selection = StateSelection.nothing
    func add<Part>(_ part: String, _ names: [String], _ list: (HeaderState) -> [Part], _ isSame: (Part, Part) -> Bool) {
      let present = list(origin)
      for (index, name) in names.enumerated() where present.indices.contains(index) {
        guard states.contains(where: { !isSame(list($0)[index], present[index]) }) else { continue }
        _ = selection.add("\(part).\(name)")
      }
    }
    let names = origin.names
    add("drawers", names.drawers, \.drawers, ==)
    add("elements", names.elements, \.elements, ==)
    add("scrollViews", names.scrollViews, \.scrollViews) { one, other in
      var moved = one
      moved.contentOffset = other.contentOffset
      return moved == other
    }
    add("values", names.values, \.values, ==)
    if states.contains(where: { $0.wants != origin.wants }) { _ = selection.add("wants") }
    return selection
  }
}
