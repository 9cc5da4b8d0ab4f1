// SPDX-License-Identifier: MIT
//
// A mistake in a piece of JSON, and its place. Either the text is no JSON, or it is JSON of another type than the caller asked for.

/// The type of a JSON value, by its first byte.
public enum JSONKind: Sendable, Equatable {
  case object, array, string, number, bool, null

  var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}

/// Why a text could not be read as asked, and at which byte.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sentence without the place, for callers that name the place themselves.
  public var reason: String
  /// Bytes before the place of the error.
  public var offset: Int
  /// The text is JSON, with a number that is too large for a double.
  var isNumberOutOfRange = false

  init(_ reason: String, offset: Int, isNumberOutOfRange: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.isNumberOutOfRange = isNumberOutOfRange
  }

  /// Something else stood there; no byte means that the text ended.
  static func expected(_ what: String, found: UInt8?, offset: Int) -> JSONError {
    JSONError("expected \(what), found \(found.map(name) ?? "the end of the line")", offset: offset)
  }

  /// The place as people count it: the first byte of a line is column 1.
  public var column: Int { offset + 1 }

  /// The sentence for people: where, what was expected, what was found.
  public var message: String { "column \(column): \(reason)" }

  /// The same as the message.
  public var description: String { message }

  /// A byte as people write it.
  static func name(of byte: UInt8) -> String {
    0x20..<0x7F ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : hex(byte)
  }

  /// A byte by its number.
  static func hex(_ byte: UInt8) -> String {
    "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
  }
}
