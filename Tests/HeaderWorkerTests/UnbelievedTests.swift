// SPDX-License-Identifier: MIT
//
// What a worker says is not believed: without an order, against its description, about what it was doing.

import Clocks
import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Testing

@Suite struct UnbelievedTests {
  private final class Listener: RemoteHeaderOwner {
    func emitted(_ state: borrowing HeaderState, of header: UInt32) {}
    func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {}
    func lost(_ header: UInt32, _ error: HeaderError) {}
    var restarts = 0
    func restarted(_ header: UInt32) { restarts += 1 }
    func refusedAgain(_ header: UInt32, _ error: HeaderError) {}
    func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 2 }
    func bypassed(_ delegate: String, of header: UInt32, reason: String) {}
    func logged(_ line: PluginLogLine) {}
    func leaderMoved(_ header: UInt32) {}
  }

  /// A header in a worker, and what the worker says.
  private final class Scene {
    let registry: PluginRegistry
    let headers: RemoteHeaders
    let mirror: Header
    let owner = Listener()
    private var engine: WorkerEngine

    init() throws {
      registry = try SupervisedTests.registry()
      engine = WorkerEngine(provider: registry, limits: Limits())
      let mirrors = MirrorProvider(registry.plugins.flatMap(\.behaviors))
      headers = RemoteHeaders(provider: mirrors)
      headers.owner = owner
      var description = HeaderDescription.bench
      description.delegates = [DelegateDescription(behavior: "ShyNavBar")]
      mirror = try Header(description, epoch: 1, provider: mirrors)
      headers.open(1, mirror, from: nil)
      for message in try said() { try hear(message) }
    }

    /// What the worker says of the orders, message by message.
    func said() throws -> [[UInt8]] {
      _ = try unsafe engine.receive(headers.takeOutput().span.bytes)
      var (rest, messages) = (engine.takeOutput()[...], [[UInt8]]())
      while !rest.isEmpty {
        let size = 4 + rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        messages.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      return messages
    }

    func hear(_ message: [UInt8]) throws { _ = try unsafe headers.receive(message.span.bytes) }

    func newWorker() { engine = WorkerEngine(provider: registry, limits: Limits()) }
  }

  @Test func whoWasOrderedNothingHasNothingToSay() throws {
    let scene = try Scene()
    scene.headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: Instant(seconds: 1), to: 1)
    let messages = try scene.said()
    for message in messages { try scene.hear(message) }
    for message in messages { #expect(throws: Malformed.self) { try scene.hear(message) } }
    #expect(scene.headers.openOrders == 0)
    // About one that was let go of as well.
    scene.headers.close(1)
    #expect(throws: Malformed.self) { try scene.hear(messages[messages.count - 1]) }
  }

  /// A process may say what it has to say byte by byte.
  @Test func theEndsOfOrdersAreFoundInPieces() throws {
    let scene = try Scene()
    for offset in [10.0, 20, 30] {
      scene.headers.apply(.scroll(to: PartialPoint(y: offset), correction: nil), at: Instant(seconds: offset), to: 1)
    }
    var (ended, left, count) = (EndedOrders(), [UInt8](), 0)
    var (ends, found) = ([Int](), [Int]())
    for message in try scene.said() {
      for byte in message {
        left.append(byte)
        count += 1
        let taken = try unsafe ended.count(in: left.span.bytes)
        left.removeFirst(taken)
        if taken > 0 { found.append(count) }
      }
      // Behind the size: the kind of an end.
      if message[4] == 5 { ends.append(count) }
    }
    #expect(found == ends && ends.count == 3 && left.isEmpty)
  }

  /// Between a description and its first state nobody sees one without the other.
  @Test func aDescriptionComesWithItsState() throws {
    let scene = try Scene()
    scene.headers.apply(
      .configure(["drawers": [["name": "a", "height": 9], ["name": "b", "height": 3], ["name": "c", "height": 1]]]),
      at: nil, to: 1)
    let messages = try scene.said()
    #expect(messages.count >= 3)
    for message in messages {
      try scene.hear(message)
      let (state, description) = (scene.mirror.state, scene.mirror.description)
      #expect(state.drawers.count == description.drawers.count)
      #expect(state.names.drawers.count == description.drawers.count)
      #expect(state.elements.count == state.names.elements.count)
    }
    #expect(scene.mirror.description.drawers.map(\.name) == ["a", "b", "c"])
    #expect(scene.mirror.state.drawers.map(\.size.height) == [9, 3, 1])
  }

  @Test func aDescriptionWithoutAStateIsRefused() throws {
    let scene = try Scene()
    scene.headers.apply(.configure(["drawers": [["name": "a", "height": 9]]]), at: nil, to: 1)
    let messages = try scene.said()
    try scene.hear(messages[0])
    #expect(throws: Malformed.self) { try scene.hear(messages[messages.count - 1]) }
  }

  /// The page that says what a worker was doing is written by its plugins.
  @Test func whatItWasDoingMayBeAnything() throws {
    let scene = try Scene()
    for (order, delegate) in [(0x7fff_ffff, 0), (2, 0), (1, 500), (0, 0)] {
      scene.headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: nil, to: 1)
      let fault = WorkerFault(header: 1, order: order, delegate: delegate)
      _ = scene.headers.name(of: fault)
      try scene.headers.workerDied(fault, reason: "its process crashed", at: 0)
      scene.newWorker()
      for message in try scene.said() { try scene.hear(message) }
    }
    #expect(scene.mirror.state.scrollViews[0].contentOffset.y == 10)
    #expect(scene.headers.openOrders == 0)
  }

  /// A plugin of another header has written into the memory that both have, so that the worker does not find a header any more: the owner
  /// is not told that it was never opened, and the next worker has it.
  @Test func aWorkerThatForgetsAHeaderIsCorrupted() throws {
    let (scene, other) = (try Scene(), try Scene())
    for each in [scene, other] {
      each.headers.apply(.scroll(to: PartialPoint(y: 10), correction: nil), at: Instant(seconds: 1), to: 1)
    }
    for message in try other.said() { try other.hear(message) }
    scene.newWorker()
    #expect(throws: Malformed.self) { for message in try scene.said() { try scene.hear(message) } }
    try scene.headers.workerDied(nil, reason: "its process sent what cannot be read", at: 0)
    scene.newWorker()
    for message in try scene.said() { try scene.hear(message) }
    #expect(scene.mirror.state.seq == 2 && scene.mirror.state.epoch == 1 && scene.headers.openOrders == 0)
    #expect(scene.mirror.state.shown == other.mirror.state.shown)
  }

  /// A plugin of another header has written into the memory that both have, so that a state was left out, or one came too many: the same
  /// orders come to other states in the next worker, and with these the header goes on.
  @Test(arguments: [0, 2]) func statesOfACorruptedWorkerAreNotWaitedFor(_ states: Int) throws {
    let scene = try Scene()
    func scroll(to offset: Double) {
      scene.headers.apply(.scroll(to: PartialPoint(y: offset), correction: nil), at: Instant(seconds: offset), to: 1)
    }
    scroll(to: 10)
    let messages = try scene.said()
    #expect(messages.count == 2)
    for index in 0..<states {
      // Behind the size, the kind and the header's number.
      var state = messages[0]
      state[9] += UInt8(index)
      try scene.hear(state)
    }
    try scene.hear(messages[1])
    #expect(scene.mirror.state.seq == 1 + Int64(states))
    try scene.headers.workerDied(nil, reason: "its process crashed", at: 0)
    scroll(to: 20)
    scene.newWorker()
    #expect(throws: Malformed.self) { for message in try scene.said() { try scene.hear(message) } }
    #expect(scene.mirror.state.epoch == 1 && scene.owner.restarts == 0)
    try scene.headers.workerDied(nil, reason: "its process sent what cannot be read", at: 1)
    scene.newWorker()
    for message in try scene.said() { try scene.hear(message) }
    #expect(scene.owner.restarts == 1 && scene.mirror.state.epoch == 2 && scene.mirror.state.seq == 3)
    #expect(scene.mirror.state.scrollViews[0].contentOffset.y == 20)
    #expect(scene.headers.openOrders == 0)
    // One that dies after it has come there is followed by the same.
    try scene.headers.workerDied(nil, reason: "its process was killed", at: 2)
    scene.newWorker()
    for message in try scene.said() { try scene.hear(message) }
    #expect(scene.owner.restarts == 1 && scene.mirror.state.epoch == 2 && scene.mirror.state.seq == 3)
  }
}
