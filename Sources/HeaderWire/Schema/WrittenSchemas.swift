// SPDX-License-Identifier: MIT
//
// The schemas of what the daemon writes: states, errors, the parts of results. They stand beside the writers (StateTemplate,
// StateEncoder, JSONWriter+Shapes, Messages) and are held against each line of the recorded conversations (Tests/Schema).

public import HeaderCore

extension JSONSchema {
  private static let point = object(["x": number, "y": number])
  private static let insets = object(["top": number, "left": number, "bottom": number, "right": number])
  private static let rect = object(["x": number, "y": number, "width": number, "height": number])
  private static let transform: Value = ["type": "array", "items": number, "minItems": 16, "maxItems": 16]

  /// What several messages have in common, by name.
  public static var written: Value.Record {
    [
      "WrittenPoint": point, "WrittenInsets": insets, "WrittenRect": rect, "State": state, "Notice": notice,
      "Error": error, "Warnings": warnings, "Decision": decision, "OptionSchema": option, "Behavior": behavior,
      "Plugin": plugin, "Explanation": explanation, "Shadow": shadow, "Constraint": constraint,
      "Bypassed": list(of: object(["delegate": text, "reason": text])),
    ]
  }

  private static var state: Value {
    object(
      ["header": text, "epoch": count, "seq": count, "time": number],
      optional: [
        "snapshot": ["const": true], "trackingScrollView": either(text, null), "framesActive": ["const": true],
        "drawers": list(
          of: object(
            ["name": text, "frame": definition("WrittenRect")],
            optional: ["alpha": number, "hidden": ["const": true], "translation": definition("WrittenPoint")])),
        "elements": list(of: element),
        "scrollViews": map(
          of: object(
            ["contentOffset": definition("WrittenPoint"), "contentInset": definition("WrittenInsets")],
            optional: [
              "scrollIndicatorInsets": definition("WrittenInsets"),
              "adjustedContentInset": definition("WrittenInsets"), "frame": definition("WrittenRect"),
              "contentSize": object(["width": number, "height": number]), "correction": definition("WrittenPoint"),
            ])),
        "values": map(of: ["type": ["number", "string", "boolean", "null"]]),
        "wants": object(
          [:],
          optional: [
            "prefersStatusBarHidden": ["const": true],
            "preferredStatusBarStyle": words(StatusBarStyle.allCases.map(\.rawValue)),
            "additionalSafeAreaInset": definition("WrittenInsets"), "topLayoutGuideLength": number,
          ]),
        "position": object(
          ["progress": number, "traveled": number, "travel": number],
          optional: [
            "motion": count, "permitted": permitted, "constraints": list(of: definition("Constraint")),
            "obstruction": definition("WrittenInsets"),
          ]),
        "notices": list(of: definition("Notice")),
        "commands": list(of: object(["scrollView": text, "name": text, "arguments": record])),
        "animations": list(
          of: object(
            ["duration": number, "curve": words(AnimationCurve.words), "delegate": text],
            optional: [
              "delay": number, "mass": number, "stiffness": number, "damping": number, "initialVelocity": number,
            ])),
        "calls": list(of: object(["delegate": text, "event": words(delegateEvents), "depth": count])),
        "noticesLost": count, "explanation": definition("Explanation"),
      ])
  }

  private static var element: Value {
    object(
      [
        "name": text, "drawer": text, "center": definition("WrittenPoint"), "bounds": definition("WrittenRect"),
        "frame": either(definition("WrittenRect"), null),
      ],
      optional: [
        "transform": transform, "alpha": number, "hidden": ["const": true], "zIndex": number, "cornerRadius": number,
      ])
  }

  /// The least and the greatest progress.
  static let permitted: Value = ["type": "array", "items": number, "minItems": 2, "maxItems": 2]

  private static var constraint: Value {
    object(["name": text, "permitted": permitted], optional: ["priority": ["type": "integer"], "holder": text])
  }

  /// Where a header is, as `header.get` tells it.
  static var position: Value {
    object(
      [
        "progress": number, "traveled": number, "travel": number, "permitted": permitted,
        "constraints": list(of: definition("Constraint")),
        "stops": list(of: object(["name": text, "progress": number])),
      ], optional: ["motion": count])
  }

  /// The words for what delegates are told.
  public static var delegateEvents: [String] { DelegateEventKind.allCases.map(\.word) }

