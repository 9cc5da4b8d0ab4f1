// SPDX-License-Identifier: MIT
//
// What a renderer does with states, and what a publisher says about its offset (headerd-protocol(7), STATES): drawers to
// draw, insets to set, and offsets that follow `correction`.

public import HeaderCore
internal import HeaderTrace

/// A header as this process shows it.
///
/// The first state of an epoch sets the offset; later ones move it by what `correction` grew by, so that what the user
/// scrolled in the meantime stays.
public struct HeaderView: Equatable, Sendable {
  /// The life of the header that is shown; nil before the first state.
  public private(set) var epoch: Value?
  /// The state that is shown; 0 before the first one.
  public private(set) var seq = 0
  /// In chain order.
  public private(set) var drawers: [Drawer] = []
  /// In the order of the description.
  public private(set) var scrollViews: [ScrollView] = []

  /// A drawer to draw. Points.
  public struct Drawer: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Where to draw it, in header space, translation included.
    public var frame: Rect
    /// 0 to 1.
    public var alpha: Double
    /// Not drawn at all.
    public var isHidden: Bool
    /// Already in the frame.
    public var translation: Point
  }

  /// A scroll view of this process. Points.
  public struct ScrollView: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Where its content is.
    public var offset: Point
    /// The content inset to set.
    public var inset: Insets
    /// How much of the header's own moves is in the offset.
    public var correction: Point
  }

  /// Shows nothing yet.
  public init() {}

  /// The scroll view of a name, nil when there is none.
  public subscript(scrollView: String) -> ScrollView? { scrollViews.first { $0.name == scrollView } }

  /// Takes over the `params` of a `state`.
  public mutating func apply(_ state: Value) {
    let known = state["epoch"] == epoch ? scrollViews : []
    epoch = state["epoch"]
    seq = Int(cut: state["seq"]?.asNumber ?? 0)
    drawers = (state["drawers"]?.elements ?? []).map { drawer in
      Drawer(
        name: drawer["name"]?.asText ?? "", frame: Rect(json: drawer["frame"]), alpha: drawer["alpha"]?.asNumber ?? 1,
        isHidden: drawer["hidden"]?.asBool ?? false, translation: Point(json: drawer["translation"]))
    }
    scrollViews = (state["scrollViews"]?.fields ?? []).map { field in
      var view = ScrollView(
        name: field.name, offset: Point(json: field.value["contentOffset"]),
        inset: Insets(json: field.value["contentInset"]), correction: Point(json: field.value["correction"]))
      if let old = known.first(where: { $0.name == view.name }) {
        view.offset = old.offset + (view.correction - old.correction)
      }
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
