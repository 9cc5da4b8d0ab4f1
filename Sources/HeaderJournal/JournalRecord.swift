// SPDX-License-Identifier: MIT
//
// The journal's bytes. A segment is a file: a head, then records, each of one header. All numbers are little-endian.
//
//     segment  │ head (SegmentHead.swift) │ record │ record │ …
//     record   │ size u32 │ checksum u32 │ kind u8 │ flags u8 │ header's number, 48 bits │ time i64 │ payload │
//
//     kind      payload
//     snapshot  JSON of a `HeaderSnapshot`: the header begins with it, or continues from it
//     scroll    the offset and correction of a plain didScroll, as doubles; flags say which are there
//     advance   nothing: what was due up to that time
//     input     JSON of the recorded form of any other input (HeaderInput+Value.swift)
//     answer    JSON of the recorded form of a client's answer to the event before
//     closed    the header's name
//     restarted the new epoch, u64: the daemon has crashed and the header has a new life
//
// `size` is that of the whole record. `checksum` is the low half of XXH3 over all that follows it, with the segment's number
// as the seed, so that bytes of another segment are no records here. `time` is header time in nanoseconds.

internal import CXXHash
public import HeaderModel
internal import HeaderWire

#if !_endian(little)
  #error("records are copied as they lie in memory, which must be little-endian")
#endif

/// A record of one header.
public struct JournalRecord: Sendable {
  /// The number of its header: never used for another one in the same journal.
  public var header: Int
  /// Header time; nil: the header's present time.
  public var time: Instant?
  /// The kind of record, with its fields.
  public var content: Content

  /// Kinds of records.
  public enum Content: Sendable {
    case snapshot(HeaderSnapshot)
    case input(HeaderInput)
    case closed(String)
    /// It began a new life after a crash: with this epoch, and without corrections.
    case restarted(epoch: Int64)
  }
}

/// The kinds of records, as their bytes have them.
enum RecordKind: UInt8 {
  case snapshot = 1
  case scroll, advance, input, answer, closed, restarted
}

struct RecordFlags: OptionSet {
  let rawValue: UInt8
  static let x = RecordFlags(rawValue: 1)
  static let y = RecordFlags(rawValue: 2)
  static let correctionX = RecordFlags(rawValue: 4)
  static let correctionY = RecordFlags(rawValue: 8)
  /// A correction was given, if only an empty one.
  static let correction = RecordFlags(rawValue: 16)
  /// `time` counts.
  static let time = RecordFlags(rawValue: 32)
}

/// The fields before every record's payload.
struct RecordHead: BitwiseCopyable {
  static let size = 24
  /// The largest record: a snapshot with 64 delegates that have saved a megabyte each is still smaller.
  static let largest = 1 << 28

  var size: UInt32
  var checksum: UInt32 = 0
  var word: UInt64
  var time: Int64

  @inline(__always)
  init(_ kind: RecordKind, _ flags: RecordFlags, header: Int, time: Instant?, payload: Int) {
    size = UInt32(truncatingIfNeeded: Self.size + payload)
    var flags = flags
    if time != nil { flags.formUnion(.time) }
    word = UInt64(truncatingIfNeeded: header) << 16 | UInt64(flags.rawValue) << 8 | UInt64(kind.rawValue)
    self.time = time?.nanoseconds ?? 0
  }
}

/// The checksum of a record's bytes behind it.
@inline(__always)
func checksum(_ bytes: UnsafeRawBufferPointer, seed: Int) -> UInt32 {
  unsafe xxhash_checksum(bytes.baseAddress, bytes.count, UInt64(truncatingIfNeeded: seed))
}

extension [UInt8] {
  /// Adds a number as it lies in memory.
  mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(integer: Number) {
    unsafe Swift.withUnsafeBytes(of: integer.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// A number at a place that is there.
  func integer<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int) -> Number {
    precondition(place >= 0 && place + MemoryLayout<Number>.size <= count, "the bytes are there")
    return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }

  // MARK: - Writing

  /// Adds the record of a plain didScroll.
  @inline(__always)
  package mutating func appendScroll(
    to offset: PartialPoint, correction: PartialPoint?, header: Int, time: Instant?, segment: Int
  ) {
    var flags: RecordFlags = correction == nil ? [] : .correction
    var numbers = (0.0, 0.0, 0.0, 0.0)
    var count = 0
    func add(_ number: Double?, _ flag: RecordFlags) {
      guard let number else { return }
      flags.formUnion(flag)
      switch count {
      case 0: numbers.0 = number
      case 1: numbers.1 = number
      case 2: numbers.2 = number
      default: numbers.3 = number
      }
      count += 1
    }
    add(offset.x, .x)
    add(offset.y, .y)
    add(correction?.x, .correctionX)
    add(correction?.y, .correctionY)
    var record = (RecordHead(.scroll, flags, header: header, time: time, payload: 8 * count), numbers)
    let size = RecordHead.size + 8 * count
    unsafe Swift.withUnsafeMutableBytes(of: &record) { bytes in
      let sum = unsafe checksum(UnsafeRawBufferPointer(rebasing: bytes[8..<size]), seed: segment)
      unsafe bytes.storeBytes(of: sum, toByteOffset: 4, as: UInt32.self)
      unsafe append(contentsOf: bytes[..<size])
    }
  }

  /// Adds a record with a payload.
  mutating func append(
    _ kind: RecordKind, _ flags: RecordFlags = [], header: Int, time: Instant?, payload: [UInt8], segment: Int
  ) {
    var head = RecordHead(kind, flags, header: header, time: time, payload: payload.count)
    let start = count
    unsafe Swift.withUnsafeBytes(of: &head) { unsafe append(contentsOf: $0) }
    append(contentsOf: payload)
    seal(from: start, segment: segment)
  }

  /// Gives the record that begins at a place and reaches up to the end its checksum.
  package mutating func seal(from start: Int, segment: Int) {
    let end = count
    unsafe withUnsafeMutableBytes { bytes in
      let sum = unsafe checksum(UnsafeRawBufferPointer(rebasing: bytes[(start + 8)..<end]), seed: segment)
      unsafe bytes.storeBytes(of: sum, toByteOffset: start + 4, as: UInt32.self)
    }
  }
}
