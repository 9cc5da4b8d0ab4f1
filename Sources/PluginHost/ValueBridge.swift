// SPDX-License-Identifier: MIT
//
// Trees of plain data across the C boundary. Reading copies and checks a plugin's tree; writing builds a C tree whose
// memory belongs to an arena.

internal import CHeaderPlugin
internal import HeaderModel

/// Why a plugin's tree is malformed.
struct MalformedValue: Error {
  var reason: String
}

extension Value {
  /// Copies a plugin's tree.
  /// - Throws: `MalformedValue` for an unknown type, a missing pointer, text that is not UTF-8, a number that is not
  ///   finite, more than 64 levels, more than 65,536 parts or 1 MiB of text in all.
  init(_ value: header_value) throws(MalformedValue) {
    var reader = ValueReader()
    self = try unsafe reader.read(value, depth: 0)
  }

  /// The bytes that it takes as JSON; the text of a number may be a byte or two shorter there.
  var jsonLength: Int {
    switch self {
    case .null: 4
    case .bool(let bool): bool ? 4 : 5
    case .number(let number): number.description.utf8.count
    case .text(let text): Self.jsonLength(of: text)
    case .list(let list): list.reduce(2) { $0 + $1.jsonLength + 1 }
    case .record(let record): record.fields.reduce(2) { $0 + Self.jsonLength(of: $1.name) + $1.value.jsonLength + 2 }
    }
  }

  private static func jsonLength(of text: String) -> Int {
    text.utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
  }
}

/// Copies one tree. Its size is limited while copying: items may be shared, so a small tree can expand without bound.
private struct ValueReader {
  private var partsLeft = 65_536
  private var textLeft = Limits.maxPluginText

  mutating func read(_ value: header_value, depth: Int) throws(MalformedValue) -> Value {
    guard depth < 64 else { throw MalformedValue(reason: "a value nests more than 64 levels deep") }
    guard partsLeft > 0 else { throw MalformedValue(reason: "a value has more than 65536 parts") }
    partsLeft -= 1
    switch unsafe Int(value.type) {
    case HEADER_NULL: return .null
    case HEADER_BOOL: return unsafe .bool(value.boolean)
    case HEADER_NUMBER:
      let number = unsafe value.number
      guard number.isFinite else { throw MalformedValue(reason: "a number in a value is not finite") }
      return .number(number)
    case HEADER_TEXT: return .text(try unsafe text(value.text, or: "a text in a value is missing or not UTF-8"))
    case HEADER_LIST: return .list(try unsafe items(value, depth))
    case HEADER_RECORD: return .record(try unsafe record(value, depth))
    default: throw MalformedValue(reason: "a value has the unknown type \(unsafe value.type)")
    }
  }

  private mutating func text(_ pointer: UnsafePointer<CChar>?, or reason: String) throws(MalformedValue) -> String {
    guard let pointer = unsafe pointer, let text = unsafe String(validatingCString: pointer) else {
      throw MalformedValue(reason: reason)
    }
    textLeft -= text.utf8.count
    guard textLeft >= 0 else { throw MalformedValue(reason: "a value has more than 1 MiB of text") }
    return text
  }

  private mutating func record(_ value: header_value, _ depth: Int) throws(MalformedValue) -> Value.Record {
    var record = Value.Record()
    var names = Set<String>()
    for (index, item) in try unsafe items(value, depth).enumerated() {
      let name = try unsafe text(value.names?[index], or: "a field in a record has no name")
      guard names.insert(name).inserted else { throw MalformedValue(reason: "a record has two fields \"\(name)\"") }
      record.fields.append(.init(name: name, value: item))
    }
    return record
  }

  private mutating func items(_ value: header_value, _ depth: Int) throws(MalformedValue) -> [Value] {
    let count = unsafe Int(value.count)
    guard count > 0 else { return [] }
    guard count <= 65_536, let items = unsafe value.items else {
      throw MalformedValue(reason: "a list or record has no items, or more than 65536")
    }
    var result: [Value] = []
    for index in 0..<count { result.append(try unsafe read(items[index], depth: depth + 1)) }
    return result
  }
}

@safe final class ValueArena {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  deinit {
    while let block = unsafe blocks.popLast() { unsafe block.deallocate() }
  }

  func make(_ value: Value) -> header_value {
    var result = unsafe header_value()
    switch value {
    case .null: unsafe result.type = UInt8(HEADER_NULL)
    case .bool(let bool):
      unsafe result.type = UInt8(HEADER_BOOL)
      unsafe result.boolean = bool
    case .number(let number):
      unsafe result.type = UInt8(HEADER_NUMBER)
      unsafe result.number = number
    case .text(let text):
      unsafe result.type = UInt8(HEADER_TEXT)
      unsafe result.count = UInt32(text.utf8.count)
      unsafe result.text = string(text)
    case .list(let list):
      unsafe result.type = UInt8(HEADER_LIST)
      unsafe result.count = UInt32(list.count)
      unsafe result.items = row(list.map { unsafe make($0) })
    case .record(let record):
      unsafe result.type = UInt8(HEADER_RECORD)
      unsafe result.count = UInt32(record.fields.count)
      unsafe result.items = row(record.fields.map { unsafe make($0.value) })
      unsafe result.names = row(record.fields.map { unsafe Optional(string($0.name)) })
    }
    return unsafe result
  }

  func pointer(to value: Value) -> UnsafePointer<header_value> { unsafe row([make(value)]) }

  private func string(_ text: String) -> UnsafePointer<CChar> {
    unsafe row(text.utf8.map { CChar(bitPattern: $0) } + [0])
  }

  private func row<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let place = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    unsafe blocks.append(UnsafeMutableRawPointer(place))
    for (index, element) in elements.enumerated() { unsafe (place + index).initialize(to: element) }
    return unsafe UnsafePointer(place)
  }
}
