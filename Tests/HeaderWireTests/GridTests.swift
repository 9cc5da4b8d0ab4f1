// SPDX-License-Identifier: MIT
//
// Lengths on a grid: which members are rounded, by how much, and that edges which meet still meet.

import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct GridTests {
  static let units = [0.001, 1.0 / 64, 0.0625, 0.1, 1 / 2.625, 1.0 / 3, 1, 16]
  /// Members that are no lengths.
  private static let others: Set = [
    "epoch", "seq", "time", "alpha", "zIndex", "transform", "progress", "motion", "permitted", "constraints",
  ]

  private static func line(_ state: HeaderState, _ unit: Double? = nil) -> String {
    let template = StateTemplate(on: unit.map { Grid(unit: $0) })
    return written { _ = StateEncoder.notification(state, .positionsOnly, template, into: &$0) }
  }

  private static func params(_ state: HeaderState, _ unit: Double? = nil) throws -> Value {
    try document(line(state, unit)).member("params")
  }

  /// Adds what no grid has to all lengths of a state.
  private static func spoil(_ state: inout HeaderState, _ random: inout SplitMix64) {
    func spoil(_ length: inout Double) { length += Double.random(in: -1...1, using: &random) / 3 }
    func spoil(_ point: inout Point) {
      spoil(&point.x)
      spoil(&point.y)
    }
    func spoil(_ size: inout Size) {
      spoil(&size.width)
      spoil(&size.height)
    }
    func spoil(_ insets: inout Insets) {
      spoil(&insets.top)
      spoil(&insets.left)
      spoil(&insets.bottom)
      spoil(&insets.right)
    }
    for index in state.drawers.indices {
      spoil(&state.drawers[index].center)
      spoil(&state.drawers[index].size)
      if random.oneIn(2) { spoil(&state.drawers[index].translation) }
    }
    for index in state.scrollViews.indices {
      let isSame = state.scrollViews[index].scrollIndicatorInsets == state.scrollViews[index].contentInset
      spoil(&state.scrollViews[index].contentOffset)
      spoil(&state.scrollViews[index].contentInset)
      spoil(&state.scrollViews[index].adjustedContentInset)
      if isSame { state.scrollViews[index].scrollIndicatorInsets = state.scrollViews[index].contentInset }
      spoil(&state.scrollViews[index].correction)
      spoil(&state.scrollViews[index].contentSize)
    }
    for index in state.elements.indices {
      spoil(&state.elements[index].center)
      spoil(&state.elements[index].cornerRadius)
    }
  }

  /// To four decimals; a size is what is between two such numbers.
  private static func isMultiple(_ number: Double, _ unit: Double) -> Bool {
    abs(number - (number / unit).rounded() * unit) <= 0.000_101
  }

  /// Compares the members of a state with the exact ones.
  private static func check(_ exact: Value, _ rounded: Value, _ unit: Double, at path: String) {
    switch (exact, rounded) {
    case (.record(let all), .record(let some)):
      #expect(Set(some.fields.map(\.name)).isSubset(of: all.fields.map(\.name)))
      for field in all.fields {
        let here = "\(path).\(field.name)"
        guard let value = some[field.name] else {
          // It is its default on the grid.
          #expect(
            ["translation", "correction", "scrollIndicatorInsets", "adjustedContentInset", "cornerRadius"].contains(
              field.name))
          continue
        }
        let isOther = others.contains(field.name) || (path.hasSuffix("values") && field.name != "height")
        if isOther { #expect(value == field.value, "\(here)") } else { check(field.value, value, unit, at: here) }
      }
    case (.list(let all), .list(let some)):
      #expect(all.count == some.count)
      for (index, (one, other)) in zip(all, some).enumerated() { check(one, other, unit, at: "\(path).\(index)") }
    case (.number(let number), .number(let nearest)):
      #expect(isMultiple(nearest, unit), "\(path): \(nearest)")
      let digits = printed(nearest)
      #expect(digits != "-0" && (digits.split(separator: ".").dropFirst().first ?? "").count <= 4)
      // A size is what is between two edges, each of which has moved.
      let steps = ["width", "height"].contains { path.hasSuffix($0) } && !path.contains("contentSize") ? 1 : 0.5
      #expect(abs(nearest - number) <= unit * steps + 0.000_11, "\(path): \(number) became \(nearest)")
    default: #expect(exact == rounded, "\(path)")
    }
  }

  @Test(arguments: units) func lengthsAloneAreRounded(_ unit: Double) throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<60 {
      var state = StateTableTests.state(&random)
      Self.spoil(&state, &random)
      Self.check(try Self.params(state), try Self.params(state, unit), unit, at: "state")
    }
  }

  /// Drawers below one another, at places as an engine computes them.
  private static func chain(from start: Double, _ heights: [Double]) -> HeaderState {
    var state = HeaderState(header: "h", epoch: 1)
    state.names = HeaderNames(
      drawers: heights.indices.map { "d\($0)" }, scrollViews: [], elements: [], delegates: [], values: [], notices: [])
    var place = start
    for height in heights {
      state.drawers.append(Drawer(frame: Rect(x: start, y: place, width: height, height: height)))
      place += height
    }
    return state
  }

  @Test(arguments: units, [1, 2, 3] as [UInt64]) func edgesThatMeetStillMeet(_ unit: Double, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for step in 0..<200 {
      // Thirds, halves of units, and anything.
      let part = [1.0 / 3, unit / 2, 0.001_37][step % 3]
      func length(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &random)) * part }
      let state = Self.chain(from: length(-3000...3000), (0..<8).map { _ in length(0...900) })
      let frames = try Self.params(state, unit).member("drawers").entries.map { $0.member("frame") }
      for (one, next) in zip(frames, frames.dropFirst()) {
        let (y, height) = (one.member("y").decimal, one.member("height").decimal)
        #expect(abs(y + height - next.member("y").decimal) < 1e-9 && height >= 0, "\(state.drawers)")
      }
      // So does content that begins behind the last one.
      let edge = state.drawers.last?.drawnFrame.maxY ?? 0
      var view = ScrollView()
      view.contentInset.top = edge
      view.contentOffset.y = -edge
      var other = Self.chain(from: edge, [1])
      other.names = HeaderNames(
        drawers: ["d"], scrollViews: ["content"], elements: [], delegates: [], values: [], notices: [])
      other.scrollViews = [view]
      let params = try Self.params(other, unit)
      let content = params.member("scrollViews").member("content")
      let top = content.member("contentInset").member("top").decimal
      #expect(params.member("drawers").entries[0].member("frame").member("y").decimal == top)
      #expect(content.member("contentOffset").member("y").decimal == -top)
    }
  }

  @Test func whatIsOnTheGridStays() throws {
    let state = Self.chain(from: -20.0625, [44, 40.0625, 0.125, 1e8])
    #expect(Self.line(state, 0.0625) == Self.line(state))
    // Also numbers too large for a grid.
    var random = SplitMix64(seed: 1)
    for number in [1e300, -1e300] {
      var state = StateTableTests.state(&random)
      state.values[1].content = .number(number)
      let (exact, rounded) = (try Self.params(state), try Self.params(state, 1))
      #expect(rounded.member("values").member("height") == exact.member("values").member("height"))
    }
  }

  /// What is between two states is sent once; the same state again, or the next one, is known.
  @Test func whatWasSentIsKnown() {
    let sent = SentPlaces()
    var state = Self.chain(from: 0, [1])
    func isKnown(_ places: String) -> Bool {
      unsafe Array(places.utf8).withUnsafeBytes { unsafe sent.replace(with: state, $0) }
    }
    state.seq = 1
    #expect(!isKnown("a") && isKnown("a"))
    state.seq = 2
    #expect(isKnown("a") && !isKnown("b"))
    state.seq = 4
    #expect(!isKnown("b"), "one is missing")
    state.epoch += 1
    state.seq = 5
    #expect(!isKnown("b"), "of another life")
    state.framesActive = true
    #expect(!isKnown("b") && isKnown("b"))
    sent.forget()
    #expect(!isKnown("b"))
  }
}

extension Value {
  fileprivate var entries: [Value] { if case .list(let list) = self { list } else { [] } }
  fileprivate var decimal: Double { if case .number(let number) = self { number } else { .nan } }
}
