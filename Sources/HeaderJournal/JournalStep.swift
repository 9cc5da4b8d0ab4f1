// SPDX-License-Identifier: MIT
//
// A journal's orders to the disk, and their results.

/// The next work of the disk, in this order: begin a segment, write, sync, remove.
public struct JournalStep: Sendable {
  /// The segment that begins: its file is made, and if the step syncs, so is its folder.
  public internal(set) var begins: SegmentHead?
  /// Bytes for the segment that was begun last.
  public internal(set) var bytes: [UInt8] = []
  /// Whether the bytes are on the disk when the step is finished.
  public internal(set) var syncs = false
  /// Headers whose records are written again, behind the bytes. The step succeeds whether that does or not.
  public internal(set) var copies: JournalCopy?
  /// Segments that are obsolete once the bytes are on the disk.
  public internal(set) var removes: [Int] = []
  /// How many records are safe then, and the segment that they are in.
  var records = 0
  var segment = 0

  var isEmpty: Bool { begins == nil && bytes.isEmpty }
}

/// Where a journal's bytes go.
public protocol JournalDisk: AnyObject {
  /// Carries out a step. `ShardJournal.finished` follows, not within this call.
  func perform(_ step: JournalStep)
}

/// The result of a step.
public struct StepResult: Sendable {
  /// Why it could not be carried out, in words; nil: it has been.
  public var failure: String?
  /// The headers that were copied, each with the bytes that it takes now.
  public var copied: [Int: Int]

  /// Creates a result; `failure` is nil for a step that succeeded.
  public init(_ failure: String? = nil, copied: [Int: Int] = [:]) { (self.failure, self.copied) = (failure, copied) }
}
