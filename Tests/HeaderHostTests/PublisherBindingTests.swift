// SPDX-License-Identifier: MIT
//
// A connection that publishes to many headers in any order finds each by name and by handle, also after others have gone.

import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct PublisherBindingTests {
  /// Opens headers, publishes to them at random, closes some and opens others, by lines and by frames; each event must
  /// reach its own header.
  @Test(arguments: [1, 2, 3] as [UInt64]) func eachEventReachesItsHeader(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    let frames = daemon.connect()
    frames.send([0x89, 0x48, 0x44, 0x01])
    var names: [String] = []
    var handles: [String: Int] = [:]
    var offsets: [String: Double] = [:]
    var lastName = 0
    func open() {
      lastName += 1
      let name = "app\(lastName % 7).header-\(lastName)"
      let opened = publisher.send(TestDaemon.open(name)).results
      handles[name] = Int(opened.first?.at("handle").number ?? 0)
      names.append(name)
    }
    for _ in 0..<40 { open() }
    for step in 1...2_000 {
      if random.oneIn(20) {
        let name = names.remove(at: Int.random(in: 0..<names.count, using: &random))
        publisher.send("{\"method\":\"header.close\",\"params\":{\"header\":\"\(name)\"}}")
        offsets[name] = nil
        open()
      }
      guard let name = names.randomElement(using: &random) else { continue }
      let y = Double(Int.random(in: 0...400, using: &random))
      if random.oneIn(2) {
        publisher.send(TestDaemon.scroll(name, Double(step), y))
      } else {
        let event: Value.Record = ["event": "didScroll", "time": .number(Double(step)), "offset": ["y": .number(y)]]
        frames.send(Self.frame(event, to: handles[name] ?? 0))
      }
      offsets[name] = y
    }
    for (name, y) in offsets {
      let got = publisher.send("{\"id\":1,\"method\":\"header.get\",\"params\":{\"header\":\"\(name)\"}}").results
      #expect(got.first?.at("state.scrollViews.content.contentOffset.y") == .number(y), "\(name)")
    }
    #expect(daemon.log.lines.isEmpty)
  }

  /// Of a header that is closed nothing is kept where its publisher finds headers by name.
  @Test func aClosedHeaderIsLetGo() {
    weak var latest: Shifter?
    let daemon = TestDaemon()
    daemon.plugins.kinds = shifters { name, description in
      let shifter = Shifter(name: name, behavior: description)
      latest = shifter
      return shifter
    }
    let publisher = daemon.connect()
    for name in ["a", "b", "c"] {
      publisher.send(TestDaemon.open(name))
      publisher.send(TestDaemon.scroll(name, 1, 1))
    }
    publisher.send(TestDaemon.scroll("a", 2, 2))
    #expect(latest != nil)
    publisher.send(#"{"method":"header.close","params":{"header":"c"}}"#)
    daemon.pass(1)
    #expect(latest == nil)
  }

  private static func frame(_ event: Value.Record, to handle: Int) -> [UInt8] {
    FrameBuilder.frame(2) { builder in
      builder.u64(0)
      builder.u64(handle)
      builder.u32(1)
      builder.u32(0)
      builder.bytes += FrameBuilder.record(of: event) ?? []
    }
  }
}
