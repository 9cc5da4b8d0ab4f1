// SPDX-License-Identifier: MIT
//
// The workers of one host, and their completed orders that the host has not seen yet.

internal import Clocks
internal import Fanout
public import HeaderModel
internal import HeaderWorker

/// What workers say that the host has not seen yet.
enum WorkerEvent {
  /// Of the orders that a header has, the first is done; and why a delegate failed on the way.
  case ended(RemoteEngine, Result<RemoteOutcome, HeaderError>, failure: HeaderError?)
  /// A header continues in a new epoch, which the journal does not know yet.
  case restarted(HeaderEntry)
  /// No process has a header any more.
  case lost(RemoteEngine, HeaderError)
}

/// The processes that some of a host's headers are in.
final class HostWorkers {
  private unowned let host: HeaderHost
  private(set) var workers: [HostWorker] = []
  /// Events that the host has not seen yet.
  var events = Queue<WorkerEvent>()
  /// Processes that have died.
  var deaths = 0
  /// Calls of plugins in processes that have ended.
  var pastUsage: [PluginUsageEntry] = []
  /// Headers whose behaviors repeat calls that were logged the first time.
  var repeating: Set<String> = []

  init(_ host: HeaderHost) { self.host = host }

  var isEmpty: Bool { workers.isEmpty }

  /// Opens a header in a worker with some plugins, as they are in a view.
  /// - Parameter isNext: the view is that of a reload that is under way.
  func open(
    _ description: HeaderDescription, epoch: Int64, from saved: Value?, with plugins: [String],
    _ view: any ShardPlugins, isNext: Bool = false
  ) throws(HeaderError) -> RemoteEngine {
    let found = workers.first { $0.plugins == plugins && !$0.isRetired && !$0.isFull && $0.isNext == isNext }
    if let found { return try found.open(description, epoch: epoch, from: saved) }
    let worker = try HostWorker(plugins, of: host, view, isNext: isNext)
    workers.append(worker)
    return try worker.open(description, epoch: epoch, from: saved)
  }

  /// Takes in a worker that another one's headers have gone to.
  func add(_ worker: HostWorker) { workers.append(worker) }

  /// A reload of a plugin is committed: the workers of its view take the places of those with the old code. Or it is dropped.
  func endReload(of plugin: String? = nil) {
    for worker in workers {
      if worker.isNext {
        worker.isRetired = worker.isRetired || plugin == nil
      } else if let plugin {
        worker.isRetired = worker.isRetired || worker.plugins.contains(plugin)
      }
      worker.isNext = false
    }
  }

  /// Drops workers without headers that take no new ones.
  func clear() {
    for worker in workers where worker.count == 0 && worker.isRetired { worker.end() }
    workers.removeAll { $0.count == 0 && $0.isRetired }
  }

  func end() {
    for worker in workers { worker.end() }
    workers = []
  }

  /// When to look after them; `.max`: not needed.
  var nextLook: MonotonicTime { workers.reduce(.max) { min($0, $1.nextLook) } }

  /// Ends processes that do not get on.
  func look() { for worker in workers { worker.look() } }

  func flush() { for worker in workers { worker.flush() } }

  /// How much plugins were called in processes since the last reset.
  func usage(reset: Bool) -> [PluginUsageEntry] {
    var usage = pastUsage
    for worker in workers { usage.add(worker.usage(reset: reset)) }
    if reset { pastUsage = [] }
    return usage
  }

  /// What `stats` says; nil: there are none.
  var statistics: WorkerStatistics? {
    guard !workers.isEmpty || deaths > 0 else { return nil }
    return WorkerStatistics(processes: workers.count, headers: workers.reduce(0) { $0 + $1.count }, deaths: deaths)
  }
}

/// What `stats` says of one shard's workers.
public struct WorkerStatistics: Sendable {
  /// Running processes.
  public var processes = 0
  /// Headers whose engines are in processes.
  public var headers = 0
  /// Processes that have died.
  public var deaths = 0

  /// Adds another shard's counts.
  public static func + (left: WorkerStatistics, right: WorkerStatistics) -> WorkerStatistics {
    WorkerStatistics(
      processes: left.processes + right.processes, headers: left.headers + right.headers,
      deaths: left.deaths + right.deaths)
  }

  /// As `stats` has it.
  public var value: Value {
    [
      "processes": .number(Double(processes)), "headers": .number(Double(headers)),
      "deaths": .number(Double(deaths)),
    ]
  }
}
