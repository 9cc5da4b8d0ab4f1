// SPDX-License-Identifier: MIT
//
// A renderer's view of states, and a publisher's reports of its offset (headerd-states(7)): drawers to draw, insets to set, and offsets
// that follow `correction`.

public import HeaderModel
public import HeaderTrace

/// A header as this process shows it.
///
/// The first state of an epoch sets the offset; later ones move it by what `correction` grew by, so that what the user
/// scrolled in the meantime stays. One that mirrors the content of another process shows each state's offset (`include` with
/// `contentOffset`).
public struct HeaderView: Equatable, Sendable {
  /// The life of the header that is shown; nil before the first state.
  public private(set) var epoch: Value?
  /// The state that is shown; 0 before the first one.
  public private(set) var seq = 0
  /// The drawers, in chain order.
  public private(set) var drawers: [StatePicture.Piece] = []
  /// The scroll views, in the order of the description.
  public private(set) var scrollViews: [StatePicture.Content] = []

  private let mirrors: Bool
  private var state: Value?
  /// The offset that was farthest away, since the last state.
  private var farthest: Double?

  /// A view without a state.
  public init(mirrors: Bool = false) { self.mirrors = mirrors }

  /// The scroll view of a name, nil when there is none.
  public subscript(scrollView: String) -> StatePicture.Content? { scrollViews.first { $0.name == scrollView } }

  /// Takes over the `params` of a `state`; something else changes nothing.
  public mutating func apply(_ state: Value) {
    guard let picture = StatePicture(state) else { return }
    let known = state["epoch"] == epoch && !mirrors ? scrollViews : []
    epoch = state["epoch"]
    seq = picture.seq
    self.state = state
    farthest = nil
    drawers = picture.drawers
    scrollViews = picture.scrollViews.map { view in
      guard let old = known.first(where: { $0.name == view.name }) else { return view }
      var view = view
      view.offset = old.offset + (view.correction - old.correction)
      return view
    }
  }

  /// The last state as it goes on to an offset along the axis of the tracking scroll view (`predict`), as `params` of a `state`, in a
  /// drag or not.
  ///
  /// Beyond what is known it stays as it is there. A state without `ahead` stays as it is; before the first there is nil.
  public mutating func at(_ offset: Double, isDragged: Bool = false) -> Value? {
    guard let state, var ahead = state["ahead"], let origin = ahead["offset"]?.asNumber else { return state }
    if isDragged { ahead = ahead["dragged"] ?? ahead }
    var place = offset
    if ahead["reversible"] != true {
      // Back it goes by laws that the way so far has a part in.
      let past = farthest ?? offset
      place = (offset - past) * (past - origin) >= 0 ? offset : past
      farthest = place
    }
    guard place != origin else { return state }
    var start = (offset: origin, keyframe: state)
    for keyframe in ahead[place < origin ? "shrinking" : "growing"]?.elements ?? [] {
      let end = keyframe["offset"]?.asNumber ?? start.offset
      if abs(place - origin) <= abs(end - origin), end != start.offset {
        let share = (place - start.offset) / (end - start.offset)
        return state.onLine(from: start.keyframe, to: keyframe, share: share)
      }
      start = (end, keyframe)
    }
    return state.onLine(from: start.keyframe, to: start.keyframe, share: 0)
  }

  /// Moves the content of a scroll view.
  /// - Returns: the fields of the event that reports it: `scrollView`, `offset`, `correction`; nil: there is no such view.
  public mutating func scroll(_ scrollView: String, to offset: Point) -> Value.Record? {
    guard let index = scrollViews.firstIndex(where: { $0.name == scrollView }) else { return nil }
    scrollViews[index].offset = offset
    return [
      "scrollView": .text(scrollView), "offset": offset.value, "correction": scrollViews[index].correction.value,
    ]
  }
}

// MARK: - Lines between keyframes

extension Value {
  /// The state with the parts of the line between two keyframes, which have only what differs from it.
  fileprivate func onLine(from start: Value, to end: Value, share: Double) -> Value {
    var state = Record(fields: fields)
    for part in ["drawers", "elements"] where state[part] != nil {
      state[part] = .list(
        (state[part]?.elements ?? []).map { one in
          let known = { (keyframe: Value) in keyframe[part]?.elements.first { $0["name"] == one["name"] } ?? one }
          return known(start).towards(known(end), share: share)
        })
    }
    for part in ["scrollViews", "values", "wants"] where state[part] != nil {
      state[part] = .record(
        Record(
          fields: (state[part]?.fields ?? []).map { one in
            let known = { (keyframe: Value) in keyframe[part]?[one.name] ?? one.value }
            return Record.Field(name: one.name, value: known(start).towards(known(end), share: share))
          }))
    }
    if let position = state["position"] {
      state["position"] = (start["position"] ?? position).towards(end["position"] ?? position, share: share)
    }
    return .record(state)
  }

  /// What is at a share of the way: numbers on a line, all else as it is at the start.
  private func towards(_ end: Value, share: Double) -> Value {
    switch (self, end) {
    case (.number(let from), .number(let to)): return .number(from + (to - from) * share)
    case (.list(let from), .list(let to)): return .list(zip(from, to).map { $0.towards($1, share: share) })
    case (.record(var from), .record(let to)):
      for field in to.fields where from[field.name] == nil { from[field.name] = Self.absent[field.name] }
      for index in from.fields.indices {
        let name = from.fields[index].name
        guard let other = to[name] ?? Self.absent[name] else { continue }
        from.fields[index].value = from.fields[index].value.towards(other, share: share)
      }
      return .record(from)
    default: return self
    }
  }

  /// What the numbers of drawers, elements and scroll views are where they are not written.
  private static let absent: Record = [
    "alpha": 1, "cornerRadius": 0, "translation": ["x": 0, "y": 0], "correction": ["x": 0, "y": 0],
    "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ]
}
