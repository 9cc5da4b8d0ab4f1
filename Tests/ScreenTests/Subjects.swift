// SPDX-License-Identifier: MIT
//
// The headers that are looked at: each preset, and settings of each behavior that moves drawers, at each edge.

import ConformanceKit
import Foundation
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

/// The plugins that lie where the test program does, with the presets of the repository.
enum Built {
  /// Loaded once, and from then on only read.
  private nonisolated(unsafe) static let loaded: PluginRegistry = {
    let plugins = PluginRegistry(folders: [Files.ofThisProgram])
    for name in plugins.available { _ = try? plugins.load(name) }
    plugins.presets = presets
    return plugins
  }()

  static let presets = ConformanceKit.presets(
    in: URL(filePath: #filePath).appending(path: "../../../config/presets").standardized.path
  ).presets

  static func registry() -> PluginSet { unsafe loaded.set(forThread: 0) }
}

/// Where a header hangs, and what hides it.
enum Placement: String, CaseIterable {
  case top, bottom, leading, trailing
  /// At the bottom, hidden as one scrolls down.
  case bottomByFinger

  var edge: Edge { Edge(rawValue: self == .bottomByFinger ? "bottom" : rawValue) ?? .top }
  var isVertical: Bool { self != .leading && self != .trailing }
  var isFar: Bool { self == .bottom || self == .trailing || self == .bottomByFinger }
  /// The offset grows as content leaves the edge.
  var turnsRound: Bool { self == .bottom || self == .trailing }
}

/// What a person must see, by which a header may be excused: it is the likeness of one that does otherwise.
struct Excuses: OptionSet {
  let rawValue: Int
  /// A gap opens between header and content, or the content says nothing of where the header is.
  static let gaps = Excuses(rawValue: 1)
  /// One movement of the finger hides or shows all.
  static let leaps = Excuses(rawValue: 2)
  /// It moves content, or itself, when its scroll view becomes another one.
  static let tabs = Excuses(rawValue: 4)
  /// It writes insets over those that a refresh control adds, or moves with them.
  static let refreshes = Excuses(rawValue: 8)
  /// Another viewport, and the old one again, move it.
  static let turns = Excuses(rawValue: 16)
  /// What a call has hidden, a finger does not bring back: it is pinned, or its content is too short for it to look.
  static let calls = Excuses(rawValue: 32)
  /// It moves by offers alone: what the content does by itself says nothing.
  static let offersOnly = Excuses(rawValue: 64)
  /// Rows above what is read move it.
  static let rows = Excuses(rawValue: 128)
  /// Heights count from the next movement on.
  static let heights = Excuses(rawValue: 256)
  /// Its platform's content goes never beyond its ends: a pull there is drawn, and no movement.
  static let staysInside = Excuses(rawValue: 512)
  /// Where it is, is a function of where its content is: the first movement after a call, or a turn, puts it there.
  static let comesAtOnce = Excuses(rawValue: 1024)
  /// The content's own moves alone bring it back: where those are shorter than it is tall, a part may stay hidden.
  static let movesOnly = Excuses(rawValue: 2048)
  /// Over content that has become too short to be scrolled it stays where it is.
  static let shortStays = Excuses(rawValue: 4096)
  /// It counts from where a drag has begun: where that is the beginning of another scroll view's content, the content has to go away
  /// first.
  static let countsFromDrag = Excuses(rawValue: 8192)
  /// While there is a refresh control its inset is not written: over content that is nearer to its beginning than the header is gone, a
  /// part stays hidden.
  static let insetStays = Excuses(rawValue: 16384)
  /// Let go half shifted, it leaves the screen, also where the content is not that far, and comes to where that is as it collapses.
  static let snapsOver = Excuses(rawValue: 32768)
  /// Its place is a share of its height in single precision, which 130 points have in steps of some millionths.
  static let singlePrecision = Excuses(rawValue: 65536)
}

/// One header.
struct Subject: CustomTestStringConvertible, Sendable {
  var title: String
  var delegate: Value
  var drawers: [Value.Record]
  var inset = 0.0
  var placement = Placement.top
  var excuses: Excuses = []

  var testDescription: String { "\(title), \(placement.rawValue)" }

