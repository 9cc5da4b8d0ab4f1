// SPDX-License-Identifier: MIT
//
// The real plugins behind the service's protocol, and one that fails in every way in which a plugin can be noticed to fail; in a
// process, it ends that as well.

import DaemonTestKit
import HeaderCore
import HeaderHost
import HeaderModel
import HeaderService
import PluginHost

/// The real plugins, mapped once: loading them takes longer than a life. Lives have them one after the other.
public final class MappedPlugins {
  fileprivate let registry = PluginRegistry(folders: [TestFiles.build], threads: 4)
  private var all: [Plugin] = []

  /// Nothing is mapped before it is needed.
  public init() {}

  /// All of them are loaded, whatever somebody has unloaded or reloaded.
  fileprivate func begin() throws(HeaderError) {
    for plugin in registry.plugins { _ = try registry.unload(plugin.name) }
    for plugin in all { registry.restore(plugin) }
    for name in SimulatedPlugins.names { try registry.load(name) }
    all = registry.plugins
  }
}

final class SimulatedPlugins: PluginControl {
  static let names = ["FlexibleHeader", "FlexibleHeightBar", "OriginalDelegate", "ShyNavBar", "StretchyHeader"]
  private let mapped: MappedPlugins
  private var registry: PluginRegistry { mapped.registry }
  private var replaced: [String: Plugin] = [:]
  /// The plugins whose headers are in processes, and where those are; nil: there are none.
  private let isolated: Set<String>
  var workers: SimulatedWorkers?

  init(_ mapped: MappedPlugins, isolated: [String]) throws(HeaderError) {
    self.mapped = mapped
    self.isolated = Set(isolated)
    try loadAll()
  }

  /// Loads what somebody has unloaded: another daemon begins.
  func loadAll() throws(HeaderError) { try mapped.begin() }

  /// What one service sees of them.
  private final class View: ShardPlugins {
    private let plugins: PluginSet
    private let isolated: Set<String>
    private let workers: SimulatedWorkers?
    private let shard: Int

    init(_ plugins: PluginSet, _ isolated: Set<String>, in workers: SimulatedWorkers?, shard: Int) {
      self.plugins = plugins
      self.isolated = isolated
      self.workers = workers
      self.shard = shard
    }

    func isIsolated(_ name: String) -> Bool { behavior(named: name).map { isolated.contains($0.plugin) } ?? false }
    func launch(_ plugins: [String]) throws(HeaderError) -> any WorkerLaunch {
      guard let workers else { throw HeaderError(.pluginRefused, "there are no processes here") }
      return SimulatedLaunch(self, shard: shard, in: workers)
    }
    func usage(reset: Bool) -> [PluginUsageEntry] { [] }

    func behavior(named name: String) -> BehaviorDescription? {
      name == Wayward.description.name ? Wayward.description : plugins.behavior(named: name)
    }
    var behaviorNames: [String] { (plugins.behaviorNames + [Wayward.description.name]).sorted() }
    func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
      if behavior == Wayward.description.name { return Wayward(name: name, behavior: Wayward.description) }
      return try plugins.makeDelegate(behavior: behavior, name: name)
    }
  }

  func plugins(forShard index: Int) -> any ShardPlugins {
    View(registry.set(forThread: index), isolated, in: workers, shard: index)
  }

  var loadedPlugins: [PluginEntry] {
    registry.plugins.map {
      PluginEntry(plugin: $0.name, version: $0.version, abi: $0.abi, path: "", behaviors: $0.behaviors)
    }
  }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let plugin = try registry.load(name)
    return PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: "", behaviors: plugin.behaviors)
  }
  func unloadPlugin(_ name: String) throws(HeaderError) { replaced[name] = try registry.unload(name) }
  func isUnchanged(_ plugin: String) -> Bool { false }
  func reloadPlugin(_ name: String) throws(HeaderError) { replaced[name] = try registry.reload(name).old }
  func restorePlugin(_ name: String) {
    if let old = replaced.removeValue(forKey: name) { registry.restore(old) }
  }
}

/// A behavior that fails on demand: an event at a certain offset, a frame that is no number, a call, an option, a state that it does
/// not save, or does not take over.
final class Wayward: ScrollDelegate {
  static let description = BehaviorDescription(
    name: "Wayward", plugin: "Wayward", summary: "Fails on demand", moves: true, events: .all,
    options: [
      OptionSchema(name: "whim", type: .number, defaultValue: 0, meaning: "1: not set, 2: not saved, 3: not restored")
    ],
    values: [ValueDescription(name: "moves", type: .number, initial: .number(0), meaning: "Scrolls so far")],
    calls: [CallDescription(name: "expand", meaning: "Always refused")])
  private var whim = 0.0
  private var moves = 0.0
  /// It is in a process, which it may end, and has ended.
  var mayDie = false
  private(set) var hasDied = false

  override func attach(to header: Header) throws(DelegateFailure) {
    guard header.drawers.count > 0 else { return }
    try header.claimDrawer(0, by: self)
  }

  override func setOption(_ index: Int, _ value: Value, in header: Header) throws(DelegateFailure) {
    guard case .number(let whim) = value, whim != 1 else { throw .refused("it does not want to") }
    self.whim = whim
  }

  override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    guard event.kind == .didScroll, header.scrollViews.indices.contains(Int(event.scrollView)) else { return }
    let y = header.scrollViews[Int(event.scrollView)].contentOffset.y
    if y == 39, mayDie { hasDied = true }
    if y == 13 { throw .failed("it is superstitious") }
    moves += 1
    try header.setValue(0, .number(y == 26 ? .nan : moves), by: self)
    guard header.drawers.count > 0, header.owns(0, self) else { return }
    var frame = header.drawers[0].frame
    frame.origin.y = y == -13 ? .infinity : -min(max(y, 0), 44)
    try header.setFrame(frame, ofDrawer: 0, by: self)
  }

  override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value {
    throw .refused("not today")
  }

  override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    if whim == 2 { throw .refused("it forgets") }
    return SavedState(version: 1, state: ["moves": .number(moves), "whim": .number(whim)])
  }

  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    guard case .record(let state) = saved.state, case .number(let moves)? = state["moves"],
      case .number(let whim)? = state["whim"], whim != 3
    else { throw .refused("it remembers otherwise") }
    (self.moves, self.whim) = (moves, whim)
    if header.drawers.count > 0, header.isFree(0, for: self) { try header.claimDrawer(0, by: self) }
  }
}
