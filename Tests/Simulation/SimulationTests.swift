// SPDX-License-Identifier: MIT
//
// Random lives of the daemon from a seed: clients that open, scroll, subscribe, record, reload, babble, stop reading and
// vanish, in any order. What must hold is in SimulatedClient; here the lives are made up, and in the end everybody reads
// what waits, every header's last state is where its subscribers are, and every recording is replayed.
//
// HEADERD_SEEDS=100..<2000 runs other lives; a failure names its seed.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderService
import HeaderTestKit
import PluginHost
import Testing

@Suite struct SimulationTests {
  static let seeds: Range<UInt64> = {
    let parts = (ProcessInfo.processInfo.environment["HEADERD_SEEDS"] ?? "").components(separatedBy: "..<").compactMap {
      UInt64($0)
    }
    return parts.count == 2 && parts[0] < parts[1] ? parts[0]..<parts[1] : 1..<13
  }()

  @Test(arguments: seeds, [1, 2, 4]) func everyPromiseHolds(_ seed: UInt64, shards: Int) throws {
    let life = try Life(seed: seed, shards: shards)
    try life.live()
    let complaints = try life.end()
    #expect(
      complaints.isEmpty,
      "seed \(seed), \(shards) shards, \(complaints.count) complaints: \(complaints.prefix(3).joined(separator: "\n"))")
    #expect(life.world.log.isEmpty, "seed \(seed): \(life.world.log.prefix(3))")
  }

  /// A life depends on nothing but its seed.
  @Test(arguments: [1, 4]) func theSameSeedIsTheSameLife(shards: Int) throws {
    func transcript() throws -> [[UInt8]] {
      let life = try Life(seed: 7, shards: shards)
      try life.live()
      _ = try life.end()
      return life.everybody.map(\.transcript)
    }
    let first = try transcript()
    #expect(first.map(\.count).reduce(0, +) > 10_000)
    #expect(try transcript() == first)
  }

  /// Lives are eventful enough to show something.
  @Test func livesAreEventful() throws {
    var text = ""
    for seed in 1...12 as ClosedRange<UInt64> {
      let life = try Life(seed: seed, shards: 1)
      try life.live()
      _ = try life.end()
      text += life.everybody.map { String(decoding: $0.transcript, as: UTF8.self) }.joined()
    }
    for word in [
      "\"snapshot\":true", "\"method\":\"gap\"", "\"method\":\"closed\"", "\"reason\":\"replaced\"",
      "\"reason\":\"connection\"",
      "didFinish", "\"step\":{\"event\":\"reload\"", "\"step\":{\"event\":\"configure\"",
      "\"trackingScrollView\":\"aside\"",
      "\"nanoseconds\":", "\"ended\":", "timeBackwards",
      "parseError", "limitExceeded", "\"method\":\"ping\"", "delegatePassedOver",
      "\"progress\":", "\"method\":\"delegate.ask\"", "\"method\":\"delegate.event\"", "\"depth\":1", "\"asked\":[",
      "\"step\":{\"event\":\"addDelegate\"", "\"step\":{\"event\":\"removeDelegate\"",
      "\"answer\":{\"verdict\":\"rewrite\"",
      "it did not answer within", "it still owes", "deadlineExceeded", "\"name\":\"conflict\"",
      "\"scrollPhase\":", "\"framesActive\":true", "\"consumed\":",
    ] {
      let isThere = text.contains(word)
      #expect(isThere, "no \(word) in any life")
    }
  }
}

/// One random life.
final class Life {
  let world: World
  private var random: SplitMix64
  private(set) var everybody: [SimulatedClient] = []
  private let judge = Judge()
  private static let headers = ["a", "b", "app.c", "app.d.e"]

  private var present: [SimulatedClient] { everybody.filter { !$0.isGone && !$0.socket.isClosed } }

  init(seed: UInt64, shards: Int) throws {
    random = SplitMix64(seed: seed)
    var limits = Limits()
    // Seventeen: everybody here is an administrator, for whom there are eight more.
    limits.connections = 9
    limits.queueBytes = 12_000
    limits.lineBytes = 6000
    limits.notices = 3
    limits.batchEvents = 12
    limits.traces = 4
    limits.subscriptions = 4
    world = try World(limits: limits, shards: shards, seed: seed)
  }

