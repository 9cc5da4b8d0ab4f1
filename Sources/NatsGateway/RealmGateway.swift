// SPDX-License-Identifier: MIT
//
// A daemon's place in a realm: what its headers do goes to NATS, what the realm has to say to them comes from there, and clients here
// reach all headers of the realm.
//
//     daemon ◀──▶ OwnerLink ──states──▶ NATS          steps and snapshots ──▶ Ownership ──▶ JetStream
//     daemon ◀──▶ Tunnel ◀── ClientSession            of clients here
//     daemon ◀──▶ Tunnel ◀── RemoteClient ◀── NATS    of clients of other gateways

internal import HeaderCore
internal import HeaderWire
public import Realm

/// What a gateway is told at its start.
public struct GatewaySettings: Sendable {
  /// This node.
  public var node: NodeName
  /// A number of this process's own.
  public var process: String
  /// The realm.
  public var subjects: Subjects
  /// The ownership protocol's times.
  public var ownership = Ownership.Settings()
  /// Nanoseconds that states are kept for.
  public var historyAge: Int64 = 60_000_000_000
  /// Nanoseconds that steps are kept for.
  public var logAge: Int64 = 600_000_000_000
  /// Copies of each stream, in a cluster of servers.
  public var replicas = 1
  /// What reply subjects begin with that are answered.
  public var replies = ["_INBOX"]
  /// The number before that of the first client. Whoever can send to a node answers a client by its number, so that nobody should
  /// guess it.
  public var firstSession = 0

  /// The defaults.
  public init(node: NodeName, process: String, subjects: Subjects) {
    (self.node, self.process, self.subjects) = (node, process, subjects)
  }
}

/// One daemon's gateway to a realm.
public final class RealmGateway {
  let settings: GatewaySettings
  private let bus: any Bus
  /// For the log alone: what the server has to store holds up all behind it on its connection.
  private let logBus: any Bus
  let world: any Surroundings
  private let jetStream: JetStream
  /// Steps and saved headers go there.
  private let log: JetStream
  private let feed: StateFeed
  private var link: OwnerLink?
  private var ownership: Ownership
  private var now: Int64

  private enum Listening {
    case inbox, logInbox, leases, owners, node
    case header(String)
  }
  private var listening: [Int: Listening] = [:]
  private var headerSubscriptions: [String: [Int]] = [:]
  private var attempt = 0
  private var setUpAt: Int64 = .max
  private var isSetUp = false
  /// Headers whose rows were changed and are being read, and how often.
  private var rowsAsked: [String: Int] = [:]

  private var leaseNumber: UInt64 = 0
  private var leaseDue: Int64 = 0
  private var isRenewing = false
  /// Who else has written to this node's lease, and since when it has not again.
  private var rival: (process: String, number: UInt64, since: Int64)?
  private var hasLostName = false
  private var complaints = ComplaintBudget()
  /// Answers are not kept at the moment: NATS is not there.
  private var isAway = true
  /// Why JetStream has not kept what it was given last; nil: it has.
  private var storageRefusal: String?
  private var nodes: [NodeName] = []
  private var refreshDue: Int64 = 0

  /// The last state of each of the daemon's headers.
  private var states: [String: StateLine] = [:]
  private var restoring: Set<String> = []
  /// Of each owned header, how many steps are kept.
  private var kept: [String: Int] = [:]
  private var held: [ObjectIdentifier: Tunnel] = [:]
  /// Headers that this daemon can have: each is recorded, and twice while a recording begins anew.
  private var headersMost = Int.max

  private var sessions: [Int: ClientSession] = [:]
  private var lastSession = 0
  private var remoteClients: [String: RemoteClient] = [:]
  let handles = Handles()
  private var watches: [DetailWatch.Key: DetailWatch] = [:]

