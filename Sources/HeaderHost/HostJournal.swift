// SPDX-License-Identifier: MIT
//
// One shard's headers and its journal (HeaderJournal): who is written down, and which answers wait for the disk.
//
//     input ─▶ written down ─▶ Header.apply ─▶ states
//                   ╰─▶ at the end of the turn to the disk ─▶ done: the answers that waited leave
//
// A header is recorded from its opening on, if it belongs to the daemon. Nothing of it waits for the disk but, with
// `acknowledged`, the answers to those who asked for a change.

internal import Fanout
internal import HeaderCore
internal import HeaderJournal
internal import HeaderWire

/// An answer that leaves once what it answers is safe.
private struct HeldReply {
  /// Records up to this one.
  let records: Int
  let client: Client
  let slot: Int
  let send: () -> Void
}

/// What a host has of the journal.
final class HostJournal {
  let journal: ShardJournal
  /// Headers that are recorded, by their numbers in the journal.
  private var entries: [Int: HeaderEntry] = [:]
  /// What could not be restored is kept as it is, by name.
  private var unrestored: [String: StoredHeader] = [:]
  private var held = Queue<HeldReply>()
  /// Failures of the disk that are dealt with.
  private var failures = 0
  /// Headers that are still to be written down anew after the disk failed; nil: it does not work yet.
  private var rebuilding: [Int]?
  /// Headers that are still to be written down before the daemon ends; nil: it goes on.
  private var finishing: [Int]?
  /// Clients and the log know of the failure.
  private var failureIsTold = false

  /// Headers that are written down in one turn at most.
  private static let snapshotsPerTurn = 16
  /// The same when the daemon ends, and nobody else waits.
  private static let lastSnapshotsPerTurn = 256

  init(_ journal: ShardJournal) { self.journal = journal }

  /// How many headers it has, and how many of them could not be restored.
  var counts: (headers: Int, unrestored: Int) { (entries.count, unrestored.count) }

  // MARK: - Headers

  /// Begins to record a header.
  func add(_ entry: HeaderEntry, in host: HeaderHost) {
    guard entry.header.description.lifetime == .daemon else { return }
    if let stored = unrestored.removeValue(forKey: entry.name) { journal.close(stored.number, name: stored.name) }
    entry.journalNumber = journal.newHeader()
    entries[entry.journalNumber] = entry
    write(entry, in: host)
  }

  /// Goes on with a header that an earlier daemon recorded.
  func adopt(_ stored: StoredHeader, as entry: HeaderEntry) {
    entry.journalNumber = stored.number
    entry.isRecorded = true
    entries[stored.number] = entry
    journal.adopt(stored)
  }

  /// Keeps what could not be restored.
  func keep(_ stored: StoredHeader) {
    unrestored[stored.name] = stored
    journal.adopt(stored)
  }

  /// A header is gone.
  func remove(_ entry: HeaderEntry) {
    guard entry.journalNumber > 0 else { return }
    journal.close(entry.journalNumber, name: entry.name)
    entries[entry.journalNumber] = nil
    entry.journalNumber = 0
    entry.isRecorded = false
  }

  /// Writes a header down as it is. One that waits for a client cannot be saved now; its time comes again.
  @discardableResult
  private func write(_ entry: HeaderEntry, in host: HeaderHost) -> Bool {
    guard journal.takesRecords, !entry.header.isWaiting else { return false }
    do {
      journal.write(
        HeaderSnapshot(
          header: entry.name, epoch: entry.epoch, user: entry.account?.user,
          description: entry.header.description.recorded,
          opened: entry.opened.recorded, saved: try entry.header.save()),
        of: entry.journalNumber)
      entry.isRecorded = true
      return true
    } catch {
      entry.isRecorded = false
      host.context.log.log(
        .warning, "notRecorded",
        [("header", entry.name), ("reason", "its state cannot be saved: \(error.message)")])
      return false
    }
  }

  // MARK: - Turns

