// SPDX-License-Identifier: MIT
//
// A daemon's place in a realm: publishes its headers' states and steps to NATS, receives what the realm sends to them, and gives its
// clients access to all headers of the realm.
//
//     daemon ◀──▶ OwnerLink ──states──▶ NATS          steps and snapshots ──▶ Ownership ──▶ JetStream
//     daemon ◀──▶ Tunnel ◀── ClientSession            of clients here
//     daemon ◀──▶ Tunnel ◀── RemoteClient ◀── NATS    of clients of other bridges

public import Clocks
internal import HeaderModel
internal import HeaderWire
public import Realm

/// Settings of a bridge, fixed at its start.
public struct BridgeSettings: Sendable {
  /// This node's name.
  public var node: NodeName
  /// A number of this process's own.
  public var process: String
  /// The realm's subjects.
  public var subjects: Subjects
  /// Times and limits of the ownership protocol.
  public var ownership = Ownership.Settings()
  /// Nanoseconds that states are kept for.
  public var historyAge: Int64 = 60_000_000_000
  /// Nanoseconds that steps are kept for.
  public var logAge: Int64 = 600_000_000_000
  /// Copies of each stream, in a cluster of servers.
  public var replicas = 1
  /// What reply subjects begin with that are answered.
  public var replies = ["_INBOX"]
  /// The number before the first client's. It should be hard to guess, since every sender to a node can answer a client by its number.
  public var firstSession = 0

  /// Settings with every default.
  public init(node: NodeName, process: String, subjects: Subjects) {
    (self.node, self.process, self.subjects) = (node, process, subjects)
  }
}

/// One daemon's bridge to a realm.
public final class RealmBridge {
  let settings: BridgeSettings
  let bus: any Bus
  /// For the log alone: what the server has to store holds up all behind it on its connection.
  let logBus: any Bus
  let host: any BridgeHost
  let jetStream: JetStream
  /// Steps and saved headers go there.
  let log: JetStream
  private(set) lazy var feed = StateFeed(self)
  private(set) lazy var link = OwnerLink(self)
  var ownership: Ownership
  var now: MonotonicTime

  enum Listening {
    case inbox, logInbox, leases, owners, node
    case header(String)
  }
  var listening: [Int: Listening] = [:]
  private var headerSubscriptions: [String: [Int]] = [:]
  var attempt = 0
  var setUpAt: MonotonicTime = .max
  var isSetUp = false
  /// Headers whose changed rows are being read, with the number of requests.
  var rowsAsked: [String: Int] = [:]
  /// Rows that were announced and not read, by header. They are read again with the next renewal of the lease.
  var unreadRows: [String: AnnouncedRow] = [:]

  var leaseNumber: UInt64 = 0
  /// The number that was there when this process came.
  var leaseSince = UInt64.max
  var leaseDue: MonotonicTime = 0
  var isRenewing = false
  /// A process that began later and has written to this node's lease, and since when it has not written again.
  var rival: (process: String, number: UInt64, since: MonotonicTime)?
  var hasLostName = false
  private var complaints = ComplaintBudget()
  /// Answers are not kept at the moment: NATS is not there.
  var isAway = true
  /// Why JetStream has not kept what it was given last; nil: it has.
  private var storageRefusal: String?
  var nodes: [NodeName] = []
  private var refreshDue: MonotonicTime = 0

  /// The last state of each of the daemon's headers.
  var states: [String: StateLine] = [:]
  private var restoring: Set<String> = []
  /// For each owned header, the number of durable steps.
  var kept: [String: Int] = [:]
  var held: [ObjectIdentifier: Tunnel] = [:]
  /// Recordings that the daemon may have at once.
  var maxTraces = Int.max
  /// Headers that this daemon can have: each is recorded, and twice while a recording starts anew.
  var maxHeaders: Int { max(1, maxTraces / 2) }

  var sessions: [Int: ClientSession] = [:]
  var lastSession = 0
  var remoteClients: [String: RemoteClient] = [:]
  let handles = Handles()
  var watches: [DetailWatch.Key: DetailWatch] = [:]

