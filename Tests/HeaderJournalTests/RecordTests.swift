// SPDX-License-Identifier: MIT
//
// The journal's bytes: what is written is read again, and what was changed afterwards is found.

import Clocks
import HeaderModel
import HeaderTestKit
import JournalTestKit
import Testing

import HeaderJournal

@Suite struct RecordTests {
  /// What a record of a scroll says.
  private struct Scroll: Equatable {
    var header: Int
    var time: Instant?
    var offset: PartialPoint
    var correction: PartialPoint?
  }

  private static func segment(_ count: Int, _ random: inout SplitMix64) -> (bytes: [UInt8], inputs: [Scroll]) {
    var bytes = SegmentHead(number: 7, shard: 2, run: 3).bytes
    var inputs: [Scroll] = []
    for index in 0..<count {
      let time = random.oneIn(4) ? nil : Instant(nanoseconds: Int64(index) * 16_666_667)
      func part() -> Double? { random.oneIn(3) ? nil : Double.random(in: -1e6...1e6, using: &random) }
      let offset = PartialPoint(x: part(), y: part())
      let correction = random.oneIn(2) ? nil : PartialPoint(x: part(), y: part())
      bytes.appendScroll(to: offset, correction: correction, header: index + 1, time: time, segment: 7)
      inputs.append(Scroll(header: index + 1, time: time, offset: offset, correction: correction))
    }
    return (bytes, inputs)
  }

  private static func read(_ bytes: [UInt8]) -> (inputs: [Scroll], damage: JournalDamage?) {
    var inputs: [Scroll] = []
    do {
      var reader = try RecordReader(segment: bytes, number: 7)
      while let record = try reader.next() {
        guard case .input(.scroll(let offset, let correction)) = record.content else { continue }
        inputs.append(Scroll(header: record.header, time: record.time, offset: offset, correction: correction))
      }
      return (inputs, nil)
    } catch {
      return (inputs, error)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func scrollsAreReadAsTheyWereWritten(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (bytes, inputs) = Self.segment(50, &random)
    let read = Self.read(bytes)
    #expect(read.inputs == inputs)
    #expect(read.damage == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func aCutSegmentIsReadUpToTheCut(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (bytes, inputs) = Self.segment(20, &random)
    for cut in SegmentHead.size..<bytes.count {
      let read = Self.read(Array(bytes[..<cut]))
      #expect(read.inputs == Array(inputs.prefix(read.inputs.count)))
      if let damage = read.damage { #expect(damage.kind == .shortRecord) }
    }
  }

  /// No single changed bit goes unnoticed, and nothing before it is lost.
  @Test(arguments: 1...5 as ClosedRange<UInt64>) func aChangedBitIsFound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (bytes, inputs) = Self.segment(10, &random)
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let read = Self.read(changed)
      #expect(read.damage != nil, "byte \(place)")
      #expect(read.inputs == Array(inputs.prefix(read.inputs.count)))
    }
  }

  @Test func otherBytesAreRefused() {
    #expect(Self.read([]).damage?.kind == .shortHead)
    #expect(Self.read([UInt8](repeating: 0, count: 64)).damage?.kind == .notAJournal)
    var random = SplitMix64(seed: 1)
    var (bytes, _) = Self.segment(3, &random)
    bytes.replaceSubrange(..<SegmentHead.size, with: SegmentHead(number: 8, shard: 2, run: 3).bytes)
    #expect(Self.read(bytes).damage?.kind == .wrongName)
    bytes[24] = 9
    #expect(Self.read(bytes).damage?.kind == .headChecksum)
  }

  /// Each kind of input, in the form that it is read in again.
  @Test func allInputsAreReadAgain() throws {
    let inputs: [HeaderInput] = [
      .event(
        ScrollEvent(
          .willEndDragging(velocity: Point(x: 0, y: 1.5), targetOffset: PartialPoint(y: 12)), offset: PartialPoint(y: 3)
        )),
      .event(ScrollEvent(.advance(frameDuration: nil))), .event(ScrollEvent(.advance(frameDuration: 0.25))),
      .event(ScrollEvent(.didScroll, scrollView: "aside", offset: PartialPoint(y: 3))),
      .event(ScrollEvent(.call(name: "expand", arguments: ["animated": false], delegate: nil))),
      .configure(["frameRate": 30]), .removeDelegate("guard"), .moveDelegate("guard", to: 2),
      .addDelegate(DelegateDescription(behavior: "ShyNavBar", options: ["stickyNavigationBar": true]), at: 1),
      .reloadDelegate("shy", plugin: "ShyNavBar"), .unloadDelegate("shy", plugin: "ShyNavBar"),
      .answer(.late("too late")), .answer(.passedOver("gone")), .answer(.answer(["verdict": "pass"])),
    ]
    let folder = SimulatedFolder()
    let disk = SimulatedDisk(folder)
    let journal = ShardJournal(shard: 0, settings: JournalSettings(), numbers: JournalNumbers(), disk: disk)
    let time = Instant(nanoseconds: 1_234_567_891)
    for input in inputs { journal.append(input, of: 5, at: time) }
    journal.turn(at: 1_000_000_000)
    disk.finish()
    #expect(disk.step == nil)
    let bytes = try #require(folder.files[1])
    var reader = try RecordReader(segment: bytes)
    for input in inputs {
      let record = try #require(try reader.next())
      #expect(record.header == 5)
      #expect(record.time == time)
      guard case .input(let read) = record.content else {
        Issue.record("\(record)")
        continue
      }
      #expect("\(read.recorded(at: time))" == "\(input.recorded(at: time))")
    }
    #expect(try reader.next() == nil)
  }
}
