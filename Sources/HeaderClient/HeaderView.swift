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
    drawers = picture.drawers
    scrollViews = picture.scrollViews.map { view in
      guard let old = known.first(where: { $0.name == view.name }) else { return view }
      var view = view
      view.offset = old.offset + (view.correction - old.correction)
      return view
    }
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
