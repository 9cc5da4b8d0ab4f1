// SPDX-License-Identifier: MIT
//
// The folder of a journal without a disk: what was written and not synced is lost in part when the power goes, a step may take any
// time, and steps may fail.

public import HeaderJournal
public import HeaderTestKit

/// The files of a journal, which all shards share.
public final class SimulatedFolder {
  private struct File {
    var bytes: [UInt8]
    /// How much of it is on the disk.
    var synced: Int
  }

  private var segments: [Int: File] = [:]

  /// An empty folder, or one with segments that are on the disk.
  public init(_ files: [Int: [UInt8]] = [:]) {
    segments = files.mapValues { File(bytes: $0, synced: $0.count) }
  }

  /// What the operating system has, by segment.
  public var files: [Int: [UInt8]] { segments.mapValues(\.bytes) }

  /// What is on the disk, by segment.
  public var synced: [Int: [UInt8]] { segments.mapValues { Array($0.bytes.prefix($0.synced)) } }

  /// The files as they are after the power was cut: of what was not synced, any part.
  public func cutPower(_ random: inout SplitMix64) {
    for number in segments.keys.sorted() {
      guard let file = segments[number] else { continue }
      let left = Int.random(in: file.synced...file.bytes.count, using: &random)
      keep(left, of: number)
    }
  }

  /// Reads it as a daemon does at its start, and cuts off what is torn.
  public func read() throws(JournalError) -> StoredJournal {
    let stored = try StoredJournal(files)
    for segment in stored.segments { keep(segment.size, of: segment.head.number) }
    return stored
  }

  private func keep(_ size: Int, of number: Int) {
    guard let file = segments[number] else { return }
    segments[number] = size > 0 ? File(bytes: Array(file.bytes.prefix(size)), synced: size) : nil
  }

  fileprivate func begin(_ head: SegmentHead) {
    segments[head.number] = File(bytes: head.bytes, synced: head.bytes.count)
  }

  fileprivate func append(_ bytes: some Sequence<UInt8>, to number: Int) { segments[number]?.bytes += bytes }

  fileprivate func sync(_ number: Int) {
    guard let file = segments[number] else { return }
    segments[number]?.synced = file.bytes.count
  }

  fileprivate func remove(_ number: Int) { segments[number] = nil }

  /// Cuts off what a failed write has left.
  fileprivate func truncate(_ number: Int, to size: Int) {
    guard let file = segments[number], file.bytes.count > size else { return }
    segments[number] = File(bytes: Array(file.bytes.prefix(size)), synced: min(size, file.synced))
  }
}

extension StoredJournal {
  /// Reads segments that lie in memory.
  public init(_ files: [Int: [UInt8]], repairs: Bool = false) throws(JournalError) {
    let names = files.keys.map { SegmentHead.fileName(of: $0) }
    try self.init(files: names, repairs: repairs) { (name) throws(JournalError) in
      files[SegmentHead.number(inFileName: name) ?? 0] ?? []
    }
  }
}

/// One shard's way to them: a step waits until the test says how it ends.
public final class SimulatedDisk: JournalDisk {
  private let folder: SimulatedFolder
  /// The step that waits.
  public private(set) var step: JournalStep?
  private var segment = 0
  private var size = 0
  /// Why each step fails; nil: none does.
  public var failure: String?
  /// Called with how a step ended.
  public var finished: ((StepResult) -> Void)?

  /// A disk with nothing to do.
  public init(_ folder: SimulatedFolder) { self.folder = folder }

  /// Takes a step, which waits.
  public func perform(_ step: JournalStep) {
    precondition(self.step == nil, "one step at a time")
    self.step = step
  }

  /// Carries out the step that waits, if there is one.
  /// - Parameter partial: bytes that a step which fails has written before.
  public func finish(partial: Int = 0) {
    guard let step else { return }
    self.step = nil
    if let failure {
      if step.begins == nil { folder.append(step.bytes.prefix(partial), to: segment) }
      finished?(StepResult(failure))
      return
    }
    folder.truncate(segment, to: size)
    if let head = step.begins {
      folder.sync(segment)
      folder.begin(head)
      (segment, size) = (head.number, SegmentHead.size)
    }
    folder.append(step.bytes, to: segment)
    size += step.bytes.count
    var result = StepResult()
    if let copies = step.copies {
      let (bytes, sizes) = copies.records { folder.files[$0] }
      folder.append(bytes, to: segment)
      size += bytes.count
      result.copied = sizes
    }
    if step.syncs { folder.sync(segment) }
    for number in step.removes { folder.remove(number) }
    finished?(result)
  }

  /// The power goes in the middle of a step.
  public func breakOff(_ random: inout SplitMix64) {
    guard let step, step.begins == nil, !step.bytes.isEmpty else { return }
    folder.truncate(segment, to: size)
    folder.append(step.bytes.prefix(Int.random(in: 0...step.bytes.count, using: &random)), to: segment)
  }
}
