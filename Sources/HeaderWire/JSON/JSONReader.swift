// SPDX-License-Identifier: MIT
//
// JSON (RFC 8259, nothing more and nothing less) read where it lies, in one pass, by pulling.
//
// The caller asks for what it expects and gets it without a tree in between:
//
//     var reader = unsafe JSONReader(line)            {"event":"didScroll","offset":{"x":0,"y":12.5}}
//     var members = try reader.beginObject()          ^cursor
//     while let name = try reader.nextName(in: &members) {
//       switch name {
//       case "event": event = try reader.string()     the cursor stands on the value
//       case "offset": offset = try point(&reader)    … and behind it when the value was read
//       default: break                                an unread value is checked and skipped
//       }
//     }
//     try reader.finish()
//
// A reader is a value: a copy is a bookmark, and `reader(over:)` returns to a place given by `skipValue()`. Everything is
// checked, also what is skipped: UTF-8, surrogates, duplicate names, 64 levels of nesting. The bytes are borrowed: keep them
// alive and unchanged while the reader, or a string from it, is in use. Only objects with rare names allocate
// (JSONMembers.swift).

/// A pull parser over borrowed bytes.
@safe public struct JSONReader {
  /// Objects and arrays that may lie inside one another.
  public static let maxNesting = 64
  /// Additional nesting in the daemon's messages, which contain clients' values inside their own objects.
  private static let nestingAround = 8

  let base: UnsafeRawPointer
  /// The end of the readable bytes.
  let end: Int
  /// Bytes before the next one to be read.
  var cursor: Int
  /// Objects and arrays that are open.
  var depth = 0

