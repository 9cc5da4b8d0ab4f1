// SPDX-License-Identifier: MIT
//
// The daemon without a kernel: its services, their engine and real plugins, between sockets, mail, disks and clocks that a test
// holds in its hand. Nothing in it happens by chance.

import Clocks
import Fanout
import Gateway
import HeaderHost
import HeaderJournal
import HeaderModel
import HeaderService
import HeaderTestKit
import JournalTestKit
import Shards

/// What the service asks for: somewhere to put bytes and log lines, and a wall clock.
final class Surroundings: ServiceOutput, ServiceLog {
  /// Nanoseconds.
  var clock: MonotonicTime
  /// Microseconds that somebody has set the wall clock forward.
  var wallClockShift: Int64 = 0
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  /// Processes of headers that have died.
  private(set) var deaths = 0
  /// Those that died of a header.
  private var deathsOfHeader: [String: Int] = [:]
  /// Lines of level `error`: there must not be any.
  private(set) var errors: [String] = []
  /// Told of each header that is not recorded any more.
  var unrecorded: ((String) -> Void)?

  init(clock: MonotonicTime) { self.clock = clock }

  func output(of connection: ConnectionID) -> any Outbox {
    guard let socket = sockets[connection] else { preconditionFailure("a connection has a socket") }
    return socket
  }

  func complain(_ what: String) { errors.append(what) }

  func close(_ connection: ConnectionID) { sockets[connection]?.isClosed = true }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    let reason = facts.last { $0.key == "reason" }?.value ?? ""
    let header = facts.last { $0.key == "header" }?.value ?? ""
    if what == "notRecorded" { unrecorded?(header) }
    guard level >= .error else { return }
    if what == "workerDied" {
      deaths += 1
      deathsOfHeader[header, default: 0] += 1
    }
    let isExpected =
      switch what {
      // They were told to fail.
      case "journalFailed", "delegateBypassed": true
      case "workerDied": !reason.hasPrefix("its process sent what cannot be read")
      // Who does not take back what it saved is lost with its process, and so is who ends three of them;
      // who does not attach any more is not reloaded.
      case "headerLost": reason.hasSuffix("it remembers otherwise") || deathsOfHeader[header, default: 0] >= 3
      case "headerRestarted": deathsOfHeader[header, default: 0] >= 2
      // The header is lost with it.
      case "delegateNotRemoved": reason.contains("does not stay alive")
      case "reloadRefused":
        reason.contains("ShyNavBar refuses it: it needs") || reason == SimulatedWorkers.refusal
      default: false
      }
    if !isExpected { errors.append("\(what) \(facts.map { "\($0.key)=\($0.value)" }.joined(separator: " "))") }
  }
}

/// One shard's way to the others: what it sends waits until the world delivers it.
final class SimulatedTransport: ShardTransport {
  enum Mail {
    case message(ShardMessage)
    case connection(MovingConnection)
  }

  /// By receiver, in the order of sending.
  var outgoing: [[Mail]]

  init(_ count: Int) { outgoing = [[Mail]](repeating: [], count: count) }

  func post(_ message: ShardMessage, to shard: Int) { outgoing[shard].append(.message(message)) }
}

/// The services and all that is around them: as many as there are threads, each with its share of the headers. Mail between
/// two of them keeps its order, and otherwise arrives when it is told to.
final class World {
  private let surroundings: Surroundings
  private let services: [Service]
  private let transports: [SimulatedTransport]
  /// By connection, the service that has its socket.
  private var homes: [ConnectionID: Int] = [:]
  /// Connections between two services.
  private var moving: Set<ConnectionID> = []
  private var lastConnection = 0
  private let isRecorded: Bool
  /// Mail arrives at once.
  var isPrompt = false
  private var disks: [SimulatedDisk] = []
  private let workers: SimulatedWorkers

