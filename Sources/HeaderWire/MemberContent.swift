// SPDX-License-Identifier: MIT
//
// The types of the state's members: how each is written in a line, written in a frame, read from a line, and described in the schema.

internal import CHeaderWire
internal import HeaderModel

protocol MemberContent: Equatable {
  /// The type of the field in the struct of header_wire.h.
  associatedtype Wire
  var wire: Wire { get }
  /// Sets the field, and writes what follows the struct in the frame.
  func fill(_ wire: inout Wire, _ member: StateMember<Self>, _ writer: inout FrameWriter)
  func write(to writer: inout JSONWriter)
  /// Reads a member of a line; nil: the value is of another type.
  static func read(_ value: Value) -> Self?
  static func schema(in form: MemberForm) -> Value
  /// The same with its lengths on a grid.
  func rounded(to grid: Grid, _ form: MemberForm) -> Self

  // For the members of drawers and scroll views (StateTemplate.swift):
  func put(with cursor: inout ByteCursor)
  func put(_ member: StateMember<Self>, _ writer: inout TemplateWriter)
  /// The sizes of the texts that a template keeps for the member.
  static func rooms(_ presence: Presence<Self>) -> [Int]
}

extension MemberContent {
  func fill(_ wire: inout Wire, _: StateMember<Self>, _: inout FrameWriter) { wire = self.wire }
  func write(to writer: inout JSONWriter) { writer.piece(atMost: ByteCursor.maxShape) { put(with: &$0) } }
  @inline(__always) func rounded(to _: Grid, _: MemberForm) -> Self { self }
  func put(with _: inout ByteCursor) { preconditionFailure("headerd bug: a content of any size needs the writer") }
}

