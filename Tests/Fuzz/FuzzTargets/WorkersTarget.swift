// SPDX-License-Identifier: MIT
//
// Conversations with a service whose headers are in processes, and the processes lie: what they say is spoiled, left out, said
// twice, invented, and they die at any time. What must hold is what holds of any conversation; and the daemon's orders are right
// whatever it was told.
//
//     how long the script is │ script of the conversation … │ lies …

internal import Clocks
internal import HeaderHost
internal import HeaderModel
internal import HeaderService
internal import HeaderTestKit
internal import HeaderTrace
internal import HeaderWorker
package import PluginHost

package final class WorkersTarget: FuzzTarget {
  package static let name = "workers"
  private let plugins: PluginRegistry
  private let script: ConversationScript

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    script = try ConversationScript(plugins)
  }

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    let end = min(input.count, 1 + Int(input.first ?? 0) % 64)
    let workers = FuzzWorkers(plugins, lies: FuzzBytes(input, from: end))
    let talk = Conversation(FuzzPlugins(plugins, in: workers))
    var steps = FuzzBytes(Array(input.prefix(end)), from: 1)
    try script.follow(&steps, in: talk)
    workers.beHonest()
    try talk.end()
    return talk.sent
  }

  package func seeds() throws -> [[UInt8]] { choices(256) }

  package let words: [String] = []
}

/// Processes that run headers, and lie as bytes choose.
final class FuzzWorkers: WorkerLaunch {
  let deadline: Int64 = 1_000_000_000
  let headers = 2
  private let plugins: PluginRegistry
  fileprivate var lies: FuzzBytes
  private var all: [Weak] = []
  /// What was wrong with an order.
  fileprivate(set) var complaint: String?

  private struct Weak { weak var worker: FuzzWorker? }

  init(_ plugins: PluginRegistry, lies: FuzzBytes) {
    self.plugins = plugins
    self.lies = lies
  }

  func start(for owner: any WorkerProcessOwner) throws(HeaderError) -> any WorkerProcess {
    if lies.below(32) == 31 { throw HeaderError(.behaviorFailed, "there is no process to be had") }
    let worker = FuzzWorker(plugins, for: owner, of: self)
    all.removeAll { $0.worker == nil }
    all.append(Weak(worker: worker))
    return worker
  }

  /// Nobody lies any more.
  func beHonest() { lies = FuzzBytes([]) }

  /// Nobody was ordered anything.
  var isSilent: Bool { all.allSatisfy { $0.worker?.isSilent ?? true } }

  /// Everybody says what came of the orders.
  func speak() { for entry in all { entry.worker?.speak() } }
}

/// A process that runs headers.
final class FuzzWorker: WorkerProcess {
  private let engine: WorkerEngine
  private weak var owner: (any WorkerProcessOwner)?
  private let place: FuzzWorkers
  private var orders: [UInt8] = []
  private var isAlive = true
  private(set) var ordersBegun: UInt = 0
  private(set) var running: WorkerFault?
  var usage: [PluginUsageEntry] { [] }

  init(_ plugins: PluginRegistry, for owner: any WorkerProcessOwner, of place: FuzzWorkers) {
    engine = WorkerEngine(provider: plugins, limits: Limits())
    self.owner = owner
    self.place = place
    engine.willApply = { [unowned self] _, _, _ in ordersBegun &+= 1 }
  }

  var isSilent: Bool { !isAlive || orders.isEmpty }

  func send(_ bytes: [UInt8]) { if isAlive { orders += bytes } }

  func kill() { isAlive = false }

  func speak() {
    guard !isSilent else { return }
    let given = orders
    orders = []
    do {
      if try unsafe engine.receive(given.span.bytes) != given.count { place.complaint = "an order is cut off" }
    } catch { place.complaint = "\(error)" }
    if place.lies.below(32) == 31 { return die() }
    let news = Lies.spoiled(engine.takeOutput(), &place.lies)
    guard !news.isEmpty else { return }
    // In pieces, as a socket has them.
    let cut = place.lies.below(4) == 3 ? place.lies.below(65_536) % news.count : 0
    if cut > 0 { owner?.received(Array(news[..<cut])) }
    if isAlive { owner?.received(Array(news[cut...])) }
  }

