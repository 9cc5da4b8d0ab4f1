// SPDX-License-Identifier: MIT
//
// The schemas of the daemon's output: states (StateTable.swift), errors, the parts of results. Tests/Schema checks each line of the
// recorded conversations against them.

internal import CHeaderWire
public import HeaderModel

extension JSONSchema {
  private static let point = object(["x": points, "y": points])
  private static let insets = object(["top": points, "left": points, "bottom": points, "right": points])
  private static let rect = object(["x": points, "y": points, "width": points, "height": points])

  /// What several messages have in common, by name.
  public static var written: Value.Record {
    [
      "WrittenPoint": point, "WrittenInsets": insets, "WrittenRect": rect, "State": state,
      "Notice": SchemaMembers.object(header_wire_notice()),
      "Error": error, "Warning": warning, "Warnings": list(of: definition("Warning")), "Decision": decision,
      "Decisions": object(["seq": count, "results": list(of: definition("Decision"))]), "OptionSchema": option,
      "Behavior": behavior,
      "Plugin": plugin, "Explanation": explanation, "Shadow": shadow, "Constraint": constraint,
      "Bypassed": object(["delegate": text, "reason": text]),
    ]
  }

  /// The least and the greatest progress.
  static let permitted: Value = ["type": "array", "items": number, "minItems": 2, "maxItems": 2]

  private static var constraint: Value {
    object(["name": text, "permitted": permitted], optional: ["priority": ["type": "integer"], "holder": text])
  }

  /// A header's position in `header.get`.
  static var position: Value {
    object(
      [
        "progress": number, "traveled": points, "travel": points, "permitted": permitted,
        "constraints": list(of: definition("Constraint")),
        "stops": list(of: object(["name": text, "progress": number])),
      ], optional: ["motion": count])
  }

  /// The words for delegates' events.
  public static var delegateEvents: [String] { DelegateEventKind.allCases.map(\.word) }

  static let roles = ["publish", "subscribe", "tune", "admin"]

  /// By role, the globs of the headers that it holds for.
  static var roleHeaders: Value {
    object([:], optional: Value.Record(fields: roles.map { .init(name: $0, value: list(of: text)) }))
  }

  private static var warning: Value { object(["field": text], optional: ["hint": text]) }

  /// The answer to one event.
  private static var decision: Value {
    object(
      ["seq": count],
      optional: [
        "targetOffset": definition("WrittenPoint"), "returned": anything, "rewrittenBy": either(text, null),
        "consumed": definition("WrittenPoint"), "residual": definition("WrittenPoint"),
      ])
  }

  private static var shadow: Value {
    let latest = object([
      "time": seconds.meaning("header time"), "what": text.meaning("what differed first"),
      "edge": points.meaning("the header's lower edge"),
      "shadowEdge": points.meaning("the shadow's lower edge"),
    ])
    return object(
      [
        "delegate": text.meaning("the delegate that the shadow changes"),
        "events": count.meaning("inputs that the shadow got"),
        "differences": count.meaning("inputs after which the two differed"),
        "largest": points.meaning("greatest distance between the lower edges of the two"),
      ],
      optional: [
        "latest": latest.meaning("the latest difference"),
        "failure": text.meaning("why the shadow has ended by itself"),
      ])
  }

  // MARK: - Explanations

