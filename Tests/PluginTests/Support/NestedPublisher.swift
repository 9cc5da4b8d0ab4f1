// SPDX-License-Identifier: MIT
//
// Publishers that move content under a finger, in the two ways that there are: told afterwards (didScroll), and offered
// before (willScroll, the rest by the content, what that leaves by didOverscroll).

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// The headers that the laws of nested scrolling are checked with.
enum NestedHeaders {
  typealias Member = ComposedHeader.Member

  static func bars(_ title: String, _ options: Value, then others: [Member] = [], isSingle: Bool = false)
    -> ComposedHeader
  {
    var drawers: [Value] = [
      ["name": "navBar", "height": 44, "elements": [["name": "background"], ["name": "title"], ["name": "button"]]]
    ]
    if !isSingle { drawers.append(["name": "extension", "height": 40]) }
    return ComposedHeader(
      title: "ShyNavBar, \(title)", drawers: .list(drawers),
      delegates: [Member(behavior: "ShyNavBar", options: options)] + others)
  }

  static func flexible(_ title: String, _ options: Value.Record) -> ComposedHeader {
    ComposedHeader(
      title: "FlexibleHeader, \(title)", drawers: [["name": "header", "height": 128]],
      delegates: [
        Member(
          behavior: "FlexibleHeader",
          options: .record((["minimumHeight": 72, "maximumHeight": 160] as Value.Record).with(options)))
      ], contentInset: 0)
  }

  static func bar(_ title: String, _ options: Value.Record) -> ComposedHeader {
    var header = ComposedHeader.bar(options, from: 116, to: 20)
    header.title = "FlexibleHeightBar, \(title)"
    return header
  }

  /// CollapsingHeader with the laws of a bar and of what hangs below it.
  static func laws(
    _ title: String, _ bar: Value.Record, _ extension: Value.Record, _ others: Value.Record = Value.Record()
  )
    -> ComposedHeader
  {
    let drawers: Value = .list([
      .record((["drawer": "navBar"] as Value.Record).with(bar)),
      .record((["drawer": "extension"] as Value.Record).with(`extension`)),
    ])
    return ComposedHeader(
      title: "CollapsingHeader, \(title)",
      drawers: [
        ["name": "navBar", "height": 64, "minimumHeight": 24, "maximumHeight": 64],
        ["name": "extension", "height": 40],
      ],
      delegates: [
        Member(
          behavior: "CollapsingHeader",
          options: .record((["drawers": drawers, "invariants": "strict"] as Value.Record).with(others)))
      ], contentInset: 104)
  }

  static let lawful = [
    laws("as it is", [:], [:]),
    laws("to the top", ["returns": "atTop"], ["returns": "atTop"]),
    laws("search first", ["collapse": true, "shift": true, "returns": "collapsedAnywhere"], ["order": ["show": 0]]),
    laws("resisting", ["resistance": ["hide": 10, "show": 30]], ["slop": 6, "threshold": 20, "returns": "anywhere"]),
    laws("pinned below", ["shift": true, "keeps": 4], ["pin": true]),
    laws("together", ["order": ["hide": 1, "show": 1]], ["order": ["hide": 1, "show": 1], "weight": 9]),
    laws(
      "resting and following", ["rest": ["by": "direction"]], ["rest": ["by": "velocity", "duration": 0.3]],
      ["insets": "follow"]),
    laws("stretching", ["stretch": ["limit": 60]], ["returns": "atTop", "fade": true]),
    laws("as one", ["returns": "atTop"], [:], ["asOne": true]),
    laws(
      "over content below", ["returns": "anywhere"], ["returns": "atTop"],
      ["content": "below", "insets": "application"]),
  ]

  static let stretchy = ComposedHeader(
    title: "StretchyHeader", drawers: [["name": "header", "height": 180], ["name": "title", "height": 30]],
    delegates: [Member(behavior: "StretchyHeader")], contentInset: 0)

