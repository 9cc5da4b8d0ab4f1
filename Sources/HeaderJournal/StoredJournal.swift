// SPDX-License-Identifier: MIT
//
// What a journal's segments hold together: each header's latest snapshot and its inputs since.
//
//     segment 7   snapshot A · snapshot B · scroll A · scroll B · …
//     segment 8   scroll B · snapshot A · scroll A · closed B            ─▶  A: its snapshot of 8, one input
//
// The last segment of each shard may end within a record: the daemon ended while it was written. That tail was never
// acknowledged, and is cut. Anything else that cannot be read is damage: somebody has to decide (`headerctl journal repair`).

internal import HeaderCore

/// A header as the journal has it.
public struct StoredHeader: Sendable {
  /// Its number in the journal.
  public let number: Int
  /// Its latest snapshot.
  public fileprivate(set) var snapshot: HeaderSnapshot
  /// The segment that has it, and the bytes that it takes there.
  public fileprivate(set) var base: Int
  fileprivate(set) var snapshotRecord: [UInt8]
  /// Records of its inputs since, as they lie in the segments.
  fileprivate(set) var tail: [UInt8] = []
  /// How many they are.
  public fileprivate(set) var inputs = 0

  /// Its name.
  public var name: String { snapshot.header }

  /// Its records since the snapshot: inputs and new lives.
  public var records: RecordReader { RecordReader(checked: tail) }
}

/// A segment as it was read.
public struct StoredSegment: Sendable {
  /// Its number and shard.
  public let head: SegmentHead
  /// Bytes that are good.
  public let size: Int
  /// Bytes of a torn tail behind them.
  public let torn: Int
  /// Records in it.
  public let records: Int
}

/// Why a journal cannot be read.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's name.
  public var file: String
  /// In words.
  public var reason: String
  /// What is wrong with its content; nil: it could not be read at all.
  public var damage: JournalDamage?

  /// A file that could not be read, or is damaged.
  public init(file: String, reason: String, damage: JournalDamage? = nil) {
    self.file = file
    self.reason = reason
    self.damage = damage
  }

  /// `0000000000000007.journal: byte 4096: the record's checksum is wrong`
  public var description: String { "\(file): \(reason)" }
}

/// All headers of a journal.
public struct StoredJournal: Sendable {
  /// The segments, in the order of their numbers.
  public private(set) var segments: [StoredSegment] = []
  /// The largest epoch of any snapshot.
  public private(set) var lastEpoch: Int64 = 0
  /// The largest number that a header had.
  public private(set) var lastNumber = 0
  /// What was passed over, by a reader that repairs: the file and what is wrong with it.
  public private(set) var damages: [JournalError] = []
  private var byNumber: [Int: StoredHeader] = [:]
  /// For each shard with a damage, the headers that were written down after it: what came of the others is missing.
  private var intact: [Int: Set<Int>] = [:]
  private var byName: [String: Int] = [:]

  /// A journal without segments.
  public init() {}

  /// Reads a journal.
  /// - Parameters:
  ///   - names: the files of its folder; those that are no segments are left alone.
  ///   - repairs: what is damaged is passed over and noted; a header then ends where something of it may be missing.
  ///   - read: reads one of them, and says in words why it cannot.
  /// - Throws: which file cannot be read, or is damaged.
  public init(
    files names: [String], repairs: Bool = false, _ read: (String) throws(JournalError) -> [UInt8]
  ) throws(JournalError) {
    let numbers = names.compactMap { SegmentHead.number(inFileName: $0) }.sorted()
    var lastOfShard: [Int: Int] = [:]
    var segments: [(number: Int, bytes: [UInt8])] = []
    for number in numbers {
      let bytes = try read(SegmentHead(number: number, shard: 0).fileName)
      if let head = try? SegmentHead(bytes) { lastOfShard[head.shard] = number }
      segments.append((number, bytes))
    }
    files = segments.map { SegmentHead(number: $0.number, shard: 0).fileName }
    for (number, bytes) in segments {
      let shard = (try? SegmentHead(bytes))?.shard
      do {
        try add(bytes, number: number, mayBeTorn: shard.map { lastOfShard[$0] == number } ?? true)
      } catch {
        let damage = JournalError(
          file: SegmentHead(number: number, shard: 0).fileName, reason: "\(error)", damage: error)
        guard repairs else { throw damage }
        damages.append(damage)
        intact[shard ?? 0] = []
      }
    }
  }