  private static var explanation: Value {
    let rule = words(Explanation.Rule.allCases.map(\.rawValue))
    let change = object([
      "what": text.meaning("what was written, such as `navBar top` or `contentInset of content`"),
      "from": anything.meaning("what it was"), "to": anything.meaning("what it is"),
    ])
    let part = object(
      [
        "drawer": text.meaning("its name"), "wanted": points.meaning("how far it was offered"),
        "taken": points.meaning("how far it moved by"), "residual": points.meaning("how far it passed on"),
      ],
      optional: [
        "rule": rule.meaning("the rule that cut it"), "by": list(of: text).meaning("constraints that hold it"),
      ])
    let cut = object(
      [
        "rule": rule.meaning("`constraint` or `resistance`"), "wanted": points.meaning("what was asked"),
        "left": points.meaning("what was left of it"),
      ],
      optional: [
        "drawer": text.meaning("the drawer; absent: all of them"),
        "by": list(of: text).meaning("constraints that hold it"),
      ])
    let move = object([
      "kind": words(Explanation.Move.Kind.allCases.map(\.rawValue)).meaning("what was asked of the drawers"),
      "distance": points.meaning("how far were asked"), "residual": points.meaning("how far no drawer took"),
      "drawers": list(of: part).meaning("each drawer that was asked"),
    ])
    let turn = object(
      [
        "delegate": text.meaning("the delegate that was called"),
        "event": text.meaning("the event, or `frame`, `timer`, `afterwards`, `request`, `answer`"),
        "depth": count.meaning("how deep the event was nested in others"),
        "moves": list(of: move).meaning("movements that it asked of the drawers"),
        "changes": list(of: change).meaning("what else it wrote"),
      ],
      optional: [
        "frame": seconds.meaning("header time of the frame that ran before the event and called it"),
        "offset": definition("WrittenPoint").meaning("the content offset that it read"),
        "cuts": list(of: cut).meaning("parts of movements that did not reach the drawers"),
        "told": list(of: text).meaning("what it noted"), "answer": record.meaning("what it answered"),
        "failure": text.meaning("why it failed"),
      ])
    let silence = object(["name": text.meaning("a word for programs"), "words": text.meaning("the same in words")])
    return object(
      [
        "event": record.meaning("the event as recordings have it"),
        "turns": list(of: turn).meaning("the delegates that were called, in order"),
        "states": count.meaning("states that were sent"),
        "story": list(of: text).meaning("the same in plain words, a sentence an entry"),
      ],
      optional: [
        "seq": count.meaning("`seq` of the last of these states"),
        "changes": list(of: change).meaning("what the event itself changed"),
        "silence": silence.meaning("why no state was sent"),
        "lost": count.meaning("calls, movements and changes that are left out: an explanation has room for 256"),
        "silent": list(of: definition("Explanation")).meaning(
          "in a state: events since the state before it that made none, the last 8 at most"),
        "silentLost": count.meaning("events before those"),
      ])
  }

  // MARK: - Errors

  /// Each error has its number; its data is for programs.
  private static var error: Value {
    object([
      "code": ["type": "integer", "enum": .list(ErrorName.allCases.map { .number(Double($0.code)) })], "message": text,
      "data": object(
        ["name": words(ErrorName.allCases.map(\.rawValue))],
        optional: [
          "field": text, "got": anything, "expected": text, "hint": text, "header": text, "digest": count,
          "givenDigest": count,
          "index": count,
          "delegate": text, "delegates": list(of: text), "culprit": text, "role": text,
          "limit": object(
            ["name": text, "value": number], optional: ["key": text, "used": number, "user": count]),
          "user": count, "roleHeaders": roleHeaders, "versions": list(of: count),
          "capability": text, "retryAfter": seconds, "headers": list(of: text), "check": text, "path": text,
          "byte": count,
          "column": count,
        ]),
    ])
  }

  // MARK: - Plugins

  private static var option: Value {
    object(
      ["name": text, "type": text, "default": anything, "meaning": text],
      optional: [
        "unit": text, "minimum": number, "maximum": number, "cases": list(of: text), "nullable": flag,
      ])
  }

  private static var plugin: Value {
    object([
      "plugin": text, "version": text, "abi": text, "path": text, "state": text,
      "behaviors": list(of: definition("Behavior")),
    ])
  }

  private static var behavior: Value {
    object([
      "behavior": text, "summary": text, "moves": bool, "events": list(of: words(delegateEvents)),
      "calls": list(of: object(["name": text, "arguments": list(of: definition("OptionSchema")), "meaning": text])),
      "values": list(
        of: object(
          ["name": text, "type": text, "initial": anything, "meaning": text],
          optional: ["unit": text, "cases": list(of: text)])),
      "notices": list(of: text), "options": list(of: definition("OptionSchema")),
    ])
  }
}

// MARK: - Results

