// SPDX-License-Identifier: MIT
//
// Random lives from a seed: clients that open, scroll, subscribe, record, reload, babble, stop reading, come back and vanish; mail,
// bytes and writes that take their time; clocks that jump; disks that fail; a daemon that ends and begins again. Each action is
// chosen from how things stand, done, and written down, so that the script alone is the same life.

import Clocks
import HeaderTestKit

/// Makes up a life.
public final class Lives {
  private let simulation: Simulation
  private var random: SplitMix64
  /// What has happened.
  public private(set) var script: Script
  private var lastClient = 0
  /// The clients that read at present, and how many seconds each one's clock is ahead; nil: it gives no times.
  private var readers: Set<Int> = []
  private var clockShifts: [Int: Double] = [:]
  /// Restarts are made up for some lives only: they end everything that takes long.
  private let restarts: Bool
  private let diskFails: Bool
  /// What happens to processes of headers is drawn from a number of its own.
  private var fates: SplitMix64
  private let note: ((String) -> Void)?

  /// How a life went.
  public struct Outcome {
    /// What happened.
    public let script: Script
    /// What was wrong.
    public let complaints: [Complaint]
    /// Nanoseconds that the daemon lived.
    public let simulated: Int64
    /// All that clients were sent.
    public let transcripts: [[UInt8]]
    /// Starts after the first one.
    public let restarts: Int
    /// Headers that were held against what was told of them after a start.
    public let compared: Int
    /// Processes of headers that died.
    public let deaths: Int
  }

  private init(seed: UInt64, _ plugins: MappedPlugins, isRecorded: Bool, note: ((String) -> Void)?) throws {
    var random = SplitMix64(seed: seed)
    let durability = ["none", "interval", "acknowledged", "acknowledged", "off"][random.below(5)]
    fates = SplitMix64(seed: ~seed)
    let isolated = Self.isolations[fates.below(Self.isolations.count)]
    script = Script(shards: [1, 1, 2, 3, 4][random.below(5)], durability: durability, isolated: isolated)
    restarts = durability == "off" ? false : !random.oneIn(3)
    diskFails = durability == "off" ? false : random.oneIn(2)
    simulation = try Simulation(script, with: plugins, isRecorded: isRecorded)
    self.random = random
    self.note = note
    note?(script.description)
  }

  /// The life of a seed.
  /// - Parameters:
  ///   - isRecorded: what is said over sockets is held against the schema later (`MessageRecord`).
  ///   - note: is given the script line by line, each before it happens.
  public static func live(
    _ seed: UInt64, steps: Int = 300, with plugins: MappedPlugins = MappedPlugins(), isRecorded: Bool = false,
    note: ((String) -> Void)? = nil
  ) throws -> Outcome {
    let life = try Lives(seed: seed, plugins, isRecorded: isRecorded, note: note)
    for _ in 0..<4 { try life.connect() }
    for _ in 0..<steps { try life.step() }
    let complaints = try life.simulation.end()
    return Outcome(
      script: life.script, complaints: complaints, simulated: life.simulation.simulated,
      transcripts: life.simulation.transcripts, restarts: life.simulation.restarts, compared: life.simulation.compared,
      deaths: life.simulation.deaths)
  }

  /// The plugins whose headers are in processes; half of all lives have none.
  private static let isolations = [
    [], [], [], [], ["Wayward"], ["ShyNavBar"], ["FlexibleHeader", "StretchyHeader"],
    ["Wayward"] + SimulatedPlugins.names,
  ]

  private func perform(_ action: Action) throws {
    script.actions.append(action)
    note?(action.description)
    try simulation.perform(action)
  }

