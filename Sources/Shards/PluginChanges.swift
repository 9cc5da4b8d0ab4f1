// SPDX-License-Identifier: MIT
//
// `plugin.*` (headerd-recordings(7)), on the one shard that keeps the plugins. Changes are made one after the other.
// Every shard has a view of the plugins of its own; a change reaches all of them before it is answered:
//
//     load     load the file ─▶ all shards: use
//     reload   load the file ─▶ all shards: prepare ─▶ all agree?  yes: all shards: commit    no: abort, the old file again
//     unload   all shards: users ─▶ in use, and not forced? refused: it stays loaded         else forget it ─▶ all shards: unload

internal import Fanout
internal import HeaderCore
public import HeaderHost
internal import HeaderModel

/// Changes plugins, on the shard that keeps them.
public final class PluginChanges {
  private let control: any PluginControl
  private unowned let router: Router
  /// Changes that wait for the one under way.
  private var waiting = Queue<(request: PluginRequest, answer: (ShardReply) -> Void)>()
  private var isBusy = false

  /// Creates the changes for the shard that keeps the plugins; `router` is the way to all shards.
  public init(_ control: any PluginControl, _ router: Router) {
    self.control = control
    self.router = router
  }

  /// Performs a request, when those before it are done.
  /// - Parameter answer: called once: `record`, or `refused`.
  public func perform(_ request: PluginRequest, answer: @escaping (ShardReply) -> Void) {
    waiting.append((request, answer))
    next()
  }

  private func next() {
    while !isBusy, let (request, answer) = waiting.popFirst() {
      isBusy = true
      let end = { (part: ShardReply) in
        self.isBusy = false
        answer(part)
        self.next()
      }
      do throws(HeaderError) {
        switch request {
        case .list(let plugin): end(.record(try list(plugin)))
        case .load(let name): try load(name, end)
        case .unload(let name, let force): try unload(name, force: force, end)
        case .reload(let name): try reload(name, end)
        }
      } catch {
        end(.refused(error))
      }
    }
  }

  private func list(_ plugin: String?) throws(HeaderError) -> Value.Record {
    let plugins = try plugin.map { name throws(HeaderError) in [try loadedPlugin(name)] } ?? control.loadedPlugins
    let behaviors = Set(plugins.flatMap { $0.behaviors.map(\.name) })
    let presets = control.plugins(forShard: 0).presets.filter { behaviors.contains($0.behavior) }
    return ["plugins": .list(plugins.map(\.value)), "presets": .list(presets.map(\.value))]
  }

  private func load(_ name: String, _ end: @escaping (ShardReply) -> Void) throws(HeaderError) {
    guard case .record(let record) = try control.loadPlugin(name).value else { return end(.record(Value.Record())) }
    askAll({ .use($0) }) { _ in end(.record(record)) }
  }

  private func unload(_ name: String, force: Bool, _ end: @escaping (ShardReply) -> Void) throws(HeaderError) {
    let plugin = try loadedPlugin(name).plugin
    if force { return try remove(plugin, force: true, end) }
    router.ask(router.everyone, { _ in .pluginStep(.users(plugin: plugin)) }) { parts in
      let users = Self.users(parts)
      guard users.isEmpty else { return end(.refused(Self.isUsed(plugin, by: users))) }
      do throws(HeaderError) { try self.remove(plugin, force: false, end) } catch { end(.refused(error)) }
    }
  }

  /// Headers that began to use the plugin since the shards were asked keep it, and then it stays loaded for all.
  private func remove(_ plugin: String, force: Bool, _ end: @escaping (ShardReply) -> Void) throws(HeaderError) {
    try control.unloadPlugin(plugin)
    askAll({ .unload(plugin: plugin, $0, force: force) }) { parts in
      let users = Self.users(parts)
      if users.isEmpty || force { return end(.record(["headers": .list(users.map { .text($0.header) })])) }
      self.control.restorePlugin(plugin)
      self.askAll({ .use($0) }) { _ in end(.refused(Self.isUsed(plugin, by: users))) }
    }
  }

  private static func isUsed(_ plugin: String, by users: [DependentHeader]) -> HeaderError {
    HeaderError(
      .inUse, "plugin \"\(plugin)\" is used by \(users.count) \(users.count == 1 ? "header" : "headers")",
      field: "params.plugin",
      hint: "close them, or unload it with \"force\":true: its delegates are then bypassed",
      facts: ["headers": .list(users.map { .text($0.header) })])
  }

  private func reload(_ name: String, _ end: @escaping (ShardReply) -> Void) throws(HeaderError) {
    let plugin = try loadedPlugin(name).plugin
    guard control.isUnchanged(plugin) else { return try reload(plugin, isChanged: true, end) }
    // Reloading the same code restarts only delegates that are bypassed.
    router.ask(router.everyone, { _ in .pluginStep(.users(plugin: plugin)) }) { parts in
      guard Self.users(parts).contains(where: \.isBypassed) else {
        return end(.record(["headers": [], "changed": false]))
      }
      do throws(HeaderError) { try self.reload(plugin, isChanged: false, end) } catch { end(.refused(error)) }
    }
  }

  private func reload(_ plugin: String, isChanged: Bool, _ end: @escaping (ShardReply) -> Void) throws(HeaderError) {
    try control.reloadPlugin(plugin)
    askAll({ .prepareReload(plugin: plugin, $0) }) { parts in
      for case .refused(let error) in parts {
        self.control.restorePlugin(plugin)
        return self.router.ask(self.router.everyone, { _ in .pluginStep(.abortReload) }) { _ in end(.refused(error)) }
      }
      self.askAll({ .commitReload(plugin: plugin, $0) }) { parts in
        let users = Self.users(parts)
        if let refusal = users.lazy.compactMap(\.refusal).first { return end(.refused(refusal)) }
        let rows = users.map { user -> Value in
          ["header": .text(user.header), "seq": .number(Double(user.seq))]
        }
        end(.record(["headers": .list(rows), "changed": .bool(isChanged)]))
      }
    }
  }

  /// Has every shard take a step, each with a view of the plugins of its own.
  private func askAll(_ step: (PluginHandover) -> PluginStep, complete: @escaping ([ShardReply]) -> Void) {
    router.ask(
      router.everyone, { .pluginStep(step(PluginHandover(self.control.plugins(forShard: $0)))) }, complete: complete)
  }

  /// The users that all shards have named, in the order of opening.
  private static func users(_ parts: [ShardReply]) -> [DependentHeader] {
    parts.flatMap { part -> [DependentHeader] in
      if case .users(let users) = part { users } else { [] }
    }.sorted { $0.epoch < $1.epoch }
  }

  private func loadedPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let loaded = control.loadedPlugins
    if let plugin = loaded.first(where: { $0.plugin == name }) { return plugin }
    let known = loaded.map(\.plugin)
    let listed = known.isEmpty ? "none is loaded" : "loaded are \(known.joined(separator: ", "))"
    throw HeaderError(
      .pluginNotFound, "params.plugin: plugin \(Value.text(name).brief) is not loaded; \(listed)",
      field: "params.plugin",
      got: .text(String(name.prefix(256))), hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" })
  }
}