extension RequestMethod {
  /// The schema of its result.
  public var resultSchema: Value {
    typealias Schema = JSONSchema
    let (text, count) = (Schema.text, Schema.count)
    let seq = Schema.object(["seq": count])
    let users = Schema.list(of: text)
    switch self {
    case .hello:
      return Schema.object(
        [
          "protocol": ["type": "integer", "const": 1], "server": text, "capabilities": Schema.list(of: text),
          "roles": Schema.list(of: Schema.words(JSONSchema.roles)), "limits": Self.limits, "connection": count,
          "time": Schema.seconds,
        ], optional: ["roleHeaders": JSONSchema.roleHeaders])
    case .ping: return Schema.object(["time": Schema.seconds])
    case .discover: return Schema.record
    case .stats: return Self.statistics
    case .headerOpen:
      return Schema.object([
        "header": text, "handle": count, "epoch": count, "created": Schema.bool, "seq": count, "digest": count,
      ])
    case .headerClose, .unsubscribe: return Schema.object([:])
    case .headerList:
      // A realm knows less of headers elsewhere (headerd-nats(8)).
      let row = Schema.object(
        ["header": text, "handle": count, "epoch": count],
        optional: [
          "seq": count, "drawers": Schema.list(of: text), "delegates": Schema.list(of: text), "subscribers": count,
          "publishers": count, "bypassed": Schema.list(of: Schema.definition("Bypassed")),
          "owner": text.meaning("of a realm: the node that has it"),
        ])
      return Schema.object(["headers": Schema.list(of: row)])
    case .headerGet:
      return Schema.object(
        ["state": Schema.definition("State"), "digest": count],
        optional: [
          "bypassed": Schema.list(of: Schema.definition("Bypassed")),
          "description": Schema.definition("HeaderDescription"),
          "environment": Schema.definition("Environment"),
          "saved": Schema.record,
          "position": Schema.either(JSONSchema.position, Schema.null),
        ])
    case .headerConfigure, .delegateConfigure, .delegatePromote: return seq
    case .delegateShadow: return Schema.object(["shadow": Schema.either(Schema.definition("Shadow"), Schema.null)])
    case .headerCall: return Schema.object(["returned": Schema.anything, "seq": count], optional: ["id": count])
    case .headerMove: return Schema.object(["seq": count, "id": count, "progress": Schema.number])
    case .headerConstrain, .headerRelease:
      return Schema.object(["seq": count, "permitted": JSONSchema.permitted])
    case .headerReveal: return Schema.object(["seq": count, "gaveWay": Schema.points, "scroll": Schema.points])
    case .headerExplain:
      return Schema.object(["keep": count, "explanations": Schema.list(of: Schema.definition("Explanation"))])
    case .event:
      return Schema.either(Schema.definition("Decision"), Schema.definition("Decisions"))
    case .subscribe: return Schema.object(["subscription": count, "matched": count])
    case .pluginList:
      let preset = Schema.object([
        "preset": text, "behavior": text, "summary": text, "options": Schema.record,
      ])
      return Schema.object([
        "plugins": Schema.list(of: Schema.definition("Plugin")), "presets": Schema.list(of: preset),
      ])
    case .pluginLoad: return Schema.definition("Plugin")
    case .pluginUnload: return Schema.object(["headers": users])
    case .pluginReload:
      return Schema.object([
        "headers": Schema.list(of: Schema.object(["header": text, "seq": count])), "changed": Schema.bool,
      ])
    case .traceStart: return Schema.object(["trace": count])
    case .traceStop: return Schema.object(["steps": count])
    case .delegateAdd: return Schema.object(["delegate": text, "index": count])
    case .delegateRemove, .delegateMove: return Schema.object(["delegates": users])
    }
  }

  private static var limits: Value {
    var properties = Value.Record()
    for entry in Limits.entries {
      switch entry.kind {
      case .count: properties[entry.name] = entry.name.hasSuffix("Bytes") ? JSONSchema.bytes : JSONSchema.count
      case .seconds: properties[entry.name] = JSONSchema.seconds
      }
    }
    return JSONSchema.object(properties)
  }

