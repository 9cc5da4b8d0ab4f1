// SPDX-License-Identifier: MIT
//
// Random lives of the daemon from a seed (Tests/Simulation/Simulation). Some here, some thousands by `make simulate`, which shrinks what
// fails to a test like those of ShrinkerTests.

import Foundation
import Simulation
import Testing

@Suite struct SimulationTests {
  @Test(arguments: 1..<25 as Range<UInt64>) func everyPromiseHolds(_ seed: UInt64) throws {
    let complaints = try Lives.live(seed, isRecorded: true).complaints
    let first = complaints.prefix(3).map { "\($0)" }.joined(separator: "\n")
    #expect(complaints.isEmpty, "seed \(seed), \(complaints.count): \(first)")
  }

  /// A life depends on nothing but its script, and that on nothing but the seed.
  @Test(arguments: [3, 7, 8] as [UInt64]) func theSameScriptIsTheSameLife(_ seed: UInt64) throws {
    let (first, second) = (try Lives.live(seed), try Lives.live(seed))
    #expect(first.transcripts.map(\.count).reduce(0, +) > 10_000)
    #expect(first.script == second.script && first.transcripts == second.transcripts)
    let read = try Script(first.script.description)
    #expect(read == first.script)
    #expect(try Simulation.transcripts(of: read) == first.transcripts)
  }

  /// Lives are eventful enough to show something.
  @Test func livesAreEventful() throws {
    var (text, scripts, restarts, compared, deaths) = ("", "", 0, 0, 0)
    for seed in 1...32 as ClosedRange<UInt64> {
      let outcome = try Lives.live(seed)
      text += outcome.transcripts.map { String(decoding: $0, as: UTF8.self) }.joined()
      scripts += outcome.script.description
      restarts += outcome.restarts
      compared += outcome.compared
      deaths += outcome.deaths
    }
    #expect(restarts > 10 && compared > 30 && deaths > 30)
    for word in [
      "\"snapshot\":true", "\"method\":\"gap\"", "\"method\":\"closed\"", "\"reason\":\"replaced\"",
      "\"reason\":\"connection\"", "\"reason\":\"newEpoch\"", "\"reason\":\"tooOld\"", "\"method\":\"durability\"",
      "didFinish", "\"step\":{\"event\":\"reload\"", "\"step\":{\"event\":\"configure\"",
      "\"trackingScrollView\":\"aside\"", "\"nanoseconds\":", "\"ended\":", "timeBackwards",
      "parseError", "limitExceeded", "rateExceeded", "notPermitted", "\"quotas.", "\"method\":\"ping\"",
      "delegatePassedOver",
      "\"progress\":", "\"method\":\"delegate.ask\"", "\"method\":\"delegate.event\"", "\"depth\":1", "\"asked\":[",
      "\"step\":{\"event\":\"addDelegate\"", "\"step\":{\"event\":\"removeDelegate\"",
      "\"answer\":{\"verdict\":\"pass\"", "behaviorFailed", "invalidOption",
      "it did not answer within", "it still owes", "deadlineExceeded", "\"name\":\"conflict\"",
      "its process died", "\"scrollPhase\":", "\"framesActive\":true", "\"consumed\":",
    ] {
      let isThere = text.contains(word)
      #expect(isThere, "no \(word) in any life")
    }
    for word in [
      "diskFails", "powerCut", "restart", "jump", "setWallClock", "configure", "pluginFile", "tick", "forget",
      "speak", "doom", "startsFail",
    ] {
      let isThere = scripts.contains("\n\(word) ")
      #expect(isThere, "no \(word) in any life")
    }
    #expect(scripts.contains("\"verdict\":\"rewrite\""))
  }
}
