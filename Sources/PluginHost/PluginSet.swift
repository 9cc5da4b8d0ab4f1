// SPDX-License-Identifier: MIT

public import HeaderCore
public import HeaderModel

/// A list of loaded plugins and the behaviors that they offer, as the headers of one thread see them.
public final class PluginSet: BehaviorProvider {
  /// The plugins, in the order of loading.
  public let plugins: [Plugin]
  /// Options of their behaviors under names.
  public let presets: [Preset]
  private let thread: Int
  private let log: (any PluginLog)?

  /// - Parameters:
  ///   - thread: the thread of the headers that use the set, from 0: calls are counted by thread.
  ///   - log: writes what the behaviors log; nil: it is dropped.
  public init(_ plugins: [Plugin], presets: [Preset] = [], thread: Int, log: (any PluginLog)? = nil) {
    self.plugins = plugins
    self.presets = presets
    self.thread = thread
    self.log = log
  }

  /// The behavior of a name.
  public func behavior(named name: String) -> BehaviorDescription? { place(of: name).map { $0.0.behaviors[$0.1] } }

  /// The names of all behaviors, sorted.
  public var behaviorNames: [String] { plugins.flatMap { $0.behaviors.map(\.name) }.sorted() }

  /// A new instance of a behavior.
  public func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    guard let (plugin, index) = place(of: behavior) else {
      throw .behaviorNotFound(behavior, known: behaviorNames, at: Path("behavior"))
    }
    if plugin.isolatedFile != nil { return ScrollDelegate(name: name, sharing: plugin.shared[index]) }
    return try PluginDelegate(name: name, plugin: plugin, behavior: index, thread: thread, log: log)
  }

  /// Whether a behavior's plugin is not loaded here, so that its delegates do nothing.
  public func isIsolated(_ behavior: String) -> Bool { place(of: behavior)?.0.isolatedFile != nil }

  /// The files of plugins, as they are loaded.
  /// - Throws: `pluginRefused`: the file of one that is loaded here holds something else by now.
  public func files(of names: [String]) throws(HeaderError) -> [PluginFile] {
    var files: [PluginFile] = []
    for plugin in plugins where names.contains(plugin.name) {
      if let file = plugin.isolatedFile {
        files.append(file)
      } else {
        files.append(
          try PluginFile(plugin.path, ownership: .ofThisProcess, content: plugin.content))
      }
    }
    return files
  }

  /// How much each plugin was called on the thread since the last reset.
  public func usage(reset: Bool) -> [(plugin: String, calls: Int, samples: Histogram)] {
    plugins.map { plugin in
      let usage = plugin.usages[thread]
      defer { if reset { usage.reset() } }
      return (plugin.name, usage.calls, usage.samples)
    }
  }

  private func place(of behavior: String) -> (Plugin, Int)? {
    for plugin in plugins {
      if let index = plugin.behaviors.firstIndex(where: { $0.name == behavior }) { return (plugin, index) }
    }
    return nil
  }
}
