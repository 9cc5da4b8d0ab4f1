// SPDX-License-Identifier: MIT
//
// Numbers and texts in the bytes between the daemon and a worker: little-endian, lengths before contents. Both sides are of one build, so
// the form may change with every build. But a worker runs untrusted code, so the daemon checks every length and every number that comes
// from it.

public import HeaderModel
internal import HeaderWire

/// Bytes that are no message of this room.
public struct Malformed: Error, Equatable {
  /// What is wrong with the bytes.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A header's saved state (`Header.save`) as it comes from a worker and goes to the next: hardly one is ever read. Explanations come
/// in the same form.
public struct RemoteSave: Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ value: Value) {
    var writer = JSONWriter()
    writer.value(value)
    bytes = unsafe writer.withUnsafeBytes { unsafe Array($0) }
  }

  /// Reads what the header saved.
  public func value() throws(HeaderError) -> Value {
    do {
      return try JSONReader.document(bytes)
    } catch {
      throw HeaderError(.internalError, "headerd bug: a saved state was checked to be JSON")
    }
  }
}

/// Writes messages, and tracks the room behind them.
@safe struct ByteWriter: ~Copyable {
  /// The written bytes, and room behind them.
  private var memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
  private var capacity = 4096
  /// How many bytes are written.
  private(set) var count = 0

  deinit { unsafe memory.deallocate() }

  /// Takes out the written bytes.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return unsafe [UInt8](written(from: 0))
  }

  /// Drops the bytes behind a place.
  mutating func cut(to place: Int) { count = place }

  /// The bytes behind a place; valid until the next write.
  private func written(from place: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory + place, count: count - place)
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    capacity += max(size, capacity)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = larger
  }

  @inline(__always)
  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    if capacity - count < MemoryLayout<Number>.size { grow(MemoryLayout<Number>.size) }
    unsafe memory.storeBytes(of: number.littleEndian, toByteOffset: count, as: Number.self)
    count += MemoryLayout<Number>.size
  }

  @inline(__always) mutating func put(_ number: Double) { put(number.bitPattern) }
  @inline(__always) mutating func put(_ flag: Bool) { put(flag ? UInt8(1) : UInt8(0)) }

  /// Bytes, with their number before them.
  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    put(UInt32(bytes.count))
    unsafe append(bytes)
  }

  fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if capacity - count < bytes.count { grow(bytes.count) }
    if let start = bytes.baseAddress {
      unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
  }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { unsafe put(UnsafeRawBufferPointer($0)) }
  }

  mutating func put(_ value: Value) {
    var writer = JSONWriter()
    writer.value(value)
    unsafe writer.withUnsafeBytes { unsafe put($0) }
  }

  mutating func put(_ save: RemoteSave) { unsafe save.bytes.withUnsafeBytes { unsafe put($0) } }

  @inline(__always)
  mutating func put(optional number: Double?) {
    put(number != nil)
    if let number { put(number) }
  }

  @inline(__always)
  mutating func put(optional number: Int64?) {
    put(number != nil)
    if let number { put(number) }
  }

  /// Writes a message: its length, then the output of a closure.
  mutating func frame(_ body: (inout ByteWriter) -> Void) {
    let start = count
    put(UInt32(0))
    body(&self)
    let length = UInt32(count - start - 4)
    unsafe memory.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self)
  }

  /// Overwrites a byte that was written.
  mutating func set(_ byte: UInt8, at place: Int) {
    precondition(place < count, "only what is written is written over")
    unsafe memory.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
  }

  /// Whether the bytes behind a place are the same as others.
  func isEqual(from place: Int, to other: [UInt8]) -> Bool { unsafe isSame(written(from: place), as: other) }

  /// Copies the bytes behind a place over others.
  func copy(from place: Int, to other: inout [UInt8]) { unsafe keep(written(from: place), in: &other) }
}

/// Whether bytes in memory are the same as those that were kept.
private func isSame(_ bytes: UnsafeRawBufferPointer, as kept: [UInt8]) -> Bool {
  let size = kept.count
  guard bytes.count == size else { return false }
  return unsafe kept.withUnsafeBytes { kept in
    var at = 0
    while at + 8 <= size {
      guard
        unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
          == kept.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      else { return false }
      at += 8
    }
    while at < size {
      guard unsafe bytes[at] == kept[at] else { return false }
      at += 1
    }
    return true
  }
}

/// Keeps bytes of memory in place of those that were kept before.
private func keep(_ bytes: UnsafeRawBufferPointer, in kept: inout [UInt8]) {
  kept.removeAll(keepingCapacity: true)
  unsafe kept.append(contentsOf: bytes)
}

