// SPDX-License-Identifier: MIT
//
// A short-lived worker's report on a plugin's file: the plugin's row of `plugin.list` and the engine's data, or why it is refused. One
// JSON document:
//
//     {"plugin":"ShyNavBar","version":"1.0","abi":"1.1","content":"…","behaviors":[{"behavior":"ShyNavBar",…,"savedVersion":1}]}
//     {"refused":{"name":"pluginRefused","message":"…",…}}
//
// The worker has run the plugin's code, so its report is not trusted: each field is checked like a client's.

public import HeaderModel
internal import HeaderWire

/// A worker's report on a plugin's file, as bytes.
public enum PluginReport {
  /// A report, or a refusal, as bytes.
  public static func encode(_ report: Result<DescribedPlugin, HeaderError>) -> [UInt8] {
    switch report {
    case .success(let report): report.value.jsonBytes
    case .failure(let error): Value.record(["refused": error.wholeValue]).jsonBytes
    }
  }

  /// Reads bytes.
  /// - Returns: the worker's report; nil: the bytes are none.
  public static func decode(_ bytes: [UInt8]) -> Result<DescribedPlugin, HeaderError>? {
    guard let value = try? JSONReader.document(bytes), case .record(let record) = value else { return nil }
    if let refused = record["refused"] { return HeaderError(whole: refused).map { .failure($0) } }
    return (try? DescribedPlugin(value)).map { .success($0) }
  }
}

// MARK: - Reports

extension DescribedPlugin {
  fileprivate var value: Value {
    [
      "plugin": .text(name), "version": .text(version), "abi": .text(abi), "content": .text(String(content)),
      "behaviors": .list(behaviors.map(\.wholeValue)),
    ]
  }

  fileprivate init(_ value: Value) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path(""))
    let name = try fields.required(text: "plugin")
    let version = try fields.required(text: "version")
    let abi = try fields.required(text: "abi")
    guard let content = UInt64(try fields.required(text: "content")) else {
      throw .unexpected(nil, at: Path("content"), needed: "a number")
    }
    var behaviors: [BehaviorDescription] = []
    for value in try fields.entries("behaviors", atMost: 256) {
      behaviors.append(try BehaviorDescription(value, of: name))
    }
    try checkNames(behaviors.map(\.name), at: "behaviors", isName: Names.isBehaviorName)
    self.init(name: name, version: version, abi: abi, content: content, behaviors: behaviors)
  }
}

extension BehaviorDescription {
  fileprivate var wholeValue: Value {
    guard case .record(var record) = asValue else { return .null }
    record["savedVersion"] = .number(Double(savedVersion))
    return .record(record)
  }

  fileprivate init(_ value: Value, of plugin: String) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("behavior"))
    let name = try fields.required(text: "behavior")
    var events: EventSet = []
    for case .text(let word) in try fields.list("events") ?? [] {
      guard let kind = DelegateEventKind(word: word) else { continue }
      events.formUnion(EventSet(kind))
    }
    var (options, values, calls) = ([OptionSchema](), [ValueDescription](), [CallDescription]())
    for value in try fields.entries("options", atMost: 256) { options.append(try OptionSchema(value)) }
    for value in try fields.entries("values", atMost: 64) { values.append(try ValueDescription(value)) }
    for value in try fields.entries("calls", atMost: 256) { calls.append(try CallDescription(value)) }
    let notices = try fields.texts("notices")
    try checkNames(options.map(\.name), at: "options", isName: Names.isOption)
    try checkNames(values.map(\.name), at: "values", isName: Names.isName)
    try checkNames(calls.map(\.name), at: "calls", isName: Names.isName)
    try checkNames(notices, at: "notices", isName: Names.isName)
    self.init(
      name: name, plugin: plugin, summary: try fields.required(text: "summary"),
      moves: try fields.bool("moves") ?? false, events: events, options: options, values: values, calls: calls,
      notices: notices, savedVersion: try fields.integer("savedVersion", in: 0...Int(Int32.max)) ?? 1)
  }
}

extension OptionType {
  fileprivate init(word: String, at path: Path) throws(HeaderError) {
    let list = "list of "
    let all: [OptionType] = [
      .number, .integer, .bool, .text, .case, .color, .point, .size, .rect, .insets, .transform, .record,
    ]
    let isList = word.hasPrefix(list)
    let plain = isList ? String(word.dropFirst(list.count)) : word
    guard let type = all.first(where: { $0.word == plain }) else {
      throw .unexpected(.text(word), at: path, needed: "an option's type")
    }
    self = isList ? .list(of: type) : type
  }
}