  /// It ends, and its page says anything.
  private func die() {
    isAlive = false
    if place.lies.flag() {
      let order = place.lies.pick([0, 1, 2, 3, 65, 1_000, 0x7fff_ffff])
      running = WorkerFault(
        header: UInt32(place.lies.below(4)), order: order, delegate: place.lies.pick([nil, 0, 1, 2, 500]))
    }
    owner?.ended("it crashed")
  }
}

/// What a worker says, spoiled.
private enum Lies {
  static func spoiled(_ news: [UInt8], _ bytes: inout FuzzBytes) -> [UInt8] {
    guard !bytes.isEmpty else { return news }
    var messages = self.messages(in: news)
    for _ in 0..<bytes.below(4) { spoil(&messages, &bytes) }
    var result: [UInt8] = []
    for message in messages { result += FrameBytes.integer(UInt64(message.count), 4) + message }
    if bytes.below(32) == 31 { result += bytes.some(16) }
    return result
  }

  /// The messages without their lengths.
  private static func messages(in news: [UInt8]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var rest = news[...]
    while rest.count >= 4 {
      let size = length(rest)
      messages.append(Array(rest.dropFirst(4).prefix(size)))
      rest = rest.dropFirst(4 + size)
    }
    return messages
  }

  private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func spoil(_ messages: inout [[UInt8]], _ bytes: inout FuzzBytes) {
    guard !messages.isEmpty else { return messages.append(invented(&bytes)) }
    let index = bytes.below(min(messages.count, 65_536))
    switch bytes.below(8) {
    case 0: messages.remove(at: index)
    case 1: messages.insert(messages[index], at: bytes.below(min(messages.count + 1, 65_536)))
    case 2: messages.swapAt(index, bytes.below(min(messages.count, 65_536)))
    case 3: messages.insert(invented(&bytes), at: index)
    case 4: spoilText(in: &messages[index], &bytes)
    case 5: messages[index].removeLast(min(messages[index].count, bytes.below(16)))
    case 6: plant(FrameBytes.integer(bytes.number().bitPattern, 8), in: &messages[index], &bytes)
    default: plant(bytes.flag() ? [UInt8(bytes.byte())] : wildInteger(&bytes), in: &messages[index], &bytes)
    }
  }

  private static func wildInteger(_ bytes: inout FuzzBytes) -> [UInt8] {
    let number = bytes.pick([0, 1, 2, -1, 63, 64, 1 << 31, -1 << 31, 1 << 53, 1_000_000_000, Int64.max, Int64.min])
    return FrameBytes.integer(UInt64(bitPattern: number), bytes.flag() ? 8 : 4)
  }

  /// Overwrites a part of a message.
  private static func plant(_ planted: [UInt8], in message: inout [UInt8], _ bytes: inout FuzzBytes) {
    // The kind and the header's number make another message of it.
    let start = bytes.below(8) == 0 ? 0 : 5
    guard message.count > start else { return }
    let place = start + bytes.below(min(65_536, message.count - start))
    let end = min(message.count, place + planted.count)
    message.replaceSubrange(place..<end, with: planted.prefix(end - place))
  }

  /// A message of any kind, about any header.
  private static func invented(_ bytes: inout FuzzBytes) -> [UInt8] {
    [UInt8(bytes.below(8))] + FrameBytes.integer(UInt64(bytes.below(5)), 4) + bytes.some(48)
  }

  /// Spoils one of the values in a message; its length is right afterwards.
  private static func spoilText(in message: inout [UInt8], _ bytes: inout FuzzBytes) {
    let places = message.indices.dropFirst(4).filter { place in
      message[place] == UInt8(ascii: "{") && length(message[(place - 4)...]) <= message.count - place
    }
    guard !places.isEmpty else { return }
    let place = places[bytes.below(min(65_536, places.count))]
    let old = place..<place + length(message[(place - 4)...])
    guard let value = try? Value(json: Array(message[old])) else { return }
    let text = Array(value.spoiledText(&bytes).utf8)
    message.replaceSubrange(place - 4..<old.upperBound, with: FrameBytes.integer(UInt64(text.count), 4) + text)
  }
}