  private func draw<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }
  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private func step() throws {
    if random.oneIn(20) || simulation.present.isEmpty { try connect() }
    for _ in 0..<2 { if let client = simulation.present.randomElement(using: &random) { try act(client) } }
    for client in simulation.present { try move(client) }
    for _ in 0..<number(0...4) where simulation.world.hasMail { try perform(.mail(number(0...11))) }
    for shard in 0..<simulation.world.shardCount where simulation.world.diskIsBusy(shard) && random.oneIn(2) {
      try perform(diskFails && random.oneIn(25) ? .diskFails(shard, after: number(0...200)) : .disk(shard))
    }
    try letProcessesGoOn()
    try letTimePass()
    if random.oneIn(200) { try happen() }
    if restarts, random.oneIn(120) {
      try perform(
        random.oneIn(2)
          ? .restart(shards: number(1...4)) : .powerCut(shards: number(1...4), chance: random.next() >> 40))
    }
  }

  private func letProcessesGoOn() throws {
    guard simulation.world.hasWorkers else { return }
    for _ in 0..<fates.below(4) where simulation.world.hasSpeakingWorkers {
      try perform(.speak(fates.below(8), bytes: fates.oneIn(3) ? fates.below(600) : 100_000))
    }
    if fates.oneIn(25) {
      let fate = Doom.Fate.allCases[fates.below(Doom.Fate.allCases.count)]
      try perform(.doom(fates.below(8), Doom(orders: fates.below(12), bytes: fates.below(400), fate: fate)))
    }
    if fates.oneIn(100) { try perform(.startsFail(1 + fates.below(2))) }
  }

  private func letTimePass() throws {
    switch number(0...599) {
    case 0: try perform(.pass(31_000_000_000))
    case 1: try perform(.jump(Int64(number(1...600)) * 1_000_000_000))
    case 2: try perform(.setWallClock(Int64(number(-7200...7200)) * 1_000_000))
    case 3..<100: try perform(.tick(Int64(number(0...80_000_000))))
    case 100..<250: try perform(.pass(Int64(number(0...80_000_000))))
    default: break
    }
  }

  /// What happens to a daemon from outside.
  private func happen() throws {
    if random.oneIn(2) {
      try perform(.configure(connections: number(3...12), queueBytes: draw([4_000, 8_000, Simulation.queueBytes])))
    } else {
      try perform(.pluginFile(draw(["ShyNavBar", "StretchyHeader"])))
    }
  }

  // MARK: - What clients do

  private func connect() throws {
    guard lastClient < 60 else { return }
    lastClient += 1
    let client = lastClient
    let manner = Action.Manner(
      isGapFree: random.oneIn(2), room: number(1...20) * 1000, user: draw([0, 0, 0, 1, 1, 2]))
    try perform(.connect(client, manner))
    readers.insert(client)
    // Seconds of some boot, or Unix time, which a number does not hold to the nanosecond.
    let origin = random.oneIn(2) ? 0 : 1_763_690_400
    clockShifts[client] = random.oneIn(4) ? nil : Double(origin + number(-1000...1000))
    if random.oneIn(4) { try comeBack(client) }
    for _ in 0..<3 { try open(client) }
    if random.oneIn(2) { try subscribe(client) }
  }

  /// Bytes go their way, in pieces.
  private func move(_ number: Int) throws {
    guard let client = simulation.clients[number] else { return }
    if random.oneIn(20) { if readers.remove(number) == nil { readers.insert(number) } }
    if random.oneIn(150), let shift = clockShifts[number] {
      clockShifts[number] = shift + Double(self.number(-300...300))
    }
    if !client.socket.toService.isEmpty || client.socket.owesHalfClose {
      try perform(.deliver(number, bytes: random.oneIn(3) ? self.number(1...60) : 100_000))
    }
    if readers.contains(number), !client.socket.kernel.isEmpty || client.socket.isClosed {
      try perform(.read(number, bytes: random.oneIn(3) ? self.number(1...500) : 100_000))
    }
    while let question = client.questions.first, !random.oneIn(4) { try answer(number, question.event) }
  }

  private func act(_ client: Int) throws {
    func request(_ method: String, _ params: String) throws {
      try perform(.request(client, method: method, params: params))
    }
    switch number(0...99) {
    case 0..<6: try open(client)
    case 6..<12: try subscribe(client)
    case 12..<15:
      let subscription = simulation.clients[client]?.subscriptions.keys.sorted().randomElement(using: &random) ?? 7
      try request("unsubscribe", "{\"subscription\":\(subscription)}")
    case 15..<18:
      try request("header.call", "{\"header\":\"\(header())\",\"name\":\"\(random.oneIn(2) ? "expand" : "contract")\"}")
    case 18..<21: try request("header.configure", "{\"header\":\"\(header())\",\(change())}")
    case 21: try request("header.close", "{\"header\":\"\(mortalHeader())\"}")
    case 22..<25: try request("trace.start", "{\"header\":\"\(header())\"}")
    case 25:
      let trace = simulation.clients[client]?.traces.filter { !$0.value.isOver }.keys.sorted().first ?? 99
      try request("trace.stop", "{\"trace\":\(trace)}")
    case 26 where random.oneIn(3): try request("plugin.reload", "{\"plugin\":\"ShyNavBar\"}")
    case 27: try strangle(client)
    case 28..<31: try perform(.babble(client, number(0...3)))
    case 31: try request("header.list", "{}")
    case 32: try request("ping", "{}")
    case 33..<39: try changeChain(client)
    default: try publish(client)
    }
  }

  /// One of the ways in which clients end or misbehave.
  private func strangle(_ client: Int) throws {
    switch number(0...5) {
    case 0: try perform(.vanish(client))
    case 1: try perform(.breakOff(client))
    case 2: try perform(.halfClose(client))
    case 3: try perform(.babble(client, 4))
    case 4: try perform(.request(client, method: "plugin.unload", params: "{\"plugin\":\"ShyNavBar\",\"force\":true}"))
    default: try perform(.request(client, method: "plugin.load", params: "{\"plugin\":\"ShyNavBar\"}"))
    }
  }

  private func header() -> String { draw(Simulation.headers) }
  private func mortalHeader() -> String { draw(Simulation.headers.filter { !Simulation.kept.contains($0) }) }

  private static let behaviors = [
    "", "{\"behavior\":\"ShyNavBar\"}", "{\"behavior\":\"ShyNavBar\",\"options\":{\"expansionResistance\":40}}",
    "{\"behavior\":\"FlexibleHeightBar\",\"options\":{\"definer\":\"squareCash\",\"snapping\":[{\"progress\":0,\"start\":0,\"end\":0.4},{\"progress\":1,\"start\":0.41,\"end\":1}]}}",
    "{\"behavior\":\"StretchyHeader\"}",
    "{\"behavior\":\"FlexibleHeader\",\"options\":{\"shiftBehavior\":\"enabledWithStatusBar\",\"maximumHeight\":120}}",
    "{\"behavior\":\"FlexibleHeader\"},{\"behavior\":\"StretchyHeader\",\"options\":{\"yields\":true}}",
    "{\"behavior\":\"OriginalDelegate\",\"options\":{\"methods\":[\"willEndDragging\"]}},{\"behavior\":\"ShyNavBar\"}",
    "{\"behavior\":\"Wayward\"}", "{\"behavior\":\"Wayward\",\"options\":{\"whim\":2}}",
    "{\"behavior\":\"Wayward\",\"options\":{\"whim\":3}}", "{\"behavior\":\"Wayward\",\"options\":{\"whim\":1}}",
  ]

  private func open(_ client: Int) throws {
    let header = header()
    let isKept = Simulation.kept.contains(header)
    let frames = isKept ? "live" : draw(["live", "live", "events", "manual"])
    let extra =
      isKept
      ? ""
      : (random.oneIn(3) ? ",\"ifExists\":\"replace\"" : "") + (random.oneIn(8) ? ",\"lifetime\":\"connection\"" : "")
    let delegates = isKept ? Self.behaviors[header == "kept" ? 1 : 5] : draw(Self.behaviors)
    try perform(
      .request(
        client, method: "header.open",
        params: """
          {"header":"\(header)","frames":"\(frames)","scrollViews":{"content":{"viewport":{"width":375,"height":667},\
          "contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},\
          "drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[\(delegates)]\(extra)}
          """))
  }

  private func subscribe(_ client: Int, _ more: String = "") throws {
    let globs = (0...number(0...1)).map { _ in "\"\(draw([header(), "**", "app.*", "app.**", "*"]))\"" }
    let include = draw(["", "", "\"routine\"", "\"calls\"", "\"calls\",\"routine\""])
    let mode = simulation.clients[client]?.mode.rawValue ?? "latest"
    try perform(
      .request(
        client, method: "subscribe",
        params: "{\"headers\":[\(globs.joined(separator: ","))],\"mode\":\"\(mode)\",\"include\":[\(include)]\(more)}"))
  }

  /// It wants what came after the states that some client has seen that is gone.
  private func comeBack(_ client: Int) throws {
    let gone = simulation.clients.keys.sorted().filter { simulation.clients[$0]?.isPresent == false }
    guard let last = gone.last, let feeds = simulation.clients[last]?.feeds else {
      return try subscribe(client, ",\"resumeFrom\":{}")
    }
    let points = feeds.keys.sorted().compactMap { name in
      feeds[name].map { "\"\(name)\":{\"epoch\":\($0.epoch),\"seq\":\($0.seq)}" }
    }
    try subscribe(client, ",\"resumeFrom\":{\(points.joined(separator: ","))}")
  }

  private func change() -> String {
    draw([
      "\"drawers\":[{\"name\":\"\(random.oneIn(2) ? "navBar" : "card")\",\"height\":60}]",
      "\"frameRate\":\(number(20...120))", "\"drawers\":[]",
      "\"environment\":{\"statusBarHeight\":\(number(0...44))}",
      "\"drawers\":[{\"name\":\"navBar\",\"height\":44},{\"name\":\"extension\",\"height\":\(number(0...80))}]",
      "\"frames\":\"\(random.oneIn(2) ? "live" : "events")\"",
      "\"scrollViews\":{\"content\":{\"viewport\":{\"width\":320,\"height\":\(number(0...900))}}}",
      "\"scrollViews\":{\"content\":{},\"aside\":{\"contentSize\":{\"height\":900}}},\"trackingScrollView\":\(draw(["null", "\"aside\"", "\"content\""]))",
      "\"trackingScrollView\":\(random.oneIn(2) ? "\"aside\"" : "\"content\"")",
    ])
  }

  // MARK: - Chains

  private func changeChain(_ client: Int) throws {
    let (header, at) = (header(), random.oneIn(3) ? ",\"at\":\(number(0...2))" : "")
    let name = draw(["one", "two", "shyNavBar", "stretchyHeader"])
    let options = random.oneIn(3) ? ",\"options\":{\"yields\":true}" : ""
    func request(_ method: String, _ params: String) throws {
      try perform(.request(client, method: method, params: "{\"header\":\"\(header)\",\(params)}"))
    }
    switch number(0...9) {
    case 0..<4:
      let way = random.oneIn(3) ? "observe" : "intercept"
      let events = random.oneIn(2) ? "" : ",\"events\":[\"didScroll\",\"willEndDragging\",\"layout\"]"
      try request(
        "delegate.add",
        "\"client\":\"\(way)\",\"name\":\"\(name)\",\"deadline\":0.\(random.oneIn(3) ? "05" : "1")\(events)\(options)\(at)"
      )
    case 4..<7:
      let behavior = draw(["ShyNavBar", "StretchyHeader", "OriginalDelegate", "Wayward"])
      let isBare = behavior == "OriginalDelegate" || behavior == "Wayward"
      try request("delegate.add", "\"behavior\":\"\(behavior)\"\(isBare ? "" : options)\(at)")
    case 7: try request("delegate.remove", "\"delegate\":\"\(name)\"")
    case 8: try request("delegate.move", "\"delegate\":\"\(name)\",\"at\":0")
    default: try request("delegate.configure", "\"delegate\":\"\(name)\",\"options\":{\"yields\":\(random.oneIn(2))}")
    }
  }

  /// What a client has to say about an event: something that does, or that does not, or nothing ever.
  private func answer(_ client: Int, _ event: String) throws {
    let actions = (0..<number(0...2)).map { _ in
      draw([
        "{\"action\":\"notice\",\"name\":\"seen\"}",
        "{\"action\":\"setValue\",\"name\":\"mood\",\"value\":\(number(0...9))}",
        "{\"action\":\"move\",\"drawer\":\"navBar\",\"by\":-3}",
        "{\"action\":\"setContentOffset\",\"offset\":{\"y\":\(number(-60...300))}}",
        "{\"action\":\"setContentInset\",\"inset\":{\"bottom\":\(number(0...9))}}",
        "{\"action\":\"expand\"}",
        "{\"action\":\"setHeight\",\"drawer\":\"navBar\",\"height\":50}",
        "{\"action\":\"move\",\"drawer\":\"none\",\"by\":1}",
        "{\"action\":\"animate\",\"duration\":0.2,\"curve\":\"linear\",\"actions\":[{\"action\":\"contract\"}]}",
      ])
    }
    let list = ",\"actions\":[\(actions.joined(separator: ","))]"
    func say(_ members: String) throws { try perform(.answer(client, members: members)) }
    switch number(0...11) {
    case 0: try say("\"error\":{\"code\":-1,\"message\":\"no\"}")
    case 1: try say("\"result\":{\"verdict\":\"perhaps\"}")
    case 2: try perform(.forget(client))
    case 3: try say("\"result\":{\"verdict\":\"end\"\(list)}")
    case 4..<8 where event == "willEndDragging":
      try say("\"result\":{\"verdict\":\"rewrite\",\"targetOffset\":{\"y\":\(number(0...300))}\(list)}")
    default: try say("\"result\":{\"verdict\":\"pass\"\(list)}")
    }
  }

  // MARK: - Events

  private func publish(_ client: Int) throws {
    let header = header()
    let params: String
    if random.oneIn(4) {
      let events = (0..<number(1...14)).map { _ in "{\(event(client))}" }
      params = "{\"header\":\"\(header)\",\"events\":[\(events.joined(separator: ","))]}"
    } else {
      params = "{\"header\":\"\(header)\",\(event(client))}"
    }
    try perform(
      random.oneIn(2) ? .request(client, method: "event", params: params) : .notify(client, params: params))
  }

  private func event(_ client: Int) -> String {
    var fields: String
    switch number(0...17) {
    case 0: fields = "\"event\":\"willBeginDragging\""
    case 1: fields = "\"event\":\"didEndDragging\",\"willDecelerate\":\(random.oneIn(2))"
    case 2: fields = "\"event\":\"didEndDecelerating\""
    case 3: fields = "\"event\":\"willEndDragging\",\"velocity\":{\"y\":1},\"targetOffset\":{\"y\":300}"
    case 4:
      fields = "\"event\":\"layout\",\"contentSize\":{\"height\":\(number(100...5000))},\"pass\":\(random.oneIn(2))"
    case 5:
      fields =
        "\"event\":\"setOptions\",\"options\":{\"\(random.oneIn(2) ? "disable\":true" : "whim\":\(number(0...3))")}"
    case 6: fields = "\"event\":\"\(draw(["willAppear", "didDisappear", "didBecomeActive", "shouldScrollToTop"]))\""
    case 7: fields = "\"event\":\"didScroll\",\"offset\":{\"y\":\"far\"}"
    case 8:
      let kind = random.oneIn(3) ? "didOverscroll" : "willScroll"
      fields =
        "\"event\":\"\(kind)\",\"delta\":{\"y\":\(Double(number(-200...200)) / 2)},\"source\":\"\(random.oneIn(2) ? "drag" : "fling")\""
    case 9: fields = "\"event\":\"willFling\",\"velocity\":{\"y\":\(random.oneIn(2) ? 2 : -2)}"
    default:
      var y = random.oneIn(60) ? Double(draw([13, -13, 26])) : Double(number(-240...600)) / 2
      if !script.isolated.isEmpty, fates.oneIn(60) { y = 39 }
      fields = "\"event\":\"didScroll\",\"offset\":{\"y\":\(y)}"
    }
    if let shift = clockShifts[client] {
      let late = random.oneIn(40) ? 5.0 : 0
      fields += ",\"time\":\(simulation.world.clock.seconds + shift - late)"
    }
    return fields
  }
}
