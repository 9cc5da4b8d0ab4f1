// SPDX-License-Identifier: MIT
//
// `headerctl header …` and `headerctl delegate …`. Each is one request; people get a sentence or a table, programs the result
// as the daemon gave it.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

extension Context {
  /// Asks, prints warnings on stderr, and gives the result.
  func ask(_ client: Client, _ method: String, _ params: Value) throws -> Value {
    let answer = try client.answer(to: method, params)
    for warning in answer.warnings { console.complain("warning: \(withoutRequest(warning))") }
    switch answer.result {
    case .success(let result): return result
    case .failure(let error): throw ClientError.refused(error)
    }
  }

  /// One request on a connection of its own; the result for programs, a sentence for people.
  func request(_ method: String, _ params: Value.Record, _ sentence: (Value) -> String) throws -> Int32 {
    let result = try ask(try connect(), method, .record(params))
    show(result, sentence(result))
    return ExitStatus.done
  }
}

func runHeaderList(_ context: Context) throws -> Int32 {
  var params = Value.Record()
  params["match"] = context.invocation[Words.match].map { .text($0) }
  let isRealm = context.invocation.has(Words.realm)
  let client = isRealm ? try context.connectToRealm() : try context.connect()
  let result = try context.ask(client, "header.list", .record(params))
  func words(_ words: [String]) -> String { words.isEmpty ? "-" : words.joined(separator: " ") }
  if isRealm {
    return context.show(result.list("headers"), nothing: "no headers", ["HEADER", "OWNER", "EPOCH"]) {
      [$0.text("header"), $0["owner"]?.asText ?? "-", $0.number("epoch")]
    }
  }
  let nothing = context.invocation[Words.match].map { "no header matches \"\($0)\"" } ?? "no headers"
  return context.show(
    result.list("headers"), nothing: nothing,
    ["HEADER", "SEQ", "SUBSCRIBERS", "PUBLISHERS", "DELEGATES", "DRAWERS"]
  ) {
    [
      $0.text("header"), $0.number("seq"), $0.number("subscribers"), $0.number("publishers"),
      words($0.texts("delegates")), words($0.texts("drawers")),
    ]
  }
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
  context.console.print("description:")
  context.console.print((result["description"] ?? .null).indentedJSON)
  return ExitStatus.done
}

/// The rows of a state, one thing each.
func stateRows(_ picture: StatePicture) -> [[String]] {
  func number(_ value: Double) -> String { shown(value, decimals: 4) }
  var rows: [[String]] = []
  for drawer in picture.drawers {
    let frame = drawer.frame
    rows.append([
      "  drawer \(drawer.name)",
      (frame.origin.x == 0 ? "" : "x \(number(frame.origin.x))  ")
        + "y \(number(frame.origin.y))  height \(number(frame.size.height))  width \(number(frame.size.width))"
        + (drawer.alpha == 1 ? "" : "  alpha \(number(drawer.alpha))") + (drawer.isHidden ? "  hidden" : ""),
    ])
  }
  for view in picture.scrollViews {
    rows.append([
      "  scroll view \(view.name)",
      (view.offset.x == 0 ? "" : "offset x \(number(view.offset.x))  ")
        + "offset \(number(view.offset.y))  top inset \(number(view.inset.top))"
        + (view.correction.y == 0 ? "" : "  correction \(number(view.correction.y))"),
    ])
  }
  for value in picture.values.fields {
    rows.append(["  \(value.name)", value.value.asNumber.map(number) ?? value.value.asText ?? value.value.json])
  }
  return rows
}

func runHeaderConfigure(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let changes = try readJSON(context.invocation.required(Words.keys))
  guard case .record(var params) = changes else {
    throw CommandError.usage("JSON: expected an object, got \(changes.brief)")
  }
  params["header"] = .text(name)
  return try context.request("header.configure", params) { result in
    "\(name) configured, seq \(result.number("seq"))"
  }
}

func runHeaderCall(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  var params = Value.Record()
  params["header"] = .text(invocation.required(Words.header))
  params["name"] = .text(invocation.required(Words.call))
  params["delegate"] = invocation[Words.delegate].map { .text($0) }
  params["arguments"] = try invocation[Words.arguments].map { try readJSON($0) }
  return try context.request("header.call", params) { result in
    "returned \((result["returned"] ?? .null).json), seq \(result.number("seq"))"
  }
}

// MARK: - The chain of delegates

