// SPDX-License-Identifier: MIT
//
// What a picture of a recording shows: numbers of one size on one axis, words that can be read, time from 0.

import Foundation
import HeaderModel
import HeaderTrace
import Testing

@Suite struct PlotTests {
  /// A text of the picture and the room that it takes.
  private struct Label {
    var text: String
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>
  }

  private let svg: String

  /// A second of a header of two drawers beside a content of 1200 points, with many values and more notices than there is room for.
  init() throws {
    var plot = Plot(title: "a & b")
    for step in 0...100 {
      let time = 1_763_690_400 + Double(step) / 100
      plot.add(offset: Double(step) * 12, at: time)
      let values = (0..<14).map {
        Value.Record.Field(name: "valueWithALongName\($0)", value: .number(Double(step * $0)))
      }
      let state: Value = [
        "header": "main", "seq": .number(Double(step + 1)), "time": .number(time),
        "drawers": [
          ["name": "navBar", "frame": ["y": .number(-Double(step % 44)), "height": 44]],
          ["name": "extension", "frame": ["y": 44, "height": .number(40 - Double(step % 40))]],
        ],
        "values": .record(Value.Record(fields: values + [.init(name: "progress", value: .number(Double(step) / 100))])),
        "notices": [["name": "didSomethingOfGreatInterest", "delegate": "x"]], "animations": [["duration": 0.25]],
      ]
      plot.add(try #require(StatePicture(state)))
    }
    svg = try #require(plot.svg)
  }

  private func matches(_ pattern: String) throws -> [[String]] {
    let expression = try NSRegularExpression(pattern: pattern)
    return expression.matches(in: svg, range: NSRange(svg.startIndex..., in: svg)).map { match in
      (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: svg).map { String(svg[$0]) } ?? "" }
    }
  }

  private var labels: [Label] {
    get throws {
      try matches(#"<text x="([0-9.-]+)" y="([0-9.-]+)" ([^>]*)>([^<]*)</text>"#).map { found in
        let (x, y) = (try #require(Double(found[1])), try #require(Double(found[2])))
        let size = found[3].contains("font-size=\"9\"") ? 9.0 : found[3].contains("font-size=\"14\"") ? 14 : 11
        let width = Double(found[4].count) * size * 0.6
        let start = found[3].contains("\"end\"") ? x - width : found[3].contains("\"middle\"") ? x - width / 2 : x
        return Label(text: found[4], x: start...(start + width), y: (y - size * 0.8)...y)
      }
    }
  }

  @Test func noWordsCoverOthers() throws {
    let labels = try labels
    #expect(labels.count > 40)
    for (index, one) in labels.enumerated() {
      for other in labels[(index + 1)...] where one.x.overlaps(other.x) && one.y.overlaps(other.y) {
        Issue.record("\(one) covers \(other)")
      }
    }
  }

  @Test func allStandsInThePicture() throws {
    let size = try #require(try matches(#"^<svg [^>]*width="([0-9.]+)" height="([0-9.]+)""#).first).dropFirst().map {
      try #require(Double($0))
    }
    for label in try labels {
      #expect(label.x.lowerBound >= 0 && label.x.upperBound <= size[0], "\(label)")
      #expect(label.y.lowerBound >= 0 && label.y.upperBound <= size[1], "\(label)")
    }
  }

  @Test func drawersAndTheOffsetHaveAxesOfTheirOwn() throws {
    let numbers = try labels.compactMap { Double($0.text) }
    #expect(numbers.contains(1000) && numbers.contains(80))
    #expect(svg.contains(">offset (pt)</text>") && svg.contains(">drawers (pt)</text>"))
  }

  @Test func timeBeginsAtZero() throws {
    #expect(try labels.filter { $0.text.hasSuffix(" s") && $0.text.count < 8 }.map(\.text).first == "0 s")
  }
}
