// SPDX-License-Identifier: MIT
//
// `plugin.*` (headerd-protocol(7), PLUGINS). Plugins are found by name, never by a path. A reload is all or nothing
// over all headers that use the plugin: each gets a fresh delegate with the old one's saved state between two events;
// when one refuses, the plugin and every delegate go back.

public import HeaderCore
internal import HeaderWire

extension Session {
  func listPlugins(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let loaded = service.plugins.loadedPlugins
    guard let name = try fields.text("plugin") else {
      return .fields(("plugins", .list(loaded.map(\.value))))
    }
    return .fields(("plugins", [try loadedPlugin(name).value]))
  }

  func loadPlugin(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let name = try fields.required(text: "plugin")
    guard case .record(let record) = try service.plugins.loadPlugin(name).value else { return .nothing }
    return .record(record)
  }

  func unloadPlugin(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let plugin = try loadedPlugin(try fields.required(text: "plugin"))
    let force = try fields.bool("force") ?? false
    let users = service.users(of: plugin.plugin)
    let names = Value.list(users.map { .text($0.entry.name) })
    guard users.isEmpty || force else {
      throw HeaderError(
        .inUse, "plugin \"\(plugin.plugin)\" is used by \(users.count) \(users.count == 1 ? "header" : "headers")",
        field: "params.plugin",
        hint: "close them, or unload it with \"force\":true: its delegates are then passed over",
        facts: ["headers": names])
    }
    for (service, entry) in users { service.hurry(entry, "plugin \(plugin.plugin) is unloaded") }
    try service.plugins.unloadPlugin(plugin.plugin)
    for (service, entry) in users { service.passOver(plugin.plugin, in: entry) }
    return .fields(("headers", names))
  }

  func reloadPlugin(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let plugin = try loadedPlugin(try fields.required(text: "plugin"))
    let isChanged = !service.plugins.isUnchanged(plugin.plugin)
    // The same code begins anew only what it was not allowed to go on with.
    guard isChanged || service.passesOver(plugin.plugin) else {
      return .fields(("headers", []), ("changed", false))
    }
    let entries = try service.reload(plugin.plugin)
    let rows = entries.map { entry -> Value in
      ["header": .text(entry.name), "seq": .number(Double(entry.header.state.seq))]
    }
    return .fields(("headers", .list(rows)), ("changed", .bool(isChanged)))
  }

  private func loadedPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let loaded = service.plugins.loadedPlugins
    if let plugin = loaded.first(where: { $0.plugin == name }) { return plugin }
    let known = loaded.map(\.plugin)
    let listed = known.isEmpty ? "none is loaded" : "loaded are \(known.joined(separator: ", "))"
    throw HeaderError(
      .pluginNotFound, "params.plugin: plugin \(Value.text(name).brief) is not loaded; \(listed)",
      field: "params.plugin",
      got: .text(String(name.prefix(256))), hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" })
  }
}

extension Service {
  /// Loads a plugin's file anew because it changed: what `plugin.reload` does, asked by nobody. The neighbors must stand
  /// still.
  /// - Returns: the names of the headers that go on with the new code.
  /// - Throws: `pluginNotFound`, `pluginRefused`; everything is then as before.
  public func reloadPlugin(_ name: String, at time: Int64) throws(HeaderError) -> [String] {
    advance(to: time)
    defer { clearEnded() }
    return try withNeighborsStill(at: time) { () throws(HeaderError) in try reload(name).map(\.name) }
  }

  /// The headers with a delegate of a plugin, each with its service, in the order of opening.
  func users(of plugin: String) -> [(service: Service, entry: HeaderEntry)] {
    let users = everyone.flatMap { service in
      service.table.entries { $0.header.delegates.contains { $0.behavior.plugin == plugin } }.map { (service, $0) }
    }
    return shard.count == 1 ? users : users.sorted { $0.1.epoch < $1.1.epoch }
  }

  /// Whether a header passes over a delegate of a plugin.
  func passesOver(_ plugin: String) -> Bool {
    users(of: plugin).contains { _, entry in
      entry.header.delegates.indices.contains {
        entry.header.delegates[$0].behavior.plugin == plugin && entry.header.isBypassed($0)
      }
    }
  }