extension Value {
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension MemberContent where Wire == Self { var wire: Self { self } }
extension MemberContent where Wire == Void { var wire: Void { () } }

// MARK: - Numbers

extension Double: MemberContent {
  typealias Wire = Double
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static func read(_ value: Value) -> Double? { value.number }
  static func schema(in form: MemberForm) -> Value {
    form == .points ? JSONSchema.points : form == .seconds ? JSONSchema.seconds : JSONSchema.number
  }
  func rounded(to grid: Grid, _ form: MemberForm) -> Double { form == .points ? grid.rounded(self) : self }
}

extension Float: MemberContent {
  typealias Wire = Float
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(JSONWriter.shortest(self)) }
  static func read(_ value: Value) -> Float? { value.number.map { Float($0) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.number }
}

extension Instant: MemberContent {
  var wire: Int64 { nanoseconds }
  func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static func read(_ value: Value) -> Instant? { value.number.map { Instant(seconds: $0) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.seconds }
}

/// The order of drawers.
extension Int8: MemberContent {
  typealias Wire = Int8
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(Int(self)) }
  static func read(_ value: Value) -> Int8? { value.number.map { Int8(Swift.max(-100, Swift.min(100, $0))) } }
  static func schema(in _: MemberForm) -> Value { ["type": "integer"] }
}

/// A whole number that is never negative.
struct Count<Wire: FixedWidthInteger>: MemberContent {
  let number: Int
  var wire: Wire { Wire(clamping: number) }
  func put(with cursor: inout ByteCursor) { cursor.put(number) }
  static func read(_ value: Value) -> Self? { value.number.map { Count(number: Int(max(0, min($0, 0x1p53)))) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.count }
}

/// A member that is true or absent; a bit of the frame.
struct Flag: MemberContent {
  typealias Wire = Void
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put("true") }
  static func read(_ value: Value) -> Flag? { value == true ? Flag() : nil }
  static func schema(in _: MemberForm) -> Value { ["type": "boolean", "const": true, "default": false] }
}

/// The least and the greatest progress.
extension ClosedRange<Double>: MemberContent {
  var wire: (Double, Double) { (lowerBound, upperBound) }
  func write(to writer: inout JSONWriter) { writer.value(ends) }
  static func read(_ value: Value) -> Self? {
    guard case .list(let bounds) = value, bounds.count == 2, let least = bounds[0].number, let most = bounds[1].number
    else { return nil }
    return least <= most ? least...most : nil
  }
  static func schema(in _: MemberForm) -> Value { JSONSchema.permitted }
}

// MARK: - Shapes

protocol ShapeContent: MemberContent, Shape {
  static var schema: Value { get }
}

extension ShapeContent {
  func fill(_ wire: inout Wire, _ member: StateMember<Self>, _ writer: inout FrameWriter) {
    if member.form == .object { writer.object["\(member.name)"] = value } else { wire = self.wire }
  }
  static func read(_ value: Value) -> Self? { if case .record = value { zero.filled(from: value) } else { nil } }
  static func schema(in _: MemberForm) -> Value { schema }
}

extension Point: ShapeContent {
  @inline(__always) var wire: header_wire_point { header_wire_point(x: x, y: y) }
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static var schema: Value { JSONSchema.definition("WrittenPoint") }
  @inline(__always) func rounded(to grid: Grid, _: MemberForm) -> Point {
    let (x, y) = grid.rounded(x, y)
    return Point(x: x, y: y)
  }
}

extension Size: ShapeContent {
  @inline(__always) var wire: header_wire_size { header_wire_size(width: width, height: height) }
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static var schema: Value { JSONSchema.object(["width": JSONSchema.points, "height": JSONSchema.points]) }
  @inline(__always) func rounded(to grid: Grid, _: MemberForm) -> Size {
    let (width, height) = grid.rounded(width, height)
    return Size(width: width, height: height)
  }
}

extension Rect: ShapeContent {
  @inline(__always) var wire: header_wire_rect {
    header_wire_rect(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static var schema: Value { JSONSchema.definition("WrittenRect") }
  @inline(__always) func rounded(to grid: Grid, _: MemberForm) -> Rect { grid.rounded(self) }
}

extension Insets: ShapeContent {
  @inline(__always) var wire: header_wire_insets { .init(top: top, left: left, bottom: bottom, right: right) }
  @inline(__always) func put(with cursor: inout ByteCursor) { cursor.put(self) }
  static var schema: Value { JSONSchema.definition("WrittenInsets") }
  @inline(__always) func rounded(to grid: Grid, _: MemberForm) -> Insets {
    let ((top, left), (bottom, right)) = (grid.rounded(top, left), grid.rounded(bottom, right))
    return Insets(top: top, left: left, bottom: bottom, right: right)
  }
}

/// A rectangle, or null.
extension Rect?: MemberContent {
  var wire: header_wire_rect { (self ?? Rect()).wire }
  func write(to writer: inout JSONWriter) { if let self { self.write(to: &writer) } else { writer.null() } }
  static func read(_ value: Value) -> Self? { .some(Rect.read(value)) }
  func rounded(to grid: Grid, _: MemberForm) -> Self { map { grid.rounded($0) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.either(Rect.schema, JSONSchema.null) }
}

// MARK: - Members that follow the struct in a frame

extension Transform: MemberContent {
  func fill(_: inout Void, _: StateMember<Self>, _ writer: inout FrameWriter) {
    writer.write(atMost: MemoryLayout<Self>.size) { cursor in forEach { cursor.store($0) } }
  }
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    forEach { writer.number($0) }
    writer.endArray()
  }
  static func read(_ value: Value) -> Transform? { Transform(value) }
  static func schema(in _: MemberForm) -> Value {
    ["type": "array", "items": JSONSchema.number, "minItems": 16, "maxItems": 16]
  }

  /// Row by row: an array of the numbers would be an allocation for each such element in each state.
  private func forEach(_ body: (Double) -> Void) {
    func row(_ row: Row) {
      body(row.m1)
      body(row.m2)
      body(row.m3)
      body(row.m4)
    }
    row(row1)
    row(row2)
    row(row3)
    row(row4)
  }
}

extension String: MemberContent {
  /// Its size. Names are never longer than 16 bits tell.
  var wire: UInt16 { UInt16(clamping: utf8.count) }
  func fill(_ wire: inout UInt16, _ member: StateMember<Self>, _ writer: inout FrameWriter) {
    wire = self.wire
    if member.form == .later { return writer.later = self }
    writer.text(self, atMost: Int(UInt16.max))
    if writer.later.isEmpty { return }
    writer.text(writer.later, atMost: Int(UInt16.max))
    writer.later = ""
  }
  func write(to writer: inout JSONWriter) { writer.string(self) }
  static func read(_ value: Value) -> String? { value.text }
  static func schema(in _: MemberForm) -> Value { JSONSchema.text }
}

extension Value.Record: MemberContent {
  var wire: UInt32 { 0 }
  func fill(_ size: inout UInt32, _: StateMember<Self>, _ writer: inout FrameWriter) {
    size = writer.value(.record(self))
  }
  func write(to writer: inout JSONWriter) { writer.value(.record(self)) }
  static func read(_ value: Value) -> Self? { if case .record(let record) = value { record } else { nil } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.record }
}

/// The constraints of a header.
struct Constraints: MemberContent {
  let value: Value
  func fill(_: inout Void, _ member: StateMember<Self>, _ writer: inout FrameWriter) {
    writer.object["\(member.name)"] = value
  }
  func write(to writer: inout JSONWriter) { writer.value(value) }
  static func read(_ value: Value) -> Self? { Constraints(value: value) }
  static func schema(in _: MemberForm) -> Value { JSONSchema.list(of: JSONSchema.definition("Constraint")) }
}

// MARK: - Words and names

/// `HEADER_WIRE_STYLE_…`, of which 0 is none.
extension StatusBarStyle: MemberContent {
  var wire: UInt8 { UInt8(1 + (Self.allCases.firstIndex(of: self) ?? 0)) }
  func write(to writer: inout JSONWriter) { writer.string(rawValue) }
  static func read(_ value: Value) -> Self? { value.text.flatMap { Self(rawValue: $0) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.words(allCases.map(\.rawValue)) }
}

/// `HEADER_WIRE_CURVE_…`.
extension AnimationCurve: MemberContent {
  var wire: UInt16 { UInt16(Self.words.firstIndex(of: word) ?? 0) }
  func write(to writer: inout JSONWriter) { writer.string(word) }
  static func read(_ value: Value) -> Self? {
    value == "spring" ? .spring(mass: 0, stiffness: 0, damping: 0, initialVelocity: 0) : value.text.flatMap(Self.init)
  }
  static func schema(in _: MemberForm) -> Value { JSONSchema.words(words) }
}

/// The numbers of header_plugin.h.
extension DelegateEventKind: MemberContent {
  var wire: UInt16 { UInt16(rawValue) }
  func write(to writer: inout JSONWriter) { writer.string(word) }
  static func read(_ value: Value) -> Self? { value.text.flatMap { Self(word: $0) } }
  static func schema(in _: MemberForm) -> Value { JSONSchema.words(JSONSchema.delegateEvents) }
}

/// A name, by its index among the header's names; −1 is none. FrameTranslator sets the index of a line's name.
struct Place<Wire: FixedWidthInteger>: MemberContent {
  let (place, names): (Int32, [String])
  init(_ place: Int32, of names: [String]) { (self.place, self.names) = (place, names) }
  var wire: Wire { Wire(truncatingIfNeeded: place) }
  func write(to writer: inout JSONWriter) { if place >= 0 { writer.string(names[Int(place)]) } else { writer.null() } }
  static func read(_: Value) -> Self? { nil }
  static func schema(in form: MemberForm) -> Value {
    form == .nullable ? JSONSchema.either(JSONSchema.text, JSONSchema.null) : JSONSchema.text
  }
}
