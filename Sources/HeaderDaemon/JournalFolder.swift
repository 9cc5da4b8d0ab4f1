// SPDX-License-Identifier: MIT
//
// The folder of the journal: one daemon's at a time, read at the start, marked when the daemon has ended in order.
//
//     lock                            held as long as a daemon uses the folder
//     0000000000000007.journal        segments (HeaderJournal)
//     0000000000000007.journal.torn   what was cut off a segment that ended within a record
//     0000000000000008.journal.new    a segment that is begun
//     complete                        how far the journal went when the daemon ended (CompleteMark): everything is there, so that
//                                     headers go on in the epochs that they had. Removed at the next start, before anything happens.

internal import EventLoop
internal import HeaderJournal
internal import Posix
private import Glibc

/// The folder of a daemon's journal.
final class JournalFolder {
  let path: String
  let lock: StateLock
  /// The journal that was read from the folder.
  private(set) var stored = StoredJournal()
  /// Torn tails that were cut off: segments and bytes.
  private(set) var cut: [(file: String, bytes: Int)] = []

  /// The number of torn tails that are kept.
  private static let tornFiles = 16

  /// Locks the folder and reads its content.
  /// - Throws: why it cannot be used, in words.
  init(_ path: String) throws(StartupError) {
    self.path = path
    if !exists(path) {
      do { try makePrivateFolder(path) } catch { throw StartupError("mkdir", path, error) }
    }
    try Self.checkOwner(of: path)
    lock = try StateLock(of: path)
    try read()
  }

  /// A user who may write there can make headers of any user, and replace the journal's files.
  private static func checkOwner(of path: String) throws(StartupError) {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw StartupError("stat", path, error) }
    guard status.isFolder else { throw StartupError(message: "the state folder \(path) is no folder") }
    guard status.owner == geteuid() else {
      throw StartupError(
        message:
          "the state folder \(path) belongs to user \(status.owner); it must belong to user \(geteuid()), as whom "
          + "headerd runs")
    }
    guard status.permissions & 0o022 == 0 else {
      throw StartupError(
        message:
          "others may write in the state folder \(path), which has mode 0\(String(status.permissions, radix: 8)); "
          + "'chmod go-w \(path)' takes that from them")
    }
  }

  /// Takes out the headers that were read, so that the caller can release them one by one.
  func takeHeaders() -> [StoredHeader] {
    let headers = stored.headers
    stored = StoredJournal()
    return headers
  }

  private var mark: String { "\(path)/\(CompleteMark.fileName)" }

  private func read() throws(StartupError) {
    let names: [String]
    do { names = try Posix.names(inFolder: path) } catch { throw StartupError("open", path, error) }
    do {
      stored = try StoredJournal(files: names) { [path] (name) throws(JournalError) in
        do throws(FileRefusal) {
          return try contents(ofRegularFile: "\(path)/\(name)", atMost: StoredJournal.largestFile)
        } catch {
          throw JournalError(file: name, reason: error.reason)
        }
      }
    } catch {
      let help =
        error.isDamage
        ? "; nothing was changed: 'headerctl journal verify \(path)' says more, 'journal repair' keeps what can be read"
        : ""
      throw StartupError(message: "the journal cannot be read: \(path)/\(error)\(help)")
    }
    do throws(SystemError) {
      // Once anything has happened it is true no more.
      if names.contains(CompleteMark.fileName) {
        try removeFile(mark)
        try syncFolder(path)
      }
    } catch { throw StartupError("unlink", mark, error) }
    for name in names where name.hasSuffix(".journal.new") { try? removeFile("\(path)/\(name)") }
    try cutTails()
  }

  private func cutTails() throws(StartupError) {
    for segment in stored.segments where segment.torn > 0 {
      let name = segment.head.fileName
      do {
        let bytes = try contents(ofRegularFile: "\(path)/\(name)", atMost: StoredJournal.largestFile)
        try keep(Array(bytes[min(segment.size, bytes.count)...]), in: "\(path)/\(name).torn")
        let file = try openFile("\(path)/\(name)", for: .changing)
        defer { close(file) }
        try truncateFile(file, to: segment.size)
        try syncData(file)
      } catch let error as SystemError {
        throw StartupError("truncate", "\(path)/\(name)", error)
      } catch {
        throw StartupError(message: "\(path)/\(name) ends within a record, which cannot be kept beside it: \(error)")
      }
      cut.append((name, segment.torn))
    }
    guard !cut.isEmpty, let names = try? Posix.names(inFolder: path) else { return }
    let torn = names.filter { $0.hasSuffix(".journal.torn") }.sorted()
    for name in torn.dropLast(Self.tornFiles) { try? removeFile("\(path)/\(name)") }
  }

  /// Adds bytes to a file of its own.
  private func keep(_ bytes: [UInt8], in path: String) throws(SystemError) {
    let file = try openFile(path, for: .updating)
    defer { close(file) }
    try writeAll(bytes, to: file, at: Int(try FileStatus(of: file).size))
    try syncData(file)
    try syncFolder(self.path)
  }

  /// Notes that everything is there up to a segment's end.
  /// - Throws: why that cannot be written; headers then begin new epochs at the next start.
  func markComplete(_ lastSegment: Int) throws(UVError) {
    do throws(SystemError) {
      var bytes = 0
      for name in try Posix.names(inFolder: path) where SegmentHead.number(inFileName: name) != nil {
        bytes += Int(try FileStatus(of: "\(path)/\(name)", followsLinks: false).size)
      }
      let file = try openFile(mark, for: .keeping)
      defer { close(file) }
      try writeAll(Array(CompleteMark(segment: lastSegment, bytes: bytes).text.utf8), to: file, at: 0)
      try syncData(file)
      try syncFolder(path)
    } catch { throw UVError(code: -error.code, call: "write", subject: mark) }
  }
}

extension StartupError {
  init(_ call: String, _ path: String, _ error: SystemError) {
    self.init(message: "\(UVError(code: -error.code, call: call, subject: path))")
  }
}
