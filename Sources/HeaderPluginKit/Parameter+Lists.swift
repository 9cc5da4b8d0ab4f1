// SPDX-License-Identifier: MIT
//
// Options and arguments that are more than one number: texts, whole numbers, records and lists of them. What is in a record
// is the behavior's to check; `Fields` reads one and names the place where it is wrong.

extension Parameter {
  /// A text, or null.
  public static func textOrNull(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .text, isNullable: true, defaultValue: .null, meaning: meaning)
  }

  /// A whole number within a range, both ends allowed.
  public static func integer(
    _ name: String, unit: String? = nil, default value: Int = 0, minimum: Int, maximum: Int, _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .integer, unit: unit, defaultValue: .number(Double(value)), minimum: Double(minimum),
      maximum: Double(maximum), meaning: meaning)
  }

  /// A list of records; the behavior checks what is in them.
  public static func records(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .record, isList: true, defaultValue: .list([]), meaning: meaning)
  }
}

/// The fields of a record in an option or argument, and the words for what is wrong with them.
public struct Fields {
  /// Where the record stands, such as `keyframes[0].keys[1]`.
  public let place: String
  private var fields: [(name: String, value: Value)]

  /// A record's fields.
  /// - Throws: when the value is none.
  public init(_ value: Value, at place: String) throws(Refusal) {
    guard case .record(let fields) = value else { throw Refusal("\(place): expected a record") }
    self.place = place
    self.fields = fields
  }

  /// The fields in their order.
  public var all: [(name: String, value: Value)] { fields }

  /// A field's value, taken out.
  public mutating func take(_ name: String) -> Value? {
    guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
    return fields.remove(at: index).value
  }

  /// A number that must be there.
  public mutating func number(_ name: String) throws(Refusal) -> Double {
    guard let number = take(name)?.number else { throw Refusal("\(place).\(name): expected a number") }
    return number
  }

  /// A number, or its default.
  public mutating func number(_ name: String, default value: Double) throws(Refusal) -> Double {
    fields.contains { $0.name == name } ? try number(name) : value
  }

  /// A text that must be there.
  public mutating func text(_ name: String) throws(Refusal) -> String {
    guard let text = take(name)?.text else { throw Refusal("\(place).\(name): expected a text") }
    return text
  }

  /// A text, or nil when the field is missing or null.
  public mutating func textOrNull(_ name: String) throws(Refusal) -> String? {
    guard let value = take(name), value != .null else { return nil }
    guard let text = value.text else { throw Refusal("\(place).\(name): expected a text or null") }
    return text
  }

  /// A list of records with their places; empty when the field is missing.
  public mutating func records(_ name: String) throws(Refusal) -> [Fields] {
    guard let value = take(name) else { return [] }
    return try Fields.list(value, at: "\(place).\(name)")
  }

  /// A list of records with their places.
  public static func list(_ value: Value, at place: String) throws(Refusal) -> [Fields] {
    guard let list = value.list else { throw Refusal("\(place): expected a list of records") }
    var result: [Fields] = []
    for (index, item) in list.enumerated() { result.append(try Fields(item, at: "\(place)[\(index)]")) }
    return result
  }

  /// Refuses what nobody took.
  public func finish() throws(Refusal) {
    guard let first = fields.first else { return }
    throw Refusal("\(place).\(first.name): there is no such field")
  }
}
