// SPDX-License-Identifier: MIT
//
// Names for completion, from the running daemon: headers, delegates, behaviors, plugins, calls, options of a behavior. Without a daemon
// behaviors and plugins are read from the plugin files. Any error just means that there is nothing to complete.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import PluginHost

func liveNames(of kind: NameKind, _ line: Invocation, _ word: String) -> [Candidate] {
  let context = Context(invocation: line, console: Console())
  let client = try? context.connect()
  // Seconds for each answer, so that completion in a shell does not hang on a busy daemon.
  client?.patience = 1
  let names = LiveNames(context: context, client: client)
  return switch kind {
  case .header: names.headers
  case .delegate: names.delegates.map { Candidate($0.name, $0.behavior ?? "a client") }
  case .behavior: names.behaviors.map { Candidate($0.text("behavior"), $0["summary"]?.asText ?? "") }
  case .plugin: names.pluginCandidates
  case .pluginOrBehavior:
    names.pluginCandidates + names.behaviors.map { Candidate($0.text("behavior"), $0["summary"]?.asText ?? "") }
  case .call: names.calls
  case .option: names.options(word)
  case .preset: names.presets
  case .constraint: names.position.list("constraints").map { Candidate($0.text("name"), $0["holder"]?.asText ?? "") }
  case .stop:
    [Candidate("expanded"), Candidate("collapsed")]
      + names.position.list("stops").map { Candidate($0.text("name"), "progress \($0.number("progress"))") }
  case .permitted: ["shown", "hidden", "both"].map { Candidate($0) }
  case .part: names.parts(word)
  case .event: tapKinds.map { Candidate($0) }
  }
}

private struct LiveNames {
  let context: Context
  let client: Client?

  var headers: [Candidate] {
    let rows = (try? client?.call("header.list", [:]))?.list("headers") ?? []
    return rows.map { Candidate($0.text("header"), $0.texts("delegates").joined(separator: ", ")) }
  }

  /// What `plugin.list` has, or the plugin files.
  var plugins: [Value] {
    if let listed = try? client?.call("plugin.list", [:]) { return listed.list("plugins") }
    return context.loadPlugins().plugins.map(\.value)
  }

  /// The loaded plugins; `plugin load` also offers those that only have a file.
  var pluginCandidates: [Candidate] {
    let listed = plugins.map { Candidate($0.text("plugin"), $0["version"]?.asText ?? "") }
    guard context.invocation.command == ["plugin", "load"] else { return listed }
    let files = context.pluginFiles.filter { name in !listed.contains { $0.word == name } }
    return files.map { Candidate($0) } + listed
  }

  var behaviors: [Value] { plugins.flatMap { $0.list("behaviors") } }

  /// The chain of the header that the line names: behaviors by their names, clients without.
  var delegates: [(name: String, behavior: String?)] {
    guard let header = context.invocation[Words.header], let client else { return [] }
    let rows = (try? client.call("header.list", ["match": .text(header)]))?.list("headers") ?? []
    let got = try? client.call("header.get", ["header": .text(header), "include": ["description"]])
    let described = got?["description"]?.list("delegates") ?? []
    return rows.flatMap { $0.texts("delegates") }.map { name in
      (name, described.first { $0["name"]?.asText == name }?["behavior"]?.asText)
    }
  }

  /// Presets of the last behavior on the line, or all.
  var presets: [Candidate] {
    let line = context.invocation
    let behavior = line.command == ["header", "open"] ? line.all(Words.behavior).last : line[Words.newBehavior]
    let listed = (try? client?.call("plugin.list", [:]))?.list("presets") ?? []
    return listed.filter { behavior == nil || $0["behavior"]?.asText == behavior }
      .map { Candidate($0.text("preset"), $0["summary"]?.asText ?? "") }
  }

  /// The parts of a state and their entries in the header that the line names first; behind a comma the next one.
  func parts(_ word: String) -> [Candidate] {
    let header = context.invocation.all(Words.glob).first
    let state = header.flatMap { try? client?.call("header.get", ["header": .text($0)]) }?["state"]
    let entries = ["drawers", "elements", "scrollViews", "values"].flatMap { part in
      let names = (state?[part]?.fields ?? []).map(\.name) + (state?.list(part) ?? []).map { $0.text("name") }
      return [part] + names.map { "\(part).\($0)" }
    }
    let before = word.lastIndex(of: ",").map { word[...$0] } ?? ""
    return (entries + ["wants"]).map { Candidate(before + $0) }
  }

  /// The position of the header that the line names.
  var position: Value {
    guard let header = context.invocation[Words.header], let client else { return [:] }
    let got = try? client.call("header.get", ["header": .text(header), "include": ["position"]])
    return got?["position"] ?? [:]
  }

  var calls: [Candidate] {
    let asked = context.invocation[Words.delegate]
    let offered = delegates.filter { asked == nil || $0.name == asked }.compactMap(\.behavior)
    return behaviors.filter { offered.contains($0.text("behavior")) }.flatMap { $0.list("calls") }
      .map { Candidate($0.text("name"), $0["meaning"]?.asText ?? "") }
  }

  /// `name=`, and once the name stands there, the values that it can be listed with.
  func options(_ word: String) -> [Candidate] {
    guard let behavior, let known = behaviors.first(where: { $0["behavior"]?.asText == behavior }) else { return [] }
    guard let equals = word.firstIndex(of: "=") else {
      return known.list("options").map { Candidate("\($0.text("name"))=", $0["meaning"]?.asText ?? "") }
    }
    let name = String(word[..<equals])
    guard let option = known.list("options").first(where: { $0["name"]?.asText == name }) else { return [] }
    let values = option["type"]?.asText == "bool" ? ["false", "true"] : option.texts("cases")
    return values.map { Candidate("\(name)=\($0)") }
  }

  /// The behavior whose options are set on the line.
  private var behavior: String? {
    let line = context.invocation
    switch line.command {
    case ["header", "open"]: return line.all(Words.behavior).last
    case ["delegate", "add"]: return line[Words.newBehavior]
    case ["delegate", "configure"]: return delegates.first { $0.name == line[Words.member] }?.behavior
    default: return nil
    }
  }
}
