// SPDX-License-Identifier: MIT
//
// One life of a daemon, over all its starts: actions in, complaints out. What must hold:
//
//   each client     what SimulatedClient says of answers, feeds and ends
//   one story       a header's state of one epoch and seq is the same for everybody, before and after a restart
//   the end         every subscriber is where the header is, and every recording replays to the same states
//   answered        with `acknowledged`, what a client was answered is in the header after the power was cut
//   in order        after an orderly end a header goes on in its epoch, at its seq, as it was
//   conservation    when everybody has left and all headers are closed, nothing is counted any more

import Clocks
import DaemonTestKit
import Fanout
import HeaderHost
import HeaderJournal
import HeaderModel
import HeaderService
import HeaderTestKit
import JournalTestKit

/// One life.
public final class Simulation {
  /// The names of headers. Those that are kept are never closed or replaced, so that their seq only grows.
  static let headers = ["a", "b", "app.c", "app.d.e", "kept", "app.kept"]
  static let kept = ["kept", "app.kept"]
  static let queueBytes = 12_000

  let script: Script
  private(set) var world: World
  private let plugins: SimulatedPlugins
  private let folder = SimulatedFolder()
  private let isRecorded: Bool
  private(set) var clients: [Int: SimulatedClient] = [:]
  private let judge = Judge()
  private var limits = Limits()
  /// By header, the last seq that somebody was answered and must find after the power was cut.
  private var answered: [String: Int] = [:]
  /// Headers that could not be saved after the disk failed: what is answered of them from then on need not be found.
  private var unrecorded: Set<String> = []
  private var found: [Complaint] = []
  /// The clock of the present world when it began, and nanoseconds in those before.
  private(set) var simulated: Int64 = 0
  private var begun: MonotonicTime = 1_000_000_000
  private(set) var restarts = 0
  private(set) var compared = 0
  private(set) var deaths = 0
  /// All that clients were sent, for tests of the simulation itself.
  public private(set) var transcripts: [[UInt8]] = []

  /// A daemon that nobody has connected to.
  /// - Parameter isRecorded: what is said over sockets is held against the schema later (`MessageRecord`).
  init(_ script: Script, with mapped: MappedPlugins, isRecorded: Bool) throws {
    self.script = script
    self.isRecorded = isRecorded
    limits.connections = 9
    limits.queueBytes = Self.queueBytes
    limits.lineBytes = 6000
    limits.notices = 3
    limits.batchEvents = 12
    limits.traces = 4
    limits.subscriptions = 4
    limits.resumeStates = 20
    plugins = try SimulatedPlugins(mapped, isolated: script.isolated)
    world = try World(plugins, limits: limits, shards: script.shards, clock: begun, isRecorded: isRecorded)
    try keepJournal(goesOn: false)
  }

  /// Lives a life from its beginning to its end.
  /// - Returns: what was wrong.
  public static func complaints(
    of script: Script, with plugins: MappedPlugins = MappedPlugins()
  ) throws -> [Complaint] {
    let simulation = try Simulation(script, with: plugins, isRecorded: true)
    for action in script.actions { try simulation.perform(action) }
    return try simulation.end()
  }

  /// All that clients are sent in a life.
  public static func transcripts(of script: Script) throws -> [[UInt8]] {
    let simulation = try Simulation(script, with: MappedPlugins(), isRecorded: false)
    for action in script.actions { try simulation.perform(action) }
    _ = try simulation.end()
    return simulation.transcripts
  }

  var present: [Int] { clients.keys.filter { clients[$0]?.isPresent == true }.sorted() }

  // MARK: - Actions

