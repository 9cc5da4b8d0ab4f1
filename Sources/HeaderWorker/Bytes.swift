// SPDX-License-Identifier: MIT
//
// Numbers and texts in the bytes between the daemon and a worker: little-endian, lengths before contents. Both sides are of one
// build, so the form may change with every build; but a worker runs code that nobody has looked at, so whatever comes from there
// is read with every length and every number checked.

internal import HeaderCore
internal import HeaderWire

/// Bytes that are no message of this room.
public struct Malformed: Error, Equatable {
  /// What is wrong with them.
  public let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Writes messages.
struct ByteWriter {
  /// What is written, and room behind it.
  private var storage: [UInt8] = []
  /// How many bytes are written.
  private(set) var count = 0

  /// Takes out what is written.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return unsafe storage.withUnsafeBytes { unsafe [UInt8]($0[..<count]) }
  }

  /// Forgets what was written behind a place.
  mutating func cut(to place: Int) { count = place }

  private mutating func makeRoom(_ size: Int) {
    guard storage.count - count < size else { return }
    storage.append(contentsOf: repeatElement(0, count: max(size, storage.count, 4096)))
  }

  @inline(__always)
  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    makeRoom(MemoryLayout<Number>.size)
    unsafe storage.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: number.littleEndian, toByteOffset: count, as: Number.self)
    }
    count += MemoryLayout<Number>.size
  }

  mutating func put(_ number: Double) { put(number.bitPattern) }
  mutating func put(_ number: Float) { put(number.bitPattern) }
  mutating func put(_ flag: Bool) { put(flag ? UInt8(1) : UInt8(0)) }

  /// Bytes, with their number before them.
  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    put(UInt32(bytes.count))
    makeRoom(bytes.count)
    unsafe storage.withUnsafeMutableBytes {
      unsafe UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: bytes)
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

  mutating func put(optional number: Double?) {
    put(number != nil)
    if let number { put(number) }
  }

  mutating func put(optional number: Int64?) {
    put(number != nil)
    if let number { put(number) }
  }

  /// Writes a message: its length, then what a closure writes.
  mutating func frame(_ body: (inout ByteWriter) -> Void) {
    let start = count
    put(UInt32(0))
    body(&self)
    let length = UInt32(count - start - 4)
    unsafe storage.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self)
    }
  }

  /// Writes over a byte.
  mutating func set(_ byte: UInt8, at place: Int) { storage[place] = byte }

  /// Whether what is written behind a place is the same as other bytes.
  func isEqual(from place: Int, to other: [UInt8]) -> Bool {
    let size = count - place
    guard other.count == size else { return false }
    return unsafe storage.withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { other in
        var at = 0
        while at + 8 <= size {
          guard
            unsafe mine.loadUnaligned(fromByteOffset: place + at, as: UInt64.self)
              == other.loadUnaligned(fromByteOffset: at, as: UInt64.self)
          else { return false }
          at += 8
        }
        while at < size {
          guard unsafe mine[place + at] == other[at] else { return false }
          at += 1
        }
        return true
      }
    }
  }

  /// Copies what is written behind a place over other bytes.
  func copy(from place: Int, to other: inout [UInt8]) {
    other.removeAll(keepingCapacity: true)
    unsafe storage.withUnsafeBytes { unsafe other.append(contentsOf: $0[place..<count]) }
  }
}

/// Reads messages.
@safe struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// Bytes that stay where they are as long as it reads.
  @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  var isAtEnd: Bool { unsafe place == bytes.count }
  private var left: Int { unsafe bytes.count - place }

  mutating func skipRest() { place = unsafe bytes.count }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Malformed) -> Number {
    let size = MemoryLayout<Number>.size
    guard left >= size else { throw Malformed("a number is cut off") }
    defer { place += size }
    return Number(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  mutating func double() throws(Malformed) -> Double {
    let number = Double(bitPattern: try number())
    guard number.isFinite else { throw Malformed("a number is \(number)") }
    return number
  }

  mutating func float() throws(Malformed) -> Float {
    let number = Float(bitPattern: try number())
    guard number.isFinite else { throw Malformed("a number is \(number)") }
    return number
  }

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

  mutating func record() throws(Malformed) -> Value.Record {
    guard case .record(let record) = try value() else { throw Malformed("a value is no record") }
    return record
  }

  mutating func optionalDouble() throws(Malformed) -> Double? { try flag() ? try double() : nil }

  mutating func optionalInstant() throws(Malformed) -> Instant? {
    try flag() ? Instant(nanoseconds: try number()) : nil
  }

  /// One of the cases of an enumeration, by its place.
  mutating func choice<Choice: NumberedCases>(_: Choice.Type = Choice.self) throws(Malformed) -> Choice {
    let place = Int(try number(UInt8.self))
    guard Choice.all.indices.contains(place) else { throw Malformed("there is no case \(place) of \(Choice.self)") }
    return Choice.all[place]
  }
}

/// An enumeration whose cases are told by their places.
protocol NumberedCases: Equatable {
  static var all: [Self] { get }
}

extension DrawerFade: NumberedCases { static let all = allCases }
extension ScrollViewKind: NumberedCases { static let all = allCases }
extension ContentInsetAdjustment: NumberedCases { static let all = allCases }
extension Clamping: NumberedCases { static let all = allCases }
extension StatusBarStyle: NumberedCases { static let all = allCases }

extension ByteWriter {
  /// One of the cases of an enumeration, by its place.
  mutating func put<Choice: NumberedCases>(choice: Choice) {
    put(UInt8(truncatingIfNeeded: Choice.all.firstIndex(of: choice) ?? 0))
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
