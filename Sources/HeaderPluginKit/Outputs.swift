// SPDX-License-Identifier: MIT
//
// The outputs of a behavior: named values and notices. Declaring one describes it to the host and returns a handle:
//
//     declare  list.value("isContracting", initial: false, "…")  ─▶  NamedValue<Bool>
//     use      isContracting.set(true, in: host)
//
// A handle is the host's number of the value or notice. It belongs to the behavior's class, so instances hold nothing and no name is
// looked up.

internal import CHeaderPlugin

/// The values and notices of a behavior, in order of declaration. Append new ones: saved headers list values by index.
public struct OutputList: Sendable {
  struct ValueRow: Sendable {
    let name: String
    let type: ValueType
    let unit: String?
    var cases: [String] = []
    let initial: Value
    let meaning: String
  }

  private(set) var values: [ValueRow] = []
  private(set) var notices: [String] = []

  /// The number of declared values.
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

  /// Declares a named value that is one of an enumeration's raw values.
  public mutating func value<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, initial: Choice?, _ meaning: String
  ) -> NamedValue<String> {
    let handle: NamedValue<String> = add(name, .case, nil, initial.map { .text($0.rawValue) }, meaning)
    values[values.count - 1].cases = Choice.allCases.map(\.rawValue)
    return handle
  }

  private mutating func add<Content>(
    _ name: String, _ type: ValueType, _ unit: String?, _ initial: Value?, _ meaning: String
  ) -> NamedValue<Content> {
    values.append(ValueRow(name: name, type: type, unit: unit, initial: initial ?? .null, meaning: meaning))
    return NamedValue(number: UInt32(values.count - 1))
  }

  /// Declares a notice.
  /// - Parameters:
  ///   - name: what the states call it, in lowerCamelCase.
  ///   - isRoutine: it is sent only to subscribers that ask for routine notices.
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

  /// Publishes null.
  public func setNull(in host: Host) { unsafe set(HEADER_NULL, in: host) { _ in } }

  fileprivate func set(_ type: Int, in host: Host, _ fill: (inout header_value) -> Void) {
    var record = unsafe header_value()
    unsafe record.type = UInt8(type)
    unsafe fill(&record)
    _ = unsafe host.table.pointee.set_value(host.context, number, &record)
  }
}

extension NamedValue<Bool> {
  /// Publishes a flag.
  public func set(_ content: Bool, in host: Host) {
    unsafe set(HEADER_BOOL, in: host) { unsafe $0.boolean = content }
  }
}

extension NamedValue<Double> {
  /// Publishes a number.
  public func set(_ content: Double, in host: Host) {
    unsafe set(HEADER_NUMBER, in: host) { unsafe $0.number = content }
  }
}

extension NamedValue<String> {
  /// Sets it. A literal, such as an enumeration's raw value, is handed over without an allocation.
  public func set(_ content: String, in host: Host) {
    unsafe content.withCString { text in
      unsafe set(HEADER_TEXT, in: host) {
        unsafe $0.count = UInt32(content.utf8.count)
        unsafe $0.text = text
      }
    }
  }
}

/// The handle of a notice: something that happened, sent with the state of the event.
public struct Notice: Sendable {
  let number: UInt32
  let isRoutine: Bool

  /// Posts the notice without arguments.
  public func post(in host: Host) { _ = unsafe host.table.pointee.post(host.context, number, nil, isRoutine) }

  /// Posts the notice with arguments, by name.
  public func post(_ arguments: [(name: String, value: Value)], in host: Host) {
    let arena = Arena()
    var record = unsafe arena.value(.record(arguments))
    _ = unsafe host.table.pointee.post(host.context, number, &record, isRoutine)
    withExtendedLifetime(arena) {}
  }
}
