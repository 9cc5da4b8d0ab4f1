// SPDX-License-Identifier: MIT
//
// The first bytes of a segment, and the names of the journal's files. All numbers are little-endian.
//
//     head  │ "headerd-journal\n" │ version u32 │ shard u32 │ number u64 │ run u64 │ checksum u32 │ 0 u32 │
//
// A run is one life of the daemon: the number of the first segment that it may have begun. `checksum` is the low half of XXH3 over
// all before it. Version 1 ends behind the number; its segments count as those of one run.

/// The first bytes of a segment.
public struct SegmentHead: Equatable, Sendable {
  /// Bytes that a new one takes.
  public static let size = 48
  static let magic = [UInt8]("headerd-journal\n".utf8)
  static let version: UInt32 = 2
  private static let sizeInVersion1 = 32

  /// Segments are read in the order of their numbers, over all shards.
  public var number: Int
  /// The thread that wrote it.
  public var shard: Int
  /// The daemon's life in which it was begun; 0: not known.
  public var run: Int
  /// Bytes that it takes: the first record lies there.
  let length: Int

  /// The head of a new segment.
  public init(number: Int, shard: Int, run: Int) {
    (self.number, self.shard, self.run) = (number, shard, run)
    length = Self.size
  }

  /// The name of the segment's file.
  public var fileName: String { Self.fileName(of: number) }

  /// The name of a segment's file: `0000000000000012.journal`, in hexadecimal.
  public static func fileName(of number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits + ".journal"
  }

  /// The number in the name of a segment's file; nil: it is none, as is any other way of writing a number.
  public static func number(inFileName name: String) -> Int? {
    guard let number = Int(name.dropLast(8), radix: 16), number > 0, fileName(of: number) == name else { return nil }
    return number
  }

  /// The bytes of a new head.
  public var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(integer: Self.version)
    bytes.append(integer: UInt32(shard))
    bytes.append(integer: UInt64(number))
    bytes.append(integer: UInt64(run))
    bytes.append(integer: Self.checksum(of: bytes))
    bytes.append(integer: UInt32(0))
    return bytes
  }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe HeaderJournal.checksum(UnsafeRawBufferPointer(rebasing: $0[..<40]), seed: 0) }
  }

  /// Reads the head of a segment.
  public init(_ bytes: [UInt8]) throws(JournalDamage) {
    guard bytes.count >= Self.sizeInVersion1 else { throw JournalDamage(at: 0, .shortHead) }
    guard Array(bytes[..<16]) == Self.magic else { throw JournalDamage(at: 0, .notAJournal) }
    let version: UInt32 = bytes.integer(at: 16)
    var run: UInt64 = 0
    switch version {
    case 1: length = Self.sizeInVersion1
    case Self.version:
      length = Self.size
      guard bytes.count >= Self.size else { throw JournalDamage(at: 0, .shortHead) }
      guard Self.checksum(of: bytes) == bytes.integer(at: 40), bytes.integer(at: 44) as UInt32 == 0 else {
        throw JournalDamage(at: 0, .headChecksum)
      }
      run = bytes.integer(at: 32)
    default:
      // What a later version wrote ends in its checksum as well; a changed byte does not.
      guard bytes.count >= Self.size, Self.checksum(of: bytes) == bytes.integer(at: 40) else {
        throw JournalDamage(at: 0, .headChecksum)
      }
      throw JournalDamage(at: 16, .version(Int(version)))
    }
    let (shard, number): (UInt32, UInt64) = (bytes.integer(at: 20), bytes.integer(at: 24))
    guard shard < 64, number > 0, number < 1 << 62, run <= number else { throw JournalDamage(at: 20, .notAJournal) }
    (self.number, self.shard, self.run) = (Int(number), Int(shard), Int(run))
  }
}

/// A damage of a segment, and its place.
public struct JournalDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// Bytes before it, all of which are good.
  public let place: Int
  /// The kind of damage.
  public let kind: Kind

  /// Kinds of damage in a segment.
  public enum Kind: Equatable, Sendable {
    case shortHead, notAJournal, headChecksum, shortRecord, checksum, unknownKind(Int), payload, wrongName
    /// Written by a later version of headerd, and no damage.
    case version(Int)
  }

  init(at place: Int, _ kind: Kind) {
    self.place = place
    self.kind = kind
  }

  /// `byte 4096: the record's checksum is wrong`
  public var description: String { "byte \(place): \(reason)" }

  private var reason: String {
    switch kind {
    case .shortHead: "the file ends within its head"
    case .notAJournal: "it is no segment of a journal"
    case .headChecksum: "the checksum of the segment's head is wrong"
    case .shortRecord: "the file ends within a record"
    case .checksum: "the record's checksum is wrong"
    case .unknownKind(let kind): "records of the kind \(kind) are not known to this version of headerd"
    case .payload: "the record's content cannot be read"
    case .wrongName: "the number in the segment's head is not that of the file's name"
    case .version(let version):
      "the segment has version \(version), this headerd reads versions 1 to \(SegmentHead.version): a later headerd wrote it"
    }
  }
}

/// The mark that the daemon leaves when it has ended in order, in the file `complete`: how far the journal went.
///
///      0000000000000012.journal 40960 1f2e3d4c⏎     the last segment, the bytes of all segments, a checksum of both
public struct CompleteMark: Equatable, Sendable {
  /// The name of the file.
  public static let fileName = "complete"
  /// The number of the last segment.
  public var segment: Int
  /// The bytes of all segments.
  public var bytes: Int

  /// Creates a mark at the end of a segment.
  public init(segment: Int, bytes: Int) { (self.segment, self.bytes) = (segment, bytes) }

  /// The content of the file.
  public var text: String {
    let text = "\(SegmentHead.fileName(of: max(segment, 1))) \(bytes)"
    let bytes = [UInt8](text.utf8)
    let sum = unsafe bytes.withUnsafeBytes { unsafe checksum($0, seed: 0) }
    return "\(text) \(String(sum, radix: 16))\n"
  }

  /// Reads it; nil: it is damaged, or of another version of headerd.
  public init?(_ content: [UInt8]) {
    let parts = String(decoding: content, as: UTF8.self).split(separator: " ")
    guard parts.count == 3, let segment = SegmentHead.number(inFileName: String(parts[0])), let bytes = Int(parts[1])
    else { return nil }
    self.init(segment: segment, bytes: bytes)
    guard [UInt8](text.utf8) == content else { return nil }
  }
}
