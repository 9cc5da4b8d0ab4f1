// SPDX-License-Identifier: MIT
//
// What is around a service in a conversation: outputs that are kept, plugins that stay.

internal import Fanout
internal import Gateway
internal import HeaderCore
internal import HeaderHost
internal import HeaderModel
internal import HeaderService
internal import PluginHost

/// Keeps what is sent.
final class KeptOutput: ServiceOutput, ServiceLog {
  final class Pipe: Outbox {
    private var bytes: [UInt8] = []
    var isClosed = false
    var queuedBytes: Int { 0 }

    func send(_ sent: RawSpan) { unsafe sent.withUnsafeBytes { unsafe bytes += $0 } }

    func take() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
  }

  var pipes: [ConnectionID: Pipe] = [:]

  func pipe(_ id: ConnectionID) -> Pipe {
    if let pipe = pipes[id] { return pipe }
    let pipe = Pipe()
    pipes[id] = pipe
    return pipe
  }

  func output(of connection: ConnectionID) -> any Outbox { pipe(connection) }
  func close(_ connection: ConnectionID) { pipe(connection).isClosed = true }

  private(set) var lastLines: [String] = []
  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    lastLines = lastLines.suffix(7) + ["\(what) \(facts.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"]
  }
}

/// The loaded plugins, which nobody changes: unloading is refused, and a reload finds the same file.
final class FuzzPlugins: PluginControl, ShardPlugins {
  private let registry: PluginRegistry
  /// Where headers with plugins are; nil: here.
  let workers: FuzzWorkers?

  init(_ registry: PluginRegistry, in workers: FuzzWorkers? = nil) {
    self.registry = registry
    self.workers = workers
  }

  func isIsolated(_ behavior: String) -> Bool { workers != nil }
  func launch(_ plugins: [String]) throws(HeaderError) -> any WorkerLaunch {
    guard let workers else { throw HeaderError(.pluginRefused, "there are no processes") }
    return workers
  }

  func usage(reset: Bool) -> [PluginUsageEntry] { [] }
  func plugins(forShard index: Int) -> any ShardPlugins { self }
  func behavior(named name: String) -> BehaviorDescription? { registry.behavior(named: name) }
  var behaviorNames: [String] { registry.behaviorNames }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try registry.makeDelegate(behavior: behavior, name: name)
  }

  var loadedPlugins: [PluginEntry] { registry.plugins.map(entry) }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    guard let plugin = registry.plugin(named: name) else {
      throw HeaderError(.pluginNotFound, "there is no plugin \"\(name)\"", got: .text(name))
    }
    return entry(plugin)
  }
  func unloadPlugin(_ name: String) throws(HeaderError) {
    throw HeaderError(.pluginNotFound, "plugin \"\(name)\" stays", got: .text(name))
  }
  func isUnchanged(_ plugin: String) -> Bool { false }
  func reloadPlugin(_ name: String) throws(HeaderError) { _ = try loadPlugin(name) }
  func restorePlugin(_ name: String) {}

  private func entry(_ plugin: Plugin) -> PluginEntry {
    PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: "", behaviors: plugin.behaviors)
  }
}
