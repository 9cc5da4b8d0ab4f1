// SPDX-License-Identifier: MIT
//
// Sends one state to all its subscribers. Names and patterns are matched when a client subscribes and when a header opens or closes; a
// state then only visits its own header's deliveries, and is encoded once for each view.
//
//     publish(state) ─▶ EncodedStateCache ─▶ Delivery ─▶ ClientWriter ─▶ Outbox

public import Clocks
internal import HeaderCore
public import HeaderModel
internal import HeaderWire

/// One shard's subscriptions and deliveries.
public final class Fanout {
  /// Clock, limits, log and counters of the shard.
  public let context: ShardContext
  let cache = EncodedStateCache()
  private var index = SubscriptionIndex()
  private let recentStore: RecentStore
  private var wakes = WakeQueue()
  private var lastDelivery = 0
  /// New subscriptions to many headers, some of which wait for their turn.
  private var beginnings = Queue<Beginning>()
  /// Headers that may still be begun before the next turn.
  private var beginningsLeft = Fanout.maxBeginnings

  /// The headers of new subscriptions that are begun in one turn, so that subscribers to very many do not delay others.
  private static let maxBeginnings = 1_000
  /// A subscription to so few begins at once in any case.
  private static let beginsAtOnce = 64

  /// A subscription and the headers that it has not begun.
  private final class Beginning {
    let subscription: Subscription
    private var channels: [HeaderChannel]
    /// In the order of opening, the last of them first. That takes a while, too, so that it is done when their turn comes.
    private var isOrdered = false

    init(_ subscription: Subscription, _ channels: [HeaderChannel]) {
      self.subscription = subscription
      self.channels = channels
    }

    var isEmpty: Bool { channels.isEmpty }

    /// - Parameter steps: the steps left in the turn; the used ones are subtracted.
    func next(_ steps: inout Int) -> HeaderChannel? {
      if !isOrdered {
        isOrdered = true
        channels.sort { $0.handle > $1.handle }
        steps -= channels.count / 16
      }
      steps -= 1
      return channels.popLast()
    }
  }

  /// Creates a fan-out without subscribers.
  public init(_ context: ShardContext, shardCount: Int = 1) {
    self.context = context
    recentStore = RecentStore(context, shardCount: shardCount)
  }

  /// States that are kept for subscribers that resume, and their bytes.
  public var kept: (states: Int, bytes: Int) { (recentStore.states, recentStore.bytes) }

  // MARK: - States

  /// Sends a state to every subscriber of its header.
  @inline(__always)
  public func publish(_ state: borrowing HeaderState, of channel: HeaderChannel) {
    guard !channel.deliveries.isEmpty || channel.recent != nil else { return }
    send(state, of: channel)
  }

  /// The same for a header with subscribers.
  public func send(_ state: borrowing HeaderState, of channel: HeaderChannel) {
    cache.begin()
    // The state is kept first, since a subscriber may get it from there at once.
    if let recent = channel.recent { recent.append(state, changes: cache.changedValues(state, of: channel)) }
    let (context, bound) = (context, context.limits.queueBytes)
    channel.deliveries.forEach { $0.offer(state, of: channel, cache, within: bound, context) }
    cache.end()
    channel.rememberValues(of: state)
    if channel.isMirrored { channel.rememberOffsets(of: state) }
  }

  /// Handles the end of an event of a mirrored header. If the event moved the content and made no state, subscribers with content offsets
  /// get the last state once more, with the new offsets and nothing that happened.
  public func sendOffsets(of channel: HeaderChannel) {
    guard channel.rememberOffsets(of: channel.header.state) else { return }
    sendAgain(to: .contentOffset, of: channel)
  }

  /// Sends a header's last state once more to subscribers with `predict`, since how the state goes on has changed.
  public func sendAhead(of channel: HeaderChannel) {
    channel.owesAhead = false
    sendAgain(to: .ahead, of: channel)
  }

  /// Sends the last state once more, with nothing that happened.
  /// - Parameter part: only subscribers that asked for this part get it.
  private func sendAgain(to part: StateEncoder.Parts, of channel: HeaderChannel) {
    let state = channel.presentState
    cache.begin(changes: [])
    let (context, bound) = (context, context.limits.queueBytes)
    channel.deliveries.forEach { delivery in
      guard delivery.leading.view.parts.contains(part) else { return }
      delivery.offer(state, of: channel, cache, within: bound, context)
    }
    cache.end()
  }

  /// Sends a new header to all subscribers whose subscriptions match it.
  public func announce(_ channel: HeaderChannel) {
    var deliveries: [Delivery] = []
    for subscription in index.matching(channel.name) {
      guard hasMemory(subscription.subscriber, for: channel) else { continue }
      if subscription.resumes { keepRecent(of: channel, for: subscription) }
      if let last = deliveries.last, last.subscriber === subscription.subscriber {
        last.add(subscription)
      } else {
        deliveries.append(delivery(of: channel, to: subscription))
      }
    }
    for delivery in deliveries { begin(delivery) }
  }