  /// Does one thing. What concerns a client that is not there does nothing.
  func perform(_ action: Action) throws {
    if case .connect(let number, let manner) = action { return connect(number, manner) }
    if let number = action.client {
      guard let client = clients[number], client.isPresent else { return }
      return perform(action, by: client)
    }
    switch action {
    case .mail(let way): world.exchange(way)
    case .pass(let time): world.pass(time)
    case .tick(let time): world.pass(time, mailArrives: false)
    case .jump(let time): world.jump(time)
    case .setWallClock(let time):
      world.setWallClock(by: time)
      if time < 0 { judge.clockWentBack = true }
    case .configure(let connections, let queueBytes):
      (limits.connections, limits.queueBytes) = (connections, min(queueBytes, Self.queueBytes))
      world.configure(limits)
    case .pluginFile(let name): world.reload(name)
    case .disk(let shard): world.workOnDisk(shard)
    case .diskFails(let shard, let bytes): world.workOnDisk(shard, failingAfter: bytes)
    case .speak(let process, let bytes): world.speak(process, bytes)
    case .doom(let process, let doom): world.doom(process, doom)
    case .startsFail(let count): world.failStarts(count)
    case .restart(let shards): try restart(shards)
    case .powerCut(let shards, let chance): try cutPower(shards, chance)
    default: break
    }
  }

  private func perform(_ action: Action, by client: SimulatedClient) {
    switch action {
    case .request(_, let method, let params): client.request(method, params)
    case .notify(_, let params): client.notify(params)
    case .answer(_, let members): client.answer(members)
    case .forget: client.answer(nil)
    case .babble(_, let line): client.babble(Babble.lines[line % Babble.lines.count])
    case .breakOff: client.breakOff()
    case .halfClose: client.socket.isHalfClosed = true
    case .vanish: vanish(client)
    case .deliver(_, let bytes): world.deliver(bytes, of: client.id)
    case .read(_, let bytes):
      client.take(world.read(bytes, from: client.id))
      if client.socket.isClosed, client.socket.kernel.isEmpty { client.isGone = true }
    default: break
    }
  }

  private func connect(_ number: Int, _ manner: Action.Manner) {
    guard clients[number] == nil else { return }
    let peer = Self.peer(manner.user)
    let (id, socket) = world.connect(peer, kernelRoom: manner.room)
    clients[number] = SimulatedClient(
      id, socket, mode: manner.isGapFree ? .every : .latest, access: peer.access, judge: judge)
  }

  /// An administrator, a user with quotas, and one who may see some headers only.
  private static func peer(_ user: Int) -> Peer {
    var peer = Peer(name: "simulated", user: UInt32(user))
    if user == 0 { return peer }
    peer.access = Access([.publish, .tune])
    peer.access.grant(.subscribe, headers: user == 1 ? nil : ["app.**"])
    peer.quotas[.connections] = 4
    peer.quotas[.headers] = 3
    peer.quotas[.subscriptions] = 5
    peer.quotas[.queueBytes] = 30_000
    peer.quotas[.memoryBytes] = 60_000
    peer.quotas[.eventsPerSecond] = 10
    return peer
  }

  private func vanish(_ client: SimulatedClient) {
    world.vanish(client.id)
    client.isGone = true
  }

  // MARK: - Starting again

  private func keepJournal(goesOn: Bool) throws {
    guard let durability = Durability(rawValue: script.durability) else { return }
    var settings = JournalSettings()
    settings.durability = durability
    settings.segmentBytes = 20_000
    settings.budget = 60_000
    let refused = try world.keepJournal(in: folder, settings, goesOn: goesOn)
    world.unrecorded = { [unowned self] in noteUnrecorded($0) }
    // One that does not restore what it saved is not restored.
    for name in refused { answered[name] = nil }
  }

  private func restart(_ shards: Int) throws {
    world.endInOrder {
      for number in present { takeAll(clients[number]) }
    }
    try begin(shards, goesOn: true)
  }

  private func cutPower(_ shards: Int, _ chance: UInt64) throws {
    // What has been written to sockets has been told.
    for number in present { takeAll(clients[number]) }
    var random = SplitMix64(seed: chance)
    world.breakOff(&random)
    folder.cutPower(&random)
    try begin(shards, goesOn: false)
  }

  private func takeAll(_ client: SimulatedClient?) {
    guard let client else { return }
    var before = 0
    repeat {
      before = client.socket.kernel.count
      client.take(client.socket.kernel)
      client.socket.kernel = []
      _ = client.socket.pump()
    } while before > 0
  }

