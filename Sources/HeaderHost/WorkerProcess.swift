// SPDX-License-Identifier: MIT
//
// The hosts' interface to processes for headers with isolated plugins.

public import HeaderModel
public import HeaderWorker

/// Starts processes with the same plugins, one after the other.
public protocol WorkerLaunch: AnyObject {
  /// How long an input may take, nanoseconds; `.max`: any time.
  var deadline: Int64 { get }
  /// How many headers a process has at most.
  var headers: Int { get }
  /// Starts a process.
  /// - Parameter owner: receives the process's messages; not retained.
  /// - Throws: `behaviorFailed`: why there is none.
  func start(for owner: any WorkerProcessOwner) throws(HeaderError) -> any WorkerProcess
}

/// A process with plugins and headers. Letting go of it ends it.
public protocol WorkerProcess: AnyObject {
  /// Sends it bytes. Never blocks.
  func send(_ bytes: [UInt8])
  /// Ends it; `ended` is not called.
  func kill()
  /// How many orders it has begun. The process makes progress as long as this changes.
  var ordersBegun: UInt { get }
  /// The call that it is in, or was in when it died; nil: no plugin is involved.
  var running: WorkerFault? { get }
  /// How much its plugins were called.
  var usage: [PluginUsageEntry] { get }
}

/// The owner of a process.
public protocol WorkerProcessOwner: AnyObject {
  /// The process has sent bytes.
  func received(_ bytes: [UInt8])
  /// The process has ended, and not by `kill`.
  func ended(_ reason: String)
}