  /// Whether a subscriber's user has memory for another header. If not, the connection ends, because the subscriber would not notice that
  /// a header is missing.
  private func hasMemory(_ subscriber: Subscriber, for channel: HeaderChannel) -> Bool {
    guard !subscriber.writer.isEnded else { return false }
    subscriber.writer.requireMemory(for: "the states of \"\(channel.name)\"", about: .notification, reason: "overflow")
    return !subscriber.writer.isEnded
  }

  /// Ends a header's deliveries: its subscribers get what waits for them and `closed`.
  public func close(_ channel: HeaderChannel, reason: String) {
    for delivery in channel.deliveries.all {
      let writer = delivery.subscriber.writer
      if !writer.isEnded, writer.hasRoom {
        delivery.finish()
        delivery.sendClosed(reason)
      } else if !writer.isEnded {
        writer.logWarning("overflow", [("header", channel.name)])
        writer.end(reason: "overflow")
      }
      end(delivery)
    }
  }

  /// Notifies subscribers that a header has begun a new epoch (`newEpoch`), and sends them a snapshot.
  public func restart(_ channel: HeaderChannel) {
    if channel.recent != nil { channel.recent = RecentStates(after: channel.header.state.seq, in: recentStore) }
    channel.rememberValues(of: channel.header.state)
    channel.ahead = nil
    for delivery in channel.deliveries.all { delivery.beginAnew() }
  }

  // MARK: - Subscriptions

  /// A new subscription; nothing is sent before `begin`.
  /// - Parameter id: its number within the connection.
  public func add(_ request: SubscriptionRequest, id: Int, of subscriber: Subscriber) -> Subscription {
    let key = StateProjection.Key(
      encoding: subscriber.writer.encoding, parts: request.parts, selection: request.selection, grid: request.grid)
    let subscription = Subscription(id: id, request, of: subscriber, view: index.view(key))
    subscriber.subscriptions.append(subscription)
    index.add(subscription)
    return subscription
  }

  /// Sends a new subscription the headers that it matches: at once, or, of very many, piece by piece, each as it is when its turn has
  /// come.
  /// - Parameter matching: in any order; they begin in that of opening.
  public func begin(_ subscription: Subscription, for matching: [HeaderChannel]) {
    // Begins to keep states for a resume.
    if subscription.resumes { for channel in matching { keepRecent(of: channel, for: subscription) } }
    guard matching.count <= max(Self.beginsAtOnce, beginnings.isEmpty ? beginningsLeft : 0) else {
      return beginnings.append(Beginning(subscription, matching))
    }
    beginningsLeft = max(0, beginningsLeft - matching.count)
    for channel in matching.sorted(by: { $0.handle < $1.handle }) { begin(subscription, for: channel) }
  }

  private func begin(_ subscription: Subscription, for channel: HeaderChannel) {
    if let delivery = subscription.subscriber.deliveries[channel.handle] {
      delivery.add(subscription)
    } else {
      let delivery = delivery(of: channel, to: subscription)
      if let point = subscription.request.resumePoints?[channel.name] { delivery.condition = .resuming(point) }
      begin(delivery)
    }
  }

  /// Begins the rest of a connection's subscriptions now, because a later request of it is about to be answered.
  public func finishBeginning(of subscriber: Subscriber) {
    for _ in 0..<beginnings.count {
      guard let beginning = beginnings.popFirst() else { return }
      guard !beginning.subscription.isOver else { continue }
      guard beginning.subscription.subscriber === subscriber else {
        beginnings.append(beginning)
        continue
      }
      var steps = 0
      while !beginning.subscription.isOver, let channel = beginning.next(&steps) {
        if channel.isOpen, hasMemory(subscriber, for: channel) { begin(beginning.subscription, for: channel) }
      }
    }
  }

  /// Continues to begin subscriptions to many headers. Each gets a part of the turn, so that none waits for the one before it.
  private func goOnBeginning() {
    beginningsLeft = Self.maxBeginnings
    while beginningsLeft > 0, let beginning = beginnings.popFirst() {
      var part = Self.beginsAtOnce
      while part > 0, !beginning.subscription.isOver, let channel = beginning.next(&part) {
        guard channel.isOpen, hasMemory(beginning.subscription.subscriber, for: channel) else { continue }
        begin(beginning.subscription, for: channel)
      }
      beginningsLeft -= Self.beginsAtOnce - part
      if !beginning.isEmpty, !beginning.subscription.isOver { beginnings.append(beginning) }
    }
  }

