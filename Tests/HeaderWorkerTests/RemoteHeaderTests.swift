// SPDX-License-Identifier: MIT
//
// A header whose engine is elsewhere is the same header: states, answers, refusals, what clients are sent and asked, when it wakes
// and what it saves are those of a header here, byte for byte. The bytes between the two go through memory.

import Clocks
import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Testing

/// A worker's engine and the daemon's side of it.
private final class Pair: RemoteHeaderOwner {
  let registry: PluginRegistry
  var engine: WorkerEngine
  let remote: RemoteHeaders
  var states: [String] = []
  var results: [Result<RemoteOutcome, HeaderError>] = []
  let mirrors: MirrorProvider

  init(_ registry: PluginRegistry) {
    self.registry = registry
    engine = WorkerEngine(provider: registry, limits: Limits())
    mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
    remote = RemoteHeaders(provider: mirrors)
    remote.owner = self
  }

  func emitted(_ state: borrowing HeaderState, of header: UInt32) { states.append(state.line) }
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) { results.append(result) }
  func lost(_ header: UInt32, _ error: HeaderError) { Issue.record("header \(header): \(error.message)") }
  func restarted(_ header: UInt32) { Issue.record("header \(header) is restarted") }
  func refusedAgain(_ header: UInt32, _ error: HeaderError) { Issue.record("header \(header): \(error.message)") }
  func bypassed(_ delegate: String, of header: UInt32, reason: String) { Issue.record("\(delegate) is bypassed") }
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 2 }
  func leaderMoved(_ header: UInt32) {}
  func logged(_ line: PluginLogLine) {}

  /// Hands all bytes over.
  func exchange() throws {
    let orders = remote.takeOutput()
    let taken = try unsafe engine.receive(orders.span.bytes)
    let news = engine.takeOutput()
    let read = try unsafe remote.receive(news.span.bytes)
    #expect(taken == orders.count && read == news.count)
  }

  func open(_ description: HeaderDescription, saved: Value? = nil) throws -> Header {
    let mirror = try Header(description, epoch: 1, provider: mirrors)
    results = []
    remote.open(1, mirror, from: saved)
    try exchange()
    _ = try #require(results.first).get()
    return mirror
  }

  /// Has one input applied: what comes of it.
  func apply(_ input: HeaderInput, at time: Instant?) throws -> Result<RemoteOutcome, HeaderError>? {
    results = []
    states = []
    remote.apply(input, at: time, to: 1)
    try exchange()
    #expect(results.count == 1)
    return results.first
  }

  func save() throws -> Value? {
    results = []
    remote.order(.save(clients: true), of: 1)
    try exchange()
    guard case .success(.saved(let save))? = results.first else { return nil }
    return try save.value()
  }
}

@Suite struct RemoteHeaderTests {
  private static let behaviors = ["ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar"]

