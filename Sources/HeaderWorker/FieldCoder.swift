// SPDX-License-Identifier: MIT
//
// The fields of a message are listed once, and the same code writes or reads them:
//
//     code(&animation) on a ByteWriter ─▶ bytes ─▶ code(&animation) on a ByteReader, which checks what it reads
//
// Records of a state without references are not coded field by field (StateForm.swift).

internal import HeaderModel

/// Writes the fields of a message one behind the other, or reads them.
protocol FieldCoder: ~Copyable {
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(Malformed)
  /// Refuses a number that is not finite.
  mutating func code(_ number: inout Double) throws(Malformed)
  mutating func code(_ flag: inout Bool) throws(Malformed)
  mutating func code(_ text: inout String) throws(Malformed)
  mutating func code(_ value: inout Value) throws(Malformed)
  mutating func code(_ save: inout RemoteSave) throws(Malformed)
  /// The number of entries that follow, of at least `size` bytes each.
  mutating func code(count: inout Int, ofAtLeast size: Int) throws(Malformed)
  /// Refuses invalid input; output always holds.
  func require(_ holds: @autoclosure () -> Bool, _ reason: @autoclosure () -> String) throws(Malformed)
  /// The header's description, which input has to fit; nil: this is output.
  var shape: StateShape? { get }
}

extension FieldCoder where Self: ~Copyable {
  mutating func code(_ record: inout Value.Record) throws(Malformed) {
    var value = Value.record(record)
    try code(&value)
    guard case .record(let given) = value else { return try require(false, "a value is no record") }
    record = given
  }

  mutating func code(_ instant: inout Instant) throws(Malformed) {
    var nanoseconds = instant.nanoseconds
    try code(&nanoseconds)
    instant = Instant(nanoseconds: nanoseconds)
  }

  mutating func code(_ point: inout Point) throws(Malformed) {
    try code(&point.x)
    try code(&point.y)
  }

  mutating func code(_ insets: inout Insets) throws(Malformed) {
    try code(&insets.top)
    try code(&insets.left)
    try code(&insets.bottom)
    try code(&insets.right)
  }

  /// Codes a range of progress; its bounds are ordered.
  mutating func code(_ range: inout ClosedRange<Double>) throws(Malformed) {
    var (low, high) = (range.lowerBound, range.upperBound)
    try code(&low)
    try code(&high)
    try require(0 <= low && low <= high && high <= 1, "\(low) to \(high) is no range of progress")
    range = low...high
  }

  mutating func code(_ error: inout HeaderError) throws(Malformed) {
    var value = error.wholeValue
    try code(&value)
    guard let given = HeaderError(whole: value) else { return try require(false, "an error is none") }
    error = given
  }

  /// The place of a case in the list of all.
  mutating func code<Choice: CaseIterable & Equatable>(choice: inout Choice) throws(Malformed) {
    let all = Array(Choice.allCases)
    var place = UInt8(truncatingIfNeeded: all.firstIndex(of: choice) ?? 0)
    try code(&place)
    try require(Int(place) < all.count, "there is no case \(place) of \(Choice.self)")
    choice = all[Int(place)]
  }

  /// A delegate of the header.
  mutating func code(delegate: inout Int32) throws(Malformed) {
    try code(&delegate)
    try require(shape?.hasDelegate(delegate) ?? true, "there is no delegate \(delegate)")
  }

  /// Codes a content that may be absent.
  /// - Parameter empty: the value whose fields are read.
  mutating func code<Content>(
    _ content: inout Content?, _ empty: @autoclosure () -> Content,
    _ code: (inout Self, inout Content) throws(Malformed) -> Void
  ) throws(Malformed) {
    var isThere = if case .some = content { true } else { false }
    try self.code(&isThere)
    guard isThere else { return content = nil }
    var present = content ?? empty()
    try code(&self, &present)
    content = present
  }

  /// Codes a list of entries.
  /// - Parameters:
  ///   - size: bytes that each has at least.
  ///   - empty: the entry whose fields are read.
  mutating func code<List: RangeReplaceableCollection & MutableCollection>(
    _ list: inout List, ofAtLeast size: Int, _ empty: @autoclosure () -> List.Element,
    _ code: (inout Self, inout List.Element) throws(Malformed) -> Void
  ) throws(Malformed) {
    var count = list.count
    try self.code(count: &count, ofAtLeast: size)
    while list.count < count { list.append(empty()) }
    for index in list.indices { try code(&self, &list[index]) }
  }
}

extension ByteWriter: FieldCoder {
  /// Writes the fields that a closure codes.
  mutating func put(_ code: (inout ByteWriter) throws(Malformed) -> Void) {
    do { try code(&self) } catch { preconditionFailure("headerd bug: a writer refuses nothing") }
  }

  var shape: StateShape? { nil }
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) { put(number) }
  mutating func code(_ number: inout Double) { put(number) }
  mutating func code(_ flag: inout Bool) { put(flag) }
  mutating func code(_ text: inout String) { put(text) }
  mutating func code(_ value: inout Value) { put(value) }
  mutating func code(_ save: inout RemoteSave) { put(save) }
  mutating func code(count: inout Int, ofAtLeast _: Int) { put(UInt32(count)) }
  func require(_: @autoclosure () -> Bool, _: @autoclosure () -> String) {}
}

extension ByteReader: FieldCoder {
  mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(Malformed) { number = try self.number() }
  mutating func code(_ number: inout Double) throws(Malformed) { number = try double() }
  mutating func code(_ flag: inout Bool) throws(Malformed) { flag = try self.flag() }
  mutating func code(_ text: inout String) throws(Malformed) { text = try self.text() }
  mutating func code(_ value: inout Value) throws(Malformed) { value = try self.value() }
  mutating func code(_ save: inout RemoteSave) throws(Malformed) { save = try self.save() }
  mutating func code(count: inout Int, ofAtLeast size: Int) throws(Malformed) {
    count = try self.count(ofAtLeast: size)
  }
  func require(_ holds: @autoclosure () -> Bool, _ reason: @autoclosure () -> String) throws(Malformed) {
    guard holds() else { throw Malformed(reason()) }
  }
}