// A client in the chain lives as long as its connection, so a program that ends when it is done adds behaviors only.

func runDelegateList(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let client = try context.connect()
  // The names of all delegates, in order; for behaviors also their kind.
  let rows = try context.ask(client, "header.list", ["match": .text(name)]).list("headers")
  let got = try context.ask(client, "header.get", ["header": .text(name), "include": ["description"]])
  let chain = rows.first { $0["header"]?.asText == name }?.list("delegates") ?? []
  let described = got["description"]?.list("delegates") ?? []
  let failures = got.list("bypassed")
  let entries = chain.map { member -> Value in
    var entry = Value.Record(fields: described.first { $0["name"] == member }?.fields ?? [])
    if entry.fields.isEmpty { entry = ["name": member, "client": true] }
    entry["bypassed"] = failures.first { $0["delegate"] == member }?["reason"]
    return .record(entry)
  }
  return context.show(entries, nothing: "no delegates", ["AT", "DELEGATE", "BEHAVIOR", "OPTIONS", "BYPASSED"]) {
    entry in
    [
      entries.firstIndex(of: entry).map { "\($0)" } ?? "?", entry.text("name"),
      entry["behavior"]?.asText ?? "(a client)", entry["options"]?.json ?? "-", entry["bypassed"]?.asText ?? "-",
    ]
  }
}

func runDelegateAdd(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  var params: Value.Record = [
    "header": .text(invocation.required(Words.header)), "behavior": .text(invocation.required(Words.newBehavior)),
  ]
  params["name"] = invocation[Words.name].map { .text($0) }
  params["preset"] = invocation[Words.delegatePreset].map { .text($0) }
  params["options"] = try options(invocation)
  params["at"] = invocation[Words.at].map { .number(Double($0)) }
  return try context.request("delegate.add", params) { result in
    "\(result.text("delegate")) added at \(result.number("index"))"
  }
}

func runDelegateRemove(_ context: Context) throws -> Int32 {
  try context.request("delegate.remove", delegate(context.invocation), chain)
}

func runDelegateMove(_ context: Context) throws -> Int32 {
  var params = delegate(context.invocation)
  params["at"] = .number(Double(context.invocation.required(Words.place)))
  return try context.request("delegate.move", params, chain)
}

func runDelegateConfigure(_ context: Context) throws -> Int32 {
  var params = delegate(context.invocation)
  guard let options = try options(context.invocation) else {
    throw CommandError.usage("delegate configure: nothing to set; give --option NAME=VALUE")
  }
  params["options"] = options
  return try context.request("delegate.configure", params) { result in
    "\(context.invocation.required(Words.member)) configured, seq \(result.number("seq"))"
  }
}

func runDelegateShadow(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  var params = delegate(invocation)
  params["options"] = try options(invocation)
  params["behavior"] = invocation[Words.otherBehavior].map { .text($0) }
  if invocation.has(Words.end) { params["end"] = true }
  return try context.request("delegate.shadow", params) { shadowSentence($0["shadow"] ?? .null) }
}

/// The result of a shadow so far.
private func shadowSentence(_ shadow: Value) -> String {
  guard let events = shadow["events"] else { return "no shadow" }
  var sentence =
    "the shadow of \(shadow.text("delegate")) differed after \(shadow.number("differences")) of "
    + counted(Int(cut: events.asNumber ?? 0), "event")
  if let latest = shadow["latest"] {
    sentence +=
      ", by at most \(shadow.number("largest")) points; last in \(latest.text("what")) at "
      + "\(latest.number("time")) s"
  }
  return sentence + (shadow["failure"]?.asText.map { "; it has ended: \($0)" } ?? "")
}

func runDelegatePromote(_ context: Context) throws -> Int32 {
  try context.request("delegate.promote", delegate(context.invocation)) { result in
    "\(context.invocation.required(Words.member)) is what its shadow was, seq \(result.number("seq"))"
  }
}

private func delegate(_ invocation: Invocation) -> Value.Record {
  ["header": .text(invocation.required(Words.header)), "delegate": .text(invocation.required(Words.member))]
}

private func options(_ invocation: Invocation) throws(CommandError) -> Value? {
  let given = invocation.all(Words.delegateOption)
  return given.isEmpty ? nil : .record(try QuickDescription.record(of: given))
}

private func chain(_ result: Value) -> String {
  let names = result.texts("delegates")
  return "the chain: \(names.isEmpty ? "nobody" : names.joined(separator: " "))"
}
