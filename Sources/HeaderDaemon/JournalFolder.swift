// SPDX-License-Identifier: MIT
//
// The folder of the journal: one daemon's at a time, read at the start, marked when the daemon has ended in order.
//
//     lock                       held as long as a daemon uses the folder
//     0000000000000007.journal   segments (HeaderJournal)
//     complete                   the number of the last segment: everything up to its end is there, so that headers go on in
//                                the epochs that they had. Removed at the next start, before anything happens.

internal import EventLoop
internal import HeaderJournal
internal import Posix
private import Glibc

/// The folder of a daemon's journal.
final class JournalFolder {
  let path: String
  /// What was in it.
  private(set) var stored = StoredJournal()
  /// The daemon before ended in order.
  private(set) var isComplete = false
  /// Torn tails that were cut off: segments and bytes.
  private(set) var cut: [(file: String, bytes: Int)] = []
  private let lock: Int32

  /// Takes the folder and reads what is in it.
  /// - Throws: why it cannot be used, in words.
  init(_ path: String) throws(StartupError) {
    self.path = path
    if !exists(path) {
      do { try makePrivateFolder(path) } catch { throw StartupError("mkdir", path, error) }
    }
    let lockPath = "\(path)/lock"
    do {
      lock = try openFile(lockPath, for: .locking)
    } catch { throw StartupError("open", lockPath, error) }
    do {
      guard try tryLock(lock) else { throw StartupError(message: "another headerd uses the state folder \(path)") }
      try read()
    } catch let error as StartupError {
      close(lock)
      throw error
    } catch {
      close(lock)
      throw StartupError(message: "\(lockPath): \(error)")
    }
  }

  deinit { close(lock) }

  /// Lets go of what was read.
  func forget() { stored = StoredJournal() }

  private var mark: String { "\(path)/complete" }

  private func read() throws(StartupError) {
    let names: [String]
    do { names = try Posix.names(inFolder: path) } catch { throw StartupError("open", path, error) }
    do {
      stored = try StoredJournal(files: names) { [path] (name) throws(JournalError) in
        do throws(SystemError) {
          return try contents(ofFile: "\(path)/\(name)")
        } catch { throw JournalError(file: name, reason: error.text) }
      }
    } catch {
      let help =
        error.damage == nil
        ? "" : "; 'headerctl journal verify \(path)' says more, 'journal repair' keeps what can be read"
      throw StartupError(message: "the journal cannot be read: \(path)/\(error)\(help)")
    }
    try readMark(names)
    try cutTails()
  }

  private func readMark(_ names: [String]) throws(StartupError) {
    guard names.contains("complete") else { return }
    do throws(SystemError) {
      let text = String(decoding: try contents(ofFile: mark), as: UTF8.self)
      isComplete = text == markText(stored.lastSegment)
      // Once anything has happened it is true no more.
      try removeFile(mark)
      try syncFolder(path)
    } catch { throw StartupError("unlink", mark, error) }
  }

  private func cutTails() throws(StartupError) {
    for segment in stored.segments where segment.torn > 0 || segment.size == 0 {
      let name = segment.head.fileName
      do throws(SystemError) {
        if segment.size == 0 {
          try removeFile("\(path)/\(name)")
        } else {
          let file = try openFile("\(path)/\(name)", for: .changing)
          defer { close(file) }
          try truncateFile(file, to: segment.size)
          try syncData(file)
        }
      } catch { throw StartupError("truncate", "\(path)/\(name)", error) }
      cut.append((name, segment.torn))
    }
  }

  private func markText(_ segment: Int) -> String { "\(SegmentHead(number: max(segment, 1), shard: 0).fileName)\n" }

  /// Notes that everything is there up to a segment's end.
  /// - Throws: why that cannot be written; headers then begin new epochs at the next start.
  func markComplete(_ lastSegment: Int) throws(UVError) {
    do throws(SystemError) {
      let file = try openFile(mark, for: .keeping)
      defer { close(file) }
      try writeAll(Array(markText(lastSegment).utf8), to: file, at: 0)
      try syncData(file)
      try syncFolder(path)
    } catch { throw UVError(code: -error.code, call: "write", subject: mark) }
  }
}

extension StartupError {
  fileprivate init(_ call: String, _ path: String, _ error: SystemError) {
    self.init(message: "\(UVError(code: -error.code, call: call, subject: path))")
  }
}
