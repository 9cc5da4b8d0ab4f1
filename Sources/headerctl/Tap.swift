// SPDX-License-Identifier: MIT
//
// `headerctl tap`: all inputs of headers, from any client: each event with its answer and the resulting state, as one JSON line. These
// are the steps of recordings (`trace.start`), of many headers at once; a header that opens meanwhile is recorded from its first state
// on.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runTap(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  for kind in invocation.all(Words.event) where !tapKinds.contains(kind) {
    let guess = nearest(to: kind, in: tapKinds).map { "; did you mean \"\($0)\"?" } ?? ""
    throw CommandError.usage("option \"--event\": there is no event \"\(kind)\"\(guess)")
  }
  let client = try context.connect(Interrupts(), needsReader: true)
  var tap = Tap(invocation)
  // This subscription only announces headers that open, so it asks for as little of their states as it can.
  try client.subscribe(to: invocation.all(Words.glob), mode: "latest", maxRate: 0.001, fields: [])
  try reportMissing(invocation.all(Words.glob), client, context)
  var limit = StateLimit(invocation)
  try listen(client, &limit) { notification in
    let params = notification.params
    switch notification.method {
    case "state":
      try tap.listen(to: params.text("header"), epoch: params["epoch"], client, context)
    case "trace":
      guard let line = tap.line(of: params) else { return false }
      context.console.print(line.json)
      return true
    case "error": context.console.complain(RemoteError(params).description)
    default: break
    }
    return false
  }
  return ExitStatus.done
}

/// The kinds of steps: events, and changes of structure as recordings have them.
let tapKinds =
  EventName.allCases.map(\.rawValue)
  + ["configure", "addDelegate", "removeDelegate", "moveDelegate", "reload", "unload", "bypass", "lead"]

/// The headers that are recorded, and the filter for their steps.
private struct Tap {
  private let kinds: [String]
  private let showsStates: Bool
  private let onlyStates: Bool
  /// Header names by the number of the recording.
  private var headers: [Double: String] = [:]
  /// Recorded headers, each with its epoch: a later life of the name is another header.
  private var heard: [String: Value] = [:]

  init(_ invocation: Invocation) {
    kinds = invocation.all(Words.event)
    showsStates = !invocation.has(Words.withoutStates)
    onlyStates = invocation.has(Words.changes)
  }

  mutating func listen(to name: String, epoch: Value?, _ client: Client, _ context: Context) throws {
    guard let epoch, heard[name] != epoch else { return }
    heard[name] = epoch
    let answer = try client.answer(to: "trace.start", ["header": .text(name)])
    switch answer.result {
    case .success(let result): if let number = result["trace"]?.asNumber { headers[number] = name }
    case .failure(let error) where error.name == "headerNotFound": break
    case .failure(let error): context.console.complain("\(name) is not heard: \(error)")
    }
  }

  /// The line to print for a notification; nil: none.
  mutating func line(of params: Value) -> Value? {
    guard let number = params["trace"]?.asNumber, let name = headers[number] else { return nil }
    if let ended = params["ended"] {
      headers[number] = nil
      return ["header": .text(name), "ended": ended]
    }
    guard let step = params["step"] else { return nil }
    if !kinds.isEmpty, !kinds.contains(step.text("event")) { return nil }
    if onlyStates, step["state"] == nil { return nil }
    var record: Value.Record = ["header": .text(name)]
    for field in step.fields where showsStates || !["state", "frames"].contains(field.name) {
      record[field.name] = field.value
    }
    return .record(record)
  }
}