  private static var notice: Value {
    object(
      ["name": text, "delegate": text], optional: ["arguments": record, "count": count, "routine": ["const": true]])
  }

  /// The words for roles.
  static let roles = ["publish", "subscribe", "tune", "admin"]

  /// By role, the globs of the headers that it holds for.
  static var roleHeaders: Value {
    object([:], optional: Value.Record(fields: roles.map { .init(name: $0, value: list(of: text)) }))
  }

  private static var warnings: Value { list(of: object(["field": text], optional: ["hint": text])) }

  /// What was decided about one event.
  private static var decision: Value {
    object(
      ["seq": count],
      optional: [
        "targetOffset": definition("WrittenPoint"), "returned": anything, "rewrittenBy": either(text, null),
        "consumed": definition("WrittenPoint"), "residual": definition("WrittenPoint"),
      ])
  }

  private static var shadow: Value {
    object(
      ["delegate": text, "events": count, "differences": count, "largest": number],
      optional: [
        "latest": object(["time": number, "what": text, "edge": number, "shadowEdge": number]), "failure": text,
      ])
  }

  // MARK: - Explanations

  private static var explanation: Value {
    let change = object(["what": text, "from": anything, "to": anything])
    let part = object(
      ["drawer": text, "wanted": number, "taken": number, "residual": number],
      optional: ["rule": words(Explanation.Rule.allCases.map(\.rawValue)), "by": list(of: text)])
    let cut = object(
      ["rule": words(Explanation.Rule.allCases.map(\.rawValue)), "wanted": number, "left": number],
      optional: ["drawer": text, "by": list(of: text)])
    let move = object([
      "kind": words(Explanation.Move.Kind.allCases.map(\.rawValue)), "distance": number, "residual": number,
      "drawers": list(of: part),
    ])
    let turn = object(
      ["delegate": text, "event": text, "depth": count, "moves": list(of: move), "changes": list(of: change)],
      optional: [
        "frame": number, "offset": definition("WrittenPoint"), "cuts": list(of: cut), "told": list(of: text),
        "answer": record,
        "failure": text,
      ])
    return object(
      ["event": record, "turns": list(of: turn), "states": count, "story": list(of: text)],
      optional: [
        "seq": count, "changes": list(of: change), "silence": object(["name": text, "words": text]), "lost": count,
        "silent": list(of: definition("Explanation")), "silentLost": count,
      ])
  }

  // MARK: - Errors

  /// Each error has its number; its data has what programs read.
  private static var error: Value {
    guard
      case .record(var schema) = object([
        "code": ["type": "integer"], "message": text,
        "data": object(
          ["name": words(ErrorName.allCases.map(\.rawValue))],
          optional: [
            "field": text, "got": anything, "expected": text, "hint": text, "header": text, "index": count,
            "delegate": text, "delegates": list(of: text), "culprit": text, "role": text,
            "limit": object(
              ["name": text, "value": number], optional: ["key": text, "used": number, "user": count]),
            "user": count, "roleHeaders": roleHeaders, "versions": list(of: count),
            "retryAfter": number, "headers": list(of: text), "check": text, "path": text, "byte": count,
            "column": count,
          ]),
      ])
    else { return anything }
    schema["oneOf"] = .list(
      ErrorName.allCases.map { name in
        [
          "properties": [
            "code": ["const": .number(Double(name.code))],
            "data": ["properties": ["name": ["const": .text(name.rawValue)]]],
          ]
        ]
      })
    return .record(schema)
  }

  // MARK: - Plugins

