// SPDX-License-Identifier: MIT
//
// One shard's headers and its journal (HeaderJournal): the headers to write down, and the answers that wait for the disk.
//
//     input ─▶ written down ─▶ Header.apply ─▶ states
//                   ╰─▶ at the end of the turn to the disk ─▶ done: the answers that waited leave
//
// A header is recorded from its opening on, if it belongs to the daemon. With `acknowledged`, answers to changes wait for the disk;
// nothing else does.

public import Clocks
internal import Fanout
internal import HeaderCore
public import HeaderJournal
public import HeaderModel
internal import HeaderWire

/// An answer that leaves once its change is on the disk.
private struct HeldReply {
  /// Records up to this one.
  let records: Int
  let command: PerformedCommand
  let result: Result<Reply, HeaderError>
}

/// A host's side of the journal.
public final class HostJournal {
  private let journal: ShardJournal
  private unowned let host: HeaderHost
  /// Headers that are recorded, by their numbers in the journal.
  private var entries: [Int: HeaderEntry] = [:]
  /// Headers that could not be restored are kept as they are, by number; and the numbers by name.
  private var unrestored: [Int: StoredHeader] = [:]
  private var unrestoredNumbers: [String: Int] = [:]
  private var held = Queue<HeldReply>()
  /// Headers whose state could not be saved when that was tried last, by number; the log has reported them.
  private var refusedSnapshots: Set<Int> = []
  /// Headers that are written down when they are free.
  private var writing: Set<Int> = []
  /// Bytes that headers take which were copied since they could not be saved, and those of all of a user's; nil: of the config's.
  private var copiedBytes: [Int: Int] = [:]
  private var copiedBytesByUser: [UInt32?: Int] = [:]
  /// Failures of the disk that are dealt with.
  private var failures = 0
  /// Headers that are still to be written down anew after the disk failed; nil: the disk does not work yet.
  private var rebuilding: [Int]?
  /// Headers that are still to be written down before the daemon ends; nil: it does not end.
  private var finishing: [Int]?
  /// Clients and the log know of the failure.
  private var failureIsReported = false

  /// Headers that are written down in one turn at most.
  private static let snapshotsPerTurn = 16
  /// The same when the daemon ends and no client waits any more.
  private static let lastSnapshotsPerTurn = 256

  init(_ journal: ShardJournal, of host: HeaderHost) {
    self.journal = journal
    self.host = host
  }

  /// What `stats` says of it.
  public var statistics: JournalStatistics {
    // A header that could not be saved was reported, and is recorded if the journal has had it before.
    let missing = refusedSnapshots.count { !(entries[$0]?.isRecorded ?? true) }
    return JournalStatistics(
      journal, headers: entries.count - missing, notRecorded: missing,
      copiedBytes: copiedBytes.values.reduce(0, +), unrestored: unrestored.count)
  }

  // MARK: - Headers

  /// Opens a header as the journal has it.
  /// - Parameters:
  ///   - goesOn: the daemon ended in order, so that the header keeps its epoch. Otherwise it begins a new one, since a state may have
  ///     left that the journal does not have.
  ///   - then: gets why the header cannot be made again; the journal keeps what it has of it.
  public func restore(_ stored: StoredHeader, goesOn: Bool, then: @escaping (HeaderError?) -> Void) {
    // The header's segments stay while it is being restored.
    journal.adopt(stored)
    let end = { [unowned self] (refusal: HeaderError?) in
      if refusal != nil { leave(stored) }
      then(refusal)
    }
    do throws(HeaderError) {
      try HeaderRestoration(host: host, journal: self, goesOn: goesOn).open(stored) { end($0.refusal) }
    } catch {
      end(error)
    }
  }

  /// Keeps the records of a header that is not restored.
  public func leave(_ stored: StoredHeader) {
    entries[stored.number] = nil
    unrestored[stored.number] = stored
    unrestoredNumbers[stored.name] = stored.number
    journal.adopt(stored)
  }

  /// Begins to record a header.
  /// - Parameter saved: the state that it begins with.
  func add(_ entry: HeaderEntry, _ saved: Result<Value, HeaderError>) {
    if let number = unrestoredNumbers.removeValue(forKey: entry.name) {
      unrestored[number] = nil
      journal.close(number, name: entry.name)
    }
    entry.journalNumber = journal.newHeader()
    entries[entry.journalNumber] = entry
    if journal.takesRecords { write(entry, saved) }
  }

  /// Takes over the record of a header from an earlier daemon's journal.
  func adopt(_ stored: StoredHeader, as entry: HeaderEntry) {
    entry.journalNumber = stored.number
    entry.isRecorded = true
    entries[stored.number] = entry
  }

  /// A header that was restored begins a new life.
  func restart(_ entry: HeaderEntry) { journal.restart(entry.journalNumber, epoch: entry.epoch) }