  /// A reader at the beginning of a text. The bytes must stay where they are, unchanged, while it is in use.
  public init(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= Int(UInt32.max), "a JSON text has less than 4 GiB")
    let nowhere: StaticString = ""
    unsafe base = bytes.baseAddress ?? UnsafeRawPointer(nowhere.utf8Start)
    end = bytes.count
    cursor = 0
    skipWhitespace()
  }

  /// The same of a text that nobody has bounded.
  /// - Throws: it is too long.
  init(unbounded bytes: UnsafeRawBufferPointer) throws(JSONError) {
    guard bytes.count <= Int(UInt32.max) else { throw JSONError("a JSON text has less than 4 GiB", offset: 0) }
    unsafe self.init(bytes)
  }

  /// Lends a reader at the beginning of a text of the daemon's, a message or a recording; it is good during the call only.
  public static func reading<Result>(
    _ text: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try unsafe text.span.bytes.withUnsafeBytes { (bytes) throws(JSONError) in
      var reader = try unsafe JSONReader(unbounded: bytes)
      reader.depth = -nestingAround
      return try body(&reader)
    }
  }

  private init(base: UnsafeRawPointer, range: Range<Int>) {
    unsafe self.base = base
    end = range.upperBound
    cursor = range.lowerBound
  }

  /// Bytes before the next one to be read; right before a value is read, the place of the value.
  public var offset: Int { cursor }

  /// A reader for one value in the same bytes, at a place given by `skipValue()`. Its errors count from the same beginning.
  public func reader(over range: Range<Int>) -> JSONReader {
    precondition(range.lowerBound >= 0 && range.upperBound <= end, "the range lies within the text")
    return unsafe JSONReader(base: base, range: range)
  }

  /// The type of the value that comes next.
  public func kind() throws(JSONError) -> JSONKind {
    switch byte {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: throw expected("a value")
    }
  }

  // MARK: - Objects and arrays

  /// Enters an object; `nextName(in:)` goes through it and leaves it.
  public mutating func beginObject() throws(JSONError) -> JSONMembers {
    guard byte == UInt8(ascii: "{") else { throw mismatch(.object) }
    try enter()
    return JSONMembers()
  }

  /// The name of the next member, with the reader on its value; nil when the object is at its end.
  ///
  /// The value is then read or not, as the caller likes. A name that the object already had is an error.
  public mutating func nextName(in members: inout JSONMembers) throws(JSONError) -> JSONString? {
    if members.value >= 0 {
      if cursor == members.value { try passValue() }
      skipWhitespace()
      if byte == UInt8(ascii: "}") { return leave(with: nil) }
      guard byte == UInt8(ascii: ",") else { throw expected("',' or '}' after a member") }
      cursor += 1
      skipWhitespace()
      guard byte == UInt8(ascii: "\"") else { throw expected("a member name") }
    } else {
      skipWhitespace()
      if byte == UInt8(ascii: "}") { return leave(with: nil) }
      guard byte == UInt8(ascii: "\"") else { throw expected("a member name or '}'") }
    }
    let place = cursor
    let name = try scanString()
    try members.admit(name, at: place, in: self)
    skipWhitespace()
    guard byte == UInt8(ascii: ":") else { throw expected("':' after a member name") }
    cursor += 1
    skipWhitespace()
    members.value = cursor
    return name
  }

  /// Enters an array; `nextElement(in:)` goes through it and leaves it.
  public mutating func beginArray() throws(JSONError) -> JSONElements {
    guard byte == UInt8(ascii: "[") else { throw mismatch(.array) }
    try enter()
    return JSONElements()
  }

  /// Goes to the next element, to be read or not; false when the array is at its end.
  public mutating func nextElement(in elements: inout JSONElements) throws(JSONError) -> Bool {
    if elements.value >= 0 {
      if cursor == elements.value { try passValue() }
      skipWhitespace()
      if byte == UInt8(ascii: "]") { return leave(with: false) }
      guard byte == UInt8(ascii: ",") else { throw expected("',' or ']' after an element") }
      cursor += 1
      skipWhitespace()
    } else {
      skipWhitespace()
      if byte == UInt8(ascii: "]") { return leave(with: false) }
      guard (try? kind()) != nil else { throw expected("a value or ']'") }
    }
    elements.value = cursor
    return true
  }

  // MARK: - Single values

  /// Takes a string, where it lies.
  public mutating func string() throws(JSONError) -> JSONString {
    guard byte == UInt8(ascii: "\"") else { throw mismatch(.string) }
    return try scanString()
  }

  /// Takes `true` or `false`.
  public mutating func bool() throws(JSONError) -> Bool {
    let isTrue = byte == UInt8(ascii: "t")
    guard isTrue || byte == UInt8(ascii: "f") else { throw mismatch(.bool) }
    try take(isTrue ? "true" : "false")
    return isTrue
  }

  /// Takes `null` if it comes next, and returns whether it did.
  public mutating func takeNull() throws(JSONError) -> Bool {
    guard byte == UInt8(ascii: "n") else { return false }
    try take("null")
    return true
  }

  /// Goes past a value, checking all of it, and returns its place: for `reader(over:)`, or to copy it as it is.
  public mutating func skipValue() throws(JSONError) -> Range<Int> {
    let start = cursor
    try passValue()
    return start..<cursor
  }

  /// Makes sure that nothing but white space is left.
  public mutating func finish() throws(JSONError) {
    skipWhitespace()
    guard cursor == end else { throw expected("the end of the line") }
  }

  private mutating func passValue() throws(JSONError) {
    switch try kind() {
    case .object:
      var members = try beginObject()
      while try nextName(in: &members) != nil {}
    case .array:
      var elements = try beginArray()
      while try nextElement(in: &elements) {}
    case .string: _ = try scanString()
    case .number: _ = try number()
    case .bool: _ = try bool()
    case .null: try take("null")
    }
  }

  private mutating func enter() throws(JSONError) {
    guard depth < Self.maxNesting else {
      throw JSONError("more than \(Self.maxNesting) objects and arrays inside one another", offset: cursor)
    }
    depth += 1
    cursor += 1
  }

  /// Leaves an object or array. The result is that of the caller: there is no further entry.
  private mutating func leave<Entry>(with none: Entry) -> Entry {
    depth -= 1
    cursor += 1
    return none
  }

  private mutating func take(_ word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard unsafe byte == word.utf8Start[index] else { throw expected("'\(word)'") }
      cursor += 1
    }
  }
}

// MARK: - Bytes

extension JSONReader {
  /// The byte at the cursor; 0, which means nothing in JSON, at the end.
  @inline(__always) var byte: UInt8 { byte(at: cursor) }

  /// The byte at a place; 0 at the end.
  @inline(__always) func byte(at place: Int) -> UInt8 {
    place < end ? unsafe base.load(fromByteOffset: place, as: UInt8.self) : 0
  }

  @inline(__always) mutating func skipWhitespace() {
    while cursor < end {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: cursor += 1
      default: return
      }
    }
  }

  /// The error that something else should stand at the cursor.
  @inline(never) func expected(_ what: String) -> JSONError {
    .expected(what, found: cursor < end ? byte : nil, offset: cursor)
  }

  /// The error that the value at the cursor is of another type, or that there is no value.
  @inline(never) func mismatch(_ expected: JSONKind) -> JSONError {
    do {
      return JSONError("expected \(expected.phrase), found \(try kind().phrase)", offset: cursor)
    } catch {
      return error
    }
  }
}
