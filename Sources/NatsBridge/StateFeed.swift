// SPDX-License-Identifier: MIT
//
// States of headers elsewhere, for the clients of this bridge: one subscription at NATS for each header that a client has subscribed to,
// its last state, and its receivers. A state that is not newer than the last one is dropped: an owner that does not know yet that it has
// lost the header has an older epoch.

internal import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

/// Parts of states that do not go over NATS for all: the owner sends them to the nodes that ask.
enum StateDetail: String, CaseIterable {
  /// Routine notices, calls and offsets (`include`).
  case included
  /// These, and why the state is there (`explain`).
  case explained
}

/// What a client asked for, of headers elsewhere.
struct RemoteSubscription {
  let id: Int
  let patterns: [String]
  let takesEvery: Bool
  /// Nanoseconds between two states.
  let interval: Int64
  let fields: [String]?
  let resumePoints: [String: (epoch: Int64, seq: Int64)]
  /// The additional parts that it asks for (`include`, `explain`).
  let routine: Bool
  let calls: Bool
  let offsets: Bool
  let explained: Bool

  /// The detail that it needs from the owner; nil: none.
  var detail: StateDetail? { explained ? .explained : routine || calls || offsets ? .included : nil }

  init(id: Int, _ params: Value) {
    self.id = id
    patterns = if case .text(let glob)? = params["headers"] { [glob] } else { params["headers"]?.texts ?? [] }
    takesEvery = params["mode"] == "every"
    interval = if case .number(let rate)? = params["maxRate"], rate > 0 { Int64(min(1e9 / rate, 1e12)) } else { 0 }
    fields = params["fields"]?.texts
    var points: [String: (epoch: Int64, seq: Int64)] = [:]
    if case .record(let record)? = params["resumeFrom"] {
      for field in record.fields {
        guard let epoch = field.value["epoch"]?.wholeNumber, let seq = field.value["seq"]?.wholeNumber else { continue }
        points[field.name] = (epoch, seq)
      }
    }
    resumePoints = points
    let include = params["include"]?.texts ?? []
    (routine, calls) = (include.contains("routine"), include.contains("calls"))
    offsets = include.contains("contentOffset")
    explained = params["explain"] == true
  }

  func matches(_ header: String) -> Bool { patterns.contains { Names.glob($0, matches: header) } }
}

/// One header for one client.
final class RemoteDelivery {
  private let header: String
  fileprivate(set) var subscription: RemoteSubscription
  unowned let receiver: ClientSession
  private var last: (epoch: Int64, seq: Int64) = (0, 0)
  private var waiting: StateLine?
  /// There is a state that it was not sent.
  private var isBehind = false
  private var behindBecause: StaticString = "overflow"
  private var sentAt: MonotonicTime?

  /// Bytes that may wait for a client.
  static let maxQueueBytes = 1_048_576
  static let maxLatestBytes = 65_536

  init(_ header: String, _ subscription: RemoteSubscription, _ receiver: ClientSession) {
    (self.header, self.subscription, self.receiver) = (header, subscription, receiver)
    guard let point = subscription.resumePoints[header] else { return }
    if subscription.detail != nil {
      // What is kept is without it.
      (last, isBehind, behindBecause) = (point, true, "tooOld")
    } else {
      isResuming = true
    }
  }

  /// What is kept since its client left off is being read: until then nothing is sent.
  private(set) var isResuming = false

  /// Begins with what is kept since the point at which it left off.
  func resume(_ kept: [StateLine], at now: MonotonicTime) {
    isResuming = false
    guard let point = subscription.resumePoints[header], let newest = kept.last else { return }
    let missed = kept.filter { $0.epoch == point.epoch && $0.seq > point.seq }
    if newest.epoch == point.epoch, newest.seq == point.seq {
      last = point
    } else if newest.epoch == point.epoch, missed.first?.seq == point.seq + 1,
      zip(missed, missed.dropFirst()).allSatisfy({ $0.seq + 1 == $1.seq })
    {
      last = point
      for state in missed { offer(state, at: now) }
    } else {
      let reason: StaticString = newest.epoch == point.epoch ? "tooOld" : "newEpoch"
      if newest.epoch < point.epoch { return }
      gap(newest, from: newest.epoch == point.epoch ? point.seq + 1 : nil, reason)
      send(newest.asSnapshot, at: now)
    }
  }

