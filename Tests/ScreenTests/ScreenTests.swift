// SPDX-License-Identifier: MIT
//
// Random walks through what applications do, for each preset, behavior and edge, and what a person sees on the way.
//
// HEADERD_STEPS sets the number of steps of all headers together (100,000), HEADERD_SEED the first seed (0), HEADERD_HEADER a part
// of the headers' titles (all), as `make screen STEPS=10000000 SEED=0 HEADER=flutter` does. What fails is shrunk to the steps that
// it takes, once for each header and law.

import Foundation
import HeaderModel
import HeaderTestKit
import Synchronization
import Testing

@Suite struct ScreenTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let subjects = Subject.all.filter { subject in
    environment["HEADERD_HEADER"].map { $0.isEmpty || subject.testDescription.contains($0) } ?? true
  }
  /// So many make one life of a header.
  private static let life = 60
  /// Of each header.
  private static let lives =
    ((environment["HEADERD_STEPS"].flatMap { Int($0) } ?? 100_000) - 1) / (max(1, subjects.count) * life) + 1
  private static let first = environment["HEADERD_SEED"].flatMap { UInt64($0) } ?? 0
  /// Seeds behind the first ones that have found what was mended since, with the headers' titles.
  private static let mended: [(header: String, seed: UInt64)] =
    environment["HEADERD_SEED"] != nil
    ? []
    : [
      ("", 71), ("react-headroom", 1055), ("FlexibleHeader", 1074), ("FlexibleHeader", 1137),
      ("bottomByFinger", 1251), ("FlexibleHeader", 1323), ("FlexibleHeader", 5009), ("insets follow", 5017),
      ("safari-bottom-bar", 5323),
    ]
  private static let progress = Mutex(Progress(headers: subjects.count))

  /// What has been done so far; told where the number of steps was given.
  private struct Progress {
    let headers: Int
    private var (done, steps, flaws) = (0, 0, 0)

    init(headers: Int) { self.headers = headers }

    mutating func add(steps: Int, flaws: Int) {
      done += 1
      self.steps += steps
      self.flaws += flaws
      guard environment["HEADERD_STEPS"] != nil else { return }
      let numbers = "\(self.steps) steps, \(done) of \(headers) headers, \(self.flaws) flaws"
      print("screen: \(numbers)\(done == headers ? ", seeds \(first)...\(first + UInt64(lives) - 1)" : "")")
    }
  }

  private struct Finding {
    var text: String
    /// How many steps were done before.
    var at: Int

    /// The same with other numbers is the same flaw.
    var kind: [Substring] { text.split(separator: " ").filter { Double($0.filter { $0 != "," }) == nil } }
  }

  /// What is wrong with a walk; nil: nothing.
  private static func flaw(_ subject: Subject, _ steps: [Step], restores: Bool) -> Finding? {
    var done = 0
    do {
      var screen = try Screen(subject, restores: restores)
      for step in steps {
        try screen.perform(step)
        done += 1
      }
      try screen.comeBack()
    } catch let error as HeaderError {
      return Finding(text: error.message, at: done)
    } catch {
      return Finding(text: "\(error)", at: done)
    }
    return nil
  }

  /// The fewest steps found by which the same is wrong still.
  private static func shrunk(_ subject: Subject, _ found: Finding, _ steps: [Step], restores: Bool) -> [Step] {
    var steps = Array(steps.prefix(found.at + 1))
    var size = max(1, steps.count / 2)
    while size >= 1 {
      var from = 0
      while from < steps.count {
        let fewer = Array(steps[..<from] + steps[min(steps.count, from + size)...])
        if flaw(subject, fewer, restores: restores)?.kind == found.kind { steps = fewer } else { from += size }
      }
      if size == 1 { break }
      size /= 2
    }
    return steps
  }

  @Test(arguments: subjects) func `what a person sees`(_ subject: Subject) throws {
    var kinds: Set<[Substring]> = []
    let mended = Self.mended.filter { $0.header.isEmpty || subject.testDescription.contains($0.header) }.map(\.seed)
    let seeds = Array(Self.first..<Self.first + UInt64(Self.lives)) + mended
    for seed in seeds {
      let restores = seed.isMultiple(of: 2)
      let steps = Step.walk(Self.life, seed: seed)
      guard let found = Self.flaw(subject, steps, restores: restores), kinds.insert(found.kind).inserted else {
        continue
      }
      let fewest = Self.shrunk(subject, found, steps, restores: restores)
      let text = Self.flaw(subject, fewest, restores: restores)?.text ?? found.text
      Issue.record("\(subject.testDescription), seed \(seed), restores \(restores): \(text)\n  \(fewest)")
    }
    Self.progress.withLock { $0.add(steps: seeds.count * Self.life, flaws: kinds.count) }
  }
}
