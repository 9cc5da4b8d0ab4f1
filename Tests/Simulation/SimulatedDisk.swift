// SPDX-License-Identifier: MIT
//
// The folder of a journal without a disk: what was written and not synced is lost in part when the power goes, a step may take any
// time, and steps may fail.

import HeaderJournal
import HeaderTestKit

/// The files of a journal, which all shards share.
final class SimulatedFolder {
  /// By segment: what was written, and how much of it is on the disk.
  private(set) var files: [Int: (bytes: [UInt8], synced: Int)] = [:]

  /// The files as they are after the power was cut: of what was not synced, any part.
  func cutPower(_ random: inout SplitMix64) {
    for number in files.keys.sorted() {
      guard let file = files[number] else { continue }
      let left = Int.random(in: file.synced...file.bytes.count, using: &random)
      files[number] = left > 0 ? (Array(file.bytes.prefix(left)), left) : nil
    }
  }

  /// Reads it as a daemon does at its start, and cuts off what is torn.
  func read() throws -> StoredJournal {
    let names = files.keys.map { SegmentHead(number: $0, shard: 0).fileName }
    let stored = try StoredJournal(files: names) { [files] (name) throws(JournalError) in
      files[SegmentHead.number(inFileName: name) ?? 0]?.bytes ?? []
    }
    for segment in stored.segments {
      guard let file = files[segment.head.number] else { continue }
      files[segment.head.number] = segment.size > 0 ? (Array(file.bytes.prefix(segment.size)), segment.size) : nil
    }
    return stored
  }

  func begin(_ head: SegmentHead) { files[head.number] = (head.bytes, head.bytes.count) }
  func append(_ bytes: [UInt8], to number: Int) { files[number]?.bytes += bytes }
  func sync(_ number: Int) {
    guard let file = files[number] else { return }
    files[number] = (file.bytes, file.bytes.count)
  }
  func remove(_ number: Int) { files[number] = nil }

  /// A write that failed in the middle.
  func spoil(_ number: Int, with bytes: ArraySlice<UInt8>) { files[number]?.bytes += bytes }

  /// Cuts off what a failed write has left.
  func truncate(_ number: Int, to size: Int) {
    guard let file = files[number], file.bytes.count > size else { return }
    files[number] = (Array(file.bytes.prefix(size)), min(size, file.synced))
  }

  func size(of number: Int) -> Int { files[number]?.bytes.count ?? 0 }
}

/// One shard's way to them.
final class SimulatedDisk: JournalDisk {
  private let folder: SimulatedFolder
  private var step: JournalStep?
  private var segment = 0
  private var size = 0
  /// Why each step fails; nil: none does.
  var failure: String?
  var finished: ((String?) -> Void)?

  private var random: SplitMix64

  init(_ folder: SimulatedFolder, seed: UInt64) {
    self.folder = folder
    random = SplitMix64(seed: seed)
  }

  var isBusy: Bool { step != nil }

  func perform(_ step: JournalStep) {
    precondition(self.step == nil, "one step at a time")
    self.step = step
  }

  /// Carries out the step that waits.
  func finish() {
    guard let step else { return }
    self.step = nil
    if let failure {
      // It may have got somewhere.
      if step.begins == nil { folder.spoil(segment, with: step.bytes.prefix(Int.random(in: 0...40, using: &random))) }
      finished?(failure)
      return
    }
    if let head = step.begins {
      folder.truncate(segment, to: size)
      folder.sync(segment)
      folder.begin(head)
      segment = head.number
      size = SegmentHead.size
    }
    folder.truncate(segment, to: size)
    folder.append(step.bytes, to: segment)
    size += step.bytes.count
    if step.syncs { folder.sync(segment) }
    for number in step.removes { folder.remove(number) }
    finished?(nil)
  }

  /// The power goes in the middle of a step.
  func breakOff() {
    guard let step, step.begins == nil, !step.bytes.isEmpty else { return }
    folder.truncate(segment, to: size)
    folder.spoil(segment, with: step.bytes.prefix(Int.random(in: 0...step.bytes.count, using: &random)))
  }
}
