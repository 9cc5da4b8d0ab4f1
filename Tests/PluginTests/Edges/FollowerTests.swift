// SPDX-License-Identifier: MIT
//
// Drawers that follow others: at another edge of the same header, and of another header by what it is told.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct FollowerTests {
  private func open(
    _ name: String = "main", _ drawers: Value, _ delegates: Value = [["behavior": "ShyNavBar"]], safeArea: Double = 0,
    views: Value = ["content": view], tracking: Value = "content"
  ) throws -> Header {
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": .text(name), "frames": "events", "drawers": drawers, "delegates": delegates,
        "scrollViews": views, "trackingScrollView": tracking,
        "environment": ["safeAreaInset": ["top": .number(safeArea)]],
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private static let view: Value = ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000]]

  private static let browser: Value = [
    ["name": "address", "height": 44],
    ["name": "controls", "edge": "bottom", "height": 60, "minimumHeight": 10, "follow": ["drawer": "address"]],
  ]

  /// Chromium's bound controls: the same share, and both reach their ends together.
  @Test func `both edges share one progress`() throws {
    let header = try open("main", Self.browser)
    #expect(header.state.drawers[1].frame == Rect(x: 0, y: 420, width: 320, height: 60))
    #expect(header.state.scrollViews[0].contentInset.bottom == 60)
    for seed in 1...5 as ClosedRange<UInt64> {
      for (time, event) in RandomScroll(seed: seed).exact {
        _ = try header.receive(event, at: Instant(seconds: Double(seed) * 1000 + time.seconds))
        let share = -header.state.drawers[0].frame.origin.y / 44
        let down = header.state.drawers[1].frame.origin.y - 420
        #expect(abs(down - share * 50) < 1e-9, "seed \(seed): \(share), \(down)")
        #expect(abs(header.state.scrollViews[0].contentInset.bottom - (60 - down)) < 1e-9)
        // Ends are ends, to the last bit.
        if share == 1 { #expect(down == 50) }
        if share == 0 { #expect(down == 0) }
      }
    }
    #expect(!header.isBypassed(0))
  }

  /// Half of the bar has scrolled away, and has been moved back from there by 50 − 30 · ¾ points.
  @Test func `what is moved back into sight is not gone`() throws {
    let header = try open(
      "main", [["name": "bar", "height": 100, "minimumHeight": 0, "maximumHeight": 100]],
      [
        [
          "behavior": "CollapsingHeader",
          "options": [
            "follows": "block", "blocks": [["drawer": "bar", "flags": ["scroll"], "compresses": true]],
          ],
        ]
      ])
    try header.move(to: .progress(0.5))
    let bar = header.drawers[0]
    #expect(bar.frame.maxY == 50 && abs(bar.translation.y - 27.5) < 1e-5)
    let place = try #require(header.leaderPlaces(of: ["bar"])?.first?.place)
    #expect(abs(place.points - 22.5) < 1e-5 && place.way == 100)
  }

  /// What is off its edge is gone for its follower, also where a status bar or a notch shows a part of it.
  @Test func `a follower arrives with its leader, whatever lies above that`() throws {
    let drawers: Value = [
      ["name": "nav", "height": 44],
      ["name": "tabs", "edge": "bottom", "height": 50, "follow": ["drawer": "nav"]],
    ]
    for inset in [0.0, 20, 59] {
      let header = try open("main", drawers, [["behavior": "CollapsingHeader"]], safeArea: inset)
      for (distance, expected) in [(0.0, 0.0), (22, 25), (500, 50)] {
        try header.drag(to: distance - 44 - inset, at: header.now.seconds + 1)
        #expect(header.state.drawers[1].frame.origin.y - 430 == expected, "\(inset), \(distance)")
      }
    }
  }

  @Test func `a follower follows FlexibleHeader's shift`() throws {
    let header = try open(
      "main",
      [
        ["name": "header", "height": 76],
        ["name": "tabs", "edge": "bottom", "height": 50, "follow": ["drawer": "header"]],
      ],
      [
        [
          "behavior": "FlexibleHeader",
          "options": ["minimumHeight": 76, "maximumHeight": 76, "shiftBehavior": "enabled"],
        ]
      ])
    for step in 0..<40 { try header.drag(to: Double(step) * 20 - 76, at: 1 + Double(step) / 60) }
    #expect(header.state.drawers[0].frame.maxY < 76)
    let shown = header.state.drawers[0].frame.maxY / 76
    #expect(abs((header.state.drawers[1].frame.origin.y - 430) / 50 - (1 - shown)) < 1e-9)
  }

  /// What a header is told of its leader can be recorded and read again, also while the leader is stretched.
  @Test func `a leader that is stretched is gone by nothing`() throws {
    let options: Value = ["minimumHeight": 44, "maximumHeight": 44, "canOverExtend": true]
    let header = try open(
      "main", [["name": "header", "height": 44]], [["behavior": "FlexibleHeader", "options": options]])
    try header.drag(to: -100, at: 1)
    #expect(header.state.drawers[0].frame.maxY > 44)
    let places = try #require(header.leaderPlaces(of: ["header"]))
    #expect(places.map(\.place) == [LeaderPlace(points: 0, way: 0)])
    var (time, unknown) = (Instant?.none, [UnknownField]())
    let input = HeaderInput.lead(LeaderNews(header: "main", places: places))
    _ = try HeaderInput(recorded: input.recorded(at: Instant(seconds: 1)), time: &time, unknown: &unknown)
  }

  @Test func `a leader is moved by call, and its follower with it, in the same state`() throws {
    let header = try open("main", Self.browser)
    var states = 0
    try header.move(to: .progress(0.5), at: 1) { _ in states += 1 }
    #expect(states == 1 && header.state.drawers[1].frame.origin.y == 445)
    try header.constrain("loading", 0...0, MotionStyle(curve: .linear, duration: 1), at: 2)
    try header.advance(to: 2.5)
    #expect(abs(header.state.drawers[1].frame.origin.y - 432.5) < 1)
    try header.advance(to: 4)
    #expect(header.state.drawers[1].frame.origin.y == 420)
  }

  @Test func `a follower may name its own header`() throws {
    let header = try open(
      "main",
      [
        ["name": "address", "height": 44],
        ["name": "controls", "edge": "bottom", "height": 60, "follow": ["header": "main", "drawer": "address"]],
      ])
    try header.move(to: .progress(0.5))
    #expect(header.state.drawers[1].frame.origin.y == 450)
  }

  @Test func `points are the leader's, as far as the follower's way goes`() throws {
    let header = try open(
      "main",
      [
        ["name": "address", "height": 44],
        ["name": "controls", "edge": "bottom", "height": 30, "follow": ["drawer": "address", "by": "points"]],
        ["name": "rail", "edge": "leading", "height": 100, "follow": ["drawer": "controls", "by": "progress"]],
      ])
    try header.move(to: .progress(0.5), at: 1)
    #expect(header.state.drawers[1].frame.origin.y == 472)
    #expect(abs(header.state.drawers[2].frame.origin.x - -100 * 22 / 30) < 1e-9)
    try header.move(to: .stop("collapsed"), at: 2)
    #expect(header.state.drawers[1].frame.origin.y == 480 && header.state.drawers[2].frame.origin.x == -100)
  }

  @Test func `the inset below a follower is that of the scroll view that tracks`() throws {
    let (view, plugins) = (Self.view, BuiltPlugins.registry())
    let header = try open("main", Self.browser, [], views: ["one": view, "two": view], tracking: "two")
    #expect(header.scrollViews[1].contentInset.bottom == 60)
    _ = try header.apply(.configure(["scrollViews": ["two": view]]), provider: plugins)
    #expect(header.trackingScrollView == 0 && header.scrollViews[0].contentInset.bottom == 60)
    // None tracks for a while.
    _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: nil)))
    _ = try header.apply(.configure(["scrollViews": ["two": view, "three": view]]), provider: plugins)
    #expect(header.scrollViews[1].contentInset.bottom == 0)
    _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: "three")))
    #expect(header.scrollViews[1].contentInset.bottom == 60)
  }

  @Test func `circles, strangers and mixed edges are refused`() throws {
    func error(_ drawers: Value, _ delegates: Value = []) -> HeaderError? {
      #expect(throws: HeaderError.self) { _ = try open("main", drawers, delegates) }
    }
    let circle = error([
      ["name": "a", "height": 1, "follow": ["drawer": "b"]],
      ["name": "b", "edge": "bottom", "height": 1, "follow": ["header": "main", "drawer": "c"]],
      ["name": "c", "edge": "leading", "height": 1, "follow": ["drawer": "a"]],
    ])
    #expect(circle?.name == .conflict && circle?.field == "drawers[0].follow")
    #expect(circle?.message.contains("a follows b follows c follows a: nobody leads") == true)
    let own = error([["name": "a", "height": 1, "follow": ["drawer": "a"]]])
    #expect(own?.message.contains("a follows a") == true)
    let stranger = error([["name": "a", "height": 1, "follow": ["drawer": "b"]]])
    #expect(stranger?.name == .drawerNotFound && stranger?.field == "drawers[0].follow.drawer")
    let mixed = error([
      ["name": "a", "height": 1], ["name": "b", "height": 1, "follow": ["drawer": "a"]],
    ])
    #expect(mixed?.field == "drawers[1].follow")
    let owned = error(
      [["name": "a", "height": 1, "follow": ["header": "other", "drawer": "b"]]], [["behavior": "ShyNavBar"]])
    #expect(owned?.name == .conflict && owned?.message.contains("the drawer that it follows") == true)
  }

  private func lead(_ header: Header, _ news: LeaderNews, _ said: (borrowing HeaderState) -> Void = { _ in }) throws {
    _ = try header.apply(.lead(news), provider: BuiltPlugins.registry(), emit: said)
  }

  @Test func `a drawer of another header leads by what is told of it, and rests where it is when that is gone`() throws
  {
    let header = try open(
      "second", [["name": "tabs", "height": 40, "follow": ["header": "main", "drawer": "navBar"]]], [])
    #expect(header.state.drawers[0].frame.origin.y == 0 && header.state.scrollViews[0].contentInset.top == 40)
    let news = LeaderNews(header: "main", places: [("navBar", LeaderPlace(points: 11, way: 44))])
    try lead(header, news)
    #expect(header.state.drawers[0].frame.origin.y == -10 && header.state.scrollViews[0].contentInset.top == 30)
    let reborn = try header.reborn()
    var told: [String] = []
    for one in [header, reborn] {
      try lead(one, LeaderNews(header: "main", places: nil, reason: "closed")) { told += words($0) }
      #expect(one.state.drawers[0].frame.origin.y == -10)
    }
    #expect(told == ["didLoseLeader", "didLoseLeader"])
    #expect(header.state.text == reborn.state.text)
    try lead(header, LeaderNews(header: "main", places: [("navBar", LeaderPlace(points: 60, way: 44))]))
    #expect(header.state.drawers[0].frame.origin.y == -40)
  }

  @Test func `a header that is followed no more is forgotten`() throws {
    let header = try open(
      "second", [["name": "tabs", "height": 40, "follow": ["header": "main", "drawer": "navBar"]]], [])
    try lead(header, LeaderNews(header: "main", places: [("navBar", LeaderPlace(points: 44, way: 44))]))
    for leader in ["other", "main"] {
      let drawers: Value = [["name": "tabs", "height": 40, "follow": ["header": .text(leader), "drawer": "navBar"]]]
      _ = try header.apply(.configure(["drawers": drawers]), provider: BuiltPlugins.registry())
      #expect(header.state.drawers[0].frame.origin.y == 0, "\(leader)")
    }
    #expect(try header.save().field("leaders") == nil)
  }

  @Test func `what it is told is written down and read back`() throws {
    let inputs: [LeaderNews] = [
      LeaderNews(
        header: "a.b", places: [("x", LeaderPlace(points: 0.1, way: 3)), ("y", LeaderPlace(points: 0, way: 0))]),
      LeaderNews(header: "a", places: nil, reason: "closed"),
    ]
    for news in inputs {
      let recorded = HeaderInput.lead(news).recorded(at: Instant(seconds: 2))
      var time: Instant?
      var unknown: [UnknownField] = []
      guard case .lead(let read) = try HeaderInput(recorded: recorded, time: &time, unknown: &unknown) else {
        Issue.record("it is read as something else")
        continue
      }
      #expect(read == news && time == Instant(seconds: 2) && unknown.isEmpty)
    }
  }

  /// An element of the second header follows with its own drawer: Keyframes does the rest.
  @Test func `a title in another window fades with the bar`() throws {
    let header = try open(
      "second",
      [
        [
          "name": "ghost", "height": 44, "elements": [["name": "background"], ["name": "title"]],
          "follow": ["header": "main", "drawer": "navBar"],
        ]
      ],
      [
        [
          "behavior": "Keyframes",
          "options": [
            "tracks": [
              [
                "element": "title", "drawer": "ghost", "by": "contraction",
                "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0]],
              ]
            ]
          ],
        ]
      ])
    try lead(header, LeaderNews(header: "main", places: [("navBar", LeaderPlace(points: 33, way: 44))]))
    #expect(header.state.elements[1].alpha == 0.25)
  }
}