  /// Ends a subscription: nothing of it follows. A header that another subscription of the connection matches keeps being sent.
  public func end(_ id: Int, of subscriber: Subscriber) {
    guard let place = subscriber.subscriptions.firstIndex(where: { $0.id == id }) else { return }
    let subscription = subscriber.subscriptions.remove(at: place)
    end(subscription)
    var handles: [HeaderHandle] = []
    for (handle, delivery) in subscriber.deliveries where delivery.serves(subscription) { handles.append(handle) }
    // Sorting the deliveries themselves would count references at each comparison.
    handles.sort()
    for handle in handles {
      guard let delivery = subscriber.deliveries[handle] else { continue }
      // What waits is the newest that the other one will hear of, until something changes again.
      if delivery.leading === subscription, delivery.isShared { delivery.settle() }
      if delivery.remove(subscription) { updateObservation(of: delivery.channel, delivery) } else { end(delivery) }
    }
  }

  /// Ends all subscriptions of a connection that has ended.
  /// - Returns: its deliveries, to be ended piece by piece (`end`): nothing more is sent to them.
  public func endAll(of subscriber: Subscriber) -> [Delivery] {
    for subscription in subscriber.subscriptions { end(subscription) }
    subscriber.subscriptions = []
    subscriber.forgetPending()
    return Array(subscriber.deliveries.values)
  }

  private func end(_ subscription: Subscription) {
    subscription.isOver = true
    index.remove(subscription)
  }

  private func delivery(of channel: HeaderChannel, to subscription: Subscription) -> Delivery {
    lastDelivery += 1
    return Delivery(of: channel, to: subscription, in: self, order: lastDelivery)
  }

  private func begin(_ delivery: Delivery) {
    let channel = delivery.channel
    delivery.subscriber.deliveries[channel.handle] = delivery
    delivery.subscriber.writer.connection.account[.memoryBytes].add(delivery.memoryCost)
    channel.deliveries.append(delivery)
    channel.rememberValues(of: channel.header.state)
    updateObservation(of: channel, delivery)
    if delivery.subscriber.writer.isBehind { delivery.subscriber.pend(delivery) } else { delivery.deliver() }
  }

  /// Begins to keep a header's states for subscribers that may resume.
  private func keepRecent(of channel: HeaderChannel, for subscription: Subscription) {
    if subscription.view.parts.contains(.calls) {
      channel.keepsCalls = true
      channel.header.recordsCalls = true
    }
    guard channel.recent == nil else { return }
    channel.rememberValues(of: channel.header.state)
    channel.recent = RecentStates(after: channel.header.state.seq, in: recentStore)
  }

  /// Ends a delivery without a word.
  public func end(_ delivery: Delivery) {
    guard !delivery.isGone else { return }
    delivery.isGone = true
    delivery.subscriber.writer.connection.account[.memoryBytes].add(-delivery.memoryCost)
    wake(delivery, at: nil)
    delivery.subscriber.deliveries[delivery.channel.handle] = nil
    delivery.channel.remove(delivery)
    updateObservation(of: delivery.channel, delivery)
  }

  /// Updates what a header reports beside its states, after one of its deliveries has changed.
  private func updateObservation(of channel: HeaderChannel, _ delivery: Delivery) {
    let wanted = delivery.isGone ? [] : delivery.leading.view.parts
    let counted = delivery.countedParts
    delivery.countedParts = wanted
    func change(_ part: StateEncoder.Parts) -> Int32 {
      (wanted.contains(part) ? 1 : 0) - (counted.contains(part) ? 1 : 0)
    }
    channel.deliveriesWithCalls += change(.calls)
    channel.deliveriesWithExplanations += change(.explanation)
    channel.deliveriesWithOffsets += change(.contentOffset)
    channel.deliveriesWithAhead += change(.ahead)
    // Without subscribers that predict, it is not kept up to date.
    if !channel.isPredicted, channel.ahead != nil { channel.ahead = nil }
    if change(.contentOffset) != 0 { channel.rememberOffsets(of: channel.header.state) }
    channel.header.observe {
      $0.recordsCalls = channel.keepsCalls || channel.deliveriesWithCalls > 0
      $0.explainsStates = channel.deliveriesWithExplanations > 0
    }
  }

  // MARK: - Time

  /// When a waiting state is due next, by the daemon's clock; `.max`: none is.
  public var nextWake: MonotonicTime { beginnings.isEmpty ? wakes.earliest : context.now }

  /// Sends what is due, and continues to begin subscriptions.
  public func tick() {
    goOnBeginning()
    while let delivery = wakes.first as? Delivery, delivery.wake <= context.now {
      wakes.set(delivery, nil)
      delivery.wakeIsDue()
    }
  }

  /// Sets when a delivery's waiting state goes out; nil: only with another state.
  func wake(_ delivery: Delivery, at time: MonotonicTime?) { wakes.set(delivery, time) }
}
