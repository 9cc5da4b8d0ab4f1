// SPDX-License-Identifier: MIT
//
// The loaded plugins and their behaviors. Plugins are found by name in configured folders, never by a client's path.
// Reload maps a fresh copy of a file whose content changed and offers the new behaviors from then on; the owner of
// instances of the old code moves them over or keeps them.

public import HeaderCore
public import HeaderModel
public import Posix

/// How a plugin is kept apart from this process.
public enum PluginIsolation: Sendable {
  /// It is loaded into this process.
  case none
  /// It is loaded into this process after a trial in another one.
  case trial
  /// It is never loaded here: its headers are in other processes.
  case process
}

/// Tries plugins in another process.
public protocol PluginTrial: AnyObject {
  /// How a plugin is kept apart, by its file.
  func isolation(of path: String) -> PluginIsolation
  /// Tries a file.
  /// - Throws: `pluginRefused`: what is wrong with it.
  func tryPlugin(at path: String) throws(HeaderError) -> DescribedPlugin
}

/// The loaded plugins, by name and in the order of loading.
public final class PluginRegistry: BehaviorProvider {
  /// Where plugins are looked for, first folder first.
  public var folders: [String]
  private let ownership: PluginOwnership
  /// The calls into plugins that each thread is in. Plugins are loaded on the first one.
  public let calls: [PluginCalls]
  private let images: MappedImages
  private let log: (any PluginLog)?
  /// The loaded plugins, in the order of loading.
  public private(set) var plugins: [Plugin] = []
  /// Options of behaviors under names, sorted.
  public var presets: [Preset] = []
  /// Has files tried before they are loaded; nil: none is.
  public var trial: (any PluginTrial)?
  /// Descriptions of the files that have passed a trial, by their content.
  private var tried: [UInt64: DescribedPlugin] = [:]
  /// Creates a registry without plugins.
  /// - Parameters:
  ///   - ownership: the users who may own the files.
  ///   - threads: how many threads have headers.
  ///   - copies: how many different contents of files may be mapped; none is ever unmapped.
  ///   - log: writes what the behaviors of `set(forThread:)` log; nil: it is dropped.
  ///   - page: where calls are marked for another process; nil: no other process sees them.
  public init(
    folders: [String], ownership: PluginOwnership = .ofThisProcess, threads: Int = 1, copies: Int = 1_000,
    log: (any PluginLog)? = nil, marks page: SharedPage? = nil
  ) {
    self.log = log
    self.folders = folders
    self.ownership = ownership
    calls = page.map { [PluginCalls(on: $0)] } ?? (0..<max(1, threads)).map { _ in PluginCalls() }
    images = MappedImages(max: copies)
  }

  // MARK: Behaviors

  /// The behavior of a name.
  public func behavior(named name: String) -> BehaviorDescription? { current.behavior(named: name) }

  /// The names of all behaviors, sorted.
  public var behaviorNames: [String] { current.behaviorNames }

