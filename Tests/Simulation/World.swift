// SPDX-License-Identifier: MIT
//
// The daemon without a kernel: its services, their engine and real plugins, between sockets, mail and a clock that a test
// holds in its hand. A socket here has what makes sockets difficult: a buffer of some size between both ends, input that comes
// in pieces, readers that stop, peers that vanish in the middle of a line.

import DaemonTestKit
import HeaderCore
import HeaderJournal
import HeaderService
import HeaderTestKit
import PluginHost

/// Both ends of one connection.
final class SimulatedSocket: Outbox {
  /// Bytes on their way to the service.
  var toService: [UInt8] = []
  /// The client sends no more.
  var isHalfClosed = false
  private var hasToldHalfClose = false
  /// Bytes that the kernel has taken from the service and the client has not read.
  var kernel: [UInt8] = []
  let kernelRoom: Int
  /// Bytes that the kernel had no room for.
  var queue: [UInt8] = []
  /// The service has closed it.
  var isClosed = false
  var mostQueued = 0
  /// The service is to hear at the end of the turn that all has gone to the kernel, if it has.
  var hasWritten = false

  init(kernelRoom: Int) { self.kernelRoom = kernelRoom }

  /// Moves what fits from the queue to the kernel; true if the queue became empty by it.
  func pump() -> Bool {
    guard !queue.isEmpty else { return false }
    let count = min(queue.count, kernelRoom - kernel.count)
    kernel += queue[..<count]
    queue.removeFirst(count)
    return queue.isEmpty
  }

  // MARK: - For the service

  func send(_ bytes: RawSpan) {
    precondition(!isClosed, "nothing is sent after a close")
    hasWritten = true
    unsafe bytes.withUnsafeBytes { unsafe queue += $0 }
    _ = pump()
    mostQueued = max(mostQueued, queue.count)
  }

  var queuedBytes: Int { queue.count }

  func tellHalfClose() -> Bool {
    guard isHalfClosed, !hasToldHalfClose, toService.isEmpty else { return false }
    hasToldHalfClose = true
    return true
  }
}

/// What the service asks for: somewhere to put bytes and log lines, and a wall clock.
final class Surroundings: ServiceOutput, ServiceLog {
  /// Nanoseconds.
  var clock: Int64 = 1_000_000_000
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  /// Lines of level `error`: there must not be any.
  private(set) var errors: [String] = []

  func output(of connection: ConnectionID) -> any Outbox {
    guard let socket = sockets[connection] else { preconditionFailure("a connection has a socket") }
    return socket
  }

  func close(_ connection: ConnectionID) { sockets[connection]?.isClosed = true }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    if level >= .error { errors.append("\(what) \(facts.map { "\($0.key)=\($0.value)" }.joined(separator: " "))") }
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
/// two of them keeps its order, and otherwise arrives when chance lets it.
final class World {
  private let surroundings = Surroundings()
  private let services: [Service]
  private let transports: [SimulatedTransport]
  /// By connection, the service that has its socket.
  private var homes: [ConnectionID: Int] = [:]
  /// Connections between two services.
  private var moving: Set<ConnectionID> = []
  private var lastConnection = 0
  private var random: SplitMix64
  /// Mail arrives at once.
  var isPrompt = false
  /// One for each service, where they keep a journal.
  private var disks: [SimulatedDisk] = []

  var clock: Int64 { surroundings.clock }
  var log: [String] { surroundings.errors }

  /// - Parameters:
  ///   - shards: how many services share the headers.
  ///   - clock: nanoseconds; a world that follows another one begins when that one ended.
  init(limits: Limits, shards count: Int, seed: UInt64, clock: Int64 = 1_000_000_000) throws {
    random = SplitMix64(seed: seed &+ 0x5eed)
    let surroundings = self.surroundings
    surroundings.clock = clock
    var settings = ServiceSettings { 1_700_000_000_000_000 + surroundings.clock / 1000 }
    settings.limits = limits
    let plugins = try SimulatedPlugins()
    let ledger = Ledger(shards: count)
    let transports = (0..<count).map { _ in SimulatedTransport(count) }
    self.transports = transports
    services = (0..<count).map { index in
      Service(
        settings: settings, plugins: plugins.plugins(forShard: index), control: index == 0 ? plugins : nil,
        output: surroundings, log: surroundings, shard: Shard(index: index, of: count), ledger: ledger,
        transport: count == 1 ? nil : transports[index])
    }
  }

  // MARK: - The journal

  /// Restores the headers of a journal and keeps it from now on.
  /// - Parameter goesOn: the world before ended in order.
  func keepJournal(in folder: SimulatedFolder, _ settings: JournalSettings, goesOn: Bool) throws {
    let stored = try folder.read()
    let numbers = JournalNumbers(after: stored, shards: services.count)
    for (index, service) in services.enumerated() {
      let disk = SimulatedDisk(folder, seed: random.next())
      disk.finished = { [unowned self] in
        services[index].journalFinished($0, at: clock)
        endTurn(index)
      }
      disks.append(disk)
      service.keep(
        ShardJournal(
          shard: index, settings: settings, numbers: numbers, disk: disk, takingOver: stored, at: clock),
        after: stored.lastEpoch)
    }
    for header in stored.headers {
      try services[services[0].shard.holder(of: header.name)].restore(header, goesOn: goesOn)
    }
    for index in services.indices { endTurn(index) }
  }