  private static func registry() throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [TestFiles.build])
    for name in behaviors + ["Keyframes"] { try registry.load(name) }
    return registry
  }

  private static func description(_ behavior: String) -> HeaderDescription {
    var description = HeaderDescription.bench
    description.drawers[0].elements = ["background", "title"].map { ElementDescription(name: $0) }
    description.delegates = [DelegateDescription(behavior: behavior)]
    return description
  }

  /// What an input came to, to compare.
  private static func text(_ outcome: HeaderOutcome) -> String {
    switch outcome {
    case .handled: "handled"
    case .waiting: "waiting"
    case .added(let place): "added at \(place)"
    case .decided(let answer):
      "decided \(answer.seq) \(answer.recorded(of: .willEndDragging).fields) \(answer.failure.map { "\($0)" } ?? "")"
    }
  }

  private static func text(_ result: Result<RemoteOutcome, HeaderError>?) -> String {
    switch result {
    case .success(.applied(let outcome)): text(outcome)
    case .failure(let error): "\(error)"
    default: "nothing of the kind"
    }
  }

  @Test(arguments: behaviors, 1...6) func itIsTheSameHeader(_ behavior: String, _ seed: Int) throws {
    let registry = try Self.registry()
    let pair = Pair(registry)
    let description = Self.description(behavior)
    let local = try Header(description, epoch: 1, provider: registry)
    let mirror = try pair.open(description)
    #expect(mirror.state.shown == local.state.shown)
    var inputs = RandomInputs(random: SplitMix64(seed: UInt64(seed)))
    for step in 1...300 {
      let (input, time) = try inputs.next()
      if case .scroll = input, local.hasInterceptors { continue }
      var states: [String] = []
      let expected: String
      do throws(HeaderError) {
        expected = Self.text(try local.apply(input, at: time, provider: registry) { states.append($0.line) })
      } catch {
        expected = "\(error)"
      }
      let answer = try pair.apply(input, at: time)
      let place: Comment = "step \(step): \(input)"
      #expect(Self.text(answer) == expected, place)
      #expect(pair.states == states, place)
      #expect(mirror.state.shown == local.state.shown, place)
      #expect(mirror.state.drawers == local.state.drawers && mirror.state.elements == local.state.elements, place)
      #expect(mirror.state.scrollViews == local.state.scrollViews, place)
      #expect(mirror.description == local.description && mirror.now == local.now, place)
      #expect(mirror.nextDue == local.nextDue && mirror.hasTime == local.hasTime, place)
      #expect(mirror.failure == local.failure && mirror.isWaiting == local.isWaiting, place)
      #expect(mirror.hasListeners == local.hasListeners, place)
      #expect(
        mirror.delegates.indices.map { mirror.isBypassed($0) } == local.delegates.indices.map { local.isBypassed($0) })
      let (mine, its) = (local.takeClientEvents(), mirror.takeClientEvents())
      #expect(mine.map { "\($0)" } == its.map { "\($0)" }, place)
      #expect(local.takeRemarks()?.unknown == mirror.takeRemarks()?.unknown, place)
      if pair.states != states { break }
    }
    #expect(try pair.save() == local.save())
  }

  /// Drawers of two movers hang on one another; in a mirror, which moves none, there is nothing to hang them on.
  @Test func drawersOfTwoMoversAreReplaced() throws {
    let registry = try Self.registry()
    let pair = Pair(registry)
    var description = Self.description("FlexibleHeader")
    description.delegates.append(DelegateDescription(behavior: "StretchyHeader", options: ["yields": true]))
    let mirror = try pair.open(description)
    let local = try Header(description, epoch: 1, provider: registry)
    for drawers: Value in [
      [["name": "card", "height": 60]],
      [["name": "a", "height": 9], ["name": "b", "height": 3], ["name": "c", "height": 1]],
    ] {
      _ = try local.apply(.configure(["drawers": drawers]), at: nil, provider: registry)
      _ = try pair.apply(.configure(["drawers": drawers]), at: nil)?.get()
      #expect(mirror.state.shown == local.state.shown)
    }
  }

  /// Records lie in memory as at home whatever they hold: elements of drawers at two edges, content that is no plain column.
  @Test func recordsOfAllEdgesAreTheSame() throws {
    let registry = try Self.registry()
    let pair = Pair(registry)
    var description = Self.description("ShyNavBar")
    description.drawers[1].edge = .bottom
    description.drawers[1].elements = [ElementDescription(name: "tabs"), ElementDescription(name: "badge")]
    description.scrollViews[0].axis = .horizontal
    description.scrollViews[0].isReversed = true
    let local = try Header(description, epoch: 1, provider: registry)
    let mirror = try pair.open(description)
    for step in 1...20 {
      let input = HeaderInput.scroll(to: PartialPoint(x: Double(step) * 7.5, y: Double(step)), correction: nil)
      _ = try local.apply(input, at: Instant(seconds: Double(step)), provider: registry) { _ in }
      _ = try pair.apply(input, at: Instant(seconds: Double(step)))
      #expect(mirror.state.drawers == local.state.drawers && mirror.state.elements == local.state.elements)
      #expect(mirror.state.scrollViews == local.state.scrollViews)
    }
    #expect(mirror.state.elements.map(\.drawer) == [0, 0, 1, 1])
    #expect(mirror.state.scrollViews[0].flow == .horizontalReversed)
  }

  /// A worker that died is replaced by one that gets the last save and the inputs since.
  @Test(arguments: behaviors, 1...4) func aNewWorkerGoesOnWhereTheOldOneWas(_ behavior: String, _ seed: Int) throws {
    let registry = try Self.registry()
    let pair = Pair(registry)
    let local = try Header(Self.description(behavior), epoch: 1, provider: registry)
    _ = try pair.open(Self.description(behavior))
    var inputs = RandomInputs(random: SplitMix64(seed: UInt64(seed)))
    func apply(_ input: HeaderInput, at time: Instant?) throws {
      var states: [String] = []
      _ = try? local.apply(input, at: time, provider: registry) { states.append($0.line) }
      _ = try pair.apply(input, at: time)
      #expect(pair.states == states)
    }
    for _ in 1...8 {
      for _ in 1...20 {
        let (input, time) = try inputs.next()
        try apply(input, at: time)
      }
      let saved = try #require(try pair.save())
      let description = try #require(pair.remote[1]).description
      var since: [(HeaderInput, Instant?)] = []
      for _ in 1...20 {
        since.append(try inputs.next())
        try apply(since[since.count - 1].0, at: since[since.count - 1].1)
      }
      pair.engine = WorkerEngine(provider: registry, limits: Limits())
      _ = try pair.open(description, saved: saved)
      for (input, time) in since { _ = try pair.apply(input, at: time) }
      #expect(pair.remote[1]?.state.shown == local.state.shown)
    }
  }

  /// What a worker says that runs foreign code is believed in nothing.
  @Test(arguments: 1...20) func spoiledBytesAreNoTrap(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let registry = try Self.registry()
    let pair = Pair(registry)
    _ = try pair.open(Self.description("ShyNavBar"))
    var inputs = RandomInputs(random: SplitMix64(seed: UInt64(seed)))
    var refused = 0
    for _ in 1...200 {
      let (input, time) = try inputs.next()
      pair.remote.apply(input, at: time, to: 1)
      let orders = pair.remote.takeOutput()
      _ = try unsafe pair.engine.receive(orders.span.bytes)
      var news = pair.engine.takeOutput()
      for _ in 0...random.below(3) where !news.isEmpty { news[random.below(news.count)] = UInt8(random.below(256)) }
      do {
        _ = try unsafe pair.remote.receive(news.span.bytes)
      } catch {
        refused += 1
        #expect(!error.reason.isEmpty)
      }
      let state = try #require(pair.remote[1]).state
      #expect(state.drawers.allSatisfy { $0.hasValidMemory } && state.scrollViews.allSatisfy { $0.hasValidMemory })
    }
    #expect(refused > 20)
  }
}