  /// A bridge, not connected to anything yet.
  /// - Parameters:
  ///   - bus: NATS, for all but the log.
  ///   - logBus: another connection to it, for the log.
  public init(_ settings: BridgeSettings, bus: any Bus, logBus: any Bus, host: any BridgeHost, at now: MonotonicTime) {
    (self.settings, self.bus, self.logBus, self.host, self.now) = (settings, bus, logBus, host, now)
    let inbox = "\(Subjects.ownAnswers)\(settings.node.text).\(settings.process)"
    lastSession = settings.firstSession
    jetStream = JetStream(bus, inbox: inbox)
    log = JetStream(logBus, inbox: "\(inbox).log")
    ownership = Ownership(node: settings.node, process: settings.process, settings: settings.ownership)
    (jetStream.now, log.now) = (now, now)
  }

  var subjects: Subjects { settings.subjects }

  // MARK: - Time

  /// Whether answers of JetStream are owed.
  public var awaitsAnswers: Bool { jetStream.isWaiting || log.isWaiting }

  /// To be called every some milliseconds.
  public func tick(at now: MonotonicTime) {
    turn(at: now)
    link.tick(at: now)
    jetStream.tick()
    log.tick()
    if setUpAt <= now { setUp() }
    if isSetUp, now >= leaseDue { renew() }
    ownership.tick(at: now)
    if now >= refreshDue { refresh() }
    updateAway()
    updateNodes()
    perform()
    for (event, lines) in complaints.takeUnwritten(at: now) { host.log(event, [("unwritten", String(lines))]) }
    feed.tick()
    for (key, watch) in watches where !watch.tick(at: now) {
      watch.end()
      watches[key] = nil
    }
    for session in sessions.values { session.retryWaiting(at: now) }
  }

  func turn(at now: MonotonicTime) { (self.now, jetStream.now, log.now) = (now, now, now) }

  private func updateAway() {
    let away = !ownership.isCurrent(at: now)
    guard away != isAway else { return }
    isAway = away
    host.log(away ? "realmAway" : "realmReached", [("node", settings.node.text)])
    sendDurability()
    if !away { publishAll() }
  }

  /// Why what is answered is not kept; nil: it is.
  var notKept: String? { isAway ? "NATS does not answer" : storageRefusal.map { "JetStream: \($0)" } }

  private func sendDurability() {
    for session in sessions.values { session.durability(notKept) }
    pumpHeld()
  }

  /// JetStream has kept something, or has not.
  private func noteStorage(_ answer: Answer) {
    let was = storageRefusal
    switch answer {
    case .stored: storageRefusal = nil
    case .refused(let reason): storageRefusal = was ?? reason
    case .conflict, .last, .history, .unknown: return
    }
    guard (was == nil) != (storageRefusal == nil) else { return }
    host.log(storageRefusal == nil ? "storageBack" : "storageRefused", [("reason", storageRefusal ?? was ?? "")])
    sendDurability()
  }

  /// Logs a message that its sender may not send, or cannot mean.
  func complain(_ event: String, _ facts: [(key: String, value: String)]) {
    if complaints.take(event, at: now) { host.log(event, facts) }
  }

  private func updateNodes() {
    let present = ownership.nodes
    guard present != nodes else { return }
    for gone in nodes where !present.contains(gone) {
      for session in sessions.values { session.lost(gone) }
      for (key, client) in remoteClients where client.node == gone {
        client.end()
        remoteClients[key] = nil
      }
    }
    nodes = present
    host.log("nodes", [("nodes", present.map(\.text).joined(separator: " "))])
  }

  /// What is kept by age is said again before it is too old.
  private func refresh() {
    refreshDue = now + settings.historyAge / 3
    ownership.refresh(at: now)
    publishAll()
  }

  private func publishAll() {
    for (header, state) in states where ownership.isOwned(header) { publish(header, state) }
  }

  // MARK: - Ownership's effects

  func perform() {
    while case let effects = ownership.takeEffects(), !effects.isEmpty {
      for effect in effects { perform(effect) }
    }
  }

