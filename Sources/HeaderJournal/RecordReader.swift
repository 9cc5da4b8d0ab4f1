// SPDX-License-Identifier: MIT
//
// Reads records one after the other and trusts nothing: sizes, checksums, kinds and contents are checked, in this order.

internal import HeaderModel
internal import HeaderWire

/// Reads the records of a segment, or of a part of one.
public struct RecordReader: Sendable {
  let bytes: [UInt8]
  /// Bytes up to the next record: all before it are good.
  public private(set) var place: Int
  /// The segment's number; nil: the records were checked before.
  private let segment: Int?
  /// The head of the segment, which was checked.
  let head: SegmentHead
  /// Bytes of which checksums may be made while a whole record is looked for: bytes made for it could ask for the square of their
  /// number.
  private var searchable = 1 << 30

  /// Reads a segment and checks its head at once.
  /// - Parameter number: the number in the file's name; nil: it does not matter.
  public init(segment bytes: [UInt8], number: Int? = nil) throws(JournalDamage) {
    let head = try SegmentHead(bytes)
    if let number, number != head.number { throw JournalDamage(at: 24, .wrongName) }
    self.bytes = bytes
    place = head.length
    segment = head.number
    self.head = head
  }

  /// Reads records that were read before and lie one behind the other.
  init(checked bytes: [UInt8]) {
    self.bytes = bytes
    place = 0
    segment = nil
    head = SegmentHead(number: 0, shard: 0, run: 0)
  }

  /// A record as it lies there.
  struct Raw {
    let kind: RecordKind
    let flags: RecordFlags
    let header: Int
    let time: Instant?
    let range: Range<Int>
    var payload: Range<Int> { range.lowerBound + RecordHead.size..<range.upperBound }
  }

  /// The next record; nil at the end.
  public mutating func next() throws(JournalDamage) -> JournalRecord? {
    let start = place
    guard let raw = try nextRaw() else { return nil }
    do {
      return JournalRecord(header: raw.header, time: raw.time, content: try content(of: raw))
    } catch {
      place = start
      throw JournalDamage(at: start, .payload)
    }
  }

  /// The next record without its content.
  mutating func nextRaw() throws(JournalDamage) -> Raw? {
    guard place < bytes.count else { return nil }
    guard bytes.count - place >= RecordHead.size else { throw JournalDamage(at: place, .shortRecord) }
    let size = Int(bytes.integer(at: place) as UInt32)
    guard size >= RecordHead.size, size <= RecordHead.largest else { throw JournalDamage(at: place, .checksum) }
    guard size <= bytes.count - place else { throw JournalDamage(at: place, .shortRecord) }
    let end = place + size
    if let segment {
      let sum = unsafe bytes.withUnsafeBytes {
        unsafe checksum(UnsafeRawBufferPointer(rebasing: $0[(place + 8)..<end]), seed: segment)
      }
      guard sum == bytes.integer(at: place + 4) else { throw JournalDamage(at: place, .checksum) }
    }
    let word: UInt64 = bytes.integer(at: place + 8)
    let number = UInt8(truncatingIfNeeded: word)
    guard let kind = RecordKind(rawValue: number) else { throw JournalDamage(at: place, .unknownKind(Int(number))) }
    let flags = RecordFlags(rawValue: UInt8(truncatingIfNeeded: word >> 8))
    let time = flags.contains(.time) ? Instant(nanoseconds: bytes.integer(at: place + 16)) : nil
    let raw = Raw(kind: kind, flags: flags, header: Int(word >> 16), time: time, range: place..<end)
    place = end
    return raw
  }

  /// Goes to the next whole record behind one that cannot be read.
  /// - Returns: false: there is none up to the end, or the search was given up.
  mutating func skipDamage() -> Bool {
    guard let segment else { return false }
    for start in (place + 1)..<max(place + 1, bytes.count - RecordHead.size + 1) {
      guard let size = plausibleSize(at: start) else { continue }
      searchable -= size
      guard !isSearchGivenUp else { return false }
      let sum = unsafe bytes.withUnsafeBytes {
        unsafe checksum(UnsafeRawBufferPointer(rebasing: $0[(start + 8)..<(start + size)]), seed: segment)
      }
      guard sum == bytes.integer(at: start + 4) else { continue }
      place = start
      return true
    }
    return false
  }

  /// Whether the search for whole records took too long.
  var isSearchGivenUp: Bool { searchable < 0 }

  /// The size that a record has which begins at a place; nil: none begins there.
  private func plausibleSize(at start: Int) -> Int? {
    let size = Int(bytes.integer(at: start) as UInt32)
    guard size >= RecordHead.size, size <= min(RecordHead.largest, bytes.count - start) else { return nil }
    switch RecordKind(rawValue: bytes[start + 8]) {
    case nil: return nil
    case .advance: return size == RecordHead.size ? size : nil
    case .scroll: return size <= RecordHead.size + 32 ? size : nil
    case .restarted: return size == RecordHead.size + 8 ? size : nil
    case .snapshot, .input, .answer, .closed: return size
    }
  }

  func content(of raw: Raw) throws(HeaderError) -> JournalRecord.Content {
    switch raw.kind {
    case .snapshot: return .snapshot(try HeaderSnapshot(try value(of: raw)))
    case .scroll: return .input(try scroll(raw))
    case .advance: return .input(.event(ScrollEvent(.advance(frameDuration: nil))))
    case .input:
      guard case .record(let fields) = try value(of: raw) else { throw unreadable() }
      var (time, unknown) = (Instant?.none, [UnknownField]())
      return .input(try HeaderInput(recorded: fields, time: &time, unknown: &unknown))
    case .answer:
      guard case .record(let fields) = try value(of: raw) else { throw unreadable() }
      return .input(.answer(DelegateReply(recorded: fields)))
    case .closed:
      guard let name = String(validating: bytes[raw.payload], as: UTF8.self) else { throw unreadable() }
      return .closed(name)
    case .restarted:
      guard raw.payload.count == 8 else { throw unreadable() }
      let epoch: UInt64 = bytes.integer(at: raw.payload.lowerBound)
      guard epoch < 1 << 53 else { throw unreadable() }
      return .restarted(epoch: Int64(epoch))
    }
  }

  private func value(of raw: Raw) throws(HeaderError) -> Value {
    let text = Array(bytes[raw.payload])
    do {
      return try JSONReader.reading(text) { (reader) throws(JSONError) in
        let value = try reader.value()
        try reader.finish()
        return value
      }
    } catch { throw unreadable() }
  }

  private func scroll(_ raw: Raw) throws(HeaderError) -> HeaderInput {
    var rest = raw.payload
    func take(_ flag: RecordFlags) throws(HeaderError) -> Double? {
      guard raw.flags.contains(flag) else { return nil }
      guard rest.count >= 8 else { throw unreadable() }
      let number = Double(bitPattern: bytes.integer(at: rest.lowerBound))
      guard number.isFinite else { throw unreadable() }
      rest = rest.dropFirst(8)
      return number
    }
    let offset = PartialPoint(x: try take(.x), y: try take(.y))
    let correction = PartialPoint(x: try take(.correctionX), y: try take(.correctionY))
    guard rest.isEmpty else { throw unreadable() }
    return .scroll(to: offset, correction: raw.flags.contains(.correction) ? correction : nil)
  }

  private func unreadable() -> HeaderError { HeaderError(.invalidParams, "the record's content cannot be read") }
}
