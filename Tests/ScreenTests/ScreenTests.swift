// SPDX-License-Identifier: MIT
//
// Random walks through what applications do, for each preset, behavior and edge, and what a person sees on the way.
//
// HEADERD_STEPS sets the number of steps of all headers together (100,000), HEADERD_SEED the first seed (0), as `make screen
// STEPS=10000000 SEED=0` does. What fails is shrunk to the steps that it takes.

import Foundation
import HeaderCore
import HeaderTestKit
import Testing

@Suite struct ScreenTests {
  /// Of each header.
  private static let steps =
    (ProcessInfo.processInfo.environment["HEADERD_STEPS"].flatMap { Int($0) } ?? 100_000) / Subject.all.count + 1
  private static let first = ProcessInfo.processInfo.environment["HEADERD_SEED"].flatMap { UInt64($0) } ?? 0
  /// So many make one life of a header.
  private static let life = 60

  /// What is wrong with a walk; nil: nothing.
  private static func flaw(_ subject: Subject, _ steps: [Step], restores: Bool) -> (text: String, at: Int)? {
    var done = 0
    do {
      var screen = try Screen(subject, restores: restores)
      for step in steps {
        try screen.perform(step)
        done += 1
      }
      try screen.comeBack()
    } catch let error as HeaderError {
      return (error.message, done)
    } catch {
      return ("\(error)", done)
    }
    return nil
  }

  /// The fewest steps found by which something is wrong still.
  private static func shrunk(_ subject: Subject, _ steps: [Step], restores: Bool) -> [Step] {
    var steps = steps
    var size = max(1, steps.count / 2)
    while size >= 1 {
      var from = 0
      while from < steps.count {
        let fewer = Array(steps[..<from] + steps[min(steps.count, from + size)...])
        if flaw(subject, fewer, restores: restores) != nil { steps = fewer } else { from += size }
      }
      if size == 1 { break }
      size /= 2
    }
    return steps
  }

  @Test(arguments: Subject.all) func `what a person sees`(_ subject: Subject) throws {
    for seed in Self.first..<Self.first + UInt64(max(1, Self.steps / Self.life)) {
      let restores = seed.isMultiple(of: 2)
      let steps = Step.walk(Self.life, seed: seed)
      guard let found = Self.flaw(subject, steps, restores: restores) else { continue }
      let fewest = Self.shrunk(subject, Array(steps.prefix(found.at + 1)), restores: restores)
      let text = Self.flaw(subject, fewest, restores: restores)?.text ?? found.text
      Issue.record("\(subject.testDescription), seed \(seed), restores \(restores): \(text)\n  \(fewest)")
      return
    }
  }
}
