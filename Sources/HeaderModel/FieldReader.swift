// SPDX-License-Identifier: MIT
//
// Reads typed fields out of a record of plain data and remembers which names it was asked for. Fields left at the end are unknown, and
// the caller decides whether that is a warning (the wire) or an error (the config). Every refusal says where, what was given and what
// would do.

/// A field that was not read.
public struct UnknownField: Equatable, Sendable {
  /// The path of the field.
  public var field: String
  /// The name that was probably meant.
  public var hint: String?

  /// Creates an unknown field; `hint` is the known name closest to it, if there is one and it was looked for.
  public init(field: String, hint: String?) {
    self.field = field
    self.hint = hint
  }
}

/// Reads a record field by field.
public struct FieldReader {
  /// The path of the record.
  public let path: Path
  private let record: Value.Record
  private var asked: [String] = []
  private var unknownInside: [UnknownField] = []
  /// Unknown fields of the same message that were found before.
  var unknownBefore = 0
  /// Notes the fields that are read; nil unless the schema is being made.
  let notes: FieldNotes?

  /// Unknown fields of a message that have a hint: it takes a comparison with each known name, and a message has room for thousands.
  private static var maxHints: Int { 32 }

  /// Lengths, durations and velocities lie within this, as headerd-connection(7), UNITS AND SHAPES, says; times within
  /// `Instant.maxSeconds`.
  @inlinable public static var bound: Double { 1e9 }

  /// - Throws: `invalidParams` when the value is no record.
  public init(_ value: Value?, at path: Path) throws(HeaderError) { try self.init(value, at: path, notes: nil) }

  private init(_ value: Value?, at path: Path, notes: FieldNotes?) throws(HeaderError) {
    self.path = path
    self.notes = notes
    switch value {
    case .record(let record): self.record = record
    default: throw .unexpected(value, at: path, needed: "an object", expected: "record")
    }
  }

  /// Creates a reader of a record.
  /// - Parameter notes: notes the fields that are read.
  public init(_ record: Value.Record, at path: Path, notes: FieldNotes? = nil) {
    self.path = path
    self.record = record
    self.notes = notes
  }

  /// The fields that were not asked for, at any depth.
  public var unknown: [UnknownField] {
    var unknown = unknownInside
    for field in record.fields where !asked.contains(field.name) {
      let isHinted = unknownBefore + unknown.count < Self.maxHints
      let hint = isHinted ? nearest(to: field.name, in: asked) : nil
      unknown.append(UnknownField(field: (path + field.name).text, hint: hint))
    }
    return unknown
  }

  /// Whether a field is there at all, null included.
  public func has(_ name: String) -> Bool { record[name] != nil }

  /// A field as it is.
  public mutating func value(_ name: String) -> Value? { value(name, as: []) }

  /// A field that is in one of some forms; the caller checks that.
  public mutating func value(_ name: String, as forms: @autoclosure () -> [FieldForm]) -> Value? {
    asked.append(name)
    if let notes {
      let field = notes.ask(for: name)
      for form in forms() { field.add(form) }
    }
    return record[name]
  }

  /// Notes the form of a list's entries, for a caller that checks them itself.
  public func note(itemsOf name: String, _ forms: @autoclosure () -> [FieldForm]) {
    guard let items = notes?.ask(for: name).askForItems() else { return }
    for form in forms() { items.add(form) }
  }

  /// The error for a field whose value does not fit.
  public func unexpected(_ name: String, needed: String, expected: String) -> HeaderError {
    .unexpected(record[name], at: path + name, needed: needed, expected: expected)
  }