  /// Takes a plugin's delegates out of the way: each is replaced by one that fails at once, so that the header bypasses
  /// it, says so with the notice `delegatePassedOver`, and goes on with the others.
  func passOver(_ plugin: String, in entry: HeaderEntry) {
    for delegate in entry.header.delegates where delegate.behavior.plugin == plugin {
      do {
        try change(entry, .unloadDelegate(delegate.name, plugin: plugin))
      } catch {
        log.log(.error, "unloadRefused", [("header", entry.name), ("reason", error.message)])
      }
    }
  }

  /// Gives every header that uses a plugin delegates of a fresh copy of it, or, if one of them refuses, none.
  /// - Returns: the headers.
  /// - Throws: `pluginNotFound`, `pluginRefused`; everything is then as before.
  func reload(_ plugin: String) throws(HeaderError) -> [HeaderEntry] {
    for (service, entry) in users(of: plugin) { service.hurry(entry, "plugin \(plugin) is reloaded") }
    try plugins.reloadPlugin(plugin)
    let users = users(of: plugin)
    var done: [(service: Service, entry: HeaderEntry, index: Int)] = []
    do {
      for (service, entry) in users {
        for (index, delegate) in entry.header.delegates.enumerated() where delegate.behavior.plugin == plugin {
          try service.replace(index, of: entry)
          done.append((service, entry, index))
        }
      }
    } catch {
      plugins.restorePlugin(plugin)
      for (service, entry, index) in done.reversed() { service.takeBack(index, of: entry) }
      throw error
    }
    return users.map(\.entry)
  }

  private func replace(_ index: Int, of entry: HeaderEntry) throws(HeaderError) {
    let delegate = entry.header.delegates[index]
    let input = HeaderInput.reloadDelegate(delegate.name, plugin: delegate.behavior.plugin)
    do {
      try change(entry, input)
    } catch {
      var refusal = error.of(header: entry.name)
      refusal.name = .pluginRefused
      throw refusal
    }
  }

  /// The old code takes over again from the new, which handed over once and can be trusted to do so again; if it cannot,
  /// the new one goes on alone.
  private func takeBack(_ index: Int, of entry: HeaderEntry) {
    do {
      try replace(index, of: entry)
    } catch {
      log.log(.error, "reloadNotTakenBack", [("header", entry.name), ("reason", error.message)])
    }
  }
}

// MARK: - Descriptions

extension PluginEntry {
  /// As `plugin.list` shows it.
  var value: Value {
    [
      "plugin": .text(plugin), "version": .text(version), "abi": .text(abi), "path": .text(path), "state": .text(state),
      "behaviors": .list(behaviors.map(\.value)),
    ]
  }
}

extension BehaviorDescription {
  fileprivate var value: Value {
    [
      "behavior": .text(name), "summary": .text(summary), "moves": .bool(moves),
      "events": .list(events.kinds.map { .text($0.word) }), "calls": .list(calls.map(\.value)),
      "values": .list(values.map(\.value)), "notices": .list(notices.map { .text($0) }),
      "options": .list(options.map(\.value)),
    ]
  }
}

extension CallDescription {
  fileprivate var value: Value {
    ["name": .text(name), "arguments": .list(arguments.map(\.value)), "meaning": .text(meaning)]
  }
}

extension ValueDescription {
  fileprivate var value: Value {
    var record = Value.Record()
    record["name"] = .text(name)
    record["type"] = .text(type.word)
    record["unit"] = unit.map { .text($0) }
    record["initial"] = initial.value
    record["meaning"] = .text(meaning)
    return .record(record)
  }
}

extension OptionSchema {
  fileprivate var value: Value {
    var record = Value.Record()
    record["name"] = .text(name)
    record["type"] = .text(type.word)
    record["unit"] = unit.map { .text($0) }
    record["default"] = defaultValue
    record["minimum"] = minimum.map { .number($0) }
    record["maximum"] = maximum.map { .number($0) }
    if !cases.isEmpty { record["cases"] = .list(cases.map { .text($0) }) }
    if isNullable { record["nullable"] = true }
    record["meaning"] = .text(meaning)
    return .record(record)
  }
}
