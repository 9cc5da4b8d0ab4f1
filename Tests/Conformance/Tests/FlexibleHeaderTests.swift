// SPDX-License-Identifier: MIT
//
// What holds for a flexible header whatever is scrolled: on random scrolls with fixed seeds, since recordings show only
// the scrolls that somebody thought of.

import ConformanceKit
import HeaderCore
import HeaderTestKit
import PluginHost
import Testing

@Suite struct FlexibleHeaderTests {
  static let seeds = Array(UInt64(1)...24)

  // MARK: Scrolling

  @Test(arguments: seeds) func staysWithinItsBounds(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed)
    for _ in 0..<300 {
      try scroll.step()
      let stage = scroll.stage
      let (low, high) = (stage.number("minimumHeightWithSafeArea"), stage.number("maximumHeightWithSafeArea"))
      let frame = stage.frame
      #expect(frame.size.height >= low)
      if !stage.canOverExtend { #expect(frame.size.height <= high) }
      #expect(frame.origin.y <= 0)
      #expect(frame.origin.y >= -stage.shiftMaximum)
      #expect((0...stage.shiftMaximum + 175).contains(stage.number("shiftAccumulator")))
      #expect((0...1).contains(stage.number("shadowIntensity")))
    }
  }

  /// The header's bottom edge goes the way of the content and never farther: what it takes of a movement and what is left
  /// for the content to slide below it are both parts of the movement.
  @Test(arguments: seeds) func takesNoMoreThanTheMovement(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed)
    for _ in 0..<300 {
      let before = (edge: scroll.stage.bottomEdge, offset: scroll.stage.offset)
      try scroll.step()
      let movement = scroll.stage.offset - before.offset
      let taken = before.edge - scroll.stage.bottomEdge
      let residual = movement - taken
      #expect(taken * movement >= -1e-9, "the header went against the content")
      #expect(residual * movement >= -1e-9, "the header went farther than the content")
    }
  }

  /// Attached to the content's top, the bottom edge lies on it.
  @Test(arguments: seeds) func hangsOnTheContentsTop(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed, overExtends: true)
    for _ in 0..<300 {
      try scroll.step()
      let wanted = -scroll.stage.offset
      guard wanted >= scroll.stage.number("minimumHeightWithSafeArea") else { continue }
      #expect(abs(scroll.stage.bottomEdge - wanted) < 1e-9)
      #expect(scroll.stage.frame.origin.y == 0)
    }
  }

  /// Without shifting the frame is a function of the offset: the way there does not matter.
  @Test(arguments: seeds) func withoutShiftingTheWayDoesNotMatter(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed, behavior: "disabled")
    for _ in 0..<60 {
      try scroll.step()
      let stage = scroll.stage
      let direct = try Stage(.record(stage.options))
      try direct.scroll(to: stage.offset)
      #expect(direct.frame == stage.frame)
    }
  }

  // MARK: Showing and hiding

  @Test(arguments: seeds) func hidingTwiceIsHidingOnce(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed)
    for _ in 0..<40 {
      for _ in 0..<10 { try scroll.step() }
      let stage = scroll.stage
      for call in ["shiftHeaderOffScreenAnimated", "shiftHeaderOnScreenAnimated"] {
        try stage.call(call, ["animated": false])
        let once = stage.frame
        try stage.call(call, ["animated": false])
        #expect(stage.frame == once)
      }
      #expect(stage.frame.origin.y == 0)
      #expect(stage.value("isShiftedOffscreen") == .bool(false))
    }
  }

  @Test func framesEndAtTheDestination() throws {
    let stage = try Stage(["shiftBehavior": "enabled", "minimumHeight": 76, "maximumHeight": 176])
    try stage.scroll(to: 300)
    try stage.call("shiftHeaderOffScreenAnimated", ["animated": true])
    var last = stage.frame.origin.y
    var count = 0
    while stage.header.state.framesActive, count < 100 {
      try stage.send(.advance(frameDuration: 1.0 / 60))
      #expect(stage.frame.origin.y <= last)
      last = stage.frame.origin.y
      count += 1
    }
    #expect(last == -stage.shiftMaximum)
    #expect(count < 60)
  }

  // MARK: Several scroll views

  @Test(arguments: seeds) func givesBackTheInsetsThatItAdded(_ seed: UInt64) throws {
    var scroll = try RandomScroll(seed)
    for _ in 0..<50 { try scroll.step() }
    try scroll.stage.send(.setTrackingScrollView(to: nil))
    #expect(scroll.stage.header.scrollViews[0].contentInset == Insets())
    #expect(scroll.stage.header.scrollViews[0].scrollIndicatorInsets == Insets())
  }
}

// MARK: - What the tests use

/// A flexible header over one long scroll view.
final class Stage {
  let header: Header
  let options: Value.Record
  let canOverExtend: Bool

  init(_ options: Value, delegates: [Value] = []) throws {
    guard case .record(let options) = options else { throw HeaderError(.invalidParams, "options are a record") }
    self.options = options
    canOverExtend = options["canOverExtend"] != .bool(false)
    let flexible: Value = ["behavior": "FlexibleHeader", "name": "flexible", "options": .record(options)]
    let description: Value = [
      "header": "test",
      "scrollViews": [
        "A": [
          "viewport": ["width": 375, "height": 667], "contentSize": ["width": 375, "height": 4000],
          "contentInset": ["top": 0], "offset": ["x": 0, "y": 0], "clamping": "inset",
        ]
      ],
      "trackingScrollView": "A",
      "drawers": [["name": "header", "height": 76]],
      "environment": ["statusBarHeight": 20, "safeAreaInset": ["top": 20], "keyWindow": true],
      "delegates": .list([flexible] + delegates),
      "frames": "manual",
    ]
    var unknown: [UnknownField] = []
    let read = try HeaderDescription(description, unknown: &unknown)
    #expect(unknown.isEmpty)
    header = try Header(read, epoch: 1, provider: Copies.plugins())
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
struct RandomScroll {
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
