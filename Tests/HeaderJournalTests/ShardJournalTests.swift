// SPDX-License-Identifier: MIT
//
// Headers written to a disk that is slow, fails, or loses its power, from seeds. The model of a header is the list of offsets
// that it was scrolled to; its snapshot has how many they are.

import Clocks
import HeaderModel
import HeaderTestKit
import JournalTestKit
import Testing

import HeaderJournal

/// Headers that are a count of inputs, and a journal of them.
private final class Shelf {
  let folder = SimulatedFolder()
  let disk: SimulatedDisk
  let journal: ShardJournal
  private var random: SplitMix64
  /// By number: inputs so far, and those that the journal had called safe.
  var counts: [Int: Int] = [:]
  var closed: Set<Int> = []
  var covered: Set<Int> = []
  /// Headers that cannot be saved for now.
  var refusing: Set<Int> = []
  /// Bytes that one of them may take, and those that took more.
  var copiedBytes = Int.max
  private(set) var givenUp: Set<Int> = []
  private var rebuilding: [Int]?
  private var failures = 0
  /// Records appended when each header had that many inputs.
  private var marks: [(header: Int, count: Int, records: Int)] = []
  private(set) var safe: [Int: Int] = [:]
  var time: MonotonicTime = 0

  init(seed: UInt64, _ settings: JournalSettings) {
    random = SplitMix64(seed: seed)
    disk = SimulatedDisk(folder)
    journal = ShardJournal(shard: 0, settings: settings, numbers: JournalNumbers(), disk: disk)
    disk.finished = { [unowned self] in journal.finished($0, at: time) }
  }

  private func snapshot(_ header: Int) {
    guard journal.takesRecords, !refusing.contains(header) else { return }
    journal.write(
      HeaderSnapshot(
        header: "h\(header)", epoch: 1, description: .text(String(repeating: "x", count: 200)), opened: nil,
        saved: .number(Double(counts[header] ?? 0))), of: header)
    covered.insert(header)
    marks.append((header, counts[header] ?? 0, journal.appended))
  }

  func open() {
    let header = journal.newHeader()
    counts[header] = 0
    snapshot(header)
  }

  func scroll() {
    guard let header = counts.keys.sorted().randomElement(using: &random) else { return }
    let count = (counts[header] ?? 0) + 1
    counts[header] = count
    guard covered.contains(header) else { return }
    journal.append(.scroll(to: PartialPoint(y: Double(count)), correction: nil), of: header, at: nil)
    if journal.takesRecords { marks.append((header, count, journal.appended)) }
  }

  func close() {
    guard let header = counts.keys.sorted().randomElement(using: &random) else { return }
    close(header)
  }

  func close(_ header: Int) {
    journal.close(header, name: "h\(header)")
    counts[header] = nil
    covered.remove(header)
    refusing.remove(header)
    closed.insert(header)
  }

  /// What a host does at the end of a turn.
  func turn() {
    time += Int64.random(in: 0...20_000_000, using: &random)
    journal.turn(at: time)
    if journal.failures > failures {
      failures = journal.failures
      covered = []
      marks = []
      rebuilding = nil
    }
    if journal.takesRecords, journal.failure != nil {
      var left = rebuilding ?? counts.keys.sorted()
      for _ in 0..<3 { if let header = left.popLast(), counts[header] != nil { snapshot(header) } }
      rebuilding = left
      if left.isEmpty {
        let unsaved = refusing.subtracting(covered).intersection(counts.keys)
        journal.rebuilt(without: Dictionary(uniqueKeysWithValues: unsaved.map { ($0, 2) }))
      }
    }
    for _ in 0..<4 {
      guard let header = journal.takeDue(), counts[header] != nil else { continue }
      if refusing.contains(header) { journal.copy(header, atMost: copiedBytes) } else { snapshot(header) }
    }
    for (header, bytes) in journal.takeCopied() where bytes == nil && counts[header] != nil {
      journal.close(header, name: "h\(header)")
      covered.remove(header)
      givenUp.insert(header)
      safe[header] = nil
    }
    if random.oneIn(2) { disk.finish() }
    noteSafe()
  }

  func noteSafe() {
    guard journal.takesRecords else { return }
    for mark in marks where mark.records <= journal.durable { safe[mark.header] = mark.count }
    marks.removeAll { $0.records <= journal.durable }
  }

