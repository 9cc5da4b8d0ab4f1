// SPDX-License-Identifier: MIT
//
// The answers to an owner's requests to JetStream, and the steps of the protocol that follow them.

public import Clocks

extension Ownership {
  /// Takes the answer to a request.
  public mutating func answered(_ ticket: UInt64, _ answer: Answer, at now: MonotonicTime) {
    guard let header = tickets.removeValue(forKey: ticket), let entry = entries[header] else { return }
    switch entry.phase {
    case .electing(var write, let purpose) where write.ticket == ticket:
      guard let outcome = settle(&write, answer, at: now) else {
        entries[header]?.phase = .electing(write, purpose)
        return
      }
      elected(header, write, purpose, outcome, at: now)
    case .resigning(var write, let state) where write.ticket == ticket:
      guard let outcome = settle(&write, answer, at: now) else {
        entries[header]?.phase = .resigning(write, state)
        return
      }
      tookRow(header, write, outcome, at: now)
      entries[header]?.phase = .elsewhere
      attention.insert(header)
    case .reading(ticket, let purpose): didRead(header, ticket, purpose, answer, at: now)
    case .fencing(var write, let history, let purpose, let epoch) where write.ticket == ticket:
      guard let outcome = settle(&write, answer, at: now) else {
        entries[header]?.phase = .fencing(write, history, purpose, epoch: epoch)
        return
      }
      fenced(header, history, purpose, epoch, outcome, at: now)
    case .owned: logOrSave(header, ticket, answer, at: now)
    // What it was for was abandoned meanwhile.
    default: break
    }
  }

  /// The outcome of a write; nil: it continues.
  private mutating func settle(
    _ write: inout CheckedWrite, _ answer: Answer, at now: MonotonicTime
  ) -> CheckedWrite.Outcome? {
    let outcome = write.take(answer)
    guard case .retry(let pause) = outcome else { return outcome }
    tickets[write.ticket] = write.cell.header
    if pause { retries.append((now + settings.pause, write.effect)) } else { effects.append(write.effect) }
    return nil
  }

  /// Takes over the present row of the table.
  private mutating func tookRow(
    _ header: String, _ write: CheckedWrite, _ outcome: CheckedWrite.Outcome, at now: MonotonicTime
  ) {
    var last = LastMessage(bytes: write.bytes)
    if case .done(let number) = outcome { last.number = number }
    if case .lost(let other) = outcome { last = other }
    guard last.number > entries[header]?.revision ?? 0 else { return }
    guard let row = OwnerRecord(last.bytes), isPossible(row) else {
      return sawNoRow(header, revision: last.number, at: now)
    }
    entries[header]?.row = row
    entries[header]?.revision = last.number
  }

  private mutating func elected(
    _ header: String, _ write: CheckedWrite, _ purpose: Purpose, _ outcome: CheckedWrite.Outcome,
    at now: MonotonicTime
  ) {
    tookRow(header, write, outcome, at: now)
    entries[header]?.phase = .elsewhere
    attention.insert(header)
    guard case .done(let number) = outcome, entries[header]?.revision == number else {
      // Another node has the header, so the daemon's copy is out of date.
      entries[header]?.restsUntil = now + settings.pause
      let row = entries[header]?.row
      if entries[header]?.local != nil, row?.state == .owned, row?.owner != node {
        effects.append(.close(header: header))
      }
      return
    }
    read(header, purpose)
  }

  private mutating func didRead(
    _ header: String, _ ticket: UInt64, _ purpose: Purpose, _ answer: Answer, at now: MonotonicTime
  ) {
    guard case .history(let history) = answer else {
      tickets[ticket] = header
      retries.append((now + settings.pause, .history(ticket: ticket, header: header)))
      return
    }
    switch purpose {
    case .claim(let epoch, let isNew):
      let isOwn = history.log.last?.owner == node && history.epoch == epoch
      guard entries[header]?.local != nil || !isNew else { return resign(header, .closed, next: nil) }
      guard entries[header]?.local == epoch, isOwn || isNew && epoch > history.epoch else {
        // The daemon's header differs from the stored one, or its epoch is not the latest: the stored one holds.
        if entries[header]?.local != nil { effects.append(.close(header: header)) }
        entries[header]?.local = nil
        return restore(header, history)
      }
      fence(header, history, purpose, epoch: epoch)
    case .take: restore(header, history)
    }
  }

  mutating func restore(_ header: String, _ history: History) {
    guard let saved = history.saved, saved.epoch >= entries[header]?.row?.life ?? 0 else {
      // The owner left before any client learned of the header.
      return resign(header, .closed, next: nil)
    }
    entries[header]?.phase = .restoring(history)
    let after = max(history.epoch, (entries[header]?.row?.epoch ?? 1) - 1)
    effects.append(
      .restore(header: header, content: saved.content, steps: history.log.flatMap(\.steps), after: after))
  }

  private mutating func fenced(
    _ header: String, _ history: History, _ purpose: Purpose, _ epoch: Int64, _ outcome: CheckedWrite.Outcome,
    at now: MonotonicTime
  ) {
    guard case .done(let number) = outcome else {
      // The log has grown, so the restored header is out of date.
      guard case .take = purpose else { return read(header, purpose) }
      return abandon(header)
    }
    entries[header]?.phase = .owned(
      OwnedHeader(
        epoch: epoch, tail: number, savedNumber: history.savedNumber, spread: Placement.weight(of: header, on: node),
        delay: settings.delay, at: now))
    isBalanced = false
    // What happens before the recording begins would be in no log.
    pump(header, at: now)
  }

  private mutating func logOrSave(_ header: String, _ ticket: UInt64, _ answer: Answer, at now: MonotonicTime) {
    guard case .owned(var owned)? = entries[header]?.phase else { return }
    entries[header]?.phase = .elsewhere
    var isLost = false
    if var write = owned.logWrite, write.ticket == ticket {
      let outcome = settle(&write, answer, at: now)
      owned.logWrite = write
      switch outcome {
      case .done(let number): owned.batchIsLogged(number, at: now)
      case .lost: isLost = true
      case .retry, nil: break
      }
    } else if var write = owned.saveWrite, write.ticket == ticket {
      let outcome = settle(&write, answer, at: now)
      owned.saveWrite = write
      switch outcome {
      case .done(let number): owned.snapshotIsSaved(number)
      case .lost(let last):
        // An older owner's, which was late: ours says more, unless a newer owner wrote it.
        let other = SavedRecord(last.bytes)?.epoch ?? .max
        if other > owned.epoch, other <= settings.maxEpoch {
          isLost = true
        } else {
          if other > settings.maxEpoch { effects.append(.refused(.saved(header))) }
          owned.saveWrite = self.write(.saved(header), expecting: last.number) { _ in write.bytes }
        }
      case .retry, nil: break
      }
    }
    entries[header]?.phase = .owned(owned)
    if isLost { return abandon(header) }
    if owned.isSaved, !owned.hasHole {
      effects.append(.acknowledged(header: header, steps: owned.logged))
    }
    pump(header, at: now)
  }
}
