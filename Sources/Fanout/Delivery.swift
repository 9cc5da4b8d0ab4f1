// SPDX-License-Identifier: MIT
//
// Subscriptions and deliveries: how one header's states reach one connection.
//
// A subscription is what a client asked for: patterns, mode, what to include. A delivery is one header on its way to one connection; it
// serves all of the connection's subscriptions that match the header and goes by the oldest of them.
//
//               ┌────────── snapshot, or what was missed ───────────┐
//               │                                                   ▼
//     fresh or ─┴─▶ live ── latest, connection behind ─────────▶ waiting ── drained, and its time: one line ──▶ live
//     resuming       │      or sooner than `maxRate` allows         ╰ newer state: gathered
//                    ╰─── every, queue full ──▶ gap ── drained: `gap`, snapshot ──▶ live
//
// The waiting data is bounded: one state a header with `latest`, `queueBytes` of written lines with `every`, nothing in a gap and nothing
// of its own while resuming.

internal import Clocks
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// One header's states on their way to one connection. It sleeps while a state waits for its time.
@safe public final class Delivery: DeadlineNode {
  /// What the delivery owes its subscriber.
  enum Condition {
    /// The first snapshot.
    case fresh
    /// The states after the one that its client saw last.
    case resuming(ResumePoint)
    /// Nothing: the next state goes out at once.
    case live
    /// One state, which waits (`latest`).
    case waiting(WaitingState)
    /// The states from a number on are lost (`every`): a gap and a snapshot.
    case gap(from: Int64)
  }

  /// The subscriber and the header outlive their deliveries: both end them before they go.
  unowned let subscriber: Subscriber
  unowned let channel: HeaderChannel
  private let writerReference: Unmanaged<ClientWriter>
  /// The subscription that it goes by: the oldest.
  private(set) var leading: Subscription { didSet { updateFlow() } }
  /// Those behind it, the oldest first. Nearly always there are none, which takes no memory.
  private var others: [Subscription] = []
  var condition = Condition.fresh { didSet { updateFlow() } }
  /// How states are read that go out one and all: of a live delivery with `every` and no grid, else nil.
  private var flow: Unmanaged<StateProjection>?
  /// It stands in its connection's row of those that are owed something.
  var isPending = false
  var isGone = false
  /// How it is counted among those of its header that want more than states.
  var countedParts: StateEncoder.Parts = []
  /// It makes the daemon keep explanations, or what follows a state.
  private let paysForMore: Bool
  private unowned let fanout: Fanout
  /// Its place in its header's row, which alone changes it; −1 when it is in none.
  var slot: Int32 = -1
  /// When its last state went out, by the daemon's clock; `.min` before the first.
  private var lastSent = MonotonicTime.min
  /// The last state that its client was sent said how the header goes on.
  private var hasAhead = false
  /// The names that the states of its frames refer to: those sent last.
  private var sentNames: HeaderNames?

  init(of channel: HeaderChannel, to subscription: Subscription, in fanout: Fanout, order: Int) {
    subscriber = subscription.subscriber
    unsafe writerReference = Unmanaged.passUnretained(subscription.subscriber.writer)
    self.fanout = fanout
    self.channel = channel
    leading = subscription
    paysForMore = !subscription.view.parts.isDisjoint(with: [.explanation, .ahead])
    super.init(order: order)
  }

  /// The bytes that it counts on its user's account.
  var memoryCost: Int { MemoryCost.delivery + (paysForMore ? MemoryCost.explanations : 0) }

  /// Whether it serves more than one subscription.
  var isShared: Bool { !others.isEmpty }

  func serves(_ subscription: Subscription) -> Bool {
    leading === subscription || others.contains { $0 === subscription }
  }

  /// Serves another subscription of its connection.
  func add(_ subscription: Subscription) { others.append(subscription) }

  /// Serves a subscription no more.
  /// - Returns: whether there is another one; if not, the delivery is to be ended.
  func remove(_ subscription: Subscription) -> Bool {
    guard leading === subscription else {
      others.removeAll { $0 === subscription }
      return true
    }
    guard isShared else { return false }
    leading = others.removeFirst()
    return true
  }

  private var writer: ClientWriter { subscriber.writer }
  private var context: ShardContext { fanout.context }

  /// When `maxRate` allows the next state; nil: now.
  private var dueLater: MonotonicTime? {
    guard leading.request.interval > 0, lastSent + leading.request.interval > context.now else { return nil }
    return lastSent + leading.request.interval
  }

  private func updateFlow() {
    if case .live = condition, leading.request.mode == .every, !leading.view.skipsRepeated {
      unsafe flow = Unmanaged.passUnretained(leading.view)
    } else {
      unsafe flow = nil
    }
  }

