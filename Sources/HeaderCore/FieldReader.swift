// SPDX-License-Identifier: MIT
//
// Reads typed fields out of a record of plain data and remembers which names it was asked for: what is left at the end
// is unknown, and the caller decides whether that is a warning (the wire) or an error (the config). Every refusal says
// where, what was given and what would do.

/// A field that nobody asked for.
public struct UnknownField: Equatable, Sendable {
  /// Its path.
  public var field: String
  /// The name that was probably meant.
  public var hint: String?
}

/// Reads a record field by field.
public struct FieldReader {
  /// Where the record stands.
  public let path: Path
  private let record: Value.Record
  private var asked: [String] = []

  /// Lengths, durations and velocities lie within this, as headerd-protocol(7), Units and shapes, says; times within
  /// `Instant.secondsMost`.
  @inlinable public static var bound: Double { 1e9 }

  /// - Throws: `invalidParams` when the value is no record.
  public init(_ value: Value?, at path: Path) throws(HeaderError) {
    self.path = path
    switch value {
    case .record(let record): self.record = record
    default: throw .unexpected(value, at: path, needed: "an object", expected: "record")
    }
  }

  /// The record itself.
  public init(_ record: Value.Record, at path: Path) {
    self.path = path
    self.record = record
  }

  /// The fields that were not asked for.
  public var unknown: [UnknownField] {
    record.fields.filter { !asked.contains($0.name) }.map {
      UnknownField(field: (path + $0.name).text, hint: nearest(to: $0.name, in: asked))
    }
  }

  /// Whether a field is there at all, null included.
  public func has(_ name: String) -> Bool { record[name] != nil }

  /// A field as it is.
  public mutating func value(_ name: String) -> Value? {
    asked.append(name)
    return record[name]
  }

  /// The error for a field whose value does not fit.
  public func unexpected(_ name: String, needed: String, expected: String) -> HeaderError {
    .unexpected(record[name], at: path + name, needed: needed, expected: expected)
  }

  /// A number within a range.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double> = -bound...bound, of unit: String = "points"
  ) throws(HeaderError) -> Double? {
    guard let value = value(name) else { return nil }
    return try Self.number(value, at: path + name, in: range, of: unit)
  }

  static func number(
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

  /// A time on somebody's clock, in seconds.
  public mutating func time(_ name: String) throws(HeaderError) -> Instant? {
    try number(name, in: -Instant.secondsMost...Instant.secondsMost, of: "seconds").map { Instant(seconds: $0) }
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
    guard let value = value(name) else { return nil }
    guard case .number(let number) = value, number == number.rounded(), abs(number) <= 9_007_199_254_740_992,
      range.contains(Int(number))
    else {
      throw unexpected(
        name, needed: "a whole number from \(range.lowerBound) to \(range.upperBound)", expected: "integer")
    }
    return Int(number)
  }

  /// true or false.
  public mutating func bool(_ name: String) throws(HeaderError) -> Bool? {
    switch value(name) {
    case nil: return nil
    case .bool(let bool): return bool
    default: throw unexpected(name, needed: "true or false", expected: "bool")
    }
  }

  /// A text.
  public mutating func text(_ name: String) throws(HeaderError) -> String? {
    switch value(name) {
    case nil: return nil
    case .text(let text): return text
    default: throw unexpected(name, needed: "a text", expected: "text")
    }
  }

  /// A text that must be there.
  public mutating func required(text name: String) throws(HeaderError) -> String {
    guard let text = try text(name) else { throw unexpected(name, needed: "a text", expected: "text") }
    return text
  }

  /// A name or null; the outer optional says whether the field is there.
  public mutating func nameOrNull(_ name: String) throws(HeaderError) -> String?? {
    switch value(name) {
    case nil: return nil
    case .null: return .some(nil)
    case .text(let text): return .some(text)
    default: throw unexpected(name, needed: "a name or null", expected: "text")
    }
  }

  /// One word of an enumeration.
  public mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type)
    throws(HeaderError) -> Choice? where Choice.RawValue == String
  {
    try choice(name, Choice.allCases.map { ($0.rawValue, $0) })
  }

  /// One word of a list, with what it stands for.
  public mutating func choice<Choice>(_ name: String, _ words: [(String, Choice)]) throws(HeaderError) -> Choice? {
    guard let text = try text(name) else { return nil }
    if let match = words.first(where: { $0.0 == text }) { return match.1 }
    var error = unexpected(
      name, needed: "one of " + words.map { "\"\($0.0)\"" }.joined(separator: ", "), expected: "case")
    error.hint = nearest(to: text, in: words.map(\.0)).map { "did you mean \"\($0)\"?" }
    throw error
  }

  /// A record inside this one.
  public mutating func reader(_ name: String) throws(HeaderError) -> FieldReader? {
    guard let value = value(name) else { return nil }
    return try FieldReader(value, at: path + name)
  }

  /// A list.
  public mutating func list(_ name: String) throws(HeaderError) -> [Value]? {
    switch value(name) {
    case nil: return nil
    case .list(let list): return list
    default: throw unexpected(name, needed: "a list", expected: "list")
    }
  }

  /// A point of which axes may be left out.
  public mutating func point(_ name: String, of unit: String = "points", _ unknown: inout [UnknownField])
    throws(HeaderError) -> PartialPoint?
  {
    guard var fields = try reader(name) else { return nil }
    let point = PartialPoint(x: try fields.number("x", of: unit), y: try fields.number("y", of: unit))
    unknown += fields.unknown
    return point
  }

  /// A size of which sides may be left out; never negative.
  public mutating func size(_ name: String, _ unknown: inout [UnknownField]) throws(HeaderError) -> PartialSize? {
    try size(name, in: 0...Self.bound, &unknown)
  }

  /// A content's size in a saved state. Content may be less than nothing, as UIKit has it: then its end lies that much above
  /// its beginning. Nobody can say so over the wire.
  public mutating func contentSize(_ name: String, _ unknown: inout [UnknownField]) throws(HeaderError)
    -> PartialSize?
  {
    try size(name, in: -Self.bound...Self.bound, &unknown)
  }

  private mutating func size(_ name: String, in range: ClosedRange<Double>, _ unknown: inout [UnknownField])
    throws(HeaderError) -> PartialSize?
  {
    guard var fields = try reader(name) else { return nil }
    let size = try fields.sides(range)
    unknown += fields.unknown
    return size
  }

  private mutating func sides(_ range: ClosedRange<Double> = 0...FieldReader.bound) throws(HeaderError) -> PartialSize {
    PartialSize(width: try number("width", in: range), height: try number("height", in: range))
  }

  /// Insets of which edges may be left out.
  public mutating func insets(_ name: String, _ unknown: inout [UnknownField]) throws(HeaderError) -> PartialInsets? {
    guard var fields = try reader(name) else { return nil }
    let insets = PartialInsets(
      top: try fields.number("top"), left: try fields.number("left"), bottom: try fields.number("bottom"),
      right: try fields.number("right"))
    unknown += fields.unknown
    return insets
  }

  /// A rectangle of which parts may be left out.
  public mutating func rect(_ name: String, _ unknown: inout [UnknownField]) throws(HeaderError) -> PartialRect? {
    guard var fields = try reader(name) else { return nil }
    let origin = PartialPoint(x: try fields.number("x"), y: try fields.number("y"))
    let rect = PartialRect(origin: origin, size: try fields.sides())
    unknown += fields.unknown
    return rect
  }

  /// Sixteen numbers.
  public mutating func transform(_ name: String) throws(HeaderError) -> Transform? {
    guard let list = try list(name) else { return nil }
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
