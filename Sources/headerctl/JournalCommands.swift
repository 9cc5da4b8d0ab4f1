// SPDX-License-Identifier: MIT
//
// `headerctl journal`: the state folder of a daemon that does not run, read and repaired in this process.

internal import CommandLineKit
private import Glibc
internal import HeaderJournal
internal import HeaderModel
internal import HeaderTrace
internal import Installation
internal import Posix

func journalCommands() -> Command {
  Command(
    "journal", "Shows, checks, repairs and exports what a daemon keeps in its state folder.", section: "Recordings",
    commands: [
      Command(
        "list", "List the headers that the journal has.", example: "headerctl journal list /var/lib/headerd",
        positionals: [Words.folder]),
      Command(
        "verify", "Check every record of the journal.",
        discussion: """
          A daemon that was killed may leave a torn record at the end of its last segment; the next start cuts it off and \
          keeps it as NAME.torn. Anything else that cannot be read is damage, with which no daemon starts: a torn end has no \
          whole record behind it. Exit status 1 if there is any.
          """,
        example: "headerctl journal verify /var/lib/headerd", positionals: [Words.folder]),
      Command(
        "repair", "Keep what can be read of a damaged journal.",
        discussion: """
          Writes all headers into one new segment, each up to where something of it may be missing, and renames the old \
          segments to NAME.bak. No daemon may use the folder.
          """,
        example: "headerctl journal repair /var/lib/headerd", positionals: [Words.folder]),
      Command(
        "export", "Write what the journal has of a header as a recording.",
        discussion: """
          From the header's last snapshot on, or from the last crash of the daemon. The plugins run here, so that the \
          recording has the states; 'headerctl verify' and 'replay' read it.
          """,
        example: "headerctl journal export /var/lib/headerd main -o main.jsonl",
        options: [Words.output, Words.plugins],
        positionals: [Words.folder, Words.header]),
    ])
}

/// A state folder, whose lock is held during a change.
private struct StateFolder {
  let path: String

  /// Reads everything that is readable.
  func read() throws -> StoredJournal {
    let files: [String]
    do { files = try names(inFolder: path) } catch { throw CommandError.refused("\(path): \(error.text)") }
    guard files.contains("lock") || files.contains(where: { SegmentHead.number(inFileName: $0) != nil }) else {
      throw CommandError.refused("\(path): there is no journal in this folder")
    }
    do throws(JournalError) {
      return try StoredJournal(files: files, repairs: true) { (name) throws(JournalError) in
        do throws(FileRefusal) {
          return try contents(ofRegularFile: "\(path)/\(name)", atMost: StoredJournal.largestFile)
        } catch {
          throw JournalError(file: name, reason: error.reason)
        }
      }
    } catch { throw CommandError.refused("\(path)/\(error)", name: "journalDamaged") }
  }

  /// Does something while no daemon uses the folder.
  func locked(_ body: () throws -> Void) throws {
    // A daemon cannot read what another user writes there.
    let owner = try? FileStatus(of: path).owner
    guard owner == nil || owner == geteuid() else {
      throw CommandError.refused("\(path) belongs to user \(owner ?? 0): run this as that user")
    }
    let path = "\(path)/lock"
    let lock: Int32
    do { lock = try openFile(path, for: .updating) } catch { throw CommandError.refused("\(path): \(error.text)") }
    defer { close(lock) }
    guard try tryLock(lock) else {
      throw CommandError.refused("\(path): a headerd uses this folder; stop it first", name: "journalInUse")
    }
    try body()
  }

  /// Puts one segment in place of all others, which are kept under other names.
  func replace(_ old: StoredJournal, by segment: (head: SegmentHead, bytes: [UInt8])) throws -> [String] {
    do throws(SystemError) {
      let file = try openFile("\(path)/\(segment.head.fileName).new", for: .keeping)
      defer { close(file) }
      try writeAll(segment.bytes, to: file, at: 0)
      try syncData(file)
      // First the new one: whatever happens then, it counts, since its number is the last.
      try renameFile("\(path)/\(segment.head.fileName).new", to: "\(path)/\(segment.head.fileName)")
      try syncFolder(path)
      let names = old.files
      for name in names { try renameFile("\(path)/\(name)", to: "\(path)/\(name).bak") }
      // Epochs start anew where something may be missing.
      if exists("\(path)/\(CompleteMark.fileName)") { try removeFile("\(path)/\(CompleteMark.fileName)") }
      try syncFolder(path)
      return names
    } catch { throw CommandError.refused("\(path): \(error.text)") }
  }
}

