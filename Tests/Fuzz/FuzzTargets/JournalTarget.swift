// SPDX-License-Identifier: MIT
//
// The segments of a journal, read, repaired and written anew, and a daemon that goes on with them. What must hold: a reader that
// repairs takes anything; what it writes anew is the same headers; what a daemon has restored, the next one restores from what the
// first has written.
//
//     0: bytes as they are │ 1: with right checksums │ else: which seed, and what is spoiled in it

internal import Clocks
internal import HeaderHost
internal import HeaderJournal
internal import HeaderModel
internal import HeaderTestKit
internal import HeaderTrace
internal import JournalTestKit
package import PluginHost

package final class JournalTarget: FuzzTarget {
  package static let name = "journal"
  private let plugins: PluginRegistry
  private let models: [[Int: [UInt8]]]

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    models = try (0..<UInt8(CommandsTarget.arrangements.count)).map { try Self.journal($0, plugins) }
  }

  /// What a daemon has written.
  private static func journal(_ seed: UInt8, _ plugins: PluginRegistry) throws -> [Int: [UInt8]] {
    let folder = SimulatedFolder()
    var random = SplitMix64(seed: UInt64(seed) + 1)
    for life in 0..<2 {
      let talk = Conversation(FuzzPlugins(plugins))
      _ = talk.keepJournal(in: folder, try folder.read(), goesOn: life == 0)
      var bytes = FuzzBytes([seed, 0xf1] + (0..<80).map { _ in UInt8(random.below(256)) })
      try ConversationScript(plugins).follow(&bytes, in: talk)
      talk.pass(0.2)
    }
    return folder.files
  }

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    let rest = Array(input.dropFirst())
    let files =
      switch input.first {
      case 0: Segments.cut(rest)
      case 1: Segments.cut(rest).mapValues(Segments.sealed)
      default: spoiled(input)
      }
    let isGood = (try? StoredJournal(files)) != nil
    let stored: StoredJournal
    do { stored = try StoredJournal(files, repairs: true) } catch { throw FuzzFinding("not repaired: \(error)") }
    guard isGood == stored.damages.isEmpty else { throw FuzzFinding("damaged for one reader alone") }
    for header in stored.headers { try checkRecords(of: header) }
    try goOn(with: try writtenAnew(stored))
    return files.count
  }

  private func checkRecords(of header: StoredHeader) throws(FuzzFinding) {
    var (records, read) = (header.records, 0)
    while let record = try? records.next() {
      if case .restarted = record.content { continue }
      read += 1
    }
    guard read <= header.inputs else { throw FuzzFinding("\(read) inputs of \(header.inputs)") }
  }

  /// The journal as `headerctl journal repair` leaves it.
  private func writtenAnew(_ stored: StoredJournal) throws(FuzzFinding) -> SimulatedFolder {
    func rows(_ stored: StoredJournal) -> [String] {
      stored.headers.map { "\($0.number) \($0.name) \($0.epoch) \($0.inputs) \($0.size)" }
    }
    let (head, bytes) = stored.compacted()
    guard let again = try? StoredJournal([head.number: bytes]) else {
      throw FuzzFinding("what was written anew is damaged")
    }
    guard rows(again) == rows(stored) else { throw FuzzFinding("anew: \(rows(again)), before: \(rows(stored))") }
    return SimulatedFolder([head.number: bytes])
  }

  /// A daemon goes on with the headers, and another one after it.
  private func goOn(with folder: SimulatedFolder) throws(FuzzFinding) {
    var before: Set<String> = []
    for life in 0..<2 {
      guard let stored = try? folder.read() else { throw FuzzFinding("what a daemon has written is damaged") }
      let talk = Conversation(FuzzPlugins(plugins))
      let back = talk.keepJournal(in: folder, stored, goesOn: life == 0)
      guard back.isSuperset(of: before) else {
        throw FuzzFinding("not restored again: \(before.subtracting(back).sorted())")
      }
      talk.exercise(back.sorted())
      try talk.look()
      before = back
    }
  }

  private func spoiled(_ choices: [UInt8]) -> [Int: [UInt8]] {
    var bytes = FuzzBytes(choices)
    var files = bytes.pick(models)
    for _ in 0..<1 + bytes.below(3) {
      let number = bytes.pick(files.keys.sorted())
      files[number] = files[number].map { Segments.spoiled($0, &bytes) }
    }
    return files
  }

  package func seeds() throws -> [[UInt8]] {
    models.flatMap { files -> [[UInt8]] in
      let whole = files.sorted { $0.key < $1.key }.flatMap(\.value)
      return [[0] + whole, [1] + whole]
    } + choices(64)
  }

  package var words: [String] {
    Corpus.wireWords + ["headerd-journal\n", "\"header\":", "\"epoch\":", "\"opened\":", "\"saved\":", "\"user\":"]
  }
}

