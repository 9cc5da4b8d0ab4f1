// SPDX-License-Identifier: MIT
//
// Does the steps of a conformance script with the client for Swift: steps on stdin, a line of JSON for each on stdout
// (Tests/Clients/README.md).

import Glibc
import HeaderClient
import HeaderModel
import HeaderTrace
import Installation

/// A step that this driver does not know, or cannot do.
struct BadStep: Error {}

func environment(_ names: String...) -> [String: String] {
  var variables: [String: String] = [:]
  for name in names {
    if let value = unsafe getenv(name) { unsafe variables[name] = String(cString: value) }
  }
  return variables
}

func socketPath() -> String {
  SocketPath.resolve(option: nil, environment: environment("HEADERD_SOCKET", "XDG_RUNTIME_DIR"), user: geteuid()).path
}

func errorObject(_ error: RemoteError) -> Value {
  [
    "code": .number(Double(error.code)), "name": .text(error.name), "message": .text(error.message),
    "field": error.object["data"]?["field"] ?? nil, "hint": error.hint.map { .text($0) } ?? nil,
    "data": error.object["data"] ?? nil,
  ]
}

func numbers(_ values: Double...) -> Value { .list(values.map { .number($0) }) }

extension Point { var told: Value { numbers(x, y) } }
extension Rect { var told: Value { numbers(origin.x, origin.y, size.width, size.height) } }
extension Insets { var told: Value { numbers(top, left, bottom, right) } }

/// These fields of a record, null where one is absent.
func picked(_ names: [String], from record: Value) -> Value {
  .record(Value.Record(fields: names.map { Value.Record.Field(name: $0, value: record[$0] ?? nil) }))
}

/// FIELD=VALUE words as an event's fields.
func fields(_ words: some Sequence<Substring>, in record: Value.Record) throws -> Value.Record {
  var record = record
  for word in words {
    let parts = word.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { throw BadStep() }
    let (path, value) = (parts[0].split(separator: "."), try Value(json: Array(parts[1].utf8)))
    let first = String(path[0])
    guard path.count == 2 else {
      record[first] = value
      continue
    }
    var inner = Value.Record(fields: record[first]?.fields ?? [])
    inner[String(path[1])] = value
    record[first] = .record(inner)
  }
  return record
}

/// One client and its views.
final class Actor {
  let client: Client
  private var views: [String: HeaderView] = [:]
  private var mirrors = false

  init() throws {
    client = try Client(path: socketPath())
    do {
      try client.call("hello", ["protocol": 1, "client": "conformance"])
    } catch ClientError.ended(let goodbye) {
      // A daemon that has no room for one more says so before it ends the connection.
      if case .message(.notification(let last)) = try client.next(), last.method == "error" {
        throw RemoteError(last.params)
      }
      throw ClientError.ended(goodbye: goodbye)
    }
  }

  private func told(_ message: HeaderClient.Notification) -> Value {
    let params = message.params
    switch message.method {
    case "gap": return ["gap": picked(["header", "epoch", "reason", "from", "to"], from: params)]
    case "closed": return ["closed": picked(["header", "epoch", "seq", "reason"], from: params)]
    case "error": return ["failure": errorObject(RemoteError(params))]
    default: break
    }
    let header = params["header"]?.asText ?? ""
    var view = views[header] ?? HeaderView(mirrors: mirrors)
    view.apply(params)
    views[header] = view
    let offsets = (params["scrollViews"]?.fields ?? []).map {
      Value.Record.Field(name: $0.name, value: Point(json: $0.value["contentOffset"]).told)
    }
    var state = Value.Record(fields: picked(["header", "epoch", "seq", "time"], from: params).fields)
    state["snapshot"] = params["snapshot"] ?? false
    state["values"] = params["values"] ?? [:]
    state["offsets"] = .record(Value.Record(fields: offsets))
    state.fields += looks(params).fields
    if params["ahead"] != nil { state["ahead"] = true }
    return ["state": .record(state), "view": shown(view)]
  }

  /// What few states have: the opacity of elements, where the header is, and what it covers.
  private func looks(_ params: Value) -> Value.Record {
    let elements = (params["elements"]?.elements ?? []).map {
      Value.Record.Field(name: $0["name"]?.asText ?? "", value: $0["alpha"] ?? 1)
    }
    var told = Value.Record()
    if !elements.isEmpty { told["elements"] = .record(Value.Record(fields: elements)) }
    for name in ["progress", "obstruction"] { told[name] = params["position"]?[name] }
    return told
  }

  private func drawn(_ drawers: [StatePicture.Piece]) -> Value {
    .list(
      drawers.map { drawer in
        [
          "name": .text(drawer.name), "frame": drawer.frame.told, "alpha": .number(drawer.alpha),
          "hidden": .bool(drawer.isHidden), "translation": drawer.translation.told,
        ]
      })
  }

  private func shown(_ view: HeaderView) -> Value {
    let scrollViews = view.scrollViews.map { one in
      Value.Record.Field(
        name: one.name,
        value: ["offset": one.offset.told, "inset": one.inset.told, "correction": one.correction.told])
    }
    return ["drawers": drawn(view.drawers), "scrollViews": .record(Value.Record(fields: scrollViews))]
  }

