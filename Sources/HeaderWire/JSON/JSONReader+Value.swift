// SPDX-License-Identifier: MIT
//
// Reading a whole tree. Objects become records with their members in the order written; arrays become lists.

public import HeaderModel

extension JSONReader {
  /// Takes any value as a tree.
  public mutating func value() throws(JSONError) -> Value {
    switch try kind() {
    case .null:
      _ = try takeNull()
      return .null
    case .bool: return .bool(try bool())
    case .number: return .number(try number())
    case .string: return .text(try string().string)
    case .array:
      var list: [Value] = []
      var elements = try beginArray()
      while try nextElement(in: &elements) { list.append(try value()) }
      return .list(list)
    case .object:
      var fields: [Value.Record.Field] = []
      var members = try beginObject()
      while let name = try nextName(in: &members) {
        let name = name.string
        fields.append(Value.Record.Field(name: name, value: try value()))
      }
      return .record(Value.Record(fields: fields))
    }
  }

  /// Reads a text that holds one value and nothing else.
  public static func document(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Value {
    var reader = try unsafe JSONReader(unbounded: bytes)
    let value = try reader.value()
    try reader.finish()
    return value
  }

  /// The same of bytes that an array has.
  public static func document(_ bytes: [UInt8]) throws(JSONError) -> Value {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe document(bytes) }
  }

  /// Checks that there is one value and nothing behind it, as `document` reads it.
  public static func check(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = try unsafe JSONReader(unbounded: bytes)
    _ = try reader.skipValue()
    try reader.finish()
  }
}
