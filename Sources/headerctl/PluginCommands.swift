// SPDX-License-Identifier: MIT
//
// `headerctl plugin …`. What plugins say about themselves is read from the daemon's `plugin.list` or, offline, from the
// files through PluginHost; both become the same tree, so that people and programs see the same either way.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderTrace
internal import PluginHost

func runPluginList(_ context: Context) throws -> Int32 {
  let plugins = try plugins(context)
  if context.isJSON {
    for plugin in plugins { context.console.print(plugin.json) }
    return ExitStatus.done
  }
  guard !plugins.isEmpty else {
    context.console.print("no plugins")
    return ExitStatus.done
  }
  context.console.print(
    table: [["PLUGIN", "VERSION", "ABI", "BEHAVIORS", "PATH"]]
      + plugins.map { plugin in
        let behaviors = (plugin["behaviors"]?.elements ?? []).compactMap { $0["behavior"]?.asText }
        return [
          plugin["plugin"]?.asText ?? "?", plugin["version"]?.asText ?? "?", plugin["abi"]?.asText ?? "?",
          behaviors.joined(separator: " "), plugin["path"]?.asText ?? "?",
        ]
      })
  return ExitStatus.done
}

func runPluginInfo(_ context: Context) throws -> Int32 {
  let all = try plugins(context)
  var chosen = all
  if let name = context.invocation[Words.somePlugin] {
    chosen = all.filter { $0["plugin"]?.asText == name || $0.offers(name) }
    guard !chosen.isEmpty else {
      let known = all.flatMap { plugin in
        [plugin["plugin"]?.asText].compactMap { $0 }
          + (plugin["behaviors"]?.elements ?? []).compactMap { $0["behavior"]?.asText }
      }
      let guess = nearest(to: name, in: known).map { " (did you mean \"\($0)\"?)" } ?? ""
      let there =
        all.isEmpty ? "there are none" : "there are \(all.compactMap { $0["plugin"]?.asText }.joined(separator: ", "))"
      throw CommandError.refused("there is no plugin or behavior \"\(name)\"; \(there)\(guess)", name: "pluginNotFound")
    }
  }
  if context.isJSON {
    for plugin in chosen { context.console.print(plugin.json) }
  } else {
    for plugin in chosen { for line in pluginLines(plugin) { context.console.print(line) } }
  }
  return ExitStatus.done
}

func runPluginChange(_ context: Context, _ method: String) throws -> Int32 {
  let name = context.invocation.required(Words.plugin)
  var params: Value.Record = ["plugin": .text(name)]
  if method == "plugin.unload", context.invocation.has(Words.force) { params["force"] = true }
  return try context.request(method, params) { result in
    switch method {
    case "plugin.load": return "\(name) \(result["version"]?.asText ?? "") loaded from \(result["path"]?.asText ?? "?")"
    case "plugin.unload": return "\(name) unloaded" + used(result["headers"]?.elements.compactMap(\.asText), "used by")
    default:
      if result["changed"]?.asBool == false, result["headers"]?.elements.isEmpty != false {
        return "\(name) is loaded as its file has it; nothing was done"
      }
      return "\(name) reloaded" + used(result["headers"]?.elements.compactMap { $0["header"]?.asText }, "taken over by")
    }
  }
}

private func used(_ headers: [String]?, _ words: String) -> String {
  guard let headers, !headers.isEmpty else { return "; no header uses it" }
  return ", \(words) \(headers.joined(separator: ", "))"
}

private func plugins(_ context: Context) throws -> [Value] {
  if context.invocation.has(Words.offline) { return context.loadPlugins().plugins.map(\.tree) }
  return try context.ask(try context.connect(), "plugin.list", [:])["plugins"]?.elements ?? []
}

extension Value {
  fileprivate func offers(_ behavior: String) -> Bool {
    (self["behaviors"]?.elements ?? []).contains { $0["behavior"]?.asText == behavior }
  }
}

// MARK: - As text

