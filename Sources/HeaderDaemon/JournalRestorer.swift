// SPDX-License-Identifier: MIT
//
// The journal of a daemon, over all its threads: headers are restored at the start, and the end is marked.

internal import EventLoop
internal import HeaderConfig
internal import HeaderHost
internal import HeaderJournal
internal import HeaderModel
internal import HeaderService
private import Posix

/// A daemon's journal, from restoring to the last write.
final class JournalRestorer {
  private let folder: JournalFolder
  private let numbers: JournalNumbers
  private let log: DaemonLog

  /// Takes the folder, restores its headers, and records them from now on; nil without a folder.
  /// - Parameter code: a line that tells headerd and its plugins from other ones.
  /// - Throws: why the folder cannot be used.
  init?(
    _ path: String?, _ config: Config.State, _ threads: [LoopThread], code: String, _ log: DaemonLog
  ) throws(StartupError) {
    guard let path else { return nil }
    folder = try JournalFolder(path)
    numbers = JournalNumbers(after: folder.stored, shards: threads.count)
    self.log = log
    var settings = JournalSettings()
    settings.interval = Instant.nanoseconds(config.interval)
    settings.durability = config.durability
    for thread in threads { thread.keepJournal(in: folder, settings, numbers) }
    try restore(threads, code)
  }

  private func restore(_ threads: [LoopThread], _ code: String) throws(StartupError) {
    for (file, bytes) in folder.cut {
      log.log(
        .warning, "journalCut",
        [
          ("file", file), ("bytes", String(bytes)), ("reason", "it ends within a record"), ("kept", "\(file).torn"),
        ])
    }
    if folder.stored.hasBadMark {
      log.log(
        .warning, "journalIncomplete",
        [("reason", "the file complete is damaged or of another version: headers begin new epochs")])
    }
    let isComplete = folder.stored.isComplete
    // The records are released one header after the other: together they take more memory than the headers made of them.
    var left = Array(folder.takeHeaders().reversed())
    let count = left.count
    guard count > 0 else { return }
    let mark = try RestoreMark(in: folder.path, stored: Set(left.map(\.number)), code: code)
    let shard = threads[0].service.shard
    var inputs = 0
    while let header = left.popLast() {
      inputs += header.inputs
      let thread = threads[shard.holder(of: header.name)]
      let end = { [log, name = header.name] (refusal: HeaderError?) in
        guard let refusal else { return }
        log.log(
          .error, "headerNotRestored",
          [("header", name), ("reason", sentence(refusal)), ("kept", "as it is, for the next start")])
      }
      guard !mark.fatal.contains(header.number) else {
        thread.service.host.journal?.leave(header)
        end(HeaderError(.behaviorFailed, "the daemon has died while it restored this header"))
        continue
      }
      mark.note(header.number)
      thread.service.restore(header, goesOn: isComplete, at: thread.loop.now, then: end)
    }
    for thread in threads { thread.finishOpening() }
    mark.end()
    log.log(
      .info, "headersRestored",
      [
        ("headers", String(count)), ("inputs", String(inputs)),
        ("epochs", isComplete ? "the same" : "new"),
      ])
    releaseFreeMemory()
  }

  /// Marks the journal as complete once all threads have ended and everything is on the disk: the next start then keeps the epochs.
  func end(_ threads: [LoopThread]) {
    guard threads.allSatisfy({ $0.service.host.journal?.isComplete ?? true }) else {
      return log.log(.warning, "journalIncomplete", [("reason", "the disk has not taken everything in time")])
    }
    do {
      try folder.markComplete(numbers.lastSegment)
    } catch {
      log.log(.warning, "journalIncomplete", [("reason", "\(error)")])
    }
  }
}
