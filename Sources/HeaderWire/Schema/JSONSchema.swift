// SPDX-License-Identifier: MIT
//
// JSON Schema (draft-07) as plain data: its words, and the schema of what a decoder asks for.

public import HeaderCore

/// Pieces of JSON Schema.
public enum JSONSchema {
  static let text: Value = ["type": "string"]
  static let bool: Value = ["type": "boolean"]
  static let number: Value = ["type": "number"]
  static let null: Value = ["type": "null"]
  /// A record of anything.
  static let record: Value = ["type": "object"]
  /// A whole number that is never negative.
  static let count: Value = ["type": "integer", "minimum": 0]
  static let anything: Value = [:]

  /// A definition of the document's.
  public static func definition(_ name: String) -> Value { ["$ref": .text("#/components/schemas/\(name)")] }

  static func list(of items: Value) -> Value { ["type": "array", "items": items] }
  static func words(_ words: [String]) -> Value { ["type": "string", "enum": .list(words.map { .text($0) })] }
  static func either(_ schemas: Value...) -> Value { ["anyOf": .list(schemas)] }
  /// A record of values of one kind by free names.
  static func map(of values: Value) -> Value { ["type": "object", "additionalProperties": values] }

  /// A record of these members and no others.
  static func object(_ required: Value.Record, optional: Value.Record = [:]) -> Value {
    let properties = Value.Record(fields: required.fields + optional.fields)
    var schema: Value.Record = ["type": "object", "properties": .record(properties)]
    if !required.fields.isEmpty { schema["required"] = .list(required.fields.map { .text($0.name) }) }
    schema["additionalProperties"] = false
    return .record(schema)
  }
}

extension Value {
  /// The schema, with a line about what it is for people.
  func meaning(_ text: String) -> Value {
    guard case .record(var schema) = self else { return self }
    schema["description"] = .text(text)
    return .record(schema)
  }
}

extension FieldNotes {
  /// The schema of a value with these notes.
  /// - Parameter definitions: takes the schemas of what has a name of its own.
  public func schema(_ definitions: inout Value.Record) -> Value {
    guard let definition else { return ownSchema(&definitions) }
    if definitions[definition] == nil {
      // It stands there before it is complete, so that one that holds itself ends.
      definitions[definition] = JSONSchema.anything
      definitions[definition] = ownSchema(&definitions)
    }
    return JSONSchema.definition(definition)
  }

  /// The schema of a record with these members.
  public func objectSchema(_ definitions: inout Value.Record) -> Value {
    var properties = Value.Record()
    for member in members { properties[member.name] = member.notes.schema(&definitions) }
    var schema: Value.Record = ["type": "object", "properties": .record(properties)]
    if !rules.required.isEmpty { schema["required"] = Self.names(rules.required) }
    schema["additionalProperties"] = false
    let conditions = rules.schemas + eventVelocity
    if !conditions.isEmpty { schema["allOf"] = .list(conditions) }
    return .record(schema)
  }

  /// The velocity of a finger is a point; that of a `move`, which stands among the same members, is a number.
  private var eventVelocity: [Value] {
    let names = members.map(\.name)
    guard names.contains("event"), names.contains("to"), names.contains("velocity") else { return [] }
    let isMove: Value = ["required": ["event"], "properties": ["event": ["const": "move"]]]
    func velocity(_ type: Value) -> Value { ["properties": ["velocity": ["type": type]]] }
    return [["if": isMove, "then": velocity("number"), "else": velocity("object")]]
  }

  private func ownSchema(_ definitions: inout Value.Record) -> Value {
    if forms.isEmpty { return JSONSchema.anything }
    var schemas: [Value] = []
    for form in forms { schemas.append(schema(of: form, &definitions)) }
    return schemas.count == 1 ? schemas[0] : ["anyOf": .list(schemas)]
  }

  private func schema(of form: FieldForm, _ definitions: inout Value.Record) -> Value {
    switch form {
    case .list(let count):
      var schema: Value.Record = ["type": "array"]
      if count.lowerBound > 0 { schema["minItems"] = .number(Double(count.lowerBound)) }
      if count.upperBound < .max { schema["maxItems"] = .number(Double(count.upperBound)) }
      if let items { schema["items"] = items.schema(&definitions) }
      return .record(schema)
    case .record:
      if !members.isEmpty { return objectSchema(&definitions) }
      guard let entries else { return JSONSchema.record }
      return [
        "type": "object", "propertyNames": Self.schema(of: entries.name),
        "additionalProperties": entries.notes.schema(&definitions),
      ]
    default: return Self.schema(of: form)
    }
  }

  /// The schema of what holds nothing.
  private static func schema(of form: FieldForm) -> Value {
    switch form {
    case .null: return JSONSchema.null
    case .bool: return JSONSchema.bool
    case .number(let range, let unit):
      var schema: Value.Record = [
        "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
      ]
      if !unit.isEmpty { schema["description"] = .text(unit) }
      return .record(schema)
    case .integer(let range):
      return [
        "type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
      ]
    case .text(let pattern, let bytes):
      var schema: Value.Record = ["type": "string"]
      schema["pattern"] = pattern.map { .text($0) }
      schema["maxLength"] = bytes.map { .number(Double($0)) }
      return .record(schema)
    case .word(let words): return JSONSchema.words(words)
    case .list: return ["type": "array"]
    case .record: return JSONSchema.record
    }
  }

  fileprivate static func names(_ names: [String]) -> Value { .list(names.map { .text($0) }) }
}

extension MemberRules {
  /// What holds besides that the members are known and the required ones there.
  fileprivate var schemas: [Value] {
    var schemas: [Value] = oneOf.map { names in
      ["anyOf": .list(names.map { ["required": [.text($0)]] })]
    }
    for condition in conditions {
      var given: Value.Record = ["required": [.text(condition.member)]]
      if let word = condition.word {
        given["properties"] = .record(
          Value.Record(fields: [.init(name: condition.member, value: ["const": .text(word)])]))
      }
      var then = Value.Record()
      if !condition.required.isEmpty { then["required"] = FieldNotes.names(condition.required) }
      if let known = condition.known { then["propertyNames"] = ["enum": FieldNotes.names(known)] }
      schemas.append(["if": .record(given), "then": .record(then)])
    }
    return schemas
  }
}
