// SPDX-License-Identifier: MIT

import Simulation
import Testing

@Suite struct ShrinkerTests {
  /// A fault that takes two actions in order, planted into a random life: nothing else is left of it.
  @Test func onlyWhatFailsIsLeft() throws {
    let script = try Lives.live(5, steps: 60).script
    func place(_ script: Script, _ word: String, after start: Int = 0) -> Int? {
      script.actions.indices.dropFirst(start).first { "\(script.actions[$0])".contains(word) }
    }
    func fails(_ script: Script) -> Bool {
      guard let first = place(script, "subscribe") else { return false }
      return place(script, "\"event\":\"didScroll\"", after: first + 1) != nil
    }
    #expect(fails(script) && script.actions.count > 300)
    var shrinker = Shrinker(fails)
    let shrunk = shrinker.shrink(script)
    #expect(shrunk.actions.count == 2 && fails(shrunk))
    #expect(try Script(shrunk.description) == shrunk)
    #expect(shrunk.test(named: "seed5").contains("      \(script.description.prefix { $0 != "\n" })\n"))
  }

  /// The same where the fault shows in what the daemon does: what it takes to be told of a header remains, and no action of it can be
  /// left out.
  @Test func whatALifeNeedsIsLeft() throws {
    let script = try Lives.live(6, steps: 8).script
    func fails(_ script: Script) -> Bool {
      let text = ((try? Simulation.transcripts(of: script)) ?? []).map { String(decoding: $0, as: UTF8.self) }.joined()
      return text.contains("\"snapshot\":true")
    }
    #expect(fails(script))
    var shrinker = Shrinker(fails)
    let shrunk = shrinker.shrink(script)
    #expect(shrunk.actions.count <= 8 && fails(shrunk))
    for index in shrunk.actions.indices {
      var shorter = shrunk
      shorter.actions.remove(at: index)
      #expect(!fails(shorter), "\(shrunk.actions[index]) is not needed")
    }
  }
}
