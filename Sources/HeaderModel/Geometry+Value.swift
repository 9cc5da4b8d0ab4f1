// SPDX-License-Identifier: MIT
//
// Shapes as plain data, in the forms of headerd-connection(7), UNITS AND SHAPES: a point is {x, y}, a size {width, height}, a rectangle
// {x, y, width, height}, insets {top, left, bottom, right}, a transform sixteen numbers by rows. The order of fields is the same
// everywhere. Parts left out are 0 in a description and the present value in an event.

/// A record of named numbers.
public protocol Shape: Equatable, Sendable {
  /// The numbers, in the order in which they are written.
  static var parts: [ShapePart<Self>] { get }
  /// All numbers are 0.
  static var zero: Self { get }
}

/// One number of a shape.
public struct ShapePart<Record: Shape>: Sendable {
  let name: String
  let path: any WritableKeyPath<Record, Double> & Sendable
  /// Whether the number must not be negative.
  let isLength: Bool

  init(_ name: String, _ path: any WritableKeyPath<Record, Double> & Sendable, isLength: Bool = false) {
    self.name = name
    self.path = path
    self.isLength = isLength
  }
}

extension Shape {
  /// All parts by name.
  public var value: Value {
    .record(
      Value.Record(
        fields: Self.parts.map { Value.Record.Field(name: $0.name, value: .number(self[keyPath: $0.path])) }))
  }

  /// Takes over the parts that are given; the others stay.
  mutating func fill(from given: Value) {
    guard case .record(let record) = given else { return }
    for part in Self.parts { if let number = record[part.name]?.number { self[keyPath: part.path] = number } }
  }

  /// The shape with the parts that are given; the others stay.
  public func filled(from given: Value) -> Self {
    var shape = self
    shape.fill(from: given)
    return shape
  }
}

extension FieldReader {
  /// A shape of which parts may be left out; a part left out is that of another one.
  public mutating func shape<Content: Shape>(_ name: String, from present: Content) throws(HeaderError) -> Content? {
    try parts(of: Content.self, name).map { present.filled(from: .record($0)) }
  }

  /// The parts of a shape that are given.
  package mutating func parts<Content: Shape>(
    of _: Content.Type, _ name: String, leastLength: Double = 0
  ) throws(HeaderError) -> Value.Record? {
    try nested(name, definition: notes != nil && leastLength == 0 ? "\(Content.self)" : nil) {
      fields throws(HeaderError) in
      var given = Value.Record()
      for part in Content.parts {
        let least = part.isLength ? leastLength : -Self.bound
        given[part.name] = try fields.number(part.name, in: least...Self.bound).map { .number($0) }
      }
      return given
    }
  }
}

extension Point: Shape {
  /// {x, y}.
  public static let parts = [ShapePart<Point>("x", \.x), ShapePart("y", \.y)]
  /// All numbers are 0.
  public static let zero = Point()
}

extension Size: Shape {
  /// {width, height}.
  public static let parts = [
    ShapePart<Size>("width", \.width, isLength: true), ShapePart("height", \.height, isLength: true),
  ]
  /// All numbers are 0.
  public static let zero = Size()
}

extension Rect: Shape {
  /// {x, y, width, height}.
  public static let parts = [
    ShapePart<Rect>("x", \.origin.x), ShapePart("y", \.origin.y),
    ShapePart("width", \.size.width, isLength: true), ShapePart("height", \.size.height, isLength: true),
  ]
  /// All numbers are 0.
  public static let zero = Rect()
}

extension Insets: Shape {
  /// {top, left, bottom, right}.
  public static let parts = [
    ShapePart<Insets>("top", \.top), ShapePart("left", \.left), ShapePart("bottom", \.bottom),
    ShapePart("right", \.right),
  ]
  /// All numbers are 0.
  public static let zero = Insets()
}

extension PartialPoint {
  /// The axes that are there.
  public var value: Value {
    var record = Value.Record()
    record["x"] = x.map { .number($0) }
    record["y"] = y.map { .number($0) }
    return .record(record)
  }
}

extension Transform {
  /// Sixteen numbers, m11…m44 by rows.
  public var value: Value { .list(numbers.map { .number($0) }) }

  /// The same back; nil for anything else.
  public init?(_ value: Value) {
    guard case .list(let list) = value else { return nil }
    self.init(numbers: list.compactMap(\.number))
  }
}
