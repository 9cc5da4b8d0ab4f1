// SPDX-License-Identifier: MIT
//
// The hosts' interface to the plugins. One thread loads and unloads them; each shard has a view of its own, which it replaces between two
// commands.

public import HeaderCore
public import HeaderModel

/// A loaded plugin, as `plugin.list` shows it.
public struct PluginEntry: Equatable, Sendable {
  /// Its name, UpperCamelCase: its file's name without `lib` and `.so`.
  public var plugin: String
  /// The plugin's own version, as it states it.
  public var version: String
  /// The version of the plugin boundary that it was made for: `1.0`.
  public var abi: String
  /// The file that it was loaded from.
  public var path: String
  /// `loaded`, or `isolated`: its headers are in other processes.
  public var state: String
  /// The behaviors that the plugin offers.
  public var behaviors: [BehaviorDescription]

  /// A plugin as its keeper shows it.
  public init(
    plugin: String, version: String, abi: String, path: String, state: String = "loaded",
    behaviors: [BehaviorDescription]
  ) {
    self.plugin = plugin
    self.version = version
    self.abi = abi
    self.path = path
    self.state = state
    self.behaviors = behaviors
  }
}

/// How much a plugin was called on one thread, or in one process.
public struct PluginUsageEntry: Sendable {
  /// The plugin's name.
  public var plugin: String
  /// Calls of the plugin's functions.
  public var calls: Int
  /// Seconds that were spent in the calls.
  public var seconds: Double
  /// How long the calls took that were timed.
  public var samples: Histogram

  /// Creates the usage of one plugin; the seconds are estimated from the calls that were timed.
  public init(plugin: String, calls: Int, samples: Histogram) {
    self.samples = samples
    self.plugin = plugin
    self.calls = calls
    seconds = samples.count > 0 ? Double(samples.sum) / Double(samples.count) * Double(calls) / 1e9 : 0
  }

  /// Adds the usage that another thread counted.
  public static func += (left: inout PluginUsageEntry, right: PluginUsageEntry) {
    left.calls += right.calls
    left.seconds += right.seconds
    left.samples += right.samples
  }

  /// The usage since an earlier moment.
  func since(_ earlier: PluginUsageEntry) -> PluginUsageEntry {
    var samples = self.samples
    samples -= earlier.samples
    return PluginUsageEntry(plugin: plugin, calls: max(0, calls - earlier.calls), samples: samples)
  }
}

extension [PluginUsageEntry] {
  /// Adds usage that was counted elsewhere, plugin by plugin.
  public mutating func add(_ more: [PluginUsageEntry]) {
    for usage in more {
      if let index = firstIndex(where: { $0.plugin == usage.plugin }) {
        self[index] += usage
      } else {
        append(usage)
      }
    }
  }
}

/// The plugins as one shard sees them.
public protocol ShardPlugins: BehaviorProvider {
  /// How much each was called on this shard's thread; asked to reset, the counts begin at zero.
  func usage(reset: Bool) -> [PluginUsageEntry]
  /// Whether a behavior's plugin is not in this process, so that its headers are in others.
  func isIsolated(_ behavior: String) -> Bool
  /// A way to start processes with plugins as they are in this view.
  /// - Throws: `pluginRefused`: the file of one cannot be had any more.
  func launch(_ plugins: [String]) throws(HeaderError) -> any WorkerLaunch
}

extension ShardPlugins {
  /// The plugins of a chain, sorted, if its header has to be in a process; else nil.
  /// - Parameter more: a behavior that is to join the chain.
  public func isolating(_ description: HeaderDescription, and more: String? = nil) -> [String]? {
    let behaviors =
      description.delegates.compactMap { $0.client == nil ? $0.behavior : nil } + (more.map { [$0] } ?? [])
    guard behaviors.contains(where: { isIsolated($0) }) else { return nil }
    return Set(behaviors.compactMap { behavior(named: $0)?.plugin }).sorted()
  }
}

/// A view of the plugins on its way to its shard. Sendable, because the sender keeps no reference to it.
public struct PluginHandover: @unchecked Sendable {
  let plugins: any ShardPlugins

  /// Hands a view over; the caller keeps no reference.
  public init(_ plugins: any ShardPlugins) { self.plugins = plugins }
}

/// The owner of the plugins, on one thread.
public protocol PluginControl: AnyObject {
  /// The loaded plugins, in the order of loading.
  var loadedPlugins: [PluginEntry] { get }
  /// A new view of the loaded plugins, for one shard.
  func plugins(forShard index: Int) -> any ShardPlugins
  /// Loads a plugin by name, or gives the one that is loaded.
  /// - Throws: `pluginNotFound`, `pluginRefused`.
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry
  /// Removes a plugin's behaviors. Live instances keep working until their headers release them.
  /// - Throws: `pluginNotFound`.
  func unloadPlugin(_ name: String) throws(HeaderError)
  /// Whether the file of a loaded plugin still has the loaded content, so that there is nothing to reload.
  func isUnchanged(_ plugin: String) -> Bool
  /// Loads a plugin's file anew; from now on its behaviors are the fresh copy's.
  /// - Throws: `pluginNotFound`, `pluginRefused`; the old one then stays as it is.
  func reloadPlugin(_ name: String) throws(HeaderError)
  /// Takes the latest `reloadPlugin` or `unloadPlugin` of a plugin back.
  func restorePlugin(_ name: String)
}