  func at(_ placement: Placement) -> Subject {
    var copy = self
    copy.placement = placement
    return copy
  }

  /// Two scroll views of 400 × 600 and 4,000 points of content, and a short one, at their tops.
  func description(restores: Bool) throws -> HeaderDescription {
    let hanging = drawers.map { drawer in
      var drawer = drawer
      if placement != .top { drawer["edge"] = .text(placement.edge.rawValue) }
      if placement == .bottomByFinger { drawer["direction"] = "finger" }
      return Value.record(drawer)
    }
    let inset: Value.Record = [nearSide: .number(inset)]
    func view(_ length: Double) -> Value {
      let size: Value =
        placement.isVertical ? ["width": 400, "height": .number(length)] : ["width": .number(length), "height": 600]
      // Content that fits has but one place.
      let end = max(-self.inset, length - (placement.isVertical ? 600 : 400))
      let start = placement.turnsRound ? end + self.inset : -self.inset
      var fields: Value.Record = [
        "viewport": ["width": 400, "height": 600], "contentSize": size, "contentInset": .record(inset),
        "offset": placement.isVertical ? ["y": .number(start)] : ["x": .number(start)],
      ]
      if placement == .bottomByFinger { fields["offset"] = ["y": 0] }
      if !placement.isVertical { fields["axis"] = "horizontal" }
      return .record(fields)
    }
    let views: Value.Record = ["a": view(4000), "b": view(4000), "short": view(300)]
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "frames": "events", "trackingScrollView": "a", "scrollViews": .record(views),
        "drawers": .list(hanging), "delegates": [delegate], "onLeave": restores ? "restore" : "keep",
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    return try description.taking(Built.presets)
  }

