// SPDX-License-Identifier: MIT
//
// Motion by call (headerd-position(7)), for every behavior that moves drawers.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct MoveTests {
  @Test(arguments: Movers.all) func `it goes to any place, and stays there`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.scroll(to: 600)
    for progress in [0, 1, 0.5, 0.25, 1, 0, 0.75] {
      let answer = try header.move(to: .progress(progress))
      #expect(abs(header.place.progress - progress) < 1e-12, "\(header.place)")
      #expect(answer.result?.field("progress") == .number(progress))
      try header.advance(to: header.now.seconds + 1)
      #expect(abs(header.place.progress - progress) < 1e-12)
    }
  }

  /// A header that is described so begins where a move at once would have put it, before anybody sees it.
  @Test(arguments: Movers.all) func `it may begin at a place`(_ mover: ComposedHeader) throws {
    for (target, progress): (HeaderMove.Target, Double) in [
      (.stop("collapsed"), 1), (.progress(0.5), 0.5), (.stop("half"), 0.5), (.stop("expanded"), 0),
    ] {
      var description = try mover.description()
      description.stops = [StopDescription(name: "half", target: .progress(0.5))]
      let moved = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      try moved.move(to: target)
      description.initialPosition = target
      let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      #expect(header.state.seq == 1)
      #expect(abs(header.place.progress - progress) < 1e-12)
      #expect(header.sight == moved.sight)
      // One that goes on begins where it was.
      try header.move(to: .progress(0.25))
      #expect(try header.reborn().sight == header.sight)
    }
  }

  @Test func `a place that there is not is refused at opening`() throws {
    for (target, field): (HeaderMove.Target, String) in [
      (.stop("halfway"), "initialPosition"), (.height(drawer: "bra", 40), "initialPosition.drawer"),
    ] {
      var description = try #require(Movers.all.first).description()
      description.initialPosition = target
      let error = #expect(throws: HeaderError.self) {
        try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      }
      #expect(error?.field == field && error?.message.hasPrefix(field) == true, "\(error?.message ?? "")")
    }
    var description = try #require(Movers.all.first).description()
    (description.delegates, description.initialPosition) = ([], .progress(1))
    let error = #expect(throws: HeaderError.self) {
      try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    }
    #expect(error?.message == "initialPosition: header \"main\" has no delegate that moves drawers")
  }

  /// From any place a movement of the content moves the header on from there: never by more than the content moved.
  @Test(arguments: Movers.all) func `a movement goes on from there, without a jump`(_ mover: ComposedHeader) throws {
    for start in [0.0, 30, 90, 1000] {
      for progress in [0, 0.3, 1] {
        for step in [-7.0, 5] {
          let header = try mover.open()
          header.settleContent()
          var y = start
          try header.drag(to: y, at: 1)
          try header.move(to: .progress(progress), at: 1.1)
          y = header.scrollViews[0].contentOffset.y
          for index in 1...20 {
            let before = header.place.traveled
            let offset = header.scrollViews[0].contentOffset.y
            y = max(-header.scrollViews[0].adjustedContentInset.top, offset + step)
            try header.drag(to: y, at: 1.1 + Double(index) / 60)
            #expect(
              abs(header.place.traveled - before) <= abs(y - offset) + 1e-9,
              "\(start) \(progress) \(step) \(index): \(before) → \(header.place.traveled)")
          }
        }
      }
    }
  }

  @Test(arguments: Movers.all) func `an animation arrives at its time, and says so`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("expanded"))
    var states: [(time: Double, progress: Double?, words: [String])] = []
    let style = MotionStyle(curve: .easeInOut, duration: 0.5)
    let answer = try header.move(to: .stop("collapsed"), style, at: 10)
    try header.advance(to: 11) { states.append(($0.time.seconds, $0.position?.position.progress, words($0))) }
    let end = try #require(states.first { $0.words.contains("didArrive") })
    #expect(abs(end.time - 10.5) < 0.02)
    #expect(header.place.progress == 1)
    #expect(states.count > 25)
    // It never goes back on its way.
    let progresses = states.compactMap(\.progress)
    #expect(zip(progresses, progresses.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    #expect(answer.result?.field("id") != nil)
    #expect(header.state.position == nil && !header.state.framesActive)
  }

  /// Whoever looks, at whatever times, sees the same path: the engine's curves and springs are closed forms.
  @Test(arguments: Movers.all) func `the path does not depend on the frame rate`(_ mover: ComposedHeader) throws {
    let curves: [AnimationCurve] = [
      .linear, .easeIn, .easeOut, .easeInOut, .spring(mass: 1, stiffness: 200, damping: 14, initialVelocity: 0),
      .spring(mass: 1, stiffness: 100, damping: 20, initialVelocity: 0),
      .spring(mass: 1, stiffness: 100, damping: 60, initialVelocity: 0),
    ]
    for curve in curves {
      let looks = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]
      var places: [[Double]] = []
      for rate in [30.0, 60, 120, 7.3] {
        var description = try mover.description()
        description.frameRate = rate
        let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
        try header.scroll(to: 600)
        try header.move(to: .progress(0.1), at: 1)
        try header.move(to: .progress(0.8), MotionStyle(curve: curve, duration: 0.5), velocity: 0.2, at: 2)
        var seen: [Double] = []
        for look in looks {
          try header.advance(to: 2 + look)
          seen.append(header.place.traveled)
          seen += header.drawers.indices.map { header.drawers[$0].center.y + header.drawers[$0].size.height }
        }
        places.append(seen)
      }
      for other in places.dropFirst() {
        for (one, two) in zip(places[0], other) { #expect(abs(one - two) <= 1e-7, "\(curve): \(one), \(two)") }
      }
    }
  }

  /// A header on its way from 0.1 to 0.8, since second 2.
  private func moving(_ curve: AnimationCurve) throws -> Header {
    let header = try Movers.all[0].open()
    try header.scroll(to: 600)
    try header.move(to: .progress(0.1), at: 1)
    try header.move(to: .progress(0.8), MotionStyle(curve: curve, duration: 0.5), at: 2)
    return header
  }

  /// Less, just as much and more damping than lets a spring swing; the equation of motion is followed in small steps.
  @Test(arguments: [14.0, 20, 60]) func `a spring goes as its equation says`(_ damping: Double) throws {
    let header = try moving(.spring(mass: 1, stiffness: 100, damping: damping, initialVelocity: 0))
    func change(_ x: Double, _ v: Double) -> (Double, Double) { (v, -100 * x - damping * v) }
    let step = 1e-3
    var (x, v) = (-1.0, 0.0)
    for number in 1...300 {
      let one = change(x, v)
      let two = change(x + step / 2 * one.0, v + step / 2 * one.1)
      let three = change(x + step / 2 * two.0, v + step / 2 * two.1)
      let four = change(x + step * three.0, v + step * three.1)
      x += step / 6 * (one.0 + 2 * two.0 + 2 * three.0 + four.0)
      v += step / 6 * (one.1 + 2 * two.1 + 2 * three.1 + four.1)
      guard number % 50 == 0 else { continue }
      try header.advance(to: 2 + Double(number) * step)
      #expect(abs(header.place.progress - (0.8 + 0.7 * x)) < 1e-6, "after \(number) ms")
    }
  }

  /// Control points as Core Animation and CSS have them.
  @Test(
    arguments: [
      (.linear, (1.0 / 3, 1.0 / 3), (2.0 / 3, 2.0 / 3)), (.easeIn, (0.42, 0.0), (1.0, 1.0)),
      (.easeOut, (0.0, 0.0), (0.58, 1.0)), (.easeInOut, (0.42, 0.0), (0.58, 1.0)),
    ] as [(AnimationCurve, (Double, Double), (Double, Double))])
  func `a curve goes as it is drawn`(_ curve: AnimationCurve, _ one: (Double, Double), _ two: (Double, Double)) throws {
    let header = try moving(curve)
    for t in [0.125, 0.25, 0.5, 0.75, 0.875] {
      func at(_ one: Double, _ two: Double) -> Double {
        3 * (1 - t) * (1 - t) * t * one + 3 * (1 - t) * t * t * two + t * t * t
      }
      try header.advance(to: 2 + 0.5 * at(one.0, two.0))
      #expect(abs(header.place.progress - (0.1 + 0.7 * at(one.1, two.1))) < 1e-6, "at \(t)")
    }
  }

  /// A header that expands evenly from second 2 to second 3.
  private func expanding(_ mover: ComposedHeader, _ drawnBy: MotionStyle.Drawer) throws -> Header {
    let header = try mover.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("collapsed"), at: 1)
    try header.move(to: .stop("expanded"), MotionStyle(curve: .linear, duration: 1, drawnBy: drawnBy), at: 2)
    return header
  }

  @Test(arguments: Movers.all) func `a finger catches it where it is`(_ mover: ComposedHeader) throws {
    for drawnBy in [MotionStyle.Drawer.frames, .renderer] {
      let header = try expanding(mover, drawnBy)
      var notices: [String] = []
      _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 2.5)) { notices += words($0) }
      #expect(abs(header.place.progress - 0.5) < 1e-9, "\(drawnBy)")
      #expect(notices.contains("wasInterrupted") && !notices.contains("didArrive"))
      try header.advance(to: 9) { notices += words($0) }
      #expect(!notices.contains("didArrive"))
      #expect(abs(header.place.progress - 0.5) < 1e-9)
    }
  }

  @Test(arguments: Movers.all) func `another motion catches it where it is`(_ mover: ComposedHeader) throws {
    for drawnBy in [MotionStyle.Drawer.frames, .renderer] {
      let header = try expanding(mover, drawnBy)
      try header.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1), at: 2.5)
      #expect(abs(header.place.progress - 0.5) < 1e-9, "\(drawnBy)")
    }
  }

  /// The most frequent input takes a way of its own.
  @Test(arguments: [Movers.flexibleHeader, Movers.stretchyHeader, Movers.collapsingHeader])
  func `a finger that was there catches it by the next scroll`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.scroll(to: 600)
    try header.move(to: .stop("collapsed"), at: 1)
    try header.drag(to: 600, at: 1.5)
    try header.move(to: .stop("expanded"), MotionStyle(curve: .linear, duration: 1, drawnBy: .renderer), at: 2)
    var notices: [String] = []
    let input = HeaderInput.scroll(to: PartialPoint(y: 600), correction: nil)
    _ = try header.apply(input, at: Instant(seconds: 2.5), provider: BuiltPlugins.registry()) { notices += words($0) }
    #expect(abs(header.place.progress - 0.5) < 1e-9, "\(header.place)")
    #expect(notices.contains("wasInterrupted"))
  }

  /// Saved states come from anywhere: one may have a motion that should be over by now. Nobody finds it beyond its end.
  @Test(arguments: Movers.all) func `a finger catches what is overdue where it ends`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try header.scroll(to: 600)
    try header.move(to: .progress(0.25), at: 1)
    try header.move(to: .progress(0.5), MotionStyle(curve: .linear, duration: 1, drawnBy: .renderer), at: 20)
    guard case .record(var saved) = try header.save(), case .record(var position)? = saved["position"],
      case .record(var motion)? = position["motion"]
    else {
      Issue.record("no motion is saved")
      return
    }
    #expect(motion["start"] == "20000000000")
    motion["start"] = "18000000000"
    position["motion"] = .record(motion)
    saved["position"] = .record(position)
    let other = try Header(
      header.description, epoch: 1, provider: BuiltPlugins.registry(), saved: .record(saved))
    var notices: [String] = []
    _ = try other.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 20.1)) { notices += words($0) }
    #expect(notices.contains("wasInterrupted"))
    #expect(abs(other.place.progress - 0.5) < 1e-9, "\(other.place)")
  }

  @Test(arguments: Movers.all, [FrameSource.events, .manual])
  func `renderers that draw it get the end at once`(_ mover: ComposedHeader, _ frames: FrameSource) throws {
    var description = try mover.description()
    description.frames = frames
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    try header.scroll(to: 600)
    try header.move(to: .stop("collapsed"), at: 1)
    var animations = 0
    var notices: [String] = []
    let style = MotionStyle(curve: .easeOut, duration: 0.4, drawnBy: .renderer)
    try header.move(to: .stop("expanded"), style, at: 2) { animations += $0.happened.animations.count }
    #expect(header.place.progress == 0 && animations == 1 && !header.state.framesActive)
    try header.advance(to: 2.39) { notices += words($0) }
    #expect(!notices.contains("didArrive"))
    try header.advance(to: 2.41) { notices += words($0) }
    #expect(notices.contains("didArrive"))
  }

  /// A motion that is saved in mid-way goes on in another process.
  @Test(arguments: Movers.all) func `it survives a save and a reload`(_ mover: ComposedHeader) throws {
    var (one, other) = (try mover.open(), try mover.open())
    for header in [one, other] {
      try header.scroll(to: 600)
      try header.constrain("tour", 0.25...1, at: 1)
      try header.move(to: .progress(1), at: 1)
      try header.move(to: .progress(0), MotionStyle(curve: .easeIn, duration: 1), at: 2)
    }
    for step in 1...12 {
      let time = 2 + Double(step) / 10
      try one.advance(to: time)
      try other.advance(to: time)
      #expect(one.state.line == other.state.line)
      other = try other.reborn()
      try one.reloadDelegate(at: 0)
    }
    #expect(one.place.progress == other.place.progress && abs(one.place.progress - 0.25) < 1e-12)
    _ = one
  }

  @Test func `a motion of any speed over any way is saved as it can be read`() throws {
    let spring = MotionStyle(curve: .spring(mass: 1, stiffness: 200, damping: 26, initialVelocity: 0), duration: 0)
    let high: Value = [["name": "navBar", "height": 600_000_000], ["name": "extension", "height": 600_000_000]]
    for mover in [Movers.shyNavBar, Movers.squareCash, Movers.header("ShyNavBar", high, [:])] {
      let header = try mover.open()
      try header.scroll(to: 600)
      try header.move(to: .stop("expanded"), at: 1)
      try header.move(to: .stop("collapsed"), spring, velocity: 1e9, at: 2)
      #expect(header.state.position?.motion != nil)
      #expect(try header.reborn().nextDue == header.nextDue)
    }
  }

  /// Whoever moves may leave in mid-way, and so may the drawers.
  @Test(arguments: Movers.all) func `its end is told of also when what moves goes`(_ mover: ComposedHeader) throws {
    for removesDelegate in [true, false] {
      let header = try mover.open()
      try header.scroll(to: 600)
      try header.move(to: .stop("expanded"))
      try header.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1), at: 2)
      try header.advance(to: 2.5)
      var told: [(word: String, delegate: String)] = []
      func note(_ state: borrowing HeaderState) {
        let names = state.names
        told += state.happened.notices.map { ($0.word(in: names), names.delegate(of: $0)) }
      }
      if removesDelegate {
        try header.removeDelegate(at: 0, emit: note)
      } else {
        var next = header.description
        next.drawers = [DrawerDescription(name: "other", height: 90, y: 0, width: 320)]
        try header.reconfigure(to: next, emit: note)
      }
      try header.advance(to: 9, emit: note)
      #expect(told.filter { ["didArrive", "wasInterrupted"].contains($0.word) }.map(\.word) == ["wasInterrupted"])
      #expect(header.state.position == nil)
      _ = try header.save()
    }
  }

  @Test func `drawers, heights and stops can be named`() throws {
    let bars = try Movers.shyNavBar.open()
    try bars.move(to: .shift(drawer: "navBar", 10))
    // The extension contracts before the bar.
    #expect(bars.place.traveled == 50)
    try bars.move(to: .shift(drawer: "extension", 10))
    #expect(bars.place.traveled == 10)
    let cash = try Movers.squareCash.open()
    try cash.move(to: .height(drawer: "bar", 72))
    #expect(cash.drawers[0].size.height == 72)
    let flexible = try Movers.flexibleHeader.open()
    try flexible.move(to: .stop("minimumHeight"))
    #expect(flexible.drawers[0].size.height == 72 && flexible.drawers[0].frame.origin.y == 0)
  }

  private static let shop = Movers.header(
    "CollapsingHeader of two laws",
    [["name": "title", "height": 96, "minimumHeight": 44, "maximumHeight": 96], ["name": "search", "height": 52]],
    [
      "drawers": [
        ["drawer": "title", "collapse": true, "returns": "atTop"],
        ["drawer": "search", "shift": true, "returns": "anywhere"],
      ]
    ], inset: 148)

  /// What one drawer is to be is what it is, wherever the header comes from.
  @Test func `a drawer among others goes where it is told to`() throws {
    for (begin, back) in [(0.0, 0.0), (30, 0), (70, 0), (500, 0), (500, -20), (500, -100)] {
      let header = try Self.shop.open()
      header.settleContent()
      for (step, distance) in [begin, back].enumerated() where distance != 0 {
        try header.drag(to: header.scrollViews[0].contentOffset.y + distance, at: 1 + Double(step))
      }
      try header.move(to: .height(drawer: "title", 60))
      #expect(header.drawers[0].frame.size.height == 60, "\(begin), \(back)")
      try header.move(to: .shift(drawer: "search", 10))
      #expect(header.drawers[0].frame.maxY - header.drawers[1].frame.origin.y == 10, "\(begin), \(back)")
    }
    let header = try Self.shop.open()
    header.settleContent()
    let answer = try header.move(to: .height(drawer: "title", 60))
    #expect(header.drawers.elements.map(\.frame.size.height) == [60, 52] && header.drawers[1].frame.maxY == 60)
    #expect(answer.result?.field("progress") == .number(88.0 / 104))
  }

  @Test func `a height or a shift that a drawer cannot have is refused`() throws {
    func message(_ header: Header, _ target: HeaderMove.Target) -> String? {
      do { _ = try header.move(to: target) } catch { return (error as? HeaderError)?.message }
      return nil
    }
    let shop = try Self.shop.open()
    #expect(
      message(shop, .height(drawer: "title", 43))
        == "to.height: expected a number from 44 to 96, which \"title\" can have, got 43")
    #expect(message(shop, .height(drawer: "title", 97)) != nil && message(shop, .shift(drawer: "search", 53)) != nil)
    #expect(message(shop, .shift(drawer: "title", 1)) != nil && message(shop, .shift(drawer: "search", -1)) != nil)
    let cash = try Movers.squareCash.open()
    #expect(message(cash, .height(drawer: "bar", 19)) != nil && message(cash, .height(drawer: "bar", 20)) == nil)
    #expect(message(try Movers.shyNavBar.open(), .shift(drawer: "navBar", 45)) != nil)
  }

  /// One place for one stop, whatever a chain's order, and wherever it comes from.
  @Test(arguments: [ChainEnd.first, .last], [ChainEnd.first, .last])
  func `a shift of a chain is one place`(_ contracts: ChainEnd, _ expands: ChainEnd) throws {
    for drawer in ["navBar", "extension"] {
      var places: Set<String> = []
      for (begin, back) in [(0.0, 0.0), (60, 0), (300, 0), (300, -20), (300, -50), (30, -10)] {
        let header = try Movers.shyNavBar.open()
        header.settleContent()
        var chain = header.chain
        (chain.contractsFirst, chain.expandsFirst) = (contracts, expands)
        try header.setChain(chain, by: header.delegates[0])
        var time = 1.0
        for distance in [begin, back] {
          for _ in 0..<10 {
            time += 0.1
            try header.drag(to: header.scrollViews[0].contentOffset.y + distance / 10, at: time)
          }
        }
        try header.move(to: .shift(drawer: drawer, 16), .usual, at: time + 1)
        try header.advance(to: time + 3)
        places.insert("\(header.drawers.elements.map(\.center.y))")
      }
      #expect(places.count == 1, "\(drawer): \(places)")
    }
  }

  @Test func `a description names stops of its own`() throws {
    var description = try Movers.squareCash.description()
    description.stops = [
      StopDescription(name: "half", target: .progress(0.5)),
      StopDescription(name: "search", target: .height(drawer: "bar", 45)),
    ]
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    try header.move(to: .stop("search"))
    #expect(header.drawers[0].size.height == 45)
    try header.move(to: .stop("half"))
    #expect(header.place.progress == 0.5)
    let stops = try #require(header.positionReport).stops
    #expect(stops.prefix(2) == [NamedStop(name: "half", progress: 0.5), NamedStop(name: "search", progress: 0.75)])
    var unknown: [UnknownField] = []
    let written = try HeaderDescription(header.description.value, unknown: &unknown)
    #expect(written.stops == description.stops)
  }

  /// Calls of the libraries' own: what they begin is theirs, and its end is told of.
  @Test(arguments: OwnCall.all) func `what a behavior's own call begins is followed to its end`(_ call: OwnCall) throws
  {
    for isCaught in [false, true] {
      let header = try call.mover.open()
      header.settleContent()
      try header.scroll(to: 600)
      try header.move(to: .progress(call.from))
      var notices: [(id: Value?, word: String)] = []
      func note(_ state: borrowing HeaderState) {
        let names = state.names
        notices += state.happened.notices.map { ($0.arguments?["id"], $0.word(in: names)) }
      }
      let event = ScrollEvent(.call(name: call.name, arguments: [:], delegate: nil, report: true))
      let answer = try header.receive(event, at: Instant(seconds: 20), emit: note)
      let id = try #require(answer.result?.field("id"))
      #expect(answer.result?.field("returned") == .null)
      if isCaught {
        try header.advance(to: 20.05, emit: note)
        try header.move(to: .progress(0.4), at: 20.1, emit: note)
      }
      // In mid-way it is saved as well.
      let other = try header.reborn()
      try header.advance(to: 30, emit: note)
      try other.advance(to: 30)
      #expect(notices.filter { $0.id == id }.map(\.word) == [isCaught ? "wasInterrupted" : "didArrive"])
      #expect(header.state.position == nil && other.state.position == nil)
      #expect(header.place == other.place)
    }
  }

  /// The same call without being asked to report is the library's alone.
  @Test(arguments: OwnCall.all) func `nothing is told of where nobody asks`(_ call: OwnCall) throws {
    let header = try call.mover.open()
    try header.scroll(to: 600)
    let event = ScrollEvent(.call(name: call.name, arguments: [:], delegate: nil))
    #expect(try header.receive(event, at: Instant(seconds: 20)).result == .null)
    try header.advance(to: 30) { #expect(!words($0).contains("didArrive")) }
  }

  @Test func `the header's own way onto the screen can be the same at any frame rate`() throws {
    func path(_ rate: Double, _ options: Value) throws -> [Double] {
      let mover = Movers.header(
        "FlexibleHeader", [["name": "header", "height": 160]],
        .record(
          Value.Record(fields: [
            .init(name: "minimumHeight", value: 72), .init(name: "maximumHeight", value: 160),
            .init(name: "shiftBehavior", value: "enabled"), .init(name: "frameRateIndependent", value: options),
          ])))
      var description = try mover.description()
      description.frameRate = rate
      let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
      try header.scroll(to: 600)
      let call = ScrollEvent(.call(name: "shiftHeaderOnScreenAnimated", arguments: [:], delegate: nil))
      _ = try header.receive(call, at: Instant(seconds: 20))
      return try [0.1, 0.2, 0.3, 0.5, 2].map { look in
        try header.advance(to: 20 + look)
        return header.drawers[0].center.y
      }
    }
    let paths = try [30.0, 60, 120].map { try path($0, true) }
    for other in paths.dropFirst() {
      for (one, two) in zip(paths[0], other) { #expect(abs(one - two) <= 1e-9 * 160) }
    }
    // The library's own law is another one at each rate.
    let (slow, fast) = (try path(30, false), try path(120, false))
    #expect(abs(slow[0] - fast[0]) > 0.1 && slow[4] == fast[4])
  }

  @Test func `what cannot be is refused by name`() throws {
    let bars = try Movers.shyNavBar.open()
    func message(_ target: HeaderMove.Target) -> String? {
      (#expect(throws: HeaderError.self) { try bars.move(to: target) })?.message
    }
    #expect(message(.stop("halfway")) == "to: there is no stop \"halfway\"")
    #expect(
      message(.height(drawer: "navBar", 10)) == "to.height: shyNavBar moves its drawers and keeps their heights")
    #expect(message(.shift(drawer: "tabs", 1))?.hasPrefix("to.drawer: header \"main\" has no drawer \"tabs\"") == true)
    var still = ComposedHeader(title: "Keyframes", drawers: Movers.bars, delegates: [])
    still.delegates = [ComposedHeader.Member(behavior: "Keyframes")]
    let error = try #require(throws: HeaderError.self) { try still.open().move(to: .stop("expanded")) }
    #expect(error.name == .unsupported && error.message == "header \"main\" has no delegate that moves drawers")
    // One that moves drawers, but not along a way.
    still.delegates = [ComposedHeader.Member(behavior: "StretchyHeader", options: ["followsScroll": false])]
    let other = try #require(throws: HeaderError.self) { try still.open().move(to: .stop("expanded")) }
    #expect(other.message.contains("stretchyHeader (StretchyHeader)"), "\(other.message)")
  }

  @Test(arguments: Movers.all) func `with reduced motion it is there at once`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    var change = LayoutChange()
    change.given = ["reduceMotion": true]
    _ = try header.receive(ScrollEvent(.layout(change)))
    try header.scroll(to: 600)
    try header.move(to: .stop("expanded"))
    var animations = 0
    try header.move(to: .stop("collapsed"), .usual, at: 2) { animations += $0.happened.animations.count }
    #expect(header.place.progress == 1 && animations == 0 && !header.state.framesActive)
  }
}

/// A call of a library's own that takes its time.
struct OwnCall: Sendable, CustomTestStringConvertible {
  var mover: ComposedHeader
  var name: String
  /// The progress that it begins at.
  var from: Double
  var testDescription: String { name }

  static let all = [
    OwnCall(mover: Movers.shyNavBar, name: "expand", from: 1),
    OwnCall(mover: Movers.shyNavBar, name: "contract", from: 0),
    OwnCall(mover: Movers.flexibleHeader, name: "shiftHeaderOnScreenAnimated", from: 1),
    OwnCall(mover: Movers.flexibleHeader, name: "shiftHeaderOffScreenAnimated", from: 0),
  ]
}

extension Value {
  /// A field of a record.
  func field(_ name: String) -> Value? { if case .record(let record) = self { record[name] } else { nil } }
}

extension Header {
  /// The insets as an application has them once its header is laid out.
  func settleContent() { _ = try? receive(ScrollEvent(.willAppear)) }
}
