// SPDX-License-Identifier: MIT
//
// The named schemas of the document. Generators of code make a type of each, so each record has a name of its own, wherever it
// stands, and each member a title and a description (SchemaTexts.swift).
//
//     State.drawers: list of { name, frame, … }     ─▶     StateDrawer: { name, frame, … },  State.drawers: list of StateDrawer

public import HeaderModel

/// The shared schemas of a document, by name.
public struct SchemaComponents {
  /// The schemas, each record in its place a reference.
  public private(set) var schemas = Value.Record()

  /// Creates an empty collection.
  public init() {}

  /// Adds a schema under a name, and the records in it under names derived from their place.
  /// - Returns: a reference to it.
  @discardableResult
  public mutating func add(_ name: String, _ schema: Value) -> Value {
    // The entry exists before its parts are named, so that a schema that refers to itself ends, and stands before its parts.
    schemas[name] = JSONSchema.anything
    schemas[name] = parts(of: schema, in: name)
    return JSONSchema.definition(name)
  }

  /// The schema with references in place of its records.
  private mutating func parts(of schema: Value, in name: String) -> Value {
    guard case .record(var record) = schema else { return schema }
    if case .record(var properties)? = record["properties"] {
      for (index, member) in properties.fields.enumerated() {
        let inner = referred(member.value, as: name + Self.capitalized(member.name))
        properties.fields[index].value = Self.described(inner, member.name, of: name)
      }
      record["properties"] = .record(properties)
    }
    for word in ["items", "additionalProperties"] {
      // A list's entries have its name in the singular.
      if case .record? = record[word] { record[word] = referred(record[word] ?? true, as: Self.singular(name)) }
    }
    if case .list(let choices)? = record["oneOf"] {
      record["oneOf"] = .list(choices.map { referred($0, as: name) })
    }
    return .record(record)
  }

  /// A schema that stands in another one: a reference if it is a record.
  private mutating func referred(_ schema: Value, as place: String) -> Value {
    guard case .record(var record) = schema, case .record(let properties)? = record["properties"],
      !properties.fields.isEmpty
    else { return parts(of: schema, in: place) }
    let description = record["description"]
    record["description"] = nil
    var name = SchemaTexts.name(of: place)
    var inner = parts(of: .record(record), in: name)
    // If another record has the name already, the place becomes the name.
    if let other = schemas[name], other != inner {
      name = place
      inner = parts(of: .record(record), in: name)
    }
    schemas[name] = inner
    guard case .record(var reference) = JSONSchema.definition(name) else { return inner }
    reference["description"] = description
    return .record(reference)
  }

  /// A member's schema with its texts from the tables.
  private static func described(_ schema: Value, _ member: String, of owner: String) -> Value {
    guard case .record(var record) = schema else { return schema }
    // These stand in this order, behind all others.
    let (meaning, byDefault) = (record["description"], record["default"])
    for keyword in ["title", "description", "default"] { record[keyword] = nil }
    let keys = ["\(owner).\(member)"] + SchemaTexts.families(of: owner).map { "\($0).\(member)" } + [member]
    record["title"] = .text(title(of: member))
    record["description"] = meaning ?? keys.lazy.compactMap { SchemaTexts.meanings[$0] }.first.map { .text($0) }
    // A default holds for a member of one record, not for all members of that name.
    record["default"] = byDefault ?? keys.dropLast().lazy.compactMap { SchemaTexts.defaults[$0] }.first
    return .record(record)
  }

  /// `contentInset`: Content inset.
  private static func title(of member: String) -> String {
    capitalized(member.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) })
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static func singular(_ word: String) -> String { word.hasSuffix("s") ? String(word.dropLast()) : word }
}
