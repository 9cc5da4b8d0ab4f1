// SPDX-License-Identifier: MIT
//
// A host that keeps a journal: headers restored at the start, turns, and the end.

internal import Fanout
public import HeaderCore
public import HeaderJournal

extension HeaderHost {
  /// Records the headers that belong to the daemon from now on. Before the first of them is opened.
  /// - Parameter epoch: the largest that was ever given.
  public func keep(_ journal: ShardJournal, after epoch: Int64) {
    self.journal = HostJournal(journal)
    lastEpoch = max(lastEpoch, epoch)
  }

  /// Whether it keeps a journal.
  public var keepsJournal: Bool { journal != nil }

  /// Whether nothing is left to hand to the disk.
  public var journalIsIdle: Bool { journal?.isIdle ?? true }

  /// When the journal has something to do; `.max`: nothing.
  public var nextJournalWake: Int64 { journal?.journal.nextWake ?? .max }

  /// Opens a header of the config in place of one that was restored and is described otherwise.
  public func replace(by description: HeaderDescription) throws(HeaderError) {
    fanout.announce(try open(description, from: nil, replacing: true, owner: nil).entry)
  }

  /// Opens a header as the journal has it.
  /// - Parameter goesOn: the daemon ended in order, so that the header goes on in the same epoch. Otherwise it begins a new
  ///   one, since a state may have left that the journal does not have.
  /// - Throws: why it cannot be made again; the journal keeps what it has of it.
  public func restore(_ stored: StoredHeader, goesOn: Bool) throws(HeaderError) {
    do {
      try open(stored, goesOn: goesOn)
    } catch {
      journal?.keep(stored)
      throw error
    }
  }

  /// Keeps what the journal has of a header that is not to be restored.
  public func leave(_ stored: StoredHeader) { journal?.keep(stored) }

  private func open(_ stored: StoredHeader, goesOn: Bool) throws(HeaderError) {
    let snapshot = stored.snapshot
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      snapshot.description, at: Path("description"), unknown: &unknown, isRecorded: true)
    let opened = try snapshot.opened.map { (value) throws(HeaderError) in
      try HeaderDescription(value, at: Path("opened"), unknown: &unknown, isRecorded: true)
    }
    guard ledger.open(description.header, atMost: .max) else {
      throw HeaderError(.headerExists, "header \"\(description.header)\" is open already")
    }
    let entry: HeaderEntry
    do {
      let epoch = goesOn ? snapshot.epoch : nextEpoch()
      lastEpoch = max(lastEpoch, epoch)
      let header = try Header(
        description, epoch: epoch, provider: plugins, limits: limits, saved: snapshot.saved,
        like: lastOpened.flatMap { table[$0]?.header })
      header.wasOpened(as: opened ?? description)
      try replay(stored.records, into: header)
      entry = HeaderEntry(
        handle: table.nextHandle(), header: header, opened: opened ?? description, owner: nil,
        account: snapshot.user.map(ledger.account))
    } catch {
      ledger.close(description.header)
      throw error
    }
    // What the user has is the user's, also beyond a quota that is smaller now.
    entry.account?[.headers].add(1)
    entry.chargeMemory()
    lastOpened = entry.handle
    table.add(entry)
    journal?.adopt(stored, as: entry)
    begin(entry, goesOn: goesOn)
  }

  /// Applies what the journal has of a header since its snapshot. What was refused then is refused again.
  private func replay(_ records: RecordReader, into header: Header) throws(HeaderError) {
    var records = records
    while true {
      let record: JournalRecord?
      do { record = try records.next() } catch {
        throw HeaderError(.invalidParams, "header \"\(header.name)\": \(error) of what the journal has of it")
      }
      switch record?.content {
      case nil: return
      case .input(let input): _ = try? header.apply(input.replayable(by: header), at: record?.time, provider: plugins)
      case .restarted: header.forgetCorrections()
      case .snapshot, .closed: break
      }
      if header.hasListeners { _ = header.takeClientEvents() }
    }
  }

  /// A header that was restored goes on: without the clients in its chain, whose connections are gone.
  private func begin(_ entry: HeaderEntry, goesOn: Bool) {
    while entry.header.isWaiting {
      guard (try? apply(.answer(.passedOver("the daemon has been started again")), to: entry, at: nil)) != nil else {
        break
      }
    }
    for delegate in entry.header.description.delegates where delegate.client != nil {
      do { try change(entry, .removeDelegate(delegate.name)) } catch {
        context.log.log(.error, "delegateNotRemoved", [("header", entry.name), ("reason", error.message)])
      }
    }
    if !goesOn {
      entry.header.forgetCorrections()
      journal?.journal.restart(entry.journalNumber, epoch: entry.epoch)
    }
    _ = entry.header.takeRemarks()
    if entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: now) }
    schedule(entry)
    fanout.announce(entry)
  }

  /// The end of a turn: what was recorded in it goes to the disk.
  public func endTurn() { journal?.turn(of: self) }

  /// The disk has carried out a step of the journal.
  /// - Parameter failure: why it could not; nil: it has.
  public func journalFinished(_ failure: String?) {
    journal?.journal.finished(failure, at: now)
    journal?.release(in: self)
  }

  /// Writes all headers down as they are: the daemon ends, and nobody sends anything any more.
  public func finishJournal() { journal?.beginToFinish() }

  /// What `stats` says of the journal; nil: there is none.
  public var journalStatistics: JournalStatistics? { journal.map { JournalStatistics($0) } }

  // MARK: - Answers

  /// Sends an answer, now or when what it answers is safe.
  /// - Parameters:
  ///   - before: how many records there were before the command.
  ///   - isOpen: whether the command is counted as open already.
  /// - Returns: whether it has been sent.
  func deliver(
    to client: Client, slot: Int, since before: Int, isOpen: Bool, _ send: @escaping () -> Void
  ) -> Progress {
    guard let journal, journal.holds(client, since: before) else {
      send()
      return .done
    }
    if !isOpen { client.openCommands += 1 }
    journal.hold(client, slot, send)
    return .open
  }

  /// Records so far; 0 without a journal.
  var recordCount: Int { journal?.journal.appended ?? 0 }
}

