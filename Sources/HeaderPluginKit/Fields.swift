// SPDX-License-Identifier: MIT
//
// Records in options and arguments, read field by field: numbers, texts, records and lists of them, and geometry: {x, y}, {width,
// height}, {x, y, width, height}. Errors name the place.

/// The fields of a record in an option or argument, and the words for mistakes in them. They begin with the place, as in
/// `drawers[0].fade: expected a record, got 3`; the host makes it the error's path.
public struct Fields {
  /// Where the record stands, such as `keyframes[0].keys[1]`.
  public let place: String
  private var fields: [(name: String, value: Value)]
  /// The names that were asked for, to suggest one for a misspelled field. Reading also adds to it, so copies share it.
  private let known = Names()

  private final class Names {
    var all: [String] = []

    func add(_ name: String) { if !all.contains(name) { all.append(name) } }
  }

  /// A record's fields.
  /// - Parameter needed: what would do, for the error's words.
  /// - Throws: when the value is none.
  public init(_ value: Value, at place: String, needed: String = "a record") throws(Refusal) {
    guard case .record(let fields) = value else { throw .unexpected(value, at: place, needed: needed) }
    self.place = place
    self.fields = fields
  }

  /// The fields in their order.
  public var all: [(name: String, value: Value)] { fields }

  /// A field's value, taken out.
  public mutating func take(_ name: String) -> Value? {
    known.add(name)
    guard let index = fields.firstIndex(where: { $0.name == name }) else { return nil }
    return fields.remove(at: index).value
  }

  /// A field's content, which must be there.
  private mutating func content<Content>(
    _ name: String, _ needed: String, _ read: (Value) -> Content?
  ) throws(Refusal) -> Content {
    let value = take(name)
    guard let content = value.flatMap(read) else { throw .unexpected(value, at: "\(place).\(name)", needed: needed) }
    return content
  }

  /// A field's content, or nil when the field is missing or null.
  private mutating func contentOrNull<Content>(
    _ name: String, _ needed: String, _ read: (Value) -> Content?
  ) throws(Refusal) -> Content? {
    if let value = peek(name), value != .null { return try content(name, "\(needed) or null", read) }
    _ = take(name)
    return nil
  }

  /// A number that must be there.
  public mutating func number(_ name: String) throws(Refusal) -> Double { try content(name, "a number", \.number) }

  /// A number, or its default.
  public mutating func number(_ name: String, default value: Double) throws(Refusal) -> Double {
    has(name) ? try number(name) : value
  }