  private func next(within seconds: Double) throws -> Value? {
    while true {
      guard case .message(let message) = try client.next(within: seconds) else { return nil }
      // The daemon's last word is the reason of `ended`.
      if case .notification(let notification) = message, notification.method != "bye" { return told(notification) }
    }
  }

  private func subscribe(_ params: Value) throws -> Value {
    let headers = params["headers"]?.asText.map { [$0] } ?? params["headers"]?.elements.compactMap(\.asText) ?? []
    let include = params["include"]?.elements.compactMap(\.asText) ?? []
    mirrors = include.contains("contentOffset")
    let answer = try client.subscribe(
      to: headers, mode: params["mode"]?.asText ?? "latest", include: include,
      fields: params["fields"]?.elements.compactMap(\.asText), grid: params["grid"]?.asNumber,
      predict: params["predict"] == true,
      resumeFrom: [:])
    return ["subscribed": picked(["subscription", "matched"], from: answer)]
  }

  private func scroll(_ words: [Substring]) throws -> Value {
    let (header, name) = (String(words[0]), String(words[1]))
    guard let by = Double(words[2]), let at = views[header]?[name]?.offset,
      let event = views[header]?.scroll(name, to: at + Point(y: by)), let view = views[header]?[name]
    else { throw BadStep() }
    var params = try fields(words[3...], in: event)
    params["header"] = .text(header)
    params["event"] = "didScroll"
    try client.notify("event", .record(params))
    return ["sent": true, "offset": .number(view.offset.y), "correction": .number(view.correction.y)]
  }

  private func at(_ words: [Substring]) throws -> Value {
    let (header, name) = (String(words[0]), String(words[1]))
    guard let by = Double(words[2]), let at = views[header]?[name]?.offset,
      let state = views[header]?.at(at.y + by, isDragged: words.count > 3), let picture = StatePicture(state)
    else { throw BadStep() }
    let insets = picture.scrollViews.map { Value.Record.Field(name: $0.name, value: $0.inset.told) }
    var told = looks(state)
    told["values"] = .record(picture.values)
    told["drawers"] = drawn(picture.drawers)
    told["insets"] = .record(Value.Record(fields: insets))
    return ["at": .record(told)]
  }

  func perform(_ verb: Substring, _ rest: Substring) throws -> Value {
    let words = rest.split(separator: " ")
    let json = { (text: Substring) in try Value(json: Array(text.utf8)) }
    let event = {
      try Value.record(fields(words[2...], in: ["header": .text("\(words[0])"), "event": .text("\(words[1])")]))
    }
    switch verb {
    case "open":
      return [
        "opened": picked(["header", "epoch", "seq", "created"], from: try client.call("header.open", json(rest)))
      ]
    case "subscribe": return try subscribe(json(rest))
    case "unsubscribe":
      try client.unsubscribe(Int(rest) ?? 0)
      return ["unsubscribed": true]
    case "request":
      let line = try client.answer(to: String(words[0]), json(rest.dropFirst(words[0].count)))
      let warnings = line.warnings.map {
        Value(dictionaryLiteral: ("field", .text($0.replacing("unknown field ", with: ""))))
      }
      return ["result": try line.result.get(), "warnings": .list(warnings)]
    case "notify":
      try client.notify(String(words[0]), json(rest.dropFirst(words[0].count)))
      return ["sent": true]
    case "event":
      try client.notify("event", event())
      return ["sent": true]
    case "decide": return ["decided": try client.call("event", event())]
    case "scroll": return try scroll(words)
    case "at": return try at(words)
    case "next": return try next(within: 10) ?? ["timeout": true]
    case "none":
      try client.call("ping")
      return try next(within: 0) ?? ["none": true]
    case "resume":
      try client.resume()
      return ["resumed": true]
    case "close":
      client.close()
      return ["disconnected": true]
    default: throw BadStep()
    }
  }
}

/// All clients of a conversation.
struct Actors {
  private var actors: [Substring: Actor] = [:]

  mutating func perform(_ step: String) throws -> Value {
    let parts = step.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2 else { throw BadStep() }
    let (who, verb) = (parts[0], parts[1])
    do {
      switch verb {
      case "socket": return ["socket": .text(socketPath())]
      case "connect":
        actors[who] = try Actor()
        return ["connected": true]
      default:
        guard let actor = actors[who] else { throw BadStep() }
        return try actor.perform(verb, parts.count > 2 ? parts[2] : "")
      }
    } catch ClientError.refused(let error) {
      return ["error": errorObject(error)]
    } catch let error as RemoteError {
      return ["error": errorObject(error)]
    } catch ClientError.badLine(let reason, _) {
      return ["lost": .text(reason)]
    } catch ClientError.ended(let goodbye) {
      return ["lost": goodbye.map { .text($0) } ?? nil]
    } catch ClientError.noDaemon(let path, _) {
      return ["noDaemon": .text(path)]
    } catch ClientError.timeout {
      return ["timeout": true]
    }
  }
}

var actors = Actors()
while let step = readLine() {
  print(try actors.perform(step).json)
  fflush(nil)
}
