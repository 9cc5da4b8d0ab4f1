// SPDX-License-Identifier: MIT
//
// Shapes as plain data, in the forms of headerd-protocol(7), Units and shapes: a point is {x, y}, a size {width,
// height}, a rectangle {x, y, width, height}, insets {top, left, bottom, right}, a transform sixteen numbers by rows.
// All encoders write shapes through here, so that one order of fields stands everywhere. Reading is FieldReader's: it
// yields the partial shapes, whose missing parts are 0 in a description and the present value in an event. A partial
// shape is written with the parts that it has, so that what is read back is partial in the same way.

extension Point {
  /// {x, y}.
  public var value: Value { ["x": .number(x), "y": .number(y)] }
}

extension Size {
  /// {width, height}.
  public var value: Value { ["width": .number(width), "height": .number(height)] }
}

extension Rect {
  /// {x, y, width, height}.
  public var value: Value {
    [
      "x": .number(origin.x), "y": .number(origin.y), "width": .number(size.width), "height": .number(size.height),
    ]
  }
}

extension Insets {
  /// {top, left, bottom, right}.
  public var value: Value {
    ["top": .number(top), "left": .number(left), "bottom": .number(bottom), "right": .number(right)]
  }
}

extension Transform {
  /// Sixteen numbers, m11…m44 by rows.
  public var value: Value { .list(numbers.map { .number($0) }) }
}

extension PartialPoint {
  /// The axes that are there.
  public var value: Value { .parts([("x", x), ("y", y)]) }
}

extension PartialSize {
  /// The sides that are there.
  public var value: Value { .parts([("width", width), ("height", height)]) }
}

extension PartialInsets {
  /// The edges that are there.
  public var value: Value { .parts([("top", top), ("left", left), ("bottom", bottom), ("right", right)]) }
}

extension PartialRect {
  /// The parts that are there.
  public var value: Value {
    .parts([("x", origin.x), ("y", origin.y), ("width", size.width), ("height", size.height)])
  }
}

extension Value {
  /// A record of those numbers that are there.
  fileprivate static func parts(_ parts: [(name: String, number: Double?)]) -> Value {
    .record(
      Record(
        fields: parts.compactMap { part in
          part.number.map { Record.Field(name: part.name, value: .number($0)) }
        }))
  }
}