extension OptionSchema {
  fileprivate init(_ value: Value) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("option"))
    // The behavior states this range itself; values are bounded elsewhere, too.
    let bounds = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let cases = try fields.texts("cases")
    try checkNames(cases, at: "cases") { !$0.isEmpty }
    self.init(
      name: try fields.required(text: "name"),
      type: try OptionType(word: try fields.required(text: "type"), at: Path("option.type")),
      unit: try fields.text("unit"), defaultValue: fields.value("default") ?? .null,
      minimum: try fields.number("minimum", in: bounds), maximum: try fields.number("maximum", in: bounds),
      cases: cases,
      meaning: try fields.required(text: "meaning"), isNullable: try fields.bool("nullable") ?? false)
    guard minimum ?? -.infinity <= maximum ?? .infinity else {
      throw .unexpected(nil, at: Path("option.minimum"), needed: "at most the maximum")
    }
    try check(defaultValue, at: Path(name))
  }
}

extension ValueDescription {
  fileprivate init(_ value: Value) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("value"))
    guard let initial = NamedValue.Content(fields.value("initial") ?? .null) else {
      throw .unexpected(nil, at: Path("value.initial"), needed: "a plain value")
    }
    self.init(
      name: try fields.required(text: "name"),
      type: try OptionType(word: try fields.required(text: "type"), at: Path("value.type")),
      unit: try fields.text("unit"), cases: try fields.texts("cases"), initial: initial,
      meaning: try fields.required(text: "meaning"))
  }
}

extension CallDescription {
  fileprivate init(_ value: Value) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("call"))
    var arguments: [OptionSchema] = []
    for value in try fields.entries("arguments", atMost: 256) { arguments.append(try OptionSchema(value)) }
    try checkNames(arguments.map(\.name), at: "arguments", isName: Names.isOption)
    self.init(
      name: try fields.required(text: "name"), arguments: arguments, meaning: try fields.required(text: "meaning"))
  }
}

// MARK: - What DescriptionReader checks as well

/// No name stands twice, and each is one.
private func checkNames(_ names: [String], at place: String, isName: (String) -> Bool) throws(HeaderError) {
  var seen: Set<String> = []
  for name in names where !isName(name) || !seen.insert(name).inserted {
    throw .unexpected(.text(name), at: Path(place), needed: "names, each once")
  }
}

extension FieldReader {
  fileprivate mutating func entries(_ name: String, atMost most: Int) throws(HeaderError) -> [Value] {
    let entries = try list(name, count: 0...most) ?? []
    guard entries.count <= most else { throw .unexpected(nil, at: Path(name), needed: "at most \(most) entries") }
    return entries
  }

  fileprivate mutating func texts(_ name: String) throws(HeaderError) -> [String] {
    var texts: [String] = []
    for value in try entries(name, atMost: 256) {
      guard case .text(let text) = value else { throw .unexpected(value, at: Path(name), needed: "a text") }
      texts.append(text)
    }
    return texts
  }
}

// MARK: - Errors

extension HeaderError {
  /// All members of the error, so that the daemon gets the same one.
  public var wholeValue: Value {
    var record: Value.Record = ["name": .text(name.rawValue), "message": .text(message)]
    record["field"] = field.map { .text($0) }
    record["got"] = got
    record["expected"] = expected.map { .text($0) }
    record["hint"] = hint.map { .text($0) }
    if !facts.fields.isEmpty { record["facts"] = .record(facts) }
    return .record(record)
  }

  /// Reads `wholeValue`; nil for any other value.
  public init?(whole value: Value) {
    guard case .record(let record) = value, case .text(let word)? = record["name"],
      let name = ErrorName(rawValue: word), case .text(let message)? = record["message"]
    else { return nil }
    func text(_ name: String) -> String? { if case .text(let text)? = record[name] { text } else { nil } }
    let facts: Value.Record = if case .record(let facts)? = record["facts"] { facts } else { Value.Record() }
    self.init(
      name, message, field: text("field"), got: record["got"], expected: text("expected"), hint: text("hint"),
      facts: facts)
  }
}
