// SPDX-License-Identifier: MIT
//
// From one state to all who want it. The matching of names and patterns is done when somebody subscribes and when a
// header opens or closes; a state then only walks its own header's feeds. Each state is written once for each way of
// reading it (plain, routine notices, calls; as a line, as a frame), and those bytes are shared by all who read it that way.

internal import HeaderCore
internal import HeaderWire

/// Who has subscribed to what.
struct StateRouter {
  /// Subscriptions by an exact name, so that a header's opening does not look at all of them.
  private var exact: [String: [Subscription]] = [:]
  private var globbing: [Subscription] = []

  mutating func add(_ subscription: Subscription) {
    for name in subscription.exactNames { exact[name, default: []].append(subscription) }
    if !subscription.globs.isEmpty { globbing.append(subscription) }
  }

  mutating func remove(_ subscription: Subscription) {
    for name in subscription.exactNames {
      exact[name]?.removeAll { $0 === subscription }
      if exact[name]?.isEmpty == true { exact[name] = nil }
    }
    globbing.removeAll { $0 === subscription }
  }

  /// All subscriptions that match a name, each once, by connection and age.
  func matching(_ name: String) -> [Subscription] {
    var found = exact[name] ?? []
    for subscription in globbing where subscription.globs.contains(where: { Names.glob($0, matches: name) }) {
      if !found.contains(where: { $0 === subscription }) { found.append(subscription) }
    }
    return found.sorted { ($0.session.id, $0.id) < ($1.session.id, $1.id) }
  }
}

/// The messages of the state that is being told, one for each way of reading it, written when first asked for.
final class StateLines {
  private final class Line {
    let encoding: Encoding
    let parts: StateEncoder.Parts
    /// Of these two the one of its encoding is used.
    var writer = JSONWriter()
    var frameWriter = FrameWriter()
    var positions = 0
    var isWritten = false
    var kept: KeptState?

    init(_ encoding: Encoding, _ parts: StateEncoder.Parts) {
      self.encoding = encoding
      self.parts = parts
    }

    var count: Int { encoding == .lines ? writer.count : frameWriter.count }
    var copy: [UInt8] { encoding == .lines ? writer.copy() : frameWriter.copy() }

    func write(_ state: borrowing HeaderState, _ handle: HeaderHandle) {
      switch encoding {
      case .lines:
        writer.removeAll(keepingUpTo: 65_536)
        positions = StateEncoder.notification(state, parts, into: &writer)
      case .frames:
        frameWriter.removeAll(keepingUpTo: 65_536)
        positions = StateEncoder.frame(state, handle: handle.number, parts, into: &frameWriter)
      }
      isWritten = true
    }
  }

  private let lines = (0..<4).map { Line(.lines, StateEncoder.Parts(rawValue: $0)) }
  private let frames = (0..<4).map { Line(.frames, StateEncoder.Parts(rawValue: $0)) }
  private var handle = HeaderHandle(number: 0)
  private var changes: [ValueChange]?
  private var told: [NamedValue] = []

  /// Begins with a new state.
  /// - Parameter told: the values of the state before.
  func begin(_ handle: HeaderHandle, after told: [NamedValue]) {
    self.handle = handle
    self.told = told
    changes = nil
    for line in lines { line.isWritten = false }
    for line in frames { line.isWritten = false }
  }

  /// Lets go of what belongs to the state.
  func end() {
    told = []
    for line in lines where line.kept != nil { line.kept = nil }
    for line in frames where line.kept != nil { line.kept = nil }
  }

  private func line(_ state: borrowing HeaderState, _ parts: StateEncoder.Parts, _ encoding: Encoding) -> Line {
    let line = encoding == .lines ? lines[Int(parts.rawValue)] : frames[Int(parts.rawValue)]
    if !line.isWritten { line.write(state, handle) }
    return line
  }

  func size(_ state: borrowing HeaderState, _ parts: StateEncoder.Parts, _ encoding: Encoding) -> Int {
    line(state, parts, encoding).count
  }

  func send(_ state: borrowing HeaderState, _ parts: StateEncoder.Parts, to feed: Feed) {
    let session = feed.session
    let line = line(state, parts, session.encoding)
    switch line.encoding {
    case .lines: session.send(line.writer)
    case .frames:
      feed.tell(state.names)
      session.send(line.frameWriter)
    }
  }

  /// The state to be kept for those who are behind.
  func kept(_ state: borrowing HeaderState, _ parts: StateEncoder.Parts, _ encoding: Encoding) -> KeptState {
    let line = line(state, parts, encoding)
    if let kept = line.kept { return kept }
    let kept = KeptState(
      message: line.copy, encoding: encoding, positions: line.positions, happened: state.happened, names: state.names,
      changes: changedValues(state), owners: state.values.map(\.delegate))
    line.kept = kept
    return kept
  }

  private func changedValues(_ state: borrowing HeaderState) -> [ValueChange] {
    if let changes { return changes }
    var found: [ValueChange] = []
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
    for recorder in entry.recorders { recorder.add(state) }
    guard !entry.feeds.isEmpty else { return }
    lines.begin(entry.handle, after: entry.toldValues)
    for feed in entry.feeds { feed.offer(state, lines) }
    lines.end()
    entry.remember(state)
  }

  /// Lets all subscriptions that match a new header have it.
  func announce(_ entry: HeaderEntry) {
    var feeds: [Feed] = []
    for subscription in router.matching(entry.name) {
      if let last = feeds.last, last.session === subscription.session {
        last.subscriptions.append(subscription)
      } else {
        feeds.append(Feed(session: subscription.session, entry: entry, subscriptions: [subscription]))
      }
    }
    for feed in feeds { begin(feed) }
  }

  /// Lets a new subscription have the headers that it matches.
  /// - Returns: how many these are.
  func begin(_ subscription: Subscription, for matching: [HeaderEntry]) {
    router.add(subscription)
    for entry in matching {
      if let feed = subscription.session.feeds[entry.handle] {
        feed.subscriptions.append(subscription)
      } else {
        begin(Feed(session: subscription.session, entry: entry, subscriptions: [subscription]))
      }
    }
  }

  private func begin(_ feed: Feed) {
    let entry = feed.entry
    feed.session.feeds[entry.handle] = feed
    entry.feeds.append(feed)
    entry.remember(entry.header.state)
    updateCalls(of: entry)
    if feed.session.isBehind { feed.session.pend(feed) } else { feed.deliver() }
  }

  /// Ends a subscription: nothing of it follows. Where another one of the connection matches, that one goes on.
  func end(_ subscription: Subscription) {
    router.remove(subscription)
    for feed in subscription.session.feeds.values {
      feed.subscriptions.removeAll { $0 === subscription }
      if feed.subscriptions.isEmpty { end(feed) } else { updateCalls(of: feed.entry) }
    }
  }

  /// Ends a feed without a word.
  func end(_ feed: Feed) {
    feed.isGone = true
    feed.session.feeds[feed.entry.handle] = nil
    feed.entry.feeds.removeAll { $0 === feed }
    updateCalls(of: feed.entry)
  }

  private func updateCalls(of entry: HeaderEntry) {
    entry.header.recordsCalls = entry.feeds.contains { $0.leading.parts.contains(.calls) }
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
