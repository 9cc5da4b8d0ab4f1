// SPDX-License-Identifier: MIT
//
// Random lives of a daemon with a journal, from a seed: clients scroll, configure, call, take part in chains; the power goes, or
// the daemon ends in order, or its disk fails for a while; it starts again with another number of threads, several times. What
// must hold:
//
//   answered     with `acknowledged`, what a client was answered is in the header after the power was cut
//   one story    a state that a subscriber saw and the restored header with the same seq are the same, and a pair of epoch and seq
//                never means two things
//   in order     after an orderly end a header goes on in its epoch, at its seq, as it was

import DaemonTestKit
import HeaderCore
import HeaderJournal
import HeaderService
import HeaderTestKit
import Testing

@Suite struct JournalLifeTests {
  @Test(arguments: SimulationTests.seeds, [1, 3]) func nothingAnsweredIsLost(_ seed: UInt64, shards: Int) throws {
    let life = try JournalLife(seed: seed, shards: shards)
    try life.live()
    #expect(
      life.complaints.isEmpty, "seed \(seed), \(shards) shards: \(life.complaints.prefix(3).joined(separator: "\n"))")
  }

  @Test func livesAreEventful() throws {
    var (restarts, compared, gaps) = (0, 0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      let life = try JournalLife(seed: seed, shards: 1)
      try life.live()
      restarts += life.restarts
      compared += life.compared
      gaps += life.failures
    }
    #expect(restarts > 30 && compared > 100 && gaps > 3)
  }
}

/// What is known of one header.
private struct History {
  /// What subscribers saw in its present epoch, by seq: a state without notices and what is a new epoch's.
  var seen: [Int: String] = [:]
  var epoch = 0
  /// The last seq that an answer had.
  var answered = 0
}

/// One random life over several starts.
final class JournalLife {
  private static let names = ["a", "b", "c.d", "e"]
  private var world: World
  private let folder = SimulatedFolder()
  private var random: SplitMix64
  private let seed: UInt64
  private let durability: Durability
  private var shards: Int
  private var histories: [String: History] = [:]
  private(set) var complaints: [String] = []
  private(set) var restarts = 0
  private(set) var compared = 0
  private(set) var failures = 0
  /// Publishes to a header, each on a connection of its own, so that answers are in order.
  private var publishers: [String: Wire] = [:]
  private var subscriber: Wire?
  private var time = 0.0
  private var hasFailed = false

  /// A connection whose client reads everything.
  private final class Wire {
    let id: ConnectionID
    let socket: SimulatedSocket
    private var unread: [UInt8] = []
    private(set) var lastID = 0
    /// Answers that have not come, by what they are about.
    var open: [Int: String] = [:]

    init(_ world: World) { (id, socket) = world.connect(kernelRoom: 1 << 20) }

    func request(_ method: String, _ params: String) {
      lastID += 1
      open[lastID] = method
      socket.toService += Array("{\"id\":\(lastID),\"method\":\"\(method)\",\"params\":\(params)}\n".utf8)
    }

    func notify(_ params: String) {
      socket.toService += Array("{\"method\":\"event\",\"params\":\(params)}\n".utf8)
    }

    func lines(_ world: World) throws -> [JSON] {
      unread += world.read(.max, from: id)
      var lines: [JSON] = []
      while let end = unread.firstIndex(of: 10) {
        lines.append(try JSON(String(decoding: unread[..<end], as: UTF8.self)))
        unread.removeFirst(end + 1)
      }
      return lines
    }
  }

  init(seed: UInt64, shards: Int) throws {
    self.seed = seed
    self.shards = shards
    random = SplitMix64(seed: seed &+ 77)
    durability = [.acknowledged, .acknowledged, .interval, .none][Int(seed % 4)]
    world = try World(limits: Limits(), shards: shards, seed: seed)
    try begin(goesOn: false)
  }

  private var settings: JournalSettings {
    var settings = JournalSettings()
    settings.durability = durability
    settings.segmentBytes = 20_000
    settings.budget = 60_000
    return settings
  }