  /// A state of its header.
  func offer(_ state: StateLine, at now: MonotonicTime) {
    let isOffset = (state.epoch, state.seq) == last
    guard state.isAfter(last.epoch, last.seq) || (isOffset && subscription.offsets) else { return }
    let state =
      subscription.detail != nil ? state.including(routine: subscription.routine, calls: subscription.calls) : state
    guard subscription.takesEvery else { return offerLatest(state, at: now) }
    guard receiver.unreadBytes <= Self.maxQueueBytes else {
      isBehind = true
      return
    }
    if last.epoch == state.epoch, state.seq <= last.seq + 1, !isBehind { return send(state, at: now) }
    catchUp(state, at: now)
  }

  private func offerLatest(_ state: StateLine, at now: MonotonicTime) {
    let newest = waiting.map { $0.epoch == state.epoch ? state.gathering($0) : state } ?? state
    let isTime = sentAt.map { now - $0 >= subscription.interval } ?? true
    guard receiver.unreadBytes <= Self.maxLatestBytes, isTime else {
      waiting = newest
      return
    }
    waiting = nil
    if last.epoch == state.epoch { send(newest, at: now) } else { catchUp(newest, at: now) }
  }

  /// Sends a state that has waited, if it is time.
  func flush(newest: StateLine?, at now: MonotonicTime) {
    if let state = waiting {
      waiting = nil
      offerLatest(state, at: now)
    } else if isBehind, let newest, receiver.unreadBytes == 0 {
      catchUp(newest, at: now)
    }
  }

  private func catchUp(_ state: StateLine, at now: MonotonicTime) {
    isBehind = false
    if last.epoch == state.epoch {
      gap(state, from: last.seq + 1, behindBecause)
    } else if last.epoch > 0 {
      gap(state, from: nil, "newEpoch")
    }
    behindBecause = "overflow"
    send(state.asSnapshot, at: now)
  }

  private func gap(_ state: StateLine, from: Int64?, _ reason: StaticString) {
    var writer = JSONWriter()
    let range = from.map { $0...max($0, state.seq - 1) }
    writer.gap(header: header, epoch: state.epoch, range: range, reason: reason)
    receiver.send(writer.copy().dropLast())
  }

  private func send(_ state: StateLine, at now: MonotonicTime) {
    last = (state.epoch, state.seq)
    sentAt = now
    let chosen = subscription.fields.map { state.selecting($0) } ?? state
    receiver.send(chosen.bytes)
  }

  /// Ends the feed, because the header is closed.
  func close() {
    guard last.epoch > 0 else { return }
    var writer = JSONWriter()
    writer.closed(header: header, epoch: last.epoch, seq: last.seq, reason: "closed")
    receiver.send(writer.copy().dropLast())
    last = (0, 0)
  }
}

final class StateFeed {
  private struct Key: Hashable {
    var header: String
    /// From the owner to this node alone; nil: what goes over NATS for all.
    var detail: StateDetail?

    static func all(of header: String) -> [Key] {
      [Key(header: header, detail: nil)] + StateDetail.allCases.map { Key(header: header, detail: $0) }
    }
  }

  private final class Channel {
    /// The number of the subscription at NATS; nil: the channel is detailed.
    let subscription: Int?
    var last: StateLine?
    /// By the number of the client: each has a header once.
    var deliveries: [Int: RemoteDelivery] = [:]

    init(_ subscription: Int?) { self.subscription = subscription }
  }

  private unowned let bridge: RealmBridge
  private var channels: [Key: Channel] = [:]
  private var headers: [Int: String] = [:]
  private var watchDue: MonotonicTime = 0

  private static let watchPause: Int64 = 1_000_000_000

  init(_ bridge: RealmBridge) { self.bridge = bridge }

  /// Begins to send a header's states to a client, unless it is sent them.
  func add(_ header: String, _ subscription: RemoteSubscription, to receiver: ClientSession) {
    let isSent = Key.all(of: header).contains { channels[$0]?.deliveries[receiver.number] != nil }
    guard !isSent, let channel = channel(Key(header: header, detail: subscription.detail)) else { return }
    let delivery = RemoteDelivery(header, subscription, receiver)
    channel.deliveries[receiver.number] = delivery
    let stream = bridge.subjects.name(of: .states)
    guard let subject = bridge.subjects.subject(.state, header: header) else { return }
    if delivery.isResuming {
      bridge.jetStream.read(subject, in: stream, from: 1) { [unowned self, weak receiver] kept in
        // It may have left meanwhile.
        guard receiver != nil else { return }
        let states = (kept ?? []).compactMap { StateLine($0.bytes, of: header) }
        delivery.resume(states.filter { isPossible($0, of: header) }, at: bridge.now)
        if let last = channel.last { delivery.offer(last, at: bridge.now) }
      }
    } else if let last = channel.last {
      delivery.offer(last, at: bridge.now)
    } else if subscription.detail == nil {
      bridge.jetStream.last(subject, in: stream) { [unowned self] last in
        if let last, let state = StateLine(last.bytes, of: header) { take(Key(header: header, detail: nil), state) }
      }
    }
  }