  /// Sends a state that has just been made, or keeps it, as the subscription wants.
  @inline(__always)
  func offer(
    _ state: borrowing HeaderState, of channel: HeaderChannel, _ cache: EncodedStateCache, within bound: Int,
    _ context: ShardContext
  ) {
    guard !isGone, let flow = unsafe flow else { return offerOtherwise(state, cache) }
    unsafe writerReference._withUnsafeGuaranteedRef { writer in
      guard !writer.isEnded else { return }
      let message = unsafe flow._withUnsafeGuaranteedRef { cache.message(state, $0, of: channel) }
      if writer.encoding == .frames, sentNames !== state.names { sendNames(state.names) }
      if !writer.offer(message, within: bound, context) { overflow(at: state.seq) }
    }
  }

  /// The same for all but the usual delivery.
  @inline(never)
  private func offerOtherwise(_ state: borrowing HeaderState, _ cache: EncodedStateCache) {
    guard !writer.isEnded, !isGone else { return }
    switch condition {
    case .fresh, .gap:
      guard !writer.isBehind else { return }
      // Whether the state is new to the others must be known before the snapshot says the same.
      _ = cache.isRepeated(state, leading.view, of: channel)
      deliver()
    case .resuming: break  // The kept states include it, and go out when the connection is drained.
    case .waiting, .live: take(state, cache)
    }
  }

  /// Sends a state or keeps it until it may be sent.
  private func take(_ state: borrowing HeaderState, _ cache: EncodedStateCache) {
    if cache.isRepeated(state, leading.view, of: channel) { return }
    if case .waiting(var waiting) = condition {
      waiting.replace(
        with: cache.kept(state, leading.view, of: channel), parts: leading.view.parts, limit: context.limits.notices)
      condition = .waiting(waiting)
      if !writer.isBehind { deliver() }
      return
    }
    switch leading.request.mode {
    case .latest:
      if channel.scroller === subscriber, isForeseen(state) { return }
      if writer.isBehind {
        wait(with: cache.kept(state, leading.view, of: channel))
        subscriber.pend(self)
      } else if let later = dueLater {
        wait(with: cache.kept(state, leading.view, of: channel))
        fanout.wake(self, at: later)
      } else {
        // The connection is not behind, which is a narrower bound.
        _ = send(state, cache, within: .max)
        lastSent = context.now
      }
    case .every:
      if !send(state, cache, within: context.limits.queueBytes) { overflow(at: state.seq) }
    }
  }

  /// Whether the client knows a state before it is sent: it has scrolled the content there itself, and the last state that it was sent said
  /// what follows.
  private func isForeseen(_ state: borrowing HeaderState) -> Bool {
    let parts = leading.view.parts
    return hasAhead && parts.contains(.ahead) && channel.ahead?.seq == state.seq && state.happened.isEmpty && !isShared
      && parts.isDisjoint(with: [.calls, .explanation, .contentOffset])
  }

  /// - Returns: false if that would be more than there may be in the queue.
  private func send(_ state: borrowing HeaderState, _ cache: EncodedStateCache, within bound: Int) -> Bool {
    guard !writer.isEnded else { return true }
    let message = cache.message(state, leading.view, of: channel)
    sendNames(state.names)
    hasAhead = channel.ahead?.seq == state.seq
    return writer.offer(message, within: bound, context)
  }

  private func wait(with state: KeptState) { condition = .waiting(WaitingState(state)) }

  private func overflow(at seq: Int64) {
    context.counters.gaps += 1
    switch leading.request.onOverflow {
    case .disconnect:
      writer.logWarning("overflow", [("header", channel.name)])
      writer.end(reason: "overflow")
    case .gap:
      condition = .gap(from: seq)
      subscriber.pend(self)
    }
  }

  /// The header has begun a new epoch. What waits is of the one before it.
  func beginAnew() {
    switch condition {
    case .fresh, .resuming: break
    // No header has the epoch 0, so the present one counts as new.
    case .live, .waiting, .gap: condition = .resuming(ResumePoint(epoch: 0, seq: 0))
    }
    guard !writer.isEnded else { return }
    if writer.isBehind { subscriber.pend(self) } else { deliver() }
  }

  /// Sends the owed states, if it is time.
  func deliver() {
    if case .waiting = condition, let later = dueLater { return fanout.wake(self, at: later) }
    deliverNow()
  }

  /// Sends the waiting state, at its time.
  func wakeIsDue() {
    guard !writer.isEnded, !isGone else { return }
    if writer.isBehind { subscriber.pend(self) } else { deliver() }
  }

