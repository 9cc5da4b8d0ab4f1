// SPDX-License-Identifier: MIT
//
// Workers that die at any byte of what they say: who listens gets the states of a header that never died, each once.

import Clocks
import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Posix
import Testing

/// A worker that dies as told, and a new one each time.
private final class Mortal: RemoteHeaderOwner {
  private let registry: PluginRegistry
  private var engine: WorkerEngine
  let headers: RemoteHeaders
  var states: [UInt32: [String]] = [:]
  var endings = 0
  var deaths = 0
  var bypassed: [String] = []

  init(_ registry: PluginRegistry) {
    self.registry = registry
    engine = WorkerEngine(provider: registry, limits: Limits())
    headers = RemoteHeaders(provider: MirrorProvider(registry.plugins.flatMap(\.behaviors)))
    headers.owner = self
  }

  func emitted(_ state: borrowing HeaderState, of header: UInt32) { states[header, default: []].append(state.line) }
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { endings += 1 }
  func lost(_ header: UInt32, _ error: HeaderError) { Issue.record("header \(header): \(error.message)") }
  func restarted(_ header: UInt32) { Issue.record("header \(header) is restarted") }
  func refusedAgain(_ header: UInt32, _ error: HeaderError) { Issue.record("header \(header): \(error.message)") }
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 2 }
  func bypassed(_ delegate: String, of header: UInt32, reason: String) { bypassed.append(delegate) }
  func logged(_ line: PluginLogLine) {}
  func leaderMoved(_ header: UInt32) {}

  /// Hands bytes over; the worker may die before the last of its own have come through.
  func exchange(dying: Bool, _ random: inout SplitMix64) throws {
    let orders = headers.takeOutput()
    _ = try unsafe engine.receive(orders.span.bytes)
    let news = engine.takeOutput()
    guard dying else {
      let read = try unsafe headers.receive(news.span.bytes)
      return #expect(read == news.count)
    }
    try headers.hear(news.prefix(random.below(news.count + 1)))
    deaths += 1
    engine = WorkerEngine(provider: registry, limits: Limits())
    try headers.workerDied(nil, reason: "", at: 0)
  }
}

extension RemoteHeaders {
  /// Takes what a worker says of orders that have ended, as the host does.
  func hear(_ news: ArraySlice<UInt8>) throws {
    var ended = EndedOrders()
    let end = try unsafe ended.count(in: Array(news).span.bytes)
    _ = try unsafe receive(Array(news.prefix(end)).span.bytes)
  }

  /// The worker has died, and the next one is there.
  func workerDied(_ fault: WorkerFault?, reason: String, at now: MonotonicTime) throws {
    _ = noteDeath(fault, reason: reason, at: now)
    try reopen()
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
    #expect(mortal.headers.openOrders == 0)
    for index in behaviors.indices {
      #expect(mortal.states[UInt32(index)] ?? [] == expected[index], "\(behaviors[index])")
      #expect(mortal.headers[UInt32(index)]?.state.shown == locals[index].state.shown)
      #expect(mortal.headers[UInt32(index)]?.nextDue == locals[index].nextDue)
    }
  }

  /// A header that waits for a client is saved without the event that waits: the next worker begins with an older save.
  @Test func aSaveInTheMiddleOfAnEventIsNotGoneOnFrom() throws {
    var random = SplitMix64(seed: 1)
    let registry = try Self.registry()
    let mortal = Mortal(registry)
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar", options: ["expansionResistance": 0])]
    let local = try Header(description, epoch: 1, provider: registry)
    mortal.headers.open(1, try Header(description, epoch: 1, provider: mirrors), from: nil)
    var expected: [String] = []
    func apply(_ input: HeaderInput, at seconds: Double? = nil) {
      let time = seconds.map { Instant(seconds: $0) }
      _ = try? local.apply(input, at: time, provider: registry) { expected.append($0.line) }
      mortal.headers.apply(input, at: time, to: 1)
    }
    apply(.addDelegate(DelegateDescription(client: ClientDescription(.intercept), name: "asked"), at: 0))
    for step in 1...6 {
      apply(.event(ScrollEvent(.didScroll, offset: PartialPoint(y: Double(20 * step)))), at: Double(step))
      #expect(local.isWaiting)
      mortal.headers.order(.save(clients: true), of: 1)
      try mortal.exchange(dying: false, &random)
      while local.isWaiting { apply(.answer(.passedOver("nothing came"))) }
      try mortal.exchange(dying: false, &random)
      try mortal.exchange(dying: true, &random)
    }
    try mortal.exchange(dying: false, &random)
    #expect(mortal.deaths == 6 && expected.count > 5)
    #expect(mortal.states[1] == expected)
    #expect(mortal.headers[1]?.state.shown == local.state.shown)
  }

