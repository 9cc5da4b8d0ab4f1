// SPDX-License-Identifier: MIT
//
// Points, sizes, rectangles, insets. All lengths are points; `y` grows downward. The fields lie in memory in the order
// written, as the same structs of `header_plugin.h` do: plugins read the header's records in place (PluginHost checks
// the layouts when it starts).

/// A place, or a movement, in points.
public struct Point: Equatable, Sendable {
  /// Points to the right.
  public var x: Double
  /// Points downward.
  public var y: Double

  /// A place by its axes; an axis left out is 0.
  @inlinable
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  /// Each axis added: a place and a movement give a place.
  public static func + (left: Point, right: Point) -> Point { Point(x: left.x + right.x, y: left.y + right.y) }
  /// Each axis subtracted: two places give the movement from the right one to the left one.
  public static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
  /// Moves the left one by the right one.
  public static func += (left: inout Point, right: Point) { left = left + right }
}

/// Width and height in points, never negative in a record.
public struct Size: Equatable, Sendable {
  /// Width in points.
  public var width: Double
  /// Height in points.
  public var height: Double

  /// A size by its sides; a side left out is 0.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}

/// A rectangle: its top left corner and its size, in points.
public struct Rect: Equatable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// The width to the right and the height downward.
  public var size: Size

  /// Creates a rectangle by its corner and size; parts left out are 0.
  public init(origin: Point = Point(), size: Size = Size()) {
    self.origin = origin
    self.size = size
  }

  /// A rectangle by its corner's axes and its sides, in points.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The x of the right edge.
  public var maxX: Double { origin.x + size.width }
  /// The y of the bottom edge.
  public var maxY: Double { origin.y + size.height }
}

/// Distances from the four edges inward, in points; negative ones reach outward.
public struct Insets: Equatable, Sendable {
  /// From the top edge downward.
  public var top: Double
  /// From the left edge to the right.
  public var left: Double
  /// From the bottom edge upward.
  public var bottom: Double
  /// From the right edge to the left.
  public var right: Double

  /// Insets by their edges; an edge left out is 0.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Adds edge by edge.
  public static func + (a: Insets, b: Insets) -> Insets {
    Insets(top: a.top + b.top, left: a.left + b.left, bottom: a.bottom + b.bottom, right: a.right + b.right)
  }
  /// Subtracts edge by edge.
  public static func - (a: Insets, b: Insets) -> Insets {
    Insets(top: a.top - b.top, left: a.left - b.left, bottom: a.bottom - b.bottom, right: a.right - b.right)
  }
}

/// A 4×4 transform, m11…m44 by rows, as CATransform3D has it.
public struct Transform: Equatable, Sendable {
  /// m11…m14.
  public var row1: Row
  /// m21…m24.
  public var row2: Row
  /// m31…m34.
  public var row3: Row
  /// m41…m44: the first three are the translation in points.
  public var row4: Row

  /// Four numbers of a transform.
  public struct Row: Equatable, Sendable {
    /// The first column.
    public var m1: Double
    /// The second column.
    public var m2: Double
    /// The third column.
    public var m3: Double
    /// The fourth column.
    public var m4: Double

    /// A row by its columns, from left to right.
    public init(_ m1: Double, _ m2: Double, _ m3: Double, _ m4: Double) {
      self.m1 = m1
      self.m2 = m2
      self.m3 = m3
      self.m4 = m4
    }
  }

  /// A transform by its rows, from the top.
  public init(_ row1: Row, _ row2: Row, _ row3: Row, _ row4: Row) {
    self.row1 = row1
    self.row2 = row2
    self.row3 = row3
    self.row4 = row4
  }

  /// The transform that changes nothing.
  public static let identity = Transform(Row(1, 0, 0, 0), Row(0, 1, 0, 0), Row(0, 0, 1, 0), Row(0, 0, 0, 1))

  /// The sixteen numbers, by rows.
  public var numbers: [Double] {
    [row1, row2, row3, row4].flatMap { [$0.m1, $0.m2, $0.m3, $0.m4] }
  }

  /// A transform of sixteen numbers by rows; nil when there are not sixteen.
  public init?(numbers n: [Double]) {
    guard n.count == 16 else { return nil }
    self.init(
      Row(n[0], n[1], n[2], n[3]), Row(n[4], n[5], n[6], n[7]), Row(n[8], n[9], n[10], n[11]),
      Row(n[12], n[13], n[14], n[15]))
  }
}

/// A point of which an axis may be left out; an axis left out keeps its present value.
public struct PartialPoint: Equatable, Sendable {
  /// Points to the right; nil: as it is.
  public var x: Double?
  /// Points downward; nil: as it is.
  public var y: Double?

  /// A point by the axes that are given.
  @inlinable
  public init(x: Double? = nil, y: Double? = nil) {
    self.x = x
    self.y = y
  }

  /// The point with the missing axes taken from another.
  public func filled(from present: Point) -> Point { Point(x: x ?? present.x, y: y ?? present.y) }
}

extension Point {
  /// The nearest point within ±1e9. Neither sum nor difference of two valid points need be valid, but a header's numbers are saved and
  /// sent within that range.
  @inlinable package var bounded: Point {
    let bound = FieldReader.bound
    return Point(x: max(-bound, min(x, bound)), y: max(-bound, min(y, bound)))
  }
}
