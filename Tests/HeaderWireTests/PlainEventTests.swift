// SPDX-License-Identifier: MIT
//
// The short road of an event means the same as the long one, and is taken for what is usual.

import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct PlainEventTests {
  /// Both ways of reading `params`; an error is nil.
  private func roads(_ text: String) -> (short: PlainReading?, long: PlainReading?) {
    let line = #"{"method":"event","params":\#(text)}"#
    return (short(line), whole(line))
  }

  /// What the fast decoders read from a line in memory of exactly its size.
  private func short(_ line: String) -> PlainReading? {
    unsafe lending(line) { line in
      var (scroll, event) = (ScrollMessage(), PlainEvent())
      if unsafe scroll.read(line) { return PlainReading(scroll.command) }
      return unsafe event.read(line) ? event.command.flatMap { PlainReading($0) } : nil
    }
  }

  private static func scroll(_ line: UnsafeRawBufferPointer) -> ScrollMessage? {
    var (scroll, event) = (ScrollMessage(), PlainEvent())
    if unsafe scroll.read(line) { return scroll }
    return unsafe event.read(line) && event.isScroll ? event.scroll : nil
  }

  private func lending<Result>(_ line: String, _ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: line.utf8.count, alignment: 1)
    defer { unsafe memory.deallocate() }
    unsafe memory.copyBytes(from: Array(line.utf8))
    return unsafe read(UnsafeRawBufferPointer(memory))
  }

  private func long(_ tree: Value) -> PlainReading? {
    var unknown: [UnknownField] = []
    guard var fields = try? FieldReader(tree, at: Path("params")), let header = try? fields.text("header") as String??
    else {
      return nil
    }
    guard let timed = try? TimedEvent(fields, unknown: &unknown, alsoKnown: ["header"]) else { return nil }
    return PlainReading(header: header, event: timed.value, unknown: unknown.count)
  }

  /// A line's event by the general decoder.
  private func whole(_ line: String) -> PlainReading? {
    unsafe lending(line) { line in
      let command = unsafe Command(unusual: line)
      guard command.method == .event, case .params(let params) = command.body, var reading = long(params) else {
        return nil
      }
      reading.address = command.address
      reading.unknown += command.unknown.count
      return reading
    }
  }

  @Test(arguments: [
    #"{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}"#,
    #"{"event":"didScroll","offset":{"x":-1e3,"y":0}}"#,
    #"{"event":"willBeginDragging","offset":{"x":0},"isTracking":true}"#,
    #"{"event":"willEndDragging","velocity":{"y":-0.8},"targetOffset":{"y":210},"offset":{"y":100}}"#,
    #"{"event":"willEndDragging"}"#,
    #"{"event":"didEndDragging","willDecelerate":false,"isDragging":false,"isDecelerating":true}"#,
    #"{"header":"a","event":"didEndDecelerating","correction":{"y":3}}"#,
    #"{"event":"didScroll","scrollView":"list","offset":{"y":1.5e-7}}"#,
    #"{"event":"didScroll","offset":{"y":1,"x":1}}"#,
    #"{"event":"willScroll","delta":{"y":-12.5},"source":"drag"}"#,
    #"{"event":"didOverscroll","delta":{"x":1,"y":2},"source":"program"}"#,
    #"{"event":"willFling","velocity":{"y":1.25}}"#, #"{"event":"shouldScrollToTop"}"#, #"{"event":"didScrollToTop"}"#,
  ])
  func theUsualTakesTheShortRoad(_ text: String) {
    let (short, long) = roads(text)
    #expect(short != nil)
    #expect(short == long)
    let line = #"{"jsonrpc":"2.0","id":7,"method":"event","params":\#(text)}"#
    for line in [line, spaced(line)] {
      #expect(self.short(line)?.address == .request(.integer(7)), "\(line)")
      #expect(self.short(line) == whole(line), "\(line)")
    }
  }

  @Test(arguments: [
    #"{"event":"didScroll"}"#, #"{"event":"didScroll","offset":{}}"#, #"{"event":"didScroll","offset":{"y":"1"}}"#,
    #"{"event":"didScroll","offset":{"y":1,"z":2}}"#, #"{"event":"didScroll","offset":{"y":1e10}}"#,
    #"{"event":"didScroll","offset":{"y":1},"time":-9.1e9}"#, #"{"event":"didScroll","offset":{"y":2e9}}"#,
    #"{"event":"didScroll","offset":{"y":1},"willDecelerate":true}"#,
    #"{"event":"didEndDragging"}"#, #"{"event":"didscroll","offset":{"y":1}}"#, #"{"event":"willAppear"}"#,
    #"{"offset":{"y":1}}"#, #"[1]"#, #"{"event":"didScroll","offset":null}"#,
    #"{"header":7,"event":"didEndDecelerating"}"#,
    #"{"ev\u0065nt":"didEndDecelerating"}"#, #"{"event":"didEndDecelerating","velocity":{"y":1}}"#,
    #"{"event":"willBeginDragging","offset":{}}"#, #"{"header":"m\u0061in","event":"didEndDecelerating"}"#,
    #"{"header":"ä","event":"didEndDecelerating"}"#, #"{"event":"willScroll","delta":{"y":1}}"#,
    #"{"event":"willScroll","delta":{"y":1},"source":"wheel"}"#, #"{"event":"willFling"}"#,
    #"{"event":"didEndDecelerating","event":"didEndDecelerating"}"#,
  ])
  func theUnusualTakesTheLongRoad(_ text: String) { #expect(roads(text).short == nil) }

  /// The same of a line that is to be a plain scroll.
  private func shortest(_ line: String) -> PlainReading? {
    unsafe lending(line) { line in
      guard let scroll = unsafe Self.scroll(line) else { return nil }
      return PlainReading(scroll.command)
    }
  }

  @Test(arguments: [
    #"{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}"#,
    #"{"event":"didScroll","offset":{"x":-1000,"y":0}}"#, #"{"offset":{"x":4},"event":"didScroll","header":"a"}"#,
    #"{"header":"main","event":"didScroll","offset":{"y":1},"correction":{"y":-3.5},"time":-9000000000}"#,
    #"{"header":"main","event":"didScroll","time":1763690400.1234,"offset":{"y":1}}"#,
    #"{"header":"a.name-of_64.bytes","event":"didScroll","offset":{"x":0.1234567890123456,"y":-0.0}}"#,
  ])
  func aScrollTakesTheShortestRoad(_ params: String) {
    for line in [
      #"{"method":"event","params":\#(params)}"#, #"{"jsonrpc":"2.0","method":"event","params":\#(params)}"#,
    ] {
      for line in [line, spaced(line)] {
        #expect(shortest(line) != nil, "\(line)")
        #expect(shortest(line) == roads(params).long, "\(line)")
      }
    }
  }

  /// A line as Python's json module writes it; no text in it has a colon or a comma.
  private func spaced(_ line: String) -> String {
    line.replacing(":", with: ": ").replacing(",", with: ", ")
  }

  @Test func aLineOfBothStylesMeansTheSame() {
    let line = #"{"method":"event","params":{"header":"a","event":"didScroll","time":1,"offset":{"x":1,"y":1}}}"#
    let wide = spaced(line)
    for index in wide.indices where wide[index] == " " {
      var mixed = wide
      mixed.remove(at: index)
      #expect(shortest(mixed) == shortest(line), "\(mixed)")
      mixed.insert(contentsOf: "  ", at: index)
      #expect(shortest(mixed) == nil, "\(mixed)")
    }
    for index in line.indices where line[index] == ":" || line[index] == "," {
      var mixed = line
      mixed.insert(" ", at: line.index(after: index))
      #expect(shortest(mixed) == shortest(line), "\(mixed)")
    }
  }

  @Test(arguments: ["0", "7", "10", "123456789012345"])
  func aWholeNumberIsAnID(_ id: String) {
    for line in [
      #"{"id":\#(id),"method":"event","params":{"event":"didScroll","offset":{"y":1}}}"#,
      #"{"method":"event","params":{"event":"didScroll","offset":{"y":1}},"id":\#(id)}"#,
    ] {
      #expect(short(line)?.address == .request(.integer(Int(id) ?? -1)))
      #expect(short(line) == whole(line))
    }
  }

  @Test(arguments: ["-1", "01", "00", "1.0", "1e2", "1234567890123456", #""a""#, "null", "true", "", "1 "])
  func anyOtherIDIsLeftToTheLongRoad(_ id: String) {
    #expect(short(#"{"id":\#(id),"method":"event","params":{"event":"willEndDragging"}}"#) == nil)
    #expect(short(#"{"method":"event","params":{"event":"willEndDragging"},"id":\#(id)}"#) == nil)
  }

  @Test(arguments: [
    #"{"method":"ping","params":{"event":"willEndDragging"}}"#, #"{"method":"event"}"#,
    #"{"params":{"event":"willEndDragging"}}"#, #"{"method":"event","params":{"event":"willEndDragging"},"more":1}"#,
    #"{"method":"event","params":{"event":"willEndDragging"},"method":"event"}"#,
    #"{"jsonrpc":"1.0","method":"event","params":{"event":"willEndDragging"}}"#,
    #"{"method":"event","params":{"event":"willEndDragging"}}}"#,
    #"{"method":"event","params":{"event":"willEndDragging"},}"#,
    #"{"id":1,"id":1,"method":"event","params":{"event":"willEndDragging"}}"#,
  ])
  func otherEnvelopesAreLeftToTheLongRoad(_ line: String) { #expect(short(line) == nil) }

  @Test(arguments: [
    #"{"header":"ä","event":"didScroll","offset":{"y":1}}"#,
    #"{"header":"a\u0062","event":"didScroll","offset":{"y":1}}"#,
    #"{"event":"didScroll","offset":{"y":01}}"#, #"{"event":"didScroll","offset":{"y":1.}}"#,
    #"{"event":"didScroll","offset":{"y":.5}}"#, #"{"event":"didScroll","offset":{"y":-}}"#,
    #"{"event":"didScroll","offset":{"y":1e}}"#, #"{"event":"didScroll","offset":{"y":1,"y":1}}"#,
    #"{"event":"didScroll","offset":{"y":1e10}}"#, #"{"event":"didScroll","offset":{"y":1000000000.5}}"#,
    #"{"event":"didScroll","time":9000000000.5,"offset":{"y":1}}"#,
    #"{"event":"didScroll","offset":{"y":}}"#, #"{"event":"didScroll","offset":{"y":  1}}"#,
    #"{"event":"didScroll","offset":{}}"#, #"{"event":"didScroll" ,"offset":{"y":1}}"#,
    #"{"event":"didScroll","offset":{"y":1}}}"#, #"{"event":"didScroll","offset":{"y":1}"#,
    #"{"event":"didScroll","time":1,"time":1,"offset":{"y":1}}"#, #"{"event":"didScroll"}"#,
  ])
  func otherScrollsAreLeftToTheOtherRoads(_ params: String) {
    let line = #"{"method":"event","params":\#(params)}"#
    #expect(shortest(line) == nil)
    #expect(shortest(spaced(line)) == nil)
  }

  /// Numbers of all shapes, cut off anywhere: the shortest road reads the bits that the reader reads, or nothing.
  @Test(arguments: UInt64(0)..<4) func numbersMeanTheSame(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func digits(_ most: Int) -> String {
      String((0..<random.below(most + 1)).map { _ in "00123456789".randomElement(using: &random) ?? "0" })
    }
    var taken = 0
    for _ in 0..<3_000 {
      let texts = (0..<2).map { _ in
        (random.oneIn(3) ? "-" : "")
          + (random.oneIn(4) ? digits(11) : "\(random.below(random.oneIn(3) ? 9_500_000_000 : 2_000_000))")
          + (random.oneIn(4) ? "" : "." + digits(random.oneIn(3) ? 19 : 6))
          + (random.oneIn(9) ? "e\(random.below(9))" : "")
      }
      var line = #"{"method":"event","params":{"event":"didScroll","time":\#(texts[0]),"offset":{"y":\#(texts[1])}}}"#
      if random.oneIn(2) { line = spaced(line) }
      let read = unsafe bits(line) { line in
        guard let scroll = unsafe Self.scroll(line) else { return nil }
        return scroll.timed
      }
      guard let short = read else { continue }
      taken += 1
      let long = unsafe bits(line) { bytes in
        var found: TimedEvent?
        try? unsafe Envelope.read(bytes) { envelope in
          var unknown: [UnknownField] = []
          found = try? TimedEvent(envelope.paramsTree(), unknown: &unknown)
        }
        return found
      }
      #expect(short == long, "\(line)")
    }
    #expect(taken > 1_000)
  }

  /// The time and the offset of a line by some road, bit for bit; the line lies in memory of exactly its size.
  private func bits(_ line: String, _ read: (UnsafeRawBufferPointer) -> TimedEvent?) -> [UInt64?]? {
    unsafe lending(line, read).map { timed in
      [timed.time.map { UInt64(bitPattern: $0.nanoseconds) }, timed.event.offset?.y?.bitPattern]
    }
  }

  /// Each byte changed, left out or doubled: the short road reads it as the long one does, or leaves it to that.
  @Test(arguments: [
    #"{"method":"event","params":{"header":"a","event":"didScroll","time":1.25,"offset":{"x":0.5,"y":12.5},"correction":{"y":1}}}"#,
    #"{"id":7,"method":"event","params":{"event":"willEndDragging","velocity":{"y":0.8},"targetOffset":{"y":21}}}"#,
    #"{"method":"event","params":{"event":"didEndDragging","willDecelerate":true,"isTracking":false},"id":12}"#,
    #"{"jsonrpc":"2.0","method":"event","params":{"event":"willScroll","delta":{"y":1e1},"source":"fling","scrollView":"b"}}"#,
  ])
  func theShortRoadMeansTheSame(_ text: String) {
    let line = Array(text.utf8)
    var taken = 0
    for place in line.indices {
      for byte in Array(#" "\{}[],:.-0aeE+"#.utf8) + [0, 0x80] {
        for changed in [
          line[..<place] + [byte] + line[(place + 1)...], line[..<place] + line[(place + 1)...],
          line[..<place] + [line[place]] + line[place...],
        ] {
          let text = String(decoding: changed, as: UTF8.self)
          guard Array(text.utf8) == Array(changed), let short = short(text) else { continue }
          taken += 1
          let long = whole(text)
          if short != long { Issue.record("\(text): \(short), \(String(describing: long))") }
        }
      }
    }
    #expect(taken > 50)
  }

  @Test func bothRoadsMeanTheSame() {
    let kinds = [
      "didScroll", "willBeginDragging", "willEndDragging", "didEndDragging", "willBeginDecelerating",
      "didEndDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop", "willScroll",
      "didOverscroll", "willFling", "willAppear", "layout", "didScrol",
    ]
    let values = [
      "1", "-0.5", "1e9", "1.0000001e9", "9e9", "-9.0000001e9", "1763690400.1234", "true", "false", "null", "\"a\"",
      "{}", #"{"y":1}"#, #"{"x":0.25,"y":-7}"#,
    ]
    let names = [
      "header", "time", "offset", "correction", "velocity", "targetOffset", "willDecelerate", "isTracking",
      "isDragging", "isDecelerating", "scrollView", "delta", "source", "ofset",
    ]
    var random = SplitMix64(seed: 7)
    var short = 0
    for _ in 0..<20_000 {
      var fields = ["\"event\":\"\(kinds.randomElement(using: &random) ?? "")\""]
      for name in names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
        // Mostly a value that fits, so that the short road is walked, too.
        let fitting =
          switch name {
          case "header", "scrollView": "\"a\""
          case "time": "0.125"
          case "source": "\"fling\""
          case "offset", "correction", "velocity", "targetOffset", "delta": #"{"y":2.5}"#
          default: "true"
          }
        let fits = Int.random(in: 0..<4, using: &random) > 0
        fields.append("\"\(name)\":\(fits ? fitting : values.randomElement(using: &random) ?? "")")
      }
      let text = "{\(fields.shuffled(using: &random).joined(separator: ","))}"
      let roads = roads(text)
      guard roads.short != nil else { continue }
      short += 1
      if roads.short != roads.long { Issue.record("\(text): \(roads)") }
    }
    #expect(short > 2_000)
  }
}

/// What one of the roads made of the parameters.
private struct PlainReading: Equatable {
  var address = ReplyAddress.notification
  var header: String?
  var event: Value.Record
  var unknown = 0
}

extension PlainReading {
  /// nil when it is no event that was read already.
  init?(_ command: Command) {
    guard command.method == .event, case .event(let timed) = command.body else { return nil }
    self.init(address: command.address, event: timed.value, unknown: command.unknown.count)
    if case .name(let name) = command.header { header = name }
  }
}