  /// Whether steps of the disk fail from now on.
  func setDiskFailure(_ failure: String?) { for disk in disks { disk.failure = failure } }

  /// Some of the disks carry out the step that waits.
  func workOnDisks() { for disk in disks where random.oneIn(3) { disk.finish() } }

  /// The daemon ends in order: everything is on the disk when this returns.
  func endInOrder() {
    isPrompt = true
    exchangeAll()
    for service in services { service.journal?.finish() }
    var turns = 0
    while !services.allSatisfy({ $0.journal?.isComplete ?? true }) {
      surroundings.clock += 20_000_000
      for index in services.indices {
        services[index].tick(at: clock)
        endTurn(index)
      }
      for disk in disks { disk.finish() }
      turns += 1
      precondition(turns < 10_000, "the journal does not come to rest")
    }
  }

  /// The power goes.
  func breakOff() { for disk in disks { disk.breakOff() } }

  // MARK: - What happens to it

  func connect(kernelRoom: Int) -> (ConnectionID, SimulatedSocket) {
    let socket = SimulatedSocket(kernelRoom: kernelRoom)
    lastConnection += 1
    let id = ConnectionID(number: lastConnection)
    surroundings.sockets[id] = socket
    homes[id] = 0
    services[0].connected(Peer(name: "simulated"), as: id, at: clock)
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
    if !piece.isEmpty { services[home].received(unsafe piece.span.bytes, from: id, at: clock) }
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
    while moving.contains(id) { exchange() }
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

  /// Time goes by; mail arrives, and services are woken when they wished to be.
  func pass(_ nanoseconds: Int64) {
    let end = clock + nanoseconds
    exchangeAll()
    var turns = 0
    while let (wake, index) = services.indices.compactMap({ index in services[index].nextWake.map { ($0, index) } })
      .min(
        by: { $0.0 < $1.0 }), wake <= end
    {
      surroundings.clock = max(clock, wake)
      services[index].tick(at: clock)
      endTurn(index)
      exchangeAll()
      turns += 1
      precondition(turns < 100_000, "service \(index) does not come to rest")
    }
    surroundings.clock = end
  }

  // MARK: - Between services

  /// Some of the mail arrives.
  func exchangeSome() {
    for _ in 0..<Int.random(in: 0...4, using: &random) { exchange() }
  }

  private func endTurn(_ index: Int) {
    guard services.count > 1 else { return services[index].endTurn() }
    services[index].gateway.takeMoves({ self.homes.removeValue(forKey: $0) }) { _, moved, shard in
      self.moving.insert(moved.id)
      self.transports[index].outgoing[shard].append(.connection(moved))
    }
    services[index].endTurn()
    tellWritten(index)
    if isPrompt { exchangeAll() }
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
    while exchange() {
      count += 1
      precondition(count < 100_000, "the services do not come to rest")
    }
  }

  /// Delivers the first mail from one service to another, chosen by chance.
  /// - Returns: false if there is none.
  @discardableResult
  private func exchange() -> Bool {
    let ways = transports.indices.flatMap { from in
      transports[from].outgoing.indices.filter { !transports[from].outgoing[$0].isEmpty }.map { (from, $0) }
    }
    guard let (from, to) = ways.randomElement(using: &random) else { return false }
    switch transports[from].outgoing[to].removeFirst() {
    case .message(let message): services[to].receive(message, at: clock)
    case .connection(let moved):
      homes[moved.id] = to
      moving.remove(moved.id)
      services[to].takeIn(moved, at: clock)
    }
    services[to].endReceiving()
    let wasPrompt = isPrompt
    isPrompt = false
    endTurn(to)
    isPrompt = wasPrompt
    for id in homes.filter({ $0.value == to }).keys.sorted() { clear(id) }
    return true
  }
}

/// The real plugins behind the service's protocol.
final class SimulatedPlugins: PluginControl {
  static let names = ["FlexibleHeader", "FlexibleHeightBar", "OriginalDelegate", "ShyNavBar", "StretchyHeader"]
  private let registry = PluginRegistry(folders: [TestFiles.build], threads: 4)
  private var replaced: [String: Plugin] = [:]

  init() throws(HeaderError) {
    for name in Self.names { try registry.load(name) }
  }

  /// What one service sees of them.
  private final class View: ShardPlugins {
    private let plugins: PluginSet

    init(_ plugins: PluginSet) { self.plugins = plugins }

    func behavior(named name: String) -> BehaviorDescription? { plugins.behavior(named: name) }
    var behaviorNames: [String] { plugins.behaviorNames }
    func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
      try plugins.makeDelegate(behavior: behavior, name: name)
    }
  }

  func plugins(forShard index: Int) -> any ShardPlugins { View(registry.set(forThread: index)) }

  var loadedPlugins: [PluginEntry] {
    registry.plugins.map {
      PluginEntry(plugin: $0.name, version: $0.version, abi: $0.abi, path: "", behaviors: $0.behaviors)
    }
  }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let plugin = try registry.load(name)
    return PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: "", behaviors: plugin.behaviors)
  }
  func unloadPlugin(_ name: String) throws(HeaderError) { replaced[name] = try registry.unload(name) }
  func reloadPlugin(_ name: String) throws(HeaderError) { replaced[name] = try registry.reload(name).old }
  func restorePlugin(_ name: String) {
    if let old = replaced.removeValue(forKey: name) { registry.restore(old) }
  }
}