  var nearSide: String {
    switch placement {
    case .top: "top"
    case .bottom, .bottomByFinger: "bottom"
    case .leading: "left"
    case .trailing: "right"
    }
  }
}

// MARK: - All of them

extension Subject {
  private static let bars: [Value.Record] = [
    ["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100], ["name": "tabs", "height": 30],
  ]
  private static let hero: [Value.Record] = [
    ["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100]
  ]

  /// What presets are likenesses of. Flutter's and iOS' have none: they are laws of CollapsingHeader alone.
  private static func excuses(ofPreset name: String) -> Excuses {
    switch name {
    case let name where name.hasPrefix("app-bar-"): [.gaps, .offersOnly, .heights, .tabs, .rows]
    case "compose-pinned", "app-bar": [.gaps, .tabs, .heights, .rows, .refreshes, .calls, .offersOnly]
    case "compose-exit-always-bottom": [.gaps, .tabs, .heights, .rows, .refreshes, .staysInside, .movesOnly]
    case let name where name.hasPrefix("compose"): [.gaps, .tabs, .heights, .rows, .refreshes, .staysInside]
    case "chromium-browser-controls": [.gaps, .offersOnly, .tabs, .heights, .refreshes, .singlePrecision]
    case "am-scrolling-navbar": [.gaps, .tabs, .heights, .refreshes]
    // A pull beyond the content's beginning counts again with each look, as the original's.
    case "gt-scroll-bar": [.gaps, .tabs, .heights, .refreshes, .leaps, .calls, .shortStays]
    case "headroom", "react-headroom": [.gaps, .leaps, .tabs]
    default: []
    }
  }

  private static let ofPresets = Built.presets.map { preset in
    Subject(
      title: preset.name,
      delegate: [
        "behavior": "CollapsingHeader", "preset": .text(preset.name), "options": ["invariants": "strict"],
      ], drawers: bars, excuses: excuses(ofPreset: preset.name))
  }

  private static func collapsing(_ title: String, _ options: Value, _ drawers: [Value.Record] = bars) -> Subject {
    guard case .record(var fields) = options else { return Subject(title: title, delegate: options, drawers: drawers) }
    fields["invariants"] = "strict"
    return Subject(
      title: "CollapsingHeader, \(title)", delegate: ["behavior": "CollapsingHeader", "options": .record(fields)],
      drawers: drawers)
  }

  private static let ofLaws = [
    collapsing("as it is", [:]),
    collapsing("at the top", ["drawers": [["returns": "atTop"]]]),
    collapsing(
      "collapses and shifts", ["drawers": [["collapse": true, "shift": true, "returns": "collapsedAnywhere"]]], hero),
    collapsing("insets follow", ["insets": "follow"]),
    collapsing("rests", ["drawers": [["rest": ["by": "nearest", "duration": 0.2]]]]),
    collapsing(
      "two laws",
      ["drawers": [["drawer": "bar", "returns": "atTop"], ["drawer": "tabs", "rest": ["by": "direction"]]]]),
    collapsing("resists", ["drawers": [["resistance": 12, "slop": 6, "threshold": 20]]]),
    collapsing("stretches", ["drawers": [["drawer": "bar", "returns": "atTop", "stretch": ["limit": 60]]]]),
    collapsing("together", ["drawers": [["order": ["hide": 1, "show": 1]]]]),
    collapsing("as one", ["asOne": true, "drawers": [["returns": "anywhere", "shift": true]]]),
    collapsing("below", ["content": "below", "insets": "application"]),
    collapsing("keeps its place", ["onNewContent": "keep"]),
    collapsing("by the finger", ["returnsBy": "finger"]),
    collapsing("pinned", ["drawers": [["drawer": "bar", "collapse": true], ["drawer": "tabs", "pin": true]]]),
  ]

  private static func other(
    _ behavior: String, _ title: String, _ options: Value, _ drawers: [Value.Record], inset: Double, _ excuses: Excuses
  ) -> Subject {
    Subject(
      title: "\(behavior), \(title)", delegate: ["behavior": .text(behavior), "options": options], drawers: drawers,
      inset: inset, excuses: excuses)
  }

  /// Exact likenesses of one library each: what those do to content when their scroll view, its insets or its size change is theirs.
  private static let ofLikenesses = [
    other(
      "ShyNavBar", "as it is", [:], bars, inset: 130,
      [.tabs, .gaps, .turns, .heights, .calls, .refreshes, .comesAtOnce, .shortStays, .insetStays]),
    other(
      "ShyNavBar", "quick", ["expansionResistance": 0], bars, inset: 130,
      [.tabs, .gaps, .turns, .heights, .calls, .refreshes, .comesAtOnce, .shortStays, .insetStays]),
    other(
      "FlexibleHeader", "collapses", ["minimumHeight": 40, "maximumHeight": 100], hero, inset: 0,
      [.tabs, .gaps, .heights, .turns, .refreshes, .comesAtOnce]),
    other(
      "FlexibleHeader", "shifts", ["minimumHeight": 40, "maximumHeight": 100, "shiftBehavior": "enabled"], hero,
      inset: 0,
      [.tabs, .gaps, .heights, .turns, .refreshes, .comesAtOnce, .snapsOver]),
    other(
      "FlexibleHeader", "hides", ["minimumHeight": 40, "maximumHeight": 100, "shiftBehavior": "hideable"], hero,
      inset: 0,
      [.tabs, .gaps, .leaps, .heights, .turns, .refreshes, .calls]),
    other(
      "FlexibleHeightBar", "squareCash", ["definer": "squareCash"], hero, inset: 100,
      [.tabs, .gaps, .refreshes, .heights]),
    other(
      "FlexibleHeightBar", "facebook", ["definer": "facebook"], hero, inset: 100,
      [.tabs, .gaps, .refreshes, .heights, .calls, .shortStays, .countsFromDrag]),
    other(
      "FlexibleHeightBar", "safari", ["definer": "safari"], hero, inset: 100, [.tabs, .gaps, .refreshes, .heights]),
    other(
      "StretchyHeader", "as it is", [:], bars, inset: 0,
      [.tabs, .gaps, .refreshes, .turns, .heights, .rows, .comesAtOnce]),
  ]

  static let all: [Subject] = (ofPresets + ofLaws + ofLikenesses).flatMap { subject in
    Placement.allCases.compactMap { placement in
      // A bar at the bottom that hides by the finger has its content's beginning at the other edge: no gap can open there.
      guard placement == .bottomByFinger else { return subject.at(placement) }
      guard subject.title.hasPrefix("CollapsingHeader") || !subject.excuses.contains(.gaps) else { return nil }
      return subject.at(placement)
    }
  }
}