  func live() throws {
    for _ in 0..<4 { connect() }
    for _ in 0..<600 {
      if random.oneIn(25) { connect() }
      if let client = present.randomElement(using: &random) { act(client) }
      for client in present { move(client) }
      world.exchangeSome()
      if random.oneIn(3) { world.pass(Int64.random(in: 0...80_000_000, using: &random)) }
      if random.oneIn(300) { world.pass(31_000_000_000) }
    }
  }

  /// Everybody says what is left to say and reads what waits; then each feed must be where its header is.
  func end() throws -> [String] {
    world.isPrompt = true
    world.pass(0)
    var rounds = 0
    var quiet = 0
    while rounds < 10_000, quiet < 12 {
      rounds += 1
      let isQuiet = !present.contains { !$0.socket.toService.isEmpty || !$0.socket.kernel.isEmpty }
      quiet = isQuiet ? quiet + 1 : 0
      for client in present {
        world.deliver(.max, of: client.id)
        client.take(world.read(.max, from: client.id))
      }
      // Whoever is still asked has nothing more to say.
      if rounds % 3 == 0 { world.pass(100_000_000) }
    }
    var complaints = everybody.flatMap { $0.complaints + $0.unsettled() }
    let (observer, socket) = world.connect(kernelRoom: 1 << 24)
    socket.toService += Array("{\"id\":1,\"method\":\"header.list\"}\n".utf8)
    world.deliver(.max, of: observer)
    let rows = try JSON(String(decoding: world.read(.max, from: observer), as: UTF8.self))["result"]["headers"].list
    for name in rows.compactMap({ $0["header"].string }) {
      socket.toService += Array("{\"id\":1,\"method\":\"header.get\",\"params\":{\"header\":\"\(name)\"}}\n".utf8)
      world.deliver(.max, of: observer)
      let state = try JSON(String(decoding: world.read(.max, from: observer), as: UTF8.self))["result"]["state"]
      for client in present where client.matches(name) && !client.socket.isHalfClosed {
        guard let feed = client.feeds[name] else {
          complaints.append("connection \(client.id.number) was told nothing of \(name)")
          continue
        }
        for field in ["epoch", "seq", "drawers", "values"]
        where feed.state[field].description != state[field].description {
          complaints.append(
            "connection \(client.id.number) is not where \(name) is: \(field) \(feed.state[field]) and \(state[field])")
        }
      }
    }
    world.vanish(observer)
    complaints += everybody.filter { $0.socket.mostQueued > 4 * 12_000 + 50_000 }.map {
      "\($0.socket.mostQueued) bytes waited"
    }
    let plugins = PluginRegistry(folders: [TestFiles.build])
    for name in SimulatedPlugins.names { try plugins.load(name) }
    for client in everybody {
      for (number, trace) in client.traces {
        let differences = try trace.differences(plugins)
        if let first = differences.first {
          complaints.append("recording \(number): \(differences.count) differences: \(first)")
        }
      }
    }
    return complaints
  }

  // MARK: - What clients do

  private func connect() {
    guard everybody.count < 40 else { return }
    let (id, socket) = world.connect(kernelRoom: Int.random(in: 1...20, using: &random) * 1000)
    // Seconds of some boot, or Unix time, which a number does not hold to the nanosecond.
    let origin = random.oneIn(2) ? 0 : 1_763_690_400
    let shift: Double? = random.oneIn(4) ? nil : Double(origin + Int.random(in: -1000...1000, using: &random))
    let client = SimulatedClient(id, socket, mode: random.oneIn(2) ? .every : .latest, clockShift: shift, judge: judge)
    everybody.append(client)
    for _ in 0..<3 { open(client) }
    if random.oneIn(2) { subscribe(client) }
  }

