// SPDX-License-Identifier: MIT
//
// Points, sizes, rectangles, insets. All lengths are points; `y` grows downward.

internal import CHeaderPlugin

/// A place or movement in points.
public struct Point: Equatable, Sendable {
  /// Points to the right.
  public var x: Double
  /// Points downward.
  public var y: Double
  /// A place by its axes; an axis left out is 0.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  init(_ point: header_point) { self.init(x: point.x, y: point.y) }
  var c: header_point { header_point(x: x, y: y) }
}

/// Width and height in points.
public struct Size: Equatable, Sendable {
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double
  /// A size by its sides; a side left out is 0.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }

  init(_ size: header_size) { self.init(width: size.width, height: size.height) }
  var c: header_size { header_size(width: width, height: height) }
}

/// A drawer's top edge and height, without its translation, in points. It lies in memory as C's `header_extent`.
public struct Extent: Equatable, Sendable {
  /// The top edge in header space.
  public var top: Double
  /// Never negative.
  public var height: Double
  /// An extent by its parts.
  public init(top: Double, height: Double) {
    self.top = top
    self.height = height
  }
}

/// A rectangle in points, its top left corner and its sides.
public struct Rect: Equatable, Sendable {
  /// The left edge, in points.
  public var x: Double
  /// The top edge, in points.
  public var y: Double
  /// Width in points.
  public var width: Double
  /// Height in points.
  public var height: Double
  /// A rectangle by its top left corner and its sides; what is left out is 0.
  public init(x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  init(_ rect: header_rect) {
    self.init(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height)
  }
  var c: header_rect { header_rect(origin: header_point(x: x, y: y), size: header_size(width: width, height: height)) }
  /// The bottom edge, in points.
  public var maxY: Double { y + height }
}

/// Distances from the edges inward, in points.
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

  init(_ insets: header_insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
  var c: header_insets { header_insets(top: top, left: left, bottom: bottom, right: right) }
}
