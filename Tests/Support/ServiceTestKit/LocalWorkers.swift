// SPDX-License-Identifier: MIT
//
// Processes for headers, without processes: each does what it was ordered at the end of a turn, or when the test says so.

internal import Clocks
package import HeaderCore
package import HeaderHost
internal import HeaderModel
package import HeaderWorker

/// The processes of one daemon.
package final class LocalWorkers {
  package private(set) var started: [LocalWorker] = []
  /// They do nothing before the test says so.
  package var areSlow = false

  fileprivate func start(_ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner) -> LocalWorker {
    let worker = LocalWorker(plugins, for: owner)
    started.append(worker)
    return worker
  }

  /// All that live do what they were ordered.
  /// - Returns: whether there was anything to do.
  @discardableResult package func work() -> Bool {
    started.map { $0.work() }.contains(true)
  }
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
  private weak var owner: (any WorkerProcessOwner)?
  private let engine: WorkerEngine
  private var orders: [UInt8] = []
  /// It begins with its next order and does not come to an end.
  package var hangs = false
  private var isStuck = false
  package private(set) var isAlive = true
  package private(set) var ordersBegun: UInt = 0
  package var running: WorkerFault? { nil }
  package var usage: [PluginUsageEntry] { [] }

  fileprivate init(_ plugins: any BehaviorProvider, for owner: any WorkerProcessOwner) {
    self.owner = owner
    engine = WorkerEngine(provider: plugins, limits: Limits())
    engine.willApply = { [unowned self] _, _, _ in ordersBegun += 1 }
  }

  package func send(_ bytes: [UInt8]) { orders += bytes }
  package func kill() { isAlive = false }

  fileprivate func work() -> Bool {
    guard isAlive, !orders.isEmpty, !isStuck else { return false }
    let given = orders
    orders = []
    ordersBegun += hangs ? 1 : 0
    isStuck = hangs
    guard !hangs else { return false }
    let read = try? unsafe engine.receive(given.span.bytes)
    precondition(read == given.count, "orders come whole")
    owner?.received(engine.takeOutput())
    return true
  }
}