  func settle() {
    for _ in 0..<2000 where !journal.isIdle || journal.failure != nil || journal.nextWake <= time {
      turn()
      disk.finish()
    }
    noteSafe()
  }
}

extension StoredHeader {
  /// How many inputs the model's header has, or nil if one is missing.
  fileprivate var modelCount: Int? {
    guard case .number(let base)? = try? snapshot().saved else { return nil }
    var count = Int(base)
    var reader = records
    while let record = try? reader.next() {
      if case .restarted = record.content { continue }
      guard case .input(.scroll(let offset, _)) = record.content, offset.y == Double(count + 1) else { return nil }
      count += 1
    }
    return count
  }
}

@Suite struct ShardJournalTests {
  private static func settings(_ durability: Durability) -> JournalSettings {
    var settings = JournalSettings()
    settings.durability = durability
    settings.segmentBytes = 4000
    settings.budget = 12_000
    settings.age = 3_000_000_000
    return settings
  }

  private func live(
    _ shelf: Shelf, _ seed: UInt64, steps: Int, failures: Bool = false, refusals: Bool = false
  ) {
    var random = SplitMix64(seed: seed &+ 99)
    for _ in 0..<4 { shelf.open() }
    for _ in 0..<steps {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: shelf.open()
      case 1 where shelf.counts.count > 2: shelf.close()
      default: shelf.scroll()
      }
      if refusals, random.oneIn(40), let header = shelf.safe.keys.sorted().randomElement(using: &random) {
        // One that was never saved is not recorded at all.
        shelf.refusing.formSymmetricDifference([header])
      }
      if failures, random.oneIn(60) { shelf.disk.failure = shelf.disk.failure == nil ? "no space" : nil }
      if random.oneIn(3) { shelf.turn() }
    }
    shelf.disk.failure = nil
  }

  /// Every header that is there has a gapless count, and at least what was called safe.
  private func check(_ stored: StoredJournal, _ shelf: Shelf, seed: UInt64) {
    for header in stored.headers {
      let count = header.modelCount
      #expect(count != nil, "seed \(seed): header \(header.number) misses an input")
      let safe = shelf.safe[header.number] ?? 0
      #expect((count ?? 0) >= safe, "seed \(seed): header \(header.number) has \(count ?? 0) of \(safe) safe inputs")
    }
    for (header, _) in shelf.safe where shelf.counts[header] != nil {
      #expect(stored["h\(header)"] != nil, "seed \(seed): header \(header) is lost")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>, [Durability.acknowledged, .interval])
  func whatWasSafeOutlivesAPowerCut(seed: UInt64, durability: Durability) throws {
    let shelf = Shelf(seed: seed, Self.settings(durability))
    live(shelf, seed, steps: 400)
    var random = SplitMix64(seed: seed)
    shelf.disk.breakOff(&random)
    shelf.folder.cutPower(&random)
    check(try shelf.folder.read(), shelf, seed: seed)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func aDiskThatFailsIsRecoveredFrom(seed: UInt64) throws {
    let shelf = Shelf(seed: seed, Self.settings(.acknowledged))
    live(shelf, seed, steps: 600, failures: true)
    shelf.settle()
    #expect(shelf.journal.failure == nil, "seed \(seed)")
    let stored = try StoredJournal(shelf.folder.synced)
    check(stored, shelf, seed: seed)
    // All is well: everything is there.
    for (header, count) in shelf.counts { #expect(stored["h\(header)"]?.modelCount == count, "seed \(seed)") }
    #expect(stored.headers.count == shelf.counts.count, "seed \(seed)")
  }

  /// What the disk had of a header that cannot be saved when the disk works again is not given up for that. Once it can be saved, it
  /// is recorded again.
  @Test(arguments: 1...60 as ClosedRange<UInt64>) func whatCannotBeSavedIsKeptAsItWas(seed: UInt64) throws {
    let shelf = Shelf(seed: seed, Self.settings(.acknowledged))
    live(shelf, seed, steps: 600, failures: true, refusals: true)
    for _ in 0..<400 {
      shelf.turn()
      shelf.disk.finish()
      shelf.scroll()
    }
    #expect(shelf.journal.failure == nil, "seed \(seed)")
    check(try StoredJournal(shelf.folder.synced), shelf, seed: seed)
    shelf.refusing = []
    for _ in 0..<400 {
      shelf.turn()
      shelf.disk.finish()
    }
    shelf.settle()
    let stored = try StoredJournal(shelf.folder.synced)
    for (header, count) in shelf.counts { #expect(stored["h\(header)"]?.modelCount == count, "seed \(seed)") }
    #expect(stored.headers.count == shelf.counts.count, "seed \(seed)")
  }

  /// However long it goes on, the files take no more than the budget and a segment.
  @Test(arguments: 1...10 as ClosedRange<UInt64>) func spaceIsWonBack(seed: UInt64) throws {
    let shelf = Shelf(seed: seed, Self.settings(.interval))
    for _ in 0..<10 { shelf.open() }
    var most = 0
    for _ in 0..<20_000 {
      shelf.scroll()
      shelf.turn()
      most = max(most, shelf.folder.files.values.reduce(0) { $0 + $1.count })
    }
    #expect(most < 12_000 + 4 * 4000, "seed \(seed)")
    shelf.settle()
    check(try StoredJournal(shelf.folder.files), shelf, seed: seed)
  }

  /// A header that cannot be saved keeps no more than its own records, in whatever order it and others go on; nothing of it is lost.
  @Test(arguments: 1...10 as ClosedRange<UInt64>) func whatCannotBeSavedIsCarriedOn(seed: UInt64) throws {
    let shelf = Shelf(seed: seed, Self.settings(.interval))
    for _ in 0..<10 { shelf.open() }
    shelf.refusing = [3, 7]
    var most = 0
    for step in 0..<6000 {
      shelf.scroll()
      shelf.turn()
      if step == 3000 { shelf.close(7) }
      most = max(most, shelf.folder.files.values.reduce(0) { $0 + $1.count })
    }
    // The inputs of two headers of ten, and what there is of the others.
    #expect(most < 12_000 + 4 * 4000 + 2 * 6000 / 10 * 32 * 2, "seed \(seed)")
    shelf.settle()
    let stored = try StoredJournal(shelf.folder.files)
    check(stored, shelf, seed: seed)
    for (header, count) in shelf.counts { #expect(stored["h\(header)"]?.modelCount == count, "seed \(seed)") }
    #expect(stored["h7"] == nil && shelf.givenUp.isEmpty)
  }

  /// Beyond a bound it is not recorded any more, and the files become small again.
  @Test func whatTakesTooMuchIsGivenUp() throws {
    let shelf = Shelf(seed: 4, Self.settings(.interval))
    for _ in 0..<4 { shelf.open() }
    shelf.refusing = [2]
    shelf.copiedBytes = 5000
    var most = 0
    for _ in 0..<8000 {
      shelf.scroll()
      shelf.turn()
      most = max(most, shelf.folder.files.values.reduce(0) { $0 + $1.count })
    }
    #expect(most < 12_000 + 5 * 4000)
    #expect(shelf.givenUp == [2])
    shelf.settle()
    let stored = try StoredJournal(shelf.folder.files)
    #expect(stored["h2"] == nil && stored.headers.count == 3)
  }

  @Test func aSlowDiskDoesNotFillTheMemory() {
    var settings = Self.settings(.interval)
    settings.waitingBytes = 10_000
    let shelf = Shelf(seed: 3, settings)
    shelf.open()
    shelf.turn()
    for _ in 0..<2000 {
      shelf.scroll()
      shelf.time += 1_000_000
      shelf.journal.turn(at: shelf.time)
    }
    #expect(shelf.journal.failure == "more than 10000 bytes wait for the disk")
  }

  @Test func nothingToDoIsNoWake() {
    let disk = SimulatedDisk(SimulatedFolder())
    let journal = ShardJournal(shard: 0, settings: JournalSettings(), numbers: JournalNumbers(), disk: disk)
    disk.finished = { [unowned journal] in journal.finished($0, at: 51_000_000) }
    #expect(journal.nextWake == .max)
    journal.append(.scroll(to: PartialPoint(y: 1), correction: nil), of: 1, at: nil)
    #expect(journal.nextWake == 50_000_000)
    journal.turn(at: 50_000_000)
    #expect(disk.step?.syncs == true)
    #expect(disk.step?.begins?.number == 1)
    disk.finish()
    #expect(journal.isIdle)
    #expect(journal.durable == 1)
    // Only its age is waited for.
    #expect(journal.nextWake == 600_000_000_000)
  }
}

@Suite struct StoredJournalTests {
  private func journal(_ body: (ShardJournal) -> Void) -> [Int: [UInt8]] {
    let folder = SimulatedFolder()
    let disk = SimulatedDisk(folder)
    var settings = JournalSettings()
    settings.segmentBytes = 300
    let journal = ShardJournal(shard: 0, settings: settings, numbers: JournalNumbers(), disk: disk)
    var time: MonotonicTime = 0
    disk.finished = { journal.finished($0, at: time) }
    body(journal)
    for turn in 1...50 {
      time = MonotonicTime(nanoseconds: Int64(turn) * 1_000_000_000)
      journal.turn(at: time)
      disk.finish()
    }
    disk.finished = nil
    return folder.files
  }

  private func snapshot(_ name: String) -> HeaderSnapshot {
    HeaderSnapshot(header: name, epoch: 5, description: "d", opened: nil, saved: 0)
  }

  private func scrolls(_ count: Int, of header: Int, _ journal: ShardJournal) {
    for _ in 0..<count { journal.append(.scroll(to: PartialPoint(y: 1), correction: nil), of: header, at: nil) }
  }

  @Test func theLastSnapshotCounts() throws {
    let files = journal { journal in
      journal.write(snapshot("a"), of: 1)
      journal.write(snapshot("b"), of: 2)
      scrolls(3, of: 1, journal)
      scrolls(2, of: 2, journal)
      journal.write(snapshot("a"), of: 1)
      scrolls(1, of: 1, journal)
      journal.restart(1, epoch: 9)
      journal.close(2, name: "b")
    }
    let stored = try StoredJournal(files)
    #expect(stored.headers.map(\.name) == ["a"])
    #expect(stored["a"]?.inputs == 1)
    #expect(stored["a"]?.epoch == 9)
    #expect((stored.lastEpoch, stored.lastNumber) == (9, 2))
  }

  /// Version 1's heads end behind the number, without a run and a checksum; its records are the same.
  @Test func segmentsOfVersion1AreRead() throws {
    let new = journal { journal in
      journal.write(snapshot("a"), of: 1)
      journal.write(snapshot("b"), of: 2)
      scrolls(20, of: 1, journal)
      journal.restart(1, epoch: 9)
      scrolls(7, of: 2, journal)
    }
    #expect(new.count > 2)
    let old = new.mapValues { bytes in
      bytes[..<16] + [1, 0, 0, 0] + bytes[20..<32] + bytes[SegmentHead.size...]
    }.mapValues(Array.init)
    let (stored, read) = (try StoredJournal(new), try StoredJournal(old))
    #expect(read.headers.map(\.name).sorted() == ["a", "b"])
    for name in ["a", "b"] {
      #expect(read[name]?.inputs == stored[name]?.inputs && read[name]?.epoch == stored[name]?.epoch)
    }
    #expect((read.lastEpoch, read.lastNumber) == (9, 2))
    // A damage is told and a torn end is cut, as of new segments.
    var damaged = old
    damaged[2]?[150] ^= 0xff
    #expect(throws: JournalError.self) { try StoredJournal(damaged) }
    let last = try #require(old.keys.max())
    var torn = old
    torn[last]?.removeLast(3)
    let cut = try StoredJournal(torn)
    #expect(cut["b"]?.inputs == 6 && cut["a"]?.inputs == 20)
    // New segments follow.
    let folder = SimulatedFolder(old)
    let disk = SimulatedDisk(folder)
    let journal = ShardJournal(
      shard: 0, settings: JournalSettings(), numbers: JournalNumbers(after: read, shards: 1), disk: disk,
      takingOver: read)
    disk.finished = { [unowned journal] in journal.finished($0, at: 1_000_000_000) }
    journal.adopt(try #require(read["a"]))
    journal.adopt(try #require(read["b"]))
    scrolls(5, of: 2, journal)
    journal.turn(at: 1_000_000_000)
    disk.finish()
    let both = try StoredJournal(folder.files)
    #expect(both["a"]?.inputs == 20 && both["b"]?.inputs == 12)
  }

  /// A damage in the middle: what comes after it is kept only of headers that were written down anew since.
  @Test func aDamageIsRefusedAndRepaired() throws {
    var files = journal { journal in
      journal.write(snapshot("a"), of: 1)
      journal.write(snapshot("b"), of: 2)
      scrolls(10, of: 1, journal)
      scrolls(10, of: 2, journal)
      journal.write(snapshot("a"), of: 1)
      scrolls(4, of: 1, journal)
      scrolls(20, of: 2, journal)
    }
    #expect(files.count > 3)
    files[2]?[200] ^= 0xff
    #expect(throws: JournalError.self) { try StoredJournal(files) }
    let repaired = try StoredJournal(files, repairs: true)
    #expect(repaired.damages.count == 1)
    #expect(repaired["a"]?.inputs == 4)
    let left = try #require(repaired["b"]?.inputs)
    #expect(left < 30)
    let (head, bytes) = repaired.compacted()
    #expect(head.number == files.count + 1)
    let again = try StoredJournal([head.number: bytes])
    #expect(again["a"]?.inputs == 4)
    #expect(again["b"]?.inputs == left)
  }

  /// A header of an earlier journal is closed, and its thread wins space back, or begins anew behind a failure, while another thread
  /// still needs the old segment that has the header: it does not come back.
  @Test(arguments: [false, true]) func whatIsClosedStaysClosed(fails: Bool) throws {
    let old = journal { journal in
      journal.write(snapshot("a"), of: 1)
      journal.write(snapshot("b"), of: 2)
    }
    let stored = try StoredJournal(old)
    let folder = SimulatedFolder(old)
    let numbers = JournalNumbers(after: stored, shards: 2)
    var settings = JournalSettings()
    settings.segmentBytes = 300
    settings.budget = 1000
    let disk = SimulatedDisk(folder)
    let busy = ShardJournal(shard: 0, settings: settings, numbers: numbers, disk: disk, takingOver: stored)
    let idleDisk = SimulatedDisk(folder)
    let idle = ShardJournal(shard: 1, settings: settings, numbers: numbers, disk: idleDisk, takingOver: stored)
    busy.adopt(try #require(stored["b"]))
    idle.adopt(try #require(stored["a"]))
    var time: MonotonicTime = 0
    disk.finished = { [unowned busy] in busy.finished($0, at: time) }
    func turn() {
      time += 1_000_000_000
      busy.turn(at: time)
      while let number = busy.takeDue() { busy.write(snapshot("c"), of: number) }
      disk.finish()
    }
    busy.close(2, name: "b")
    busy.write(snapshot("c"), of: busy.newHeader())
    let first = numbers.lastSegment
    turn()
    if fails {
      scrolls(1, of: 3, busy)
      disk.failure = "no space"
      turn()
      disk.failure = nil
      turn()
      busy.write(snapshot("c"), of: 3)
      busy.rebuilt()
    }
    for _ in 0..<50 {
      scrolls(5, of: 3, busy)
      turn()
    }
    #expect(folder.files[first] == nil && folder.files[1] != nil)
    #expect(try StoredJournal(folder.files).headers.map(\.name) == ["a", "c"])
    // When nobody needs the old segment, nothing has to be said of it either.
    idleDisk.finished = { [unowned idle] in idle.finished($0, at: time) }
    for _ in 0..<4 {
      time += settings.age
      idle.turn(at: time)
      while let number = idle.takeDue() { idle.write(snapshot("a"), of: number) }
      idleDisk.finish()
    }
    #expect(folder.files[1] == nil)
    for _ in 0..<50 {
      scrolls(5, of: 3, busy)
      turn()
    }
    let last = try StoredJournal(folder.files)
    #expect(last.headers.map(\.name) == ["a", "c"])
    #expect(last.lastNumber == 3 && busy.kept.bytes < 2000)
  }

  @Test func aTornEndIsCut() throws {
    var files = journal { journal in
      journal.write(snapshot("a"), of: 1)
      scrolls(2, of: 1, journal)
    }
    files[1]?.removeLast(5)
    let stored = try StoredJournal(files)
    #expect(stored["a"]?.inputs == 1)
    #expect(stored.segments[0].torn == 27)
  }
}
