// SPDX-License-Identifier: MIT
//
// JSON written straight into bytes that are used again and again: no spaces, members in the order written.
//
//     writer.beginObject()                       {
//     writer.key("method"); writer.word("ping")    "method":"ping"
//     writer.key("time"); writer.number(81.25)     ,"time":81.25
//     writer.endObject(); writer.endLine()       }⏎
//
// The writer puts the commas: one bit says whether something precedes on the same level. It keeps no stack, so matching
// brackets is the caller's duty; `endLine` checks their number. Numbers are the shortest decimals that read back as the
// same double (ByteCursor.swift). Once the buffer has the size of the largest message, writing allocates nothing, except for
// doubles of more than nine decimals.

private import Glibc
public import HeaderModel

/// Appends JSON to a buffer of its own.
@safe public struct JSONWriter: ~Copyable {
  var bytes = Bytes()
  private var needsComma = false
  private var depth = 0
  /// The grid of lengths in members of a state's records; nil: they are exact.
  private(set) var grid: Grid?

  /// A writer with nothing written; memory comes with the first byte.
  public init() {}

  /// Bytes written so far.
  public var count: Int { bytes.count }

  /// Lends the bytes written so far.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(bytes.contents)
  }

  /// A copy of the bytes written so far, shared by all receivers.
  public func copy() -> [UInt8] { unsafe [UInt8](bytes.contents) }

  /// Drops the written bytes and keeps the memory, unless it is larger than `maxCapacity`.
  public mutating func removeAll(keepingUpTo maxCapacity: Int = .max) {
    bytes.removeAll(keepingUpTo: maxCapacity)
    needsComma = false
    depth = 0
  }

  /// Opens an object.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the object opened last.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the array opened last.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of a member, which must need no escapes; its value comes next.
  public mutating func key(_ name: StaticString) {
    beginValue(room: name.utf8CodeUnitCount + 3)
    bytes.push(UInt8(ascii: "\""))
    bytes.push(name)
    bytes.push("\":")
    needsComma = false
  }

  /// The name of a member, escaped where it must be; its value comes next.
  public mutating func key(named name: String) {
    string(name)
    bytes.reserve(1)
    bytes.push(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string that needs no escapes.
  public mutating func word(_ word: StaticString) {
    beginValue(room: word.utf8CodeUnitCount + 2)
    bytes.push(UInt8(ascii: "\""))
    bytes.push(word)
    bytes.push(UInt8(ascii: "\""))
  }

  /// Any text: quotes, backslashes and control characters escaped, everything else as it is.
  public mutating func string(_ text: String) {
    beginValue(room: text.utf8.count + 2)
    bytes.push(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { unsafe bytes.pushEscaped(UnsafeRawBufferPointer($0)) }
    bytes.reserve(1)
    bytes.push(UInt8(ascii: "\""))
  }

  /// A number, as the shortest decimal that reads back as the same double; null when it is not finite, which JSON cannot say.
  public mutating func number(_ number: Double) {
    piece(atMost: ByteCursor.maxNumber) { $0.put(number) }
  }

  /// A whole number with all its digits. Beyond 2^53 a reader of doubles gets the nearest one.
  public mutating func integer(_ number: Int) {
    piece(atMost: 20) { $0.put(number) }
  }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// `null`.
  public mutating func null() { literal("null") }

  /// Writes a value and all below it.
  public mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let value): number(value)
    case .text(let value): string(value)
    case .list(let list):
      beginArray()
      for value in list { self.value(value) }
      endArray()
    case .record(let record):
      beginObject()
      for field in record.fields {
        key(named: field.name)
        self.value(field.value)
      }
      endObject()
    }
  }

  // MARK: - Members

  /// A member that is a text, escaped where it must be.
  public mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    string(text)
  }

  /// A member that is a whole number, as `integer` writes it.
  public mutating func member(_ name: StaticString, _ number: Int) {
    key(name)
    integer(number)
  }

  /// Writes members of a state's records whose lengths are on a grid.
  mutating func on(_ grid: Grid?, _ body: (inout JSONWriter) -> Void) {
    self.grid = grid
    body(&self)
    self.grid = nil
  }

  /// A member that is a tree.
  public mutating func member(_ name: StaticString, _ value: Value) {
    key(name)
    self.value(value)
  }

  /// A member that is a list; left out if it is empty.
  mutating func list<Entries: Sequence>(
    _ name: StaticString, _ entries: Entries, where isIncluded: (Entries.Element) -> Bool = { _ in true },
    _ write: (inout JSONWriter, Entries.Element) -> Void
  ) {
    var isEmpty = true
    for entry in entries where isIncluded(entry) {
      if isEmpty {
        key(name)
        beginArray()
        isEmpty = false
      }
      write(&self, entry)
    }
    if !isEmpty { endArray() }
  }

  // MARK: - Ready pieces

  /// JSON that is ready: one value, or members or elements with commas between them, copied as it is.
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    beginValue(room: json.count)
    unsafe bytes.push(json)
  }

  /// The same from a literal, such as `"jsonrpc":"2.0"`.
  public mutating func raw(_ json: StaticString) {
    unsafe raw(UnsafeRawBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  /// One value, or members or elements with commas between them, written by a cursor; at most that many bytes.
  mutating func piece(atMost room: Int, _ body: (inout ByteCursor) -> Void) {
    let needsComma = needsComma
    self.needsComma = true
    bytes.write(atMost: room + 1) { cursor in
      if needsComma { cursor.put(byte: UInt8(ascii: ",")) }
      body(&cursor)
    }
  }

  /// A cursor that writes behind the written bytes, at most `room`, commas included. Its bytes count once it is committed, and nothing
  /// else may be written before.
  mutating func cursor(atMost room: Int) -> ByteCursor { bytes.cursor(atMost: room) }

  /// Commits a cursor's bytes: members or elements, or a member's name, its colon included.
  mutating func commit(_ cursor: ByteCursor, isName: Bool = false) {
    bytes.commit(cursor)
    needsComma = !isName
  }

  /// Commits a cursor's bytes, which end a line. Objects and arrays that this writer's own functions opened are closed.
  mutating func commitLine(_ cursor: ByteCursor) {
    precondition(depth == 0, "every object and array is closed at the end of a line")
    bytes.commit(cursor)
    needsComma = false
  }

  /// Bytes written so far, with those of a cursor that are not committed yet.
  func count(upTo cursor: ByteCursor) -> Int { bytes.count(upTo: cursor) }

  /// Begins a text of its own behind bytes that are no JSON.
  mutating func beginText() {
    precondition(depth == 0, "every object and array before it is closed")
    needsComma = false
  }

  /// Takes a line's end back, for messages that are no lines.
  mutating func withdrawLineEnd() {
    precondition(depth == 0, "every object and array is closed at the end of a message")
    if unsafe bytes.contents.last == UInt8(ascii: "\n") { bytes.removeLast() }
  }

  /// Ends the line; everything that was opened must be closed.
  public mutating func endLine() {
    precondition(depth == 0, "every object and array is closed at the end of a line")
    bytes.reserve(1)
    bytes.push(UInt8(ascii: "\n"))
    needsComma = false
  }

  // MARK: - Commas

  /// Room for a comma and that many bytes, and the comma if one is due.
  private mutating func beginValue(room: Int) {
    bytes.reserve(room + 1)
    if needsComma { bytes.push(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    beginValue(room: 1)
    bytes.push(bracket)
    needsComma = false
    depth += 1
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.reserve(1)
    bytes.push(bracket)
    needsComma = true
    depth -= 1
  }

  private mutating func literal(_ word: StaticString) {
    beginValue(room: word.utf8CodeUnitCount)
    bytes.push(word)
  }
}

extension Value {
  /// The tree as JSON on one line, without a line end. Frequent messages have writers of their own.
  public var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.copy()
  }
}

// MARK: - Escapes

extension Bytes {
  /// Adds UTF-8 text with escapes where JSON wants them, in runs as long as possible.
  fileprivate mutating func pushEscaped(_ text: UnsafeRawBufferPointer) {
    var start = 0
    var at = 0
    while true {
      at = unsafe escapeStart(in: text, from: at)
      reserve(at - start + 6)
      unsafe push(UnsafeRawBufferPointer(rebasing: text[start..<at]))
      guard at < text.count else { return }
      pushEscape(of: unsafe text[at])
      at += 1
      start = at
    }
  }

  /// The first place that needs an escape, or the end; eight bytes at a time, as the reader looks for quotes.
  private func escapeStart(in text: UnsafeRawBufferPointer, from place: Int) -> Int {
    var at = place
    while at + 8 <= text.count {
      let marks = escapeMarks(unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      if marks != 0 { return at + marks.trailingZeroBitCount / 8 }
      at += 8
    }
    guard at < text.count, let start = text.baseAddress else { return text.count }
    // The last few among spaces, which need no escape.
    var last: UInt64 = 0x2020_2020_2020_2020
    unsafe memcpy(&last, start + at, text.count - at)
    let marks = escapeMarks(UInt64(littleEndian: last))
    return marks != 0 ? at + marks.trailingZeroBitCount / 8 : text.count
  }

  private mutating func pushEscape(of byte: UInt8) {
    push(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): push(byte)
    case 0x08: push(UInt8(ascii: "b"))
    case 0x09: push(UInt8(ascii: "t"))
    case 0x0A: push(UInt8(ascii: "n"))
    case 0x0C: push(UInt8(ascii: "f"))
    case 0x0D: push(UInt8(ascii: "r"))
    default:
      push(UInt8(ascii: "u"))
      push(UInt8(ascii: "0"))
      push(UInt8(ascii: "0"))
      push(hexDigit(byte >> 4))
      push(hexDigit(byte & 15))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
