// SPDX-License-Identifier: MIT

internal import HeaderJournal
public import HeaderModel

/// What `stats` says of one shard's journal.
public struct JournalStatistics: Sendable {
  /// When an input counts as safe.
  public let durability: Durability
  /// Headers that are recorded.
  public var headers = 0
  /// Headers that outlive the daemon's connections and are not recorded, since they cannot be saved.
  public var notRecorded = 0
  /// Bytes of headers that cannot be saved now: their old snapshots and the inputs since.
  public var copiedBytes = 0
  /// Headers that could not be restored and are kept for the next start.
  public var unrestored = 0
  /// Segment files on the disk.
  public var segments = 0
  /// Bytes in the segments.
  public var bytes = 0
  /// Records since the start.
  public var records = 0
  /// Why headers are not recorded; nil: they are.
  public var failure: String?

  init(_ journal: ShardJournal, headers: Int, notRecorded: Int, copiedBytes: Int, unrestored: Int) {
    durability = journal.settings.durability
    (self.headers, self.notRecorded, self.copiedBytes) = (headers, notRecorded, copiedBytes)
    self.unrestored = unrestored
    (segments, bytes) = journal.kept
    records = journal.appended
    failure = journal.failure
  }

  /// Adds another shard's counts.
  public static func + (left: JournalStatistics, right: JournalStatistics) -> JournalStatistics {
    var sum = left
    sum.headers += right.headers
    sum.notRecorded += right.notRecorded
    sum.copiedBytes += right.copiedBytes
    sum.unrestored += right.unrestored
    sum.segments += right.segments
    sum.bytes += right.bytes
    sum.records += right.records
    sum.failure = left.failure ?? right.failure
    return sum
  }

  /// As `stats` has it.
  public var value: Value {
    var record: Value.Record = [
      "durability": .text(durability.rawValue), "headers": .number(Double(headers)),
      "notRecorded": .number(Double(notRecorded)), "copiedBytes": .number(Double(copiedBytes)),
      "unrestored": .number(Double(unrestored)), "segments": .number(Double(segments)), "bytes": .number(Double(bytes)),
      "records": .number(Double(records)),
    ]
    record["failure"] = failure.map { .text($0) }
    return .record(record)
  }
}
