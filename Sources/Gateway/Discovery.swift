// SPDX-License-Identifier: MIT
//
// The schema of the protocol, an OpenRPC document with JSON Schemas (draft-07), as `rpc.discover` answers it. Parameters are
// what the decoders ask for when they are probed (DecoderProbe.swift), so they cannot differ; results and the daemon's own
// messages are tables beside their writers (Sources/HeaderWire/Schema).
//
//     methods                    what clients may ask for; x-role: who may
//     x-messages                 what the daemon sends by itself
//     components/schemas         params.METHOD: the parameters of a method as one object; shapes and parts by name
//     components/errors          every error by name

internal import Fanout
public import HeaderCore
internal import HeaderHost
internal import HeaderWire
internal import Shards

/// The schema of the protocol.
public enum Discovery {
  /// The document.
  public static let document = make()

  /// The document as a file has it.
  public static var text: String { lines(.record(document), indent: "") + "\n" }

  private static func make() -> Value.Record {
    var definitions = JSONSchema.written
    var methods: [Value] = []
    for method in RequestMethod.allCases { methods.append(describe(method, &definitions)) }
    let answer = DecoderProbe.notesOfAnswers().objectSchema(&definitions)
    definitions["DelegateEvent"] = delegateEvent(definitions["Event"])
    var errors = Value.Record()
    for name in ErrorName.allCases {
      errors[name.rawValue] = [
        "code": .number(Double(name.code)), "message": .text(name.rawValue), "x-retry": .text(name.retry.rawValue),
      ]
    }
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": "headerd", "version": .text(headerdVersion), "license": ["name": "MIT"],
        "description": .text(
          "Version 1 of the protocol over the socket of headerd; headerd-protocol(7) says what it means. "
            + "Unknown members of requests are ignored and named in warnings."),
      ],
      "methods": .list(methods), "x-messages": .list(ServerMessage.allCases.map { describe($0, answer) }),
      "components": ["schemas": .record(definitions), "errors": .record(errors)],
    ]
  }

  // MARK: - Methods

  private static func describe(_ method: RequestMethod, _ definitions: inout Value.Record) -> Value {
    let notes = notes(of: method)
    let name = "params.\(method.rawValue)"
    definitions[name] = notes.objectSchema(&definitions)
    let params = notes.members.map { member -> Value in
      [
        "name": .text(member.name), "required": .bool(notes.rules.required.contains(member.name)),
        "schema": JSONSchema.definition("\(name)/properties/\(member.name)"),
      ]
    }
    return [
      "name": .text(method.rawValue), "summary": .text(method.summary), "paramStructure": "by-name",
      "params": .list(params), "result": ["name": "result", "schema": method.resultSchema],
      "x-params": JSONSchema.definition(name),
      "x-role": .list(Roles.needed(for: method).words.map { .text($0) }),
    ]
  }

  /// What the parameters of a method are, from what reads them.
  private static func notes(of method: RequestMethod) -> FieldNotes {
    switch method {
    case .hello: DecoderProbe.notes { fields throws(HeaderError) in _ = try HelloParameters(&fields) }
    case .ping, .discover: FieldNotes()
    case .stats: DecoderProbe.notes { fields throws(HeaderError) in _ = try StatisticsParameters(&fields) }
    case .headerList: DecoderProbe.notes { fields throws(HeaderError) in _ = try ListParameters(&fields) }
    case .subscribe: DecoderProbe.notes { fields throws(HeaderError) in _ = try SubscriptionRequest(&fields) }
    case .unsubscribe: DecoderProbe.notes { fields throws(HeaderError) in _ = try UnsubscribeParameters(&fields) }
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload:
      DecoderProbe.notes { fields throws(HeaderError) in _ = try PluginRequest(method, &fields) }
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .headerMove, .headerConstrain,
      .headerRelease, .headerReveal, .headerExplain, .event, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .delegateShadow, .delegatePromote, .traceStart, .traceStop:
      DecoderProbe.notes(ofHeaderRequest: method)
    }
  }

  // MARK: - Messages of the daemon

  /// - Parameter answer: what a client answers when it is asked.
  private static func describe(_ message: ServerMessage, _ answer: Value) -> Value {
    var record: Value.Record = [
      "name": .text(message.rawValue), "summary": .text(message.summary), "x-to": .text(message.recipients),
    ]
    record["params"] = message.paramsSchema
    if message == .delegateAsk { record["result"] = answer }
    return .record(record)
  }

  /// What clients in a chain are told of an event: what publishers say of it, and how deep it is nested.
  private static func delegateEvent(_ event: Value?) -> Value {
    guard case .record(let schema)? = event, case .record(var properties)? = schema["properties"] else {
      preconditionFailure("headerd bug: events have members")
    }
    properties["event"] = ["enum": .list(JSONSchema.delegateEvents.map { .text($0) })]
    properties["depth"] = ["type": "integer", "minimum": 1]
    return [
      "type": "object", "properties": .record(properties), "required": ["event", "time"],
      "additionalProperties": false,
    ]
  }

  // MARK: - The file

  /// What fits into a line stays in one.
  private static func lines(_ value: Value, indent: String) -> String {
    var writer = JSONWriter()
    writer.value(value)
    let line = String(decoding: writer.copy(), as: UTF8.self)
    if line.utf8.count + indent.utf8.count <= 120 { return line }
    let inner = indent + "  "
    switch value {
    case .record(let record):
      let members = record.fields.map { field in
        "\(inner)\"\(field.name)\": \(lines(field.value, indent: inner))"
      }
      return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
    case .list(let list):
      return "[\n\(list.map { inner + lines($0, indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
    default: return line
    }
  }
}
