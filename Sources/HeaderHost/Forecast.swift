// SPDX-License-Identifier: MIT
//
// How states go on, for subscribers that want to know (`predict`): the header is tried out (HeaderInsight's Trial.swift) when it has come
// to where nothing that was sent says what follows.
//
//     state ─┬─ as it was said ──▶ goes out with what is left of that, or not at all to whom has scrolled
//            ╰─ another one ─────▶ goes out alone ─▶ trial ─▶ once more, with what follows
//     scroll without a state ─┬─ as it was said: nothing
//                             ╰─ else ─▶ trial ─▶ the last state once more, if something else follows
//     other event without a state ──┬─ a drag begins, and that was said: the last state once more, with what is left of that
//                                   ╰─ else ─▶ trial ─▶ the last state once more, if something else follows
//
// Where a scroll or the beginning of a drag is the reason, the trial comes at once, and its result goes out in the same turn. Else, and
// where other headers wait or the last trial was just now, it waits until the turn has ended and everything is sent. Until then states go
// out alone.

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderInsight
internal import HeaderModel
internal import HeaderWire

/// What was said of how a header goes on.
struct Forecast {
  /// What was found in one trial.
  private struct Course {
    var ahead: Ahead
    /// The keyframes as states have them.
    let keyframes: [Value.Record]

    init(_ ahead: Ahead) {
      self.ahead = ahead
      let selection = ahead.changes
      keyframes = ahead.keyframes.map { StateEncoder.keyframe($0.state, at: $0.offset, selection) }
    }

    /// What a state says of it.
    /// - Parameter dragged: what holds once a drag begins.
    func member(of seq: Int64, dragged: StateAhead?) -> StateAhead {
      StateAhead(
        seq: seq, offset: ahead.offset, growing: Array(keyframes[ahead.growing]),
        shrinking: keyframes[ahead.shrinking].reversed(), isReversible: ahead.isReversible, dragged: dragged)
    }
  }

  /// What any scroll does; nil: nothing is known.
  private var rest: Course?
  /// What holds once a drag begins, where more is known of that.
  private var drag: Course?

  /// Nothing is known.
  init() {}

  /// Tries a header out.
  init(of header: Header, _ provider: any BehaviorProvider) {
    rest = Ahead(of: header, provider).map { Course($0) }
    if rest?.ahead.coversContent != true { drag = Ahead(of: header, isDragged: true, provider).map { Course($0) } }
  }

  /// Where the content is, if it is known what any scroll does.
  var offset: Double? { rest?.ahead.offset }

  /// The header has come to a state.
  /// - Returns: whether that was foreseen; what remains then holds from there.
  mutating func move(to state: borrowing HeaderState) -> Bool {
    guard rest?.ahead.foresees(state) == true else { return false }
    rest?.ahead.move(to: state)
    drag = nil
    return true
  }

  /// A drag has begun, without a state.
  /// - Returns: whether it was said how that goes on.
  @inline(never)
  mutating func beginDrag(_ state: borrowing HeaderState) -> Bool {
    guard let drag, drag.ahead.foresees(state) else { return false }
    rest = drag
    self.drag = nil
    return true
  }

  /// What a state says of it.
  func member(of seq: Int64) -> StateAhead? {
    let dragged = drag?.member(of: seq, dragged: nil)
    guard let rest, !rest.ahead.isEmpty else {
      return drag.map {
        StateAhead(
          seq: seq, offset: $0.ahead.offset, growing: [], shrinking: [], isReversible: false, dragged: dragged)
      }
    }
    return rest.member(of: seq, dragged: dragged)
  }

  /// Whether both foresee the same.
  func isSame(as other: Forecast) -> Bool {
    func isSame(_ one: Course?, _ other: Course?) -> Bool {
      guard let one, let other else { return one == nil && other == nil }
      return one.ahead.isSame(as: other.ahead)
    }
    return isSame(rest, other.rest) && isSame(drag, other.drag)
  }
}

/// Headers of which it is to be found out how they go on.
struct Trials {
  /// Nanoseconds between two trials at least: one takes up to some milliseconds, in which the thread does nothing else.
  private static let interval: Int64 = 8_000_000

  private var entries = Queue<HeaderEntry>()
  /// When the next trial may begin.
  private var earliest: MonotonicTime = 0

  /// When the next trial is due; `.max`: never.
  var nextWake: MonotonicTime { entries.isEmpty ? .max : earliest }

  mutating func add(_ entry: HeaderEntry) {
    let log = entry.makeLog()
    guard !log.waitsForTrial, log.remote == nil else { return }
    log.waitsForTrial = true
    entries.append(entry)
  }

  /// The header whose turn it is; nil: none, or too early.
  mutating func next(at now: MonotonicTime) -> HeaderEntry? {
    guard let entry = entries.first, takeTurn(of: entry, at: now) else { return nil }
    return entry
  }

  /// A trial of a header is about to begin. Returns false if it is too early, or another header waits.
  mutating func takeTurn(of entry: HeaderEntry, at now: MonotonicTime) -> Bool {
    guard earliest <= now, entries.first.map({ $0 === entry }) ?? true else { return false }
    if entries.popFirst() != nil { entry.log?.waitsForTrial = false }
    earliest = now + Self.interval
    return true
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
