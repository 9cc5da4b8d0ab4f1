// SPDX-License-Identifier: MIT
//
// Time: timers and completions in their order, frames at their computed times, the first event that sets the clock, the
// layout passes and the work put off to after an event.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ScheduleTests {
  /// A bench whose delegates write down when something of theirs runs.
  static func bench(_ names: [String] = ["A"], _ describe: @escaping (inout HeaderDescription) -> Void = { _ in })
    throws -> (Bench, Log)
  {
    let log = Log()
    let bench = try Bench(
      names, describe: describe,
      prepare: { probe in
        probe.timing = { probe, token, header in log.add(probe, "timer \(token)", header) }
        probe.completing = { probe, token, header in log.add(probe, "completion \(token)", header) }
        probe.framing = { probe, duration, header in log.add(probe, "frame", header) }
        probe.layingOut = { probe, header in log.add(probe, "layout", header) }
        probe.working = { probe, token, header in log.add(probe, "work \(token)", header) }
        probe.receiving = { probe, event, _, header in log.add(probe, "\(event.kind)", header) }
      })
    return (bench, log)
  }

  /// What ran, and at which millisecond of header time.
  final class Log {
    var lines: [String] = []
    func add(_ probe: Probe, _ what: String, _ header: Header) {
      lines.append("\(header.now.nanoseconds / 1_000_000) \(probe.name) \(what)")
    }
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  @Test func `timers and completions run before the event, by due time, then by start`() throws {
    let (bench, log) = try Self.bench(["A", "B"])
    try bench.act(1, at: 10) { probe, header in try header.startTimer(4, after: 0.2, by: probe) }
    try bench.act(0) { probe, header in
      try header.startTimer(1, after: 0.3, by: probe)
      try header.animate(duration: 0.1, delay: 0.1, curve: .linear, token: 2, by: probe)
      try header.startTimer(3, after: 0.2, by: probe)
      try header.startTimer(5, after: 0.1, by: probe)
      header.cancelTimer(5, by: probe)
    }
    #expect(bench.header.nextDue == Instant(seconds: 10.2))
    try bench.send(.didScroll, y: 1, at: 10.1999)
    try bench.send(.didScroll, y: 1, at: 10.2)
    try bench.send(.didScroll, y: 1, at: 11)
    #expect(
      log.take() == [
        "10199 a didScroll", "10199 b didScroll", "10200 b timer 4", "10200 a completion 2", "10200 a timer 3",
        "10200 a didScroll", "10200 b didScroll", "11000 a timer 1", "11000 a didScroll", "11000 b didScroll",
      ])
    #expect(bench.header.nextDue == nil)
  }

  @Test func `what timers do belongs to the event's state`() throws {
    let (bench, _) = try Self.bench()
    bench[0].timing = { probe, _, header in try header.setValue(0, .number(5), by: probe) }
    try bench.act(at: 0) { probe, header in try header.startTimer(1, after: 1, by: probe) }
    bench[0].receiving = { probe, _, _, header in try header.setContentOffset(Point(x: 0, y: 9), of: 0, by: probe) }
    try bench.send(.didScroll, y: 1, at: 2)
    #expect(bench.states.count == 1)
    #expect(bench.state.values[0].content == .number(5) && bench.state.scrollViews[0].correction.y == 8)
  }

  @Test func `frames happen at start plus k over the rate, and a frame due at an event's instant comes after it`()
    throws
  {
    let (bench, log) = try Self.bench(["A"]) { $0.frameRate = 100 }
    try bench.act(at: 5) { probe, header in header.startFrames(by: probe) }
    #expect(bench.state.framesActive)
    try bench.send(.didScroll, y: 1, at: 5.02)
    try bench.send(.didScroll, y: 2, at: 5.03)
    try bench.send(.advance(frameDuration: nil), at: 5.04)
    #expect(
      log.take() == [
        "5010 a frame", "5020 a didScroll", "5020 a frame", "5030 a didScroll", "5030 a frame", "5040 a frame",
      ])
    try bench.act { probe, header in header.stopFrames(by: probe) }
    try bench.send(.advance(frameDuration: nil), at: 6)
    #expect(log.take() == [])
    #expect(!bench.state.framesActive)
  }

  @Test func `frame times never drift`() throws {
    let (bench, _) = try Self.bench(["A"]) { $0.frameRate = 60 }
    var times: [Int64] = []
    bench[0].framing = { _, duration, header in
      times.append(header.now.nanoseconds)
      #expect(duration == 1.0 / 60)
    }
    try bench.act(at: 1000) { probe, header in header.startFrames(by: probe) }
    for step in 1...50 { try bench.send(.didScroll, y: Double(step), at: 1000 + Double(step) * 0.21) }
    #expect(times.count == 629)
    for (index, time) in times.enumerated() {
      #expect(time == 1_000_000_000_000 + Int64((Double(index + 1) / 60 * 1e9).rounded()))
    }
  }

  @Test func `each frame makes its own state, delegates with frames at one instant share it`() throws {
    let (bench, log) = try Self.bench(["A", "B"]) { $0.frameRate = 10 }
    for index in 0..<2 {
      bench[index].framing = { probe, _, header in
        log.add(probe, "frame", header)
        try header.setValue(0, .number(Double(header.now.nanoseconds)), by: probe)
      }
    }
    try bench.act(1, at: 0) { probe, header in header.startFrames(by: probe) }
    try bench.act(0) { probe, header in header.startFrames(by: probe) }
    _ = bench.takeStates()
    try bench.send(.advance(frameDuration: nil), at: 0.35)
    #expect(bench.states.map(\.time) == [0.1, 0.2, 0.3].map(Instant.init(seconds:)))
    #expect(log.take() == [1, 2, 3].flatMap { ["\($0)00 a frame", "\($0)00 b frame"] })
  }

  @Test func `frames in live have a next time, in events none, in manual they wait for a duration`() throws {
    for source in FrameSource.allCases {
      let (bench, log) = try Self.bench(["A"]) {
        $0.frames = source
        $0.frameRate = 10
      }
      try bench.act(at: 0) { probe, header in header.startFrames(by: probe) }
      #expect(bench.header.nextDue == (source == .live ? Instant(seconds: 0.1) : nil))
      try bench.send(.advance(frameDuration: nil), at: 0.1)
      #expect(log.take() == (source == .manual ? [] : ["100 a frame"]))
      try bench.send(.advance(frameDuration: 0.25), at: 0.1)
      #expect(log.take() == (source == .manual ? ["100 a frame"] : []))
    }
  }

  @Test(arguments: [0.0, 0.004, 1_690_000_000.125])
  func `a leap longer than the limit skips the rest, and the next frame keeps its place`(_ start: Double) throws {
    var limits = Limits()
    limits.framesPerEvent = 10
    var times: [Int64] = []
    let bench = try Bench(
      ["A"], limits: limits, describe: { $0.frameRate = 100 },
      prepare: { probe in
        probe.framing = { _, _, header in times.append(header.now.nanoseconds) }
      })
    let first = Instant(seconds: start).nanoseconds
    try bench.act(at: start) { probe, header in header.startFrames(by: probe) }
    func send(_ milliseconds: Int64) throws {
      _ = try bench.header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(y: 1)), at: Instant(nanoseconds: first + milliseconds * 1_000_000))
    }
    try send(3000)
    #expect(times.map { ($0 - first) / 1_000_000 } == Array(stride(from: 10, through: 100, by: 10)))
    times = []
    // The frame at 3000 was due at the event's instant, so it still comes after it.
    try send(3015)
    #expect(times.map { ($0 - first) / 1_000_000 } == [3000, 3010])
    #expect(bench.header.now.nanoseconds == first + 3_015_000_000)
  }

  @Test func `header time never goes back, whatever the times`() throws {
    var random = SplitMix64(seed: 3)
    var limits = Limits()
    limits.framesPerEvent = 5
    let bench = try Bench(["A"], limits: limits, describe: { $0.frameRate = 90 })
    try bench.act(at: 0.1) { probe, header in header.startFrames(by: probe) }
    var time = 0.1
    var last = bench.header.now
    for _ in 0..<2000 {
      time += Double.random(in: 0...0.3, using: &random) / 7
      bench[0].framing = { _, _, header in
        #expect(header.now >= last)
        last = header.now
      }
      try bench.send(.didScroll, y: 1, at: time)
      #expect(bench.header.now == Instant(seconds: time))
    }
  }

  @Test func `the first event begins the header's time, and what was started before moves onto it`() throws {
    var log: [String] = []
    let bench = try Bench(
      ["A"], describe: { $0.frameRate = 10 },
      prepare: { probe in
        probe.attaching = { probe, header in
          try header.startTimer(1, after: 0.5, by: probe)
          header.startFrames(by: probe)
        }
        probe.timing = { _, token, header in log.append("timer at \(header.now.seconds)") }
        probe.framing = { _, _, header in log.append("frame at \(header.now.seconds)") }
      })
    #expect(bench.header.nextDue == nil)
    try bench.send(.didScroll, y: 1, at: 5000)
    #expect(log == [])
    #expect(bench.header.nextDue == Instant(seconds: 5000.5))
    try bench.send(.didScroll, y: 2, at: 5000.15)
    try bench.send(.didScroll, y: 3, at: 5000.6)
    #expect(
      log
        == [
          "frame at 5000.1", "frame at 5000.2", "frame at 5000.3", "frame at 5000.4", "timer at 5000.5",
          "frame at 5000.5", "timer at 5000.6",
        ].filter { $0 != "timer at 5000.6" })
  }

  @Test func `nothing is due before the first event`() throws {
    let bench = try Bench(prepare: { probe in
      probe.attaching = { probe, header in try header.startTimer(1, after: 0.5, by: probe) }
    })
    #expect(bench.header.nextDue == nil)
    try bench.send(.didScroll, y: 1, at: 100)
    #expect(bench.header.nextDue == Instant(seconds: 100.5))
  }

  @Test func `a header's time may begin before 0`() throws {
    let (bench, log) = try Self.bench()
    try bench.act(at: -5) { probe, header in try header.startTimer(1, after: 1, by: probe) }
    #expect(bench.header.now == Instant(seconds: -5))
    try bench.send(.didScroll, y: 1, at: -4)
    #expect(log.take() == ["-4000 a timer 1", "-4000 a didScroll"])
  }

  @Test func `an earlier event is taken at the present time`() throws {
    let (bench, log) = try Self.bench()
    try bench.send(.didScroll, y: 1, at: 2)
    try bench.send(.didScroll, y: 2, at: 1)
    #expect(log.take() == ["2000 a didScroll", "2000 a didScroll"])
  }

  @Test func `layout passes until nothing asks, then work put off, then once more`() throws {
    let (bench, log) = try Self.bench(["A", "B"])
    var passes = 0
    bench[0].layingOut = { probe, header in
      log.add(probe, "layout", header)
      passes += 1
      if passes < 3 { header.markLayout(by: probe) }
    }
    bench[0].working = { probe, token, header in
      log.add(probe, "work \(token)", header)
      header.markLayout(by: probe)
      if token == 1 { try header.afterEvent(2, by: probe) }
    }
    try bench.act(at: 0) { probe, header in
      try header.afterEvent(1, by: probe)
      header.markLayout(by: probe)
    }
    #expect(
      log.take() == ["0 a layout", "0 a layout", "0 a layout", "0 a work 1", "0 a work 2", "0 a layout"])
    try bench.send(.didScroll, y: 1)
    #expect(log.take() == ["0 a didScroll", "0 b didScroll"])
  }

  @Test func `followers see what work put off has led to, and a pass that they ask for is run`() throws {
    let (bench, log) = try Self.bench(["A", "B"])
    bench[0].working = { probe, token, header in
      log.add(probe, "work \(token)", header)
      header.markLayout(by: probe)
    }
    bench[0].layingOut = { probe, header in
      log.add(probe, "layout", header)
      try header.setValue(0, .number(1), by: probe)
    }
    var asksAgain = true
    bench[1].layingOut = { probe, header in
      log.add(probe, "follows, the value is set: \(header.value(named: "valueA") == .number(1))", header)
      if asksAgain { header.markLayout(by: probe) }
      asksAgain = false
    }
    bench.header.followChanges(by: bench[1])
    try bench.act(at: 0) { probe, header in try header.afterEvent(1, by: probe) }
    let follows = "0 b follows, the value is set: true"
    #expect(log.take() == ["0 a work 1", "0 a layout", follows, follows])
  }

  @Test func `layout passes end after eight`() throws {
    let (bench, _) = try Self.bench()
    var passes = 0
    bench[0].layingOut = { probe, header in
      passes += 1
      header.markLayout(by: probe)
    }
    try bench.act(at: 0) { probe, header in header.markLayout(by: probe) }
    #expect(passes == 8)
    try bench.send(.didScroll, y: 1)
    #expect(passes == 8)
  }

  @Test(arguments: [-0.001, 86_400.5, .nan, .infinity]) func `durations out of range are refused`(_ wrong: Double)
    throws
  {
    for act: (Probe, Header) throws -> Void in [
      { try $1.startTimer(1, after: wrong, by: $0) },
      { try $1.animate(duration: wrong, delay: 0, curve: .linear, token: nil, by: $0) },
      { try $1.animate(duration: 0, delay: wrong, curve: .linear, token: 1, by: $0) },
    ] {
      let (bench, _) = try Self.bench()
      let error = #expect(throws: HeaderError.self) { try bench.act(at: 0, act) }
      #expect(error?.hint?.hasSuffix("expected 0 to 86400 seconds") == true)
    }
  }

  @Test func `timers without delay that start each other do not hang the header`() throws {
    let (bench, log) = try Self.bench(["A", "B"])
    var count = 0
    bench[0].timing = { probe, _, header in
      count += 1
      try header.startTimer(1, after: 0, by: probe)
    }
    try bench.act(1, at: 0) { probe, header in try header.startTimer(7, after: 1, by: probe) }
    try bench.act(0) { probe, header in try header.startTimer(1, after: 0, by: probe) }
    let answer = try bench.send(.didScroll, y: 1, at: 1)
    #expect(
      answer.failure?.message
        == "delegate \"a\" of header \"main\" is bypassed: its timers and animations without delay start each other without end"
    )
    #expect(log.take() == ["1000 b timer 7", "1000 b didScroll"])
    #expect(count < 3000 && bench.header.nextDue == nil)
  }

  /// The guard counts what runs before one event, not what ever ran.
  @Test func `a header may live as long as it likes by one timer an event`() throws {
    let (bench, log) = try Self.bench(["A", "B"])
    for index in 0..<2 {
      bench[index].timing = { probe, _, header in
        log.add(probe, "timer", header)
        try header.startTimer(1, after: 1, by: probe)
      }
      try bench.act(index, at: 0) { probe, header in try header.startTimer(1, after: 1, by: probe) }
    }
    for second in 1...5000 {
      #expect(try bench.send(.didScroll, y: 1, at: Double(second)).failure == nil)
      guard !bench.header.isBypassed(0), !bench.header.isBypassed(1) else { break }
    }
    #expect(log.take().filter { $0.hasSuffix("timer") }.count == 10_000)
  }

  @Test func `one that runs away takes nothing of another's along`() throws {
    let (bench, log) = try Self.bench(["A", "B"]) { $0.frameRate = 1 }
    bench[0].timing = { probe, _, header in try header.startTimer(1, after: 0, by: probe) }
    try bench.act(1, at: 0) { probe, header in
      try header.startTimer(1, after: 1, by: probe)
      try header.startTimer(2, after: 5, by: probe)
      try header.animate(duration: 5, delay: 0, curve: .linear, token: 3, by: probe)
      header.startFrames(by: probe)
    }
    try bench.act(0) { probe, header in
      header.startFrames(by: probe)
      try header.startTimer(1, after: 1, by: probe)
    }
    #expect(try bench.send(.didScroll, y: 1, at: 1).failure != nil)
    #expect(bench.header.isBypassed(0) && !bench.header.isBypassed(1))
    _ = log.take()
    try bench.send(.didScroll, y: 1, at: 5)
    #expect(
      log.take() == [
        "1000 b frame", "2000 b frame", "3000 b frame", "4000 b frame", "5000 b timer 2", "5000 b completion 3",
        "5000 b didScroll",
      ])
  }

  @Test func `frames and timers of one delegate are not another's`() throws {
    let (bench, log) = try Self.bench(["A", "B", "C"]) { $0.frameRate = 10 }
    for index in 0..<3 {
      try bench.act(index, at: 0) { probe, header in
        header.startFrames(by: probe)
        try header.startTimer(1, after: 0.25, by: probe)
        try header.animate(duration: 0.25, delay: 0, curve: .linear, token: 1, by: probe)
      }
    }
    try bench.send(.advance(frameDuration: nil), at: 0.1)
    #expect(log.take() == ["100 a frame", "100 b frame", "100 c frame"])
    try bench.act(1) { probe, header in
      header.stopFrames(by: probe)
      header.cancelTimer(1, by: probe)
    }
    #expect((0..<3).map { bench.header.framesAreActive(of: bench[$0]) } == [true, false, true])
    #expect(bench.state.framesActive)
    // C's frames begin anew, which shifts nobody else's.
    try bench.act(2, at: 0.15) { probe, header in header.startFrames(by: probe) }
    try bench.send(.advance(frameDuration: nil), at: 0.26)
    #expect(
      log.take() == [
        "200 a frame", "250 a timer 1", "250 a completion 1", "250 b completion 1", "250 c timer 1",
        "250 c completion 1", "250 c frame",
      ])
    for index in [0, 2] { try bench.act(index) { probe, header in header.stopFrames(by: probe) } }
    #expect(!bench.state.framesActive)
    try bench.send(.advance(frameDuration: nil), at: 1)
    #expect(log.take() == [])
  }

  @Test func `timers and animations under way are bounded`() throws {
    for act: (Probe, Header) throws -> Void in [
      { try $1.startTimer(1, after: 60, by: $0) },
      { try $1.animate(duration: 60, delay: 0, curve: .linear, token: 1, by: $0) },
    ] {
      let (bench, _) = try Self.bench()
      bench[0].receiving = { probe, _, _, header in try act(probe, header) }
      for _ in 0..<1024 { #expect(try bench.send(.didScroll, y: 1, at: 0).failure == nil) }
      #expect(
        try bench.send(.didScroll, y: 1).failure?.message.hasSuffix(
          "it has more than 1024 timers and animations under way")
          == true)
    }
  }

  @Test func `what failed in a nested call starts nothing on its way out`() throws {
    let (bench, _) = try Self.bench()
    bench[0].receiving = { probe, event, _, header in
      if event.depth == 3 { throw DelegateFailure.failed("broken") }
      try header.setContentOffset(Point(x: 0, y: Double(event.depth) + 5), of: 0, by: probe)
      header.startFrames(by: probe)
      try header.startTimer(1, after: 1, by: probe)
      try header.animate(duration: 1, delay: 1, curve: .linear, token: 2, by: probe)
    }
    #expect(try bench.send(.didScroll, y: 1, at: 0).failure != nil)
    #expect(bench.header.nextDue == nil && !bench.state.framesActive)
  }
}
