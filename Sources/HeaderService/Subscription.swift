// SPDX-License-Identifier: MIT
//
// Who wants which states, and how one header's states reach one connection.
//
// A subscription is what a client asked for: patterns, mode, what to include. A feed is one header on its way to one
// connection; it serves all of the connection's subscriptions that match the header and goes by the oldest of them.
//
//               ┌────────── snapshot, or what was missed ───────────┐
//               │                                                   ▼
//     fresh or ─┴─▶ live ── latest, connection behind ─────────▶ waiting ── drained, and its time: one line ──▶ live
//     resuming       │      or sooner than `maxRate` allows         ╰ newer state: gathered
//                    ╰─── every, queue full ──▶ gap ── drained: `gap`, snapshot ──▶ live
//
// What waits is bounded: one state a header with `latest`, `queueBytes` of written lines with `every`, nothing in a gap
// and nothing of its own while resuming.

internal import HeaderCore
internal import HeaderWire

/// What a client asked for.
final class Subscription {
  enum Mode: String, CaseIterable { case latest, every }
  enum Overflow: String, CaseIterable { case gap, disconnect }

  /// Counts up within the connection.
  let id: Int
  unowned let session: Session
  let patterns: [String]
  let mode: Mode
  let onOverflow: Overflow
  let view: StateView
  /// Nanoseconds between two states of a header at least (`maxRate`).
  let interval: Int64
  /// Its client may come back and ask for what it missed.
  let resumes: Bool
  /// The router has let go of it.
  var isEnded = false

  init(
    id: Int, session: Session, patterns: [String], mode: Mode, onOverflow: Overflow, view: StateView,
    interval: Int64 = 0, resumes: Bool = false
  ) {
    self.id = id
    self.session = session
    self.patterns = patterns
    self.mode = mode
    self.onOverflow = onOverflow
    self.view = view
    self.interval = interval
    self.resumes = resumes
  }

  /// The patterns that stand for exactly one name.
  var exactNames: [String] { patterns.filter { !$0.contains("*") } }
  var globs: [String] { patterns.filter { $0.contains("*") } }

  func matches(_ name: String) -> Bool { patterns.contains { Names.glob($0, matches: name) } }
}

/// One header's states on their way to one connection. It sleeps while a state waits for its time.
@safe final class Feed: Sleeper {
  /// What is owed.
  enum Condition {
    /// Its first snapshot.
    case fresh
    /// What came after the state that its client saw last.
    case resuming(ResumePoint)
    /// Nothing: the next state goes out at once.
    case live
    /// One state, which waits (`latest`).
    case waiting(WaitingState)
    /// The states from a number on are lost (`every`): a gap and a snapshot.
    case gap(from: Int64)
  }

  /// The session and the header outlive their feeds: both end them before they go.
  @safe unowned(unsafe) let session: Session
  @safe unowned(unsafe) let entry: HeaderEntry
  private let sessionReference: Unmanaged<Session>
  /// The oldest first; never empty while the feed lives.
  var subscriptions: [Subscription] {
    didSet { if let first = subscriptions.first { leading = first } }
  }
  /// The one that it goes by: the oldest.
  private(set) var leading: Subscription { didSet { updateFlow() } }
  var condition = Condition.fresh { didSet { updateFlow() } }
  /// How states are read that go out one and all: of a live feed with `every`, else nil.
  private var flow: Unmanaged<StateView>?
  /// It stands in its connection's row of those that are owed something.
  var isPending = false
  var isGone = false
  /// It is counted among those of its header that want calls.
  var isCountedForCalls = false
  /// Its place in its header's row, which alone changes it; −1 when it is in none.
  var slot: Int32 = -1
  /// When its last state went out, by the daemon's clock.
  private var lastSent: Int64?
  /// The names that the states of its frames refer to: those told last.
  private var toldNames: HeaderNames?

  init(of entry: HeaderEntry, to subscription: Subscription) {
    session = subscription.session
    unsafe sessionReference = Unmanaged.passUnretained(subscription.session)
    self.entry = entry
    subscriptions = [subscription]
    leading = subscription
    super.init(order: session.service.nextFeedOrder())
  }

  /// When `maxRate` allows the next state; nil: now.
  private var dueLater: Int64? {
    guard leading.interval > 0, let lastSent, lastSent + leading.interval > session.service.now else { return nil }
    return lastSent + leading.interval
  }