/// What `stats` says of one shard's journal.
public struct JournalStatistics: Sendable {
  /// When an input counts as safe.
  public let durability: Durability
  /// Headers that are recorded.
  public var headers = 0
  /// Headers that could not be restored and are kept for the next start.
  public var unrestored = 0
  /// Its files.
  public var segments = 0
  /// Bytes in them.
  public var bytes = 0
  /// Records since the start.
  public var records = 0
  /// Why headers are not recorded; nil: they are.
  public var failure: String?

  init(_ host: HostJournal) {
    durability = host.journal.settings.durability
    (headers, unrestored) = host.counts
    (segments, bytes) = host.journal.kept
    records = host.journal.appended
    failure = host.journal.failure
  }

  /// With another shard's.
  public static func + (left: JournalStatistics, right: JournalStatistics) -> JournalStatistics {
    var sum = left
    sum.headers += right.headers
    sum.unrestored += right.unrestored
    sum.segments += right.segments
    sum.bytes += right.bytes
    sum.records += right.records
    sum.failure = left.failure ?? right.failure
    return sum
  }

  /// As `stats` has it.
  public var value: Value {
    var record: Value.Record = [
      "durability": .text(durability.rawValue), "headers": .number(Double(headers)),
      "unrestored": .number(Double(unrestored)), "segments": .number(Double(segments)), "bytes": .number(Double(bytes)),
      "records": .number(Double(records)),
    ]
    record["failure"] = failure.map { .text($0) }
    return .record(record)
  }
}

extension HeaderInput {
  /// A plain scroll is written as such, whatever it came as; where clients are asked, it has to be an event.
  fileprivate func replayable(by header: Header) -> HeaderInput {
    guard case .scroll(let offset, let correction) = self, header.hasInterceptors else { return self }
    return .event(ScrollEvent(.didScroll, offset: offset, correction: correction))
  }
}
