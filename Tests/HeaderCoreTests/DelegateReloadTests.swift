// SPDX-License-Identifier: MIT
//
// New code for a delegate in two steps: what is prepared and dropped leaves no trace, what is prepared and committed gives
// what a reload in one step gives, to the last bit.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct DelegateReloadTests {
  /// A header in mid-life with two busy delegates, made the same way each time.
  static func busyBench(seed: UInt64) throws -> Bench {
    let bench = try Bench(
      ["A", "B"], describe: SavedHeaderTests.describe,
      prepare: { probe in
        if probe.name == "a" { SavedHeaderTests.busy(probe) } else { observe(probe) }
      })
    for (event, time) in try SavedHeaderTests.events(60, seed: seed) { try bench.send(event, at: time.seconds) }
    return bench
  }

  /// A delegate whose saved state is what it has heard.
  static func observe(_ probe: Probe) {
    var heard = 0.0
    probe.receiving = { probe, _, _, header in
      heard += 1
      try header.setValue(0, .number(heard), by: probe)
    }
    probe.saving = { _, _ in .number(heard) }
    probe.restoring = { _, saved, _ in
      guard case .number(let number) = saved.state else { throw DelegateFailure.refused("no number") }
      heard = number
    }
  }

  static func reload(_ name: String) -> HeaderInput { .reloadDelegate(name, plugin: "Test") }

  /// Sends the same further events to two headers, and expects the same of both.
  static func expectSameFuture(_ bench: Bench, _ twin: Bench, seed: UInt64) throws {
    #expect(try bench.header.save() == twin.header.save())
    #expect(bench.takeStates().map(\.line) == twin.takeStates().map(\.line))
    for (event, time) in try SavedHeaderTests.events(200, seed: seed).dropFirst(60) {
      try bench.send(event, at: time.seconds)
      try twin.send(event, at: time.seconds)
    }
    #expect(bench.takeStates().map(\.line) == twin.takeStates().map(\.line))
    #expect(try bench.header.save() == twin.header.save())
  }

  @Test(arguments: UInt64(1)...6) func `what is prepared and dropped leaves no trace`(seed: UInt64) throws {
    let bench = try Self.busyBench(seed: seed)
    let twin = try Self.busyBench(seed: seed)
    let before = try bench.header.save()
    let old = bench[0]
    var detached = 0
    weak var made: Probe?
    bench.provider.prepare = { probe in
      SavedHeaderTests.busy(probe)
      let restore = probe.restoring
      probe.restoring = { probe, saved, header in
        try restore(probe, saved, header)
        try header.setFrame(Rect(x: 0, y: -30, width: 320, height: 44), ofDrawer: 0, by: probe)
        try header.moveSilently(to: Point(x: 0, y: 77), 0, by: probe)
        try header.setValue(0, .number(5), by: probe)
        try header.startTimer(1, after: 0.01, by: probe)
        header.startFrames(by: probe)
        header.followChanges(by: probe)
        header.markLayout(by: probe)
        try header.afterEvent(1, by: probe)
        try header.post(0, nil, isRoutine: false, by: probe)
      }
      probe.detaching = { _ in detached += 1 }
      made = probe
    }
    do {
      let prepared = try bench.header.prepareReload(of: "a", plugin: "Test", provider: bench.provider)
      withExtendedLifetime(prepared) {
        #expect(made != nil && detached == 0)
        #expect(bench[0] === old)
      }
    }
    #expect(made == nil && detached == 1)
    #expect(try bench.header.save() == before)
    #expect(bench.header.takeRemarks() == nil && !bench.header.hasFailure)
    try Self.expectSameFuture(bench, twin, seed: seed)
  }

  @Test(arguments: UInt64(1)...6) func `what is prepared and committed is a reload in one step`(seed: UInt64) throws {
    let bench = try Self.busyBench(seed: seed)
    let twin = try Self.busyBench(seed: seed)
    var detached: [String] = []
    bench[0].detaching = { _ in detached.append("old") }
    let old = bench[0]
    for provider in [bench.provider, twin.provider] {
      provider.prepare = { probe in
        SavedHeaderTests.busy(probe)
        let restore = probe.restoring
        probe.restoring = { probe, saved, header in
          try restore(probe, saved, header)
          try header.setValue(0, .number(55), by: probe)
          try header.startTimer(9, after: 0.02, by: probe)
          header.markLayout(by: probe)
        }
        probe.detaching = { _ in detached.append("new") }
      }
    }
    _ = bench.takeStates()
    _ = twin.takeStates()
    var states: [String] = []
    var expected: [String] = []
    let prepared = try bench.header.prepareReload(of: "a", plugin: "Test", provider: bench.provider)
    #expect(detached.isEmpty)
    _ = try bench.header.apply(Self.reload("a"), prepared: prepared, provider: NoProvider()) {
      (state: borrowing HeaderState) in states.append((copy state).line)
    }
    #expect(detached == ["old"] && bench[0] !== old)
    _ = try twin.header.apply(Self.reload("a"), prepared: nil, provider: twin.provider) {
      (state: borrowing HeaderState) in expected.append((copy state).line)
    }
    #expect(states == expected && states.count == 1)
    try Self.expectSameFuture(bench, twin, seed: seed)
  }

  @Test func `two delegates of one header are prepared together and committed one after the other`() throws {
    let bench = try Self.busyBench(seed: 3)
    let twin = try Self.busyBench(seed: 3)
    let names = ["a", "b"]
    let old = bench.header.delegates
    let prepared = try names.map { name in
      try bench.header.prepareReload(of: name, plugin: "Test", provider: bench.provider)
    }
    for (name, one) in zip(names, prepared) {
      _ = try bench.header.apply(Self.reload(name), prepared: one, provider: bench.provider)
      _ = try twin.header.apply(Self.reload(name), provider: twin.provider)
    }
    #expect(bench.header.delegates[0] !== old[0] && bench.header.delegates[1] !== old[1])
    try Self.expectSameFuture(bench, twin, seed: 3)
  }

  @Test func `a header that went on is reloaded as it is now`() throws {
    let bench = try Self.busyBench(seed: 4)
    let twin = try Self.busyBench(seed: 4)
    let prepared = try bench.header.prepareReload(of: "b", plugin: "Test", provider: bench.provider)
    for one in [bench, twin] { try one.send(.didScroll, y: 31, at: 500) }
    _ = try bench.header.apply(Self.reload("b"), prepared: prepared, provider: bench.provider)
    _ = try twin.header.apply(Self.reload("b"), provider: twin.provider)
    try Self.expectSameFuture(bench, twin, seed: 4)
  }

  @Test func `who refuses at the preparation refuses as in a reload`() throws {
    let refusals: [(Probe) -> Void] = [
      { $0.restoring = { _, _, _ in throw DelegateFailure.refused("too old") } },
      { $0.setting = { _, _, _, _ in throw DelegateFailure.failed("no such option") } },
      {
        $0.restoring = { probe, _, header in
          try header.moveSilently(to: Point(x: 0, y: 77), 0, by: probe)
          header.markLayout(by: probe)
          throw DelegateFailure.failed("broken")
        }
      },
    ]
    for refuse in refusals {
      let bench = try Bench(["A"], describe: { $0.delegates[0].options = ["speed": 2] })
      try bench.send(.didScroll, y: 3, at: 0)
      let before = try bench.header.save()
      var detached = 0
      bench.provider.prepare = { probe in
        refuse(probe)
        probe.detaching = { _ in detached += 1 }
      }
      let error = #expect(throws: HeaderError.self) {
        try bench.header.prepareReload(of: "a", plugin: "Test", provider: bench.provider)
      }
      #expect(try bench.header.save() == before && detached == 0 && !bench.header.hasFailure)
      let expected = #expect(throws: HeaderError.self) {
        try bench.header.apply(Self.reload("a"), provider: bench.provider)
      }
      #expect(error?.name == .pluginRefused && error == expected)
    }
    let bench = try Bench(["A"])
    let error = #expect(throws: HeaderError.self) {
      try bench.header.prepareReload(of: "z", plugin: "Test", provider: bench.provider)
    }
    #expect(error?.name == .delegateNotFound)
  }

  /// What is prepared needs nobody to make anything.
  private final class NoProvider: BehaviorProvider {
    var behaviorNames: [String] { [] }
    func behavior(named name: String) -> BehaviorDescription? { nil }
    func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
      throw HeaderError(.behaviorNotFound, "nothing is made anew")
    }
  }
}
