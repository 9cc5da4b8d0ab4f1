// SPDX-License-Identifier: MIT
//
// What a behavior publishes beside the header's records: named values and notices. Each is declared once, which describes
// it to the host and gives a handle to use it by:
//
//     declare  list.value("isContracting", initial: false, "…")  ─▶  NamedValue<Bool>
//     use      isContracting.set(true, in: host)
//
// A handle is the number by which the host knows the value or notice. It belongs to the behavior's class, not to an
// instance: instances hold nothing, and using one costs no look-up.

internal import CHeaderPlugin

/// The values and notices of a behavior, in the order in which they are declared. A saved header lists values by their
/// place, so new ones are appended.
public struct OutputList: Sendable {
  /// A value as it is described.
  struct ValueRow: Sendable {
    let name: String
    let type: ValueType
    let unit: String?
    let initial: Value
    let meaning: String
  }

  private(set) var values: [ValueRow] = []
  private(set) var notices: [String] = []

  /// How many values are declared so far.
  public var valueCount: Int { values.count }

  /// Declares a named value that is true or false; `initial` is what it is until the behavior sets it, nil: null.
  public mutating func value(_ name: String, initial: Bool?, _ meaning: String) -> NamedValue<Bool> {
    add(name, .bool, nil, initial.map { .bool($0) }, meaning)
  }

  /// Declares a named value that is a number; `unit` is what it counts, nil: nothing.
  public mutating func value(
    _ name: String, unit: String? = nil, initial: Double?, _ meaning: String
  ) -> NamedValue<Double> {
    add(name, .number, unit, initial.map { .number($0) }, meaning)
  }

  /// Declares a named value that is a text.
  public mutating func value(_ name: String, initial: String?, _ meaning: String) -> NamedValue<String> {
    add(name, .text, nil, initial.map { .text($0) }, meaning)
  }

  private mutating func add<Content>(
    _ name: String, _ type: ValueType, _ unit: String?, _ initial: Value?, _ meaning: String
  ) -> NamedValue<Content> {
    values.append(ValueRow(name: name, type: type, unit: unit, initial: initial ?? .null, meaning: meaning))
    return NamedValue(number: UInt32(values.count - 1))
  }

  /// Declares a notice.
  /// - Parameter isRoutine: it is sent only to subscribers that ask for routine notices.
  public mutating func notice(_ name: String, isRoutine: Bool = false) -> Notice {
    notices.append(name)
    return Notice(number: UInt32(notices.count - 1), isRoutine: isRoutine)
  }
}

/// The handle of a named value; `Content` is Bool, Double or String.
public struct NamedValue<Content>: Sendable {
  let number: UInt32
  /// Its place among the behavior's values, for what an instance keeps of each.
  public var index: Int { Int(number) }

  fileprivate func set(_ record: header_value, in host: Host) {
    var record = unsafe record
    _ = unsafe host.table.pointee.set_value(host.context, number, &record)
  }

  /// Sets it to null.
  public func setNull(in host: Host) { unsafe set(header_value(), in: host) }
}

extension NamedValue<Bool> {
  /// Sets it.
  public func set(_ content: Bool, in host: Host) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(HEADER_BOOL)
    unsafe record.boolean = content
    unsafe set(record, in: host)
  }
}

extension NamedValue<Double> {
  /// Sets it.
  public func set(_ content: Double, in host: Host) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(HEADER_NUMBER)
    unsafe record.number = content
    unsafe set(record, in: host)
  }
}

extension NamedValue<String> {
  /// Sets it. A text that stands in the program, such as an enumeration's raw value, is passed without an allocation.
  public func set(_ content: String, in host: Host) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(HEADER_TEXT)
    unsafe record.count = UInt32(content.utf8.count)
    unsafe content.withCString { text in
      unsafe record.text = unsafe text
      unsafe set(record, in: host)
    }
  }
}

/// The handle of a notice: something that happened, sent with the state of the event.
public struct Notice: Sendable {
  let number: UInt32
  let isRoutine: Bool

  /// Posts it.
  public func post(in host: Host) { _ = unsafe host.table.pointee.post(host.context, number, nil, isRoutine) }

  /// Posts it with arguments.
  public func post(_ arguments: [(name: String, value: Value)], in host: Host) {
    let arena = Arena()
    var record = unsafe arena.value(.record(arguments))
    _ = unsafe host.table.pointee.post(host.context, number, &record, isRoutine)
    withExtendedLifetime(arena) {}
  }
}