  /// The end of a turn.
  func turn(of host: HeaderHost) {
    journal.turn(at: host.now)
    noteFailure(in: host)
    rebuild(in: host)
    finish(in: host)
    for _ in 0..<Self.snapshotsPerTurn {
      guard let number = journal.takeDue() else { break }
      if let entry = entries[number] {
        write(entry, in: host)
      } else if let stored = unrestored.values.first(where: { $0.number == number }) {
        journal.carry(stored)
      }
    }
  }

  /// Writes all headers down anew, some in each turn, once the disk works again.
  private func rebuild(in host: HeaderHost) {
    guard journal.failure != nil, journal.takesRecords else { return }
    var left = rebuilding ?? entries.keys.sorted(by: >)
    for _ in 0..<Self.snapshotsPerTurn {
      guard let number = left.popLast() else { break }
      if let entry = entries[number], !entry.isRecorded { write(entry, in: host) }
    }
    rebuilding = left
    guard left.isEmpty else { return }
    for stored in unrestored.values { journal.carry(stored) }
    journal.rebuilt()
  }

  private func noteFailure(in host: HeaderHost) {
    if journal.failures > failures {
      failures = journal.failures
      rebuilding = nil
      for entry in entries.values { entry.isRecorded = false }
      guard !failureIsTold else { return }
      failureIsTold = true
      let reason = journal.failure ?? "unknown"
      host.context.log.log(.error, "journalFailed", [("reason", reason), ("headers", "go on, and are not recorded")])
      tell(host, false, reason)
    } else if failureIsTold, journal.failure == nil, journal.durable == journal.appended {
      failureIsTold = false
      host.context.log.log(.info, "journalRecovered", [("headers", String(entries.count))])
      tell(host, true, nil)
    }
  }

  /// Lets clients know whether answers mean that a change is on the disk.
  private func tell(_ host: HeaderHost, _ isDurable: Bool, _ reason: String?) {
    guard journal.settings.durability == .acknowledged else { return }
    for client in host.clients.values where !client.writer.isEnded {
      client.writer.write { writer in
        writer.notification("durability") { writer in
          var record: Value.Record = ["durable": .bool(isDurable)]
          record["reason"] = reason.map { .text($0) }
          writer.value(.record(record))
        }
      }
    }
    release(in: host)
  }

  // MARK: - Answers

  /// Whether an answer to a client has to wait: what it answers was recorded behind `before` and is not safe yet, or an
  /// earlier answer to the client waits.
  func holds(_ client: Client, since before: Int) -> Bool {
    guard journal.settings.durability == .acknowledged else { return false }
    return client.heldReplies > 0 || (journal.appended > before && journal.durable < journal.appended)
  }

  func hold(_ client: Client, _ slot: Int, _ send: @escaping () -> Void) {
    client.heldReplies += 1
    held.append(HeldReply(records: journal.appended, client: client, slot: slot, send: send))
  }

  /// Sends the answers whose records are safe.
  func release(in host: HeaderHost) {
    while let first = held.first, first.records <= journal.durable {
      _ = held.popFirst()
      first.client.heldReplies -= 1
      first.send()
      host.finish(first.slot, of: first.client)
    }
  }

  // MARK: - The end

  /// Nothing waits for the disk, and nothing is left to write.
  var isIdle: Bool { journal.isIdle && (finishing?.isEmpty ?? true) }

  /// All headers are written down as they are, for a start that goes on with their epochs.
  func beginToFinish() {
    if finishing == nil { finishing = entries.keys.sorted(by: >) }
  }

  /// Writes some of them down, once the disk has taken those before.
  private func finish(in host: HeaderHost) {
    guard finishing != nil, journal.isIdle else { return }
    for _ in 0..<Self.lastSnapshotsPerTurn {
      guard let number = finishing?.popLast() else { break }
      if let entry = entries[number] { write(entry, in: host) }
    }
    journal.hurry()
    journal.turn(at: host.now)
  }
}
