// SPDX-License-Identifier: MIT
//
// Opens a header again from the journal: its snapshot, its inputs since, and the changes that a new start of the daemon brings.

internal import Fanout
internal import HeaderCore
internal import HeaderJournal
internal import HeaderModel

/// Opens headers that an earlier daemon recorded.
struct HeaderRestoration {
  let host: HeaderHost
  let journal: HostJournal
  /// The daemon ended in order, so headers keep their epochs.
  let goesOn: Bool

  /// More than an event asks of all clients in a chain.
  private static let maxQuestions = 1_000

  /// Opens a header as the journal has it.
  /// - Parameter then: gets why it cannot be made again.
  func open(_ stored: StoredHeader, then: @escaping (Result<Void, HeaderError>) -> Void) throws(HeaderError) {
    let snapshot = try stored.snapshot()
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      snapshot.description, at: Path("description"), unknown: &unknown, isRecorded: true)
    let opened = try snapshot.opened.map { (value) throws(HeaderError) in
      try HeaderDescription(value, at: Path("opened"), unknown: &unknown, isRecorded: true)
    }
    guard host.globalCounters.open(description.header, atMost: .max) else {
      throw HeaderError(.headerExists, "header \"\(description.header)\" is open already")
    }
    let entry: HeaderEntry
    do {
      let epoch = goesOn ? snapshot.epoch : host.nextEpoch()
      host.lastEpoch = max(host.lastEpoch, epoch)
      entry = try host.makeEntry(
        description, epoch: epoch, from: snapshot.saved, opened: opened ?? description, nil,
        snapshot.user.map(host.globalCounters.account))
    } catch {
      host.globalCounters.close(description.header)
      throw error
    }
    entry.header.wasOpened(as: opened ?? description)
    var damage: HeaderError?
    host.begin(entry, from: steps(of: stored, for: entry) { damage = $0 }) { result, _ in
      if let refusal = result.refusal ?? damage {
        host.globalCounters.close(description.header)
        entry.isOpen = false
        entry.remote?.leave()
        return then(.failure(refusal))
      }
      // A restored header counts for its user, even beyond a quota that is smaller now.
      entry.account?[.headers].add(1)
      if !goesOn {
        entry.forgetCorrections()
        journal.restart(entry)
      }
      _ = entry.header.takeRemarks()
      host.enter(entry)
      host.fanout.announce(entry)
      host.restoreLeases(of: entry)
      host.beginFollowing(entry)
      then(.success(()))
    }
  }

  /// The inputs that the journal has of a header since its snapshot. After them the header continues and is recorded, without the clients
  /// in its chain, whose connections are gone.
  private func steps(
    of stored: StoredHeader, for entry: HeaderEntry, _ fail: @escaping (HeaderError) -> Void
  ) -> () -> HeaderHost.Step? {
    let header = entry.header
    var records = stored.records
    // A worker could ask questions without end, so they are counted.
    var questions = 0
    var clients: ArraySlice<DelegateDescription>?
    return {
      do {
        while !entry.isRecorded, let record = try records.next() {
          switch record.content {
          case .input(let input): return (input.replayable(by: header), record.time)
          case .restarted: entry.forgetCorrections()
          case .snapshot, .closed: break
          }
        }
      } catch {
        fail(HeaderError(.invalidParams, "header \"\(header.name)\": \(error) of what the journal has of it"))
        return nil
      }
      journal.adopt(stored, as: entry)
      var input: HeaderInput?
      if header.isWaiting, questions < Self.maxQuestions {
        questions += 1
        input = .answer(.passedOver("the daemon has been started again"))
      } else {
        var left = clients ?? header.description.delegates.filter { $0.client != nil }[...]
        input = left.popFirst().map { .removeDelegate($0.name) }
        clients = left
      }
      guard let input else { return nil }
      host.record(input, of: entry, at: nil)
      return (input, nil)
    }
  }
}

extension HeaderInput {
  /// A plain scroll is written as such, whatever it came as; where clients are asked, it has to be an event.
  fileprivate func replayable(by header: Header) -> HeaderInput {
    guard case .scroll(let offset, let correction) = self, header.hasInterceptors else { return self }
    return .event(ScrollEvent(.didScroll, offset: offset, correction: correction))
  }
}