  /// Begins a new life of a header, which does not follow from its records.
  func restartAnew(_ entry: HeaderEntry) {
    guard entry.journalNumber > 0 else { return }
    // The journal has an earlier life of a header that could not be saved. That life does not continue in the epoch that clients see now.
    journal.restart(entry.journalNumber, epoch: entry.isRecorded ? entry.epoch : host.nextEpoch())
    write(entry)
  }

  /// Writes an input down, before it happens.
  @inline(__always)
  func append(_ input: HeaderInput, of entry: HeaderEntry, at time: Instant?) {
    journal.append(input, of: entry.journalNumber, at: time)
  }

  /// Ends the record of a header that was closed.
  func remove(_ entry: HeaderEntry) {
    guard entry.journalNumber > 0 else { return }
    journal.close(entry.journalNumber, name: entry.name)
    entries[entry.journalNumber] = nil
    refusedSnapshots.remove(entry.journalNumber)
    noteCopied(entry, 0)
    entry.journalNumber = 0
    entry.isRecorded = false
  }

  /// Makes the journal copy its records of a header that cannot be saved, within the bounds of the journal and of its user.
  private func copy(_ entry: HeaderEntry) {
    let settings = journal.settings
    let others = (copiedBytesByUser[entry.account?.user] ?? 0) - (copiedBytes[entry.journalNumber] ?? 0)
    journal.copy(entry.journalNumber, atMost: min(settings.copiedBytes, max(0, settings.copiedBytesOfUser - others)))
  }

  /// Takes the results of copies. A header that takes too much is not recorded any more: its records would keep all files since.
  private func noteCopies() {
    for (number, bytes) in journal.takeCopied() {
      guard let entry = entries[number] else { continue }
      noteCopied(entry, bytes ?? 0)
      guard bytes == nil else { continue }
      journal.close(number, name: entry.name)
      entry.isRecorded = false
      let settings = journal.settings
      let reason =
        "its state cannot be saved, and what the journal has of it cannot be read or takes more than "
        + "\(settings.copiedBytes) bytes, or \(settings.copiedBytesOfUser) with that of its user's other headers"
      host.context.log.log(.warning, "notRecorded", [("header", entry.name), ("reason", reason)])
      sendDurability(false, reason, of: entry.name)
    }
  }

  private func noteCopied(_ entry: HeaderEntry, _ bytes: Int) {
    let user = entry.account?.user
    let before = copiedBytes[entry.journalNumber] ?? 0
    guard bytes != before else { return }
    copiedBytes[entry.journalNumber] = bytes > 0 ? bytes : nil
    let all = (copiedBytesByUser[user] ?? 0) + bytes - before
    copiedBytesByUser[user] = all > 0 ? all : nil
  }

  /// Writes a header's state to the journal once the header is free. If it cannot be saved, its inputs are recorded behind the last
  /// snapshot.
  private func write(_ entry: HeaderEntry, then: @escaping () -> Void = {}) {
    let number = entry.journalNumber
    writing.insert(number)
    let end = { [unowned self] in
      writing.remove(number)
      then()
    }
    host.whenFree(entry) { [unowned self] in
      guard journal.takesRecords, entries[number] === entry else { return end() }
      host.save(entry) { [unowned self] saved in
        if journal.takesRecords, entries[number] === entry { write(entry, saved) }
        end()
      }
    }
  }

  private func write(_ entry: HeaderEntry, _ saved: Result<Value, HeaderError>) {
    switch saved {
    case .success(let saved):
      journal.write(
        HeaderSnapshot(
          header: entry.name, epoch: entry.epoch, user: entry.account?.user,
          description: entry.header.description.recorded,
          opened: entry.opened.recorded, saved: saved),
        of: entry.journalNumber)
      entry.isRecorded = true
      refusedSnapshots.remove(entry.journalNumber)
      noteCopied(entry, 0)
    case .failure(let error):
      guard refusedSnapshots.insert(entry.journalNumber).inserted else { return }
      host.context.log.log(
        .warning, entry.isRecorded ? "snapshotRefused" : "notRecorded",
        [("header", entry.name), ("reason", "its state cannot be saved: \(error.message)")])
    }
  }

  // MARK: - Turns

  /// When it has something to do; `.max`: never.
  public var nextWake: MonotonicTime {
    // A rebuilding that waits for busy headers continues in the turn that frees them.
    journal.failure != nil && rebuilding?.isEmpty ?? false ? .max : journal.nextWake
  }

  /// Ends a turn: hands its records to the disk.
  public func endTurn() {
    journal.turn(at: host.now)
    noteFailure()
    rebuild()
    writeLast()
    for _ in 0..<Self.snapshotsPerTurn {
      guard let number = journal.takeDue() else { break }
      if let entry = entries[number] {
        guard !writing.contains(number) else { continue }
        write(entry) { [unowned self] in if refusedSnapshots.contains(number) { copy(entry) } }
      } else if let stored = unrestored[number] {
        journal.carry(stored)
      }
    }
  }

  /// The disk has carried out a step, or could not.
  public func finished(_ result: StepResult) {
    journal.finished(result, at: host.now)
    noteCopies()
    // First: an answer that leaves because the disk has failed comes behind the word that answers mean less now.
    noteFailure()
    release()
  }