  private func updateFlow() {
    if case .live = condition, leading.mode == .every {
      unsafe flow = Unmanaged.passUnretained(leading.view)
    } else {
      unsafe flow = nil
    }
  }

  /// Takes a state that has just been made.
  @inline(__always)
  func offer(_ state: borrowing HeaderState, _ lines: StateLines, by service: Service) {
    guard !isGone, let flow = unsafe flow else { return offerOtherwise(state, lines) }
    unsafe sessionReference._withUnsafeGuaranteedRef { session in
      guard !session.isEnded else { return }
      let message = unsafe flow._withUnsafeGuaranteedRef { lines.message(state, $0) }
      if session.encoding == .frames { tell(state.names) }
      let bound = service.settings.limits.queueBytes
      if !session.pass(message, within: bound, by: service) { overflow(at: state.seq) }
    }
  }

  /// The same for all but the usual feed.
  @inline(never)
  private func offerOtherwise(_ state: borrowing HeaderState, _ lines: StateLines) {
    guard !session.isEnded, !isGone else { return }
    switch condition {
    case .fresh, .gap:
      if !session.isBehind { deliver() }
    case .resuming: break  // What is kept has it too, and goes out when the connection is drained.
    case .waiting, .live: take(state, lines)
    }
  }

  /// Sends a state or keeps it until it may be sent.
  private func take(_ state: borrowing HeaderState, _ lines: StateLines) {
    if case .waiting(var waiting) = condition {
      condition = .live
      waiting.replace(with: lines.kept(state, leading.view, of: entry), parts: leading.view.parts)
      condition = .waiting(waiting)
      if !session.isBehind { deliver() }
      return
    }
    switch leading.mode {
    case .latest:
      if session.isBehind {
        wait(with: lines.kept(state, leading.view, of: entry))
        session.pend(self)
      } else if let later = dueLater {
        wait(with: lines.kept(state, leading.view, of: entry))
        session.service.wake(self, at: later)
      } else {
        // It is not behind, which is a narrower bound.
        _ = send(state, lines, within: .max)
        lastSent = session.service.now
      }
    case .every: takeNext(state, lines)
    }
  }

  /// Sends one of the states that all go out.
  private func takeNext(_ state: borrowing HeaderState, _ lines: StateLines) {
    if !send(state, lines, within: session.service.limits.queueBytes) { overflow(at: state.seq) }
  }

  /// - Returns: false if that would be more than there may be in the queue.
  private func send(_ state: borrowing HeaderState, _ lines: StateLines, within bound: Int) -> Bool {
    guard !session.isEnded else { return true }
    let message = lines.message(state, leading.view)
    tell(state.names)
    return session.pass(message, within: bound, by: session.service)
  }

  private func wait(with state: KeptState) {
    condition = .waiting(WaitingState(state, limit: session.service.limits.notices))
  }

  private func overflow(at seq: Int64) {
    session.service.counters.gaps += 1
    switch leading.onOverflow {
    case .disconnect:
      session.misbehaved("overflow", [("header", entry.name)])
      session.end(reason: "overflow")
    case .gap:
      condition = .gap(from: seq)
      session.pend(self)
    }
  }

  /// Sends what is owed, if it is time.
  func deliver() {
    if case .waiting = condition, let later = dueLater { return session.service.wake(self, at: later) }
    deliverNow()
  }

  /// Its time has come.
  func wakeIsDue() {
    guard !session.isEnded, !isGone else { return }
    if session.isBehind { session.pend(self) } else { deliver() }
  }

  /// Sends a state that waits, however early it is and however far behind the connection: the feed changes hands or ends.
  func settle() { if case .waiting = condition { deliverNow() } }

  /// Sends what is owed, all of it: the header or the connection is about to end.
  func finish() {
    deliverNow()
    guard case .resuming(let point) = condition else { return }
    condition = .live
    session.service.counters.gaps += 1
    lose(from: point.seq + 1, "overflow")
  }

  /// Sends what is owed.
  private func deliverNow() {
    let owed = condition
    condition = .live
    switch owed {
    case .live: break
    case .fresh: sendSnapshot()
    case .waiting(let waiting):
      tell(waiting.names)
      session.send(waiting.bytes(leading.view.parts))
      lastSent = session.service.now
    case .gap(let from): lose(from: from, "overflow")
    case .resuming(let point): resume(after: point)
    }
  }

