// SPDX-License-Identifier: MIT
//
// JSON Schema (draft-07) as plain data: its keywords, and the schema of the fields that a decoder reads.

public import HeaderModel

/// Pieces of JSON Schema.
public enum JSONSchema {
  static let text: Value = ["type": "string"]
  static let bool: Value = ["type": "boolean"]
  static let number: Value = ["type": "number"]
  static let points: Value = ["type": "number", "x-unit": "points"]
  static let seconds: Value = ["type": "number", "x-unit": "seconds"]
  static let null: Value = ["type": "null"]
  /// A record of anything.
  static let record: Value = ["type": "object", "additionalProperties": true]
  /// A whole number that is never negative.
  static let count: Value = ["type": "integer", "minimum": 0]
  static let bytes: Value = ["type": "integer", "minimum": 0, "x-unit": "bytes"]
  static let anything: Value = [:]
  /// A flag that is left out unless it is true.
  static let flag: Value = ["type": "boolean", "const": true]

  /// A definition of the document's.
  public static func definition(_ name: String) -> Value { ["$ref": .text("#/components/schemas/\(name)")] }

  static func list(of items: Value) -> Value { ["type": "array", "items": items] }
  static func words(_ words: [String]) -> Value { ["type": "string", "enum": .list(words.map { .text($0) })] }
  static func either(_ schemas: Value...) -> Value { oneOf(schemas) }
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

  /// One of several schemas, no value of which is another's. Null joins the type of a plain value.
  static func oneOf(_ schemas: [Value]) -> Value {
    let others = schemas.filter { $0 != null }
    guard others.count == 1, schemas.count == 2, case .record(var schema) = others[0], let type = schema["type"],
      schema["properties"] == nil
    else { return schemas.count == 1 ? schemas[0] : ["oneOf": .list(schemas)] }
    schema["type"] = [type, "null"]
    if case .list(let words)? = schema["enum"] { schema["enum"] = .list(words + [.null]) }
    return .record(schema)
  }

  /// A record of one of several kinds, which the word of one member tells apart.
  /// - Parameter name: the name of a word's record among the definitions.
  public static func union(
    by member: String, _ words: [String], named name: (String) -> String
  ) -> Value {
    let mapping = Value.Record(
      fields: words.map { .init(name: $0, value: .text("#/components/schemas/\(name($0))")) })
    return [
      "oneOf": .list(words.map { definition(name($0)) }),
      "discriminator": ["propertyName": .text(member), "mapping": .record(mapping)],
    ]
  }
}

extension Value {
  /// The schema with a line for people.
  func meaning(_ text: String) -> Value {
    guard case .record(var schema) = self else { return self }
    schema["description"] = .text(text)
    return .record(schema)
  }
}

extension FieldNotes {
  /// The schema of a value with these notes.
  /// - Parameter definitions: takes the schemas of named parts.
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
  /// - Parameter fixed: a member that has always the same word.
  public func objectSchema(
    _ definitions: inout Value.Record, fixed: (member: String, word: String)? = nil
  ) -> Value {
    var properties = Value.Record()
    for member in members { properties[member.name] = member.notes.schema(&definitions) }
    if let fixed { properties[fixed.member] = ["type": "string", "const": .text(fixed.word)] }
    var schema: Value.Record = ["type": "object", "properties": .record(properties)]
    if !rules.required.isEmpty { schema["required"] = Self.names(rules.required) }
    schema["additionalProperties"] = false
    if !rules.schemas.isEmpty { schema["allOf"] = .list(rules.schemas) }
    return .record(schema)
  }

  private func ownSchema(_ definitions: inout Value.Record) -> Value {
    if forms.isEmpty { return JSONSchema.anything }
    // If one of two readers takes any text, the other's form does not matter.
    let forms = forms.contains(.text()) ? forms.filter { if case .text = $0 { $0 == .text() } else { true } } : forms
    var schemas: [Value] = []
    for form in forms { schemas.append(schema(of: form, &definitions)) }
    return JSONSchema.oneOf(schemas)
  }

  private func schema(of form: FieldForm, _ definitions: inout Value.Record) -> Value {
    switch form {
    case .null: return JSONSchema.null
    case .bool: return JSONSchema.bool
    case .number(let range, let unit):
      var schema: Value.Record = [
        "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
      ]
      if !unit.isEmpty { schema["x-unit"] = .text(unit) }
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
        "type": "object", "propertyNames": schema(of: entries.name, &definitions),
        "additionalProperties": entries.notes.schema(&definitions),
      ]
    }
  }

  fileprivate static func names(_ names: [String]) -> Value { .list(names.map { .text($0) }) }
}

extension MemberRules {
  /// Rules beyond known and required members.
  fileprivate var schemas: [Value] {
    var schemas: [Value] = oneOf.map { names in
      ["anyOf": .list(names.map { ["required": [.text($0)]] })]
    }
    for condition in conditions {
      var given: Value.Record = ["required": [.text(condition.member)]]
      if let word = condition.word {
        given["properties"] = .record(
          Value.Record(fields: [.init(name: condition.member, value: ["type": "string", "const": .text(word)])]))
      }
      var then = Value.Record()
      if !condition.required.isEmpty { then["required"] = FieldNotes.names(condition.required) }
      if let known = condition.known { then["propertyNames"] = ["enum": FieldNotes.names(known)] }
      schemas.append(["if": .record(given), "then": .record(then)])
    }
    return schemas
  }
}
