// SPDX-License-Identifier: MIT
//
// Headers do what they did before: for each one a random walk with what came of each step, kept in Golden. A change of the engine or of
// a behavior shows here, wanted or not. SNAP_UPDATE=1 writes the walks anew, and the diff is the review.
//
//     drag([-12.5, -3.0], offered: true): 87.5, 41.25, 0.0, 3fa9c2d1
//     │                                   │     │      │    ╰ a sum over states, answers and explanations of all events so far
//     │                                   │     │      ╰ the header's own moves of its content
//     │                                   │     ╰ the content's offset
//     │                                   ╰ how far the header reaches from its edge
//     ╰ the step; "refused" and "flawed" behind it say how it ended otherwise

import ConformanceKit
import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWire
import PluginHost
import Testing

@Suite struct WalkTests {
  private static let titles = Set(Subject.all.map(\.title)).sorted()
  private static let behaviors = [
    "CollapsingHeader", "FlexibleHeader", "FlexibleHeightBar", "Keyframes", "ShyNavBar", "StretchyHeader",
  ]

  @Test(arguments: titles) func `a header does what it did`(_ title: String) throws {
    let subjects = Subject.all.filter { $0.title == title }
    try expectKept(title, subjects.map { Walk(of: $0, steps: 25, seed: 7).text })
  }

  @Test(arguments: behaviors) func `a header with options by chance does what it did`(_ behavior: String) throws {
    let subjects = (0..<16).map { Subject.withOptionsByChance(behavior, seed: $0) }
    try expectKept("\(behavior), options by chance", subjects.map { Walk(of: $0, steps: 12, seed: 11).text })
  }

  private func expectKept(_ name: String, _ walks: [String]) throws {
    let file = name.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    let difference = try Golden("\(file).txt").difference(to: walks.joined(separator: "\n"))
    #expect(difference == nil, "\(difference ?? "")")
  }
}

/// A header's walk as text.
private struct Walk {
  private(set) var text: String

  init(of subject: Subject, steps: Int, seed: UInt64) {
    text = "\(subject.testDescription), \(Self.text(subject.delegate))\n"
    do {
      var screen = try Screen(subject, restores: false)
      let sum = Sum()
      screen.watcher = { header, answer in
        sum.add(header.state.explainedText)
        sum.add("\(answer.targetOffset.map { "\($0)" } ?? "") \(answer.residual.map { "\($0)" } ?? "")")
      }
      for step in Step.walk(steps, seed: seed) {
        screen.header.observe { ($0.recordsCalls, $0.explainsStates) = (true, true) }
        let end = Self.end { try screen.perform(step) }
        if case .reopen = step { sum.add((try? screen.header.save()).map { Self.text($0) } ?? "") }
        let look = screen.look
        let numbers = [look.far, look.offset, look.correction].map { "\(($0 * 1000).rounded() / 1000)" }
        text += "\(step)\(end): \(numbers.joined(separator: ", ")), \(sum.text)\n"
      }
    } catch {
      text += "\(Self.end { throw error })\n"
    }
  }

  private static func end(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch let error as HeaderError {
      return " refused \(error.name)"
    } catch {
      return " flawed"
    }
  }

  private static func text(_ value: Value) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }
}

extension Subject {
  /// A header whose behavior has some of its options set to what its schema permits.
  fileprivate static func withOptionsByChance(_ behavior: String, seed: UInt64) -> Subject {
    var dice = SplitMix64(seed: seed)
    var options = Value.Record()
    for option in Built.registry().behavior(named: behavior)?.options ?? [] where dice.oneIn(4) {
      options[option.name] = option.valueByChance(&dice)
    }
    return Subject(
      title: "\(behavior) \(seed)", delegate: ["behavior": .text(behavior), "options": .record(options)],
      drawers: [
        ["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100, "elements": [["name": "title"]]],
        ["name": "tabs", "height": 30],
      ], inset: 130, placement: dice.oneIn(3) ? .bottom : .top)
  }
}

extension OptionSchema {
  /// nil: of types whose content only the behavior knows.
  fileprivate func valueByChance(_ dice: inout SplitMix64) -> Value? {
    if isNullable, dice.oneIn(4) { return .null }
    switch type {
    case .number, .integer:
      let (low, high) = (max(minimum ?? -200, -200), min(maximum ?? 200, 200))
      // The ends and round numbers are where comparisons decide.
      let number = [low, high, Double.random(in: low...high, using: &dice)][dice.below(3)]
      return .number(type == .integer || dice.oneIn(2) ? number.rounded() : (number * 8).rounded() / 8)
    case .bool: return .bool(Bool.random(using: &dice))
    case .case: return cases.isEmpty ? nil : .text(cases[dice.below(cases.count)])
    default: return nil
    }
  }
}
