// SPDX-License-Identifier: MIT
//
// From one state to all who want it. The matching of names and patterns is done when somebody subscribes and when a
// header opens or closes; a state then only walks its own header's feeds. Each state is written once for each way of
// reading it (plain, routine notices, calls, a selection of its parts; as a line, as a frame), and those bytes are shared
// by all who read it that way.

internal import HeaderCore
internal import HeaderWire

/// Who has subscribed to what.
struct StateRouter {
  /// Subscriptions by an exact name, so that a header's opening does not look at all of them.
  private var exact: [String: SubscriptionRow] = [:]
  private var globbing = SubscriptionRow()
  /// The ways of reading that somebody has.
  private var views: [StateView.Key: StateView] = [:]

  /// The one view for a way of reading.
  func view(_ key: StateView.Key) -> StateView { views[key] ?? StateView(key) }

  mutating func add(_ subscription: Subscription) {
    subscription.view.users += 1
    views[subscription.view.key] = subscription.view
    for name in subscription.exactNames { exact[name, default: SubscriptionRow()].append(subscription) }
    if !subscription.globs.isEmpty { globbing.append(subscription) }
  }

  mutating func remove(_ subscription: Subscription) {
    guard !subscription.isEnded else { return }
    subscription.isEnded = true
    for name in subscription.exactNames where exact[name]?.removedOne() == true { exact[name] = nil }
    if !subscription.globs.isEmpty { _ = globbing.removedOne() }
    subscription.view.users -= 1
    if subscription.view.users == 0 { views[subscription.view.key] = nil }
  }

  /// All subscriptions that match a name, each once, by connection and age.
  func matching(_ name: String) -> [Subscription] {
    var found = exact[name]?.all ?? []
    for subscription in globbing.all where subscription.globs.contains(where: { Names.glob($0, matches: name) }) {
      // Found by its exact name already.
      if !subscription.patterns.contains(name) { found.append(subscription) }
    }
    return found.sorted { ($0.session.id, $0.id) < ($1.session.id, $1.id) }
  }
}

/// Subscriptions of which many may end at once: ended ones stay until they are more than half, so that an end takes
/// amortized constant time.
private struct SubscriptionRow {
  private var subscriptions: [Subscription] = []
  private var endedCount = 0

  /// Those that have not ended.
  var all: [Subscription] { subscriptions.filter { !$0.isEnded } }

  mutating func append(_ subscription: Subscription) { subscriptions.append(subscription) }

  /// One of them has ended.
  /// - Returns: whether it was the last.
  mutating func removedOne() -> Bool {
    endedCount += 1
    guard 2 * endedCount > subscriptions.count else { return false }
    subscriptions.removeAll(where: \.isEnded)
    endedCount = 0
    return subscriptions.isEmpty
  }
}

/// A way of reading states, shared by all subscriptions that read them so.
@safe final class StateView {
  struct Key: Hashable {
    var encoding: Encoding
    var parts: StateEncoder.Parts
    /// Nil: everything.
    var selection: StateSelection?
  }

  let key: Key
  /// Subscriptions that read so.
  fileprivate(set) var users = 0
  /// Where its message of the state that is being told stands, if it is written already.
  fileprivate var slot = 0
  fileprivate var round = 0
  /// The message itself; good as long as the round is.
  fileprivate var message = StateMessage()

  init(_ key: Key) { self.key = key }

  var parts: StateEncoder.Parts { key.parts }
}

/// The messages of the state that is being told, one for each way of reading it, written when first asked for.
@safe final class StateLines {
  final class Line {
    private var encoding = Encoding.lines
    /// Of these two the one of its encoding is used.
    private var writer = JSONWriter()
    private var frameWriter = FrameWriter()
    fileprivate private(set) var positions = 0
    fileprivate var kept: KeptState?

    var count: Int { encoding == .lines ? writer.count : frameWriter.count }
    /// Stays where it is until the next state is written.
    fileprivate var bytes: UnsafeRawBufferPointer {
      unsafe encoding == .lines ? writer.withUnsafeBytes { unsafe $0 } : frameWriter.withUnsafeBytes { unsafe $0 }
    }
    fileprivate var copy: [UInt8] { encoding == .lines ? writer.copy() : frameWriter.copy() }