  /// A gateway, not connected to anything yet.
  /// - Parameters:
  ///   - bus: NATS, for all but the log.
  ///   - logBus: another connection to it, for the log.
  public init(_ settings: GatewaySettings, bus: any Bus, logBus: any Bus, world: any Surroundings, at now: Int64) {
    (self.settings, self.bus, self.logBus, self.world, self.now) = (settings, bus, logBus, world, now)
    let inbox = "\(Subjects.ownAnswers)\(settings.node.text).\(settings.process)"
    lastSession = settings.firstSession
    jetStream = JetStream(bus, inbox: inbox)
    log = JetStream(logBus, inbox: "\(inbox).log")
    feed = StateFeed(bus, jetStream, settings.subjects)
    ownership = Ownership(node: settings.node, process: settings.process, settings: settings.ownership)
    link = OwnerLink(self, world)
    (jetStream.now, log.now) = (now, now)
    feed.details = self
  }

  private var subjects: Subjects { settings.subjects }

  // MARK: - Time

  /// Whether answers of JetStream are owed.
  public var awaitsAnswers: Bool { jetStream.isWaiting || log.isWaiting }

  /// To be called every some milliseconds.
  public func tick(at now: Int64) {
    turn(at: now)
    link?.tick(at: now)
    jetStream.tick()
    log.tick()
    if setUpAt <= now { setUp() }
    if isSetUp, now >= leaseDue { renew() }
    ownership.tick(at: now)
    if now >= refreshDue { refresh() }
    updateAway()
    updateNodes()
    perform()
    for (event, lines) in complaints.takeUnwritten(at: now) { world.log(event, [("unwritten", String(lines))]) }
    feed.tick()
    for (key, watch) in watches where !watch.tick(at: now) {
      watch.end()
      watches[key] = nil
    }
    for session in sessions.values { session.goOn(at: now) }
  }

  private func turn(at now: Int64) { (self.now, jetStream.now, log.now) = (now, now, now) }

  private func updateAway() {
    let away = !ownership.isCurrent(at: now)
    guard away != isAway else { return }
    isAway = away
    world.log(away ? "realmAway" : "realmReached", [("node", settings.node.text)])
    tellDurability()
    if !away { publishAll() }
  }

  /// Why what is answered is not kept; nil: it is.
  var notKept: String? { isAway ? "NATS does not answer" : storageRefusal.map { "JetStream: \($0)" } }

  private func tellDurability() {
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
    world.log(storageRefusal == nil ? "storageBack" : "storageRefused", [("reason", storageRefusal ?? was ?? "")])
    tellDurability()
  }

