// SPDX-License-Identifier: MIT
//
// The content of a journal's segments together: each header's latest snapshot and its inputs since.
//
//     segment 7   snapshot A · snapshot B · scroll A · scroll B · …
//     segment 8   scroll B · snapshot A · scroll A · closed B            ─▶  A: its snapshot of 8, one input
//
// The last segment that a shard wrote in the last run may end within a record: the daemon ended during the write. That tail was never
// acknowledged, and is cut. If a whole record lies behind unreadable bytes, they are no tail. There and anywhere else, unreadable bytes
// are damage, which an administrator has to decide about (`headerctl journal repair`).
//
// A header is doubtful if a record of it may be missing: its records are not used up to its next snapshot. All headers are doubtful but
// those that another shard had in the same run.

public import HeaderModel
internal import HeaderWire

/// A header as the journal has it: its records as they lie there, to be read when they are needed.
public struct StoredHeader: Sendable {
  /// The header's number in the journal.
  public let number: Int
  /// The header's name.
  public let name: String
  /// Which life of the name it is.
  public fileprivate(set) var epoch: Int64
  /// The segment that has its latest snapshot.
  public fileprivate(set) var base: Int
  fileprivate(set) var snapshotRecord: [UInt8]
  /// Records of its inputs since, as they lie in the segments.
  fileprivate(set) var tail: [UInt8] = []
  /// The number of inputs.
  public fileprivate(set) var inputs = 0
  /// Which shard had it in each run.
  fileprivate var homes: [Home] = []
  fileprivate var damagesBefore = 0

  fileprivate struct Home: Equatable {
    let run: Int
    let shard: Int
  }

  /// Its latest snapshot, in its present epoch.
  /// - Throws: its content cannot be read.
  public func snapshot() throws(HeaderError) -> HeaderSnapshot {
    var reader = RecordReader(checked: snapshotRecord)
    guard let record = try? reader.next(), case .snapshot(var snapshot) = record.content else {
      throw HeaderError(.invalidParams, "what the journal has of header \"\(name)\" cannot be read")
    }
    snapshot.epoch = epoch
    return snapshot
  }

  /// The header's records since the snapshot: inputs and new lives.
  public var records: RecordReader { RecordReader(checked: tail) }

  /// The record bytes of the header.
  public var size: Int { snapshotRecord.count + tail.count }

  /// Adds its records as those of another segment.
  func write(to bytes: inout [UInt8], segment: Int) {
    var reader = RecordReader(checked: snapshotRecord + tail)
    while let raw = try? reader.nextRaw() {
      let payload = Array(reader.bytes[raw.payload])
      bytes.append(raw.kind, raw.flags, header: raw.header, time: raw.time, payload: payload, segment: segment)
    }
  }

  fileprivate mutating func note(_ home: Home) { if homes.last != home { homes.append(home) } }

  /// Whether a record of it may be missing since its snapshot.
  fileprivate func isDoubtful(_ damaged: [DamagedPart]) -> Bool {
    damaged.contains { part in
      part.last > damagesBefore && !homes.contains { $0.run == part.home?.run && $0.shard != part.home?.shard }
    }
  }
}

/// Where records cannot be read.
private struct DamagedPart {
  /// The header and shard of the records; nil: not known.
  let home: StoredHeader.Home?
  /// The number of the latest damage there.
  var last: Int
}

/// A segment as it was read.
public struct StoredSegment: Sendable {
  /// The segment's number and shard.
  public let head: SegmentHead
  /// Bytes up to the first that cannot be read.
  public fileprivate(set) var size: Int
  /// Bytes of a torn tail behind them.
  public fileprivate(set) var torn: Int
  /// Records that were read from it.
  public fileprivate(set) var records: Int
}

