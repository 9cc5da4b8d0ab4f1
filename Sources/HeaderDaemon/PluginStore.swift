// SPDX-License-Identifier: MIT
//
// The services' view of the plugins: PluginHost's registry on the first thread, and for each shard a list of the plugins that
// it sees; with the old copies of those that were just reloaded, in case a header does not take the new one.

internal import EventLoop
internal import HeaderConfig
internal import HeaderCore
internal import HeaderHost
internal import HeaderModel
internal import Installation
internal import PluginHost

/// Keeps the plugins, on the first thread.
final class PluginStore: PluginControl {
  let registry: PluginRegistry
  /// Called when another set of plugins, or another file of one, is loaded.
  var changed: (() -> Void)?
  /// Where each thread has processes started.
  let places: WorkerSpawners
  private var replaced: [String: Plugin] = [:]
  private let trial: PluginTrialProcess

  /// - Parameter log: writes what behaviors log and processes print; nil: the first is dropped, the second goes to stderr.
  init(_ config: Config, _ surroundings: Surroundings, threads: Int = 1, log: DaemonLog? = nil) {
    registry = PluginRegistry(folders: surroundings.pluginFolders(config), threads: threads, log: log)
    places = WorkerSpawners(config)
    trial = PluginTrialProcess(config.plugins, executable: surroundings.executable, log: log)
    registry.trial = trial
  }

  /// Uses another config for plugins that are loaded, and processes that start, from now on.
  func use(_ config: Config, _ surroundings: Surroundings) {
    registry.folders = surroundings.pluginFolders(config)
    trial.settings = config.plugins
    places.config = config
  }

  var loadedPlugins: [PluginEntry] { registry.plugins.map(Self.entry) }

  func plugins(forShard index: Int) -> any ShardPlugins {
    LoadedPlugins(registry.set(forThread: index), trial.program, at: places, shard: index)
  }

  /// Opens headers of a config for trial in processes; nil: none can be started.
  func makeTrial(_ config: Config) -> IsolatedTrial? {
    guard let loop = try? Loop() else { return nil }
    let place = WorkerSpawners(config)
    place.all = [WorkerSpawner(on: loop, log: nil) {}]
    return IsolatedTrial(LoadedPlugins(registry.set(forThread: 0), trial.program, at: place, shard: 0), on: loop)
  }

  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let plugin = try registry.load(name)
    changed?()
    return Self.entry(plugin)
  }

  func unloadPlugin(_ name: String) throws(HeaderError) {
    replaced[name] = try registry.unload(name)
    changed?()
  }

  func isUnchanged(_ plugin: String) -> Bool { registry.isUnchanged(plugin) }

  func reloadPlugin(_ name: String) throws(HeaderError) {
    replaced[name] = try registry.reload(name).old
    changed?()
  }

  func restorePlugin(_ name: String) {
    guard let old = replaced.removeValue(forKey: name) else { return }
    registry.restore(old)
    changed?()
  }

  private static func entry(_ plugin: Plugin) -> PluginEntry {
    PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: plugin.path,
      state: plugin.isIsolated ? "isolated" : "loaded", behaviors: plugin.behaviors)
  }
}

/// The plugins as one shard sees them.
final class LoadedPlugins: ShardPlugins {
  private let plugins: PluginSet
  private let program: String?
  private let places: WorkerSpawners
  private let shard: Int

  init(_ plugins: PluginSet, _ program: String?, at places: WorkerSpawners, shard: Int) {
    self.plugins = plugins
    self.program = program
    self.places = places
    self.shard = shard
  }

  func isIsolated(_ behavior: String) -> Bool { plugins.isIsolated(behavior) }

  func launch(_ names: [String]) throws(HeaderError) -> any WorkerLaunch {
    guard let program, places.all.indices.contains(shard) else {
      throw HeaderError(.pluginRefused, "it cannot be started in a process: nobody knows where headerd-worker lies")
    }
    return WorkerProgram(try plugins.files(of: names), program, places.config, at: places.all[shard])
  }

  func behavior(named name: String) -> BehaviorDescription? { plugins.behavior(named: name) }
  var behaviorNames: [String] { plugins.behaviorNames }
  var presets: [Preset] { plugins.presets }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try plugins.makeDelegate(behavior: behavior, name: name)
  }
  func usage(reset: Bool) -> [PluginUsageEntry] {
    plugins.usage(reset: reset).map {
      PluginUsageEntry(plugin: $0.plugin, calls: $0.calls, samples: $0.samples)
    }
  }
}
