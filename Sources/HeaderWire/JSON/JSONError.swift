// SPDX-License-Identifier: MIT
//
// What can be wrong with a piece of JSON, and where: facts and a byte offset, of which the sentence is made when it is asked
// for. Either the text is no JSON, or (`wrongType`, `notAnInteger`) it is JSON of another type than the reader was asked for.

/// The type of a JSON value, by its first byte.
public enum JSONKind: String, Sendable, Equatable {
  case object, array, string, number, bool, null
}

/// Why a text could not be read as asked, and at which byte.
public struct JSONError: Error, Equatable, Sendable {
  /// What should have stood at the offset.
  public enum Expectation: String, Sendable, Equatable {
    case value = "a value"
    case valueOrEnd = "a value or ']'"
    case name = "a member name"
    case nameOrEnd = "a member name or '}'"
    case colon = "':' after a member name"
    case commaOrBrace = "',' or '}' after a member"
    case commaOrBracket = "',' or ']' after an element"
    case digit = "a digit"
    case hexDigit = "a hexadecimal digit"
    case literalTrue = "'true'"
    case literalFalse = "'false'"
    case literalNull = "'null'"
    case end = "the end of the line"
  }

  /// The facts of an error.
  public enum Kind: Equatable, Sendable {
    /// Something else stood there; no byte means that the text ended.
    case expected(Expectation, found: UInt8?)
    /// A member name that the same object already had.
    case duplicateName(String)
    /// More objects and arrays inside one another than the limit.
    case tooDeep(limit: Int)
    /// A string whose closing quote never comes; the offset is that of the opening one.
    case unterminatedString
    /// A byte below 0x20 inside a string.
    case controlCharacter(UInt8)
    /// Bytes that are not UTF-8.
    case invalidUTF8(UInt8)
    /// A backslash followed by something that JSON does not know.
    case invalidEscape(UInt8)
    /// One half of a surrogate pair without the other.
    case loneSurrogate(UInt16)
    /// Digits after a leading zero.
    case leadingZero
    /// A number that is too large for a double.
    case numberOutOfRange
    /// A value of another type than the one asked for; the text itself may be faultless.
    case wrongType(expected: JSONKind, found: JSONKind)
    /// A number that is no whole number of at most 2^53; the text itself may be faultless.
    case notAnInteger
  }

  /// The facts.
  public var kind: Kind
  /// Bytes before the place of the error.
  public var offset: Int

  /// An error with its facts and its place, in bytes from the beginning of the text.
  public init(_ kind: Kind, offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The place as people count it: the first byte of a line is column 1.
  public var column: Int { offset + 1 }
}

extension JSONError: CustomStringConvertible {
  /// The sentence for people: where, what was expected, what was found.
  public var message: String { "column \(column): \(reason)" }

  /// The same as the message.
  public var description: String { message }

  /// The sentence without the place, for callers that name the place themselves.
  public var reason: String {
    switch kind {
    case .expected(let expectation, let found): "expected \(expectation.rawValue), found \(Self.name(of: found))"
    case .duplicateName(let name): "the object already has a member \"\(name)\""
    case .tooDeep(let limit): "more than \(limit) objects and arrays inside one another"
    case .unterminatedString: "the string has no closing '\"'"
    case .controlCharacter(let byte): "a string holds the control character \(Self.hex(byte)); write it as an escape"
    case .invalidUTF8(let byte): "invalid UTF-8 at \(Self.name(of: byte))"
    case .invalidEscape(let byte): "unknown escape: '\\' before \(Self.name(of: byte))"
    case .loneSurrogate(let unit): "lone surrogate \\u\(String(unit, radix: 16, uppercase: true))"
    case .leadingZero: "a number may not begin with 0 and go on with digits"
    case .numberOutOfRange: "number out of range"
    case .wrongType(let expected, let found): "expected \(expected.phrase), found \(found.phrase)"
    case .notAnInteger: "expected a whole number of at most 2^53"
    }
  }

  private static func name(of byte: UInt8?) -> String {
    guard let byte else { return "the end of the line" }
    return 0x20..<0x7F ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : hex(byte)
  }

  private static func hex(_ byte: UInt8) -> String {
    "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
  }
}

extension JSONKind {
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