/// A plugin with all that it says about itself.
func pluginLines(_ plugin: Value) -> [String] {
  var lines = [
    "\(plugin["plugin"]?.asText ?? "?") \(plugin["version"]?.asText ?? "") (ABI \(plugin["abi"]?.asText ?? "?")), "
      + (plugin["path"]?.asText ?? "?")
  ]
  for behavior in plugin["behaviors"]?.elements ?? [] {
    let moves = behavior["moves"]?.asBool == true ? "moves drawers" : "moves no drawers"
    lines += ["", "\(behavior["behavior"]?.asText ?? "?"): \(behavior["summary"]?.asText ?? "") (\(moves))"]
    lines += section("options", ["OPTION", "TYPE", "UNIT", "DEFAULT", "RANGE", "MEANING"], behavior["options"]) {
      option in
      [
        option["name"]?.asText ?? "?", type(of: option), option["unit"]?.asText ?? "-",
        option["default"].map(plain) ?? "-", range(of: option), option["meaning"]?.asText ?? "",
      ]
    }
    lines += section("calls", ["CALL", "ARGUMENTS", "MEANING"], behavior["calls"]) { call in
      let arguments = (call["arguments"]?.elements ?? []).map { "\($0["name"]?.asText ?? "?"): \(type(of: $0))" }
      return [
        call["name"]?.asText ?? call.asText ?? "?", arguments.isEmpty ? "-" : arguments.joined(separator: ", "),
        call["meaning"]?.asText ?? "",
      ]
    }
    lines += section("values", ["VALUE", "TYPE", "UNIT", "MEANING"], behavior["values"]) { value in
      [
        value["name"]?.asText ?? "?", value["type"]?.asText ?? "?", value["unit"]?.asText ?? "-",
        value["meaning"]?.asText ?? "",
      ]
    }
    let notices = (behavior["notices"]?.elements ?? []).compactMap(\.asText)
    if !notices.isEmpty { lines.append("  notices: \(notices.joined(separator: ", "))") }
    let events = (behavior["events"]?.elements ?? []).compactMap(\.asText)
    if !events.isEmpty { lines.append("  events: \(events.joined(separator: ", "))") }
  }
  return lines
}

private func section(_ name: String, _ heading: [String], _ rows: Value?, _ cells: (Value) -> [String]) -> [String] {
  guard let rows = rows?.elements, !rows.isEmpty else { return ["  no \(name)"] }
  return aligned([heading] + rows.map(cells)).map { "  \($0)" }
}

private func plain(_ value: Value) -> String {
  switch value {
  case .number(let number): shown(number, decimals: 6)
  case .text(let text): text
  default: value.json
  }
}

/// What an option takes: `number`, `number or null`.
private func type(of option: Value) -> String {
  (option["type"]?.asText ?? "?") + (option["nullable"]?.asBool == true ? " or null" : "")
}

/// What an option may be: its cases, or its bounds.
private func range(of option: Value) -> String {
  if let cases = option["cases"]?.elements, !cases.isEmpty { return cases.map(plain).joined(separator: " | ") }
  switch (option["minimum"]?.asNumber, option["maximum"]?.asNumber) {
  case (let low?, let high?): return "\(shown(low))…\(shown(high))"
  case (let low?, nil): return "≥ \(shown(low))"
  case (nil, let high?): return "≤ \(shown(high))"
  case (nil, nil): return "-"
  }
}

// MARK: - From files

extension Plugin {
  /// What `plugin.list` would say of it.
  fileprivate var tree: Value {
    [
      "plugin": .text(name), "version": .text(version), "abi": .text(abi), "path": .text(path), "state": "file",
      "behaviors": .list(behaviors.map(\.tree)),
    ]
  }
}

extension BehaviorDescription {
  fileprivate var tree: Value {
    [
      "behavior": .text(name), "summary": .text(summary), "moves": .bool(moves),
      "events": .list(events.kinds.map { .text($0.word) }),
      "calls": .list(
        calls.map {
          ["name": .text($0.name), "arguments": .list($0.arguments.map(\.tree)), "meaning": .text($0.meaning)]
        }),
      "values": .list(
        values.map { value in
          var record: Value.Record = ["name": .text(value.name), "type": .text(value.type.word)]
          record["unit"] = value.unit.map { .text($0) }
          record["initial"] = value.initial.value
          record["meaning"] = .text(value.meaning)
          return .record(record)
        }), "notices": .list(notices.map { .text($0) }), "options": .list(options.map(\.tree)),
    ]
  }
}

extension OptionSchema {
  fileprivate var tree: Value {
    var record: Value.Record = ["name": .text(name), "type": .text(type.word)]
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
