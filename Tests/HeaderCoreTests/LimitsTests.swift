// SPDX-License-Identifier: MIT
//
// What the limits accept is what the engine can do: at each upper bound everything still works, and one more is refused.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct LimitsTests {
  private func most(_ name: String) throws -> Int {
    let entry = try #require(Limits.entries.first { $0.name == name })
    guard case .count(_, let range) = entry.kind else { return 0 }
    return range.upperBound
  }

  private func names(_ count: Int) -> [String] { (0..<count).map { "P\($0)" } }

  /// The most that anybody may ask for; the engine goes no further than it can.
  private static var generous: Limits {
    var limits = Limits()
    limits.delegates = 32_767
    limits.values = 32_767
    limits.drawers = 32_767
    return limits
  }

  @Test func `a full chain is told everything and laid out, to its last member`() throws {
    let count = try most("delegates")
    var told = Array(repeating: 0, count: count)
    var laidOut = told
    var followed = told
    let bench = try Bench(
      names(count), limits: Self.generous,
      prepare: { probe in
        probe.receiving = { probe, event, _, header in
          guard event.kind == .didScroll else { return }
          told[Int(probe.index)] += 1
          header.markLayout(by: probe)
        }
        probe.layingOut = { probe, _ in laidOut[Int(probe.index)] += 1 }
      })
    try bench.send(.didScroll, y: 10, at: 0)
    #expect(told == Array(repeating: 1, count: count))
    #expect(laidOut == Array(repeating: 1, count: count))

    // Those that follow get a pass of their own; here the first and the last do.
    for index in [0, count - 1] {
      bench.header.followChanges(by: bench[index])
      bench[index].layingOut = { probe, _ in followed[Int(probe.index)] += 1 }
      bench[index].receiving = { _, _, _, _ in }
    }
    try bench.act { try $1.setValue(0, .number(1), by: $0) }
    #expect(followed.indices.filter { followed[$0] > 0 } == [0, count - 1])
  }

  @Test func `an offset that is brought back at the deepest event is told to nobody`() throws {
    var limits = Limits()
    limits.nestedDepth = 2
    var behavior = BehaviorDescription.probe("A")
    behavior.events = [.all, .made]
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "A")]
    var told: [String] = []
    let provider = ProbeProvider([behavior]) { probe in
      probe.receiving = { probe, event, _, header in
        told.append("\(event.kind) \(event.depth)")
        switch (event.kind, event.depth) {
        case (.didScroll, 0): try header.setContentOffset(Point(x: 0, y: 900), of: 0, by: probe)
        case (.didWriteContentOffset, 1):
          try header.setContentSize(Size(width: 320, height: 500), of: 0, by: probe)
        default: break
        }
      }
    }
    let header = try Header(description, epoch: 1, provider: provider, limits: limits)
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 10)))
    #expect(told == ["didWriteContentOffset 0", "didScroll 0", "didWriteContentOffset 1", "didScroll 1"])
    #expect(header.scrollViews[0].contentOffset.y == 20 && !header.isBypassed(0))
  }

  @Test func `a delegate that uses up its commands leaves the next one its own`() throws {
    let bench = try Bench(["A", "B"])
    var count = 1024
    bench[0].receiving = { probe, event, _, header in
      guard event.kind == .didScroll else { return }
      for _ in 0..<count { try header.command("flashScrollIndicators", Value.Record(), for: 0, by: probe) }
    }
    bench[1].receiving = { probe, event, _, header in
      guard event.kind == .didScroll else { return }
      try header.command("flashScrollIndicators", Value.Record(), for: 0, by: probe)
    }
    #expect(try bench.send(.didScroll, y: 1, at: 0).failure == nil)
    #expect(bench.state.happened.commands.count == 1025)
    count += 1
    let failure = try bench.send(.didScroll, y: 2, at: 1).failure
    #expect(failure?.message.hasSuffix("it gave more than 1024 commands with one event") == true)
    #expect(bench.header.isBypassed(0) && !bench.header.isBypassed(1))
  }

  @Test func `one delegate more than the engine can tell apart is refused, whatever the limits say`() throws {
    let count = try most("delegates")
    #expect(Self.generous.delegates == count)
    let error = #expect(throws: HeaderError.self) { _ = try Bench(names(count + 1), limits: Self.generous) }
    #expect(error?.name == .limitExceeded)
    #expect(error?.facts["limit"] == ["name": "delegates", "value": .number(Double(count)), "key": "limits.delegates"])

    let bench = try Bench(names(count), limits: Self.generous)
    bench.provider.behaviors.append(.probe("More"))
    let refused = #expect(throws: HeaderError.self) {
      try bench.header.addDelegate(DelegateDescription(behavior: "More"), provider: bench.provider)
    }
    #expect(refused?.name == .limitExceeded)
    #expect(bench.header.delegates.count == count)
  }

  /// The chain of drawers is walked in a loop: at the limit it is longer than a stack is deep.
  @Test(arguments: [-10.0, 10]) func `a movement goes through as many drawers as there may be`(
    _ distance: Double
  ) throws {
    let count = try most("drawers")
    let bench = try Bench(
      limits: Self.generous,
      describe: { description in
        description.scrollViews[0].clamping = .none
        description.drawers = (0..<count).map {
          DrawerDescription(name: "d\($0)", height: 1, y: Double($0), width: 320)
        }
      },
      prepare: { probe in
        probe.attaching = { probe, header in
          for drawer in 0..<count { try header.claimDrawer(drawer, by: probe) }
          var chain = ChainPolicy()
          chain.expandsFirst = .last
          chain.hidesPassedDrawers = false
          try header.setChain(chain, by: probe)
        }
      })
    var residual = 0.0
    try bench.act { residual = try $1.moveChain(from: 0, by: distance, by: $0) }
    #expect(residual == max(0, distance))
    // Each of the last ten is contracted by its point.
    let end = distance < 0 ? Double(count) - 10 : Double(count)
    #expect(bench.state.drawers.last?.frame.maxY == end)
  }

  /// So are those that follow each other.
  @Test(arguments: [false, true]) func `as many drawers follow each other as there may be`(_ isCircle: Bool) throws {
    let count = try most("drawers")
    let open = {
      try Bench(
        limits: Self.generous,
        describe: { description in
          description.drawers = (0..<count).map {
            var drawer = DrawerDescription(name: "d\($0)", height: 1, y: Double($0), width: 320)
            guard $0 > 0 || isCircle else { return drawer }
            drawer.edge = .bottom
            drawer.follow = Following(drawer: "d\(($0 + count - 1) % count)")
            return drawer
          }
        })
    }
    if isCircle {
      let error = #expect(throws: HeaderError.self) { _ = try open() }
      #expect(error?.name == .conflict && error?.field == "drawers[0].follow")
    } else {
      let bench = try open()
      #expect(bench.state.drawers.count == count)
    }
  }
}
