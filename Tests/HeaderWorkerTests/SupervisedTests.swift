// SPDX-License-Identifier: MIT
//
// Workers that die at any byte of what they say: who listens gets the states of a header that never died, each once.

import DaemonTestKit
import HeaderCore
import HeaderTestKit
import HeaderWorker
import PluginHost
import Posix
import Testing

/// A worker that dies as told, and a new one each time.
private final class Mortal: RemoteHeaderOwner {
  private let registry: PluginRegistry
  private var engine: WorkerEngine
  let headers: SupervisedHeaders
  var states: [UInt32: [String]] = [:]
  var endings = 0
  var deaths = 0

  init(_ registry: PluginRegistry) {
    self.registry = registry
    engine = WorkerEngine(provider: registry, limits: Limits())
    headers = SupervisedHeaders(provider: MirrorProvider(registry.plugins.flatMap(\.behaviors)))
    headers.owner = self
  }

  func emitted(_ state: borrowing HeaderState, of header: UInt32) { states[header, default: []].append(state.line) }
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { endings += 1 }

  /// Hands bytes over; the worker may die before the last of its own have come through.
  func exchange(dying: Bool, _ random: inout SplitMix64) throws {
    let orders = headers.takeOutput()
    _ = try unsafe engine.receive(orders.span.bytes)
    let news = engine.takeOutput()
    guard dying else {
      let read = try unsafe headers.receive(news.span.bytes)
      return #expect(read == news.count)
    }
    let part = Array(news.prefix(random.below(news.count + 1)))
    _ = try unsafe headers.receive(part.span.bytes)
    deaths += 1
    engine = WorkerEngine(provider: registry, limits: Limits())
    let bypassed = try headers.workerDied(nil, reason: "", at: 0)
    #expect(bypassed == nil)
  }
}