  private static var option: Value {
    object(
      ["name": text, "type": text, "default": anything, "meaning": text],
      optional: [
        "unit": text, "minimum": number, "maximum": number, "cases": list(of: text), "nullable": ["const": true],
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
    let (text, count, number) = (Schema.text, Schema.count, Schema.number)
    let seq = Schema.object(["seq": count])
    let users = Schema.list(of: text)
    switch self {
    case .hello:
      return Schema.object(
        [
          "protocol": ["const": 1], "server": text, "capabilities": Schema.list(of: text),
          "roles": Schema.list(of: Schema.words(JSONSchema.roles)), "limits": Self.limits, "connection": count,
          "time": number,
        ], optional: ["roleHeaders": JSONSchema.roleHeaders])
    case .ping: return Schema.object(["time": number])
    case .discover: return Schema.record
    case .stats: return Self.statistics
    case .headerOpen:
      return Schema.object(["header": text, "handle": count, "epoch": count, "created": Schema.bool, "seq": count])
    case .headerClose, .unsubscribe: return Schema.object([:])
    case .headerList:
      let row = Schema.object(
        [
          "header": text, "handle": count, "epoch": count, "seq": count, "drawers": Schema.list(of: text),
          "delegates": Schema.list(of: text), "subscribers": count, "publishers": count,
        ], optional: ["bypassed": Schema.definition("Bypassed")])
      return Schema.object(["headers": Schema.list(of: row)])
    case .headerGet:
      return Schema.object(
        ["state": Schema.definition("State")],
        optional: [
          "bypassed": Schema.definition("Bypassed"), "description": Schema.record, "environment": Schema.record,
          "saved": Schema.record,
          "position": Schema.either(JSONSchema.position, Schema.null),
        ])
    case .headerConfigure, .delegateConfigure, .delegatePromote: return seq
    case .delegateShadow: return Schema.object(["shadow": Schema.either(Schema.definition("Shadow"), Schema.null)])
    case .headerCall: return Schema.object(["returned": Schema.anything, "seq": count], optional: ["id": count])
    case .headerMove: return Schema.object(["seq": count, "id": count, "progress": Schema.number])
    case .headerConstrain, .headerRelease:
      return Schema.object(["seq": count, "permitted": JSONSchema.permitted])
    case .headerReveal: return Schema.object(["seq": count, "gaveWay": Schema.number, "scroll": Schema.number])
    case .headerExplain:
      return Schema.object(["keep": count, "explanations": Schema.list(of: Schema.definition("Explanation"))])
    case .event:
      let decision = Schema.definition("Decision")
      return Schema.either(decision, Schema.object(["seq": count, "results": Schema.list(of: decision)]))
    case .subscribe: return Schema.object(["subscription": count, "matched": count])
    case .pluginList:
      let preset = Schema.object([
        "preset": text, "behavior": text, "summary": text, "options": ["type": "object"],
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
    for entry in Limits.entries { properties[entry.name] = JSONSchema.number }
    return [
      "type": "object", "properties": .record(properties), "required": .list(Limits.entries.map { .text($0.name) }),
      "additionalProperties": false,
    ]
  }

  private static var journal: Value {
    let count = JSONSchema.count
    return JSONSchema.object(
      [
        "durability": JSONSchema.text, "headers": count, "notRecorded": count, "copiedBytes": count,
        "unrestored": count, "segments": count, "bytes": count,
        "records": count,
      ], optional: ["failure": JSONSchema.text])
  }

  /// What a user takes, and may take.
  private static var users: Value {
    let count = JSONSchema.count
    func counts(_ name: (Quota) -> String) -> Value.Record {
      Value.Record(fields: Quota.allCases.map { .init(name: name($0), value: count) })
    }
    return JSONSchema.object([
      "user": count, "used": JSONSchema.object(counts { $0 == .eventsPerSecond ? "events" : $0.rawValue }),
      "allowed": JSONSchema.object([:], optional: counts(\.rawValue)),
    ])
  }

  private static var statistics: Value {
    let count = JSONSchema.count
    return JSONSchema.object(
      [
        "connections": count, "headers": count, "subscriptions": count, "events": count, "states": count, "gaps": count,
        "errors": count, "bytesReceived": count, "bytesSent": count, "resumeStates": count, "resumeBytes": count,
      ],
      optional: [
        "journal": journal, "memory": count,
        "workers": JSONSchema.object(["processes": count, "headers": count, "deaths": count]),
        "headerRows": JSONSchema.list(
          of: JSONSchema.object(
            [
              "header": JSONSchema.text, "events": count, "states": count, "queue": count, "subscribers": count,
              "publishers": count,
            ], optional: ["shadow": JSONSchema.definition("Shadow")])),
        "subscribers": JSONSchema.list(
          of: JSONSchema.object(
            ["connection": count, "headers": count],
            optional: [
              "client": JSONSchema.text, "user": count, "subscriptions": count, "queueBytes": count,
              "age": JSONSchema.number,
            ])),
        "users": JSONSchema.list(of: users),
        "plugins": JSONSchema.map(of: JSONSchema.object(["calls": count, "time": JSONSchema.number])),
      ])
  }
}