  /// The headers, in the order in which they were first written.
  public var headers: [StoredHeader] { byNumber.values.sorted { $0.number < $1.number } }

  /// A header by name.
  public subscript(name: String) -> StoredHeader? { byName[name].flatMap { byNumber[$0] } }

  /// The names of the files that were read.
  public private(set) var files: [String] = []

  /// The number of the last segment, 0 without one.
  public var lastSegment: Int { segments.last?.head.number ?? 0 }

  /// Adds the next segment, by number.
  /// - Parameters:
  ///   - number: what the file's name says.
  ///   - mayBeTorn: whether it is the last one of its shard.
  /// - Throws: what cannot be read of it; the records before that are taken in.
  public mutating func add(_ bytes: [UInt8], number: Int, mayBeTorn: Bool) throws(JournalDamage) {
    var reader: RecordReader
    do {
      reader = try RecordReader(segment: bytes, number: number)
    } catch {
      guard mayBeTorn, error.kind == .shortHead else { throw error }
      segments.append(
        StoredSegment(head: SegmentHead(number: number, shard: 0), size: 0, torn: bytes.count, records: 0))
      return
    }
    let head = try SegmentHead(bytes)
    var records = 0
    do {
      while let raw = try reader.nextRaw() {
        try take(raw, of: reader, head)
        records += 1
      }
    } catch {
      let isTorn = error.kind == .shortRecord || error.kind == .checksum
      note(head, size: error.place, of: bytes, records)
      guard mayBeTorn, isTorn else { throw error }
      return
    }
    note(head, size: bytes.count, of: bytes, records)
  }

  private mutating func note(_ head: SegmentHead, size: Int, of bytes: [UInt8], _ records: Int) {
    segments.append(StoredSegment(head: head, size: size, torn: bytes.count - size, records: records))
  }

  private mutating func take(
    _ raw: RecordReader.Raw, of reader: RecordReader, _ segment: SegmentHead
  ) throws(JournalDamage) {
    lastNumber = max(lastNumber, raw.header)
    if intact[segment.shard] != nil {
      if raw.kind == .snapshot { intact[segment.shard]?.insert(raw.header) }
      guard raw.kind == .closed || intact[segment.shard]?.contains(raw.header) == true else { return }
    }
    switch raw.kind {
    case .snapshot:
      guard let content = try? reader.content(of: raw), case .snapshot(let snapshot) = content else {
        throw JournalDamage(at: raw.range.lowerBound, .payload)
      }
      lastEpoch = max(lastEpoch, snapshot.epoch)
      if let other = byName[snapshot.header], other != raw.header { byNumber[other] = nil }
      byName[snapshot.header] = raw.header
      byNumber[raw.header] = StoredHeader(
        number: raw.header, snapshot: snapshot, base: segment.number, snapshotRecord: Array(reader.bytes[raw.range]))
    case .closed:
      if let header = byNumber.removeValue(forKey: raw.header) { byName[header.name] = nil }
    case .scroll, .advance, .input, .answer:
      // A header whose snapshot has gone with its segment was closed since, or has a later one.
      byNumber[raw.header]?.tail.append(contentsOf: reader.bytes[raw.range])
      byNumber[raw.header]?.inputs += 1
    case .restarted:
      guard let content = try? reader.content(of: raw), case .restarted(let epoch) = content else {
        throw JournalDamage(at: raw.range.lowerBound, .payload)
      }
      lastEpoch = max(lastEpoch, epoch)
      byNumber[raw.header]?.snapshot.epoch = epoch
      byNumber[raw.header]?.tail.append(contentsOf: reader.bytes[raw.range])
    }
  }

  // MARK: - Writing

  /// All headers in one segment, in place of all others.
  public func compacted() -> (head: SegmentHead, bytes: [UInt8]) {
    let head = SegmentHead(number: lastSegment + 1, shard: 0)
    var bytes = head.bytes
    for header in headers { header.write(to: &bytes, segment: head.number) }
    return (head, bytes)
  }
}

extension StoredHeader {
  /// Adds its records as those of another segment.
  func write(to bytes: inout [UInt8], segment: Int) {
    var reader = RecordReader(checked: snapshotRecord + tail)
    while let raw = try? reader.nextRaw() {
      let payload = Array(reader.bytes[raw.payload])
      bytes.append(raw.kind, raw.flags, header: raw.header, time: raw.time, payload: payload, segment: segment)
    }
  }

  /// Bytes that it takes.
  public var size: Int { snapshotRecord.count + tail.count }
}
