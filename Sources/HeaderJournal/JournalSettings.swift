// SPDX-License-Identifier: MIT

public import HeaderModel

/// How a journal is kept.
public struct JournalSettings: Sendable {
  /// When an input counts as safe.
  public var durability = Durability.interval
  /// Nanoseconds between two writes.
  public var interval: Int64 = 50_000_000
  /// Bytes after which a new segment begins.
  public var segmentBytes = 4 << 20
  /// Bytes that a shard's segments may take before space is won back; more where the snapshots alone take half of it.
  public var budget = 16 << 20
  /// Nanoseconds after which inputs are not kept longer than the next snapshot.
  public var age: Int64 = 600_000_000_000
  /// Bytes that may wait for a slow disk.
  public var waitingBytes = 16 << 20
  /// Nanoseconds until a disk that failed is tried again.
  public var retry: Int64 = 1_000_000_000
  /// Bytes that are copied at most of a header that cannot be saved.
  public var copiedBytes = 1 << 20
  /// Bytes that are copied at most of all such headers of one user in a shard.
  public var copiedBytesOfUser = 8 << 20

  /// The shipped settings.
  public init() {}
}
