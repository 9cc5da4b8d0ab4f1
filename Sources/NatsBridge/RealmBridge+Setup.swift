// SPDX-License-Identifier: MIT
//
// A bridge's resources at NATS: streams, its node's lease, the table of owners, and the messages of its subscriptions.
//
//     connected ──▶ streams ──▶ lease ──▶ table ──▶ renews the lease, again and again

public import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

extension RealmBridge {
  /// NATS is there, for the first time or again.
  public func busConnected(at now: MonotonicTime) {
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

  /// Notes that the connection to NATS is lost.
  public func busDisconnected(at now: MonotonicTime) {
    self.now = now
    isSetUp = false
    setUpAt = .max
    attempt += 1
    ownership.disconnected()
    perform()
  }

  func listen(_ subject: String, _ what: Listening) {
    if let id = bus.subscribe(subject, wantsHeaders: true) { listening[id] = what }
  }

  /// Streams, then the lease, then the table.
  func setUp() {
    attempt += 1
    setUpAt = now + 2_000_000_000
    makeStreams(Subjects.Stream.allCases[...], attempt)
  }

  private func makeStreams(_ streams: ArraySlice<Subjects.Stream>, _ attempt: Int) {
    guard let stream = streams.first else { return readLease(attempt) }
    let name = subjects.name(of: stream)
    jetStream.make(config(of: stream), name: name) { [self] problem in
      guard attempt == self.attempt else { return }
      if let problem { return host.log("streamRefused", [("stream", name), ("reason", problem)]) }
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
      // Numbers begin anew with a server that has lost the stream.
      leaseSince = min(leaseSince, last.number)
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

  func renew() {
    guard !isRenewing else { return }
    isRenewing = true
    let unread = unreadRows
    unreadRows = [:]
    for (header, row) in unread { readRow(row, of: header) }
    leaseDue = now + settings.ownership.lease / 5
    let lease = self.lease
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

  /// This process's sign of life.
  var lease: LeaseRecord {
    LeaseRecord(node: settings.node, process: settings.process, since: leaseSince, isServing: link.isUp)
  }

  /// Looks whether another process has the name: a renewal without an answer may still have been carried out. The process that began last
  /// has the name as long as it keeps writing; from any other, and from what is no lease, the name is taken back.
  private func checkLease() {
    jetStream.last(subjects.subject(.lease, node: settings.node), in: subjects.name(of: .leases)) { [self] last in
      guard let last else { return }
      let other = LeaseRecord(last.bytes).flatMap { $0.node == settings.node ? $0 : nil }
      guard leaseNumber > 0, last.number > leaseNumber, other?.process != settings.process else {
        leaseNumber = last.number
        return
      }
      if let other, lease.isReplaced(by: other) {
        guard let rival, rival.process == other.process else { return rival = (other.process, last.number, now) }
        if last.number > rival.number {
          hasLostName = true
          return host.fail("another headerd-nats has the name \"\(settings.node.text)\" in this realm")
        }
        guard now - rival.since >= settings.ownership.lease / 2 else { return }
      }
      rival = nil
      leaseNumber = last.number
      complain("leaseTakenBack", [("node", settings.node.text), ("from", other?.process ?? "")])
      renew()
    }
  }

  /// Handles a sign of life. This node's own lease is not taken from messages but read, before each renewal.
  private func heardLease(_ message: BusMessage) {
    guard let lease = LeaseRecord(message.bytes), subjects.name(in: message.subject, .lease) == lease.node.text else {
      return complain("recordRefused", [("subject", message.subject), ("reason", "it is no lease of that node")])
    }
    if lease.node != settings.node { ownership.heard(lease, at: now) }
  }

  /// A message of a subscription.
  public func received(_ message: BusMessage, subscription: Int, at now: MonotonicTime) {
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

  /// A row that was announced. It is read, since the message does not have its number.
  struct AnnouncedRow {
    var subject: String
    /// The number that its writer expected of the row before.
    var before: UInt64
    /// How many of `rowsAsked` are answered with it.
    var asked = 1
    /// How often it is read again at most: a row that is refused for want of room is announced, too.
    var readsLeft = 25
  }

  private func ask(forRow message: BusMessage) {
    guard let header = subjects.name(in: message.subject, .owner) else { return }
    rowsAsked[header, default: 0] += 1
    let before = message.headers[JetStream.expectation].flatMap { UInt64($0) } ?? 0
    readRow(AnnouncedRow(subject: message.subject, before: before), of: header)
  }

  private func readRow(_ row: AnnouncedRow, of header: String) {
    jetStream.last(row.subject, in: subjects.name(of: .owners)) { [self] last in
      // A node that does not know of a header cannot take it over.
      guard let last else { return readLater(row, of: header) }
      rowsAsked[header] = rowsAsked[header].flatMap { $0 > row.asked ? $0 - row.asked : nil }
      if last.number > 0 {
        sawRow(row.subject, last.bytes, number: last.number)
        perform()
      }
      if rowsAsked[header] == nil { for session in sessions.values { session.retryWaiting(for: header, at: now) } }
      // The server may have sent the message before it was stored, and a replica answers before it has it.
      guard last.number <= row.before, row.readsLeft > 0 else { return }
      readLater(
        AnnouncedRow(subject: row.subject, before: row.before, asked: 0, readsLeft: row.readsLeft - 1), of: header)
    }
  }

  /// Reads a row with the next renewal of the lease.
  private func readLater(_ row: AnnouncedRow, of header: String) {
    guard let other = unreadRows[header] else { return unreadRows[header] = row }
    unreadRows[header] = AnnouncedRow(
      subject: row.subject, before: max(row.before, other.before), asked: row.asked + other.asked,
      readsLeft: max(row.readsLeft, other.readsLeft))
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
  func rowChanged(_ header: String, _ row: OwnerRecord) {
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
}
