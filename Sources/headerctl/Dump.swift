// SPDX-License-Identifier: MIT
//
// `headerctl dump`: the whole daemon as one JSON document, for bug reports and for programs. Headers come one after the other, so
// each is true at a moment of its own.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import Installation

func runDump(_ context: Context) throws -> Int32 {
  let client = try context.connect(Interrupts(), needsReader: true)
  let hello = try client.call("hello", ["protocol": 1, "client": .text("headerctl \(headerdVersion)")])
  var params = Value.Record()
  params["match"] = context.invocation[Words.match].map { .text($0) }
  var dump: Value.Record = [
    "format": "headerd-dump/1", "hello": hello,
    "stats": try client.call("stats", ["include": ["headers", "subscribers"]]),
  ]
  // Needs the role admin; other users get a dump without it.
  dump["plugins"] = try? client.call("plugin.list")["plugins"]
  var headers: [Value] = []
  for row in try client.call("header.list", .record(params)).list("headers") {
    var record = Value.Record(fields: row.fields)
    for (key, value) in try details(of: row.text("header"), client) { record[key] = value }
    headers.append(.record(record))
  }
  dump["headers"] = .list(headers)
  context.console.print(Value.record(dump).json)
  return ExitStatus.done
}

/// A header's state, description and all that it remembers. One that is closed meanwhile has none, one that cannot save says so.
private func details(of name: String, _ client: Client) throws -> [(String, Value)] {
  func get(_ include: Value) throws -> Answer {
    try client.answer(to: "header.get", ["header": .text(name), "include": include])
  }
  let whole = try get(["description", "environment", "saved"])
  switch whole.result {
  case .success(let got): return got.fields.map { ($0.name, $0.value) }
  case .failure(let error) where error.name == "headerNotFound": return [("closed", true)]
  case .failure(let error):
    let rest = try get(["description", "environment"])
    guard case .success(let got) = rest.result else { return [("closed", true)] }
    return got.fields.map { ($0.name, $0.value) } + [("notSaved", error.object)]
  }
}