  var clock: MonotonicTime { surroundings.clock }
  var wallClockShift: Int64 { surroundings.wallClockShift }
  var log: [String] { surroundings.errors }
  /// Told of each header that is not recorded any more.
  var unrecorded: ((String) -> Void)? {
    get { surroundings.unrecorded }
    set { surroundings.unrecorded = newValue }
  }
  var deaths: Int { surroundings.deaths }
  var shardCount: Int { services.count }

  /// - Parameters:
  ///   - shards: how many services share the headers.
  ///   - clock: nanoseconds; a world that follows another one begins when that one ended.
  ///   - isRecorded: what is said over sockets is held against the schema later (`MessageRecord`).
  init(
    _ plugins: SimulatedPlugins, limits: Limits, shards count: Int, clock: MonotonicTime, wallClockShift: Int64 = 0,
    isRecorded: Bool
  ) throws {
    try plugins.loadAll()
    let surroundings = Surroundings(clock: clock)
    surroundings.wallClockShift = wallClockShift
    self.surroundings = surroundings
    self.isRecorded = isRecorded
    workers = SimulatedWorkers(limits, in: surroundings)
    plugins.workers = workers
    var settings = ServiceSettings {
      WallTime(
        microseconds: 1_700_000_000_000_000 + surroundings.clock.nanoseconds / 1000 + surroundings.wallClockShift)
    }
    settings.limits = limits
    let globalCounters = GlobalCounters(shards: count)
    let transports = (0..<count).map { _ in SimulatedTransport(count) }
    self.transports = transports
    services = (0..<count).map { index in
      Service(
        settings: settings, plugins: plugins.plugins(forShard: index), control: index == 0 ? plugins : nil,
        output: surroundings, log: surroundings, shard: Shard(index: index, of: count), globalCounters: globalCounters,
        transport: count == 1 ? nil : transports[index])
    }
  }

  // MARK: - The journal

  /// Restores the headers of a journal and keeps it from now on.
  /// - Parameter goesOn: the world before ended in order.
  /// - Returns: the headers that could not be restored.
  func keepJournal(in folder: SimulatedFolder, _ settings: JournalSettings, goesOn: Bool) throws -> [String] {
    let stored = try folder.read()
    let numbers = JournalNumbers(after: stored, shards: services.count)
    for (index, service) in services.enumerated() {
      let disk = SimulatedDisk(folder)
      disk.finished = { [unowned self] in
        services[index].journalFinished($0, at: clock)
        endTurn(index)
      }
      disks.append(disk)
      service.host.keep(
        ShardJournal(
          shard: index, settings: settings, numbers: numbers, disk: disk, takingOver: stored, at: clock),
        after: stored.lastEpoch)
    }
    var refused: [String] = []
    for header in stored.headers {
      services[services[0].shard.holder(of: header.name)].restore(header, goesOn: goesOn, at: clock) {
        if $0 != nil { refused.append(header.name) }
      }
    }
    for index in services.indices { endTurn(index) }
    finishOpening()
    return refused
  }

  /// Nobody is served before the headers are there that processes are opening.
  private func finishOpening() {
    while services.contains(where: \.host.isOpening) {
      exchangeAll()
      if services.contains(where: \.host.isOpening) { pass(10_000_000) }
    }
  }

  /// Whether a service's disk has a step to carry out.
  func diskIsBusy(_ index: Int) -> Bool { disks.indices.contains(index) && disks[index].step != nil }

  /// A service's disk carries out its step, if it has one.
  /// - Parameter bytes: it fails after so many; nil: it does not.
  func workOnDisk(_ index: Int, failingAfter bytes: Int? = nil) {
    guard disks.indices.contains(index) else { return }
    disks[index].failure = bytes.map { _ in "no space" }
    disks[index].finish(partial: bytes ?? 0)
    disks[index].failure = nil
  }