  func perform(_ effect: Ownership.Effect) {
    switch effect {
    case .put(let ticket, let cell, let bytes, let expecting):
      guard let (subject, _) = place(of: cell) else { return }
      var stream = log
      if case .owner(let header) = cell {
        // A node that reads of the new owner sends here at once. The subscription goes first on the same connection, so the server has it
        // before.
        listen(for: header)
        stream = jetStream
      }
      stream.put(subject, bytes, expecting: expecting) { [self] answer in
        noteStorage(answer)
        answered(ticket, cell, bytes, answer)
      }
    case .last(let ticket, let cell):
      guard let (subject, stream) = place(of: cell) else { return }
      jetStream.last(subject, in: stream) { [self] last in
        answered(ticket, cell, last?.bytes ?? [], last.map { .last($0) } ?? .unknown)
      }
    case .history(let ticket, let header): readHistory(header) { [self] in answered(ticket, nil, [], $0) }
    case .restore(let header, let content, let steps, let after): restore(header, content, steps, after)
    case .record(let header): link.record(header)
    case .close(let header):
      link.ask("header.close", ["header": .text(header)]) { _ in }
    case .owns(let header, let epoch): owns(header, epoch)
    case .lost(let header): lost(header)
    case .refused(let cell):
      guard let (subject, _) = place(of: cell) else { return }
      complain("recordRefused", [("subject", subject), ("reason", "no daemon of the realm can have written it")])
    case .acknowledged(let header, let steps):
      kept[header] = steps
      pumpHeld()
    }
  }

  func answered(_ ticket: UInt64, _ cell: Cell?, _ bytes: [UInt8], _ answer: Answer) {
    ownership.answered(ticket, answer, at: now)
    if case .owner(let header)? = cell, let row = OwnerRecord(bytes) {
      switch answer {
      case .stored, .last: rowChanged(header, row)
      default: break
      }
      pumpHeld()
    }
    perform()
  }

  func place(of cell: Cell) -> (subject: String, stream: String)? {
    let stream: Subjects.Stream =
      switch cell {
      case .owner: .owners
      case .log: .log
      case .saved: .saved
      }
    return subjects.subject(stream.kind, header: cell.header).map { ($0, subjects.name(of: stream)) }
  }

  private func readHistory(_ header: String, _ body: @escaping (Answer) -> Void) {
    guard let (savedSubject, savedStream) = place(of: .saved(header)),
      let (logSubject, logStream) = place(of: .log(header))
    else { return }
    jetStream.last(savedSubject, in: savedStream) { [self] saved in
      guard let saved else { return body(.unknown) }
      let begin = { [self] (log: [LastMessage], tail: UInt64) in
        let (history, refused) = History.reading(
          saved: saved, log: log, tail: tail, maxEpoch: settings.ownership.maxEpoch)
        if !refused.isEmpty {
          complain(
            "recordRefused",
            [
              ("header", header), ("messages", refused.prefix(8).joined(separator: ", ")),
              ("reason", "no daemon of the realm can have written it"),
            ])
        }
        body(.history(history))
      }
      jetStream.last(logSubject, in: logStream) { [self] tail in
        guard let tail else { return body(.unknown) }
        // A record whose base lies behind the end of the log was not written by an owner.
        let base = SavedRecord(saved.bytes).map { $0.base <= tail.number ? $0.base : 0 } ?? 0
        guard tail.number > base else { return begin([], tail.number) }
        jetStream.read(logSubject, in: logStream, from: base + 1) { messages in
          guard let messages else { return body(.unknown) }
          begin(
            messages.map { LastMessage(number: $0.number, bytes: $0.bytes) }, messages.last?.number ?? tail.number)
        }
      }
    }
  }

  private func restore(_ header: String, _ content: [UInt8], _ steps: [[UInt8]], _ after: Int64) {
    guard let recording = json(content), case .record(var params)? = recording["description"] else {
      return ownership.refused(header, at: now)
    }
    params["saved"] = recording["saved"]
    params["steps"] = .list(steps.compactMap { json($0)?.withoutOutcome })
    params["after"] = .number(Double(after))
    params["ifExists"] = "replace"
    restoring.insert(header)
    host.log("restores", [("header", header), ("steps", String(steps.count))])
    link.ask("header.open", params) { [self] answer in
      restoring.remove(header)
      if let epoch = answer?["epoch"]?.wholeNumber {
        ownership.restored(header, epoch: epoch, at: now)
      } else {
        ownership.refused(header, at: now)
      }
      perform()
    }
  }

