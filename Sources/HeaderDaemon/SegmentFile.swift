// SPDX-License-Identifier: MIT
//
// The file of the journal's present segment, for one thread at a time: the steps of HeaderJournal as system calls.

internal import EventLoop
internal import HeaderJournal
internal import Posix
private import Glibc

/// The file that a shard's journal writes to.
struct SegmentFile: Sendable {
  let folder: String
  private var descriptor: Int32 = -1
  private var path = ""
  /// Bytes that were written completely; a step that failed is written over.
  private var size = 0

  /// No file yet.
  init(in folder: String) { self.folder = folder }

  /// Carries out a step.
  /// - Returns: why it cannot, in words; nil: it has.
  mutating func perform(_ step: JournalStep) -> String? {
    do {
      if let head = step.begins { try begin(head) }
      if !step.bytes.isEmpty {
        try attempt("write") { () throws(SystemError) in try writeAll(step.bytes, to: descriptor, at: size) }
        size += step.bytes.count
      }
      if step.syncs, descriptor >= 0 { try attempt("fdatasync") { () throws(SystemError) in try syncData(descriptor) } }
      for number in step.removes { try remove(SegmentHead(number: number, shard: 0)) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Begins a segment. The one before is on the disk as far as it was written, and ends there.
  private mutating func begin(_ head: SegmentHead) throws(UVError) {
    try end()
    path = "\(folder)/\(head.fileName)"
    let path = path
    descriptor = try attempt("open") { () throws(SystemError) in try openFile(path, for: .keeping) }
    size = 0
    try attempt("write") { () throws(SystemError) in try writeAll(head.bytes, to: descriptor, at: 0) }
    size = head.bytes.count
    let folder = folder
    try attempt("fsync", folder) { () throws(SystemError) in try syncFolder(folder) }
  }

  private mutating func end() throws(UVError) {
    guard descriptor >= 0 else { return }
    let (descriptor, size) = (descriptor, size)
    try attempt("ftruncate") { () throws(SystemError) in try truncateFile(descriptor, to: size) }
    try attempt("fdatasync") { () throws(SystemError) in try syncData(descriptor) }
    close()
  }

  private func remove(_ head: SegmentHead) throws(UVError) {
    let path = "\(folder)/\(head.fileName)"
    do { try removeFile(path) } catch {
      guard error.code == ENOENT else { throw UVError(code: -error.code, call: "unlink", subject: path) }
    }
  }

  /// Closes the file.
  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  private func attempt<Result>(
    _ call: String, _ subject: String? = nil, _ body: () throws(SystemError) -> Result
  ) throws(UVError) -> Result {
    do { return try body() } catch { throw UVError(code: -error.code, call: call, subject: subject ?? path) }
  }
}

/// A shard's journal on the disk: steps run on a thread of the loop's pool, one at a time.
final class JournalFiles: JournalDisk {
  private let loop: Loop
  private var file: SegmentFile
  /// Told after each step.
  var finished: ((String?) -> Void)?

  init(in folder: String, on loop: Loop) {
    self.loop = loop
    file = SegmentFile(in: folder)
  }

  deinit { file.close() }

  func perform(_ step: JournalStep) {
    let file = file
    loop.runInBackground({
      var file = file
      let failure = file.perform(step)
      return (file, failure)
    }) { [weak self] (file: SegmentFile, failure: String?) in
      self?.file = file
      self?.finished?(failure)
    }
  }
}
