// SPDX-License-Identifier: MIT
//
// A whole header saved at any step and begun again from there gives the same states, to the last bit, as one that was
// never interrupted; and what is no saved header is refused, whatever it is.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SavedHeaderTests {
  /// A delegate that uses everything a delegate may use, from a state of three numbers.
  static func busy(_ probe: Probe) {
    var count = 0.0
    var last = 0.0
    var running = false
    func step(_ probe: Probe, _ header: Header) throws {
      count += 1
      let view = header.scrollViews[0]
      let distance = last - view.contentOffset.y
      _ = try header.moveChain(from: 0, by: distance, by: probe)
      last = header.scrollViews[0].contentOffset.y
      try header.setValue(0, .number(count * distance), by: probe)
      try header.post(Int(count) % 3, nil, isRoutine: Int(count) % 5 == 0, by: probe)
      switch Int(count) % 11 {
      case 1: try header.startTimer(UInt64(count), after: 0.05, by: probe)
      case 2: header.startFrames(by: probe)
      case 3:
        try header.animate(duration: 0.07, delay: 0.01, curve: .easeIn, token: UInt64.max - UInt64(count), by: probe)
      case 5: header.stopFrames(by: probe)
      case 6:
        var wants = header.wants
        wants.prefersStatusBarHidden.toggle()
        wants.topLayoutGuideLength = count / 3
        wants.preferredStatusBarStyle = .lightContent
        try header.setWants(wants, by: probe)
      case 7: header.markLayout(by: probe)
      case 8:
        var look = header.elements[1]
        look.alpha = Float(count / 1000)
        look.center.x += 1 / 3
        look.transform.row1.m2 = count / 7
        try header.setElement(1, look, by: probe)
      case 9: try header.setContentOffset(Point(x: 0, y: view.contentOffset.y + 1.0 / 3), of: 0, by: probe)
      case 10: try header.setFade(DrawerFade.allCases[Int(count) % 3], ofDrawer: 0, by: probe)
      default: break
      }
    }
    probe.attaching = { probe, header in
      for drawer in 0..<2 { try header.claimDrawer(drawer, by: probe) }
      var chain = ChainPolicy()
      chain.tail = 0
      chain.origin = 20.1
      try header.setChain(chain, by: probe)
      try header.expand(from: 0, by: probe)
    }
    probe.receiving = { probe, event, _, header in
      if event.kind == .didScroll, !running {
        running = true
        defer { running = false }
        try step(probe, header)
      }
    }
    probe.timing = { probe, _, header in try header.setValue(0, .number(Double(header.now.nanoseconds)), by: probe) }
    probe.completing = { probe, token, header in
      try header.post(
        2, Value.Record(fields: [.init(name: "t", value: .text("\(token)"))]), isRoutine: false, by: probe)
    }
    probe.framing = { probe, _, header in
      count += 0.25
      try header.setAlpha(count.truncatingRemainder(dividingBy: 1), ofDrawer: 1, by: probe)
    }
    probe.layingOut = { probe, header in try header.setTranslation(Point(x: 0, y: count / 9), ofDrawer: 1, by: probe) }
    probe.saving = { _, _ in ["count": .number(count), "last": .number(last)] }
    probe.restoring = { _, saved, _ in
      guard case .record(let record) = saved.state, case .number(let c)? = record["count"],
        case .number(let l)? = record["last"]
      else { throw DelegateFailure.refused("no state") }
      (count, last) = (c, l)
    }
  }

  static func describe(_ description: inout HeaderDescription) {
    description.drawers[0].elements = ["background", "title"].map { ElementDescription(name: $0) }
    description.scrollViews[0].hasRefreshControl = true
    description.scrollViews[0].refreshControlHidden = true
    description.scrollViews[0].refreshControlHeight = 50
    description.environment.statusBarFollowsHeader = true
    description.environment.safeAreaInset.top = 44
    description.scrollViews[0].contentInsetAdjustment = .automatic
  }

  /// Random events, each with its time.
  static func events(_ count: Int, seed: UInt64) throws -> [(ScrollEvent, Instant)] {
    var random = SplitMix64(seed: seed)
    var time = 100.0
    var offset = 0.0
    return try (0..<count).map { _ in
      time += Double.random(in: 0...0.06, using: &random)
      offset += Double.random(in: -60...80, using: &random)
      let at = Instant(seconds: time)
      let scroll = ScrollEvent(.didScroll, offset: PartialPoint(y: offset))
      switch Int.random(in: 0...24, using: &random) {
      case 0: return (ScrollEvent(.willBeginDragging), at)
      case 1: return (ScrollEvent(.didEndDragging(willDecelerate: Bool.random(using: &random))), at)
      case 2: return (ScrollEvent(.didEndDecelerating), at)
      case 3:
        let height = Double.random(in: 300...2000, using: &random)
        let change = try LayoutChange(["contentSize": ["height": .number(height)], "statusBarHeight": 20])
        return (ScrollEvent(.layout(change)), at)
      case 4:
        let change = try LayoutChange([
          "refreshControl": ["hidden": .bool(Bool.random(using: &random))], "viewport": ["width": 300],
          "boundsAnimationDuration": 0.3, "voiceOverRunning": true,
        ])
        return (ScrollEvent(.layout(change)), at)
      case 5:
        return (
          ScrollEvent(.setOptions(Value.Record(fields: [.init(name: "speed", value: 4)]), delegate: "a")), at
        )
      case 6: return (ScrollEvent(.setTrackingScrollView(to: Bool.random(using: &random) ? "content" : nil)), at)
      default: return (scroll, at)
      }
    }
  }

  static func lines(_ header: Header, _ events: ArraySlice<(ScrollEvent, Instant)>) throws -> [String] {
    var lines: [String] = []
    for (event, time) in events {
      _ = try header.receive(event, at: time) { (state: borrowing HeaderState) in lines.append(state.line) }
    }
    return lines
  }

  @Test(arguments: [UInt64(1), 2]) func `a header saved at any step goes on alike`(_ seed: UInt64) throws {
    let events = try Self.events(120, seed: seed)
    let whole = try Bench(["A", "B"], describe: Self.describe, prepare: { if $0.name == "a" { Self.busy($0) } })
    for step in events.indices {
      let saved = try whole.header.save()
      let description = whole.header.description
      let provider = whole.provider
      let again = try Header(description, epoch: 8, provider: provider, saved: saved)
      #expect(try again.save() == saved, "seed \(seed), step \(step)")
      #expect(again.state.shown == whole.state.shown && again.nextDue == whole.header.nextDue, "step \(step)")
      // A copy and the restored one go the next 12 events together.
      let twin = try Header(copying: whole.header, try whole.header.savedDelegates(), provider: provider)
      #expect(try twin.save() == saved && twin.nextDue == again.nextDue, "copy, seed \(seed), step \(step)")
      let next = events[step..<min(events.count, step + 12)]
      let lines = try Self.lines(again, next)
      #expect(try Self.lines(twin, next) == lines)
      // And the one that was never interrupted says the same at its next event.
      let first = try Self.lines(whole.header, events[step...step])
      #expect(Array(lines.prefix(first.count)) == first, "seed \(seed), step \(step)")
    }
    #expect(whole.state.seq > 90)
  }

  @Test func `a restored header shows what it showed when it was saved`() throws {
    let bench = try Bench()
    try bench.act(at: 1) { probe, header in
      var wants = header.wants
      wants.preferredStatusBarStyle = .lightContent
      try header.setWants(wants, by: probe)
      try header.setValue(0, .number(4), by: probe)
      header.startFrames(by: probe)
    }
    let again = try Bench(saved: try bench.header.save())
    #expect(again.state.shown == bench.state.shown)
  }

  @Test func `a bypassed delegate stays bypassed`() throws {
    let bench = try Bench(["A", "B"])
    bench[0].receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") }
    try bench.send(.didScroll, y: 1, at: 0)
    var restored: [String] = []
    let provider = ProbeProvider([.probe("A"), .probe("B")]) {
      $0.restoring = { probe, _, _ in restored.append(probe.name) }
    }
    let again = try Header(bench.header.description, epoch: 2, provider: provider, saved: try bench.header.save())
    #expect(again.isBypassed(0) && restored == ["b"])
    #expect(again.bypassedValue == [["delegate": "a", "reason": "broken"]])
    // A header that was saved before reasons were kept.
    guard case .record(var saved) = try bench.header.save(), case .list(var members)? = saved["delegates"],
      case .record(var member) = members[0]
    else { preconditionFailure("no delegates are saved") }
    member["bypassed"] = nil
    members[0] = .record(member)
    saved["delegates"] = .list(members)
    let old = try Header(bench.header.description, epoch: 2, provider: provider, saved: .record(saved))
    #expect(old.bypassedValue == [["delegate": "a", "reason": "it failed before it was saved"]])
  }

  @Test func `a delegate hears of its own writes while it takes over, then of what it responds to by then`() throws {
    var log: [String] = []
    let again = try Bench(
      saved: try Bench().header.save(),
      prepare: { probe in
        probe.hears = EventSet(.didScroll)
        probe.receiving = { _, event, _, _ in log.append("\(event.kind) \(event.depth)") }
        probe.restoring = { probe, _, header in
          try header.setContentOffset(Point(x: 0, y: 9), of: 0, by: probe)
          probe.hears = EventSet(.willBeginDragging)
        }
      })
    #expect(log == ["didScroll 1"])
    try again.send(.willBeginDragging, at: 1)
    try again.send(.didScroll, y: 10)
    #expect(log == ["didScroll 1", "willBeginDragging 0"])
  }

  @Test func `a notice that was posted before the saving is routine behind it, until something changes`() throws {
    let post: (Probe, Header) throws -> Void = { try $1.post(1, nil, isRoutine: false, by: $0) }
    let bench = try Bench()
    try bench.act(at: 0, post)
    let again = try Bench(saved: try bench.header.save())
    try again.act(at: 1, post)
    #expect(again.takeStates().isEmpty)
    try again.act { try $1.setValue(0, .number(4), by: $0) }
    try again.act(0, post)
    #expect(again.takeStates().map(\.notices) == [[], ["second"]])
  }

  @Test func `what belongs to nobody is saved as −1`() throws {
    let bench = try Bench(
      describe: { $0.drawers[0].elements = ["background", "title"].map { ElementDescription(name: $0) } },
      prepare: { probe in
        probe.attaching = { probe, header in
          try header.claimDrawer(1, by: probe)
          try header.claimElement(0, by: probe)
        }
      })
    guard case .record(let saved) = try bench.header.save() else { return }
    #expect(saved["drawerOwners"] == [-1, 0] && saved["elementOwners"] == [0, -1])
  }

  @Test(arguments: [-2.0, 1]) func `a tracking scroll view that there is not is refused`(_ wrong: Double) throws {
    let bench = try Bench()
    guard case .record(var saved) = try bench.header.save() else { return }
    saved["trackingScrollView"] = .number(wrong)
    let error = #expect(throws: HeaderError.self) { _ = try Bench(saved: .record(saved)) }
    #expect(error?.field == "saved.trackingScrollView")
  }

  @Test func `a refused state is an error that says whose`() throws {
    let bench = try Bench()
    let provider = ProbeProvider([.probe("A")]) {
      $0.restoring = { _, _, _ in throw DelegateFailure.refused("too old") }
    }
    let saved = try bench.header.save()
    let error = #expect(throws: HeaderError.self) {
      _ = try Header(bench.header.description, epoch: 2, provider: provider, saved: saved)
    }
    #expect(error?.message == "saved.delegates[0].state: A refuses it: too old")
  }

  @Test func `what is no saved header is refused or taken, but never ends the program`() throws {
    let bench = try Bench(["A", "B"], describe: Self.describe, prepare: { if $0.name == "a" { Self.busy($0) } })
    for (event, time) in try Self.events(40, seed: 4) { _ = try bench.header.receive(event, at: time) }
    try bench.act(1) { probe, header in
      header.startFrames(by: probe)
      try header.startTimer(4, after: 0.1, by: probe)
    }
    let saved = try bench.header.save()
    let provider = ProbeProvider([.probe("A"), .probe("B")]) { if $0.name == "a" { Self.busy($0) } }
    var refused = 0
    var limits = Limits()
    limits.framesPerEvent = 3
    for wrong in saved.spoiled {
      do throws(HeaderError) {
        let header = try Header(bench.header.description, epoch: 2, provider: provider, limits: limits, saved: wrong)
        _ = try? header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 3)), at: Instant(seconds: 500))
        _ = try? header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 30)), at: Instant(seconds: 501))
      } catch {
        #expect(error.message.hasPrefix("saved"))
        refused += 1
      }
    }
    #expect(refused > 500)
  }

  /// Found by fuzzing: who began at the end of a count was refused what it saved itself.
  @Test func `counts at their end are saved no further than they are taken`() throws {
    let bench = try Bench(["A", "B"], describe: Self.describe, prepare: { if $0.name == "a" { Self.busy($0) } })
    let provider = ProbeProvider([.probe("A"), .probe("B")]) { if $0.name == "a" { Self.busy($0) } }
    guard case .record(var saved) = try bench.header.save(), case .record(var schedule)? = saved["schedule"] else {
      Issue.record("a saved header has no schedule")
      return
    }
    schedule["nextOrder"] = 9e15
    saved["schedule"] = .record(schedule)
    saved["changeCount"] = 9e15
    saved["seq"] = 9e15
    let again = try Header(bench.header.description, epoch: 2, provider: provider, saved: .record(saved))
    for (event, time) in try Self.events(20, seed: 4) { _ = try again.receive(event, at: time) }
    #expect(again.state.seq > 9_000_000_000_000_000)
    #expect(throws: Never.self) {
      _ = try Header(again.description, epoch: 3, provider: provider, saved: again.save())
    }
  }
}
