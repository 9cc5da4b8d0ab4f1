// SPDX-License-Identifier: MIT
//
// Nodes with the real ownership protocol, beside a model of all the rest: a bucket with compare-and-set whose answers get lost and
// whose writes may be carried out late, daemons that only count, crashes, partitions, clocks that run too fast or too slowly. All
// of it from one seed.

import Clocks
import HeaderTestKit

import Realm

/// What happens later.
struct Agenda {
  private var items: [(time: MonotonicTime, order: Int, action: (RealmWorld) -> Void)] = []
  private var count = 0

  mutating func add(_ time: MonotonicTime, _ action: @escaping (RealmWorld) -> Void) {
    count += 1
    var range = items.indices.lowerBound..<items.endIndex
    // The latest first.
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if items[middle].time > time { range = middle + 1..<range.upperBound } else { range = range.lowerBound..<middle }
    }
    items.insert((time, count, action), at: range.lowerBound)
  }

  mutating func next() -> (time: MonotonicTime, action: (RealmWorld) -> Void)? {
    items.popLast().map { ($0.time, $0.action) }
  }
}

/// JetStream, as far as the protocol uses it.
struct Bucket {
  private(set) var last: [Cell: LastMessage] = [:]
  private(set) var logs: [String: [(number: UInt64, bytes: [UInt8])]] = [:]
  private var number: UInt64 = 0
  /// There is no room.
  var isFull = false
  /// Messages of logs that nobody wrote who may.
  private var forged: Set<UInt64> = []

  mutating func forge(_ header: String, _ bytes: [UInt8]) {
    number += 1
    forged.insert(number)
    last[.log(header)] = LastMessage(number: number, bytes: bytes)
    logs[header, default: []].append((number, bytes))
  }

  mutating func put(_ cell: Cell, _ bytes: [UInt8], expecting: UInt64) -> Answer {
    guard last[cell]?.number ?? 0 == expecting else { return .conflict }
    if isFull { return .refused("full") }
    number += 1
    last[cell] = LastMessage(number: number, bytes: bytes)
    if case .log(let header) = cell { logs[header, default: []].append((number, bytes)) }
    return .stored(number)
  }

  func history(_ header: String, saved: LastMessage) -> History {
    let log = logs[header] ?? []
    let base = SavedRecord(saved.bytes)?.base ?? 0
    let (history, refused) = History.reading(
      saved: saved, log: log.filter { $0.number > base }.map { LastMessage(number: $0.number, bytes: $0.bytes) },
      tail: log.last?.number ?? 0, maxEpoch: Ownership.Settings().maxEpoch)
    let foreign = log.filter { $0.number > base && forged.contains($0.number) }.map { "log \($0.number)" }
    precondition(refused == foreign, "refused are \(refused), forged \(foreign)")
    return history
  }
}

/// One machine: a daemon and its bridge.
final class SimulatedNode {
  let name: NodeName
  var ownership: Ownership
  var life = 0
  var isUp = true
  var isCutOff = false
  /// Its clock: what a second is to it, and where it begins.
  let rate: Double
  let offset: Int64
  /// The daemon: by header, the epoch and the steps applied.
  var headers: [String: (epoch: Int64, steps: [Int])] = [:]
  var lastEpoch: Int64 = 0
  /// Which steps the recording has told, in order.
  var told: [String: [Int]] = [:]
  var lastWord: MonotonicTime = 0

  init(_ name: NodeName, rate: Double, offset: Int64) {
    self.name = name
    self.rate = rate
    self.offset = offset
    ownership = Ownership(node: self.name, process: "0")
  }

  func clock(_ time: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(Double(time.nanoseconds) * rate) + offset)
  }
}

final class RealmWorld {
  var random: SplitMix64
  var agenda = Agenda()
  var bucket = Bucket()
  var nodes: [SimulatedNode] = []
  let headers: [String]
  var now: MonotonicTime = 0
  var failures: [String] = []
  /// By header, the steps that somebody was told are kept.
  var acknowledged: [String: Set<Int>] = [:]
  var publishers: [String: String] = [:]
  var takeovers = 0
  private var lastStep = 0
  private var isCalm = false

