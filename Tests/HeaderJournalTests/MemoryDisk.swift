// SPDX-License-Identifier: MIT

import HeaderTestKit

@testable import HeaderJournal

/// A disk in memory that does what it is told when the test says so, and may fail, or lose what was not synced.
final class MemoryDisk: JournalDisk {
  weak var journal: ShardJournal?
  /// What the operating system has.
  private(set) var files: [Int: [UInt8]] = [:]
  /// What is left of it after a power cut.
  private(set) var synced: [Int: [UInt8]] = [:]
  private(set) var step: JournalStep?
  private var present = 0
  private var size = 0
  var time: Int64 = 0
  var failure: String?
  private(set) var steps = 0

  func perform(_ step: JournalStep) {
    precondition(self.step == nil, "one step at a time")
    self.step = step
  }

  /// Carries out the step that waits, if there is one.
  func finish() {
    guard let step else { return }
    self.step = nil
    steps += 1
    if let failure { return journal?.finished(failure, at: time) ?? () }
    if let head = step.begins {
      synced[present] = files[present]
      present = head.number
      files[present] = head.bytes
    }
    files[present, default: []] += step.bytes
    if step.syncs { synced[present] = files[present] }
    for number in step.removes {
      files[number] = nil
      synced[number] = nil
    }
    journal?.finished(nil, at: time)
  }

  /// What a power cut leaves: all that was synced, and of the rest a part.
  func afterPowerCut(_ random: inout SplitMix64) -> [Int: [UInt8]] {
    var left = synced
    var all = files
    // The step under way may have got anywhere.
    if let step, step.begins == nil { all[present, default: []] += step.bytes }
    for (number, bytes) in all {
      let safe = left[number]?.count ?? 0
      guard safe > 0 || random.oneIn(2), bytes.count >= safe else { continue }
      left[number] = Array(bytes.prefix(Int.random(in: safe...bytes.count, using: &random)))
    }
    return left
  }
}

extension StoredJournal {
  init(_ files: [Int: [UInt8]], repairs: Bool = false) throws(JournalError) {
    let names = files.keys.map { SegmentHead(number: $0, shard: 0).fileName }
    try self.init(files: names, repairs: repairs) { (name) throws(JournalError) in
      files[SegmentHead.number(inFileName: name) ?? 0] ?? []
    }
  }
}
