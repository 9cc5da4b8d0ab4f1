// SPDX-License-Identifier: MIT
//
// A journal of several lives of a daemon, with one thread or several, of which one byte is changed, or some of the end are missing. The
// rule: either it is said that something cannot be read, or everything is there. Whatever is kept of a header has no gap.

import Clocks
import HeaderJournal
import HeaderModel
import HeaderTestKit
import JournalTestKit
import Testing

/// Headers that are a count of inputs, over several lives of a daemon.
private struct Library {
  let folder = SimulatedFolder()
  /// By number: how many inputs each header has.
  private(set) var counts: [Int: Int] = [:]
  private var random: SplitMix64

  /// - Parameter lives: how many threads the daemon has in each.
  init(seed: UInt64, lives: [Int], steps: Int, segmentBytes: Int = 12_000) throws {
    random = SplitMix64(seed: seed)
    for shards in lives { try live(shards, steps, segmentBytes) }
  }

  private mutating func live(_ shards: Int, _ steps: Int, _ segmentBytes: Int) throws {
    let stored = try folder.read()
    let numbers = JournalNumbers(after: stored, shards: shards)
    var settings = JournalSettings()
    settings.segmentBytes = segmentBytes
    settings.budget = 1 << 30
    let disks = (0..<shards).map { _ in SimulatedDisk(folder) }
    let journals = disks.indices.map {
      ShardJournal(shard: $0, settings: settings, numbers: numbers, disk: disks[$0], takingOver: stored)
    }
    for (disk, journal) in zip(disks, journals) { disk.finished = { journal.finished($0, at: 0) } }
    for header in stored.headers { journals[header.number % shards].adopt(header) }
    for _ in 0..<steps {
      let header = counts.keys.sorted().randomElement(using: &random)
      guard let header else {
        open(journals)
        continue
      }
      switch Int.random(in: 0..<30, using: &random) {
      case 0:
        open(journals)
      case 1, 2: write(header, to: journals[header % shards])
      case 3 where counts.count > 4:
        journals[header % shards].close(header, name: "h\(header)")
        counts[header] = nil
      default:
        let count = (counts[header] ?? 0) + 1
        counts[header] = count
        journals[header % shards].append(
          .scroll(to: PartialPoint(y: Double(count)), correction: nil), of: header, at: nil)
      }
    }
    for (disk, journal) in zip(disks, journals) {
      journal.flush()
      for _ in 0..<100 where !journal.isIdle {
        journal.turn(at: 0)
        disk.finish()
      }
      disk.finished = nil
    }
  }

  private mutating func open(_ journals: [ShardJournal]) {
    let number = journals[0].newHeader()
    counts[number] = 0
    write(number, to: journals[number % journals.count])
  }

  private func write(_ header: Int, to journal: ShardJournal) {
    journal.write(
      HeaderSnapshot(
        header: "h\(header)", epoch: 1, description: .text(String(repeating: "x", count: 40)), opened: nil,
        saved: .number(Double(counts[header] ?? 0))), of: header)
  }

  /// What breaks the rule in damaged files; nil: nothing does.
  func finding(in files: [Int: [UInt8]]) -> String? {
    do {
      let stored = try StoredJournal(files)
      let isTold = stored.segments.contains { $0.torn > 0 }
      return gap(in: stored) ?? (isTold || isWhole(stored) ? nil : "less than there was, and nothing is said")
    } catch {
      guard error.isDamage else { return "\(error)" }
      guard let repaired = try? StoredJournal(files, repairs: true) else { return "not repaired" }
      let (head, bytes) = repaired.compacted()
      guard let again = try? StoredJournal([head.number: bytes]) else { return "what was repaired is damaged" }
      guard again.headers.count == repaired.headers.count else { return "less than what was repaired" }
      return gap(in: again)
    }
  }

  private func gap(in stored: StoredJournal) -> String? {
    for header in stored.headers {
      guard let count = header.count else { return "\(header.name) has a gap" }
      // One whose closing cannot be read is there again.
      if let there = counts[header.number], count > there { return "\(header.name) has \(count) inputs of \(there)" }
    }
    return nil
  }

  private func isWhole(_ stored: StoredJournal) -> Bool {
    stored.headers.count == counts.count && stored.headers.allSatisfy { counts[$0.number] == $0.count }
  }
}

extension StoredHeader {
  /// How many inputs it has; nil: one is missing.
  fileprivate var count: Int? {
    guard case .number(let base)? = try? snapshot().saved else { return nil }
    var count = Int(base)
    var reader = records
    while let record = try? reader.next() {
      guard case .input(.scroll(let offset, _)) = record.content, offset.y == Double(count + 1) else { return nil }
      count += 1
    }
    return count
  }
}

