// SPDX-License-Identifier: MIT
//
// FlexibleHeader where the recordings of its original are few.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct FlexibleHeaderTests {
  private static func scrollView(_ offset: Double) -> Value {
    ["viewport": ["width": 375, "height": 667], "contentSize": ["height": 4000], "offset": ["y": .number(offset)]]
  }

  /// What overlaps the content hangs on both scroll views, and only one of them is tracked.
  @Test func `a header in one scroll view that tracks another hears of both`() throws {
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "frames": "events",
        "scrollViews": ["holder": Self.scrollView(0), "list": Self.scrollView(0)],
        "trackingScrollView": "list", "hosting": ["headerHost": "insideTrackingScrollView"],
        "drawers": [["name": "header", "height": 76]],
        "delegates": [
          [
            "behavior": "FlexibleHeader",
            "options": ["minimumHeight": 76, "maximumHeight": 200, "shiftBehavior": "enabled"],
          ]
        ],
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    func isShiftedOffscreen(_ view: String, at offset: Double) throws -> NamedValue.Content? {
      var event = ScrollEvent(.didScroll, scrollView: view, offset: PartialPoint(y: offset))
      event.isTracking = true
      _ = try header.receive(event)
      return header.value(named: "isShiftedOffscreen")
    }
    for offset in stride(from: 0.0, through: 600, by: 100) { _ = try isShiftedOffscreen("list", at: offset) }
    // On its way back, and not a frame has passed.
    let call = ScrollEvent.Kind.call(name: "shiftHeaderOnScreenAnimated", arguments: ["animated": true], delegate: nil)
    _ = try header.receive(ScrollEvent(call))
    #expect(header.value(named: "isShiftedOffscreen") == .bool(true))
    let seq = header.state.seq
    #expect(try isShiftedOffscreen("holder", at: 3000) == .bool(false))
    #expect(header.state.seq == seq + 1)
    #expect(try isShiftedOffscreen("holder", at: 0) == .bool(true))
  }

  @Test func `a header of no height at all is neither collapsed nor extended`() throws {
    let stage = try Stage(["minimumHeight": 0, "maximumHeight": 0, "minMaxHeightIncludesSafeArea": true])
    for offset in [0.0, 40, -40, 0] {
      try stage.scroll(to: offset)
      #expect(stage.number("scrollPhasePercentage").isFinite && !stage.header.isBypassed(0))
    }
    #expect(stage.frame.size.height == 0 && stage.number("scrollPhasePercentage") == 0)
  }

  @Test func `without content it goes where a call says as well`() throws {
    let stage = try Stage(["minimumHeight": 76, "maximumHeight": 76, "shiftBehavior": "enabled"])
    try stage.send(.setTrackingScrollView(to: nil))
    for (progress, top) in [(1.0, -56.0), (0.5, -28), (0, 0)] {
      try stage.header.move(to: .progress(progress))
      #expect(stage.frame == Rect(x: 0, y: top, width: 375, height: 76))
    }
  }

  /// A publisher may offer nothing before its content moves, and all that this left over.
  @Test(arguments: [0.5, 1, 2.5, -1]) func `what the content left over it takes as far as it goes`(_ left: Double)
    throws
  {
    let stage = try Stage(["minimumHeight": 76, "maximumHeight": 176])
    try stage.scroll(to: -126)
    #expect(stage.frame.size.height == 126)
    let answer = try stage.send(.didOverscroll(delta: Point(x: 0, y: left), source: .drag))
    #expect(answer.consumed?.y == left && stage.frame.size.height == 126 - left)
  }

  @Test(arguments: [(76.5, [1]), (76, [])] as [(Double, [Double])])
  func `it has a stop at its minimum height if there is a way there`(
    _ maximum: Double, _ progress: [Double]
  ) throws {
    let stage = try Stage(["minimumHeight": 76, "maximumHeight": .number(maximum)])
    let stops = stage.header.positionReport?.stops.filter { $0.name == "minimumHeight" } ?? []
    #expect(stops.map(\.progress) == progress)
  }

  /// The layout guide is the content controller's, which a container puts there only when its guide is asked for.
  @Test(arguments: [("viewController", true), ("wrapped", false)])
  func `appearing finds the layout guide of a header with a controller of its own`(
    _ controller: String, _ isFound: Bool
  ) throws {
    let stage = try Stage(
      ["minimumHeight": 76, "maximumHeight": 176], hosting: ["controller": .text(controller)])
    try stage.send(.willAppear)
    try stage.scroll(to: -150)
    #expect((stage.header.wants.topLayoutGuideLength == stage.bottomEdge) == isFound)
  }

  /// Where nothing else keeps the content within its inset.
  @Test func `content beyond the inset comes back with it`() throws {
    let stage = try Stage(["minimumHeight": 76, "maximumHeight": 200], clamping: .none, offset: -200)
    try stage.scroll(to: -200)
    try stage.send(.setOptions(["maximumHeight": 120], delegate: "flexible"))
    #expect(stage.offset == -stage.header.scrollViews[0].adjustedContentInset.top)
    #expect(stage.offset > -200)
  }

  // MARK: Properties that no recording of the original has

  private func open(_ options: Value.Record = [:]) throws -> Header {
    var description = try ComposedHeader(
      title: "", drawers: [["name": "header", "height": 76]],
      delegates: [.init(behavior: "FlexibleHeader", options: .record(options))], contentInset: 0
    ).description()
    description.environment.safeAreaInset = Insets(top: 44, left: 0, bottom: 34, right: 0)
    description.environment.deviceHasHardwareSafeArea = true
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  /// Sets options; what was told about them.
  @discardableResult
  private func set(_ options: Value.Record, of header: Header) throws -> [HeaderState.Notice] {
    var notices: [HeaderState.Notice] = []
    _ = try header.receive(ScrollEvent(.setOptions(options, delegate: nil))) { notices += $0.happened.notices }
    return notices
  }

  /// The same header reloaded, and in another process.
  private func expect(_ name: String, _ content: NamedValue.Content, of header: Header) throws {
    #expect(header.value(named: name) == content)
    try header.reloadDelegate(at: 0)
    #expect(header.value(named: name) == content)
    let reborn = try header.reborn()
    try reborn.scroll(to: 10)
    #expect(reborn.value(named: name) == content)
  }

  @Test(arguments: [false, true]) func `content that is tracked already may be named again`(_ isShared: Bool) throws {
    let stage = try Stage(["maximumHeight": 200, "sharedWithManyScrollViews": .bool(isShared)])
    try stage.scroll(to: 300)
    let (frame, offset) = (stage.frame, stage.offset)
    try stage.send(.willChangeTrackingScrollView(to: "A"))
    try stage.send(.setTrackingScrollView(to: "A"))
    #expect(stage.frame == frame && stage.offset == offset)
  }

  /// A call makes the status bar higher and does not hide it.
  @Test(arguments: [nil, 40]) func `a status bar of any height leaves with the header`(_ height: Double?) throws {
    let stage = try Stage(["shiftBehavior": "enabledWithStatusBar"])
    if let height {
      var change = LayoutChange()
      change.given = ["statusBarHeight": .number(height)]
      try stage.send(.layout(change))
    }
    for offset in stride(from: 0.0, through: 400, by: 20) { try stage.scroll(to: offset) }
    #expect(stage.header.state.wants.prefersStatusBarHidden == true)
  }

  @Test func `the hairline has its color as soon as it shows`() throws {
    let header = try open(["hairlineColor": ["white": 1, "alpha": 0.5]])
    #expect(header.value(named: "hairlineColor") == .null)
    let seq = header.state.seq
    try set(["showsHairline": true], of: header)
    #expect(header.state.seq == seq + 1)
    try expect("hairlineColor", .text("#ffffff80"), of: header)
    try set(["hairlineColor": ["red": 1, "green": 0.2, "blue": 0]], of: header)
    try expect("hairlineColor", .text("#ff3300ff"), of: header)
    // A hidden one keeps it.
    try set(["showsHairline": false], of: header)
    #expect(header.value(named: "hairlineColor") == .text("#ff3300ff"))
    #expect(throws: HeaderError.self) { try set(["hairlineColor": ["red": 2, "green": 0, "blue": 0]], of: header) }
    let plain = try open(["showsHairline": true])
    #expect(plain.value(named: "hairlineColor") == .text("#000000ff"))
  }

  @Test func `the shadow has a color`() throws {
    let plain = try open()
    #expect(plain.value(named: "shadowColor") == .text("#000000ff"))
    let header = try open(["shadowColor": ["red": 0, "green": 0, "blue": 1, "alpha": 0.25]])
    try expect("shadowColor", .text("#0000ff40"), of: header)
    // Only it is another one, and setting it again is no news.
    #expect(header.value(named: "shadowOpacity") == plain.value(named: "shadowOpacity"))
    let seq = header.state.seq
    try set(["shadowColor": ["red": 0, "green": 0, "blue": 1, "alpha": 0.25]], of: header)
    #expect(header.state.seq == seq)
    try set(["shadowColor": ["white": 0]], of: header)
    #expect(header.value(named: "shadowColor") == .text("#000000ff"))
  }

  /// MDC's mdc_absoluteElevation: the override stands in for all that the header stands on, unless it is negative.
  @Test func `the elevation is above what the header stands on`() throws {
    let header = try open(["elevationBlock": true, "elevation": 4])
    #expect(header.value(named: "absoluteElevation") == .number(4))
    // The override alone is no change of the elevation.
    #expect(try set(["overrideBaseElevation": 8], of: header).isEmpty)
    try expect("absoluteElevation", .number(12), of: header)
    let told = try set(["elevation": 6], of: header)
    #expect(told.map(\.arguments) == [["elevation": 14]])
    #expect(try set(["elevation": 6], of: header).isEmpty)
    try set(["overrideBaseElevation": -1], of: header)
    #expect(header.value(named: "absoluteElevation") == .number(6))
    #expect(try set(["elevation": 7], of: header).map(\.arguments) == [["elevation": 7]])
  }

  /// The rules take the topmost ancestor; the application may name another controller, and the rule against the layout guide
  /// controller holds for that, too.
  @Test func `the source of the top safe area can be named`() throws {
    let inferring: Value.Record = ["inferTopSafeAreaInsetFromViewController": true]
    let guide = inferring.with(["topLayoutGuideViewController": "content"])
    func top(_ options: Value.Record) throws -> NamedValue.Content? {
      try open(options).value(named: "topSafeAreaInset")
    }
    #expect(try top(guide) == .number(44))
    #expect(try top(guide.with(["topSafeAreaSourceViewController": "root"])) == .number(44))
    #expect(try top(guide.with(["topSafeAreaSourceViewController": "content"])) == .number(0))
    #expect(try top(inferring.with(["topSafeAreaSourceViewController": "content"])) == .number(44))
    let permit: Value.Record = ["permitInferringTopSafeAreaFromTopLayoutGuideViewController": true]
    #expect(try top(guide.with(permit).with(["topSafeAreaSourceViewController": "content"])) == .number(44))

    let header = try open(guide)
    let notices = try set(["topSafeAreaSourceViewController": "content"], of: header)
    #expect(
      notices.map(\.arguments).contains(["reason": "there is no view to infer the top safe area inset from"]))
    try expect("topSafeAreaInset", .number(0), of: header)
    try set(["topSafeAreaSourceViewController": .null], of: header)
    try expect("topSafeAreaInset", .number(44), of: header)
    // Nothing is inferred: nobody asks for a source.
    #expect(try top(["topSafeAreaSourceViewController": "content"]) == .number(44))
  }

  /// In a window it is told at once; any other is told when it changes.
  @Test func `a header in no window has heard of no safe area`() throws {
    let stage = try Stage(["minimumHeight": 76, "maximumHeight": 176], hosting: ["controller": "unattached"])
    guard case .list(let delegates)? = try stage.header.save().field("delegates") else {
      Issue.record("the saved header has no delegates")
      return
    }
    let state = delegates[0].field("state")
    #expect(state?.field("safeAreaIsDirty") == false && state?.field("headerTop") == 0)
  }

  @Test func `a state that was saved before these properties were there is taken over`() throws {
    let header = try open(["shadowColor": ["white": 1]])
    guard case .record(var saved) = try header.save(), case .list(var delegates)? = saved["delegates"],
      case .record(var first)? = delegates.first, case .record(var state)? = first["state"]
    else {
      Issue.record("the saved header has no delegates")
      return
    }
    for name in [
      "shadowRed", "shadowGreen", "shadowBlue", "shadowAlpha", "hairlineRed", "baseElevation", "givenSource",
    ] {
      #expect(state[name] != nil)
      state[name] = nil
    }
    first["state"] = .record(state)
    delegates[0] = .record(first)
    saved["delegates"] = .list(delegates)
    let again = try Header(header.description, epoch: 2, provider: BuiltPlugins.registry(), saved: .record(saved))
    try again.scroll(to: 10)
    #expect(again.value(named: "absoluteElevation") == .number(0))
  }
}
