// SPDX-License-Identifier: MIT
//
// The two roads of an event in a frame mean the same, whatever bits are set and whatever the numbers are; and bytes that do
// not add up are refused.

import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct EventFrameTests {
  /// An EVENT frame around one event's bytes.
  static func frame(_ event: [UInt8], count: UInt8 = 1, kind: UInt8 = 2, id: UInt8 = 9) -> [UInt8] {
    let head = bytes(of: 32 + event.count) + [kind, 0, 0, 0]
    return head + [id, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, count, 0, 0, 0, 0, 0, 0, 0] + event
  }

  private static func bytes(of size: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } }

  /// Lends the events of a frame, in memory of exactly its size.
  static func reading<Result>(
    _ bytes: [UInt8], _ body: (inout EventFrame) throws(HeaderError) -> Result
  ) throws -> Result {
    try lending(bytes) { frame in
      var events = try frame.isEvent ? frame.event() : frame.events()
      return try body(&events)
    }
  }

  private static func lending<Result>(_ bytes: [UInt8], _ body: (Frame) throws -> Result) throws -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe memory.deallocate() }
    unsafe memory.copyBytes(from: bytes)
    var splitter = MessageSplitter(limit: 1 << 22)
    var cursor = 0
    _ = unsafe try MessageSplitterTests.opening.withUnsafeBytes {
      try unsafe splitter.next(in: $0, from: &cursor) != nil
    }
    cursor = 0
    guard case .frame(let frame)? = try unsafe splitter.next(in: UnsafeRawBufferPointer(memory), from: &cursor) else {
      throw HeaderError(.internalError, "the test's frame is cut off")
    }
    return try body(frame)
  }

  /// What the short road and the long one make of an event; nil where the short one does not go.
  private func roads(_ event: [UInt8]) throws -> (short: Value.Record?, long: Value.Record) {
    try Self.reading(Self.frame(event)) { (events) throws(HeaderError) in
      guard let record = try events.next() else { throw HeaderError(.internalError, "no event") }
      _ = try events.next()
      var unknown: [UnknownField] = []
      let fields = try record.fields(at: Path("params"))
      var timed = try? TimedEvent(.record(fields), unknown: &unknown)
      if let time = record.time { timed?.time = time }
      let long = timed?.value ?? Value.Record()
      // What was there before leaves no trace.
      var short = TimedEvent(
        ScrollEvent(
          .didEndDragging(willDecelerate: true), scrollView: "old", offset: PartialPoint(x: 7),
          correction: PartialPoint(y: 7),
          isTracking: true, isDragging: true, isDecelerating: true), time: Instant(nanoseconds: 7))
      return (record.read(into: &short) ? short.value : nil, unknown.isEmpty ? long : Value.Record())
    }
  }

  @Test(arguments: UInt64(0)..<8) func theRoadsMeanTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var shorts = 0
    for _ in 0..<3_000 {
      let event = Self.event(&random)
      let (short, long) = try roads(event)
      guard let short else { continue }
      shorts += 1
      #expect(short == long, "\(event)")
    }
    #expect(shorts > 300)
  }

  /// The shortest road goes wherever a scroll has nothing unusual, and nowhere else, and reads what the others read.
  @Test(arguments: UInt64(20)..<24) func theShortestRoadMeansTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var taken = 0
    for _ in 0..<2_000 {
      var event = Self.event(&random)
      if random.oneIn(2) { event[6] = 1 }
      if random.oneIn(2) { (event[4], event[5]) = (event[4] & 7, 0) }
      if random.oneIn(8) { event[0] = UInt8(random.below(90)) }
      let count = random.oneIn(20) ? UInt8(random.below(3)) : 1
      let (kind, id) = (random.oneIn(20) ? UInt8(random.below(9)) : 2, UInt8(random.oneIn(20) ? 9 : 0))
      let frame = Self.frame(event, count: count, kind: kind, id: id)
      let shortest = try Self.lending(frame) { ScrollMessage(frame: $0).map { ($0.command, $0.timed) } }
      guard let (command, timed) = shortest else { continue }
      taken += 1
      guard case .handle(1) = command.header, id == 0, count == 1 else {
        Issue.record("\(frame)")
        continue
      }
      let roads = try roads(event)
      #expect(timed.value == roads.short && timed.value == roads.long, "\(event)")
    }
    #expect(taken > 50)
  }

  @Test func aUsualScrollTakesTheShortestRoad() throws {
    #expect(try Self.lending(Self.frame(Self.plain, id: 0)) { ScrollMessage(frame: $0) != nil })
    #expect(try Self.lending(Self.frame(Self.plain)) { ScrollMessage(frame: $0) == nil })
    #expect(try Self.lending(Self.frame(Self.plain + [0], id: 0)) { ScrollMessage(frame: $0) == nil })
    #expect(try Self.lending(Self.frame(Self.plain, kind: 3, id: 0)) { ScrollMessage(frame: $0) == nil })
    #expect(try Self.lending(Self.frame(Self.plain, count: 2, id: 0)) { ScrollMessage(frame: $0) == nil })
  }

  /// Any bits, numbers of all sorts, sometimes a scroll view.
  private static func event(_ random: inout SplitMix64) -> [UInt8] {
    let isLong = Bool.random(using: &random)
    let kind = UInt8.random(in: 0..<(Bool.random(using: &random) ? 7 : 30), using: &random)
    var given = UInt16.random(in: 0..<(isLong ? 1 << 14 : 1 << 7), using: &random)
    if Bool.random(using: &random) { given &= 0b0000_0001_1011_1111 }
    let name = isLong && Bool.random(using: &random) ? Array("content".utf8) : []
    var bytes: [UInt8] = [UInt8(isLong ? 88 + name.count : 32), 0, 0, 0]
    bytes += [UInt8(given & 255), UInt8(given >> 8), kind, UInt8.random(in: 0..<16, using: &random)]
    // Of any origin, and beyond what is a time.
    bytes += Self.bytes(random.oneIn(2) ? random.next() : UInt64(1_763_690_400 + random.below(1000)) * 1_000_000_000)
    for _ in 0..<(isLong ? 8 : 2) { bytes += Self.bytes(number(&random).bitPattern) }
    guard isLong else { return bytes }
    return bytes + [UInt8.random(in: 0..<4, using: &random), UInt8(name.count), 0, 0, 0, 0, 0, 0] + name
  }

  private static func number(_ random: inout SplitMix64) -> Double {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .nan
    case 1: -.infinity
    case 2: 2e9
    case 3: -0.0
    default: Double.random(in: -1e9...1e9, using: &random)
    }
  }

  private static func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private static let plain: [UInt8] = [32, 0, 0, 0, 5, 0, 1, 0] + [UInt8](repeating: 0, count: 24)

  /// The message of the refusal, and how many events came before it.
  private func refusal(_ frame: [UInt8]) -> String {
    var count = 0
    do {
      try Self.reading(frame) { (events) throws(HeaderError) in
        while try events.next() != nil { count += 1 }
      }
      return "\(count) events"
    } catch let error as HeaderError {
      return "\(count) events, \(error.name.rawValue): \(error.message), byte \(error.facts["byte"]?.brief ?? "none")"
    } catch let error as EnvelopeRefusal {
      return "\(error.address), \(error.error.name.rawValue): \(error.error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test func bytesThatDoNotAddUp() {
    let plain = Self.plain
    var short = plain
    short[0] = 31
    var long = plain
    long[0] = 88
    var more = long + [UInt8](repeating: 0, count: 56)
    more[81] = 1
    #expect(refusal(Self.frame(plain + plain, count: 2, kind: 3)) == "2 events")
    #expect(
      refusal(Self.frame(plain, count: 2)).hasPrefix(
        "frame(9), parseError: an EVENT frame has one event, its count says 2"))
    #expect(
      refusal(Self.frame(plain + plain)) == "1 events, parseError: 32 bytes follow the frame's last event, byte 64")
    #expect(
      refusal(Self.frame(plain, count: 2, kind: 3))
        == "1 events, parseError: the frame ends inside an event: 0 bytes are left, and 1 events by its count, byte 64")
    #expect(
      refusal(Self.frame(Array(plain[..<31])))
        == "0 events, parseError: the frame ends inside an event: 31 bytes are left, and 1 events by its count, byte 32"
    )
    #expect(refusal(Self.frame(long)).contains("the frame ends inside an event: 32 bytes are left"))
    for wrong in [short, more] {
      #expect(refusal(Self.frame(wrong)).contains("an event has 32 bytes, or 88 and those of its scroll view's name"))
    }
    #expect(
      refusal(Array(Self.frame(plain)[..<20]).replacing(0, by: 20))
        == "frame(9), parseError: a frame of kind 2 (EVENT) has at least 32 bytes, got 20")
  }

  @Test func eventsOfABatchAreCountedFrom0() throws {
    let events = (1...3).map { kind in Self.plain.replacing(6, by: UInt8(kind)) }
    let command = try Self.lending(Self.frame(events.flatMap(\.self), count: 3, kind: 3)) { Command(frame: $0) }
    guard case .events(let batch) = command.body else {
      Issue.record("no batch: \(command.body)")
      return
    }
    var told: [String] = []
    try batch.forEach { (record, place) throws(HeaderError) in
      told.append("\(place) \(try record.fields(at: Path("params"))["event"]?.brief ?? "none")")
    }
    #expect(batch.isBatch && batch.count == 3)
    #expect(told.map { String($0.prefix(1)) } == ["0", "1", "2"] && Set(told.map { $0.dropFirst(2) }).count == 3)
  }

  /// What an event's own bytes have no place for stands in the JSON behind it.
  @Test func furtherFieldsAreJSON() throws {
    let json = Array(#"{"reason":"content"}"#.utf8)
    var event = Self.plain + [UInt8](repeating: 0, count: 56) + json
    (event[0], event[84]) = (UInt8(88 + json.count), UInt8(json.count))
    #expect(try roads(event).long["reason"] == "content" && roads(event).short == nil)
  }

  /// Members of the JSON are compared with the event's own, not with one another: a message full of them takes no minutes.
  @Test func manyFurtherFields() throws {
    let json = Array("{\((0..<200_000).map { "\"m\($0)\":0" }.joined(separator: ","))}".utf8)
    var event = Self.plain + [UInt8](repeating: 0, count: 56) + json
    event.replaceSubrange(0..<4, with: Self.bytes(of: 88 + json.count))
    event.replaceSubrange(84..<88, with: Self.bytes(of: json.count))
    let last = try Self.reading(Self.frame(event)) { (events) throws(HeaderError) -> Value? in
      try events.next()?.fields(at: Path("params"))["m199999"]
    }
    #expect(last == 0)
  }

  /// A kind that nobody knows is told as such, with those that there are.
  @Test func kindsThatNobodyKnows() throws {
    let error = #expect(throws: HeaderError.self) {
      try Self.reading(Self.frame(Self.plain.replacing(6, by: 77))) { (events) throws(HeaderError) in
        var unknown: [UnknownField] = []
        guard let record = try events.next() else { return }
        _ = try TimedEvent(.record(record.fields(at: Path("params"))), unknown: &unknown)
      }
    }
    let message = error?.message ?? ""
    #expect(
      message.contains("expected one of \"willBeginDragging\", \"didScroll\"") && message.hasSuffix("got 77"),
      "\(message)")
  }

  @Test func namesMustBeText() throws {
    var long = Self.plain + [UInt8](repeating: 0, count: 56) + [0xC3]
    long[0] = 89
    long[81] = 1
    #expect(throws: HeaderError.self) { try roads(long) }
  }
}

extension [UInt8] {
  fileprivate func replacing(_ index: Int, by byte: UInt8) -> [UInt8] {
    var copy = self
    copy[index] = byte
    return copy
  }
}
