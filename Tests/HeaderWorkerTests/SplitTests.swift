// SPDX-License-Identifier: MIT
//
// Headers that leave their worker for another one when it has died, since one of them may be what it dies of: nobody sees that.

import Clocks
import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Testing

@Suite struct SplitTests {
  private final class Owner: RemoteHeaderOwner {
    var states: [UInt32: [String]] = [:]
    var endings = 0
    var bypassed: [UInt32] = []
    var lost: [UInt32] = []
    func emitted(_ state: borrowing HeaderState, of header: UInt32) { states[header, default: []].append(state.line) }
    func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { endings += 1 }
    func lost(_ header: UInt32, _ error: HeaderError) { lost.append(header) }
    func restarted(_ header: UInt32) {}
    func refusedAgain(_ header: UInt32, _ error: HeaderError) {}
    func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 2 }
    func bypassed(_ delegate: String, of header: UInt32, reason: String) { bypassed.append(header) }
    func logged(_ line: PluginLogLine) {}
    func leaderMoved(_ header: UInt32) {}
  }

  /// Headers and the worker that they are in.
  private final class Group {
    let headers: RemoteHeaders
    private let registry: PluginRegistry
    private var engine: WorkerEngine

    init(_ registry: PluginRegistry, _ mirrors: MirrorProvider, _ owner: Owner) {
      self.registry = registry
      engine = WorkerEngine(provider: registry, limits: Limits())
      headers = RemoteHeaders(provider: mirrors)
      headers.owner = owner
    }

    /// The worker does what it was ordered; of what it says a part comes through.
    func serve(upTo part: (Int) -> Int = { $0 }) throws {
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      let news = engine.takeOutput()
      try headers.hear(news.prefix(part(news.count)))
    }

    func die(_ fault: WorkerFault? = nil) -> RemoteHeaders.Suspicion {
      engine = WorkerEngine(provider: registry, limits: Limits())
      return headers.noteDeath(fault, reason: "its process died", at: 0)
    }
  }

  @Test(arguments: 1...8) func headersGoOnElsewhereAsIfNothingHadHappened(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let registry = try SupervisedTests.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let owner = Owner()
    var groups = [Group(registry, mirrors, owner)]
    var (locals, inputs) = ([Header](), [RandomInputs]())
    var expected = [[String]](repeating: [], count: 6)
    var place = [Int](repeating: 0, count: 6)
    for index in 0..<6 {
      var description = HeaderDescription.bench
      description.delegates = [
        DelegateDescription(behavior: ["ShyNavBar", "FlexibleHeader", "FlexibleHeightBar"][index % 3])
      ]
      locals.append(try Header(description, epoch: 1, provider: registry))
      inputs.append(RandomInputs(random: SplitMix64(seed: UInt64(seed * 10 + index))))
      groups[0].headers.open(UInt32(index), try Header(description, epoch: 1, provider: mirrors), from: nil)
    }
    var given = 6
    for _ in 1...120 {
      for _ in 0...random.below(12) {
        let index = random.below(6)
        let (input, time) = try inputs[index].next()
        _ = try? locals[index].apply(input, at: time, provider: registry) { expected[index].append($0.line) }
        groups[place[index]].headers.apply(input, at: time, to: UInt32(index))
        given += 1
      }
      let dying = random.below(groups.count)
      for (index, group) in groups.enumerated() where index != dying { try group.serve() }
      try groups[dying].serve { random.below($0 + 1) }
      #expect(groups[dying].die() == .unknown)
      // Some of its headers go on in a new worker, as many as there are at most.
      let some = groups[dying].headers.numbers.filter { _ in random.oneIn(2) }
      if groups.count < 5, !some.isEmpty {
        let other = Group(registry, mirrors, owner)
        for number in some {
          other.headers.take(try #require(groups[dying].headers.release(number)))
          place[Int(number)] = groups.count
        }
        groups.append(other)
        try other.headers.reopen()
      }
      try groups[dying].headers.reopen()
    }
    for group in groups { try group.serve() }
    #expect(groups.count == 5 && owner.endings == given && owner.lost.isEmpty)
    for index in 0..<6 {
      #expect(owner.states[UInt32(index)] ?? [] == expected[index])
      #expect(groups[place[index]].headers[UInt32(index)]?.state.shown == locals[index].state.shown)
    }
  }

  /// A header that shares its worker with others is not bypassed or given up for what the worker says of itself.
  @Test func whoIsAmongOthersIsNotBlamed() throws {
    let registry = try SupervisedTests.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let owner = Owner()
    let group = Group(registry, mirrors, owner)
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    for number in 1...3 as ClosedRange<UInt32> {
      group.headers.open(number, try Header(description, epoch: 1, provider: mirrors), from: nil)
    }
    try group.serve()
    group.headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: Instant(seconds: 1), to: 2)
    let running = WorkerFault(header: 2, order: 1, delegate: 0)
    #expect(group.die(running) == .header)
    try group.headers.reopen()
    for _ in 1...4 {
      #expect(group.die(running) == .mustBeAlone(2))
      try group.headers.reopen()
    }
    let opening = WorkerFault(header: 3, order: 0, delegate: 0)
    #expect(group.die(opening) == .header)
    for _ in 1...4 { #expect(group.die(opening) == .mustBeAlone(3)) }
    #expect(owner.bypassed.isEmpty && owner.lost.isEmpty)
    // By itself it is.
    let other = Group(registry, mirrors, owner)
    other.headers.take(try #require(group.headers.release(2)))
    try other.headers.reopen()
    #expect(other.die(running) == .header)
    try other.headers.reopen()
    try other.serve()
    #expect(owner.bypassed == [2] && owner.lost.isEmpty)
    #expect(other.headers[2]?.state.scrollViews[0].contentOffset.y == 10)
    try group.headers.reopen()
    try group.serve()
    #expect(group.headers.numbers == [1, 3] && group.headers.openOrders == 0)
  }
}
