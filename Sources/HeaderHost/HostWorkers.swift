// SPDX-License-Identifier: MIT
//
// The workers of one host, and what they have ended that the host has not seen yet.

internal import Fanout
public import HeaderCore

/// What workers say that the host has not seen yet.
enum WorkerNews {
  /// The input that a header was sent first of those under way is done; and why a delegate failed on the way.
  case ended(HeaderEntry, Result<HeaderOutcome, HeaderError>, failure: HeaderError?)
  /// A header goes on in a new epoch, which the journal does not know of yet.
  case restarted(HeaderEntry)
  /// No process has a header any more.
  case lost(HeaderEntry)
}

/// The processes that some of a host's headers are in.
final class HostWorkers {
  private unowned let host: HeaderHost
  private(set) var workers: [HostWorker] = []
  /// The plugin that is being reloaded, and the workers that a reload is about to replace.
  private var reloading: String?
  private var retired: [HostWorker] = []
  /// What the host has not seen yet.
  var news = Queue<WorkerNews>()
  /// Processes that have died.
  var deaths = 0
  /// How much plugins were called in processes that are gone.
  var pastUsage: [PluginUsageEntry] = []

  /// A header whose behaviors do once more what they have done before, and logged then.
  var repeating: String?

  init(_ host: HeaderHost) { self.host = host }

  /// Whether there are any.
  var isEmpty: Bool { workers.isEmpty }

  /// A worker with some plugins, as they are in a view, and room for a header.
  func worker(for plugins: [String], _ view: any ShardPlugins) throws(HeaderError) -> HostWorker {
    if let found = workers.first(where: { !$0.isRetired && $0.plugins == plugins && !$0.isFull }) { return found }
    let worker = try HostWorker(plugins, of: host, view)
    workers.append(worker)
    return worker
  }

  /// Takes in a worker that another one's headers have gone to.
  func add(_ worker: HostWorker) { workers.append(worker) }

  /// A reload begins: headers with a plugin go to new workers from now on.
  func retire(_ plugin: String) {
    retired = workers.filter { !$0.isRetired && $0.plugins.contains(plugin) }
    for worker in retired { worker.isRetired = true }
    reloading = plugin
  }

  /// The reload is dropped: the old workers are used again, and the new ones are not.
  func takeBack() {
    for worker in workers where reloading.map(worker.plugins.contains) ?? false { worker.isRetired = true }
    for worker in retired { worker.isRetired = false }
    endReload()
  }

  /// The reload is done.
  func endReload() { (reloading, retired) = (nil, []) }

  /// Lets go of workers that nobody needs.
  func clear() {
    for worker in workers where worker.count == 0 && worker.isRetired { worker.end() }
    workers.removeAll { $0.count == 0 && $0.isRetired }
  }

  /// Ends all of them.
  func end() {
    for worker in workers { worker.end() }
    workers = []
  }

  /// When to look after them; `.max`: not needed.
  var nextLook: Int64 { workers.reduce(.max) { min($0, $1.nextLook) } }

  /// Ends processes that do not get on.
  func look() { for worker in workers { worker.look() } }

  /// Hands all orders over.
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
  /// Processes.
  public var processes = 0
  /// Headers in them.
  public var headers = 0
  /// Processes that have died.
  public var deaths = 0

  /// With another shard's.
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
