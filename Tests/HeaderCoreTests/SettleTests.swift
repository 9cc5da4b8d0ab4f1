// SPDX-License-Identifier: MIT
//
// When a state is made and what is in it; notices, options, calls, visibility.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SettleTests {
  @Test func `time and the reported offset alone make no state`() throws {
    let bench = try Bench()
    #expect(bench.state.seq == 1)
    for step in 1...20 {
      let answer = try bench.send(.didScroll, y: Double(step), at: Double(step))
      #expect(answer.seq == 1)
    }
    for kind: ScrollEvent.Kind in [.willBeginDragging, .didEndDragging(willDecelerate: false), .didBecomeActive] {
      try bench.send(kind)
    }
    #expect(bench.states.isEmpty)
    #expect(bench.state.scrollViews[0].contentOffset.y == 20)
  }

  @Test func `each thing that is told makes a state, once, and seq has no holes`() throws {
    let bench = try Bench(
      ["A"],
      prepare: { probe in
        probe.attaching = { probe, header in try header.claimDrawer(0, by: probe) }
      })
    let acts: [(String, (Probe, Header) throws -> Void)] = [
      ("offset", { try $1.setContentOffset(Point(x: 0, y: 4), of: 0, by: $0) }),
      ("silent", { try $1.moveSilently(to: Point(x: 0, y: 5), 0, by: $0) }),
      ("inset", { try $1.setContentInset(Insets(bottom: 3), of: 0, by: $0) }),
      ("indicators", { try $1.setScrollIndicatorInsets(Insets(top: 3), of: 0, by: $0) }),
      ("frame", { try $1.setFrame(Rect(x: 0, y: -5, width: 320, height: 485), ofScrollView: 0, by: $0) }),
      ("content size", { try $1.setContentSize(Size(width: 320, height: 2100), of: 0, by: $0) }),
      ("drawer", { try $1.setFrame(Rect(x: 0, y: 0, width: 320, height: 30), ofDrawer: 0, by: $0) }),
      ("alpha", { try $1.setAlpha(0.5, ofDrawer: 0, by: $0) }),
      ("hidden", { try $1.setHidden(true, ofDrawer: 0, by: $0) }),
      ("translation", { try $1.setTranslation(Point(x: 0, y: 3), ofDrawer: 0, by: $0) }),
      ("value", { try $1.setValue(0, .number(4), by: $0) }),
      (
        "wants",
        {
          var wants = $1.wants
          wants.preferredStatusBarStyle = .darkContent
          try $1.setWants(wants, by: $0)
        }
      ),
    ]
    for (index, (what, act)) in acts.enumerated() {
      try bench.act(at: Double(index), act)
      #expect(bench.states.count == index + 1, "\(what)")
      try bench.act(at: Double(index) + 0.5, act)
      #expect(bench.states.count == index + 1, "\(what) again")
    }
    for act: (Probe, Header) throws -> Void in [
      { try $1.command("flashScrollIndicators", Value.Record(), for: 0, by: $0) },
      { try $1.animate(duration: 1, delay: 0, curve: .linear, token: nil, by: $0) },
      { try $1.post(0, Value.Record(fields: [.init(name: "n", value: 1)]), isRoutine: false, by: $0) },
    ] {
      let before = bench.states.count
      try bench.act(0, act)
      try bench.act(0, act)
      #expect(bench.states.count == before + 2)
    }
    #expect(bench.states.map(\.seq) == Array(2...Int64(bench.states.count + 1)))
  }

  @Test func `routine notices make no state but stand in one that is made`() throws {
    let bench = try Bench()
    try bench.act(at: 0) { probe, header in try header.post(1, nil, isRoutine: true, by: probe) }
    #expect(bench.states.isEmpty)
    try bench.act { probe, header in
      try header.post(1, nil, isRoutine: true, by: probe)
      try header.setValue(0, .number(1), by: probe)
    }
    #expect(bench.takeStates().map(\.notices) == [["(second)"]])
  }

  @Test func `a notice repeated with nothing changed is routine, a change makes it new`() throws {
    let bench = try Bench(
      ["A"],
      prepare: { probe in
        probe.attaching = { probe, header in try header.claimDrawer(0, by: probe) }
      })
    func post() throws { try bench.act { probe, header in try header.post(0, nil, isRoutine: false, by: probe) } }
    try post()
    try post()
    try bench.send(.didScroll, y: 5)
    try post()
    #expect(bench.takeStates().map(\.notices) == [["first"]])
    try bench.act { probe, header in try header.post(1, nil, isRoutine: false, by: probe) }
    #expect(bench.takeStates().map(\.notices) == [["second"]])
    for (what, act): (String, (Probe, Header) throws -> Void) in [
      ("value", { try $1.setValue(0, .number(4), by: $0) }),
      ("sticky", { try $1.setSticky(true, ofDrawer: 0, by: $0) }),
      ("fade", { try $1.setFade(.drawer, ofDrawer: 0, by: $0) }),
      ("heights", { try $1.setHeights(minimum: 1, maximum: 2, ofDrawer: 0, by: $0) }),
    ] {
      try bench.act(0, act)
      #expect(bench.takeStates().count == 1, "\(what)")
      try post()
      #expect(bench.takeStates().map(\.notices) == [["first"]], "\(what)")
    }
    try post()
    #expect(bench.takeStates().isEmpty)
  }

  @Test func `a write of what is there already is no change`() throws {
    let bench = try Bench(
      ["A"], describe: { $0.drawers[0].elements = [ElementDescription(name: "title")] },
      prepare: { probe in
        probe.attaching = { probe, header in try header.claimDrawer(0, by: probe) }
      })
    func post() throws { try bench.act { probe, header in try header.post(0, nil, isRoutine: false, by: probe) } }
    let writes: [(String, (Probe, Header) throws -> Void)] = [
      ("offset", { try $1.setContentOffset($1.scrollViews[0].contentOffset, of: 0, by: $0) }),
      ("inset", { try $1.setContentInset($1.scrollViews[0].contentInset, of: 0, by: $0) }),
      ("indicators", { try $1.setScrollIndicatorInsets($1.scrollViews[0].scrollIndicatorInsets, of: 0, by: $0) }),
      ("view's frame", { try $1.setFrame($1.scrollViews[0].frame, ofScrollView: 0, by: $0) }),
      ("content size", { try $1.setContentSize($1.scrollViews[0].contentSize, of: 0, by: $0) }),
      ("drawer", { try $1.setFrame($1.drawers[0].frame, ofDrawer: 0, by: $0) }),
      ("alpha", { try $1.setAlpha(1, ofDrawer: 0, by: $0) }),
      ("sticky", { try $1.setSticky(false, ofDrawer: 0, by: $0) }),
      ("value", { try $1.setValue(0, .number(0), by: $0) }),
      ("wishes", { try $1.setWants($1.wants, by: $0) }),
      ("element", { try $1.setElement(0, $1.elements[0], by: $0) }),
    ]
    // What a delegate has once written is part of every state from then on; that is a change.
    for (_, write) in writes { try bench.act(0, write) }
    try post()
    #expect(bench.takeStates().last?.notices == ["first"])
    for (what, write) in writes {
      try bench.act(0, write)
      try post()
      #expect(bench.takeStates().isEmpty, "\(what)")
    }
  }

  @Test func `an element's alpha is cut to 0…1`() throws {
    let bench = try Bench(["A"], describe: { $0.drawers[0].elements = [ElementDescription(name: "title")] })
    for (given, expected): (Float, Float) in [(0.25, 0.25), (-1, 0), (2, 1)] {
      try bench.act { probe, header in
        var look = header.elements[0]
        look.alpha = given
        try header.setElement(0, look, by: probe)
      }
      #expect(bench.header.elements[0].alpha == expected)
    }
  }

  @Test func `what happened belongs to one event alone`() throws {
    let bench = try Bench()
    try bench.act(at: 0) { probe, header in try header.post(0, nil, isRoutine: false, by: probe) }
    #expect(bench.state.happened.notices.count == 1)
    try bench.send(.didScroll, y: 1)
    #expect(bench.state.happened.notices.isEmpty && bench.state.seq == 2)
  }

  @Test func `an unknown notice, value, element, drawer or view is a failure in words`() throws {
    let look = Element(drawer: 0, frame: Rect())
    let acts: [(String, (Probe, Header) throws -> Void)] = [
      ("it posted notice 3, its behavior has 3", { try $1.post(3, nil, isRoutine: false, by: $0) }),
      ("it set value 1, its behavior has 1", { try $1.setValue(1, .null, by: $0) }),
      ("its value \"valueA\" is nan, expected a finite number", { try $1.setValue(0, .number(.nan), by: $0) }),
      ("it named element 0, there is none", { try $1.setElement(0, look, by: $0) }),
      ("it named drawer 2, there is none", { try $1.setHidden(true, ofDrawer: 2, by: $0) }),
      ("it named scroll view 1, there is none", { try $1.moveSilently(to: Point(), 1, by: $0) }),
      ("it changed drawer \"navBar\" without having claimed it", { try $1.setHidden(true, ofDrawer: 0, by: $0) }),
      ("it changed drawer \"extension\", which belongs to \"b\"", { try $1.expand(from: 1, by: $0) }),
      ("it gave a command without a proper name", { try $1.command("", Value.Record(), for: 0, by: $0) }),
      (
        "the drawer's frame has a negative size",
        {
          try $1.setFrame(Rect(x: 0, y: 0, width: -1, height: 0), ofDrawer: 1, by: $1.delegates[1])
        }
      ),
      (
        "it named scroll view 4 as the chain's tail, there is none",
        {
          try $1.claimDrawer(0, by: $0)
          var chain = ChainPolicy()
          chain.tail = 4
          try $1.setChain(chain, by: $0)
        }
      ),
    ]
    for (reason, act) in acts {
      let bench = try Bench(
        ["A", "B"],
        prepare: { probe in
          probe.attaching = { probe, header in if probe.name == "b" { try header.claimDrawer(1, by: probe) } }
        })
      let error = #expect(throws: HeaderError.self) { try bench.act(at: 0, act) }
      #expect(error?.name == .behaviorFailed && error?.hint == reason)
    }
  }

  // MARK: Options

  @Test func `options are set in the behavior's order, all or nothing`() throws {
    var log: [String] = []
    let bench = try Bench(
      ["A"],
      describe: {
        $0.delegates[0].options = Value.Record(fields: [.init(name: "word", value: "old")])
      },
      prepare: { probe in
        probe.setting = { probe, index, value, _ in
          if value == "no" { throw DelegateFailure.refused("I do not like it") }
          log.append("\(probe.behavior.options[index].name)=\(value.brief)")
        }
      })
    #expect(log == ["word=\"old\""])
    log = []
    try bench.send(
      .setOptions(
        Value.Record(fields: [.init(name: "on", value: true), .init(name: "speed", value: 3)]), delegate: nil), at: 0)
    #expect(log == ["speed=3", "on=true"])
    log = []
    // speed, word, on: word refuses, so speed is put back and on never set.
    let error = #expect(throws: HeaderError.self) {
      try bench.send(
        .setOptions(
          Value.Record(fields: [
            .init(name: "on", value: false), .init(name: "word", value: "no"), .init(name: "speed", value: 9),
          ]), delegate: "a"))
    }
    #expect(error?.name == .invalidOption)
    #expect(error?.message == "options.word: A refuses it: I do not like it")
    #expect(log == ["speed=9", "speed=3"])
    #expect(
      bench.header.description.delegates[0].options
        == Value.Record(fields: [
          .init(name: "word", value: "old"), .init(name: "speed", value: 3), .init(name: "on", value: true),
        ]))
    #expect(!bench.header.isBypassed(0))
    log = []
    for options: Value.Record in [
      .init(fields: [.init(name: "speed", value: 2), .init(name: "speeed", value: 2)]),
      .init(fields: [.init(name: "speed", value: 2), .init(name: "on", value: 1)]),
      .init(fields: [.init(name: "speed", value: 11)]),
    ] {
      #expect(throws: HeaderError.self) { try bench.send(.setOptions(options, delegate: nil)) }
    }
    #expect(log == [])
  }

  @Test func `a failure in setting an option bypasses, and a bypassed delegate takes none`() throws {
    var calls = 0
    let bench = try Bench(
      ["A"],
      prepare: { probe in
        probe.setting = { _, _, _, _ in
          calls += 1
          throw DelegateFailure.failed("it broke")
        }
      })
    let options = Value.Record(fields: [.init(name: "speed", value: 2)])
    let error = #expect(throws: HeaderError.self) { try bench.send(.setOptions(options, delegate: nil), at: 0) }
    #expect(error?.name == .behaviorFailed)
    #expect(bench.header.isBypassed(0))
    #expect(bench.takeStates().map(\.notices) == [["delegatePassedOver"]])
    let second = #expect(throws: HeaderError.self) { try bench.send(.setOptions(options, delegate: nil)) }
    #expect(second?.name == .behaviorFailed)
    #expect(second?.message == "delegate \"a\" is bypassed since it failed, it takes no options")
    #expect(calls == 1)
  }

  @Test func `what an option brings about is nested`() throws {
    var depths: [Int32] = []
    let bench = try Bench(
      ["A", "B"],
      prepare: { probe in
        if probe.name == "a" {
          probe.setting = { probe, _, value, header in
            if header.state.seq > 0 { try header.setContentOffset(Point(x: 0, y: 8), of: 0, by: probe) }
          }
        } else {
          probe.receiving = { _, event, _, _ in depths.append(event.depth) }
        }
      })
    try bench.send(.setOptions(Value.Record(fields: [.init(name: "speed", value: 2)]), delegate: "a"), at: 0)
    #expect(depths == [1])
  }

  @Test func `what attaching brings about is nested`() throws {
    var depths: [Int32] = []
    _ = try Bench(
      ["A", "B"],
      prepare: { probe in
        if probe.name == "a" {
          probe.attaching = { try $1.setContentOffset(Point(x: 0, y: 8), of: 0, by: $0) }
        } else {
          probe.receiving = { _, event, _, _ in depths.append(event.depth) }
        }
      })
    #expect(depths == [1])
  }

  // MARK: Calls

  @Test func `a call goes to the first who knows it, and refusals and failures are told apart`() throws {
    let bench = try Bench(
      ["A", "B"],
      prepare: { probe in
        probe.calling = { probe, _, arguments, _ in
          switch arguments["what"] {
          case "refuse": throw DelegateFailure.refused("no")
          case "fail": throw DelegateFailure.failed("broken")
          default: return ["from": .text(probe.name), "what": arguments["what"] ?? .null]
          }
        }
      })
    func call(_ name: String, _ what: Value, of delegate: String? = nil) -> ScrollEvent.Kind {
      .call(name: name, arguments: Value.Record(fields: [.init(name: "what", value: what)]), delegate: delegate)
    }
    #expect(try bench.send(call("echoB", "hi"), at: 0).result == ["from": "b", "what": "hi"])
    var error = #expect(throws: HeaderError.self) { try bench.send(call("echoB", "refuse")) }
    #expect(error?.name == .callFailed && error?.hint == "no")
    #expect(!bench.header.isBypassed(1))
    error = #expect(throws: HeaderError.self) { try bench.send(call("echoB", 4)) }
    #expect(error?.name == .invalidParams)
    error = #expect(throws: HeaderError.self) { try bench.send(call("ecoA", "hi")) }
    #expect(error?.hint == "did you mean \"echoA\"?")
    error = #expect(throws: HeaderError.self) { try bench.send(call("echoA", "hi", of: "b")) }
    #expect(error?.name == .callFailed)
    error = #expect(throws: HeaderError.self) { try bench.send(call("echoA", "hi", of: "c")) }
    #expect(error?.name == .delegateNotFound)
    // A recording's own way to say that the behavior was attached: taken, and nothing comes of it.
    let before = bench.states.count
    #expect(try bench.send(call("attach", .null)).result == .null && bench.states.count == before)
    error = #expect(throws: HeaderError.self) { try bench.send(call("echoA", "fail")) }
    #expect(error?.name == .behaviorFailed && bench.header.isBypassed(0))
    error = #expect(throws: HeaderError.self) { try bench.send(call("echoA", "hi")) }
    #expect(error?.message == "delegate \"a\" is bypassed since it failed, it answers no calls")
    #expect(try bench.send(call("echoB", "hi")).result != nil)
  }

  @Test func `a call that fails because another delegate did in between is still a refusal`() throws {
    let bench = try Bench(
      ["A", "B"],
      prepare: { probe in
        if probe.name == "b" { probe.receiving = { _, _, _, _ in throw DelegateFailure.failed("broken") } }
      })
    let error = #expect(throws: HeaderError.self) {
      try bench.act(at: 0) { probe, header in
        try header.setContentOffset(Point(x: 0, y: 4), of: 0, by: probe)
        throw DelegateFailure.refused("no")
      }
    }
    #expect(error?.name == .callFailed)
  }

  // MARK: Life

  @Test func `a header is visible between willAppear and didDisappear`() throws {
    let bench = try Bench()
    var log: [String] = []
    bench[0].receiving = { _, event, _, header in log.append("\(event.kind) \(header.environment.visible)") }
    for kind: ScrollEvent.Kind in [.willDisappear, .didDisappear, .willAppear, .didAppear] {
      try bench.send(kind, at: 0)
    }
    #expect(log == ["willDisappear true", "didDisappear false", "willAppear false", "didAppear true"])
  }

  @Test func `two headers of one provider know nothing of each other`() throws {
    let provider = ProbeProvider([.probe("A")]) { probe in
      probe.receiving = { probe, event, _, header in
        try header.setValue(0, .number(header.scrollViews[0].contentOffset.y), by: probe)
        if header.name == "bad", header.scrollViews[0].contentOffset.y > 50 { throw DelegateFailure.failed("broken") }
      }
    }
    var good = HeaderDescription.bench
    good.delegates = [DelegateDescription(behavior: "A")]
    var bad = good
    bad.header = "bad"
    let alone = try Header(good, epoch: 1, provider: provider)
    let beside = try Header(good, epoch: 2, provider: provider)
    let broken = try Header(bad, epoch: 3, provider: provider)
    for step in 1...40 {
      let event = ScrollEvent(.didScroll, offset: PartialPoint(y: Double(step * 3)))
      _ = try broken.receive(event, at: Instant(seconds: Double(step) * 5))
      _ = try alone.receive(event, at: Instant(seconds: Double(step)))
      _ = try beside.receive(event, at: Instant(seconds: Double(step)))
      _ = try broken.receive(ScrollEvent(.willBeginDragging))
      #expect(alone.state.line == beside.state.line)
    }
    #expect(broken.isBypassed(0) && !alone.isBypassed(0))
  }

  @Test func `an unknown name is refused before anything changes, time included`() throws {
    let bench = try Bench()
    try bench.send(.didScroll, y: 4, at: 1)
    let change = try LayoutChange(["drawers": [["name": "navBat"]], "statusBarHeight": 20])
    let error = #expect(throws: HeaderError.self) { try bench.send(.layout(change), at: 2) }
    #expect(error?.name == .drawerNotFound)
    #expect(error?.message == "header \"main\" has no drawer \"navBat\"; there are navBar, extension")
    #expect(error?.hint == "did you mean \"navBar\"?")
    let view = #expect(throws: HeaderError.self) {
      try bench.send(ScrollEvent(.didScroll, scrollView: "contnt", offset: PartialPoint(y: 9)), at: 3)
    }
    #expect(view?.name == .scrollViewNotFound && view?.hint == "did you mean \"content\"?")
    #expect(bench.header.environment.statusBarHeight == 0 && bench.header.now == Instant(seconds: 1))
    #expect(bench.view.contentOffset.y == 4)
  }
}
