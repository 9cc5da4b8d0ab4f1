// SPDX-License-Identifier: MIT
//
// Geometry in records: {x, y}, {width, height}, {x, y, width, height}, lists of numbers; and the same as values.

extension Fields {
  /// A field's value, left where it is.
  public func peek(_ name: String) -> Value? { all.first { $0.name == name }?.value }

  /// Whether a field is there.
  public func has(_ name: String) -> Bool { peek(name) != nil }

  /// Another record within this one, with its place.
  public mutating func record(_ name: String) throws(Refusal) -> Fields {
    guard let value = take(name) else { throw Refusal("\(place).\(name): expected a record") }
    return try Fields(value, at: "\(place).\(name)")
  }

  /// true or false, which must be there.
  public mutating func bool(_ name: String) throws(Refusal) -> Bool {
    guard let bool = take(name)?.bool else { throw Refusal("\(place).\(name): expected true or false") }
    return bool
  }

  /// A whole number in a range, which must be there.
  public mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
    guard let number = take(name)?.number, let integer = Int(exactly: number), range.contains(integer) else {
      throw Refusal("\(place).\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// A number, or nil when the field is missing or null.
  public mutating func numberOrNull(_ name: String) throws(Refusal) -> Double? {
    guard let value = take(name), value != .null else { return nil }
    guard let number = value.number else { throw Refusal("\(place).\(name): expected a number or null") }
    return number
  }

  /// A list of so many numbers.
  /// - Parameter other: what else would do, for the error's words.
  public mutating func numbers(_ name: String, count: Int, or other: String? = nil) throws(Refusal) -> [Double] {
    let numbers = take(name)?.list?.compactMap(\.number) ?? []
    guard numbers.count == count else {
      throw Refusal("\(place).\(name): expected a list of \(count) numbers\(other.map { " or \($0)" } ?? "")")
    }
    return numbers
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