  private func channel(_ key: Key) -> Channel? {
    if let channel = channels[key] { return channel }
    if let detail = key.detail {
      bridge.watch(key.header, detail)
      channels[key] = Channel(nil)
      return channels[key]
    }
    guard let subject = bridge.subjects.subject(.state, header: key.header),
      let id = bridge.bus.subscribe(subject, wantsHeaders: false)
    else { return nil }
    let channel = Channel(id)
    channels[key] = channel
    headers[id] = key.header
    return channel
  }

  func received(_ message: BusMessage, _ subscription: Int) {
    if let header = headers[subscription], let state = StateLine(message.bytes, of: header) {
      take(Key(header: header, detail: nil), state)
    }
  }

  /// A state that this node has asked the owner for.
  func received(_ line: [UInt8], _ detail: StateDetail) {
    guard case .state(let header, let epoch, let seq) = DaemonLine(line) else { return }
    take(Key(header: header, detail: detail), StateLine(epoch: epoch, seq: seq, bytes: line))
  }

  private func take(_ key: Key, _ state: StateLine) {
    guard let channel = channels[key], isPossible(state, of: key.header) else { return }
    // With the detail a state comes again where the content alone has moved.
    let isOffset = key.detail != nil && channel.last.map { ($0.epoch, $0.seq) == (state.epoch, state.seq) } == true
    if let last = channel.last, !isOffset, !state.isAfter(last.epoch, last.seq) { return }
    channel.last = state
    for delivery in channel.deliveries.values where !delivery.isResuming { delivery.offer(state, at: bridge.now) }
  }

  /// Whether an owner of the header can have sent a state. One of a far future epoch would hide all that come behind it.
  private func isPossible(_ state: StateLine, of header: String) -> Bool {
    guard state.epoch <= bridge.settings.ownership.maxEpoch else {
      bridge.complain(
        "recordRefused", [("header", header), ("reason", "no daemon of the realm can have sent its state")])
      return false
    }
    return state.epoch >= bridge.ownership.life(of: header)
  }

  /// Another node has it now.
  func ownerChanged(_ header: String) {
    for detail in StateDetail.allCases where channels[Key(header: header, detail: detail)] != nil {
      bridge.watch(header, detail)
    }
  }

  /// A header is here, or nowhere: its states no longer come this way.
  func remove(_ header: String, isClosed: Bool) {
    for key in Key.all(of: header) { remove(key, isClosed: isClosed) }
  }

  private func remove(_ key: Key, isClosed: Bool) {
    guard let channel = channels.removeValue(forKey: key) else { return }
    if let subscription = channel.subscription {
      headers[subscription] = nil
      bridge.bus.unsubscribe(subscription)
    } else if let detail = key.detail {
      bridge.unwatch(key.header, detail)
    }
    if isClosed { for delivery in channel.deliveries.values { delivery.close() } }
  }

  /// Ends a client's deliveries.
  func remove(_ receiver: ClientSession) {
    for (key, channel) in channels {
      channel.deliveries[receiver.number] = nil
      if channel.deliveries.isEmpty { remove(key, isClosed: false) }
    }
  }

  /// A subscription of a client has ended: the oldest of the others that match a header has it from here on.
  func remove(_ receiver: ClientSession, subscription: Int) {
    for (key, channel) in channels {
      guard let delivery = channel.deliveries[receiver.number], delivery.subscription.id == subscription else {
        continue
      }
      if let next = receiver.subscriptions.first(where: { $0.matches(key.header) }) {
        delivery.subscription = next
        if next.detail == key.detail { continue }
        self.channel(Key(header: key.header, detail: next.detail))?.deliveries[receiver.number] = delivery
      }
      channel.deliveries[receiver.number] = nil
      if channel.deliveries.isEmpty { remove(key, isClosed: false) }
    }
  }

  /// Sends states that have waited, and renews the watches that are still needed.
  func tick() {
    for channel in channels.values {
      for delivery in channel.deliveries.values { delivery.flush(newest: channel.last, at: bridge.now) }
    }
    guard bridge.now >= watchDue else { return }
    watchDue = bridge.now + Self.watchPause
    for key in channels.keys { if let detail = key.detail { bridge.watch(key.header, detail) } }
  }
}
