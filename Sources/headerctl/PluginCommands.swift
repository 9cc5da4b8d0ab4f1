// SPDX-License-Identifier: MIT
//
// `headerctl plugin …`. Descriptions of plugins come from the daemon's `plugin.list` or, offline, from the files through
// PluginHost; both become the same tree.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import HeaderWire
internal import PluginHost

func runPluginList(_ context: Context) throws -> Int32 {
  context.show(try plugins(context), nothing: "no plugins", ["PLUGIN", "VERSION", "ABI", "STATE", "BEHAVIORS", "PATH"])
  {
    plugin in
    [
      plugin.text("plugin"), plugin.text("version"), plugin.text("abi"), plugin["state"]?.asText ?? "-",
      plugin.behaviorNames.joined(separator: " "), plugin.text("path"),
    ]
  }
}

func runPluginInfo(_ context: Context) throws -> Int32 {
  let all = try plugins(context)
  var chosen = all
  if let name = context.invocation[Words.somePlugin] {
    chosen = all.filter { $0["plugin"]?.asText == name || $0.behaviorNames.contains(name) }
    guard !chosen.isEmpty else {
      let known = all.flatMap { [$0["plugin"]?.asText].compactMap(\.self) + $0.behaviorNames }
      let guess = nearest(to: name, in: known).map { " (did you mean \"\($0)\"?)" } ?? ""
      let there =
        all.isEmpty ? "there are none" : "there are \(all.compactMap { $0["plugin"]?.asText }.joined(separator: ", "))"
      throw CommandError.refused("there is no plugin or behavior \"\(name)\"; \(there)\(guess)", name: "pluginNotFound")
    }
  }
  for plugin in chosen { context.show(plugin, pluginLines(plugin).joined(separator: "\n")) }
  return ExitStatus.done
}

func runPluginChange(_ context: Context, _ method: String) throws -> Int32 {
  let name = context.invocation.required(Words.plugin)
  var params: Value.Record = ["plugin": .text(name)]
  if method == "plugin.unload", context.invocation.has(Words.force) { params["force"] = true }
  return try context.request(method, params) { result in
    switch method {
    case "plugin.load": return "\(name) \(result["version"]?.asText ?? "") loaded from \(result.text("path"))"
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
  if context.invocation.has(Words.offline) { return context.loadPlugins().plugins.map(\.value) }
  if context.invocation.has(Words.plugins) {
    throw CommandError.usage(
      "option \"--plugins\": the daemon has folders of its own; --offline reads the files in this one")
  }
  return try context.ask(try context.connect(), "plugin.list", [:]).list("plugins")
}

extension Value {
  fileprivate var behaviorNames: [String] { list("behaviors").compactMap { $0["behavior"]?.asText } }
}

// MARK: - As text

func pluginLines(_ plugin: Value) -> [String] {
  var lines = [
    "\(plugin.text("plugin")) \(plugin["version"]?.asText ?? "") (ABI \(plugin.text("abi"))), \(plugin.text("path"))"
  ]
  for behavior in plugin.list("behaviors") {
    let moves = behavior["moves"]?.asBool == true ? "moves drawers" : "moves no drawers"
    lines += ["", "\(behavior.text("behavior")): \(behavior["summary"]?.asText ?? "") (\(moves))"]
    lines += section("options", ["OPTION", "TYPE", "UNIT", "DEFAULT", "RANGE", "MEANING"], behavior) { option in
      [
        option.text("name"), type(of: option), option["unit"]?.asText ?? "-", option["default"].map(plain) ?? "-",
        range(of: option), option["meaning"]?.asText ?? "",
      ]
    }
    lines += section("calls", ["CALL", "ARGUMENTS", "MEANING"], behavior) { call in
      let arguments = call.list("arguments").map { "\($0.text("name")): \(type(of: $0))" }
      return [
        call["name"]?.asText ?? call.asText ?? "?", arguments.isEmpty ? "-" : arguments.joined(separator: ", "),
        call["meaning"]?.asText ?? "",
      ]
    }
    lines += section("values", ["VALUE", "TYPE", "UNIT", "MEANING"], behavior) { value in
      [
        value.text("name"), value["cases"] == nil ? value.text("type") : range(of: value), value["unit"]?.asText ?? "-",
        value["meaning"]?.asText ?? "",
      ]
    }
    for list in ["notices", "events"] where !behavior.texts(list).isEmpty {
      lines.append("  \(list): \(behavior.texts(list).joined(separator: ", "))")
    }
  }
  return lines
}

private func section(_ name: String, _ heading: [String], _ behavior: Value, _ cells: (Value) -> [String]) -> [String] {
  let rows = behavior.list(name)
  return rows.isEmpty ? ["  no \(name)"] : aligned([heading] + rows.map(cells)).map { "  \($0)" }
}

private func plain(_ value: Value) -> String {
  switch value {
  case .number(let number): shown(number, decimals: 6)
  case .text(let text): text
  default: value.json
  }
}

/// The type of an option: `number`, `number or null`.
private func type(of option: Value) -> String {
  option.text("type") + (option["nullable"]?.asBool == true ? " or null" : "")
}

/// The valid values of an option: its cases, or its bounds.
private func range(of option: Value) -> String {
  if let cases = option["cases"]?.elements, !cases.isEmpty { return cases.map(plain).joined(separator: " | ") }
  switch (option["minimum"]?.asNumber, option["maximum"]?.asNumber) {
  case (let low?, let high?): return "\(shown(low))…\(shown(high))"
  case (let low?, nil): return "≥ \(shown(low))"
  case (nil, let high?): return "≤ \(shown(high))"
  case (nil, nil): return "-"
  }
}

extension Plugin {
  /// What `plugin.list` has of it.
  var value: Value {
    [
      "plugin": .text(name), "version": .text(version), "abi": .text(abi), "path": .text(path), "state": "file",
      "behaviors": .list(behaviors.map(\.asValue)),
    ]
  }
}
