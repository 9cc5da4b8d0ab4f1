// SPDX-License-Identifier: MIT
//
// The shapes and list entries of a state (headerd-connection(7), headerd-states(7)). Shapes are put together from
// literals and numbers by a cursor, which does not check for room and commas before each piece.

internal import HeaderModel

extension ByteCursor {
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
    putRest(of: rect)
  }

  /// A rectangle whose first brace and name are there.
  @inline(__always)
  mutating func putRest(of rect: Rect) {
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

extension ByteCursor {
  /// Writes a drawer's members behind its frame that do not have their default.
  @inline(__always)
  mutating func putRest(of drawer: borrowing Drawer) {
    if drawer.alpha != 1 {
      put(",\"alpha\":")
      put(JSONWriter.shortest(drawer.alpha))
    }
    if drawer.isHidden { put(",\"hidden\":true") }
    if drawer.zIndex != 0 {
      put(",\"zIndex\":")
      put(Int(drawer.zIndex))
    }
    let translation = drawer.translation
    if translation != Point() {
      put(",\"translation\":")
      put(translation)
    }
  }

  /// Writes the content inset, and the scroll view's members behind it up to the correction that do not have their default.
  @inline(__always)
  mutating func putRest(of view: borrowing ScrollView) {
    let inset = view.contentInset
    put(inset)
    if view.scrollIndicatorInsets != inset {
      put(",\"scrollIndicatorInsets\":")
      put(view.scrollIndicatorInsets)
    }
    if view.adjustedContentInset != inset {
      put(",\"adjustedContentInset\":")
      put(view.adjustedContentInset)
    }
    if view.decidesFrame {
      put(",\"frame\":")
      put(view.frame)
    }
    if view.decidesContentSize {
      put(",\"contentSize\":")
      put(view.contentSize)
    }
  }
}

extension JSONWriter {
  mutating func rect(_ rect: Rect) { piece(atMost: ByteCursor.maxShape) { $0.put(rect) } }

  /// A member that is a point.
  mutating func member(_ name: StaticString, _ point: Point) {
    key(name)
    piece(atMost: ByteCursor.maxShape) { $0.put(point) }
  }

  /// A member that is a rectangle.
  mutating func member(_ name: StaticString, _ rect: Rect) {
    key(name)
    self.rect(rect)
  }

  /// Writes a member unless it has its default.
  mutating func number(_ name: StaticString, _ number: Double, unless byDefault: Double) {
    if number != byDefault { member(name, number) }
  }

  /// A name by its index, null for −1.
  mutating func name(_ index: Int32, of names: [String]) {
    if index >= 0 { string(names[Int(index)]) } else { null() }
  }

  /// The double whose shortest decimal is the float's. Floats distinguish decimals of up to six digits, so a decimal of at most four
  /// places that reads back as the float is the shortest; all other floats go through Swift's description.
  static func shortest(_ float: Float) -> Double {
    let rounded = (Double(float) * 10_000).rounded() / 10_000
    if abs(rounded) <= 99, Float(rounded) == float { return rounded }
    return Double(float.description) ?? Double(float)
  }

  // MARK: - Entries of lists

  mutating func notice(
    _ name: String, of delegate: String, _ arguments: Value.Record?, count: Int, isRoutine: Bool
  ) {
    beginObject()
    member("name", name)
    member("delegate", delegate)
    if let arguments, !arguments.fields.isEmpty { member("arguments", .record(arguments)) }
    if count != 1 { member("count", count) }
    flag("routine", isRoutine)
    endObject()
  }

  mutating func command(_ command: HeaderState.Command, _ names: HeaderNames) {
    beginObject()
    member("scrollView", names.scrollViews[Int(command.scrollView)])
    member("name", command.name)
    member("arguments", .record(command.arguments))
    endObject()
  }

  mutating func animation(_ animation: HeaderState.Animation, _ names: HeaderNames) {
    beginObject()
    member("duration", animation.duration)
    number("delay", animation.delay, unless: 0)
    member("curve", animation.curve.word)
    if case .spring(let mass, let stiffness, let damping, let initialVelocity) = animation.curve {
      member("mass", mass)
      member("stiffness", stiffness)
      member("damping", damping)
      member("initialVelocity", initialVelocity)
    }
    member("delegate", names.delegates[Int(animation.delegate)])
    endObject()
  }

  mutating func call(_ call: HeaderState.Call, _ names: HeaderNames) {
    beginObject()
    member("delegate", names.delegates[Int(call.delegate)])
    member("event", call.kind.word)
    member("depth", Int(call.depth))
    endObject()
  }
}