  func live() throws {
    for _ in 0..<5 {
      for _ in 0..<Int.random(in: 20...160, using: &random) { try act() }
      try restart()
    }
    #expect(world.log.filter { !$0.hasPrefix("journalFailed") }.isEmpty, "seed \(seed): \(world.log.prefix(3))")
  }

  // MARK: - Starting and ending

  private func begin(goesOn: Bool) throws {
    try world.keepJournal(in: folder, settings, goesOn: goesOn)
    (publishers, subscriber) = ([:], nil)
    for name in Self.names {
      let publisher = Wire(world)
      publishers[name] = publisher
      publisher.request("header.get", "{\"header\":\"\(name)\"}")
      publisher.request("header.open", Self.opening(name))
    }
    settle()
    let subscriber = Wire(world)
    subscriber.request("subscribe", "{\"headers\":[\"**\"],\"mode\":\"every\"}")
    self.subscriber = subscriber
    settle()
  }

  private static func opening(_ name: String) -> String {
    """
    {"header":"\(name)","frames":"\(name == "b" ? "live" : "events")","scrollViews":{"content":{"viewport":{"width":375,\
    "height":667},"contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44},{"name":"tabs","height":40}],\
    "delegates":[{"behavior":"\(name == "c.d" ? "StretchyHeader" : "ShyNavBar")"}]}
    """
  }

  private func restart() throws {
    restarts += 1
    world.setDiskFailure(nil)
    let inOrder = random.oneIn(2)
    if inOrder {
      settle()
      try read()
      world.endInOrder()
    } else {
      // What has been answered so far counts; then the power goes, wherever everybody is.
      for wire in publishers.values { try take(wire) }
      if let subscriber { try take(subscriber) }
      world.breakOff()
      folder.cutPower(&random)
    }
    let clock = world.clock + 1_000_000
    // Whether what is there is compared with what was answered: a disk that failed has its own rules.
    if hasFailed { for name in histories.keys { histories[name]?.answered = 0 } }
    hasFailed = false
    shards = [1, 2, 3].randomElement(using: &random) ?? 1
    world = try World(limits: Limits(), shards: shards, seed: seed &+ UInt64(restarts), clock: clock)
    expectation = inOrder ? .same : durability == .acknowledged ? .answered : .anything
    try begin(goesOn: inOrder)
    expectation = .none
  }

  // MARK: - Acting

  private func act() throws {
    let name = Self.names.randomElement(using: &random) ?? "a"
    guard let publisher = publishers[name] else { return }
    time += Double.random(in: 0...0.03, using: &random)
    let y = Double.random(in: -60...300, using: &random)
    let scroll = "{\"header\":\"\(name)\",\"event\":\"didScroll\",\"time\":\(time),\"offset\":{\"y\":\(y)}}"
    switch Int.random(in: 0..<24, using: &random) {
    case 0...9: publisher.notify(scroll)
    case 10...15: publisher.request("event", scroll)
    case 16: publisher.request("event", "{\"header\":\"\(name)\",\"event\":\"willBeginDragging\",\"time\":\(time)}")
    case 17:
      publisher.request(
        "event", "{\"header\":\"\(name)\",\"event\":\"didEndDragging\",\"time\":\(time),\"willDecelerate\":false}")
    case 18: publisher.request("header.call", "{\"header\":\"\(name)\",\"name\":\"contract\",\"arguments\":{}}")
    case 19:
      let height = Int.random(in: 0...50, using: &random)
      publisher.request("header.configure", "{\"header\":\"\(name)\",\"environment\":{\"statusBarHeight\":\(height)}}")
    case 20 where hasClients:
      publisher.request(
        "delegate.add",
        "{\"header\":\"\(name)\",\"client\":\"intercept\",\"name\":\"guard\",\"deadline\":0.05}")
    case 21 where hasClients: publisher.request("delegate.remove", "{\"header\":\"\(name)\",\"delegate\":\"guard\"}")
    case 22 where seed % 3 == 0:
      hasFailed = true
      failures += 1
      world.setDiskFailure(random.oneIn(2) ? "no space" : nil)
    default: world.pass(Int64.random(in: 0...120_000_000, using: &random))
    }
    world.deliver(Int.random(in: 1...2000, using: &random), of: publisher.id)
    world.exchangeSome()
    world.workOnDisks()
    if random.oneIn(3) { try read() }
  }

