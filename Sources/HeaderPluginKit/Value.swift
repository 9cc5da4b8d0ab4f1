// SPDX-License-Identifier: MIT
//
// Plain data inside a plugin: options, arguments, results of calls, saved states. The same tree as the daemon's, but a
// type of the plugin's own, since only C crosses the boundary and each plugin has its copy of this kit.

internal import CHeaderPlugin

/// A tree of plain data.
public indirect enum Value: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([Value])
  /// Named fields in order; no name stands twice.
  case record([(name: String, value: Value)])

  /// The same data: numbers by `==`, lists in order, records in any order.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.record(let left), .record(let right)):
      left.count == right.count && left.allSatisfy { field in right.contains { $0 == field } }
    default: false
    }
  }

  /// A field of a record; nil when there is none, or when this is no record.
  public subscript(name: String) -> Value? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The number, if it is one.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// The truth, if it is one.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The list, if it is one.
  public var list: [Value]? { if case .list(let list) = self { list } else { nil } }

  /// The value as a message shows it after "got": text in quotes, long ones cut, lists and records by their kind.
  var brief: String {
    switch self {
    case .null: return "null"
    case .bool(let bool): return "\(bool)"
    case .number(let number): return number.brief
    case .text(let text): return "\"\(text.count > 64 ? "\(text.prefix(61))…" : text)\""
    case .list: return "a list"
    case .record: return "a record"
    }
  }

  /// Copies a tree of the host's, which is always well formed.
  init(_ value: header_value) {
    switch unsafe Int(value.type) {
    case HEADER_BOOL: self = unsafe .bool(value.boolean)
    case HEADER_NUMBER: self = unsafe .number(value.number)
    case HEADER_TEXT: self = unsafe .text(value.text.map { unsafe String(cString: $0) } ?? "")
    case HEADER_LIST:
      self = .list(unsafe (0..<Int(value.count)).compactMap { unsafe value.items?[$0] }.map { unsafe Value($0) })
    case HEADER_RECORD:
      var fields: [(name: String, value: Value)] = []
      for index in unsafe 0..<Int(value.count) {
        guard let item = unsafe value.items?[index], let name = unsafe value.names?[index] else { continue }
        fields.append((unsafe String(cString: name), unsafe Value(item)))
      }
      self = .record(fields)
    default: self = .null
    }
  }
}

extension Double {
  /// The number as people write it: 12, not 12.0.
  public var brief: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Memory of C trees, texts and tables; freed with the arena, or never when it is kept for good.
@safe final class Arena {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  deinit {
    unsafe blocks.forEach { unsafe $0.deallocate() }
  }

  /// Room for a row of plain elements, each a copy of one.
  func row<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, elements.count * MemoryLayout<Element>.stride), alignment: MemoryLayout<Element>.alignment)
    unsafe blocks.append(raw)
    let row = unsafe raw.bindMemory(to: Element.self, capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() { unsafe (row + index).initialize(to: element) }
    return unsafe row
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    unsafe UnsafePointer(row(text.utf8.map { CChar(bitPattern: $0) } + [0]))
  }

  func text(_ text: String?) -> UnsafePointer<CChar>? { unsafe text.map { unsafe self.text($0) } }

  func texts(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    unsafe UnsafePointer(row(texts.map { unsafe Optional(text($0)) }))
  }

  /// A C tree, valid as long as the arena.
  func value(_ value: Value) -> header_value {
    var result = unsafe header_value()
    switch value {
    case .null: unsafe result.type = UInt8(HEADER_NULL)
    case .bool(let bool):
      unsafe result.type = UInt8(HEADER_BOOL)
      unsafe result.boolean = bool
    case .number(let number):
      unsafe result.type = UInt8(HEADER_NUMBER)
      unsafe result.number = number
    case .text(let string):
      unsafe result.type = UInt8(HEADER_TEXT)
      unsafe result.count = UInt32(string.utf8.count)
      unsafe result.text = text(string)
    case .list(let list):
      unsafe result.type = UInt8(HEADER_LIST)
      unsafe result.count = UInt32(list.count)
      unsafe result.items = UnsafePointer(row(list.map { unsafe self.value($0) }))
    case .record(let fields):
      unsafe result.type = UInt8(HEADER_RECORD)
      unsafe result.count = UInt32(fields.count)
      unsafe result.items = UnsafePointer(row(fields.map { unsafe self.value($0.value) }))
      unsafe result.names = texts(fields.map(\.name))
    }
    return unsafe result
  }
}
