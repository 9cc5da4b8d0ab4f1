// SPDX-License-Identifier: MIT
//
// Which node owns which header, as one node sees and decides it. Pure: messages and times in, requests out; Tests/RealmTests runs it
// through crashes, partitions and late writes.
//
//     elsewhere ──▶ electing ──▶ reading ──▶ restoring ──▶ fencing ──▶ owned ──▶ resigning ──▶ elsewhere
//                   owner: CAS    saved, log   the daemon    log: CAS            owner: CAS
//
// A lease only says which nodes may be gone, by this node's own clock. A wrong guess costs a header its owner, never its state, which is
// in the log. The one write that makes a node an owner is the fence: it names the log's last message as read, and an epoch larger than
// all before. So the new owner has read every acknowledged step; no message of the old owner follows the fence, since it names an older
// last message; and no epoch has two owners.

public import Clocks

/// The ownership protocol of one node.
public struct Ownership: Sendable {
  /// Times (in nanoseconds) and limits of the protocol.
  public struct Settings: Sendable {
    /// How long a node may be silent before it counts as gone.
    public var lease: Int64 = 1_000_000_000
    /// How long the set of nodes has to be stable before headers move.
    public var settling: Int64 = 2_000_000_000
    /// After this time the log of an idle header gets a message, so that there is a new one before the old ones expire.
    public var refresh: Int64 = 200_000_000_000
    /// The pause before a request is sent again.
    public var pause: Int64 = 100_000_000
    /// How long steps that no client awaits are gathered before they go into the log.
    public var delay: Int64 = 50_000_000
    /// Bytes of steps that wait for JetStream, of one header.
    public var queueBytes = 1_048_576
    /// Headers that move away at once.
    public var maxMoves = 16
    /// Headers that are taken at once.
    public var maxTakes = 128
    /// Larger epochs are invalid, so that there is always room for the next one.
    public var maxEpoch: Int64 = 1 << 52

    /// The shipped settings.
    public init() {}
  }

  /// Requests to the owner of the protocol.
  public enum Effect: Sendable {
    /// Write to a subject if that is its last message.
    case put(ticket: UInt64, Cell, [UInt8], expecting: UInt64)
    /// Read the last message of a subject.
    case last(ticket: UInt64, Cell)
    /// Read the stored records of a header.
    case history(ticket: UInt64, header: String)
    /// Open a header in the daemon as it was, with an epoch after the one given: `restored` or `refused` answers.
    case restore(header: String, content: [UInt8], steps: [[UInt8]], after: Int64)
    /// Begin to record the daemon's header, or begin anew: `snapshot`, then `step`.
    case record(header: String)
    /// Close it in the daemon: `closed` answers.
    case close(header: String)
    /// This node is the owner: states may be published, others' events come.
    case owns(header: String, epoch: Int64)
    /// This node no longer owns the header.
    case lost(header: String)
    /// A record was written by a node that may not write it, and is ignored.
    case refused(Cell)
    /// The log has this many steps of the owned header.
    case acknowledged(header: String, steps: Int)
  }

  enum Purpose: Sendable {
    /// The daemon has the header: as a new one, or from before this process started.
    case claim(epoch: Int64, isNew: Bool)
    /// The header is to be restored.
    case take
  }

  enum Phase: Sendable {
    case elsewhere
    case electing(CheckedWrite, Purpose)
    case reading(ticket: UInt64, Purpose)
    case restoring(History)
    case fencing(CheckedWrite, History, Purpose, epoch: Int64)
    case owned(OwnedHeader)
    case resigning(CheckedWrite, OwnerRecord.State)
  }

  struct Entry: Sendable {
    var row: OwnerRecord?
    var revision: UInt64 = 0
    var phase = Phase.elsewhere
    /// The epoch of the daemon's header.
    var local: Int64?
    /// Until when nothing is tried.
    var restsUntil: MonotonicTime = 0
  }

  /// The name of this node.
  public let node: NodeName
  let process: String
  let settings: Settings
  var leases: Leases
  var entries: [String: Entry] = [:]
  /// The headers of the requests that are not answered.
  package var tickets: [UInt64: String] = [:]
  private var lastTicket: UInt64 = 0
  var effects: [Effect] = []
  /// Requests that were not answered, and when they are sent again.
  var retries: [(at: MonotonicTime, effect: Effect)] = []
  var isConnected = false
  private var wasCurrent = false
  /// Before this time nothing is taken over, since its owners may not have been heard yet. nil: this node never held its lease.
  private var quietUntil: MonotonicTime?
  var isServing = false
  var present: [NodeName] = []
  private var presentSince: MonotonicTime = 0
  /// Headers with steps that wait to go into the log together.
  private var delayed: Set<String> = []
  /// No header has to move.
  var isBalanced = true
  /// Headers that something is to be done about.
  var attention: Set<String> = []