  /// The daemon ends in order: everything is on the disk when this returns.
  /// - Parameter read: has all clients read what waits for them.
  func endInOrder(_ read: () -> Void) {
    isPrompt = true
    exchangeAll()
    for index in services.indices {
      services[index].drain()
      endTurn(index)
    }
    exchangeAll()
    read()
    for id in homes.keys.sorted() { vanish(id) }
    exchangeAll()
    for service in services { service.host.journal?.finish() }
    var turns = 0
    while !services.allSatisfy({ $0.host.journal?.isComplete ?? true }) {
      surroundings.clock += 20_000_000
      for index in services.indices {
        services[index].tick(at: clock)
        endTurn(index)
      }
      for disk in disks { disk.finish() }
      exchangeAll()
      turns += 1
      precondition(turns < 10_000, "the journal does not come to rest")
    }
    for service in services { service.host.endWorkers() }
  }

  /// The power goes.
  func breakOff(_ random: inout SplitMix64) { for disk in disks { disk.breakOff(&random) } }

  // MARK: - Processes of headers

  var hasSpeakingWorkers: Bool { !workers.speaking.isEmpty }
  var hasWorkers: Bool { !workers.living.isEmpty }

  /// One of the processes that have something to say goes on.
  /// - Parameter process: which one, counted round and round.
  /// - Returns: false if there is none.
  @discardableResult
  func speak(_ process: Int, _ bytes: Int) -> Bool {
    let speaking = workers.speaking
    guard !speaking.isEmpty else { return false }
    let process = speaking[process % speaking.count]
    services[process.shard].workerSpeaks(at: clock)
    process.speak(bytes)
    endQuietTurn(process.shard)
    return true
  }

  /// A process comes to its end in one of its next orders.
  func doom(_ process: Int, _ doom: Doom) {
    let living = workers.living
    if !living.isEmpty { living[process % living.count].doom = doom }
  }

  func failStarts(_ count: Int) { workers.failingStarts = count }

  // MARK: - The administrator

  /// The config is read again.
  func configure(_ limits: Limits) {
    services[0].configure(limits, headers: [], at: clock) {}
    endTurn(0)
  }

  /// A plugin's file has changed.
  func reload(_ plugin: String) {
    services[0].reloadPlugin(plugin, at: clock) { _ in }
    endTurn(0)
  }

  func setWallClock(by microseconds: Int64) { surroundings.wallClockShift += microseconds }

  // MARK: - What happens to it

  func connect(_ peer: Peer, kernelRoom: Int) -> (ConnectionID, SimulatedSocket) {
    let socket = SimulatedSocket(kernelRoom: kernelRoom, isRecorded: isRecorded)
    lastConnection += 1
    let id = ConnectionID(number: lastConnection)
    surroundings.sockets[id] = socket
    homes[id] = 0
    services[0].connected(peer, as: id, at: clock)
    endTurn(0)
    clear(id)
    return (id, socket)
  }

  /// Gives the service up to so many bytes of what a client has sent, if it wants any.
  func deliver(_ count: Int, of id: ConnectionID) {
    guard let socket = surroundings.sockets[id], !socket.isClosed, let home = homes[id] else { return }
    guard services[home].wantsInput(id) else { return }
    let piece = Array(socket.toService.prefix(count))
    socket.toService.removeFirst(piece.count)
    if !piece.isEmpty {
      socket.record?.sent(piece)
      services[home].received(unsafe piece.span.bytes, from: id, at: clock)
    }
    if homes[id] == home, socket.tellHalfClose() { services[home].endOfInput(id) }
    endTurn(home)
    clear(id)
  }

  /// The client reads up to so many bytes.
  func read(_ count: Int, from id: ConnectionID) -> [UInt8] {
    guard let socket = surroundings.sockets[id] else { return [] }
    let piece = Array(socket.kernel.prefix(count))
    socket.kernel.removeFirst(piece.count)
    if socket.pump(), !socket.isClosed, let home = homes[id] {
      if services.count > 1 { services[home].gateway.notifyShards(ofDrained: id) }
      services[home].drained(id, at: clock)
      endTurn(home)
    }
    clear(id)
    return piece
  }

  /// The client is gone, whatever is under way.
  func vanish(_ id: ConnectionID) {
    // Who moves is noticed to be gone where it arrives.
    while moving.contains(id) { exchange(0) }
    surroundings.sockets[id] = nil
    if let home = homes.removeValue(forKey: id) {
      services[home].disconnected(id)
      endTurn(home)
    }
  }