  static let millisecond: Int64 = 1_000_000
  private static let requestTimeout = 400 * millisecond

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    headers = (0..<(2 + random.below(5))).map { "shop.\($0)" }
    for index in 0..<(2 + random.below(3)) {
      let rate = random.oneIn(3) ? 0.6 + Double(random.below(80)) / 100 : 1
      guard let name = NodeName("n\(index)") else { continue }
      nodes.append(SimulatedNode(name, rate: rate, offset: Int64(random.below(5_000)) * Self.millisecond))
    }
    for node in nodes { start(node) }
    for header in headers { later(1_500 + random.below(1_000)) { $0.open(header) } }
    for _ in 0..<12 { later(random.below(20_000)) { $0.misfortune() } }
    for index in 0..<400 { later(2_000 + index * 50 + random.below(50)) { $0.event() } }
  }

  func later(_ milliseconds: Int, _ action: @escaping (RealmWorld) -> Void) {
    agenda.add(now + Int64(milliseconds) * Self.millisecond, action)
  }

  func run(untilMilliseconds end: Int64) {
    while now.nanoseconds < end * Self.millisecond, let (time, action) = agenda.next() {
      now = max(now, time)
      action(self)
    }
  }

  // MARK: - Nodes

  private func start(_ node: SimulatedNode) {
    node.life += 1
    node.isUp = true
    node.ownership = Ownership(node: node.name, process: "\(node.life)")
    node.headers = [:]
    node.told = [:]
    node.ownership.daemon(isThere: true, at: node.clock(now))
    connect(node)
    beat(node, node.life)
  }

  private func connect(_ node: SimulatedNode) {
    node.ownership.connected(at: node.clock(now))
    // What the table says now.
    for header in headers {
      guard let last = bucket.last[.owner(header)], let row = OwnerRecord(last.bytes) else { continue }
      node.ownership.saw(row, header, revision: last.number, at: node.clock(now))
    }
    perform(node)
  }

  private func beat(_ node: SimulatedNode, _ life: Int) {
    guard node.isUp, node.life == life else { return }
    if !node.isCutOff {
      let lease = LeaseRecord(node: node.name, process: "\(life)", isServing: true)
      for other in nodes { send(to: other) { $0.ownership.heard(lease, at: $1) } }
    }
    node.ownership.tick(at: node.clock(now))
    perform(node)
    later(random.oneIn(50) && !isCalm ? random.below(3_000) : Int(100 / node.rate)) { $0.beat(node, life) }
  }

  private func send(to node: SimulatedNode, _ body: @escaping (SimulatedNode, MonotonicTime) -> Void) {
    let life = node.life
    later(1 + random.below(8)) { world in
      guard node.isUp, node.life == life, !node.isCutOff else { return }
      body(node, node.clock(world.now))
      world.perform(node)
    }
  }

  private func misfortune() {
    let node = nodes[random.below(nodes.count)]
    if random.oneIn(8) {
      bucket.isFull = true
      return later(100 + random.below(1_000)) { $0.bucket.isFull = false }
    }
    if random.oneIn(8) {
      let forgeries = ["", "garbage", #"{"epoch":9007199254740991,"owner":"x","first":0,"steps":0,"nonce":"x"}"#]
      return bucket.forge(headers[random.below(headers.count)], Array(forgeries[random.below(3)].utf8))
    }
    if random.oneIn(2) {
      guard node.isUp else { return }
      node.isUp = false
      later(200 + random.below(4_000)) { $0.start(node) }
    } else {
      guard !node.isCutOff else { return }
      node.isCutOff = true
      let notices = random.oneIn(2)
      if notices { node.ownership.disconnected() }
      later(100 + random.below(4_000)) { world in
        node.isCutOff = false
        guard node.isUp else { return }
        node.ownership.disconnected()
        world.connect(node)
      }
    }
  }

  // MARK: - Clients

  private func open(_ header: String) {
    // A header whose opening nobody was told of may be gone with its owner; its client tries again.
    let row = bucket.last[.owner(header)].flatMap { OwnerRecord($0.bytes) }
    guard row == nil || row?.state == .closed else { return later(800) { $0.open(header) } }
    let node = nodes.first { $0.isUp && $0.ownership.place(of: header) == $0.name }
    if let node, node.headers[header] == nil {
      node.lastEpoch = max(node.lastEpoch, node.clock(now).nanoseconds, node.ownership.floor(of: header)) + 1
      node.headers[header] = (node.lastEpoch, [])
      node.ownership.opened(header, epoch: node.lastEpoch, at: node.clock(now))
      perform(node)
    }
    later(800) { $0.open(header) }
  }

  private func event() {
    let header = headers[random.below(headers.count)]
    for node in nodes where node.isUp && node.ownership.isOwned(header) {
      guard node.headers[header] != nil else { continue }
      lastStep += 1
      let step = lastStep
      node.headers[header]?.steps.append(step)
      say(node) { node, now in
        node.told[header]?.append(step)
        node.ownership.step(header, Array("\(step)".utf8), at: now)
        // Somebody waits for every other one.
        if step % 2 == 0 { node.ownership.flush(header, at: now) }
      }
    }
  }

  /// What a daemon says comes in order.
  private func say(_ node: SimulatedNode, _ body: @escaping (SimulatedNode, MonotonicTime) -> Void) {
    let life = node.life
    node.lastWord = max(node.lastWord, now + Int64(random.below(3)) * Self.millisecond)
    agenda.add(node.lastWord) { world in
      guard node.isUp, node.life == life else { return }
      body(node, node.clock(world.now))
      world.perform(node)
    }
  }

  // MARK: - Effects

  private func perform(_ node: SimulatedNode) {
    for effect in node.ownership.takeEffects() { perform(effect, node) }
  }

  private func perform(_ effect: Ownership.Effect, _ node: SimulatedNode) {
    switch effect {
    case .put(let ticket, let cell, let bytes, let expecting):
      request(ticket, node) { world in
        let answer = world.bucket.put(cell, bytes, expecting: expecting)
        if case .stored(let number) = answer, case .owner(let header) = cell, let row = OwnerRecord(bytes) {
          for other in world.nodes {
            world.send(to: other) { $0.ownership.saw(row, header, revision: number, at: $1) }
          }
        }
        return answer
      }
    case .last(let ticket, let cell):
      request(ticket, node) { .last($0.bucket.last[cell] ?? LastMessage()) }
    case .history(let ticket, let header):
      let saved = bucket.last[.saved(header)] ?? LastMessage()
      // Read at two moments, as it is in truth.
      request(ticket, node) { .history($0.bucket.history(header, saved: saved)) }
    case .restore(let header, let content, let steps, let after): restore(node, header, content, steps, after)
    case .record(let header):
      say(node) { node, _ in node.told[header] = node.told[header] ?? [] }
      guard let present = node.headers[header] else { return }
      let steps = present.steps.map(String.init).joined(separator: " ")
      let content = Array("{\"description\":{},\"saved\":{\"steps\":\" \(steps) \"}}".utf8)
      say(node) { $0.ownership.snapshot(header, content, at: $1) }
    case .close(let header):
      node.headers[header] = nil
      say(node) { node, now in
        node.told[header] = nil
        node.ownership.closed(header, at: now)
      }
    case .owns(let header, let epoch): owns(node, header, epoch)
    case .lost(let header): node.told[header] = nil
    case .refused: break
    case .acknowledged(let header, let steps):
      let told = node.told[header] ?? []
      acknowledged[header, default: []].formUnion(told.prefix(steps))
    }
  }

  private func owns(_ node: SimulatedNode, _ header: String, _ epoch: Int64) {
    node.told[header] = []
    let key = "\(header) \(epoch)"
    if let other = publishers[key], other != "\(node.name.text).\(node.life)" {
      failures.append("\(key) is published by \(other) and \(node.name.text).\(node.life)")
    }
    publishers[key] = "\(node.name.text).\(node.life)"
    check(node, header, "takes it over")
  }

  func check(_ node: SimulatedNode, _ header: String, _ moment: String) {
    let present = node.headers[header]?.steps ?? []
    let missing = (acknowledged[header] ?? []).subtracting(present)
    if !missing.isEmpty { failures.append("\(header): \(node.name.text) \(moment) without \(missing.sorted())") }
    if Set(present).count != present.count { failures.append("\(header): \(node.name.text) has steps twice") }
  }

  private func restore(
    _ node: SimulatedNode, _ header: String, _ content: [UInt8], _ steps: [[UInt8]], _ after: Int64
  ) {
    takeovers += 1
    let life = node.life
    later(random.below(20)) { world in
      guard node.isUp, node.life == life else { return }
      let saved = String(decoding: content, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      node.lastEpoch = max(node.lastEpoch + 1, node.clock(world.now).nanoseconds, after + 1)
      node.headers[header] = (node.lastEpoch, saved + steps.compactMap { Int(String(decoding: $0, as: UTF8.self)) })
      let epoch = node.lastEpoch
      world.say(node) { $0.ownership.restored(header, epoch: epoch, at: $1) }
    }
  }

  private func request(
    _ ticket: UInt64, _ node: SimulatedNode, _ body: @escaping (RealmWorld) -> Answer
  ) {
    let life = node.life
    var isAnswered = false
    func answer(_ world: RealmWorld, _ answer: Answer) {
      guard !isAnswered, node.isUp, node.life == life else { return }
      isAnswered = true
      node.ownership.answered(ticket, answer, at: node.clock(world.now))
      world.perform(node)
    }
    agenda.add(now + Self.requestTimeout) { answer($0, .unknown) }
    // Some get lost on the way, some arrive long after nobody waits for them, and of some the answer is lost.
    let isSlow = !isCalm && random.oneIn(20)
    if node.isCutOff, random.oneIn(2) { return }
    later(isSlow || node.isCutOff ? random.below(3_000) : 1 + random.below(4)) { world in
      let result = body(world)
      if node.isCutOff || (!world.isCalm && world.random.oneIn(40)) { return }
      world.later(1 + world.random.below(4)) { answer($0, result) }
    }
  }

  // MARK: - The end

  /// No more misfortunes.
  func calm() {
    isCalm = true
    for node in nodes {
      if !node.isUp { start(node) }
      node.isCutOff = false
      node.ownership.disconnected()
      connect(node)
    }
  }

  func checkEnd() {
    for header in headers {
      let owners = nodes.filter { $0.ownership.isOwned(header) }
      guard owners.count == 1, let owner = owners.first else {
        let row = bucket.last[.owner(header)].flatMap { OwnerRecord($0.bytes) }
        failures.append(
          "\(header) has the owners \(owners.map(\.name.text)), the table says \(String(describing: row))")
        continue
      }
      check(owner, header, "has it in the end")
      if owner.ownership.place(of: header) != owner.name { failures.append("\(header) is not where it belongs") }
      for node in nodes where node !== owner && node.headers[header] != nil {
        failures.append("\(header) is open in \(node.name.text), too")
      }
    }
  }
}
