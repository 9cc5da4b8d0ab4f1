// SPDX-License-Identifier: MIT
//
// A header as the journal has it is opened again: its snapshot, its inputs since, and what is different now that the daemon has
// been started anew.

internal import Fanout
internal import HeaderCore
internal import HeaderJournal

/// Opens headers that an earlier daemon recorded.
struct HeaderRestoration {
  let host: HeaderHost
  let journal: HostJournal
  /// The daemon ended in order, so that epochs go on.
  let goesOn: Bool

  /// More than an event asks of all clients in a chain.
  private static let mostQuestions = 1_000

  /// Opens a header as the journal has it.
  /// - Throws: why it cannot be made again.
  func open(_ stored: StoredHeader) throws(HeaderError) {
    let snapshot = try stored.snapshot()
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      snapshot.description, at: Path("description"), unknown: &unknown, isRecorded: true)
    let opened = try snapshot.opened.map { (value) throws(HeaderError) in
      try HeaderDescription(value, at: Path("opened"), unknown: &unknown, isRecorded: true)
    }
    guard host.ledger.open(description.header, atMost: .max) else {
      throw HeaderError(.headerExists, "header \"\(description.header)\" is open already")
    }
    let entry: HeaderEntry
    do {
      let epoch = goesOn ? snapshot.epoch : host.nextEpoch()
      host.lastEpoch = max(host.lastEpoch, epoch)
      let engine = try host.makeEngine(description, epoch: epoch, from: snapshot.saved)
      engine.header.wasOpened(as: opened ?? description)
      try replay(stored.records, into: engine)
      entry = HeaderEntry(
        handle: host.table.nextHandle(), header: engine.header, opened: opened ?? description, owner: nil,
        account: snapshot.user.map(host.ledger.account))
      try host.take(engine.seat, for: entry)
    } catch {
      host.ledger.close(description.header)
      throw error
    }
    // What the user has is the user's, also beyond a quota that is smaller now.
    entry.account?[.headers].add(1)
    entry.chargeMemory()
    host.lastOpened = entry.handle
    host.table.add(entry)
    journal.adopt(stored, as: entry)
    begin(entry)
    host.restoreLeases(of: entry)
    host.beginFollowing(entry)
  }

  /// Applies what the journal has of a header since its snapshot. What was refused then is refused again.
  private func replay(_ records: RecordReader, into engine: HeaderEngine) throws(HeaderError) {
    let header = engine.header
    var records = records
    while true {
      let record: JournalRecord?
      do { record = try records.next() } catch {
        throw HeaderError(.invalidParams, "header \"\(header.name)\": \(error) of what the journal has of it")
      }
      switch record?.content {
      case nil: return
      case .input(let input):
        _ = try? engine.apply(input.replayable(by: header), at: record?.time, provider: host.plugins)
      case .restarted: engine.forgetCorrections()
      case .snapshot, .closed: break
      }
      if header.hasListeners { _ = header.takeClientEvents() }
    }
  }

  /// A header that was restored goes on: without the clients in its chain, whose connections are gone.
  private func begin(_ entry: HeaderEntry) {
    // What a worker says of that need not come to an end.
    var questions = 0
    while entry.header.isWaiting, questions < Self.mostQuestions {
      questions += 1
      guard (try? host.apply(.answer(.passedOver("the daemon has been started again")), to: entry, at: nil)) != nil
      else {
        break
      }
    }
    for delegate in entry.header.description.delegates where delegate.client != nil {
      do { try host.change(entry, .removeDelegate(delegate.name)) } catch {
        host.context.log.log(.error, "delegateNotRemoved", [("header", entry.name), ("reason", error.message)])
      }
    }
    if !goesOn {
      entry.engine.forgetCorrections()
      journal.restart(entry)
    }
    _ = entry.header.takeRemarks()
    if entry.header.hasTime { entry.clock.happened(at: entry.header.now, steady: host.now) }
    host.schedule(entry)
    host.fanout.announce(entry)
  }
}

extension HeaderInput {
  /// A plain scroll is written as such, whatever it came as; where clients are asked, it has to be an event.
  fileprivate func replayable(by header: Header) -> HeaderInput {
    guard case .scroll(let offset, let correction) = self, header.hasInterceptors else { return self }
    return .event(ScrollEvent(.didScroll, offset: offset, correction: correction))
  }
}