  /// Sends a state that waits, however early it is and however far behind the connection: the delivery goes over to another
  /// subscription, or ends.
  func settle() { if case .waiting = condition { deliverNow() } }

  /// Sends all owed states, because the header or the connection is about to end.
  func finish() {
    deliverNow()
    // What resuming brought may wait in its turn, since the connection is behind.
    settle()
    guard case .resuming(let point) = condition else { return }
    condition = .live
    context.counters.gaps += 1
    lose(from: point.seq + 1, "overflow")
  }

  private func deliverNow() {
    let owed = condition
    condition = .live
    hasAhead = false
    switch owed {
    case .live: break
    case .fresh: sendSnapshot()
    case .waiting(let waiting):
      sendNames(waiting.names)
      writer.send(waiting.bytes(leading.view.parts))
      lastSent = context.now
    case .gap(let from): lose(from: from, "overflow")
    case .resuming(let point): resume(after: point)
    }
  }

  /// Reports that states are lost, and sends a snapshot.
  private func lose(from seq: Int64?, _ reason: StaticString) {
    sendNames(channel.header.state.names)
    let epoch = channel.epoch
    let range = seq.map { $0...max($0, channel.header.state.seq) }
    writer.write {
      $0.gap(header: channel.name, epoch: epoch, range: range, reason: reason)
    } frame: {
      $0.gap(handle: channel.handle.number, epoch: epoch, range: range, reason: "\(reason)")
    }
    sendSnapshot()
  }

  /// Sends the states after one that the client has. If some are not kept, or the header has a new life, a gap is sent.
  private func resume(after point: ResumePoint) {
    let present = channel.header.state.seq
    guard point.epoch == channel.epoch else {
      context.counters.gaps += 1
      return lose(from: nil, "newEpoch")
    }
    // The client knows of states that were never made, so it gets a snapshot in their place.
    guard point.seq <= present else { return sendSnapshot() }
    guard point.seq < present else {
      // The content may have moved since.
      return leading.view.parts.contains(.contentOffset) ? sendSnapshot() : ()
    }
    guard let recent = channel.recent, recent.floor <= point.seq else {
      context.counters.gaps += 1
      return lose(from: point.seq + 1, "tooOld")
    }
    if leading.view.skipsRepeated { channel.sentPlaces(of: leading.view).forget() }
    let cache = fanout.cache
    for index in recent.indices(after: point.seq) {
      let kept = recent[index]
      cache.begin(changes: kept.changes)
      defer { cache.end() }
      let size = leading.request.mode == .every ? cache.line(kept.state, leading.view, of: channel).count : 0
      if leading.request.mode == .every, !writer.hasRoom(forState: size) {
        // The rest stays where it is kept, as long as it is kept.
        condition = .resuming(ResumePoint(epoch: point.epoch, seq: kept.state.seq - 1))
        return subscriber.pend(self)
      }
      take(kept.state, cache)
    }
    guard leading.view.parts.contains(.contentOffset) else { return }
    let (last, state) = (recent[recent.count - 1].state, channel.presentState)
    if last.scrollViews.map(\.contentOffset) == state.scrollViews.map(\.contentOffset) { return }
    // Where the content has moved since then is not kept.
    cache.begin(changes: [])
    take(state, cache)
    cache.end()
  }

  /// In frames a state refers to names that were sent before it.
  func sendNames(_ names: HeaderNames) {
    guard writer.encoding == .frames, sentNames !== names else { return }
    sentNames = names
    writer.writeFrame { $0.names(handle: channel.handle.number, of: channel.name, names) }
  }

  /// Sends the header's present state, positions alone.
  private func sendSnapshot() {
    let (state, view, line) = (channel.header.state, leading.view, fanout.cache.snapshot)
    sendNames(state.names)
    if view.parts.contains(.ahead), channel.ahead == nil { channel.owesAhead = true }
    line.write(state, of: channel, view, view.parts.union(.snapshot))
    writer.send(unsafe line.bytes.bytes)
    // The next state may say that the same is where it was.
    if view.skipsRepeated { _ = unsafe channel.sentPlaces(of: view).replace(with: state, line.bytesOfPlaces) }
    lastSent = context.now
  }

  /// Sends the end of the header.
  func sendClosed(_ reason: String) {
    let (epoch, seq) = (channel.epoch, channel.header.state.seq)
    writer.write {
      $0.closed(header: channel.name, epoch: epoch, seq: seq, reason: reason)
    } frame: {
      $0.closed(handle: channel.handle.number, epoch: epoch, seq: seq, reason: reason)
    }
  }
}
