// SPDX-License-Identifier: MIT
//
// Shapes (headerd-connection(7)), put together from literals and numbers by a cursor, which does not check for room and commas
// before each piece.

internal import HeaderModel

extension ByteCursor {
  /// The name of a member that is not the first one.
  @inline(__always)
  mutating func putName(_ name: StaticString) {
    put(",\"")
    put(name)
    put("\":")
  }

  /// Bytes that a shape takes at most: four numbers and their names.
  static let maxShape = 4 * maxNumber + 48

  @inline(__always)
  mutating func put(_ point: Point) {
    put("{\"x\":")
    putRest(of: point)
    put("}")
  }

  /// A point whose first brace and name are there, without the last brace.
  @inline(__always)
  mutating func putRest(of point: Point) {
    put(point.x)
    put(",\"y\":")
    put(point.y)
  }

  @inline(__always)
  mutating func put(_ size: Size) {
    put("{\"width\":")
    put(size.width)
    put(",\"height\":")
    put(size.height)
    put("}")
  }

  @inline(__always)
  mutating func put(_ rect: Rect) {
    put("{\"x\":")
    putRest(of: rect.origin)
    putRest(of: rect.size)
  }

  /// The size at the end of a rectangle.
  mutating func putRest(of size: Size) {
    put(",\"width\":")
    put(size.width)
    put(",\"height\":")
    put(size.height)
    put("}")
  }

  @inline(__always)
  mutating func put(_ insets: Insets) {
    put("{\"top\":")
    putInline(insets.top)
    if insets.left.bitPattern | insets.bottom.bitPattern | insets.right.bitPattern == 0 {
      return put(",\"left\":0,\"bottom\":0,\"right\":0}")
    }
    put(",\"left\":")
    put(insets.left)
    put(",\"bottom\":")
    put(insets.bottom)
    put(",\"right\":")
    put(insets.right)
    put("}")
  }
}

extension JSONWriter {
  /// The double whose shortest decimal is the float's. Floats distinguish decimals of up to six digits, so a decimal of at most four
  /// places that reads back as the float is the shortest; all other floats go through Swift's description.
  static func shortest(_ float: Float) -> Double {
    let rounded = (Double(float) * 10_000).rounded() / 10_000
    if abs(rounded) <= 99, Float(rounded) == float { return rounded }
    return Double(float.description) ?? Double(float)
  }
}