  /// Makes an instance of a behavior for a trial or a replay. What it logs is dropped.
  public func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try current.makeDelegate(behavior: behavior, name: name)
  }

  /// What is loaded now, for the headers of one of several threads, from 0. It stays as it is when plugins change.
  public func set(forThread thread: Int) -> PluginSet {
    PluginSet(plugins, presets: presets, thread: thread, log: log)
  }

  private var current: PluginSet { PluginSet(plugins, thread: 0) }

  // MARK: Loading

  /// A loaded plugin by name.
  public func plugin(named name: String) -> Plugin? { plugins.first { $0.name == name } }

  /// The names of the plugins that lie in the folders, loaded or not, sorted.
  public var available: [String] {
    var names = Set<String>()
    for folder in folders {
      let files = (try? Posix.names(inFolder: folder)) ?? []
      for file in files where file.hasPrefix("lib") && file.hasSuffix(".so") {
        let name = Plugin.name(ofFile: file)
        if Names.isName(name) { names.insert(name) }
      }
    }
    return names.sorted()
  }

  /// Loads a plugin by name; a plugin that is loaded already is returned as it is.
  /// - Throws: `pluginNotFound`, `pluginRefused`, `limitExceeded`.
  @discardableResult
  public func load(_ name: String) throws(HeaderError) -> Plugin {
    if let present = plugin(named: name) { return present }
    return try add(try read(try path(of: name)))
  }

  /// Loads a plugin from a copy of its file that was handed to this process (`PluginFile.descriptor`).
  /// - Throws: `pluginRefused`.
  public func load(_ name: String, from copy: Int32) throws(HeaderError) {
    _ = try add(try makePlugin("lib\(name).so", copy, content: UInt64(copy)))
  }

  /// Loads a plugin from a copy of its file.
  /// - Throws: `pluginRefused`.
  public func load(_ file: PluginFile) throws(HeaderError) -> Plugin {
    try add(try makePlugin(file.path, file.descriptor, content: file.content))
  }

  private func add(_ plugin: Plugin) throws(HeaderError) -> Plugin {
    try checkNames(of: plugin, replacing: nil)
    plugins.append(plugin)
    return plugin
  }

  private func makePlugin(_ path: String, _ copy: Int32, content: UInt64) throws(HeaderError) -> Plugin {
    let differences = SharedLayout.differences
    precondition(differences.isEmpty, "headerd bug: records and header_plugin.h differ: \(differences)")
    return try Plugin(path: path, copy: copy, content: content, images: images, threads: calls)
  }

  /// Maps a plugin's file, if its content is new, and offers its behaviors from now on. On failure the old one stays as it is.
  /// - Returns: the old plugin and the new one.
  /// - Throws: `pluginNotFound`, `pluginRefused`, `limitExceeded`.
  public func reload(_ name: String) throws(HeaderError) -> (old: Plugin, new: Plugin) {
    guard let index = plugins.firstIndex(where: { $0.name == name }) else { throw notLoaded(name) }
    let fresh = try read(try path(of: name))
    try checkNames(of: fresh, replacing: index)
    let old = plugins[index]
    plugins[index] = fresh
    return (old, fresh)
  }

  /// The file that a reload would load, nil when there is none at the moment, or no such plugin is loaded. A file in a
  /// later folder does not count while the loaded one is missing: a build that removes its output first is not done.
  public func reloadableFile(of name: String) -> String? {
    guard let plugin = plugin(named: name), let path = try? path(of: name) else { return nil }
    let paths = folders.map { "\($0)/lib\(name).so" }
    guard let present = paths.firstIndex(of: plugin.path), let next = paths.firstIndex(of: path) else { return path }
    return next <= present ? path : nil
  }

  /// Whether a plugin is loaded and its file, where a reload would look for it, holds what is loaded.
  public func isUnchanged(_ name: String) -> Bool {
    guard let plugin = plugin(named: name), let path = try? path(of: name) else { return false }
    return LoadedLibrary.content(of: path) == plugin.content
  }

  /// Whether a reload would find another content than what is loaded.
  public func fileIsNew(of name: String) -> Bool {
    guard let plugin = plugin(named: name), let path = reloadableFile(of: name) else { return false }
    return LoadedLibrary.content(of: path).map { $0 != plugin.content } ?? false
  }

  /// Puts a plugin back that a reload replaced or an unload took out.
  public func restore(_ old: Plugin) {
    if let index = plugins.firstIndex(where: { $0.name == old.name }) {
      plugins[index] = old
    } else {
      plugins.append(old)
    }
  }

  /// Removes a plugin's behaviors. Live instances keep working until their headers release them.
  /// - Throws: `pluginNotFound`.
  @discardableResult
  public func unload(_ name: String) throws(HeaderError) -> Plugin {
    guard let index = plugins.firstIndex(where: { $0.name == name }) else { throw notLoaded(name) }
    return plugins.remove(at: index)
  }

  private func notLoaded(_ name: String) -> HeaderError {
    let known = plugins.map(\.name)
    let listed = known.isEmpty ? "none is loaded" : "loaded are \(known.joined(separator: ", "))"
    return HeaderError(
      .pluginNotFound, "plugin \"\(name)\" is not loaded; \(listed)", got: .text(name),
      hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" })
  }

  private func read(_ path: String) throws(HeaderError) -> Plugin {
    let isolation = trial?.isolation(of: path) ?? .none
    let described = isolation == .none ? nil : try haveTried(path)
    let file = try PluginFile(path, ownership: ownership, content: described?.content)
    if isolation == .process, let described { return Plugin(described, file, threads: calls) }
    // The file's end closes the copy.
    defer { withExtendedLifetime(file) {} }
    return try makePlugin(path, file.descriptor, content: file.content)
  }

  /// Tries a file, unless its content has passed before.
  /// - Returns: the description of the content that passed, which alone may be loaded; nil: there is no file.
  private func haveTried(_ path: String) throws(HeaderError) -> DescribedPlugin? {
    guard let trial, let content = LoadedLibrary.content(of: path) else { return nil }
    if let known = tried[content] { return known }
    let described = try trial.tryPlugin(at: path)
    guard described.content == content else { throw .changed(path) }
    guard described.name == Plugin.name(ofFile: path) else {
      throw .refused(path, check: "table", "it calls itself \"\(described.name)\"")
    }
    tried[content] = described
    return described
  }

  private func checkNames(of plugin: Plugin, replacing: Int?) throws(HeaderError) {
    for (index, other) in plugins.enumerated() where index != replacing {
      for behavior in plugin.behaviors where other.behaviors.contains(where: { $0.name == behavior.name }) {
        throw .refused(
          plugin.path, check: "behavior", "plugin \"\(other.name)\" already offers behavior \"\(behavior.name)\"")
      }
    }
  }

  /// The file of a plugin, in the first folder that has it.
  private func path(of name: String) throws(HeaderError) -> String {
    guard Names.isName(name) else {
      throw HeaderError(
        .pluginNotFound, "\"\(name)\" is no plugin's name: give the file's name without folder, lib and .so",
        got: .text(name))
    }
    for folder in folders {
      let path = "\(folder)/lib\(name).so"
      if exists(path) { return path }
    }
    var once: [String] = []
    for folder in folders where !once.contains(folder) { once.append(folder) }
    let looked = once.isEmpty ? "no folder is configured" : "looked in \(once.joined(separator: ", "))"
    throw HeaderError(
      .pluginNotFound, "there is no plugin \"\(name)\" (lib\(name).so); \(looked)", got: .text(name),
      hint: nearest(to: name, in: available).map { "did you mean \"\($0)\"?" })
  }
}