  /// A connection that the service closed is gone once everything is written.
  private func clear(_ id: ConnectionID) {
    guard let socket = surroundings.sockets[id], socket.isClosed, socket.queue.isEmpty,
      let home = homes.removeValue(forKey: id)
    else { return }
    services[home].disconnected(id)
    endTurn(home)
  }

  /// Time goes by, and services are woken when they wished to be.
  /// - Parameter mailArrives: all of it, also what comes of waking; otherwise none does.
  func pass(_ nanoseconds: Int64, mailArrives: Bool = true) {
    let end = clock + nanoseconds
    if mailArrives { exchangeAll() }
    var turns = 0
    while let (wake, index) = earliestWake, wake <= end {
      surroundings.clock = max(clock, wake)
      services[index].tick(at: clock)
      endTurn(index)
      if mailArrives { exchangeAll() }
      turns += 1
      precondition(turns < 100_000, "service \(index) does not come to rest")
    }
    surroundings.clock = max(clock, end)
  }

  private var earliestWake: (MonotonicTime, Int)? {
    services.indices.compactMap { index in services[index].nextWake.map { ($0, index) } }.min { $0.0 < $1.0 }
  }

  /// The machine has slept: time is another one all at once.
  func jump(_ nanoseconds: Int64) {
    surroundings.clock += nanoseconds
    for index in services.indices {
      services[index].tick(at: clock)
      endTurn(index)
    }
  }

  // MARK: - Between services

  /// Ways from one service to another on which there is mail.
  private var ways: [(from: Int, to: Int)] {
    transports.indices.flatMap { from in
      transports[from].outgoing.indices.filter { !transports[from].outgoing[$0].isEmpty }.map { (from, $0) }
    }
  }

  var hasMail: Bool { !ways.isEmpty }

  private func endTurn(_ index: Int) {
    defer { if isPrompt { exchangeAll() } }
    guard services.count > 1 else { return services[index].endTurn() }
    services[index].gateway.takeMoves({ self.homes.removeValue(forKey: $0) }) { _, moved, shard in
      self.moving.insert(moved.id)
      self.transports[index].outgoing[shard].append(.connection(moved))
    }
    services[index].endTurn()
    tellWritten(index)
  }

  /// The end of a turn in which something came from elsewhere: nothing more comes at once.
  private func endQuietTurn(_ index: Int) {
    let wasPrompt = isPrompt
    isPrompt = false
    endTurn(index)
    isPrompt = wasPrompt
    for id in homes.filter({ $0.value == index }).keys.sorted() { clear(id) }
  }

  /// As a stream does at the end of a turn in which it has written: whoever waits for an empty queue hears of it.
  private func tellWritten(_ index: Int) {
    for id in homes.filter({ $0.value == index }).keys.sorted() {
      guard let socket = surroundings.sockets[id], socket.hasWritten else { continue }
      socket.hasWritten = false
      guard socket.queue.isEmpty, !socket.isClosed else { continue }
      services[index].gateway.notifyShards(ofDrained: id)
      services[index].drained(id, at: clock)
    }
    services[index].endTurn()
  }

  private func exchangeAll() {
    var count = 0
    while exchange(count) || speak(count, .max) {
      count += 1
      precondition(count < 100_000, "the services do not come to rest")
    }
  }

  /// Delivers the first mail from one service to another.
  /// - Parameter way: which of the ways that have mail, counted round and round.
  /// - Returns: false if there is none.
  @discardableResult
  func exchange(_ way: Int) -> Bool {
    let ways = self.ways
    guard !ways.isEmpty else { return false }
    let (from, to) = ways[way % ways.count]
    switch transports[from].outgoing[to].removeFirst() {
    case .message(let message): services[to].receive(message, at: clock)
    case .connection(let moved):
      homes[moved.id] = to
      moving.remove(moved.id)
      services[to].takeIn(moved, at: clock)
    }
    services[to].endReceiving()
    endQuietTurn(to)
    return true
  }
}