  /// - Parameter process: distinguishes this life of the node from others.
  public init(node: NodeName, process: String, settings: Settings = Settings()) {
    (self.node, self.process, self.settings) = (node, process, settings)
    leases = Leases(duration: settings.lease)
  }

  /// The requests since the last call.
  public mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: - Nodes

  /// The daemon is there, or not: without one this node takes nothing.
  public mutating func daemon(isThere: Bool, at now: MonotonicTime) {
    isServing = isThere
    guard !isThere else { return attention.formUnion(entries.keys) }
    for header in entries.keys.sorted() {
      entries[header]?.local = nil
      abandon(header)
    }
  }

  /// The connection is lost: what other nodes do is unknown.
  public mutating func disconnected() { isConnected = false }

  /// There is an answer again.
  public mutating func connected(at now: MonotonicTime) {
    isConnected = true
    if quietUntil != nil { leases.startAnew(but: node, at: now) }
    attention.formUnion(entries.keys)
  }

  /// Takes in a node's sign of life, also this node's own.
  public mutating func heard(_ lease: LeaseRecord, at now: MonotonicTime) {
    leases.saw(lease.node, isThere: lease.isServing, at: now)
  }

  // MARK: - The table

  /// The last word about a header's owner.
  public mutating func saw(_ row: OwnerRecord, _ header: String, revision: UInt64, at now: MonotonicTime) {
    guard revision > entries[header]?.revision ?? 0 else { return }
    guard isPossible(row) else { return sawNoRow(header, revision: revision, at: now) }
    entries[header, default: Entry()].row = row
    entries[header]?.revision = revision
    attention.insert(header)
    guard row.owner != node, let entry = entries[header] else { return }
    switch entry.phase {
    case .elsewhere:
      if entry.local != nil, row.state == .owned { effects.append(.close(header: header)) }
    case .electing, .resigning: break
    case .reading, .restoring, .fencing, .owned: abandon(header)
    }
  }

  func isPossible(_ row: OwnerRecord) -> Bool { row.epoch <= settings.maxEpoch && row.life <= row.epoch }

  /// Takes in a last message about a header's owner that is not a valid record. The earlier record still holds, and the owner writes it
  /// again.
  public mutating func sawNoRow(_ header: String, revision: UInt64, at now: MonotonicTime) {
    guard revision > entries[header]?.revision ?? 0 else { return }
    entries[header, default: Entry()].revision = revision
    attention.insert(header)
    effects.append(.refused(.owner(header)))
    switch entries[header]?.phase {
    case .reading, .restoring, .fencing, .owned: abandon(header)
    case .elsewhere, .electing, .resigning, nil: break
    }
  }

  /// Ends whatever is under way with a header at this node.
  mutating func abandon(_ header: String) {
    guard let entry = entries[header] else { return }
    entries[header]?.phase = .elsewhere
    attention.insert(header)
    if case .elsewhere = entry.phase { return }
    effects.append(.lost(header: header))
    if entry.local != nil { effects.append(.close(header: header)) }
    entries[header]?.local = nil
  }

  // MARK: - The daemon's headers

  /// Notes a header that the daemon opened without a request of this node.
  public mutating func opened(_ header: String, epoch: Int64, at now: MonotonicTime) {
    entries[header, default: Entry()].local = epoch
    guard case .elsewhere? = entries[header]?.phase else { return }
    if let row = entries[header]?.row, row.state == .owned, row.owner != node {
      return effects.append(.close(header: header))
    }
    attention.insert(header)
  }

  /// Notes that the daemon has restored a header.
  public mutating func restored(_ header: String, epoch: Int64, at now: MonotonicTime) {
    entries[header, default: Entry()].local = epoch
    guard case .restoring(let history)? = entries[header]?.phase else {
      return effects.append(.close(header: header))
    }
    fence(header, history, .take, epoch: epoch)
  }

  /// Notes that the daemon could not restore a header: other nodes may try.
  public mutating func refused(_ header: String, at now: MonotonicTime) {
    guard case .restoring? = entries[header]?.phase else { return }
    entries[header]?.restsUntil = now + 50 * settings.pause
    resign(header, .released, next: nil)
  }

  /// The daemon no longer has it.
  public mutating func closed(_ header: String, at now: MonotonicTime) {
    entries[header]?.local = nil
    guard case .owned(var owned)? = entries[header]?.phase else {
      if case .fencing? = entries[header]?.phase { abandon(header) }
      return attention.formUnion([header])
    }
    owned.isClosed = true
    if owned.ending == nil { owned.ending = (.closed, nil) }
    entries[header]?.phase = .owned(owned)
    pump(header, at: now)
  }