  /// Another daemon begins with what the last one has left.
  private func begin(_ shards: Int, goesOn: Bool) throws {
    noteAnswered()
    unrecorded = []
    for number in present { clients[number]?.isLeftBehind() }
    found += clients.values.flatMap(\.complaints) + worldComplaints
    transcripts += clients.keys.sorted().compactMap { clients[$0]?.transcript }
    clients = clients.filter { !$0.value.traces.isEmpty || !$0.value.feeds.isEmpty }.mapValues {
      $0.clearComplaints()
      return $0
    }
    deaths += world.deaths
    simulated += world.clock - begun
    begun = world.clock + 1_000_000
    restarts += 1
    world = try World(
      plugins, limits: limits, shards: min(max(shards, 1), 4), clock: begun, wallClockShift: world.wallClockShift,
      isRecorded: isRecorded)
    try keepJournal(goesOn: goesOn)
    try compareRestored(goesOn: goesOn)
  }

  private func noteAnswered() {
    for client in clients.values {
      for (name, seq) in client.answered where Self.kept.contains(name) && !unrecorded.contains(name) {
        answered[name] = max(answered[name] ?? 0, seq)
      }
      client.answered = [:]
    }
  }

  /// What the disk had of it when that failed is there on.
  private func noteUnrecorded(_ name: String) {
    noteAnswered()
    unrecorded.insert(name)
    // Without `acknowledged` nobody is told which answers came after the failure.
    if Durability(rawValue: script.durability) != .acknowledged { answered[name] = nil }
  }

  /// Holds the headers as they were restored against what was told of them.
  private func compareRestored(goesOn: Bool) throws {
    let isKept = Durability(rawValue: script.durability) == .acknowledged
    let states = try observe { observer in
      try Self.headers.map { ($0, try observer.ask("header.get", "{\"header\":\"\($0)\"}")["result"]["state"]) }
    }
    for (name, state) in states {
      let seq = state["seq"].int ?? 0
      if isKept || goesOn, let least = answered[name], seq < least {
        found.append(Complaint("something answered is lost", "\(name) is at \(seq), \(least) was answered"))
      }
      answered[name] = nil
      guard let epoch = state["epoch"].int, let last = judge.latest[name] else { continue }
      compared += 1
      if goesOn {
        if epoch == last.epoch, seq < last.seq {
          found.append(Complaint("an orderly end loses states", "\(name) is at \(seq), was at \(last)"))
        }
      } else if judge.knows(name, epoch) {
        found.append(Complaint("an epoch goes on after a crash", "\(name) is in \(epoch), was in \(last)"))
      }
    }
  }

  // MARK: - The end

  /// Everybody says what is left to say and reads what waits; then each feed must be where its header is.
  func end() throws -> [Complaint] {
    settle()
    noteAnswered()
    found += clients.values.flatMap { $0.complaints + [$0.unanswered].compactMap { $0 } } + worldComplaints
    transcripts += clients.keys.sorted().compactMap { clients[$0]?.transcript }
    try compareFeeds()
    try replayRecordings()
    try checkConservation()
    deaths += world.deaths
    simulated += world.clock - begun
    return found
  }

  private func settle() {
    world.isPrompt = true
    world.pass(0)
    var (rounds, quiet) = (0, 0)
    while rounds < 10_000, quiet < 12 {
      rounds += 1
      for shard in 0..<world.shardCount { world.workOnDisk(shard) }
      var isQuiet = true
      for number in present {
        guard let client = clients[number] else { continue }
        if !client.socket.toService.isEmpty || !client.socket.kernel.isEmpty { isQuiet = false }
        world.deliver(.max, of: client.id)
        client.take(world.read(.max, from: client.id))
      }
      quiet = isQuiet ? quiet + 1 : 0
      // Whoever is still asked has nothing more to say.
      if rounds % 3 == 0 { world.pass(100_000_000) }
    }
    if rounds == 10_000 { found.append(Complaint("it does not come to rest", "10000 rounds")) }
  }

  private var worldComplaints: [Complaint] {
    world.log.map { Complaint("an error in the log", $0) }
      + clients.values.filter { $0.socket.maxQueued > 4 * Self.queueBytes + 50_000 }.map {
        Complaint("too many bytes wait", "connection \($0.id.number): \($0.socket.maxQueued)")
      }
  }

