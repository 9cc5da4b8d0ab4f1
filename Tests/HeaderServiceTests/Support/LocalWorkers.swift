// SPDX-License-Identifier: MIT
//
// Processes for headers, without processes: each does what it was ordered when the test says so, or when the host waits for it.

import HeaderCore
import HeaderHost
import HeaderWorker

/// The processes of one daemon.
final class LocalWorkers {
  private(set) var started: [LocalWorker] = []
  /// How often somebody waited for one that had nothing to do.
  fileprivate(set) var vainWaits = 0
  fileprivate var clock: Int64 = 0

  fileprivate func start(_ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner) -> LocalWorker {
    let worker = LocalWorker(plugins, for: owner, of: self)
    started.append(worker)
    return worker
  }

  /// All that live do what they were ordered.
  func work() { for worker in started { worker.work() } }
}

/// Starts processes with the plugins of a daemon.
final class LocalLaunch: WorkerLaunch {
  let deadline: Int64 = 1_000_000_000
  let headers = 4
  private let plugins: any BehaviorProvider
  private let workers: LocalWorkers

  init(_ plugins: any BehaviorProvider, in workers: LocalWorkers) { (self.plugins, self.workers) = (plugins, workers) }

  func start(for owner: any WorkerProcessOwner) -> any WorkerProcess { workers.start(plugins, for: owner) }
}

final class LocalWorker: WorkerProcess {
  private unowned let workers: LocalWorkers
  private weak var owner: (any WorkerProcessOwner)?
  private let engine: WorkerEngine
  private var orders: [UInt8] = []
  /// It begins with its next order and does not come to an end.
  var hangs = false
  private(set) var isAlive = true
  private(set) var ordersBegun: UInt = 0
  var now: Int64 { workers.clock }
  var running: WorkerFault? { nil }

  fileprivate init(
    _ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner, of workers: LocalWorkers
  ) {
    (self.owner, self.workers) = (owner, workers)
    engine = WorkerEngine(provider: plugins, limits: Limits())
    engine.willApply = { [unowned self] _, _, _ in ordersBegun += 1 }
  }

  func send(_ bytes: [UInt8]) { orders += bytes }
  func kill() { isAlive = false }

  func work() {
    guard isAlive, !orders.isEmpty else { return }
    let given = orders
    orders = []
    if hangs { return ordersBegun += 1 }
    let read = try? unsafe engine.receive(given.span.bytes)
    precondition(read == given.count, "orders come whole")
    owner?.received(engine.takeOutput())
  }

  func wait(nanoseconds: Int64) -> Bool {
    guard isAlive, !orders.isEmpty, !hangs else {
      workers.vainWaits += 1
      workers.clock += nanoseconds
      return false
    }
    work()
    return true
  }
}