  /// Everything that was sent is answered.
  private func settle() {
    for _ in 0..<300 {
      for wire in Array(publishers.values) + [subscriber].compactMap({ $0 }) { world.deliver(.max, of: wire.id) }
      world.pass(60_000_000)
      for _ in 0..<4 {
        world.exchangeSome()
        world.workOnDisks()
      }
      let waits = publishers.values.contains { !$0.socket.toService.isEmpty }
      try? read()
      if !waits, publishers.values.allSatisfy(\.open.isEmpty) { return }
    }
    complaints.append("answers are missing: \(publishers.mapValues(\.open))")
  }

  // MARK: - Being told

  private enum Expectation { case none, same, answered, anything }
  private var expectation = Expectation.none

  private func read() throws {
    if let subscriber { try take(subscriber) }
    for wire in publishers.values { try take(wire) }
  }

  private func take(_ wire: Wire) throws {
    for line in try wire.lines(world) {
      if line["method"].string == "state" { see(line["params"]) }
      guard let id = line["id"].int, let method = wire.open.removeValue(forKey: id) else { continue }
      guard let name = publishers.first(where: { $0.value === wire })?.key else { continue }
      switch method {
      case "header.get": compare(line["result"]["state"], name)
      case "header.open":
        histories[name, default: History()].epoch = line["result"]["epoch"].int ?? 0
      default: if let seq = line["result"]["seq"].int { histories[name]?.answered = seq }
      }
    }
  }

  private static func shown(_ state: JSON) -> String {
    "\(state["drawers"]) \(state["values"]) \(state["time"]) \(state["wants"])"
  }

  private func see(_ state: JSON) {
    guard let name = state["header"].string, let seq = state["seq"].int, let epoch = state["epoch"].int else { return }
    if histories[name]?.epoch != epoch { histories[name, default: History()].epoch = epoch }
    let text = "\(epoch) \(Self.shown(state))"
    if let before = histories[name]?.seen[seq], before.hasPrefix("\(epoch) "), before != text {
      complaints.append("state \(epoch) \(seq) of \(name) is another one: \(before) and \(text)")
    }
    histories[name]?.seen[seq] = text
  }

  /// The header as it was restored, before anything else happened to it.
  private func compare(_ state: JSON, _ name: String) {
    guard let history = histories[name], expectation != .none else { return }
    guard let seq = state["seq"].int, let epoch = state["epoch"].int else {
      if history.answered > 0, expectation != .anything { complaints.append("\(name) is lost") }
      return
    }
    compared += 1
    switch expectation {
    case .same:
      if epoch != history.epoch { complaints.append("\(name) has epoch \(epoch) and had \(history.epoch)") }
      if seq < history.answered { complaints.append("\(name) is at \(seq) and was at \(history.answered)") }
    case .answered, .anything, .none:
      if epoch <= history.epoch { complaints.append("\(name) has epoch \(epoch) and had \(history.epoch)") }
      if expectation == .answered, seq < history.answered {
        complaints.append("\(name) is at \(seq), \(history.answered) was answered")
      }
    }
    if let seen = history.seen[seq], !hasClients {
      let text = Self.shown(state)
      if !seen.hasSuffix(" \(text)") { complaints.append("\(name) at \(seq) was \(seen) and is \(text)") }
    }
    histories[name]?.seen = [:]
    histories[name]?.answered = 0
  }

  /// Lives with clients in chains: those that leave at a start may make a state, whose number another one had.
  private var hasClients: Bool { seed % 2 == 0 }
}