  /// A number within a range, which must be there.
  /// - Parameters:
  ///   - name: the field's.
  ///   - range: with both ends.
  ///   - other: what else would do, for the error's words.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double>, or other: String? = nil
  ) throws(Refusal) -> Double {
    let needed = "a number from \(range.lowerBound.brief) to \(range.upperBound.brief)"
    return try content(name, needed + (other.map { " or \($0)" } ?? "")) { value in
      value.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number within a range, or its default.
  public mutating func number(
    _ name: String, default value: Double, in range: ClosedRange<Double>, or other: String? = nil
  ) throws(Refusal) -> Double {
    has(name) ? try number(name, in: range, or: other) : value
  }

  /// One word of an enumeration, or its default; without one it must be there.
  public mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, default value: Choice? = nil
  ) throws(Refusal) -> Choice where Choice.RawValue == String {
    if let value, !has(name) { return value }
    let found = take(name)
    if let choice = found?.text.flatMap(Choice.init(rawValue:)) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    let needed = "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    let hint = found?.text.flatMap { nearest(to: $0, in: words) }.map { ", did you mean \"\($0)\"?" } ?? ""
    throw Refusal(Refusal.unexpected(found, at: "\(place).\(name)", needed: needed).reason + hint)
  }

  /// A text that must be there.
  public mutating func text(_ name: String) throws(Refusal) -> String { try content(name, "a text", \.text) }

  /// A text, or nil when the field is missing or null.
  public mutating func textOrNull(_ name: String) throws(Refusal) -> String? {
    try contentOrNull(name, "a text", \.text)
  }

  /// A list of records with their places; empty when the field is missing.
  public mutating func records(_ name: String) throws(Refusal) -> [Fields] {
    guard let value = take(name) else { return [] }
    return try Fields.list(value, at: "\(place).\(name)")
  }

  /// A list of records with their places.
  public static func list(_ value: Value, at place: String) throws(Refusal) -> [Fields] {
    guard let list = value.list else { throw .unexpected(value, at: place, needed: "a list of records") }
    var result: [Fields] = []
    for (index, item) in list.enumerated() { result.append(try Fields(item, at: "\(place)[\(index)]")) }
    return result
  }

  /// Refuses a field that was not read, and names the field that was probably meant, or else all known ones.
  public func finish() throws(Refusal) {
    guard let first = fields.first else { return }
    let unknown = "\(place).\(first.name): there is no such field"
    if let meant = nearest(to: first.name, in: known.all) { throw Refusal("\(unknown), did you mean \"\(meant)\"?") }
    throw Refusal(known.all.isEmpty ? unknown : "\(unknown), expected \(known.all.joined(separator: ", "))")
  }

  // MARK: Looking

  /// A field's value, left where it is.
  public func peek(_ name: String) -> Value? {
    known.add(name)
    return all.first { $0.name == name }?.value
  }

  /// Whether a field is there.
  public func has(_ name: String) -> Bool { peek(name) != nil }

  /// Another record within this one, with its place.
  /// - Parameter needed: what would do, for the error's words: what else the field may be, which fields the record has.
  public mutating func record(_ name: String, needed: String = "a record") throws(Refusal) -> Fields {
    guard let value = take(name) else { throw .unexpected(nil, at: "\(place).\(name)", needed: needed) }
    return try Fields(value, at: "\(place).\(name)", needed: needed)
  }

  /// true or false, which must be there.
  public mutating func bool(_ name: String) throws(Refusal) -> Bool { try content(name, "true or false", \.bool) }

  /// Words of an enumeration; none when the field is missing.
  public mutating func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(Refusal) -> [Choice] where Choice.RawValue == String {
    guard has(name) else { return [] }
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return try content(name, "a list of \(words)") { value in
      let choices = value.list?.compactMap { $0.text.flatMap(Choice.init(rawValue:)) }
      return choices?.count == value.list?.count ? choices : nil
    }
  }

  /// true or false, or its default.
  public mutating func bool(_ name: String, default value: Bool) throws(Refusal) -> Bool {
    has(name) ? try bool(name) : value
  }

  /// A whole number in a range, which must be there.
  public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    try content(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number, or nil when the field is missing or null.
  public mutating func numberOrNull(_ name: String) throws(Refusal) -> Double? {
    try contentOrNull(name, "a number", \.number)
  }

  /// A list of that many numbers.
  /// - Parameters:
  ///   - name: the field's.
  ///   - count: how many they are.
  ///   - other: what else would do, for the error's words.
  public mutating func numbers(_ name: String, count: Int, or other: String? = nil) throws(Refusal) -> [Double] {
    try content(name, "a list of \(count) numbers\(other.map { " or \($0)" } ?? "")") { value in
      let numbers = value.list?.compactMap(\.number) ?? []
      return numbers.count == count ? numbers : nil
    }
  }

  /// A point, which must be there: {x, y} in points.
  public mutating func point(_ name: String) throws(Refusal) -> Point {
    var fields = try record(name)
    let point = Point(x: try fields.number("x"), y: try fields.number("y"))
    try fields.finish()
    return point
  }

  /// A point, or nil when the field is missing or null.
  public mutating func pointOrNull(_ name: String) throws(Refusal) -> Point? {
    if let value = peek(name), value != .null { return try point(name) }
    _ = take(name)
    return nil
  }

  /// The field `scale`: one factor, or {x, y} with a factor for each axis; what is left out is 1.
  public mutating func scale() throws(Refusal) -> Point {
    guard let value = peek("scale"), value != .null else {
      _ = take("scale")
      return Point(x: 1, y: 1)
    }
    if let factor = value.number {
      _ = take("scale")
      return Point(x: factor, y: factor)
    }
    var factors = try record("scale", needed: "a number or a record {x, y}")
    let scale = Point(x: try factors.number("x", default: 1), y: try factors.number("y", default: 1))
    try factors.finish()
    return scale
  }

  /// A size, which must be there: {width, height} in points.
  public mutating func size(_ name: String) throws(Refusal) -> Size {
    var fields = try record(name)
    let size = Size(width: try fields.number("width"), height: try fields.number("height"))
    try fields.finish()
    return size
  }

  /// A rectangle, which must be there: {x, y, width, height} in points.
  public mutating func rect(_ name: String) throws(Refusal) -> Rect {
    var fields = try record(name)
    let rect = Rect(
      x: try fields.number("x"), y: try fields.number("y"), width: try fields.number("width"),
      height: try fields.number("height"))
    try fields.finish()
    return rect
  }
}

extension Refusal {
  /// The usual sentence: `PLACE: expected SOMETHING, got WHAT WAS GIVEN`.
  /// - Parameters:
  ///   - value: nil: nothing was given.
  ///   - place: its path, from the option's or argument's name on.
  ///   - needed: what would do.
  public static func unexpected(_ value: Value?, at place: String, needed: String) -> Refusal {
    Refusal("\(place): expected \(needed), \(value.map { "got \($0.brief)" } ?? "it is missing")")
  }
}

extension Value {
  /// A point as a record.
  public init(_ point: Point) { self = .record([("x", .number(point.x)), ("y", .number(point.y))]) }

  /// A size as a record.
  public init(_ size: Size) { self = .record([("width", .number(size.width)), ("height", .number(size.height))]) }

  /// A rectangle as a record.
  public init(_ rect: Rect) {
    self = .record([
      ("x", .number(rect.x)), ("y", .number(rect.y)), ("width", .number(rect.width)), ("height", .number(rect.height)),
    ])
  }
}
