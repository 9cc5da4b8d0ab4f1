// SPDX-License-Identifier: MIT
//
// The schema of the protocol, an OpenRPC document with JSON Schemas (draft-07), as `rpc.discover` answers it. Parameters come from
// probing the decoders (DecoderProbe.swift), so they cannot differ; results and the daemon's own messages are tables beside their writers
// (Sources/HeaderWire/Schema).
//
//     methods                    what clients may ask for; x-role: who may
//     x-messages                 what the daemon sends by itself
//     components/schemas         params.METHOD: the parameters of a method as one object; shapes and parts by name
//     components/errors          every error by name

internal import Fanout
internal import HeaderHost
internal import HeaderInsight
public import HeaderModel
internal import HeaderWire
internal import Installation
internal import Shards

/// The schema of the protocol.
public enum Discovery {
  /// The document that `discover` is answered with.
  public static let document = make()

  /// The document as a file has it.
  public static var text: String { lines(.record(document), indent: "") + "\n" }

  private static func make() -> Value.Record {
    var maker = SchemaMaker()
    let described = RequestMethod.allCases.map { ($0, maker.describe($0)) }
    let messages = ServerMessage.allCases.map { maker.describe($0) }
    let schemas = maker.finish()
    let methods = described.map { method, description -> Value in
      var description = description
      description["params"] = SchemaMaker.parameters(of: method, in: schemas)
      return .record(description)
    }
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
      "methods": .list(methods), "x-messages": .list(messages),
      "components": ["schemas": .record(schemas), "errors": .record(errors)],
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

/// Describes methods and messages, and names the schemas of their parts.
private struct SchemaMaker {
  /// Schemas by name, records within them in place.
  private var definitions = JSONSchema.written
  /// The roots among them: parameters and results.
  private var named = Value.Record()

  init() {
    let events = EventName.allCases.map(\.rawValue)
    definitions["Event"] = JSONSchema.union(by: "event", events) { Self.typeName($0) + "Event" }
    for (word, notes) in DecoderProbe.notesOfEvents(isRequest: false) {
      let name = Self.typeName(word) + "Event"
      definitions[name] = notes.objectSchema(&definitions, fixed: ("event", word))
    }
    let actions = DecoderProbe.notesOfActions()
    definitions["Action"] = JSONSchema.union(by: "action", actions.map(\.word)) { Self.typeName($0) + "Action" }
    for (word, notes) in actions {
      let name = Self.typeName(word) + "Action"
      definitions[name] = notes.objectSchema(&definitions, fixed: ("action", word))
    }
    addDelegateEvents()
    let description = DecoderProbe.notes { fields throws(HeaderError) in _ = try HeaderDescription(&fields) }
    definitions["HeaderDescription"] = description.objectSchema(&definitions)
  }

  /// `header.open`, `willBeginDragging`: HeaderOpen, WillBeginDragging.
  private static func typeName(_ word: String) -> String {
    word.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The schemas by name; each record has a name of its own.
  func finish() -> Value.Record {
    var components = SchemaComponents()
    for field in definitions.fields + named.fields { components.add(field.name, field.value) }
    return components.schemas
  }

  /// Names a schema; one that is a reference already stays.
  private mutating func reference(_ name: String, _ schema: Value) -> Value {
    if case .record(let record) = schema, record["$ref"] != nil { return schema }
    named[name] = schema
    return JSONSchema.definition(name)
  }

  // MARK: - Methods

  /// All of a method but its parameters one by one, for which the schemas must have their names.
  mutating func describe(_ method: RequestMethod) -> Value.Record {
    let notes = Self.notes(of: method)
    let name = Self.typeName(method.rawValue)
    let schema = notes.objectSchema(&definitions)
    let whole =
      switch method {
      case .event: eventParameters(schema)
      case .delegateAdd: newDelegateParameters()
      default: reference("\(name)Params", schema)
      }
    return [
      "name": .text(method.rawValue), "summary": .text(method.summary), "paramStructure": "by-name",
      "params": [], "result": ["name": "result", "schema": reference("\(name)Result", method.resultSchema)],
      "x-params": whole, "x-role": .list(Roles.needed(for: method).words.map { .text($0) }),
    ]
  }

  /// The parameters of a method one by one, each as in the record of all of them, or the first record of several that has it.
  static func parameters(of method: RequestMethod, in schemas: Value.Record) -> Value {
    let notes = Self.notes(of: method)
    let records = Self.records(in: "\(typeName(method.rawValue))Params", schemas)
    return .list(
      notes.members.map { member in
        let schema = records.lazy.compactMap { record -> Value? in
          guard case .record(let properties)? = record["properties"] else { return nil }
          return properties[member.name]
        }.first
        guard let schema else { preconditionFailure("headerd bug: \(method.rawValue) has no schema of \(member.name)") }
        return [
          "name": .text(member.name),
          "required": .bool(method != .event && notes.rules.required.contains(member.name)), "schema": schema,
        ]
      })
  }

  /// The record of a name, or those among which it chooses.
  private static func records(in name: String, _ schemas: Value.Record) -> [Value.Record] {
    guard case .record(let schema)? = schemas[name] else { return [] }
    guard case .list(let choices)? = schema["oneOf"] else { return [schema] }
    return choices.flatMap { choice in
      guard case .record(let choice) = choice, case .text(let target)? = choice["$ref"] else { return [Value.Record]() }
      return records(in: String(target.split(separator: "/").last ?? ""), schemas)
    }
  }

  /// A list of events, or one event whose members stand beside `header`.
  private mutating func eventParameters(_ several: Value) -> Value {
    named["EventsParams"] = several
    let words = EventName.allCases.map(\.rawValue)
    named["OneEventParams"] = JSONSchema.union(by: "event", words) { Self.typeName($0) + "EventParams" }
    for (word, notes) in DecoderProbe.notesOfEvents(isRequest: true) {
      named[Self.typeName(word) + "EventParams"] = notes.objectSchema(&definitions, fixed: ("event", word))
    }
    return either("EventParams", "OneEventParams", "EventsParams")
  }

  /// A behavior, or the client itself.
  private mutating func newDelegateParameters() -> Value {
    for (name, isClient) in [("AddBehaviorParams", false), ("AddClientParams", true)] {
      named[name] = DecoderProbe.notesOfNewDelegates(client: isClient).objectSchema(&definitions)
    }
    return either("DelegateAddParams", "AddBehaviorParams", "AddClientParams")
  }

  /// Names the choice between two parameters' schemas.
  private mutating func either(_ name: String, _ first: String, _ second: String) -> Value {
    named[name] = ["oneOf": [JSONSchema.definition(first), JSONSchema.definition(second)]]
    return JSONSchema.definition(name)
  }

  /// The parameters of a method, from the decoder that reads them.
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

  mutating func describe(_ message: ServerMessage) -> Value {
    var record: Value.Record = [
      "name": .text(message.rawValue), "summary": .text(message.summary), "x-to": .text(message.recipients),
    ]
    let name = Self.typeName(message.rawValue)
    record["params"] = message.paramsSchema.map { reference("\(name)Params", $0) }
    if message == .delegateAsk {
      record["result"] = reference("\(name)Result", DecoderProbe.notesOfAnswers().objectSchema(&definitions))
    }
    return .record(record)
  }

  /// Describes the events that clients in a chain receive: the publisher's fields, less those that the header has applied already, and
  /// the nesting depth.
  private mutating func addDelegateEvents() {
    definitions["DelegateEvent"] = JSONSchema.union(by: "event", JSONSchema.delegateEvents) {
      Self.typeName($0) + "DelegateEvent"
    }
    for word in JSONSchema.delegateEvents {
      // The two kinds that the engine makes have the fields of a kind without members of its own.
      let published = EventName(rawValue: word) ?? .willBeginDragging
      guard case .record(var schema)? = definitions[Self.typeName(published.rawValue) + "Event"],
        case .record(var properties)? = schema["properties"]
      else { preconditionFailure("headerd bug: events have members") }
      for name in ["correction", "isTracking", "isDragging", "isDecelerating", "reason"] { properties[name] = nil }
      properties["event"] = ["type": "string", "const": .text(word)]
      properties["time"] = ["type": "number", "x-unit": "seconds", "description": "header time"]
      properties["depth"] = ["type": "integer", "minimum": 1]
      schema["properties"] = .record(properties)
      schema["required"] = ["event", "time"]
      definitions[Self.typeName(word) + "DelegateEvent"] = .record(schema)
    }
  }
}