  /// Logs what somebody has sent who may not, or cannot mean it.
  private func complain(_ event: String, _ facts: [(key: String, value: String)]) {
    if complaints.take(event, at: now) { world.log(event, facts) }
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
    world.log("nodes", [("nodes", present.map(\.text).joined(separator: " "))])
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

  // MARK: - NATS

  /// NATS is there, for the first time or again.
  public func busConnected(at now: Int64) {
    turn(at: now)
    if listening.isEmpty {
      if let id = bus.subscribeToAnswers(jetStream.subject) { listening[id] = .inbox }
      if let id = logBus.subscribeToAnswers(log.subject) { listening[id] = .logInbox }
      listen(subjects.all(.lease), .leases)
      listen(subjects.all(.owner), .owners)
      listen(subjects.subject(.node, node: settings.node), .node)
    }
    setUp()
  }

  /// NATS is gone.
  public func busDisconnected(at now: Int64) {
    self.now = now
    isSetUp = false
    setUpAt = .max
    attempt += 1
    ownership.disconnected()
    perform()
  }

  private func listen(_ subject: String, _ what: Listening) {
    if let id = bus.subscribe(subject, wantsHeaders: true) { listening[id] = what }
  }

  /// Streams, then the lease, then the table.
  private func setUp() {
    attempt += 1
    setUpAt = now + 2_000_000_000
    makeStreams(Subjects.Stream.allCases[...], attempt)
  }

  private func makeStreams(_ streams: ArraySlice<Subjects.Stream>, _ attempt: Int) {
    guard let stream = streams.first else { return readLease(attempt) }
    let name = subjects.name(of: stream)
    jetStream.make(config(of: stream), name: name) { [self] problem in
      guard attempt == self.attempt else { return }
      if let problem { return world.log("streamRefused", [("stream", name), ("reason", problem)]) }
      makeStreams(streams.dropFirst(), attempt)
    }
  }

  private func config(of stream: Subjects.Stream) -> Value.Record {
    var config: Value.Record = [
      "name": .text(subjects.name(of: stream)), "subjects": [.text(subjects.all(stream.kind))],
      "retention": "limits", "discard": "old", "allow_direct": true, "num_replicas": .number(Double(settings.replicas)),
      "duplicate_window": .number(1_000_000_000), "max_consumers": -1, "max_msgs": -1, "max_bytes": -1,
    ]
    let isMemory = stream == .states || stream == .leases
    config["storage"] = isMemory ? "memory" : "file"
    switch stream {
    case .states: config["max_age"] = .number(Double(settings.historyAge))
    case .log: config["max_age"] = .number(Double(settings.logAge))
    case .saved, .owners, .leases: config["max_msgs_per_subject"] = 1
    }
    return config
  }

  private func readLease(_ attempt: Int) {
    jetStream.last(subjects.subject(.lease, node: settings.node), in: subjects.name(of: .leases)) { [self] last in
      guard attempt == self.attempt, let last else { return }
      leaseNumber = last.number
      readTable(attempt)
    }
  }

  private func readTable(_ attempt: Int) {
    jetStream.read(subjects.all(.owner), in: subjects.name(of: .owners), from: nil) { [self] rows in
      guard attempt == self.attempt, let rows else { return }
      for row in rows { sawRow(row.subject, row.bytes, number: row.number) }
      setUpAt = .max
      isSetUp = true
      ownership.connected(at: now)
      renew()
      perform()
    }
  }

  private func renew() {
    guard !isRenewing else { return }
    isRenewing = true
    leaseDue = now + settings.ownership.lease / 5
    let lease = LeaseRecord(node: settings.node, process: settings.process, isServing: link?.isUp ?? false)
    let sent = now
    jetStream.put(subjects.subject(.lease, node: settings.node), lease.bytes, expecting: leaseNumber) { [self] answer in
      isRenewing = false
      switch answer {
      case .stored(let number):
        leaseNumber = number
        ownership.heard(lease, at: sent)
      case .refused(let reason):
        complain("leaseRefused", [("reason", reason)])
        checkLease()
      case .conflict, .last, .history, .unknown: checkLease()
      }
    }
  }

  /// A renewal that was not answered may have been done; another process may have the name. Who has it writes again and again; who
  /// does not is nobody, and the name is taken back.
  private func checkLease() {
    jetStream.last(subjects.subject(.lease, node: settings.node), in: subjects.name(of: .leases)) { [self] last in
      guard let last else { return }
      guard leaseNumber > 0, last.number > leaseNumber, let process = otherProcess(in: last.bytes) else {
        leaseNumber = last.number
        return
      }
      guard let rival, rival.process == process else { return rival = (process, last.number, now) }
      if last.number > rival.number, !process.isEmpty {
        hasLostName = true
        return world.fail("another headerd-nats has the name \"\(settings.node.text)\" in this realm")
      }
      guard last.number > rival.number || now - rival.since >= settings.ownership.lease / 2 else { return }
      self.rival = nil
      leaseNumber = last.number
      complain("leaseTakenBack", [("node", settings.node.text), ("from", process)])
      renew()
    }
  }

  /// Of this node's lease, the process that wrote it, if it is another one; empty: it is no lease.
  private func otherProcess(in bytes: [UInt8]) -> String? {
    guard let lease = LeaseRecord(bytes), lease.node == settings.node else { return "" }
    return lease.process == settings.process ? nil : lease.process
  }

  /// A sign of life. What this node's own lease says is not heard but asked for, before each renewal.
  private func heardLease(_ message: BusMessage) {
    guard let lease = LeaseRecord(message.bytes), subjects.name(in: message.subject, .lease) == lease.node.text else {
      return complain("recordRefused", [("subject", message.subject), ("reason", "it is no lease of that node")])
    }
    if lease.node != settings.node { ownership.heard(lease, at: now) }
  }

  /// A message of a subscription.
  public func received(_ message: BusMessage, subscription: Int, at now: Int64) {
    turn(at: now)
    switch listening[subscription] {
    case .inbox?: jetStream.received(message)
    case .logInbox?: log.received(message)
    case .leases?: heardLease(message)
    case .owners?: ask(forRow: message)
    case .node?: receivedByNode(message)
    case .header(let header)?: receivedForHeader(message, header)
    case nil: if !jetStream.received(message, subscription: subscription) { feed.received(message, subscription) }
    }
    perform()
  }

  /// A row that was just written, whose number is not in the message.
  private func ask(forRow message: BusMessage) {
    guard let header = subjects.name(in: message.subject, .owner) else { return }
    rowsAsked[header, default: 0] += 1
    jetStream.last(message.subject, in: subjects.name(of: .owners)) { [self] last in
      rowsAsked[header] = rowsAsked[header].flatMap { $0 > 1 ? $0 - 1 : nil }
      if let last, last.number > 0 {
        sawRow(message.subject, last.bytes, number: last.number)
        perform()
      }
      if rowsAsked[header] == nil { for session in sessions.values { session.goOn(at: now) } }
    }
  }

  private func sawRow(_ subject: String, _ bytes: [UInt8], number: UInt64) {
    guard let header = subjects.name(in: subject, .owner), Names.isHeaderName(header) else {
      return complain("recordRefused", [("subject", subject), ("reason", "it names no header")])
    }
    guard let row = OwnerRecord(bytes) else { return ownership.sawNoRow(header, revision: number, at: now) }
    ownership.saw(row, header, revision: number, at: now)
    rowChanged(header, row)
  }

  /// Subscriptions of clients here follow the header to where it is.
  private func rowChanged(_ header: String, _ row: OwnerRecord) {
    if row.state == .closed {
      stopListening(for: header)
      return feed.remove(header, isClosed: true)
    }
    guard row.state == .owned else { return }
    for session in sessions.values { session.ownerChanged(header, to: row.owner) }
    guard row.owner != settings.node else { return }
    stopListening(for: header)
    feed.ownerChanged(header)
    for session in sessions.values {
      for subscription in session.subscriptions where subscription.matches(header) {
        feed.add(header, subscription, to: session)
      }
    }
  }

  // MARK: - Ownership's effects

  private func perform() {
    while case let effects = ownership.takeEffects(), !effects.isEmpty {
      for effect in effects { perform(effect) }
    }
  }

  private func perform(_ effect: Ownership.Effect) {
    switch effect {
    case .put(let ticket, let cell, let bytes, let expecting):
      guard let (subject, _) = place(of: cell) else { return }
      var stream = log
      if case .owner(let header) = cell {
        // Who reads that this node has it sends it here at once: by the same connection, so that the server knows before.
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
    case .record(let header): link?.record(header)
    case .close(let header):
      link?.ask("header.close", ["header": .text(header)]) { _ in }
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

  private func answered(_ ticket: UInt64, _ cell: Cell?, _ bytes: [UInt8], _ answer: Answer) {
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

  private func place(of cell: Cell) -> (subject: String, stream: String)? {
    let (kind, stream): (Subjects.Kind, Subjects.Stream) =
      switch cell {
      case .owner: (.owner, .owners)
      case .log: (.log, .log)
      case .saved: (.saved, .saved)
      }
    return subjects.subject(kind, header: cell.header).map { ($0, subjects.name(of: stream)) }
  }

  private func readHistory(_ header: String, _ body: @escaping (Answer) -> Void) {
    guard let (savedSubject, savedStream) = place(of: .saved(header)),
      let (logSubject, logStream) = place(of: .log(header))
    else { return }
    jetStream.last(savedSubject, in: savedStream) { [self] saved in
      guard let saved else { return body(.unknown) }
      let begin = { [self] (log: [LastMessage], tail: UInt64) in
        let (history, refused) = History.reading(
          saved: saved, log: log, tail: tail, epochMost: settings.ownership.epochMost)
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
        // What says that it goes on behind all that there is, is none of an owner's.
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
    world.log("restores", [("header", header), ("steps", String(steps.count))])
    link?.ask("header.open", params) { [self] answer in
      restoring.remove(header)
      if let epoch = answer?["epoch"]?.wholeNumber {
        ownership.restored(header, epoch: Int64(epoch), at: now)
      } else {
        ownership.refused(header, at: now)
      }
      perform()
    }
  }

  private func owns(_ header: String, _ epoch: Int64) {
    world.log("owns", [("header", header), ("epoch", String(epoch))])
    feed.remove(header, isClosed: false)
    kept[header] = nil
    if let state = states[header] { publish(header, state) }
    for session in sessions.values { session.goOn(at: now) }
  }

  private func lost(_ header: String) {
    world.log("lost", [("header", header)])
    pumpHeld()
  }

  /// Begins to receive what others have for a header.
  private func listen(for header: String) {
    guard headerSubscriptions[header] == nil else { return }
    for kind in [Subjects.Kind.event, .request] {
      guard let subject = subjects.subject(kind, header: header), let id = bus.subscribe(subject, wantsHeaders: true)
      else { continue }
      listening[id] = .header(header)
      headerSubscriptions[header, default: []].append(id)
    }
  }

  private func stopListening(for header: String) {
    for id in headerSubscriptions.removeValue(forKey: header) ?? [] {
      listening[id] = nil
      bus.unsubscribe(id)
    }
  }

  private func publish(_ header: String, _ state: StateLine) {
    guard !isAway, let subject = subjects.subject(.state, header: header) else { return }
    bus.publish(
      state.bytes, to: subject, reply: nil,
      headers: [
        ("Headerd-Epoch", String(state.epoch)), ("Headerd-Seq", String(state.seq)), ("Headerd-Encoding", "lines"),
        ("Headerd-Owner", settings.node.text),
      ])
  }

  // MARK: - Answers that wait

  private func pumpHeld() {
    for (id, tunnel) in held where !tunnel.pump() { held[id] = nil }
  }

  // MARK: - Other gateways

  private static let clientName = "Headerd-Client"
  private static let status = "Headerd-Status"
  private static let addressee = "Headerd-To"
  private static let detail = "Headerd-Detail"

  /// For a header here: of another gateway's client, or of anybody at NATS.
  private func receivedForHeader(_ message: BusMessage, _ header: String) {
    guard message.bytes.count <= ClientSession.lineMost, !message.bytes.contains(0x0A) else { return }
    if let reply = message.reply, !subjects.mayAnswer(reply, below: settings.replies) {
      return complain(
        "replyRefused",
        [("subject", message.subject), ("reply", reply), ("permitted", settings.replies.joined(separator: " "))])
    }
    let command = unsafe message.bytes.withUnsafeBytes { unsafe Command(line: $0) }
    // Whoever it is, it is for this header: what the line says besides must not reach another one.
    guard command.headerName == header else {
      return refuse(message, "the subject and the line name different headers")
    }
    // Who sends it to another node has read the table before or after this one has.
    if let node = message.headers[Self.addressee], node != settings.node.text { return }
    let client = client(of: message)
    guard ownership.isOwned(header) else { return client.sendBack(message.bytes) }
    client.send(message.bytes, command, header)
  }

  private func refuse(_ message: BusMessage, _ reason: String) {
    guard let reply = message.reply else { return }
    var writer = JSONWriter()
    writer.refusal(nil, HeaderError(.invalidRequest, reason))
    bus.publish(writer.copy().dropLast(), to: reply, reply: nil, headers: [])
  }

  /// The connection to the daemon of whoever sent it.
  private func client(of message: BusMessage) -> RemoteClient {
    let name = message.headers[Self.clientName]
    let parts = name?.split(separator: "/").map(String.init) ?? []
    guard parts.count == 2, let node = NodeName(parts[0]), Int(parts[1]) != nil else {
      // Nobody's: an answer goes to the reply subject.
      return remoteClient("", nil, reply: message.reply)
    }
    return remoteClient(name ?? "", node, reply: nil)
  }

  private func remoteClient(_ key: String, _ node: NodeName?, reply: String?) -> RemoteClient {
    if let client = remoteClients[key] {
      client.reply = reply
      return client
    }
    let client = RemoteClient(key, node, self, world)
    client.reply = reply
    remoteClients[key] = client
    return client
  }

  /// For this node: answers for clients here, and openings.
  private func receivedByNode(_ message: BusMessage) {
    guard let name = message.headers[Self.clientName] else { return }
    let parts = name.split(separator: "/").map(String.init)
    guard parts.count == 2, let node = NodeName(parts[0]), let number = Int(parts[1]) else { return }
    switch message.headers[Self.status] {
    case "open":
      let command = unsafe message.bytes.withUnsafeBytes { unsafe Command(line: $0) }
      guard let header = command.headerName else { return }
      let client = remoteClient(name, node, reply: nil)
      if let refusal = refusalToOpen(header), case .request(let id) = command.address {
        var writer = JSONWriter()
        writer.refusal(id, refusal)
        return sayRemotely(writer.copy().dropLast(), to: client)
      }
      client.send(ClientSession.opening(message.bytes, after: floor(of: header)), command, header)
    case "end":
      remoteClients.removeValue(forKey: name)?.end()
    case "watch", "unwatch", "state": receivedDetail(message, node)
    case "moved": if node == settings.node { sessions[number]?.sentBack(message.bytes) }
    default: if node == settings.node { sessions[number]?.said(remotely: message.bytes) }
    }
  }

  /// Of another node, which wants states of a header here with more, or sends them.
  private func receivedDetail(_ message: BusMessage, _ node: NodeName) {
    guard let detail = message.headers[Self.detail].flatMap({ StateDetail(rawValue: $0) }) else { return }
    let header = { String(decoding: message.bytes, as: UTF8.self) }
    let key = DetailWatch.Key(node: node, detail: detail)
    switch message.headers[Self.status] {
    case "watch": if ownership.isOwned(header()) { watch(key).watch(header(), at: now) }
    case "unwatch": watches[key]?.unwatch(header())
    default: feed.received(message.bytes, detail)
    }
  }

  private func watch(_ key: DetailWatch.Key) -> DetailWatch {
    if let watch = watches[key] { return watch }
    let watch = DetailWatch(key.detail, self, world) { [unowned self] line in
      say(line, to: key.node, "state", key.detail)
    }
    watches[key] = watch
    return watch
  }

  /// From this node itself.
  private func say(_ line: [UInt8], to node: NodeName, _ status: String, _ detail: StateDetail) {
    bus.publish(
      line, to: subjects.subject(.node, node: node), reply: nil,
      headers: [
        (Self.clientName, "\(settings.node.text)/0"), (Self.status, status), (Self.detail, detail.rawValue),
      ])
  }

  func sayRemotely(_ line: [UInt8], to client: RemoteClient, status: String? = nil) {
    if let node = client.node {
      var headers = [(name: Self.clientName, value: client.key)]
      if let status { headers.append((Self.status, status)) }
      bus.publish(line, to: subjects.subject(.node, node: node), reply: nil, headers: headers)
    } else if let reply = client.takeReply(for: line) {
      bus.publish(reply.line, to: reply.subject, reply: nil, headers: [])
    }
  }

  func remoteClientIsGone(_ client: RemoteClient) {
    held[ObjectIdentifier(client.tunnel)] = nil
    if remoteClients[client.key] === client { remoteClients[client.key] = nil }
  }

  // MARK: - Clients here

  /// A client has connected.
  public func accepted(_ stream: any LineStream, at now: Int64) -> ClientSession {
    self.now = now
    lastSession += 1
    let session = ClientSession(lastSession, self, stream, world, at: now)
    sessions[lastSession] = session
    return session
  }

  /// The process ends: headers here are free for others at once.
  public func shutDown(at now: Int64) {
    for session in Array(sessions.values) { session.drain() }
    let lease = LeaseRecord(node: settings.node, process: settings.process, isServing: false)
    // Whoever has the name by now is not gone.
    if isSetUp, !hasLostName {
      bus.publish(
        lease.bytes, to: subjects.subject(.lease, node: settings.node), reply: nil,
        headers: [(JetStream.expectation, String(leaseNumber))])
    }
    link?.close()
  }
}

// MARK: - States with more

extension RealmGateway: DetailSource {
  func watch(_ header: String, _ detail: StateDetail) { ask("watch", header, detail) }
  func unwatch(_ header: String, _ detail: StateDetail) { ask("unwatch", header, detail) }
  func life(of header: String) -> Int64 { ownership.life(of: header) }

  private func ask(_ status: String, _ header: String, _ detail: StateDetail) {
    guard let owner = ownership.owner(of: header), owner != settings.node else { return }
    say(Array(header.utf8), to: owner, status, detail)
  }
}

// MARK: - The daemon

extension RealmGateway: OwnerLinkOwner {
  func linkChanged(isUp: Bool) {
    world.log(isUp ? "daemonReached" : "daemonAway", [])
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

  func recordingsMost(_ count: Int) {
    headersMost = max(1, count / 2)
    world.log("capacity", [("headers", String(headersMost)), ("limits.traces", String(count))])
  }

  func recordingFailed(_ header: String, _ reason: String) {
    world.log("recordingFailed", [("header", header), ("reason", reason)])
    ownership.recordingFailed(header, at: now)
    perform()
  }
}

// MARK: - Sessions and tunnels

extension RealmGateway: SessionGateway {
  func place(of header: String, forOpening: Bool) -> HeaderPlace {
    if ownership.isOwned(header) { return .here }
    if ownership.isLeaving(header) || ownership.isBusy(header) {
      if let owner = ownership.owner(of: header), owner != settings.node, nodes.contains(owner) { return .at(owner) }
      if states[header] != nil, !ownership.isLeaving(header) { return .here }
      return isAway ? .unreachable : .onItsWay
    }
    if states[header] == nil, rowsAsked[header] != nil, ownership.owner(of: header) == nil { return .onItsWay }
    guard forOpening, !isAway, let node = ownership.place(of: header), node != settings.node else { return .here }
    return .at(node)
  }

  func refusalToOpen(_ header: String) -> HeaderError? {
    guard let link, link.recordedCount >= headersMost, states[header] == nil else { return nil }
    return HeaderError(
      .limitExceeded,
      "daemon \"\(settings.node.text)\" of the realm has \(link.recordedCount) headers, as many as it can record",
      hint: "limits.traces in its config is to be twice the headers that it may come to have",
      facts: ["header": .text(header), "limit": ["name": "traces", "key": "limits.traces"]])
  }

  func isLeaving(_ header: String) -> Bool { ownership.isLeaving(header) && !ownership.isOwned(header) }
  func floor(of header: String) -> Int64 { ownership.floor(of: header) }
  var nodeName: String { settings.node.text }
  var isReadingRows: Bool { !rowsAsked.isEmpty }

  func sendEvent(
    _ line: [UInt8], header: String, client: Int, isRequest: Bool, to node: NodeName, isOpening: Bool
  ) {
    var headers = [(name: Self.clientName, value: "\(settings.node.text)/\(client)")]
    if isOpening {
      headers.append((Self.status, "open"))
      return bus.publish(line, to: subjects.subject(.node, node: node), reply: nil, headers: headers)
    }
    guard let subject = subjects.subject(isRequest ? .request : .event, header: header) else { return }
    headers.append((Self.addressee, node.text))
    bus.publish(line, to: subject, reply: nil, headers: headers)
  }

  func endRemote(client: Int, at nodes: Set<NodeName>) {
    for node in nodes {
      bus.publish(
        [], to: subjects.subject(.node, node: node), reply: nil,
        headers: [(Self.clientName, "\(settings.node.text)/\(client)"), (Self.status, "end")])
    }
  }

  private func isElsewhere(_ header: String) -> Bool {
    guard let owner = ownership.owner(of: header) else { return false }
    return owner != settings.node
  }

  func matched(_ subscription: RemoteSubscription) -> Int {
    ownership.headers.count { isElsewhere($0) && subscription.matches($0) }
  }

  func begin(_ subscription: RemoteSubscription, for session: ClientSession) {
    for header in ownership.headers where isElsewhere(header) && subscription.matches(header) {
      feed.add(header, subscription, to: session)
    }
  }

  func unsubscribe(_ id: Int, for session: ClientSession) { feed.remove(session, subscription: id) }

  func realmRows(_ glob: String?) -> [Value] {
    ownership.headers.filter { header in isElsewhere(header) && (glob.map { Names.glob($0, matches: header) } ?? true) }
      .sorted().compactMap { header in
        ownership.owner(of: header).map { owner in
          [
            "header": .text(header), "handle": .number(Double(handles.handle(of: header))), "owner": .text(owner.text),
            "epoch": .number(Double(floor(of: header))),
          ]
        }
      }
  }

  func ended(_ session: ClientSession) {
    feed.remove(session)
    sessions[session.number] = nil
  }
}

extension RealmGateway: AnswerKeeper {
  func keep(_ answer: HeldAnswer, of tunnel: Tunnel) {
    held[ObjectIdentifier(tunnel)] = tunnel
    answer.epoch = states[answer.header]?.epoch
    // All that the daemon has told of the header until now was heard before the barrier's end.
    link?.barrier { [self] in
      if answer.epoch == nil { answer.epoch = states[answer.header]?.epoch }
      let isOwned = answer.epoch != nil && answer.epoch == ownership.epoch(of: answer.header)
      answer.steps = isOwned ? ownership.told(of: answer.header) ?? 0 : 0
      ownership.flush(answer.header, at: now)
      perform()
      pumpHeld()
    }
  }

  func keeping(_ answer: HeldAnswer) -> Keeping {
    guard let steps = answer.steps else { return .pending }
    if isAway { return answer.isLocal ? .kept : .pending }
    let keeping = keeping(answer, steps)
    guard case .pending = keeping, let notKept else { return keeping }
    return answer.isLocal ? .kept : .lost("is not kept (\(notKept))")
  }

  private func keeping(_ answer: HeldAnswer, _ steps: Int) -> Keeping {
    if answer.isClosing { return ownership.isBusy(answer.header) ? .pending : .kept }
    // What was done in a life that is over may not be in the next one.
    let isGone = Keeping.lost("went to another daemon of the realm before this was kept")
    guard let epoch = answer.epoch else { return isGone }
    if ownership.epoch(of: answer.header) == epoch { return (kept[answer.header] ?? -1) >= steps ? .kept : .pending }
    return states[answer.header]?.epoch == epoch ? .pending : isGone
  }
}

extension Value {
  /// A step without what came of it.
  fileprivate var withoutOutcome: Value {
    guard case .record(let record) = self else { return self }
    let outcome = ["state", "frames", "result", "error"]
    return .record(Value.Record(fields: record.fields.filter { !outcome.contains($0.name) }))
  }
}

extension Command {
  /// Whether its answer tells what there is, and not that something was done.
  var isReading: Bool { method == .headerGet || method == .headerExplain }

  /// The header that it is for, if it names one.
  var headerName: String? {
    if case .name(let name) = header { return name }
    if case .params(let params) = body, case .text(let name)? = params["header"] { return name }
    return nil
  }
}
