// SPDX-License-Identifier: MIT
//
// Processes that headers are in, without processes: the engine of one does what it was ordered when the life says so, and the bytes
// of what it says come in pieces. It dies or hangs in the middle of an order, as told, or of a plugin that ends its process.

import Clocks
import HeaderCore
import HeaderHost
import HeaderModel
import HeaderWorker

/// How a process comes to its end.
public struct Doom: Equatable, Sendable {
  /// The order that is its last, counted from the next one.
  var orders: Int
  /// How much of what it says of that order comes through.
  var bytes: Int
  var fate: Fate

  enum Fate: String, CaseIterable, Sendable {
    /// It dies, and its page of memory tells which header and delegate were running; or tells nothing.
    case crashes, vanishes
    /// It does not return from that order.
    case hangs
  }
}

/// The processes of a world.
final class SimulatedWorkers {
  private let limits: Limits
  private let surroundings: Surroundings
  private var started: [Weak] = []
  /// Why a start fails that was told to.
  static let refusal = "there is no process to be had"
  /// So many starts fail from now on.
  var failingStarts = 0

  /// A process belongs to whoever has started it.
  private struct Weak { weak var process: SimulatedProcess? }

  init(_ limits: Limits, in surroundings: Surroundings) {
    self.limits = limits
    self.surroundings = surroundings
  }

  /// Those that live, in the order of their starts.
  var living: [SimulatedProcess] { started.compactMap(\.process).filter(\.isAlive) }

  /// Those that have something to say.
  var speaking: [SimulatedProcess] { living.filter(\.hasWork) }

  /// A process was ordered what no daemon may order.
  fileprivate func complain(_ reason: String) { surroundings.complain("wrongOrder \(reason)") }

  fileprivate func start(
    _ plugins: any BehaviorProvider, shard: Int, for owner: any WorkerProcessOwner
  ) throws(HeaderError) -> SimulatedProcess {
    if failingStarts > 0 {
      failingStarts -= 1
      throw HeaderError(.behaviorFailed, Self.refusal)
    }
    let process = SimulatedProcess(plugins, limits, shard: shard, for: owner, of: self)
    started.removeAll { $0.process == nil }
    started.append(Weak(process: process))
    return process
  }
}

/// Starts processes for one service, with the plugins that it saw at one time.
final class SimulatedLaunch: WorkerLaunch {
  let deadline: Int64 = 150_000_000
  /// Few, so that there are several processes.
  let headers = 2
  private let plugins: any BehaviorProvider
  private let shard: Int
  private let workers: SimulatedWorkers

  init(_ plugins: any BehaviorProvider, shard: Int, in workers: SimulatedWorkers) {
    (self.plugins, self.shard, self.workers) = (plugins, shard, workers)
  }

  func start(for owner: any WorkerProcessOwner) throws(HeaderError) -> any WorkerProcess {
    try workers.start(plugins, shard: shard, for: owner)
  }
}

/// A process with headers.
final class SimulatedProcess: WorkerProcess {
  /// The service that has started it.
  let shard: Int
  private let engine: WorkerEngine
  private weak var owner: (any WorkerProcessOwner)?
  private let workers: SimulatedWorkers
  /// What it was ordered and has not done; what it has done and not said.
  private var orders: [UInt8] = []
  private var news: [UInt8] = []
  var doom: Doom?
  /// It does nothing any more, and why.
  private var fate: Doom.Fate?
  private(set) var isAlive = true
  private(set) var ordersBegun: UInt = 0
  private(set) var running: WorkerFault?
  var usage: [PluginUsageEntry] { [] }
  /// The header that it is at.
  private var active: Header?

  fileprivate init(
    _ plugins: any BehaviorProvider, _ limits: Limits, shard: Int, for owner: any WorkerProcessOwner,
    of workers: SimulatedWorkers
  ) {
    self.shard = shard
    self.owner = owner
    self.workers = workers
    engine = WorkerEngine(provider: plugins, limits: limits)
    engine.willApply = { [unowned self] in begin($0, $1, $2) }
  }

  /// Whether something comes of letting it go on.
  var hasWork: Bool {
    switch fate {
    case nil: !orders.isEmpty || !news.isEmpty
    case .crashes, .vanishes: true
    case .hangs: !news.isEmpty
    }
  }

  /// It does what it was ordered, and up to so many bytes of what it says arrive; its end behind all of them.
  func speak(_ count: Int) {
    work()
    let piece = Array(news.prefix(count))
    news.removeFirst(piece.count)
    if !piece.isEmpty { owner?.received(piece) }
    guard isAlive, news.isEmpty, let fate, fate != .hangs else { return }
    isAlive = false
    owner?.ended("it crashed")
  }

  private func work() {
    guard fate == nil, !orders.isEmpty else { return }
    let given = orders
    orders = []
    do {
      if try unsafe engine.receive(given.span.bytes) != given.count { workers.complain("an order is cut off") }
    } catch { workers.complain("\(error)") }
    finishOrder()
  }

  private func begin(_ header: UInt32, _ order: Int, _ open: Header?) {
    finishOrder()
    guard fate == nil else { return }
    ordersBegun += 1
    active = open
    for delegate in open?.delegates ?? [] { (delegate as? Wayward)?.mayDie = true }
    running = WorkerFault(header: header, order: order, delegate: open?.delegates.isEmpty == false ? 0 : nil)
    doom?.orders -= 1
  }

  /// What came of an order joins what it says, unless it has died of it, or before.
  private func finishOrder() {
    let said = engine.takeOutput()
    guard fate == nil else { return }
    if let doom, doom.orders < 0 {
      fate = doom.fate
      news += said.prefix(doom.bytes)
      if doom.fate == .vanishes { running = nil }
    } else if let place = active?.delegates.firstIndex(where: { ($0 as? Wayward)?.hasDied ?? false }) {
      fate = .crashes
      running?.delegate = place
    } else {
      news += said
      running = nil
    }
  }

  // MARK: - What the host asks of it

  func send(_ bytes: [UInt8]) { if isAlive { orders += bytes } }

  func kill() { isAlive = false }
}