    fileprivate func write(_ state: borrowing HeaderState, of entry: HeaderEntry, _ view: StateView) {
      let way = view.key
      encoding = way.encoding
      switch encoding {
      case .lines:
        writer.removeAll(keepingUpTo: 65_536)
        positions = unsafe entry.template(for: view)._withUnsafeGuaranteedRef {
          StateEncoder.notification(state, way.parts, $0, into: &writer)
        }
      case .frames:
        frameWriter.removeAll(keepingUpTo: 65_536)
        positions = StateEncoder.frame(
          state, handle: entry.handle.number, way.parts, way.selection, into: &frameWriter)
      }
    }
  }

  /// Memory for this many messages is kept from state to state.
  private static let warmLines = 16
  private var lines: [Line] = []
  /// How many of them belong to the present state.
  private var used = 0
  /// Counts the states.
  private var round = 0
  /// The state's header, which outlives the telling.
  private var entry: Unmanaged<HeaderEntry>?
  /// What the state changed, when that is known.
  private var changes: [ValueChange]?

  /// Begins with a state.
  /// - Parameter changes: what it changed, of one that was kept; nil: not known yet.
  func begin(_ entry: HeaderEntry, changes: [ValueChange]? = nil) {
    unsafe self.entry = Unmanaged.passUnretained(entry)
    self.changes = changes
    round += 1
    used = 0
  }

  /// Lets go of what belongs to the state.
  func end() {
    for index in 0..<used where lines[index].kept != nil { lines[index].kept = nil }
    if lines.count > Self.warmLines { lines.removeSubrange(Self.warmLines...) }
  }

  /// The state's message for a way of reading it.
  func line(_ state: borrowing HeaderState, _ view: StateView) -> Line {
    if view.round != round { write(state, view) }
    return lines[view.slot]
  }

  private func write(_ state: borrowing HeaderState, _ view: StateView) {
    guard let entry = unsafe entry else { preconditionFailure("a state is told between begin and end") }
    if used == lines.count { lines.append(Line()) }
    (view.round, view.slot) = (round, used)
    used += 1
    unsafe Unmanaged.passUnretained(lines[view.slot])._withUnsafeGuaranteedRef { line in
      unsafe entry._withUnsafeGuaranteedRef { entry in
        line.write(state, of: entry, view)
        view.message = unsafe entry.isShared ? entry.share(line.bytes, view) : StateMessage(bytes: line.bytes)
      }
    }
  }

  /// The bytes of that message, good until the state has been told. Nothing is retained once it is written, since a state
  /// may pass a thousand feeds.
  @inline(__always)
  func message(_ state: borrowing HeaderState, _ view: StateView) -> StateMessage {
    if view.round != round { write(state, view) }
    return view.message
  }

  /// The state to be kept for those who are behind.
  func kept(_ state: borrowing HeaderState, _ view: StateView, of entry: HeaderEntry) -> KeptState {
    let line = line(state, view)
    if let kept = line.kept { return kept }
    var changes = changedValues(state, of: entry)
    if let selection = view.key.selection {
      let names = state.names.values
      changes.removeAll { !selection.values.includes(names[$0.value]) }
    }
    let kept = KeptState(
      message: line.copy, encoding: view.key.encoding, positions: line.positions, happened: state.happened,
      names: state.names, changes: changes, owners: state.values.map(\.delegate))
    line.kept = kept
    return kept
  }

  /// Texts and bools that the state changed, against the header's state before.
  func changedValues(_ state: borrowing HeaderState, of entry: HeaderEntry) -> [ValueChange] {
    if let changes { return changes }
    var found: [ValueChange] = []
    let told = entry.toldValues
    for index in state.values.indices where index < told.count {
      let (before, after) = (told[index].content, state.values[index].content)
      if before != after, before.isMeaning || after.isMeaning {
        found.append(ValueChange(value: index, from: before, to: after))
      }
    }
    changes = found
    return found
  }
}

extension NamedValue.Content {
  /// A text or a bool: its change means something; a number's is a position.
  fileprivate var isMeaning: Bool {
    switch self {
    case .text, .bool: true
    case .null, .number: false
    }
  }
}

