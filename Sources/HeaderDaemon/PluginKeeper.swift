// SPDX-License-Identifier: MIT
//
// The service's view of the plugins: PluginHost's registry behind the service's own protocol, and the old copies of
// those that were just reloaded, in case a header does not take the new one.

internal import HeaderCore
internal import HeaderService
internal import PluginHost

/// Keeps the plugins for the service.
final class PluginKeeper: PluginControl {
  let registry: PluginRegistry
  /// Called when another set of plugins, or another file of one, is loaded.
  var changed: (() -> Void)?
  private var replaced: [String: Plugin] = [:]

  init(folders: [String], threads: Int = 1) { registry = PluginRegistry(folders: folders, threads: threads) }

  func behavior(named name: String) -> BehaviorDescription? { registry.behavior(named: name) }
  var behaviorNames: [String] { registry.behaviorNames }

  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try registry.makeDelegate(behavior: behavior, name: name)
  }

  var loadedPlugins: [PluginEntry] { registry.plugins.map(Self.entry) }

  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let plugin = try registry.load(name)
    changed?()
    return Self.entry(plugin)
  }

  func unloadPlugin(_ name: String) throws(HeaderError) {
    try registry.unload(name)
    changed?()
  }

  func isUnchanged(_ plugin: String) -> Bool { registry.isUnchanged(plugin) }

  func reloadPlugin(_ name: String) throws(HeaderError) {
    replaced[name] = try registry.reload(name).old
    changed?()
  }

  func restorePlugin(_ name: String) {
    if let old = replaced.removeValue(forKey: name) { registry.restore(old) }
  }

  /// How often plugins were called and how long they took, for `stats`.
  func statistics(reset: Bool) -> Value {
    var record = Value.Record()
    for plugin in registry.plugins {
      record[plugin.name] = [
        "calls": .number(Double(plugin.usages.reduce(0) { $0 + $1.calls })),
        "time": .number(plugin.usages.reduce(0) { $0 + $1.seconds }),
      ]
      if reset { for usage in plugin.usages { usage.reset() } }
    }
    return .record(record)
  }

  private static func entry(_ plugin: Plugin) -> PluginEntry {
    PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: plugin.path, behaviors: plugin.behaviors)
  }
}

/// The plugins as the service of one of several threads sees them. Any thread may make delegates; what changes the plugins is
/// done while all other threads stand still (World.swift).
final class ThreadPlugins: PluginControl {
  private let keeper: PluginKeeper
  private let thread: Int

  init(_ keeper: PluginKeeper, thread: Int) {
    self.keeper = keeper
    self.thread = thread
  }

  func behavior(named name: String) -> BehaviorDescription? { keeper.behavior(named: name) }
  var behaviorNames: [String] { keeper.behaviorNames }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try keeper.registry.makeDelegate(behavior: behavior, name: name, thread: thread)
  }

  var loadedPlugins: [PluginEntry] { keeper.loadedPlugins }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry { try keeper.loadPlugin(name) }
  func unloadPlugin(_ name: String) throws(HeaderError) { try keeper.unloadPlugin(name) }
  func isUnchanged(_ plugin: String) -> Bool { keeper.isUnchanged(plugin) }
  func reloadPlugin(_ name: String) throws(HeaderError) { try keeper.reloadPlugin(name) }
  func restorePlugin(_ name: String) { keeper.restorePlugin(name) }
}
