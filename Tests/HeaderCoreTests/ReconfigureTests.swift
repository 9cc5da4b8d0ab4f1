// SPDX-License-Identifier: MIT
//
// Changes of what a living header is made of: its drawers, scroll views and surroundings (`header.configure`), and the
// code of a delegate (reload).

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ReconfigureTests {
  static func configure(_ bench: Bench, at seconds: Double? = nil, _ change: (inout HeaderDescription) -> Void)
    throws(HeaderError) -> [HeaderState]
  {
    var next = bench.header.description
    change(&next)
    var states: [HeaderState] = []
    try bench.header.reconfigure(to: next, at: seconds.map(Instant.init(seconds:))) { (state: borrowing HeaderState) in
      states.append(copy state)
    }
    return states
  }

  /// A delegate that owns all drawers, also new ones.
  static func owner(_ probe: Probe) {
    let claim: (Probe, Header) throws -> Void = { probe, header in
      for drawer in header.drawers.indices { try header.claimDrawer(drawer, by: probe) }
    }
    probe.attaching = claim
    probe.receiving = { probe, event, _, header in
      if event.kind == .layout, event.given.contains(.structure) { try claim(probe, header) }
    }
  }

  @Test func `a drawer of the same name keeps its place, a new one has its own`() throws {
    let bench = try Bench(prepare: Self.owner)
    try bench.act(at: 0) { probe, header in
      try header.setFrame(Rect(x: 0, y: -12, width: 320, height: 44), ofDrawer: 0, by: probe)
      try header.setAlpha(0.25, ofDrawer: 1, by: probe)
    }
    let states = try Self.configure(bench) { description in
      description.drawers.insert(DrawerDescription(name: "search", height: 50, y: 44, width: 320), at: 1)
      description.drawers[2].height = 60
    }
    #expect(states.map(\.seq) == [3])
    #expect(bench.state.names.drawers == ["navBar", "search", "extension"])
    #expect(bench.state.drawers.map(\.frame.origin.y) == [-12, 44, 44])
    #expect(bench.state.drawers.map(\.size.height) == [44, 50, 60])
    #expect(bench.state.drawers.map(\.alpha) == [1, 1, 0.25])
    for drawer in 0..<3 { #expect(bench.header.owns(drawer, bench[0])) }
  }

  @Test func `what the description says otherwise of a drawer is taken over, the rest stays`() throws {
    let bench = try Bench(prepare: Self.owner)
    try bench.act(at: 0) { probe, header in
      try header.setHidden(true, ofDrawer: 0, by: probe)
      try header.setSticky(true, ofDrawer: 1, by: probe)
      try header.setHeights(minimum: 7, maximum: 70, ofDrawer: 1, by: probe)
    }
    _ = try Self.configure(bench) {
      $0.drawers[0].sticky = true
      $0.drawers[0].alpha = 0.5
      $0.drawers[1].maximumHeight = 80
    }
    #expect(
      bench.header.drawers[0].isHidden && bench.header.drawers[0].isSticky && bench.header.drawers[0].alpha == 0.5)
    #expect(bench.header.drawers[1].isSticky && bench.header.drawers[1].minimumHeight == 7)
    #expect(bench.header.drawers[1].maximumHeight == 80)
    _ = try Self.configure(bench) {
      $0.drawers[0].sticky = false
      $0.drawers[1].hidden = true
    }
    #expect(!bench.header.drawers[0].isSticky && bench.header.drawers[1].isHidden)
  }

  @Test func `a drawer that changes its name alone makes a state`() throws {
    let bench = try Bench(prepare: Self.owner)
    let states = try Self.configure(bench) { $0.drawers[1].name = "tabs" }
    #expect(states.map(\.names.drawers) == [["navBar", "tabs"]])
  }

  @Test func `the delegates are told what was given, once`() throws {
    let bench = try Bench(["A", "B"])
    var told: [(LayoutKeys, LayoutKeys)] = []
    bench[1].receiving = { _, event, _, _ in if event.kind == .layout { told.append((event.given, event.changed)) } }
    _ = try Self.configure(bench) {
      $0.environment.reduceMotion = true
      $0.environment.statusBarHeight = 20
    }
    #expect(told.count == 1 && told[0].0 == [.reduceMotion, .statusBarHeight] && told[0].1 == told[0].0)
    #expect(bench.header.environment.reduceMotion && bench.header.environment.statusBarHeight == 20)
    told = []
    _ = try Self.configure(bench) { _ in }
    #expect(told.isEmpty)
    _ = try Self.configure(bench) { $0.drawers.removeLast() }
    #expect(told.count == 1 && told[0].0 == [.drawers, .structure])
  }

  @Test func `what events changed of the surroundings stays unless the description says otherwise`() throws {
    let bench = try Bench()
    try bench.send(.didDisappear, at: 0)
    try bench.send(.layout(LayoutChange(["statusBarHidden": true])))
    _ = try Self.configure(bench) { $0.environment.safeAreaInset.top = 44 }
    #expect(!bench.header.environment.visible && bench.header.environment.statusBarHidden)
    #expect(bench.header.environment.safeAreaInset.top == 44)
  }

  @Test func `a scroll view of the same name keeps offset, flags and correction`() throws {
    let bench = try Bench()
    try bench.send(.willBeginDragging, at: 0)
    try bench.send(.didScroll, y: 100)
    try bench.act { probe, header in try header.moveSilently(to: Point(x: 0, y: 110), 0, by: probe) }
    try bench.send(.layout(LayoutChange(["clamping": "none"])))
    _ = try Self.configure(bench) { description in
      description.scrollViews.insert(ScrollViewDescription(name: "side"), at: 0)
      description.scrollViews[1].contentSize.height = 3000
      description.scrollViews[1].hasRefreshControl = true
      description.scrollViews[1].refreshControlHeight = 60
      description.scrollViews[1].scrollIndicatorInsets.top = 9
    }
    let view = bench.header.scrollViews[1]
    #expect(view.contentOffset.y == 110 && view.correction.y == 10 && view.isDragging && view.clamping == .none)
    #expect(view.contentSize.height == 3000 && view.hasRefreshControl && view.refreshControlHeight == 60)
    #expect(view.scrollIndicatorInsets.top == 9)
    #expect(bench.header.trackingScrollView == 1)
  }

  @Test func `the tracking view stays by name, and another one is told`() throws {
    let bench = try Bench(["A"], describe: { $0.scrollViews.append(ScrollViewDescription(name: "other")) })
    var log: [String] = []
    bench[0].receiving = { _, event, _, header in
      log.append("\(event.kind) \(event.scrollView) \(event.newScrollView) \(header.trackingScrollView)")
    }
    try bench.send(.setTrackingScrollView(to: "other"), at: 0)
    log = []
    _ = try Self.configure(bench) { $0.scrollViews.insert(ScrollViewDescription(name: "first"), at: 0) }
    #expect(bench.header.trackingScrollView == 2)
    #expect(log == ["layout 2 -1 2"])
    log = []
    let states = try Self.configure(bench) { $0.trackingScrollView = "first" }
    #expect(log == ["setTrackingScrollView 2 0 0"])
    #expect(states.map(\.trackingScrollView) == [0])
  }

  @Test func `a scroll view that comes again gets back the insets of its new life`() throws {
    let bench = try Bench(describe: { $0.onLeave = .restore })
    let other = ScrollViewDescription(name: "other")
    _ = try Self.configure(bench) { ($0.scrollViews, $0.trackingScrollView) = ([other], "other") }
    _ = try Self.configure(bench) {
      $0.scrollViews.append(ScrollViewDescription(name: "content"))
      $0.scrollViews[1].record.contentInset = Insets(top: 20)
    }
    for name in ["content", "other"] { try bench.send(.setTrackingScrollView(to: name)) }
    #expect(bench.header.scrollViews[1].contentInset.top == 20)
  }

  @Test func `the chain's tail stays the scroll view of its name, and is none when that goes`() throws {
    let bench = try Bench(prepare: Self.owner)
    try bench.act(at: 0) { probe, header in
      var chain = ChainPolicy()
      chain.tail = 0
      try header.setChain(chain, by: probe)
    }
    _ = try Self.configure(bench) { $0.scrollViews.insert(ScrollViewDescription(name: "side"), at: 0) }
    #expect(bench.header.chain.tail == 1)
    _ = try Self.configure(bench) {
      $0.scrollViews.removeLast()
      $0.trackingScrollView = "side"
    }
    #expect(bench.header.chain.tail == -1)
  }

  @Test func `after a change of what it is made of a repeated notice is a new one`() throws {
    let bench = try Bench()
    func post() throws { try bench.act { probe, header in try header.post(0, nil, isRoutine: false, by: probe) } }
    try post()
    try post()
    #expect(bench.takeStates().map(\.notices) == [["first"]])
    _ = try Self.configure(bench) { $0.frameRate = 30 }
    try post()
    #expect(bench.takeStates().map(\.notices) == [["first"]])
  }

  @Test func `frames of another rate go on from now, time never goes back`() throws {
    let bench = try Bench(["A"], describe: { $0.frameRate = 10 })
    var times: [Double] = []
    bench[0].framing = { _, _, header in times.append(header.now.seconds) }
    try bench.act(at: 0) { probe, header in header.startFrames(by: probe) }
    try bench.send(.advance(frameDuration: nil), at: 3)
    times = []
    _ = try Self.configure(bench, at: 3) { $0.frameRate = 20 }
    try bench.send(.advance(frameDuration: nil), at: 3.1)
    #expect(times == [3.05, 3.1])
  }

  @Test func `too many of anything is refused and changes nothing`() throws {
    let bench = try Bench()
    let before = bench.state.line
    let error = #expect(throws: HeaderError.self) {
      _ = try Self.configure(bench) { description in
        description.drawers = (0...64).map { DrawerDescription(name: "d\($0)", height: 1, y: 0, width: 1) }
      }
    }
    #expect(error?.name == .limitExceeded)
    #expect(error?.message == "drawers: a header has at most 64 drawers, got 65")
    #expect(bench.state.line == before && bench.header.description.drawers.count == 2)
  }

  // MARK: Other code for a delegate

  static func replacement(_ behavior: BehaviorDescription = .probe("A"), _ prepare: (Probe) -> Void) -> Probe {
    let probe = Probe(name: "a", behavior: behavior)
    prepare(probe)
    return probe
  }

  @Test func `new code takes over with what the old one saved, and nothing that shows jumps`() throws {
    var log: [String] = []
    let bench = try Bench(
      ["A", "B"],
      prepare: { probe in
        Self.owner(probe)
        if probe.name == "b" { probe.attaching = { _, _ in }; probe.receiving = { _, _, _, _ in } }
        probe.saving = { _, _ in ["count": 41] }
        probe.detaching = { log.append("detach \($0.name)") }
      })
    try bench.act(at: 0) { probe, header in
      try header.setValue(0, .number(12), by: probe)
      try header.startTimer(8, after: 1, by: probe)
      try header.post(0, nil, isRoutine: false, by: probe)
    }
    var states = 0
    let fresh = Self.replacement { probe in
      probe.restoring = { probe, saved, header in log.append("restore \(saved.version) \(saved.state)") }
      probe.timing = { _, token, _ in log.append("timer \(token)") }
      probe.setting = { _, _, _, _ in log.append("option") }
    }
    let before = bench.state
    try bench.header.replaceDelegate(at: 0, with: fresh) { (_: borrowing HeaderState) in states += 1 }
    #expect(states == 0 && bench.state.seq == 2)
    #expect(bench.state.drawers == before.drawers && bench.state.values == before.values)
    #expect(log.count == 2 && log[0].hasPrefix("restore 3") && log[1] == "detach a")
    try bench.act { probe, header in
      #expect(header.value(0, of: probe) == .number(12))
      try header.post(0, nil, isRoutine: false, by: probe)
    }
    // Nothing changed since the old code posted it, so it is routine and makes no state.
    #expect(bench.state.seq == 2)
    try bench.send(.advance(frameDuration: nil), at: 2)
    #expect(log.last == "timer 8")
  }

  @Test func `new code that refuses leaves everything as it was`() throws {
    let refusals: [(String, (Probe, Header) throws -> Void)] = [
      ("refuses", { _, _ in throw DelegateFailure.refused("too old") }),
      ("fails", { _, _ in throw DelegateFailure.failed("broken") }),
      (
        "moves things first",
        { probe, header in
          try header.claimDrawer(1, by: probe)
          try header.setFrame(Rect(x: 0, y: -30, width: 320, height: 44), ofDrawer: 0, by: probe)
          try header.setContentInset(Insets(top: 99), of: 0, by: probe)
          try header.moveSilently(to: Point(x: 0, y: 77), 0, by: probe)
          try header.setValue(0, .number(5), by: probe)
          try header.startTimer(1, after: 1, by: probe)
          header.startFrames(by: probe)
          header.markLayout(by: probe)
          try header.afterEvent(1, by: probe)
          try header.post(0, nil, isRoutine: false, by: probe)
          try header.command("flashScrollIndicators", Value.Record(), for: 0, by: probe)
          var wants = header.wants
          wants.prefersStatusBarHidden = true
          try header.setWants(wants, by: probe)
          try header.setTrackingScrollView(-1, by: probe)
          var chain = ChainPolicy()
          chain.origin = 3
          try header.setChain(chain, by: probe)
          throw DelegateFailure.refused("too old")
        }
      ),
    ]
    for (what, restore) in refusals {
      var heard = 0
      let bench = try Bench(
        ["A"],
        prepare: { probe in
          probe.attaching = { try $1.claimDrawer(0, by: $0) }
          probe.receiving = { _, _, _, _ in heard += 1 }
          probe.layingOut = { _, _ in heard += 100 }
          probe.working = { _, _, _ in heard += 100 }
          probe.framing = { _, _, _ in heard += 100 }
          probe.timing = { _, _, _ in heard += 100 }
        })
      try bench.send(.didScroll, y: 3, at: 0)
      let saved = try bench.header.save()
      var states = 0
      var detached = false
      let fresh = Self.replacement { probe in
        probe.restoring = { probe, _, header in try restore(probe, header) }
        probe.detaching = { _ in detached = true }
      }
      let error = #expect(throws: HeaderError.self) {
        try bench.header.replaceDelegate(at: 0, with: fresh) { (_: borrowing HeaderState) in states += 1 }
      }
      #expect(error?.name == .pluginRefused)
      #expect(error?.message.hasPrefix("header \"main\" keeps the old A: delegates[0]: A ") == true)
      #expect(try bench.header.save() == saved, "\(what)")
      #expect(states == 0 && !detached && bench.header.delegates[0] !== fresh)
      try bench.send(.didScroll, y: 4, at: 9)
      #expect(heard == 2 && bench.state.seq == 1, "\(what)")
    }
  }

  @Test func `new code begins anew where the old one was bypassed`() throws {
    let bench = try Bench()
    bench[0].receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") }
    try bench.send(.didScroll, y: 1, at: 0)
    #expect(bench.header.isBypassed(0))
    var attached = 0
    try bench.header.replaceDelegate(at: 0, with: Self.replacement { $0.attaching = { _, _ in attached += 1 } })
    #expect(attached == 1 && !bench.header.isBypassed(0))
    #expect(try bench.send(.didScroll, y: 2).failure == nil)
  }

  @Test func `values that still exist keep their contents, others begin`() throws {
    let bench = try Bench(["A", "B"])
    for index in 0..<2 {
      try bench.act(index, at: 0) { probe, header in try header.setValue(0, .number(9), by: probe) }
    }
    var wider = BehaviorDescription.probe("A")
    wider.values.insert(ValueDescription(name: "new", type: .bool, initial: .bool(true), meaning: ""), at: 0)
    var states: [HeaderState] = []
    try bench.header.replaceDelegate(at: 0, with: Self.replacement(wider) { _ in }) { (state: borrowing HeaderState) in
      states.append(copy state)
    }
    #expect(states.count == 1)
    #expect(bench.state.names.values == ["new", "valueA", "valueB"])
    #expect(bench.state.values.map(\.content) == [.bool(true), .number(9), .number(9)])
    try bench.act(1) { probe, header in try header.setValue(0, .number(10), by: probe) }
    #expect(bench.state.values.map(\.content) == [.bool(true), .number(9), .number(10)])
  }
}
