// SPDX-License-Identifier: MIT
//
// Who wants which states, and how one header's states reach one connection.
//
// A subscription is what a client asked for: patterns, mode, what to include. A feed is one header on its way to one
// connection; it serves all of the connection's subscriptions that match the header and goes by the oldest of them.
//
//               ┌────────────── snapshot sent ─────────────┐
//               │                                          ▼
//     fresh ────┴─▶ live ── latest, connection behind ──▶ waiting ── drained: one line ──▶ live
//     (owed a       │                                      ╰ newer state: gathered
//      snapshot)    ╰─── every, queue full ──▶ gap ── drained: `gap`, snapshot ──▶ live
//
// What waits is bounded: one state a header with `latest`, `queueBytes` of written lines with `every`, nothing in a gap.

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
  let parts: StateEncoder.Parts

  init(
    id: Int, session: Session, patterns: [String], mode: Mode, onOverflow: Overflow, parts: StateEncoder.Parts
  ) {
    self.id = id
    self.session = session
    self.patterns = patterns
    self.mode = mode
    self.onOverflow = onOverflow
    self.parts = parts
  }

  /// The patterns that stand for exactly one name.
  var exactNames: [String] { patterns.filter { !$0.contains("*") } }
  var globs: [String] { patterns.filter { $0.contains("*") } }

  func matches(_ name: String) -> Bool { patterns.contains { Names.glob($0, matches: name) } }
}

/// One header's states on their way to one connection.
final class Feed {
  /// What is owed.
  enum Condition {
    /// Its first snapshot.
    case fresh
    /// Nothing: the next state goes out at once.
    case live
    /// One state, which waits (`latest`).
    case waiting(WaitingState)
    /// The states from a number on are lost (`every`): a gap and a snapshot.
    case gap(from: Int64)
  }

  unowned let session: Session
  unowned let entry: HeaderEntry
  /// The oldest first; never empty while the feed lives.
  var subscriptions: [Subscription]
  var condition = Condition.fresh
  /// It stands in its connection's row of those that are owed something.
  var isPending = false
  var isGone = false
  /// The names that the states of its frames refer to: those told last.
  private var toldNames: HeaderNames?

  init(session: Session, entry: HeaderEntry, subscriptions: [Subscription]) {
    self.session = session
    self.entry = entry
    self.subscriptions = subscriptions
  }

  /// The one that it goes by.
  var leading: Subscription { subscriptions[0] }

  /// Takes a state that has just been made.
  func offer(_ state: borrowing HeaderState, _ lines: StateLines) {
    guard !session.isEnded, !isGone else { return }
    switch condition {
    case .fresh, .gap:
      if !session.isBehind { deliver() }
    case .waiting(var waiting):
      condition = .live
      waiting.replace(with: lines.kept(state, leading.parts, session.encoding), parts: leading.parts)
      condition = .waiting(waiting)
      if !session.isBehind { deliver() }
    case .live:
      switch leading.mode {
      case .latest:
        if session.isBehind {
          condition = .waiting(WaitingState(lines.kept(state, leading.parts, session.encoding), limit: session.service.limits.notices))
          session.pend(self)
        } else {
          lines.send(state, leading.parts, to: self)
        }
      case .every:
        let size = lines.size(state, leading.parts, session.encoding)
        let queued = session.queuedBytes
        if queued == 0 || queued + size <= session.service.limits.queueBytes {
          lines.send(state, leading.parts, to: self)
        } else {
          overflow(at: state.seq)
        }
      }
    }
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

  /// Sends what is owed.
  func deliver() {
    let owed = condition
    condition = .live
    switch owed {
    case .live: break
    case .fresh: sendSnapshot()
    case .waiting(let waiting):
      tell(waiting.names)
      session.send(waiting.bytes(leading.parts))
    case .gap(let from):
      tell(entry.header.state.names)
      session.tellGap(entry, from...max(from, entry.header.state.seq), "overflow")
      sendSnapshot()
    }
  }

  /// The state as it is, positions alone.
  private func sendSnapshot() {
    tell(entry.header.state.names)
    session.tellState(of: entry, leading.parts.union(.snapshot))
  }

  /// In frames a state refers to names that were told before it.
  func tell(_ names: HeaderNames) {
    guard session.encoding == .frames, toldNames !== names else { return }
    toldNames = names
    session.writeFrame { $0.names(handle: entry.handle.number, names) }
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
    message: [UInt8], encoding: Encoding, positions: Int, happened: HeaderState.Happened, names: HeaderNames, changes: [ValueChange],
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