  /// Bytes go their way, in pieces.
  private func move(_ client: SimulatedClient) {
    if random.oneIn(20) { client.reads.toggle() }
    world.deliver(random.oneIn(3) ? Int.random(in: 1...60, using: &random) : 100_000, of: client.id)
    if client.reads {
      client.take(world.read(random.oneIn(3) ? Int.random(in: 1...500, using: &random) : 100_000, from: client.id))
    }
    for question in client.questions where !random.oneIn(4) {
      client.questions.removeAll { $0.id == question.id }
      answer(question, client)
    }
    if client.socket.isClosed, client.socket.kernel.isEmpty { client.isGone = true }
  }

  private func act(_ client: SimulatedClient) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<6: open(client)
    case 6..<12: subscribe(client)
    case 12..<15:
      client.request(
        "unsubscribe", "{\"subscription\":\(client.subscriptions.keys.sorted().randomElement(using: &random) ?? 7)}")
    case 15..<18:
      client.request(
        "header.call", "{\"header\":\"\(header())\",\"name\":\"\(random.oneIn(2) ? "expand" : "contract")\"}")
    case 18..<21: configure(client)
    case 21: client.request("header.close", "{\"header\":\"\(header())\"}")
    case 22..<25: client.request("trace.start", "{\"header\":\"\(header())\"}")
    case 25:
      client.request("trace.stop", "{\"trace\":\(client.traces.filter { !$0.value.isOver }.keys.sorted().first ?? 99)}")
    case 26: client.request("plugin.reload", "{\"plugin\":\"ShyNavBar\"}")
    case 27: strangle(client)
    case 28..<31:
      client.babble(
        ["{\"id\":", "[1,2]", "nonsense", "{\"id\":1,\"method\":\"p\u{1}\"}"].randomElement(using: &random) ?? "")
    case 31: client.request("header.list", "{}")
    case 32: client.request("ping", "{}")
    case 33..<39: changeChain(client)
    default: publish(client)
    }
  }

  /// One of the ways in which clients end or misbehave.
  private func strangle(_ client: SimulatedClient) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      world.vanish(client.id)
      client.isGone = true
    case 1: client.breakOff()
    case 2: client.socket.isHalfClosed = true
    case 3: client.request("ping", "{\"x\":\"\(String(repeating: "x", count: 6100))\"}")
    case 4: client.request("plugin.unload", "{\"plugin\":\"ShyNavBar\",\"force\":true}")
    default: client.request("plugin.load", "{\"plugin\":\"ShyNavBar\"}")
    }
  }

  private func header() -> String { Self.headers.randomElement(using: &random) ?? "a" }

  private func open(_ client: SimulatedClient) {
    let frames = ["live", "live", "events", "manual"].randomElement(using: &random) ?? "live"
    let extra =
      (random.oneIn(3) ? ",\"ifExists\":\"replace\"" : "") + (random.oneIn(8) ? ",\"lifetime\":\"connection\"" : "")
    let delegates =
      [
        "", "{\"behavior\":\"ShyNavBar\"}", "{\"behavior\":\"ShyNavBar\",\"options\":{\"expansionResistance\":40}}",
        "{\"behavior\":\"FlexibleHeightBar\",\"options\":{\"definer\":\"squareCash\",\"snapping\":[{\"progress\":0,\"start\":0,\"end\":0.4},{\"progress\":1,\"start\":0.41,\"end\":1}]}}",
        "{\"behavior\":\"StretchyHeader\"}",
        "{\"behavior\":\"FlexibleHeader\",\"options\":{\"shiftBehavior\":\"enabledWithStatusBar\",\"maximumHeight\":120}}",
        "{\"behavior\":\"FlexibleHeader\"},{\"behavior\":\"StretchyHeader\",\"options\":{\"yields\":true}}",
        "{\"behavior\":\"OriginalDelegate\",\"options\":{\"methods\":[\"willEndDragging\"]}},{\"behavior\":\"ShyNavBar\"}",
      ].randomElement(using: &random) ?? ""
    client.request(
      "header.open",
      """
      {"header":"\(header())","frames":"\(frames)","scrollViews":{"content":{"viewport":{"width":375,"height":667},\
      "contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},\
      "drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[\(delegates)]\(extra)}
      """)
  }

  private func subscribe(_ client: SimulatedClient) {
    let globs = (0...Int.random(in: 0...1, using: &random)).map { _ in
      [header(), "**", "app.*", "app.**", "*"].randomElement(using: &random) ?? "**"
    }
    client.subscribe(
      globs, include: ["", "", "\"routine\"", "\"calls\"", "\"calls\",\"routine\""].randomElement(using: &random) ?? "")
  }

  private func configure(_ client: SimulatedClient) {
    let change = [
      "\"drawers\":[{\"name\":\"\(random.oneIn(2) ? "navBar" : "card")\",\"height\":60}]",
      "\"frameRate\":\(Int.random(in: 20...120, using: &random))", "\"drawers\":[]",
      "\"environment\":{\"statusBarHeight\":\(Int.random(in: 0...44, using: &random))}",
      "\"drawers\":[{\"name\":\"navBar\",\"height\":44},{\"name\":\"extension\",\"height\":\(Int.random(in: 0...80, using: &random))}]",
      "\"frames\":\"\(random.oneIn(2) ? "live" : "events")\"",
      "\"scrollViews\":{\"content\":{\"viewport\":{\"width\":320,\"height\":\(Int.random(in: 0...900, using: &random))}}}",
      "\"scrollViews\":{\"content\":{},\"aside\":{\"contentSize\":{\"height\":900}}},\"trackingScrollView\":\(random.oneIn(3) ? "null" : random.oneIn(2) ? "\"aside\"" : "\"content\"")",
      "\"trackingScrollView\":\(random.oneIn(2) ? "\"aside\"" : "\"content\"")",
    ].randomElement(using: &random)
    client.request("header.configure", "{\"header\":\"\(header())\",\(change ?? "")}")
  }

  // MARK: - Chains

  private func changeChain(_ client: SimulatedClient) {
    let (header, at) = (header(), random.oneIn(3) ? ",\"at\":\(Int.random(in: 0...2, using: &random))" : "")
    let name = ["one", "two", "shyNavBar", "stretchyHeader"].randomElement(using: &random) ?? "one"
    let options = random.oneIn(3) ? ",\"options\":{\"yields\":true}" : ""
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let way = random.oneIn(3) ? "observe" : "intercept"
      let events = random.oneIn(2) ? "" : ",\"events\":[\"didScroll\",\"willEndDragging\",\"layout\"]"
      client.request(
        "delegate.add",
        "{\"header\":\"\(header)\",\"client\":\"\(way)\",\"name\":\"\(name)\",\"deadline\":0.\(random.oneIn(3) ? "05" : "1")\(events)\(options)\(at)}"
      )
    case 4..<7:
      let behavior = ["ShyNavBar", "StretchyHeader", "OriginalDelegate"].randomElement(using: &random) ?? ""
      client.request(
        "delegate.add",
        "{\"header\":\"\(header)\",\"behavior\":\"\(behavior)\"\(behavior == "OriginalDelegate" ? "" : options)\(at)}")
    case 7: client.request("delegate.remove", "{\"header\":\"\(header)\",\"delegate\":\"\(name)\"}")
    case 8: client.request("delegate.move", "{\"header\":\"\(header)\",\"delegate\":\"\(name)\",\"at\":0}")
    default:
      client.request(
        "delegate.configure",
        "{\"header\":\"\(header)\",\"delegate\":\"\(name)\",\"options\":{\"yields\":\(random.oneIn(2))}}")
    }
  }

  /// What a client has to say about an event: something that does, or that does not, or nothing ever.
  private func answer(_ question: SimulatedClient.Question, _ client: SimulatedClient) {
    let actions = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      [
        "{\"action\":\"notice\",\"name\":\"seen\"}",
        "{\"action\":\"setValue\",\"name\":\"mood\",\"value\":\(Int.random(in: 0...9, using: &random))}",
        "{\"action\":\"move\",\"drawer\":\"navBar\",\"by\":-3}",
        "{\"action\":\"setContentOffset\",\"offset\":{\"y\":\(Int.random(in: -60...300, using: &random))}}",
        "{\"action\":\"setContentInset\",\"inset\":{\"bottom\":\(Int.random(in: 0...9, using: &random))}}",
        "{\"action\":\"expand\"}",
        "{\"action\":\"setHeight\",\"drawer\":\"navBar\",\"height\":50}",
        "{\"action\":\"move\",\"drawer\":\"none\",\"by\":1}",
        "{\"action\":\"animate\",\"duration\":0.2,\"curve\":\"linear\",\"actions\":[{\"action\":\"contract\"}]}",
      ].randomElement(using: &random) ?? ""
    }
    let list = ",\"actions\":[\(actions.joined(separator: ","))]"
    switch Int.random(in: 0..<12, using: &random) {
    case 0: client.answer(question, "\"error\":{\"code\":-1,\"message\":\"no\"}")
    case 1: client.answer(question, "\"result\":{\"verdict\":\"perhaps\"}")
    case 2: break
    case 3: client.answer(question, "\"result\":{\"verdict\":\"end\"\(list)}")
    case 4..<8 where question.event == "willEndDragging":
      client.answer(
        question,
        "\"result\":{\"verdict\":\"rewrite\",\"targetOffset\":{\"y\":\(Int.random(in: 0...300, using: &random))}\(list)}"
      )
    default: client.answer(question, "\"result\":{\"verdict\":\"pass\"\(list)}")
    }
  }

  // MARK: - Events

  private func publish(_ client: SimulatedClient) {
    let header = header()
    let params: String
    if random.oneIn(4) {
      let events = (0..<Int.random(in: 1...14, using: &random)).map { _ in "{\(event(client))}" }
      params = "{\"header\":\"\(header)\",\"events\":[\(events.joined(separator: ","))]}"
    } else {
      params = "{\"header\":\"\(header)\",\(event(client))}"
    }
    if random.oneIn(2) { client.request("event", params) } else { client.notify("event", params) }
  }

  private func event(_ client: SimulatedClient) -> String {
    var fields: String
    switch Int.random(in: 0..<18, using: &random) {
    case 0: fields = "\"event\":\"willBeginDragging\""
    case 1: fields = "\"event\":\"didEndDragging\",\"willDecelerate\":\(random.oneIn(2))"
    case 2: fields = "\"event\":\"didEndDecelerating\""
    case 3: fields = "\"event\":\"willEndDragging\",\"velocity\":{\"y\":1},\"targetOffset\":{\"y\":300}"
    case 4:
      fields =
        "\"event\":\"layout\",\"contentSize\":{\"height\":\(Int.random(in: 100...5000, using: &random))},\"pass\":\(random.oneIn(2))"
    case 5: fields = "\"event\":\"setOptions\",\"options\":{\"disable\":\(random.oneIn(2))}"
    case 6:
      fields =
        "\"event\":\"\(["willAppear", "didDisappear", "didBecomeActive", "shouldScrollToTop"].randomElement(using: &random) ?? "")\""
    case 7: fields = "\"event\":\"didScroll\",\"offset\":{\"y\":\"far\"}"
    case 8:
      let kind = random.oneIn(3) ? "didOverscroll" : "willScroll"
      let delta = Double(Int.random(in: -200...200, using: &random)) / 2
      fields = "\"event\":\"\(kind)\",\"delta\":{\"y\":\(delta)},\"source\":\"\(random.oneIn(2) ? "drag" : "fling")\""
    case 9: fields = "\"event\":\"willFling\",\"velocity\":{\"y\":\(random.oneIn(2) ? 2 : -2)}"
    default:
      fields = "\"event\":\"didScroll\",\"offset\":{\"y\":\(Double(Int.random(in: -240...600, using: &random)) / 2)}"
    }
    if let shift = client.clockShift {
      let late = random.oneIn(40) ? 5.0 : 0
      fields += ",\"time\":\(Double(world.clock) / 1e9 + shift - late)"
    }
    return fields
  }
}
