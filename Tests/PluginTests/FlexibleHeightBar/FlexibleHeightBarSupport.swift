// SPDX-License-Identifier: MIT
//
// Headers with one bar of flexible height, and random scrolls through them.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

extension ComposedHeader {
  /// A bar with a label and an icon in it, over content that leaves room for it.
  static func bar(
    _ options: Value.Record, from maximum: Int = 64, to minimum: Int = 20, then others: [Member] = []
  ) -> ComposedHeader {
    ComposedHeader(
      title: "bar",
      drawers: [
        [
          "name": "bar", "height": .number(Double(maximum)), "minimumHeight": .number(Double(minimum)),
          "elements": [
            ["name": "label", "frame": ["x": 10, "y": 20, "width": 100, "height": 24]],
            ["name": "icon", "frame": ["x": 300, "y": 20, "width": 24, "height": 24]],
          ],
        ]
      ], delegates: [Member(behavior: "FlexibleHeightBar", options: .record(options))] + others,
      contentInset: .number(Double(maximum)))
  }
}

extension Value.Record {
  /// A record with another's fields in place of its own of the same names.
  func with(_ other: Value.Record) -> Value.Record {
    var result = self
    for field in other.fields { result[field.name] = field.value }
    return result
  }
}

extension Header {
  /// The bar's progress, as it tells it.
  var progress: Double { number("progress") }

  /// A named value that is a number; not a number if there is none.
  func number(_ name: String) -> Double {
    if case .number(let number)? = value(named: name)?.value { number } else { .nan }
  }

  /// Calls the bar.
  @discardableResult
  func call(_ name: String, _ arguments: Value.Record = [:]) throws(HeaderError) -> Value? {
    try receive(ScrollEvent(.call(name: name, arguments: arguments, delegate: "flexibleHeightBar"))).result
  }

  /// Sets options of the bar.
  func configure(_ options: Value.Record) throws(HeaderError) {
    _ = try receive(ScrollEvent(.setOptions(options, delegate: "flexibleHeightBar")))
  }

  /// A finger drags the content to an offset and lets go.
  func drag(to y: Double, velocity: Double = 0, decelerates: Bool = false) throws {
    _ = try receive(ScrollEvent(.willBeginDragging))
    try scroll(to: y)
    _ = try receive(
      ScrollEvent(.willEndDragging(velocity: Point(x: 0, y: velocity), targetOffset: PartialPoint(y: y))))
    _ = try receive(ScrollEvent(.didEndDragging(willDecelerate: decelerates)))
    if decelerates { _ = try receive(ScrollEvent(.willBeginDecelerating)) }
  }
}

/// A definer with options, and a seed.
struct BarRun: Sendable, CustomTestStringConvertible {
  var definer: String
  var options: Value.Record
  var seed: UInt64
  var testDescription: String { "\(definer), seed \(seed)" }

  /// Two positions that leave no progress without one.
  static let halves: Value = [
    ["progress": 0, "start": 0, "end": 0.5], ["progress": 1, "start": 0.5, "end": 1],
  ]

  static let looks: Value = [
    [
      "element": "label",
      "layouts": [
        ["name": "large", "size": ["width": 100, "height": 24], "center": ["x": 60, "y": 32]],
        ["name": "small", "copyOf": "large", "center": ["x": 60, "y": 10], "alpha": 0.5],
      ],
      "keys": [["progress": 0, "layout": "large"], ["progress": 0.7, "layout": "small"]],
    ]
  ]

  static let all: [BarRun] = ["base", "squareCash", "facebook", "safari"].flatMap { definer in
    (1...6).map { seed in
      var options: Value.Record = ["definer": .text(definer), "elements": looks]
      if seed % 2 == 0 { options["snapping"] = halves }
      if seed % 3 == 0 { options["elasticMaximumHeightAtTop"] = true }
      if definer == "facebook", seed > 3 {
        options["thresholdNegativeDirection"] = 90
        options["thresholdPositiveDirection"] = 30
      }
      return BarRun(definer: definer, options: options, seed: UInt64(seed) * 1013)
    }
  }

  /// A tall bar, so that random scrolls find it at many heights.
  func open(with more: Value.Record = [:]) throws -> Header {
    try ComposedHeader.bar(options.with(more), from: 320, to: 20).open()
  }

  /// A random scroll that stays near the bar: what is further away is folded back, so that nothing jumps.
  var scroll: [(time: Instant, event: ScrollEvent)] {
    RandomScroll(seed: seed, gestures: 20).events.map { step in
      var event = step.event
      if let y = event.offset?.y {
        let turn = (y + 400).truncatingRemainder(dividingBy: 1600)
        event.offset = PartialPoint(y: -400 + (turn <= 800 ? turn : 1600 - turn))
      }
      return (step.time, event)
    }
  }

  /// A random scroll with calls and options between its events.
  var scrollWithChanges: [(time: Instant, event: ScrollEvent)] {
    var dice = SplitMix64(seed: seed &+ 1)
    return scroll.flatMap { step in
      Int.random(in: 0..<4, using: &dice) == 0 ? [step, (time: step.time, event: Self.change(&dice))] : [step]
    }
  }

  private static func change(_ dice: inout SplitMix64) -> ScrollEvent {
    func call(_ name: String, _ arguments: Value.Record) -> ScrollEvent {
      ScrollEvent(.call(name: name, arguments: arguments, delegate: "flexibleHeightBar"))
    }
    func options(_ options: Value.Record) -> ScrollEvent {
      ScrollEvent(.setOptions(options, delegate: "flexibleHeightBar"))
    }
    let share = Double.random(in: 0...1, using: &dice)
    return switch Int.random(in: 0..<12, using: &dice) {
    case 0: call("setProgress", ["progress": .number(share)])
    case 1: call("snapToProgress", ["progress": .number(share)])
    case 2: call("snap", [:])
    case 3: call("setNeedsLayout", [:])
    case 4: call("addSnappingPosition", ["progress": 0.5, "start": .number(share), "end": 1])
    case 5: call("removeSnappingPosition", ["start": 0, "end": 0.5])
    case 6: call("addLayoutAttributes", ["element": "icon", "layout": "small", "progress": .number(share)])
    case 7: call("setLayoutAttribute", ["layout": "small", "set": [["alpha": .number(share)], ["zIndex": 2]]])
    case 8: options(["maximumBarHeight": .number(40 + 60 * share)])
    case 9: options(["maximumBarHeight": .null, "minimumBarHeight": .number(30 * share)])
    case 10: options(["currentlySnapping": .bool(share < 0.5)])
    default: options(["definer": share < 0.5 ? "facebook" : "safari", "thresholdFromTop": 25])
    }
  }
}

extension Header {
  /// Receives an event that may be refused, and says why it was.
  func take(_ step: (time: Instant, event: ScrollEvent)) throws(HeaderError) -> String {
    do throws(HeaderError) {
      let answer = try receive(step.event, at: step.time)
      if let failure = answer.failure { throw failure }
      return ""
    } catch {
      guard error.name == .callFailed else { throw error }
      return error.message
    }
  }
}
