// SPDX-License-Identifier: MIT
//
// Processes for headers, without processes: each does what it was ordered when the test says so, or when the host waits for it.

package import HeaderCore
package import HeaderHost
package import HeaderWorker

/// The processes of one daemon.
package final class LocalWorkers {
  package private(set) var started: [LocalWorker] = []
  /// How often somebody waited for one that had nothing to do.
  package fileprivate(set) var vainWaits = 0
  fileprivate var clock: Int64 = 0

  fileprivate func start(_ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner) -> LocalWorker {
    let worker = LocalWorker(plugins, for: owner, of: self)
    started.append(worker)
    return worker
  }

  /// All that live do what they were ordered.
  package func work() { for worker in started { worker.work() } }
}

/// Starts processes with the plugins of a daemon.
package final class LocalLaunch: WorkerLaunch {
  package let deadline: Int64 = 1_000_000_000
  package let headers = 4
  private let plugins: any BehaviorProvider
  private let workers: LocalWorkers

  package init(_ plugins: any BehaviorProvider, in workers: LocalWorkers) {
    (self.plugins, self.workers) = (plugins, workers)
  }

  package func start(for owner: any WorkerProcessOwner) -> any WorkerProcess { workers.start(plugins, for: owner) }
}

package final class LocalWorker: WorkerProcess {
  private unowned let workers: LocalWorkers
  private weak var owner: (any WorkerProcessOwner)?
  private let engine: WorkerEngine
  private var orders: [UInt8] = []
  /// It begins with its next order and does not come to an end.
  package var hangs = false
  package private(set) var isAlive = true
  package private(set) var ordersBegun: UInt = 0
  package var now: Int64 { workers.clock }
  package var running: WorkerFault? { nil }

  fileprivate init(
    _ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner, of workers: LocalWorkers
  ) {
    (self.owner, self.workers) = (owner, workers)
    engine = WorkerEngine(provider: plugins, limits: Limits())
    engine.willApply = { [unowned self] _, _, _ in ordersBegun += 1 }
  }

  package func send(_ bytes: [UInt8]) { orders += bytes }
  package func kill() { isAlive = false }

  package func work() {
    guard isAlive, !orders.isEmpty else { return }
    let given = orders
    orders = []
    if hangs { return ordersBegun += 1 }
    let read = try? unsafe engine.receive(given.span.bytes)
    precondition(read == given.count, "orders come whole")
    owner?.received(engine.takeOutput())
  }

  package func wait(nanoseconds: Int64) -> Bool {
    guard isAlive, !orders.isEmpty, !hangs else {
      workers.vainWaits += 1
      workers.clock += nanoseconds
      return false
    }
    work()
    return true
  }
}