  static let shy = [
    bars("as it is", [:]), bars("quick", ["expansionResistance": 0]),
    bars("resisting", ["expansionResistance": 40, "contractionResistance": 30, "fadeBehavior": "navbar"]),
    bars("sticky bar", ["stickyNavigationBar": true, "expansionResistance": 10]),
    bars("sticky extension", ["stickyExtensionView": true, "expansionResistance": 10]),
    bars("insets of its own", ["hasCustomRefreshControl": true, "expansionResistance": 10]),
    bars("bar alone", ["expansionResistance": 20], isSingle: true),
    bars(
      "with a follower", ["expansionResistance": 0, "fadeBehavior": "disabled"],
      then: [
        Member(
          behavior: "Keyframes",
          options: [
            "tracks": [
              [
                "element": "title", "drawer": "navBar", "by": "contraction",
                "keys": [["progress": 0], ["progress": 1, "alpha": 0]],
              ]
            ]
          ])
      ]),
  ]

  static let flexible = [
    flexible("fixed", [:]), flexible("shifting", ["shiftBehavior": "enabled"]),
    flexible("with the status bar", ["shiftBehavior": "enabledWithStatusBar"]),
    flexible("hideable", ["shiftBehavior": "hideable"]),
    flexible("near", ["shiftBehavior": "enabledWithStatusBar", "headerContentImportance": "high"]),
    flexible("partly shown", ["shiftBehavior": "enabledWithStatusBar", "minimumHeaderViewHeight": 24]),
    flexible("stiff", ["canOverExtend": false, "shiftBehavior": "enabled"]),
  ]

  static let bar = [
    bar("squareCash", ["definer": "squareCash", "snapping": BarRun.halves]),
    bar("facebook", ["definer": "facebook"]),
    bar(
      "thresholds",
      [
        "definer": "facebook", "thresholdNegativeDirection": 90, "thresholdPositiveDirection": 30,
        "thresholdFromTop": 20,
      ]), bar("safari", ["definer": "safari"]),
    bar("elastic", ["definer": "squareCash", "elasticMaximumHeightAtTop": true]),
    bar("base", ["definer": "base"]),
  ]

  static let all = shy + flexible + bar + [stretchy] + lawful
}

/// Content under a finger. The header's wishes (insets, corrections) are followed at once.
struct Finger {
  let header: Header
  private(set) var time = 1.0

  init(on header: Header) { self.header = header }

  var offset: Double { header.scrollViews[0].contentOffset.y }

  /// Where the content may rest.
  var places: ClosedRange<Double> {
    let view = header.scrollViews[0]
    let top = -view.adjustedContentInset.top
    return top...max(top, view.contentSize.height + view.adjustedContentInset.bottom - view.viewport.height)
  }

  @discardableResult
  mutating func send(_ kind: ScrollEvent.Kind, at y: Double? = nil) throws -> EventAnswer {
    time += 1.0 / 64
    return try header.receive(
      ScrollEvent(kind, offset: y.map { PartialPoint(y: $0) }), at: Instant(nanoseconds: Int64(time * 1e9)))
  }

  /// The content moves by all of it, and the header hears of it.
  mutating func moveContent(by distance: Double) throws { try send(.didScroll, at: offset + distance) }

  /// The header is offered a distance, the content does what is left as far as it goes, the header is offered the rest.
  /// - Returns: what the header consumed before and after the content.
  @discardableResult
  mutating func offer(_ distance: Double, source: ScrollSource = .drag) throws -> (before: Double, after: Double) {
    let first = try send(.willScroll(delta: Point(x: 0, y: distance), source: source))
    let rest = try #require(first.residual).y
    let present = offset
    let target = min(max(present + rest, min(present, places.lowerBound)), max(present, places.upperBound))
    if target != present { try send(.didScroll, at: target) }
    let left = rest - (target - present)
    guard left != 0 else { return (try #require(first.consumed).y, 0) }
    let second = try send(.didOverscroll(delta: Point(x: 0, y: left), source: source))
    return (try #require(first.consumed).y, try #require(second.consumed).y)
  }
}