  /// The daemon begins a recording of an owned header.
  public mutating func snapshot(_ header: String, _ content: [UInt8], at now: MonotonicTime) {
    guard case .owned(let before)? = entries[header]?.phase else { return }
    if !before.isRecorded { effects.append(.owns(header: header, epoch: before.epoch)) }
    change(header, at: now) { $0.take(snapshot: content) }
  }

  /// Starts a recording again that could not begin, or has a hole.
  public mutating func recordingFailed(_ header: String, at now: MonotonicTime) {
    guard case .owned(var owned)? = entries[header]?.phase else { return }
    owned.recordingFailed()
    entries[header]?.phase = .owned(owned)
    // Not at once, since the reason may still be there.
    retries.append((now + 10 * settings.pause, .record(header: header)))
  }

  /// The next step of the recording.
  public mutating func step(_ header: String, _ step: [UInt8], at now: MonotonicTime) {
    let most = settings.queueBytes
    change(header, at: now) { $0.add(step, atMost: most, at: now) }
  }

  /// Lets a client wait until the received steps of a header are in the log.
  public mutating func flush(_ header: String, at now: MonotonicTime) { change(header, at: now) { $0.expectAll() } }

  private mutating func change(_ header: String, at now: MonotonicTime, _ body: (inout OwnedHeader) -> Void) {
    guard case .owned(var owned)? = entries[header]?.phase else { return }
    // Moved out meanwhile, so that the queue is not copied.
    entries[header]?.phase = .elsewhere
    body(&owned)
    entries[header]?.phase = .owned(owned)
    pump(header, at: now)
  }

  // MARK: - Time

  /// When something may be due, it is done.
  public mutating func tick(at now: MonotonicTime) {
    let isCurrent = isCurrent(at: now)
    if isCurrent, !wasCurrent {
      // A node that was silent meanwhile may have been cut off by the same server failure. At the start no node has been heard yet.
      if let quietUntil, now >= quietUntil { leases.startAnew(but: node, at: now) }
      quietUntil = quietUntil ?? now + settings.lease
      attention.formUnion(entries.keys)
    }
    wasCurrent = isCurrent
    let there = leases.present(at: now)
    if there != present {
      (present, presentSince, isBalanced) = (there, now, false)
      attention.formUnion(entries.keys)
    }
    retry(at: now)
    for header in delayed.sorted() {
      guard case .owned(let owned)? = entries[header]?.phase else {
        delayed.remove(header)
        continue
      }
      // Not when a step comes: states that come with it go first.
      if owned.isDue(at: now, delay: settings.delay) { pump(header, at: now, isForced: true) }
    }
    guard isCurrent, isServing else { return }
    look(at: now)
    if !isBalanced, now - presentSince >= settings.settling { moveAway(at: now) }
  }

  private mutating func retry(at now: MonotonicTime) {
    guard isConnected, !retries.isEmpty else { return }
    for retry in retries where retry.at <= now { effects.append(retry.effect) }
    retries.removeAll { $0.at <= now }
  }

  private mutating func look(at now: MonotonicTime) {
    guard !attention.isEmpty else { return }
    var taking = 0
    for entry in entries.values {
      switch entry.phase {
      case .electing, .reading, .restoring, .fencing: taking += 1
      case .elsewhere, .owned, .resigning: break
      }
    }
    for header in attention.sorted() {
      guard let entry = entries[header] else { continue }
      guard case .elsewhere = entry.phase else {
        attention.remove(header)
        continue
      }
      guard entry.restsUntil <= now, taking < settings.maxTakes else { continue }
      guard let purpose = purpose(header, entry) else {
        // A node that may still go keeps its headers; when it goes, all are looked at.
        attention.remove(header)
        continue
      }
      if case .take = purpose, now < quietUntil ?? .max { continue }
      attention.remove(header)
      taking += 1
      elect(header, purpose)
    }
  }

  /// What this node should do about a header that it does not have; nil: nothing.
  func purpose(_ header: String, _ entry: Entry) -> Purpose? {
    let isMine = entry.row?.owner == node
    if let epoch = entry.local {
      guard let row = entry.row else { return .claim(epoch: epoch, isNew: true) }
      return row.state == .owned && !isMine ? nil : .claim(epoch: epoch, isNew: row.state == .closed)
    }
    guard let row = entry.row else { return nil }
    switch row.state {
    case .closed: return nil
    case .owned where isMine: return .take
    case .owned: return present.contains(row.owner) || place(of: header) != node ? nil : .take
    case .released:
      if let next = row.next, present.contains(next) { return next == node ? .take : nil }
      return place(of: header) == node ? .take : nil
    }
  }