/// Why a journal cannot be read.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's name.
  public var file: String
  /// The damage, in words.
  public var reason: String
  /// Whether the content is damaged; otherwise the file could not be read at all.
  public var isDamage: Bool
  /// Bytes of it that cannot be read.
  public var bytes: Int

  /// A file that could not be read, or is damaged.
  public init(file: String, reason: String, isDamage: Bool = false, bytes: Int = 0) {
    (self.file, self.reason, self.isDamage, self.bytes) = (file, reason, isDamage, bytes)
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
  /// Damaged files, one error for each.
  public private(set) var damages: [JournalError] = []
  /// Whole records that cannot be used, since one of the same header before them may be missing.
  public var unusable: Int { unusableRecords.values.reduce(0, +) }
  /// The headers that they are of.
  public var unusableHeaders: Int { unusableRecords.count }
  private var unusableRecords: [Int: Int] = [:]
  /// The names of the segments' files.
  public private(set) var files: [String] = []
  /// The daemon before has ended in order, and everything is there.
  public private(set) var isComplete = false
  /// The mark that says so is there, and cannot be read.
  public private(set) var hasBadMark = false
  private var bytes = 0
  private var wanted: Set<Int>?
  private var damagedParts: [DamagedPart] = []
  private var damageCount = 0
  /// Segments that cannot be read up to their end, with nothing whole behind, as long as they are the last of their shard and run.
  private var openEnds: [(home: StoredHeader.Home, segment: Int, damage: JournalDamage)] = []
  private var lastRun = 0
  private var byNumber: [Int: StoredHeader] = [:]
  private var byName: [String: Int] = [:]

  /// Bytes that a file of a journal may have.
  public static let largestFile = 1 << 30

  /// Creates a journal without segments.
  public init() {}

  /// Reads a journal, one file after the other, each of them once.
  /// - Parameters:
  ///   - names: the files of its folder; other files than the journal's are left alone.
  ///   - wanted: the numbers of headers; all others are skipped. nil: all.
  ///   - repairs: damaged parts are skipped and noted; a header then ends where something of it may be missing.
  ///   - read: reads one of them, and says in words why it cannot.
  /// - Throws: which file cannot be read, or is damaged, or was written by a later version.
  public init(
    files names: [String], only wanted: Set<Int>? = nil, repairs: Bool = false,
    _ read: (String) throws(JournalError) -> [UInt8]
  ) throws(JournalError) {
    self.wanted = wanted
    for number in names.compactMap({ SegmentHead.number(inFileName: $0) }).sorted() {
      let name = SegmentHead.fileName(of: number)
      files.append(name)
      let content: [UInt8]
      do { content = try read(name) } catch {
        guard repairs else { throw error }
        noteDamage(of: nil)
        damages.append(error)
        continue
      }
      try add(content, number: number)
    }
    if names.contains(CompleteMark.fileName) { check(try read(CompleteMark.fileName)) }
    guard !repairs, var damage = damages.first else { return }
    if damages.count > 1 { damage.reason += "; \(damages.count - 1) more files are damaged" }
    if unusable > 0 {
      damage.reason += "; \(unusable) whole records of \(unusableHeaders) headers behind it cannot be used without it"
    }
    throw damage
  }

  /// The headers, in the order in which they were first written.
  public var headers: [StoredHeader] { byNumber.values.sorted { $0.number < $1.number } }

  /// A header by its name.
  public subscript(name: String) -> StoredHeader? { byName[name].flatMap { byNumber[$0] } }

  /// The number of the last segment, 0 without one.
  public var lastSegment: Int { files.last.flatMap { SegmentHead.number(inFileName: $0) } ?? 0 }

  private mutating func check(_ content: [UInt8]) {
    guard let mark = CompleteMark(content) else {
      hasBadMark = true
      return
    }
    isComplete = mark.segment == max(lastSegment, 1) && mark.bytes == bytes
    guard !isComplete else { return }
    let (ended, there) = (SegmentHead.fileName(of: mark.segment), SegmentHead.fileName(of: max(lastSegment, 1)))
    damages.append(
      JournalError(
        file: CompleteMark.fileName,
        reason:
          "the journal had \(mark.bytes) bytes up to \(ended) when the daemon ended, and has \(bytes) up to \(there)",
        isDamage: true))
  }

  // MARK: - Segments

  /// Adds the next segment, by number.
  /// - Throws: a later version of headerd wrote it. A repair would lose what only that version reads.
  private mutating func add(_ content: [UInt8], number: Int) throws(JournalError) {
    bytes += content.count
    var reader: RecordReader
    do { reader = try RecordReader(segment: content, number: number) } catch {
      if case .version = error.kind { throw JournalError(file: SegmentHead.fileName(of: number), reason: "\(error)") }
      // The headers of the damaged records are not known.
      noteDamage(of: nil)
      fail(number, error, bytes: content.count)
      return
    }
    let home = StoredHeader.Home(run: reader.head.run, shard: reader.head.shard)
    begin(home)
    segments.append(StoredSegment(head: reader.head, size: content.count, torn: 0, records: 0))
    var first: JournalDamage?
    var unreadable = 0
    while true {
      do {
        guard let raw = try reader.nextRaw() else { break }
        try take(raw, of: reader, home)
        segments[segments.count - 1].records += 1
      } catch {
        let isFirst = first == nil
        if isFirst {
          first = error
          segments[segments.count - 1].size = error.place
        }
        // The reader has skipped a record whose content cannot be read.
        if reader.place > error.place {
          unreadable += reader.place - error.place
        } else if reader.skipDamage() {
          unreadable += reader.place - error.place
        } else {
          unreadable += content.count - error.place
          let isTear = error.kind == .shortRecord || error.kind == .checksum
          if isFirst, isTear, !reader.isSearchGivenUp {
            segments[segments.count - 1].torn = unreadable
            openEnds.append((home, segments.count - 1, error))
            return
          }
          noteDamage(of: home)
          break
        }
        noteDamage(of: home)
      }
    }
    if let first { fail(number, first, bytes: unreadable) }
  }

  /// Begins a segment of a shard: its earlier segments of this run are complete, and those of earlier runs were cut where they were torn.
  private mutating func begin(_ home: StoredHeader.Home) {
    lastRun = max(lastRun, home.run)
    for end in openEnds where end.home == home || end.home.run < lastRun {
      noteDamage(of: end.home)
      fail(segments[end.segment].head.number, end.damage, bytes: segments[end.segment].torn)
      segments[end.segment].torn = 0
    }
    openEnds.removeAll { $0.home == home || $0.home.run < lastRun }
  }

  private mutating func fail(_ number: Int, _ damage: JournalDamage, bytes: Int) {
    damages.append(
      JournalError(
        file: SegmentHead.fileName(of: number), reason: "\(damage); \(bytes) bytes cannot be read", isDamage: true,
        bytes: bytes))
  }

  private mutating func noteDamage(of home: StoredHeader.Home?) {
    damageCount += 1
    if let index = damagedParts.firstIndex(where: { $0.home == home }) {
      damagedParts[index].last = damageCount
    } else {
      damagedParts.append(DamagedPart(home: home, last: damageCount))
    }
  }

  // MARK: - Records

  private mutating func take(
    _ raw: RecordReader.Raw, of reader: RecordReader, _ home: StoredHeader.Home
  ) throws(JournalDamage) {
    lastNumber = max(lastNumber, raw.header)
    guard wanted?.contains(raw.header) ?? true else { return }
    switch raw.kind {
    case .snapshot:
      guard let snapshot = SnapshotName(Array(reader.bytes[raw.payload])) else {
        throw JournalDamage(at: raw.range.lowerBound, .payload)
      }
      lastEpoch = max(lastEpoch, snapshot.epoch)
      unusableRecords[raw.header] = nil
      if let other = byName[snapshot.header], other != raw.header { byNumber[other] = nil }
      byName[snapshot.header] = raw.header
      var header = StoredHeader(
        number: raw.header, name: snapshot.header, epoch: snapshot.epoch, base: reader.head.number,
        snapshotRecord: Array(reader.bytes[raw.range]))
      header.homes = byNumber[raw.header]?.homes ?? []
      header.note(home)
      header.damagesBefore = damageCount
      byNumber[raw.header] = header
    case .closed:
      unusableRecords[raw.header] = nil
      if let header = byNumber.removeValue(forKey: raw.header) { byName[header.name] = nil }
    case .scroll, .advance, .input, .answer:
      guard admits(raw.header, home) else { return }
      byNumber[raw.header]?.tail.append(contentsOf: reader.bytes[raw.range])
      byNumber[raw.header]?.inputs += 1
    case .restarted:
      guard let content = try? reader.content(of: raw), case .restarted(let epoch) = content else {
        throw JournalDamage(at: raw.range.lowerBound, .payload)
      }
      lastEpoch = max(lastEpoch, epoch)
      guard admits(raw.header, home) else { return }
      byNumber[raw.header]?.epoch = epoch
      byNumber[raw.header]?.tail.append(contentsOf: reader.bytes[raw.range])
    }
  }

  /// Whether a record that builds on earlier ones can be used.
  private mutating func admits(_ number: Int, _ home: StoredHeader.Home) -> Bool {
    byNumber[number]?.note(home)
    // Without damage, a header whose snapshot has gone with its segment was closed since, or has a later one.
    guard !damagedParts.isEmpty else { return byNumber[number] != nil }
    if let header = byNumber[number], !header.isDoubtful(damagedParts) { return true }
    // 0 is no header: it says how far epochs went.
    guard number > 0 else { return false }
    unusableRecords[number, default: 0] += 1
    return false
  }

  // MARK: - Writing

  /// The journal as one segment, in place of all others.
  public func compacted() -> (head: SegmentHead, bytes: [UInt8]) {
    let head = SegmentHead(number: lastSegment + 1, shard: 0, run: lastSegment + 1)
    var bytes = head.bytes
    for header in headers { header.write(to: &bytes, segment: head.number) }
    return (head, bytes)
  }
}