extension Service {
  /// Tells a state to everybody who wants it.
  func publish(_ state: borrowing HeaderState, of entry: HeaderEntry) {
    counters.states += 1
    // What came before the state is told before it.
    if entry.header.hasListeners { tellClients(of: entry) }
    if !entry.recorders.isEmpty { for recorder in entry.recorders { recorder.add(state) } }
    guard !entry.feeds.isEmpty || entry.recent != nil else { return }
    lines.begin(entry)
    // Kept first: whoever is to be told now may be told from what is kept.
    entry.recent?.append(state, changes: lines.changedValues(state, of: entry))
    entry.feeds.forEach { $0.offer(state, lines, by: self) }
    lines.end()
    entry.remember(state)
  }

  /// Lets all subscriptions that match a new header have it.
  func announce(_ entry: HeaderEntry) {
    var feeds: [Feed] = []
    for subscription in router.matching(entry.name) {
      if subscription.resumes { keepRecent(of: entry, for: subscription) }
      if let last = feeds.last, last.session === subscription.session {
        last.subscriptions.append(subscription)
      } else {
        feeds.append(Feed(of: entry, to: subscription))
      }
    }
    for feed in feeds { begin(feed) }
  }

  /// Lets a new subscription have the headers that it matches.
  /// - Parameter points: by header, what its client saw last.
  func begin(_ subscription: Subscription, for matching: [HeaderEntry], after points: [String: ResumePoint]) {
    router.add(subscription)
    for entry in matching {
      if subscription.resumes { keepRecent(of: entry, for: subscription) }
      if let feed = subscription.session.feeds[entry.handle] {
        feed.subscriptions.append(subscription)
      } else {
        let feed = Feed(of: entry, to: subscription)
        if let point = points[entry.name] { feed.condition = .resuming(point) }
        begin(feed)
      }
    }
  }

  private func begin(_ feed: Feed) {
    let entry = feed.entry
    feed.session.feeds[entry.handle] = feed
    entry.add(feed)
    entry.remember(entry.header.state)
    updateCalls(of: entry, feed)
    if feed.session.isBehind { feed.session.pend(feed) } else { feed.deliver() }
  }

  /// From now on a header's states are kept for those who may come back.
  private func keepRecent(of entry: HeaderEntry, for subscription: Subscription) {
    if subscription.view.parts.contains(.calls) {
      entry.keepsCalls = true
      entry.header.recordsCalls = true
    }
    guard entry.recent == nil else { return }
    entry.remember(entry.header.state)
    entry.recent = RecentStates(after: entry.header.state.seq, in: recentStore)
  }

  /// Ends a subscription: nothing of it follows. Where another one of the connection matches, that one goes on.
  func end(_ subscription: Subscription) {
    router.remove(subscription)
    let feeds = subscription.session.feeds.values.filter { $0.subscriptions.contains { $0 === subscription } }
    for feed in feeds.sorted(by: { $0.entry.handle < $1.entry.handle }) {
      // What waits is the newest that the other one will hear of, until something changes again.
      if feed.leading === subscription, feed.subscriptions.count > 1 { feed.settle() }
      feed.subscriptions.removeAll { $0 === subscription }
      if feed.subscriptions.isEmpty { end(feed) } else { updateCalls(of: feed.entry, feed) }
    }
  }

  /// Ends a feed without a word.
  func end(_ feed: Feed) {
    feed.isGone = true
    wake(feed, at: nil)
    feed.session.feeds[feed.entry.handle] = nil
    feed.entry.remove(feed)
    updateCalls(of: feed.entry, feed)
  }

  /// Brings up to date whether a header notes which delegates are called, after one of its feeds has changed.
  private func updateCalls(of entry: HeaderEntry, _ feed: Feed) {
    let wantsCalls = !feed.isGone && feed.leading.view.parts.contains(.calls)
    if wantsCalls != feed.isCountedForCalls {
      feed.isCountedForCalls = wantsCalls
      entry.feedsWithCalls += wantsCalls ? 1 : -1
    }
    entry.header.recordsCalls = entry.keepsCalls || entry.feedsWithCalls > 0
  }
}

extension HeaderEntry {
  /// Keeps the values of a state, in place.
  fileprivate func remember(_ state: borrowing HeaderState) {
    if toldValues.count != state.values.count { toldValues = state.values }
    for index in toldValues.indices where toldValues[index] != state.values[index] {
      toldValues[index] = state.values[index]
    }
  }
}