@Suite struct SupervisedTests {
  static func registry() throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [TestFiles.build])
    for name in ["ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar"] { try registry.load(name) }
    return registry
  }

  @Test(arguments: 1...12) func nobodySeesThatAWorkerDied(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let registry = try Self.registry()
    let mortal = Mortal(registry)
    let behaviors = ["ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar"]
    var locals: [Header] = []
    var expected: [[String]] = [[], [], [], []]
    var inputs: [RandomInputs] = []
    for (index, behavior) in behaviors.enumerated() {
      var description = HeaderDescription.bench
      description.delegates = [DelegateDescription(behavior: behavior)]
      locals.append(try Header(description, epoch: 1, provider: registry))
      let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
      mortal.headers.open(UInt32(index), try Header(description, epoch: 1, provider: mirrors), from: nil)
      inputs.append(RandomInputs(random: SplitMix64(seed: UInt64(seed * 10 + index))))
    }
    var given = 4
    for _ in 1...150 {
      for _ in 0...random.below(12) {
        let index = random.below(4)
        let (input, time) = try inputs[index].next()
        _ = try? locals[index].apply(input, at: time, provider: registry) { expected[index].append($0.line) }
        mortal.headers.apply(input, at: time, to: UInt32(index))
        given += 1
      }
      try mortal.exchange(dying: random.oneIn(3), &random)
    }
    try mortal.exchange(dying: false, &random)
    #expect(mortal.deaths > 20 && mortal.endings == given)
    for index in behaviors.indices {
      #expect(mortal.states[UInt32(index)] ?? [] == expected[index], "\(behaviors[index])")
      #expect(mortal.headers[UInt32(index)]?.state.shown == locals[index].state.shown)
      #expect(mortal.headers[UInt32(index)]?.nextDue == locals[index].nextDue)
    }
  }

  /// The order that kills a worker is tried once more; then its delegate is bypassed, and the header goes on.
  @Test func whoKillsTwoWorkersWithOneOrderIsBypassed() throws {
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let headers = SupervisedHeaders(provider: mirrors)
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    let mirror = try Header(description, epoch: 1, provider: mirrors)
    headers.open(1, mirror, from: nil)
    func serve() throws {
      let engine = WorkerEngine(provider: registry, limits: Limits())
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      _ = try unsafe headers.receive(engine.takeOutput().span.bytes)
    }
    try serve()
    headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: Instant(seconds: 1), to: 1)
    #expect(try headers.workerDied((1, 0), reason: "its process crashed", at: 0) == nil)
    #expect(try headers.workerDied((1, 0), reason: "its process crashed", at: 1) == "shyNavBar")
    try serve()
    #expect(mirror.isBypassed(0) && mirror.state.scrollViews[0].contentOffset.y == 10)
    // Deaths that are far apart, each with another order, are forgiven.
    headers.apply(.reloadDelegate("shyNavBar", plugin: "ShyNavBar"), at: nil, to: 1)
    #expect(try headers.workerDied(nil, reason: "", at: 2) == nil)
    try serve()
    #expect(!mirror.isBypassed(0))
    for death in 1...4 {
      headers.apply(
        .scroll(to: PartialPoint(y: Double(10 + death)), correction: nil), at: Instant(seconds: 1 + Double(death)),
        to: 1)
      #expect(try headers.workerDied((1, 0), reason: "", at: Int64(death) * 61_000_000_000) == nil)
      try serve()
    }
    // Three within a minute are not.
    for death in 1...3 {
      headers.apply(
        .scroll(to: PartialPoint(y: Double(20 + death)), correction: nil), at: Instant(seconds: 9 + Double(death)),
        to: 1)
      let bypassed = try headers.workerDied((1, 0), reason: "", at: 400_000_000_000 + Int64(death))
      #expect(bypassed == (death == 3 ? "shyNavBar" : nil))
      try serve()
    }
    #expect(mirror.isBypassed(0))
  }

  /// The real program, killed at any moment.
  @Test(arguments: 1...3) func aKilledProcessLosesNothing(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let owner = Listener()
    let headers = SupervisedHeaders(provider: mirrors)
    headers.owner = owner
    let behaviors = ["ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar"]
    var (locals, inputs, expected) = ([Header](), [RandomInputs](), [[String]]())
    for (index, behavior) in behaviors.enumerated() {
      var description = HeaderDescription.bench
      description.delegates = [DelegateDescription(behavior: behavior)]
      locals.append(try Header(description, epoch: 1, provider: registry))
      inputs.append(RandomInputs(random: SplitMix64(seed: UInt64(seed * 10 + index))))
      expected.append([])
      headers.open(UInt32(index), try Header(description, epoch: 1, provider: mirrors), from: nil)
    }
    var (given, deaths) = (4, 0)
    var worker = try Worker(behaviors)
    for _ in 1...200 {
      for _ in 0...random.below(40) {
        let index = random.below(4)
        let (input, time) = try inputs[index].next()
        _ = try? locals[index].apply(input, at: time, provider: registry) { expected[index].append($0.line) }
        headers.apply(input, at: time, to: UInt32(index))
        given += 1
      }
      worker.send(headers.takeOutput())
      // So that neither side waits for the other to read.
      try worker.read(to: headers, until: { !worker.hasSaidMore })
      if random.oneIn(4) {
        // While it is at work on what it was just sent, or done with it.
        if random.oneIn(2) { _ = waitUntilReady([], seconds: Double(random.below(20)) / 10_000) }
        worker.kill()
        try worker.read(to: headers, until: { false })
        deaths += 1
        worker = try Worker(behaviors)
        _ = try headers.workerDied(nil, reason: "", at: 0)
        worker.send(headers.takeOutput())
      }
    }
    try worker.read(to: headers, until: { owner.endings == given })
    worker.kill()
    #expect(deaths > 20 && owner.endings == given)
    for index in behaviors.indices {
      #expect(owner.states[UInt32(index)] ?? [] == expected[index], "\(behaviors[index])")
      #expect(headers[UInt32(index)]?.state.shown == locals[index].state.shown)
    }
  }
}

private final class Listener: RemoteHeaderOwner {
  var states: [UInt32: [String]] = [:]
  var endings = 0
  func emitted(_ state: borrowing HeaderState, of header: UInt32) { states[header, default: []].append(state.line) }
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { endings += 1 }
}

/// headerd-worker with its plugins.
private final class Worker {
  private let program: StartedProgram
  private var unread: [UInt8] = []
  private var isDead = false

  init(_ plugins: [String]) throws {
    program = try startProgram(
      "\(TestFiles.prefix)/libexec/headerd/headerd-worker",
      ["serve", TestFiles.isSanitized ? "0" : "268435456"] + plugins.map { "\(TestFiles.build)/lib\($0).so" },
      environment: ["SWIFT_BACKTRACE=enable=no"])
  }

  /// Small enough to wait in the socket if the worker is slow.
  func send(_ bytes: [UInt8]) { if !isDead { try? writeAll(bytes, to: program.socket) } }

  func kill() {
    program.kill()
    isDead = true
  }

  var hasSaidMore: Bool { waitUntilReady([Wait(program.socket, for: .reading)], seconds: 0)[0].canRead }

  /// Reads until there is nothing any more, or enough.
  func read(to headers: SupervisedHeaders, until isEnough: () -> Bool) throws {
    while !isEnough(), let more = try? readSome(from: program.socket), !more.isEmpty {
      unread += more
      let bytes = unread
      let taken = try unsafe headers.receive(bytes.span.bytes)
      unread.removeFirst(taken)
    }
  }
}
