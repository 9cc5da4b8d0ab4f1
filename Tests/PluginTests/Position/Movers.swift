// SPDX-License-Identifier: MIT
//
// One header of each behavior that moves drawers, and events by call for tests.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit

enum Movers {
  static let bars: Value = [
    ["name": "navBar", "height": 44, "elements": [["name": "background"], ["name": "title"]]],
    ["name": "extension", "height": 40],
  ]
  static let bar: Value = [["name": "bar", "height": 120, "minimumHeight": 20, "maximumHeight": 120]]

  static func header(_ title: String, _ drawers: Value, _ options: Value, inset: Value = 0) -> ComposedHeader {
    let behavior = String(title.split(separator: " ")[0])
    return ComposedHeader(
      title: title, drawers: drawers, delegates: [ComposedHeader.Member(behavior: behavior, options: options)],
      contentInset: inset)
  }

  static let shyNavBar = header("ShyNavBar", bars, ["expansionResistance": 0], inset: 104)
  static let squareCash = header("FlexibleHeightBar squareCash", bar, ["definer": "squareCash"], inset: 120)
  static let flexibleHeader = header(
    "FlexibleHeader", [["name": "header", "height": 160]],
    ["minimumHeight": 72, "maximumHeight": 160, "shiftBehavior": "enabled"])
  static let stretchyHeader = header("StretchyHeader", bars, [:])

  static let collapsingHeader = header("CollapsingHeader", bars, [:], inset: 84)

  static let all = [
    shyNavBar,
    header("ShyNavBar with a sticky bar", bars, ["stickyNavigationBar": true], inset: 104),
    squareCash,
    header("FlexibleHeightBar facebook", bar, ["definer": "facebook"], inset: 120),
    header("FlexibleHeightBar safari", bar, ["definer": "safari"], inset: 120),
    flexibleHeader,
    header(
      "FlexibleHeader that hides", [["name": "header", "height": 160]],
      ["minimumHeight": 72, "maximumHeight": 160, "shiftBehavior": "hideable"]),
    header(
      "FlexibleHeader that collapses", [["name": "header", "height": 160]],
      ["minimumHeight": 72, "maximumHeight": 160]),
    stretchyHeader,
    collapsingHeader,
    header(
      "CollapsingHeader that collapses at the top", bar, ["drawers": [["drawer": "bar", "returns": "atTop"]]],
      inset: 120),
    header(
      "CollapsingHeader of mixed laws", bars,
      [
        "drawers": [
          ["drawer": "navBar", "shift": true, "returns": "atTop"],
          ["drawer": "extension", "shift": true, "keeps": 10, "rest": ["by": "nearest"], "order": ["hide": 3]],
        ]
      ], inset: 84),
    header(
      "CollapsingHeader as a sliver that floats", bar,
      ["insets": "application", "returnsBy": "finger", "drawers": [["collapse": true, "shift": true]]], inset: 0),
    header(
      "CollapsingHeader as a pinned sliver that floats", bar,
      ["insets": "application", "returnsBy": "finger", "drawers": [["collapse": true, "slack": "minimum"]]], inset: 0),
  ]

  /// Those that have positions of less precision: a ratio of single precision, whole points.
  static let coarse = [
    header("CollapsingHeader as a pair", bars, ["follows": "ratio"]),
    header(
      "CollapsingHeader as a block", bar, ["follows": "block", "blocks": [["flags": ["scroll", "enterAlways"]]]]),
  ]
}

extension Header {
  /// Where it is.
  var place: Position { positionReport?.report.position ?? Position(traveled: 0, travel: 0) }

  /// Goes somewhere.
  @discardableResult
  func move(
    to target: HeaderMove.Target, _ style: MotionStyle? = nil, velocity: Double = 0, at seconds: Double? = nil,
    emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws -> EventAnswer {
    try receive(
      ScrollEvent(.move(HeaderMove(to: target, style: style, velocity: velocity))),
      at: seconds.map { Instant(seconds: $0) }, emit: emit)
  }

  /// Keeps it within bounds.
  @discardableResult
  func constrain(
    _ name: String, _ permitted: ClosedRange<Double>, wish: Double? = nil, _ style: MotionStyle? = nil,
    priority: Int = 0, at seconds: Double? = nil, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws -> EventAnswer {
    try receive(
      ScrollEvent(
        .constrain(Constraint(name: name, permitted: permitted, wish: wish, style: style, priority: priority))),
      at: seconds.map { Instant(seconds: $0) }, emit: emit)
  }

  /// Ends a constraint.
  @discardableResult
  func release(_ name: String, _ style: MotionStyle? = nil, at seconds: Double? = nil) throws -> EventAnswer {
    try receive(ScrollEvent(.release(name: name, style: style)), at: seconds.map { Instant(seconds: $0) })
  }

  /// Time passes.
  func advance(to seconds: Double, emit: (borrowing HeaderState) -> Void = { _ in }) throws {
    _ = try receive(ScrollEvent(.advance(frameDuration: nil)), at: Instant(seconds: seconds), emit: emit)
  }

  /// Scrolls with a finger on the content.
  func drag(to y: Double, at seconds: Double, emit: (borrowing HeaderState) -> Void = { _ in }) throws {
    _ = try receive(
      ScrollEvent(.didScroll, offset: PartialPoint(y: y), isTracking: true, isDragging: true),
      at: Instant(seconds: seconds), emit: emit)
  }
}

/// The notices of a state, by their words.
func words(_ state: borrowing HeaderState) -> [String] {
  let names = state.names
  return state.happened.notices.map { $0.word(in: names) }
}
