// SPDX-License-Identifier: MIT
//
// Headers with drawers at several edges: each chain has its own drawers, insets, obstruction and keyboard.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct EdgeTests {
  private static let bars: Value = [
    ["name": "navBar", "height": 44, "elements": [["name": "background"], ["name": "title"]]],
    ["name": "tabBar", "edge": "bottom", "height": 50, "elements": [["name": "line"], ["name": "tabs"]]],
  ]
  private static let shy: Value = [
    ["behavior": "ShyNavBar", "options": ["expansionResistance": 0]],
    ["behavior": "ShyNavBar", "name": "bottomBar", "edge": "bottom", "options": ["expansionResistance": 0]],
  ]

  private func open(_ drawers: Value = bars, _ delegates: Value = shy, _ more: Value.Record = [:]) throws -> Header {
    var unknown: [UnknownField] = []
    let view: Value = ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000]]
    var given: Value.Record = [
      "header": "main", "frames": "events", "drawers": drawers, "delegates": delegates,
      "scrollViews": ["content": view], "tellsObstruction": true,
    ]
    for field in more.fields { given[field.name] = field.value }
    let description = try HeaderDescription(.record(given), at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private func layout(_ header: Header, _ given: Value.Record) throws {
    var change = LayoutChange()
    change.given = given
    _ = try header.receive(ScrollEvent(.layout(change)))
  }

  @Test func `each edge has its own chain`() throws {
    let header = try open()
    let place = header.state
    #expect(place.drawers[0].frame == Rect(x: 0, y: 0, width: 320, height: 44))
    #expect(place.drawers[1].frame == Rect(x: 0, y: 430, width: 320, height: 50))
    #expect(place.scrollViews[0].contentInset == Insets(top: 44, left: 0, bottom: 50, right: 0))
    #expect(header.state.position?.obstruction == Insets(top: 44, left: 0, bottom: 50, right: 0))
    // Away from the top the upper bar goes and the lower one stays; away from the end the lower one goes.
    for y in stride(from: 0.0, through: 600, by: 20) { try header.drag(to: y, at: 1 + y / 100) }
    #expect(header.state.drawers[0].frame.maxY == 0 && header.state.drawers[1].frame.origin.y == 430)
    #expect(header.state.position?.obstruction == Insets(top: 0, left: 0, bottom: 50, right: 0))
    for y in stride(from: 600.0, through: 500, by: -20) { try header.drag(to: y, at: 10 - y / 100) }
    #expect(header.state.drawers[0].frame.maxY == 44 && header.state.drawers[1].frame.origin.y == 480)
    #expect(header.state.scrollViews[0].contentInset == Insets(top: 44, left: 0, bottom: 0, right: 0))
    #expect(!header.isBypassed(0) && !header.isBypassed(1))
    #expect(header.state.elements.map(\.drawer) == [0, 0, 1, 1])
  }

  @Test func `a keyboard that a configuration brings lifts the bar at once`() throws {
    let header = try open(
      [["name": "input", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar"]],
      ["environment": ["safeAreaInset": ["bottom": 20]]])
    #expect(header.state.drawers[0].frame.origin.y == 410)
    for height in [260.0, 0, 100] {
      let keys: Value.Record = ["environment": ["keyboardHeight": .number(height)]]
      _ = try header.apply(.configure(keys), provider: BuiltPlugins.registry())
      #expect(header.state.drawers[0].frame.origin.y == 430 - max(20, height))
      #expect(header.state.scrollViews[0].contentInset.bottom == 50 + max(20, height))
    }
  }

  // MARK: Directions

  /// A lone bar at the bottom, in both directions, for each behavior that has them.
  @Test(arguments: ["CollapsingHeader", "ShyNavBar"])
  func `a bar at the bottom hides as one scrolls down`(_ behavior: String) throws {
    let options: Value = behavior == "ShyNavBar" ? ["expansionResistance": 0, "contractionResistance": 0] : [:]
    for safeArea in [0.0, 20] {
      func bar(_ direction: String) throws -> Header {
        let header = try open(
          [["name": "tabs", "edge": "bottom", "direction": .text(direction), "height": 50]],
          [["behavior": .text(behavior), "options": options]],
          ["environment": ["safeAreaInset": ["bottom": .number(safeArea)]], "trackingScrollView": "content"])
        return header
      }
      func gone(_ header: Header) -> Double { header.state.drawers[0].frame.origin.y - (430 - safeArea) }
      let header = try bar("finger")
      #expect(header.state.scrollViews[0].contentInset.bottom == 50 + safeArea)
      for (offset, expected) in [(0.0, 0.0), (30, 30), (300, 50), (290, 40), (270, 20), (0, 0), (-40, 0)] {
        try header.drag(to: offset, at: header.now.seconds + 1)
        #expect(gone(header) == expected, "\(behavior), \(offset)")
      }
      let other = try bar("content")
      for (offset, expected) in [(0.0, 0.0), (300, 0), (280, 20), (290, 10)] {
        try other.drag(to: offset, at: other.now.seconds + 1)
        #expect(gone(other) == expected, "\(behavior), \(offset)")
      }
    }
  }

  @Test func `a bar at the bottom with insets that follow, or are the application's`() throws {
    for insets in ["follow", "application"] {
      let header = try open(
        [["name": "tabs", "edge": "bottom", "direction": "finger", "height": 50]],
        [["behavior": "CollapsingHeader", "options": ["insets": .text(insets), "drawers": [["returns": "atTop"]]]]])
      for (offset, expected) in [(0.0, 0.0), (30, 30), (300, 50), (100, 50), (40, 40), (20, 20), (0, 0)] {
        try header.drag(to: offset, at: header.now.seconds + 1)
        #expect(header.state.drawers[0].frame.origin.y - 430 == expected, "\(insets), \(offset)")
        #expect(header.state.scrollViews[0].contentInset.bottom == (insets == "follow" ? 50 - expected : 0))
      }
    }
  }

  @Test func `all drawers of an edge have one direction`() throws {
    let mixed: Value = [
      ["name": "one", "edge": "bottom", "height": 50, "direction": "finger"],
      ["name": "two", "edge": "bottom", "height": 9],
    ]
    let error = #expect(throws: HeaderError.self) { _ = try open(mixed, []) }
    #expect(error?.field == "drawers[1].direction")
  }

  // MARK: Two movers

  @Test(arguments: ["top", "bottom"]) func `what hangs on another mover's drawers goes with them`(_ edge: String) throws
  {
    let drawers: Value = [
      ["name": "bar", "height": 100, "minimumHeight": 44, "maximumHeight": 100, "edge": .text(edge)],
      ["name": "two", "height": 60, "minimumHeight": 20, "maximumHeight": 60, "edge": .text(edge)],
    ]
    let options: (String) -> Value = { ["definer": "squareCash", "drawer": .text($0)] }
    let insets: Value = ["top": 160, "bottom": 160]
    let header = try open(
      drawers,
      [
        ["behavior": "FlexibleHeightBar", "options": options("bar")],
        ["behavior": "FlexibleHeightBar", "name": "second", "options": options("two")],
      ],
      [
        "scrollViews": [
          "content": [
            "viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000], "contentInset": insets,
            "offset": ["y": -160],
          ]
        ]
      ])
    for offset in edge == "top" ? [-160.0, -130, 0, 300, -160] : [1680, 1650, 1500, 800, 1680] {
      try header.drag(to: offset, at: header.now.seconds + 1)
      let (bar, two) = (header.state.drawers[0].frame, header.state.drawers[1].frame)
      #expect(edge == "top" ? bar.maxY == two.origin.y : two.maxY == bar.origin.y, "\(offset)")
      let obstruction = try #require(header.state.position?.obstruction)
      #expect((edge == "top" ? obstruction.top : obstruction.bottom) >= bar.size.height + two.size.height - 1e-9)
    }
  }

  /// Its options may make a drawer higher than it is described, and so may a safe area.
  @Test(
    arguments: [
      [
        "behavior": "FlexibleHeightBar",
        "options": ["definer": "squareCash", "drawer": "bar", "maximumBarHeight": 130],
      ],
      ["behavior": "FlexibleHeader", "options": ["minimumHeight": 44, "maximumHeight": 100]],
    ] as [Value])
  func `what hangs on another mover's drawers begins where they end`(_ first: Value) throws {
    let header = try open(
      [["name": "bar", "height": 100], ["name": "two", "height": 60, "minimumHeight": 20]],
      [
        first,
        ["behavior": "FlexibleHeightBar", "name": "second", "options": ["definer": "squareCash", "drawer": "two"]],
      ], ["environment": ["safeAreaInset": ["top": 44]]])
    for offset in stride(from: -200.0, through: 300, by: 20) {
      try header.drag(to: offset, at: header.now.seconds + 1)
      let (bar, two) = (header.state.drawers[0].frame, header.state.drawers[1].frame)
      #expect(abs(bar.maxY - two.origin.y) < 1e-9, "\(offset): \(bar), \(two)")
    }
    #expect(header.isBypassed(0) == false && header.isBypassed(1) == false)
  }

  @Test func `what hangs on another mover's drawers leaves other edges alone`() throws {
    let options: (String) -> Value = { ["definer": "squareCash", "drawer": .text($0)] }
    let header = try open(
      [
        ["name": "bar", "height": 100, "minimumHeight": 44, "maximumHeight": 100],
        ["name": "two", "height": 60, "minimumHeight": 20, "maximumHeight": 60],
        ["name": "tools", "edge": "bottom", "height": 50],
      ],
      [
        ["behavior": "FlexibleHeightBar", "options": options("bar")],
        ["behavior": "FlexibleHeightBar", "name": "second", "options": options("two")],
        ["behavior": "ShyNavBar", "name": "below", "edge": "bottom"],
      ])
    // Away from the top the lower bar stays.
    for offset in stride(from: -160.0, through: 300, by: 20) {
      try header.drag(to: offset, at: header.now.seconds + 1)
      #expect(header.state.drawers[2].frame == Rect(x: 0, y: 430, width: 320, height: 50), "\(offset)")
      #expect(header.state.position?.obstruction?.bottom == 50)
    }
    #expect(header.state.drawers[0].frame.size.height == 44 && header.state.drawers[1].frame.origin.y == 44)
  }

  @Test func `a bar at the bottom hangs above the home indicator and the keyboard`() throws {
    let header = try open(
      [["name": "input", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar"]],
      ["environment": ["safeAreaInset": ["bottom": 20]]])
    #expect(header.state.drawers[0].frame == Rect(x: 0, y: 410, width: 320, height: 50))
    #expect(header.state.scrollViews[0].contentInset.bottom == 70)
    try header.drag(to: 1590, at: 1)
    try layout(header, ["keyboardHeight": 216])
    #expect(header.state.drawers[0].frame == Rect(x: 0, y: 480 - 216 - 50, width: 320, height: 50))
    #expect(header.state.scrollViews[0].contentInset.bottom == 266)
    #expect(header.state.position?.obstruction?.bottom == 266)
    try layout(header, ["keyboardHeight": 0])
    #expect(header.state.drawers[0].frame.origin.y == 410 && header.state.scrollViews[0].contentInset.bottom == 70)
    #expect(!header.isBypassed(0))
  }

  @Test func `content at rest moves with the keyboard, content under a finger does not`() throws {
    for isHeld in [false, true] {
      let header = try open([["name": "input", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar"]])
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(y: 700), isTracking: isHeld, isDragging: isHeld))
      try layout(header, ["keyboardHeight": 200])
      #expect(header.state.scrollViews[0].contentOffset.y == (isHeld ? 700 : 900))
      #expect(header.state.scrollViews[0].correction.y == (isHeld ? 50 : 250))
    }
  }

  @Test func `at the far edges drawers stay there when the window grows`() throws {
    let header = try open(
      [["name": "tabBar", "edge": "bottom", "height": 50], ["name": "rail", "edge": "trailing", "height": 60]],
      [["behavior": "ShyNavBar"], ["behavior": "ShyNavBar", "name": "side", "edge": "trailing"]])
    #expect(header.state.drawers[1].frame == Rect(x: 260, y: 0, width: 60, height: 480))
    #expect(header.state.scrollViews[0].contentInset == Insets(top: 0, left: 0, bottom: 50, right: 60))
    try layout(header, ["viewport": ["width": 480, "height": 320]])
    #expect(header.state.drawers[0].frame == Rect(x: 0, y: 270, width: 480, height: 50))
    #expect(header.state.drawers[1].frame == Rect(x: 420, y: 0, width: 60, height: 320))
    #expect(header.state.scrollViews[0].contentInset == Insets(top: 0, left: 0, bottom: 50, right: 60))
  }

  @Test func `at the far edges drawers stay there when a configuration lets the window grow`() throws {
    let header = try open([["name": "tabBar", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar"]])
    for height in [640.0, 400] {
      let view: Value = ["viewport": ["width": 320, "height": .number(height)], "contentSize": ["height": 2000]]
      _ = try header.apply(.configure(["scrollViews": ["content": view]]), provider: BuiltPlugins.registry())
      #expect(header.state.drawers[0].frame == Rect(x: 0, y: height - 50, width: 320, height: 50))
      #expect(header.state.scrollViews[0].contentInset.bottom == 50)
      #expect(try header.reborn().sight == header.sight)
    }
  }

  @Test func `leading is the right side where text runs from there`() throws {
    let drawers: Value = [["name": "rail", "edge": "leading", "height": 60]]
    let left = try open(drawers, [["behavior": "ShyNavBar"]])
    let right = try open(drawers, [["behavior": "ShyNavBar"]], ["layoutDirection": "rightToLeft"])
    #expect(left.state.drawers[0].frame.origin.x == 0 && left.state.scrollViews[0].contentInset.left == 60)
    #expect(right.state.drawers[0].frame.origin.x == 260 && right.state.scrollViews[0].contentInset.right == 60)
    #expect(left.state.position?.obstruction?.left == 60 && right.state.position?.obstruction?.right == 60)
  }

  /// Newest at the bottom: the offset is 0 there, and the bar belongs to the beginning.
  @Test func `a chat begins at the bottom`() throws {
    let view: Value = [
      "viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000], "reversed": true,
    ]
    let header = try open(
      [["name": "input", "edge": "bottom", "height": 50]],
      [["behavior": "ShyNavBar", "options": ["expansionResistance": 0]]], ["scrollViews": ["content": view]])
    #expect(header.state.scrollViews[0].contentInset.bottom == 50)
    #expect(header.state.scrollViews[0].contentOffset.y == -50)
    try header.drag(to: -50, at: 0.5)
    for y in stride(from: -40.0, through: 300, by: 20) { try header.drag(to: y, at: 1 + y / 100) }
    #expect(header.state.drawers[0].frame.origin.y == 480)
    // More of the past makes the content longer at its far end, and nothing moves.
    try layout(header, ["contentSize": ["height": 4000]])
    #expect(header.state.drawers[0].frame.origin.y == 480 && header.state.scrollViews[0].contentOffset.y == 300)
    for y in stride(from: 280.0, through: 200, by: -20) { try header.drag(to: y, at: 10 - y / 100) }
    #expect(header.state.drawers[0].frame.origin.y == 430)
  }

  /// What a release means to a bar at the top, the opposite means to one at the bottom: away from the bar's edge hides it.
  @Test(arguments: [(-1.0, 1.0), (1, 0)]) func `a release is seen from the edge`(
    _ velocity: Double, _ progress: Double
  ) throws {
    let view: Value = [
      "viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000], "contentInset": ["bottom": 64],
      "offset": ["y": 1584],
    ]
    let header = try open(
      [["name": "bar", "edge": "bottom", "height": 64, "minimumHeight": 20]],
      [["behavior": "FlexibleHeightBar", "options": ["definer": "safari"]]], ["scrollViews": ["content": view]])
    try header.drag(to: 1584 - 11, velocity: velocity)
    #expect(header.progress == progress)
    #expect(header.drawers[0].size.height == 64 - 44 * progress)
  }

  @Test func `each edge gives way to what is to be seen`() throws {
    let header = try open()
    try header.drag(to: 700, at: 1)
    try header.move(to: .stop("expanded"), at: 2)
    #expect(header.state.position?.obstruction == Insets(top: 44, left: 0, bottom: 50, right: 0))
    func reveal(_ y: Double, at time: Double) throws -> Value? {
      try header.receive(
        ScrollEvent(.reveal(Reveal(rect: Rect(x: 0, y: y, width: 10, height: 20), reason: .focus))),
        at: Instant(seconds: time)
      ).result
    }
    let offset = header.scrollViews[0].contentOffset.y
    // Its lower end is 10 points above the viewport's: the lower bar gives way, the upper one stays.
    #expect(try reveal(offset + 450, at: 3) == ["gaveWay": 40, "scroll": 0])
    #expect(header.state.position?.obstruction == Insets(top: 44, left: 0, bottom: 10, right: 0))
    #expect(try reveal(offset + 10, at: 4) == ["gaveWay": 34, "scroll": 0])
    #expect(header.scrollViews[0].contentOffset.y == offset)
    // Wholly below: the bar goes, and the rest is scrolled.
    #expect(try reveal(offset + 500, at: 5) == ["gaveWay": 10, "scroll": 40])
  }

  @Test func `a constraint holds at both edges, and one delegate alone can be moved`() throws {
    let header = try open()
    try header.constrain("loading", 0...0, at: 1)
    for y in stride(from: 0.0, through: 600, by: 20) { try header.drag(to: y, at: 1 + y / 100) }
    for y in stride(from: 600.0, through: 300, by: -20) { try header.drag(to: y, at: 10 - y / 100) }
    #expect(header.state.position?.obstruction == Insets(top: 44, left: 0, bottom: 50, right: 0))
    try header.release("loading", nil, at: 20)
    let move = HeaderMove(to: .progress(0.5), delegate: "bottomBar")
    _ = try header.receive(ScrollEvent(.move(move)), at: Instant(seconds: 21))
    #expect(header.state.drawers[0].frame.maxY == 44 && header.state.drawers[1].frame.origin.y == 455)
    try header.move(to: .shift(drawer: "tabBar", 10), at: 22)
    #expect(header.state.drawers[0].frame.maxY == 44 && header.state.drawers[1].frame.origin.y == 440)
    try header.move(to: .shift(drawer: "navBar", 4), at: 23)
    #expect(header.state.drawers[0].frame.maxY == 40 && header.state.drawers[1].frame.origin.y == 440)
  }

  /// Also in another process, where all are told again what is permitted.
  @Test func `the way of one edge into a constraint does not hold the others for ever`() throws {
    let header = try open(
      Self.bars,
      [["behavior": "CollapsingHeader"], ["behavior": "CollapsingHeader", "name": "below", "edge": "bottom"]])
    for y in [0.0, 100, 700] { try header.drag(to: y, at: header.now.seconds + 1) }
    try header.constrain("tour", 0...0.5, MotionStyle(curve: .linear, duration: 1), at: 5)
    let reborn = try header.reborn()
    for header in [header, reborn] {
      try header.advance(to: 7)
      for y in [690.0, 600] { try header.drag(to: y, at: header.now.seconds + 1) }
    }
    #expect(header.state.drawers[1].frame.origin.y > 430 && reborn.state.drawers == header.state.drawers)
  }

  @Test func `another scroll view is handed over at every edge`() throws {
    let views: Value = [
      "one": ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000]],
      "two": ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 900]],
    ]
    let header = try open(
      Self.bars, Self.shy,
      ["scrollViews": views, "trackingScrollView": "one", "handOver": "keep", "onLeave": "restore"])
    _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: "two")))
    #expect(header.scrollViews[1].contentInset == Insets(top: 44, left: 0, bottom: 50, right: 0))
    #expect(header.scrollViews[0].contentInset == Insets())
    #expect(!header.isBypassed(0) && !header.isBypassed(1))
  }

  @Test func `header space ends where the view ends that tracks`() throws {
    let views: Value = [
      "one": ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 2000]],
      "two": ["viewport": ["width": 320, "height": 400], "contentSize": ["height": 2000]],
    ]
    let header = try open(Self.bars, Self.shy, ["scrollViews": views, "trackingScrollView": "one"])
    for (name, end) in [("two", 400.0), ("one", 480), ("two", 400)] {
      _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: name)))
      #expect(header.state.drawers[1].frame == Rect(x: 0, y: end - 50, width: 320, height: 50), "\(name)")
      #expect(try header.reborn().state.drawers == header.state.drawers)
    }
    try layout(header, ["viewport": ["width": 320, "height": 440]])
    #expect(header.state.drawers[1].frame.origin.y == 390)
  }

  @Test func `drawers come and go at an edge`() throws {
    let header = try open()
    let more: Value = [
      ["name": "navBar", "height": 44], ["name": "search", "height": 30],
      ["name": "tabBar", "edge": "bottom", "height": 50, "elements": [["name": "line"], ["name": "tabs"]]],
      ["name": "player", "edge": "bottom", "height": 20],
    ]
    _ = try header.apply(.configure(["drawers": more]), provider: BuiltPlugins.registry())
    #expect(!header.isBypassed(0) && !header.isBypassed(1))
    #expect(header.state.drawers.map(\.frame.origin.y) == [0, 44, 430, 410])
    #expect(header.state.elements.map(\.drawer) == [2, 2])
    #expect(header.scrollViews[0].contentInset == Insets(top: 74, left: 0, bottom: 70, right: 0))
    let reborn = try header.reborn()
    #expect(reborn.state.text == header.state.text)
  }

  @Test func `a drawer that comes to another edge is moved by who is there`() throws {
    let header = try open()
    let drawers: Value = [
      ["name": "search", "height": 30], ["name": "navBar", "edge": "bottom", "height": 44],
      ["name": "tabBar", "edge": "bottom", "height": 50],
    ]
    _ = try header.apply(.configure(["drawers": drawers]), provider: BuiltPlugins.registry())
    #expect(!header.isBypassed(0) && !header.isBypassed(1))
    #expect(header.state.drawers.map(\.frame.origin.y) == [0, 436, 386])
  }

  @Test func `scroll views and drawers come at once, in mid-way`() throws {
    let tabs: Value = ["name": "tabs", "edge": "bottom", "direction": "finger", "height": 50]
    let player: Value = ["name": "player", "edge": "bottom", "direction": "finger", "height": 30]
    let header = try open([tabs], [["behavior": "ShyNavBar"]])
    try header.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1), at: 1)
    let view: Value = ["viewport": ["width": 320, "height": 480], "contentSize": ["height": 3000]]
    let keys: Value.Record = ["drawers": [tabs, player], "scrollViews": ["content": view]]
    _ = try header.apply(.configure(keys), provider: BuiltPlugins.registry())
    #expect(header.state.drawers.map(\.frame.origin.y) == [430, 400] && !header.isBypassed(0))
    #expect(header.scrollViews[0].contentInset.bottom == 80)
  }

  /// Also in another process, where nothing but the description says which it is.
  @Test func `a delegate stays at its edge when drawers of another one come before its own`() throws {
    let header = try open([["name": "tabBar", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar"]])
    let more: Value = [["name": "navBar", "height": 44], ["name": "tabBar", "edge": "bottom", "height": 50]]
    _ = try header.apply(.configure(["drawers": more]), provider: BuiltPlugins.registry())
    for header in [header, try header.reborn()] {
      for y in [0.0, 600, 590, 560, 500] { try header.drag(to: y, at: header.now.seconds + 1) }
      #expect(header.state.drawers.map(\.frame.origin.y) == [0, 480] && !header.isBypassed(0))
    }
  }

  @Test func `a copy has each edge's chain, in whatever order the edges came`() throws {
    let plugins = BuiltPlugins.registry()
    let header = try open(
      [["name": "tabBar", "edge": "bottom", "height": 50]], [["behavior": "ShyNavBar", "edge": "bottom"]])
    let more: Value = [["name": "navBar", "height": 44], ["name": "tabBar", "edge": "bottom", "height": 50]]
    _ = try header.apply(.configure(["drawers": more]), provider: plugins)
    let copy = try Header(copying: header, try header.savedDelegates(), provider: plugins)
    #expect(header.chain(of: header.delegates[0]).tail == 0)
    #expect(copy.chain(of: copy.delegates[0]) == header.chain(of: header.delegates[0]))
  }

  @Test func `what cannot be is refused`() throws {
    let apart = #expect(throws: HeaderError.self) {
      _ = try open(
        [["name": "a", "height": 1], ["name": "b", "edge": "bottom", "height": 1], ["name": "c", "height": 1]], [])
    }
    #expect(apart?.field == "drawers[2].edge" && apart?.name == .invalidParams)
    let word = #expect(throws: HeaderError.self) { _ = try open([["name": "a", "edge": "left", "height": 1]], []) }
    #expect(word?.field == "drawers[0].edge")
    let plain = try open([["name": "navBar", "height": 44]], [["behavior": "ShyNavBar"]])
    let late = #expect(throws: HeaderError.self) {
      _ = try plain.apply(.configure(["drawers": Self.bars]), provider: BuiltPlugins.registry())
    }
    #expect(late?.name == .unsupported)
  }

  /// What a header of several edges does in random hands: nothing is bypassed, drawers stay within their ways, and what is
  /// saved is the whole of it.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func `in random hands`(_ seed: UInt64) throws {
    let drawers: Value = [
      ["name": "navBar", "height": 44], ["name": "search", "height": 30],
      ["name": "tabBar", "edge": "bottom", "height": 50], ["name": "rail", "edge": "leading", "height": 40],
    ]
    let delegates: Value = [
      ["behavior": "ShyNavBar", "options": ["expansionResistance": 0]],
      ["behavior": "ShyNavBar", "name": "below", "edge": "bottom", "options": ["expansionResistance": 10]],
      ["behavior": "ShyNavBar", "name": "beside", "edge": "leading"],
    ]
    let header = try open(drawers, delegates)
    var dice = SplitMix64(seed: seed)
    for (index, (time, event)) in RandomScroll(seed: seed, gestures: 30).events.enumerated() {
      _ = try header.receive(event, at: time)
      if index.isMultiple(of: 11) {
        try layout(
          header,
          [
            "keyboardHeight": .number(Bool.random(using: &dice) ? 216 : 0),
            "safeAreaInset": ["top": 20, "left": .number(Double.random(in: 0...40, using: &dice)), "bottom": 16],
          ])
      }
      for index in header.delegates.indices { #expect(!header.isBypassed(index)) }
      let (view, line) = (header.scrollViews[0], 480 - header.environment.keyboardHeight)
      let scale = view.viewport.height / 480
      for drawer in header.state.drawers { #expect(drawer.frame.origin.x.isFinite && drawer.frame.origin.y.isFinite) }
      if scale == 1 {
        let tab = header.state.drawers[2].frame
        #expect(tab.origin.y >= line - 66 - 1e-9 && tab.origin.y <= line + 1e-9, "\(tab) above \(line)")
      }
    }
    #expect(try header.reborn().sight == header.sight)
  }

  /// A recording has the whole description and every input; what is read back from it tells the same, state by state.
  @Test(arguments: Reflection.all) func `what is recorded is replayed`(_ reflection: Reflection) throws {
    let described = try reflection.description(of: Movers.shyNavBar)
    var unknown: [UnknownField] = []
    let read = try HeaderDescription(described.recorded, at: Path(""), unknown: &unknown, isRecorded: true)
    #expect(read == described && unknown.isEmpty)
    let plugins = BuiltPlugins.registry()
    let header = try Header(described, epoch: 1, provider: plugins)
    let replayed = try Header(read, epoch: 1, provider: plugins)
    for (time, event) in RandomScroll(seed: 21).exact {
      let input = HeaderInput.event(reflection.event(event, in: header))
      let recorded = input.recorded(at: time)
      var at: Instant?
      let again = try HeaderInput(recorded: recorded, time: &at, unknown: &unknown)
      var (states, others): ([String], [String]) = ([], [])
      _ = try header.apply(input, at: time, provider: plugins) { states.append($0.text) }
      _ = try replayed.apply(again, at: at, provider: plugins) { others.append($0.text) }
      #expect(states == others && unknown.isEmpty)
    }
  }
}