  /// A worker counts its orders from its opening on, the daemon keeps those since the last save: it finds the one all the same.
  @Test func theOrderIsFoundBehindASave() throws {
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let headers = RemoteHeaders(provider: mirrors)
    let owner = Listener()
    headers.owner = owner
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    headers.open(1, try Header(description, epoch: 1, provider: mirrors), from: nil)
    let engine = WorkerEngine(provider: registry, limits: Limits())
    var orders = 0
    engine.willApply = { _, order, _ in orders = order }
    for step in 1...700 {
      let scroll = HeaderInput.scroll(to: PartialPoint(y: Double(step)), correction: nil)
      headers.apply(scroll, at: Instant(seconds: Double(step)), to: 1)
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      _ = try unsafe headers.receive(engine.takeOutput().span.bytes)
    }
    #expect(orders == 701, "the scrolls, and a save among them")
    headers.apply(.event(ScrollEvent(.willBeginDragging)), at: Instant(seconds: 701), to: 1)
    let first = WorkerFault(header: 1, order: orders + 1, delegate: 0)
    #expect(headers.name(of: first) == "willBeginDragging")
    try headers.workerDied(first, reason: "its process crashed", at: 0)
    // The next worker begins with the save, behind which there are some of the scrolls.
    let second = try #require(
      (1...701).lazy.map { WorkerFault(header: 1, order: $0, delegate: 0) }.first {
        headers.name(of: $0) == "willBeginDragging"
      })
    #expect((2...300).contains(second.order))
    try headers.workerDied(second, reason: "its process crashed", at: 1)
    let last = WorkerEngine(provider: registry, limits: Limits())
    _ = try unsafe last.receive(headers.takeOutput().span.bytes)
    _ = try unsafe headers.receive(last.takeOutput().span.bytes)
    #expect(owner.bypassed == ["shyNavBar"])
    #expect(headers[1]?.bypassedValue == [["delegate": "shyNavBar", "reason": "its process crashed"]])
    #expect(headers[1]?.state.scrollViews[0].contentOffset.y == 700)
  }

  /// The order that kills a worker is tried once more; then its delegate is bypassed, and the header goes on.
  @Test func whoKillsTwoWorkersWithOneOrderIsBypassed() throws {
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let headers = RemoteHeaders(provider: mirrors)
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    let mirror = try Header(description, epoch: 1, provider: mirrors)
    let owner = Listener()
    headers.owner = owner
    headers.open(1, mirror, from: nil)
    func die(_ order: Int, at now: MonotonicTime) throws {
      try headers.workerDied(WorkerFault(header: 1, order: order, delegate: 0), reason: "its process crashed", at: now)
    }
    func serve() throws {
      let engine = WorkerEngine(provider: registry, limits: Limits())
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      _ = try unsafe headers.receive(engine.takeOutput().span.bytes)
    }
    try serve()
    headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: Instant(seconds: 1), to: 1)
    try die(1, at: 0)
    try die(1, at: 1)
    try serve()
    #expect(owner.bypassed == ["shyNavBar"])
    #expect(mirror.isBypassed(0) && mirror.state.scrollViews[0].contentOffset.y == 10)
    // Deaths that are far apart, each with another order, are forgiven.
    headers.apply(.reloadDelegate("shyNavBar", plugin: "ShyNavBar"), at: nil, to: 1)
    try headers.workerDied(nil, reason: "", at: 2)
    try serve()
    #expect(!mirror.isBypassed(0))
    for death in 1...4 {
      headers.apply(
        .scroll(to: PartialPoint(y: Double(10 + death)), correction: nil), at: Instant(seconds: 1 + Double(death)),
        to: 1)
      // Before it come the scroll, the bypass, the reload and the scrolls before.
      try die(3 + death, at: MonotonicTime(nanoseconds: Int64(death) * 61_000_000_000))
      try serve()
      #expect(!mirror.isBypassed(0))
    }
    // Three within a minute are not.
    for death in 1...3 {
      headers.apply(
        .scroll(to: PartialPoint(y: Double(20 + death)), correction: nil), at: Instant(seconds: 9 + Double(death)),
        to: 1)
      try die(7 + death, at: 400_000_000_000 + Int64(death))
      try serve()
      #expect(mirror.isBypassed(0) == (death == 3))
    }
    // Who cannot be opened again by three in a row is given up; deaths before one that could do it are forgiven.
    for death in 1...6 {
      try die(0, at: 500_000_000_000 + Int64(death))
      if death % 2 == 0 { try serve() }
    }
    #expect(owner.lost.isEmpty)
    for death in 7...9 {
      #expect(owner.lost.isEmpty)
      try die(0, at: 500_000_000_000 + Int64(death))
    }
    #expect(owner.lost == [1])
  }

  /// What kills the next workers was told before, since it had not killed the first: its delegate is bypassed before it, and the
  /// header goes on in another epoch.
  @Test func whoKillsWorkersThatDoItAgainIsBypassed() throws {
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let headers = RemoteHeaders(provider: mirrors)
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
    let mirror = try Header(description, epoch: 1, provider: mirrors)
    let owner = Listener()
    headers.owner = owner
    headers.open(1, mirror, from: nil)
    func serve() throws {
      let engine = WorkerEngine(provider: registry, limits: Limits())
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      _ = try unsafe headers.receive(engine.takeOutput().span.bytes)
    }
    for step in 1...4 {
      headers.apply(
        .scroll(to: PartialPoint(y: Double(10 * step)), correction: nil), at: Instant(seconds: Double(step)), to: 1)
    }
    try serve()
    #expect(mirror.state.seq == 5 && owner.endings == 5)
    let told = owner.states
    for death in 1...2 {
      #expect(owner.bypassed.isEmpty)
      let fault = WorkerFault(header: 1, order: 3, delegate: 0)
      try headers.workerDied(fault, reason: "its process crashed", at: MonotonicTime(nanoseconds: Int64(death)))
    }
    #expect(owner.bypassed == ["shyNavBar"] && owner.restarted.isEmpty)
    #expect(mirror.state.epoch == 1 && !mirror.isBypassed(0), "nothing is seen of the new one before it has caught up")
    try serve()
    #expect(owner.restarted == [1] && owner.lost.isEmpty)
    #expect(mirror.state.epoch == 2 && mirror.isBypassed(0))
    #expect(mirror.state.scrollViews[0].contentOffset.y == 40)
    #expect(owner.states == told && owner.endings == 5, "nothing is told twice")
    // Another death brings the same header back.
    try headers.workerDied(nil, reason: "its process was killed", at: 3)
    try serve()
    #expect(owner.restarted == [1] && mirror.state.epoch == 2 && mirror.isBypassed(0))
    // Where the same order kills without its delegate as well, the header cannot be had again.
    for death in 1...3 {
      #expect(owner.lost.isEmpty)
      let fault = WorkerFault(header: 1, order: 4, delegate: 0)
      try headers.workerDied(fault, reason: "its process crashed", at: MonotonicTime(nanoseconds: Int64(3 + death)))
    }
    #expect(owner.lost == [1])
  }

  /// What a new worker does again is carried out without a word, but for the last of it. One that is closed meanwhile, or cannot be
  /// opened again, leaves nothing that somebody waits for.
  @Test func nothingIsAwaitedOfWhatIsDoneAgain() throws {
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let headers = RemoteHeaders(provider: mirrors)
    let owner = Listener()
    headers.owner = owner
    /// - Returns: the bytes that the worker said.
    func serve(_ provider: any BehaviorProvider) throws -> Int {
      let engine = WorkerEngine(provider: provider, limits: Limits())
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      let news = engine.takeOutput()
      #expect(try unsafe headers.receive(news.span.bytes) == news.count)
      return news.count
    }
    for header in 1...3 as ClosedRange<UInt32> {
      var description = HeaderDescription.bench
      description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
      headers.open(header, try Header(description, epoch: 1, provider: mirrors), from: nil)
      for step in 1...40 {
        let place = PartialPoint(y: Double(10 * step))
        headers.apply(.scroll(to: place, correction: nil), at: Instant(seconds: Double(step)), to: header)
      }
    }
    let first = try serve(registry)
    #expect(headers.openOrders == 0 && owner.endings == 3 * 41)
    let last = headers[1]?.state.shown
    try headers.workerDied(nil, reason: "its process was killed", at: 1)
    headers.close(2)
    let again = try serve(registry)
    #expect(headers.openOrders == 0 && again * 4 < first, "\(again) bytes again, \(first) at first")
    #expect(headers[1]?.state.shown == last && headers[3]?.state.shown == last)
    try headers.workerDied(nil, reason: "its process was killed", at: 2)
    // One of several is to be tried by itself.
    owner.letGo = { _ = headers.release($0) }
    _ = try serve(PluginRegistry(folders: []))
    #expect(headers.openOrders == 0 && owner.refused == [1] && owner.lost == [3] && owner.endings == 3 * 41)
  }

  /// The real program, killed at any moment.
  @Test(arguments: 1...3) func aKilledProcessLosesNothing(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let registry = try Self.registry()
    let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    let owner = Listener()
    let headers = RemoteHeaders(provider: mirrors)
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
    var worker = try Worker(behaviors, registry)
    for _ in 1...60 {
      for _ in 0...random.below(40) {
        let index = random.below(4)
        let (input, time) = try inputs[index].next()
        _ = try? locals[index].apply(input, at: time, provider: registry) { expected[index].append($0.line) }
        headers.apply(input, at: time, to: UInt32(index))
        given += 1
      }
      try worker.send(headers.takeOutput(), for: headers)
      // So that neither side waits for the other to read.
      try worker.read(to: headers, until: { !worker.hasSaidMore })
      if random.oneIn(4) {
        // While it is at work on what it was just sent, or done with it.
        if random.oneIn(2) { _ = waitUntilReady([], seconds: Double(random.below(20)) / 10_000) }
        worker.kill()
        try worker.read(to: headers, until: { false })
        deaths += 1
        worker = try Worker(behaviors, registry)
        try headers.workerDied(nil, reason: "", at: 0)
        try worker.send(headers.takeOutput(), for: headers)
      }
    }
    try worker.read(to: headers, until: { owner.endings == given })
    worker.kill()
    #expect(deaths > 5 && owner.endings == given)
    for index in behaviors.indices {
      #expect(owner.states[UInt32(index)] ?? [] == expected[index], "\(behaviors[index])")
      #expect(headers[UInt32(index)]?.state.shown == locals[index].state.shown)
    }
  }
}