private func folder(_ context: Context) -> StateFolder {
  StateFolder(path: context.invocation.required(Words.folder))
}

/// Reports damages, and the losses by them.
private func complain(of journal: StoredJournal, _ context: Context) {
  for damage in journal.damages { context.console.complain("\(damage)") }
  guard journal.unusable > 0 else { return }
  context.console.complain(
    "\(counted(journal.unusable, "whole record")) of \(counted(journal.unusableHeaders, "header")) behind that cannot be used "
      + "without it")
}

func runJournalList(_ context: Context) throws -> Int32 {
  let journal = try folder(context).read()
  complain(of: journal, context)
  let rows = journal.headers.sorted { $0.name < $1.name }.map { header -> Value in
    [
      "header": .text(header.name), "epoch": .number(Double(header.epoch)), "inputs": .integer(header.inputs),
      "bytes": .integer(header.size), "segment": .text(SegmentHead.fileName(of: header.base)),
    ]
  }
  return context.show(rows, nothing: "no headers", ["HEADER", "EPOCH", "INPUTS", "BYTES", "SEGMENT"]) { row in
    [row.text("header"), row.number("epoch"), row.number("inputs"), row.number("bytes"), row.text("segment")]
  }
}

func runJournalVerify(_ context: Context) throws -> Int32 {
  let journal = try folder(context).read()
  for segment in journal.segments {
    let row: Value = [
      "segment": .text(segment.head.fileName), "records": .integer(segment.records), "bytes": .integer(segment.size),
      "torn": .integer(segment.torn),
    ]
    let tail = segment.torn > 0 ? ", \(counted(segment.torn, "byte")) behind them cannot be read" : ""
    context.show(
      row, "\(segment.head.fileName): \(counted(segment.records, "record")), \(counted(segment.size, "byte"))\(tail)")
  }
  complain(of: journal, context)
  let torn = journal.segments.reduce(0) { $0 + $1.torn }
  let isGood = journal.damages.isEmpty
  let found =
    !isGood
    ? counted(journal.damages.count, "damage") : torn > 0 ? "a torn end, which the next start cuts off" : "all good"
  context.show(
    [
      "summary": [
        "headers": .integer(journal.headers.count), "torn": .integer(torn), "damages": .integer(journal.damages.count),
        "unusable": .integer(journal.unusable),
      ]
    ],
    "\(counted(journal.headers.count, "header")): \(found)")
  return isGood ? ExitStatus.done : ExitStatus.refused
}

func runJournalRepair(_ context: Context) throws -> Int32 {
  let folder = folder(context)
  try folder.locked {
    let journal = try folder.read()
    guard !journal.damages.isEmpty || journal.segments.contains(where: { $0.torn > 0 }) else {
      return context.show(["repaired": false], "nothing is damaged, nothing is changed")
    }
    let segment = journal.compacted()
    let kept = try folder.replace(journal, by: segment)
    complain(of: journal, context)
    let row: Value = [
      "repaired": true, "headers": .integer(journal.headers.count), "segment": .text(segment.head.fileName),
      "kept": .list(kept.map { .text("\($0).bak") }),
    ]
    context.show(
      row, "\(counted(journal.headers.count, "header")) written to \(segment.head.fileName); the old files end in .bak")
  }
  return ExitStatus.done
}

func runJournalExport(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let journal = try folder(context).read()
  complain(of: journal, context)
  guard let header = journal[name] else {
    let known = journal.headers.map(\.name)
    let hint = nearest(to: name, in: known).map { "; did you mean \"\($0)\"?" } ?? ""
    throw CommandError.refused("the journal has no header \"\(name)\"\(hint)", name: "headerNotFound")
  }
  let recording = try JournalRecording(of: header, server: headerdVersion, provider: context.loadPlugins())
  let output = context.invocation[Words.output] ?? "-"
  let sentence = "\(counted(recording.steps, "step")), \(counted(recording.states, "state"))"
  guard output != "-" else {
    context.console.print(bytes: recording.bytes)
    context.console.error("\(sentence)\n")
    return ExitStatus.done
  }
  do throws(SystemError) {
    let file = try openFile(output, for: .replacing)
    defer { close(file) }
    try writeAll(recording.bytes, to: file)
  } catch { throw CommandError.refused("\(output): \(error.text)") }
  if context.isJSON {
    context.console.print(
      Value.record(["steps": .integer(recording.steps), "states": .integer(recording.states)]).json)
  } else {
    context.console.error("\(output): \(sentence)\n")
  }
  return ExitStatus.done
}