  /// Tells that states are lost, and how things stand.
  private func lose(from seq: Int64?, _ reason: StaticString) {
    tell(entry.header.state.names)
    session.tellGap(entry, seq.map { $0...max($0, entry.header.state.seq) }, reason)
    sendSnapshot()
  }

  /// Sends what came after a state that the client has. Where not all of it is kept, or the header has a new life, that
  /// is told.
  private func resume(after point: ResumePoint) {
    let service = session.service
    let present = entry.header.state.seq
    guard point.epoch == entry.epoch else {
      service.counters.gaps += 1
      return lose(from: nil, "newEpoch")
    }
    // It knows of states that were never made: let it forget them.
    guard point.seq <= present else { return sendSnapshot() }
    guard point.seq < present else { return }
    guard let recent = entry.recent, recent.floor <= point.seq else {
      service.counters.gaps += 1
      return lose(from: point.seq + 1, "tooOld")
    }
    for index in recent.indices(after: point.seq) {
      let kept = recent[index]
      service.lines.begin(entry, changes: kept.changes)
      defer { service.lines.end() }
      let size = leading.mode == .every ? service.lines.line(kept.state, leading.view).count : 0
      if leading.mode == .every, !session.hasRoom(forState: size, by: service) {
        // The rest stays where it is kept, as long as it is kept.
        condition = .resuming(ResumePoint(epoch: point.epoch, seq: kept.state.seq - 1))
        return session.pend(self)
      }
      take(kept.state, service.lines)
    }
  }

  /// The state as it is, positions alone.
  private func sendSnapshot() {
    tell(entry.header.state.names)
    session.tellSnapshot(of: entry, leading.view.key)
    lastSent = session.service.now
  }

  /// In frames a state refers to names that were told before it.
  func tell(_ names: HeaderNames) {
    guard session.encoding == .frames, toldNames !== names else { return }
    toldNames = names
    session.writeFrame { $0.names(handle: entry.handle.number, of: entry.name, names) }
  }
}

/// A state that is kept because somebody could not take it at once; shared by all who wait for it.
final class KeptState {
  /// The whole message, and how it is written.
  let message: [UInt8]
  let encoding: Encoding
  /// Bytes of the message before its lists.
  let positions: Int
  let happened: HeaderState.Happened
  let names: HeaderNames
  /// Texts and bools that it changed.
  let changes: [ValueChange]
  /// The delegate that owns each value.
  let owners: [Int32]

  init(
    message: [UInt8], encoding: Encoding, positions: Int, happened: HeaderState.Happened, names: HeaderNames,
    changes: [ValueChange],
    owners: [Int32]
  ) {
    self.message = message
    self.encoding = encoding
    self.positions = positions
    self.happened = happened
    self.names = names
    self.changes = changes
    self.owners = owners
  }
}

/// The one state that waits for a connection, with what those it replaced had to say.
struct WaitingState {
  private var newest: KeptState
  private var gathered: ConflatedLists?
  private let limit: Int

  init(_ state: KeptState, limit: Int) {
    newest = state
    self.limit = limit
  }

  mutating func replace(with state: KeptState, parts: StateEncoder.Parts) {
    var lists = gathered ?? ConflatedLists(limit: limit)
    gathered = nil
    lists.append(
      newest.happened, newest.names, changes: newest.changes, owners: newest.owners,
      includingRoutine: parts.contains(.routine))
    gathered = lists
    newest = state
  }

  var names: HeaderNames { newest.names }

  /// What goes out: the state's own message if it replaced none.
  func bytes(_ parts: StateEncoder.Parts) -> [UInt8] {
    guard var lists = gathered else { return newest.message }
    lists.append(
      newest.happened, newest.names, changes: [], owners: newest.owners, includingRoutine: parts.contains(.routine))
    let calls = parts.contains(.calls) ? (newest.happened, newest.names) : nil
    switch newest.encoding {
    case .lines: return lists.line(after: newest.message, positions: newest.positions, calls: calls)
    case .frames: return lists.frame(after: newest.message, positions: newest.positions, calls: calls)
    }
  }
}
