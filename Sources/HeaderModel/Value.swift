// SPDX-License-Identifier: MIT
//
// The one tree of plain data in the project: options, saved states, arguments and results of calls, descriptions.
// JSON, TOML and the plugin boundary are all read into it and written from it, so that an option is checked by one
// piece of code wherever it came from.
//
// Records keep the order in which their fields were given and may not name a field twice; equality of records does
// not depend on order.

/// A tree of plain data, as options, arguments and saved states are made of.
public enum Value: Sendable {
  case null
  case bool(Bool)
  /// A finite number. Integers up to 2^53 are exact.
  case number(Double)
  case text(String)
  case list([Value])
  case record(Record)

  /// Named fields in the order given.
  public struct Record: Sendable {
    /// The fields; no name stands twice.
    public var fields: [Field]

    /// One name and its value.
    public struct Field: Sendable, Equatable {
      /// The name, unique within its record.
      public var name: String
      /// The value under the name.
      public var value: Value

      /// A name with its value.
      public init(name: String, value: Value) {
        self.name = name
        self.value = value
      }
    }

    /// A record of fields, of which no two may have one name.
    public init(fields: [Field] = []) { self.fields = fields }

    /// The value of a field, nil when there is none. Setting nil removes the field; a new name goes to the end.
    public subscript(name: String) -> Value? {
      get { fields.first { $0.name == name }?.value }
      set {
        let index = fields.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let value?): fields[index].value = value
        case (let index?, nil): fields.remove(at: index)
        case (nil, let value?): fields.append(Field(name: name, value: value))
        case (nil, nil): break
        }
      }
    }
  }
}

extension Value {
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var list: [Value]? { if case .list(let list) = self { list } else { nil } }
  var record: Record? { if case .record(let record) = self { record } else { nil } }
}

extension Value: Equatable {
  /// The same data: numbers by `==`, lists in order, records in any order.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.record(let left), .record(let right)): left == right
    default: false
    }
  }
}

extension Value.Record: ExpressibleByDictionaryLiteral {
  /// A record of fields in the order written; no name may stand twice.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(fields: elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension Value.Record: Equatable {
  /// The same names with the same values, in whatever order.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.fields.count == right.fields.count else { return false }
    guard left.fields.count > 32 else { return left.fields.allSatisfy { right[$0.name] == $0.value } }
    // They may be as many as a message has room for.
    let values = Dictionary(right.fields.lazy.map { ($0.name, $0.value) }) { first, _ in first }
    return left.fields.allSatisfy { values[$0.name] == $0.value }
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `nil` is null.
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A whole number, exact up to 2^53.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a list.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// A record; no name may stand twice.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .record(Record(fields: elements.map { Record.Field(name: $0.0, value: $0.1) }))
  }
}