  private static var journal: Value {
    let count = JSONSchema.count
    return JSONSchema.object(
      [
        "durability": JSONSchema.text.meaning("the durability of the config"),
        "headers": count.meaning("headers that are recorded"),
        "notRecorded": count.meaning("headers that are not, since they cannot be saved"),
        "copiedBytes": JSONSchema.bytes.meaning(
          "of headers that cannot be saved and are kept as state and later inputs"),
        "unrestored": count.meaning("headers that are kept for the next start"),
        "segments": count.meaning("files"), "bytes": JSONSchema.bytes.meaning("size of the files"),
        "records": count.meaning("records written since the start"),
      ], optional: ["failure": JSONSchema.text.meaning("why nothing is recorded now")])
  }

  /// A user's use of the daemon, and the quotas.
  private static var users: Value {
    let count = JSONSchema.count
    func counts(_ name: (Quota) -> String) -> Value.Record {
      Value.Record(fields: Quota.allCases.map { .init(name: name($0), value: count) })
    }
    return JSONSchema.object([
      "user": count.meaning("the user's number"),
      "used": JSONSchema.object(counts { $0 == .eventsPerSecond ? "events" : $0.rawValue }).meaning(
        "of each quota; of events how many so far"),
      "allowed": JSONSchema.object([:], optional: counts(\.rawValue)).meaning("each quota that is bounded"),
    ])
  }

  private static var headerRow: Value {
    let count = JSONSchema.count
    return JSONSchema.object(
      [
        "header": JSONSchema.text.meaning("its name"), "events": count.meaning("handled since it was opened"),
        "states": count.meaning("made since it was opened"), "queue": count.meaning("commands that wait"),
        "subscribers": count.meaning("connections that get its states"),
        "publishers": count.meaning("connections that have sent it events"),
      ], optional: ["shadow": JSONSchema.definition("Shadow").meaning("as in `delegate.shadow`")])
  }

  private static var subscriberRow: Value {
    let count = JSONSchema.count
    return JSONSchema.object(
      ["connection": count.meaning("its number"), "headers": count.meaning("headers whose states it gets")],
      optional: [
        "client": JSONSchema.text.meaning("its `client` in `hello`"),
        "user": count.meaning("its user's number"),
        "subscriptions": count.meaning("how many it has"),
        "queueBytes": JSONSchema.bytes.meaning("bytes that the system has not taken"),
        "age": JSONSchema.seconds.meaning("the least time that the oldest unread bytes have waited"),
      ])
  }

  private static var statistics: Value {
    let count = JSONSchema.count
    let workers = JSONSchema.object([
      "processes": count.meaning("processes now"), "headers": count.meaning("headers in them"),
      "deaths": count.meaning("processes that have died"),
    ])
    let plugin = JSONSchema.object([
      "calls": count.meaning("calls into it"), "time": JSONSchema.seconds.meaning("time in these calls"),
    ])
    return JSONSchema.object(
      [
        "connections": count.meaning("open now"), "headers": count.meaning("open now"),
        "subscriptions": count.meaning("open now"), "events": count.meaning("handled"),
        "states": count.meaning("made"), "gaps": count.meaning("sent"), "errors": count.meaning("answered"),
        "bytesReceived": JSONSchema.bytes.meaning("from clients"), "bytesSent": JSONSchema.bytes.meaning("to clients"),
        "resumeStates": count.meaning("states kept now for `resumeFrom`"),
        "resumeBytes": JSONSchema.bytes.meaning("their size"),
      ],
      optional: [
        "journal": journal.meaning("where the daemon keeps headers"),
        "memory": JSONSchema.bytes.meaning("memory of the process"),
        "workers": workers.meaning("where headers are in processes of their own"),
        "headerRows": JSONSchema.list(of: headerRow).meaning(
          "with `include` \"headers\": a row for each header that the client may see"),
        "subscribers": JSONSchema.list(of: subscriberRow).meaning(
          "with `include` \"subscribers\": a row for each connection with subscriptions; for administrators of all headers, else the client's own"
        ),
        "users": JSONSchema.list(of: users).meaning("a row for each user; for administrators, else the client's own"),
        "plugins": JSONSchema.map(of: plugin).meaning("by name"),
      ])
  }
}