  private func owns(_ header: String, _ epoch: Int64) {
    host.log("owns", [("header", header), ("epoch", String(epoch))])
    feed.remove(header, isClosed: false)
    kept[header] = nil
    if let state = states[header] { publish(header, state) }
    for session in sessions.values { session.retryWaiting(for: header, at: now) }
  }

  func lost(_ header: String) {
    host.log("lost", [("header", header)])
    pumpHeld()
  }

  /// Begins to receive what others have for a header.
  func listen(for header: String) {
    guard headerSubscriptions[header] == nil else { return }
    for kind in [Subjects.Kind.event, .request] {
      guard let subject = subjects.subject(kind, header: header), let id = bus.subscribe(subject, wantsHeaders: true)
      else { continue }
      listening[id] = .header(header)
      headerSubscriptions[header, default: []].append(id)
    }
  }

  func stopListening(for header: String) {
    for id in headerSubscriptions.removeValue(forKey: header) ?? [] {
      listening[id] = nil
      bus.unsubscribe(id)
    }
  }

  func publish(_ header: String, _ state: StateLine) {
    guard !isAway, let subject = subjects.subject(.state, header: header) else { return }
    bus.publish(
      state.bytes, to: subject, reply: nil,
      headers: [
        ("Headerd-Epoch", String(state.epoch)), ("Headerd-Seq", String(state.seq)), ("Headerd-Encoding", "lines"),
        ("Headerd-Owner", settings.node.text),
      ])
  }

  // MARK: - Answers that wait

  func pumpHeld() {
    for (id, tunnel) in held where !tunnel.pump() { held[id] = nil }
  }
}

// MARK: - The daemon

extension RealmBridge {
  /// The connection to the daemon was made or has ended.
  func linkChanged(isUp: Bool) {
    host.log(isUp ? "daemonReached" : "daemonAway", [])
    if !isUp {
      states = [:]
      restoring = []
    }
    ownership.daemon(isThere: isUp, at: now)
    if isSetUp {
      leaseDue = now
      renew()
    }
    perform()
  }

  func state(_ header: String, epoch: Int64, seq: Int64, line: [UInt8]) {
    let state = StateLine(epoch: epoch, seq: seq, bytes: line)
    let isNew = states[header].map { $0.epoch != epoch } ?? true
    states[header] = state
    if ownership.isOwned(header) {
      publish(header, state)
    } else if isNew, !restoring.contains(header) {
      ownership.opened(header, epoch: epoch, at: now)
      ownership.tick(at: now)
      perform()
    }
  }

  func closed(_ header: String) {
    states[header] = nil
    ownership.closed(header, at: now)
    perform()
  }

  func snapshot(_ header: String, _ content: [UInt8]) {
    ownership.snapshot(header, content, at: now)
    perform()
  }

  func step(_ header: String, _ step: [UInt8]) {
    ownership.step(header, step, at: now)
    perform()
  }

  /// How many recordings the daemon makes at once (`limits.traces`).
  func maxRecordings(_ count: Int) {
    maxTraces = count
    host.log("capacity", [("headers", String(maxHeaders)), ("limits.traces", String(count))])
  }

  /// A recording could not begin, or has ended before its header.
  func recordingFailed(_ header: String, _ reason: String) {
    host.log("recordingFailed", [("header", header), ("reason", reason)])
    ownership.recordingFailed(header, at: now)
    perform()
  }
}

extension Value {
  /// The step without its outcome.
  fileprivate var withoutOutcome: Value {
    guard case .record(let record) = self else { return self }
    let outcome = ["state", "frames", "result", "error"]
    return .record(Value.Record(fields: record.fields.filter { !outcome.contains($0.name) }))
  }
}
