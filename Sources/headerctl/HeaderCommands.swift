// SPDX-License-Identifier: MIT
//
// `headerctl header …`: opening, closing, listing, looking into one, configuring, calling. Each is one request; people get
// a sentence or a table, programs the result as the daemon gave it.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderTrace

extension Context {
  /// Asks, prints warnings on stderr, and gives the result.
  func ask(_ client: Client, _ method: String, _ params: Value) throws -> Value {
    let answer = try client.answer(to: method, params)
    for warning in answer.warnings { console.complain("warning: \(warning)") }
    switch answer.result {
    case .success(let result): return result
    case .failure(let error): throw ClientError.refused(error)
    }
  }

  /// One request on a connection of its own; the result for programs, a sentence for people.
  func request(_ method: String, _ params: Value.Record, _ sentence: (Value) -> String) throws -> Int32 {
    let result = try ask(try connect(), method, .record(params))
    console.print(isJSON ? result.json : sentence(result))
    return ExitStatus.done
  }
}

func runHeaderList(_ context: Context) throws -> Int32 {
  var params = Value.Record()
  params["match"] = context.invocation[Words.match].map { .text($0) }
  let result = try context.ask(try context.connect(), "header.list", .record(params))
  let headers = result["headers"]?.elements ?? []
  if context.isJSON {
    for header in headers { context.console.print(header.json) }
    return ExitStatus.done
  }
  func words(_ value: Value?) -> String {
    let words = (value?.elements ?? []).compactMap(\.asText)
    return words.isEmpty ? "-" : words.joined(separator: " ")
  }
  func number(_ value: Value?) -> String { value?.asNumber.map { shown($0) } ?? "?" }
  guard !headers.isEmpty else {
    context.console.print("no headers")
    return ExitStatus.done
  }
  context.console.print(
    table: [["HEADER", "SEQ", "SUBSCRIBERS", "PUBLISHERS", "DELEGATES", "DRAWERS"]]
      + headers.map {
        [
          $0["header"]?.asText ?? "?", number($0["seq"]), number($0["subscribers"]), number($0["publishers"]),
          words($0["delegates"]), words($0["drawers"]),
        ]
      })
  return ExitStatus.done
}

func runHeaderOpen(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let word = invocation.required(Words.description)
  var quick = QuickDescription()
  quick.behaviors = invocation.all(Words.behavior)
  quick.options = invocation.all(Words.option)
  quick.drawers = invocation.all(Words.drawer)
  quick.viewport = invocation[Words.viewport]
  quick.contentHeight = invocation[Words.content]
  quick.inset = invocation[Words.inset]
  quick.statusBar = invocation[Words.statusBar]
  quick.frames = invocation[Words.frames]?.rawValue
  var params: Value.Record
  // A header's name has neither a slash nor an end that files have.
  if word == "-" || word.contains("/") || word.hasSuffix(".json") || word.hasSuffix(".jsonl") {
    guard quick.isEmpty else {
      throw CommandError.usage("header open: a description from \(word) stands for itself; leave the other options out")
    }
    params = try description(in: try readAll(word), file: word)
  } else {
    params = try quick.description(of: word)
  }
  if invocation.has(Words.replace) { params["ifExists"] = "replace" }
  return try context.request("header.open", params) { result in
    let verb = result["created"]?.asBool == false ? "was open" : "opened"
    return "\(result["header"]?.asText ?? word) \(verb), seq \(result["seq"]?.asNumber.map { shown($0) } ?? "?")"
  }
}

/// A description in JSON, or that of a recording.
private func description(in bytes: [UInt8], file: String) throws -> Value.Record {
  if let recording = try? Recording(bytes), case .record(let record)? = recording.description { return record }
  do {
    let tree = try Value(json: bytes)
    try Recording.checkFormat(of: tree)
    if case .record(let record) = tree { return record }
  } catch let error as RecordingError {
    throw FileError(file: file, error: error)
  } catch {
    throw CommandError.refused("\(file): \(error)", name: "parseError")
  }
  throw CommandError.refused("\(file): expected a description, an object", name: "invalidParams")
}

func runHeaderClose(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  return try context.request("header.close", ["header": .text(name)]) { _ in "\(name) closed" }
}

func runHeaderGet(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let result = try context.ask(
    try context.connect(), "header.get", ["header": .text(name), "include": ["description", "environment"]])
  if context.isJSON {
    context.console.print(result.json)
    return ExitStatus.done
  }
  guard let state = result["state"], let picture = StatePicture(state) else {
    throw CommandError.refused("\(name): the daemon's answer has no state")
  }
  context.console.print("\(picture.header)  seq \(picture.seq)  time \(shown(picture.time, decimals: 4)) s")
  context.console.print(table: stateRows(picture))
  context.console.print("description: \(result["description"]?.json ?? "?")")
  return ExitStatus.done
}

/// What a state says, one thing a row.
func stateRows(_ picture: StatePicture) -> [[String]] {
  func number(_ value: Double) -> String { shown(value, decimals: 4) }
  var rows: [[String]] = []
  for drawer in picture.drawers {
    let frame = drawer.frame
    rows.append([
      "  drawer \(drawer.name)",
      "y \(number(frame.origin.y))  height \(number(frame.size.height))  width \(number(frame.size.width))"
        + (drawer.alpha == 1 ? "" : "  alpha \(number(drawer.alpha))") + (drawer.hidden ? "  hidden" : ""),
    ])
  }
  for view in picture.scrollViews {
    rows.append(["  scroll view \(view.name)", "offset \(number(view.offset.y))  top inset \(number(view.inset.top))"])
  }
  for value in picture.values.fields {
    rows.append(["  \(value.name)", value.value.asNumber.map(number) ?? value.value.asText ?? value.value.json])
  }
  return rows
}

func runHeaderConfigure(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let changes = try readJSON(context.invocation.required(Words.changes), what: "JSON")
  guard case .record(var params) = changes else {
    throw CommandError.usage("JSON: expected an object, got \(changes.brief)")
  }
  params["header"] = .text(name)
  return try context.request("header.configure", params) { result in
    "\(name) configured, seq \(result["seq"]?.asNumber.map { shown($0) } ?? "?")"
  }
}

func runHeaderCall(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  var params = Value.Record()
  params["header"] = .text(invocation.required(Words.header))
  params["name"] = .text(invocation.required(Words.call))
  params["delegate"] = invocation[Words.delegate].map { .text($0) }
  params["arguments"] = try invocation[Words.arguments].map { try readJSON($0, what: "JSON") }
  return try context.request("header.call", params) { result in
    "returned \((result["returned"] ?? .null).json), seq \(result["seq"]?.asNumber.map { shown($0) } ?? "?")"
  }
}