  /// A number within a range.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double> = -bound...bound, of unit: String = "points"
  ) throws(HeaderError) -> Double? {
    guard let value = value(name, as: [.number(range, unit: unit)]) else { return nil }
    return try Self.number(value, at: path + name, in: range, of: unit)
  }

  package static func number(
    _ value: Value, at path: Path, in range: ClosedRange<Double> = -bound...bound, of unit: String = "points"
  ) throws(HeaderError) -> Double {
    guard case .number(let number) = value, number.isFinite else {
      throw .unexpected(
        value, at: path, needed: unit.isEmpty ? "a finite number" : "a finite number of \(unit)", expected: "number")
    }
    guard range.contains(number) else {
      let needed =
        range.lowerBound == 0 && number < 0
        ? "a number of at least 0"
        : "a number from \(Value.brief(range.lowerBound)) to \(Value.brief(range.upperBound))"
      throw .unexpected(value, at: path, needed: needed, expected: "number")
    }
    return number
  }

  /// A time of any clock, in seconds.
  public mutating func time(_ name: String) throws(HeaderError) -> Instant? {
    try number(name, in: -Instant.maxSeconds...Instant.maxSeconds, of: "seconds").map { Instant(seconds: $0) }
  }

  /// A number that must be there.
  public mutating func required(
    number name: String, in range: ClosedRange<Double> = -bound...bound, of unit: String = "points"
  ) throws(HeaderError) -> Double {
    guard let number = try number(name, in: range, of: unit) else {
      throw unexpected(name, needed: "a finite number of \(unit)", expected: "number")
    }
    return number
  }

  /// A whole number within a range.
  public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(HeaderError) -> Int? {
    guard let value = value(name, as: [.integer(range)]) else { return nil }
    guard case .number(let number) = value, number == number.rounded(), abs(number) <= 9_007_199_254_740_992,
      range.contains(Int(number))
    else {
      throw unexpected(
        name, needed: "a whole number from \(range.lowerBound) to \(range.upperBound)", expected: "integer")
    }
    return Int(number)
  }

  /// A field's content; nil when it is left out.
  private mutating func content<Content>(
    _ name: String, _ form: @autoclosure () -> FieldForm, needed: String, expected: String,
    _ content: (Value) -> Content?
  ) throws(HeaderError) -> Content? {
    guard let value = value(name, as: [form()]) else { return nil }
    guard let content = content(value) else { throw unexpected(name, needed: needed, expected: expected) }
    return content
  }

  /// Reads a flag.
  public mutating func bool(_ name: String) throws(HeaderError) -> Bool? {
    try content(name, .bool, needed: "true or false", expected: "bool", \.bool)
  }

  /// Reads a text.
  /// - Parameter form: the form that the caller checks, for the schema.
  public mutating func text(
    _ name: String, _ form: @autoclosure () -> FieldForm = .text()
  ) throws(HeaderError) -> String? {
    try content(name, form(), needed: "a text", expected: "text", \.text)
  }

  /// A text that must be there.
  public mutating func required(text name: String) throws(HeaderError) -> String {
    guard let text = try text(name) else { throw unexpected(name, needed: "a text", expected: "text") }
    return text
  }

  /// A name or null; the outer optional says whether the field is there.
  public mutating func nameOrNull(_ name: String) throws(HeaderError) -> String?? {
    if value(name, as: [.null]) == .null { return .some(nil) }
    return try content(name, .text(), needed: "a name or null", expected: "text", \.text).map { .some($0) }
  }

  /// Reads a word of an enumeration.
  public mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type)
    throws(HeaderError) -> Choice? where Choice.RawValue == String
  {
    try choice(name, Choice.allCases.map { ($0.rawValue, $0) })
  }

  /// Reads a word of a list, and returns its value.
  public mutating func choice<Choice>(_ name: String, _ words: [(String, Choice)]) throws(HeaderError) -> Choice? {
    guard let value = value(name, as: [.word(words.map(\.0))]) else { return nil }
    if let match = words.first(where: { $0.0 == value.text }) { return match.1 }
    var error = unexpected(
      name, needed: "one of " + words.map { "\"\($0.0)\"" }.joined(separator: ", "), expected: "case")
    error.hint = value.text.flatMap { nearest(to: $0, in: words.map(\.0)) }.map { "did you mean \"\($0)\"?" }
    throw error
  }

  /// A list.
  /// - Parameter count: how many entries it may have; the caller checks that.
  public mutating func list(
    _ name: String, count: ClosedRange<Int> = 0...Int.max
  ) throws(HeaderError) -> [Value]? {
    try content(name, .list(count), needed: "a list", expected: "list", \.list)
  }

  /// A record that is kept as it is.
  public mutating func record(_ name: String) throws(HeaderError) -> Value.Record? {
    try content(name, .record, needed: "an object", expected: "record", \.record)
  }

  /// Reads a record inside this one, whose unknown fields then count as this one's; nil when it is left out.
  /// - Parameter definition: the name that the schema has for such a record, whose form is always the same.
  package mutating func nested<Content>(
    _ name: String, definition: String? = nil, _ read: (inout FieldReader) throws(HeaderError) -> Content
  ) throws(HeaderError) -> Content? {
    let field = notes?.ask(for: name, definition: definition)
    guard let value = value(name, as: [.record]) else { return nil }
    return try nested(value, at: path + name, field, read)
  }

  private mutating func nested<Content>(
    _ value: Value?, at path: Path, _ notes: FieldNotes?, _ read: (inout FieldReader) throws(HeaderError) -> Content
  ) throws(HeaderError) -> Content {
    var fields = try FieldReader(value, at: path, notes: notes)
    fields.unknownBefore = unknownBefore + unknownInside.count
    let content = try read(&fields)
    unknownInside += fields.unknown
    return content
  }

  /// A list of records, each read in turn; nil when it is left out.
  public mutating func records<Entry>(
    _ name: String, definition: String? = nil, count: ClosedRange<Int> = 0...Int.max,
    _ read: (inout FieldReader) throws(HeaderError) -> Entry
  ) throws(HeaderError) -> [Entry]? {
    let items = notes?.ask(for: name).askForItems(definition: definition)
    items?.add(.record)
    guard let list = try list(name, count: count) else { return nil }
    var result: [Entry] = []
    for (index, value) in list.enumerated() { result.append(try nested(value, at: (path + name)[index], items, read)) }
    return result
  }

  /// A record of records by free names, each read in turn; nil when it is left out.
  /// - Parameters:
  ///   - key: the form of the names.
  ///   - check: refuses a name or the number of them before a record is read.
  public mutating func records<Entry>(
    _ name: String, named key: @autoclosure () -> FieldForm, definition: String? = nil,
    check: (Value.Record.Field) throws(HeaderError) -> Void,
    _ read: (String, inout FieldReader) throws(HeaderError) -> Entry
  ) throws(HeaderError) -> [Entry]? {
    let entries = notes?.ask(for: name).askForEntries(named: key(), definition: definition)
    entries?.add(.record)
    guard let record = try record(name) else { return nil }
    var result: [Entry] = []
    for field in record.fields {
      try check(field)
      let entry = try nested(field.value, at: path + name + field.name, entries) { fields throws(HeaderError) in
        try read(field.name, &fields)
      }
      result.append(entry)
    }
    return result
  }

  /// A point of which axes may be left out.
  public mutating func point(_ name: String, of unit: String = "points") throws(HeaderError) -> PartialPoint? {
    try nested(name, definition: unit == "points" ? "Point" : "Velocity") { fields throws(HeaderError) in
      PartialPoint(x: try fields.number("x", of: unit), y: try fields.number("y", of: unit))
    }
  }

  /// Reads a transform: a list of 16 numbers.
  public mutating func transform(_ name: String) throws(HeaderError) -> Transform? {
    note(itemsOf: name, [.number(-Self.bound...Self.bound, unit: "")])
    guard let list = try list(name, count: 16...16) else { return nil }
    var numbers: [Double] = []
    for (index, value) in list.enumerated() {
      numbers.append(try Self.number(value, at: (path + name)[index], of: ""))
    }
    guard let transform = Transform(numbers: numbers) else {
      throw unexpected(name, needed: "16 numbers, m11…m44 by rows", expected: "transform")
    }
    return transform
  }
}
