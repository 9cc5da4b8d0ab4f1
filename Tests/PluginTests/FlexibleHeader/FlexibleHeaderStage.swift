// SPDX-License-Identifier: MIT
//
// A flexible header over one long scroll view, and random walks of its content from a seed.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// A flexible header over one long scroll view.
final class Stage {
  let header: Header
  let options: Value.Record
  let canOverExtend: Bool

  init(
    _ options: Value, hosting: Value = [:], clamping: Clamping = .inset, offset: Double = 0, delegates: [Value] = []
  ) throws {
    guard case .record(let options) = options else { throw HeaderError(.invalidParams, "options are a record") }
    self.options = options
    canOverExtend = options["canOverExtend"] != .bool(false)
    let flexible: Value = ["behavior": "FlexibleHeader", "name": "flexible", "options": .record(options)]
    let description: Value = [
      "header": "test",
      "scrollViews": [
        "A": [
          "viewport": ["width": 375, "height": 667], "contentSize": ["width": 375, "height": 4000],
          "contentInset": ["top": 0], "offset": ["x": 0, "y": .number(offset)], "clamping": .text(clamping.rawValue),
        ]
      ],
      "trackingScrollView": "A", "hosting": hosting,
      "drawers": [["name": "header", "height": 76]],
      "environment": ["statusBarHeight": 20, "safeAreaInset": ["top": 20], "keyWindow": true],
      "delegates": .list([flexible] + delegates),
      "frames": "manual",
    ]
    var unknown: [UnknownField] = []
    let read = try HeaderDescription(description, unknown: &unknown)
    #expect(unknown.isEmpty)
    header = try Header(read, epoch: 1, provider: BuiltPlugins.registry())
  }

  var frame: Rect { header.drawers[0].frame }
  var bottomEdge: Double { frame.origin.y + frame.size.height }
  var offset: Double { header.scrollViews[0].contentOffset.y }
  /// All of the header that may leave the screen.
  var shiftMaximum: Double {
    let low = number("minimumHeightWithSafeArea")
    let hidesBar = options["shiftBehavior"] == "enabledWithStatusBar" || options["shiftBehavior"] == "hideable"
    return hidesBar ? low : max(0, low - 20)
  }

  func value(_ name: String) -> Value { header.value(named: name)?.value ?? .null }

  func number(_ name: String) -> Double { if case .number(let number) = value(name) { number } else { .nan } }

  @discardableResult
  func send(_ kind: ScrollEvent.Kind, to offset: Double? = nil) throws -> EventAnswer {
    let answer = try header.receive(ScrollEvent(kind, offset: offset.map { PartialPoint(y: $0) }))
    if let failure = answer.failure { throw failure }
    return answer
  }

  func scroll(to offset: Double) throws { try send(.didScroll, to: offset) }

  @discardableResult
  func call(_ name: String, _ arguments: Value) throws -> Value {
    guard case .record(let arguments) = arguments else { throw HeaderError(.invalidParams, "arguments are a record") }
    return try send(.call(name: name, arguments: arguments, delegate: "flexible")).result ?? .null
  }
}

/// A random walk of the offset over the top of the content, by fingers and tosses.
struct FlexibleHeaderWalk {
  let stage: Stage
  private var random: SplitMix64
  private var isTracking = false

  init(_ seed: UInt64, behavior: String? = nil, overExtends: Bool? = nil) throws {
    var random = SplitMix64(seed: seed)
    let low = random.number(40...120)
    let high = low + random.number(0...150)
    let (includes, grows) = (random.bool(), random.bool())
    let word = random.element(["disabled", "enabled", "enabledWithStatusBar"])
    stage = try Stage([
      "minimumHeight": .number(low), "maximumHeight": .number(high), "minMaxHeightIncludesSafeArea": .bool(includes),
      "canOverExtend": .bool(overExtends ?? grows), "shiftBehavior": .text(behavior ?? word),
    ])
    self.random = random
    try stage.scroll(to: stage.offset)
  }

  /// One event.
  mutating func step() throws {
    switch random.number(0...10) {
    case ..<1 where !isTracking:
      isTracking = true
      try stage.send(.willBeginDragging)
    case ..<1:
      isTracking = false
      try stage.send(.didEndDragging(willDecelerate: true))
    default:
      let goal = stage.offset + random.number(-60...60)
      try stage.scroll(to: max(-320, min(1500, goal)))
    }
  }
}

extension SplitMix64 {
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(UInt64(1) << 53)
  }

  mutating func bool() -> Bool { next() & 1 == 0 }

  mutating func element<Element>(_ list: [Element]) -> Element { list[Int(next() % UInt64(list.count))] }
}