/// Segments as bytes.
private enum Segments {
  private static let magic = Array("headerd-journal\n".utf8)
  /// Bytes of a record before its payload.
  private static let headSize = 24

  /// What the head says; nil: there is none.
  private static func number(of file: [UInt8]) -> Int? {
    guard file.count >= SegmentHead.size else { return nil }
    let number = file[24..<32].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return number > 0 && number < 1 << 62 ? Int(number) : nil
  }

  /// Divides bytes where segments begin.
  static func cut(_ bytes: [UInt8]) -> [Int: [UInt8]] {
    var starts = bytes.indices.filter { bytes[$0] == magic[0] && bytes[$0...].starts(with: magic) }
    if starts.first != 0 { starts.insert(0, at: 0) }
    var files: [Int: [UInt8]] = [:]
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      let file = Array(bytes[start..<end])
      // Named as its head says, if there is one.
      files[number(of: file) ?? index + 1] = file
    }
    return files
  }

  /// Where the records are, and what is left behind them.
  private static func records(_ file: [UInt8]) -> [Range<Int>] {
    var (ranges, place) = ([Range<Int>](), SegmentHead.size)
    while place + headSize <= file.count {
      let size = file[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size >= headSize, size <= file.count - place else { break }
      ranges.append(place..<place + size)
      place += size
    }
    return ranges
  }

  /// The same with right checksums.
  static func sealed(_ file: [UInt8]) -> [UInt8] {
    guard let number = number(of: file) else { return file }
    var result = file
    let (shard, run) = (Int(file[20]) % 64, min(Int(file[32]), number))
    result.replaceSubrange(..<SegmentHead.size, with: SegmentHead(number: number, shard: shard, run: run).bytes)
    for range in records(file) {
      var record = Array(file[range])
      record.seal(from: 0, segment: number)
      result.replaceSubrange(range, with: record)
    }
    return result
  }

  /// The same with some of its records spoiled.
  static func spoiled(_ file: [UInt8], _ bytes: inout FuzzBytes) -> [UInt8] {
    let ranges = records(file)
    guard !ranges.isEmpty else { return file }
    var parts = ranges.map { Array(file[$0]) }
    let index = bytes.below(min(65_536, parts.count))
    switch bytes.below(8) {
    case 0: parts.remove(at: index)
    case 1: parts.insert(parts[index], at: bytes.below(min(65_536, parts.count + 1)))
    case 2: parts.swapAt(index, bytes.below(min(65_536, parts.count)))
    case 3: parts[index][8 + bytes.below(8)] = UInt8(bytes.below(12))
    case 4: parts[index].replaceSubrange(16..<24, with: FrameBytes.integer(bytes.bits(), 8))
    case 5 where parts[index].count >= 32:
      parts[index].replaceSubrange(24..<32, with: FrameBytes.integer(bytes.number().bitPattern, 8))
    default: spoilText(in: &parts[index], &bytes)
    }
    let result = sealed(Array(file[..<SegmentHead.size]) + parts.joined())
    return bytes.below(8) == 7 ? result.dropLast(bytes.below(40)) : result
  }

  private static func spoilText(in record: inout [UInt8], _ bytes: inout FuzzBytes) {
    guard let value = try? Value(json: Array(record[headSize...])) else { return }
    record.replaceSubrange(headSize..., with: Array(value.spoiledText(&bytes).utf8))
    record.replaceSubrange(0..<4, with: FrameBytes.integer(UInt64(record.count), 4))
  }
}