  /// Writes all headers down anew, some in each turn, once the disk works again.
  private func rebuild() {
    guard journal.failure != nil, journal.takesRecords else { return }
    var left = rebuilding ?? entries.keys.sorted(by: >)
    for _ in 0..<Self.snapshotsPerTurn {
      guard let number = left.popLast() else { break }
      if let entry = entries[number], !entry.isRecorded { write(entry) }
    }
    rebuilding = left
    guard left.isEmpty, writing.isEmpty else { return }
    for stored in unrestored.values { journal.carry(stored) }
    let unsaved = entries.filter { !$0.value.isRecorded }.keys.sorted()
    journal.rebuilt(without: Dictionary(uniqueKeysWithValues: unsaved.map { ($0, host.nextEpoch()) }))
    noteLastEpoch()
  }

  /// Epochs of headers that are not recorded are not to be met again, whatever the wall clock says at the next start.
  private func noteLastEpoch() { journal.restart(0, epoch: host.lastEpoch) }

  private func noteFailure() {
    if journal.failures > failures {
      failures = journal.failures
      rebuilding = nil
      for entry in entries.values { entry.isRecorded = false }
      refusedSnapshots = []
      (copiedBytes, copiedBytesByUser) = ([:], [:])
      guard !failureIsReported else { return }
      failureIsReported = true
      let reason = journal.failure ?? "unknown"
      host.context.log.log(.error, "journalFailed", [("reason", reason), ("headers", "go on, and are not recorded")])
      sendDurability(false, reason)
    } else if failureIsReported, journal.failure == nil, journal.durable == journal.appended {
      failureIsReported = false
      host.context.log.log(.info, "journalRecovered", [("headers", String(entries.count))])
      sendDurability(true, nil)
    }
  }

  /// Reports to clients whether answers mean that a change is on the disk.
  /// - Parameter header: only answers of this header are concerned; only clients that may see it get the message.
  private func sendDurability(_ isDurable: Bool, _ reason: String?, of header: String? = nil) {
    for client in host.clients.values.sorted(by: { $0.id < $1.id })
    where header.map(client.writer.connection.peer.access.maySee) ?? true {
      sendDurability(client, isDurable, reason, of: header)
    }
    release()
  }

  private func sendDurability(_ client: Client, _ isDurable: Bool, _ reason: String?, of header: String? = nil) {
    guard journal.settings.durability == .acknowledged, !client.writer.isEnded else { return }
    client.writer.write { writer in
      writer.notification("durability") { writer in
        var record: Value.Record = ["durable": .bool(isDurable)]
        record["header"] = header.map { .text($0) }
        record["reason"] = reason.map { .text($0) }
        writer.value(.record(record))
      }
    }
  }

  /// Prepares a client for its first answer from this shard: it does not know of an earlier failure.
  func welcome(_ client: Client) {
    if failureIsReported { sendDurability(client, false, journal.failure ?? "unknown") }
  }

  // MARK: - Answers

  /// Records since the start.
  var recordCount: Int { journal.appended }

  /// Whether the answer to a command has to wait: its change was recorded and is not on the disk yet, or an earlier answer to the same
  /// client waits.
  func holds(_ command: PerformedCommand) -> Bool {
    guard journal.settings.durability == .acknowledged else { return false }
    if command.ticket.client.heldReplies > 0 { return true }
    return command.address != .notification && journal.appended > command.recordsBefore
      && journal.durable < journal.appended
  }

  /// Keeps an answer until all that is recorded now is safe.
  func hold(_ command: PerformedCommand, _ result: Result<Reply, HeaderError>) {
    command.ticket.client.heldReplies += 1
    held.append(HeldReply(records: journal.appended, command: command, result: result))
  }

  /// Sends the answers whose records are on the disk.
  private func release() {
    while let first = held.first, first.records <= journal.durable {
      _ = held.popFirst()
      first.command.ticket.client.heldReplies -= 1
      host.send(first.result, to: first.command)
      host.finish(first.command.ticket)
    }
  }

  // MARK: - The end

  /// Nothing waits for the disk, and nothing is left to write.
  public var isIdle: Bool { journal.isIdle && (finishing?.isEmpty ?? true) && writing.isEmpty }

  /// Everything is on the disk.
  public var isComplete: Bool { isIdle && journal.failure == nil }

  /// Writes down all headers for a start that keeps their epochs: the daemon ends, and clients send nothing any more.
  public func finish() {
    guard finishing == nil else { return }
    finishing = entries.keys.sorted(by: >)
    noteLastEpoch()
  }

  /// Writes some of them down, once the disk has taken those before.
  private func writeLast() {
    guard finishing != nil, journal.isIdle else { return }
    for _ in 0..<Self.lastSnapshotsPerTurn {
      guard let number = finishing?.popLast() else { break }
      if let entry = entries[number] { write(entry) }
    }
    journal.flush()
    journal.turn(at: host.now)
  }
}
