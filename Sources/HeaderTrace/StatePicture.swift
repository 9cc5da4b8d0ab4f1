// SPDX-License-Identifier: MIT
//
// The drawable part of a state: drawers, content, and what behaviors publish. Read leniently, as headerd-protocol(7) asks: unknown fields
// are ignored, absent ones have their default.

public import HeaderModel

/// What of a state can be drawn.
public struct StatePicture: Equatable, Sendable {
  /// The header's name.
  public var header: String
  /// 1 after opening.
  public var seq: Int
  /// Header time in seconds.
  public var time: Double
  /// The drawers, in chain order.
  public var drawers: [Piece]
  /// The scroll views, in the order of the description.
  public var scrollViews: [Content]
  /// The behaviors' values.
  public var values: Value.Record
  /// The notices, in the order in which they were posted.
  public var notices: [Notice]
  /// Durations of the animations that began, in seconds.
  public var animations: [Double]

  /// A drawer as drawn. Points.
  public struct Piece: Equatable, Sendable {
    /// The drawer's name.
    public var name: String
    /// As drawn, in header space.
    public var frame: Rect
    /// 0 to 1.
    public var alpha: Double
    /// Whether it is not drawn at all.
    public var isHidden: Bool
    /// The translation, which the frame contains.
    public var translation: Point
  }

  /// The header's wishes for a scroll view. Lengths are in points.
  public struct Content: Equatable, Sendable {
    /// The scroll view's name.
    public var name: String
    /// The content offset.
    public var offset: Point
    /// The content inset to set.
    public var inset: Insets
    /// How much of the header's own moves is in the offset.
    public var correction: Point
  }

  /// A notice of a delegate.
  public struct Notice: Equatable, Sendable {
    /// The notice's name.
    public var name: String
    /// The delegate that posted it.
    public var delegate: String
    /// How often in a row.
    public var count: Int
  }

  /// Reads the `params` of a `state` notification, or the `state` of an answer; nil when it is no state.
  public init?(_ state: Value) {
    guard let header = state["header"]?.asText, let seq = state["seq"]?.asNumber.flatMap({ Int(exactly: $0) }) else {
      return nil
    }
    self.header = header
    self.seq = seq
    time = state["time"]?.asNumber ?? 0
    drawers = (state["drawers"]?.elements ?? []).map { drawer in
      Piece(
        name: drawer["name"]?.asText ?? "?", frame: Rect(json: drawer["frame"]),
        alpha: drawer["alpha"]?.asNumber ?? 1, isHidden: drawer["hidden"]?.asBool ?? false,
        translation: Point(json: drawer["translation"]))
    }
    scrollViews = (state["scrollViews"]?.fields ?? []).map { field in
      Content(
        name: field.name, offset: Point(json: field.value["contentOffset"]),
        inset: Insets(json: field.value["contentInset"]), correction: Point(json: field.value["correction"]))
    }
    values = Value.Record(fields: state["values"]?.fields ?? [])
    notices = (state["notices"]?.elements ?? []).map { notice in
      Notice(
        name: notice["name"]?.asText ?? "?", delegate: notice["delegate"]?.asText ?? "",
        count: Int(cut: notice["count"]?.asNumber ?? 1))
    }
    animations = (state["animations"]?.elements ?? []).map { $0["duration"]?.asNumber ?? 0 }
  }
}

extension Int {
  /// The whole part of an untrusted number, cut at ±2^53; 0 for NaN.
  public init(cut number: Double) {
    self = number.isNaN ? 0 : Int(Swift.max(-0x1p53, Swift.min(0x1p53, number)))
  }
}

extension Shape {
  /// Reads a shape from a tree; missing members are 0.
  public init(json value: Value?) { self = Self.zero.filled(from: value ?? .null) }
}