@Suite struct DamageTests {
  /// Each byte of a journal of one life, changed by itself.
  @Test func noByteIsChangedUnnoticed() throws {
    var random = SplitMix64(seed: 33)
    let library = try Library(seed: 33, lives: [1], steps: 90, segmentBytes: 1000)
    #expect(library.finding(in: library.folder.files) == nil)
    for (number, bytes) in library.folder.files.sorted(by: { $0.key < $1.key }) {
      var files = library.folder.files
      for place in bytes.indices {
        files[number] = bytes
        files[number]?[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        if let finding = library.finding(in: files) {
          Issue.record("byte \(place) of segment \(number): \(finding)")
          return
        }
      }
    }
  }

  /// Some bytes of journals of 100 KB that several lives of a daemon have written, with another number of threads each.
  @Test(arguments: 1...12 as ClosedRange<UInt64>) func noLifeHidesADamage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lives = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1...3, using: &random) }
    let library = try Library(seed: seed, lives: lives, steps: 3000 / lives.count)
    #expect(library.finding(in: library.folder.files) == nil)
    let numbers = library.folder.files.keys.sorted()
    for _ in 0..<20 {
      var files = library.folder.files
      let number = try #require(numbers.randomElement(using: &random))
      let place = Int.random(in: 0..<(files[number]?.count ?? 1), using: &random)
      let kind = Int.random(in: 0..<4, using: &random)
      switch kind {
      case 0: files[number]?[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1:
        guard files[number]?[place] != 0 else { continue }
        files[number]?[place] = 0
      case 2:
        let end = min(place + 4096, files[number]?.count ?? 0)
        files[number]?.replaceSubrange(place..<end, with: [UInt8](repeating: 0, count: end - place))
      default: files[number]? += [UInt8](repeating: 0, count: 1 + place)
      }
      if let finding = library.finding(in: files) {
        Issue.record(
          "seed \(seed), lives \(lives), kind \(kind), byte \(place) of segment \(number) of \(numbers): \(finding)")
        return
      }
    }
  }

  @Test func aWholeRecordBehindSaysThatItIsNoTornEnd() throws {
    let folder = SimulatedFolder()
    let disk = SimulatedDisk(folder)
    let journal = ShardJournal(shard: 0, settings: JournalSettings(), numbers: JournalNumbers(), disk: disk)
    for header in 1...2 {
      journal.write(HeaderSnapshot(header: "h\(header)", epoch: 1, description: 0, opened: nil, saved: 0), of: header)
    }
    for y in 1...9 {
      journal.append(.scroll(to: PartialPoint(y: Double(y)), correction: nil), of: 1 + y % 2, at: nil)
    }
    journal.flush()
    journal.turn(at: 0)
    disk.finish()
    var bytes = try #require(folder.files[1])
    let place = bytes.count - 9 * 32
    // The last one alone may be torn: nothing whole is behind it.
    var torn = bytes
    torn[torn.count - 1] ^= 1
    let stored = try StoredJournal([1: torn])
    #expect(stored.segments[0].torn == 32 && stored["h1"]?.inputs == 4 && stored["h2"]?.inputs == 4)
    bytes[place + 30] ^= 1
    let error = try #require(throws: JournalError.self) { try StoredJournal([1: bytes]) }
    #expect(
      error.description == """
        0000000000000001.journal: byte \(place): the record's checksum is wrong; 32 bytes cannot be read; 8 whole records of 2 \
        headers behind it cannot be used without it
        """)
    let repaired = try StoredJournal([1: bytes], repairs: true)
    #expect(repaired["h1"]?.inputs == 0 && repaired["h2"]?.inputs == 0)
  }

  /// Nothing reads a segment of a later version, nor repairs it, which would lose its headers. A changed byte is damage.
  @Test func aLaterVersionIsNoDamage() throws {
    var head = SegmentHead(number: 1, shard: 0, run: 1).bytes
    head[16] = 3
    #expect(try #require(throws: JournalError.self) { try StoredJournal([1: head]) }.isDamage)
    // The checksum of that.
    head.replaceSubrange(40..<44, with: [0x89, 0x5d, 0xff, 0x8c])
    for repairs in [false, true] {
      let error = try #require(throws: JournalError.self) { try StoredJournal([1: head], repairs: repairs) }
      #expect(!error.isDamage)
      #expect(
        error.description == """
          0000000000000001.journal: byte 16: the segment has version 3, this headerd reads versions 1 to 2: a later headerd \
          wrote it
          """)
    }
  }

  /// What the end of the daemon has marked is there to the last byte, or it is said.
  @Test func theMarkOfAnEndIsChecked() throws {
    let library = try Library(seed: 6, lives: [1], steps: 800)
    let files = library.folder.files
    let names = files.keys.sorted().map { SegmentHead.fileName(of: $0) }
    let mark = CompleteMark(segment: files.keys.max() ?? 0, bytes: files.values.reduce(0) { $0 + $1.count })
    func read(_ mark: [UInt8], _ files: [Int: [UInt8]]) throws -> StoredJournal {
      try StoredJournal(files: names + [CompleteMark.fileName]) { name in
        name == CompleteMark.fileName ? mark : files[SegmentHead.number(inFileName: name) ?? 0] ?? []
      }
    }
    let content = [UInt8](mark.text.utf8)
    #expect(try read(content, files).isComplete)
    for place in content.indices {
      var changed = content
      changed[place] ^= 1
      let stored = try read(changed, files)
      #expect(!stored.isComplete && stored.hasBadMark, "byte \(place)")
    }
    // Cut where a record ends, it looks whole by itself.
    var cut = files
    let last = try #require(files.keys.max())
    var reader = try RecordReader(segment: files[last] ?? [])
    _ = try #require(try reader.next())
    cut[last] = Array((files[last] ?? []).prefix(reader.place))
    #expect(throws: JournalError.self) { try read(content, cut) }
    #expect(throws: Never.self) { try StoredJournal(cut) }
  }

  @Test func namesOfFilesAreStrict() {
    #expect(SegmentHead.number(inFileName: "000000000000001f.journal") == 31)
    for name in [
      "+00000000000000f.journal", "-00000000000000f.journal", "000000000000001F.journal", "0000000000000000.journal",
      "1f.journal", "000000000000001f.journa1", "00000000000000001f.journal", "", ".journal",
      "000000000000001f.journal ",
    ] { #expect(SegmentHead.number(inFileName: name) == nil, "\(name)") }
  }
}
