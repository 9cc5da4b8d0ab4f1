// SPDX-License-Identifier: MIT
//
// The shapes and the entries of a state (headerd-protocol(7), Units and shapes, STATES), written into the writer's
// bytes. Defaults are left out by the callers that know them; here is only how a thing looks once it is written. The
// shapes of which a state has many are put together from literals and numbers, without asking before each piece for
// room and for a comma.

internal import HeaderCore

extension ByteCursor {
  /// Bytes that a shape takes at most: four numbers and their names.
  static let shapeMax = 4 * numberMax + 48

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

extension JSONWriter {
  mutating func point(_ point: Point) { piece(atMost: ByteCursor.shapeMax) { $0.put(point) } }

  mutating func size(_ size: Size) { piece(atMost: ByteCursor.shapeMax) { $0.put(size) } }

  mutating func rect(_ rect: Rect) { piece(atMost: ByteCursor.shapeMax) { $0.put(rect) } }

  mutating func insets(_ insets: Insets) { piece(atMost: ByteCursor.shapeMax) { $0.put(insets) } }

  /// A member that is true; false ones are left out.
  mutating func flag(_ name: StaticString) {
    key(name)
    bool(true)
  }

  /// A member that is left out when it has its default.
  mutating func number(_ name: StaticString, _ number: Double, unless byDefault: Double) {
    guard number != byDefault else { return }
    key(name)
    self.number(number)
  }

  /// A name by its index, null for −1.
  mutating func name(_ index: Int32, of names: [String]) {
    if index >= 0 { string(names[Int(index)]) } else { null() }
  }

  /// An alpha, which is a float: the shortest decimal that reads back as the same float, not as its widened double.
  mutating func alpha(_ alpha: Float) {
    key("alpha")
    number(Self.shortest(alpha))
  }

  /// The double whose shortest decimal is the float's. Decimals of up to six digits are told apart by floats, so one of at
  /// most four places that comes back to the float is the shortest there is; the rest asks Swift.
  static func shortest(_ float: Float) -> Double {
    let rounded = (Double(float) * 10_000).rounded() / 10_000
    if abs(rounded) <= 99, Float(rounded) == float { return rounded }
    return Double(float.description) ?? Double(float)
  }

  mutating func content(_ content: NamedValue.Content) {
    switch content {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): number(value)
    case .text(let value): string(value)
    }
  }

  // MARK: - Entries of lists

  mutating func notice(
    _ name: String, of delegate: String, _ arguments: Value.Record?, count: Int, isRoutine: Bool
  ) {
    beginObject()
    key("name")
    string(name)
    key("delegate")
    string(delegate)
    if let arguments, !arguments.fields.isEmpty {
      key("arguments")
      value(.record(arguments))
    }
    if count != 1 {
      key("count")
      integer(count)
    }
    if isRoutine { flag("routine") }
    endObject()
  }

  mutating func command(_ command: HeaderState.Command, _ names: HeaderNames) {
    beginObject()
    key("scrollView")
    string(names.scrollViews[Int(command.scrollView)])
    key("name")
    string(command.name)
    key("arguments")
    value(.record(command.arguments))
    endObject()
  }

  mutating func animation(_ animation: HeaderState.Animation, _ names: HeaderNames) {
    beginObject()
    key("duration")
    number(animation.duration)
    number("delay", animation.delay, unless: 0)
    key("curve")
    string(animation.curve.word)
    if case .spring(let mass, let stiffness, let damping, let initialVelocity) = animation.curve {
      key("mass")
      number(mass)
      key("stiffness")
      number(stiffness)
      key("damping")
      number(damping)
      key("initialVelocity")
      number(initialVelocity)
    }
    key("delegate")
    string(names.delegates[Int(animation.delegate)])
    endObject()
  }

  mutating func call(_ call: HeaderState.Call, _ names: HeaderNames) {
    beginObject()
    key("delegate")
    string(names.delegates[Int(call.delegate)])
    key("event")
    string(call.kind.word)
    key("depth")
    integer(Int(call.depth))
    endObject()
  }
}