  private func compareFeeds() throws {
    let states = try observe { observer in
      let rows = try observer.ask("header.list", "{}")["result"]["headers"].list
      return try rows.compactMap { $0["header"].string }.map {
        ($0, try observer.ask("header.get", "{\"header\":\"\($0)\"}")["result"]["state"])
      }
    }
    for (name, state) in states {
      for number in present {
        guard let client = clients[number], client.matches(name), !client.socket.isHalfClosed else { continue }
        guard let feed = client.feeds[name] else {
          found.append(Complaint("a subscriber was told nothing", "connection \(client.id.number) of \(name)"))
          continue
        }
        let differs =
          feed.seq != state["seq"].int || feed.epoch != state["epoch"].int
          || ["drawers", "values"].contains { field in !(feed.state?[field].isSame(as: state[field]) ?? true) }
        if differs {
          found.append(
            Complaint(
              "a subscriber is not where the header is",
              "connection \(client.id.number), \(name): \(feed.state?.text ?? "resumed") and \(state.text)"))
        }
      }
    }
  }

  private func replayRecordings() throws {
    guard clients.values.contains(where: { !$0.traces.isEmpty }) else { return }
    try plugins.loadAll()
    let plugins = plugins.plugins(forShard: 0)
    for number in clients.keys.sorted() {
      for (id, trace) in (clients[number]?.traces ?? [:]).sorted(by: { $0.key < $1.key }) {
        let differences = trace.differences(plugins)
        if let first = differences.first {
          found.append(
            Complaint("a recording replays otherwise", "recording \(id): \(differences.count) differences: \(first)"))
        }
      }
    }
  }

  /// Everybody leaves, and all headers are closed: nothing is left that somebody pays for.
  private func checkConservation() throws {
    for client in clients.values { vanish(client) }
    let stats = try observe { observer in
      for name in Self.headers { _ = try observer.ask("header.close", "{\"header\":\"\(name)\"}") }
      world.pass(1_000_000_000)
      return try observer.ask("stats", "{}")["result"]
    }
    let counts = ["headers", "subscriptions"].map { stats[$0].int ?? -1 } + [stats["connections"].int ?? -1]
    let users = stats["users"].list
    let isClean =
      counts == [0, 0, 1] && users.count == 1 && users[0]["used"]["headers"].int == 0
      && users[0]["used"]["subscriptions"].int == 0 && users[0]["used"]["connections"].int == 1
      && users[0]["used"]["memoryBytes"].int == MemoryCost.connection && users[0]["used"]["queueBytes"].int == 0
      && (stats["journal"]["headers"].int ?? 0) == 0 && (stats["workers"]["headers"].int ?? 0) == 0
    if !isClean { found.append(Complaint("something is counted that is not there", stats.text)) }
  }

  // MARK: - Looking at it

  /// An administrator who connects, asks and leaves.
  private struct Observer {
    let world: World
    let id: ConnectionID
    let socket: SimulatedSocket

    /// Asks, and waits for the answer.
    func ask(_ method: String, _ params: String) throws -> JSON {
      socket.toService += Array("{\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}\n".utf8)
      var got: [UInt8] = []
      // A process that hangs has seconds until it is replaced.
      for _ in 0..<10_000 {
        world.deliver(.max, of: id)
        for shard in 0..<world.shardCount { world.workOnDisk(shard) }
        world.pass(1_000_000)
        got += world.read(.max, from: id)
        for line in got.split(separator: 10) {
          let answer = try JSON(String(decoding: line, as: UTF8.self))
          if answer["id"].int == 1 { return answer }
        }
      }
      return try JSON("{}")
    }
  }

  private func observe<Result>(_ body: (Observer) throws -> Result) throws -> Result {
    let wasPrompt = world.isPrompt
    world.isPrompt = true
    let (id, socket) = world.connect(Self.peer(0), kernelRoom: 1 << 24)
    defer {
      world.vanish(id)
      world.isPrompt = wasPrompt
    }
    return try body(Observer(world: world, id: id, socket: socket))
  }
}