  private mutating func moveAway(at now: MonotonicTime) {
    var moving = 0
    var misplaced: [String] = []
    for (header, entry) in entries {
      guard case .owned(let owned) = entry.phase else { continue }
      if owned.ending != nil {
        moving += 1
      } else if place(of: header) != node {
        misplaced.append(header)
      }
    }
    isBalanced = moving == 0 && misplaced.isEmpty
    var leaving: [(String, NodeName)] = []
    // In order, so that a run from a seed is always the same.
    for header in misplaced.sorted() where moving + leaving.count < settings.maxMoves {
      guard case .owned(let owned)? = entries[header]?.phase, owned.isSaved, let next = place(of: header) else {
        continue
      }
      leaving.append((header, next))
    }
    for (header, next) in leaving {
      change(header, at: now) { $0.ending = (.released, next) }
      effects.append(.lost(header: header))
      effects.append(.close(header: header))
    }
  }

  /// Keeps the logs of headers that rest from being forgotten; to be called now and then.
  public mutating func refresh(at now: MonotonicTime) {
    guard isCurrent(at: now) else { return }
    for (header, entry) in entries {
      guard case .owned(let owned) = entry.phase, now - owned.lastWrite >= settings.refresh else { continue }
      pump(header, at: now, isForced: true)
    }
  }

  // MARK: - Steps of the protocol

  mutating func ticket(_ header: String) -> UInt64 {
    lastTicket += 1
    tickets[lastTicket] = header
    return lastTicket
  }

  var nonce: String { "\(node.text).\(process).\(lastTicket)" }

  mutating func write(_ cell: Cell, expecting: UInt64, _ bytes: (String) -> [UInt8]) -> CheckedWrite {
    let ticket = ticket(cell.header)
    let write = CheckedWrite(cell, bytes(nonce), expecting: expecting, ticket: ticket)
    effects.append(write.effect)
    return write
  }

  private mutating func elect(_ header: String, _ purpose: Purpose) {
    guard let entry = entries[header] else { return }
    let before = entry.row?.epoch ?? 0
    var life = entry.row?.life ?? 0
    let epoch: Int64
    switch purpose {
    case .claim(let own, let isNew):
      epoch = max(own, before)
      if isNew { life = own }
    case .take: epoch = before + 1
    }
    let write = write(.owner(header), expecting: entry.revision) { [node] in
      OwnerRecord(node, epoch, life: life, .owned, nonce: $0).bytes
    }
    entries[header]?.phase = .electing(write, purpose)
  }

  mutating func read(_ header: String, _ purpose: Purpose) {
    let ticket = ticket(header)
    entries[header]?.phase = .reading(ticket: ticket, purpose)
    effects.append(.history(ticket: ticket, header: header))
  }

  mutating func fence(_ header: String, _ history: History, _ purpose: Purpose, epoch: Int64) {
    let write = write(.log(header), expecting: history.tail) { [node] in
      LogRecord(epoch: epoch, owner: node, first: 0, steps: [], nonce: $0).bytes
    }
    entries[header]?.phase = .fencing(write, history, purpose, epoch: epoch)
  }

  mutating func resign(_ header: String, _ state: OwnerRecord.State, next: NodeName?) {
    guard let entry = entries[header] else { return }
    let epoch = max(entry.row?.epoch ?? 0, entry.local ?? 0)
    let write = write(.owner(header), expecting: entry.revision) { [node] in
      OwnerRecord(node, epoch, life: entry.row?.life ?? 0, state, next: next, nonce: $0).bytes
    }
    entries[header]?.phase = .resigning(write, state)
  }

  /// Writes the steps and states of an owned header that can be written now.
  mutating func pump(_ header: String, at now: MonotonicTime, isForced: Bool = false) {
    guard case .owned(var owned)? = entries[header]?.phase else { return }
    entries[header]?.phase = .elsewhere
    if let content = owned.snapshotToSave() {
      let (epoch, base) = (owned.epoch, owned.tail)
      owned.saveWrite = write(.saved(header), expecting: owned.savedNumber) {
        SavedRecord(epoch: epoch, base: base, content: content, nonce: $0).bytes
      }
    }
    if let batch = owned.nextBatch(isForced: isForced, at: now) {
      let epoch = owned.epoch
      owned.logWrite = write(.log(header), expecting: owned.tail) { [node] in
        LogRecord(epoch: epoch, owner: node, first: batch.first, steps: batch.steps, nonce: $0).bytes
      }
    }
    if owned.isWaiting { delayed.insert(header) } else if !delayed.isEmpty { delayed.remove(header) }
    if owned.wantsSnapshot() { effects.append(.record(header: header)) }
    let isOver = owned.isClosed && owned.isSettled
    entries[header]?.phase = .owned(owned)
    if isOver, let ending = owned.ending { resign(header, ending.state, next: ending.next) }
  }
}