private final class Listener: RemoteHeaderOwner {
  var states: [UInt32: [String]] = [:]
  var endings = 0
  var bypassed: [String] = []
  var lost: [UInt32] = []
  var restarted: [UInt32] = []
  func emitted(_ state: borrowing HeaderState, of header: UInt32) { states[header, default: []].append(state.line) }
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { endings += 1 }
  func lost(_ header: UInt32, _ error: HeaderError) { lost.append(header) }
  func restarted(_ header: UInt32) { restarted.append(header) }
  var refused: [UInt32] = []
  var letGo: ((UInt32) -> Void)?
  func refusedAgain(_ header: UInt32, _ error: HeaderError) {
    refused.append(header)
    letGo?(header)
  }
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 {
    if let delegate { bypassed.append(delegate) }
    return 2
  }
  func bypassed(_ delegate: String, of header: UInt32, reason: String) { bypassed.append(delegate) }
  func logged(_ line: PluginLogLine) {}
  func leaderMoved(_ header: UInt32) {}
}

/// headerd-worker with its plugins.
private final class Worker {
  private let program: StartedProgram
  private var unread: [UInt8] = []
  private var isDead = false

  init(_ plugins: [String], _ registry: PluginRegistry) throws {
    let page = try SharedPage()
    let files = try registry.set(forThread: 0).files(of: plugins)
    program = try startProgram(
      "\(TestFiles.prefix)/libexec/headerd/headerd-worker",
      ["serve", TestFiles.isSanitized ? "0" : "268435456", Limits().text] + files.map(\.name),
      environment: ["SWIFT_BACKTRACE=enable=no"], descriptors: [page.descriptor] + files.map(\.descriptor)
    ) { $0() }
  }

  /// Sends orders, and reads what is said meanwhile, so that neither side waits for the other.
  func send(_ bytes: [UInt8], for headers: RemoteHeaders) throws {
    var left = bytes[...]
    while !isDead, !left.isEmpty {
      let ready = waitUntilReady([Wait(program.socket, for: .both)])[0]
      if ready.canRead { try read(to: headers, until: { !hasSaidMore }) }
      if ready.canWrite, let count = try? writeSome(left, to: program.socket) { left.removeFirst(count) }
    }
  }

  func kill() {
    program.kill()
    isDead = true
  }

  var hasSaidMore: Bool { waitUntilReady([Wait(program.socket, for: .reading)], seconds: 0)[0].canRead }

  /// Reads until there is nothing any more, or enough.
  func read(to headers: RemoteHeaders, until isEnough: () -> Bool) throws {
    while !isEnough() {
      _ = waitUntilReady([Wait(program.socket, for: .reading)])
      guard let more = try? readSome(from: program.socket), !more.isEmpty else { return }
      unread += more
      let bytes = unread
      let taken = try unsafe headers.receive(bytes.span.bytes)
      unread.removeFirst(taken)
    }
  }
}