/// Reads messages; refuses to read beyond their end.
@safe struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// The header's description, which the message has to fit.
  var shape: StateShape?

  /// Bytes that stay where they are as long as it reads.
  @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  var isAtEnd: Bool { unsafe place == bytes.count }
  private var left: Int { unsafe bytes.count - place }

  mutating func skipRest() { place = unsafe bytes.count }

  @inline(__always)
  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Malformed) -> Number {
    let size = MemoryLayout<Number>.size
    guard left >= size else { throw Malformed("a number is cut off") }
    defer { place += size }
    return Number(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  @inline(__always)
  mutating func double() throws(Malformed) -> Double {
    let number = Double(bitPattern: try number())
    guard number.isFinite else { throw Malformed("a number is \(number)") }
    return number
  }

  @inline(__always)
  mutating func flag() throws(Malformed) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    case let other: throw Malformed("a flag is \(other)")
    }
  }

  /// How many entries follow, each of which takes at least some bytes.
  mutating func count(ofAtLeast size: Int) throws(Malformed) -> Int {
    let count = Int(try number(UInt32.self))
    guard count <= left / size else { throw Malformed("\(count) entries of \(size) bytes are announced in \(left)") }
    return count
  }

  mutating func text() throws(Malformed) -> String {
    let count = try count(ofAtLeast: 1)
    defer { place += count }
    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    guard let text = unsafe String(validating: part, as: UTF8.self) else { throw Malformed("a text is not UTF-8") }
    return text
  }

  mutating func value() throws(Malformed) -> Value {
    let count = try count(ofAtLeast: 1)
    defer { place += count }
    do {
      return try unsafe JSONReader.document(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
    } catch {
      throw Malformed("a value is no JSON")
    }
  }

  /// A header's saved state, which is checked to be JSON, and not read.
  mutating func save() throws(Malformed) -> RemoteSave {
    let count = try count(ofAtLeast: 1)
    defer { place += count }
    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    do { try unsafe JSONReader.check(part) } catch { throw Malformed("a value is no JSON") }
    return unsafe RemoteSave(bytes: Array(part))
  }

  mutating func record() throws(Malformed) -> Value.Record {
    guard case .record(let record) = try value() else { throw Malformed("a value is no record") }
    return record
  }

  @inline(__always)
  mutating func optionalDouble() throws(Malformed) -> Double? { try flag() ? try double() : nil }

  @inline(__always)
  mutating func optionalInstant() throws(Malformed) -> Instant? {
    try flag() ? Instant(nanoseconds: try number()) : nil
  }

  /// Reads records that lie in the bytes as they lay in another process's memory. As many as there are places for follow.
  mutating func read<Record: MemoryRecord>(records: inout [Record]) throws(Malformed) {
    let stride = MemoryLayout<Record>.stride
    guard left / stride >= records.count else { throw Malformed("records are cut off") }
    guard !records.isEmpty, let start = unsafe bytes.baseAddress.map({ unsafe $0 + place }) else { return }
    let fields = Record.memory.runs
    for index in records.indices {
      for field in fields { try unsafe Self.check(start + index * stride + field.offset, field.form) }
    }
    let size = records.count * stride
    unsafe records.withUnsafeMutableBytes {
      unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: size))
    }
    place += size
  }

  /// Checks one field of a record.
  private static func check(_ field: UnsafeRawPointer, _ form: FieldMemory) throws(Malformed) {
    switch form {
    case .numbers(let count):
      // An exponent of ones alone carries into the sign's bit: no branch for each number.
      let exponent = Double.infinity.bitPattern
      var (carries, offset) = (0 as UInt64, 0)
      while offset < 8 &* count {
        carries |= (unsafe field.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & exponent) &+ 1 << 52
        offset &+= 8
      }
      guard carries >> 63 == 0 else { throw Malformed("a number is not finite") }
    case .alpha:
      let alpha = Float(bitPattern: unsafe field.loadUnaligned(as: UInt32.self))
      guard (0...1).contains(alpha) else { throw Malformed("an alpha is \(alpha)") }
    case .integer, .small: break
    case .flags(let count):
      var all: UInt8 = 0
      for index in 0..<count { all |= unsafe field.load(fromByteOffset: index, as: UInt8.self) }
      guard all <= 1 else { throw Malformed("a flag is neither 0 nor 1") }
    case .word(let count):
      let word = unsafe field.load(as: UInt8.self)
      guard word < count else { throw Malformed("there is no case \(word) of \(count)") }
    }
  }
}

extension ByteWriter {
  /// Writes the number of some records, and the records as they lie in memory.
  mutating func put<Record: MemoryRecord>(records: [Record]) {
    put(UInt32(records.count))
    unsafe records.withUnsafeBytes { unsafe append($0) }
  }
}

/// Hands each whole message at the beginning of some bytes to a closure.
/// - Returns: how many bytes they have.
func readMessages(
  _ bytes: RawSpan, _ body: (inout ByteReader) throws(Malformed) -> Void
) throws(Malformed) -> Int {
  try unsafe bytes.withUnsafeBytes { (bytes) throws(Malformed) in
    var place = 0
    while bytes.count - place >= 4 {
      let length = Int(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      guard length <= 1 << 26 else { throw Malformed("a message has \(length) bytes") }
      guard bytes.count - place - 4 >= length else { break }
      var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[place + 4..<place + 4 + length]))
      try body(&reader)
      guard reader.isAtEnd else { throw Malformed("a message is too long") }
      place += 4 + length
    }
    return place
  }
}
